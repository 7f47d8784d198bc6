/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

/* ---- a user's own coordinates: a body on a crank, as in test_detector.c, and a weight on a spring ---- */

enum { OWN = 2 };
typedef struct crank {
  double length, J[3];
  nsdyn_contact_block block;
  int calls, destroyed;
} crank;

static int own_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t;
  M[0] = 2.0 + cos(q[0]);
  M[1] = M[2] = 0.3;
  M[3] = 1.5;
  return 0;
}

static int own_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t;
  h[0] -= 3.0 * q[0];
  h[1] -= 4.0 * q[1] + u[1];
  return 0;
}

/* x = cos t + a cos q₀, y = a sin q₀ + q₁², φ = 2 q₀ */
static int place(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  crank *c = user;
  const double a = c->length;
  c->calls++;
  placed->pose[0] = cos(t) + a * cos(q[0]);
  placed->pose[1] = a * sin(q[0]) + q[1] * q[1];
  placed->pose[2] = 2.0 * q[0];
  placed->rate[0] = -sin(t);
  const double J[6] = {-a * sin(q[0]), 0.0, a * cos(q[0]), 2.0 * q[1], 2.0, 0.0};
  static double kept[6];
  memcpy(kept, J, sizeof J);
  c->block = (nsdyn_contact_block){.offset = 0, .count = 2, .values = kept};
  placed->blocks = 1;
  placed->block = &c->block;
  if (u) {
    placed->bias[0] = -cos(t) - a * cos(q[0]) * u[0] * u[0];
    placed->bias[1] = -a * sin(q[0]) * u[0] * u[0] + 2.0 * u[1] * u[1];
  }
  return 0;
}

static int swing(void *user, double t, double *pose, double *rate, double *acceleration)
{
  (void)user;
  pose[0] = -3.0 + sin(2.0 * t);
  pose[2] = 0.5 * t * t;
  rate[0] = 2.0 * cos(2.0 * t);
  rate[2] = t;
  acceleration[0] = -4.0 * sin(2.0 * t);
  acceleration[2] = 1.0;
  return 0;
}

static int drive(void *user, double t, double *value)
{
  (void)user;
  value[0] = 0.1 * sin(t);
  value[1] = 0.1 * cos(t);
  value[2] = -0.1 * sin(t);
  return 0;
}

static void destroy(void *user)
{
  ((crank *)user)->destroyed++;
}

static nsdyn_shape *random_shape(random_state *random)
{
  double p[2 * SHAPES_MOST];
  const int n = 3 + random_below(random, 6);
  shapes_star(random, n, 0.4, p);
  for (int i = 0; i < 2 * n; i++) {
    p[i] = 0.6 * p[i] + 0.1;
  }
  return shapes_make(NSDYN_SHAPE_POLYGON, n, p, random_below(random, 2) ? 0.1 : 0.0);
}

enum { BODIES = 6 };

/* Bodies of all kinds with one or two shapes each, joints and springs between some of them. */
static void fill(random_state *random, nsdyn_world *world, crank *own, int with_own)
{
  for (int i = 0; i < BODIES; i++) {
    nsdyn_body_def def = worlds_body(random_between(random, -2.5, 2.5), random_between(random, -2.5, 2.5),
                                     random_between(random, -3.0, 3.0));
    def.kind = i < 4      ? NSDYN_BODY_FREE
               : i == 4   ? NSDYN_BODY_DRIVEN
               : with_own ? NSDYN_BODY_POSED
                          : NSDYN_BODY_FIXED;
    def.motion = swing;
    def.place = place;
    def.user = own;
    const int32_t body = worlds_add(world, &def);
    const int shapes = 1 + random_below(random, 2);
    for (int s = 0; s < shapes; s++) {
      nsdyn_attachment on;
      nsdyn_attachment_init(&on, sizeof on);
      for (int k = 0; k < 3; k++) {
        on.pose[k] = random_between(random, -0.3, 0.3);
      }
      nsdyn_shape *shape = random_shape(random);
      GOOD(nsdyn_world_attach(world, body, shape, &on, NULL));
      nsdyn_shape_free(shape);
    }
  }
  nsdyn_spring_def spring;
  nsdyn_spring_def_init(&spring, sizeof spring);
  for (int i = 0; i < 3; i++) {
    spring.body[0] = random_below(random, BODIES) - 1;
    spring.body[1] = spring.body[0] == 3 ? 0 : 3;
    spring.kind = random_below(random, 2);
    spring.stiffness = 5.0;
    spring.damping = 0.5;
    spring.rest = 0.4;
    spring.anchor[0] = 0.2;
    spring.anchor[3] = -0.3;
    GOOD(nsdyn_world_add_spring(world, &spring, NULL));
  }
  nsdyn_joint_def joint;
  for (int kind = 0; kind < 5; kind++) {
    nsdyn_joint_def_init(&joint, sizeof joint);
    joint.kind = kind;
    joint.body[0] = kind == 3 && with_own ? 5 : kind == 4 ? 4 : random_below(random, 2) - 1;
    joint.body[1] = 1 + random_below(random, 3);
    joint.rest = random_between(random, 0.5, 1.0);
    joint.axis[1] = random_between(random, -1.0, 1.0);
    for (int k = 0; k < 4; k++) {
      joint.anchor[k] = random_between(random, -0.5, 0.5);
    }
    joint.drive = kind > 2 ? drive : NULL;
    joint.touch = random_below(random, 2);
    GOOD(nsdyn_world_add_joint(world, &joint, NULL));
  }
}

/* M, gaps, directions, constraints and biases agree with each other, wherever bodies are and however they
 * move. */
START_TEST(callbacks_agree)
{
  const int cases = random_cases(250);
  int good = 0, contacts = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    crank own = {.length = random_between(&random, 0.3, 1.5)};
    nsdyn_world *world = worlds_new(0.3);
    const int with_own = k % 2;
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = OWN;
    def.user = &own;
    def.mass = own_mass;
    def.force = own_force;
    def.destroy_user = destroy;
    fill(&random, world, &own, with_own);
    nsdyn_system *sys = NULL;
    nsdyn_error error;
    nsdyn_error_init(&error, sizeof error);
    REQUIRE(nsdyn_world_system(world, with_own ? &def : NULL, &sys, &error) == NSDYN_OK, "case %d: %s", k,
            error.message);
    int32_t nq, nu;
    GOOD(nsdyn_world_sizes(world, &nq, &nu));
    REQUIRE(nq == 12 + OWN * with_own && nu == nq);
    double q[12 + OWN], u[12 + OWN];
    for (int i = 0; i < nq; i++) {
      q[i] = random_between(&random, -1.0, 1.0);
      u[i] = random_between(&random, -2.0, 2.0);
    }
    GOOD(nsdyn_world_begin(world, q, NULL));
    nsdyn_system_check_report report;
    nsdyn_system_check_report_init(&report, sizeof report);
    const nsdyn_status status = nsdyn_system_check(sys, random_between(&random, 0.0, 2.0), q, u, &report);
    if (status != NSDYN_ERR_CALLBACK_RETRY) { /* else they were in each other */
      REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_system_message(sys));
      good++;
      contacts += report.checks > 400;
    }
    nsdyn_system_free(sys);
    REQUIRE(own.destroyed == with_own);
    nsdyn_world_free(world);
  }
  REQUIRE(is_common(good, cases, 20), "%d of %d", good, cases);
  REQUIRE(is_common(contacts, cases, 30), "%d of %d", contacts, cases);
}
END_TEST

/* ---- the same motion as with callbacks written by hand ---- */

typedef struct hand {
  nsdyn_shape *shape[3];
  nsdyn_detector *detector;
  double m[2], J[2];
  int32_t law;
} hand;

static int hand_mass(void *user, double t, const double *q, double *M)
{
  const hand *h = user;
  (void)t, (void)q;
  for (int i = 0; i < 2; i++) {
    M[9 * i] = M[9 * i + 4] = h->m[i];
    M[9 * i + 8] = h->J[i];
  }
  return 0;
}

static int hand_force(void *user, double t, const double *q, const double *u, double *h)
{
  const hand *s = user;
  (void)t, (void)q, (void)u;
  h[1] = -9.81 * s->m[0];
  h[4] = -9.81 * s->m[1];
  return 0;
}

static int hand_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  hand *h = user;
  nsdyn_placed placed[3];
  (void)t;
  for (int i = 0; i < 3; i++) {
    nsdyn_placed_init(&placed[i], sizeof placed[i]);
    placed[i].shape = h->shape[i];
    if (i < 2) {
      nsdyn_placed_by_coordinates(&placed[i], 3 * i, q);
    }
  }
  int failed = nsdyn_detector_report(h->detector, &placed[0], &placed[1], u, 0, margin, h->law, sink);
  for (int i = 0; i < 2 && !failed; i++) {
    failed = nsdyn_detector_report(h->detector, &placed[i], &placed[2], u, 1 + i, margin, h->law, sink);
  }
  return failed;
}

/* Two stones that fall on the ground and on each other: callbacks by hand and the world's give the same. */
START_TEST(same_motion_as_by_hand)
{
  const int cases = random_cases(30);
  int finished = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    hand h = {.shape = {random_shape(&random), random_shape(&random), worlds_ground()}};
    nsdyn_world *world = worlds_new(0.4);
    double q[6], u[6] = {0.0};
    for (int i = 0; i < 2; i++) {
      nsdyn_body_def def =
          worlds_body(random_between(&random, -0.2, 0.2), 1.2 + 1.7 * i, random_between(&random, -3.0, 3.0));
      def.velocity[0] = random_between(&random, -1.0, 1.0);
      def.mass = h.m[i] = random_between(&random, 0.5, 2.0);
      def.inertia = h.J[i] = random_between(&random, 0.1, 0.3);
      def.centre[0] = def.centre[1] = 0.0;
      u[3 * i] = def.velocity[0];
      memcpy(q + 3 * i, def.pose, sizeof def.pose);
      GOOD(nsdyn_world_attach(world, worlds_add(world, &def), h.shape[i], NULL, NULL));
    }
    GOOD(nsdyn_world_attach(world, NSDYN_GROUND, h.shape[2], NULL, NULL));
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system *sys[2] = {NULL, worlds_system(world)};
    nsdyn_stepper *stepper[2] = {NULL, worlds_stepper(world, sys[1])};
    static const int32_t block[2] = {3, 3};
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    def.nq = def.nu = 6;
    def.nblocks = 2;
    def.block = block;
    def.flags = NSDYN_CONSTANT_MASS;
    def.user = &h;
    def.mass = hand_mass;
    def.force = hand_force;
    def.find = hand_find;
    law.mu = 0.4;
    GOOD(nsdyn_detector_new(NULL, NULL, &h.detector, NULL));
    GOOD(nsdyn_system_new(NULL, &def, &sys[0], NULL));
    GOOD(nsdyn_system_add_law(sys[0], &law, &h.law));
    GOOD(nsdyn_stepper_new(NULL, sys[0], NULL, &stepper[0], NULL));
    GOOD(nsdyn_stepper_set_state(stepper[0], 0.0, q, u));
    nsdyn_status status[2] = {NSDYN_OK, NSDYN_OK};
    for (int i = 0; i < 2000 && !status[0]; i++) {
      for (int s = 0; s < 2; s++) {
        status[s] = nsdyn_stepper_step(stepper[s], 1e-3);
      }
      REQUIRE(status[0] == status[1], "case %d, step %d: %d, %d", k, i, status[0], status[1]);
      for (int j = 0; j < 6 && !status[0]; j++) {
        REQUIRE(fabs(nsdyn_stepper_q(stepper[0])[j] - nsdyn_stepper_q(stepper[1])[j]) < 1e-9,
                "case %d, step %d: %d", k, i, j);
      }
    }
    finished += !status[0];
    for (int s = 0; s < 2; s++) {
      nsdyn_stepper_free(stepper[s]);
      nsdyn_system_free(sys[s]);
    }
    nsdyn_detector_free(h.detector);
    for (int i = 0; i < 3; i++) {
      nsdyn_shape_free(h.shape[i]);
    }
    nsdyn_world_free(world);
  }
  REQUIRE(is_common(finished, cases, 2), "%d of %d", finished, cases);
}
END_TEST

/* ---- own constraints and contacts beside bodies ---- */

static int tie(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  (void)user, (void)t;
  w_hat[0] = 0.0;
  g[0] = q[0] - q[2]; /* the own coordinate is the x of the body, whose three follow it and another one */
  W[0] = 1.0;
  W[2] = -1.0;
  return 0;
}

static int own_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[3] + 1.0; /* the body's y */
  return 0;
}

static int own_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[3] = 1.0;
  W[5 + 2] = 1.0;
  return 0;
}

static int pull(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 7.0;
  h[2] = 1.0; /* on the body */
  return 0;
}

static int unit_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

/* The user's constraint ties a body to a coordinate of theirs, and their contact keeps it above: a = F/(m₁ +
 * m₂), and y comes to rest. */
START_TEST(own_part_reaches_bodies)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def body = worlds_body(0.0, 0.0, 0.0);
  body.mass = 2.0;
  body.inertia = 1.0;
  worlds_add(world, &body);
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = def.nconstraints = 1;
  def.mass = unit_mass;
  def.force = pull;
  def.gap = own_gap;
  def.direction = own_direction;
  def.constraint = tie;
  GOOD(nsdyn_world_system(world, &def, &sys, NULL));
  const double q[5] = {0.0}, u[5] = {0.0};
  nsdyn_system_check_report report;
  nsdyn_system_check_report_init(&report, sizeof report);
  ck_assert_msg(nsdyn_system_check(sys, 0.3, q, u, &report) == NSDYN_OK, "%s", nsdyn_system_message(sys));
  nsdyn_event_driver *driver = NULL;
  GOOD(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL));
  GOOD(nsdyn_event_driver_set_state(driver, 0.0, q, u));
  ck_assert_msg(nsdyn_event_driver_advance(driver, 2.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double *end = nsdyn_event_driver_q(driver);
  ck_assert_msg(fabs(end[0] - 4.0) < 1e-9 && fabs(end[2] - 4.0) < 1e-9, "%g", end[0] - 4.0);
  ck_assert_msg(fabs(end[3] + 1.0) < 1e-9, "%g", end[3]);
  int32_t in_q, in_u;
  GOOD(nsdyn_world_place(world, 0, &in_q, &in_u));
  ck_assert(in_q == 2 && in_u == 2);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

START_TEST(own_parts_that_cannot_be)
{
  nsdyn_system_def good, bad;
  nsdyn_system *sys = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_system_def_init(&good, sizeof good);
  good.nq = good.nu = 2;
  good.mass = unit_mass;
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def body = worlds_body(0.0, 0.0, 0.0);
  body.name = "ball";
  worlds_add(world, &body);
#define REFUSED(change, is, words)                                                                           \
  bad = good;                                                                                                \
  change;                                                                                                    \
  ck_assert_int_eq(nsdyn_world_system(world, &bad, &sys, &error), is);                                       \
  ck_assert_ptr_null(sys);                                                                                   \
  ck_assert_msg(strstr(error.message, words), "%s", error.message)
  REFUSED((void)0, NSDYN_ERR_ARGUMENT, "body 0 (ball): mass: 0 is not > 0");
  worlds_attach(world, 0, worlds_box(1.0, 1.0)); /* nothing was closed by the failure */
  REFUSED(bad.mass = NULL, NSDYN_ERR_ARGUMENT, "neither mass");
  REFUSED(bad.reserved = 1, NSDYN_ERR_ARGUMENT, "reserved is 1");
  REFUSED(bad.flags = 1 << 20, NSDYN_ERR_ARGUMENT, "flags");
  REFUSED(bad.flags = NSDYN_CONSTANT_SLOPES, NSDYN_ERR_ARGUMENT, "NSDYN_CONSTANT_SLOPES");
  REFUSED(bad.nu = -1, NSDYN_ERR_ARGUMENT, "negative");
  REFUSED(bad.nblocks = 1, NSDYN_ERR_ARGUMENT, "NULL");
  const int32_t block = 3;
  REFUSED((bad.nblocks = 1, bad.block = &block), NSDYN_ERR_ARGUMENT, "add up to 3, but nu is 2");
  REFUSED(bad.nq = 3, NSDYN_ERR_ARGUMENT, "kinematics");
  REFUSED(bad.ncontacts = 1, NSDYN_ERR_ARGUMENT, "no callback gap");
  REFUSED(bad.nconstraints = 1, NSDYN_ERR_ARGUMENT, "no callback constraint");
  REFUSED(bad.size = 3, NSDYN_ERR_STRUCT_SIZE, "");
  nsdyn_joint_def joint;
  nsdyn_joint_def_init(&joint, sizeof joint);
  joint.body[1] = 0;
  GOOD(nsdyn_world_add_joint(world, &joint, NULL));
  REFUSED((bad.nconstraints = INT32_MAX - 1, bad.constraint = tie), NSDYN_ERR_TOO_LARGE, "constraints");
#undef REFUSED
  ck_assert_int_eq(nsdyn_world_system(NULL, NULL, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_system(world, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  GOOD(nsdyn_world_system(world, &good, &sys, NULL));
  nsdyn_system *other = NULL;
  ck_assert_int_eq(nsdyn_world_system(world, NULL, &other, &error), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_world_add_body(world, NULL, NULL), NSDYN_ERR_BUSY);
  nsdyn_world_free(world); /* the system holds it */
  nsdyn_stepper *stepper = NULL;
  GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
  GOOD(nsdyn_stepper_step(stepper, 0.1));
  nsdyn_system_free(sys);
  nsdyn_stepper_free(stepper);
}
END_TEST

/* ---- what the user's callbacks may not do, and may ---- */

static int turn_on(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1];
  return 0;
}

static int one_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

/* More coordinates than velocities need no more than a retraction. */
START_TEST(own_retraction_is_enough)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def body = worlds_body(0.0, 3.0, 0.0);
  worlds_attach(world, worlds_add(world, &body), worlds_box(1.0, 1.0));
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 2;
  def.nu = 1;
  def.mass = one_mass;
  def.retract = turn_on;
  GOOD(nsdyn_world_system(world, &def, &sys, NULL));
  nsdyn_stepper *stepper = NULL;
  double q[5] = {1.0, 7.0}, u[4] = {2.0};
  GOOD(nsdyn_world_begin(world, q, u));
  GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
  GOOD(nsdyn_stepper_set_state(stepper, 0.0, q, u));
  for (int i = 0; i < 10; i++) {
    GOOD(nsdyn_stepper_step(stepper, 0.01));
  }
  const double *end = nsdyn_stepper_q(stepper);
  ck_assert(fabs(end[0] - 1.2) < 1e-14 && end[1] == 7.0 && end[2] == 0.0);
  ck_assert(fabs(end[3] - 3.0 + 0.5 * 9.81 * 0.01) < 1e-12);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

static int report_one(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  static const double w[6] = {1.0};
  const nsdyn_contact_block block = {.offset = 2, .count = 3, .values = w};
  nsdyn_found_contact found;
  (void)t, (void)u, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = *(const int64_t *)user;
  found.gap = q[2];
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

/* Keys from 0 are the world's: the user's own contact with one is refused, and would else be taken for a
 * touch of shapes. */
START_TEST(own_keys_are_negative)
{
  static const int64_t keys[] = {-1, INT64_MIN, 0, 5, (int64_t)1 << 40};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    int64_t key = keys[i];
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def body = worlds_body(0.0, 3.0, 0.0);
    worlds_attach(world, worlds_add(world, &body), worlds_box(1.0, 1.0));
    nsdyn_system_def def;
    nsdyn_system *sys = NULL;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.mass = unit_mass;
    def.find = report_one;
    def.user = &key;
    GOOD(nsdyn_world_system(world, &def, &sys, NULL));
    nsdyn_stepper *stepper = NULL;
    GOOD(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL));
    const nsdyn_status status = nsdyn_stepper_step(stepper, 1e-3);
    ck_assert_msg(status == (key < 0 ? NSDYN_OK : NSDYN_ERR_ARGUMENT), "%d: %s", (int)i,
                  nsdyn_stepper_message(stepper));
    ck_assert_msg(key < 0 || strstr(nsdyn_stepper_message(stepper), "it must be negative"), "%s",
                  nsdyn_stepper_message(stepper));
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

static int place_fails(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  static const double J[6] = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0}; /* lies on the ground; y − 1/2 is q₀ */
  static const nsdyn_contact_block block = {.offset = 0, .count = 2, .values = J};
  (void)t;
  placed->pose[1] = 0.5 + q[0];
  placed->blocks = 1;
  placed->block = &block;
  placed->has_bias = 1;
  return u ? *(const int *)user : 0;
}

/* What a body's callback returned goes out, too, where contacts are looked for. */
START_TEST(code_of_a_body_goes_out)
{
  static const int codes[] = {-7, 12};
  for (int i = 0; i < 2; i++) {
    int code = codes[i];
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def body = worlds_body(0.0, 0.0, 0.0);
    body.kind = NSDYN_BODY_POSED;
    body.place = place_fails;
    body.user = &code;
    worlds_attach(world, worlds_add(world, &body), worlds_box(1.0, 1.0));
    worlds_attach(world, NSDYN_GROUND, worlds_ground());
    nsdyn_system_def def;
    nsdyn_system *sys = NULL;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.mass = unit_mass;
    GOOD(nsdyn_world_system(world, &def, &sys, NULL));
    nsdyn_event_driver *driver = NULL;
    const double q[2] = {0.0}, u[2] = {0.0};
    GOOD(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL));
    nsdyn_status status = nsdyn_event_driver_set_state(driver, 0.0, q, u);
    status = status ? status : nsdyn_event_driver_advance(driver, 1.0);
    ck_assert_int_eq(status, code > 0 ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_ERR_CALLBACK);
    ck_assert_msg(strstr(nsdyn_event_driver_message(driver), "body 0: callback place returned"), "%s",
                  nsdyn_event_driver_message(driver));
    nsdyn_detail detail = {.size = sizeof detail};
    GOOD(nsdyn_event_driver_detail(driver, &detail));
    ck_assert_msg(detail.kind == NSDYN_DETAIL_CALLBACK && detail.index == code, "%d, %d", (int)detail.kind,
                  (int)detail.index);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

SUITE("world/system", TEST(callbacks_agree), TEST(same_motion_as_by_hand), TEST(own_part_reaches_bodies),
      TEST(own_parts_that_cannot_be), TEST(own_retraction_is_enough), TEST(own_keys_are_negative),
      TEST(code_of_a_body_goes_out))
