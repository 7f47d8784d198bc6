/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A ladder of length 2 that leans on a wall: its foot is on the floor, and w_N of its head has a wrong sign.
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* q: the centre (x, y) and the angle to the floor. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = 3.0;
  M[8] = 1.0;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - sin(q[2]); /* foot and floor */
  g[1] = q[0] - cos(q[2]); /* head and wall */
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t;
  w_hat[0] = 0.0; /* floor and wall stand still */
  W[i == 0 ? 1 : 0] = 1.0;
  W[2] = i == 0 ? -cos(q[2]) : -sin(q[2]);
  return 0;
}

int main(void)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  const double q[3] = {0.5, 0.9, 1.0}, u[3] = {0.1, -0.2, 0.3};
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 2;
  def.mass = mass;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) != NSDYN_OK) {
    return 1;
  }
  nsdyn_system_check_report report;
  nsdyn_system_check_report_init(&report, sizeof report);
  if (nsdyn_system_check(sys, 0.0, q, u, &report) != NSDYN_OK) {
    printf("%s\n", nsdyn_system_message(sys));
  }
  printf("%d defect, %s of contact %d, column %d\n", (int)report.defects, report.callback,
         (int)report.contact, (int)report.column);
  nsdyn_system_free(sys);
  return 0;
}
