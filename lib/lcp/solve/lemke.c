/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/lemke.h"

#include <float.h>
#include <string.h>

#include "base/assert.h"
#include "base/context.h"
#include "base/kernels/exchange.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

typedef struct tolerances {
  double rounding; /* part of its size below which a value is taken for rounding */
  double tied;     /* times the least quotient: up to there others are tied with it */
} tolerances;

/* Sizes passed on grow with the errors. Sizes of changes do not: so n stands for the number of pivots. */
NSD_INLINE tolerances tolerances_of(nsd_lemke_sizes sizes, int n)
{
  if (sizes == NSD_LEMKE_SIZES_PASSED_ON) {
    return (tolerances){NSD_ELIMINATION_ROUNDING, 1.0 + NSD_LEMKE_TIE};
  }
  return sizes == NSD_LEMKE_SIZES_COARSE
             ? (tolerances){NSD_LEMKE_COARSE_ROUNDING, 1.0 + NSD_LEMKE_COARSE_TIE}
             : (tolerances){NSD_LEMKE_CHANGE_ROUNDING * n, 1.0 + NSD_LEMKE_CHANGE_TIE * n};
}

/* Length of a row up to which its loops are written out for every length, and rows that would not change go
 * through them like the others: a branch costs more. */
#define SHORT 24

enum { RUN_SOLVED, RUN_TRIVIAL, RUN_RAY, RUN_LIMIT, RUN_CANCELLED };

typedef int four_ints __attribute__((vector_size(4 * sizeof(int)), aligned(4), may_alias));

void nsd_lemke_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_lemke *w = workspace;
  const size_t size = (size_t)n;
  w->n = n;
  w->stride = nsd_tableau_ld(n + 1);
  w->padded = nsd_tableau_ld(n);
  const size_t padded = (size_t)w->padded;
  w->T = nsd_arena_take(arena, padded * (size_t)w->stride, sizeof *w->T);
  w->value = nsd_arena_take(arena, padded + 1, sizeof *w->value);
  w->size = nsd_arena_take(arena, padded, sizeof *w->size);
  w->entering = nsd_arena_take(arena, padded, sizeof *w->entering);
  w->q = nsd_arena_take(arena, padded, sizeof *w->q);
  w->inverse = nsd_arena_take(arena, padded, sizeof *w->inverse);
  w->ratio = nsd_arena_take(arena, padded, sizeof *w->ratio);
  w->basic = nsd_arena_take(arena, padded, sizeof *w->basic);
  w->where = nsd_arena_take(arena, size + padded + 1, sizeof *w->where);
  w->partner = nsd_arena_take(arena, padded, sizeof *w->partner);
  w->tied = nsd_arena_take(arena, size + 1, sizeof *w->tied);
}

NSD_INLINE double *row_of(const nsd_lemke *w, int i)
{
  return w->T + (size_t)i * (size_t)w->stride;
}

NSD_INLINE void place_basic(const nsd_lemke *w, int row, int variable)
{
  w->basic[row] = variable;
  w->where[variable] = row;
}

NSD_INLINE void place_nonbasic(const nsd_lemke *w, int column, int variable)
{
  w->where[variable] = -1 - column;
}

/* The variable of a column. It is searched for: this is asked once, at the end of a path. */
static int nonbasic_of(const nsd_lemke *w, int column)
{
  int variable = 0;
  while (w->where[variable] != -1 - column) {
    variable++;
  }
  return variable;
}

/* Elements i … i + 3 of n, then `last`, then zeros. (A number with zeros behind it is cut out by a mask: to
 * move it alone some compilers use a form that valgrind does not know.) */
NSD_INLINE_LANES nsd_lanes load_up_to(const double *from, int i, int n, double last)
{
  const nsd_lanes_bits first_lane = {-1, 0, 0, 0};
  const nsd_lanes alone = (nsd_lanes)((nsd_lanes_bits)nsd_lanes_all(last) & first_lane);
  if (i + 4 <= n) {
    return nsd_lanes_load(from + i);
  }
  if (i + 3 == n) {
    return (nsd_lanes){from[i], from[i + 1], from[i + 2], last};
  }
  if (i + 2 == n) {
    const nsd_lanes_2 two = *(const nsd_lanes_2 *)(from + i);
    return NSD_SHUFFLE(NSD_WIDEN(two), alone, 0, 1, 4, 5);
  }
  return i + 1 == n ? (nsd_lanes){from[i], last, 0.0, 0.0} : alone;
}

/* Lane by lane the lower of two quotients, among equals the later row. */
NSD_INLINE_LANES void take_lower(nsd_lanes *least, nsd_lanes_bits *row, nsd_lanes other,
                                 nsd_lanes_bits other_row)
{
  const nsd_lanes_bits lower = (nsd_lanes_bits)(other < *least) |
                               ((nsd_lanes_bits)(other == *least) & (nsd_lanes_bits)(other_row > *row));
  *least = nsd_lanes_choose(lower, other, *least);
  *row = (lower & other_row) | (~lower & *row);
}

/* The row in which z0 enters: where b is most negative against d. −1 where b >= 0. Among equals the last,
 * where the lexicographic perturbation ε^i adds least. */
NSD_INLINE int first_row(const nsd_lcp_problem *p, const double *cover, int n)
{
  const nsd_lanes_bits lanes = {0, 1, 2, 3};
  nsd_lanes least = nsd_lanes_all(0.0);
  nsd_lanes_bits row = nsd_lanes_bits_all(-1);
  /* b_i / d_i: −min of it is the least z0 >= 0 that makes every row b_i + d_i z0 >= 0. */
  NSD_UNROLL(2)
  for (int i = 0; i < n; i += NSD_LANES) {
    nsd_lanes quotient = load_up_to(p->b, i, n, 0.0);
    if (cover) {
      quotient = quotient / load_up_to(cover, i, n, 1.0);
    }
    const nsd_lanes_bits lower =
        (nsd_lanes_bits)(quotient < nsd_lanes_all(0.0)) & (nsd_lanes_bits)(quotient <= least);
    least = nsd_lanes_choose(lower, quotient, least);
    row = (lower & (lanes + nsd_lanes_bits_all(i))) | (~lower & row);
  }
  /* The four lanes hold the least of every fourth row each; two folds leave the least of all. */
  take_lower(&least, &row, NSD_SHUFFLE(least, least, 2, 3, 0, 1), NSD_SHUFFLE(row, row, 2, 3, 0, 1));
  take_lower(&least, &row, NSD_SHUFFLE(least, least, 1, 0, 3, 2), NSD_SHUFFLE(row, row, 1, 0, 3, 2));
  return (int)row[0];
}

enum { ROWS_PER_POLL = 64 };

NSD_INLINE int is_stopped(const nsd_poll *poll)
{
  return poll && poll->is_cancelled;
}

/* After each ROWS_PER_POLL rows. */
NSD_INLINE void ask(nsd_poll *poll, int i, int stride)
{
  /* A row is read and written: in memory that takes as long as three multiplications for each element. */
  if (poll && i % ROWS_PER_POLL == ROWS_PER_POLL - 1) {
    (void)nsd_poll_stops(poll, 3.0 * ROWS_PER_POLL * (double)stride);
  }
}

/* Every row but z0's, a − f a_r with f = d_i/d_r behind it; zeros in the rows that make whole vectors of
 * every column. z0's is −a_r/d_r with 1/d_r. */
NSD_INLINE void begin_rows(const nsd_lemke *w, const nsd_lcp_problem *p, const double *cover, int r, int n,
                           int stride, nsd_poll *poll)
{
  const double *pivot = nsd_lcp_row(p, r);
  const double inverse = cover ? 1.0 / cover[r] : 1.0;
  const double *a = p->A;
  double *to = w->T;
  for (int i = 0; i < n; i++, a += p->lda, to += stride) {
    const double f = cover ? cover[i] / cover[r] : 1.0;
    ask(poll, i, stride);
    if (is_stopped(poll)) {
      return;
    }
    /* Row i: A_i − f A_r, and f in column n, which is y_r's. */
    NSD_UNROLL(6)
    for (int j = 0; j < stride; j += NSD_LANES) {
      nsd_lanes_store(to + j, load_up_to(a, j, n, f) - f * load_up_to(pivot, j, n, 0.0));
    }
  }
  for (int i = n; i < nsd_tableau_ld(n); i++, to += stride) {
    NSD_UNROLL(6)
    for (int j = 0; j < stride; j += NSD_LANES) {
      nsd_lanes_store(to + j, nsd_lanes_all(0.0));
    }
  }
  /* Row r, solved for z0: (y_r − A_r x − b_r) / d_r. */
  to = w->T + (size_t)r * (size_t)stride;
  NSD_UNROLL(6)
  for (int j = 0; j < stride; j += NSD_LANES) {
    nsd_lanes_store(to + j, load_up_to(pivot, j, n, -1.0) * -inverse);
  }
}

/* value := b − d/d_r b_r and its size, −b_r/d_r in row r. Where rounding of d/d_r has gone below zero, zero.
 */
NSD_INLINE void begin_values(const nsd_lemke *w, const nsd_lcp_problem *p, const double *cover, int r, int n)
{
  const double b_r = p->b[r];
  const double d_r = cover ? cover[r] : 1.0;
  const nsd_lanes z0 = nsd_lanes_all(-b_r / d_r);
  NSD_UNROLL(2)
  for (int i = 0; i < n; i += NSD_LANES) {
    const nsd_lanes b = load_up_to(p->b, i, n, b_r);
    /* d_i / d_r, which multiplies b_r in row i. */
    nsd_lanes f = nsd_lanes_all(1.0);
    if (cover) {
      f = load_up_to(cover, i, n, d_r) / d_r;
    }
    const nsd_lanes_bits at_r = nsd_lanes_at(i, r);
    /* z0 was chosen so that no value is below zero; what is comes from rounding of d_i / d_r. */
    const nsd_lanes value = nsd_lanes_max(b - f * b_r, nsd_lanes_all(0.0));
    nsd_lanes_store(w->value + i, nsd_lanes_choose(at_r, z0, value));
    nsd_lanes_store(w->size + i, nsd_lanes_choose(at_r, z0, nsd_lanes_abs(b) + f * fabs(b_r)));
  }
}

/* The tableau after z0 has entered in row r: y_r and x are nonbasic.
 *
 *   z0  = (y_r − A_r x − b_r) / d_r,
 *   y_i = (A_i − d_i/d_r A_r) x + d_i/d_r y_r + b_i − d_i/d_r b_r. */
NSD_INLINE void begin(const nsd_lemke *w, const nsd_lcp_problem *p, const double *cover, int r, int n,
                      int stride, nsd_poll *poll)
{
  begin_rows(w, p, cover, r, n, stride, poll);
  begin_values(w, p, cover, r, n);
  /* Every y_i is basic in its row i and every x_i nonbasic in its column i, whose complement y_i is ... */
  NSD_UNROLL(2)
  for (int i = 0; i < n; i += 4) {
    const four_ints rows = {i, i + 1, i + 2, i + 3};
    *(four_ints *)(w->basic + i) = rows + n;
    *(four_ints *)(w->partner + i) = rows;
    *(four_ints *)(w->where + i) = -1 - rows;
  }
  NSD_UNROLL(2)
  for (int i = 0; i < n; i += 4) {
    *(four_ints *)(w->where + n + i) = (four_ints){i, i + 1, i + 2, i + 3};
  }
  /* ... but for row r, where z0 has taken the place of y_r: that stands in column n. */
  place_basic(w, r, 2 * n);
  place_nonbasic(w, n, n + r);
}

/* Stage 2, the ratio test: the row that leaves is the one in which the entering variable t, as it
 * grows, brings a basic variable to zero first,
 *
 *   value_i + f_i t = 0   at   t_i = −value_i / f_i   where f_i < 0,
 *
 * f the entering column. The next pivot has to wait for one division, one multiplication and the search
 * for the least quotient. So that the search needs no index beside it, the last bits of each quotient hold
 * the number of its row. Whether other rows are tied with it is asked separately: the answer is nearly
 * always no, which the processor predicts. */
enum { ROW_BITS = 63 }; /* of the last bits: rows 0 … 63, 1e-14 of the quotient */

NSD_INLINE_LANES nsd_lanes with_rows(nsd_lanes quotient, int first)
{
  const nsd_lanes_bits rows = {first, first + 1LL, first + 2LL, first + 3LL};
  const nsd_lanes_bits rest = {~(long long)ROW_BITS, ~(long long)ROW_BITS, ~(long long)ROW_BITS,
                               ~(long long)ROW_BITS};
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
  const long long bits = bits_of(quotient) & ~(long long)ROW_BITS;
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Quotients of the ratio test, infinite where the entering variable does not press its row down. Returns the
 * least, with its row in the last bits. Fills inverse. */
NSD_INLINE double test_ratios(const nsd_lemke *w, double pivot_tol, int padded)
{
  /* A pivot below pivot_tol times the largest of its column is taken for rounding. */
  const nsd_lanes none = nsd_lanes_all(INFINITY);
  nsd_lanes largest = nsd_lanes_all(0.0);
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    largest = nsd_lanes_max(nsd_lanes_abs(nsd_lanes_load(w->entering + i)), largest);
  }
  const nsd_lanes least_pivot = nsd_lanes_all(-pivot_tol * nsd_lanes_largest(largest));
  nsd_lanes least = none;
  NSD_UNROLL(6)
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
  /* A true comparison is −1 in its lane. */
  nsd_lanes_bits tied = {0, 0, 0, 0};
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    tied += (nsd_lanes_bits)(nsd_lanes_load(w->ratio + i) <= nsd_lanes_all(limit));
  }
  return -(tied[0] + tied[1] + tied[2] + tied[3]);
}

/* Coefficient of ε^(k+1) in the value of row i when b is perturbed to b + (ε, ε², …), over the pivot. */
static double perturbation(const nsd_lemke *w, int i, int k)
{
  /* Row k of the tableau was y_k = A_k x + b_k + ε^(k+1) + d_k z0. Solved for the basic
   * variables, it is y_k that carries ε^(k+1): its column (sign reversed) if it is nonbasic, its
   * own row if it is basic, is the coefficient. */
  const int place = w->where[w->n + k];
  double coefficient = place == i ? 1.0 : 0.0;
  if (place < 0) {
    coefficient = -row_of(w, i)[-1 - place];
  }
  return coefficient / -w->entering[i];
}

/* Keeps of the tied rows those that are least in the lexicographic order; one remains in exact
 * arithmetic. */
static int least_lexicographic(const nsd_lemke *w, int count, nsd_poll *poll)
{
  int *tied = w->tied;
  for (int k = 0; k < w->n && count > 1; k++) {
    if (nsd_poll_stops(poll, 2.0 * NSD_POLL_FETCH * count)) {
      break;
    }
    double least = perturbation(w, tied[0], k);
    double size = fabs(least);
    for (int m = 1; m < count; m++) {
      const double value = perturbation(w, tied[m], k);
      least = value < least ? value : least;
      size = fabs(value) > size ? fabs(value) : size;
    }
    /* What is equal but for the rounding of some subtractions counts as equal. */
    const double limit = least + NSD_LEMKE_PERTURBATION_ROUNDING * size;
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
  /* f is negative in all tied rows: the least of them is the largest pivot. */
  int row = w->tied[0];
  for (int m = 1; m < count; m++) {
    if (w->entering[w->tied[m]] < w->entering[row]) {
      row = w->tied[m];
    }
  }
  return row;
}

/* The row that leaves where several are within rounding of the least quotient. z0 goes first of all, since
 * that ends the path. */
static int leaving_tied(nsd_lemke *w, double limit, int z0_row, nsd_lemke_ties ties, nsd_poll *poll)
{
  /* Where z0 can leave, the given problem is solved: no other row is considered. */
  if (w->ratio[z0_row] <= limit) {
    return z0_row;
  }
  int count = 0;
  for (int i = 0; i < w->n; i++) {
    w->tied[count] = i;
    count += w->ratio[i] <= limit;
  }
  if (count == 1) {
    return w->tied[0];
  }
  return ties == NSD_LEMKE_LEXICOGRAPHIC ? least_lexicographic(w, count, poll) : largest_pivot(w, count);
}

/* The row that leaves. */
NSD_INLINE int leaving_row(const nsd_lemke *w, nsd_lemke *work, double least, double tied, int z0_row,
                           nsd_lemke_ties ties, int n, int padded, nsd_poll *poll)
{
  /* The row costs a subnormal quotient all its digits: what is added makes up for that, and is nothing beside
   * normal ones. So the row of `least` at any rate is within the limit. */
  const double limit = without_row(least) * tied + 0x1p-1060;
  if (n <= ROW_BITS + 1 && count_tied(w, limit, padded) == 1) {
    return (int)(bits_of(least) & ROW_BITS);
  }
  return leaving_tied(work, limit, z0_row, ties, poll);
}

/* What an exchange of row r and the entering column f does to any other column t is one operation,
 *
 *   t_i := t_i − (f_i / f_r) t_r,    t_r := −t_r / f_r,
 *
 * that is t := (t without row r) + t_r q. Fills q; the entering column itself becomes −q. */
NSD_INLINE void find_factors(const nsd_lemke *w, int r, int padded)
{
  /* q_i = −f_i / f_r, and q_r = −1 / f_r. */
  const double inverse = w->inverse[r];
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    const nsd_lanes q = nsd_lanes_load(w->entering + i) * inverse;
    nsd_lanes_store(w->q + i, nsd_lanes_choose(nsd_lanes_at(i, r), nsd_lanes_all(inverse), q));
  }
}

/* t without element `at`, in the lanes of elements i … i + 3. */
NSD_INLINE_LANES nsd_lanes without(nsd_lanes t, int i, int at)
{
  return (nsd_lanes)((nsd_lanes_bits)t & ~nsd_lanes_at(i, at));
}

/* The entering variable grows until that of row r is zero. What is left of larger numbers that cancelled is
 * zero: degenerate rows stay degenerate to the bit, so ties of the ratio test are seen as ties. */
NSD_INLINE void move(const nsd_lemke *w, int r, nsd_lemke_sizes sizes, double rounding, int padded)
{
  const double value_r = w->value[r];
  /* A zero was declared exact: it passes no rounding on. */
  const double taken_over = sizes == NSD_LEMKE_SIZES_PASSED_ON ? w->size[r] : value_r;
  const double size_r = value_r > 0.0 ? taken_over : 0.0;
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    const nsd_lanes q = nsd_lanes_load(w->q + i);
    /* value_i − (f_i / f_r) value_r, and −value_r / f_r in row r. */
    const nsd_lanes sum = without(nsd_lanes_load(w->value + i), i, r) + q * value_r;
    const nsd_lanes size =
        nsd_lanes_max(nsd_lanes_abs(q) * size_r, without(nsd_lanes_load(w->size + i), i, r));
    nsd_lanes_store(w->size + i, size);
    nsd_lanes_store(w->value + i,
                    nsd_lanes_choose((nsd_lanes_bits)(sum > rounding * size), sum, nsd_lanes_all(0.0)));
  }
}

/* Elements i … i + 3 of column s. */
NSD_INLINE_LANES nsd_lanes load_column(const nsd_lemke *w, int i, int s, int stride)
{
  const double *at = w->T + (size_t)i * (size_t)stride + s;
  return (nsd_lanes){at[0], at[stride], at[2 * stride], at[3 * stride]};
}

/* The column of the first variable that enters. */
NSD_INLINE void read_entering(const nsd_lemke *w, int s, int padded, int stride)
{
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    nsd_lanes_store(w->entering + i, load_column(w, i, s, stride));
  }
}

/* The column of the variable that enters next, as the exchange will leave it: what the next ratio test waits
 * for need not wait for the whole tableau. */
NSD_INLINE void look_ahead(const nsd_lemke *w, int r, int s, int padded, int stride)
{
  const double t_r = w->T[(size_t)r * (size_t)stride + (size_t)s];
  NSD_UNROLL(6)
  for (int i = 0; i < padded; i += NSD_LANES) {
    const nsd_lanes t = without(load_column(w, i, s, stride), i, r);
    nsd_lanes_store(w->entering + i, t + nsd_lanes_load(w->q + i) * t_r);
  }
}

/* The exchange of row r and column s. With −1 in place of the pivot the entering column is like the others,
 *
 *   T_i := (T_i without s) + q_i P,    P = T_r with −1 in column s,    T_r := q_r P. */
NSD_INLINE void exchange_short(const nsd_lemke *w, int r, int s, int n, int stride)
{
  nsd_lanes P[SHORT / NSD_LANES];
  nsd_lanes_bits keep[SHORT / NSD_LANES];
  double *row_r = w->T + (size_t)r * (size_t)stride;
  NSD_UNROLL(6)
  for (int j = 0; j < stride; j += NSD_LANES) {
    const nsd_lanes_bits at_s = nsd_lanes_at(j, s);
    keep[j / NSD_LANES] = ~at_s;
    P[j / NSD_LANES] = nsd_lanes_choose(at_s, nsd_lanes_all(-1.0), nsd_lanes_load(row_r + j));
  }
  double *to = w->T;
  for (int i = 0; i < n; i++, to += stride) {
    const double q = w->q[i];
    NSD_UNROLL(6)
    for (int j = 0; j < stride; j += NSD_LANES) {
      const nsd_lanes t = (nsd_lanes)((nsd_lanes_bits)nsd_lanes_load(to + j) & keep[j / NSD_LANES]);
      nsd_lanes_store(to + j, t + q * P[j / NSD_LANES]);
    }
  }
  const double q = w->q[r];
  NSD_UNROLL(6)
  for (int j = 0; j < stride; j += NSD_LANES) {
    nsd_lanes_store(row_r + j, q * P[j / NSD_LANES]);
  }
}

/* The same for long rows, where it pays to skip those that do not see the entering variable. */
NSD_INLINE void exchange_long(const nsd_lemke *w, int r, int s, int n, int stride, nsd_poll *poll)
{
  double *row_r = w->T + (size_t)r * (size_t)stride;
  double *to = w->T;
  for (int from = 0; from < n; from += ROWS_PER_POLL) {
    const int end = n - from < ROWS_PER_POLL ? n : from + ROWS_PER_POLL;
    for (int i = from; i < end; i++, to += stride) {
      const double q = w->q[i];
      if (q == 0.0 || i == r) {
        continue;
      }
      NSD_UNROLL(4)
      for (int j = 0; j < stride; j += NSD_LANES) {
        nsd_lanes_store(to + j, nsd_lanes_load(to + j) + q * nsd_lanes_load(row_r + j));
      }
      to[s] = -q;
    }
    ask(poll, end - 1, stride);
    if (is_stopped(poll)) {
      return; /* the tableau is half exchanged: of no use */
    }
  }
  const double q = w->q[r];
  NSD_UNROLL(4)
  for (int j = 0; j < stride; j += NSD_LANES) {
    nsd_lanes_store(row_r + j, q * nsd_lanes_load(row_r + j));
  }
  row_r[s] = -q;
}

/* z0 has come to zero in a row that is tied with r but for rounding: it is z0 that leaves, and what has left
 * row r for column s comes back, at zero. */
static void let_z0_leave(nsd_lemke *w, int r, int z0_row, int s)
{
  const int entered = w->basic[r];
  const int old = nonbasic_of(w, s);
  w->value[z0_row] = w->value[r];
  w->value[r] = 0.0;
  place_basic(w, z0_row, entered);
  place_basic(w, r, old);
  place_nonbasic(w, s, 2 * w->n);
}

/* x_i: its value, or the zero that stands behind the values where it is not basic. There is no
 * branch, since no processor could predict it. */
NSD_INLINE double value_of(const nsd_lemke *w, int i, int padded)
{
  const unsigned where = (unsigned)w->where[i];
  return w->value[where < (unsigned)padded ? where : (unsigned)padded];
}

/* x by whole vectors, as its readers load it, and its basis: NSDYN_LCP_BASIC or NSDYN_LCP_AT_LO. */
NSD_INLINE void read_point(const nsd_lemke *w, int n, int padded, const nsd_lcp_answer *answer)
{
  int i = 0;
  /* The place that value_of() reads for variables that are not basic. */
  w->value[padded] = 0.0;
  for (; i + 4 <= n; i += 4) {
    nsd_lanes_store(answer->x + i, (nsd_lanes){value_of(w, i, padded), value_of(w, i + 1, padded),
                                               value_of(w, i + 2, padded), value_of(w, i + 3, padded)});
  }
  if (n & 2) {
    *(nsd_lanes_2 *)(answer->x + i) = (nsd_lanes_2){value_of(w, i, padded), value_of(w, i + 1, padded)};
    i += 2;
  }
  if (n & 1) {
    answer->x[i] = value_of(w, i, padded);
  }
  for (i = 0; i < n; i++) {
    answer->basis[i] = w->where[i] >= 0;
  }
}

/* The number of pivots after which the caller is asked next. */
static int next_stop(const nsd_lemke_options *o, int n, int count)
{
  /* A pivot costs n² multiplications, so the interval counts pivots. */
  const int interval = nsd_lcp_poll_interval((double)n * n);
  return o->max_pivots - count < interval ? o->max_pivots : count + interval;
}

/* At such a stop: RUN_LIMIT or RUN_CANCELLED, or RUN_SOLVED where the path goes on to the next one. */
static int check_limits(const nsd_lemke_options *o, int n, int count, int *stop)
{
  if (count >= o->max_pivots) {
    return RUN_LIMIT;
  }
  *stop = next_stop(o, n, count);
  return nsd_progress(o->ctx, "Lemke's path", -1.0) ? RUN_CANCELLED : RUN_SOLVED;
}

/* The path (Cottle, Pang and Stone 1992, section 4.4). Between two pivots n of the 2n + 1 variables x, y, z0
 * are basic,
 *
 *   x_B = value + T x_N,   x_N = 0,
 *
 * and of each pair (x_i, y_i) one is nonbasic, of one pair both: z0 is basic instead. The stages:
 *
 *   1 z0 enters in the row in which it makes the last y feasible; that y_r leaves, so x_r enters next.
 *   2 Ratio test: which basic variable comes to zero first as the entering one grows?
 *   3 None does: the path ends on a ray, whose column is left in tied[0].
 *   4 The values at the end of the step.
 *   5 z0 is zero: x and y are complementary without it, and the problem is solved.
 *   6 Otherwise the complement of the variable that left enters next: so no pair has both basic.
 *   7 The tableau is exchanged; the next column and its ratio test come first, so that they need not wait.
 *     Then stage 3 again.
 *   8 x and its basis are read.
 *
 * The workspace is read from a copy on the stack: so the compiler knows that storing a double changes no
 * pointer or size of it. */
NSD_INLINE int run(nsd_lemke *work, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                   nsd_lcp_answer *answer, int n, int stride, int is_short)
{
  const nsd_lemke own = *work;
  const nsd_lemke *w = &own;
  const int padded = nsd_tableau_ld(n);
  const double pivot_tol = o->pivot_tol;
  const nsd_lemke_sizes sizes = o->sizes;
  const tolerances tol = tolerances_of(sizes, n);
  int stop = next_stop(o, n, 0);
  /* Stage 1. b >= 0: x = 0 is a solution, and there is no path to follow. */
  const int z0_row = first_row(p, o->cover, n);
  if (z0_row < 0) {
    answer->iterations = 0;
    return RUN_TRIVIAL;
  }
  /* z0 = (y_r − A_r x − b_r) / d_r replaces y_r in the basis. */
  begin(w, p, o->cover, z0_row, n, stride, is_short ? NULL : o->poll);
  int variable = z0_row; /* x_r enters: the complement of y_r, which left for z0 */
  int s = z0_row;
  int last_s = n;
  int count = 1;
  int end = RUN_SOLVED;
  if (!is_short && is_stopped(o->poll)) {
    answer->iterations = 0;
    read_point(w, n, padded, answer);
    return RUN_CANCELLED;
  }
  /* Stage 2 for the first column; for all others it is done in stage 7. */
  read_entering(w, s, padded, stride);
  double least = test_ratios(w, pivot_tol, padded);
  for (;; count++) {
    if (!is_short && is_stopped(o->poll)) {
      end = RUN_CANCELLED;
      break;
    }
    /* Stage 3. Nothing falls: value + f t >= 0 for every t, which is the ray. */
    if (!(least < (double)INFINITY)) {
      work->tied[0] = s;
      end = RUN_RAY;
      break;
    }
    /* Every pivot between two stops costs n²; the limit and the caller are asked at a stop only. */
    if (count >= stop && (end = check_limits(o, n, count, &stop)) != RUN_SOLVED) {
      break;
    }
    /* The row of the least ratio, or the one that the tie rule chooses. */
    const int r =
        leaving_row(w, work, least, tol.tied, z0_row, o->ties, n, padded, is_short ? NULL : o->poll);
    NSD_ASSERT(w->ratio[r] < (double)INFINITY);
    const int leaving = w->basic[r];
    /* Stage 4. q = −f / f_r makes every basic variable's change a multiple of what happens in row r. */
    find_factors(w, r, padded);
    move(w, r, sizes, tol.rounding, padded);
    place_basic(w, r, variable);
    place_nonbasic(w, s, leaving);
    /* Stage 5. z0 has left or has come to zero: x ⊥ y holds without it, and the path ends. */
    if (r == z0_row || w->value[z0_row] == 0.0) {
      count++;
      if (r != z0_row) {
        let_z0_leave(work, r, z0_row, s);
      }
      break;
    }
    /* Stage 6. The complement of what has left enters next; partner[r] has its column. In row r the entered
     * variable is basic now: its own complement left one pivot before, into column last_s. */
    variable = leaving < n ? leaving + n : leaving - n;
    const int next = w->partner[r];
    w->partner[r] = last_s;
    NSD_ASSERT(w->where[variable] == -1 - next);
    /* Stage 7. The next column as the exchange will leave it, its ratios (stage 2), then all of T. */
    look_ahead(w, r, next, padded, stride);
    least = test_ratios(w, pivot_tol, padded);
    if (is_short) {
      exchange_short(w, r, s, n, stride);
    } else {
      exchange_long(w, r, s, n, stride, o->poll);
    }
    last_s = s;
    s = next;
  }
  /* Stage 8. What is basic among the x has its value, the others are zero. */
  answer->iterations = count;
  read_point(w, n, padded, answer);
  return end;
}

/* One size among many, as a function of its own: compilers take their time over what is inlined into one. */
#define OF_SIZE(name, target, n, stride, is_short)                                                           \
  target static __attribute__((noinline)) int name(nsd_lemke *w, const nsd_lcp_problem *p,                   \
                                                   const nsd_lemke_options *o, nsd_lcp_answer *answer)       \
  {                                                                                                          \
    return run(w, p, o, answer, n, stride, is_short);                                                        \
  }

/* Whether rows go through the loops of short ones, in every variant alike. */
NSD_INLINE int has_short_rows(const nsd_lemke *w)
{
  return w->n == 3 || (w->stride > 4 && w->stride <= SHORT);
}

/* One and two planar contacts with friction get loops of known length, up to SHORT columns do. (Where there
 * is no AVX2 to build for, these are plain too.) */
OF_SIZE(run_3, NSD_TARGET_AVX2, 3, 4, 1)
OF_SIZE(run_6, NSD_TARGET_AVX2, 6, 8, 1)
OF_SIZE(run_to_7, NSD_TARGET_AVX2, p->n, 8, 1)
OF_SIZE(run_to_11, NSD_TARGET_AVX2, p->n, 12, 1)
OF_SIZE(run_to_15, NSD_TARGET_AVX2, p->n, 16, 1)
OF_SIZE(run_to_19, NSD_TARGET_AVX2, p->n, 20, 1)
OF_SIZE(run_to_23, NSD_TARGET_AVX2, p->n, 24, 1)
OF_SIZE(run_long, NSD_TARGET_AVX2, p->n, w->stride, 0)

static int run_by_size(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                       nsd_lcp_answer *answer)
{
  if (!has_short_rows(w)) {
    return run_long(w, p, o, answer);
  }
  switch (w->stride) {
  case 4:
    return run_3(w, p, o, answer);
  case 8:
    return p->n == 6 ? run_6(w, p, o, answer) : run_to_7(w, p, o, answer);
  case 12:
    return run_to_11(w, p, o, answer);
  case 16:
    return run_to_15(w, p, o, answer);
  case 20:
    return run_to_19(w, p, o, answer);
  default:
    return run_to_23(w, p, o, answer);
  }
}

#if NSD_HAVE_AVX2
/* For older processors: loops of any length. */
OF_SIZE(run_short_plain, , p->n, w->stride, 1)
OF_SIZE(run_long_plain, , p->n, w->stride, 0)

static int run_plain(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                     nsd_lcp_answer *answer)
{
  return has_short_rows(w) ? run_short_plain(w, p, o, answer) : run_long_plain(w, p, o, answer);
}
#endif

/* Along the ray the entering variable grows by one and the basic ones by their column. */
static void read_ray(const nsd_lemke *w, int column, nsd_lcp_answer *answer)
{
  const int n = w->n;
  for (int i = 0; i < n; i++) {
    const int row = w->where[i];
    /* Growth below zero is rounding: a basic variable that falls would have stopped the path. */
    answer->ray[i] = row >= 0 && w->entering[row] > 0.0 ? w->entering[row] : 0.0;
  }
  if (nonbasic_of(w, column) < n) {
    answer->ray[nonbasic_of(w, column)] = 1.0;
  }
  answer->has_ray = 1;
}

nsdyn_status nsd_lemke_solve(nsd_lemke *w, const nsd_lcp_problem *p, const nsd_lemke_options *o,
                             nsd_lcp_answer *answer)
{
  NSD_ASSERT(w->n == p->n);
  answer->has_ray = 0;
#if NSD_HAVE_AVX2
  const int end = nsd_cpu_avx2() ? run_by_size(w, p, o, answer) : run_plain(w, p, o, answer);
#else
  const int end = run_by_size(w, p, o, answer);
#endif
  if (end == RUN_TRIVIAL) {
    for (int i = 0; i < p->n; i++) {
      answer->x[i] = 0.0;
      answer->basis[i] = NSDYN_LCP_AT_LO;
    }
    return NSDYN_OK;
  }
  if (end == RUN_SOLVED) {
    return NSDYN_OK;
  }
  if (end == RUN_RAY) {
    read_ray(w, w->tied[0], answer);
    return NSDYN_UNDECIDED;
  }
  return end == RUN_CANCELLED ? NSDYN_CANCELLED : NSDYN_MAX_ITERATIONS;
}
