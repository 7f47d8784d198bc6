/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Mechanical systems for the tests of event-driven integration, each with what its test needs to know in
 * closed form, and a driver around them. */
#ifndef TESTS_UNIT_EVENT_MODELS_H
#define TESTS_UNIT_EVENT_MODELS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/event.h"
#include "suite.h"
#include "support/exact_rod.h"
#include "support/exact_woodpecker.h"

enum { SCENE_MOST = 8 };

/* A system and its driver. */
typedef struct driven {
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
  nsdyn_event_driver_options options;
} driven;

static inline nsdyn_system_def table(int nq, int ncontacts, void *user)
{
  nsdyn_system_def def;
  ck_assert_int_eq(nsdyn_system_def_init(&def, sizeof def), NSDYN_OK);
  def.nq = def.nu = nq;
  def.ncontacts = ncontacts;
  def.user = user;
  return def;
}

static inline nsdyn_contact_law law_of(double mu, double eps_n)
{
  nsdyn_contact_law law;
  ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
  law.mu = mu;
  law.eps_n = eps_n;
  return law;
}

/* The system; options are the defaults until scene_drive(). */
static inline driven scene_of(const nsdyn_system_def *def)
{
  driven s = {0};
  ck_assert_int_eq(nsdyn_system_new(NULL, def, &s.sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&s.options, sizeof s.options), NSDYN_OK);
  return s;
}

static inline void scene_law(driven *s, int i, nsdyn_contact_law law)
{
  ck_assert_int_eq(nsdyn_system_set_contact(s->sys, i, &law), NSDYN_OK);
}

static inline void scene_drive(driven *s, double t, const double *q, const double *u)
{
  if (!s->driver) {
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, s->sys, &s->options, &s->driver, NULL), NSDYN_OK);
  }
  ck_assert_int_eq(nsdyn_event_driver_set_state(s->driver, t, q, u), NSDYN_OK);
}

static inline void scene_advance(driven *s, double t_end)
{
  const nsdyn_status status = nsdyn_event_driver_advance(s->driver, t_end);
  ck_assert_msg(status == NSDYN_OK, "%s: %s", nsdyn_status_name(status),
                nsdyn_event_driver_message(s->driver));
  ck_assert(nsdyn_event_driver_time(s->driver) == t_end);
}

static inline void scene_end(driven *s)
{
  nsdyn_event_driver_free(s->driver);
  nsdyn_system_free(s->sys);
}

static inline int events_of(const driven *s)
{
  return (int)nsdyn_event_driver_events(s->driver);
}

static inline nsdyn_event event_of(const driven *s, int k)
{
  nsdyn_event event;
  ck_assert_int_eq(nsdyn_event_init(&event, sizeof event), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_event(s->driver, k, &event), NSDYN_OK);
  return event;
}

/* The k-th record of a kind, from 0; its kind is 0 where there is none. */
static inline nsdyn_event event_of_kind(const driven *s, int32_t kind, int k)
{
  nsdyn_event none = {.size = sizeof none};
  for (int i = 0; i < events_of(s); i++) {
    const nsdyn_event event = event_of(s, i);
    if (event.kind == kind && k-- == 0) {
      return event;
    }
  }
  return none;
}

static inline int count_kind(const driven *s, int32_t kind)
{
  int count = 0;
  for (int i = 0; i < events_of(s); i++) {
    count += event_of(s, i).kind == kind;
  }
  return count;
}

static inline nsdyn_event_report report_of(const driven *s)
{
  nsdyn_event_report report;
  ck_assert_int_eq(nsdyn_event_report_init(&report, sizeof report), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_report(s->driver, &report), NSDYN_OK);
  return report;
}

static inline nsdyn_contact_state contact_of(const driven *s, int i)
{
  nsdyn_contact_state state;
  ck_assert_int_eq(nsdyn_contact_state_init(&state, sizeof state), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_contact(s->driver, i, &state), NSDYN_OK);
  return state;
}

/* ---- points over a floor ------------------------------------------------------------------------------- */

/* Unit masses at (x, y), one after the other; M = 1. The floor of mass i is y = A_i sin(ω_i t), its belt runs
 * at V_i. Weight g, spring k x, force F_x cos(Ω t), F_y cos(Ω t) + G. */
typedef struct points {
  int count;
  double g, k, V[SCENE_MOST], A[SCENE_MOST], omega[SCENE_MOST];
  double F[2], Omega;
  int64_t calls; /* of force */
} points;

static inline int points_mass(void *user, double t, const double *q, double *M)
{
  const points *p = user;
  const int n = 2 * p->count;
  (void)t, (void)q;
  for (int i = 0; i < n; i++) {
    M[i * n + i] = 1.0;
  }
  return 0;
}

static inline int points_force(void *user, double t, const double *q, const double *u, double *h)
{
  points *p = user;
  (void)u;
  p->calls++;
  for (int i = 0; i < p->count; i++) {
    h[2 * i] = -p->k * q[2 * i] + p->F[0] * cos(p->Omega * t);
    h[2 * i + 1] = -p->g + p->F[1] * cos(p->Omega * t);
  }
  return 0;
}

static inline int points_gap(void *user, double t, const double *q, double *g)
{
  const points *p = user;
  for (int i = 0; i < p->count; i++) {
    g[i] = q[2 * i + 1] - p->A[i] * sin(p->omega[i] * t);
  }
  return 0;
}

static inline int points_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const points *p = user;
  (void)q;
  W[2 * i + 1] = 1.0;
  W[2 * p->count + 2 * i] = 1.0;
  w_hat[0] = -p->A[i] * p->omega[i] * cos(p->omega[i] * t);
  w_hat[1] = -p->V[i];
  return 0;
}

static inline driven points_scene(points *p, double mu, double eps_n)
{
  nsdyn_system_def def = table(2 * p->count, p->count, p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  driven s = scene_of(&def);
  for (int i = 0; i < p->count; i++) {
    scene_law(&s, i, law_of(mu, eps_n));
  }
  return s;
}

/* ---- Painlevé's rod ------------------------------------------------------------------------------------ */

static inline int rod_mass(void *user, double t, const double *q, double *M)
{
  const exact_rod *rod = user;
  (void)t, (void)q;
  M[0] = M[4] = rod->m;
  M[8] = rod->m * rod->l * rod->l / 12.0;
  return 0;
}

static inline int rod_force(void *user, double t, const double *q, const double *u, double *h)
{
  const exact_rod *rod = user;
  (void)t, (void)q, (void)u;
  h[1] = -rod->m * rod->g;
  return 0;
}

static inline int rod_gap(void *user, double t, const double *q, double *g)
{
  const exact_rod *rod = user;
  (void)t;
  g[0] = q[1] - 0.5 * rod->l * sin(q[2]);
  return 0;
}

static inline int rod_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const exact_rod *rod = user;
  (void)t, (void)i;
  w_hat[0] = 0.0;
  W[1] = W[3] = 1.0;
  W[2] = -0.5 * rod->l * cos(q[2]);
  W[5] = 0.5 * rod->l * sin(q[2]);
  return 0;
}

static inline int rod_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const exact_rod *rod = user;
  (void)t, (void)i;
  w_bar[0] = 0.5 * rod->l * sin(q[2]) * u[2] * u[2];
  w_bar[1] = 0.5 * rod->l * cos(q[2]) * u[2] * u[2];
  return 0;
}

static inline driven rod_scene(exact_rod *rod, double eps_n, int has_bias)
{
  nsdyn_system_def def = table(3, 1, rod);
  def.mass = rod_mass;
  def.force = rod_force;
  def.gap = rod_gap;
  def.direction = rod_direction;
  def.bias = has_bias ? rod_bias : NULL;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(rod->mu, eps_n));
  return s;
}

/* ---- the woodpecker ------------------------------------------------------------------------------------ */

static inline int toy_mass(void *user, double t, const double *q, double *M)
{
  const exact_woodpecker *w = user;
  const double m = w->m_M + w->m_S, a = w->m_S * w->l_M, b = w->m_S * w->l_G;
  const double rows[9] = {m, a, b, a, w->J_M + a * w->l_M, a * w->l_G, b, a * w->l_G, w->J_S + b * w->l_G};
  (void)t, (void)q;
  memcpy(M, rows, sizeof rows);
  return 0;
}

static inline int toy_force(void *user, double t, const double *q, const double *u, double *h)
{
  const exact_woodpecker *w = user;
  const double spring = w->c_phi * (q[1] - q[2]);
  (void)t, (void)u;
  h[0] = -(w->m_M + w->m_S) * w->g;
  h[1] = -spring - w->m_S * w->g * w->l_M;
  h[2] = spring - w->m_S * w->g * w->l_G;
  return 0;
}

static inline int toy_gap(void *user, double t, const double *q, double *g)
{
  const exact_woodpecker *w = user;
  (void)t;
  g[0] = (w->l_M + w->l_G - w->l_S - w->r_O) - w->h_S * q[2];
  g[1] = (w->r_M - w->r_O) + w->h_M * q[1];
  g[2] = (w->r_M - w->r_O) - w->h_M * q[1];
  return 0;
}

static inline int toy_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const exact_woodpecker *w = user;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  W[3] = 1.0;
  if (i == 0) {
    W[2] = -w->h_S;
    W[4] = w->l_M;
    W[5] = w->l_G - w->l_S;
  } else {
    W[1] = i == 1 ? w->h_M : -w->h_M;
    W[4] = w->r_M;
  }
  return 0;
}

static inline driven toy_scene(exact_woodpecker *w)
{
  nsdyn_system_def def = table(3, 3, w);
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = toy_mass;
  def.force = toy_force;
  def.gap = toy_gap;
  def.direction = toy_direction;
  driven s = scene_of(&def);
  for (int i = 0; i < 3; i++) {
    scene_law(&s, i, law_of(w->mu[i], w->eps_N[i]));
  }
  return s;
}

/* ---- a block on a ramp --------------------------------------------------------------------------------- */

/* A rectangle, width 2 b and height 2 c, m = 1, J = (b² + c²)/3, over the floor y = 0 with gravity g turned
 * by `slope`; q = (x, y, φ) of its centre. Contacts are its lower corners, left and right. */
typedef struct block {
  double b, c, g, slope;
  int has_bias;
} block;

static inline int block_mass(void *user, double t, const double *q, double *M)
{
  const block *p = user;
  (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = (p->b * p->b + p->c * p->c) / 3.0;
  return 0;
}

static inline int block_force(void *user, double t, const double *q, const double *u, double *h)
{
  const block *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->g * sin(p->slope);
  h[1] = -p->g * cos(p->slope);
  return 0;
}

/* Corner i relative to the centre. */
static inline void block_corner(const block *p, const double *q, int i, double *r)
{
  const double a = i == 0 ? -p->b : p->b;
  r[0] = a * cos(q[2]) + p->c * sin(q[2]);
  r[1] = a * sin(q[2]) - p->c * cos(q[2]);
}

static inline int block_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  for (int i = 0; i < 2; i++) {
    double r[2];
    block_corner(user, q, i, r);
    g[i] = q[1] + r[1];
  }
  return 0;
}

static inline int block_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double r[2];
  (void)t;
  w_hat[0] = 0.0;
  block_corner(user, q, i, r);
  W[1] = W[3] = 1.0;
  W[2] = r[0];
  W[5] = -r[1];
  return 0;
}

static inline int block_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  double r[2];
  (void)t;
  block_corner(user, q, i, r);
  w_bar[0] = -r[1] * u[2] * u[2];
  w_bar[1] = -r[0] * u[2] * u[2];
  return 0;
}

static inline driven block_scene(block *p, double mu, double eps_n)
{
  nsdyn_system_def def = table(3, 2, p);
  def.mass = block_mass;
  def.force = block_force;
  def.gap = block_gap;
  def.direction = block_direction;
  def.bias = p->has_bias ? block_bias : NULL;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(mu, eps_n));
  scene_law(&s, 1, law_of(mu, eps_n));
  return s;
}

/* ---- balls in a row ------------------------------------------------------------------------------------ */

/* Balls of radius 0 at q_1 <= q_2 <= …, no forces; contact i between ball i and i + 1. */
typedef struct cradle {
  int count;
  double mass[SCENE_MOST];
} cradle;

static inline int cradle_mass(void *user, double t, const double *q, double *M)
{
  const cradle *p = user;
  (void)t, (void)q;
  for (int i = 0; i < p->count; i++) {
    M[i * p->count + i] = p->mass[i];
  }
  return 0;
}

static inline int cradle_gap(void *user, double t, const double *q, double *g)
{
  const cradle *p = user;
  (void)t;
  for (int i = 0; i + 1 < p->count; i++) {
    g[i] = q[i + 1] - q[i];
  }
  return 0;
}

static inline int cradle_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[i] = -1.0;
  W[i + 1] = 1.0;
  return 0;
}

static inline driven cradle_scene(cradle *p)
{
  nsdyn_system_def def = table(p->count, p->count - 1, p);
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = cradle_mass;
  def.gap = cradle_gap;
  def.direction = cradle_direction;
  return scene_of(&def);
}

/* ---- what rests beside others -------------------------------------------------------------------------- */

/* A mass that friction holds on a floor y = B (1 − cos Ω t), and one that a rod ties to it, z = r x. Friction
 * takes all of the load of x: the rod's force is rounding of that load, and z has no other. */
typedef struct held {
  double m, tied, r, load, B, Omega, t0;
} held;

static inline int held_mass(void *user, double t, const double *q, double *M)
{
  const held *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->tied;
  return 0;
}

static inline int held_force(void *user, double t, const double *q, const double *u, double *h)
{
  const held *p = user;
  (void)q, (void)u;
  h[0] = p->load * (1.0 + 0.3 * sin(p->Omega * (t - p->t0)));
  h[1] = -10.0 * p->load;
  return 0;
}

static inline int held_gap(void *user, double t, const double *q, double *g)
{
  const held *p = user;
  g[0] = q[1] - p->B * (1.0 - cos(p->Omega * (t - p->t0)));
  return 0;
}

static inline int held_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const held *p = user;
  (void)q, (void)i;
  W[1] = W[3] = 1.0;
  w_hat[0] = -p->B * p->Omega * sin(p->Omega * (t - p->t0));
  return 0;
}

static inline int held_constraint(void *user, double t, const double *q, double *g_b, double *W_b,
                                  double *w_hat_b)
{
  const held *p = user;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[2] - p->r * q[0];
  W_b[0] = -p->r;
  W_b[2] = 1.0;
  return 0;
}

#endif
