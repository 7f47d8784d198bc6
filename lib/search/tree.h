/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The search through alternatives: all maximal pieces, or one point, or the proof that there is none.
 *
 * What is looked for obeys one alternative of each unit: some unknowns zero, some of one sign. (A pair of an
 * LCP is a unit: x_i = 0 or y_i = 0; so is a contact: open, stick or slip.) One alternative of each unit
 * makes a cell; the points of that convex set are all looked for.
 *
 * The tree. A node holds the cell of what the alternatives chosen so far ask, together with what is asked in
 * all cells. What single rows force is asked without branching, and an alternative that they rule out is out;
 * a node that is empty proves so (row_proof.h). A unit is open while the node's asks imply none of its
 * alternatives. Where no unit is open, the cell is a piece, or part of one.
 *
 * No piece twice. Of a branch, each child but the first wants something that the children before it do not
 * have: some unknown not zero, or not of the sign, that they ask, somewhere. Where it cannot be had, nothing
 * is left that they did not have. So no piece is met twice. Faces of larger pieces are met, though. They are
 * told by their pattern: which unknowns are positive somewhere on the piece, and which negative. A piece lies
 * within another exactly when its pattern does; nodes and leaves whose pattern lies within a known one are
 * closed at once.
 *
 * When a piece is handed out. A larger piece obeys only alternatives that the smaller one obeys, too. Where
 * of every branch above it a piece obeys none of the alternatives that are still to come, it is maximal and
 * handed out when it is met; else when the first branch is finished of which it does.
 *
 * Rounding. What closes a branch, and what a leaf is, holds of the numbers as they are given, whatever was
 * rounded on the way (decide_exactly.h), where cells.exact is set; else to rounding, and what rounding leaves
 * open is counted as doubtful. */
#ifndef NSD_SEARCH_TREE_H
#define NSD_SEARCH_TREE_H

#include "search/cell_tableau.h"
#include "search/pieces.h"
#include "search/unit.h"

/* What the owner of a search does with what it finds. */
typedef struct nsd_tree_host {
  void *user;
  const char *activity; /* for the context's progress */
  int64_t max_nodes;    /* negative: no limit */
  /* A maximal piece, closed; a status ends the search. */
  nsdyn_status (*piece)(void *user, nsd_cell *cell, const uint64_t *pattern);
  /* Where one point is looked for: the tableau's point misses the alternatives open to it by `violation`,
   * zero where it is looked for; `leaf` where no unit is open, and then cell may move. 1 ends the search.
   * NULL: all pieces are looked for. */
  int (*point)(void *user, nsd_cell *cell, double violation, int leaf);
} nsd_tree_host;

/* A node on the path to the current one. */
typedef struct nsd_tree_node {
  int32_t unit;                 /* branched over; −1: none */
  int32_t next;                 /* the first alternative not yet tried, in the order below */
  int32_t count;                /* alternatives in the order below */
  int32_t order[NSD_UNIT_MOST]; /* the nearest first */
  int32_t choices;              /* on the path to this node */
  double weight;                /* share of the whole tree */
} nsd_tree_node;

/* An alternative taken, in the place `at` of the order of its branch. */
typedef struct nsd_tree_choice {
  int32_t unit;
  int32_t at;
  int32_t order[NSD_UNIT_MOST];
} nsd_tree_choice;

typedef struct nsd_tree {
  nsdyn_context *ctx; /* not held */
  nsd_cells cells;
  const nsd_unit *unit;
  int units;
  nsd_cell root; /* nothing chosen yet */
  nsd_cell scratch;
  nsd_cell *cell;          /* units + 1: of the path's nodes */
  nsd_tree_node *node;     /* units + 1 */
  nsd_tree_choice *choice; /* units: alternatives taken on the path */
  int levels;              /* of cell, how many have memory */
  nsd_arena *deep;         /* memory of those beyond the first, grown as needed */
  int deep_count;
  int32_t *unit_of; /* columns + rows: the unit that asks an unknown; −1: none */
  int32_t *bit;     /* columns + rows: of the pattern, where an unknown's bits begin */
  nsd_pieces pieces;
  uint64_t *pattern;
  /* of one search: */
  const nsd_tree_host *host;
  int found; /* the host's point was the one */
  int64_t nodes;
  int64_t duplicates; /* nodes and leaves that other branches have */
  int64_t work;       /* since the context's progress was asked */
} nsd_tree;

/* What grows comes from ctx, the rest from the arena. init once, lay_out for each problem (at most `units`),
 * release at the end. */
void nsd_tree_init(nsd_tree *tree, nsdyn_context *ctx);
void nsd_tree_lay_out(nsd_arena *arena, nsd_tree *tree, int rows, int columns, int units);
void nsd_tree_release(nsd_tree *tree);

/* Takes the problem; tree.cells may be given a judge or exact arithmetic then. */
void nsd_tree_load(nsd_tree *tree, const nsd_forms *forms, const nsd_unit *unit, int units);

/* NSDYN_OK where the tree is exhausted or `found`; NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED, NSDYN_ERR_NOMEM,
 * NSDYN_ERR_TOO_LARGE, or what the host said. With a judge it ends at the first branch that stays open. */
nsdyn_status nsd_tree_search(nsd_tree *tree, const nsd_tree_host *host);

/* Bits of unknown k in a pattern: 1 where it is somewhere positive, 2 where it is somewhere negative. */
int nsd_tree_signs(const nsd_tree *tree, const uint64_t *pattern, int k);

/* Asks of `cell` one alternative of each unit that is open, which its point obeys (violation 0). */
void nsd_tree_ask_at_point(const nsd_tree *tree, nsd_cell *cell);

#endif
