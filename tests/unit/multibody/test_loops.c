/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

static nsdyn_tree_loop loop_of(int joint, int first, int second)
{
  nsdyn_tree_loop loop;
  nsdyn_tree_loop_init(&loop, sizeof loop);
  loop.joint = joint;
  loop.body[0] = first;
  loop.body[1] = second;
  return loop;
}

static int32_t add_loop(trees_model *m, const nsdyn_tree_loop *loop)
{
  int32_t number = -7;
  REQUIRE(nsdyn_tree_add_loop(m->tree, loop, &number) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  return number;
}

/* f = rate t */
static int turn_steadily(void *user, double t, double *value)
{
  value[0] = *(const double *)user * t;
  value[1] = *(const double *)user;
  value[2] = 0.0;
  return 0;
}

static void drive_joint(trees_model *m, int body, double rest, double *rate)
{
  nsdyn_tree_element motor;
  nsdyn_tree_element_init(&motor, sizeof motor);
  motor.body[0] = body;
  motor.held = 1;
  motor.rest = rest;
  motor.drive = turn_steadily;
  motor.user = rate;
  REQUIRE(nsdyn_tree_add_element(m->tree, &motor, NULL) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
}

/* ---- random ones ---- */

static const int closing[] = {NSDYN_TREE_FIXED,       NSDYN_TREE_REVOLUTE,  NSDYN_TREE_PRISMATIC,
                              NSDYN_TREE_CYLINDRICAL, NSDYN_TREE_UNIVERSAL, NSDYN_TREE_PLANAR,
                              NSDYN_TREE_SPHERICAL};

/* Constraints, their directions and w̄ are what differences say, for each joint; as the bodies stand, all are
 * kept. */
START_TEST(callbacks_agree)
{
  static const int rows[] = {6, 5, 5, 4, 4, 3, 3};
  const int cases = random_cases(70);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double q[TREES_NQ], u[TREES_NU];
    nsdyn_system_check_report report = {.size = sizeof report};
    trees_model m;
    int32_t first = -7, count = -7;
    trees_make(&m, &random, 2 + k % 28, 0);
    trees_state(&m, &random, q, u);
    nsdyn_tree_loop loop = loop_of(closing[k % 7], random_below(&random, m.bodies + 1) - 1, -1);
    loop.body[1] = (loop.body[0] + 2 + random_below(&random, m.bodies)) % (m.bodies + 1) - 1;
    trees_vector(&random, 0.5, loop.joint_place);
    for (int i = 0; i < 4; i++) {
      loop.joint_turn[i] = random_normal(&random);
    }
    trees_vector(&random, 1.0, loop.axis);
    trees_vector(&random, 1.0, loop.second);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK);
    REQUIRE(nsdyn_tree_set_state(m.tree, q, NULL) == NSDYN_OK);
    add_loop(&m, &loop); /* the frames are where they are: all is kept; and a second one, which is not */
    trees_vector(&random, 0.5, loop.own_place);
    for (int i = 0; i < 4; i++) {
      loop.own_turn[i] = random_normal(&random);
    }
    add_loop(&m, &loop);
    REQUIRE(nsdyn_tree_constraints(m.tree, 1, &first, &count) == NSDYN_OK);
    REQUIRE(first == rows[k % 7] && count == rows[k % 7]);
    nsdyn_system *sys = trees_system(&m, NULL);
    REQUIRE(nsdyn_system_check(sys, 0.3, q, u, &report) == NSDYN_OK, "case %d: %s", k,
            nsdyn_system_message(sys));
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* ---- the same mechanism in redundant coordinates ---- */

/* Each body free, each joint a loop: with the frames of the tree's own. */
static void make_redundant(const trees_model *tree, trees_model *free)
{
  trees_begin(free, tree->gravity);
  for (int i = 0; i < tree->bodies; i++) {
    nsdyn_tree_body body;
    const nsdyn_tree_body *from = &tree->body[i];
    nsdyn_tree_body_init(&body, sizeof body);
    body.joint = NSDYN_TREE_FREE;
    body.mass = from->mass;
    memcpy(body.centre, from->centre, sizeof body.centre);
    memcpy(body.inertia, from->inertia, sizeof body.inertia);
    trees_add(free, &body);
  }
  for (int i = 0; i < tree->bodies; i++) {
    const nsdyn_tree_body *from = &tree->body[i];
    nsdyn_tree_loop loop = loop_of(from->joint, from->parent, i);
    if (from->joint == NSDYN_TREE_FREE) {
      continue;
    }
    memcpy(loop.joint_place, from->joint_place, sizeof loop.joint_place);
    memcpy(loop.joint_turn, from->joint_turn, sizeof loop.joint_turn);
    memcpy(loop.own_place, from->own_place, sizeof loop.own_place);
    memcpy(loop.own_turn, from->own_turn, sizeof loop.own_turn);
    memcpy(loop.axis, from->axis, sizeof loop.axis);
    memcpy(loop.second, from->second, sizeof loop.second);
    add_loop(free, &loop);
  }
}

/* The state of all bodies one by one, from that of the tree. */
static void spread(const trees_model *tree, const double *q, const double *u, double *q_free, double *u_free)
{
  REQUIRE(nsdyn_tree_set_state(tree->tree, q, u) == NSDYN_OK);
  for (int i = 0; i < tree->bodies; i++) {
    nsdyn_tree_motion at = {.size = sizeof at};
    double *p = q_free + 7 * i, *v = u_free + 6 * i;
    REQUIRE(nsdyn_tree_point(tree->tree, i, NULL, &at) == NSDYN_OK);
    memcpy(p, at.place, sizeof at.place);
    nsdyn_quaternion_from_matrix(at.turn, p + 3);
    memcpy(v, at.velocity, sizeof at.velocity);
    nsdyn_quaternion_rotate_back(p + 3, at.omega, v + 3);
  }
}

/* Random trees move as their bodies do that constraints hold together. */
START_TEST(same_motion_in_redundant_coordinates)
{
  const int cases = random_cases(24);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double q[TREES_NQ], u[TREES_NU], q_free[TREES_NQ], u_free[TREES_NU], q_end[TREES_NQ], u_end[TREES_NU];
    const double gravity[3] = {0.0, 3.0, -9.81};
    trees_model m, free;
    trees_begin(&m, gravity);
    for (int i = 0; i < 3; i++) {
      int kind = random_below(&random, TREES_KINDS);
      while (kind == NSDYN_TREE_HELICAL) {
        kind = random_below(&random, TREES_KINDS);
      }
      const nsdyn_tree_body body = trees_body(&random, kind, random_below(&random, i + 1) - 1);
      trees_add(&m, &body);
    }
    trees_state(&m, &random, q, u);
    make_redundant(&m, &free);
    spread(&m, q, u, q_free, u_free);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK);
    nsdyn_system *few = trees_system(&m, NULL), *many = trees_system(&free, NULL);
    nsdyn_event_driver *a = trees_drive(few, q, u, 1e-11, 0.2),
                       *b = trees_drive(many, q_free, u_free, 1e-11, 0.2);
    spread(&m, nsdyn_event_driver_q(a), nsdyn_event_driver_u(a), q_end, u_end);
    for (int i = 0; i < free.nu; i++) {
      REQUIRE(fabs(u_end[i] - nsdyn_event_driver_u(b)[i]) <= 1e-7 * (1.0 + fabs(u_end[i])),
              "case %d, u[%d]: %g, %g", k, i, u_end[i], nsdyn_event_driver_u(b)[i]);
    }
    for (int i = 0; i < free.nq; i++) { /* places */
      REQUIRE(i % 7 >= 3 || fabs(q_end[i] - nsdyn_event_driver_q(b)[i]) <= 1e-7, "case %d, q[%d]", k, i);
    }
    nsdyn_event_driver_free(a);
    nsdyn_event_driver_free(b);
    nsdyn_system_free(few);
    nsdyn_system_free(many);
    trees_free(&m);
    trees_free(&free);
  }
}
END_TEST

/* Bodies at rest along the axes of the world: rows whose terms are zero before anything moves. */
START_TEST(redundant_coordinates_along_the_axes)
{
  for (int k = 0; k < 8; k++) {
    const double gravity[3] = {0.0, 0.0, -9.81};
    double q[3], u[3], q_free[21], u_free[18];
    trees_model m, free;
    trees_begin(&m, gravity);
    for (int i = 0; i < 3; i++) {
      nsdyn_tree_body rod;
      nsdyn_tree_body_init(&rod, sizeof rod);
      rod.parent = i - 1;
      rod.joint = NSDYN_TREE_REVOLUTE;
      rod.axis[2] = 0.0;
      rod.axis[(i + k / 4) % 2] = 1.0;
      rod.joint_place[2] = i ? -1.0 : 0.0;
      rod.mass = 1.0;
      rod.centre[2] = -0.5;
      rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
      rod.inertia[2] = 0.01;
      trees_add(&m, &rod);
      q[i] = k % 2 ? 0.3 * cos(i) : 0.0;
      u[i] = k % 4 >= 2 ? sin(2.0 * i) : i == 1;
    }
    make_redundant(&m, &free);
    spread(&m, q, u, q_free, u_free);
    nsdyn_system *few = trees_system(&m, NULL), *many = trees_system(&free, NULL);
    nsdyn_event_driver *a = trees_drive(few, q, u, 1e-11, 0.3),
                       *b = trees_drive(many, q_free, u_free, 1e-11, 0.3);
    spread(&m, nsdyn_event_driver_q(a), nsdyn_event_driver_u(a), q_free, u_free);
    for (int i = 0; i < 18; i++) {
      REQUIRE(fabs(u_free[i] - nsdyn_event_driver_u(b)[i]) <= 1e-7, "case %d, u[%d]: %g, %g", k, i, u_free[i],
              nsdyn_event_driver_u(b)[i]);
    }
    nsdyn_event_driver_free(a);
    nsdyn_event_driver_free(b);
    nsdyn_system_free(few);
    nsdyn_system_free(many);
    trees_free(&m);
    trees_free(&free);
  }
}
END_TEST

/* ---- closed forms ---- */

/* A bar along x of its frame, hinged about z at `place` of its parent. */
static void add_bar(trees_model *m, int parent, double x, double length)
{
  nsdyn_tree_body bar;
  nsdyn_tree_body_init(&bar, sizeof bar);
  bar.parent = parent;
  bar.joint = NSDYN_TREE_REVOLUTE;
  bar.joint_place[0] = x;
  bar.mass = length;
  bar.centre[0] = 0.5 * length;
  bar.inertia[1] = bar.inertia[2] = length * length * length / 12.0;
  trees_add(m, &bar);
}

/* Where two circles meet, to the left of the way from one centre to the other. */
static void meet(const double *a, double r, const double *b, double s, double *at)
{
  const double x = b[0] - a[0], y = b[1] - a[1], d = sqrt(x * x + y * y);
  const double along = (d * d + r * r - s * s) / (2.0 * d), up = sqrt(r * r - along * along);
  at[0] = a[0] + (along * x - up * y) / d;
  at[1] = a[1] + (along * y + up * x) / d;
}

/* A four-bar: crank, coupler, rocker. The hinge that closes it holds three things too many in the plane. */
static const double crank = 0.5, coupler = 1.4, rocker = 1.1, ground = 1.5;

static void four_bar(double phi, double *q)
{
  const double A[2] = {crank * cos(phi), crank * sin(phi)}, D[2] = {ground, 0.0};
  double B[2];
  meet(A, coupler, D, rocker, B);
  q[0] = phi;
  q[1] = atan2(B[1] - A[1], B[0] - A[0]) - phi;
  q[2] = atan2(B[1], B[0] - ground);
}

static void make_four_bar(trees_model *m, const double *gravity, int joint)
{
  nsdyn_tree_loop hinge = loop_of(joint, 1, 2);
  trees_begin(m, gravity);
  add_bar(m, -1, 0.0, crank);
  add_bar(m, 0, crank, coupler);
  add_bar(m, -1, ground, rocker);
  hinge.name = "pin";
  hinge.joint_place[0] = coupler;
  hinge.own_place[0] = rocker;
  hinge.own_place[1] = hinge.own_place[2] = 0.0;
  hinge.own_turn[0] = 1.0;
  hinge.own_turn[1] = hinge.own_turn[2] = hinge.own_turn[3] = 0.0;
  add_loop(m, &hinge);
}

static double angle_between(double a, double b)
{
  return fabs(remainder(a - b, 2.0 * acos(-1.0)));
}

/* The velocities that a mechanism of three joints has at q(phi), by differences. */
static void rates_of(void (*at)(double phi, double *q), double phi, double rate, double *u)
{
  const double step = 1e-4;
  double a[3], b[3], c[3], d[3];
  at(phi - step, a);
  at(phi + step, b);
  at(phi - 2.0 * step, c);
  at(phi + 2.0 * step, d);
  for (int i = 0; i < 3; i++) {
    u[i] = rate * (8.0 * (b[i] - a[i]) - (d[i] - c[i])) / (12.0 * step);
  }
}

/* Driven at its crank, all angles are those of the closed form, over more than a turn. */
static void follow(trees_model *m, void (*at)(double phi, double *q), double from, double rate, double tol)
{
  double q[3], u[3], expected[3];
  at(from, q);
  rates_of(at, from, rate, u);
  nsdyn_system *sys = trees_system(m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-10, 0.0);
  for (int i = 1; i <= 8; i++) {
    REQUIRE(nsdyn_event_driver_advance(driver, 0.9 * i) == NSDYN_OK, "%s",
            nsdyn_event_driver_message(driver));
    at(from + 0.9 * i * rate, expected);
    for (int k = 0; k < 3; k++) {
      REQUIRE(angle_between(nsdyn_event_driver_q(driver)[k], expected[k]) <= tol, "%d, q[%d]: %g, %g", i, k,
              nsdyn_event_driver_q(driver)[k], expected[k]);
    }
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
}

/* The same anywhere in space: what hangs on the world is turned, and what is redundant is so but for
 * rounding. */
static void tilt_four_bar(trees_model *m, random_state *random, const double *gravity, int joint)
{
  double turn[4], at[3], x[3] = {ground, 0.0, 0.0};
  nsdyn_tree_loop hinge = loop_of(joint, 1, 2);
  for (int i = 0; i < 4; i++) {
    turn[i] = random_normal(random);
  }
  nsdyn_quaternion_rotate(turn, x, at);
  trees_begin(m, gravity);
  for (int i = 0; i < 3; i++) {
    nsdyn_tree_body bar;
    nsdyn_tree_body_init(&bar, sizeof bar);
    bar.parent = i == 1 ? 0 : -1;
    bar.joint = NSDYN_TREE_REVOLUTE;
    bar.joint_place[0] = i == 1 ? crank : 0.0;
    memcpy(bar.joint_place, i == 2 ? at : bar.joint_place, sizeof at);
    memcpy(bar.joint_turn, i == 1 ? bar.joint_turn : turn, sizeof turn);
    bar.mass = 1.0;
    bar.centre[0] = 0.4;
    bar.inertia[0] = bar.inertia[1] = bar.inertia[2] = 0.1;
    trees_add(m, &bar);
  }
  hinge.joint_place[0] = coupler;
  hinge.own_place[0] = rocker;
  hinge.own_place[1] = hinge.own_place[2] = 0.0;
  hinge.own_turn[0] = 1.0;
  hinge.own_turn[1] = hinge.own_turn[2] = hinge.own_turn[3] = 0.0;
  add_loop(m, &hinge);
}

START_TEST(tilted_four_bars)
{
  static const int joints[] = {NSDYN_TREE_SPHERICAL, NSDYN_TREE_REVOLUTE, NSDYN_TREE_CYLINDRICAL};
  static const int schemes[] = {NSDYN_SCHEME_MOREAU,          NSDYN_SCHEME_EULER,
                                NSDYN_SCHEME_STEWART_TRINKLE, NSDYN_SCHEME_ANITESCU_POTRA,
                                NSDYN_SCHEME_MOREAU_JEAN,     NSDYN_SCHEME_GENERALIZED_ALPHA};
  const int cases = random_cases(24);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double gravity[3] = {3.0, -9.81, 2.0};
    double rate = random_between(&random, 0.7, 1.5), q[3], u[3], expected[3];
    nsdyn_stepper_options options;
    nsdyn_stepper *stepper = NULL;
    trees_model m;
    tilt_four_bar(&m, &random, gravity, joints[k % 3]);
    drive_joint(&m, 0, 0.4, &rate);
    follow(&m, four_bar, 0.4, rate, 1e-8);
    four_bar(0.4, q);
    rates_of(four_bar, 0.4, rate, u);
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = schemes[k % 6];
    options.project = NSDYN_PROJECT_AFTER;
    REQUIRE(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL) == NSDYN_OK);
    REQUIRE(nsdyn_stepper_set_state(stepper, 0.0, q, u) == NSDYN_OK, "case %d: %s", k,
            nsdyn_stepper_message(stepper));
    for (int i = 0; i < 100; i++) {
      REQUIRE(nsdyn_stepper_step(stepper, 0.01) == NSDYN_OK, "case %d, step %d: %s", k, i,
              nsdyn_stepper_message(stepper));
    }
    four_bar(0.4 + rate, expected);
    for (int i = 0; i < 3; i++) {
      REQUIRE(angle_between(nsdyn_stepper_q(stepper)[i], expected[i]) <= 1e-8, "case %d, q[%d]: %g", k, i,
              nsdyn_stepper_q(stepper)[i] - expected[i]);
    }
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

START_TEST(four_bar_follows_its_crank)
{
  static const int joints[] = {NSDYN_TREE_SPHERICAL, NSDYN_TREE_REVOLUTE, NSDYN_TREE_CYLINDRICAL};
  for (int k = 0; k < 3; k++) {
    const double gravity[3] = {0.0, -9.81, 0.0};
    double rate = 1.0;
    trees_model m;
    make_four_bar(&m, gravity, joints[k]);
    drive_joint(&m, 0, 0.4, &rate);
    ck_assert_int_eq(nsdyn_tree_find_loop(m.tree, "pin"), 0);
    follow(&m, four_bar, 0.4, rate, 1e-8);
    trees_free(&m);
  }
}
END_TEST

/* Swinging freely in steps, the loop stays closed where steps project; energy is that of the beginning to the
 * order of the scheme. */
START_TEST(drift_is_removed)
{
  static const int schemes[] = {NSDYN_SCHEME_MOREAU,          NSDYN_SCHEME_EULER,
                                NSDYN_SCHEME_STEWART_TRINKLE, NSDYN_SCHEME_ANITESCU_POTRA,
                                NSDYN_SCHEME_MOREAU_JEAN,     NSDYN_SCHEME_GENERALIZED_ALPHA};
  const double gravity[3] = {0.0, -9.81, 0.0}, none[3] = {0.0}, end[3] = {coupler, 0.0, 0.0},
               tip[3] = {rocker, 0.0, 0.0};
  for (int i = 0; i < 12; i++) {
    const int project = i % 2 ? NSDYN_PROJECT_SPLIT : NSDYN_PROJECT_AFTER, scheme = schemes[i / 2];
    nsdyn_tree_motion at[2] = {{.size = sizeof at[0]}, {.size = sizeof at[1]}};
    nsdyn_stepper_options options;
    nsdyn_stepper *stepper = NULL;
    double q[3];
    trees_model m;
    make_four_bar(&m, gravity, NSDYN_TREE_REVOLUTE);
    four_bar(0.4, q);
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = scheme;
    options.project = project;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, none), NSDYN_OK);
    double farthest = 0.0;
    for (int k = 0; k < 400; k++) {
      REQUIRE(nsdyn_stepper_step(stepper, 5e-3) == NSDYN_OK, "scheme %d, %d, step %d: %s", scheme, project, k,
              nsdyn_stepper_message(stepper));
      REQUIRE(nsdyn_tree_set_state(m.tree, nsdyn_stepper_q(stepper), NULL) == NSDYN_OK);
      REQUIRE(nsdyn_tree_point(m.tree, 1, end, &at[0]) == NSDYN_OK);
      REQUIRE(nsdyn_tree_point(m.tree, 2, tip, &at[1]) == NSDYN_OK);
      farthest = fmax(farthest, hypot(at[0].place[0] - at[1].place[0], at[0].place[1] - at[1].place[1]));
    }
    REQUIRE(farthest <= 1e-9, "scheme %d, %d: %g", scheme, project, farthest);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A five-bar with both arms driven: the tool is where two circles meet. */
START_TEST(five_bar_follows_its_arms)
{
  const double l = 1.0, r = 1.3, apart = 0.8, from[2] = {2.0, 1.2}, gravity[3] = {0.0, -9.81, 0.0};
  double rate[2] = {0.4, 0.3}, q[4], u[4] = {0.0};
  const double zero = 0.0, tip[3] = {r, 0.0, 0.0};
  trees_model m;
  trees_begin(&m, gravity);
  add_bar(&m, -1, 0.0, l);
  add_bar(&m, 0, l, r);
  add_bar(&m, -1, apart, l);
  add_bar(&m, 2, l, r);
  nsdyn_tree_loop pin = loop_of(NSDYN_TREE_REVOLUTE, 1, 3);
  pin.joint_place[0] = r;
  pin.own_place[0] = r;
  pin.own_place[1] = pin.own_place[2] = zero;
  pin.own_turn[0] = 1.0;
  pin.own_turn[1] = pin.own_turn[2] = pin.own_turn[3] = 0.0;
  add_loop(&m, &pin);
  drive_joint(&m, 0, from[0], &rate[0]);
  drive_joint(&m, 2, from[1], &rate[1]);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = NULL;
  nsdyn_event_driver_options options;
  nsdyn_consistent_report report = {.size = sizeof report};
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = 1e-10;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL), NSDYN_OK);
  for (int i = 0; i <= 6; i++) {
    const double t = 0.4 * i;
    const double A[2] = {l * cos(from[0] + rate[0] * t), l * sin(from[0] + rate[0] * t)};
    const double B[2] = {apart + l * cos(from[1] + rate[1] * t), l * sin(from[1] + rate[1] * t)};
    double P[2];
    meet(A, r, B, r, P);
    if (!i) { /* as a user begins: places of the arms, velocities found by the driver */
      q[0] = from[0];
      q[1] = atan2(P[1] - A[1], P[0] - A[0]) - from[0];
      q[2] = from[1];
      q[3] = atan2(P[1] - B[1], P[0] - B[0]) - from[1];
      ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
      REQUIRE(nsdyn_event_driver_consistent(driver, &report) == NSDYN_OK, "%s",
              nsdyn_event_driver_message(driver));
    }
    REQUIRE(nsdyn_event_driver_advance(driver, t) == NSDYN_OK, "%s", nsdyn_event_driver_message(driver));
    nsdyn_tree_motion at = {.size = sizeof at};
    REQUIRE(nsdyn_tree_set_state(m.tree, nsdyn_event_driver_q(driver), NULL) == NSDYN_OK);
    for (int arm = 1; arm <= 3; arm += 2) {
      REQUIRE(nsdyn_tree_point(m.tree, arm, tip, &at) == NSDYN_OK);
      REQUIRE(fabs(at.place[0] - P[0]) <= 1e-8 && fabs(at.place[1] - P[1]) <= 1e-8, "%d: %g, %g", i,
              at.place[0] - P[0], at.place[1] - P[1]);
    }
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* Bennett's linkage: links of lengths a, b, a, b and twists α, β, α, β with sin α / a = sin β / b move,
 * though counting joints says that they do not; opposite angles are alike, and tan θ/2 · tan φ/2 is constant.
 */
static const double bennett_alpha = 0.6, bennett_beta = 1.1;

static void bennett(double theta, double *q)
{
  const double ratio = sin(0.5 * (bennett_beta + bennett_alpha)) / sin(0.5 * (bennett_beta - bennett_alpha));
  const double phi = 2.0 * atan2(ratio * cos(0.5 * theta), sin(0.5 * theta));
  q[0] = theta;
  q[1] = phi;
  q[2] = -theta;
}

START_TEST(bennett_moves)
{
  const double none[3] = {0.0}, a = 0.8, b = a * sin(bennett_beta) / sin(bennett_alpha),
               x[3] = {1.0, 0.0, 0.0};
  const double length[4] = {a, b, a, b},
               twist[4] = {bennett_alpha, bennett_beta, bennett_alpha, bennett_beta};
  double rate = 0.4;
  trees_model m;
  trees_begin(&m, none);
  for (int i = 0; i < 3; i++) { /* link i: a turn about z, then its length along x and its twist about x */
    nsdyn_tree_body link;
    nsdyn_tree_body_init(&link, sizeof link);
    link.parent = i - 1;
    link.joint = NSDYN_TREE_REVOLUTE;
    if (i) {
      link.joint_place[0] = length[i - 1];
      nsdyn_quaternion_from_axis_angle(x, twist[i - 1], link.joint_turn);
    }
    link.mass = 1.0;
    link.centre[0] = 0.5 * length[i];
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.1;
    trees_add(&m, &link);
  }
  /* the fourth link is the world: its joint is on the third link's end, and its other end is joint 0 */
  nsdyn_tree_loop last = loop_of(NSDYN_TREE_REVOLUTE, 2, -1);
  double q[3];
  last.joint_place[0] = length[2];
  nsdyn_quaternion_from_axis_angle(x, twist[2], last.joint_turn);
  bennett(1.0, q); /* in the world as it stands here; the closed form of q[2] says that it stays there */
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
  add_loop(&m, &last);
  drive_joint(&m, 0, 1.0, &rate);
  follow(&m, bennett, 1.0, rate, 1e-8);
  trees_free(&m);
}
END_TEST

/* A table on three cranks of the same length: each hinge pair alone would hold it level. Its turn stays, it
 * goes round with them. 11 constraints too many. */
START_TEST(parallelogram_in_space)
{
  const double l = 0.7, place[3][2] = {{0.0, 0.0}, {1.0, 0.0}, {0.3, 0.9}}, gravity[3] = {0.0, 0.0, -9.81};
  double rate = 1.1, q[4] = {0.3, -0.3, 0.3, 0.3};
  trees_model m;
  trees_begin(&m, gravity);
  /* crank 0, the table on it, cranks 1 and 2 on the world: all about y, the cranks in the planes of x and z
   */
  for (int i = 0; i < 4; i++) {
    nsdyn_tree_body body;
    nsdyn_tree_body_init(&body, sizeof body);
    body.parent = i == 1 ? 0 : -1;
    body.joint = NSDYN_TREE_REVOLUTE;
    body.axis[1] = 1.0;
    body.axis[2] = 0.0;
    if (i == 1) {
      body.joint_place[2] = l;
    } else {
      body.joint_place[0] = place[i ? i - 1 : 0][0];
      body.joint_place[1] = place[i ? i - 1 : 0][1];
    }
    body.mass = 1.0;
    body.centre[2] = i == 1 ? 0.0 : 0.5 * l;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    trees_add(&m, &body);
  }
  for (int i = 1; i < 3; i++) { /* the table's corners on the ends of the two other cranks */
    nsdyn_tree_loop hinge = loop_of(NSDYN_TREE_REVOLUTE, 1 + i, 1);
    hinge.axis[1] = 1.0;
    hinge.axis[2] = 0.0;
    hinge.joint_place[2] = l;
    hinge.own_place[0] = place[i][0];
    hinge.own_place[1] = place[i][1];
    hinge.own_place[2] = 0.0;
    hinge.own_turn[0] = 1.0;
    hinge.own_turn[1] = hinge.own_turn[2] = hinge.own_turn[3] = 0.0;
    add_loop(&m, &hinge);
  }
  drive_joint(&m, 0, 0.3, &rate);
  const double u[4] = {rate, -rate, rate, rate};
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-10, 6.0);
  for (int i = 0; i < 4; i++) {
    const double expected = i == 1 ? -0.3 - rate * 6.0 : 0.3 + rate * 6.0;
    REQUIRE(fabs(nsdyn_event_driver_q(driver)[i] - expected) <= 1e-8, "q[%d]: %g, %g", i,
            nsdyn_event_driver_q(driver)[i], expected);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* A chain of 30 bars, held at both ends, where M⁻¹ comes from the recursion: it keeps its energy and its end.
 */
START_TEST(long_chain_keeps_its_end)
{
  enum { BARS = 30 };
  const double l = 0.1, gravity[3] = {0.0, -9.81, 0.0}, tip[3] = {l, 0.0, 0.0};
  double q[BARS], u[BARS] = {0.0}, energy[2];
  trees_model m;
  nsdyn_tree_motion at = {.size = sizeof at};
  nsdyn_tree_totals totals = {.size = sizeof totals};
  trees_begin(&m, gravity);
  for (int i = 0; i < BARS; i++) {
    add_bar(&m, i - 1, i ? l : 0.0, l);
    q[i] = i ? 2.2 / BARS : -1.4; /* an arc that is not symmetric */
  }
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, &totals), NSDYN_OK);
  energy[0] = totals.kinetic + totals.potential;
  ck_assert_int_eq(nsdyn_tree_point(m.tree, BARS - 1, tip, &at), NSDYN_OK);
  nsdyn_tree_loop pin = loop_of(NSDYN_TREE_REVOLUTE, BARS - 1, -1);
  pin.joint_place[0] = l;
  add_loop(&m, &pin); /* on the world, where it is */
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-9, 0.15);
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, nsdyn_event_driver_q(driver), nsdyn_event_driver_u(driver)),
                   NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_measure(m.tree, &totals), NSDYN_OK);
  energy[1] = totals.kinetic + totals.potential;
  ck_assert_double_le(fabs(energy[1] - energy[0]), 1e-7 * fabs(energy[0]));
  ck_assert_double_le(1e-3 * fabs(energy[0]), totals.kinetic); /* it moves */
  const double place[3] = {at.place[0], at.place[1], at.place[2]};
  ck_assert_int_eq(nsdyn_tree_point(m.tree, BARS - 1, tip, &at), NSDYN_OK);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_le(fabs(at.place[i] - place[i]), 1e-9);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- what is refused ---- */

START_TEST(refused)
{
  const double q[2] = {0.0};
  trees_model m;
  int32_t number = -7;
  const double none[3] = {0.0};
  trees_begin(&m, none);
  add_bar(&m, -1, 0.0, 1.0);
  add_bar(&m, 0, 1.0, 1.0);
  const nsdyn_tree_loop good = loop_of(NSDYN_TREE_REVOLUTE, -1, 1);
#define REFUSED(field, value, status, words)                                                                 \
  do {                                                                                                       \
    nsdyn_tree_loop loop = good;                                                                             \
    loop.name = "pin";                                                                                       \
    loop.field = value;                                                                                      \
    ck_assert_int_eq(nsdyn_tree_add_loop(m.tree, &loop, &number), status);                                   \
    ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_loop: loop 0 (pin): " words);               \
    ck_assert_int_eq(number, -7);                                                                            \
  } while (0)
  REFUSED(axis[0], 0.0, NSDYN_ERR_ARGUMENT,
          "own_place or own_turn is NaN, as the bodies stand, but no state is set");
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, q, NULL), NSDYN_OK);
  REFUSED(joint, 9, NSDYN_ERR_ARGUMENT, "joint is not one of nsdyn_tree_joint");
  REFUSED(joint, NSDYN_TREE_HELICAL, NSDYN_ERR_ARGUMENT, "a helical joint closes no loop");
  REFUSED(joint, NSDYN_TREE_FREE, NSDYN_ERR_ARGUMENT, "a free joint closes no loop");
  REFUSED(body[0], 1, NSDYN_ERR_ARGUMENT, "both bodies are the same");
  REFUSED(body[1], 2, NSDYN_ERR_ARGUMENT, "body[1] is 2; there are bodies 0 to 1, and the world, -1");
  REFUSED(joint_place[1], NAN, NSDYN_ERR_NOT_FINITE, "joint_place is not finite");
  REFUSED(own_place[1], 1.0, NSDYN_ERR_NOT_FINITE, "own_place is not finite");
  REFUSED(own_turn[1], 1.0, NSDYN_ERR_NOT_FINITE, "own_turn is not finite");
  REFUSED(joint_turn[0], 0.0, NSDYN_ERR_ARGUMENT, "joint_turn is zero, so it is no rotation");
  REFUSED(axis[2], 0.0, NSDYN_ERR_ARGUMENT, "axis is zero, so it has no direction");
  REFUSED(axis[2], INFINITY, NSDYN_ERR_NOT_FINITE, "axis is not finite");
  REFUSED(reserved, 1, NSDYN_ERR_ARGUMENT, "reserved is not 0");
#undef REFUSED
  nsdyn_tree_loop cross = loop_of(NSDYN_TREE_UNIVERSAL, -1, 1);
  cross.second[0] = 0.0;
  ck_assert_int_eq(nsdyn_tree_add_loop(m.tree, &cross, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_add_loop: loop 0: second is zero, so it has no direction");
  cross.second[2] = -3.0;
  ck_assert_int_eq(nsdyn_tree_add_loop(m.tree, &cross, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_add_loop: loop 0: second has the direction of axis");
  ck_assert_int_eq(nsdyn_tree_add_loop(m.tree, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_constraints(m.tree, 0, NULL, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_system *sys = trees_system(&m, NULL);
  ck_assert_int_eq(nsdyn_tree_add_loop(m.tree, &good, NULL), NSDYN_ERR_BUSY);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

SUITE("multibody/loops", TEST(callbacks_agree), TEST(same_motion_in_redundant_coordinates),
      TEST(redundant_coordinates_along_the_axes), TEST(four_bar_follows_its_crank), TEST(tilted_four_bars),
      TEST(drift_is_removed), TEST(five_bar_follows_its_arms), TEST(bennett_moves),
      TEST(parallelogram_in_space), TEST(long_chain_keeps_its_end), TEST(refused))
