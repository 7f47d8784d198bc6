/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Shapes, and searches for touches of two of them: combs of ever more teeth on each other; reports to a
 * system whose bodies have ever more blocks; ever more bodies in a broad phase. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

enum { STAGES = 3, MOST = 64, BLOCKS = 8 };

static nsdyn_status comb(nsdyn_context *ctx, int teeth, nsdyn_shape **shape)
{
  double p[2 * (2 * MOST + 3)];
  int n = 0;
  for (int i = 0; i <= 2 * teeth; i++, n++) {
    p[2 * n] = i;
    p[2 * n + 1] = i % 2 ? 0.0 : 1.0;
  }
  p[2 * n] = 2 * teeth;
  p[2 * n + 1] = 5.0;
  n++;
  p[2 * n] = 0.0;
  p[2 * n + 1] = 5.0;
  n++;
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.count = n;
  def.points = p;
  return nsdyn_shape_new(ctx, &def, shape, NULL);
}

static nsdyn_status make_shape(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  nsdyn_shape *shape = NULL;
  (void)def;
  const nsdyn_status status = comb(ctx, 20, &shape);
  *object = shape;
  return status;
}

static void drop_shape(void *object)
{
  nsdyn_shape_free(object);
}

const scenario shape_new = {
    .name = "shape", .calls = "nsdyn_shape_new", .make = make_shape, .drop = drop_shape};

/* ---- searches ---- */

typedef struct scene {
  nsdyn_detector *detector;
  nsdyn_shape *shape[STAGES], *floor;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  int32_t law;
  int stage;
} scene;

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 3; i++) {
    M[4 * i] = 1.0;
  }
  return 0;
}

/* The body's Jacobian, in one block or in several that overlap. */
static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  static const double identity[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, zero[9] = {0.0};
  scene *s = user;
  nsdyn_placed body, floor;
  nsdyn_contact_block block[BLOCKS];
  (void)t;
  nsdyn_placed_init(&body, sizeof body);
  nsdyn_placed_init(&floor, sizeof floor);
  for (int i = 0; i < BLOCKS; i++) {
    block[i].offset = 0;
    block[i].count = 3;
    block[i].values = i ? zero : identity;
  }
  for (int i = 0; i < 3; i++) {
    body.pose[i] = q[i];
  }
  body.shape = s->shape[s->stage];
  body.blocks = 1 + s->stage;
  body.block = block;
  floor.shape = s->floor;
  return nsdyn_detector_report(s->detector, &body, &floor, u, 0, margin < 0.5 ? margin : 0.5, s->law, sink);
}

static void drop(void *object)
{
  scene *s = object;
  nsdyn_stepper_free(s->stepper);
  nsdyn_system_free(s->sys);
  for (int i = 0; i < STAGES; i++) {
    nsdyn_shape_free(s->shape[i]);
  }
  nsdyn_shape_free(s->floor);
  nsdyn_detector_free(s->detector);
  free(s);
}

static nsdyn_status make_system(nsdyn_context *ctx, scene *s)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 3;
  def.user = s;
  def.mass = mass;
  def.find = find;
  nsdyn_status status = nsdyn_system_new(ctx, &def, &s->sys, NULL);
  status = status ? status : nsdyn_system_add_law(s->sys, &law, &s->law);
  return status ? status : nsdyn_stepper_new(NULL, s->sys, NULL, &s->stepper, NULL);
}

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  static const double ground[] = {-300.0, 0.0, 300.0, 0.0};
  (void)def;
  scene *s = calloc(1, sizeof *s);
  *object = NULL;
  if (!s) {
    return WRONG_ANSWER;
  }
  nsdyn_shape_def floor;
  nsdyn_shape_def_init(&floor, sizeof floor);
  floor.kind = NSDYN_SHAPE_PROFILE;
  floor.side = NSDYN_SIDE_RIGHT;
  floor.count = 2;
  floor.points = ground;
  nsdyn_status status = nsdyn_detector_new(ctx, NULL, &s->detector, NULL);
  status = status ? status : nsdyn_shape_new(ctx, &floor, &s->floor, NULL);
  for (int i = 0; i < STAGES && !status; i++) {
    status = comb(ctx, 4 << (2 * i), &s->shape[i]);
  }
  status = status ? status : make_system(ctx, s);
  if (status) {
    drop(s);
    return status;
  }
  *object = s;
  return NSDYN_OK;
}

/* A comb that sinks into another one, and a step of one that stands on its teeth. */
static nsdyn_status use(void *object, int stage)
{
  scene *s = object;
  const nsdyn_shape *shape = s->shape[stage];
  const int teeth = 4 << (2 * stage);
  const double here[3] = {0.0, 0.0, 0.0}, there[3] = {2.0 * teeth, -1e-9, 3.14159265358979312};
  const double stands[3] = {0.0, 1e-12, 0.0}, rest[3] = {0.0, 0.0, 0.0};
  nsdyn_detector_result result = {.size = sizeof result};
  s->stage = stage;
  nsdyn_status status = nsdyn_detector_search(s->detector, shape, here, shape, there, 0.1, &result);
  if (status) {
    return status;
  }
  if (result.touches < teeth) {
    return WRONG_ANSWER;
  }
  status = nsdyn_stepper_set_state(s->stepper, 0.0, stands, rest);
  return status ? status : nsdyn_stepper_step(s->stepper, 1e-3);
}

const scenario detector_searches = {.name = "detector",
                                    .calls = "nsdyn_detector_new nsdyn_detector_search nsdyn_detector_report",
                                    .stages = STAGES,
                                    .make = make,
                                    .use = use,
                                    .drop = drop};

/* ---- many bodies ---- */

static nsdyn_status make_broad(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  nsdyn_broad_phase_options options;
  nsdyn_broad_phase *broad = NULL;
  (void)def;
  nsdyn_broad_phase_options_init(&options, sizeof options);
  options.reach = 0.5;
  options.fat = 0.1;
  const nsdyn_status status = nsdyn_broad_phase_new(ctx, &options, &broad, NULL);
  *object = broad;
  return status;
}

static void drop_broad(void *object)
{
  nsdyn_broad_phase_free(object);
}

static int count_pair(void *user, int32_t first, int32_t second)
{
  (void)first, (void)second;
  ++*(int *)user;
  return 0;
}

/* A row of boxes, each of which is near the next one, that moves on. */
static nsdyn_status use_broad(void *object, int stage)
{
  nsdyn_broad_phase *broad = object;
  const int count = 5 << (3 * stage);
  int left = 0;
  /* Nobody is left of a stage before that may have ended in the midst of it, nor are their pairs. */
  for (int i = 0; i < 5 << (3 * (STAGES - 1)); i++) {
    (void)nsdyn_broad_phase_remove(broad, i);
  }
  if (nsdyn_broad_phase_pairs(broad, 0.5, count_pair, &left) || left) {
    return WRONG_ANSWER;
  }
  for (int step = 0; step < 3; step++) {
    int pairs = 0;
    for (int i = 0; i < count; i++) {
      const double box[4] = {1.25 * i, 0.3 * step, 1.25 * i + 1.0, 0.3 * step + 1.0};
      const nsdyn_status status = nsdyn_broad_phase_set(broad, i, box);
      if (status) {
        return status;
      }
    }
    const nsdyn_status status = nsdyn_broad_phase_pairs(broad, 0.5, count_pair, &pairs);
    if (status || pairs < count - 1) {
      return status ? status : WRONG_ANSWER;
    }
  }
  for (int i = 0; i < count; i += 2) {
    const nsdyn_status status = nsdyn_broad_phase_remove(broad, i);
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

const scenario bodies_move = {.name = "broad phase",
                              .calls = "nsdyn_broad_phase_new nsdyn_broad_phase_set nsdyn_broad_phase_pairs",
                              .stages = STAGES,
                              .make = make_broad,
                              .use = use_broad,
                              .drop = drop_broad};
