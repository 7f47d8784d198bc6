/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bead on the parabola y = ½ x², by a constraint, in a slot, or pressed onto it by its weight; with its
 * motion to the last digits, in one direction. */
#ifndef TESTS_UNIT_BEADS_H
#define TESTS_UNIT_BEADS_H

#include "stepping.h"
#include "support/exact_ode.h"

enum hold { JOINT, SLOT, PRESSED, HOLDS };

typedef struct bead {
  enum hold hold;
  int is_told; /* the slopes of h are told */
  double drag; /* h = −d u − m g */
  double mu;
} bead;

static const double weight = 9.81, bead_mass = 2.0;

static inline int bead_M(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = bead_mass;
  return 0;
}

static inline int bead_h(void *user, double t, const double *q, const double *u, double *h)
{
  const bead *b = user;
  (void)t, (void)q;
  h[0] = -b->drag * u[0];
  h[1] = -b->drag * u[1] - bead_mass * weight;
  return 0;
}

static inline int bead_slopes(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  (void)t, (void)q, (void)u;
  K[0] = K[1] = K[2] = K[3] = 0.0;
  D[0] = D[3] = -((const bead *)user)->drag;
  return 0;
}

static inline int bead_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - 0.5 * q[0] * q[0];
  return 0;
}

static inline int bead_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = -q[0];
  W[1] = W[2] = 1.0;
  W[3] = q[0];
  return 0;
}

static inline int bead_joint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  (void)user, (void)t;
  w_hat[0] = 0.0;
  g[0] = q[1] - 0.5 * q[0] * q[0];
  W[0] = -q[0];
  W[1] = 1.0;
  return 0;
}

static inline nsdyn_stepper *bead_stepper(bead *b, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 2;
  def.user = b;
  def.mass = bead_M;
  def.force = bead_h;
  def.force_jacobian = b->is_told ? bead_slopes : NULL;
  def.flags = NSDYN_CONSTANT_MASS;
  if (b->hold == JOINT) {
    def.nconstraints = 1;
    def.constraint = bead_joint;
  } else {
    def.ncontacts = 1;
    def.gap = bead_gap;
    def.direction = bead_direction;
  }
  law.kind = b->hold == SLOT ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  law.friction = b->mu > 0.0 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.mu = b->mu;
  return stepper_for(&def, &law, options);
}

/* x, v = ẋ: m (v̇ (1 + x²) + x v²) = −m g x − d v (1 + x²) − μ N √(1 + x²), N = m (g + v²)/√(1 + x²), for v >
 * 0. */
static inline void bead_rate(const void *data, const long double *y, long double *f)
{
  const bead *b = data;
  const long double x = y[0], v = y[1], size = 1.0L + x * x;
  const long double friction = (long double)b->mu * (weight + v * v);
  f[0] = v;
  f[1] = -(x * v * v + weight * x + friction) / size - b->drag / bead_mass * v;
}

/* After 0.3 s from x = −0.6 with v = 1.2: it slides on in one direction. Errors of x, v, and how far it is
 * off the curve, in place and velocity. */
static inline void bead_errors(bead *b, const nsdyn_stepper_options *options, int steps, double error[2],
                               double drift[2])
{
  const double span = 0.3, x = -0.6, v = 1.2;
  long double y[2] = {x, v};
  const exact_ode ode = {.n = 2, .rate = bead_rate, .data = b};
  exact_ode_run(&ode, span, 16, y);
  nsdyn_stepper *s = bead_stepper(b, options);
  set_state(s, (double[]){x, 0.5 * x * x}, (double[]){v, x * v});
  run(s, span / steps, steps);
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
  error[0] = fabs(q[0] - (double)y[0]);
  error[1] = fabs(u[0] - (double)y[1]);
  drift[0] = fabs(q[1] - 0.5 * q[0] * q[0]);
  drift[1] = fabs(u[1] - q[0] * u[0]);
  nsdyn_stepper_free(s);
}

#endif
