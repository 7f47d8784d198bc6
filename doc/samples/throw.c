/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A brick is thrown onto a rough floor: q = (x, y). It falls, hits, slides and comes to rest. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0; /* kg; the rest is zero */
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0 * 9.81; /* N */
  return 0;
}
static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1]; /* between brick and floor, m */
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t contact, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)contact;
  W[1] = 1.0;     /* first row: the normal; gap velocity = W u + w_hat */
  W[2] = 1.0;     /* second row: the tangent */
  w_hat[0] = 0.0; /* the floor stands still */
  return 0;
}

int main(void)
{
  const double q[2] = {0.0, 0.05}, u[2] = {1.5, 0.0}; /* thrown at 1.5 m/s, 5 cm above the floor */
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_error error; /* says why an object could not be made; objects that were made say it themselves */

  nsdyn_error_init(&error, sizeof error);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.3;
  if (nsdyn_system_new(NULL, &def, &sys, &error) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, &error)) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  if (nsdyn_system_set_contact(sys, 0, &law)) {
    fprintf(stderr, "%s\n", nsdyn_system_message(sys));
    return 1;
  }
  if (nsdyn_stepper_set_state(stepper, 0.0, q, u)) {
    fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
    return 1;
  }
  do {
    if (nsdyn_stepper_step(stepper, 1e-4)) {
      fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
      return 1;
    }
  } while (nsdyn_stepper_u(stepper)[0] > 1e-9);
  printf("at rest after %.3f s, at %.3f m\n", nsdyn_stepper_time(stepper), nsdyn_stepper_q(stepper)[0]);
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return 0; /* exactly: 0.510 s, 0.397 m */
}
