/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/sliding.h"

#include <float.h>
#include <math.h>

#include "suite.h"

static void any_plane(random_state *random, double decades, double *S)
{
  const double a = random_between(random, 0.0, 6.283185307179586), c = cos(a), s = sin(a);
  const double d = random_scale(random, decades), e = random_scale(random, decades);
  const double k =
      random_below(random, 2) ? 0.0 : random_normal(random) * random_scale(random, 0.5 * decades);
  S[0] = c * c * d + s * s * e;
  S[1] = c * s * (d - e) + k;
  S[2] = c * s * (d - e) - k;
  S[3] = s * s * d + c * c * e;
}

START_TEST(axes_turn_the_symmetric_part_diagonal)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double S[4];
    nsd_sliding_plane plane;
    any_plane(&random, 2.0, S);
    const double size = fabs(S[0]) + fabs(S[1]) + fabs(S[2]) + fabs(S[3]);
    nsd_sliding_find_axes(S, size, &plane);
    const double v[2] = {random_normal(&random), random_normal(&random)};
    double in[2], back[2];
    nsd_sliding_into(&plane, v, in);
    nsd_sliding_out_of(&plane, in, back);
    REQUIRE(hypot(back[0] - v[0], back[1] - v[1]) <= 8.0 * DBL_EPSILON * hypot(v[0], v[1]), "seed %d", k);
    /* S v in these axes */
    const double Sv[2] = {S[0] * v[0] + S[1] * v[1], S[2] * v[0] + S[3] * v[1]};
    const double expected[2] = {plane.s1 * in[0] + plane.k * in[1], plane.s2 * in[1] - plane.k * in[0]};
    double turned[2];
    nsd_sliding_into(&plane, Sv, turned);
    REQUIRE(hypot(turned[0] - expected[0], turned[1] - expected[1]) <=
                16.0 * DBL_EPSILON * size * hypot(v[0], v[1]),
            "seed %d", k);
    double r[2];
    const double s = random_scale(&random, 3.0), b[2] = {in[1], in[0]};
    nsd_sliding_reply(&plane, s, b, r);
    const double left[2] = {(plane.s1 + s) * r[0] + plane.k * r[1] + b[0],
                            (plane.s2 + s) * r[1] - plane.k * r[0] + b[1]};
    REQUIRE(hypot(left[0], left[1]) <=
                16.0 * DBL_EPSILON * ((size + s) * hypot(r[0], r[1]) + hypot(b[0], b[1])),
            "seed %d", k);
  }
}
END_TEST

START_TEST(a_singular_plane_keeps_a_rounding)
{
  const double S[4] = {1.0, 1.0, 1.0, 1.0}, zero[4] = {0.0, 0.0, 0.0, 0.0},
               negative[4] = {1.0, 2.0, 2.0, 1.0};
  nsd_sliding_plane plane;
  nsd_sliding_find_axes(S, 4.0, &plane);
  ck_assert(plane.s1 > 0.0 && plane.s2 > 0.0 && fmin(plane.s1, plane.s2) < 1e-14);
  nsd_sliding_find_axes(negative, 6.0, &plane);
  ck_assert(fabs(fmin(plane.s1, plane.s2) + 1.0) < 1e-14);
  nsd_sliding_find_axes(zero, 0.0, &plane);
  ck_assert(plane.s1 == 0.0 && plane.s2 == 0.0 && plane.axis[0] == 1.0);
}
END_TEST

/* The root by halving, in long double. */
START_TEST(the_root_is_that_of_H)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double S[4], r[2];
    nsd_sliding_plane p;
    any_plane(&random, k % 2 ? 0.5 : 6.0, S);
    nsd_sliding_find_axes(S, 0.0, &p);
    if (p.s1 <= 0.0 || p.s2 <= 0.0) {
      continue;
    }
    const double b[2] = {random_normal(&random), random_normal(&random)};
    const double m[2] = {0.9 * random_normal(&random), 0.9 * random_normal(&random)};
    nsd_sliding_reply(&p, 0.0, b, r);
    const double start = hypot(r[0], r[1]) + nsd_sliding_dot(m, r);
    const double h = start * random_unit(&random) * (random_below(&random, 3) ? 1.0 : 1e-6);
    if (!(h > 0.0)) {
      continue;
    }
    const int steps = nsd_sliding_solve(&p, b, m, h, r);
    const double H = hypot(r[0], r[1]) + nsd_sliding_dot(m, r);
    const double size = hypot(r[0], r[1]) * (1.0 + fabs(m[0]) + fabs(m[1])) + h;
    REQUIRE(fabs(H - h) <= 16.0 * DBL_EPSILON * size, "seed %d: %g, not %g, after %d", k, H, h, steps);
    /* one s for both rows */
    const double x = -(b[0] + p.s1 * r[0] + p.k * r[1]), y = -(b[1] + p.s2 * r[1] - p.k * r[0]);
    const double terms = hypot(b[0], b[1]) + (p.s1 + p.s2 + fabs(p.k)) * hypot(r[0], r[1]);
    REQUIRE(fabs(x * r[1] - y * r[0]) <= 32.0 * DBL_EPSILON * terms * hypot(r[0], r[1]), "seed %d", k);
    REQUIRE(x * r[0] + y * r[1] >= -32.0 * DBL_EPSILON * terms * hypot(r[0], r[1]), "seed %d: s < 0", k);
    REQUIRE(steps <= 60, "seed %d: %d steps", k, steps);
  }
}
END_TEST

SUITE("contact/space/sliding", TEST(axes_turn_the_symmetric_part_diagonal),
      TEST(a_singular_plane_keeps_a_rounding), TEST(the_root_is_that_of_H))
