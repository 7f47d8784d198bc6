/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/inertia.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stepping.h"

/* An inertia for `m` in memory of its own; released with the arena. */
static nsd_inertia make(nsd_arena *arena, const nsdyn_system_def *def)
{
  nsd_inertia inertia;
  nsd_arena measure = nsd_arena_measure();
  *arena = nsd_arena_empty(NULL);
  nsd_inertia_lay_out(&measure, &inertia, def);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_inertia_lay_out(arena, &inertia, def);
  return inertia;
}

/* M x = b after forward and backward, for all sizes: the kernels written out, and those behind. */
START_TEST(forward_and_backward_solve_with_m)
{
  const int cases = random_cases(400);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 1 + random_below(&random, MODEL_MOST);
    model m;
    double q[MODEL_MOST], b[MODEL_MOST], x[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
    model_random(&m, &random, n, 0, 0, 0);
    for (int i = 0; i < n; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
      x[i] = b[i] = random_between(&random, -1.0, 1.0);
    }
    const nsdyn_system_def def = model_def(&m, 0, 0);
    nsd_arena arena;
    nsd_fault fault;
    nsd_inertia inertia = make(&arena, &def);
    nsd_fault_clear(&fault);
    ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, &fault), NSDYN_OK);
    nsd_inertia_forward(&inertia, x);
    const double energy = nsd_small_dot(n, x, x);
    nsd_inertia_backward(&inertia, x);
    REQUIRE(fabs(energy - nsd_small_dot(n, x, b)) <= 1e-11 * (1.0 + energy), "seed %d", seed);
    model_mass(&m, q, M);
    for (int i = 0; i < n; i++) {
      const double rest = nsd_small_dot(n, M + i * n, x) - b[i];
      REQUIRE(fabs(rest) <= 1e-12 * n, "seed %d: row %d is off by %g", seed, i, rest);
    }
    nsd_arena_release(&arena);
  }
}
END_TEST

/* Bodies of three velocities, each with a mass matrix of its own; or all of them joined. */
typedef struct crowd {
  int bodies, is_joined;
} crowd;

static int crowd_mass(void *user, double t, const double *q, double *M)
{
  const crowd *c = user;
  const int n = 3 * c->bodies;
  (void)t;
  for (int i = 0; i < n * n; i++) {
    const int row = i / n, column = i % n;
    M[i] = row == column                           ? 5.0 + q[row]
           : c->is_joined || row / 3 == column / 3 ? 1.0 / (1.0 + row + column)
                                                   : 0.0;
  }
  return 0;
}

/* Of many bodies most of the factor is zero and is not gone through; what it solves is M x = b all the same.
 */
START_TEST(the_factor_of_many_bodies_is_thin)
{
  enum { BODIES = 40, N = 3 * BODIES };
  static double M[N * N];
  for (int seed = 0; seed < random_cases(100); seed++) {
    random_state random = random_seed((uint64_t)seed);
    crowd c = {BODIES, seed % 2};
    double q[N], b[N], x[N];
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = N;
    def.user = &c;
    def.mass = crowd_mass;
    nsd_arena arena;
    nsd_fault fault;
    nsd_inertia inertia = make(&arena, &def);
    nsd_fault_clear(&fault);
    for (int i = 0; i < N; i++) {
      q[i] = random_unit(&random);
      x[i] = b[i] = random_below(&random, 5) ? 0.0 : random_normal(&random);
    }
    ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, &fault), NSDYN_OK);
    ck_assert_int_eq(inertia.is_thin, !c.is_joined);
    nsd_inertia_forward(&inertia, x);
    nsd_inertia_backward(&inertia, x);
    crowd_mass(&c, 0.0, q, M);
    for (int i = 0; i < N; i++) {
      const double rest = nsd_small_dot(N, M + (size_t)i * N, x) - b[i];
      REQUIRE(fabs(rest) <= 1e-12 * N, "seed %d: row %d is off by %g", seed, i, rest);
    }
    nsd_arena_release(&arena);
  }
}
END_TEST

static void expect_refused(model *m, nsdyn_status status, const char *words, int row)
{
  const double q[MODEL_MOST] = {0.0};
  const nsdyn_system_def def = model_def(m, 0, 0);
  nsd_arena arena;
  nsd_fault fault;
  nsd_inertia inertia = make(&arena, &def);
  nsd_fault_clear(&fault);
  ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, &fault), status);
  ck_assert_msg(strstr(fault.message, words) != NULL, "%s", fault.message);
  ck_assert(fault.detail.kind == NSDYN_DETAIL_ROW && fault.detail.index == row);
  nsd_arena_release(&arena);
}

START_TEST(masses_that_are_none_are_named)
{
  for (int n = 2; n <= MODEL_MOST; n++) {
    model m;
    model_clear(&m, n);
    m.M0[n * n - 1] = -1.0;
    expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, "not positive definite", n - 1);
    m.M0[n * n - 1] = 0.0;
    expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, "not positive definite", n - 1);
    /* Singular: the last two rows are equal. */
    m.M0[n * n - 1] = m.M0[n * n - 2] = m.M0[n * n - n - 1] = 1.0;
    expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, "not positive definite", n - 1);
    m.M0[n * n - 1] = 2.0;
    m.M0[n * n - 2] = NAN;
    expect_refused(&m, NSDYN_ERR_NOT_FINITE, "nan", n - 1);
    m.M0[n * n - 2] = INFINITY;
    expect_refused(&m, NSDYN_ERR_NOT_FINITE, "inf", n - 1);
  }
}
END_TEST

/* A toy of 1e-12 kg beside a ship is no reason to call M indefinite. */
START_TEST(units_do_not_matter)
{
  for (int n = 2; n <= MODEL_MOST; n++) {
    model m;
    model_clear(&m, n);
    m.M0[0] = 1e12;
    m.M0[n * n - 1] = 1e-12;
    const double q[MODEL_MOST] = {0.0};
    const nsdyn_system_def def = model_def(&m, 0, 0);
    nsd_arena arena;
    nsd_inertia inertia = make(&arena, &def);
    double x[MODEL_MOST] = {1.0};
    x[n - 1] = 1.0;
    m.M1[0] = 0.0;
    ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, NULL), NSDYN_OK);
    nsd_inertia_forward(&inertia, x);
    nsd_inertia_backward(&inertia, x);
    ck_assert_double_eq_tol(x[0], 1e-12, 1e-26);
    ck_assert_double_eq_tol(x[n - 1], 1e12, 1e-2);
    nsd_arena_release(&arena);
  }
}
END_TEST

/* Halves that differ by more than rounding are refused; the upper one may be left out altogether. */
START_TEST(both_halves_count)
{
  for (int n = 2; n <= MODEL_MOST; n++) {
    static const double units[] = {1.0, 1e-9, 1e70};
    const double q[MODEL_MOST] = {0.0};
    for (int k = 0; k < 3; k++) {
      model m;
      model_clear(&m, n);
      m.M1[0] = 0.0;
      for (int i = 0; i < n; i++) {
        m.M0[i * n + i] = units[k];
      }
      const nsdyn_system_def def = model_def(&m, 0, 0);
      nsd_arena arena;
      nsd_inertia inertia = make(&arena, &def);
      double *lower = &m.M0[(n - 1) * n], *upper = &m.M0[n - 1];
      *lower = 0.3 * units[k];
      ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, NULL), NSDYN_OK);
      *upper = *lower * (1.0 + 1e-12);
      ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, NULL), NSDYN_OK);
      nsd_arena_release(&arena);
      *upper = -*lower;
      char words[96];
      (void)snprintf(words, sizeof words, "not symmetric: row %d, column 0", n - 1);
      expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, words, n - 1);
      *lower = 0.0; /* the upper one alone */
      expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, words, n - 1);
      *upper = NAN;
      expect_refused(&m, NSDYN_ERR_NOT_FINITE, words, n - 1);
    }
  }
}
END_TEST

/* 1e-7 beyond the last pivot is far from rounding, though small: the closer look lets it pass. */
START_TEST(small_pivots_get_a_closer_look)
{
  model m;
  model_clear(&m, 2);
  m.M0[0] = m.M0[1] = m.M0[2] = 1.0;
  m.M0[3] = 1.0 + 1e-7;
  const double q[2] = {0.0, 0.0};
  const nsdyn_system_def def = model_def(&m, 0, 0);
  nsd_arena arena;
  nsd_inertia inertia = make(&arena, &def);
  double x[MODEL_MOST] = {1.0, 1.0 + 1e-7};
  ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, NULL), NSDYN_OK);
  nsd_inertia_forward(&inertia, x);
  nsd_inertia_backward(&inertia, x);
  ck_assert_double_eq_tol(x[0], 0.0, 1e-8);
  ck_assert_double_eq_tol(x[1], 1.0, 1e-8);
  nsd_arena_release(&arena);
}
END_TEST

/* ---- diagonal blocks ---- */

/* Cut into blocks, M solves what it solves whole, whatever their sizes; a block where b is zero stays so. */
START_TEST(blocks_solve_with_m)
{
  const int cases = random_cases(1000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 1 + random_below(&random, MODEL_MOST);
    model m;
    double q[MODEL_MOST], b[MODEL_MOST], x[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
    model_random(&m, &random, n, 0, 0, 0);
    model_cut(&m, &random);
    m.writes_blocks = 1;
    for (int i = 0, at = 0; i < m.nblocks; at += m.block[i], i++) {
      const double size = random_below(&random, 3) ? 1.0 : 0.0;
      for (int j = at; j < at + m.block[i]; j++) {
        q[j] = random_between(&random, -1.0, 1.0);
        x[j] = b[j] = size * random_between(&random, -1.0, 1.0);
      }
    }
    const nsdyn_system_def def = model_def(&m, 0, 0);
    nsd_arena arena;
    nsd_fault fault;
    nsd_inertia inertia = make(&arena, &def);
    nsd_fault_clear(&fault);
    ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, &fault), NSDYN_OK);
    nsd_inertia_forward(&inertia, x);
    const double energy = nsd_small_dot(n, x, x);
    nsd_inertia_backward(&inertia, x);
    REQUIRE(fabs(energy - nsd_small_dot(n, x, b)) <= 1e-11 * (1.0 + energy), "seed %d", seed);
    model_mass(&m, q, M);
    for (int i = 0; i < n; i++) {
      const double rest = nsd_small_dot(n, M + i * n, x) - b[i];
      REQUIRE(fabs(rest) <= 1e-12 * n, "seed %d: row %d is off by %g", seed, i, rest);
    }
    for (int i = 0, at = 0; i < m.nblocks; at += m.block[i], i++) {
      for (int j = at; b[at] == 0.0 && j < at + m.block[i]; j++) {
        REQUIRE(x[j] == 0.0, "seed %d: %d", seed, j);
      }
    }
    nsd_arena_release(&arena);
  }
}
END_TEST

/* Memory goes by the sizes of the blocks, not by the square of their sum. */
START_TEST(memory_of_blocks_is_linear)
{
  enum { MANY = 3000 };
  static int32_t sizes[MANY];
  size_t used[2];
  for (int i = 0; i < MANY; i++) {
    sizes[i] = 6;
  }
  for (int k = 0; k < 2; k++) {
    crowd c = {0, 0};
    nsdyn_system_def def;
    nsd_inertia inertia;
    nsd_arena measure = nsd_arena_measure();
    nsdyn_system_def_init(&def, sizeof def);
    def.nblocks = k ? MANY : MANY / 10;
    def.nq = def.nu = 6 * def.nblocks;
    def.block = sizes;
    def.user = &c;
    def.mass = crowd_mass;
    nsd_inertia_lay_out(&measure, &inertia, &def);
    used[k] = measure.used;
    ck_assert_int_eq(inertia.is_thin, 1);
  }
  ck_assert_uint_le(used[1], 10 * used[0]);
  ck_assert_uint_le(used[1], 3000 * 400);
}
END_TEST

/* In a block of `size` velocities behind one of two and before another of two. */
static void expect_block_refused(model *m, int size, nsdyn_status status, const char *words, int row)
{
  m->nblocks = 3;
  m->block[0] = m->block[2] = 2;
  m->block[1] = size;
  m->writes_blocks = 1;
  expect_refused(m, status, words, 2 + row);
}

START_TEST(blocks_that_are_none_are_named)
{
  for (int size = 1; size <= MODEL_MOST - 4; size++) {
    const int nu = size + 4, last = (nu + 1) * (2 + size - 1);
    model m;
    char words[120];
    model_clear(&m, nu);
    m.M0[last] = -1.0;
    (void)snprintf(words, sizeof words,
                   "M block 1 (velocities 2 to %d) is not positive definite, as row %d shows", size + 1,
                   size - 1);
    expect_block_refused(&m, size, NSDYN_ERR_NOT_DEFINITE, words, size - 1);
    m.M0[last] = NAN;
    (void)snprintf(words, sizeof words, "M block 1 (velocities 2 to %d) row %d, column %d is nan", size + 1,
                   size - 1, size - 1);
    expect_block_refused(&m, size, NSDYN_ERR_NOT_FINITE, words, size - 1);
    m.M0[last] = 1e160; /* its square would overflow */
    expect_block_refused(&m, size, NSDYN_ERR_NOT_FINITE, "is 1e+160", size - 1);
    if (size > 1) {
      m.M0[last] = 1.0;
      m.M0[last - 1] = 0.25;
      m.M0[last - nu] = -0.25;
      (void)snprintf(words, sizeof words,
                     "M block 1 (velocities 2 to %d) is not symmetric: row %d, column %d is 0.25", size + 1,
                     size - 1, size - 2);
      expect_block_refused(&m, size, NSDYN_ERR_NOT_DEFINITE, words, size - 1);
    }
  }
}
END_TEST

/* A block of seven or six velocities, with kernels of its own or without, in the same tests as small ones. */
START_TEST(large_blocks_are_looked_at_as_closely)
{
  for (int size = 6; size <= 7; size++) {
    const int nu = MODEL_MOST;
    model m;
    model_clear(&m, nu);
    m.nblocks = 2;
    m.block[0] = MODEL_MOST - size;
    m.block[1] = size;
    m.writes_blocks = 1;
    double *last = &m.M0[nu * nu - 1], *lower = last - 1, *upper = last - nu;
    char words[120];
    *last = 0.0;
    (void)snprintf(words, sizeof words, "M block 1 (velocities %d to 7) is not positive definite, as row %d",
                   8 - size, size - 1);
    expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, words, 7);
    *last = 1e160;
    expect_refused(&m, NSDYN_ERR_NOT_FINITE, "is 1e+160", 7);
    *last = 1.0;
    *lower = NAN;
    expect_refused(&m, NSDYN_ERR_NOT_FINITE, "nan", 7);
    *lower = 0.5;
    *upper = 0.4;
    expect_refused(&m, NSDYN_ERR_NOT_DEFINITE, "is not symmetric", 7);
    *upper = 0.0; /* the lower one alone */
    const double q[MODEL_MOST] = {0.0};
    const nsdyn_system_def def = model_def(&m, 0, 0);
    nsd_arena arena;
    nsd_inertia inertia = make(&arena, &def);
    double x[MODEL_MOST] = {0.0};
    x[6] = 1.0;
    x[7] = 0.5;
    ck_assert_int_eq(nsd_inertia_update(&inertia, &def, 0.0, q, NULL), NSDYN_OK);
    nsd_inertia_forward(&inertia, x);
    nsd_inertia_backward(&inertia, x);
    ck_assert_double_eq_tol(x[6], 1.0, 1e-15);
    ck_assert_double_eq_tol(x[7], 0.0, 1e-15);
    nsd_arena_release(&arena);
  }
}
END_TEST

SUITE("system/inertia", TEST(blocks_solve_with_m), TEST(memory_of_blocks_is_linear),
      TEST(blocks_that_are_none_are_named), TEST(large_blocks_are_looked_at_as_closely),
      TEST(forward_and_backward_solve_with_m), TEST(the_factor_of_many_bodies_is_thin),
      TEST(masses_that_are_none_are_named), TEST(units_do_not_matter), TEST(both_halves_count),
      TEST(small_pivots_get_a_closer_look))
