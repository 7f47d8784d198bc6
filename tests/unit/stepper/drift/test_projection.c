/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/projection.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

/* ---- a pendulum in the plane, q = (x, y), on a rod of length 1 ---- */

static int pendulum_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

static int pendulum_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0 * 9.81;
  return 0;
}

static int rod(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  W_b[0] = q[0];
  W_b[1] = q[1];
  return 0;
}

static nsdyn_stepper *pendulum(int project)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_stepper_options options = stepper_defaults();
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.mass = pendulum_mass;
  def.force = pendulum_force;
  def.constraint = rod;
  options.project = project;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(s, (double[]){1.0, 0.0}, (double[]){0.0, 0.0});
  return s;
}

static double length_error(const nsdyn_stepper *s)
{
  return fabs(hypot(nsdyn_stepper_q(s)[0], nsdyn_stepper_q(s)[1]) - 1.0);
}

/* Without projection the rod grows longer; with it neither coordinates nor velocities leave the constraint.
 */
START_TEST(a_pendulum_keeps_its_length)
{
  nsdyn_stepper *drifting = pendulum(0), *projected = pendulum(1);
  for (int k = 0; k < 3000; k++) {
    run(drifting, 1e-3, 1);
    run(projected, 1e-3, 1);
    const double *q = nsdyn_stepper_q(projected), *u = nsdyn_stepper_u(projected);
    REQUIRE(length_error(projected) <= 1e-13, "step %d: the rod is off by %g", k, length_error(projected));
    REQUIRE(fabs(q[0] * u[0] + q[1] * u[1]) <= 1e-12, "step %d: it grows by %g", k,
            q[0] * u[0] + q[1] * u[1]);
  }
  ck_assert_double_gt(length_error(drifting), 1e-8);
  /* 3 s of the exact motion, from the horizontal: energy 0. */
  const double *q = nsdyn_stepper_q(projected), *u = nsdyn_stepper_u(projected);
  ck_assert_double_eq_tol(0.5 * (u[0] * u[0] + u[1] * u[1]) + 9.81 * q[1], 0.0, 0.2);
  nsdyn_stepper_free(drifting);
  nsdyn_stepper_free(projected);
}
END_TEST

/* ½ T² = K(½)² · 4 / … : the period from the horizontal is 4 K(1/√2) √(l/g). */
START_TEST(its_period_is_the_elliptic_integral)
{
  const double K = 1.8540746773013719, exact = 4.0 * K / sqrt(9.81);
  nsdyn_stepper *s = pendulum(1);
  double last = 0.0, t = 0.0;
  int turns = 0;
  while (turns < 2) {
    const double before = nsdyn_stepper_u(s)[1];
    run(s, 1e-4, 1);
    ck_assert_double_lt(nsdyn_stepper_time(s), 10.0);
    if (before > 0.0 && nsdyn_stepper_u(s)[1] <= 0.0) { /* at the top of a swing */
      turns++;
      last = t;
      t = nsdyn_stepper_time(s);
    }
  }
  ck_assert_double_eq_tol(t - last, 0.5 * exact, 2e-3);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- contacts ---- */

START_TEST(penetration_is_removed)
{
  model m;
  make_block(&m, 3.0, -19.62, 0.3);
  m.contact[0].bend = 0.3;
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.05}, (double[]){0.0, 0.0});
  for (int k = 0; k < 400; k++) {
    run(s, 1e-3, 1);
    REQUIRE(model_gap(&m.contact[0], 2, 0.0, nsdyn_stepper_q(s)) >= -1e-15, "step %d: the gap is %g", k,
            model_gap(&m.contact[0], 2, 0.0, nsdyn_stepper_q(s)));
  }
  /* It has come to rest, and neither creeps nor hops. */
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  const double x = nsdyn_stepper_q(s)[0];
  for (int k = 0; k < 1000; k++) {
    run(s, 1e-3, 1);
    REQUIRE(state_of(s, 0).mode == NSDYN_MODE_STICK, "step %d: mode %d", k, state_of(s, 0).mode);
    REQUIRE(fabs(nsdyn_stepper_q(s)[1]) <= 1e-14 && fabs(nsdyn_stepper_q(s)[0] - x) <= 1e-13,
            "step %d: y is %g, x has moved by %g", k, nsdyn_stepper_q(s)[1], nsdyn_stepper_q(s)[0] - x);
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* A ball still bounces: what is lifted out of the floor keeps its velocity. */
START_TEST(projection_leaves_restitution_alone)
{
  model m;
  model_clear(&m, 1);
  m.f[0] = -10.0;
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.2}, (double[]){0.0}); /* hits with 2 m/s */
  double most = 0.0;
  for (int k = 0; k < 300; k++) {
    run(s, 1e-3, 1);
    most = fmax(most, nsdyn_stepper_u(s)[0]);
    REQUIRE(nsdyn_stepper_q(s)[0] >= -1e-15, "step %d: %g", k, nsdyn_stepper_q(s)[0]);
  }
  ck_assert_double_eq_tol(most, 1.0, 0.02);
  nsdyn_stepper_free(s);
}
END_TEST

/* The potential energy that lifting a weight takes is reported. */
START_TEST(its_work_is_reported)
{
  model m;
  make_block(&m, 0.0, -19.62, 0.0);
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, -0.25}, (double[]){0.0, 0.0});
  run(s, 1e-3, 1);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-12);
  ck_assert_double_eq_tol(energy_of(s).projection, -19.62 * 0.25, 1e-11);
  run(s, 1e-3, 1);
  ck_assert_double_eq(energy_of(s).projection, 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

/* Random systems: no gap below zero, constraints hold, and the balance of energy is exact all the same. The
 * first step begins far inside of what it must not, where Newton's method may not get there at once. */
START_TEST(random_systems_are_projected)
{
  const int cases = random_cases(300);
  int projected = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 3 + random_below(&random, 5), constraints = random_below(&random, 2);
    model m;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = 1;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, random_below(&random, 2), random_below(&random, 2),
                                      constraints, &options);
    for (int k = 0; k < 10; k++) {
      run(s, 1e-2, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s), t = nsdyn_stepper_time(s);
      for (int i = 0; i < m.contacts; i++) {
        const double gap = model_gap(&m.contact[i], nu, t, q);
        REQUIRE(k == 0 || gap >= -1e-12, "seed %d: step %d leaves a gap of %g", seed, k, gap);
      }
      for (int i = 0; i < constraints; i++) {
        double w[MODEL_MOST], gamma = m.constraint[i].rate;
        const double gap = model_gap(&m.constraint[i], nu, t, q);
        model_direction(&m.constraint[i], nu, q, w);
        for (int j = 0; j < nu; j++) {
          gamma += w[j] * u[j];
        }
        REQUIRE(k == 0 || fabs(gap) <= 1e-12, "seed %d: step %d leaves a constraint at %g", seed, k, gap);
        REQUIRE(fabs(gamma) <= 1e-9, "seed %d: step %d leaves it at %g", seed, k, gamma);
      }
      const nsdyn_step_energy e = energy_of(s);
      const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
      const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                           fabs(e.constraint) + fabs(e.inertia);
      REQUIRE(fabs(e.after - e.before - sum) <= 1e-11 * scale, "seed %d: step %d: %g is not %g", seed, k,
              e.after - e.before, sum);
      projected += e.projection != 0.0;
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_gt(projected, cases);
}
END_TEST

/* Contacts that nothing can lift, pressed from both sides: the step fails, and says why. */
START_TEST(what_cannot_be_projected_fails)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, -1.0, 0, -1, 0.0, 0.0);
  model_add_contact(&m, -1.0, 0, -1, 0.0, 0.0)->n[0] = -1.0;
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0}, (double[]){0.0});
  const nsdyn_status status = nsdyn_stepper_step(s, 0.1);
  ck_assert_msg(status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED, "%d", status);
  ck_assert_msg(strncmp(nsdyn_stepper_message(s), "projection: ", 12) == 0, "%s", nsdyn_stepper_message(s));
  ck_assert(nsdyn_stepper_time(s) == 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(failing_callbacks_leave_the_state)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  static const int callbacks[] = {MODEL_CONFIGURE, MODEL_MASS, MODEL_GAP, MODEL_DIRECTION, MODEL_CONSTRAINT};
  for (size_t i = 0; i < sizeof callbacks / sizeof *callbacks; i++) {
    random_state random = random_seed(3);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, 6, 2, 0, 1, &options);
    m.contact[0].g0 = m.contact[1].g0 = -1.0;
    run(s, 1e-3, 1);
    const double before = nsdyn_stepper_q(s)[0];
    m.fails = callbacks[i];
    for (int code = -1; code <= 1; code++) {
      m.code = code;
      m.value = NAN;
      if (code == 0 && callbacks[i] == MODEL_CONFIGURE) {
        continue; /* it writes nothing */
      }
      ck_assert_int_ne(nsdyn_stepper_step(s, 1e-3), NSDYN_OK);
      ck_assert(nsdyn_stepper_q(s)[0] == before && nsdyn_stepper_time(s) == 1e-3);
    }
    m.fails = MODEL_NONE;
    run(s, 1e-3, 1);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* With a constant mass matrix and constant directions, of which one factor and one evaluation serve all. */
START_TEST(constants_serve_the_projection_too)
{
  model m;
  make_block(&m, 3.0, -19.62, 0.3);
  nsdyn_stepper_options options = stepper_unchecked();
  options.project = 1;
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, &options);
  set_state(s, (double[]){0.0, -0.01}, (double[]){0.0, -1.0});
  run(s, 1e-3, 5);
  ck_assert(m.calls[MODEL_MASS] == 1 && m.calls[MODEL_DIRECTION] == 1);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-14);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- a chain of light links with a heavy ball at its end ---- */

enum { LINKS = 16 };

static double mass_of(int i)
{
  return i == LINKS - 1 ? 1e3 : 1e-3;
}

static int chain_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 2 * LINKS; i++) {
    M[i * 2 * LINKS + i] = mass_of(i / 2);
  }
  return 0;
}

static int chain_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < LINKS; i++) {
    h[2 * i + 1] = -9.81 * mass_of(i);
  }
  return 0;
}

static double link_error(const double *q, int i, double *dx, double *dy)
{
  *dx = q[2 * i] - (i ? q[2 * i - 2] : 0.0);
  *dy = q[2 * i + 1] - (i ? q[2 * i - 1] : 0.0);
  return hypot(*dx, *dy) - 1.0;
}

static int chain_links(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  for (int i = 0; i < LINKS; i++) {
    double dx, dy, *w = W_b + (size_t)i * 2 * LINKS;
    g_b[i] = link_error(q, i, &dx, &dy);
    w[2 * i] = dx / (1.0 + g_b[i]);
    w[2 * i + 1] = dy / (1.0 + g_b[i]);
    if (i) {
      w[2 * i - 2] = -w[2 * i];
      w[2 * i - 1] = -w[2 * i + 1];
    }
    w_hat_b[i] = 0.0;
  }
  return 0;
}

/* The links whirl, so that each step leaves them far from where they have to be: that takes Newton's method
 * more than a few rounds. */
START_TEST(heavy_and_light_keep_together)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2 * LINKS;
  def.nconstraints = LINKS;
  def.flags = NSDYN_CONSTANT_MASS;
  def.mass = chain_mass;
  def.force = chain_force;
  def.constraint = chain_links;
  nsdyn_stepper_options options = stepper_defaults();
  options.project = 1;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  double q[2 * LINKS] = {0.0}, u[2 * LINKS] = {0.0}, dx, dy;
  for (int i = 0; i < LINKS; i++) {
    q[2 * i] = i + 1.0;
  }
  set_state(s, q, u);
  for (int k = 0; k < 1500; k++) {
    run(s, 1e-3, 1);
    for (int i = 0; i < LINKS; i++) {
      const double off = link_error(nsdyn_stepper_q(s), i, &dx, &dy);
      REQUIRE(fabs(off) <= 1e-11, "step %d: link %d is off by %g", k, i, off);
    }
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- what is no number within the projection ---- */

static int calls_left; /* until the one that writes `written` */
static double written;

static int pendulum_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t, (void)q;
  qdot[0] = u[0];
  qdot[1] = --calls_left == 0 ? written : u[1];
  return 0;
}

static int pendulum_solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 2 * nrhs; i++) {
    X[i] *= 0.5;
  }
  if (--calls_left == 0) {
    X[0] = written;
  }
  return 0;
}

/* Whichever call it was, its callback is named, and the state stays. */
START_TEST(what_is_no_number_is_named)
{
  for (int k = 0; k < 2 * 2 * 12; k++) {
    const int is_kinematics = k % 2;
    written = k / 2 % 2 ? NAN : INFINITY;
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_stepper *s;
    nsdyn_stepper_options options = stepper_defaults();
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.nconstraints = 1;
    def.force = pendulum_force;
    def.constraint = rod;
    if (is_kinematics) {
      def.mass = pendulum_mass;
      def.kinematics = pendulum_kinematics;
    } else {
      def.solve_mass = pendulum_solve_mass;
    }
    options.project = 1;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    set_state(s, (double[]){1.0, 0.0}, (double[]){0.0, 0.5});
    calls_left = 1 + k / 4;
    nsdyn_status status = NSDYN_OK;
    double t = 0.0, y = 0.0;
    for (int step = 0; status == NSDYN_OK && step < 20; step++) {
      t = nsdyn_stepper_time(s);
      y = nsdyn_stepper_q(s)[1];
      status = nsdyn_stepper_step(s, 1e-3);
    }
    const char *name = is_kinematics ? "callback kinematics" : "callback solve_mass";
    REQUIRE(status == NSDYN_ERR_NOT_FINITE && strstr(nsdyn_stepper_message(s), name), "case %d: %d, %s", k,
            status, nsdyn_stepper_message(s));
    ck_assert(nsdyn_stepper_time(s) == t && nsdyn_stepper_q(s)[1] == y);
    run(s, 1e-3, 10);
    ck_assert(length_error(s) <= 1e-13);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- joints that are given twice ---- */

/* A Scotch yoke (φ, x): φ = Ω t is driven, x = R cos φ, and x = R cos Ω t once more. */
typedef struct yoke {
  double J, m, R, Omega, begin;
} yoke;

static int yoke_mass(void *user, double t, const double *q, double *M)
{
  const yoke *y = user;
  (void)t, (void)q;
  M[0] = y->J;
  M[3] = y->m;
  return 0;
}

static int yoke_joints(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const yoke *y = user;
  const double phi = y->Omega * (t - y->begin);
  g_b[0] = q[0] - phi;
  W_b[0] = 1.0;
  w_hat_b[0] = -y->Omega;
  g_b[1] = q[1] - y->R * cos(q[0]);
  W_b[2] = y->R * sin(q[0]);
  W_b[3] = 1.0;
  g_b[2] = q[1] - y->R * cos(phi);
  W_b[5] = 1.0;
  w_hat_b[2] = y->R * y->Omega * sin(phi);
  return 0;
}

START_TEST(joints_given_twice_are_projected)
{
  const double lengths[] = {1.0, 1e6, 1e-3}, begins[] = {0.0, 1000.0, 1e6};
  for (int k = 0; k < 45; k++) {
    const double length = lengths[k % 3], m = k % 2 ? 1.0 : 3e-4;
    yoke y = {.J = 0.05 * m * length * length,
              .m = m,
              .R = 0.3 * length,
              .Omega = k % 4 < 2 ? 40.0 : -9.0,
              .begin = begins[k / 3 % 3]};
    nsdyn_system_def def;
    nsdyn_stepper_options options = stepper_defaults();
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.nconstraints = 3;
    def.user = &y;
    def.mass = yoke_mass;
    def.constraint = yoke_joints;
    options.project = 1;
    options.scheme = k % 5;
    nsdyn_stepper *s = stepper_for(&def, NULL, &options);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, y.begin, (double[]){0.0, y.R}, (double[]){y.Omega, 0.0}),
                     NSDYN_OK);
    const double dt = 0.006 / fabs(y.Omega);
    const int steps = is_quick() ? 600 : 2500;
    for (int step = 0; step < steps; step++) { /* over dead centres, where the joints' forces vanish */
      const nsdyn_status status = nsdyn_stepper_step(s, dt);
      REQUIRE(status == NSDYN_OK, "case %d, step %d: %s", k, step, nsdyn_stepper_message(s));
      const double phi = y.Omega * (nsdyn_stepper_time(s) - y.begin), x = nsdyn_stepper_q(s)[1];
      REQUIRE(fabs(x - y.R * cos(phi)) <= 1e-9 * y.R, "case %d, step %d: x misses by %g of R", k, step,
              fabs(x / y.R - cos(phi)));
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- what presses on a lift ---- */

static int lift_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int lift_load(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q, (void)u;
  h[0] = -*(const double *)user;
  return 0;
}

/* The floor stands at sin t + ⅕ sin 2t. */
static int lift_gap(void *user, double t, const double *q, double *g)
{
  (void)user;
  g[0] = q[0] - sin(t) - 0.2 * sin(2.0 * t);
  return 0;
}

static int lift_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = -cos(t) - 0.4 * cos(2.0 * t);
  return 0;
}

/* Where the floor's acceleration changes its sign, it begins to fall away from what it carries. */
START_TEST(what_a_lift_carries_presses_in_every_step_of_every_scheme)
{
  for (int k = 0; k < 60; k++) {
    double load = 1.6 / (0.2 + 0.6 * (k / 5 % 4) / 3.0);
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &load;
    def.mass = lift_mass;
    def.force = lift_load;
    def.gap = lift_gap;
    def.direction = lift_direction;
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = k % 5;
    options.project = 1;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    const double begin = 0.3 * floor(k / 20.0), dt = k % 2 ? 1e-2 : 2e-3;
    const double y = sin(begin) + 0.2 * sin(2.0 * begin), v = cos(begin) + 0.4 * cos(2.0 * begin);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, begin, &y, &v), NSDYN_OK);
    while (nsdyn_stepper_time(s) < begin + 13.0) {
      const nsdyn_status status = nsdyn_stepper_step(s, dt);
      REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_stepper_message(s));
      nsdyn_contact_state contact = {.size = sizeof contact};
      ck_assert_int_eq(nsdyn_stepper_contact(s, 0, &contact), NSDYN_OK);
      REQUIRE(contact.impulse[0] > 0.0, "case %d: nothing presses at t = %g", k, nsdyn_stepper_time(s));
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/drift/projection", TEST(a_pendulum_keeps_its_length),
      TEST(its_period_is_the_elliptic_integral), TEST(penetration_is_removed),
      TEST(projection_leaves_restitution_alone), TEST(its_work_is_reported),
      TEST(random_systems_are_projected), TEST(what_cannot_be_projected_fails),
      TEST(failing_callbacks_leave_the_state), TEST(constants_serve_the_projection_too),
      TEST(heavy_and_light_keep_together), TEST(joints_given_twice_are_projected),
      TEST(what_is_no_number_is_named), TEST(what_a_lift_carries_presses_in_every_step_of_every_scheme))
