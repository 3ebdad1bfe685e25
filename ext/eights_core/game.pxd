"""What a search needs to know of a game: a table of functions that each game fills in. The search knows no more.

A state is a flat struct without pointers, copied by its size. Chance is part of a step: the game draws what has to be
drawn, and tells which of the drawn outcomes the observing seat has seen.
"""

from libc.stdint cimport int16_t, uint8_t

from eights_core.rng cimport RngState


cdef enum:
    CHANCE = -1
    TERMINAL = -4
    MOST_SEATS = 6
    MOST_ACTIONS = 256      # action ids stay below
    MOST_SEEN = 16          # outcomes that one step can show


cdef struct Game:
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
    # that depends on nothing but what he knows; returns how many.
    int (*step)(const void* rules, void* state, int action, int observer, uint8_t* seen, RngState* g) noexcept nogil
    # Plays on at random to the end.
    void (*playout)(const void* rules, void* state, RngState* g) noexcept nogil
    # Of a state that is over: the utility of every seat; returns the winner or -1.
    int (*utilities)(const void* rules, const void* state, double* utilities) noexcept nogil


cdef class GameState:
    """A state of some game, as Python holds it."""
    cdef void* data(self) noexcept


cdef class Problem:
    """A question to a search: a game, its rules, and what the seat to act knows."""
    cdef Game game
    cdef const void* rules
    cdef const void* belief
    cdef int observer
