/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/pattern.h"

#include "touching.h"

/* A second workspace, called `again`. */
#define PATTERN_WORK_AGAIN(t)                                                                                \
  nsd_arena again_arena = nsd_arena_empty(NULL);                                                             \
  nsd_arena again_measure = nsd_arena_measure();                                                             \
  nsd_pattern_work again;                                                                                    \
  nsd_pattern_lay_out(&again_measure, &again, (t)->d.contacts, (t)->d.rows);                                 \
  ck_assert_int_eq(nsd_arena_reserve(&again_arena, &again_measure), NSDYN_OK);                               \
  nsd_pattern_lay_out(&again_arena, &again, (t)->d.contacts, (t)->d.rows)

static nsd_pattern_best nothing_yet(touching *t)
{
  const nsd_pattern_best best = {
      .Lambda = t->Lambda, .xi = t->xi, .verdict = {.residual = INFINITY, .row = -1}};
  return best;
}

/* Each equation of the pattern holds: ξ_N = 0 or Λ_N = 0, ξ_T = 0 or Λ_T = f (μ Λ_N + bound). */
static double broken(touching *t, const int32_t *states, const double *Lambda)
{
  double most = 0.0;
  const nsd_contact_verdict v = nsd_contact_judge(&t->d, Lambda, t->xi);
  for (int i = 0; i < t->d.contacts; i++) {
    const nsd_contact_spec *s = &t->spec[i];
    const int T = nsd_contact_tangent(s);
    const double G_NN = *g_at(t, s->row, s->row);
    most = fmax(most, fabs(nsd_state_is_closed(states[i]) ? t->xi[s->row] : G_NN * Lambda[s->row]));
    if (T >= 0) {
      const double given = nsd_state_factor(states[i]) * (s->mu * Lambda[s->row] + s->bound);
      most = fmax(most, fabs(nsd_state_sticks(states[i]) ? t->xi[T] : G_NN * (Lambda[T] - given)));
    }
  }
  for (int i = t->d.rows - t->d.bilateral; i < t->d.rows; i++) {
    most = fmax(most, fabs(t->xi[i]));
  }
  (void)v;
  return most;
}

static double size_of(const touching *t, const double *Lambda)
{
  double most = 0.0;
  for (int i = 0; i < t->d.rows; i++) {
    double sum = fabs(t->c[i]);
    for (int j = 0; j < t->d.rows; j++) {
      sum += fabs(t->G[i * t->d.rows + j] * Lambda[j]);
    }
    most = fmax(most, sum);
  }
  return most;
}

START_TEST(the_equations_of_any_pattern_hold)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  int skipped = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, k % 12, WITH_EVERY_LAW | WITH_SLIDING | WITH_STEEP);
    PATTERN_WORK(t);
    for (int i = 0; i < t->d.contacts; i++) {
      w.states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATES));
    }
    double Lambda[MOST_ROWS];
    REQUIRE(nsd_pattern_solve(&w, &t->d, w.states, Lambda) == NSDYN_OK, "seed %d", k);
    const double size = size_of(t, Lambda);
    if (size > 1e9) { /* a determinant that is zero but for rounding */
      skipped++;
    } else {
      REQUIRE(broken(t, w.states, Lambda) <= 1e-12 * size, "seed %d: %g of %g", k,
              broken(t, w.states, Lambda), size);
    }
    nsd_arena_release(&arena);
  }
  ck_assert_int_le(skipped, cases / 100);
  free(t);
}
END_TEST

/* Sticking and frictionless patterns of redundant contacts: their equations hold wherever c allows that. */
START_TEST(redundant_equations_hold_too)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 10, REDUNDANT | WITH_NONE | WITH_SLOTS | WITH_BILATERAL);
    PATTERN_WORK(t);
    for (int i = 0; i < t->d.contacts; i++) {
      const unsigned known = nsd_contact_states(&t->spec[i]);
      w.states[i] = known & 1u && random_below(&r, 3) == 0 ? NSD_STATE_OPEN
                    : known & 2u                           ? NSD_STATE_STICK
                                                           : NSD_STATE_DOWN;
    }
    double Lambda[MOST_ROWS];
    REQUIRE(nsd_pattern_solve(&w, &t->d, w.states, Lambda) == NSDYN_OK, "seed %d", k);
    const double size = size_of(t, Lambda);
    REQUIRE(broken(t, w.states, Lambda) <= 1e-8 * size, "seed %d: %g of %g", k, broken(t, w.states, Lambda),
            size);
    nsd_arena_release(&arena);
  }
  free(t);
}
END_TEST

/* From any pattern Newton's method stays within the laws, and what it calls a solution is one; from a
 * solution's own pattern it needs one round. */
START_TEST(newton_finds_solutions_and_keeps_them)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  int found = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 12, WITH_EVERY_LAW);
    PATTERN_WORK(t);
    for (int i = 0; i < t->d.contacts; i++) {
      w.states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATES));
    }
    nsd_pattern_best best = nothing_yet(t);
    if (nsd_pattern_newton(&w, &t->d, 1e-9, 12, 12, &best)) {
      found++;
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, best.Lambda, NULL);
      REQUIRE(nsd_contact_is_solution(&v, 1e-9), "seed %d: %g of %g", k, v.residual, v.scale);
      REQUIRE(!nsd_contact_project_all(&t->d, best.Lambda), "seed %d", k);
      double before[MOST_ROWS];
      memcpy(before, best.Lambda, sizeof before);
      for (int i = 0; i < t->d.contacts; i++) {
        w.states[i] = nsd_contact_vertex_state(&t->spec[i], best.Lambda, best.xi);
      }
      nsd_pattern_best again = nothing_yet(t);
      REQUIRE(nsd_pattern_newton(&w, &t->d, 1e-9, 12, 12, &again), "seed %d", k);
      REQUIRE(again.rounds == 1, "seed %d: %d rounds", k, again.rounds);
      REQUIRE(apart(t->d.rows, before, again.Lambda) <= 1e-9, "seed %d", k);
    }
    nsd_arena_release(&arena);
  }
  ck_assert_int_ge(found, cases * 9 / 10);
  free(t);
}
END_TEST

START_TEST(a_limit_of_rounds_is_kept_and_the_best_is_kept)
{
  touching *t = touching_new();
  random_state r = random_seed(3);
  make_touching(t, &r, 8, COULOMB);
  PATTERN_WORK(t);
  nsd_pattern_best best = nothing_yet(t);
  for (int i = 0; i < 8; i++) {
    w.states[i] = NSD_STATE_OPEN;
  }
  ck_assert(!nsd_pattern_newton(&w, &t->d, 1e-9, 1, 1, &best));
  ck_assert_int_eq(best.rounds, 1);
  ck_assert(best.verdict.residual < (double)INFINITY && best.verdict.residual > 0.0);
  /* Something better that stood there before stays. */
  best.verdict.residual *= 1e-6;
  const nsd_contact_verdict before = best.verdict;
  for (int i = 0; i < 8; i++) {
    w.states[i] = NSD_STATE_OPEN;
  }
  ck_assert(!nsd_pattern_newton(&w, &t->d, 1e-9, 1, 1, &best));
  ck_assert(best.verdict.residual == before.residual);
  nsd_arena_release(&arena);
  free(t);
}
END_TEST

START_TEST(what_overflows_is_said)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  lay_out(t, 1, 0);
  t->G[0] = 1e-200;
  t->c[0] = -1e200;
  PATTERN_WORK(t);
  w.states[0] = NSD_STATE_DOWN;
  ck_assert_int_eq(nsd_pattern_solve(&w, &t->d, w.states, t->Lambda), NSDYN_ERR_NOT_FINITE);
  nsd_pattern_best best = nothing_yet(t);
  ck_assert(!nsd_pattern_newton(&w, &t->d, 1e-9, 12, 12, &best));
  ck_assert(best.verdict.residual == (double)INFINITY);
  nsd_arena_release(&arena);
  free(t);
}
END_TEST

/* Factors that are kept give the bits that new ones would, for as long as G, the pattern and the slopes stay;
 * another of these is noticed. */
START_TEST(kept_factors_change_no_bit)
{
  touching *t = touching_new();
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, k % 12, k % 2 ? WITH_EVERY_LAW | WITH_STEEP : REDUNDANT);
    PATTERN_WORK(t);
    double kept[MOST_ROWS], fresh[MOST_ROWS];
    int32_t states[MOST_CONTACTS];
    int64_t edition = 1;
    for (int i = 0; i < t->d.contacts; i++) {
      states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATES));
    }
    for (int round = 0; round < 8; round++) {
      const int change = random_below(&r, 4);
      if (change == 1 && t->d.rows > 0) {
        const int i = random_below(&r, t->d.rows);
        *g_at(t, i, i) *= 1.5;
        edition++;
      } else if (change == 2 && t->d.contacts > 0) {
        const int i = random_below(&r, t->d.contacts);
        states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATES));
      } else if (change == 3 && t->d.contacts > 0) {
        const int i = random_below(&r, t->d.contacts);
        t->spec[i].mu *= 0.75;
      }
      for (int i = 0; i < t->d.rows; i++) {
        t->c[i] *= random_between(&r, 0.5, 1.0);
      }
      t->d.edition = edition;
      const nsdyn_status status = nsd_pattern_solve(&w, &t->d, states, kept);
      t->d.edition = 0;
      PATTERN_WORK_AGAIN(t);
      REQUIRE(nsd_pattern_solve(&again, &t->d, states, fresh) == status, "seed %d, round %d", k, round);
      REQUIRE(status || memcmp(kept, fresh, (size_t)t->d.rows * sizeof *kept) == 0, "seed %d, round %d", k,
              round);
      nsd_arena_release(&again_arena);
    }
    nsd_arena_release(&arena);
  }
  free(t);
}
END_TEST

/* One round says yes to solutions inside their states; where it says no, Newton's method goes on as if it had
 * begun itself. */
START_TEST(one_round_is_the_first_of_newtons_method)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  int found = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 12, k % 2 ? COULOMB : REDUNDANT);
    PATTERN_WORK(t);
    PATTERN_WORK_AGAIN(t);
    double Lambda[MOST_ROWS], xi[MOST_ROWS];
    nsd_pattern_best whole = {.Lambda = Lambda, .xi = xi, .verdict = {.residual = INFINITY, .row = -1}};
    nsd_pattern_best best = nothing_yet(t);
    int32_t states[MOST_CONTACTS];
    for (int i = 0; i < t->d.contacts; i++) {
      again.states[i] = states[i] = nsd_contact_admit(&t->spec[i], random_below(&r, NSD_STATE_LIFTED));
    }
    const int is_solved = nsd_pattern_newton(&again, &t->d, 1e-9, 12, 12, &whole);
    REQUIRE(!nsd_pattern_once(&w, &t->d, 1e-9, states) || whole.rounds == 1, "seed %d", k);
    if (w.is_tried) {
      REQUIRE(nsd_pattern_newton(&w, &t->d, 1e-9, 12, 12, &best) == is_solved, "seed %d", k);
      REQUIRE(best.rounds == whole.rounds, "seed %d: %d rounds, not %d", k, best.rounds, whole.rounds);
      REQUIRE(memcmp(best.Lambda, Lambda, (size_t)t->d.rows * sizeof *Lambda) == 0, "seed %d", k);
    }
    for (int i = 0; is_solved && i < t->d.contacts; i++) {
      states[i] = nsd_contact_vertex_state(&t->spec[i], Lambda, xi);
    }
    if (is_solved && nsd_pattern_once(&w, &t->d, 1e-9, states)) {
      found++;
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, w.Lambda, xi);
      REQUIRE(nsd_contact_is_solution(&v, 1e-13) && v.residual == w.verdict.residual, "seed %d", k);
      REQUIRE(!nsd_contact_project_all(&t->d, w.Lambda), "seed %d", k);
      for (int i = 0; i < t->d.contacts; i++) {
        REQUIRE(nsd_contact_vertex_state(&t->spec[i], w.Lambda, xi) == states[i], "seed %d", k);
      }
    }
    nsd_arena_release(&again_arena);
    nsd_arena_release(&arena);
  }
  ck_assert_msg(found >= cases / 2, "%d of %d", found, cases);
  free(t);
}
END_TEST

/* Impulses within the laws, strictly, with the states that they have. */
static void draw_impulses(const touching *t, random_state *r, int32_t *states, double *Lambda)
{
  for (int i = 0; i < t->d.contacts; i++) {
    const nsd_contact_spec *s = &t->spec[i];
    const int T = nsd_contact_tangent(s), is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
    states[i] = nsd_contact_admit(s, random_below(r, is_slot ? 2 : NSD_STATES));
    const int is_closed = nsd_state_is_closed(states[i]);
    Lambda[s->row] =
        is_closed ? random_between(r, 0.1, 1.0) * (is_slot && random_below(r, 2) ? -1.0 : 1.0) : 0.0;
    if (T >= 0) {
      const double limit = s->mu * fabs(Lambda[s->row]) + s->bound;
      Lambda[T] = nsd_state_sticks(states[i])
                      ? random_between(r, -0.9, 0.9) * limit
                      : nsd_state_factor(states[i]) * (s->mu * Lambda[s->row] + s->bound);
    }
  }
  for (int i = t->d.rows - t->d.bilateral; i < t->d.rows; i++) {
    Lambda[i] = random_normal(r);
  }
}

/* The largest difference of impulses that laws bound: those of constraints and of slots' normals are not, nor
 * is friction that goes with the latter. */
static double apart_in_laws(const touching *t, const int32_t *states, const double *a, const double *b)
{
  double most = 0.0, size = 0.0;
  for (int i = 0; i < t->d.contacts; i++) {
    const nsd_contact_spec *s = &t->spec[i];
    for (int row = s->row; row <= s->row + (nsd_contact_tangent(s) >= 0); row++) {
      const int is_free =
          s->kind == NSDYN_CONTACT_BILATERAL && (row == s->row || !nsd_state_sticks(states[i]));
      most = fmax(most, is_free ? 0.0 : fabs(a[row] - b[row]));
      size = fmax(size, fmax(fabs(a[row]), fabs(b[row])));
    }
  }
  return size > 0.0 ? most / size : most;
}

/* Of redundant contacts, any impulses that solve the problem go to some which the pattern's own system gives,
 * as the only ones; they solve it as well, and obey the laws. */
START_TEST(a_vertex_has_the_impulses_of_its_pattern)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  int moved = 0, differ = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 10, REDUNDANT | WITH_EVERY_LAW);
    PATTERN_WORK(t);
    int32_t states[MOST_CONTACTS];
    double Lambda[MOST_ROWS], own[MOST_ROWS];
    draw_impulses(t, &r, states, Lambda);
    for (int i = 0; i < t->d.rows; i++) { /* ξ = G Λ + c = 0 */
      t->c[i] = 0.0;
      for (int j = 0; j < t->d.rows; j++) {
        t->c[i] -= *g_at(t, i, j) * Lambda[j];
      }
    }
    const double size = size_of(t, Lambda);
    REQUIRE(nsd_pattern_solve(&w, &t->d, states, own) == NSDYN_OK, "seed %d", k);
    differ += apart_in_laws(t, states, Lambda, own) > 1e-6;
    moved += nsd_pattern_to_vertex(&w, &t->d, states, Lambda);
    REQUIRE(broken(t, states, Lambda) <= 1e-8 * size, "seed %d: %g of %g", k, broken(t, states, Lambda),
            size);
    memcpy(own, Lambda, sizeof own);
    nsd_contact_project_all(&t->d, own);
    REQUIRE(apart(t->d.rows, Lambda, own) <= 1e-12, "seed %d: off its laws by %g", k,
            apart(t->d.rows, Lambda, own));
    REQUIRE(nsd_pattern_solve(&w, &t->d, states, own) == NSDYN_OK, "seed %d", k);
    REQUIRE(apart_in_laws(t, states, Lambda, own) <= 1e-6, "seed %d: the pattern's are off by %g", k,
            apart_in_laws(t, states, Lambda, own));
    nsd_arena_release(&arena);
  }
  ck_assert_msg(moved >= cases / 2 && differ >= cases / 2, "%d moved, %d to be", moved, differ);
  free(t);
}
END_TEST

SUITE("contact/planar/pattern", TEST(the_equations_of_any_pattern_hold), TEST(redundant_equations_hold_too),
      TEST(newton_finds_solutions_and_keeps_them), TEST(a_limit_of_rounds_is_kept_and_the_best_is_kept),
      TEST(what_overflows_is_said), TEST(kept_factors_change_no_bit),
      TEST(one_round_is_the_first_of_newtons_method), TEST(a_vertex_has_the_impulses_of_its_pattern))
