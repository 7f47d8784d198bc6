/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What stands behind checked_stepper.h. When the program ends, a line on stderr tells how many balances were
 * taken, and how far from closed the worst was:
 *
 *   balance STEPS WORST
 *
 * as a share of all terms, and of the kinetic energy that the forces of the step alone would give a body at
 * rest: where contacts take all of that away again, the works that are left are its rounding. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "checked_stepper.h"
#include "stepper/object.h"

#undef nsdyn_stepper_new
#undef nsdyn_stepper_step
#undef nsdyn_stepper_free

enum { STEPPERS = 8 };

/* A stepper, and the observer that it came with. */
typedef struct checked {
  nsdyn_stepper *stepper;
  int (*observe)(void *user, const nsdyn_stepper *stepper);
  void *user;
} checked;

static checked all[STEPPERS];
static long long balances;
static double worst;

static void tell(void)
{
  fprintf(stderr, "balance %lld %.3g\n", balances, worst);
}

static void take_balance(nsdyn_stepper *s)
{
  nsdyn_step_energy e;
  nsdyn_step_energy_init(&e, sizeof e);
  if (nsdyn_stepper_energy(s, &e) || !e.known) {
    return;
  }
  double forced = 0.0; /* ½ hᵀ M⁻¹ h Δt² */
  for (int j = 0; j < s->sys->def.nu && s->inertia.factored; j++) {
    forced += 0.5 * s->z[j] * s->z[j];
  }
  const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
  const double scale = e.before + e.after + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                       fabs(e.constraint) + fabs(e.inertia) + forced;
  const double off = fabs(e.after - e.before - sum);
  worst = off > worst * scale ? off / scale : worst;
  balances++;
}

static int observe(void *user, const nsdyn_stepper *stepper)
{
  const checked *c = user;
  (void)stepper;
  take_balance(c->stepper);
  return c->observe ? c->observe(c->user, c->stepper) : 0;
}

nsdyn_status checked_new(nsdyn_context *ctx, nsdyn_system *sys, const nsdyn_stepper_options *options,
                         nsdyn_stepper **out, nsdyn_error *error)
{
  static int is_registered;
  nsdyn_stepper_options own;
  const char *scheme = getenv("NSDYN_MATRIX_SCHEME"), *impact = getenv("NSDYN_MATRIX_IMPACT"),
             *project = getenv("NSDYN_MATRIX_PROJECT");
  checked *c = all;
  while (c->stepper) {
    c++;
    if (c == all + STEPPERS) {
      fprintf(stderr, "more than %d steppers\n", STEPPERS);
      exit(1);
    }
  }
  if (!is_registered) {
    is_registered = atexit(tell) == 0;
  }
  nsdyn_stepper_options_init(&own, sizeof own);
  own = options ? *options : own;
  own.scheme = scheme ? (int32_t)strtol(scheme, NULL, 10) : own.scheme;
  if (scheme && own.scheme == NSDYN_SCHEME_MOREAU) {
    own.activation = NSDYN_ACTIVATION_SCHEME; /* the midpoint rule knows no other */
  }
  own.impact = impact ? (int32_t)strtol(impact, NULL, 10) : own.impact;
  own.project = project ? (int32_t)strtol(project, NULL, 10) : own.project;
  *c = (checked){.observe = own.observe, .user = own.user};
  own.observe = observe;
  own.user = c;
  const nsdyn_status status = nsdyn_stepper_new(ctx, sys, &own, out, error);
  c->stepper = *out;
  return status;
}

nsdyn_status checked_step(nsdyn_stepper *stepper, double dt)
{
  const nsdyn_status status = nsdyn_stepper_step(stepper, dt);
  if (status == NSDYN_OK) {
    take_balance(stepper);
  }
  return status;
}

void checked_free(nsdyn_stepper *stepper)
{
  for (int i = 0; i < STEPPERS; i++) {
    if (all[i].stepper == stepper) {
      all[i].stepper = NULL;
    }
  }
  nsdyn_stepper_free(stepper);
}
