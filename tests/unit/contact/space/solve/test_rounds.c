/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/rounds.h"

#include <math.h>

#include "../spatial.h"

static double run(spatial *s, int rounds, double relaxation, uint64_t seed)
{
  nsd_arena room = nsd_arena_empty(NULL), measure = nsd_arena_measure();
  nsd_space_rounds counted, w;
  const int cells = s->G.cells;
  nsd_space_rounds_lay_out(&measure, &counted, s->d.contacts, cells, s->d.rows, s->G.columns);
  ck_assert_int_eq(nsd_arena_reserve(&room, &measure), NSDYN_OK);
  nsd_space_rounds_lay_out(&room, &w, s->d.contacts, cells, s->d.rows, s->G.columns);
  nsd_space_rounds_begin(&w, &s->d, &s->G, relaxation, seed);
  nsd_space_rounds_start(&w, s->Lambda);
  for (int i = 0; i < rounds; i++) {
    nsd_space_rounds_step(&w);
  }
  for (int i = 0; i < s->d.rows; i++) {
    s->Lambda[i] = w.acceleration.best[i];
  }
  nsd_arena_release(&room);
  return spatial_miss(s, s->Lambda);
}

/* In any order, and with or without relaxation. */
START_TEST(rounds_alone_solve_small_piles)
{
  for (int kind = 0; kind < SPACE_PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      for (int way = 0; way < 3; way++) {
        spatial s;
        spatial_make(&s, kind, (pile_load)load, 4, 10 * (uint64_t)kind + (uint64_t)load);
        const double miss = run(&s, 2000, way == 1 ? 1.2 : 1.0, way == 2 ? 77 : 0);
        ck_assert_msg(miss <= 1e-9, "%s, load %d, way %d: %g", spatial_name[kind], load, way, miss);
        spatial_free(&s);
      }
    }
  }
}
END_TEST

/* G as a matrix, and planar contacts beside: their cells have two rows, or one; bilateral rows are cells too.
 * One contact, a planar one, a smooth one and a row, not coupled: one round is all. */
START_TEST(one_round_solves_what_is_not_coupled)
{
  enum { ROWS = 7 };
  static const int rows_of[4] = {3, 2, 1, 1};
  double G[ROWS * ROWS] = {0.0};
  for (int i = 0; i < ROWS; i++) {
    G[i * ROWS + i] = 1e-6 * (1.0 + i);
  }
  G[0 * ROWS + 1] = G[1 * ROWS + 0] = 3e-7;
  G[3 * ROWS + 4] = G[4 * ROWS + 3] = 1e-6;
  const double c[ROWS] = {-1.0, 0.7, 0.2, -2.0, 1.5, -1.0, 3.0};
  const nsd_contact_space disk = {.is_round = 1, .aspect = 1.0, .axis = {1.0, 0.0}};
  const nsd_contact_spec spec[3] = {
      {.mu = 0.3, .row = 0, .friction = NSD_FRICTION_LOAD, .space = &disk},
      {.mu = 0.3, .row = 3, .friction = NSD_FRICTION_LOAD},
      {.row = 5, .friction = NSD_FRICTION_NONE},
  };
  spatial s = {.d = {.contacts = 3,
                     .bilateral = 1,
                     .rows = ROWS,
                     .ldg = ROWS,
                     .spec = spec,
                     .G = G,
                     .c = c,
                     .is_spatial = 1}};
  double Lambda[ROWS] = {0.0}, xi[ROWS];
  s.Lambda = Lambda;
  s.xi = xi;
  nsd_operator_init(&s.G, NULL);
  const nsd_operator_rows given = {.value = G, .stride = ROWS, .columns = ROWS};
  ck_assert_int_eq(nsd_operator_read(&s.G, 4, rows_of, &given, NULL, NULL), NSDYN_OK);
  ck_assert_double_le(run(&s, 1, 1.0, 0), 1e-14);
  /* The planar one slides: ξ_N = 0, Λ_T = −μ Λ_N. */
  ck_assert_double_eq_tol(Lambda[4], -0.3 * Lambda[3], 1e-9);
  ck_assert_double_eq_tol(Lambda[5], 1.0 / 6e-6, 1e-6);
  ck_assert_double_eq_tol(Lambda[6], -3.0 / 7e-6, 1e-6);
  nsd_operator_release(&s.G);
}
END_TEST

SUITE("contact/space/solve/rounds", TEST(rounds_alone_solve_small_piles),
      TEST(one_round_solves_what_is_not_coupled))
