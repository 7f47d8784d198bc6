/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* lcp/sparse/damped_path.c: where a path ends, y = A x + b + ε D (x − x₀) holds with all signs. */
#include "lcp/sparse/damped_path.h"

#include "base/tolerances.h"
#include "sparse_cases.h"
#include "support/random.h"

enum { N = 60 };

/* A band, diagonally dominant by rows, not symmetric: of class P. Bounds of every kind. */
static sparse_case band(random_state *r)
{
  sparse_case c = sparse_case_new(N, 5 * N);
  for (int32_t i = 0; i < N; i++) {
    for (int32_t j = i < 2 ? 0 : i - 2; j < N && j <= i + 2; j++) {
      sparse_case_add(&c, i, j, i == j ? 3.0 : random_between(r, -0.7, 0.7));
    }
    sparse_case_end_row(&c, i);
    c.b[i] = random_between(r, -1.0, 1.0);
    const int kind = random_below(r, 5);
    c.lo[i] = kind == 0 ? -INFINITY : kind == 1 ? -0.1 : 0.0;
    c.hi[i] = kind == 1 || kind == 2 ? 0.2 : kind == 4 && c.lo[i] == 0.0 ? 0.0 : INFINITY;
  }
  return c;
}

typedef struct path_case {
  sparse_case c;
  nsd_sparse_problem p;
  nsd_arena room;
  nsd_active_set a;
  nsd_damped w;
  nsd_poll poll;
} path_case;

/* One step of a whole solve lays everything out. */
static void open_case(path_case *k, random_state *r)
{
  nsd_arena measure = nsd_arena_measure();
  int32_t steps = 0;
  k->c = band(r);
  k->p = (nsd_sparse_problem){.A = {.n = N, .row = k->c.row, .column = k->c.column, .value = k->c.value},
                              .b = k->c.b,
                              .lo = k->c.lo,
                              .hi = k->c.hi};
  k->poll = nsd_poll_of(NULL, "testing");
  k->room = nsd_arena_empty(NULL);
  nsd_active_set_lay_out(&measure, &k->a, N);
  ck_assert_int_eq(nsd_arena_reserve(&k->room, &measure), NSDYN_OK);
  nsd_active_set_lay_out(&k->room, &k->a, N);
  k->a.poll = &k->poll;
  k->w = nsd_damped_empty(NULL);
  ck_assert_int_ge(nsd_damped_solve(&k->w, &k->a, &k->p, 1e-9, 1e9, 1, &steps), NSDYN_OK);
  k->w.most_steps = 1000000;
}

static void close_case(path_case *k)
{
  nsd_damped_release(&k->w);
  nsd_arena_release(&k->room);
  sparse_case_free(&k->c);
}

/* Row i of problem (1) at w->x, with x₀. */
static double row_at(const path_case *k, int32_t i, double epsilon, const double *center)
{
  double y = k->c.b[i] + epsilon * 3.0 * (k->w.x[i] - center[i]);
  for (int64_t l = k->c.row[i]; l < k->c.row[i + 1]; l++) {
    y += k->c.value[l] * k->w.x[k->c.column[l]];
  }
  return y;
}

/* From anywhere, with any ε. The least ε goes to the last digits, others to a thousandth of the way. */
START_TEST(a_path_ends_at_a_solution)
{
  const int cases = random_cases(300);
  int moved = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state r = random_seed((uint64_t)seed);
    path_case k;
    double center[N];
    open_case(&k, &r);
    const double epsilon = k.w.f.epsilon = seed % 3 ? random_scale(&r, 2.0) : NSD_DAMPED_SHARP;
    for (int i = 0; i < N; i++) {
      center[i] = random_between(&r, -1.0, 1.0);
    }
    ck_assert_int_eq(nsd_damped_follow(&k.w, center, 10 * N), NSDYN_OK);
    moved += k.w.moved > 0;
    const double slack = seed % 3 ? 2e-2 * (1.0 + epsilon) : 1e-11;
    for (int32_t i = 0; i < N; i++) {
      const double x = k.w.x[i], y = row_at(&k, i, epsilon, center);
      ck_assert_msg(x >= k.c.lo[i] - 1e-12 && x <= k.c.hi[i] + 1e-12, "seed %d: x_%d = %g", seed, (int)i, x);
      const int is_low = x <= k.c.lo[i] + 1e-12, is_high = x >= k.c.hi[i] - 1e-12;
      ck_assert_msg((is_low || y <= slack) && (is_high || y >= -slack), "seed %d: y_%d = %g, x = %g", seed,
                    (int)i, y, x);
    }
    close_case(&k);
  }
  ck_assert(is_common(moved, cases, 2));
}
END_TEST

/* A limit of pieces ends it, and what was nearest is at hand. */
START_TEST(a_path_heeds_its_limit)
{
  random_state r = random_seed(1);
  path_case k;
  double center[N];
  open_case(&k, &r);
  k.w.f.epsilon = 1e-3;
  for (int i = 0; i < N; i++) {
    center[i] = 5.0 * random_between(&r, -1.0, 1.0);
  }
  ck_assert_int_eq(nsd_damped_follow(&k.w, center, 3), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(k.w.moved, 3);
  ck_assert(k.w.least < 1.0 && isfinite(k.w.nearest[0]));
  close_case(&k);
}
END_TEST

SUITE("lcp/sparse/damped_path", TEST(a_path_ends_at_a_solution), TEST(a_path_heeds_its_limit))
