/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/one_polygon.h"

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "contact/problem.h"
#include "nsdyn/setvalued.h"

/* The problem in the axes of Λ', and the best state so far. */
typedef struct search {
  const nsd_one_contact *block;
  const double *c;   /* as given */
  const double *c_T; /* in the axes of Λ' */
  double r;          /* turns an impulse into a velocity */
  double miss;       /* what the best state misses, a velocity; ∞: there is none */
  int32_t mode;
  double Lambda_N, Lambda_T[2], against[2];
  nsd_one_polygon_visit *visit; /* all states go there; NULL: the best is kept */
  void *user;
} search;

static double larger(double a, double b)
{
  return a > b ? a : b;
}

/* ξ' + nothing else: c_T + P_TN Λ_N + P_TT Λ'. */
static void tangential_velocity(const search *s, double Lambda_N, const double *Lambda_T, double *xi)
{
  const double *P = s->block->P;
  xi[0] = s->c_T[0] + (P[3] * Lambda_N + (P[4] * Lambda_T[0] + P[5] * Lambda_T[1]));
  xi[1] = s->c_T[1] + (P[6] * Lambda_N + (P[7] * Lambda_T[0] + P[8] * Lambda_T[1]));
}

/* What is left of ξ_N where it should be 0; rounding is nothing. */
static double left_over(const search *s, double Lambda_N, const double *Lambda_T)
{
  const double *P = s->block->P;
  const double N = P[0] * Lambda_N, T1 = P[1] * Lambda_T[0], T2 = P[2] * Lambda_T[1];
  /* ξ_N = c_N + P_NN Λ_N + P_NT·Λ', beside the sizes of its terms. */
  const double left = fabs(s->c[0] + (N + (T1 + T2)));
  const double terms = fabs(s->c[0]) + (fabs(N) + (fabs(T1) + fabs(T2)));
  return left <= NSD_SLIDING_ROUNDING * terms ? 0.0 : left;
}

/* Takes a state that misses less than all before. */
static void offer(search *s, double known, int32_t mode, double Lambda_N, const double *Lambda_T)
{
  const double miss = mode == NSD_ONE_CONTACT_OPEN ? known : larger(left_over(s, Lambda_N, Lambda_T), known);
  const int is_finite = isfinite(Lambda_N) && isfinite(Lambda_T[0]) && isfinite(Lambda_T[1]);
  if (s->visit && !is_finite) {
    s->visit(s->user, NULL, INFINITY);
    return;
  }
  if (!is_finite || (!s->visit && !(miss < s->miss))) {
    return;
  }
  double xi[2];
  tangential_velocity(s, Lambda_N, Lambda_T, xi);
  if (s->visit) {
    const double against[2] = {-xi[0], -xi[1]};
    nsd_one_contact_answer answer = {.steps = 0};
    nsd_one_contact_give(s->block, s->c, mode, Lambda_N, Lambda_T, against, &answer);
    s->visit(s->user, &answer, miss);
    return;
  }
  s->miss = miss;
  s->mode = mode;
  s->Lambda_N = Lambda_N;
  for (int i = 0; i < 2; i++) {
    s->Lambda_T[i] = Lambda_T[i];
    s->against[i] = -xi[i];
  }
}

/* By how much maximal dissipation is missed at the corner v between its neighbours: −ξ'·(v − v±) >= 0. */
static double corner_miss(const double *xi, const double *before, const double *v, const double *after)
{
  const double back[2] = {v[0] - before[0], v[1] - before[1]}, on[2] = {v[0] - after[0], v[1] - after[1]};
  const double length = sqrt(nsd_sliding_dot(on, on));
  const double most = larger(nsd_sliding_dot(xi, back), nsd_sliding_dot(xi, on));
  return larger(0.0, most) / length;
}

/* Friction by load at the corner v. side: the sign of Λ_N. Returns Λ_N times that, and ξ'. */
static double try_corner(search *s, double side, const double *before, const double *v, const double *after,
                         double *xi)
{
  const double *P = s->block->P, mu = s->block->law.mu;
  /* (P_NN ± μ P_NT·v) |Λ_N| = −(±c_N) */
  const double size = -s->c[0] / (side * P[0] + mu * nsd_sliding_dot(&P[1], v));
  const double at_corner[2] = {mu * size * v[0], mu * size * v[1]};
  tangential_velocity(s, side * size, at_corner, xi);
  offer(s, larger(-s->r * size, corner_miss(xi, before, v, after)), NSD_ONE_CONTACT_SLIP, side * size,
        at_corner);
  return size;
}

/* The same on the side from v to w, with its inner side on the left. */
static void try_side(search *s, double side, const double *v, const double *w)
{
  const double *P = s->block->P, mu = s->block->law.mu;
  double xi[2];
  /* Λ' = μ (α v + β w), |Λ_N| = α + β, ξ_N = 0 and ξ'·(w − v) = 0 */
  const double t[2] = {w[0] - v[0], w[1] - v[1]}, n[2] = {t[1], -t[0]};
  double of_v[2], of_w[2];
  for (int i = 0; i < 2; i++) {
    const double *row = &P[3 * (i + 1)];
    of_v[i] = side * row[0] + mu * nsd_sliding_dot(&row[1], v);
    of_w[i] = side * row[0] + mu * nsd_sliding_dot(&row[1], w);
  }
  const double a = side * P[0] + mu * nsd_sliding_dot(&P[1], v),
               b = side * P[0] + mu * nsd_sliding_dot(&P[1], w);
  const double d = nsd_sliding_dot(t, of_v), e = nsd_sliding_dot(t, of_w), f = nsd_sliding_dot(t, s->c_T);
  const double per = 1.0 / (a * e - b * d);
  const double alpha = (b * f - e * s->c[0]) * per, beta = (d * s->c[0] - a * f) * per;
  const double on_side[2] = {mu * (alpha * v[0] + beta * w[0]), mu * (alpha * v[1] + beta * w[1])};
  tangential_velocity(s, side * (alpha + beta), on_side, xi);
  const double inward = larger(0.0, nsd_sliding_dot(n, xi)) / sqrt(nsd_sliding_dot(n, n));
  offer(s, larger(larger(-s->r * alpha, -s->r * beta), inward), NSD_ONE_CONTACT_SLIP, side * (alpha + beta),
        on_side);
}

/* Given bound. closed: ξ_N = 0, else Λ_N = 0; what is missed there. */
static double given_normal(const search *s, int closed, const double *Lambda_T, double *Lambda_N)
{
  const double *P = s->block->P, rest = s->c[0] + nsd_sliding_dot(&P[1], Lambda_T);
  *Lambda_N = closed ? -rest / P[0] : 0.0;
  if (s->block->law.kind == NSDYN_CONTACT_BILATERAL) {
    return 0.0;
  }
  return larger(0.0, closed ? rest : -rest);
}

static void try_given(search *s, int closed, const double *before, const double *v, const double *w)
{
  const double *P = s->block->P, bound = s->block->law.bound;
  const int32_t mode = closed ? NSD_ONE_CONTACT_SLIP : NSD_ONE_CONTACT_OPEN;
  /* Λ' = bound v, at the corner: Λ_N by its own law, and what ξ' misses of pointing against v. */
  double xi[2], Lambda_N;
  const double at_corner[2] = {bound * v[0], bound * v[1]};
  double miss = given_normal(s, closed, at_corner, &Lambda_N);
  tangential_velocity(s, Lambda_N, at_corner, xi);
  offer(s, larger(miss, corner_miss(xi, before, v, w)), mode, Lambda_N, at_corner);
  /* Λ' = bound (v + τ t), t·ξ' = 0, whose slope along τ is bound t·M t with M = P_TT, or S where closed */
  const double t[2] = {w[0] - v[0], w[1] - v[1]}, n[2] = {t[1], -t[0]};
  const double *g = s->block->g;
  double M[2];
  for (int i = 0; i < 2; i++) {
    const double *row = &P[3 * (i + 1)];
    M[i] = nsd_sliding_dot(&row[1], t) - (closed ? row[0] * nsd_sliding_dot(g, t) : 0.0);
  }
  const double tau = -nsd_sliding_dot(t, xi) / (bound * nsd_sliding_dot(t, M));
  const double on_side[2] = {bound * (v[0] + tau * t[0]), bound * (v[1] + tau * t[1])};
  miss = given_normal(s, closed, on_side, &Lambda_N);
  tangential_velocity(s, Lambda_N, on_side, xi);
  const double length = sqrt(nsd_sliding_dot(n, n));
  const double beyond = s->r * bound * length * larger(0.0, larger(-tau, tau - 1.0));
  offer(s, larger(larger(miss, beyond), larger(0.0, nsd_sliding_dot(n, xi)) / length), mode, Lambda_N,
        on_side);
}

/* ξ_T = 0 with ξ_N = 0 or Λ_N = 0. */
static void try_stick(search *s, int closed)
{
  const nsd_one_contact *block = s->block;
  const double *P = block->P, n = closed ? -s->c[0] / P[0] : 0.0;
  const nsd_sliding_plane *plane = closed ? &block->held : &block->loose;
  const double load[2] = {s->c_T[0] + P[3] * n, s->c_T[1] + P[6] * n};
  /* Λ' of ξ' = 0, with Λ_N = −(c_N + P_NT·Λ')/P_NN put in where closed: P_TT, or the Schur complement S,
   * inverted in its principal axes. */
  double b[2], r[2], Lambda_T[2], nearest[2], miss = 0.0;
  nsd_sliding_into(plane, load, b);
  nsd_sliding_reply(plane, 0.0, b, r);
  nsd_sliding_out_of(plane, r, Lambda_T);
  double Lambda_N = n - (closed ? nsd_sliding_dot(block->g, Lambda_T) : 0.0), size = block->law.bound;
  if (block->law.friction == NSD_FRICTION_LOAD) {
    size =
        block->law.mu * (block->law.kind == NSDYN_CONTACT_BILATERAL ? fabs(Lambda_N) : larger(Lambda_N, 0.0));
    miss = block->law.kind == NSDYN_CONTACT_BILATERAL ? 0.0 : larger(0.0, -s->r * Lambda_N);
  } else {
    miss = given_normal(s, closed, Lambda_T, &Lambda_N);
  }
  /* It sticks where Λ' is in the polygon; what is missed is the way to it, as a velocity. */
  nsdyn_polygon_prox(block->law.sides, size, Lambda_T, nearest);
  const double off[2] = {Lambda_T[0] - nearest[0], Lambda_T[1] - nearest[1]};
  offer(s, larger(miss, s->r * sqrt(nsd_sliding_dot(off, off))),
        closed ? NSD_ONE_CONTACT_STICK : NSD_ONE_CONTACT_OPEN, Lambda_N, Lambda_T);
}

/* All corners, each with the side behind it, until one obeys the law. */
static void try_sides(search *s, int given, int which)
{
  const int32_t sides = s->block->law.sides;
  double before[2], v[2], w[2];
  nsd_sin_cos_of_turn(sides - 1, sides, before);
  nsd_sin_cos_of_turn(0, sides, v);
  for (int32_t j = 0; j < sides && s->miss > 0.0; j++) {
    nsd_sin_cos_of_turn(j + 1, sides, w);
    if (given) {
      try_given(s, which, before, v, w);
    } else {
      double xi[2];
      (void)try_corner(s, which ? 1.0 : -1.0, before, v, w, xi);
      try_side(s, which ? 1.0 : -1.0, v, w);
    }
    for (int i = 0; i < 2; i++) {
      before[i] = v[i];
      v[i] = w[i];
    }
  }
}

/* A corner in about the direction d: from one quarter to the next by |d| along straight lines. */
static int32_t corner_near(int32_t sides, const double *d)
{
  const double along = d[0] / (fabs(d[0]) + fabs(d[1]));
  const double quarters = d[1] >= 0.0 ? 1.0 - along : 3.0 + along; /* NaN where d is nothing */
  const int32_t j = quarters >= 0.0 && quarters <= 4.0 ? (int32_t)(0.25 * quarters * sides + 0.5) : 0;
  return j < sides ? j : 0;
}

/* Corner j, from −1 to sides. */
static void corner_of(int32_t sides, int32_t j, double *v)
{
  nsd_sin_cos_of_turn(j < 0 ? sides - 1 : j < sides ? j : j - sides, sides, v);
}

/* Where G is definite and friction goes by the load it sticks, or is at one corner or side, and ξ' says at
 * each corner to which neighbour Λ' is drawn. So it is looked for from a corner on that is near to where a
 * disk of the same size has Λ', (S + s) Λ' = −b with s by the length of b. Where that finds no state that
 * obeys the law, all of them are tried. */
static void walk(search *s)
{
  const nsd_one_contact *block = s->block;
  const int32_t sides = block->law.sides;
  const double n = -s->c[0] / block->P[0], mu = block->law.mu, *P = block->P;
  const double load[2] = {s->c_T[0] + P[3] * n, s->c_T[1] + P[6] * n};
  double b[2], r[2], d[2], before[2], v[2], after[2], xi[2];
  nsd_sliding_into(&block->held, load, b);
  nsd_sliding_reply(&block->held, 0.0, b, r);
  nsd_sliding_out_of(&block->held, r, d);
  /* 1. It sticks in the polygon only, not beyond the circle around it. */
  const double held = mu * (n - nsd_sliding_dot(block->g, d));
  if (held >= 0.0 && nsd_sliding_dot(d, d) <= held * held) {
    try_stick(s, 1);
    if (!(s->miss > 0.0)) {
      return;
    }
  }
  /* 2. From corner to corner. */
  const double most = sqrt(nsd_sliding_dot(b, b)) / (mu * n);
  nsd_sliding_reply(&block->held, larger(0.0, most - 0.5 * (block->held.s1 + block->held.s2)), b, r);
  nsd_sliding_out_of(&block->held, r, d);
  int32_t j = corner_near(sides, d), way = 0;
  corner_of(sides, j - 1, before);
  corner_of(sides, j, v);
  corner_of(sides, j + 1, after);
  for (int32_t k = 0; k < sides && s->miss > 0.0; k++) {
    const double size = try_corner(s, 1.0, before, v, after, xi);
    const double back = nsd_sliding_dot(xi, v) - nsd_sliding_dot(xi, before),
                 on = nsd_sliding_dot(xi, v) - nsd_sliding_dot(xi, after);
    const int32_t next = back > on ? -1 : 1;
    if (!(s->miss > 0.0) || !(size > 0.0) || next == -way) {
      return; /* found, or the side between is all that is left, and has been tried */
    }
    try_side(s, 1.0, next > 0 ? v : before, next > 0 ? after : v);
    way = next;
    j = j + next < 0 ? sides - 1 : j + next < sides ? j + next : 0;
    for (int i = 0; i < 2; i++) {
      (next > 0 ? before : after)[i] = v[i];
      v[i] = (next > 0 ? after : before)[i];
    }
    if (s->miss > 0.0) {
      corner_of(sides, j + next, next > 0 ? after : before);
    }
  }
}

/* Stick, corners and sides of all signs of Λ_N. */
static void try_all(search *s)
{
  const double *P = s->block->P;
  const int slot = s->block->law.kind == NSDYN_CONTACT_BILATERAL,
            given = s->block->law.friction == NSD_FRICTION_GIVEN;
  /* In the order in which laws prefer: stick, then sliding with Λ_N > 0, then what only given bounds (open,
   * and friction all the same) or slots (Λ_N < 0) know. */
  s->miss = INFINITY;
  s->r = (fabs(P[0]) + fabs(P[4]) + fabs(P[8])) / 3.0;
  if (!slot && !given && !s->visit && s->block->definite) {
    walk(s);
  }
  if (s->miss > 0.0) {
    try_stick(s, 1);
  }
  try_sides(s, given, 1);
  if (given && !slot) {
    if (s->miss > 0.0) {
      try_stick(s, 0);
    }
    try_sides(s, given, 0);
  } else if (slot) {
    try_sides(s, given, 0);
  }
}

void nsd_one_polygon_all(const nsd_one_contact *block, const double *c, const double *c_T,
                         nsd_one_polygon_visit *visit, void *user)
{
  search s = {.block = block, .c = c, .c_T = c_T, .visit = visit, .user = user};
  try_all(&s);
}

int nsd_one_polygon_solve(const nsd_one_contact *block, const double *c, const double *c_T,
                          nsd_one_contact_answer *answer)
{
  search s = {.block = block, .c = c, .c_T = c_T};
  if (block->P[0] == 0.0) {
    return NSD_ONE_CONTACT_UNDECIDED;
  }
  try_all(&s);
  if (!(s.miss < INFINITY)) {
    return NSD_ONE_CONTACT_UNDECIDED;
  }
  return nsd_one_contact_give(block, c, s.mode, s.Lambda_N, s.Lambda_T, s.against, answer);
}
