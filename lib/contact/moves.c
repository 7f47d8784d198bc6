/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/moves.h"

#include <math.h>

#include "base/dense.h"
#include "contact/decide.h"

#define OLD 60 /* pivots after which a tableau is made afresh */

static int patience(const nsd_cell *cell)
{
  return 2 * (cell->rows + cell->columns) + 20; /* then Bland's rule takes over */
}

static int limit(const nsd_cell *cell)
{
  return 100 * (cell->rows + cell->columns) + 1000; /* for rounding only */
}

/* ---- columns to enter ------------------------------------------------------------------------------ */

/* By how much a step along column s moves row r in the direction `sense` (0: either). Columns of what is
 * free may step back as well as forth. */
static double gain(const nsd_cell *cell, int r, int s, double sense)
{
  const double t = nsd_cell_column(cell, s)[r];
  return sense == 0.0 || nsd_cell_is_free(cell, s) ? fabs(t) : sense * t;
}

/* The live column that moves z_r most per unit of way in all unknowns: steepest edge; with Bland's rule that
 * of least number. −1 where there is none. */
static int entering(const nsd_cell *cell, const nsd_cells *cells, int r, double sense, int bland)
{
  for (;;) {
    double most = 0.0;
    int best = -1;
    for (int s = 0; s < cell->columns; s++) {
      const double t = nsd_cell_is_live(cell, s) ? gain(cell, r, s, sense) : 0.0;
      if (t <= 0.0) {
        continue;
      }
      if (bland) {
        best = best < 0 || cell->slot[s] < cell->slot[best] ? s : best;
        continue;
      }
      const double *S = nsd_cell_column(cell, s);
      const double merit = t * t / (1.0 + nsd_dot(cell->rows, S, S));
      if (merit > most || best < 0) {
        most = merit;
        best = s;
      }
    }
    if (best < 0 || nsd_cell_accept(cell, cells, r, best)) {
      return best;
    }
  }
}

/* Turns column s, if it is free, so that its increase moves row r in the direction `sense`. */
static void direct(nsd_cell *cell, int r, int s, double sense)
{
  if (nsd_cell_is_free(cell, s) && sense * nsd_cell_column(cell, s)[r] < 0.0) {
    nsd_cell_turn(cell, cell->slot[s]);
  }
}

/* ---- narrower --------------------------------------------------------------------------------------- */

void nsd_cell_ask(nsd_cell *cell, int k, int ask)
{
  if (ask == NSD_ASK_NOTHING || cell->ask[k] == NSD_ASK_ZERO) {
    return;
  }
  if (ask == NSD_ASK_ZERO) {
    cell->ask[k] = NSD_ASK_ZERO;
    if (nsd_cell_value(cell, k) < 0.0) {
      nsd_cell_turn(cell, k);
    }
    return;
  }
  if (cell->ask[k] == NSD_ASK_NOTHING) {
    if (cell->sign[k] != ask) {
      nsd_cell_turn(cell, k);
    }
    cell->ask[k] = NSD_ASK_POSITIVE;
  } else if (cell->sign[k] != ask) {
    cell->ask[k] = NSD_ASK_ZERO;
  }
}

/* Moves z_k, basic and not zero, to zero, and out of the basis: 1. 0 where its row shows that it cannot be
 * zero. */
static int drive_to_zero(nsd_cell *cell, nsd_cells *cells, int k)
{
  for (int count = 0; count < limit(cell); count++) {
    const int r = cell->place[k];
    if (r < 0 || cell->c[r] == 0.0) {
      return 1;
    }
    const double sense = cell->c[r] > 0.0 ? -1.0 : 1.0;
    const int bland = count > patience(cell);
    const int s = entering(cell, cells, r, sense, bland);
    if (s < 0) {
      return 0;
    }
    direct(cell, r, s, sense);
    const int stop = nsd_cell_blocking(cell, cells, s, r, bland);
    nsd_cell_step(cell, cells, stop, s);
  }
  return 0;
}

/* Pivots what is asked to be zero out of the basis. What stays basic is zero by the other asks alone, and its
 * row is cleared for good. */
static int drive_out(nsd_cell *cell, nsd_cells *cells, int k)
{
  if (!drive_to_zero(cell, cells, k)) {
    return 0;
  }
  const int r = cell->place[k];
  if (r < 0) {
    return 1;
  }
  const int s = entering(cell, cells, r, 0.0, 0);
  if (s >= 0) {
    nsd_cell_exchange(cell, cells, r, s);
  }
  return 1;
}

/* c >= 0 where it is asked, and zeros out of the basis: 1. Else 0; `proved` tells whether a and d bear it
 * out. */
static int narrow(nsd_cell *cell, nsd_cells *cells, int *proved)
{
  nsd_cell_clean(cell, cells);
  for (int r = 0; r < cell->rows; r++) {
    const int k = cell->row[r];
    if (cell->ask[k] == NSD_ASK_ZERO && cell->c[r] < 0.0) {
      nsd_cell_turn(cell, k);
    }
  }
  for (int r = 0; r < cell->rows; r++) {
    const int k = cell->row[r];
    if (cell->ask[k] == NSD_ASK_POSITIVE && cell->c[r] < 0.0 && !drive_to_zero(cell, cells, k)) {
      *proved = nsd_cell_proves(cell, cells, cell->place[k], NSD_CELL_NEGATIVE);
      return 0;
    }
  }
  for (int r = 0; r < cell->rows; r++) {
    const int k = cell->row[r];
    if (cell->ask[k] == NSD_ASK_ZERO && !drive_out(cell, cells, k)) {
      *proved = nsd_cell_proves(cell, cells, cell->place[k], NSD_CELL_POSITIVE);
      return 0;
    }
  }
  return 1;
}

/* The basis is singular. */
static nsd_cell_end lost(nsd_cell *cell, nsd_cells *cells)
{
  nsd_cell_end end = NSD_CELL_EMPTY;
  if (cells->exact && nsd_decide_start(cell, cells, &end)) {
    return end;
  }
  cells->doubtful++;
  return NSD_CELL_EMPTY;
}

nsd_cell_end nsd_cell_narrow(nsd_cell *cell, nsd_cells *cells)
{
  if (cell->age > OLD && !nsd_cell_refresh(cell, cells)) {
    return lost(cell, cells);
  }
  int proved = 0;
  if (narrow(cell, cells, &proved)) {
    return NSD_CELL_OPEN;
  }
  nsd_cell_end end = NSD_CELL_EMPTY;
  if (!proved && cells->exact && nsd_decide_start(cell, cells, &end)) {
    return end;
  }
  if (!proved && nsd_cell_refresh(cell, cells) && narrow(cell, cells, &proved)) {
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
  return nsd_cell_narrow(cell, cells);
}

/* Λ into the basis for functionals of contacts with `ask`, the largest elements first. */
static void bring_in(nsd_cell *cell, nsd_cells *cells, int ask)
{
  for (;;) {
    double most = 0.0;
    int r = -1, s = -1;
    for (int j = 0; j < cell->columns; j++) {
      const double *C = nsd_cell_column(cell, j);
      for (int i = cell->columns; nsd_cell_is_free(cell, j) && i < cell->rows; i++) {
        if (cell->row[i] < cell->rows && cell->ask[cell->row[i]] == ask && fabs(C[i]) > most) {
          most = fabs(C[i]);
          r = i;
          s = j;
        }
      }
    }
    if (r < 0) {
      return;
    }
    nsd_cell_exchange(cell, cells, r, s);
  }
}

nsd_cell_end nsd_cell_start(nsd_cell *cell, nsd_cells *cells)
{
  nsd_cell_load(cell, cells);
  bring_in(cell, cells, NSD_ASK_ZERO);
  bring_in(cell, cells, NSD_ASK_POSITIVE);
  return nsd_cell_narrow(cell, cells);
}

/* ---- how large can an unknown become ------------------------------------------------------------------- */

typedef enum climb_end {
  CLIMB_TOP,      /* z_k is at its maximum; it is basic */
  CLIMB_POSITIVE, /* z_k > 0 (where that was all that was asked) */
  CLIMB_UNBOUNDED
} climb_end;

/* The primal simplex method on z_k; where rounding keeps it from ending it says the harmless thing. */
static climb_end climb(nsd_cell *cell, nsd_cells *cells, int k, int until_positive)
{
  for (int count = 0; count < limit(cell); count++) {
    const int place = cell->place[k];
    if (until_positive && nsd_cell_value(cell, k) > 0.0) {
      return CLIMB_POSITIVE;
    }
    const int bland = count > patience(cell);
    const int s = place < 0 ? ~place : entering(cell, cells, place, 1.0, bland);
    if (s < 0) {
      return CLIMB_TOP;
    }
    if (place >= 0) {
      direct(cell, place, s, 1.0);
    }
    const int r = nsd_cell_blocking(cell, cells, s, -1, bland);
    if (r < 0) {
      return CLIMB_UNBOUNDED;
    }
    nsd_cell_step(cell, cells, r, s);
  }
  return until_positive ? CLIMB_POSITIVE : CLIMB_TOP;
}

int nsd_cell_raise(nsd_cell *cell, nsd_cells *cells, int k)
{
  if (cell->ask[k] == NSD_ASK_ZERO) {
    return 0;
  }
  if (cell->mark[k] & NSD_CELL_SEEN) {
    return 1;
  }
  const int bounded = cell->ask[k] == NSD_ASK_POSITIVE;
  int top = climb(cell, cells, k, 1) == CLIMB_TOP;
  /* At the top z_k is basic, zero where it may not be negative, and no T_ks > 0. */
  if (top && cells->exact && bounded && nsd_cell_proves(cell, cells, cell->place[k], NSD_CELL_ZERO)) {
    return 0;
  }
  int vanishes = 1;
  if (top && cells->exact && nsd_decide_vanishes(cell, cells, k, &vanishes)) {
    cell->mark[k] |= vanishes ? 0 : NSD_CELL_SEEN;
    return !vanishes;
  }
  if (top && bounded && !nsd_cell_proves(cell, cells, cell->place[k], NSD_CELL_ZERO)) {
    if (nsd_cell_renew(cell, cells)) {
      return 0;
    }
    top = climb(cell, cells, k, 1) == CLIMB_TOP;
    if (top && !nsd_cell_proves(cell, cells, cell->place[k], NSD_CELL_ZERO)) {
      cells->doubtful++;
    }
  }
  if (top) {
    return 0;
  }
  cell->mark[k] |= NSD_CELL_SEEN;
  return 1;
}

int nsd_cell_is_unbounded(nsd_cell *cell, nsd_cells *cells, int k)
{
  return climb(cell, cells, k, 0) == CLIMB_UNBOUNDED;
}

/* ---- closing ------------------------------------------------------------------------------------------ */

/* Everything positive at this point. */
static void mark_positive(nsd_cell *cell)
{
  for (int r = 0; r < cell->rows; r++) {
    if (cell->c[r] > 0.0 && cell->ask[cell->row[r]] == NSD_ASK_POSITIVE) {
      cell->mark[cell->row[r]] |= NSD_CELL_SEEN;
    }
  }
}

static int undecided(const nsd_cell *cell)
{
  for (int k = 0; k < cell->rows; k++) {
    if (cell->ask[k] == NSD_ASK_POSITIVE && !(cell->mark[k] & NSD_CELL_SEEN)) {
      return k;
    }
  }
  return -1;
}

/* Row r says 0 = z_r + Σ |T_rs| z_s: all of these are zero. */
static void vanish(nsd_cell *cell, const nsd_cells *cells, int r)
{
  for (int s = 0; s < cell->columns; s++) {
    if (nsd_cell_is_live(cell, s) && nsd_cell_column(cell, s)[r] < 0.0 &&
        nsd_cell_accept(cell, cells, r, s)) {
      cell->ask[cell->slot[s]] = NSD_ASK_ZERO;
    }
  }
  cell->ask[cell->row[r]] = NSD_ASK_ZERO;
}

/* Free columns enter where something stops them, until only lines are left. */
static void absorb_free(nsd_cell *cell, nsd_cells *cells)
{
  for (int s = 0; s < cell->columns; s++) {
    for (int turn = 0; turn < 2 && nsd_cell_is_free(cell, s); turn++) {
      const int r = nsd_cell_blocking(cell, cells, s, -1, 0);
      if (r >= 0) {
        nsd_cell_step(cell, cells, r, s);
      } else {
        nsd_cell_turn(cell, cell->slot[s]);
      }
    }
  }
}

nsd_cell_end nsd_cell_close(nsd_cell *cell, nsd_cells *cells)
{
  for (int k = 0; k < cell->rows + cell->columns; k++) {
    cell->mark[k] = 0;
  }
  absorb_free(cell, cells);
  int64_t looked = -1; /* pivots when the point was last looked at */
  for (;;) {
    if (looked != cells->pivots) {
      looked = cells->pivots;
      nsd_cell_clean(cell, cells);
      mark_positive(cell);
    }
    const int k = undecided(cell);
    if (k < 0) {
      return NSD_CELL_OPEN;
    }
    if (!nsd_cell_raise(cell, cells, k)) {
      if (cell->place[k] < 0) {
        return NSD_CELL_EMPTY;
      }
      vanish(cell, cells, cell->place[k]);
    }
  }
}

int nsd_cell_dimension(const nsd_cell *cell)
{
  int count = 0;
  for (int s = 0; s < cell->columns; s++) {
    count += nsd_cell_is_live(cell, s);
  }
  return count;
}
