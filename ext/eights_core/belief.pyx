"""Determinization of 8½: deals drawn exactly uniformly from all that fit what a player knows.

A *deal* puts the unseen cards, all told apart, into the unknown places and the pool of Banks and Blind Cards, which is
drawn from later, card by card. Places are of one *kind* when the same ranks may lie there. Places where anything may lie
are filled last, from what is left. The others are filled by a walk over the unseen cards, rank by rank, in which

    ways[j][filled] = number of ways to put the cards j, j + 1, … into places, `filled` of each kind being taken

is known for every j: card j goes into a place of kind c with weight free[c] * ways[j + 1][filled + one in c] if its rank
may lie there, and elsewhere with weight ways[j + 1][filled]. So every deal that fits has the same probability, and no
draw is thrown away.
"""

from libc.stdint cimport int16_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from eights_core.cards cimport CHECK, cards_of, count, draw_rank, total
from eights_core.game cimport MOST_SEEN
from eights_core.halves cimport (
    FIVE, FIVE_DEMANDED, LEVELS, NOBODY, P_EXCHANGE, P_FLIP, P_OPENING, P_OVER, P_PLAY, P_REFILL,
    RoundState, Seat, apply, chance, deal, game_of_halves, legal_actions, mover_of, playout, round_size, sixtieths,
)
from eights_core.rng cimport Rng, rng_double

from eights_core.halves import EXCHANGE, OPENING, PLAY

MOST_STATES = 1 << 16       # of the table of ways: a bound on memory (times the unseen cards, times 8 bytes)

cdef enum:
    ANY = (1 << RANKS) - 1
    Z_HAND = 0
    Z_OPEN = 1
    Z_ASIDE = 2
    Z_PILE = 3


# ---- the table of ways


cdef int rank_of_unseen(const Deals* d, int j) noexcept nogil:
    """The rank of unseen card j: they stand in ascending order."""
    cdef int rank
    for rank in range(RANKS):
        j -= count(d.known.pool, rank)
        if j < 0:
            return rank
    return RANKS


cdef void count_ways(Deals* d) noexcept nogil:
    cdef int j, state, kind, rank, free_places
    cdef double ways
    cdef double* row
    cdef double* below
    d.ways[<size_t>d.unseen * d.states + d.states - 1] = 1.0     # no card is left and every place is taken
    for j in range(d.unseen - 1, -1, -1):
        row = d.ways + <size_t>j * d.states
        below = row + d.states
        rank = rank_of_unseen(d, j)
        for state in range(d.states):
            ways = below[state]
            for kind in range(d.kinds):
                free_places = d.room[kind] - state // d.stride[kind] % (d.room[kind] + 1)
                if free_places and d.allowed[kind] >> rank & 1:
                    ways += free_places * below[state + d.stride[kind]]
            row[state] = ways


# ---- drawing a deal


cdef inline void put(Round* s, const Place* place, Cards card) noexcept nogil:
    if place.zone == Z_HAND:
        s.seat[place.seat].hand += card
    elif place.zone == Z_OPEN:
        s.seat[place.seat].open += card
    elif place.zone == Z_ASIDE:
        s.seat[place.seat].aside += card
    else:
        s.pile += card
    s.pool -= card


cdef void fill_restricted(const Deals* d, Round* s, RngState* g) noexcept nogil:
    """Draw which cards lie in the places of each kind, then deal them out within the kind."""
    cdef Cards drawn[MAX_CLASSES]
    cdef int kind, chosen, state = 0, rank = -1, left = 0, free_places, j = 0, i
    cdef double x, weight
    cdef const double* below
    cdef Cards card
    for kind in range(d.kinds):
        drawn[kind] = 0
    while state < d.states - 1:         # some restricted place is still empty
        while left == 0:
            rank += 1
            left = count(d.known.pool, rank)
        CHECK(j < d.unseen)
        below = d.ways + <size_t>(j + 1) * d.states
        x = rng_double(g) * (below - d.states)[state] - below[state]
        if x >= 0.0:
            chosen = -1
            for kind in range(d.kinds):
                free_places = d.room[kind] - state // d.stride[kind] % (d.room[kind] + 1)
                if free_places and d.allowed[kind] >> rank & 1:
                    weight = free_places * below[state + d.stride[kind]]
                    if weight > 0.0:
                        chosen = kind       # rounding may leave x at 0 after the last: then that one
                        x -= weight
                        if x < 0.0:
                            break
            if chosen >= 0:
                drawn[chosen] += cards_of(rank, 1)
                state += d.stride[chosen]
        left -= 1
        j += 1
    for i in range(d.places):
        kind = d.place[i].kind
        if kind >= 0:
            for j in range(d.place[i].count):
                card = cards_of(draw_rank(drawn[kind], g), 1)
                drawn[kind] -= card
                put(s, &d.place[i], card)


cdef void sample(const Deals* d, Round* s, RngState* g) noexcept nogil:
    """A round whose unknown places hold one of the deals that fit, each equally likely."""
    cdef int i, j
    memcpy(s, &d.known, round_size(d.known.players))
    if d.kinds:
        fill_restricted(d, s, g)
    for i in range(d.places):
        if d.place[i].kind < 0:
            for j in range(d.place[i].count):
                put(s, &d.place[i], cards_of(draw_rank(s.pool, g), 1))


# ---- 8½ as a search sees it


cdef void game_determinize(const void* belief, void* state, RngState* g) noexcept nogil:
    sample(<const Deals*>belief, <Round*>state, g)


cdef int game_mover(const void* state) noexcept nogil:
    return mover_of(<const Round*>state)


cdef int game_legal(const void* rules, const void* state, int16_t* actions) noexcept nogil:
    return legal_actions(<const Rules*>rules, <const Round*>state, actions)


cdef int game_step(const void* rules, void* state, int action, int observer, uint8_t* seen, RngState* g) noexcept nogil:
    """A seat sees flips, who is to open, and the cards of its own hand in ascending order, as their order tells nothing."""
    cdef const Rules* R = <const Rules*>rules
    cdef Round* s = <Round*>state
    cdef int n = 0, i, rank
    cdef bint opener_comes_out = s.phase == P_EXCHANGE
    apply(R, s, action)
    if opener_comes_out and s.phase == P_OPENING:   # who opens is public, and no one could tell before (rules §5, §7)
        seen[n] = <uint8_t>s.mover
        n += 1
    while mover_of(s) < 0 and s.phase != P_OVER:
        rank = draw_rank(s.pool, g)
        if s.phase == P_FLIP:
            seen[n] = rank
            n += 1
        elif s.mover == observer:
            i = n
            while i > 0 and seen[i - 1] > rank:
                seen[i] = seen[i - 1]
                i -= 1
            seen[i] = rank
            n += 1
        chance(R, s, rank)
    CHECK(n <= MOST_SEEN)
    return n


cdef void outcome(const Rules* R, const Round* s, double* utilities, double* wins) noexcept nogil:
    """What every seat has got from a round that is over."""
    cdef int points[MAX_PLAYERS]
    cdef int seat
    sixtieths(R, s, points)
    for seat in range(s.players):
        utilities[seat] = points[seat] / 60.0
        wins[seat] = seat == s.winner


cdef bint random_rollout(
    const void* data, const void* rules, void* state, RngState* g, double* utilities, double* wins
) noexcept nogil:
    playout(<const Rules*>rules, <Round*>state, g)
    outcome(<const Rules*>rules, <const Round*>state, utilities, wins)
    return True


cdef class RandomPlayouts(Evaluator):
    """Values a state by a random playout to the end of the round."""

    def __cinit__(self):
        self.rollout = random_rollout
        self.data = NULL
        self.exploration = 0.5      # by matches of a prototype


# ---- a belief as Python makes it


cdef Cards _cards(counts) except? 0xFFFF:
    cdef Cards cards = 0
    cdef int rank
    if len(counts) != RANKS:
        raise ValueError(f"A zone is {RANKS} counts by rank, not {len(counts)}.")
    for rank in range(RANKS):
        if not 0 <= counts[rank] <= 8:
            raise ValueError(f"There cannot be {counts[rank]} cards of one rank.")
        cards += cards_of(rank, counts[rank])
    return cards


cdef class Belief(Problem):
    """The deals that fit what is known of a round at a decision.

    `seats` holds (bank, hand, open, blind, aside, at_table) of each, zones being 12 counts of the *known* cards; `pile`
    likewise. `unknown` lists the places whose card is not known: (zone, seat, allowed, count), `allowed` having a bit for
    each rank that may lie there; zone PILE goes with seat -1. `value` is in half units. What `phase` implies is not added:
    the caller says it in `allowed`. Consistency beyond that is the caller's. ValueError if no deal fits; OverflowError if
    the places differ too much to count the deals (more than MOST_STATES ways to have filled them).
    """

    def __cinit__(self):
        self.deals.ways = NULL

    def __dealloc__(self):
        free(self.deals.ways)

    def __init__(self, Ruleset ruleset not None, *, mover, phase, exchange, value, demand, plies, pile, seats, unknown):
        cdef Deals* d = &self.deals
        cdef Round* s = &d.known
        cdef int seat, i, kind, rank, places = 0
        cdef Cards unseen = 0
        if d.rules != NULL:
            raise TypeError("A belief is made once.")
        if len(seats) != ruleset.rules.players or not 0 <= mover < len(seats):
            raise ValueError(f"The rules are for {ruleset.rules.players} players.")
        if not 0 <= value < LEVELS - 1 or demand and value != FIVE:
            raise ValueError(f"No pile has the value {value} halves, demand {demand}.")
        self.ruleset = ruleset
        d.rules = &ruleset.rules
        s.players = ruleset.rules.players
        s.phase = {EXCHANGE: P_EXCHANGE, OPENING: P_OPENING, PLAY: P_PLAY}[phase]
        s.mover = mover
        s.winner = s.exchange_winner = s.exchange_loser = NOBODY
        if phase == EXCHANGE:
            winner, loser = exchange
            if winner != mover or not 0 <= loser < s.players or winner == loser:
                raise ValueError(f"Seat {mover} is to decide about an exchange, not {winner} with {loser}.")
            s.exchange_winner, s.exchange_loser = winner, loser
        s.level = FIVE_DEMANDED if demand else value
        s.plies = plies
        s.pile = _cards(pile)
        for seat in range(s.players):
            bank, hand, open_cards, blind, aside, at_table = seats[seat]
            s.seat[seat].bank, s.seat[seat].blind, s.seat[seat].at_table = bank, blind, at_table
            s.seat[seat].hand, s.seat[seat].open, s.seat[seat].aside = _cards(hand), _cards(open_cards), _cards(aside)
            places += bank + blind
        for rank in range(RANKS):
            i = count(ruleset.rules.deck, rank) - _known(s, rank)
            if i < 0:
                raise ValueError(f"More cards of rank {rank} are known than the deck holds.")
            unseen += cards_of(rank, i)
        s.pool = unseen
        d.unseen = total(unseen)
        for zone, seat, allowed, number in unknown:
            self._add_places(zone, seat, allowed, number)
            places += number
        if places != d.unseen:
            raise ValueError(f"{d.unseen} cards are unseen, and {places} places are unknown.")
        self._only_if_all_have_cards()
        self._make_table()
        self.game.kind = game_of_halves()
        self.game.state_size = round_size(s.players)
        self.game.seats = s.players
        self.game.lowest, self.game.highest = 0.0, 3.0
        self.game.determinize = game_determinize
        self.game.mover = game_mover
        self.game.legal = game_legal
        self.game.step = game_step
        self.rules = d.rules
        self.belief = d
        self.observer = mover

    cdef int _only_if_all_have_cards(self) except -1:
        cdef const Seat* p
        cdef int seat, i, hidden
        for seat in range(self.deals.known.players):
            p = &self.deals.known.seat[seat]
            hidden = 0
            for i in range(self.deals.places):
                hidden += self.deals.place[i].seat == seat and self.deals.place[i].zone in (Z_HAND, Z_OPEN)
            if not (p.hand | p.open or p.bank or p.blind or hidden):
                raise ValueError(f"Seat {seat} has no cards left, so the round is over.")
        return 0

    cdef int _add_places(self, int zone, int seat, int allowed, int number) except -1:
        cdef Deals* d = &self.deals
        if d.places == MAX_PLACES:
            raise OverflowError(f"The unknown cards differ in more than {MAX_PLACES} ways.")
        cdef Place* place
        cdef int kind, seen = 0, rank
        if zone not in (Z_HAND, Z_OPEN, Z_ASIDE, Z_PILE) or not (0 <= seat < d.known.players or zone == Z_PILE):
            raise ValueError(f"No card lies in zone {zone} of seat {seat}.")
        if not 0 < number <= d.unseen:
            raise ValueError(f"{number} unknown cards cannot be in a place.")
        for rank in range(RANKS):       # ranks of which no card is unseen make no difference
            seen |= (count(d.known.pool, rank) > 0) << rank
        allowed &= seen
        place = &d.place[d.places]
        place.zone, place.seat, place.count, place.kind = zone, seat, number, -1
        d.places += 1
        if allowed == seen:
            return 0
        for kind in range(d.kinds):
            if d.allowed[kind] == allowed:
                break
        else:
            kind = d.kinds
            if kind == MAX_CLASSES:
                raise OverflowError(f"The unknown cards are restricted in more than {MAX_CLASSES} ways.")
            d.kinds += 1
            d.allowed[kind] = allowed
        d.room[kind] += number
        place.kind = kind
        return 0

    cdef int _make_table(self) except -1:
        cdef Deals* d = &self.deals
        cdef int kind
        d.states = 1
        for kind in range(d.kinds):
            d.stride[kind] = d.states
            d.states *= d.room[kind] + 1
            if d.states > MOST_STATES:
                raise OverflowError("The unknown cards are restricted in too many different ways to count the deals.")
        if d.kinds == 0:
            return 0
        d.ways = <double*>calloc(<size_t>(d.unseen + 1) * d.states, sizeof(double))
        if d.ways == NULL:
            raise MemoryError
        count_ways(d)
        if d.ways[0] == 0.0:
            raise ValueError("No deal of the unseen cards fits what is known of the hidden ones.")
        return 0

    @property
    def deals(self):
        """How many deals fit, as a float, with all cards and all places of Banks and Blind Cards told apart."""
        cdef Deals* d = &self.deals
        cdef double ways = d.ways[0] if d.kinds else 1.0
        cdef int left = d.unseen, kind
        for kind in range(d.kinds):
            left -= d.room[kind]
        while left > 1:
            ways *= left
            left -= 1
        return ways

    def sample_into(self, RoundState state not None, Rng rng not None):
        """Make `state`, of the same rules, one of the deals that fit, each equally likely."""
        if self.game.determinize == NULL:
            raise ValueError("The belief has not been made.")
        state._only_under(self.deals.rules)
        sample(&self.deals, &state.round, &rng.state)


cdef int _known(const Round* s, int rank) noexcept:
    cdef int seat, n = count(s.pile, rank)
    for seat in range(s.players):
        n += count(s.seat[seat].hand, rank) + count(s.seat[seat].open, rank) + count(s.seat[seat].aside, rank)
    return n
