/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "trees.h"

/* ---- the double pendulum, by its Lagrangian ---- */

/* Two rods of length and mass 1, g = 10: u = (φ̇, ψ̇ − φ̇). */
static int mass_by_hand(void *user, double t, const double *q, double *M)
{
  const double c = 0.5 * cos(q[1]);
  (void)user, (void)t;
  M[0] = 5.0 / 3.0 + 2.0 * c;
  M[1] = M[2] = 1.0 / 3.0 + c;
  M[3] = 1.0 / 3.0;
  return 0;
}

static int force_by_hand(void *user, double t, const double *q, const double *u, double *h)
{
  const double s = 0.5 * sin(q[1]), w = u[0] + u[1];
  (void)user, (void)t;
  h[1] = -s * u[0] * u[0] - 5.0 * sin(q[0] + q[1]);
  h[0] = s * w * w - 15.0 * sin(q[0]) + h[1];
  return 0;
}

static void make_rods(trees_model *m, int rods)
{
  const double gravity[3] = {0.0, 0.0, -10.0};
  trees_begin(m, gravity);
  for (int i = 0; i < rods; i++) {
    nsdyn_tree_body rod;
    nsdyn_tree_body_init(&rod, sizeof rod);
    rod.parent = i - 1;
    rod.joint = NSDYN_TREE_REVOLUTE;
    rod.axis[1] = 1.0;
    rod.axis[2] = 0.0;
    rod.joint_place[2] = i ? -1.0 : 0.0;
    rod.mass = 1.0;
    rod.centre[2] = -0.5;
    rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0;
    trees_add(m, &rod);
  }
}

START_TEST(double_pendulum)
{
  static const int schemes[] = {NSDYN_SCHEME_MOREAU, NSDYN_SCHEME_EULER, NSDYN_SCHEME_MOREAU_JEAN,
                                NSDYN_SCHEME_GENERALIZED_ALPHA};
  const double q[2] = {1.2, -0.7}, u[2] = {0.3, 2.0};
  nsdyn_system *by_hand = NULL;
  nsdyn_system_def def;
  trees_model m;
  make_rods(&m, 2);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.mass = mass_by_hand;
  def.force = force_by_hand;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &by_hand, NULL), NSDYN_OK);
  nsdyn_system *sys = trees_system(&m, NULL);
  for (int i = 0; i < 4; i++) { /* the same steps, but for rounding that grows */
    nsdyn_stepper *a = trees_step(sys, schemes[i], q, u, 1e-3, 1000),
                  *b = trees_step(by_hand, schemes[i], q, u, 1e-3, 1000);
    for (int k = 0; k < 2; k++) {
      REQUIRE(fabs(nsdyn_stepper_q(a)[k] - nsdyn_stepper_q(b)[k]) <= 1e-8 &&
                  fabs(nsdyn_stepper_u(a)[k] - nsdyn_stepper_u(b)[k]) <= 1e-7,
              "scheme %d: %g, %g", schemes[i], nsdyn_stepper_q(a)[k], nsdyn_stepper_q(b)[k]);
    }
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
  nsdyn_event_driver *a = trees_drive(sys, q, u, 1e-12, 2.0), *b = trees_drive(by_hand, q, u, 1e-12, 2.0);
  for (int k = 0; k < 2; k++) {
    ck_assert_double_le(fabs(nsdyn_event_driver_q(a)[k] - nsdyn_event_driver_q(b)[k]), 1e-9);
  }
  nsdyn_event_driver_free(a);
  nsdyn_event_driver_free(b);
  nsdyn_system_free(sys);
  nsdyn_system_free(by_hand);
  trees_free(&m);
}
END_TEST

/* ---- closed forms in space ---- */

/* A heavy top on a ball joint that precesses steadily: m g l = Ω (C ω_3 − A Ω cos θ). */
START_TEST(steady_top)
{
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double gravity[3] = {0.0, 0.0, -9.81}, y[3] = {0.0, 1.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    const double theta = random_between(&random, 0.1, 1.4), rate = random_between(&random, 0.5, 2.0);
    const double mass = 2.0, l = 0.3, C = 0.02, A = 0.015 + mass * l * l, t_end = 3.0;
    const double spin = (mass * 9.81 * l / rate + A * rate * cos(theta)) / C;
    trees_model m;
    nsdyn_tree_body top;
    trees_begin(&m, gravity);
    nsdyn_tree_body_init(&top, sizeof top);
    top.joint = NSDYN_TREE_SPHERICAL;
    top.mass = mass;
    top.centre[2] = l;
    top.inertia[0] = top.inertia[1] = 0.015;
    top.inertia[2] = C;
    trees_add(&m, &top);
    double q[4], e[3];
    nsdyn_quaternion_from_axis_angle(y, theta, q);
    const double u[3] = {-rate * sin(theta), 0.0, spin};
    nsdyn_system *sys = trees_system(&m, NULL);
    nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-12, t_end);
    nsdyn_quaternion_rotate(nsdyn_event_driver_q(driver), z, e);
    const double expected[3] = {sin(theta) * cos(rate * t_end), sin(theta) * sin(rate * t_end), cos(theta)};
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(e[i] - expected[i]) <= 1e-7, "case %d: %g, %g", k, e[i], expected[i]);
    }
    nsdyn_event_driver_free(driver);
    /* and by steps: Moreau's rule takes h at the u that a step begins with, which costs an order with
     * gyroscopic forces; generalized-α does not */
    static const int scheme[2] = {NSDYN_SCHEME_MOREAU, NSDYN_SCHEME_GENERALIZED_ALPHA};
    static const double share[2] = {0.6, 0.3};
    for (int by = 0; by < 2; by++) {
      double error[2] = {0.0};
      for (int fine = 0; fine < 2; fine++) {
        const int steps = fine ? 2000 : 1000;
        nsdyn_stepper *s = trees_step(sys, scheme[by], q, u, 0.1 / steps, steps);
        nsdyn_quaternion_rotate(nsdyn_stepper_q(s), z, e);
        for (int i = 0; i < 2; i++) {
          const double at = sin(theta) * (i ? sin(0.1 * rate) : cos(0.1 * rate));
          error[fine] = fmax(error[fine], fabs(e[i] - at));
        }
        nsdyn_stepper_free(s);
      }
      REQUIRE(error[1] <= share[by] * error[0] + 1e-9 && error[0] <= 0.05, "case %d, %d: %g, %g", k, by,
              error[0], error[1]);
    }
    nsdyn_system_free(sys);
    trees_free(&m);
  }
}
END_TEST

/* A point on a Cardan joint that goes round: ω² = g / (l cos θ). */
START_TEST(conical_pendulum)
{
  const double gravity[3] = {0.0, 0.0, -9.81}, theta = 0.6, l = 1.3, t_end = 2.0;
  const double rate = sqrt(9.81 / (l * cos(theta))), q[2] = {0.0, -theta}, u[2] = {rate * tan(theta), 0.0};
  const double tip[3] = {0.0, 0.0, -l};
  trees_model m;
  nsdyn_tree_body bob;
  trees_begin(&m, gravity);
  nsdyn_tree_body_init(&bob, sizeof bob);
  bob.joint = NSDYN_TREE_UNIVERSAL;
  bob.axis[0] = 1.0;
  bob.axis[2] = 0.0;
  bob.second[0] = 0.0;
  bob.second[1] = 1.0;
  bob.mass = 0.7;
  bob.centre[2] = -l;
  trees_add(&m, &bob);
  nsdyn_system *sys = trees_system(&m, NULL);
  nsdyn_event_driver *driver = trees_drive(sys, q, u, 1e-12, t_end);
  nsdyn_tree_motion at = {.size = sizeof at};
  ck_assert_int_eq(nsdyn_tree_set_state(m.tree, nsdyn_event_driver_q(driver), NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_tree_point(m.tree, 0, tip, &at), NSDYN_OK);
  const double expected[3] = {l * sin(theta) * cos(rate * t_end), l * sin(theta) * sin(rate * t_end),
                              -l * cos(theta)};
  for (int i = 0; i < 3; i++) {
    ck_assert_double_le(fabs(at.place[i] - expected[i]), 1e-9);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- both ways to M⁻¹ ---- */

static int mass_of_tree(void *user, double t, const double *q, double *M)
{
  (void)t;
  return nsdyn_tree_set_state(user, q, NULL) || nsdyn_tree_mass(user, M);
}

static int force_of_tree(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t;
  return nsdyn_tree_set_state(user, q, u) || nsdyn_tree_force(user, h);
}

/* A long chain moves in the same way by a factor of M and by the recursion; its energy stays. */
START_TEST(long_chain)
{
  enum { RODS = 40 };
  double q[RODS], u[RODS];
  nsdyn_system *by_mass = NULL;
  nsdyn_system_def def;
  trees_model m;
  make_rods(&m, RODS);
  for (int i = 0; i < RODS; i++) {
    q[i] = 0.1 * sin(i);
    u[i] = 0.2 * cos(3.0 * i);
  }
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = RODS;
  def.user = m.tree;
  def.mass = mass_of_tree;
  def.force = force_of_tree;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &by_mass, NULL), NSDYN_OK);
  nsdyn_system *sys = trees_system(&m, NULL);
  static const int schemes[] = {NSDYN_SCHEME_MOREAU, NSDYN_SCHEME_EULER, NSDYN_SCHEME_MOREAU_JEAN,
                                NSDYN_SCHEME_GENERALIZED_ALPHA};
  for (int k = 0; k < 4; k++) {
    const int steps = k < 2 ? 100 : 3; /* slopes of forces by differences: 2 nu² of them in each step */
    nsdyn_stepper *a = trees_step(sys, schemes[k], q, u, 1e-3, steps),
                  *b = trees_step(by_mass, schemes[k], q, u, 1e-3, steps);
    for (int i = 0; i < RODS; i++) {
      REQUIRE(fabs(nsdyn_stepper_q(a)[i] - nsdyn_stepper_q(b)[i]) <= 1e-9, "scheme %d, q[%d]", schemes[k], i);
    }
    nsdyn_step_energy ours = {.size = sizeof ours}, theirs = {.size = sizeof theirs};
    ck_assert_int_eq(nsdyn_stepper_energy(a, &ours), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_energy(b, &theirs), NSDYN_OK);
    ck_assert_double_le(fabs(ours.after - theirs.after), 1e-8 * theirs.after);
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
  nsdyn_system_free(sys);
  nsdyn_system_free(by_mass);
  trees_free(&m);
}
END_TEST

/* ---- contacts, limits and friction of the user's ---- */

typedef struct scene {
  trees_model *m;
  int32_t body;
  double point[3];
  int destroyed;
} scene;

/* The height of a point of a body over the floor at z = −100, along the world's axes. */
static int gap(void *user, double t, const double *q, double *g)
{
  scene *s = user;
  nsdyn_tree_motion at = {.size = sizeof at};
  (void)t, (void)q;
  if (nsdyn_tree_point(s->m->tree, s->body, s->point, &at)) {
    return -1;
  }
  g[0] = at.place[2] + 100.0;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  static const int rows[3] = {2, 0, 1};
  scene *s = user;
  double J[6 * TREES_NU];
  const int n = s->m->nu;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0; /* the floor stands still */
  if (nsdyn_tree_jacobian(s->m->tree, s->body, s->point, J)) {
    return -1;
  }
  for (int row = 0; row < 3; row++) {
    memcpy(W + row * n, J + rows[row] * n, (size_t)n * sizeof *J);
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  scene *s = user;
  nsdyn_tree_motion at = {.size = sizeof at};
  (void)t, (void)q, (void)u, (void)i;
  if (nsdyn_tree_point(s->m->tree, s->body, s->point, &at)) {
    return -1;
  }
  w_bar[0] = at.bias[2];
  w_bar[1] = at.bias[0];
  w_bar[2] = at.bias[1];
  return 0;
}

static void destroy(void *user)
{
  ((scene *)user)->destroyed++;
}

/* All callbacks agree with each other: gaps, W, w̄, M or M⁻¹, kinematics, steps, on trees of all joints. */
START_TEST(callbacks_agree)
{
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double q[TREES_NQ], u[TREES_NU];
    nsdyn_system_def own;
    nsdyn_contact_law law;
    nsdyn_system_check_report report = {.size = sizeof report};
    trees_model m;
    trees_make(&m, &random, 1 + trees_size(k) % 30, 0);
    trees_state(&m, &random, q, u);
    scene s = {.m = &m, .body = m.bodies - 1};
    trees_vector(&random, 1.0, s.point);
    nsdyn_system_def_init(&own, sizeof own);
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    own.ncontacts = 1;
    own.user = &s;
    own.destroy_user = destroy;
    own.gap = gap;
    own.direction = direction;
    own.bias = bias;
    nsdyn_system *sys = trees_system(&m, &own);
    REQUIRE(nsdyn_system_set_contact(sys, 0, &law) == NSDYN_OK);
    REQUIRE(nsdyn_tree_retract(m.tree, q, u, 0.0, q) == NSDYN_OK); /* norms are 1 */
    REQUIRE(nsdyn_system_check(sys, 0.0, q, u, &report) == NSDYN_OK, "case %d: %s", k,
            nsdyn_system_message(sys));
    nsdyn_system_free(sys);
    REQUIRE(s.destroyed == 1);
    trees_free(&m);
  }
}
END_TEST

/* A wheel: contact 0 is the limit q <= 1, contact 1 the dry friction of its bearing. */
static int limit_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = 1.0 - q[0];
  g[1] = 0.0;
  return 0;
}

static int limit_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[i] = i ? 1.0 : -1.0; /* w_N of the limit; w_T of the bearing, whose w_N is zero */
  return 0;
}

/* It slows down at the rate a = bound / J, bounces at the limit with ε, and stops for good. */
START_TEST(limit_and_dry_friction)
{
  const double none[3] = {0.0}, q = 0.0, u = 3.0, J = 0.5, bound = 1.0, a = bound / J, eps = 0.5;
  const double at_limit = sqrt(u * u - 2.0 * a * 1.0), back = eps * at_limit, way = back * back / (2.0 * a);
  trees_model m;
  nsdyn_tree_body wheel;
  nsdyn_system_def own;
  nsdyn_contact_law law;
  trees_begin(&m, none);
  nsdyn_tree_body_init(&wheel, sizeof wheel);
  wheel.joint = NSDYN_TREE_REVOLUTE;
  wheel.mass = 1.0;
  wheel.inertia[0] = wheel.inertia[1] = wheel.inertia[2] = J;
  trees_add(&m, &wheel);
  nsdyn_system_def_init(&own, sizeof own);
  own.ncontacts = 2;
  own.gap = limit_gap;
  own.direction = limit_direction;
  nsdyn_system *sys = trees_system(&m, &own);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = eps;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = bound;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 1, &law), NSDYN_OK);
  nsdyn_event_driver *driver = trees_drive(sys, &q, &u, 1e-10, 10.0);
  ck_assert_double_le(fabs(nsdyn_event_driver_q(driver)[0] - (1.0 - way)), 1e-9);
  ck_assert_double_le(fabs(nsdyn_event_driver_u(driver)[0]), 1e-12);
  nsdyn_stepper *s = trees_step(sys, NSDYN_SCHEME_MOREAU, &q, &u, 1e-4, 50000);
  ck_assert_double_le(fabs(nsdyn_stepper_q(s)[0] - (1.0 - way)), 1e-3);
  ck_assert_double_le(fabs(nsdyn_stepper_u(s)[0]), 1e-12);
  nsdyn_stepper_free(s);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- ownership, and what is refused ---- */

START_TEST(the_system_holds_the_tree)
{
  const double q[2] = {0.3, 0.1}, u[2] = {0.0, 0.0};
  trees_model m;
  make_rods(&m, 2);
  nsdyn_system *sys = trees_system(&m, NULL), *other = trees_system(&m, NULL);
  nsdyn_tree_body body;
  nsdyn_tree_body_init(&body, sizeof body);
  ck_assert_int_eq(nsdyn_tree_add(m.tree, &body, NULL), NSDYN_ERR_BUSY);
  nsdyn_system_free(other);
  ck_assert_int_eq(nsdyn_tree_add(m.tree, &body, NULL), NSDYN_ERR_BUSY);
  nsdyn_tree *tree = m.tree;
  trees_free(&m);
  ck_assert_int_eq(nsdyn_tree_add(tree, &body, NULL), NSDYN_ERR_BUSY); /* the system's alone */
  nsdyn_stepper_free(trees_step(sys, NSDYN_SCHEME_MOREAU, q, u, 1e-3, 10));
  nsdyn_system_free(sys);
}
END_TEST

/* Two integrators take turns, and the tree is asked in between: each goes its own way. */
START_TEST(one_tree_for_two)
{
  const double q[2][2] = {{0.3, 0.1}, {-1.0, 2.0}}, u[2] = {0.0, 1.0}, elsewhere[2] = {9.0, 9.0};
  nsdyn_stepper *alone[2], *turns[2];
  trees_model m;
  make_rods(&m, 2);
  nsdyn_system *sys = trees_system(&m, NULL);
  for (int i = 0; i < 2; i++) {
    alone[i] = trees_step(sys, NSDYN_SCHEME_MOREAU, q[i], u, 1e-3, 200);
  }
  for (int i = 0; i < 2; i++) {
    turns[i] = trees_step(sys, NSDYN_SCHEME_MOREAU, q[i], u, 1e-3, 0);
  }
  for (int k = 0; k < 400; k++) {
    ck_assert_int_eq(nsdyn_stepper_step(turns[k % 2], 1e-3), NSDYN_OK);
    ck_assert_int_eq(nsdyn_tree_set_state(m.tree, elsewhere, u), NSDYN_OK);
  }
  for (int i = 0; i < 2; i++) {
    ck_assert(nsdyn_stepper_q(alone[i])[0] == nsdyn_stepper_q(turns[i])[0]);
    ck_assert(nsdyn_stepper_u(alone[i])[1] == nsdyn_stepper_u(turns[i])[1]);
    nsdyn_stepper_free(alone[i]);
    nsdyn_stepper_free(turns[i]);
  }
  nsdyn_system_free(sys);
  trees_free(&m);
}
END_TEST

/* ---- callbacks that look around ---- */

/* Rows of the user's own, and callbacks of elements, that may look at the tree somewhere else. */
typedef struct wanderer {
  nsdyn_tree *tree;
  int wanders;
  double q[TREES_NQ], u[TREES_NU];
} wanderer;

static void wander(const wanderer *w)
{
  if (w->wanders) {
    REQUIRE(nsdyn_tree_set_state(w->tree, w->q, w->u) == NSDYN_OK);
  }
}

static int far_gap(void *user, double t, const double *q, double *g)
{
  (void)t, (void)q;
  g[0] = 1e3 + q[0];
  wander(user);
  return 0;
}

static int far_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = 0.0;
  wander(user);
  return 0;
}

static int far_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  wander(user);
  return 0;
}

static int first_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)t;
  g_b[0] = q[0];
  W_b[0] = 1.0;
  w_hat_b[0] = 0.0;
  wander(user);
  return 0;
}

static int first_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  (void)t, (void)q, (void)u;
  w_bar_b[0] = 0.0;
  wander(user);
  return 0;
}

static int own_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q;
  h[0] -= u[0];
  wander(user);
  return 0;
}

static int wandering_drive(void *user, double t, double *value)
{
  value[0] = 0.1 * t;
  value[1] = 0.1;
  value[2] = 0.0;
  wander(user);
  return 0;
}

static int wandering_force(void *user, double t, double s, double rate, double *value)
{
  (void)t;
  value[0] = 1.0 - s - rate;
  wander(user);
  return 0;
}

/* A chain of balls with lines to the world that are held or driven, and a loop at its end. */
static nsdyn_system *make_wanderer(trees_model *m, random_state *random, wanderer *w, double *q, double *u)
{
  const double gravity[3] = {0.0, 0.0, -10.0};
  nsdyn_tree_element e;
  nsdyn_tree_loop loop;
  nsdyn_system_def own;
  trees_begin(m, gravity);
  for (int i = 0; i < 5; i++) {
    const nsdyn_tree_body body = trees_body(random, i ? NSDYN_TREE_SPHERICAL : NSDYN_TREE_REVOLUTE, i - 1);
    trees_add(m, &body);
  }
  trees_state(m, random, q, u);
  trees_state(m, random, w->q, w->u);
  w->tree = m->tree;
  q[0] = u[0] = 0.0; /* the user's constraint */
  REQUIRE(nsdyn_tree_retract(m->tree, q, u, 0.0, q) == NSDYN_OK && !nsdyn_tree_set_state(m->tree, q, u));
  for (int i = 0; i < 4; i++) {
    nsdyn_tree_element_init(&e, sizeof e);
    e.kind = NSDYN_ELEMENT_LINE;
    e.body[1] = i + 1;
    trees_vector(random, 1.0, e.anchor);
    trees_vector(random, 1.0, e.anchor + 3);
    e.rest = NAN; /* as the bodies stand */
    e.held = i == 1;
    e.drive = wandering_drive;
    e.force = i == 1 ? NULL : wandering_force;
    e.user = w;
    e.damping = 1.0;
    e.upper = i == 3 ? 1e3 : (double)INFINITY;
    REQUIRE(nsdyn_tree_add_element(m->tree, &e, NULL) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  }
  nsdyn_tree_loop_init(&loop, sizeof loop);
  loop.body[1] = 4;
  trees_vector(random, 1.0, loop.joint_place);
  REQUIRE(nsdyn_tree_add_loop(m->tree, &loop, NULL) == NSDYN_OK);
  nsdyn_system_def_init(&own, sizeof own);
  own.user = w;
  own.ncontacts = own.nconstraints = 1;
  own.gap = far_gap;
  own.direction = far_direction;
  own.bias = far_bias;
  own.constraint = first_constraint;
  own.constraint_bias = first_bias;
  own.force = own_force;
  return trees_system(m, &own);
}

/* Accelerations and steps are the same to the bit, wherever callbacks have looked meanwhile. */
START_TEST(callbacks_may_look_elsewhere)
{
  static const int scheme[] = {NSDYN_SCHEME_MOREAU, NSDYN_SCHEME_MOREAU_JEAN, NSDYN_SCHEME_GENERALIZED_ALPHA};
  const int cases = random_cases(20);
  for (int k = 0; k < cases; k++) {
    double q[TREES_NQ], u[TREES_NU], end[2][2][TREES_NQ] = {{{0.0}}};
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)k);
      wanderer w = {.wanders = i};
      trees_model m;
      nsdyn_system *sys = make_wanderer(&m, &random, &w, q, u);
      nsdyn_stepper *s = NULL;
      nsdyn_stepper_options options;
      nsdyn_stepper_options_init(&options, sizeof options);
      options.scheme = scheme[k % 3];
      options.start_tol = (double)INFINITY; /* its first u is any */
      REQUIRE(nsdyn_stepper_new(NULL, sys, &options, &s, NULL) == NSDYN_OK);
      REQUIRE(nsdyn_stepper_set_state(s, 0.0, q, u) == NSDYN_OK, "%s", nsdyn_stepper_message(s));
      for (int j = 0; j < 20; j++) {
        REQUIRE(nsdyn_stepper_step(s, 1e-4) == NSDYN_OK, "case %d: %s", k, nsdyn_stepper_message(s));
      }
      memcpy(end[i][0], nsdyn_stepper_q(s), (size_t)m.nq * sizeof *q);
      memcpy(end[i][1], nsdyn_stepper_u(s), (size_t)m.nu * sizeof *u);
      nsdyn_stepper_free(s);
      nsdyn_system_free(sys);
      trees_free(&m);
    }
    REQUIRE(!memcmp(end[0], end[1], sizeof end[0]), "case %d: %g, %g", k, end[0][1][1], end[1][1][1]);
  }
}
END_TEST

START_TEST(refused)
{
  trees_model m;
  nsdyn_system_def own;
  nsdyn_system *sys = NULL;
  nsdyn_error error = {.size = sizeof error};
  scene s = {.destroyed = 0};
  make_rods(&m, 2);
  nsdyn_system_def_init(&own, sizeof own);
  own.user = &s;
  own.destroy_user = destroy;
  own.mass = mass_by_hand;
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, m.tree, &own, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_tree_system_new: mass is not NULL; M is the tree's");
  own.mass = NULL;
  own.nu = 3;
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, m.tree, &own, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_tree_system_new: nu is neither 0 nor that of the tree");
  own.nu = 2;
  own.ncontacts = 1; /* without a gap: nsdyn_system_new() says so */
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, m.tree, &own, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(error.message, "no callback gap") != NULL);
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, NULL, NULL, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(error.message, "nsdyn_tree_system_new: tree is NULL");
  ck_assert_int_eq(nsdyn_tree_system_new(NULL, m.tree, NULL, NULL, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(sys);
  ck_assert_int_eq(s.destroyed, 0);
  const nsdyn_tree_body body = m.body[1];
  ck_assert_int_eq(nsdyn_tree_add(m.tree, &body, NULL), NSDYN_OK); /* nobody holds it */
  trees_free(&m);
}
END_TEST

SUITE("multibody/system", TEST(double_pendulum), TEST(steady_top), TEST(conical_pendulum), TEST(long_chain),
      TEST(callbacks_agree), TEST(limit_and_dry_friction), TEST(the_system_holds_the_tree),
      TEST(one_tree_for_two), TEST(callbacks_may_look_elsewhere), TEST(refused))
