/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/cell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/simd.h"
#include "contact/decide.h"

#define CANCELLED 0x1p-46 /* an element that lost so much of itself is zero */
#define NOISE 0x1p-40     /* c below this part of its terms is zero */
#define STEADY 0x1p-38    /* an element of T likewise */

static int cell_ld(int functionals)
{
  return (functionals + 3) / 4 * 4;
}

void nsd_cells_lay_out(nsd_arena *arena, nsd_cells *cells, int functionals, int rows)
{
  cells->old = nsd_arena_take(arena, (size_t)cell_ld(functionals), sizeof *cells->old);
  cells->multiplier = nsd_arena_take(arena, (size_t)functionals, sizeof *cells->multiplier);
  cells->sum = nsd_arena_take(arena, (size_t)rows, sizeof *cells->sum);
  cells->size = nsd_arena_take(arena, (size_t)rows, sizeof *cells->size);
  cells->basic = nsd_arena_take(arena, (size_t)functionals + (size_t)rows, sizeof *cells->basic);
  cells->ask = nsd_arena_take(arena, (size_t)functionals + (size_t)rows, sizeof *cells->ask);
}

void nsd_cell_lay_out(nsd_arena *arena, nsd_cell *cell, int functionals, int rows)
{
  const size_t m = (size_t)functionals;
  const size_t n = (size_t)rows;
  const size_t ld = (size_t)cell_ld(functionals);
  cell->rows = functionals;
  cell->columns = rows;
  cell->ld = (int)ld;
  cell->T = nsd_arena_take(arena, n * ld, sizeof *cell->T);
  cell->c = nsd_arena_take(arena, ld, sizeof *cell->c);
  cell->row = nsd_arena_take(arena, m, sizeof *cell->row);
  cell->slot = nsd_arena_take(arena, n, sizeof *cell->slot);
  cell->place = nsd_arena_take(arena, m + n, sizeof *cell->place);
  cell->ask = nsd_arena_take(arena, m + n, sizeof *cell->ask);
  cell->sign = nsd_arena_take(arena, m + n, sizeof *cell->sign);
  cell->mark = nsd_arena_take(arena, m + n, sizeof *cell->mark);
}

void nsd_cell_copy(nsd_cell *to, const nsd_cell *from)
{
  const size_t m = (size_t)from->rows;
  const size_t n = (size_t)from->columns;
  if (m == 0) {
    return;
  }
  memcpy(to->T, from->T, n * (size_t)from->ld * sizeof *to->T);
  memcpy(to->c, from->c, (size_t)from->ld * sizeof *to->c);
  memcpy(to->row, from->row, m * sizeof *to->row);
  memcpy(to->slot, from->slot, n * sizeof *to->slot);
  memcpy(to->place, from->place, (m + n) * sizeof *to->place);
  memcpy(to->ask, from->ask, (m + n) * sizeof *to->ask);
  memcpy(to->sign, from->sign, (m + n) * sizeof *to->sign);
  memcpy(to->mark, from->mark, (m + n) * sizeof *to->mark);
  to->age = from->age;
  to->is_exact = from->is_exact;
}

/* ---- afresh ------------------------------------------------------------------------------------------- */

/* f = a Λ + d, each in its sign. */
static void load_tableau(nsd_cell *cell, const nsd_cells *cells)
{
  const nsd_signs *signs = cells->signs;
  const int m = cell->rows;
  const int n = cell->columns;
  for (int j = 0; j < n; j++) {
    double *C = nsd_cell_column(cell, j);
    for (int i = 0; i < cell->ld; i++) {
      const double a = i < m ? signs->a[(size_t)i * (size_t)n + (size_t)j] : 0.0;
      C[i] = i < m && cell->sign[i] * cell->sign[m + j] < 0 ? -a : a;
    }
    cell->slot[j] = m + j;
    cell->place[m + j] = ~j;
  }
  for (int i = 0; i < cell->ld; i++) {
    cell->c[i] = i >= m ? 0.0 : cell->sign[i] > 0 ? signs->d[i] : -signs->d[i];
  }
  for (int i = 0; i < m; i++) {
    cell->row[i] = i;
    cell->place[i] = i;
  }
  cell->age = 0;
  cell->is_exact = 0;
}

void nsd_cell_load(nsd_cell *cell, const nsd_cells *cells)
{
  for (int k = 0; k < cell->rows + cell->columns; k++) {
    cell->ask[k] = NSD_ASK_NOTHING;
    cell->sign[k] = 1;
    cell->mark[k] = 0;
  }
  for (int k = 0; k < cell->rows; k++) {
    cell->ask[k] = cells->signs->base[k];
  }
  load_tableau(cell, cells);
}

/* The largest element at which an unknown may enter that shall be basic for one that shall not. 0 where none
 * is left to enter, −1 where there is no such element. */
static int next_exchange(const nsd_cell *cell, int *r, int *s)
{
  double most = 0.0;
  int wanted = 0;
  for (int j = 0; j < cell->columns; j++) {
    if (!(cell->mark[cell->slot[j]] & NSD_CELL_TO_BASIS)) {
      continue;
    }
    wanted = 1;
    const double *C = nsd_cell_column(cell, j);
    for (int i = 0; i < cell->rows; i++) {
      if (!(cell->mark[cell->row[i]] & NSD_CELL_TO_BASIS) && fabs(C[i]) > most) {
        most = fabs(C[i]);
        *r = i;
        *s = j;
      }
    }
  }
  return most > 0.0 ? 1 : wanted ? -1 : 0;
}

int nsd_cell_refresh(nsd_cell *cell, nsd_cells *cells)
{
  for (int k = 0; k < cell->rows + cell->columns; k++) {
    const int keep = cell->mark[k] & NSD_CELL_SEEN; /* the cell is the same */
    cell->mark[k] = (uint8_t)(keep | (cell->place[k] >= 0 ? NSD_CELL_TO_BASIS : 0));
  }
  load_tableau(cell, cells);
  int r = 0, s = 0, more;
  while ((more = next_exchange(cell, &r, &s)) > 0) {
    nsd_cell_exchange(cell, cells, r, s);
  }
  cell->age = 0;
  return more == 0;
}

/* ---- the exchange --------------------------------------------------------------------------------- */

/* C := C − f S, what cancels becoming zero. */
NSD_INLINE void eliminate(int ld, double f, const double *restrict S, double *restrict C)
{
  NSD_SIMD
  for (int i = 0; i < ld; i++) {
    const double value = C[i] - f * S[i];
    C[i] = fabs(value) < CANCELLED * fabs(C[i]) ? 0.0 : value;
  }
}

void nsd_cell_exchange(nsd_cell *cell, nsd_cells *cells, int r, int s)
{
  double *restrict S = nsd_cell_column(cell, s);
  NSD_ASSERT(S[r] != 0.0);
  const double inverse = 1.0 / S[r];
  for (int j = 0; j <= cell->columns; j++) {
    double *C = j < cell->columns ? nsd_cell_column(cell, j) : cell->c;
    if (j != s && C[r] != 0.0) {
      const double f = C[r] * inverse;
      eliminate(cell->ld, f, S, C);
      C[r] = -f;
    }
  }
  for (int i = 0; i < cell->ld; i++) {
    S[i] *= inverse;
  }
  S[r] = inverse;
  const int32_t leaves = cell->row[r];
  const int32_t enters = cell->slot[s];
  cell->row[r] = enters;
  cell->slot[s] = leaves;
  cell->place[enters] = r;
  cell->place[leaves] = ~s;
  cells->pivots++;
  cell->age++;
  cell->is_exact = 0;
}

void nsd_cell_step(nsd_cell *cell, nsd_cells *cells, int r, int s)
{
  memcpy(cells->old, cell->c, (size_t)cell->ld * sizeof *cells->old);
  nsd_cell_exchange(cell, cells, r, s);
  for (int i = 0; i < cell->rows; i++) {
    const int bounded = cell->ask[cell->row[i]] != NSD_ASK_NOTHING;
    if (bounded && cell->c[i] < 0.0 && (cells->old[i] >= 0.0 || i == r)) {
      cell->c[i] = 0.0;
    }
  }
}

void nsd_cell_turn(nsd_cell *cell, int k)
{
  cell->sign[k] = (int8_t)-cell->sign[k];
  cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN);
  const int place = cell->place[k];
  if (place < 0) {
    double *C = nsd_cell_column(cell, ~place);
    for (int i = 0; i < cell->ld; i++) {
      C[i] = -C[i];
    }
    return;
  }
  for (int j = 0; j < cell->columns; j++) {
    double *C = nsd_cell_column(cell, j);
    C[place] = -C[place];
  }
  cell->c[place] = -cell->c[place];
}

/* ---- what is noise ------------------------------------------------------------------------------------ */

/* How Λ'_j changes along column s. */
static double impulse_slope(const nsd_cell *cell, int j, int s)
{
  const int place = cell->place[cell->rows + j];
  return place >= 0 ? nsd_cell_column(cell, s)[place] : place == ~s ? 1.0 : 0.0;
}

/* Σ |a_kj dΛ_j| for the unknown of row r; zero for Λ itself. */
static double slope_size(const nsd_cell *cell, const nsd_cells *cells, int r, int s)
{
  const int k = cell->row[r];
  double terms = 0.0;
  for (int j = 0; k < cell->rows && j < cell->columns; j++) {
    const double a = cells->signs->a[(size_t)k * (size_t)cell->columns + (size_t)j];
    terms += fabs(a * impulse_slope(cell, j, s));
  }
  return terms;
}

int nsd_cell_accept(const nsd_cell *cell, const nsd_cells *cells, int r, int s)
{
  double *C = nsd_cell_column(cell, s);
  if (fabs(C[r]) > STEADY * slope_size(cell, cells, r, s)) {
    return 1;
  }
  C[r] = 0.0;
  return 0;
}

void nsd_cell_denoise(const nsd_cell *cell, const nsd_cells *cells)
{
  for (int s = 0; s < cell->columns; s++) {
    for (int r = 0; r < cell->rows; r++) {
      if (nsd_cell_column(cell, s)[r] != 0.0) {
        (void)nsd_cell_accept(cell, cells, r, s);
      }
    }
  }
}

static double constant_size(const nsd_cell *cell, const nsd_cells *cells, int k)
{
  return k < cell->rows ? fabs(cells->signs->d[k]) : 0.0;
}

void nsd_cell_clean(const nsd_cell *cell, const nsd_cells *cells)
{
  double *size = cells->old;
  for (int i = 0; i < cell->rows; i++) {
    size[i] = constant_size(cell, cells, cell->row[i]);
  }
  for (int s = 0; s < cell->columns; s++) {
    const double d = constant_size(cell, cells, cell->slot[s]);
    const double *C = nsd_cell_column(cell, s);
    for (int i = 0; d != 0.0 && i < cell->rows; i++) {
      size[i] += d * fabs(C[i]);
    }
  }
  for (int i = 0; i < cell->rows; i++) {
    cell->c[i] = fabs(cell->c[i]) <= NOISE * size[i] ? 0.0 : cell->c[i];
  }
}

/* ---- ratio test ------------------------------------------------------------------------------------- */

static int blocking(const nsd_cell *cell, int s, int target, int bland)
{
  const double *S = nsd_cell_column(cell, s);
  int best = target;
  for (int i = 0; i < cell->rows; i++) {
    if (i == target || S[i] >= 0.0 || cell->c[i] < 0.0 || cell->ask[cell->row[i]] == NSD_ASK_NOTHING) {
      continue;
    }
    if (best < 0) {
      best = i;
      continue;
    }
    const double left = cell->c[i] * fabs(S[best]);
    const double right = fabs(cell->c[best]) * -S[i];
    const int tie = left == right && best != target;
    if (left < right || (tie && (bland ? cell->row[i] < cell->row[best] : S[i] < S[best]))) {
      best = i;
    }
  }
  return best;
}

int nsd_cell_blocking(const nsd_cell *cell, const nsd_cells *cells, int s, int target, int bland)
{
  for (;;) {
    const int r = blocking(cell, s, target, bland);
    if (r < 0 || r == target || nsd_cell_accept(cell, cells, r, s)) {
      return r;
    }
  }
}

/* ---- proofs ----------------------------------------------------------------------------------------- */

#define LAMBDA_TOL 0x1p-41 /* Σ v_k a_kj counts as zero below this part of the largest Σ |v_k a_kj| */
#define ZERO_TOL 0x1p-40   /* Σ v_k d_k likewise, where a row claims to be zero */

/* What is left of Σ v_k a_kj might be made up for by a Λ so large that d is lost beside it. A claim of a sign
 * must be so clear that this takes a million times what d is. Rounding may always leave LEAST. */
#define FAR 0x1p+20
#define LEAST DBL_EPSILON

/* v from row r: z_r − Σ T_rs z_s = c_r times `sense`. Where a sign is needed that rounding has spoiled,
 * v_k = 0: any v proves something. */
static void read_multipliers(const nsd_cell *cell, const nsd_cells *cells, int r, double sense)
{
  double *v = cells->multiplier;
  for (int k = 0; k < cell->rows; k++) {
    v[k] = 0.0;
  }
  for (int s = 0; s < cell->columns; s++) {
    const int32_t k = cell->slot[s];
    const double value = -sense * nsd_cell_column(cell, s)[r];
    if (k < cell->rows && (cell->ask[k] == NSD_ASK_ZERO || (value > 0.0 && !nsd_cell_is_free(cell, s)))) {
      v[k] = cell->sign[k] * value;
    }
  }
  if (cell->row[r] < cell->rows) {
    v[cell->row[r]] = cell->sign[cell->row[r]] * sense;
  }
}

int nsd_cell_proves(const nsd_cell *cell, const nsd_cells *cells, int r, nsd_cell_claim claim)
{
  const nsd_signs *signs = cells->signs;
  const int n = cell->columns;
  if (cells->exact) {
    return nsd_decide_claim(cell, cells, r, claim);
  }
  read_multipliers(cell, cells, r, claim == NSD_CELL_POSITIVE ? -1.0 : 1.0);
  double constant = 0.0, size = 0.0;
  for (int j = 0; j < n; j++) {
    cells->sum[j] = cells->size[j] = 0.0;
  }
  for (int k = 0; k < cell->rows; k++) {
    const double v = cells->multiplier[k];
    if (v == 0.0) {
      continue;
    }
    const double *a = signs->a + (size_t)k * (size_t)n;
    constant += v * signs->d[k];
    size += fabs(v * signs->d[k]);
    for (int j = 0; j < n; j++) {
      cells->sum[j] += v * a[j];
      cells->size[j] += fabs(v * a[j]);
    }
  }
  double rest = 0.0, whole = 0.0;
  for (int j = 0; j < n; j++) {
    rest = fabs(cells->sum[j]) > rest ? fabs(cells->sum[j]) : rest;
    whole = cells->size[j] > whole ? cells->size[j] : whole;
  }
  if (!(rest <= LAMBDA_TOL * whole)) {
    return 0;
  }
  if (claim == NSD_CELL_ZERO) {
    return fabs(constant) <= ZERO_TOL * size;
  }
  const double part = whole > 0.0 && rest > LEAST * whole ? rest / whole : LEAST;
  return constant < -FAR * part * size;
}
