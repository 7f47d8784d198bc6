/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "beads.h"
#include "stepper/object.h"

static nsdyn_stepper_options alpha(double rho)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_GENERALIZED_ALPHA;
  options.spectral_radius = rho;
  return options;
}

static const double radii[] = {0.0, 0.3, 0.8, 1.0};
enum { RADII = sizeof radii / sizeof *radii };

/* ---- order ---- */

/* m q̈ + d q̇ + k q = f, from q = 1, until t = 1. */
static double damped_error(const nsdyn_stepper_options *options, int steps)
{
  model m;
  model_clear(&m, 1);
  m.K[0] = 4.0;
  m.D[0] = 0.8;
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, options);
  set_state(s, (double[]){1.0}, (double[]){0.0});
  run(s, 1.0 / steps, steps);
  const double w = sqrt(4.0 - 0.16), q = exp(-0.4) * (cos(w) + 0.4 / w * sin(w)),
               u = -exp(-0.4) * 4.0 / w * sin(w);
  const double error = hypot(nsdyn_stepper_q(s)[0] - q, nsdyn_stepper_u(s)[0] - u);
  nsdyn_stepper_free(s);
  return error;
}

/* (1 + q²) u̇ = 1, so that ½ u² − atan q = ½. */
static double varying_error(const nsdyn_stepper_options *options, int steps)
{
  model m;
  model_clear(&m, 1);
  m.M1[0] = m.s[0] = m.f[0] = 1.0;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, options);
  set_state(s, (double[]){0.0}, (double[]){1.0});
  run(s, 1.0 / steps, steps);
  const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
  nsdyn_stepper_free(s);
  return fabs(0.5 * u * u - 0.5 - atan(q));
}

/* A block on a belt of 2 m/s, on a spring, slides behind it all the time: ẍ = −ω² x + μ g. */
static double belt_error(const nsdyn_stepper_options *options, int steps)
{
  const double mu = 0.3, g = 9.81, omega = 2.0, V = 2.0, middle = mu * g / (omega * omega);
  model m;
  model_clear(&m, 2);
  m.K[0] = omega * omega;
  m.f[1] = -g;
  model_contact *c = model_add_contact(&m, 0.0, 1, 0, mu, 0.0);
  c->belt = -V;
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, options);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
  run(s, 1.0 / steps, steps);
  const double error = hypot(nsdyn_stepper_q(s)[0] - middle * (1.0 - cos(omega)),
                             nsdyn_stepper_u(s)[0] - middle * omega * sin(omega));
  ck_assert_int_ne(state_of(s, 0).mode, NSDYN_MODE_STICK);
  nsdyn_stepper_free(s);
  return error;
}

START_TEST(free_damped_and_sliding_motion_is_of_second_order)
{
  for (int k = 0; k < 2 * RADII; k++) {
    nsdyn_stepper_options options = alpha(radii[k % RADII]);
    options.implicit_rounds = k < RADII ? 30 : 0;
    const double damped = damped_error(&options, 200) / damped_error(&options, 400),
                 varying = varying_error(&options, 50) / varying_error(&options, 100),
                 belt = belt_error(&options, 200) / belt_error(&options, 400);
    REQUIRE(fabs(damped - 4.0) <= 0.2 && fabs(varying - 4.0) <= 0.3 && fabs(belt - 4.0) <= 0.2,
            "rho %g, rounds %d: %g %g %g", radii[k % RADII], (int)options.implicit_rounds, damped, varying,
            belt);
  }
}
END_TEST

/* On the parabola, by a constraint, in a slot and pressed onto it: second order in place and velocity, no
 * drift on either level, and slopes told or differenced are the same. */
START_TEST(held_motion_is_of_second_order_and_does_not_drift)
{
  for (int k = 0; k < HOLDS * RADII * 2 * 2; k++) {
    bead b = {.hold = (enum hold)(k % HOLDS),
              .drag = k / HOLDS / RADII % 2 ? 3.0 : 0.0,
              .is_told = k / HOLDS / RADII / 2};
    const nsdyn_stepper_options options = alpha(radii[k / HOLDS % RADII]);
    double error[2][2], drift[2];
    bead_errors(&b, &options, 200, error[0], drift);
    bead_errors(&b, &options, 400, error[1], drift);
    REQUIRE(error[1][0] <= 0.3 * error[0][0] && error[1][1] <= 0.3 * error[0][1],
            "case %d: x %g to %g, v %g to %g", k, error[0][0], error[1][0], error[0][1], error[1][1]);
    REQUIRE(drift[0] <= 1e-13, "case %d: %g off its path", k, drift[0]);
    REQUIRE(drift[1] <= (b.hold == PRESSED ? 1e-5 : 1e-13), "case %d: leaves it with %g", k, drift[1]);
  }
}
END_TEST

/* ---- stiff forces ---- */

/* ẍ = −ω² x with ω Δt = 10⁶: each step leaves ρ of it, and changes its sign. */
START_TEST(what_steps_do_not_resolve_shrinks_by_the_spectral_radius)
{
  const double wanted[] = {0.3, 0.5, 0.8, 0.95};
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
    const nsdyn_stepper_options options = alpha(wanted[k]);
    const double dt = 1e-2, omega = 1e8;
    model m;
    model_clear(&m, 1);
    m.K[0] = omega * omega;
    nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
    set_state(s, (double[]){1.0}, (double[]){0.0});
    run(s, dt, 20);
    /* Three roots of size ρ, two of them a pair: the size of what is left falls as n² ρⁿ at most. */
    double first = 0.0, last = 0.0;
    for (int n = 0; n < 4; n++) {
      run(s, dt, 1);
      first = fmax(fabs(nsdyn_stepper_q(s)[0]), first);
    }
    run(s, dt, 36);
    for (int n = 0; n < 4; n++) {
      run(s, dt, 1);
      last = fmax(fabs(nsdyn_stepper_q(s)[0]), last);
    }
    const double factor = pow(last / first, 1.0 / 40.0);
    REQUIRE(fabs(factor - wanted[k]) <= 0.08 * wanted[k] + 0.02, "rho %g: %g", wanted[k], factor);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A stiff spring within a slow oscillator, ω Δt = 10². */
START_TEST(stiff_forces_bound_no_step)
{
  const double stiff = 1e8, soft = 1.0, dt = 1e-2;
  for (int k = 0; k < RADII; k++) {
    const nsdyn_stepper_options options = alpha(radii[k]);
    model m;
    model_clear(&m, 2);
    m.K[0] = stiff + soft;
    m.K[1] = m.K[2] = -stiff;
    m.K[3] = stiff;
    nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
    set_state(s, (double[]){1.0, 1.0}, (double[]){0.0, 0.0});
    run(s, dt, 300);
    const double mean = 0.5 * (nsdyn_stepper_q(s)[0] + nsdyn_stepper_q(s)[1]);
    ck_assert_double_eq_tol(mean, cos(3.0 * sqrt(0.5)), 2e-4);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- energy ---- */

/* ρ = 1 keeps ½ uᵀM u + ½ qᵀK q to rounding, however long the step is; less loses of it over any while. */
START_TEST(quadratic_energies_are_kept_or_lost)
{
  for (double dt = 1e-3; dt < 1e3; dt *= 10.0) {
    for (int k = 0; k < RADII; k++) {
      const nsdyn_stepper_options options = alpha(radii[k]);
      model m;
      model_clear(&m, 1);
      m.K[0] = 100.0;
      nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
      double q = 1.0, u = 0.5;
      const double first = 0.5 * u * u + 50.0 * q * q;
      set_state(s, &q, &u);
      run(s, dt, 200);
      const double q_E = nsdyn_stepper_q(s)[0], u_E = nsdyn_stepper_u(s)[0];
      const double after = 0.5 * u_E * u_E + 50.0 * q_E * q_E;
      REQUIRE(radii[k] == 1.0 ? fabs(after - first) <= 1e-10 * first : after < first,
              "rho %g, dt %g: %g of %g", radii[k], dt, after, first);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* ---- what steps hand on ---- */

static nsdyn_stepper *random_one(model *m, uint64_t seed, const nsdyn_stepper_options *options)
{
  random_state random = random_seed(seed);
  return random_stepper(m, &random, 2 + (int)(seed % 5), (int)(seed % 2), 1 - (int)(seed % 2), 0, options);
}

static void expect_same_state(const nsdyn_stepper *a, const nsdyn_stepper *b, int nu, int seed)
{
  const size_t bytes = (size_t)nu * sizeof(double);
  REQUIRE(memcmp(nsdyn_stepper_q(a), nsdyn_stepper_q(b), bytes) == 0 &&
              memcmp(nsdyn_stepper_u(a), nsdyn_stepper_u(b), bytes) == 0,
          "seed %d: other bits", seed);
}

/* The algorithmic force is part of the saved state, and a state that is set has none. */
START_TEST(restored_runs_go_on_with_the_same_bits)
{
  static unsigned char bytes[1 << 16];
  const int cases = random_cases(60);
  int changed = 0;
  for (int seed = 0; seed < cases; seed++) {
    const nsdyn_stepper_options options = alpha(0.5);
    model m[3];
    nsdyn_stepper *s[3];
    for (int i = 0; i < 3; i++) {
      s[i] = random_one(&m[i], (uint64_t)seed, &options);
    }
    run(s[0], 1e-2, 7);
    const size_t size = nsdyn_stepper_save(s[0], bytes, sizeof bytes);
    ck_assert(size > 0 && size <= sizeof bytes);
    ck_assert_int_eq(nsdyn_stepper_restore(s[1], bytes, size), NSDYN_OK);
    ck_assert_int_eq(
        nsdyn_stepper_set_state(s[2], nsdyn_stepper_time(s[0]), nsdyn_stepper_q(s[0]), nsdyn_stepper_u(s[0])),
        NSDYN_OK);
    for (int k = 0; k < 10; k++) {
      run(s[0], 1e-2, 1);
      run(s[1], 1e-2, 1);
      expect_same_state(s[0], s[1], m[0].nu, seed);
    }
    changed += nsdyn_stepper_step(s[2], 1e-2) != NSDYN_OK ||
               memcmp(nsdyn_stepper_q(s[0]), nsdyn_stepper_q(s[2]), sizeof(double)) != 0;
    for (int i = 0; i < 3; i++) {
      nsdyn_stepper_free(s[i]);
    }
  }
  REQUIRE(is_common(changed, cases, 2), "the algorithmic force does nothing: %d of %d", changed, cases);
}
END_TEST

/* Steps that follow the motion: what was rejected leaves no trace, so that the steps which were kept, taken
 * as they are, have the same bits. */
enum { MOST_KEPT = 4096 };

typedef struct kept {
  double dt[MOST_KEPT];
  int64_t steps[MOST_KEPT]; /* by then: the step that is kept has one part, or two halves */
  int count;
} kept;

static int remember(void *user, const nsdyn_stepper *s)
{
  kept *k = user;
  k->dt[k->count] = s->dt;
  k->steps[k->count++] = s->steps;
  return k->count == MOST_KEPT;
}

START_TEST(rejected_steps_leave_no_trace)
{
  const int cases = random_cases(60);
  int rejected = 0;
  for (int seed = 0; seed < cases; seed++) {
    static kept k;
    k.count = 0;
    nsdyn_stepper_options options = alpha(0.8);
    model m[2];
    nsdyn_stepper *plain = random_one(&m[0], (uint64_t)seed, &options);
    options.dt = 1e-2;
    options.advance_tol = 1e-6;
    options.shortest = 0x1p-6;
    nsdyn_stepper *s = random_one(&m[1], (uint64_t)seed, &options);
    for (int i = 0; i < 2; i++) { /* nothing asks for the time, which is rounded in other places */
      for (int j = 0; j < m[i].contacts; j++) {
        m[i].contact[j].rate = 0.0;
      }
    }
    options.observe = remember;
    options.user = &k;
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_advance(s, 0.1), NSDYN_OK);
    nsdyn_advance_report report;
    nsdyn_advance_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_stepper_advance_report(s, &report), NSDYN_OK);
    rejected += report.rejected > 0;
    for (int n = 0; n < k.count; n++) {
      run(plain, k.dt[n], (int)(k.steps[n] - (n > 0 ? k.steps[n - 1] : 0)));
    }
    expect_same_state(s, plain, m[0].nu, seed);
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(plain);
  }
  REQUIRE(is_common(rejected, cases, 8), "%d of %d", rejected, cases);
}
END_TEST

/* ---- refused ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int no_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  (void)user, (void)t, (void)q, (void)nrhs, (void)X;
  return 0;
}

START_TEST(what_it_cannot_do_is_refused_by_name)
{
  const double wrong[] = {-0.1, 1.0 + 0x1p-52, NAN, INFINITY};
  model m;
  model_clear(&m, 1);
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_error error;
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const nsdyn_stepper_options options = alpha(wrong[i]);
    nsdyn_error_init(&error, sizeof error);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, &error), NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(error.message, "spectral_radius") != NULL, "%s", error.message);
  }
  nsdyn_system_free(sys);
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 1;
  def.solve_mass = no_mass;
  nsdyn_stepper_options options = alpha(0.8);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_error_init(&error, sizeof error);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, &error), NSDYN_ERR_UNSUPPORTED);
  ck_assert_msg(strstr(error.message, "implicit_rounds") != NULL, "%s", error.message);
  options.implicit_rounds = 0;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("stepper/scheme/generalized_alpha", TEST(free_damped_and_sliding_motion_is_of_second_order),
      TEST(held_motion_is_of_second_order_and_does_not_drift),
      TEST(what_steps_do_not_resolve_shrinks_by_the_spectral_radius), TEST(stiff_forces_bound_no_step),
      TEST(quadratic_energies_are_kept_or_lost), TEST(restored_runs_go_on_with_the_same_bits),
      TEST(rejected_steps_leave_no_trace), TEST(what_it_cannot_do_is_refused_by_name))
