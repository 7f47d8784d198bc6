/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/todorov_equations.h"

#include <math.h>
#include <string.h>

#include "../space_trial.h"
#include "../spatial.h"
#include "nsdyn/contact.h"

static const int32_t methods[] = {NSDYN_CONTACT_TODOROV_RLM, NSDYN_CONTACT_TODOROV_PLM};

/* Disks, ellipses, planar and frictionless contacts: all that the map can state. */
static nsdyn_contact_law random_disk(random_state *random)
{
  nsdyn_contact_law law = disk_law(random_below(random, 8) ? random_between(random, 0.0, 1.0) : 0.0);
  law.tangents = random_below(random, 4) ? 2 : 1;
  law.friction = random_below(random, 8) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  if (law.tangents == 2 && random_below(random, 2)) {
    law.aspect = random_between(random, 0.3, 2.0);
    law.angle = random_between(random, -4.0, 4.0);
  }
  return law;
}

START_TEST(both_methods_solve_random_problems)
{
  static trial t;
  for (int m = 0; m < 2; m++) {
    nsdyn_contact *solver = make_solver(methods[m]);
    const int cases = random_cases(1000);
    int solved = 0, own = 0;
    for (int k = 0; k < cases; k++) {
      random_state random = random_seed((uint64_t)k);
      const int contacts = 1 + (int)random_below(&random, MOST);
      for (int i = 0; i < contacts; i++) {
        t.law[i] = random_disk(&random);
      }
      t.law[0].tangents = 2;
      t.law[0].friction = NSDYN_FRICTION_COULOMB;
      fill(&t, contacts, k % 2 ? 3 * MOST : (3 * contacts + 1) / 2, &random);
      const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
      nsdyn_contact_solve_report report;
      nsdyn_contact_solve_report_init(&report, sizeof report);
      ck_assert_int_eq(nsdyn_contact_report(solver, &report), NSDYN_OK);
      solved += status == NSDYN_OK;
      own += status == NSDYN_OK && (report.method == methods[m] || report.iterations == 0);
      REQUIRE(status != NSDYN_OK || miss_of(&t) <= 1e-9, "seed %d: %g", k, miss_of(&t));
      REQUIRE(status >= 0, "seed %d: %s", k, nsdyn_contact_message(solver));
    }
    ck_assert_msg(1000 * solved >= 990 * cases, "method %d: %d of %d", m, solved, cases);
    ck_assert_msg(100 * own >= 99 * solved, "method %d: %d of %d by itself", m, own, solved);
    nsdyn_contact_free(solver);
  }
}
END_TEST

/* One contact: what the exact solver finds, where G is definite and the answer is one. */
START_TEST(one_contact_is_that_of_the_exact_solver)
{
  static trial t;
  nsdyn_contact *exact = make_solver(NSDYN_CONTACT_DIRECT);
  for (int m = 0; m < 2; m++) {
    nsdyn_contact *solver = make_solver(methods[m]);
    int solved = 0;
    const int cases = random_cases(1000);
    for (int k = 0; k < cases; k++) {
      random_state random = random_seed((uint64_t)k);
      t.law[0] = disk_law(random_between(&random, 0.0, 0.3));
      t.law[0].aspect = k % 2 ? random_between(&random, 0.3, 2.0) : 1.0;
      t.law[0].angle = random_between(&random, -4.0, 4.0);
      fill(&t, 1, 3 * MOST, &random);
      double wanted[3];
      ck_assert_int_eq(nsdyn_contact_solve(exact, &t.p, wanted, NULL), NSDYN_OK);
      if (nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL) != NSDYN_OK) {
        continue;
      }
      solved++;
      for (int i = 0; i < 3; i++) {
        REQUIRE(fabs(t.Lambda[i] - wanted[i]) <= 1e-8, "method %d, seed %d: %g for %g", m, k, t.Lambda[i],
                wanted[i]);
      }
    }
    ck_assert_msg(100 * solved >= 99 * cases, "method %d: %d of %d", m, solved, cases);
    nsdyn_contact_free(solver);
  }
  nsdyn_contact_free(exact);
}
END_TEST

/* A contact's lengths in other units, times as many: the same steps, and impulses to the bit. */
START_TEST(units_do_not_matter)
{
  static trial t, other;
  for (int m = 0; m < 2; m++) {
    nsdyn_contact *solver = make_solver(methods[m]);
    for (int k = 0; k < random_cases(200); k++) {
      random_state random = random_seed((uint64_t)k);
      const int contacts = 1 + k % 4;
      for (int i = 0; i < contacts; i++) {
        t.law[i] = other.law[i] = disk_law(random_between(&random, 0.0, 0.5));
      }
      fill(&t, contacts, 3 * MOST, &random);
      random_state again = random_seed((uint64_t)k);
      for (int i = 0; i < contacts; i++) {
        (void)random_between(&again, 0.0, 0.5);
      }
      fill(&other, contacts, 3 * MOST, &again);
      /* Velocities count 4 times, impulses a quarter: G 16 times, c 4 times. Lambda: a quarter. */
      for (int i = 0; i < t.rows * t.rows; i++) {
        other.G[i] *= 16.0;
      }
      for (int i = 0; i < t.rows; i++) {
        other.c[i] *= 4.0;
      }
      nsdyn_contact_solve_report one, two;
      nsdyn_contact_solve_report_init(&one, sizeof one);
      nsdyn_contact_solve_report_init(&two, sizeof two);
      const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL);
      ck_assert_int_eq(nsdyn_contact_report(solver, &one), NSDYN_OK);
      ck_assert_int_eq(nsdyn_contact_solve(solver, &other.p, other.Lambda, NULL), status);
      ck_assert_int_eq(nsdyn_contact_report(solver, &two), NSDYN_OK);
      REQUIRE(one.iterations == two.iterations, "method %d, seed %d: %d and %d steps", m, k,
              (int)one.iterations, (int)two.iterations);
      for (int i = 0; i < t.rows; i++) {
        REQUIRE(t.Lambda[i] == 4.0 * other.Lambda[i], "method %d, seed %d: row %d", m, k, i);
      }
    }
    nsdyn_contact_free(solver);
  }
}
END_TEST

/* Bilateral rows stand beside contacts as ξ = 0; G comes as W and M⁻¹ too (spatial.h). */
START_TEST(piles_and_constraints_are_solved_mostly)
{
  int solved[2] = {0, 0}, cases = 0;
  for (int k = 0; k < random_cases(48); k++) {
    spatial s;
    spatial_make(&s, k % SPACE_PILE_KINDS, (pile_load)(k / SPACE_PILE_KINDS % PILE_LOADS), 8, (uint64_t)k);
    nsd_arena room = nsd_arena_empty(NULL), measure = nsd_arena_measure();
    nsd_todorov counted, w;
    nsd_todorov_lay_out(&measure, &counted, s.d.contacts, s.d.rows, s.G.columns);
    ck_assert_int_eq(nsd_arena_reserve(&room, &measure), NSDYN_OK);
    nsd_todorov_lay_out(&room, &w, s.d.contacts, s.d.rows, s.G.columns);
    ck_assert_int_eq(nsd_todorov_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
    cases++;
    for (int kind = 0; kind < 2; kind++) {
      int steps = 0;
      memset(s.Lambda, 0, (size_t)s.d.rows * sizeof *s.Lambda);
      const double scale = nsd_contact_judge(&s.d, s.Lambda, s.xi).scale;
      const nsd_marquardt_end end =
          nsd_todorov_solve(&w, (nsd_marquardt_kind)kind, 1e-11 * scale, 300, s.Lambda, &steps, NULL);
      solved[kind] += end == NSD_MARQUARDT_SOLVED;
      REQUIRE(end != NSD_MARQUARDT_SOLVED || spatial_miss(&s, s.Lambda) <= 1e-10, "%s %d, method %d: %g",
              spatial_name[k % SPACE_PILE_KINDS], k, kind, spatial_miss(&s, s.Lambda));
    }
    nsd_arena_release(&room);
    spatial_free(&s);
  }
  ck_assert_msg(20 * solved[0] >= 19 * cases && 20 * solved[1] >= 19 * cases, "%d and %d of %d", solved[0],
                solved[1], cases);
}
END_TEST

START_TEST(bilateral_rows_stay_at_rest)
{
  static trial t;
  for (int m = 0; m < 2; m++) {
    nsdyn_contact *solver = make_solver(methods[m]);
    int solved = 0;
    const int cases = random_cases(300);
    for (int k = 0; k < cases; k++) {
      random_state random = random_seed((uint64_t)k);
      const int contacts = 1 + k % 3;
      for (int i = 0; i < contacts + 1; i++) {
        t.law[i] = disk_law(random_between(&random, 0.0, 0.5));
      }
      fill(&t, contacts + 1, 3 * MOST, &random);
      t.p.contacts = contacts; /* the last contact's rows are three bilateral ones */
      t.p.bilateral = 3;
      const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL);
      solved += status == NSDYN_OK;
      REQUIRE(status != NSDYN_OK || miss_of(&t) <= 1e-9, "seed %d: %g", k, miss_of(&t));
    }
    ck_assert_msg(100 * solved >= 98 * cases, "method %d: %d of %d", m, solved, cases);
    nsdyn_contact_free(solver);
  }
}
END_TEST

START_TEST(what_the_map_cannot_state_is_refused_by_name)
{
  static trial t;
  static const double slip[4] = {0.0, 0.0, 0.6, 0.8};
  static const char *const reasons[] = {"contact 1: Todorov's map cannot state a slot",
                                        "contact 1: Todorov's map cannot state friction of given bound",
                                        "contact 1: Todorov's map cannot state a polygon",
                                        "contact 1: Todorov's map cannot state a known sliding direction"};
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_TODOROV_PLM);
  for (int k = 0; k < 4; k++) {
    random_state random = random_seed(1);
    t.law[0] = t.law[1] = disk_law(0.3);
    t.law[1].kind = k == 0 ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
    t.law[1].friction = k == 1 ? NSDYN_FRICTION_BOUND : NSDYN_FRICTION_COULOMB;
    t.law[1].shape = k == 2 ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    fill(&t, 2, 3 * MOST, &random);
    t.p.slip = k == 3 ? slip : NULL;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_ERR_UNSUPPORTED);
    ck_assert_str_eq(nsdyn_contact_message(solver), reasons[k]);
    nsdyn_detail detail;
    nsdyn_detail_init(&detail, sizeof detail);
    ck_assert_int_eq(nsdyn_contact_detail(solver, &detail), NSDYN_OK);
    ck_assert_int_eq(detail.index, 1);
  }
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/space/solve/todorov_equations", TEST(both_methods_solve_random_problems),
      TEST(one_contact_is_that_of_the_exact_solver), TEST(units_do_not_matter),
      TEST(piles_and_constraints_are_solved_mostly), TEST(bilateral_rows_stay_at_rest),
      TEST(what_the_map_cannot_state_is_refused_by_name))
