/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/pyramid.h"

#include <math.h>
#include <string.h>

#include "../space_trial.h"
#include "contact/check.h"
#include "contact/planar/glocker.h"
#include "nsdyn/lcp.h"

enum { UNKNOWNS = MOST * 14 };

/* All contacts that have the form: polygons, planar, frictionless, slots, given bounds; μ <= steepest. */
static nsdyn_contact_law random_polygon(double steepest, random_state *random)
{
  nsdyn_contact_law law = disk_law(random_below(random, 8) ? random_between(random, 0.0, steepest) : 0.0);
  law.tangents = random_below(random, 4) ? 2 : 1;
  law.friction = random_below(random, 8) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.shape = NSDYN_FRICTION_POLYGON;
  law.aspect = random_below(random, 2) ? random_between(random, 0.3, 2.0) : 1.0;
  law.angle = random_between(random, -4.0, 4.0);
  law.sides = 4 + 2 * (int32_t)random_below(random, 5);
  if (law.tangents == 1) {
    law.shape = NSDYN_FRICTION_ELLIPSE;
    law.aspect = 1.0;
    law.angle = 0.0;
  }
  law.kind = random_below(random, 8) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
  if (random_below(random, 6) == 0) {
    law.friction = NSDYN_FRICTION_BOUND;
    law.bound = random_between(random, 0.0, 1.0);
  }
  return law;
}

/* Random laws; every fourth contact slides in a known direction. */
static void fill_polygons(trial *t, int contacts, int columns, double steepest, double *slip,
                          random_state *random)
{
  for (int i = 0; i < contacts; i++) {
    t->law[i] = random_polygon(steepest, random);
  }
  t->law[0].tangents = 2;
  t->law[0].shape = NSDYN_FRICTION_POLYGON;
  t->law[0].friction = NSDYN_FRICTION_COULOMB;
  fill(t, contacts, columns, random);
  t->p.dt = 1.0;
  t->p.slip = slip;
  for (int i = 0; i < contacts; i++) {
    const nsdyn_contact_law *law = &t->law[i];
    const int tangents = law->friction == NSDYN_FRICTION_NONE ? 0 : law->tangents;
    const double angle = random_between(random, -4.0, 4.0);
    const int is_known = i > 0 && random_below(random, 4) == 0;
    if (tangents == 1) {
      slip[0] = is_known ? 1.0 : 0.0;
    } else if (tangents == 2) {
      slip[0] = is_known ? cos(angle) : 0.0;
      slip[1] = is_known ? sin(angle) : 0.0;
    }
    slip += tangents;
  }
}

START_TEST(the_lcp_solves_random_polygons)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_LCP);
  const int cases = random_cases(1000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double slip[2 * MOST];
    const int contacts = 1 + (int)random_below(&random, MOST);
    fill_polygons(&t, contacts, k % 2 ? 3 * MOST : (3 * contacts + 1) / 2, 1.0, slip, &random);
    const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
    solved += status == NSDYN_OK;
    REQUIRE(status != NSDYN_OK || miss_of(&t) <= 1e-9, "seed %d: %g", k, miss_of(&t));
    REQUIRE(status >= 0, "seed %d: %s", k, nsdyn_contact_message(solver));
  }
  ck_assert_msg(1000 * solved >= 997 * cases, "%d of %d", solved, cases);
  nsdyn_contact_free(solver);
}
END_TEST

/* The LCP goes out as numbers: other methods for LCPs solve it too, and Λ_T = D β is judged as ever. */
START_TEST(any_method_for_lcps_solves_what_goes_out)
{
  static trial t;
  static double A[UNKNOWNS * UNKNOWNS], b[UNKNOWNS], lo[UNKNOWNS], hi[UNKNOWNS], x[UNKNOWNS];
  static const int32_t methods[] = {NSDYN_LCP_AUTOMATIC, NSDYN_LCP_LEMKE};
  for (int k = 0; k < random_cases(500); k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 1 + k % 4;
    int size = 0;
    for (int i = 0; i < contacts; i++) {
      t.law[i] = disk_law(random_between(&random, 0.01, 0.8));
      t.law[i].shape = NSDYN_FRICTION_POLYGON;
      t.law[i].sides = 4 + 2 * (int32_t)random_below(&random, 4);
      t.law[i].angle = random_between(&random, -4.0, 4.0);
      size += 2 + t.law[i].sides;
    }
    fill(&t, contacts, 3 * MOST, &random);
    int32_t n;
    ck_assert_int_eq(nsdyn_contact_lcp(&t.p, NULL, 0, NULL, NULL, NULL, &n), NSDYN_OK);
    ck_assert_int_eq(n, size);
    ck_assert_int_eq(nsdyn_contact_lcp(&t.p, A, n - 1, b, lo, hi, &n), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_contact_lcp(&t.p, A, n, b, lo, hi, &n), NSDYN_OK);
    for (int m = 0; m < 2; m++) {
      nsdyn_lcp_options options;
      nsdyn_lcp_options_init(&options, sizeof options);
      options.method = methods[m];
      nsdyn_lcp *lcp;
      ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
      ck_assert_int_eq(nsdyn_lcp_solve(lcp, n, A, n, b, x, NULL), NSDYN_OK);
      nsdyn_lcp_free(lcp);
      for (int i = 0, at = 0; i < contacts; i++) {
        double *L = t.Lambda + 3 * i;
        const int sides = t.law[i].sides;
        L[0] = x[at];
        L[1] = L[2] = 0.0;
        for (int j = 0; j < sides; j++) {
          const double angle = t.law[i].angle + 6.283185307179586 * j / sides;
          L[1] += cos(angle) * x[at + 1 + j];
          L[2] += sin(angle) * x[at + 1 + j];
        }
        at += 2 + sides;
      }
      REQUIRE(miss_of(&t) <= 1e-9, "seed %d, method %d: %g", k, m, miss_of(&t));
    }
  }
}
END_TEST

/* One contact: A, b element by element, eqs. 2.11 to 2.16. */
START_TEST(its_elements_are_those_of_the_paper)
{
  static trial t;
  random_state random = random_seed(3);
  t.law[0] = disk_law(0.4);
  t.law[0].shape = NSDYN_FRICTION_POLYGON;
  t.law[0].sides = 4;
  fill(&t, 1, 3, &random);
  double A[36], b[6], lo[6], hi[6];
  int32_t n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t.p, A, 6, b, lo, hi, &n), NSDYN_OK);
  static const double D[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const double *G = t.G;
  ck_assert_double_eq(A[0], G[0]);
  ck_assert_double_eq(b[0], t.c[0]);
  for (int i = 0; i < 4; i++) {
    const double *d = D[i];
    ck_assert_double_eq(A[1 + i], G[1] * d[0] + G[2] * d[1]);       /* G_NT D */
    ck_assert_double_eq(A[6 * (1 + i)], G[3] * d[0] + G[6] * d[1]); /* Dᵀ G_TN */
    ck_assert_double_eq(A[6 * (1 + i) + 5], 1.0);                   /* e */
    ck_assert_double_eq(A[30 + 1 + i], -1.0);                       /* −eᵀ */
    ck_assert_double_eq(b[1 + i], t.c[1] * d[0] + t.c[2] * d[1]);   /* Dᵀ c_T */
    for (int j = 0; j < 4; j++) {
      const double *e = D[j];
      ck_assert_double_eq_tol(A[6 * (1 + i) + 1 + j],
                              d[0] * (G[4] * e[0] + G[5] * e[1]) + d[1] * (G[7] * e[0] + G[8] * e[1]), 1e-15);
    }
  }
  ck_assert_double_eq(A[5], 0.0);
  ck_assert_double_eq(A[30], 0.4);
  ck_assert_double_eq(A[35], 0.0);
  ck_assert_double_eq(b[5], 0.0);
  for (int i = 0; i < 6; i++) {
    ck_assert(lo[i] == 0.0 && hi[i] == (double)INFINITY);
  }
}
END_TEST

/* Steep friction, singular G: where rounds and Newton's method find nothing, `automatic` has the LCP. */
START_TEST(automatic_asks_the_lcp_at_last)
{
  static trial t;
  static const int seeds[] = {564, 1850, 2498, 2536, 2686, 2940};
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int asked = 0;
  for (int k = 0; k < 6; k++) {
    random_state random = random_seed((uint64_t)seeds[k]);
    double slip[2 * MOST];
    const int contacts = 1 + (int)random_below(&random, MOST);
    fill_polygons(&t, contacts, (3 * contacts + 1) / 2, 8.0, slip, &random);
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi), NSDYN_OK);
    ck_assert_double_le(miss_of(&t), 1e-9);
    nsdyn_contact_solve_report report;
    nsdyn_contact_solve_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_contact_report(solver, &report), NSDYN_OK);
    asked += report.method == NSDYN_CONTACT_LCP && report.lcp_size > 0 && report.lcp_size <= 60;
  }
  ck_assert_int_ge(asked, 3);
  nsdyn_contact_free(solver);
}
END_TEST

/* As text, and back, to the bit. */
START_TEST(the_text_is_that_of_the_lcp)
{
  static trial t;
  random_state random = random_seed(2);
  t.law[0] = t.law[1] = disk_law(0.3);
  t.law[0].shape = t.law[1].shape = NSDYN_FRICTION_POLYGON;
  t.law[0].sides = t.law[1].sides = 4;
  fill(&t, 2, 3 * MOST, &random);
  double A[144], b[12], lo[12], hi[12], back_A[144], back_b[12];
  int32_t n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t.p, A, 12, b, lo, hi, &n), NSDYN_OK);
  ck_assert_int_eq(n, 12);
  nsd_contact_spec spec[2];
  nsd_contact_space space[2];
  nsd_contact_fill_spec(&t.p, spec, space);
  nsd_contact_data d = nsd_contact_data_of(&t.p);
  d.spec = spec;
  nsd_arena arena = nsd_arena_empty(NULL);
  static char text[10000];
  const size_t bytes = nsd_glocker_write_text(&d, &arena, text, sizeof text);
  ck_assert(bytes > 0 && bytes < sizeof text);
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
  ck_assert_int_eq(n, 12);
  ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, back_A, 12, back_b, NULL, NULL), NSDYN_OK);
  ck_assert_mem_eq(A, back_A, sizeof A);
  ck_assert_mem_eq(b, back_b, sizeof b);
  nsdyn_lcp_free(lcp);
  space[1].sides = 0;
  ck_assert_uint_eq(nsd_glocker_write_text(&d, &arena, text, sizeof text), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* A disk has no such form, unless nothing of its friction is unknown. */
START_TEST(ellipses_are_refused_by_name)
{
  static trial t;
  random_state random = random_seed(1);
  t.law[0] = t.law[1] = disk_law(0.3);
  t.law[0].shape = NSDYN_FRICTION_POLYGON;
  fill(&t, 2, 3 * MOST, &random);
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_LCP);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_ERR_UNSUPPORTED);
  ck_assert_str_eq(nsdyn_contact_message(solver), "contact 1: an LCP needs a polygon for its friction: set "
                                                  "shape to NSDYN_FRICTION_POLYGON");
  int32_t n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t.p, NULL, 0, NULL, NULL, NULL, &n), NSDYN_ERR_UNSUPPORTED);
  t.law[1].mu = 0.0;
  ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_lcp(&t.p, NULL, 0, NULL, NULL, NULL, &n), NSDYN_OK);
  ck_assert_int_eq(n, 1 + 8 + 1 + 1);
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/space/solve/pyramid", TEST(the_lcp_solves_random_polygons),
      TEST(any_method_for_lcps_solves_what_goes_out), TEST(its_elements_are_those_of_the_paper),
      TEST(automatic_asks_the_lcp_at_last), TEST(the_text_is_that_of_the_lcp),
      TEST(ellipses_are_refused_by_name))
