/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many.h"

#include <string.h>

#include "contact/object.h"
#include "contact_cases.h"
#include "piled.h"

/* By the public call alone. */
static nsdyn_status solve(nsdyn_context *ctx, const pile *p, double *Lambda, double *share)
{
  const nsdyn_contact_problem problem = pile_problem(p);
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(ctx, NULL, &s), NSDYN_OK);
  const nsdyn_status status = nsdyn_contact_solve(s, &problem, Lambda, NULL);
  double residual, scale;
  ck_assert_int_eq(nsdyn_contact_residual(&problem, Lambda, &residual, &scale, NULL), NSDYN_OK);
  *share = residual > 0.0 ? residual / scale : 0.0;
  nsdyn_contact_free(s);
  return status;
}

START_TEST(piles_of_every_kind_are_solved)
{
  static const int sizes[] = {3, 20, 60, 120};
  for (int i = 0; i < (is_brief() ? 2 : 4); i++) {
    for (int kind = 0; kind < PILE_KINDS; kind++) {
      for (int load = 0; load < PILE_LOADS; load++) {
        piled t = piled_make((pile_kind)kind, (pile_load)load, sizes[i], i);
        double share;
        const nsdyn_status status = solve(NULL, &t.p, t.Lambda, &share);
        ck_assert_msg(status == NSDYN_OK && share <= 1e-9, "%s, load %d, %d contacts: status %d, residual %g",
                      pile_name((pile_kind)kind), load, t.p.contacts, status, share);
        piled_free(&t);
      }
    }
  }
}
END_TEST

/* Problems of all laws, small enough for other methods: where these have an answer, so have rounds and paths,
 * or they say that they have none. */
START_TEST(small_problems_of_all_laws_are_solved)
{
  int solved = 0, solvable = 0;
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s), NSDYN_OK);
  for (int seed = 0; seed < random_cases(2000); seed++) {
    contact_case t;
    contact_case_make(&t, (case_kind)(seed % CASE_KINDS), 1 + seed / CASE_KINDS % 6, (uint64_t)seed);
    double Lambda[CASE_ROWS], xi[CASE_ROWS], other[CASE_ROWS];
    nsd_pattern_best best = {.Lambda = Lambda, .xi = xi, .verdict = {.residual = INFINITY, .row = -1}};
    if (nsd_contact_solve_data(s, &t.data, other, NULL) != NSDYN_OK) {
      continue;
    }
    solvable++;
    ck_assert_int_eq(nsd_contact_reserve_many(s, &t.data), NSDYN_OK);
    if (nsd_many_solve(&s->many, &t.data, NULL, 1e-9, 1e6, &best, NULL) == NSDYN_OK) {
      const nsd_contact_verdict v = nsd_contact_judge(&t.data, Lambda, xi);
      ck_assert(nsd_contact_is_solution(&v, 1e-9));
      solved++;
    }
  }
  nsdyn_contact_free(s);
  ck_assert_msg(is_brief() || solved >= 0.9 * solvable, "%d of %d", solved, solvable);
}
END_TEST

/* Asymmetry of rounding changes nothing that matters. */
START_TEST(an_asymmetry_of_rounding_does_no_harm)
{
  piled t = piled_make(PILE_RUBBLE, PILE_REST, 60, 2);
  random_state random = random_seed(2);
  for (int i = 0; i < t.d.rows * t.d.rows; i++) {
    t.p.G[i] *= 1.0 + 1e-16 * random_normal(&random);
  }
  double share;
  ck_assert_int_eq(solve(NULL, &t.p, t.Lambda, &share), NSDYN_OK);
  ck_assert_double_le(share, 1e-9);
  piled_free(&t);
}
END_TEST

static int stop_at_once(void *user, const char *activity, double done)
{
  (void)user;
  (void)activity;
  (void)done;
  return 1;
}

/* Whoever waits for hundreds of contacts can stop that. */
START_TEST(a_long_solve_is_cancelled)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = stop_at_once;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx), NSDYN_OK);
  piled t = piled_make(PILE_RUBBLE, PILE_BURST, 200, 1);
  double share;
  const nsdyn_status status = solve(ctx, &t.p, t.Lambda, &share);
  ck_assert_msg(status == NSDYN_CANCELLED, "status %d, share %g", status, share);
  piled_free(&t);
  nsdyn_context_free(ctx);
}
END_TEST

/* The same call leaves the same bits, whatever was solved in between. */
START_TEST(the_same_problem_gives_the_same_bits)
{
  piled a = piled_make(PILE_DISKS, PILE_REST, 100, 1), b = piled_make(PILE_CHAIN, PILE_BURST, 70, 2);
  nsdyn_contact *s;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s), NSDYN_OK);
  const nsdyn_contact_problem one = pile_problem(&a.p), two = pile_problem(&b.p);
  ck_assert_int_eq(nsdyn_contact_solve(s, &one, a.Lambda, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(s, &two, b.Lambda, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_solve(s, &one, a.xi, NULL), NSDYN_OK);
  ck_assert(memcmp(a.Lambda, a.xi, (size_t)a.d.rows * sizeof *a.xi) == 0);
  nsdyn_contact_free(s);
  piled_free(&a);
  piled_free(&b);
}
END_TEST

SUITE("many", TEST(piles_of_every_kind_are_solved), TEST(small_problems_of_all_laws_are_solved),
      TEST(an_asymmetry_of_rounding_does_no_harm), TEST(a_long_solve_is_cancelled),
      TEST(the_same_problem_gives_the_same_bits))
