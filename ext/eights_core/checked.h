/* Invariants that only the checked build looks at (EIGHTS_CHECKED=1 when building). */
#ifndef EIGHTS_CHECKED_H
#define EIGHTS_CHECKED_H

#ifdef EIGHTS_CHECKED
#include <stdio.h>
#include <stdlib.h>
#define EIGHTS_IS_CHECKED 1
#define EIGHTS_CHECK(condition)                                                          \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: an invariant of the core is broken\n", __FILE__, __LINE__); \
            abort();                                                                     \
        }                                                                                \
    } while (0)
#else
#define EIGHTS_IS_CHECKED 0
#define EIGHTS_CHECK(condition) ((void)0)
#endif

/* Index of the lowest set bit; x must not be 0. */
#if defined(__GNUC__) || defined(__clang__)
#define eights_lowest_bit(x) __builtin_ctzll(x)
#define EIGHTS_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#else
#include <intrin.h>
static __inline int eights_lowest_bit(unsigned long long x) {
    unsigned long i;
    _BitScanForward64(&i, x);
    return (int)i;
}
#define EIGHTS_UNLIKELY(condition) (condition)
#endif

#endif
