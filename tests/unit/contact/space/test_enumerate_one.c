/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of one contact in space, by the public call. */
#include "contact/space/enumerate_one.h"

#include <math.h>
#include <string.h>

#include "space_trial.h"

enum { MOST_POINTS = 40 };

typedef struct points {
  const trial *t;
  int count, stop_at;
  double Lambda[MOST_POINTS][3];
  int32_t mode[MOST_POINTS];
} points;

static int collect(void *user, const nsdyn_contact_piece *piece)
{
  points *p = user;
  ck_assert(piece->vertices == 1 && piece->rays == 0 && piece->dimension == 0);
  ck_assert(piece->contacts == 1 && p->count < MOST_POINTS);
  memcpy(p->Lambda[p->count], piece->Lambda, sizeof p->Lambda[0]);
  p->mode[p->count++] = piece->modes[0];
  return p->count == p->stop_at;
}

/* Each is a solution, no two are the same, and the census has counted them. */
static nsdyn_status list(nsdyn_contact *solver, trial *t, points *p, nsdyn_contact_census *census)
{
  *p = (points){.t = t};
  nsdyn_contact_census_init(census, sizeof *census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &t->p, collect, p, census);
  ck_assert_int_eq(census->points, p->count);
  ck_assert_int_eq(census->complete, census->doubtful == 0);
  ck_assert_int_eq(status == NSDYN_OK, p->count > 0);
  ck_assert_int_eq(census->max_dimension, p->count > 0 ? 0 : -1);
  for (int i = 0; i < p->count; i++) {
    memcpy(t->Lambda, p->Lambda[i], sizeof p->Lambda[i]);
    ck_assert_double_le(miss_of(t), 1e-9);
    for (int j = 0; j < i; j++) {
      ck_assert(memcmp(p->Lambda[i], p->Lambda[j], sizeof p->Lambda[i]) != 0);
    }
  }
  return status;
}

static nsdyn_contact_law random_friction(random_state *random, double steepest)
{
  nsdyn_contact_law law = disk_law(random_below(random, 8) ? random_between(random, 0.0, steepest) : 0.0);
  law.aspect = random_below(random, 2) ? random_between(random, 0.3, 2.0) : 1.0;
  law.angle = random_between(random, -4.0, 4.0);
  law.shape = random_below(random, 2) ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
  law.sides = 4 + 2 * (int32_t)random_below(random, 5);
  law.kind = random_below(random, 4) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
  if (random_below(random, 6) == 0) {
    law.friction = NSDYN_FRICTION_BOUND;
    law.bound = random_between(random, 0.0, 2.0);
  }
  return law;
}

START_TEST(the_one_solution_is_among_all)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  const int cases = random_cases(4000);
  int complete = 0, several = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    t.law[0] = random_friction(&random, 4.0);
    fill(&t, 1, 3, &random);
    t.p.dt = 1.0;
    double one[3];
    const int is_solved = nsdyn_contact_solve(solver, &t.p, one, NULL) == NSDYN_OK;
    points p;
    nsdyn_contact_census census;
    const nsdyn_status status = list(solver, &t, &p, &census);
    REQUIRE(!is_solved || status == NSDYN_OK || census.doubtful > 0, "seed %d: status %d", k, (int)status);
    int is_there = !is_solved || !census.complete;
    for (int i = 0; i < p.count; i++) {
      double apart = 0.0, size = 0.0;
      for (int j = 0; j < 3; j++) {
        apart += fabs(p.Lambda[i][j] - one[j]);
        size += fabs(one[j]);
      }
      is_there = is_there || apart <= 1e-6 * size;
    }
    REQUIRE(is_there, "seed %d: its one solution is none of %d", k, p.count);
    complete += census.complete;
    several += p.count > 1;
  }
  ck_assert_msg(100 * complete >= 98 * cases, "%d of %d are complete", complete, cases);
  ck_assert(several > 0);
  nsdyn_contact_free(solver);
}
END_TEST

/* A planar contact with a second tangent that nothing drives: the solutions are those of the plane, which an
 * exact search counts; also where G is indefinite and there are none, or several. */
START_TEST(planar_lists_embedded_in_space_are_the_same)
{
  static trial flat, deep;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int none = 0, several = 0, compared = 0;
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    flat.law[0] = deep.law[0] = disk_law(random_between(&random, 0.0, 4.0));
    flat.law[0].tangents = 1;
    deep.law[0].shape = k % 2 ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    deep.law[0].sides = 8;
    fill(&flat, 1, 2, &random);
    if (k % 3 == 0) {
      flat.G[1] = flat.G[2] = 2.0 * flat.G[1];
    }
    fill(&deep, 1, 3, &random);
    static const int in[3] = {0, 1, -1};
    for (int i = 0; i < 3; i++) {
      deep.c[i] = in[i] < 0 ? 0.0 : flat.c[in[i]];
      for (int j = 0; j < 3; j++) {
        deep.G[3 * i + j] = in[i] < 0 || in[j] < 0 ? (double)(i == j) : flat.G[2 * in[i] + in[j]];
      }
    }
    nsdyn_contact_census expected, census;
    nsdyn_contact_census_init(&expected, sizeof expected);
    const nsdyn_status wanted = nsdyn_contact_enumerate(solver, &flat.p, NULL, NULL, &expected);
    points p;
    const nsdyn_status status = list(solver, &deep, &p, &census);
    if (!census.complete || !expected.complete || expected.bounded_pieces + expected.unbounded_pieces > 0) {
      continue;
    }
    compared++;
    REQUIRE(status == wanted, "seed %d: %d for %d", k, (int)status, (int)wanted);
    REQUIRE(census.points == expected.points, "seed %d: %d for %d", k, (int)census.points,
            (int)expected.points);
    REQUIRE(census.motions == expected.motions, "seed %d: %d motions for %d", k, (int)census.motions,
            (int)expected.motions);
    none += status == NSDYN_NO_SOLUTION;
    several += census.points > 1;
  }
  ck_assert_msg(100 * compared >= 97 * cases, "%d of %d compared", compared, cases);
  ck_assert(cases < 3000 || (none > 0 && several > 0));
  nsdyn_contact_free(solver);
}
END_TEST

/* Painlevé: along a known direction friction pulls the contact in harder than it pushes back. */
START_TEST(known_directions_have_none_or_two)
{
  static trial t;
  random_state random = random_seed(1);
  t.law[0] = disk_law(2.0);
  fill(&t, 1, 3, &random);
  const double G[9] = {1.0, 0.75, 0.0, 0.75, 2.0, 0.0, 0.0, 0.0, 1.0}, slip[2] = {1.0, 0.0};
  memcpy(t.G, G, sizeof G);
  t.c[1] = t.c[2] = 0.0;
  t.p.slip = slip;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  points p;
  nsdyn_contact_census census;
  t.c[0] = -1.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_NO_SOLUTION);
  ck_assert_int_eq(census.complete, 1);
  t.c[0] = 1.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_OK);
  ck_assert_int_eq(p.count, 2);
  ck_assert_double_eq_tol(p.Lambda[1][0], 2.0, 1e-12);
  ck_assert(p.mode[0] == NSDYN_MODE_OPEN && p.mode[1] == NSDYN_MODE_SLIP);
  /* The first is enough for a visitor who stops. */
  p = (points){.t = &t, .stop_at = 1};
  ck_assert_int_eq(nsdyn_contact_enumerate(solver, &t.p, collect, &p, &census), NSDYN_CANCELLED);
  ck_assert(p.count == 1 && census.complete == 0);
  nsdyn_contact_free(solver);
}
END_TEST

/* No push moves the normal; and rows that depend on each other, of which no list is called complete. */
START_TEST(what_cannot_be_counted_is_not_called_complete)
{
  static trial t;
  random_state random = random_seed(1);
  t.law[0] = disk_law(0.5);
  fill(&t, 1, 3, &random);
  const double immovable[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1};
  memcpy(t.G, immovable, sizeof immovable);
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  points p;
  nsdyn_contact_census census;
  t.c[0] = -1.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_NO_SOLUTION);
  t.c[0] = 1.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_OK);
  ck_assert(p.count == 1 && census.complete == 1);
  t.c[0] = 0.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_OK);
  ck_assert_int_eq(census.complete, 0); /* any Λ_N */
  const double flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
  memcpy(t.G, flat, sizeof flat);
  t.c[0] = -1.0;
  t.c[1] = 0.1;
  t.c[2] = 0.0;
  ck_assert_int_eq(list(solver, &t, &p, &census), NSDYN_OK);
  ck_assert_int_eq(census.complete, 0); /* any Λ_T2 */
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/space/enumerate_one", TEST(the_one_solution_is_among_all),
      TEST(planar_lists_embedded_in_space_are_the_same), TEST(known_directions_have_none_or_two),
      TEST(what_cannot_be_counted_is_not_called_complete))
