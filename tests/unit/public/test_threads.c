/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What several threads may do at once: hold and drop one context, have a context each, step one system. TSan
 * runs this file (./dev sanitize); without it the tests still see a lost count or a mixed-up message. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "nsdyn/stepper.h"
#include "suite.h"
#include "support/callbacks.h"

enum { THREADS = 4 };

/* Runs `work` in all threads at once, thread i with arguments + i*size. */
static void run_together(void *(*work)(void *), void *arguments, size_t size)
{
  pthread_t threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_create(&threads[i], NULL, work, (char *)arguments + i * size), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
  }
}

static void count_end(void *user)
{
  atomic_fetch_add((atomic_int *)user, 1);
}

static nsdyn_context *new_counting_context(atomic_int *ends)
{
  nsdyn_context_def def;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.user = ends;
  def.destroy_user = count_end;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  return ctx;
}

typedef struct holder {
  nsdyn_context *ctx;
} holder;

static void *hold_and_drop(void *argument)
{
  nsdyn_context *ctx = ((const holder *)argument)->ctx;
  const int rounds = random_cases(20000);
  for (int k = 0; k < rounds; k++) {
    nsd_context_drop(nsd_context_hold(ctx));
  }
  nsd_context_drop(ctx); /* the one this thread was given */
  return NULL;
}

/* The owner lets go first; then whichever thread comes last must end the context, once. */
START_TEST(last_of_several_threads_ends_a_shared_context)
{
  const int rounds = random_cases(50);
  for (int k = 0; k < rounds; k++) {
    atomic_int ends = 0;
    holder held[THREADS];
    nsdyn_context *ctx = new_counting_context(&ends);
    for (int i = 0; i < THREADS; i++) {
      held[i].ctx = nsd_context_hold(ctx);
    }
    nsdyn_context_free(ctx);
    ck_assert_int_eq(atomic_load(&ends), 0);
    run_together(hold_and_drop, held, sizeof *held);
    ck_assert_int_eq(atomic_load(&ends), 1);
  }
}
END_TEST

/* ---- steppers of one system ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t;
  M[0] = M[3] = 2.0 + q[0] * q[0];
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)u;
  h[0] = -30.0 * q[0];
  h[1] = -20.0;
  return 0;
}

static void note_end(void *user)
{
  atomic_fetch_add((atomic_int *)user, 1);
}

typedef struct swing {
  nsdyn_system *sys;
  double q[2], u[2]; /* at the end */
  nsdyn_status status;
} swing;

static void *let_swing(void *argument)
{
  swing *w = argument;
  const double q[2] = {0.3, 0.1}, u[2] = {0.0, 0.0};
  nsdyn_stepper *s;
  w->status = nsdyn_stepper_new(NULL, w->sys, NULL, &s, NULL);
  if (w->status == NSDYN_OK) {
    w->status = nsdyn_stepper_set_state(s, 0.0, q, u);
    for (int k = 0; w->status == NSDYN_OK && k < 2000; k++) {
      w->status = nsdyn_stepper_step(s, 1e-3);
    }
    memcpy(w->q, nsdyn_stepper_q(s), sizeof w->q);
    memcpy(w->u, nsdyn_stepper_u(s), sizeof w->u);
    nsdyn_stepper_free(s);
  }
  return NULL;
}

/* All threads make steppers of one system and come to the same bits as one alone. */
START_TEST(steppers_may_share_a_system)
{
  atomic_int ends = 0;
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.mass = mass;
  def.force = force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  def.user = &ends;
  def.destroy_user = note_end;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.2;
  law.eps_n = 0.3;
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  swing alone = {.sys = sys}, work[THREADS];
  let_swing(&alone);
  ck_assert_int_eq(alone.status, NSDYN_OK);
  for (int i = 0; i < THREADS; i++) {
    work[i] = (swing){.sys = sys};
  }
  run_together(let_swing, work, sizeof *work);
  nsdyn_system_free(sys);
  ck_assert_int_eq(atomic_load(&ends), 1);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(work[i].status, NSDYN_OK);
    ck_assert_mem_eq(work[i].q, alone.q, sizeof alone.q);
    ck_assert_mem_eq(work[i].u, alone.u, sizeof alone.u);
  }
}
END_TEST

/* What a thread brings to objects of its own: none of it is atomic, as no other thread touches it. */
typedef struct purse {
  nsdyn_system *sys; /* of all threads */
  long blocks;       /* of memory that are out */
  long given, asked; /* blocks so far; calls of progress */
  int number, mixed; /* messages that were not its own */
  nsdyn_status status;
} purse;

static void *give(void *user, size_t bytes, size_t alignment)
{
  purse *w = user;
  w->blocks++;
  w->given++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void take_back(void *user, void *memory, size_t bytes)
{
  purse *w = user;
  (void)bytes;
  w->blocks--;
  free(memory);
}

static int ask(void *user, const char *activity, double done)
{
  purse *w = user;
  (void)activity, (void)done;
  w->asked++;
  return 0;
}

static void *live_alone(void *argument)
{
  purse *w = argument;
  const double q[2] = {0.3, 0.1}, u[2] = {0.0, 0.0};
  const int rounds = random_cases(200);
  nsdyn_error error = {.size = sizeof error};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = w;
  def.allocate = give;
  def.release = take_back;
  def.progress = ask;
  w->status = nsdyn_context_new(&def, &ctx, &error);
  for (int k = 0; w->status == NSDYN_OK && k < rounds; k++) {
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.dt = -1.0 - w->number;
    nsdyn_stepper *s;
    char said[32];
    (void)snprintf(said, sizeof said, "dt: -%d ", 1 + w->number);
    w->mixed += nsdyn_stepper_new(ctx, w->sys, &options, &s, &error) != NSDYN_ERR_ARGUMENT ||
                !strstr(error.message, said);
    options.dt = 1e-3;
    w->status = nsdyn_stepper_new(ctx, w->sys, &options, &s, &error);
    w->mixed += error.message[0] != '\0';
    if (w->status == NSDYN_OK) {
      nsdyn_stepper_set_state(s, 0.0, q, u);
      w->status = nsdyn_stepper_advance(s, 0.02);
      nsdyn_stepper_free(s);
    }
  }
  nsdyn_context_free(ctx);
  return NULL;
}

/* Memory, progress and messages of a stepper are those of its thread, though the system is one for all. */
START_TEST(contexts_of_their_own_never_meet)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  purse work[THREADS];
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.mass = mass;
  def.force = force;
  def.gap = gap_is_q1;
  def.direction = floor_of_q1;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  for (int i = 0; i < THREADS; i++) {
    work[i] = (purse){.sys = sys, .number = i};
  }
  run_together(live_alone, work, sizeof *work);
  for (int i = 0; i < THREADS; i++) {
    ck_assert_int_eq(work[i].status, NSDYN_OK);
    ck_assert_msg(work[i].mixed == 0, "thread %d saw %d foreign messages", i, work[i].mixed);
    ck_assert_int_eq(work[i].blocks, 0);
    ck_assert(work[i].given > 0 && work[i].asked > 0);
  }
  ck_assert_str_eq(nsdyn_system_message(sys), "");
  nsdyn_system_free(sys);
}
END_TEST

typedef struct adder {
  nsdyn_system *sys;
  nsdyn_status status;
  int32_t number[200];
} adder;

static void *add_laws(void *argument)
{
  adder *a = argument;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  for (int i = 0; i < 200 && a->status == NSDYN_OK; i++) {
    a->status = nsdyn_system_add_law(a->sys, &law, &a->number[i]);
  }
  return NULL;
}

/* Every law has a number of its own, whoever adds it. */
START_TEST(laws_may_be_added_together)
{
  const int rounds = random_cases(20);
  for (int k = 0; k < rounds; k++) {
    char seen[200 * THREADS] = {0};
    adder work[THREADS];
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_system_def_init(&def, sizeof def);
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    for (int i = 0; i < THREADS; i++) {
      work[i] = (adder){.sys = sys};
    }
    run_together(add_laws, work, sizeof *work);
    for (int i = 0; i < THREADS; i++) {
      ck_assert_int_eq(work[i].status, NSDYN_OK);
      for (int j = 0; j < 200; j++) {
        const int32_t number = work[i].number[j];
        REQUIRE(number >= 0 && number < 200 * THREADS && !seen[number], "number %d", (int)number);
        seen[number] = 1;
      }
    }
    nsdyn_system_free(sys);
  }
}
END_TEST

SUITE("public/threads", TEST(laws_may_be_added_together), TEST(last_of_several_threads_ends_a_shared_context),
      TEST(contexts_of_their_own_never_meet), TEST(steppers_may_share_a_system))
