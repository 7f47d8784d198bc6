/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Facts about the proximal point of any convex set, measured without knowing the set: what is returned is an
 * error, in the units said. */
#ifndef TESTS_SUPPORT_PROJECTIONS_H
#define TESTS_SUPPORT_PROJECTIONS_H

#include <math.h>
#include <string.h>

#include "support/random.h"

typedef struct projection projection;
struct projection {
  int n;       /* 2 or 3 */
  double a, b; /* what the set is made of */
  int sides;
  void (*prox)(const projection *set, const double *z, double *p);
  void (*derivative)(const projection *set, const double *z, double *D);
  double (*residual)(const projection *set, double rho, const double *x, const double *y);
};

static inline double projection_norm(int n, const double *v)
{
  double norm = 0.0;
  for (int i = 0; i < n; i++) {
    norm = hypot(norm, v[i]);
  }
  return norm;
}

static inline int projection_equal(int n, const double *a, const double *b)
{
  int equal = 1;
  for (int i = 0; i < n; i++) {
    equal = equal && a[i] == b[i];
  }
  return equal;
}

/* p = prox(z) is the nearest point exactly where (z − p)·(x − p) <= 0 for all members x: by how much that is
 * missed, over what a rounding of p and of z − p make of it. */
static inline double projection_excess(int n, const double *z, const double *p, const double *x)
{
  long double sum = 0.0L, way = 0.0L, size = 0.0L, far = 0.0L;
  for (int i = 0; i < n; i++) {
    const long double d = (long double)z[i] - p[i], e = (long double)x[i] - p[i];
    sum += d * e;
    way += d * d;
    far += e * e;
    size += (long double)p[i] * p[i];
  }
  const long double terms = (sqrtl(way) + sqrtl(size)) * sqrtl(far) + sqrtl(way) * sqrtl(size);
  return sum > 0.0L ? (double)(sum / terms) : 0.0;
}

/* The central difference of order 8 of prox along axis j. */
static inline void projection_difference(const projection *set, const double *z, int j, double h,
                                         double *column)
{
  static const double weights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  double sum[3] = {0.0, 0.0, 0.0};
  for (int k = 3; k >= 0; k--) {
    double up[3] = {0.0, 0.0, 0.0}, down[3], p[3], q[3];
    memcpy(up, z, (size_t)set->n * sizeof *z);
    memcpy(down, up, sizeof up);
    up[j] += (k + 1) * h;
    down[j] -= (k + 1) * h;
    set->prox(set, up, p);
    set->prox(set, down, q);
    for (int i = 0; i < set->n; i++) {
      sum[i] += weights[k] * (p[i] - q[i]);
    }
  }
  for (int i = 0; i < set->n; i++) {
    column[i] = sum[i] / h;
  }
}

/* Whether the derivatives at both ends of the difference say that there is a kink between. */
static inline int projection_has_kink(const projection *set, const double *z, int j, double h)
{
  double up[3] = {0.0, 0.0, 0.0}, down[3], D[9], E[9];
  memcpy(up, z, (size_t)set->n * sizeof *z);
  memcpy(down, up, sizeof up);
  up[j] += 4.0 * h;
  down[j] -= 4.0 * h;
  set->derivative(set, up, D);
  set->derivative(set, down, E);
  double change = 0.0;
  for (int i = 0; i < set->n * set->n; i++) {
    change = fmax(change, fabs(D[i] - E[i]));
  }
  return change > 0.01;
}

/* The largest difference between the derivative and what differences say; −1 at a kink, and where two
 * lengths of differences do not agree to `resolved`. */
static inline double projection_slope_error(const projection *set, const double *z, double h, double resolved)
{
  double D[9], wide[3], narrow[3], error = 0.0;
  set->derivative(set, z, D);
  for (int j = 0; j < set->n; j++) {
    const int kink = projection_has_kink(set, z, j, h);
    projection_difference(set, z, j, h, wide);
    projection_difference(set, z, j, 0.5 * h, narrow);
    for (int i = 0; i < set->n; i++) {
      if (kink || !(fabs(wide[i] - narrow[i]) <= resolved)) {
        return -1.0;
      }
      error = fmax(error, fabs(D[set->n * i + j] - narrow[i]));
    }
  }
  return error;
}

/* How far D(z) is from the nearest derivative at points around z, at a distance that differences of D from
 * point to point do not notice: an element of the B-subdifferential is a limit of such. */
static inline double projection_limit_error(const projection *set, const double *z, double distance,
                                            random_state *random)
{
  double D[9], best = INFINITY;
  set->derivative(set, z, D);
  for (int k = 0; k < 2000 && best > 0.0; k++) {
    double at[3] = {0.0, 0.0, 0.0}, E[9], error = 0.0;
    for (int i = 0; i < set->n; i++) {
      at[i] = z[i] + distance * random_normal(random);
    }
    set->derivative(set, at, E);
    for (int i = 0; i < set->n * set->n; i++) {
      error = fmax(error, fabs(D[i] - E[i]));
    }
    best = fmin(best, error);
  }
  return best;
}

/* How far a symmetric D with eigenvalues in [0, 1] this one is not: by its asymmetry, and by vᵀDv and ‖Dv‖²
 * <= vᵀDv for some v, which is the same as the eigenvalues' range. */
static inline double projection_shape_error(const projection *set, const double *z, random_state *random)
{
  double D[9], error = 0.0;
  set->derivative(set, z, D);
  for (int k = 0; k < 8; k++) {
    double v[3], inner = 0.0, square = 0.0, length = 0.0;
    for (int i = 0; i < set->n; i++) {
      v[i] = random_normal(random);
    }
    for (int i = 0; i < set->n; i++) {
      double row = 0.0;
      for (int j = 0; j < set->n; j++) {
        error = fmax(error, fabs(D[set->n * i + j] - D[set->n * j + i]));
        row += D[set->n * i + j] * v[j];
      }
      inner += row * v[i];
      square += row * row;
      length += v[i] * v[i];
    }
    error = fmax(error, (square - inner) / length);
  }
  return error;
}

/* y = (z − p)/ρ is in the normal cone at p: the residual of the pair, over ‖p‖ + ‖z − p‖; and the residual of
 * (x, y) against its definition, over the size of its terms. The larger of both. */
static inline double projection_residual_error(const projection *set, const double *z, const double *x,
                                               double rho)
{
  double p[3], y[3] = {0.0, 0.0, 0.0}, w[3], q[3], d[3];
  set->prox(set, z, p);
  double size = projection_norm(set->n, p);
  for (int i = 0; i < set->n; i++) {
    y[i] = (z[i] - p[i]) / rho;
    w[i] = x[i] + rho * y[i];
  }
  const double reach = rho * projection_norm(set->n, y);
  const double on_graph = set->residual(set, rho, p, y) / (size + reach);
  set->prox(set, w, q);
  for (int i = 0; i < set->n; i++) {
    d[i] = x[i] - q[i];
  }
  size = projection_norm(set->n, x) + reach;
  const double defined = fabs(set->residual(set, rho, x, y) - projection_norm(set->n, d)) / size;
  return size > 0.0 ? fmax(on_graph, defined) : on_graph;
}

#endif
