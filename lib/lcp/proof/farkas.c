/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/proof/farkas.h"

#include <float.h>

#include "base/exact_pair.h"
#include "base/tolerances.h"

/* Exact sums: an expansion is a sum of doubles, smallest first, that do not overlap (Shewchuk 1997). */

typedef struct expansion {
  double *part;
  int length;
} expansion;

/* Adds x exactly; zeros are dropped, so an expansion of length 0 is zero. */
static void add_exactly(expansion *e, double x)
{
  int kept = 0;
  /* From the smallest part: each sum's rounding error is exact (Knuth's two-sum)
   * and becomes a part, the sum is carried on. */
  for (int i = 0; i < e->length; i++) {
    const double part = e->part[i];
    const double sum = x + part;
    const double virtual_part = sum - x;
    const double rest = (x - (sum - virtual_part)) + (part - virtual_part);
    if (rest != 0.0) {
      e->part[kept++] = rest;
    }
    x = sum;
  }
  if (x != 0.0) {
    e->part[kept++] = x;
  }
  e->length = kept;
}

/* Products within these limits neither overflow nor lose bits below the smallest double. */
#define LARGEST_FACTOR 0x1p+480

static int in_range(double x)
{
  const double size = fabs(x);
  return size == 0.0 || (size >= NSD_EXACT_PRODUCT_LEAST && size <= LARGEST_FACTOR);
}

/* Adds a b exactly (Dekker). 0 where the factors are out of range. */
static int add_product(expansion *e, double a, double b)
{
  if (!in_range(a) || !in_range(b)) {
    return a == 0.0 || b == 0.0;
  }
  double product, rest;
  nsd_two_product(a, b, &product, &rest);
  add_exactly(e, rest);
  add_exactly(e, product);
  return 1;
}

/* Signs. */

enum { NEGATIVE = -1, ZERO = 0, POSITIVE = 1, UNKNOWN = 2 };

/* A sum of n products is off by less than this part of the sum of their sizes, plus what underflowed. */
static double rounding(int n, double size)
{
  return (n + 4) * DBL_EPSILON * size + n * DBL_MIN;
}

/* Of Σ_i a_i v_i, a_i at distance `stride`. `value` and `size` are the rounded sums. */
static int sign_of_sum(nsd_farkas *w, int n, const double *a, int stride, const double *v, double value,
                       double size)
{
  /* Stage 1. Beside its rounding bound the sum is plainly positive or negative. */
  const double error = rounding(n, size);
  if (!(size <= DBL_MAX)) {
    return UNKNOWN;
  }
  if (value > error || value < -error) {
    return value > 0.0 ? POSITIVE : NEGATIVE;
  }
  /* Stage 2. It is not: the exact sum. */
  (void)nsd_poll_stops(w->poll, 100.0 * n);
  expansion e = {.part = w->sum};
  for (int i = 0; i < n; i++) {
    if (!add_product(&e, a[(size_t)i * (size_t)stride], v[i])) {
      return UNKNOWN;
    }
  }
  /* No two parts overlap: the largest, which is the last, has the sign of the sum. */
  return e.length == 0 ? ZERO : e.part[e.length - 1] > 0.0 ? POSITIVE : NEGATIVE;
}

/* column := Aᵀv and size := |A|ᵀ|v|. */
static void multiply(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  for (int j = 0; j < p->n; j++) {
    w->column[j] = w->size[j] = 0.0;
  }
  for (int i = 0; i < p->n; i++) {
    const double *a = nsd_lcp_row(p, i);
    for (int j = 0; v[i] != 0.0 && j < p->n; j++) {
      const double term = a[j] * v[i];
      w->column[j] += term;
      w->size[j] += fabs(term);
    }
    if (nsd_poll_stops(w->poll, 4.0 * p->n)) {
      return;
    }
  }
}

static int has_lo(const nsd_lcp_problem *p, int i)
{
  return nsd_lcp_lo(p, i) > -INFINITY;
}

static int has_hi(const nsd_lcp_problem *p, int i)
{
  return nsd_lcp_hi(p, i) < INFINITY;
}

/* The signs that the bounds alone allow v. */
static void use_bounds(nsd_farkas *w, const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    w->signs[i] =
        (uint8_t)((has_hi(p, i) ? 0 : NSD_FARKAS_POSITIVE) | (has_lo(p, i) ? 0 : NSD_FARKAS_NEGATIVE));
  }
}

/* Whether row i may carry v_i. */
static int row_allows(const nsd_farkas *w, int i, double v)
{
  if (v == 0.0) {
    return 1;
  }
  return isfinite(v) && (w->signs[i] & (v > 0.0 ? NSD_FARKAS_POSITIVE : NSD_FARKAS_NEGATIVE));
}

/* c x, no smaller than it is: what underflows counts as more than it can be. */
static double product_above(double c, double x)
{
  const double product = c * x;
  return c != 0.0 && x != 0.0 && fabs(product) < DBL_MIN ? DBL_MIN : product;
}

/* Largest of c x over one column's bounds, for any c between `least` and `most`, which have been found to
 * have no sign that makes it infinite. */
static double column_supremum(const nsd_lcp_problem *p, int j, double least, double most)
{
  const double bounds[2] = {nsd_lcp_lo(p, j), nsd_lcp_hi(p, j)};
  double supremum = -INFINITY;
  for (int k = 0; k < 2; k++) {
    /* The largest of c x is in a corner of {least, most} × {lo, hi}. */
    if (isfinite(bounds[k])) {
      supremum = fmax(supremum, fmax(product_above(least, bounds[k]), product_above(most, bounds[k])));
    }
  }
  return supremum > -INFINITY ? supremum : 0.0; /* free: c is zero */
}

/* One column: whether its sign allows an end, and then what it adds to the supremum. */
static int add_column(nsd_farkas *w, const nsd_lcp_problem *p, int j, const double *v, double *sum,
                      double *size)
{
  if (!(w->size[j] <= DBL_MAX)) {
    return 0;
  }
  /* The column sum c is known to within its rounding and what the exact v may change in it. */
  const double error = rounding(p->n, w->size[j]) + w->spread[j];
  double least = w->column[j] - error;
  double most = w->column[j] + error;
  /* An infinite bound: c x is bounded above only if c <= 0 (no hi) or c >= 0 (no lo), and that for sure. */
  if (!has_lo(p, j) || !has_hi(p, j)) {
    const int sign = most < 0.0    ? NEGATIVE
                     : least > 0.0 ? POSITIVE
                     : w->spread[j] > 0.0
                         ? UNKNOWN
                         : sign_of_sum(w, p->n, p->A + j, p->lda, v, w->column[j], w->size[j]);
    if (sign == UNKNOWN || (sign == POSITIVE && !has_hi(p, j)) || (sign == NEGATIVE && !has_lo(p, j))) {
      return 0;
    }
    /* The sign is certain: so c is on one side of zero, whatever its rounding bound says. */
    least = sign >= ZERO ? fmax(least, 0.0) : least;
    most = sign <= ZERO ? fmin(most, 0.0) : most;
  }
  const double supremum = column_supremum(p, j, least, most);
  *sum += supremum;
  *size += fabs(supremum);
  return 1;
}

static int is_free(const nsd_lcp_problem *p, int j)
{
  return !has_lo(p, j) && !has_hi(p, j);
}

/* Free columns that are not zero to the bit: w->columns of the enclosure. */
static int find_rests(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  int count = 0;
  for (int j = 0; j < p->n; j++) {
    if (is_free(p, j) && sign_of_sum(w, p->n, p->A + j, p->lda, v, w->column[j], w->size[j]) != ZERO) {
      w->enclosure.columns[count++] = j;
    }
  }
  return count;
}

/* Makes free columns zero by an exact v near the rounded one. spread := what that may change in each column;
 * returns what it may change in bᵀv, 0 where nothing was to be done, infinite where it cannot be done.
 * Columns it makes zero are marked by an infinite spread. */
static double enclose(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  for (int j = 0; j < p->n; j++) {
    w->spread[j] = 0.0;
  }
  /* Only in branches v stands for an exact v + e near it; whole problems have no such room. */
  const int columns = w->in_branch ? find_rests(w, p, v) : 0;
  if (columns == 0) {
    return 0.0;
  }
  /* Rows whose v_i may have any sign carry the correction e. The right-hand
   * side is −(columns of v), known to rounding. */
  int rows = 0;
  for (int i = 0; i < p->n; i++) {
    w->sum[i] = rounding(p->n, w->size[i]);
    if (w->signs[i] == (NSD_FARKAS_POSITIVE | NSD_FARKAS_NEGATIVE)) {
      w->enclosure.rows[rows++] = i;
    }
  }
  /* Twice the bound: room for the roundings of what follows. */
  const double e = 2.0 * nsd_enclose(&w->enclosure, p, columns, rows, w->column, w->sum);
  /* What e can change: |bᵀe| and |(Aᵀe)_j|. */
  double constant = 0.0;
  for (int k = 0; e <= DBL_MAX && k < columns; k++) {
    const int i = w->enclosure.rows[k];
    const double *a = nsd_lcp_row(p, i);
    constant += fabs(p->b[i]) * e + DBL_MIN;
    for (int j = 0; j < p->n; j++) {
      w->spread[j] += a[j] != 0.0 ? fabs(a[j]) * e + DBL_MIN : 0.0;
    }
    (void)nsd_poll_stops(w->poll, 4.0 * p->n);
  }
  for (int k = 0; k < columns; k++) {
    w->spread[w->enclosure.columns[k]] = INFINITY;
  }
  return e <= DBL_MAX ? constant : INFINITY;
}

static int holds(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  /* Stage 1. Signs of v, and bᵀv with the sum of its sizes. */
  double constant = 0.0; /* bᵀv */
  double constant_size = 0.0;
  for (int i = 0; i < p->n; i++) {
    if (!row_allows(w, i, v[i])) {
      return 0;
    }
    const double term = p->b[i] * v[i];
    constant += term;
    constant_size += fabs(term);
  }
  /* Stage 2. c = Aᵀv, and the correction that makes its free columns exactly zero. */
  multiply(w, p, v);
  const double spread = enclose(w, p, v);
  /* Stage 3. sup of c x over the bounds, column by column; a free column that is made zero adds nothing. */
  double sum = 0.0; /* of the columns' suprema */
  double size = spread;
  for (int j = 0; j < p->n; j++) {
    const int is_zero = w->spread[j] > DBL_MAX && is_free(p, j);
    if (nsd_poll_stops(w->poll, 0.0)) {
      return 0;
    }
    if (!is_zero && !add_column(w, p, j, v, &sum, &size)) {
      return 0;
    }
  }
  /* Stage 4. bᵀv + Σ_j sup c_j x_j < 0, beside the rounding of the whole sum. Where no
   * column adds anything, the sign of bᵀv is decided exactly. */
  if (size == 0.0) {
    return sign_of_sum(w, p->n, p->b, 1, v, constant, constant_size) == NEGATIVE;
  }
  return constant + sum + spread + rounding(2 * p->n + 1, constant_size + size) < 0.0;
}

int nsd_farkas_holds(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  w->in_branch = 0;
  use_bounds(w, p);
  return holds(w, p, v);
}

/* Candidates. */

/* trial := v without noise and without entries whose sign their row does not allow. Returns how many are
 * left. */
static int clean(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  int kept = 0;
  double constant = 0.0;
  multiply(w, p, v);
  for (int i = 0; i < p->n; i++) {
    constant += fabs(p->b[i] * v[i]);
  }
  for (int i = 0; i < p->n; i++) {
    const double *a = nsd_lcp_row(p, i);
    /* An entry that adds less than NSD_FARKAS_ENTRY of its column everywhere, and to bᵀv, is left out. */
    int matters = fabs(p->b[i] * v[i]) > NSD_FARKAS_ENTRY * constant;
    for (int j = 0; !matters && j < p->n; j++) {
      matters = fabs(a[j] * v[i]) > NSD_FARKAS_ENTRY * w->size[j];
    }
    if (nsd_poll_stops(w->poll, NSD_POLL_READ * p->n)) {
      return 0;
    }
    w->trial[i] = matters && row_allows(w, i, v[i]) ? v[i] : 0.0;
    w->support[kept] = i;
    kept += w->trial[i] != 0.0;
  }
  return kept;
}

/* Units of the rows, by the mean exponents of rows and columns in turn: problems that differ by powers of two
 * in their rows and columns get the same v_i row_i. */
#define COLUMN_READ 60.0 /* multiplications that take as long as to read an element out of a column */

static void choose_units(nsd_farkas *w, const nsd_lcp_problem *p)
{
  const int n = p->n;
  double *of_column = w->sum;
  for (int i = 0; i < n; i++) {
    w->row[i] = of_column[i] = 0.0;
  }
  /* Exponents e_ij of the elements: e_ij ≈ row_i + column_j in the mean, by turns for rows and columns. */
  for (int pass = 0; pass < 8 && !(w->poll && w->poll->is_cancelled); pass++) {
    double *to = pass % 2 ? of_column : w->row;
    const double *from = pass % 2 ? w->row : of_column;
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      int count = 0;
      for (int j = 0; j < n; j++) {
        const double a = pass % 2 ? nsd_lcp_row(p, j)[i] : nsd_lcp_row(p, i)[j];
        int exponent;
        if (a != 0.0) {
          (void)frexp(a, &exponent);
          sum += exponent - from[j];
          count++;
        }
      }
      to[i] = count ? sum / count : 0.0;
      if (nsd_poll_stops(w->poll, COLUMN_READ * n)) {
        break;
      }
    }
  }
  /* To the next power of two: dividing by it costs no bits. */
  for (int i = 0; i < n; i++) {
    w->row[i] = ldexp(1.0, (int)floor(w->row[i] + 0.5));
  }
}

#define LARGEST_DENOMINATOR 0x1p+26

/* Smallest denominator of a convergent of x that makes it an integer but for rounding; 0 where none below
 * `most` does. */
static double denominator(double x, double most)
{
  double before = 0.0;
  double q = 1.0;
  /* Continued fraction of x: its convergents have the denominators q_k+1 = a_k q_k + q_k−1, and
   * no smaller denominator comes nearer to x. */
  double rest = x - floor(x);
  while (q <= most) {
    const double multiple = q * x;
    if (fabs(multiple - floor(multiple + 0.5)) <= NSD_FARKAS_INTEGER) {
      return q;
    }
    if (rest <= 0.0) {
      return 0.0;
    }
    const double inverse = 1.0 / rest;
    const double whole = floor(inverse);
    const double next = whole * q + before;
    rest = inverse - whole;
    before = q;
    q = next;
  }
  return 0.0;
}

/* trial := the small integers, in the rows' units, that v is a multiple of but for rounding; 0 where there
 * are none. */
static int make_rational(nsd_farkas *w, const nsd_lcp_problem *p)
{
  choose_units(w, p);
  if (w->poll && w->poll->is_cancelled) {
    return 0;
  }
  /* v_i / largest = p_i / q_i each; `common` is a multiple of all q_i. */
  double largest = 0.0;
  for (int i = 0; i < p->n; i++) {
    largest = fmax(largest, fabs(w->trial[i] * w->row[i]));
  }
  if (!(largest > 0.0 && largest <= DBL_MAX)) {
    return 0;
  }
  double common = 1.0;
  for (int i = 0; i < p->n; i++) {
    const double q =
        denominator(common * (fabs(w->trial[i] * w->row[i]) / largest), LARGEST_DENOMINATOR / common);
    if (q == 0.0) {
      return 0;
    }
    common *= q;
  }
  /* v_i = whole number / unit of the row: exact, since units are powers of two. */
  for (int i = 0; i < p->n; i++) {
    const double whole = floor(common * (fabs(w->trial[i] * w->row[i]) / largest) + 0.5);
    w->trial[i] = (w->trial[i] < 0.0 ? -whole : whole) / w->row[i];
  }
  return 1;
}

/* Columns that must not be positive (target −1) or negative (+1), and are neither safely so nor zero because
 * they have no element in the support; free ones, which must stay at zero. Returns how many, −1 where the
 * candidate cannot become a proof. */
static int find_tight(nsd_farkas *w, const nsd_lcp_problem *p, const double *v)
{
  int count = 0;
  multiply(w, p, v);
  for (int j = 0; j < p->n; j++) {
    const int low = has_lo(p, j);
    const int high = has_hi(p, j);
    /* Two bounds: any sign of the column is allowed. No element: it is zero for sure. */
    if ((low && high) || w->size[j] == 0.0) {
      continue;
    }
    const int free = !low && !high;
    const double toward = free  ? fabs(w->column[j])
                          : low ? w->column[j]
                                : -w->column[j]; /* must not be positive */
    if ((free && !w->in_branch) || toward > NSD_FARKAS_CONTRADICTION * w->size[j]) {
      return -1; /* where a free column must be zero to the bit, no motion makes it so */
    }
    if (toward > -NSD_FARKAS_DOUBT * w->size[j]) {
      w->tight[count++] = j;
    }
  }
  return count;
}

/* Exchanges rows and columns so that the largest element of what is left comes to (k, k); its size. */
static double pivot_to(nsd_farkas *w, int rows, int columns, int stride, int k)
{
  /* Complete pivoting. */
  int r = k;
  int c = k;
  for (int i = k; i < rows; i++) {
    for (int j = k; j < columns; j++) {
      if (fabs(w->block[i * stride + j]) > fabs(w->block[r * stride + c])) {
        r = i;
        c = j;
      }
    }
    (void)nsd_poll_stops(w->poll, 2.0 * columns);
  }
  for (int j = 0; j < stride; j++) {
    const double moved = w->block[k * stride + j];
    w->block[k * stride + j] = w->block[r * stride + j];
    w->block[r * stride + j] = moved;
  }
  for (int i = 0; i < rows; i++) {
    const double moved = w->block[i * stride + k];
    w->block[i * stride + k] = w->block[i * stride + c];
    w->block[i * stride + c] = moved;
  }
  const int moved = w->support[k];
  w->support[k] = w->support[c];
  w->support[c] = moved;
  return fabs(w->block[k * stride + k]);
}

/* Relative changes g of the support's entries that move all tight columns inwards by the same part of their
 * size: Σ_i A_ij v_i g_i / size_j = −1 (or +1). Gauss–Jordan with complete pivoting; dependent rows are left
 * over. sum := g, in the order of `support`. */
static void solve_for_change(nsd_farkas *w, const nsd_lcp_problem *p, const double *v, int rows, int columns)
{
  const int stride = columns + 1;
  /* Row r: tight column j; column c: entry i of the support, in parts of v_i. */
  for (int r = 0; r < rows; r++) {
    const int j = w->tight[r];
    for (int c = 0; c < columns; c++) {
      const int i = w->support[c];
      w->block[r * stride + c] = nsd_lcp_row(p, i)[j] * v[i] / w->size[j];
    }
    (void)nsd_poll_stops(w->poll, COLUMN_READ * columns);
    /* The wanted change: −1 or +1 of the column's size; back to zero for free columns. */
    w->block[r * stride + columns] = has_lo(p, j) ? -1.0 : has_hi(p, j) ? 1.0 : -w->column[j] / w->size[j];
  }
  int rank = 0;
  while (rank < rows && rank < columns && pivot_to(w, rows, columns, stride, rank) > NSD_FARKAS_DOUBT) {
    const double *pivot = w->block + rank * stride;
    for (int r = 0; r < rows; r++) {
      const double f = r == rank ? 0.0 : w->block[r * stride + rank] / pivot[rank];
      for (int c = rank; f != 0.0 && c < stride; c++) {
        w->block[r * stride + c] -= f * pivot[c];
      }
      if (nsd_poll_stops(w->poll, 4.0 * (stride - rank))) {
        return; /* stopped: nothing will be proved */
      }
    }
    rank++;
  }
  /* The entries without a pivot stay. */
  for (int c = 0; c < columns; c++) {
    w->sum[c] = c < rank ? w->block[c * stride + columns] / w->block[c * stride + c] : 0.0;
  }
}

/* Moves `v` (cleaned, `kept` entries) into the interior of its cone and leaves a proof in trial, or returns
 * 0. The step is made as long as it may be: other columns and bᵀv must keep their signs. */
static int make_interior(nsd_farkas *w, const nsd_lcp_problem *p, const double *v, int kept)
{
  /* The columns whose sign is in doubt. If there are none, moving v does not help. */
  const int rows = find_tight(w, p, v);
  if (rows <= 0) {
    return 0;
  }
  double *change = w->row;
  double largest = 0.0;
  solve_for_change(w, p, v, rows, kept);
  for (int i = 0; i < p->n; i++) {
    change[i] = 0.0;
  }
  for (int c = 0; c < kept; c++) {
    change[w->support[c]] = w->sum[c];
    largest = fmax(largest, fabs(w->sum[c]));
  }
  /* Below, 0.5 / largest would overflow. */
  if (!(largest > DBL_MIN && largest <= DBL_MAX)) {
    return 0;
  }
  /* v (1 + step g) with step |g| <= 1/2 keeps all signs of v.
   * Shorter steps if other columns lose theirs. */
  double step = 0.5 / largest;
  while (step * largest > NSD_FARKAS_LEAST_CHANGE) {
    for (int i = 0; i < p->n; i++) {
      w->trial[i] = v[i] * (1.0 + step * change[i]);
    }
    if (nsd_poll_stops(w->poll, 0.0)) {
      return 0;
    }
    if (holds(w, p, w->trial)) {
      return 1;
    }
    step *= 0.03125;
  }
  return 0;
}

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

static int find(nsd_farkas *w, const nsd_lcp_problem *p, double *v)
{
  for (int i = 0; i < p->n; i++) {
    if (!isfinite(v[i])) {
      return 0;
    }
  }
  /* Entries that are noise would only disturb. */
  const int kept = clean(w, p, v);
  if (kept == 0) {
    return 0;
  }
  copy(p->n, w->trial, w->cleaned);
  /* The candidate as it is; the small rational numbers that it may stand for; its cone's interior. */
  const int found = holds(w, p, w->trial) || (make_rational(w, p) && holds(w, p, w->trial)) ||
                    (!(w->poll && w->poll->is_cancelled) && make_interior(w, p, w->cleaned, kept));
  if (found) {
    copy(p->n, w->trial, v);
  }
  return found;
}

int nsd_farkas_find(nsd_farkas *w, const nsd_lcp_problem *p, double *v)
{
  w->in_branch = 0;
  use_bounds(w, p);
  return find(w, p, v);
}

int nsd_farkas_find_in_branch(nsd_farkas *w, const nsd_lcp_problem *p, const uint8_t *signs, double *v)
{
  w->in_branch = 1;
  for (int i = 0; i < p->n; i++) {
    w->signs[i] = signs[i];
  }
  return find(w, p, v);
}

void nsd_farkas_lay_out(nsd_arena *arena, nsd_farkas *w, int n)
{
  const size_t size = (size_t)n;
  w->poll = NULL;
  w->cleaned = nsd_arena_take(arena, size, sizeof *w->cleaned);
  w->trial = nsd_arena_take(arena, size, sizeof *w->trial);
  w->column = nsd_arena_take(arena, size, sizeof *w->column);
  w->size = nsd_arena_take(arena, size, sizeof *w->size);
  w->row = nsd_arena_take(arena, size, sizeof *w->row);
  w->sum = nsd_arena_take(arena, 2 * size + 2, sizeof *w->sum);
  w->block = nsd_arena_take(arena, size * (size + 1), sizeof *w->block);
  w->support = nsd_arena_take(arena, size, sizeof *w->support);
  w->tight = nsd_arena_take(arena, size, sizeof *w->tight);
  w->spread = nsd_arena_take(arena, size, sizeof *w->spread);
  w->signs = nsd_arena_take(arena, size, sizeof *w->signs);
  nsd_enclosure_lay_out(arena, &w->enclosure, n);
}
