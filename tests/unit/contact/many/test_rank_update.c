/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/rank_update.h"

#include "contact/planar/states.h"
#include "piled.h"

typedef struct patches {
  nsd_damped_newton active;
  nsd_rank_update p;
  double *x_0, *x, *rho;
} patches;

static void lay_out(nsd_arena *arena, const nsd_contact_data *d, patches *t)
{
  const size_t n = (size_t)d->rows;
  nsd_damped_newton_lay_out(arena, &t->active, d->contacts, d->rows);
  nsd_rank_update_lay_out(arena, &t->p, d->contacts, d->rows);
  t->x_0 = nsd_arena_take(arena, n, sizeof *t->x_0);
  t->x = nsd_arena_take(arena, n, sizeof *t->x);
  t->rho = nsd_arena_take(arena, n, sizeof *t->rho);
}

/* What x misses of the equations of a->states, each written out. */
static double missed(const patches *t, const nsd_contact_data *d)
{
  double most = 0.0;
  for (int i = 0; i < d->rows; i++) {
    const int is_constraint = i >= 2 * d->contacts;
    const int contact = is_constraint ? 0 : i / 2;
    const int32_t state = t->active.states[contact];
    double xi = t->active.epsilon * nsd_contact_row(d, i)[i] * t->x[i] - t->rho[i];
    for (int j = 0; j < d->rows; j++) {
      xi += nsd_contact_row(d, i)[j] * t->x[j];
    }
    const double f = nsd_state_factor(state) * d->spec[contact].mu;
    const double other = i % 2 == 0 ? t->x[i] : t->x[i] - f * t->x[i - 1];
    const int is_velocity = is_constraint ? 1
                            : i % 2 == 0  ? state != NSD_STATE_OPEN
                                          : state == NSD_STATE_STICK;
    most = fmax(fabs(is_velocity ? xi : other), most);
  }
  return most;
}

static void change_rows_of(pile_kind kind, int contacts)
{
  piled t = piled_make(kind, PILE_BURST, contacts, 3);
  nsd_arena arena = nsd_arena_empty(NULL), measure = nsd_arena_measure();
  patches counted, w;
  random_state random = random_seed(3);
  piled_couple(&t);
  lay_out(&measure, &t.d, &counted);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  lay_out(&arena, &t.d, &w);
  nsd_damped_newton_begin(&w.active, &t.k);
  w.active.epsilon = 0.01;
  for (int i = 0; i < t.d.contacts; i++) {
    w.active.states[i] = i % 4;
  }
  for (int i = 0; i < t.d.rows; i++) {
    w.rho[i] = random_normal(&random);
  }
  ck_assert_int_eq(nsd_rank_update_begin(&w.p, &w.active, INFINITY, NULL), NSDYN_OK);
  for (int i = 0; i < t.d.rows; i++) {
    w.x[i] = nsd_rank_update_is_velocity(&t.k, i, w.active.states) ? w.rho[i] : 0.0;
  }
  nsd_rank_update_solve_first(&w.p, w.x, w.x_0);
  for (int count = 0; count < 200 && w.p.changes + 2 <= NSD_RANK_UPDATE_MOST; count++) {
    const int contact = random_below(&random, t.d.contacts < 25 ? t.d.contacts : 25);
    w.active.states[contact] = (w.active.states[contact] + 1 + count % 2) % 4;
    (void)nsd_rank_update_change(&w.p, contact);
    ck_assert_int_eq(nsd_rank_update_solve(&w.p, w.x_0, w.rho, w.x), 1);
    ck_assert_msg(missed(&w, &t.d) <= 1e-9, "%s of %d, change %d", pile_name(kind), contacts, count);
  }
  nsd_arena_release(&arena);
  piled_free(&t);
}

/* Contact after contact changes its state, to and fro: the equations hold each time, whether G is read by its
 * entries or, in small piles, by its rows. */
START_TEST(changed_rows_are_solved_with_the_first_factors)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    change_rows_of((pile_kind)kind, 6);
    change_rows_of((pile_kind)kind, 40);
  }
}
END_TEST

SUITE("contact/many/rank_update", TEST(changed_rows_are_solved_with_the_first_factors))
