/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* The pendulum of rod.c, in steps: q = (x, y), and a rod that keeps sqrt(x^2 + y^2) = l. */
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

/* The force in the last step to 0.25 s, with steps of this length. */
static nsdyn_status swing(nsdyn_stepper *stepper, double dt)
{
  const double q[2] = {0.4, -0.3}, u[2] = {0.0, 0.0};
  nsdyn_status status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  while (status == NSDYN_OK && nsdyn_stepper_time(stepper) < 0.25 - 0.5 * dt) {
    status = nsdyn_stepper_step(stepper, dt);
  }
  nsdyn_constraint_state rod;
  nsdyn_step_report report;
  nsdyn_constraint_state_init(&rod, sizeof rod);
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_stepper_constraint(stepper, 0, &rod);
  nsdyn_stepper_report(stepper, &report);
  printf("dt = %.0e s: force %.3f N, length off by %.1e m\n", dt, rod.force, report.constraint);
  return status;
}

int main(void)
{
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.mass = mass;
  def.force = force;
  def.constraint = constraint;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL)) {
    return 1;
  }
  nsdyn_status status = NSDYN_OK;
  const double dt[3] = {1e-3, 1e-4, 1e-5};
  for (int k = 0; k < 3 && !status; k++) {
    status = swing(stepper, dt[k]);
  }
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_stepper_message(stepper));
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
