"""What a search needs to know of a game; the base classes of what a game gives to it."""

cimport cython


@cython.auto_pickle(False)
cdef class GameState:
    cdef void* data(self, const Game* game, const void* rules) except NULL:
        raise ValueError("Not a state of a game.")


@cython.auto_pickle(False)
cdef class Problem:
    pass


@cython.auto_pickle(False)
cdef class Evaluator:
    pass
