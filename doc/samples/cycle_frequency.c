/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

#define PI 3.14159265358979323846

// A ball that bounces on a table, which goes up and down: y = A sin(omega t).
struct table {
  double A, omega, g;
};
static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const struct table *table = user;
  (void)t, (void)q, (void)u;
  h[0] = -table->g;
  return 0;
}
static int gap(void *user, double t, const double *q, double *g)
{
  const struct table *table = user;
  g[0] = q[0] - table->A * sin(table->omega * t);
  return 0;
}
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const struct table *table = user;
  (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = -table->A * table->omega * cos(table->omega * t); // the table moves
  return 0;
}

static nsdyn_status make_system(struct table *table, nsdyn_system **sys)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 1;
  def.ncontacts = 1;
  def.user = table;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_status status = nsdyn_system_new(NULL, &def, sys, NULL);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 0.5;
  return status ? status : nsdyn_system_set_contact(*sys, 0, &law);
}

// One bounce per period of the table, from a guess.
static nsdyn_status find(nsdyn_system *sys, const struct table *table, nsdyn_cycle **out)
{
  const double q[1] = {0.08}, u[1] = {1.3};
  nsdyn_cycle_options options;
  nsdyn_cycle_options_init(&options, sizeof options);
  options.kind = NSDYN_EVENT_IMPACT; // from one impact of contact 0 to the next
  options.contact = 0;
  options.forcing = 2.0 * PI / table->omega;
  nsdyn_cycle *cycle;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_status status = nsdyn_cycle_new(NULL, sys, &options, &cycle, &error);
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_set_state(cycle, 0.0, q, u);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_find(cycle);
  }
  if (status != NSDYN_OK) {
    printf("%s\n", cycle ? nsdyn_cycle_message(cycle) : error.message);
  }
  *out = cycle;
  return status;
}

static int set_frequency(void *user, double value)
{
  struct table *table = user;
  table->omega = value;
  return 0;
}

// The forcing has another period at each value.
static double period(void *user, double value)
{
  (void)user;
  return 2.0 * PI / value;
}

static int visit(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  nsdyn_cycle_find_report result = {.size = sizeof result};
  (void)user;
  nsdyn_cycle_report(cycle, &result);
  if (point->change != NSDYN_CHANGE_NONE) {
    printf("  %s at omega = %.6f rad/s\n", nsdyn_stability_change_name(point->change), point->value);
  } else if (point->status == NSDYN_OK) {
    printf("omega = %.2f rad/s: period %.6f s, %s\n", point->value, result.period,
           result.stable ? "stable" : "unstable");
  }
  return 0;
}

int main(void)
{
  struct table table = {0.034, 20.0, 9.81};
  nsdyn_system *sys;
  nsdyn_cycle *cycle = NULL;
  nsdyn_status status = make_system(&table, &sys);
  if (status == NSDYN_OK) {
    status = find(sys, &table, &cycle);
  }
  if (status == NSDYN_OK) {
    const double values[4] = {20.0, 20.5, 21.0, 21.5};
    nsdyn_cycle_path path;
    nsdyn_cycle_path_init(&path, sizeof path);
    path.count = 4;
    path.values = values;
    path.user = &table;
    path.set = set_frequency;
    path.forcing = period;
    path.visit = visit;
    status = nsdyn_cycle_sweep(cycle, &path);
  }
  nsdyn_cycle_free(cycle);
  nsdyn_system_free(sys);
  return status != NSDYN_OK;
}
