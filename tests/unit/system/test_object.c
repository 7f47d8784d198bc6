/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/object.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nsdyn/event.h"
#include "nsdyn/stepper.h"
#include "stepping.h"
#include "support/callbacks.h"

static int destroyed;

static void count_destroyed(void *user)
{
  (void)user;
  destroyed++;
}

static nsdyn_system *small_system(int32_t contacts)
{
  static model m;
  model_clear(&m, 1);
  for (int32_t i = 0; i < contacts; i++) {
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.0);
  }
  nsdyn_system_def def = model_def(&m, 0, 0);
  nsdyn_system *sys;
  def.destroy_user = count_destroyed;
  destroyed = 0;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  return sys;
}

START_TEST(the_last_holder_destroys_the_user)
{
  nsdyn_system *sys = small_system(0);
  nsdyn_stepper *one, *two;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &one, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &two, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  nsdyn_stepper_free(one);
  ck_assert_int_eq(destroyed, 0);
  ck_assert_int_eq(nsdyn_stepper_step(two, 0.1), NSDYN_OK);
  nsdyn_stepper_free(two);
  ck_assert_int_eq(destroyed, 1);
  nsdyn_system_free(NULL);
}
END_TEST

START_TEST(a_new_that_fails_destroys_nothing)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_system_def_init(&def, sizeof def);
  def.destroy_user = count_destroyed;
  def.nu = def.nq = 1;
  destroyed = 0;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_new(NULL, NULL, &sys, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(sys);
  ck_assert_int_eq(destroyed, 0);
}
END_TEST

START_TEST(laws_are_checked_and_named)
{
  nsdyn_system *sys = small_system(3);
  nsdyn_contact_law law;
  nsdyn_detail detail;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.3;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 2, &law), NSDYN_OK);
  ck_assert_str_eq(nsdyn_system_message(sys), "");
  ck_assert(sys->laws[2].mu == 0.3 && sys->laws[1].mu == 0.0);
  law.eps_n = 1.4;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 2, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_system_message(sys), "contact 2") && strstr(nsdyn_system_message(sys), "1.4"),
                "%s", nsdyn_system_message(sys));
  nsdyn_detail_init(&detail, sizeof detail);
  ck_assert_int_eq(nsdyn_system_detail(sys, &detail), NSDYN_OK);
  ck_assert(detail.kind == NSDYN_DETAIL_CONTACT && detail.index == 2);
  ck_assert(sys->laws[2].eps_n == 0.0);
  law.eps_n = NAN;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 3, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_system_message(sys), "contact 3"), "%s", nsdyn_system_message(sys));
  ck_assert_int_eq(nsdyn_system_set_contact(sys, -1, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, NULL), NSDYN_ERR_ARGUMENT);
  law.size = 3;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(laws_of_found_contacts_are_numbered)
{
  nsdyn_system *sys = small_system(0);
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  int32_t number;
  for (int32_t i = 0; i < 21; i++) {
    law.mu = i;
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    ck_assert_int_eq(number, i);
  }
  law.mu = 99.0;
  ck_assert_int_eq(nsdyn_system_set_law(sys, 4, &law), NSDYN_OK);
  for (int32_t i = 0; i < 21; i++) {
    ck_assert(nsd_system_found_law(sys, i)->mu == (i == 4 ? 99.0 : i));
  }
  law.mu = -1.0;
  ck_assert_int_eq(nsdyn_system_set_law(sys, 4, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strncmp(nsdyn_system_message(sys), "law 4: mu", 9) == 0, "%s", nsdyn_system_message(sys));
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_add_law(sys, NULL, &number), NSDYN_ERR_ARGUMENT);
  law.mu = 1.0;
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(sys, 21, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(sys, -1, &law), NSDYN_ERR_ARGUMENT);
  nsdyn_system_free(sys);
}
END_TEST

START_TEST(null_is_refused)
{
  nsdyn_contact_law law;
  int32_t number;
  nsdyn_contact_law_init(&law, sizeof law);
  ck_assert_int_eq(nsdyn_system_set_contact(NULL, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_add_law(NULL, &law, &number), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_set_law(NULL, 0, &law), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_system_detail(NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_system_message(NULL), "");
}
END_TEST

/* ---- laws that others look at ---- */

/* A ball that lies on a floor it finds, and what its callbacks do with the system's laws on the way. */
typedef struct meddler {
  nsdyn_system *sys;
  int adds, sets; /* laws added by each `find`; whether `force` changes one */
  int32_t last;
  nsdyn_status status; /* of the last try */
  char message[160];
} meddler;

static int weigh(void *user, double t, const double *q, const double *u, double *h)
{
  meddler *m = user;
  (void)t, (void)q, (void)u;
  h[0] = 0.1;
  h[1] = -1.0;
  if (m->sets) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = 0.7;
    m->status =
        m->sets == 1 ? nsdyn_system_set_law(m->sys, 0, &law) : nsdyn_system_set_contact(m->sys, 0, &law);
    (void)snprintf(m->message, sizeof m->message, "%s", nsdyn_system_message(m->sys));
  }
  return 0;
}

static int find_floor(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  (void)u;
  meddler *m = user;
  const double W[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  (void)t, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.gap = q[1];
  found.key = 5;
  found.blocks = 1;
  found.block = &block;
  for (int i = 0; i < m->adds; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    m->status = nsdyn_system_add_law(m->sys, &law, &m->last);
  }
  return nsdyn_contact_sink_add(sink, &found);
}

static int far_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = 5.0 + q[1];
  return 0;
}

static void make_meddler(meddler *m)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  memset(m, 0, sizeof *m);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.user = m;
  def.mass = unit_mass_2;
  def.force = weigh;
  def.find = find_floor;
  def.gap = far_gap;
  def.direction = floor_of_q1;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &m->sys, NULL), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.5;
  ck_assert_int_eq(nsdyn_system_add_law(m->sys, &law, &m->last), NSDYN_OK);
}

static nsdyn_event_driver *driver_of(const meddler *m)
{
  nsdyn_event_driver *d;
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, m->sys, NULL, &d, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, (double[]){0.0, 0.0}, (double[]){0.0, 0.0}),
                   NSDYN_OK);
  return d;
}

static nsdyn_stepper *stepper_on(const meddler *m)
{
  nsdyn_stepper *s;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, m->sys, NULL, &s, NULL), NSDYN_OK);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
  return s;
}

static void must_advance(nsdyn_event_driver *d, double t)
{
  const nsdyn_status status = nsdyn_event_driver_advance(d, t);
  ck_assert_msg(status == NSDYN_OK, "%s: %s", nsdyn_status_name(status), nsdyn_event_driver_message(d));
}

/* Who holds a law by its address goes on doing so, however many are added. */
START_TEST(laws_never_move)
{
  meddler m;
  make_meddler(&m);
  const nsdyn_contact_law *first = nsd_system_found_law(m.sys, 0);
  nsdyn_event_driver *d = driver_of(&m);
  must_advance(d, 0.1);
  for (int32_t i = 1; i < 1000; i++) {
    nsdyn_contact_law law;
    int32_t number;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = i;
    ck_assert_int_eq(nsdyn_system_add_law(m.sys, &law, &number), NSDYN_OK);
    ck_assert_int_eq(number, i);
  }
  ck_assert_ptr_eq(nsd_system_found_law(m.sys, 0), first);
  for (int32_t i = 1; i < 1000; i++) {
    ck_assert(nsd_system_found_law(m.sys, i)->mu == i);
  }
  nsdyn_contact_state state;
  nsdyn_contact_state_init(&state, sizeof state);
  ck_assert_int_eq(nsdyn_event_driver_active(d), 1);
  ck_assert_int_eq(nsdyn_event_driver_active_contact(d, 0, &state), NSDYN_OK);
  ck_assert(state.mode == NSDYN_MODE_STICK && state.key == 5);
  must_advance(d, 0.2); /* and goes on where it was */
  nsdyn_event_driver_free(d);
  nsdyn_system_free(m.sys);
}
END_TEST

START_TEST(laws_may_be_added_at_any_time)
{
  meddler m;
  make_meddler(&m);
  nsdyn_event_driver *d = driver_of(&m);
  nsdyn_stepper *s = stepper_on(&m);
  m.adds = 3;
  must_advance(d, 0.1);
  ck_assert_int_eq(m.status, NSDYN_OK);
  run(s, 0.01, 20);
  ck_assert_int_eq(m.status, NSDYN_OK);
  ck_assert_int_gt(m.last, 50);
  m.adds = 0;
  must_advance(d, 0.2);
  ck_assert(nsdyn_event_driver_q(d)[0] == 0.0 && nsdyn_stepper_q(s)[0] == 0.0);
  nsdyn_event_driver_free(d);
  nsdyn_stepper_free(s);
  nsdyn_system_free(m.sys);
}
END_TEST

/* The law that a step is just being made with. */
START_TEST(laws_do_not_change_within_a_call)
{
  for (int sets = 1; sets <= 2; sets++) {
    meddler m;
    make_meddler(&m);
    nsdyn_event_driver *d = driver_of(&m);
    nsdyn_stepper *s = stepper_on(&m);
    const char *name = sets == 1 ? "law 0" : "contact 0";
    m.sets = sets;
    m.status = NSDYN_OK;
    must_advance(d, 0.1);
    ck_assert_int_eq(m.status, NSDYN_ERR_BUSY);
    ck_assert_msg(strncmp(m.message, name, strlen(name)) == 0, "%s", m.message);
    m.status = NSDYN_OK;
    run(s, 0.01, 1);
    ck_assert_int_eq(m.status, NSDYN_ERR_BUSY);
    ck_assert(nsd_system_found_law(m.sys, 0)->mu == 0.5 && m.sys->laws[0].mu == 0.0);
    nsdyn_event_driver_free(d); /* the first of the list, then the only one */
    m.status = NSDYN_OK;
    run(s, 0.01, 1);
    ck_assert_int_eq(m.status, NSDYN_ERR_BUSY);
    (void)weigh(&m, 0.0, NULL, NULL, (double[2]){0.0}); /* between two calls it may */
    ck_assert_int_eq(m.status, NSDYN_OK);
    ck_assert_str_eq(m.message, "");
    nsdyn_stepper_free(s);
    (void)weigh(&m, 0.0, NULL, NULL, (double[2]){0.0});
    ck_assert_int_eq(m.status, NSDYN_OK);
    nsdyn_system_free(m.sys);
  }
}
END_TEST

static int change_law(void *user, const nsdyn_stepper *s)
{
  meddler *m = user;
  (void)s;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.01;
  m->status = nsdyn_system_set_law(m->sys, 0, &law);
  return 0;
}

/* An observer stands between two steps: what it sets holds for the next one. */
START_TEST(observers_of_steps_may_change_laws)
{
  meddler m;
  make_meddler(&m);
  nsdyn_stepper_options options = stepper_defaults();
  nsdyn_stepper *s;
  options.dt = 0.01;
  options.observe = change_law;
  options.user = &m;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, m.sys, &options, &s, NULL), NSDYN_OK);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.0), NSDYN_OK);
  ck_assert_int_eq(m.status, NSDYN_OK);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.99 * (0.1 - 0.01), 1e-12); /* all steps but the first */
  nsdyn_stepper_free(s);
  nsdyn_system_free(m.sys);
}
END_TEST

SUITE("system/object", TEST(laws_never_move), TEST(laws_may_be_added_at_any_time),
      TEST(laws_do_not_change_within_a_call), TEST(observers_of_steps_may_change_laws),
      TEST(the_last_holder_destroys_the_user), TEST(a_new_that_fails_destroys_nothing),
      TEST(laws_are_checked_and_named), TEST(laws_of_found_contacts_are_numbered), TEST(null_is_refused))
