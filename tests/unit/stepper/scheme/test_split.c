/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The option `project` as NSDYN_PROJECT_SPLIT: what holds at the end of each step, of positions and of
 * velocities, by every scheme. */
#include "stepper/scheme/split.h"

#include <math.h>

#include "stepper/scheme/scheme.h"
#include "stepping.h"

enum { SCHEMES = 6 };

static const double gravity = 9.81;

static nsdyn_stepper_options split_by(int32_t scheme)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.project = NSDYN_PROJECT_SPLIT;
  return options;
}

static int is_second_order(int32_t scheme)
{
  return scheme == NSDYN_SCHEME_MOREAU || scheme == NSDYN_SCHEME_MOREAU_JEAN ||
         scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
}

/* ---- a pendulum, q = (x, y), on a rod of length 1 ---- */

typedef struct pendulum {
  int rods; /* that all say the same */
} pendulum;

static int pendulum_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

static int pendulum_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0 * gravity;
  return 0;
}

static int pendulum_rod(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const pendulum *p = user;
  (void)t;
  for (int i = 0; i < p->rods; i++) {
    const double unit = i + 1; /* the same in other units */
    g_b[i] = 0.5 * unit * (q[0] * q[0] + q[1] * q[1] - 1.0);
    W_b[2 * i] = unit * q[0];
    W_b[2 * i + 1] = unit * q[1];
    w_hat_b[i] = 0.0;
  }
  return 0;
}

/* From the horizontal, at rest: energy 0. */
static nsdyn_stepper *pendulum_of(pendulum *p, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 2;
  def.nconstraints = p->rods;
  def.user = p;
  def.mass = pendulum_mass;
  def.force = pendulum_force;
  def.constraint = pendulum_rod;
  nsdyn_stepper *s = stepper_for(&def, &law, options);
  set_state(s, (double[]){1.0, 0.0}, (double[]){0.0, 0.0});
  return s;
}

/* Energy by mass, after what holds of both levels was asked. */
static double pendulum_energy(const nsdyn_stepper *s)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
  REQUIRE(fabs(hypot(q[0], q[1]) - 1.0) <= 1e-13, "t %g: the rod is off by %g", nsdyn_stepper_time(s),
          hypot(q[0], q[1]) - 1.0);
  REQUIRE(fabs(q[0] * u[0] + q[1] * u[1]) <= 1e-13, "t %g: it grows by %g", nsdyn_stepper_time(s),
          q[0] * u[0] + q[1] * u[1]);
  return 0.5 * (u[0] * u[0] + u[1] * u[1]) + gravity * q[1];
}

/* Over a hundred swings the energy comes back to what it was: it neither grows nor goes. */
START_TEST(a_pendulum_keeps_its_length_and_its_energy)
{
  const double dt = 1e-2;
  const int steps = is_brief() ? 2000 : 10000;
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum p = {.rods = 1};
    nsdyn_stepper_options options = split_by(scheme);
    options.spectral_radius = 1.0;
    nsdyn_stepper *s = pendulum_of(&p, &options);
    const double most = is_second_order(scheme) ? gravity * gravity * dt * dt : 3.0 * gravity * dt;
    for (int k = 0; k < steps; k++) {
      run(s, dt, 1);
      const double energy = pendulum_energy(s);
      REQUIRE(fabs(energy) <= most, "scheme %d, step %d: the energy is %g", scheme, k, energy);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Of the angle from the horizontal, φ̈ = g cos φ, at that time, by the rule of Runge and Kutta. */
static double exact_angle(double t)
{
  const int steps = 20000;
  const double h = t / steps;
  double phi = 0.0, omega = 0.0;
  for (int k = 0; k < steps; k++) {
    const double a1 = gravity * cos(phi), p2 = phi + 0.5 * h * omega, o2 = omega + 0.5 * h * a1;
    const double a2 = gravity * cos(p2), p3 = phi + 0.5 * h * o2, o3 = omega + 0.5 * h * a2;
    const double a3 = gravity * cos(p3), p4 = phi + h * o3, o4 = omega + h * a3, a4 = gravity * cos(p4);
    phi += h / 6.0 * (omega + 2.0 * o2 + 2.0 * o3 + o4);
    omega += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return phi;
}

static double angle_error(int32_t scheme, double t, int steps)
{
  pendulum p = {.rods = 1};
  const nsdyn_stepper_options options = split_by(scheme);
  nsdyn_stepper *s = pendulum_of(&p, &options);
  run(s, t / steps, steps);
  const double phi = atan2(-nsdyn_stepper_q(s)[1], nsdyn_stepper_q(s)[0]);
  nsdyn_stepper_free(s);
  return fabs(phi - exact_angle(t));
}

START_TEST(every_scheme_keeps_its_order)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    const double coarse = angle_error(scheme, 0.7, 140), fine = angle_error(scheme, 0.7, 560);
    const double order = 0.5 * log2(coarse / fine), least = is_second_order(scheme) ? 1.9 : 0.9;
    REQUIRE(order >= least, "scheme %d: %g, then %g: order %g", scheme, coarse, fine, order);
  }
}
END_TEST

static double impulse_of(const nsdyn_stepper *s)
{
  nsdyn_constraint_state state;
  nsdyn_constraint_state_init(&state, sizeof state);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, &state), NSDYN_OK);
  return state.impulse;
}

/* The impulse is all of the rod's force: m (g sin φ + ω²), 3 m g at the bottom. */
START_TEST(impulses_are_all_of_the_force)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum p = {.rods = 1};
    const nsdyn_stepper_options options = split_by(scheme);
    nsdyn_stepper *s = pendulum_of(&p, &options);
    const double dt = 1e-3;
    for (int k = 0; k < 700; k++) {
      run(s, dt, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
      const double force = 2.0 * (-gravity * q[1] + u[0] * u[0] + u[1] * u[1]);
      const double impulse = -impulse_of(s);
      REQUIRE(fabs(impulse - force * dt) <= 100.0 * dt * dt, "scheme %d, step %d: %g is not %g", scheme, k,
              impulse / dt, force);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Three rods that say the same, in three units, move it as one does. */
START_TEST(redundant_rods_are_one)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum one = {.rods = 1}, three = {.rods = 3};
    const nsdyn_stepper_options options = split_by(scheme);
    nsdyn_stepper *s = pendulum_of(&one, &options), *r = pendulum_of(&three, &options);
    for (int k = 0; k < 500; k++) {
      run(s, 5e-3, 1);
      run(r, 5e-3, 1);
      (void)pendulum_energy(r);
      for (int j = 0; j < 2; j++) {
        REQUIRE(fabs(nsdyn_stepper_q(s)[j] - nsdyn_stepper_q(r)[j]) <= 1e-9,
                "scheme %d, step %d: %g is not %g", scheme, k, nsdyn_stepper_q(r)[j], nsdyn_stepper_q(s)[j]);
      }
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(r);
  }
}
END_TEST

/* ---- contacts that close ---- */

static nsdyn_stepper *ball(model *m, double eps, const nsdyn_stepper_options *options)
{
  model_clear(m, 1);
  m->f[0] = -gravity;
  model_add_contact(m, 0.0, 0, -1, 0.0, eps);
  return stepper_of(m, 0, 0, options);
}

/* A ball that loses nothing: as high after a hundred bounces as from the first, wherever in a step they are.
 * (What a projection lifts that goes on falling has gained that.) */
START_TEST(bounces_gain_nothing)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 20; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = split_by(scheme);
      nsdyn_stepper *s = ball(&m, 1.0, &options);
      const double height = random_between(&random, 0.5, 1.5), dt = random_between(&random, 2e-3, 1e-2);
      const double speed = sqrt(2.0 * gravity * height);
      set_state(s, &height, (double[]){0.0});
      for (int k = 0; k < 10000; k++) {
        run(s, dt, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
        REQUIRE(q >= -1e-14, "scheme %d, seed %d, step %d: %g deep", scheme, seed, k, -q);
        /* Midpoints keep ½ u² + g q; where contacts are taken at the beginning it is ½ u² + g q − ½ g u Δt.
         * A collision in the midst of a step swallows at most what a step's force does. */
        REQUIRE(0.5 * u * u + gravity * q <= gravity * height + 2.0 * gravity * speed * dt,
                "scheme %d, seed %d, step %d: %g of %g", scheme, seed, k, 0.5 * u * u + gravity * q,
                gravity * height);
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Where nothing is given back the ball ends the step in which it lands on the floor, at rest, and stays. */
START_TEST(what_lands_lies_on_the_floor)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 50; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = split_by(scheme);
      nsdyn_stepper *s = ball(&m, 0.0, &options);
      const double height = random_between(&random, 0.5, 1.5);
      int landed = 0;
      set_state(s, &height, (double[]){0.0});
      for (int k = 0; k < 100; k++) {
        run(s, 1e-2, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
        REQUIRE(q >= -1e-14, "scheme %d, seed %d, step %d: %g deep", scheme, seed, k, -q);
        landed |= q <= 1e-12;
        REQUIRE(!landed || (q <= 1e-12 && fabs(u) <= 1e-12), "scheme %d, seed %d, step %d: at %g with %g",
                scheme, seed, k, q, u);
      }
      ck_assert(landed);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* ---- random systems ---- */

static double speed_of(const model_contact *c, int nu, const double *q, const double *u)
{
  double w[MODEL_MOST], gamma = c->rate;
  model_direction(c, nu, q, w);
  for (int j = 0; j < nu; j++) {
    gamma += w[j] * u[j];
  }
  return gamma;
}

static void both_levels_hold(const model *m, const nsdyn_stepper *s, int seed, int k, int *touching)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s), t = nsdyn_stepper_time(s);
  for (int i = 0; i < m->contacts; i++) {
    const double gap = model_gap(&m->contact[i], m->nu, t, q), gamma = speed_of(&m->contact[i], m->nu, q, u);
    REQUIRE(gap >= -1e-12, "seed %d: step %d leaves a gap of %g", seed, k, gap);
    if (gap <= 1e-12) {
      ++*touching;
      REQUIRE(gamma >= -1e-9, "seed %d: step %d leaves contact %d on the surface with %g", seed, k, i, gamma);
    }
  }
  for (int i = 0; i < m->constraints; i++) {
    const double gap = model_gap(&m->constraint[i], m->nu, t, q);
    const double gamma = speed_of(&m->constraint[i], m->nu, q, u);
    REQUIRE(fabs(gap) <= 1e-12, "seed %d: step %d leaves a constraint at %g", seed, k, gap);
    REQUIRE(fabs(gamma) <= 1e-9, "seed %d: step %d leaves it at %g", seed, k, gamma);
  }
}

static void balance_closes(nsdyn_stepper *s, int seed, int k)
{
  const nsdyn_step_energy e = energy_of(s);
  const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
  const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                       fabs(e.constraint) + fabs(e.inertia);
  REQUIRE(fabs(e.after - e.before - sum) <= 1e-11 * scale, "seed %d: step %d: %g is not %g", seed, k,
          e.after - e.before, sum);
}

START_TEST(random_systems_hold_both_levels)
{
  const int cases = random_cases(1000);
  int touching = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 3 + random_below(&random, 5), constraints = random_below(&random, 2);
    nsdyn_stepper_options options = split_by(seed % SCHEMES);
    options.clip = 1; /* Newton's law pulls back what leaves, else */
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, random_below(&random, 2), random_below(&random, 2),
                                      constraints, &options);
    for (int k = 0; k < 10; k++) {
      run(s, 1e-2, 1);
      if (k > 0) { /* the first begins far inside of what it must not */
        both_levels_hold(&m, s, seed, k, &touching);
      }
      balance_closes(s, seed, k);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert(is_common(touching, cases, 4));
}
END_TEST

SUITE("stepper/scheme/split", TEST(a_pendulum_keeps_its_length_and_its_energy),
      TEST(every_scheme_keeps_its_order), TEST(impulses_are_all_of_the_force), TEST(redundant_rods_are_one),
      TEST(bounces_gain_nothing), TEST(what_lands_lies_on_the_floor), TEST(random_systems_hold_both_levels))
