/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A smooth ladder of length l slides down between wall and floor: θ̈ = −(3 g/2 l) cos θ (θ from the floor)
 * until the wall's force vanishes, at sin θ = 2/3 sin θ₀ from rest; then its foot slides on at constant speed
 * of the centre, until the head falls on the floor. Truth: both motions in long double. (x, y, θ), or with
 * the foot held to the floor by a constraint (redundant coordinates). */
#include "zoo.h"

enum { GRID = 400 };

typedef struct ladder {
  double m, l, g, t0;
  int railed, free_of_wall;
  long double t1, t2, vx, x1; /* leaves the wall, falls flat */
  long double first[GRID + 1][2], second[GRID + 1][2];
} ladder;

static int mass(void *user, double t, const double *q, double *M)
{
  const ladder *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->m * p->l * p->l / 12.0;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const ladder *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->m * p->g;
  return 0;
}

/* Foot on the floor (or held by the constraint), head at the wall x = 0; the head leans to the left. */
static int gap(void *user, double t, const double *q, double *g)
{
  const ladder *p = user;
  (void)t;
  g[0] = q[0] - 0.5 * p->l * cos(q[2]);
  if (!p->railed) {
    g[1] = q[1] - 0.5 * p->l * sin(q[2]);
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const ladder *p = user;
  const double x = 0.5 * p->l * cos(q[2]), y = 0.5 * p->l * sin(q[2]);
  (void)t;
  w_hat[0] = 0.0;
  if (i == 0) {
    W[0] = 1.0;
    W[2] = y;
    W[4] = 1.0;
    W[5] = x;
  } else {
    W[1] = 1.0;
    W[2] = -x;
    W[3] = 1.0;
    W[5] = -y;
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const ladder *p = user;
  const double x = 0.5 * p->l * cos(q[2]) * u[2] * u[2], y = 0.5 * p->l * sin(q[2]) * u[2] * u[2];
  (void)t;
  w_bar[0] = i == 0 ? x : y;
  w_bar[1] = i == 0 ? -y : -x;
  return 0;
}

static int rail(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const ladder *p = user;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[1] - 0.5 * p->l * sin(q[2]);
  W_b[1] = 1.0;
  W_b[2] = -0.5 * p->l * cos(q[2]);
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static void on_wall(const void *data, const long double *y, long double *f)
{
  const ladder *p = data;
  f[0] = y[1];
  f[1] = -1.5L * p->g / p->l * exact_cos(y[0]);
}

/* Centre at l/2 sin θ: (l²/12 + l²/4 cos²) θ̈ = l²/4 sin cos θ̇² − g l/2 cos. */
static void on_floor(const void *data, const long double *y, long double *f)
{
  const ladder *p = data;
  const long double l = p->l, s = exact_sin(y[0]), c = exact_cos(y[0]);
  f[0] = y[1];
  f[1] = (0.25L * l * s * c * y[1] * y[1] - 0.5L * p->g * c) / (l / 12.0L + 0.25L * l * c * c);
}

/* Force of the wall over m: ẍ = −l/2 (sin θ θ̈ + cos θ θ̇²). */
static long double pressed(const void *data, const long double *y)
{
  const ladder *p = data;
  long double f[2];
  on_wall(p, y, f);
  return -0.5L * p->l * (exact_sin(y[0]) * f[1] + exact_cos(y[0]) * y[1] * y[1]);
}

static long double up(const void *data, const long double *y)
{
  (void)data;
  return y[0];
}

static void slide(ladder *p, double theta0)
{
  const exact_ode wall = {.n = 2, .rate = on_wall, .until = pressed, .data = p},
                  ground = {.n = 2, .rate = on_floor, .until = up, .data = p};
  const long double most = 100.0L * sqrtl((long double)p->l / p->g);
  long double y[2] = {theta0, 0.0L}, z[2] = {theta0, 0.0L};
  p->t1 = exact_ode_run(&wall, most, 10000, y);
  for (int k = 0; k <= GRID; k++) {
    memcpy(p->first[k], z, sizeof z);
    exact_ode_step(&wall, p->t1 / GRID, z);
  }
  p->vx = -0.5L * p->l * exact_sin(y[0]) * y[1];
  p->x1 = 0.5L * p->l * exact_cos(y[0]);
  memcpy(z, y, sizeof z);
  p->t2 = p->t1 + exact_ode_run(&ground, most, 10000, y);
  for (int k = 0; k <= GRID; k++) {
    memcpy(p->second[k], z, sizeof z);
    exact_ode_step(&ground, (p->t2 - p->t1) / GRID, z);
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const ladder *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  const int later = tau > p->t1;
  const exact_ode ode = {.n = 2, .rate = later ? on_floor : on_wall, .data = p};
  const long double span = later ? p->t2 - p->t1 : p->t1, d = later ? tau - p->t1 : tau;
  const int k = (int)fminl(floorl(d / span * GRID), GRID - 1);
  long double y[2];
  memcpy(y, later ? p->second[k] : p->first[k], sizeof y);
  exact_ode_step(&ode, d - span * k / GRID, y);
  truth->knows_q = truth->knows_u = 1;
  truth->q[0] = (double)(later ? p->x1 + p->vx * d : 0.5L * p->l * exact_cos(y[0]));
  truth->u[0] = (double)(later ? p->vx : -0.5L * p->l * exact_sin(y[0]) * y[1]);
  truth->q[1] = (double)(0.5L * p->l * exact_sin(y[0]));
  truth->u[1] = (double)(0.5L * p->l * exact_cos(y[0]) * y[1]);
  truth->q[2] = (double)y[0];
  truth->u[2] = (double)y[1];
  return tau < p->t2;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const ladder *p = c->def.user;
  (void)t;
  return p->m * (0.5 * (u[0] * u[0] + u[1] * u[1]) + p->l * p->l / 24.0 * u[2] * u[2] + p->g * q[1]);
}

static const char *variant(int k)
{
  static const char *const names[] = {"two contacts", "two contacts, bias given", "foot held",
                                      "foot held, bias given"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s, theta = random_between(&random, 0.4, 1.5);
  ladder *p = zoo_model(c, sizeof *p, 3, 3, k < 2 ? 2 : 1);
  p->railed = k >= 2;
  p->t0 = ask->t0;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->l = random_between(&random, 0.3, 3.0) * m;
  p->g = 9.81 * m / (s * s);
  c->q[0] = 0.5 * p->l * cos(theta);
  c->q[1] = 0.5 * p->l * sin(theta);
  c->q[2] = theta;
  slide(p, theta);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k % 2 ? bias : NULL;
  if (p->railed) {
    c->def.nconstraints = 1;
    c->def.constraint = rail;
    c->constraint_size[0] = p->l;
  }
  c->law[0] = c->law[1] = zoo_law(0.0, 0.0);
  c->time = sqrt(p->l / p->g);
  c->span = 0.98 * (double)p->t2;
  c->length = p->l;
  c->speed = p->l / c->time;
  c->force = p->m * p->g;
  zoo_sizes(c, p->l, c->speed);
  c->q_size[2] = 1.0;
  c->u_size[2] = 1.0 / c->time;
  c->amplify = 10.0;
  c->truth = truth;
  c->energy = energy;
  c->energy_size = p->m * p->g * p->l;
}

const zoo_machine zoo_ladder = {"ladder", 4, variant, make};
