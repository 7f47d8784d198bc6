/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "multibody/kinematics.h"

#include <math.h>
#include <string.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "multibody/spatial.h"
#include "nsdyn/rotation.h"

nsdyn_status nsdyn_tree_motion_init(nsdyn_tree_motion *motion, size_t size)
{
  return nsd_sized_init(motion, size, NSD_TREE_MOTION_LEAST, NULL, sizeof *motion);
}

/* ---- places ---- */

/* cos and sin of all angles, one after the other in the order of links: in memory of the way down, which no
 * one uses meanwhile. */
typedef struct angles {
  const double *c, *s;
} angles;

static angles turn_all(nsdyn_tree *tree, const double *q)
{
  const int32_t room = tree->nu + NSD_LANES;
  double *angle = tree->twist[0], *c = angle + room, *s = c + room;
  int count = 0;
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    if (link->kind == NSD_LINK_TURN || link->kind == NSD_LINK_SCREW) {
      angle[count++] = q[link->q];
    }
  }
  for (int i = count; i % NSD_LANES; i++) {
    angle[i] = 0.0;
  }
  nsd_sin_cos_of_many(count, angle, c, s);
  return (angles){c, s};
}

/* R Q of a ball's quaternion; 0 where it has no direction. */
NSD_INLINE_LANES int turn_ball(const double *quaternion, double R[12], nsd_space out[3])
{
  double Q[9];
  nsdyn_quaternion_to_matrix(quaternion, Q);
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    const double column[3] = {Q[j], Q[3 + j], Q[6 + j]};
    out[j] = nsd_space_multiply(R, column);
  }
  return Q[0] <= 2.0;
}

/* h = m c and J = R J' Rᵀ of a link, along the axes of the world. */
NSD_INLINE_LANES void turn_inertia(const nsd_link *link, const nsd_space R[3], nsd_link_state *k)
{
  nsd_space T[3]; /* R J' */
  nsd_lanes_store(k->h, nsd_space_multiply(k->R, link->first));
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    if (link->is_diagonal) {
      T[j] = link->J[5 * j] * R[j];
    } else {
      T[j] = nsd_space_multiply(k->R, link->J + 4 * j);
    }
  }
  NSD_UNROLL(3)
  for (int j = 0; j < 3; j++) {
    nsd_lanes_store(k->J + 4 * j, (k->R[j] * T[0] + k->R[4 + j] * T[1]) + k->R[8 + j] * T[2]);
  }
}

NSD_INLINE_LANES int32_t place(nsdyn_tree *tree, const double *q, angles turned)
{
  const nsd_space zero = nsd_lanes_all(0.0);
  nsd_space R[3] = {zero, zero, zero};
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    nsd_link_state *k = &tree->state[i];
    const nsd_link_state *parent = &tree->state[link->parent];
    if (i == 1 || link->parent != i - 1) { /* else it is still there */
      R[0] = nsd_lanes_load(parent->R);
      R[1] = nsd_lanes_load(parent->R + 4);
      R[2] = nsd_lanes_load(parent->R + 8);
    }
    nsd_space r = zero;
    if (link->kind != NSD_LINK_ALONG) { /* which has the frame of the ball itself */
      const double *S = link->seat_R, *p = link->seat_p;
      const nsd_space x = R[0], y = R[1], z = R[2];
      R[0] = (x * S[0] + y * S[1]) + z * S[2];
      R[1] = (x * S[4] + y * S[5]) + z * S[6];
      R[2] = (x * S[8] + y * S[9]) + z * S[10];
      r = (x * p[0] + y * p[1]) + z * p[2];
    }
    if (link->kind == NSD_LINK_TURN || link->kind == NSD_LINK_SCREW) { /* R Rz: two columns turn */
      const nsd_space x = R[0], y = R[1];
      const double c = *turned.c++, sine = *turned.s++;
      R[0] = c * x + sine * y;
      R[1] = c * y - sine * x;
    } else if (link->kind == NSD_LINK_BALL) {
      double seat[12];
      NSD_UNROLL(3)
      for (int j = 0; j < 3; j++) {
        nsd_lanes_store(seat + 4 * j, R[j]);
      }
      if (!turn_ball(q + link->q, seat, R)) {
        return link->body + 1;
      }
    }
    const nsd_space s = link->column == 0 ? R[0] : link->column == 1 ? R[1] : R[2];
    if (link->slide != 0.0) {
      r += (link->slide * q[link->q]) * s;
    }
    NSD_UNROLL(3)
    for (int j = 0; j < 3; j++) {
      nsd_lanes_store(k->R + 4 * j, R[j]);
    }
    nsd_lanes_store(k->s, s);
    nsd_lanes_store(k->r, r);
    nsd_lanes_store(k->o, nsd_lanes_load(parent->o) + r);
    if (link->heavy) {
      turn_inertia(link, R, k);
    } else {
      memset(k->h, 0, sizeof k->h);
      memset(k->J, 0, sizeof k->J);
    }
  }
  return 0;
}

static int32_t place_plain(nsdyn_tree *tree, const double *q, angles turned)
{
  return place(tree, q, turned);
}

NSD_TARGET_AVX2 static int32_t place_avx2(nsdyn_tree *tree, const double *q, angles turned)
{
  return place(tree, q, turned);
}

int32_t nsd_tree_place(nsdyn_tree *tree, const double *q)
{
  return (nsd_cpu_avx2() ? place_avx2 : place_plain)(tree, q, turn_all(tree, q));
}

/* ---- velocities ---- */

NSD_INLINE_LANES void move(nsdyn_tree *tree, const double *u)
{
  for (int32_t i = 1; i <= tree->nu; i++) {
    const nsd_link *link = &tree->link[i];
    nsd_link_state *k = &tree->state[i];
    const nsd_link_state *parent = &tree->state[link->parent];
    const nsd_space s = nsd_lanes_load(k->s), r = nsd_lanes_load(k->r);
    const nsd_space w = nsd_lanes_load(parent->w), alpha = nsd_lanes_load(parent->alpha);
    /* ω = ω_p + s u, v = v_p + ω_p × r + s u */
    const nsd_space turn = (link->turn * u[i - 1]) * s;
    nsd_space across = nsd_space_cross(w, r), v = nsd_lanes_load(parent->v) + across;
    if (link->slide != 0.0) {
      const nsd_space slide = (link->slide * u[i - 1]) * s;
      v += slide;
      across += 2.0 * slide;
    }
    nsd_lanes_store(k->w, w + turn);
    nsd_lanes_store(k->v, v);
    /* a = a_p + α_p × r + ω_p × (ω_p × r + 2 s u): centripetal and Coriolis' */
    nsd_lanes_store(k->a,
                    nsd_lanes_load(parent->a) + (nsd_space_cross(w, across) + nsd_space_cross(alpha, r)));
    /* α = α_p + ω_p × s u; of a ball ω_p × ω of all three axes, of which its first link has the whole */
    nsd_space omega = turn;
    if (link->kind == NSD_LINK_BALL) {
      omega = nsd_space_multiply(k->R, u + i - 1);
    } else if (link->kind == NSD_LINK_ALONG) {
      omega = nsd_lanes_all(0.0);
    }
    nsd_lanes_store(k->alpha, alpha + nsd_space_cross(w, omega));
  }
}

static void move_plain(nsdyn_tree *tree, const double *u)
{
  move(tree, u);
}

NSD_TARGET_AVX2 static void move_avx2(nsdyn_tree *tree, const double *u)
{
  move(tree, u);
}

void nsd_tree_move(nsdyn_tree *tree, const double *u)
{
  tree->moves++;
  (nsd_cpu_avx2() ? move_avx2 : move_plain)(tree, u);
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
  if (nsd_lanes_bounded(tree->nq, q) == 0.0 && (!u || nsd_lanes_bounded(tree->nu, u) == 0.0)) {
    return NSDYN_OK;
  }
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
