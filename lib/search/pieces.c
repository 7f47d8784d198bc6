/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/pieces.h"

#include <string.h>

void nsd_pieces_init(nsd_pieces *pieces, nsdyn_context *ctx)
{
  memset(pieces, 0, sizeof *pieces);
  pieces->ctx = ctx;
}

void nsd_pieces_release(nsd_pieces *pieces)
{
  nsd_release(pieces->ctx, pieces->patterns, pieces->bytes, 1);
  nsd_release(pieces->ctx, pieces->level, pieces->level_bytes, 1);
  nsd_pieces_init(pieces, pieces->ctx);
}

void nsd_pieces_clear(nsd_pieces *pieces, int bits)
{
  pieces->count = 0;
  pieces->words = nsd_pattern_words(bits);
  const size_t size = (size_t)pieces->words * sizeof *pieces->patterns;
  const size_t levels = pieces->level_bytes / sizeof *pieces->level;
  pieces->capacity = size ? pieces->bytes / size : 0;
  pieces->capacity = levels < pieces->capacity ? levels : pieces->capacity;
}

static int contains(int words, const uint64_t *large, const uint64_t *small)
{
  /* No bit of the small pattern is missing in the large one. */
  for (int w = 0; w < words; w++) {
    if (small[w] & ~large[w]) {
      return 0;
    }
  }
  return 1;
}

int nsd_pieces_cover(const nsd_pieces *pieces, const uint64_t *pattern)
{
  for (size_t k = 0; k < pieces->count; k++) {
    if (contains(pieces->words, nsd_pieces_pattern(pieces, k), pattern)) {
      return 1;
    }
  }
  return 0;
}

/* Both blocks or none. */
static nsdyn_status grow(nsd_pieces *pieces)
{
  const size_t capacity = pieces->capacity ? 2 * pieces->capacity : 64;
  const size_t size = (size_t)pieces->words * sizeof *pieces->patterns;
  if (capacity > SIZE_MAX / 16 / (size + sizeof *pieces->level)) {
    return NSDYN_ERR_TOO_LARGE;
  }
  uint64_t *patterns = nsd_allocate(pieces->ctx, capacity * size, 1);
  int32_t *level = nsd_allocate(pieces->ctx, capacity * sizeof *level, 1);
  if (!patterns || !level) {
    nsd_release(pieces->ctx, patterns, capacity * size, 1);
    nsd_release(pieces->ctx, level, capacity * sizeof *level, 1);
    return NSDYN_ERR_NOMEM;
  }
  if (pieces->count) {
    memcpy(patterns, pieces->patterns, pieces->count * size);
    memcpy(level, pieces->level, pieces->count * sizeof *level);
  }
  nsd_release(pieces->ctx, pieces->patterns, pieces->bytes, 1);
  nsd_release(pieces->ctx, pieces->level, pieces->level_bytes, 1);
  pieces->patterns = patterns;
  pieces->level = level;
  pieces->capacity = capacity;
  pieces->bytes = capacity * size;
  pieces->level_bytes = capacity * sizeof *level;
  return NSDYN_OK;
}

nsdyn_status nsd_pieces_add(nsd_pieces *pieces, const uint64_t *pattern, int level, int64_t *dropped)
{
  const size_t size = (size_t)pieces->words;
  size_t kept = 0;
  for (size_t k = 0; k < pieces->count; k++) {
    /* A smaller piece that lies within the new one is not maximal. */
    if (contains(pieces->words, pattern, nsd_pieces_pattern(pieces, k))) {
      ++*dropped;
      continue;
    }
    if (kept != k) {
      memcpy(pieces->patterns + kept * size, pieces->patterns + k * size, size * sizeof *pattern);
      pieces->level[kept] = pieces->level[k];
    }
    kept++;
  }
  pieces->count = kept;
  if (pieces->count == pieces->capacity) {
    const nsdyn_status status = grow(pieces);
    if (status) {
      return status;
    }
  }
  memcpy(pieces->patterns + pieces->count * size, pattern, size * sizeof *pattern);
  pieces->level[pieces->count++] = level;
  return NSDYN_OK;
}
