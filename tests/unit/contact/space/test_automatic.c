/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts in space by the public call; every answer is judged by nsdyn_contact_residual(). */
#include "contact/space/space.h"

#include <math.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "space_trial.h"
#include "spatial.h"

static nsdyn_contact_law random_law(random_state *random)
{
  nsdyn_contact_law law = disk_law(random_below(random, 8) ? random_between(random, 0.0, 1.2) : 0.0);
  law.tangents = random_below(random, 4) ? 2 : 1;
  law.friction = random_below(random, 8) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  if (law.tangents == 2 && random_below(random, 2)) {
    law.shape = (int32_t)random_below(random, 2);
    law.aspect = random_between(random, 0.3, 2.0);
    law.angle = random_between(random, -4.0, 4.0);
    law.sides = 4 + 2 * (int32_t)random_below(random, 5);
  }
  return law;
}

/* All laws in one problem, planar contacts beside spatial ones; definite, and singular by half. */
START_TEST(random_problems_are_solved)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  const int cases = random_cases(2000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 1 + (int)random_below(&random, MOST);
    for (int i = 0; i < contacts; i++) {
      t.law[i] = random_law(&random);
    }
    t.law[0].tangents = 2;
    fill(&t, contacts, k % 2 ? 3 * MOST : (3 * contacts + 1) / 2, &random);
    const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
    solved += status == NSDYN_OK;
    REQUIRE(status != NSDYN_OK || miss_of(&t) <= 1e-9, "seed %d: %g", k, miss_of(&t));
    REQUIRE(status >= 0, "seed %d: %s", k, nsdyn_contact_message(solver));
  }
  ck_assert_msg(1000 * solved >= 998 * cases, "%d of %d", solved, cases);
  nsdyn_contact_free(solver);
}
END_TEST

/* A pile whose contacts share one law; `which` holds a zero for each. */
static nsdyn_contact_problem problem_of(const space_pile *p, const nsdyn_contact_law *law,
                                        const int32_t *which)
{
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = p->contacts;
  problem.nlaws = 1;
  problem.laws = law;
  problem.law = which;
  problem.G = p->G;
  problem.ldg = p->rows;
  problem.c = p->c;
  return problem;
}

START_TEST(piles_are_solved_by_every_method)
{
  static const int32_t methods[] = {NSDYN_CONTACT_AUTOMATIC, NSDYN_CONTACT_ROUNDS, NSDYN_CONTACT_NEWTON,
                                    NSDYN_CONTACT_NATURAL};
  int solved[4] = {0, 0, 0, 0};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    nsdyn_contact *solver = make_solver(methods[m]);
    for (int k = 0; k < SPACE_PILE_KINDS * PILE_LOADS; k++) {
      random_state random = random_seed((uint64_t)k);
      space_pile p = space_pile_make((space_pile_kind)(k % SPACE_PILE_KINDS),
                                     (pile_load)(k / SPACE_PILE_KINDS), 9, &random);
      space_pile_delassus(&p);
      const nsdyn_contact_law law = disk_law(p.mu);
      int32_t *which = calloc((size_t)p.contacts, sizeof *which);
      double *Lambda = calloc((size_t)p.rows, sizeof *Lambda);
      const nsdyn_contact_problem problem = problem_of(&p, &law, which);
      ck_assert_int_eq(nsdyn_contact_rows(&problem), p.rows);
      const nsdyn_status status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
      solved[m] += status == NSDYN_OK;
      double residual, scale;
      ck_assert_int_eq(nsdyn_contact_residual(&problem, Lambda, &residual, &scale, NULL), NSDYN_OK);
      ck_assert_msg(status != NSDYN_OK || residual <= 1e-9 * scale, "method %d, pile %d: %g", (int)methods[m],
                    k, residual / scale);
      free(which);
      free(Lambda);
      space_pile_free(&p);
    }
    nsdyn_contact_free(solver);
  }
  /* One method alone may miss a pile. */
  ck_assert_int_eq(solved[0], SPACE_PILE_KINDS * PILE_LOADS);
  for (int m = 1; m < 4; m++) {
    ck_assert_msg(solved[m] >= SPACE_PILE_KINDS * PILE_LOADS - 2, "method %d: %d", (int)methods[m],
                  solved[m]);
  }
}
END_TEST

/* Rows N, T1 of `flat`, and T2 that nothing drives; a square with corners on T1 and T2 is as good as the
 * segment. */
static void embed(const trial *flat, int is_square, trial *deep)
{
  deep->p = flat->p;
  deep->rows = 0;
  for (int i = 0; i < flat->p.contacts; i++) {
    deep->law[i] = flat->law[i];
    deep->law[i].tangents = 2;
    deep->law[i].shape = is_square ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    deep->law[i].sides = 4;
    deep->rows += 3;
  }
  for (int i = 0; i < deep->rows; i++) {
    deep->c[i] = i % 3 == 2 ? 0.0 : flat->c[2 * (i / 3) + i % 3];
    for (int j = 0; j < deep->rows; j++) {
      const int is_flat = i % 3 != 2 && j % 3 != 2;
      deep->G[i * deep->rows + j] =
          is_flat ? flat->G[(2 * (i / 3) + i % 3) * flat->rows + 2 * (j / 3) + j % 3] : (double)(i == j);
    }
  }
  deep->p.laws = deep->law;
  deep->p.G = deep->G;
  deep->p.ldg = deep->rows;
  deep->p.c = deep->c;
}

/* By every method: the same impulses to rounding, which tol = 1e-14 asks for. */
START_TEST(planar_problems_embedded_in_space_keep_their_answers)
{
  static trial flat, deep;
  static const int32_t methods[] = {
      NSDYN_CONTACT_AUTOMATIC,   NSDYN_CONTACT_ROUNDS,      NSDYN_CONTACT_NEWTON, NSDYN_CONTACT_NATURAL,
      NSDYN_CONTACT_TODOROV_RLM, NSDYN_CONTACT_TODOROV_PLM, NSDYN_CONTACT_LCP,    NSDYN_CONTACT_DIRECT};
  enum { METHODS = sizeof methods / sizeof *methods };
  const int cases = random_cases(600);
  nsdyn_contact *plane = make_solver(NSDYN_CONTACT_AUTOMATIC), *solver[METHODS];
  int solved[METHODS] = {0}, tried[METHODS] = {0};
  for (int m = 0; m < METHODS; m++) {
    solver[m] = make_solver(methods[m]);
    nsdyn_contact_options options;
    nsdyn_contact_options_init(&options, sizeof options);
    options.method = methods[m];
    options.tol = 1e-14;
    ck_assert_int_eq(nsdyn_contact_set_options(solver[m], &options), NSDYN_OK);
  }
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 1 + k % 3;
    for (int i = 0; i < contacts; i++) {
      flat.law[i] = disk_law(random_between(&random, 0.0, 0.2));
      flat.law[i].tangents = 1;
    }
    /* Friction is small beside a definite G: there is one solution. */
    fill(&flat, contacts, 3 * MOST, &random);
    ck_assert_int_eq(nsdyn_contact_solve(plane, &flat.p, flat.Lambda, flat.xi), NSDYN_OK);
    ck_assert_ptr_null(nsdyn_contact_directions(plane, NULL));
    for (int m = 0; m < METHODS; m++) {
      if (methods[m] == NSDYN_CONTACT_DIRECT && contacts > 1) {
        continue;
      }
      embed(&flat, methods[m] == NSDYN_CONTACT_LCP, &deep);
      tried[m]++;
      if (nsdyn_contact_solve(solver[m], &deep.p, deep.Lambda, deep.xi) != NSDYN_OK) {
        continue;
      }
      solved[m]++;
      for (int i = 0; i < deep.rows; i++) {
        const double planar = i % 3 == 2 ? 0.0 : flat.Lambda[2 * (i / 3) + i % 3];
        REQUIRE(fabs(deep.Lambda[i] - planar) <= 1e-11, "method %d, seed %d, row %d: %g for %g",
                (int)methods[m], k, i, deep.Lambda[i], planar);
      }
    }
  }
  nsdyn_contact_free(plane);
  for (int m = 0; m < METHODS; m++) {
    nsdyn_contact_free(solver[m]);
    ck_assert_msg(100 * solved[m] >= 98 * tried[m], "method %d: %d of %d", (int)methods[m], solved[m],
                  tried[m]);
  }
}
END_TEST

/* Λ_T dissipates the most: no point of the ellipse of this Λ_N opposes ξ_T more. */
START_TEST(friction_dissipates_the_most)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int slides = 0;
  for (int k = 0; k < random_cases(1000); k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 1 + k % 4;
    for (int i = 0; i < contacts; i++) {
      t.law[i] = disk_law(random_between(&random, 0.05, 0.8));
      t.law[i].aspect = random_between(&random, 0.3, 2.5);
      t.law[i].angle = random_between(&random, -4.0, 4.0);
    }
    fill(&t, contacts, 3 * MOST, &random);
    if (nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi) != NSDYN_OK) {
      continue;
    }
    const int32_t *modes = nsdyn_contact_modes(solver, NULL);
    const double *directions = nsdyn_contact_directions(solver, NULL);
    for (int i = 0; i < contacts; i++) {
      const double *L = t.Lambda + 3 * i, *xi = t.xi + 3 * i, *e = directions + 2 * i;
      const double speed = hypot(xi[1], xi[2]);
      const double most = L[1] * xi[1] + L[2] * xi[2]; /* the least of Λ_T · ξ_T */
      for (int j = 0; j < 64; j++) {
        const double a = 6.283185307179586 * j / 64.0, x = cos(a), y = t.law[i].aspect * sin(a);
        const double c = cos(t.law[i].angle), s = sin(t.law[i].angle), r = t.law[i].mu * L[0];
        const double work = r * ((c * x - s * y) * xi[1] + (s * x + c * y) * xi[2]);
        REQUIRE(work >= most - 1e-7 * (1.0 + fabs(most)), "seed %d, contact %d: %g beats %g", k, i, work,
                most);
      }
      if (modes[i] == NSDYN_MODE_SLIP) {
        slides++;
        REQUIRE(hypot(e[0] - xi[1] / speed, e[1] - xi[2] / speed) <= 1e-12, "seed %d: direction", k);
      } else {
        REQUIRE(e[0] == 0.0 && e[1] == 0.0, "seed %d: a direction of what does not slide", k);
      }
    }
  }
  ck_assert_int_gt(slides, random_cases(1000) / 4);
  nsdyn_contact_free(solver);
}
END_TEST

/* Polygons with the first corner anywhere come near the disk. Friction that slides stops at corners, which
 * are off by an angle of at most π/m: its impulses converge with the first power of 1/m, and so do the normal
 * impulses that friction acts back on. */
START_TEST(polygons_converge_to_the_disk)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  enum { STEPS = 4 };
  double normal[STEPS] = {0.0}, tangential[STEPS] = {0.0};
  for (int k = 0; k < 300; k++) { /* it is their mean that converges */
    random_state random = random_seed((uint64_t)k);
    t.law[0] = t.law[1] = disk_law(0.1);
    fill(&t, 2, 3 * MOST, &random);
    t.c[0] = t.c[3] = -1.0;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_OK);
    double disk[6];
    for (int i = 0; i < 6; i++) {
      disk[i] = t.Lambda[i];
    }
    for (int m = 0; m < STEPS; m++) {
      for (int i = 0; i < 2; i++) {
        t.law[i].shape = NSDYN_FRICTION_POLYGON;
        t.law[i].sides = 8 << (2 * m);
        t.law[i].angle = random_between(&random, 0.0, 1.0);
      }
      ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_OK);
      for (int i = 0; i < 6; i++) {
        *(i % 3 ? &tangential[m] : &normal[m]) += fabs(t.Lambda[i] - disk[i]);
      }
    }
  }
  const double reach = log(64.0); /* from 8 sides to 512 */
  const double order_N = log(normal[0] / normal[STEPS - 1]) / reach;
  const double order_T = log(tangential[0] / tangential[STEPS - 1]) / reach;
  ck_assert_msg(order_T > 0.9 && order_T < 1.1, "of friction: %g", order_T);
  ck_assert_msg(order_N > 0.9 && order_N < 1.1, "of normal impulses: %g", order_N);
  nsdyn_contact_free(solver);
}
END_TEST

/* A contact beside bilateral rows that say the same twice, and then contradict each other. */
START_TEST(redundant_rows_are_solved_and_inconsistent_ones_are_not)
{
  /* One body: v = (x, y, z) with unit mass; the contact's frame, and y = 0 twice. */
  const double G[25] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1};
  double c[5] = {-1.0, 2.0, 0.5, 0.5, 0.5}, Lambda[5];
  nsdyn_contact_law law = disk_law(0.5);
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = 1;
  p.bilateral = 2;
  p.laws = &law;
  p.G = G;
  p.ldg = 5;
  p.c = c;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &p, Lambda, NULL), NSDYN_OK);
  ck_assert_double_eq_tol(Lambda[0], 1.0, 1e-9);
  ck_assert_double_eq_tol(Lambda[1], -0.5, 1e-9); /* it slides along x alone */
  ck_assert_double_eq_tol(Lambda[2] + Lambda[3] + Lambda[4], -0.5, 1e-9);
  c[4] = 0.25;
  ck_assert_int_gt(nsdyn_contact_solve(solver, &p, Lambda, NULL), 0);
  ck_assert_ptr_null(nsdyn_contact_directions(solver, NULL));
  nsdyn_contact_free(solver);
}
END_TEST

/* Newton's impact with one ε for all rows never gains energy (mathematics.md §5 a). */
START_TEST(impacts_with_one_restitution_gain_nothing)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int solved = 0;
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 1 + k % 5;
    const double eps = random_between(&random, 0.0, 1.0);
    for (int i = 0; i < contacts; i++) {
      t.law[i] = disk_law(random_between(&random, 0.0, 1.0));
      t.law[i].eps_n = t.law[i].eps_t = eps;
    }
    fill(&t, contacts, 3 * MOST, &random);
    solved += nsdyn_contact_impact(solver, NSDYN_IMPACT_NEWTON, &t.p, t.Lambda, t.xi) == NSDYN_OK;
    nsdyn_impact_report report;
    nsdyn_impact_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_contact_impact_report(solver, &report), NSDYN_OK);
    REQUIRE(report.energy <= 1e-9, "seed %d: gains %g", k, report.energy);
  }
  ck_assert_int_eq(solved, cases);
  nsdyn_contact_free(solver);
}
END_TEST

START_TEST(what_is_for_the_plane_says_so)
{
  static trial t;
  random_state random = random_seed(5);
  t.law[0] = t.law[1] = disk_law(0.3);
  fill(&t, 2, 3 * MOST, &random);
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int32_t n;
  ck_assert_int_eq(nsdyn_contact_lcp(&t.p, NULL, 0, NULL, NULL, NULL, &n), NSDYN_ERR_UNSUPPORTED);
  nsdyn_contact_free(solver);
  static const int32_t planar[] = {NSDYN_CONTACT_MODES, NSDYN_CONTACT_DIRECT};
  for (int i = 0; i < 2; i++) {
    solver = make_solver(planar[i]);
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_ERR_UNSUPPORTED);
    nsdyn_contact_free(solver);
  }
  /* And the other way round. */
  t.law[0].tangents = t.law[1].tangents = 1;
  fill(&t, 2, 3 * MOST, &random);
  solver = make_solver(NSDYN_CONTACT_ROUNDS);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_ERR_UNSUPPORTED);
  nsdyn_contact_free(solver);
  /* A slip that is no unit vector. */
  t.law[0].tangents = t.law[1].tangents = 2;
  fill(&t, 2, 3 * MOST, &random);
  static const double slip[4] = {0.6, 0.8, 0.6, 0.6};
  t.p.slip = slip;
  solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(solver), "contact 1: slip"));
  nsdyn_contact_free(solver);
}
END_TEST

/* Another ω or another order goes another way to a solution; the same goes the same way, to the bit. */
START_TEST(rounds_take_relaxation_and_order_from_the_options)
{
  static trial t;
  static const double relaxation[] = {1.0, 0.7, 1.3, 1.0, 1.0, 1.0};
  static const uint64_t seed[] = {0, 0, 0, 5, 5, 6};
  int differ[6] = {0};
  for (int k = 0; k < random_cases(100); k++) {
    random_state random = random_seed((uint64_t)k);
    for (int i = 0; i < 4; i++) {
      t.law[i] = disk_law(random_between(&random, 0.1, 0.3));
    }
    fill(&t, 4, 3 * MOST, &random);
    for (int i = 0; i < 4; i++) {
      t.c[3 * i] = -10.0; /* all press */
    }
    double first[3 * MOST], last[3 * MOST] = {0.0};
    for (int way = 0; way < 6; way++) {
      nsdyn_contact_options options;
      nsdyn_contact_options_init(&options, sizeof options);
      options.method = NSDYN_CONTACT_ROUNDS;
      options.rounds_relaxation = relaxation[way];
      options.rounds_seed = seed[way];
      nsdyn_contact *solver;
      ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &solver, NULL), NSDYN_OK);
      REQUIRE(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL) == NSDYN_OK, "seed %d, way %d", k, way);
      REQUIRE(miss_of(&t) <= 1e-9, "seed %d, way %d: %g", k, way, miss_of(&t));
      const size_t bytes = (size_t)t.rows * sizeof *first;
      if (way == 0) {
        memcpy(first, t.Lambda, bytes);
      } else if (way == 4) {
        REQUIRE(memcmp(last, t.Lambda, bytes) == 0, "seed %d: the same order, other bits", k);
      }
      differ[way] += memcmp(first, t.Lambda, bytes) != 0;
      memcpy(last, t.Lambda, bytes);
      nsdyn_contact_free(solver);
    }
  }
  for (int way = 1; way < 6; way++) {
    ck_assert_msg(2 * differ[way] > random_cases(100), "way %d: %d differ", way, differ[way]);
  }
}
END_TEST

/* A known direction, and a problem again from its own answer. */
START_TEST(known_slip_and_warm_start)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  for (int k = 0; k < random_cases(200); k++) {
    random_state random = random_seed((uint64_t)k);
    t.law[0] = t.law[1] = disk_law(0.2);
    fill(&t, 2, 3 * MOST, &random);
    t.c[0] = t.c[3] = -2.0;
    const double angle = random_between(&random, 0.0, 6.0);
    const double slip[4] = {cos(angle), sin(angle), 0.0, 0.0};
    t.p.slip = slip;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi), NSDYN_OK);
    REQUIRE(fabs(t.Lambda[1] + 0.2 * t.Lambda[0] * slip[0]) <= 1e-12 * (1.0 + t.Lambda[0]), "seed %d", k);
    REQUIRE(fabs(t.Lambda[2] + 0.2 * t.Lambda[0] * slip[1]) <= 1e-12 * (1.0 + t.Lambda[0]), "seed %d", k);
    double start[6];
    for (int i = 0; i < 6; i++) {
      start[i] = t.Lambda[i];
    }
    t.p.start = start;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL), NSDYN_OK);
    nsdyn_contact_solve_report report;
    nsdyn_contact_solve_report_init(&report, sizeof report);
    ck_assert_int_eq(nsdyn_contact_report(solver, &report), NSDYN_OK);
    ck_assert_int_eq(report.warm, 1);
    ck_assert_int_le(report.iterations,
                     3); /* it is taken nearer where it misses by more than a share of tol */
    ck_assert(miss_of(&t) <= 1e-12);
    t.p.start = t.p.slip = NULL;
  }
  nsdyn_contact_free(solver);
}
END_TEST

typedef struct listener {
  int calls, most;
} listener;

static int stop_after(void *user, const char *activity, double done)
{
  listener *l = user;
  (void)activity, (void)done;
  return ++l->calls > l->most;
}

/* Whoever waits is asked often, whatever the method does at the moment, and a no is heard at once. */
START_TEST(a_cancel_is_heard_everywhere)
{
  listener l = {0, 0};
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = stop_after;
  def.user = &l;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(ctx, NULL, &solver, NULL), NSDYN_OK);
  random_state random = random_seed(3);
  space_pile p = space_pile_make(SPACE_PILE_SPHERES, PILE_SHAKE, 60, &random);
  space_pile_delassus(&p);
  const nsdyn_contact_law law = disk_law(p.mu);
  int32_t *which = calloc((size_t)p.contacts, sizeof *which);
  double *Lambda = calloc((size_t)p.rows, sizeof *Lambda);
  const nsdyn_contact_problem problem = problem_of(&p, &law, which);
  int heard = 0;
  for (int most = 0; most < 40; most++) {
    l = (listener){0, most};
    const nsdyn_status status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
    if (status == NSDYN_CANCELLED) {
      heard++;
      ck_assert_int_eq(l.calls, most + 1);
    } else {
      ck_assert_int_eq(status, NSDYN_OK);
    }
  }
  ck_assert_int_ge(heard, 3);
  free(which);
  free(Lambda);
  space_pile_free(&p);
  nsdyn_contact_free(solver);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("contact/space/automatic", TEST(a_cancel_is_heard_everywhere), TEST(random_problems_are_solved),
      TEST(piles_are_solved_by_every_method), TEST(planar_problems_embedded_in_space_keep_their_answers),
      TEST(friction_dissipates_the_most), TEST(polygons_converge_to_the_disk),
      TEST(redundant_rows_are_solved_and_inconsistent_ones_are_not),
      TEST(impacts_with_one_restitution_gain_nothing), TEST(what_is_for_the_plane_says_so),
      TEST(rounds_take_relaxation_and_order_from_the_options), TEST(known_slip_and_warm_start))
