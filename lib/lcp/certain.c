/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/certain.h"

#include <string.h>

/* ---- by numbers that are rounded ------------------------------------------------------------------------
 */

/* Row of the tree's A or of the unit matrix: unknown k by x. `line` is scratch. */
static const double *functional(const nsd_tree *tree, int k, double *line, double *constant)
{
  const int n = tree->n;
  if (k >= n) {
    *constant = tree->b[k - n];
    return tree->A + (size_t)(k - n) * (size_t)n;
  }
  *constant = 0.0;
  for (int j = 0; j < n; j++) {
    line[j] = j == k ? 1.0 : 0.0;
  }
  return line;
}

/* K⁻¹ as the tableau has it: how x_S changes with y_R. */
static void read_inverse(const nsd_node *node, const nsd_sure *w)
{
  const int k = w->count;
  for (int i = 0; i < k; i++) {
    const double *C = nsd_node_column(node, ~node->place[node->n + w->R[i]]);
    for (int s = 0; s < k; s++) {
      w->X[s * k + i] = C[node->place[w->S[s]]];
    }
    (void)nsd_poll_stops(w->poll, 20.0 * k);
  }
}

static void mark_basic(const nsd_node *node, const nsd_tree *tree)
{
  for (int j = 0; j < node->n; j++) {
    tree->basic[j] = node->place[j] >= 0;
  }
}

/* R := the y in columns that row r has elements in, v := these. */
static int read_row(const nsd_node *node, nsd_sure *w, int r)
{
  int count = 0;
  for (int list = 0; list < 2; list++) {
    const int32_t *slots = list ? node->proof : node->live;
    const int length = list ? node->proof_count : node->live_count;
    for (int k = 0; k < length; k++) {
      const int32_t unknown = node->slot[slots[k]];
      const double t = nsd_node_column(node, slots[k])[r];
      if (unknown >= node->n && t != 0.0) {
        w->R[count] = unknown - node->n;
        w->v[count++] = t;
      }
    }
  }
  return count;
}

/* Whether all live elements of the row have the sign `wrong` nowhere, for sure; those that are not zero in
 * the tableau are what they seem. */
static int row_holds(const nsd_node *node, const nsd_sure *w, const double *t, double sense)
{
  for (int i = 0; i < w->count; i++) {
    if (!nsd_node_is_fixed(node, node->n + w->R[i]) && !(sense * w->v[i] < -w->error[i])) {
      return 0;
    }
  }
  for (int k = 0; k < node->live_count; k++) {
    const int32_t j = node->slot[node->live[k]];
    const int sign = j < node->n ? nsd_sure_sign(w, t, 0.0, j) : 0;
    if (sign != 0 && sign != (sense > 0.0 ? -1 : 1)) {
      return 0;
    }
  }
  return 1;
}

int nsd_certain_claim(const nsd_node *node, nsd_tree *tree, int r, nsd_claim claim)
{
  nsd_sure *w = tree->sure;
  if (!tree->is_scaled_exactly) {
    return 0;
  }
  double constant;
  const double *t = functional(tree, node->row[r], tree->sum, &constant);
  w->a = tree->A;
  w->d = tree->b;
  mark_basic(node, tree);
  if (!nsd_sure_select(w, read_row(node, w, r), t, tree->basic)) {
    return 0;
  }
  read_inverse(node, w);
  if (!nsd_sure_is_regular(w)) {
    return 0;
  }
  nsd_sure_bound_multipliers(w, t);
  const int sign = nsd_sure_sign(w, t, constant, -1);
  const int claimed = claim == NSD_ROW_NEGATIVE ? -1 : claim == NSD_ROW_POSITIVE ? 1 : 0;
  return sign == claimed && row_holds(node, w, t, claim == NSD_ROW_POSITIVE ? -1.0 : 1.0);
}

int nsd_certain_point(const nsd_node *node, nsd_tree *tree)
{
  nsd_sure *w = tree->sure;
  const int n = node->n;
  if (!tree->is_scaled_exactly || node->live_count > 0) {
    return 0;
  }
  int count = 0;
  for (int r = 0; r < n; r++) {
    if (nsd_node_is_fixed(node, node->row[r]) || !(node->c[r] > 0.0)) {
      return 0;
    }
  }
  for (int i = 0; i < n; i++) {
    if (node->place[n + i] < 0) {
      w->R[count++] = i;
    }
    w->point[i] = nsd_node_value(node, i);
  }
  w->a = tree->A;
  w->d = tree->b;
  mark_basic(node, tree);
  for (int j = 0; j < n; j++) {
    tree->sum[j] = 1.0; /* all columns matter */
  }
  if (!nsd_sure_select(w, count, tree->sum, tree->basic)) {
    return 0;
  }
  read_inverse(node, w);
  if (!nsd_sure_is_regular(w)) {
    return 0;
  }
  nsd_sure_bound_point(w);
  for (int r = 0; r < n; r++) {
    double constant;
    const double *t = functional(tree, node->row[r], tree->sum, &constant);
    if (nsd_sure_sign_at_point(w, t, constant) != 1) {
      return 0;
    }
  }
  return 1;
}

/* ---- in exact arithmetic ----------------------------------------------------------------------------------
 */

static nsd_exact_end start(const nsd_node *node, nsd_tree *tree)
{
  nsd_exact *exact = tree->exact;
  const nsd_lcp_problem *p = tree->problem;
  if (!tree->exact_is_loaded) {
    tree->status = nsd_exact_load(exact, p->n, p->n, p->A, p->lda, p->b, tree->exact_work);
    tree->exact_is_loaded = 1;
  }
  if (tree->status) {
    return NSD_EXACT_UNKNOWN;
  }
  for (int k = 0; k < 2 * node->n; k++) {
    tree->ask[k] = nsd_node_is_fixed(node, k) ? NSD_EXACT_ZERO : NSD_EXACT_POSITIVE;
    tree->basic[k] = node->place[k] >= 0 && node->c[node->place[k]] > 0.0;
  }
  return nsd_exact_open(exact, tree->ask, tree->basic);
}

/* From the problem's units to the tree's. */
static int unit_of(const nsd_tree *tree, int k)
{
  return k < tree->n ? -tree->scale.column[k] : tree->scale.row[k - tree->n];
}

/* The exact tableau into the node, and what is asked to be zero. */
static nsd_node_end import(nsd_node *node, nsd_tree *tree)
{
  const nsd_exact *exact = tree->exact;
  const int n = node->n;
  int covered = 0;
  for (int k = 0; k < 2 * n; k++) {
    node->place[k] = exact->place[k];
    if (exact->ask[k] == NSD_EXACT_ZERO && !nsd_node_is_fixed(node, k)) {
      covered |= node->state[k] & NSD_WANTED;
      node->state[k] |= NSD_FIXED;
    }
  }
  node->live_count = node->proof_count = 0;
  for (int r = 0; r < n; r++) {
    node->row[r] = exact->row[r];
    node->c[r] = nsd_exact_constant(exact, r, unit_of(tree, exact->row[r]));
  }
  for (int s = 0; s < n; s++) {
    const int32_t k = exact->column[s];
    node->slot[s] = k;
    if (nsd_node_is_fixed(node, k)) {
      if (k < n) {
        continue;
      }
      node->proof[node->proof_count++] = s;
    } else {
      node->live[node->live_count++] = s;
    }
    double *C = nsd_node_column(node, s);
    memset(C, 0, (size_t)node->ld * sizeof *C);
    for (int r = 0; r < n; r++) {
      C[r] = nsd_exact_element(exact, r, s, unit_of(tree, exact->row[r]) - unit_of(tree, k));
    }
    (void)nsd_poll_stops(&tree->poll, 200.0 * n);
  }
  node->age = 0;
  node->is_exact = 1;
  return covered ? NSD_NODE_COVERED : NSD_NODE_OPEN;
}

/* Whether it is decided; if not, that is doubtful, and the tree goes on without exact arithmetic. */
static int is_decided(nsd_tree *tree, nsd_exact_end end)
{
  if (end != NSD_EXACT_UNKNOWN) {
    return 1;
  }
  tree->status = tree->status ? tree->status : tree->exact->status;
  tree->exact = NULL;
  tree->doubtful++;
  return 0;
}

static int conclude(nsd_node *node, nsd_tree *tree, nsd_exact_end decided, nsd_node_end *end)
{
  if (!is_decided(tree, decided)) {
    return 0;
  }
  *end = decided == NSD_EXACT_EMPTY ? NSD_NODE_EMPTY : import(node, tree);
  return 1;
}

int nsd_certain_start(nsd_node *node, nsd_tree *tree, nsd_node_end *end)
{
  return conclude(node, tree, start(node, tree), end);
}

int nsd_certain_close(nsd_node *node, nsd_tree *tree, nsd_node_end *end)
{
  nsd_exact_end decided = start(node, tree);
  if (decided == NSD_EXACT_OPEN) {
    decided = nsd_exact_close(tree->exact);
  }
  return conclude(node, tree, decided, end);
}

int nsd_certain_vanishes(const nsd_node *node, nsd_tree *tree, int k, int *vanishes)
{
  nsd_exact_end decided = start(node, tree);
  const int reached = decided == NSD_EXACT_OPEN ? nsd_exact_reaches(tree->exact, k, 1) : 0;
  decided = reached < 0 ? NSD_EXACT_UNKNOWN : decided;
  *vanishes = !reached;
  return is_decided(tree, decided);
}
