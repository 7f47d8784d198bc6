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
#define COLUMN_READ 60.0  /* multiplications that take as long as to read an element out of a column */
#define PIVOT 1e-12       /* smallest pivot, relative to its column */

void nsd_node_lay_out(nsd_arena *arena, nsd_node *node, int n)
{
  const size_t size = (size_t)n;
  const size_t ld = (size_t)nsd_node_ld(n);
  node->n = n;
  node->ld = (int)ld;
  node->T = nsd_arena_take(arena, size * ld, sizeof *node->T);
  node->c = nsd_arena_take(arena, ld, sizeof *node->c);
  node->ratio = nsd_arena_take(arena, ld, sizeof *node->ratio);
  node->row = nsd_arena_take(arena, size, sizeof *node->row);
  node->slot = nsd_arena_take(arena, size, sizeof *node->slot);
  node->live = nsd_arena_take(arena, size, sizeof *node->live);
  node->proof = nsd_arena_take(arena, size, sizeof *node->proof);
  node->few = nsd_arena_take(arena, size, sizeof *node->few);
  node->place = nsd_arena_take(arena, 2 * size, sizeof *node->place);
  node->state = nsd_arena_take(arena, 2 * size, sizeof *node->state);
}

static void copy_columns(nsd_node *to, const nsd_node *from, const int32_t *slots, int count, nsd_poll *poll)
{
  const size_t bytes = (size_t)from->ld * sizeof *from->T;
  for (int k = 0; k < count; k++) {
    memcpy(nsd_node_column(to, slots[k]), nsd_node_column(from, slots[k]), bytes);
    (void)nsd_poll_stops(poll, 3.0 * from->ld);
  }
}

void nsd_node_copy(nsd_node *to, const nsd_node *from, nsd_poll *poll)
{
  const size_t size = (size_t)from->n;
  const size_t ld = (size_t)from->ld;
  if (size == 0) {
    to->live_count = to->proof_count = 0;
    to->weight = from->weight;
    to->is_exact = from->is_exact;
    return;
  }
  copy_columns(to, from, from->live, from->live_count, poll);
  copy_columns(to, from, from->proof, from->proof_count, poll);
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
  to->is_exact = from->is_exact;
  to->weight = from->weight;
}

enum { COLUMNS_PER_POLL = 64 };

/* ---- the exchange -------------------------------------------------------------------------------- */

/* a − f s, zero where that cancels. */
NSD_INLINE_LANES nsd_lanes difference(nsd_lanes a, nsd_lanes f, nsd_lanes s)
{
  const nsd_lanes value = a - f * s;
  const nsd_lanes least = nsd_lanes_all(CANCELLED) * nsd_lanes_abs(a);
  return (nsd_lanes)(~(nsd_lanes_bits)(nsd_lanes_abs(value) < least) & (nsd_lanes_bits)value);
}

/* C := C − f S. */
NSD_INLINE void eliminate(int ld, double f, const double *restrict S, double *restrict C)
{
  const nsd_lanes factor = nsd_lanes_all(f);
  for (int i = 0; i < ld; i += NSD_LANES) {
    nsd_lanes_store(C + i, difference(nsd_lanes_load(C + i), factor, nsd_lanes_load(S + i)));
  }
}

/* The same for two columns: S is read once. */
NSD_INLINE void eliminate_two(int ld, double f, double g, const double *restrict S, double *restrict C,
                              double *restrict D)
{
  const nsd_lanes to_C = nsd_lanes_all(f);
  const nsd_lanes to_D = nsd_lanes_all(g);
  for (int i = 0; i < ld; i += NSD_LANES) {
    const nsd_lanes pivot = nsd_lanes_load(S + i);
    nsd_lanes_store(C + i, difference(nsd_lanes_load(C + i), to_C, pivot));
    nsd_lanes_store(D + i, difference(nsd_lanes_load(D + i), to_D, pivot));
  }
}

NSD_INLINE void exchange_columns(nsd_node *node, const int32_t *slots, int count, int r, int s,
                                 double inverse, nsd_poll *poll)
{
  const double *S = nsd_node_column(node, s);
  int kept = 0;
  for (int k = 0; k < count; k++) {
    node->few[kept] = slots[k];
    kept += slots[k] != s && nsd_node_column(node, slots[k])[r] != 0.0;
  }
  int k = 0;
  for (; k + 2 <= kept; k += 2) {
    double *C = nsd_node_column(node, node->few[k]);
    double *D = nsd_node_column(node, node->few[k + 1]);
    const double f = C[r] * inverse;
    const double g = D[r] * inverse;
    eliminate_two(node->ld, f, g, S, C, D);
    C[r] = -f;
    D[r] = -g;
    if (k % COLUMNS_PER_POLL == 0) {
      (void)nsd_poll_stops(poll, COLUMNS_PER_POLL * 2.0 * node->ld);
    }
  }
  if (k < kept) {
    double *C = nsd_node_column(node, node->few[k]);
    const double f = C[r] * inverse;
    eliminate(node->ld, f, S, C);
    C[r] = -f;
  }
}

NSD_INLINE void exchange_all(nsd_node *node, int r, int s, nsd_poll *poll)
{
  double *restrict S = nsd_node_column(node, s);
  const double inverse = 1.0 / S[r];
  exchange_columns(node, node->live, node->live_count, r, s, inverse, poll);
  exchange_columns(node, node->proof, node->proof_count, r, s, inverse, poll);
  if (node->c[r] != 0.0) {
    const double f = node->c[r] * inverse;
    eliminate(node->ld, f, S, node->c);
    node->c[r] = -f;
  }
  const nsd_lanes factor = nsd_lanes_all(inverse);
  for (int i = 0; i < node->ld; i += NSD_LANES) {
    nsd_lanes_store(S + i, nsd_lanes_load(S + i) * factor);
  }
  S[r] = inverse;
}

static void exchange_plain(nsd_node *node, int r, int s, nsd_poll *poll)
{
  exchange_all(node, r, s, poll);
}

NSD_TARGET_AVX2 static void exchange_avx2(nsd_node *node, int r, int s, nsd_poll *poll)
{
  exchange_all(node, r, s, poll);
}

void nsd_node_exchange(nsd_node *node, nsd_tree *tree, int r, int s)
{
  NSD_ASSERT(nsd_node_column(node, s)[r] != 0.0);
  if (nsd_cpu_avx2()) {
    exchange_avx2(node, r, s, &tree->poll);
  } else {
    exchange_plain(node, r, s, &tree->poll);
  }
  const int32_t leaves = node->row[r];
  const int32_t enters = node->slot[s];
  node->row[r] = enters;
  node->slot[s] = leaves;
  node->place[enters] = r;
  node->place[leaves] = ~s;
  tree->pivots++;
  /* The exchange has counted whole batches of columns; the rest, and the looking up of a pivot, counts here.
   */
  if (nsd_poll_stops(&tree->poll, (double)node->ld * (node->live_count + node->proof_count) * 0.5)) {
    tree->status = NSDYN_CANCELLED;
  }
  node->age++;
  node->is_exact = 0;
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

static double column_size(const nsd_node *node, const double *C)
{
  return nsd_lanes_norm(node->ld, C);
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

void nsd_node_denoise(const nsd_node *node, nsd_tree *tree)
{
  for (int k = 0; k < node->live_count; k++) {
    double *C = nsd_node_column(node, node->live[k]);
    const double noise = PIVOT * column_size(node, C);
    for (int i = 0; i < node->n; i++) {
      C[i] = fabs(C[i]) < noise ? 0.0 : C[i];
    }
    (void)nsd_poll_stops(&tree->poll, 3.0 * node->ld);
  }
}

/* ---- steps --------------------------------------------------------------------------------------- */

/* The live columns with sign · T_rs > 0, listed without a branch: which they are cannot be foreseen. */
NSD_INLINE int list_candidates(const nsd_node *node, int r, double sign)
{
  int count = 0;
  for (int k = 0; k < node->live_count; k++) {
    const double t = nsd_node_column(node, node->live[k])[r];
    node->few[count] = node->live[k];
    count += sign == 0.0 ? t != 0.0 : sign * t > 0.0;
  }
  return count;
}

/* Merits are compared without their denominators, t² (1 + |T_best|²) > t_best² (1 + |T_s|²). `length`: |T_s|²
 * of the best. */
NSD_INLINE int steepest(const nsd_node *node, int r, double sign, double *length)
{
  const int count = list_candidates(node, r, sign);
  double most = 0.0; /* t² of the best, over `below` */
  double below = 1.0;
  int best = -1;
  for (int k = 0; k < count; k++) {
    const double *S = nsd_node_column(node, node->few[k]);
    const double t = S[r];
    const double own = nsd_lanes_dot(node->ld, S, S);
    if (best < 0 || t * t * below > most * (1.0 + own)) {
      most = t * t;
      below = 1.0 + own;
      best = node->few[k];
      *length = own;
    }
  }
  return best;
}

static int steepest_plain(const nsd_node *node, int r, double sign, double *length)
{
  return steepest(node, r, sign, length);
}

NSD_TARGET_AVX2 static int steepest_avx2(const nsd_node *node, int r, double sign, double *length)
{
  return steepest(node, r, sign, length);
}

int nsd_node_entering(const nsd_node *node, int r, double sign)
{
  for (;;) {
    double length = 0.0;
    const int s =
        nsd_cpu_avx2() ? steepest_avx2(node, r, sign, &length) : steepest_plain(node, r, sign, &length);
    if (s < 0) {
      return s;
    }
    /* No element of a column is larger than its length. */
    const double t = nsd_node_column(node, s)[r];
    if (t * t >= PIVOT * PIVOT * length || nsd_node_accept(node, r, s)) {
      return s;
    }
  }
}

/* ratio := c / S where an increase of slot s brings c from >= 0 down, −∞ elsewhere. Returns the largest, the
 * nearest to zero, which stops the increase first; `size` := the largest |S|. */
NSD_INLINE double find_ratios(const nsd_node *node, const double *S, double *size)
{
  const nsd_lanes none = nsd_lanes_all(-INFINITY);
  const nsd_lanes zero = nsd_lanes_all(0.0);
  nsd_lanes top = none;
  nsd_lanes most = zero;
  for (int i = 0; i < node->ld; i += NSD_LANES) {
    const nsd_lanes s = nsd_lanes_load(S + i);
    const nsd_lanes c = nsd_lanes_load(node->c + i);
    const nsd_lanes_bits falls = (nsd_lanes_bits)(s < zero) & (nsd_lanes_bits)(c >= zero);
    const nsd_lanes quotient = c / nsd_lanes_choose(falls, s, nsd_lanes_all(-1.0));
    const nsd_lanes ratio = nsd_lanes_choose(falls, quotient, none);
    nsd_lanes_store(node->ratio + i, ratio);
    top = nsd_lanes_max(ratio, top);
    most = nsd_lanes_max(nsd_lanes_abs(s), most);
  }
  *size = nsd_lanes_largest(most);
  return nsd_lanes_largest(top);
}

static double find_ratios_plain(const nsd_node *node, const double *S, double *size)
{
  return find_ratios(node, S, size);
}

NSD_TARGET_AVX2 static double find_ratios_avx2(const nsd_node *node, const double *S, double *size)
{
  return find_ratios(node, S, size);
}

/* Of the rows whose ratio is `top`. */
static int choose_row(const nsd_node *node, const double *S, double top, int bland)
{
  int best = -1;
  for (int i = 0; i < node->n; i++) {
    if (node->ratio[i] == top && (best < 0 || (bland ? node->row[i] < node->row[best] : S[i] < S[best]))) {
      best = i;
    }
  }
  return best;
}

int nsd_node_blocking(const nsd_node *node, int s, int target, int bland)
{
  double *S = nsd_node_column(node, s);
  for (;;) {
    double size;
    const double top = nsd_cpu_avx2() ? find_ratios_avx2(node, S, &size) : find_ratios_plain(node, S, &size);
    if (target >= 0 && (top == -(double)INFINITY || node->c[target] / S[target] >= top)) {
      return target;
    }
    const int r = top == -(double)INFINITY ? -1 : choose_row(node, S, top, bland);
    if (r < 0 || fabs(S[r]) >= PIVOT * size) {
      return r;
    }
    S[r] = 0.0;
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

NSD_INLINE void add_sizes(const nsd_node *node, nsd_tree *tree, const int32_t *slots, int count)
{
  for (int k = 0; k < count; k++) {
    const int32_t unknown = node->slot[slots[k]];
    const double b = unknown < node->n ? 0.0 : fabs(tree->b[unknown - node->n]);
    if (b == 0.0) {
      continue;
    }
    const double *C = nsd_node_column(node, slots[k]);
    const nsd_lanes factor = nsd_lanes_all(b);
    for (int i = 0; i < node->ld; i += NSD_LANES) {
      const nsd_lanes term = factor * nsd_lanes_abs(nsd_lanes_load(C + i));
      nsd_lanes_store(tree->magnitude + i, nsd_lanes_load(tree->magnitude + i) + term);
    }
    (void)nsd_poll_stops(&tree->poll, 2.0 * node->ld);
  }
}

NSD_INLINE void measure_constants(const nsd_node *node, nsd_tree *tree)
{
  for (int i = 0; i < node->ld; i++) {
    const int32_t unknown = i < node->n ? node->row[i] : 0;
    tree->magnitude[i] = unknown < node->n ? 0.0 : fabs(tree->b[unknown - node->n]);
  }
  add_sizes(node, tree, node->live, node->live_count);
  add_sizes(node, tree, node->proof, node->proof_count);
}

static void measure_constants_plain(const nsd_node *node, nsd_tree *tree)
{
  measure_constants(node, tree);
}

NSD_TARGET_AVX2 static void measure_constants_avx2(const nsd_node *node, nsd_tree *tree)
{
  measure_constants(node, tree);
}

void nsd_node_clean(nsd_node *node, nsd_tree *tree)
{
  if (nsd_cpu_avx2()) {
    measure_constants_avx2(node, tree);
  } else {
    measure_constants_plain(node, tree);
  }
  for (int i = 0; i < node->n; i++) {
    if (fabs(node->c[i]) <= NOISE * tree->magnitude[i]) {
      node->c[i] = 0.0;
    }
  }
}

/* ---- afresh ---------------------------------------------------------------------------------------- */

/* The columns of the tableau y = A x + b that the basis can need: all but those of x fixed outside it. */
static void load_columns(nsd_node *node, nsd_tree *tree)
{
  const int n = node->n;
  node->live_count = 0;
  node->proof_count = 0;
  node->age = 0;
  node->is_exact = 0;
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
    (void)nsd_poll_stops(&tree->poll, COLUMN_READ * n);
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
static int next_exchange(const nsd_node *node, nsd_tree *tree, int *r, int *s)
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
    (void)nsd_poll_stops(&tree->poll, 3.0 * node->ld);
  }
  return most > 0.0 ? 1 : wanted ? -1 : 0;
}

void nsd_node_load(nsd_node *node, nsd_tree *tree)
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
  while ((more = next_exchange(node, tree, &r, &s)) > 0 && !tree->status) {
    nsd_node_exchange(node, tree, r, s);
  }
  for (int k = node->live_count - 1; k >= 0; k--) {
    if (nsd_node_is_fixed(node, node->slot[node->live[k]])) {
      nsd_node_retire(node, node->live[k]);
    }
  }
  return more == 0;
}
