/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Beginnings: what is refused, how it is named, and what making it consistent does. */
#include "event_models.h"
#include "support/callbacks.h"

/* A ball of the points' model, one contact: the floor at y = 0. */
static driven ball(points *p, double eps, double y, double v)
{
  driven s = points_scene(p, 0.0, eps);
  const double q[2] = {0.0, y}, u[2] = {0.0, v};
  scene_drive(&s, 0.0, q, u);
  return s;
}

START_TEST(penetration_is_refused_with_its_name_and_size)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -0.01, -1.0);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 1.0), NSDYN_ERR_INCONSISTENT);
  const char *message = nsdyn_event_driver_message(s.driver);
  ck_assert_msg(strstr(message, "contact 0 begins with a penetration of 0.01 at t = 0") == message, "%s",
                message);
  ck_assert(nsdyn_event_driver_q(s.driver)[1] == -0.01 && nsdyn_event_driver_time(s.driver) == 0.0);
  scene_end(&s);
}
END_TEST

START_TEST(rounding_is_no_penetration)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -1e-17, 0.0);
  scene_advance(&s, 1.0);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1]) <= 1e-16);
  scene_end(&s);
}
END_TEST

START_TEST(made_consistent_it_begins_on_the_floor)
{
  points p = {.count = 1, .g = 9.81};
  driven s = ball(&p, 0.5, -0.01, -1.0);
  nsdyn_consistent_report made;
  nsdyn_consistent_report_init(&made, sizeof made);
  ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, &made), NSDYN_OK);
  ck_assert(made.contact == 0 && made.key == 0 && made.constraint == -1);
  ck_assert(made.penetration == 0.01 && made.approach == 1.0 && made.kicked == 1.0 && made.left <= 1e-14);
  ck_assert(fabs(made.moved - 0.01) <= 1e-14);
  ck_assert(nsdyn_event_driver_u(s.driver)[1] == 0.0);
  scene_advance(&s, 1.0);
  ck_assert(contact_of(&s, 0).active && fabs(contact_of(&s, 0).force[0] - 9.81) <= 1e-12);
  scene_end(&s);
}
END_TEST

/* A unit mass on the hill y = −½ x². */
static int hill_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] + 0.5 * q[0] * q[0];
  return 0;
}

static int hill_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = q[0];
  W[1] = W[2] = 1.0;
  W[3] = -q[0];
  return 0;
}

static int bad_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  q_new[0] = (double)INFINITY;
  q_new[1] = q[1] + dt * u[1];
  return 0;
}

static driven hill(int is_bad)
{
  nsdyn_system_def def = table(2, 1, NULL);
  def.mass = unit_mass_2;
  def.gap = hill_gap;
  def.direction = hill_direction;
  def.retract = is_bad ? bad_retract : NULL;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, 0.5));
  return s;
}

/* Newton's last step leaves a second order on a curved surface: it is closed in the impact all the same. */
START_TEST(made_consistent_on_a_curve_nothing_approaches)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    const double x = 2.0 * random_unit(&r) - 1.0, deep = 0.02 * random_unit(&r);
    const double q[2] = {x, -0.5 * x * x - deep}, u[2] = {random_unit(&r), -1.0 - random_unit(&r)};
    driven s = hill(0);
    scene_drive(&s, 0.0, q, u);
    ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, NULL), NSDYN_OK);
    const double *q_made = nsdyn_event_driver_q(s.driver), *u_made = nsdyn_event_driver_u(s.driver);
    REQUIRE(u_made[1] + q_made[0] * u_made[0] >= -1e-12, "seed %d: %g", k, u_made[1] + q_made[0] * u_made[0]);
    scene_end(&s);
  }
}
END_TEST

START_TEST(a_move_that_is_no_number_is_the_callbacks_fault)
{
  const double q[2] = {0.5, -0.14}, u[2] = {0.0, -1.0};
  driven s = hill(1);
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, NULL), NSDYN_ERR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(nsdyn_event_driver_message(s.driver), "callback retract: q element 0 is inf"));
  scene_end(&s);
}
END_TEST

/* A brake on a shaft, given as a contact that is always closed and presses in no direction. */
static int brake_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.3;
  return 0;
}

static int brake_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 0.0;
  return 0;
}

static int brake_gap(void *user, double t, const double *q, double *g)
{
  const double *deep = user;
  (void)t;
  g[0] = *deep * q[0];
  return 0;
}

static int brake_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = 1.0;
  return 0;
}

START_TEST(a_brake_is_a_slot)
{
  for (int slot = 0; slot < 2; slot++) {
    for (int own = 0; own < 2; own++) {
      double deep = 0.0;
      nsdyn_system_def def = table(1, 1, &deep);
      def.mass = brake_mass;
      def.force = brake_force;
      def.gap = brake_gap;
      def.direction = brake_direction;
      driven s = scene_of(&def);
      nsdyn_contact_law law = law_of(0.3, 0.0);
      law.kind = slot ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
      law.friction = own || slot ? NSDYN_FRICTION_BOUND : NSDYN_FRICTION_COULOMB;
      law.bound = 0.6;
      scene_law(&s, 0, law);
      const double q[1] = {0.0}, u[1] = {3.0};
      scene_drive(&s, 0.0, q, u);
      const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 1.0);
      if (slot) {
        ck_assert_int_eq(status, NSDYN_OK);
        ck_assert_double_le(fabs(nsdyn_event_driver_u(s.driver)[0] - 1.0), 1e-9);
      } else {
        ck_assert_int_eq(status, NSDYN_ERR_INCONSISTENT);
        ck_assert_ptr_nonnull(
            strstr(nsdyn_event_driver_message(s.driver), "contact 0 is closed, gap 0, but row 0"));
      }
      scene_end(&s);
    }
  }
}
END_TEST

START_TEST(any_state_is_taken_where_the_option_says_so)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  s.options.start_tol = INFINITY;
  const double q[2] = {0.0, -0.01}, u[2] = {0.0, 1.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.01), NSDYN_OK);
  scene_end(&s);
}
END_TEST

SUITE("event/consistent", TEST(a_brake_is_a_slot), TEST(penetration_is_refused_with_its_name_and_size),
      TEST(rounding_is_no_penetration), TEST(made_consistent_it_begins_on_the_floor),
      TEST(any_state_is_taken_where_the_option_says_so), TEST(made_consistent_on_a_curve_nothing_approaches),
      TEST(a_move_that_is_no_number_is_the_callbacks_fault))
