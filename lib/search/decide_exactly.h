/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a cell claims, and what a closed cell is, beyond rounding.
 *
 * Floating-point numbers say it where their errors allow (error_bounds.h); what they cannot is decided in
 * exact arithmetic on the numbers as they were given (cell_exact.h), and the cell's tableau becomes the exact
 * one, rounded. Only cells with `exact` ask here. Where exact arithmetic would take more work than is
 * allowed, that counts as doubtful and the search goes on without it. */
#ifndef NSD_SEARCH_DECIDE_EXACTLY_H
#define NSD_SEARCH_DECIDE_EXACTLY_H

#include "search/cell_exact.h"
#include "search/error_bounds.h"
#include "search/row_proof.h"

/* Whether rounding leaves no doubt about what row r claims. */
int nsd_decide_claim(const nsd_cell *cell, const nsd_cells *cells, int r, nsd_claim claim);

/* Whether the cell surely is one point at which all that is asked to be >= 0 is positive, and nothing that
 * tells pieces apart is zero unless it is asked. */
int nsd_decide_point(const nsd_cell *cell, const nsd_cells *cells);

/* Whether the cell is empty; if not, the tableau is an exact one. 0 where the search goes on without. */
int nsd_decide_start(nsd_cell *cell, nsd_cells *cells, nsd_cell_end *end);

/* The same, and asks zero of every unknown that is >= 0 and nowhere positive: then the cell's dimension is
 * live_count. */
int nsd_decide_close(nsd_cell *cell, nsd_cells *cells, nsd_cell_end *end);

/* Whether u_k is positive nowhere on the cell. 0 where the search goes on without. */
int nsd_decide_vanishes(const nsd_cell *cell, nsd_cells *cells, int k, int *vanishes);

/* Whether unknown k as it was given is positive (sense 1) or negative (−1) somewhere on a cell just closed.
 * What cannot be decided is doubtful. */
int nsd_decide_reaches(nsd_cells *cells, int k, int sense);

/* Whether a cell just closed has rays. */
int nsd_decide_is_unbounded(nsd_cells *cells);

#endif
