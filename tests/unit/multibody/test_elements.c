/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

/* All schemes, for what each of them has to do. */
static const int schemes[] = {NSDYN_SCHEME_MOREAU,          NSDYN_SCHEME_EULER,
                              NSDYN_SCHEME_STEWART_TRINKLE, NSDYN_SCHEME_ANITESCU_POTRA,
                              NSDYN_SCHEME_MOREAU_JEAN,     NSDYN_SCHEME_GENERALIZED_ALPHA};
enum { SCHEMES = (int)(sizeof schemes / sizeof *schemes) };

static nsdyn_tree_element element_of(int kind, int first, int second)
{
  nsdyn_tree_element e;
  nsdyn_tree_element_init(&e, sizeof e);
  e.kind = kind;
  e.body[0] = first;
  e.body[1] = second;
  return e;
}

static int32_t add_element(trees_model *m, const nsdyn_tree_element *e)
{
  int32_t number = -7;
  REQUIRE(nsdyn_tree_add_element(m->tree, e, &number) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  return number;
}

/* Wheels about z, beside each other, each of moment J. */
static void make_wheels(trees_model *m, int wheels, double J)
{
  const double none[3] = {0.0};
  trees_begin(m, none);
  for (int i = 0; i < wheels; i++) {
    nsdyn_tree_body wheel;
    nsdyn_tree_body_init(&wheel, sizeof wheel);
    wheel.joint = NSDYN_TREE_REVOLUTE;
    wheel.mass = 1.0;
    wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = J;
    trees_add(m, &wheel);
  }
}

/* A point of mass 1 on three slides, under gravity along −z. */
static void make_point(trees_model *m, double g)
{
  const double gravity[3] = {0.0, 0.0, -g};
  trees_begin(m, gravity);
  for (int i = 0; i < 3; i++) {
    nsdyn_tree_body slide;
    nsdyn_tree_body_init(&slide, sizeof slide);
    slide.parent = i - 1;
    slide.joint = NSDYN_TREE_PRISMATIC;
    slide.axis[2] = 0.0;
    slide.axis[i] = 1.0;
    slide.mass = i == 2;
    trees_add(m, &slide);
  }
}

/* ---- random ones ---- */

static int wave(void *user, double t, double *value)
{
  const double w = *(const double *)user;
  value[0] = sin(w * t);
  value[1] = w * cos(w * t);
  value[2] = -w * w * sin(w * t);
  return 0;
}

/* Which axes of a model have coordinates. */
static int has_coordinate(const trees_model *m, int body, int axis)
{
  const int kind = m->body[body].joint;
  return kind != NSDYN_TREE_SPHERICAL && !(kind == NSDYN_TREE_FREE && axis >= 3);
}

static int random_axis(const trees_model *m, random_state *random, int32_t *body, int32_t *axis)
{
  *body = random_below(random, m->bodies);
  const int nu = trees_nu[m->body[*body].joint];
  *axis = nu ? random_below(random, nu) : 0;
  return nu && has_coordinate(m, *body, *axis);
}

static void add_random(trees_model *m, random_state *random, double *w)
{
  nsdyn_tree_element e = element_of(random_below(random, 2), -1, -1);
  if (e.kind == NSDYN_ELEMENT_LINE) {
    e.body[0] = random_below(random, m->bodies + 1) - 1;
    e.body[1] = (e.body[0] + 2 + random_below(random, m->bodies)) % (m->bodies + 1) - 1;
    trees_vector(random, 0.5, e.anchor);
    trees_vector(random, 0.5, e.anchor + 3);
  } else if (!random_axis(m, random, &e.body[0], &e.axis[0])) {
    return;
  } else if (random_below(random, 2)) {
    e.ratio = random_between(random, 0.5, 2.0);
    if (!random_axis(m, random, &e.body[1], &e.axis[1]) ||
        (e.body[0] == e.body[1] && e.axis[0] == e.axis[1])) {
      return;
    }
  }
  e.held = random_below(random, 2);
  e.rest = random_between(random, 0.5, 2.0);
  if (e.held) {
    e.drive = wave;
    e.user = w;
  } else {
    e.lower = -random_between(random, 0.0, 1.0);
    e.upper = random_between(random, 1.0, 2.0);
    e.friction = 1.0;
    e.stiffness = 3.0;
    e.damping = 2.0;
  }
  add_element(m, &e);
}

/* Gaps, constraints, their directions, rates in time and w̄ are what differences say, on trees of all joints.
 */
START_TEST(callbacks_agree)
{
  const int cases = random_cases(80);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double q[TREES_NQ], u[TREES_NU], w = random_between(&random, 0.5, 2.0);
    nsdyn_system_check_report report = {.size = sizeof report};
    trees_model m;
    trees_make(&m, &random, 2 + k % 28, 0);
    trees_state(&m, &random, q, u);
    for (int i = 0; i < 6; i++) {
      add_random(&m, &random, &w);
    }
    nsdyn_system *sys = trees_system(&m, NULL);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK);
    REQUIRE(nsdyn_system_check(sys, 0.3, q, u, &report) == NSDYN_OK, "case %d: %s", k,
            nsdyn_system_message(sys));
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* ---- forces ---- */

/* A wheel on a spring and a damper: q = e^(−δt) (cos νt + δ/ν sin νt), by events to their tolerance, by steps
 * with an error of their order. */
START_TEST(damped_oscillation)
{
  const double J = 0.5, k = 8.0, d = 0.6, delta = d / (2.0 * J), nu = sqrt(k / J - delta * delta), t = 1.5;
  const double q = 1.0, u = 0.0, expected = exp(-delta * t) * (cos(nu * t) + delta / nu * sin(nu * t));
  trees_model m;
  make_wheels(&m, 1, J);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.stiffness = k;
  e.damping = d;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-11, t);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - expected), 1e-9);
  nsdyn_event_driver_free(driver);
  for (int i = 0; i < SCHEMES; i++) {
    nsdyn_stepper *s = trees_step(sys, schemes[i], &q, &u, 1e-4, 15000);
    REQUIRE(fabs(nsdyn_stepper_q(s)[0] - expected) <= 1e-3, "scheme %d: %g, %g", schemes[i],
            nsdyn_stepper_q(s)[0], expected);
    nsdyn_stepper_free(s);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* Bodies on a line spring exchange energy with it and with gravity; damped by a servo whose place moves, they
 * follow it: J q̈ = −k (q − f) − d (q̇ − ḟ) has the solution f where f̈ = 0. */
static int ramp(void *user, double t, double *value)
{
  (void)user;
  value[0] = 0.7 * t;
  value[1] = 0.7;
  return 0;
}

START_TEST(servo_follows_a_ramp)
{
  const double q = 0.3, u = 0.7;
  trees_model m;
  make_wheels(&m, 1, 0.5);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.stiffness = 8.0;
  e.damping = 0.6;
  e.rest = 0.3;
  e.drive = ramp;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-11, 3.0);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - 2.4), 1e-9);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* Energy of a point that swings on a line spring. */
START_TEST(line_spring_keeps_energy)
{
  const double q[3] = {0.8, 0.1, -0.6}, u[3] = {0.2, 1.0, 0.4}, g = 9.81, k = 30.0, rest = 0.7;
  trees_model m;
  make_point(&m, g);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_LINE, -1, 2);
  e.anchor[2] = 0.5; /* on the world */
  e.stiffness = k;
  e.rest = rest;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-12, 2.0);
  double energy[2];
  for (int i = 0; i < 2; i++) {
    const double *x = i ? nsdyn_event_driver_q(driver) : q, *v = i ? nsdyn_event_driver_u(driver) : u;
    const double s = sqrt(x[0] * x[0] + x[1] * x[1] + (x[2] - 0.5) * (x[2] - 0.5)) - rest;
    energy[i] = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + g * x[2] + 0.5 * k * s * s;
  }
  ck_assert_double_le(fabs(energy[1] - energy[0]), 1e-9 * fabs(energy[0]));
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

static int moment(void *user, double t, double s, double rate, double *value)
{
  (void)s, (void)rate;
  value[0] = *(const double *)user * t;
  return 0;
}

/* A motor that turns one of two wheels that mesh, by a moment a t: (J + J r²) ω̇ = a t, and its gear holds. */
START_TEST(motor_and_gear)
{
  const double q[2] = {0.0}, u[2] = {0.0}, J = 0.5, r = 3.0, t = 1.2;
  double a = 2.0;
  const double omega = a * t * t / (2.0 * (J + J / (r * r)));
  trees_model m;
  int32_t row = -7;
  make_wheels(&m, 2, J);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.force = moment;
  e.user = &a;
  add_element(&m, &e);
  e = element_of(NSDYN_ELEMENT_AXIS, 0, 1);
  e.ratio = r; /* φ_0 + 3 φ_1 = 0 */
  e.held = 1;
  const int32_t gear = add_element(&m, &e);
  ck_assert_int_eq(nsdyn_tree_element_rows(m.tree, gear, NULL, NULL, NULL, &row), NSDYN_OK);
  ck_assert_int_eq(row, 0);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-11, t);
  ck_assert_double_le(fabs(nsdyn_event_driver_u(driver)[0] - omega), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_u(driver)[1] + omega / r), 1e-9);
  nsdyn_event_driver_free(driver);
  for (int i = 0; i < SCHEMES; i++) {
    nsdyn_stepper *s = trees_step(sys, schemes[i], q, u, 1e-3, 1200);
    REQUIRE(fabs(nsdyn_stepper_u(s)[0] - omega) <= 0.01 && /* each follows a t to its order */
                fabs(nsdyn_stepper_u(s)[0] + r * nsdyn_stepper_u(s)[1]) <= 1e-9,
            "scheme %d: %g, %g", schemes[i], nsdyn_stepper_u(s)[0], omega);
    nsdyn_stepper_free(s);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- motion that is given ---- */

/* A pendulum whose hinge is driven by sin ωt: the motor's moment is m l² f̈ + m g l sin f. */
START_TEST(motor_of_given_motion)
{
  const double gravity[3] = {0.0, 0.0, -9.81}, l = 0.8, mass = 1.5, t = 0.7;
  double w = 2.0;
  const double q = 0.0, u = w;
  trees_model m;
  nsdyn_tree_body bob;
  trees_begin(&m, gravity);
  nsdyn_tree_body_init(&bob, sizeof bob);
  bob.joint = NSDYN_TREE_REVOLUTE;
  bob.axis[1] = 1.0;
  bob.axis[2] = 0.0;
  bob.mass = mass;
  bob.centre[2] = -l;
  trees_add(&m, &bob);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.held = 1;
  e.drive = wave;
  e.user = &w;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-11, t);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - sin(w * t)), 1e-9);
  nsdyn_event_driver_free(driver);
  for (int i = 0; i < SCHEMES; i++) {
    nsdyn_stepper *s = trees_step(sys, schemes[i], &q, &u, 1e-3, 700);
    REQUIRE(fabs(nsdyn_stepper_q(s)[0] - sin(w * t)) <= 3e-3, "scheme %d: %g", schemes[i],
            nsdyn_stepper_q(s)[0] - sin(w * t));
    nsdyn_stepper_free(s);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- friction, limits, backlash ---- */

/* A wheel slows down at the rate bound / J, bounces at its limit with ε, and stops for good. */
START_TEST(limit_and_dry_friction)
{
  const double q = 0.0, u = 3.0, J = 0.5, bound = 1.0, a = bound / J, eps = 0.5;
  const double at_limit = sqrt(u * u - 2.0 * a * 1.0), back = eps * at_limit, way = back * back / (2.0 * a);
  trees_model m;
  int32_t rows[4] = {-7, -7, -7, -7};
  make_wheels(&m, 1, J);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.friction = bound;
  e.upper = 1.0;
  e.eps_n = eps;
  add_element(&m, &e);
  ck_assert_int_eq(nsdyn_tree_element_rows(m.tree, 0, &rows[0], &rows[1], &rows[2], &rows[3]), NSDYN_OK);
  ck_assert(rows[0] == -1 && rows[1] == 0 && rows[2] == 1 && rows[3] == -1);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-10, 10.0);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - (1.0 - way)), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_u(driver)[0]), 1e-12);
  nsdyn_event_driver_free(driver);
  for (int i = 0; i < SCHEMES; i++) {
    const double end = 1.0 - way;
    nsdyn_stepper *s = trees_step(sys, schemes[i], &q, &u, 1e-4, 30000);
    REQUIRE(fabs(nsdyn_stepper_q(s)[0] - end) <= 1e-3 && fabs(nsdyn_stepper_u(s)[0]) <= 1e-12,
            "scheme %d: %g, %g", schemes[i], nsdyn_stepper_q(s)[0], end);
    nsdyn_stepper_free(s);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* Dry friction holds a pendulum up to its bound, and no further: m g l sin φ against it. */
START_TEST(friction_sticks_up_to_its_bound)
{
  const double gravity[3] = {0.0, 0.0, -10.0}, q = 0.5, u = 0.0, load = 10.0 * sin(0.5);
  for (int over = 0; over < 2; over++) {
    trees_model m;
    nsdyn_tree_body bob;
    trees_begin(&m, gravity);
    nsdyn_tree_body_init(&bob, sizeof bob);
    bob.joint = NSDYN_TREE_REVOLUTE;
    bob.axis[1] = 1.0;
    bob.axis[2] = 0.0;
    bob.mass = 1.0;
    bob.centre[2] = -1.0;
    trees_add(&m, &bob);
    nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
    e.friction = over ? 0.999 * load : 1.001 * load;
    add_element(&m, &e);
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-10, 1.0);
    ck_assert_int_eq(fabs(nsdyn_event_driver_q(driver)[0] - q) > 1e-6, over);
    nsdyn_event_driver_free(driver);
    for (int i = 0; i < SCHEMES; i++) {
      nsdyn_stepper *s = trees_step(sys, schemes[i], &q, &u, 1e-3, 1000);
      REQUIRE((fabs(nsdyn_stepper_q(s)[0] - q) > 1e-6) == over, "scheme %d, %d: %g", schemes[i], over,
              nsdyn_stepper_q(s)[0] - q);
      nsdyn_stepper_free(s);
    }
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A gear with backlash b: the first wheel turns freely until s = φ_0 − φ_1 = b, and hits the second one: its
 * ε and the momentum tell both velocities; they part, and meet again at the other flank never. */
START_TEST(backlash)
{
  const double q[2] = {0.0}, u[2] = {2.0, 0.0}, b = 0.25, eps = 0.6, t = 1.0, J = 0.5;
  const double slow = 0.5 * (1.0 - eps) * u[0], fast = 0.5 * (1.0 + eps) * u[0], at = b / u[0];
  /* s = b − ε u (t − at) reaches −b after 2 b / (ε u); then they change their velocities' difference again */
  const double again = at + 2.0 * b / (eps * u[0]), left = t - again;
  const double meeting = b + slow * (again - at), other = fast * (again - at);
  const double mean = 0.5 * u[0], half = 0.5 * eps * eps * u[0];
  trees_model m;
  make_wheels(&m, 2, J);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, 1);
  e.ratio = -1.0;
  e.lower = -b;
  e.upper = b;
  e.eps_n = eps;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-11, t);
  ck_assert(left > 0.0 && left < 2.0 * b / (eps * eps * u[0]));
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - (meeting + (mean + half) * left)), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[1] - (other + (mean - half) * left)), 1e-9);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- rods and ropes ---- */

/* A point on a rod is a pendulum: the same motion as that of a body on a hinge. */
START_TEST(rod_is_a_pendulum)
{
  const double l = 1.3, phi = 0.9, t = 1.7, g = 9.81, zero = 0.0;
  const double q[3] = {-l * sin(phi), 0.0, -l * cos(phi)}, u[3] = {0.0};
  const double gravity[3] = {0.0, 0.0, -g};
  trees_model rod, hinge;
  nsdyn_tree_body bob;
  make_point(&rod, g);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_LINE, 2, -1);
  e.held = 1;
  e.rest = l;
  add_element(&rod, &e);
  trees_begin(&hinge, gravity);
  nsdyn_tree_body_init(&bob, sizeof bob);
  bob.joint = NSDYN_TREE_REVOLUTE;
  bob.axis[1] = 1.0;
  bob.axis[2] = 0.0;
  bob.mass = 1.0;
  bob.centre[2] = -l;
  trees_add(&hinge, &bob);
  nsdyn_system *a = trees_system(&rod, NULL), *b = trees_system(&hinge, NULL);
  nsdyn_event_driver *by_rod = trees_drive(a, q, u, 1e-11, t),
                     *by_hinge = trees_drive(b, &phi, &zero, 1e-11, t);
  const double end = nsdyn_event_driver_q(by_hinge)[0];
  ck_assert_double_le(fabs(nsdyn_event_driver_q(by_rod)[0] + l * sin(end)), 1e-8);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(by_rod)[2] + l * cos(end)), 1e-8);
  nsdyn_event_driver_free(by_rod);
  nsdyn_event_driver_free(by_hinge);
  nsdyn_system_free(a);
  nsdyn_system_free(b);
  trees_free(&rod);
  trees_free(&hinge);
}
END_TEST

/* A point falls freely until its rope is tight; ε = 1 turns its velocity along the rope round. */
START_TEST(rope_gets_tight)
{
  const double g = 10.0, l = 0.8, q[3] = {0.0, 0.0, -0.35}, u[3] = {0.0};
  const double at = sqrt(2.0 * (l - 0.35) / g), v = g * at, t = at + 0.1;
  trees_model m;
  make_point(&m, g);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_LINE, -1, 2);
  e.upper = l;
  e.eps_n = 1.0;
  add_element(&m, &e);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-11, t);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[2] - (-l + v * 0.1 - 0.5 * g * 0.01)), 1e-9);
  nsdyn_event_driver_free(driver);
  for (int i = 0; i < SCHEMES; i++) { /* hanging still, it carries the weight */
    const double low[3] = {0.0, 0.0, -l};
    nsdyn_stepper *s = trees_step(sys, schemes[i], low, u, 1e-3, 200);
    REQUIRE(fabs(nsdyn_stepper_q(s)[2] + l) <= 1e-4, "scheme %d: %g", schemes[i], nsdyn_stepper_q(s)[2]);
    nsdyn_stepper_free(s);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- beside the user's own ---- */

static int own_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = 5.0 - q[1];
  return 0;
}

static int own_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[1] = -1.0;
  w_hat[0] = 0.0;
  return 0;
}

static int own_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  g_b[0] = q[2];
  W_b[2] = 1.0;
  w_hat_b[0] = 0.0;
  return 0;
}

/* The user's contacts and constraints come first and keep their laws, with w̄ by differences for all. */
START_TEST(beside_rows_of_the_user)
{
  const double q[3] = {0.0}, u[3] = {1.0, 2.0, 0.0};
  trees_model m;
  nsdyn_system_def own;
  nsdyn_contact_law law;
  nsdyn_system_check_report report = {.size = sizeof report};
  make_wheels(&m, 3, 0.5);
  nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
  e.upper = 1.0;
  e.friction = 0.1;
  add_element(&m, &e);
  nsdyn_system_def_init(&own, sizeof own);
  own.ncontacts = own.nconstraints = 1;
  own.gap = own_gap;
  own.direction = own_direction;
  own.constraint = own_constraint;
  nsdyn_system *sys = trees_system(&m, &own);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 1.0;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, &report), NSDYN_OK);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-10, 4.0);
  /* wheel 1 turns back at 5, wheel 0 slows down by 0.1 / 0.5 to its limit, without restitution, wheel 2 is
   * held */
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[1] - 2.0), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - 1.0), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[2]), 1e-12);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- what is refused ---- */

static int fails(void *user, double t, double s, double rate, double *value)
{
  (void)t, (void)s, (void)rate;
  value[0] = NAN;
  return *(const int *)user;
}

static int pulls(void *user, double t, double s, double rate, double *value)
{
  (void)t, (void)s, (void)rate;
  value[0] = 3.0;
  return *(const int *)user;
}

/* A callback that fails is named with its element. */
START_TEST(callbacks_that_fail_are_named)
{
  static const char *const text[] = {"element 0 (grip): callback force wrote a number that is none (-1)",
                                     "element 0 (grip): callback force returned -4"};
  const double q = 0.0, u = 0.0;
  for (int k = 0; k < 2; k++) {
    int code = k ? -4 : 0;
    trees_model m;
    nsdyn_stepper *stepper = NULL;
    make_wheels(&m, 1, 1.0);
    nsdyn_tree_element e = element_of(NSDYN_ELEMENT_AXIS, 0, -1);
    e.name = "grip";
    e.force = fails;
    e.user = &code;
    add_element(&m, &e);
    ck_assert_int_eq(nsdyn_tree_find_element(m.tree, "grip"), 0);
    ck_assert_int_eq(nsdyn_tree_find_element(m.tree, "grap"), -1);
    nsdyn_system *sys = trees_system(&m, NULL);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, &q, &u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_step(stepper, 0.1), NSDYN_ERR_CALLBACK);
    ck_assert_str_eq(nsdyn_tree_message(m.tree), text[k]);
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A point tied to the world where it is: a force without a direction is refused, none is none, and a damper
 * acts against the motion, whose direction is the line's just before and just after. */
START_TEST(anchors_in_one_place)
{
  const double q[3] = {0.0}, u[2][3] = {{0.0}, {1.0, -2.0, 0.5}};
  for (int k = 0; k < 4; k++) {
    const int refuses = k < 2, moves = k == 3;
    int code = 0;
    trees_model m;
    make_point(&m, 0.0);
    nsdyn_tree_element e = element_of(NSDYN_ELEMENT_LINE, -1, 2);
    e.name = "tie";
    e.stiffness = k == 1 ? 0.0 : 4.0;
    e.rest = k == 0 ? 0.5 : 0.0;
    e.damping = 0.5;
    if (k == 1) {
      e.force = pulls;
      e.user = &code;
    }
    add_element(&m, &e);
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_stepper *stepper = NULL;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = NSDYN_SCHEME_EULER;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, q, u[moves]), NSDYN_OK);
    const nsdyn_status status = nsdyn_stepper_step(stepper, 1e-3);
    REQUIRE(!status == !refuses, "%d: %s", k, nsdyn_stepper_message(stepper));
    if (refuses) {
      ck_assert_str_eq(nsdyn_tree_message(m.tree), "element 0 (tie): its anchors are in one place, and no "
                                                   "direction leads from one to the other");
    }
    for (int i = 0; i < 3 && !status; i++) { /* u − dt d u */
      ck_assert_double_le(fabs(nsdyn_stepper_u(stepper)[i] - u[moves][i] * (1.0 - 1e-3 * 0.5)), 1e-12);
    }
    nsdyn_stepper_free(stepper);
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* Each wrong field by its name, and the tree stays as it was. */
START_TEST(refused)
{
  trees_model m;
  nsdyn_tree_body ball;
  int32_t number = -7, row = -7;
  make_wheels(&m, 2, 1.0);
  nsdyn_tree_body_init(&ball, sizeof ball);
  ball.joint = NSDYN_TREE_SPHERICAL;
  ball.mass = 1.0;
  ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 1.0;
  trees_add(&m, &ball);
  const nsdyn_tree_element axis = element_of(NSDYN_ELEMENT_AXIS, 0, -1),
                           line = element_of(NSDYN_ELEMENT_LINE, 0, 1),
                           turn = element_of(NSDYN_ELEMENT_AXIS, 2, -1);
#define REFUSED(base, field, value, status, words)                                                           \
  do {                                                                                                       \
    nsdyn_tree_element e = base;                                                                             \
    e.name = "arm";                                                                                          \
    e.field = value;                                                                                         \
    ck_assert_int_eq(nsdyn_tree_add_element(m.tree, &e, &number), status);                                   \
    ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_element: element 0 (arm): " words);         \
    ck_assert_int_eq(number, -7);                                                                            \
  } while (0)
  REFUSED(axis, kind, 2, NSDYN_ERR_ARGUMENT, "kind is not one of nsdyn_tree_element_kind");
  REFUSED(axis, held, 2, NSDYN_ERR_ARGUMENT, "held is neither 0 nor 1");
  REFUSED(axis, body[0], -1, NSDYN_ERR_ARGUMENT, "body[0] is the world, which has no joint");
  REFUSED(axis, body[0], 3, NSDYN_ERR_ARGUMENT, "body[0] is 3; there are bodies 0 to 2");
  REFUSED(axis, body[1], 0, NSDYN_ERR_ARGUMENT, "both axes are the same");
  REFUSED(axis, axis[0], 1, NSDYN_ERR_ARGUMENT, "axis[0] is 1; the revolute joint of body 0 has 1");
  REFUSED(axis, ratio, 0.0, NSDYN_ERR_ARGUMENT, "ratio is 0, or no number");
  REFUSED(axis, ratio, NAN, NSDYN_ERR_NOT_FINITE, "ratio is 0, or no number");
  REFUSED(axis, rest, INFINITY, NSDYN_ERR_NOT_FINITE, "rest is infinite");
  REFUSED(axis, rest, NAN, NSDYN_ERR_ARGUMENT, "rest is NaN, as the bodies stand, but no state is set");
  REFUSED(axis, stiffness, -1.0, NSDYN_ERR_ARGUMENT, "stiffness is not a number >= 0");
  REFUSED(axis, damping, NAN, NSDYN_ERR_NOT_FINITE, "damping is not a number >= 0");
  REFUSED(axis, friction, INFINITY, NSDYN_ERR_NOT_FINITE, "friction is not a number >= 0");
  REFUSED(axis, lower, INFINITY, NSDYN_ERR_NOT_FINITE, "lower is neither a number nor -INFINITY");
  REFUSED(axis, upper, NAN, NSDYN_ERR_NOT_FINITE, "upper is neither a number nor INFINITY");
  REFUSED(axis, eps_n, 1.5, NSDYN_ERR_ARGUMENT, "eps_n is not in [0, 1]");
  REFUSED(line, anchor[4], NAN, NSDYN_ERR_NOT_FINITE, "anchor is not finite");
  REFUSED(line, body[1], 0, NSDYN_ERR_ARGUMENT, "both bodies are the same");
  REFUSED(line, body[1], 7, NSDYN_ERR_ARGUMENT, "body[1] is 7; there are bodies 0 to 2, and the world, -1");
  REFUSED(line, held, 1, NSDYN_ERR_ARGUMENT, "rest of a line that is held is not > 0");
  REFUSED(turn, stiffness, 1.0, NSDYN_ERR_ARGUMENT,
          "an axis of a ball has no coordinate: no spring, no limit, and nothing to be held at");
#undef REFUSED
  nsdyn_tree_element e = axis;
  e.lower = 1.0;
  e.upper = 1.0;
  ck_assert_int_eq(nsdyn_tree_add_element(m.tree, &e, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_element: element 0: lower is not below upper");
  e = axis;
  e.held = 1;
  e.friction = 1.0;
  ck_assert_int_eq(nsdyn_tree_add_element(m.tree, &e, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree),
                   "nsdyn_tree_add_element: element 0: held leaves nothing to friction and limits");
  ck_assert_int_eq(nsdyn_tree_add_element(m.tree, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_tree_message(m.tree), "nsdyn_tree_add_element: element is NULL");
  ck_assert_int_eq(nsdyn_tree_add_element(NULL, &axis, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_tree_element_rows(m.tree, 0, &row, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(row, -7);
  /* a damper on a ball is fine; once there is a system, nothing is added */
  e = turn;
  e.damping = 1.0;
  ck_assert_int_eq(nsdyn_tree_add_element(m.tree, &e, NULL), NSDYN_OK);
  nsdyn_system *sys = trees_system(&m, NULL);
  ck_assert_int_eq(nsdyn_tree_add_element(m.tree, &e, NULL), NSDYN_ERR_BUSY);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

SUITE("multibody/elements", TEST(callbacks_agree), TEST(damped_oscillation), TEST(servo_follows_a_ramp),
      TEST(line_spring_keeps_energy), TEST(motor_and_gear), TEST(motor_of_given_motion),
      TEST(limit_and_dry_friction), TEST(friction_sticks_up_to_its_bound), TEST(backlash),
      TEST(rod_is_a_pendulum), TEST(rope_gets_tight), TEST(beside_rows_of_the_user),
      TEST(callbacks_that_fail_are_named), TEST(anchors_in_one_place), TEST(refused))
