/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What event drivers compute of contacts in space: a sphere with spin that bounces, slides and rolls on a
 * floor and hits a wall on its way; a puck on an incline that turns, and one at rest whose load grows. */
#include "nsdyn/event.h"

#include <stdlib.h>

#include "hash.h"

enum { MOST_NU = 6, CONTACTS = 2 };

/* Of the puck radius = 0, nu = 3 and one contact. */
typedef struct task {
  int nu;
  double radius, inertia, wall;
  double load[3], rise[2]; /* load + rise t */
  double drift[2], turn;   /* the floor moves, and turns about z */
} task;

static int mass(void *user, double t, const double *q, double *M)
{
  const task *p = user;
  (void)t, (void)q;
  for (int i = 0; i < p->nu; i++) {
    M[i * p->nu + i] = i < 3 ? 1.0 : p->inertia;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const task *p = user;
  (void)q;
  for (int i = 0; i < 3; i++) {
    h[i] = p->load[i] - 0.015625 * u[i] + (i < 2 ? p->rise[i] * t : 0.0);
  }
  return 0;
}

/* The floor z = 0, and the wall x = wall. */
static int gap(void *user, double t, const double *q, double *g)
{
  const task *p = user;
  (void)t;
  g[0] = q[2] - p->radius;
  if (p->nu == MOST_NU) {
    g[1] = p->wall - q[0] - p->radius;
  }
  return 0;
}

/* Of the point that touches, v + ω × r: axes z, x, y on the floor, −x, y, z at the wall. */
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const task *p = user;
  const int nu = p->nu;
  (void)t;
  if (i == 1) {
    W[0] = -1.0;
    W[nu + 1] = W[2 * nu + 2] = 1.0;
    W[nu + 5] = p->radius;
    W[2 * nu + 4] = -p->radius;
    return 0;
  }
  W[2] = W[nu] = W[2 * nu + 1] = 1.0;
  if (nu == MOST_NU) {
    W[nu + 4] = -p->radius;
    W[2 * nu + 3] = p->radius;
  }
  w_hat[1] = -p->drift[0] + p->turn * q[1];
  w_hat[2] = -p->drift[1] - p->turn * q[0];
  return 0;
}

static void hash_events(hash *h, const nsdyn_event_driver *driver)
{
  for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
    nsdyn_event event = {.size = sizeof event};
    nsdyn_event_driver_event(driver, k, &event);
    hash_int(h, event.kind);
    hash_int(h, event.contact);
    hash_int(h, event.group);
    hash_double(h, event.t);
    hash_double(h, event.t_bound);
    hash_doubles(h, 3, event.before);
    hash_doubles(h, 3, event.after);
    hash_doubles(h, 3, event.impulse);
  }
}

static void hash_run(hash *h, stream *from, nsdyn_event_driver *driver, const task *p)
{
  double q[MOST_NU], u[MOST_NU];
  stream_fill(from, MOST_NU, q);
  stream_fill(from, MOST_NU, u);
  q[2] = p->nu == MOST_NU ? p->radius + 0.5 + 0.25 * q[2] : 0.0;
  u[2] = p->nu == MOST_NU ? u[2] : 0.0;
  for (int i = 3; i < p->nu; i++) {
    u[i] *= 8.0;
  }
  for (int i = 0; i < 2 && p->rise[0] != 0.0; i++) {
    u[i] = p->drift[i] - (i ? -1.0 : 1.0) * p->turn * q[1 - i]; /* of the floor */
  }
  hash_int(h, nsdyn_event_driver_set_state(driver, 0.0, q, u));
  for (int k = 1; k <= 4; k++) {
    hash_int(h, nsdyn_event_driver_advance(driver, k));
    hash_doubles(h, (size_t)p->nu, nsdyn_event_driver_q(driver));
    hash_doubles(h, (size_t)p->nu, nsdyn_event_driver_u(driver));
    for (int i = 0; i < (p->nu == MOST_NU ? CONTACTS : 1); i++) {
      nsdyn_contact_state state = {.size = sizeof state};
      hash_int(h, nsdyn_event_driver_contact(driver, i, &state));
      hash_int(h, state.mode);
      hash_doubles(h, 3, state.force);
    }
  }
  hash_events(h, driver);
}

void golden_driver_space(hash *h)
{
  stream from = stream_begin(74);
  for (int k = 0; k < 16; k++) {
    const int is_sphere = k % 4 != 3;
    task p = {.nu = is_sphere ? MOST_NU : 3, .radius = is_sphere ? 0.25 : 0.0, .inertia = 0.025, .wall = 2.0};
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_event_driver *driver;
    nsdyn_event_driver_options options;
    stream_fill(&from, 2, p.load);
    stream_fill(&from, 2, p.drift);
    p.load[2] = -8.0;
    p.load[0] += is_sphere || k % 8 == 3 ? 0.0 : 3.0; /* the incline */
    p.turn = k % 8 == 7 ? 0.5 : 0.0;
    if (k % 8 == 3) {
      stream_fill(&from, 2, p.rise);
      p.rise[0] += 2.0;
    }
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_event_driver_options_init(&options, sizeof options);
    def.nq = def.nu = p.nu;
    def.ncontacts = is_sphere ? CONTACTS : 1;
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
    for (int i = 0; i < def.ncontacts; i++) {
      nsdyn_contact_law law;
      nsdyn_contact_law_init(&law, sizeof law);
      law.tangents = 2;
      law.friction = k % 5 == 4 ? NSDYN_FRICTION_STATIC : NSDYN_FRICTION_COULOMB;
      law.mu = 0.125 + 0.03125 * k;
      law.mu_static = 1.25 * law.mu;
      law.aspect = k % 3 == 2 ? 0.75 : 1.0;
      law.eps_n = 0.25 * (k % 3);
      law.eps_t = k % 4 == 2 ? 0.5 : 0.0;
      nsdyn_system_set_contact(sys, i, &law);
    }
    for (int run = 0; run < 3; run++) {
      hash_run(h, &from, driver, &p);
    }
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
  }
}
