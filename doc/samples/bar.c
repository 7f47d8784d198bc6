/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A bar of length 2 a that hangs by one end. Four coordinates, q = (x, y, c, s): its centre, and the cosine
 * and sine of its angle. Three velocities: u = (vx, vy, w). */
static const double m = 3.0, a = 0.5, g = 9.81;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = m;
  M[8] = m * a * a / 3.0;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -m * g;
  return 0;
}
static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  qdot[0] = u[0];
  qdot[1] = u[1];
  qdot[2] = -q[3] * u[2]; /* the cosine's rate */
  qdot[3] = q[2] * u[2];
  return 0;
}
/* Turns by the angle u[2] dt and brings c^2 + s^2 back to 1. Steppers and projections move by this. */
static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  const double half = 0.5 * u[2] * dt, size = 1.0 + half * half;
  const double cosine = (1.0 - half * half) / size, sine = 2.0 * half / size; /* of an angle near u[2] dt */
  const double c = q[2] * cosine - q[3] * sine, s = q[2] * sine + q[3] * cosine, norm = sqrt(c * c + s * s);
  (void)user;
  q_new[0] = q[0] + dt * u[0];
  q_new[1] = q[1] + dt * u[1];
  q_new[2] = c / norm;
  q_new[3] = s / norm;
  return 0;
}
/* The end (x - a c, y - a s) stays at the origin. Columns of W_b are velocities, not coordinates. */
static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  g_b[0] = q[0] - a * q[2];
  W_b[0] = 1.0;
  W_b[2] = a * q[3];
  g_b[1] = q[1] - a * q[3];
  W_b[4] = 1.0;
  W_b[5] = -a * q[2];
  w_hat_b[0] = w_hat_b[1] = 0.0;
  return 0;
}

/* The section c = 0: the bar hangs straight down. */
static int section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)t, (void)u;
  *value = q[2];
  return 0;
}
static int observe(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  (void)user, (void)driver;
  return event->kind == NSDYN_EVENT_SECTION; /* stop there */
}

int main(void)
{
  const double q[4] = {a, 0.0, 1.0, 0.0}, u[3] = {0.0, 0.0, 0.0}; /* horizontal, at rest */
  nsdyn_system_def def;
  nsdyn_event_driver_options options;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_constraint_state pivot;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 4;
  def.nu = 3;
  def.nconstraints = 2;
  def.mass = mass;
  def.force = force;
  def.kinematics = kinematics;
  def.retract = retract;
  def.constraint = constraint;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.section = section;
  options.observe = observe;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) ||
      nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    return 1;
  }
  const nsdyn_status status = nsdyn_event_driver_advance(driver, 2.0);
  if (status != NSDYN_STOPPED) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_event_driver_message(driver));
  }
  nsdyn_constraint_state_init(&pivot, sizeof pivot);
  printf("vertical after %.6f s, w = %.6f rad/s, sqrt(3 g / 2 a) = %.6f rad/s\n",
         nsdyn_event_driver_time(driver), fabs(nsdyn_event_driver_u(driver)[2]), sqrt(1.5 * g / a));
  nsdyn_event_driver_constraint(driver, 1, &pivot);
  printf("force of the pivot %.6f N, 5/2 m g = %.6f N\n", pivot.force, 2.5 * m * g);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_STOPPED;
}
