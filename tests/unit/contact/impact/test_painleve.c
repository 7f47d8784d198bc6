/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/painleve.h"

#include "contact/object.h"
#include "impacts.h"

/* A uniform rod of mass 1 and length 2 at angle θ to the floor, its lower end sliding to the left with speed
 * v: G is [1 + 3 c², −3 s c; −3 s c, 1 + 3 s²] (Stewart 2000, §1.2). Where (1 + 3 c²) < 3 μ s c its weight
 * has no answer. */
typedef struct rod {
  nsd_contact_spec spec;
  nsd_restitution restitution;
  nsd_contact_data data;
  double G[4], gamma[2], gamma_dot[2], Lambda[2], after[2];
} rod;

static void make_rod(rod *it, double theta, double mu, double v, double weight)
{
  const double s = sin(theta), c = cos(theta);
  *it = (rod){.spec = {.friction = NSD_FRICTION_LOAD, .mu = mu},
              .restitution = {.eps_n = 0.5},
              .G = {1.0 + 3.0 * c * c, -3.0 * s * c, -3.0 * s * c, 1.0 + 3.0 * s * s},
              .gamma = {0.0, -v},
              .gamma_dot = {-weight, 0.0}};
  it->data =
      (nsd_contact_data){.contacts = 1, .rows = 2, .ldg = 2, .spec = &it->spec, .G = it->G, .c = it->gamma};
}

static nsdyn_contact *new_solver(void)
{
  nsdyn_contact *s = NULL;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
  return s;
}

static nsdyn_status jam(nsdyn_contact *s, int32_t law, rod *it)
{
  return nsd_contact_impact_painleve(s, law, &it->data, &it->restitution, it->gamma_dot, it->Lambda,
                                     it->after);
}

/* Λ = −γ_T⁻ G⁻¹ e_T: it stops the slide, and nothing else; Newton's ε has nothing to multiply. */
START_TEST(one_contact_jams_at_its_closed_form)
{
  nsdyn_contact *s = new_solver();
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double theta = random_between(&r, 0.9, 1.3);
    const double edge = (1.0 + 3.0 * cos(theta) * cos(theta)) / (3.0 * sin(theta) * cos(theta));
    const double v = random_scale(&r, 3.0);
    rod it;
    make_rod(&it, theta, edge * random_between(&r, 1.001, 2.0), v, random_scale(&r, 3.0));
    const double det = it.G[0] * it.G[3] - it.G[1] * it.G[1];
    const double N = -it.G[1] * v / det, T = it.G[0] * v / det;
    REQUIRE(jam(s, NSDYN_IMPACT_NEWTON, &it) == NSDYN_OK, "seed %d: %s", k, nsdyn_contact_message(s));
    REQUIRE(N > 0.0 && fabs(it.Lambda[0] - N) <= 1e-12 * N && fabs(it.Lambda[1] - T) <= 1e-12 * T,
            "seed %d: (%g, %g), not (%g, %g)", k, it.Lambda[0], it.Lambda[1], N, T);
    REQUIRE(it.after[0] == 0.0 && it.after[1] == 0.0, "seed %d: (%g, %g)", k, it.after[0], it.after[1]);
    REQUIRE(s->impact.report.energy < 0.0, "seed %d", k);
    /* Poisson gives back what it compressed, and the rod leaves the floor. */
    REQUIRE(jam(s, NSDYN_IMPACT_POISSON, &it) == NSDYN_OK, "seed %d", k);
    REQUIRE(it.after[0] > 0.0 && fabs(it.Lambda[0] - 1.5 * N) <= 1e-9 * N, "seed %d", k);
    REQUIRE(s->impact.report.energy < 0.0, "seed %d", k);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Below the edge the weight has its force, an open contact that lifts off needs none: no impulse. */
START_TEST(what_has_forces_does_not_jam)
{
  nsdyn_contact *s = new_solver();
  rod it;
  make_rod(&it, 1.1, 0.9, 2.0, 9.81);
  ck_assert_int_eq(jam(s, NSDYN_IMPACT_NEWTON, &it), NSDYN_OK);
  ck_assert(it.Lambda[0] == 0.0 && it.Lambda[1] == 0.0 && it.after[1] == -2.0);
  make_rod(&it, 1.1, 0.9, 2.0, -9.81);
  ck_assert_int_eq(jam(s, NSDYN_IMPACT_NEWTON, &it), NSDYN_OK);
  ck_assert(it.Lambda[0] == 0.0 && it.Lambda[1] == 0.0);
  make_rod(&it, 1.1, 2.0, 0.0, 9.81); /* at rest */
  ck_assert_int_eq(jam(s, NSDYN_IMPACT_POISSON, &it), NSDYN_OK);
  ck_assert(it.Lambda[0] == 0.0 && it.Lambda[1] == 0.0);
  make_rod(&it, 1.1, 2.0, 2.0, 0.0); /* no forces */
  ck_assert_int_eq(jam(s, NSDYN_IMPACT_POISSON, &it), NSDYN_OK);
  ck_assert(it.Lambda[0] == 0.0 && it.Lambda[1] == 0.0);
  nsdyn_contact_free(s);
}
END_TEST

/* The pattern that holds at τ = 0 with Λ = 0 is told from the limit: open, or slipping without load. */
START_TEST(patterns_that_end_before_time_begins_are_refused)
{
  double room[8];
  nsd_painleve_work w = {room, room + 2, room + 4, room + 6};
  int32_t states[1];
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_pattern_work pattern;
  nsd_pattern_lay_out(&measure, &pattern, 1, 2);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_pattern_lay_out(&arena, &pattern, 1, 2);
  rod it;
  make_rod(&it, 1.1, 2.0, 2.0, 9.81);
  const struct {
    int32_t state;
    nsdyn_status status;
  } expected[] = {{NSDYN_MODE_OPEN, NSDYN_NO_SOLUTION},
                  {NSDYN_MODE_SLIP_MINUS, NSDYN_NO_SOLUTION},
                  {NSDYN_MODE_SLIP_PLUS, NSDYN_NO_SOLUTION},
                  {NSDYN_MODE_STICK, NSDYN_OK}};
  for (int k = 0; k < 4; k++) {
    states[0] = expected[k].state;
    ck_assert_int_eq(nsd_painleve_limit(&w, &pattern, &it.data, it.gamma_dot, states), expected[k].status);
  }
  make_rod(&it, 1.1, 0.9, 2.0, 9.81); /* it slides on */
  states[0] = NSDYN_MODE_SLIP_MINUS;
  ck_assert_int_eq(nsd_painleve_limit(&w, &pattern, &it.data, it.gamma_dot, states), NSDYN_OK);
  ck_assert(w.Lambda_0[0] == 0.0 && w.Lambda_1[0] > 0.0);
  states[0] = NSDYN_MODE_STICK;
  ck_assert_int_eq(nsd_painleve_limit(&w, &pattern, &it.data, it.gamma_dot, states), NSDYN_NO_SOLUTION);
  nsd_arena_release(&arena);
}
END_TEST

/* Whether Λ_0 + τ Λ_1 solves the problem at small τ. */
static int is_limit(const nsdyn_contact *s, const nsd_contact_data *data, const double *gamma_dot)
{
  int holds = 0;
  for (int step = 2; step <= 8; step++) {
    double c[MOST_ROWS], Lambda[MOST_ROWS];
    const double tau = pow(10.0, -step);
    for (int i = 0; i < data->rows; i++) {
      c[i] = data->c[i] + tau * gamma_dot[i];
      Lambda[i] = s->impact.jam.Lambda_0[i] + tau * s->impact.jam.Lambda_1[i];
    }
    nsd_contact_data later = *data;
    later.c = c;
    const nsd_contact_verdict v = nsd_contact_judge(&later, Lambda, NULL);
    holds = v.residual <= 1e-9 * v.scale ? holds + 1 : 0;
  }
  return holds > 0; /* from some τ down to the smallest */
}

/* Several sliding contacts: the limit solves the problem at τ = 0, and is what problems of small τ tend to.
 */
START_TEST(several_contacts_jam_at_the_limit)
{
  nsdyn_contact *s = new_solver();
  int jammed = 0;
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    mechanism m;
    make_mechanism(&m, &r, 2 + k % 3, HAS_FRICTION | (k & 1 ? HAS_BILATERAL : 0));
    double gamma_dot[MOST_ROWS], Lambda[MOST_ROWS], gamma[MOST_ROWS];
    memcpy(gamma_dot, m.gamma, sizeof gamma_dot);
    for (int i = 0; i < m.contacts; i++) {
      m.gamma[m.spec[i].row] = 0.0;
      m.spec[i].mu *= 3.0;
      gamma_dot[m.spec[i].row] = -fabs(gamma_dot[m.spec[i].row]);
    }
    nsd_contact_data data = mechanism_data(&m);
    const nsdyn_status status =
        nsd_contact_impact_painleve(s, NSDYN_IMPACT_NEWTON, &data, m.restitution, gamma_dot, Lambda, gamma);
    REQUIRE(status == NSDYN_OK, "seed %d: %d, %s", k, status, nsdyn_contact_message(s));
    const nsd_contact_verdict v = nsd_contact_judge(&data, Lambda, NULL);
    REQUIRE(v.residual <= 1e-9 * v.scale, "seed %d: %g of %g", k, v.residual, v.scale);
    int has_impulse = 0;
    for (int i = 0; i < m.contacts; i++) {
      has_impulse |= Lambda[m.spec[i].row] > 0.0;
    }
    jammed += has_impulse;
    REQUIRE(is_limit(s, &data, gamma_dot), "seed %d: no limit", k);
  }
  ck_assert_msg(jammed > cases / 50 && jammed < cases, "%d of %d", jammed, cases);
  nsdyn_contact_free(s);
}
END_TEST

/* Counting through all patterns finds a limit wherever there is one: contacts of every law, slots among them,
 * in one of which the load has the other sign. */
START_TEST(the_search_finds_a_limit_of_its_own)
{
  nsdyn_contact *s = new_solver();
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    mechanism m;
    make_mechanism(&m, &r, 1 + k % 3,
                   HAS_FRICTION | HAS_GIVEN | (k & 1 ? HAS_SLOTS : 0) | (k & 2 ? HAS_BILATERAL : 0));
    double gamma_dot[MOST_ROWS];
    for (int i = 0; i < m.rows; i++) {
      gamma_dot[i] = random_between(&r, -1.0, 1.0);
    }
    for (int i = 0; i < m.contacts; i++) {
      m.gamma[m.spec[i].row] = 0.0;
    }
    ck_assert_int_eq(nsd_contact_reserve_scratch(s, m.contacts, m.rows), NSDYN_OK);
    ck_assert_int_eq(nsd_impact_reserve(&s->impact, m.contacts, m.rows), NSDYN_OK);
    nsd_contact_data data = mechanism_data(&m);
    int32_t states[MOST_CONTACTS];
    const nsdyn_status status = nsd_painleve_search(&s->impact.jam, &s->pattern, &data, gamma_dot, states);
    /* Slots with much friction can have no solution at all. */
    REQUIRE(status == NSDYN_OK || (k & 1 && status == NSDYN_UNDECIDED), "seed %d: %d", k, status);
    if (status == NSDYN_OK) {
      REQUIRE(is_limit(s, &data, gamma_dot), "seed %d: no limit", k);
      REQUIRE(nsd_painleve_limit(&s->impact.jam, &s->pattern, &data, gamma_dot, states) == NSDYN_OK,
              "seed %d", k);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* A tip that nothing can move, pressed into the floor: no impulse helps, and the message says so. */
START_TEST(what_has_no_limit_is_not_decided)
{
  nsdyn_contact *s = new_solver();
  rod it;
  make_rod(&it, 1.1, 2.0, 2.0, 9.81);
  it.G[0] = it.G[1] = it.G[2] = 0.0;
  for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
    ck_assert_int_eq(jam(s, law, &it), NSDYN_UNDECIDED);
    ck_assert_str_eq(nsdyn_contact_message(s), "no impulses found that are a limit of vanishing time");
    ck_assert_int_eq(s->impact.report.status, NSDYN_UNDECIDED);
    ck_assert_int_eq(s->impact.report.half, NSDYN_IMPACT_COMPRESSION);
  }
  nsdyn_contact_free(s);
}
END_TEST

SUITE("contact/impact/painleve", TEST(the_search_finds_a_limit_of_its_own),
      TEST(what_has_no_limit_is_not_decided), TEST(one_contact_jams_at_its_closed_form),
      TEST(what_has_forces_does_not_jam), TEST(patterns_that_end_before_time_begins_are_refused),
      TEST(several_contacts_jam_at_the_limit))
