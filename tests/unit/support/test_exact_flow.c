/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The closed form of q̈ = a − b (d·q) and its first roots: against an integrator, against roots that are
 * known, and against looking everywhere. */
#include "support/exact_flow.h"

#include <math.h>

#include "gsl_ode.h"

/* The sign of ω² = d·b is chosen: oscillating, growing, or neither. */
static exact_flow random_flow(random_state *r, int sign, long double rate)
{
  exact_flow f;
  for (int i = 0; i < EXACT_DOF; i++) {
    f.q[i] = random_between(r, -1.0, 1.0);
    f.u[i] = random_between(r, -1.0, 1.0) * rate;
    f.a[i] = random_between(r, -1.0, 1.0) * rate * rate;
    f.b[i] = random_between(r, -1.0, 1.0) * rate * rate;
    f.d[i] = random_between(r, 0.5, 1.0);
  }
  const long double now = f.d[0] * f.b[0] + f.d[1] * f.b[1] + f.d[2] * f.b[2];
  f.b[2] += ((long double)sign * rate * rate - now) / f.d[2];
  return f;
}

static int right_side(double t, const double y[], double dydt[], void *data)
{
  const exact_flow *f = data;
  (void)t;
  double s = 0.0;
  for (int i = 0; i < EXACT_DOF; i++) {
    s += (double)f->d[i] * y[i];
  }
  for (int i = 0; i < EXACT_DOF; i++) {
    dydt[i] = y[EXACT_DOF + i];
    dydt[EXACT_DOF + i] = (double)f->a[i] - (double)f->b[i] * s;
  }
  return 0;
}

START_TEST(an_integrator_gives_the_same_motion)
{
  const int cases = random_cases(24);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_flow f = random_flow(&r, k % 3 - 1, 1.0L);
    const double t = random_between(&r, 0.1, 6.0);
    long double q[EXACT_DOF];
    long double u[EXACT_DOF];
    double y[2 * EXACT_DOF];
    for (int i = 0; i < EXACT_DOF; i++) {
      y[i] = (double)f.q[i];
      y[EXACT_DOF + i] = (double)f.u[i];
    }
    gsl_integrate(right_side, &f, 2 * EXACT_DOF, 0.0, t, 1e-13, y);
    exact_flow_at(&f, t, q, u);
    for (int i = 0; i < EXACT_DOF; i++) {
      const double scale = 1.0 + fabs(y[i]) + fabs(y[3 + i]);
      REQUIRE(fabs((double)q[i] - y[i]) < 1e-10 * scale, "q[%d] of case %d", i, k);
      REQUIRE(fabs((double)u[i] - y[3 + i]) < 1e-10 * scale, "u[%d] of case %d", i, k);
    }
  }
}
END_TEST

/* The closed form says the same on both sides of the place where its formulas change. */
START_TEST(there_is_no_seam)
{
  for (int k = 0; k < 30; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_flow f = random_flow(&r, k % 2 == 0 ? 1 : -1, 1.0L);
    const exact_watch w = {.w = {1.0L, 0.5L, -0.3L}, .order = k % 3};
    const long double h = 1e-6L;
    const long double below = exact_watch_value(&f, &w, 0, 1.0L - h);
    const long double above = exact_watch_value(&f, &w, 0, 1.0L + h);
    const long double slope = exact_watch_value(&f, &w, 1, 1.0L);
    REQUIRE(fabsl(above - below - 2.0L * h * slope) < 1e-14L, "case %d", k);
  }
}
END_TEST

START_TEST(derivatives_are_those_of_the_motion)
{
  for (int k = 0; k < 60; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_flow f = random_flow(&r, k % 3 - 1, 1.0L);
    const exact_watch w = {.level = 0.7L, .w = {1.0L, -2.0L, 0.3L}, .order = k % 3};
    const long double t = random_between(&r, 0.0, 4.0);
    const long double h = 1e-4L;
    for (int n = 0; n < 5; n++) {
      const long double slope =
          (exact_watch_value(&f, &w, n, t + h) - exact_watch_value(&f, &w, n, t - h)) / (2.0L * h);
      const long double next = exact_watch_value(&f, &w, n + 1, t);
      REQUIRE(fabsl(slope - next) < 1e-5L * (1.0L + fabsl(next)), "derivative %d, case %d", n + 1, k);
    }
  }
}
END_TEST

/* q̈ = −ω² q from q(0) = A: q = c at arccos(c/A)/ω. And free fall. */
START_TEST(known_roots_are_found_to_the_last_digits)
{
  for (int k = 1; k < 200; k++) {
    random_state r = random_seed((uint64_t)k);
    const long double omega = random_scale(&r, 3.0);
    const long double level = random_between(&r, -1.0, 1.0);
    const exact_flow swing = {.q = {1.0L}, .b = {omega * omega}, .d = {1.0L}};
    const exact_watch at_level = {.level = -level, .w = {1.0L}};
    long double root;
    REQUIRE(exact_first_root(&swing, &at_level, 0.0L, 10.0L / omega, 1.0L, &root), "case %d", k);
    REQUIRE(fabsl(root * omega - acosl(level)) < 4e-14L, "swing %d", k);
    REQUIRE(!exact_first_root(&swing, &(exact_watch){.level = 1.0001L, .w = {1.0L}}, 0.0L, 50.0L / omega,
                              1.0L, &root),
            "case %d", k);
    const long double height = random_scale(&r, 3.0);
    const long double speed = random_between(&r, -3.0, 3.0);
    const exact_flow fall = {.q = {height}, .u = {speed}, .a = {-9.81L}, .d = {1.0L}};
    const exact_watch ground = {.w = {1.0L}};
    const long double time = (speed + sqrtl(speed * speed + 2.0L * 9.81L * height)) / 9.81L;
    REQUIRE(exact_first_root(&fall, &ground, 0.0L, 2.0L * time, 1.0L, &root), "case %d", k);
    REQUIRE(fabsl(root - time) < 1e-14L * (1.0L + time), "fall %d", k);
  }
}
END_TEST

/* Nothing before the root, on a fine grid, and a change of sign there. Caution does not move it. */
START_TEST(no_root_comes_before_the_first)
{
  const int cases = random_cases(300);
  int found = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_flow f = random_flow(&r, k % 3 - 1, 30.0L);
    exact_watch w = {.level = random_between(&r, -2.0, 2.0), .order = k / 3 % 2};
    for (int i = 0; i < EXACT_DOF; i++) {
      w.w[i] = random_between(&r, -1.0, 1.0);
    }
    w.level *= w.order == 1 ? 30.0L : 1.0L;
    long double root = 0.5L;
    const int is_root = exact_first_root(&f, &w, 0.0L, 0.5L, 1.0L, &root);
    const long double sign = exact_watch_value(&f, &w, 0, 0.0L) > 0.0L ? 1.0L : -1.0L;
    for (int i = 1; i < 200; i++) {
      const long double t = 0.998L * root * (long double)i / 199.0L;
      REQUIRE(sign * exact_watch_value(&f, &w, 0, t) > 0.0L, "case %d at %Lg of %Lg", k, t, root);
    }
    if (is_root) {
      long double other;
      found++;
      REQUIRE(sign * exact_watch_value(&f, &w, 0, root + 1e-9L) < 0.0L, "case %d", k);
      REQUIRE(exact_first_root(&f, &w, 0.0L, 0.5L, 7.0L, &other), "case %d", k);
      REQUIRE(fabsl(other - root) < 1e-14L, "case %d: %Lg", k, other - root);
    }
  }
  ck_assert_int_ge(found, cases / 4);
}
END_TEST

/* f = t³/6 − t⁴/24·c leaves zero as its third derivative says, and is back at 4/c. */
START_TEST(a_function_that_leaves_zero_is_followed)
{
  for (int k = 1; k < 100; k++) {
    random_state r = random_seed((uint64_t)k);
    /* q_0 is a free mass under the force b s, s = q_1 with constant speed or acceleration */
    const long double jerk = random_scale(&r, 2.0);
    const long double back = random_between(&r, 0.1, 3.0);
    const exact_flow f = {
        .u = {0.0L, jerk}, .a = {0.0L, -4.0L * jerk / back}, .b = {-1.0L}, .d = {0.0L, 1.0L}};
    const exact_watch w = {.w = {1.0L}};
    long double value;
    ck_assert_int_eq(exact_watch_leading(&f, &w, 1e-12L, 1.0L, &value), 3);
    ck_assert_ldouble_eq_tol(value, jerk, 1e-12L * jerk);
    const long double start = exact_watch_departure(&f, &w, 3, value);
    REQUIRE(start > 0.0L && start < back, "case %d", k);
    long double root;
    REQUIRE(exact_first_root(&f, &w, start, 10.0L, 1.0L, &root), "case %d", k);
    REQUIRE(fabsl(root - back) < 1e-13L * back, "case %d: %Lg", k, root - back);
  }
  const exact_flow rest = {.d = {1.0L}};
  long double value;
  ck_assert_int_eq(exact_watch_leading(&rest, &(exact_watch){.w = {1.0L}}, 1e-12L, 1.0L, &value), -1);
}
END_TEST

SUITE("support/exact_flow", TEST(an_integrator_gives_the_same_motion), TEST(there_is_no_seam),
      TEST(derivatives_are_those_of_the_motion), TEST(known_roots_are_found_to_the_last_digits),
      TEST(no_root_comes_before_the_first), TEST(a_function_that_leaves_zero_is_followed))
