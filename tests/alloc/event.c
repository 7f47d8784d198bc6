/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Event drivers with contacts known and found: falls, impacts, slides, more contacts at each stage. */
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
