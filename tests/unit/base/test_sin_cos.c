/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sin_cos.h"

#include <float.h>
#include <math.h>

#include "suite.h"

#define TURN 6.283185307179586476925286766559L

START_TEST(directions_are_cosine_and_sine)
{
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int64_t whole = 1 + random_below(&random, k % 2 ? 64 : 2000000000);
    const int64_t part = (int64_t)(random_unit(&random) * (double)(whole + 1));
    double e[2];
    nsd_sin_cos_of_turn(part, whole, e);
    const long double angle = TURN * (long double)part / (long double)whole;
    REQUIRE(fabsl(e[0] - cosl(angle)) <= 2.0L * DBL_EPSILON, "seed %d", k);
    REQUIRE(fabsl(e[1] - sinl(angle)) <= 2.0L * DBL_EPSILON, "seed %d", k);
    const double by = random_between(&random, -1.0, 1.0) * random_scale(&random, k % 3 ? 1.0 : 5.9);
    nsd_sin_cos(by, e);
    REQUIRE(fabsl(e[0] - cosl((long double)by)) <= 2.0L * DBL_EPSILON, "seed %d", k);
    REQUIRE(fabsl(e[1] - sinl((long double)by)) <= 2.0L * DBL_EPSILON, "seed %d", k);
  }
}
END_TEST

/* Many at once: each of them as exact, whoever its neighbours are; beyond 10^6 as one alone. */
START_TEST(many_are_cosine_and_sine)
{
  enum { MOST = 11, ROOM = 12 };
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int count = 1 + random_below(&random, MOST);
    double angle[ROOM] = {0.0}, c[ROOM], s[ROOM], again[4], c_1[4], s_1[4], e[2];
    for (int i = 0; i < count; i++) {
      const double size = k % 3 ? 10.0 : random_scale(&random, 8.0);
      angle[i] = random_between(&random, -1.0, 1.0) * size;
    }
    nsd_sin_cos_of_many(count, angle, c, s);
    for (int i = 0; i < count; i++) {
      if (fabs(angle[i]) < 1e6) {
        REQUIRE(fabsl(c[i] - cosl((long double)angle[i])) <= 2.0L * DBL_EPSILON, "seed %d", k);
        REQUIRE(fabsl(s[i] - sinl((long double)angle[i])) <= 2.0L * DBL_EPSILON, "seed %d", k);
        again[0] = again[1] = again[2] = 0.0;
        again[3] = angle[i];
        nsd_sin_cos_of_many(4, again, c_1, s_1);
        REQUIRE(c_1[3] == c[i] && s_1[3] == s[i] && c_1[0] == 1.0 && s_1[0] == 0.0, "seed %d", k);
      } else {
        nsd_sin_cos(angle[i], e);
        REQUIRE(c[i] == e[0] && s[i] == e[1], "seed %d", k);
      }
    }
  }
}
END_TEST

START_TEST(quarters_and_mirrors_are_exact)
{
  static const double axes[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
  for (int64_t whole = 4; whole < 400; whole += 2) {
    for (int64_t part = 0; part <= whole; part++) {
      double e[2], f[2];
      nsd_sin_cos_of_turn(part, whole, e);
      if (4 * part % whole == 0) {
        ck_assert(e[0] == axes[4 * part / whole][0] && e[1] == axes[4 * part / whole][1]);
      }
      nsd_sin_cos_of_turn(whole - part, whole, f);
      ck_assert(f[0] == e[0] && f[1] == -e[1]);
      if (part <= whole / 2) {
        nsd_sin_cos_of_turn(whole / 2 - part, whole, f);
        ck_assert(f[0] == -e[0] && f[1] == e[1]);
      }
    }
  }
  double e[2];
  nsd_sin_cos(0.0, e);
  ck_assert(e[0] == 1.0 && e[1] == 0.0);
}
END_TEST

/* Of a large angle, the last bit moves the direction: it is one of those within the rounding. */
START_TEST(large_angles_give_unit_vectors)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double angle = random_normal(&random) * random_scale(&random, 300.0);
    double e[2];
    nsd_sin_cos(angle, e);
    REQUIRE(fabs(e[0] * e[0] + e[1] * e[1] - 1.0) <= 4.0 * DBL_EPSILON, "seed %d", k);
    if (fabs(angle) < 1e12) {
      REQUIRE(hypot(e[0] - cos(angle), e[1] - sin(angle)) <= DBL_EPSILON * (4.0 + fabs(angle)), "seed %d", k);
    }
  }
}
END_TEST

SUITE("base/sin_cos", TEST(directions_are_cosine_and_sine), TEST(many_are_cosine_and_sine),
      TEST(quarters_and_mirrors_are_exact), TEST(large_angles_give_unit_vectors))
