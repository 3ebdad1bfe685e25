"""The rules of 8½, Haim Shafir's card game of Halves, Ghosts, policemen and blind cards, for 2 to 6 players.

The deck of 72 is dealt out. Everybody has a Bank and Blind Cards, which nobody knows, Open Cards, which all see, and a
hand of his own. A turn plays cards of one rank that the pile's value allows: a number not below it, a zero on a whole
value, a Half that adds ½, a Ghost that changes nothing; whoever can play nothing takes the pile. Who leaves a value
ending in ½ is a felon until the next player has acted: the number that follows it catches him, and he takes the pile.
With hand and Bank played out one plays the Open Cards, then flips the Blind Cards. The first without cards wins.

Action ids (rules §9): 0-71 k copies of a rank, 72 8 and Half together, 73 flip a Blind Card, 74 take the pile, 75 keep,
76 + 12a + b swap the Open Card a for b. A chance outcome is the rank of the card that comes up.

What is seen (rules §10): everything but the hands that come from the Banks, which only their owner sees, and Banks and
Blind Cards, which nobody knows: their ranks are drawn when somebody first sees them, uniformly from the pool.

A round can also be followed by somebody who sees but one hand. Then the other hands hold unseen cards, which the pool
still counts; one is named when it is played. Nothing else differs.
"""

from libc.string cimport memcmp, memcpy, memset

from eights_core.game cimport Game
from eights_core.rng cimport Rng

HAND, OPEN, ASIDE, PILE, BLIND = range(5)
DEAL, EXCHANGE, OPENING, PLAY, REFILL, FLIP, OVER = range(7)
CHANCE = -1
TERMINAL = -4

cdef Rules _NO_RULES                    # of states that have not been made; zeros, as static memory is

_TABLE_1 = (6, 4, 4, 6, 6, 6, 6, 6, 6, 6, 8, 8)     # copies of each rank, rules §1


# ---- a rule set as tables


cdef void fill_levels(Rules* R, bint five_through_ghost) noexcept:
    """The table of rules §3 and the policemen of §4, for every level of the pile."""
    cdef int level, rank, value
    for level in range(LEVELS):
        value = value_of(level)
        R.legal[level] = 0
        for rank in range(RANKS):
            if rank == 0:
                legal = value % 2 == 0
                R.next_level[level][rank] = 0
            elif rank <= NINE:
                legal = rank <= 5 if level == FIVE_DEMANDED else 2 * rank >= value
                R.next_level[level][rank] = FIVE_DEMANDED if rank == 5 else 2 * rank
            elif rank == HALF:
                legal = level != EIGHT_AND_A_HALF
                R.next_level[level][rank] = FIVE_DEMANDED if value + 1 == FIVE else min(value + 1, LEVELS - 2)
            else:
                legal = True
                R.next_level[level][rank] = value if not five_through_ghost else level
            if legal and not (R.sealed and level == EIGHT_AND_A_HALF):
                R.legal[level] |= <uint64_t>15 << (4 * rank)
        R.eight_half[level] = level <= EIGHT_AND_A_HALF and not (R.sealed and level == EIGHT_AND_A_HALF)
        R.policeman[level] = (value + 1) // 2 if value % 2 and value <= EIGHT_AND_A_HALF else RANKS
        R.half_limit[level] = EIGHT_AND_A_HALF - value if value <= EIGHT_AND_A_HALF else 15


cdef class Ruleset:
    """A rule set in the form the core works with. Trusts its caller: `eights.Rules` checks what it is given.

    `deck` are the copies of each of the 12 ranks; `scoring` is 0 for standard and 1 for shafir, `fewest_tie` 0, 1, 2 for
    all, split, none.
    """

    def __init__(self, *, players, deck, hand_size, open_size, blind_size, five_through_ghost,
                 sealed_eight_and_a_half, halves_add_up, policeman_starts_pile, open_sets, scoring, fewest_tie,
                 max_plies):
        cdef Rules* R = &self.rules
        cdef int rank, copies, id = 0
        if R.players:
            raise TypeError("A rule set is made once.")
        if not 2 <= players <= MAX_PLAYERS:
            raise ValueError(f"8½ is for 2 to {MAX_PLAYERS} players, not {players}.")
        if len(deck) != RANKS or not all(0 <= n <= most for n, most in zip(deck, _TABLE_1, strict=True)):
            raise ValueError(f"Not a deck of 8½: {deck}.")
        if not (1 <= hand_size <= 3 and 1 <= open_size <= 3 and 0 <= blind_size <= 3 and 1 <= max_plies):
            raise ValueError("Hands and Open Cards are 1 to 3, Blind Cards 0 to 3, plies at least 1.")
        if sum(deck) < players * (hand_size + open_size + blind_size):
            raise ValueError("The deck cannot give every player those cards.")
        R.hand_size, R.open_size, R.blind_size = hand_size, open_size, blind_size
        R.sealed = sealed_eight_and_a_half
        R.halves_add_up = halves_add_up
        R.policeman_starts_pile = policeman_starts_pile
        R.open_sets = open_sets
        R.scoring, R.fewest_tie, R.max_plies = scoring, fewest_tie, max_plies
        for rank in range(RANKS):
            R.deck += cards_of(rank, deck[rank])
            R.first[rank] = id
            for copies in range(1, _TABLE_1[rank] + 1):
                R.rank_of[id] = rank
                R.copies_of[id] = copies
                id += 1
        for seat in range(players):
            R.bank[seat] = (total(R.deck) // players + (seat < total(R.deck) % players)
                            - hand_size - open_size - blind_size)
        fill_levels(R, five_through_ghost)
        R.players = players         # last: a rule set without players has not been made

    def lay(self, value, demand, action):
        """What a play does to a pile: ``(value, demand, catches)`` after it, or None where it is not legal.

        `value` is in half units, `demand` says that the pile is a demanding five, `action` is a play (0 to 72). Nothing
        is asked about who holds the cards. Where a policeman `catches`, the value is that of its number.
        """
        cdef const Rules* R = &self.rules
        cdef int level, rank, copies, after
        if not 0 <= value < LEVELS - 1 or not 0 <= action <= A_EIGHT_HALF or demand and value != FIVE:
            raise ValueError(f"Not a pile and a play: value {value}, demand {demand}, action {action}.")
        level = FIVE_DEMANDED if demand else value
        if action == A_EIGHT_HALF:
            return (EIGHT_AND_A_HALF, False, False) if R.eight_half[level] else None
        rank, copies = R.rank_of[action], R.copies_of[action]
        if not count(R.legal[level], rank):
            return None
        if R.halves_add_up and rank == HALF and copies > R.half_limit[level]:
            return None
        after = lay(R, level, rank, copies)
        return value_of(after), after == FIVE_DEMANDED, rank == R.policeman[level]

    def __reduce__(self):
        cdef const Rules* R = &self.rules
        return _ruleset, ({
            "players": R.players, "deck": _counts(R.deck), "hand_size": R.hand_size, "open_size": R.open_size,
            "blind_size": R.blind_size,
            "five_through_ghost": R.next_level[FIVE_DEMANDED][GHOST] == FIVE_DEMANDED,
            "sealed_eight_and_a_half": bool(R.sealed), "halves_add_up": bool(R.halves_add_up),
            "policeman_starts_pile": bool(R.policeman_starts_pile), "open_sets": bool(R.open_sets),
            "scoring": R.scoring, "fewest_tie": R.fewest_tie, "max_plies": R.max_plies,
        },)


def _ruleset(fields):
    return Ruleset(**fields)


# ---- the course of a round


cdef void new_round(const Rules* R, Round* s, int exchange_winner, int exchange_loser) noexcept nogil:
    """Nothing is dealt yet; the first card is seat 0's first Open Card (rules §2)."""
    cdef int seat
    memset(s, 0, sizeof(Round))
    s.pool = R.deck
    s.players = R.players
    s.winner = NOBODY
    s.exchange_winner = <int8_t>exchange_winner
    s.exchange_loser = <int8_t>exchange_loser
    s.phase = P_DEAL
    for seat in range(R.players):
        s.seat[seat].bank = R.bank[seat]
        s.seat[seat].blind = R.blind_size


cdef int lowest_yellow(Cards hand) noexcept nogil:
    """The lowest yellow rank of a hand (rules §1: 1 to 4 and 6 to 8), RANKS if there is none."""
    cdef uint64_t yellow = hand & <uint64_t>0x000FFF0FFFF0
    return lowest_bit(yellow) >> 2 if yellow else RANKS


cdef void open_round(const Rules* R, Round* s) noexcept nogil:
    """The player with the lowest yellow card opens, seat 0 if there is none (rules §5, "opening a round")."""
    cdef int seat, lowest = RANKS
    s.phase = P_OPENING
    s.mover = 0
    for seat in range(s.players):
        if lowest_yellow(s.seat[seat].hand) < lowest:
            lowest = lowest_yellow(s.seat[seat].hand)
            s.mover = <int8_t>seat


cdef uint64_t opening_choices(const Round* s) noexcept nogil:
    """Copies of the lowest yellow card, or anything where nobody holds one; as `choices`."""
    cdef Cards hand = s.seat[s.mover].hand
    cdef int rank = lowest_yellow(hand)
    return hand & (<uint64_t>15 << (4 * rank) if rank < RANKS else <uint64_t>0xFFFFFFFFFFFF)


cdef int mover_of(const Round* s) noexcept nogil:
    if s.phase == P_DEAL or s.phase == P_REFILL or s.phase == P_FLIP:
        return -1
    return -4 if s.phase == P_OVER else s.mover


cdef int legal_actions(const Rules* R, const Round* s, int16_t* actions) noexcept nogil:
    """Write the legal actions, ascending (at most MAX_LEGAL); return how many. None where chance moves or at the end."""
    cdef int n = 0, rank, other, copies
    cdef uint64_t options = 0
    cdef bint eight_half = False
    if s.phase == P_EXCHANGE:
        actions[0] = A_KEEP
        n = 1
        for rank in range(RANKS):
            if count(s.seat[s.exchange_winner].open, rank):
                for other in range(RANKS):
                    if other != rank and count(s.seat[s.exchange_loser].open, other):
                        actions[n] = A_SWAP + RANKS * rank + other
                        n += 1
        return n
    if s.phase == P_OPENING:
        options = opening_choices(s)
    elif s.phase == P_PLAY:
        options = choices(R, s, &eight_half)
    else:
        return 0
    for rank in range(RANKS):
        for copies in range(count(options, rank)):
            actions[n] = R.first[rank] + copies
            n += 1
    if eight_half:
        actions[n] = A_EIGHT_HALF
        n += 1
    if n == 0 and s.phase == P_PLAY:
        actions[0] = A_BLIND if may_flip(R, s) else A_TAKE
        n = 1
    CHECK(n <= MAX_LEGAL)
    return n


cdef void exchange(Round* s, int action) noexcept nogil:
    """`keep`, or `swap a b`: the winner's Open Card a for the Big Loser's b (rules §7)."""
    cdef Cards own, other
    if action != A_KEEP:
        own = cards_of((action - A_SWAP) // RANKS, 1)
        other = cards_of((action - A_SWAP) % RANKS, 1)
        s.seat[s.exchange_winner].open += other - own
        s.seat[s.exchange_loser].open += own - other
    s.exchange_winner = s.exchange_loser = NOBODY


cdef void apply(const Rules* R, Round* s, int action) noexcept nogil:
    """A legal action of the player to act; what has to be drawn after it is left pending."""
    if action < PLAYS:
        play(R, s, R.rank_of[action], R.copies_of[action], NULL)
    elif action == A_EIGHT_HALF:
        play(R, s, RANKS, 1, NULL)
    elif action == A_TAKE:
        s.plies += 1
        take_pile(R, s, 0)
    elif action == A_BLIND:
        s.plies += 1
        s.seat[s.mover].blind -= 1
        s.phase = P_FLIP
    else:
        s.plies += 1
        exchange(s, action)
        if s.plies >= R.max_plies:
            s.phase = P_OVER
        else:
            open_round(R, s)


cdef void after_deal(const Rules* R, Round* s) noexcept nogil:
    """All cards are dealt and seen: the exchange decision, if there is one, else the opening (rules §7)."""
    s.pending = 0
    if s.exchange_winner != NOBODY:
        s.phase = P_EXCHANGE
        s.mover = s.exchange_winner
    else:
        open_round(R, s)


cdef void chance(const Rules* R, Round* s, int rank) noexcept nogil:
    """A card of that rank comes up where one is pending; the pool must hold one."""
    CHECK(count(s.pool, rank) > 0)
    if s.phase == P_FLIP:
        flip(R, s, rank)
    else:
        s.pool -= cards_of(rank, 1)
        come(R, s, cards_of(rank, 1))


cdef void come(const Rules* R, Round* s, Cards card) noexcept nogil:
    """A card of the deal or of a refill reaches its place."""
    cdef Seat* p = &s.seat[s.mover]
    cdef int each = R.open_size + R.hand_size
    if s.phase == P_REFILL:
        p.hand += card
        p.bank -= 1
        s.pending -= 1
        if s.pending == 0:
            end_action(R, s)
        return
    if s.pending % each < R.open_size:
        p.open += card
    else:
        p.hand += card
    s.pending += 1
    if s.pending < s.players * each:
        s.mover = <int8_t>(s.pending // each)
    else:
        after_deal(R, s)


cdef inline Cards draw_cards(Round* s, int n, RngState* g) noexcept nogil:
    """Take n cards out of the pool."""
    cdef Cards drawn = 0
    while n > 0:
        drawn += cards_of(draw_rank(s.pool - drawn, g), 1)
        n -= 1
    s.pool -= drawn
    return drawn


cdef void deal(const Rules* R, Round* s, RngState* g) noexcept nogil:
    """Draw every pending chance event; a whole deal in fewer steps, with the same draws."""
    cdef int seat
    if s.phase == P_DEAL and s.pending == 0:
        for seat in range(s.players):
            s.seat[seat].open = draw_cards(s, R.open_size, g)
            s.seat[seat].hand = draw_cards(s, R.hand_size, g)
        after_deal(R, s)
    while mover_of(s) == -1:
        chance(R, s, draw_rank(s.pool, g))


cdef inline void random_turn(const Rules* R, Round* s, RngState* g) noexcept nogil:
    """One action in P_PLAY, each legal one equally likely, with all its draws.

    Where k copies of a rank may be played there are k actions of that rank, so that an action is drawn as a card is.
    """
    cdef bint eight_half
    cdef uint64_t options = choices(R, s, &eight_half)
    cdef uint64_t sums = running(options)
    cdef int n = <int>(sums >> 40), i
    cdef Picked picked
    if n + eight_half:
        i = rng_below(g, n + eight_half)
        if UNLIKELY(i == n):
            play(R, s, RANKS, 1, g)
        else:
            picked = card_at(options, sums, i)
            play(R, s, picked.rank, picked.index + 1, g)
        return
    flip_or_take(R, s, g)


cdef int playout(const Rules* R, Round* s, RngState* g) noexcept nogil:
    """Play to the end, each legal action equally likely; return the player actions played."""
    cdef int16_t actions[MAX_LEGAL]
    cdef int before = s.plies
    cdef RngState own           # a copy that can live in registers
    while s.phase != P_PLAY and s.phase != P_OVER:
        deal(R, s, g)
        if s.phase == P_EXCHANGE or s.phase == P_OPENING:
            apply(R, s, actions[rng_below(g, legal_actions(R, s, actions))])
    own = g[0]
    while s.phase == P_PLAY:
        random_turn(R, s, &own)
    g[0] = own
    return s.plies - before


# ---- the outcome


cdef bint sound(const Rules* R, const Round* s) noexcept nogil:
    """Whether a round holds together: its numbers in their ranges, and every card of the deck in one place."""
    cdef int seat, rank, n, hidden = 0
    if (s.players != R.players or s.phase > P_OVER or s.level >= LEVELS or not 0 <= s.mover < s.players
            or not NOBODY <= s.winner < s.players or not NOBODY <= s.exchange_winner < s.players
            or not NOBODY <= s.exchange_loser < s.players or s.pending > s.players * (R.open_size + R.hand_size)
            or (s.phase == P_REFILL and not 0 < s.pending <= s.seat[s.mover].bank)
            or (s.phase == P_EXCHANGE and (s.exchange_winner == NOBODY or s.exchange_loser == NOBODY))):
        return False
    for rank in range(RANKS):
        n = count(s.pool, rank) + count(s.pile, rank)
        for seat in range(s.players):
            n += count(s.seat[seat].hand, rank) + count(s.seat[seat].open, rank) + count(s.seat[seat].aside, rank)
        if n != count(R.deck, rank):
            return False
    return unseen_in(s.pool) == 0 and unseen_in(s.pile) == 0


cdef int holding(const Round* s, int seat) noexcept nogil:
    """A player's count: Bank, hand, Open and Blind Cards, and what he has put aside (rules §6)."""
    cdef const Seat* p = &s.seat[seat]
    return p.bank + total(p.hand) + total(p.open) + p.blind + total(p.aside)


cdef int big_loser_of(const Round* s) noexcept nogil:
    """The highest count apart from the winner, on a tie the first clockwise from him; NOBODY without a winner."""
    cdef int seat, loser = NOBODY, most = -1
    if s.winner == NOBODY:
        return NOBODY
    seat = left_of(s, s.winner)
    while seat != s.winner:
        if holding(s, seat) > most:
            most = holding(s, seat)
            loser = seat
        seat = left_of(s, seat)
    return loser


cdef void sixtieths(const Rules* R, const Round* s, int* points) noexcept nogil:
    """The points of every seat at the end of a round in 60ths of a point, so that shares are exact (rules §6)."""
    cdef int seat, fewest = 1000, sharers = 0, share
    for seat in range(s.players):
        points[seat] = 0
        if holding(s, seat) < fewest:
            fewest = holding(s, seat)
            sharers = 0
        sharers += holding(s, seat) == fewest
    share = 60
    if sharers > 1 and R.fewest_tie:
        share = 60 // sharers if R.fewest_tie == 1 else 0
    for seat in range(s.players):
        if holding(s, seat) == fewest:
            points[seat] = share
    if s.winner == NOBODY:
        return
    if R.scoring == 0:
        points[s.winner] += 120
    else:
        points[s.winner] += 60
        if s.seat[s.winner].aside == 0:
            points[s.winner] += 60


# ---- a round as Python holds it


cdef const void* game_of_halves() noexcept nogil:
    return &_NO_RULES


cdef tuple _counts(Cards cards):
    cdef int rank
    return tuple([count(cards, rank) for rank in range(RANKS)])


cdef class RoundState(GameState):
    """A round in progress, all its cards known: whose turn, what is legal, what happens next.

    Starts before the deal; `exchange` (winner, Big Loser) puts the exchange decision before the opening (rules §7).
    Zones and hands are tuples of 12 counts by rank; seats that do not exist are an IndexError.
    """

    def __cinit__(self):
        self.rules = &_NO_RULES     # until `__init__`: a round of no players that is over
        self.round.phase = P_OVER
        self.round.winner = self.round.exchange_winner = self.round.exchange_loser = NOBODY

    def __init__(self, Ruleset ruleset not None, exchange=None):
        cdef int winner = NOBODY, loser = NOBODY
        if not ruleset.rules.players:
            raise ValueError("The rule set has not been made.")
        if exchange is not None:
            winner, loser = exchange
            if not (0 <= winner < ruleset.rules.players and 0 <= loser < ruleset.rules.players) or winner == loser:
                raise ValueError(f"An exchange is between two seats of the table, not {winner} and {loser}.")
        self.ruleset = ruleset
        self.rules = &ruleset.rules
        new_round(self.rules, &self.round, winner, loser)

    cdef void* data(self, const Game* game, const void* rules) except NULL:
        if game.kind != game_of_halves():
            raise ValueError("Not a state of this game.")
        self._only_under(<const Rules*>rules)
        return &self.round

    cdef int _only_under(self, const Rules* rules) except -1:
        if memcmp(self.rules, rules, sizeof(Rules)):
            raise ValueError("The state is of other rules.")
        return 0

    cdef Seat* _seat(self, int seat) except NULL:
        if not 0 <= seat < self.round.players:
            raise IndexError(f"There is no seat {seat}: seats are 0 to {self.round.players - 1}.")
        return &self.round.seat[seat]

    # what can be seen

    @property
    def players(self):
        return self.round.players

    @property
    def mover(self):
        """The seat to act, or CHANCE, or TERMINAL."""
        return mover_of(&self.round)

    @property
    def phase(self):
        """DEAL, EXCHANGE, OPENING, PLAY, REFILL, FLIP or OVER."""
        return self.round.phase

    @property
    def plies(self):
        """Player actions so far."""
        return self.round.plies

    @property
    def value(self):
        """The pile's value in half units: 17 is 8½."""
        return value_of(self.round.level)

    @property
    def demand(self):
        """Whether the pile is a five that binds the mover to numbers of 5 and lower (rules §3)."""
        return self.round.level == FIVE_DEMANDED

    @property
    def felon(self):
        """The seat that has left the pile at a value ending in ½, or None; None while cards are drawn (rules §4)."""
        if mover_of(&self.round) < 0 or self.value % 2 == 0:
            return None
        return right_of(&self.round, self.round.mover)

    @property
    def exchange(self):
        """(winner, Big Loser) of the round before while the exchange decision is still to be made, else None."""
        if self.round.exchange_winner == NOBODY:
            return None
        return self.round.exchange_winner, self.round.exchange_loser

    @property
    def winner(self):
        """The seat that has got rid of all its cards, or None (rules §6)."""
        return None if self.round.winner == NOBODY else self.round.winner

    @property
    def big_loser(self):
        """The seat with the highest count apart from the winner; None without a winner (rules §6)."""
        cdef int loser = big_loser_of(&self.round)
        return None if loser == NOBODY else loser

    @property
    def pile(self):
        """The cards on the pile."""
        return _counts(self.round.pile)

    @property
    def pile_size(self):
        """How many cards lie on the pile."""
        return total(self.round.pile)

    @property
    def pool(self):
        """The cards nobody has seen: Banks, Blind Cards, and what is still to be dealt."""
        return _counts(self.round.pool)

    def hand(self, seat):
        """The cards of a hand, as far as they are seen."""
        return _counts(self._seat(seat).hand)

    def open(self, seat):
        """A seat's Open Cards."""
        return _counts(self._seat(seat).open)

    def aside(self, seat):
        """What a seat has put aside."""
        return _counts(self._seat(seat).aside)

    def bank(self, seat):
        """How many cards a seat's Bank holds."""
        return self._seat(seat).bank

    def blind(self, seat):
        """How many Blind Cards a seat has."""
        return self._seat(seat).blind

    def at_table(self, seat):
        """Whether this player has begun to play from the table; his hand is public from then on (rules §10)."""
        return bool(self._seat(seat).at_table)

    def counts(self):
        """Every seat's count: all his cards, those put aside too (rules §6)."""
        return [holding(&self.round, seat) for seat in range(self.round.players)]

    def points(self):
        """Every seat's points as floats; zeros until the round is over (rules §6)."""
        cdef int points[MAX_PLAYERS]
        if self.round.phase != P_OVER:
            return [0.0] * self.round.players
        sixtieths(self.rules, &self.round, points)
        return [points[seat] / 60.0 for seat in range(self.round.players)]

    # moving on

    def legal_actions(self):
        """The ids of the mover's legal actions, ascending; empty where chance moves or the round is over."""
        cdef int16_t actions[MAX_LEGAL]
        cdef int n = legal_actions(self.rules, &self.round, actions)
        return [actions[i] for i in range(n)]

    def chance_outcomes(self):
        """(rank, probability) of every card that may come up, ascending; empty where no card is pending."""
        cdef Cards pool = self.round.pool
        if mover_of(&self.round) != -1:
            return []
        return [(rank, count(pool, rank) / <double>total(pool)) for rank in range(RANKS) if count(pool, rank)]

    def chance_place(self):
        """(seat, zone) of the pending card: HAND, OPEN or BLIND; None where no card is pending."""
        if mover_of(&self.round) != -1:
            return None
        if self.round.phase == P_FLIP:
            return self.round.mover, BLIND
        if self.round.phase == P_REFILL:
            return self.round.mover, HAND
        dealt = self.round.pending % (self.rules.open_size + self.rules.hand_size)
        return self.round.mover, OPEN if dealt < self.rules.open_size else HAND

    def try_apply(self, action):
        """Apply a legal action, or where chance moves the rank that comes up. False, and nothing done, if illegal."""
        cdef int16_t actions[MAX_LEGAL]
        cdef int n, wanted
        if not 0 <= action < ACTIONS:
            return False
        wanted = action
        if mover_of(&self.round) == -1:
            if wanted >= RANKS or not count(self.round.pool, wanted):
                return False
            chance(self.rules, &self.round, wanted)
            return True
        n = legal_actions(self.rules, &self.round, actions)
        for i in range(n):
            if actions[i] == wanted:
                apply(self.rules, &self.round, wanted)
                return True
        return False

    def playable(self):
        """The ranks of which one card may be laid on the pile as it is, as a set of bits (rules §3)."""
        cdef int rank, ranks = 0
        for rank in range(RANKS):
            ranks |= (count(self.rules.legal[self.round.level], rank) > 0) << rank
        return ranks

    # following a round of which one hand is seen

    def hidden(self, seat):
        """How many cards of a hand are unseen, in a round that somebody follows who does not see it."""
        return unseen_in(self._seat(seat).hand)

    def try_unseen(self):
        """A card that is not seen comes to the hand that is to draw one. False, and nothing done, if none is."""
        if self.round.phase == P_FLIP or mover_of(&self.round) != -1:
            return False
        if self.round.phase == P_DEAL and self.round.pending % (self.rules.open_size + self.rules.hand_size) < (
            self.rules.open_size
        ):
            return False
        come(self.rules, &self.round, unseen_cards(1))
        return True

    def try_name(self, seat, rank, copies):
        """Name unseen cards of a hand. False, and nothing done, if there are not so many, or no cards of that rank."""
        cdef Seat* p = self._seat(seat)
        cdef int n = copies, r = rank
        if not 0 <= r < RANKS or not 0 < n <= unseen_in(p.hand) or n > count(self.round.pool, r):
            return False
        p.hand += cards_of(r, n) - unseen_cards(n)
        self.round.pool -= cards_of(r, n)
        return True

    def try_opener(self, seat):
        """Say who opens the round, which the hands that are seen do not show. False unless an opening is next."""
        self._seat(seat)
        if self.round.phase != P_OPENING:
            return False
        self.round.mover = seat
        return True

    # moving on by chance

    def draw(self, Rng rng not None):
        """The rank of the pending card, drawn by its probability but not applied; ValueError where none is pending."""
        self._only_if_all_is_seen()
        if mover_of(&self.round) != -1:
            raise ValueError("No card is to be drawn.")
        return draw_rank(self.round.pool, &rng.state)

    def deal(self, Rng rng not None):
        """Draw every pending chance event; ValueError if a hand holds unseen cards, as in `playout`."""
        self._only_if_all_is_seen()
        deal(self.rules, &self.round, &rng.state)

    def playout(self, Rng rng not None):
        """Play to the end, each legal action equally likely; returns how many player actions that took."""
        self._only_if_all_is_seen()
        return playout(self.rules, &self.round, &rng.state)

    cdef int _only_if_all_is_seen(self) except -1:
        for seat in range(self.round.players):
            if unseen_in(self.round.seat[seat].hand):
                raise ValueError("Hands hold unseen cards: nothing can be drawn.")
        return 0

    # identity

    def key(self):
        """The round as bytes: equal exactly for rounds that are equal, under the same rules."""
        return (<const char*>&self.round)[:round_size(self.round.players)]

    def copy(self):
        """An independent round, equal to this one."""
        cdef RoundState other = type(self).__new__(type(self))
        other.ruleset = self.ruleset
        other.rules = self.rules
        other.round = self.round
        return other

    def __eq__(self, other):
        if not isinstance(other, RoundState):
            return NotImplemented
        cdef RoundState that = other
        return (memcmp(self.rules, that.rules, sizeof(Rules)) == 0
                and memcmp(&self.round, &that.round, round_size(self.round.players)) == 0)

    __hash__ = None

    def __reduce__(self):
        return _round_state, (type(self), self.ruleset, self.key()), getattr(self, "__dict__", None)


def _round_state(cls, Ruleset ruleset not None, bytes key not None):
    cdef RoundState state = cls.__new__(cls)
    state.ruleset = ruleset
    state.rules = &ruleset.rules
    memset(&state.round, 0, sizeof(Round))
    if <size_t>len(key) != round_size(ruleset.rules.players):
        raise ValueError("Not a round of these rules.")
    memcpy(&state.round, <const char*>key, len(key))
    if not sound(state.rules, &state.round):
        raise ValueError("Not a round of these rules.")
    return state


def playouts(Ruleset ruleset not None, rounds, Rng rng not None):
    """Play whole rounds at random, from the deal to the end; returns the player actions of all of them."""
    cdef Round s
    cdef long long plies = 0
    cdef long i, n = rounds
    with nogil:
        for i in range(n):
            new_round(&ruleset.rules, &s, NOBODY, NOBODY)
            plies += playout(&ruleset.rules, &s, &rng.state)
    return plies
