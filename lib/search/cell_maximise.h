/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large can an unknown become on a cell? Primal pivots, which keep what is feasible feasible. */
#ifndef NSD_SEARCH_MAXIMISE_H
#define NSD_SEARCH_MAXIMISE_H

#include "search/cell_tableau.h"

/* Moves to a point, or onto a ray, where u_k > 0. 1 where there is one (NSD_CELL_SEEN is set), 0 where
 * u_k <= 0 on all of the cell. k may be an unknown of which nothing is asked. */
int nsd_cell_raise(nsd_cell *cell, nsd_cells *cells, int k);

/* The same for unknown k as it was given: whether it is positive (sense 1) or negative (−1) somewhere. */
int nsd_cell_reaches(nsd_cell *cell, nsd_cells *cells, int k, int sense);

/* Whether u_k grows beyond all bounds. */
int nsd_cell_is_unbounded(nsd_cell *cell, nsd_cells *cells, int k);

/* Asks zero of every unknown that is >= 0 and nowhere positive; then all others are positive in the relative
 * interior, and the dimension of the cell is live_count. Live columns that are free are lines then, which
 * only unknowns of which nothing is asked see. In exact arithmetic where there is some, else to rounding. */
nsd_cell_end nsd_cell_close(nsd_cell *cell, nsd_cells *cells);

#endif
