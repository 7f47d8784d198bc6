/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/certificate.h"

#include "base/kernels/simd.h"

int nsd_lcp_is_plain(const nsd_lcp_problem *p)
{
  for (int i = 0; p->lo && i < p->n; i++) {
    if (p->lo[i] != 0.0) {
      return 0;
    }
  }
  for (int i = 0; p->hi && i < p->n; i++) {
    if (p->hi[i] != INFINITY) {
      return 0;
    }
  }
  return 1;
}

/* y_i and s_i = |b_i| + Σ_j |A_ij x_j|, by four partial sums. */
NSD_INLINE double row_value(const nsd_lcp_problem *p, int i, const double *x, double *scale)
{
  const int n = p->n;
  const double *a = nsd_lcp_row(p, i);
  nsd_lanes sum = nsd_lanes_all(0.0);
  nsd_lanes size = nsd_lanes_all(0.0);
  int j = 0;
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    const nsd_lanes term = nsd_lanes_load(a + j) * nsd_lanes_load(x + j);
    sum += term;
    size += nsd_lanes_abs(term);
  }
  double rest = 0.0;
  double rest_size = fabs(p->b[i]);
  for (; j < n; j++) {
    const double term = a[j] * x[j];
    rest += term;
    rest_size += fabs(term);
  }
  *scale = rest_size + nsd_lanes_sum(size);
  return p->b[i] + (rest + nsd_lanes_sum(sum));
}

/* Four rows judged at once, lane by lane. */
typedef struct four_rows {
  nsd_lanes x, y, scale; /* x_i, y_i, s_i */
  nsd_lanes b, lo, hi;
  nsd_lanes_bits row;
} four_rows;

/* What is known after some rows: in each lane the worst of its own. */
typedef struct verdict {
  nsd_lanes residual, violation;
  nsd_lanes_bits row;
  nsd_lanes_bits loads; /* LOADED, NEAR: what b is in the rows strictly between the bounds */
} verdict;

enum { LOADED = 1 /* not zero */, NEAR = 2 /* nor vanishing beside A x */ };

/* Elements at … at + count − 1, zeros behind. */
NSD_INLINE_LANES nsd_lanes load_some(const double *from, int at, int count)
{
  if (count >= NSD_LANES) {
    return nsd_lanes_load(from + at);
  }
  if (count == 1) {
    return (nsd_lanes){from[at], 0.0, 0.0, 0.0};
  }
  const nsd_lanes_2 low = *(const nsd_lanes_2 *)(from + at);
  const nsd_lanes_2 high = {count > 2 ? from[at + 2] : 0.0, 0.0};
  return NSD_JOIN(low, high);
}

NSD_INLINE_LANES void store_some(double *to, int at, int count, nsd_lanes v)
{
  if (count >= NSD_LANES) {
    nsd_lanes_store(to + at, v);
    return;
  }
  if (count > 1) {
    *(nsd_lanes_2 *)(to + at) = (nsd_lanes_2){v[0], v[1]};
  }
  if (count != 2) {
    to[at + count - 1] = v[count - 1];
  }
}

/* Lane k: the sum of the four elements of vector k. */
NSD_INLINE_LANES nsd_lanes sums_of(nsd_lanes v0, nsd_lanes v1, nsd_lanes v2, nsd_lanes v3)
{
  const nsd_lanes a = NSD_SHUFFLE(v0, v1, 0, 4, 2, 6) + NSD_SHUFFLE(v0, v1, 1, 5, 3, 7);
  const nsd_lanes b = NSD_SHUFFLE(v2, v3, 0, 4, 2, 6) + NSD_SHUFFLE(v2, v3, 1, 5, 3, 7);
  return NSD_SHUFFLE(a, b, 0, 1, 4, 5) + NSD_SHUFFLE(a, b, 2, 3, 6, 7);
}

/* A row's part of its sums: the first one, or one more. */
NSD_INLINE_LANES void add_terms(nsd_lanes a, nsd_lanes x, int is_first, nsd_lanes *sum, nsd_lanes *size)
{
  const nsd_lanes term = a * x;
  const nsd_lanes term_size = nsd_lanes_abs(term);
  if (is_first) {
    *sum = term;
    *size = term_size;
  } else {
    *sum += term;
    *size += term_size;
  }
}

/* Columns j … j + width − 1 of up to four rows. */
NSD_INLINE_LANES void multiply_columns(const double *a, size_t lda, int count, int j, int width, nsd_lanes z,
                                       int is_first, nsd_lanes *y, nsd_lanes *size)
{
  add_terms(load_some(a, j, width), z, is_first, &y[0], &size[0]);
  if (count > 1) {
    add_terms(load_some(a + lda, j, width), z, is_first, &y[1], &size[1]);
  }
  if (count > 2) {
    add_terms(load_some(a + 2 * lda, j, width), z, is_first, &y[2], &size[2]);
  }
  if (count > 3) {
    add_terms(load_some(a + 3 * lda, j, width), z, is_first, &y[3], &size[3]);
  }
}

/* A_i x and Σ_j |A_ij x_j| of `count` rows; `tail` columns are behind the last whole vector. Every element of
 * A goes in, also beside a zero of x: one that is not finite makes its row's scale so. */
NSD_INLINE void multiply_rows(const nsd_lcp_problem *p, int i, int count, const double *x, int n, int tail,
                              four_rows *r)
{
  const double *a = nsd_lcp_row(p, i);
  const size_t lda = (size_t)p->lda;
  const int whole = n - tail;
  const nsd_lanes zero = nsd_lanes_all(0.0);
  nsd_lanes y[NSD_LANES] = {zero, zero, zero, zero};
  nsd_lanes size[NSD_LANES] = {zero, zero, zero, zero};
  /* The first columns begin the sums, whole vectors follow, the
   * remaining columns are filled up with zeros. */
  if (whole > 0) {
    multiply_columns(a, lda, count, 0, NSD_LANES, nsd_lanes_load(x), 1, y, size);
    for (int j = NSD_LANES; j < whole; j += NSD_LANES) {
      multiply_columns(a, lda, count, j, NSD_LANES, nsd_lanes_load(x + j), 0, y, size);
    }
  }
  if (tail) {
    multiply_columns(a, lda, count, whole, tail, load_some(x, whole, tail), 0, y, size);
  }
  /* y[k] holds four partial sums of row k: they are added up by a transposition. */
  r->y = sums_of(y[0], y[1], y[2], y[3]);
  r->scale = sums_of(size[0], size[1], size[2], size[3]);
}

/* How far y is from what its row allows at x, zero or positive, over its scale: infinite where that is no
 * number, or more than the scale, as only an overflow or a NaN can make it, and where x is outside its bounds
 * or not finite. */
NSD_INLINE void weigh(const four_rows *r, verdict *v)
{
  const nsd_lanes zero = nsd_lanes_all(0.0);
  const nsd_lanes infinity = nsd_lanes_all((double)INFINITY);
  /* y < 0 is allowed at hi only, y > 0 at lo only. */
  const nsd_lanes_bits below_hi = (nsd_lanes_bits)(r->x < r->hi);
  const nsd_lanes_bits above_lo = (nsd_lanes_bits)(r->x > r->lo);
  const nsd_lanes_bits negative = (nsd_lanes_bits)(r->y < zero);
  const nsd_lanes_bits positive = (nsd_lanes_bits)(r->y > zero);
  const nsd_lanes_bits wrong = (negative & below_hi) | (positive & above_lo);
  const nsd_lanes violation = (nsd_lanes)((nsd_lanes_bits)nsd_lanes_abs(r->y) & wrong);
  /* violation / s_i, where that is a number of [0, 1] and x within its bounds; infinite otherwise. */
  const nsd_lanes_bits is_finite = (nsd_lanes_bits)(r->scale < infinity);
  const nsd_lanes quotient = (nsd_lanes)((nsd_lanes_bits)(violation / r->scale) & wrong);
  const nsd_lanes_bits is_inside = (nsd_lanes_bits)(r->x >= r->lo) & (nsd_lanes_bits)(r->x <= r->hi) &
                                   (nsd_lanes_bits)(nsd_lanes_abs(r->x) < infinity);
  const nsd_lanes_bits is_number = is_inside & is_finite & (nsd_lanes_bits)(quotient <= nsd_lanes_all(1.0));
  const nsd_lanes residual = nsd_lanes_choose(is_number, quotient, infinity);
  /* The first row of a lane's largest residual stays: > and not >=. */
  const nsd_lanes_bits worse = (nsd_lanes_bits)(residual > v->residual);
  v->residual = nsd_lanes_choose(worse, residual, v->residual);
  v->violation = nsd_lanes_choose(worse, violation, v->violation);
  v->row = (worse & r->row) | (~worse & v->row);
  /* Whether b counts in a row strictly between its bounds: |b_i| > NSD_FAR_OUT
   * s_i (NEAR), or at least b_i ≠ 0 (LOADED). */
  const nsd_lanes_bits inside = below_hi & above_lo;
  const nsd_lanes load = nsd_lanes_abs(r->b);
  v->loads |= inside & (((nsd_lanes_bits)(load > NSD_FAR_OUT * r->scale) & NEAR) |
                        ((nsd_lanes_bits)(load > zero) & LOADED));
}

/* Rows i … i + count − 1. A lane without a row is zero throughout, which is no violation. */
NSD_INLINE void judge_rows(const nsd_lcp_problem *p, int i, int count, const double *x, double *y, int tail,
                           verdict *v)
{
  const nsd_lanes_bits lanes = {0, 1, 2, 3};
  four_rows r;
  multiply_rows(p, i, count, x, p->n, tail, &r);
  /* Without bounds given: lo = 0, hi = ∞. */
  r.x = load_some(x, i, count);
  r.b = load_some(p->b, i, count);
  r.lo = !p->lo ? nsd_lanes_all(0.0) : load_some(p->lo, i, count);
  r.hi = !p->hi ? nsd_lanes_all((double)INFINITY) : load_some(p->hi, i, count);
  r.row = lanes + nsd_lanes_bits_all(i);
  /* y_i = A_i x + b_i, s_i = Σ |A_ij x_j| + |b_i|. */
  r.y += r.b;
  r.scale += nsd_lanes_abs(r.b);
  weigh(&r, v);
  /* As it is handed out: zero strictly between the bounds, where the row is an equation. */
  if (y) {
    const nsd_lanes_bits inside = (nsd_lanes_bits)(r.x > r.lo) & (nsd_lanes_bits)(r.x < r.hi);
    store_some(y, i, count, (nsd_lanes)((nsd_lanes_bits)r.y & ~inside));
  }
}

/* For an infinite residual: the first row in which x is outside its bounds, or not a number at all, if there
 * is one. */
static nsd_certificate refuse(const nsd_lcp_problem *p, const double *x, nsd_certificate worst)
{
  /* The residual does not tell why it is infinite: x out of
   * bounds, x no number, or an overflow in the row. */
  int i = 0;
  while (i < p->n && x[i] >= nsd_lcp_lo(p, i) && x[i] <= nsd_lcp_hi(p, i) && fabs(x[i]) < (double)INFINITY) {
    i++;
  }
  if (i == p->n) {
    return worst;
  }
  const double lo = nsd_lcp_lo(p, i);
  const double hi = nsd_lcp_hi(p, i);
  const double violation = x[i] < lo ? lo - x[i] : x[i] > hi ? x[i] - hi : x[i];
  return (nsd_certificate){.residual = INFINITY, .violation = violation, .row = i, .far_out = 0};
}

/* Lane by lane the worse of two: the larger residual, the first row among equals. */
NSD_INLINE_LANES void take_worse(verdict *v, nsd_lanes residual, nsd_lanes violation, nsd_lanes_bits row)
{
  const nsd_lanes_bits worse = (nsd_lanes_bits)(residual > v->residual) |
                               ((nsd_lanes_bits)(residual == v->residual) & (nsd_lanes_bits)(row < v->row));
  v->residual = nsd_lanes_choose(worse, residual, v->residual);
  v->violation = nsd_lanes_choose(worse, violation, v->violation);
  v->row = (worse & row) | (~worse & v->row);
}

/* The worst of the four lanes. */
NSD_INLINE nsd_certificate conclude(verdict *v)
{
  /* Two folds: the worst of four lanes. */
  take_worse(v, NSD_SHUFFLE(v->residual, v->residual, 2, 3, 0, 1),
             NSD_SHUFFLE(v->violation, v->violation, 2, 3, 0, 1), NSD_SHUFFLE(v->row, v->row, 2, 3, 0, 1));
  take_worse(v, NSD_SHUFFLE(v->residual, v->residual, 1, 0, 3, 2),
             NSD_SHUFFLE(v->violation, v->violation, 1, 0, 3, 2), NSD_SHUFFLE(v->row, v->row, 1, 0, 3, 2));
  return (nsd_certificate){.residual = v->residual[0],
                           .violation = v->violation[0],
                           .row = v->residual[0] > 0.0 ? (int)v->row[0] : -1,
                           .far_out = (v->loads[0] | v->loads[1] | v->loads[2] | v->loads[3]) == LOADED};
}

NSD_INLINE nsd_certificate certify(const nsd_lcp_problem *p, const double *x, double *y, int tail,
                                   nsd_poll *poll)
{
  const nsd_lanes_bits none = {0, 0, 0, 0};
  /* −1 as a row: no violation so far. */
  verdict v = {nsd_lanes_all(0.0), nsd_lanes_all(0.0), none - 1, none};
  const int whole = p->n - tail;
  for (int i = 0; i < whole; i += NSD_LANES) {
    judge_rows(p, i, NSD_LANES, x, y, tail, &v);
    if (poll) {
      nsd_poll_tells(poll, NSD_LANES * (double)p->n);
    }
  }
  if (tail) {
    judge_rows(p, whole, tail, x, y, tail, &v);
  }
  const nsd_certificate worst = conclude(&v);
  return worst.residual < (double)INFINITY ? worst : refuse(p, x, worst);
}

/* The number of rows and columns behind the last whole vector is known to the compiler. */
NSD_INLINE nsd_certificate certify_by_tail(const nsd_lcp_problem *p, const double *x, double *y,
                                           nsd_poll *poll)
{
  switch (p->n % NSD_LANES) {
  case 0:
    return certify(p, x, y, 0, poll);
  case 1:
    return certify(p, x, y, 1, poll);
  case 2:
    return certify(p, x, y, 2, poll);
  default:
    return certify(p, x, y, 3, poll);
  }
}

static nsd_certificate certify_plain(const nsd_lcp_problem *p, const double *x, double *y, nsd_poll *poll)
{
  return certify_by_tail(p, x, y, poll);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static nsd_certificate certify_avx2(const nsd_lcp_problem *p, const double *x, double *y,
                                                    nsd_poll *poll)
{
  return certify_by_tail(p, x, y, poll);
}
#endif

nsd_certificate nsd_certify_asking(const nsd_lcp_problem *p, const double *x, double *y, nsd_poll *poll)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return certify_avx2(p, x, y, poll);
  }
#endif
  return certify_plain(p, x, y, poll);
}

nsd_certificate nsd_certify(const nsd_lcp_problem *p, const double *x, double *y)
{
  return nsd_certify_asking(p, x, y, NULL);
}

/* Whether a point passes at all, of a problem without bounds: the same numbers, but what is only of interest
 * afterwards, which row is the worst and how much it is off, is left where nsd_certificate_of finds it. */
typedef struct passage {
  nsd_lanes_bits flags;   /* LOADED, NEAR */
  nsd_lanes_bits signs;   /* negative in a lane where an x is */
  nsd_lanes_bits is_held; /* every violation is within the tolerance */
  nsd_lanes total;        /* of the scales: what is not finite stays so */
} passage;

enum { FAILED = 4 };

/* Rows from which on it pays to ask. */
enum { MANY = 64 };

/* max(−y, 0) where x is zero, |y| where it is positive. */
NSD_INLINE_LANES nsd_lanes violation_of(nsd_lanes y, nsd_lanes_bits inside)
{
  return nsd_lanes_max((nsd_lanes)((nsd_lanes_bits)y & inside), -y);
}

NSD_INLINE void pass_rows(const nsd_lcp_problem *p, int i, int count, const nsd_passing *to, int n, int tail,
                          double inverse_tol, passage *v)
{
  four_rows r;
  multiply_rows(p, i, count, to->x, n, tail, &r);
  r.x = load_some(to->x, i, count);
  r.b = load_some(p->b, i, count);
  const nsd_lanes load = nsd_lanes_abs(r.b);
  /* y_i = A_i x + b_i, s_i = Σ |A_ij x_j| + |b_i|; 0 <= x_i ⊥ y_i >= 0. */
  r.y += r.b;
  r.scale += load;
  const nsd_lanes_bits inside = (nsd_lanes_bits)(r.x > nsd_lanes_all(0.0));
  const nsd_lanes violation = violation_of(r.y, inside);
  /* violation / s_i <= tol without a division. */
  v->is_held &= (nsd_lanes_bits)(violation * inverse_tol <= r.scale);
  /* Only the signs of x matter: x < 0 is out of bounds. An x that is NaN or infinite makes its total so. */
  v->signs |= (nsd_lanes_bits)r.x;
  v->total += r.scale;
  v->flags |= inside & (((nsd_lanes_bits)(load > NSD_FAR_OUT * r.scale) & NEAR) |
                        ((nsd_lanes_bits)(load > nsd_lanes_all(0.0)) & LOADED));
  nsd_lanes_store(to->y + i, (nsd_lanes)((nsd_lanes_bits)r.y & ~inside));
  nsd_lanes_store(to->violation + i, violation);
  nsd_lanes_store(to->scale + i, r.scale);
}

/* Adding a zero makes no −0. */
NSD_INLINE void copy(double *to, const double *from, int n, int tail)
{
  for (int i = 0; i < n - tail; i += NSD_LANES) {
    nsd_lanes_store(to + i, nsd_lanes_load(from + i) + 0.0);
  }
  if (tail) {
    store_some(to, n - tail, tail, load_some(from, n - tail, tail) + 0.0);
  }
}

NSD_INLINE int pass(const nsd_lcp_problem *p, double tol, const nsd_passing *to, int n, int tail)
{
  const nsd_lanes_bits none = {0, 0, 0, 0};
  /* Rounded up, so that what is held is held with the division too. For tol = 0 nothing is. */
  const double inverse_tol = 1.0 / tol * (1.0 + 0x1p-50);
  passage v = {none, none, ~none, nsd_lanes_all(0.0)};
  for (int i = 0; i < n - tail; i += NSD_LANES) {
    pass_rows(p, i, NSD_LANES, to, n, tail, inverse_tol, &v);
    if (n > MANY && to->poll) {
      nsd_poll_tells(to->poll, NSD_LANES * (double)n);
    }
  }
  if (tail) {
    pass_rows(p, n - tail, tail, to, n, tail, inverse_tol, &v);
  }
  /* Passed: every row within tol, all sums finite, no x below zero ... */
  const nsd_lanes_bits is_sound =
      v.is_held & (nsd_lanes_bits)(v.total < (double)INFINITY) & (nsd_lanes_bits)(v.signs >= none);
  nsd_lanes_bits flags = v.flags | (~is_sound & FAILED);
  flags |= NSD_SHUFFLE(flags, flags, 2, 3, 0, 1);
  /* ... and b counts in some row (NEAR), or is zero in all between the bounds (no flag). */
  const long long all = flags[0] | flags[1];
  if ((all & FAILED) || all == LOADED) {
    return 0;
  }
  copy(to->x_out, to->x, n, tail);
  if (to->y_out) {
    copy(to->y_out, to->y, n, tail);
  }
  return 1;
}

/* One and two planar contacts with friction get loops of known length. */
NSD_INLINE int pass_by_size(const nsd_lcp_problem *p, double tol, const nsd_passing *to)
{
  if (p->n == 6) {
    return pass(p, tol, to, 6, 2);
  }
  switch (p->n % NSD_LANES) {
  case 0:
    return pass(p, tol, to, p->n, 0);
  case 1:
    return pass(p, tol, to, p->n, 1);
  case 2:
    return pass(p, tol, to, p->n, 2);
  default:
    return p->n == 3 ? pass(p, tol, to, 3, 3) : pass(p, tol, to, p->n, 3);
  }
}

static int pass_plain(const nsd_lcp_problem *p, double tol, const nsd_passing *to)
{
  return pass_by_size(p, tol, to);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int pass_avx2(const nsd_lcp_problem *p, double tol, const nsd_passing *to)
{
  return pass_by_size(p, tol, to);
}
#endif

int nsd_passes(const nsd_lcp_problem *p, double tol, const nsd_passing *to)
{
#if NSD_HAVE_AVX2
  if (nsd_cpu_avx2()) {
    return pass_avx2(p, tol, to);
  }
#endif
  return pass_plain(p, tol, to);
}

nsd_certificate nsd_certificate_of(int n, const double *violation, const double *scale)
{
  nsd_certificate worst = {.residual = 0.0, .violation = 0.0, .row = -1, .far_out = 0};
  for (int i = 0; i < n; i++) {
    /* Rows without a violation have no residual, whatever their scale. */
    const double residual = violation[i] > 0.0 ? violation[i] / scale[i] : 0.0;
    if (residual > worst.residual) {
      worst.residual = residual;
      worst.violation = violation[i];
      worst.row = i;
    }
  }
  return worst;
}

static int is_inside(const nsd_lcp_problem *p, int i, const double *x)
{
  return x[i] > nsd_lcp_lo(p, i) && x[i] < nsd_lcp_hi(p, i);
}

/* b_i and what the unknowns at their bounds add. */
static double load_of(const nsd_lcp_problem *p, int i, const double *x)
{
  const double *a = nsd_lcp_row(p, i);
  double load = p->b[i];
  for (int j = 0; (p->lo || p->hi) && j < p->n; j++) {
    load += is_inside(p, j, x) ? 0.0 : a[j] * x[j];
  }
  return load;
}

int nsd_is_far_out(const nsd_lcp_problem *p, const double *x, double tol, nsd_poll *poll)
{
  int is_loaded = 0;
  for (int i = 0; i < p->n; i++) {
    /* At a bound y may have any size of one sign: only equations between the bounds tell. */
    if (!is_inside(p, i, x)) {
      continue;
    }
    const double load = fabs(load_of(p, i, x));
    double scale;
    (void)row_value(p, i, x, &scale);
    if (load > tol * scale) {
      return 0;
    }
    is_loaded |= load > 0.0;
    nsd_poll_tells(poll, 6.0 * p->n);
  }
  return is_loaded;
}

/* What one unit of x_i weighs in y_i. */
static double stiffness(const nsd_lcp_problem *p, int i, const double *x, double scale)
{
  const double diagonal = nsd_lcp_row(p, i)[i];
  if (diagonal > 0.0) {
    return diagonal;
  }
  const double size = fabs(x[i]);
  return size > 0.0 ? scale / size : 1.0;
}

void nsd_lcp_round(const nsd_lcp_problem *p, double *x, double *work, nsd_poll *poll)
{
  /* All rows are judged at the same x: what one row rounds must not move the next. */
  for (int i = 0; i < p->n; i++) {
    const double lo = nsd_lcp_lo(p, i);
    const double hi = nsd_lcp_hi(p, i);
    double scale;
    const double y = row_value(p, i, x, &scale);
    const double d = stiffness(p, i, x, scale);
    work[i] = x[i];
    /* y_i > d_i (x_i − lo_i): a step x_i − y_i / d_i would lead to the bound or beyond. */
    if (x[i] <= lo || y > d * (x[i] - lo)) {
      work[i] = lo;
    } else if (x[i] >= hi || -y > d * (hi - x[i])) {
      work[i] = hi;
    }
    if (nsd_poll_stops(poll, 2.0 * p->n)) {
      return;
    }
  }
  for (int i = 0; i < p->n; i++) {
    x[i] = work[i];
  }
}
