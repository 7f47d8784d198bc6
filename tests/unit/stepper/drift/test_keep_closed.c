/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Closed contacts on curved, moving and rolling surfaces stay closed, with the forces of closed forms;
 * callbacks that contradict each other are found. */
#include "stepper/drift/keep_closed.h"

#include <math.h>
#include <string.h>

#include "stepping.h"
#include "support/counted_memory.h"

/* A point of 1 kg on y = f(x), a follower on a turning cam, and a wheel; gravity acts along −y. */
enum surface { BOWL, HILL, ROAD, CAM_IN_TIME, CAM_BY_CONSTRAINT, CAM_RELATIVE, WHEEL, SURFACES };

/* How directions are told. */
enum error { RIGHT, SWAPPED, WRONG_SIGN, ZERO, WRONG_GAP, WRONG_BY_TIME };

typedef struct machine {
  enum surface surface;
  enum error error;
  int is_found;
  double omega; /* of cams */
} machine;

static const double gravity = 9.81, base = 1.0, eccentric = 0.2, amplitude = 0.1, wheel_r = 0.5;

static int is_cam(const machine *m)
{
  return m->surface >= CAM_IN_TIME && m->surface <= CAM_RELATIVE;
}

/* The eccentric disk's height above its pivot, under a pointed follower, and derivatives by the angle. */
static void lift(double phi, double f[3])
{
  const double c = cos(phi), s = sin(phi), e = eccentric, r = sqrt(base * base - e * e * c * c);
  f[0] = e * s + r;
  f[1] = e * c + e * e * c * s / r;
  f[2] = -e * s + e * e * ((c * c - s * s) / r - e * e * c * c * s * s / (r * r * r));
}

static void profile(const machine *m, double x, double f[3])
{
  if (is_cam(m)) {
    lift(x, f);
  } else if (m->surface == ROAD || m->surface == WHEEL) {
    f[0] = amplitude * sin(x);
    f[1] = amplitude * cos(x);
    f[2] = -f[0];
  } else {
    const double bend = m->surface == BOWL ? 1.0 : -1.0;
    f[0] = 0.5 * bend * x * x;
    f[1] = bend * x;
    f[2] = bend;
  }
}

/* Where a wheel with its centre at (x, y) is nearest to the road, and the unit normal there. */
static double nearest(const machine *m, double x, double y, double n[2])
{
  double p = x, f[3];
  for (int round = 0; round < 60; round++) {
    profile(m, p, f);
    const double slope = (x - p) + (y - f[0]) * f[1];
    p += slope / (1.0 + f[1] * f[1] - (y - f[0]) * f[2]);
  }
  profile(m, p, f);
  const double size = sqrt(1.0 + f[1] * f[1]);
  n[0] = -f[1] / size;
  n[1] = 1.0 / size;
  return (x - p) * n[0] + (y - f[0]) * n[1] - wheel_r;
}

static int velocities(const machine *m)
{
  return m->surface == CAM_IN_TIME || m->surface == CAM_RELATIVE ? 1 : m->surface == WHEEL ? 3 : 2;
}

static int mass(void *user, double t, const double *q, double *M)
{
  const int nu = velocities(user);
  (void)t, (void)q;
  for (int j = 0; j < nu; j++) {
    M[j * nu + j] = j == 2 ? 0.5 * wheel_r * wheel_r : 1.0;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const machine *m = user;
  (void)q, (void)u;
  h[velocities(m) == 1 ? 0 : 1] = -gravity;
  if (m->surface == CAM_RELATIVE) {
    double f[3];
    lift(m->omega * t, f);
    h[0] -= m->omega * m->omega * f[2]; /* the cam's own acceleration */
  }
  return 0;
}

static double gap_at(const machine *m, double t, const double *q)
{
  double f[3], n[2], g;
  switch (m->surface) {
  case CAM_RELATIVE:
    g = q[0];
    break;
  case CAM_IN_TIME:
    profile(m, m->omega * t, f);
    g = q[0] - f[0];
    break;
  case WHEEL:
    g = nearest(m, q[0], q[1], n);
    break;
  default:
    profile(m, q[0], f);
    g = q[1] - f[0];
    break;
  }
  return m->error == WRONG_GAP ? -g : g;
}

static void direction_at(const machine *m, double t, const double *q, double *W, double *w_hat)
{
  double f[3], n[2];
  const int nu = velocities(m);
  w_hat[0] = 0.0;
  if (m->surface == CAM_IN_TIME || m->surface == CAM_RELATIVE) {
    profile(m, m->omega * t, f);
    W[0] = 1.0;
    w_hat[0] = m->surface == CAM_IN_TIME ? -m->omega * f[1] : 0.0;
  } else if (m->surface == WHEEL) {
    nearest(m, q[0], q[1], n);
    const double rows[6] = {n[0], n[1], 0.0, n[1], -n[0], wheel_r};
    memcpy(W, rows, sizeof rows);
  } else {
    profile(m, q[0], f);
    const double rows[4] = {-f[1], 1.0, 1.0, f[1]};
    memcpy(W, rows, sizeof rows);
  }
  w_hat[0] += m->error == WRONG_BY_TIME ? 1.0 : 0.0;
  for (int j = 0; j < nu; j++) {
    const double normal = W[j];
    if (m->error == SWAPPED) {
      W[j] = W[nu + j];
      W[nu + j] = normal;
    } else if (m->error == ZERO || m->error == WRONG_SIGN) {
      W[j] = m->error == ZERO ? 0.0 : -normal;
    }
  }
}

static int gap(void *user, double t, const double *q, double *g)
{
  g[0] = gap_at(user, t, q);
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)i;
  direction_at(user, t, q, W, w_hat);
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const machine *m = user;
  double W[6] = {0.0}, w_hat[2] = {0.0, 0.0};
  (void)margin;
  direction_at(m, t, q, W, w_hat);
  const nsdyn_contact_block block = {.count = velocities(m), .values = W};
  nsdyn_found_contact c;
  nsdyn_found_contact_init(&c, sizeof c);
  c.key = 7;
  c.gap = gap_at(m, t, q);
  c.w_hat[0] = w_hat[0];
  c.blocks = 1;
  c.block = &block;
  return nsdyn_contact_sink_add(sink, &c);
}

static int turning(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  const machine *m = user;
  g[0] = q[0] - m->omega * t;
  W[0] = 1.0;
  w_hat[0] = -m->omega;
  return 0;
}

static nsdyn_stepper *stepper_on(machine *m, double eps, double mu, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = velocities(m);
  def.user = m;
  def.mass = mass;
  def.force = force;
  if (m->is_found) {
    def.find = find;
  } else {
    def.ncontacts = 1;
    def.gap = gap;
    def.direction = direction;
  }
  if (m->surface == CAM_BY_CONSTRAINT) {
    def.nconstraints = 1;
    def.constraint = turning;
  }
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = mu > 0.0 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.mu = mu;
  law.eps_n = eps;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  int32_t number;
  static counted_memory memory = {.fill = 0xc9}; /* what was not computed is −3e47, and shows */
  nsdyn_context *ctx = counted_context(&memory, NULL);
  ck_assert_int_eq(nsdyn_system_new(ctx, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(m->is_found ? nsdyn_system_add_law(sys, &law, &number)
                               : nsdyn_system_set_contact(sys, 0, &law),
                   NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(ctx, sys, options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  nsdyn_context_free(ctx);
  return s;
}

/* On the surface at x, moving along it with v. */
static void begin_at(nsdyn_stepper *s, const machine *m, double x, double v)
{
  double f[3], q[3] = {x, 0.0, 0.0}, u[3] = {v, 0.0, 0.0};
  profile(m, is_cam(m) ? 0.0 : x, f);
  if (m->surface == CAM_IN_TIME) {
    q[0] = f[0];
    u[0] = m->omega * f[1];
  } else if (m->surface == CAM_BY_CONSTRAINT) {
    q[0] = 0.0;
    q[1] = f[0];
    u[0] = m->omega;
    u[1] = m->omega * f[1];
  } else if (m->surface == CAM_RELATIVE) {
    q[0] = u[0] = 0.0;
  } else if (m->surface == WHEEL) {
    const double size = sqrt(1.0 + f[1] * f[1]);
    q[0] = x - wheel_r * f[1] / size;
    q[1] = f[0] + wheel_r / size;
    u[0] = v / size;
    u[1] = v * f[1] / size;
    u[2] = -v / wheel_r; /* it rolls */
  } else {
    q[1] = f[0];
    u[1] = f[1] * v;
  }
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
}

static nsdyn_contact_state contact_of(const nsdyn_stepper *s, const machine *m)
{
  nsdyn_contact_state c;
  nsdyn_contact_state_init(&c, sizeof c);
  ck_assert_int_eq(m->is_found ? nsdyn_stepper_found_contact(s, 7, &c) : nsdyn_stepper_contact(s, 0, &c),
                   NSDYN_OK);
  return c;
}

/* λ of (−f', 1) in the middle of the last step; NAN of wheels. */
static double exact_force(const nsdyn_stepper *s, const machine *m, double dt)
{
  double f[3];
  if (m->surface == WHEEL) {
    return NAN;
  }
  if (is_cam(m)) {
    lift(m->omega * (nsdyn_stepper_time(s) - 0.5 * dt), f);
    return gravity + m->omega * m->omega * f[2];
  }
  const double v = nsdyn_stepper_u(s)[0];
  profile(m, nsdyn_stepper_q(s)[0] - 0.5 * dt * v, f);
  return (gravity + f[2] * v * v) / (1.0 + f[1] * f[1]);
}

static double energy_at(const nsdyn_stepper *s, const machine *m)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
  const double spin = m->surface == WHEEL ? 0.25 * wheel_r * wheel_r * u[2] * u[2] : 0.0;
  return 0.5 * (u[0] * u[0] + u[1] * u[1]) + spin + gravity * q[1];
}

/* What a run of one length shows. */
typedef struct record {
  int open;      /* steps without the contact, or without a force */
  double force;  /* largest error */
  double jump;   /* largest change from step to step */
  double depth;  /* deepest */
  double gained; /* most energy above that at the beginning */
} record;

static record ride(machine *m, double x, double v, double eps, double mu,
                   const nsdyn_stepper_options *options, double dt, double end)
{
  record r = {.force = 0.0};
  nsdyn_stepper *s = stepper_on(m, eps, mu, options);
  begin_at(s, m, x, v);
  const int has_energy = !is_cam(m);
  const double energy = has_energy ? energy_at(s, m) : 0.0;
  double last = NAN;
  for (int k = 0; k < (int)(end / dt + 0.5); k++) {
    run(s, dt, 1);
    const nsdyn_contact_state c = contact_of(s, m);
    const nsdyn_step_report report = report_of(s);
    const double expected = exact_force(s, m, dt);
    r.open += !c.active || !(c.impulse[0] > 0.0);
    /* Where contacts are not taken in the middle a run that begins along its surface needs some steps. */
    if (k >= (options->scheme == NSDYN_SCHEME_MOREAU ? 0 : 30)) {
      r.force = fmax(r.force, isnan(expected) ? 0.0 : fabs(c.force[0] - expected));
      r.jump = fmax(r.jump, isnan(last) ? 0.0 : fabs(c.force[0] - last));
    }
    r.depth = fmax(r.depth, -c.gap);
    r.gained = fmax(r.gained, has_energy ? energy_at(s, m) - energy : 0.0);
    last = c.force[0];
    REQUIRE(report.gap <= report.gap_bound && report.constraint <= report.constraint_bound &&
                report.velocity <= report.velocity_bound,
            "step %d: gap %g of %g, constraint %g of %g, velocity %g of %g", k, report.gap, report.gap_bound,
            report.constraint, report.constraint_bound, report.velocity, report.velocity_bound);
  }
  nsdyn_stepper_free(s);
  return r;
}

/* Every step has the contact; forces are of first order, depth and gain of energy of second. */
START_TEST(closed_contacts_stay_closed)
{
  static const struct {
    double x, v, end;
    double force, depth, gained; /* by dt, dt², dt² */
  } rides[SURFACES] = {{0.5, 0.0, 20.0, 20.0, 1.5, 4.0}, {0.0, 1.0, 0.6, 8.0, 0.5, 0.2},
                       {0.5, 1.5, 20.0, 4.0, 0.5, 1.0},  {0.0, 0.0, 5.0, 30.0, 1.5, 0.0},
                       {0.0, 0.0, 5.0, 30.0, 1.5, 0.0},  {0.0, 0.0, 5.0, 30.0, 1.5, 0.0},
                       {0.5, 1.0, 10.0, 50.0, 1.5, 5.0}};
  static const double steps[] = {1e-2, 2e-3, 4e-4};
  for (int k = 0; k < SURFACES * 2 * 2 * 2 * (is_quick() ? 2 : 3); k++) {
    machine m = {.surface = (enum surface)(k % SURFACES), .is_found = k / SURFACES % 2, .omega = 3.3};
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.project = k / SURFACES / 2 % 2;
    const double eps = k / SURFACES / 4 % 2 ? 0.5 : 0.0, dt = steps[k / SURFACES / 8];
    const double mu = m.surface == WHEEL ? 0.8 : 0.0;
    const int s = (int)m.surface;
    const record r = ride(&m, rides[s].x, rides[s].v, eps, mu, &options, dt, rides[s].end);
    REQUIRE(r.open == 0, "case %d, dt %g: %d steps without the contact", k, dt, r.open);
    REQUIRE(r.force <= rides[s].force * dt, "case %d, dt %g: the force is off by %g dt", k, dt, r.force / dt);
    REQUIRE(r.jump <= 3.0 * rides[s].force * dt, "case %d, dt %g: it jumps by %g dt", k, dt, r.jump / dt);
    REQUIRE(r.depth <= rides[s].depth * dt * dt + 1e-13, "case %d, dt %g: %g dt² deep", k, dt,
            r.depth / dt / dt);
    REQUIRE(r.gained <= rides[s].gained * dt * dt + 1e-12, "case %d, dt %g: %g dt² gained", k, dt,
            r.gained / dt / dt);
  }
}
END_TEST

/* Each scheme with contacts at its own place, without projection and with both: no step without the contact,
 * none with another force than O(Δt) off. */
START_TEST(every_scheme_keeps_what_presses_closed)
{
  static const struct {
    int32_t scheme, gap_term;
    double theta;
  } schemes[] = {{NSDYN_SCHEME_MOREAU, 0, 0.5},           {NSDYN_SCHEME_EULER, 0, 0.5},
                 {NSDYN_SCHEME_MOREAU_JEAN, 0, 0.5},      {NSDYN_SCHEME_MOREAU_JEAN, 0, 0.75},
                 {NSDYN_SCHEME_MOREAU_JEAN, 0, 1.0},      {NSDYN_SCHEME_STEWART_TRINKLE, 0, 0.5},
                 {NSDYN_SCHEME_STEWART_TRINKLE, 1, 0.5},  {NSDYN_SCHEME_ANITESCU_POTRA, 0, 0.5},
                 {NSDYN_SCHEME_GENERALIZED_ALPHA, 0, 0.5}};
  enum { SCHEMES = sizeof schemes / sizeof *schemes };
  const int cases = random_cases(1600);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    machine m = {.surface = (enum surface)random_below(&random, SURFACES), .is_found = k / SCHEMES / 3 % 2};
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = schemes[k % SCHEMES].scheme;
    options.theta = schemes[k % SCHEMES].theta;
    options.gap_term = schemes[k % SCHEMES].gap_term;
    options.project = k / SCHEMES % 3;
    const int is_wheel = m.surface == WHEEL;
    m.omega = random_between(&random, 0.5, 3.3);
    const double eps = random_below(&random, 2) ? random_between(&random, 0.0, 0.6) : 0.0;
    const double mu = is_wheel ? 0.8 : 0.0, dt = exp(random_between(&random, log(2e-4), log(5e-3)));
    /* A hill is left where the force ends; a bowl's rim is climbed no higher than here. */
    const double x = m.surface == HILL ? 0.0 : random_between(&random, -0.8, 0.8);
    const double v = random_between(&random, -1.0, 1.0);
    const double steps = options.project == NSDYN_PROJECT_SPLIT ? 500.0 : 1500.0; /* those are dear */
    const record r = ride(&m, x, v, eps, mu, &options, dt, m.surface == HILL ? 0.5 : fmin(4.0, steps * dt));
    REQUIRE(r.open == 0, "case %d: %d steps without the contact", k, r.open);
    REQUIRE(r.force <= 100.0 * dt && r.jump <= 100.0 * dt,
            "case %d, dt %g: the force is off by %g dt, jumps %g dt", k, dt, r.force / dt, r.jump / dt);
    REQUIRE(r.depth <= (options.project ? 1.0 : 3.0) * dt * dt + 1e-13, "case %d, dt %g: %g dt² deep", k, dt,
            r.depth / dt / dt);
    REQUIRE(r.gained <= 10.0 * dt, "case %d, dt %g: %g dt gained", k, dt, r.gained / dt);
  }
}
END_TEST

/* Over a long time nothing adds up. */
START_TEST(nothing_adds_up)
{
  machine m = {.surface = BOWL};
  const nsdyn_stepper_options options = stepper_defaults();
  const double dt = 1e-2;
  const record r = ride(&m, 0.5, 0.0, 0.3, 0.0, &options, dt, 1000.0);
  ck_assert_int_eq(r.open, 0);
  ck_assert(r.depth <= 4.0 * dt * dt && r.gained <= 1e-12);
}
END_TEST

/* With projection too, at any time: where a surface has its inflection nothing but rounding moves the gap. */
START_TEST(a_late_clock_opens_nothing)
{
  for (int k = 0; k < 12; k++) {
    machine m = {.surface = CAM_IN_TIME, .omega = 3.3 + 0.1 * k};
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.project = 1;
    nsdyn_stepper *s = stepper_on(&m, k % 2 ? 0.5 : 0.0, 0.0, &options);
    const double begin = k % 3 ? 1e4 : 1e6, dt = 2e-4;
    double f[3];
    lift(m.omega * begin, f);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, begin, f, (double[]){m.omega * f[1]}), NSDYN_OK);
    for (int step = 0; step < 15000; step++) {
      run(s, dt, 1);
      const double force = state_of(s, 0).force[0], exact = exact_force(s, &m, dt);
      REQUIRE(fabs(force - exact) <= 0.1 * gravity, "case %d, step %d: %g for %g", k, step, force, exact);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Nor does the grain of time shake a force: at 1e6 s a table's height jumps by more, from one clock reading
 * to the next, than its curvature makes of it in steps of some microseconds. */
START_TEST(the_grain_of_time_shakes_no_force)
{
  for (int k = 0; k < 12; k++) {
    machine m = {.surface = CAM_IN_TIME, .omega = 3.3 + 0.1 * k};
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.project = k % 3 == 2;
    nsdyn_stepper *s = stepper_on(&m, 0.0, 0.0, &options);
    const double begin = 1e6 + 0.13 * k, dt = 1e-6 * (2.0 + 0.7 * k);
    double f[3];
    lift(m.omega * begin, f);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, begin, f, (double[]){m.omega * f[1]}), NSDYN_OK);
    run(s, dt, 3);
    for (int step = 0; step < 4000; step++) {
      run(s, dt, 1);
      const double force = state_of(s, 0).force[0], exact = exact_force(s, &m, dt);
      REQUIRE(fabs(force - exact) <= 0.01 * gravity, "case %d, step %d: %g for %g", k, step, force, exact);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

static const double lift_speed = 1.0;
static int lift_is_moving;

static int lift_gap(void *user, double t, const double *q, double *g)
{
  (void)user;
  g[0] = q[1] - (lift_is_moving ? lift_speed * t : 0.0);
  return 0;
}

static int lift_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[0] = lift_is_moving ? -lift_speed : 0.0;
  return 0;
}

/* A ball that has stopped bouncing on the flat floor of a lift presses in each step with its weight.
 * Projection takes the depth away that would keep it closed. */
START_TEST(balls_come_to_rest_in_lifts)
{
  for (int k = 0; k < 2 * 2 * 2 * 3; k++) {
    static machine m = {.surface = BOWL};
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.ncontacts = 1;
    def.user = &m;
    def.mass = mass;
    def.force = force;
    def.gap = lift_gap;
    def.direction = lift_direction;
    def.flags = k % 2 ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0;
    lift_is_moving = k / 2 % 2;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = 0.3;
    const int bounce = k / 8;
    law.eps_n = 0.3 * bounce;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.project = k / 4 % 2;
    nsdyn_system *sys;
    nsdyn_stepper *s;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    set_state(s, (double[]){0.0, 0.01}, (double[]){0.1, 0.0});
    run(s, 1e-3, 1000);
    for (int step = 0; step < 2000; step++) {
      run(s, 1e-3, 1);
      const double pressed = state_of(s, 0).force[0];
      REQUIRE(fabs(pressed - gravity) <= 1e-6 * gravity, "case %d, step %d: force %g", k, step, pressed);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* It lifts off where λ = m (g + Ω² f'') vanishes, found to O(Δt). */
START_TEST(followers_lift_off_at_their_speed)
{
  double least = 0.0;
  for (int k = 0; k < 100000; k++) {
    double f[3];
    lift(k * (6.283185307179586 / 100000), f);
    least = fmin(least, f[2]);
  }
  const double exact = sqrt(gravity / -least);
  for (int way = 0; way < 6; way++) {
    for (int above = 0; above < 2; above++) {
      const double dt = 1e-3;
      machine m = {.surface = (enum surface)(CAM_IN_TIME + way % 3),
                   .omega = exact * (above ? 1.005 : 0.995)};
      nsdyn_stepper_options options = stepper_defaults();
      options.project = way / 3;
      const record r = ride(&m, 0.0, 0.0, 0.0, 0.0, &options, dt, 3.0);
      REQUIRE((r.open > 0) == above, "way %d, above %d: %d steps without the contact", way, above, r.open);
    }
  }
}
END_TEST

/* A real collision bounces, on a curved surface too. */
START_TEST(collisions_still_bounce)
{
  for (int k = 0; k < 4; k++) {
    machine m = {.surface = k % 2 ? HILL : BOWL, .is_found = k / 2};
    const nsdyn_stepper_options options = stepper_defaults();
    nsdyn_stepper *s = stepper_on(&m, 0.5, 0.0, &options);
    set_state(s, (double[]){0.0, 0.2}, (double[]){0.0, 0.0});
    double fell = 0.0;
    while (!contact_of(s, &m).active) {
      fell = nsdyn_stepper_u(s)[1];
      run(s, 1e-3, 1);
    }
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], -0.5 * fell, 1e-12);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Bounces come to an end with projection, too, which takes away the depth that a landing leaves: then every
 * step has the contact, and its force. */
START_TEST(bounces_end_with_projection)
{
  static const double restitutions[] = {0.3, 0.5, 0.6, 0.67, 0.7, 0.81, 0.86};
  for (int k = 0; k < 7 * 2 * 3; k++) {
    machine m = {.surface = k % 2 ? CAM_IN_TIME : BOWL, .omega = 2.0};
    nsdyn_stepper_options options = stepper_defaults();
    options.project = 1;
    const int finer = 1 + k / 14;
    const double dt = 1e-3 / finer, eps = restitutions[k / 2 % 7];
    nsdyn_stepper *s = stepper_on(&m, eps, 0.0, &options);
    double f[3];
    lift(0.0, f);
    set_state(s, k % 2 ? (double[]){f[0] + 0.01} : (double[]){0.0, 0.01},
              k % 2 ? (double[]){m.omega * f[1]} : (double[]){0.3, 0.0});
    run(s, dt, (int)(2.0 / dt));
    for (int step = 0; step < 1000; step++) {
      run(s, dt, 1);
      const double force = contact_of(s, &m).force[0], exact = exact_force(s, &m, dt);
      REQUIRE(fabs(force - exact) <= 0.05 * gravity, "case %d, step %d: force %g for %g", k, step, force,
              exact);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A slide into a valley's other side, a kink, is no curvature: without restitution it gains nothing. */
static int kinked_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - fmax(0.0, 0.3 * q[0]);
  return 0;
}

static int kinked_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = 0.0;
  W[0] = q[0] > 0.0 ? -0.3 : 0.0;
  W[1] = 1.0;
  return 0;
}

START_TEST(kinks_give_no_energy)
{
  for (int k = 0; k < 50; k++) {
    static machine m = {.surface = BOWL};
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = 2;
    def.ncontacts = 1;
    def.user = &m;
    def.mass = mass;
    def.force = force;
    def.gap = kinked_gap;
    def.direction = kinked_direction;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_system *sys;
    nsdyn_stepper *s;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    set_state(s, (double[]){-0.1 - 2e-4 * k, 0.0}, (double[]){10.0, 0.0});
    const double energy = energy_at(s, &m);
    for (int step = 0; step < 60; step++) {
      run(s, 1e-3, 1);
      REQUIRE(energy_at(s, &m) <= energy * (1.0 + 1e-12), "case %d, step %d: %g gained", k, step,
              energy_at(s, &m) - energy);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* The body falls onto the surface; it must not be deep in it when that is noticed, and the state stays. */
START_TEST(contradictions_are_found)
{
  static const enum error errors[] = {SWAPPED, WRONG_SIGN, ZERO, WRONG_BY_TIME};
  for (int k = 0; k < 4 * 2 * 2 * 2; k++) {
    machine m = {.surface = k / 4 % 2 ? ROAD : BOWL, .error = errors[k % 4], .is_found = k / 8 % 2};
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.project = k / 16;
    options.check = 0; /* which finds all of them */
    nsdyn_stepper *s = stepper_on(&m, 0.3, 0.3, &options);
    set_state(s, (double[]){0.2, 0.3}, (double[]){0.0, 0.0});
    nsdyn_status status = NSDYN_OK;
    double y = 0.0, t = 0.0;
    for (int step = 0; status == NSDYN_OK && step < 1000; step++) {
      y = nsdyn_stepper_q(s)[1];
      t = nsdyn_stepper_time(s);
      status = nsdyn_stepper_step(s, 1e-3);
    }
    if (options.project && status > 0) {
      nsdyn_stepper_free(s);
      continue; /* the projection had no solution, and said so */
    }
    REQUIRE(status == NSDYN_ERR_INCONSISTENT, "case %d: %s, y = %g: %s", k, nsdyn_status_name(status), y,
            nsdyn_stepper_message(s));
    const char *name = m.is_found ? "contact with key 7" : "contact 0";
    REQUIRE(strstr(nsdyn_stepper_message(s), name) &&
                strstr(nsdyn_stepper_message(s), "nsdyn_system_check()"),
            "case %d: %s", k, nsdyn_stepper_message(s));
    REQUIRE(nsdyn_stepper_q(s)[1] == y && nsdyn_stepper_time(s) == t, "case %d: the state has changed", k);
    REQUIRE(gap_at(&(machine){.surface = m.surface}, 0.0, nsdyn_stepper_q(s)) > -0.03, "case %d: y = %g", k,
            y);
    nsdyn_detail detail;
    nsdyn_detail_init(&detail, sizeof detail);
    ck_assert_int_eq(nsdyn_stepper_detail(s, &detail), NSDYN_OK);
    ck_assert_int_eq(detail.kind, NSDYN_DETAIL_CONTACT);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* g_b = x − t, told with the direction of y. */
static int crossed(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  (void)user;
  w_hat[0] = 0.0;
  g[0] = q[0] - t;
  W[1] = 1.0;
  return 0;
}

START_TEST(constraints_that_contradict_are_found)
{
  machine m = {.surface = BOWL};
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.user = &m;
  def.mass = mass;
  def.force = force;
  def.constraint = crossed;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.5, 0.0});
  nsdyn_status status = NSDYN_OK;
  int steps = 0;
  for (; status == NSDYN_OK && steps < 1000; steps++) {
    status = nsdyn_stepper_step(s, 1e-3);
  }
  ck_assert_int_eq(status, NSDYN_ERR_INCONSISTENT);
  ck_assert_int_le(steps, 20);
  ck_assert_msg(strstr(nsdyn_stepper_message(s), "constraint 0") != NULL, "%s", nsdyn_stepper_message(s));
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(linear_gaps_have_no_bias)
{
  const int cases = random_cases(200);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, 2 + random_below(&random, 5), 3, 2, 0, NULL);
    for (int i = 0; i < m.contacts; i++) {
      m.contact[i].bend = 0.0;
    }
    for (int step = 0; step < 40; step++) {
      run(s, 2e-3, 1);
      for (int k = 0; s->scene.closed.is_watched && k < s->scene.closed.count; k++) {
        const nsd_past *past = &s->scene.closed.past[k];
        REQUIRE(past->curve == 0.0 && past->bias == 0.0, "seed %d, step %d: bias %g", seed, step, past->bias);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/drift/keep_closed", TEST(closed_contacts_stay_closed),
      TEST(every_scheme_keeps_what_presses_closed), TEST(nothing_adds_up), TEST(a_late_clock_opens_nothing),
      TEST(the_grain_of_time_shakes_no_force), TEST(bounces_end_with_projection),
      TEST(balls_come_to_rest_in_lifts), TEST(followers_lift_off_at_their_speed),
      TEST(collisions_still_bounce), TEST(kinks_give_no_energy), TEST(contradictions_are_found),
      TEST(constraints_that_contradict_are_found), TEST(linear_gaps_have_no_bias))
