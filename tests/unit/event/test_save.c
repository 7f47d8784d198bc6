/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* event/save.c: a run that goes on from bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event/object.h"
#include "event_models.h"
#include "support/model.h"
#include "system/saved.h"

static void *saved(const driven *s, size_t *bytes)
{
  *bytes = nsdyn_event_driver_save(s->driver, NULL, 0);
  ck_assert_uint_gt(*bytes, 0);
  void *buffer = malloc(*bytes);
  ck_assert_ptr_nonnull(buffer);
  ck_assert_uint_eq(nsdyn_event_driver_save(s->driver, buffer, *bytes), *bytes);
  return buffer;
}

/* The woodpecker toy, saved at any time, in another driver: the events that the first run has, too. */
START_TEST(a_restored_run_goes_on)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  for (int k = 0; k < 12; k++) {
    const double q[3] = {0.0, -0.1036, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583}, at = 0.02 + 0.0173 * k,
                 end = at + 0.25;
    driven a = toy_scene(&w), b = toy_scene(&w), c = toy_scene(&w);
    scene_drive(&a, 0.0, q, u);
    scene_drive(&b, 0.0, q, u);
    scene_drive(&c, 7.0, q, u);
    scene_advance(&a, at);
    size_t bytes;
    void *buffer = saved(&a, &bytes);
    ck_assert_int_eq(nsdyn_event_driver_restore(b.driver, buffer, bytes), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_restore(c.driver, buffer, bytes), NSDYN_OK);
    ck_assert(nsdyn_event_driver_time(b.driver) == at);
    const int before = events_of(&a);
    scene_advance(&a, end);
    scene_advance(&b, end);
    scene_advance(&c, end);
    REQUIRE(events_of(&a) - before == events_of(&b), "case %d: %d events, %d restored", k,
            events_of(&a) - before, events_of(&b));
    for (int i = 0; i < events_of(&b); i++) {
      const nsdyn_event first = event_of(&a, before + i), again = event_of(&b, i);
      REQUIRE(first.kind == again.kind && first.contact == again.contact && fabs(first.t - again.t) < 1e-6,
              "case %d, event %d", k, i);
    }
    /* Restored twice, the bits are the same. */
    ck_assert_mem_eq(nsdyn_event_driver_q(b.driver), nsdyn_event_driver_q(c.driver), sizeof q);
    ck_assert_mem_eq(nsdyn_event_driver_u(b.driver), nsdyn_event_driver_u(c.driver), sizeof u);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(nsdyn_event_driver_q(a.driver)[i] - nsdyn_event_driver_q(b.driver)[i]) < 1e-6, "case %d",
              k);
    }
    free(buffer);
    scene_end(&a);
    scene_end(&b);
    scene_end(&c);
  }
}
END_TEST

static void refused(const driven *s, const void *buffer, size_t bytes, const char *words)
{
  const double t = nsdyn_event_driver_time(s->driver);
  ck_assert_int_eq(nsdyn_event_driver_restore(s->driver, buffer, bytes), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_event_driver_message(s->driver), words) != NULL, "%s",
                nsdyn_event_driver_message(s->driver));
  ck_assert(nsdyn_event_driver_time(s->driver) == t);
}

START_TEST(other_bytes_are_refused)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  points p = {.count = 1, .g = 9.81};
  driven s = toy_scene(&w), other = points_scene(&p, 0.0, 0.0);
  const double q[3] = {0.0, -0.1, -0.2}, u[3] = {0.0, 0.0, 0.0};
  scene_drive(&s, 0.5, q, u);
  scene_drive(&other, 0.0, (double[]){0.0, 1.0}, (double[]){0.0, 0.0});
  size_t bytes;
  unsigned char *buffer = saved(&s, &bytes);
  ck_assert_uint_eq(nsdyn_event_driver_save(s.driver, buffer, bytes - 1), bytes);
  ck_assert_uint_eq(nsdyn_event_driver_save(NULL, buffer, bytes), 0);
  ck_assert_int_eq(nsdyn_event_driver_restore(s.driver, buffer, bytes), NSDYN_OK);
  refused(&other, buffer, bytes, "system of other sizes");
  refused(&s, buffer, bytes - 8, "cut short");
  refused(&s, buffer, 8, "too few bytes");
  refused(&s, NULL, 0, "buffer is NULL");
  for (size_t i = 0; i < bytes; i++) {
    buffer[i] ^= 1;
    ck_assert_int_eq(nsdyn_event_driver_restore(s.driver, buffer, bytes), NSDYN_ERR_ARGUMENT);
    buffer[i] ^= 1;
  }
  buffer[0] ^= 1;
  refused(&s, buffer, bytes, "not a state");
  ck_assert_int_eq(nsdyn_event_driver_restore(NULL, buffer, bytes), NSDYN_ERR_ARGUMENT);
  free(buffer);
  scene_end(&s);
  scene_end(&other);
}
END_TEST

/* Bytes whose checksum holds, of tracks that no driver has: each is refused, whatever it would point to. */
START_TEST(tracks_of_others_are_refused)
{
  exact_woodpecker w;
  exact_woodpecker_table(&w);
  driven s = toy_scene(&w);
  const double q[3] = {0.0, -0.1, -0.2}, u[3] = {0.0, 0.0, 0.0};
  scene_drive(&s, 0.5, q, u);
  size_t bytes;
  unsigned char *buffer = saved(&s, &bytes);
  const int count = s.driver->tracks.count;
  const size_t first = bytes - sizeof(uint64_t) - (size_t)count * sizeof(nsd_track);
  const int32_t bad[] = {1 << 30, -1, -(1 << 30), count};
  for (int k = 0; k < 4 * count; k++) {
    nsd_track own, track;
    memcpy(&own, buffer + first + (size_t)(k / 4) * sizeof own, sizeof own);
    ck_assert_int_eq(own.index, k / 4);
    track = own;
    track.index = bad[k % 4];
    track.law = bad[(k + 1) % 4];
    memcpy(buffer + first + (size_t)(k / 4) * sizeof own, &track, sizeof track);
    nsd_saved_seal(buffer, bytes);
    refused(&s, buffer, bytes, "numbers that no driver has");
    memcpy(buffer + first + (size_t)(k / 4) * sizeof own, &own, sizeof own);
  }
  nsd_saved_seal(buffer, bytes);
  ck_assert_int_eq(nsdyn_event_driver_restore(s.driver, buffer, bytes), NSDYN_OK);
  free(buffer);
  scene_end(&s);
}
END_TEST

/* A driver that has run remembers nothing of it: set to a state, or restored, it gives the bits of a new one,
 * whatever contacts have solved before. */
START_TEST(a_driver_that_has_run_is_as_a_new_one)
{
  for (int seed = 0; seed < random_cases(600); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 4 + random_below(&random, MODEL_MOST - 3);
    static model m;
    double q[MODEL_MOST], u[MODEL_MOST];
    nsdyn_event_driver *driver[2];
    nsdyn_system *sys;
    model_random(&m, &random, nu, 3, seed % 2, 0);
    for (int i = 0; i < m.contacts; i++) {
      m.contact[i].g0 = 0.1 + fabs(m.contact[i].g0);
      m.contact[i].law.eps_n = 0.5 * random_below(&random, 2);
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    ck_assert_int_eq(model_system(&m, NULL, 0, 0, &sys), NSDYN_OK);
    for (int k = 0; k < 2; k++) {
      nsdyn_event_driver_options options;
      nsdyn_event_driver_options_init(&options, sizeof options);
      options.start_tol = INFINITY;
      ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver[k], NULL), NSDYN_OK);
    }
    /* The first one runs, to where the second one begins. */
    ck_assert_int_eq(nsdyn_event_driver_set_state(driver[0], 0.0, q, u), NSDYN_OK);
    (void)nsdyn_event_driver_advance(driver[0], 2.0);
    const size_t bytes = nsdyn_event_driver_save(driver[0], NULL, 0);
    void *state = malloc(bytes);
    ck_assert(state && nsdyn_event_driver_save(driver[0], state, bytes) == bytes);
    const double t = nsdyn_event_driver_time(driver[0]);
    memcpy(q, nsdyn_event_driver_q(driver[0]), (size_t)nu * sizeof *q);
    memcpy(u, nsdyn_event_driver_u(driver[0]), (size_t)nu * sizeof *u);
    nsdyn_status status[2];
    for (int k = 0; k < 2; k++) {
      ck_assert_int_eq(seed % 3 ? nsdyn_event_driver_restore(driver[k], state, bytes)
                                : nsdyn_event_driver_set_state(driver[k], t, q, u),
                       NSDYN_OK);
      status[k] = nsdyn_event_driver_advance(driver[k], t + 0.3);
    }
    REQUIRE(status[0] == status[1], "seed %d: %d, then %d", seed, (int)status[0], (int)status[1]);
    REQUIRE(memcmp(nsdyn_event_driver_q(driver[0]), nsdyn_event_driver_q(driver[1]),
                   (size_t)nu * sizeof *q) == 0 &&
                memcmp(nsdyn_event_driver_u(driver[0]), nsdyn_event_driver_u(driver[1]),
                       (size_t)nu * sizeof *u) == 0,
            "seed %d: other bits", seed);
    free(state);
    nsdyn_event_driver_free(driver[0]);
    nsdyn_event_driver_free(driver[1]);
    nsdyn_system_free(sys);
  }
}
END_TEST

SUITE("event/save", TEST(a_driver_that_has_run_is_as_a_new_one), TEST(a_restored_run_goes_on),
      TEST(other_bytes_are_refused), TEST(tracks_of_others_are_refused))
