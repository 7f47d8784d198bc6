/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cycles and their multipliers, against exact ones. */
#include "hammer_models.h"
#include "study/object.h"
#include "support/exact_brick.h"
#include "support/exact_ode.h"

/* ---- the woodpecker ------------------------------------------------------------------------------------ */

/* Sections of each sort: impacts with and without rebound, sticking, slipping at the friction limit, opening.
 */
START_TEST(the_woodpeckers_cycle_is_exact_from_every_section)
{
  static const struct {
    int32_t kind, contact;
  } section[] = {{NSDYN_EVENT_IMPACT, 0}, {NSDYN_EVENT_STICK, 1}, {NSDYN_EVENT_SLIP, 1},
                 {NSDYN_EVENT_OPEN, 1},   {NSDYN_EVENT_OPEN, 2},  {NSDYN_EVENT_STICK, -1}};
  exact_woodpecker w;
  exact_cycle exact;
  exact_woodpecker_table(&w);
  ck_assert_int_eq(exact_woodpecker_cycle(&w, &exact), EXACT_EVENT);
  for (size_t i = 0; i < sizeof section / sizeof *section; i++) {
    sought s = toy_search(&w, section[i].kind, section[i].contact);
    toy_guess(&s, &w);
    const nsdyn_cycle_find_report r = seek_find(&s);
    ck_assert_double_lt(fabs(r.period - (double)exact.period), 1e-11);
    ck_assert_double_lt(fabs(r.period - 0.145976065143752), 1e-11);
    ck_assert_double_lt(fabs(nsdyn_cycle_shift(s.cycle)[0] + (double)exact.drop), 1e-12);
    ck_assert(nsdyn_cycle_shift(s.cycle)[1] == 0.0 && nsdyn_cycle_shift(s.cycle)[2] == 0.0);
    ck_assert_double_lt(fabs(multiplier(&s, 0) - (double)exact.multiplier), 1e-6);
    ck_assert_double_lt(fabs(multiplier(&s, 0) + 0.839156), 1e-6);
    for (int k = 1; k < 5; k++) {
      ck_assert_double_lt(fabs(multiplier(&s, k)), 1e-5);
    }
    ck_assert(r.found && r.stable && r.unstable == 0 && r.windings == 0 && r.status == NSDYN_OK);
    ck_assert_double_lt(fabs(r.largest - 0.839156), 1e-6);
    ck_assert_double_lt(r.residual, 1e-9);
    ck_assert(nsdyn_cycle_q(s.cycle)[0] == 0.5 && nsdyn_cycle_time(s.cycle) == 0.0); /* as it was set */
    seek_end(&s);
  }
}
END_TEST

/* Where the lower edge begins to slip the exact cycle has its section: state and events of the period. */
START_TEST(the_woodpeckers_state_and_events_are_exact)
{
  exact_woodpecker w;
  exact_cycle exact;
  exact_woodpecker_table(&w);
  ck_assert_int_eq(exact_woodpecker_cycle(&w, &exact), EXACT_EVENT);
  sought s = toy_search(&w, NSDYN_EVENT_SLIP, 1);
  toy_guess(&s, &w);
  seek_find(&s);
  for (int i = 1; i < 3; i++) {
    ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[i] - (double)exact.section.q[i]), 1e-11);
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[i] - (double)exact.section.u[i]), 1e-9);
  }
  const nsdyn_event_driver *driver = nsdyn_cycle_driver(s.cycle);
  const double end = nsdyn_event_driver_time(driver);
  const int64_t count = nsdyn_event_driver_events(driver);
  int impacts = 0;
  for (int64_t k = 0; k < count; k++) {
    nsdyn_event event = {.size = sizeof event};
    ck_assert_int_eq(nsdyn_event_driver_event(driver, k, &event), NSDYN_OK);
    double nearest = INFINITY;
    for (int i = 0; i < exact.events; i++) {
      const double t = end - (double)exact.period + (double)exact.event[i].t;
      nearest = event.contact == exact.event[i].contact ? fmin(nearest, fabs(event.t - t)) : nearest;
    }
    ck_assert_msg(nearest < 1e-9, "%s of contact %d", nsdyn_event_name(event.kind), (int)event.contact);
    impacts += event.kind == NSDYN_EVENT_IMPACT;
  }
  ck_assert_int_ge(count, exact.events - 1);
  ck_assert_int_eq(impacts, 5);
  seek_end(&s);
}
END_TEST

/* n periods taken as one have the multiplier's n-th power, wherever among them the longest phase is; the
 * lower edge hits twice a period. */
START_TEST(several_periods_have_powers_of_the_multiplier)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  for (int n = 2; n <= (is_brief() ? 2 : 4); n++) {
    for (int settle = 2; settle < 5; settle++) {
      sought s = toy_search(&w, NSDYN_EVENT_IMPACT, n % 2);
      s.options.returns = n % 2 ? 2 * n : n;
      s.options.settle = settle;
      toy_guess(&s, &w);
      const nsdyn_cycle_find_report r = seek_find(&s);
      ck_assert_double_lt(fabs(r.period - n * 0.145976065143752), 1e-11);
      ck_assert_double_lt(fabs(multiplier(&s, 0) - pow(-0.839155656, n)), 2e-6);
      seek_end(&s);
    }
  }
}
END_TEST

/* ---- the belt ------------------------------------------------------------------------------------------ */

/* Stick wipes out every deviation: all multipliers are zero. Period and state in closed form. */
START_TEST(the_belts_cycle_is_exact)
{
  const exact_belt belt = {.g = 9.81, .omega = 3.0, .V = 0.2, .mu_static = 0.5, .mu_dynamic = 0.3};
  const exact_belt_cycle exact = exact_belt_solve(&belt);
  static const int32_t kinds[2] = {NSDYN_EVENT_SLIP, NSDYN_EVENT_STICK};
  for (int i = 0; i < 2; i++) {
    points p = {.count = 1, .g = belt.g, .k = belt.omega * belt.omega, .V = {belt.V}};
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = points_mass;
    def.force = points_force;
    def.gap = points_gap;
    def.direction = points_direction;
    sought s = sought_of(&def);
    nsdyn_contact_law law = law_of(belt.mu_dynamic, 0.0);
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu_static = belt.mu_static;
    seek_law(&s, 0, law);
    s.options.kind = kinds[i];
    s.options.contact = 0;
    const double q[2] = {0.1, 0.0}, u[2] = {belt.V, 0.0};
    seek(&s, 0.0, q, u);
    const nsdyn_cycle_find_report r = seek_find(&s);
    ck_assert_double_lt(fabs(r.period - exact.period), 1e-10);
    ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[0] - (i == 0 ? exact.x_start : exact.x_stop)), 1e-10);
    ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - belt.V), 1e-10);
    ck_assert_double_lt(r.largest, 1e-6);
    ck_assert(r.stable);
    ck_assert_int_le(r.iterations, 2);
    seek_end(&s);
  }
}
END_TEST

/* ---- a ball on a shaking table ------------------------------------------------------------------------- */

/* Along the whole branch, far beyond where it is stable. */
START_TEST(the_balls_cycle_is_exact_stable_or_not)
{
  for (int i = 1; i <= 12; i++) {
    table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
    p.A = table_fold(&p) + i / 8.0 * (table_flip(&p) - table_fold(&p));
    const table_cycle exact = table_solve(&p);
    sought s = table_search(&p);
    table_guess(&s, &p, 0.005);
    const nsdyn_cycle_find_report r = seek_find(&s);
    ck_assert_double_lt(fabs(r.period - s.options.forcing), 1e-10);
    ck_assert_int_eq(r.windings, 1);
    if (i != 8) { /* there it is the rounding that decides */
      ck_assert_int_eq(r.stable, i < 8);
      ck_assert_int_eq(r.unstable, i < 8 ? 0 : 1);
    }
    const double late = remainder(nsdyn_cycle_time(s.cycle) - exact.t, s.options.forcing);
    ck_assert_double_lt(fabs(late), 1e-9);
    ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
    ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[0] - p.A * sin(p.omega * exact.t)), 1e-9);
    int32_t count;
    const double *l = nsdyn_cycle_multipliers(s.cycle, &count);
    ck_assert_int_eq(count, 3);
    ck_assert_double_lt(fabs(l[0] + l[2] - exact.trace), 1e-6);
    ck_assert_double_lt(fabs(l[0] * l[2] - l[1] * l[3] - exact.det), 1e-6);
    ck_assert_double_lt(fabs(l[4]), 1e-6);
    seek_end(&s);
  }
}
END_TEST

/* ---- random impact oscillators ------------------------------------------------------------------------- */

/* Distance of multiplier k to the nearer of the two, or to zero. */
static double miss_of(const double *lambda, int k, const long double *re, const long double *im)
{
  double miss = hypot(lambda[2 * k], lambda[2 * k + 1]);
  for (int i = 0; i < 2; i++) {
    const double off =
        hypot((double)((long double)lambda[2 * k] - re[i]), (double)((long double)lambda[2 * k + 1] - im[i]));
    miss = k < 2 ? (i ? fmin(miss, off) : off) : miss;
  }
  return miss;
}

/* In each case the true multipliers are within their errors, and these are no excuse. */
START_TEST(multipliers_are_within_their_errors)
{
  const int cases = random_cases(2000);
  double *excess = malloc((size_t)cases * 2 * sizeof *excess);
  int count = 0;
  ck_assert(excess != NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    exact_hammer_cycle orbit;
    if (!hammer_is_fair(&p, k % 2 ? 1 : -1, &orbit)) {
      continue;
    }
    sought s = hammer_search(&p);
    int32_t n;
    long double re[2], im[2];
    hammer_guess(&s, &p, &orbit, 1e-5);
    const nsdyn_status status = nsdyn_cycle_find(s.cycle);
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_cycle_message(s.cycle));
    const double *lambda = nsdyn_cycle_multipliers(s.cycle, &n);
    const double *error = nsdyn_cycle_multiplier_errors(s.cycle, &n);
    exact_hammer_multipliers(&orbit, re, im);
    const double late = remainder(nsdyn_cycle_time(s.cycle) - (double)orbit.t, s.options.forcing);
    REQUIRE(n == 3 && fabs(late) < 1e-7, "case %d: another orbit", k);
    for (int i = 0; i < 3; i++) {
      const double miss = miss_of(lambda, i, re, im);
      REQUIRE(miss <= error[i], "case %d: multiplier %d, %g%+gi, is off by %g, error %g", k, i, lambda[2 * i],
              lambda[2 * i + 1], miss, error[i]);
      if (i < 2) {
        excess[count++] = error[i] / fmax(miss, 1e-16);
      }
    }
    REQUIRE(result_of(&s).largest_error == error[0], "case %d", k);
    seek_end(&s);
  }
  qsort(excess, (size_t)count, sizeof *excess, is_less);
  ck_assert_int_ge(count, is_brief() ? 0 : random_cases(2000) / 4);
  ck_assert(count == 0 || excess[count / 2] < 1e3);
  free(excess);
}
END_TEST

/* ---- a rocking block ----------------------------------------------------------------------------------- */

/* On ground that shakes with the acceleration A sin ωt, seen from the ground. */
typedef struct shaken {
  block body;
  double A, omega;
} shaken;

static int shaken_force(void *user, double t, const double *q, const double *u, double *h)
{
  const shaken *p = user;
  (void)q, (void)u;
  h[0] = -p->A * sin(p->omega * t);
  h[1] = -p->body.g;
  return 0;
}

/* Housner's equation about the left corner, φ > 0, y = (t, φ, φ̇):
 * 4/3 R² φ̈ = −g (b cos φ − c sin φ) + A sin ωt (b sin φ + c cos φ). */
static void rocking_rate(const void *data, const long double *y, long double *f)
{
  const shaken *p = data;
  const long double b = p->body.b, c = p->body.c, sine = sinl(y[1]), cosine = cosl(y[1]);
  const long double pull = (long double)p->A * sinl((long double)p->omega * y[0]);
  f[0] = 1.0L;
  f[1] = y[2];
  f[2] = (-(long double)p->body.g * (b * cosine - c * sine) + pull * (b * sine + c * cosine)) /
         (4.0L / 3.0L * (b * b + c * c));
}

static long double rocking_height(const void *data, const long double *y)
{
  (void)data;
  return y[1];
}

/* What is left of the speed when the block comes down on its other corner. */
static long double rocking_ratio(const shaken *p)
{
  const long double b = p->body.b, c = p->body.c;
  return 1.0L - 1.5L * b * b / (b * b + c * c);
}

/* From one impact (t, φ̇ after it) to the next, mirrored: a fixed point moves alike to both sides. */
static void rocking_half(const shaken *p, const long double *from, long double *to)
{
  const exact_ode ode = {.n = 3, .rate = rocking_rate, .until = rocking_height, .data = p};
  long double y[3] = {from[0], 0.0L, from[1]};
  exact_ode_run(&ode, 2.0L, 80, y);
  to[0] = y[0] - 3.14159265358979323846L / (long double)p->omega;
  to[1] = -rocking_ratio(p) * y[2];
}

static void rocking_derivative(const shaken *p, const long double *x, long double *J)
{
  const long double h = 1e-5L;
  for (int k = 0; k < 2; k++) {
    long double y[2] = {x[0], x[1]}, high[2], low[2];
    y[k] = x[k] + h;
    rocking_half(p, y, high);
    y[k] = x[k] - h;
    rocking_half(p, y, low);
    J[k] = (high[0] - low[0]) / (2.0L * h);
    J[2 + k] = (high[1] - low[1]) / (2.0L * h);
  }
}

/* Newton's method on the half map. */
static void rocking_solve(const shaken *p, long double *x, long double *J)
{
  for (int i = 0; i < 12; i++) {
    long double to[2];
    rocking_half(p, x, to);
    rocking_derivative(p, x, J);
    const long double a = 1.0L - J[0], b = -J[1], c = -J[2], d = 1.0L - J[3], det = a * d - b * c;
    const long double r = to[0] - x[0], q = to[1] - x[1];
    x[0] += (d * r - b * q) / det;
    x[1] += (a * q - c * r) / det;
  }
  rocking_derivative(p, x, J);
}

/* No slip, no rebound; where it stands does not matter. */
START_TEST(the_rocking_blocks_response_is_exact)
{
  shaken p = {.body = {.b = 0.25, .c = 1.0, .g = 9.81, .has_bias = 1}, .A = 5.0, .omega = 10.0};
  nsdyn_system_def def = table(3, 2, &p);
  def.mass = block_mass;
  def.force = shaken_force;
  def.gap = block_gap;
  def.direction = block_direction;
  def.bias = block_bias;
  sought s = sought_of(&def);
  seek_law(&s, 0, law_of(50.0, 0.0));
  seek_law(&s, 1, law_of(50.0, 0.0));
  s.options.kind = NSDYN_EVENT_IMPACT; /* of the left corner: from then on φ > 0 */
  s.options.contact = 0;
  s.options.forcing = 2.0 * PI / p.omega;
  s.options.drift = toy_drift;
  s.options.settle = 12;
  const double phi = 0.05;
  const double q[3] = {p.body.b * (cos(phi) - 1.0) - p.body.c * sin(phi),
                       p.body.b * sin(phi) + p.body.c * cos(phi), phi};
  const double u[3] = {0.0, 0.0, 0.0};
  seek(&s, 0.0, q, u);
  const nsdyn_cycle_find_report r = seek_find(&s);
  long double x[2] = {0.30L, 0.56L}, J[4];
  rocking_solve(&p, x, J);
  ck_assert_double_lt(fabs(r.period - s.options.forcing), 1e-9);
  ck_assert_int_eq(r.windings, 1);
  ck_assert_double_lt(fabs(remainder(nsdyn_cycle_time(s.cycle) - (double)x[0], s.options.forcing)), 1e-9);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[2] - (double)x[1]), 1e-9);
  ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[2]), 1e-10);
  ck_assert_double_lt(fabs(nsdyn_cycle_shift(s.cycle)[0]), 1e-10); /* it does not walk */
  /* the half map twice; energy is lost twice by the square of the ratio, phase space shrinks by nothing else
   */
  const double half_trace = (double)(J[0] + J[3]), half_det = (double)(J[0] * J[3] - J[1] * J[2]);
  int32_t count;
  const double *l = nsdyn_cycle_multipliers(s.cycle, &count);
  ck_assert_int_eq(count, 6);
  ck_assert_double_lt(fabs(l[0] + l[2] - (half_trace * half_trace - 2.0 * half_det)), 1e-5);
  ck_assert_double_lt(fabs(l[0] * l[2] - l[1] * l[3] - pow((double)rocking_ratio(&p), 4.0)), 1e-5);
  for (int k = 2; k < count; k++) {
    ck_assert_double_lt(hypot(l[2 * k], l[2 * k + 1]), 1e-5);
  }
  ck_assert(r.stable);
  seek_end(&s);
}
END_TEST

/* ---- smooth motion ------------------------------------------------------------------------------------- */

/* A response known in closed form, from a guess far away: the map is affine, one step finds it. */
START_TEST(a_linear_response_is_found_at_once)
{
  swing p = {.k = 2.0, .delta = 0.1, .F = 1.0};
  sought s = swing_search(&p);
  const double x = 5.0, v = -3.0;
  swing_options(&s);
  seek(&s, 1.0, &x, &v);
  const nsdyn_cycle_find_report r = seek_find(&s);
  const double gain = 1.0 / ((p.k - 1.0) * (p.k - 1.0) + 4.0 * p.delta * p.delta);
  ck_assert_double_lt(fabs(nsdyn_cycle_q(s.cycle)[0] - (p.k - 1.0) * gain), 1e-9); /* at t = 2 π n */
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - 2.0 * p.delta * gain), 1e-9);
  ck_assert_double_lt(fabs(nsdyn_cycle_time(s.cycle) - 2.0 * PI), 1e-9);
  ck_assert_int_le(r.iterations, 2);
  ck_assert_double_lt(fabs(r.largest - exp(-p.delta * 2.0 * PI)), 1e-7);
  seek_end(&s);
}
END_TEST

/* No body at all, nothing but time that passes. */
START_TEST(nothing_has_its_cycle_too)
{
  for (int is_driven = 0; is_driven < 2; is_driven++) {
    points none = {.count = 0};
    nsdyn_system_def def = table(0, 0, &none);
    def.mass = points_mass;
    sought s = sought_of(&def);
    swing_options(&s);
    s.options.forcing = is_driven ? 2.0 * PI : INFINITY;
    seek(&s, -1.0, NULL, NULL);
    const nsdyn_cycle_find_report r = seek_find(&s);
    int32_t count;
    nsdyn_cycle_multipliers(s.cycle, &count);
    ck_assert_int_eq(count, is_driven);
    ck_assert_double_lt(fabs(r.period - 2.0 * PI), 1e-12);
    ck_assert(r.stable && r.windings == is_driven && r.largest < 1e-9);
    seek_end(&s);
  }
}
END_TEST

/* ---- from one search to the next ----------------------------------------------------------------------- */

/* What was found is found again, and followed when the system changes, without the transient. */
START_TEST(a_cycle_is_followed)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  const double flip = table_flip(&p);
  p.A = 0.97 * flip;
  sought s = table_search(&p);
  table_guess(&s, &p, 0.01);
  seek_find(&s);
  const nsdyn_cycle_find_report again = seek_find(&s);
  ck_assert_int_eq(again.iterations, 0);
  p.A = 1.05 * flip; /* unstable: following the motion would lead away */
  const nsdyn_cycle_find_report r = seek_find(&s);
  const table_cycle exact = table_solve(&p);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
  ck_assert_int_eq(r.unstable, 1);
  ck_assert_double_lt(fabs(multiplier(&s, 0) + multiplier(&s, 1) - exact.trace), 1e-6);
  ck_assert_int_eq(nsdyn_cycle_return(s.cycle), NSDYN_OK); /* from there the motion is followed */
  ck_assert_int_eq(result_of(&s).found, 0);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-8);
  seek_end(&s);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------------------------ */

START_TEST(a_drift_that_is_not_named_is_found)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  sought s = toy_search(&w, NSDYN_EVENT_IMPACT, 0);
  s.options.drift = NULL;
  toy_guess(&s, &w);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_ERR_SINGULAR);
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle),
                   "coordinate 0 shifts and nothing else changes: name it in the option drift");
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_cycle_detail(s.cycle, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_COORDINATE && detail.index == 0);
  const nsdyn_cycle_find_report r = result_of(&s);
  ck_assert(r.status == NSDYN_ERR_SINGULAR && !r.found && r.residual > 0.1 && r.residual < 10.0);
  ck_assert(nsdyn_cycle_q(s.cycle)[0] == 0.5 && nsdyn_cycle_q(s.cycle)[2] == -0.2788); /* as before */
  seek_end(&s);
}
END_TEST

/* Below the fold there is no bounce of the forcing's period. */
START_TEST(what_does_not_exist_is_not_found)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  p.A = 1.02 * table_fold(&p);
  sought s = table_search(&p);
  table_guess(&s, &p, 0.0);
  p.A = 0.95 * table_fold(&p);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_MAX_ITERATIONS);
  ck_assert(strlen(nsdyn_cycle_message(s.cycle)) > 0);
  ck_assert(!result_of(&s).found && result_of(&s).residual > 1e-9);
  seek_end(&s);
}
END_TEST

START_TEST(iterations_are_limited)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  p.A = 0.9 * table_flip(&p);
  sought s = table_search(&p);
  s.options.max_iterations = 1;
  table_guess(&s, &p, 0.02);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_MAX_ITERATIONS);
  const char *message = nsdyn_cycle_message(s.cycle);
  ck_assert_msg(strstr(message, "no cycle after 1 iterations") != NULL, "%s", message);
  ck_assert(strstr(message, "of its scale in a period") != NULL);
  ck_assert_int_eq(result_of(&s).iterations, 1);
  seek_end(&s);
}
END_TEST

/* Without loss every height has its bounce: none is a cycle of its own, unless it is met exactly. */
START_TEST(a_family_is_no_cycle)
{
  points p = {.count = 1, .g = 1.0};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  sought s = sought_of(&def);
  static const int32_t drift[2] = {1, 0};
  seek_law(&s, 0, law_of(0.0, 1.0));
  s.options.kind = NSDYN_EVENT_IMPACT;
  s.options.drift = drift;
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  seek(&s, 0.0, q, u);
  const nsdyn_cycle_find_report r = seek_find(&s);
  ck_assert_double_lt(fabs(r.period - 2.0), 1e-11);
  ck_assert_double_lt(fabs(r.largest - 1.0), 1e-7);
  seek_end(&s);
}
END_TEST

/* Two bodies that fly on together: any place, any speed would do, and no unknown alone is to blame. */
static int pair_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  M[3] = 2.0;
  return 0;
}

static int pair_force(void *user, double t, const double *q, const double *u, double *h)
{
  const double pull = 3.0 * (q[0] - q[1]) + 0.2 * (u[0] - u[1]);
  (void)user, (void)t;
  h[0] = -pull;
  h[1] = pull;
  return 0;
}

START_TEST(what_flies_on_is_no_cycle)
{
  nsdyn_system_def def = table(2, 0, NULL);
  def.mass = pair_mass;
  def.force = pair_force;
  sought s = sought_of(&def);
  swing_options(&s);
  const double q[2] = {0.0, 0.1}, u[2] = {1.0, 1.2};
  seek(&s, -1.0, q, u);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_ERR_SINGULAR);
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle),
                   "the return map's derivative has the eigenvalue 1: the cycle is not isolated");
  seek_end(&s);
}
END_TEST

/* ---- cancelled ----------------------------------------------------------------------------------------- */

static int cancel(void *user, const char *activity, double done)
{
  int *left = user;
  (void)done;
  return strcmp(activity, "nsdyn_cycle_find") == 0 && (*left)-- == 0;
}

START_TEST(a_search_can_be_cancelled)
{
  nsdyn_context_def context;
  nsdyn_context *ctx;
  int left = 1;
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  p.A = 0.9 * table_flip(&p);
  nsdyn_context_def_init(&context, sizeof context);
  context.user = &left;
  context.progress = cancel;
  ck_assert_int_eq(nsdyn_context_new(&context, &ctx, NULL), NSDYN_OK);
  sought s = table_search(&p);
  nsdyn_system_def def = table(1, 1, &p);
  def.mass = table_mass;
  def.force = table_force;
  def.gap = table_gap;
  def.direction = table_direction;
  nsdyn_system_free(s.sys);
  ck_assert_int_eq(nsdyn_system_new(ctx, &def, &s.sys, NULL), NSDYN_OK);
  seek_law(&s, 0, law_of(0.0, p.eps));
  table_guess(&s, &p, 0.01);
  const double t = nsdyn_cycle_time(s.cycle);
  ck_assert_int_eq(nsdyn_cycle_find(s.cycle), NSDYN_CANCELLED);
  ck_assert(nsdyn_cycle_time(s.cycle) == t && result_of(&s).status == NSDYN_CANCELLED);
  left = -1;
  seek_find(&s);
  seek_end(&s);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("study/newton", TEST(the_woodpeckers_cycle_is_exact_from_every_section),
      TEST(the_woodpeckers_state_and_events_are_exact), TEST(several_periods_have_powers_of_the_multiplier),
      TEST(the_belts_cycle_is_exact), TEST(the_balls_cycle_is_exact_stable_or_not),
      TEST(multipliers_are_within_their_errors), TEST(the_rocking_blocks_response_is_exact),
      TEST(a_linear_response_is_found_at_once), TEST(nothing_has_its_cycle_too), TEST(a_cycle_is_followed),
      TEST(a_drift_that_is_not_named_is_found), TEST(what_does_not_exist_is_not_found),
      TEST(iterations_are_limited), TEST(a_family_is_no_cycle), TEST(what_flies_on_is_no_cycle),
      TEST(a_search_can_be_cancelled))
