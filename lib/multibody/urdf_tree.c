/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tree of the links and joints of a robot. */
#include <string.h>

#include "base/poll.h"
#include "multibody/urdf.h"
#include "nsdyn/rotation.h"

static nsd_name_array link_names(const nsdyn_urdf *r)
{
  /* They come first in their links; there may be none. */
  const nsd_name_array of = {r->links.item, sizeof(nsd_urdf_link), NSD_URDF_NAME_LENGTH};
  return of;
}

static nsd_name_array joint_names(const nsdyn_urdf *r)
{
  const nsd_name_array of = {nsd_urdf_joint_at(r, 0)->name, sizeof(nsd_urdf_joint), NSD_URDF_NAME_LENGTH};
  return of;
}

/* What the tree keeps of them. */
static nsd_name_array kept_names(const nsdyn_urdf *r)
{
  const nsd_name_array of = {nsd_urdf_joint_at(r, 0)->kept, sizeof(nsd_urdf_joint), NSD_NAME_LENGTH};
  return of;
}

/* So much work more, of one link or joint: the caller may want to stop. */
static nsdyn_status ask(nsdyn_urdf *r, nsd_poll *poll)
{
  return nsd_poll_stops(poll, 64.0 * NSD_POLL_FETCH)
             ? nsd_fault_set(&r->fault, NSDYN_CANCELLED, NSDYN_DETAIL_NONE, -1, "%s",
                             nsdyn_status_text(NSDYN_CANCELLED))
             : NSDYN_OK;
}

static nsdyn_status resolve_joint(nsdyn_urdf *r, int32_t i)
{
  nsd_urdf_joint *joint = nsd_urdf_joint_at(r, i);
  r->line = joint->line;
  nsdyn_status status = nsd_names_room(r->ctx, &r->joint_names);
  if (status) {
    return nsd_urdf_no_memory(r, status);
  }
  if (nsd_names_add(&r->joint_names, joint_names(r), i) != i) {
    return nsd_urdf_refuse(r, joint->name, "two joints have this name");
  }
  joint->from = nsd_names_find(&r->link_names, link_names(r), joint->parent);
  joint->to = nsd_names_find(&r->link_names, link_names(r), joint->child);
  if (joint->from < 0 || joint->to < 0) {
    return nsd_urdf_refuse(r, joint->name,
                           joint->from < 0 ? "there is no link of the name of its parent"
                                           : "there is no link of the name of its child");
  }
  if (nsd_urdf_link_at(r, joint->to)->joint >= 0) {
    return nsd_urdf_refuse(r, joint->name, "its child has a joint already");
  }
  if (!joint->has_limit && (joint->type == NSD_URDF_REVOLUTE || joint->type == NSD_URDF_PRISMATIC)) {
    return nsd_urdf_refuse(r, joint->name, "a revolute and a prismatic joint have a limit");
  }
  nsd_urdf_link_at(r, joint->to)->joint = i;
  return NSDYN_OK;
}

/* Links of all joints, each link behind one joint at most; names of links and joints once each. */
static nsdyn_status resolve(nsdyn_urdf *r, nsd_poll *poll)
{
  nsdyn_status status = NSDYN_OK;
  for (int32_t i = 0; i < r->links.count && !status; i++) {
    r->line = nsd_urdf_link_at(r, i)->line;
    status = nsd_names_room(r->ctx, &r->link_names);
    if (status) {
      return nsd_urdf_no_memory(r, status);
    }
    status = nsd_names_add(&r->link_names, link_names(r), i) != i
                 ? nsd_urdf_refuse(r, nsd_urdf_link_at(r, i)->name, "two links have this name")
                 : ask(r, poll);
  }
  for (int32_t i = 0; i < r->joints.count && !status; i++) {
    status = resolve_joint(r, i);
    status = status ? status : ask(r, poll);
  }
  return status;
}

/* In which round of building joint k comes. Each round goes through all joints in their order: so it is that
 * of the joint above it where that has a smaller number, else the next one. Up to a joint whose round is
 * known, then down again: each joint is asked once. */
static void find_round(nsdyn_urdf *r, int32_t k)
{
  int32_t at = k, below = -1;
  while (at >= 0 && nsd_urdf_joint_at(r, at)->round == NSD_URDF_UNKNOWN) {
    nsd_urdf_joint_at(r, at)->round = NSD_URDF_ASKED;
    nsd_urdf_joint_at(r, at)->below = below;
    below = at;
    at = nsd_urdf_link_at(r, nsd_urdf_joint_at(r, at)->from)->joint;
  }
  int32_t round = at < 0 ? 0 : nsd_urdf_joint_at(r, at)->round;
  while (below >= 0) {
    round = round < 0 ? NSD_URDF_NEVER : at > below ? round + 1 : round;
    at = below;
    nsd_urdf_joint_at(r, at)->round = round;
    below = nsd_urdf_joint_at(r, at)->below;
  }
}

/* Joints of each round in a list, in their order. */
static nsdyn_status plan(nsdyn_urdf *r, nsd_poll *poll)
{
  nsdyn_status status = NSDYN_OK;
  for (int32_t k = r->joints.count - 1; k >= 0 && !status; k--) {
    nsd_urdf_joint *joint = nsd_urdf_joint_at(r, k);
    find_round(r, k);
    if (joint->round >= 0) {
      joint->next = nsd_urdf_joint_at(r, joint->round)->head;
      nsd_urdf_joint_at(r, joint->round)->head = k;
    }
    status = ask(r, poll);
  }
  return status;
}

/* What the tree says of something that begins in this line. */
static nsdyn_status told_at(nsdyn_urdf *r, const nsdyn_tree *tree, int64_t line, nsdyn_status status)
{
  return status ? nsd_fault_set(&r->fault, status, NSDYN_DETAIL_LINE, line, "line %lld: %s", (long long)line,
                                nsdyn_tree_message(tree))
                : NSDYN_OK;
}

/* A link as a body, behind its joint or on the world. J is told in the inertial frame: R J Rᵀ. */
static nsdyn_status add_body(nsdyn_urdf *r, nsdyn_tree *tree, nsd_urdf_link *link,
                             const nsd_urdf_joint *joint)
{
  nsdyn_tree_body body;
  double R[9], back[9], axes[9];
  const double *I = link->J, J[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  if (nsdyn_tree_find(tree, link->name) >= 0) {
    r->line = link->line;
    return nsd_urdf_refuse(r, link->name, "another link's name begins with the same 31 bytes");
  }
  nsdyn_tree_body_init(&body, sizeof body);
  body.name = link->name;
  body.mass = link->mass;
  memcpy(body.centre, link->place, sizeof body.centre);
  nsdyn_quaternion_to_matrix(link->turn, R);
  nsd_mat3_transpose(R, back);
  nsd_mat3_product(R, J, R);
  nsd_mat3_product(R, back, R);
  for (int i = 0; i < 3; i++) {
    static const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
    body.inertia[i] = R[4 * i];
    body.inertia[3 + i] = 0.5 * (R[3 * row[i] + column[i]] + R[3 * column[i] + row[i]]);
  }
  if (!joint) {
    body.joint = r->options.root;
    return told_at(r, tree, link->line, nsdyn_tree_add(tree, &body, &link->body));
  }
  body.parent = nsd_urdf_link_at(r, joint->from)->body;
  body.joint = nsd_urdf_joint_kind(joint);
  memcpy(body.joint_place, joint->place, sizeof body.joint_place);
  memcpy(body.joint_turn, joint->turn, sizeof body.joint_turn);
  if (joint->type == NSD_URDF_REVOLUTE || joint->type == NSD_URDF_CONTINUOUS ||
      joint->type == NSD_URDF_PRISMATIC ||
      body.joint == NSDYN_TREE_PLANAR) { /* of the others it says nothing, and may be zero */
    memcpy(body.axis, joint->axis, sizeof body.axis);
  }
  if (body.joint == NSDYN_TREE_PLANAR && !nsd_joint_axes(joint->axis, axes)) {
    nsd_vec3_set(axes[0], axes[3], axes[6], body.second); /* some direction across the axis */
  }
  return told_at(r, tree, joint->line, nsdyn_tree_add(tree, &body, &link->body));
}

/* What a tree keeps of a joint's name leads to the elements of that joint alone. */
static nsdyn_status name_elements(nsdyn_urdf *r, int32_t k)
{
  nsd_urdf_joint *joint = nsd_urdf_joint_at(r, k);
  const nsdyn_status status = nsd_names_room(r->ctx, &r->kept_names);
  if (status) {
    return nsd_urdf_no_memory(r, status);
  }
  nsd_name_copy(joint->kept, joint->name);
  return nsd_names_add(&r->kept_names, kept_names(r), k) == k
             ? NSDYN_OK
             : nsd_urdf_refuse(r, joint->name, "another joint's name begins with the same 31 bytes");
}

/* q = multiplier q_other + offset */
static nsdyn_status add_mimic(nsdyn_urdf *r, nsdyn_tree *tree, const nsd_urdf_joint *joint)
{
  nsdyn_tree_element e;
  const int32_t other = nsd_names_find(&r->joint_names, joint_names(r), joint->mimic);
  if (other < 0 || nsd_joint_type_of(nsd_urdf_joint_kind(joint))->nu != 1 ||
      nsd_joint_type_of(nsd_urdf_joint_kind(nsd_urdf_joint_at(r, other)))->nu != 1) {
    return nsd_urdf_refuse(r, joint->name, "mimic wants two joints of one velocity each");
  }
  nsdyn_tree_element_init(&e, sizeof e);
  e.name = joint->name;
  e.body[0] = nsd_urdf_link_at(r, joint->to)->body;
  e.body[1] = nsd_urdf_link_at(r, nsd_urdf_joint_at(r, other)->to)->body;
  e.ratio = -joint->multiplier;
  e.rest = joint->offset;
  e.held = 1;
  return told_at(r, tree, joint->line, nsdyn_tree_add_element(tree, &e, NULL));
}

/* Limits, damping and friction of a joint, along each of its velocities; and whom it follows. */
static nsdyn_status add_elements(nsdyn_urdf *r, nsdyn_tree *tree, int32_t k)
{
  const nsd_urdf_joint *joint = nsd_urdf_joint_at(r, k);
  const int nu = nsd_joint_type_of(nsd_urdf_joint_kind(joint))->nu;
  const int is_limited = joint->has_limit && nu == 1 && joint->type != NSD_URDF_CONTINUOUS;
  const int is_held = is_limited && joint->lower == joint->upper;
  const int is_wanted = nu > 0 && (is_limited || joint->damping != 0.0 || joint->friction != 0.0);
  nsdyn_tree_element e;
  nsdyn_status status = is_wanted || joint->mimic[0] ? name_elements(r, k) : NSDYN_OK;
  nsdyn_tree_element_init(&e, sizeof e);
  e.name = joint->name;
  e.body[0] = nsd_urdf_link_at(r, joint->to)->body;
  if (is_held) { /* equal limits leave no motion, and nothing to damp */
    e.held = 1;
    e.rest = joint->lower;
  } else {
    e.damping = joint->damping;
    e.friction = joint->friction;
    e.lower = is_limited ? joint->lower : e.lower;
    e.upper = is_limited ? joint->upper : e.upper;
  }
  for (int axis = 0; is_wanted && axis < nu && !status; axis++) {
    e.axis[0] = axis;
    status = told_at(r, tree, joint->line, nsdyn_tree_add_element(tree, &e, NULL));
  }
  return status || !joint->mimic[0] ? status : add_mimic(r, tree, joint);
}

/* Roots first, then whose parents are there, until no link is left that has one. */
static nsdyn_status build(nsdyn_urdf *r, nsdyn_tree *tree)
{
  nsd_poll poll = nsd_poll_of(r->ctx, "nsdyn_urdf_tree");
  nsdyn_status status = resolve(r, &poll);
  status = status ? status : plan(r, &poll);
  for (int32_t i = 0; i < r->links.count && !status; i++) {
    status = nsd_urdf_link_at(r, i)->joint < 0 ? add_body(r, tree, nsd_urdf_link_at(r, i), NULL) : NSDYN_OK;
    status = status ? status : ask(r, &poll);
  }
  for (int32_t round = 0; round < r->joints.count && !status; round++) {
    for (int32_t k = nsd_urdf_joint_at(r, round)->head; k >= 0 && !status;
         k = nsd_urdf_joint_at(r, k)->next) {
      status = add_body(r, tree, nsd_urdf_link_at(r, nsd_urdf_joint_at(r, k)->to), nsd_urdf_joint_at(r, k));
      status = status ? status : ask(r, &poll);
    }
  }
  for (int32_t k = 0; k < r->joints.count && !status; k++) {
    r->line = nsd_urdf_joint_at(r, k)->line;
    status = nsd_urdf_joint_at(r, k)->round == NSD_URDF_NEVER
                 ? nsd_urdf_refuse(r, nsd_urdf_joint_at(r, k)->name,
                                   "its links hang on each other, and on nothing else")
                 : add_elements(r, tree, k);
    status = status ? status : ask(r, &poll);
  }
  return status;
}

/* The solid that a shape is. */
static nsdyn_status make_solid(nsdyn_urdf *r, const nsdyn_urdf_shape *shape, nsdyn_solid **out)
{
  static const int32_t kinds[] = {[NSDYN_URDF_BOX] = NSDYN_SOLID_BOX,
                                  [NSDYN_URDF_CYLINDER] = NSDYN_SOLID_CYLINDER,
                                  [NSDYN_URDF_SPHERE] = NSDYN_SOLID_SPHERE,
                                  [NSDYN_URDF_CAPSULE] = NSDYN_SOLID_CAPSULE};
  nsdyn_error error = {.size = sizeof error};
  nsdyn_solid_def def = {.size = sizeof def, .kind = kinds[shape->kind]};
  if (shape->kind == NSDYN_URDF_BOX) {
    nsd_vec3_scale(1.0, shape->extent, def.extent);
  } else { /* radius, then length */
    def.radius = shape->extent[0];
    def.extent[0] = shape->extent[1];
  }
  const nsdyn_status status = nsdyn_solid_new(r->ctx, &def, out, &error);
  return status ? nsd_fault_set(&r->fault, status, NSDYN_DETAIL_NONE, -1, "%s", error.message) : NSDYN_OK;
}

/* All shapes as solids of the tree, with the names of their links. */
static nsdyn_status add_solids(nsdyn_urdf *r, nsdyn_tree *tree)
{
  nsdyn_status status = NSDYN_OK;
  for (int32_t i = 0; i < r->shapes.count && !status; i++) {
    const nsdyn_urdf_shape *shape = &nsd_urdf_shape_at(r, i)->told;
    nsdyn_tree_solid own;
    nsdyn_tree_solid_init(&own, sizeof own);
    own.body = nsd_urdf_link_at(r, shape->body)->body;
    own.name = tree->body[own.body].name;
    own.group = 2;
    own.touches = ~own.group; /* not each other */
    nsd_vec3_scale(1.0, shape->place, own.place);
    memcpy(own.turn, shape->turn, sizeof own.turn);
    status = make_solid(r, shape, &own.solid);
    if (!status) {
      status = nsdyn_tree_add_solid(tree, &own, NULL);
      nsdyn_solid_free(own.solid);
      if (status) {
        nsd_fault_set(&r->fault, status, NSDYN_DETAIL_NONE, -1, "%s", nsdyn_tree_message(tree));
      }
    }
  }
  return status;
}

nsdyn_status nsdyn_urdf_tree(nsdyn_urdf *urdf, nsdyn_tree **out)
{
  if (!urdf || !out) {
    return NSDYN_ERR_ARGUMENT;
  }
  *out = NULL;
  if (urdf->fault.status) {
    return urdf->fault.status;
  }
  if (!urdf->is_ended || urdf->depth || urdf->has_tree) {
    return nsd_urdf_refuse(urdf, "nsdyn_urdf_tree",
                           urdf->has_tree ? "its tree was made before" : "there is no whole robot yet");
  }
  nsdyn_tree_options options;
  nsdyn_error error = {.size = sizeof error};
  nsdyn_tree *tree = NULL;
  nsdyn_tree_options_init(&options, sizeof options);
  memcpy(options.gravity, urdf->options.gravity, sizeof options.gravity);
  nsdyn_status status = nsdyn_tree_new(urdf->ctx, &options, &tree, &error);
  if (status) {
    return nsd_fault_set(&urdf->fault, status, NSDYN_DETAIL_NONE, -1, "%s", error.message);
  }
  status = build(urdf, tree);
  status = status || !urdf->options.solids ? status : add_solids(urdf, tree);
  if (status) {
    nsdyn_tree_free(tree);
    return status;
  }
  for (int32_t i = 0; i < urdf->shapes.count; i++) {
    nsdyn_urdf_shape *shape = &nsd_urdf_shape_at(urdf, i)->told;
    shape->body = nsd_urdf_link_at(urdf, shape->body)->body;
  }
  urdf->has_tree = 1;
  *out = tree;
  return NSDYN_OK;
}
