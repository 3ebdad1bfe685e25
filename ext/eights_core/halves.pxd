"""8½: the structs of a rule set and of a round, and the moves of a round (rules = the rules page of 8½).

A pile's *level* says what may be laid on it: its value in half units (0 to 26), or FIVE_DEMANDED where the next
player's numbers must be 5 or lower. Everything that depends on the level and the options of the rule set is looked up
in tables that the rule set fills once, so that a move needs few branches.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint64_t

from eights_core.cards cimport (
    CHECK, EIGHT, GHOST, HALF, NINE, RANKS, UNLIKELY, Cards, Picked, card_at, cards_of, count, draw_rank, lowest_bit,
    running, total, unseen_cards, unseen_in,
)
from eights_core.game cimport Game, GameState
from eights_core.rng cimport RngState, rng_below


cdef enum:
    MAX_PLAYERS = 6
    LEVELS = 28
    FIVE = 10               # the value 5 in half units
    EIGHT_AND_A_HALF = 17
    FIVE_DEMANDED = 27
    PLAYS = 72              # ids of plays of one rank; rules §9
    MAX_LEGAL = 80          # a hand can hold nearly all cards

    A_EIGHT_HALF = 72
    A_BLIND = 73
    A_TAKE = 74
    A_KEEP = 75
    A_SWAP = 76
    ACTIONS = 220

    P_DEAL = 0              # chance: the next card of the deal
    P_EXCHANGE = 1
    P_OPENING = 2
    P_PLAY = 3
    P_REFILL = 4            # chance: a card for the hand of the one who played
    P_FLIP = 5              # chance: the blind card turned up
    P_OVER = 6

    NOBODY = -1


cdef struct Rules:
    uint64_t legal[LEVELS]              # 15 in the nibble of every rank that may be laid
    uint8_t next_level[LEVELS][RANKS]   # after one card of that rank
    uint8_t policeman[LEVELS]           # the rank that catches, RANKS if none
    uint8_t half_limit[LEVELS]          # how many Halves may be laid in one turn
    uint8_t eight_half[LEVELS]          # whether 8 and Half may be laid together
    uint8_t rank_of[PLAYS]
    uint8_t copies_of[PLAYS]
    uint8_t first[RANKS]
    Cards deck
    int32_t max_plies
    uint8_t players, hand_size, open_size, blind_size
    uint8_t halves_add_up, policeman_starts_pile, open_sets, sealed
    uint8_t scoring                     # 0 standard, 1 shafir
    uint8_t fewest_tie                  # 0 all, 1 split, 2 none
    uint8_t bank[MAX_PLAYERS]           # cards of each Bank after the deal


cdef struct Seat:
    Cards hand, open, aside
    uint8_t bank, blind
    uint8_t at_table                    # has begun to play from the table (rules §5)
    uint8_t unused[5]


cdef struct Round:
    Cards pool                          # what nobody has seen: Banks, Blind Cards, cards still to be dealt
    Cards pile
    int32_t plies                       # player actions so far
    uint8_t level
    uint8_t phase
    int8_t mover                        # who acts; in a chance phase who gets or turns up the card
    uint8_t players
    uint8_t pending                     # P_DEAL: cards dealt so far; P_REFILL: cards still to draw
    uint8_t again                       # the one who played has caught a felon and plays again
    int8_t winner
    int8_t exchange_winner, exchange_loser      # seats of the exchange decision, or NOBODY
    uint8_t unused[3]
    Seat seat[MAX_PLAYERS]              # a copy of a round with fewer players may stop early: `round_size`


cdef inline size_t round_size(int players) noexcept nogil:
    return sizeof(Round) - (MAX_PLAYERS - players) * sizeof(Seat)


cdef inline int value_of(int level) noexcept nogil:
    """The pile's value in half units."""
    return FIVE if level == FIVE_DEMANDED else level


cdef inline int left_of(const Round* s, int seat) noexcept nogil:
    return 0 if seat + 1 == s.players else seat + 1


cdef inline int right_of(const Round* s, int seat) noexcept nogil:
    return s.players - 1 if seat == 0 else seat - 1


# ---- whose turn it is, and what may be played


cdef inline void begin_turn(Round* s, int seat) noexcept nogil:
    """The turn of `seat` begins; with hand and Bank empty he plays from the table from now on (rules §5)."""
    cdef Seat* p = &s.seat[seat]
    s.mover = <int8_t>seat
    s.phase = P_PLAY
    p.at_table |= p.hand == 0 and p.bank == 0


cdef inline void end_action(const Rules* R, Round* s) noexcept nogil:
    """The last steps of rules §5, "order of events": the end of the round, the limit, the next player to act."""
    cdef Seat* p = &s.seat[s.mover]
    if UNLIKELY((p.hand | p.open) == 0 and (p.bank | p.blind) == 0):
        s.phase = P_OVER
        s.winner = s.mover
    elif UNLIKELY(s.plies >= R.max_plies):
        s.phase = P_OVER
    else:
        begin_turn(s, s.mover if s.again else left_of(s, s.mover))
        s.again = 0


cdef inline void pick_up(Round* s, Seat* taker, Cards cards) noexcept nogil:
    """Taken cards go aside until their taker has begun to play from the table, then into his hand (rules §5)."""
    if taker.at_table:
        taker.hand += cards
    else:
        taker.aside += cards


cdef inline int lay(const Rules* R, int level, int rank, int copies) noexcept nogil:
    """The level after `copies` cards of a rank, whose legality is not looked at."""
    cdef int after = R.next_level[level][rank]
    if UNLIKELY(R.halves_add_up and rank == HALF):
        while copies > 1:
            after = R.next_level[after][HALF]
            copies -= 1
    return after


cdef inline void put_on_pile(const Rules* R, Round* s, int rank, int copies, Cards cards) noexcept nogil:
    """Cards that have left their place reach the pile; a policeman catches (rules §3, §4).

    For 8 and Half together `rank` is RANKS: it makes 8½ and never catches.
    """
    cdef int level = s.level
    cdef Seat* felon
    s.pile += cards
    s.again = 0
    if rank == RANKS:
        s.level = EIGHT_AND_A_HALF
    elif UNLIKELY(rank == R.policeman[level]):
        felon = &s.seat[right_of(s, s.mover)]
        if R.policeman_starts_pile:
            pick_up(s, felon, s.pile - cards)
            s.pile = cards
            s.level = R.next_level[0][rank]
        else:
            pick_up(s, felon, s.pile)
            s.pile = 0
            s.level = 0
            s.again = 1
    else:
        s.level = <uint8_t>lay(R, level, rank, copies)


cdef inline void play(const Rules* R, Round* s, int rank, int copies, RngState* g) noexcept nogil:
    """Play from the hand, or the Open Cards where the hand is empty; rank RANKS is 8 and Half together.

    With a generator the hand is refilled at once, without one the round waits in P_REFILL.
    """
    cdef Seat* p = &s.seat[s.mover]
    cdef Cards cards = cards_of(EIGHT, 1) + cards_of(HALF, 1) if rank == RANKS else cards_of(rank, copies)
    cdef bint from_hand = p.hand != 0
    cdef int need
    s.plies += 1
    if from_hand:
        p.hand -= cards
    else:
        p.open -= cards
    put_on_pile(R, s, rank, copies, cards)
    if from_hand and p.bank:
        need = min(R.hand_size - total(p.hand), <int>p.bank)
        if need > 0:
            if g == NULL:
                s.pending = <uint8_t>need
                s.phase = P_REFILL
                return
            p.bank -= <uint8_t>need
            while need:
                cards = cards_of(draw_rank(s.pool, g), 1)
                s.pool -= cards
                p.hand += cards
                need -= 1
    end_action(R, s)


cdef inline void take_pile(const Rules* R, Round* s, Cards with_card) noexcept nogil:
    """The mover takes the pile and a flipped card that does not fit; the next player starts a new one (rules §5)."""
    pick_up(s, &s.seat[s.mover], s.pile + with_card)
    s.pile = 0
    s.level = 0
    s.again = 0
    end_action(R, s)


cdef inline void flip(const Rules* R, Round* s, int rank) noexcept nogil:
    """The flipped Blind Card is played if it is legal; else it is taken with the pile (rules §5)."""
    cdef Cards card = cards_of(rank, 1)
    s.pool -= card
    if count(R.legal[s.level], rank):
        put_on_pile(R, s, rank, 1, card)
        end_action(R, s)
    else:
        take_pile(R, s, card)


cdef inline uint64_t choices(const Rules* R, const Round* s, bint* eight_half) noexcept nogil:
    """The plays of a rank that rules §3 and §5 allow in P_PLAY: their number by rank, a nibble each.

    Where sets may be played, k of them means 1 to k copies. `eight_half` is set where 8 and Half may go together.
    """
    cdef const Seat* p = &s.seat[s.mover]
    cdef int level = s.level
    cdef Cards source = p.hand
    cdef uint64_t options
    cdef int extra
    if source == 0 and not R.open_sets:
        eight_half[0] = False
        options = p.open & R.legal[level]
        options |= options >> 1
        options |= options >> 2
        return options & <uint64_t>0x111111111111
    if source == 0:
        source = p.open
    eight_half[0] = R.eight_half[level] & (count(source, EIGHT) > 0) & (count(source, HALF) > 0)
    options = source & R.legal[level]
    if UNLIKELY(R.halves_add_up):
        extra = count(options, HALF) - R.half_limit[level]
        if extra > 0:
            options -= <uint64_t>extra << (4 * HALF)
    return options


cdef inline bint may_flip(const Rules* R, const Round* s) noexcept nogil:
    """Whether a mover who can play nothing flips a Blind Card; else he takes the pile."""
    cdef const Seat* p = &s.seat[s.mover]
    return (p.hand | p.open) == 0 and not (R.sealed and s.level == EIGHT_AND_A_HALF)


cdef inline void flip_or_take(const Rules* R, Round* s, RngState* g) noexcept nogil:
    """The whole turn of a mover who can play nothing."""
    s.plies += 1
    if may_flip(R, s):
        s.seat[s.mover].blind -= 1
        flip(R, s, draw_rank(s.pool, g))
    else:
        take_pile(R, s, 0)


# ---- the whole of the rules, in halves.pyx

cdef int mover_of(const Round* s) noexcept nogil
cdef uint64_t opening_choices(const Round* s) noexcept nogil
cdef int legal_actions(const Rules* R, const Round* s, int16_t* actions) noexcept nogil
cdef void apply(const Rules* R, Round* s, int action) noexcept nogil
cdef void chance(const Rules* R, Round* s, int rank) noexcept nogil
cdef void come(const Rules* R, Round* s, Cards card) noexcept nogil
cdef const void* game_of_halves() noexcept nogil
cdef void deal(const Rules* R, Round* s, RngState* g) noexcept nogil
cdef int playout(const Rules* R, Round* s, RngState* g) noexcept nogil
cdef void new_round(const Rules* R, Round* s, int exchange_winner, int exchange_loser) noexcept nogil
cdef void open_round(const Rules* R, Round* s) noexcept nogil
cdef void sixtieths(const Rules* R, const Round* s, int* points) noexcept nogil
cdef bint sound(const Rules* R, const Round* s) noexcept nogil
cdef int holding(const Round* s, int seat) noexcept nogil
cdef int big_loser_of(const Round* s) noexcept nogil


cdef class Ruleset:
    cdef Rules rules


cdef class RoundState(GameState):
    cdef Round round
    cdef const Rules* rules
    cdef readonly Ruleset ruleset
    cdef Seat* _seat(self, int seat) except NULL
    cdef int _only_under(self, const Rules* rules) except -1
    cdef int _only_if_all_is_seen(self) except -1
