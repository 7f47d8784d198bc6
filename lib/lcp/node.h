/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A node of the enumeration: the polyhedron
 *
 *   P = {z = (x, y) : y = A x + b, z >= 0, z_k = 0 for the fixed k},
 *
 * held as a tableau that shows one of its vertices. Unknowns have one number each: x_i is i, y_i is n + i.
 * Every row gives a basic unknown by the others,
 *
 *   z_B = T z_N + c,    c >= 0 at rest.
 *
 * Columns of fixed x are dropped; those of fixed y stay, out of the way of the ratio tests, because a row
 * with them is a proof: z_r − Σ T_rj z_j = c_r is a combination of the n equations y − A x = b, and the
 * numbers that stand at y are its multipliers. What a node claims (P is empty, z_k = 0 everywhere on P) is
 * checked on A and b themselves; the pivots that led to the claim need not be believed.
 *
 * Zeros. An element that cancels to 2^-40 of itself is zero, in T and in c; see also nsd_node_clean(). Both
 * rules are free of units. */
#ifndef NSD_LCP_NODE_H
#define NSD_LCP_NODE_H

#include "base/arena.h"
#include "lcp/problem.h"
#include "lcp/scale.h"

typedef struct nsd_node {
  int n;
  int ld;          /* doubles from column to column */
  int live_count;  /* columns of unknowns that are not fixed */
  int age;         /* pivots since the tableau was fresh */
  int is_exact;    /* every number is the exact one, rounded (certain.h) */
  int proof_count; /* columns of fixed y */
  double *T;       /* n slots of ld */
  double *c;       /* ld */
  double *ratio;   /* ld: scratch */
  int32_t *row;    /* n: the unknown of a row */
  int32_t *slot;   /* n: the unknown of a slot */
  int32_t *live;   /* n: slots */
  int32_t *proof;  /* n: slots */
  int32_t *few;    /* n: scratch */
  int32_t *place;  /* 2n: row r of a basic unknown, ~slot of another */
  uint8_t *state;  /* 2n: NSD_FIXED, NSD_WANTED, NSD_POSITIVE */
  double weight;   /* share of the whole tree */
} nsd_node;

enum {
  NSD_FIXED = 1,    /* z_k = 0 */
  NSD_WANTED = 2,   /* pieces with z_k = 0 throughout are another branch's */
  NSD_POSITIVE = 4, /* z_k > 0 was seen at some point of P */
  NSD_TO_BASIS = 8  /* used by nsd_node_refresh() */
};

/* What an operation on a node ends with. */
typedef enum nsd_node_end {
  NSD_NODE_OPEN = 0, /* P is not empty, the tableau is feasible */
  NSD_NODE_EMPTY,    /* P is empty */
  NSD_NODE_COVERED   /* a wanted unknown is zero on all of P */
} nsd_node_end;

struct nsd_judge;
struct nsd_exact;
struct nsd_sure;

/* What all nodes of a tree share: the problem in scaled units, and scratch. */
typedef struct nsd_tree {
  int n;
  nsd_scale scale;
  const double *A;    /* n × n, in scaled units */
  const double *b;    /* n */
  double *x_unit;     /* n: x = x_unit · scaled x */
  double *row_fall;   /* ld: of each row the sum of the negative elements in live columns */
  double *row_most;   /* ld: and the largest element; zero where none is positive */
  double *magnitude;  /* ld */
  double *multiplier; /* n */
  double *sum;        /* n */
  double *size;       /* n */
  uint8_t *basic;     /* 2n */
  int8_t *ask;        /* 2n */
  const nsd_lcp_problem *problem;
  int is_scaled_exactly;   /* A and b are the problem's but for powers of two */
  struct nsd_judge *judge; /* exact: nothing is claimed that it does not close; NULL: to rounding */
  struct nsd_exact *exact; /* decides what rounding cannot (certain.h); NULL: such claims are doubtful */
  int exact_is_loaded;
  int64_t exact_work;    /* it may spend */
  struct nsd_sure *sure; /* where there is exact arithmetic: tells what rounding can */
  nsd_poll poll;         /* asked by pivots and loads; the caller sets it before the load */
  nsdyn_status status;   /* out of memory, or cancelled: nodes say nothing of worth from then on */
  int64_t pivots;
  int64_t doubtful; /* claims that were acted upon though A and b do not bear them out beyond rounding */
} nsd_tree;

enum { NSD_TREE_PAD = 4 }; /* columns begin at multiples of so many doubles */

static inline int nsd_node_ld(int n)
{
  return (n + NSD_TREE_PAD - 1) / NSD_TREE_PAD * NSD_TREE_PAD;
}

void nsd_tree_lay_out(nsd_arena *arena, nsd_tree *tree, int n);

/* NSDYN_ERR_NOT_FINITE where the scaled problem leaves the range of numbers. */
nsdyn_status nsd_tree_load(nsd_tree *tree, const nsd_lcp_problem *p);

void nsd_node_lay_out(nsd_arena *arena, nsd_node *node, int n);
/* Asks the poll (NULL: nobody) on the way. */
void nsd_node_copy(nsd_node *to, const nsd_node *from, nsd_poll *poll);

/* y = A x + b with nothing fixed; c may be negative. */
void nsd_node_load(nsd_node *node, nsd_tree *tree);

/* The tableau of the same basis afresh from A and b: what pivots have spoiled is gone. c may come out
 * negative. Returns 0 where the basis is singular; then only loading helps. */
int nsd_node_refresh(nsd_node *node, nsd_tree *tree);

/* Exchanges the unknowns of row r and slot s. */
void nsd_node_exchange(nsd_node *node, nsd_tree *tree, int r, int s);

/* The live column with sign · T_rs > 0 (sign 0: T_rs of any sign) that changes z_r most per unit of way in
 * all unknowns, T_rs² / (1 + |T_s|²): steepest edge. −1 where there is none. */
int nsd_node_entering(const nsd_node *node, int r, double sign);

/* The row that stops an increase of slot s from c >= 0: smallest c_i / −T_is; of equal ones the largest
 * |T_is|, or with Bland's rule the least number. Row `target` (−1: none) stops it where it reaches zero from
 * either side, and wins ties. −1 where nothing stops it. */
int nsd_node_blocking(const nsd_node *node, int s, int target, int bland);

/* The exchange at a row that nsd_node_blocking() gave: what was feasible stays so, rounding or not. */
void nsd_node_step(nsd_node *node, nsd_tree *tree, int r, int s);

/* c that is rounding of zero becomes zero. A row of the tableau is a combination v of the equations, so
 * c_r = Σ v_i b_i: below 2^-40 Σ |v_i b_i| nothing of it is left, whatever path led here. */
void nsd_node_clean(nsd_node *node, nsd_tree *tree);

/* Takes a live column whose unknown is fixed out of play. */
void nsd_node_retire(nsd_node *node, int s);

/* Whether T_rs is large enough in its column to divide by; if not, it is noise and set to zero. */
int nsd_node_accept(const nsd_node *node, int r, int s);

/* Sets to zero what nsd_node_accept() would. */
void nsd_node_denoise(const nsd_node *node, nsd_tree *tree);

/* The root: nothing is fixed. */
nsd_node_end nsd_node_start(nsd_node *node, nsd_tree *tree);

/* z_k := 0. */
nsd_node_end nsd_node_fix(nsd_node *node, nsd_tree *tree, int k);

/* The same P from a fresh tableau. */
nsd_node_end nsd_node_renew(nsd_node *node, nsd_tree *tree);

/* Fixes what is zero on all of P, and the partner of what is positive on all of P, as far as single rows
 * show it. Leaves row_fall and row_most as they are at the end. */
nsd_node_end nsd_node_settle(nsd_node *node, nsd_tree *tree);

/* Row r says 0 = z_r + Σ |T_rj| z_j: fixes all of these. */
nsd_node_end nsd_node_vanish(nsd_node *node, int r);

/* Moves to a vertex, or onto a ray, where z_k > 0. Returns 1 where there is one (NSD_POSITIVE is set), 0
 * where z_k = 0 on all of P. */
int nsd_node_raise(nsd_node *node, nsd_tree *tree, int k);

/* Finds z_k = 0 on all of P for every k that is not NSD_POSITIVE, and fixes it; then every unknown that is
 * not fixed is positive in the relative interior, and P has dimension live_count. */
nsd_node_end nsd_node_close(nsd_node *node, nsd_tree *tree);

/* Whether z_k (not fixed) grows beyond all bounds on P. */
int nsd_node_unbounded(nsd_node *node, nsd_tree *tree, int k);

static inline int nsd_partner(int n, int k)
{
  return k < n ? k + n : k - n;
}

static inline double *nsd_node_column(const nsd_node *node, int slot)
{
  return node->T + (size_t)slot * (size_t)node->ld;
}

static inline int nsd_node_is_fixed(const nsd_node *node, int k)
{
  return node->state[k] & NSD_FIXED;
}

/* z_k at the node's vertex. */
static inline double nsd_node_value(const nsd_node *node, int k)
{
  return node->place[k] >= 0 ? node->c[node->place[k]] : 0.0;
}

#endif
