"""What a search needs to know of a game; the base classes of what a game gives to it."""


cdef class GameState:
    cdef void* data(self) noexcept:
        return NULL


cdef class Problem:
    pass
