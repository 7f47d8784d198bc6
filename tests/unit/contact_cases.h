/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random contact problems by kind and seed, and a visitor that keeps the pieces of an enumeration. */
#ifndef TESTS_UNIT_CONTACT_CASES_H
#define TESTS_UNIT_CONTACT_CASES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/problem.h"
#include "suite.h"

enum { CASE_CONTACTS = 16, CASE_ROWS = 40 };

typedef enum case_kind {
  CASE_REGULAR,   /* G positive definite, generic */
  CASE_REDUNDANT, /* more rows than velocities */
  CASE_STEEP,     /* μ up to 30: several solutions */
  CASE_TWINS,     /* a contact comes twice */
  CASE_WHOLE,     /* small whole numbers: ties everywhere */
  CASE_AT_REST,   /* the same with c = 0 */
  CASE_SLOTS,     /* bilateral contacts */
  CASE_MIXED,     /* every law */
  CASE_MIXED_WHOLE,
  CASE_SLIDING, /* acceleration level: the sliding direction known, μ large */
  CASE_KINDS
} case_kind;

static const char *const case_names[CASE_KINDS] = {"regular", "redundant", "steep", "twins",       "whole",
                                                   "at rest", "slots",     "mixed", "mixed whole", "sliding"};

typedef struct contact_case {
  nsd_contact_data data;
  nsd_contact_spec spec[CASE_CONTACTS];
  double W[CASE_ROWS][CASE_ROWS];
  double G[CASE_ROWS * CASE_ROWS];
  double c[CASE_ROWS];
} contact_case;

static inline void case_number(contact_case *t, int contacts, int bilateral)
{
  int row = 0;
  for (int i = 0; i < contacts; i++) {
    t->spec[i].row = row;
    row += t->spec[i].friction == NSD_FRICTION_NONE ? 1 : 2;
  }
  t->data = (nsd_contact_data){.contacts = contacts,
                               .bilateral = bilateral,
                               .rows = row + bilateral,
                               .ldg = row + bilateral,
                               .spec = t->spec,
                               .G = t->G,
                               .c = t->c};
}

static inline void case_assemble(contact_case *t, int velocities)
{
  const int n = t->data.rows;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      double sum = 0.0;
      for (int q = 0; q < velocities; q++) {
        sum += t->W[i][q] * t->W[j][q];
      }
      t->G[i * n + j] = sum;
    }
  }
}

static inline double case_element(random_state *r, int whole)
{
  return whole ? random_below(r, 5) - 2 : random_normal(r);
}

static inline void case_any_law(nsd_contact_spec *s, random_state *r, int whole)
{
  s->friction = random_below(r, 3);
  s->kind = random_below(r, 4) == 0;
  s->sliding = random_below(r, 4) == 0 ? 1 - 2 * random_below(r, 2) : 0;
  s->mu = random_below(r, 5) == 0 ? 0.0 : s->mu;
  s->bound = random_below(r, 5) == 0 ? 0.0 : whole ? 1 + random_below(r, 2) : random_unit(r);
  s->mu = s->friction == NSD_FRICTION_LOAD ? s->mu : 0.0;
  s->bound = s->friction == NSD_FRICTION_GIVEN ? s->bound : 0.0;
  s->sliding = s->friction == NSD_FRICTION_NONE ? 0 : s->sliding;
}

static inline void contact_case_make(contact_case *t, case_kind kind, int contacts, uint64_t seed)
{
  random_state r = random_seed(seed * 31 + (uint64_t)kind);
  const int whole = kind == CASE_WHOLE || kind == CASE_AT_REST || kind == CASE_MIXED_WHOLE;
  int bilateral = 0;
  for (int i = 0; i < contacts; i++) {
    const double mu = whole                                        ? 0.5 * (1 + random_below(&r, 6))
                      : kind == CASE_STEEP || kind == CASE_SLIDING ? 1.0 + 29.0 * random_unit(&r)
                                                                   : 1.5 * random_unit(&r);
    t->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = mu};
    if (kind == CASE_SLOTS) {
      t->spec[i].kind = random_below(&r, 3) > 0;
    } else if (kind == CASE_MIXED || kind == CASE_MIXED_WHOLE) {
      case_any_law(&t->spec[i], &r, whole);
      bilateral = random_below(&r, 2);
    } else if (kind == CASE_SLIDING) {
      t->spec[i].sliding = random_below(&r, 3) ? 1 - 2 * random_below(&r, 2) : 0;
    }
  }
  case_number(t, contacts, bilateral);
  const int n = t->data.rows;
  const int redundant = kind == CASE_REDUNDANT || whole;
  const int velocities = redundant && n > 2 ? 2 + random_below(&r, n - 2) : n + random_below(&r, 2);
  for (int i = 0; i < n; i++) {
    for (int q = 0; q < velocities; q++) {
      t->W[i][q] = case_element(&r, whole);
    }
  }
  if (kind == CASE_TWINS && contacts > 1) {
    memcpy(t->W[2 * contacts - 2], t->W[0], 2 * sizeof t->W[0]);
    t->spec[contacts - 1].mu = random_below(&r, 2) ? t->spec[0].mu : t->spec[contacts - 1].mu;
  }
  case_assemble(t, velocities);
  double u[CASE_ROWS];
  for (int q = 0; q < velocities; q++) {
    u[q] = case_element(&r, whole);
  }
  const int consistent = random_below(&r, 4) > 0 || kind == CASE_TWINS || bilateral;
  for (int i = 0; i < n; i++) {
    t->c[i] = consistent ? 0.0 : case_element(&r, whole);
    for (int q = 0; consistent && q < velocities; q++) {
      t->c[i] += t->W[i][q] * u[q];
    }
    t->c[i] = kind == CASE_AT_REST ? 0.0 : t->c[i];
  }
}

/* ---- pieces ------------------------------------------------------------------------------------------- */

typedef struct contact_piece {
  int dimension;
  int velocity_dimension;
  int vertices;
  int rays;
  double *Lambda; /* vertices × rows */
  double *xi;
  double *ray;
  int32_t modes[CASE_CONTACTS];
} contact_piece;

typedef struct contact_pieces {
  int count;
  int capacity;
  int stop_at; /* the visitor stops after so many; 0: never */
  contact_piece *piece;
} contact_pieces;

static inline void contact_pieces_clear(contact_pieces *all)
{
  for (int k = 0; k < all->count; k++) {
    free(all->piece[k].Lambda);
    free(all->piece[k].xi);
    free(all->piece[k].ray);
  }
  all->count = 0;
}

static inline void contact_pieces_free(contact_pieces *all)
{
  contact_pieces_clear(all);
  free(all->piece);
  all->piece = NULL;
  all->capacity = 0;
}

static inline double *contact_copy(const double *from, int count)
{
  double *to = malloc((size_t)(count > 0 ? count : 1) * sizeof *to);
  ck_assert_ptr_nonnull(to);
  for (int k = 0; k < count; k++) {
    to[k] = from[k];
  }
  return to;
}

static inline int contact_collect(void *user, const nsdyn_contact_piece *piece)
{
  contact_pieces *all = user;
  if (all->count == all->capacity) {
    all->capacity = 2 * all->capacity + 16;
    all->piece = realloc(all->piece, (size_t)all->capacity * sizeof *all->piece);
    ck_assert_ptr_nonnull(all->piece);
  }
  ck_assert_uint_eq(piece->size, sizeof *piece);
  contact_piece *own = &all->piece[all->count++];
  *own = (contact_piece){.dimension = piece->dimension,
                         .velocity_dimension = piece->velocity_dimension,
                         .vertices = piece->vertices,
                         .rays = piece->rays,
                         .Lambda = contact_copy(piece->Lambda, piece->vertices * piece->rows),
                         .xi = contact_copy(piece->xi, piece->vertices * piece->rows),
                         .ray = contact_copy(piece->ray, piece->rays * piece->rows)};
  for (int i = 0; i < piece->contacts && i < CASE_CONTACTS; i++) {
    own->modes[i] = piece->modes[i];
  }
  return all->stop_at > 0 && all->count >= all->stop_at;
}

#endif
