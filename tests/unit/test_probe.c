/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sizes of gaps where the coordinates are not those of the velocities, and gaps at late times. */
#include "event/run.h"
#include "event_models.h"

/* A bar of length 2 whose direction is (c, s); its end is at y + s above the floor. */
static int bar_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int bar_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = -q[2] * u[1];
  qdot[2] = q[1] * u[1];
  return 0;
}

/* The floor moves with the speed that `user` points at. */
static int bar_gap(void *user, double t, const double *q, double *g)
{
  g[0] = q[0] + q[2] - *(const double *)user * t;
  return 0;
}

static int bar_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  (void)t, (void)i;
  W[0] = 1.0;
  W[1] = q[1];
  w_hat[0] = -*(const double *)user;
  return 0;
}

static driven bar_scene(double *speed)
{
  nsdyn_system_def def = table(2, 1, speed);
  def.nq = 3;
  def.mass = bar_mass;
  def.kinematics = bar_kinematics;
  def.gap = bar_gap;
  def.direction = bar_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.0, 0.5));
  return s;
}

START_TEST(terms_of_a_gap_are_found_by_moving_each_coordinate)
{
  double speed = 0.0;
  driven s = bar_scene(&speed);
  const double q[3] = {3.0, 0.8, 0.6}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  /* |y| + |s|: the cosine is no part of it; sizes are at least those of the references */
  ck_assert_msg(fabs(s.driver->track[0].terms - 3.6) <= 1e-3, "%g", s.driver->track[0].terms);
  scene_end(&s);
}
END_TEST

START_TEST(ticks_of_a_late_clock_are_noise_of_driven_gaps)
{
  double speed = 2.0;
  for (int late = 0; late < 2; late++) {
    driven s = bar_scene(&speed);
    const double t = late ? 1e6 : 0.0;
    const double q[3] = {3.0 + speed * t, 0.8, 0.6}, u[2] = {speed, 0.0};
    scene_drive(&s, t, q, u);
    scene_advance(&s, t);
    ck_assert_msg(fabs(s.driver->track[0].drive - late * speed) <= 1e-4, "%g", s.driver->track[0].drive);
    scene_end(&s);
  }
}
END_TEST

SUITE("probe", TEST(terms_of_a_gap_are_found_by_moving_each_coordinate),
      TEST(ticks_of_a_late_clock_are_noise_of_driven_gaps))
