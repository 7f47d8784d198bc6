/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The closed form of impact oscillators: against an integrator of order 16, and differences of its orbits. */
#include "support/exact_hammer.h"

#include <math.h>

#include "suite.h"
#include "support/exact_ode.h"

static exact_hammer random_hammer(random_state *r)
{
  const int is_floor = random_below(r, 2), is_free = random_below(r, 3) == 0;
  exact_hammer p = {.omega = random_between(r, 0.7, 3.0), .eps = random_between(r, 0.1, 0.9), .turns = 1};
  p.k = is_free ? 0.0 : random_between(r, 0.2, 3.0);
  p.c = is_free || random_below(r, 3) == 0 ? 0.0 : random_between(r, 0.0, 4.0);
  p.G = random_between(r, is_free ? -2.0 : -1.0, is_free ? -0.1 : 0.5);
  *(is_floor ? &p.A : &p.F) = random_between(r, 0.2, 3.0);
  return p;
}

/* y = (t, x, ẋ) */
static void rate(const void *data, const long double *y, long double *f)
{
  const exact_hammer *p = data;
  f[0] = 1.0L;
  f[1] = y[2];
  f[2] = -(long double)p->k * y[1] - (long double)p->c * y[2] + (long double)p->G +
         (long double)p->F * cosl((long double)p->omega * y[0]);
}

static void flow(const exact_hammer *p, long double t, long double span, long double *z, long double *v)
{
  const exact_ode ode = {.n = 3, .rate = rate, .data = p};
  const long double w = p->omega, A = p->A;
  long double y[3] = {t, *z + A * cosl(w * t), *v - A * w * sinl(w * t)};
  exact_ode_run(&ode, span, 60, y);
  *z = y[1] - A * cosl(w * (t + span));
  *v = y[2] + A * w * sinl(w * (t + span));
}

START_TEST(the_orbit_comes_back)
{
  int count = 0;
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_hammer p = random_hammer(&r);
    exact_hammer_cycle o;
    if (exact_hammer_solve(&p, k % 2 ? 1 : -1, &o)) {
      long double z = 0.0L, v = o.after, at, speed;
      flow(&p, o.t, o.period, &z, &v);
      const long double size = 1.0L + o.after + fabsl(o.before);
      REQUIRE(fabsl(z) < 1e-14L * size && fabsl(v - o.before) < 1e-14L * size, "case %d", k);
      REQUIRE(fabsl(o.after + (long double)p.eps * o.before) < 1e-14L * size, "case %d", k);
      exact_hammer_at(&p, &o, o.period, &at, &speed);
      REQUIRE(fabsl(at - z) < 1e-14L * size && fabsl(speed - v) < 1e-14L * size, "case %d", k);
      if (isfinite(o.low_gap)) {
        z = 0.0L;
        v = o.after;
        flow(&p, o.t, o.low_at, &z, &v);
        REQUIRE(fabsl(z - o.low_gap) < 1e-14L * size && fabsl(v) < 1e-14L * size, "case %d", k);
      }
      count++;
    }
  }
  ck_assert_int_gt(count, random_cases(300) / 8);
}
END_TEST

/* From one impact (t, v after it) to the next, which comes near `span`. */
static void impact_map(const exact_hammer *p, long double t, long double v, long double span, long double *to)
{
  long double z = 0.0L, w = v, s = span;
  flow(p, t, s, &z, &w);
  for (int i = 0; i < 6; i++) { /* Newton's method on z */
    s -= z / w;
    z = 0.0L;
    w = v;
    flow(p, t, s, &z, &w);
  }
  to[0] = t + s;
  to[1] = -(long double)p->eps * w;
}

/* In (t, v) of the impacts; the map has the same multipliers in any coordinates. */
START_TEST(trace_and_determinant_are_those_of_the_impact_map)
{
  for (int k = 0; k < random_cases(60); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_hammer p = random_hammer(&r);
    exact_hammer_cycle o;
    if (!exact_hammer_solve(&p, k % 2 ? 1 : -1, &o) || o.before > -0.2L || o.after < 0.05L) {
      continue;
    }
    const long double h = 1e-5L;
    long double a[2], b[2], J[4];
    impact_map(&p, o.t + h, o.after, o.period, a);
    impact_map(&p, o.t - h, o.after, o.period, b);
    J[0] = (a[0] - b[0]) / (2.0L * h);
    J[2] = (a[1] - b[1]) / (2.0L * h);
    impact_map(&p, o.t, o.after + h, o.period, a);
    impact_map(&p, o.t, o.after - h, o.period, b);
    J[1] = (a[0] - b[0]) / (2.0L * h);
    J[3] = (a[1] - b[1]) / (2.0L * h);
    const long double size = fabsl(J[0]) + fabsl(J[1]) + fabsl(J[2]) + fabsl(J[3]);
    REQUIRE(fabsl(J[0] + J[3] - o.trace) < 1e-6L * size * (1.0L + size), "case %d", k);
    REQUIRE(fabsl(J[0] * J[3] - J[1] * J[2] - o.det) < 1e-6L * size * (1.0L + size * size), "case %d", k);
    long double re[2], im[2];
    exact_hammer_multipliers(&o, re, im);
    REQUIRE(fabsl(re[0] + re[1] - o.trace) < 1e-15L * size && im[0] == -im[1], "case %d", k);
    REQUIRE(fabsl(re[0] * re[1] - im[0] * im[1] - o.det) < 1e-15L * size, "case %d", k);
  }
}
END_TEST

/* Along the forcing's amplitude: where the period doubles, and where the gap between impacts closes. */
START_TEST(flips_and_grazes_are_zeros)
{
  int flips = 0, grazes = 0;
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&r);
    double *parameter = p.A != 0.0 ? &p.A : &p.F;
    const double from = *parameter;
    for (int what = EXACT_HAMMER_FLIP; what <= EXACT_HAMMER_GRAZE; what++) {
      const double at = exact_hammer_find(&p, 1, parameter, from, 3.0 * from, what);
      exact_hammer_cycle o;
      if (isnan(at)) {
        continue;
      }
      *parameter = at;
      ck_assert(exact_hammer_solve(&p, 1, &o));
      if (what == EXACT_HAMMER_FLIP) {
        REQUIRE(fabsl(1.0L + o.trace + o.det) < 1e-11L * (1.0L + fabsl(o.trace)), "case %d", k);
        flips++;
      } else if (fabsl(o.low_gap) < 1e-12L) { /* else it jumps there, as another low takes its place */
        REQUIRE(!exact_hammer_is_clear(&p, &o, 0.01), "case %d", k);
        grazes++;
      }
    }
  }
  ck_assert(cases < 200 || (flips > 0 && grazes > 0));
}
END_TEST

SUITE("support/exact_hammer", TEST(the_orbit_comes_back),
      TEST(trace_and_determinant_are_those_of_the_impact_map), TEST(flips_and_grazes_are_zeros))
