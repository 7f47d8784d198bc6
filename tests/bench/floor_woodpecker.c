/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "floor_woodpecker.h"

#include <math.h>
#include <string.h>

/* m/s: two modes that meet both fit to within this. The toy moves at 0.1 m/s. */
static const double tiny = 1e-14;

typedef struct contact_rows {
  int k;
  int index[2];
  double W[4][3]; /* w_N, w_T of the first active contact, then of the second */
  double X[4][3]; /* M⁻¹ W */
  double G[4][4];
  double c[4];
  double Lambda[4];
} contact_rows;

void floor_begin(floor_toy *toy, floor_state *s)
{
  *toy = (floor_toy){.r_O = 0.0025,
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
  *s = (floor_state){.q = {0.0, -(toy->r_M - toy->r_O) / toy->h_M, -0.2788}, .u = {-0.3411, 0.0, -7.4583}};
}

static inline double dot(const double *v, const double *w)
{
  return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
}

/* M of eq. 14, as L D Lᵀ: the lower triangle of L and 1/D on the diagonal. */
static inline void factor_mass(const floor_toy *p, double F[3][3])
{
  const double m_l = p->m_S * p->l_M;
  const double m_g = p->m_S * p->l_G;
  const double m_11 = p->J_M + m_l * p->l_M;
  const double m_21 = m_l * p->l_G;
  const double m_22 = p->J_S + m_g * p->l_G;
  F[0][0] = 1.0 / (p->m_S + p->m_M);
  F[1][0] = m_l * F[0][0];
  F[2][0] = m_g * F[0][0];
  F[1][1] = 1.0 / (m_11 - F[1][0] * m_l);
  const double rest = m_21 - F[2][0] * m_l;
  F[2][1] = rest * F[1][1];
  F[2][2] = 1.0 / (m_22 - F[2][0] * m_g - F[2][1] * rest);
}

static inline void solve_mass(double F[3][3], const double *v, double *x)
{
  const double y1 = v[1] - F[1][0] * v[0];
  x[2] = (v[2] - F[2][0] * v[0] - F[2][1] * y1) * F[2][2];
  x[1] = y1 * F[1][1] - F[2][1] * x[2];
  x[0] = v[0] * F[0][0] - F[1][0] * x[1] - F[2][0] * x[2];
}

static inline void evaluate_force(const floor_toy *p, const double *q, double *h)
{
  const double torque = p->c_phi * (q[1] - q[2]);
  h[0] = -(p->m_S + p->m_M) * p->g;
  h[1] = -torque - p->m_S * p->l_M * p->g;
  h[2] = torque - p->m_S * p->l_G * p->g;
}

/* Gaps of eq. 15; directions of eq. 16 for those that are not positive. */
static inline void find_active(const floor_toy *p, const double *q, contact_rows *r)
{
  const double play = p->r_M - p->r_O;
  r->k = 0;
  if (p->l_M + p->l_G - p->l_S - p->r_O - p->h_S * q[2] <= 0.0) {
    r->index[0] = 0;
    memcpy(r->W[0], (double[3]){0.0, 0.0, -p->h_S}, sizeof r->W[0]);
    memcpy(r->W[1], (double[3]){1.0, p->l_M, p->l_G - p->l_S}, sizeof r->W[1]);
    r->k = 1;
  }
  for (int side = 1; side <= 2; side++) {
    const double arm = side == 1 ? p->h_M : -p->h_M;
    if (play + arm * q[1] <= 0.0 && r->k < 2) {
      r->index[r->k] = side;
      memcpy(r->W[2 * r->k], (double[3]){0.0, arm, 0.0}, sizeof r->W[0]);
      memcpy(r->W[2 * r->k + 1], (double[3]){1.0, p->r_M, 0.0}, sizeof r->W[1]);
      r->k++;
    }
  }
}

/* G and the free ξ: γ^A + WᵀM⁻¹h Δt + ε γ^A. `v` is u^A + M⁻¹h Δt. */
static inline void assemble(const floor_toy *p, double F[3][3], const double *u, const double *v,
                            contact_rows *r)
{
  for (int i = 0; i < 2 * r->k; i++) {
    solve_mass(F, r->W[i], r->X[i]);
    r->c[i] = dot(r->W[i], v);
    for (int j = 0; j <= i; j++) {
      r->G[i][j] = r->G[j][i] = dot(r->W[j], r->X[i]);
    }
  }
  for (int i = 0; i < r->k; i++) {
    r->c[2 * i] += p->eps_N[r->index[i]] * dot(r->W[2 * i], u);
  }
}

static inline int try_one(contact_rows *r, double mu, floor_mode mode)
{
  const double *c = r->c;
  double N = 0.0;
  double T = 0.0;
  if (mode == FLOOR_OPEN) {
    r->Lambda[0] = r->Lambda[1] = 0.0;
    return c[0] >= -tiny;
  }
  if (mode == FLOOR_STICK) {
    const double scale = 1.0 / (r->G[0][0] * r->G[1][1] - r->G[0][1] * r->G[0][1]);
    N = scale * (r->G[0][1] * c[1] - r->G[1][1] * c[0]);
    T = scale * (r->G[0][1] * c[0] - r->G[0][0] * c[1]);
    r->Lambda[0] = N;
    r->Lambda[1] = T;
    return N >= 0.0 && fabs(T) <= mu * N + tiny / r->G[1][1];
  }
  const double sign = mode == FLOOR_PLUS ? 1.0 : -1.0;
  N = -c[0] / (r->G[0][0] - sign * mu * r->G[0][1]);
  r->Lambda[0] = N;
  r->Lambda[1] = -sign * mu * N;
  return N >= 0.0 && sign * (c[1] + r->G[1][0] * N + r->G[1][1] * r->Lambda[1]) >= -tiny;
}

static int solve_one(const floor_toy *p, contact_rows *r, floor_state *s)
{
  const int i = r->index[0];
  if (try_one(r, p->mu[i], s->mode[i])) {
    return 1;
  }
  for (floor_mode mode = FLOOR_OPEN; mode <= FLOOR_MINUS; mode++) {
    if (try_one(r, p->mu[i], mode)) {
      s->mode[i] = mode;
      return 1;
    }
  }
  return 0;
}

/* A x = b by elimination with row pivoting; 0 where A is singular. */
static int solve_four(double A[4][5])
{
  for (int j = 0; j < 4; j++) {
    int at = j;
    for (int i = j + 1; i < 4; i++) {
      at = fabs(A[i][j]) > fabs(A[at][j]) ? i : at;
    }
    for (int m = j; m < 5; m++) {
      const double keep = A[j][m];
      A[j][m] = A[at][m];
      A[at][m] = keep;
    }
    if (fabs(A[j][j]) < 1e-9) { /* rows are scaled to about 1 */
      return 0;
    }
    for (int i = 0; i < 4; i++) {
      const double factor = A[i][j] / A[j][j];
      for (int m = j; m < 5 && i != j; m++) {
        A[i][m] -= factor * A[j][m];
      }
    }
  }
  return 1;
}

static int try_two(const floor_toy *p, contact_rows *r, const floor_mode *mode)
{
  double A[4][5] = {{0.0}};
  for (int i = 0; i < 4; i++) {
    const floor_mode own = mode[i / 2];
    if (own == FLOOR_OPEN || (i % 2 == 1 && own != FLOOR_STICK)) {
      A[i][i] = 1.0;
      if (own != FLOOR_OPEN) {
        A[i][i - 1] = own == FLOOR_PLUS ? p->mu[r->index[i / 2]] : -p->mu[r->index[i / 2]];
      }
      continue;
    }
    for (int j = 0; j < 4; j++) {
      A[i][j] = r->G[i][j] / r->G[i][i];
    }
    A[i][4] = -r->c[i] / r->G[i][i];
  }
  if (!solve_four(A)) {
    return 0;
  }
  for (int i = 0; i < 4; i++) {
    r->Lambda[i] = A[i][4] / A[i][i];
  }
  int fits = 1;
  for (int i = 0; i < 2; i++) {
    double xi[2];
    const double N = r->Lambda[2 * i];
    for (int t = 0; t < 2; t++) {
      xi[t] = r->c[2 * i + t];
      for (int j = 0; j < 4; j++) {
        xi[t] += r->G[2 * i + t][j] * r->Lambda[j];
      }
    }
    fits = fits && N >= -tiny / r->G[2 * i][2 * i] && xi[0] >= -tiny;
    fits = fits && fabs(r->Lambda[2 * i + 1]) <= p->mu[r->index[i]] * N + tiny / r->G[2 * i + 1][2 * i + 1];
    fits = fits && (mode[i] != FLOOR_PLUS || xi[1] >= -tiny) && (mode[i] != FLOOR_MINUS || xi[1] <= tiny);
  }
  return fits;
}

static int solve_two(const floor_toy *p, contact_rows *r, floor_state *s)
{
  floor_mode *first = &s->mode[r->index[0]];
  floor_mode *second = &s->mode[r->index[1]];
  if (try_two(p, r, (floor_mode[2]){*first, *second})) {
    return 1;
  }
  for (int code = 0; code < 16; code++) {
    const floor_mode mode[2] = {(floor_mode)(code / 4), (floor_mode)(code % 4)};
    if (try_two(p, r, mode)) {
      *first = mode[0];
      *second = mode[1];
      return 1;
    }
  }
  return 0;
}

int floor_step(const floor_toy *p, floor_state *s, double dt)
{
  contact_rows r;
  double F[3][3];
  double h[3];
  double middle[3];
  double v[3];
  for (int i = 0; i < 3; i++) {
    middle[i] = s->q[i] + 0.5 * dt * s->u[i];
  }
  factor_mass(p, F);
  evaluate_force(p, middle, h);
  find_active(p, middle, &r);
  solve_mass(F, h, v);
  for (int i = 0; i < 3; i++) {
    v[i] = s->u[i] + dt * v[i];
  }
  if (r.k > 0) {
    assemble(p, F, s->u, v, &r);
    if (!(r.k == 1 ? solve_one(p, &r, s) : solve_two(p, &r, s))) {
      return -1;
    }
    for (int i = 0; i < 2 * r.k; i++) {
      for (int j = 0; j < 3; j++) {
        v[j] += r.X[i][j] * r.Lambda[i];
      }
    }
  }
  for (int i = 0; i < 3; i++) {
    s->u[i] = v[i];
    s->q[i] = middle[i] + 0.5 * dt * v[i];
  }
  return r.k;
}
