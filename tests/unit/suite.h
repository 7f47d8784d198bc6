/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What every unit test begins with: Check, a main function, seeded random numbers. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdint.h>

/* Each test file defines this: its tests, by name. */
typedef struct test_entry {
  const char *name;
  const TTest *const *test; /* what START_TEST defines */
} test_entry;
extern const char suite_name[];
extern const test_entry suite_tests[];
extern const int suite_count;

#define SUITE(NAME, ...)                                                                                     \
  const char suite_name[] = NAME;                                                                            \
  const test_entry suite_tests[] = {__VA_ARGS__};                                                            \
  const int suite_count = (int)(sizeof suite_tests / sizeof *suite_tests);
/* clang-format off */
#define TEST(function) {#function, &(function)}
/* clang-format on */

/* A random case is seeded by its number, so that a failure names the seed that repeats it. */
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

/* `base` times NSDYN_TEST_SCALE (default 1; small under valgrind, large on demand); at least 1. */
int random_cases(int base);

#endif
