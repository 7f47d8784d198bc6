/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_flow.h"

#include <float.h>
#include <math.h>

static long double dot(const long double *v, const long double *w)
{
  long double sum = 0.0L;
  for (int i = 0; i < EXACT_DOF; i++) {
    sum += v[i] * w[i];
  }
  return sum;
}

/* c_k(z) = Σ_j (−z)^j / (k + 2j)!, so that t^k c_k(ω²t²) is the k-fold integral of cos ωt: one formula for
 * ω² positive, zero and negative, and no division by ω. */
static void stumpff(long double z, long double *c)
{
  if (fabsl(z) < 1.0L) {
    long double three = 1.0L / 6.0L;
    long double four = 1.0L / 24.0L;
    c[3] = c[4] = 0.0L;
    for (int j = 1; j <= 14; j++) {
      c[3] += three;
      c[4] += four;
      three *= -z / (long double)((2 * j + 2) * (2 * j + 3));
      four *= -z / (long double)((2 * j + 3) * (2 * j + 4));
    }
    c[2] = 0.5L - z * c[4];
    c[1] = 1.0L - z * c[3];
    c[0] = 1.0L - z * c[2];
  } else {
    const long double r = sqrtl(fabsl(z));
    c[0] = z > 0.0L ? cosl(r) : coshl(r);
    c[1] = (z > 0.0L ? sinl(r) : sinhl(r)) / r;
    c[2] = (1.0L - c[0]) / z;
    c[3] = (1.0L - c[1]) / z;
    c[4] = (0.5L - c[2]) / z;
  }
}

/* The oscillator at one time: s and its first two derivatives, and its two integrals from 0. */
typedef struct oscillator {
  long double omega2;
  long double s[3];
  long double integral;
  long double twice;
} oscillator;

static oscillator oscillator_at(const exact_flow *f, long double t)
{
  oscillator o = {.omega2 = dot(f->d, f->b)};
  const long double s0 = dot(f->d, f->q);
  const long double s1 = dot(f->d, f->u);
  const long double s2 = dot(f->d, f->a) - o.omega2 * s0;
  long double c[5];
  stumpff(o.omega2 * t * t, c);
  o.s[0] = s0 + t * (s1 * c[1] + t * s2 * c[2]);
  o.s[1] = s1 * c[0] + t * s2 * c[1];
  o.s[2] = s2 * c[0] - o.omega2 * t * s1 * c[1];
  o.integral = t * (s0 + t * (s1 * c[2] + t * s2 * c[3]));
  o.twice = t * t * (s0 / 2.0L + t * (s1 * c[3] + t * s2 * c[4]));
  return o;
}

void exact_flow_at(const exact_flow *f, long double t, long double *q, long double *u)
{
  const oscillator o = oscillator_at(f, t);
  for (int i = 0; i < EXACT_DOF; i++) {
    q[i] = f->q[i] + t * (f->u[i] + t * f->a[i] / 2.0L) - f->b[i] * o.twice;
    u[i] = f->u[i] + t * f->a[i] - f->b[i] * o.integral;
  }
}

/* s^(k), from s'' on by s^(k+2) = −ω² s^(k) */
static long double spring_derivative(const oscillator *o, int k)
{
  long double factor = 1.0L;
  while (k > 2) {
    factor *= -o->omega2;
    k -= 2;
  }
  return factor * o->s[k];
}

long double exact_watch_value(const exact_flow *f, const exact_watch *watch, int k, long double t)
{
  const long double *w = watch->w;
  const oscillator o = oscillator_at(f, t);
  const long double level = k == 0 ? watch->level : 0.0L;
  switch (watch->order + k) {
  case 0:
    return level + dot(w, f->q) + t * (dot(w, f->u) + t * dot(w, f->a) / 2.0L) - dot(w, f->b) * o.twice;
  case 1:
    return level + dot(w, f->u) + t * dot(w, f->a) - dot(w, f->b) * o.integral;
  case 2:
    return level + dot(w, f->a) - dot(w, f->b) * o.s[0];
  default:
    return level - dot(w, f->b) * spring_derivative(&o, watch->order + k - 2);
  }
}

int exact_watch_leading(const exact_flow *f, const exact_watch *watch, long double zero, long double rate,
                        long double *value)
{
  for (int k = 0; k < 6; k++) {
    *value = exact_watch_value(f, watch, k, 0.0L);
    if (fabsl(*value) > zero) {
      return k;
    }
    zero *= rate;
  }
  *value = 0.0L;
  return -1;
}

/* How far one set of bounds reaches: ω² H² <= 1. */
static long double reach(const exact_flow *f)
{
  const long double rate = sqrtl(fabsl(dot(f->d, f->b)));
  return 1.0L / fmaxl(rate, 1.0L);
}

/* A bound on |f^(k)| within [t, t + H], H no longer than the reach; order + k >= 2. There |c_0| <= cosh 1,
 * |c_1| <= sinh 1, |c_2| <= cosh 1 − 1. */
static long double bound(const exact_flow *f, const exact_watch *watch, int k, long double t, long double H)
{
  const long double c0 = 1.544L;
  const long double c1 = 1.176L;
  const long double c2 = 0.544L;
  const oscillator o = oscillator_at(f, t);
  const long double s0 = fabsl(o.s[0]);
  const long double s1 = fabsl(o.s[1]);
  const long double s2 = fabsl(o.s[2]);
  const oscillator most = {.omega2 = -fabsl(o.omega2),
                           .s = {s0 + H * (c1 * s1 + H * c2 * s2), c0 * s1 + H * c1 * s2,
                                 c0 * s2 + c1 * H * fabsl(o.omega2) * s1}};
  const int order = watch->order + k;
  const long double steady = order == 2 ? fabsl(dot(watch->w, f->a)) : 0.0L;
  return steady + fabsl(dot(watch->w, f->b)) * spring_derivative(&most, order - 2);
}

long double exact_watch_departure(const exact_flow *f, const exact_watch *watch, int k, long double value)
{
  /* f >= value d^k/k! − bound d^(k+1)/(k+1)!; where the order is too low for the bound, from its own. */
  const long double H = reach(f);
  long double slope = 0.0L;
  if (watch->order + k + 1 >= 2) {
    slope = bound(f, watch, k + 1, 0.0L, H);
  } else {
    slope = fabsl(exact_watch_value(f, watch, k + 1, 0.0L)) + H * bound(f, watch, k + 2, 0.0L, H);
  }
  const long double limit = (long double)(k + 1) * value / 2.0L;
  return limit < H * slope ? limit / slope : H;
}

/* The positive root of f0 + f1 τ − F τ²/2, f0 > 0, as far as it lies within H. */
static long double safe_step(long double f0, long double f1, long double F, long double H)
{
  const long double root = sqrtl(f1 * f1 + 2.0L * F * f0);
  if (f1 < 0.0L) {
    return fminl(2.0L * f0 / (root - f1), H);
  }
  return f1 + root < F * H ? (f1 + root) / F : H;
}

int exact_first_root(const exact_flow *f, const exact_watch *watch, long double from, long double until,
                     long double caution, long double *root)
{
  const long double H = reach(f);
  const long double sign = exact_watch_value(f, watch, 0, from) < 0.0L ? -1.0L : 1.0L;
  long double t = from;
  while (t < until) {
    const long double f0 = sign * exact_watch_value(f, watch, 0, t);
    if (f0 <= 0.0L) {
      *root = t;
      return 1;
    }
    const long double f1 = sign * exact_watch_value(f, watch, 1, t);
    const long double step = safe_step(f0, f1, caution * bound(f, watch, 2, t, H), H);
    if (t + step == t) {
      *root = t;
      return 1;
    }
    t += step;
  }
  return 0;
}
