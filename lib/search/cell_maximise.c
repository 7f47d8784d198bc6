/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/cell_maximise.h"

#include "search/cell_narrow.h"
#include "search/decide_exactly.h"

typedef enum climb_end {
  CLIMB_TOP,      /* u_k is at its maximum; it is basic */
  CLIMB_POSITIVE, /* u_k > 0 (where that was all that was asked) */
  CLIMB_UNBOUNDED /* the last column asked for has no bound */
} climb_end;

/* The primal simplex method on u_k. After some pivots Bland's rule takes over, so it ends; the limit is
 * reached only by rounding, and u_k then counts as positive, or as bounded. */
static climb_end climb(nsd_cell *cell, nsd_cells *cells, int k, int until_positive)
{
  const int limit = nsd_cell_limit(cell);
  for (int count = 0; count < limit && !cells->status; count++) {
    if (until_positive && nsd_cell_value(cell, k) > 0.0) {
      return CLIMB_POSITIVE;
    }
    const int place = cell->place[k];
    const int bland = count > nsd_cell_patience(cell);
    /* The column that raises u_k; none: c_r is the maximum. */
    const int s = place < 0 ? ~place : nsd_cell_entering(cell, cells, place, 1.0, bland);
    if (s < 0) {
      return CLIMB_TOP;
    }
    /* How far it may go: to where the first guarded row reaches zero. */
    const int r = nsd_cell_blocking(cell, cells, s, -1, bland);
    if (r < 0) {
      return CLIMB_UNBOUNDED;
    }
    nsd_cell_step(cell, cells, r, s);
  }
  return until_positive ? CLIMB_POSITIVE : CLIMB_TOP;
}

/* At the top u_k is basic and no T_ks > 0: whether its row proves that it is nowhere positive. */
static int is_proved(const nsd_cell *cell, nsd_cells *cells, int k)
{
  const int r = cell->place[k];
  return nsd_claim_holds(cell, cells, r, cell->c[r] < 0.0 ? NSD_ROW_NEGATIVE : NSD_ROW_ZERO);
}

int nsd_cell_raise(nsd_cell *cell, nsd_cells *cells, int k)
{
  if (nsd_cell_is_held(cell, k)) {
    return 0;
  }
  if (cell->mark[k] & NSD_CELL_SEEN) {
    return 1;
  }
  /* Pivots until u_k > 0, or until no column raises it and c_r <= 0. */
  int top = climb(cell, cells, k, 1) == CLIMB_TOP;
  if (top && !is_proved(cell, cells, k)) {
    /* Exact arithmetic decides; else a fresh tableau is asked once more. */
    int vanishes = 1;
    if (cells->exact && nsd_decide_vanishes(cell, cells, k, &vanishes)) {
      top = vanishes;
    } else if (nsd_cell_renew(cell, cells)) {
      return 0;
    } else {
      top = climb(cell, cells, k, 1) == CLIMB_TOP;
      cells->doubtful += top && !is_proved(cell, cells, k);
    }
  }
  cell->mark[k] |= top ? 0 : NSD_CELL_SEEN;
  return !top;
}

int nsd_cell_reaches(nsd_cell *cell, nsd_cells *cells, int k, int sense)
{
  if (cell->sign[k] != sense) {
    if (cell->ask[k] != NSD_ASK_NOTHING) {
      return 0;
    }
    nsd_cell_turn(cell, k);
  }
  return nsd_cell_raise(cell, cells, k);
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
    if (cell->c[r] > 0.0) {
      cell->mark[cell->row[r]] |= NSD_CELL_SEEN;
    }
  }
}

static int undecided(const nsd_cell *cell)
{
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    if (cell->ask[k] == NSD_ASK_POSITIVE && !(cell->mark[k] & NSD_CELL_SEEN)) {
      return k;
    }
  }
  return -1;
}

/* Free columns enter where something stops them, until only lines are left. */
static void absorb_free(nsd_cell *cell, nsd_cells *cells)
{
  for (int s = 0; s < cell->columns && !nsd_cells_have_stopped(cells); s++) {
    for (int turn = 0; turn < 2 && nsd_cell_is_free(cell, s); turn++) {
      /* A free column may go either way; one that nothing stops on both is a line of the cell. */
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
  /* 1: in exact arithmetic, where there is some. */
  nsd_cell_end end = NSD_CELL_OPEN;
  if (cells->exact && nsd_decide_close(cell, cells, &end)) {
    return end;
  }
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    cell->mark[k] = (uint8_t)(cell->mark[k] & ~NSD_CELL_SEEN);
  }
  /* 2: free columns enter the basis where something stops them; those left over are lines. */
  if (cells->has_free) {
    absorb_free(cell, cells);
  }
  int64_t looked = -1; /* pivots when the point was last looked at */
  while (!cells->status) {
    /* 3: one point shows many unknowns positive at once. */
    if (looked != cells->pivots) {
      looked = cells->pivots;
      nsd_cell_clean(cell, cells);
      mark_positive(cell);
    }
    const int k = undecided(cell);
    if (k < 0) {
      return NSD_CELL_OPEN;
    }
    /* 4: each other one is maximised; where the maximum is zero, its row says what else is zero. */
    if (!nsd_cell_raise(cell, cells, k)) {
      if (cell->place[k] < 0) {
        return NSD_CELL_EMPTY; /* a fresh tableau found nothing left */
      }
      nsd_cell_vanish(cell, cells, cell->place[k]);
    }
  }
  return NSD_CELL_OPEN;
}
