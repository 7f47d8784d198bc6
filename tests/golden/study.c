/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/study computes: eigenvalues; cycles of blocks on a belt, along its speed. */
#include "nsdyn/study.h"

#include <stdlib.h>

#include "hash.h"
#include "study/eigenvalues.h"

enum { MOST = 9, NU = 4 };

void golden_eigenvalues(hash *h)
{
  stream from = stream_begin(79);
  for (int k = 0; k < 200; k++) {
    double A[MOST * MOST], lambda[2 * MOST] = {0.0};
    const int n = 1 + k % MOST;
    for (int i = 0; i < n * n; i++) {
      A[i] = stream_below(&from, 3) ? k % 3 ? stream_number(&from) : stream_scaled(&from) : 0.0;
    }
    hash_int(h, nsd_eigenvalues(n, A, n, lambda));
    hash_doubles(h, 2 * (size_t)n, lambda);
  }
}

/* Two blocks (x_0, x_1, y_0, y_1) on a belt, behind springs and coupled. */
typedef struct belt {
  double k[2], couple, V;
} belt;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[10] = 1.0;
  M[5] = M[15] = 1.25;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const belt *p = user;
  (void)t;
  h[0] = -p->k[0] * q[0] - p->couple * (q[0] - q[1]) - 0.0625 * u[0];
  h[1] = -p->k[1] * q[1] - p->couple * (q[1] - q[0]);
  h[2] = h[3] = -2.0;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  g[1] = q[3];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const belt *p = user;
  (void)t, (void)q;
  W[2 + i] = 1.0;
  W[NU + i] = 1.0;
  w_hat[1] = -p->V;
  return 0;
}

static int set(void *user, double value)
{
  ((belt *)user)->V = value;
  return 0;
}

static hash *target;

static int visit(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  nsdyn_cycle_find_report result = {.size = sizeof result};
  int32_t count;
  (void)user;
  nsdyn_cycle_report(cycle, &result);
  hash_int(target, point->index);
  hash_int(target, point->change);
  hash_int(target, point->status);
  hash_double(target, point->value);
  hash_double(target, point->bound);
  hash_int(target, result.found);
  hash_int(target, result.iterations);
  hash_double(target, result.period);
  hash_double(target, result.residual);
  const double *lambda = nsdyn_cycle_multipliers(cycle, &count);
  hash_doubles(target, 2 * (size_t)count, lambda);
  hash_doubles(target, NU, nsdyn_cycle_q(cycle));
  hash_doubles(target, NU, nsdyn_cycle_u(cycle));
  return 0;
}

static nsdyn_cycle *search(belt *p, nsdyn_system **sys)
{
  nsdyn_system_def def;
  nsdyn_cycle_options options;
  nsdyn_cycle *cycle;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_cycle_options_init(&options, sizeof options);
  def.nq = def.nu = NU;
  def.ncontacts = 2;
  def.user = p;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  options.kind = NSDYN_EVENT_SLIP;
  options.contact = 0;
  options.settle = 8;
  options.max_iterations = 12;
  options.max_time = 64.0;
  if (nsdyn_system_new(NULL, &def, sys, NULL) || nsdyn_cycle_new(NULL, *sys, &options, &cycle, NULL)) {
    abort();
  }
  for (int i = 0; i < 2; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu = 0.25;
    law.mu_static = i ? 0.375 : 0.75;
    nsdyn_system_set_contact(*sys, i, &law);
  }
  return cycle;
}

void golden_study(hash *h)
{
  stream from = stream_begin(83);
  target = h;
  for (int k = 0; k < 4; k++) {
    nsdyn_system *sys;
    belt p = {.V = 0.5};
    const double values[4] = {0.375, 0.4375, 0.5, 0.5625};
    double q[NU] = {0.0}, u[NU] = {0.5, 0.5, 0.0, 0.0};
    nsdyn_cycle_path path;
    nsdyn_cycle *cycle = search(&p, &sys);
    nsdyn_cycle_path_init(&path, sizeof path);
    path.count = 4;
    path.values = values;
    path.tol = 0x1p-6;
    path.user = &p;
    path.set = set;
    path.visit = visit;
    p.k[0] = 1.0 + 0.25 * stream_number(&from);
    p.k[1] = 1.5 + 0.25 * stream_number(&from);
    p.couple = 0.5 + 0.5 * stream_number(&from);
    hash_int(h, nsdyn_cycle_set_state(cycle, 0.0, q, u));
    hash_int(h, nsdyn_cycle_sweep(cycle, &path));
    nsdyn_cycle_free(cycle);
    nsdyn_system_free(sys);
  }
}
