/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Lists of three and more contacts in space: what is called complete has no second solution, which other
 * methods and other beginnings, and the list of all solutions in the plane, would find. */
#include "contact/space/unique.h"

#include <math.h>
#include <string.h>

#include "nsdyn/contact.h"
#include "space_trial.h"

typedef struct found {
  int count;
  double Lambda[3 * MOST];
} found;

static int take(void *user, const nsdyn_contact_piece *piece)
{
  found *f = user;
  f->count++;
  memcpy(f->Lambda, piece->Lambda, (size_t)piece->rows * sizeof *f->Lambda);
  return 0;
}

static nsdyn_status list(nsdyn_contact *solver, const nsdyn_contact_problem *p, found *f,
                         nsdyn_contact_census *census)
{
  f->count = 0;
  ck_assert_int_eq(nsdyn_contact_census_init(census, sizeof *census), NSDYN_OK);
  return nsdyn_contact_enumerate(solver, p, take, f, census);
}

static double size_of(const double *Lambda, int rows)
{
  double size = 1e-6;
  for (int i = 0; i < rows; i++) {
    size = fmax(size, fabs(Lambda[i]));
  }
  return size;
}

/* Of all laws; the same impulses come from anywhere. */
START_TEST(a_complete_list_holds_the_only_solution)
{
  static trial t;
  static const int32_t methods[] = {NSDYN_CONTACT_AUTOMATIC, NSDYN_CONTACT_NEWTON, NSDYN_CONTACT_NATURAL};
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC), *other[3];
  for (int m = 0; m < 3; m++) {
    other[m] = make_solver(methods[m]);
  }
  int complete = 0;
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 3 + k % 2;
    for (int i = 0; i < contacts; i++) {
      t.law[i] = disk_law(random_between(&random, 0.0, 0.3));
      t.law[i].tangents = i == 0 || random_below(&random, 4) ? 2 : 1;
      if (t.law[i].tangents == 2 && random_below(&random, 2)) {
        t.law[i].shape = (int32_t)random_below(&random, 2);
        t.law[i].aspect = random_between(&random, 0.5, 1.5);
      }
    }
    fill(&t, contacts, 3 * MOST, &random);
    found f;
    nsdyn_contact_census census;
    ck_assert_int_eq(list(solver, &t.p, &f, &census), NSDYN_OK);
    ck_assert(f.count == 1 && census.points == 1 && census.complete == (census.doubtful == 0));
    complete += census.complete;
    double start[3 * MOST];
    for (int m = 0; census.complete && m < 3; m++) {
      for (int i = 0; i < t.rows; i++) {
        start[i] = 3.0 * random_normal(&random) * size_of(f.Lambda, t.rows);
      }
      t.p.start = start;
      if (nsdyn_contact_solve(other[m], &t.p, t.Lambda, NULL) != NSDYN_OK) {
        continue;
      }
      for (int i = 0; i < t.rows; i++) {
        REQUIRE(fabs(t.Lambda[i] - f.Lambda[i]) <= 1e-6 * size_of(f.Lambda, t.rows),
                "seed %d, row %d: %g and %g", k, i, t.Lambda[i], f.Lambda[i]);
      }
      t.p.start = NULL;
    }
    t.p.start = NULL;
  }
  ck_assert_msg(3 * complete > cases, "%d of %d", complete, cases);
  nsdyn_contact_free(solver);
  for (int m = 0; m < 3; m++) {
    nsdyn_contact_free(other[m]);
  }
}
END_TEST

/* Planar problems with a second tangent that nothing drives: where the plane has several solutions, or none
 * that is unique, the list in space is not called complete. */
START_TEST(several_solutions_of_the_plane_are_not_denied)
{
  static trial flat, deep;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int several = 0, complete = 0;
  for (int k = 0; k < random_cases(4000); k++) {
    random_state random = random_seed((uint64_t)k);
    const int contacts = 3;
    for (int i = 0; i < contacts; i++) {
      flat.law[i] = deep.law[i] = disk_law(random_between(&random, 0.0, k % 2 ? 3.0 : 0.3));
      flat.law[i].tangents = 1;
    }
    fill(&flat, contacts, k % 2 ? 6 : 18, &random);
    fill(&deep, contacts, 3 * MOST, &random);
    for (int i = 0; i < deep.rows; i++) {
      deep.c[i] = i % 3 == 2 ? 0.0 : flat.c[2 * (i / 3) + i % 3];
      for (int j = 0; j < deep.rows; j++) {
        const int is_flat = i % 3 != 2 && j % 3 != 2;
        deep.G[i * deep.rows + j] =
            is_flat ? flat.G[(2 * (i / 3) + i % 3) * flat.rows + 2 * (j / 3) + j % 3] : (double)(i == j);
      }
    }
    found f;
    nsdyn_contact_census all, census;
    ck_assert_int_eq(list(solver, &flat.p, &f, &all), NSDYN_OK);
    const nsdyn_status status = list(solver, &deep.p, &f, &census);
    ck_assert(status == NSDYN_OK || status == NSDYN_UNDECIDED);
    const int is_one = all.points == 1 && all.bounded_pieces + all.unbounded_pieces == 0;
    several += !is_one;
    complete += census.complete;
    REQUIRE(is_one || !census.complete, "seed %d: %d points and %d pieces in the plane", k, (int)all.points,
            (int)(all.bounded_pieces + all.unbounded_pieces));
  }
  ck_assert_msg(several > 0 && complete > 0, "%d and %d", several, complete);
  nsdyn_contact_free(solver);
}
END_TEST

/* G = diag(a, b, b): a n² + b t² > μ b |n| |t| for all n, t where μ² b < 4 a. */
START_TEST(one_contact_whose_rows_are_apart_has_a_known_bound)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    const double a = random_between(&r, 0.1, 2.0), b = random_between(&r, 0.1, 2.0);
    const double G[9] = {a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, b}, c[3] = {-1.0, 0.5, 0.2};
    const nsd_contact_space disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}};
    nsd_contact_spec spec = {.friction = NSD_FRICTION_LOAD, .space = &disk};
    const nsd_contact_data d = {
        .contacts = 1, .rows = 3, .ldg = 3, .spec = &spec, .G = G, .c = c, .is_spatial = 1};
    double H[9], w[3];
    spec.mu = 1.999 * sqrt(a / b);
    ck_assert_int_eq(nsd_space_is_unique(&d, H, w), 1);
    spec.mu = 2.001 * sqrt(a / b);
    ck_assert_int_eq(nsd_space_is_unique(&d, H, w), 0);
  }
}
END_TEST

SUITE("contact/space/unique", TEST(a_complete_list_holds_the_only_solution),
      TEST(several_solutions_of_the_plane_are_not_denied),
      TEST(one_contact_whose_rows_are_apart_has_a_known_bound))
