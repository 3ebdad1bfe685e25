"""What a player knows of a round of 8½, and the deals that fit it."""

from libc.stdint cimport uint16_t

from eights_core.cards cimport RANKS, Cards
from eights_core.game cimport Evaluator, Problem
from eights_core.halves cimport MAX_PLAYERS, Round, Rules, Ruleset
from eights_core.rng cimport RngState

cdef enum:
    MAX_PLACES = 8 * MAX_PLAYERS        # groups of unknown places: a zone, a seat and the ranks that may lie there
    MAX_CLASSES = 24                    # different sets of allowed ranks
    PILE_PLACE = -1


cdef struct Place:
    int zone, seat, count
    int kind                            # index into `allowed`, or -1 where any card may lie


cdef struct Deals:
    Round known                         # the round with every unknown place empty; its pool holds all unseen cards
    const Rules* rules
    int places
    Place place[MAX_PLACES]
    int kinds
    uint16_t allowed[MAX_CLASSES]       # ranks as bits
    int room[MAX_CLASSES]               # places of the kind
    int stride[MAX_CLASSES]             # of a kind's filled places in the mixed-radix index of `ways`
    int states
    int unseen                          # how many cards the pool of `known` holds
    double* ways                        # [unseen + 1][states]: see belief.pyx


cdef void sample(const Deals* deals, Round* s, RngState* g) noexcept nogil
cdef void outcome(const Rules* R, const Round* s, double* utilities, double* wins) noexcept nogil


cdef class Belief(Problem):
    cdef Deals deals
    cdef readonly Ruleset ruleset
    cdef int _add_places(self, int zone, int seat, int allowed, int number) except -1
    cdef int _only_if_all_have_cards(self) except -1
    cdef int _make_table(self) except -1


cdef class RandomPlayouts(Evaluator):
    pass
