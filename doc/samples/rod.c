/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A pendulum in Cartesian coordinates: q = (x, y), and a rod that keeps sqrt(x^2 + y^2) = l. */
static const double m = 2.0, l = 0.5, g = 9.81; /* kg, m, m/s^2 */

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = m;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -m * g;
  return 0;
}
static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double r = sqrt(q[0] * q[0] + q[1] * q[1]);
  (void)user, (void)t;
  g_b[0] = r - l;
  W_b[0] = q[0] / r; /* the slopes of g_b along x and y: a unit vector, from the pivot outwards */
  W_b[1] = q[1] / r;
  w_hat_b[0] = 0.0; /* the rod's length does not change in time */
  return 0;
}

/* Called at equal times; what the driver shows here belongs to t. */
static int output(void *user, double t, const double *q, const double *u)
{
  nsdyn_event_driver *const *driver = user;
  nsdyn_constraint_state rod;
  nsdyn_constraint_state_init(&rod, sizeof rod);
  nsdyn_event_driver_constraint(*driver, 0, &rod);
  const double cosine = -q[1] / l, speed2 = u[0] * u[0] + u[1] * u[1];
  printf("%.2f s: force %7.3f N, -(m g cos + m l w^2) = %7.3f N\n", t, rod.force,
         -(m * g * cosine + m * speed2 / l));
  return 0;
}

int main(void)
{
  const double q[2] = {0.4, -0.3}, u[2] = {0.0, 0.0}; /* cos = 0.6 */
  nsdyn_system_def def;
  nsdyn_event_driver_options options;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.mass = mass;
  def.force = force;
  def.constraint = constraint;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.output = output;
  options.output_dt = 0.25;
  options.user = &driver;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) ||
      nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    return 1;
  }
  const nsdyn_status status = nsdyn_event_driver_advance(driver, 1.0);
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_event_driver_message(driver));
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
