/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: bodies that are added, and memory for what a state says of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerances.h"
#include "multibody/elements.h"
#include "multibody/joints.h"
#include "multibody/loops.h"
#include "multibody/solids.h"

nsdyn_status nsdyn_tree_body_init(nsdyn_tree_body *body, size_t size)
{
  const nsdyn_tree_body defaults = {.size = sizeof defaults,
                                    .parent = -1,
                                    .joint = NSDYN_TREE_FIXED,
                                    .joint_turn = {1.0},
                                    .own_turn = {1.0},
                                    .axis = {0.0, 0.0, 1.0},
                                    .second = {1.0}};
  return nsd_sized_init(body, size, NSD_TREE_BODY_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_tree_options_init(nsdyn_tree_options *options, size_t size)
{
  return nsd_sized_init(options, size, NSD_TREE_OPTIONS_LEAST, NULL, sizeof *options);
}

/* ---- memory ---- */

/* One array of `count`: the new one, with what was in the old. */
static void *grow(nsdyn_context *ctx, const void *old, size_t used, size_t count, size_t size)
{
  void *memory = nsd_allocate(ctx, count, size);
  if (memory && used) {
    memcpy(memory, old, used * size);
  }
  return memory;
}

static void release_bodies(nsdyn_tree *tree)
{
  nsd_release(tree->ctx, tree->body, (size_t)tree->body_room, sizeof *tree->body);
}

static void release_links(nsdyn_tree *tree)
{
  const size_t room = (size_t)tree->link_room;
  nsd_release(tree->ctx, tree->link, room, sizeof *tree->link);
  nsd_release(tree->ctx, tree->state, room, sizeof *tree->state);
  nsd_release(tree->ctx, tree->articulated, room, sizeof *tree->articulated);
  nsd_release(tree->ctx, tree->composite, room, sizeof *tree->composite);
  nsd_release(tree->ctx, tree->wrench, room, sizeof *tree->wrench);
  nsd_release(tree->ctx, tree->twist, room, sizeof *tree->twist);
  nsd_release(tree->ctx, tree->tau, room, sizeof *tree->tau);
  nsd_release(tree->ctx, tree->q, 2 * room, sizeof *tree->q);
}

static int32_t room_for(int32_t count)
{
  return (int32_t)(count + count / 2 + 8);
}

static nsdyn_status reserve_body(nsdyn_tree *tree)
{
  if (tree->bodies < tree->body_room) {
    return NSDYN_OK;
  }
  /* A tree of the new memory; where there is none the old one stays as it is. */
  nsdyn_tree next = *tree;
  next.body_room = room_for(tree->bodies + 1);
  next.body = grow(tree->ctx, tree->body, (size_t)tree->bodies, (size_t)next.body_room, sizeof *next.body);
  if (!next.body) {
    return NSDYN_ERR_NOMEM;
  }
  release_bodies(tree);
  *tree = next;
  return NSDYN_OK;
}

/* Room for `count` more links, and for the world. Only links are kept; the rest is a state's. */
static nsdyn_status reserve_links(nsdyn_tree *tree, int32_t count)
{
  const int32_t used = tree->link_room ? tree->nu + 1 : 0, needed = tree->nu + 1 + count;
  if (needed <= tree->link_room) {
    return NSDYN_OK;
  }
  /* 1: links keep what joints said of them, all else is computed from the next state. */
  nsdyn_tree next = *tree;
  next.link_room = room_for(needed);
  const size_t room = (size_t)next.link_room;
  next.link = grow(tree->ctx, tree->link, (size_t)used, room, sizeof *next.link);
  next.state = nsd_allocate(tree->ctx, room, sizeof *next.state);
  next.articulated = nsd_allocate(tree->ctx, room, sizeof *next.articulated);
  next.composite = nsd_allocate(tree->ctx, room, sizeof *next.composite);
  next.wrench = nsd_allocate(tree->ctx, room, sizeof *next.wrench);
  next.twist = nsd_allocate(tree->ctx, room, sizeof *next.twist);
  next.tau = nsd_allocate(tree->ctx, room, sizeof *next.tau);
  next.q = nsd_allocate(tree->ctx, 2 * room, sizeof *next.q); /* at most four for three links */
  /* 2: all of it, or none. */
  if (!next.link || !next.state || !next.articulated || !next.composite || !next.wrench || !next.twist ||
      !next.tau || !next.q) {
    release_links(&next);
    return NSDYN_ERR_NOMEM;
  }
  release_links(tree);
  *tree = next;
  return NSDYN_OK;
}

/* Link 0: the world, whose frame is no joint's, and which stands still. */
static void set_world(nsdyn_tree *tree)
{
  nsd_link_state *world = &tree->state[0];
  memset(&tree->link[0], 0, sizeof tree->link[0]);
  tree->link[0].parent = -1;
  memset(world, 0, sizeof *world);
  world->R[0] = world->R[5] = world->R[10] = 1.0;
}

/* ---- the object ---- */

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_tree_options *options, nsdyn_tree **out,
                         nsd_fault *fault)
{
  nsdyn_tree_options own;
  const nsdyn_status status =
      NSD_SIZED_READ(nsdyn_tree_options, &own, NSD_TREE_OPTIONS_LEAST, options, fault);
  if (status) {
    return status;
  }
  for (int i = 0; i < 3; i++) { /* NaN fails, too */
    if (!(fabs(own.gravity[i]) < NSD_NUMBERS_END)) {
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_FIELD,
                           (int64_t)offsetof(nsdyn_tree_options, gravity),
                           "nsdyn_tree_new: gravity is not finite");
    }
  }
  nsdyn_tree *tree = nsd_allocate(ctx, 1, sizeof *tree);
  if (!tree) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_new: out of memory");
  }
  memset(tree, 0, sizeof *tree);
  tree->ctx = nsd_context_hold(ctx);
  atomic_init(&tree->holders, 1);
  nsd_fault_clear(&tree->fault);
  tree->given.size = sizeof(nsdyn_tree_body);
  nsd_names_begin(&tree->names);
  tree->elements.size = sizeof(nsd_element);
  tree->loops.size = sizeof(nsd_loop);
  tree->contacts.size = sizeof(nsd_element_row);
  tree->held.size = sizeof(nsd_element_row);
  tree->solids.size = sizeof(nsd_tree_solid);
  tree->laws.size = sizeof(nsd_tree_law);
  nsd_vec3_scale(1.0, own.gravity, tree->gravity);
  if (reserve_links(tree, 0)) {
    nsdyn_tree_free(tree);
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_new: out of memory");
  }
  set_world(tree);
  *out = tree;
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_new(nsdyn_context *ctx, const nsdyn_tree_options *options, nsdyn_tree **out,
                            nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_tree_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

nsdyn_tree *nsd_tree_hold(nsdyn_tree *tree)
{
  atomic_fetch_add_explicit(&tree->holders, 1, memory_order_relaxed);
  return tree;
}

void nsdyn_tree_free(nsdyn_tree *tree)
{
  if (tree && atomic_fetch_sub_explicit(&tree->holders, 1, memory_order_acq_rel) == 1) {
    nsdyn_context *ctx = tree->ctx;
    release_bodies(tree);
    release_links(tree);
    nsd_list_drop(ctx, &tree->given);
    nsd_names_drop(ctx, &tree->names);
    nsd_list_drop(ctx, &tree->elements);
    nsd_list_drop(ctx, &tree->loops);
    nsd_list_drop(ctx, &tree->contacts);
    nsd_list_drop(ctx, &tree->held);
    nsd_solids_drop(tree);
    nsd_release(ctx, tree, 1, sizeof *tree);
    nsd_context_drop(ctx);
  }
}

/* ---- bodies ---- */

const char *nsd_tree_label(const nsdyn_tree *tree, int32_t body, char text[NSD_LABEL_LENGTH])
{
  return nsd_label_text("body", body, tree->body[body].name, text);
}

const char *nsd_tree_bodies_text(const nsdyn_tree *tree, char text[NSD_LABEL_LENGTH])
{
  if (tree->bodies) {
    snprintf(text, NSD_LABEL_LENGTH, "there are bodies 0 to %d, and the world, -1", (int)tree->bodies - 1);
  } else {
    snprintf(text, NSD_LABEL_LENGTH, "there is only the world, -1");
  }
  return text;
}

static nsd_name_array body_names(const nsdyn_tree *tree)
{
  const nsd_name_array of = {tree->body->name, sizeof *tree->body, NSD_NAME_LENGTH};
  return of;
}

static nsdyn_status add(nsdyn_tree *tree, const nsdyn_tree_body *body)
{
  nsd_fault *fault = &tree->fault;
  /* 1: its place among the bodies, which counts only at the end, so that messages can name it. */
  nsdyn_status status = reserve_body(tree);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_add: no memory for body %d",
                         (int)tree->bodies);
  }
  char label[NSD_LABEL_LENGTH];
  nsd_tree_member *node = &tree->body[tree->bodies];
  memset(node, 0, sizeof *node);
  nsd_name_copy(node->name, body->name);
  nsd_tree_label(tree, tree->bodies, label);
  /* 2: whether such a body and such a joint can be; then its links, one for each velocity. */
  status = nsd_joint_check(tree, body, label, fault);
  if (status) {
    return status;
  }
  if (tree->bodies >= NSD_TREE_MOST || tree->nu >= NSD_TREE_MOST - NSD_JOINT_LINKS) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_tree_add: a tree has less than 2^24 bodies and velocities");
  }
  /* Links last: their new memory is without the state, which a failure leaves. */
  status = nsd_list_room(tree->ctx, &tree->given);
  status = status ? status : nsd_names_room(tree->ctx, &tree->names);
  status = status ? status : reserve_links(tree, nsd_joint_type_of(body->joint)->nu);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_tree_add: no memory for %s", label);
  }
  /* 3: the state is of another tree now, also where its memory is the old one. */
  set_world(tree);
  tree->has_state = tree->is_factored = 0;
  nsd_joint_append(tree, body, node);
  nsdyn_tree_body *given = (nsdyn_tree_body *)tree->given.item + tree->given.count++;
  *given = *body;
  given->name = NULL; /* the caller's */
  if (node->name[0]) {
    const int32_t first = nsd_names_add(&tree->names, body_names(tree), tree->bodies);
    tree->body[first].is_shared = first != tree->bodies;
  }
  tree->bodies++;
  return NSDYN_OK;
}

nsdyn_status nsd_tree_open(nsdyn_tree *tree, const void *given, const char *what, const char *name)
{
  if (!tree) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&tree->fault);
  if (!given) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "%s: %s is NULL", name,
                         what);
  }
  return tree->has_system
             ? nsd_fault_set(&tree->fault, NSDYN_ERR_BUSY, NSDYN_DETAIL_NONE, -1,
                             "%s: a system has been made of this tree, which stays as it is", name)
             : NSDYN_OK;
}

nsdyn_status nsdyn_tree_add(nsdyn_tree *tree, const nsdyn_tree_body *body, int32_t *number)
{
  nsdyn_tree_body own;
  nsdyn_status status = nsd_tree_open(tree, body, "body", "nsdyn_tree_add");
  if (status) {
    return status;
  }
  status = NSD_SIZED_READ(nsdyn_tree_body, &own, NSD_TREE_BODY_LEAST, body, &tree->fault);
  status = status ? status : add(tree, &own);
  if (!status && number) {
    *number = tree->bodies - 1;
  }
  return status;
}

int32_t nsdyn_tree_bodies(const nsdyn_tree *tree)
{
  return tree ? tree->bodies : 0;
}

int32_t nsdyn_tree_nq(const nsdyn_tree *tree)
{
  return tree ? tree->nq : 0;
}

int32_t nsdyn_tree_nu(const nsdyn_tree *tree)
{
  return tree ? tree->nu : 0;
}

int32_t nsdyn_tree_first_q(const nsdyn_tree *tree, int32_t body)
{
  return tree && body >= 0 && body < tree->bodies ? tree->body[body].q : -1;
}

int32_t nsdyn_tree_first_u(const nsdyn_tree *tree, int32_t body)
{
  return tree && body >= 0 && body < tree->bodies ? tree->body[body].u : -1;
}

int32_t nsdyn_tree_find(const nsdyn_tree *tree, const char *name)
{
  char own[NSD_NAME_LENGTH];
  nsd_name_copy(own, name);
  return own[0] && nsdyn_tree_bodies(tree) > 0 ? nsd_names_find(&tree->names, body_names(tree), own) : -1;
}

/* ---- messages ---- */

nsdyn_status nsd_tree_begin(nsdyn_tree *tree, const void *given, int which, const char *name)
{
  if (!tree) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&tree->fault);
  if (!given) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, which,
                         "%s: argument %d is NULL", name, which);
  }
  return tree->has_state ? NSDYN_OK
                         : nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 0,
                                         "%s: no state is set", name);
}

const char *nsdyn_tree_message(const nsdyn_tree *tree)
{
  return tree ? tree->fault.message : "";
}

nsdyn_status nsdyn_tree_detail(const nsdyn_tree *tree, nsdyn_detail *detail)
{
  return tree && detail ? nsd_fault_detail(&tree->fault, detail) : NSDYN_ERR_ARGUMENT;
}
