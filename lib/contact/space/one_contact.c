/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/one_contact.h"

#include <math.h>

#include "base/safe_scalar.h"
#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "contact/problem.h"
#include "contact/space/one_polygon.h"
#include "contact/space/sliding_roots.h"

/* M v and Mᵀ v of 2 × 2. */
static void multiply(const double *M, const double *v, double *out)
{
  const double v0 = v[0], v1 = v[1];
  out[0] = M[0] * v0 + M[1] * v1;
  out[1] = M[2] * v0 + M[3] * v1;
}

static void multiply_transposed(const double *M, const double *v, double *out)
{
  const double v0 = v[0], v1 = v[1];
  out[0] = M[0] * v0 + M[2] * v1;
  out[1] = M[1] * v0 + M[3] * v1;
}

void nsd_one_contact_of(const double *G, const nsd_one_contact_law *law, nsd_one_contact *block)
{
  block->law = *law;
  const double *e = law->axis, q = law->aspect;
  const double A[4] = {e[0], -e[1] * q, e[1], e[0] * q};
  const double TN[2] = {G[3], G[6]}, first[2] = {G[4], G[7]}, second[2] = {G[5], G[8]};
  double *P = block->P, tn[2], row[2];
  for (int i = 0; i < 9; i++) {
    block->G[i] = G[i];
  }
  for (int i = 0; i < 4; i++) {
    block->A[i] = A[i];
  }
  /* P = diag(1, A)ᵀ G diag(1, A) */
  P[0] = G[0];
  multiply_transposed(A, &G[1], &P[1]);
  multiply_transposed(A, TN, tn);
  P[3] = tn[0];
  P[6] = tn[1];
  double left[4], right[2];
  multiply_transposed(A, first, right); /* Aᵀ G_TT, column by column */
  left[0] = right[0];
  left[2] = right[1];
  multiply_transposed(A, second, right);
  left[1] = right[0];
  left[3] = right[1];
  multiply_transposed(A, &left[0], row);
  P[4] = row[0];
  P[5] = row[1];
  multiply_transposed(A, &left[2], row);
  P[7] = row[0];
  P[8] = row[1];
  /* S = P_TT − P_TN g */
  const double tangential = fabs(P[4]) + fabs(P[8]) + fabs(P[5]) + fabs(P[7]);
  const int pushes = P[0] != 0.0;
  block->g[0] = pushes ? P[1] / P[0] : 0.0;
  block->g[1] = pushes ? P[2] / P[0] : 0.0;
  const double *g = block->g;
  const double coupled = (fabs(tn[0]) + fabs(tn[1])) * (fabs(g[0]) + fabs(g[1]));
  const double held[4] = {P[4] - tn[0] * g[0], P[5] - tn[0] * g[1], P[7] - tn[1] * g[0], P[8] - tn[1] * g[1]};
  const double loose[4] = {P[4], P[5], P[7], P[8]};
  nsd_sliding_find_axes(held, tangential + coupled, &block->held);
  nsd_sliding_find_axes(loose, tangential, &block->loose);
  block->definite = P[0] > 0.0 && block->held.s1 >= 0.0 && block->held.s2 >= 0.0;
  block->reserved = 0;
}

int nsd_one_contact_give(const nsd_one_contact *block, const double *c, int32_t mode, double Lambda_N,
                         const double *Lambda_T, const double *against, nsd_one_contact_answer *answer)
{
  const double *G = block->G, *A = block->A;
  answer->mode = mode;
  answer->Lambda[0] = Lambda_N;
  multiply(A, Lambda_T, &answer->Lambda[1]);
  for (int i = 0; i < 3; i++) {
    const double *row = &G[3 * i];
    answer->xi[i] =
        c[i] + ((row[0] * answer->Lambda[0] + row[1] * answer->Lambda[1]) + row[2] * answer->Lambda[2]);
  }
  answer->slip[0] = answer->slip[1] = 0.0;
  if (mode == NSD_ONE_CONTACT_SLIP) {
    /* ξ_T = A⁻ᵀ ξ', whose direction is known better than what is left of G Λ + c */
    const double q = block->law.aspect, *e = block->law.axis;
    const double x = -against[0], y = -against[1] / q;
    const double d[2] = {e[0] * x - e[1] * y, e[1] * x + e[0] * y};
    /* Of friction that is next to nothing the squares underflow. */
    const double square = nsd_sliding_dot(d, d);
    const double norm = square >= NSD_SLIDING_LITTLE ? sqrt(square) : nsd_norm_plane(d[0], d[1]);
    answer->slip[0] = norm > 0.0 ? d[0] / norm : 0.0;
    answer->slip[1] = norm > 0.0 ? d[1] / norm : 0.0;
  }
  return NSD_ONE_CONTACT_SOLVED;
}

static int give_nothing(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answer)
{
  const double zero[2] = {0.0, 0.0};
  return nsd_one_contact_give(block, c, NSD_ONE_CONTACT_OPEN, 0.0, zero, zero, answer);
}

/* b = c_T + P_TN n in the axes of S. */
static void held_load(const nsd_one_contact *block, const double *c_T, double n, double *b)
{
  const double sum[2] = {c_T[0] + block->P[3] * n, c_T[1] + block->P[6] * n};
  nsd_sliding_into(&block->held, sum, b);
}

/* No friction: the normal row alone, and whatever ξ_T. */
static int solve_smooth(const nsd_one_contact *block, const double *c, double n,
                        nsd_one_contact_answer *answer)
{
  const double zero[2] = {0.0, 0.0};
  const double xi[2] = {c[1] + block->G[3] * n, c[2] + block->G[6] * n};
  double turned[2];
  multiply_transposed(block->A, xi, turned);
  const double against[2] = {-turned[0], -turned[1]};
  const int slides = xi[0] != 0.0 || xi[1] != 0.0;
  return nsd_one_contact_give(block, c, slides ? NSD_ONE_CONTACT_SLIP : NSD_ONE_CONTACT_STICK, n, zero,
                              against, answer);
}

/* A direction of sliding r̂ = r / h with ‖r̂‖ + m·r̂ = 1, where h is so small that squares of r underflow: (h S
 * + ŝ) r̂ = −b with ŝ = h s, all of it times a power of two that makes it about 1. Returns 1 where r = −S⁻¹ b
 * obeys ‖r‖ + m·r <= h, and has it; m is as small as h, beside which it is nothing. */
static int slide_under_little(const nsd_sliding_plane *plane, const double *b, double h, double *r_hat,
                              int32_t *steps)
{
  const double none[2] = {0.0, 0.0};
  const double stiff = h * (fabs(plane->s1) + fabs(plane->s2) + fabs(plane->k));
  const double most = fmax(stiff, fmax(fabs(b[0]), fabs(b[1])));
  int exponent = 0;
  if (b[0] == 0.0 && b[1] == 0.0) {
    r_hat[0] = r_hat[1] = 0.0;
    return 1;
  }
  (void)frexp(most, &exponent);
  const double f = ldexp(1.0, -exponent / 2), load[2] = {b[0] * f * f, b[1] * f * f};
  const nsd_sliding_plane scaled = {.axis = {plane->axis[0], plane->axis[1]},
                                    .s1 = plane->s1 * f * (h * f),
                                    .s2 = plane->s2 * f * (h * f),
                                    .k = plane->k * f * (h * f)};
  /* 1. It sticks; what S makes of it is finite, or there is nothing to hold it with. */
  nsd_sliding_reply(&scaled, 0.0, load, r_hat);
  if (nsd_norm_plane(r_hat[0], r_hat[1]) <= 1.0) {
    return 1;
  }
  /* 2. It slides against its load alone, where S is nothing beside it; else as where h is not small. */
  const double size = nsd_norm_plane(load[0], load[1]);
  if (fabs(scaled.s1) + fabs(scaled.s2) + fabs(scaled.k) <= NSD_SLIDING_ROUNDING * size) {
    r_hat[0] = -load[0] / size;
    r_hat[1] = -load[1] / size;
  } else {
    *steps = nsd_sliding_solve(&scaled, load, none, 1.0, r_hat);
  }
  return 0;
}

/* The same as solve_cone() where μ is so small that Λ_N does not feel friction. b: what sliding goes by. */
static int solve_cone_under_little(const nsd_one_contact *block, const double *c, double n, const double *b,
                                   nsd_one_contact_answer *answer)
{
  const double limit = block->law.mu * fabs(n);
  double r[2], against[2], turned[2];
  const int sticks = slide_under_little(&block->held, b, limit, r, &answer->steps);
  nsd_sliding_out_of(&block->held, r, against);
  turned[0] = limit * against[0];
  turned[1] = limit * against[1];
  return nsd_one_contact_give(block, c, sticks ? NSD_ONE_CONTACT_STICK : NSD_ONE_CONTACT_SLIP, n, turned,
                              against, answer);
}

/* Friction by load on a disk. c_T is in the axes of Λ'. */
static int solve_cone(const nsd_one_contact *block, const double *c, const double *c_T,
                      nsd_one_contact_answer *answer)
{
  const double mu = block->law.mu, n = -c[0] / block->P[0];
  if (mu == 0.0) {
    return solve_smooth(block, c, n, answer);
  }
  double b[2], g[2], r[2], turned[2];
  held_load(block, c_T, n, b);
  if (mu < NSD_SLIDING_LITTLE) {
    return solve_cone_under_little(block, c, n, b, answer);
  }
  nsd_sliding_into(&block->held, block->g, g);
  /* Stick: s = 0 gives ‖Λ'‖ <= μ Λ_N, of a slot μ |Λ_N|. */
  nsd_sliding_reply(&block->held, 0.0, b, r);
  const double held = n - nsd_sliding_dot(g, r), side = n < 0.0 ? -1.0 : 1.0;
  const double most = block->law.kind == NSDYN_CONTACT_BILATERAL ? fabs(held) : held;
  if (sqrt(nsd_sliding_dot(r, r)) <= mu * most) {
    nsd_sliding_out_of(&block->held, r, turned);
    return nsd_one_contact_give(block, c, NSD_ONE_CONTACT_STICK, held, turned, turned, answer);
  }
  /* Slip: H(s) = μ |n|; a slot that is pulled counts Λ_N the other way. */
  const double m[2] = {side * mu * g[0], side * mu * g[1]};
  answer->steps = nsd_sliding_solve(&block->held, b, m, mu * fabs(n), r);
  nsd_sliding_out_of(&block->held, r, turned);
  /* Λ_N from the limit of friction: what that leaves of ξ_N is the rounding of its own terms */
  return nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, side * sqrt(nsd_sliding_dot(r, r)) / mu, turned,
                              turned, answer);
}

/* Friction of given bound on a disk, in a plane: H(s) = ‖Λ'‖ = bound. Returns the mode. */
static int32_t solve_disk(const nsd_sliding_plane *plane, const double *load, double bound, double *Lambda_T,
                          int32_t *steps)
{
  const double none[2] = {0.0, 0.0};
  double b[2], r[2];
  nsd_sliding_into(plane, load, b);
  nsd_sliding_reply(plane, 0.0, b, r);
  int32_t mode = NSD_ONE_CONTACT_STICK;
  const double stiff = bound * (fabs(plane->s1) + fabs(plane->s2) + fabs(plane->k));
  const double size = nsd_norm_plane(b[0], b[1]);
  if (bound > 0.0 && stiff < NSD_SLIDING_LITTLE * size) { /* it cannot hold the load, nor bend its way */
    mode = NSD_ONE_CONTACT_SLIP;
    r[0] = -bound * (b[0] / size);
    r[1] = -bound * (b[1] / size);
  } else if (!(sqrt(nsd_sliding_dot(r, r)) <= bound)) {
    mode = NSD_ONE_CONTACT_SLIP;
    r[0] = r[1] = 0.0;
    if (bound > 0.0) {
      *steps = nsd_sliding_solve(plane, b, none, bound, r);
    }
  }
  nsd_sliding_out_of(plane, r, Lambda_T);
  return mode;
}

/* What sliding goes against: Λ' where that is not 0, else −ξ'. */
static void oppose(const nsd_one_contact *block, const double *c_T, double Lambda_N, const double *Lambda_T,
                   double *against)
{
  const double *P = block->P;
  const int none = Lambda_T[0] == 0.0 && Lambda_T[1] == 0.0;
  against[0] = none ? -(c_T[0] + P[3] * Lambda_N) : Lambda_T[0];
  against[1] = none ? -(c_T[1] + P[6] * Lambda_N) : Lambda_T[1];
}

/* A given bound: friction acts whether the contact presses or not. First ξ_N = 0, then Λ_N = 0. */
static int solve_given(const nsd_one_contact *block, const double *c, const double *c_T,
                       nsd_one_contact_answer *answer)
{
  const double *P = block->P, n = -c[0] / P[0], bound = block->law.bound;
  double r[2], against[2];
  const double load[2] = {c_T[0] + P[3] * n, c_T[1] + P[6] * n};
  const int32_t closed = solve_disk(&block->held, load, bound, r, &answer->steps);
  const double Lambda_N = n - nsd_sliding_dot(block->g, r);
  if (block->law.kind == NSDYN_CONTACT_BILATERAL || Lambda_N >= 0.0) {
    oppose(block, c_T, Lambda_N, r, against);
    return nsd_one_contact_give(block, c, closed, Lambda_N, r, against, answer);
  }
  const int32_t open = solve_disk(&block->loose, c_T, bound, r, &answer->steps);
  const double xi_N = c[0] + nsd_sliding_dot(&P[1], r);
  if (xi_N < -NSD_SLIDING_ROUNDING * (fabs(c[0]) + fabs(P[1] * r[0]) + fabs(P[2] * r[1])) &&
      !block->definite) {
    return NSD_ONE_CONTACT_UNDECIDED;
  }
  oppose(block, c_T, 0.0, r, against);
  const int status = nsd_one_contact_give(block, c, NSD_ONE_CONTACT_OPEN, 0.0, r, against, answer);
  if (open == NSD_ONE_CONTACT_SLIP) { /* open, but moving against its friction */
    nsd_one_contact_answer moving;
    nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, 0.0, r, against, &moving);
    answer->slip[0] = moving.slip[0];
    answer->slip[1] = moving.slip[1];
  }
  return status;
}

/* A brake: a given bound where no push moves the normal, which stays at c_N. */
static int solve_brake(const nsd_one_contact *block, const double *c, const double *c_T,
                       nsd_one_contact_answer *answer)
{
  const int is_slot = block->law.kind == NSDYN_CONTACT_BILATERAL;
  double r[2], against[2];
  if (is_slot ? c[0] != 0.0 : c[0] < 0.0) {
    return NSD_ONE_CONTACT_NONE;
  }
  const int32_t mode = solve_disk(&block->loose, c_T, block->law.bound, r, &answer->steps);
  oppose(block, c_T, 0.0, r, against);
  return nsd_one_contact_give(block, c, mode, 0.0, r, against, answer);
}

/* The end of C against a known sliding direction e: where −e·x is largest, in the axes of Λ'. */
static void farthest(const nsd_one_contact *block, double *x)
{
  double d[2];
  if (block->law.sliding ==
      NSD_SLIDES_AT) { /* Λ' = A⁻¹ Λ_T, A = (axis, axis turned by a quarter) diag(1, aspect) */
    const double *axis = block->law.axis, *p = block->law.slip;
    x[0] = -(axis[0] * p[0] + axis[1] * p[1]);
    x[1] = (axis[1] * p[0] - axis[0] * p[1]) / block->law.aspect;
    return;
  }
  multiply_transposed(block->A, block->law.slip, d);
  const double norm = sqrt(nsd_sliding_dot(d, d));
  x[0] = norm > 0.0 ? -d[0] / norm : 0.0;
  x[1] = norm > 0.0 ? -d[1] / norm : 0.0;
  double best = -INFINITY, corner[2] = {0.0, 0.0};
  for (int32_t j = 0; j < block->law.sides; j++) {
    double v[2];
    nsd_sin_cos_of_turn(j, block->law.sides, v);
    if (nsd_sliding_dot(v, x) > best) {
      best = nsd_sliding_dot(v, x);
      corner[0] = v[0];
      corner[1] = v[1];
    }
  }
  if (block->law.sides) {
    x[0] = corner[0];
    x[1] = corner[1];
  }
}

/* A known direction: Λ_T follows from Λ_N, which has one row left, p Λ_N + c_N. */
static int solve_known(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answer)
{
  const double *P = block->P, mu = block->law.mu;
  const int slot = block->law.kind == NSDYN_CONTACT_BILATERAL;
  double x[2], r[2];
  farthest(block, x);
  double against[2] = {0.0, 0.0};
  multiply_transposed(block->A, block->law.slip, against);
  against[0] = -against[0];
  against[1] = -against[1];
  if (block->law.friction == NSD_FRICTION_GIVEN) {
    r[0] = block->law.bound * x[0];
    r[1] = block->law.bound * x[1];
    const double rest = c[0] + nsd_sliding_dot(&P[1], r);
    if (!slot && rest >= 0.0) {
      return nsd_one_contact_give(block, c, NSD_ONE_CONTACT_OPEN, 0.0, r, against, answer);
    }
    const double Lambda_N = P[0] > 0.0 ? -rest / P[0] : 0.0; /* a brake has no push, and needs none */
    return P[0] > 0.0 || rest == 0.0
               ? nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, Lambda_N, r, against, answer)
               : NSD_ONE_CONTACT_NONE;
  }
  if (slot ? c[0] == 0.0 : c[0] >= 0.0) {
    return give_nothing(block, c, answer);
  }
  /* (P_NN ± μ P_NT·x) Λ_N = −c_N, with the sign of Λ_N; of a slot the side that it is pushed to first */
  for (int turn = 0; turn < (slot ? 2 : 1); turn++) {
    const double side = (c[0] < 0.0) == (turn == 0) ? 1.0 : -1.0;
    const double p = P[0] + side * mu * nsd_sliding_dot(&P[1], x), Lambda_N = -c[0] / p;
    if (p != 0.0 && Lambda_N * side > 0.0) {
      r[0] = mu * fabs(Lambda_N) * x[0];
      r[1] = mu * fabs(Lambda_N) * x[1];
      return nsd_one_contact_give(block, c, NSD_ONE_CONTACT_SLIP, Lambda_N, r, against, answer);
    }
  }
  return NSD_ONE_CONTACT_NONE;
}

int nsd_one_contact_solve(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answer)
{
  const nsd_one_contact_law *law = &block->law;
  const int slot = law->kind == NSDYN_CONTACT_BILATERAL;
  double c_T[2];
  answer->steps = 0;
  if (law->sliding) {
    return solve_known(block, c, answer);
  }
  const int by_load = law->friction == NSD_FRICTION_LOAD;
  /* Open: Λ = 0 obeys the law. */
  if (by_load && (slot ? c[0] == 0.0 : c[0] >= 0.0)) {
    return give_nothing(block, c, answer);
  }
  multiply_transposed(block->A, &c[1], c_T);
  if (law->sides) {
    return nsd_one_polygon_solve(block, c, c_T, answer);
  }
  if (by_load && block->definite) {
    return solve_cone(block, c, c_T, answer);
  }
  if (!by_load && block->definite) {
    return solve_given(block, c, c_T, answer);
  }
  /* No push moves the normal: it stays at c_N. */
  if (block->P[0] == 0.0 && block->P[1] == 0.0 && block->P[2] == 0.0) {
    return by_load ? NSD_ONE_CONTACT_NONE : solve_brake(block, c, c_T, answer);
  }
  if (by_load) {
    nsd_one_contact_answer all[NSD_SLIDING_ROOTS];
    const int count = nsd_sliding_roots(block, c, all, NULL);
    if (count > 0) {
      *answer = all[0];
      return NSD_ONE_CONTACT_SOLVED;
    }
  }
  return NSD_ONE_CONTACT_UNDECIDED;
}
