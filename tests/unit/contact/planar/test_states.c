/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/states.h"

#include "nsdyn/setvalued.h"
#include "touching.h"

static unsigned states_of(int32_t kind, int32_t friction, double value, int sliding)
{
  nsd_contact_spec s = {.kind = kind, .friction = friction, .sliding = sliding};
  *(friction == NSD_FRICTION_GIVEN ? &s.bound : &s.mu) = value;
  return nsd_contact_states(&s);
}

START_TEST(a_law_knows_its_states)
{
  enum { U = NSDYN_CONTACT_UNILATERAL, B = NSDYN_CONTACT_BILATERAL };
  enum { NONE = NSD_FRICTION_NONE, LOAD = NSD_FRICTION_LOAD, GIVEN = NSD_FRICTION_GIVEN };
  ck_assert_uint_eq(states_of(U, LOAD, 0.5, 0), 0x0f);
  ck_assert_uint_eq(states_of(U, LOAD, 0.0, 0), 0x05);
  ck_assert_uint_eq(states_of(U, NONE, 0.0, 0), 0x05);
  ck_assert_uint_eq(states_of(U, LOAD, 0.5, 1), 0x05);
  ck_assert_uint_eq(states_of(U, LOAD, 0.5, -1), 0x09);
  ck_assert_uint_eq(states_of(U, GIVEN, 0.5, 0), 0xee);
  ck_assert_uint_eq(states_of(U, GIVEN, 0.5, -1), 0x88);
  ck_assert_uint_eq(states_of(U, GIVEN, 0.0, 0), 0x05);
  ck_assert_uint_eq(states_of(B, LOAD, 0.5, 0), 0x0e);
  ck_assert_uint_eq(states_of(B, LOAD, 0.0, 0), 0x04);
  ck_assert_uint_eq(states_of(B, NONE, 0.0, 0), 0x04);
  ck_assert_uint_eq(states_of(B, LOAD, 0.5, 1), 0x0c); /* Λ_N has two signs */
  ck_assert_uint_eq(states_of(B, GIVEN, 0.5, 1), 0x04);
  ck_assert_uint_eq(states_of(B, GIVEN, 0.5, 0), 0x0e);
}
END_TEST

START_TEST(any_state_is_admitted_as_one_that_the_law_knows)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const nsd_contact_spec s = random_spec(&r, WITH_EVERY_LAW | WITH_SLIDING);
    for (int32_t state = 0; state < NSD_STATES; state++) {
      const int32_t own = nsd_contact_admit(&s, state);
      REQUIRE(nsd_contact_states(&s) >> own & 1u, "seed %d, state %d", k, (int)state);
      if (nsd_contact_states(&s) >> state & 1u) {
        REQUIRE(own == state, "seed %d, state %d", k, (int)state);
      } else if (s.kind == NSDYN_CONTACT_UNILATERAL) {
        REQUIRE(nsd_state_is_closed(own) == nsd_state_is_closed(state), "seed %d, state %d", k, (int)state);
      }
    }
  }
}
END_TEST

START_TEST(projects_onto_what_the_law_allows)
{
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    nsd_contact_spec s = random_spec(&r, WITH_EVERY_LAW | WITH_SLIDING);
    const double N = random_below(&r, 5) ? random_normal(&r) : 0.0;
    const double T = random_normal(&r);
    double a = N;
    double b = T;
    nsd_contact_project(&s, &a, &b);
    const double wish = s.kind == NSDYN_CONTACT_BILATERAL ? N : nsdyn_half_line_prox(N);
    REQUIRE(a == wish, "seed %d", k);
    if (s.friction != NSD_FRICTION_NONE) {
      const double limit = s.friction == NSD_FRICTION_GIVEN ? s.bound : s.mu * fabs(a);
      REQUIRE(b == (s.sliding ? -s.sliding * limit : nsdyn_interval_prox(-limit, limit, T)), "seed %d", k);
    } else {
      REQUIRE(b == T, "seed %d", k);
    }
    a = NAN;
    nsd_contact_project(&s, &a, &b);
    REQUIRE(isnan(a), "seed %d", k);
  }
}
END_TEST

/* Where Λ solves the problem, and no law stands at its edge, the pattern of Λ and ξ, and that of Λ alone, is
 * the one that gave it. */
START_TEST(a_solution_keeps_its_pattern)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 3, WITH_EVERY_LAW | WITH_SLIDING);
    if (count_all(t, t->Lambda) == 0) {
      continue;
    }
    solved++;
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, t->xi);
    PATTERN_WORK(t);
    int32_t modes[MOST_CONTACTS];
    nsd_contact_read_modes(&t->d, t->Lambda, t->xi, v.speed, modes);
    for (int i = 0; i < t->d.contacts; i++) {
      const nsd_contact_spec *s = &t->spec[i];
      w.states[i] = nsd_contact_vertex_state(s, t->Lambda, t->xi);
      REQUIRE(nsd_contact_states(s) >> w.states[i] & 1u, "seed %d, contact %d: state %d", k, i,
              (int)w.states[i]);
      const int is_open = w.states[i] == NSD_STATE_OPEN;
      REQUIRE(is_open == (modes[i] == NSDYN_MODE_OPEN), "seed %d, contact %d", k, i);
      /* A slot's slip has the sign of ξ_T = −f sgn Λ_N. */
      if (nsd_contact_has_friction(s) && !s->sliding && modes[i] >= NSDYN_MODE_SLIP_PLUS) {
        const int is_pulled = s->friction == NSD_FRICTION_LOAD && t->Lambda[s->row] < 0.0;
        const int is_down = (w.states[i] & 3) == NSD_STATE_DOWN;
        REQUIRE(is_down != is_pulled ? modes[i] == NSDYN_MODE_SLIP_PLUS : modes[i] == NSDYN_MODE_SLIP_MINUS,
                "seed %d, contact %d", k, i);
      }
    }
    double again[MOST_ROWS];
    REQUIRE(nsd_pattern_solve(&w, &t->d, w.states, again) == NSDYN_OK, "seed %d", k);
    REQUIRE(apart(t->d.rows, again, t->Lambda) <= 1e-9, "seed %d: %g", k, apart(t->d.rows, again, t->Lambda));
    for (int i = 0; i < t->d.contacts; i++) {
      const int32_t next = nsd_contact_next_state(&t->d, &t->spec[i], again, t->xi);
      REQUIRE((nsd_contact_states(&t->spec[i]) >> next & 1u) != 0, "seed %d, contact %d", k, i);
    }
    nsd_arena_release(&arena);
  }
  ck_assert_int_gt(solved, cases / 2);
  free(t);
}
END_TEST

START_TEST(modes_are_told_apart_by_the_scale)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  lay_out(t, 1, 0);
  t->G[0] = t->G[3] = 0.25;
  const struct {
    double Lambda_N, xi_T;
    int32_t mode;
  } cases[] = {{0.0, 1.0, NSDYN_MODE_OPEN},           {3.9e-9, 1.0, NSDYN_MODE_OPEN},
               {4.1e-9, 1.0, NSDYN_MODE_SLIP_PLUS},   {1.0, 0.9e-9, NSDYN_MODE_STICK},
               {1.0, -0.9e-9, NSDYN_MODE_STICK},      {1.0, 1.1e-9, NSDYN_MODE_SLIP_PLUS},
               {1.0, -1.1e-9, NSDYN_MODE_SLIP_MINUS}, {1.0, 0.0, NSDYN_MODE_STICK}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int e = -200; e <= 200; e += 100) {
      const double Lambda[2] = {ldexp(cases[i].Lambda_N, e), 0.0};
      const double xi[2] = {0.0, ldexp(cases[i].xi_T, e)};
      int32_t mode;
      nsd_contact_read_modes(&t->d, Lambda, xi, ldexp(1.0, e), &mode);
      ck_assert_int_eq(mode, cases[i].mode);
    }
  }
  const double Lambda[2] = {0.0, 0.0};
  const double xi[2] = {0.0, -1.0};
  int32_t mode;
  t->spec[0].friction = NSD_FRICTION_GIVEN;
  t->spec[0].mu = 0.0;
  nsd_contact_read_modes(&t->d, Lambda, xi, 1.0, &mode);
  ck_assert_int_eq(mode, NSDYN_MODE_OPEN);
  t->spec[0].bound = 2.0; /* friction acts, open or not */
  nsd_contact_read_modes(&t->d, Lambda, xi, 1.0, &mode);
  ck_assert_int_eq(mode, NSDYN_MODE_SLIP_MINUS);
  t->spec[0].sliding = 1; /* nothing is asked of ξ_T */
  nsd_contact_read_modes(&t->d, Lambda, xi, 1.0, &mode);
  ck_assert_int_eq(mode, NSDYN_MODE_SLIP_PLUS);
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_BILATERAL};
  nsd_contact_read_modes(&t->d, Lambda, xi, 1.0, &mode);
  ck_assert_int_eq(mode, NSDYN_MODE_SLIP_MINUS);
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  const double pressed[2] = {1.0, 0.0};
  nsd_contact_read_modes(&t->d, pressed, xi, 1.0, &mode);
  ck_assert_int_eq(mode, NSDYN_MODE_STICK);
  free(t);
}
END_TEST

START_TEST(xi_is_zero_where_a_law_holds_it)
{
  touching *t = touching_new();
  for (int i = 0; i < 5; i++) {
    t->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  }
  t->spec[3].kind = NSDYN_CONTACT_BILATERAL;
  t->spec[4].sliding = 1;
  lay_out(t, 5, 1);
  for (int i = 0; i < 11; i++) {
    *g_at(t, i, i) = 1.0;
  }
  const double Lambda[11] = {0, 0, /* open */ 1, 0.1, /* sticks */ 1, -0.5, /* slides */ -1, 0.2, 1, 0.1, 7};
  double xi[11] = {2, 3, 1e-12, 1e-12, 1e-12, 4, 1e-12, 1e-12, 1e-12, 5, 1e-12};
  const double clean[11] = {2, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0};
  nsd_contact_clean_xi(&t->d, Lambda, xi);
  for (int i = 0; i < 11; i++) {
    ck_assert_msg(xi[i] == clean[i], "row %d", i);
  }
  /* A solution within the tolerance may press, or fall short of the limit of friction, by rounding only. */
  const double almost[11] = {1e-12, 0, 1, -0.5 + 1e-12};
  double moving[11] = {2, 3, 0, 4};
  nsd_contact_clean_xi(&t->d, almost, moving);
  ck_assert(moving[0] == 2.0 && moving[1] == 3.0 && moving[3] == 4.0);
  free(t);
}
END_TEST

SUITE("contact/planar/states", TEST(a_law_knows_its_states),
      TEST(any_state_is_admitted_as_one_that_the_law_knows), TEST(projects_onto_what_the_law_allows),
      TEST(a_solution_keeps_its_pattern), TEST(modes_are_told_apart_by_the_scale),
      TEST(xi_is_zero_where_a_law_holds_it))
