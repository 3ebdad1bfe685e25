"""A small, fast random number generator that its caller owns: xoshiro256++ (Blackman and Vigna, 2019)."""

from libc.stdint cimport uint32_t, uint64_t


cdef struct RngState:
    uint64_t s[4]


cdef inline uint64_t rotl(uint64_t x, int k) noexcept nogil:
    return (x << k) | (x >> (64 - k))


cdef inline uint64_t rng_next(RngState* g) noexcept nogil:
    """64 random bits."""
    cdef uint64_t result = rotl(g.s[0] + g.s[3], 23) + g.s[0]
    cdef uint64_t t = g.s[1] << 17
    g.s[2] ^= g.s[0]
    g.s[3] ^= g.s[1]
    g.s[1] ^= g.s[2]
    g.s[0] ^= g.s[3]
    g.s[2] ^= t
    g.s[3] = rotl(g.s[3], 45)
    return result


cdef inline uint32_t rng_below(RngState* g, uint32_t n) noexcept nogil:
    """A number from 0 to n - 1, each equally likely; n > 0 (Lemire 2019: multiply, and reject what would bias)."""
    cdef uint64_t m = (rng_next(g) >> 32) * n
    cdef uint32_t threshold
    if <uint32_t>m < n:
        threshold = (0 - n) % n
        while <uint32_t>m < threshold:
            m = (rng_next(g) >> 32) * n
    return <uint32_t>(m >> 32)


cdef inline double rng_double(RngState* g) noexcept nogil:
    """A number in [0, 1) with 53 random bits."""
    return <double>(rng_next(g) >> 11) * (1.0 / 9007199254740992.0)


cdef void rng_seed(RngState* g, uint64_t seed) noexcept nogil


cdef class Rng:
    cdef RngState state
