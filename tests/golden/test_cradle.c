/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's cradle: balls that touch are hit at once and obey Newton's law together, or Poisson's; with room
 * between them they are hit one after the other, and the laws agree. */
#include <string.h>

#include "proof.h"

enum { BALLS = MODEL_MOST };

/* The first ball flies at a row at rest, masses and restitutions as they come. */
static void random_row(random_state *r, double eps_least, int equal, exact_cradle *p)
{
  memset(p, 0, sizeof *p);
  p->k = 2 + random_below(r, BALLS - 1);
  const double eps = random_between(r, eps_least, 1.0);
  for (int i = 0; i < p->k; i++) {
    p->mass[i] = equal ? 0.1L : (long double)random_between(r, 0.05, 0.3);
    p->eps[i] = (long double)(equal ? eps : random_between(r, eps_least, 1.0));
  }
  p->v[0] = (long double)random_between(r, 0.5, 2.0);
}

/* Whether any ball comes nearer to the next one. */
static int approaches(int k, const double *u)
{
  for (int i = 0; i + 1 < k; i++) {
    if (u[i] - u[i + 1] > 1e-12) {
      return 1;
    }
  }
  return 0;
}

/* Until no balls approach each other; 0 where that takes more than `most` steps. */
static int stepped(const exact_cradle *p, int32_t law, const double *q, double dt, int most, double *v)
{
  static model m;
  double u[BALLS];
  int steps = 0;
  machine_cradle(p, &m);
  nsdyn_stepper *s = machine_stepper_by(&m, law);
  for (int i = 0; i < p->k; i++) {
    u[i] = (double)p->v[i];
  }
  set_state(s, q, u);
  while (steps < most && approaches(p->k, nsdyn_stepper_u(s))) {
    run(s, dt, 1);
    steps++;
  }
  memcpy(v, nsdyn_stepper_u(s), (size_t)p->k * sizeof *v);
  nsdyn_stepper_free(s);
  return steps < most;
}

static void same_speeds(const exact_cradle *p, const double *v, const long double *exact, int number)
{
  for (int i = 0; i < p->k; i++) {
    REQUIRE(fabs(v[i] - (double)exact[i]) < 1e-12 * (double)p->v[0],
            "row %d: ball %d of %d has %.15g, not %.15g", number, i, p->k, v[i], (double)exact[i]);
  }
}

START_TEST(balls_that_touch_are_hit_at_once)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle p;
    double v[BALLS];
    long double exact[EXACT_BALLS_MOST], Lambda[EXACT_BALLS_MOST];
    const double q[BALLS] = {0.0};
    random_row(&r, 0.0, k % 2, &p);
    ck_assert_int_eq(exact_cradle_newton(&p, exact, Lambda), 1);
    REQUIRE(stepped(&p, NSDYN_IMPACT_NEWTON, q, 1e-4, 2, v), "row %d: more than one impact", k);
    same_speeds(&p, v, exact, k);
    ck_assert_int_eq(exact_cradle_poisson(&p, exact, Lambda), 1);
    REQUIRE(stepped(&p, NSDYN_IMPACT_POISSON, q, 1e-4, 2, v), "row %d: more than one impact", k);
    same_speeds(&p, v, exact, k);
  }
}
END_TEST

/* (−1, 2, 2)/3 for three equal balls and ε = 1: Newton's law, not what the toy does. */
START_TEST(three_equal_balls_by_hand)
{
  const exact_cradle p = {.k = 3, .mass = {1.0L, 1.0L, 1.0L}, .eps = {1.0L, 1.0L}, .v = {1.0L}};
  const double q[3] = {0.0, 0.0, 0.0};
  double v[BALLS];
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    ck_assert(stepped(&p, law, q, 1e-4, 2, v));
    ck_assert_double_eq_tol(v[0], -1.0 / 3.0, 1e-15);
    ck_assert_double_eq_tol(v[1], 2.0 / 3.0, 1e-15);
    ck_assert_double_eq_tol(v[2], 2.0 / 3.0, 1e-15);
  }
}
END_TEST

/* ε = (0, 1): under Newton's law the second contact, which does not approach, keeps its ε to itself, and
 * balls 1 and 2 go on together. Under Poisson's it gives back what it stored, Λ_E = Λ_C = 1/3. */
START_TEST(two_restitutions_by_hand)
{
  const exact_cradle p = {.k = 3, .mass = {1.0L, 1.0L, 1.0L}, .eps = {0.0L, 1.0L}, .v = {1.0L}};
  const double q[3] = {0.0, 0.0, 0.0}, expected[2][3] = {{1, 1, 1}, {0.5, 0.5, 2}};
  double v[BALLS];
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    ck_assert(stepped(&p, law, q, 1e-4, 2, v));
    for (int i = 0; i < 3; i++) {
      ck_assert_double_eq_tol(v[i], expected[law][i] / 3.0, 1e-15);
    }
  }
}
END_TEST

/* Room of a millimetre or more, steps of some micrometres: never two collisions within one. Balls of almost
 * one speed may take very long to meet; such rows are left out. */
START_TEST(balls_with_room_are_hit_one_by_one)
{
  const int rows = random_cases(60);
  int compared = 0;
  for (int k = 0; k < rows; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle p;
    double v[BALLS], q[BALLS] = {0.0};
    long double gap[EXACT_BALLS_MOST], exact[EXACT_BALLS_MOST];
    random_row(&r, 0.3, k % 2, &p);
    p.k = p.k > 5 ? 5 : p.k;
    for (int i = 0; i + 1 < p.k; i++) {
      gap[i] = (long double)random_between(&r, 1e-3, 3e-3);
      q[i + 1] = q[i] + (double)gap[i];
    }
    REQUIRE(exact_cradle_collide(&p, gap, 1000, exact) > 0, "row %d: no collision", k);
    if (stepped(&p, NSDYN_IMPACT_NEWTON, q, 4e-6, 50000, v)) {
      same_speeds(&p, v, exact, k);
      compared++;
      ck_assert(stepped(&p, NSDYN_IMPACT_POISSON, q, 4e-6, 50000, v));
      same_speeds(&p, v, exact, k);
    }
  }
  ck_assert_int_ge(compared, rows - rows / 3);
}
END_TEST

SUITE("cradle", TEST(balls_that_touch_are_hit_at_once), TEST(three_equal_balls_by_hand),
      TEST(two_restitutions_by_hand), TEST(balls_with_room_are_hit_one_by_one))
