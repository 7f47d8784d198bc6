/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/kinematics.h"

#include <math.h>
#include <string.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "nsdyn/rotation.h"

nsdyn_status nsdyn_tree_motion_init(nsdyn_tree_motion *motion, size_t size)
{
  return nsd_sized_init(motion, size, NSD_TREE_MOTION_LEAST, NULL, sizeof *motion);
}

/* ---- places ---- */

/* R := R Rz(angle): its first two columns turn. */
static void turn_about_z(double angle, double R[9])
{
  double e[2];
  nsd_sin_cos(angle, e);
  for (int i = 0; i < 9; i += 3) {
    const double x = R[i], y = R[i + 1];
    R[i] = e[0] * x + e[1] * y;
    R[i + 1] = e[0] * y - e[1] * x;
  }
}

/* h = m c and J of a link, along the axes of the world. */
static void turn_inertia(const nsd_link *link, nsd_link_state *k)
{
  double T[9];
  nsd_mat3_multiply(k->R, link->first, k->h);
  nsd_mat3_product(k->R, link->J, T);
  k->J[0] = nsd_vec3_dot(T, k->R);
  k->J[1] = nsd_vec3_dot(T + 3, k->R + 3);
  k->J[2] = nsd_vec3_dot(T + 6, k->R + 6);
  k->J[3] = nsd_vec3_dot(T, k->R + 3);
  k->J[4] = nsd_vec3_dot(T, k->R + 6);
  k->J[5] = nsd_vec3_dot(T + 3, k->R + 6);
}

int32_t nsd_tree_place(nsdyn_tree *tree, const double *q)
{
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    nsd_link_state *k = &tree->state[i];
    const nsd_link_state *parent = &tree->state[link->parent];
    double Q[9];
    if (link->kind == NSD_LINK_ALONG) { /* the frame of the ball itself */
      nsd_mat3_copy(parent->R, k->R);
      nsd_vec3_set(0.0, 0.0, 0.0, k->r);
    } else {
      nsd_mat3_product(parent->R, link->seat.R, k->R);
      nsd_mat3_multiply(parent->R, link->seat.p, k->r);
    }
    switch (link->kind) {
    case NSD_LINK_SCREW:
    case NSD_LINK_TURN:
      turn_about_z(q[link->q], k->R);
      break;
    case NSD_LINK_BALL:
      nsdyn_quaternion_to_matrix(q + link->q, Q);
      if (!(Q[0] <= 2.0)) {
        return link->body + 1;
      }
      nsd_mat3_product(k->R, Q, k->R);
      break;
    default:
      break;
    }
    nsd_vec3_set(k->R[link->column], k->R[3 + link->column], k->R[6 + link->column], k->s);
    if (link->slide != 0.0) {
      nsd_vec3_add_scaled(k->r, link->slide * q[link->q], k->s, k->r);
    }
    nsd_vec3_add_scaled(parent->o, 1.0, k->r, k->o);
    if (link->heavy) {
      turn_inertia(link, k);
    } else {
      memset(k->h, 0, sizeof k->h);
      memset(k->J, 0, sizeof k->J);
    }
  }
  return 0;
}

/* ---- velocities ---- */

void nsd_tree_move(nsdyn_tree *tree, const double *u)
{
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    nsd_link_state *k = &tree->state[i];
    const nsd_link_state *parent = &tree->state[link->parent];
    const double turn = link->turn * u[i - 1], slide = link->slide * u[i - 1];
    double across[3], again[3], omega[3];
    /* ω = ω_p + s u, v = v_p + ω_p × r + s u */
    nsd_vec3_cross(parent->w, k->r, across);
    nsd_vec3_add_scaled(parent->w, turn, k->s, k->w);
    nsd_vec3_add_scaled(parent->v, 1.0, across, k->v);
    nsd_vec3_add_scaled(k->v, slide, k->s, k->v);
    /* a = a_p + α_p × r + ω_p × (ω_p × r + 2 s u): centripetal and Coriolis' */
    nsd_vec3_add_scaled(across, 2.0 * slide, k->s, across);
    nsd_vec3_cross(parent->w, across, again);
    nsd_vec3_cross(parent->alpha, k->r, across);
    nsd_vec3_add_scaled(again, 1.0, across, again);
    nsd_vec3_add_scaled(parent->a, 1.0, again, k->a);
    /* α = α_p + ω_p × s u; of a ball ω_p × ω of all three axes, of which its first link has the whole */
    if (link->kind == NSD_LINK_ALONG) {
      nsd_vec3_scale(1.0, parent->alpha, k->alpha);
      continue;
    }
    if (link->kind == NSD_LINK_BALL) {
      nsd_mat3_multiply(k->R, u + i - 1, omega);
    } else {
      nsd_vec3_scale(turn, k->s, omega);
    }
    nsd_vec3_cross(parent->w, omega, across);
    nsd_vec3_add_scaled(parent->alpha, 1.0, across, k->alpha);
  }
}

/* ---- the calls ---- */

static nsdyn_status refuse_number(nsdyn_tree *tree, const char *name, int32_t i, int32_t body)
{
  char label[NSD_LABEL_LENGTH];
  return nsd_fault_set(&tree->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_COORDINATE, i,
                       "nsdyn_tree_set_state: %s[%d], of the joint of %s, is not finite", name, (int)i,
                       nsd_tree_label(tree, body, label));
}

/* Whose joint has coordinate i: the last body whose first one is not behind it. */
static int32_t body_of_coordinate(const nsdyn_tree *tree, int32_t i)
{
  int32_t body = tree->bodies - 1;
  while (body > 0 && tree->body[body].q > i) {
    body--;
  }
  return body;
}

static nsdyn_status check_state(nsdyn_tree *tree, const double *q, const double *u)
{
  for (int32_t i = 0; i < tree->nq; i++) {
    if (!(fabs(q[i]) < NSD_NUMBERS_END)) {
      return refuse_number(tree, "q", i, body_of_coordinate(tree, i));
    }
  }
  for (int32_t i = 0; u && i < tree->nu; i++) {
    if (!(fabs(u[i]) < NSD_NUMBERS_END)) {
      return refuse_number(tree, "u", i, tree->link[i + 1].body);
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_set_state(nsdyn_tree *tree, const double *q, const double *u)
{
  if (!tree) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_fault_clear(&tree->fault);
  tree->has_state = tree->is_factored = 0;
  if (!q) {
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "nsdyn_tree_set_state: q is NULL");
  }
  const nsdyn_status status = check_state(tree, q, u);
  if (status) {
    return status;
  }
  if (tree->nq > 0 && q != tree->q) {
    memcpy(tree->q, q, (size_t)tree->nq * sizeof *q);
  }
  const int32_t without = nsd_tree_place(tree, q);
  if (without) {
    char label[NSD_LABEL_LENGTH];
    return nsd_fault_set(&tree->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_COORDINATE, tree->body[without - 1].q,
                         "nsdyn_tree_set_state: the quaternion of the joint of %s is zero",
                         nsd_tree_label(tree, without - 1, label));
  }
  if (u) {
    nsd_tree_move(tree, u);
  } else { /* all at rest; tau is no one's now */
    memset(tree->tau, 0, (size_t)tree->link_room * sizeof *tree->tau);
    nsd_tree_move(tree, tree->tau);
  }
  tree->has_state = 1;
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_rest(const nsdyn_tree *tree, double *q)
{
  if (!tree || !q) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int32_t i = 0; i < tree->nq; i++) {
    q[i] = 0.0;
  }
  for (int32_t i = 1; i <= tree->nu; i++) {
    if (tree->link[i].kind == NSD_LINK_BALL) {
      q[tree->link[i].q] = 1.0;
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_rates(const nsdyn_tree *tree, const double *q, const double *u, double *qdot)
{
  if (!tree || !q || !u || !qdot) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    if (link->kind == NSD_LINK_BALL) {
      nsdyn_quaternion_rate_body(q + link->q, u + i - 1, qdot + link->q);
    } else if (link->kind != NSD_LINK_ALONG) {
      qdot[link->q] = u[i - 1];
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsdyn_tree_retract(const nsdyn_tree *tree, const double *q, const double *u, double dt,
                                double *q_new)
{
  if (!tree || !q || !u || !q_new) {
    return NSDYN_ERR_ARGUMENT;
  }
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    if (link->kind == NSD_LINK_BALL) {
      nsdyn_quaternion_retract_body(q + link->q, u + i - 1, dt, q_new + link->q);
    } else if (link->kind != NSD_LINK_ALONG) {
      q_new[link->q] = q[link->q] + dt * u[i - 1];
    }
  }
  return NSDYN_OK;
}
