/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/envelope_lu.h"

#include <math.h>

#include "base/dense.h"
#include "suite.h"

enum { MOST = 60 };

static void lay_out(nsd_arena *arena, nsd_envelope *e)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_envelope counted;
  nsd_envelope_lay_out(&measure, &counted, MOST);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_envelope_lay_out(arena, e, MOST);
}

/* A random sparse matrix whose diagonal is larger than the rest of its row, so that no pivot is small. */
static void fill(random_state *random, int n, double density, nsd_envelope *e, double *A)
{
  nsd_envelope_begin(e, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int is_there = i == j || random_unit(random) < density;
      A[i * n + j] = is_there ? random_normal(random) + (i == j ? 4.0 * n : 0.0) : 0.0;
      if (is_there) {
        nsd_envelope_reach(e, i, j);
      }
    }
  }
  ck_assert_int_eq(nsd_envelope_clear(e, NULL), NSDYN_OK);
  for (int i = 0; i < n; i++) {
    e->size[i] = fabs(A[i * n + i]);
    for (int j = 0; j < n; j++) {
      if (A[i * n + j] != 0.0) {
        *nsd_envelope_element(e, i, j) += A[i * n + j];
      }
    }
  }
}

START_TEST(it_solves_what_it_has_factored)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_envelope e;
  lay_out(&arena, &e);
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = random_below(&random, MOST + 1);
    double A[MOST * MOST], x[MOST], right[MOST], b[MOST];
    fill(&random, n, random_unit(&random), &e, A);
    for (int i = 0; i < n; i++) {
      x[i] = random_normal(&random);
    }
    nsd_multiply(n, n, A, n, x, right);
    for (int i = 0; i < n; i++) {
      b[i] = right[i];
    }
    ck_assert_int_eq(nsd_envelope_factor(&e, 1e-12, NULL), NSDYN_OK);
    nsd_envelope_solve(&e, b);
    for (int i = 0; i < n; i++) {
      ck_assert_msg(fabs(b[i] - x[i]) <= 1e-12, "seed %d: %g", seed, b[i] - x[i]);
    }
  }
  nsd_arena_release(&arena);
}
END_TEST

/* What is zero in the beginning need not be gone through: to the bit the same. */
START_TEST(zeros_in_front_are_skipped)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_envelope e;
  lay_out(&arena, &e);
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 1 + random_below(&random, MOST), from = random_below(&random, n);
    double A[MOST * MOST], all[MOST] = {0.0}, rest[MOST] = {0.0};
    fill(&random, n, random_unit(&random), &e, A);
    for (int i = from; i < n; i++) {
      all[i] = rest[i] = random_normal(&random);
    }
    ck_assert_int_eq(nsd_envelope_factor(&e, 1e-12, NULL), NSDYN_OK);
    nsd_envelope_solve(&e, all);
    nsd_envelope_solve_from(&e, from, rest);
    for (int i = 0; i < n; i++) {
      ck_assert_msg(all[i] == rest[i], "seed %d: %g of %g", seed, rest[i] - all[i], all[i]);
    }
  }
  nsd_arena_release(&arena);
}
END_TEST

/* The second row is the first: its unknown stays zero, and the system, which is consistent, is solved. */
START_TEST(a_redundant_row_has_no_say)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_envelope e;
  lay_out(&arena, &e);
  const double A[9] = {2.0, 2.0, 1.0, 2.0, 2.0, 1.0, 1.0, 1.0, 3.0};
  nsd_envelope_begin(&e, 3);
  nsd_envelope_reach(&e, 0, 1);
  nsd_envelope_reach(&e, 0, 2);
  ck_assert_int_eq(nsd_envelope_clear(&e, NULL), NSDYN_OK);
  for (int i = 0; i < 9; i++) {
    *nsd_envelope_element(&e, i / 3, i % 3) = A[i];
    e.size[i / 3] = A[4 * (i / 3)];
  }
  ck_assert_int_eq(nsd_envelope_factor(&e, 1e-12, NULL), NSDYN_OK);
  double b[3] = {5.0, 5.0, 5.0};
  nsd_envelope_solve(&e, b);
  ck_assert(b[1] == 0.0);
  ck_assert_double_eq_tol(2.0 * b[0] + b[2], 5.0, 1e-14);
  ck_assert_double_eq_tol(b[0] + 3.0 * b[2], 5.0, 1e-14);
  nsd_arena_release(&arena);
}
END_TEST

static int stop(void *user, const char *activity, double done)
{
  (void)activity;
  (void)done;
  ++*(int *)user;
  return 1;
}

START_TEST(a_long_factorization_asks_and_stops)
{
  int asked = 0;
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = stop;
  def.user = &asked;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  nsd_poll poll = nsd_poll_of(ctx, "test");
  poll.work = NSD_POLL_WORK;
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_envelope e;
  lay_out(&arena, &e);
  random_state random = random_seed(1);
  double A[MOST * MOST];
  fill(&random, MOST, 1.0, &e, A);
  ck_assert_int_eq(nsd_envelope_factor(&e, 1e-12, &poll), NSDYN_CANCELLED);
  ck_assert_int_eq(asked, 1);
  nsd_arena_release(&arena);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("contact/many/envelope_lu", TEST(it_solves_what_it_has_factored), TEST(zeros_in_front_are_skipped),
      TEST(a_redundant_row_has_no_say), TEST(a_long_factorization_asks_and_stops))
