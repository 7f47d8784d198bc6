/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Event drivers that stop at a problem of forces with two answers, which is written as text: Painlevé's rod,
 * in the plane and in space. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

/* Of unit mass and length, with μ = 2, its lower end on a floor: q = (x, z, φ); in space it may slide across
 * as well, by a fourth coordinate y. */
typedef struct rod {
  int n; /* coordinates */
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
} rod;

static void drop(void *object)
{
  rod *r = object;
  nsdyn_event_driver_free(r->driver);
  nsdyn_system_free(r->sys);
  free(r);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const int n = ((const rod *)user)->n;
  (void)t, (void)q;
  for (int j = 0; j < n; j++) {
    M[j * (n + 1)] = j == 2 ? 1.0 / 12.0 : 1.0;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - 0.5 * sin(q[2]);
  return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const int n = ((const rod *)user)->n;
  (void)t, (void)i, (void)w_hat;
  W[1] = W[n] = 1.0;
  W[2] = -0.5 * cos(q[2]);
  W[n + 2] = 0.5 * sin(q[2]);
  if (n == 4) {
    W[2 * n + 3] = 1.0;
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)t, (void)i;
  w_bar[0] = 0.5 * sin(q[2]) * u[2] * u[2];
  w_bar[1] = 0.5 * cos(q[2]) * u[2] * u[2];
  if (((const rod *)user)->n == 4) {
    w_bar[2] = 0.0;
  }
  return 0;
}

static nsdyn_status make(nsdyn_context *ctx, int n, void **object)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  rod *r = calloc(1, sizeof *r);
  *object = NULL;
  if (!r) {
    return WRONG_ANSWER;
  }
  r->n = n;
  nsdyn_system_def_init(&def, sizeof def);
  def.user = r;
  def.nq = def.nu = n;
  def.ncontacts = 1;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  def.bias = bias;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = n - 2;
  law.mu = 2.0;
  nsdyn_status status = nsdyn_system_new(ctx, &def, &r->sys, NULL);
  status = status ? status : nsdyn_system_set_contact(r->sys, 0, &law);
  status = status ? status : nsdyn_event_driver_new(NULL, r->sys, NULL, &r->driver, NULL);
  if (status) {
    drop(r);
    return status;
  }
  *object = r;
  return NSDYN_OK;
}

static nsdyn_status make_planar(const nsdyn_context_def *table, nsdyn_context *ctx, void **object)
{
  (void)table;
  return make(ctx, 3, object);
}

static nsdyn_status make_in_space(const nsdyn_context_def *table, nsdyn_context *ctx, void **object)
{
  (void)table;
  return make(ctx, 4, object);
}

/* It slides to the left at a state with two answers. */
static nsdyn_status use(void *object, int stage)
{
  static char text[4096];
  rod *r = object;
  const double angle = 1.0, spin = 5.0;
  const double q[4] = {0.0, 0.5 * sin(angle), angle};
  const double u[4] = {-1.0 - 0.5 * sin(angle) * spin, 0.5 * cos(angle) * spin, spin};
  (void)stage;
  nsdyn_status status = nsdyn_event_driver_set_state(r->driver, 0.0, q, u);
  status = status ? status : nsdyn_event_driver_advance(r->driver, 0.01);
  if (status != NSDYN_STOPPED) {
    return status ? status : WRONG_ANSWER;
  }
  const size_t length = nsdyn_event_driver_write_problem(r->driver, text, sizeof text);
  return length == 0 ? NSDYN_ERR_NOMEM : length > sizeof text ? WRONG_ANSWER : NSDYN_OK;
}

const scenario event_stops = {.name = "event driver that stops",
                              .calls = "nsdyn_event_driver_write_problem",
                              .stages = 1,
                              .make = make_planar,
                              .use = use,
                              .drop = drop};

const scenario event_stops_in_space = {.name = "event driver in space that stops",
                                       .calls = "nsdyn_event_driver_write_problem",
                                       .stages = 1,
                                       .make = make_in_space,
                                       .use = use,
                                       .drop = drop};
