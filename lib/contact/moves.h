/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is done with cells, by pivots that keep what is feasible feasible: a cell is narrowed by further asks,
 * or closed: every unknown that is zero on all of it is found, so that its dimension and its signs show. */
#ifndef NSD_CONTACT_MOVES_H
#define NSD_CONTACT_MOVES_H

#include "contact/cell.h"

/* The cell with nothing chosen yet. */
nsd_cell_end nsd_cell_start(nsd_cell *cell, nsd_cells *cells);

/* Adds one ask of functional k to what is asked already; the tableau may be infeasible until
 * nsd_cell_narrow(). */
void nsd_cell_ask(nsd_cell *cell, int k, int ask);

/* Makes the tableau feasible again, and moves what is zero out of the basis. A claim that the cell is empty
 * is made once more from a fresh tableau where a and d do not bear it out, and counted as doubtful if they do
 * not then either. */
nsd_cell_end nsd_cell_narrow(nsd_cell *cell, nsd_cells *cells);

/* The same cell from a fresh tableau. */
nsd_cell_end nsd_cell_renew(nsd_cell *cell, nsd_cells *cells);

/* Moves to a point, or onto a ray, where z_k > 0. 1 where there is one (NSD_CELL_SEEN is set), 0 where
 * z_k <= 0 on all of the cell. k may be an unknown of which nothing is asked. */
int nsd_cell_raise(nsd_cell *cell, nsd_cells *cells, int k);

/* Whether z_k grows beyond all bounds. */
int nsd_cell_is_unbounded(nsd_cell *cell, nsd_cells *cells, int k);

/* Asks zero of every unknown that is >= 0 and nowhere positive; then all others are positive in the relative
 * interior. Columns that are live and free are lines, which only unknowns of which nothing is asked see; the
 * dimension of the cell is the number of live columns. */
nsd_cell_end nsd_cell_close(nsd_cell *cell, nsd_cells *cells);

/* Live columns. */
int nsd_cell_dimension(const nsd_cell *cell);

#endif
