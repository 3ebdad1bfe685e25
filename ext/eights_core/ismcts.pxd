"""Single-observer information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) for any `Game`."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from eights_core.game cimport MOST_ACTIONS, MOST_SEATS, MOST_SEEN, Evaluator, Game, GameState, Problem
from eights_core.rng cimport RngState

cdef enum:
    SIZES = 16              # block sizes of a node's edges
    MOST_DEPTH = 1024       # plies of one descent
    NO_NODE = 0
    NO_EDGE = 0
    ROOT = 1                # the root's node
    LEGAL_WORDS = 4         # a bit for each of MOST_ACTIONS


cdef struct Edge:           # an action at a node
    double total            # sum of the utility of the seat that acts there
    uint32_t visits
    uint32_t available      # times that it was legal when its node was passed, since it was first tried
    uint32_t child          # the node that follows it; with seen outcomes the first of a list
    uint8_t action
    uint16_t prior          # in units of 1 / ONE_PRIOR, in the world in which it was first tried


cdef struct Node:           # what the observer knows to have happened since the root
    uint32_t edges          # index of the first; the others follow it
    uint32_t sibling        # the next node that follows the same edge or node
    uint8_t seen            # the outcome that leads here from the edge or node before
    uint8_t size            # class of the block of edges
    uint8_t filled          # edges in use
    uint8_t actor           # 1 + the seat that acts here; 0 where a node only leads on, or has not been reached


cdef struct RootEdge:       # what is kept of the root's actions besides
    double total[MOST_SEATS]
    double squares[MOST_SEATS]
    double wins[MOST_SEATS]
    uint32_t ended              # iterations that came to the end of the game


cdef struct Tree:
    Edge* edge
    uint32_t edges, edge_room
    uint32_t free_block[SIZES]      # free blocks of each size, linked through `child` of their first edge
    Node* node
    uint32_t nodes, node_room
    size_t most_bytes
    bint full


cdef class Search:
    cdef readonly Problem problem
    cdef readonly Evaluator evaluator
    cdef Tree tree
    cdef RngState rng
    cdef double exploration
    cdef readonly uint64_t iterations
    cdef RootEdge root[MOST_ACTIONS]
    cdef bint restricted        # at the root to the actions that are `allowed`, a bit for each
    cdef uint64_t allowed[LEGAL_WORDS]
    cdef void* state
    cdef bint running           # a thread is in `run`, without the GIL
    cdef uint32_t path[MOST_DEPTH]
    cdef int path_seat[MOST_DEPTH]

    cdef int _only_at_rest(self) except -1
    cdef void iterate(self) noexcept nogil
    cdef uint32_t _select(self, uint32_t node, const int16_t* actions, int n, bint* new) noexcept nogil
    cdef bint _is_allowed(self, int action) noexcept nogil
    cdef int _choose_untried(self, uint32_t node, const int16_t* actions, int n, const uint64_t* untried, int left, uint16_t* prior) noexcept nogil
    cdef void _share_out(self, const int16_t* actions, int n, uint16_t* shares) noexcept nogil
    cdef int _likely(self, const void* state, int n, RngState* g) noexcept nogil
    cdef bint run_until(self, uint64_t iterations, double deadline) noexcept nogil
    cdef uint32_t _find_edge(self, uint32_t node, int action) noexcept nogil
    cdef uint32_t _most_visited_edge(self, uint32_t node) noexcept nogil
    cdef uint32_t _most_visited_node(self, uint32_t first) noexcept nogil
    cdef uint64_t _visits(self, uint32_t node) noexcept nogil
