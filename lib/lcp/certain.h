/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a node claims, and what a leaf is, beyond rounding.
 *
 * Floating-point numbers say it where their errors allow (sure.h); what they cannot is decided in exact
 * arithmetic on the problem as it was given (exact.h), and the node's tableau becomes the exact one, rounded.
 * Only a tree with `exact` asks here. Where exact arithmetic would take more work than is allowed, that
 * counts as doubtful and the tree goes on without it. */
#ifndef NSD_LCP_CERTAIN_H
#define NSD_LCP_CERTAIN_H

#include "lcp/node.h"
#include "lcp/witness.h"
#include "search/exact.h"
#include "search/sure.h"

/* Whether rounding leaves no doubt about what row r claims. */
int nsd_certain_claim(const nsd_node *node, nsd_tree *tree, int r, nsd_claim claim);

/* Whether the node, all pairs of which have a fixed unknown, surely is one point at which all that is not
 * fixed is positive. */
int nsd_certain_point(const nsd_node *node, nsd_tree *tree);

/* Whether P is empty; if not, the tableau is an exact one. 0 where the tree goes on without. */
int nsd_certain_start(nsd_node *node, nsd_tree *tree, nsd_node_end *end);

/* The same, and fixes what is zero on all of P: then every unknown that is not fixed is positive in the
 * relative interior, and P has dimension live_count. */
int nsd_certain_close(nsd_node *node, nsd_tree *tree, nsd_node_end *end);

/* Whether z_k is zero on all of P. 0 where the tree goes on without. */
int nsd_certain_vanishes(const nsd_node *node, nsd_tree *tree, int k, int *vanishes);

#endif
