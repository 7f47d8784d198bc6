/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/friction.h"

#include <math.h>

#include "base/sin_cos.h"
#include "suite.h"

/* Disk, ellipses, regular and stretched polygons, turned. */
static nsd_contact_spec random_set(random_state *random, nsd_contact_space *space)
{
  const int is_polygon = (int)random_below(random, 2);
  *space = (nsd_contact_space){.sides = is_polygon ? 4 + 2 * (int)random_below(random, 6) : 0,
                               .aspect = random_below(random, 3) ? exp(random_normal(random)) : 1.0};
  space->is_round = !is_polygon && space->aspect == 1.0;
  nsd_sin_cos(random_between(random, -4.0, 4.0), space->axis);
  return (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5, .space = space};
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* A point of the set: a mixture of supports. */
static void random_point(const nsd_contact_spec *s, double limit, random_state *random, double *p)
{
  double a[2], b[2];
  const double e[2] = {random_normal(random), random_normal(random)};
  const double f[2] = {random_normal(random), random_normal(random)};
  nsd_friction_support(s, limit, e, a);
  nsd_friction_support(s, limit, f, b);
  const double t = random_unit(random);
  p[0] = t * a[0] + (1.0 - t) * b[0];
  p[1] = t * a[1] + (1.0 - t) * b[1];
}

/* p is nearest to z: (z − p)·(x − p) <= 0 for every x of the set. The support is the farthest. */
START_TEST(projections_and_supports_are_extreme)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_contact_space set;
    const nsd_contact_spec s = random_set(&random, &set);
    const double limit = exp(2.0 * random_normal(&random));
    const double z[2] = {3.0 * limit * random_normal(&random), 3.0 * limit * random_normal(&random)};
    double p[2], x[2], far[2];
    nsd_friction_project(&s, limit, z, p);
    nsd_friction_support(&s, limit, z, far);
    const double size = (limit + sqrt(dot(z, z))) * (1.0 + set.aspect);
    for (int i = 0; i < 5; i++) {
      random_point(&s, limit, &random, x);
      const double leave = (z[0] - p[0]) * (x[0] - p[0]) + (z[1] - p[1]) * (x[1] - p[1]);
      REQUIRE(leave <= 1e-13 * size * size, "seed %d: a point is nearer by %g", k, leave);
      REQUIRE(dot(x, z) <= dot(far, z) + 1e-13 * size * size, "seed %d: a point is farther", k);
    }
    /* No limit, no impulse. */
    nsd_friction_project(&s, 0.0, z, x);
    REQUIRE(x[0] == 0.0 && x[1] == 0.0, "seed %d: %g, %g of nothing", k, x[0], x[1]);
    /* The support is in the set: it is its own projection. */
    double own[2];
    nsd_friction_project(&s, limit, far, own);
    REQUIRE(hypot(own[0] - far[0], own[1] - far[1]) <= 1e-12 * limit * (1.0 + set.aspect),
            "seed %d: outside by %g", k, hypot(own[0] - far[0], own[1] - far[1]));
  }
}
END_TEST

/* D and d against differences in z and in the limit, away from kinks. */
START_TEST(derivatives_are_slopes)
{
  const int cases = random_cases(20000);
  int compared = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k + 77);
    nsd_contact_space set;
    const nsd_contact_spec s = random_set(&random, &set);
    const double limit = exp(random_normal(&random)), h = 1e-6 * limit;
    double z[2] = {2.0 * limit * random_normal(&random), 2.0 * limit * random_normal(&random)};
    double D[4], d[2];
    nsd_friction_derivative(&s, limit, z, D, d);
    for (int i = 0; i < 3; i++) {
      double low[2], high[2], middle[2], step[2] = {z[0], z[1]}, back[2] = {z[0], z[1]};
      if (i < 2) {
        step[i] += h;
        back[i] -= h;
      }
      nsd_friction_project(&s, i == 2 ? limit + h : limit, step, high);
      nsd_friction_project(&s, i == 2 ? limit - h : limit, back, low);
      nsd_friction_project(&s, limit, z, middle);
      for (int j = 0; j < 2; j++) {
        const double bend = fabs(high[j] - 2.0 * middle[j] + low[j]) / h;
        if (bend > 1e-4) { /* a kink between */
          continue;
        }
        compared++;
        const double slope = (high[j] - low[j]) / (2.0 * h), own = i == 2 ? d[j] : D[2 * j + i];
        REQUIRE(fabs(slope - own) <= 1e-3 * (1.0 + set.aspect + 1.0 / set.aspect), "seed %d: %g for %g", k,
                own, slope);
      }
    }
  }
  ck_assert_int_gt(compared, 4 * cases);
}
END_TEST

/* Planar contacts in the same form. */
START_TEST(a_planar_contact_has_a_segment)
{
  nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  double Lambda[2] = {2.0, -3.0};
  nsd_friction_admit(&s, Lambda);
  ck_assert_double_eq(Lambda[1], -1.0);
  s.sliding = -1;
  nsd_friction_admit(&s, Lambda);
  ck_assert_double_eq(Lambda[1], 1.0);
  Lambda[0] = -1.0;
  nsd_friction_admit(&s, Lambda);
  ck_assert_double_eq(Lambda[0], 0.0);
  ck_assert_double_eq(fabs(Lambda[1]), 0.0);
}
END_TEST

/* Along a known direction the impulse is where that sliding dissipates most, of a slot whatever its side. */
START_TEST(a_known_direction_sets_the_impulse)
{
  const nsd_contact_space disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}};
  const nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD,
                              .mu = 0.5,
                              .kind = NSDYN_CONTACT_BILATERAL,
                              .sliding = 1,
                              .space = &disk,
                              .slip = {0.6, -0.8}};
  double Lambda[3] = {-4.0, 7.0, 7.0};
  nsd_friction_admit(&s, Lambda);
  ck_assert_double_eq(Lambda[0], -4.0);
  ck_assert_double_eq_tol(Lambda[1], -1.2, 1e-15);
  ck_assert_double_eq_tol(Lambda[2], 1.6, 1e-15);
}
END_TEST

SUITE("contact/space/friction", TEST(projections_and_supports_are_extreme), TEST(derivatives_are_slopes),
      TEST(a_planar_contact_has_a_segment), TEST(a_known_direction_sets_the_impulse))
