/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A piece of chalk that is pushed along a blackboard (Painlevé): a rod whose lower end slides under friction
 * that outweighs its normal direction as it turns. With the determinant p of the sliding contact its force is
 * λ_N = −c/p; p and the load c may vanish at the same time (Génot & Brogliato 1999), and then it jams, or
 * takes off. No truth says which: judged by invariants, gaps and energy, and by the laws of forces. */
#include "zoo.h"

typedef struct chalk {
  double m, J, half, g, pull;
} chalk;

/* End i of the rod, at half (cos φ, sin φ) from its middle, or opposite to it. */
static void end_of(const chalk *p, const double *q, int i, double *x, double *y)
{
  const double side = i ? 1.0 : -1.0;
  *x = side * p->half * cos(q[2]);
  *y = side * p->half * sin(q[2]);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const chalk *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->J;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const chalk *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->pull;
  h[1] = -p->m * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  for (int i = 0; i < 2; i++) {
    double x, y;
    end_of(user, q, i, &x, &y);
    g[i] = q[1] + y;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double x, y;
  (void)t;
  end_of(user, q, i, &x, &y);
  W[1] = 1.0;
  W[2] = x;
  W[3] = 1.0;
  W[5] = -y;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  double x, y;
  (void)t;
  end_of(user, q, i, &x, &y);
  w_bar[0] = -y * u[2] * u[2];
  w_bar[1] = -x * u[2] * u[2];
  return 0;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const chalk *p = c->def.user;
  (void)t;
  return 0.5 * (p->m * (u[0] * u[0] + u[1] * u[1]) + p->J * u[2] * u[2]) + p->m * p->g * q[1] -
         p->pull * q[0];
}

static const char *variant(int k)
{
  static const char *const names[] = {"Newton", "Newton, bias", "Poisson", "pulled, bias", "rather open"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s;
  chalk *p = zoo_model(c, sizeof *p, 3, 3, 2);
  p->half = random_between(&random, 0.3, 1.0) * m;
  p->m = random_between(&random, 0.1, 3.0) * ask->unit.kg;
  p->J = p->m * p->half * p->half * random_between(&random, 0.2, 0.4);
  p->g = 9.81 * m / (s * s);
  p->pull = k == 3 ? random_between(&random, -1.0, 1.0) * p->m * p->g : 0.0;
  const double phi = random_between(&random, 0.2, 1.4), omega = random_between(&random, -4.0, 4.0) / s;
  c->q[1] = p->half * sin(phi);
  c->q[2] = phi;
  c->u[0] = random_between(&random, -8.0, 8.0) * m / s;
  c->u[1] = p->half * cos(phi) * omega;
  c->u[2] = omega;
  const double mu = random_between(&random, 1.2, 3.0), eps = random_between(&random, 0.0, 0.6);
  c->law[0] = zoo_law(mu, eps);
  c->law[1] = zoo_law(mu, eps);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 1 || k == 3 ? bias : NULL;
  c->impact = k == 2 || k == 4 ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
  c->ambiguous = k == 4 ? NSDYN_AMBIGUITY_OPEN : NSDYN_AMBIGUITY_STICK;
  c->events_only = 1;
  c->time = 0.1 * s;
  c->span = 2.0 * s;
  c->length = 1.0 * m;
  c->speed = 8.0 * m / s;
  c->force = 10.0 * p->m * p->g; /* it turns while it slides, w̄ = half · ω² */
  zoo_sizes(c, 1.0 * m, 8.0 * m / s);
  c->q_size[2] = 1.0;
  c->u_size[2] = 8.0 / s;
  c->amplify = 10.0;
  /* Newton's law may give energy where ε_N is not ε_T = 0. */
  c->energy = c->impact == NSDYN_IMPACT_POISSON ? energy : NULL;
  c->energy_size = p->m * c->speed * c->speed;
}

const zoo_machine zoo_chalk = {"chalk", 5, variant, make};
