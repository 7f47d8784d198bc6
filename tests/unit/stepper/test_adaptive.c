/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/adaptive.h"

#include <math.h>
#include <string.h>

#include "stepper/advance.h"
#include "stepper/scheme/scheme.h"
#include "stepping.h"
#include "support/machines.h"

static nsdyn_stepper_options adaptive(double dt, double tol, double shortest)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.dt = dt;
  options.advance_tol = tol;
  options.shortest = shortest;
  return options;
}

static nsdyn_advance_report advance_report_of(const nsdyn_stepper *s)
{
  nsdyn_advance_report report;
  ck_assert_int_eq(nsdyn_advance_report_init(&report, sizeof report), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_advance_report(s, &report), NSDYN_OK);
  return report;
}

/* A smooth motion: the error follows the tolerance, and steps get as long as it allows. */
START_TEST(errors_of_smooth_motions_follow_the_tolerance)
{
  double last = INFINITY;
  int64_t steps = 0;
  for (double tol = 1e-4; tol > 1e-9; tol *= 0.1) {
    model m;
    model_clear(&m, 1);
    m.K[0] = 4.0;
    const nsdyn_stepper_options options = adaptive(0.5, tol, 0x1p-20);
    nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, &options);
    set_state(s, (double[]){1.0}, (double[]){0.0});
    ck_assert_int_eq(nsdyn_stepper_advance(s, 10.0), NSDYN_OK);
    ck_assert(nsdyn_stepper_time(s) == 10.0);
    const double error = hypot(nsdyn_stepper_q(s)[0] - cos(20.0), 0.5 * nsdyn_stepper_u(s)[0] + sin(20.0));
    const nsdyn_advance_report r = advance_report_of(s);
    REQUIRE(error < 0.5 * last && error <= 2.0 * pow(tol, 2.0 / 3.0) * 20.0, "tol %g: %g", tol, error);
    ck_assert(r.accepted > steps && r.events == 0 && r.longest <= 0.5 && r.shortest > 0.0);
    last = error;
    steps = r.accepted;
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Impacts fall into the shortest steps: the error is of their order, long before steps as long as the others
 * have it. */
START_TEST(impacts_are_met_by_the_shortest_steps)
{
  const exact_bounce ball = {.g = 10.0, .eps = 0.7, .y = 1.0, .v = 0.3};
  for (int32_t scheme = NSDYN_SCHEME_MOREAU; scheme <= NSDYN_SCHEME_GENERALIZED_ALPHA; scheme++) {
    model m;
    machine_ball(&ball, &m);
    nsdyn_stepper_options options = adaptive(1e-2, 1e-4, 1e-5);
    options.scheme = scheme;
    nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
    set_state(s, &ball.y, &ball.v);
    double worst = 0.0;
    for (int k = 1; k <= 30; k++) {
      double y, v;
      ck_assert_int_eq(nsdyn_stepper_advance(s, 0.05 * k), NSDYN_OK);
      (void)exact_bounce_at(&ball, nsdyn_stepper_time(s), &y, &v);
      worst = fmax(worst, fabs(nsdyn_stepper_q(s)[0] - y));
    }
    /* First-order schemes err by ½ g Δt t besides, and their steps are shorter for it. */
    const int is_second = scheme == NSDYN_SCHEME_MOREAU || scheme == NSDYN_SCHEME_MOREAU_JEAN ||
                          scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
    const double bound = is_second ? 2e-5 : 5e-2;
    REQUIRE(worst <= bound, "scheme %d: %g", scheme, worst);
    nsdyn_stepper_free(s);
  }
}
END_TEST

typedef struct watched {
  nsdyn_stepper *s;
  int steps;
} watched;

static int watch_balance(void *user, const nsdyn_stepper *stepper)
{
  watched *w = user;
  (void)stepper;
  const nsdyn_step_energy e = energy_of(w->s);
  const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
  const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                       fabs(e.constraint) + fabs(e.inertia);
  REQUIRE(e.known && fabs(e.after - e.before - sum) <= 1e-11 * scale, "step %d: %g for %g", w->steps,
          e.after - e.before, sum);
  w->steps++;
  return 0;
}

/* What was done is done by whole steps: the balance closes in each that is shown. */
START_TEST(the_balance_closes)
{
  const int cases = random_cases(20);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    watched w = {.steps = 0};
    nsdyn_stepper_options options = adaptive(1e-2, 1e-3, 0x1p-6);
    options.observe = watch_balance;
    options.user = &w;
    options.inelastic = 1;
    nsdyn_stepper *s = random_stepper(&m, &random, 2 + seed % 4, seed % 3, seed % 2, 0, &options);
    w.s = s;
    REQUIRE(nsdyn_stepper_advance(s, 0.05) == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(s));
    ck_assert_int_gt(w.steps, 2);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Attempts that end nowhere leave the bytes of the state, and what follows has the same bits, in every
 * scheme. */
/* Some steps, where the scheme has them for this model: Stewart & Trinkle's M may have no fixed point. */
static nsdyn_status try_steps(nsdyn_stepper *s, int steps)
{
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < steps && status == NSDYN_OK; k++) {
    status = nsdyn_stepper_step(s, 1e-3);
  }
  return status;
}

static void rejections_leave_nothing(int32_t scheme)
{
  static unsigned char before[1 << 17], after[1 << 17];
  const int cases = random_cases(40);
  for (int seed = 0; seed < cases; seed++) {
    model m[2];
    nsdyn_stepper *s[2];
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)seed);
      nsdyn_stepper_options options = adaptive(1e-2, 1e-3, 0x1p-4);
      options.scheme = scheme;
      s[i] = random_stepper(&m[i], &random, 2 + seed % 5, seed % 4, seed % 3, seed % 7 > 4, &options);
      (void)try_steps(s[i], 1 + seed % 5);
    }
    const size_t size = nsdyn_stepper_save(s[1], before, sizeof before);
    const nsdyn_system_def *def = &s[1]->sys->def;
    for (int callback = MODEL_MASS; callback <= MODEL_GAP; callback++) {
      m[1].fails = callback;
      m[1].code = 1;
      const nsdyn_status status = nsdyn_stepper_advance(s[1], 1.0);
      m[1].fails = MODEL_NONE;
      if (callback == MODEL_SOLVE_MASS || (callback == MODEL_GAP && def->ncontacts == 0)) {
        ck_assert_int_eq(nsdyn_stepper_restore(s[1], before, size), NSDYN_OK);
        continue;
      }
      REQUIRE(status == NSDYN_ERR_CALLBACK_RETRY, "scheme %d, seed %d, callback %d: %d", scheme, seed,
              callback, status);
      REQUIRE(nsdyn_stepper_save(s[1], after, sizeof after) == size && memcmp(before, after, size) == 0,
              "scheme %d, seed %d: callback %d", scheme, seed, callback);
    }
    ck_assert_int_eq(try_steps(s[0], 3), try_steps(s[1], 3));
    REQUIRE(memcmp(nsdyn_stepper_u(s[0]), nsdyn_stepper_u(s[1]), sizeof(double) * (size_t)m[0].nu) == 0,
            "scheme %d, seed %d: other bits", scheme, seed);
    nsdyn_stepper_free(s[0]);
    nsdyn_stepper_free(s[1]);
  }
}

START_TEST(rejections_leave_no_trace)
{
  for (int32_t scheme = 0; nsd_scheme_of(scheme); scheme++) {
    rejections_leave_nothing(scheme);
  }
}
END_TEST

/* ---- what was kept is all that was done ---- */

/* A twin that takes the steps that were kept, and no others. */
typedef struct follower {
  nsdyn_stepper *twin;
  int64_t kept; /* of the report, so far */
  int steps;
} follower;

static void follow(follower *f, double dt, double t_next)
{
  const nsdyn_status status = nsd_advance_try(f->twin, dt, t_next);
  ck_assert_int_eq(nsd_advance_end(f->twin, status, t_next), NSDYN_OK);
  f->twin->busy = NSD_IDLE;
}

static int follow_step(void *user, const nsdyn_stepper *s)
{
  static unsigned char bytes[2][1 << 17];
  follower *f = user;
  const nsdyn_advance_report r = advance_report_of(s);
  const size_t size = sizeof(double) * (size_t)s->sys->def.nu;
  if (r.accepted == f->kept + 2) {
    follow(f, s->dt, s->t_begin); /* the first of two halves */
  }
  follow(f, s->dt, s->t);
  f->kept = r.accepted;
  REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(f->twin), size) == 0 &&
              memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(f->twin), size) == 0,
          "step %d, at %.17g after %lld rejections: other bits", f->steps, s->t, (long long)r.rejected);
  const size_t length = nsdyn_stepper_save(s, bytes[0], sizeof bytes[0]);
  /* But for the last: how long the next step is to be, which the twin is told each time, and the checksum. */
  const size_t common = length - nsd_adaptive_bytes(&s->sys->def) - sizeof(uint64_t);
  REQUIRE(length == nsdyn_stepper_save(f->twin, bytes[1], sizeof bytes[1]) &&
              memcmp(bytes[0], bytes[1], common) == 0,
          "step %d, at %.17g after %lld rejections: other modes, memories or times", f->steps, s->t,
          (long long)r.rejected);
  f->steps++;
  return 0;
}

/* Random models on their way, with contacts that close, open, stick and slide: a twin without a rejection has
 * the same bits after every step, of motion, modes, memory of friction and all that is saved. So warm starts
 * are those of the steps that were kept, too. */
static int rejections_are_forgotten(int32_t scheme)
{
  int rejected = 0;
  const int cases = random_cases(30);
  for (int seed = 0; seed < cases; seed++) {
    model m[2];
    follower f = {.kept = 0};
    nsdyn_stepper *s[2];
    for (int i = 0; i < 2; i++) {
      random_state random = random_seed((uint64_t)seed);
      nsdyn_stepper_options options = adaptive(2e-2, 1e-3, 0x1p-5);
      options.scheme = scheme;
      options.inelastic = 1;
      options.impact = seed % 3 == 2 ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
      options.project = seed % 4 == 3;
      options.observe = follow_step;
      options.user = &f;
      const int known = options.project ? 1 : 1 + random_below(&random, 3);
      s[i] = random_stepper(&m[i], &random, 2 + seed % 5, known, options.project ? 0 : seed % 3, 0, &options);
    }
    f.twin = s[1];
    const nsdyn_status status = nsdyn_stepper_advance(s[0], 0.2);
    REQUIRE(status == NSDYN_OK || status > 0 || status == NSDYN_ERR_INCONSISTENT, "scheme %d, seed %d: %s",
            scheme, seed, nsdyn_stepper_message(s[0]));
    rejected += advance_report_of(s[0]).rejected > 0 && f.steps > 2;
    nsdyn_stepper_free(s[0]);
    nsdyn_stepper_free(s[1]);
  }
  return rejected;
}

START_TEST(rejections_are_forgotten_to_the_bit)
{
  for (int32_t scheme = 0; nsd_scheme_of(scheme); scheme++) {
    const int rejected = rejections_are_forgotten(scheme);
    ck_assert_msg(is_common(rejected, random_cases(30), 2), "scheme %d: %d runs with rejections", scheme,
                  rejected);
  }
}
END_TEST

/* A force that is known only within a way of 0.02 from where the last step that was kept ended. */
typedef struct shy {
  double q;
  int refused;
} shy;

static int shy_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int shy_force(void *user, double t, const double *q, const double *u, double *h)
{
  shy *x = user;
  (void)t, (void)u;
  h[0] = 1.0;
  const int cannot = fabs(q[0] - x->q) > 0.02;
  x->refused += cannot;
  return cannot;
}

static int note_place(void *user, const nsdyn_stepper *stepper)
{
  ((shy *)user)->q = nsdyn_stepper_q(stepper)[0];
  return 0;
}

START_TEST(what_cannot_be_done_here_is_done_by_shorter_steps)
{
  shy x = {.q = 0.0};
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 1;
  def.user = &x;
  def.mass = shy_mass;
  def.force = shy_force;
  nsdyn_stepper_options options = adaptive(0.5, 1e-2, 0x1p-12);
  options.observe = note_place;
  options.user = &x;
  nsdyn_stepper *s = stepper_for(&def, &law, &options);
  set_state(s, (double[]){0.0}, (double[]){1.0});
  ck_assert_int_eq(nsdyn_stepper_advance(s, 2.0), NSDYN_OK);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 4.0, 1e-12);
  const nsdyn_advance_report r = advance_report_of(s);
  ck_assert(x.refused > 0 && r.rejected > 0 && r.longest <= 0.05);
  nsdyn_stepper_free(s);
}
END_TEST

/* The woodpecker over one second, against the exact one. */
static double woodpecker_error(double tol, double dt, double shortest, int64_t *work)
{
  exact_woodpecker toy;
  exact_state begin, at;
  exact_woodpecker_table(&toy);
  ck_assert_int_lt(exact_woodpecker_begin(&toy, &begin), EXACT_NONE);
  at = begin;
  exact_status status = EXACT_EVENT;
  while (status == EXACT_EVENT) {
    status = exact_woodpecker_next(&toy, 1.0L, &at, NULL);
  }
  model m;
  machine_woodpecker(&toy, &m);
  double q[3], u[3], error = 0.0;
  const double size[3] = {0.05, 0.1, 0.6};
  for (int j = 0; j < 3; j++) {
    q[j] = (double)begin.q[j];
    u[j] = (double)begin.u[j];
  }
  const nsdyn_stepper_options options = adaptive(dt, tol, shortest); /* tol 0: fixed steps */
  nsdyn_stepper *s = stepper_of(&m, MACHINE_FLAGS, 0, &options);
  set_state(s, q, u);
  REQUIRE(nsdyn_stepper_advance(s, 1.0) == NSDYN_OK, "%s", nsdyn_stepper_message(s));
  for (int j = 0; j < 3; j++) {
    error = fmax(error, fabs(nsdyn_stepper_q(s)[j] - (double)at.q[j]) / size[j]);
  }
  *work = m.calls[MODEL_FORCE];
  nsdyn_stepper_free(s);
  return error;
}

/* An error of 1e-4 over a second, and fixed steps with five times the forces do not come near it. */
START_TEST(the_woodpecker_is_followed_by_a_fraction_of_the_work)
{
  int64_t work, fixed_work;
  const double error = woodpecker_error(1e-7, 1e-3, 1e-4, &work);
  REQUIRE(error <= 1e-4 && work <= 60000, "error %g at %lld forces", error, (long long)work);
  const double fixed = woodpecker_error(0.0, 0.2 / (double)work, 1.0, &fixed_work);
  REQUIRE(fixed_work > 4 * work && fixed > 1e-3, "fixed steps: %g at %lld forces", fixed,
          (long long)fixed_work);
}
END_TEST

/* The ball of a rod in its socket on a crank: a point that a spring holds, in a circle as wide as the
 * clearance, which goes round. It presses, floats through its clearance and lands again. */
typedef struct socket {
  double r, omega, clearance, k, m;
} socket;

static int socket_mass(void *user, double t, const double *q, double *M)
{
  const socket *p = user;
  (void)t, (void)q;
  M[0] = M[3] = p->m;
  return 0;
}

static int socket_force(void *user, double t, const double *q, const double *u, double *h)
{
  const socket *p = user;
  (void)t, (void)u;
  h[0] = -p->k * (q[0] - 2.0 * p->r);
  h[1] = -9.81 * p->m;
  return 0;
}

/* From the socket's centre to the point; returns how far. */
static double socket_way(const socket *p, double t, const double *q, double *e)
{
  e[0] = q[0] - p->r * cos(p->omega * t);
  e[1] = q[1] - p->r * sin(p->omega * t);
  return hypot(e[0], e[1]);
}

static int socket_gap(void *user, double t, const double *q, double *g)
{
  const socket *p = user;
  double e[2];
  g[0] = p->clearance - socket_way(p, t, q, e);
  return 0;
}

static int socket_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const socket *p = user;
  double e[2];
  const double far = socket_way(p, t, q, e), v = p->r * p->omega;
  (void)i;
  W[0] = -e[0] / far;
  W[1] = -e[1] / far;
  w_hat[0] = (e[0] * -v * sin(p->omega * t) + e[1] * v * cos(p->omega * t)) / far;
  return 0;
}

static nsdyn_stepper *socket_stepper(socket *p, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.user = p;
  def.mass = socket_mass;
  def.force = socket_force;
  def.gap = socket_gap;
  def.direction = socket_direction;
  nsdyn_stepper *s = stepper_for(&def, &law, options);
  set_state(s, (double[]){p->r + p->clearance, 0.0}, (double[]){0.0, p->r * p->omega});
  return s;
}

/* Steps that follow a crank with clearance, split or projected after: of every scheme they come to the motion
 * of very short ones, in fewer steps, and nothing is outside of its socket. */
START_TEST(a_crank_with_clearance_is_followed)
{
  socket p = {.r = 0.05, .omega = 20.0, .clearance = 5e-4, .k = 300.0, .m = 0.2};
  const double t_end = is_brief() ? 0.02 : 0.2, fine = 1e-5;
  nsdyn_stepper_options options = adaptive(fine, 0.0, 1.0);
  options.project = NSDYN_PROJECT_SPLIT;
  nsdyn_stepper *exact = socket_stepper(&p, &options);
  ck_assert_int_eq(nsdyn_stepper_advance(exact, t_end), NSDYN_OK);
  const double *q = nsdyn_stepper_q(exact);
  for (int32_t scheme = 0; nsd_scheme_of(scheme); scheme++) {
    for (int32_t project = NSDYN_PROJECT_AFTER; project <= NSDYN_PROJECT_SPLIT; project++) {
      double e[2];
      const int is_second = scheme == NSDYN_SCHEME_MOREAU || scheme == NSDYN_SCHEME_MOREAU_JEAN ||
                            scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
      options = adaptive(1e-3, is_second ? 1e-5 : 1e-3, 5e-5);
      options.scheme = scheme;
      options.project = project;
      nsdyn_stepper *s = socket_stepper(&p, &options);
      const nsdyn_status status = nsdyn_stepper_advance(s, t_end);
      REQUIRE(status == NSDYN_OK, "scheme %d, way %d: %s", scheme, project, nsdyn_stepper_message(s));
      const double off = hypot(nsdyn_stepper_q(s)[0] - q[0], nsdyn_stepper_q(s)[1] - q[1]);
      const nsdyn_advance_report r = advance_report_of(s);
      REQUIRE(off <= (is_second ? 0.05 : 0.5) * p.clearance, "scheme %d, way %d: %g away", scheme, project,
              off);
      REQUIRE(socket_way(&p, t_end, nsdyn_stepper_q(s), e) <= p.clearance * (1.0 + 1e-9), "scheme %d, way %d",
              scheme, project);
      REQUIRE((double)r.accepted < 0.8 * t_end / fine, "scheme %d, way %d: %lld steps", scheme, project,
              (long long)r.accepted);
      nsdyn_stepper_free(s);
    }
  }
  nsdyn_stepper_free(exact);
}
END_TEST

SUITE("stepper/adaptive", TEST(errors_of_smooth_motions_follow_the_tolerance),
      TEST(impacts_are_met_by_the_shortest_steps), TEST(the_balance_closes), TEST(rejections_leave_no_trace),
      TEST(rejections_are_forgotten_to_the_bit), TEST(what_cannot_be_done_here_is_done_by_shorter_steps),
      TEST(the_woodpecker_is_followed_by_a_fraction_of_the_work), TEST(a_crank_with_clearance_is_followed))
