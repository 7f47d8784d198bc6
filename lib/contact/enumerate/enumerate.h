/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All physical solutions of a contact problem, or the first, or the proof that there is none.
 *
 * The search (search/tree.h) is given the functionals and the units that the contacts' modes make
 * (enumerate/mode_units.h). What it hands out are closed cells, each a convex set of solutions; their
 * vertices, rays and modes go to the caller. In the search for one solution exact arithmetic is asked only
 * where nothing was found, in a second search. */
#ifndef NSD_CONTACT_ENUMERATE_CENSUS_H
#define NSD_CONTACT_ENUMERATE_CENSUS_H

#include "contact/enumerate/vertices.h"
#include "search/decide_exactly.h"
#include "search/tree.h"

typedef struct nsd_census {
  nsdyn_context *ctx; /* not held */
  nsd_arena arena;
  nsd_signs signs;
  nsd_tree tree;
  nsd_cell trial; /* a point with one alternative of each unit asked */
  nsd_extent extent;
  nsd_exact exact;
  nsd_error_bounds sure;
  int32_t *modes; /* contacts */
  double *point;  /* rows */
  double *motion; /* what is known of velocities: ξ and the size of its terms, 2 × rows each */
  size_t motion_bytes;
  int64_t motions;
} nsd_census;

typedef struct nsd_census_options {
  double tol;        /* largest residual over its scale */
  int64_t max_nodes; /* negative: no limit */
} nsd_census_options;

void nsd_census_init(nsd_census *w, nsdyn_context *ctx);
void nsd_census_release(nsd_census *w);

/* Memory for a problem; allocates where it is larger than all before. Both calls below begin with it. */
nsdyn_status nsd_census_reserve(nsd_census *w, const nsd_contact_data *p);

/* All solutions to `visit` (may be NULL); the census' size is set by the caller. NSDYN_OK with at least one,
 * NSDYN_NO_SOLUTION where the tree is exhausted and every closed node proved exactly, NSDYN_UNDECIDED where
 * it is exhausted and census.doubtful nodes are not, NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED; NSDYN_ERR_NOMEM,
 * NSDYN_ERR_TOO_LARGE, NSDYN_ERR_NOT_FINITE. */
nsdyn_status nsd_census_all(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                            nsd_contact_visit *visit, void *user, nsdyn_contact_census *census);

/* The first solution found into Lambda (rows). Where there is none, the point met that comes closest to the
 * modes' asks (zero where no node was feasible). `nodes` counts. Statuses as above. */
nsdyn_status nsd_census_first(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                              double *Lambda, int64_t *nodes);

#endif
