/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/refine.h"

#include "branching.h"

typedef struct bench {
  nsd_arena arena;
  nsd_refine w;
} bench;

static void bench_new(bench *t, int n)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_refine_lay_out(&measure, &t->w, n);
  t->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_refine_lay_out(&t->arena, &t->w, n);
}

/* x > 0 in the first k, y = 0 in the first k + more rows: b is made to fit. What comes in has four digits,
 * what comes out has all. */
START_TEST(digits_come_back)
{
  const int cases = random_cases(2000);
  bench s;
  bench_new(&s, MOST);
  for (int q = 0; q < cases; q++) {
    random_state r = random_seed((uint64_t)q);
    branching *t = branching_new(1 + q % 12);
    const int n = t->n;
    const int k = random_below(&r, n + 1);
    const int zero_rows = k + random_below(&r, n - k + 1);
    double x[MOST] = {0.0}, z[2 * MOST] = {0.0};
    for (int j = 0; j < k; j++) {
      x[j] = random_between(&r, 1.0, 2.0);
    }
    for (int i = 0; i < n; i++) {
      t->b[i] = i < zero_rows ? 0.0 : 1.0;
      for (int j = 0; j < n; j++) {
        t->A[i * n + j] = random_normal(&r);
        t->b[i] -= t->A[i * n + j] * x[j];
      }
    }
    branching_load(t);
    for (int j = 0; j < n; j++) {
      z[j] = x[j] * random_between(&r, 0.9999, 1.0001);
      z[n + j] = j < zero_rows ? 0.0 : 1.0;
    }
    ck_assert_int_eq(nsd_refine_vertex(&s.w, &t->cells, z), 1);
    for (int j = 0; j < n; j++) {
      ck_assert_msg(fabs(z[j] - x[j]) < 1e-8, "seed %d", q);
    }
    branching_free(t);
  }
  nsd_arena_release(&s.arena);
}
END_TEST

/* The kernel of a matrix whose rows are orthogonal to the ray. */
START_TEST(rays_too)
{
  const int cases = random_cases(1000);
  bench s;
  bench_new(&s, MOST);
  for (int q = 0; q < cases; q++) {
    random_state r = random_seed((uint64_t)q);
    branching *t = branching_new(2 + q % 10);
    const int n = t->n;
    double ray[MOST], z[2 * MOST] = {0.0};
    uint8_t rows[MOST] = {0};
    for (int j = 0; j < n; j++) {
      ray[j] = random_between(&r, 0.5, 1.0);
    }
    ray[0] = 1.0;
    for (int i = 0; i < n; i++) {
      t->A[i * n] = 0.0;
      for (int j = 1; j < n; j++) {
        t->A[i * n + j] = random_normal(&r);
        t->A[i * n] -= t->A[i * n + j] * ray[j];
      }
      t->b[i] = 1.0;
    }
    branching_load(t);
    for (int j = 0; j < n; j++) {
      z[j] = ray[j] * (j == 0 ? 1.0 : random_between(&r, 0.9999, 1.0001));
    }
    ck_assert_int_eq(nsd_refine_ray(&s.w, &t->cells, z), 1);
    const nsd_lcp_problem p = {.n = n, .lda = n, .A = t->A, .b = t->b};
    double x[MOST];
    for (int j = 0; j < n; j++) {
      x[j] = z[j];
    }
    ck_assert_msg(nsd_ray_residual(&p, x, rows, NULL) < 1e-11, "seed %d", q);
    x[1] *= 1.01;
    ck_assert(nsd_ray_residual(&p, x, rows, NULL) > 1e-6);
    x[1] = -x[1];
    ck_assert(isinf(nsd_ray_residual(&p, x, rows, NULL)));
    branching_free(t);
  }
  nsd_arena_release(&s.arena);
}
END_TEST

/* A pattern that belongs to no point is refused and z is left alone. */
START_TEST(impossible_patterns_are_refused)
{
  bench s;
  bench_new(&s, 2);
  branching *t = branching_new(2);
  const double A[] = {1.0, 1.0, 1.0, 1.0};
  for (int i = 0; i < 4; i++) {
    t->A[i] = A[i];
  }
  t->b[0] = t->b[1] = -1.0;
  branching_load(t);
  double both[4] = {0.5, 0.5, 0.0, 0.0};
  ck_assert_int_eq(nsd_refine_vertex(&s.w, &t->cells, both), 0);
  ck_assert(both[0] == 0.5 && both[1] == 0.5);
  t->b[0] = t->b[1] = 1.0;
  branching_load(t);
  double negative[4] = {0.5, 0.0, 0.0, 0.0};
  ck_assert_int_eq(nsd_refine_vertex(&s.w, &t->cells, negative), 0);
  ck_assert(negative[0] == 0.5);
  branching_free(t);
  nsd_arena_release(&s.arena);
}
END_TEST

SUITE("lcp/enumerate/refine", TEST(digits_come_back), TEST(rays_too), TEST(impossible_patterns_are_refused))
