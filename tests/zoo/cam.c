/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A follower of mass m under gravity and a spring on a turning cam, c(τ) = e sin(w τ + φ) + e₂ sin(2 w τ +
 * φ₂), in five choices of coordinates; without spring it is a ball on a vibrating table. Truth: in contact
 * the cam, in flight the closed form of the oscillator, events by bisection in long double. With ε > 0 hops
 * accumulate; a hop shorter than 1e-11 of the period is their end. */
#include "zoo.h"

enum { FLIGHTS = 1200 };

typedef struct leg {
  long double from, y, v; /* a flight begins at `from` at y, y'; or contact does */
  int closed;
} leg;

typedef struct cam {
  double m, g, k, e, w, phase, e2, phase2, t0, y0, eps; /* force −k (y − y0) − m g */
  int relative, turned, found, has_bias;
  int legs;
  long double end;
  leg leg[FLIGHTS];
} cam;

/* c, c', c'' as functions of the angle α = w τ. */
static void profile(const cam *p, double alpha, double *c)
{
  c[0] = p->e * sin(alpha + p->phase) + p->e2 * sin(2.0 * alpha + p->phase2);
  c[1] = p->e * cos(alpha + p->phase) + 2.0 * p->e2 * cos(2.0 * alpha + p->phase2);
  c[2] = -p->e * sin(alpha + p->phase) - 4.0 * p->e2 * sin(2.0 * alpha + p->phase2);
}

static void table(const cam *p, double t, double *c)
{
  profile(p, p->w * (t - p->t0), c);
  c[1] *= p->w;
  c[2] *= p->w * p->w;
}

static int mass(void *user, double t, const double *q, double *M)
{
  const cam *p = user;
  (void)t, (void)q;
  M[0] = p->m;
  if (p->turned) {
    M[0] = 0.3 * p->m * p->e * p->e;
    M[3] = p->m;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const cam *p = user;
  double c[3];
  (void)u;
  table(p, t, c);
  if (p->relative) {
    h[0] = -p->m * p->g - p->k * (q[0] + c[0] - p->y0) - p->m * c[2];
  } else {
    h[p->turned] = -p->m * p->g - p->k * (q[p->turned] - p->y0);
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const cam *p = user;
  double c[3] = {0.0};
  if (p->turned) {
    profile(p, q[0], c);
  } else if (!p->relative) {
    table(p, t, c);
  }
  g[0] = q[p->turned] - c[0];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const cam *p = user;
  double c[3];
  (void)i;
  W[p->turned] = 1.0;
  if (p->turned) {
    profile(p, q[0], c);
    W[0] = -c[1];
  } else if (!p->relative) {
    table(p, t, c);
    w_hat[0] = -c[1];
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const cam *p = user;
  double c[3];
  (void)i;
  if (p->turned) {
    profile(p, q[0], c);
    w_bar[0] = -c[2] * u[0] * u[0];
  } else if (!p->relative) {
    table(p, t, c);
    w_bar[0] = -c[2];
  }
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const cam *p = user;
  const double W[1] = {1.0};
  const nsdyn_contact_block block = {0, 1, W};
  nsdyn_found_contact found;
  double c[3];
  (void)margin;
  table(p, t, c);
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 11;
  found.gap = q[0] - c[0];
  found.blocks = 1;
  found.block = &block;
  found.w_hat[0] = -c[1];
  found.w_bar[0] = -c[2];
  return nsdyn_contact_sink_add(sink, &found);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const cam *p = user;
  g_b[0] = q[0] - p->w * (t - p->t0);
  W_b[0] = 1.0;
  w_hat_b[0] = -p->w;
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static void profile_l(const cam *p, long double tau, long double *c)
{
  const long double w = p->w, a = w * tau + p->phase, b = 2.0L * w * tau + p->phase2;
  c[0] = p->e * exact_sin(a) + p->e2 * exact_sin(b);
  c[1] = w * (p->e * exact_cos(a) + 2.0L * p->e2 * exact_cos(b));
  c[2] = -w * w * (p->e * exact_sin(a) + 4.0L * p->e2 * exact_sin(b));
}

/* Height and speed in flight; rest of the spring at s = y0 − m g / k. */
static void fly(const cam *p, const leg *l, long double tau, long double *y, long double *v)
{
  const long double d = tau - l->from, g = p->g;
  if (p->k == 0.0) {
    *y = l->y + d * (l->v - 0.5L * g * d);
    *v = l->v - g * d;
    return;
  }
  const long double W = sqrtl((long double)p->k / p->m), s = p->y0 - p->m * g / p->k;
  *y = s + (l->y - s) * exact_cos(W * d) + l->v / W * exact_sin(W * d);
  *v = -W * (l->y - s) * exact_sin(W * d) + l->v * exact_cos(W * d);
}

/* Normal force where it is closed, over m. */
static long double press(const cam *p, long double tau)
{
  long double c[3];
  profile_l(p, tau, c);
  return c[2] + p->g + (long double)p->k / p->m * (c[0] - p->y0);
}

static long double height(const cam *p, const leg *l, long double tau)
{
  long double y, v, c[3];
  fly(p, l, tau, &y, &v);
  profile_l(p, tau, c);
  return y - c[0];
}

/* The flight that begins at `leg` ends at the returned time, at most `end`. A hop may be short: steps grow
 * from its own length. */
static long double landing(const cam *p, const leg *l, long double end)
{
  const long double period = 6.28318530717958648L / p->w;
  long double y, v, c[3], low, high, step;
  fly(p, l, l->from, &y, &v);
  profile_l(p, l->from, c);
  const long double a = -press(p, l->from);
  step = v > c[1] && a < 0.0L ? fminl(period / 3000.0L, 0.2L * (v - c[1]) / -a) : period / 3000.0L;
  low = l->from;
  for (high = low + step; high < end && height(p, l, high) > 0.0L; high += step) {
    low = high;
    step = fminl(1.1L * step, period / 3000.0L);
  }
  for (int k = 0; k < 90 && high < end; k++) {
    const long double middle = 0.5L * (low + high);
    *(height(p, l, middle) > 0.0L ? &low : &high) = middle;
  }
  return fminl(high, end);
}

/* The next time at which it presses no longer, or `end`. */
static long double leaving(const cam *p, long double from, long double end)
{
  const long double step = 6.28318530717958648L / p->w / 3000.0L;
  long double low = from, high;
  for (high = from + step; high < end && press(p, high) > 0.0L; high += step) {
    low = high;
  }
  for (int k = 0; k < 90 && high < end; k++) {
    const long double middle = 0.5L * (low + high);
    *(press(p, middle) > 0.0L ? &low : &high) = middle;
  }
  return fminl(high, end);
}

static void live(cam *p, double y, double v, int closed, long double end)
{
  const long double period = 6.28318530717958648L / p->w;
  long double c[3];
  p->end = end;
  p->leg[0] = (leg){0.0L, y, v, closed};
  p->legs = 1;
  for (;;) {
    leg *now = &p->leg[p->legs - 1];
    const long double t = now->closed ? leaving(p, now->from, end) : landing(p, now, end);
    if (t >= end) {
      return;
    }
    if (p->legs == FLIGHTS) {
      p->end = t;
      return;
    }
    leg *next = now + 1;
    profile_l(p, t, c);
    *next = (leg){t, c[0], c[1], 0};
    if (!now->closed) {
      long double y_end;
      fly(p, now, t, &y_end, &next->v);
      const long double rebound = p->eps * (c[1] - next->v), a = press(p, t);
      next->v = c[1] + rebound;
      next->closed = a > 0.0L && 2.0L * rebound / a < 1e-11L * period;
      if (fabsl(next->v - c[1]) < 1e-3L * p->eps * period * p->g && a < 0.02L * p->g && !next->closed &&
          p->eps > 0.0) {
        p->end = t; /* it is about to leave by itself while it hops: too near to call */
        return;
      }
    }
    p->legs++;
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const cam *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  long double y, v, s[3];
  int k = 0;
  truth->knows_q = truth->knows_u = 1;
  for (int i = 0; i < p->legs; i++) {
    if (p->leg[i].from <= tau) {
      k = i;
    }
    truth->knows_u &= i == 0 || p->leg[i - 1].closed || fabsl(tau - p->leg[i].from) > (long double)c->slack;
  }
  profile_l(p, tau, s);
  if (p->leg[k].closed) {
    y = s[0];
    v = s[1];
  } else {
    fly(p, &p->leg[k], tau, &y, &v);
  }
  /* A hop in flight, from impact to impact, that rises by γ D/4: too low to be seen late. */
  if (!p->leg[k].closed && k > 0 && k + 1 < p->legs) {
    profile_l(p, p->leg[k].from, s);
    const long double D = p->leg[k + 1].from - p->leg[k].from;
    truth->knows_u &= 0.25L * (p->leg[k].v - s[1]) * D > zoo_unseen(c, t);
    profile_l(p, tau, s);
  }
  truth->q[0] = p->turned ? p->w * (double)tau : 0.0;
  truth->u[0] = p->turned ? p->w : 0.0;
  truth->q[p->turned] = (double)(p->relative ? y - s[0] : y);
  truth->u[p->turned] = (double)(p->relative ? v - s[1] : v);
  return tau < p->end;
}

/* While it presses the contact is there, in every step, with its force. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const cam *p = c->def.user;
  const long double tau = (long double)m->t - p->t0;
  nsdyn_contact_state state = {.size = sizeof state};
  int k = 0;
  if ((!m->driver && !m->stepper) || p->found || tau >= p->end) {
    return 0;
  }
  for (int i = 0; i < p->legs; i++) {
    k = p->leg[i].from <= tau ? i : k;
  }
  const long double slack = (long double)c->slack + (long double)m->dt, size = c->force / p->m;
  if (!p->leg[k].closed || tau - p->leg[k].from < slack ||
      (k + 1 < p->legs && p->leg[k + 1].from - tau < slack)) {
    return 0;
  }
  if (m->driver) {
    nsdyn_event_driver_contact(m->driver, 0, &state);
  } else {
    nsdyn_stepper_contact(m->stepper, 0, &state);
  }
  /* Bounces amplify: in steps the last hops may end later than in truth, but they are hops, not rounding. */
  const double acceleration = (double)size;
  if (m->dt > 0.0 && p->eps > 0.0 && state.gap > acceleration * m->dt * m->dt) {
    return 0;
  }
  const double N = (double)press(p, tau - 0.5L * m->dt) * p->m;
  const double ok =
      (1e-4 + (m->dt > 0.0 ? 0.3 * c->steps_bound * m->dt / c->time : 1e3 * m->tol)) * (double)size * p->m;
  return zoo_says(fault, m->t, m->dt > 0.0 ? "step force" : "force", state.force[0] - N, ok,
                  "force %.6e of the closed contact, not %.6e", state.force[0], N);
}

static const char *variant(int k)
{
  static const char *const names[] = {"gap(q,t), always closed",
                                      "gap(q,t)",
                                      "gap(q,t), bias given",
                                      "relative",
                                      "angle by a constraint",
                                      "angle by a constraint, bias",
                                      "found",
                                      "gap(q,t), ε > 0",
                                      "relative, ε > 0",
                                      "ball on a table, ε = 0",
                                      "ball on a table, ε > 0"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, bounces = k == 7 || k == 8 || k == 10, ball = k >= 9;
  const double m = ask->unit.m, s = ask->unit.s;
  cam *p = zoo_model(c, sizeof *p, k == 4 || k == 5 ? 2 : 1, k == 4 || k == 5 ? 2 : 1, k == 6 ? 0 : 1);
  double profile_0[3];
  p->t0 = ask->t0;
  p->turned = k == 4 || k == 5;
  p->relative = k == 3 || k == 8;
  p->found = k == 6;
  p->m = random_between(&random, 0.1, 2.0) * ask->unit.kg;
  p->g = 9.81 * m / (s * s);
  p->e = random_between(&random, 0.002, 0.05) * m;
  p->e2 = k % 2 ? 0.0 : 0.2 * p->e * random_unit(&random);
  p->phase = random_between(&random, 0.0, 6.28);
  p->phase2 = random_between(&random, 0.0, 6.28);
  /* speed of the cam in shares of that at which it lifts off, about */
  const double ratio = k == 0 ? 0.5 : random_between(&random, 0.8, bounces || ball ? 1.8 : 3.0);
  const double f = ball ? 0.0 : random_between(&random, 0.2, 2.0); /* natural frequency over w */
  const double y0 = -random_between(&random, 0.5, 2.0); /* in units of e: the spring is always pressed */
  /* m e w² (ratio-like) = m g + k |…| with k = m f² w²: w² = g / (e (1/ratio² …)) */
  p->w = ratio * sqrt(p->g / p->e);
  p->k = p->m * f * f * p->w * p->w * (k == 0 ? 0.3 : 1.0);
  p->y0 = (y0 - 1.2) * p->e;
  p->eps = bounces ? random_between(&random, 0.1, 0.7) : 0.0;
  profile(p, 0.0, profile_0);
  profile_0[1] *= p->w;
  if (k == 0) {
    p->e2 *= 0.5;
    profile(p, 0.0, profile_0);
    profile_0[1] *= p->w;
  }
  const int starts_closed = !bounces && press(p, 0.0L) > 0.05L * p->g;
  const double up = starts_closed ? 0.0 : random_between(&random, 0.3, 2.0) * p->e;
  const double y = profile_0[0] + up, v = starts_closed ? profile_0[1] : 0.0;
  c->q[p->turned] = p->relative ? up : y;
  c->u[p->turned] = p->relative ? v - profile_0[1] : v;
  c->u[0] = p->turned ? p->w : c->u[0];
  c->span = (bounces ? 20.0 : 40.0) / p->w;
  live(p, y, v, starts_closed, 1.1L * c->span);
  c->def.mass = mass;
  c->def.force = force;
  if (p->found) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(0.0, p->eps);
    c->found_law[0].friction = NSDYN_FRICTION_NONE;
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = k == 2 || k == 5 ? bias : NULL;
    c->law[0] = zoo_law(0.0, p->eps);
    c->law[0].friction = NSDYN_FRICTION_NONE;
  }
  if (p->turned) {
    c->def.nconstraints = 1;
    c->def.constraint = constraint;
    c->constraint_size[0] = 1.0;
  }
  c->time = 1.0 / p->w;
  c->length = 3.0 * p->e;
  c->speed = 3.0 * p->e * p->w;
  c->force = p->m * (p->g + p->e * p->w * p->w) + 3.0 * p->k * p->e;
  zoo_sizes(c, c->length, c->speed);
  if (p->turned) {
    c->q_size[0] = 1.0;
    c->u_size[0] = p->w;
  }
  c->amplify = bounces ? 100.0 : 10.0;
  c->least_steps = 4000;
  c->truth = truth;
  c->judge = judge;
  if (bounces || ball) { /* where it bounces, steps are judged by gaps alone */
    c->steps_bound = 300.0;
  }
}

const zoo_machine zoo_cam = {"cam", 11, variant, make};
