/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/damping_path.h"

#include "contact/planar/states.h"
#include "piled.h"

static void lay_out(nsd_arena *arena, const piled *t, nsd_damped_newton *w)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_damped_newton counted;
  nsd_damped_newton_lay_out(&measure, &counted, t->d.contacts, t->d.rows);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_damped_newton_lay_out(arena, w, t->d.contacts, t->d.rows);
}

START_TEST(a_path_from_nothing_ends_at_a_solution)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      piled t = piled_make((pile_kind)kind, (pile_load)load, 40, 10 * kind + load);
      nsd_arena arena = nsd_arena_empty(NULL);
      nsd_damped_newton w;
      piled_couple(&t);
      lay_out(&arena, &t, &w);
      nsd_damped_newton_begin(&w, &t.k);
      ck_assert_int_eq(
          nsd_damped_newton_follow(&w, t.Lambda, 1e-9, 1, NSD_DAMPED_NEWTON_TAME, 1000, 1e9, NULL), NSDYN_OK);
      const nsd_contact_verdict v = nsd_contact_judge(&t.d, w.best, t.xi);
      ck_assert_msg(nsd_contact_is_solution(&v, 1e-9), "%s, load %d: %g after %d steps",
                    pile_name((pile_kind)kind), load, v.residual / v.scale, w.steps);
      nsd_arena_release(&arena);
      piled_free(&t);
    }
  }
}
END_TEST

/* From the pattern of the solution one system is enough, refined with the same factors. */
START_TEST(the_right_pattern_needs_one_system)
{
  piled t = piled_make(PILE_TOWER, PILE_REST, 20, 1);
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_damped_newton w;
  piled_couple(&t);
  lay_out(&arena, &t, &w);
  nsd_damped_newton_begin(&w, &t.k);
  for (int i = 0; i < t.d.contacts; i++) {
    w.states[i] = NSD_STATE_STICK;
  }
  ck_assert_int_eq(nsd_damped_newton_follow(&w, t.Lambda, 1e-9, 0, NSD_DAMPED_NEWTON_SHARP, 1, 1e9, NULL),
                   NSDYN_OK);
  ck_assert_int_eq(w.steps, 1);
  ck_assert_double_le(w.residual, 1e-12);
  nsd_arena_release(&arena);
  piled_free(&t);
}
END_TEST

START_TEST(no_work_is_done_beyond_the_limit)
{
  piled t = piled_make(PILE_DISKS, PILE_BURST, 60, 1);
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_damped_newton w;
  piled_couple(&t);
  lay_out(&arena, &t, &w);
  nsd_damped_newton_begin(&w, &t.k);
  nsd_damped_newton_offer(&w, t.Lambda);
  ck_assert_int_eq(nsd_damped_newton_follow(&w, t.Lambda, 1e-9, 1, NSD_DAMPED_NEWTON_TAME, 1000, 10.0, NULL),
                   NSDYN_OK);
  ck_assert_int_eq(w.steps, 0);
  nsd_arena_release(&arena);
  piled_free(&t);
}
END_TEST

SUITE("contact/many/damping_path", TEST(a_path_from_nothing_ends_at_a_solution),
      TEST(the_right_pattern_needs_one_system), TEST(no_work_is_done_beyond_the_limit))
