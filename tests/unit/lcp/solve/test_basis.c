/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/basis.h"

#include <string.h>

/* The same source once more, built without AVX2, under other names. */
#include "base/kernels/cpu.h"
#define nsd_cpu_avx2() 0
#define nsd_basis_lay_out plain_basis_lay_out
#define nsd_basis_solve plain_basis_solve
#define nsd_basis_solve_symmetric plain_basis_solve_symmetric
#define nsd_basis_order_rows plain_basis_order_rows
#define nsd_basis_learn plain_basis_learn
#define nsd_basis_replay plain_basis_replay
#define nsd_basis_of plain_basis_of
#define nsd_lcp_project plain_lcp_project
#define nsd_lcp_project_zero plain_lcp_project_zero
void plain_basis_lay_out(nsd_arena *arena, nsd_basis *w, int n);
nsdyn_status plain_basis_solve(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x);
nsdyn_status plain_basis_solve_symmetric(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis,
                                         double *x);
void plain_basis_order_rows(const int32_t *basis, int n, nsd_basis_order *order);
void plain_basis_learn(const nsd_basis *w, int n, nsd_basis_order *order);
int plain_basis_replay(nsd_basis *w, const nsd_lcp_problem *p, const nsd_basis_order *order, double *x,
                       double *uncut);
void plain_basis_of(const nsd_lcp_problem *p, const double *x, int32_t *basis);
void plain_lcp_project(const nsd_lcp_problem *p, double *x);
void plain_lcp_project_zero(const nsd_lcp_problem *p, double *x);
/* NOLINTNEXTLINE(bugprone-suspicious-include): that is the point */
#include "lcp/solve/basis.c"
#undef nsd_cpu_avx2
#undef nsd_basis_lay_out
#undef nsd_basis_solve
#undef nsd_basis_solve_symmetric
#undef nsd_basis_order_rows
#undef nsd_basis_learn
#undef nsd_basis_replay
#undef nsd_basis_of
#undef nsd_lcp_project
#undef nsd_lcp_project_zero

#include "suite.h"
#include "support/problems.h"

#define MOST 30

static void lay_out(nsd_arena *arena, nsd_basis *w)
{
  *arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_basis_lay_out(&measure, w, MOST);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_basis_lay_out(arena, w, MOST);
}

/* Rows of basic unknowns are equations, the others keep their bounds, for any basis of any matrix; symmetric
 * positive definite ones come out alike by both ways. */
START_TEST(basic_rows_become_equations)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  problem *q = problem_new(MOST);
  const int c = problem_class_find("box_pd");
  for (int seed = 0; seed < random_cases(500); seed++) {
    problem_make(q, c, 1 + seed % 16, (uint64_t)seed);
    const nsd_lcp_problem p = {.n = q->n, .lda = q->n, .A = q->A, .b = q->b, .lo = q->lo, .hi = q->hi};
    random_state random = random_seed((uint64_t)seed);
    int32_t basis[MOST];
    double x[MOST];
    double z[MOST];
    for (int i = 0; i < p.n; i++) {
      basis[i] = random_below(&random, 3);
    }
    ck_assert_int_eq(nsd_basis_solve(&w, &p, basis, x), NSDYN_OK);
    ck_assert_int_eq(nsd_basis_solve_symmetric(&w, &p, basis, z), NSDYN_OK);
    for (int i = 0; i < p.n; i++) {
      if (basis[i] != NSDYN_LCP_BASIC) {
        ck_assert(x[i] == (basis[i] == NSDYN_LCP_AT_LO ? q->lo[i] : q->hi[i]) && z[i] == x[i]);
        continue;
      }
      double y = p.b[i];
      double other = p.b[i];
      double size = fabs(p.b[i]);
      for (int j = 0; j < p.n; j++) {
        y += nsd_lcp_row(&p, i)[j] * x[j];
        other += nsd_lcp_row(&p, i)[j] * z[j];
        size += fabs(nsd_lcp_row(&p, i)[j] * x[j]);
      }
      ck_assert_msg(fabs(y) <= 1e-11 * size && fabs(other) <= 1e-11 * size, "seed %d, row %d", seed, i);
    }
  }
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(infinite_bounds_are_no_place_to_stand)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  const double A[4] = {2.0, 0.0, 0.0, 4.0};
  const double b[2] = {-2.0, -4.0};
  const double lo[2] = {-INFINITY, 0.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b, .lo = lo, .hi = NULL};
  const int32_t basis[2] = {NSDYN_LCP_AT_LO, NSDYN_LCP_AT_HI};
  double x[2];
  ck_assert_int_eq(nsd_basis_solve(&w, &p, basis, x), NSDYN_OK);
  ck_assert(x[0] == 1.0 && x[1] == 1.0);
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(singular_blocks_leave_x_alone)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  const double A[4] = {1.0, 1.0, 1.0, 1.0};
  const double b[2] = {-1.0, -2.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  const int32_t basis[2] = {NSDYN_LCP_BASIC, NSDYN_LCP_BASIC};
  double x[2] = {7.0, 8.0};
  ck_assert_int_eq(nsd_basis_solve(&w, &p, basis, x), NSDYN_ERR_SINGULAR);
  ck_assert_int_eq(nsd_basis_solve_symmetric(&w, &p, basis, x), NSDYN_ERR_NOT_DEFINITE);
  ck_assert(x[0] == 7.0 && x[1] == 8.0);
  nsd_arena_release(&arena);
}
END_TEST

/* An open contact of Glocker & Studer's LCP: Λ_R is basic and zero, and comes out as zero to the bit whatever
 * the numbers are, with friction rows of any size. */
START_TEST(degenerate_unknowns_are_zero_to_the_bit)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  const int32_t basis[3] = {NSDYN_LCP_AT_LO, NSDYN_LCP_BASIC, NSDYN_LCP_BASIC};
  for (int seed = 0; seed < random_cases(2000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double g = random_scale(&random, 6.0);
    const double mu = random_unit(&random);
    const double A[9] = {g, 0.3 * g, 0.0, 0.3 * g - mu * g, g, 1.0, 2.0 * mu, -1.0, 0.0};
    const double b[3] = {random_unit(&random), -random_scale(&random, 6.0), 0.0};
    const nsd_lcp_problem p = {.n = 3, .lda = 3, .A = A, .b = b};
    double x[3];
    ck_assert_int_eq(nsd_basis_solve(&w, &p, basis, x), NSDYN_OK);
    ck_assert_msg(x[0] == 0.0 && x[1] == 0.0, "seed %d: %g", seed, x[1]);
    ck_assert_msg(fabs(x[2] + b[1]) <= 1e-15 * fabs(b[1]), "seed %d: %g, %g", seed, x[2], b[1]);
  }
  nsd_arena_release(&arena);
}
END_TEST

START_TEST(a_point_has_its_basis_and_its_projection)
{
  const double lo[4] = {0.0, -1.0, -INFINITY, 2.0};
  const double hi[4] = {INFINITY, 1.0, INFINITY, 2.0};
  const nsd_lcp_problem p = {.n = 4, .lda = 4, .lo = lo, .hi = hi};
  double x[4] = {0.0, 1.0, -5.0, 2.0};
  int32_t basis[4];
  nsd_basis_of(&p, x, basis);
  ck_assert_int_eq(basis[0], NSDYN_LCP_AT_LO);
  ck_assert_int_eq(basis[1], NSDYN_LCP_AT_HI);
  ck_assert_int_eq(basis[2], NSDYN_LCP_BASIC);
  ck_assert_int_eq(basis[3], NSDYN_LCP_AT_LO);
  double z[4] = {-1e-17, 3.0, 1e300, 2.5};
  nsd_lcp_project(&p, z);
  ck_assert(z[0] == 0.0 && z[1] == 1.0 && z[2] == 1e300 && z[3] == 2.0);
}
END_TEST

/* A basis, and its problem a little later. */
static nsd_lcp_problem drifted(problem *q, random_state *r, double by)
{
  for (int k = 0; k < q->n * q->n; k++) {
    q->A[k] *= 1.0 + by * (random_unit(r) - 0.5);
  }
  for (int i = 0; i < q->n; i++) {
    q->b[i] *= 1.0 + by * (random_unit(r) - 0.5);
  }
  return (nsd_lcp_problem){.n = q->n, .lda = q->n, .A = q->A, .b = q->b};
}

/* Elimination in the order that is known, or in that of the rows, gives the x of a new search, for every
 * size; with AVX2 and without the same bits. What is negative is cut off, and kept uncut beside it. */
START_TEST(a_known_order_gives_the_same_x)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  problem *q = problem_new(MOST);
  int rows[MOST + 3];
  int columns[MOST + 3];
  int position[MOST + 3];
  nsd_basis_order order = {.m = -1, .rows = rows, .columns = columns, .position = position};
  const char *const classes[] = {"p", "planar_friction", "pd_nonsymmetric"};
  int compared = 0;
  for (int seed = 0; seed < random_cases(3000); seed++) {
    random_state r = random_seed((uint64_t)seed);
    problem_make(q, problem_class_find(classes[seed % 3]), 3 + seed % (MOST - 2), (uint64_t)seed);
    nsd_lcp_problem p = drifted(q, &r, 0.0);
    int32_t basis[MOST];
    double x[MOST];
    double z[MOST + 3];
    double uncut[MOST + 3];
    double plain_z[MOST + 3];
    double plain_uncut[MOST + 3];
    for (int i = 0; i < p.n; i++) {
      basis[i] = random_below(&r, 2);
    }
    if (nsd_basis_solve(&w, &p, basis, x) != NSDYN_OK) {
      continue;
    }
    nsd_basis_learn(&w, p.n, &order);
    if (seed % 3 == 0) { /* a P-matrix needs no search */
      nsd_basis_order_rows(basis, p.n, &order);
    }
    p = drifted(q, &r, seed % 2 ? 0.01 : 0.0);
    const int sound = nsd_basis_replay(&w, &p, &order, z, uncut);
    ck_assert_int_eq(sound, plain_basis_replay(&w, &p, &order, plain_z, plain_uncut));
    const size_t size = (size_t)p.n * sizeof *z;
    ck_assert(!memcmp(z, plain_z, size) && !memcmp(uncut, plain_uncut, size));
    if (!sound || nsd_basis_solve(&w, &p, basis, x) != NSDYN_OK) {
      continue;
    }
    double largest = 0.0;
    for (int i = 0; i < p.n; i++) {
      largest = fmax(largest, fabs(x[i]));
    }
    for (int i = 0; i < p.n; i++) {
      ck_assert(z[i] == (uncut[i] > 0.0 ? uncut[i] : 0.0));
      ck_assert(basis[i] == NSDYN_LCP_BASIC || uncut[i] == 0.0);
      /* A random basis may be badly conditioned: a share of 1e-5 tells a wrong system from rounding. */
      ck_assert_msg(fabs(uncut[i] - x[i]) <= 1e-5 * largest, "seed %d, row %d: %g, %g", seed, i, uncut[i],
                    x[i]);
    }
    compared++;
  }
  ck_assert_int_gt(2 * compared, random_cases(3000));
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

/* Pivots that are rounding, or no numbers, are told. */
START_TEST(a_known_order_may_not_do)
{
  nsd_arena arena;
  nsd_basis w;
  lay_out(&arena, &w);
  problem *q = problem_new(MOST);
  int rows[MOST + 3];
  int columns[MOST + 3];
  int position[MOST + 3];
  nsd_basis_order order = {.m = -1, .rows = rows, .columns = columns, .position = position};
  for (int n = 2; n <= MOST; n++) {
    problem_make(q, problem_class_find("p"), n, 1);
    const nsd_lcp_problem p = {.n = n, .lda = n, .A = q->A, .b = q->b};
    int32_t basis[MOST];
    double x[MOST + 3];
    double uncut[MOST + 3];
    for (int i = 0; i < n; i++) {
      basis[i] = NSDYN_LCP_BASIC;
    }
    ck_assert_int_eq(nsd_basis_solve(&w, &p, basis, x), NSDYN_OK);
    nsd_basis_learn(&w, n, &order);
    ck_assert_int_eq(order.m, n);
    ck_assert(nsd_basis_replay(&w, &p, &order, x, uncut));
    const double corner = q->A[0];
    q->A[0] = NAN;
    ck_assert(!nsd_basis_replay(&w, &p, &order, x, uncut));
    q->A[0] = corner;
    for (int j = 0; j < n; j++) {
      q->A[n + j] = q->A[j] * (1.0 + (j % 2 ? 1e-16 : 0.0)); /* two rows that are one */
    }
    ck_assert(!nsd_basis_replay(&w, &p, &order, x, uncut));
  }
  problem_free(q);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/basis", TEST(a_known_order_gives_the_same_x), TEST(a_known_order_may_not_do),
      TEST(basic_rows_become_equations), TEST(infinite_bounds_are_no_place_to_stand),
      TEST(singular_blocks_leave_x_alone), TEST(degenerate_unknowns_are_zero_to_the_bit),
      TEST(a_point_has_its_basis_and_its_projection))
