/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Callbacks of an event driver that answer with one number of 1e90 to 1e300, once or from some call on: at
 * the beginning, at impacts, in phases. The call fails with a name, or its motion is that of callbacks
 * without fault; it ends soon; and from where it failed, callbacks without fault go on with the right motion.
 */
#include <stdio.h>

#include "event_models.h"

enum faulty {
  MASS,
  SOLVE_MASS,
  FORCE,
  GAP,
  DIRECTION,
  BIAS,
  FIND,
  KINEMATICS,
  RETRACT,
  CONSTRAINT,
  CONSTRAINT_BIAS,
  CURVE,
  SECTION,
  FAULTY
};
enum { END = 2, PATIENCE = 40 }; /* times the calls of a run without fault */

static const char *const names[FAULTY] = {
    "mass",    "solve_mass", "force",           "gap",   "direction", "bias", "find", "kinematics",
    "retract", "constraint", "constraint_bias", "curve", "section"};

/* A point (x, y) of mass 1 that falls on a bent floor with friction, pulled by a spring; z = x is a third
 * coordinate, tied by a constraint, with a mass of its own. */
typedef struct faults {
  int which, element; /* of enum faulty, −1: none; which of its numbers */
  int64_t at, upto;   /* of its calls: those with a wrong answer */
  int64_t calls[FAULTY], all, most;
  double wrong;
  int is_lost; /* it was called more often than `most` */
} faults;

/* What a callback returns: it has written n numbers, of which one may be wrong. */
static int answer(faults *p, int which, int n, double *x)
{
  const int64_t call = ++p->calls[which];
  p->is_lost |= ++p->all > p->most;
  if (which == p->which && call >= p->at && call <= p->upto) {
    x[p->element % n] = p->wrong;
  }
  return p->is_lost ? -1 : 0;
}

static double third_mass(const double *q)
{
  return 0.5 + 0.1 * q[0] * q[0];
}

static int mass(void *user, double t, const double *q, double *M)
{
  double m[3] = {1.0, 1.0, third_mass(q)};
  (void)t;
  const int code = answer(user, MASS, 3, m);
  for (int j = 0; j < 3; j++) {
    M[4 * j] = m[j];
  }
  return code;
}

static int solve_mass(void *user, double t, const double *q, int32_t count, double *X)
{
  (void)t;
  for (int i = 0; i < count; i++) {
    X[3 * i + 2] /= third_mass(q);
  }
  return answer(user, SOLVE_MASS, 3 * count, X);
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)u;
  h[0] = -4.0 * q[0];
  h[1] = -9.81;
  return answer(user, FORCE, 3, h);
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  g[0] = q[1] + 0.05 * q[0] * q[0];
  return answer(user, GAP, 1, g);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double all[8] = {0.1 * q[0], 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0};
  (void)t, (void)i;
  const int code = answer(user, DIRECTION, 8, all);
  memcpy(W, all, 6 * sizeof *W);
  memcpy(w_hat, all + 6, 2 * sizeof *w_hat);
  return code;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)t, (void)q, (void)i;
  w_bar[0] = 0.1 * u[0] * u[0];
  w_bar[1] = 0.0;
  return answer(user, BIAS, 2, w_bar);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  double all[7] = {0.1 * q[0], 1.0, 1.0, 0.0, q[1] + 0.05 * q[0] * q[0], u ? 0.1 * u[0] * u[0] : 0.0, 0.0};
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  const int code = answer(user, FIND, 7, all);
  const nsdyn_contact_block row = {.offset = 0, .count = 2, .values = all};
  found.key = 5;
  found.gap = all[4];
  found.blocks = 1;
  found.block = &row;
  found.w_bar[0] = all[5];
  found.w_bar[1] = all[6];
  return code || nsdyn_contact_sink_add(sink, &found) ? -1 : 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)t, (void)q;
  memcpy(qdot, u, 3 * sizeof *u);
  return answer(user, KINEMATICS, 3, qdot);
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  for (int j = 0; j < 3; j++) {
    q_new[j] = q[j] + dt * u[j];
  }
  return answer(user, RETRACT, 3, q_new);
}

static int constraint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  double all[5] = {q[2] - q[0], -1.0, 0.0, 1.0, 0.0};
  (void)t;
  const int code = answer(user, CONSTRAINT, 5, all);
  g[0] = all[0];
  memcpy(W, all + 1, 3 * sizeof *W);
  w_hat[0] = all[4];
  return code;
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar)
{
  (void)t, (void)q, (void)u;
  w_bar[0] = 0.0;
  return answer(user, CONSTRAINT_BIAS, 1, w_bar);
}

static int curve(void *user, double speed, double *mu)
{
  *mu = 0.2 + 0.1 / (1.0 + speed * speed);
  return answer(user, CURVE, 1, mu);
}

static int section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)t, (void)u;
  *value = q[0] - 0.2;
  return answer(user, SECTION, 1, value);
}

/* Which of the machine's callbacks there are. */
typedef struct variant {
  int solves, finds, moves, retracts, has_bias, has_constraint_bias, curves, looks;
} variant;

static driven scene(faults *p, const variant *v)
{
  nsdyn_system_def def = table(3, v->finds ? 0 : 1, p);
  def.mass = v->solves ? NULL : mass;
  def.solve_mass = v->solves ? solve_mass : NULL;
  def.force = force;
  def.gap = v->finds ? NULL : gap;
  def.direction = v->finds ? NULL : direction;
  def.bias = v->has_bias && !v->finds ? bias : NULL;
  def.find = v->finds ? find : NULL;
  def.kinematics = v->moves ? kinematics : NULL;
  def.retract = v->retracts ? retract : NULL;
  def.nconstraints = 1;
  def.constraint = constraint;
  def.constraint_bias = v->has_constraint_bias ? constraint_bias : NULL;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.3, 0.4);
  law.friction = v->curves ? NSDYN_FRICTION_CURVE : NSDYN_FRICTION_COULOMB;
  law.curve = curve;
  law.user = p;
  int32_t number;
  if (v->finds) {
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &number), NSDYN_OK);
  } else {
    scene_law(&s, 0, law);
  }
  s.options.section = v->looks ? section : NULL;
  s.options.user = p;
  return s;
}

static const double begin_q[3] = {1.0, 0.3, 1.0}, begin_u[3] = {0.5, 0.0, 0.5};

static double distance(const driven *s, const double *right)
{
  double off = 0.0;
  for (int j = 0; j < 3; j++) {
    off = fmax(off, fabs(nsdyn_event_driver_q(s->driver)[j] - right[j]));
    off = fmax(off, fabs(nsdyn_event_driver_u(s->driver)[j] - right[3 + j]));
  }
  return off;
}

/* What a wrong answer does: 0: as if there was none; 1: the call fails, the next one is right. */
static int try_fault(int seed, faults p, const variant *v, const double *right, int64_t calls)
{
  driven s = scene(&p, v);
  scene_drive(&s, 0.0, begin_q, begin_u);
  p.most = PATIENCE * calls;
  const nsdyn_status status = nsdyn_event_driver_advance(s.driver, END);
  const double t = nsdyn_event_driver_time(s.driver);
  char text[200];
  (void)snprintf(text, sizeof text, "seed %d: %s, calls %d to %g, element %d: %g", seed, names[p.which],
                 (int)p.at, (double)p.upto, p.element, p.wrong);
  REQUIRE(!p.is_lost, "%s: more than %d calls, %s at t = %g", text, (int)p.most, nsdyn_status_name(status),
          t);
  REQUIRE(!status || nsdyn_event_driver_message(s.driver)[0], "%s: %s without a message", text,
          nsdyn_status_name(status));
  if (!status) {
    const double off = distance(&s, right);
    REQUIRE(off <= 1e-5, "%s: OK, %g off", text, off);
    scene_end(&s);
    return 0;
  }
  if (t == 0.0) { /* bit by bit */
    const double *q = nsdyn_event_driver_q(s.driver), *u = nsdyn_event_driver_u(s.driver);
    for (int j = 0; j < 3; j++) {
      REQUIRE(q[j] == begin_q[j] && u[j] == begin_u[j], "%s: another state at t = 0", text);
    }
  }
  char message[200];
  (void)snprintf(message, sizeof message, "%s", nsdyn_event_driver_message(s.driver));
  p.which = -1;
  p.most = INT64_MAX;
  const nsdyn_status next = nsdyn_event_driver_advance(s.driver, END);
  const double off = distance(&s, right);
  REQUIRE(!next && off <= 1e-5, "%s: %s at t = %g (%s), then %s (%s), %g off", text,
          nsdyn_status_name(status), t, message, nsdyn_status_name(next),
          nsdyn_event_driver_message(s.driver), off);
  scene_end(&s);
  return 1;
}

static int is_there(const variant *v, int which)
{
  const int has[FAULTY] = {!v->solves,
                           v->solves,
                           1,
                           !v->finds,
                           !v->finds,
                           v->has_bias && !v->finds,
                           v->finds,
                           v->moves,
                           v->retracts,
                           1,
                           v->has_constraint_bias,
                           v->curves,
                           v->looks};
  return has[which];
}

START_TEST(no_motion_comes_of_a_huge_number)
{
  const int cases = random_cases(6000);
  int failed = 0, called = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const variant v = {.solves = random_below(&r, 2),
                       .finds = random_below(&r, 3) == 0,
                       .moves = random_below(&r, 2),
                       .retracts = random_below(&r, 2),
                       .has_bias = random_below(&r, 2),
                       .has_constraint_bias = random_below(&r, 2),
                       .curves = random_below(&r, 2),
                       .looks = random_below(&r, 2)};
    faults none = {.which = -1, .most = INT64_MAX};
    driven s = scene(&none, &v);
    double right[6];
    scene_drive(&s, 0.0, begin_q, begin_u);
    scene_advance(&s, END);
    memcpy(right, nsdyn_event_driver_q(s.driver), 3 * sizeof *right);
    memcpy(right + 3, nsdyn_event_driver_u(s.driver), 3 * sizeof *right);
    scene_end(&s);
    faults p = {.which = random_below(&r, FAULTY), .element = random_below(&r, 8)};
    while (!is_there(&v, p.which)) {
      p.which = (p.which + 1) % FAULTY;
    }
    if (none.calls[p.which] == 0) {
      continue;
    }
    p.at = 1 + random_below(&r, (int)none.calls[p.which]);
    p.at = random_below(&r, 4) ? p.at : 1;
    p.upto = random_below(&r, 3) ? p.at : INT64_MAX;
    p.wrong = (random_below(&r, 2) ? 1.0 : -1.0) * pow(10.0, random_between(&r, 90.0, 300.0));
    failed += try_fault(seed, p, &v, right, none.all);
    called++;
  }
  ck_assert_int_ge(failed, called / 2);
}
END_TEST

SUITE("public/huge_in_events", TEST(no_motion_comes_of_a_huge_number))
