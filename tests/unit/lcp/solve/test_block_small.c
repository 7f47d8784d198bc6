/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/block_small.h"

#include "solving.h"

/* From any basis: it may give up, but what it calls solved is; and it seldom does. */
START_TEST(what_it_calls_solved_is)
{
  const int cases = random_cases(20000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % NSD_BLOCK_SMALL);
    make_gram(s, &r, s->p.n, 0.1);
    make_b(s, &r);
    if (k / NSD_BLOCK_SMALL % 2) {
      make_bounds(s, &r);
    }
    for (int i = 0; i < s->p.n; i++) {
      const int32_t place = random_below(&r, 3);
      const double bound = place == NSDYN_LCP_AT_HI ? nsd_lcp_hi(&s->p, i) : nsd_lcp_lo(&s->p, i);
      s->basis[i] = isfinite(bound) ? place : NSDYN_LCP_BASIC;
    }
    if (nsd_block_small_solve(&s->p, &s->answer)) {
      double x[MOST];
      solved++;
      ck_assert_msg(residual_of(s) <= 1e-12, "seed %d: residual %g", k, residual_of(s));
      ck_assert_int_ge(count_solutions(&s->p, x), 1);
      ck_assert_msg(distance(s->p.n, s->x, x) <= 1e-9, "seed %d", k);
    }
    free(s);
  }
  ck_assert_msg(solved >= 0.8 * cases, "%d of %d", solved, cases);
}
END_TEST

START_TEST(gives_up_where_it_must)
{
  solving *s = solving_new(2);
  s->A[0] = s->A[1] = s->A[2] = s->A[3] = 1.0; /* singular */
  s->b[0] = s->b[1] = -1.0;
  s->basis[0] = s->basis[1] = NSDYN_LCP_BASIC;
  ck_assert(!nsd_block_small_solve(&s->p, &s->answer));
  s->A[1] = s->A[2] = 2.0; /* indefinite */
  ck_assert(!nsd_block_small_solve(&s->p, &s->answer));
  s->A[0] = s->A[3] = 1e-300; /* overflow */
  s->A[1] = s->A[2] = 0.0;
  s->b[0] = s->b[1] = -1e300;
  s->basis[0] = s->basis[1] = NSDYN_LCP_BASIC;
  ck_assert(!nsd_block_small_solve(&s->p, &s->answer));
  s->p.n = 0;
  ck_assert(!nsd_block_small_solve(&s->p, &s->answer));
  s->p.n = NSD_BLOCK_SMALL + 1;
  ck_assert(!nsd_block_small_solve(&s->p, &s->answer));
  free(s);
}
END_TEST

SUITE("lcp/solve/block_small", TEST(what_it_calls_solved_is), TEST(gives_up_where_it_must))
