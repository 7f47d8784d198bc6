/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cell becomes narrower: more is asked of its unknowns, by choice or because the rows force it. */
#ifndef NSD_SEARCH_NARROW_H
#define NSD_SEARCH_NARROW_H

#include "search/cell_tableau.h"

/* The cell with nothing chosen yet. */
nsd_cell_end nsd_cell_start(nsd_cell *cell, nsd_cells *cells);

/* Adds one ask of unknown k to what is asked already; the tableau may be infeasible until
 * nsd_cell_narrow(). */
void nsd_cell_ask(nsd_cell *cell, int k, int ask);

/* Makes the tableau feasible again, and moves what is zero out of the basis. A claim that the cell is empty
 * is made once more from a fresh tableau where a and d do not bear it out, and counted as doubtful if they do
 * not then either. */
nsd_cell_end nsd_cell_narrow(nsd_cell *cell, nsd_cells *cells);

/* The same cell from a fresh tableau. */
nsd_cell_end nsd_cell_renew(nsd_cell *cell, nsd_cells *cells);

/* row_fall and row_rise: by how much a step along all live columns at once may lower and raise each row. */
void nsd_cell_scan(const nsd_cell *cell, nsd_cells *cells);

/* Row r says 0 = u_r + Σ |T_rs| u_s: all of these are zero. */
void nsd_cell_vanish(nsd_cell *cell, const nsd_cells *cells, int r);

/* Pivots of one search: after so many Bland's rule takes over, and so many are for rounding only. */
static inline int nsd_cell_patience(const nsd_cell *cell)
{
  return cell->rows + cell->columns + 20;
}

static inline int nsd_cell_limit(const nsd_cell *cell)
{
  return 50 * (cell->rows + cell->columns) + 1000;
}

#endif
