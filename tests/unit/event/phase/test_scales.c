/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sizes that tolerances refer to: of the motion, in any units, after many turns, and where all cancels. */
#include "event/internal.h"

#include <float.h>

#include "event_models.h"
#include "support/callbacks.h"
#include "support/exact_bounce.h"
#include "support/random.h"

/* A ball on a spring over a floor, with friction, in other units: the same bits but for powers of two. */
typedef struct scaled {
  double length, time, mass;
} scaled;

static int scaled_mass(void *user, double t, const double *q, double *M)
{
  const scaled *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->mass;
  return 0;
}

static int scaled_force(void *user, double t, const double *q, const double *u, double *h)
{
  const scaled *p = user;
  const double k = p->mass / (p->time * p->time);
  (void)t, (void)u;
  h[0] = -9.0 * k * q[0];
  h[1] = -k * p->length;
  return 0;
}

static driven scaled_scene(scaled *p)
{
  nsdyn_system_def def = table(2, 1, p);
  def.mass = scaled_mass;
  def.force = scaled_force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.3, 0.5));
  return s;
}

START_TEST(knows_no_units)
{
  scaled one = {1.0, 1.0, 1.0};
  driven plain = scaled_scene(&one);
  const double q[2] = {1.0, 0.7}, u[2] = {0.0, 0.25};
  scene_drive(&plain, 0.0, q, u);
  scene_advance(&plain, 16.0);
  ck_assert_int_ge(events_of(&plain), 10);
  for (int k = -30; k <= 30; k += 12) {
    scaled p = {ldexp(1.0, k), ldexp(1.0, 2 * k / 3), ldexp(1.0, -2 * k)};
    const double speed = p.length / p.time;
    const double q_k[2] = {p.length * q[0], p.length * q[1]}, u_k[2] = {0.0, speed * u[1]};
    driven s = scaled_scene(&p);
    scene_drive(&s, 0.0, q_k, u_k);
    scene_advance(&s, 16.0 * p.time);
    ck_assert_int_eq(events_of(&s), events_of(&plain));
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i), exact = event_of(&plain, i);
      ck_assert_int_eq(event.kind, exact.kind);
      ck_assert_msg(event.t == p.time * exact.t, "2^%d, event %d: %g off", k, i, event.t / p.time - exact.t);
    }
    ck_assert(nsdyn_event_driver_q(s.driver)[0] == p.length * nsdyn_event_driver_q(plain.driver)[0]);
    ck_assert(nsdyn_event_driver_u(s.driver)[0] == speed * nsdyn_event_driver_u(plain.driver)[0]);
    ck_assert_int_eq(report_of(&s).evaluations, report_of(&plain).evaluations);
    scene_end(&s);
  }
  scene_end(&plain);
}
END_TEST

START_TEST(sizes_follow_the_motion_or_the_user)
{
  points p = {.count = 2, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.0);
  const double q[4] = {100.0, 2.0, 0.0, 3.0}, u[4] = {0.0, 0.0, 0.001, 0.0};
  s.options.tol = 1e-6;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  nsdyn_event_driver *d = s.driver;
  ck_assert(d->scales.reference[0] == 100.0 && d->scales.reference[1] == 2.0);
  ck_assert(d->scales.reference[2] >= 0.1 && d->scales.reference[2] < 1.0); /* a thousandth of the largest */
  ck_assert(d->scales.absolute[0] == 1e-6 * 100.0 && d->scales.relative[0] == 1e-6);
  ck_assert(d->scales.reference[4 + 1] > 0.0); /* what will fall has a speed soon */
  scene_end(&s);
  s = points_scene(&p, 0.0, 0.0);
  const double scale[8] = {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0};
  s.options.scale = scale;
  s.options.tol = 1e-6;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.5);
  d = s.driver;
  for (int i = 0; i < 8; i++) {
    ck_assert(d->scales.absolute[i] == 1e-6 * scale[i] && d->scales.relative[i] == 0.0);
  }
  scene_end(&s);
}
END_TEST

/* A point on a spring whose kinematics answers once with a huge number. */
typedef struct liar {
  int64_t calls, lies_at;
} liar;

static int liar_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t;
  M[0] = 1.0 / (1.0 + q[0] * q[0]);
  return 0;
}

static int liar_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)u;
  h[0] = -q[0] - q[0] * q[0] * q[0];
  return 0;
}

static int liar_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  liar *p = user;
  (void)t, (void)q;
  qdot[0] = ++p->calls == p->lies_at ? 1e308 : u[0];
  return 0;
}

START_TEST(a_failed_call_leaves_no_sizes)
{
  double right = 0.0;
  int failures = 0;
  for (int k = 0; k < 300; k++) {
    liar p = {0, k};
    nsdyn_system_def def = table(1, 0, &p);
    def.mass = liar_mass;
    def.force = liar_force;
    def.kinematics = liar_kinematics;
    driven s = scene_of(&def);
    const double q[1] = {1.0}, u[1] = {0.5};
    scene_drive(&s, 0.0, q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 10.0);
    if (status) {
      failures++;
      ck_assert_double_le(s.driver->scales.size[0], 2.0);
      ck_assert_double_le(s.driver->scales.rate[0], 4.0);
      scene_advance(&s, 10.0);
    }
    const double x = nsdyn_event_driver_q(s.driver)[0];
    right = k ? right : x;
    ck_assert_msg(!status || fabs(x - right) <= 1e-7, "call %d: %g off", k, x - right);
    scene_end(&s);
  }
  ck_assert_int_gt(failures, 0);
}
END_TEST

/* A plank (x, y, φ), 1.7 L long and as good as flat, that slides on both ends, μ = 0.2. */
static int plank_mass(void *user, double t, const double *q, double *M)
{
  const double L = *(const double *)user;
  (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = L * L / 3.0;
  return 0;
}

static int plank_gap(void *user, double t, const double *q, double *g)
{
  const double L = *(const double *)user;
  (void)t;
  g[0] = q[1] - L * sin(q[2]) - 0.1 * L * cos(q[2]);
  g[1] = q[1] + 0.7 * L * sin(q[2]) - 0.1 * L * cos(q[2]);
  return 0;
}

static int plank_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const double L = *(const double *)user, side = i ? 0.7 : -1.0;
  (void)t;
  w_hat[0] = w_hat[1] = 0.0;
  W[1] = W[3] = 1.0;
  W[2] = side * L * cos(q[2]) + 0.1 * L * sin(q[2]);
  W[5] = -side * L * sin(q[2]) + 0.1 * L * cos(q[2]);
  return 0;
}

/* The forces of its ends cancel each other in φ'', whose rounding is large in micrometres: no error of
 * steps. It stops after u_0 / (μ g). */
START_TEST(what_cancels_leaves_no_error_but_rounding)
{
  for (int k = 0; k < 30; k++) {
    double L = (1.0 + 0.37 * k) * (k % 3 ? 1e-6 : 1.0);
    nsdyn_system_def def = table(3, 2, &L);
    def.mass = plank_mass;
    def.force = weight_of_q1;
    def.gap = plank_gap;
    def.direction = plank_direction;
    driven s = scene_of(&def);
    s.options.tol = 1e-12;
    s.options.max_steps = 500;
    scene_law(&s, 0, law_of(0.2, 0.0));
    scene_law(&s, 1, law_of(0.2, 0.0));
    const double q[3] = {0.0, 0.1 * L, 0.0}, u[3] = {0.05 * sqrt(9.81 * L), 0.0, 0.0};
    const double stop = u[0] / (0.2 * 9.81), way = 0.5 * u[0] * stop;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    ck_assert(s.driver->scales.drive[5] >= 0.9 * 9.81 / L); /* though φ'' is zero */
    scene_advance(&s, 2.0 * stop);
    ck_assert_msg(fabs(nsdyn_event_driver_q(s.driver)[0] - way) <= 1e-9 * way, "L = %g", L);
    scene_end(&s);
  }
}
END_TEST

/* One mass falls; a force on another one, sin² + cos² − 1 in its callback, is nothing but rounding. */
typedef struct unloaded {
  double load, Omega;
} unloaded;

static int unloaded_force(void *user, double t, const double *q, const double *u, double *h)
{
  const unloaded *p = user;
  const double s = sin(p->Omega * t + 0.3), c = cos(p->Omega * t + 0.3);
  (void)q, (void)u;
  h[0] = -p->load;
  h[1] = p->load * (s * s + c * c - 1.0);
  return 0;
}

/* What begins at zero and has no load has no size either: rounding of others' loads must not shorten steps.
 */
START_TEST(what_has_no_load_asks_for_no_short_steps)
{
  const double tols[] = {1e-6, 1e-9, 1e-12}, units[] = {1.0, 1e6, 1e-3}, begins[] = {0.0, 1.0, 1e3, 1e6};
  for (int i = 0; i < 144; i++) {
    unloaded p = {.load = 9.81 * units[i / 3 % 3], .Omega = 1.0 + 0.05 * i};
    nsdyn_system_def def = table(2, 0, &p);
    def.mass = unit_mass_2;
    def.force = unloaded_force;
    driven s = scene_of(&def);
    s.options.tol = tols[i % 3];
    const double zero[2] = {0.0, 0.0}, t0 = begins[i % 4];
    scene_drive(&s, t0, zero, zero);
    scene_advance(&s, t0 + 0.7);
    const nsdyn_event_report report = report_of(&s);
    ck_assert_msg(report.rejected <= 2 && report.steps <= 40, "case %d: %d steps, %d refused", i,
                  (int)report.steps, (int)report.rejected);
    ck_assert_double_le(fabs(nsdyn_event_driver_q(s.driver)[1]), 1e-15 * p.load);
    scene_end(&s);
  }
}
END_TEST

/* A wheel with an unbalance, φ̈ = −k sin φ, so fast that it turns for ever, and a ball that bounces beside it.
 */
typedef struct wheel {
  double k, g;
} wheel;

static int wheel_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int wheel_force(void *user, double t, const double *q, const double *u, double *h)
{
  const wheel *p = user;
  (void)t, (void)u;
  h[0] = -p->k * sin(q[0]);
  h[1] = -p->g;
  return 0;
}

/* From the angle `turned` to t_end: how far it turns from there, and where the ball is. */
static void turn_wheel(wheel *p, double tol, double eps, double turned, const exact_bounce *ball,
                       double t_end, double *angle, double *y)
{
  nsdyn_system_def def = table(2, 1, p);
  def.mass = wheel_mass;
  def.force = wheel_force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, eps));
  s.options.tol = tol;
  const double q[2] = {turned, ball->y}, u[2] = {3.0 * sqrt(p->k), ball->v};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, t_end);
  *angle = nsdyn_event_driver_q(s.driver)[0] - turned;
  *y = nsdyn_event_driver_q(s.driver)[1];
  scene_end(&s);
}

/* After some turns, or a million, it moves as at first, and the ball as if there was no wheel: an angle that
 * is wound on has no size that errors are a share of. */
START_TEST(turns_of_a_wheel_are_no_length)
{
  const double turn = 2.0 * acos(-1.0);
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double height = pow(10.0, random_between(&r, -4.0, 0.0)),
                 tol = pow(10.0, random_between(&r, -11.0, -8.0));
    const double turns = floor(pow(10.0, random_between(&r, 1.0, 6.0))), w = random_between(&r, 1.0, 10.0);
    wheel p = {.k = w * w, .g = random_between(&r, 0.3, 3.0) * height * w * w};
    const exact_bounce ball = {.g = p.g,
                               .eps = random_between(&r, 0.4, 0.8),
                               .y = height,
                               .v = random_between(&r, -1.0, 1.0) * w * height};
    double speed, angle[2], y[2], exact, v;
    const double t[2] = {exact_bounce_impact(&ball, 4, &speed), exact_bounce_impact(&ball, 5, &speed)};
    const double t_end = t[0] + random_between(&r, 0.1, 0.9) * (t[1] - t[0]);
    turn_wheel(&p, tol, ball.eps, 0.3, &ball, t_end, &angle[0], &y[0]);
    turn_wheel(&p, tol, ball.eps, 0.3 + turns * turn, &ball, t_end, &angle[1], &y[1]);
    const double rounding = 64.0 * DBL_EPSILON * turns * turn;
    (void)exact_bounce_at(&ball, t_end, &exact, &v);
    REQUIRE(fabs(y[1] - exact) <= 1e2 * tol * (height + 1.0),
            "seed %d, %g turns, tol %g, height %g: ball %g off of %g", seed, turns, tol, height, y[1] - exact,
            exact);
    REQUIRE(fabs(angle[1] - angle[0]) <= 1e3 * tol * (1.0 + fabs(angle[0])) + (1.0 + w * t_end) * rounding,
            "seed %d, %g turns, tol %g: it turns by %g less than %g", seed, turns, tol, angle[0] - angle[1],
            angle[0]);
  }
}
END_TEST

enum { LEVERS = 3 };

/* Levers of lengths w that are turned by φ, w φ above surfaces that move with v, without loads; and beside
 * them something that rests far away, or in other units: coordinate 0, and a load on that alone. */
typedef struct levers {
  double m[LEVERS + 1], w[LEVERS], v[LEVERS], load;
} levers;

static int levers_mass(void *user, double t, const double *q, double *M)
{
  const levers *p = user;
  (void)t, (void)q;
  for (int i = 0; i <= LEVERS; i++) {
    M[i * (LEVERS + 2)] = p->m[i];
  }
  return 0;
}

static int levers_force(void *user, double t, const double *q, const double *u, double *h)
{
  const levers *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i <= LEVERS; i++) {
    h[i] = i ? 0.0 : p->load;
  }
  return 0;
}

static int levers_gap(void *user, double t, const double *q, double *g)
{
  const levers *p = user;
  for (int i = 0; i < LEVERS; i++) {
    g[i] = p->w[i] * q[i + 1] - p->v[i] * t;
  }
  return 0;
}

static int levers_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const levers *p = user;
  (void)t, (void)q;
  W[i + 1] = p->w[i];
  w_hat[0] = -p->v[i];
  return 0;
}

/* The first one rests on its surface, the others reach theirs at h/|w φ̇ − v|, from a height that is 1e-11 of
 * the far coordinate and more. */
START_TEST(what_rests_far_away_is_no_length)
{
  for (int seed = 0; seed < random_cases(400); seed++) {
    random_state r = random_seed((uint64_t)seed);
    const double far = pow(10.0, random_between(&r, 3.0, 9.0));
    const double height = far * pow(10.0, random_between(&r, -11.0, -6.0));
    const double slowest = height / random_between(&r, 0.01, 10.0); /* a time */
    levers p = {.m = {1.0}};
    double q[LEVERS + 1] = {far}, u[LEVERS + 1] = {0.0}, hits[LEVERS] = {0.0}, last = 0.0;
    for (int i = 0; i < LEVERS; i++) {
      p.m[i + 1] = pow(10.0, random_between(&r, -3.0, 3.0));
      p.w[i] = pow(10.0, random_between(&r, 0.0, 6.0));
      p.v[i] = random_between(&r, -1.0, 1.0);
      hits[i] = i ? slowest * random_between(&r, 0.1, 1.0) : 0.0;
      q[i + 1] = i ? height * random_between(&r, 0.5, 1.0) / p.w[i] : 0.0;
      u[i + 1] = i ? p.v[i] / p.w[i] - q[i + 1] / hits[i] : p.v[i] / p.w[i];
      last = fmax(last, hits[i]);
    }
    /* Something acts there, and moves it by less than the levers. */
    p.load = seed % 2 ? height / (last * last) * pow(10.0, random_between(&r, -24.0, -1.0)) : 0.0;
    nsdyn_system_def def = table(LEVERS + 1, LEVERS, &p);
    def.mass = levers_mass;
    def.force = levers_force;
    def.gap = levers_gap;
    def.direction = levers_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < LEVERS; i++) {
      scene_law(&s, i, law_of(0.0, random_between(&r, 0.0, 0.9)));
    }
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.001 * last);
    for (int i = 1; i < LEVERS; i++) {
      double t = INFINITY;
      for (int k = 0; k < events_of(&s) && !(t < INFINITY); k++) {
        const nsdyn_event event = event_of(&s, k);
        t = event.contact == i && event.kind == NSDYN_EVENT_IMPACT ? event.t : t;
      }
      REQUIRE(fabs(t - hits[i]) <= 1e-7 * hits[i] + 64.0 * DBL_EPSILON * last,
              "seed %d, %g far: lever %d of %g reaches its surface at %g, %g above it, not at %g", seed, far,
              i, p.w[i], hits[i], p.w[i] * q[i + 1], t);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/scales", TEST(knows_no_units), TEST(sizes_follow_the_motion_or_the_user),
      TEST(a_failed_call_leaves_no_sizes), TEST(what_cancels_leaves_no_error_but_rounding),
      TEST(what_has_no_load_asks_for_no_short_steps), TEST(turns_of_a_wheel_are_no_length),
      TEST(what_rests_far_away_is_no_length))
