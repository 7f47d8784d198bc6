/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/body_proximal.h"

#include <math.h>
#include <string.h>

#include "../spatial.h"

/* Damped by ε around Λ₀, Λ solves the problem with G + ε r and c − ε r Λ₀, which the judge knows as a dense
 * matrix. */
START_TEST(damped_problems_are_solved)
{
  nsd_proximal w = nsd_proximal_empty(NULL);
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      spatial s;
      spatial_make(&s, kind, (pile_load)load, 12, 7 * (uint64_t)kind + (uint64_t)load);
      space_pile_delassus(&s.p);
      const size_t n = (size_t)s.d.rows;
      ck_assert_int_eq(nsd_proximal_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
      double *c = calloc(n, sizeof *c);
      random_state random = random_seed((uint64_t)kind);
      for (size_t i = 0; i < n; i++) {
        s.Lambda[i] = i % 3 ? 0.0 : 0.01 * random_unit(&random);
        const double own = 0.5 * w.r[i / 3];
        c[i] = s.d.c[i] - own * s.Lambda[i];
        s.p.G[i * (n + 1)] += own;
      }
      int steps = 0;
      ck_assert_msg(nsd_proximal_solve(&w, 0.5, 1e-13, 40, s.Lambda, &steps, NULL), "%s, load %d",
                    spatial_name[kind], load);
      ck_assert_int_gt(steps, 0);
      const nsd_contact_data dense = {.contacts = s.d.contacts,
                                      .rows = s.d.rows,
                                      .ldg = s.d.rows,
                                      .spec = s.spec,
                                      .G = s.p.G,
                                      .c = c,
                                      .is_spatial = 1};
      const nsd_contact_verdict v = nsd_contact_judge(&dense, s.Lambda, s.xi);
      ck_assert_msg(v.residual <= 1e-11 * v.scale, "%s, load %d: %g", spatial_name[kind], load,
                    v.residual / v.scale);
      free(c);
      spatial_free(&s);
    }
  }
  nsd_proximal_release(&w);
}
END_TEST

/* Slots, friction of given bound, known directions and bilateral rows have their answers too. */
START_TEST(other_laws_are_solved_likewise)
{
  nsd_proximal w = nsd_proximal_empty(NULL);
  for (int k = 0; k < random_cases(60); k++) {
    spatial s;
    random_state random = random_seed((uint64_t)k);
    spatial_make(&s, k % SPACE_PILE_KINDS, (pile_load)(k % PILE_LOADS), 8, (uint64_t)k);
    space_pile_delassus(&s.p);
    const size_t n = (size_t)s.d.rows;
    for (int i = 0; i < s.d.contacts; i++) {
      nsd_contact_spec *spec = &s.spec[i];
      spec->kind = random_below(&random, 4) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
      spec->mu = random_between(&random, 0.0, 0.3);
      if (random_below(&random, 4) == 0) {
        spec->friction = NSD_FRICTION_GIVEN;
        spec->bound = 0.01 * random_unit(&random);
        spec->mu = 0.0;
      } else if (random_below(&random, 4) == 0) {
        spec->sliding = 1;
        spec->slip[0] = 0.6;
        spec->slip[1] = -0.8;
      }
    }
    ck_assert_int_eq(nsd_proximal_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
    for (size_t i = 0; i < n; i++) {
      s.p.G[i * (n + 1)] += w.r[i / 3];
    }
    int steps = 0;
    REQUIRE(nsd_proximal_solve(&w, 1.0, 1e-13, 40, s.Lambda, &steps, NULL), "seed %d", k);
    nsd_contact_data dense = s.d;
    dense.W = NULL;
    dense.terms = NULL;
    dense.G = s.p.G;
    dense.ldg = s.d.rows;
    const nsd_contact_verdict v = nsd_contact_judge(&dense, s.Lambda, s.xi);
    REQUIRE(v.residual <= 1e-11 * v.scale, "seed %d: %g", k, v.residual / v.scale);
    spatial_free(&s);
  }
  nsd_proximal_release(&w);
}
END_TEST

/* Again and again around the last answer, ε as small as it goes: the problem itself, redundant as it is. */
START_TEST(centers_lead_to_the_problem_itself)
{
  nsd_proximal w = nsd_proximal_empty(NULL);
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    spatial s;
    spatial_make(&s, kind, PILE_REST, 20, 3);
    ck_assert_int_eq(nsd_proximal_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
    double damping = 0.3;
    int steps = 0;
    for (int k = 0; k < 60; k++) {
      const int is_good = nsd_proximal_solve(&w, damping, 1e-11, 40, s.Lambda, &steps, NULL);
      damping = fmax(1e-4, is_good ? 0.5 * damping : 3.0 * damping);
    }
    ck_assert_msg(spatial_miss(&s, s.Lambda) <= 1e-9, "%s: %g", spatial_name[kind],
                  spatial_miss(&s, s.Lambda));
    spatial_free(&s);
  }
  nsd_proximal_release(&w);
}
END_TEST

SUITE("contact/space/solve/body_proximal", TEST(damped_problems_are_solved),
      TEST(other_laws_are_solved_likewise), TEST(centers_lead_to_the_problem_itself))
