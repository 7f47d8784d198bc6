/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_one.h"

#include <math.h>

/* Relative to the sizes that meet: far above rounding. */
static const double tiny = 1e-12;

double exact_one_p(const exact_one *p, int s)
{
  return p->G[0][0] - s * p->mu * p->G[0][1];
}

static double force_size(const exact_one *p)
{
  return hypot(p->c[0], p->c[1]) / fmin(p->G[0][0], p->G[1][1]);
}

static double speed_size(const exact_one *p)
{
  return hypot(p->c[0], p->c[1]);
}

static void add(const exact_one *p, exact_answers *all, exact_mode mode, double N, double T)
{
  const double zero = tiny * force_size(p);
  for (int i = 0; i < all->count; i++) {
    const exact_answer *old = &all->answer[i];
    if (fabs(old->lambda[0] - N) <= zero && fabs(old->lambda[1] - T) <= zero) {
      return;
    }
  }
  exact_answer *a = &all->answer[all->count++];
  a->mode = mode;
  a->lambda[0] = N;
  a->lambda[1] = T;
  for (int i = 0; i < 2; i++) {
    a->gamma[i] = p->c[i] + p->G[i][0] * N + p->G[i][1] * T;
  }
}

/* λ_T = −s μ σ λ_N with σ the sign of the normal force; `known`: sliding is given, not to be checked. */
static void try_slip(const exact_one *p, int s, int sigma, int known, exact_answers *all)
{
  const double pivot = exact_one_p(p, s * sigma);
  const double lean = p->G[1][0] - s * sigma * p->mu * p->G[1][1]; /* γ̇_T = c_T + lean λ_N */
  if (fabs(pivot) <= tiny * p->G[0][0]) {
    /* any normal force, if it does not matter to γ̇_N and no mode forbids it */
    if (fabs(p->c[0]) <= tiny * speed_size(p)) {
      const double limit = s * sigma * lean < 0.0 ? -p->c[1] / lean : INFINITY;
      all->continuum = all->continuum || known || sigma * limit > 0.0;
      add(p, all, s > 0 ? EXACT_PLUS : EXACT_MINUS, 0.0, 0.0);
    }
    return;
  }
  const double N = -p->c[0] / pivot;
  const int pushes = sigma * N >= -tiny * force_size(p);
  const int goes = known || s * (p->c[1] + lean * N) >= -tiny * (speed_size(p) + fabs(lean * N));
  if (pushes && goes) {
    add(p, all, s > 0 ? EXACT_PLUS : EXACT_MINUS, N, -s * sigma * p->mu * N);
  }
}

static void stick(const exact_one *p, double *N, double *T)
{
  const double det = p->G[0][0] * p->G[1][1] - p->G[0][1] * p->G[1][0];
  *N = (p->G[0][1] * p->c[1] - p->G[1][1] * p->c[0]) / det;
  *T = (p->G[1][0] * p->c[0] - p->G[0][0] * p->c[1]) / det;
}

exact_answers exact_one_unilateral(const exact_one *p, int slip)
{
  exact_answers all = {0};
  double N;
  double T;
  if (p->c[0] >= -tiny * speed_size(p)) {
    add(p, &all, EXACT_OPEN, 0.0, 0.0);
  }
  stick(p, &N, &T);
  if (slip == 0 && fabs(T) <= p->mu * N + tiny * force_size(p)) {
    add(p, &all, EXACT_STICK, N, T);
  }
  for (int s = 1; s >= -1; s -= 2) {
    if (slip == 0 || slip == s) {
      try_slip(p, s, 1, slip != 0, &all);
    }
  }
  return all;
}

exact_answers exact_one_bilateral(const exact_one *p)
{
  exact_answers all = {0};
  double N;
  double T;
  stick(p, &N, &T);
  if (fabs(T) <= p->mu * fabs(N) + tiny * force_size(p)) {
    add(p, &all, EXACT_STICK, N, T);
  }
  for (int s = 1; s >= -1; s -= 2) {
    try_slip(p, s, 1, 0, &all);
    try_slip(p, s, -1, 0, &all);
  }
  return all;
}
