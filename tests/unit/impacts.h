/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random impacts: mechanisms of a few contacts, each with its law, and velocities that a motion really has,
 * γ⁻ = Wᵀ u. The mass matrix is a multiple of one; W is as general as any M⁻¹ᐟ² W. */
#ifndef TESTS_UNIT_IMPACTS_H
#define TESTS_UNIT_IMPACTS_H

#include <math.h>
#include <string.h>

#include "contact/impact/expansion.h"
#include "suite.h"

enum { MOST_CONTACTS = 5, MOST_BILATERAL = 2, MOST_ROWS = 2 * MOST_CONTACTS + MOST_BILATERAL, MOST_NU = 14 };

typedef struct mechanism {
  int contacts, bilateral, rows, nu;
  nsd_contact_spec spec[MOST_CONTACTS];
  nsd_restitution restitution[MOST_CONTACTS];
  double W[MOST_ROWS * MOST_NU]; /* rows × nu, times M^-1/2 */
  double G[MOST_ROWS * MOST_ROWS];
  double u[MOST_NU];       /* velocities, times M^1/2 */
  double gamma[MOST_ROWS]; /* γ⁻ */
  double liveliness;       /* |u|² before some rows were brought to rest */
} mechanism;

/* What a random mechanism may have. */
enum {
  HAS_FRICTION = 1,  /* Coulomb's, μ up to 1.5; else no tangential rows */
  HAS_BILATERAL = 2, /* bilateral rows, at rest before the impact */
  HAS_SLOTS = 4,     /* contacts closed both ways, at rest in the normal direction */
  HAS_GIVEN = 8,     /* contacts of given friction bound */
  IS_REDUNDANT = 16  /* fewer velocities than rows, contacts twice */
};

static inline nsd_contact_data mechanism_data(const mechanism *m)
{
  return (nsd_contact_data){.contacts = m->contacts,
                            .bilateral = m->bilateral,
                            .rows = m->rows,
                            .ldg = MOST_ROWS,
                            .spec = m->spec,
                            .G = m->G,
                            .c = m->gamma};
}

static inline double *mechanism_row(mechanism *m, int i)
{
  return m->W + (size_t)i * MOST_NU;
}

static inline double row_product(const mechanism *m, const double *a, const double *b)
{
  double sum = 0.0;
  for (int q = 0; q < m->nu; q++) {
    sum += a[q] * b[q];
  }
  return sum;
}

/* G and γ⁻ of W and u. */
static inline void mechanism_assemble(mechanism *m)
{
  for (int i = 0; i < m->rows; i++) {
    m->gamma[i] = row_product(m, mechanism_row(m, i), m->u);
    for (int j = 0; j <= i; j++) {
      const double g = row_product(m, mechanism_row(m, i), mechanism_row(m, j));
      m->G[i * MOST_ROWS + j] = m->G[j * MOST_ROWS + i] = g;
    }
  }
}

/* u without its part in the span of some rows, twice because rounding brings a share back. */
static inline void mechanism_rest(mechanism *m, const int *rows, int count)
{
  double basis[MOST_ROWS][MOST_NU];
  int rank = 0;
  for (int k = 0; k < count; k++) {
    double *w = basis[rank];
    memcpy(w, mechanism_row(m, rows[k]), sizeof basis[0]);
    const double size = row_product(m, w, w);
    for (int pass = 0; pass < 2; pass++) {
      for (int j = 0; j < rank; j++) {
        const double share = row_product(m, w, basis[j]);
        for (int q = 0; q < m->nu; q++) {
          w[q] -= share * basis[j][q];
        }
      }
    }
    const double left = sqrt(row_product(m, w, w));
    if (left * left > 1e-20 * size) {
      for (int q = 0; q < m->nu; q++) {
        w[q] /= left;
      }
      rank++;
    }
  }
  const double before = row_product(m, m->u, m->u);
  for (int pass = 0; pass < 2; pass++) {
    for (int j = 0; j < rank; j++) {
      const double share = row_product(m, m->u, basis[j]);
      for (int q = 0; q < m->nu; q++) {
        m->u[q] -= share * basis[j][q];
      }
    }
  }
  if (row_product(m, m->u, m->u) < 1e-20 * before) { /* nothing is left but rounding */
    memset(m->u, 0, sizeof m->u);
  }
}

static inline void make_contact(mechanism *m, random_state *r, int i, int traits)
{
  nsd_contact_spec *s = &m->spec[i];
  *s = (nsd_contact_spec){.row = m->rows};
  if (traits & HAS_FRICTION) {
    s->friction = NSD_FRICTION_LOAD;
    s->mu = random_below(r, 8) == 0 ? 0.0 : random_between(r, 0.05, 1.5);
  }
  if ((traits & HAS_GIVEN) && random_below(r, 4) == 0) {
    s->friction = NSD_FRICTION_GIVEN;
    s->mu = 0.0;
  }
  if ((traits & HAS_SLOTS) && random_below(r, 3) == 0) {
    s->kind = NSDYN_CONTACT_BILATERAL;
  }
  m->rows += s->friction == NSD_FRICTION_NONE ? 1 : 2;
  m->restitution[i] =
      (nsd_restitution){.eps_n = random_unit(r), .eps_t = random_unit(r), .reversal = random_unit(r)};
}

/* Restitution of its own per contact; overwrite it as the test needs. */
static inline void make_mechanism(mechanism *m, random_state *r, int contacts, int traits)
{
  memset(m, 0, sizeof *m);
  m->contacts = contacts;
  for (int i = 0; i < contacts; i++) {
    make_contact(m, r, i, traits);
  }
  m->bilateral = traits & HAS_BILATERAL ? random_below(r, MOST_BILATERAL + 1) : 0;
  m->rows += m->bilateral;
  m->nu = traits & IS_REDUNDANT ? m->bilateral + 2 + random_below(r, m->rows) : m->rows + random_below(r, 3);
  m->nu = m->nu > MOST_NU ? MOST_NU : m->nu;
  const double size = random_scale(r, 2.0);
  for (int i = 0; i < m->rows; i++) {
    for (int q = 0; q < m->nu; q++) {
      mechanism_row(m, i)[q] = size * random_between(r, -1.0, 1.0);
    }
  }
  if ((traits & IS_REDUNDANT) && contacts > 1 && m->spec[0].friction == m->spec[1].friction) {
    memcpy(mechanism_row(m, m->spec[1].row), mechanism_row(m, 0),
           sizeof(double) * MOST_NU * (m->spec[0].friction == NSD_FRICTION_NONE ? 1 : 2));
  }
  const double speed = random_scale(r, 2.0);
  for (int q = 0; q < m->nu; q++) {
    m->u[q] = speed * random_between(r, -1.0, 1.0);
  }
  int rest[MOST_ROWS];
  int count = 0;
  for (int i = 0; i < contacts; i++) {
    if (m->spec[i].kind == NSDYN_CONTACT_BILATERAL) {
      rest[count++] = m->spec[i].row;
    }
  }
  for (int k = m->rows - m->bilateral; k < m->rows; k++) {
    rest[count++] = k;
  }
  m->liveliness = row_product(m, m->u, m->u);
  mechanism_rest(m, rest, count);
  mechanism_assemble(m);
  for (int k = 0; k < count; k++) {
    m->gamma[rest[k]] = 0.0;
  }
}

/* γ := G Λ + γ. */
static inline void add_impulses(const mechanism *m, const double *Lambda, double *gamma)
{
  for (int i = 0; i < m->rows; i++) {
    for (int j = 0; j < m->rows; j++) {
      gamma[i] += m->G[i * MOST_ROWS + j] * Lambda[j];
    }
  }
}

/* Impulses that friction allows, as a compression might leave them. */
static inline void random_impulses(const mechanism *m, random_state *r, double *Lambda)
{
  for (int i = 0; i < m->rows; i++) {
    Lambda[i] = 0.0;
  }
  for (int i = 0; i < m->contacts; i++) {
    const nsd_contact_spec *s = &m->spec[i];
    const double g = m->G[s->row * MOST_ROWS + s->row];
    const double press =
        random_below(r, 5) == 0 ? 0.0 : random_unit(r) * fabs(m->gamma[m->rows - 1] + m->gamma[0]) / g;
    Lambda[s->row] = s->kind == NSDYN_CONTACT_BILATERAL && random_below(r, 2) ? -press : press;
    if (s->friction == NSD_FRICTION_LOAD) {
      const int corner = random_below(r, 4);
      const double share = corner == 0   ? 0.0
                           : corner == 1 ? 1.0
                           : corner == 2 ? -1.0
                                         : random_between(r, -1.0, 1.0);
      Lambda[s->row + 1] = share * s->mu * press;
    }
  }
}

#endif
