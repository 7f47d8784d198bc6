/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Piles in space as the files of lib/contact/space see them. */
#ifndef TESTS_UNIT_CONTACT_SPACE_SPATIAL_H
#define TESTS_UNIT_CONTACT_SPACE_SPATIAL_H

#include <stdlib.h>

#include "contact/certificate.h"
#include "contact/space/operator.h"
#include "suite.h"
#include "support/space_piles.h"

typedef struct spatial {
  space_pile p;
  nsd_operator G;
  nsd_contact_space disk;
  nsd_contact_spec *spec;
  nsd_contact_data d;
  nsd_contact_terms terms;
  nsd_arena terms_room;
  double *Lambda, *xi;
} spatial;

static const char *const spatial_name[] = {"stack", "wall", "spheres", "rods"};

/* G is free: W and M⁻¹. The pile has to stay where it is. */
static inline void spatial_make(spatial *s, int kind, pile_load load, int contacts, uint64_t seed)
{
  random_state random = random_seed(seed);
  *s = (spatial){.p = space_pile_make((space_pile_kind)kind, load, contacts, &random),
                 .disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}}};
  int *rows_of = calloc((size_t)s->p.contacts, sizeof *rows_of);
  s->spec = calloc((size_t)s->p.contacts, sizeof *s->spec);
  ck_assert(rows_of && s->spec);
  for (int i = 0; i < s->p.contacts; i++) {
    rows_of[i] = 3;
    s->spec[i] =
        (nsd_contact_spec){.mu = s->p.mu, .row = 3 * i, .friction = NSD_FRICTION_LOAD, .space = &s->disk};
  }
  nsd_operator_init(&s->G, NULL);
  const nsd_operator_rows W = {
      .value = s->p.value, .begin = s->p.begin, .column = s->p.column, .columns = s->p.nu};
  const nsd_operator_bodies bodies = {.size = s->p.size, .inverse = s->p.inverse, .bodies = s->p.bodies};
  ck_assert_int_eq(nsd_operator_read(&s->G, s->p.contacts, rows_of, &W, &bodies, NULL), NSDYN_OK);
  free(rows_of);
  s->Lambda = calloc((size_t)s->p.rows, sizeof *s->Lambda);
  s->xi = calloc((size_t)s->p.rows, sizeof *s->xi);
  nsd_arena measure = nsd_arena_measure();
  nsd_contact_terms counted;
  nsd_contact_terms_lay_out(&measure, &counted, s->p.rows, s->G.columns);
  s->terms_room = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&s->terms_room, &measure), NSDYN_OK);
  nsd_contact_terms_lay_out(&s->terms_room, &s->terms, s->p.rows, s->G.columns);
  s->d = (nsd_contact_data){.contacts = s->p.contacts,
                            .rows = s->p.rows,
                            .spec = s->spec,
                            .c = s->p.c,
                            .is_spatial = 1,
                            .W = &s->G,
                            .terms = &s->terms};
}

/* What the certificate says of Λ, over its scale. */
static inline double spatial_miss(spatial *s, const double *Lambda)
{
  const nsd_contact_verdict v = nsd_contact_judge(&s->d, Lambda, s->xi);
  return v.scale > 0.0 ? v.residual / v.scale : v.residual;
}

static inline void spatial_free(spatial *s)
{
  nsd_operator_release(&s->G);
  nsd_arena_release(&s->terms_room);
  space_pile_free(&s->p);
  free(s->spec);
  free(s->Lambda);
  free(s->xi);
}

#endif
