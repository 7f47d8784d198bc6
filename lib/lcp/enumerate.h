/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of a plain LCP, or the first, or the proof that there is none.
 *
 * The tree. A node fixes some unknowns z_k (of x and y) at zero and holds a feasible tableau of what is left
 * (node.h). A pair of which neither is fixed is branched over: x_i = 0 or y_i = 0. What single rows force is
 * fixed without branching; a node that is empty proves so (witness.h). Where every pair has a fixed unknown,
 * what is left is a convex set of solutions: a point, or a face.
 *
 * Each once. The second child of a branch wants the unknown that the first child fixed to be positive
 * somewhere; where it cannot be, nothing is left that the first child did not have. So no piece is met
 * twice. Faces of larger pieces are met, though. They are told by their pattern (pieces.h): nodes and leaves
 * whose pattern lies within a known one are closed at once.
 *
 * As early as honest. A piece with x_i > 0 or y_i > 0 somewhere for every pair i is maximal and handed out
 * when it is met. For another, the pairs Z where both are zero count: a larger piece agrees with it on the
 * other pairs, so it lies below the first branch over a pair of Z, and the piece is handed out when that
 * branch is finished.
 *
 * For sure. What closes a branch, and what a leaf is, holds of A and b as they are given, whatever was
 * rounded on the way (certain.h). In the search for one solution that is asked only where nothing was found,
 * in a second search; and where "no solution" must hold of another problem, of which this is the plain form,
 * that search closes a branch only where a judge proves the branch of that problem to be empty (judge.h). */
#ifndef NSD_LCP_ENUMERATE_H
#define NSD_LCP_ENUMERATE_H

#include "lcp/certain.h"
#include "lcp/corner.h"
#include "lcp/faces.h"
#include "lcp/judge.h"
#include "lcp/node.h"
#include "search/pieces.h"

typedef struct nsd_branch {
  int32_t pair;
  int32_t first;  /* the first child fixes this, the second wants it */
  int32_t second; /* the second child fixes this */
} nsd_branch;

typedef struct nsd_enumerate {
  int n;
  nsdyn_context *ctx; /* not held */
  nsd_tree tree;
  nsd_node root; /* feasible, nothing branched yet: patterns are rebuilt from here */
  nsd_node scratch;
  nsd_node *nodes; /* n + 1: the path to the current node */
  int levels;      /* of these, how many have memory */
  nsd_arena *deep; /* memory of those beyond the first, grown as needed */
  int deep_count;
  nsd_branch *branch; /* n + 1 */
  nsd_faces faces;
  nsd_pieces pieces;
  nsd_corner corner;
  nsd_judge judge;
  nsd_exact exact;
  nsd_sure sure;
  uint64_t *pattern; /* 2n bits */
  int32_t *support;  /* n */
  uint8_t *rows;     /* n */
  double *z;         /* 2n */
  double *raw;       /* 2n */
  double *x;         /* n */
  double *best;      /* n */
  double *out;       /* generators of one piece, n each; grown as needed */
  size_t out_bytes;
} nsd_enumerate;

typedef struct nsd_enumerate_options {
  double tol;                 /* certificate every vertex and ray must hold */
  int64_t max_nodes;          /* negative: no limit */
  const nsd_judge_form *form; /* what "no solution" must hold for; NULL: the problem as given */
} nsd_enumerate_options;

/* Up to so many unknowns the nodes of the longest path are laid out at once: 2 MB. Beyond, they come as the
 * search goes deeper: n³ numbers are more than most searches use. */
enum { NSD_ENUMERATE_AT_ONCE = 64 };

/* What grows with the solutions and with the depth comes from ctx, the rest from the arena. init once,
 * lay_out for each n that is larger than all before, release at the end. `judged`: unknowns of the problem
 * that "no solution" must hold for. */
void nsd_enumerate_init(nsd_enumerate *w, nsdyn_context *ctx);
void nsd_enumerate_lay_out(nsd_arena *arena, nsd_enumerate *w, int n, int judged);
void nsd_enumerate_release(nsd_enumerate *w);

/* All solutions to `visit` (may be NULL). The census' size is set by the caller. NSDYN_OK with at least one,
 * NSDYN_NO_SOLUTION where the tree is exhausted and every closed branch proved exactly, NSDYN_RAY where it is
 * exhausted and census.doubtful branches are not, NSDYN_MAX_ITERATIONS at the limit of nodes, NSDYN_CANCELLED
 * by `visit` or the context's progress; NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_NOT_FINITE. */
nsdyn_status nsd_enumerate_all(nsd_enumerate *w, const nsd_lcp_problem *p,
                               const nsd_enumerate_options *options, nsdyn_lcp_visit *visit, void *user,
                               nsdyn_lcp_census *census);

/* The first solution found: x and basis of the answer, and its iterations (pivots). Where there is none, x is
 * the feasible point met that comes closest to complementarity (zero where none is feasible). Statuses as
 * above. */
nsdyn_status nsd_enumerate_first(nsd_enumerate *w, const nsd_lcp_problem *p,
                                 const nsd_enumerate_options *options, nsd_lcp_answer *answer);

#endif
