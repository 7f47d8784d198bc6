/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The rocking block: its equation of motion integrated, its blow from impulses, Housner's small angles. */
#include "support/exact_block.h"

#include <math.h>
#include <string.h>

#include "suite.h"
#include "support/exact_ode.h"

static exact_block random_block(random_state *r)
{
  exact_block p = {.b = random_between(r, 0.1, 0.6), .c = random_between(r, 0.8, 2.0), .g = 9.81};
  p.tilt = random_between(r, 0.05, 0.95) * atan2(p.b, p.c);
  return p;
}

typedef struct turn {
  const exact_block *block;
  long double corner; /* 1: stands on the left one, φ > 0; −1 */
} turn;

/* y = (φ, φ̇): moments about the corner it stands on, J φ̈ = −m g x. */
static void rate(const void *data, const long double *y, long double *f)
{
  const turn *now = data;
  const long double b = now->block->b, c = now->block->c;
  const long double J = (b * b + c * c) * 4.0L / 3.0L;
  const long double x = now->corner * b * cosl(y[0]) - c * sinl(y[0]); /* of the centre from the corner */
  f[0] = y[1];
  f[1] = -(long double)now->block->g * x / J;
}

static long double above_flat(const void *data, const long double *y)
{
  const turn *now = data;
  return now->corner * y[0];
}

/* The spin after a blow in φ = 0: the impulse (I_x, I_y) of the new corner stops it. */
static long double spin_after(const exact_block *p, const long double corner, long double spin)
{
  const long double b = p->b, c = p->c, J = (b * b + c * c) / 3.0L;
  /* Before, the corner at (−corner b, −c) rests; after, that at (corner b, −c) does. v = −spin × r of it. */
  const long double v[2] = {-spin * c, spin * corner * b};
  const long double rx = corner * b, ry = -c;
  /* Its velocity: v + spin × r; G its mobility. */
  const long double u[2] = {v[0] - spin * ry, v[1] + spin * rx};
  const long double G[3] = {1.0L + ry * ry / J, -rx * ry / J, 1.0L + rx * rx / J},
                    det = G[0] * G[2] - G[1] * G[1];
  const long double I[2] = {-(G[2] * u[0] - G[1] * u[1]) / det, -(G[0] * u[1] - G[1] * u[0]) / det};
  return spin + (rx * I[1] - ry * I[0]) / J;
}

START_TEST(blows_come_when_the_integrated_motion_has_them)
{
  for (int k = 0; k < random_cases(60); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_block p = random_block(&r);
    turn now = {&p, 1.0L};
    long double y[2] = {p.tilt, 0.0L}, t = 0.0L, spin = 0.0L;
    const exact_ode ode = {.n = 2, .rate = rate, .until = above_flat, .data = &now};
    for (int i = 1; i <= 4; i++) {
      t += exact_ode_run(&ode, 20.0L, 800, y);
      const long double exact = exact_block_blow(&p, i, &spin);
      REQUIRE(fabsl(t - exact) <= 1e-13L, "case %d, blow %d: %Lg, integrated %Lg", k, i, exact, t);
      REQUIRE(fabsl(fabsl(y[1]) - spin) <= 1e-13L, "case %d, blow %d: spin %Lg, integrated %Lg", k, i, spin,
              fabsl(y[1]));
      y[1] = spin_after(&p, now.corner, y[1]);
      y[0] = 0.0L;
      now.corner = -now.corner;
    }
  }
}
END_TEST

/* The blow as impulses: spin, and the friction it asks for. */
START_TEST(the_blow_keeps_angular_momentum)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_block p = random_block(&r);
    const long double ratio = exact_block_ratio(&p);
    REQUIRE(fabsl(spin_after(&p, 1.0L, -1.0L) + ratio) <= 1e-17L, "case %d", k);
    const long double I_x = (long double)p.c * (ratio - 1.0L), I_y = (long double)p.b * (1.0L + ratio);
    REQUIRE(fabsl(fabsl(I_x) / I_y - exact_block_friction(&p)) <= 1e-17L, "case %d", k);
  }
}
END_TEST

/* Housner: a slender block at small angles, p t = arcosh(1 / (1 − θ/α)). */
START_TEST(small_angles_are_those_of_housner)
{
  for (int k = 1; k < 10; k++) {
    const exact_block p = {.b = 1e-5, .c = 1.0, .g = 9.81, .tilt = 1e-6 * k};
    long double spin;
    const long double t = acoshl(1.0L / (1.0L - (long double)p.tilt / 1e-5L)) / sqrtl(0.75L * 9.81L);
    ck_assert_ldouble_eq_tol(exact_block_blow(&p, 1, &spin), t, 1e-9L);
  }
}
END_TEST

START_TEST(blows_accumulate_at_the_time_of_rest)
{
  for (int k = 0; k < random_cases(100); k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_block p = random_block(&r);
    long double spin;
    /* The last swings are hops under a constant angular deceleration p² sin α. */
    const long double rest = exact_block_rest(&p), last = exact_block_blow(&p, 4000, &spin);
    const long double ratio = exact_block_ratio(&p), R2 = (long double)p.b * p.b + (long double)p.c * p.c;
    const long double left = 2.0L * ratio * spin / (0.75L * (long double)(p.g * p.b) / R2 * (1.0L - ratio));
    REQUIRE(fabsl(rest - last - left) <= 1e-15L * rest, "case %d: %Lg, %Lg", k, rest - last, left);
    REQUIRE(exact_block_peak(&p, 1) < (long double)p.tilt &&
                exact_block_peak(&p, 1) > exact_block_peak(&p, 2),
            "case %d", k);
  }
}
END_TEST

SUITE("support/exact_block", TEST(blows_come_when_the_integrated_motion_has_them),
      TEST(the_blow_keeps_angular_momentum), TEST(small_angles_are_those_of_housner),
      TEST(blows_accumulate_at_the_time_of_rest))
