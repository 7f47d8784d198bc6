/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* event/last_impact.c, event/problem_text.c: what a driver tells of its last impact, its energy, the problem
 * it failed at; and what an observer sees. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event_models.h"

static nsdyn_event_energy energy_of(const driven *s)
{
  nsdyn_event_energy energy;
  ck_assert_int_eq(nsdyn_event_energy_init(&energy, sizeof energy), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_energy(s->driver, &energy), NSDYN_OK);
  return energy;
}

/* A unit mass falls from h and hits with v = √(2 g h): Poisson's halves are v and ε v, and ½ (1 − ε²) v² is
 * lost. */
START_TEST(a_balls_impact_is_told_in_halves)
{
  for (int k = 0; k < 40; k++) {
    random_state r = random_seed((uint64_t)k);
    points p = {.count = 2, .g = 9.81};
    const double eps = random_between(&r, 0.1, 0.9), h = random_between(&r, 0.1, 2.0),
                 v = sqrt(2.0 * p.g * h);
    const double q[4] = {0.0, 5.0 * h, 0.0, h}, u[4] = {0.0}, t_hit = v / p.g;
    driven s = points_scene(&p, 0.0, eps);
    s.options.impact = NSDYN_IMPACT_POISSON;
    scene_drive(&s, 0.0, q, u);
    nsdyn_impact_half half = {.size = sizeof half};
    nsdyn_impact_report report = {.size = sizeof report};
    ck_assert_int_eq(nsdyn_event_driver_impact_half(s.driver, NSDYN_IMPACT_EXPANSION, &half), NSDYN_OK);
    ck_assert(half.rows == 0 && half.contacts == 0);
    scene_advance(&s, 1.1 * t_hit);
    int32_t contact;
    int64_t key;
    for (int32_t kind = NSDYN_IMPACT_COMPRESSION; kind <= NSDYN_IMPACT_EXPANSION; kind++) {
      const double expected = kind == NSDYN_IMPACT_COMPRESSION ? v : eps * v;
      ck_assert_int_eq(nsdyn_event_driver_impact_half(s.driver, kind, &half), NSDYN_OK);
      ck_assert(half.contacts == 1 && half.rows == 2);
      ck_assert_double_eq_tol(half.Lambda[0], expected, 1e-8 * v);
      ck_assert_double_eq_tol(half.gamma[0], kind == NSDYN_IMPACT_COMPRESSION ? 0.0 : eps * v, 1e-8 * v);
    }
    ck_assert_int_eq(nsdyn_event_driver_impact_contact(s.driver, 0, &contact, &key), NSDYN_OK);
    ck_assert(contact == 1 && key == 1);
    ck_assert_int_eq(nsdyn_event_driver_impact_contact(s.driver, 1, &contact, &key), NSDYN_ERR_ARGUMENT);
    ck_assert_int_eq(nsdyn_event_driver_impact_report(s.driver, &report), NSDYN_OK);
    ck_assert(report.status == NSDYN_OK && report.law == NSDYN_IMPACT_POISSON);
    const double lost = 0.5 * (1.0 - eps * eps) * v * v, fall = 0.1 * v;
    ck_assert_double_eq_tol(report.energy, -lost, 1e-8 * v * v);
    const nsdyn_event_energy energy = energy_of(&s);
    const double up = eps * v - fall, down = v + fall;
    ck_assert(energy.known == 1);
    ck_assert_double_eq_tol(energy.impacts, -lost, 1e-8 * v * v);
    ck_assert_double_eq_tol(energy.kinetic, 0.5 * (up * up + down * down), 1e-8 * v * v);
    ck_assert_int_eq(nsdyn_event_driver_set_state(s.driver, 0.0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_impact_half(s.driver, 0, &half), NSDYN_OK);
    ck_assert(half.rows == 0 && energy_of(&s).impacts == 0.0);
    scene_end(&s);
  }
}
END_TEST

/* ---- what an observer sees ----------------------------------------------------------------------------- */

typedef struct seen {
  int records, marked, instants;
  int64_t group;
  double t, u[4];
} seen;

static int watch(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  seen *w = user;
  const double *u = nsdyn_event_driver_u(driver);
  w->instants += w->records == 0 || event->group != w->group;
  REQUIRE(w->records == 0 || event->group != w->group || memcmp(u, w->u, sizeof w->u) == 0, "two states");
  w->group = event->group;
  memcpy(w->u, u, sizeof w->u);
  w->records++;
  w->marked += event->last;
  return 0;
}

/* Two masses that hit at the same time: an instant with two records, one of which is the last. */
START_TEST(one_record_of_an_instant_is_its_last)
{
  seen w = {0};
  points p = {.count = 2, .g = 9.81};
  driven s = points_scene(&p, 0.2, 0.5);
  const double q[4] = {0.0, 1.0, 3.0, 1.0}, u[4] = {0.3, 0.0, 0.0, 0.0};
  nsdyn_event_driver_free(s.driver);
  s.options.observe = watch;
  s.options.user = &w;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.0);
  ck_assert_int_gt(w.instants, 1);
  ck_assert_int_eq(w.marked, w.instants);
  ck_assert_int_gt(w.records, w.marked);
  int marked = 0;
  for (int k = 0; k < events_of(&s); k++) {
    const nsdyn_event event = event_of(&s, k);
    marked += event.last;
    ck_assert(!event.last || k + 1 == events_of(&s) || event_of(&s, k + 1).group != event.group);
  }
  ck_assert_int_eq(marked, w.marked);
  scene_end(&s);
}
END_TEST

/* ---- found contacts ------------------------------------------------------------------------------------ */

static int floor_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const double up[2] = {0.0, 1.0};
  const nsdyn_contact_block whole = {0, 2, up};
  nsdyn_found_contact found;
  (void)user, (void)t, (void)u, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = -42;
  found.gap = q[1];
  found.blocks = 1;
  found.block = &whole;
  return nsdyn_contact_sink_add(sink, &found);
}

START_TEST(a_found_contact_is_told_by_its_key)
{
  points p = {.count = 1, .g = 9.81};
  nsdyn_system_def def = table(2, 0, &p);
  def.mass = points_mass;
  def.force = points_force;
  def.find = floor_find;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.0, 0.0);
  int32_t number, contact;
  int64_t key;
  law.friction = NSDYN_FRICTION_NONE;
  ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &number), NSDYN_OK);
  const double q[2] = {0.0, 0.5}, u[2] = {0.0, 0.0};
  nsdyn_contact_state state = {.size = sizeof state};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.1);
  ck_assert_int_eq(nsdyn_event_driver_found_contact(s.driver, -42, &state), NSDYN_OK);
  ck_assert(state.active == 0 && state.key == -42 && state.index == -1);
  scene_advance(&s, 1.0);
  ck_assert_int_eq(nsdyn_event_driver_found_contact(s.driver, -42, &state), NSDYN_OK);
  ck_assert(state.active == 1 && state.rows == 1);
  ck_assert_double_eq_tol(state.force[0], 9.81, 1e-9);
  ck_assert_int_eq(nsdyn_event_driver_found_contact(s.driver, 0, &state), NSDYN_OK);
  ck_assert_int_eq(state.active, 0);
  ck_assert_int_eq(nsdyn_event_driver_impact_contact(s.driver, 0, &contact, &key), NSDYN_OK);
  ck_assert(contact == -1 && key == -42);
  ck_assert_int_eq(nsdyn_event_driver_found_contact(NULL, 0, &state), NSDYN_ERR_ARGUMENT);
  scene_end(&s);
}
END_TEST

/* A struct without size is refused by name; before, the message was that of an earlier failure. */
START_TEST(a_struct_without_size_is_named)
{
  points p = {.count = 1, .g = 9.81};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, -1.0), NSDYN_ERR_ARGUMENT);
  nsdyn_event_energy energy = {.size = 0};
  ck_assert_int_eq(nsdyn_event_driver_energy(s.driver, &energy), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_str_eq(
      nsdyn_event_driver_message(s.driver),
      "nsdyn_event_energy: its size is 0, this library knows 32; call nsdyn_event_energy_init first");
  nsdyn_consistent_report report = {.size = 0};
  ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, &report), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_ptr_nonnull(
      strstr(nsdyn_event_driver_message(s.driver), "nsdyn_consistent_report: its size is 0"));
  scene_end(&s);
}
END_TEST

SUITE("event/last_impact", TEST(a_struct_without_size_is_named), TEST(a_balls_impact_is_told_in_halves),
      TEST(one_record_of_an_instant_is_its_last), TEST(a_found_contact_is_told_by_its_key))
