/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A bead over the curve y = κ x²/2 and over a floor y = b.
 *
 * Hill (κ < 0): it slides down from rest without friction, never leaves the curve (N ∝ (1 + κ² x₀²)/(1 + κ²
 * x²)^1.5), falls onto the floor with ε and hops along it, with friction. Truth: ẍ = −κ x (g + κ ẋ²)/(1 + κ²
 * x²) in long double to the floor, closed forms from there. Bowl (κ > 0): it swings. A floor at b = 0 touches
 * at the lowest point, one below is never met; both change nothing. With b > 0 it passes from bowl to floor
 * and back, with impacts; energy and gaps are judged then. */
#include "path.h"

enum { GRID = 2000 };

typedef struct bead {
  double m, g, kappa, b, t0, mu, eps;
  int has_bias, smooth;
  double x0, u0;
  long double reach; /* when the floor is met */
  long double s[GRID + 1][2];
  path path;
} bead;

static int mass(void *user, double t, const double *q, double *M)
{
  const bead *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const bead *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->m * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const bead *p = user;
  (void)t;
  g[0] = q[1] - 0.5 * p->kappa * q[0] * q[0];
  g[1] = q[1] - p->b;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const bead *p = user;
  (void)t;
  w_hat[0] = 0.0;
  W[0] = i == 0 ? -p->kappa * q[0] : 0.0;
  W[1] = 1.0;
  W[2] = 1.0;
  W[3] = i == 0 ? p->kappa * q[0] : 0.0;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const bead *p = user;
  (void)t, (void)q;
  if (i == 0) {
    w_bar[0] = -p->kappa * u[0] * u[0];
    w_bar[1] = p->kappa * u[0] * u[1];
  }
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static void rate(const void *data, const long double *y, long double *f)
{
  const bead *p = data;
  const long double k = p->kappa;
  f[0] = y[1];
  f[1] = -k * y[0] * (p->g + k * y[1] * y[1]) / (1.0L + k * k * y[0] * y[0]);
}

static long double above_floor(const void *data, const long double *y)
{
  const bead *p = data;
  return 0.5L * p->kappa * y[0] * y[0] - p->b;
}

static void slide(bead *p, double span)
{
  const exact_ode ode = {.n = 2, .rate = rate, .data = p},
                  down = {.n = 2, .rate = rate, .until = above_floor, .data = p};
  p->reach = 1e300L;
  p->path.end = -1.0L;
  long double y[2] = {p->x0, p->u0};
  if (p->smooth) {
    for (int k = 0; k <= GRID; k++) {
      p->s[k][0] = y[0];
      p->s[k][1] = y[1];
      exact_ode_step(&ode, (long double)span / GRID, y);
    }
    return;
  }
  const long double t = exact_ode_run(&down, 100.0L * span, 40000, y);
  p->reach = t;
  path_leg *leg = path_next(&p->path, t);
  leg->x[0] = y[0];
  leg->x[1] = 0.0L;
  leg->v[0] = y[1];
  leg->v[1] = p->kappa * y[0] * y[1];
  leg->a[1] = -p->g;
  p->path.end = INFINITY;
  path_hop(&p->path, 0.0L, p->g, p->mu, p->eps, 0.0L, 100.0L * span);
  if (p->path.leg[1].v[0] <= 0.0L) { /* stopped by friction in the corner, it falls onto both */
    p->path.end = t;
  }
  long double z[2] = {p->x0, p->u0};
  for (int k = 0; k <= GRID; k++) {
    p->s[k][0] = z[0];
    p->s[k][1] = z[1];
    exact_ode_step(&ode, t / GRID, z);
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const bead *p = c->def.user;
  const long double tau = (long double)t - p->t0, end = p->smooth ? (long double)c->span : p->reach;
  if (!p->smooth && p->path.end < 0.0L) {
    return 0;
  }
  truth->knows_q = truth->knows_u = 1;
  if (tau > p->reach) {
    const int known = path_at(&p->path, tau, c->slack, truth->q, truth->u, &truth->knows_u);
    truth->q[1] += p->b;
    return known;
  }
  truth->knows_u = p->reach - tau > (long double)c->slack;
  const int k = (int)fminl(fmaxl(floorl(tau / end * GRID), 0.0L), GRID - 1);
  long double y[2] = {p->s[k][0], p->s[k][1]};
  const exact_ode ode = {.n = 2, .rate = rate, .data = p};
  exact_ode_step(&ode, tau - end * k / GRID, y);
  truth->q[0] = (double)y[0];
  truth->q[1] = (double)(0.5L * p->kappa * y[0] * y[0]);
  truth->u[0] = (double)y[1];
  truth->u[1] = (double)(p->kappa * y[0] * y[1]);
  return 1;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const bead *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) + p->g * q[1]);
}

static const char *variant(int k)
{
  static const char *const names[] = {"hill",
                                      "hill, bias given",
                                      "issue 9, seen 9",
                                      "bowl on floor",
                                      "bowl on floor, bias given",
                                      "bowl above floor",
                                      "bowl cut by floor",
                                      "bowl cut by floor, bias given"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, hill = k < 3;
  const double m = ask->unit.m, s = ask->unit.s, size = k == 2 ? 1.0 : random_between(&random, 0.2, 2.0);
  bead *p = zoo_model(c, sizeof *p, 2, 2, 2);
  p->t0 = ask->t0;
  p->m = (k == 2 ? 1.0 : random_between(&random, 0.3, 3.0)) * ask->unit.kg;
  p->g = 9.81 * m / (s * s);
  p->kappa = (hill ? -1.0 : 1.0) / (size * m);
  p->mu = k == 2 || !hill ? 0.0 : random_between(&random, 0.0, 0.6);
  p->eps = k == 2 ? 0.1 : random_between(&random, 0.0, 0.8);
  p->x0 = (k == 2 ? 0.7 : random_between(&random, 0.05, 0.9)) * size * m;
  c->q[0] = p->x0;
  c->q[1] = 0.5 * p->kappa * p->x0 * p->x0;
  const double depth = k == 2 ? 0.555 : random_between(&random, 0.2, 1.0) * size;
  p->b = hill ? c->q[1] - depth * m : k == 5 ? -random_scale(&random, 4.0) * 1e-3 * m : 0.0;
  if (k >= 6) {
    p->b = c->q[1] * random_between(&random, 0.1, 0.6);
  }
  if (hill) { /* friction of the floor must not press it against the hill within the impact */
    p->mu = fmin(p->mu, 0.9 / sqrt(-2.0 * p->b * -p->kappa));
  }
  p->smooth = !hill && k < 6;
  c->time = sqrt(size * m / p->g);
  c->span = (k == 2 ? 8.0 : random_between(&random, 4.0, 12.0)) * c->time;
  if (k < 6) {
    slide(p, c->span);
  } else {
    p->path.end = -1.0L;
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 1 || k == 4 || k == 7 ? bias : NULL;
  c->law[0] = c->law[1] = zoo_law(0.0, p->eps);
  c->law[1].mu = p->mu;
  c->length = size * m;
  c->speed = size * m / c->time;
  c->force = p->m * p->g;
  zoo_sizes(c, hill ? 5.0 * c->length : c->length, c->speed);
  c->amplify = 10.0;
  c->truth = truth;
  c->energy = energy;
  c->energy_size = p->m * p->g * size * m;
}

const zoo_machine zoo_bead = {"bead", 8, variant, make};
