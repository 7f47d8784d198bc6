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
  W[0] = 1.0;
  w_hat[0] = 0.0; // the floor stands still
  return 0;
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

  nsdyn_stepper *stepper;
  double q[1] = {1.0}, u[1] = {0.0};
  nsdyn_status status = nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL);
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  }
  while (status == NSDYN_OK && nsdyn_stepper_time(stepper) < 1.0) {
    status = nsdyn_stepper_step(stepper, 1e-3);
  }
  if (status != NSDYN_OK) {
    fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
  }
  if (status == NSDYN_OK) {
    printf("after %.1f s it is %.3f m high\n", nsdyn_stepper_time(stepper), nsdyn_stepper_q(stepper)[0]);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
