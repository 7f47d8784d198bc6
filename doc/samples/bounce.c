/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

// A ball of mass m falling on a floor at y = 0.
struct ball {
  double m, g;
};
static int mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  M[0] = ((const struct ball *)user)->m;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const struct ball *ball = user;
  (void)t, (void)q, (void)u;
  h[0] = -ball->m * ball->g;
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
  w_hat[0] = 0.0;
  W[0] = 1.0;
  return 0;
}

static int run(nsdyn_system *sys)
{
  nsdyn_event_driver *driver;
  const double q[1] = {1.0}, u[1] = {0.0};
  nsdyn_status status = nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL);
  if (status == NSDYN_OK) {
    status = nsdyn_event_driver_set_state(driver, 0.0, q, u);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_event_driver_advance(driver, 1.0);
  }
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event = {.size = sizeof event};
    nsdyn_event_driver_event(driver, k, &event);
    printf("%.9f s: %s, contact %d\n", event.t, nsdyn_event_name(event.kind), (int)event.contact);
  }
  nsdyn_event_driver_free(driver);
  return status != NSDYN_OK;
}

int main(void)
{
  struct ball ball = {0.5, 9.81};
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 1;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = &ball;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) != NSDYN_OK) {
    return 1;
  }
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 0.5;
  nsdyn_system_set_contact(sys, 0, &law);
  const int failed = run(sys);
  nsdyn_system_free(sys);
  return failed;
}
