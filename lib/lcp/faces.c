/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/faces.h"

#include <string.h>

#include "base/simd.h"

#define CANCELLED 0x1p-40 /* a value that lost so much of its terms is zero */

void nsd_faces_init(nsd_faces *faces, nsdyn_context *ctx)
{
  memset(faces, 0, sizeof *faces);
  faces->ctx = ctx;
}

void nsd_faces_lay_out(nsd_arena *arena, nsd_faces *faces, int n)
{
  faces->rows = nsd_arena_take(arena, (size_t)n, sizeof *faces->rows);
  faces->taken = nsd_arena_take(arena, (size_t)n, sizeof *faces->taken);
  faces->shared = nsd_arena_take(arena, (size_t)(2 * n + 1) / 64 + 1, sizeof *faces->shared);
}

static void release_blocks(nsd_faces *faces)
{
  nsd_release(faces->ctx, faces->values, faces->values_bytes, 1);
  nsd_release(faces->ctx, faces->zeros, faces->zeros_bytes, 1);
  nsd_release(faces->ctx, faces->side, faces->side_bytes, 1);
  faces->values = NULL;
  faces->zeros = NULL;
  faces->side = NULL;
  faces->values_bytes = faces->zeros_bytes = faces->side_bytes = 0;
  faces->count = faces->capacity = 0;
}

void nsd_faces_release(nsd_faces *faces)
{
  release_blocks(faces);
}

/* Generators that fit into the blocks at hand. */
static void measure(nsd_faces *faces)
{
  size_t capacity = faces->side_bytes;
  const size_t by_values = faces->values_bytes / ((size_t)faces->width * sizeof *faces->values);
  const size_t by_zeros = faces->zeros_bytes / ((size_t)faces->words * sizeof *faces->zeros);
  capacity = by_values < capacity ? by_values : capacity;
  faces->capacity = by_zeros < capacity ? by_zeros : capacity;
}

/* Room for one more generator at least. */
static nsdyn_status grow(nsd_faces *faces)
{
  const size_t capacity = faces->capacity ? 2 * faces->capacity : 64;
  const size_t width = (size_t)faces->width * sizeof *faces->values;
  const size_t words = (size_t)faces->words * sizeof *faces->zeros;
  if (capacity > SIZE_MAX / 16 / (width + words + 1)) {
    return NSDYN_ERR_TOO_LARGE;
  }
  nsd_faces larger = *faces;
  larger.values_bytes = capacity * width;
  larger.zeros_bytes = capacity * words;
  larger.side_bytes = capacity;
  larger.values = nsd_allocate(faces->ctx, larger.values_bytes, 1);
  larger.zeros = nsd_allocate(faces->ctx, larger.zeros_bytes, 1);
  larger.side = nsd_allocate(faces->ctx, larger.side_bytes, 1);
  if (!larger.values || !larger.zeros || !larger.side) {
    release_blocks(&larger);
    return NSDYN_ERR_NOMEM;
  }
  if (faces->count) {
    memcpy(larger.values, faces->values, faces->count * width);
    memcpy(larger.zeros, faces->zeros, faces->count * words);
    memcpy(larger.side, faces->side, faces->count);
  }
  larger.capacity = capacity;
  larger.count = faces->count;
  release_blocks(faces);
  *faces = larger;
  return NSDYN_OK;
}

static double *values(const nsd_faces *faces, size_t g)
{
  return faces->values + g * (size_t)faces->width;
}

static uint64_t *zeros(const nsd_faces *faces, size_t g)
{
  return faces->zeros + g * (size_t)faces->words;
}

/* Zero set of coordinates and rows taken in. Bits: 0 is t, 1 … d is w, then the rows. */
static void find_zeros(const nsd_faces *faces, size_t g, int d)
{
  const double *v = values(faces, g);
  uint64_t *set = zeros(faces, g);
  memset(set, 0, (size_t)faces->words * sizeof *set);
  for (int k = 0; k < faces->width; k++) {
    if (v[k] == 0.0 && (k <= d || faces->taken[k - d - 1])) {
      set[k / 64] |= (uint64_t)1 << (k % 64);
    }
  }
}

/* Divides by the largest coordinate, so that long chains neither overflow nor vanish. */
static void normalize(const nsd_faces *faces, size_t g, int d)
{
  double *v = values(faces, g);
  double most = 0.0;
  for (int k = 0; k <= d; k++) {
    most = v[k] > most ? v[k] : most;
  }
  for (int k = 0; k < faces->width; k++) {
    v[k] /= most;
  }
}

/* The unit vectors of t and w. */
static nsdyn_status begin(nsd_faces *faces, const nsd_node *node)
{
  const int d = node->live_count;
  faces->row_count = 0;
  for (int r = 0; r < node->n; r++) {
    if (!nsd_node_is_fixed(node, node->row[r])) {
      faces->taken[faces->row_count] = 0;
      faces->rows[faces->row_count++] = r;
    }
  }
  faces->width = 1 + d + faces->row_count;
  faces->words = (faces->width + 63) / 64;
  faces->count = 0;
  measure(faces);
  for (int g = 0; g <= d; g++) {
    nsdyn_status status;
    if (faces->count == faces->capacity && (status = grow(faces))) {
      return status;
    }
    faces->count++;
    double *v = values(faces, (size_t)g);
    memset(v, 0, (size_t)faces->width * sizeof *v);
    v[g] = 1.0;
    const double *from = g == 0 ? node->c : nsd_node_column(node, node->live[g - 1]);
    for (int k = 0; k < faces->row_count; k++) {
      v[1 + d + k] = from[faces->rows[k]];
    }
    find_zeros(faces, (size_t)g, d);
  }
  return NSDYN_OK;
}

/* The row, not yet taken in, that makes the fewest new candidates: (generators before) × (behind). −1 where
 * none is left. */
static int next_row(const nsd_faces *faces, int d)
{
  double least = INFINITY;
  int best = -1;
  for (int k = 0; k < faces->row_count; k++) {
    if (faces->taken[k]) {
      continue;
    }
    double before = 0.0, behind = 0.0;
    for (size_t g = 0; g < faces->count; g++) {
      const double value = values(faces, g)[1 + d + k];
      before += value > 0.0 ? 1.0 : 0.0;
      behind += value < 0.0 ? 1.0 : 0.0;
    }
    if (before * behind < least) {
      least = before * behind;
      best = k;
    }
  }
  return best;
}

/* In parallel: bits of pairs, of nibbles, of bytes, and the sum of all bytes. */
static int count_bits(uint64_t word)
{
  word -= word >> 1 & 0x5555555555555555u;
  word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return (int)(word * 0x0101010101010101u >> 56);
}

NSD_INLINE int has_all(int words, const uint64_t *set, const uint64_t *part)
{
  uint64_t missing = 0;
  for (int w = 0; w < words; w++) {
    missing |= part[w] & ~set[w];
  }
  return missing == 0;
}

/* A generator that has all of `shared`, but for p and q; `count` where there is none. */
NSD_INLINE size_t find_third(int words, const uint64_t *shared, const uint64_t *sets, size_t count, size_t p,
                             size_t q)
{
  size_t g = 0;
  while (g < count && (!has_all(words, sets + g * (size_t)words, shared) || g == p || g == q)) {
    g++;
  }
  return g;
}

/* Whether p and q span an edge of the cone, of dimension d + 1: they share d − 1 zeros at least, and no other
 * generator has them all. The one that had all of the last pair (`third`) is asked first. */
static int adjacent(const nsd_faces *faces, size_t p, size_t q, size_t count, int d, size_t *third)
{
  const int words = faces->words;
  const uint64_t *zp = zeros(faces, p);
  const uint64_t *zq = zeros(faces, q);
  uint64_t *shared = faces->shared;
  int bits = 0;
  for (int w = 0; w < words; w++) {
    shared[w] = zp[w] & zq[w];
    bits += count_bits(shared[w]);
  }
  if (bits < d - 1) {
    return 0;
  }
  if (*third < count && *third != p && *third != q && has_all(words, zeros(faces, *third), shared)) {
    return 0;
  }
  *third = words == 1   ? find_third(1, shared, faces->zeros, count, p, q)
           : words == 2 ? find_third(2, shared, faces->zeros, count, p, q)
                        : find_third(words, shared, faces->zeros, count, p, q);
  return *third == count;
}

/* Where the edge from p (before the row) to q (behind it) meets row k. */
static nsdyn_status add_crossing(nsd_faces *faces, size_t p, size_t q, int k, int d)
{
  nsdyn_status status;
  if (faces->count == faces->capacity && (status = grow(faces))) {
    return status;
  }
  const size_t g = faces->count++;
  const double *vp = values(faces, p);
  const double *vq = values(faces, q);
  double *v = values(faces, g);
  const double before = vp[1 + d + k];
  const double behind = -vq[1 + d + k];
  for (int j = 0; j < faces->width; j++) {
    const double left = before * vq[j];
    const double right = behind * vp[j];
    const double value = left + right;
    v[j] = fabs(value) < CANCELLED * fabs(left) ? 0.0 : value;
  }
  v[1 + d + k] = 0.0;
  normalize(faces, g, d);
  faces->side[g] = 0;
  return NSDYN_OK;
}

/* Takes in row k. */
static nsdyn_status take(nsd_faces *faces, int k, int d)
{
  const size_t count = faces->count;
  int any = 0;
  for (size_t g = 0; g < count; g++) {
    const double value = values(faces, g)[1 + d + k];
    faces->side[g] = (int8_t)(value > 0.0 ? 1 : value < 0.0 ? -1 : 0);
    any |= value < 0.0;
  }
  size_t third = count;
  for (size_t p = 0; any && p < count; p++) {
    for (size_t q = 0; faces->side[p] > 0 && q < count; q++) {
      if (faces->side[q] < 0 && adjacent(faces, p, q, count, d, &third)) {
        const nsdyn_status status = add_crossing(faces, p, q, k, d);
        if (status) {
          return status;
        }
      }
    }
    if ((p % 64 == 63 || count > 1024) && nsd_progress(faces->ctx, "listing vertices", -1.0)) {
      return NSDYN_CANCELLED;
    }
  }
  faces->taken[k] = 1;
  size_t kept = 0;
  for (size_t g = 0; g < faces->count; g++) {
    if (faces->side[g] < 0) {
      continue;
    }
    if (kept != g) {
      memcpy(values(faces, kept), values(faces, g), (size_t)faces->width * sizeof *faces->values);
    }
    find_zeros(faces, kept, d);
    kept++;
  }
  faces->count = kept;
  return NSDYN_OK;
}

nsdyn_status nsd_faces_run(nsd_faces *faces, const nsd_node *node)
{
  const int d = node->live_count;
  nsdyn_status status = begin(faces, node);
  int k;
  while (status == NSDYN_OK && (k = next_row(faces, d)) >= 0) {
    status = take(faces, k, d);
  }
  return status;
}

int nsd_faces_get(const nsd_faces *faces, const nsd_node *node, size_t g, double *z)
{
  const int d = node->live_count;
  const double *v = values(faces, g);
  const double t = v[0];
  const double unit = t > 0.0 ? 1.0 / t : 1.0;
  for (int k = 0; k < 2 * node->n; k++) {
    z[k] = 0.0;
  }
  for (int k = 0; k < d; k++) {
    z[node->slot[node->live[k]]] = v[1 + k] * unit;
  }
  for (int k = 0; k < faces->row_count; k++) {
    z[node->row[faces->rows[k]]] = v[1 + d + k] * unit;
  }
  return t > 0.0;
}
