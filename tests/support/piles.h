/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact problems of many bodies in the plane: hundreds of contacts, most of them redundant. */
#ifndef TESTS_SUPPORT_PILES_H
#define TESTS_SUPPORT_PILES_H

#include "nsdyn/contact.h"
#include "random.h"

typedef enum pile_kind {
  PILE_TOWER,  /* boxes on boxes, two contacts each */
  PILE_WALL,   /* bricks in running bond, four contacts each */
  PILE_DISKS,  /* disks of two sizes, packed in a container */
  PILE_RUBBLE, /* stones that touch anywhere, at any angle */
  PILE_CHAIN,  /* a net of hinged bars, each bar end on the ground: constraints beside contacts */
  PILE_KINDS
} pile_kind;

typedef enum pile_load {
  PILE_REST,  /* a time step under gravity from rest */
  PILE_SHAKE, /* the same, pulled sideways as by a slope */
  PILE_BURST, /* an impact: random velocities, with restitution */
  PILE_LOADS
} pile_load;

typedef struct pile {
  int contacts, bilateral, rows;
  double *G, *c; /* rows × rows, rows */
  nsdyn_contact_law *laws;
  int nu;            /* velocities, three of each body */
  double *W, *M, *u; /* rows × nu; nu: the diagonal of the mass matrix; velocities without contacts */
} pile;

/* About so many contacts. */
pile pile_make(pile_kind kind, pile_load load, int contacts, random_state *random);
void pile_free(pile *p);
const char *pile_name(pile_kind kind);
nsdyn_contact_problem pile_problem(const pile *p);

/* The same as a complementarity problem, y = A x + b, lo <= x <= hi: for each contact, after Glocker,
 *
 *   x = (Λ_N, Λ_T + μ Λ_N, ξ_L),   y = (ξ_N, ξ_R, μ Λ_N − Λ_T),
 *
 * or, after Stewart and Trinkle, x = (Λ_N, Λ₊, Λ₋, σ), y = (ξ_N, ξ_T + σ, −ξ_T + σ, μ Λ_N − Λ₊ − Λ₋); then
 * the constraints, whose rows are free. */
typedef enum pile_form { PILE_GLOCKER, PILE_PYRAMID, PILE_FORMS } pile_form;
typedef struct pile_lcp {
  int n;
  double *A;           /* n × n */
  double *b, *lo, *hi; /* n */
  double *x, *y;       /* n, for a solver */
} pile_lcp;
pile_lcp pile_lcp_make(const pile *p, pile_form form);
void pile_lcp_free(pile_lcp *q);

#endif
