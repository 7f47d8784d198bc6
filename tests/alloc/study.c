/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Searches for cycles: bodies that bounce without loss, more of them at each stage, on floors that are found.
 */
#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "support/model.h"

enum { STAGES = 3, BODIES = 4, FOUND = 2 };

typedef struct hops {
  model m;
  nsdyn_system *sys;
  nsdyn_cycle *cycle;
} hops;

static void drop(void *object)
{
  hops *h = object;
  nsdyn_cycle_free(h->cycle);
  nsdyn_system_free(h->sys);
  free(h);
}

static void search_options(nsdyn_cycle_options *options)
{
  nsdyn_cycle_options_init(options, sizeof *options);
  options->kind = NSDYN_EVENT_IMPACT;
  options->contact = 0;
  options->max_time = 8.0;
}

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  nsdyn_cycle_options options;
  hops *h = calloc(1, sizeof *h);
  *object = NULL;
  if (!h) {
    return WRONG_ANSWER;
  }
  model_clear(&h->m, BODIES);
  model_add_contact(&h->m, 0.0, 1, 0, 0.0, 1.0);
  for (int i = 0; i < FOUND; i++) {
    model_add_contact(&h->m, 0.0, i + 2, 0, 0.0, 1.0)->key = i;
  }
  h->m.known = 1;
  search_options(&options);
  nsdyn_status status = model_system(&h->m, ctx, 0, 0, &h->sys);
  status = status ? status : nsdyn_cycle_new(NULL, h->sys, &options, &h->cycle, NULL);
  if (status) {
    drop(h);
    return status;
  }
  *object = h;
  return NSDYN_OK;
}

static int set(void *user, double value)
{
  hops *h = user;
  h->m.f[1] = -value;
  return 0;
}

/* What has a floor bounces in periods of 2, one a little after the other; the others rest. */
static nsdyn_status use(void *object, int stage)
{
  hops *h = object;
  static const int found[STAGES] = {0, 1, FOUND};
  double q[BODIES] = {0.0}, u[BODIES] = {0.0};
  const double values[2] = {1.0,
                            -1.0}; /* the second one has no cycle: the branch is walked along to its end */
  nsdyn_cycle_find_report result = {.size = sizeof result};
  nsdyn_cycle_path path;
  h->m.contacts = 1 + found[stage];
  for (int j = 1; j < BODIES; j++) {
    const int bounces = j <= h->m.contacts;
    u[j] = bounces ? 0.1 * (j - 1) : 0.0;
    q[j] = bounces ? 0.5 * (1.0 - u[j] * u[j]) : 0.0;
    h->m.f[j] = bounces ? -1.0 : 0.0;
  }
  nsdyn_cycle_path_init(&path, sizeof path);
  path.count = 2;
  path.values = values;
  path.tol = 0.3; /* where the branch ends is not asked here */
  path.user = h;
  path.set = set;
  nsdyn_cycle_options options;
  search_options(&options);
  nsdyn_status status = nsdyn_cycle_set_options(h->cycle, &options);
  status = status ? status : nsdyn_cycle_set_state(h->cycle, 0.0, q, u);
  status = status ? status : nsdyn_cycle_return(h->cycle);
  status = status ? status : nsdyn_cycle_find(h->cycle);
  if (status) {
    return status;
  }
  nsdyn_cycle_report(h->cycle, &result);
  status = nsdyn_cycle_sweep(h->cycle, &path);
  if (status) {
    return status;
  }
  return result.found && fabs(result.period - 2.0) < 1e-9 ? NSDYN_OK : WRONG_ANSWER;
}

const scenario study_finds = {.name = "cycle",
                              .calls = "nsdyn_cycle_new nsdyn_cycle_set_options nsdyn_cycle_set_state "
                                       "nsdyn_cycle_return nsdyn_cycle_find nsdyn_cycle_sweep",
                              .stages = STAGES,
                              .make = make,
                              .use = use,
                              .drop = drop};
