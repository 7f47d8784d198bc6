/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Bodies on a plane in space, for the tests of event-driven integration: points, and spheres that need no
 * orientation, u = (v, ω) or v alone. */
#ifndef TESTS_UNIT_EVENT_SPACE_H
#define TESTS_UNIT_EVENT_SPACE_H

#include "event_models.h"

/* On the plane z = 0, which moves with V at its origin and turns at Ω about z. */
typedef struct body {
  double mass, radius, inertia; /* radius 0: a point, nu = 3 */
  double load[3], rise[3];      /* force on it: load + rise t */
  double turn[2];               /* V + turn: what the surface's velocity is, V + Ω × r */
  double Omega, spin_up;        /* Ω + spin_up t */
  double t0;
} body;

static inline int body_nu(const body *b)
{
  return b->radius > 0.0 ? 6 : 3;
}

static inline int body_mass(void *user, double t, const double *q, double *M)
{
  const body *b = user;
  const int nu = body_nu(b);
  (void)t, (void)q;
  memset(M, 0, (size_t)nu * (size_t)nu * sizeof *M);
  for (int i = 0; i < nu; i++) {
    M[i * nu + i] = i < 3 ? b->mass : b->inertia;
  }
  return 0;
}

static inline int body_force(void *user, double t, const double *q, const double *u, double *h)
{
  const body *b = user;
  (void)q, (void)u;
  for (int i = 0; i < body_nu(b); i++) {
    h[i] = i < 3 ? b->load[i] + b->rise[i] * (t - b->t0) : 0.0;
  }
  return 0;
}

static inline int body_gap(void *user, double t, const double *q, double *g)
{
  const body *b = user;
  (void)t;
  g[0] = q[2] - b->radius;
  return 0;
}

/* γ = velocity of the lowest point over the surface's there, axes z, x, y. */
static inline int body_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  const body *b = user;
  const int nu = body_nu(b);
  const double Omega = b->Omega + b->spin_up * (t - b->t0);
  (void)i;
  memset(W, 0, 3 * (size_t)nu * sizeof *W);
  W[2] = W[nu] = W[2 * nu + 1] = 1.0;
  if (nu == 6) { /* ω × (0, 0, −R) */
    W[nu + 4] = -b->radius;
    W[2 * nu + 3] = b->radius;
  }
  w_hat[0] = 0.0;
  w_hat[1] = -b->turn[0] + Omega * q[1];
  w_hat[2] = -b->turn[1] - Omega * q[0];
  return 0;
}

static inline nsdyn_contact_law space_law(double mu, double eps_n, double eps_t)
{
  nsdyn_contact_law law = law_of(mu, eps_n);
  law.tangents = 2;
  law.eps_t = eps_t;
  return law;
}

static inline driven body_scene(body *b, nsdyn_contact_law law)
{
  nsdyn_system_def def = table(body_nu(b), 1, b);
  def.mass = body_mass;
  def.force = body_force;
  def.gap = body_gap;
  def.direction = body_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law);
  return s;
}

#endif
