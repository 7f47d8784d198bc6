/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A plate that is thrown into the air: the moments of inertia about its own axes are A, A and C = 2 A. */
static const double m = 0.4, A = 0.01, C = 0.02, g = 9.81;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = M[8] = m; /* the block of the centre of mass */
  M[9] = M[13] = A;       /* the block of the rotation, in the axes of the body */
  M[17] = C;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q;
  h[2] = -m * g;
  h[3] = (A - C) * u[4] * u[5]; /* -omega x J omega */
  h[4] = (C - A) * u[3] * u[5];
  return 0;
}
// q: place of the centre of mass, quaternion; u: its velocity in the world, ω in the axes of the body
static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    qdot[i] = u[i];
  }
  nsdyn_quaternion_rate_body(q + 3, u + 3, qdot + 3);
  return 0;
}
static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    q_new[i] = q[i] + dt * u[i];
  }
  nsdyn_quaternion_retract_body(q + 3, u + 3, dt, q_new + 3);
  return 0;
}

int main(void)
{
  static const int32_t blocks[2] = {3, 3};
  const double turn = 6.283185307179586, spin = 2.0 * turn, tilt = 0.1;
  /* Level and in its hand's place; it spins twice a second, and wobbles by 0.1 rad about the vertical. */
  double q[7] = {0.0, 0.0, 1.5}, u[6] = {0.0, 0.0, 4.0}, axis[3];
  const double ahead[3] = {1.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_event_driver *driver;

  nsdyn_quaternion_from_axis_angle(ahead, tilt, q + 3);
  u[5] = spin; /* L = (0, ., C spin) in the body: along the vertical if its part across is C spin tan(tilt) */
  u[4] = C / A * spin * tan(tilt);

  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 7;
  def.nu = 6;
  def.nblocks = 2;
  def.block = blocks;
  def.flags = NSDYN_CONSTANT_MASS;
  def.mass = mass;
  def.force = force;
  def.kinematics = kinematics;
  def.retract = retract;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL)) {
    return 1;
  }
  nsdyn_event_driver_set_state(driver, 0.0, q, u);
  for (int k = 1; k <= 4; k++) {
    if (nsdyn_event_driver_advance(driver, 0.05 * k)) {
      printf("%s\n", nsdyn_event_driver_message(driver));
      return 1;
    }
    /* Where the plate's axis points: it goes round the vertical. */
    nsdyn_quaternion_rotate(nsdyn_event_driver_q(driver) + 3, up, axis);
    const double wobble = atan2(axis[0], -axis[1]) / turn; /* turns, from where it began */
    const double spun = spin / turn * 0.05 * k, expected = spun * C / A / cos(tilt);
    printf("t = %.2f: spun by %.3f turns, wobbled by %.3f (%.3f)\n", 0.05 * k, spun, wobble - floor(wobble),
           expected - floor(expected));
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return 0;
}
