"""What a search needs to know of a game; the base classes of what a game gives to it."""

cimport cython


@cython.auto_pickle(False)
cdef class GameState:
    cdef void* data(self) noexcept:
        return NULL


@cython.auto_pickle(False)
cdef class Problem:
    pass
