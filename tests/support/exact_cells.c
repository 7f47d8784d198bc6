/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- whole numbers: sign and magnitude, limbs of 32 bits ------------------------------------------------
 */

typedef struct big {
  int sign;
  int count;
  uint32_t limb[CELLS_LIMBS];
} big;

static void big_trim(big *x)
{
  while (x->count > 0 && x->limb[x->count - 1] == 0) {
    x->count--;
  }
  x->sign = x->count ? x->sign : 0;
}

static void big_copy(big *to, const big *from)
{
  to->sign = from->sign;
  to->count = from->count;
  memcpy(to->limb, from->limb, (size_t)from->count * sizeof *to->limb);
}

/* value 2^shift, shift >= 0 and value whole */
static void big_set(big *to, double value, int shift)
{
  int exponent;
  const double m = frexp(fabs(value), &exponent);
  uint64_t digits = (uint64_t)ldexp(m, 53);
  int place = exponent - 53 + shift;
  while (place < 0 && digits) {
    digits >>= 1;
    place++;
  }
  memset(to->limb, 0, sizeof to->limb);
  to->sign = (value > 0.0) - (value < 0.0);
  for (int bit = 0; digits >> bit; bit++) {
    const int at = place + bit;
    if (digits >> bit & 1u) {
      if (at / 32 >= CELLS_LIMBS) {
        abort();
      }
      to->limb[at / 32] |= 1u << at % 32;
    }
    if (bit == 63) {
      break;
    }
  }
  to->count = CELLS_LIMBS;
  big_trim(to);
}

static void big_multiply(big *to, const big *a, const big *b)
{
  if (a->count + b->count > CELLS_LIMBS) {
    abort();
  }
  memset(to->limb, 0, (size_t)(a->count + b->count) * sizeof *to->limb);
  for (int i = 0; i < a->count; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < b->count; j++) {
      carry += (uint64_t)a->limb[i] * b->limb[j] + to->limb[i + j];
      to->limb[i + j] = (uint32_t)carry;
      carry >>= 32;
    }
    to->limb[i + b->count] = (uint32_t)carry;
  }
  to->count = a->count + b->count;
  to->sign = a->sign * b->sign;
  big_trim(to);
}

static int big_order(const big *a, const big *b)
{
  if (a->count != b->count) {
    return a->count > b->count ? 1 : -1;
  }
  for (int i = a->count - 1; i >= 0; i--) {
    if (a->limb[i] != b->limb[i]) {
      return a->limb[i] > b->limb[i] ? 1 : -1;
    }
  }
  return 0;
}

/* a := a + factor b, factor ±1 */
static void big_add(big *a, const big *b, int factor)
{
  const int sign = factor * b->sign;
  if (sign == 0) {
    return;
  }
  if (a->sign == 0) {
    big_copy(a, b);
    a->sign = sign;
    return;
  }
  const int n = a->count > b->count ? a->count : b->count;
  const int adds = a->sign == sign;
  const int flipped = !adds && big_order(a, b) < 0;
  int64_t carry = 0;
  for (int i = 0; i < n; i++) {
    const int64_t x = i < a->count ? a->limb[i] : 0;
    const int64_t y = i < b->count ? b->limb[i] : 0;
    carry += adds ? x + y : flipped ? y - x : x - y;
    a->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  a->count = n;
  if (carry) {
    if (n >= CELLS_LIMBS) {
      abort();
    }
    a->limb[a->count++] = (uint32_t)carry;
  }
  a->sign = flipped ? sign : a->sign;
  big_trim(a);
}

/* a := a / b without a remainder: digit by digit from the lowest */
static void big_divide(big *a, const big *b)
{
  if (a->sign == 0) {
    return;
  }
  int zeros = 0;
  while (!(b->limb[zeros / 32] >> zeros % 32 & 1u)) {
    zeros++;
  }
  static _Thread_local big odd;
  big_copy(&odd, b);
  for (int pass = 0; pass < 2; pass++) {
    big *x = pass ? &odd : a;
    for (int i = 0; i < x->count; i++) {
      const int from = i + zeros / 32;
      const uint64_t low = from < x->count ? x->limb[from] : 0;
      const uint64_t high = from + 1 < x->count ? x->limb[from + 1] : 0;
      x->limb[i] = (uint32_t)((high << 32 | low) >> zeros % 32);
    }
    const int sign = x->sign;
    big_trim(x);
    x->sign = sign;
  }
  uint32_t inverse = 1;
  for (int k = 0; k < 5; k++) {
    inverse *= 2u - odd.limb[0] * inverse;
  }
  const int count = a->count - odd.count + 1;
  for (int i = 0; i < count; i++) {
    const uint32_t q = a->limb[i] * inverse;
    uint64_t carry = 0;
    for (int j = 0; i + j < count; j++) {
      carry += (uint64_t)q * (j < odd.count ? odd.limb[j] : 0);
      const uint32_t take = (uint32_t)carry;
      carry = (carry >> 32) + (a->limb[i + j] < take);
      a->limb[i + j] -= take;
    }
    a->limb[i] = q;
  }
  a->count = count;
  a->sign *= b->sign;
  big_trim(a);
}

/* ---- linear algebra ---------------------------------------------------------------------------------------
 */

struct cells {
  int rows;
  int columns;
  big f[CELLS_ROWS][CELLS_COLUMNS + 1];                 /* functionals, in units of their own */
  big M[CELLS_ROWS + CELLS_COLUMNS][CELLS_COLUMNS + 1]; /* a system */
  int pivot_column[CELLS_COLUMNS];
  big t[2];
  big last;
  big point[CELLS_COLUMNS + 1]; /* numerators, then the denominator */
  cells_piece piece[CELLS_PIECES];
  int pieces;
};

cells *cells_new(int rows, int columns)
{
  cells *c = calloc(1, sizeof *c);
  if (!c || rows > CELLS_ROWS || columns > CELLS_COLUMNS) {
    abort();
  }
  c->rows = rows;
  c->columns = columns;
  return c;
}

void cells_free(cells *c)
{
  free(c);
}

void cells_set(cells *c, int k, const double *a, double d)
{
  int least = 4000;
  for (int j = 0; j <= c->columns; j++) {
    const double value = j < c->columns ? a[j] : d;
    int exponent;
    uint64_t digits = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    for (exponent -= 53; digits && !(digits & 1u); digits >>= 1) {
      exponent++;
    }
    least = digits && exponent < least ? exponent : least;
  }
  for (int j = 0; j <= c->columns; j++) {
    big_set(&c->f[k][j], j < c->columns ? a[j] : d, -least);
  }
}

/* x := (x p − f y) / last */
static void combine(cells *c, big *x, const big *p, const big *f, const big *y)
{
  big_multiply(&c->t[0], x, p);
  big_multiply(&c->t[1], f, y);
  big_add(&c->t[0], &c->t[1], -1);
  big_divide(&c->t[0], &c->last);
  big_copy(x, &c->t[0]);
}

/* Gauss–Jordan without fractions on the first `count` rows of M; the rank, −1 where an equation contradicts
 * the others. What is left of every pivot is c->last. */
static int reduce(cells *c, int count)
{
  const int n = c->columns;
  int rank = 0;
  big_set(&c->last, 1.0, 0);
  for (int col = 0; col < n && rank < count; col++) {
    int r = rank;
    while (r < count && c->M[r][col].sign == 0) {
      r++;
    }
    if (r == count) {
      continue;
    }
    for (int j = 0; r != rank && j <= n; j++) {
      big_copy(&c->t[0], &c->M[r][j]);
      big_copy(&c->M[r][j], &c->M[rank][j]);
      big_copy(&c->M[rank][j], &c->t[0]);
    }
    static _Thread_local big p, f;
    big_copy(&p, &c->M[rank][col]);
    for (int i = 0; i < count; i++) {
      if (i == rank) {
        continue;
      }
      big_copy(&f, &c->M[i][col]);
      for (int j = 0; j <= n; j++) {
        combine(c, &c->M[i][j], &p, &f, &c->M[rank][j]);
      }
    }
    big_copy(&c->last, &p);
    c->pivot_column[rank++] = col;
  }
  for (int i = rank; i < count; i++) {
    if (c->M[i][n].sign) {
      return -1;
    }
  }
  return rank;
}

static void load(cells *c, int at, int functional)
{
  for (int j = 0; j <= c->columns; j++) {
    big_copy(&c->M[at][j], &c->f[functional][j]);
  }
}

static void load_unit(cells *c, int at, int column)
{
  for (int j = 0; j <= c->columns; j++) {
    big_set(&c->M[at][j], j == column ? 1.0 : 0.0, 0);
  }
}

/* Sign of a functional at c->point, without its constant along a ray. */
static int sign_at(cells *c, int k, int ray)
{
  static _Thread_local big sum;
  sum.sign = sum.count = 0;
  for (int j = 0; j <= c->columns - ray; j++) {
    big_multiply(&c->t[0], &c->f[k][j], &c->point[j]);
    big_add(&sum, &c->t[0], 1);
  }
  return sum.sign;
}

/* ---- one cell ---------------------------------------------------------------------------------------------
 */

/* The cell that is looked at. */
typedef struct view {
  const int8_t *ask;
  int zero[CELLS_ROWS];
  int zeros;
  int held[CELLS_ROWS]; /* asked a sign */
  int helds;
  int cut[CELLS_COLUMNS]; /* Λ_j = 0 takes away the lines */
  int cuts;
} view;

static int load_zeros(cells *c, const view *v)
{
  int count = 0;
  for (int k = 0; k < v->zeros; k++) {
    load(c, count++, v->zero[k]);
  }
  for (int k = 0; k < v->cuts; k++) {
    load_unit(c, count++, v->cut[k]);
  }
  return count;
}

/* Takes the point or direction into the piece where it obeys. */
static void take(cells *c, const view *v, int ray, cells_piece *piece, int *any)
{
  for (int k = 0; k < v->helds; k++) {
    if (sign_at(c, v->held[k], ray) == -v->ask[v->held[k]]) {
      return;
    }
  }
  *any = 1;
  piece->unbounded |= ray;
  for (int k = 0; k < c->rows; k++) {
    const int sign = sign_at(c, k, ray);
    piece->more |= (uint32_t)(sign > 0) << k;
    piece->less |= (uint32_t)(sign < 0) << k;
  }
}

/* The point where the chosen functionals are zero. */
static void try_point(cells *c, const view *v, const int *chosen, int count, cells_piece *piece, int *any)
{
  int rows = load_zeros(c, v);
  for (int k = 0; k < count; k++) {
    load(c, rows++, v->held[chosen[k]]);
  }
  const int n = c->columns;
  if (reduce(c, rows) != n) {
    return;
  }
  const int sign = c->last.sign;
  for (int j = 0; j < n; j++) {
    big_copy(&c->point[c->pivot_column[j]], &c->M[j][n]);
    c->point[c->pivot_column[j]].sign *= -sign;
  }
  big_copy(&c->point[n], &c->last);
  c->point[n].sign = 1;
  take(c, v, 0, piece, any);
}

/* Both directions along which the chosen functionals do not change. */
static void try_ray(cells *c, const view *v, const int *chosen, int count, cells_piece *piece)
{
  int rows = load_zeros(c, v), any = 0;
  const int n = c->columns;
  for (int k = 0; k < count; k++) {
    load(c, rows++, v->held[chosen[k]]);
  }
  for (int i = 0; i < rows; i++) {
    c->M[i][n].sign = c->M[i][n].count = 0;
  }
  if (reduce(c, rows) != n - 1) {
    return;
  }
  int open = 0;
  while (open < n - 1 && c->pivot_column[open] == open) {
    open++;
  }
  for (int side = -1; side <= 1; side += 2) {
    for (int j = 0; j < n - 1; j++) {
      big_copy(&c->point[c->pivot_column[j]], &c->M[j][open]);
      c->point[c->pivot_column[j]].sign *= -side;
    }
    big_copy(&c->point[open], &c->last);
    c->point[open].sign *= side;
    take(c, v, 1, piece, &any);
  }
}

/* All sets of `size` of what is held. */
static void try_sets(cells *c, const view *v, int size, int ray, cells_piece *piece, int *any)
{
  int chosen[CELLS_ROWS];
  for (int k = 0; k < size; k++) {
    chosen[k] = k;
  }
  for (; size <= v->helds;) {
    if (ray) {
      try_ray(c, v, chosen, size, piece);
    } else {
      try_point(c, v, chosen, size, piece, any);
    }
    int k = size - 1;
    while (k >= 0 && chosen[k] == v->helds - size + k) {
      k--;
    }
    if (k < 0) {
      return;
    }
    chosen[k]++;
    for (k++; k < size; k++) {
      chosen[k] = chosen[k - 1] + 1;
    }
  }
}

/* Rank of the slopes of what is asked, of the cuts, and of column `extra`, if it is not negative. */
static int rank_with(cells *c, const view *v, int extra)
{
  int rows = load_zeros(c, v);
  for (int k = 0; k < v->helds; k++) {
    load(c, rows++, v->held[k]);
  }
  if (extra >= 0) {
    load_unit(c, rows++, extra);
  }
  for (int i = 0; i < rows; i++) {
    c->M[i][c->columns].sign = c->M[i][c->columns].count = 0;
  }
  return reduce(c, rows);
}

/* Lines: directions along which nothing that is asked changes. What else changes takes both signs. */
static void cut_lines(cells *c, view *v, cells_piece *piece)
{
  for (int j = 0; j < c->columns && rank_with(c, v, -1) < c->columns; j++) {
    if (rank_with(c, v, j) > rank_with(c, v, -1)) {
      v->cut[v->cuts++] = j;
    }
  }
  if (v->cuts == 0) {
    return;
  }
  piece->unbounded = 1;
  for (int k = 0; k < c->rows; k++) { /* a functional changes along a line where it raises the rank */
    view own = *v;
    own.cuts = 0;
    const int before = rank_with(c, &own, -1);
    own.held[own.helds++] = k;
    if (v->ask[k] == CELLS_ANY && rank_with(c, &own, -1) > before) {
      piece->more |= 1u << k;
      piece->less |= 1u << k;
    }
  }
}

int cells_look(cells *c, const int8_t *ask, cells_piece *piece)
{
  view v = {.ask = ask};
  memset(piece, 0, sizeof *piece);
  for (int k = 0; k < c->rows; k++) {
    if (ask[k] == CELLS_ZERO) {
      v.zero[v.zeros++] = k;
    } else if (ask[k] != CELLS_ANY) {
      v.held[v.helds++] = k;
    }
  }
  cut_lines(c, &v, piece);
  const int rank = reduce(c, load_zeros(c, &v));
  if (rank < 0) {
    return 0;
  }
  int any = 0;
  try_sets(c, &v, c->columns - rank, 0, piece, &any);
  if (any && rank < c->columns) {
    try_sets(c, &v, c->columns - rank - 1, 1, piece, &any);
  }
  if (!any) {
    return 0;
  }
  int rows = 0;
  for (int k = 0; k < c->rows; k++) {
    const int moves = ((piece->more | piece->less) >> k & 1u) != 0;
    if (ask[k] == CELLS_ZERO || (ask[k] != CELLS_ANY && !moves)) {
      load(c, rows++, k);
    }
  }
  piece->dimension = c->columns - reduce(c, rows);
  return 1;
}

/* ---- all of them ------------------------------------------------------------------------------------------
 */

static int within(const cells_piece *a, const cells_piece *b)
{
  return !(a->more & ~b->more) && !(a->less & ~b->less);
}

void cells_add(cells *c, const int8_t *ask)
{
  cells_piece own;
  if (!cells_look(c, ask, &own)) {
    return;
  }
  int kept = 0;
  for (int k = 0; k < c->pieces; k++) {
    if (within(&own, &c->piece[k])) {
      return;
    }
  }
  for (int k = 0; k < c->pieces; k++) {
    if (!within(&c->piece[k], &own)) {
      c->piece[kept++] = c->piece[k];
    }
  }
  if (kept == CELLS_PIECES) {
    abort();
  }
  c->piece[kept++] = own;
  c->pieces = kept;
}

int cells_count(const cells *c)
{
  return c->pieces;
}

const cells_piece *cells_get(const cells *c, int index)
{
  return &c->piece[index];
}
