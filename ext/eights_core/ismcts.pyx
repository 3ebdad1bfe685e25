"""The search: SO-ISMCTS with max^n backup.

A node stands for everything that the observer, the seat to act at the root, has seen happen since the root: the actions
of all seats, and of the outcomes of chance those that he sees, the cards that come into his own hand and every public
one. What others draw is in no node; it is drawn anew in every iteration, together with all that is hidden, so that a
node's statistics are averages over exactly the worlds that he cannot tell apart there.

An iteration draws a world, goes down the tree over the actions that are legal in that world, adds one action, asks the
evaluator what may be expected and gives to every edge on its way the utility of the seat that acted there (max^n). It
chooses by UCB, after every action has been tried; or where the evaluator has a prior by PUCT (Silver et al. 2017), and
tries another action, the likeliest, only when the node has been passed often enough: after k actions at (k / WIDTH)**2
passes (progressive widening, Coulom 2007). As the legal actions of a node differ from world to world, what
counts in both is how often an action was available since it was first tried, not the node's visits. An action keeps the
prior of the world in which it was first tried, which says less of hidden hands that differ from world to world.
"""

from libc.math cimport INFINITY, sqrt
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

from eights_core.cards cimport CHECK
from eights_core.game cimport ONE_PRIOR, TERMINAL
from eights_core.rng cimport Rng, rng_below, rng_seed


cdef extern from *:
    """
    #include <time.h>
    static double eights_now(void) {
        struct timespec t;
    #ifdef _WIN32
        timespec_get(&t, TIME_UTC);
    #else
        clock_gettime(CLOCK_MONOTONIC, &t);
    #endif
        return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    }
    """
    double now "eights_now"() noexcept nogil

VERSION = 2
"""Changes when the same question is searched otherwise than before, but for evaluators without a prior."""

cdef int[SIZES] BLOCK = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256]

cdef enum:
    LOOK_AT_CLOCK = 8      # iterations between two looks

cdef double WIDTH = 1.0     # by matches: 0.4 and 0.5 were worse, 0.7 no better

cdef union Bits:
    double x
    uint64_t bits


cdef double log_of(uint32_t n) noexcept nogil:
    """The natural logarithm of n >= 1, the same on every machine, as libm's need not be; error below 1e-10.

    n = m * 2**e with m near 1, and log m by the series of artanh.
    """
    cdef Bits b
    cdef int e
    cdef double t, t2
    b.x = n
    e = <int>(b.bits >> 52) - 1023
    b.bits = (b.bits & <uint64_t>0x000FFFFFFFFFFFFF) | (<uint64_t>1023 << 52)
    if b.x > 1.4142135623730951:
        b.x *= 0.5
        e += 1
    t = (b.x - 1.0) / (b.x + 1.0)
    t2 = t * t
    return e * 0.6931471805599453 + 2.0 * t * (
        1.0 + t2 * (1.0 / 3 + t2 * (1.0 / 5 + t2 * (1.0 / 7 + t2 * (1.0 / 9 + t2 * (1.0 / 11))))))


# ---- the tree's memory


cdef bint grow(Tree* t, void** block, uint32_t* room, size_t size, uint32_t wanted, size_t other_bytes) noexcept nogil:
    """Make room for `wanted` items within the bound on memory; False, and nothing changed, if there is none."""
    cdef size_t most = (t.most_bytes - other_bytes) // size if t.most_bytes > other_bytes else 0
    cdef size_t larger = min(max(<size_t>room[0] * 2, <size_t>1024), most, <size_t>0xFFFFFFF0)
    cdef void* moved
    if larger < wanted:
        return False
    moved = realloc(block[0], larger * size)
    if moved == NULL:
        return False
    block[0] = moved
    room[0] = <uint32_t>larger
    return True


cdef uint32_t new_block(Tree* t, int size) noexcept nogil:
    """The index of a free block of edges of that size class; NO_EDGE where memory is used up."""
    cdef uint32_t at = t.free_block[size]
    if at != NO_EDGE:
        t.free_block[size] = t.edge[at].child
        return at
    if t.edges + BLOCK[size] > t.edge_room and not grow(
        t, <void**>&t.edge, &t.edge_room, sizeof(Edge), t.edges + BLOCK[size], t.node_room * sizeof(Node)
    ):
        return NO_EDGE
    at = t.edges
    t.edges += BLOCK[size]
    return at


cdef uint32_t new_node(Tree* t, uint8_t seen) noexcept nogil:
    """A node without edges; NO_NODE where memory is used up."""
    cdef Node* node
    if t.nodes == t.node_room and not grow(
        t, <void**>&t.node, &t.node_room, sizeof(Node), t.nodes + 1, t.edge_room * sizeof(Edge)
    ):
        return NO_NODE
    node = &t.node[t.nodes]
    memset(node, 0, sizeof(Node))
    node.seen = seen
    t.nodes += 1
    return t.nodes - 1


cdef uint32_t new_edge(Tree* t, uint32_t node, int action) noexcept nogil:
    """One more edge of a node, whose block moves when it is full; NO_EDGE where memory is used up."""
    cdef Node* parent = &t.node[node]
    cdef uint32_t block = parent.edges
    cdef int size = parent.size
    cdef Edge* edge
    if parent.edges == NO_EDGE or parent.filled == BLOCK[size]:
        size += parent.edges != NO_EDGE
        CHECK(size < SIZES and parent.filled < 255)
        block = new_block(t, size)
        if block == NO_EDGE:
            return NO_EDGE
        if parent.edges != NO_EDGE:
            memcpy(&t.edge[block], &t.edge[parent.edges], parent.filled * sizeof(Edge))
            t.edge[parent.edges].child = t.free_block[parent.size]
            t.free_block[parent.size] = parent.edges
        parent.edges = block
        parent.size = <uint8_t>size
    block += parent.filled
    parent.filled += 1
    edge = &t.edge[block]
    memset(edge, 0, sizeof(Edge))
    edge.action = <uint8_t>action
    return block


cdef inline uint32_t find(const Tree* t, uint32_t first, uint8_t seen) noexcept nogil:
    """The node of an outcome in a list of siblings."""
    while first != NO_NODE and t.node[first].seen != seen:
        first = t.node[first].sibling
    return first


cdef uint32_t follow(Tree* t, uint32_t edge, const uint8_t* seen, int n, bint add) noexcept nogil:
    """The node after an edge and the outcomes seen, added where it is missing; NO_NODE if it is not there.

    Each outcome is a level of its own: a node that only leads on has the list of its followers in `edges`, as it has no
    action.
    """
    cdef uint32_t at, first = t.edge[edge].child
    cdef uint32_t before = NO_NODE
    cdef int i
    cdef uint8_t outcome
    for i in range(max(n, 1)):
        outcome = seen[i] if n else 0
        CHECK(before == NO_NODE or t.node[before].actor == 0)
        at = find(t, first, outcome)
        if at == NO_NODE:
            if not add:
                return NO_NODE
            at = new_node(t, outcome)
            if at == NO_NODE:
                return NO_NODE
            t.node[at].sibling = first
            if before == NO_NODE:
                t.edge[edge].child = at
            else:
                t.node[before].edges = at
        before = at
        first = t.node[at].edges
    return before


# ---- one iteration


cdef class Search:
    """A search tree over a problem: grows while it is run, and says what it holds.

    `memory` bounds the tree in bytes: a full tree goes on learning, but no longer grows. At the root only `actions` are
    tried, by default all that are legal. One thread at a time may run it.
    """

    def __cinit__(self):
        memset(&self.tree, 0, sizeof(Tree))
        self.state = NULL

    def __dealloc__(self):
        free(self.tree.edge)
        free(self.tree.node)
        free(self.state)

    def __init__(self, Problem problem not None, Evaluator evaluator not None, *, seed, memory, actions=None):
        if self.state != NULL:
            raise TypeError("A search is made once.")
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"A seed is a whole number from 0 to 2**64 - 1, not {seed}.")
        if memory < 1 << 16:
            raise ValueError(f"A search needs at least 65536 bytes, not {memory}.")
        if problem.game.determinize == NULL or evaluator.rollout == NULL:
            raise ValueError("The problem or the evaluator has not been made.")
        cdef int action
        self.restricted = actions is not None
        memset(self.allowed, 0, sizeof(self.allowed))
        for action in actions if self.restricted else ():
            if not 0 <= action < MOST_ACTIONS:
                raise ValueError(f"Actions are numbers from 0 to {MOST_ACTIONS - 1}, not {action}.")
            self.allowed[action >> 6] |= <uint64_t>1 << (action & 63)
        self.problem = problem
        self.evaluator = evaluator
        rng_seed(&self.rng, seed)
        self.exploration = evaluator.exploration * (problem.game.highest - problem.game.lowest)
        self.tree.most_bytes = memory
        self.tree.edges = self.tree.nodes = 1       # index 0 means none
        memset(self.root, 0, sizeof(self.root))
        if not grow(&self.tree, <void**>&self.tree.node, &self.tree.node_room, sizeof(Node), 2, 0) or not grow(
            &self.tree, <void**>&self.tree.edge, &self.tree.edge_room, sizeof(Edge), 2,
            self.tree.node_room * sizeof(Node)
        ):
            raise MemoryError
        new_node(&self.tree, 0)                     # the root has index 1
        self.state = malloc(problem.game.state_size)
        if self.state == NULL:                      # last: a search without a state has not been made
            raise MemoryError

    cdef int _only_at_rest(self) except -1:
        """What Python asks would read memory that an iteration may move."""
        if self.state == NULL:
            raise ValueError("The search has not been made.")
        if self.running:
            raise RuntimeError("The search is being run by another thread.")
        return 0

    cdef void iterate(self) noexcept nogil:
        cdef Tree* t = &self.tree
        cdef const Game* game = &self.problem.game
        cdef const void* rules = self.problem.rules
        cdef int16_t actions[MOST_ACTIONS]
        cdef uint8_t seen[MOST_SEEN]
        cdef double utilities[MOST_SEATS]
        cdef double wins[MOST_SEATS]
        cdef uint32_t node = ROOT, edge
        cdef int depth = 0, n, seat, i
        cdef bint new = False, ended
        cdef RootEdge* root

        # 1. Draw a world that fits what the observer knows.
        game.determinize(self.problem.belief, self.state, &self.rng)

        # 2. Go down to an action that is not in the tree yet, and add it.
        seat = game.mover(self.state)
        while seat != TERMINAL and depth < MOST_DEPTH:
            CHECK(node < t.nodes and t.node[node].actor in (0, seat + 1))
            t.node[node].actor = <uint8_t>(seat + 1)
            n = game.legal(rules, self.state, actions)
            edge = self._select(node, actions, n, &new)
            if edge == NO_EDGE:
                break
            self.path[depth] = edge
            self.path_seat[depth] = seat
            depth += 1
            n = game.step(rules, self.state, t.edge[edge].action, self.problem.observer, seen, &self.rng)
            seat = game.mover(self.state)
            if new or seat == TERMINAL:
                break
            node = follow(t, edge, seen, n, not t.full)
            if node == NO_NODE:
                t.full = True
                break

        # 3. See what every seat may expect from here.
        ended = self.evaluator.rollout(self.evaluator.data, rules, self.state, &self.rng, utilities, wins)

        # 4. Every edge learns what the seat that acted there got.
        for i in range(depth):
            t.edge[self.path[i]].visits += 1
            t.edge[self.path[i]].total += utilities[self.path_seat[i]]
        if depth:
            root = &self.root[t.edge[self.path[0]].action]
            root.ended += ended
            for i in range(game.seats):
                root.total[i] += utilities[i]
                root.squares[i] += utilities[i] * utilities[i]
                root.wins[i] += wins[i]
        self.iterations += 1

    cdef uint32_t _select(self, uint32_t node, const int16_t* actions, int n, bint* new) noexcept nogil:
        """The edge to follow among the legal actions, a new one if it is time to try another.

        NO_EDGE where the tree is full and none of the legal actions is in it.
        """
        cdef Tree* t = &self.tree
        cdef uint64_t untried[LEGAL_WORDS]
        cdef uint16_t prior = 0
        cdef Edge* edge
        cdef uint32_t first = t.node[node].edges, best = NO_EDGE, available = 0, most_available = 0
        cdef int i, options, left = 0
        cdef bint guided = self.evaluator.prior != NULL
        cdef double spread = 0.0, score, best_score = 0.0
        memset(untried, 0, sizeof(untried))
        for i in range(n):
            if node == ROOT and not self._is_allowed(actions[i]):
                continue
            untried[actions[i] >> 6] |= <uint64_t>1 << (actions[i] & 63)
            left += 1
        options = left
        for i in range(t.node[node].filled):
            edge = &t.edge[first + i]
            if not untried[edge.action >> 6] >> (edge.action & 63) & 1:
                continue
            untried[edge.action >> 6] ^= <uint64_t>1 << (edge.action & 63)
            left -= 1
            edge.available += 1
            if edge.available != available:
                available = edge.available
                most_available = max(most_available, available)
                spread = sqrt(available) if guided else log_of(available)
            score = edge.total / edge.visits
            if guided:
                score += self.exploration * edge.prior * (1.0 / ONE_PRIOR) * spread / (1 + edge.visits)
            else:
                score += self.exploration * sqrt(spread / edge.visits)
            if best == NO_EDGE or score > best_score:
                best = first + i
                best_score = score
        new[0] = False
        if left == 0 or t.full:
            return best
        if guided and best != NO_EDGE and node != ROOT and options - left >= WIDTH * sqrt(most_available):
            return best
        i = self._choose_untried(node, actions, n, untried, left, &prior)
        if node == ROOT:        # where the prior is wrong, it has to be found out
            prior = <uint16_t>((3 * <uint32_t>prior + ONE_PRIOR // options) // 4)
        first = new_edge(t, node, actions[i])
        if first == NO_EDGE:
            t.full = True
            return best
        t.edge[first].available = 1
        t.edge[first].prior = prior
        new[0] = True
        return first

    cdef inline bint _is_allowed(self, int action) noexcept nogil:
        """Whether an action may be tried at the root."""
        return not self.restricted or self.allowed[action >> 6] >> (action & 63) & 1

    cdef int _choose_untried(
        self, uint32_t node, const int16_t* actions, int n, const uint64_t* untried, int left, uint16_t* prior
    ) noexcept nogil:
        """Of the legal actions that are untried, `left` in number, the likeliest and its prior; without priors any."""
        cdef uint16_t shares[MOST_ACTIONS]
        cdef int i, chosen = -1, skip = 0
        if self.evaluator.prior != NULL:
            self.evaluator.prior(self.evaluator.data, self.problem.rules, self.state, n, shares)
            if node == ROOT and self.restricted:
                self._share_out(actions, n, shares)
        else:
            skip = rng_below(&self.rng, left)
        for i in range(n):
            if not untried[actions[i] >> 6] >> (actions[i] & 63) & 1:
                continue
            if self.evaluator.prior != NULL:
                if chosen < 0 or shares[i] > shares[chosen]:
                    chosen = i
                    prior[0] = shares[i]
            elif skip == 0:
                return i
            else:
                skip -= 1
        return chosen

    cdef void _share_out(self, const int16_t* actions, int n, uint16_t* shares) noexcept nogil:
        """Give the actions that are allowed at the root the prior of the others, in proportion to their own."""
        cdef uint32_t whole = 0
        cdef int i
        for i in range(n):
            if self._is_allowed(actions[i]):
                whole += shares[i]
        for i in range(n):
            if self._is_allowed(actions[i]) and whole:
                shares[i] = <uint16_t>(<uint32_t>shares[i] * ONE_PRIOR // whole)

    cdef bint run_until(self, uint64_t iterations, double deadline) noexcept nogil:
        """Iterate until there have been so many in all; True where the deadline came first."""
        while self.iterations < iterations:
            self.iterate()
            if self.iterations % LOOK_AT_CLOCK == 0 and deadline < INFINITY and now() >= deadline:
                return True
        return False

    # ---- what Python asks

    def run(self, iterations, seconds=None):
        """Go on until there have been `iterations` in all, for at most `seconds`; without the GIL.

        True if the time was up first.
        """
        cdef uint64_t wanted = iterations
        cdef double deadline = INFINITY
        cdef bint late
        self._only_at_rest()
        if seconds is not None:
            if not seconds >= 0:
                raise ValueError(f"A search cannot run for {seconds} seconds.")
            deadline = now() + seconds
        self.running = True
        with nogil:
            late = self.run_until(wanted, deadline)
        self.running = False
        return late

    @property
    def nodes(self):
        """Actions in the tree, each counted once for every node that it leaves."""
        cdef uint32_t i, n = 0
        self._only_at_rest()
        for i in range(1, self.tree.nodes):
            n += self.tree.node[i].filled
        return n

    @property
    def bytes_used(self):
        """Memory that the tree takes up."""
        return self.tree.edges * sizeof(Edge) + self.tree.nodes * sizeof(Node)

    @property
    def full(self):
        """Whether the bound on memory has kept the tree from growing."""
        return bool(self.tree.full)

    def moves(self):
        """What was learnt of each action of the root, ascending by id.

        A list of (action, visits, ended, sums, squares, wins): how many of the visits came to the end of the game, and
        with an entry for each seat the sum of its utilities, of their squares, and of its chances to win.
        """
        cdef const Node* node = &self.tree.node[1]
        cdef const Edge* edge
        cdef int seats
        self._only_at_rest()
        seats = self.problem.game.seats
        result = []
        for i in range(node.filled):
            edge = &self.tree.edge[node.edges + i]
            root = &self.root[edge.action]
            result.append((
                edge.action, edge.visits, root.ended, [root.total[k] for k in range(seats)],
                [root.squares[k] for k in range(seats)], [root.wins[k] for k in range(seats)],
            ))
        return sorted(result)

    def variation(self, action, length=8):
        """The line after a root action along the most visited actions and outcomes, the action first."""
        cdef Tree* t = &self.tree
        cdef uint32_t node = 1, edge
        self._only_at_rest()
        edge = self._find_edge(1, action)
        line = []
        while edge != NO_EDGE and len(line) < length:
            line.append(t.edge[edge].action)
            node = self._most_visited_node(t.edge[edge].child)
            if node == NO_NODE:
                break
            edge = self._most_visited_edge(node)
        return line

    cdef uint32_t _find_edge(self, uint32_t node, int action) noexcept nogil:
        cdef const Node* parent = &self.tree.node[node]
        cdef uint32_t i
        for i in range(parent.filled):
            if self.tree.edge[parent.edges + i].action == action:
                return parent.edges + i
        return NO_EDGE

    cdef uint32_t _most_visited_edge(self, uint32_t node) noexcept nogil:
        cdef const Node* parent = &self.tree.node[node]
        cdef uint32_t i, best = NO_EDGE
        for i in range(parent.edges, parent.edges + parent.filled):
            if best == NO_EDGE or self.tree.edge[i].visits > self.tree.edge[best].visits:
                best = i
        return best

    cdef uint64_t _visits(self, uint32_t node) noexcept nogil:
        """How often a node, or those that it leads on to, were left by an action."""
        cdef const Node* parent = &self.tree.node[node]
        cdef uint64_t visits = 0
        cdef uint32_t i
        if parent.filled == 0:
            i = parent.edges
            while i != NO_NODE:
                visits += self._visits(i)
                i = self.tree.node[i].sibling
        for i in range(parent.filled):
            visits += self.tree.edge[parent.edges + i].visits
        return visits

    cdef uint32_t _most_visited_node(self, uint32_t first) noexcept nogil:
        """Of a list of siblings the one that was passed most often, down to a node with actions."""
        cdef uint32_t best, i
        cdef uint64_t most, visits
        while True:
            best, most, i = NO_NODE, 0, first
            while i != NO_NODE:
                visits = self._visits(i)
                if best == NO_NODE or visits > most:
                    best, most = i, visits
                i = self.tree.node[i].sibling
            if best == NO_NODE or self.tree.node[best].filled:
                return best
            first = self.tree.node[best].edges

    cdef int _likely(self, const void* state, int n, RngState* g) noexcept nogil:
        """One of n legal actions drawn by the prior, or each as likely."""
        cdef uint16_t shares[MOST_ACTIONS]
        cdef uint32_t sum = 0
        cdef int i = 0
        if self.evaluator.prior == NULL:
            return rng_below(g, n)
        self.evaluator.prior(self.evaluator.data, self.problem.rules, state, n, shares)
        for i in range(n):
            sum += shares[i]
        sum = rng_below(g, sum)
        for i in range(n):
            if sum < shares[i]:
                break
            sum -= shares[i]
        return i

    def walk(self, action, Rng rng not None, GameState after not None, GameState end not None):
        """One line of play in a world drawn anew: a root action, then the others' answers until the observer acts again.

        They answer in proportion to the visits of their actions, outside the tree to the prior, if there is one. `after` becomes the state
        after the action and its draws, `end` the one in which the observer acts again or the game is over; both must be
        states of the problem's game and rules.
        """
        self._only_at_rest()
        cdef const Game* game = &self.problem.game
        cdef const void* rules = self.problem.rules
        cdef int16_t actions[MOST_ACTIONS]
        cdef uint8_t seen[MOST_SEEN]
        cdef void* state = end.data(game, rules)
        cdef void* copy = after.data(game, rules)
        cdef uint32_t edge = self._find_edge(1, action), node = 1
        cdef int seat, n, i, reply
        cdef int64_t visits
        if edge == NO_EDGE:
            raise ValueError(f"Action {action} has not been searched.")
        game.determinize(self.problem.belief, state, &rng.state)
        reply = action
        n = game.step(rules, state, reply, self.problem.observer, seen, &rng.state)
        memcpy(copy, state, game.state_size)
        seat = game.mover(state)
        while seat != TERMINAL and seat != self.problem.observer:
            node = follow(&self.tree, edge, seen, n, False) if edge != NO_EDGE else NO_NODE
            n = game.legal(rules, state, actions)
            visits = 0
            if node != NO_NODE:
                for i in range(n):
                    edge = self._find_edge(node, actions[i])
                    visits += self.tree.edge[edge].visits if edge != NO_EDGE else 0
            if visits:
                visits = rng_below(&rng.state, <uint32_t>visits)
                for i in range(n):
                    edge = self._find_edge(node, actions[i])
                    visits -= self.tree.edge[edge].visits if edge != NO_EDGE else 0
                    if visits < 0:
                        break
            else:
                i = self._likely(state, n, &rng.state)
                edge = NO_EDGE
            n = game.step(rules, state, actions[i], self.problem.observer, seen, &rng.state)
            seat = game.mover(state)
