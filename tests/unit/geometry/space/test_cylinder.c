/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cylinders on planes and spheres: the nearest touch against dense points of the surface, in long double;
 * gaps against velocities; standing, lying, and what is refused. */
#include "geometry/space/cylinder.h"

#include "solids.h"

static solids_case make(int kind, double length, double radius)
{
  nsdyn_solid_def def;
  solids_case c = {.kind = kind, .radius = radius, .size = length, .pose = {0.0, 0.0, 0.0, 1.0}};
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = kind;
  def.extent[0] = length;
  def.radius = radius;
  REQUIRE(nsdyn_solid_new(NULL, &def, &c.solid, NULL) == NSDYN_OK);
  return c;
}

/* The z axis of a pose in the world, by its quaternion. */
static void axis_of(const solids_case *c, solids_real *a)
{
  const solids_real w = c->pose[3], x = c->pose[4], y = c->pose[5], z = c->pose[6];
  a[0] = 2.0L * (x * z + w * y);
  a[1] = 2.0L * (y * z - w * x);
  a[2] = 1.0L - 2.0L * (x * x + y * y);
}

/* From a point to a cylinder: along the way (ρ, z) of its half section, points of whose outline are tried,
 * the best of them between its neighbours again. */
static solids_real outline_apart(solids_real rho, solids_real z, solids_real R, solids_real h)
{
  const solids_real corner[4][2] = {{0.0L, -h}, {R, -h}, {R, h}, {0.0L, h}};
  solids_real best = INFINITY;
  for (int side = 0; side < 3; side++) {
    solids_real low = 0.0L, high = 1.0L;
    for (int round = 0; round < 12; round++) {
      solids_real at = low, least = INFINITY;
      for (int k = 0; k <= 32; k++) {
        const solids_real s = low + (high - low) * (solids_real)k / 32.0L;
        const solids_real x = corner[side][0] + s * (corner[side + 1][0] - corner[side][0]);
        const solids_real y = corner[side][1] + s * (corner[side + 1][1] - corner[side][1]);
        const solids_real far = hypotl(rho - x, z - y);
        if (far < least) {
          least = far;
          at = s;
        }
      }
      const solids_real step = (high - low) / 32.0L;
      low = fmaxl(0.0L, at - step);
      high = fminl(1.0L, at + step);
      best = fminl(best, least);
    }
  }
  return rho < R && fabsl(z) < h ? -best : best;
}

START_TEST(spheres_are_as_far_as_the_outline)
{
  const int cases = random_cases(2000);
  int inside = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    solids_case c =
        make(NSDYN_SOLID_CYLINDER, random_between(&random, 0.2, 2.0), random_between(&random, 0.1, 1.0));
    solids_case ball = make(NSDYN_SOLID_SPHERE, 0.0, random_between(&random, 0.01, 0.5));
    solids_turn(&random, c.pose + 3);
    for (int i = 0; i < 3; i++) {
      c.pose[i] = random_between(&random, -1.0, 1.0);
      ball.pose[i] = c.pose[i] + random_between(&random, -0.8, 0.8) * (c.size + c.radius);
    }
    solids_real a[3], w[3], z = 0.0L, square = 0.0L;
    axis_of(&c, a);
    for (int i = 0; i < 3; i++) {
      w[i] = (solids_real)ball.pose[i] - c.pose[i];
      z += a[i] * w[i];
    }
    for (int i = 0; i < 3; i++) {
      square += (w[i] - z * a[i]) * (w[i] - z * a[i]);
    }
    const double apart = (double)(outline_apart(sqrtl(square), z, c.radius, 0.5L * c.size) - ball.radius);
    for (int order = 0; order < 2; order++) {
      solids_touches found;
      solids_look(order ? &ball : &c, order ? &c : &ball, INFINITY, &found);
      REQUIRE(found.count == 1, "case %d", number);
      REQUIRE(fabs(found.all[0].gap - apart) <= 1e-13, "case %d: %.17g instead of %.17g", number,
              found.all[0].gap, apart);
      REQUIRE(found.all[0].feature[order] >= NSD_CYLINDER_RIM && found.all[0].feature[1 - order] == 0);
    }
    inside += apart < -ball.radius;
    nsdyn_solid_free(c.solid);
    nsdyn_solid_free(ball.solid);
  }
  ck_assert(is_common(inside, cases, 20));
}
END_TEST

/* The lowest of 40 000 points of the rims is as low, to their distance; gaps change as velocities say. */
START_TEST(planes_touch_the_lowest_points)
{
  const int cases = random_cases(200), points = 20000;
  int compared = 0, rims = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number + 900);
    const double length = random_between(&random, 0.2, 2.0), R = random_between(&random, 0.1, 1.0);
    solids_case c = make(NSDYN_SOLID_CYLINDER, length, R), plane = make(NSDYN_SOLID_PLANE, 0.0, 0.0);
    solids_turn(&random, c.pose + 3);
    c.pose[2] = random_between(&random, -1.0, 2.0);
    solids_touches found, moved[2];
    solids_look(&plane, &c, INFINITY, &found);
    double least = INFINITY;
    for (int k = 0; k < 2 * points; k++) {
      const double angle = 6.283185307179586 * k / points;
      const double own[3] = {R * cos(angle), R * sin(angle), k < points ? -0.5 * length : 0.5 * length};
      double x[3];
      nsdyn_quaternion_rotate(c.pose + 3, own, x);
      least = fmin(least, x[2] + c.pose[2]);
    }
    REQUIRE(fabs(found.all[0].gap - least) <= 1e-7, "case %d: %g, %g", number, found.all[0].gap, least);
    const double omega[3] = {random_normal(&random), random_normal(&random), random_normal(&random)};
    const double dt = 1e-6, rate = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
    for (int k = 0; k < 2; k++) {
      solids_case next = c;
      double turn[4];
      nsdyn_quaternion_from_axis_angle(omega, k ? rate * dt : -rate * dt, turn);
      solids_product(turn, c.pose + 3, next.pose + 3);
      solids_look(&plane, &next, INFINITY, &moved[k]);
    }
    for (int i = 0; i < found.count; i++) {
      const nsdyn_solid_touch *t = &found.all[i];
      for (int j = 0; j < moved[0].count && j < moved[1].count; j++) {
        if (moved[0].all[j].feature[1] == t->feature[1] && moved[1].all[j].feature[1] == t->feature[1]) {
          /* (ω × r)_z */
          const double r[2] = {t->point[1][0] - c.pose[0], t->point[1][1] - c.pose[1]};
          const double said = omega[0] * r[1] - omega[1] * r[0];
          REQUIRE(fabs((moved[1].all[j].gap - moved[0].all[j].gap) / (2.0 * dt) - said) <= 1e-6, "case %d",
                  number);
          compared++;
          rims += t->feature[1] >= NSD_CYLINDER_RIM;
        }
      }
    }
    nsdyn_solid_free(c.solid);
    nsdyn_solid_free(plane.solid);
  }
  ck_assert_int_ge(compared, cases); /* both rims, or one and four corners, of nearly all */
  ck_assert_int_ge(rims, cases);
}
END_TEST

START_TEST(standing_ones_have_four_corners_lying_ones_two_rims)
{
  solids_case c = make(NSDYN_SOLID_CYLINDER, 1.0, 0.3), plane = make(NSDYN_SOLID_PLANE, 0.0, 0.0);
  solids_touches found;
  c.pose[2] = 0.5;
  solids_look(&c, &plane, 0.1, &found);
  ck_assert_int_eq(found.count, 4);
  for (int i = 0; i < 4; i++) {
    ck_assert_double_eq_tol(found.all[i].gap, 0.0, 1e-15);
    ck_assert_int_lt(found.all[i].feature[0], 4);
  }
  nsdyn_quaternion_from_axis_angle((double[]){1.0, 0.0, 0.0}, 1.5707963267948966, c.pose + 3);
  solids_look(&c, &plane, 0.3, &found);
  ck_assert_int_eq(found.count, 2);
  ck_assert_double_eq_tol(found.all[0].gap, 0.2, 1e-15);
  ck_assert_double_eq_tol(fabs(found.all[0].point[0][1]), 0.5, 1e-15);
  int calls = 0;
  ck_assert_int_eq(nsdyn_solids_touch(c.solid, c.pose, c.solid, c.pose, 1.0, solids_keep, &calls),
                   NSDYN_ERR_UNSUPPORTED);
  nsdyn_solid_free(c.solid);
  nsdyn_solid_free(plane.solid);
}
END_TEST

/* clang-format off */
SUITE("geometry/space/cylinder",
  TEST(spheres_are_as_far_as_the_outline),
  TEST(planes_touch_the_lowest_points),
  TEST(standing_ones_have_four_corners_lying_ones_two_rims))
/* clang-format on */
