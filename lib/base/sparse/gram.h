/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* G = X Xᵀ where each row of X is zero but in a few places, as those of contacts between many bodies are: the
 * same bits as by nsd_product_nt(), in a time that goes by the rows which have places in common. */
#ifndef NSD_BASE_GRAM_H
#define NSD_BASE_GRAM_H

#include "base/arena.h"
#include "base/kernels/simd.h"

typedef struct nsd_gram {
  int *row_begin;  /* rows + 1: where the entries of each row begin */
  int *group;      /* entries: groups of four columns where the row is not zero, from left to right */
  int *list_begin; /* groups + 2: where the list of each group begins */
  int *list;       /* entries: the rows that are not zero there, from the first to the last */
  int *met;        /* rows: those that have a group in common with the row at work */
  int *mark;       /* rows: 1 + the row at work, of those met */
  nsd_lanes *sum;  /* rows: of those met, Σ x_i y_i in four lanes */
} nsd_gram;

/* For up to so many rows of n. */
void nsd_gram_lay_out(nsd_arena *arena, nsd_gram *gram, size_t rows, size_t n);

/* Rows and columns `from` … of G (rows × rows); what is before is not touched. Returns 0, with G as it was,
 * where X (rows × n) is not zero in more than an eighth of its groups. */
int nsd_gram_product(nsd_gram *gram, int from, int rows, int n, const double *X, double *G);

#endif
