/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scene.h"

#include <math.h>
#include <string.h>

#include "stepper/stepper.h"
#include "stepping.h"

/* G is W M⁻¹ Wᵀ, symmetric to the bit, whichever way it is computed. */
START_TEST(the_delassus_matrix_is_what_it_says)
{
  const int cases = random_cases(300);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, MODEL_MOST);
    const int contacts = random_below(&random, 2) ? random_below(&random, 4) : random_below(&random, 40);
    model m;
    model_random(&m, &random, nu, contacts / 2, contacts - contacts / 2, nu > 3);
    for (int i = 0; i < contacts; i++) {
      m.contact[i].g0 = -10.0;
      m.contact[i].law.friction = i % 3 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
    }
    double q[MODEL_MOST] = {0.1};
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 2 ? MODEL_SOLVES : 0, NULL);
    nsd_scene *scene = &s->scene;
    ck_assert_int_eq(nsd_inertia_update(&s->inertia, &s->sys->def, 0.0, q, &s->fault), NSDYN_OK);
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, q, 0.0, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->contacts, contacts);
    ck_assert_int_eq(nsd_scene_direct(scene, 0.0, q, &s->fault), NSDYN_OK);
    ck_assert_int_eq(nsd_scene_assemble(scene, &s->inertia, 0.0, q, &s->fault), NSDYN_OK);
    const int rows = scene->rows;
    for (int i = 0; i < rows; i++) {
      /* X, turned into M⁻¹ w, times M is w. */
      double x[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
      memcpy(x, scene->X + i * nu, (size_t)nu * sizeof *x);
      if (s->inertia.factored) {
        nsd_inertia_backward(&s->inertia, x);
      }
      model_mass(&m, q, M);
      for (int j = 0; j < nu; j++) {
        const double rest = nsd_inertia_dot(nu, M + j * nu, x) - scene->W[i * nu + j];
        REQUIRE(fabs(rest) <= 1e-11, "seed %d: row %d is off by %g", seed, i, rest);
      }
      for (int j = 0; j < rows; j++) {
        const double expected = nsd_inertia_dot(nu, x, scene->W + j * nu);
        REQUIRE(fabs(scene->G[i * rows + j] - expected) <= 1e-11, "seed %d: G_%d,%d", seed, i, j);
        REQUIRE(scene->G[i * rows + j] == scene->G[j * rows + i], "seed %d: G_%d,%d", seed, i, j);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Rows stand contact by contact, as their laws say. */
START_TEST(rows_stand_in_order)
{
  model m;
  model_clear(&m, 4);
  model_add_contact(&m, -1.0, 0, 1, 0.5, 0.0);
  model_add_contact(&m, 1.0, 0, 1, 0.5, 0.0); /* open */
  model_add_contact(&m, -2.0, 1, -1, 0.0, 0.0);
  model_add_contact(&m, -3.0, 2, 3, 0.0, 0.0);
  m.known = 3;
  m.contact[3].key = 9;
  m.constraints = 1;
  m.constraint[0].n[3] = 1.0;
  const double q[4] = {0.0};
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  nsd_scene *scene = &s->scene;
  ck_assert_int_eq(nsd_scene_look(scene, 0.0, q, 0.0, &s->fault), NSDYN_OK);
  ck_assert_int_eq(nsd_scene_direct(scene, 0.0, q, &s->fault), NSDYN_OK);
  ck_assert(scene->contacts == 3 && scene->known == 2 && scene->contact_rows == 5 && scene->rows == 6);
  static const struct {
    int index, row, rows;
    double gap;
  } expected[] = {{0, 0, 2, -1.0}, {2, 2, 1, -2.0}, {-1, 3, 2, -3.0}};
  for (int k = 0; k < 3; k++) {
    const nsd_closed *c = &scene->closed[k];
    ck_assert(c->index == expected[k].index && c->row == expected[k].row && c->rows == expected[k].rows);
    ck_assert(c->gap == expected[k].gap);
  }
  const double W[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
  ck_assert_mem_eq(scene->W, W, sizeof W);
  nsdyn_stepper_free(s);
}
END_TEST

/* What pressed is still closed at a gap of rounding size; what did not, is not; nor what is farther. */
START_TEST(what_pressed_is_not_let_go_by_rounding)
{
  for (int found = 0; found < 2; found++) {
    model m;
    model_clear(&m, 1);
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.0);
    m.known = !found;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    nsd_scene *scene = &s->scene;
    const double near[1] = {1e-15}, far[1] = {2e-12};
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, near, 1e-12, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->contacts, 0);
    ck_assert_int_eq(nsd_memory_reserve(&s->memory, 1), NSDYN_OK);
    const int32_t trace = nsd_trace(NSDYN_MODE_STICK, 1);
    ck_assert(found ? nsd_memory_add_found(&s->memory, 0, trace)
                    : nsd_memory_add_known(&s->memory, 0, trace));
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, near, 1e-12, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->contacts, 1);
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, far, 1e-12, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->contacts, 0);
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(infinite_gaps_are_open)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, INFINITY, 0, -1, 0.0, 0.0);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  run(s, 0.1, 1);
  ck_assert_int_eq(nsdyn_stepper_active(s), 0);
  ck_assert(state_of(s, 0).gap == INFINITY);
  nsdyn_stepper_free(s);
}
END_TEST

/* Constants that are kept from step to step, and with them W, G and its factors, change no bit: contacts
 * open, close and change their laws. */
START_TEST(what_is_kept_changes_no_bit)
{
  enum { STEPS = 150 };
  const int cases = random_cases(150);
  int assembled = 0, anew = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, MODEL_MOST),
              contacts = 1 + random_below(&random, nu > 4 ? 6 : 3);
    model m;
    model_random(&m, &random, nu, contacts, seed % 5 == 4, seed % 7 == 6 && nu > 4);
    memset(m.s, 0, sizeof m.s);
    double q[MODEL_MOST], u[MODEL_MOST];
    for (int i = 0; i < m.contacts; i++) {
      m.contact[i].bend = 0.0;
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_stepper *kept = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, NULL);
    nsdyn_stepper *fresh = stepper_of(&m, 0, 0, NULL);
    set_state(kept, q, u);
    set_state(fresh, q, u);
    for (int k = 0; k < STEPS; k++) {
      const int is_impact = k % 7 == 6; /* of contacts at rest, too, which go on being held */
      const nsdyn_status status = is_impact ? nsdyn_stepper_impact(kept) : nsdyn_stepper_step(kept, 5e-3);
      const nsdyn_status same = is_impact ? nsdyn_stepper_impact(fresh) : nsdyn_stepper_step(fresh, 5e-3);
      REQUIRE(status == same, "seed %d, step %d", seed, k);
      REQUIRE(memcmp(nsdyn_stepper_u(kept), nsdyn_stepper_u(fresh), (size_t)nu * sizeof *u) == 0,
              "seed %d, step %d", seed, k);
      if (status || k % 16 == 15) {
        const int i = random_below(&random, contacts);
        nsdyn_contact_law law = m.contact[i].law;
        law.friction = random_below(&random, 2) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
        law.mu = law.friction ? random_unit(&random) : 0.0;
        law.mu_static = law.bound = 0.0;
        law.curve = NULL;
        law.eps_t = law.friction ? law.eps_t : 0.0;
        REQUIRE(nsdyn_system_set_contact(kept->sys, i, &law) == NSDYN_OK, "seed %d", seed);
        REQUIRE(nsdyn_system_set_contact(fresh->sys, i, &law) == NSDYN_OK, "seed %d", seed);
      }
    }
    assembled += (int)fresh->scene.G_edition;
    anew += (int)kept->scene.G_edition;
    nsdyn_stepper_free(kept);
    nsdyn_stepper_free(fresh);
  }
  ck_assert_msg(anew > 0 && anew < assembled, "%d of %d", anew, assembled);
}
END_TEST

/* But nothing is infinitely deep, and a slot has no far away. */
START_TEST(gaps_that_cannot_be_are_named)
{
  for (int is_slot = 0; is_slot < 2; is_slot++) {
    model m;
    model_clear(&m, 1);
    model_add_contact(&m, 1.0, 0, -1, 0.0, 0.0);
    model_add_contact(&m, is_slot ? INFINITY : -INFINITY, 0, -1, 0.0, 0.0);
    m.contact[1].law.kind = is_slot ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    ck_assert_int_eq(nsdyn_stepper_step(s, 0.1), NSDYN_ERR_NOT_FINITE);
    ck_assert_str_eq(nsdyn_stepper_message(s), is_slot ? "callback gap, contact 1: its gap is inf"
                                                       : "callback gap, contact 1: its gap is -inf");
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A row whose product with itself is zero, or has no digits left, is no row of zeros: it is named. */
START_TEST(rows_that_vanish_are_named)
{
  for (int k = 0; k < 2 * 2 * 2; k++) {
    model m;
    model_clear(&m, 2);
    m.f[1] = -9.81;
    model_add_contact(&m, 0.0, 1, 0, 0.3, 0.0);
    model_add_contact(&m, 0.0, 1, 0, 0.3, 0.0);
    const double small = k % 2 ? 1e-200 : 1e-158;
    const int row = k / 2 % 2;
    for (int j = 0; j < 2; j++) {
      *(row ? &m.contact[1].tangent[j] : &m.contact[1].n[j]) *= small;
    }
    nsdyn_stepper *s = stepper_of(&m, k / 4 ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0, 0, NULL);
    set_state(s, (double[]){0.0, 0.0}, (double[]){0.5, -1.0});
    ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_ARGUMENT);
    const char *words = row ? "contact 1: W row 1 is so small" : "contact 1: W row 0 is so small";
    ck_assert_msg(strstr(nsdyn_stepper_message(s), words) != NULL, "%s", nsdyn_stepper_message(s));
    nsdyn_detail detail;
    nsdyn_detail_init(&detail, sizeof detail);
    ck_assert_int_eq(nsdyn_stepper_detail(s, &detail), NSDYN_OK);
    ck_assert(detail.kind == NSDYN_DETAIL_CONTACT && detail.index == 1);
    ck_assert(nsdyn_stepper_time(s) == 0.0 && nsdyn_stepper_u(s)[1] == -1.0);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("scene", TEST(rows_that_vanish_are_named), TEST(the_delassus_matrix_is_what_it_says),
      TEST(rows_stand_in_order), TEST(what_pressed_is_not_let_go_by_rounding), TEST(infinite_gaps_are_open),
      TEST(what_is_kept_changes_no_bit), TEST(gaps_that_cannot_be_are_named))
