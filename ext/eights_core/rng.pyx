"""The random number generator of everything that draws: seeded, owned by its caller, the same on every machine."""

cdef extern from "eights_core/checked.h":
    int EIGHTS_IS_CHECKED

CHECKED = bool(EIGHTS_IS_CHECKED)       # which build this is


cdef void rng_seed(RngState* g, uint64_t seed) noexcept nogil:
    """Fill the state from one number by splitmix64, as the authors of xoshiro advise."""
    cdef uint64_t z
    cdef int i
    for i in range(4):
        seed += <uint64_t>0x9E3779B97F4A7C15
        z = seed
        z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
        z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
        g.s[i] = z ^ (z >> 31)


cdef class Rng:
    """A seeded source of random numbers (xoshiro256++). ``seed`` is an int from 0 to 2**64 - 1.

    >>> a, b = Rng(7), Rng(7)
    >>> [a.below(6) for _ in range(5)] == [b.below(6) for _ in range(5)]
    True
    """

    def __cinit__(self):
        rng_seed(&self.state, 0)        # a state of zeros, which `__new__` alone would leave, draws nothing but zeros

    def __init__(self, seed=0):
        if not 0 <= seed < 1 << 64:
            raise ValueError(f"A seed is a whole number from 0 to 2**64 - 1, not {seed}.")
        rng_seed(&self.state, seed)

    def below(self, n):
        """A number from 0 to n - 1, each equally likely; 1 <= n < 2**32, else ValueError."""
        if not 1 <= n < 1 << 32:
            raise ValueError(f"Cannot draw a number below {n}.")
        return rng_below(&self.state, n)

    def random(self):
        """A float in [0, 1)."""
        return rng_double(&self.state)

    def copy(self):
        """A generator that will draw the same numbers as this one."""
        cdef Rng other = Rng.__new__(Rng)
        other.state = self.state
        return other

    def __reduce__(self):
        return _restore, (self.state.s[0], self.state.s[1], self.state.s[2], self.state.s[3])


def _restore(a, b, c, d):
    cdef Rng rng = Rng.__new__(Rng)
    if not (a or b or c or d):
        raise ValueError("Not the state of a generator.")
    rng.state.s[0], rng.state.s[1], rng.state.s[2], rng.state.s[3] = a, b, c, d
    return rng
