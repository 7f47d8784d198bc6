/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pieces an enumeration has met, as patterns: which signs the unknowns take somewhere on the piece
 * (tree.h).
 *
 * A convex piece is given by its pattern, and one lies within another exactly when its pattern does: so the
 * maximal pieces are those of maximal pattern. */
#ifndef NSD_SEARCH_PIECES_H
#define NSD_SEARCH_PIECES_H

#include "base/context.h"

typedef struct nsd_pieces {
  nsdyn_context *ctx; /* not held */
  int words;          /* of one pattern */
  size_t count;
  size_t capacity;
  uint64_t *patterns; /* capacity × words */
  int32_t *level;     /* capacity: see nsd_pieces_add() */
  size_t bytes;       /* of the two blocks, as they were allocated */
  size_t level_bytes;
} nsd_pieces;

/* Of a pattern of so many bits; there is one at least. */
static inline int nsd_pattern_words(int bits)
{
  return bits / 64 + 1;
}

static inline const uint64_t *nsd_pieces_pattern(const nsd_pieces *pieces, size_t index)
{
  return pieces->patterns + index * (size_t)pieces->words;
}

static inline int nsd_pattern_has(const uint64_t *pattern, int k)
{
  return (int)(pattern[k / 64] >> (k % 64) & 1u);
}

static inline void nsd_pattern_put(uint64_t *pattern, int k)
{
  pattern[k / 64] |= (uint64_t)1 << (k % 64);
}

void nsd_pieces_init(nsd_pieces *pieces, nsdyn_context *ctx);
void nsd_pieces_release(nsd_pieces *pieces);

/* Forgets all; the memory stays for the next problem where it fits. */
void nsd_pieces_clear(nsd_pieces *pieces, int bits);

/* Whether a known pattern contains this one. */
int nsd_pieces_cover(const nsd_pieces *pieces, const uint64_t *pattern);

/* Adds a pattern that none covers, and drops those it contains; `dropped` counts them. `level`: where in the
 * tree it will be known to be maximal (−1: it is). NSDYN_ERR_NOMEM. */
nsdyn_status nsd_pieces_add(nsd_pieces *pieces, const uint64_t *pattern, int level, int64_t *dropped);

#endif
