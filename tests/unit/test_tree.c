/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "branching.h"

/* Scaled and unscaled rows agree: R (A C x' + b) with x = C x', whatever the units, to the bit. */
START_TEST(units_cancel)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    const int n = t->p.n;
    for (int i = 0; i < n; i++) {
      const double unit = random_scale(&r, 12.0);
      for (int j = 0; j < n; j++) {
        t->A[i * n + j] = unit * random_normal(&r);
      }
      t->b[i] = unit * random_normal(&r);
    }
    ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
    for (int i = 0; i < n; i++) {
      const double f = t->tree.b[i] / t->b[i];
      for (int j = 0; j < n; j++) {
        ck_assert(t->tree.A[i * n + j] == t->A[i * n + j] * f * t->tree.x_unit[j]);
        ck_assert(fabs(t->tree.A[i * n + j]) <= 1.0);
      }
    }
    branching_free(t);
  }
}
END_TEST

/* A right side that leaves the range of numbers in the units of its row is refused. */
START_TEST(out_of_range)
{
  branching *t = branching_new(1);
  t->A[0] = 1e-300;
  t->b[0] = 1e300;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_ERR_NOT_FINITE);
  branching_free(t);
}
END_TEST

SUITE("tree", TEST(units_cancel), TEST(out_of_range))
