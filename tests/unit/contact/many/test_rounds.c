/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/rounds.h"

#include "piled.h"

static void lay_out(nsd_arena *arena, const piled *t, nsd_rounds *w)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_rounds counted;
  nsd_rounds_lay_out(&measure, &counted, t->d.contacts, t->d.bilateral, t->d.rows);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_rounds_lay_out(arena, w, t->d.contacts, t->d.bilateral, t->d.rows);
}

/* What is left of the laws' violation after so many rounds, a share of its scale. */
static double run(piled *t, int count)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_rounds w;
  piled_couple(t);
  lay_out(&arena, t, &w);
  ck_assert_int_eq(nsd_rounds_begin(&w, &t->k, NULL), NSDYN_OK);
  nsd_rounds_start(&w, t->Lambda);
  for (int i = 0; i < count; i++) {
    nsd_rounds_step(&w);
  }
  const nsd_contact_verdict v = nsd_contact_judge(&t->d, w.acceleration.best, t->xi);
  nsd_arena_release(&arena);
  return v.residual / v.scale;
}

START_TEST(rounds_alone_solve_small_piles)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      piled t = piled_make((pile_kind)kind, (pile_load)load, 8, 10 * kind + load);
      const double residual = run(&t, 400);
      ck_assert_msg(residual <= 1e-9, "%s, load %d: %g", pile_name((pile_kind)kind), load, residual);
      piled_free(&t);
    }
  }
}
END_TEST

/* Independent bodies know nothing of each other: one round is all. */
START_TEST(one_round_solves_what_is_not_coupled)
{
  piled t = piled_make(PILE_DISKS, PILE_BURST, 1, 3);
  const int rows = t.d.rows;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      t.p.G[i * rows + j] *= i / 2 == j / 2;
    }
  }
  ck_assert_double_le(run(&t, 1), 1e-14);
  piled_free(&t);
}
END_TEST

SUITE("contact/many/rounds", TEST(rounds_alone_solve_small_piles), TEST(one_round_solves_what_is_not_coupled))
