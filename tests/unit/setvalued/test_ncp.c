/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/setvalued.h"

#include <float.h>
#include <math.h>

#include "suite.h"

/* One name for the three functions and for their forms with bounds. */
enum kind { MIN, FB, PFB };

static double ncp(enum kind kind, double lambda, double a, double b, double *da, double *db)
{
  return kind == MIN  ? nsdyn_ncp_min(a, b, da, db)
         : kind == FB ? nsdyn_ncp_fb(a, b, da, db)
                      : nsdyn_ncp_pfb(lambda, a, b, da, db);
}

static double box(enum kind kind, double lambda, const double bounds[2], const double at[2], double slope[2])
{
  double *dx = slope ? &slope[0] : NULL, *dy = slope ? &slope[1] : NULL;
  return kind == MIN  ? nsdyn_ncp_min_box(bounds[0], bounds[1], at[0], at[1], dx, dy)
         : kind == FB ? nsdyn_ncp_fb_box(bounds[0], bounds[1], at[0], at[1], dx, dy)
                      : nsdyn_ncp_pfb_box(lambda, bounds[0], bounds[1], at[0], at[1], dx, dy);
}

static double random_sign(random_state *random)
{
  return random_below(random, 2) ? 1.0 : -1.0;
}

/* Zeros and denormals often, else any sign and scale. */
static double any_number(random_state *random)
{
  static const double specials[] = {0.0, -0.0, DBL_TRUE_MIN, 3 * DBL_TRUE_MIN, DBL_MIN, 1.0, DBL_MAX};
  if (random_below(random, 3) == 0) {
    return random_sign(random) * specials[random_below(random, 7)];
  }
  return random_sign(random) * random_scale(random, 307.0);
}

static double any_lambda(random_state *random)
{
  return random_below(random, 4) ? 1.0 - random_unit(random) : random_below(random, 2) ? 1.0 : 1e-300;
}

START_TEST(zero_exactly_on_the_complementarity_set)
{
  int zeros = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = any_number(&random), b = any_number(&random), lambda = any_lambda(&random);
    const int expected = a >= 0.0 && b >= 0.0 && (a == 0.0 || b == 0.0);
    zeros += expected;
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      const double value = ncp(kind, lambda, a, b, NULL, NULL);
      ck_assert_msg(isfinite(value) && (value == 0.0) == expected, "kind %d, seed %d: φ(%g, %g) = %g",
                    (int)kind, k, a, b, value);
      const double sign = kind == FB ? -1.0 : 1.0;
      ck_assert_msg(expected || (sign * value > 0.0) == (a > 0.0 && b > 0.0), "kind %d, seed %d: sign",
                    (int)kind, k);
    }
  }
  ck_assert_int_gt(zeros, cases / 50);
}
END_TEST

/* Bounds and a point of which many are equal or next to each other. */
static void box_case(random_state *random, double bounds[2], double at[2])
{
  const double scale = random_below(random, 2) ? random_scale(random, 300.0) : 1.0;
  double first = scale * (random_below(random, 5) - 2), second = scale * (random_below(random, 5) - 2);
  bounds[0] = random_below(random, 4) ? fmin(first, second) : -INFINITY;
  bounds[1] = random_below(random, 4) ? fmax(first, second) : INFINITY;
  at[0] = scale * (random_below(random, 7) - 3);
  if (random_below(random, 3) == 0) {
    at[0] = nextafter(at[0], random_sign(random) * INFINITY);
  }
  at[1] = random_below(random, 3) ? any_number(random) : 0.0;
}

START_TEST(zero_exactly_on_the_set_of_the_mixed_problem)
{
  int zeros = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double bounds[2], at[2];
    box_case(&random, bounds, at);
    const double lambda = any_lambda(&random), lo = bounds[0], hi = bounds[1], x = at[0], y = at[1];
    const int expected = x >= lo && x <= hi && (x == lo || y <= 0.0) && (x == hi || y >= 0.0);
    zeros += expected;
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      const double value = box(kind, lambda, bounds, at, NULL);
      ck_assert_msg(isfinite(value) && (value == 0.0) == expected, "kind %d, seed %d: [%g, %g] x %g y %g: %g",
                    (int)kind, k, lo, hi, x, y, value);
    }
    const double residual = nsdyn_interval_residual(lo, hi, 1.0, x, -y);
    ck_assert_msg((residual == 0.0) == expected, "seed %d: −y in the normal cone", k);
  }
  ck_assert_int_gt(zeros, cases / 20);
}
END_TEST

START_TEST(min_box_is_the_middle_of_three)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double lo = random_normal(&random), hi = lo + fabs(random_normal(&random));
    const double at[2] = {2.0 * random_normal(&random), random_normal(&random)}, bounds[2] = {lo, hi};
    const double natural = at[0] - nsdyn_interval_prox(lo, hi, at[0] - at[1]);
    ck_assert_msg(fabs(box(MIN, 1.0, bounds, at, NULL) - natural) <= 4.0 * DBL_EPSILON * (fabs(at[0]) + 4.0),
                  "seed %d", k);
  }
}
END_TEST

START_TEST(infinite_bounds_are_the_limits)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double x = random_normal(&random), y = random_normal(&random), lo = random_normal(&random);
    const double lambda = any_lambda(&random), at[2] = {x, y}, mirrored[2] = {-x, -y};
    const double free[2] = {-INFINITY, INFINITY}, above[2] = {lo, INFINITY}, below[2] = {-INFINITY, -lo};
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      const double sign = kind == FB ? -1.0 : 1.0;
      double slope[2], da, db;
      ck_assert_msg(box(kind, lambda, free, at, slope) == sign * y, "seed %d", k);
      ck_assert_msg(slope[0] == 0.0 && slope[1] == sign, "seed %d", k);
      const double value = ncp(kind, lambda, x - lo, y, &da, &db);
      ck_assert_msg(box(kind, lambda, above, at, slope) == value, "seed %d", k);
      ck_assert_msg(slope[0] == da && slope[1] == db, "seed %d", k);
      /* (x, y, lo, hi) → (−x, −y, −hi, −lo) turns the sign */
      const double mirror = box(kind, lambda, below, mirrored, slope);
      ck_assert_msg(fabs(mirror + value) <= 4.0 * DBL_EPSILON * fabs(value), "seed %d", k);
      ck_assert_msg(fabs(slope[0] - da) <= 4.0 * DBL_EPSILON * fabs(da), "seed %d", k);
    }
    /* a bound far away is nearly none (not for the penalized one: its product grows) */
    const double far[2] = {lo, 1e30};
    ck_assert_msg(fabs(box(FB, 1.0, far, at, NULL) - box(FB, 1.0, above, at, NULL)) < 1e-25, "seed %d", k);
    ck_assert(box(MIN, 1.0, far, at, NULL) == box(MIN, 1.0, above, at, NULL));
  }
}
END_TEST

/* Fischer–Burmeister in long double, by the formula that does not cancel. */
static long double fb_reference(long double a, long double b)
{
  const long double r = sqrtl(a * a + b * b);
  if (a > 0 && b > 0) {
    return -2 * a * b / (r + a + b);
  }
  return a > 0 ? b * b / (r + a) - b : b > 0 ? a * a / (r + b) - a : r - a - b;
}

START_TEST(fb_is_right_to_some_roundings_at_any_scale)
{
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double scale = random_scale(&random, 300.0), spread = random_below(&random, 2) ? 0.5 : 300.0;
    double a = random_sign(&random) * scale * random_scale(&random, spread);
    double b = random_sign(&random) * scale * random_scale(&random, spread);
    a = isinf(a) ? 1e300 : a;
    b = isinf(b) ? -1e300 : b;
    double da, db;
    const double value = nsdyn_ncp_fb(a, b, &da, &db);
    const long double exact = fb_reference(a, b), r = sqrtl((long double)a * a + (long double)b * b);
    ck_assert_msg(value == nsdyn_ncp_fb(b, a, NULL, NULL), "seed %d: symmetric", k);
    if (fabsl(exact) < DBL_MAX) {
      ck_assert_msg(fabsl(value - exact) <= 4.0L * DBL_EPSILON * fabsl(exact) + DBL_TRUE_MIN,
                    "seed %d: φ(%g, %g) = %.17g, not %.19Lg", k, a, b, value, exact);
    } else {
      ck_assert_msg(value == DBL_MAX, "seed %d", k);
    }
    if (a != 0.0 || b != 0.0) {
      const long double exact_da = a > 0 ? -(b / r) * (b / (r + a)) : a / r - 1;
      const long double exact_db = b > 0 ? -(a / r) * (a / (r + b)) : b / r - 1;
      ck_assert_msg(fabsl(da - exact_da) <= 4.0L * DBL_EPSILON * fabsl(exact_da) + DBL_TRUE_MIN, "seed %d",
                    k);
      ck_assert_msg(fabsl(db - exact_db) <= 4.0L * DBL_EPSILON * fabsl(exact_db) + DBL_TRUE_MIN, "seed %d",
                    k);
    }
  }
}
END_TEST

START_TEST(fb_at_extreme_arguments)
{
  static const double scales[] = {1e-300, 1e-160, 1e160, 1e300};
  for (int i = 0; i < 4; i++) {
    const double s = scales[i];
    ck_assert(fabs(nsdyn_ncp_fb(s, s, NULL, NULL) / s + 0.58578643762690495) < 1e-15);
    ck_assert(fabs(nsdyn_ncp_fb(3 * s, -4 * s, NULL, NULL) / s - 6.0) < 1e-15 * 8);
    ck_assert(fabs(nsdyn_ncp_fb(-3 * s, -4 * s, NULL, NULL) / s - 12.0) < 1e-15 * 16);
  }
  ck_assert(nsdyn_ncp_fb(DBL_TRUE_MIN, DBL_TRUE_MIN, NULL, NULL) == -DBL_TRUE_MIN);
  ck_assert(nsdyn_ncp_fb(DBL_TRUE_MIN, DBL_MAX, NULL, NULL) == -DBL_TRUE_MIN);
  ck_assert(nsdyn_ncp_fb(-DBL_TRUE_MIN, DBL_MAX, NULL, NULL) == DBL_TRUE_MIN);
  ck_assert(nsdyn_ncp_fb(-DBL_MAX, -DBL_MAX, NULL, NULL) == DBL_MAX);
  ck_assert(nsdyn_ncp_fb(DBL_MAX, -DBL_MAX, NULL, NULL) == DBL_MAX);
}
END_TEST

START_TEST(fb_is_homogeneous_to_the_bit)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double spread = random_below(&random, 2) ? 1.0 : 12.0;
    const double a = random_sign(&random) * random_scale(&random, spread);
    const double b = random_sign(&random) * random_scale(&random, spread);
    const double t = ldexp(1.0, random_below(&random, 1860) - 930);
    double slope[2], slope_t[2];
    ck_assert_msg(nsdyn_ncp_fb(t * a, t * b, &slope_t[0], &slope_t[1]) ==
                      t * nsdyn_ncp_fb(a, b, &slope[0], &slope[1]),
                  "seed %d: t %g", k, t);
    ck_assert_msg(slope_t[0] == slope[0] && slope_t[1] == slope[1], "seed %d: t %g", k, t);
  }
}
END_TEST

START_TEST(infinite_arguments_give_the_limit)
{
  double da, db;
  ck_assert(nsdyn_ncp_fb(INFINITY, 3.0, &da, &db) == -3.0 && da == 0.0 && db == -1.0);
  ck_assert(nsdyn_ncp_fb(-3.0, INFINITY, &da, &db) == 3.0 && da == -1.0 && db == 0.0);
  ck_assert(nsdyn_ncp_fb(INFINITY, INFINITY, NULL, NULL) == -INFINITY);
  ck_assert(nsdyn_ncp_fb(-INFINITY, 1.0, &da, &db) == INFINITY && da == -2.0 && db == -1.0);
  ck_assert(nsdyn_ncp_fb(INFINITY, -INFINITY, NULL, NULL) == INFINITY);
  ck_assert(nsdyn_ncp_min(INFINITY, 3.0, &da, &db) == 3.0 && da == 0.0 && db == 1.0);
  ck_assert(nsdyn_ncp_pfb(0.5, INFINITY, 3.0, NULL, NULL) == INFINITY);
  ck_assert(nsdyn_ncp_pfb(0.5, INFINITY, -3.0, &da, &db) == -1.5 && da == 0.0 && db == 0.5);
  ck_assert(nsdyn_ncp_pfb(0.5, INFINITY, 0.0, &da, &db) == 0.0 && db == DBL_MAX);
  ck_assert(nsdyn_ncp_pfb(1.0, INFINITY, 3.0, &da, &db) == 3.0 && da == 0.0 && db == 1.0);
  ck_assert(nsdyn_ncp_pfb(0.5, INFINITY, -INFINITY, NULL, NULL) == -INFINITY);
}
END_TEST

START_TEST(what_is_no_number_gives_none)
{
  static const double wrong[][5] = {/* lambda, lo, hi, x, y */
                                    {0.5, 0, 1, NAN, 0},
                                    {0.5, 0, 1, 0, NAN},
                                    {0.5, NAN, 1, 0, 0},
                                    {0.5, 0, NAN, 0, 0},
                                    {0.5, 1, 0, 0, 0},
                                    {0.5, INFINITY, INFINITY, 0, 0},
                                    {0.5, -INFINITY, -INFINITY, 0, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      double slope[2] = {0.0, 0.0};
      ck_assert(isnan(box(kind, wrong[i][0], &wrong[i][1], &wrong[i][3], slope)));
      ck_assert(isnan(slope[0]) && isnan(slope[1]));
      if (i < 2) {
        ck_assert(isnan(ncp(kind, wrong[i][0], wrong[i][3], wrong[i][4], &slope[0], &slope[1])));
        ck_assert(isnan(slope[0]) && isnan(slope[1]));
      }
    }
  }
  static const double lambdas[] = {0.0, -0.5, 1.0 + DBL_EPSILON, NAN, INFINITY};
  for (size_t i = 0; i < sizeof lambdas / sizeof *lambdas; i++) {
    double da, db;
    ck_assert(isnan(nsdyn_ncp_pfb(lambdas[i], 1.0, 1.0, &da, &db)) && isnan(da) && isnan(db));
    ck_assert(isnan(nsdyn_ncp_pfb_box(lambdas[i], 0.0, 1.0, 1.0, 1.0, &da, &db)) && isnan(da) && isnan(db));
  }
}
END_TEST

START_TEST(penalized_is_its_formula)
{
  const int cases = random_cases(50000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = random_sign(&random) * random_scale(&random, 150.0), lambda = any_lambda(&random);
    const double b = random_sign(&random) * random_scale(&random, 150.0);
    const double value = nsdyn_ncp_pfb(lambda, a, b, NULL, NULL);
    const long double exact = -lambda * fb_reference(a, b) +
                              (1.0L - lambda) * (long double)fmax(a, 0.0) * (long double)fmax(b, 0.0);
    ck_assert_msg(fabsl(value - exact) <= 8.0L * DBL_EPSILON * fabsl(exact) + 2.0L * DBL_TRUE_MIN,
                  "seed %d: λ %g, a %g, b %g: %.17g, not %.19Lg", k, lambda, a, b, value, exact);
    ck_assert_msg(nsdyn_ncp_pfb(lambda, b, a, NULL, NULL) == value, "seed %d: symmetric", k);
    ck_assert_msg(nsdyn_ncp_pfb(1.0, a, b, NULL, NULL) == -nsdyn_ncp_fb(a, b, NULL, NULL), "seed %d", k);
  }
  double da, db;
  ck_assert(nsdyn_ncp_pfb(0.5, 1e300, 1e300, &da, &db) == DBL_MAX && da < 1e300 && db < 1e300);
  ck_assert(nsdyn_ncp_pfb(0.5, DBL_TRUE_MIN, 1.0, NULL, NULL) > 0.0);
  ck_assert(nsdyn_ncp_pfb(1e-300, -DBL_TRUE_MIN, 1.0, NULL, NULL) < 0.0);
  /* its product may be too large for a double where the whole is not */
  ck_assert(fabsl(nsdyn_ncp_pfb(1.0 - 0x1p-53, 1e160, 1e160, NULL, NULL) / 1e320L * 0x1p53L - 1.0L) < 1e-10L);
}
END_TEST

/* The central difference of order 8. */
static double difference(enum kind kind, double lambda, const double bounds[2], const double at[2], int which,
                         double h)
{
  static const double weights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
  double sum = 0.0;
  for (int j = 3; j >= 0; j--) {
    double up[2] = {at[0], at[1]}, down[2] = {at[0], at[1]};
    up[which] += (j + 1) * h;
    down[which] -= (j + 1) * h;
    sum += weights[j] * (bounds ? box(kind, lambda, bounds, up, NULL) - box(kind, lambda, bounds, down, NULL)
                                : ncp(kind, lambda, up[0], up[1], NULL, NULL) -
                                      ncp(kind, lambda, down[0], down[1], NULL, NULL));
  }
  return sum / h;
}

START_TEST(derivatives_are_those_of_the_function)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double lambda = 1.0 - random_unit(&random);
    const double at[2] = {random_sign(&random) * random_scale(&random, 0.7),
                          random_sign(&random) * random_scale(&random, 0.7)};
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      double slope[2];
      ncp(kind, lambda, at[0], at[1], &slope[0], &slope[1]);
      /* away from the kinks: the diagonal for MIN, the axes for PFB (for FB the origin is enough) */
      const double room = kind == MIN ? fabs(at[0] - at[1]) : fmin(fabs(at[0]), fabs(at[1]));
      for (int i = 0; i < 2; i++) {
        const double h = room / 20.0;
        const double found = difference(kind, lambda, NULL, at, i, h);
        const double tol = 1e-10 + 40.0 * DBL_EPSILON * 10.0 / h;
        ck_assert_msg(fabs(found - slope[i]) <= tol, "kind %d, seed %d, %d: %.12g, difference %.12g",
                      (int)kind, k, i, slope[i], found);
      }
    }
  }
}
END_TEST

START_TEST(derivatives_of_the_forms_with_bounds)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double lambda = 1.0 - random_unit(&random), lo = random_normal(&random);
    const double width = random_below(&random, 5) ? fabs(random_normal(&random)) : 0.0;
    const double bounds[2] = {random_below(&random, 4) ? lo : -INFINITY,
                              random_below(&random, 4) ? lo + width : INFINITY};
    const double at[2] = {lo + 2.0 * random_normal(&random), random_normal(&random)};
    const double room_lo = fabs(at[0] - bounds[0]), room_hi = fabs(at[0] - bounds[1]);
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      double slope[2], room = fmin(fmin(room_lo, room_hi), fabs(at[1]));
      if (kind == MIN) {
        room = fmin(1.0, fmin(fabs(at[0] - bounds[0] - at[1]), fabs(at[0] - bounds[1] - at[1])));
      }
      if (room < 1e-3) {
        continue;
      }
      box(kind, lambda, bounds, at, slope);
      for (int i = 0; i < 2; i++) {
        const double h = room / 40.0, found = difference(kind, lambda, bounds, at, i, h);
        const double tol = 1e-9 + 400.0 * DBL_EPSILON / h;
        ck_assert_msg(fabs(found - slope[i]) <= tol, "kind %d, seed %d, %d: %.12g, difference %.12g",
                      (int)kind, k, i, slope[i], found);
      }
    }
  }
}
END_TEST

/* At every kink of the plain functions: the limit that the header names. */
START_TEST(at_kinks_the_derivative_is_a_limit)
{
  double da, db, near_da, near_db;
  nsdyn_ncp_fb(0.0, -0.0, &da, &db);
  ck_assert(fabs(da - (sqrt(0.5) - 1.0)) < 1e-15 && da == db);
  ck_assert((1.0 + da) * (1.0 + da) + (1.0 + db) * (1.0 + db) <= 1.0 + 4.0 * DBL_EPSILON);
  nsdyn_ncp_min(2.0, 2.0, &da, &db);
  ck_assert(da == 1.0 && db == 0.0);
  nsdyn_ncp_min(2.0 - 1e-12, 2.0, &near_da, &near_db);
  ck_assert(da == near_da && db == near_db);
  static const double kinks[][2] = {{0, 0}, {0, 3}, {2, 0}, {0, 1e-5}};
  for (size_t i = 0; i < sizeof kinks / sizeof *kinks; i++) {
    const double a = kinks[i][0], b = kinks[i][1], t = 0x1p-46;
    for (double lambda = 0.125; lambda <= 1.0; lambda += 0.125) {
      nsdyn_ncp_pfb(lambda, a, b, &da, &db);
      nsdyn_ncp_pfb(lambda, a + t, b + t, &near_da, &near_db);
      ck_assert_msg(fabs(da - near_da) < 1e-8 && fabs(db - near_db) < 1e-8, "(%g, %g): %g %g", a, b, da, db);
    }
  }
}
END_TEST

/* The derivative along a direction at the kink is the limit there: φ(p t, q t)/t and the gradient at (p, q)
 * agree (semismooth), and every such gradient lies on the circle that bounds the generalized Jacobian. */
START_TEST(fb_gradients_lie_on_the_circle)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double p = random_normal(&random), q = random_normal(&random), t = random_scale(&random, 200.0);
    double da, db;
    nsdyn_ncp_fb(p * t, q * t, &da, &db);
    ck_assert_msg(fabs((1.0 + da) * (1.0 + da) + (1.0 + db) * (1.0 + db) - 1.0) < 8.0 * DBL_EPSILON,
                  "seed %d", k);
    ck_assert_msg(da >= -2.0 && da <= 0.0 && db >= -2.0 && db <= 0.0, "seed %d", k);
    const double along = nsdyn_ncp_fb(p * t, q * t, NULL, NULL) / t;
    ck_assert_msg(fabs(da * p + db * q - along) < 1e-14 * (fabs(p) + fabs(q)), "seed %d: Euler's identity",
                  k);
  }
}
END_TEST

/* Every corner and edge of the mixed problem's graph, lo = hi and one-sided bounds too. */
START_TEST(at_kinks_of_the_forms_with_bounds_too)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double lambda = 1.0 - random_unit(&random), t = 0x1p-44;
    const double lo = random_below(&random, 5) - 2, hi = lo + random_below(&random, 3);
    const double bounds[2] = {random_below(&random, 5) ? lo : -INFINITY,
                              random_below(&random, 5) ? hi : INFINITY};
    const double at[2] = {random_below(&random, 2) ? lo : hi, random_below(&random, 3) - 1};
    for (enum kind kind = FB; kind <= PFB; kind++) {
      const double close[2] = {at[0] + t, at[1] + t};
      double slope[2], near_slope[2];
      box(kind, lambda, bounds, at, slope);
      box(kind, lambda, bounds, close, near_slope);
      ck_assert_msg(fabs(slope[0] - near_slope[0]) < 1e-9 && fabs(slope[1] - near_slope[1]) < 1e-9,
                    "kind %d, seed %d: [%g, %g] at (%g, %g): (%g, %g), close by (%g, %g)", (int)kind, k,
                    bounds[0], bounds[1], at[0], at[1], slope[0], slope[1], near_slope[0], near_slope[1]);
    }
    /* the minimum map: (1, 0) at x − lo = y and at x − hi = y, its value just beyond them */
    const double corner[2] = {at[0], isfinite(bounds[0]) ? at[0] - bounds[0] : at[0] - bounds[1]};
    double slope[2];
    if (isfinite(corner[1])) {
      box(MIN, 1.0, bounds, corner, slope);
      ck_assert_msg(slope[0] == 1.0 && slope[1] == 0.0, "seed %d", k);
    }
  }
}
END_TEST

START_TEST(value_and_derivatives_do_not_depend_on_what_is_asked_for)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double a = any_number(&random), b = any_number(&random), lambda = any_lambda(&random);
    double bounds[2], at[2];
    box_case(&random, bounds, at);
    for (enum kind kind = MIN; kind <= PFB; kind++) {
      double both[2], one;
      const double value = ncp(kind, lambda, a, b, &both[0], &both[1]);
      ck_assert(ncp(kind, lambda, a, b, &one, NULL) == value && one == both[0]);
      ck_assert(ncp(kind, lambda, a, b, NULL, &one) == value && one == both[1]);
      ck_assert_msg(isfinite(both[0]) && isfinite(both[1]), "kind %d, seed %d", (int)kind, k);
      const double of_box = box(kind, lambda, bounds, at, both);
      ck_assert(box(kind, lambda, bounds, at, NULL) == of_box);
      ck_assert_msg(isfinite(both[0]) && isfinite(both[1]), "kind %d, seed %d", (int)kind, k);
      const double sign = kind == FB ? -1.0 : 1.0;
      ck_assert_msg(sign * both[0] >= 0.0 && sign * both[1] >= 0.0, "kind %d, seed %d: monotone", (int)kind,
                    k);
    }
  }
}
END_TEST

SUITE("setvalued/ncp", TEST(zero_exactly_on_the_complementarity_set),
      TEST(zero_exactly_on_the_set_of_the_mixed_problem), TEST(min_box_is_the_middle_of_three),
      TEST(infinite_bounds_are_the_limits), TEST(fb_is_right_to_some_roundings_at_any_scale),
      TEST(fb_at_extreme_arguments), TEST(fb_is_homogeneous_to_the_bit),
      TEST(infinite_arguments_give_the_limit), TEST(what_is_no_number_gives_none),
      TEST(penalized_is_its_formula), TEST(derivatives_are_those_of_the_function),
      TEST(derivatives_of_the_forms_with_bounds), TEST(at_kinks_the_derivative_is_a_limit),
      TEST(fb_gradients_lie_on_the_circle), TEST(at_kinks_of_the_forms_with_bounds_too),
      TEST(value_and_derivatives_do_not_depend_on_what_is_asked_for))
