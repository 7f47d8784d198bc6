/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A Scotch yoke: the crank turns by a constraint φ = Ω τ, the slider follows by x = R f(φ), on a rough floor,
 * y >= 0. f is the cosine, or a function with dwells (a cosine between rests of a quarter turn, as of a
 * Geneva drive, made twice differentiable). Truth: the constraints themselves; friction by the judge of all
 * machines. */
#include "zoo.h"

typedef struct yoke {
  double m, J, g, R, Omega, phase, t0;
  int dwell, has_bias;
} yoke;

/* A smooth step from 0 to 1 on [0, 1], and its derivatives. */
static void smooth(double s, double *f)
{
  f[0] = s * s * s * s * (35.0 + s * (-84.0 + s * (70.0 - 20.0 * s)));
  f[1] = s * s * s * (140.0 + s * (-420.0 + s * (420.0 - 140.0 * s)));
  f[2] = s * s * (420.0 + s * (-1680.0 + s * (2100.0 - 840.0 * s)));
}

/* f, f', f'' of the crank angle. */
static void follow(const yoke *p, double phi, double *f)
{
  if (!p->dwell) {
    f[0] = cos(phi);
    f[1] = -sin(phi);
    f[2] = -cos(phi);
    return;
  }
  /* a turn: up in a quarter, rest, down, rest */
  const double quarter = 1.5707963267948966, turns = floor(phi / (4.0 * quarter));
  const double place = phi / quarter - 4.0 * turns;
  double s[3] = {0.0, 0.0, 0.0};
  if (place < 1.0) {
    smooth(place, s);
  } else if (place < 2.0) {
    s[0] = 1.0;
  } else if (place < 3.0) {
    smooth(3.0 - place, s);
    s[1] = -s[1];
  }
  f[0] = 2.0 * s[0] - 1.0;
  f[1] = 2.0 * s[1] / quarter;
  f[2] = 2.0 * s[2] / (quarter * quarter);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const yoke *p = user;
  (void)t, (void)q;
  M[0] = p->J;
  M[4] = M[8] = p->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const yoke *p = user;
  (void)t, (void)q, (void)u;
  h[2] = -p->m * p->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[2] = W[4] = 1.0;
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const double W[6] = {0.0, 0.0, 1.0, 0.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 3, W};
  nsdyn_found_contact found;
  (void)user, (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 3;
  found.gap = q[2];
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const yoke *p = user;
  double f[3];
  follow(p, q[0], f);
  g_b[0] = q[0] - p->phase - p->Omega * (t - p->t0);
  W_b[0] = 1.0;
  w_hat_b[0] = -p->Omega;
  g_b[1] = q[1] - p->R * f[0];
  W_b[3] = -p->R * f[1];
  W_b[4] = 1.0;
  return 0;
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar)
{
  const yoke *p = user;
  double f[3];
  (void)t;
  follow(p, q[0], f);
  w_bar[0] = 0.0;
  w_bar[1] = -p->R * f[2] * u[0] * u[0];
  return 0;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const yoke *p = c->def.user;
  double f[3];
  const double phi = p->phase + p->Omega * (t - p->t0);
  follow(p, phi, f);
  truth->knows_q = truth->knows_u = 1;
  truth->q[0] = phi;
  truth->u[0] = p->Omega;
  truth->q[1] = p->R * f[0];
  truth->u[1] = p->R * f[1] * p->Omega;
  return 1;
}

/* Friction has the sign of −velocity, in steps too, and its size. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const yoke *p = c->def.user;
  nsdyn_contact_state state = {.size = sizeof state};
  if ((!m->driver && !m->stepper) || c->def.find) {
    return 0;
  }
  if (m->driver) {
    nsdyn_event_driver_contact(m->driver, 0, &state);
  } else {
    nsdyn_stepper_contact(m->stepper, 0, &state);
  }
  double f[3];
  const double dead = 1e-4 + 10.0 * m->dt * p->Omega;
  follow(p, p->phase + p->Omega * (m->t - p->t0), f);
  if (fabs(f[1]) < dead) {
    return 0;
  }
  const double law = -copysign(c->law[0].mu * c->force, f[1]);
  return zoo_says(fault, m->t, "friction sign", state.force[1] - law, 1e-4 * c->force,
                  "friction force %.4e, not %.4e", state.force[1], law) ||
         zoo_says(fault, m->t, "normal force", state.force[0] - c->force, 1e-4 * c->force,
                  "normal force %.4e, not %.4e", state.force[0], c->force);
}

static const char *variant(int k)
{
  static const char *const names[] = {
      "cosine", "cosine, constraint bias", "cosine, bias of both", "cosine, found",
      "dwell",  "dwell, bias of both",     "issue 9, seen 1"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s;
  yoke *p = zoo_model(c, sizeof *p, 3, 3, k == 3 ? 0 : 1);
  double f[3];
  const double mu = k == 6 ? 0.3 : random_between(&random, 0.01, 1.0);
  p->t0 = ask->t0;
  p->dwell = k == 4 || k == 5;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->R = (k == 6 ? 1.0 : random_between(&random, 0.1, 2.0)) * m;
  p->J = random_between(&random, 0.1, 1.0) * ask->unit.kg * m * m;
  p->g = 9.81 * m / (s * s);
  p->Omega = (k == 6 ? 1.0 : random_between(&random, 0.5, 10.0)) / s;
  p->phase = k == 6 ? 0.0 : random_between(&random, 0.0, 6.0);
  c->def.mass = mass;
  c->def.force = force;
  c->def.nconstraints = 2;
  c->def.constraint = constraint;
  c->def.constraint_bias = k == 1 || k == 2 || k == 5 ? constraint_bias : NULL;
  if (k == 3) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(mu, 0.0);
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = k == 2 || k == 5 ? bias : NULL;
    c->law[0] = zoo_law(mu, 0.0);
  }
  follow(p, p->phase, f);
  c->q[0] = p->phase;
  c->q[1] = p->R * f[0];
  c->u[0] = p->Omega;
  c->u[1] = p->R * f[1] * p->Omega;
  c->span = 14.0 / p->Omega;
  c->time = 1.0 / p->Omega;
  c->length = p->R;
  c->speed = (p->dwell ? 4.0 : 1.0) * p->R * p->Omega;
  c->force = p->m * p->g;
  c->constraint_size[0] = 1.0;
  c->constraint_size[1] = p->R;
  zoo_sizes(c, p->R, c->speed);
  c->q_size[0] = 1.0;
  c->u_size[0] = p->Omega;
  c->truth = truth;
  c->judge = judge;
}

const zoo_machine zoo_yoke = {"yoke", 7, variant, make};
