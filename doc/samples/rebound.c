/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* A ball of 1 kg that falls from rest at 1 m; g = 10 m/s^2. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = -10.0;
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

/* How high it comes after its first impact; negative where a step failed. */
static double rebound(nsdyn_stepper *stepper)
{
  const double q[1] = {1.0}, u[1] = {0.0};
  double highest = 0.0;
  int has_hit = 0;
  nsdyn_status status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  while (status == NSDYN_OK && nsdyn_stepper_time(stepper) < 1.5) {
    status = nsdyn_stepper_step(stepper, 1e-4);
    const double y = nsdyn_stepper_q(stepper)[0], v = nsdyn_stepper_u(stepper)[0];
    if (has_hit && v < 0.0) {
      break; /* it falls again */
    }
    has_hit |= v > 0.0;
    highest = has_hit && y > highest ? y : highest;
  }
  return status == NSDYN_OK ? highest : -1.0;
}

/* One line of the table: a scheme under an impact law. */
static int line(nsdyn_system *sys, const char *name, int32_t scheme, int32_t impact)
{
  static const double eps[4] = {0.3, 0.5, 0.7, 0.9};
  printf("%-16s %-8s", name, impact == NSDYN_IMPACT_NEWTON ? "Newton" : "Poisson");
  for (int i = 0; i < 4; i++) {
    nsdyn_stepper *stepper;
    nsdyn_stepper_options options;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.eps_n = eps[i];
    nsdyn_stepper_options_init(&options, sizeof options);
    options.scheme = scheme;
    options.impact = impact;
    if (nsdyn_system_set_contact(sys, 0, &law) || nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL)) {
      return 1;
    }
    printf("  %.4f", rebound(stepper));
    nsdyn_stepper_free(stepper);
  }
  printf("\n");
  return 0;
}

int main(void)
{
  static const struct {
    const char *name;
    int32_t scheme;
  } schemes[] = {{"Moreau", NSDYN_SCHEME_MOREAU},
                 {"Euler", NSDYN_SCHEME_EULER},
                 {"Moreau-Jean", NSDYN_SCHEME_MOREAU_JEAN},
                 {"Stewart-Trinkle", NSDYN_SCHEME_STEWART_TRINKLE},
                 {"Anitescu-Potra", NSDYN_SCHEME_ANITESCU_POTRA},
                 {"generalized-a.", NSDYN_SCHEME_GENERALIZED_ALPHA}};
  const int count = sizeof schemes / sizeof *schemes;
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  if (nsdyn_system_new(NULL, &def, &sys, NULL)) {
    return 1;
  }
  printf("eps^2                      0.0900  0.2500  0.4900  0.8100\n");
  int failed = 0;
  for (int k = 0; k < count && !failed; k++) {
    failed = line(sys, schemes[k].name, schemes[k].scheme, NSDYN_IMPACT_NEWTON) ||
             line(sys, schemes[k].name, schemes[k].scheme, NSDYN_IMPACT_POISSON);
  }
  nsdyn_system_free(sys);
  return failed;
}
