/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/lemke.h"

#include <float.h>
#include <string.h>

#include "base/assert.h"
#include "base/pivot.h"
#include "base/simd.h"

/* Part of its size below which a value is taken for rounding. */
#define ROUNDING (32.0 * DBL_EPSILON)

/* Doubles of a row from which on rows that would not change are skipped. */
#define SKIP_FROM 24

enum { RUN_SOLVED = -1, RUN_RAY = -2, RUN_LIMIT = -3 };

void nsd_lemke_lay_out(nsd_arena *arena, nsd_lemke *w, int n)
{
  const size_t size = (size_t)n;
  w->n = n;
  w->stride = nsd_tableau_ld(n + 1);
  w->padded = nsd_tableau_ld(n);
  w->T = nsd_arena_take(arena, (size_t)w->padded * (size_t)w->stride, sizeof *w->T);
  w->value = nsd_arena_take(arena, (size_t)w->padded, sizeof *w->value);
  w->size = nsd_arena_take(arena, (size_t)w->padded, sizeof *w->size);
  w->entering = nsd_arena_take(arena, (size_t)w->padded, sizeof *w->entering);
  w->inverse = nsd_arena_take(arena, (size_t)w->padded, sizeof *w->inverse);
  w->ratio = nsd_arena_take(arena, (size_t)w->padded, sizeof *w->ratio);
  w->pivot_row = nsd_arena_take(arena, (size_t)w->stride, sizeof *w->pivot_row);
  w->basic = nsd_arena_take(arena, size, sizeof *w->basic);
  w->nonbasic = nsd_arena_take(arena, size + 1, sizeof *w->nonbasic);
  w->where = nsd_arena_take(arena, 2 * size + 1, sizeof *w->where);
  w->tied = nsd_arena_take(arena, size + 1, sizeof *w->tied);
}

NSD_INLINE double *row_of(const nsd_lemke *w, int i)
{
  return w->T + (size_t)i * (size_t)w->stride;
}

static void place_basic(nsd_lemke *w, int row, int variable)
{
  w->basic[row] = variable;
  w->where[variable] = row;
}

static void place_nonbasic(nsd_lemke *w, int column, int variable)
{
  w->nonbasic[column] = variable;
  w->where[variable] = -1 - column;
}

static int complement(const nsd_lemke *w, int variable)
{
  return variable < w->n ? variable + w->n : variable - w->n;
}

/* The row in which z0 enters: where b is most negative against d. −1 where b >= 0. Among equals the last,
 * where the lexicographic perturbation ε^i adds least. */
static int first_row(const nsd_lcp_problem *p, const double *cover)
{
  int row = -1;
  double least = 0.0;
  for (int i = 0; i < p->n; i++) {
    const double quotient = cover ? p->b[i] / cover[i] : p->b[i];
    const int lower = (quotient < 0.0) & (quotient <= least); /* signs are not to be predicted: no branch */
    least = lower ? quotient : least;
    row = lower ? i : row;
  }
  return row;
}

/* to := a − f b, n elements, then f, then zeros up to whole vectors: a row of the first tableau. */
NSD_INLINE void begin_row(double *to, const double *a, const double *b, double f, int n)
{
  const int stride = nsd_tableau_ld(n + 1);
  int j = 0;
  NSD_UNROLL(4)
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    nsd_lanes_store(to + j, nsd_lanes_load(a + j) - f * nsd_lanes_load(b + j));
  }
  for (; j < n; j++) {
    to[j] = a[j] - f * b[j];
  }
  to[j++] = f;
  for (; j < stride; j++) {
    to[j] = 0.0;
  }
}

/* z0's row, (y_r − a x − b_r) / d_r. */
NSD_INLINE void begin_row_of_z0(double *to, const double *a, double d_r, int n)
{
  const double inverse = 1.0 / d_r;
  for (int j = 0; j < n; j++) {
    to[j] = a[j] * -inverse;
  }
  to[n] = inverse;
}

/* value := b − d/d_r b_r and its size, −b_r/d_r in row r. Where rounding of d/d_r has gone below zero, zero.
 */
NSD_INLINE void begin_values(nsd_lemke *w, const nsd_lcp_problem *p, const double *cover, int r, int n)
{
  const double b_r = p->b[r];
  const double d_r = cover ? cover[r] : 1.0;
  for (int i = 0; i < n; i++) {
    const double f = cover ? cover[i] / d_r : 1.0;
    const double value = p->b[i] - f * b_r;
    w->value[i] = value > 0.0 ? value : 0.0;
    w->size[i] = fabs(p->b[i]) + f * fabs(b_r);
  }
  for (int i = n; i < nsd_tableau_ld(n); i++) {
    w->value[i] = w->size[i] = 0.0;
  }
  w->value[r] = w->size[r] = -b_r / d_r;
}

/* The tableau after z0 has entered in row r: y_r and x are nonbasic.
 *
 *   z0  = (y_r − A_r x − b_r) / d_r,
 *   y_i = (A_i − d_i/d_r A_r) x + d_i/d_r y_r + b_i − d_i/d_r b_r. */
NSD_INLINE void begin(nsd_lemke *w, const nsd_lcp_problem *p, const double *cover, int r, int n)
{
  const int stride = nsd_tableau_ld(n + 1);
  const double d_r = cover ? cover[r] : 1.0;
  const double *pivot = nsd_lcp_row(p, r);
  const double *a = p->A;
  double *to = w->T;
  for (int i = 0; i < n; i++) {
    begin_row(to, a, pivot, cover ? cover[i] / d_r : 1.0, n);
    w->basic[i] = n + i;
    w->where[n + i] = i;
    w->nonbasic[i] = i;
    w->where[i] = -1 - i;
    a += p->lda;
    to += stride;
  }
  for (double *end = row_of(w, nsd_tableau_ld(n)); to < end; to += NSD_LANES) {
    nsd_lanes_store(to, nsd_lanes_all(0.0)); /* rows that make whole vectors of every column */
  }
  begin_row_of_z0(row_of(w, r), pivot, d_r, n);
  begin_values(w, p, cover, r, n);
  place_basic(w, r, 2 * n);
  place_nonbasic(w, n, n + r);
}

/* The ratio test. The row that leaves is the one that the entering variable presses to zero first.
 *
 * What the next pivot waits for is one division, one multiplication and the search for the least quotient, in
 * whose last bits its row rides along. Whether other rows are tied with it is a question on the side, whose
 * answer the processor guesses. */
enum { RIDING = 63 }; /* of the last bits: rows 0 … 63, 1e-14 of the quotient */

NSD_INLINE_LANES nsd_lanes with_rows(nsd_lanes quotient, int first)
{
  const nsd_lanes_bits rows = {first, first + 1LL, first + 2LL, first + 3LL};
  const nsd_lanes_bits rest = {~(long long)RIDING, ~(long long)RIDING, ~(long long)RIDING,
                               ~(long long)RIDING};
  return (nsd_lanes)(((nsd_lanes_bits)quotient & rest) | rows);
}

NSD_INLINE long long bits_of(double x)
{
  long long bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

NSD_INLINE double without_row(double quotient)
{
  const long long bits = bits_of(quotient) & ~(long long)RIDING;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Quotients of the ratio test, infinite where the entering variable does not press its row down. Returns the
 * least, with its row in the last bits. Fills inverse. */
NSD_INLINE double test_ratios(nsd_lemke *w, double pivot_tol, int padded)
{
  const nsd_lanes none = nsd_lanes_all(INFINITY);
  nsd_lanes largest = nsd_lanes_all(0.0);
  NSD_UNROLL(4)
  for (int i = 0; i < padded; i += NSD_LANES) {
    largest = nsd_lanes_max(nsd_lanes_abs(nsd_lanes_load(w->entering + i)), largest);
  }
  const nsd_lanes least_pivot = nsd_lanes_all(-pivot_tol * nsd_lanes_largest(largest));
  nsd_lanes least = none;
  NSD_UNROLL(4)
  for (int i = 0; i < padded; i += NSD_LANES) {
    const nsd_lanes f = nsd_lanes_load(w->entering + i);
    const nsd_lanes inverse = -1.0 / f;
    const nsd_lanes ratio = nsd_lanes_load(w->value + i) * inverse;
    const nsd_lanes_bits falls = (nsd_lanes_bits)(f < least_pivot);
    nsd_lanes_store(w->inverse + i, inverse);
    nsd_lanes_store(w->ratio + i, nsd_lanes_choose(falls, ratio, none));
    least = nsd_lanes_min(nsd_lanes_choose(falls, with_rows(ratio, i), none), least);
  }
  return nsd_lanes_smallest(least);
}

/* How many quotients are within the limit. */
NSD_INLINE long long count_tied(const nsd_lemke *w, double limit, int padded)
{
  nsd_lanes_bits tied = {0, 0, 0, 0};
  NSD_UNROLL(4)
  for (int i = 0; i < padded; i += NSD_LANES) {
    tied += (nsd_lanes_bits)(nsd_lanes_load(w->ratio + i) <= nsd_lanes_all(limit));
  }
  return -(tied[0] + tied[1] + tied[2] + tied[3]);
}

/* Coefficient of ε^(k+1) in the value of row i when b is perturbed to b + (ε, ε², …), over the pivot. */
static double perturbation(const nsd_lemke *w, int i, int k)
{
  const int place = w->where[w->n + k];
  double coefficient = place == i ? 1.0 : 0.0;
  if (place < 0) {
    coefficient = -row_of(w, i)[-1 - place];
  }
  return coefficient / -w->entering[i];
}

/* Keeps of the tied rows those that are least in the lexicographic order; one remains in exact
 * arithmetic. */
static int least_lexicographic(const nsd_lemke *w, int count)
{
  int *tied = w->tied;
  for (int k = 0; k < w->n && count > 1; k++) {
    double least = perturbation(w, tied[0], k);
    double size = fabs(least);
    for (int m = 1; m < count; m++) {
      const double value = perturbation(w, tied[m], k);
      least = value < least ? value : least;
      size = fabs(value) > size ? fabs(value) : size;
    }
    const double limit = least + 64.0 * DBL_EPSILON * size;
    int kept = 0;
    for (int m = 0; m < count; m++) {
      if (perturbation(w, tied[m], k) <= limit) {
        tied[kept++] = tied[m];
      }
    }
    count = kept;
  }
  return tied[0];
}

static int largest_pivot(const nsd_lemke *w, int count)
{
  int row = w->tied[0];
  for (int m = 1; m < count; m++) {
    if (w->entering[w->tied[m]] < w->entering[row]) {
      row = w->tied[m];
    }
  }
  return row;
}

/* The row that leaves. Rows within rounding of the least quotient are tied; z0 goes first of all, since that
 * ends the path. */
NSD_INLINE int leaving_row(nsd_lemke *w, double least, nsd_lemke_ties ties, int n, int padded)
{
  const double limit = without_row(least) * (1.0 + 1e-13);
  const int z0_row = w->where[2 * n];
  if (w->ratio[z0_row] <= limit) {
    return z0_row;
  }
  if (n <= RIDING + 1 && count_tied(w, limit, padded) == 1) {
    return (int)(bits_of(least) & RIDING);
  }
  int count = 0;
  for (int i = 0; i < n; i++) {
    w->tied[count] = i;
    count += w->ratio[i] <= limit;
  }
  if (count == 1) {
    return w->tied[0];
  }
  return ties == NSD_LEMKE_LEXICOGRAPHIC ? least_lexicographic(w, count) : largest_pivot(w, count);
}

/* The entering variable takes the place of row r and grows until that row's old variable is zero. What is
 * left of larger numbers that cancelled is zero: degenerate rows stay degenerate to the bit, so ties of the
 * ratio test are seen as ties. */
NSD_INLINE void move(nsd_lemke *w, int r, int padded)
{
  const double inverse = w->inverse[r];
  const double step = w->value[r] * inverse;
  /* A zero was declared exact: it passes no rounding on. */
  const double step_size = step > 0.0 ? w->size[r] * inverse : 0.0;
  NSD_UNROLL(4)
  for (int i = 0; i < padded; i += NSD_LANES) {
    const nsd_lanes_bits at_r = nsd_lanes_at(i, r);
    const nsd_lanes f = nsd_lanes_load(w->entering + i);
    const nsd_lanes sum = nsd_lanes_load(w->value + i) + f * step;
    const nsd_lanes size = nsd_lanes_max(nsd_lanes_abs(f) * step_size, nsd_lanes_load(w->size + i));
    const nsd_lanes value =
        nsd_lanes_choose((nsd_lanes_bits)(sum > ROUNDING * size), sum, nsd_lanes_all(0.0));
    nsd_lanes_store(w->size + i, nsd_lanes_choose(at_r, nsd_lanes_all(step_size), size));
    nsd_lanes_store(w->value + i, nsd_lanes_choose(at_r, nsd_lanes_all(step), value));
  }
}

/* Column s, as vectors: single stores read back as vectors would stall the processor. */
NSD_INLINE void read_entering(nsd_lemke *w, int s, int n)
{
  const int stride = nsd_tableau_ld(n + 1);
  const double *at = w->T + s;
  NSD_UNROLL(4)
  for (int i = 0; i < n; i += NSD_LANES, at += NSD_LANES * stride) {
    nsd_lanes_store(w->entering + i, (nsd_lanes){at[0], at[stride], at[2 * stride], at[3 * stride]});
  }
}

/* Row r becomes the entering variable's; every other row gets a multiple of it. Column s follows from the
 * same operation: the pivot row holds −1 there, which leaves 0, and then f/p is written. Row r itself goes
 * through the loop like the others, since a branch costs more than a row, and is written anew. In long rows
 * it pays to skip those that do not see the entering variable. */
NSD_INLINE void exchange(nsd_lemke *w, int r, int s, int n)
{
  const int stride = nsd_tableau_ld(n + 1);
  double *row_r = w->T + (size_t)r * (size_t)stride;
  double *pivot = w->pivot_row;
  const double inverse = w->inverse[r];
  NSD_UNROLL(4)
  for (int j = 0; j < stride; j += NSD_LANES) {
    nsd_lanes_store(pivot + j, nsd_lanes_load(row_r + j) * inverse);
  }
  double *to = w->T;
  for (int i = 0; i < n; i++, to += stride) {
    const double f = w->entering[i];
    if (stride > SKIP_FROM && f == 0.0) {
      continue;
    }
    NSD_UNROLL(4)
    for (int j = 0; j < stride; j += NSD_LANES) {
      nsd_lanes_store(to + j, nsd_lanes_load(to + j) + f * nsd_lanes_load(pivot + j));
    }
    to[s] = f * -inverse;
  }
  NSD_UNROLL(4)
  for (int j = 0; j < stride; j += NSD_LANES) {
    nsd_lanes_store(row_r + j, nsd_lanes_load(pivot + j));
  }
  row_r[s] = -inverse;
}

NSD_INLINE int run(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o, int row, int *pivots,
                   int n)
{
  const int padded = nsd_tableau_ld(n);
  begin(w, p, o->cover, row, n);
  int variable = row; /* x_r: the complement of y_r, which left for z0 */
  for (int count = 1;; count++) {
    *pivots = count;
    const int s = -1 - w->where[variable];
    read_entering(w, s, n);
    const double least = test_ratios(w, o->pivot_tol, padded);
    if (!(least < (double)INFINITY)) {
      w->tied[0] = s;
      return RUN_RAY;
    }
    if (count >= o->max_pivots) {
      return RUN_LIMIT;
    }
    const int r = leaving_row(w, least, o->ties, n, padded);
    const int leaving = w->basic[r];
    move(w, r, padded);
    place_basic(w, r, variable);
    place_nonbasic(w, s, leaving);
    /* The path ends where z0 leaves or comes to zero; the tableau is not needed any more. */
    if (leaving == 2 * n || w->value[w->where[2 * n]] == 0.0) {
      *pivots = count + 1;
      return RUN_SOLVED;
    }
    exchange(w, r, s, n);
    variable = complement(w, leaving);
  }
}

/* One and two planar contacts with friction get loops of known length. */
NSD_INLINE int run_by_size(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o, int row,
                           int *pivots)
{
  switch (p->n) {
  case 3:
    return run(w, p, o, row, pivots, 3);
  case 6:
    return run(w, p, o, row, pivots, 6);
  default:
    return run(w, p, o, row, pivots, p->n);
  }
}

static int run_plain(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o, int row, int *pivots)
{
  return run_by_size(w, p, o, row, pivots);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int run_avx2(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                                    int row, int *pivots)
{
  return run_by_size(w, p, o, row, pivots);
}
#endif

static void read_point(const nsd_lemke *w, nsd_lcp_answer *answer)
{
  for (int i = 0; i < w->n; i++) {
    const int row = w->where[i];
    const int is_basic = row >= 0;
    const double value = w->value[is_basic ? row : 0];
    answer->x[i] = is_basic ? value : 0.0;
    answer->basis[i] = is_basic; /* NSDYN_LCP_BASIC or NSDYN_LCP_AT_LO */
  }
}

/* Along the ray the entering variable grows by one and the basic ones by their column. */
static void read_ray(const nsd_lemke *w, int column, nsd_lcp_answer *answer)
{
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    const int row = w->where[i];
    answer->ray[i] = row >= 0 && w->entering[row] > 0.0 ? w->entering[row] : 0.0;
  }
  if (w->nonbasic[column] < n) {
    answer->ray[w->nonbasic[column]] = 1.0;
  }
  answer->has_ray = 1;
}

nsdyn_status nsd_lemke_solve(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                             nsd_lcp_answer *answer)
{
  NSD_ASSERT(w->n == p->n);
  answer->has_ray = 0;
  answer->iterations = 0;
  const int row = first_row(p, o->cover);
  if (row < 0) {
    for (int i = 0; i < p->n; i++) {
      answer->x[i] = 0.0;
      answer->basis[i] = NSDYN_LCP_AT_LO;
    }
    return NSDYN_OK;
  }
#if NSD_HAVE_AVX2
  const int end = nsd_cpu_avx2() ? run_avx2(w, p, o, row, &answer->iterations)
                                 : run_plain(w, p, o, row, &answer->iterations);
#else
  const int end = run_plain(w, p, o, row, &answer->iterations);
#endif
  read_point(w, answer);
  if (end == RUN_SOLVED) {
    return NSDYN_OK;
  }
  if (end == RUN_RAY) {
    read_ray(w, w->tied[0], answer);
    return NSDYN_RAY;
  }
  return NSDYN_MAX_ITERATIONS;
}
