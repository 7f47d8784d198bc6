/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_toy.h"

#include <math.h>
#include <string.h>

static const long double spring[EXACT_DOF] = {0.0L, 1.0L, -1.0L};

void exact_woodpecker_table(exact_woodpecker *model)
{
  *model = (exact_woodpecker){.r_O = 0.0025,
                              .r_M = 0.0031,
                              .h_M = 0.0058,
                              .l_M = 0.010,
                              .l_G = 0.015,
                              .h_S = 0.02,
                              .l_S = 0.0201,
                              .m_M = 0.0003,
                              .m_S = 0.0045,
                              .J_M = 5.0e-9,
                              .J_S = 7.0e-7,
                              .c_phi = 0.0056,
                              .g = 9.81,
                              .eps_N = {0.5, 0.0, 0.0},
                              .mu = {0.3, 0.3, 0.3}};
}

static long double dot(const long double *v, const long double *w)
{
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}

/* Cofactors over the determinant. */
static void invert(long double A[EXACT_DOF][EXACT_DOF], long double X[EXACT_DOF][EXACT_DOF])
{
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int a = (j + 1) % 3;
      const int b = (j + 2) % 3;
      const int c = (i + 1) % 3;
      const int d = (i + 2) % 3;
      X[i][j] = A[a][c] * A[b][d] - A[a][d] * A[b][c];
    }
  }
  const long double det = A[0][0] * X[0][0] + A[0][1] * X[1][0] + A[0][2] * X[2][0];
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      X[i][j] /= det;
    }
  }
}

/* eq. 14 */
static void set_dynamics(const exact_woodpecker *p, exact_toy *toy)
{
  const long double m_S = p->m_S;
  const long double l_M = p->l_M;
  const long double l_G = p->l_G;
  const long double m = m_S + p->m_M;
  const long double M[EXACT_DOF][EXACT_DOF] = {{m, m_S * l_M, m_S * l_G},
                                               {m_S * l_M, p->J_M + m_S * l_M * l_M, m_S * l_M * l_G},
                                               {m_S * l_G, m_S * l_M * l_G, p->J_S + m_S * l_G * l_G}};
  memcpy(toy->M, M, sizeof M);
  invert(toy->M, toy->M_inverse);
  toy->weight[0] = -m * p->g;
  toy->weight[1] = -m_S * l_M * p->g;
  toy->weight[2] = -m_S * l_G * p->g;
  toy->stiffness = p->c_phi;
}

/* eqs. 15, 16 */
static void set_contacts(const exact_woodpecker *p, exact_toy *toy)
{
  const long double play = (long double)p->r_M - p->r_O;
  const long double w[EXACT_CONTACTS][2][EXACT_DOF] = {
      {{0.0L, 0.0L, -(long double)p->h_S}, {1.0L, p->l_M, (long double)p->l_G - p->l_S}},
      {{0.0L, p->h_M, 0.0L}, {1.0L, p->r_M, 0.0L}},
      {{0.0L, -(long double)p->h_M, 0.0L}, {1.0L, p->r_M, 0.0L}}};
  memcpy(toy->w, w, sizeof w);
  toy->gap[0] = (long double)p->l_M + p->l_G - p->l_S - p->r_O;
  toy->gap[1] = play;
  toy->gap[2] = play;
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    toy->mu[i] = p->mu[i];
    toy->eps_N[i] = p->eps_N[i];
  }
}

void exact_toy_make(const exact_woodpecker *model, exact_toy *toy)
{
  set_dynamics(model, toy);
  set_contacts(model, toy);
  toy->rate = sqrtl((long double)model->c_phi / model->J_M);
  toy->zero_gap = 1e-11L * model->h_M;
  toy->zero_speed = toy->zero_gap * toy->rate;
  toy->zero_force = -1e-11L * toy->weight[0];
}

exact_watch exact_toy_gap(const exact_toy *toy, int i)
{
  exact_watch watch = {.level = toy->gap[i], .order = 0};
  memcpy(watch.w, toy->w[i][0], sizeof watch.w);
  return watch;
}

int exact_toy_is_closed(const exact_toy *toy, int i, const long double *q)
{
  return toy->gap[i] + dot(toy->w[i][0], q) <= toy->zero_gap;
}

long double exact_toy_speed(const exact_toy *toy, int i, int tangent, const long double *u)
{
  return dot(toy->w[i][tangent], u);
}

long double exact_toy_spring(const long double *q)
{
  return dot(spring, q);
}

static void times_M_inverse(const exact_toy *toy, const long double *v, long double *x)
{
  for (int i = 0; i < EXACT_DOF; i++) {
    x[i] = dot(toy->M_inverse[i], v);
  }
}

static const long double *direction(const exact_toy *toy, const int *index, int row)
{
  return toy->w[index[row / 2]][row % 2];
}

static void set_delassus(const exact_toy *toy, const int *index, exact_contacts *p)
{
  for (int i = 0; i < 2 * p->k; i++) {
    long double x[EXACT_DOF];
    times_M_inverse(toy, direction(toy, index, i), x);
    p->mu[i / 2] = toy->mu[index[i / 2]];
    for (int j = 0; j < 2 * p->k; j++) {
      p->G[i][j] = dot(direction(toy, index, j), x);
    }
  }
}

void exact_toy_forces(const exact_toy *toy, const int *index, exact_contacts *p)
{
  long double free[EXACT_DOF];
  long double elastic[EXACT_DOF];
  set_delassus(toy, index, p);
  times_M_inverse(toy, toy->weight, free);
  times_M_inverse(toy, spring, elastic);
  for (int i = 0; i < 2 * p->k; i++) {
    p->c[i][0] = dot(direction(toy, index, i), free);
    p->c[i][1] = -toy->stiffness * dot(direction(toy, index, i), elastic);
  }
}

void exact_toy_motion(const exact_toy *toy, const int *index, const exact_contacts *p,
                      const exact_impulses *x, exact_flow *flow)
{
  long double steady[EXACT_DOF];
  long double elastic[EXACT_DOF];
  for (int j = 0; j < EXACT_DOF; j++) {
    steady[j] = toy->weight[j];
    elastic[j] = toy->stiffness * spring[j];
    for (int i = 0; i < 2 * p->k; i++) {
      steady[j] += direction(toy, index, i)[j] * x->Lambda[i][0];
      elastic[j] -= direction(toy, index, i)[j] * x->Lambda[i][1];
    }
  }
  times_M_inverse(toy, steady, flow->a);
  times_M_inverse(toy, elastic, flow->b);
  memcpy(flow->d, spring, sizeof spring);
}

void exact_toy_impact(const exact_toy *toy, const int *index, const long double *u, exact_contacts *p)
{
  set_delassus(toy, index, p);
  for (int i = 0; i < 2 * p->k; i++) {
    const long double gamma = dot(direction(toy, index, i), u);
    const long double bounce = i % 2 == 0 ? toy->eps_N[index[i / 2]] * gamma : 0.0L;
    p->c[i][0] = gamma + (fabsl(bounce) > 10.0L * toy->zero_speed ? bounce : 0.0L);
    p->c[i][1] = 0.0L;
  }
}

void exact_toy_kick(const exact_toy *toy, const int *index, int k, const long double *Lambda, long double *u)
{
  for (int i = 0; i < 2 * k; i++) {
    long double x[EXACT_DOF];
    times_M_inverse(toy, direction(toy, index, i), x);
    for (int j = 0; j < EXACT_DOF; j++) {
      u[j] += x[j] * Lambda[i];
    }
  }
}

long double exact_woodpecker_energy(const exact_woodpecker *model, const long double *q, const long double *u)
{
  exact_toy toy;
  exact_toy_make(model, &toy);
  const long double s = dot(spring, q);
  long double energy = toy.stiffness * s * s / 2.0L - dot(toy.weight, q);
  for (int i = 0; i < EXACT_DOF; i++) {
    energy += u[i] * dot(toy.M[i], u) / 2.0L;
  }
  return energy;
}
