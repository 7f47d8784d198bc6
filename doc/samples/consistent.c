/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* The pendulum with a rod, l = 0.5, beginning where the rod would be 0.6 long and getting longer. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}
static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double r = sqrt(q[0] * q[0] + q[1] * q[1]);
  (void)user, (void)t;
  g_b[0] = r - 0.5;
  W_b[0] = q[0] / r;
  W_b[1] = q[1] / r;
  w_hat_b[0] = 0.0;
  return 0;
}

int main(void)
{
  const double q[2] = {0.36, -0.48}, u[2] = {1.0, 0.0};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_consistent_report change;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.nconstraints = 1;
  def.mass = mass;
  def.constraint = constraint;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    return 1;
  }
  nsdyn_status status = nsdyn_event_driver_advance(driver, 1.0);
  printf("%s\n", nsdyn_status_name(status));
  nsdyn_consistent_report_init(&change, sizeof change);
  status = nsdyn_event_driver_consistent(driver, &change);
  const double *q_new = nsdyn_event_driver_q(driver), *u_new = nsdyn_event_driver_u(driver);
  printf("%s: constraint %d was %.6f off, its velocity %.6f\n", nsdyn_status_name(status),
         (int)change.constraint, change.gap, change.velocity);
  printf("q = (%.6f, %.6f), u = (%.6f, %.6f)\n", q_new[0], q_new[1], u_new[0], u_new[1]);
  printf("coordinates moved by %.6f, velocities by %.6f\n", change.moved, change.kicked);
  status = status ? status : nsdyn_event_driver_advance(driver, 1.0);
  printf("%s\n", nsdyn_status_name(status));
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
