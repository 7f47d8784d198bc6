/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Callbacks that always answer with one number of 1e30 to 1e150, which is finite: a run of steps ends with a
 * name and a message, or well: with a finite state, and gaps, velocities and a residual within what the
 * report allows; and soon. */
#include <time.h>

#include "stepping.h"

enum { LONGEST = 5 }; /* s of CPU time, under any load */

static const int spoilt[] = {MODEL_MASS,      MODEL_SOLVE_MASS, MODEL_FORCE,      MODEL_GAP,
                             MODEL_DIRECTION, MODEL_CONSTRAINT, MODEL_KINEMATICS, MODEL_RETRACT};
enum { SPOILT = sizeof spoilt / sizeof *spoilt };

/* A random machine with contacts, whose callback `which` is always wrong. */
static void draw(model *m, random_state *r, int which)
{
  const int nu = 2 + random_below(r, 3), known = 1 + random_below(r, 2);
  model_random(m, r, nu, known, 0, which == MODEL_CONSTRAINT || random_below(r, 3) == 0);
  m->fails = which;
  m->code = 0;
  m->where = which == MODEL_GAP          ? random_below(r, known)
             : which == MODEL_CONSTRAINT ? 0
                                         : random_below(r, nu);
  m->value = (random_below(r, 2) ? 1.0 : -1.0) * pow(10.0, random_between(r, 30.0, 150.0));
}

static void must_be_finite(int seed, const char *what, int n, const double *x)
{
  for (int j = 0; j < n; j++) {
    REQUIRE(isfinite(x[j]), "seed %d: %s %d is %g", seed, what, j, x[j]);
  }
}

static void must_have_a_name(int seed, nsdyn_status status, const char *message, clock_t begin)
{
  REQUIRE(status == NSDYN_OK || message[0], "seed %d: %s without a message", seed, nsdyn_status_name(status));
  REQUIRE(clock() - begin < (clock_t)LONGEST * CLOCKS_PER_SEC, "seed %d: %g s", seed,
          (double)(clock() - begin) / CLOCKS_PER_SEC);
}

START_TEST(steps_with_huge_numbers_end_with_a_name_or_well)
{
  const int cases = random_cases(4000);
  int good = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state r = random_seed((uint64_t)seed);
    model m;
    const int which = spoilt[seed % SPOILT], extra = which == MODEL_SOLVE_MASS   ? MODEL_SOLVES
                                                     : which == MODEL_KINEMATICS ? MODEL_MOVES
                                                     : which == MODEL_RETRACT    ? MODEL_RETRACTS
                                                                                 : 0;
    draw(&m, &r, which);
    nsdyn_stepper_options options = stepper_unchecked();
    options.project = random_below(&r, 2);
    nsdyn_stepper *s = stepper_of(&m, 0, extra, &options);
    double q[MODEL_MOST], u[MODEL_MOST];
    for (int j = 0; j < m.nu; j++) {
      q[j] = random_between(&r, -1.0, 1.0);
      u[j] = random_between(&r, -1.0, 1.0);
    }
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    const clock_t begin = clock();
    nsdyn_status status = NSDYN_OK;
    for (int k = 0; k < 5 && status == NSDYN_OK; k++) {
      nsdyn_step_report report;
      ck_assert_int_eq(nsdyn_step_report_init(&report, sizeof report), NSDYN_OK);
      status = nsdyn_stepper_step(s, 1e-2);
      must_have_a_name(seed, status, nsdyn_stepper_message(s), begin);
      ck_assert_int_eq(nsdyn_stepper_report(s, &report), NSDYN_OK);
      REQUIRE(status ||
                  (report.gap <= report.gap_bound && report.constraint <= report.constraint_bound &&
                   report.velocity <= report.velocity_bound && report.residual <= options.tol * report.scale),
              "seed %d: OK with gap %g (%g), constraint %g (%g), velocity %g (%g), residual %g of %g", seed,
              report.gap, report.gap_bound, report.constraint, report.constraint_bound, report.velocity,
              report.velocity_bound, report.residual, report.scale);
      must_be_finite(seed, "q", m.nu, nsdyn_stepper_q(s));
      must_be_finite(seed, "u", m.nu, nsdyn_stepper_u(s));
    }
    good += status == NSDYN_OK;
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(good, cases / 100);
}
END_TEST

SUITE("public/huge_numbers", TEST(steps_with_huge_numbers_end_with_a_name_or_well))
