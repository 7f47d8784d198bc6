/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/enumerate.h"

#include "collect.h"
#include "lcp/proof/certificate.h"
#include "support/counted_memory.h"
#include "support/exact_cells.h"
#include "support/exhaust.h"
#include "support/problems.h"

#define MOST 64
#define TOL 1e-9

typedef struct bench {
  nsd_arena arena;
  nsd_enumerate w;
  nsd_enumerate_options options;
  nsdyn_lcp_census census;
  collection all;    /* the enumerator's */
  collection judged; /* the judge's */
  problem *problem;
  double A[MOST * MOST], b[MOST], x[MOST];
  int32_t basis[MOST];
  nsd_lcp_answer answer;
} bench;

static bench *bench_new(nsdyn_context *ctx)
{
  bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->arena = nsd_arena_empty(NULL);
  nsd_enumerate_init(&t->w, ctx);
  nsd_arena measure = nsd_arena_measure();
  nsd_enumerate_lay_out(&measure, &t->w, MOST, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  t->options = (nsd_enumerate_options){.tol = TOL, .max_nodes = -1};
  t->problem = problem_new(MOST);
  ck_assert_ptr_nonnull(t->problem);
  return t;
}

static void bench_free(bench *t)
{
  nsd_enumerate_release(&t->w);
  nsd_arena_release(&t->arena);
  collection_free(&t->all);
  collection_free(&t->judged);
  problem_free(t->problem);
  free(t);
}

static nsd_lcp_problem of_class(bench *t, int index, int n, uint64_t seed)
{
  problem_make(t->problem, index, n, seed);
  return (nsd_lcp_problem){.n = t->problem->n, .lda = t->problem->n, .A = t->problem->A, .b = t->problem->b};
}

static nsd_lcp_problem own(bench *t, int n)
{
  return (nsd_lcp_problem){.n = n, .lda = n, .A = t->A, .b = t->b};
}

static void lay_out(bench *t, int n)
{
  t->arena.used = 0;
  nsd_enumerate_lay_out(&t->arena, &t->w, n, n);
}

static nsdyn_status list(bench *t, const nsd_lcp_problem *p)
{
  lay_out(t, p->n);
  collection_clear(&t->all);
  t->census = (nsdyn_lcp_census){.size = sizeof t->census};
  return nsd_enumerate_all(&t->w, p, &t->options, collect, &t->all, &t->census);
}

static nsdyn_status first(bench *t, const nsd_lcp_problem *p)
{
  lay_out(t, p->n);
  t->answer = (nsd_lcp_answer){.x = t->x, .basis = t->basis, .refused_row = -1};
  return nsd_enumerate_first(&t->w, p, &t->options, &t->answer);
}

/* Facts about any list of solutions, from A and b: vertices solve, rays are directions within their piece,
 * the census counts what was handed out. */
static void check_list(bench *t, const nsd_lcp_problem *p, nsdyn_status status, const char *what,
                       uint64_t seed)
{
  const int n = p->n;
  int64_t points = 0, bounded = 0, unbounded = 0;
  for (int k = 0; k < t->all.count; k++) {
    const kept_piece *piece = &t->all.pieces[k];
    points += piece->dimension == 0;
    bounded += piece->dimension > 0 && piece->rays == 0;
    unbounded += piece->rays > 0;
    ck_assert_int_ge(piece->vertices, 1);
    for (int v = 0; v < piece->vertices; v++) {
      const double *x = piece->vertex + v * n;
      const double residual = nsd_certify(p, x, NULL).residual;
      ck_assert_msg(residual <= 1e-12, "%s seed %lu: vertex with residual %g", what, (unsigned long)seed,
                    residual);
    }
    for (int r = 0; r < piece->rays; r++) {
      const double *ray = piece->ray + r * n;
      double largest = 0.0;
      for (int i = 0; i < n; i++) {
        double sum = 0.0, size = 0.0;
        for (int j = 0; j < n; j++) {
          sum += nsd_lcp_row(p, i)[j] * ray[j];
          size += fabs(nsd_lcp_row(p, i)[j] * ray[j]);
        }
        largest = fmax(largest, ray[i]);
        ck_assert(ray[i] == 0.0 || (ray[i] > 0.0 && (piece->support[i] & 1)));
        ck_assert(sum >= -1e-12 * size);
        ck_assert(sum <= 1e-12 * size || (piece->support[i] & 2));
      }
      ck_assert(fabs(largest - 1.0) <= 1e-15);
    }
    for (int i = 0; i < n; i++) {
      ck_assert_int_ne(piece->support[i], 3);
    }
  }
  if (status != NSDYN_MAX_ITERATIONS) {
    ck_assert_int_eq(t->census.complete, t->census.doubtful == 0);
  }
  ck_assert_int_eq(t->census.points, points);
  ck_assert_int_eq(t->census.bounded_pieces, bounded);
  ck_assert_int_eq(t->census.unbounded_pieces, unbounded);
}

/* The list is that of the judge who knows no tolerance. */
static int exact_judge_agrees(bench *t, const nsd_lcp_problem *p)
{
  const int n = p->n;
  cells *c = cells_new(2 * n, n);
  for (int i = 0; i < n; i++) {
    double unit[MOST] = {0.0};
    unit[i] = 1.0;
    cells_set(c, i, unit, 0.0);
    cells_set(c, n + i, nsd_lcp_row(p, i), p->b[i]);
  }
  for (unsigned alpha = 0; alpha < 1u << n; alpha++) {
    int8_t ask[2 * MOST];
    for (int i = 0; i < n; i++) {
      ask[i] = alpha >> i & 1u ? CELLS_MORE : CELLS_ZERO;
      ask[n + i] = alpha >> i & 1u ? CELLS_ZERO : CELLS_MORE;
    }
    cells_add(c, ask);
  }
  int same = cells_count(c) == t->all.count;
  for (int k = 0; k < t->all.count && same; k++) {
    uint32_t own = 0;
    int found = 0;
    for (int i = 0; i < n; i++) {
      own |= (uint32_t)(t->all.pieces[k].support[i] & 1) << i;
      own |= (uint32_t)(t->all.pieces[k].support[i] >> 1 & 1) << (n + i);
    }
    for (int l = 0; l < cells_count(c); l++) {
      found |= cells_get(c, l)->more == own && cells_get(c, l)->dimension == t->all.pieces[k].dimension;
    }
    same = found;
  }
  cells_free(c);
  return same;
}

/* The enumerator's list is the judge's. Returns 0 where the enumerator says that the problem is decided at
 * rounding level; then nothing is compared. */
static int agrees_with_judge(bench *t, const nsd_lcp_problem *p, const char *what, uint64_t seed)
{
  const nsdyn_status status = list(t, p);
  check_list(t, p, status, what, seed);
  if (t->census.doubtful) {
    return 0;
  }
  collection_clear(&t->judged);
  nsdyn_lcp_census census = {.size = sizeof census};
  const nsdyn_status judged = nsd_exhaust(NULL, p, TOL, collect, &t->judged, &census);
  /* The judge has a tolerance: of a matrix that is singular but for rounding another one has the word. */
  if (status != judged || t->all.count != t->judged.count ||
      first_difference(&t->all, &t->judged, 1e-6) >= 0) {
    REQUIRE(exact_judge_agrees(t, p), "%s n %d seed %lu: status %d, %d pieces; judge %d, %d", what, p->n,
            (unsigned long)seed, status, t->all.count, judged, t->judged.count);
    return 1;
  }
  ck_assert_int_eq(t->census.max_dimension, census.max_dimension);
  return 1;
}

/* ---- tests ---------------------------------------------------------------------------------------- */

static int is_plain(const bench *t)
{
  return !(t->problem->traits & PROBLEM_MIXED);
}

static void classes_up_to(int most, int cases_per_class)
{
  bench *t = bench_new(NULL);
  const int cases = random_cases(cases_per_class);
  int compared = 0, total = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      const nsd_lcp_problem p = of_class(t, c, 1 + k % most, (uint64_t)k);
      if (is_plain(t) && p.n <= 12) {
        compared += agrees_with_judge(t, &p, problem_class_name(c), (uint64_t)k);
        total++;
      }
    }
  }
  ck_assert_int_gt(total, 0);
  ck_assert_int_ge(1000 * compared, 995 * total);
  bench_free(t);
}

START_TEST(every_class_has_the_judges_solutions)
{
  classes_up_to(8, 100);
}
END_TEST

START_TEST(every_class_up_to_twelve)
{
  classes_up_to(12, 12);
}
END_TEST

/* Elements of a few small integers: singular bases, ties and continua of every kind. */
static void make_integers(bench *t, random_state *r, int n, int kind)
{
  const int most = kind == 1 ? 2 : 1;
  for (int k = 0; k < n * n; k++) {
    t->A[k] = random_below(r, 2 * most + 1) - most;
  }
  for (int i = 0; i < n; i++) {
    t->b[i] = random_below(r, 2 * most + 1) - most;
  }
  if (kind < 2) {
    return;
  }
  /* Rows and columns that repeat, and many zeros. */
  for (int i = 0; i < n; i++) {
    const int row = random_below(r, n), column = random_below(r, n);
    for (int j = 0; j < n; j++) {
      t->A[i * n + j] = random_below(r, 3) == 0 ? t->A[row * n + j] : t->A[i * n + j];
      t->A[j * n + i] = random_below(r, 4) == 0 ? t->A[j * n + column] : t->A[j * n + i];
      t->A[i * n + j] *= random_below(r, 2);
    }
    t->b[i] = random_below(r, 3) == 0 ? t->b[row] : t->b[i];
  }
}

START_TEST(small_integers_have_the_judges_solutions)
{
  bench *t = bench_new(NULL);
  const int cases = random_cases(6000);
  int continua = 0, several = 0, none = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 8;
    make_integers(t, &r, n, k % 3);
    const nsd_lcp_problem p = own(t, n);
    ck_assert_msg(agrees_with_judge(t, &p, "integers", (uint64_t)k), "seed %d is doubtful", k);
    continua += t->census.max_dimension > 0;
    several += t->all.count > 1;
    none += t->all.count == 0;
  }
  ck_assert_int_gt(20 * continua, cases);
  ck_assert_int_gt(20 * several, cases);
  ck_assert_int_gt(20 * none, cases);
  bench_free(t);
}
END_TEST

/* Units of rows and columns over 24 decades, not powers of two: the same pieces in other units. The units
 * round A and b, so a problem that is empty by a hair may no longer be proved so. */
START_TEST(units_do_not_matter)
{
  bench *t = bench_new(NULL);
  bench *u = bench_new(NULL);
  const int cases = random_cases(1500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 10;
    double unit[MOST];
    make_integers(t, &r, n, k % 3);
    for (int j = 0; j < n; j++) {
      unit[j] = ldexp(1.0, random_below(&r, 21) - 10);
    }
    for (int i = 0; i < n; i++) {
      const double f = ldexp(1.0, random_below(&r, 81) - 40);
      for (int j = 0; j < n; j++) {
        u->A[i * n + j] = f * t->A[i * n + j] * unit[j];
      }
      u->b[i] = f * t->b[i];
    }
    const nsd_lcp_problem p = own(t, n), q = own(u, n);
    const nsdyn_status status = list(t, &p), other = list(u, &q);
    ck_assert_int_eq(status, other);
    ck_assert_msg(t->all.count == u->all.count, "seed %d: %d pieces, scaled %d", k, t->all.count,
                  u->all.count);
    for (int a = 0; a < t->all.count; a++) {
      int found = 0;
      for (int b = 0; b < u->all.count; b++) {
        const kept_piece *x = &t->all.pieces[a], *y = &u->all.pieces[b];
        found |= x->dimension == y->dimension && x->vertices == y->vertices && x->rays == y->rays &&
                 memcmp(x->support, y->support, (size_t)n * sizeof *x->support) == 0;
      }
      ck_assert_msg(found, "seed %d: piece %d is missing in other units", k, a);
    }
  }
  bench_free(t);
  bench_free(u);
}
END_TEST

/* Whether rounding A and b may have left no solution: A is singular, and b = y − A x is in its range but for
 * that. No other class, and no other promise of these, is broken in 1 000 problems of n = 1 to 8 each. */
static int is_lost_in_rounding(const problem *q)
{
  static const char *const names[] = {"psd_symmetric", "psd_nonsymmetric", "scaled_psd", "linear_program"};
  int is_singular = 0;
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    is_singular |= strcmp(q->name, names[k]) == 0;
  }
  return is_singular && q->promise == PROBLEM_SOLVABLE;
}

/* What theory or construction promises, at sizes no judge reaches. */
START_TEST(promises_hold_at_larger_sizes)
{
  bench *t = bench_new(NULL);
  t->options.max_nodes = 3000;
  const int cases = random_cases(10);
  int finished = 0;
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      const nsd_lcp_problem p = of_class(t, c, 13 + k % 8, (uint64_t)k);
      if (!is_plain(t)) {
        continue;
      }
      const nsdyn_status status = list(t, &p);
      check_list(t, &p, status, t->problem->name, (uint64_t)k);
      if (!t->census.complete || t->census.doubtful) {
        continue;
      }
      finished++;
      const problem *q = t->problem;
      const char *name = q->name;
      ck_assert_msg(q->promise != PROBLEM_NONE || status == NSDYN_NO_SOLUTION, "%s seed %d", name, k);
      ck_assert_msg(q->promise != PROBLEM_SOLVABLE || status == NSDYN_OK || is_lost_in_rounding(q),
                    "%s seed %d: status %d", name, k, status);
      ck_assert_msg(q->promise != PROBLEM_UNIQUE || (t->all.count == 1 && t->census.points == 1),
                    "%s seed %d: %d pieces", name, k, t->all.count);
      ck_assert_msg(q->count < 0.0 || (double)t->census.points == q->count, "%s seed %d", name, k);
    }
  }
  ck_assert_int_gt(finished, 20 * cases);
  bench_free(t);
}
END_TEST

/* The first solution is one of them; where there is none, both ways say so. */
START_TEST(first_solution)
{
  bench *t = bench_new(NULL);
  const int cases = random_cases(40);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      const nsd_lcp_problem p = of_class(t, c, 1 + k % 14, (uint64_t)k);
      if (!is_plain(t)) {
        continue;
      }
      const nsdyn_status status = first(t, &p);
      ck_assert_msg(t->problem->promise != PROBLEM_NONE || status == NSDYN_NO_SOLUTION, "%s seed %d: %d",
                    t->problem->name, k, status);
      if (status == NSDYN_OK) {
        ck_assert(t->problem->promise != PROBLEM_NONE);
        ck_assert(nsd_certify(&p, t->x, NULL).residual <= 1e-12);
        for (int i = 0; i < p.n; i++) {
          ck_assert_int_eq(t->basis[i], t->x[i] > 0.0 ? NSDYN_LCP_BASIC : NSDYN_LCP_AT_LO);
        }
      } else {
        ck_assert_int_eq(status, list(t, &p));
        for (int i = 0; i < p.n; i++) {
          ck_assert(t->x[i] >= 0.0);
        }
      }
    }
  }
  bench_free(t);
}
END_TEST

/* A = −I, b = 1: each pair has its own choice, 2^n points; to count them takes no visitor. */
START_TEST(every_basis_a_solution)
{
  bench *t = bench_new(NULL);
  for (int n = 0; n <= 12; n++) {
    memset(t->A, 0, sizeof t->A);
    for (int i = 0; i < n; i++) {
      t->A[i * n + i] = -1.0;
      t->b[i] = 1.0;
    }
    const nsd_lcp_problem p = own(t, n);
    ck_assert_int_eq(list(t, &p), NSDYN_OK);
    ck_assert_int_eq(t->all.count, 1 << n);
    ck_assert_int_eq(t->census.points, 1 << n);
    lay_out(t, n);
    ck_assert_int_eq(nsd_enumerate_all(&t->w, &p, &t->options, NULL, NULL, &t->census), NSDYN_OK);
    ck_assert_int_eq(t->census.points, 1 << n);
  }
  bench_free(t);
}
END_TEST

/* Isolated points are handed out as they are met: of 2^40 the visitor wants five. */
START_TEST(a_visitor_may_stop)
{
  bench *t = bench_new(NULL);
  const int n = 40;
  memset(t->A, 0, sizeof t->A);
  for (int i = 0; i < n; i++) {
    t->A[i * n + i] = -1.0;
    t->b[i] = 1.0;
  }
  const nsd_lcp_problem p = own(t, n);
  t->all.stop_after = 5;
  ck_assert_int_eq(list(t, &p), NSDYN_CANCELLED);
  ck_assert_int_eq(t->all.count, 5);
  ck_assert_int_eq(t->census.complete, 0);
  t->all.stop_after = 0;
  t->options.max_nodes = 500;
  ck_assert_int_eq(list(t, &p), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(t->census.complete, 0);
  ck_assert_int_le(t->census.nodes, 500);
  bench_free(t);
}
END_TEST

/* A = 0, b = 0: every x >= 0 solves, one cone with n rays and the origin. With b = 1 only the origin does. */
START_TEST(cone_and_origin)
{
  bench *t = bench_new(NULL);
  for (int n = 1; n <= 20; n++) {
    memset(t->A, 0, sizeof t->A);
    memset(t->b, 0, sizeof t->b);
    const nsd_lcp_problem p = own(t, n);
    ck_assert_int_eq(list(t, &p), NSDYN_OK);
    ck_assert_int_eq(t->all.count, 1);
    ck_assert_int_eq(t->all.pieces[0].dimension, n);
    ck_assert_int_eq(t->all.pieces[0].vertices, 1);
    ck_assert_int_eq(t->all.pieces[0].rays, n);
    for (int i = 0; i < n; i++) {
      t->b[i] = 1.0;
    }
    ck_assert_int_eq(list(t, &p), NSDYN_OK);
    ck_assert_int_eq(t->all.count, 1);
    ck_assert_int_eq(t->census.points, 1);
  }
  bench_free(t);
}
END_TEST

/* Two supports carry one load, x_1 + x_2 = 1: a segment, and none of its ends counts on its own. */
START_TEST(redundant_supports)
{
  bench *t = bench_new(NULL);
  const double A[] = {1.0, 1.0, 1.0, 1.0}, b[] = {-1.0, -1.0};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(t->all.count, 1);
  const kept_piece *piece = &t->all.pieces[0];
  ck_assert_int_eq(piece->dimension, 1);
  ck_assert_int_eq(piece->vertices, 2);
  ck_assert_int_eq(piece->rays, 0);
  const double ends[] = {1.0, 0.0, 0.0, 1.0};
  ck_assert(same_points(2, 2, piece->vertex, ends, 1e-15));
  ck_assert_int_eq(t->census.bounded_pieces, 1);
  bench_free(t);
}
END_TEST

/* Degeneracy must not multiply. The origin is the only solution of y = x and has 2^40 bases; Ma's rays have
 * 2^8 faces; b = 0 and a P-matrix make every node degenerate, where a branch that could only repeat the
 * origin is closed. */
START_TEST(degeneracy_costs_little)
{
  bench *t = bench_new(NULL);
  const int n = 40;
  for (int i = 0; i < n; i++) {
    t->A[i * n + i] = 1.0;
    t->b[i] = 0.0;
  }
  const nsd_lcp_problem p = own(t, n);
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(t->census.points, 1);
  ck_assert_int_le(t->census.nodes, 2 * n + 1);
  const nsd_lcp_problem q = of_class(t, problem_class_find("ma_pendulum"), 24, 1);
  ck_assert_int_eq(list(t, &q), NSDYN_OK);
  ck_assert_int_eq(t->census.unbounded_pieces, 1);
  ck_assert_int_le(t->census.nodes, 2 * q.n + 1);
  for (int k = 0; k < 20; k++) {
    const nsd_lcp_problem z = of_class(t, problem_class_find("zero_b"), 16, (uint64_t)k);
    ck_assert_int_eq(list(t, &z), NSDYN_OK);
    ck_assert_int_eq(t->census.points, 1);
    ck_assert_int_le(t->census.nodes, 4000);
  }
  bench_free(t);
}
END_TEST

/* For almost all b the number of solutions is even, or odd, for all b: it depends on A alone. */
START_TEST(parity_belongs_to_the_matrix)
{
  bench *t = bench_new(NULL);
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 14;
    for (int i = 0; i < n * n; i++) {
      t->A[i] = random_normal(&r);
    }
    int64_t parity = -1;
    for (int trial = 0; trial < 6; trial++) {
      for (int i = 0; i < n; i++) {
        t->b[i] = random_normal(&r);
      }
      const nsd_lcp_problem p = own(t, n);
      list(t, &p);
      ck_assert_int_eq(t->census.bounded_pieces, 0);
      ck_assert_int_eq(t->census.doubtful, 0);
      ck_assert_msg(parity < 0 || parity == t->census.points % 2, "seed %d trial %d", k, trial);
      parity = t->census.points % 2;
    }
  }
  bench_free(t);
}
END_TEST

/* x = (0, 2^341) solves by an element that scaling loses. What is left has no solution; the problem as it is
 * given has one, and exact arithmetic finds it. */
START_TEST(a_number_lost_is_found)
{
  bench *t = bench_new(NULL);
  const double A[4] = {-0x1p540, 0x1p-540, 0x1p-540, -0x1p540}, b[2] = {-0x1p-200, 0x1p881};
  const double x[2] = {0.0, 0x1p341};
  const nsd_lcp_problem p = {.n = 2, .lda = 2, .A = A, .b = b};
  ck_assert(nsd_certify(&p, x, NULL).residual == 0.0);
  ck_assert_int_eq(first(t, &p), NSDYN_OK);
  ck_assert(nsd_certify(&p, t->x, NULL).residual <= TOL);
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(t->census.points, 2); /* and x = (2^-740, 2^341) */
  ck_assert_int_eq(t->census.complete, 1);
  bench_free(t);
}
END_TEST

/* Counting alone counts the same. */
static int random_integer(random_state *r, int least, int most)
{
  return least + random_below(r, most - least + 1);
}

/* Two rows that differ by 1e-6 to 1e-8 of themselves, and a solution made first: A and b, which are exact,
 * hold it, so no search may prove that there is none. It need not find it. */
static void make_nearly_dependent(bench *t, int n, random_state *r)
{
  double x[MOST];
  for (int i = 0; i < n * n; i++) {
    t->A[i] = random_integer(r, -2, 2);
  }
  for (int j = 0; j < n; j++) {
    t->A[(n - 1) * n + j] = t->A[j] * (1.0 + ldexp(random_integer(r, -1, 1), -random_integer(r, 20, 26)));
    x[j] = random_integer(r, 0, 1) * random_integer(r, 100, 500);
  }
  for (int i = 0; i < n; i++) {
    t->b[i] = x[i] > 0.0 ? 0.0 : random_integer(r, 0, 2);
    for (int j = 0; j < n; j++) {
      t->b[i] -= t->A[i * n + j] * x[j];
    }
  }
}

START_TEST(what_has_a_solution_is_never_proved_empty)
{
  const int cases = random_cases(4000);
  bench *t = bench_new(NULL);
  for (int k = 0; k < cases; k++) {
    const int n = 2 + k % 4;
    random_state r = random_seed((uint64_t)k);
    make_nearly_dependent(t, n, &r);
    const nsd_lcp_problem p = own(t, n);
    ck_assert_msg(list(t, &p) != NSDYN_NO_SOLUTION, "list, case %d", k);
    ck_assert_msg(first(t, &p) != NSDYN_NO_SOLUTION, "first, case %d", k);
  }
  bench_free(t);
}
END_TEST

/* The same, found in the wild: the only solution, (514, 2, 512), is of moderate size. */
START_TEST(a_small_difference_of_rows_is_no_rounding)
{
  bench *t = bench_new(NULL);
  const double A[] = {1.0, -1.0, -1.0, 2.0, -1.0, -2.0, 1.0, -1.0 - 0x1p-30, -1.0 + 0x1p-38};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[2] = 0.0;
  t->b[1] = -2.0;
  const nsd_lcp_problem p = own(t, 3);
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(first(t, &p), NSDYN_OK);
  bench_free(t);
}
END_TEST

START_TEST(counting_needs_no_visitor)
{
  bench *t = bench_new(NULL);
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 9;
    make_integers(t, &r, n, k % 3);
    const nsd_lcp_problem p = own(t, n);
    const nsdyn_status status = list(t, &p);
    const nsdyn_lcp_census listed = t->census;
    lay_out(t, n);
    ck_assert_int_eq(nsd_enumerate_all(&t->w, &p, &t->options, NULL, NULL, &t->census), status);
    ck_assert_int_eq(t->census.points, listed.points);
    ck_assert_int_eq(t->census.bounded_pieces, listed.bounded_pieces);
    ck_assert_int_eq(t->census.unbounded_pieces, listed.unbounded_pieces);
    ck_assert_int_eq(t->census.max_dimension, listed.max_dimension);
  }
  bench_free(t);
}
END_TEST

/* Counts its memory (first, as the context's `user`) and how often it is asked whether to go on. */
typedef struct host {
  counted_memory memory;
  int polls;
  int stop_poll; /* 0: never */
} host;

static int host_progress(void *user, const char *activity, double done)
{
  host *h = user;
  ck_assert_ptr_nonnull(activity);
  ck_assert(done <= 1.0);
  return ++h->polls == h->stop_poll;
}

static nsdyn_context *host_context(host *h)
{
  nsdyn_context *ctx = counted_context(&h->memory, host_progress);
  ck_assert_ptr_nonnull(ctx);
  return ctx;
}

/* A cube of redundant supports has many pieces' worth of vertices: memory grows, may fail at any time, and
 * what is left works. A second run of the same problem allocates nothing. */
START_TEST(memory_may_run_out)
{
  host h = {.memory.for_good = 1};
  nsdyn_context *ctx = host_context(&h);
  bench *t = bench_new(ctx);
  const int n = 16;
  memset(t->A, 0, sizeof t->A);
  for (int i = 0; i < n; i++) {
    t->A[i * n + (i ^ 1)] = t->A[i * n + i] = 1.0;
    t->b[i] = -1.0;
  }
  const nsd_lcp_problem p = own(t, n);
  const long before = h.memory.allocations;
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(t->all.count, 1);
  ck_assert_int_eq(t->all.pieces[0].vertices, 256);
  ck_assert_int_eq(t->all.pieces[0].dimension, 8);
  const long needed = h.memory.allocations - before;
  ck_assert_int_gt(needed, 3);
  ck_assert_int_eq(list(t, &p), NSDYN_OK);
  ck_assert_int_eq(h.memory.allocations - before, needed);
  for (int k = 1; k <= needed; k++) {
    nsd_enumerate_release(&t->w);
    const long blocks = h.memory.live;
    h.memory.fail_at = h.memory.allocations + k;
    ck_assert_int_eq(list(t, &p), NSDYN_ERR_NOMEM);
    h.memory.fail_at = 0;
    ck_assert_int_eq(list(t, &p), NSDYN_OK);
    ck_assert_int_eq(t->all.pieces[0].vertices, 256);
    nsd_enumerate_release(&t->w);
    ck_assert_int_eq(h.memory.live, blocks);
  }
  bench_free(t);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(h.memory.live, 0);
}
END_TEST

START_TEST(progress_may_cancel)
{
  host h = {.stop_poll = 3};
  nsdyn_context *ctx = host_context(&h);
  bench *t = bench_new(ctx);
  const int n = 30;
  memset(t->A, 0, sizeof t->A);
  for (int i = 0; i < n; i++) {
    t->A[i * n + i] = -1.0;
    t->b[i] = 1.0;
  }
  const nsd_lcp_problem p = own(t, n);
  ck_assert_int_eq(list(t, &p), NSDYN_CANCELLED);
  ck_assert_int_eq(h.polls, 3);
  bench_free(t);
  nsdyn_context_free(ctx);
}
END_TEST

/* Not the tree alone takes long: a face with 2^12 vertices is one node, thousands of segments are known at
 * one moment, and many unknowns make nodes slow. Each asks, and each can be stopped. */
START_TEST(every_long_part_asks)
{
  for (int kind = 0; kind < 3; kind++) {
    host h = {0};
    nsdyn_context *ctx = host_context(&h);
    bench *t = bench_new(ctx);
    const int n = kind == 0 ? 24 : kind == 1 ? 26 : 60;
    memset(t->A, 0, sizeof t->A);
    for (int i = 0; i < n; i++) {
      const int alone = kind == 2 || (kind == 1 && i >= 2);
      t->A[i * n + i] = alone ? -1.0 : 1.0;
      t->A[i * n + (alone ? i : i ^ 1)] = alone ? -1.0 : 1.0;
      t->b[i] = alone ? 1.0 : -1.0;
    }
    const nsd_lcp_problem p = own(t, n);
    t->options.max_nodes = kind == 0 ? -1 : kind == 1 ? 4000 : 200;
    const nsdyn_status status = list(t, &p);
    ck_assert_int_eq(status, kind == 0 ? NSDYN_OK : NSDYN_MAX_ITERATIONS);
    ck_assert_msg(h.polls > (kind == 0 ? 4096 / 64 : kind == 1 ? 30 : 8), "kind %d: %d polls", kind, h.polls);
    h.stop_poll = h.polls + 7;
    ck_assert_int_eq(list(t, &p), NSDYN_CANCELLED);
    ck_assert_int_eq(t->census.complete, 0);
    bench_free(t);
    nsdyn_context_free(ctx);
  }
}
END_TEST

/* A right side that leaves the range of numbers in the units of its row is refused. */
START_TEST(out_of_range)
{
  bench *t = bench_new(NULL);
  const nsd_lcp_problem p = own(t, 1);
  t->A[0] = 1e-300;
  t->b[0] = 1e300;
  ck_assert_int_eq(list(t, &p), NSDYN_ERR_NOT_FINITE);
  bench_free(t);
}
END_TEST

SUITE("lcp/enumerate/enumerate", TEST(every_class_has_the_judges_solutions), TEST(every_class_up_to_twelve),
      TEST(small_integers_have_the_judges_solutions), TEST(units_do_not_matter),
      TEST(promises_hold_at_larger_sizes), TEST(first_solution), TEST(every_basis_a_solution),
      TEST(a_visitor_may_stop), TEST(cone_and_origin), TEST(redundant_supports),
      TEST(degeneracy_costs_little), TEST(parity_belongs_to_the_matrix), TEST(a_number_lost_is_found),
      TEST(what_has_a_solution_is_never_proved_empty), TEST(a_small_difference_of_rows_is_no_rounding),
      TEST(counting_needs_no_visitor), TEST(memory_may_run_out), TEST(progress_may_cancel),
      TEST(every_long_part_asks), TEST(out_of_range))
