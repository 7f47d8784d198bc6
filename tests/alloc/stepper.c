/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Systems, and steppers with contacts known and found: steps of all kinds, projection, energy, text, states.
 */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "support/model.h"

/* ---- systems ---- */

static nsdyn_status make_system(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  static model m;
  nsdyn_system *sys = *object;
  model_clear(&m, 2);
  model_add_contact(&m, 0.0, 1, 0, 0.5, 0.0);
  m.nblocks = 2;
  m.block[0] = m.block[1] = 1;
  m.writes_blocks = 1;
  const nsdyn_system_def table = model_def(&m, 0, 0);
  const nsdyn_status status = nsdyn_system_new(ctx, &table, &sys, NULL);
  *object = sys;
  return status;
}

static void drop_system(void *object)
{
  nsdyn_system_free(object);
}

const scenario system_new = {
    .name = "system", .calls = "nsdyn_system_new", .make = make_system, .drop = drop_system};

/* ---- steppers ---- */

enum { STAGES = 4, FOUND = 12 };

typedef struct toy {
  model m;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
} toy;

static void drop_toy(void *object)
{
  toy *t = object;
  nsdyn_stepper_free(t->stepper);
  nsdyn_system_free(t->sys);
  free(t);
}

/* It has memory of its own for one call. */
static nsdyn_status check_model(toy *t)
{
  static const double q[MODEL_MOST] = {0.1, 0.2, 0.3}, u[MODEL_MOST] = {0.3, -0.2, 0.1};
  return nsdyn_system_check(t->sys, 0.0, q, u, NULL);
}

/* A block on a floor known in advance, in a row of walls that are found. */
static nsdyn_status make_toy(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  toy *t = calloc(1, sizeof *t);
  *object = NULL;
  if (!t) {
    return WRONG_ANSWER;
  }
  model_clear(&t->m, MODEL_MOST);
  t->m.f[1] = -1.0;
  model_add_contact(&t->m, 0.0, 1, 0, 0.5, 0.0);
  for (int i = 0; i < FOUND; i++) {
    model_contact *c = model_add_contact(&t->m, 0.0, i % (MODEL_MOST - 2) + 2, 0, 0.5, 0.0);
    c->key = i;
  }
  for (int i = 0; i <= FOUND; i++) {
    t->m.contact[i].law.eps_n = 0.5;
  }
  t->m.known = 1;
  nsdyn_status status = model_system(&t->m, ctx, 0, 0, &t->sys);
  status = status ? status : check_model(t);
  status = status ? status : nsdyn_stepper_new(NULL, t->sys, NULL, &t->stepper, NULL);
  if (status) {
    drop_toy(t);
    return status;
  }
  *object = t;
  return NSDYN_OK;
}

/* A step of any kind: one that fails must leave time and state. */
static nsdyn_status judge(const toy *t, double before, nsdyn_status status)
{
  return status && nsdyn_stepper_time(t->stepper) != before ? WRONG_ANSWER : status;
}

static nsdyn_status take_steps(toy *t)
{
  nsdyn_step_energy energy;
  nsdyn_step_energy_init(&energy, sizeof energy);
  double before = nsdyn_stepper_time(t->stepper);
  nsdyn_status status = judge(t, before, nsdyn_stepper_impact(t->stepper));
  status = status ? status : judge(t, before, nsdyn_stepper_step(t->stepper, 1e-3));
  status = status ? status : judge(t, before + 1e-3, nsdyn_stepper_consistent(t->stepper, NULL));
  if (status == NSDYN_OK) {
    before = nsdyn_stepper_time(t->stepper);
    status = judge(t, before, nsdyn_stepper_advance(t->stepper, before + 1e-3));
  }
  return status ? status : nsdyn_stepper_energy(t->stepper, &energy);
}

static nsdyn_status write_and_restore(toy *t)
{
  static char text[1 << 16], bytes[4096];
  const size_t length = nsdyn_stepper_write_problem(t->stepper, text, sizeof text);
  if (length == 0) {
    return NSDYN_ERR_NOMEM;
  }
  const size_t size = nsdyn_stepper_save(t->stepper, bytes, sizeof bytes);
  return length > sizeof text || size > sizeof bytes ? WRONG_ANSWER
                                                     : nsdyn_stepper_restore(t->stepper, bytes, size);
}

static int no_output(void *user, double t, const double *q, const double *u)
{
  (void)user, (void)t, (void)q, (void)u;
  return 0;
}

static nsdyn_status use_toy(void *object, int stage)
{
  toy *t = object;
  static const double zero[MODEL_MOST] = {0.0}, down[MODEL_MOST] = {0.0, 0.0, -1.0, -1.0, -1.0};
  static const int found[STAGES] = {0, 1, 5, FOUND};
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0; /* which takes memory again where options are set again */
  options.project = stage == 3 ? NSDYN_PROJECT_SPLIT : stage > 1;
  options.count = stage == 1;
  options.scheme = stage == 1   ? NSDYN_SCHEME_GENERALIZED_ALPHA
                   : stage == 2 ? NSDYN_SCHEME_STEWART_TRINKLE
                   : stage == 3 ? NSDYN_SCHEME_MOREAU_JEAN
                                : NSDYN_SCHEME_MOREAU;
  options.advance_tol = stage == 3 ? 1e-3 : 0.0;
  options.shortest = 0.5;
  options.output = stage > 1 ? no_output : NULL;
  options.output_dt = 1e-4;
  options.impact = stage > 0 ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
  t->m.contacts = 1 + found[stage];
  nsdyn_status status = nsdyn_stepper_set_options(t->stepper, &options);
  status = status ? status : nsdyn_stepper_set_state(t->stepper, 0.0, zero, stage > 0 ? down : zero);
  status = status ? status : take_steps(t);
  return status ? status : write_and_restore(t);
}

const scenario stepper_steps = {
    .name = "stepper",
    .calls = "nsdyn_stepper_new nsdyn_stepper_step nsdyn_stepper_advance nsdyn_stepper_impact "
             "nsdyn_stepper_energy nsdyn_stepper_set_options nsdyn_stepper_write_problem "
             "nsdyn_stepper_restore nsdyn_stepper_consistent nsdyn_contact_sink_add nsdyn_system_add_law "
             "nsdyn_system_check",
    .stages = STAGES,
    .make = make_toy,
    .use = use_toy,
    .drop = drop_toy};

/* ---- free bodies in space, so many contacts that they are solved by bodies ---- */

enum { BODIES = 6, TOUCHES = 3 * BODIES };

typedef struct heap {
  int32_t block[BODIES];
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
} heap;

static int heap_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 9 * BODIES; i++) {
    const int body = i / 9;
    M[i] = i % 9 % 4 == 0 ? 1.0 + body : 0.0;
  }
  return 0;
}

static int heap_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < 3 * BODIES; i++) {
    h[i] = i % 3 == 2 ? -10.0 : 1.0;
  }
  return 0;
}

/* Each particle touches the floor, the next one across it, and a second floor. */
static int heap_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  (void)user, (void)t, (void)q, (void)u, (void)margin;
  static const double up[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  static const double along[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  static const double back[9] = {-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0};
  int failed = 0;
  for (int i = 0; i < TOUCHES && !failed; i++) {
    const int32_t body = i % BODIES, other = (body + 1) % BODIES;
    const int is_pair = i / BODIES == 1;
    const nsdyn_contact_block blocks[2] = {{.offset = 3 * body, .count = 3, .values = is_pair ? along : up},
                                           {.offset = 3 * other, .count = 3, .values = back}};
    nsdyn_found_contact c;
    nsdyn_found_contact_init(&c, sizeof c);
    c.key = i;
    c.blocks = is_pair ? 2 : 1;
    c.block = blocks;
    failed = nsdyn_contact_sink_add(sink, &c);
  }
  return failed;
}

static void drop_heap(void *object)
{
  heap *h = object;
  nsdyn_stepper_free(h->stepper);
  nsdyn_system_free(h->sys);
  free(h);
}

static nsdyn_status make_heap(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  heap *h = calloc(1, sizeof *h);
  *object = NULL;
  if (!h) {
    return WRONG_ANSWER;
  }
  nsdyn_system_def table;
  nsdyn_system_def_init(&table, sizeof table);
  table.nq = table.nu = 3 * BODIES;
  table.nblocks = BODIES;
  table.block = h->block;
  for (int i = 0; i < BODIES; i++) {
    h->block[i] = 3;
  }
  table.mass = heap_mass;
  table.force = heap_force;
  table.find = heap_find;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = 0.2;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0;
  int32_t number;
  nsdyn_status status = nsdyn_system_new(ctx, &table, &h->sys, NULL);
  status = status ? status : nsdyn_system_add_law(h->sys, &law, &number);
  status = status ? status : nsdyn_stepper_new(NULL, h->sys, &options, &h->stepper, NULL);
  if (status) {
    drop_heap(h);
    return status;
  }
  *object = h;
  return NSDYN_OK;
}

static nsdyn_status use_heap(void *object, int stage)
{
  (void)stage;
  const heap *h = object;
  const double zero[3 * BODIES] = {0.0};
  nsdyn_status status = nsdyn_stepper_set_state(h->stepper, 0.0, zero, zero);
  for (int step = 0; step < 3 && status == NSDYN_OK; step++) {
    const double before = nsdyn_stepper_time(h->stepper);
    status = nsdyn_stepper_step(h->stepper, 1e-3);
    status = status && nsdyn_stepper_time(h->stepper) != before ? WRONG_ANSWER : status;
  }
  return status;
}

const scenario stepper_in_space = {.name = "stepper of free bodies",
                                   .calls = "nsdyn_stepper_step",
                                   .stages = 1,
                                   .make = make_heap,
                                   .use = use_heap,
                                   .drop = drop_heap};
