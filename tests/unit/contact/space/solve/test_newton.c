/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/newton.h"

#include <math.h>

#include "../spatial.h"
#include "contact/space/solve/rounds.h"

static void lay_out(nsd_arena *room, const spatial *s, nsd_space_newton *w)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_space_newton counted;
  nsd_space_newton_lay_out(&measure, &counted, s->d.contacts, s->d.rows, s->G.columns);
  ck_assert_int_eq(nsd_arena_reserve(room, &measure), NSDYN_OK);
  nsd_space_newton_lay_out(room, w, s->d.contacts, s->d.rows, s->G.columns);
}

/* From some rounds on, each map reaches most piles; what it calls small the certificate calls a solution. */
START_TEST(newton_ends_what_rounds_begin)
{
  int solved = 0, cases = 0;
  for (int k = 0; k < random_cases(96); k++) {
    spatial s;
    spatial_make(&s, k % SPACE_PILE_KINDS, (pile_load)(k / 4 % PILE_LOADS), 12, (uint64_t)k);
    nsd_arena room = nsd_arena_empty(NULL), rounds_room = nsd_arena_empty(NULL),
              measure = nsd_arena_measure();
    nsd_space_rounds counted, r;
    nsd_space_rounds_lay_out(&measure, &counted, s.d.contacts, s.d.contacts, s.d.rows, s.G.columns);
    ck_assert_int_eq(nsd_arena_reserve(&rounds_room, &measure), NSDYN_OK);
    nsd_space_rounds_lay_out(&rounds_room, &r, s.d.contacts, s.d.contacts, s.d.rows, s.G.columns);
    nsd_space_rounds_begin(&r, &s.d, &s.G, 1.0, 0);
    nsd_space_rounds_start(&r, s.Lambda);
    for (int i = 0; i < 20; i++) {
      nsd_space_rounds_step(&r);
    }
    nsd_space_newton w;
    lay_out(&room, &s, &w);
    ck_assert_int_eq(nsd_space_newton_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
    for (int map = 0; map < 2; map++) {
      int steps = 0;
      for (int i = 0; i < s.d.rows; i++) {
        s.Lambda[i] = r.acceleration.best[i];
      }
      const double small = 1e-12 * nsd_contact_judge(&s.d, s.Lambda, s.xi).scale;
      const nsdyn_status status =
          nsd_space_newton_solve(&w, (nsd_space_map)map, 0.0, small, 0.0, 60, s.Lambda, &steps, NULL);
      cases++;
      solved += status == NSDYN_OK;
      REQUIRE(status != NSDYN_OK || spatial_miss(&s, s.Lambda) <= 1e-9, "%s %d, map %d: miss %g",
              spatial_name[k % SPACE_PILE_KINDS], k, map, spatial_miss(&s, s.Lambda));
    }
    nsd_arena_release(&room);
    nsd_arena_release(&rounds_room);
    spatial_free(&s);
  }
  ck_assert_msg(10 * solved >= 6 * cases, "%d of %d", solved, cases);
}
END_TEST

/* The damped problem, ξ + ε r (Λ − Λ₀) in place of ξ: its solution obeys the laws with that ξ. */
START_TEST(damping_moves_towards_a_center)
{
  for (int k = 0; k < 8; k++) {
    spatial s;
    spatial_make(&s, k % SPACE_PILE_KINDS, PILE_REST, 8, (uint64_t)k);
    nsd_arena room = nsd_arena_empty(NULL);
    nsd_space_newton w;
    lay_out(&room, &s, &w);
    ck_assert_int_eq(nsd_space_newton_begin(&w, &s.d, &s.G, NULL), NSDYN_OK);
    const double scale = nsd_contact_judge(&s.d, s.Lambda, s.xi).scale, damping = 3.0;
    int steps = 0;
    ck_assert_int_eq(nsd_space_newton_solve(&w, NSD_SPACE_NATURAL, damping, 1e-13 * scale, 0.0, 60, s.Lambda,
                                            &steps, NULL),
                     NSDYN_OK);
    /* Only Λ = 0 or ξ = 0 in normal directions; ξ by the certificate's own sums. */
    (void)nsd_contact_judge(&s.d, s.Lambda, s.xi);
    for (int i = 0; i < s.d.contacts; i++) {
      const double *own = s.G.own + (size_t)(9 * i), r = (own[0] + own[4] + own[8]) / 3.0;
      const double Lambda_N = s.Lambda[3 * i], xi_N = s.xi[3 * i] + damping * r * Lambda_N;
      REQUIRE(Lambda_N >= -1e-12 * scale / r && xi_N >= -1e-10 * scale, "contact %d of %d", i, k);
      REQUIRE(fmin(r * Lambda_N, xi_N) <= 1e-10 * scale, "contact %d of %d: %g, %g", i, k, Lambda_N, xi_N);
    }
    nsd_arena_release(&room);
    spatial_free(&s);
  }
}
END_TEST

SUITE("contact/space/solve/newton", TEST(newton_ends_what_rounds_begin), TEST(damping_moves_towards_a_center))
