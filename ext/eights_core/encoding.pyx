"""The float32 encoding of what a seat sees in a round of 8½ (rules §10), for learning programs.

Seats are numbered from the observer: 0 is he himself, 1 the player to his left, and so on. All entries lie in [0, 1]. In
this order, P being the number of players:

==============  ======  ==================================================================================
part            length  entries
==============  ======  ==================================================================================
phase                7  one-hot: deal, exchange, opening, play, refill, flip, over
mover                P  one-hot: who acts, in a chance phase who gets or turns up the card; none at the end
big loser            P  one-hot: with whom the mover may exchange, while an exchange is to be decided
pile                12  cards of each rank / copies of the rank in the full deck
value               27  one-hot: the value in half units, 0 to 26
demand               1  1 for a demanding five (rules §3)
unseen              12  cards of each rank the observer has not seen / copies in the full deck
hand                12  his own hand, as the pile
open              12·P  each seat's Open Cards, as the pile
aside             12·P  each seat's cards put aside, as the pile
table hand        12·P  each seat's hand where it is public, as the pile (of one at the table)
hand size            P  cards of the hand / 72
bank                 P  cards of the Bank / 36
blind                P  Blind Cards / 3
at table             P  1 for a player who has begun to play from the table
plies                1  player actions so far / max_plies
==============  ======  ==================================================================================
"""

from eights_core.cards cimport RANKS, Cards, count, total
from eights_core.halves cimport LEVELS, FIVE_DEMANDED, P_OVER, Round, RoundState, Seat, value_of


def layout(players):
    """The parts of an encoding as a list of (name, start, length), in order."""
    parts, start = [], 0
    for name, length in (
        ("phase", P_OVER + 1), ("mover", players), ("big loser", players), ("pile", RANKS), ("value", LEVELS - 1), ("demand", 1),
        ("unseen", RANKS), ("hand", RANKS), ("open", RANKS * players), ("aside", RANKS * players),
        ("table hand", RANKS * players), ("hand size", players), ("bank", players), ("blind", players),
        ("at table", players), ("plies", 1),
    ):
        parts.append((name, start, length))
        start += length
    return parts


def encoding_size(players):
    """How many float32 an encoding has.

    >>> encoding_size(4), encoding_size(2) == sum(length for _, _, length in layout(2))
    (240, True)
    """
    return 72 + 42 * players


cdef float* put_cards(float* out, Cards cards, Cards whole) noexcept nogil:
    cdef int rank
    for rank in range(RANKS):
        out[rank] = count(cards, rank) / <float>count(whole, rank)
    return out + RANKS


cdef float* put_one_hot(float* out, int length, int at) noexcept nogil:
    cdef int i
    for i in range(length):
        out[i] = i == at
    return out + length


def encode(RoundState state not None, seat, float[::1] out not None):
    """Write what `seat` sees into `out`, whose length is `encoding_size`; also where chance moves and at the end.

    ValueError for another length, IndexError if there is no such seat.
    """
    cdef const Round* s = &state.round
    cdef const Seat* p = state._seat(seat)
    cdef int players = s.players, observer = seat, other, i
    cdef Cards full = <Cards>0x886666666446     # copies of each rank, rules §1
    cdef Cards unseen = s.pool
    cdef float* at
    if out.shape[0] != encoding_size(players):
        raise ValueError(f"An encoding for {players} players has {encoding_size(players)} entries, not {out.shape[0]}.")
    at = &out[0]
    at = put_one_hot(at, P_OVER + 1, s.phase)
    at = put_one_hot(at, players, (s.mover - observer + players) % players if s.phase != P_OVER else -1)
    at = put_one_hot(at, players, (s.exchange_loser - observer + players) % players if s.exchange_loser >= 0 else -1)
    at = put_cards(at, s.pile, full)
    at = put_one_hot(at, LEVELS - 1, value_of(s.level))
    at = put_one_hot(at, 1, 0 if s.level == FIVE_DEMANDED else -1)
    for other in range(players):
        if other != observer and not s.seat[other].at_table:
            unseen += s.seat[other].hand
    at = put_cards(at, unseen, full)
    at = put_cards(at, p.hand, full)
    for i in range(players):
        at = put_cards(at, s.seat[(observer + i) % players].open, full)
    for i in range(players):
        at = put_cards(at, s.seat[(observer + i) % players].aside, full)
    for i in range(players):
        p = &s.seat[(observer + i) % players]
        at = put_cards(at, p.hand if p.at_table else 0, full)
    for i in range(players):
        at[i] = total(s.seat[(observer + i) % players].hand) / <float>72
        at[players + i] = s.seat[(observer + i) % players].bank / <float>36
        at[2 * players + i] = s.seat[(observer + i) % players].blind / <float>3
        at[3 * players + i] = s.seat[(observer + i) % players].at_table
    at[4 * players] = s.plies / <float>state.rules.max_plies
