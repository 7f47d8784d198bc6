/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random impacts in space by the public calls: contacts in space beside planar ones, slots and bilateral
 * rows, and velocities that a motion really has, γ⁻ = Wᵀ u. The mass matrix is a multiple of one. */
#ifndef TESTS_UNIT_CONTACT_IMPACT_SPACE_IMPACTS_H
#define TESTS_UNIT_CONTACT_IMPACT_SPACE_IMPACTS_H

#include <math.h>

#include "nsdyn/contact.h"
#include "suite.h"
#include "support/random.h"

enum { SPACE_CONTACTS = 4, SPACE_BILATERAL = 2, SPACE_ROWS = 3 * SPACE_CONTACTS + SPACE_BILATERAL };

/* What a random impact may have. */
enum {
  SPACE_FRICTION = 1,  /* of all kinds, μ up to 1.5 */
  SPACE_BARS = 2,      /* bilateral rows, at rest before the impact */
  SPACE_SLOTS = 4,     /* contacts closed both ways, at rest in the normal direction */
  SPACE_REDUNDANT = 8, /* fewer velocities than rows */
  SPACE_SHAPES = 16    /* ellipses and polygons; else disks */
};

typedef struct space_impact {
  nsdyn_contact_law law[SPACE_CONTACTS];
  nsdyn_contact_problem p;
  int rows, nu;
  int row[SPACE_CONTACTS];
  double W[SPACE_ROWS][SPACE_ROWS], u[SPACE_ROWS]; /* times M^∓½ */
  double G[SPACE_ROWS * SPACE_ROWS], gamma[SPACE_ROWS];
  double liveliness; /* |u|² before some rows were brought to rest */
  double Lambda[SPACE_ROWS], after[SPACE_ROWS];
} space_impact;

static inline double space_dot(const space_impact *m, const double *a, const double *b)
{
  double sum = 0.0;
  for (int q = 0; q < m->nu; q++) {
    sum += a[q] * b[q];
  }
  return sum;
}

/* G and γ⁻ of W and u. */
static inline void space_assemble(space_impact *m)
{
  for (int i = 0; i < m->rows; i++) {
    m->gamma[i] = space_dot(m, m->W[i], m->u);
    for (int j = 0; j <= i; j++) {
      m->G[i * m->rows + j] = m->G[j * m->rows + i] = space_dot(m, m->W[i], m->W[j]);
    }
  }
  m->p.G = m->G;
  m->p.ldg = m->rows;
  m->p.c = m->gamma;
}

/* u without its part along a row, and the row without that along those before: for rows that are at rest. */
static inline void space_rest(space_impact *m, double (*basis)[SPACE_ROWS], int *rank, int row)
{
  double *own = basis[*rank];
  for (int q = 0; q < m->nu; q++) {
    own[q] = m->W[row][q];
  }
  for (int twice = 0; twice < 2; twice++) {
    for (int k = 0; k < *rank; k++) {
      const double share = space_dot(m, own, basis[k]);
      for (int q = 0; q < m->nu; q++) {
        own[q] -= share * basis[k][q];
      }
    }
  }
  const double length = sqrt(space_dot(m, own, own));
  if (length < 1e-8) {
    return;
  }
  for (int q = 0; q < m->nu; q++) {
    own[q] /= length;
  }
  for (int twice = 0; twice < 2; twice++) {
    const double share = space_dot(m, m->u, own);
    for (int q = 0; q < m->nu; q++) {
      m->u[q] -= share * own[q];
    }
  }
  ++*rank;
}

static inline nsdyn_contact_law space_random_law(random_state *r, int traits)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = random_below(r, 4) ? 2 : 1;
  law.friction =
      (traits & SPACE_FRICTION) && random_below(r, 8) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.mu = random_below(r, 8) ? random_between(r, 0.0, 1.5) : 0.0;
  if (law.tangents == 2 && (traits & SPACE_SHAPES) && random_below(r, 2)) {
    law.shape = (int32_t)random_below(r, 2);
    law.aspect = random_between(r, 0.3, 2.0);
    law.angle = random_between(r, -4.0, 4.0);
    law.sides = 4 + 2 * (int32_t)random_below(r, 5);
  }
  if ((traits & SPACE_SLOTS) && random_below(r, 3) == 0) {
    law.kind = NSDYN_CONTACT_BILATERAL;
  }
  law.eps_n = random_below(r, 8) ? random_unit(r) : 1.0;
  law.eps_t = random_below(r, 8) ? random_unit(r) : 1.0;
  law.reversal = random_below(r, 4) ? random_unit(r) : (double)random_below(r, 2);
  return law;
}

static inline void space_make(space_impact *m, random_state *r, int contacts, int traits)
{
  int rows = 0;
  for (int i = 0; i < contacts; i++) {
    m->law[i] = space_random_law(r, traits);
    if (i == 0) {
      m->law[i].tangents = 2;
      m->law[i].friction = (traits & SPACE_FRICTION) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
    }
    m->row[i] = rows;
    rows += m->law[i].friction == NSDYN_FRICTION_NONE ? 1 : 1 + m->law[i].tangents;
  }
  const int bars = (traits & SPACE_BARS) ? (int)random_below(r, SPACE_BILATERAL + 1) : 0;
  nsdyn_contact_problem_init(&m->p, sizeof m->p);
  m->p.contacts = contacts;
  m->p.bilateral = bars;
  m->p.laws = m->law;
  m->rows = rows + bars;
  m->nu = (traits & SPACE_REDUNDANT) ? (m->rows + 2) / 2 : m->rows;
  for (int q = 0; q < m->nu; q++) {
    m->u[q] = random_normal(r);
  }
  for (int i = 0; i < m->rows; i++) {
    for (int q = 0; q < m->nu; q++) {
      m->W[i][q] = random_normal(r);
    }
  }
  m->liveliness = space_dot(m, m->u, m->u);
  double basis[SPACE_ROWS + 1][SPACE_ROWS];
  int rank = 0;
  for (int i = rows; i < m->rows; i++) {
    space_rest(m, basis, &rank, i);
  }
  for (int i = 0; i < contacts; i++) {
    if (m->law[i].kind == NSDYN_CONTACT_BILATERAL) {
      space_rest(m, basis, &rank, m->row[i]);
    }
  }
  space_assemble(m);
}

static inline nsdyn_status space_strike(nsdyn_contact *solver, int32_t law, space_impact *m)
{
  return nsdyn_contact_impact(solver, law, &m->p, m->Lambda, m->after);
}

/* ½ |u + Wᵀ Λ|² − ½ |u|². */
static inline double space_kinetic_change(const space_impact *m)
{
  double change = 0.0;
  for (int q = 0; q < m->nu; q++) {
    double jump = 0.0;
    for (int i = 0; i < m->rows; i++) {
      jump += m->W[i][q] * m->Lambda[i];
    }
    change += jump * (m->u[q] + 0.5 * jump);
  }
  return change;
}

/* Σ |Λ_i| (|γ⁻_i| + Σ_j |G_ij Λ_j|), and what there was before: what the energy is made of. */
static inline double space_energy_size(const space_impact *m)
{
  double size = m->liveliness;
  for (int i = 0; i < m->rows; i++) {
    double own = fabs(m->gamma[i]);
    for (int j = 0; j < m->rows; j++) {
      own += fabs(m->G[i * m->rows + j] * m->Lambda[j]);
    }
    size += fabs(m->Lambda[i]) * own;
  }
  return size;
}

static inline nsdyn_contact *space_solver(void)
{
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  return solver;
}

static inline nsdyn_impact_half space_half(const nsdyn_contact *solver, int32_t kind)
{
  nsdyn_impact_half half;
  ck_assert_int_eq(nsdyn_impact_half_init(&half, sizeof half), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_impact_half(solver, kind, &half), NSDYN_OK);
  return half;
}

#endif
