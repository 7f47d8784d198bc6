/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/plain_form.h"

#include <float.h>

#include "base/tolerances.h"
#include "lcp/proof/farkas.h"

/* What became of an unknown. */
enum { PLAIN, BOXED, FIXED, FREE, ELIMINATED, SPLIT, REDUNDANT };

void nsd_plain_form_lay_out(nsd_arena *arena, nsd_plain_form *w, int n)
{
  w->poll = NULL;
  const size_t size = (size_t)n;
  w->n = n;
  w->m = 0;
  w->A = nsd_arena_take(arena, 4 * size * size, sizeof *w->A);
  w->b = nsd_arena_take(arena, 2 * size, sizeof *w->b);
  w->T = nsd_arena_take(arena, size * (size + 1), sizeof *w->T);
  w->row_size = nsd_arena_take(arena, size, sizeof *w->row_size);
  w->column_size = nsd_arena_take(arena, size, sizeof *w->column_size);
  w->constant_size = nsd_arena_take(arena, size, sizeof *w->constant_size);
  w->base = nsd_arena_take(arena, size, sizeof *w->base);
  w->sign = nsd_arena_take(arena, size, sizeof *w->sign);
  w->kind = nsd_arena_take(arena, size, sizeof *w->kind);
  w->solved_in = nsd_arena_take(arena, size, sizeof *w->solved_in);
  w->solves = nsd_arena_take(arena, size, sizeof *w->solves);
  w->equation = nsd_arena_take(arena, size, sizeof *w->equation);
  w->first = nsd_arena_take(arena, size, sizeof *w->first);
  w->second = nsd_arena_take(arena, size, sizeof *w->second);
}

static double *row_of(const nsd_plain_form *w, int i)
{
  return w->T + (size_t)i * (size_t)(w->n + 1);
}

static void sort_unknowns(nsd_plain_form *w, const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    /* x = base + sign x': from lo upwards, from hi downwards, or from zero. */
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    const int below = isfinite(lo);
    const int above = isfinite(hi);
    w->base[i] = below ? lo : above ? hi : 0.0;
    w->sign[i] = !below && above ? -1.0 : 1.0;
    w->kind[i] = lo == hi ? FIXED : below && above ? BOXED : below || above ? PLAIN : FREE;
  }
}

/* T = (sign_i A_ij sign_j | sign_i (b + A base)_i), with the sizes against which rounding is judged. */
static void shift(nsd_plain_form *w, const nsd_lcp_problem *p)
{
  const int n = p->n;
  for (int i = 0; i < n; i++) {
    w->row_size[i] = w->column_size[i] = 0.0;
  }
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(p, i);
    double *to = row_of(w, i);
    /* y = A (base + sign x') + b. */
    double constant = p->b[i];
    double size = fabs(constant);
    for (int j = 0; j < n; j++) {
      const double term = a[j] * w->base[j];
      constant += term;
      size += fabs(term);
      to[j] = w->sign[i] * a[j] * w->sign[j];
      w->row_size[i] = fmax(w->row_size[i], fabs(a[j]));
      w->column_size[j] = fmax(w->column_size[j], fabs(a[j]));
    }
    to[n] = w->sign[i] * constant;
    w->constant_size[i] = size;
    if (nsd_poll_stops(w->poll, 8.0 * n)) {
      return;
    }
  }
}

/* An element's size that has a meaning: below `tol` of it, it is rounding. */
static double element_size(const nsd_plain_form *w, int i, int j)
{
  return sqrt(w->row_size[i]) * sqrt(w->column_size[j]);
}

static int is_open_row(const nsd_plain_form *w, int i)
{
  return w->kind[i] == FREE && w->solves[i] < 0;
}

static int is_open_column(const nsd_plain_form *w, int j)
{
  return w->kind[j] == FREE && w->solved_in[j] < 0;
}

/* The largest pivot among free rows and columns, in their sizes; the diagonal in ties, so that symmetric
 * problems stay symmetric. Returns its relative size. */
static double find_pivot(const nsd_plain_form *w, int *r, int *s)
{
  double largest = 0.0;
  for (int i = 0; i < w->n; i++) {
    if (is_open_row(w, i)) {
      if (nsd_poll_stops(w->poll, 8.0 * w->n)) {
        return 0.0;
      }
    }
    /* Only free rows and columns count: y_r = 0 there, so x_s may leave. */
    for (int j = 0; is_open_row(w, i) && j < w->n; j++) {
      if (!is_open_column(w, j)) {
        continue;
      }
      const double size = element_size(w, i, j);
      const double relative = size > 0.0 ? fabs(row_of(w, i)[j]) / size : 0.0;
      if (relative > largest || (relative == largest && relative > 0.0 && i == j && *r != *s)) {
        largest = relative;
        *r = i;
        *s = j;
      }
    }
  }
  return largest;
}

/* Solves row r, y_r = 0, for x_s. Row r then holds x_s, column s what y_r would do. */
static void eliminate(nsd_plain_form *w, int r, int s)
{
  const int n = w->n;
  double *pivot = row_of(w, r);
  /* x_s = (y_r − Σ_{j≠s} T_rj x_j − c_r) / T_rs: now in row r, with y_r in the place of column s. */
  const double inverse = 1.0 / pivot[s];
  for (int j = 0; j <= n; j++) {
    pivot[j] *= -inverse;
  }
  pivot[s] = inverse;
  /* The constant of row r is divided by the pivot, and so is its size. */
  const double step_size = w->constant_size[r] * fabs(inverse);
  for (int i = 0; i < n; i++) {
    double *row = row_of(w, i);
    const double f = row[s];
    if (i == r || f == 0.0) {
      continue;
    }
    /* Row i: T_is x_s is replaced by what row r says of x_s. */
    row[s] = 0.0;
    for (int j = 0; j <= n; j++) {
      row[j] += f * pivot[j];
    }
    (void)nsd_poll_stops(w->poll, n);
    w->constant_size[i] = fmax(w->constant_size[i], fabs(f) * step_size);
  }
  w->constant_size[r] = step_size;
}

static void eliminate_free(nsd_plain_form *w, double tol)
{
  for (int i = 0; i < w->n; i++) {
    w->solves[i] = w->solved_in[i] = -1;
  }
  for (;;) {
    /* Complete pivoting: the largest element beside the sizes of its row and column. */
    int r = -1;
    int s = -2;
    if (!(find_pivot(w, &r, &s) > tol) || nsd_poll_stops(w->poll, 4.0 * (double)w->n * w->n)) {
      return;
    }
    eliminate(w, r, s);
    w->solves[r] = s;
    w->solved_in[s] = r;
  }
}

/* A leftover equation that says 0 = 0 to rounding. */
static int is_redundant(const nsd_plain_form *w, int i, double tol)
{
  /* An equation is redundant if nothing is left of it, in any unknown that stays nor on the right. */
  const double *row = row_of(w, i);
  for (int j = 0; j < w->n; j++) {
    const int gone = w->kind[j] == FIXED || w->solved_in[j] >= 0;
    if (!gone && fabs(row[j]) > tol * element_size(w, i, j)) {
      return 0;
    }
  }
  return fabs(row[w->n]) <= tol * w->constant_size[i];
}

/* Leftover rows and leftover columns, of which there are as many, are paired in their order. */
static void pair_leftover(nsd_plain_form *w, double tol)
{
  int column = 0;
  for (int i = 0; i < w->n; i++) {
    w->equation[i] = i;
  }
  for (int i = 0; i < w->n; i++) {
    if (!is_open_row(w, i)) {
      continue;
    }
    /* As many rows as columns are left over, since each pivot has taken one of both. */
    while (!is_open_column(w, column)) {
      column++;
    }
    w->equation[column++] = i;
  }
  /* Only now: a kind that is no longer FREE closes its row and column. */
  for (int j = 0; j < w->n; j++) {
    if (w->kind[j] == FREE && w->solved_in[j] < 0) {
      w->first[j] = is_redundant(w, w->equation[j], tol) ? REDUNDANT : SPLIT;
    }
  }
  for (int j = 0; j < w->n; j++) {
    if (w->kind[j] == FREE) {
      w->kind[j] = w->solved_in[j] >= 0 ? ELIMINATED : w->first[j];
    }
  }
}

/* Unknowns that stay come first, their second rows behind. */
static void number_rows(nsd_plain_form *w)
{
  int m = 0;
  for (int j = 0; j < w->n; j++) {
    const int stays = w->kind[j] == PLAIN || w->kind[j] == BOXED || w->kind[j] == SPLIT;
    w->first[j] = stays ? m++ : -1;
  }
  for (int j = 0; j < w->n; j++) {
    w->second[j] = w->kind[j] == BOXED || w->kind[j] == SPLIT ? m++ : -1;
  }
  w->m = m;
}

/* What is left of a leftover row or column may be rounding, and is nothing then. */
static double clean(double value, double size, double tol)
{
  return fabs(value) <= tol * size ? 0.0 : value;
}

/* Row `first` of unknown j: its equation over all unknowns that stay. */
static void fill_first(nsd_plain_form *w, int j, double tol)
{
  /* y'_j = Σ_k T_jk x'_k + c_j over the unknowns that stay; x'_k = x⁺ − x⁻ where they are split. */
  const double *row = row_of(w, w->equation[j]);
  double *to = w->A + (size_t)w->first[j] * (size_t)w->m;
  for (int k = 0; k < w->n; k++) {
    if (w->first[k] < 0) {
      continue;
    }
    const int leftover = w->kind[j] == SPLIT || w->kind[k] == SPLIT;
    const double value = leftover ? clean(row[k], element_size(w, w->equation[j], k), tol) : row[k];
    to[w->first[k]] = value;
    if (w->kind[k] == SPLIT) {
      to[w->second[k]] = -value;
    }
  }
  const double size = w->constant_size[w->equation[j]];
  w->b[w->first[j]] = clean(row[w->n], size, w->kind[j] == SPLIT ? tol : NSD_ELIMINATION_ROUNDING);
}

/* Row `second`: hi − lo − x' beside a v that presses on the first row, or the first row's negative. */
static void fill_second(nsd_plain_form *w, const nsd_lcp_problem *p, int j)
{
  const size_t m = (size_t)w->m;
  double *first = w->A + (size_t)w->first[j] * m;
  double *second = w->A + (size_t)w->second[j] * m;
  /* y' = … + v with v ⊥ hi − lo − x' >= 0. */
  if (w->kind[j] == BOXED) {
    first[w->second[j]] = 1.0;
    second[w->first[j]] = -1.0;
    w->b[w->second[j]] = nsd_lcp_hi(p, j) - nsd_lcp_lo(p, j);
    return;
  }
  /* −y' >= 0 beside x⁻ >= 0: together with the first row y' = 0. */
  for (size_t k = 0; k < m; k++) {
    second[k] = -first[k];
  }
  w->b[w->second[j]] = -w->b[w->first[j]];
}

void nsd_plain_form_make(nsd_plain_form *w, const nsd_lcp_problem *p, double tol)
{
  /* Stage 1. x = base + sign x' turns one-sided bounds into x' >= 0. */
  w->m = 0;
  sort_unknowns(w, p);
  shift(w, p);
  /* Stage 2. Equations of free unknowns are solved for them, as far as pivots are left. */
  eliminate_free(w, tol);
  if (nsd_poll_stops(w->poll, 0.0)) {
    return;
  }
  /* Stage 3. What is left over is split into x⁺ − x⁻ or redundant. */
  pair_leftover(w, tol);
  /* Stage 4. The rows of the plain problem, in the order of the unknowns, second rows behind. */
  number_rows(w);
  for (int i = 0; i < w->m; i++) {
    double *row = w->A + (size_t)i * (size_t)w->m;
    for (int k = 0; k < w->m; k++) {
      row[k] = 0.0;
    }
    (void)nsd_poll_stops(w->poll, NSD_POLL_READ * w->m);
  }
  for (int j = 0; j < w->n; j++) {
    if (w->first[j] >= 0) {
      fill_first(w, j, tol);
      (void)nsd_poll_stops(w->poll, 4.0 * w->n);
    }
  }
  for (int j = 0; j < w->n; j++) {
    if (w->second[j] >= 0) {
      fill_second(w, p, j);
      (void)nsd_poll_stops(w->poll, NSD_POLL_READ * w->m);
    }
  }
}

nsd_lcp_problem nsd_plain_form_plain(const nsd_plain_form *w)
{
  return (nsd_lcp_problem){.n = w->m, .lda = w->m, .A = w->A, .b = w->b, .lo = NULL, .hi = NULL};
}

/* x' of all unknowns from the plain problem's: T's rows give the eliminated ones, with (point) or without
 * (direction) their constants. */
static void spread(const nsd_plain_form *w, const double *plain, double constant, double *x)
{
  /* x' of those that stay: themselves, or x⁺ − x⁻. The others are known (zero) or follow. */
  for (int j = 0; j < w->n; j++) {
    x[j] = w->first[j] >= 0 ? plain[w->first[j]] : 0.0;
    if (w->kind[j] == SPLIT) {
      x[j] -= plain[w->second[j]];
    }
  }
  for (int j = 0; j < w->n; j++) {
    if (w->kind[j] != ELIMINATED) {
      continue;
    }
    /* x_s = c + Σ_k T_rk x'_k, from the row that was solved for it. */
    const double *row = row_of(w, w->solved_in[j]);
    x[j] = constant * row[w->n];
    for (int k = 0; k < w->n; k++) {
      if (w->first[k] >= 0) {
        x[j] += row[k] * x[k];
      }
    }
  }
}

void nsd_plain_form_point(const nsd_plain_form *w, const nsd_lcp_problem *p, const double *plain_x,
                          const int32_t *plain_basis, double *x)
{
  spread(w, plain_x, 1.0, x);
  for (int j = 0; j < w->n; j++) {
    /* Both bounds are met exactly: base + (hi − lo) need not round to hi. */
    const double height = nsd_lcp_hi(p, j) - nsd_lcp_lo(p, j);
    const int at_top = w->kind[j] == BOXED && (plain_basis[w->second[j]] == NSDYN_LCP_BASIC ||
                                               x[j] >= height * (1.0 - NSD_ELIMINATION_ROUNDING));
    /* base + sign x', zero where x' only takes the base away but for rounding. */
    const double sum = clean(w->base[j] + w->sign[j] * x[j], fabs(w->base[j]), NSD_ELIMINATION_ROUNDING);
    x[j] = at_top ? nsd_lcp_hi(p, j) : sum;
  }
}

void nsd_plain_form_basis(const nsd_plain_form *w, const int32_t *plain_basis, int32_t *basis)
{
  for (int j = 0; j < w->n; j++) {
    const int32_t bound = w->sign[j] < 0.0 ? NSDYN_LCP_AT_HI : NSDYN_LCP_AT_LO;
    switch (w->kind[j]) {
    /* x' basic: basic. Else x' = 0: at the bound that it is counted from. */
    case PLAIN:
      basis[j] = plain_basis[w->first[j]] == NSDYN_LCP_BASIC ? NSDYN_LCP_BASIC : bound;
      break;
    /* Both rows basic: x' = hi − lo and v > 0, at the upper bound. */
    case BOXED:
      basis[j] = plain_basis[w->second[j]] == NSDYN_LCP_BASIC && plain_basis[w->first[j]] == NSDYN_LCP_BASIC
                     ? NSDYN_LCP_AT_HI
                     : plain_basis[w->first[j]];
      break;
    case FIXED:
      basis[j] = NSDYN_LCP_AT_LO;
      break;
    default:
      basis[j] = NSDYN_LCP_BASIC;
      break;
    }
  }
}

void nsd_plain_form_direction(const nsd_plain_form *w, const double *plain_dx, double *dx)
{
  /* No base, no constants: only what x' changes. */
  spread(w, plain_dx, 0.0, dx);
  for (int j = 0; j < w->n; j++) {
    dx[j] *= w->sign[j];
  }
}

/* One side of an unknown with one bound: x' = 0 is the bound, y' = 0 an equation. */
static void narrow_plain(const nsd_plain_form *w, int j, const uint8_t *fixed, double *lo, double *hi,
                         uint8_t *signs)
{
  const int below = w->sign[j] > 0.0;
  if (fixed[w->first[j]]) {
    lo[j] = hi[j] = w->base[j];
  }
  /* y' = 0 makes the row an equation, whose multiplier may have
   * any sign; else y has the sign of its bound. */
  signs[j] = fixed[w->m + w->first[j]] ? NSD_FARKAS_POSITIVE | NSD_FARKAS_NEGATIVE
             : below                   ? NSD_FARKAS_POSITIVE
                                       : NSD_FARKAS_NEGATIVE;
}

/* Two bounds, with y' = y + v: x' = 0 is at lo, y' = 0 is not at lo (so y <= 0), v = 0 is not at hi (so
 * y >= 0), hi − lo − x' = 0 is at hi. */
static int narrow_boxed(const nsd_plain_form *w, int j, const uint8_t *fixed, double *lo, double *hi,
                        uint8_t *signs)
{
  const int at_lo = fixed[w->first[j]];
  const int at_hi = fixed[w->m + w->second[j]];
  const int not_at_lo = fixed[w->m + w->first[j]];
  const int not_at_hi = fixed[w->second[j]];
  if (at_lo) {
    hi[j] = lo[j];
  } else if (at_hi) {
    lo[j] = hi[j];
  }
  signs[j] = (uint8_t)((at_lo || not_at_hi ? NSD_FARKAS_POSITIVE : 0) |
                       (at_hi || not_at_lo ? NSD_FARKAS_NEGATIVE : 0));
  return !(at_lo && at_hi);
}

int nsd_plain_form_branch(const nsd_plain_form *w, const nsd_lcp_problem *p, const uint8_t *fixed, double *lo,
                          double *hi, uint8_t *signs)
{
  int is_left = 1;
  for (int j = 0; j < w->n; j++) {
    lo[j] = nsd_lcp_lo(p, j);
    hi[j] = nsd_lcp_hi(p, j);
    if (w->kind[j] == PLAIN) {
      narrow_plain(w, j, fixed, lo, hi, signs);
    } else if (w->kind[j] == BOXED) {
      is_left &= narrow_boxed(w, j, fixed, lo, hi, signs);
    } else {
      signs[j] = w->kind[j] == FIXED ? 0 : NSD_FARKAS_POSITIVE | NSD_FARKAS_NEGATIVE;
    }
  }
  return is_left;
}

void nsd_plain_form_multipliers(const nsd_plain_form *w, const double *plain_v, double *v)
{
  for (int i = 0; i < w->n; i++) {
    v[i] = 0.0;
  }
  /* Rows that stay: v' in the row's own place; of a split row the difference. */
  for (int j = 0; j < w->n; j++) {
    if (w->first[j] >= 0) {
      v[w->equation[j]] = plain_v[w->first[j]] - (w->kind[j] == SPLIT ? plain_v[w->second[j]] : 0.0);
    }
  }
  /* Row i of T is y_i' − Σ T_is y_r over the rows r that were solved for an x_s: y_r = 0 there. */
  for (int r = 0; r < w->n; r++) {
    if (w->solves[r] < 0) {
      continue;
    }
    double sum = 0.0;
    for (int j = 0; j < w->n; j++) {
      if (w->first[j] >= 0) {
        sum += v[w->equation[j]] * row_of(w, w->equation[j])[w->solves[r]];
      }
    }
    v[r] = -sum;
  }
  for (int i = 0; i < w->n; i++) {
    v[i] *= w->sign[i];
  }
}
