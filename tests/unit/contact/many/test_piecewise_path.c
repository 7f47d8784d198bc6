/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/piecewise_path.h"

#include "contact/certificate.h"
#include "contact_cases.h"
#include "piled.h"

typedef struct path {
  nsd_arena arena;
  nsd_coupling k;
  nsd_damped_newton active;
  nsd_piecewise_path w;
  double *Lambda, *G, *c, *xi;
} path;

static void lay_out(nsd_arena *arena, const nsd_contact_data *d, path *p)
{
  const size_t n = (size_t)d->rows;
  nsd_coupling_lay_out(arena, &p->k, d->contacts + d->bilateral, d->rows);
  nsd_damped_newton_lay_out(arena, &p->active, d->contacts, d->rows);
  nsd_piecewise_path_lay_out(arena, &p->w, d->contacts, d->rows);
  p->Lambda = nsd_arena_take(arena, n, sizeof *p->Lambda);
  p->G = nsd_arena_take(arena, n * n, sizeof *p->G);
  p->c = nsd_arena_take(arena, n, sizeof *p->c);
  p->xi = nsd_arena_take(arena, n, sizeof *p->xi);
}

static void begin(path *p, const nsd_contact_data *d)
{
  path counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, d, &counted);
  p->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&p->arena, &measure), NSDYN_OK);
  lay_out(&p->arena, d, p);
  ck_assert_int_eq(nsd_coupling_read(&p->k, d, NULL), NSDYN_OK);
  nsd_damped_newton_begin(&p->active, &p->k);
  nsd_piecewise_path_begin(&p->w);
  for (int i = 0; i < d->rows; i++) {
    p->Lambda[i] = 0.0;
  }
}

/* The problem of one ε and Λ₀ = 0 as a problem like any other: G + ε D. Its judge shares no code with the
 * path.
 */
static nsd_contact_verdict judge(const path *p, const nsd_contact_data *d, double epsilon)
{
  nsd_contact_data own = *d;
  for (int i = 0; i < d->rows; i++) {
    for (int j = 0; j < d->rows; j++) {
      p->G[i * d->rows + j] = nsd_contact_row(d, i)[j];
    }
    p->G[i * d->rows + i] *= 1.0 + epsilon;
  }
  own.G = p->G;
  own.ldg = d->rows;
  return nsd_contact_judge(&own, p->active.Lambda, p->xi);
}

#define DAMPING 1e-3 /* patterns are regular then */

/* ε D tames a row only where D has something. */
static int has_zero_rows(const nsd_contact_data *d)
{
  int any = 0;
  for (int i = 0; i < d->rows; i++) {
    any |= nsd_contact_row(d, i)[i] == 0.0;
  }
  return any;
}

/* All laws, several solutions among them: a thousandth of what c is may be left. */
START_TEST(the_end_of_a_path_solves_its_problem)
{
  int arrived = 0, all = 0;
  for (int seed = 0; seed < 2000; seed++) { /* always as many: a share of fewer says little */
    contact_case t;
    path p;
    contact_case_make(&t, (case_kind)(seed % CASE_KINDS), 1 + seed / CASE_KINDS % 6, (uint64_t)seed);
    if (has_zero_rows(&t.data)) {
      continue;
    }
    begin(&p, &t.data);
    all++;
    if (nsd_piecewise_path_follow(&p.w, &p.active, p.Lambda, DAMPING, 500, INFINITY, NULL) == NSDYN_OK) {
      const nsd_contact_verdict v = judge(&p, &t.data, DAMPING);
      ck_assert_msg(v.residual <= 1e-2 * v.scale, "%s, seed %d: %g of %g", case_names[seed % CASE_KINDS],
                    seed, v.residual, v.scale);
      arrived++;
    }
    nsd_arena_release(&p.arena);
  }
  ck_assert_msg(arrived >= 0.9 * all, "%d of %d", arrived, all);
}
END_TEST

/* With ε = 0.1 piles are tame: the path is short and arrives. What is left of ρ there is a thousandth. */
START_TEST(tame_problems_of_piles_are_solved)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int load = 0; load < PILE_LOADS; load++) {
      piled t = piled_make((pile_kind)kind, (pile_load)load, 100, 10 * kind + load);
      path p;
      begin(&p, &t.d);
      /* A path that runs back is left; the next begins elsewhere, as the solver's do. */
      nsdyn_status status = NSDYN_MAX_ITERATIONS;
      for (int try = 0; try < 3 && status == NSDYN_MAX_ITERATIONS; try++) {
        status = nsd_piecewise_path_follow(&p.w, &p.active, p.Lambda, NSD_DAMPED_NEWTON_TAME, 2000, INFINITY,
                                           NULL);
      }
      ck_assert_msg(status == NSDYN_OK, "%s, load %d: status %d after %d pieces", pile_name((pile_kind)kind),
                    load, status, p.w.pieces);
      nsd_contact_verdict v = judge(&p, &t.d, NSD_DAMPED_NEWTON_TAME);
      ck_assert_msg(v.residual <= 1e-2 * v.scale, "%s, load %d: %g of %g", pile_name((pile_kind)kind), load,
                    v.residual, v.scale);
      nsd_arena_release(&p.arena);
      piled_free(&t);
    }
  }
}
END_TEST

START_TEST(no_more_pieces_than_allowed)
{
  piled t = piled_make(PILE_RUBBLE, PILE_BURST, 60, 1);
  path p;
  begin(&p, &t.d);
  ck_assert_int_eq(
      nsd_piecewise_path_follow(&p.w, &p.active, p.Lambda, NSD_DAMPED_NEWTON_TAME, 3, INFINITY, NULL),
      NSDYN_MAX_ITERATIONS);
  ck_assert_int_eq(p.w.pieces, 3);
  nsd_arena_release(&p.arena);
  piled_free(&t);
}
END_TEST

/* With little damping, from far off, most paths in rubble that is hit run about without end. They are left
 * long before, and what they leave behind is nearer than where they began. */
START_TEST(paths_that_run_back_are_left)
{
  enum { PATHS = 32, PIECES = 10000 };
  int left = 0, wandered = 0; /* of those that do not arrive; few run on, without coming back */
  for (int seed = 0; seed < PATHS; seed++) {
    piled t = piled_make(PILE_RUBBLE, PILE_BURST, 150, seed);
    path p;
    begin(&p, &t.d);
    const nsdyn_status status =
        nsd_piecewise_path_follow(&p.w, &p.active, p.Lambda, 1e-4, PIECES, INFINITY, NULL);
    if (status == NSDYN_MAX_ITERATIONS) {
      *(p.w.pieces < PIECES / 4 ? &left : &wandered) += 1;
      ck_assert(p.w.least <= 1.0 && (p.w.pieces == PIECES || p.w.t > p.w.least));
    }
    nsd_arena_release(&p.arena);
    piled_free(&t);
  }
  ck_assert_msg(left > 0 && 8 * wandered <= PATHS, "%d left, %d went on", left, wandered);
}
END_TEST

SUITE("contact/many/piecewise_path", TEST(the_end_of_a_path_solves_its_problem),
      TEST(tame_problems_of_piles_are_solved), TEST(no_more_pieces_than_allowed),
      TEST(paths_that_run_back_are_left))
