/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/decide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- by numbers that are rounded ------------------------------------------------------------------------
 */

static void begin(const nsd_cell *cell, const nsd_cells *cells)
{
  cells->sure->a = cells->signs->a;
  cells->sure->d = cells->signs->d;
  for (int j = 0; j < cell->columns; j++) {
    cells->basic[j] = cell->place[cell->rows + j] >= 0;
  }
}

/* The tableau's sign for an unknown as it stands, taken off: of row r and column s. */
static double plain_element(const nsd_cell *cell, int r, int s)
{
  const double t = nsd_cell_column(cell, s)[r];
  return cell->sign[cell->row[r]] * cell->sign[cell->slot[s]] < 0 ? -t : t;
}

/* K⁻¹ as the tableau has it: how Λ_S changes with f_R. */
static void read_inverse(const nsd_cell *cell, nsd_sure *w)
{
  const int k = w->count;
  for (int i = 0; i < k; i++) {
    const int s = ~cell->place[w->R[i]];
    for (int j = 0; j < k; j++) {
      w->X[j * k + i] = plain_element(cell, cell->place[cell->rows + w->S[j]], s);
    }
  }
}

/* R := the functionals in columns that row r has elements in, v := these. */
static int read_row(const nsd_cell *cell, nsd_sure *w, int r)
{
  int count = 0;
  for (int s = 0; s < cell->columns; s++) {
    if (cell->slot[s] < cell->rows && nsd_cell_column(cell, s)[r] != 0.0) {
      w->R[count] = cell->slot[s];
      w->v[count++] = plain_element(cell, r, s);
    }
  }
  return count;
}

/* Whether for sure every element of row r in a column that may move keeps the unknown from going in the
 * direction `sense`; `sign` is the row's. */
static int row_holds(const nsd_cell *cell, const nsd_sure *w, const double *t, int sign, int sense)
{
  for (int i = 0; i < w->count; i++) {
    const int k = w->R[i];
    if (cell->ask[k] == NSD_ASK_ZERO) {
      continue;
    }
    const double element = sense * sign * cell->sign[k] * w->v[i];
    if (cell->ask[k] == NSD_ASK_NOTHING || !(element < -w->error[i])) {
      return 0;
    }
  }
  for (int j = 0; j < cell->columns; j++) {
    if (cell->place[cell->rows + j] < 0 && nsd_sure_sign(w, t, 0.0, j) != 0) {
      return 0; /* Λ_j is free */
    }
  }
  return 1;
}

int nsd_decide_claim(const nsd_cell *cell, const nsd_cells *cells, int r, nsd_cell_claim claim)
{
  nsd_sure *w = cells->sure;
  const int k = cell->row[r];
  if (k >= cell->rows || cells->signs->rounded) {
    return 0;
  }
  const double *t = cells->signs->a + (size_t)k * (size_t)cell->columns;
  begin(cell, cells);
  if (!nsd_sure_select(w, read_row(cell, w, r), t, cells->basic)) {
    return 0;
  }
  read_inverse(cell, w);
  if (!nsd_sure_is_regular(w)) {
    return 0;
  }
  nsd_sure_bound_multipliers(w, t);
  const int constant = nsd_sure_sign(w, t, cells->signs->d[k], -1);
  const int claimed = claim == NSD_CELL_NEGATIVE ? -1 : claim == NSD_CELL_POSITIVE ? 1 : 0;
  const int8_t sign = cell->sign[k];
  return constant == sign * claimed && row_holds(cell, w, t, sign, claim == NSD_CELL_POSITIVE ? -1 : 1);
}

int nsd_decide_point(const nsd_cell *cell, const nsd_cells *cells)
{
  nsd_sure *w = cells->sure;
  const nsd_signs *signs = cells->signs;
  const int n = cell->columns;
  if (signs->rounded) {
    return 0;
  }
  for (int s = 0; s < n; s++) {
    if (cell->ask[cell->slot[s]] != NSD_ASK_ZERO || cell->slot[s] >= cell->rows) {
      return 0;
    }
    w->R[s] = cell->slot[s];
    w->point[s] = cell->c[cell->place[cell->rows + s]] * cell->sign[cell->rows + s];
    cells->sum[s] = 1.0; /* all columns matter */
  }
  begin(cell, cells);
  if (!nsd_sure_select(w, n, cells->sum, cells->basic)) {
    return 0;
  }
  read_inverse(cell, w);
  if (!nsd_sure_is_regular(w)) {
    return 0;
  }
  nsd_sure_bound_point(w);
  for (int k = 0; k < cell->rows; k++) {
    if (cell->place[k] < 0 || (cell->ask[k] == NSD_ASK_NOTHING && !signs->tells[k])) {
      continue;
    }
    const int sign = nsd_sure_sign_at_point(w, signs->a + (size_t)k * (size_t)n, signs->d[k]);
    if (abs(sign) != 1 || cell->ask[k] == NSD_ASK_ZERO ||
        (cell->ask[k] == NSD_ASK_POSITIVE && sign != cell->sign[k]) ||
        sign * cell->sign[k] * cell->c[cell->place[k]] <= 0.0) {
      return 0;
    }
  }
  return 1;
}

/* ---- in exact arithmetic ----------------------------------------------------------------------------------
 */

/* Unknown k as exact.h counts them. */
static int exact_of(const nsd_cell *cell, int k)
{
  return k < cell->rows ? cell->columns + k : k - cell->rows;
}

static int cell_of(const nsd_cell *cell, int k)
{
  return k < cell->columns ? cell->rows + k : k - cell->columns;
}

static nsd_exact_end start(const nsd_cell *cell, nsd_cells *cells)
{
  const nsd_signs *signs = cells->signs;
  if (!cells->exact_is_loaded) {
    cells->status = nsd_exact_load(cells->exact, cell->rows, cell->columns, signs->a, cell->columns, signs->d,
                                   cells->exact_work);
    cells->exact_is_loaded = 1;
  }
  if (cells->status || signs->rounded) {
    return NSD_EXACT_UNKNOWN;
  }
  for (int k = 0; k < cell->rows + cell->columns; k++) {
    const int to = exact_of(cell, k);
    const int8_t ask = cell->ask[k];
    cells->ask[to] = (int8_t)(ask == NSD_ASK_POSITIVE ? cell->sign[k] : ask);
    cells->basic[to] = cell->place[k] >= 0;
  }
  return nsd_exact_open(cells->exact, cells->ask, cells->basic);
}

/* The exact tableau into the cell. */
static void import(nsd_cell *cell, const nsd_cells *cells)
{
  const nsd_exact *exact = cells->exact;
  for (int k = 0; k < cell->rows + cell->columns; k++) {
    const int from = exact_of(cell, k);
    cell->place[k] = exact->place[from];
    cell->sign[k] = exact->sign[from];
    cell->ask[k] = exact->ask[from]; /* the two count asks alike, but for what is negative */
    cell->mark[k] = 0;
  }
  memset(cell->c, 0, (size_t)cell->ld * sizeof *cell->c);
  for (int r = 0; r < cell->rows; r++) {
    cell->row[r] = cell_of(cell, exact->row[r]);
    cell->c[r] = nsd_exact_constant(exact, r, 0);
  }
  for (int s = 0; s < cell->columns; s++) {
    double *C = nsd_cell_column(cell, s);
    cell->slot[s] = cell_of(cell, exact->column[s]);
    memset(C, 0, (size_t)cell->ld * sizeof *C);
    for (int r = 0; r < cell->rows; r++) {
      C[r] = nsd_exact_element(exact, r, s, 0);
    }
  }
  cell->age = 0;
  cell->is_exact = 1;
}

/* Whether it is decided; if not, that is doubtful, and the search goes on without exact arithmetic. */
static int is_decided(nsd_cells *cells, nsd_exact_end end)
{
  if (end != NSD_EXACT_UNKNOWN) {
    return 1;
  }
  cells->status = cells->status ? cells->status : cells->exact->status;
  cells->exact = NULL;
  cells->doubtful++;
  return 0;
}

static int conclude(nsd_cell *cell, nsd_cells *cells, nsd_exact_end decided, nsd_cell_end *end)
{
  if (!is_decided(cells, decided)) {
    return 0;
  }
  *end = decided == NSD_EXACT_EMPTY ? NSD_CELL_EMPTY : NSD_CELL_OPEN;
  if (decided == NSD_EXACT_OPEN) {
    import(cell, cells);
  }
  return 1;
}

int nsd_decide_start(nsd_cell *cell, nsd_cells *cells, nsd_cell_end *end)
{
  return conclude(cell, cells, start(cell, cells), end);
}

int nsd_decide_close(nsd_cell *cell, nsd_cells *cells, nsd_cell_end *end)
{
  nsd_exact_end decided = start(cell, cells);
  if (decided == NSD_EXACT_OPEN) {
    decided = nsd_exact_close(cells->exact);
  }
  return conclude(cell, cells, decided, end);
}

int nsd_decide_vanishes(const nsd_cell *cell, nsd_cells *cells, int k, int *vanishes)
{
  nsd_exact_end decided = start(cell, cells);
  const int reached =
      decided == NSD_EXACT_OPEN ? nsd_exact_reaches(cells->exact, exact_of(cell, k), cell->sign[k]) : 0;
  decided = reached < 0 ? NSD_EXACT_UNKNOWN : decided;
  *vanishes = !reached;
  return is_decided(cells, decided);
}

/* 1 or 0; what is unknown is doubtful. */
static int known(nsd_cells *cells, int answer)
{
  if (answer < 0) {
    cells->status = cells->status ? cells->status : cells->exact->status;
    cells->doubtful++;
  }
  return answer > 0;
}

int nsd_decide_reaches(nsd_cells *cells, int k, int sense)
{
  return known(cells, nsd_exact_reaches(cells->exact, cells->exact->columns + k, sense));
}

int nsd_decide_is_unbounded(nsd_cells *cells)
{
  return known(cells, nsd_exact_is_unbounded(cells->exact));
}
