/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/witness.h"

#include <float.h>

#include "base/simd.h"
#include "lcp/certain.h"
#include "lcp/judge.h"

#define COLUMN_TOL 0x1p-41 /* (Aᵀv)_j counts as zero below this part of Σ |A_ij v_i| */
#define COLUMN_READ 60.0   /* multiplications that take as long as to read elements out of columns */
#define ZERO_TOL 0x1p-40   /* vᵀb likewise, where a row claims to be zero */

/* A column that counts as zero and is not could be made up for by an x so large that b is lost beside A x.
 * A claim of a sign must be so clear that this takes a million times what b is. Rounding may always leave
 * LEAST of a column. */
#define FAR 0x1p+20
#define LEAST DBL_EPSILON

/* v from row r. Where a sign is needed that rounding has spoiled, v_i = 0: any v proves something. */
static void read_multipliers(const nsd_node *node, const nsd_tree *tree, int r, double sign)
{
  const int n = node->n;
  double *v = tree->multiplier;
  for (int i = 0; i < n; i++) {
    v[i] = 0.0;
  }
  for (int k = 0; k < node->live_count; k++) {
    const int s = node->live[k];
    const double value = -sign * nsd_node_column(node, s)[r];
    if (node->slot[s] >= n && value > 0.0) {
      v[node->slot[s] - n] = value;
    }
  }
  for (int k = 0; k < node->proof_count; k++) {
    const int s = node->proof[k];
    v[node->slot[s] - n] = -sign * nsd_node_column(node, s)[r];
  }
  if (node->row[r] >= n) {
    v[node->row[r] - n] = sign;
  }
}

/* sum := Aᵀv and size := |A|ᵀ|v|, four columns at a time. */
NSD_INLINE void combine(nsd_tree *tree)
{
  const int n = tree->n;
  const double *v = tree->multiplier;
  int j = 0;
  for (; j + NSD_LANES <= n; j += NSD_LANES) {
    nsd_lanes sum = nsd_lanes_all(0.0), size = sum;
    for (int i = 0; i < n; i++) {
      const nsd_lanes a = nsd_lanes_load(tree->A + (size_t)i * (size_t)n + (size_t)j);
      const nsd_lanes factor = nsd_lanes_all(v[i]);
      const nsd_lanes term = factor * a;
      sum += term;
      size += nsd_lanes_abs(term);
    }
    nsd_lanes_store(tree->sum + j, sum);
    nsd_lanes_store(tree->size + j, size);
    (void)nsd_poll_stops(&tree->poll, COLUMN_READ * n);
  }
  for (; j < n; j++) {
    double sum = 0.0, size = 0.0;
    for (int i = 0; i < n; i++) {
      const double term = v[i] * tree->A[(size_t)i * (size_t)n + (size_t)j];
      sum += term;
      size += fabs(term);
    }
    tree->sum[j] = sum;
    tree->size[j] = size;
  }
}

static void combine_plain(nsd_tree *tree)
{
  combine(tree);
}

NSD_TARGET_AVX2 static void combine_avx2(nsd_tree *tree)
{
  combine(tree);
}

int nsd_witness_holds(const nsd_node *node, nsd_tree *tree, int r, nsd_claim claim)
{
  const int n = node->n;
  if (tree->exact) {
    return nsd_certain_claim(node, tree, r, claim);
  }
  if (tree->judge && claim == NSD_ROW_ZERO) {
    return 0;
  }
  read_multipliers(node, tree, r, claim == NSD_ROW_POSITIVE ? -1.0 : 1.0);
  if (tree->judge) {
    const int extra = claim == NSD_ROW_POSITIVE ? node->row[r] : -1;
    return nsd_judge_closes(tree->judge, tree, node, extra, tree->multiplier);
  }
  double constant = 0.0, constant_size = 0.0;
  for (int i = 0; i < n; i++) {
    const double term = tree->multiplier[i] * tree->b[i];
    constant += term;
    constant_size += fabs(term);
  }
  if (nsd_cpu_avx2()) {
    combine_avx2(tree);
  } else {
    combine_plain(tree);
  }
  double largest = LEAST; /* part of a column's size that is left of it */
  for (int j = 0; j < n; j++) {
    const int free = !nsd_node_is_fixed(node, j) && !(claim == NSD_ROW_POSITIVE && j == node->row[r]);
    if (free && tree->sum[j] > largest * tree->size[j]) {
      largest = tree->sum[j] / tree->size[j];
    }
  }
  if (!(largest <= COLUMN_TOL)) {
    return 0;
  }
  if (claim == NSD_ROW_ZERO) {
    return fabs(constant) <= ZERO_TOL * constant_size;
  }
  return constant < -FAR * largest * constant_size;
}
