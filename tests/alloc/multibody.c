/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tree that grows: chains of ever more bodies, whose accelerations are those of free fall, with elements
 * and loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

enum { STAGES = 3, MOST = 64 };

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  nsdyn_tree_options options;
  nsdyn_tree *tree = NULL;
  (void)def;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -10.0;
  const nsdyn_status status = nsdyn_tree_new(ctx, &options, &tree, NULL);
  *object = tree;
  return status;
}

static void drop(void *object)
{
  nsdyn_tree_free(object);
}

/* One element and one loop for each of so many bodies but the first. */
static nsdyn_status add_rows(nsdyn_tree *tree, int32_t bodies)
{
  for (int32_t i = 1; i < bodies; i++) {
    nsdyn_tree_element limit;
    nsdyn_tree_loop loop;
    nsdyn_tree_element_init(&limit, sizeof limit);
    limit.body[0] = i;
    limit.lower = 0.0;
    limit.upper = 1.0;
    limit.friction = 1.0;
    nsdyn_status status = nsdyn_tree_element_rows(tree, i - 1, NULL, NULL, NULL, NULL)
                              ? nsdyn_tree_add_element(tree, &limit, NULL)
                              : NSDYN_OK;
    nsdyn_tree_loop_init(&loop, sizeof loop);
    loop.body[1] = i;
    loop.own_place[0] = loop.own_place[1] = loop.own_place[2] = 0.0;
    loop.own_turn[0] = 1.0;
    loop.own_turn[1] = loop.own_turn[2] = loop.own_turn[3] = 0.0;
    status = status || !nsdyn_tree_constraints(tree, i - 1, NULL, NULL)
                 ? status
                 : nsdyn_tree_add_loop(tree, &loop, NULL);
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

/* Bodies up to 2, 8, 32: a free one, and arms on it. What falls freely turns no joint. */
static nsdyn_status use(void *object, int stage)
{
  nsdyn_tree *tree = object;
  double q[MOST], udot[MOST];
  while (nsdyn_tree_bodies(tree) < 2 << (2 * stage)) {
    nsdyn_tree_body body;
    const int32_t number = nsdyn_tree_bodies(tree);
    nsdyn_tree_body_init(&body, sizeof body);
    body.joint = number ? NSDYN_TREE_REVOLUTE : NSDYN_TREE_FREE;
    body.parent = number - 1;
    body.mass = 1.0;
    body.centre[0] = 1.0;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.5;
    const nsdyn_status status = nsdyn_tree_add(tree, &body, NULL);
    if (status) {
      return nsdyn_tree_bodies(tree) == number ? status : WRONG_ANSWER;
    }
  }
  nsdyn_status status = add_rows(tree, 2 << (2 * stage));
  status = status ? status : nsdyn_tree_rest(tree, q);
  status = status ? status : nsdyn_tree_set_state(tree, q, NULL);
  status = status ? status : nsdyn_tree_accelerations(tree, NULL, udot);
  for (int i = 0; !status && i < nsdyn_tree_nu(tree); i++) {
    status = fabs(udot[i] - (i == 2 ? -10.0 : 0.0)) <= 1e-9 ? NSDYN_OK : WRONG_ANSWER;
  }
  return status;
}

const scenario tree_grows = {.name = "tree",
                             .calls =
                                 "nsdyn_tree_new nsdyn_tree_add nsdyn_tree_add_element nsdyn_tree_add_loop",
                             .stages = STAGES,
                             .make = make,
                             .use = use,
                             .drop = drop};

/* ---- one that has a state ---- */

/* What a tree says of its state: a status, a place and h. */
typedef struct told {
  nsdyn_status status;
  double place[3], h[MOST];
} told;

static told ask(nsdyn_tree *tree)
{
  told now = {.status = NSDYN_ERR_ARGUMENT};
  nsdyn_tree_motion motion = {.size = sizeof motion};
  now.status = nsdyn_tree_point(tree, nsdyn_tree_bodies(tree) - 1, NULL, &motion);
  if (!now.status) {
    now.status = nsdyn_tree_force(tree, now.h);
    memcpy(now.place, motion.place, sizeof now.place);
  }
  return now;
}

/* Whether two are the same to the bit: none of the numbers is −0. */
static int is_same(const told *a, const told *b)
{
  int same = a->status == b->status;
  for (int i = 0; i < 3; i++) {
    same = same && a->place[i] == b->place[i];
  }
  for (int i = 0; i < MOST; i++) {
    same = same && a->h[i] == b->h[i];
  }
  return same;
}

/* Four arms, so that the fifth body wants memory of all kinds. */
static nsdyn_status make_arms(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  nsdyn_tree_body body;
  nsdyn_status status = make(def, ctx, object);
  nsdyn_tree_body_init(&body, sizeof body);
  body.joint = NSDYN_TREE_REVOLUTE;
  body.axis[0] = 1.0;
  body.joint_place[1] = 1.0;
  body.mass = 1.0;
  body.centre[1] = 1.0;
  for (int i = 0; i < 4 && !status; i++) {
    body.parent = i - 1;
    status = nsdyn_tree_add(*object, &body, NULL);
  }
  if (status) {
    drop(*object);
    *object = NULL;
  }
  return status;
}

/* Where there is no memory for the body, the state says what it said. */
static nsdyn_status use_state(void *object, int stage)
{
  const double q[4] = {0.5, -0.25, 1.0, 2.0}, u[4] = {1.0, 2.0, -1.0, 0.5};
  nsdyn_tree_body body;
  (void)stage;
  if (nsdyn_tree_bodies(object) > 4) {
    return NSDYN_OK;
  }
  nsdyn_status status = nsdyn_tree_set_state(object, q, u);
  if (status) {
    return status;
  }
  const told before = ask(object);
  nsdyn_tree_body_init(&body, sizeof body);
  body.joint = NSDYN_TREE_FREE;
  body.mass = 1.0;
  status = nsdyn_tree_add(object, &body, NULL);
  if (status) {
    const told after = ask(object);
    return !before.status && is_same(&before, &after) ? status : WRONG_ANSWER;
  }
  return NSDYN_OK;
}

const scenario tree_keeps_state = {.name = "tree with a state",
                                   .calls = "nsdyn_tree_add",
                                   .stages = 1,
                                   .make = make_arms,
                                   .use = use_state,
                                   .drop = drop};

/* ---- one from URDF ---- */

typedef struct robot {
  nsdyn_urdf *urdf;
  nsdyn_tree *tree;
} robot;

static void drop_robot(void *object)
{
  robot *r = object;
  nsdyn_urdf_free(r->urdf);
  nsdyn_tree_free(r->tree);
  free(r);
}

/* A link and a joint, their parts, and a shape. */
static nsdyn_status make_robot(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  static const char *const elements[][5] = {{"robot"},
                                            {"link", "name", "a"},
                                            {NULL},
                                            {"link", "name", "b"},
                                            {"collision"},
                                            {"geometry"},
                                            {"sphere", "radius", "1"},
                                            {NULL},
                                            {NULL},
                                            {NULL},
                                            {NULL},
                                            {"joint", "name", "j", "type", "continuous"},
                                            {"parent", "link", "a"},
                                            {NULL},
                                            {"child", "link", "b"},
                                            {NULL},
                                            {"dynamics", "friction", "1"},
                                            {NULL},
                                            {NULL},
                                            {NULL}};
  robot *r = calloc(1, sizeof *r);
  (void)def;
  *object = NULL;
  if (!r) {
    return WRONG_ANSWER;
  }
  nsdyn_status status = nsdyn_urdf_new(ctx, NULL, &r->urdf, NULL);
  for (size_t i = 0; !status && i < sizeof elements / sizeof *elements; i++) {
    const char *const *e = elements[i];
    const char *const attributes[] = {e[1], e[2], e[3], e[4], NULL};
    status = e[0] ? nsdyn_urdf_start(r->urdf, 1, e[0], attributes) : nsdyn_urdf_end(r->urdf);
  }
  status = status ? status : nsdyn_urdf_tree(r->urdf, &r->tree);
  if (status) {
    drop_robot(r);
    return status;
  }
  *object = r;
  return NSDYN_OK;
}

const scenario tree_of_urdf = {.name = "tree of URDF",
                               .calls = "nsdyn_urdf_new nsdyn_urdf_start nsdyn_urdf_tree",
                               .make = make_robot,
                               .drop = drop_robot};

/* ---- a system of one ---- */

typedef struct owned {
  nsdyn_tree *tree;
  nsdyn_system *sys;
} owned;

static void drop_system(void *object)
{
  owned *o = object;
  nsdyn_system_free(o->sys);
  nsdyn_tree_free(o->tree);
  free(o);
}

static nsdyn_status make_system(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  nsdyn_tree_body body;
  (void)def;
  owned *o = calloc(1, sizeof *o);
  *object = NULL;
  if (!o) {
    return WRONG_ANSWER;
  }
  nsdyn_tree_body_init(&body, sizeof body);
  body.joint = NSDYN_TREE_FREE;
  body.mass = 1.0;
  nsdyn_status status = nsdyn_tree_new(ctx, NULL, &o->tree, NULL);
  status = status ? status : nsdyn_tree_add(o->tree, &body, NULL);
  status = status ? status : nsdyn_tree_system_new(ctx, o->tree, NULL, &o->sys, NULL);
  if (status) {
    drop_system(o);
    return status;
  }
  *object = o;
  return NSDYN_OK;
}

/* ---- one with solids ---- */

static nsdyn_status make_box(nsdyn_context *ctx, const double *points, nsdyn_solid **out)
{
  nsdyn_solid_def def;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = points ? NSDYN_SOLID_HULL : NSDYN_SOLID_BOX;
  def.points = points;
  def.count = points ? 4 : 0;
  def.extent[0] = def.extent[1] = def.extent[2] = 1.0;
  return nsdyn_solid_new(ctx, &def, out, NULL);
}

/* A free box over a fixed hull: a law of their own, and a system that searches. */
static nsdyn_status make_solids(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  static const double points[12] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  nsdyn_tree_body body;
  nsdyn_contact_law law;
  (void)def;
  owned *o = calloc(1, sizeof *o);
  *object = NULL;
  if (!o) {
    return WRONG_ANSWER;
  }
  nsdyn_tree_body_init(&body, sizeof body);
  nsdyn_contact_law_init(&law, sizeof law);
  body.joint = NSDYN_TREE_FREE;
  body.mass = 1.0;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
  law.tangents = 2;
  nsdyn_status status = nsdyn_tree_new(ctx, NULL, &o->tree, NULL);
  status = status ? status : nsdyn_tree_add(o->tree, &body, NULL);
  for (int i = 0; i < 2 && !status; i++) {
    nsdyn_tree_solid solid;
    nsdyn_tree_solid_init(&solid, sizeof solid);
    solid.body = i - 1;
    status = make_box(ctx, i ? NULL : points, &solid.solid);
    status = status ? status : nsdyn_tree_add_solid(o->tree, &solid, NULL);
    nsdyn_solid_free(solid.solid);
  }
  status = status ? status : nsdyn_tree_set_law(o->tree, 0, 0, &law);
  status = status ? status : nsdyn_tree_system_new(ctx, o->tree, NULL, &o->sys, NULL);
  if (status) {
    drop_system(o);
    return status;
  }
  *object = o;
  return NSDYN_OK;
}

const scenario tree_solids = {.name = "tree with solids",
                              .calls = "nsdyn_solid_new nsdyn_tree_add_solid nsdyn_tree_set_law",
                              .make = make_solids,
                              .drop = drop_system};

/* ---- one from text ---- */

static nsdyn_status make_read(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  static const char text[] =
      "tree body a joint revolute mass 1 inertia 1 1 1 0 0 0 body b parent a mass 1 "
      "element e between a world upper 1 loop l between b world own_place 0 0 0 own_turn "
      "1 0 0 0";
  nsdyn_tree *tree = NULL;
  (void)def;
  const nsdyn_status status = nsdyn_tree_read_text(ctx, text, sizeof text - 1, &tree, NULL);
  *object = tree;
  return status;
}

/* Writing needs no memory but the caller's. */
static nsdyn_status write_back(void *object, int stage)
{
  char text[1024];
  (void)stage;
  const size_t size = nsdyn_tree_write_text(object, text, sizeof text);
  return size > 0 && size <= sizeof text ? NSDYN_OK : WRONG_ANSWER;
}

const scenario tree_read = {.name = "tree from text",
                            .calls = "nsdyn_tree_read_text nsdyn_tree_write_text",
                            .make = make_read,
                            .use = write_back,
                            .stages = 1,
                            .drop = drop};

const scenario tree_system = {
    .name = "system of a tree", .calls = "nsdyn_tree_system_new", .make = make_system, .drop = drop_system};
