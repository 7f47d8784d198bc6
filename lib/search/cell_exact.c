/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_exact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define WORK_PER_POLL                                                                                        \
  100000            /* products of limbs: with what else numbers take, some tenths of a millisecond */
#define SCANNING 60 /* products that take as long as to take a double apart */
#define FRESH 10    /* products that take as long as a limb of memory that was not used before */
#define MOST_BYTES ((size_t)1 << 28)

void nsd_exact_init(nsd_exact *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
  w->arena = nsd_arena_empty(ctx);
}

void nsd_exact_release(nsd_exact *w)
{
  nsd_arena_release(&w->arena);
  nsd_release(w->ctx, w->scale, w->scale_count, sizeof *w->scale);
  nsd_exact_init(w, w->ctx);
}

/* So many products more, or what takes as long; asks the context now and then. */
static void pass(nsd_exact *w, int64_t products)
{
  w->unpolled += products;
  if (w->unpolled > WORK_PER_POLL && w->status == NSDYN_OK) {
    w->unpolled = 0;
    w->status = nsd_progress(w->ctx, "deciding in exact arithmetic", -1.0);
  }
}

/* ---- units and room -------------------------------------------------------------------------------------
 */

/* Exponent of the last bit of x, which is not zero. */
static int last_bit(double x)
{
  /* |x| = m 2^exponent with 1/2 <= m < 1: m 2^53 is whole, and its trailing zeros are bits to spare. */
  int exponent;
  uint64_t digits = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
  int zeros = 0;
  for (; !(digits & 1u); digits >>= 1) {
    zeros++;
  }
  return exponent - 53 + zeros;
}

static int first_bit(double x)
{
  int exponent;
  (void)frexp(x, &exponent);
  return exponent;
}

/* The problem while it is loaded. */
typedef struct source {
  int rows, columns;
  const double *A;
  int lda;
  const double *d;
  int *e; /* rows: element i j is a whole number times 2^(e_i + f_j) */
  int *f; /* columns + 1 */
} source;

static double element(const source *p, int i, int j)
{
  return j < p->columns ? p->A[(size_t)i * (size_t)p->lda + (size_t)j] : p->d[i];
}

/* e_i := the least last bit of row i, then f_j := what its column has to spare. */
static void choose_units(nsd_exact *w, const source *p)
{
  /* a_ij is a whole number times 2^(e_i + f_j), and no smaller e_i + f_j would do in all elements: short
   * numbers make cheap products. */
  for (int i = 0; i < p->rows && w->status == NSDYN_OK; i++) {
    int least = INT_MAX;
    for (int j = 0; j <= p->columns; j++) {
      const double a = element(p, i, j);
      const int last = a != 0.0 ? last_bit(a) : INT_MAX;
      least = last < least ? last : least;
    }
    p->e[i] = least == INT_MAX ? 0 : least;
    pass(w, SCANNING * p->columns);
  }
  for (int j = 0; j <= p->columns && w->status == NSDYN_OK; j++) {
    int least = INT_MAX;
    for (int i = 0; i < p->rows; i++) {
      const double a = element(p, i, j);
      const int spare = a != 0.0 ? last_bit(a) - p->e[i] : INT_MAX;
      least = spare < least ? spare : least;
    }
    p->f[j] = least == INT_MAX ? 0 : least;
    pass(w, SCANNING * p->rows);
  }
}

/* Hadamard: a minor is no larger than the product of its rows' lengths; columns + 1 rows at most. */
static int bits_of_minors(nsd_exact *w, const source *p)
{
  /* |row| <= √width · largest element. A minor of k rows is below the product of their lengths, k <= width:
   * the sum over all rows bounds it, and so do `width` times the longest. */
  const int width = p->columns + 1;
  int root = 1; /* above log2 of sqrt(width) */
  while (1 << (2 * root) < width) {
    root++;
  }
  int64_t sum = 0;
  int most = 0;
  for (int i = 0; i < p->rows && w->status == NSDYN_OK; i++) {
    int bits = 0;
    for (int j = 0; j < width; j++) {
      const double a = element(p, i, j);
      const int own = a != 0.0 ? first_bit(a) - p->e[i] - p->f[j] : 0;
      bits = own > bits ? own : bits;
    }
    sum += bits + root;
    pass(w, SCANNING * width);
    most = bits > most ? bits : most;
  }
  const int64_t bound = (int64_t)width * (most + root);
  sum = sum < bound ? sum : bound;
  return sum < INT_MAX / 2 ? (int)sum + 1 : -1;
}

static void lay_out(nsd_arena *arena, nsd_exact *w)
{
  const size_t rows = (size_t)w->rows;
  const size_t all = rows + (size_t)w->columns;
  const size_t elements = rows * ((size_t)w->columns + 1);
  const size_t words = (size_t)w->words;
  w->base.limb = nsd_arena_take(arena, elements * words, sizeof(nsd_limb));
  w->base.length = nsd_arena_take(arena, elements, sizeof(int32_t));
  w->now.limb = nsd_arena_take(arena, elements * words, sizeof(nsd_limb));
  w->now.length = nsd_arena_take(arena, elements, sizeof(int32_t));
  w->D = nsd_arena_take(arena, words, sizeof(nsd_limb));
  w->odd = nsd_arena_take(arena, words, sizeof(nsd_limb));
  w->factor = nsd_arena_take(arena, words, sizeof(nsd_limb));
  w->left = nsd_arena_take(arena, 2 * words + 2, sizeof(nsd_limb));
  w->right = nsd_arena_take(arena, 2 * words + 2, sizeof(nsd_limb));
  w->product = nsd_arena_take(arena, 2 * words + 2, sizeof(nsd_limb));
  w->row = nsd_arena_take(arena, rows, sizeof *w->row);
  w->column = nsd_arena_take(arena, (size_t)w->columns, sizeof *w->column);
  w->place = nsd_arena_take(arena, all, sizeof *w->place);
  w->unit = nsd_arena_take(arena, all, sizeof *w->unit);
  w->ask = nsd_arena_take(arena, all, sizeof *w->ask);
  w->sign = nsd_arena_take(arena, all, sizeof *w->sign);
  w->seen = nsd_arena_take(arena, all, sizeof *w->seen);
}

static nsdyn_status reserve(nsd_exact *w)
{
  nsd_exact counted = *w;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted);
  if (measure.used > MOST_BYTES) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const nsdyn_status status = nsd_arena_reserve(&w->arena, &measure);
  if (status == NSDYN_OK) {
    lay_out(&w->arena, w);
  }
  return status;
}

static size_t at(const nsd_exact *w, int r, int s)
{
  return (size_t)r * ((size_t)w->columns + 1) + (size_t)s;
}

/* A cancel leaves the rest. */
static void fill(nsd_exact *w, const source *p)
{
  for (int i = 0; i < w->rows && w->status == NSDYN_OK; i++) {
    for (int j = 0; j <= w->columns; j++) {
      const size_t k = at(w, i, j);
      w->base.length[k] =
          nsd_bigint_from_double(w->base.limb + k * (size_t)w->words, element(p, i, j), -(p->e[i] + p->f[j]));
    }
    pass(w, (SCANNING + FRESH * (int64_t)w->words) * w->columns);
  }
  /* z_R = A z_C + d in whole numbers: 2^-e_i z_i = Σ (a_ij 2^(−e_i − f_j)) (2^f_j z_j) + d_i 2^-e_i, all of
   * it times 2^-constant, the unit of the column d. */
  const int constant = p->f[w->columns];
  for (int i = 0; i < w->rows; i++) {
    w->unit[w->columns + i] = p->e[i] + constant;
  }
  for (int j = 0; j < w->columns; j++) {
    w->unit[j] = constant - p->f[j];
  }
}

static nsdyn_status reserve_scale(nsd_exact *w, size_t count)
{
  if (count <= w->scale_count) {
    return NSDYN_OK;
  }
  int *scale = nsd_allocate(w->ctx, count, sizeof *scale);
  if (!scale) {
    return NSDYN_ERR_NOMEM;
  }
  nsd_release(w->ctx, w->scale, w->scale_count, sizeof *w->scale);
  w->scale = scale;
  w->scale_count = count;
  return NSDYN_OK;
}

nsdyn_status nsd_exact_load(nsd_exact *w, int rows, int columns, const double *A, int lda, const double *d,
                            int64_t limit)
{
  w->rows = rows;
  w->columns = columns;
  w->loaded = 0;
  w->work = w->unpolled = 0;
  w->limit = limit;
  w->status = NSDYN_OK;
  nsdyn_status status = reserve_scale(w, (size_t)rows + (size_t)columns + 1);
  if (status) {
    return status;
  }
  const source p = {
      .rows = rows, .columns = columns, .A = A, .lda = lda, .d = d, .e = w->scale, .f = w->scale + rows};
  /* 1: units in which all numbers are whole. */
  choose_units(w, &p);
  /* 2: room for the largest minor that exchanges may lead to. */
  const int bits = bits_of_minors(w, &p);
  status = NSDYN_ERR_TOO_LARGE;
  if (bits >= 0 && w->status == NSDYN_OK) {
    w->words = nsd_bigint_limbs_of(bits) + 1;
    status = reserve(w);
  }
  if (status == NSDYN_OK) {
    fill(w, &p);
    w->loaded = w->status == NSDYN_OK;
  }
  return status == NSDYN_ERR_TOO_LARGE ? NSDYN_OK : status;
}

/* ---- the tableau ----------------------------------------------------------------------------------------
 */

static nsd_bigint get(const nsd_exact *w, int r, int s)
{
  const size_t k = at(w, r, s);
  return (nsd_bigint){.limb = w->now.limb + k * (size_t)w->words, .length = w->now.length[k]};
}

static int sign_of(int length)
{
  return (length > 0) - (length < 0);
}

static int sign_at(const nsd_exact *w, int r, int s)
{
  return sign_of(w->now.length[at(w, r, s)]);
}

static int constant_sign(const nsd_exact *w, int r)
{
  return sign_at(w, r, w->columns);
}

static void put(nsd_exact *w, int r, int s, const nsd_limb *limb, int length)
{
  const size_t k = at(w, r, s);
  memcpy(w->now.limb + k * (size_t)w->words, limb, (size_t)nsd_bigint_limbs(length) * sizeof *limb);
  w->now.length[k] = length;
}

/* Whether there is work left to do. */
static int may_go_on(nsd_exact *w)
{
  pass(w, 0);
  return w->work <= w->limit && w->status == NSDYN_OK;
}

static void count_work(nsd_exact *w, int a, int b)
{
  const int64_t products = 4 + (int64_t)nsd_bigint_limbs(a) * nsd_bigint_limbs(b);
  w->work += products;
  w->unpolled += products;
}

/* (p t − f u) / D into row i, column j; `turn` changes the sign. */
static void combine(nsd_exact *w, int i, int j, nsd_bigint p, nsd_bigint f, nsd_bigint u,
                    const nsd_bigint_divisor *D, int turn)
{
  /* The division leaves no rest: the quotient is a minor of the first tableau (Bareiss 1968). */
  const nsd_bigint t = get(w, i, j);
  count_work(w, p.length, t.length);
  count_work(w, f.length, u.length);
  const nsd_bigint first = {.limb = w->left, .length = nsd_bigint_multiply(w->left, p, t)};
  const nsd_bigint second = {.limb = w->right, .length = nsd_bigint_multiply(w->right, f, u)};
  const int length = nsd_bigint_subtract(w->product, first, second);
  const size_t k = at(w, i, j);
  const int quotient = nsd_bigint_divide(w->now.limb + k * (size_t)w->words, w->product, length, D);
  w->now.length[k] = turn ? -quotient : quotient;
}

/* Exchanges the unknowns of row r and column s, whose element p is not zero:
 *
 *   z_s = (D z_r − Σ T_rj z_j − c_r) / p,    p z_i = T_is z_r + Σ ((p T_ij − T_is T_rj) / D) z_j + …
 *
 * with the new D = |p|. If it stops on the way, for too much work or because the caller cancels, the tableau
 * is unusable, and may_go_on() is 0 until a problem is loaded. */
static void exchange(nsd_exact *w, int r, int s)
{
  const int width = w->columns + 1;
  const int p_length = get(w, r, s).length;
  const int turn = p_length < 0;
  memcpy(w->factor, get(w, r, s).limb, (size_t)nsd_bigint_limbs(p_length) * sizeof *w->factor);
  const nsd_bigint p = {.limb = w->factor, .length = p_length};
  const nsd_bigint_divisor D =
      nsd_bigint_divisor_of(w->odd, (nsd_bigint){.limb = w->D, .length = w->D_length});
  /* 1: all rows but r. Of an element whose row or column crosses in a zero p T_ij / D alone is left. A
   * negative p turns all signs, so that the new D is positive. */
  for (int i = 0; i < w->rows; i++) {
    if (i == r) {
      continue;
    }
    const nsd_bigint f = get(w, i, s);
    for (int j = 0; j < width; j++) {
      if (j != s && (w->now.length[at(w, i, j)] || (f.length && w->now.length[at(w, r, j)]))) {
        combine(w, i, j, p, f, get(w, r, j), &D, turn);
      }
      if (!may_go_on(w)) {
        return;
      }
    }
    if (turn) {
      w->now.length[at(w, i, s)] = -f.length;
    }
  }
  /* 2: row r itself is −T_rj, and D in the column of z_r; over the new D = |p| that takes no product. */
  for (int j = 0; j < width; j++) {
    const size_t k = at(w, r, j);
    w->now.length[k] = turn ? w->now.length[k] : -w->now.length[k];
  }
  put(w, r, s, w->D, turn ? -w->D_length : w->D_length);
  memcpy(w->D, w->factor, (size_t)nsd_bigint_limbs(p_length) * sizeof *w->D);
  w->D_length = nsd_bigint_limbs(p_length);
  /* 3: who stands where. */
  const int32_t leaves = w->row[r], enters = w->column[s];
  w->row[r] = enters;
  w->column[s] = leaves;
  w->place[enters] = r;
  w->place[leaves] = ~s;
}

static void turn_unknown(nsd_exact *w, int k)
{
  /* z_k := −z_k, so that >= 0 is all that is asked: its row, or its column, changes sign. */
  w->sign[k] = (int8_t)-w->sign[k];
  const int place = w->place[k];
  for (int j = 0; place >= 0 && j <= w->columns; j++) {
    w->now.length[at(w, place, j)] = -w->now.length[at(w, place, j)];
  }
  for (int i = 0; place < 0 && i < w->rows; i++) {
    w->now.length[at(w, i, ~place)] = -w->now.length[at(w, i, ~place)];
  }
}

/* The tableau as it was loaded. */
static void restore(nsd_exact *w)
{
  const size_t elements = (size_t)w->rows * ((size_t)w->columns + 1);
  for (size_t k = 0; k < elements; k++) {
    const size_t from = k * (size_t)w->words;
    const int length = w->base.length[k];
    memcpy(w->now.limb + from, w->base.limb + from, (size_t)nsd_bigint_limbs(length) * sizeof(nsd_limb));
    w->now.length[k] = length;
    pass(w, 4 + FRESH * (int64_t)w->words);
  }
  w->D[0] = 1;
  w->D_length = 1;
  for (int k = 0; k < w->rows + w->columns; k++) {
    const int basic = k >= w->columns;
    w->place[k] = basic ? k - w->columns : ~k;
    *(basic ? &w->row[k - w->columns] : &w->column[k]) = k;
    w->sign[k] = 1;
  }
}

static void start(nsd_exact *w, const int8_t *ask)
{
  restore(w);
  for (int k = 0; k < w->rows + w->columns; k++) {
    w->seen[k] = 0;
    w->ask[k] = ask[k];
    if (ask[k] == NSD_EXACT_NEGATIVE) {
      turn_unknown(w, k);
      w->ask[k] = NSD_EXACT_POSITIVE;
    }
  }
}

/* ---- a vertex -------------------------------------------------------------------------------------------
 */

static int column_ask(const nsd_exact *w, int s)
{
  return w->ask[w->column[s]];
}

/* The column for a row that shall leave the basis: a free one, else one whose unknown is wanted in it, else
 * any that is not zero. −1 where there is none. */
static int column_for(const nsd_exact *w, int r, const uint8_t *basic)
{
  int best = -1, most = -1;
  for (int s = 0; s < w->columns; s++) {
    if (column_ask(w, s) != NSD_EXACT_ZERO && sign_at(w, r, s)) {
      const int merit = column_ask(w, s) == NSD_EXACT_FREE ? 2 : basic && basic[w->column[s]];
      if (merit > most) {
        most = merit;
        best = s;
      }
    }
  }
  return best;
}

/* What is asked to be zero leaves the basis. 0 where it cannot be zero. */
static int drive_out_zeros(nsd_exact *w, const uint8_t *basic)
{
  for (int r = 0; r < w->rows; r++) {
    if (w->ask[w->row[r]] != NSD_EXACT_ZERO) {
      continue;
    }
    const int s = column_for(w, r, basic);
    /* If no column can move it, z_r = c_r throughout, and has to be zero. */
    if (s >= 0 && may_go_on(w)) {
      exchange(w, r, s);
    } else if (s < 0 && constant_sign(w, r)) {
      return 0;
    }
  }
  return 1;
}

/* A row for a column that shall enter the basis: of an unknown asked a sign, best one not wanted there. */
static int row_for(const nsd_exact *w, int s, const uint8_t *basic)
{
  int best = -1;
  for (int r = 0; r < w->rows; r++) {
    const int k = w->row[r];
    if (w->ask[k] == NSD_EXACT_POSITIVE && sign_at(w, r, s)) {
      if (!basic || !basic[k]) {
        return r;
      }
      best = best < 0 ? r : best;
    }
  }
  return column_ask(w, s) == NSD_EXACT_FREE ? best : -1;
}

/* Free columns enter where a row with a sign is to be had, and so do unknowns wanted in the basis. */
static void bring_in(nsd_exact *w, const uint8_t *basic)
{
  for (int s = 0; s < w->columns; s++) {
    const int wanted = column_ask(w, s) == NSD_EXACT_FREE ||
                       (column_ask(w, s) == NSD_EXACT_POSITIVE && basic && basic[w->column[s]]);
    const int r = wanted && may_go_on(w) ? row_for(w, s, basic) : -1;
    if (r >= 0) {
      exchange(w, r, s);
    }
  }
}

/* The live column without a line of least number that raises row r; −1 where there is none. */
static int rising(const nsd_exact *w, int r, int sense)
{
  int best = -1;
  for (int s = 0; s < w->columns; s++) {
    if (column_ask(w, s) == NSD_EXACT_POSITIVE && sense * sign_at(w, r, s) > 0 &&
        (best < 0 || w->column[s] < w->column[best])) {
      best = s;
    }
  }
  return best;
}

/* Bland's rule of the dual simplex method without an aim. */
static nsd_exact_end make_feasible(nsd_exact *w)
{
  while (may_go_on(w)) {
    /* Of the rows with c_r < 0 the one whose unknown has the least number, and so of the columns that raise
     * it: no basis comes twice (Bland 1977). */
    int r = -1;
    for (int i = 0; i < w->rows; i++) {
      if (w->ask[w->row[i]] == NSD_EXACT_POSITIVE && constant_sign(w, i) < 0 &&
          (r < 0 || w->row[i] < w->row[r])) {
        r = i;
      }
    }
    if (r < 0) {
      return NSD_EXACT_OPEN;
    }
    const int s = rising(w, r, 1);
    /* z_r = c_r − Σ |T_rs| z_s < 0 on all of it, though >= 0 is asked. */
    if (s < 0) {
      return NSD_EXACT_EMPTY;
    }
    exchange(w, r, s);
  }
  return NSD_EXACT_UNKNOWN;
}

nsd_exact_end nsd_exact_open(nsd_exact *w, const int8_t *ask, const uint8_t *basic)
{
  if (!w->loaded || !may_go_on(w)) {
    return NSD_EXACT_UNKNOWN;
  }
  /* 1: what is to be zero becomes a column, where it stays at zero; a row that cannot is c_r ≠ 0: empty.
   * 2: free unknowns become rows, which nothing limits. 3: what is left asks for signs. */
  start(w, ask);
  if (!drive_out_zeros(w, basic)) {
    return may_go_on(w) ? NSD_EXACT_EMPTY : NSD_EXACT_UNKNOWN;
  }
  bring_in(w, basic);
  return may_go_on(w) ? make_feasible(w) : NSD_EXACT_UNKNOWN;
}

/* ---- signs ----------------------------------------------------------------------------------------------
 */

/* Whether row i stops a step along column s before row k does: c_i / −T_is < c_k / −T_ks, ties by number. */
static int stops_before(nsd_exact *w, int i, int k, int s)
{
  const nsd_bigint c_i = get(w, i, w->columns), c_k = get(w, k, w->columns);
  const nsd_bigint t_i = get(w, i, s), t_k = get(w, k, s);
  count_work(w, c_i.length, t_k.length);
  count_work(w, c_k.length, t_i.length);
  /* |c_i T_ks| < |c_k T_is|, which needs no division. */
  const nsd_bigint left = {.limb = w->left, .length = nsd_bigint_multiply(w->left, c_i, t_k)};
  const nsd_bigint right = {.limb = w->right, .length = nsd_bigint_multiply(w->right, c_k, t_i)};
  const int order = nsd_bigint_compare(left, right);
  return order < 0 || (order == 0 && w->row[i] < w->row[k]);
}

/* The row that stops column s; −1 where none does. */
static int blocking(nsd_exact *w, int s)
{
  int best = -1;
  for (int i = 0; i < w->rows; i++) {
    if (w->ask[w->row[i]] == NSD_EXACT_POSITIVE && sign_at(w, i, s) < 0 &&
        (best < 0 || stops_before(w, i, best, s))) {
      best = i;
    }
  }
  return best;
}

static int has_line(const nsd_exact *w, int r)
{
  for (int s = 0; s < w->columns; s++) {
    if (column_ask(w, s) == NSD_EXACT_FREE && sign_at(w, r, s)) {
      return 1;
    }
  }
  return 0;
}

/* Primal simplex method on sense · z_k until it is positive: 1. 0: it is not, at its top, where k is basic.
 * −1: unknown. */
static int climb(nsd_exact *w, int k, int sense)
{
  while (may_go_on(w)) {
    /* z_k is positive here already, or a free column moves it as far as it likes. */
    const int r = w->place[k];
    if (r >= 0 && (sense * constant_sign(w, r) > 0 || has_line(w, r))) {
      return 1;
    }
    if (r < 0 && w->ask[k] == NSD_EXACT_FREE) {
      return 1;
    }
    /* No column raises it: its row has no positive term, so that 0 is the most it can be. */
    const int s = r < 0 ? ~r : rising(w, r, sense);
    if (s < 0 || w->ask[w->column[s]] == NSD_EXACT_ZERO) {
      return 0;
    }
    const int stop = blocking(w, s);
    if (stop < 0 || ((r < 0 || constant_sign(w, r) == 0) && constant_sign(w, stop) > 0)) {
      return 1; /* any step leads above zero */
    }
    exchange(w, stop, s);
  }
  return -1;
}

/* Row r says 0 = z_r + Σ |T_rs| z_s: all of these are zero. */
static void vanish(nsd_exact *w, int r)
{
  w->ask[w->row[r]] = NSD_EXACT_ZERO;
  for (int s = 0; s < w->columns; s++) {
    if (column_ask(w, s) == NSD_EXACT_POSITIVE && sign_at(w, r, s) < 0) {
      w->ask[w->column[s]] = NSD_EXACT_ZERO;
    }
  }
}

nsd_exact_end nsd_exact_close(nsd_exact *w)
{
  for (int k = 0; k < w->rows + w->columns; k++) {
    if (w->ask[k] != NSD_EXACT_POSITIVE || w->seen[k]) {
      continue;
    }
    for (int i = 0; i < w->rows; i++) {
      w->seen[w->row[i]] |= constant_sign(w, i) > 0;
    }
    /* Positive at this point, or at one that the simplex method finds. */
    const int reached = w->seen[k] ? 1 : climb(w, k, 1);
    if (reached < 0) {
      return NSD_EXACT_UNKNOWN;
    }
    w->seen[k] = (uint8_t)reached;
    if (!reached) {
      vanish(w, w->place[k]);
    }
  }
  /* A basic unknown that is zero throughout is so by the columns that are. */
  return NSD_EXACT_OPEN;
}

int nsd_exact_reaches(nsd_exact *w, int k, int sense)
{
  if (w->ask[k] == NSD_EXACT_ZERO) {
    return 0;
  }
  if (w->ask[k] == NSD_EXACT_POSITIVE && sense != w->sign[k]) {
    return 0;
  }
  return w->seen[k] && sense == w->sign[k] ? 1 : climb(w, k, sense * w->sign[k]);
}

/* Whether z_k grows beyond all bounds, by the primal simplex method. −1: unknown. */
static int has_no_top(nsd_exact *w, int k)
{
  while (may_go_on(w)) {
    const int r = w->place[k];
    /* At its top where no column raises it; without one where nothing stops the column that does. */
    const int s = r < 0 ? ~r : rising(w, r, 1);
    if (s < 0) {
      return 0;
    }
    const int stop = blocking(w, s);
    if (stop < 0) {
      return 1;
    }
    exchange(w, stop, s);
  }
  return -1;
}

int nsd_exact_is_unbounded(nsd_exact *w)
{
  /* A free column is a line; without lines P is unbounded where one of its unknowns is. */
  int answer = 0;
  for (int s = 0; s < w->columns; s++) {
    answer |= column_ask(w, s) == NSD_EXACT_FREE;
  }
  for (int k = 0; k < w->rows + w->columns && answer == 0; k++) {
    answer = w->ask[k] == NSD_EXACT_POSITIVE ? has_no_top(w, k) : 0;
  }
  return answer;
}

int nsd_exact_dimension(const nsd_exact *w)
{
  /* nsd_exact_close() has found all that vanish: the columns left are independent directions of P. */
  int count = 0;
  for (int s = 0; s < w->columns; s++) {
    count += column_ask(w, s) != NSD_EXACT_ZERO;
  }
  return count;
}

/* ---- rounded --------------------------------------------------------------------------------------------
 */

double nsd_exact_element(const nsd_exact *w, int r, int s, int shift)
{
  /* T_rs / D, back in the units of the given numbers, rounded once. */
  const nsd_bigint D = {.limb = w->D, .length = w->D_length};
  return nsd_bigint_quotient(get(w, r, s), D, shift + w->unit[w->row[r]] - w->unit[w->column[s]]);
}

double nsd_exact_constant(const nsd_exact *w, int r, int shift)
{
  const nsd_bigint D = {.limb = w->D, .length = w->D_length};
  return nsd_bigint_quotient(get(w, r, w->columns), D, shift + w->unit[w->row[r]]);
}
