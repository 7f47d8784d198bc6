/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/matrix/classes.h"

#include <float.h>
#include <math.h>

#include "base/dense.h"
#include "base/tolerances.h"

#define COLUMN_READ 20.0 /* multiplications that take as long as to read an element out of a column */

/* Answers, as nsdyn_lcp_classes has them. */
enum { NO = 0, YES = 1, UNDECIDED = -1 };

static const double *row_of(const double *A, int lda, int i)
{
  return A + (size_t)i * (size_t)lda;
}

unsigned nsd_lcp_glance(int n, const double *A, int lda, nsd_poll *poll)
{
  /* Each row loses the flags that it contradicts; where none is left, the rest need not be read. */
  unsigned left = NSD_GLANCE_SYMMETRIC | NSD_GLANCE_POSITIVE_DIAGONAL | NSD_GLANCE_Z;
  for (int i = 0; i < n && left; i++) {
    const double *row = row_of(A, lda, i);
    const double *above = A + i; /* column i, down to the diagonal */
    double differences = 0.0;    /* a − b is zero only where a = b: underflow is gradual */
    double largest = 0.0;
    for (int j = 0; j < i; j++) {
      const double a = row[j];
      const double b = *above;
      const double larger = a > b ? a : b;
      differences += fabs(a - b);
      largest = larger > largest ? larger : largest;
      above += lda;
    }
    if (differences > 0.0) {
      left &= ~(unsigned)NSD_GLANCE_SYMMETRIC;
    }
    if (largest > 0.0) {
      left &= ~(unsigned)NSD_GLANCE_Z;
    }
    if (!(row[i] > 0.0)) {
      left &= ~(unsigned)NSD_GLANCE_POSITIVE_DIAGONAL;
    }
    if (nsd_poll_stops(poll, COLUMN_READ * i)) {
      return 0;
    }
  }
  return left;
}

/* |A_ii| > Σ_{j≠i} |A_ij| in every row. */
static int dominant(int n, const double *A, int lda, nsd_poll *poll)
{
  for (int i = 0; i < n; i++) {
    const double *row = row_of(A, lda, i);
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
      sum += j == i ? 0.0 : fabs(row[j]);
    }
    if (!(fabs(row[i]) > sum)) {
      return NO;
    }
    (void)nsd_poll_stops(poll, 2.0 * n);
  }
  return YES;
}

/* Elements with error bounds: a ± e. One rounding is at most 2^-53 of its result; twice that leaves room for
 * the roundings of the bounds themselves. */

typedef struct bounded {
  double a;
  double e;
} bounded;

/* (x / p), p > e_p. */
static inline bounded quotient(bounded x, bounded p)
{
  /* |x/p − q| <= (e_x + |q| e_p) / (p − e_p), and one rounding. */
  const double q = x.a / p.a;
  return (bounded){q, (x.e + fabs(q) * p.e) / (p.a - p.e) + NSD_CLASS_ROUNDING * fabs(q)};
}

/* x − f y */
static inline bounded reduced(bounded x, bounded f, bounded y)
{
  /* f y is off by |f| e_y + e_f |y| + e_f e_y and one rounding, the difference by one more. */
  const double term = f.a * y.a;
  const double rest = x.a - term;
  const double of_term = fabs(f.a) * y.e + f.e * (fabs(y.a) + y.e) + NSD_CLASS_ROUNDING * fabs(term);
  return (bounded){rest, x.e + of_term + NSD_CLASS_ROUNDING * fabs(rest)};
}

/* Whether a pivot is positive, its error considered; undecided where something overflowed. */
static inline int is_positive(double a, double e)
{
  if (a > e) {
    return e <= DBL_MAX && a <= DBL_MAX ? YES : UNDECIDED;
  }
  return a <= e && e <= DBL_MAX ? NO : UNDECIDED;
}

/* Principal minors. A is P exactly where a_00 > 0, A without row and column 0 is P, and the Schur complement
 * of a_00 is P (Tsatsomeros & Li 2000): 2^n minors in a recursion that costs about 6 · 2^n elements. */

typedef struct minors {
  const nsdyn_context *ctx;
  double *levels;
  int polled_at; /* order whose matrices ask for progress */
  double polls;  /* of those so far */
  double total;
  nsdyn_status status;
} minors;

/* Place of the m × m matrix of a level; its bounds stand behind it. */
static double *level_of(const minors *s, int m)
{
  /* Matrices of orders 1 … m − 1 stand before it, each with its bounds. */
  double *at = s->levels;
  for (int k = 1; k < m; k++) {
    at += 2 * k * k;
  }
  return at;
}

/* `positive` of all diagonal elements: each is the quotient of two principal minors. */
static int diagonal_is_positive(int m, const double *A, const double *E)
{
  int verdict = YES;
  /* Undecided only where no other element says NO. */
  for (int i = 0; i < m; i++) {
    const int one = is_positive(A[i * m + i], E[i * m + i]);
    if (one == NO) {
      return NO;
    }
    verdict = one == UNDECIDED ? UNDECIDED : verdict;
  }
  return verdict;
}

static void leave_out_first(int m, const double *A, const double *E, double *B, double *F)
{
  for (int i = 1; i < m; i++) {
    for (int j = 1; j < m; j++) {
      *B++ = A[i * m + j];
      *F++ = E[i * m + j];
    }
  }
}

static void eliminate_first(int m, const double *A, const double *E, double *B, double *F)
{
  /* The Schur complement of a_00: a_ij − (a_i0 / a_00) a_0j, with its bound. */
  const bounded pivot = {A[0], E[0]};
  for (int i = 1; i < m; i++) {
    const bounded f = quotient((bounded){A[i * m], E[i * m]}, pivot);
    for (int j = 1; j < m; j++) {
      const bounded rest = reduced((bounded){A[i * m + j], E[i * m + j]}, f, (bounded){A[j], E[j]});
      *B++ = rest.a;
      *F++ = rest.e;
    }
  }
}

static int poll(minors *s, int m)
{
  if (m == s->polled_at && s->status == NSDYN_OK) {
    s->status = nsd_progress(s->ctx, "principal minors", s->polls / s->total);
    s->polls += 1.0;
  }
  return s->status != NSDYN_OK;
}

static int minors_are_positive(minors *s, int m, const double *A, const double *E)
{
  /* Stage 1. The diagonal, whose elements are quotients of principal minors. */
  const int here = poll(s, m) ? UNDECIDED : diagonal_is_positive(m, A, E);
  if (here != YES || m <= 1) {
    return here;
  }
  /* Stage 2. All minors with row 0: those of the Schur complement of a_00. */
  double *B = level_of(s, m - 1);
  double *F = B + (m - 1) * (m - 1);
  eliminate_first(m, A, E, B, F);
  const int with = minors_are_positive(s, m - 1, B, F);
  if (with == NO) {
    return NO;
  }
  /* Stage 3. All minors without it. */
  leave_out_first(m, A, E, B, F);
  const int without = minors_are_positive(s, m - 1, B, F);
  return without == YES ? with : without;
}

/* Elimination of the whole matrix in S with bounds in E, in the order of the rows: YES where all n pivots are
 * positive. For a matrix with no positive element off the diagonal this is the test for a nonsingular
 * M-matrix (Fiedler & Pták 1962). */
static int pivots_are_positive(nsd_classes *w, int n)
{
  const size_t stride = (size_t)n;
  /* Pivot k is a quotient of leading minors: all n positive is what the test asks. */
  for (size_t k = 0; k < stride; k++) {
    const bounded pivot = {w->S[k * stride + k], w->E[k * stride + k]};
    const int verdict = is_positive(pivot.a, pivot.e);
    if (verdict != YES) {
      return verdict;
    }
    for (size_t i = k + 1; i < stride; i++) {
      if (nsd_poll_stops(&w->poll, 8.0 * (double)(stride - k))) {
        return UNDECIDED;
      }
      const bounded f = quotient((bounded){w->S[i * stride + k], w->E[i * stride + k]}, pivot);
      for (size_t j = k + 1; f.a != 0.0 && j < stride; j++) {
        const size_t at = i * stride + j;
        const size_t above = k * stride + j;
        const bounded rest = reduced((bounded){w->S[at], w->E[at]}, f, (bounded){w->S[above], w->E[above]});
        w->S[at] = rest.a;
        w->E[at] = rest.e;
      }
    }
  }
  return YES;
}

/* Row i by a power of two so that A_ii is about 1: P, M and their like do not change, and nothing needs
 * to overflow that only has odd units. */
static double unit_of_row(double diagonal)
{
  int exponent = 0;
  (void)frexp(diagonal, &exponent);
  return ldexp(1.0, exponent < 1000 ? -exponent : -1000);
}

/* S := A, or its comparison matrix (A_ii, −|A_ij|), rows scaled; E := 0. */
static void load(nsd_classes *w, int n, const double *A, int lda, int comparison)
{
  const size_t stride = (size_t)n;
  for (int i = 0; i < n; i++) {
    const double *row = row_of(A, lda, i);
    const double unit = unit_of_row(row[i]);
    double *s = w->S + (size_t)i * stride;
    double *e = w->E + (size_t)i * stride;
    for (int j = 0; j < n; j++) {
      s[j] = unit * (comparison && j != i ? -fabs(row[j]) : row[j]);
      e[j] = 0.0;
    }
    if (nsd_poll_stops(&w->poll, 4.0 * n)) {
      return; /* what is asked of it asks too */
    }
  }
}

/* A_ii A_jj > A_ij A_ji for all pairs, diagonal positive. */
static int pairs_are_positive(nsd_classes *w, int n, const double *A, int lda)
{
  for (int i = 0; i < n; i++) {
    const double *row = row_of(A, lda, i);
    for (int j = 0; j < i; j++) {
      const double *other = row_of(A, lda, j);
      /* a_ii − (a_ij / a_jj) a_ji > 0: the minor of rows i and j over a_jj. Only a certain NO counts. */
      const bounded f = quotient((bounded){row[j], 0.0}, (bounded){other[j], 0.0});
      const bounded rest = reduced((bounded){row[i], 0.0}, f, (bounded){other[i], 0.0});
      if (is_positive(rest.a, rest.e) == NO) {
        return NO;
      }
    }
    if (nsd_poll_stops(&w->poll, COLUMN_READ * i)) {
      return UNDECIDED;
    }
  }
  return YES;
}

/* Positive semidefinite. Elimination of the symmetric part, always with the diagonal element that has kept
 * most of its first value; what is left when all others are zero to rounding must be zero as a whole. */

/* 2^-k with 4^k about the diagonal element: both sides of a row and a column by it make the diagonal about 1.
 */
static double unit_of_both(double diagonal)
{
  int exponent = 0;
  (void)frexp(diagonal, &exponent);
  return ldexp(1.0, -(exponent / 2));
}

/* S := (A + Aᵀ)/2, scaled to a diagonal of about 1. A may itself be rounded: its elements are good to their
 * last place, which after a cancellation is more than the rounding of the sum. Returns NO where two rows
 * already contradict |s_ij| <= √(s_ii s_jj) by far; what is left cannot overflow. */
static int load_symmetric(nsd_classes *w, int n, const double *A, int lda)
{
  const size_t stride = (size_t)n;
  for (int i = 0; i < n; i++) {
    const double unit = unit_of_both(row_of(A, lda, i)[i]);
    w->start[i] = unit;
    w->order[i] = i;
    for (int j = 0; j <= i; j++) {
      /* A half of each: the sum of halves cannot overflow where the elements do not. */
      const double a = 0.5 * row_of(A, lda, i)[j] * unit * w->start[j];
      const double b = 0.5 * row_of(A, lda, j)[i] * unit * w->start[j];
      const size_t at = (size_t)i * stride + (size_t)j;
      const size_t mirrored = (size_t)j * stride + (size_t)i;
      w->S[at] = w->S[mirrored] = a + b;
      w->E[at] = w->E[mirrored] = NSD_CLASS_ROUNDING * (fabs(a) + fabs(b));
      /* A diagonal of about 1 (at most 4) bounds the elements off it in a semidefinite matrix. */
      if (!(fabs(a + b) <= 4.0 + w->E[at] && w->E[at] <= DBL_MAX)) {
        return NO;
      }
    }
    if (nsd_poll_stops(&w->poll, 3.0 * COLUMN_READ * i)) {
      return NO; /* who is told to stop hands out no class */
    }
  }
  /* From here on `start` holds the diagonal before the elimination. */
  for (int i = 0; i < n; i++) {
    w->start[i] = w->S[(size_t)i * stride + (size_t)i];
  }
  return YES;
}

static bounded symmetric_at(const nsd_classes *w, int n, int i, int j)
{
  const size_t at = (size_t)w->order[i] * (size_t)n + (size_t)w->order[j];
  return (bounded){w->S[at], w->E[at]};
}

/* Brings the largest remaining diagonal element, relative to its first value, to place k. Returns NO where
 * one is negative, YES where it is a pivot, UNDECIDED where all are zero to rounding. */
static int next_pivot(nsd_classes *w, int n, int k)
{
  int best = -1;
  double largest = 0.0;
  for (int i = k; i < n; i++) {
    /* A semidefinite matrix stays so under elimination: no diagonal element is negative beyond its bound. */
    const bounded d = symmetric_at(w, n, i, i);
    if (!(d.a >= -d.e)) {
      return NO;
    }
    const double start = w->start[w->order[i]];
    if (d.a > d.e && d.a > largest * start) {
      largest = d.a / start;
      best = i;
    }
  }
  if (best < 0) {
    return UNDECIDED;
  }
  const int chosen = w->order[best];
  w->order[best] = w->order[k];
  w->order[k] = chosen;
  return YES;
}

static void eliminate_symmetric(nsd_classes *w, int n, int k)
{
  const bounded pivot = symmetric_at(w, n, k, k);
  for (int i = k + 1; i < n; i++) {
    if (nsd_poll_stops(&w->poll, 8.0 * (i - k))) {
      return;
    }
    /* s_ij −= (s_ik / s_kk) s_kj in both triangles. */
    const bounded f = quotient(symmetric_at(w, n, i, k), pivot);
    for (int j = k + 1; j <= i; j++) {
      const bounded rest = reduced(symmetric_at(w, n, i, j), f, symmetric_at(w, n, k, j));
      const size_t r = (size_t)w->order[i];
      const size_t c = (size_t)w->order[j];
      w->S[r * (size_t)n + c] = rest.a;
      w->E[r * (size_t)n + c] = rest.e;
      w->S[c * (size_t)n + r] = rest.a;
      w->E[c * (size_t)n + r] = rest.e;
    }
  }
}

/* What remains from place k on is zero: with a diagonal of at most d_i = a_ii + e_ii, elements off it are at
 * most √(d_i d_j). */
static int rest_is_zero(nsd_classes *w, int n, int k)
{
  for (int i = k; i < n; i++) {
    const bounded di = symmetric_at(w, n, i, i);
    for (int j = k; j < i; j++) {
      const bounded dj = symmetric_at(w, n, j, j);
      const bounded off = symmetric_at(w, n, i, j);
      /* |s_ij| <= √(s_ii s_jj) in every semidefinite matrix. */
      const double most = sqrt(fabs(di.a) + di.e) * sqrt(fabs(dj.a) + dj.e);
      if (!(fabs(off.a) <= off.e + most)) {
        return NO;
      }
    }
    if (nsd_poll_stops(&w->poll, 20.0 * i)) {
      return UNDECIDED;
    }
  }
  return YES;
}

/* Where s_ii = 0 the row must be zero too. Asked before the elimination, in which the square of a tiny
 * element could underflow. */
static int zero_rows_are_zero(nsd_classes *w, int n)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; w->start[i] == 0.0 && j < n; j++) {
      const bounded off = symmetric_at(w, n, i, j);
      if (fabs(off.a) > off.e) {
        return NO;
      }
    }
    (void)nsd_poll_stops(&w->poll, w->start[i] == 0.0 ? 4.0 * n : 0.0);
  }
  return YES;
}

static int semidefinite(nsd_classes *w, int n, const double *A, int lda)
{
  /* Stage 1. The symmetric part, since xᵀA x = xᵀ(A + Aᵀ)x / 2. */
  if (load_symmetric(w, n, A, lda) == NO || zero_rows_are_zero(w, n) == NO) {
    return NO;
  }
  /* Stage 2. Elimination with the largest pivot, until all is eliminated or what is left is zero. */
  for (int k = 0; k < n; k++) {
    if (w->poll.is_cancelled) {
      return UNDECIDED;
    }
    const int pivot = next_pivot(w, n, k);
    if (pivot != YES) {
      return pivot == NO ? NO : rest_is_zero(w, n, k);
    }
    eliminate_symmetric(w, n, k);
  }
  return YES;
}

static int definite(nsd_classes *w, int n, const double *A, int lda)
{
  return load_symmetric(w, n, A, lda) && nsd_cholesky_factor_asking(n, w->S, n, NULL, &w->poll) == NSDYN_OK
             ? YES
             : NO;
}

static int by_minors(nsd_classes *w, const nsdyn_context *ctx, int n, const double *A, int lda,
                     nsdyn_status *status)
{
  load(w, n, A, lda, 0);
  /* Matrices of order 14 ask for progress: there are 2^(n − 14), each with 2^14 minors below it. */
  minors s = {.ctx = ctx, .levels = w->levels, .polled_at = n > 14 ? 14 : 1 - n, .status = NSDYN_OK};
  s.total = ldexp(1.0, n - 14);
  const int verdict = minors_are_positive(&s, n, w->S, w->E);
  *status = s.status;
  return verdict;
}

/* P, by what decides it at least cost. */
static int positive_minors(nsd_classes *w, const nsdyn_context *ctx, int n, const double *A, int lda,
                           const nsdyn_lcp_classes *c, nsdyn_status *status)
{
  /* Stage 1. A P-matrix has a positive diagonal; a symmetric one is P exactly where it is
   * positive definite, and definite matrices are P. */
  if (!c->positive_diagonal) {
    return NO;
  }
  if (c->symmetric || c->positive_definite == YES) {
    return c->positive_definite;
  }
  /* Stage 2. Minors of order two, n² of them, refuse most others. */
  if (pairs_are_positive(w, n, A, lda) == NO) {
    return NO;
  }
  /* Stage 3. H-matrices with positive diagonal are P: dominant rows or columns in some units. Where A is
   * Z, it is its own comparison matrix and the test decides. */
  load(w, n, A, lda, 1);
  if (w->poll.is_cancelled) {
    return UNDECIDED;
  }
  const int h = pivots_are_positive(w, n);
  if (h == YES || (c->z_matrix && h == NO)) {
    return h;
  }
  /* Stage 4. All 2^n minors, where that can be done. */
  return n <= NSD_MINORS_MOST ? by_minors(w, ctx, n, A, lda, status) : UNDECIDED;
}

nsdyn_status nsd_classes_solve(nsd_classes *w, const nsdyn_context *ctx, int n, const double *A, int lda,
                               nsdyn_lcp_classes *classes)
{
  nsdyn_lcp_classes c = {.size = classes->size};
  nsdyn_status status = NSDYN_OK;
  w->poll = nsd_poll_of(ctx, "classifying");
  /* The cheap questions first: a glance (n²), definiteness (n³), minors (up to 2^n). */
  const unsigned glance = nsd_lcp_glance(n, A, lda, &w->poll);
  c.symmetric = (glance & NSD_GLANCE_SYMMETRIC) != 0;
  c.z_matrix = (glance & NSD_GLANCE_Z) != 0;
  c.positive_diagonal = (glance & NSD_GLANCE_POSITIVE_DIAGONAL) != 0;
  c.diagonally_dominant = dominant(n, A, lda, &w->poll);
  c.positive_definite = c.positive_diagonal ? definite(w, n, A, lda) : NO;
  c.positive_semidefinite = c.positive_definite ? YES : semidefinite(w, n, A, lda);
  c.p_matrix = positive_minors(w, ctx, n, A, lda, &c, &status);
  /* A nonsingular M-matrix is a Z-matrix that is P. */
  c.m_matrix = c.z_matrix ? c.p_matrix : NO;
  status = status == NSDYN_OK && w->poll.is_cancelled ? NSDYN_CANCELLED : status;
  if (status == NSDYN_OK) {
    *classes = c;
  }
  return status;
}

void nsd_classes_lay_out(nsd_arena *arena, nsd_classes *w, int n)
{
  const size_t size = (size_t)n;
  /* Matrices of all orders below n, each with its bounds: the recursion holds one of each at a time. */
  size_t levels = 0;
  for (size_t m = 1; n <= NSD_MINORS_MOST && m < size; m++) {
    levels += 2 * m * m;
  }
  w->S = nsd_arena_take(arena, size * size, sizeof *w->S);
  w->E = nsd_arena_take(arena, size * size, sizeof *w->E);
  w->start = nsd_arena_take(arena, size, sizeof *w->start);
  w->levels = nsd_arena_take(arena, levels, sizeof *w->levels);
  w->order = nsd_arena_take(arena, size, sizeof *w->order);
}
