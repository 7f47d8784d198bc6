/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pendulum of Ma et al.: how many accelerations physics allows, over angle, friction and pull, against
 * its closed form; and what the LCP makes of the one that lifts off. */
#include "support/exact_pendulum.h"

#include <math.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "nsdyn/lcp.h"
#include "suite.h"
#include "support/exact_rod.h"

/* Problem, law and data of one contact at acceleration level. */
typedef struct task {
  exact_one one;
  nsdyn_contact_law law;
  nsdyn_contact_problem problem;
} task;

static void make_task(const exact_pendulum *p, task *t)
{
  t->one = exact_pendulum_contact(p);
  nsdyn_contact_law_init(&t->law, sizeof t->law);
  t->law.mu = p->mu;
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = 1;
  t->problem.laws = &t->law;
  t->problem.G = t->one.G[0];
  t->problem.ldg = 2;
  t->problem.c = t->one.c;
  t->problem.dt = 1.0;
}

static nsdyn_contact *new_solver(void)
{
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  return solver;
}

static nsdyn_contact_census count(nsdyn_contact *solver, const task *t)
{
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &t->problem, NULL, NULL, &census);
  REQUIRE(status == NSDYN_OK, "%s", nsdyn_contact_message(solver));
  return census;
}

/* Pieces of solutions of the LCP, eq. 33 of Glocker & Studer (2005). */
static nsdyn_lcp_census count_lcp(const task *t)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_census census;
  double A[9], b[3], lo[3], hi[3];
  int n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, A, 3, b, lo, hi, &n), NSDYN_OK);
  ck_assert_int_eq(n, 3);
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  nsdyn_lcp_census_init(&census, sizeof census);
  ck_assert_int_eq(nsdyn_lcp_enumerate(lcp, 3, A, 3, b, NULL, NULL, &census), NSDYN_OK);
  nsdyn_lcp_free(lcp);
  return census;
}

/* θ = π/4, μ = 1, F_x = 0, F_y > 0: it lifts off. The LCP may also split a sliding velocity of zero into two
 * of any size, left and right. */
START_TEST(one_motion_where_the_lcp_has_a_ray)
{
  const exact_pendulum p = {.m = 2.0, .l = 0.5, .theta = atan(1.0), .mu = 1.0, .F = {0.0, 3.0}};
  nsdyn_contact *solver = new_solver();
  double Lambda[2], xi[2];
  task t;
  make_task(&p, &t);
  const nsdyn_lcp_census lcp = count_lcp(&t);
  ck_assert_int_eq(lcp.unbounded_pieces, 1);
  ck_assert_int_eq(lcp.points + lcp.bounded_pieces, 0);
  ck_assert_int_eq(lcp.max_dimension, 1);
  const nsdyn_contact_census census = count(solver, &t);
  ck_assert_int_eq(census.points, 1);
  ck_assert_int_eq(census.motions, 1);
  ck_assert_int_eq(census.bounded_pieces + census.unbounded_pieces, 0);
  ck_assert_int_eq(census.complete, 1);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &t.problem, Lambda, xi), NSDYN_OK);
  ck_assert_double_eq(Lambda[0], 0.0);
  ck_assert_double_eq(Lambda[1], 0.0);
  ck_assert_double_eq_tol(xi[0], 1.5, 1e-14);
  ck_assert_double_eq_tol(xi[1], 0.0, 1e-14);
  nsdyn_contact_free(solver);
}
END_TEST

/* How far the data are from a knife edge between counts: the count of data a little off is the same. */
static int is_clear(const exact_pendulum *p)
{
  const int here = exact_pendulum_count(p);
  for (int k = 0; k < 8; k++) {
    const double shift = 1e-6;
    exact_pendulum q = *p;
    q.theta += k & 1 ? shift : -shift;
    q.mu *= k & 2 ? 1.0 + shift : 1.0 - shift;
    q.F[1] += (k & 4 ? shift : -shift) * hypot(p->F[0], p->F[1]);
    if (exact_pendulum_count(&q) != here) {
      return 0;
    }
  }
  return 1;
}

/* The map over angle and friction, for pulls in all directions. */
START_TEST(the_map_over_angle_and_friction)
{
  enum { ANGLES = 31, FRICTIONS = 30, PULLS = 12 };
  nsdyn_contact *solver = new_solver();
  int ones = 0, threes = 0;
  for (int f = 0; f < PULLS; f++) {
    const double direction = 6.283185307179586 * (f + 0.3) / PULLS;
    for (int i = 0; i < ANGLES; i++) {
      for (int k = 0; k < FRICTIONS; k++) {
        const exact_pendulum p = {.m = 1.0,
                                  .l = 0.5,
                                  .theta = -1.5 + 3.0 * i / (ANGLES - 1),
                                  .mu = 3.0 * (k + 0.5) / FRICTIONS,
                                  .F = {cos(direction), sin(direction)}};
        task t;
        double least, steepest;
        const int expected = exact_pendulum_count(&p);
        if (!is_clear(&p)) {
          continue;
        }
        make_task(&p, &t);
        const nsdyn_contact_census census = count(solver, &t);
        REQUIRE(census.points == expected && census.motions == expected && census.complete,
                "θ = %g, μ = %g, pull at %g: %d solutions instead of %d", p.theta, p.mu, direction,
                (int)census.points, expected);
        REQUIRE(expected == 1 || (expected == 3 && exact_rod_paradox(p.mu, &least, &steepest)),
                "three solutions with μ = %g", p.mu);
        ones += expected == 1;
        threes += expected == 3;
      }
    }
  }
  ck_assert_int_gt(ones, PULLS * ANGLES * FRICTIONS / 2);
  ck_assert_int_ge(threes, PULLS);
  nsdyn_contact_free(solver);
}
END_TEST

/* The solutions themselves, of random pendulums. */
typedef struct found {
  const exact_answers *all;
  int seen[EXACT_ANSWERS_MOST];
} found;

static int match(void *user, const nsdyn_contact_piece *piece)
{
  found *f = user;
  for (int i = 0; i < f->all->count; i++) {
    const exact_answer *a = &f->all->answer[i];
    const double size = 1e-9 * (1.0 + fabs(a->lambda[0]) + fabs(a->lambda[1]));
    if (fabs(piece->Lambda[0] - a->lambda[0]) < size && fabs(piece->Lambda[1] - a->lambda[1]) < size) {
      f->seen[i]++;
    }
  }
  return 0;
}

START_TEST(every_solution_is_found)
{
  const int cases = random_cases(20000);
  nsdyn_contact *solver = new_solver();
  int threes = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_pendulum p = {.m = 1.0,
                              .l = 0.5,
                              .theta = random_between(&r, -1.5, 1.5),
                              .spin = random_between(&r, -3.0, 3.0),
                              .mu = random_between(&r, 0.1, 4.0),
                              .F = {random_between(&r, -10.0, 10.0), random_between(&r, -10.0, 10.0)}};
    task t;
    make_task(&p, &t);
    const exact_answers all = exact_one_unilateral(&t.one, 0);
    found f = {&all, {0}};
    if (!is_clear(&p)) {
      continue;
    }
    REQUIRE(nsdyn_contact_enumerate(solver, &t.problem, match, &f, NULL) == NSDYN_OK, "case %d: %s", k,
            nsdyn_contact_message(solver));
    for (int i = 0; i < all.count; i++) {
      REQUIRE(f.seen[i] == 1, "case %d: answer %d of %d was found %d times", k, i, all.count, f.seen[i]);
    }
    threes += all.count == 3;
  }
  ck_assert_int_ge(threes, cases / 200);
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("pendulum", TEST(one_motion_where_the_lcp_has_a_ray), TEST(the_map_over_angle_and_friction),
      TEST(every_solution_is_found))
