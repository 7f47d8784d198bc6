/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_narrow.h"

#include <math.h>

#include "base/kernels/simd.h"
#include "search/decide_exactly.h"

#define OLD 100          /* pivots after which a tableau is made afresh */
#define COLUMN_READ 60.0 /* multiplications that take as long as to read elements out of columns */

void nsd_cell_ask(nsd_cell *cell, int k, int ask)
{
  if (ask == NSD_ASK_NOTHING || nsd_cell_is_held(cell, k)) {
    return;
  }
  /* >= 0 and <= 0 together are = 0; <= 0 alone is >= 0 with the sign turned. */
  if (ask == NSD_ASK_ZERO || (cell->ask[k] == NSD_ASK_POSITIVE && cell->sign[k] != ask)) {
    nsd_cell_hold(cell, k);
  } else if (cell->ask[k] == NSD_ASK_NOTHING) {
    if (cell->sign[k] != ask) {
      nsd_cell_turn(cell, k);
    }
    cell->ask[k] = NSD_ASK_POSITIVE;
    if (cell->place[k] >= 0) {
      cell->guard[cell->place[k]] = 1.0;
    }
  }
}

/* ---- to zero ------------------------------------------------------------------------------------- */

/* Moves u_k, basic and not zero, to zero by primal pivots that keep what is feasible feasible, and out of the
 * basis: 1. 0 where its row shows that it cannot be zero. */
static int drive_to_zero(nsd_cell *cell, nsd_cells *cells, int k)
{
  const int limit = nsd_cell_limit(cell);
  for (int count = 0; count < limit && !nsd_cells_have_stopped(cells); count++) {
    const int r = cell->place[k];
    if (r < 0 || cell->c[r] == 0.0) {
      return 1;
    }
    /* A column that moves u_k towards zero, as far as the first guarded row, or u_k, becomes zero. */
    const double sense = cell->c[r] > 0.0 ? -1.0 : 1.0;
    const int bland = count > nsd_cell_patience(cell);
    const int s = nsd_cell_entering(cell, cells, r, sense, bland);
    /* No column does: c_r and all T_rs push the same way, which proves that u_k is never zero. */
    if (s < 0) {
      return 0;
    }
    nsd_cell_step(cell, cells, nsd_cell_blocking(cell, cells, s, r, bland), s);
  }
  return cell->place[k] < 0; /* stopped: where the last step made it a column, it is zero */
}

/* Pivots what is asked to be zero out of the basis. What stays basic is zero by the other asks alone. 0: it
 * cannot be zero. */
static int drive_out(nsd_cell *cell, nsd_cells *cells, int k)
{
  if (!drive_to_zero(cell, cells, k)) {
    return 0;
  }
  const int r = cell->place[k];
  const int s = r < 0 ? -1 : nsd_cell_entering(cell, cells, r, 0.0, 0);
  if (s >= 0) {
    nsd_cell_exchange(cell, cells, r, s);
  }
  return 1;
}

/* c >= 0 where it is asked, and zeros out of the basis: 1. Else 0; `proved` tells whether a and d bear it
 * out. */
static int narrow(nsd_cell *cell, nsd_cells *cells, int *proved)
{
  /* 1: c_r >= 0 where that is asked: a negative one is driven up to zero. */
  for (int r = 0; r < cell->rows && !nsd_cells_have_stopped(cells); r++) {
    const int k = cell->row[r];
    if (!(cell->c[r] < 0.0) || cell->ask[k] == NSD_ASK_NOTHING) {
      continue;
    }
    /* What has to be zero is turned to c_r > 0 and left to the second loop. */
    if (nsd_cell_is_held(cell, k)) {
      nsd_cell_turn(cell, k);
    } else if (!drive_to_zero(cell, cells, k)) {
      *proved =
          !nsd_cells_have_stopped(cells) && nsd_claim_holds(cell, cells, cell->place[k], NSD_ROW_NEGATIVE);
      return 0;
    }
  }
  /* 2: what has to be zero is driven down to it and leaves the basis. */
  for (int r = 0; r < cell->rows && !nsd_cells_have_stopped(cells); r++) {
    const int k = cell->row[r];
    if (nsd_cell_is_held(cell, k) && !drive_out(cell, cells, k)) {
      *proved =
          !nsd_cells_have_stopped(cells) && nsd_claim_holds(cell, cells, cell->place[k], NSD_ROW_POSITIVE);
      return 0;
    }
  }
  return 1;
}

/* The basis is singular. */
static nsd_cell_end lost(nsd_cell *cell, nsd_cells *cells)
{
  nsd_cell_end end = NSD_CELL_EMPTY;
  if (cells->exact && !nsd_cells_have_stopped(cells) && nsd_decide_start(cell, cells, &end)) {
    return end;
  }
  cells->doubtful++;
  return NSD_CELL_EMPTY;
}

static int refresh(nsd_cell *cell, nsd_cells *cells)
{
  const int regular = nsd_cell_refresh(cell, cells);
  nsd_cell_clean(cell, cells);
  return regular;
}

nsd_cell_end nsd_cell_narrow(nsd_cell *cell, nsd_cells *cells)
{
  /* 1: errors of many pivots are removed before they decide anything. */
  if (cell->age > OLD && !refresh(cell, cells)) {
    return lost(cell, cells);
  }
  int proved = 0;
  /* 2: a feasible tableau: the cell is not empty. */
  if (narrow(cell, cells, &proved) || nsd_cells_have_stopped(cells)) {
    return NSD_CELL_OPEN;
  }
  /* 3: empty by its tableau; if a and d do not prove it: exact arithmetic, or else a fresh tableau. */
  nsd_cell_end end = NSD_CELL_EMPTY;
  if (!proved && cells->exact && nsd_decide_start(cell, cells, &end)) {
    return end;
  }
  if (!proved && refresh(cell, cells) && narrow(cell, cells, &proved)) {
    return NSD_CELL_OPEN;
  }
  cells->doubtful += !proved;
  return NSD_CELL_EMPTY;
}

nsd_cell_end nsd_cell_renew(nsd_cell *cell, nsd_cells *cells)
{
  if (cell->is_exact) {
    return NSD_CELL_OPEN;
  }
  if (!nsd_cell_refresh(cell, cells)) {
    return lost(cell, cells);
  }
  nsd_cell_denoise(cell, cells);
  nsd_cell_clean(cell, cells);
  return nsd_cell_narrow(cell, cells);
}

/* Free z into the basis for functionals of few z with `ask`, the largest elements first. */
static void bring_in(nsd_cell *cell, nsd_cells *cells, int ask)
{
  for (;;) {
    double most = 0.0;
    int r = -1, s = -1;
    for (int l = 0; l < cell->live_count; l++) {
      const int j = cell->live[l];
      const double *C = nsd_cell_column(cell, j);
      for (int i = cells->forms->dense; nsd_cell_is_free(cell, j) && i < cell->rows; i++) {
        if (cell->row[i] >= cell->columns && cell->ask[cell->row[i]] == ask && fabs(C[i]) > most) {
          most = fabs(C[i]);
          r = i;
          s = j;
        }
      }
      if (nsd_poll_stops(&cells->poll, NSD_POLL_READ * cell->rows)) {
        return; /* the rest of ten million elements would take longer than a caller waits */
      }
    }
    if (r < 0 || nsd_cells_have_stopped(cells)) {
      return;
    }
    nsd_cell_exchange(cell, cells, r, s);
  }
}

nsd_cell_end nsd_cell_start(nsd_cell *cell, nsd_cells *cells)
{
  nsd_cell_load(cell, cells);
  if (cells->has_free) {
    bring_in(cell, cells, NSD_ASK_ZERO);
    bring_in(cell, cells, NSD_ASK_POSITIVE);
  }
  nsd_cell_clean(cell, cells);
  return nsd_cell_narrow(cell, cells);
}

/* ---- what the rows force ------------------------------------------------------------------------- */

/* Over the live columns, four rows at a time. Free columns go either way. */
NSD_INLINE void scan_rows(const nsd_cell *cell, nsd_cells *cells, int has_free)
{
  const nsd_lanes zero = nsd_lanes_all(0.0);
  for (int i = 0; i < cell->ld; i += NSD_LANES) {
    /* fall = Σ max(−T_rs, 0), rise = Σ max(T_rs, 0); a free column adds |T_rs| to both. */
    nsd_lanes fall = zero, rise = zero;
    for (int l = 0; l < cell->live_count; l++) {
      const nsd_lanes t = nsd_lanes_load(nsd_cell_column(cell, cell->live[l]) + i);
      if (has_free && nsd_cell_is_free(cell, cell->live[l])) {
        fall += nsd_lanes_abs(t);
        rise += nsd_lanes_abs(t);
      } else {
        fall -= nsd_lanes_min(t, zero);
        rise += nsd_lanes_max(t, zero);
      }
    }
    nsd_lanes_store(cells->row_fall + i, fall);
    nsd_lanes_store(cells->row_rise + i, rise);
    (void)nsd_poll_stops(&cells->poll, COLUMN_READ * cell->live_count);
  }
}

void nsd_cell_scan(const nsd_cell *cell, nsd_cells *cells)
{
  /* Built once with and once without the branch for free columns. */
  if (cells->has_free) {
    scan_rows(cell, cells, 1);
  } else {
    scan_rows(cell, cells, 0);
  }
}

void nsd_cell_vanish(nsd_cell *cell, const nsd_cells *cells, int r)
{
  for (int l = cell->live_count - 1; l >= 0; l--) {
    const int s = cell->live[l];
    if (nsd_cell_column(cell, s)[r] < 0.0 && nsd_cell_accept(cell, cells, r, s)) {
      nsd_cell_hold(cell, cell->slot[s]);
    }
  }
  nsd_cell_hold(cell, cell->row[r]);
}
