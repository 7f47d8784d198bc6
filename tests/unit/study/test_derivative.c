/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The map's derivative. */
#include "cycle_models.h"
#include "study/object.h"

static double entry(const sought *s, int r, int k)
{
  const nsdyn_cycle *c = s->cycle;
  return c->J[r * c->count + k] * c->scale[c->unknown[r]] / c->scale[c->unknown[k]];
}

static void prepare(sought *s)
{
  ck_assert_int_eq(nsd_cycle_enter(s->cycle), NSDYN_OK);
  ck_assert_int_eq(nsd_cycle_survey(s->cycle), NSDYN_OK);
  const nsdyn_status status = nsd_cycle_differentiate(s->cycle);
  ck_assert_msg(status == NSDYN_OK, "%s", nsdyn_cycle_message(s->cycle));
}

/* A linear map's derivative has no error but that of the integration: e^(AT), and nothing depends on when in
 * the phase it begins but by the flow itself. */
START_TEST(a_linear_flow_is_differentiated_to_its_exponential)
{
  swing p = {.k = 1.3, .delta = 0.1, .F = 0.7};
  sought s = swing_search(&p);
  const double x = 0.3, v = -0.2;
  swing_options(&s);
  seek(&s, -0.5, &x, &v);
  prepare(&s);
  const double w = sqrt(p.k - p.delta * p.delta), T = 2.0 * PI, decay = exp(-p.delta * T);
  const double cosine = cos(w * T), sine = sin(w * T) / w;
  const double exact[4] = {decay * (cosine + p.delta * sine), decay * sine, -decay * p.k * sine,
                           decay * (cosine - p.delta * sine)};
  for (int i = 0; i < 4; i++) {
    ck_assert_double_lt(fabs(entry(&s, 1 + i / 2, 1 + i % 2) - exact[i]), 1e-8);
  }
  for (int k = 0; k < 3; k++) { /* the section is at a given time, whatever was before */
    ck_assert_double_lt(fabs(entry(&s, 0, k)), 1e-9);
  }
  seek_end(&s);
}
END_TEST

/* A ball in flight, from anywhere on its cycle: three unknowns, two of them left by the section. */
START_TEST(an_impact_is_differentiated_as_in_closed_form)
{
  table_ball p = {.A = 0.034, .omega = 20.0, .g = 9.81, .eps = 0.5};
  const table_cycle exact = table_solve(&p);
  sought s = table_search(&p);
  table_guess(&s, &p, 0.0);
  prepare(&s);
  const double *J = s.cycle->J;
  const double trace = J[0] + J[4] + J[8];
  const double minors = J[0] * J[4] - J[1] * J[3] + J[0] * J[8] - J[2] * J[6] + J[4] * J[8] - J[5] * J[7];
  const double det = J[0] * (J[4] * J[8] - J[5] * J[7]) - J[1] * (J[3] * J[8] - J[5] * J[6]) +
                     J[2] * (J[3] * J[7] - J[4] * J[6]);
  ck_assert_double_lt(fabs(trace - exact.trace), 1e-6);
  ck_assert_double_lt(fabs(minors - exact.det), 1e-6);
  ck_assert_double_lt(fabs(det), 1e-6);
  seek_end(&s);
}
END_TEST

/* x = cos t, looked at where it rises through a mark that amplitudes below 0.99 do not reach. */
static int high_mark(void *user, double t, const double *q, const double *u, double *value)
{
  (void)t, (void)u;
  *value = q[0] - *(const double *)user;
  return 0;
}

/* Varied by a tenth, some states never come to the section: they are varied less, until all do. */
START_TEST(states_that_do_not_come_back_are_varied_less)
{
  swing p = {.k = 1.0};
  sought s = swing_search(&p);
  double mark = -0.99;
  s.driver.section = high_mark;
  s.driver.section_direction = 1;
  s.driver.user = &mark;
  s.options.driver = &s.driver;
  s.options.step = 0.1;
  s.options.max_time = 20.0;
  const double q = 1.0, u = 0.0;
  seek(&s, 0.0, &q, &u);
  prepare(&s);
  /* the amplitude stays: eigenvalue 1; along the motion everything comes back to one point: 0 */
  ck_assert_double_lt(fabs(entry(&s, 0, 0) + entry(&s, 1, 1) - 1.0), 1e-2);
  ck_assert_double_lt(fabs(entry(&s, 0, 0) * entry(&s, 1, 1) - entry(&s, 0, 1) * entry(&s, 1, 0)), 1e-2);
  seek_end(&s);
}
END_TEST

SUITE("study/derivative", TEST(a_linear_flow_is_differentiated_to_its_exponential),
      TEST(an_impact_is_differentiated_as_in_closed_form), TEST(states_that_do_not_come_back_are_varied_less))
