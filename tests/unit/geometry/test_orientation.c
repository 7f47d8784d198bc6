/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/orientation.h"

#include <math.h>

#include "suite.h"

/* Coordinates are k 2^-52 with |k| < 2^53: the sign in 128-bit integers. */
static int sign_of(const int64_t *a, const int64_t *b, const int64_t *c)
{
  __extension__ typedef __int128 wide;
  const wide left = (wide)(b[0] - a[0]) * (c[1] - a[1]), right = (wide)(b[1] - a[1]) * (c[0] - a[0]);
  return left > right ? 1 : left < right ? -1 : 0;
}

/* Points near a line through two others, and on it: as integers say, whatever the order. */
START_TEST(sign_is_exact)
{
  const int cases = random_cases(200000);
  int zero = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    int64_t p[3][2];
    double x[3][2];
    const int64_t step[2] = {(int64_t)(random_bits(&random) >> 20) - (INT64_C(1) << 43),
                             (int64_t)(random_bits(&random) >> 20) - (INT64_C(1) << 43)};
    for (int i = 0; i < 3; i++) {
      const int64_t m = (int64_t)(random_bits(&random) >> 56) - 128;
      for (int a = 0; a < 2; a++) {
        p[i][a] = m * step[a] + random_below(&random, 3) - 1;
        x[i][a] = ldexp((double)p[i][a], -52);
      }
    }
    const int expected = sign_of(p[0], p[1], p[2]);
    zero += expected == 0;
    REQUIRE(nsd_orientation(x[0], x[1], x[2]) == expected, "case %d", k);
    REQUIRE(nsd_orientation(x[1], x[2], x[0]) == expected && nsd_orientation(x[1], x[0], x[2]) == -expected,
            "case %d", k);
  }
  REQUIRE(is_common(zero, cases, 200), "%d", zero);
}
END_TEST

/* Ends on the other segment count as meeting, not as crossing. */
START_TEST(segments)
{
  const double p[6][2] = {{0.0, 0.0}, {2.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}, {1.0, -1.0}, {3.0, 0.0}};
  ck_assert(nsd_segments_meet(p[0], p[1], p[2], p[3]) && !nsd_segments_cross(p[0], p[1], p[2], p[3]));
  ck_assert(nsd_segments_meet(p[0], p[1], p[3], p[4]) && nsd_segments_cross(p[0], p[1], p[3], p[4]));
  ck_assert(nsd_segments_meet(p[0], p[1], p[2], p[5])); /* on one line, with a part in common */
  ck_assert(!nsd_segments_meet(p[0], p[2], p[1], p[5]) && !nsd_segments_meet(p[0], p[2], p[3], p[5]));
}
END_TEST

SUITE("geometry/orientation", TEST(sign_is_exact), TEST(segments))
