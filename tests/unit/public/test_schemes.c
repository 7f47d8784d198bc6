/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What users are promised of every scheme, by public calls alone: a scheme with a number takes part. */
#include <string.h>

#include "stepping.h"
#include "support/machines.h"

/* Whether there is a scheme of this number. */
static int has_scheme(int32_t id)
{
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  nsdyn_stepper_options options = stepper_defaults();
  options.scheme = id;
  model_clear(&m, 1);
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  const nsdyn_status status = nsdyn_stepper_new(NULL, sys, &options, &s, NULL);
  nsdyn_stepper_free(s);
  nsdyn_system_free(sys);
  ck_assert(status == NSDYN_OK || status == NSDYN_ERR_ARGUMENT);
  return status == NSDYN_OK;
}

/* Calls `fact` for each scheme there is. */
static void for_all(void (*fact)(int32_t scheme))
{
  int32_t count = 0;
  for (; has_scheme(count); count++) {
    fact(count);
  }
  ck_assert_int_ge(count, NSDYN_SCHEME_ANITESCU_POTRA + 1);
}

static nsdyn_stepper_options options_of(int32_t scheme, int32_t impact)
{
  nsdyn_stepper_options options = stepper_defaults();
  options.scheme = scheme;
  options.impact = impact;
  return options;
}

/* ---- the threshold of Poisson's law ---- */

/* A scheme that projects in each step ends hops that it would keep alive (option `project`): those of up to
 * (1 + ε)/(1 − ε) steps. A rebound with ε v lasts 2 ε v / w steps of weight w = v / (2 above). */
static int may_end(int32_t scheme, double eps, double above)
{
  return scheme > NSDYN_SCHEME_ANITESCU_POTRA && 4.0 * eps * above * (1.0 - eps) <= 1.001 * (1.0 + eps);
}

/* A ball that comes with −v on the floor while a weight pulls it down by w in each step: it leaves with ε v
 * under Newton's law always, under Poisson's where v > v_ε = 2 w, and stays where v < 2 w. */
static void threshold_is_two_steps_of_forces(int32_t scheme)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double eps = random_between(&r, 0.1, 1.0), v = random_scale(&r, 3.0), dt = random_scale(&r, 3.0);
    const double above = k % 2 ? random_between(&r, 1.0001, 10.0) : random_between(&r, 0.01, 0.9999);
    model m;
    model_clear(&m, 1);
    m.M0[0] = random_scale(&r, 6.0);
    m.f[0] = -0.5 * m.M0[0] * v / (above * dt); /* w = v / (2 above) */
    model_add_contact(&m, 0.0, 0, -1, 0.0, eps);
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      const nsdyn_stepper_options options = options_of(scheme, law);
      nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
      set_state(s, (double[]){0.0}, (double[]){-v});
      run(s, dt, 1);
      const int is_newton = law == NSDYN_IMPACT_NEWTON && scheme != NSDYN_SCHEME_ANITESCU_POTRA;
      const double after = is_newton || above > 1.0 ? eps * v : 0.0;
      /* A few roundings of the impulse, which is (1 + ε) v and the weight of a step, at most 50 v. */
      REQUIRE(fabs(nsdyn_stepper_u(s)[0] - after) <= 1e-13 * v ||
                  (may_end(scheme, eps, above) && fabs(nsdyn_stepper_u(s)[0]) <= 1e-13 * v),
              "scheme %d, law %d, case %d: %g, not %g", scheme, law, k, nsdyn_stepper_u(s)[0], after);
      nsdyn_stepper_free(s);
    }
  }
}

START_TEST(what_two_steps_of_forces_make_is_no_collision)
{
  for_all(threshold_is_two_steps_of_forces);
}
END_TEST

/* A floor that begins to rise with the acceleration a under a ball that comes with −v: w̄_N = −a, and v_ε = 2
 * Δt |−g − a|. */
typedef struct lift {
  double g, a;
  int fails;
} lift;

static int lift_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int lift_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q, (void)u;
  h[0] = -((const lift *)user)->g;
  return 0;
}

static int lift_gap(void *user, double t, const double *q, double *g)
{
  g[0] = q[0] - 0.5 * ((const lift *)user)->a * t * t;
  return 0;
}

static int lift_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = -((const lift *)user)->a * t;
  return 0;
}

static int lift_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const lift *p = user;
  (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = p->fails == 2 ? (double)NAN : -p->a;
  return p->fails == 1;
}

/* The floor as a contact that is found. Its record tells w̄, or with `fails` 1 a wrong number; with 2 it does
 * not know. */
static int lift_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  const lift *p = user;
  const double w_N = 1.0;
  const nsdyn_contact_block block = {.offset = 0, .count = 1, .values = &w_N};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  (void)lift_gap(user, t, q, &found.gap);
  found.key = 7;
  found.blocks = 1;
  found.block = &block;
  found.w_hat[0] = -p->a * t;
  if (u && p->fails != 2) {
    found.w_bar[0] = p->fails ? (double)INFINITY : -p->a;
  }
  return found.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &found);
}

static nsdyn_contact_state lift_state(const nsdyn_stepper *s, int is_found)
{
  nsdyn_contact_state c;
  if (!is_found) {
    return state_of(s, 0);
  }
  ck_assert_int_eq(nsdyn_contact_state_init(&c, sizeof c), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_found_contact(s, 7, &c), NSDYN_OK);
  return c;
}

static void surfaces_count_too(int32_t scheme, int is_found)
{
  const int cases = random_cases(100);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double eps = random_between(&r, 0.1, 1.0), dt = random_scale(&r, 2.0);
    lift p = {.g = random_scale(&r, 1.0), .a = random_scale(&r, 1.0)};
    const double above = k % 2 ? random_between(&r, 1.0001, 3.0) : random_between(&r, 0.01, 0.9999);
    /* What is not told is not counted. */
    const double v_eps = 2.0 * dt * (p.g + (is_found && k % 3 == 2 ? 0.0 : p.a)), v = v_eps * above;
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = eps;
    def.nq = def.nu = 1;
    def.ncontacts = !is_found;
    def.flags = NSDYN_CONSTANT_MASS;
    def.user = &p;
    def.mass = lift_mass;
    def.force = lift_force;
    def.gap = is_found ? NULL : lift_gap;
    def.direction = is_found ? NULL : lift_direction;
    def.bias = is_found ? NULL : lift_bias;
    def.find = is_found ? lift_find : NULL;
    nsdyn_stepper_options options = options_of(scheme, NSDYN_IMPACT_POISSON);
    options.check = 0; /* the surface alone may be told: callbacks would be asked along it */
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, (double[]){0.0}, (double[]){-v});
    p.fails = k % 3;
    const nsdyn_status status = nsdyn_stepper_step(s, dt);
    if (is_found && p.fails == 1) {
      REQUIRE(status == NSDYN_ERR_NOT_FINITE && strstr(nsdyn_stepper_message(s), "w_bar"),
              "scheme %d, case %d: %d, %s", scheme, k, status, nsdyn_stepper_message(s));
    } else if (!is_found && p.fails) {
      REQUIRE(status == (p.fails == 1 ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_ERR_NOT_FINITE) &&
                  strstr(nsdyn_stepper_message(s), "bias"),
              "scheme %d, case %d: %d, %s", scheme, k, status, nsdyn_stepper_message(s));
    } else {
      const nsdyn_contact_state c = lift_state(s, is_found);
      /* γ_Nᴬ is less by what the floor's own velocity is where the scheme looks, a Δt/2 at most. */
      const double approach = -c.before[0], after = above > 1.0 ? eps * approach : 0.0;
      REQUIRE(status == NSDYN_OK && approach >= v && approach <= v + 0.5001 * p.a * dt,
              "scheme %d, case %d: %s", scheme, k, nsdyn_stepper_message(s));
      const int is_between = approach >= v_eps && above < 1.0;
      REQUIRE(is_between || fabs(c.after[0] - after) <= 1e-12 * approach ||
                  (may_end(scheme, eps, above) && fabs(c.after[0]) <= 1e-12 * approach),
              "scheme %d, case %d: %g, not %g", scheme, k, c.after[0], after);
    }
    nsdyn_stepper_free(s);
  }
}

static void known_surfaces_count_too(int32_t scheme)
{
  surfaces_count_too(scheme, 0);
}

static void found_surfaces_count_too(int32_t scheme)
{
  surfaces_count_too(scheme, 1);
}

START_TEST(surfaces_that_move_have_their_share_of_the_threshold)
{
  for_all(known_surfaces_count_too);
  for_all(found_surfaces_count_too);
}
END_TEST

/* ---- the same beside a contact that closes in the same step ---- */

static int pair_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  M[1] = M[2] = 0.0;
  return 0;
}

static int pair_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q, (void)u;
  h[0] = h[1] = -((const lift *)user)->g;
  return 0;
}

/* The second ball lands on a floor that rests, as another contact that is found; `fails`: it is not there. */
static int pair_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  lift own = *(const lift *)user;
  const double w_N = 1.0;
  const nsdyn_contact_block block = {.offset = 1, .count = 1, .values = &w_N};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  own.fails = 0;
  if (lift_find(&own, t, q, u, margin, sink)) {
    return -1;
  }
  found.key = 8;
  found.law = 1;
  found.gap = q[1];
  found.blocks = 1;
  found.block = &block;
  return ((const lift *)user)->fails || found.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &found);
}

/* Its gap is looked at where the step leads to, at which no w̄ is told: the threshold of the first one, 2 Δt
 * (g + a), is what it was. */
START_TEST(thresholds_stand_beside_what_closes)
{
  const int cases = random_cases(100);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double dt = random_scale(&r, 2.0);
    lift p = {.g = random_scale(&r, 1.0), .a = random_scale(&r, 1.0)};
    const double v = 2.0 * dt * (p.g + p.a * random_between(&r, 0.05, 0.7));
    double after[2];
    for (p.fails = 0; p.fails < 2; p.fails++) {
      nsdyn_system_def def;
      nsdyn_contact_law law;
      int32_t number;
      nsdyn_system *sys = NULL;
      nsdyn_stepper *s = NULL;
      nsdyn_system_def_init(&def, sizeof def);
      nsdyn_contact_law_init(&law, sizeof law);
      law.friction = NSDYN_FRICTION_NONE;
      def.nq = def.nu = 2;
      def.flags = NSDYN_CONSTANT_MASS;
      def.user = &p;
      def.mass = pair_mass;
      def.force = pair_force;
      def.find = pair_find;
      nsdyn_stepper_options options = options_of(NSDYN_SCHEME_MOREAU, NSDYN_IMPACT_POISSON);
      options.check = 0;
      ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
      law.eps_n = 0.8;
      ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
      law.eps_n = 0.0;
      ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
      ck_assert_int_eq(number, 1);
      ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
      nsdyn_system_free(sys);
      set_state(s, (double[]){0.0, 0.0}, (double[]){-v, -0.01 * v});
      run(s, dt, 1);
      ck_assert_int_eq(nsdyn_stepper_active(s), 2 - p.fails);
      after[p.fails] = lift_state(s, 1).after[0];
      nsdyn_stepper_free(s);
    }
    REQUIRE(fabs(after[0]) <= 1e-12 * v && after[0] == after[1], "case %d: %g beside it, %g alone", k,
            after[0], after[1]);
  }
}
END_TEST

/* ---- friction that falls with speed: the belt of Stewart (2000), section 4.3 ---- */

static int falling_curve(void *user, double speed, double *mu)
{
  *mu = exact_falling_mu(user, speed);
  return 0;
}

/* The mean period of the cycles that a brick makes from where a slip begins. `law` NULL: two coefficients. */
static double belt_period(const nsdyn_stepper_options *options, const exact_belt *belt, exact_falling *law,
                          const exact_belt_cycle *cycle, double dt, int cycles)
{
  model m;
  machine_belt(belt, &m);
  if (law) {
    nsdyn_contact_law *own = &m.contact[0].law;
    own->friction = NSDYN_FRICTION_CURVE;
    own->curve = falling_curve;
    own->user = law;
  }
  nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, options);
  set_state(s, (double[]){cycle->x_stop, 0.0}, (double[]){belt->V, 0.0}); /* it sticks from here on */
  double first = 0.0, last = 0.0;
  int begun = 0, was_stuck = 0;
  while (begun <= cycles) {
    run(s, dt, 1);
    ck_assert(nsdyn_stepper_time(s) < 1.5 * (cycles + 2) * cycle->period);
    const int sticks = state_of(s, 0).mode == NSDYN_MODE_STICK;
    if (was_stuck && !sticks) {
      last = nsdyn_stepper_time(s);
      first = begun++ ? first : last;
    }
    was_stuck = sticks;
  }
  nsdyn_stepper_free(s);
  return (last - first) / cycles;
}

/* g = 9.81, k/m = 10, V = 0.2, coefficients 0.4 and 0.25: T = 2.7217 s. Both ends of a slip are met within a
 * step. */
static void belt_has_its_period(int32_t scheme)
{
  const exact_belt belt = {
      .g = 9.81, .omega = 3.1622776601683795, .V = 0.2, .mu_static = 0.4, .mu_dynamic = 0.25};
  const exact_belt_cycle cycle = exact_belt_solve(&belt);
  const nsdyn_stepper_options options = options_of(scheme, NSDYN_IMPACT_NEWTON);
  ck_assert_double_eq_tol(cycle.period, 2.721692782798981, 1e-14);
  for (double dt = 1e-2; dt > 1e-4; dt *= 0.2) {
    const double period = belt_period(&options, &belt, NULL, &cycle, dt, 5);
    REQUIRE(fabs(period - cycle.period) <= 2.0 * dt, "scheme %d, dt %g: %.6f, not %.6f", scheme, dt, period,
            cycle.period);
  }
}

START_TEST(the_belt_with_two_coefficients_has_its_period)
{
  for_all(belt_has_its_period);
}
END_TEST

/* Random belts, with two coefficients and with a curve that falls from one to the other over a speed v_s; μ
 * at the beginning of a step, or by rounds at its end. On a curve a slip begins from an unstable rest, as
 * slowly as v_s / g (μ_0 − μ_∞) says, and the first step's error grows with it. */
static void belts_have_their_period(int32_t scheme)
{
  const int cases = random_cases(6);
  int curved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double mu = random_between(&r, 0.2, 0.5), fall = random_between(&r, 0.2, 0.6);
    exact_belt belt = {.g = 9.81, .omega = random_between(&r, 2.0, 6.0), .V = random_between(&r, 0.1, 0.3)};
    belt.mu_static = mu;
    belt.mu_dynamic = mu * (1.0 - fall);
    exact_falling law = {.mu_0 = mu, .mu_inf = belt.mu_dynamic, .v_s = random_between(&r, 0.05, 0.3)};
    nsdyn_stepper_options options = options_of(scheme, NSDYN_IMPACT_NEWTON);
    options.friction_rounds = k % 2 ? 20 : 0;
    const exact_belt_cycle two = exact_belt_solve(&belt), curve = exact_belt_falling(&belt, &law);
    curved += curve.period > 0.0; /* else the spring pulls more than the belt can hold */
    for (double dt = 2e-3; dt > 1e-4; dt *= 0.3) {
      const double by_two = belt_period(&options, &belt, NULL, &two, dt, 3);
      REQUIRE(fabs(by_two - two.period) <= 3.0 * dt, "scheme %d, case %d, dt %g: %.6f, not %.6f", scheme, k,
              dt, by_two, two.period);
      if (curve.period > 0.0) {
        const double by_curve = belt_period(&options, &belt, &law, &curve, dt, 3);
        REQUIRE(fabs(by_curve - curve.period) <= 6.0 * dt, "scheme %d, case %d, dt %g: %.6f, not %.6f",
                scheme, k, dt, by_curve, curve.period);
      }
    }
  }
  ck_assert(is_common(curved, cases, 4));
}

START_TEST(belts_with_falling_friction_have_their_period)
{
  for_all(belts_have_their_period);
}
END_TEST

SUITE("public/schemes", TEST(what_two_steps_of_forces_make_is_no_collision),
      TEST(surfaces_that_move_have_their_share_of_the_threshold), TEST(thresholds_stand_beside_what_closes),
      TEST(the_belt_with_two_coefficients_has_its_period),
      TEST(belts_with_falling_friction_have_their_period))
