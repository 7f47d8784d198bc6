/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/decide_exactly.h"

#include <stdlib.h>
#include <string.h>

/* ---- by numbers that are rounded ------------------------------------------------------------------------
 */

static void begin(const nsd_cell *cell, const nsd_cells *cells)
{
  cells->sure->a = cells->forms->a;
  cells->sure->d = cells->forms->d;
  for (int j = 0; j < cell->columns; j++) {
    cells->basic[j] = cell->place[j] >= 0;
  }
}

/* u_k by z: its line of a, or of the unit matrix. `line` is scratch. */
static const double *functional(const nsd_cell *cell, const nsd_cells *cells, int k, double *line,
                                double *constant)
{
  const int n = cell->columns;
  if (k >= n) {
    *constant = cells->forms->d[k - n];
    return cells->forms->a + (size_t)(k - n) * (size_t)n;
  }
  *constant = 0.0;
  for (int j = 0; j < n; j++) {
    line[j] = j == k ? 1.0 : 0.0;
  }
  return line;
}

/* The tableau's sign for an unknown as it stands, taken off: of row r and column s. */
static double plain_element(const nsd_cell *cell, int r, int s)
{
  const double t = nsd_cell_column(cell, s)[r];
  return cell->sign[cell->row[r]] * cell->sign[cell->slot[s]] < 0 ? -t : t;
}

/* K⁻¹ as the tableau has it: how z_S changes with f_R. */
static void read_inverse(const nsd_cell *cell, const nsd_error_bounds *w)
{
  const int k = w->count;
  for (int i = 0; i < k; i++) {
    /* Column u of the tableau: by how much each Λ_S moves where f_R,i moves by 1, all else being zero. */
    const int u = cell->columns + w->R[i];
    const double *C = nsd_cell_column(cell, ~cell->place[u]);
    for (int j = 0; j < k; j++) {
      const double t = C[cell->place[w->S[j]]];
      w->X[j * k + i] = cell->sign[w->S[j]] == cell->sign[u] ? t : -t;
    }
    (void)nsd_poll_stops(w->poll, 20.0 * k);
  }
}

/* R := the functionals in columns that row r has elements in, v := these. */
static int read_row(const nsd_cell *cell, nsd_error_bounds *w, int r)
{
  int count = 0;
  for (int list = 0; list < 2; list++) {
    const int32_t *slots = list ? cell->proof : cell->live;
    const int length = list ? cell->proof_count : cell->live_count;
    for (int l = 0; l < length; l++) {
      const int k = cell->slot[slots[l]];
      if (k >= cell->columns && nsd_cell_column(cell, slots[l])[r] != 0.0) {
        w->R[count] = k - cell->columns;
        w->v[count++] = plain_element(cell, r, slots[l]);
      }
    }
  }
  return count;
}

/* Whether for sure every element of row r in a column that may move keeps the unknown from going in the
 * direction `sense`; `sign` is the row's. Elements that are not zero in the tableau are what they seem. */
static int row_holds(const nsd_cell *cell, const nsd_error_bounds *w, const double *t, int sign, int sense)
{
  for (int i = 0; i < w->count; i++) {
    const int k = cell->columns + w->R[i];
    if (nsd_cell_is_held(cell, k)) {
      continue;
    }
    /* Held columns do not move; of the others the element has to keep its sign within its error. */
    const double element = sense * sign * cell->sign[k] * w->v[i];
    if (cell->ask[k] == NSD_ASK_NOTHING || !(element < -w->error[i])) {
      return 0;
    }
  }
  for (int l = 0; l < cell->live_count; l++) {
    const int j = cell->slot[cell->live[l]];
    const int own = j < cell->columns ? nsd_error_bounds_sign(w, t, 0.0, j) : 0;
    if (own != 0 && (cell->ask[j] == NSD_ASK_NOTHING || own != -sense * sign * cell->sign[j])) {
      return 0;
    }
  }
  return 1;
}

int nsd_decide_claim(const nsd_cell *cell, const nsd_cells *cells, int r, nsd_claim claim)
{
  nsd_error_bounds *w = cells->sure;
  const int k = cell->row[r];
  if (!cells->forms->is_exact) {
    return 0;
  }
  double d;
  const double *t = functional(cell, cells, k, cells->sum, &d);
  begin(cell, cells);
  /* 1: K = a_RS of the functionals in row r, and X ≈ K⁻¹ from the tableau. */
  if (!nsd_error_bounds_select(w, read_row(cell, w, r), t, cells->basic)) {
    return 0;
  }
  read_inverse(cell, w);
  /* 2: |I − X K| w < w proves that K is regular. */
  if (!nsd_error_bounds_is_regular(w)) {
    return 0;
  }
  /* 3: v with v K = t_S, and its error. */
  nsd_error_bounds_bound_multipliers(w, t);
  /* 4: the signs of d_t − v d_R and of all elements of the row, where their errors leave no doubt. */
  const int constant = nsd_error_bounds_sign(w, t, d, -1);
  const int claimed = claim == NSD_ROW_NEGATIVE ? -1 : claim == NSD_ROW_POSITIVE ? 1 : 0;
  const int8_t sign = cell->sign[k];
  return constant == sign * claimed && row_holds(cell, w, t, sign, claim == NSD_ROW_POSITIVE ? -1 : 1);
}

/* Whether u_k, basic, surely has the sign at the point that is asked, and that the tableau shows. */
static int is_borne_out(const nsd_cell *cell, const nsd_cells *cells, int k)
{
  const nsd_forms *forms = cells->forms;
  if (cell->ask[k] == NSD_ASK_NOTHING && forms->tells && !forms->tells[k]) {
    return 1;
  }
  double d;
  const double *t = functional(cell, cells, k, cells->sum, &d);
  const int sign = nsd_error_bounds_sign_at_point(cells->sure, t, d);
  return abs(sign) == 1 && cell->ask[k] != NSD_ASK_ZERO &&
         (cell->ask[k] == NSD_ASK_NOTHING || sign == cell->sign[k]) &&
         sign * cell->sign[k] * cell->c[cell->place[k]] > 0.0;
}

int nsd_decide_point(const nsd_cell *cell, const nsd_cells *cells)
{
  nsd_error_bounds *w = cells->sure;
  const int n = cell->columns;
  if (!cells->forms->is_exact || cell->live_count > 0) {
    return 0;
  }
  for (int r = 0; r < cell->rows; r++) { /* what shows at once */
    const int k = cell->row[r];
    if (nsd_cell_is_held(cell, k) || (cell->ask[k] == NSD_ASK_POSITIVE && !(cell->c[r] > 0.0))) {
      return 0;
    }
  }
  for (int l = 0; l < cell->proof_count; l++) {
    w->R[l] = cell->slot[cell->proof[l]] - n;
  }
  for (int j = 0; j < n; j++) {
    w->point[j] = cell->sign[j] * nsd_cell_value(cell, j);
    cells->sum[j] = 1.0; /* all columns matter */
  }
  begin(cell, cells);
  /* 1: as many functionals are zero as z_j are not, and determine these if K is regular. */
  if (!nsd_error_bounds_select(w, cell->proof_count, cells->sum, cells->basic)) {
    return 0;
  }
  read_inverse(cell, w);
  if (!nsd_error_bounds_is_regular(w)) {
    return 0;
  }
  /* 2: the point, its error, and the signs of all that is positive there. */
  nsd_error_bounds_bound_point(w);
  for (int r = 0; r < cell->rows; r++) {
    if (!is_borne_out(cell, cells, cell->row[r])) {
      return 0;
    }
  }
  return 1;
}

/* ---- in exact arithmetic ----------------------------------------------------------------------------------
 */

static nsd_exact_end start(const nsd_cell *cell, nsd_cells *cells)
{
  const nsd_forms *forms = cells->forms;
  if (!cells->exact_is_loaded && forms->given_a) {
    cells->status = nsd_exact_load(cells->exact, cell->rows, cell->columns, forms->given_a, forms->given_lda,
                                   forms->given_d, cells->exact_work);
    cells->exact_is_loaded = 1;
  }
  if (cells->status || !forms->given_a) {
    return NSD_EXACT_UNKNOWN;
  }
  /* The exact tableau begins near the basis at hand, so that it takes few exchanges. */
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    const int8_t ask = cell->ask[k];
    const int place = cell->place[k];
    cells->ask[k] = (int8_t)(ask == NSD_ASK_POSITIVE ? cell->sign[k] : ask);
    cells->basic[k] = place >= 0 && (cell->guard[place] == 0.0 || cell->c[place] > 0.0);
  }
  return nsd_exact_open(cells->exact, cells->ask, cells->basic);
}

/* From the given units to the tableau's. */
static int unit_of(const nsd_cells *cells, int k)
{
  return cells->forms->unit ? cells->forms->unit[k] : 0;
}

/* The exact tableau into the cell, and what is asked to be zero. The two count asks alike, but for what is
 * negative, which stands turned in both. */
static void import(nsd_cell *cell, nsd_cells *cells)
{
  const nsd_exact *exact = cells->exact;
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    cell->place[k] = exact->place[k];
    cell->sign[k] = exact->sign[k];
    cell->ask[k] = exact->ask[k];
    cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN);
  }
  for (int r = 0; r < cell->rows; r++) {
    const int k = exact->row[r];
    cell->row[r] = k;
    cell->c[r] = nsd_exact_constant(exact, r, unit_of(cells, k));
    cell->guard[r] = cell->ask[k] == NSD_ASK_NOTHING ? 0.0 : 1.0;
  }
  cell->live_count = cell->proof_count = 0;
  for (int s = 0; s < cell->columns; s++) {
    const int k = exact->column[s];
    cell->slot[s] = k;
    if (!nsd_cell_is_held(cell, k)) {
      cell->live[cell->live_count++] = s;
    } else if (k >= cell->columns) {
      cell->proof[cell->proof_count++] = s;
    } else {
      continue;
    }
    double *C = nsd_cell_column(cell, s);
    memset(C, 0, (size_t)cell->ld * sizeof *C);
    for (int r = 0; r < cell->rows; r++) {
      C[r] = nsd_exact_element(exact, r, s, unit_of(cells, exact->row[r]) - unit_of(cells, k));
    }
    (void)nsd_poll_stops(&cells->poll, 200.0 * cell->rows);
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
  /* What goes on from here goes on from the exact numbers, rounded once. */
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
  const int reached = decided == NSD_EXACT_OPEN ? nsd_exact_reaches(cells->exact, k, cell->sign[k]) : 0;
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
  return known(cells, nsd_exact_reaches(cells->exact, k, sense));
}

int nsd_decide_is_unbounded(nsd_cells *cells)
{
  return known(cells, nsd_exact_is_unbounded(cells->exact));
}
