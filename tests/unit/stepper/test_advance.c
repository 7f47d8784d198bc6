/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "stepper/object.h"
#include "stepping.h"

/* Times do not drift: the k-th of equal steps ends at t0 + k dt, to the bit. */
START_TEST(equal_steps_end_on_a_grid)
{
  model m;
  model_clear(&m, 1);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  const double x[1] = {0.0};
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.7, x, x), NSDYN_OK);
  for (int k = 1; k <= 1000; k++) {
    run(s, 0.1, 1);
    REQUIRE(nsdyn_stepper_time(s) == 0.7 + k * 0.1, "step %d", k);
  }
  const double here = nsdyn_stepper_time(s);
  run(s, 0.3, 2);
  ck_assert(nsdyn_stepper_time(s) == here + 2 * 0.3);
  ck_assert_int_eq((int)report_of(s).steps, 1002);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(durations_that_are_none_are_refused)
{
  model m;
  model_clear(&m, 1);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  const double wrong[] = {0.0, -1.0, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    ck_assert_int_eq(nsdyn_stepper_step(s, wrong[i]), NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), "dt") != NULL, "%s", nsdyn_stepper_message(s));
  }
  run(s, 1.0, 1);
  ck_assert_str_eq(nsdyn_stepper_message(s), "");
  const double past[] = {0.5, NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < sizeof past / sizeof *past; i++) {
    ck_assert_int_eq(nsdyn_stepper_advance(s, past[i]), NSDYN_ERR_ARGUMENT);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), "t_end") != NULL, "%s", nsdyn_stepper_message(s));
  }
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.0), NSDYN_OK);
  ck_assert(nsdyn_stepper_time(s) == 1.0);
  nsdyn_stepper_free(s);
}
END_TEST

/* advance() is the same steps as step() takes, and ends at t_end to the bit: whole steps, a shorter last one.
 */
START_TEST(advance_takes_the_steps_of_step)
{
  for (int seed = 0; seed < random_cases(200); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double t0 = random_between(&random, -5.0, 5.0), dt = random_between(&random, 0.001, 0.1);
    const int whole = random_below(&random, 20);
    const double part = random_below(&random, 2) ? random_between(&random, 0.1, 0.9) : 0.0;
    const double t_end = t0 + whole * dt + part * dt;
    nsdyn_stepper_options options = stepper_defaults();
    options.dt = dt;
    model m;
    model_clear(&m, 1);
    m.K[0] = 1.0;
    nsdyn_stepper *a = stepper_of(&m, 0, 0, &options), *b = stepper_of(&m, 0, 0, NULL);
    const double q[1] = {1.0}, u[1] = {0.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(a, t0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(b, t0, q, u), NSDYN_OK);
    REQUIRE(nsdyn_stepper_advance(a, t_end) == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(a));
    REQUIRE(nsdyn_stepper_time(a) == t_end, "seed %d", seed);
    REQUIRE(report_of(a).steps == whole + (part > 0.0), "seed %d: %d steps, not %d", seed,
            (int)report_of(a).steps, whole);
    run(b, dt, whole);
    if (part > 0.0) {
      run(b, t_end - nsdyn_stepper_time(b), 1);
    }
    REQUIRE(fabs(nsdyn_stepper_q(a)[0] - nsdyn_stepper_q(b)[0]) <= 1e-15, "seed %d", seed);
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
}
END_TEST

typedef struct watcher {
  int calls, stop_at;
  nsdyn_stepper *stepper; /* for what an observer must not do */
  nsdyn_status refused[6];
  double energy, t;
} watcher;

static int watch(void *user, const nsdyn_stepper *stepper)
{
  watcher *w = user;
  w->t = nsdyn_stepper_time(stepper);
  if (w->stepper) {
    const double x[1] = {0.0};
    nsdyn_step_energy energy;
    nsdyn_step_energy_init(&energy, sizeof energy);
    w->refused[0] = nsdyn_stepper_step(w->stepper, 0.1);
    w->refused[1] = nsdyn_stepper_advance(w->stepper, 1e3);
    w->refused[2] = nsdyn_stepper_set_state(w->stepper, 0.0, x, x);
    w->refused[3] = nsdyn_stepper_set_options(w->stepper, NULL);
    w->refused[4] = nsdyn_stepper_impact(w->stepper);
    w->refused[5] = nsdyn_stepper_restore(w->stepper, x, sizeof x);
    w->energy = nsdyn_stepper_energy(w->stepper, &energy) == NSDYN_OK ? energy.after : -1.0;
  }
  return ++w->calls == w->stop_at;
}

START_TEST(observers_see_each_step_and_may_stop)
{
  model m;
  model_clear(&m, 1);
  watcher w = {.stop_at = 7};
  nsdyn_stepper_options options = stepper_defaults();
  options.dt = 0.25;
  options.observe = watch;
  options.user = &w;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0}, (double[]){4.0});
  w.stepper = s;
  ck_assert_int_eq(nsdyn_stepper_advance(s, 10.1), NSDYN_STOPPED);
  ck_assert(w.calls == 7 && w.t == 1.75 && nsdyn_stepper_time(s) == 1.75);
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(w.refused[i], NSDYN_ERR_BUSY);
  }
  ck_assert(w.energy == 8.0);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 10.1), NSDYN_OK);
  ck_assert(w.calls == 41 && w.t == 10.1);
  nsdyn_stepper_free(s);
}
END_TEST

typedef struct progress_log {
  int calls, stop_at;
  double last;
} progress_log;

static int log_progress(void *user, const char *activity, double done)
{
  progress_log *log = user;
  ck_assert_str_eq(activity, "nsdyn_stepper_advance");
  ck_assert(done >= log->last && done <= 1.0);
  log->last = done;
  return ++log->calls == log->stop_at;
}

START_TEST(the_progress_callback_may_cancel)
{
  nsdyn_context_def table;
  nsdyn_context *ctx;
  nsdyn_system *sys;
  nsdyn_stepper *s;
  model m;
  progress_log log = {.stop_at = 5};
  nsdyn_context_def_init(&table, sizeof table);
  table.user = &log;
  table.progress = log_progress;
  ck_assert_int_eq(nsdyn_context_new(&table, &ctx, NULL), NSDYN_OK);
  model_clear(&m, 1);
  ck_assert_int_eq(model_system(&m, ctx, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, NULL, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.0), NSDYN_CANCELLED);
  const double stopped = nsdyn_stepper_time(s);
  ck_assert(stopped > 0.0 && stopped < 1.0);
  log.last = 0.0;
  ck_assert_int_eq(nsdyn_stepper_advance(s, 1.0), NSDYN_OK);
  ck_assert(log.calls > 10);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- failures ---- */

typedef struct fixture {
  model m;
  nsdyn_stepper *s;
  double before[400]; /* the state as it is saved */
} fixture;

/* A model that uses every callback, resting on contacts known and found. */
static void begin(fixture *f, int extra)
{
  random_state random = random_seed(11);
  model_random(&f->m, &random, 6, 1, 1, 1);
  for (int i = 0; i < 2; i++) {
    f->m.contact[i].g0 = -1.0; /* closed */
    f->m.contact[i].law.friction = NSDYN_FRICTION_CURVE;
  }
  f->s = stepper_of(&f->m, 0, extra, NULL);
  double q[MODEL_MOST] = {0.0}, u[MODEL_MOST];
  for (int j = 0; j < 6; j++) {
    u[j] = random_between(&random, -1.0, 1.0);
  }
  set_state(f->s, q, u);
  run(f->s, 1e-3, 3);
}

static size_t snapshot(const fixture *f, double *bytes)
{
  return nsdyn_stepper_save(f->s, bytes, sizeof f->before);
}

/* Each callback, failing in each of three ways, leaves the state and its name. */
START_TEST(failing_callbacks_leave_the_state_and_are_named)
{
  static const struct {
    int callback, extra;
    const char *name, *number;
  } cases[] = {{MODEL_CONFIGURE, 0, "callback configure", NULL},
               {MODEL_MASS, 0, "callback mass", "M row 0, column 0 is nan"},
               {MODEL_SOLVE_MASS, MODEL_SOLVES, "callback solve_mass", "X"},
               {MODEL_FORCE, 0, "callback force", "h element 0 is nan"},
               {MODEL_GAP, 0, "callback gap", "contact 0: its gap is nan"},
               {MODEL_DIRECTION, 0, "callback direction, contact 0", "W row 0, column 0 is nan"},
               {MODEL_FIND, 0, "callback find", "contact with key -5: a value of a block is nan"},
               {MODEL_CONSTRAINT, 0, "callback constraint", "constraint 0: W_b row 0, column 0 is nan"},
               {MODEL_KINEMATICS, MODEL_MOVES, "callback kinematics", "q element 0 is nan"},
               {MODEL_RETRACT, MODEL_RETRACTS, "callback retract", "q element 0 is nan"},
               {MODEL_CURVE, 0, "callback curve, contact 0", "mu at the speed"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int way = 0; way < 3; way++) {
      fixture f;
      double after[sizeof f.before / sizeof *f.before];
      nsdyn_detail detail;
      if (way == 2 && !cases[i].number) {
        continue;
      }
      begin(&f, cases[i].extra);
      nsdyn_stepper *twin = NULL;
      const size_t size = snapshot(&f, f.before);
      f.m.fails = cases[i].callback;
      f.m.code = way == 0 ? -3 : way == 1 ? 4 : 0;
      f.m.value = NAN;
      const nsdyn_status expected[] = {NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOT_FINITE};
      const nsdyn_status status = nsdyn_stepper_step(f.s, 1e-3);
      ck_assert_msg(status == expected[way], "%s, way %d: %d, %s", cases[i].name, way, status,
                    nsdyn_stepper_message(f.s));
      ck_assert_msg(strstr(nsdyn_stepper_message(f.s), cases[i].name) != NULL, "%s",
                    nsdyn_stepper_message(f.s));
      nsdyn_detail_init(&detail, sizeof detail);
      nsdyn_stepper_detail(f.s, &detail);
      if (way < 2) {
        ck_assert_int_eq(detail.kind, NSDYN_DETAIL_CALLBACK);
        ck_assert_int_eq(detail.index, f.m.code);
      } else {
        ck_assert_msg(strstr(nsdyn_stepper_message(f.s), cases[i].number) != NULL, "%s",
                      nsdyn_stepper_message(f.s));
      }
      ck_assert_int_eq(report_of(f.s).status, expected[way]);
      ck_assert_uint_eq(snapshot(&f, after), size);
      ck_assert_mem_eq(f.before, after, size);
      /* And it goes on as if nothing had been. */
      f.m.fails = MODEL_NONE;
      run(f.s, 1e-3, 2);
      fixture g;
      begin(&g, cases[i].extra);
      twin = g.s;
      run(twin, 1e-3, 2);
      ck_assert_mem_eq(nsdyn_stepper_q(f.s), nsdyn_stepper_q(twin), 6 * sizeof(double));
      ck_assert_mem_eq(nsdyn_stepper_u(f.s), nsdyn_stepper_u(twin), 6 * sizeof(double));
      nsdyn_stepper_free(twin);
      nsdyn_stepper_free(f.s);
    }
  }
}
END_TEST

/* A step of another length that fails does not shift the grid of times either. */
START_TEST(failed_steps_leave_the_grid)
{
  model m;
  make_block(&m, 1.0, -20.0, 0.3);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL), *twin = stepper_of(&m, 0, 0, NULL);
  double bytes[64], twins[64];
  for (int k = 0; k < 40; k++) {
    m.fails = MODEL_FORCE;
    m.code = 1;
    ck_assert_int_eq(nsdyn_stepper_step(s, k % 3 ? 0.05 : 0.1), NSDYN_ERR_CALLBACK_RETRY);
    m.fails = MODEL_NONE;
    run(s, 0.1, 1);
    run(twin, 0.1, 1);
    const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
    ck_assert_uint_eq(nsdyn_stepper_save(twin, twins, sizeof twins), size);
    ck_assert_mem_eq(bytes, twins, size);
    REQUIRE(nsdyn_stepper_time(s) == (k + 1) * 0.1, "step %d ends at %.17g", k, nsdyn_stepper_time(s));
  }
  nsdyn_stepper_free(s);
  nsdyn_stepper_free(twin);
}
END_TEST

/* Directions that are constant are evaluated once, but not kept where they are no numbers. */
START_TEST(bad_constants_are_not_kept)
{
  static const int64_t flags[] = {NSDYN_CONSTANT_DIRECTIONS, NSDYN_CONSTANT_DIRECTIONS | NSDYN_CONSTANT_MASS};
  for (int i = 0; i < 8; i++) {
    model m;
    make_block(&m, 1.0, -20.0, 0.3);
    if (i & 2) {
      model_add_contact(&m, 0.0, 1, 0, 0.3, 0.0);
    }
    nsdyn_stepper *s = stepper_of(&m, flags[i & 1], 0, NULL);
    m.fails = MODEL_DIRECTION;
    m.value = i & 4 ? INFINITY : NAN;
    m.where = i & 4 ? 2 : 1;
    ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_NOT_FINITE);
    ck_assert_msg(strstr(nsdyn_stepper_message(s), i & 4 ? "contact 0: W row 1, column 0 is inf"
                                                         : "contact 0: W row 0, column 1 is nan") != NULL,
                  "%s", nsdyn_stepper_message(s));
    m.fails = MODEL_NONE;
    run(s, 1e-3, 2);
    m.fails = MODEL_DIRECTION; /* now they are, and it is not asked again */
    run(s, 1e-3, 2);
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(masses_that_are_not_definite_are_refused)
{
  fixture f;
  begin(&f, 0);
  f.m.M0[0] = -100.0;
  ck_assert_int_eq(nsdyn_stepper_step(f.s, 1e-3), NSDYN_ERR_NOT_DEFINITE);
  ck_assert_msg(strstr(nsdyn_stepper_message(f.s), "not positive definite") != NULL, "%s",
                nsdyn_stepper_message(f.s));
  ck_assert(nsdyn_stepper_time(f.s) == 3e-3);
  nsdyn_stepper_free(f.s);
}
END_TEST

START_TEST(numbers_that_grow_too_large_are_named)
{
  model m;
  model_clear(&m, 1);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){1e308}, (double[]){1.5e308});
  ck_assert_int_eq(nsdyn_stepper_step(s, 2.0), NSDYN_ERR_NOT_FINITE);
  ck_assert_str_eq(nsdyn_stepper_message(s), "coordinate element 0 is inf: the numbers are too large");
  ck_assert(nsdyn_stepper_q(s)[0] == 1e308);
  nsdyn_stepper_free(s);
}
END_TEST

typedef struct intruder {
  nsdyn_stepper *s;
  nsdyn_status status[8];
  double t;
} intruder;

static void intrude(void *data)
{
  intruder *x = data;
  const double zero[1] = {0.0};
  nsdyn_step_energy energy;
  nsdyn_step_energy_init(&energy, sizeof energy);
  x->status[0] = nsdyn_stepper_step(x->s, 0.1);
  x->status[1] = nsdyn_stepper_advance(x->s, 9.0);
  x->status[2] = nsdyn_stepper_impact(x->s);
  x->status[3] = nsdyn_stepper_set_state(x->s, 0.0, zero, zero);
  x->status[4] = nsdyn_stepper_set_options(x->s, NULL);
  x->status[5] = nsdyn_stepper_restore(x->s, zero, sizeof zero);
  x->status[6] = nsdyn_stepper_energy(x->s, &energy);
  x->t = nsdyn_stepper_time(x->s);
}

START_TEST(callbacks_cannot_change_the_stepper_they_run_in)
{
  model m;
  model_clear(&m, 1);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){1.0}, (double[]){2.0});
  intruder x = {.s = s};
  m.inside = intrude;
  m.inside_data = &x;
  run(s, 0.5, 1);
  for (int i = 0; i < 7; i++) {
    ck_assert_int_eq(x.status[i], NSDYN_ERR_BUSY);
  }
  ck_assert(x.t == 0.0 && nsdyn_stepper_time(s) == 0.5 && nsdyn_stepper_q(s)[0] == 2.0);
  m.inside = NULL;
  run(s, 0.5, 1);
  nsdyn_stepper_free(s);
}
END_TEST

/* An impact changes velocities only. */
START_TEST(impacts_jump)
{
  model m;
  make_block(&m, 1.0, -20.0, 0.5);
  m.contact[0].law.eps_n = 0.5;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 4.0, (double[]){7.0, 0.0}, (double[]){3.0, -2.0}), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert(nsdyn_stepper_time(s) == 4.0 && nsdyn_stepper_q(s)[0] == 7.0 && nsdyn_stepper_q(s)[1] == 0.0);
  const nsdyn_contact_state c = state_of(s, 0);
  ck_assert_double_eq_tol(c.impulse[0], 2.0 * 3.0, 1e-14);
  ck_assert_double_eq_tol(c.impulse[1], -0.5 * 6.0, 1e-14);
  ck_assert(c.force[0] == 0.0 && c.active == 1 && c.mode == NSDYN_MODE_SLIP_PLUS);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 1.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 1.5, 1e-15);
  ck_assert(report_of(s).dt == 0.0 && report_of(s).steps == 0);
  const nsdyn_step_energy e = energy_of(s);
  ck_assert_double_eq_tol(e.after - e.before, e.normal + e.tangent, 1e-14);
  ck_assert(e.force == 0.0);
  nsdyn_stepper_free(s);
}
END_TEST

/* A slide down a ramp, with an impact before each step that finds nothing to do: what presses is not let go.
 */
START_TEST(impacts_in_vain_change_nothing)
{
  for (int k = 0; k < random_cases(50); k++) {
    random_state r = random_seed((uint64_t)k);
    const double angle = random_between(&r, 0.1, 1.2);
    model m;
    make_block(&m, 0.0, -19.62, 0.05);
    model_contact *c = &m.contact[0];
    c->n[0] = c->tangent[1] = sin(angle);
    c->n[1] = c->tangent[0] = cos(angle);
    c->tangent[1] *= -1.0;
    c->law.eps_n = 0.5;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
    int above = 0;
    for (int i = 0; i < 200; i++) {
      above += model_gap(c, 2, 0.0, nsdyn_stepper_q(s)) > 0.0;
      const double u[2] = {nsdyn_stepper_u(s)[0], nsdyn_stepper_u(s)[1]};
      ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
      REQUIRE(fabs(nsdyn_stepper_u(s)[0] - u[0]) + fabs(nsdyn_stepper_u(s)[1] - u[1]) < 1e-12, "a jump");
      run(s, 1e-3, 1);
      const double force = state_of(s, 0).force[0];
      REQUIRE(fabs(force - 19.62 * cos(angle)) < 1e-8, "case %d, step %d: %g N", k, i, force);
    }
    ck_assert_msg(k > 0 || above > 0, "this case does not show it");
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* 10^6 steps at rest: the block does not sink, nor creep under a force that friction holds. */
START_TEST(rest_stays_rest)
{
  model m;
  make_block(&m, 3.0, -19.62, 0.3);
  nsdyn_stepper *s = stepper_of(&m, NSDYN_CONSTANT_MASS, 0, NULL);
  set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, 0.0});
  const int steps = random_cases(1000000);
  for (int k = 0; k < steps; k++) {
    const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
    REQUIRE(status == NSDYN_OK, "step %d: %s", k, nsdyn_stepper_message(s));
  }
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], 0.0, 1e-12);
  ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-12);
  ck_assert_int_eq(report_of(s).warm, 1);
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("stepper/advance", TEST(equal_steps_end_on_a_grid), TEST(durations_that_are_none_are_refused),
      TEST(advance_takes_the_steps_of_step), TEST(observers_see_each_step_and_may_stop),
      TEST(the_progress_callback_may_cancel), TEST(failing_callbacks_leave_the_state_and_are_named),
      TEST(failed_steps_leave_the_grid), TEST(bad_constants_are_not_kept),
      TEST(masses_that_are_not_definite_are_refused), TEST(numbers_that_grow_too_large_are_named),
      TEST(callbacks_cannot_change_the_stepper_they_run_in), TEST(impacts_jump),
      TEST(impacts_in_vain_change_nothing), TEST(rest_stays_rest))
