/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/anderson.h"

#include <math.h>

#include "suite.h"

enum { N = 6 };

/* g = A x + b, whose fixed point is known: A = diag(0.9 … 0.999), turned by a reflection. */
static void make_round(const double *x, const double *fixed, double *g)
{
  static const double share[N] = {0.9, 0.95, 0.97, 0.99, 0.995, 0.999};
  double v[N], sum = 0.0;
  for (int i = 0; i < N; i++) { /* reflect */
    sum += (x[i] - fixed[i]) * (i + 1.0);
  }
  for (int i = 0; i < N; i++) {
    v[i] = share[i] * (x[i] - fixed[i] - 2.0 * sum * (i + 1.0) / 91.0);
  }
  sum = 0.0;
  for (int i = 0; i < N; i++) {
    sum += v[i] * (i + 1.0);
  }
  for (int i = 0; i < N; i++) {
    g[i] = fixed[i] + v[i] - 2.0 * sum * (i + 1.0) / 91.0;
  }
}

static double far(const double *x, const double *fixed)
{
  double most = 0.0;
  for (int i = 0; i < N; i++) {
    most = fmax(most, fabs(x[i] - fixed[i]));
  }
  return most;
}

/* Rounds that are linear are done after a few times as many as there are unknowns, whatever their own pace:
 * forty plain ones of 0.999 come a few percent nearer. */
START_TEST(linear_rounds_end_soon)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_arena room = nsd_arena_empty(NULL), measure = nsd_arena_measure();
    nsd_anderson counted, w;
    nsd_anderson_lay_out(&measure, &counted, N);
    ck_assert_int_eq(nsd_arena_reserve(&room, &measure), NSDYN_OK);
    nsd_anderson_lay_out(&room, &w, N);
    double fixed[N], begin[N];
    for (int i = 0; i < N; i++) {
      fixed[i] = random_normal(&random);
      begin[i] = random_normal(&random);
      w.weight[i] = random_scale(&random, 1.0);
    }
    nsd_anderson_start(&w, begin);
    int combinations = 0;
    for (int i = 0; i < 40; i++) {
      make_round(w.x, fixed, w.g);
      combinations += nsd_anderson_step(&w);
    }
    REQUIRE(far(w.best, fixed) <= 1e-6, "seed %d: %g", k, far(w.best, fixed));
    REQUIRE(combinations >= 20, "seed %d: %d", k, combinations);
    nsd_arena_release(&room);
  }
}
END_TEST

/* A change that grows is answered by the best point, and a new beginning: nothing is combined there. */
START_TEST(growth_goes_back_to_the_best)
{
  nsd_arena room = nsd_arena_empty(NULL), measure = nsd_arena_measure();
  nsd_anderson counted, w;
  nsd_anderson_lay_out(&measure, &counted, N);
  ck_assert_int_eq(nsd_arena_reserve(&room, &measure), NSDYN_OK);
  nsd_anderson_lay_out(&room, &w, N);
  double zero[N] = {0.0};
  for (int i = 0; i < N; i++) {
    w.weight[i] = 1.0;
  }
  nsd_anderson_start(&w, zero);
  for (int i = 0; i < N; i++) {
    w.g[i] = 1.0;
  }
  ck_assert_int_eq(nsd_anderson_step(&w), 0);
  for (int i = 0; i < N; i++) {
    w.g[i] = w.x[i] + 1e3;
  }
  ck_assert_int_eq(nsd_anderson_step(&w), 0);
  for (int i = 0; i < N; i++) {
    ck_assert_double_eq(w.x[i], 1.0);
  }
  ck_assert_int_eq(w.is_first, 1);
  nsd_arena_release(&room);
}
END_TEST

SUITE("contact/many/anderson", TEST(linear_rounds_end_soon), TEST(growth_goes_back_to_the_best))
