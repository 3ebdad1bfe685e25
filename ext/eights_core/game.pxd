"""What a search needs to know of a game: a table of functions that each game fills in. The search knows no more.

A state is a flat struct without pointers, copied by its size. Chance is part of a step: the game draws what has to be
drawn, and tells which of the drawn outcomes the observing seat has seen.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t

from eights_core.rng cimport RngState


cdef enum:
    CHANCE = -1
    TERMINAL = -4
    MOST_SEATS = 6
    MOST_ACTIONS = 256      # action ids stay below
    MOST_SEEN = 16          # outcomes that one step can show
    ONE_PRIOR = 65535


cdef struct Game:
    const void* kind        # an address that stands for the game: states say by it whether they are of it
    size_t state_size       # bytes
    int seats
    double lowest, highest  # bounds of a seat's utility

    # A full state that the observer holds possible, drawn from `belief`.
    void (*determinize)(const void* belief, void* state, RngState* g) noexcept nogil
    # The seat to act, or TERMINAL.
    int (*mover)(const void* state) noexcept nogil
    # Writes the legal actions, ascending; returns how many.
    int (*legal)(const void* rules, const void* state, int16_t* actions) noexcept nogil
    # Applies a legal action and all the chance that follows; writes the outcomes that `observer` sees, in an order
    # that depends on nothing but what he knows; returns how many. Who acts next, and the number of outcomes, must
    # follow from what he has seen: an outcome is whatever nobody could tell before.
    int (*step)(const void* rules, void* state, int action, int observer, uint8_t* seen, RngState* g) noexcept nogil


# Plays on from a state as far as it likes, and says what every seat may expect: its utility and its chance to win.
# Returns whether that was to the end, so that they are the outcome itself.
ctypedef bint (*Rollout)(
    const void* data, const void* rules, void* state, RngState* g, double* utilities, double* wins
) noexcept nogil


# What a policy thinks of the legal actions of a state, given in their order: shares in units of 1 / ONE_PRIOR, which
# add up to about 1.
ctypedef void (*Prior)(const void* data, const void* rules, const void* state, int n, uint16_t* shares) noexcept nogil


cdef class GameState:
    """A state of some game, as Python holds it."""
    # The state of `game`, played by `rules`; ValueError if this is not one of them.
    cdef void* data(self, const Game* game, const void* rules) except NULL


cdef class Evaluator:
    """What a search thinks of a state where its tree ends, and of the actions that lead on."""
    cdef Rollout rollout
    cdef Prior prior                    # NULL if it thinks nothing of actions
    cdef const void* data
    cdef public double exploration      # the constant that suits it, of PUCT with a prior, else of UCB; utilities in [0, 1]


cdef class Problem:
    """A question to a search: a game, its rules, and what the seat to act knows."""
    cdef Game game
    cdef const void* rules
    cdef const void* belief
    cdef int observer
