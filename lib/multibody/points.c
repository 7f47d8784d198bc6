/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Points and frames of bodies: where they are, how they move, what forces there do. */
#include <string.h>

#include "multibody/tree.h"

/* A point of a body: the link that carries it, and where it is from the link's origin, in the world. */
typedef struct carried {
  int32_t link;
  double from[3];
} carried;

static nsdyn_status carry(nsdyn_tree *tree, int32_t body, const double *point, const char *name, carried *out)
{
  const double origin[3] = {0.0};
  const double *given = point ? point : origin;
  if (body < -1 || body >= tree->bodies) {
    char bodies[NSD_LABEL_LENGTH];
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "%s: body is %d; %s",
                         name, (int)body, nsd_tree_bodies_text(tree, bodies));
  }
  out->link = body < 0 ? 0 : tree->body[body].link;
  double x[3] = {given[0], given[1], given[2]};
  if (body >= 0) { /* from the body's frame to that of the link */
    const nsd_link_frame *frame = &tree->body[body].frame;
    nsd_mat3_multiply(frame->R, given, x);
    nsd_vec3_add_scaled(frame->p, 1.0, x, x);
  }
  nsd_columns_multiply(tree->state[out->link].R, x, out->from);
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_point(nsdyn_tree *tree, int32_t body, const double *point, nsdyn_tree_motion *motion)
{
  static const char *const name = "nsdyn_tree_point";
  carried at = {0};
  nsdyn_status status = nsd_tree_begin(tree, motion, 3, name);
  status = status ? status : carry(tree, body, point, name, &at);
  if (status) {
    return status;
  }
  const nsd_link_state *k = &tree->state[at.link];
  nsdyn_tree_motion own = {.size = sizeof own};
  double across[3], again[3];
  nsd_vec3_add_scaled(k->o, 1.0, at.from, own.place);
  for (int i = 0; i < 3; i++) { /* by rows */
    nsd_vec3_set(k->R[i], k->R[4 + i], k->R[8 + i], own.turn + 3 * i);
  }
  if (body >= 0) {
    nsd_mat3_product(own.turn, tree->body[body].frame.R, own.turn);
  }
  /* v = v_o + ω × x, a = a_o + α × x + ω × (ω × x) */
  nsd_vec3_cross(k->w, at.from, across);
  nsd_vec3_add_scaled(k->v, 1.0, across, own.velocity);
  nsd_vec3_cross(k->w, across, again);
  nsd_vec3_cross(k->alpha, at.from, across);
  nsd_vec3_add_scaled(again, 1.0, across, again);
  nsd_vec3_add_scaled(k->a, 1.0, again, own.bias);
  nsd_vec3_scale(1.0, k->w, own.omega);
  nsd_vec3_scale(1.0, k->alpha, own.alpha);
  return nsd_sized_tell(motion, NSD_TREE_MOTION_LEAST, &own, sizeof own, "nsdyn_tree_motion", &tree->fault);
}

nsdyn_status nsdyn_tree_jacobian(nsdyn_tree *tree, int32_t body, const double *point, double *J)
{
  static const char *const name = "nsdyn_tree_jacobian";
  carried at = {0};
  nsdyn_status status = nsd_tree_begin(tree, J, 3, name);
  status = status ? status : carry(tree, body, point, name, &at);
  if (status) {
    return status;
  }
  const size_t n = (size_t)tree->nu;
  memset(J, 0, 6 * n * sizeof *J);
  /* Joints on the way to the root: ∂v/∂u = s_ω × x + s_v and ∂ω/∂u = s_ω, with x from the joint's origin. */
  for (int32_t i = at.link; i > 0; i = tree->link[i].parent) {
    const nsd_link *link = &tree->link[i];
    const nsd_link_state *k = &tree->state[i];
    double v[3];
    nsd_vec3_cross(k->s, at.from, v);
    for (size_t a = 0; a < 3; a++) {
      J[a * n + (size_t)(i - 1)] = link->turn * v[a] + link->slide * k->s[a];
      J[(3 + a) * n + (size_t)(i - 1)] = link->turn * k->s[a];
    }
    nsd_vec3_add_scaled(at.from, 1.0, k->r, at.from);
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_push(nsdyn_tree *tree, int32_t body, const double *point, const double *force,
                             const double *moment, double *tau)
{
  static const char *const name = "nsdyn_tree_push";
  carried at = {0};
  nsdyn_status status = nsd_tree_begin(tree, tau, 5, name);
  status = status ? status : carry(tree, body, point, name, &at);
  if (status) {
    return status;
  }
  double F[6] = {0.0}, next[6];
  if (force) {
    nsd_vec3_cross(at.from, force, F);
    nsd_vec3_scale(1.0, force, F + 3);
  }
  if (moment) {
    nsd_vec3_add_scaled(F, 1.0, moment, F);
  }
  for (int32_t i = at.link; i > 0; i = tree->link[i].parent) {
    tau[i - 1] += nsd_link_dot(&tree->link[i], tree->state[i].s, F);
    memset(next, 0, sizeof next);
    nsd_wrench_add_at(tree->state[i].r, F, next);
    memcpy(F, next, sizeof F);
  }
  return NSDYN_OK;
}

/* One way from a body to the root: the link reached, the wrench about its origin, and how large the terms of
 * its moment are together. */
typedef struct climber {
  int32_t link;
  double F[6], size, force;
} climber;

static void begin_climb(nsdyn_tree *tree, int32_t body, const double *point, const double F[6], climber *c)
{
  carried at = {0};
  (void)carry(tree, body, point, "", &at); /* the body was checked when it was named */
  c->link = at.link;
  memcpy(c->F, F, sizeof c->F);
  nsd_vec3_cross(at.from, F + 3, c->F);
  nsd_vec3_add_scaled(c->F, 1.0, F, c->F);
  c->force = nsd_vec3_norm(F + 3);
  c->size = nsd_vec3_norm(F) + nsd_vec3_norm(at.from) * c->force;
}

/* What the joint of this link feels; then on to its parent, whose origin is at −r. */
static void climb(const nsdyn_tree *tree, climber *c, double *row)
{
  const nsd_link *link = &tree->link[c->link];
  const nsd_link_state *k = &tree->state[c->link];
  double next[6] = {0.0};
  row[c->link - 1] +=
      nsd_tree_sum(nsd_link_dot(link, k->s, c->F), link->turn * c->size + fabs(link->slide) * c->force);
  nsd_wrench_add_at(k->r, c->F, next);
  memcpy(c->F, next, sizeof c->F);
  c->size += nsd_vec3_norm(k->r) * c->force;
  c->link = link->parent;
}

void nsd_tree_push_pair(nsdyn_tree *tree, const int32_t *body, double (*point)[3], double (*F)[6],
                        double *row)
{
  climber c[2];
  for (int k = 0; k < 2; k++) {
    begin_climb(tree, body[k], point[k], F[k], &c[k]);
  }
  /* Parents have smaller numbers: who is farther out climbs, until both are at the link that carries them. */
  while (c[0].link != c[1].link) {
    climb(tree, &c[c[1].link > c[0].link], row);
  }
}

double nsd_tree_reach(nsdyn_tree *tree, int32_t body, const double *point)
{
  carried at = {0};
  (void)carry(tree, body, point, "", &at);
  double sum = nsd_vec3_norm(at.from);
  for (int32_t i = at.link; i > 0; i = tree->link[i].parent) {
    sum += nsd_vec3_norm(tree->state[i].r);
  }
  return sum;
}
