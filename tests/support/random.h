/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Seeded random numbers for tests and benchmarks. A random case is seeded by its number, so that a
 * failure names the seed that repeats it. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdint.h>

typedef struct random_state {
  uint64_t s;
} random_state;

random_state random_seed(uint64_t seed);
uint64_t random_bits(random_state *random);
double random_unit(random_state *random);                             /* uniform in [0, 1) */
double random_between(random_state *random, double low, double high); /* uniform */
double random_normal(random_state *random);                           /* mean 0, variance 1 */
int random_below(random_state *random, int n);                        /* 0 … n−1 */
double random_scale(random_state *random, double decades); /* 10^±decades, log-uniform, positive */

#endif
