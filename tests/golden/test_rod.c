/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Painlevé's rod (Stewart 2000, §1.3 and Fig. 2.4) against its exact solution: a slide in the paradox jams
 * within an impact without collision; a dropped rod hits, turns about its end, and slips. */
#include <string.h>

#include "proof.h"

typedef struct rod {
  exact_rod exact;
  exact_rod_state begin;
  nsdyn_stepper *stepper;
} rod;

static void make_rod(rod *r, exact_rod p)
{
  nsdyn_contact_law law;
  nsdyn_system *sys;
  r->exact = p;
  const nsdyn_system_def def = machine_rod(&r->exact);
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = p.mu;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &r->stepper, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
}

static void place_rod(const rod *r)
{
  set_state(r->stepper, r->begin.q, r->begin.u);
}

/* ---- A slide in the paradox ---- */

typedef struct jam {
  double impulse[2]; /* until the end rests */
  double time;       /* when it does */
} jam;

/* The end slides on a table that it just touches: a step that finds it above by rounding is one of free
 * flight. */
static jam slide(const rod *r, double dt)
{
  jam j = {{0.0, 0.0}, NAN};
  place_rod(r);
  for (int k = 0; k < 100; k++) {
    run(r->stepper, dt, 1);
    const nsdyn_contact_state c = state_of(r->stepper, 0);
    j.impulse[0] += c.impulse[0];
    j.impulse[1] += c.impulse[1];
    if (c.active && c.mode == NSDYN_MODE_STICK) {
      j.time = nsdyn_stepper_time(r->stepper);
      return j;
    }
  }
  ck_abort_msg("it still slides after a hundred steps of %g", dt);
}

static double error_of_jam(void *data, double dt)
{
  const rod *r = data;
  exact_rod_state s = r->begin;
  double Lambda[2], error = 0.0;
  ck_assert_int_eq(exact_rod_jam(&r->exact, &s, Lambda), 1);
  exact_rod_kick(&r->exact, Lambda, &s);
  const jam j = slide(r, dt);
  REQUIRE(j.time <= 3.0 * dt, "with steps of %g it rests at %g", dt, j.time);
  for (int k = 0; k < 2; k++) {
    error = fmax(error, fabs(j.impulse[k] - Lambda[k]));
  }
  for (int k = 0; k < 3; k++) {
    error = fmax(error, fabs(nsdyn_stepper_u(r->stepper)[k] - s.u[k]));
  }
  return error;
}

/* No finite force can carry the slide on: b < 0 and p < 0. */
START_TEST(a_slide_in_the_paradox_jams)
{
  int slides = 0;
  for (int k = 0; slides < 20; k++) {
    random_state random = random_seed((uint64_t)k);
    double least, most;
    rod r;
    make_rod(&r, (exact_rod){.m = 1.3, .l = 0.8, .mu = random_between(&random, 1.6, 4.0), .g = 9.81});
    ck_assert(exact_rod_paradox(r.exact.mu, &least, &most));
    const double theta = least + random_between(&random, 0.2, 0.8) * (most - least);
    r.begin = exact_rod_on_table(&r.exact, theta, random_between(&random, -2.0, 2.0),
                                 -random_between(&random, 0.5, 3.0));
    const exact_one one = exact_rod_contact(&r.exact, &r.begin);
    if (one.c[0] < 0.0) {
      ck_assert_int_eq(exact_one_unilateral(&one, -1).count, 0);
      prove_order(error_of_jam, &r, 1e-4, 1.0, 0.3, 200.0);
      slides++;
    }
    nsdyn_stepper_free(r.stepper);
  }
}
END_TEST

/* ---- A drop, as in Fig. 2.4 ---- */

/* Falls spinning, hits and stops its end at once, turns about it, slips. */
typedef struct drop {
  double touch, slip; /* times */
  double Lambda[2];
} drop;

static drop drop_exactly(const rod *r)
{
  drop d;
  exact_rod_state s = r->begin;
  ck_assert_int_eq(exact_rod_fall(&r->exact, 10.0, &s), 1);
  d.touch = s.t;
  ck_assert_int_eq(exact_rod_impact(&r->exact, 0.0, d.Lambda, &s), (int)EXACT_STICK);
  ck_assert_int_eq((int)exact_rod_turn(&r->exact, 10.0, &s), (int)EXACT_ROD_SLIP);
  d.slip = s.t;
  return d;
}

/* The first impact, and the first slip after it. The rod turns, so that its end, held at velocity level,
 * slips the table by what a circle slips its tangent: single steps without contact are part of the scheme. */
static double error_of_drop(void *data, double dt)
{
  const rod *r = data;
  const drop d = drop_exactly(r);
  double touch = NAN, slip = NAN, impulse[2] = {0.0, 0.0};
  place_rod(r);
  while (isnan(slip)) {
    run(r->stepper, dt, 1);
    const double t = nsdyn_stepper_time(r->stepper) - 0.5 * dt;
    const nsdyn_contact_state c = state_of(r->stepper, 0);
    if (c.active && isnan(touch)) {
      touch = t;
      memcpy(impulse, c.impulse, sizeof impulse);
      REQUIRE(c.mode == NSDYN_MODE_STICK, "mode %d at the impact", c.mode);
    }
    if (c.mode == NSDYN_MODE_SLIP_PLUS || c.mode == NSDYN_MODE_SLIP_MINUS) {
      slip = t;
    }
    REQUIRE(t < d.slip + 0.1, "it does not slip until %g", t);
  }
  return fmax(fmax(fabs(touch - d.touch), fabs(slip - d.slip)),
              fmax(fabs(impulse[0] - d.Lambda[0]), fabs(impulse[1] - d.Lambda[1])));
}

START_TEST(a_dropped_rod_hits_turns_and_slips)
{
  const double mu[] = {2.0, 0.9, 3.0}, theta[] = {0.6, 1.1, 1.3}, omega[] = {4.0, 0.5, -1.0};
  for (int k = 0; k < 3; k++) {
    rod r;
    make_rod(&r, (exact_rod){.m = 1.0, .l = 1.0, .mu = mu[k], .g = 9.81});
    r.begin = (exact_rod_state){.q = {0.0, 1.0, theta[k]}, .u = {0.0, 0.0, omega[k]}};
    prove_order(error_of_drop, &r, 1e-3, 1.0, 0.4, 40.0);
    nsdyn_stepper_free(r.stepper);
  }
}
END_TEST

SUITE("rod", TEST(a_slide_in_the_paradox_jams), TEST(a_dropped_rod_hits_turns_and_slips))
