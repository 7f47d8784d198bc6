/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Random trees of bodies, and their mechanics the slow way, in long double and without a line of the library:
 * places of all bodies from the words of the manual; velocities and accelerations of bodies by differences of
 * tenth order along the coordinates; then M = Σ Jᵀ diag(m, I) J and h from Newton's and Euler's equations of
 * each body alone (maximal coordinates, projected on the joints' velocities). */
#ifndef TESTS_UNIT_TREES_H
#define TESTS_UNIT_TREES_H

#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

enum { TREES_BODIES = 80, TREES_NU = 64, TREES_NQ = 96, TREES_KINDS = 9, TREES_POSE = 12 };

typedef long double trees_real;

typedef struct trees_model {
  int bodies, nq, nu;
  double gravity[3];
  nsdyn_tree_body body[TREES_BODIES];
  nsdyn_tree *tree;
} trees_model;

static const int trees_nq[TREES_KINDS] = {0, 1, 1, 1, 2, 2, 3, 4, 7};
static const int trees_nu[TREES_KINDS] = {0, 1, 1, 1, 2, 2, 3, 3, 6};

/* ---- random models ---- */

static inline void trees_vector(random_state *random, double size, double *x)
{
  for (int i = 0; i < 3; i++) {
    x[i] = random_between(random, -size, size);
  }
}

/* ∫ r rᵀ dm of some directions, and J from it. */
static inline void trees_inertia(random_state *random, double *J)
{
  double S[9] = {0.0};
  for (int k = 0; k < 3; k++) {
    double r[3];
    trees_vector(random, 0.4, r);
    for (int i = 0; i < 9; i++) {
      S[i] += r[i / 3] * r[i % 3];
    }
  }
  const double all = S[0] + S[4] + S[8];
  J[0] = all - S[0];
  J[1] = all - S[4];
  J[2] = all - S[8];
  J[3] = -S[1];
  J[4] = -S[2];
  J[5] = -S[5];
}

static inline nsdyn_tree_body trees_body(random_state *random, int kind, int parent)
{
  nsdyn_tree_body b;
  nsdyn_tree_body_init(&b, sizeof b);
  b.parent = parent;
  b.joint = kind;
  trees_vector(random, 0.7, b.joint_place);
  trees_vector(random, 0.7, b.own_place);
  for (int i = 0; i < 4; i++) {
    b.joint_turn[i] = random_normal(random);
    b.own_turn[i] = random_normal(random);
  }
  for (int i = 0; i < 3; i++) {
    b.axis[i] = random_normal(random);
    b.second[i] = random_normal(random);
  }
  if (kind == NSDYN_TREE_PLANAR) { /* at right angles: axis × anything */
    const double s[3] = {b.second[0], b.second[1], b.second[2]}, *a = b.axis;
    b.second[0] = a[1] * s[2] - a[2] * s[1];
    b.second[1] = a[2] * s[0] - a[0] * s[2];
    b.second[2] = a[0] * s[1] - a[1] * s[0];
  }
  b.pitch = random_between(random, -1.0, 1.0);
  b.mass = random_between(random, 0.3, 2.0);
  trees_vector(random, 0.5, b.centre);
  trees_inertia(random, b.inertia);
  return b;
}

static inline void trees_add(trees_model *m, const nsdyn_tree_body *body)
{
  int32_t number = -7;
  REQUIRE(nsdyn_tree_add(m->tree, body, &number) == NSDYN_OK, "%s", nsdyn_tree_message(m->tree));
  REQUIRE(number == m->bodies);
  m->body[m->bodies++] = *body;
  m->nq += trees_nq[body->joint];
  m->nu += trees_nu[body->joint];
}

static inline void trees_begin(trees_model *m, const double *gravity)
{
  nsdyn_tree_options options;
  nsdyn_tree_options_init(&options, sizeof options);
  m->bodies = m->nq = m->nu = 0;
  memcpy(options.gravity, gravity, sizeof options.gravity);
  memcpy(m->gravity, gravity, sizeof m->gravity);
  REQUIRE(nsdyn_tree_new(NULL, &options, &m->tree, NULL) == NSDYN_OK);
}

/* A tree of `nu` velocities: long or broad, with joints of all kinds; a forest sometimes. */
static inline void trees_make(trees_model *m, random_state *random, int nu, int floating)
{
  double gravity[3] = {0.0};
  const int is_long = random_below(random, 2);
  if (!floating) {
    trees_vector(random, 10.0, gravity);
  }
  trees_begin(m, gravity);
  while (m->nu < nu && m->bodies < TREES_BODIES) {
    int kind = floating && m->bodies == 0 ? NSDYN_TREE_FREE : random_below(random, TREES_KINDS);
    while (trees_nu[kind] > nu - m->nu) {
      kind = random_below(random, TREES_KINDS);
    }
    const int any = random_below(random, m->bodies + 1) - 1;
    const int parent = floating && m->bodies == 0           ? -1
                       : floating                           ? (is_long   ? m->bodies - 1
                                                               : any < 0 ? 0
                                                                         : any)
                       : is_long && random_below(random, 8) ? m->bodies - 1
                                                            : any;
    const nsdyn_tree_body body = trees_body(random, kind, parent);
    trees_add(m, &body);
  }
}

static inline void trees_state(const trees_model *m, random_state *random, double *q, double *u)
{
  for (int i = 0; i < m->nq; i++) {
    q[i] = random_between(random, -2.0, 2.0);
  }
  for (int i = 0; i < m->nu; i++) {
    u[i] = random_normal(random);
  }
}

static inline void trees_free(trees_model *m)
{
  nsdyn_tree_free(m->tree);
}

/* ---- integrators, each for one run ---- */

static inline nsdyn_system *trees_system(trees_model *m, const nsdyn_system_def *own)
{
  nsdyn_system *sys = NULL;
  nsdyn_error error = {.size = sizeof error};
  REQUIRE(nsdyn_tree_system_new(NULL, m->tree, own, &sys, &error) == NSDYN_OK, "%s", error.message);
  return sys;
}

static inline nsdyn_event_driver *trees_drive(nsdyn_system *sys, const double *q, const double *u, double tol,
                                              double t_end)
{
  nsdyn_event_driver_options options;
  nsdyn_event_driver *driver = NULL;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  REQUIRE(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL) == NSDYN_OK);
  REQUIRE(nsdyn_event_driver_set_state(driver, 0.0, q, u) == NSDYN_OK, "%s",
          nsdyn_event_driver_message(driver));
  REQUIRE(nsdyn_event_driver_advance(driver, t_end) == NSDYN_OK, "%s", nsdyn_event_driver_message(driver));
  return driver;
}

static inline nsdyn_stepper *trees_step(nsdyn_system *sys, int scheme, const double *q, const double *u,
                                        double dt, int steps)
{
  nsdyn_stepper_options options;
  nsdyn_stepper *stepper = NULL;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = scheme;
  REQUIRE(nsdyn_stepper_new(NULL, sys, &options, &stepper, NULL) == NSDYN_OK);
  REQUIRE(nsdyn_stepper_set_state(stepper, 0.0, q, u) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
  for (int i = 0; i < steps; i++) {
    REQUIRE(nsdyn_stepper_step(stepper, dt) == NSDYN_OK, "%s", nsdyn_stepper_message(stepper));
  }
  return stepper;
}

/* ---- places, from the words of the manual ---- */

/* R (3 × 3, by rows), then p. */
static inline void trees_join(const trees_real *a, const trees_real *b, trees_real *out)
{
  trees_real c[TREES_POSE];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      c[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
    c[9 + i] = a[9 + i] + a[3 * i] * b[9] + a[3 * i + 1] * b[10] + a[3 * i + 2] * b[11];
  }
  memcpy(out, c, sizeof c);
}

static inline void trees_invert(const trees_real *a, trees_real *out)
{
  trees_real c[TREES_POSE];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      c[3 * i + j] = a[3 * j + i];
    }
    c[9 + i] = -(a[i] * a[9] + a[3 + i] * a[10] + a[6 + i] * a[11]);
  }
  memcpy(out, c, sizeof c);
}

static inline void trees_of_quaternion(const trees_real *p, const double *place, trees_real *out)
{
  const trees_real n = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
  const trees_real w = p[0], x = p[1], y = p[2], z = p[3];
  const trees_real R[9] = {
      w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
      2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
      2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
  for (int i = 0; i < 9; i++) {
    out[i] = R[i] / n;
  }
  for (int i = 0; i < 3; i++) {
    out[9 + i] = place ? place[i] : 0.0;
  }
}

static inline void trees_unit(const double *x, trees_real *e)
{
  const trees_real norm = sqrtl((trees_real)x[0] * x[0] + (trees_real)x[1] * x[1] + (trees_real)x[2] * x[2]);
  for (int i = 0; i < 3; i++) {
    e[i] = x[i] / norm;
  }
}

/* A turn about e by an angle, and a way along it: Rodrigues' formula. */
static inline void trees_screw(const trees_real *e, trees_real angle, trees_real way, trees_real *out)
{
  const trees_real c = cosl(angle), s = sinl(angle);
  const trees_real cross[9] = {0, -e[2], e[1], e[2], 0, -e[0], -e[1], e[0], 0};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      out[3 * i + j] = (i == j ? c : 0) + (1 - c) * e[i] * e[j] + s * cross[3 * i + j];
    }
    out[9 + i] = way * e[i];
  }
}

/* What the joint's coordinates do: the moving frame as seen from the frame on the parent. */
static inline void trees_joint(const nsdyn_tree_body *b, const trees_real *q, trees_real *out)
{
  trees_real e[3], f[3], g[3], next[TREES_POSE];
  const trees_real one[4] = {1, 0, 0, 0};
  trees_unit(b->axis, e);
  trees_unit(b->second, f);
  trees_of_quaternion(one, NULL, out);
  switch (b->joint) {
  case NSDYN_TREE_REVOLUTE:
    trees_screw(e, q[0], 0, out);
    break;
  case NSDYN_TREE_PRISMATIC:
    trees_screw(e, 0, q[0], out);
    break;
  case NSDYN_TREE_HELICAL:
    trees_screw(e, q[0], b->pitch * q[0], out);
    break;
  case NSDYN_TREE_CYLINDRICAL:
    trees_screw(e, q[1], q[0], out);
    break;
  case NSDYN_TREE_UNIVERSAL:
    trees_screw(e, q[0], 0, out);
    trees_screw(f, q[1], 0, next);
    trees_join(out, next, out);
    break;
  case NSDYN_TREE_PLANAR:
    trees_screw(e, q[2], 0, out);
    for (int i = 0; i < 3; i++) {
      g[i] = e[(i + 1) % 3] * f[(i + 2) % 3] - e[(i + 2) % 3] * f[(i + 1) % 3];
      out[9 + i] = q[0] * f[i] + q[1] * g[i];
    }
    break;
  case NSDYN_TREE_SPHERICAL:
    trees_of_quaternion(q, NULL, out);
    break;
  case NSDYN_TREE_FREE:
    trees_of_quaternion(q + 3, NULL, out);
    for (int i = 0; i < 3; i++) {
      out[9 + i] = q[i];
    }
    break;
  default:
    break;
  }
}

static inline void trees_places(const trees_model *m, const trees_real *q, trees_real (*pose)[TREES_POSE])
{
  const trees_real one[4] = {1, 0, 0, 0};
  for (int i = 0; i < m->bodies; i++) {
    const nsdyn_tree_body *b = &m->body[i];
    trees_real turn[4], own[TREES_POSE], joint[TREES_POSE];
    trees_of_quaternion(one, NULL, pose[i]);
    if (b->parent >= 0) {
      memcpy(pose[i], pose[b->parent], sizeof pose[i]);
    }
    for (int k = 0; k < 4; k++) {
      turn[k] = b->joint_turn[k];
    }
    trees_of_quaternion(turn, b->joint_place, own);
    trees_join(pose[i], own, pose[i]);
    trees_joint(b, q, joint);
    trees_join(pose[i], joint, pose[i]);
    for (int k = 0; k < 4; k++) {
      turn[k] = b->own_turn[k];
    }
    trees_of_quaternion(turn, b->own_place, own);
    trees_invert(own, own);
    trees_join(pose[i], own, pose[i]);
    q += trees_nq[b->joint];
  }
}

/* q after dt at constant u. */
static inline void trees_go(const trees_model *m, const trees_real *q, const trees_real *u, trees_real dt,
                            trees_real *to)
{
  for (int i = 0; i < m->bodies; i++) {
    const int kind = m->body[i].joint, flat = kind == NSDYN_TREE_SPHERICAL ? 0
                                              : kind == NSDYN_TREE_FREE    ? 3
                                                                           : -1;
    for (int k = 0; k < (flat < 0 ? trees_nq[kind] : flat); k++) {
      to[k] = q[k] + dt * u[k];
    }
    if (flat >= 0) { /* p ∘ exp(½ ω dt) */
      const trees_real *p = q + flat, *w = u + flat;
      const trees_real size = sqrtl(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      const trees_real c = cosl(0.5L * size * dt), s = size > 0 ? sinl(0.5L * size * dt) / size : 0;
      const trees_real d[4] = {c, s * w[0], s * w[1], s * w[2]};
      const trees_real e[4] = {p[0] * d[0] - p[1] * d[1] - p[2] * d[2] - p[3] * d[3],
                               p[0] * d[1] + p[1] * d[0] + p[2] * d[3] - p[3] * d[2],
                               p[0] * d[2] - p[1] * d[3] + p[2] * d[0] + p[3] * d[1],
                               p[0] * d[3] + p[1] * d[2] - p[2] * d[1] + p[3] * d[0]};
      memcpy(to + flat, e, sizeof e);
    }
    q += trees_nq[kind];
    to += trees_nq[kind];
    u += trees_nu[kind];
  }
}

/* ---- rates by differences, and mechanics ---- */

typedef struct trees_reference {
  trees_real pose[TREES_BODIES][TREES_POSE];
  trees_real slope[TREES_NU][TREES_BODIES][TREES_POSE];                      /* along one unit of u each */
  trees_real rate[TREES_BODIES][TREES_POSE], bend[TREES_BODIES][TREES_POSE]; /* along u, first and second */
  trees_real M[TREES_NU][TREES_NU], h[TREES_NU], h_size[TREES_NU]; /* h_size: sum of the terms' sizes */
  trees_real mass, momentum[3], angular[3], kinetic, potential;
} trees_reference;

/* Differences of tenth order along v: of first order in `first`, of second in `second` (may be NULL). */
static inline void trees_difference(const trees_model *m, const trees_real *q, const trees_real *v,
                                    trees_real step, trees_real (*first)[TREES_POSE],
                                    trees_real (*second)[TREES_POSE])
{
  static const trees_real c[6] = {0, 5.0L / 6, -5.0L / 21, 5.0L / 84, -5.0L / 504, 1.0L / 1260};
  static const trees_real d[6] = {-5269.0L / 1800, 5.0L / 3,     -5.0L / 21,
                                  5.0L / 126,      -5.0L / 1008, 1.0L / 3150};
  trees_real at[TREES_NQ], pose[TREES_BODIES][TREES_POSE];
  memset(first, 0, (size_t)m->bodies * sizeof *first);
  if (second) {
    memset(second, 0, (size_t)m->bodies * sizeof *second);
  }
  for (int k = -5; k <= 5; k++) {
    trees_go(m, q, v, k * step, at);
    trees_places(m, at, pose);
    for (int i = 0; i < m->bodies; i++) {
      for (int j = 0; j < TREES_POSE; j++) {
        first[i][j] += (k < 0 ? -1 : 1) * c[abs(k)] * pose[i][j] / step;
        if (second) {
          second[i][j] += d[abs(k)] * pose[i][j] / (step * step);
        }
      }
    }
  }
}

/* Of a point of body b: its place; along a slope its velocity and the ω. */
static inline void trees_rate(const trees_real *pose, const trees_real *slope, const double *point,
                              trees_real *out)
{
  trees_real S[9];
  for (int i = 0; i < 3; i++) {
    out[i] = slope[9 + i];
    for (int j = 0; j < 3; j++) {
      out[i] += slope[3 * i + j] * point[j];
      S[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) { /* Ṙ Rᵀ */
        S[3 * i + j] += slope[3 * i + k] * pose[3 * j + k];
      }
    }
  }
  out[3] = 0.5L * (S[7] - S[5]);
  out[4] = 0.5L * (S[2] - S[6]);
  out[5] = 0.5L * (S[3] - S[1]);
}

static inline void trees_cross(const trees_real *a, const trees_real *b, trees_real *out)
{
  const trees_real c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  memcpy(out, c, sizeof c);
}

static inline trees_real trees_dot(const trees_real *a, const trees_real *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* I of body b along the axes of the world, times x. */
static inline void trees_spin(const trees_reference *r, const trees_model *m, int b, const trees_real *x,
                              trees_real *out)
{
  const double *J = m->body[b].inertia;
  const trees_real *R = r->pose[b];
  trees_real y[3], z[3];
  for (int i = 0; i < 3; i++) {
    y[i] = R[i] * x[0] + R[3 + i] * x[1] + R[6 + i] * x[2];
  }
  z[0] = J[0] * y[0] + J[3] * y[1] + J[4] * y[2];
  z[1] = J[3] * y[0] + J[1] * y[1] + J[5] * y[2];
  z[2] = J[4] * y[0] + J[5] * y[1] + J[2] * y[2];
  for (int i = 0; i < 3; i++) {
    out[i] = R[3 * i] * z[0] + R[3 * i + 1] * z[1] + R[3 * i + 2] * z[2];
  }
}

/* Whether the body can move: it, or one that it hangs on, has a joint. */
static inline int trees_moves(const trees_model *m, int b)
{
  while (b >= 0 && m->body[b].joint == NSDYN_TREE_FIXED) {
    b = m->body[b].parent;
  }
  return b >= 0;
}

/* What body b adds to M, h and the sums. */
static inline void trees_add_body(const trees_model *m, int b, trees_reference *r)
{
  const nsdyn_tree_body *body = &m->body[b];
  trees_real J[TREES_NU][6], IJ[TREES_NU][3], v[6], a[6], x[3], L[3], f[3], n[3], t[3];
  const trees_real mass = body->mass;
  for (int i = 0; i < 3; i++) {
    x[i] = r->pose[b][9 + i];
    for (int j = 0; j < 3; j++) {
      x[i] += r->pose[b][3 * i + j] * body->centre[j];
    }
  }
  for (int k = 0; k < m->nu; k++) {
    trees_rate(r->pose[b], r->slope[k][b], body->centre, J[k]);
    trees_spin(r, m, b, J[k] + 3, IJ[k]);
  }
  trees_rate(r->pose[b], r->rate[b], body->centre, v);
  trees_rate(r->pose[b], r->bend[b], body->centre, a); /* α: of R̈ Rᵀ the skew part; Ṙ Ṙᵀ is symmetric */
  trees_spin(r, m, b, v + 3, L);
  trees_cross(v + 3, L, n);
  trees_spin(r, m, b, a + 3, t);
  for (int i = 0; i < 3; i++) { /* what Newton and Euler ask for at u̇ = 0 */
    f[i] = mass * (a[i] - m->gravity[i]);
    n[i] += t[i];
  }
  for (int k = 0; k < m->nu; k++) {
    for (int l = 0; l < m->nu; l++) {
      r->M[k][l] += mass * trees_dot(J[k], J[l]) + trees_dot(J[k] + 3, IJ[l]);
    }
    const trees_real terms[6] = {J[k][0] * f[0], J[k][1] * f[1], J[k][2] * f[2],
                                 J[k][3] * n[0], J[k][4] * n[1], J[k][5] * n[2]};
    for (int i = 0; i < 6; i++) {
      r->h[k] -= terms[i];
      r->h_size[k] += fabsl(terms[i]);
    }
  }
  if (trees_moves(m, b)) {
    r->mass += mass;
    r->kinetic += 0.5L * (mass * trees_dot(v, v) + trees_dot(v + 3, L));
    trees_cross(x, v, t);
    for (int i = 0; i < 3; i++) {
      r->potential -= mass * m->gravity[i] * x[i];
      r->momentum[i] += mass * v[i];
      r->angular[i] += mass * t[i] + L[i];
    }
  }
}

/* Allocated: yours to free(). */
static inline trees_reference *trees_solve(const trees_model *m, const double *q, const double *u)
{
  trees_reference *r = calloc(1, sizeof *r);
  trees_real at[TREES_NQ], v[TREES_NU], all = 1.0L;
  REQUIRE(r != NULL);
  for (int i = 0; i < m->nq; i++) {
    at[i] = q[i];
  }
  trees_places(m, at, r->pose);
  for (int k = 0; k < m->nu; k++) {
    memset(v, 0, sizeof v);
    v[k] = 1.0L;
    trees_difference(m, at, v, 0.05L, r->slope[k], NULL);
  }
  for (int k = 0; k < m->nu; k++) {
    v[k] = u[k];
    all += fabsl(v[k]);
  }
  trees_difference(m, at, v, 0.12L / all, r->rate, r->bend);
  for (int b = 0; b < m->bodies; b++) {
    trees_add_body(m, b, r);
  }
  return r;
}

/* What is asked for, of the size of a row's terms. Differences need a long double of 64 bits; valgrind
 * computes with 53, of which second ones leave eight digits. */
static inline trees_real trees_tolerance(void)
{
  volatile trees_real one = 1.0L;
  const volatile trees_real more = one + 0x1p-60L;
  return more == one ? 1e-7L : 1e-12L;
}

/* Of a step number in the order 1, 2, … 60 and again: how many velocities. */
static inline int trees_size(int k)
{
  return 1 + (k * 7) % 60;
}

#endif
