/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_tableau.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/kernels/cpu.h"
#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define COLUMN_READ 60.0 /* multiplications that take as long as to read an element out of a column */

enum { LANES = NSD_LANES }; /* columns begin at multiples of so many doubles */

static int padded(int rows)
{
  return (rows + LANES - 1) / LANES * LANES;
}

void nsd_cells_lay_out(nsd_arena *arena, nsd_cells *cells, int rows, int columns)
{
  const size_t m = (size_t)rows;
  const size_t n = (size_t)columns;
  const size_t ld = (size_t)padded(rows);
  cells->poll = nsd_poll_of(NULL, NULL);
  cells->weight = nsd_arena_take(arena, m, sizeof *cells->weight);
  cells->row_fall = nsd_arena_take(arena, ld, sizeof *cells->row_fall);
  cells->row_rise = nsd_arena_take(arena, ld, sizeof *cells->row_rise);
  cells->magnitude = nsd_arena_take(arena, ld, sizeof *cells->magnitude);
  cells->multiplier = nsd_arena_take(arena, m, sizeof *cells->multiplier);
  cells->some = nsd_arena_take(arena, m, sizeof *cells->some);
  cells->sum = nsd_arena_take(arena, n, sizeof *cells->sum);
  cells->size = nsd_arena_take(arena, n, sizeof *cells->size);
  cells->basic = nsd_arena_take(arena, m + n, sizeof *cells->basic);
  cells->ask = nsd_arena_take(arena, m + n, sizeof *cells->ask);
}

void nsd_cells_load(nsd_cells *cells, const nsd_forms *forms)
{
  cells->forms = forms;
  cells->judge = NULL;
  cells->exact = NULL;
  cells->sure = NULL;
  cells->exact_is_loaded = 0;
  cells->status = NSDYN_OK;
  cells->pivots = cells->doubtful = 0;
  cells->has_free = 0;
  for (int k = 0; k < forms->columns + forms->rows; k++) {
    cells->has_free |= forms->base[k] == NSD_ASK_NOTHING;
  }
  for (int i = 0; cells->has_free && i < forms->rows; i++) {
    const double *a = forms->a + (size_t)i * (size_t)forms->columns;
    double sum = 0.0;
    for (int j = 0; j < forms->columns; j++) {
      sum += fabs(a[j]);
    }
    cells->weight[i] = sum;
    (void)nsd_poll_stops(&cells->poll, NSD_POLL_READ * forms->columns);
  }
}

void nsd_cell_lay_out(nsd_arena *arena, nsd_cell *cell, int rows, int columns)
{
  const size_t m = (size_t)rows;
  const size_t n = (size_t)columns;
  const size_t ld = (size_t)padded(rows);
  cell->rows = rows;
  cell->columns = columns;
  cell->ld = (int)ld;
  cell->T = nsd_arena_take(arena, n * ld, sizeof *cell->T);
  cell->c = nsd_arena_take(arena, ld, sizeof *cell->c);
  cell->guard = nsd_arena_take(arena, ld, sizeof *cell->guard);
  cell->ratio = nsd_arena_take(arena, ld, sizeof *cell->ratio);
  cell->row = nsd_arena_take(arena, m, sizeof *cell->row);
  cell->slot = nsd_arena_take(arena, n, sizeof *cell->slot);
  cell->live = nsd_arena_take(arena, n, sizeof *cell->live);
  cell->proof = nsd_arena_take(arena, n, sizeof *cell->proof);
  cell->few = nsd_arena_take(arena, n, sizeof *cell->few);
  cell->place = nsd_arena_take(arena, m + n, sizeof *cell->place);
  cell->ask = nsd_arena_take(arena, m + n, sizeof *cell->ask);
  cell->sign = nsd_arena_take(arena, m + n, sizeof *cell->sign);
  cell->mark = nsd_arena_take(arena, m + n, sizeof *cell->mark);
}

static int copy_columns(nsd_cell *to, const nsd_cell *from, const int32_t *slots, int count, nsd_poll *poll)
{
  const size_t bytes = (size_t)from->ld * sizeof *from->T;
  for (int k = 0; k < count; k++) {
    if (nsd_poll_stops(poll, NSD_POLL_READ * from->ld)) {
      return 0;
    }
    memcpy(nsd_cell_column(to, slots[k]), nsd_cell_column(from, slots[k]), bytes);
  }
  return 1;
}

void nsd_cell_copy(nsd_cell *to, const nsd_cell *from, nsd_poll *poll)
{
  const size_t m = (size_t)from->rows;
  const size_t n = (size_t)from->columns;
  const size_t ld = (size_t)from->ld;
  to->live_count = from->live_count;
  to->proof_count = from->proof_count;
  to->age = from->age;
  to->is_exact = from->is_exact;
  if (m == 0 || n == 0) {
    return; /* a problem without unknowns has no functionals */
  }
  if (!copy_columns(to, from, from->live, from->live_count, poll) ||
      !copy_columns(to, from, from->proof, from->proof_count, poll)) {
    to->live_count = to->proof_count = 0; /* nothing is asked of a cell after a cancel */
  }
  memcpy(to->c, from->c, ld * sizeof *to->c);
  memcpy(to->guard, from->guard, ld * sizeof *to->guard);
  memcpy(to->row, from->row, m * sizeof *to->row);
  memcpy(to->slot, from->slot, n * sizeof *to->slot);
  memcpy(to->live, from->live, (size_t)from->live_count * sizeof *to->live);
  memcpy(to->proof, from->proof, (size_t)from->proof_count * sizeof *to->proof);
  memcpy(to->place, from->place, (m + n) * sizeof *to->place);
  memcpy(to->ask, from->ask, (m + n) * sizeof *to->ask);
  memcpy(to->sign, from->sign, (m + n) * sizeof *to->sign);
  memcpy(to->mark, from->mark, (m + n) * sizeof *to->mark);
}

enum { COLUMNS_PER_POLL = 64 };

/* ---- the exchange -------------------------------------------------------------------------------- */

/* a − f s, zero where that cancels. */
NSD_INLINE_LANES nsd_lanes difference(nsd_lanes a, nsd_lanes f, nsd_lanes s)
{
  const nsd_lanes value = a - f * s;
  const nsd_lanes least = nsd_lanes_all(NSD_CELL_CANCELLED) * nsd_lanes_abs(a);
  return (nsd_lanes)(~(nsd_lanes_bits)(nsd_lanes_abs(value) < least) & (nsd_lanes_bits)value);
}

/* C := C − f S. */
NSD_INLINE void eliminate(int ld, double f, const double *restrict S, double *restrict C)
{
  const nsd_lanes factor = nsd_lanes_all(f);
  for (int i = 0; i < ld; i += NSD_LANES) {
    nsd_lanes_store(C + i, difference(nsd_lanes_load(C + i), factor, nsd_lanes_load(S + i)));
  }
}

/* The same for two columns: S is read once. */
NSD_INLINE void eliminate_two(int ld, double f, double g, const double *restrict S, double *restrict C,
                              double *restrict D)
{
  const nsd_lanes to_C = nsd_lanes_all(f);
  const nsd_lanes to_D = nsd_lanes_all(g);
  for (int i = 0; i < ld; i += NSD_LANES) {
    const nsd_lanes pivot = nsd_lanes_load(S + i);
    nsd_lanes_store(C + i, difference(nsd_lanes_load(C + i), to_C, pivot));
    nsd_lanes_store(D + i, difference(nsd_lanes_load(D + i), to_D, pivot));
  }
}

NSD_INLINE void exchange_columns(nsd_cell *cell, const int32_t *slots, int count, int r, int s,
                                 double inverse, nsd_poll *poll)
{
  const double *S = nsd_cell_column(cell, s);
  if (poll->is_cancelled) {
    return;
  }
  int kept = 0;
  for (int k = 0; k < count; k++) {
    cell->few[kept] = slots[k];
    kept += slots[k] != s && nsd_cell_column(cell, slots[k])[r] != 0.0;
  }
  /* C := C − f S with f = T_rj / T_rs, and T_rj := −f, for each column that has an element in row r. */
  int k = 0;
  for (; k + 2 <= kept; k += 2) {
    double *C = nsd_cell_column(cell, cell->few[k]);
    double *D = nsd_cell_column(cell, cell->few[k + 1]);
    const double f = C[r] * inverse;
    const double g = D[r] * inverse;
    eliminate_two(cell->ld, f, g, S, C, D);
    C[r] = -f;
    D[r] = -g;
    if (k % COLUMNS_PER_POLL == 0 && nsd_poll_stops(poll, COLUMNS_PER_POLL * 2.0 * cell->ld)) {
      return;
    }
  }
  if (k < kept) {
    double *C = nsd_cell_column(cell, cell->few[k]);
    const double f = C[r] * inverse;
    eliminate(cell->ld, f, S, C);
    C[r] = -f;
  }
}

NSD_INLINE void exchange_all(nsd_cell *cell, int r, int s, nsd_poll *poll)
{
  double *restrict S = nsd_cell_column(cell, s);
  const double inverse = 1.0 / S[r];
  /* u_s = (u_r − c_r − Σ T_rj u_j) / T_rs, put into all other rows. */
  exchange_columns(cell, cell->live, cell->live_count, r, s, inverse, poll);
  exchange_columns(cell, cell->proof, cell->proof_count, r, s, inverse, poll);
  /* c likewise: the new point has u_r = 0. */
  if (cell->c[r] != 0.0) {
    const double f = cell->c[r] * inverse;
    eliminate(cell->ld, f, S, cell->c);
    cell->c[r] = -f;
  }
  /* S := S / T_rs, and 1 / T_rs in row r: this is now the column of u_r. */
  const nsd_lanes factor = nsd_lanes_all(inverse);
  for (int i = 0; i < cell->ld; i += NSD_LANES) {
    nsd_lanes_store(S + i, nsd_lanes_load(S + i) * factor);
  }
  S[r] = inverse;
}

static void exchange_plain(nsd_cell *cell, int r, int s, nsd_poll *poll)
{
  exchange_all(cell, r, s, poll);
}

NSD_TARGET_AVX2 static void exchange_avx2(nsd_cell *cell, int r, int s, nsd_poll *poll)
{
  exchange_all(cell, r, s, poll);
}

/* The column of an unknown that is zero goes out of play. */
static void retire(nsd_cell *cell, int s)
{
  int k = 0;
  while (k < cell->live_count && cell->live[k] != s) {
    k++;
  }
  if (k == cell->live_count) {
    return; /* a cancel has left the columns away */
  }
  cell->live[k] = cell->live[--cell->live_count];
  if (cell->slot[s] >= cell->columns) {
    cell->proof[cell->proof_count++] = s;
  }
}

void nsd_cell_exchange(nsd_cell *cell, nsd_cells *cells, int r, int s)
{
  NSD_ASSERT(nsd_cell_column(cell, s)[r] != 0.0);
  if (nsd_cpu_avx2()) {
    exchange_avx2(cell, r, s, &cells->poll);
  } else {
    exchange_plain(cell, r, s, &cells->poll);
  }
  const int32_t leaves = cell->row[r];
  const int32_t enters = cell->slot[s];
  cell->row[r] = enters;
  cell->slot[s] = leaves;
  cell->place[enters] = r;
  cell->place[leaves] = ~s;
  /* What is free stops no step along a column. */
  cell->guard[r] = cell->ask[enters] == NSD_ASK_NOTHING ? 0.0 : 1.0;
  if (nsd_cell_is_held(cell, leaves)) {
    retire(cell, s);
  }
  cells->pivots++;
  /* The exchange has counted whole batches of columns; the rest, and the looking up of a pivot, counts here.
   */
  if (nsd_poll_stops(&cells->poll, (double)cell->ld * (cell->live_count + cell->proof_count) * 0.5)) {
    cells->status = NSDYN_CANCELLED;
  }
  cell->age++;
  cell->is_exact = 0;
}

void nsd_cell_step(nsd_cell *cell, nsd_cells *cells, int r, int s)
{
  double *old = cells->magnitude;
  memcpy(old, cell->c, (size_t)cell->ld * sizeof *old);
  nsd_cell_exchange(cell, cells, r, s);
  /* The ratio test chose r so that no c_i turns negative; where one has, that is rounding. */
  for (int i = 0; i < cell->rows; i++) {
    if (cell->c[i] < 0.0 && (old[i] >= 0.0 || i == r) && cell->guard[i] > 0.0) {
      cell->c[i] = 0.0;
    }
  }
}

void nsd_cell_hold(nsd_cell *cell, int k)
{
  if (nsd_cell_is_held(cell, k)) {
    return;
  }
  cell->ask[k] = NSD_ASK_ZERO;
  if (cell->place[k] < 0) {
    retire(cell, ~cell->place[k]);
  } else {
    cell->guard[cell->place[k]] = 1.0;
  }
}

static void turn_column(nsd_cell *cell, int s)
{
  double *C = nsd_cell_column(cell, s);
  for (int i = 0; i < cell->ld; i++) {
    C[i] = -C[i];
  }
}

static void turn_row(nsd_cell *cell, const int32_t *slots, int count, int r)
{
  for (int k = 0; k < count; k++) {
    double *C = nsd_cell_column(cell, slots[k]);
    C[r] = -C[r];
  }
}

void nsd_cell_turn(nsd_cell *cell, int k)
{
  cell->sign[k] = (int8_t)-cell->sign[k];
  cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN);
  const int place = cell->place[k];
  if (place < 0) {
    turn_column(cell, ~place);
    return;
  }
  turn_row(cell, cell->live, cell->live_count, place);
  turn_row(cell, cell->proof, cell->proof_count, place);
  cell->c[place] = -cell->c[place];
}

/* ---- what is noise ------------------------------------------------------------------------------------ */

/* How z_j changes along column s. */
static double slope_of(const nsd_cell *cell, int j, int s)
{
  const int place = cell->place[j];
  return place >= 0 ? nsd_cell_column(cell, s)[place] : place == ~s ? 1.0 : 0.0;
}

/* Below this |T_rs| is rounding. */
static double least_element(const nsd_cell *cell, const nsd_cells *cells, int r, int s)
{
  const int k = cell->row[r] - cell->columns;
  if (!cells->has_free || k < 0) { /* no ratio depends on a row of a free z_j */
    return cell->guard[r] > 0.0 ? NSD_CELL_PIVOT_ROUNDING * nsd_lanes_norm(cell->ld, nsd_cell_column(cell, s))
                                : 0.0;
  }
  /* T_rs = Σ a_kj dz_j along column s, good for 2^-38 of Σ |a_kj dz_j|. */
  const double *a = cells->forms->a + (size_t)k * (size_t)cell->columns;
  double terms = 0.0;
  for (int j = 0; j < cell->columns; j++) {
    terms += a[j] == 0.0 ? 0.0 : fabs(a[j] * slope_of(cell, j, s));
  }
  return NSD_CELL_ELEMENT_ROUNDING * terms;
}

int nsd_cell_accept(const nsd_cell *cell, const nsd_cells *cells, int r, int s)
{
  double *C = nsd_cell_column(cell, s);
  if (fabs(C[r]) > least_element(cell, cells, r, s)) {
    return 1;
  }
  C[r] = 0.0;
  return 0;
}

/* Whether T_rs is more than rounding, seen from the column's size alone: no |dz_j| is larger, but for the 1
 * of the column's own unknown. */
static int is_clear(const nsd_cell *cell, const nsd_cells *cells, int r, int s, double size)
{
  const int k = cell->row[r] - cell->columns;
  const double t = fabs(nsd_cell_column(cell, s)[r]);
  const double largest = size > 1.0 ? size : 1.0;
  return !cells->has_free || k < 0 ? t > NSD_CELL_PIVOT_ROUNDING * size
                                   : t > NSD_CELL_ELEMENT_ROUNDING * cells->weight[k] * largest;
}

void nsd_cell_denoise(const nsd_cell *cell, nsd_cells *cells)
{
  for (int k = 0; k < cell->live_count; k++) {
    const int s = cell->live[k];
    for (int r = 0; r < cell->rows; r++) {
      if (nsd_cell_column(cell, s)[r] != 0.0) {
        (void)nsd_cell_accept(cell, cells, r, s);
      }
    }
    (void)nsd_poll_stops(&cells->poll, 3.0 * cell->ld * cell->columns);
  }
}

/* |d| of an unknown: what its value at z = 0 may have been. */
static double constant_size(const nsd_cell *cell, const nsd_cells *cells, int k)
{
  return k < cell->columns ? 0.0 : fabs(cells->forms->d[k - cell->columns]);
}

NSD_INLINE void add_sizes(const nsd_cell *cell, nsd_cells *cells, const int32_t *slots, int count)
{
  for (int k = 0; k < count; k++) {
    const double d = constant_size(cell, cells, cell->slot[slots[k]]);
    if (d == 0.0) {
      continue;
    }
    const double *C = nsd_cell_column(cell, slots[k]);
    /* magnitude_r = Σ |T_rs d_s| over the columns of functionals. */
    const nsd_lanes factor = nsd_lanes_all(d);
    for (int i = 0; i < cell->ld; i += NSD_LANES) {
      const nsd_lanes term = factor * nsd_lanes_abs(nsd_lanes_load(C + i));
      nsd_lanes_store(cells->magnitude + i, nsd_lanes_load(cells->magnitude + i) + term);
    }
    (void)nsd_poll_stops(&cells->poll, 2.0 * cell->ld);
  }
}

NSD_INLINE void measure_constants(const nsd_cell *cell, nsd_cells *cells)
{
  for (int i = 0; i < cell->ld; i++) {
    cells->magnitude[i] = i < cell->rows ? constant_size(cell, cells, cell->row[i]) : 0.0;
  }
  add_sizes(cell, cells, cell->live, cell->live_count);
  add_sizes(cell, cells, cell->proof, cell->proof_count);
}

static void measure_constants_plain(const nsd_cell *cell, nsd_cells *cells)
{
  measure_constants(cell, cells);
}

NSD_TARGET_AVX2 static void measure_constants_avx2(const nsd_cell *cell, nsd_cells *cells)
{
  measure_constants(cell, cells);
}

void nsd_cell_clean(const nsd_cell *cell, nsd_cells *cells)
{
  if (nsd_cpu_avx2()) {
    measure_constants_avx2(cell, cells);
  } else {
    measure_constants_plain(cell, cells);
  }
  for (int i = 0; i < cell->rows; i++) {
    /* c_r = Σ v_i d_i with v from row r: below 2^-40 Σ |v_i d_i| it is zero. */
    if (fabs(cell->c[i]) <= NSD_CELL_CONSTANT_ROUNDING * cells->magnitude[i]) {
      cell->c[i] = 0.0;
    }
  }
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* The live columns with sense · T_rs > 0, listed without a branch: which they are cannot be foreseen. What is
 * free may step back as well as forth. */
NSD_INLINE int list_candidates(const nsd_cell *cell, int has_free, int r, double sense)
{
  int count = 0;
  for (int k = 0; k < cell->live_count; k++) {
    const double t = nsd_cell_column(cell, cell->live[k])[r];
    cell->few[count] = cell->live[k];
    const int either = sense == 0.0 || (has_free && nsd_cell_is_free(cell, cell->live[k]));
    count += either ? t != 0.0 : sense * t > 0.0;
  }
  return count;
}

/* Merits are compared without their denominators, t² (1 + |T_best|²) > t_best² (1 + |T_s|²). `length`: |T_s|²
 * of the best. */
NSD_INLINE int steepest(const nsd_cell *cell, int count, int r, double *length, nsd_poll *poll)
{
  double most = 0.0; /* t² of the best, over `below` */
  double below = 1.0;
  int best = -1;
  for (int k = 0; k < count; k++) {
    const double *S = nsd_cell_column(cell, cell->few[k]);
    const double t = S[r];
    const double own = nsd_lanes_dot(cell->ld, S, S);
    /* t² / (1 + |T_s|²) > best, without dividing. */
    if (best < 0 || t * t * below > most * (1.0 + own)) {
      most = t * t;
      below = 1.0 + own;
      best = cell->few[k];
      *length = own;
    }
    if (k % COLUMNS_PER_POLL == COLUMNS_PER_POLL - 1) {
      (void)nsd_poll_stops(poll, COLUMNS_PER_POLL * 2.0 * cell->ld);
    }
  }
  (void)nsd_poll_stops(poll, count % COLUMNS_PER_POLL * 2.0 * cell->ld);
  return best;
}

NSD_INLINE int find_steepest(const nsd_cell *cell, int has_free, int r, double sense, double *length,
                             nsd_poll *poll)
{
  const int count = has_free       ? list_candidates(cell, 1, r, sense)
                    : sense == 0.0 ? list_candidates(cell, 0, r, 0.0)
                                   : list_candidates(cell, 0, r, sense);
  return steepest(cell, count, r, length, poll);
}

static int steepest_plain(const nsd_cell *cell, int has_free, int r, double sense, double *length,
                          nsd_poll *poll)
{
  return find_steepest(cell, has_free, r, sense, length, poll);
}

NSD_TARGET_AVX2 static int steepest_avx2(const nsd_cell *cell, int has_free, int r, double sense,
                                         double *length, nsd_poll *poll)
{
  return find_steepest(cell, has_free, r, sense, length, poll);
}

/* Of the live columns with sense · T_rs > 0 that of the least unknown. */
static int least_number(const nsd_cell *cell, int has_free, int r, double sense)
{
  const int count = list_candidates(cell, has_free, r, sense);
  int best = -1;
  for (int k = 0; k < count; k++) {
    best = best < 0 || cell->slot[cell->few[k]] < cell->slot[best] ? cell->few[k] : best;
  }
  return best;
}

int nsd_cell_entering(nsd_cell *cell, nsd_cells *cells, int r, double sense, int bland)
{
  const int has_free = cells->has_free;
  for (;;) {
    double length = 0.0;
    const int s = bland            ? least_number(cell, has_free, r, sense)
                  : nsd_cpu_avx2() ? steepest_avx2(cell, has_free, r, sense, &length, &cells->poll)
                                   : steepest_plain(cell, has_free, r, sense, &length, &cells->poll);
    /* The row's elements stand a column apart. */
    (void)nsd_poll_stops(&cells->poll, NSD_POLL_FETCH * cell->live_count);
    if (s < 0) {
      return s;
    }
    /* An element that is only rounding has been set to zero there: another column is looked for. */
    if ((!bland && is_clear(cell, cells, r, s, sqrt(length))) || nsd_cell_accept(cell, cells, r, s)) {
      if (sense * nsd_cell_column(cell, s)[r] < 0.0) {
        nsd_cell_turn(cell, cell->slot[s]); /* it is free */
      }
      return s;
    }
  }
}

/* ratio := c / S where an increase of column s brings a c that is guarded from >= 0 down, −∞ elsewhere.
 * Returns the largest, the nearest to zero, which stops the increase first; `size` := the largest |S|. */
NSD_INLINE double find_ratios(const nsd_cell *cell, const double *S, double *size)
{
  const nsd_lanes none = nsd_lanes_all(-(double)INFINITY);
  const nsd_lanes zero = nsd_lanes_all(0.0);
  nsd_lanes top = none;
  nsd_lanes most = zero;
  for (int i = 0; i < cell->ld; i += NSD_LANES) {
    const nsd_lanes s = nsd_lanes_load(S + i);
    const nsd_lanes c = nsd_lanes_load(cell->c + i);
    const nsd_lanes_bits guarded = (nsd_lanes_bits)(nsd_lanes_load(cell->guard + i) > zero);
    /* c_i + T_is x >= 0 allows x up to c_i / −T_is where T_is < 0. */
    const nsd_lanes_bits falls = (nsd_lanes_bits)(s < zero) & (nsd_lanes_bits)(c >= zero) & guarded;
    const nsd_lanes quotient = c / nsd_lanes_choose(falls, s, nsd_lanes_all(-1.0));
    const nsd_lanes ratio = nsd_lanes_choose(falls, quotient, none);
    nsd_lanes_store(cell->ratio + i, ratio);
    top = nsd_lanes_max(ratio, top);
    most = nsd_lanes_max(nsd_lanes_abs(s), most);
  }
  *size = nsd_lanes_largest(most);
  return nsd_lanes_largest(top);
}

static double find_ratios_plain(const nsd_cell *cell, const double *S, double *size)
{
  return find_ratios(cell, S, size);
}

NSD_TARGET_AVX2 static double find_ratios_avx2(const nsd_cell *cell, const double *S, double *size)
{
  return find_ratios(cell, S, size);
}

/* Of the rows whose ratio is `top`. */
static int choose_row(const nsd_cell *cell, const double *S, double top, int bland)
{
  int best = -1;
  for (int i = 0; i < cell->rows; i++) {
    if (cell->ratio[i] == top && (best < 0 || (bland ? cell->row[i] < cell->row[best] : S[i] < S[best]))) {
      best = i;
    }
  }
  return best;
}

int nsd_cell_blocking(const nsd_cell *cell, const nsd_cells *cells, int s, int target, int bland)
{
  const double *S = nsd_cell_column(cell, s);
  for (;;) {
    double size;
    const double top = nsd_cpu_avx2() ? find_ratios_avx2(cell, S, &size) : find_ratios_plain(cell, S, &size);
    /* Row `target` reaches zero before any other row, or together with it. */
    if (target >= 0 && (top == -(double)INFINITY || cell->c[target] / S[target] >= top)) {
      return target;
    }
    const int r = top == -(double)INFINITY ? -1 : choose_row(cell, S, top, bland);
    if (r < 0 || is_clear(cell, cells, r, s, size) || nsd_cell_accept(cell, cells, r, s)) {
      return r;
    }
  }
}

/* ---- afresh ---------------------------------------------------------------------------------------- */

static void load_column(nsd_cell *cell, const nsd_cells *cells, int j)
{
  const nsd_forms *forms = cells->forms;
  const size_t n = (size_t)cell->columns;
  double *C = nsd_cell_column(cell, j);
  for (int i = 0; i < cell->rows; i++) {
    const double a = forms->a[(size_t)i * n + (size_t)j];
    C[i] = cell->sign[cell->columns + i] * cell->sign[j] < 0 ? -a : a;
  }
  for (int i = cell->rows; i < cell->ld; i++) {
    C[i] = 0.0;
  }
}

/* f = a z + d, each in its sign: the columns that the basis can need, all but those of z held outside it. */
static void load_tableau(nsd_cell *cell, nsd_cells *cells)
{
  const int m = cell->rows;
  const int n = cell->columns;
  cell->live_count = cell->proof_count = 0;
  cell->age = 0;
  cell->is_exact = 0;
  for (int j = 0; j < n; j++) {
    cell->slot[j] = j;
    cell->place[j] = ~j;
    if (!nsd_cell_is_held(cell, j) || (cell->mark[j] & NSD_CELL_TO_BASIS)) {
      if (nsd_poll_stops(&cells->poll, COLUMN_READ * m)) {
        cells->status = cells->status ? cells->status : NSDYN_CANCELLED;
        continue; /* such a cell has no columns that count */
      }
      load_column(cell, cells, j);
      cell->live[cell->live_count++] = j;
    }
  }
  /* At z = 0: c = d, and all z_j are outside the basis. */
  for (int i = 0; i < cell->ld; i++) {
    cell->c[i] = i >= m ? 0.0 : cell->sign[n + i] > 0 ? cells->forms->d[i] : -cells->forms->d[i];
    cell->guard[i] = i < m && cell->ask[n + i] == NSD_ASK_NOTHING ? 0.0 : 1.0;
  }
  for (int i = 0; i < m; i++) {
    cell->row[i] = n + i;
    cell->place[n + i] = i;
  }
}

void nsd_cell_load(nsd_cell *cell, nsd_cells *cells)
{
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    cell->ask[k] = cells->forms->base[k];
    cell->sign[k] = 1;
    cell->mark[k] = 0;
  }
  load_tableau(cell, cells);
}

/* The largest element at which an unknown may enter that shall be basic for one that shall not. 0 where none
 * is left to enter, −1 where there is no such element. */
static int next_exchange(const nsd_cell *cell, nsd_cells *cells, int *r, int *s)
{
  double most = 0.0;
  int wanted = 0;
  for (int k = 0; k < cell->live_count; k++) {
    if (!(cell->mark[cell->slot[cell->live[k]]] & NSD_CELL_TO_BASIS)) {
      continue;
    }
    wanted = 1;
    const double *C = nsd_cell_column(cell, cell->live[k]);
    for (int i = 0; i < cell->rows; i++) {
      if (!(cell->mark[cell->row[i]] & NSD_CELL_TO_BASIS) && fabs(C[i]) > most) {
        most = fabs(C[i]);
        *r = i;
        *s = cell->live[k];
      }
    }
    if (nsd_poll_stops(&cells->poll, NSD_POLL_READ * cell->ld)) {
      return -1;
    }
  }
  return most > 0.0 ? 1 : wanted ? -1 : 0;
}

int nsd_cell_refresh(nsd_cell *cell, nsd_cells *cells)
{
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    const int keep = cell->mark[k] & ~NSD_CELL_TO_BASIS; /* the cell is the same */
    cell->mark[k] = (uint8_t)(keep | (cell->place[k] >= 0 ? NSD_CELL_TO_BASIS : 0));
  }
  /* From u_N = z exchanges lead back to the same basis, without the errors of all pivots before. */
  load_tableau(cell, cells);
  int r = 0, s = 0, more;
  while ((more = next_exchange(cell, cells, &r, &s)) > 0 && !cells->status) {
    nsd_cell_exchange(cell, cells, r, s);
  }
  cell->age = 0;
  return more == 0;
}
