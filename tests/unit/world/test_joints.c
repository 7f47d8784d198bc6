/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "worlds.h"

static nsdyn_joint_def joint_of(int32_t kind, int32_t first, int32_t second)
{
  nsdyn_joint_def def;
  nsdyn_joint_def_init(&def, sizeof def);
  def.kind = kind;
  def.body[0] = first;
  def.body[1] = second;
  return def;
}

static int32_t add_joint(nsdyn_world *world, const nsdyn_joint_def *def)
{
  int32_t number = -1;
  ck_assert_msg(nsdyn_world_add_joint(world, def, &number) == NSDYN_OK, "%s", nsdyn_world_message(world));
  return number;
}

/* ∫ dθ/ω of a pendulum from rest at θ₀ to the lowest point, with θ = θ₀ sin-like substitution: T/4 = K(k)/ω₀
 * by the arithmetic-geometric mean. */
static double pendulum_period(double omega0, double theta0)
{
  double a = 1.0, b = cos(0.5 * theta0);
  for (int i = 0; i < 40; i++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return 2.0 * (double)SHAPES_PI / (omega0 * a);
}

/* A bar on a pin is a pendulum: after a period it is back, its energy is what it was, and the pin carries
 * what a textbook says: at the lowest point m g + m ω² l. */
START_TEST(bar_on_a_pin_swings)
{
  const int cases = random_cases(12);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double length = random_between(&random, 0.2, 2.0), theta = random_between(&random, 0.2, 2.8);
    const double l = 0.5 * length, g = 9.81;
    nsdyn_world *world = worlds_new(0.0);
    /* its frame is at the pin, and hangs down at φ = 0 */
    nsdyn_body_def def = worlds_body(0.3, 0.7, theta);
    const int32_t bar = worlds_add(world, &def);
    const double p[] = {-0.01, -length, 0.01, -length, 0.01, 0.0, -0.01, 0.0};
    worlds_attach(world, bar, shapes_make(NSDYN_SHAPE_POLYGON, 4, p, 0.0));
    nsdyn_joint_def pin = joint_of(NSDYN_JOINT_REVOLUTE, bar, NSDYN_GROUND);
    const int32_t joint = add_joint(world, &pin);
    nsdyn_system *sys = worlds_system(world);
    nsdyn_event_driver *driver = worlds_driver(world, sys);
    double m, J, centre[2], pose[3];
    int32_t first, count;
    GOOD(nsdyn_world_mass(world, bar, &m, &J, centre));
    GOOD(nsdyn_world_constraints(world, joint, &first, &count));
    REQUIRE(first == 0 && count == 2);
    REQUIRE(fabs(centre[1] + l) < 1e-14 && fabs(centre[0]) < 1e-15);
    const double inertia = J + m * l * l, period = pendulum_period(sqrt(m * g * l / inertia), theta);
    const double *q = nsdyn_event_driver_q(driver), *u = nsdyn_event_driver_u(driver);
    const double before = worlds_energy(world, 0.0, q, u);
    REQUIRE(nsdyn_event_driver_advance(driver, 0.25 * period) == NSDYN_OK, "%s",
            nsdyn_event_driver_message(driver));
    GOOD(nsdyn_world_pose(world, bar, 0.25 * period, nsdyn_event_driver_q(driver),
                          nsdyn_event_driver_u(driver), pose, NULL));
    REQUIRE(fabs(pose[0] - 0.3) < 1e-9 && fabs(pose[1] - 0.7) < 1e-9, "case %d", k);
    REQUIRE(fabs(pose[2]) < 1e-6 * theta, "case %d: %g", k, pose[2]);
    nsdyn_constraint_state held = {.size = sizeof held};
    GOOD(nsdyn_event_driver_constraint(driver, 1, &held));
    const double omega2 = 2.0 * m * g * l * (1.0 - cos(theta)) / inertia;
    /* the second minus the first: the force pulls the bar up along −W */
    REQUIRE(fabs(-held.force - m * (g + omega2 * l)) < 1e-6 * m * (g + omega2 * l), "case %d: %g", k,
            held.force);
    REQUIRE(nsdyn_event_driver_advance(driver, period) == NSDYN_OK);
    q = nsdyn_event_driver_q(driver);
    u = nsdyn_event_driver_u(driver);
    REQUIRE(fabs(q[2] - theta) < 1e-6 && fabs(u[2]) < 1e-5, "case %d: %g %g", k, q[2] - theta, u[2]);
    REQUIRE(fabs(worlds_energy(world, period, q, u) - before) < 1e-7 * m * g * length, "case %d", k);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* Drives: an angle that goes as a + ωt + b sin t, and a length. */
typedef struct drive {
  double a, omega, b;
} drive;

static int turn(void *user, double t, double *value)
{
  const drive *d = user;
  value[0] = d->omega * t + d->b * sin(t);
  value[1] = d->omega + d->b * cos(t);
  value[2] = -d->b * sin(t);
  return 0;
}

/* A four-bar linkage, its crank turned by a motor: the rocker is where two circles meet, all round, and all
 * is in place to rounding; by events and by steps. */
START_TEST(four_bar_closes)
{
  const int cases = random_cases(10);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    /* Grashof: the crank goes round */
    const double a = random_between(&random, 0.2, 0.3), b = random_between(&random, 0.9, 1.0);
    const double c = random_between(&random, 0.8, 0.9), d = 1.0;
    const double start = random_between(&random, -3.0, 3.0);
    drive motor = {.omega = random_between(&random, 1.0, 5.0), .b = 0.3};
    nsdyn_world *world = worlds_new(0.0);
    const double x = a * cos(start), y = a * sin(start);
    const double way = hypot(d - x, -y), foot = (b * b - c * c + way * way) / (2.0 * way);
    const double up = sqrt(b * b - foot * foot), ex = (d - x) / way, ey = -y / way;
    const double px = x + foot * ex - up * ey, py = y + foot * ey + up * ex;
    nsdyn_body_def crank = worlds_body(0.0, 0.0, start), rod = worlds_body(x, y, atan2(py - y, px - x)),
                   rocker = worlds_body(d, 0.0, atan2(py, px - d));
    nsdyn_body_def *const def[3] = {&crank, &rod, &rocker};
    const double length[3] = {a, b, c};
    int32_t body[3];
    for (int i = 0; i < 3; i++) {
      def[i]->mass = random_between(&random, 0.5, 2.0);
      def[i]->inertia = def[i]->mass * length[i] * length[i] / 12.0;
      def[i]->centre[0] = 0.5 * length[i];
      def[i]->centre[1] = random_between(&random, -0.1, 0.1);
      body[i] = worlds_add(world, def[i]);
    }
    nsdyn_joint_def pin = joint_of(NSDYN_JOINT_REVOLUTE, NSDYN_GROUND, body[0]);
    add_joint(world, &pin);
    pin = joint_of(NSDYN_JOINT_REVOLUTE, body[0], body[1]);
    pin.anchor[0] = a;
    add_joint(world, &pin);
    pin = joint_of(NSDYN_JOINT_REVOLUTE, body[1], body[2]);
    pin.anchor[0] = b;
    add_joint(world, &pin);
    pin = joint_of(NSDYN_JOINT_REVOLUTE, NSDYN_GROUND, body[2]);
    pin.anchor[0] = d;
    add_joint(world, &pin);
    nsdyn_joint_def def_motor = joint_of(NSDYN_JOINT_MOTOR, NSDYN_GROUND, body[0]);
    def_motor.drive = turn;
    def_motor.user = &motor;
    add_joint(world, &def_motor);
    nsdyn_system *sys = worlds_system(world);
    nsdyn_event_driver *driver = worlds_driver(world, sys);
    nsdyn_consistent_report report = {.size = sizeof report};
    REQUIRE(nsdyn_event_driver_consistent(driver, &report) == NSDYN_OK, "case %d: %s", k,
            nsdyn_event_driver_message(driver));
    REQUIRE(report.moved < 1e-9, "case %d: %g", k, report.moved);
    for (int i = 1; i <= 4; i++) {
      const double t = 0.7 * i;
      REQUIRE(nsdyn_event_driver_advance(driver, t) == NSDYN_OK, "case %d: %s", k,
              nsdyn_event_driver_message(driver));
      const double angle = start + motor.omega * t + motor.b * sin(t);
      const double bx = a * cos(angle), by = a * sin(angle), l = hypot(d - bx, by);
      const double f = (b * b - c * c + l * l) / (2.0 * l), h = sqrt(b * b - f * f);
      const double fx = (d - bx) / l, fy = -by / l, tip[2] = {bx + f * fx - h * fy, by + f * fy + h * fx};
      double pose[3];
      GOOD(nsdyn_world_pose(world, body[2], t, nsdyn_event_driver_q(driver), nsdyn_event_driver_u(driver),
                            pose, NULL));
      REQUIRE(fabs(pose[0] + c * cos(pose[2]) - tip[0]) < 1e-7 &&
                  fabs(pose[1] + c * sin(pose[2]) - tip[1]) < 1e-7,
              "case %d, %d: %g, %g", k, i, pose[0] + c * cos(pose[2]) - tip[0],
              pose[1] + c * sin(pose[2]) - tip[1]);
    }
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
    nsdyn_world_free(world);
  }
}
END_TEST

/* A slider on a tilted axis falls with g sin α, its angle and place across held; welded to another body both
 * go as one. */
START_TEST(slider_on_an_axis)
{
  const double tilt = -0.6, way = 0.5 * 9.81 * sin(0.6) * 0.25;
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.2, 0.1, 0.4);
  const int32_t slider = worlds_add(world, &def);
  worlds_attach(world, slider, worlds_box(0.2, 0.1));
  def = worlds_body(0.5, 0.4, -0.3);
  const int32_t rider = worlds_add(world, &def);
  worlds_attach(world, rider, worlds_box(0.3, 0.3));
  nsdyn_joint_def rail = joint_of(NSDYN_JOINT_PRISMATIC, NSDYN_GROUND, slider);
  rail.axis[0] = 3.0 * cos(tilt);
  rail.axis[1] = 3.0 * sin(tilt);
  rail.anchor[0] = 0.2;
  rail.anchor[1] = 0.1;
  add_joint(world, &rail);
  nsdyn_joint_def weld = joint_of(NSDYN_JOINT_WELD, slider, rider);
  add_joint(world, &weld);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 0.5) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double *q = nsdyn_event_driver_q(driver), from[6] = {0.2, 0.1, 0.4, 0.5, 0.4, -0.3};
  for (int i = 0; i < 6; i++) {
    const double moved = i % 3 == 2 ? 0.0 : way * (i % 3 ? sin(tilt) : cos(tilt));
    ck_assert_msg(fabs(q[i] - from[i] - moved) < 1e-9, "%d: %g", i, q[i] - from[i] - moved);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* A stone on a rope whose length is driven keeps m r² ω: the rate is what Kepler says; a distance joint. */
START_TEST(shortened_rope_keeps_the_angular_momentum)
{
  drive rope = {.omega = -0.2, .b = 0.1};
  nsdyn_world *world = NULL;
  nsdyn_world_options options;
  nsdyn_world_options_init(&options, sizeof options);
  options.gravity[1] = 0.0;
  GOOD(nsdyn_world_new(NULL, &options, &world, NULL));
  nsdyn_body_def def = worlds_body(1.5, 0.0, 0.0);
  def.mass = 2.0;
  def.inertia = 0.1;
  def.velocity[1] = 3.0;
  def.velocity[0] = -0.1; /* as the rope begins */
  const int32_t stone = worlds_add(world, &def);
  nsdyn_joint_def joint = joint_of(NSDYN_JOINT_DISTANCE, NSDYN_GROUND, stone);
  joint.anchor[2] = joint.anchor[3] = 0.0;
  joint.drive = turn;
  joint.user = &rope;
  add_joint(world, &joint);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_event_driver *driver = worlds_driver(world, sys);
  ck_assert_msg(nsdyn_event_driver_advance(driver, 3.0) == NSDYN_OK, "%s",
                nsdyn_event_driver_message(driver));
  const double *q = nsdyn_event_driver_q(driver), *u = nsdyn_event_driver_u(driver);
  const double l = 1.5 - 0.6 + 0.1 * sin(3.0);
  ck_assert_msg(fabs(hypot(q[0], q[1]) - l) < 1e-9, "%g", hypot(q[0], q[1]) - l);
  ck_assert_msg(fabs(q[0] * u[1] - q[1] * u[0] - 4.5) < 1e-7, "%g", q[0] * u[1] - q[1] * u[0] - 4.5);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

static int fails(void *user, double t, double *value)
{
  (void)t;
  value[1] = NAN;
  return *(int *)user;
}

/* Joints that cannot be, each named. */
START_TEST(joints_that_cannot_be)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
  def.mass = def.inertia = 1.0;
  const int32_t one = worlds_add(world, &def);
  def.kind = NSDYN_BODY_FIXED;
  const int32_t fixed = worlds_add(world, &def);
  nsdyn_joint_def good = joint_of(NSDYN_JOINT_REVOLUTE, NSDYN_GROUND, one), bad;
  good.name = "hinge";
#define REFUSED(change, words)                                                                               \
  bad = good;                                                                                                \
  change;                                                                                                    \
  ck_assert_int_ne(nsdyn_world_add_joint(world, &bad, NULL), NSDYN_OK);                                      \
  ck_assert_msg(strstr(nsdyn_world_message(world), "joint 0 (hinge): " words), "%s",                         \
                nsdyn_world_message(world))
  REFUSED(bad.kind = 5, "kind");
  REFUSED(bad.kind = -1, "kind");
  REFUSED(bad.touch = 2, "touch");
  REFUSED(bad.body[0] = one, "both bodies are the same");
  REFUSED(bad.body[1] = 7, "there is no body 7");
  REFUSED(bad.body[1] = -2, "there is no body -2");
  REFUSED(bad.body[1] = fixed, "no coordinate moves");
  REFUSED(bad.anchor[0] = NAN, "anchor");
  REFUSED(bad.anchor[3] = INFINITY, "anchor");
  REFUSED((bad.kind = NSDYN_JOINT_DISTANCE), "rest: 0 is not a distance > 0");
  REFUSED((bad.kind = NSDYN_JOINT_MOTOR, bad.rest = INFINITY), "rest");
  REFUSED((bad.kind = NSDYN_JOINT_PRISMATIC, bad.axis[0] = 0.0), "length of its axis");
  REFUSED((bad.kind = NSDYN_JOINT_WELD, bad.drive = fails), "only motors and distances");
#undef REFUSED
  int code = 0;
  bad = good;
  bad.kind = NSDYN_JOINT_MOTOR;
  bad.drive = fails;
  bad.user = &code;
  add_joint(world, &bad);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_ERR_CALLBACK);
  ck_assert_msg(strstr(nsdyn_world_message(world), "joint 0 (hinge): callback drive wrote"), "%s",
                nsdyn_world_message(world));
  code = 3;
  ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_ERR_CALLBACK_RETRY);
  ck_assert_ptr_nonnull(strstr(nsdyn_world_message(world), "joint 0 (hinge): callback drive returned 3"));
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  ck_assert_int_eq(nsdyn_joint_def_init(NULL, 8), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_world_add_joint(NULL, &good, NULL), NSDYN_ERR_ARGUMENT);
  nsdyn_world_free(world);
}
END_TEST

/* A rod whose ends are in one place has no direction: told, not guessed. */
START_TEST(rod_without_a_direction)
{
  nsdyn_world *world = worlds_new(0.0);
  nsdyn_body_def def = worlds_body(0.0, 0.0, 0.0);
  def.mass = def.inertia = 1.0;
  nsdyn_joint_def rod = joint_of(NSDYN_JOINT_DISTANCE, NSDYN_GROUND, worlds_add(world, &def));
  rod.rest = 1.0;
  add_joint(world, &rod);
  nsdyn_system *sys = worlds_system(world);
  nsdyn_stepper *stepper = worlds_stepper(world, sys);
  ck_assert_int_eq(nsdyn_stepper_step(stepper, 1e-3), NSDYN_ERR_CALLBACK_RETRY);
  ck_assert_ptr_nonnull(strstr(nsdyn_world_message(world), "joint 0: its anchors are in one place"));
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_world_free(world);
}
END_TEST

/* ---- driven bodies at the beginning ---- */

typedef struct mover {
  int code, calls;
  double x, rate; /* NaN: not written */
} mover;

static int moves(void *user, double t, double *pose, double *rate, double *acceleration)
{
  mover *m = user;
  int zero = t == 0.0;
  for (int k = 0; k < 3; k++) {
    zero = zero && pose[k] == 0.0 && rate[k] == 0.0 && acceleration[k] == 0.0;
  }
  ck_assert_int_eq(zero, 1);
  m->calls++;
  pose[0] = m->x;
  rate[1] = m->rate;
  acceleration[2] = 0.5;
  return m->code;
}

/* What a driven body's callback says where an anchor or a rest is taken from it: its failures are told as
 * what they are, and it is not asked where nothing is to be taken. */
START_TEST(driven_at_the_beginning)
{
  const struct {
    mover is;
    nsdyn_status status;
    const char *words;
  } table[] = {
      {{0, 0, 2.0, 0.0}, NSDYN_OK, ""},
      {{-7, 0, 2.0, 0.0}, NSDYN_ERR_CALLBACK, "body 0 (cam): callback motion returned -7"},
      {{3, 0, 2.0, 0.0}, NSDYN_ERR_CALLBACK_RETRY, "body 0 (cam): callback motion returned 3"},
      {{0, 0, NAN, 0.0}, NSDYN_ERR_NOT_FINITE, "body 0 (cam): callback motion: pose is nan"},
      {{0, 0, 1e300, 0.0}, NSDYN_ERR_NOT_FINITE, "body 0 (cam): callback motion: pose is 1e+300"},
      {{0, 0, 2.0, INFINITY}, NSDYN_ERR_NOT_FINITE, "body 0 (cam): callback motion: rate is inf"},
      {{0, 0, 0x1p480, 0.0}, NSDYN_ERR_ARGUMENT, "as the bodies begin"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    for (int spring = 0; spring < 2; spring++) {
      mover is = table[i].is;
      nsdyn_world *world = worlds_new(0.0);
      nsdyn_body_def cam = worlds_body(0.0, 0.0, 0.0), arm = worlds_body(-0x1p479, 0.0, 0.0);
      cam.kind = NSDYN_BODY_DRIVEN;
      cam.motion = moves;
      cam.user = &is;
      cam.name = "cam";
      arm.pose[0] = table[i].status == NSDYN_ERR_ARGUMENT ? -0x1p480 : 5.0;
      arm.mass = arm.inertia = 1.0;
      worlds_add(world, &cam);
      worlds_add(world, &arm);
      nsdyn_joint_def joint = joint_of(NSDYN_JOINT_DISTANCE, 0, 1);
      nsdyn_spring_def coil;
      nsdyn_spring_def_init(&coil, sizeof coil);
      coil.body[0] = 0;
      coil.body[1] = 1;
      joint.anchor[2] = joint.anchor[3] = 0.0;
      const nsdyn_status status =
          spring ? nsdyn_world_add_spring(world, &coil, NULL) : nsdyn_world_add_joint(world, &joint, NULL);
      ck_assert_msg(status == table[i].status && is.calls == 1, "%d: %d: %s", (int)i, status,
                    nsdyn_world_message(world));
      ck_assert_msg(strstr(nsdyn_world_message(world), table[i].words), "%s", nsdyn_world_message(world));
      nsdyn_detail detail = {.size = sizeof detail};
      GOOD(nsdyn_world_detail(world, &detail));
      ck_assert(!is.code || (detail.kind == NSDYN_DETAIL_CALLBACK && detail.index == is.code));
      joint.rest = coil.rest = 1.0;
      GOOD(nsdyn_world_add_joint(world, &joint, NULL));
      GOOD(nsdyn_world_add_spring(world, &coil, NULL));
      ck_assert_int_eq(is.calls, 1);
      nsdyn_world_free(world);
    }
  }
}
END_TEST

SUITE("world/joints", TEST(bar_on_a_pin_swings), TEST(four_bar_closes), TEST(slider_on_an_axis),
      TEST(shortened_rope_keeps_the_angular_momentum), TEST(joints_that_cannot_be),
      TEST(rod_without_a_direction), TEST(driven_at_the_beginning))
