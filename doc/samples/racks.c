/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* N weights on vertical guides, whose racks all turn one flywheel: M = m I + k e e', with e = (1, ..., 1) and
 * k = J / R^2. Its inverse costs N operations by the formula of Sherman and Morrison, not N^3. */
enum { N = 4 };
static const double m = 1.5, k = 0.5, g = 9.81; /* kg, kg, m/s^2 */

/* X := X M^-1, for `rows` rows of N. */
static int solve_mass(void *user, double t, const double *q, int rows, double *X)
{
  (void)user, (void)t, (void)q;
  for (int r = 0; r < rows; r++, X += N) {
    double sum = 0.0;
    for (int j = 0; j < N; j++) {
      sum += X[j];
    }
    for (int j = 0; j < N; j++) {
      X[j] = (X[j] - k * sum / (m + N * k)) / m;
    }
  }
  return 0;
}
/* Once `solve_mass` is there only the energy balance and nsdyn_system_check() ask for M. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      M[i * N + j] = k + (i == j ? m : 0.0);
    }
  }
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < N; i++) {
    h[i] = -m * g;
  }
  return 0;
}
static int gap(void *user, double t, const double *q, double *g_N)
{
  (void)user, (void)t;
  g_N[0] = q[0]; /* a floor under the first weight */
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

int main(void)
{
  const double q[N] = {0.2, 1.0, 1.0, 1.0}, u[N] = {0.0};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_contact_state floor;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = N;
  def.ncontacts = 1;
  def.mass = mass;
  def.solve_mass = solve_mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, NULL)) {
    return 1;
  }
  printf("do mass and solve_mass agree? %s\n", nsdyn_status_text(nsdyn_system_check(sys, 0.0, q, u, NULL)));
  if (nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL) ||
      nsdyn_event_driver_set_state(driver, 0.0, q, u) || nsdyn_event_driver_advance(driver, 0.4)) {
    fprintf(stderr, "%s\n", nsdyn_event_driver_message(driver));
    return 1;
  }
  const double free = m * g / (m + (N - 1) * k); /* fall of the other three once the first one lies */
  printf("acceleration of the others %.9f m/s^2, exactly %.9f\n", nsdyn_event_driver_a(driver)[1], -free);
  nsdyn_contact_state_init(&floor, sizeof floor);
  nsdyn_event_driver_contact(driver, 0, &floor);
  printf("force of the floor %.9f N, exactly %.9f\n", floor.force[0], m * g - k * (N - 1) * free);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return 0;
}
