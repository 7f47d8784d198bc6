/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/check/difference.h"

#include <math.h>

#include "suite.h"

/* f(x0 + s) of one kind, in units of length L. */
typedef struct curve {
  int kind;
  double x0, L, noise;
} curve;

enum { SINE, CUBIC, ROOT, STAIRS, CONSTANT, PERIODIC, KINDS };

static nsdyn_status value(void *user, double s, double *f)
{
  const curve *c = user;
  const double x = (c->x0 + s) / c->L;
  switch (c->kind) {
  case SINE:
    *f = sin(x);
    break;
  case CUBIC:
    *f = x * x * x - x;
    break;
  case ROOT: /* it has no values for x < −1 */
    *f = sqrt(1.0 + x);
    break;
  case STAIRS: /* its rounding is a million times that of its value */
    *f = (1e6 + sin(x)) - 1e6;
    break;
  case CONSTANT:
    *f = 3.0;
    break;
  default:
    *f = 0.2 * sin(x) + 5.0;
    break;
  }
  return NSDYN_OK;
}

static double slope_of(const curve *c)
{
  const double x = c->x0 / c->L;
  switch (c->kind) {
  case SINE:
  case STAIRS:
    return cos(x) / c->L;
  case CUBIC:
    return (3.0 * x * x - 1.0) / c->L;
  case ROOT:
    return 0.5 / sqrt(1.0 + x) / c->L;
  case CONSTANT:
    return 0.0;
  default:
    return 0.2 * cos(x) / c->L;
  }
}

static int judge(curve *c, double given, double size, double *error)
{
  nsd_slope slope = {.given = given, .size = size};
  double values[6];
  const nsd_slope_task task = {
      .n = 1, .slope = &slope, .values = values, .rounding = 0x1p-52 * fabs(c->x0), .user = c, .at = value};
  ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
  return nsd_slope_judge(&slope, error);
}

/* Right ones are never called wrong, and wrong ones never right: off by 1 %, of the other sign, zero. */
START_TEST(slopes_are_judged_in_any_units)
{
  const int cases = random_cases(20000);
  int missed = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    curve c = {.kind = k % KINDS, .L = pow(10.0, random_between(&r, -9.0, 9.0))};
    c.x0 = c.L * random_between(&r, -0.9, 3.0) * (k / KINDS % 3 ? 1.0 : c.kind == SINE ? 1e6 : 1e-6);
    const double truth = slope_of(&c), size = k / KINDS % 2 ? 0.0 : 1.0 / c.L;
    double error;
    const int verdict = judge(&c, truth, size, &error); /* on stairs not all can be told */
    REQUIRE(verdict == NSD_SLOPE_AGREES || (c.kind == STAIRS && verdict == NSD_SLOPE_UNCLEAR), "seed %d", k);
    const double wrong[] = {1.01 * truth, -truth, truth + 0.5 / c.L, truth != 0.0 ? 0.0 : 1.0 / c.L};
    for (int i = 0; i < 4; i++) {
      const double given = wrong[i], of = fmax(size, fmax(fabs(truth), fabs(given)));
      if (fabs(given - truth) > 1e-3 * of) {
        const int found = judge(&c, given, size, &error);
        REQUIRE(found == NSD_SLOPE_DIFFERS || (c.kind == STAIRS && found == NSD_SLOPE_UNCLEAR),
                "seed %d, try %d: %d", k, i, found);
        missed += found != NSD_SLOPE_DIFFERS;
        if (found != NSD_SLOPE_DIFFERS || c.kind == STAIRS) {
          continue;
        }
        REQUIRE(fabs(error - fabs(given - truth) / of) < 0.2 * error, "seed %d: error %g", k, error);
      }
    }
  }
  ck_assert_int_le(missed, cases / 1000);
}
END_TEST

static nsdyn_status swing(void *user, double s, double *f)
{
  const double *omega = user;
  *f = 0.3 + 0.5 * sin(*omega * (1e6 + s));
  return NSDYN_OK;
}

/* Steps that are near to whole periods see a slow motion; it must not be taken for the fast one. */
START_TEST(steps_of_whole_periods_do_not_deceive)
{
  for (int k = 0; k < 3000; k++) {
    double omega = 0.5 + 0.005 * k, values[6], error;
    const double truth = 0.5 * omega * cos(omega * 1e6);
    for (int is_right = 0; is_right < 2; is_right++) {
      nsd_slope slope = {.given = is_right ? truth : 0.0, .size = k % 3};
      const nsd_slope_task task = {
          .n = 1, .slope = &slope, .values = values, .rounding = 0x1p-52 * 1e6, .user = &omega, .at = swing};
      ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
      const int verdict = nsd_slope_judge(&slope, &error);
      REQUIRE(verdict == (is_right || fabs(truth) < 1e-3 ? NSD_SLOPE_AGREES : NSD_SLOPE_DIFFERS) ||
                  fabs(truth) < 1e-3,
              "omega %g: %d", omega, verdict);
    }
  }
}
END_TEST

/* ω s − sin ω s, 1 − cos ω s and their sum, somewhere. */
static nsdyn_status starts_to_move(void *user, double s, double *f)
{
  const double *c = user, x = c[0] * s;
  *f = c[1] + c[2] * (x - sin(x)) + c[3] * (1.0 - cos(x));
  return NSDYN_OK;
}

/* A slope of zero has no size, and nothing else may say one: what a table's motion is at its first instant.
 */
START_TEST(what_starts_to_move_has_no_slope_yet)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double unit = random_scale(&r, 6.0);
    double c[4] = {random_scale(&r, 3.0), unit * (k % 2 ? 1.0 + random_unit(&r) : -10.0),
                   k % 3 ? unit * random_normal(&r) : 0.0, k % 3 < 2 ? unit * random_normal(&r) : 0.0};
    double values[6], error;
    nsd_slope slope = {.given = 0.0, .size = 0.0};
    const nsd_slope_task task = {.n = 1, .slope = &slope, .values = values, .user = c, .at = starts_to_move};
    ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
    REQUIRE(nsd_slope_judge(&slope, &error) != NSD_SLOPE_DIFFERS, "seed %d: slope %g, left %g, right %g", k,
            slope.slope, slope.left, slope.right);
  }
}
END_TEST

static nsdyn_status nowhere(void *user, double s, double *f)
{
  (void)user;
  *f = s == 0.0 ? 1.0 : NAN;
  return NSDYN_OK;
}

static nsdyn_status fails(void *user, double s, double *f)
{
  *f = 1.0;
  return s == 0.0 ? NSDYN_OK : *(const nsdyn_status *)user;
}

START_TEST(what_has_no_values_is_unclear)
{
  double values[6], error;
  nsd_slope slope = {.given = 1.0, .size = 1.0};
  nsdyn_status status = NSDYN_ERR_CALLBACK;
  nsd_slope_task task = {.n = 1, .slope = &slope, .values = values, .at = nowhere};
  ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
  ck_assert_int_eq(nsd_slope_judge(&slope, &error), NSD_SLOPE_UNCLEAR);
  task.at = fails;
  task.user = &status;
  ck_assert_int_eq(nsd_slope_find(&task), NSDYN_ERR_CALLBACK);
  status = NSDYN_STOPPED;
  ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
  ck_assert_int_eq(nsd_slope_judge(&slope, &error), NSD_SLOPE_UNCLEAR);
  slope.given = NAN; /* nothing to compare */
  ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
  ck_assert_int_eq(nsd_slope_judge(&slope, &error), NSD_SLOPE_AGREES);
}
END_TEST

/* B (1 − cos W τ), at τ = 0 of a late clock: there it is flat, and only at steps of whole ages does rounding
 * of the clock leave it any slope. */
typedef struct flapping {
  double t, B, W;
} flapping;

static nsdyn_status flapping_at(void *user, double s, double *f)
{
  const flapping *p = user;
  *f = -p->B * (1.0 - cos(p->W * (p->t + s - p->t)));
  return NSDYN_OK;
}

START_TEST(a_swing_that_begins_has_no_slope)
{
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    flapping p = {.t = pow(10.0, random_between(&r, 0.0, 6.5)),
                  .B = pow(10.0, random_between(&r, -6.0, 6.0)),
                  .W = pow(10.0, random_between(&r, -1.0, 1.0))};
    nsd_slope slope = {.given = 0.0, .size = 0.0};
    double values[6], error;
    const nsd_slope_task task = {
        .n = 1, .slope = &slope, .values = values, .rounding = 0x1p-52 * p.t, .user = &p, .at = flapping_at};
    ck_assert_int_eq(nsd_slope_find(&task), NSDYN_OK);
    REQUIRE(nsd_slope_judge(&slope, &error) != NSD_SLOPE_DIFFERS, "seed %d: slope %g ± %g", k, slope.slope,
            slope.error);
  }
}
END_TEST

SUITE("system/check/difference", TEST(steps_of_whole_periods_do_not_deceive),
      TEST(slopes_are_judged_in_any_units), TEST(what_starts_to_move_has_no_slope_yet),
      TEST(what_has_no_values_is_unclear), TEST(a_swing_that_begins_has_no_slope))
