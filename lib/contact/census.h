/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All physical solutions of a contact problem, or the first, or the proof that there is none.
 *
 * The tree. A node has chosen alternatives of some units (signs.h) and holds the cell of what they ask,
 * together with what holds in all alternatives of the others. A node whose cell is empty is closed, and
 * proves so. Where every unit has chosen, the cell is a convex set of solutions.
 *
 * Each once. An alternative wants something positive that another's asks are zero for: a node where it cannot
 * be is closed, since nothing is left that the other does not have. So no piece is met twice. Faces of larger
 * pieces are met, though. They are told by their pattern: which functionals are positive somewhere on the
 * piece, and which negative. A piece lies within another exactly when its pattern does.
 *
 * For sure. What closes a branch, and what a leaf is, holds of the numbers as they are given, whatever was
 * rounded on the way (decide.h). In the search for one solution that is asked only where nothing was found,
 * in a second search.
 *
 * As early as honest. A piece whose pattern fits one alternative of each unit only is no face of another, and
 * is handed out when it is met; the others when the tree is finished. */
#ifndef NSD_CONTACT_CENSUS_H
#define NSD_CONTACT_CENSUS_H

#include "contact/decide.h"
#include "contact/extent.h"
#include "search/pieces.h"

enum { NSD_CENSUS_MOST = 6 }; /* alternatives of a unit */

/* A node on the path to the current one. */
typedef struct nsd_census_node {
  int32_t unit;                   /* branched over; −1: a leaf */
  int32_t next;                   /* the first alternative not yet tried, in the order below */
  int32_t order[NSD_CENSUS_MOST]; /* the least violated first */
  int32_t reserved;
  double weight; /* share of the whole tree */
} nsd_census_node;

typedef struct nsd_census {
  nsdyn_context *ctx; /* not held */
  nsd_arena arena;
  nsd_signs signs;
  nsd_cells cells;
  nsd_cell root;
  nsd_cell scratch;
  nsd_cell *cell;        /* units + 1: of the path's nodes */
  nsd_census_node *node; /* units + 1 */
  int32_t *choice;       /* units: alternative chosen on the path, −1: none */
  nsd_extent extent;
  nsd_exact exact;
  nsd_sure sure;
  nsd_pieces pieces;
  uint64_t *pattern; /* 2 × functionals bits */
  int32_t *modes;    /* contacts */
  double *trial;     /* rows */
  double *motion;    /* what is known of velocities: ξ and the size of its terms, 2 × rows each */
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
 * NSDYN_NO_SOLUTION where the tree is exhausted and every closed node proved exactly, NSDYN_RAY where it is
 * exhausted and census.doubtful nodes are not, NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED; NSDYN_ERR_NOMEM,
 * NSDYN_ERR_TOO_LARGE, NSDYN_ERR_NOT_FINITE. */
nsdyn_status nsd_census_all(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                            nsdyn_contact_visit *visit, void *user, nsdyn_contact_census *census);

/* The first solution found into Lambda (rows). Where there is none, the point met that comes closest to the
 * modes' asks (zero where no node was feasible). `nodes` counts. Statuses as above. */
nsdyn_status nsd_census_first(nsd_census *w, const nsd_contact_data *p, const nsd_census_options *options,
                              double *Lambda, int64_t *nodes);

#endif
