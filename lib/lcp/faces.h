/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Vertices and extreme rays of a node's polyhedron, by the double description method.
 *
 * In the d coordinates w of the live columns the polyhedron is w >= 0, c + T w >= 0. With one more
 * coordinate t it becomes the cone t, w >= 0, c t + T w >= 0, whose extreme rays are the vertices (t > 0) and
 * the extreme rays (t = 0) looked for. The method starts from the unit vectors, which generate t, w >= 0,
 * and takes in one row after the other: those on the wrong side go, and each edge between the two sides
 * leaves the point where it meets the row.
 *
 * Each generator carries the values of all rows. Values of rows already taken in are sums of non-negative
 * numbers, so nothing cancels and their zeros, which decide about adjacency, are exact. */
#ifndef NSD_LCP_FACES_H
#define NSD_LCP_FACES_H

#include "lcp/node.h"

typedef struct nsd_faces {
  nsdyn_context *ctx; /* not held */
  int32_t *rows;      /* n: rows of the node that are taken in or will be */
  uint8_t *taken;     /* n */
  uint64_t *shared;   /* words, as many as there may be: scratch */
  int row_count;
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
} nsd_faces;

void nsd_faces_init(nsd_faces *faces, nsdyn_context *ctx);
void nsd_faces_lay_out(nsd_arena *arena, nsd_faces *faces, int n);
void nsd_faces_release(nsd_faces *faces);

/* All generators of the node's polyhedron (not empty). NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE;
 * NSDYN_CANCELLED from the context's progress. */
nsdyn_status nsd_faces_run(nsd_faces *faces, const nsd_node *node);

/* Whether generator g is a vertex; z receives its 2n unknowns (t = 1 for a vertex). */
int nsd_faces_get(const nsd_faces *faces, const nsd_node *node, size_t g, double *z);

#endif
