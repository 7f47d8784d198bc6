/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The return map, seen from the calm point. */
#include "cycle_models.h"
#include "study/object.h"

/* ẍ = −k x − 2 δ ẋ from (x, v) for a time T, weakly damped. */
static void swing_exact(const swing *p, double T, double *x, double *v)
{
  const double w = sqrt(p->k - p->delta * p->delta), decay = exp(-p->delta * T);
  const double c = cos(w * T), s = sin(w * T) / w, x0 = *x, v0 = *v;
  *x = decay * (x0 * (c + p->delta * s) + v0 * s);
  *v = decay * (v0 * (c - p->delta * s) - x0 * p->k * s);
}

START_TEST(the_map_is_that_of_the_flow)
{
  swing p = {.k = 1.3, .delta = 0.1};
  sought s = swing_search(&p);
  const double zero = 0.0;
  swing_options(&s);
  seek(&s, -0.5, &zero, &zero);
  ck_assert_int_eq(nsd_cycle_enter(s.cycle), NSDYN_OK);
  ck_assert_int_eq(nsd_cycle_survey(s.cycle), NSDYN_OK);
  const int cases = random_cases(50);
  for (int i = 0; i < cases; i++) {
    random_state r = random_seed((uint64_t)i);
    double image[3], y[3] = {PI + random_between(&r, -0.5, 0.5), random_normal(&r), random_normal(&r)};
    ck_assert_int_eq(nsd_cycle_shoot(s.cycle, &s.cycle->base.snapshot, y, image), NSDYN_OK);
    /* the next section is at 2π, the base π behind it */
    ck_assert_double_lt(fabs(image[0] - 3.0 * PI), 1e-12);
    double x = y[1], v = y[2];
    swing_exact(&p, image[0] - y[0], &x, &v);
    ck_assert_double_lt(fabs(image[1] - x), 1e-11);
    ck_assert_double_lt(fabs(image[2] - v), 1e-11);
    ck_assert_double_lt(fabs(s.cycle->period - (image[0] - y[0])), 1e-12);
  }
  seek_end(&s);
}
END_TEST

START_TEST(time_counts_modulo_the_forcing)
{
  swing p = {.k = 1.3, .delta = 0.1};
  sought s = swing_search(&p);
  const double zero = 0.0, scale[2] = {2.0, 4.0};
  double residual[3];
  swing_options(&s);
  s.options.scale = scale;
  seek(&s, 0.0, &zero, &zero);
  s.cycle->scale[0] = 1.0;
  const double y[3] = {1.0, 3.0, 5.0}, after[3] = {1.25 + 6.0 * PI, 4.0, 3.0};
  ck_assert_double_lt(fabs(nsd_cycle_compare(s.cycle, y, after, residual) - 0.5), 1e-14);
  ck_assert_double_lt(fabs(residual[0] - 0.25), 1e-14);
  ck_assert(residual[1] == 0.5 && residual[2] == -0.5);
  ck_assert_int_eq(nsd_cycle_windings(s.cycle, 0.1), 1); /* none is no period */
  ck_assert_int_eq(nsd_cycle_windings(s.cycle, 3.2 * PI), 2);
  ck_assert_int_eq(nsd_cycle_windings(s.cycle, 1e300), INT32_MAX);
  seek_end(&s);
}
END_TEST

START_TEST(drift_and_time_are_left_out)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  sought s = toy_search(&w, NSDYN_EVENT_IMPACT, 0);
  double residual[5];
  toy_guess(&s, &w);
  ck_assert_int_eq(s.cycle->count, 5);
  static const int32_t unknown[5] = {2, 3, 4, 5, 6};
  for (int k = 0; k < 5; k++) {
    ck_assert_int_eq(s.cycle->unknown[k], unknown[k]);
  }
  const double y[7] = {0.0}, image[7] = {9.0, 9.0, 0.5, 0.0, 0.0, 0.0, -0.25};
  ck_assert(nsd_cycle_compare(s.cycle, y, image, residual) == 0.5);
  ck_assert(residual[0] == 0.5 && residual[4] == -0.25);
  seek_end(&s);
}
END_TEST

START_TEST(what_a_shorter_step_may_mend)
{
  static const nsdyn_status hopeful[] = {
      NSDYN_STOPPED,        NSDYN_MAX_ITERATIONS,   NSDYN_UNDECIDED,         NSDYN_NO_SOLUTION,
      NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOT_DEFINITE, NSDYN_ERR_CALLBACK_RETRY};
  static const nsdyn_status final[] = {NSDYN_OK,           NSDYN_CANCELLED,    NSDYN_ERR_NOMEM,
                                       NSDYN_ERR_CALLBACK, NSDYN_ERR_SINGULAR, NSDYN_ERR_BUSY};
  for (size_t i = 0; i < sizeof hopeful / sizeof *hopeful; i++) {
    ck_assert(nsd_cycle_is_too_far(hopeful[i]));
  }
  for (size_t i = 0; i < sizeof final / sizeof *final; i++) {
    ck_assert(!nsd_cycle_is_too_far(final[i]));
  }
}
END_TEST

SUITE("study/return_map", TEST(the_map_is_that_of_the_flow), TEST(time_counts_modulo_the_forcing),
      TEST(drift_and_time_are_left_out), TEST(what_a_shorter_step_may_mend))
