/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A pile (support/piles.h) as the rooms of lib/contact see it. */
#ifndef TESTS_UNIT_PILED_H
#define TESTS_UNIT_PILED_H

#include <stdlib.h>

#include "contact/certificate.h"
#include "contact/check.h"
#include "contact/many/coupling.h"
#include "suite.h"
#include "support/piles.h"

typedef struct piled {
  pile p;
  nsd_contact_spec *spec;
  nsd_contact_data d;
  double *Lambda, *xi;
  nsd_arena arena;
  nsd_coupling k;
} piled;

static inline piled piled_make(pile_kind kind, pile_load load, int contacts, int seed)
{
  random_state random = random_seed((uint64_t)seed);
  piled t = {.p = pile_make(kind, load, contacts, &random), .arena = nsd_arena_empty(NULL)};
  const nsdyn_contact_problem problem = pile_problem(&t.p);
  t.spec = calloc((size_t)t.p.contacts + 1, sizeof *t.spec);
  t.Lambda = calloc((size_t)t.p.rows + 1, sizeof *t.Lambda);
  t.xi = calloc((size_t)t.p.rows + 1, sizeof *t.xi);
  ck_assert(t.spec && t.Lambda && t.xi && t.p.G);
  nsd_contact_fill_spec(&problem, t.spec, NULL);
  t.d = nsd_contact_data_of(&problem);
  t.d.spec = t.spec;
  return t;
}

/* Reads the coupling, which has to stay where it is: call it on the final place of `t`. */
static inline void piled_couple(piled *t)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_coupling counted;
  const int cells = t->d.contacts + t->d.bilateral;
  nsd_coupling_lay_out(&measure, &counted, cells, t->d.rows);
  ck_assert_int_eq(nsd_arena_reserve(&t->arena, &measure), NSDYN_OK);
  nsd_coupling_lay_out(&t->arena, &t->k, cells, t->d.rows);
  ck_assert_int_eq(nsd_coupling_read(&t->k, &t->d, NULL), NSDYN_OK);
}

static inline void piled_free(piled *t)
{
  nsd_arena_release(&t->arena);
  pile_free(&t->p);
  free(t->spec);
  free(t->Lambda);
  free(t->xi);
}

#endif
