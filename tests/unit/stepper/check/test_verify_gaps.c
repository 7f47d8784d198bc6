/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* stepper/contradict: gaps that do not follow their directions. */
#include <stdlib.h>

#include "stepping.h"
#include "support/callbacks.h"

/* A point (x, y) under gravity above y = f(x) + lift(t), or on it as a bead. */
enum surface { BOWL, HILL, WAVE, LIFT, SURFACES };

typedef struct path {
  enum surface surface;
  int is_found, is_turned, is_steeper, ends_at_edge;
  double length; /* what one metre is called */
} path;

static const double gravity = 9.81;

/* f, f' and the velocity of the lift. */
static void profile(const path *p, double t, double x, double f[3])
{
  f[2] = 0.0;
  switch (p->surface) {
  case BOWL:
  case HILL:
    f[1] = p->surface == BOWL ? x : -x;
    f[0] = 0.5 * f[1] * x;
    break;
  case WAVE:
    f[0] = 0.1 * sin(3.0 * x);
    f[1] = 0.3 * cos(3.0 * x);
    break;
  default:
    f[0] = 0.01 * sin(3.0 * t);
    f[1] = 0.0;
    f[2] = 0.03 * cos(3.0 * t);
    break;
  }
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const path *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -gravity * p->length;
  return 0;
}

static double true_gap(const path *p, double t, const double *q)
{
  double f[3];
  profile(p, t, q[0] / p->length, f);
  return q[1] - f[0] * p->length;
}

static double told_gap(const path *p, double t, const double *q)
{
  if (p->ends_at_edge && q[0] > 0.3 * p->length) {
    return p->length; /* nothing is there */
  }
  return p->is_turned ? -true_gap(p, t, q) : true_gap(p, t, q);
}

static void direct(const path *p, double t, const double *q, double *W, double *w_hat)
{
  double f[3];
  profile(p, t, q[0] / p->length, f);
  W[0] = p->is_steeper ? -1.3 * f[1] : -f[1];
  W[1] = W[2] = 1.0;
  W[3] = f[1];
  w_hat[0] = -f[2] * p->length;
}

static int gap(void *user, double t, const double *q, double *g)
{
  g[0] = told_gap(user, t, q);
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)i;
  direct(user, t, q, W, w_hat);
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  double W[4], w_hat[2] = {0.0, 0.0};
  const nsdyn_contact_block block = {.count = 2, .values = W};
  nsdyn_found_contact c;
  nsdyn_found_contact_init(&c, sizeof c);
  direct(user, t, q, W, w_hat);
  c.key = 7;
  c.gap = told_gap(user, t, q);
  c.w_hat[0] = w_hat[0];
  c.blocks = 1;
  c.block = &block;
  return c.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &c);
}

static nsdyn_stepper *stepper_on(path *p, int32_t kind, int project)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_stepper_options options;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_stepper_options_init(&options, sizeof options);
  options.project = project;
  law.mu = 0.0;
  law.kind = kind;
  def.nq = def.nu = 2;
  def.user = p;
  def.mass = unit_mass_2;
  def.force = force;
  if (p->is_found) {
    def.find = find;
  } else {
    def.ncontacts = 1;
    def.gap = gap;
    def.direction = direction;
  }
  return stepper_for(&def, &law, &options);
}

/* On the surface at x, sliding. */
static void begin_on(nsdyn_stepper *s, const path *p, double x, double speed)
{
  double f[3];
  profile(p, 0.0, x, f);
  set_state(s, (double[]){x * p->length, f[0] * p->length},
            (double[]){speed * p->length, (speed * f[1] + f[2]) * p->length});
}

/* Until a step fails. */
static nsdyn_status run_on(nsdyn_stepper *s, double dt, double t_end)
{
  nsdyn_status status = NSDYN_OK;
  while (status == NSDYN_OK && nsdyn_stepper_time(s) < t_end) {
    status = nsdyn_stepper_step(s, dt);
  }
  return status;
}

/* The sign of a gap is wrong, its directions are right: while the body falls through its surface the gap that
 * is told opens. */
START_TEST(what_opens_though_it_closes_is_refused)
{
  int refused = 0;
  for (int k = 0; k < SURFACES * 2 * 2 * 2 * 2; k++) {
    path p = {.surface = (enum surface)(k % SURFACES),
              .is_found = k / 4 % 2,
              .is_turned = 1,
              .length = k / 16 % 2 ? 1e-5 : 1.0};
    const double dt = k / 32 ? 1e-4 : 1e-3, x = p.surface == HILL ? 0.6 : 0.2;
    nsdyn_stepper *s = stepper_on(&p, NSDYN_CONTACT_UNILATERAL, k / 8 % 2);
    begin_on(s, &p, x, p.surface == LIFT ? 0.0 : 0.4);
    const nsdyn_status status = run_on(s, dt, 1.0);
    const double deep = -true_gap(&p, nsdyn_stepper_time(s), nsdyn_stepper_q(s)) / p.length;
    /* Held where it was seen, it may stay on its surface to first order. */
    REQUIRE((status == NSDYN_ERR_INCONSISTENT && deep < 0.05) ||
                (status == NSDYN_OK && fabs(deep) < 5.0 * dt),
            "case %d: %s, %g deep, t = %g: %s", k, nsdyn_status_name(status), deep, nsdyn_stepper_time(s),
            nsdyn_stepper_message(s));
    if (status == NSDYN_OK) {
      nsdyn_stepper_free(s);
      continue;
    }
    refused++;
    REQUIRE(strstr(nsdyn_stepper_message(s), p.is_found ? "contact with key 7" : "contact 0") != NULL,
            "case %d: %s", k, nsdyn_stepper_message(s));
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(refused, 32);
}
END_TEST

/* Directions steeper than the wire: the bead drifts off it. */
START_TEST(slots_that_drift_off_are_refused)
{
  for (int k = 0; k < 4; k++) {
    path p = {.surface = BOWL, .is_found = k % 2, .is_steeper = 1, .length = k / 2 ? 1e-5 : 1.0};
    nsdyn_stepper *s = stepper_on(&p, NSDYN_CONTACT_BILATERAL, 0);
    begin_on(s, &p, 0.5, 0.0);
    const nsdyn_status status = run_on(s, 1e-3, 2.0);
    const double off = fabs(true_gap(&p, nsdyn_stepper_time(s), nsdyn_stepper_q(s))) / p.length;
    REQUIRE(status == NSDYN_ERR_INCONSISTENT && off < 0.05, "case %d: %s, %g off", k,
            nsdyn_status_name(status), off);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Sound models, with all that may happen to a gap: throws, impacts, lift-offs, edges beyond which there is no
 * surface, slots; fast, slow, at rest. */
START_TEST(what_follows_its_directions_goes_on)
{
  const int cases = random_cases(400);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    path p = {.surface = (enum surface)(random_below(&random, SURFACES)),
              .is_found = random_below(&random, 2),
              .ends_at_edge = random_below(&random, 2),
              .length = random_below(&random, 2) ? 1e-5 : 1.0};
    const int is_slot = !p.ends_at_edge && random_below(&random, 3) == 0;
    const double x = random_between(&random, -0.5, 0.2), dt = random_below(&random, 2) ? 1e-3 : 1e-4;
    nsdyn_stepper *s = stepper_on(&p, is_slot ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL,
                                  random_below(&random, 2));
    begin_on(s, &p, x, random_below(&random, 3) ? random_between(&random, -3.0, 3.0) : 0.0);
    const nsdyn_status status = run_on(s, dt, 0.5);
    REQUIRE(status == NSDYN_OK, "seed %d, t = %g: %s", seed, nsdyn_stepper_time(s), nsdyn_stepper_message(s));
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- rest, where gaps and velocities are rounding --------------------------------------------------------
 */

enum { BALLS = 4 };

/* Balls in a row that touch, and a wall: x = C q, pressed by a force on the last. */
typedef struct row_of_balls {
  double C[BALLS][BALLS], place[BALLS], push;
} row_of_balls;

static int row_mass(void *user, double t, const double *q, double *M)
{
  const row_of_balls *p = user;
  (void)t, (void)q;
  for (int i = 0; i < BALLS; i++) {
    for (int j = 0; j < BALLS; j++) {
      M[i * BALLS + j] = 0.0;
      for (int k = 0; k < BALLS; k++) {
        M[i * BALLS + j] += p->C[k][i] * p->C[k][j];
      }
    }
  }
  return 0;
}

static int row_force(void *user, double t, const double *q, const double *u, double *h)
{
  const row_of_balls *p = user;
  (void)t, (void)q, (void)u;
  for (int j = 0; j < BALLS; j++) {
    h[j] = -p->push * p->C[BALLS - 1][j];
  }
  return 0;
}

static double row_at(const row_of_balls *p, const double *q, int i)
{
  double x = 0.0;
  for (int j = 0; i >= 0 && j < BALLS; j++) {
    x += p->C[i][j] * q[j];
  }
  return x;
}

static int row_gap(void *user, double t, const double *q, double *g)
{
  const row_of_balls *p = user;
  (void)t;
  for (int i = 0; i < BALLS; i++) {
    g[i] = row_at(p, q, i) - row_at(p, q, i - 1) - (p->place[i] - (i ? p->place[i - 1] : 0.0));
  }
  return 0;
}

static int row_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const row_of_balls *p = user;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  for (int j = 0; j < BALLS; j++) {
    W[j] = p->C[i][j] - (i ? p->C[i - 1][j] : 0.0);
  }
  return 0;
}

/* Their gaps are rounding, and change by rounding: nothing of it contradicts anything. */
START_TEST(a_row_at_rest_is_not_refused)
{
  const int seeds = random_cases(200);
  for (int seed = 0; seed < seeds; seed++) {
    random_state random = random_seed((uint64_t)seed);
    row_of_balls p = {.push = seed % 3 ? random_between(&random, 0.1, 10.0) : 0.0};
    double q[BALLS] = {0.0}, u[BALLS] = {0.0};
    const double length = seed % 4 == 3 ? 1e-5 : 1.0;
    for (int i = 0; i < BALLS; i++) {
      p.place[i] = (i ? p.place[i - 1] : 0.0) + length * random_between(&random, 0.05, 0.3);
      for (int j = 0; j <= i; j++) {
        p.C[i][j] = i == j ? 1.0 : random_between(&random, -0.5, 0.5);
      }
      q[i] = p.place[i] - row_at(&p, q, i);
    }
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = def.ncontacts = BALLS;
    def.user = &p;
    def.mass = row_mass;
    def.force = row_force;
    def.gap = row_gap;
    def.direction = row_direction;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = seed / 2 % 2;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, seed % 5 ? 0.0 : 1e6, q, u), NSDYN_OK);
    for (int step = 0; step < 300; step++) {
      const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
      REQUIRE(status == NSDYN_OK, "seed %d, step %d: %s", seed, step, nsdyn_stepper_message(s));
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- what leaves a machine that is driven ---- */

/* A crank φ = t and a rod (angle θ) move a slider, whose height y = l₁ sin φ + l₂ sin θ, on a guide below. */
static const double crank = 1.0, link = 2.5, weight = 0.08;

static int crank_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = 1.0;
  return 0;
}

static int crank_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[2] = -weight;
  return 0;
}

static int crank_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

static int crank_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[2] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

static int crank_joints(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user;
  g_b[0] = q[0] - t;
  W_b[0] = 1.0;
  w_hat_b[0] = -1.0;
  g_b[1] = q[2] - crank * sin(q[0]) - link * sin(q[1]);
  W_b[3] = -crank * cos(q[0]);
  W_b[4] = -link * cos(q[1]);
  W_b[5] = 1.0;
  return 0;
}

/* λ_B of the rod and what follows from it in free flight: ÿ = λ_B − weight, θ̈ = −l₂ cos θ λ_B. */
static double lift_of(double phi, double theta, double theta_dot)
{
  const double c = link * cos(theta), bend = crank * sin(phi) + link * sin(theta) * theta_dot * theta_dot;
  return (weight - bend) / (1.0 + c * c);
}

/* Where the rod pulls with its weight, which is where the slider leaves: θ̈ at y = 0 is known. */
static double excess(double phi)
{
  const double theta = asin(-crank / link * sin(phi));
  const double theta_dot = -crank * cos(phi) / (link * cos(theta));
  const double bend = crank * sin(phi) + link * sin(theta) * theta_dot * theta_dot;
  const double theta_2 = bend / (link * cos(theta));
  return -theta_2 / (link * cos(theta)) - weight;
}

static double height_at(double leaves, double end)
{
  enum { STEPS = 4000 };
  double theta = asin(-crank / link * sin(leaves)), y = 0.0, y_dot = 0.0;
  double theta_dot = -crank * cos(leaves) / (link * cos(theta));
  const double h = (end - leaves) / STEPS;
  for (int k = 0; k < STEPS; k++) { /* half steps of velocities: second order */
    const double phi = leaves + h * k;
    double L = lift_of(phi, theta, theta_dot);
    theta_dot -= 0.5 * h * link * cos(theta) * L;
    y_dot += 0.5 * h * (L - weight);
    theta += h * theta_dot;
    y += h * y_dot;
    L = lift_of(phi + h, theta, theta_dot);
    theta_dot -= 0.5 * h * link * cos(theta) * L;
    y_dot += 0.5 * h * (L - weight);
  }
  return y;
}

/* Its gap is of third order in time at first. What the curvature of joints makes of velocities in a step, and
 * a projection takes out of them again, is more than they are for many steps. */
START_TEST(what_leaves_a_driven_machine_is_not_refused)
{
  double from = -3.1, to = -1.6;
  for (int k = 0; k < 60; k++) {
    const double middle = 0.5 * (from + to);
    *(excess(middle) > 0.0 ? &to : &from) = middle;
  }
  const double leaves = 0.5 * (from + to), begin = leaves - 0.33, end = leaves + 0.3;
  const double height = height_at(leaves, end), theta = asin(-crank / link * sin(begin));
  ck_assert(height > 1e-4);
  for (int k = 0; k < 30; k++) {
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 3;
    def.ncontacts = 1;
    def.nconstraints = 2;
    def.mass = crank_mass;
    def.force = crank_force;
    def.gap = crank_gap;
    def.direction = crank_direction;
    def.constraint = crank_joints;
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = k % 5;
    options.project = k / 5 % 2;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, begin, (double[]){begin, theta, 0.0},
                                             (double[]){1.0, -crank * cos(begin) / (link * cos(theta)), 0.0}),
                     NSDYN_OK);
    const int steps = 630 << k / 10;
    for (int step = 0; step < steps; step++) {
      const nsdyn_status status = nsdyn_stepper_step(s, (end - begin) / steps);
      REQUIRE(status == NSDYN_OK, "case %d, step %d: %s", k, step, nsdyn_stepper_message(s));
    }
    REQUIRE(fabs(nsdyn_stepper_q(s)[2] - height) <= 2.0 / steps, "case %d: y is %g, not %g", k,
            nsdyn_stepper_q(s)[2], height);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- rounding ---- */

/* A point at rest whose gap stays where it is but for one lift, and rounding that goes one way. */
typedef struct resting {
  double begin, lift, wobble, dt;
  int rests; /* steps before the lift */
} resting;

static int resting_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int resting_gap(void *user, double t, const double *q, double *g)
{
  const resting *p = user;
  const double steps = floor(t / p->dt) - p->rests;
  g[0] = q[0] - p->begin + (steps > 0.0 ? p->lift + steps * p->wobble : 0.0);
  return 0;
}

static int resting_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

/* One lift that directions do not tell of is no contradiction yet, and rounding of the terms of a gap makes
 * it none; what goes on by more than that is one. */
START_TEST(rounding_after_a_lift_is_not_refused)
{
  const int seeds = random_cases(600);
  int refused = 0, meant = 0;
  for (int seed = 0; seed < seeds; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double L = pow(10.0, random_between(&r, -6.0, 6.0)), q = L * random_between(&r, 0.1, 10.0), u = 0.0;
    const int is_wrong = seed % 3 == 0;
    resting p = {q, q * pow(10.0, random_between(&r, -13.0, -6.0)), 0.0, 1e-3, 1 + seed % 4};
    p.wobble = q * (is_wrong ? random_between(&r, 1e-13, 1e-10) : random_between(&r, 1e-17, 4e-16));
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &p;
    def.mass = resting_mass;
    def.gap = resting_gap;
    def.direction = resting_direction;
    nsdyn_stepper_options options = stepper_unchecked();
    options.scheme = seed % 6;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, &q, &u);
    nsdyn_status status = NSDYN_OK;
    for (int k = 0; k < 20 && !status; k++) {
      status = nsdyn_stepper_step(s, p.dt);
    }
    REQUIRE(status == NSDYN_OK || is_wrong, "seed %d: %s", seed, nsdyn_stepper_message(s));
    REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_INCONSISTENT, "seed %d: %s", seed,
            nsdyn_stepper_message(s));
    meant += is_wrong;
    refused += status != NSDYN_OK;
    nsdyn_stepper_free(s);
  }
  ck_assert_int_eq(refused, meant);
}
END_TEST

SUITE("stepper/check/verify_gaps", TEST(rounding_after_a_lift_is_not_refused),
      TEST(what_opens_though_it_closes_is_refused), TEST(slots_that_drift_off_are_refused),
      TEST(what_follows_its_directions_goes_on), TEST(a_row_at_rest_is_not_refused),
      TEST(what_leaves_a_driven_machine_is_not_refused))
