/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How far a closed cell extends: its vertices, rays and lines as impulses, and the dimension of the
 * velocities they cause.
 *
 * Of what pivots left behind only the point and the pattern of zeros is taken: one elimination on a and d
 * moves the point onto everything that is zero there. What a mode then makes exact is made exact: an open
 * contact has no impulse, a sliding one exactly Λ_T = ∓μ Λ_N.
 *
 * A line (a redundant bilateral constraint has one) is two rays; the vertices then are one point of each
 * minimal face. */
#ifndef NSD_CONTACT_ENUMERATE_EXTENT_H
#define NSD_CONTACT_ENUMERATE_EXTENT_H

#include "contact/enumerate/mode_units.h"
#include "search/cell_tableau.h"
#include "search/generators.h"

typedef struct nsd_extent {
  nsdyn_context *ctx; /* not held */
  nsd_generators generators;
  nsd_poll *poll;  /* the search's; NULL: the caller is not asked */
  double *u;       /* rows + functionals: unknowns of a generator */
  double *block;   /* functionals × (rows + 1) */
  int32_t *column; /* rows: order of columns in the block */
  uint8_t *tight;  /* functionals: zero at the generator */
  double *point;   /* rows: Λ' */
  double *moved;   /* rows */
  double *out;     /* generators: vertices' Λ, vertices' ξ, rays */
  size_t out_bytes;
  /* of the last cell: */
  int32_t vertices;
  int32_t rays;
  double *Lambda; /* vertices × rows */
  double *xi;     /* vertices × rows */
  double *ray;    /* rays × rows, each of maximum norm 1 */
  double worst;   /* largest violation of what the cell asks, relative to the terms of its sum */
} nsd_extent;

void nsd_extent_init(nsd_extent *extent, nsdyn_context *ctx);
void nsd_extent_lay_out(nsd_arena *arena, nsd_extent *extent, int functionals, int rows);
void nsd_extent_release(nsd_extent *extent);

/* All generators. NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_CANCELLED by the context's progress. */
nsdyn_status nsd_extent_list(nsd_extent *extent, const nsd_cell *cell, nsd_cells *cells,
                             const nsd_signs *signs);

/* The point that the tableau shows and no more: vertices is 1, rays is 1 where the cell is unbounded. The
 * tableau may move. */
nsdyn_status nsd_extent_count(nsd_extent *extent, nsd_cell *cell, nsd_cells *cells, const nsd_signs *signs);

/* The same point into Λ (rows), in the problem's units; returns what `worst` would be. */
double nsd_extent_point(nsd_extent *extent, const nsd_cell *cell, const nsd_signs *signs, double *Lambda);

/* Dimension of the velocities that the cell's impulses cause. */
int nsd_extent_velocities(nsd_extent *extent, const nsd_cell *cell);

#endif
