/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include <math.h>

#include "stepper/object.h"
#include "stepping.h"

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

/* Nothing is infinitely deep, and a slot has no far away. */
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

SUITE("assembly/closed", TEST(what_pressed_is_not_let_go_by_rounding), TEST(what_touches_takes_part),
      TEST(infinite_gaps_are_open), TEST(gaps_that_cannot_be_are_named))
