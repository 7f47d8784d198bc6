/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The benchmark's hand-written step is the woodpecker's: each step solves its problem, and small steps end
 * where the exact solution does. A floor that is fast and wrong would be none. */
#include "bench/floor_woodpecker.h"

#include <math.h>

#include "suite.h"
#include "support/exact_toy.h"

static exact_toy equations(void)
{
  exact_woodpecker model;
  exact_toy toy;
  exact_woodpecker_table(&model);
  exact_toy_make(&model, &toy);
  return toy;
}

/* u after one midpoint step from (q, u), by the enumeration of the exact solution; 0 where it has no or
 * several answers. `active` is how many contacts took part. */
static int reference_step(const exact_toy *toy, const floor_state *s, double dt, long double *u, int *active)
{
  exact_contacts p;
  exact_mode mode[EXACT_CLOSED_MOST];
  long double Lambda[EXACT_ROWS];
  long double kick[EXACT_DOF];
  long double middle[EXACT_DOF];
  int index[EXACT_CLOSED_MOST] = {0};
  p.k = 0;
  for (int i = 0; i < EXACT_DOF; i++) {
    u[i] = s->u[i];
    middle[i] = s->q[i] + 0.5 * dt * s->u[i];
  }
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    if (toy->gap[i] + toy->w[i][0][1] * middle[1] + toy->w[i][0][2] * middle[2] <= 0.0L) {
      index[p.k++] = i;
    }
  }
  exact_toy_impact(toy, index, u, &p);
  for (int i = 0; i < EXACT_DOF; i++) {
    kick[i] = 0.0L;
    for (int j = 0; j < EXACT_DOF; j++) {
      const long double torque = toy->stiffness * (middle[1] - middle[2]);
      const long double h = toy->weight[j] + (j == 1 ? -torque : j == 2 ? torque : 0.0L);
      kick[i] += toy->M_inverse[i][j] * h * dt;
    }
  }
  for (int i = 0; i < EXACT_DOF; i++) {
    u[i] += kick[i];
  }
  for (int i = 0; i < p.k; i++) {
    p.c[2 * i][0] += exact_toy_speed(toy, index[i], 0, kick);
    p.c[2 * i + 1][0] += exact_toy_speed(toy, index[i], 1, kick);
  }
  *active = p.k;
  if (exact_modes_impact(&p, 1e-13L, mode, Lambda) != 1) {
    return 0;
  }
  exact_toy_kick(toy, index, p.k, Lambda, u);
  return 1;
}

START_TEST(every_step_solves_its_problem)
{
  const int cases = random_cases(20000);
  const exact_toy toy = equations();
  int count[3] = {0, 0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    floor_toy model;
    floor_state s;
    long double u[EXACT_DOF];
    int active;
    floor_begin(&model, &s);
    s.q[1] = random_between(&r, -0.104, 0.104);
    s.q[2] = random_between(&r, -0.4, 0.14);
    for (int i = 0; i < 3; i++) {
      s.u[i] = random_between(&r, -1.0, 1.0) * (i == 0 ? 0.3 : 15.0);
      s.mode[i] = (floor_mode)random_below(&r, 4);
    }
    if (random_below(&r, 2)) {
      s.q[1] = random_below(&r, 2) ? 0.1035 : -0.1035;
    }
    if (random_below(&r, 3) == 0) {
      s.q[2] = 0.1201;
    }
    const double dt = 1e-3 * random_unit(&r);
    if (!reference_step(&toy, &s, dt, u, &active)) {
      continue;
    }
    count[active]++;
    REQUIRE(floor_step(&model, &s, dt) == active, "case %d", k);
    for (int i = 0; i < 3; i++) {
      const double error = s.u[i] - (double)u[i];
      REQUIRE(fabs(error) < 1e-9 * (i == 0 ? 0.3 : 15.0), "case %d: u[%d] is off by %g", k, i, error);
    }
  }
  for (int i = 0; i < 3; i++) {
    ck_assert(cases < 1000 || is_common(count[i], cases, 20));
  }
  ck_assert_int_gt(count[0] + count[1] + count[2], cases - cases / 50);
}
END_TEST

static double error_at(double t, int steps)
{
  exact_woodpecker model;
  exact_state exact;
  floor_toy toy;
  floor_state s;
  double error = 0.0;
  exact_woodpecker_table(&model);
  ck_assert_int_eq(exact_woodpecker_begin(&model, &exact), EXACT_EVENT);
  while (exact_woodpecker_next(&model, (long double)t, &exact, NULL) == EXACT_EVENT) {
  }
  floor_begin(&toy, &s);
  for (int i = 0; i < steps; i++) {
    REQUIRE(floor_step(&toy, &s, t / steps) >= 0, "step %d of %d", i, steps);
  }
  static const double size[6] = {0.02, 0.1, 0.5, 0.4, 30.0, 17.0};
  for (int i = 0; i < 3; i++) {
    error = fmax(error, fabs(s.q[i] - (double)exact.q[i]) / size[i]);
    error = fmax(error, fabs(s.u[i] - (double)exact.u[i]) / size[3 + i]);
  }
  return error;
}

/* M constant, h of q alone: second order until something happens. */
START_TEST(second_order_before_the_first_event)
{
  for (int steps = 200; steps <= 1600; steps *= 2) {
    const double ratio = error_at(0.02, steps) / error_at(0.02, 2 * steps);
    ck_assert_double_eq_tol(ratio, 4.0, 0.2);
  }
}
END_TEST

/* Through a stop, a start, a detachment, five impacts. Single errors are erratic: a bound, not a slope. */
START_TEST(first_order_through_events)
{
  for (int steps = 4000; steps <= 400000; steps *= 10) {
    const double dt = 0.16 / steps;
    const double error = error_at(0.16, steps);
    ck_assert_double_lt(error, 1200.0 * dt);
  }
}
END_TEST

/* The mean of ten periods from the exact cycle on, one to settle. A period ends where sticking ends, with
 * the place within the step by the force's way to its limit left out: one step of eleven periods. */
static void ten_periods(double dt, double *period, double *drop)
{
  exact_woodpecker model;
  exact_cycle c;
  floor_toy toy;
  floor_state s;
  int ends = 0;
  double first[2] = {0.0, 0.0};
  exact_woodpecker_table(&model);
  ck_assert_int_eq(exact_woodpecker_cycle(&model, &c), EXACT_EVENT);
  floor_begin(&toy, &s);
  for (int i = 0; i < 3; i++) {
    s.q[i] = (double)c.section.q[i];
    s.u[i] = (double)c.section.u[i];
  }
  for (int i = 0; i < (int)(2.0 / dt); i++) {
    const floor_mode before = s.mode[1];
    REQUIRE(floor_step(&toy, &s, dt) >= 0, "step %d", i);
    if (before != FLOOR_STICK || s.mode[1] != FLOOR_MINUS) {
      continue;
    }
    ends++;
    if (ends == 1) {
      first[0] = i * dt;
      first[1] = s.q[0];
    }
    if (ends == 11) {
      *period = (i * dt - first[0]) / 10.0;
      *drop = (first[1] - s.q[0]) / 10.0;
      return;
    }
  }
  ck_abort_msg("no eleven periods with dt = %g", dt);
}

START_TEST(the_mean_period_is_that_of_the_cycle)
{
  double period;
  double drop;
  ten_periods(1e-5, &period, &drop);
  ck_assert_double_eq_tol(period / 0.1459760651437518, 1.0, 5e-4);
  ck_assert_double_eq_tol(drop / 0.0194453792847165, 1.0, 3e-3);
  ten_periods(1e-6, &period, &drop);
  ck_assert_double_eq_tol(period / 0.1459760651437518, 1.0, 5e-5);
  ck_assert_double_eq_tol(drop / 0.0194453792847165, 1.0, 3e-4);
}
END_TEST

SUITE("support/floor_woodpecker", TEST(every_step_solves_its_problem),
      TEST(second_order_before_the_first_event), TEST(first_order_through_events),
      TEST(the_mean_period_is_that_of_the_cycle))
