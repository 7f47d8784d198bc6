/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What every unit test begins with: Check, a main function, seeded random numbers. */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdint.h>

#include "support/random.h"

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

/* REQUIRE(condition) and REQUIRE(condition, format, …): ck_assert and ck_assert_msg for inner loops, as
 * Check's own tell the parent process of every call, passed or not. */
#define REQUIRE(...)                                                                                         \
  REQUIRE_AS(__VA_ARGS__, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, TOLD, ALONE, none)     \
  (#__VA_ARGS__, __VA_ARGS__)
/* The thirteenth of its arguments: behind one of REQUIRE stands ALONE, behind two to twelve TOLD. */
#define REQUIRE_AS(a, b, c, d, e, f, g, h, i, j, k, l, kind, ...) REQUIRE_##kind
#define REQUIRE_ALONE(text, condition) ((condition) ? (void)0 : ck_abort_msg("'%s' is false", text))
#define REQUIRE_TOLD(text, condition, ...) ((condition) ? (void)0 : ck_abort_msg(__VA_ARGS__))

/* `base` times NSDYN_TEST_SCALE (default 1; small under valgrind, large on demand); at least 1. */
int random_cases(int base);

/* Whether more than one of `of` random cases was of a kind that was met `met` times. Of a few cases chance
 * decides, and nothing is asked. */
int is_common(int met, int cases, int of);

/* Non-zero at a scale so small that only the use of memory is judged: what makes a run long, but reaches no
 * other line, may be left out then. */
int is_brief(void);

/* Non-zero at a tenth of the cases or less, as sanitizers take them for each change: long runs of one kind
 * may be shorter then; each of their lines is still reached. */
int is_quick(void);

#endif
