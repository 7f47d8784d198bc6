/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/node.h"

#include <string.h>

#include "base/assert.h"
#include "base/cpu.h"
#include "base/simd.h"

#define CANCELLED 0x1p-46 /* an element that lost so much of itself is zero */
#define NOISE 0x1p-40     /* c below this part of its terms is zero */
#define PIVOT 1e-12       /* smallest pivot, relative to its column */

void nsd_node_lay_out(nsd_arena *arena, nsd_node *node, int n)
{
  const size_t size = (size_t)n;
  const size_t ld = (size_t)nsd_node_ld(n);
  node->n = n;
  node->ld = (int)ld;
  node->T = nsd_arena_take(arena, size * ld, sizeof *node->T);
  node->c = nsd_arena_take(arena, ld, sizeof *node->c);
  node->row = nsd_arena_take(arena, size, sizeof *node->row);
  node->slot = nsd_arena_take(arena, size, sizeof *node->slot);
  node->live = nsd_arena_take(arena, size, sizeof *node->live);
  node->proof = nsd_arena_take(arena, size, sizeof *node->proof);
  node->place = nsd_arena_take(arena, 2 * size, sizeof *node->place);
  node->state = nsd_arena_take(arena, 2 * size, sizeof *node->state);
}

static void copy_columns(nsd_node *to, const nsd_node *from, const int32_t *slots, int count)
{
  const size_t bytes = (size_t)from->ld * sizeof *from->T;
  for (int k = 0; k < count; k++) {
    memcpy(nsd_node_column(to, slots[k]), nsd_node_column(from, slots[k]), bytes);
  }
}

void nsd_node_copy(nsd_node *to, const nsd_node *from)
{
  const size_t size = (size_t)from->n;
  const size_t ld = (size_t)from->ld;
  if (size == 0) {
    to->live_count = to->proof_count = 0;
    to->weight = from->weight;
    return;
  }
  copy_columns(to, from, from->live, from->live_count);
  copy_columns(to, from, from->proof, from->proof_count);
  memcpy(to->c, from->c, ld * sizeof *to->c);
  memcpy(to->row, from->row, size * sizeof *to->row);
  memcpy(to->slot, from->slot, size * sizeof *to->slot);
  memcpy(to->live, from->live, (size_t)from->live_count * sizeof *to->live);
  memcpy(to->proof, from->proof, (size_t)from->proof_count * sizeof *to->proof);
  memcpy(to->place, from->place, 2 * size * sizeof *to->place);
  memcpy(to->state, from->state, 2 * size * sizeof *to->state);
  to->live_count = from->live_count;
  to->proof_count = from->proof_count;
  to->age = from->age;
  to->weight = from->weight;
}

/* ---- the exchange -------------------------------------------------------------------------------- */

/* C := C − f S, what cancels becoming zero. */
NSD_INLINE void eliminate(int ld, double f, const double *restrict S, double *restrict C)
{
  NSD_SIMD
  for (int i = 0; i < ld; i++) {
    const double value = C[i] - f * S[i];
    C[i] = fabs(value) < CANCELLED * fabs(C[i]) ? 0.0 : value;
  }
}

NSD_INLINE void exchange_columns(nsd_node *node, const int32_t *slots, int count, int r, int s,
                                 double inverse)
{
  const double *S = nsd_node_column(node, s);
  for (int k = 0; k < count; k++) {
    double *C = nsd_node_column(node, slots[k]);
    if (slots[k] != s && C[r] != 0.0) {
      const double f = C[r] * inverse;
      eliminate(node->ld, f, S, C);
      C[r] = -f;
    }
  }
}

NSD_INLINE void exchange_all(nsd_node *node, int r, int s)
{
  double *restrict S = nsd_node_column(node, s);
  const double inverse = 1.0 / S[r];
  exchange_columns(node, node->live, node->live_count, r, s, inverse);
  exchange_columns(node, node->proof, node->proof_count, r, s, inverse);
  if (node->c[r] != 0.0) {
    const double f = node->c[r] * inverse;
    eliminate(node->ld, f, S, node->c);
    node->c[r] = -f;
  }
  NSD_SIMD
  for (int i = 0; i < node->ld; i++) {
    S[i] *= inverse;
  }
  S[r] = inverse;
}

static void exchange_plain(nsd_node *node, int r, int s)
{
  exchange_all(node, r, s);
}

#if NSD_HAVE_AVX2
__attribute__((target("avx2"))) static void exchange_avx2(nsd_node *node, int r, int s)
{
  exchange_all(node, r, s);
}
#else
static void exchange_avx2(nsd_node *node, int r, int s)
{
  exchange_all(node, r, s);
}
#endif

void nsd_node_exchange(nsd_node *node, nsd_tree *tree, int r, int s)
{
  NSD_ASSERT(nsd_node_column(node, s)[r] != 0.0);
  if (nsd_cpu_avx2()) {
    exchange_avx2(node, r, s);
  } else {
    exchange_plain(node, r, s);
  }
  const int32_t leaves = node->row[r];
  const int32_t enters = node->slot[s];
  node->row[r] = enters;
  node->slot[s] = leaves;
  node->place[enters] = r;
  node->place[leaves] = ~s;
  tree->pivots++;
  node->age++;
}

/* ---- which columns count ------------------------------------------------------------------------- */

/* Takes the column of an unknown that is now fixed out of play. */
void nsd_node_retire(nsd_node *node, int s)
{
  int k = 0;
  while (node->live[k] != s) {
    k++;
  }
  node->live[k] = node->live[--node->live_count];
  if (node->slot[s] >= node->n) {
    node->proof[node->proof_count++] = s;
  }
}

/* Whether T_rs is large enough in its column to divide by; if not it becomes zero, since it is noise. */
static double column_size(const nsd_node *node, const double *C)
{
  double most = 0.0;
  NSD_SIMD_MAX(most)
  for (int i = 0; i < node->n; i++) {
    most = fabs(C[i]) > most ? fabs(C[i]) : most;
  }
  return most;
}

int nsd_node_accept(const nsd_node *node, int r, int s)
{
  double *C = nsd_node_column(node, s);
  if (fabs(C[r]) >= PIVOT * column_size(node, C)) {
    return 1;
  }
  C[r] = 0.0;
  return 0;
}

void nsd_node_denoise(const nsd_node *node)
{
  for (int k = 0; k < node->live_count; k++) {
    double *C = nsd_node_column(node, node->live[k]);
    const double noise = PIVOT * column_size(node, C);
    for (int i = 0; i < node->n; i++) {
      C[i] = fabs(C[i]) < noise ? 0.0 : C[i];
    }
  }
}

/* ---- steps --------------------------------------------------------------------------------------- */

static int blocking(const nsd_node *node, int s, int target, int bland)
{
  const double *S = nsd_node_column(node, s);
  int best = target;
  for (int i = 0; i < node->n; i++) {
    if (i == target || S[i] >= 0.0 || node->c[i] < 0.0) {
      continue;
    }
    if (best < 0) {
      best = i;
      continue;
    }
    const double left = node->c[i] * fabs(S[best]);
    const double right = fabs(node->c[best]) * -S[i];
    const int tie = left == right && best != target;
    if (left < right || (tie && (bland ? node->row[i] < node->row[best] : S[i] < S[best]))) {
      best = i;
    }
  }
  return best;
}

int nsd_node_blocking(const nsd_node *node, int s, int target, int bland)
{
  for (;;) {
    const int r = blocking(node, s, target, bland);
    if (r < 0 || r == target || nsd_node_accept(node, r, s)) {
      return r;
    }
  }
}

void nsd_node_step(nsd_node *node, nsd_tree *tree, int r, int s)
{
  double *old = tree->magnitude;
  memcpy(old, node->c, (size_t)node->ld * sizeof *old);
  nsd_node_exchange(node, tree, r, s);
  for (int i = 0; i < node->n; i++) {
    if (node->c[i] < 0.0 && (old[i] >= 0.0 || i == r)) {
      node->c[i] = 0.0;
    }
  }
}

NSD_INLINE void add_size(int ld, double b, const double *restrict C, double *restrict size)
{
  NSD_SIMD
  for (int i = 0; i < ld; i++) {
    size[i] += b * fabs(C[i]);
  }
}

static void add_sizes(const nsd_node *node, const nsd_tree *tree, const int32_t *slots, int count)
{
  for (int k = 0; k < count; k++) {
    const int32_t unknown = node->slot[slots[k]];
    const double b = unknown < node->n ? 0.0 : fabs(tree->b[unknown - node->n]);
    if (b != 0.0) {
      add_size(node->ld, b, nsd_node_column(node, slots[k]), tree->magnitude);
    }
  }
}

void nsd_node_clean(nsd_node *node, nsd_tree *tree)
{
  double *size = tree->magnitude;
  for (int i = 0; i < node->ld; i++) {
    size[i] = 0.0;
  }
  for (int i = 0; i < node->n; i++) {
    size[i] = node->row[i] < node->n ? 0.0 : fabs(tree->b[node->row[i] - node->n]);
  }
  add_sizes(node, tree, node->live, node->live_count);
  add_sizes(node, tree, node->proof, node->proof_count);
  for (int i = 0; i < node->n; i++) {
    if (fabs(node->c[i]) <= NOISE * size[i]) {
      node->c[i] = 0.0;
    }
  }
}

/* ---- afresh ---------------------------------------------------------------------------------------- */

/* The columns of the tableau y = A x + b that the basis can need: all but those of x fixed outside it. */
static void load_columns(nsd_node *node, const nsd_tree *tree)
{
  const int n = node->n;
  node->live_count = 0;
  node->proof_count = 0;
  node->age = 0;
  for (int j = 0; j < n; j++) {
    node->slot[j] = j;
    node->place[j] = ~j;
    if ((node->state[j] & NSD_FIXED) && !(node->state[j] & NSD_TO_BASIS)) {
      continue;
    }
    double *C = nsd_node_column(node, j);
    for (int i = 0; i < n; i++) {
      C[i] = tree->A[(size_t)i * (size_t)n + (size_t)j];
    }
    for (int i = n; i < node->ld; i++) {
      C[i] = 0.0;
    }
    node->live[node->live_count++] = j;
  }
  for (int i = 0; i < node->ld; i++) {
    node->c[i] = i < n ? tree->b[i] : 0.0;
  }
  for (int i = 0; i < n; i++) {
    node->row[i] = n + i;
    node->place[n + i] = i;
  }
}

/* The largest element at which an unknown may enter that shall be basic for one that shall not. Returns 0
 * where none is left to enter, −1 where there is no such element. */
static int next_exchange(const nsd_node *node, int *r, int *s)
{
  double most = 0.0;
  int wanted = 0;
  for (int k = 0; k < node->live_count; k++) {
    if (!(node->state[node->slot[node->live[k]]] & NSD_TO_BASIS)) {
      continue;
    }
    wanted = 1;
    const double *C = nsd_node_column(node, node->live[k]);
    for (int i = 0; i < node->n; i++) {
      if (!(node->state[node->row[i]] & NSD_TO_BASIS) && fabs(C[i]) > most) {
        most = fabs(C[i]);
        *r = i;
        *s = node->live[k];
      }
    }
  }
  return most > 0.0 ? 1 : wanted ? -1 : 0;
}

void nsd_node_load(nsd_node *node, const nsd_tree *tree)
{
  memset(node->state, 0, 2 * (size_t)node->n);
  node->weight = 1.0;
  load_columns(node, tree);
}

int nsd_node_refresh(nsd_node *node, nsd_tree *tree)
{
  for (int k = 0; k < 2 * node->n; k++) {
    const int keep = node->state[k] & (NSD_FIXED | NSD_WANTED | NSD_POSITIVE); /* P is the same */
    node->state[k] = (uint8_t)(keep | (node->place[k] >= 0 ? NSD_TO_BASIS : 0));
  }
  load_columns(node, tree);
  int r = 0, s = 0, more;
  while ((more = next_exchange(node, &r, &s)) > 0) {
    nsd_node_exchange(node, tree, r, s);
  }
  for (int k = node->live_count - 1; k >= 0; k--) {
    if (nsd_node_is_fixed(node, node->slot[node->live[k]])) {
      nsd_node_retire(node, node->live[k]);
    }
  }
  return more == 0;
}
