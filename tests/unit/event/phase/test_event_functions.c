/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* No event is missed, none invented: fast and slow together, grazes, several in one step. */
#include "event_models.h"
#include "support/callbacks.h"
#include "support/model.h"

static const double pi = 3.14159265358979323846;

/* First t with y + v t − ½ g t² − A sin ω t = 0, by brute force and bisection. */
static double first_touch(double y, double v, double g, double A, double omega)
{
  const double step = 0.003 / (omega + 1.0);
  double t = 0.0, low, high;
  while (y + v * t - 0.5 * g * t * t - A * sin(omega * t) > 0.0) {
    t += step;
  }
  for (low = t - step, high = t; high - low > 1e-15 * (1.0 + t);) {
    const double mid = 0.5 * (low + high);
    if (mid == low || mid == high) {
      break;
    }
    *(y + v * mid - 0.5 * g * mid * mid - A * sin(omega * mid) > 0.0 ? &low : &high) = mid;
  }
  return high;
}

/* Balls above floors that shake fast, of which the balls in flight know nothing: the integrator, whose error
 * is zero there, takes steps of many periods of the floor. */
START_TEST(a_shaking_floor_hits_at_the_right_time)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    points p = {.count = 1 + random_below(&r, 3), .g = random_between(&r, 0.5, 2.0)};
    double q[6], u[6], first = INFINITY;
    int who = -1;
    for (int i = 0; i < p.count; i++) {
      p.A[i] = pow(10.0, random_between(&r, -3.0, -0.5));
      p.omega[i] = pow(10.0, random_between(&r, -0.5, 1.7));
      q[2 * i] = u[2 * i] = 0.0;
      q[2 * i + 1] = random_between(&r, 0.5, 2.0);
      u[2 * i + 1] = random_between(&r, -1.0, 1.0);
      const double t = first_touch(q[2 * i + 1], u[2 * i + 1], p.g, p.A[i], p.omega[i]);
      if (t < first) {
        first = t;
        who = i;
      }
    }
    driven s = points_scene(&p, 0.0, 0.5);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, first + 1e-6);
    REQUIRE(events_of(&s) >= 1, "seed %d: missed at %g", k, first);
    const nsdyn_event event = event_of(&s, 0);
    REQUIRE(event.contact == who && fabs(event.t - first) <= 1e-11 + event.t_bound,
            "seed %d: %g off (ω = %g)", k, event.t - first, p.omega[who]);
    scene_end(&s);
  }
}
END_TEST

/* A slow ball beside fast ones on springs: all their impacts with the floor are there, in order. Mass i
 * swings as y = h_i + cos(ω_i t) over its floor at 0, which it hits where h_i < 1; with ε = 1 it comes back.
 */
typedef struct swings {
  int count;
  double h[SCENE_MOST], omega[SCENE_MOST];
} swings;

static int swings_mass(void *user, double t, const double *q, double *M)
{
  const swings *p = user;
  (void)t, (void)q;
  for (int i = 0; i < p->count; i++) {
    M[i * p->count + i] = 1.0;
  }
  return 0;
}

static int swings_force(void *user, double t, const double *q, const double *u, double *h)
{
  const swings *p = user;
  (void)t, (void)u;
  for (int i = 0; i < p->count; i++) {
    h[i] = -p->omega[i] * p->omega[i] * (q[i] - p->h[i]);
  }
  return 0;
}

static int swings_gap(void *user, double t, const double *q, double *g)
{
  const swings *p = user;
  (void)t;
  for (int i = 0; i < p->count; i++) {
    g[i] = q[i];
  }
  return 0;
}

static int swings_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[i] = 1.0;
  return 0;
}

static driven swings_scene(swings *p)
{
  nsdyn_system_def def = table(p->count, p->count, p);
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = swings_mass;
  def.force = swings_force;
  def.gap = swings_gap;
  def.direction = swings_direction;
  driven s = scene_of(&def);
  for (int i = 0; i < p->count; i++) {
    nsdyn_contact_law law = law_of(0.0, 1.0);
    law.friction = NSDYN_FRICTION_NONE;
    scene_law(&s, i, law);
  }
  return s;
}

START_TEST(fast_and_slow_motions_miss_nothing)
{
  const double tolerances[] = {1e-2, 1e-4, 1e-9};
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    swings p = {.count = 4};
    double q[SCENE_MOST], u[SCENE_MOST] = {0.0};
    int hits[SCENE_MOST] = {0}, expected[SCENE_MOST];
    const double t_end = 3.0;
    for (int i = 0; i < p.count; i++) {
      p.omega[i] = pow(10.0, random_between(&r, 0.0, i == 0 ? 2.0 : 1.0));
      p.h[i] = random_below(&r, 4) ? random_between(&r, -0.5, 0.9) : random_between(&r, 1.05, 1.3);
      q[i] = p.h[i] + 1.0;
      /* between two hits it turns once: acos(−h) up to the first, then 2 acos(−h) */
      const double half = fabs(p.h[i]) < 1.0 ? acos(-p.h[i]) / p.omega[i] : INFINITY;
      const double count = (t_end / half + 1.0) / 2.0;
      expected[i] = isfinite(half) ? (int)floor(count) : 0;
      if (fabs(count - floor(count + 0.5)) < 1e-2) {
        p.h[i] = 2.0; /* too near to a border */
        q[i] = 3.0;
        expected[i] = 0;
      }
    }
    driven s = swings_scene(&p);
    s.options.tol = tolerances[k % 3];
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, t_end);
    double last = 0.0;
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i);
      REQUIRE(event.kind == NSDYN_EVENT_IMPACT && event.t >= last, "seed %d", k);
      last = event.t;
      const double half = acos(-p.h[event.contact]) / p.omega[event.contact];
      const double t = (2 * hits[event.contact]++ + 1) * half;
      REQUIRE(fabs(event.t - t) <= 300.0 * s.options.tol * t, "seed %d: hit %d of %d is %g off", k,
              hits[event.contact], event.contact, event.t - t);
    }
    for (int i = 0; i < p.count; i++) {
      REQUIRE(hits[i] == expected[i] || s.options.tol > 1e-3, "seed %d: %d hits of %d, expected %d", k,
              hits[i], i, expected[i]);
    }
    scene_end(&s);
  }
}
END_TEST

/* y = h + cos t just touches the floor, passes above it or hits it. */
START_TEST(grazes_are_told_from_hits_and_misses)
{
  const double depth[] = {0.0, 1e-3, 1e-6, 1e-9, -1e-3, -1e-6, -1e-8};
  for (size_t k = 0; k < sizeof depth / sizeof *depth; k++) {
    swings p = {.count = 1, .h = {1.0 - depth[k]}, .omega = {1.0}};
    const double q[1] = {p.h[0] + 1.0}, u[1] = {0.0};
    driven s = swings_scene(&p);
    s.options.tol = 1e-13;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 6.0);
    if (depth[k] > 0.0) {
      ck_assert_int_eq(event_of(&s, 0).kind, NSDYN_EVENT_IMPACT);
      const double t = acos(-p.h[0]);
      ck_assert_msg(fabs(event_of(&s, 0).t - t) <= 1e-12 / sqrt(depth[k]) + 1e-12, "depth %g: %g off",
                    depth[k], event_of(&s, 0).t - t);
    } else if (depth[k] < 0.0) {
      ck_assert_int_eq(events_of(&s), 0);
    } else { /* one event at most, and nothing happened to the motion */
      ck_assert_int_le(events_of(&s), 2);
      ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - (p.h[0] + cos(6.0))) <= 1e-6);
    }
    scene_end(&s);
  }
}
END_TEST

/* A contact that opens because the floor falls away under it, at exactly the time when its force vanishes. */
START_TEST(a_falling_floor_lets_go_in_time)
{
  for (int k = 0; k < 20; k++) {
    const double g = 1.0, omega = 2.0, A = 0.3 + 0.1 * k; /* lets go where A ω² sin ω t = g */
    points p = {.count = 1, .g = g, .A = {A}, .omega = {omega}};
    driven s = points_scene(&p, 0.3, 0.0);
    s.options.tol = 1e-11;
    const double q[2] = {0.0, 0.0}, u[2] = {0.0, A * omega};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.5 * pi / omega);
    const double t = asin(fmin(g / (A * omega * omega), 1.0)) / omega;
    const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_OPEN, 0);
    ck_assert_msg(event.kind && fabs(event.t - t) <= 1e-10, "A = %g: %g off", A, event.t - t);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_OPEN), 1); /* and does not flutter */
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_IMPACT), 0);
    scene_end(&s);
  }
}
END_TEST

/* Three bodies fall on floors of their own, two of them found; two hit at t = 1, the third a moment before or
 * after, of any length. What has just been hit hides nothing. */
START_TEST(a_contact_that_leaves_hides_no_other)
{
  model m;
  nsdyn_system *sys;
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver;
  model_clear(&m, 4);
  for (int j = 1; j < 4; j++) {
    model_add_contact(&m, 0.0, j, 0, 0.0, 1.0)->key = j;
    m.f[j] = -1.0;
  }
  m.known = 1;
  ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&options, sizeof options), NSDYN_OK);
  options.tol = 1e-12;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL), NSDYN_OK);
  for (int i = 0; i < 40; i++) {
    const int rank = i / 2;
    const double late = pow(10.0, -8.0 + 0.15 * rank) * (i % 2 ? -1.0 : 1.0);
    const double height = 0.5 * (1.0 + late) * (1.0 + late);
    const double q[4] = {0.0, 0.5, height, 0.5}, u[4] = {0.0};
    ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
    const nsdyn_status status = nsdyn_event_driver_advance(driver, 1.9);
    ck_assert_msg(status == NSDYN_OK, "late by %g: %s", late, nsdyn_event_driver_message(driver));
    ck_assert_int_eq(nsdyn_event_driver_events(driver), 3);
    for (int k = 0; k < 3; k++) {
      nsdyn_event event = {.size = sizeof event};
      ck_assert_int_eq(nsdyn_event_driver_event(driver, k, &event), NSDYN_OK);
      const double t = event.contact < 0 && event.key == 2 ? 1.0 + late : 1.0;
      ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
      ck_assert_double_lt(fabs(event.t - t), 1e-11);
    }
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
}
END_TEST

/* One point over the floor, and a second contact whose gap is infinite where `far` says so, else q_y + 1. */
static int far_gap(void *user, double t, const double *q, double *g)
{
  const double *far = user;
  (void)t;
  g[0] = q[1];
  g[1] = *far != 0.0 ? INFINITY : q[1] + 1.0;
  return 0;
}

static int far_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0;
  return 0;
}

START_TEST(a_gap_of_infinity_is_far_away)
{
  double u_end[2];
  for (int k = 0; k < 2; k++) {
    double far = k;
    nsdyn_system_def def = table(2, 2, &far);
    def.mass = unit_mass_2;
    def.force = far_force;
    def.gap = far_gap;
    def.direction = floor_of_q1;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.0, 0.5));
    const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0}; /* falls for 1 s, hops for 1 s, … */
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 5.0);
    ck_assert(fabs(event_of(&s, 0).t - 1.0) <= 1e-13 && fabs(event_of(&s, 1).t - 2.0) <= 1e-13);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_ZENO), 1);
    ck_assert_int_eq(contact_of(&s, 0).active, 1);
    ck_assert(far == 0.0 ? fabs(contact_of(&s, 1).gap - 1.0) <= 1e-12 : contact_of(&s, 1).gap == INFINITY);
    u_end[k] = nsdyn_event_driver_u(s.driver)[1];
    nsdyn_contact_law slot = law_of(0.0, 0.0);
    slot.kind = NSDYN_CONTACT_BILATERAL;
    scene_law(&s, 1, slot); /* which cannot be so wide */
    ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 6.0) == NSDYN_ERR_NOT_FINITE, k);
    scene_end(&s);
  }
  ck_assert(u_end[0] == 0.0 && u_end[1] == 0.0);
}
END_TEST

/* A block rests on a floor under a load that oscillates faster than it grows: 1 is the limit, at which it
 * slides or lifts off. Nothing tells the integrator of it, as nothing moves. */
typedef struct resting {
  int lifts; /* else it is pushed */
  double omega, phi, growth, begins, lasts;
} resting;

static double share_of_limit(const resting *p, double t)
{
  if (p->lasts > 0.0) { /* one push, without corners */
    const double s = sin(pi * (t - p->begins) / p->lasts);
    return t > p->begins && t < p->begins + p->lasts ? 1.25 * s * s * s * s : 0.0;
  }
  const double s = p->growth * t * sin(p->omega * t + p->phi);
  return p->lifts ? s : fabs(s); /* it is pushed to and fro */
}

static double first_passing(const resting *p)
{
  const double step = p->lasts > 0.0 ? 1e-4 * p->lasts : 1e-3 / p->omega;
  double t = p->lasts > 0.0 ? p->begins : 0.9 / p->growth;
  while (share_of_limit(p, t) <= 1.0) {
    t += step;
  }
  double low = t - step, high = t;
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (low + high);
    *(share_of_limit(p, mid) <= 1.0 ? &low : &high) = mid;
  }
  return high;
}

static int resting_force(void *user, double t, const double *q, const double *u, double *h)
{
  const resting *p = user;
  const double share =
      p->lifts || p->lasts > 0.0 ? share_of_limit(p, t) : p->growth * t * sin(p->omega * t + p->phi);
  (void)q, (void)u;
  h[0] = p->lifts ? 0.0 : 5.0 * share;
  h[1] = p->lifts ? -10.0 * (1.0 - share) : -10.0;
  return 0;
}

static void leaves_when_the_limit_is_passed(resting *p, double tol, double t_end, int seed)
{
  const double right = first_passing(p), q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  nsdyn_system_def def = table(2, 1, p);
  def.mass = unit_mass_2;
  def.force = resting_force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.5, 0.0));
  s.options.tol = tol;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, fmax(t_end, right + 1e-3 / p->omega));
  REQUIRE(events_of(&s) >= 2 && event_of(&s, 0).kind == NSDYN_EVENT_CLOSE, "seed %d: missed at %g", seed,
          right);
  const nsdyn_event event = event_of(&s, 1);
  REQUIRE(event.kind == (p->lifts ? NSDYN_EVENT_OPEN : NSDYN_EVENT_SLIP), "seed %d: %s", seed,
          nsdyn_event_name(event.kind));
  REQUIRE(fabs(event.t - right) <= 1e-9 * right + event.t_bound, "seed %d: %g off %g", seed, event.t - right,
          right);
  scene_end(&s);
}

START_TEST(a_load_is_followed_where_nothing_moves)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    resting p = {.omega = pow(10.0, random_between(&r, 0.0, 4.0)), .phi = random_between(&r, 0.0, 6.28)};
    p.growth = p.omega / (2.0 * pi * random_between(&r, 2.3, 100.0));
    p.lifts = k & 1;
    leaves_when_the_limit_is_passed(&p, pow(10.0, random_between(&r, -11.0, -6.0)), 0.0, k);
  }
}
END_TEST

START_TEST(a_push_wakes_what_rests)
{
  const int cases = random_cases(100);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double end = pow(10.0, random_between(&r, -2.0, 3.0));
    resting p = {.lifts = k & 1, .omega = 1.0 / end};
    p.lasts = random_between(&r, 0.03, 0.3) * end;
    p.begins = random_between(&r, 0.0, 0.7) * end;
    leaves_when_the_limit_is_passed(&p, 1e-9, end, k);
  }
}
END_TEST

/* A box whose coordinate is told twice, x and z = x: loads of ±F on the two cancel through the constraint,
 * and a push that grows as t makes it slide when it reaches μ m g. Forces are sums of F then, but F says
 * nothing of how well they are known. */
static int tied_force(void *user, double t, const double *q, const double *u, double *h)
{
  const double *F = user;
  (void)q, (void)u;
  h[0] = t - *F;
  h[1] = -10.0;
  h[2] = *F;
  return 0;
}

static int tied_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = W[3] = 1.0;
  return 0;
}

static int tied_constraint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  (void)user, (void)t;
  w_hat[0] = 0.0;
  g[0] = q[2] - q[0];
  W[0] = -1.0;
  W[2] = 1.0;
  return 0;
}

START_TEST(loads_that_constraints_cancel_hide_no_slip)
{
  static const double loads[] = {0.0, 1e3, 1e6, 1e8, 1e9};
  for (int k = 0; k < 5 * 3; k++) {
    double F = loads[k % 5];
    nsdyn_system_def def = table(3, 1, &F);
    def.mass = unit_mass_3;
    def.force = tied_force;
    def.gap = gap_is_q1;
    def.direction = tied_direction;
    def.nconstraints = 1;
    def.constraint = tied_constraint;
    driven s = scene_of(&def);
    s.options.tol = k / 5 == 0 ? 1e-6 : k / 5 == 1 ? 1e-8 : 1e-10;
    scene_law(&s, 0, law_of(0.3, 0.0));
    scene_drive(&s, 0.0, (double[]){0.0, 0.0, 0.0}, (double[]){0.0, 0.0, 0.0});
    scene_advance(&s, 4.0);
    const nsdyn_event event = event_of(&s, events_of(&s) - 1);
    REQUIRE(event.kind == NSDYN_EVENT_SLIP && fabs(event.t - 3.0) <= 1e-14 * F + 1e-9,
            "F = %g, tol %g: t = %.15g", F, s.options.tol, event.t);
    /* 2 ẍ = t − 3 from t = 3 on */
    REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[0] - 0.25) <= 1e-14 * F + 1e-9, "F = %g, tol %g: u = %.15g",
            F, s.options.tol, nsdyn_event_driver_u(s.driver)[0]);
    scene_end(&s);
  }
}
END_TEST

/* A point that rests on the floor under a load 1 − t, and from t = 1 on under noise, of `size` where it
 * presses and else zero: the force on it grazes zero for as long as the clock ticks, and never falls below.
 * The search for its fall ends all the same, and finds none. */
typedef struct noisy {
  double size;
  int64_t calls, most;
} noisy;

static int noisy_load(void *user, double t, const double *q, const double *u, double *h)
{
  noisy *p = user;
  (void)q, (void)u;
  uint64_t z;
  memcpy(&z, &t, sizeof z);
  random_state r = random_seed(z);
  h[1] = -fmax(1.0 - t, 0.0) - p->size * fmax(random_between(&r, -1.0, 1.0), 0.0);
  return ++p->calls > p->most ? -1 : 0;
}

START_TEST(noise_beside_zero_ends)
{
  const int cases = random_cases(30);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    noisy p = {.size = pow(10.0, random_between(&r, -13.0, -2.0)), .most = 1000000};
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = unit_mass_2;
    def.force = noisy_load;
    def.gap = gap_is_q1;
    def.direction = floor_of_q1;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.0, 0.0));
    scene_drive(&s, 0.0, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
    scene_advance(&s, random_between(&r, 1.1, 3.0));
    REQUIRE(count_kind(&s, NSDYN_EVENT_OPEN) == 0 && nsdyn_event_driver_q(s.driver)[1] == 0.0,
            "seed %d: %d openings", k, count_kind(&s, NSDYN_EVENT_OPEN));
    scene_end(&s);
  }
}
END_TEST

/* ---- what a gap does not show -----------------------------------------------------------------------------
 */

/* A mass on a table at B (sin(ω t + φ) − sin φ), which lets go of it where B ω² sin(ω t + φ) = g. It begins
 * at y = 0, so that no coordinate shows how large the terms of its gap are. */
typedef struct table_top {
  double g, B, omega, phase;
  int calls, most;
} table_top;

static int table_force(void *user, double t, const double *q, const double *u, double *h)
{
  table_top *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->g;
  return ++p->calls > p->most ? -1 : 0;
}

static int table_gap(void *user, double t, const double *q, double *g)
{
  const table_top *p = user;
  g[0] = q[1] - p->B * (sin(p->omega * t + p->phase) - sin(p->phase));
  return 0;
}

static int table_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const table_top *p = user;
  (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[0] = -p->B * p->omega * cos(p->omega * t + p->phase);
  return 0;
}

START_TEST(a_table_whose_way_no_coordinate_shows_lets_go)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double share = random_between(&r, 0.3, 0.97), lets_go = asin(share);
    table_top p = {.g = random_between(&r, 2.0, 20.0), .omega = random_between(&r, 0.5, 20.0), .most = 20000};
    p.B = p.g / (share * p.omega * p.omega);
    p.phase = lets_go - pow(10.0, random_between(&r, -9.0, -5.0));
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = unit_mass_2;
    def.force = table_force;
    def.gap = table_gap;
    def.direction = table_direction;
    driven s = scene_of(&def);
    s.options.check = 0;
    s.options.tol = k % 2 ? 1e-12 : 1e-9;
    scene_law(&s, 0, law_of(0.3, 0.5));
    const double q[2] = {random_between(&r, -1.0, 1.0), 0.0}, u[2] = {0.0, p.B * p.omega * cos(p.phase)};
    scene_drive(&s, 0.0, q, u);
    const double t_event = (lets_go - p.phase) / p.omega, flight = random_between(&r, 0.05, 0.3) / p.omega;
    scene_advance(&s, t_event + flight);
    /* y = Y + Ẏ Δt − ½ g Δt² from where it was let go */
    const double y = p.B * (sin(lets_go) - sin(p.phase)) + p.B * p.omega * cos(lets_go) * flight -
                     0.5 * p.g * flight * flight;
    const double error = fabs(nsdyn_event_driver_q(s.driver)[1] - y);
    REQUIRE(error <= 100.0 * s.options.tol * p.B && count_kind(&s, NSDYN_EVENT_HANDOVER) == 0,
            "seed %d: %g off, %d events", k, error / p.B, events_of(&s));
    scene_end(&s);
  }
}
END_TEST

/* Sizes that the tolerance refers to may be far larger than what slides: it turns round all the same when its
 * velocity vanishes, and not when that has fallen by as much as the tolerance allows. */
START_TEST(what_slides_slowly_turns_in_time)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double mu = random_between(&r, 0.05, 0.6), speed = pow(10.0, random_between(&r, -6.0, -2.0));
    points p = {.count = 1, .g = random_between(&r, 2.0, 20.0)};
    p.F[0] = -(mu + random_between(&r, 0.1, 1.0)) * p.g;
    driven s = points_scene(&p, mu, 0.0);
    const double sizes[4] = {1.0, 1.0, 1e4, 1e4};
    s.options.scale = sizes;
    s.options.tol = 1e-6; /* of 1e4: 0.01, more than `speed` */
    const double q[2] = {0.0, 0.0}, u[2] = {speed, 0.0};
    scene_drive(&s, 0.0, q, u);
    /* u̇ = F − μ g until u = 0, then F + μ g */
    const double t_event = speed / (mu * p.g - p.F[0]), later = random_between(&r, 0.1, 2.0) * t_event;
    scene_advance(&s, t_event + later);
    const double velocity = (p.F[0] + mu * p.g) * later;
    REQUIRE(count_kind(&s, NSDYN_EVENT_REVERSE) == 1 &&
                fabs(nsdyn_event_driver_u(s.driver)[0] - velocity) <= 1e-8 * speed,
            "seed %d: %g of %g, %d events", k, nsdyn_event_driver_u(s.driver)[0] - velocity, speed,
            events_of(&s));
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/event_functions", TEST(a_shaking_floor_hits_at_the_right_time),
      TEST(fast_and_slow_motions_miss_nothing), TEST(grazes_are_told_from_hits_and_misses),
      TEST(a_falling_floor_lets_go_in_time), TEST(a_contact_that_leaves_hides_no_other),
      TEST(a_gap_of_infinity_is_far_away), TEST(a_load_is_followed_where_nothing_moves),
      TEST(a_push_wakes_what_rests), TEST(loads_that_constraints_cancel_hide_no_slip),
      TEST(noise_beside_zero_ends), TEST(a_table_whose_way_no_coordinate_shows_lets_go),
      TEST(what_slides_slowly_turns_in_time))
