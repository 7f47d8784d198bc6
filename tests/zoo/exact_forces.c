/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, forces: what holds the rows of closed contacts at zero, and what the loads cause beside it. */
#include "exact_inner.h"

exact_real exact_dot(int n, const exact_real *a, const exact_real *b)
{
  exact_real sum = 0.0L;
  for (int j = 0; j < n; j++) {
    sum += a[j] * b[j];
  }
  return sum;
}

/* A x = b for several b, n × n, by elimination; each x replaces its b. 0 where A is singular. */
static int eliminate(int n, exact_real A[][EXACT_ROWS], int sides, exact_real b[][EXACT_ROWS])
{
  exact_real size = 0.0L;
  for (int i = 0; i < n; i++) {
    size = fmaxl(size, fabsl(A[i][i]));
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = fabsl(A[i][k]) > fabsl(A[best][k]) ? i : best;
    }
    if (!(fabsl(A[best][k]) > 1e-14L * size)) {
      return 0;
    }
    for (int j = k; j < n && best != k; j++) {
      const exact_real other = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = other;
    }
    for (int r = 0; r < sides && best != k; r++) {
      const exact_real other = b[r][k];
      b[r][k] = b[r][best];
      b[r][best] = other;
    }
    for (int i = k + 1; i < n; i++) {
      if (A[i][k] == 0.0L) {
        continue; /* of masses in coordinates of their own, most are */
      }
      const exact_real factor = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) {
        A[i][j] -= factor * A[k][j];
      }
      for (int r = 0; r < sides; r++) {
        b[r][i] -= factor * b[r][k];
      }
    }
  }
  for (int r = 0; r < sides; r++) {
    for (int k = n - 1; k >= 0; k--) {
      for (int j = k + 1; j < n; j++) {
        b[r][k] -= A[k][j] * b[r][j];
      }
      b[r][k] /= A[k][k];
    }
  }
  return 1;
}

/* X := M⁻¹ X, for `rows` rows. */
static int divide(const exact *e, const exact_real *q, int rows, exact_real X[][EXACT_ROWS])
{
  exact_real M[EXACT_MOST * EXACT_MOST] = {0}, A[EXACT_ROWS][EXACT_ROWS];
  if (rows == 0) {
    return 1;
  }
  e->inertia(e, q, M);
  for (int i = 0; i < e->n; i++) {
    for (int j = 0; j < e->n; j++) {
      A[i][j] = M[i * e->n + j];
    }
  }
  return eliminate(e->n, A, rows, X);
}

void exact_touch_at(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  memset(w, 0, sizeof *w);
  e->touch(e, t, q, i, w);
}

exact_real exact_gamma(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i, int row)
{
  exact_touch w;
  exact_touch_at(e, t, q, i, &w);
  return exact_dot(e->n, w.w[row], v) + w.hat[row];
}

/* NOLINTBEGIN(readability-non-const-parameter): it has the signature of the table */
void exact_no_drift(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                    exact_real *bias)
{
  /* NOLINTEND(readability-non-const-parameter) */
  (void)e, (void)t, (void)q, (void)v, (void)i, (void)bias;
}

/* Of sixth order, along the motion both ways. */
static void difference(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                       exact_real *bias)
{
  static const exact_real weight[3] = {45.0L, -9.0L, 1.0L};
  const exact_real d = 2e-3L * e->time;
  for (int k = -3; k <= 3; k++) {
    exact_real shifted[EXACT_MOST];
    exact_touch w;
    if (k == 0) {
      continue;
    }
    for (int j = 0; j < e->n; j++) {
      shifted[j] = q[j] + d * (exact_real)k * v[j];
    }
    exact_touch_at(e, t + d * (exact_real)k, shifted, i, &w);
    for (int row = 0; row < 2; row++) {
      const exact_real part = weight[abs(k) - 1] / (60.0L * d);
      bias[row] += (k > 0 ? part : -part) * (exact_dot(e->n, w.w[row], v) + w.hat[row]);
    }
  }
}

void exact_bias(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int i,
                exact_real *bias)
{
  bias[0] = bias[1] = 0.0L;
  (e->drift ? e->drift : difference)(e, t, q, v, i, bias);
}

int exact_drifts_well(const exact *e, exact_real t, const exact_real *q, const exact_real *v)
{
  for (int i = 0; i < e->contacts; i++) {
    exact_real told[2], bias[2] = {0.0L, 0.0L};
    exact_bias(e, t, q, v, i, told);
    difference(e, t, q, v, i, bias);
    for (int row = 0; row < 2; row++) {
      if (!(fabsl(told[row] - bias[row]) <= 1e-10L * (e->speed / e->time + fabsl(bias[row])))) {
        return 0;
      }
    }
  }
  return 1;
}

exact_real exact_mu(const exact *e, int i, int sticks, exact_real slide)
{
  const exact_law *law = &e->law[i];
  switch (law->friction) {
  case NSDYN_FRICTION_COULOMB:
    return law->mu;
  case NSDYN_FRICTION_STATIC:
    return sticks ? law->mu_static : law->mu;
  case NSDYN_FRICTION_CURVE:
    return e->curve(e, i, fabsl(slide));
  default:
    return 0.0L;
  }
}

void exact_add_unknown(exact_unknowns *x, const exact *e, int i, int row, const exact_touch *w,
                       exact_real slope)
{
  x->of[x->n] = i;
  x->row[x->n] = row;
  for (int j = 0; j < e->n; j++) {
    x->R[x->n][j] = w->w[row][j];
    x->C[x->n][j] = w->w[row][j] + slope * w->w[1][j];
  }
  x->n++;
}

static void copy_unknowns(const exact *e, const exact_unknowns *x, exact_real X[][EXACT_ROWS])
{
  for (int i = 0; i < x->n; i++) {
    memcpy(X[i], x->C[i], sizeof *X[i] * (size_t)e->n);
  }
}

/* exact_hold(), with X = M⁻¹ C. */
static int hold_with(const exact *e, const exact_unknowns *x, exact_real X[][EXACT_ROWS], exact_real *v0,
                     exact_real lambda[][2])
{
  exact_real A[EXACT_ROWS][EXACT_ROWS], b[1][EXACT_ROWS];
  for (int i = 0; i < x->n; i++) {
    for (int j = 0; j < x->n; j++) {
      A[i][j] = exact_dot(e->n, x->R[i], X[j]);
    }
    b[0][i] = -x->rest[i] - exact_dot(e->n, x->R[i], v0);
  }
  if (!eliminate(x->n, A, 1, b)) {
    return 0;
  }
  for (int i = 0; i < x->n; i++) {
    lambda[x->of[i]][x->row[i]] = b[0][i];
    for (int j = 0; j < e->n; j++) {
      v0[j] += X[i][j] * b[0][i];
    }
  }
  return 1;
}

int exact_hold(const exact *e, const exact_real *q, exact_unknowns *x, exact_real *v0, exact_real lambda[][2])
{
  exact_real X[EXACT_ROWS][EXACT_ROWS];
  copy_unknowns(e, x, X);
  return divide(e, q, x->n, X) && hold_with(e, x, X, v0, lambda);
}

int exact_accelerate(const exact *e, exact_real t, const exact_real *q, const exact_real *v,
                     const unsigned char *mode, exact_real *a, exact_real lambda[][2])
{
  exact_unknowns x;
  exact_real X[1 + EXACT_ROWS][EXACT_ROWS], *h = X[0]; /* loads, and what the unknown forces act along */
  exact_real slope[EXACT_CONTACTS] = {0.0L};           /* λ_T = slope λ_N */
  memset(h, 0, sizeof X[0]);
  x.n = 0;
  memset(lambda, 0, sizeof *lambda * (size_t)e->contacts);
  e->force(e, t, q, v, h);
  for (int i = 0; i < e->contacts; i++) {
    const int slides = mode[i] == EXACT_PLUS ? 1 : mode[i] == EXACT_MINUS ? -1 : 0;
    exact_real bias[2];
    exact_touch w;
    if (mode[i] == EXACT_OPEN) {
      continue;
    }
    exact_touch_at(e, t, q, i, &w);
    exact_bias(e, t, q, v, i, bias);
    if (slides && e->law[i].friction == NSDYN_FRICTION_BOUND) {
      lambda[i][1] = -slides * e->law[i].bound;
      for (int j = 0; j < e->n; j++) {
        h[j] += lambda[i][1] * w.w[1][j];
      }
    } else if (slides) {
      slope[i] = -slides * exact_mu(e, i, 0, exact_dot(e->n, w.w[1], v) + w.hat[1]);
    }
    if (exact_dot(e->n, w.w[0], w.w[0]) > 0.0L) {
      x.rest[x.n] = bias[0];
      exact_add_unknown(&x, e, i, 0, &w, slope[i]);
    }
    if (mode[i] == EXACT_STICK) {
      x.rest[x.n] = bias[1];
      exact_add_unknown(&x, e, i, 1, &w, 0.0L);
    }
  }
  copy_unknowns(e, &x, X + 1);
  if (!divide(e, q, 1 + x.n, X)) {
    return 0;
  }
  memcpy(a, h, sizeof *a * (size_t)e->n);
  if (!hold_with(e, &x, X + 1, a, lambda)) {
    return 0;
  }
  for (int i = 0; i < e->contacts; i++) {
    if (slope[i] != 0.0L) {
      lambda[i][1] = slope[i] * lambda[i][0];
    }
  }
  return 1;
}

void exact_project(const exact *e, exact_node *x)
{
  for (int level = 0; level < 2; level++) {
    exact_unknowns u;
    exact_real lambda[EXACT_CONTACTS][2], move[EXACT_MOST] = {0};
    u.n = 0;
    for (int i = 0; i < e->contacts; i++) {
      exact_touch w;
      exact_touch_at(e, x->t, x->q, i, &w);
      if (x->mode[i] != EXACT_OPEN && exact_dot(e->n, w.w[0], w.w[0]) > 0.0L) {
        u.rest[u.n] = level ? exact_dot(e->n, w.w[0], x->v) + w.hat[0] : w.gap;
        exact_add_unknown(&u, e, i, 0, &w, 0.0L);
      }
      if (x->mode[i] == EXACT_STICK && level) {
        u.rest[u.n] = exact_dot(e->n, w.w[1], x->v) + w.hat[1];
        exact_add_unknown(&u, e, i, 1, &w, 0.0L);
      }
    }
    if (exact_hold(e, x->q, &u, move, lambda)) {
      for (int j = 0; j < e->n; j++) {
        *(level ? &x->v[j] : &x->q[j]) += move[j];
      }
    }
  }
}
