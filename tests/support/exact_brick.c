/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_brick.h"

#include <math.h>

#include "exact_ode.h"

static double slope(const exact_ramp *p, double mu, double sign)
{
  return p->g * (sin(p->theta) - sign * mu * cos(p->theta));
}

double exact_ramp_stop(const exact_ramp *p)
{
  if (p->v == 0.0) {
    return 0.0;
  }
  const double sign = p->v > 0.0 ? 1.0 : -1.0;
  const double a = slope(p, p->mu_dynamic, sign);
  return sign * a < 0.0 ? -p->v / a : HUGE_VAL;
}

int exact_ramp_stays(const exact_ramp *p)
{
  return fabs(sin(p->theta)) <= p->mu_static * cos(p->theta);
}

void exact_ramp_at(const exact_ramp *p, double t, double *x, double *v)
{
  const double stop = exact_ramp_stop(p);
  const double sign = p->v > 0.0 ? 1.0 : -1.0;
  const double first = fmin(t, stop);
  const double a = slope(p, p->mu_dynamic, sign);
  *x = p->x + p->v * first + a * first * first / 2.0;
  *v = p->v + a * first;
  if (t >= stop) {
    /* from rest: to where the weight pulls, or not at all */
    const double rest = exact_ramp_stays(p) ? 0.0 : slope(p, p->mu_dynamic, p->theta > 0.0 ? 1.0 : -1.0);
    *x += rest * (t - stop) * (t - stop) / 2.0;
    *v = rest * (t - stop);
  }
}

double exact_falling_mu(const exact_falling *law, double speed)
{
  return law->mu_inf + (law->mu_0 - law->mu_inf) * exp(-speed / law->v_s);
}

typedef struct falling {
  double A;
  double B;
  double v_s;
} falling;

static falling falling_of(const exact_ramp *p, const exact_falling *law)
{
  return (falling){slope(p, law->mu_inf, 1.0), p->g * cos(p->theta) * (law->mu_0 - law->mu_inf), law->v_s};
}

/* v̇ = A − B exp(−v/v_s): w = exp(v/v_s) has ẇ = (A w − B)/v_s, which is linear. This is w a time t, of either
 * sign, after it was `from`. */
static double falling_w(const falling *f, double from, double t)
{
  const double x = f->A * t / f->v_s;
  /* (e^x − 1)/A without loss where A is small */
  const double growth = fabs(x) > 1e-8 ? expm1(x) / f->A : t / f->v_s * (1.0 + x / 2.0);
  return from + growth * (f->A * from - f->B);
}

double exact_falling_stop(const exact_ramp *p, const exact_falling *law)
{
  const falling f = falling_of(p, law);
  const double w = exp(p->v / law->v_s);
  if (f.A * w >= f.B) {
    return HUGE_VAL; /* faster and faster */
  }
  /* w + (e^x − 1)(w − B/A) = 1 */
  return f.A == 0.0 ? (w - 1.0) * f.v_s / f.B : f.v_s / f.A * log1p(f.A * (1.0 - w) / (f.A * w - f.B));
}

void exact_falling_at(const exact_ramp *p, const exact_falling *law, double t, double *x, double *v)
{
  /* x by Gauss's rule of 5 points on pieces no longer than the law's own time; v counted back from the stop,
   * where there is one */
  static const double node[3] = {0.0, 0.538469310105683091, 0.906179845938663993};
  static const double weight[3] = {0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  const falling f = falling_of(p, law);
  const double stop = exact_falling_stop(p, law);
  const double end = fmin(t, stop);
  const double origin = isfinite(stop) ? stop : 0.0;
  const double w = isfinite(stop) ? 1.0 : exp(p->v / law->v_s);
  const int pieces = 64 + (int)(4.0 * end * (fabs(f.A) + f.B) / f.v_s);
  double sum = 0.0;
  for (int k = 0; k < pieces; k++) {
    for (int i = -2; i <= 2; i++) {
      const double place = i < 0 ? -node[-i] : node[i];
      const double at = end * (2.0 * k + 1.0 + place) / (2.0 * pieces);
      sum += weight[i < 0 ? -i : i] * f.v_s * log(falling_w(&f, w, at - origin));
    }
  }
  *x = p->x + sum * end / (2.0 * pieces);
  *v = t < stop ? f.v_s * log(falling_w(&f, w, t - origin)) : 0.0;
}

exact_belt_cycle exact_belt_solve(const exact_belt *p)
{
  /* slip: x = x_d + a cos ωt + (V/ω) sin ωt; ẋ = V again where tan(ωt/2) = −aω/V */
  const double scale = p->g / (p->omega * p->omega);
  const double a = (p->mu_static - p->mu_dynamic) * scale;
  const double half = acos(-1.0) - atan(a * p->omega / p->V);
  exact_belt_cycle c = {.slip = 2.0 * half / p->omega, .stick = 2.0 * a / p->V};
  c.period = c.slip + c.stick;
  c.x_start = p->mu_static * scale;
  c.x_stop = c.x_start - 2.0 * a;
  return c;
}

int exact_belt_at(const exact_belt *p, double t, double *x, double *v)
{
  const exact_belt_cycle c = exact_belt_solve(p);
  const double phase = fmod(t, c.period);
  if (phase >= c.slip) {
    *x = c.x_stop + p->V * (phase - c.slip);
    *v = p->V;
    return 1;
  }
  const double a = (c.x_start - c.x_stop) / 2.0;
  const double turn = p->omega * phase;
  *x = c.x_start - a + a * cos(turn) + p->V / p->omega * sin(turn);
  *v = -a * p->omega * sin(turn) + p->V * cos(turn);
  return 0;
}

typedef struct falling_belt {
  const exact_belt *belt;
  const exact_falling *law;
} falling_belt;

/* y = (x, V − ẋ) */
static void falling_rate(const void *data, const long double *y, long double *f)
{
  const falling_belt *p = data;
  const long double mu =
      p->law->mu_inf + ((long double)p->law->mu_0 - p->law->mu_inf) * expl(-y[1] / p->law->v_s);
  f[0] = p->belt->V - y[1];
  f[1] = (long double)p->belt->omega * p->belt->omega * y[0] - mu * p->belt->g;
}

static long double slip_speed(const void *data, const long double *y)
{
  (void)data;
  return y[1];
}

exact_belt_cycle exact_belt_falling(const exact_belt *p, const exact_falling *law)
{
  const falling_belt data = {p, law};
  const exact_ode ode = {.n = 2, .rate = falling_rate, .until = slip_speed, .data = &data};
  exact_belt_cycle c = {.x_start = law->mu_0 * p->g / (p->omega * p->omega)};
  long double y[2] = {c.x_start, 0.0L};
  /* slip ends before 10/ω; steps as short as the spring and the law ask for */
  const double rate = fmax(8.0 * p->omega, p->g * (law->mu_0 - law->mu_inf) / law->v_s);
  c.slip = (double)exact_ode_run(&ode, 10.0L / p->omega, 1 + (int)(20.0 * rate / p->omega), y);
  c.x_stop = (double)y[0];
  if (fabs(c.x_stop) <= c.x_start) {
    c.stick = (c.x_start - c.x_stop) / p->V;
    c.period = c.slip + c.stick;
  }
  return c;
}
