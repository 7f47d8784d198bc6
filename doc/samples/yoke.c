/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A Scotch yoke: a crank turns at a given speed, a pin on it drives a slider. q = (phi, x). */
static const double J = 0.1, m = 2.0, r = 0.25, Omega = 4.0; /* kg m^2, kg, m, rad/s */

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = J;
  M[3] = m;
  return 0;
}
static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user;
  g_b[0] = q[0] - Omega * t; /* the motor: phi = Omega t */
  W_b[0] = 1.0;
  w_hat_b[0] = -Omega;           /* what g_b changes by in time alone */
  g_b[1] = q[1] - r * cos(q[0]); /* the pin: x = r cos phi */
  W_b[2] = r * sin(q[0]);
  W_b[3] = 1.0;
  return 0;
}

static int output(void *user, double t, const double *q, const double *u)
{
  nsdyn_event_driver *const *driver = user;
  nsdyn_constraint_state motor, pin;
  (void)q, (void)u;
  nsdyn_constraint_state_init(&motor, sizeof motor);
  nsdyn_constraint_state_init(&pin, sizeof pin);
  nsdyn_event_driver_constraint(*driver, 0, &motor);
  nsdyn_event_driver_constraint(*driver, 1, &pin);
  const double phi = Omega * t, size = m * r * Omega * Omega;
  printf("%.2f s: torque %9.6f Nm (%9.6f), force on the slider %9.6f N (%9.6f)\n", t, motor.force,
         0.5 * size * r * sin(2.0 * phi), pin.force, -size * cos(phi));
  return 0;
}

int main(void)
{
  const double t = 0.1, phi = Omega * t; /* q and u fit both constraints at this time */
  const double q[2] = {phi, r * cos(phi)}, u[2] = {Omega, -r * Omega * sin(phi)};
  nsdyn_system_def def;
  nsdyn_event_driver_options options;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 2;
  def.mass = mass;
  def.constraint = constraint;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.output = output;
  options.output_dt = 0.1;
  options.user = &driver;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) ||
      nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, t, q, u)) {
    return 1;
  }
  const nsdyn_status status = nsdyn_event_driver_advance(driver, 0.5);
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_event_driver_message(driver));
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
