/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Systems whose callbacks agree with each other, in any units, and defects to be planted in them.
 *
 * With x = q / L and y = u / L:
 *
 *   g / L = g0 + n·x + ½ (a·x)² + (b·x)³/6 + A sin(ωt) (1 + d·x),  w_T = τ + (a·x) σ,  ŵ_T = L belt
 *   M = m (E + B Bᵀ (1 + (a_0·x)²)) */
#ifndef TESTS_UNIT_POLYNOMIAL_H
#define TESTS_UNIT_POLYNOMIAL_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nsdyn/system.h"
#include "suite.h"

enum { POLY_NU = 6, POLY_GAPS = 5 };

enum poly_defect {
  POLY_NONE,
  POLY_SIGN_OF_GAP,
  POLY_ROWS_EXCHANGED,
  POLY_NO_W,
  POLY_MISSING_ELEMENT,
  POLY_WRONG_RATE,
  POLY_MISSING_RATE,
  POLY_SIGN_OF_BIAS,
  POLY_TRANSPOSED_M,
  POLY_UPPER_HALF,
  POLY_NEGATIVE_MASS,
  POLY_WRONG_INVERSE,
  POLY_UNSYMMETRIC_INVERSE,
  POLY_WRONG_RETRACT,
  POLY_RESTLESS_RETRACT,
  POLY_WRONG_KINEMATICS,
  POLY_NONLINEAR_KINEMATICS,
  POLY_SIGN_OF_CONSTRAINT,
  POLY_WRONG_CONSTRAINT_RATE,
  POLY_WRONG_CONSTRAINT_BIAS,
  POLY_FOUND_SLOPE,
  POLY_FOUND_RATE,
  POLY_FOUND_BIAS,
  POLY_FORGETFUL_FORCE,
  POLY_STALE_CONFIGURE,
  POLY_NAN_FORCE,
  POLY_NAN_GAP,
  POLY_NAN_W,
  POLY_NAN_W_B,
  POLY_NAN_FOUND,
  POLY_NAN_M,
  POLY_FALSE_FLAG
};

typedef struct poly_gap {
  double g0, A, omega, belt;
  double n[POLY_NU], a[POLY_NU], b[POLY_NU], d[POLY_NU], tau[POLY_NU], sigma[POLY_NU];
} poly_gap;

typedef struct poly {
  int nu, contacts, constraints, found;
  double L, m;
  poly_gap gap[POLY_GAPS];
  double B[POLY_NU * POLY_NU];
  double u[POLY_NU]; /* as `find` has to know it for w̄ */
  int defect, which, column;
  int calls;
  double shared; /* of configure */
} poly;

static inline double poly_dot(const poly *p, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < p->nu; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* What is known of one gap. */
typedef struct poly_answer {
  double g, W[2 * POLY_NU], w_hat[2], w_bar[2];
} poly_answer;

static inline poly_answer poly_at(const poly *p, const poly_gap *c, double t, const double *q,
                                  const double *u)
{
  poly_answer r;
  double x[POLY_NU], y[POLY_NU] = {0.0};
  memset(&r, 0, sizeof r);
  for (int i = 0; i < p->nu; i++) {
    x[i] = q[i] / p->L;
    y[i] = u ? u[i] / p->L : 0.0;
  }
  const double ax = poly_dot(p, c->a, x), bx = poly_dot(p, c->b, x), dx = 1.0 + poly_dot(p, c->d, x);
  const double ay = poly_dot(p, c->a, y), by = poly_dot(p, c->b, y), dy = poly_dot(p, c->d, y);
  const double sine = c->A * sin(c->omega * t), cosine = c->A * c->omega * cos(c->omega * t);
  r.g = p->L * (c->g0 + poly_dot(p, c->n, x) + 0.5 * ax * ax + bx * bx * bx / 6.0 + sine * dx);
  for (int i = 0; i < p->nu; i++) {
    r.W[i] = c->n[i] + ax * c->a[i] + 0.5 * bx * bx * c->b[i] + sine * c->d[i];
    r.W[p->nu + i] = c->tau[i] + ax * c->sigma[i];
  }
  r.w_hat[0] = p->L * cosine * dx;
  r.w_hat[1] = p->L * c->belt;
  r.w_bar[0] = p->L * (ay * ay + bx * by * by + 2.0 * cosine * dy - c->omega * c->omega * sine * dx);
  r.w_bar[1] = p->L * ay * poly_dot(p, c->sigma, y);
  return r;
}

static inline void poly_M(const poly *p, const double *q, double *M)
{
  double x[POLY_NU];
  for (int i = 0; i < p->nu; i++) {
    x[i] = q[i] / p->L;
  }
  const double ax = poly_dot(p, p->gap[0].a, x), factor = p->defect == POLY_FALSE_FLAG ? 1.0 + ax * ax : 1.0;
  for (int i = 0; i < p->nu; i++) {
    for (int j = 0; j < p->nu; j++) {
      double sum = 0.0;
      for (int k = 0; k < p->nu; k++) {
        sum += p->B[i * p->nu + k] * p->B[j * p->nu + k];
      }
      M[i * p->nu + j] = p->m * ((i == j ? 1.0 : 0.0) + factor * sum);
    }
  }
}

/* ---- callbacks ---- */

static inline int poly_configure(void *user, double t, const double *q)
{
  poly *p = user;
  p->shared = q[0] + t;
  return 0;
}

static inline int poly_mass(void *user, double t, const double *q, double *M)
{
  poly *p = user;
  (void)t;
  const int n = p->nu;
  poly_M(p, q, M);
  if (p->defect ==
      POLY_TRANSPOSED_M) { /* of an M put together from blocks, one was put in as its transpose */
    M[1] += 0.5 * p->m;
  } else if (p->defect == POLY_UPPER_HALF) {
    M[0 * n + n - 1] = 3e300;
  } else if (p->defect == POLY_NEGATIVE_MASS) {
    M[2 * n + 2] = -p->m;
  } else if (p->defect == POLY_NAN_M) {
    M[1 * n + 2] = NAN;
  }
  return 0;
}

static inline int poly_solve(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  poly *p = user;
  const int n = p->nu;
  (void)t;
  for (int r = 0; r < nrhs; r++) {
    double M[POLY_NU * POLY_NU], *x = X + r * n;
    poly_M(p, q, M);
    for (int k = 0; k < n; k++) {
      for (int i = k + 1; i < n; i++) {
        const double factor = M[i * n + k] / M[k * n + k];
        for (int j = k; j < n; j++) {
          M[i * n + j] -= factor * M[k * n + j];
        }
        x[i] -= factor * x[k];
      }
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i + 1; j < n; j++) {
        x[i] -= M[i * n + j] * x[j];
      }
      x[i] /= M[i * n + i];
    }
    if (p->defect == POLY_WRONG_INVERSE) {
      x[1] *= 1.01;
    } else if (p->defect == POLY_UNSYMMETRIC_INVERSE) {
      x[2] += 0.1 * x[0];
    }
  }
  return 0;
}

static inline int poly_force(void *user, double t, const double *q, const double *u, double *h)
{
  poly *p = user;
  (void)t, (void)u;
  p->calls++;
  h[0] = -p->m * q[0];
  if (p->defect == POLY_FORGETFUL_FORCE) {
    h[1] = p->calls;
  } else if (p->defect == POLY_STALE_CONFIGURE) {
    h[1] = p->shared; /* right only as long as nobody has looked at gaps */
  } else if (p->defect == POLY_NAN_FORCE) {
    h[p->column] = NAN;
  }
  return 0;
}

static inline int poly_gaps(void *user, double t, const double *q, double *g)
{
  poly *p = user;
  for (int i = 0; i < p->contacts; i++) {
    g[i] = poly_at(p, &p->gap[i], t, q, NULL).g;
  }
  p->shared += p->defect == POLY_STALE_CONFIGURE ? 77.0 : 0.0;
  if (p->defect == POLY_SIGN_OF_GAP) {
    g[p->which] = -g[p->which];
  } else if (p->defect == POLY_NAN_GAP) {
    g[p->which] = NAN;
  }
  return 0;
}

static inline int poly_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  poly *p = user;
  const int n = p->nu;
  poly_answer r = poly_at(p, &p->gap[i], t, q, NULL);
  memcpy(W, r.W, 2 * (size_t)n * sizeof *W);
  memcpy(w_hat, r.w_hat, sizeof r.w_hat);
  if (i != p->which) {
    return 0;
  }
  switch (p->defect) {
  case POLY_ROWS_EXCHANGED:
    memcpy(W, r.W + n, (size_t)n * sizeof *W);
    memcpy(W + n, r.W, (size_t)n * sizeof *W);
    break;
  case POLY_NO_W:
    memset(W, 0, 2 * (size_t)n * sizeof *W);
    break;
  case POLY_MISSING_ELEMENT:
    W[p->column] = 0.0;
    break;
  case POLY_WRONG_RATE:
    w_hat[0] *= -1.0;
    break;
  case POLY_MISSING_RATE:
    w_hat[0] = 0.0;
    break;
  case POLY_NAN_W:
    W[p->column] = NAN;
    break;
  default:
    break;
  }
  return 0;
}

static inline int poly_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  poly *p = user;
  const poly_answer r = poly_at(p, &p->gap[i], t, q, u);
  memcpy(w_bar, r.w_bar, sizeof r.w_bar);
  if (p->defect == POLY_SIGN_OF_BIAS && i == p->which) {
    w_bar[p->column] *= -1.0;
  }
  return 0;
}

static inline int poly_constraint(void *user, double t, const double *q, double *g_b, double *W_b,
                                  double *w_hat_b)
{
  poly *p = user;
  for (int i = 0; i < p->constraints; i++) {
    const poly_answer r = poly_at(p, &p->gap[p->contacts + i], t, q, NULL);
    const int is_it = i == p->which;
    g_b[i] = p->defect == POLY_SIGN_OF_CONSTRAINT && is_it ? -r.g : r.g;
    memcpy(W_b + i * p->nu, r.W, (size_t)p->nu * sizeof *W_b);
    w_hat_b[i] = p->defect == POLY_WRONG_CONSTRAINT_RATE && is_it ? 2.0 * r.w_hat[0] : r.w_hat[0];
    if (p->defect == POLY_NAN_W_B && is_it) {
      W_b[i * p->nu + p->column] = NAN;
    }
  }
  return 0;
}

static inline int poly_constraint_bias(void *user, double t, const double *q, const double *u,
                                       double *w_bar_b)
{
  poly *p = user;
  for (int i = 0; i < p->constraints; i++) {
    w_bar_b[i] = poly_at(p, &p->gap[p->contacts + i], t, q, u).w_bar[0];
    w_bar_b[i] *= p->defect == POLY_WRONG_CONSTRAINT_BIAS && i == p->which ? 0.5 : 1.0;
  }
  return 0;
}

static inline int poly_find(void *user, double t, const double *q, const double *u, double margin,
                            nsdyn_contact_sink *sink)
{
  poly *p = user;
  (void)margin;
  for (int k = 0; k < p->found; k++) {
    poly_answer r = poly_at(p, &p->gap[p->contacts + p->constraints + k], t, q, p->u);
    const nsdyn_contact_block whole = {0, p->nu, r.W};
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = 1000 + k;
    found.gap = r.g;
    found.blocks = 1;
    found.block = &whole;
    if (k == p->which) {
      r.W[p->column] *= p->defect == POLY_FOUND_SLOPE ? 1.25 : p->defect == POLY_NAN_FOUND ? NAN : 1.0;
      r.w_hat[0] *= p->defect == POLY_FOUND_RATE ? 0.0 : 1.0;
      r.w_bar[0] *= p->defect == POLY_FOUND_BIAS ? 0.0 : 1.0;
    }
    memcpy(found.w_hat, r.w_hat, sizeof r.w_hat);
    if (u) {
      memcpy(found.w_bar, r.w_bar, sizeof r.w_bar);
    }
    if (nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

static inline int poly_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const poly *p = user;
  (void)t, (void)q;
  memcpy(qdot, u, (size_t)p->nu * sizeof *u);
  if (p->defect == POLY_WRONG_KINEMATICS) {
    qdot[1] = 0.5 * u[1];
  } else if (p->defect == POLY_NONLINEAR_KINEMATICS) {
    qdot[1] = u[1] + 0.1 * u[1] * fabs(u[1]) / p->L;
  }
  return 0;
}

static inline int poly_retract(void *user, double t, const double *q, const double *u, double dt,
                               double *q_new)
{
  (void)t;
  const poly *p = user;
  for (int i = 0; i < p->nu; i++) {
    q_new[i] = q[i] + dt * u[i] * (p->defect == POLY_WRONG_RETRACT && i == 1 ? 0.5 : 1.0);
  }
  if (p->defect == POLY_RESTLESS_RETRACT) {
    q_new[2] += 0.01 * p->L;
  }
  return 0;
}

/* ---- systems ---- */

static inline double poly_uniform(random_state *r)
{
  return random_between(r, -1.0, 1.0);
}

static inline void poly_random(poly *p, random_state *r, int nu, int contacts, int constraints, int found)
{
  memset(p, 0, sizeof *p);
  p->nu = nu;
  p->contacts = contacts;
  p->constraints = constraints;
  p->found = found;
  p->L = p->m = 1.0;
  for (int i = 0; i < nu * nu; i++) {
    p->B[i] = poly_uniform(r);
  }
  for (int k = 0; k < contacts + constraints + found; k++) {
    poly_gap *c = &p->gap[k];
    c->g0 = poly_uniform(r);
    c->A = poly_uniform(r);
    c->omega = 10.0 * poly_uniform(r);
    c->belt = poly_uniform(r);
    for (int i = 0; i < nu; i++) {
      c->n[i] = poly_uniform(r);
      c->a[i] = poly_uniform(r);
      c->b[i] = poly_uniform(r);
      c->d[i] = 0.3 * poly_uniform(r);
      c->tau[i] = poly_uniform(r);
      c->sigma[i] = poly_uniform(r);
    }
  }
}

enum { POLY_SOLVES = 1, POLY_BOTH_MASSES = 2, POLY_MOVES = 4, POLY_RETRACTS = 8, POLY_HAS_BIAS = 16 };

static inline nsdyn_system *poly_system(poly *p, int extra, int64_t flags)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_contact_law law;
  int32_t number;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = p->nu;
  def.ncontacts = p->contacts;
  def.nconstraints = p->constraints;
  def.flags = flags;
  def.user = p;
  def.configure = poly_configure;
  def.mass = extra & POLY_SOLVES ? NULL : poly_mass;
  def.solve_mass = extra & (POLY_SOLVES | POLY_BOTH_MASSES) ? poly_solve : NULL;
  def.force = poly_force;
  def.gap = poly_gaps;
  def.direction = poly_direction;
  def.bias = extra & POLY_HAS_BIAS ? poly_bias : NULL;
  def.find = p->found ? poly_find : NULL;
  def.constraint = poly_constraint;
  def.constraint_bias = extra & POLY_HAS_BIAS ? poly_constraint_bias : NULL;
  def.kinematics = extra & POLY_MOVES ? poly_kinematics : NULL;
  def.retract = extra & POLY_RETRACTS ? poly_retract : NULL;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
  return sys;
}

static inline nsdyn_system_check_report fresh_report(void)
{
  nsdyn_system_check_report report;
  ck_assert_int_eq(nsdyn_system_check_report_init(&report, sizeof report), NSDYN_OK);
  return report;
}

#endif
