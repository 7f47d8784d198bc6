/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The same bits again: from a saved state on, and from several threads that share one system. */
#include <pthread.h>
#include <string.h>

#include "proof.h"

/* ---- Saved and taken up again ---- */

static void same_bits(const nsdyn_stepper *a, const nsdyn_stepper *b, int step)
{
  const size_t size = 3 * sizeof(double);
  REQUIRE(nsdyn_stepper_time(a) == nsdyn_stepper_time(b), "step %d: time", step);
  REQUIRE(memcmp(nsdyn_stepper_q(a), nsdyn_stepper_q(b), size) == 0, "step %d: q", step);
  REQUIRE(memcmp(nsdyn_stepper_u(a), nsdyn_stepper_u(b), size) == 0, "step %d: u", step);
}

/* The woodpecker is handed from one stepper to another every so many steps; a third never stops. */
START_TEST(a_run_handed_on_has_the_same_bits)
{
  const double q[3] = {0.0, -0.1036, -0.2788}, u[3] = {-0.3411, 0.0, -7.4583};
  exact_woodpecker table;
  model m[3];
  nsdyn_stepper *s[3];
  exact_woodpecker_table(&table);
  for (int i = 0; i < 3; i++) {
    machine_woodpecker(&table, &m[i]);
    s[i] = machine_stepper(&m[i]);
    set_state(s[i], q, u);
  }
  unsigned char bytes[1024]; /* a state grows with the contacts that it remembers */
  int now = 0;
  for (int k = 0; k < random_cases(30000); k++) {
    run(s[2], 1e-4, 1);
    run(s[now], 1e-4, 1);
    same_bits(s[now], s[2], k);
    if (k % 7 == 0) {
      const size_t size = nsdyn_stepper_save(s[now], bytes, sizeof bytes);
      REQUIRE(size <= sizeof bytes, "a state of %zu bytes", size);
      now = 1 - now;
      REQUIRE(nsdyn_stepper_restore(s[now], bytes, size) == NSDYN_OK, "step %d: %s", k,
              nsdyn_stepper_message(s[now]));
    }
  }
  for (int i = 0; i < 3; i++) {
    nsdyn_stepper_free(s[i]);
  }
}
END_TEST

/* ---- Threads ---- */

enum { THREADS = 4, STEPS = 4000 };

/* One rod falls, hits and slides in a stepper of its own; the system is everybody's. */
typedef struct fall {
  nsdyn_stepper *stepper;
  double theta, omega;
  double q[3], u[3], impulse; /* the end, and the sum of all normal impulses */
  nsdyn_status status;
} fall;

static void *work(void *argument)
{
  fall *f = argument;
  const int steps = random_cases(STEPS);
  nsdyn_contact_state c;
  nsdyn_contact_state_init(&c, sizeof c);
  f->impulse = 0.0;
  f->status = nsdyn_stepper_set_state(f->stepper, 0.0, (double[3]){0.0, 0.6, f->theta},
                                      (double[3]){0.3, 0.0, f->omega});
  for (int k = 0; f->status == NSDYN_OK && k < steps; k++) {
    f->status = nsdyn_stepper_step(f->stepper, 1e-3);
    nsdyn_stepper_contact(f->stepper, 0, &c);
    f->impulse += c.impulse[0];
  }
  memcpy(f->q, nsdyn_stepper_q(f->stepper), sizeof f->q);
  memcpy(f->u, nsdyn_stepper_u(f->stepper), sizeof f->u);
  return NULL;
}

START_TEST(threads_that_share_a_system_get_the_same_bits)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 1.5, .g = 9.81};
  const nsdyn_system_def def = machine_rod(&rod);
  nsdyn_contact_law law;
  nsdyn_system *sys;
  pthread_t thread[THREADS];
  fall alone[THREADS], together[THREADS];
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = rod.mu;
  law.eps_n = 0.3;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  for (int i = 0; i < THREADS; i++) {
    memset(&alone[i], 0, sizeof alone[i]);
    alone[i].theta = 0.4 + 0.2 * i;
    alone[i].omega = 1.0 + i;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &alone[i].stepper, NULL), NSDYN_OK);
    together[i] = alone[i];
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &together[i].stepper, NULL), NSDYN_OK);
    work(&alone[i]);
  }
  nsdyn_system_free(sys);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&thread[i], NULL, work, &together[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(thread[i], NULL), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(alone[i].status, NSDYN_OK);
    ck_assert_int_eq(together[i].status, NSDYN_OK);
    ck_assert_mem_eq(alone[i].q, together[i].q, sizeof alone[i].q);
    ck_assert_mem_eq(alone[i].u, together[i].u, sizeof alone[i].u);
    ck_assert_mem_eq(&alone[i].impulse, &together[i].impulse, sizeof alone[i].impulse);
    nsdyn_stepper_free(alone[i].stepper);
    nsdyn_stepper_free(together[i].stepper);
  }
}
END_TEST

SUITE("bits", TEST(a_run_handed_on_has_the_same_bits), TEST(threads_that_share_a_system_get_the_same_bits))
