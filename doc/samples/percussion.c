/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A bar hangs by its upper end and hits a wall at the distance b below. q: its centre and its angle. */
struct bar {
  double m, L, b; /* mass, length, where the wall is */
};

static int mass(void *user, double t, const double *q, double *M)
{
  const struct bar *bar = user;
  (void)t, (void)q;
  M[0] = M[4] = bar->m;
  M[8] = bar->m * bar->L * bar->L / 12.0;
  return 0;
}
/* The upper end stays at the origin: one row for each direction. */
static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double a = 0.5 * ((const struct bar *)user)->L;
  (void)t;
  g_b[0] = q[0] - a * sin(q[2]);
  W_b[0] = 1.0;
  W_b[2] = -a * cos(q[2]);
  g_b[1] = q[1] + a * cos(q[2]);
  W_b[4] = 1.0;
  W_b[5] = -a * sin(q[2]);
  w_hat_b[0] = w_hat_b[1] = 0.0;
  return 0;
}
/* The wall x = 0 is on the right. The point of the bar that touches it is b - L/2 below the centre. */
static int gap(void *user, double t, const double *q, double *g)
{
  const struct bar *bar = user;
  (void)t;
  g[0] = -(q[0] + (bar->b - 0.5 * bar->L) * sin(q[2]));
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const struct bar *bar = user;
  (void)t, (void)i;
  W[0] = -1.0;
  W[2] = -(bar->b - 0.5 * bar->L) * cos(q[2]);
  w_hat[0] = 0.0;
  return 0;
}

static nsdyn_status hit(nsdyn_stepper *stepper, const struct bar *bar)
{
  const double w = 2.0, a = 0.5 * bar->L; /* rad/s, m */
  const double q[3] = {0.0, -a, 0.0}, u[3] = {a * w, 0.0, w};
  nsdyn_status status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  status = status ? status : nsdyn_stepper_impact(stepper);
  if (status) {
    return status;
  }
  nsdyn_contact_state wall;
  nsdyn_constraint_state pivot;
  nsdyn_contact_state_init(&wall, sizeof wall);
  nsdyn_constraint_state_init(&pivot, sizeof pivot);
  nsdyn_stepper_contact(stepper, 0, &wall);
  nsdyn_stepper_constraint(stepper, 0, &pivot);
  const double by_wall = bar->m * bar->L * bar->L * w / (3.0 * bar->b);
  printf("b = %.2f m: wall %.6f Ns (%.6f), pivot %9.6f Ns (%9.6f)\n", bar->b, wall.impulse[0], by_wall,
         pivot.impulse, by_wall - bar->m * a * w);
  return NSDYN_OK;
}

int main(void)
{
  struct bar bar = {.m = 1.2, .L = 0.9};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 1;
  def.nconstraints = 2;
  def.user = &bar;
  def.mass = mass;
  def.constraint = constraint;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, NULL) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL)) {
    return 1;
  }
  const double places[3] = {0.45, 0.59, 0.9};
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < 3 && !status; k++) {
    bar.b = places[k];
    status = hit(stepper, &bar);
  }
  if (status) {
    fprintf(stderr, "%s: %s\n", nsdyn_status_name(status), nsdyn_stepper_message(stepper));
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
