/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "exact_rod.h"

#include <math.h>
#include <string.h>

#include "exact_ode.h"

static const long double singular = 1e-9L;

exact_rod_state exact_rod_on_table(const exact_rod *rod, double theta, double spin, double gamma_T)
{
  const double half = rod->l / 2.0;
  return (exact_rod_state){
      .q = {half * cos(theta), half * sin(theta), theta},
      .u = {gamma_T - half * sin(theta) * spin, half * cos(theta) * spin, spin},
  };
}

double exact_rod_gap(const exact_rod *rod, const exact_rod_state *s)
{
  return s->q[1] - rod->l / 2.0 * sin(s->q[2]);
}

double exact_rod_gamma(const exact_rod *rod, const exact_rod_state *s, int tangent)
{
  const double arm = tangent ? sin(s->q[2]) : -cos(s->q[2]);
  return s->u[tangent ? 0 : 1] + rod->l / 2.0 * arm * s->u[2];
}

/* With J = m l²/12, m G = [1 + 3 cos²θ, −3 sin θ cos θ; ·, 1 + 3 sin²θ]. */
static exact_one contact_at(const exact_rod *rod, double theta, double spin)
{
  const double s = sin(theta);
  const double c = cos(theta);
  const double pull = rod->l / 2.0 * spin * spin;
  const double cross = -3.0 * s * c / rod->m;
  return (exact_one){.G = {{(1.0 + 3.0 * c * c) / rod->m, cross}, {cross, (1.0 + 3.0 * s * s) / rod->m}},
                     .c = {pull * s - rod->g, pull * c},
                     .mu = rod->mu};
}

exact_one exact_rod_contact(const exact_rod *rod, const exact_rod_state *s)
{
  return contact_at(rod, s->q[2], s->u[2]);
}

int exact_rod_paradox(double mu, double *least, double *most)
{
  /* 1 + 3 cos² − 3 μ sin cos < 0: tan² − 3 μ tan + 4 < 0 */
  const double root = 9.0 * mu * mu - 16.0;
  if (root <= 0.0) {
    return 0;
  }
  *least = atan(8.0 / (3.0 * mu + sqrt(root)));
  *most = atan((3.0 * mu + sqrt(root)) / 2.0);
  return 1;
}

int exact_rod_jam(const exact_rod *rod, const exact_rod_state *s, double *Lambda)
{
  const exact_one p = exact_rod_contact(rod, s);
  const double slip = exact_rod_gamma(rod, s, 1);
  const double det = 4.0 / (rod->m * rod->m); /* of G, at every angle */
  Lambda[0] = slip * p.G[0][1] / det;
  Lambda[1] = -slip * p.G[0][0] / det;
  return fabs(Lambda[1]) <= rod->mu * Lambda[0];
}

void exact_rod_kick(const exact_rod *rod, const double *Lambda, exact_rod_state *s)
{
  s->u[0] += Lambda[1] / rod->m;
  s->u[1] += Lambda[0] / rod->m;
  s->u[2] += 6.0 / (rod->m * rod->l) * (Lambda[1] * sin(s->q[2]) - Lambda[0] * cos(s->q[2]));
}

static void fly(const exact_rod *rod, double t, exact_rod_state *s)
{
  s->t += t;
  s->q[0] += s->u[0] * t;
  s->q[1] += s->u[1] * t - rod->g * t * t / 2.0;
  s->q[2] += s->u[2] * t;
  s->u[1] -= rod->g * t;
}

int exact_rod_fall(const exact_rod *rod, double span, exact_rod_state *s)
{
  /* |g̈| <= F: steps that stay short of the first root, and shrink like Newton's beside it */
  const double F = rod->g + rod->l / 2.0 * s->u[2] * s->u[2];
  double t = 0.0;
  while (t < span) {
    exact_rod_state now = *s;
    fly(rod, t, &now);
    const double gap = exact_rod_gap(rod, &now);
    const double speed = exact_rod_gamma(rod, &now, 0);
    const double root = sqrt(speed * speed + 2.0 * F * fmax(gap, 0.0));
    const double step = speed < 0.0 ? 2.0 * gap / (root - speed) : (speed + root) / F;
    if (speed < 0.0 && (gap <= 0.0 || t + step == t)) {
      *s = now;
      return 1;
    }
    t += step;
  }
  fly(rod, span, s);
  return 0;
}

int exact_rod_impact(const exact_rod *rod, double eps, double *Lambda, exact_rod_state *s)
{
  exact_one p = exact_rod_contact(rod, s);
  p.c[0] = (1.0 + eps) * exact_rod_gamma(rod, s, 0);
  p.c[1] = exact_rod_gamma(rod, s, 1);
  const exact_answers all = exact_one_unilateral(&p, 0);
  if (all.count != 1 || all.continuum) {
    return -1;
  }
  Lambda[0] = all.answer[0].lambda[0];
  Lambda[1] = all.answer[0].lambda[1];
  exact_rod_kick(rod, Lambda, s);
  return (int)all.answer[0].mode;
}

/* ---- on the table ---------------------------------------------------------------------------- */

enum { THETA, SPIN, TIME, SLIP, PLACE, UNKNOWNS };

typedef struct table {
  const exact_rod *rod;
  long double sign; /* of γ_T; 0 where the end sticks */
  long double span;
} table;

/* p m and b; and c_T, the free γ̇_T. */
static long double p_of(const table *d, const long double *y)
{
  const long double s = sinl(y[THETA]);
  const long double c = cosl(y[THETA]);
  return 1.0L + 3.0L * c * c + 3.0L * d->sign * d->rod->mu * s * c;
}

static long double b_of(const table *d, const long double *y)
{
  return d->rod->l / 2.0L * sinl(y[THETA]) * y[SPIN] * y[SPIN] - d->rod->g;
}

/* With λ_N = −m b/(p m) and λ_T = −s μ λ_N, everything times p m. */
static void slide_rate(const void *data, const long double *y, long double *f)
{
  const table *d = data;
  const long double s = sinl(y[THETA]);
  const long double c = cosl(y[THETA]);
  const long double p = p_of(d, y);
  const long double N = -b_of(d, y); /* λ_N p: per mass */
  const long double T = -d->sign * d->rod->mu * N;
  f[THETA] = p * y[SPIN];
  f[SPIN] = 6.0L / d->rod->l * (T * s - N * c);
  f[TIME] = p;
  f[SLIP] = p * d->rod->l / 2.0L * c * y[SPIN] * y[SPIN] - 3.0L * s * c * N + (1.0L + 3.0L * s * s) * T;
  f[PLACE] = p * y[SLIP];
}

/* What is left of each condition, in a common scale; the least counts. */
static long double slide_left(const table *d, const long double *y, exact_rod_end *which)
{
  const long double left[] = {d->span - y[TIME], -b_of(d, y) / d->rod->g, d->sign * y[SLIP], sinl(y[THETA]),
                              p_of(d, y) - singular};
  static const exact_rod_end end[] = {EXACT_ROD_TIME, EXACT_ROD_LIFT, EXACT_ROD_STOP, EXACT_ROD_FLAT,
                                      EXACT_ROD_SINGULAR};
  int least = 0;
  for (int i = 1; i < 5; i++) {
    least = left[i] < left[least] ? i : least;
  }
  *which = end[least];
  return left[least];
}

static long double slide_until(const void *data, const long double *y)
{
  exact_rod_end which;
  return slide_left(data, y, &which);
}

static void turn_rate(const void *data, const long double *y, long double *f)
{
  const table *d = data;
  f[THETA] = y[SPIN];
  f[SPIN] = -1.5L * d->rod->g / d->rod->l * cosl(y[THETA]);
  f[TIME] = 1.0L;
  f[SLIP] = 0.0L;
  f[PLACE] = 0.0L;
}

/* The forces that hold the end, from the acceleration of the centre: λ/m in units of g. */
static long double turn_left(const table *d, const long double *y, exact_rod_end *which)
{
  const long double half = d->rod->l / 2.0L;
  const long double s = sinl(y[THETA]);
  const long double c = cosl(y[THETA]);
  long double f[UNKNOWNS];
  turn_rate(d, y, f);
  const long double T = half * (-s * f[SPIN] - c * y[SPIN] * y[SPIN]) / d->rod->g;
  const long double N = half * (c * f[SPIN] - s * y[SPIN] * y[SPIN]) / d->rod->g + 1.0L;
  const long double left[] = {d->span - y[TIME], N, d->rod->mu * N - fabsl(T), s};
  static const exact_rod_end end[] = {EXACT_ROD_TIME, EXACT_ROD_LIFT, EXACT_ROD_SLIP, EXACT_ROD_FLAT};
  int least = 0;
  for (int i = 1; i < 4; i++) {
    least = left[i] < left[least] ? i : least;
  }
  *which = end[least];
  return left[least];
}

static long double turn_until(const void *data, const long double *y)
{
  exact_rod_end which;
  return turn_left(data, y, &which);
}

/* Until something is left no more. A condition that begins at zero must have become positive after one step.
 */
static exact_rod_end run(const exact_rod *rod, table *d, exact_rod_state *s)
{
  const long double half = rod->l / 2.0L;
  const int slides = d->sign != 0.0L;
  const exact_ode ode = {.n = UNKNOWNS,
                         .rate = slides ? slide_rate : turn_rate,
                         .until = slides ? slide_until : turn_until,
                         .data = d};
  const long double start[UNKNOWNS] = {s->q[2], s->u[2], 0.0L, slides ? exact_rod_gamma(rod, s, 1) : 0.0,
                                       s->q[0] - half * cosl(s->q[2])};
  const long double pace = sqrtl(half / rod->g);
  const long double step = 0.02L * pace / (1.0L + fabsl(start[SPIN]) * pace);
  long double y[UNKNOWNS];
  exact_rod_end which;
  memcpy(y, start, sizeof y);
  if (ode.until(d, y) <= 0.0L) {
    exact_ode_step(&ode, step, y);
    if (ode.until(d, y) <= 0.0L) {
      memcpy(y, start, sizeof y);
    }
  }
  while (ode.until(d, y) > 0.0L && exact_ode_run(&ode, step, 1, y) == step) {
  }
  (void)(slides ? slide_left(d, y, &which) : turn_left(d, y, &which));
  const double t = s->t + (double)y[TIME];
  *s = exact_rod_on_table(rod, (double)y[THETA], (double)y[SPIN], (double)y[SLIP]);
  s->t = t;
  s->q[0] += (double)y[PLACE];
  return which;
}

exact_rod_end exact_rod_turn(const exact_rod *rod, double span, exact_rod_state *s)
{
  table d = {rod, 0.0L, span};
  return run(rod, &d, s);
}

exact_rod_end exact_rod_slide(const exact_rod *rod, double span, exact_rod_state *s)
{
  const double slip = exact_rod_gamma(rod, s, 1);
  table d = {rod, slip > 0.0 ? 1.0L : -1.0L, span};
  if (fabs(slip) < 1e-12 * sqrt(rod->g * rod->l)) {
    /* from rest, against the force that held it */
    const exact_one p = exact_rod_contact(rod, s);
    d.sign = p.G[1][0] * p.c[0] - p.G[0][0] * p.c[1] > 0.0 ? -1.0L : 1.0L;
  }
  return run(rod, &d, s);
}
