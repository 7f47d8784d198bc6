/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two gears with involute teeth on pins, a torque on one and a load on the other: polygons whose touches are
 * found, joints, impacts in the backlash, by events and by steps. */
#include "worlds.h"

#define PI 3.14159265358979323846
#define ALPHA (PI / 7.2) /* pressure angle, 25 degrees: no undercut from 12 teeth on */
#define MODULE 0.01

enum { FLANK = 3, MOST_TEETH = 18, POINTS = 2 * (FLANK + 2) * MOST_TEETH };

typedef struct gears {
  int z[2];
  double r[2],
      thinner[2];      /* pitch radii; by how much less than half of a pitch a tooth is on each side, rad */
  double torque, load; /* load: per rate */
  double play;         /* of z₁ φ₁ + z₂ φ₂, from the middle to where involutes touch */
  double I[2];
  nsdyn_world *world;
  nsdyn_system *sys;
} gears;

static double involute(double a)
{
  return tan(a) - a;
}

/* Teeth between r_f and r_a; the flanks are chords of involutes of the circle r cos α. */
static int32_t draw(const gears *g, int i, double *p)
{
  const double r = g->r[i], rb = r * cos(ALPHA), ra = r + MODULE, rf = r - 1.25 * MODULE, from = fmax(rb, rf);
  const double half = PI / (2.0 * g->z[i]) - g->thinner[i] + involute(ALPHA);
  int32_t n = 0;
  for (int tooth = 0; tooth < g->z[i]; tooth++) {
    for (int k = 0; k < 2 * (FLANK + 2); k++) {
      const int side = k < FLANK + 2 ? -1 : 1, step = side < 0 ? k : 2 * (FLANK + 2) - 1 - k;
      if (step > 0 || rf < from) { /* from the root, straight up to where the involute begins */
        const double at = step == 0 ? rf : from + (ra - from) * (step - 1) / FLANK;
        const double angle = 2.0 * PI * tooth / g->z[i] + side * (half - involute(acos(rb / fmax(at, from))));
        p[2 * n] = at * cos(angle);
        p[2 * n + 1] = at * sin(angle);
        n++;
      }
    }
  }
  return n;
}

static int push(void *user, double t, const double *q, const double *u, double *h)
{
  const gears *g = user;
  (void)t, (void)q;
  h[2] += g->torque;
  h[5] -= g->load * u[5];
  return 0;
}

/* On pins r₁ + r₂ apart, a tooth of the first in the middle of a gap of the second. */
static void make(gears *g, random_state *r)
{
  g->torque = random_between(r, 0.5, 2.0);
  g->load = random_between(r, 0.0, 0.05);
  g->world = worlds_new(random_between(r, 0.0, 0.2));
  g->play = 0.0;
  for (int i = 0; i < 2; i++) {
    g->z[i] = 12 + (int)random_below(r, MOST_TEETH - 11);
    g->r[i] = 0.5 * MODULE * g->z[i];
    g->thinner[i] = 0.08 * MODULE * random_between(r, 0.5, 2.0) / g->r[i];
    g->play += g->z[i] * g->thinner[i];
  }
  for (int i = 0; i < 2; i++) {
    double p[2 * POINTS];
    const int32_t n = draw(g, i, p);
    const nsdyn_body_def def = worlds_body(i * (g->r[0] + g->r[1]), 0.0, i * (PI + PI / g->z[1]));
    const int32_t body = worlds_add(g->world, &def);
    nsdyn_attachment on;
    nsdyn_attachment_init(&on, sizeof on);
    on.density = 78.5;
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
    GOOD(nsdyn_world_attach(g->world, body, shape, &on, NULL));
    nsdyn_shape_free(shape);
    nsdyn_joint_def pin;
    nsdyn_joint_def_init(&pin, sizeof pin);
    pin.kind = NSDYN_JOINT_REVOLUTE;
    pin.body[1] = body;
    pin.anchor[0] = def.pose[0];
    pin.anchor[1] = 0.0;
    GOOD(nsdyn_world_add_joint(g->world, &pin, NULL));
  }
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  own.user = g;
  own.force = push;
  GOOD(nsdyn_world_system(g->world, &own, &g->sys, NULL));
  for (int i = 0; i < 2; i++) {
    GOOD(nsdyn_world_mass(g->world, i, NULL, &g->I[i], NULL));
  }
}

static void drop(gears *g)
{
  nsdyn_system_free(g->sys);
  nsdyn_world_free(g->world);
}

/* Rates go with the teeth: the phase of the mesh stays within the play (chords of flanks make it a little
 * more), so that no tooth is skipped; and the torque's work is at least the energy that is there. */
static void check_mesh(const gears *g, int k, const double *q, const double *u)
{
  const double turn = q[5] - PI - PI / g->z[1], phase = g->z[0] * q[2] + g->z[1] * turn;
  const double energy = 0.5 * (g->I[0] * u[2] * u[2] + g->I[1] * u[5] * u[5]), work = g->torque * q[2];
  REQUIRE(fabs(phase) <= 1.5 * g->play, "case %d: off by %g of the play", k, phase / g->play);
  REQUIRE(energy <= work * (1.0 + 1e-3), "case %d: %g of the work %g", k, energy, work);
}

/* To t_end from event to event; the time of the first impact. */
static double run_events(gears *g, int k, double t_end, double *q)
{
  double u[6], first = NAN;
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.margin = 0.2 * MODULE;
  options.tol = 1e-9;
  options.check = 0;
  nsdyn_event_driver *driver = NULL;
  GOOD(nsdyn_event_driver_new(NULL, g->sys, &options, &driver, NULL));
  GOOD(nsdyn_world_begin(g->world, q, u));
  GOOD(nsdyn_event_driver_set_state(driver, 0.0, q, u));
  for (int i = 1; i <= 10; i++) {
    const nsdyn_status status = nsdyn_event_driver_advance(driver, t_end * i / 10.0);
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_event_driver_message(driver));
    check_mesh(g, k, nsdyn_event_driver_q(driver), nsdyn_event_driver_u(driver));
  }
  nsdyn_event event;
  nsdyn_event_init(&event, sizeof event);
  if (nsdyn_event_driver_event(driver, 0, &event) == NSDYN_OK && event.kind == NSDYN_EVENT_IMPACT) {
    first = event.t;
  }
  memcpy(q, nsdyn_event_driver_q(driver), 6 * sizeof *q);
  nsdyn_event_driver_free(driver);
  return first;
}

static void run_steps(gears *g, int k, int steps, double t_end, double *q)
{
  nsdyn_stepper *stepper = worlds_stepper(g->world, g->sys);
  for (int i = 0; i < steps; i++) {
    const nsdyn_status status = nsdyn_stepper_step(stepper, t_end / steps);
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_stepper_message(stepper));
    check_mesh(g, k, nsdyn_stepper_q(stepper), nsdyn_stepper_u(stepper));
  }
  memcpy(q, nsdyn_stepper_q(stepper), 6 * sizeof *q);
  nsdyn_stepper_free(stepper);
}

/* From rest in the middle of the play, the first gear alone turns until flanks touch: by play / z₁, and more
 * by what chords of flanks leave. A few impacts and sliding flanks later, steps are where the driver is, to
 * their order. */
START_TEST(steps_come_to_the_events)
{
  const int cases = random_cases(3);
  double off[2] = {0.0, 0.0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    gears g;
    double exact[6], q[6];
    make(&g, &r);
    /* as long as the first gear alone takes for a tenth of a tooth to a fifth */
    const double t_end = sqrt(2.0 * random_between(&r, 0.7, 1.2) / g.z[0] * g.I[0] / g.torque);
    const double first = run_events(&g, k, t_end, exact), turn = 0.5 * g.torque / g.I[0] * first * first;
    REQUIRE(g.z[0] * turn >= g.play * (1.0 - 1e-9) && g.z[0] * turn <= 1.5 * g.play, "case %d: %g", k,
            g.z[0] * turn / g.play);
    for (int i = 0; i < 2; i++) {
      run_steps(&g, k, i ? 400 : 100, t_end, q);
      const double miss = fabs(q[2] - exact[2]) / exact[2];
      REQUIRE(miss <= 10.0 / (i ? 400 : 100), "case %d: %g of the way", k, miss);
      off[i] += miss / cases;
    }
    drop(&g);
  }
  REQUIRE(off[1] <= 0.7 * off[0], "%g, %g", off[0], off[1]);
}
END_TEST

/* Over many teeth the gears turn as their numbers of teeth are: the phase of the mesh stays in the play. */
START_TEST(turns_as_teeth_are)
{
  const int cases = random_cases(2);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k + 1000);
    gears g;
    double q[6];
    make(&g, &r);
    const double t_end = sqrt(2.0 * 10.0 * 2.0 * PI / g.z[0] * (g.I[0] + g.I[1]) / g.torque);
    run_steps(&g, k, 500, t_end, q);
    REQUIRE(q[2] * g.z[0] > 2.0 * PI * 2.0, "case %d: %g teeth", k, q[2] * g.z[0] / (2.0 * PI));
    drop(&g);
  }
}
END_TEST

SUITE("public/gears", TEST(steps_come_to_the_events), TEST(turns_as_teeth_are))
