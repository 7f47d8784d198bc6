/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Joints as constraints, of two kinds. With the joint's frame on body A at x_A, that on body B at x_B, and
 * d = x_B − x_A,
 *
 *   a place:      g = n · d,  n fixed in A:                ġ = n · (v_B − v_A) + ω_A · (n × d),
 *   a direction:  g = n · e − c,  n fixed in A, e in B:    ġ = (ω_B − ω_A) · (e × n). */
#include "multibody/loops.h"

#include <string.h>

#include "base/tolerances.h"
#include "multibody/joints.h"
#include "nsdyn/rotation.h"

nsdyn_status nsdyn_tree_loop_init(nsdyn_tree_loop *loop, size_t size)
{
  const nsdyn_tree_loop defaults = {.size = sizeof defaults,
                                    .body = {-1, -1},
                                    .joint = NSDYN_TREE_SPHERICAL,
                                    .joint_turn = {1.0},
                                    .own_place = {NAN, NAN, NAN},
                                    .own_turn = {NAN, NAN, NAN, NAN},
                                    .axis = {0.0, 0.0, 1.0},
                                    .second = {1.0}};
  return nsd_sized_init(loop, size, NSD_TREE_LOOP_LEAST, &defaults, sizeof defaults);
}

/* ---- what each joint holds ---- */

/* Directions in A along which d is 0, in their order; pairs (n in A, e in B) that keep their angle. */
typedef struct holds {
  int32_t places, directions;
  int place[3], pair[3][2];
} holds;

enum { X = NSD_LOOP_ACROSS, Y = NSD_LOOP_BESIDE, Z = NSD_LOOP_AXIS };

static const holds table[] = {
    [NSDYN_TREE_FIXED] = {3, 3, {X, Y, Z}, {{X, Z}, {Y, Z}, {Y, X}}},
    [NSDYN_TREE_REVOLUTE] = {3, 2, {X, Y, Z}, {{X, Z}, {Y, Z}}},
    [NSDYN_TREE_PRISMATIC] = {2, 3, {X, Y}, {{X, Z}, {Y, Z}, {Y, X}}},
    [NSDYN_TREE_HELICAL] = {0},
    [NSDYN_TREE_CYLINDRICAL] = {2, 2, {X, Y}, {{X, Z}, {Y, Z}}},
    [NSDYN_TREE_UNIVERSAL] = {3, 1, {X, Y, Z}, {{Z, NSD_LOOP_SECOND}}},
    [NSDYN_TREE_PLANAR] = {1, 2, {Z}, {{X, Z}, {Y, Z}}},
    [NSDYN_TREE_SPHERICAL] = {3, 0, {X, Y, Z}, {{0}}},
    [NSDYN_TREE_FREE] = {0},
};

static nsd_loop *loop_at(const nsdyn_tree *tree, int32_t i)
{
  return (nsd_loop *)tree->loops.item + i;
}

/* A loop at a state: how its two frames move, d and ḋ, and the frames' directions in the world. */
typedef struct stance {
  nsdyn_tree_motion at[2];
  double d[3], rate[3], e[2][NSD_LOOP_MOST][3];
  double reach; /* what d is a difference of; only where it is asked for */
} stance;

static void stand(nsdyn_tree *tree, const nsd_loop *loop, stance *s)
{
  for (int k = 0; k < 2; k++) {
    s->at[k].size = sizeof s->at[k];
    (void)nsdyn_tree_point(tree, loop->body[k], loop->place[k], &s->at[k]);
    for (int i = 0; i < NSD_LOOP_MOST; i++) {
      nsd_mat3_multiply(s->at[k].turn, loop->direction[k][i], s->e[k][i]);
    }
  }
  nsd_vec3_add_scaled(s->at[1].place, -1.0, s->at[0].place, s->d);
  nsd_vec3_add_scaled(s->at[1].velocity, -1.0, s->at[0].velocity, s->rate);
}

/* n · d, 0 where it is but rounding, and its row: a force n at x_B, −n at x_A, and the moment n × d on A. */
static double place_row(nsdyn_tree *tree, nsd_loop *loop, const stance *s, const double *n, double *row)
{
  double F[2][6] = {{0.0}};
  nsd_vec3_cross(n, s->d, F[0]);
  nsd_vec3_scale(-1.0, n, F[0] + 3);
  nsd_vec3_scale(1.0, n, F[1] + 3);
  nsd_tree_push_pair(tree, loop->body, loop->place, F, row);
  return nsd_tree_sum(nsd_vec3_dot(n, s->d), s->reach);
}

/* n · e − c, and its row: a moment e × n on B, and back on A; c = n · e as the frames have it when they
 * coincide. */
static double direction_row(nsdyn_tree *tree, nsd_loop *loop, const stance *s, const int *pair, double *row)
{
  const double *n = s->e[0][pair[0]], *e = s->e[1][pair[1]];
  double F[2][6] = {{0.0}};
  nsd_vec3_cross(e, n, F[1]);
  nsd_vec3_scale(-1.0, F[1], F[0]);
  nsd_tree_push_pair(tree, loop->body, loop->place, F, row);
  const double together = pair[1] == NSD_LOOP_SECOND
                              ? nsd_vec3_dot(loop->direction[0][pair[0]], loop->direction[0][NSD_LOOP_SECOND])
                              : 0.0;
  return nsd_tree_sum(nsd_vec3_dot(n, e) - together, 1.0); /* of two directions of norm 1 */
}

int nsd_loops_constrain(nsdyn_tree *tree, double *g_b, double *W_b)
{
  for (int32_t i = 0; i < tree->loops.count; i++) {
    nsd_loop *loop = loop_at(tree, i);
    const holds *joint = &table[loop->joint];
    int32_t row = loop->first;
    stance s;
    stand(tree, loop, &s);
    s.reach = nsd_tree_reach(tree, loop->body[0], loop->place[0]) +
              nsd_tree_reach(tree, loop->body[1], loop->place[1]);
    for (int k = 0; k < joint->places; k++, row++) {
      g_b[row] = place_row(tree, loop, &s, s.e[0][joint->place[k]], W_b + (size_t)row * (size_t)tree->nu);
    }
    for (int k = 0; k < joint->directions; k++, row++) {
      g_b[row] = direction_row(tree, loop, &s, joint->pair[k], W_b + (size_t)row * (size_t)tree->nu);
    }
  }
  return 0;
}

/* g̈ at u̇ = 0 of n · d: n · d̈ + 2 ṅ · ḋ + n̈ · d, where ṅ = ω × n and n̈ = α × n + ω × ṅ. */
static double place_bias(const stance *s, const double *n)
{
  const nsdyn_tree_motion *A = &s->at[0];
  double turn[3], again[3], more[3], second[3];
  nsd_vec3_cross(A->omega, n, turn);
  nsd_vec3_cross(A->omega, turn, again);
  nsd_vec3_cross(A->alpha, n, more);
  nsd_vec3_add_scaled(more, 1.0, again, again);
  nsd_vec3_add_scaled(s->at[1].bias, -1.0, A->bias, second);
  const double size =
      (nsd_vec3_norm(A->bias) + nsd_vec3_norm(s->at[1].bias)) +
      2.0 * nsd_vec3_norm(turn) * (nsd_vec3_norm(A->velocity) + nsd_vec3_norm(s->at[1].velocity));
  return nsd_tree_sum((nsd_vec3_dot(n, second) + 2.0 * nsd_vec3_dot(turn, s->rate)) +
                          nsd_vec3_dot(again, s->d),
                      size + nsd_vec3_norm(again) * nsd_vec3_norm(s->d));
}

/* That of n · e: (α_B − α_A) · (e × n) + (ω_B − ω_A) · (ė × n + e × ṅ). */
static double direction_bias(const stance *s, const int *pair)
{
  const nsdyn_tree_motion *A = &s->at[0], *B = &s->at[1];
  const double *n = s->e[0][pair[0]], *e = s->e[1][pair[1]];
  double alpha[3], omega[3], across[3], turn[3], first[3], second[3];
  nsd_vec3_add_scaled(B->alpha, -1.0, A->alpha, alpha);
  nsd_vec3_add_scaled(B->omega, -1.0, A->omega, omega);
  nsd_vec3_cross(e, n, across);
  nsd_vec3_cross(B->omega, e, turn);
  nsd_vec3_cross(turn, n, first);
  nsd_vec3_cross(A->omega, n, turn);
  nsd_vec3_cross(e, turn, second);
  nsd_vec3_add_scaled(first, 1.0, second, first);
  const double spin = nsd_vec3_norm(A->omega) + nsd_vec3_norm(B->omega);
  return nsd_tree_sum(nsd_vec3_dot(alpha, across) + nsd_vec3_dot(omega, first),
                      (nsd_vec3_norm(A->alpha) + nsd_vec3_norm(B->alpha)) + spin * spin);
}

int nsd_loops_bias(nsdyn_tree *tree, double *w_bar_b)
{
  for (int32_t i = 0; i < tree->loops.count; i++) {
    const nsd_loop *loop = loop_at(tree, i);
    const holds *joint = &table[loop->joint];
    int32_t row = loop->first;
    stance s;
    stand(tree, loop, &s);
    for (int k = 0; k < joint->places; k++, row++) {
      w_bar_b[row] = place_bias(&s, s.e[0][joint->place[k]]);
    }
    for (int k = 0; k < joint->directions; k++, row++) {
      w_bar_b[row] = direction_bias(&s, joint->pair[k]);
    }
  }
  return 0;
}

/* ---- adding ---- */

#define FIELD(name) offsetof(nsdyn_tree_loop, name)

static nsdyn_status refuse(nsdyn_tree *tree, const char *label, nsdyn_status status, size_t offset,
                           const char *text)
{
  return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "nsdyn_tree_add_loop: %s: %s", label, text);
}

static int are_numbers(const double *x, int count)
{
  for (int i = 0; i < count; i++) {
    if (!(fabs(x[i]) < NSD_NUMBERS_END)) {
      return 0;
    }
  }
  return 1;
}

static int are_nan(const double *x, int count)
{
  for (int i = 0; i < count; i++) {
    if (!isnan(x[i])) {
      return 0;
    }
  }
  return 1;
}

static int is_rotation(const double *p)
{
  return p[0] != 0.0 || p[1] != 0.0 || p[2] != 0.0 || p[3] != 0.0;
}

static nsdyn_status check(nsdyn_tree *tree, const char *label, const nsdyn_tree_loop *def)
{
  const int stands = are_nan(def->own_place, 3), turns = are_nan(def->own_turn, 4);
  const struct {
    const char *text;
    size_t offset;
    int is_good;
    nsdyn_status status;
  } fields[] = {
      {"joint_place is not finite", FIELD(joint_place), are_numbers(def->joint_place, 3),
       NSDYN_ERR_NOT_FINITE},
      {"joint_turn is not finite", FIELD(joint_turn), are_numbers(def->joint_turn, 4), NSDYN_ERR_NOT_FINITE},
      {"own_place is not finite", FIELD(own_place), stands || are_numbers(def->own_place, 3),
       NSDYN_ERR_NOT_FINITE},
      {"own_turn is not finite", FIELD(own_turn), turns || are_numbers(def->own_turn, 4),
       NSDYN_ERR_NOT_FINITE},
      {"axis is not finite", FIELD(axis), are_numbers(def->axis, 3), NSDYN_ERR_NOT_FINITE},
      {"second is not finite", FIELD(second), are_numbers(def->second, 3), NSDYN_ERR_NOT_FINITE},
      {"reserved is not 0", FIELD(reserved), def->reserved == 0, NSDYN_ERR_ARGUMENT},
      {"joint_turn is zero, so it is no rotation", FIELD(joint_turn), is_rotation(def->joint_turn),
       NSDYN_ERR_ARGUMENT},
      {"own_turn is zero, so it is no rotation", FIELD(own_turn), is_rotation(def->own_turn),
       NSDYN_ERR_ARGUMENT},
      {"own_place or own_turn is NaN, as the bodies stand, but no state is set", FIELD(own_place),
       tree->has_state || !(stands || turns), NSDYN_ERR_ARGUMENT},
  };
  if (def->joint < NSDYN_TREE_FIXED || def->joint > NSDYN_TREE_FREE) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(joint), "joint is not one of nsdyn_tree_joint");
  }
  if (!table[def->joint].places) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(joint),
                         "nsdyn_tree_add_loop: %s: a %s joint closes no loop", label,
                         nsd_joint_type_of(def->joint)->name);
  }
  nsdyn_status status = nsd_tree_check_bodies(tree, "nsdyn_tree_add_loop", label, def->body, FIELD(body));
  for (size_t i = 0; i < sizeof fields / sizeof *fields && !status; i++) {
    status = fields[i].is_good ? NSDYN_OK
                               : refuse(tree, label, fields[i].status, fields[i].offset, fields[i].text);
  }
  return status;
}

/* The directions of the joint's frame on a body, whose axes it is turned against by R. */
static void direct_frame(const double *R, const double *axes, const double *second, double (*out)[3])
{
  double along[3][3];
  for (int i = 0; i < 3; i++) { /* columns: across, beside, axis */
    nsd_vec3_set(axes[i], axes[3 + i], axes[6 + i], along[i]);
  }
  for (int i = 0; i < 3; i++) {
    nsd_mat3_multiply(R, along[i], out[i]);
  }
  nsd_mat3_multiply(R, second, out[NSD_LOOP_SECOND]);
}

/* Both frames, that of the second body where the first one is, if so wanted. */
static nsdyn_status place(nsdyn_tree *tree, const char *label, nsdyn_tree_loop *def, nsd_loop *loop)
{
  double R[2][9], axes[9], second[3] = {0.0}, across[3];
  /* 1: directions in the joint's frame, */
  if (nsd_joint_axes(def->axis, axes)) {
    return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(axis), "axis is zero, so it has no direction");
  }
  if (def->joint == NSDYN_TREE_UNIVERSAL) {
    const double axis[3] = {axes[2], axes[5], axes[8]};
    if (nsd_joint_direction(def->second, second)) {
      return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(second), "second is zero, so it has no direction");
    }
    nsd_vec3_cross(axis, second, across);
    if (nsd_vec3_norm(across) <= NSD_TREE_ALIGNED) {
      return refuse(tree, label, NSDYN_ERR_ARGUMENT, FIELD(second), "second has the direction of axis");
    }
  }
  /* 2: the frame on the first body as it is told; */
  nsdyn_quaternion_to_matrix(def->joint_turn, R[0]);
  nsd_vec3_scale(1.0, def->joint_place, loop->place[0]);
  /* 3: that on the second one as it is told, or as seen from this body now: R_Bᵀ (x_A − o_B), R_Bᵀ R_A. */
  if (are_nan(def->own_place, 3) || are_nan(def->own_turn, 4)) {
    nsdyn_tree_motion at[2] = {{.size = sizeof at[0]}, {.size = sizeof at[1]}};
    double from[3], back[9], turn[9];
    (void)nsdyn_tree_point(tree, def->body[0], def->joint_place, &at[0]);
    (void)nsdyn_tree_point(tree, def->body[1], NULL, &at[1]);
    nsd_mat3_transpose(at[1].turn, back);
    if (are_nan(def->own_place, 3)) {
      nsd_vec3_add_scaled(at[0].place, -1.0, at[1].place, from);
      nsd_mat3_multiply(back, from, def->own_place);
    }
    if (are_nan(def->own_turn, 4)) {
      nsd_mat3_product(at[0].turn, R[0], turn);
      nsd_mat3_product(back, turn, turn);
      nsdyn_quaternion_from_matrix(turn, def->own_turn);
    }
  }
  nsd_vec3_scale(1.0, def->own_place, loop->place[1]);
  nsdyn_quaternion_to_matrix(def->own_turn, R[1]);
  for (int k = 0; k < 2; k++) {
    direct_frame(R[k], axes, second, loop->direction[k]);
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_add_loop(nsdyn_tree *tree, const nsdyn_tree_loop *loop, int32_t *number)
{
  nsdyn_tree_loop def;
  nsd_loop own;
  char label[NSD_LABEL_LENGTH];
  nsdyn_status status = nsd_tree_open(tree, loop, "loop", "nsdyn_tree_add_loop");
  if (status) {
    return status;
  }
  status = NSD_SIZED_READ(nsdyn_tree_loop, &def, NSD_TREE_LOOP_LEAST, loop, &tree->fault);
  if (status) {
    return status;
  }
  memset(&own, 0, sizeof own);
  nsd_name_copy(own.name, def.name);
  (void)nsd_label_text("loop", tree->loops.count, own.name, label);
  status = check(tree, label, &def);
  status = status ? status : place(tree, label, &def, &own);
  if (status) {
    return status;
  }
  status = nsd_list_room(tree->ctx, &tree->loops);
  if (status) {
    return nsd_fault_set(&tree->fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_add_loop: no room for %s",
                         label);
  }
  own.def = def;
  own.def.name = NULL; /* the caller's */
  own.joint = def.joint;
  own.body[0] = def.body[0];
  own.body[1] = def.body[1];
  own.first = tree->constraints;
  own.elements = tree->elements.count;
  tree->constraints += table[own.joint].places + table[own.joint].directions;
  *loop_at(tree, tree->loops.count) = own;
  if (number) {
    *number = tree->loops.count;
  }
  tree->loops.count++;
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_constraints(const nsdyn_tree *tree, int32_t loop, int32_t *first, int32_t *count)
{
  if (!tree || loop < 0 || loop >= tree->loops.count) {
    return NSDYN_ERR_ARGUMENT;
  }
  const nsd_loop *own = loop_at(tree, loop);
  if (first) {
    *first = own->first;
  }
  if (count) {
    *count = table[own->joint].places + table[own->joint].directions;
  }
  return NSDYN_OK;
}

int32_t nsdyn_tree_find_loop(const nsdyn_tree *tree, const char *name)
{
  char own[NSD_NAME_LENGTH];
  nsd_name_copy(own, name);
  for (int32_t i = 0; tree && own[0] && i < tree->loops.count; i++) {
    if (!strcmp(loop_at(tree, i)->name, own)) {
      return i;
    }
  }
  return -1;
}
