/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_hammer.h"

#include <math.h>

#define PI_L 3.14159265358979323846264338327950288L

enum { LOOKS = 1024 }; /* at the gap of an orbit */

/* What z̈ = −k z − c ż + G does in a time t: z = a z₀ + b ż₀ + G s, ż = −k b z₀ + d ż₀ + G b. */
typedef struct flow {
  long double a, b, d, s;
} flow;

static flow flow_of(const exact_hammer *p, long double t)
{
  const long double k = p->k, g = 0.5L * (long double)p->c, square = k - g * g;
  long double cosine, sine; /* sine / w */
  if (k == 0.0L && g == 0.0L) {
    const flow free = {1.0L, t, 1.0L, 0.5L * t * t};
    return free;
  }
  if (square > 0.0L) {
    const long double w = sqrtl(square);
    cosine = expl(-g * t) * cosl(w * t);
    sine = expl(-g * t) * sinl(w * t) / w;
  } else {
    const long double w = sqrtl(-square);
    cosine = 0.5L * (expl((w - g) * t) + expl((-w - g) * t));
    sine = w > 0.0L ? 0.5L * (expl((w - g) * t) - expl((-w - g) * t)) / w : expl(-g * t) * t;
  }
  const flow f = {cosine + g * sine, sine, cosine - g * sine,
                  k > 0.0L ? (1.0L - cosine - g * sine) / k : (t - sine) / (2.0L * g)};
  return f;
}

/* Forcing of z: C cos + S sin; its response a cos + b sin. */
typedef struct wave {
  long double C, S, a, b;
} wave;

static wave wave_of(const exact_hammer *p)
{
  const long double k = p->k, c = p->c, w = p->omega, A = p->A;
  wave f = {(long double)p->F + A * (w * w - k), A * c * w, 0.0L, 0.0L};
  const long double r = k - w * w, i = c * w, size = r * r + i * i;
  f.a = (r * f.C - i * f.S) / size;
  f.b = (r * f.S + i * f.C) / size;
  return f;
}

static long double response(const exact_hammer *p, const wave *f, long double t, long double *rate)
{
  const long double w = p->omega, cosine = cosl(w * t), sine = sinl(w * t);
  *rate = w * (f->b * cosine - f->a * sine);
  return f->a * cosine + f->b * sine;
}

static long double acceleration(const exact_hammer *p, long double t, long double v)
{
  const wave f = wave_of(p);
  const long double w = p->omega;
  return (long double)p->G - (long double)p->c * v + f.C * cosl(w * t) + f.S * sinl(w * t);
}

void exact_hammer_at(const exact_hammer *p, const exact_hammer_cycle *orbit, long double s, long double *z,
                     long double *v)
{
  const wave f = wave_of(p);
  const flow e = flow_of(p, s);
  long double rate;
  const long double z0 = -response(p, &f, orbit->t, &rate), v0 = orbit->after - rate;
  const long double part = response(p, &f, orbit->t + s, &rate);
  *z = e.a * z0 + e.b * v0 + (long double)p->G * e.s + part;
  *v = -(long double)p->k * e.b * z0 + e.d * v0 + (long double)p->G * e.b + rate;
}

/* Where the gap turns round between s = low, falling, and high, rising. */
static long double turn(const exact_hammer *p, const exact_hammer_cycle *orbit, long double low,
                        long double high)
{
  long double z, v;
  for (int i = 0; i < 100; i++) {
    const long double middle = 0.5L * (low + high);
    exact_hammer_at(p, orbit, middle, &z, &v);
    *(v < 0.0L ? &low : &high) = middle;
  }
  return low;
}

static void find_low(const exact_hammer *p, exact_hammer_cycle *orbit)
{
  long double before = orbit->after, z, v;
  orbit->low_gap = INFINITY;
  orbit->low_at = 0.0L;
  for (int i = 1; i <= LOOKS; i++) {
    exact_hammer_at(p, orbit, orbit->period * i / LOOKS, &z, &v);
    v = i == LOOKS ? orbit->before : v;
    if (before < 0.0L && v >= 0.0L) {
      const long double s = turn(p, orbit, orbit->period * (i - 1) / LOOKS, orbit->period * i / LOOKS);
      exact_hammer_at(p, orbit, s, &z, &before);
      if (z < orbit->low_gap) {
        orbit->low_gap = z;
        orbit->low_at = s;
      }
    }
    before = v;
  }
}

/* Of the part without forcing z(0) = z(T) = −response, which gives its speeds at both ends as linear
 * functions of it; then v⁺ = −ε v⁻. */
static int solve(const exact_hammer *p, int sign, exact_hammer_cycle *orbit)
{
  const long double w = p->omega, eps = p->eps, G = p->G;
  const wave f = wave_of(p);
  orbit->period = 2.0L * PI_L * p->turns / w;
  const flow e = flow_of(p, orbit->period);
  const long double alpha = (1.0L - e.a) / e.b, alpha0 = -G * e.s / e.b;
  const long double beta = -(long double)p->k * e.b + e.d * alpha, beta0 = e.d * alpha0 + G * e.b;
  const long double K = -(alpha + eps * beta), L = (1.0L + eps) * w, N = alpha0 + eps * beta0;
  const long double x = K * f.a + L * f.b, y = K * f.b - L * f.a, size = sqrtl(x * x + y * y);
  if (!(fabsl(N) < size)) {
    return 0;
  }
  long double theta = atan2l(y, x) + sign * acosl(-N / size), rate;
  theta -= floorl(theta / (2.0L * PI_L)) * 2.0L * PI_L;
  orbit->t = theta / w;
  const long double z0 = -response(p, &f, orbit->t, &rate);
  orbit->after = alpha * z0 + alpha0 + rate;
  orbit->before = beta * z0 + beta0 + rate;
  if (!(orbit->before < 0.0L && orbit->after >= 0.0L)) {
    return 0;
  }
  /* a state δ before the impact is (−ε δz, −ε δv + (a⁺ + ε a⁻)/v⁻ δz) after it, at equal times */
  const long double slope =
      (acceleration(p, orbit->t, orbit->after) + eps * acceleration(p, orbit->t, orbit->before)) /
      orbit->before;
  orbit->trace = -eps * (e.a + e.d) + slope * e.b;
  orbit->det = eps * eps * expl(-(long double)p->c * orbit->period);
  return 1;
}

int exact_hammer_solve(const exact_hammer *p, int sign, exact_hammer_cycle *orbit)
{
  const int is_one = solve(p, sign, orbit);
  if (is_one) {
    find_low(p, orbit);
  }
  return is_one;
}

int exact_hammer_is_clear(const exact_hammer *p, const exact_hammer_cycle *orbit, double share)
{
  long double most = 0.0L, z, v;
  for (int i = 1; i < LOOKS; i++) {
    exact_hammer_at(p, orbit, orbit->period * i / LOOKS, &z, &v);
    if (z <= 0.0L) {
      return 0;
    }
    most = fmaxl(most, z);
  }
  return orbit->low_gap > (long double)share * most;
}

void exact_hammer_multipliers(const exact_hammer_cycle *orbit, long double *re, long double *im)
{
  const long double half = 0.5L * orbit->trace, square = half * half - orbit->det;
  if (square < 0.0L) {
    re[0] = re[1] = half;
    im[0] = sqrtl(-square);
    im[1] = -im[0];
    return;
  }
  re[0] = half + (half < 0.0L ? -1.0L : 1.0L) * sqrtl(square);
  re[1] = re[0] != 0.0L ? orbit->det / re[0] : 0.0L;
  im[0] = im[1] = 0.0L;
}

static long double zero_of(const exact_hammer *p, int sign, int what)
{
  exact_hammer_cycle orbit;
  if (!solve(p, sign, &orbit)) {
    return NAN;
  }
  if (what == EXACT_HAMMER_FLIP) {
    return 1.0L + orbit.trace + orbit.det;
  }
  find_low(p, &orbit);
  return orbit.low_gap;
}

double exact_hammer_find(exact_hammer *p, int sign, double *parameter, double low, double high, int what)
{
  *parameter = low;
  const long double at_low = zero_of(p, sign, what);
  *parameter = high;
  const long double at_high = zero_of(p, sign, what);
  if (!((at_low < 0.0L) != (at_high < 0.0L)) || isnan(at_low) || isnan(at_high)) {
    return NAN;
  }
  for (int i = 0; i < 200; i++) {
    const double middle = low + 0.5 * (high - low);
    *parameter = middle;
    const long double value = zero_of(p, sign, what);
    if (isnan(value) || middle == low || middle == high) {
      return isnan(value) ? NAN : middle;
    }
    *((value < 0.0L) == (at_low < 0.0L) ? &low : &high) = middle;
  }
  return low;
}
