/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepping.h"
#include "worlds.h"

static nsdyn_stepper_options stewart_trinkle(int gap_term)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = NSDYN_SCHEME_STEWART_TRINKLE;
  options.gap_term = gap_term;
  return options;
}

/* Stewart (2000), eqs. 2.11 and 2.12, by code of the test's own: M(qᴱ) (uᴱ − uᴬ) = W(qᴬ) Λ + h(qᴬ, uᴬ) Δt. */
START_TEST(steps_satisfy_the_equations)
{
  const int cases = random_cases(200);
  const double dt = 1e-2;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, 6), known = random_below(&random, 3);
    const nsdyn_stepper_options options = stewart_trinkle(0);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, known, 0, 0, &options);
    for (int k = 0; k < 5; k++) {
      double q[MODEL_MOST], u[MODEL_MOST], h[MODEL_MOST], M[MODEL_MOST * MODEL_MOST] = {0.0}, scale = 0.0;
      memcpy(q, nsdyn_stepper_q(s), sizeof(double) * (size_t)nu);
      memcpy(u, nsdyn_stepper_u(s), sizeof(double) * (size_t)nu);
      run(s, dt, 1);
      const double *q_E = nsdyn_stepper_q(s), *u_E = nsdyn_stepper_u(s);
      model_mass(&m, q_E, M);
      model_force(&m, q, u, h);
      for (int i = 0; i < nu; i++) {
        double left = -h[i] * dt;
        scale += fabs(left);
        for (int j = 0; j < nu; j++) {
          left += M[i * nu + j] * (u_E[j] - u[j]);
          scale += fabs(M[i * nu + j]) * (fabs(u_E[j]) + fabs(u[j]));
        }
        for (int c = 0; c < known; c++) {
          const nsdyn_contact_state state = state_of(s, c);
          double w[MODEL_MOST];
          model_direction(&m.contact[c], nu, q, w);
          if (state.active) {
            left -= w[i] * state.impulse[0] + m.contact[c].tangent[i] * state.impulse[1];
            scale += fabs(w[i] * state.impulse[0]) + fabs(m.contact[c].tangent[i] * state.impulse[1]);
          }
        }
        REQUIRE(fabs(left) <= 1e-8 * scale, "seed %d, step %d: row %d is off by %g of %g", seed, k, i, left,
                scale);
        REQUIRE(fabs(q_E[i] - q[i] - dt * u_E[i]) <= 1e-14 * (1.0 + fabs(q[i])), "seed %d", seed);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* What would close within the step takes part, found or known; what would not goes on. */
START_TEST(contacts_are_those_that_would_close_within_the_step)
{
  const double dt = 0.1;
  for (int known = 0; known < 2; known++) {
    for (int closes = 0; closes < 2; closes++) {
      model m;
      model_clear(&m, 1);
      model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
      m.known = known;
      const nsdyn_stepper_options options = stewart_trinkle(0);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, (double[]){0.5}, (double[]){closes ? -5.0 - 1e-12 : -5.0 + 1e-12});
      run(s, dt, 1);
      ck_assert_int_eq(nsdyn_stepper_active(s), closes);
      ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], closes ? 2.5 : -5.0, 1e-10);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Stewart & Trinkle (1996): what comes lands on the floor to rounding, and stays there; what begins d deep
 * is thrown out with d/Δt, and has ½ d²/Δt² that nobody had. */
START_TEST(the_gap_term_leaves_no_depth_and_costs_energy)
{
  const double dt = 1e-2, d = 1e-3;
  for (int flat = 0; flat < 2; flat++) {
    const int64_t flags = flat ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0;
    model m;
    model_clear(&m, 1);
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.0);
    m.f[0] = -10.0;
    const nsdyn_stepper_options options = stewart_trinkle(1);
    nsdyn_stepper *s = stepper_of(&m, flags, 0, &options);
    set_state(s, (double[]){0.3}, (double[]){0.0});
    double least = 0.3;
    for (int k = 0; k < 300; k++) {
      run(s, dt, 1);
      least = fmin(least, nsdyn_stepper_q(s)[0]);
    }
    ck_assert_double_ge(least,
                        -10.0 * dt * dt - 1e-12); /* what closes only by its weight is seen a step late */
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 0.0, 1e-12);
    m.f[0] = 0.0;
    set_state(s, (double[]){-d}, (double[]){0.0});
    run(s, dt, 1);
    const nsdyn_step_energy e = energy_of(s);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 0.0, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], d / dt, 1e-13);
    ck_assert_double_eq_tol(e.normal, 0.5 * (d / dt) * (d / dt), 1e-13);
    ck_assert_double_eq_tol(e.after - e.before, e.normal, 1e-15);
    nsdyn_stepper_free(s);
  }
}
END_TEST

static double error_of(int steps)
{
  model m;
  model_clear(&m, 1);
  m.M1[0] = m.s[0] = m.f[0] = 1.0;
  const nsdyn_stepper_options options = stewart_trinkle(0);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0}, (double[]){1.0});
  run(s, 1.0 / steps, steps);
  const double u = nsdyn_stepper_u(s)[0], q = nsdyn_stepper_q(s)[0];
  nsdyn_stepper_free(s);
  return fabs(0.5 * u * u - 0.5 - atan(q)); /* (1 + q²) u̇ = 1 */
}

START_TEST(it_is_of_first_order)
{
  ck_assert_double_eq_tol(error_of(400) / error_of(800), 2.0, 0.05);
}
END_TEST

/* A table that ends at x = 0, for a point (x, y): its gap is known up to there alone. */
static int table_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const double w[2] = {0.0, 1.0};
  const nsdyn_contact_block block = {0, 2, w};
  nsdyn_found_contact found;
  (void)user, (void)t, (void)u;
  nsdyn_found_contact_init(&found, sizeof found);
  found.gap = q[1];
  found.blocks = 1;
  found.block = &block;
  return q[0] > 0.0 || found.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &found);
}

/* Or of one known in advance, which is far away beyond. */
static int table_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0] > 0.0 ? hypot(q[0], q[1]) : q[1];
  return 0;
}

static int table_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[0] = 0.0;
  W[1] = 1.0;
  return 0;
}

static int table_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

/* Its directions say that it closes within the step, and it does where the table is; what has passed the edge
 * by then flies on, Stewart (2000), eq. 2.13: g(qᴬ + Δt uᴬ) <= 0. (By directions alone a box that slides off
 * a stair hit the stair's line, in steps as short as you like.) */
START_TEST(what_passes_an_edge_within_the_step_meets_nothing)
{
  int hits = 0, passes = 0;
  const int cases = random_cases(200);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    nsdyn_stepper_options options = stewart_trinkle(0);
    options.scheme = seed % 2 ? NSDYN_SCHEME_STEWART_TRINKLE : NSDYN_SCHEME_EULER;
    options.activation = seed % 4 < 2 ? NSDYN_ACTIVATION_STEADY : NSDYN_ACTIVATION_FREE;
    nsdyn_contact_law law;
    nsdyn_system_def def;
    nsdyn_contact_law_init(&law, sizeof law);
    nsdyn_system_def_init(&def, sizeof def);
    law.friction = NSDYN_FRICTION_NONE;
    def.nq = def.nu = 2;
    def.mass = table_mass;
    if (seed % 8 < 4) {
      def.find = table_find;
    } else {
      def.ncontacts = 1;
      def.gap = table_gap;
      def.direction = table_direction;
    }
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    const double dt = random_scale(&random, 3.0), v = random_between(&random, 0.5, 2.0);
    const double down = random_between(&random, 0.1, 1.0), edge = random_between(&random, -0.9, -0.1);
    const int is_off = random_below(&random, 2);
    /* it gets down to y = 0 after the share −edge of the step, and to x = 0 before that, or much later */
    set_state(s, (double[]){is_off ? 0.9 * edge * v * dt : -3.0 * v * dt, -edge * down * dt},
              (double[]){v, -down});
    run(s, dt, 1);
    const double u = nsdyn_stepper_u(s)[1];
    REQUIRE(is_off ? fabs(u + down) <= 1e-15 : fabs(u) <= 1e-15, "seed %d: %g, of %g", seed, u, down);
    hits += !is_off;
    passes += is_off;
    nsdyn_stepper_free(s);
  }
  ck_assert(is_common(hits, cases, 4) && is_common(passes, cases, 4));
}
END_TEST

/* What is closed now does not only come: within rounding of its gap it meets the table's end, wherever it is
 * afterwards. */
START_TEST(what_touches_is_met_before_the_edge)
{
  for (int free = 0; free < 2; free++) {
    nsdyn_stepper_options options = stewart_trinkle(0);
    options.activation = free ? NSDYN_ACTIVATION_FREE : NSDYN_ACTIVATION_STEADY;
    nsdyn_contact_law law;
    nsdyn_system_def def;
    nsdyn_contact_law_init(&law, sizeof law);
    nsdyn_system_def_init(&def, sizeof def);
    law.friction = NSDYN_FRICTION_NONE;
    def.nq = def.nu = 2;
    def.mass = table_mass;
    def.find = table_find;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, (double[]){-0.5, 0x1p-55}, (double[]){100.0, -1.0});
    run(s, 1e-2, 1);
    ck_assert_int_eq(nsdyn_stepper_active(s), 1);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Two disks, seen from one of them: g = |r| − 2R, with a key of its own for so many sectors of r. */
typedef struct disks {
  double reach; /* 2R */
  int sectors;
} disks;

static int disks_gap(void *user, double t, const double *q, double *g)
{
  const disks *d = user;
  (void)t;
  g[0] = hypot(q[0], q[1]) - d->reach;
  return 0;
}

static int disks_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = 0.0;
  W[0] = q[0] / hypot(q[0], q[1]);
  W[1] = q[1] / hypot(q[0], q[1]);
  return 0;
}

static int disks_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const disks *d = user;
  double w[2], none;
  const nsdyn_contact_block block = {0, 2, w};
  nsdyn_found_contact found;
  (void)u;
  nsdyn_found_contact_init(&found, sizeof found);
  disks_gap(user, t, q, &found.gap);
  disks_direction(user, t, q, 0, w, &none);
  found.key = (int64_t)floor(d->sectors * atan2(q[1], q[0])) + 100;
  found.blocks = 1;
  found.block = &block;
  return found.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &found);
}

/* Those meet that get nearer to each other than 2R, be they past each other again when the step ends, and
 * whichever features are the nearest by then; those that pass go on. */
START_TEST(what_flies_fast_meets_what_is_in_its_way)
{
  int hits = 0, passes = 0;
  const int cases = random_cases(400);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    nsdyn_stepper_options options = stewart_trinkle(0);
    options.scheme = seed % 2 ? NSDYN_SCHEME_STEWART_TRINKLE : NSDYN_SCHEME_EULER;
    options.activation = seed % 4 < 2 ? NSDYN_ACTIVATION_STEADY : NSDYN_ACTIVATION_FREE;
    disks d = {.reach = 0.2, .sectors = seed % 8 < 4 ? 0 : 1 + random_below(&random, 30)};
    nsdyn_contact_law law;
    nsdyn_system_def def;
    nsdyn_contact_law_init(&law, sizeof law);
    nsdyn_system_def_init(&def, sizeof def);
    law.friction = NSDYN_FRICTION_NONE;
    def.nq = def.nu = 2;
    def.user = &d;
    def.mass = table_mass;
    if (random_below(&random, 3)) {
      def.find = disks_find;
    } else {
      def.ncontacts = 1;
      def.gap = disks_gap;
      def.direction = disks_direction;
    }
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    /* from x0 along the direction (cos a, sin a), b to the side of it, and 10 to 10 000 m/s past it */
    const int is_hit = random_below(&random, 2);
    const double v = pow(10.0, random_between(&random, 1.0, 4.0)), from = random_between(&random, 0.3, 2.0);
    const double b =
        d.reach * (is_hit ? random_between(&random, 0.0, 0.98) : random_between(&random, 1.02, 1.8));
    const double a = random_between(&random, -3.0, 3.0), dt = (from + random_between(&random, 0.3, 2.0)) / v;
    const double u[2] = {v * cos(a), v * sin(a)};
    const double q[2] = {-from * cos(a) - b * sin(a), -from * sin(a) + b * cos(a)};
    const int is_longer = random_below(&random, 2);
    set_state(s, q, u);
    run(s, is_longer ? 100.0 * dt : dt, 1);
    const double *u_E = nsdyn_stepper_u(s), change = hypot(u_E[0] - u[0], u_E[1] - u[1]);
    REQUIRE(nsdyn_stepper_active(s) == is_hit && (is_hit ? change >= 0.1 * v : change <= 1e-15 * v),
            "seed %d: %d contacts, %g of %g", seed, nsdyn_stepper_active(s), change, v);
    hits += is_hit;
    passes += !is_hit;
    nsdyn_stepper_free(s);
  }
  ck_assert(is_common(hits, cases, 4) && is_common(passes, cases, 4));
}
END_TEST

/* A world's bodies that would be deeper in each other than their skins come, too: where the way is looked at
 * ahead that is no failure of the step. */
START_TEST(what_would_be_too_deep_comes)
{
  const int cases = random_cases(100);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double size = random_between(&random, 0.1, 0.3),
                 speed = seed ? random_between(&random, 0.5, 30.0) : 3.0;
    const double height = seed ? random_between(&random, 0.001, 0.3) * speed * 1e-2 : 0.01;
    nsdyn_world *world = worlds_new(0.0);
    nsdyn_body_def body = worlds_body(0.0, (seed ? 0.5 * size : 0.1) + height, 0.0);
    body.velocity[1] = -speed;
    worlds_slope(world, 0.0);
    worlds_attach(world, worlds_add(world, &body), seed ? worlds_box(size, size) : worlds_box(0.2, 0.2));
    nsdyn_system *sys = worlds_system(world);
    nsdyn_stepper_options options = stewart_trinkle(0);
    options.activation = seed % 2 ? NSDYN_ACTIVATION_FREE : NSDYN_ACTIVATION_STEADY;
    nsdyn_stepper *s = NULL;
    double q[3], u[3];
    GOOD(nsdyn_stepper_new(NULL, sys, &options, &s, NULL));
    GOOD(nsdyn_world_begin(world, q, u));
    GOOD(nsdyn_stepper_set_state(s, 0.0, q, u));
    run(s, 1e-2, 1);
    REQUIRE(nsdyn_stepper_active(s) == 2 && fabs(nsdyn_stepper_u(s)[1]) <= 1e-12 * speed,
            "seed %d: %d contacts, %g", seed, nsdyn_stepper_active(s), nsdyn_stepper_u(s)[1]);
    nsdyn_stepper_free(s);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* Beside the table of (x, y), whose key is the first, a floor for z. */
static int beside_find(void *user, double t, const double *q, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  const double *w_bar = user, w[2][3] = {{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  (void)t, (void)u;
  for (int k = 0; k < 2; k++) {
    const nsdyn_contact_block block = {0, 3, w[k]};
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = k;
    found.gap = q[k + 1];
    found.w_bar[0] = w_bar[k];
    found.blocks = 1;
    found.block = &block;
    if ((k == 1 || q[0] <= 0.0) && found.gap <= margin && nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

static int beside_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = 2.0;
  return 0;
}

/* Under Poisson's law an approach below 2 |w̄ Δt| is no collision: w̄ stays with its contact where the one
 * before it passes the edge. */
START_TEST(what_passes_leaves_the_others_their_w_bar)
{
  for (int k = 0; k < 8; k++) {
    const double dt = 1e-2, large = 1.0 / dt;
    double w_bar[2] = {k & 1 ? large : 0.0, k & 2 ? large : 0.0};
    nsdyn_stepper_options options = stewart_trinkle(0);
    options.impact = NSDYN_IMPACT_POISSON;
    options.activation = NSDYN_ACTIVATION_STEADY;
    nsdyn_contact_law law;
    nsdyn_system_def def;
    nsdyn_contact_law_init(&law, sizeof law);
    nsdyn_system_def_init(&def, sizeof def);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = 1.0;
    def.nq = def.nu = 3;
    def.user = w_bar;
    def.mass = beside_mass;
    def.find = beside_find;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    const int is_off = k & 4;
    set_state(s, (double[]){is_off ? -0.2 * dt : -3.0 * dt, 0.5 * dt, 0.5 * dt}, (double[]){1.0, -1.0, -1.0});
    run(s, dt, 1);
    ck_assert_int_eq(nsdyn_stepper_active(s), is_off ? 1 : 2);
    const int collides = !(k & 2) || (!is_off && !(k & 1)); /* once one does all take part */
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[2], collides ? 1.0 : 0.0, 1e-13);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/scheme/stewart_trinkle", TEST(steps_satisfy_the_equations),
      TEST(contacts_are_those_that_would_close_within_the_step),
      TEST(the_gap_term_leaves_no_depth_and_costs_energy), TEST(it_is_of_first_order),
      TEST(what_passes_an_edge_within_the_step_meets_nothing), TEST(what_touches_is_met_before_the_edge),
      TEST(what_flies_fast_meets_what_is_in_its_way), TEST(what_would_be_too_deep_comes),
      TEST(what_passes_leaves_the_others_their_w_bar))
