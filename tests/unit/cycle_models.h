/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Systems whose cycles are known in closed form, and a search around them. */
#ifndef TESTS_UNIT_CYCLE_MODELS_H
#define TESTS_UNIT_CYCLE_MODELS_H

#include "event_models.h"
#include "nsdyn/study.h"

#define PI 3.14159265358979323846

/* A system and its search. */
typedef struct sought {
  nsdyn_system *sys;
  nsdyn_cycle *cycle;
  nsdyn_cycle_options options;
  nsdyn_event_driver_options driver;
} sought;

static inline sought sought_of(const nsdyn_system_def *def)
{
  sought s = {0};
  ck_assert_int_eq(nsdyn_system_new(NULL, def, &s.sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_cycle_options_init(&s.options, sizeof s.options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&s.driver, sizeof s.driver), NSDYN_OK);
  s.driver.tol = 1e-12;
  s.driver.max_steps = 100000;
  return s;
}

static inline void seek_law(sought *s, int i, nsdyn_contact_law law)
{
  ck_assert_int_eq(nsdyn_system_set_contact(s->sys, i, &law), NSDYN_OK);
}

/* Begins with these options; `driver` counts only where the options name it. */
static inline void seek(sought *s, double t, const double *q, const double *u)
{
  if (!s->cycle) {
    s->options.driver = s->options.driver ? &s->driver : NULL; /* a search handed on by value has moved */
    nsdyn_error error = {.size = sizeof error};
    const nsdyn_status status = nsdyn_cycle_new(NULL, s->sys, &s->options, &s->cycle, &error);
    ck_assert_msg(status == NSDYN_OK, "%s", error.message);
  }
  ck_assert_int_eq(nsdyn_cycle_set_state(s->cycle, t, q, u), NSDYN_OK);
}

static inline nsdyn_cycle_find_report result_of(const sought *s)
{
  nsdyn_cycle_find_report result;
  ck_assert_int_eq(nsdyn_cycle_find_report_init(&result, sizeof result), NSDYN_OK);
  ck_assert_int_eq(nsdyn_cycle_report(s->cycle, &result), NSDYN_OK);
  return result;
}

static inline nsdyn_cycle_find_report seek_find(sought *s)
{
  const nsdyn_status status = nsdyn_cycle_find(s->cycle);
  ck_assert_msg(status == NSDYN_OK, "%s: %s", nsdyn_status_name(status), nsdyn_cycle_message(s->cycle));
  ck_assert_str_eq(nsdyn_cycle_message(s->cycle), "");
  return result_of(s);
}

static inline void seek_end(sought *s)
{
  nsdyn_cycle_free(s->cycle);
  nsdyn_system_free(s->sys);
}

/* Multiplier k: real part. */
static inline double multiplier(const sought *s, int k)
{
  int32_t count;
  const double *lambda = nsdyn_cycle_multipliers(s->cycle, &count);
  ck_assert_int_lt(k, count);
  return lambda[2 * k];
}

/* ---- a ball on a shaking table ------------------------------------------------------------------------- */

/* A ball over the table y = A sin ωt, with restitution eps. */
typedef struct table_ball {
  double A, omega, g, eps;
} table_ball;

static inline int table_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static inline int table_force(void *user, double t, const double *q, const double *u, double *h)
{
  const table_ball *p = user;
  (void)t, (void)q, (void)u;
  h[0] = -p->g;
  return 0;
}

static inline int table_gap(void *user, double t, const double *q, double *g)
{
  const table_ball *p = user;
  g[0] = q[0] - p->A * sin(p->omega * t);
  return 0;
}

static inline int table_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const table_ball *p = user;
  (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = -p->A * p->omega * cos(p->omega * t);
  return 0;
}

/* Its bounce of the forcing's period, in closed form. With V = π g/ω the speed after each impact and w the
 * table's, V − w = ε (V + w); the table's acceleration a at the impact decides on stability: the map
 * (t, v) → (t', v') has the determinant ε² and the trace 1 + ε² + (1 + ε)² a/g. */
typedef struct table_cycle {
  double t; /* of the impact: table rising, and slowing down */
  double v;
  double trace, det;
} table_cycle;

static inline table_cycle table_solve(const table_ball *p)
{
  table_cycle c;
  c.v = PI * p->g / p->omega;
  const double w = c.v * (1.0 - p->eps) / (1.0 + p->eps);
  const double phase = acos(w / (p->A * p->omega)); /* in (0, π/2) */
  const double a = -p->A * p->omega * p->omega * sin(phase);
  c.t = phase / p->omega;
  c.det = p->eps * p->eps;
  c.trace = 1.0 + c.det + (1.0 + p->eps) * (1.0 + p->eps) * a / p->g;
  return c;
}

/* Amplitude at which it begins, by a fold; that at which its period doubles: trace = −1 − det. */
static inline double table_fold(const table_ball *p)
{
  return PI * p->g * (1.0 - p->eps) / (1.0 + p->eps) / (p->omega * p->omega);
}

static inline double table_flip(const table_ball *p)
{
  const double cosine = table_fold(p);
  const double sine =
      2.0 * (1.0 + p->eps * p->eps) / ((1.0 + p->eps) * (1.0 + p->eps)) * p->g / (p->omega * p->omega);
  return sqrt(cosine * cosine + sine * sine);
}

static inline sought table_search(table_ball *p)
{
  nsdyn_system_def def = table(1, 1, p);
  def.mass = table_mass;
  def.force = table_force;
  def.gap = table_gap;
  def.direction = table_direction;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(0.0, p->eps));
  s.options.kind = NSDYN_EVENT_IMPACT;
  s.options.contact = 0;
  s.options.forcing = 2.0 * PI / p->omega;
  return s;
}

/* In flight, a little off the bounce in closed form. */
static inline void table_guess(sought *s, const table_ball *p, double share)
{
  const table_cycle c = table_solve(p);
  const double t = c.t + 0.25 * PI / p->omega, v = (1.0 + share) * c.v;
  const double q = p->A * sin(p->omega * c.t) + v * (t - c.t) - 0.5 * p->g * (t - c.t) * (t - c.t);
  const double u = v - p->g * (t - c.t);
  seek(s, t, &q, &u);
}

/* ---- an oscillator looked at once in a period ---------------------------------------------------------- */

/* ẍ = −k x − 2 δ ẋ + F cos t, looked at where sin t rises through zero. */
typedef struct swing {
  double k, delta, F;
} swing;

static inline int swing_force(void *user, double t, const double *q, const double *u, double *h)
{
  const swing *p = user;
  h[0] = -p->k * q[0] - 2.0 * p->delta * u[0] + p->F * cos(t);
  return 0;
}

static inline int swing_section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)q, (void)u;
  *value = sin(t);
  return 0;
}

static inline sought swing_search(swing *p)
{
  nsdyn_system_def def = table(1, 0, p);
  def.mass = table_mass;
  def.force = swing_force;
  return sought_of(&def);
}

/* Its options name the driver's, so that it cannot move once they are set. */
static inline void swing_options(sought *s)
{
  s->driver.section = swing_section;
  s->driver.section_direction = 1;
  s->options.driver = &s->driver;
  s->options.forcing = 2.0 * PI;
}

/* ---- the woodpecker ------------------------------------------------------------------------------------ */

static const int32_t toy_drift[3] = {1, 0, 0};

static inline sought toy_search(exact_woodpecker *w, int32_t kind, int32_t contact)
{
  driven d = toy_scene(w);
  sought s = {.sys = d.sys};
  ck_assert_int_eq(nsdyn_cycle_options_init(&s.options, sizeof s.options), NSDYN_OK);
  s.options.kind = kind;
  s.options.contact = contact;
  s.options.drift = toy_drift;
  return s;
}

/* The initial state of Table I. */
static inline void toy_guess(sought *s, const exact_woodpecker *w)
{
  const double q[3] = {0.5, -(w->r_M - w->r_O) / w->h_M, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583};
  seek(s, 0.0, q, u);
}

#endif
