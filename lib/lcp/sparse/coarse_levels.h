/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Smaller problems like a given one: unknowns are joined in pairs that move as one. b' and the sums of rows
 * add up; a coupling between two pairs is the sum of those between their members, or half of the only one,
 * since pairs in line are twice as far apart as their members were. On a mesh of squares each second level
 * has squares of twice the size, and the elements that the difference scheme has there.
 *
 * A pair is an unknown and its most strongly coupled neighbour, A_ij most negative. Where A is Z with
 * sums of rows that are not negative, A' is such again. All unknowns are measured from a bound, so that 0 is
 * a bound of both of a pair; only unknowns with bounds on the same sides are joined. */
#ifndef NSD_LCP_SPARSE_COARSE_LEVELS_H
#define NSD_LCP_SPARSE_COARSE_LEVELS_H

#include "lcp/sparse/problem.h"

enum { NSD_COARSE_MOST = 48 /* levels */, NSD_COARSE_LEAST = 40 /* unknowns that are not joined any more */ };

typedef struct nsd_coarse_level {
  nsd_arena memory;
  nsd_sparse_problem p;
  int64_t *row; /* what p's constant pointers point to */
  int32_t *column;
  double *value;
  double *b, *lo, *hi;
  int32_t *pair; /* of each unknown of the level above: its pair, −1 none */
} nsd_coarse_level;

typedef struct nsd_coarse_levels {
  nsdyn_context *ctx;
  nsd_poll *poll;
  nsd_arena work;
  int count;
  nsd_coarse_level level[NSD_COARSE_MOST]; /* 0: the next to the given problem */
} nsd_coarse_levels;

void nsd_coarse_levels_init(nsd_coarse_levels *w, nsdyn_context *ctx, nsd_poll *poll);
void nsd_coarse_levels_release(nsd_coarse_levels *w);

/* All levels of a problem with few unknowns in the last. NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 * NSDYN_CANCELLED. */
nsdyn_status nsd_coarse_levels_make(nsd_coarse_levels *w, const nsd_sparse_problem *p);

#endif
