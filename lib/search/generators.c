/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/generators.h"

#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

void nsd_generators_init(nsd_generators *w, nsdyn_context *ctx)
{
  memset(w, 0, sizeof *w);
  w->ctx = ctx;
}

void nsd_generators_lay_out(nsd_arena *arena, nsd_generators *w, int rows, int columns)
{
  const size_t m = (size_t)rows;
  const size_t n = (size_t)columns;
  w->rows = nsd_arena_take(arena, m, sizeof *w->rows);
  w->columns = nsd_arena_take(arena, n, sizeof *w->columns);
  w->taken = nsd_arena_take(arena, m, sizeof *w->taken);
  w->shared = nsd_arena_take(arena, (m + n + 1) / 64 + 1, sizeof *w->shared);
}

static void release_blocks(nsd_generators *w)
{
  nsd_release(w->ctx, w->values, w->values_bytes, 1);
  nsd_release(w->ctx, w->zeros, w->zeros_bytes, 1);
  nsd_release(w->ctx, w->side, w->side_bytes, 1);
  w->values = NULL;
  w->zeros = NULL;
  w->side = NULL;
  w->values_bytes = w->zeros_bytes = w->side_bytes = 0;
  w->count = w->capacity = 0;
}

void nsd_generators_release(nsd_generators *w)
{
  release_blocks(w);
}

/* Generators that fit into the blocks at hand. */
static void measure(nsd_generators *w)
{
  size_t capacity = w->side_bytes;
  const size_t by_values = w->values_bytes / ((size_t)w->width * sizeof *w->values);
  const size_t by_zeros = w->zeros_bytes / ((size_t)w->words * sizeof *w->zeros);
  capacity = by_values < capacity ? by_values : capacity;
  w->capacity = by_zeros < capacity ? by_zeros : capacity;
}

static double *values(const nsd_generators *w, size_t g)
{
  return w->values + g * (size_t)w->width;
}

static uint64_t *zeros(const nsd_generators *w, size_t g)
{
  return w->zeros + g * (size_t)w->words;
}

/* Room for one more generator at least. */
static nsdyn_status grow(nsd_generators *w)
{
  const size_t capacity = w->capacity ? 2 * w->capacity : 64;
  const size_t width = (size_t)w->width * sizeof *w->values;
  const size_t words = (size_t)w->words * sizeof *w->zeros;
  if (capacity > SIZE_MAX / 16 / (width + words + 1)) {
    return NSDYN_ERR_TOO_LARGE;
  }
  nsd_generators larger = *w;
  larger.values_bytes = capacity * width;
  larger.zeros_bytes = capacity * words;
  larger.side_bytes = capacity;
  larger.values = nsd_allocate(w->ctx, larger.values_bytes, 1);
  larger.zeros = nsd_allocate(w->ctx, larger.zeros_bytes, 1);
  larger.side = nsd_allocate(w->ctx, larger.side_bytes, 1);
  if (!larger.values || !larger.zeros || !larger.side) {
    release_blocks(&larger);
    return NSDYN_ERR_NOMEM;
  }
  for (size_t g = 0; g < w->count; g++) {
    memcpy(larger.values + g * (size_t)w->width, values(w, g), width);
    memcpy(larger.zeros + g * (size_t)w->words, zeros(w, g), words);
    larger.side[g] = w->side[g];
    (void)nsd_poll_stops(&w->poll, (NSD_POLL_READ + NSD_POLL_FETCH) * w->width);
  }
  larger.poll = w->poll;
  larger.capacity = capacity;
  larger.count = w->count;
  release_blocks(w);
  *w = larger;
  return NSDYN_OK;
}

/* Zero set of coordinates and rows taken in. Bits: 0 is t, 1 … d is w, then the rows. */
static void find_zeros(const nsd_generators *w, size_t g, int d)
{
  const double *v = values(w, g);
  uint64_t *set = zeros(w, g);
  memset(set, 0, (size_t)w->words * sizeof *set);
  for (int k = 0; k < w->width; k++) {
    if (v[k] == 0.0 && (k <= d || w->taken[k - d - 1])) {
      set[k / 64] |= (uint64_t)1 << (k % 64);
    }
  }
}

/* Divides by the largest coordinate, so that long chains neither overflow nor vanish. */
static void normalize(const nsd_generators *w, size_t g, int d)
{
  double *v = values(w, g);
  double most = 0.0;
  for (int k = 0; k <= d; k++) {
    most = v[k] > most ? v[k] : most;
  }
  /* A generator stands for a ray of the cone, so that any positive factor is the same. */
  for (int k = 0; k < w->width; k++) {
    v[k] /= most;
  }
}

/* The unit vectors of t and w. */
static nsdyn_status begin(nsd_generators *w, const nsd_cell *cell)
{
  w->row_count = w->column_count = 0;
  for (int r = 0; r < cell->rows; r++) {
    if (cell->ask[cell->row[r]] == NSD_ASK_POSITIVE) {
      w->taken[w->row_count] = 0;
      w->rows[w->row_count++] = r;
    }
  }
  for (int l = 0; l < cell->live_count; l++) {
    if (!nsd_cell_is_free(cell, cell->live[l])) {
      w->columns[w->column_count++] = cell->live[l];
    }
  }
  const int d = w->column_count;
  w->width = 1 + d + w->row_count;
  w->words = (w->width + 63) / 64;
  w->count = 0;
  measure(w);
  for (int g = 0; g <= d; g++) {
    nsdyn_status status;
    if (w->count == w->capacity && (status = grow(w))) {
      return status;
    }
    if (nsd_poll_stops(&w->poll, NSD_POLL_READ * w->width)) {
      return NSDYN_CANCELLED;
    }
    w->count++;
    double *v = values(w, (size_t)g);
    memset(v, 0, (size_t)w->width * sizeof *v);
    /* t = 1 has the row values c, w_s = 1 has those of column s. */
    v[g] = 1.0;
    const double *from = g == 0 ? cell->c : nsd_cell_column(cell, w->columns[g - 1]);
    for (int k = 0; k < w->row_count; k++) {
      v[1 + d + k] = from[w->rows[k]];
    }
    find_zeros(w, (size_t)g, d);
  }
  return NSDYN_OK;
}

/* The row, not yet taken in, that makes the fewest new candidates: (generators before) × (behind). −1 where
 * none is left, or the caller stops. */
static int next_row(nsd_generators *w, int d)
{
  double least = INFINITY;
  int best = -1;
  for (int k = 0; k < w->row_count; k++) {
    if (w->taken[k]) {
      continue;
    }
    double before = 0.0, behind = 0.0;
    for (size_t g = 0; g < w->count; g++) {
      const double value = values(w, g)[1 + d + k];
      before += value > 0.0 ? 1.0 : 0.0;
      behind += value < 0.0 ? 1.0 : 0.0;
    }
    if (nsd_poll_stops(&w->poll, NSD_POLL_FETCH * (double)w->count)) {
      return -1;
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
static int adjacent(nsd_generators *w, size_t p, size_t q, size_t count, int d, size_t *third)
{
  const int words = w->words;
  const uint64_t *zp = zeros(w, p);
  const uint64_t *zq = zeros(w, q);
  uint64_t *shared = w->shared;
  int bits = 0;
  for (int b = 0; b < words; b++) {
    shared[b] = zp[b] & zq[b];
    bits += count_bits(shared[b]);
  }
  /* An edge lies in d − 1 of the planes at least. */
  if (bits < d - 1) {
    return 0;
  }
  /* A third generator in all these planes: then they meet in a larger face. */
  if (*third < count && *third != p && *third != q && has_all(words, zeros(w, *third), shared)) {
    return 0;
  }
  *third = words == 1   ? find_third(1, shared, w->zeros, count, p, q)
           : words == 2 ? find_third(2, shared, w->zeros, count, p, q)
                        : find_third(words, shared, w->zeros, count, p, q);
  (void)nsd_poll_stops(&w->poll, (double)words * (double)(*third));
  return *third == count;
}

/* Where the edge from p (before the row) to q (behind it) meets row k. */
static nsdyn_status add_crossing(nsd_generators *w, size_t p, size_t q, int k, int d)
{
  nsdyn_status status;
  if (w->count == w->capacity && (status = grow(w))) {
    return status;
  }
  const size_t g = w->count++;
  const double *vp = values(w, p);
  const double *vq = values(w, q);
  double *v = values(w, g);
  const double before = vp[1 + d + k];
  const double behind = -vq[1 + d + k];
  /* v = a_p v_q + |a_q| v_p, a being the values of row k, so that v has a = 0. */
  for (int j = 0; j < w->width; j++) {
    const double left = before * vq[j];
    const double right = behind * vp[j];
    const double value = left + right;
    v[j] = fabs(value) < NSD_GENERATOR_CANCELLED * fabs(left) ? 0.0 : value;
  }
  v[1 + d + k] = 0.0;
  normalize(w, g, d);
  w->side[g] = 0;
  return nsd_poll_stops(&w->poll, (NSD_POLL_READ + NSD_POLL_FETCH) * w->width) ? NSDYN_CANCELLED : NSDYN_OK;
}

/* Takes in row k. */
static nsdyn_status take(nsd_generators *w, int k, int d)
{
  const size_t count = w->count;
  int any = 0;
  /* 1: on which side of row k each generator lies. */
  for (size_t g = 0; g < count; g++) {
    const double value = values(w, g)[1 + d + k];
    w->side[g] = (int8_t)(value > 0.0 ? 1 : value < 0.0 ? -1 : 0);
    any |= value < 0.0;
  }
  if (nsd_poll_stops(&w->poll, NSD_POLL_FETCH * (double)count)) {
    return NSDYN_CANCELLED;
  }
  /* 2: each edge between the sides gives a new generator where it meets the row. */
  size_t third = count;
  for (size_t p = 0; any && p < count; p++) {
    for (size_t q = 0; w->side[p] > 0 && q < count; q++) {
      if (w->side[q] < 0 && adjacent(w, p, q, count, d, &third)) {
        const nsdyn_status status = add_crossing(w, p, q, k, d);
        if (status) {
          return status;
        }
      }
    }
    if (nsd_poll_stops(&w->poll, w->side[p] > 0 ? NSD_POLL_READ * (double)count * w->words : 1.0)) {
      return NSDYN_CANCELLED;
    }
  }
  w->taken[k] = 1;
  /* 3: those behind go; the zeros of the others may include row k now. */
  size_t kept = 0;
  for (size_t g = 0; g < w->count; g++) {
    if (w->side[g] < 0) {
      continue;
    }
    if (kept != g) {
      memcpy(values(w, kept), values(w, g), (size_t)w->width * sizeof *w->values);
    }
    find_zeros(w, kept, d);
    kept++;
    if (nsd_poll_stops(&w->poll, 2.0 * NSD_POLL_READ * w->width)) {
      return NSDYN_CANCELLED;
    }
  }
  w->count = kept;
  return NSDYN_OK;
}

nsdyn_status nsd_generators_run(nsd_generators *w, const nsd_cell *cell)
{
  w->poll = nsd_poll_of(w->ctx, "listing vertices");
  nsdyn_status status = begin(w, cell);
  int k;
  while (status == NSDYN_OK && (k = next_row(w, w->column_count)) >= 0) {
    status = take(w, k, w->column_count);
  }
  return status == NSDYN_OK && w->poll.is_cancelled ? NSDYN_CANCELLED : status;
}

int nsd_generators_get(const nsd_generators *w, const nsd_cell *cell, size_t g, double *u)
{
  const int d = w->column_count;
  const double *v = values(w, g);
  const double t = v[0];
  /* t > 0: the vertex w / t; t = 0: the direction w of a ray. */
  const double unit = t > 0.0 ? 1.0 / t : 1.0;
  for (int k = 0; k < cell->columns + cell->rows; k++) {
    u[k] = 0.0;
  }
  for (int k = 0; k < d; k++) {
    u[cell->slot[w->columns[k]]] = v[1 + k] * unit;
  }
  for (int k = 0; k < w->row_count; k++) {
    u[cell->row[w->rows[k]]] = v[1 + d + k] * unit;
  }
  return t > 0.0;
}
