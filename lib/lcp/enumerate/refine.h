/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vertices and rays of a piece, made exact: of what pivots left behind only the pattern of zeros is taken,
 * and one elimination on A and b gives the numbers.
 *
 * x_S > 0, y_R = 0:   A_RS x_S = −b_R  (vertex),   A_RS r_S = 0 with the largest r_S fixed  (ray).
 *
 * At a vertex A_RS has full column rank but may have more rows than columns; row pivoting picks the
 * equations. */
#ifndef NSD_LCP_ENUMERATE_REFINE_H
#define NSD_LCP_ENUMERATE_REFINE_H

#include "lcp/problem.h"
#include "search/cell_tableau.h"

typedef struct nsd_refine {
  double *block;    /* n × (n + 1) */
  int32_t *columns; /* n */
} nsd_refine;

void nsd_refine_lay_out(nsd_arena *arena, nsd_refine *w, int n);

/* z holds 2n numbers of the scaled problem; its zeros are exact. On 1 its x is replaced; on 0 (the pattern
 * belongs to no point, to rounding) z is as it was. */
int nsd_refine_vertex(nsd_refine *w, nsd_cells *cells, double *z);
int nsd_refine_ray(nsd_refine *w, nsd_cells *cells, double *z);

/* The largest violation of Ar = 0 in rows where r_x > 0 or that are not in `rows` (n flags), of Ar >= 0 in
 * the others, relative to Σ |A_ij r_j| of the row. */
double nsd_ray_residual(const nsd_lcp_problem *p, const double *ray, const uint8_t *rows, nsd_poll *poll);

#endif
