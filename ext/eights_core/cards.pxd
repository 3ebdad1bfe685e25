"""A multiset of cards in one machine word.

Bits 4r to 4r + 3 hold how many cards of rank r there are (at most 8, rules §1), bits 48 and up how many there are in
all. Union of multisets is `+`, difference `-`, and a set is empty exactly when the word is 0. A card of which only its
being there is known counts in the total alone.
"""

from libc.stdint cimport uint64_t

from eights_core.rng cimport RngState, rng_below


cdef extern from "eights_core/checked.h":
    void CHECK "EIGHTS_CHECK"(bint condition) noexcept nogil
    bint UNLIKELY "EIGHTS_UNLIKELY"(bint condition) noexcept nogil
    int lowest_bit "eights_lowest_bit"(uint64_t x) noexcept nogil


ctypedef uint64_t Cards

cdef enum:
    RANKS = 12
    EIGHT = 8
    NINE = 9
    HALF = 10
    GHOST = 11


cdef struct Picked:
    int rank
    int index          # which of the cards of that rank, from 0


cdef inline Cards cards_of(int rank, int copies) noexcept nogil:
    return ((<uint64_t>1 << (4 * rank)) + (<uint64_t>1 << 48)) * <uint64_t>copies


cdef inline Cards unseen_cards(int number) noexcept nogil:
    """Cards of ranks that are not known."""
    return <uint64_t>number << 48


cdef inline int count(Cards cards, int rank) noexcept nogil:
    return (cards >> (4 * rank)) & 15


cdef inline int total(Cards cards) noexcept nogil:
    return <int>(cards >> 48)


cdef inline uint64_t running(uint64_t nibbles) noexcept nogil:
    """Byte i: how many cards there are of ranks 0 to 2i + 1, for i from 0 to 5. Ignores the total in bits 48 and up."""
    cdef uint64_t low = <uint64_t>0x0F0F0F0F0F0F
    cdef uint64_t pairs = (nibbles & low) + ((nibbles >> 4) & low)
    return (pairs * <uint64_t>0x010101010101) & <uint64_t>0xFFFFFFFFFFFF


cdef inline int unseen_in(Cards cards) noexcept nogil:
    """How many of the cards have a rank that is not known."""
    return total(cards) - <int>(running(cards) >> 40)


cdef inline Picked card_at(uint64_t nibbles, uint64_t sums, int i) noexcept nogil:
    """The i-th card, counted by rank from 0; `sums` is `running(nibbles)`, i below its highest byte. No branches."""
    cdef uint64_t high = <uint64_t>0x808080808080
    cdef uint64_t above = ~((high | (<uint64_t>i * <uint64_t>0x010101010101)) - sums) & high
    cdef int shift = lowest_bit(above) & ~7
    cdef int rest = i - <int>(((sums << 8) >> shift) & 0xFF)
    cdef int even = <int>((nibbles >> shift) & 15)
    cdef int odd = rest >= even
    cdef Picked picked
    picked.rank = (shift >> 2) + odd
    picked.index = rest - (even & -odd)
    return picked


cdef inline int draw_rank(Cards cards, RngState* g) noexcept nogil:
    """The rank of a card drawn uniformly; `cards` must not be empty."""
    CHECK(cards != 0)
    return card_at(cards, running(cards), rng_below(g, total(cards))).rank
