/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sizes of gaps where the coordinates are not those of the velocities, and gaps at late times. */
#include "event/internal.h"
#include "event_models.h"
#include "support/callbacks.h"

/* A bar of length 2 whose direction is (c, s); its end is at y + s above the floor. */
static int bar_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = -q[2] * u[1];
  qdot[2] = q[1] * u[1];
  return 0;
}

/* The floor moves with speed user[0] since the time user[1]. */
static int bar_gap(void *user, double t, const double *q, double *g)
{
  const double *floor = user;
  g[0] = q[0] + q[2] - floor[0] * (t - floor[1]);
  return 0;
}

static int bar_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)i;
  W[0] = 1.0;
  W[1] = q[1];
  w_hat[0] = -*(const double *)user;
  return 0;
}

static driven bar_scene(double *floor)
{
  nsdyn_system_def def = table(2, 1, floor);
  def.nq = 3;
  def.mass = unit_mass_2;
  def.kinematics = bar_kinematics;
  def.gap = bar_gap;
  def.direction = bar_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, 0.5));
  return s;
}

START_TEST(terms_of_a_gap_are_found_by_moving_each_coordinate)
{
  double floor[2] = {0.0, 0.0};
  driven s = bar_scene(floor);
  const double q[3] = {3.0, 0.8, 0.6}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  /* |y| + |s|: the cosine is no part of it; sizes are at least those of the references */
  ck_assert_msg(fabs(s.driver->tracks.track[0].terms - 3.6) <= 1e-3, "%g", s.driver->tracks.track[0].terms);
  scene_end(&s);
}
END_TEST

START_TEST(ticks_of_a_late_clock_are_noise_of_driven_gaps)
{
  for (int late = 0; late < 2; late++) {
    /* late beside the motion's own time, which is the bar's height over its speed */
    double floor[2] = {2.0, late ? 1e6 : 0.0};
    const double speed = floor[0], t = floor[1];
    driven s = bar_scene(floor);
    const double q[3] = {3.0, 0.8, 0.6}, u[2] = {speed, 0.0};
    scene_drive(&s, t, q, u);
    scene_advance(&s, t);
    ck_assert_msg(fabs(s.driver->tracks.track[0].drive - late * speed) <= 1e-4, "%g",
                  s.driver->tracks.track[0].drive);
    scene_end(&s);
  }
}
END_TEST

/* Two blocks upon each other, at q_0 = 1 on the floor and q_1 above it. */
static int pile_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = h[1] = -1.0;
  return 0;
}

static int pile_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0] - 1.0;
  g[1] = q[1] - q[0];
  return 0;
}

static int pile_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q;
  W[i] = 1.0;
  w_hat[0] = *(const double *)user;
  if (i > 0) {
    W[0] = -1.0;
  }
  return 0;
}

/* Of a gap that was never closed nor larger than this, nothing says how large its terms are. */
START_TEST(a_gap_of_rounding_is_closed_from_the_beginning)
{
  for (int approaches = 0; approaches < 2; approaches++) {
    double speed = approaches ? -1e-20 : 0.0; /* rounding, too: no impact */
    nsdyn_system_def def = table(2, 2, &speed);
    def.mass = unit_mass_2;
    def.force = pile_force;
    def.gap = pile_gap;
    def.direction = pile_direction;
    driven s = scene_of(&def);
    s.options.check = 0; /* the gap does not know of that speed */
    const double q[2] = {1.0, 1.0 + 0x1p-51}, u[2] = {0.0, 0.0};
    scene_law(&s, 0, law_of(0.0, 0.0));
    scene_law(&s, 1, law_of(0.0, 0.5));
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.0);
    ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 2);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_CLOSE), 2);
    ck_assert_int_eq(events_of(&s), 2);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/gap_rounding", TEST(a_gap_of_rounding_is_closed_from_the_beginning),
      TEST(terms_of_a_gap_are_found_by_moving_each_coordinate),
      TEST(ticks_of_a_late_clock_are_noise_of_driven_gaps))
