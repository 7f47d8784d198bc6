/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vertices and extreme rays of a cell, by the double description method.
 *
 * In the d coordinates w of the live columns the cell is w >= 0, c + T w >= 0; columns that are free are left
 * out (lines are the caller's), and so are rows of what is free or zero. With one more
 * coordinate t it becomes the cone t, w >= 0, c t + T w >= 0, whose extreme rays are the vertices (t > 0) and
 * the extreme rays (t = 0) looked for. The method starts from the unit vectors, which generate t, w >= 0,
 * and takes in one row after the other: those on the wrong side go, and each edge between the two sides
 * leaves the point where it meets the row.
 *
 * Each generator carries the values of all rows. Values of rows already taken in are sums of non-negative
 * numbers, so nothing cancels and their zeros, which decide about adjacency, are exact. */
#ifndef NSD_SEARCH_GENERATORS_H
#define NSD_SEARCH_GENERATORS_H

#include "search/cell_tableau.h"

typedef struct nsd_generators {
  nsdyn_context *ctx; /* not held */
  nsd_poll poll;
  int32_t *rows;    /* rows of the cell that are taken in or will be */
  int32_t *columns; /* columns that w are */
  uint8_t *taken;   /* rows */
  uint64_t *shared; /* words, as many as there may be: scratch */
  int row_count;
  int column_count;
  int width;    /* numbers of one generator: t, w, row values */
  int words;    /* of its zero set */
  size_t count; /* generators */
  size_t capacity;
  double *values;      /* capacity × width */
  uint64_t *zeros;     /* capacity × words */
  int8_t *side;        /* capacity: sign of the row being taken in */
  size_t values_bytes; /* of the blocks, as they were allocated */
  size_t zeros_bytes;
  size_t side_bytes;
} nsd_generators;

void nsd_generators_init(nsd_generators *w, nsdyn_context *ctx);
void nsd_generators_lay_out(nsd_arena *arena, nsd_generators *w, int rows, int columns);
void nsd_generators_release(nsd_generators *w);

/* All generators of a cell (not empty). NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE;
 * NSDYN_CANCELLED from the context's progress. */
nsdyn_status nsd_generators_run(nsd_generators *w, const nsd_cell *cell);

/* Whether generator g is a vertex; u (columns + rows) receives its unknowns as they stand in the cell, t
 * being 1 for a vertex and 0 for a ray; what is free is left to the caller, and zero here. */
int nsd_generators_get(const nsd_generators *w, const nsd_cell *cell, size_t g, double *u);

#endif
