/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two masses joined by a rigid rod fall on a floor and against a wall: as a body of three coordinates, or as
 * two points and a constraint. Truth: exact.h, as a body. */
#include "exact.h"

typedef struct rod {
  exact e;
  exact_real m[2], g, l[2]; /* l: of each mass from the middle of mass, −, + */
} rod;

static void inertia(const exact *e, const exact_real *q, exact_real *M)
{
  const rod *p = (const rod *)e;
  (void)q;
  M[0] = M[4] = p->m[0] + p->m[1];
  M[8] = p->m[0] * p->l[0] * p->l[0] + p->m[1] * p->l[1] * p->l[1];
}

static void force(const exact *e, exact_real t, const exact_real *q, const exact_real *v, exact_real *h)
{
  const rod *p = (const rod *)e;
  (void)t, (void)q, (void)v;
  h[1] = -(p->m[0] + p->m[1]) * p->g;
}

/* 0, 1: masses on the floor; 2, 3: at the wall */
static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  const exact_real l = ((const rod *)e)->l[i % 2];
  const int wall = i / 2;
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  s *= l;
  c *= l;
  w->gap = wall ? q[0] + c : q[1] + s;
  w->w[0][wall ? 0 : 1] = w->w[1][wall ? 1 : 0] = 1.0L;
  w->w[0][2] = wall ? -s : c;
  w->w[1][2] = wall ? c : -s;
}

static void drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                  exact_real *bias)
{
  const exact_real square = ((const rod *)e)->l[i % 2] * v[2] * v[2];
  exact_real s, c;
  (void)t;
  exact_sin_cos(q[2], &s, &c);
  bias[0] = -square * (i / 2 ? c : s);
  bias[1] = -square * (i / 2 ? s : c);
}

static exact_real energy(const exact *e, const exact_real *q, const exact_real *v)
{
  const rod *p = (const rod *)e;
  const exact_real m = p->m[0] + p->m[1], J = p->m[0] * p->l[0] * p->l[0] + p->m[1] * p->l[1] * p->l[1];
  return 0.5L * (m * (v[0] * v[0] + v[1] * v[1]) + J * v[2] * v[2]) + m * p->g * q[1];
}

/* Two points: x0, y0, x1, y1. */
static int mass_two(void *user, double t, const double *q, double *M)
{
  const rod *p = user;
  (void)t, (void)q;
  for (int j = 0; j < 4; j++) {
    M[5 * j] = (double)p->m[j / 2] * p->e.unit.kg;
  }
  return 0;
}

static int force_two(void *user, double t, const double *q, const double *u, double *h)
{
  const rod *p = user;
  (void)t, (void)q, (void)u;
  for (int j = 0; j < 2; j++) {
    h[2 * j + 1] = -(double)(p->m[j] * p->g) * p->e.unit.kg * p->e.unit.m / (p->e.unit.s * p->e.unit.s);
  }
  return 0;
}

static int gap_two(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  for (int i = 0; i < 4; i++) {
    g[i] = q[2 * (i % 2) + (i / 2 ? 0 : 1)];
  }
  return 0;
}

static int direction_two(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const int j = 2 * (i % 2);
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[j + (i / 2 ? 0 : 1)] = 1.0;
  W[4 + j + (i / 2 ? 1 : 0)] = 1.0;
  return 0;
}

static int distance(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const rod *p = user;
  const double L = (double)(p->l[1] - p->l[0]) * p->e.unit.m, x = q[2] - q[0], y = q[3] - q[1];
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = 0.5 * ((x * x + y * y) / L - L);
  W_b[0] = -x / L;
  W_b[1] = -y / L;
  W_b[2] = x / L;
  W_b[3] = y / L;
  return 0;
}

static void points(const rod *p, const exact_real *x, const exact_real *v, double *q, double *u)
{
  for (int j = 0; j < 2; j++) {
    const exact_real s = p->l[j] * exact_sin(x[2]), c = p->l[j] * exact_cos(x[2]);
    q[2 * j] = (double)(x[0] + c) * p->e.unit.m;
    q[2 * j + 1] = (double)(x[1] + s) * p->e.unit.m;
    u[2 * j] = (double)(v[0] - s * v[2]) * p->e.unit.m / p->e.unit.s;
    u[2 * j + 1] = (double)(v[1] + c * v[2]) * p->e.unit.m / p->e.unit.s;
  }
}

static int truth_two(zoo_case *c, double t, zoo_truth *truth)
{
  const rod *p = c->def.user;
  exact_real x[EXACT_MOST], v[EXACT_MOST];
  if (!exact_at(&p->e, (exact_real)((t - c->t0) / p->e.unit.s), c->slack / p->e.unit.s, x, v,
                &truth->knows_u)) {
    return 0;
  }
  truth->knows_q = 1;
  points(p, x, v, truth->q, truth->u);
  return 1;
}

static double energy_two(const zoo_case *c, double t, const double *q, const double *u)
{
  const rod *p = c->def.user;
  double sum = 0.0;
  (void)t;
  for (int j = 0; j < 2; j++) {
    const double m = (double)p->m[j] * p->e.unit.kg,
                 g = (double)p->g * p->e.unit.m / (p->e.unit.s * p->e.unit.s);
    sum += m * (0.5 * (u[2 * j] * u[2 * j] + u[2 * j + 1] * u[2 * j + 1]) + g * q[2 * j + 1]);
  }
  return sum;
}

static const char *variant(int k)
{
  static const char *const names[] = {"body, inelastic",          "points, inelastic", "body, friction",
                                      "points, friction",         "body, bounces",     "points, bounces",
                                      "points, friction, bounces"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, two = k % 2 || k == 6;
  rod *p = exact_model(c, ask, sizeof *p, 3, 4);
  const exact_real L = random_between(&random, 0.3, 1.0);
  p->g = 9.81L;
  for (int j = 0; j < 2; j++) {
    p->m[j] = random_between(&random, 0.3, 3.0);
  }
  p->l[0] = -L * p->m[1] / (p->m[0] + p->m[1]);
  p->l[1] = L + p->l[0];
  for (int i = 0; i < 4; i++) {
    p->e.law[i].friction = k == 2 || k == 3 || k == 6 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
    p->e.law[i].mu = random_between(&random, 0.1, 0.6);
    p->e.law[i].eps = k > 3 ? random_between(&random, 0.3, 0.6) : 0.0;
  }
  p->e.is_angle[2] = 1;
  p->e.inertia = inertia;
  p->e.force = force;
  p->e.touch = touch;
  p->e.drift = drift;
  p->e.energy = energy;
  p->e.time = sqrtl(L / p->g);
  p->e.length = L;
  p->e.speed = sqrtl(L * p->g);
  const exact_real q[3] = {L * random_between(&random, 1.0, 1.5), L * random_between(&random, 1.0, 1.5),
                           random_between(&random, -1.2, 1.2)};
  const exact_real v[3] = {-p->e.speed * random_between(&random, 0.0, 1.5), 0.0L,
                           random_between(&random, -2.0, 2.0)};
  c->amplify = k > 3 ? 300.0 : 10.0;
  c->least_steps = 5000;
  exact_define(c, EXACT_KNOWN, q, v, (k > 3 ? 5.0L : 8.0L) * p->e.time, p->m[0] * p->g);
  if (two) {
    c->def.nq = c->def.nu = 4;
    c->def.mass = mass_two;
    c->def.force = force_two;
    c->def.gap = gap_two;
    c->def.direction = direction_two;
    c->def.nconstraints = 1;
    c->def.constraint = distance;
    for (int j = 0; j < 4; j++) {
      c->q_size[j] = c->length;
      c->u_size[j] = c->speed;
    }
    points(p, q, v, c->q, c->u);
    c->truth = truth_two;
    c->energy = energy_two;
  }
}

const zoo_machine zoo_rod = {"rod", 7, variant, make};
