"""A learned player of 8½: a policy for short playouts and a value of the state for every seat; integers throughout."""

from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t

from eights_core.game cimport Evaluator
from eights_core.halves cimport MAX_PLAYERS, Round, Rules
from eights_core.rng cimport RngState

cdef enum:
    WORDS = 7                   # of 64 inputs each
    INPUTS = 448
    HIDDEN = 64
    OUTPUTS = 2                 # points, and the chance to win
    POLICY = 256                # weights of the policy
    MOST_PLAYS = 80             # actions that the policy may choose from
    EXP_STEPS = 4096            # of 1/256 in the exponent
    ONE = 256                   # what stands for 1 in weights of the hidden layer and of the policy
    ONE_OUT = 1024              # what stands for 1 in weights of the outputs
    MOST_ACTIVE = 4095          # hidden units are cut off here


cdef extern from "eights_core/net.h":
    ctypedef void (*Net "eights_net")(
        const int16_t (*rows)[HIDDEN], const int16_t* bias, const int16_t (*output)[HIDDEN], int most,
        const uint64_t* words, int n, int32_t* products
    ) noexcept nogil
    enum:
        MOST_NETS "EIGHTS_MOST_NETS"
    int all_nets "eights_all_nets"(Net* nets) noexcept nogil            # the fastest first; returns how many


cdef struct Weights:
    Net net                             # the way to compute it that is fastest here
    int16_t hidden[INPUTS][HIDDEN]
    int16_t hidden_bias[HIDDEN]
    int16_t output[OUTPUTS][HIDDEN]
    int32_t output_bias[OUTPUTS]        # in units of 1 / (ONE * ONE_OUT)
    int16_t policy[POLICY]
    uint32_t exp[EXP_STEPS]             # exp(-i / 256) in units of 2**-20


cdef struct ModelData:
    Weights weights
    int plies                           # of the policy before the value


cdef struct Plays:                      # what the policy chooses from
    int n
    int rank[MOST_PLAYS]                # RANKS for 8 and Half together
    int copies[MOST_PLAYS]
    int32_t logit[MOST_PLAYS]           # in units of 1 / ONE


cdef struct Look:                       # of one seat, for its own inputs and its neighbours'
    uint64_t hand_1, hand_2, hand_3, hand_5, open_1, open_2     # ranks held at least so often
    uint64_t bank, blind, aside, size
    uint64_t other                      # the last four and whether it is at the table
    int holding, left


cdef struct Scene:                      # of the whole round
    Look look[MAX_PLAYERS]
    uint64_t level, options, pile, stuck, can_catch, plies_left


cdef void look_at(const Rules* R, const Round* s, Scene* scene) noexcept nogil
cdef void inputs_of(const Rules* R, const Round* s, const Scene* scene, int seat, uint64_t* words) noexcept nogil
cdef void value_of_seat(const Weights* W, const uint64_t* words, double* outputs) noexcept nogil
cdef void policy_turn(const Weights* W, const Rules* R, Round* s, RngState* g) noexcept nogil


cdef class Model(Evaluator):
    cdef ModelData model
