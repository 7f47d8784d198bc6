/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Event drivers with contacts known and found: falls, impacts, slides, more contacts at each stage. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "support/model.h"

enum { STAGES = 4, FOUND = 10 };

typedef struct toy {
  model m;
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
} toy;

static void drop(void *object)
{
  toy *t = object;
  nsdyn_event_driver_free(t->driver);
  nsdyn_system_free(t->sys);
  free(t);
}

/* A body that falls on a floor known in advance, and on walls that are found. */
static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  toy *t = calloc(1, sizeof *t);
  *object = NULL;
  if (!t) {
    return WRONG_ANSWER;
  }
  model_clear(&t->m, MODEL_MOST);
  for (int j = 1; j < MODEL_MOST; j++) {
    t->m.f[j] = -1.0;
  }
  model_add_contact(&t->m, 0.0, 1, 0, 0.25, 0.5);
  for (int i = 0; i < FOUND; i++) {
    model_contact *c =
        model_add_contact(&t->m, 0.0, i % (MODEL_MOST - 2) + 2, i / (MODEL_MOST - 2), 0.25, 0.0);
    c->key = i;
  }
  t->m.known = 1;
  nsdyn_status status = model_system(&t->m, ctx, 0, 0, &t->sys);
  status = status ? status : nsdyn_event_driver_new(NULL, t->sys, NULL, &t->driver, NULL);
  if (status) {
    drop(t);
    return status;
  }
  *object = t;
  return NSDYN_OK;
}

/* All fall from a height of 1/2 and hit at t = 1; the slide of u_0 = 1 goes on until friction ends it. */
static nsdyn_status use(void *object, int stage)
{
  toy *t = object;
  static const int found[STAGES] = {0, 1, 4, FOUND};
  const double q[MODEL_MOST] = {0.0, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, u[MODEL_MOST] = {1.0};
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.check = 0; /* which takes memory again where options are set again */
  t->m.contacts = 1 + found[stage];
  nsdyn_status status = nsdyn_event_driver_set_options(t->driver, &options);
  status = status ? status : nsdyn_event_driver_set_state(t->driver, 0.0, q, u);
  const double before = 0.0;
  status = status ? status : nsdyn_event_driver_advance(t->driver, 8.0);
  status = status ? status : nsdyn_event_driver_consistent(t->driver, NULL); /* it is already */
  if (status && nsdyn_event_driver_time(t->driver) < 8.0) {
    const double now = nsdyn_event_driver_time(t->driver);
    return now >= before && now < 8.0 ? status : WRONG_ANSWER;
  }
  if (status) {
    return status;
  }
  status = nsdyn_event_driver_advance(t->driver, 8.0);
  const int is_right = status == NSDYN_OK && nsdyn_event_driver_active(t->driver) >= 1 &&
                       nsdyn_event_driver_events(t->driver) > 10 && nsdyn_event_driver_time(t->driver) == 8.0;
  if (status || !is_right) {
    return status ? status : WRONG_ANSWER;
  }
  static char bytes[1 << 15];
  nsdyn_event_energy energy = {.size = sizeof energy};
  status = nsdyn_event_driver_energy(t->driver, &energy);
  const size_t size = nsdyn_event_driver_save(t->driver, bytes, sizeof bytes);
  return status                ? status
         : size > sizeof bytes ? WRONG_ANSWER
                               : nsdyn_event_driver_restore(t->driver, bytes, size);
}

const scenario event_runs = {
    .name = "event driver",
    .calls = "nsdyn_event_driver_new nsdyn_event_driver_set_state nsdyn_event_driver_advance "
             "nsdyn_event_driver_set_options nsdyn_event_driver_consistent "
             "nsdyn_event_driver_energy nsdyn_event_driver_restore",
    .stages = STAGES,
    .make = make,
    .use = use,
    .drop = drop};

/* ---- a problem of forces that a run stops at ----------------------------------------------------------- */

/* A rod of unit mass and length, its lower end on a rough floor, slides to the left at a state with two
 * answers: Painlevé's, with μ = 2. */
static int rod_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = 1.0 / 12.0;
  return 0;
}

static int rod_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -9.81;
  return 0;
}

static int rod_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - 0.5 * sin(q[2]);
  return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int rod_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i, (void)w_hat;
  W[1] = W[3] = 1.0;
  W[2] = -0.5 * cos(q[2]);
  W[5] = 0.5 * sin(q[2]);
  return 0;
}

static int rod_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)i;
  w_bar[0] = 0.5 * sin(q[2]) * u[2] * u[2];
  w_bar[1] = 0.5 * cos(q[2]) * u[2] * u[2];
  return 0;
}

static nsdyn_status make_rod(const nsdyn_context_def *table, nsdyn_context *ctx, void **object)
{
  (void)table;
  nsdyn_system_def def;
  nsdyn_contact_law law;
  toy *t = calloc(1, sizeof *t);
  *object = NULL;
  if (!t) {
    return WRONG_ANSWER;
  }
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 1;
  def.mass = rod_mass;
  def.force = rod_force;
  def.gap = rod_gap;
  def.direction = rod_direction;
  def.bias = rod_bias;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 2.0;
  nsdyn_status status = nsdyn_system_new(ctx, &def, &t->sys, NULL);
  status = status ? status : nsdyn_system_set_contact(t->sys, 0, &law);
  status = status ? status : nsdyn_event_driver_new(NULL, t->sys, NULL, &t->driver, NULL);
  if (status) {
    drop(t);
    return status;
  }
  *object = t;
  return NSDYN_OK;
}

static nsdyn_status use_rod(void *object, int stage)
{
  static char text[4096];
  toy *t = object;
  const double angle = 1.0, spin = 5.0;
  const double q[3] = {0.0, 0.5 * sin(angle), angle};
  const double u[3] = {-1.0 - 0.5 * sin(angle) * spin, 0.5 * cos(angle) * spin, spin};
  (void)stage;
  nsdyn_status status = nsdyn_event_driver_set_state(t->driver, 0.0, q, u);
  status = status ? status : nsdyn_event_driver_advance(t->driver, 0.01);
  if (status != NSDYN_STOPPED) {
    return status ? status : WRONG_ANSWER;
  }
  const size_t length = nsdyn_event_driver_write_problem(t->driver, text, sizeof text);
  return length == 0 ? NSDYN_ERR_NOMEM : length > sizeof text ? WRONG_ANSWER : NSDYN_OK;
}

const scenario event_stops = {.name = "event driver that stops",
                              .calls = "nsdyn_event_driver_write_problem",
                              .stages = 1,
                              .make = make_rod,
                              .use = use_rod,
                              .drop = drop};
