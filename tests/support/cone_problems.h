/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact in space: random problems of several classes, and a judge that shares nothing with the solver
 * but the projections of nsdyn/setvalued.h. */
#ifndef TESTS_SUPPORT_CONE_PROBLEMS_H
#define TESTS_SUPPORT_CONE_PROBLEMS_H

#include <math.h>

#include "nsdyn/setvalued.h"
#include "support/random.h"

typedef struct cone_problem {
  double G[9], c[3];
} cone_problem;

enum {
  CONE_TAME = 0,     /* symmetric positive definite, condition about 10 */
  CONE_STIFF = 1,    /* condition up to 1e12, any axes */
  CONE_SINGULAR = 2, /* of rank 1 or 2, c in its range */
  CONE_SKEW = 3,     /* not symmetric, with a positive definite symmetric part */
  CONE_STIFF_SKEW = 4,
  CONE_UNITS = 5, /* rows in other units */
  CONE_CLASSES = 6
};

/* Q: rotation, from a random quaternion. */
static inline void cone_rotation(random_state *random, double *Q)
{
  double q[4], n = 0.0;
  for (int i = 0; i < 4; i++) {
    q[i] = random_normal(random);
    n += q[i] * q[i];
  }
  n = sqrt(n);
  const double w = q[0] / n, x = q[1] / n, y = q[2] / n, z = q[3] / n;
  const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                       2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                       2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  for (int i = 0; i < 9; i++) {
    Q[i] = R[i];
  }
}

static inline void cone_random(random_state *random, int kind, cone_problem *p)
{
  double Q[9], d[3], load[3];
  cone_rotation(random, Q);
  const double decades = kind == CONE_STIFF || kind == CONE_STIFF_SKEW ? 6.0 : 0.5;
  for (int i = 0; i < 3; i++) {
    d[i] = random_scale(random, decades);
    load[i] = random_normal(random);
  }
  if (kind == CONE_SINGULAR) {
    d[0] = 0.0;
    d[1] = random_below(random, 2) ? d[1] : 0.0;
  }
  for (int i = 0; i < 3; i++) {
    p->c[i] = kind == CONE_SINGULAR ? 0.0 : load[i];
    for (int j = 0; j < 3; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) {
        sum += Q[3 * i + k] * d[k] * Q[3 * j + k];
      }
      p->G[3 * i + j] = sum;
    }
  }
  if (kind == CONE_SKEW || kind == CONE_STIFF_SKEW) {
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < i; j++) {
        const double k =
            random_normal(random) * sqrt(d[random_below(random, 3)] * d[random_below(random, 3)]);
        p->G[3 * i + j] += k;
        p->G[3 * j + i] -= k;
      }
    }
  }
  if (kind == CONE_SINGULAR) { /* c = G load */
    for (int i = 0; i < 9; i++) {
      p->c[i / 3] += p->G[i] * load[i % 3];
    }
  }
  if (kind == CONE_UNITS) {
    double unit[3];
    for (int i = 0; i < 3; i++) {
      unit[i] = random_scale(random, 3.0);
      p->c[i] *= unit[i];
    }
    for (int i = 0; i < 9; i++) {
      p->G[i] *= unit[i / 3] * unit[i % 3];
    }
  }
}

/* ξ = G Λ + c, and the largest size of a row's terms. */
static inline double cone_velocity(const cone_problem *p, const double *Lambda, double *xi)
{
  double scale = 0.0;
  for (int i = 0; i < 3; i++) {
    long double sum = p->c[i], size = fabs(p->c[i]);
    for (int j = 0; j < 3; j++) {
      sum += (long double)p->G[3 * i + j] * Lambda[j];
      size += fabsl((long double)p->G[3 * i + j] * Lambda[j]);
    }
    xi[i] = (double)sum;
    scale = fmax(scale, (double)size);
  }
  return scale;
}

/* What Λ misses of the laws, in units of velocity with ρ = 3/trace, over the size of the terms: of the half
 * line (a slot: of ξ_N = 0), and of the ellipse with these half axes, turned by `axis`, or of the polygon on
 * it. */
typedef struct cone_bound {
  double a, b; /* half axes of the set */
  double axis[2];
  int sides; /* 0: an ellipse */
  int slot;
} cone_bound;

static inline double cone_miss(const cone_problem *p, const cone_bound *bound, const double *Lambda)
{
  double xi[3];
  const double scale = cone_velocity(p, Lambda, xi), rho = 3.0 / (p->G[0] + p->G[4] + p->G[8]);
  const double *e = bound->axis;
  double normal = fabs(Lambda[0] - fmax(0.0, Lambda[0] - rho * xi[0])) / rho;
  normal = bound->slot ? fabs(xi[0]) : normal;
  /* in the axes of the set */
  const double z1 = Lambda[1] - rho * xi[1], z2 = Lambda[2] - rho * xi[2];
  double z[2] = {e[0] * z1 + e[1] * z2, -e[1] * z1 + e[0] * z2};
  const double force[2] = {e[0] * Lambda[1] + e[1] * Lambda[2], -e[1] * Lambda[1] + e[0] * Lambda[2]};
  double q[2];
  if (bound->sides) { /* with equal half axes only: a projection knows no other */
    nsdyn_polygon_prox(bound->sides, bound->a, z, q);
  } else {
    nsdyn_ellipse_prox(bound->a, bound->b, z, q);
  }
  const double tangential = hypot(force[0] - q[0], force[1] - q[1]) / rho;
  return fmax(normal, tangential) / scale;
}

#endif
