/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: options, refusals, holding, state. */
#include "event_models.h"
#include "support/callbacks.h"

static nsdyn_system *ball(points *p)
{
  driven s = points_scene(p, 0.0, 0.0);
  return s.sys;
}

START_TEST(options_have_defaults_and_ranges)
{
  points p = {.count = 1};
  nsdyn_system *sys = ball(&p);
  nsdyn_event_driver_options o;
  nsdyn_event_driver *driver;
  ck_assert_int_eq(nsdyn_event_driver_options_init(NULL, sizeof o), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&o, 12), NSDYN_ERR_STRUCT_SIZE);
#define REFUSED(field, value)                                                                                \
  do {                                                                                                       \
    ck_assert_int_eq(nsdyn_event_driver_options_init(&o, sizeof o), NSDYN_OK);                               \
    o.field = (value);                                                                                       \
    nsdyn_error error = {.size = sizeof error};                                                              \
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &o, &driver, &error), NSDYN_ERR_ARGUMENT);            \
    ck_assert(driver == NULL && strstr(error.message, #field) != NULL);                                      \
    ck_assert_int_eq(error.index, offsetof(nsdyn_event_driver_options, field));                              \
  } while (0)
  REFUSED(impact, 2);
  REFUSED(impact, -1);
  REFUSED(inelastic, 2);
  REFUSED(ambiguous, 3);
  REFUSED(ambiguous, -1);
  REFUSED(section_direction, 2);
  REFUSED(tol, 0.0);
  REFUSED(tol, 9e-15);
  REFUSED(tol, 1.0);
  REFUSED(tol, NAN);
  REFUSED(max_dt, 0.0);
  REFUSED(max_dt, NAN);
  REFUSED(handover, 2);
  REFUSED(start_tol, -1.0);
  REFUSED(max_rate, 0.0);
  REFUSED(check, 2);
  REFUSED(reserved, 1);
  REFUSED(gap_tol, NAN);
  REFUSED(gap_tol, INFINITY);
  REFUSED(zeno, 0.0);
  REFUSED(zeno, 1.0);
  REFUSED(margin, 0.0);
  REFUSED(output_dt, 0.0);
  REFUSED(output_dt, NAN);
#undef REFUSED
  const double scale[4] = {1.0, 2.0, 0.0, 4.0};
  nsdyn_event_driver_options_init(&o, sizeof o);
  ck_assert(o.tol == 1e-9 && o.zeno == 1e-12 && o.keep_events == 65536 && o.max_steps == -1 &&
            o.max_dt == INFINITY && o.gap_tol < 0.0);
  o.scale = scale;
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &o, &driver, &error), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(error.message, "scale: element 2") != NULL);
  ck_assert_str_eq(nsdyn_system_message(sys), ""); /* which others may share */
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(refused_options_leave_the_old)
{
  points p = {.count = 1, .g = 1.0};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  s.options.max_steps = 3;
  scene_drive(&s, 0.0, q, u);
  nsdyn_event_driver_options bad = s.options;
  bad.tol = 2.0;
  bad.max_steps = 100;
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &bad), NSDYN_ERR_ARGUMENT);
  ck_assert(strlen(nsdyn_event_driver_message(s.driver)) > 0);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 10.0), NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(report_of(&s).steps, 3);
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, NULL), NSDYN_OK); /* defaults */
  scene_advance(&s, 10.0);
  ck_assert_int_eq(nsdyn_event_driver_set_options(NULL, NULL), NSDYN_ERR_ARGUMENT);
  scene_end(&s);
}
END_TEST

START_TEST(arguments_are_checked)
{
  points p = {.count = 1};
  nsdyn_system *sys = ball(&p);
  nsdyn_event_driver *driver = (nsdyn_event_driver *)&p;
  const double q[2] = {0.0, 1.0}, bad[2] = {0.0, NAN};
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, NULL, NULL, &driver, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(driver);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(NULL, 0.0, q, q), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, NAN, q, q), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, NULL, q), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, bad, q), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_event_driver_message(driver), "q: element 1 is nan");
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, bad), NSDYN_ERR_NOT_FINITE);
  ck_assert(nsdyn_event_driver_time(NULL) == 0.0);
  ck_assert(!nsdyn_event_driver_q(NULL) && !nsdyn_event_driver_u(NULL) && !nsdyn_event_driver_a(NULL));
  ck_assert_str_eq(nsdyn_event_driver_message(NULL), "");
  nsdyn_detail detail = {.size = sizeof detail};
  ck_assert_int_eq(nsdyn_event_driver_detail(NULL, &detail), NSDYN_ERR_ARGUMENT);
  nsdyn_event event;
  ck_assert_int_eq(nsdyn_event_init(NULL, sizeof event), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_event_init(&event, 5), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_event_driver_free(driver);
  nsdyn_event_driver_free(NULL);
  nsdyn_system_free(sys);
}
END_TEST

static int turn(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)u, (void)dt, (void)t;
  q_new[0] = q[0];
  return 0;
}

START_TEST(coordinates_need_kinematics)
{
  points p = {.count = 1};
  nsdyn_system_def def = table(2, 0, &p);
  def.nq = 3;
  def.mass = points_mass;
  def.retract = turn;
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, &error), NSDYN_ERR_UNSUPPORTED);
  ck_assert(strstr(error.message, "kinematics") != NULL);
  nsdyn_system_free(sys);
}
END_TEST

/* In space: polygons of friction of slots are refused by name, whenever the law comes; others are not, nor
 * ellipses. */
START_TEST(what_is_not_known_in_space_is_refused_by_name)
{
  points p = {.count = 1};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
  nsdyn_contact_law law = law_of(0.5, 0.0);
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  law.tangents = 2;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, &error), NSDYN_OK);
  law.shape = NSDYN_FRICTION_POLYGON;
  law.kind = NSDYN_CONTACT_BILATERAL;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 1.0), NSDYN_ERR_UNSUPPORTED);
  ck_assert(strstr(nsdyn_event_driver_message(driver), "polygon") != NULL);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
}
END_TEST

/* A wheel on a line, turned by a unit complex number q = (x, cos, sin): nq = 3, nu = 2. */
static int wheel_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = -q[2] * u[1];
  qdot[2] = q[1] * u[1];
  return 0;
}

static int wheel_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = 1.0 - q[0] - 0.5 * (1.0 - q[1]); /* a nose on the wheel may touch the wall at x = 1 */
  return 0;
}

static int wheel_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = 0.0;
  W[0] = -1.0;
  W[1] = -0.5 * q[2];
  return 0;
}

START_TEST(coordinates_may_be_more_than_velocities)
{
  nsdyn_system_def def = table(3, 1, NULL);
  def.nu = 2;
  def.mass = unit_mass_2;
  def.kinematics = wheel_kinematics;
  def.gap = wheel_gap;
  def.direction = wheel_direction;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.0, 1.0);
  law.friction = NSDYN_FRICTION_NONE;
  scene_law(&s, 0, law);
  s.options.tol = 1e-12;
  const double q[3] = {0.0, 1.0, 0.0}, u[2] = {0.1, 2.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.9);
  const double *end = nsdyn_event_driver_q(s.driver);
  ck_assert_int_eq(events_of(&s), 0);
  ck_assert(fabs(end[0] - 0.09) <= 1e-12 && fabs(end[1] - cos(1.8)) <= 1e-11 &&
            fabs(end[2] - sin(1.8)) <= 1e-11);
  scene_advance(&s, 20.0);
  ck_assert_int_ge(count_kind(&s, NSDYN_EVENT_IMPACT), 1);
  const double energy = nsdyn_event_driver_u(s.driver)[0] * nsdyn_event_driver_u(s.driver)[0] +
                        nsdyn_event_driver_u(s.driver)[1] * nsdyn_event_driver_u(s.driver)[1];
  ck_assert_msg(fabs(energy - 4.01) <= 1e-10, "%g", energy); /* ε = 1 keeps it */
  scene_end(&s);
}
END_TEST

START_TEST(holds_its_system)
{
  points p = {.count = 1, .g = 1.0};
  nsdyn_system *sys = ball(&p);
  nsdyn_event_driver *driver;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 1.0), NSDYN_OK); /* from q = 0, at rest on the floor */
  ck_assert(nsdyn_event_driver_q(driver)[1] == 0.0 && nsdyn_event_driver_time(driver) == 1.0);
  nsdyn_event_driver_free(driver);
}
END_TEST

START_TEST(laws_may_change_between_two_calls)
{
  points p = {.count = 1, .g = 10.0};
  driven s = points_scene(&p, 0.2, 0.0);
  const double q[2] = {0.0, 0.0}, u[2] = {5.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - 3.0) <= 1e-12);
  scene_law(&s, 0, law_of(0.1, 0.0));
  scene_advance(&s, 2.0);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - 2.0) <= 1e-11);
  scene_end(&s);
}
END_TEST

START_TEST(systems_of_nothing_run)
{
  nsdyn_system_def def = table(0, 0, NULL);
  driven s = scene_of(&def);
  scene_drive(&s, 1.0, NULL, NULL);
  scene_advance(&s, 5.0);
  ck_assert_int_eq(events_of(&s), 0);
  scene_end(&s);
}
END_TEST

/* A point over a floor whose direction is turned. */
static int turned_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const int code = points_direction(user, t, q, i, W, w_hat);
  W[2 * i + 1] = -1.0;
  return code;
}

START_TEST(the_first_call_checks_the_model)
{
  for (int is_wrong = 0; is_wrong < 2; is_wrong++) {
    points p = {.count = 1, .g = 9.81};
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = points_mass;
    def.force = points_force;
    def.gap = points_gap;
    def.direction = is_wrong ? turned_direction : points_direction;
    driven s = scene_of(&def);
    s.options.check = 1;
    const double q[2] = {0.1, 1.0}, u[2] = {0.3, 0.2};
    scene_drive(&s, 0.0, q, u);
    ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.1), is_wrong ? NSDYN_ERR_INCONSISTENT : NSDYN_OK);
    if (is_wrong) {
      const char *message = nsdyn_event_driver_message(s.driver);
      ck_assert_msg(strncmp(message, "option check: direction of contact 0, row 0", 43) == 0, "%s", message);
      ck_assert(nsdyn_event_driver_time(s.driver) == 0.0 && nsdyn_event_driver_q(s.driver)[1] == 1.0);
      ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.1), NSDYN_ERR_INCONSISTENT);
    } else {
      const int64_t calls = p.calls;
      scene_advance(&s, 0.11); /* it is asked once */
      ck_assert_int_le(p.calls - calls, 40);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/object", TEST(the_first_call_checks_the_model), TEST(options_have_defaults_and_ranges),
      TEST(refused_options_leave_the_old), TEST(arguments_are_checked), TEST(coordinates_need_kinematics),
      TEST(what_is_not_known_in_space_is_refused_by_name), TEST(coordinates_may_be_more_than_velocities),
      TEST(holds_its_system), TEST(laws_may_change_between_two_calls), TEST(systems_of_nothing_run))
