/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "support/exhaust.h"

#include "collect.h"
#include "support/problems.h"

static nsdyn_status judge(const nsd_lcp_problem *p, collection *all, nsdyn_lcp_census *census)
{
  collection_clear(all);
  *census = (nsdyn_lcp_census){.size = sizeof *census};
  return nsd_exhaust(NULL, p, 1e-9, collect, all, census);
}

/* Textbook problem: y_1 = 2 x_1 + x_2 − 5, y_2 = x_1 + 2 x_2 − 6 has x = (4/3, 7/3) alone. */
START_TEST(one_point)
{
  const double A[] = {2.0, 1.0, 1.0, 2.0}, b[] = {-5.0, -6.0}, x[] = {4.0 / 3.0, 7.0 / 3.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  collection all = {0};
  nsdyn_lcp_census census;
  ck_assert_int_eq(judge(&p, &all, &census), NSDYN_OK);
  ck_assert_int_eq(all.count, 1);
  ck_assert_int_eq(census.points, 1);
  ck_assert_int_eq(census.max_dimension, 0);
  ck_assert(distance(2, all.pieces[0].vertex, x) < 1e-15);
  ck_assert_int_eq(all.pieces[0].support[0], 1);
  collection_free(&all);
}
END_TEST

/* y = −x − 1 has none. */
START_TEST(no_point)
{
  const double A[] = {-1.0}, b[] = {-1.0};
  const nsd_lcp_problem p = {.n = 1, .lda = 1, .A = A, .b = b};
  collection all = {0};
  nsdyn_lcp_census census;
  ck_assert_int_eq(judge(&p, &all, &census), NSDYN_NO_SOLUTION);
  ck_assert_int_eq(all.count, 0);
  ck_assert_int_eq(census.max_dimension, -1);
  collection_free(&all);
}
END_TEST

/* x_1 + … + x_n = 1 with n equal rows: the simplex, n vertices, dimension n − 1. Its faces are not listed. */
START_TEST(simplex)
{
  collection all = {0};
  nsdyn_lcp_census census;
  double A[64], b[8];
  for (int n = 1; n <= 8; n++) {
    for (int k = 0; k < n * n; k++) {
      A[k] = 1.0;
    }
    for (int i = 0; i < n; i++) {
      b[i] = -1.0;
    }
    const nsd_lcp_problem p = {.n = n, .lda = n, .A = A, .b = b};
    ck_assert_int_eq(judge(&p, &all, &census), NSDYN_OK);
    ck_assert_int_eq(all.count, 1);
    ck_assert_int_eq(all.pieces[0].vertices, n);
    ck_assert_int_eq(all.pieces[0].rays, 0);
    ck_assert_int_eq(all.pieces[0].dimension, n - 1);
  }
  collection_free(&all);
}
END_TEST

/* y_1 = x_1 − x_2, y_2 = x_2 − x_1: the half line x_1 = x_2. */
START_TEST(half_line)
{
  const double A[] = {1.0, -1.0, -1.0, 1.0}, b[] = {0.0, 0.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  collection all = {0};
  nsdyn_lcp_census census;
  ck_assert_int_eq(judge(&p, &all, &census), NSDYN_OK);
  ck_assert_int_eq(all.count, 1);
  ck_assert_int_eq(census.unbounded_pieces, 1);
  const kept_piece *piece = &all.pieces[0];
  ck_assert_int_eq(piece->vertices, 1);
  ck_assert_int_eq(piece->rays, 1);
  ck_assert_int_eq(piece->dimension, 1);
  ck_assert(piece->vertex[0] == 0.0 && piece->vertex[1] == 0.0);
  ck_assert(piece->ray[0] == 1.0 && piece->ray[1] == 1.0);
  collection_free(&all);
}
END_TEST

/* Theory's counts: one for P-matrices, 2^n for A = −I, b = 1, one vertex and one ray for Ma's pendulum. */
START_TEST(counts_that_theory_knows)
{
  collection all = {0};
  nsdyn_lcp_census census;
  problem *q = problem_new(12);
  ck_assert_ptr_nonnull(q);
  const int cases = random_cases(40);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(q, c, 1 + k % 8, (uint64_t)k);
      if ((q->traits & PROBLEM_MIXED) || q->n > 9) {
        continue;
      }
      const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
      const nsdyn_status status = judge(&p, &all, &census);
      ck_assert_msg(q->promise != PROBLEM_UNIQUE || (all.count == 1 && census.points == 1), "%s seed %d: %d",
                    q->name, k, all.count);
      ck_assert_msg(q->promise != PROBLEM_NONE || status == NSDYN_NO_SOLUTION, "%s seed %d", q->name, k);
      ck_assert_msg(q->promise != PROBLEM_SOLVABLE || status == NSDYN_OK, "%s seed %d", q->name, k);
      ck_assert_msg(q->count < 0.0 || (double)census.points == q->count, "%s seed %d", q->name, k);
      for (int i = 0; q->has_x && q->promise == PROBLEM_UNIQUE && i < 1; i++) {
        ck_assert_msg(distance(q->n, all.pieces[0].vertex, q->x) < 1e-6, "%s seed %d", q->name, k);
      }
    }
  }
  problem_free(q);
  collection_free(&all);
}
END_TEST

START_TEST(limits)
{
  collection all = {0};
  nsdyn_lcp_census census;
  const nsd_lcp_problem empty = {.n = 0};
  ck_assert_int_eq(judge(&empty, &all, &census), NSDYN_OK);
  ck_assert_int_eq(census.points, 1);
  const nsd_lcp_problem large = {.n = NSD_EXHAUST_MOST + 1};
  ck_assert_int_eq(judge(&large, &all, &census), NSDYN_ERR_TOO_LARGE);
  const double A[] = {-1.0, 0.0, 0.0, -1.0}, b[] = {1.0, 1.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  all.stop_after = 3;
  ck_assert_int_eq(judge(&p, &all, &census), NSDYN_CANCELLED);
  ck_assert_int_eq(all.count, 3);
  ck_assert_int_eq(census.complete, 0);
  collection_free(&all);
}
END_TEST

SUITE("public/exhaust", TEST(one_point), TEST(no_point), TEST(simplex), TEST(half_line),
      TEST(counts_that_theory_knows), TEST(limits))
