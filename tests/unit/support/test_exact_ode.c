/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The integrator behind some exact references: closed forms, its order, events. */
#include "support/exact_ode.h"

#include <math.h>

#include "suite.h"

/* y = (x, ẋ), ẍ = −x */
static void swing(const void *data, const long double *y, long double *f)
{
  (void)data;
  f[0] = y[1];
  f[1] = -y[0];
}

/* ẏ = −y² and a clock */
static void decay(const void *data, const long double *y, long double *f)
{
  (void)data;
  f[0] = -y[0] * y[0];
  f[1] = 1.0L;
}

static long double below(const void *data, const long double *y)
{
  return y[0] - *(const long double *)data;
}

START_TEST(closed_forms_are_met)
{
  long double y[2] = {1.0L, 0.0L};
  const exact_ode circle = {.n = 2, .rate = swing};
  ck_assert_ldouble_eq(exact_ode_run(&circle, 10.0L, 100, y), 10.0L);
  ck_assert_ldouble_eq_tol(y[0], cosl(10.0L), 1e-12L);
  ck_assert_ldouble_eq_tol(y[1], -sinl(10.0L), 1e-12L);
  long double z[2] = {2.0L, 0.0L};
  const exact_ode hyperbola = {.n = 2, .rate = decay};
  ck_assert_ldouble_eq(exact_ode_run(&hyperbola, 3.0L, 60, z), 3.0L);
  ck_assert_ldouble_eq_tol(z[0], 2.0L / 7.0L, 1e-12L);
  ck_assert_ldouble_eq_tol(z[1], 3.0L, 1e-11L);
}
END_TEST

/* Half the step, 2^16 times the accuracy (of one step: 2^17). */
START_TEST(the_order_is_sixteen)
{
  long double error[2];
  for (int i = 0; i < 2; i++) {
    const long double h = 4.0L / (long double)(1 + i);
    long double y[2] = {1.0L, 0.0L};
    exact_ode_step(&(exact_ode){.n = 2, .rate = swing}, h, y);
    error[i] = hypotl(y[0] - cosl(h), y[1] + sinl(h));
  }
  const double order = (double)log2l(error[0] / error[1]);
  ck_assert_double_ge(order, 16.5);
  ck_assert_double_le(order, 18.5);
}
END_TEST

START_TEST(events_are_found_to_the_last_digits)
{
  for (int k = 1; k < 40; k++) {
    const long double level = (long double)k / 41.0L;
    long double y[2] = {1.0L, 0.0L};
    const exact_ode ode = {.n = 2, .rate = swing, .until = below, .data = &level};
    const long double t = exact_ode_run(&ode, 3.0L, 30, y);
    ck_assert_ldouble_eq_tol(t, acosl(level), 1e-12L);
    ck_assert_ldouble_eq_tol(y[0], level, 1e-12L);
    long double z[2] = {1.0L, 0.0L};
    ck_assert_ldouble_eq_tol(
        exact_ode_run(&(exact_ode){.n = 2, .rate = decay, .until = below, .data = &level}, 50.0L, 500, z),
        1.0L / level - 1.0L, 1e-12L / level);
  }
}
END_TEST

static int rates;

static void counted_swing(const void *data, const long double *y, long double *f)
{
  rates++;
  swing(data, y, f);
}

/* With sizes given, a step is as accurate as asked for (by far, as errors fall faster from order to order
 * than is reckoned with), in whatever units, and costs less than one of all orders (65 rates). */
START_TEST(a_step_is_as_accurate_as_asked)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    const long double unit = random_scale(&r, 6.0), accuracy = powl(10.0L, -random_between(&r, 4.0, 15.0)),
                      h = random_between(&r, 0.0, 0.5), size[2] = {unit, unit};
    long double y[2] = {unit, 0.0L};
    const exact_ode ode = {.n = 2, .rate = counted_swing, .size = size, .accuracy = accuracy};
    rates = 0;
    exact_ode_step(&ode, h, y);
    const long double error = hypotl(y[0] - unit * cosl(h), y[1] + unit * sinl(h));
    REQUIRE(error <= 0.1L * accuracy * unit, "case %d: error %Lg of %Lg", k, error / unit, accuracy);
    REQUIRE(rates <= (accuracy > 1e-10L ? 37 : accuracy > 1e-15L ? 50 : 65), "case %d: %d rates", k, rates);
  }
}
END_TEST

/* Where the highest order is not enough, steps are halved; a rate that is no number ends it. */
START_TEST(a_long_step_is_halved)
{
  const long double size[2] = {1.0L, 1.0L};
  const exact_ode ode = {.n = 2, .rate = counted_swing, .size = size, .accuracy = 1e-15L};
  for (int k = 1; k <= 8; k++) {
    const long double h = (long double)k;
    long double y[2] = {1.0L, 0.0L};
    exact_ode_step(&ode, h, y);
    ck_assert_ldouble_le(hypotl(y[0] - cosl(h), y[1] + sinl(h)), 1e-15L * (1.0L + h));
  }
  long double z[2] = {NAN, 0.0L};
  rates = 0;
  exact_ode_step(&ode, 1.0L, z);
  ck_assert(isnan(z[0]));
  ck_assert_int_le(rates, 65);
}
END_TEST

/* A condition that begins at zero counts from when it has been positive. */
START_TEST(an_event_at_the_beginning_is_none)
{
  const long double zero = 0.0L;
  long double y[2] = {0.0L, 1.0L};
  const exact_ode ode = {.n = 2, .rate = swing, .until = below, .data = &zero};
  ck_assert_ldouble_eq_tol(exact_ode_run(&ode, 10.0L, 100, y), acosl(-1.0L), 1e-12L);
  long double z[2] = {0.0L, -1.0L};
  ck_assert_ldouble_eq_tol(exact_ode_run(&ode, 10.0L, 100, z), 2.0L * acosl(-1.0L), 1e-12L);
}
END_TEST

SUITE("support/exact_ode", TEST(closed_forms_are_met), TEST(the_order_is_sixteen),
      TEST(a_step_is_as_accurate_as_asked), TEST(a_long_step_is_halved),
      TEST(events_are_found_to_the_last_digits), TEST(an_event_at_the_beginning_is_none))
