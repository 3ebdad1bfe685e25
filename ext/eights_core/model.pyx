"""A learned player of 8½: a policy for short playouts and a value of the state for every seat.

Both look at a determinized state, and compute in integers, so that they say the same on every machine.

The *value* of a seat comes from a net of one hidden layer of clipped rectified units. Its inputs are bits, so that a
unit's sum is a sum of the rows of the bits that are set. Seats are taken from the one that is valued: L plays after it,
R before it (with two players the other one is L, and R is left out). `>=n` is a bit for "at least n"; there are such
bits for every n of a list.

====  =======================================================================================================
word  bits
====  =======================================================================================================
0     own hand: each rank >=1, >=2, >=3, >=5; own Open Cards: each rank >=1; at the table; to act
1     L's hand: each rank >=1, >=2; L's Open Cards: each rank >=1; R's hand >=1; R's Open Cards >=1
2     own Open Cards: each rank >=2; L's hand: each rank >=3; own Bank, Blind Cards, aside, hand size
3     L's Bank, Blind Cards, aside, hand size, at the table; the same of R
4     the pile's level (28 bits) if the seat is to act; the same if L is
5     the pile's level if another is to act; number of players; options; pile size if the seat acts, if L does
6     own count less the lowest other's; fewest cards left of another; plies left; who has to take how much
====  =======================================================================================================

The *policy* gives every legal play a number, the sum of the weights of what is true of it, and plays it with a
probability in proportion to the exponential. It uses what the mover sees: of the next player's hand, only what is
public.

====  ============================================================================  ===========================
from  what                                                                          weights
====  ============================================================================  ===========================
0     rank (13: 8 and Half together too) by place (4)                               52
52    kind (number, zero, Half, Ghost, 8 and Half) by how many of the copies        20
72    catches, by size of the pile                                                  4
76    the level it leaves by what the next player plays from                        112
188   a felony that can be caught: the next player's cards are hidden, public and   12
      without the policeman, public with it; by size of the pile
200   the next player, whose cards are public, will have to take; by size           4
204   own cards left in the place by kind                                           30
234   order among the numbers that may be played, by place                          12
246   goes out                                                                      1
====  ============================================================================  ===========================

Places are: a hand with a Bank, a hand without, a hand at the table, Open Cards. Sizes of the pile before the play: up to
3, 8, 16, more. Of several Halves that add up the first counts.
"""

from libc.stdint cimport int64_t, uint16_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from eights_core.belief cimport outcome
from eights_core.cards cimport CHECK, GHOST, RANKS, Cards, count, total
from eights_core.halves cimport (
    A_EIGHT_HALF, EIGHT_AND_A_HALF, FIVE_DEMANDED, LEVELS, MAX_LEGAL, MAX_PLAYERS, NOBODY, P_EXCHANGE, P_OPENING,
    P_OVER, P_PLAY, RoundState, Ruleset, Seat, apply, choices, deal, flip_or_take, holding, left_of, legal_actions,
    new_round, opening_choices, play, right_of, sixtieths,
)
from eights_core.game cimport ONE_PRIOR
from eights_core.rng cimport Rng, rng_below

cdef enum:
    EXP_STEP = 4278222805   # exp(-1 / 256) in units of 2**-32


# ---- inputs of the value


cdef inline uint64_t pack(uint64_t bits) noexcept nogil:
    """The lowest bits of 12 nibbles as 12 bits side by side."""
    bits &= <uint64_t>0x111111111111
    bits = (bits | bits >> 3) & <uint64_t>0x030303030303
    bits = (bits | bits >> 6) & <uint64_t>0x000F000F000F
    return (bits & 0xF) | (bits >> 12 & 0xF0) | (bits >> 24 & 0xF00)


cdef inline uint64_t at_least_1(Cards c) noexcept nogil:
    return pack(c | c >> 1 | c >> 2 | c >> 3)


cdef inline uint64_t at_least_2(Cards c) noexcept nogil:
    return pack(c >> 1 | c >> 2 | c >> 3)


cdef inline uint64_t at_least_3(Cards c) noexcept nogil:
    return pack(c >> 2 | c >> 3 | (c & c >> 1))


cdef inline uint64_t at_least_5(Cards c) noexcept nogil:
    return pack(c >> 3 | (c >> 2 & (c | c >> 1)))


cdef inline uint64_t bank_bits(int n) noexcept nogil:           # >= 1 2 4 6 8 10 13 16 20 25
    return ((n >= 1) | (n >= 2) << 1 | (n >= 4) << 2 | (n >= 6) << 3 | (n >= 8) << 4 | (n >= 10) << 5
            | (n >= 13) << 6 | (n >= 16) << 7 | (n >= 20) << 8 | (n >= 25) << 9)


cdef inline uint64_t blind_bits(int n) noexcept nogil:          # >= 1 2 3
    return (n >= 1) | (n >= 2) << 1 | (n >= 3) << 2


cdef inline uint64_t aside_bits(int n) noexcept nogil:          # >= 1 3 6 10 15 20 30
    return ((n >= 1) | (n >= 3) << 1 | (n >= 6) << 2 | (n >= 10) << 3 | (n >= 15) << 4 | (n >= 20) << 5
            | (n >= 30) << 6)


cdef inline uint64_t size_bits(int n) noexcept nogil:           # >= 1 2 4 6 9 14 22
    return ((n >= 1) | (n >= 2) << 1 | (n >= 4) << 2 | (n >= 6) << 3 | (n >= 9) << 4 | (n >= 14) << 5
            | (n >= 22) << 6)


cdef inline uint64_t pile_bits(int n) noexcept nogil:           # >= 1 3 6 10 16 24
    return (n >= 1) | (n >= 3) << 1 | (n >= 6) << 2 | (n >= 10) << 3 | (n >= 16) << 4 | (n >= 24) << 5


cdef inline uint64_t lead_bits(int n) noexcept nogil:
    """16 bits for the own count less the lowest of the others."""
    return ((n >= -16) | (n >= -11) << 1 | (n >= -7) << 2 | (n >= -5) << 3 | (n >= -3) << 4 | (n >= -2) << 5
            | (n >= -1) << 6 | (n >= 0) << 7 | (n >= 1) << 8 | (n >= 2) << 9 | (n >= 3) << 10 | (n >= 5) << 11
            | (n >= 7) << 12 | (n >= 11) << 13 | (n >= 16) << 14 | (n >= 24) << 15)


cdef inline uint64_t left_bits(int n) noexcept nogil:           # >= 1 2 3 4 5 6 8 10 13 17
    return ((n >= 1) | (n >= 2) << 1 | (n >= 3) << 2 | (n >= 4) << 3 | (n >= 5) << 4 | (n >= 6) << 5
            | (n >= 8) << 6 | (n >= 10) << 7 | (n >= 13) << 8 | (n >= 17) << 9)


cdef void look_at(const Rules* R, const Round* s, Scene* scene) noexcept nogil:
    """What the inputs of all seats are put together from."""
    cdef const Seat* p
    cdef Look* look
    cdef int seat, n
    cdef bint eight_half = False
    for seat in range(s.players):
        p = &s.seat[seat]
        look = &scene.look[seat]
        look.hand_1 = at_least_1(p.hand)
        look.hand_2 = at_least_2(p.hand)
        look.hand_3 = at_least_3(p.hand)
        look.hand_5 = at_least_5(p.hand)
        look.open_1 = at_least_1(p.open)
        look.open_2 = at_least_2(p.open)
        look.bank = bank_bits(p.bank)
        look.blind = blind_bits(p.blind)
        look.aside = aside_bits(total(p.aside))
        look.size = size_bits(total(p.hand))
        look.other = (look.bank | look.blind << 10 | look.aside << 13 | look.size << 20
                      | <uint64_t>p.at_table << 27)
        look.holding = holding(s, seat)
        look.left = look.holding - total(p.aside)
    scene.level = <uint64_t>1 << s.level
    scene.options = (
        <uint64_t>1 << (28 + s.players - 2)
        | <uint64_t>(R.next_level[FIVE_DEMANDED][GHOST] == FIVE_DEMANDED) << 33 | <uint64_t>R.sealed << 34
        | <uint64_t>R.halves_add_up << 35 | <uint64_t>R.policeman_starts_pile << 36
        | <uint64_t>R.open_sets << 37 | <uint64_t>R.scoring << 38
    )
    scene.pile = pile_bits(total(s.pile))
    scene.stuck = scene.can_catch = 0
    p = &s.seat[s.mover]
    if s.phase == P_PLAY and (p.hand | p.open):
        if choices(R, s, &eight_half) == 0 and not eight_half:
            scene.stuck = scene.pile
        if R.policeman[s.level] < RANKS and count(p.hand if p.hand else p.open, R.policeman[s.level]):
            scene.can_catch = scene.pile
    n = R.max_plies - s.plies
    scene.plies_left = (n >= 10) | (n >= 40) << 1 | (n >= 150) << 2 | (n >= 500) << 3


cdef void inputs_of(const Rules* R, const Round* s, const Scene* scene, int seat, uint64_t* words) noexcept nogil:
    """The inputs of one seat; see the head of this file."""
    cdef int after = left_of(s, seat), other, fewest = 1000, nearest = 1000
    cdef const Look* p = &scene.look[seat]
    cdef const Look* q = &scene.look[after]
    cdef const Look* r
    cdef bint acts = s.mover == seat, next_acts = s.mover == after
    words[0] = (p.hand_1 | p.hand_2 << 12 | p.hand_3 << 24 | p.hand_5 << 36 | p.open_1 << 48
                | <uint64_t>s.seat[seat].at_table << 60 | <uint64_t>acts << 61)
    words[1] = q.hand_1 | q.hand_2 << 12 | q.open_1 << 24
    words[2] = (p.open_2 | q.hand_3 << 12 | p.bank << 24 | p.blind << 34 | p.aside << 37 | p.size << 44)
    words[3] = q.other
    if s.players > 2:
        r = &scene.look[right_of(s, seat)]
        words[1] |= r.hand_1 << 36 | r.open_1 << 48
        words[3] |= r.other << 28
    for other in range(s.players):
        if other != seat:
            fewest = min(fewest, scene.look[other].holding)
            nearest = min(nearest, scene.look[other].left)
    words[4] = 0
    words[5] = scene.options | <uint64_t>(R.scoring and s.seat[seat].aside == 0) << 39
    words[6] = lead_bits(p.holding - fewest) | left_bits(nearest) << 16 | scene.plies_left << 26
    if acts:
        words[4] = scene.level
        words[5] |= scene.pile << 40
        words[6] |= scene.stuck << 30 | scene.can_catch << 42
    elif next_acts:
        words[4] = scene.level << 28
        words[5] |= scene.pile << 46
        words[6] |= scene.stuck << 36 | scene.can_catch << 48
    else:
        words[5] |= scene.level


# ---- the value


cdef void value_of_seat(const Weights* W, const uint64_t* words, double* outputs) noexcept nogil:
    """Points, and the chance to win, of the seat whose inputs these are."""
    cdef int32_t products[OUTPUTS]
    cdef int out
    W.net(W.hidden, W.hidden_bias, W.output, MOST_ACTIVE, words, WORDS, products)
    for out in range(OUTPUTS):
        outputs[out] = (products[out] + W.output_bias[out]) * (1.0 / (ONE * ONE_OUT))


cdef void value_of_state(const Weights* W, const Rules* R, const Round* s, double* utilities, double* wins) noexcept nogil:
    """Of every seat the points expected, within what a round can give, and the chance to win."""
    cdef uint64_t words[WORDS]
    cdef double outputs[OUTPUTS]
    cdef Scene scene
    cdef int seat
    look_at(R, s, &scene)
    for seat in range(s.players):
        inputs_of(R, s, &scene, seat, words)
        value_of_seat(W, words, outputs)
        utilities[seat] = min(max(outputs[0], 0.0), 3.0)
        wins[seat] = min(max(outputs[1], 0.0), 1.0)


# ---- the policy


cdef inline int pile_size(int n) noexcept nogil:
    return (n > 3) + (n > 8) + (n > 16)


cdef inline int kind_of(int rank) noexcept nogil:
    if rank == 0:
        return 1
    return 0 if rank <= 9 else rank - 8         # 2 Half, 3 Ghost, 4 both at once


cdef inline int cards_left(int n) noexcept nogil:
    return n if n < 4 else 4 if n < 7 else 5


cdef struct Turn:               # what is the same for all plays of a turn
    Cards source
    int place, size
    int pile                    # class of its size
    int next_place
    Cards next_cards            # public cards that the next player will play from, if next_place is not 0
    bint may_go_out


cdef inline void look_at_turn(const Rules* R, const Round* s, Turn* t) noexcept nogil:
    cdef const Seat* p = &s.seat[s.mover]
    cdef const Seat* q = &s.seat[left_of(s, s.mover)]
    t.source = p.hand if p.hand else p.open
    t.place = 3 if p.hand == 0 else 2 if p.at_table else 1 if p.bank == 0 else 0
    t.size = total(t.source)
    t.pile = pile_size(total(s.pile))
    t.may_go_out = p.bank == 0 and p.blind == 0 and (p.hand == 0 or p.open == 0)
    t.next_cards = 0
    if q.hand and not q.at_table:
        t.next_place = 0
    elif q.hand:
        t.next_place = 1
        t.next_cards = q.hand
    elif q.open:
        t.next_place = 2
        t.next_cards = q.open
    else:
        t.next_place = 3


cdef inline int rank_features(const Rules* R, const Round* s, const Turn* t, int rank, int order, int* which) noexcept nogil:
    """The weights that any number of copies of a rank adds; returns how many (at most 5)."""
    cdef int n = 1, level, policeman
    which[0] = 4 * rank + t.place
    if rank < RANKS and rank == R.policeman[s.level]:
        which[n] = 72 + t.pile
        n += 1
    else:
        level = EIGHT_AND_A_HALF if rank == RANKS else R.next_level[s.level][rank]
        which[n] = 76 + LEVELS * t.next_place + level
        n += 1
        policeman = R.policeman[level]
        if policeman < RANKS:
            which[n] = 188 + t.pile + (0 if t.next_cards == 0 else 8 if count(t.next_cards, policeman) else 4)
            n += 1
        if t.next_cards and (t.next_cards & R.legal[level]) == 0:
            which[n] = 200 + t.pile
            n += 1
    if 0 < rank <= 9:
        which[n] = 234 + 3 * t.place + min(order, 2)
        n += 1
    return n


cdef inline int copies_features(const Turn* t, int rank, int copies, int held, int* which) noexcept nogil:
    """The weights that the number of copies adds; returns how many (at most 3)."""
    cdef int kind = kind_of(rank), left = t.size - (2 if rank == RANKS else copies)
    which[0] = 52 + 4 * kind + (0 if held == 1 else 1 if copies == 1 else 2 if copies == held else 3)
    which[1] = 204 + 6 * kind + cards_left(left)
    if left == 0 and t.may_go_out:
        which[2] = 246
        return 3
    return 2


cdef void plays_of(const Weights* W, const Rules* R, const Round* s, Plays* plays) noexcept nogil:
    """The plays that are legal in P_PLAY or P_OPENING, with their logits; there may be none."""
    cdef bint eight_half = False
    cdef uint64_t options
    cdef Turn turn
    cdef int which[8]
    cdef int rank, copies, most, held, order = 0, i
    cdef int32_t base, logit
    plays.n = 0
    options = opening_choices(s) if s.phase == P_OPENING else choices(R, s, &eight_half)
    if options == 0 and not eight_half:
        return
    look_at_turn(R, s, &turn)
    for rank in range(RANKS + 1):
        most = count(options, rank) if rank < RANKS else <int>eight_half
        if most == 0:
            continue
        held = count(turn.source, rank) if rank < RANKS else 1
        base = 0
        for i in range(rank_features(R, s, &turn, rank, order, which)):
            base += W.policy[which[i]]
        for copies in range(1, most + 1):
            logit = base
            for i in range(copies_features(&turn, rank, copies, held, which)):
                logit += W.policy[which[i]]
            plays.rank[plays.n] = rank
            plays.copies[plays.n] = copies
            plays.logit[plays.n] = logit
            plays.n += 1
        order += 0 < rank <= 9


cdef inline uint32_t weigh(const Weights* W, const Plays* plays, uint32_t* weight) noexcept nogil:
    """What the probabilities of the plays are in proportion to; returns the sum of it."""
    cdef uint32_t sum = 0
    cdef int32_t most = plays.logit[0], below
    cdef int i
    for i in range(1, plays.n):
        most = max(most, plays.logit[i])
    for i in range(plays.n):
        below = most - plays.logit[i]
        weight[i] = W.exp[min(below, EXP_STEPS - 1)]
        sum += weight[i]
    return sum


cdef int choose(const Weights* W, const Plays* plays, RngState* g) noexcept nogil:
    """One of the plays by its probability."""
    cdef uint32_t weight[MOST_PLAYS]
    cdef uint32_t sum = rng_below(g, weigh(W, plays, weight))
    cdef int i = 0
    for i in range(plays.n):
        if sum < weight[i]:
            break
        sum -= weight[i]
    return i


cdef void policy_turn(const Weights* W, const Rules* R, Round* s, RngState* g) noexcept nogil:
    """One action by the policy, with all its draws; a swap is chosen at random."""
    cdef Plays plays
    cdef int16_t actions[MAX_LEGAL]
    cdef int i
    if s.phase == P_EXCHANGE:
        apply(R, s, actions[rng_below(g, legal_actions(R, s, actions))])
        return
    plays_of(W, R, s, &plays)
    if plays.n:
        i = choose(W, &plays, g) if plays.n > 1 else 0
        play(R, s, plays.rank[i], plays.copies[i], g)
        return
    flip_or_take(R, s, g)


cdef bint model_rollout(const void* data, const void* rules, void* state, RngState* g, double* utilities,
                        double* wins) noexcept nogil:
    """A few plies by the policy, then the value; the outcome itself where the round ends before."""
    cdef const ModelData* model = <const ModelData*>data
    cdef const Rules* R = <const Rules*>rules
    cdef Round* s = <Round*>state
    cdef int ply
    for ply in range(model.plies):
        if s.phase == P_OVER:
            break
        policy_turn(&model.weights, R, s, g)
    if s.phase == P_OVER:
        outcome(R, s, utilities, wins)
        return True
    value_of_state(&model.weights, R, s, utilities, wins)
    return False


cdef void model_prior(const void* data, const void* rules, const void* state, int n, uint16_t* shares) noexcept nogil:
    """The policy's probabilities; the same for all actions where they are no plays."""
    cdef const Weights* W = &(<const ModelData*>data).weights
    cdef const Round* s = <const Round*>state
    cdef Plays plays
    cdef uint32_t weight[MOST_PLAYS]
    cdef uint32_t sum
    cdef int i
    plays.n = 0
    if s.phase != P_EXCHANGE and n > 1:
        plays_of(W, <const Rules*>rules, s, &plays)
    if plays.n == 0:
        for i in range(n):
            shares[i] = <uint16_t>(ONE_PRIOR // n)
        return
    CHECK(plays.n == n)
    sum = weigh(W, &plays, weight)
    for i in range(n):      # plays come in the order of their actions
        shares[i] = <uint16_t>(<uint64_t>weight[i] * ONE_PRIOR // sum)


# ---- as Python holds it


cdef class Model(Evaluator):
    """A policy and a value: weights as arrays of integers, see the head of this file.

    `hidden` is int16 [INPUTS, HIDDEN] and `hidden_bias` int16 [HIDDEN] in units of 1/256, `output` int16
    [OUTPUTS, HIDDEN] in units of 1/1024, `output_bias` int32 [OUTPUTS] in units of 1/262144, `policy` int16 [POLICY] in
    units of 1/256. `plies` of the policy come before the value in a rollout. ValueError for other shapes, and for
    weights that could overflow.
    """

    def __init__(self, *, const int16_t[:, ::1] hidden not None, const int16_t[::1] hidden_bias not None,
                 const int16_t[:, ::1] output not None, const int32_t[::1] output_bias not None,
                 const int16_t[::1] policy not None, plies, exploration):
        cdef Weights* W = &self.model.weights
        cdef Net[MOST_NETS] nets
        cdef uint64_t fraction = <uint64_t>1 << 40
        cdef int i, out, row
        cdef int64_t reach, least, most
        shapes = (tuple(hidden.shape)[:2], hidden_bias.shape[0], tuple(output.shape)[:2], output_bias.shape[0],
                  policy.shape[0])
        if shapes != ((INPUTS, HIDDEN), HIDDEN, (OUTPUTS, HIDDEN), OUTPUTS, POLICY):
            raise ValueError(f"A model has arrays of other shapes than {shapes}.")
        if not 0 <= plies <= 1000:
            raise ValueError(f"A rollout plays 0 to 1000 plies, not {plies}.")
        if not 0 < exploration <= 10:
            raise ValueError(f"The exploration is more than 0 and at most 10, not {exploration}.")
        for i in range(HIDDEN):
            least = most = hidden_bias[i]
            for row in range(INPUTS):
                least += min(<int64_t>hidden[row, i], 0)
                most += max(<int64_t>hidden[row, i], 0)
            if least < -32768 or most > 32767:
                raise ValueError(f"The weights of hidden unit {i} are too large.")
        for out in range(OUTPUTS):
            reach = abs(<int64_t>output_bias[out])
            for i in range(HIDDEN):
                reach += abs(<int64_t>output[out, i]) * MOST_ACTIVE
            if reach >= <int64_t>1 << 31:
                raise ValueError(f"The weights of output {out} are too large.")
        memset(W, 0, sizeof(Weights))
        all_nets(nets)
        W.net = nets[0]
        memcpy(W.hidden, &hidden[0, 0], sizeof(W.hidden))
        memcpy(W.hidden_bias, &hidden_bias[0], sizeof(W.hidden_bias))
        memcpy(W.output, &output[0, 0], sizeof(W.output))
        memcpy(W.output_bias, &output_bias[0], sizeof(W.output_bias))
        memcpy(W.policy, &policy[0], sizeof(W.policy))
        for i in range(EXP_STEPS):      # by multiplication alone, so that every machine has the same
            W.exp[i] = <uint32_t>(fraction >> 20)
            fraction = (fraction >> 16) * <uint64_t>EXP_STEP >> 16
        self.model.plies = plies
        self.rollout = model_rollout
        self.prior = model_prior
        self.data = &self.model
        self.exploration = exploration

    def evaluate(self, RoundState state not None):
        """(points, chances to win) of every seat by the value alone."""
        cdef double utilities[MAX_PLAYERS]
        cdef double wins[MAX_PLAYERS]
        value_of_state(&self.model.weights, state.rules, &state.round, utilities, wins)
        players = state.round.players
        return [utilities[seat] for seat in range(players)], [wins[seat] for seat in range(players)]

    def choose(self, RoundState state not None, Rng rng not None):
        """An action drawn by the policy; the only one where there is no choice of plays. ValueError at no turn."""
        cdef Plays found
        cdef int i
        if state.round.phase == P_PLAY or state.round.phase == P_OPENING:
            plays_of(&self.model.weights, state.rules, &state.round, &found)
            if found.n:
                i = choose(&self.model.weights, &found, &rng.state)
                if found.rank[i] == RANKS:
                    return A_EIGHT_HALF
                return state.rules.first[found.rank[i]] + found.copies[i] - 1
            return state.legal_actions()[0]
        raise ValueError("The policy chooses what to play, and here is nothing to be played.")

    def products(self, bytes words not None):
        """What the net's outputs are before the bias, for inputs as of `inputs`: once for each way to compute it here."""
        cdef int32_t products[OUTPUTS]
        cdef const Weights* W = &self.model.weights
        cdef Net[MOST_NETS] nets
        cdef int i
        if len(words) != WORDS * sizeof(uint64_t):
            raise ValueError(f"The inputs are {WORDS} words of 64 bits.")
        result = []
        for i in range(all_nets(nets)):
            nets[i](W.hidden, W.hidden_bias, W.output, MOST_ACTIVE, <const uint64_t*><const char*>words, WORDS, products)
            result.append([products[0], products[1]])
        return result

    def shares(self, RoundState state not None):
        """The policy's probability of each legal action of a decision, in their order, to 1 / 65535: the search's prior."""
        cdef uint16_t shares[MAX_LEGAL]
        cdef int i
        legal = state.legal_actions()
        if not 0 < len(legal) <= MAX_LEGAL or state.round.phase not in (P_EXCHANGE, P_OPENING, P_PLAY):
            raise ValueError("The policy is asked where a player is to act.")
        model_prior(&self.model, state.rules, &state.round, len(legal), shares)
        return [shares[i] / <double>ONE_PRIOR for i in range(len(legal))]

    @property
    def plies(self):
        """Plies of the policy in a rollout."""
        return self.model.plies


def inputs(RoundState state not None, seat):
    """The inputs of a seat's value as bytes: WORDS little-endian words of 64 bits."""
    cdef uint64_t words[WORDS]
    cdef Scene scene
    state._seat(seat)
    look_at(state.rules, &state.round, &scene)
    inputs_of(state.rules, &state.round, &scene, seat, words)
    return (<const char*>words)[:sizeof(words)]


def plays(RoundState state not None):
    """Of every legal play (action, indices of the policy's weights that make up its logit)."""
    cdef Turn turn
    cdef int which[16]
    cdef int rank, copies, n, more, order = 0
    cdef bint eight_half = False
    cdef const Rules* R = state.rules
    cdef const Round* s = &state.round
    cdef uint64_t options
    if s.phase != P_PLAY and s.phase != P_OPENING:
        return []
    options = opening_choices(s) if s.phase == P_OPENING else choices(R, s, &eight_half)
    look_at_turn(R, s, &turn)
    result = []
    for rank in range(RANKS + 1):
        held = count(turn.source, rank) if rank < RANKS else 1
        for copies in range(1, (count(options, rank) if rank < RANKS else int(eight_half)) + 1):
            n = rank_features(R, s, &turn, rank, order, which)
            more = copies_features(&turn, rank, copies, held, which + n)
            action = A_EIGHT_HALF if rank == RANKS else R.first[rank] + copies - 1
            result.append((action, [which[k] for k in range(n + more)]))
        if rank < RANKS and 0 < rank <= 9 and count(options, rank):
            order += 1
    return result


def self_play(Ruleset ruleset not None, Model model, rounds, every, Rng rng not None, *, samples):
    """Play rounds by the policy (at random without a model) and keep what is to be learnt by the value.

    About one state of `every` is kept, with every seat as its subject. Returns how many samples there are, at most
    `samples`, as (inputs, targets): bytes of WORDS words each, and of two float32 each, the points got and 1 for a win.
    """
    cdef const Rules* R = &ruleset.rules
    cdef Weights* W = NULL
    cdef Round s
    cdef Scene scene
    cdef uint64_t* words
    cdef float* targets
    cdef int points[MAX_PLAYERS]
    cdef long n = 0, first, most = samples, i, k, number = rounds
    cdef int seat, one_in = every
    if most < 1 or one_in < 1:
        raise ValueError("Samples are kept of one state in 1 or more, and at least one of them.")
    if model is not None:
        W = &model.model.weights
    words = <uint64_t*>malloc(most * WORDS * sizeof(uint64_t))
    targets = <float*>malloc(most * 2 * sizeof(float))
    try:
        if words == NULL or targets == NULL:
            raise MemoryError
        with nogil:
            for i in range(number):
                if n + R.players > most:
                    break
                first = n
                new_round(R, &s, NOBODY, NOBODY)
                deal(R, &s, &rng.state)
                while s.phase != P_OVER:
                    if rng_below(&rng.state, one_in) == 0 and n + R.players <= most:
                        look_at(R, &s, &scene)
                        for seat in range(R.players):
                            inputs_of(R, &s, &scene, seat, words + n * WORDS)
                            n += 1
                    if W != NULL:
                        policy_turn(W, R, &s, &rng.state)
                    else:
                        random_action(R, &s, &rng.state)
                sixtieths(R, &s, points)
                for k in range(first, n):
                    seat = (k - first) % R.players
                    targets[2 * k] = points[seat] / <float>60
                    targets[2 * k + 1] = seat == s.winner
        return (<const char*>words)[:n * WORDS * sizeof(uint64_t)], (<const char*>targets)[:n * 2 * sizeof(float)]
    finally:
        free(words)
        free(targets)


cdef void random_action(const Rules* R, Round* s, RngState* g) noexcept nogil:
    cdef int16_t actions[MAX_LEGAL]
    apply(R, s, actions[rng_below(g, legal_actions(R, s, actions))])
    deal(R, s, g)
