/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/reduced_certificate.h"

#include "base/sized.h"
#include "base/tolerances.h"

void nsd_reduced_lay_out(nsd_arena *arena, nsd_reduced *w, int n)
{
  const size_t size = (size_t)n;
  w->poll = NULL;
  w->T = nsd_arena_take(arena, size * (size + 1), sizeof *w->T);
  w->row_size = nsd_arena_take(arena, size, sizeof *w->row_size);
  w->column_size = nsd_arena_take(arena, size, sizeof *w->column_size);
  w->xi = nsd_arena_take(arena, size, sizeof *w->xi);
  w->column = nsd_arena_take(arena, size, sizeof *w->column);
  w->solves = nsd_arena_take(arena, size, sizeof *w->solves);
  w->solved_in = nsd_arena_take(arena, size, sizeof *w->solved_in);
}

static int is_free(const nsd_lcp_problem *p, int i)
{
  return nsd_lcp_lo(p, i) == -(double)INFINITY && nsd_lcp_hi(p, i) == (double)INFINITY;
}

int nsd_wants_reduced(const nsd_lcp_problem *p, const nsd_certificate *rows)
{
  int any = 0;
  if (!p->lo || !p->hi || !(rows->residual > NSD_RESIDUAL_ROUNDING && rows->residual < (double)INFINITY)) {
    return 0;
  }
  for (int i = 0; i < p->n && !any; i++) {
    any = is_free(p, i);
  }
  return any;
}

static double *row_of(const nsd_reduced *w, int i)
{
  return w->T + (size_t)i * (size_t)w->width;
}

/* T = (A_iF | A_ij x_j for the other x_j that are not zero | b_i). */
static void load(nsd_reduced *w, const nsd_lcp_problem *p, const double *x)
{
  const int n = p->n;
  int others = 0;
  w->free_count = 0;
  /* Free unknowns have columns of their own, in their order; then the terms of others that are not zero. */
  for (int j = 0; j < n; j++) {
    w->solved_in[j] = -1;
    w->column_size[j] = 0.0;
    if (is_free(p, j)) {
      w->column[w->free_count++] = j;
    }
    others += !is_free(p, j) && x[j] != 0.0;
  }
  w->width = w->free_count + others + 1;
  for (int i = 0; i < n; i++) {
    const double *a = nsd_lcp_row(p, i);
    double *to = row_of(w, i);
    int f = 0, k = w->free_count;
    w->row_size[i] = 0.0;
    w->solves[i] = -1;
    /* Row i: A_if for free f, A_ij x_j for the others, b_i. */
    for (int j = 0; j < n; j++) {
      if (f < w->free_count && w->column[f] == j) {
        to[f] = a[j];
        w->column_size[f] = fmax(w->column_size[f], fabs(a[j]));
        f++;
      } else if (x[j] != 0.0) {
        to[k++] = a[j] * x[j];
      }
      w->row_size[i] = fmax(w->row_size[i], fabs(a[j]));
    }
    to[k] = p->b[i];
    if (nsd_poll_stops(w->poll, 2.0 * NSD_POLL_READ * n)) {
      return;
    }
  }
}

/* The free row with the largest element in a free column; −1 where none is more than rounding. */
static int pivot_row(const nsd_reduced *w, const nsd_lcp_problem *p, int s)
{
  double largest = NSD_REDUCED_PIVOT;
  int best = -1;
  for (int i = 0; i < p->n; i++) {
    if (w->solves[i] >= 0 || !is_free(p, i)) {
      continue;
    }
    /* A pivot beside √(row size · column size), which units of rows and columns do not change. */
    const double size = sqrt(w->row_size[i]) * sqrt(w->column_size[s]);
    const double relative = size > 0.0 ? fabs(row_of(w, i)[s]) / size : 0.0;
    if (relative > largest) {
      largest = relative;
      best = i;
    }
  }
  return best;
}

/* Row r, y_r = 0, gives the unknown of column s, which leaves all other rows. */
static void eliminate(nsd_reduced *w, int n, int r, int s)
{
  double *pivot = row_of(w, r);
  const double inverse = 1.0 / pivot[s];
  /* x_s = −(the rest of row r) / T_rs. Columns hold terms, which are divided like coefficients. */
  for (int j = 0; j < w->width; j++) {
    pivot[j] *= -inverse;
  }
  pivot[s] = 0.0;
  for (int i = 0; i < n; i++) {
    double *row = row_of(w, i);
    const double f = row[s];
    if (i == r || f == 0.0) {
      continue;
    }
    /* T_i += T_is (row r without x_s). */
    row[s] = 0.0;
    for (int j = 0; j < w->width; j++) {
      row[j] += f * pivot[j];
    }
    if (nsd_poll_stops(w->poll, w->width)) {
      return;
    }
  }
  w->solves[r] = s;
  w->solved_in[s] = r;
}

/* Σ of the sizes of a row's terms: of what was not eliminated, and the constant. */
static double terms_of(const nsd_reduced *w, const double *x, int i)
{
  const double *row = row_of(w, i);
  double sum = 0.0;
  for (int s = 0; s < w->free_count; s++) {
    sum += fabs(row[s] * x[w->column[s]]);
  }
  for (int j = w->free_count; j < w->width; j++) {
    sum += fabs(row[j]);
  }
  return sum;
}

/* ξ of the free unknowns, |x_j| of the others. */
static void measure(nsd_reduced *w, const nsd_lcp_problem *p, const double *x)
{
  /* Of the others the size is their own. */
  for (int j = 0; j < p->n; j++) {
    w->xi[j] = fabs(x[j]);
  }
  for (int s = 0; s < w->free_count; s++) {
    const int j = w->column[s];
    const double own = fabs(nsd_lcp_row(p, j)[j]);
    /* At least what its own row cannot do without: s_F / |A_ff|. */
    if (own > 0.0) {
      w->xi[j] = fmax(w->xi[j], nsd_lcp_row_scale(p, j, x) / own);
    }
    /* The sum of the contributions that make it, |x_F| <= ξ_F. */
    if (w->solved_in[s] >= 0) {
      w->xi[j] = fmax(w->xi[j], terms_of(w, x, w->solved_in[s]));
    }
    if (nsd_poll_stops(w->poll, 3.0 * p->n)) {
      return;
    }
  }
}

/* What y_i is off from what its row allows. */
static double violation_of(const nsd_lcp_problem *p, int i, double x, double y)
{
  /* y < 0 is wrong unless x is at hi, y > 0 unless it is at lo. */
  const int is_wrong = (y < 0.0 && x < nsd_lcp_hi(p, i)) || (y > 0.0 && x > nsd_lcp_lo(p, i));
  return is_wrong ? fabs(y) : 0.0;
}

/* Row i: its violation, and what is left of that beside the reduced row. */
static double judge_row(const nsd_reduced *w, const nsd_lcp_problem *p, const double *x, int i,
                        double *violation)
{
  const double *a = nsd_lcp_row(p, i);
  /* y_i, s_i = |b_i| + Σ |A_ij x_j|, and what went into it, |b_i| + Σ |A_ij| ξ_j. */
  double y = p->b[i], scale = fabs(y), made = scale;
  for (int j = 0; j < p->n; j++) {
    const double term = a[j] * x[j];
    y += term;
    scale += fabs(term);
    made += fabs(a[j]) * w->xi[j];
  }
  *violation = violation_of(p, i, x[i], y);
  /* What rounding of the elimination may have made of it is no violation: e_i = ε times what went into it. */
  const double left = *violation - NSD_REDUCED_ROUNDING(p->n) * made;
  if (!(left > 0.0)) {
    return isnan(left) ? INFINITY : 0.0;
  }
  /* Over max(s_i, s~_i); free rows have no reduced row and are held to their own s_i. */
  return left / (w->solves[i] < 0 ? fmax(scale, terms_of(w, x, i)) : scale);
}

nsd_certificate nsd_certify_reduced(nsd_reduced *w, const nsd_lcp_problem *p, const double *x,
                                    nsd_certificate rows)
{
  const int n = p->n;
  /* Stage 1. T, and the elimination of the free unknowns as far as pivots are left. */
  load(w, p, x);
  for (int s = 0; s < w->free_count && !nsd_poll_stops(w->poll, 0.0); s++) {
    const int r = pivot_row(w, p, s);
    if (r >= 0) {
      eliminate(w, n, r, s);
    }
    (void)nsd_poll_stops(w->poll, 4.0 * n);
  }
  if (nsd_poll_stops(w->poll, 0.0)) {
    return rows;
  }
  /* Stage 2. ξ of each unknown. */
  measure(w, p, x);
  /* Stage 3. The worst row; the better of both certificates counts. */
  nsd_certificate worst = {.residual = 0.0, .violation = 0.0, .row = -1, .far_out = rows.far_out};
  for (int i = 0; i < n; i++) {
    double violation;
    const double residual = judge_row(w, p, x, i, &violation);
    if (residual > worst.residual) {
      worst.residual = residual;
      worst.violation = violation;
      worst.row = i;
    }
    if (nsd_poll_stops(w->poll, 3.0 * n)) {
      return rows; /* the worst of some rows is no certificate */
    }
  }
  return worst.residual < rows.residual ? worst : rows;
}

/* The same with memory of its own; 0 where there is none. */
static int reduce(const nsd_lcp_problem *p, const double *x, nsd_certificate *certificate)
{
  nsd_reduced w;
  nsd_arena arena = nsd_arena_empty(NULL), measure = nsd_arena_measure();
  nsd_reduced_lay_out(&measure, &w, p->n);
  if (nsd_arena_reserve(&arena, &measure)) {
    return 0;
  }
  nsd_reduced_lay_out(&arena, &w, p->n);
  *certificate = nsd_certify_reduced(&w, p, x, *certificate);
  nsd_arena_release(&arena);
  return 1;
}

nsdyn_status nsdyn_lcp_residual(int32_t n, const double *A, int64_t lda, const double *b, const double *lo,
                                const double *hi, const double *x, double *residual, int32_t *row)
{
  const nsdyn_status fits = nsd_stride_check(n, n, lda);
  if (fits || !residual || (n > 0 && (!A || !b || !x))) {
    return fits ? fits : NSDYN_ERR_ARGUMENT;
  }
  const nsd_lcp_problem p = {.n = n, .lda = (int)lda, .A = A, .b = b, .lo = lo, .hi = hi};
  nsd_certificate certificate = nsd_certify(&p, x, NULL);
  if (nsd_wants_reduced(&p, &certificate) && !reduce(&p, x, &certificate)) {
    return NSDYN_ERR_NOMEM;
  }
  *residual = certificate.residual;
  if (row) {
    *row = certificate.row;
  }
  return NSDYN_OK;
}
