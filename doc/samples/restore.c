/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A ball that bounces, saved on its way. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.5;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = -0.5 * 9.81;
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

/* All that a stepper is, in memory of ours; NULL where there is none. */
static void *save(const nsdyn_stepper *stepper, size_t *size)
{
  *size = nsdyn_stepper_save(stepper, NULL, 0); /* how much there is */
  void *bytes = malloc(*size);
  if (bytes) {
    nsdyn_stepper_save(stepper, bytes, *size);
  }
  return bytes;
}

int main(void)
{
  const double q[1] = {1.0}, u[1] = {0.0};
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *first = NULL, *second = NULL;
  size_t size = 0;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law_init(&law, sizeof law);
  law.eps_n = 0.5;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_system_set_contact(sys, 0, &law) ||
      nsdyn_stepper_new(NULL, sys, NULL, &first, NULL) || nsdyn_stepper_new(NULL, sys, NULL, &second, NULL) ||
      nsdyn_stepper_set_state(first, 0.0, q, u) || nsdyn_stepper_advance(first, 0.7)) {
    return 1;
  }
  void *bytes = save(first, &size);
  if (!bytes || nsdyn_stepper_restore(second, bytes, size)) {
    return 1;
  }
  nsdyn_stepper_advance(first, 2.0);
  nsdyn_stepper_advance(second, 2.0); /* from t = 0.7 s on */
  const int same = memcmp(nsdyn_stepper_q(first), nsdyn_stepper_q(second), sizeof q) == 0 &&
                   memcmp(nsdyn_stepper_u(first), nsdyn_stepper_u(second), sizeof u) == 0;
  printf("both at %.1f s, the same bits: %s\n", nsdyn_stepper_time(second), same ? "yes" : "no");
  const nsdyn_status cut = nsdyn_stepper_restore(second, bytes, size - 1);
  printf("%s: %s\n", nsdyn_status_name(cut), nsdyn_stepper_message(second));
  printf("still at %.1f s\n", nsdyn_stepper_time(second));
  free(bytes);
  nsdyn_stepper_free(second);
  nsdyn_stepper_free(first);
  nsdyn_system_free(sys);
  return 0;
}
