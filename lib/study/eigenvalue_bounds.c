/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "study/eigenvalue_bounds.h"

#include <math.h>

#include "base/dense.h"

enum { ANGLES = 8, TRIES = 60 };

#define ROOM 1.25   /* from the radius at which a circle would just do to the next that is tried */
#define LOOSE 0.25  /* what a circle reaches that could be smaller */
#define MOST 0x1p20 /* a circle that is so much larger than the matrix says nothing */

/* cos and sin of multiples of 45°. */
static const double compass[ANGLES][2] = {{1.0, 0.0},  {0.70710678118654752, 0.70710678118654752},
                                          {0.0, 1.0},  {-0.70710678118654752, 0.70710678118654752},
                                          {-1.0, 0.0}, {-0.70710678118654752, -0.70710678118654752},
                                          {0.0, -1.0}, {0.70710678118654752, -0.70710678118654752}};

typedef struct problem {
  int n;
  const double *J, *e;
  double *A; /* 2n × 2n */
  double *X; /* n × 2n: columns of the inverse, real and imaginary parts */
  int *perm;
} problem;

/* J − x for a complex x = re + i im, as a real matrix on (real part, imaginary part). */
static void shift(const problem *p, double re, double im)
{
  const int n = p->n, width = 2 * n;
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) {
      const double a = p->J[r * n + k] - (r == k ? re : 0.0), b = r == k ? im : 0.0;
      /* (A, B; −B, A) with A = J − re, B = im: (J − x) v for v = v_r + i v_i. */
      p->A[r * width + k] = p->A[(n + r) * width + n + k] = a;
      p->A[r * width + n + k] = b;
      p->A[(n + r) * width + k] = -b;
    }
  }
}

/* Σ_k e_k Σ_r |(J − x)⁻¹|_kr; infinite at an eigenvalue. */
static double reach(const problem *p, double re, double im)
{
  const int n = p->n, width = 2 * n;
  double sum = 0.0;
  shift(p, re, im);
  if (nsd_lu_factor(width, p->A, width, p->perm, NULL)) {
    return INFINITY;
  }
  /* Unit vectors' first halves: row r of X becomes column r of the inverse, real and imaginary part. */
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < width; k++) {
      p->X[r * width + k] = k == r ? 1.0 : 0.0;
    }
  }
  nsd_lu_solve(width, p->A, width, p->perm, n, p->X, width);
  for (int r = 0; r < n; r++) {
    const double *x = p->X + r * width;
    for (int k = 0; k < n; k++) {
      sum += p->e[k] * sqrt(x[k] * x[k] + x[n + k] * x[n + k]);
    }
  }
  return isfinite(sum) ? sum : INFINITY;
}

/* The largest on a circle; that around a real number is symmetric. */
static double reach_on(const problem *p, double re, double im, double radius)
{
  /* Half of it, with both ends, for a circle around a real number. */
  const int angles = im == 0.0 ? ANGLES / 2 + 1 : ANGLES;
  double most = 0.0;
  for (int i = 0; i < angles; i++) {
    most = fmax(most, reach(p, re + radius * compass[i][0], im + radius * compass[i][1]));
  }
  return most;
}

/* Outwards until a circle does, by as much as would do if the eigenvalue were a simple one; then back, where
 * that was too much, as for one that is nearly multiple. */
static double radius_of(const problem *p, double re, double im, double least, double most)
{
  /* Stage 1. Outwards by the factor that would do for a simple
   * eigenvalue, whose reach falls like 1 / radius. */
  double low = 0.5 * least, high = least, reached = INFINITY;
  for (int tries = 0; tries < TRIES && high < most; tries++) {
    reached = reach_on(p, re, im, high);
    if (reached < 1.0) {
      break;
    }
    low = high;
    high *= isfinite(reached) ? ROOM * reached : 2.0;
  }
  if (!(reached < 1.0)) {
    return INFINITY;
  }
  /* Stage 2. Back by bisection of the exponent, where the circle is much larger than it need be. */
  while (reached < LOOSE && high > 2.0 * low) {
    const double middle = sqrt(low) * sqrt(high), there = reach_on(p, re, im, middle);
    if (there < 1.0) {
      high = middle;
      reached = there;
    } else {
      low = middle;
    }
  }
  return high;
}

void nsd_eigenvalues_nearby(int n, const double *J, const double *e, const double *lambda, double *radius,
                            double *work, int *perm)
{
  problem p = {.n = n, .J = J, .e = e};
  if (n == 0) {
    return;
  }
  p.A = work;
  p.X = work + 4 * (size_t)n * (size_t)n;
  p.perm = perm;
  /* The radius that would just do for J = λ 1, whose reach on a circle is Σ e_k / radius. */
  double least = 0.0;
  for (int k = 0; k < n; k++) {
    least += e[k];
  }
  const double most = MOST * (1.0 + nsd_matrix_norm_max(n, n, J, n));
  for (int i = 0; i < n; i++) {
    const double re = lambda[2 * i], im = lambda[2 * i + 1];
    const int is_second = im < 0.0 && i > 0 && lambda[2 * i - 1] == -im; /* of a pair */
    radius[i] = is_second ? radius[i - 1] : radius_of(&p, re, im, least, most);
  }
}
