/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/branch_proof.h"

#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/problems.h"

#define MOST 16

typedef struct bench {
  nsd_arena arena;
  nsd_branch_proof judge;
  nsd_scale scale;
  nsd_forms forms;
  nsd_cells cells;
  nsd_cell cell;
  int8_t base[4 * MOST];
  nsd_plain_form normal;
  double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST];
  double x[MOST], y[MOST]; /* a solution */
  nsd_lcp_problem p;
} bench;

static void lay_out(nsd_arena *arena, bench *t, int n)
{
  nsd_branch_proof_lay_out(arena, &t->judge, n);
  nsd_scale_lay_out(arena, &t->scale, n);
  nsd_cells_lay_out(arena, &t->cells, n, n);
  nsd_cell_lay_out(arena, &t->cell, n, n);
  nsd_plain_form_lay_out(arena, &t->normal, MOST);
}

static bench *bench_new(void)
{
  bench *t = calloc(1, sizeof *t);
  bench none;
  ck_assert_ptr_nonnull(t);
  t->arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &none, 2 * MOST);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  return t;
}

static void bench_free(bench *t)
{
  nsd_arena_release(&t->arena);
  free(t);
}

/* The cell of the problem or of its plain form, nothing held yet. */
static void begin(bench *t, int mixed)
{
  t->arena.used = 0;
  lay_out(&t->arena, t, 2 * MOST);
  t->judge.form = NULL;
  nsd_lcp_problem plain = t->p;
  if (mixed) {
    static nsd_branch_proof_form form;
    t->normal.n = t->p.n;
    nsd_plain_form_make(&t->normal, &t->p, 1e-11);
    plain = nsd_plain_form_plain(&t->normal);
    form = (nsd_branch_proof_form){.p = &t->p, .normal = &t->normal};
    t->judge.form = &form;
  }
  const nsd_lcp_problem scaled = nsd_scale_make(&t->scale, &plain);
  for (int k = 0; k < 2 * plain.n; k++) {
    t->base[k] = NSD_ASK_POSITIVE;
  }
  t->forms = (nsd_forms){
      .rows = plain.n, .columns = plain.n, .a = scaled.A, .d = scaled.b, .base = t->base, .is_exact = 1};
  t->cell.rows = t->cell.columns = plain.n;
  t->judge.problem = &t->forms;
  t->judge.scale = &t->scale;
  nsd_cells_load(&t->cells, &t->forms);
  nsd_cell_load(&t->cell, &t->cells);
}

static int integer(random_state *r, int least, int most)
{
  return least + random_below(r, most - least + 1);
}

/* Integers with a solution made first: of `kinds` of bounds the first is x >= 0, the others have an upper
 * one, two, or none. */
static void make_solvable(bench *t, random_state *r, int n, int kinds)
{
  for (int i = 0; i < n * n; i++) {
    t->A[i] = integer(r, -3, 3);
  }
  for (int i = 0; i < n; i++) {
    const int kind = random_below(r, kinds);
    const int place = random_below(r, 4); /* at lo, between, at hi, at one of them with y = 0 */
    const double base = kind ? integer(r, -2, 2) : 0;
    t->lo[i] = kind == 1 || kind == 3 ? -(double)INFINITY : base;
    t->hi[i] = kind == 0 || kind == 3 ? (double)INFINITY : base + (kind == 2 ? 4 : 0);
    const int low = kind == 0 || (kind == 2 && place != 2);
    t->x[i] = place == 1 || kind == 3 ? base + (kind == 1 ? -2 : 2) : low ? t->lo[i] : t->hi[i];
    t->y[i] = place == 1 || place == 3 || kind == 3 ? 0.0 : (low ? 1 : -1) * integer(r, 1, 3);
    t->b[i] = t->y[i];
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      t->b[i] -= t->A[i * n + j] * t->x[j];
    }
  }
  t->p = (nsd_lcp_problem){
      .n = n, .lda = n, .A = t->A, .b = t->b, .lo = kinds > 1 ? t->lo : NULL, .hi = kinds > 1 ? t->hi : NULL};
}

static void fix(bench *t, random_state *r, int k, int may)
{
  if (may && random_below(r, 3)) {
    nsd_cell_hold(&t->cell, k);
  }
}

/* Fixes some of what is zero at the solution, so the branch holds it. */
static void choose_branch(bench *t, random_state *r, int mixed)
{
  const int m = t->cell.columns;
  for (int j = 0; j < t->p.n; j++) {
    const int f = mixed ? t->normal.first[j] : j;
    const int g = mixed ? t->normal.second[j] : -1;
    const int at_lo = t->x[j] == nsd_lcp_lo(&t->p, j), at_hi = t->x[j] == nsd_lcp_hi(&t->p, j);
    if (f < 0 || (nsd_lcp_lo(&t->p, j) < -1e9 && nsd_lcp_hi(&t->p, j) > 1e9)) {
      continue;
    }
    if (g < 0) {
      fix(t, r, f, at_lo || at_hi);
      fix(t, r, m + f, t->y[j] == 0.0);
      continue;
    }
    fix(t, r, f, at_lo);
    fix(t, r, m + g, at_hi);
    fix(t, r, m + f, t->y[j] <= 0.0);
    fix(t, r, g, t->y[j] >= 0.0);
  }
}

/* The multipliers of some row of some tableau, or anything. */
static void choose_v(const bench *t, random_state *r, double *v)
{
  const int kind = random_below(r, 3);
  for (int i = 0; i < t->cell.columns; i++) {
    v[i] = kind == 0   ? random_normal(r)
           : kind == 1 ? integer(r, -2, 2)
                       : (random_below(r, 3) == 0) * random_unit(r) * random_scale(r, 6.0);
  }
}

static int closes(bench *t, int extra, const double *v)
{
  return nsd_branch_proof_closes(&t->judge, &t->cell, extra, v);
}

/* Whatever v is offered, a branch that holds a solution stays open. */
START_TEST(a_solution_is_never_lost)
{
  bench *t = bench_new();
  const int cases = random_cases(6000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    double v[2 * MOST];
    const int mixed = k % 2;
    make_solvable(t, &r, 1 + k % 9, mixed ? 4 : 1);
    begin(t, mixed);
    choose_branch(t, &r, mixed);
    for (int trial = 0; trial < 8; trial++) {
      choose_v(t, &r, v);
      ck_assert_msg(!closes(t, -1, v), "case %d", k);
    }
  }
  bench_free(t);
}
END_TEST

/* y_0 = x_1 − 1, y_1 = x_0 + 1: empty with x_1 = 0, by v = (1, 0), and with y_1 = 0, by v = (0, −1). v may be
 * off by rounding, and no more. */
START_TEST(a_branch_is_what_it_fixes)
{
  bench *t = bench_new();
  const double A[] = {0.0, 1.0, 1.0, 0.0}, b[] = {-1.0, 1.0};
  memcpy(t->A, A, sizeof A);
  memcpy(t->b, b, sizeof b);
  t->p = (nsd_lcp_problem){.n = 2, .lda = 2, .A = t->A, .b = t->b};
  begin(t, 0);
  const double u[] = {1.0, 1e-15}, v[] = {0.0, -1.0};
  ck_assert(!closes(t, -1, u) && !closes(t, -1, v));
  ck_assert(closes(t, 1, u) && !closes(t, 1, v));
  ck_assert(closes(t, 3, v) && !closes(t, 3, u));
  nsd_cell_hold(&t->cell, 1);
  ck_assert(closes(t, -1, u));
  bench_free(t);
}
END_TEST

/* 0 <= x <= 2, y = x + b. In the plain form y' = x' + v + b, s = 2 − x'. b = 1: y > 0, so nothing is left at
 * hi, nor between; b = −3 the other way round; b = −1 leaves the middle alone. */
START_TEST(two_bounds)
{
  bench *t = bench_new();
  const double up[] = {1.0, 0.0}, down[] = {-1.0, 0.0};
  const double b[] = {1.0, -3.0, -1.0};
  for (int k = 0; k < 3; k++) {
    t->A[0] = 1.0;
    t->b[0] = b[k];
    t->lo[0] = 0.0;
    t->hi[0] = 2.0;
    t->p = (nsd_lcp_problem){.n = 1, .lda = 1, .A = t->A, .b = t->b, .lo = t->lo, .hi = t->hi};
    begin(t, 1);
    ck_assert_int_eq(t->cell.columns, 2);
    const int at_lo = 0, not_at_hi = 1, not_at_lo = 2, at_hi = 3;
    ck_assert_int_eq(closes(t, at_lo, up), k > 0);
    ck_assert_int_eq(closes(t, not_at_hi, up), k == 1);
    ck_assert_int_eq(closes(t, not_at_lo, down), k == 0);
    ck_assert_int_eq(closes(t, at_hi, down), k != 1);
    ck_assert(!closes(t, -1, up) && !closes(t, -1, down));
    nsd_cell_hold(&t->cell, at_lo);
    ck_assert(closes(t, at_hi, up));
  }
  bench_free(t);
}
END_TEST

/* ---- the whole -------------------------------------------------------------------------------------- */

static nsdyn_lcp *enumerator(void)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = NSDYN_LCP_ENUMERATIVE;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

/* Rows that differ by 2^-e of themselves in some elements, and a solution of the size of 2^e made first.
 * Every product and sum on the way to b is checked to be exact, so it is a solution of A and b to the bit. */
static int make_nearly_dependent(bench *t, random_state *r, int n, int e, int mixed)
{
  for (int k = 0; k < n * n; k++) {
    t->A[k] = integer(r, -2, 2);
  }
  for (int q = 0; q <= random_below(r, 2) && q < n - 1; q++) {
    const int from = random_below(r, n - 1 - q);
    for (int j = 0; j < n; j++) {
      t->A[(n - 1 - q) * n + j] = t->A[from * n + j] + ldexp(integer(r, -1, 1), -e);
    }
  }
  for (int j = 0; j < n; j++) {
    t->x[j] = random_below(r, 2) * ldexp(integer(r, 1, 3), e) + (random_below(r, 4) == 0);
  }
  for (int i = 0; i < n; i++) {
    const int kind = mixed && t->x[i] > 0.0 ? random_below(r, 3) : 0;
    t->lo[i] = kind == 1 ? -INFINITY : 0.0;
    t->hi[i] = kind == 2 ? 4.0 * t->x[i] : INFINITY;
    t->b[i] = t->x[i] > 0.0 ? 0.0 : random_below(r, 3);
    for (int j = 0; j < n; j++) {
      const double product = t->A[i * n + j] * t->x[j];
      const double sum = t->b[i] - product;
      if (fma(t->A[i * n + j], t->x[j], -product) != 0.0 || t->b[i] - sum != product ||
          sum + product != t->b[i]) {
        return 0;
      }
      t->b[i] = sum;
    }
  }
  return 1;
}

/* b may vanish beside A x: then nobody need find x, and nobody may deny it. */
START_TEST(what_has_a_solution_far_out_is_not_called_empty)
{
  bench *t = bench_new();
  nsdyn_lcp *lcp = enumerator();
  const int cases = random_cases(24000);
  const int exponents[] = {20, 24, 30, 34, 38, 40};
  int made = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 2 + k % 6, mixed = k % 2;
    double x[MOST];
    if (!make_nearly_dependent(t, &r, n, exponents[k / 2 % 6], mixed)) {
      continue;
    }
    made++;
    const nsdyn_status status =
        nsdyn_lcp_solve_mixed(lcp, n, t->A, n, t->b, mixed ? t->lo : NULL, mixed ? t->hi : NULL, x, NULL);
    ck_assert_msg(status != NSDYN_NO_SOLUTION, "case %d: a solution is denied", k);
    if (!mixed) {
      nsdyn_lcp_census census;
      nsdyn_lcp_census_init(&census, sizeof census);
      const nsdyn_status listed = nsdyn_lcp_enumerate(lcp, n, t->A, n, t->b, NULL, NULL, &census);
      ck_assert_msg(listed != NSDYN_NO_SOLUTION, "case %d: a solution is denied by the census", k);
      ck_assert(listed != NSDYN_UNDECIDED || (census.doubtful > 0 && !census.complete));
    }
  }
  ck_assert_int_gt(2 * made, cases);
  nsdyn_lcp_free(lcp);
  bench_free(t);
}
END_TEST

static void make_any(bench *t, random_state *r, int n, int kinds, int whole)
{
  for (int k = 0; k < n * n; k++) {
    t->A[k] = whole ? integer(r, -2, 2) : random_normal(r);
  }
  for (int i = 0; i < n; i++) {
    const int kind = random_below(r, 3) ? 0 : random_below(r, kinds);
    t->b[i] = whole ? integer(r, -3, 1) : random_normal(r) - 0.5;
    t->lo[i] = kind == 1 || kind == 3 ? -INFINITY : kind ? -random_unit(r) : 0.0;
    t->hi[i] = kind == 0 || kind == 3 ? INFINITY : kind == 1 ? 1.0 : random_unit(r);
  }
}

/* A proof must not be so strict that none is found: of all that ends without a solution, 99 of 100 are
 * proved, whatever the bounds. */
START_TEST(empty_problems_are_proved)
{
  bench *t = bench_new();
  nsdyn_lcp *lcp = enumerator();
  const int cases = random_cases(800);
  for (int kinds = 1; kinds <= 4; kinds++) {
    for (int whole = 0; whole < 2; whole++) {
      int none = 0, undecided = 0;
      for (int k = 0; k < cases; k++) {
        random_state r = random_seed((uint64_t)k);
        const int n = 1 + k % 14;
        double x[MOST];
        make_any(t, &r, n, kinds, whole);
        const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, n, t->A, n, t->b, t->lo, t->hi, x, NULL);
        none += status == NSDYN_NO_SOLUTION;
        undecided += status != NSDYN_NO_SOLUTION && status != NSDYN_OK;
      }
      ck_assert_int_gt(4 * none, cases);
      ck_assert_msg(99 * undecided <= none, "kinds %d, whole %d: %d proved, %d not", kinds, whole, none,
                    undecided);
    }
  }
  nsdyn_lcp_free(lcp);
  bench_free(t);
}
END_TEST

SUITE("lcp/enumerate/branch_proof", TEST(a_solution_is_never_lost), TEST(a_branch_is_what_it_fixes),
      TEST(two_bounds), TEST(what_has_a_solution_far_out_is_not_called_empty),
      TEST(empty_problems_are_proved))
