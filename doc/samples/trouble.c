/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A ball falls onto a floor, in air whose drag ends at a height of 0.2 m. The first version of `force`
 * forgets what a square root does below zero. */
struct ball {
  int careful;
};

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const struct ball *ball = user;
  const double above = ball->careful ? fmax(q[0] - 0.2, 0.0) : q[0] - 0.2;
  (void)t;
  h[0] = -9.81 - 0.1 * above * sqrt(above) * u[0];
  return 0;
}
static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0];
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

/* What a program can say after each run. */
static void tell(const nsdyn_event_driver *driver, nsdyn_status status)
{
  nsdyn_event_report report;
  nsdyn_detail detail;
  nsdyn_event_report_init(&report, sizeof report);
  nsdyn_event_driver_report(driver, &report);
  printf("%s: %s\n", nsdyn_status_name(status), nsdyn_status_text(status));
  if (status) {
    nsdyn_detail_init(&detail, sizeof detail);
    nsdyn_event_driver_detail(driver, &detail);
    printf("  message: %s\n", nsdyn_event_driver_message(driver));
    printf("  detail: %s %d\n", detail.kind == NSDYN_DETAIL_COORDINATE ? "coordinate" : "kind", detail.index);
  }
  printf("  reached t_end: %s\n", status == NSDYN_OK ? "yes" : "no, but it can go on from where it is");
  printf("  handed over to time steps: %d times, records lost: %d\n", (int)report.handovers,
         (int)report.dropped);
  printf("  gaps and velocities of closed contacts are within their bounds: %s\n",
         report.gap <= report.gap_bound && report.velocity <= report.velocity_bound ? "yes" : "no");
}

int main(void)
{
  struct ball ball = {.careful = 0};
  const double q[1] = {1.0}, u[1] = {0.0};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.user = &ball;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, &error) ||
      nsdyn_event_driver_new(NULL, sys, NULL, &driver, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  if (nsdyn_event_driver_set_state(driver, 0.0, q, u)) {
    fprintf(stderr, "%s\n", nsdyn_event_driver_message(driver));
    return 1;
  }
  tell(driver, nsdyn_event_driver_advance(driver, 1.0));
  ball.careful = 1;
  const nsdyn_status status = nsdyn_event_driver_advance(driver, 1.0);
  tell(driver, status);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
