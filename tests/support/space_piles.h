/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Piles of free bodies in space: W by rows, M⁻¹ by bodies, and G and c from them, without a line of the
 * library. */
#ifndef TESTS_SUPPORT_SPACE_PILES_H
#define TESTS_SUPPORT_SPACE_PILES_H

#include <stdint.h>

#include "piles.h"
#include "random.h"

typedef enum space_pile_kind {
  SPACE_PILE_STACK,   /* boxes one on the other, four contacts to a face: hyperstatic */
  SPACE_PILE_WALL,    /* bricks, each on two of the layer below, four contacts to each */
  SPACE_PILE_SPHERES, /* a pyramid of spheres, each on four */
  SPACE_PILE_RODS,    /* crossed rods, layer on layer, one contact to a crossing */
  SPACE_PILE_KINDS
} space_pile_kind;

typedef struct space_pile {
  int bodies, contacts, rows; /* rows = 3 contacts */
  int nu;                     /* 6 bodies */
  double mu;                  /* of all */
  double *inverse;            /* bodies × 36: M⁻¹ */
  int32_t *size;              /* bodies: 6 */
  int64_t *begin;             /* rows + 1: W, compressed by rows */
  int32_t *column;
  double *value;
  double *c; /* rows */
  double *G; /* rows × rows; NULL until space_pile_delassus() */
} space_pile;

/* At least so many contacts, unless the least pile has more. */
space_pile space_pile_make(space_pile_kind kind, pile_load load, int contacts, random_state *random);

/* G = W M⁻¹ Wᵀ as a dense matrix. */
void space_pile_delassus(space_pile *p);

void space_pile_free(space_pile *p);

#endif
