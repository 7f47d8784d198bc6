/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

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
        const double rest = nsd_inertia_dot(nu, M + j * nu, x) - scene->directions.W[i * nu + j];
        REQUIRE(fabs(rest) <= 1e-11, "seed %d: row %d is off by %g", seed, i, rest);
      }
      for (int j = 0; j < rows; j++) {
        const double expected = nsd_inertia_dot(nu, x, scene->directions.W + j * nu);
        REQUIRE(fabs(scene->problem.G[i * rows + j] - expected) <= 1e-11, "seed %d: G_%d,%d", seed, i, j);
        REQUIRE(scene->problem.G[i * rows + j] == scene->problem.G[j * rows + i], "seed %d: G_%d,%d", seed, i,
                j);
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
  ck_assert(scene->closed.count == 3 && scene->closed.known == 2 && scene->closed.contact_rows == 5 &&
            scene->closed.rows == 6);
  static const struct {
    int index, row, rows;
    double gap;
  } expected[] = {{0, 0, 2, -1.0}, {2, 2, 1, -2.0}, {-1, 3, 2, -3.0}};
  for (int k = 0; k < 3; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    ck_assert(c->index == expected[k].index && c->row == expected[k].row && c->rows == expected[k].rows);
    ck_assert(c->gap == expected[k].gap);
  }
  const double W[24] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1};
  ck_assert_mem_eq(scene->directions.W, W, sizeof W);
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
    ck_assert_int_eq(scene->closed.count, 0);
    ck_assert_int_eq(nsd_history_reserve(&s->history, 1), NSDYN_OK);
    const int32_t trace = nsd_trace(NSDYN_MODE_STICK, 1);
    ck_assert(found ? nsd_history_add_found(&s->history, 0, trace)
                    : nsd_history_add_known(&s->history, 0, trace));
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, near, 1e-12, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->closed.count, 1);
    ck_assert_int_eq(nsd_scene_look(scene, 0.0, far, 1e-12, &s->fault), NSDYN_OK);
    ck_assert_int_eq(scene->closed.count, 0);
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

/* A row of balls, each of which touches the next one, and the last one a wall, but for the rounding of their
 * gaps; nothing presses them. */
enum { BALLS = 4 };

typedef struct ball_row {
  double width[BALLS], m[BALLS];
} ball_row;

static int row_mass(void *user, double t, const double *q, double *M)
{
  const ball_row *r = user;
  (void)t, (void)q;
  for (int j = 0; j < BALLS; j++) {
    M[j * (BALLS + 1)] = r->m[j];
  }
  return 0;
}

static double row_gap_of(const ball_row *r, const double *q, int i)
{
  return (i < BALLS - 1 ? q[i + 1] : 1.0) - q[i] - r->width[i];
}

static int row_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  for (int i = 0; i < BALLS; i++) {
    g[i] = row_gap_of(user, q, i);
  }
  return 0;
}

static int row_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[i] = -1.0;
  if (i < BALLS - 1) {
    W[i + 1] = 1.0;
  }
  return 0;
}

static int row_find(void *user, double t, const double *q, const double *u, double margin,
                    nsdyn_contact_sink *sink)
{
  (void)u;
  int code = 0;
  for (int i = 0; i < BALLS && code == 0; i++) {
    double W[2 * BALLS] = {0.0}, w_hat[2] = {0.0, 0.0};
    nsdyn_found_contact c;
    (void)row_direction(user, t, q, i, W, w_hat);
    const nsdyn_contact_block block = {.count = BALLS, .values = W};
    nsdyn_found_contact_init(&c, sizeof c);
    c.key = i;
    c.gap = row_gap_of(user, q, i);
    c.blocks = 1;
    c.block = &block;
    code = c.gap > margin ? 0 : nsdyn_contact_sink_add(sink, &c);
  }
  return code;
}

/* A row at rest, but for the first ball, which comes from afar. Returns how many gaps rounding has opened. */
static int place_row(ball_row *r, random_state *random, double *q)
{
  int open = 0;
  double x = 1.0;
  for (int i = BALLS - 1; i >= 0; i--) {
    r->m[i] = random_between(random, 0.2, 3.0);
    r->width[i] = random_between(random, 0.05, 0.2);
    x -= r->width[i];
    q[i] = i ? x : x - random_between(random, 0.005, 0.01);
    open += i && row_gap_of(r, q, i) > 0.0;
  }
  return open;
}

/* It hits all of them at once: it comes back, and they stay. One after the other they would come back too. */
START_TEST(what_touches_takes_part)
{
  const int cases = random_cases(200);
  int open = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    ball_row r;
    double q[BALLS];
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_stepper_options options = stepper_defaults();
    nsdyn_system_def_init(&def, sizeof def);
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = 0.5;
    def.nq = def.nu = BALLS;
    def.user = &r;
    def.mass = row_mass;
    def.flags = random_below(&random, 2) ? NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS : 0;
    const int is_found = random_below(&random, 2);
    def.find = is_found ? row_find : NULL;
    def.ncontacts = is_found ? 0 : BALLS;
    def.gap = is_found ? NULL : row_gap;
    def.direction = is_found ? NULL : row_direction;
    options.project = random_below(&random, 2);
    open += place_row(&r, &random, q);
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    set_state(s, q, (double[]){1.0, 0.0, 0.0, 0.0});
    run(s, 2e-4, 100);
    for (int j = 0; j < BALLS; j++) {
      REQUIRE(fabs(nsdyn_stepper_u(s)[j] + (j ? 0.0 : 0.5)) < 1e-9, "seed %d: u[%d] = %g", seed, j,
              nsdyn_stepper_u(s)[j]);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(open, cases / 4);
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
    assembled += (int)fresh->scene.problem.G_edition;
    anew += (int)kept->scene.problem.G_edition;
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
      TEST(rows_stand_in_order), TEST(what_pressed_is_not_let_go_by_rounding),
      TEST(contacts_have_a_normal_direction), TEST(what_touches_takes_part), TEST(infinite_gaps_are_open),
      TEST(what_is_kept_changes_no_bit), TEST(gaps_that_cannot_be_are_named))
