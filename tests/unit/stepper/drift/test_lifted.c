/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/lifted.h"

#include <math.h>
#include <string.h>

#include "stepper/scheme/scheme.h"
#include "stepping.h"

/* ---- a point that flies freely against the outside or the inside of a circle ---- */

typedef struct circle {
  double R, side, M[2]; /* side: 1 outside, −1 inside */
} circle;

static int circle_mass(void *user, double t, const double *q, double *M)
{
  const circle *p = user;
  (void)t, (void)q;
  M[0] = p->M[0];
  M[3] = p->M[1];
  return 0;
}

/* g = ± (q² − R²) / 2R: curved along its own direction, so that Newton's method lifts too far outside. */
static double circle_gap(const circle *p, const double *q)
{
  return p->side * 0.5 * ((q[0] * q[0] + q[1] * q[1]) / p->R - p->R);
}

static void circle_row(const circle *p, const double *q, double *w)
{
  w[0] = p->side * q[0] / p->R;
  w[1] = p->side * q[1] / p->R;
}

static int circle_gaps(void *user, double t, const double *q, double *g)
{
  (void)t;
  g[0] = circle_gap(user, q);
  return 0;
}

static int circle_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)i;
  w_hat[0] = 0.0;
  circle_row(user, q, W);
  return 0;
}

static int circle_find(void *user, double t, const double *q, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  double w[2];
  const nsdyn_contact_block block = {0, 2, w};
  nsdyn_found_contact found;
  (void)t, (void)u, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  circle_row(user, q, w);
  found.key = 7;
  found.gap = circle_gap(user, q);
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

/* Where and when it hits, and the velocity afterwards: u − (1 + ε) γ M⁻¹ w / G. */
static double hit(const circle *p, const double *q, const double *u, double eps, double *after)
{
  const double a = u[0] * u[0] + u[1] * u[1], b = q[0] * u[0] + q[1] * u[1];
  const double c = q[0] * q[0] + q[1] * q[1] - p->R * p->R;
  const double t = (-b - p->side * sqrt(b * b - a * c)) / a;
  const double at[2] = {q[0] + t * u[0], q[1] + t * u[1]};
  double w[2];
  circle_row(p, at, w);
  const double G = w[0] * w[0] / p->M[0] + w[1] * w[1] / p->M[1];
  const double impulse = -(1.0 + eps) * (w[0] * u[0] + w[1] * u[1]) / G;
  for (int j = 0; j < 2; j++) {
    after[j] = u[j] + w[j] / p->M[j] * impulse;
  }
  return t;
}

/* The point hits where it is to hit, known in advance or found, by all schemes, with projection and without:
 * what is projected out of a curved surface within the step in which it gets there is still to hit. */
START_TEST(what_is_lifted_out_of_a_curved_surface_still_hits)
{
  static const double units[] = {1.0, 1e-6, 1e4};
  const int seeds = random_cases(1200);
  for (int seed = 0; seed < seeds; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double L = units[seed % 3];
    circle p = {L * random_between(&r, 0.3, 2.0),
                seed % 2 ? 1.0 : -1.0,
                {random_between(&r, 0.5, 3.0), random_between(&r, 0.5, 3.0)}};
    const double eps = random_between(&r, 0.3, 1.0), turn = random_between(&r, 0.0, 6.28);
    const double away = p.R * (p.side > 0.0 ? random_between(&r, 1.2, 2.0) : random_between(&r, 0.0, 0.5));
    /* towards the middle, or across it, not too slantingly */
    const double aside = p.R * random_between(&r, -0.5, 0.5), speed = L * random_between(&r, 0.5, 2.0);
    const double c = cos(turn), s = sin(turn);
    const double q[2] = {away * c - aside * s, away * s + aside * c}, u[2] = {-speed * c, -speed * s};
    double after[2];
    const double when = hit(&p, q, u, eps, after);
    const double fastest = fmax(speed, hypot(after[0], after[1]));
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = eps;
    def.nq = def.nu = 2;
    def.user = &p;
    def.mass = circle_mass;
    if (seed / 2 % 2) {
      def.ncontacts = 1;
      def.gap = circle_gaps;
      def.direction = circle_direction;
    } else {
      def.find = circle_find;
    }
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = seed % 6;
    options.project = seed / 6 % 2;
    nsdyn_stepper *stepper = stepper_for(&def, &law, &options);
    set_state(stepper, q, u);
    /* Until shortly after the hit: a step ends anywhere beside it. */
    const double dt = when * random_between(&r, 0.3, 1.0) / 800.0;
    run(stepper, dt, (int)(when / dt) + 4);
    const double bound = 30.0 * dt * fastest / p.R;
    for (int j = 0; j < 2; j++) {
      REQUIRE(fabs(nsdyn_stepper_u(stepper)[j] - after[j]) <= bound * fastest,
              "seed %d: u[%d] is %.9g, not %.9g", seed, j, nsdyn_stepper_u(stepper)[j], after[j]);
    }
    REQUIRE(circle_gap(&p, nsdyn_stepper_q(stepper)) >=
                (options.project ? -1e-12 * p.R : -2.0 * dt * fastest),
            "seed %d: the gap is %g", seed, circle_gap(&p, nsdyn_stepper_q(stepper)));
    nsdyn_stepper_free(stepper);
  }
}
END_TEST

/* ---- a slider that a spring presses on a seat and on a cam, by turns ---- */

typedef struct valve {
  double m, k, preload, lift, play, turn;
} valve;

static double cam_of(const valve *p, double t)
{
  return 0.5 * p->lift * (1.0 - cos(p->turn * t)) - p->play;
}

static int valve_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  M[0] = ((const valve *)user)->m;
  return 0;
}

static int valve_force(void *user, double t, const double *q, const double *u, double *h)
{
  const valve *p = user;
  (void)t, (void)u;
  h[0] = -p->k * (q[0] + p->preload);
  return 0;
}

static int valve_gap(void *user, double t, const double *q, double *g)
{
  g[0] = q[0] - cam_of(user, t);
  g[1] = q[0];
  return 0;
}

static int valve_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const valve *p = user;
  (void)q;
  W[0] = 1.0;
  w_hat[0] = i ? 0.0 : -0.5 * p->lift * p->turn * sin(p->turn * t);
  return 0;
}

/* Two contacts in one direction cannot both be at zero: the one that lets go is not to be held there. Without
 * restitution the slider is where the higher one is. */
START_TEST(one_contact_hands_over_to_another)
{
  static const double units[] = {1.0, 1e-6, 1e3};
  const int seeds = random_cases(240);
  for (int seed = 0; seed < seeds; seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double L = units[seed % 3], lift = L * random_between(&r, 0.5, 2.0);
    valve p = {random_between(&r, 0.5, 2.0), random_between(&r, 50.0, 200.0), lift, lift, 0.0, 0.0};
    /* below the speed at which it floats, m ω² lift/2 < k (preload + lift) */
    p.turn = sqrt(p.k / p.m) * random_between(&r, 0.2, 0.8);
    p.play = lift * random_between(&r, 0.0, 0.3);
    const double eps = seed % 2 ? 0.0 : random_between(&r, 0.1, 0.5), zero = 0.0;
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = eps;
    def.nq = def.nu = 1;
    def.ncontacts = 2;
    def.user = &p;
    def.mass = valve_mass;
    def.force = valve_force;
    def.gap = valve_gap;
    def.direction = valve_direction;
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = seed / 2 % 6;
    options.project = 1;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, &zero, &zero);
    const double dt = 6.2831853 / p.turn / 3000.0;
    for (int k = 0; k < 4000; k++) {
      run(s, dt, 1);
      const double q = nsdyn_stepper_q(s)[0], on = fmax(0.0, cam_of(&p, nsdyn_stepper_time(s)));
      REQUIRE(q >= on - 1e-12 * lift, "seed %d, step %d: %g below %g", seed, k, q, on);
      REQUIRE(eps > 0.0 || q <= on + 10.0 * dt * p.turn * lift, "seed %d, step %d: %g above %g", seed, k, q,
              on);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- what counts as missed ---- */

/* What has landed may have a gap from −noise to 0; what pressed, from −noise to noise; others, any above. */
START_TEST(what_has_landed_is_to_be_closed)
{
  nsd_projection p;
  nsdyn_contact_law law;
  int32_t trace[3] = {nsd_trace(NSDYN_MODE_SLIP_PLUS, 0) | NSD_LIFTED | NSD_LANDED,
                      nsd_trace(NSDYN_MODE_STICK, 0) | NSD_LIFTED, -1};
  memset(&p, 0, sizeof p);
  nsdyn_contact_law_init(&law, sizeof law);
  p.pressed.trace = trace;
  for (int i = 0; i < 3; i++) {
    for (int k = -8; k <= 8; k++) {
      const nsd_closed c = {.law = &law, .index = i, .gap = 0.25 * k};
      const int is_missed = nsd_lifted_missed(&p, &c, 1.0) > 1.0;
      const int expected = i == 0 ? c.gap < -1.0 || c.gap > 0.0 : i == 1 ? fabs(c.gap) > 1.0 : c.gap < -1.0;
      ck_assert_int_eq(is_missed, expected);
      ck_assert_int_eq(nsd_lifted_mode(&p, &c), i == 1 ? NSDYN_MODE_STICK : NSDYN_MODE_OPEN);
      ck_assert_int_eq(nsd_lifted_is(&p, &c), i < 2);
    }
  }
}
END_TEST

SUITE("stepper/drift/lifted", TEST(what_is_lifted_out_of_a_curved_surface_still_hits),
      TEST(one_contact_hands_over_to_another), TEST(what_has_landed_is_to_be_closed))
