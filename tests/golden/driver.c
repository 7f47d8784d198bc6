/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What event drivers compute: impacts, stick, slip, hops closed off, under both laws of impact. */
#include "nsdyn/event.h"

#include <stdlib.h>
#include <string.h>

#include "hash.h"

enum { NU = 4, CONTACTS = 3 };

/* Unit masses on springs and a coupling, over floors that are curved: g_i = q_i+1 (1 + c_i q_i+1) + q_0/8. */
typedef struct task {
  double k[NU], couple, weight, curve[CONTACTS];
} task;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t;
  for (int i = 0; i < NU; i++) {
    M[i * NU + i] = 1.0 + 0.125 * q[i] * q[i];
  }
  M[1] = M[NU] = 0.25;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const task *p = user;
  for (int i = 0; i < NU; i++) {
    h[i] = -p->k[i] * q[i] - 0.0625 * u[i] - (i ? p->weight : 0.0);
  }
  h[0] += p->couple * (q[1] - q[0]) + 0.25 * t;
  h[1] -= p->couple * (q[1] - q[0]);
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const task *p = user;
  (void)t;
  for (int i = 0; i < CONTACTS; i++) {
    g[i] = q[i + 1] * (1.0 + p->curve[i] * q[i + 1]) + 0.125 * q[0];
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const task *p = user;
  (void)t;
  W[0] = 0.125;
  W[i + 1] = 1.0 + 2.0 * p->curve[i] * q[i + 1];
  W[NU] = 1.0;
  w_hat[1] = -0.125 * i;
  return 0;
}

static void hash_run(hash *h, stream *from, nsdyn_event_driver *driver, task *p)
{
  double q[NU], u[NU];
  stream_fill(from, NU, q);
  stream_fill(from, NU, u);
  for (int i = 0; i < NU; i++) {
    p->k[i] = 1.0 + stream_number(from);
    q[i] = i ? 0.75 + 0.25 * q[i] : 0.25 * q[i];
  }
  p->couple = 0.5 + 0.5 * stream_number(from);
  p->weight = 4.0;
  for (int i = 0; i < CONTACTS; i++) {
    p->curve[i] = 0.0625 * stream_number(from);
  }
  hash_int(h, nsdyn_event_driver_set_state(driver, 0.0, q, u));
  hash_int(h, nsdyn_event_driver_advance(driver, 6.0));
  hash_doubles(h, NU, nsdyn_event_driver_q(driver));
  hash_doubles(h, NU, nsdyn_event_driver_u(driver));
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event = {.size = sizeof event};
    nsdyn_event_driver_event(driver, k, &event);
    hash_int(h, event.kind);
    hash_int(h, event.contact);
    hash_int(h, event.group);
    hash_double(h, event.t);
    hash_double(h, event.t_bound);
    hash_doubles(h, 3, event.after);
    hash_doubles(h, 3, event.impulse);
  }
}

void golden_driver(hash *h)
{
  stream from = stream_begin(73);
  for (int k = 0; k < 12; k++) {
    task p;
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_event_driver *driver;
    nsdyn_event_driver_options options;
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_event_driver_options_init(&options, sizeof options);
    memset(&p, 0, sizeof p);
    def.nq = def.nu = NU;
    def.ncontacts = CONTACTS;
    def.user = &p;
    def.mass = mass;
    def.force = force;
    def.gap = gap;
    def.direction = direction;
    options.impact = k % 2;
    options.ambiguous = NSDYN_AMBIGUITY_STICK;
    options.tol = k % 3 ? 0x1p-30 : 0x1p-20;
    if (nsdyn_system_new(NULL, &def, &sys, NULL) ||
        nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL)) {
      abort();
    }
    for (int i = 0; i < CONTACTS; i++) {
      nsdyn_contact_law law;
      nsdyn_contact_law_init(&law, sizeof law);
      law.mu = 0.25 * i;
      law.eps_n = 0.25 * (k % 4);
      nsdyn_system_set_contact(sys, i, &law);
    }
    for (int run = 0; run < 3; run++) {
      hash_run(h, &from, driver, &p);
    }
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
  }
}
