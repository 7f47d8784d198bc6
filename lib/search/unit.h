/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Units and their alternatives: what is looked for obeys one alternative of each unit. Each alternative asks
 * some unknowns of a cell to be zero, or of one sign. */
#ifndef NSD_SEARCH_UNIT_H
#define NSD_SEARCH_UNIT_H

#include "search/cell_tableau.h"

enum { NSD_UNIT_MOST = 6, NSD_UNIT_PARTS = 4, NSD_UNIT_ASKS = 3 };

/* One choice of a unit: asks of its parts. */
typedef struct nsd_alternative {
  int32_t asks;
  int32_t part[NSD_UNIT_ASKS];
  int32_t ask[NSD_UNIT_ASKS];
} nsd_alternative;

typedef struct nsd_unit {
  int32_t alternatives; /* NSD_UNIT_MOST at most */
  const nsd_alternative *alternative;
  int32_t part[NSD_UNIT_PARTS]; /* unknowns, asked by this unit alone */
} nsd_unit;

/* What a cell says of an ask, or of an alternative. */
enum { NSD_RULED_OUT = 0, NSD_OPEN = 1, NSD_OBEYED = 2 };

/* By its asks, and by what is known of its signs: whether all its points obey `ask` of unknown k, or none
 * does so. */
int nsd_ask_standing(const nsd_cell *cell, int k, int ask);

/* The same of all that alternative a asks. */
int nsd_unit_standing(const nsd_cell *cell, const nsd_unit *unit, int a);

/* How many alternatives are open, `last` being the last of them; −1 where the cell obeys one. */
int nsd_unit_left(const nsd_cell *cell, const nsd_unit *unit, int *last);

/* Asks alternative a of the cell; see nsd_cell_ask(). */
void nsd_unit_ask(nsd_cell *cell, const nsd_unit *unit, int a);

/* By how much the point that the tableau shows misses alternative a. */
double nsd_unit_miss(const nsd_cell *cell, const nsd_unit *unit, int a);

#endif
