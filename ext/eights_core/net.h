/* A net of one hidden layer whose inputs are bits: 64 units, of clipped rectified sums of 16 bits, and two outputs.

All ways to compute it give the same integers; the widest vectors that the processor has are chosen when the program
runs. Compilers other than GCC and Clang get plain loops. */

#ifndef EIGHTS_NET_H
#define EIGHTS_NET_H

#include <stdint.h>

#include "eights_core/checked.h"

#define EIGHTS_HIDDEN 64
#define EIGHTS_OUTPUTS 2
#define EIGHTS_MOST_NETS 3

/* products[k] = output[k] times the units, which are bias plus the rows of the bits that are set in words[0 .. n - 1], cut
   off below at 0 and above at `most`. No sum of rows may leave 16 bits. */
typedef void (*eights_net)(const int16_t (*rows)[EIGHTS_HIDDEN], const int16_t *bias,
                           const int16_t (*output)[EIGHTS_HIDDEN], int most, const uint64_t *words, int n,
                           int32_t *products);

/* VECTOR is a type of uint16_t lanes, SIGNED the same of int16_t. */
#define EIGHTS_NET(NAME, VECTOR, SIGNED, TARGET)                                                                       \
    TARGET static void NAME(const int16_t (*rows)[EIGHTS_HIDDEN], const int16_t *bias,                                 \
                            const int16_t (*output)[EIGHTS_HIDDEN], int most, const uint64_t *words, int n,            \
                            int32_t *products) {                                                                       \
        enum { VECTORS = EIGHTS_HIDDEN * sizeof(int16_t) / sizeof(VECTOR) };                                           \
        VECTOR sum[VECTORS];                                                                                           \
        SIGNED unit[VECTORS];                                                                                          \
        const int16_t *units = (const int16_t *)unit;                                                                  \
        for (int v = 0; v < VECTORS; v++)                                                                              \
            sum[v] = ((const VECTOR *)bias)[v];                                                                        \
        for (int word = 0; word < n; word++)                                                                           \
            for (uint64_t bits = words[word]; bits; bits &= bits - 1) {                                                \
                const VECTOR *row = (const VECTOR *)rows[64 * word + eights_lowest_bit(bits)];                         \
                for (int v = 0; v < VECTORS; v++)                                                                      \
                    sum[v] += row[v];                                                                                  \
            }                                                                                                          \
        for (int v = 0; v < VECTORS; v++) {                                                                            \
            SIGNED x = (SIGNED)sum[v], below;                                                                          \
            x &= (SIGNED)(x > 0);                                                                                      \
            below = (SIGNED)(x < (int16_t)most);                                                                       \
            unit[v] = (x & below) | (((x ^ x) + (int16_t)most) & ~below);                                              \
        }                                                                                                              \
        for (int k = 0; k < EIGHTS_OUTPUTS; k++) {                                                                     \
            int32_t product = 0;                                                                                       \
            for (int i = 0; i < EIGHTS_HIDDEN; i++)                                                                    \
                product += units[i] * output[k][i];                                                                    \
            products[k] = product;                                                                                     \
        }                                                                                                              \
    }

#if defined(__GNUC__)

typedef uint16_t eights_16_bytes __attribute__((vector_size(16), aligned(2), may_alias));
typedef int16_t eights_16_signed __attribute__((vector_size(16), aligned(2), may_alias));
EIGHTS_NET(eights_net_16, eights_16_bytes, eights_16_signed, )

#if defined(__x86_64__)
typedef uint16_t eights_32_bytes __attribute__((vector_size(32), aligned(2), may_alias));
typedef int16_t eights_32_signed __attribute__((vector_size(32), aligned(2), may_alias));
EIGHTS_NET(eights_net_32, eights_32_bytes, eights_32_signed, __attribute__((target("avx2,bmi"))))
#endif

#endif

static void eights_net_plain(const int16_t (*rows)[EIGHTS_HIDDEN], const int16_t *bias,
                             const int16_t (*output)[EIGHTS_HIDDEN], int most, const uint64_t *words, int n,
                             int32_t *products) {
    int16_t unit[EIGHTS_HIDDEN];
    for (int i = 0; i < EIGHTS_HIDDEN; i++)
        unit[i] = bias[i];
    for (int word = 0; word < n; word++)
        for (uint64_t bits = words[word]; bits; bits &= bits - 1)
            for (int i = 0; i < EIGHTS_HIDDEN; i++)
                unit[i] = (int16_t)(unit[i] + rows[64 * word + eights_lowest_bit(bits)][i]);
    for (int k = 0; k < EIGHTS_OUTPUTS; k++) {
        products[k] = 0;
        for (int i = 0; i < EIGHTS_HIDDEN; i++)
            products[k] += (unit[i] < 0 ? 0 : unit[i] > most ? most : unit[i]) * output[k][i];
    }
}

/* All ways to compute it on this machine, the fastest first; returns how many. */
static inline int eights_all_nets(eights_net nets[EIGHTS_MOST_NETS]) {
    int n = 0;
#if defined(__GNUC__)
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        nets[n++] = eights_net_32;
#endif
    nets[n++] = eights_net_16;
#endif
    nets[n++] = eights_net_plain;
    return n;
}

#endif
