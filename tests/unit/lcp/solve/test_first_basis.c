/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/first_basis.h"

#include "solving.h"

START_TEST(guesses_within_the_bounds)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double y[MOST], inverse[MOST];
    make_gram(s, &r, random_below(&r, s->p.n + 1), 0.0);
    make_b(s, &r);
    make_bounds(s, &r);
    nsd_first_guess(&s->p, k % 2, s->x, y, inverse, s->basis, NULL);
    int32_t basis[MOST];
    nsd_basis_of(&s->p, s->x, basis);
    for (int i = 0; i < s->p.n; i++) {
      ck_assert(s->x[i] >= s->lo[i] && s->x[i] <= s->hi[i]);
      ck_assert_int_eq(s->basis[i], basis[i]);
    }
    free(s);
  }
}
END_TEST

/* A diagonal matrix needs no second round. */
START_TEST(guesses_diagonal_problems_right)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double y[MOST], inverse[MOST];
    for (int i = 0; i < s->p.n; i++) {
      *element(s, i, i) = random_scale(&r, 12.0);
      s->b[i] = random_scale(&r, 12.0) * (random_below(&r, 2) ? 1.0 : -1.0);
    }
    nsd_first_guess(&s->p, k % 2, s->x, y, inverse, s->basis, NULL);
    ck_assert_msg(residual_of(s) <= 1e-15, "seed %d: %g", k, residual_of(s));
    free(s);
  }
}
END_TEST

/* Strong diagonals leave little to doubt: nearly every place is right at once. */
START_TEST(guesses_well)
{
  const int cases = random_cases(200);
  int right = 0;
  int places = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    solving *s = solving_new(1 + k % 60);
    double y[MOST], inverse[MOST];
    make_gram(s, &r, s->p.n, 2.0 * s->p.n);
    /* A solution by construction, strictly complementary. */
    for (int i = 0; i < s->p.n; i++) {
      s->x[i] = random_below(&r, 2) ? 0.1 + random_unit(&r) : 0.0;
    }
    for (int i = 0; i < s->p.n; i++) {
      s->b[i] = s->x[i] > 0.0 ? 0.0 : 0.1 * *element(s, i, i);
      for (int j = 0; j < s->p.n; j++) {
        s->b[i] -= *element(s, i, j) * s->x[j];
      }
      places++;
    }
    double guess[MOST];
    nsd_first_guess(&s->p, 1, guess, y, inverse, s->basis, NULL);
    for (int i = 0; i < s->p.n; i++) {
      right += (s->basis[i] == NSDYN_LCP_BASIC) == (s->x[i] > 0.0);
    }
    free(s);
  }
  ck_assert_msg(right >= 0.9 * places, "%d of %d", right, places);
}
END_TEST

SUITE("lcp/solve/first_basis", TEST(guesses_within_the_bounds), TEST(guesses_diagonal_problems_right),
      TEST(guesses_well))
