/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Joints as constraints g = 0. Each row is told by what acts on (x, y, φ) of both bodies, c_A and c_B:
 * γ = c_A·ẋ_A + c_B·ẋ_B − ḟ(t), so W = J_Aᵀ c_A + J_Bᵀ c_B, ŵ = c·rate − ḟ, and w̄ = c·bias and what is
 * quadratic in velocities, − f̈. */
#include <string.h>

#include "base/number.h"
#include "world/object.h"

nsdyn_status nsdyn_joint_def_init(nsdyn_joint_def *def, size_t size)
{
  const nsdyn_joint_def defaults = {.size = sizeof defaults,
                                    .body = {NSDYN_GROUND, NSDYN_GROUND},
                                    .anchor = {0.0, 0.0, NAN, NAN},
                                    .axis = {1.0, 0.0},
                                    .rest = NAN};
  return nsd_sized_init(def, size, NSD_JOINT_DEF_LEAST, &defaults, sizeof defaults);
}

/* ---- adding ---- */

static int is_posed(const nsdyn_world *world, int32_t i)
{
  return i != NSDYN_GROUND && nsd_world_body(world, i)->def.kind == NSDYN_BODY_POSED;
}

/* The frame of a body at the beginning, which no coordinates of the user's place. */
static nsdyn_status begins(nsdyn_world *world, int32_t i, double *pose)
{
  const nsdyn_body_def *def = i == NSDYN_GROUND ? NULL : &nsd_world_body(world, i)->def;
  memset(pose, 0, 3 * sizeof *pose);
  if (def && def->kind == NSDYN_BODY_DRIVEN) {
    nsd_motion motion;
    if (nsd_world_move(world, i, 0.0, NULL, NULL, &motion, &world->fault)) {
      return world->fault.status;
    }
    memcpy(pose, motion.pose, 3 * sizeof *pose);
  } else if (def) {
    memcpy(pose, def->pose, 3 * sizeof *pose);
  }
  return NSDYN_OK;
}

/* What was left to the library: the second anchor, and the angle or distance at the beginning. */
static nsdyn_status take_from_beginning(nsdyn_world *world, const char *who, const int32_t *body,
                                        double *anchor, double *rest, int is_angle)
{
  double pose[2][3], at[2][2];
  nsdyn_status status = begins(world, body[0], pose[0]);
  status = status ? status : begins(world, body[1], pose[1]);
  if (status) {
    return status;
  }
  const nsd_frame frame[2] = {nsd_frame_of(pose[0]), nsd_frame_of(pose[1])};
  nsd_frame_place(&frame[0], anchor, at[0]);
  if (isnan(anchor[2])) {
    nsd_frame_unplace(&frame[1], at[0], anchor + 2);
  }
  nsd_frame_place(&frame[1], anchor + 2, at[1]);
  if (isnan(*rest)) {
    const double x = at[1][0] - at[0][0], y = at[1][1] - at[0][1];
    *rest = is_angle ? pose[1][2] - pose[0][2] : sqrt(x * x + y * y);
  }
  /* Bodies far from each other: differences may be larger than what is told from. */
  status = nsd_world_numbers(world, who, "anchor as the bodies begin", 4, anchor);
  return status ? status : nsd_world_numbers(world, who, "rest as the bodies begin", 1, rest);
}

nsdyn_status nsd_world_tie(nsdyn_world *world, const char *who, const int32_t *body, double *anchor,
                           double *rest, int is_angle)
{
  for (int k = 0; k < 2; k++) {
    if (!nsd_world_has_body(world, body[k])) {
      return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                           "%s: there is no body %d", who, (int)body[k]);
    }
  }
  if (body[0] == body[1]) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: both bodies are the same", who);
  }
  const int wants_anchor = isnan(anchor[2]) && isnan(anchor[3]), wants_rest = isnan(*rest);
  const int wants = wants_anchor || wants_rest;
  if (wants && (is_posed(world, body[0]) || is_posed(world, body[1]))) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: a body is placed by callbacks: give both anchors, and rest", who);
  }
  nsdyn_status status = nsd_world_numbers(world, who, "anchor", wants_anchor ? 2 : 4, anchor);
  status = status || wants_rest ? status : nsd_world_numbers(world, who, "rest", 1, rest);
  return status || !wants ? status : take_from_beginning(world, who, body, anchor, rest, is_angle);
}

static nsdyn_status check_joint(nsdyn_world *world, const char *who, nsdyn_joint_def *def)
{
  if (def->kind < NSDYN_JOINT_REVOLUTE || def->kind > NSDYN_JOINT_MOTOR) {
    return nsd_world_refuse(world, who, "kind", def->kind, "a nsdyn_joint_kind");
  }
  if (def->touch != 0 && def->touch != 1) {
    return nsd_world_refuse(world, who, "touch", def->touch, "0 or 1");
  }
  const int is_length = def->kind == NSDYN_JOINT_DISTANCE;
  if (def->kind == NSDYN_JOINT_REVOLUTE) {
    def->rest = 0.0; /* not read */
  }
  const nsdyn_status status = nsd_world_tie(world, who, def->body, def->anchor, &def->rest, !is_length);
  if (status) {
    return status;
  }
  if (is_length && !(def->rest > 0.0)) {
    return nsd_world_refuse(world, who, "rest", def->rest, "a distance > 0");
  }
  int is_moved = 0;
  for (int k = 0; k < 2; k++) {
    const nsdyn_body_def *body = def->body[k] < 0 ? NULL : &nsd_world_body(world, def->body[k])->def;
    is_moved |= body && (body->kind == NSDYN_BODY_FREE || body->kind == NSDYN_BODY_POSED);
  }
  if (!is_moved) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: no coordinate moves either of its bodies", who);
  }
  const double length = sqrt(def->axis[0] * def->axis[0] + def->axis[1] * def->axis[1]);
  if (def->kind == NSDYN_JOINT_PRISMATIC && !(length > 0.0 && length <= NSD_SHAPE_LARGEST)) {
    return nsd_world_refuse(world, who, "length of its axis", length, "> 0");
  }
  if (def->drive && def->kind != NSDYN_JOINT_MOTOR && !is_length) {
    return nsd_fault_set(&world->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "%s: only motors and distances have a drive", who);
  }
  def->axis[0] /= length;
  def->axis[1] /= length;
  return NSDYN_OK;
}

/* Two bodies whose shapes do not touch each other: noted once for each joint of theirs, in any order. */
static nsdyn_status keep_apart(nsdyn_world *world, const int32_t *body)
{
  const nsdyn_status status = nsd_list_room(world->ctx, &world->apart);
  if (status) {
    return status;
  }
  /* Numbers from 1, the ground's is 0. */
  const uint64_t a = (uint64_t)((int64_t)body[0] + 1), b = (uint64_t)((int64_t)body[1] + 1);
  ((uint64_t *)world->apart.item)[world->apart.count] = a < b ? a << 32 | b : b << 32 | a;
  world->apart.count++;
  return NSDYN_OK;
}

nsdyn_status nsdyn_world_add_joint(nsdyn_world *world, const nsdyn_joint_def *def, int32_t *number)
{
  static const int32_t rows[] = {2, 3, 2, 1, 1};
  nsdyn_joint_def own;
  char who[NSD_LABEL_LENGTH], name[NSD_NAME_LENGTH];
  nsdyn_status status = nsd_world_open(world);
  status = status ? status : NSD_SIZED_READ(nsdyn_joint_def, &own, NSD_JOINT_DEF_LEAST, def, &world->fault);
  if (status) {
    return status;
  }
  nsd_name_copy(name, own.name);
  status = check_joint(world, nsd_label_text("joint", world->joints.count, name, who), &own);
  if (status) {
    return status;
  }
  status = nsd_list_room(world->ctx, &world->joints);
  status = status || own.touch ? status : keep_apart(world, own.body);
  if (status) {
    return nsd_fault_set(&world->fault, status, NSDYN_DETAIL_NONE, -1, "no room for %s", who);
  }
  nsd_joint *joint = nsd_world_joint(world, world->joints.count);
  const nsd_joint fresh = {.def = own, .first = world->constraints, .rows = rows[own.kind]};
  *joint = fresh;
  joint->def.name = NULL; /* the caller's */
  memcpy(joint->name, name, sizeof name);
  if (number) {
    *number = world->joints.count;
  }
  world->joints.count++;
  world->constraints += joint->rows;
  return NSDYN_OK;
}

/* ---- constraints ---- */

/* A joint at a configuration: arms to its anchors, the second anchor seen from the first one. */
typedef struct stance {
  const nsd_motion *body[2];
  double arm[2][2], d[2];
  double drive[3]; /* f, ḟ, f̈ */
} stance;

/* One constraint: g, and c_A, c_B. */
typedef struct row {
  double g, c[2][3], rate; /* rate: what a drive takes from γ */
} row;

static double length_of(const double *d)
{
  return sqrt(d[0] * d[0] + d[1] * d[1]);
}

static int take_stance(nsdyn_world *world, int32_t i, double t, stance *s)
{
  const nsd_joint *joint = nsd_world_joint(world, i);
  const nsdyn_joint_def *def = &joint->def;
  for (int k = 0; k < 2; k++) {
    s->body[k] = nsd_world_motion(world, def->body[k]);
    nsd_world_arm(world, def->body[k], s->body[k], def->anchor + 2 * (ptrdiff_t)k, s->arm[k]);
  }
  for (int k = 0; k < 2; k++) {
    s->d[k] = s->body[1]->pose[k] - s->body[0]->pose[k] + (s->arm[1][k] - s->arm[0][k]);
  }
  char who[NSD_LABEL_LENGTH];
  if (def->kind == NSDYN_JOINT_DISTANCE && !(length_of(s->d) > 0.0)) {
    (void)nsd_fault_set(&world->fault, NSDYN_ERR_CALLBACK_RETRY, NSDYN_DETAIL_NONE, -1,
                        "%s: its anchors are in one place, and no direction leads from one to the other",
                        nsd_label_text("joint", i, joint->name, who));
    return 1;
  }
  memset(s->drive, 0, sizeof s->drive);
  const int code = def->drive ? def->drive(def->user, t, s->drive) : 0;
  int wrong = code;
  for (int k = 0; k < 3 && !code; k++) {
    wrong = wrong || !(fabs(s->drive[k]) <= NSD_SHAPE_LARGEST) ? -1 : 0;
  }
  if (wrong) {
    (void)nsd_fault_set(&world->fault, wrong > 0 ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_ERR_CALLBACK,
                        NSDYN_DETAIL_CALLBACK, wrong,
                        code ? "%s: callback drive returned %d"
                             : "%s: callback drive wrote a number that is none (%d)",
                        nsd_label_text("joint", i, joint->name, who), wrong);
  }
  return wrong;
}

/* What acts along n at the second anchor and against it at the first one. */
static void act_along(const stance *s, const double *n, row *r)
{
  for (int k = 0; k < 2; k++) {
    const double sign = k ? 1.0 : -1.0, *arm = s->arm[k];
    r->c[k][0] = sign * n[0];
    r->c[k][1] = sign * n[1];
    r->c[k][2] = sign * (arm[0] * n[1] - arm[1] * n[0]);
  }
}

/* The axis in the world, and what is across it: turned by +90 degrees. */
static void axis_of(const nsdyn_joint_def *def, const stance *s, double *e, double *n)
{
  const double c = s->body[0]->e[0], d = s->body[0]->e[1];
  e[0] = c * def->axis[0] - d * def->axis[1];
  e[1] = d * def->axis[0] + c * def->axis[1];
  n[0] = -e[1];
  n[1] = e[0];
}

static void angle_row(const nsdyn_joint_def *def, const stance *s, row *r)
{
  /* g = φ_B − φ_A − φ₀ − f */
  r->g = s->body[1]->pose[2] - s->body[0]->pose[2] - def->rest - s->drive[0];
  r->c[0][2] = -1.0;
  r->c[1][2] = 1.0;
  r->rate = s->drive[1];
}

static void row_of(const nsdyn_joint_def *def, const stance *s, int k, row *r)
{
  const row empty = {0};
  *r = empty;
  const int is_pin = def->kind == NSDYN_JOINT_REVOLUTE || def->kind == NSDYN_JOINT_WELD;
  if (is_pin && k < 2) {
    /* g = (x_B − x_A) along one of the world's axes */
    const double n[2] = {k == 0, k == 1};
    r->g = s->d[k];
    act_along(s, n, r);
  } else if (def->kind == NSDYN_JOINT_PRISMATIC && k == 0) {
    /* g = n·d, where n turns with the first body: ġ = n·ḋ − ω_A e·d */
    double e[2], n[2];
    axis_of(def, s, e, n);
    r->g = n[0] * s->d[0] + n[1] * s->d[1];
    act_along(s, n, r);
    r->c[0][2] -= e[0] * s->d[0] + e[1] * s->d[1];
  } else if (def->kind == NSDYN_JOINT_DISTANCE) {
    /* g = |d| − l − f */
    const double l = length_of(s->d), n[2] = {s->d[0] / l, s->d[1] / l};
    r->g = l - def->rest - s->drive[0];
    act_along(s, n, r);
    r->rate = s->drive[1];
  } else {
    angle_row(def, s, r);
  }
}

int nsd_joints_constrain(nsdyn_world *world, double t, double *g, double *W, double *w_hat)
{
  for (int32_t i = 0; i < world->joints.count; i++) {
    const nsd_joint *joint = nsd_world_joint(world, i);
    stance s;
    const int failed = take_stance(world, i, t, &s);
    if (failed) {
      return failed;
    }
    for (int k = 0; k < joint->rows; k++) {
      const int32_t at = joint->first + k;
      row r;
      row_of(&joint->def, &s, k, &r);
      g[at] = r.g;
      w_hat[at] = -r.rate;
      for (int b = 0; b < 2; b++) {
        nsd_motion_add(s.body[b], r.c[b], W + (size_t)at * (size_t)world->nu);
        w_hat[at] += nsd_motion_dot(r.c[b], s.body[b]->rate);
      }
    }
  }
  return 0;
}

/* What is quadratic in the velocities in row k, and a drive's second derivative. */
static double quadratic(const nsdyn_joint_def *def, const stance *s, int k, const row *r)
{
  double moves[2] = {0.0, 0.0}, turns[2] = {0.0, 0.0}; /* ḋ; −ω² arm of both */
  for (int b = 0; b < 2; b++) {
    const double sign = b ? 1.0 : -1.0, *v = s->body[b]->v, *arm = s->arm[b];
    moves[0] += sign * (v[0] - v[2] * arm[1]);
    moves[1] += sign * (v[1] + v[2] * arm[0]);
    turns[0] -= sign * v[2] * v[2] * arm[0];
    turns[1] -= sign * v[2] * v[2] * arm[1];
  }
  const double *n = r->c[1]; /* along which the second anchor is held */
  const double along = n[0] * turns[0] + n[1] * turns[1];
  if (def->kind == NSDYN_JOINT_DISTANCE) {
    /* l̈ = n·d̈ + (|ḋ|² − (n·ḋ)²)/l */
    const double across = n[0] * moves[1] - n[1] * moves[0], l = length_of(s->d);
    return along + across * across / l - s->drive[2];
  }
  if (def->kind == NSDYN_JOINT_PRISMATIC && k == 0) {
    /* g̈ = n·d̈ − 2 ω_A e·ḋ − ω̇_A e·d − ω_A² n·d */
    const double omega = s->body[0]->v[2];
    double e[2], across[2];
    axis_of(def, s, e, across);
    return along - 2.0 * omega * (e[0] * moves[0] + e[1] * moves[1]) - omega * omega * r->g;
  }
  const int is_angle = n[0] == 0.0 && n[1] == 0.0;
  return is_angle ? -s->drive[2] : along;
}

int nsd_joints_bias(nsdyn_world *world, double t, double *w_bar)
{
  for (int32_t i = 0; i < world->joints.count; i++) {
    const nsd_joint *joint = nsd_world_joint(world, i);
    stance s;
    int failed = take_stance(world, i, t, &s);
    for (int b = 0; b < 2 && !failed; b++) {
      if (!s.body[b]->has_bias) {
        char who[NSD_LABEL_LENGTH];
        (void)nsd_fault_set(&world->fault, NSDYN_ERR_CALLBACK, NSDYN_DETAIL_NONE, -1,
                            "%s: it has a joint, but its callback place gives no bias",
                            nsd_world_whose(world, joint->def.body[b], who));
        failed = -1;
      }
    }
    if (failed) {
      return failed;
    }
    for (int k = 0; k < joint->rows; k++) {
      row r;
      row_of(&joint->def, &s, k, &r);
      w_bar[joint->first + k] = quadratic(&joint->def, &s, k, &r) + nsd_motion_dot(r.c[0], s.body[0]->bias) +
                                nsd_motion_dot(r.c[1], s.body[1]->bias);
    }
  }
  return 0;
}
