/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include <math.h>
#include <string.h>

#include "stepper/object.h"
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
    ck_assert_int_eq(scene->closed.count, contacts);
    ck_assert_int_eq(nsd_scene_direct(scene, 0.0, q, &s->fault), NSDYN_OK);
    ck_assert_int_eq(nsd_scene_assemble(scene, &s->inertia, 0.0, q, &s->fault), NSDYN_OK);
    const int rows = scene->closed.rows;
    for (int i = 0; i < rows; i++) {
      /* X, turned into M⁻¹ w, times M is w. */
      double x[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
      memcpy(x, scene->problem.X + i * nu, (size_t)nu * sizeof *x);
      if (s->inertia.factored) {
        nsd_inertia_backward(&s->inertia, x);
      }
      model_mass(&m, q, M);
      for (int j = 0; j < nu; j++) {
        const double rest = nsd_small_dot(nu, M + j * nu, x) - scene->directions.W[i * nu + j];
        REQUIRE(fabs(rest) <= 1e-11, "seed %d: row %d is off by %g", seed, i, rest);
      }
      for (int j = 0; j < rows; j++) {
        const double expected = nsd_small_dot(nu, x, scene->directions.W + j * nu);
        REQUIRE(fabs(scene->problem.G[i * rows + j] - expected) <= 1e-11, "seed %d: G_%d,%d", seed, i, j);
        REQUIRE(scene->problem.G[i * rows + j] == scene->problem.G[j * rows + i], "seed %d: G_%d,%d", seed, i,
                j);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A brake told as a contact that always touches, without a normal direction: it would never act. As a slot it
 * does. */
static int brake_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 2.0;
  return 0;
}

static int brake_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t, (void)q;
  g[0] = 0.0;
  return 0;
}

static int brake_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = 1.0;
  return 0;
}

static int brake_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  (void)u;
  const double W[2] = {0.0, 1.0};
  const nsdyn_contact_block block = {.count = 1, .values = W};
  nsdyn_found_contact c;
  (void)user, (void)t, (void)q, (void)margin;
  nsdyn_found_contact_init(&c, sizeof c);
  c.key = 5;
  c.blocks = 1;
  c.block = &block;
  return nsdyn_contact_sink_add(sink, &c);
}

START_TEST(contacts_have_a_normal_direction)
{
  for (int k = 0; k < 16; k++) {
    const int is_slot = k % 2, is_found = k / 2 % 2;
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_stepper_options options = stepper_defaults();
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.kind = is_slot ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
    law.friction = NSDYN_FRICTION_BOUND;
    law.bound = 1.0;
    def.nq = def.nu = 1;
    def.mass = brake_mass;
    def.flags = k / 4 % 2 ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0;
    def.find = is_found ? brake_find : NULL;
    def.ncontacts = !is_found;
    def.gap = is_found ? NULL : brake_gap;
    def.direction = is_found ? NULL : brake_direction;
    options.project = k / 8;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, (double[]){0.0}, (double[]){3.0});
    const nsdyn_status status = nsdyn_stepper_step(s, 0.1);
    if (is_slot) {
      REQUIRE(status == NSDYN_OK && fabs(nsdyn_stepper_u(s)[0] - 2.95) < 1e-12, "case %d: %s", k,
              nsdyn_stepper_message(s));
    } else {
      REQUIRE(status == NSDYN_ERR_INCONSISTENT &&
                  strstr(nsdyn_stepper_message(s), "NSDYN_CONTACT_BILATERAL") &&
                  strstr(nsdyn_stepper_message(s), is_found ? "contact with key 5" : "contact 0"),
              "case %d: %s: %s", k, nsdyn_status_name(status), nsdyn_stepper_message(s));
      ck_assert(nsdyn_stepper_u(s)[0] == 3.0 && nsdyn_stepper_time(s) == 0.0);
    }
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

SUITE("assembly/problem", TEST(the_delassus_matrix_is_what_it_says), TEST(contacts_have_a_normal_direction),
      TEST(rows_that_vanish_are_named))
