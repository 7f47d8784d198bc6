/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A machine whose mass matrix is told by diagonal blocks moves as the one whose matrix is told whole: through
 * contacts, constraints, impacts, projections, energies and saved states, by steps and from event to event.
 * And its memory goes by the number of its bodies. */
#include <math.h>
#include <stdlib.h>

#include "nsdyn/event.h"
#include "stepping.h"

/* One machine, told twice. */
typedef struct twins {
  model whole, blocks;
  double q[MODEL_MOST], u[MODEL_MOST];
} twins;

static void make_twins(twins *w, random_state *random)
{
  const int nu = 1 + random_below(random, MODEL_MOST), known = random_below(random, 3);
  const int found = random_below(random, 3), constraints = nu > 5 && random_below(random, 2);
  model_random(&w->whole, random, nu, known, found, constraints);
  model_cut(&w->whole, random);
  for (int i = 0; i < known + found; i++) {
    w->whole.contact[i].law.eps_n = 0.5 * random_below(random, 2);
  }
  for (int j = 0; j < nu; j++) {
    w->q[j] = random_between(random, -0.1, 0.1);
    w->u[j] = random_between(random, -1.0, 1.0);
  }
  w->blocks = w->whole;
  w->blocks.writes_blocks = 1;
}

/* Two states are the same but for rounding that `factor` steps or so have amplified. */
static void must_be_same(int n, const double *x, const double *y, double factor, const char *what, int seed)
{
  double size = 1.0;
  for (int j = 0; j < n; j++) {
    size = fmax(size, fabs(x[j]));
  }
  for (int j = 0; j < n; j++) {
    REQUIRE(fabs(x[j] - y[j]) <= factor * 0x1p-52 * size, "seed %d: %s %d is %.17g and %.17g", seed, what, j,
            x[j], y[j]);
  }
}

/* Steps from equal states, so that nothing is amplified from step to step. */
START_TEST(steps_are_those_of_the_whole_matrix)
{
  int solved = 0, projected = 0;
  for (int seed = 0; seed < random_cases(400); seed++) {
    random_state random = random_seed((uint64_t)seed);
    twins w;
    nsdyn_stepper_options options = stepper_defaults();
    make_twins(&w, &random);
    options.project = random_below(&random, 2);
    options.impact = random_below(&random, 2) ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    nsdyn_stepper *a = stepper_of(&w.whole, 0, 0, &options), *b = stepper_of(&w.blocks, 0, 0, &options);
    const int nu = w.whole.nu;
    set_state(a, w.q, w.u);
    set_state(b, w.q, w.u);
    for (int k = 0; k < 5; k++) {
      const nsdyn_status status = nsdyn_stepper_step(a, 1e-2);
      ck_assert_msg(nsdyn_stepper_step(b, 1e-2) == status, "seed %d, step %d: %s, not %s", seed, k,
                    nsdyn_stepper_message(b), nsdyn_status_name(status));
      if (status) {
        break;
      }
      solved++;
      projected += options.project;
      must_be_same(nu, nsdyn_stepper_u(a), nsdyn_stepper_u(b), 1e5, "u", seed);
      must_be_same(nu, nsdyn_stepper_q(a), nsdyn_stepper_q(b), 1e5, "q", seed);
      const nsdyn_step_energy whole = energy_of(a), blocks = energy_of(b);
      ck_assert_double_eq_tol(whole.after, blocks.after, 1e-10 * (1.0 + whole.after));
      ck_assert_double_eq_tol(whole.normal + whole.tangent, blocks.normal + blocks.tangent,
                              1e-10 * (1.0 + whole.after));
    }
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
  ck_assert_int_gt(solved, random_cases(400));
  ck_assert_int_gt(projected, random_cases(400) / 4);
}
END_TEST

/* A saved state goes on with the same bits, in steppers of both kinds. */
START_TEST(saved_states_go_on)
{
  for (int seed = 0; seed < random_cases(100); seed++) {
    random_state random = random_seed((uint64_t)seed);
    twins w;
    make_twins(&w, &random);
    nsdyn_stepper *s = stepper_of(&w.blocks, 0, 0, NULL);
    set_state(s, w.q, w.u);
    (void)nsdyn_stepper_step(s, 1e-2);
    const size_t bytes = nsdyn_stepper_save(s, NULL, 0);
    void *saved = malloc(bytes);
    ck_assert(saved && nsdyn_stepper_save(s, saved, bytes) == bytes);
    const nsdyn_status status = nsdyn_stepper_step(s, 1e-2);
    nsdyn_stepper *again = stepper_of(&w.blocks, 0, 0, NULL);
    ck_assert_int_eq(nsdyn_stepper_restore(again, saved, bytes), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_step(again, 1e-2), status);
    must_be_same(w.whole.nu, nsdyn_stepper_u(s), nsdyn_stepper_u(again), 0.0, "u", seed);
    must_be_same(w.whole.nu, nsdyn_stepper_q(s), nsdyn_stepper_q(again), 0.0, "q", seed);
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(again);
    free(saved);
  }
}
END_TEST

/* The impact at a state, and what makes a state consistent. */
START_TEST(impacts_and_consistent_states_are_those_of_the_whole_matrix)
{
  int struck = 0, made = 0;
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state random = random_seed((uint64_t)seed);
    twins w;
    make_twins(&w, &random);
    nsdyn_stepper *a = stepper_of(&w.whole, 0, 0, NULL), *b = stepper_of(&w.blocks, 0, 0, NULL);
    set_state(a, w.q, w.u);
    set_state(b, w.q, w.u);
    nsdyn_status status = nsdyn_stepper_impact(a);
    ck_assert_int_eq(nsdyn_stepper_impact(b), status);
    must_be_same(w.whole.nu, nsdyn_stepper_u(a), nsdyn_stepper_u(b), 1e5, "u", seed);
    struck += status == NSDYN_OK;
    set_state(a, w.q, w.u);
    set_state(b, w.q, w.u);
    status = nsdyn_stepper_consistent(a, NULL);
    ck_assert_int_eq(nsdyn_stepper_consistent(b, NULL), status);
    must_be_same(w.whole.nu, nsdyn_stepper_q(a), nsdyn_stepper_q(b), 1e6, "q", seed);
    must_be_same(w.whole.nu, nsdyn_stepper_u(a), nsdyn_stepper_u(b), 1e6, "u", seed);
    made += status == NSDYN_OK;
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
  ck_assert_int_gt(struck, random_cases(300) / 2);
  ck_assert_int_gt(made, random_cases(300) / 2);
}
END_TEST

/* With solve_mass beside it, M serves energies alone. */
START_TEST(energies_are_told_beside_solve_mass)
{
  for (int seed = 0; seed < random_cases(50); seed++) {
    random_state random = random_seed((uint64_t)seed);
    twins w;
    make_twins(&w, &random);
    nsdyn_stepper *a = stepper_of(&w.whole, 0, 0, NULL), *b = stepper_of(&w.blocks, 0, MODEL_SOLVES, NULL);
    set_state(a, w.q, w.u);
    set_state(b, w.q, w.u);
    if (nsdyn_stepper_step(a, 1e-2) == NSDYN_OK) {
      ck_assert_int_eq(nsdyn_stepper_step(b, 1e-2), NSDYN_OK);
      const nsdyn_step_energy whole = energy_of(a), blocks = energy_of(b);
      ck_assert(blocks.known);
      ck_assert_double_eq_tol(whole.after, blocks.after, 1e-10 * (1.0 + whole.after));
    }
    nsdyn_stepper_free(a);
    nsdyn_stepper_free(b);
  }
}
END_TEST

static nsdyn_event_driver *driver_of(model *m, const twins *w)
{
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.start_tol = INFINITY;
  ck_assert_int_eq(model_system(m, NULL, 0, 0, &sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &driver, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, w->q, w->u), NSDYN_OK);
  return driver;
}

/* Through impacts and changes of mode the two runs end at the same place, within the tolerance of the
 * integrator, having met the same events. */
START_TEST(events_are_those_of_the_whole_matrix)
{
  int solved = 0, events = 0;
  for (int seed = 0; seed < random_cases(200); seed++) {
    random_state random = random_seed((uint64_t)seed);
    twins w;
    make_twins(&w, &random);
    for (int i = 0; i < w.whole.contacts; i++) { /* to begin with nothing touches */
      w.whole.contact[i].g0 = w.blocks.contact[i].g0 = 0.1 + fabs(w.whole.contact[i].g0);
    }
    w.whole.constraints = w.blocks.constraints = 0;
    nsdyn_event_driver *a = driver_of(&w.whole, &w), *b = driver_of(&w.blocks, &w);
    const nsdyn_status status = nsdyn_event_driver_advance(a, 2.0);
    ck_assert_msg(nsdyn_event_driver_advance(b, 2.0) == status, "seed %d: %s, not %s", seed,
                  nsdyn_event_driver_message(b), nsdyn_status_name(status));
    if (status == NSDYN_OK) {
      nsdyn_event_energy whole = {.size = sizeof whole}, blocks = {.size = sizeof blocks};
      ck_assert_int_eq(nsdyn_event_driver_energy(a, &whole), NSDYN_OK);
      ck_assert_int_eq(nsdyn_event_driver_energy(b, &blocks), NSDYN_OK);
      ck_assert(whole.known && blocks.known);
      ck_assert_double_eq_tol(whole.kinetic, blocks.kinetic, 1e-7 * (1.0 + whole.kinetic));
      solved++;
      events += (int)nsdyn_event_driver_events(a);
      ck_assert_int_eq(nsdyn_event_driver_events(a), nsdyn_event_driver_events(b));
      must_be_same(w.whole.nu, nsdyn_event_driver_q(a), nsdyn_event_driver_q(b), 1e8, "q", seed);
      must_be_same(w.whole.nu, nsdyn_event_driver_u(a), nsdyn_event_driver_u(b), 1e8, "u", seed);
      /* A saved state goes on, restored twice, with the same bits. */
      const size_t bytes = nsdyn_event_driver_save(b, NULL, 0);
      void *saved = malloc(bytes);
      nsdyn_event_driver *again = driver_of(&w.blocks, &w), *once_more = driver_of(&w.blocks, &w);
      ck_assert(saved && nsdyn_event_driver_save(b, saved, bytes) == bytes);
      ck_assert_int_eq(nsdyn_event_driver_restore(again, saved, bytes), NSDYN_OK);
      ck_assert_int_eq(nsdyn_event_driver_restore(once_more, saved, bytes), NSDYN_OK);
      ck_assert_int_eq(nsdyn_event_driver_advance(again, 2.1), nsdyn_event_driver_advance(once_more, 2.1));
      must_be_same(w.whole.nu, nsdyn_event_driver_q(once_more), nsdyn_event_driver_q(again), 0.0, "q", seed);
      must_be_same(w.whole.nu, nsdyn_event_driver_u(once_more), nsdyn_event_driver_u(again), 0.0, "u", seed);
      nsdyn_event_driver_free(again);
      nsdyn_event_driver_free(once_more);
      free(saved);
    }
    nsdyn_event_driver_free(a);
    nsdyn_event_driver_free(b);
  }
  ck_assert_int_gt(solved, random_cases(200) / 2);
  ck_assert(is_common(events, random_cases(200), 2));
}
END_TEST

/* ---- memory ---- */

/* Bodies in the plane, q = (x, y, φ) of each. The first one rests on a floor; with `is_stacked` each other
 * one on the one below it. */
typedef struct crowd {
  int bodies, is_stacked, is_whole; /* is_whole: M is told as one matrix */
  int64_t bytes, most;
} crowd;

static int crowd_mass(void *user, double t, const double *q, double *M)
{
  const crowd *c = user;
  const size_t width = c->is_whole ? 3 * (size_t)c->bodies : 3;
  (void)t;
  for (int i = 0; i < c->bodies; i++, M += c->is_whole ? 3 * width + 3 : 9) {
    M[0] = M[width + 1] = 2.0;
    M[2] = M[2 * width] = 0.1 + 0.1 * q[3 * i + 2]; /* the centre of mass is off the point that is told */
    M[2 * width + 2] = 1.0;
  }
  return 0;
}

static int crowd_force(void *user, double t, const double *q, const double *u, double *h)
{
  const crowd *c = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < c->bodies; i++) {
    h[3 * i + 1] = -20.0;
  }
  return 0;
}

static int crowd_gap(void *user, double t, const double *q, double *g)
{
  const crowd *c = user;
  (void)t;
  g[0] = q[1];
  for (int i = 1; c->is_stacked && i < c->bodies; i++) {
    g[i] = q[3 * i + 1] - q[3 * i - 2] - 1.0;
  }
  return 0;
}

static int crowd_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const crowd *c = user;
  double *w_N = W + 3 * i, *w_T = w_N + 3 * c->bodies; /* of the body above */
  (void)t, (void)q;
  w_hat[0] = w_hat[1] = 0.0;
  w_N[1] = w_T[0] = 1.0;
  w_T[2] = 0.5; /* where it touches is below */
  if (i > 0) {
    w_N[-2] = w_T[-3] = -1.0;
    w_T[-1] = 0.5;
  }
  return 0;
}

static void *count_allocation(void *user, size_t bytes, size_t alignment)
{
  crowd *c = user;
  c->bytes += (int64_t)bytes;
  c->most = c->bytes > c->most ? c->bytes : c->most;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void count_release(void *user, void *memory, size_t bytes)
{
  crowd *c = user;
  c->bytes -= (int64_t)bytes;
  free(memory);
}

static nsdyn_system *crowd_system(crowd *c, nsdyn_context *ctx)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys;
  int32_t *sizes = malloc((size_t)c->bodies * sizeof *sizes);
  ck_assert(sizes != NULL);
  for (int i = 0; i < c->bodies; i++) {
    sizes[i] = 3;
  }
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.5;
  def.nq = def.nu = 3 * c->bodies;
  def.ncontacts = c->is_stacked ? c->bodies : 1;
  def.nblocks = c->is_whole ? 0 : c->bodies;
  def.block = sizes;
  def.user = c;
  def.mass = crowd_mass;
  def.force = crowd_force;
  def.gap = crowd_gap;
  def.direction = crowd_direction;
  ck_assert_int_eq(nsdyn_system_new(ctx, &def, &sys, NULL), NSDYN_OK);
  for (int i = 0; i < def.ncontacts; i++) {
    ck_assert_int_eq(nsdyn_system_set_contact(sys, i, &law), NSDYN_OK);
  }
  free(sizes);
  return sys;
}

enum { BY_STEPS, BY_EVENTS, CHECKED };

/* The most bytes that were in use at once in a run of so many bodies, or in a check of their callbacks. */
static int64_t most_bytes(int bodies, int how)
{
  crowd c = {.bodies = bodies};
  nsdyn_context_def memory;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&memory, sizeof memory);
  memory.user = &c;
  memory.allocate = count_allocation;
  memory.release = count_release;
  ck_assert_int_eq(nsdyn_context_new(&memory, &ctx, NULL), NSDYN_OK);
  nsdyn_system *sys = crowd_system(&c, ctx);
  const size_t n = 3 * (size_t)bodies;
  double *q = calloc(n, sizeof *q), *u = calloc(n, sizeof *u);
  ck_assert(q && u);
  for (size_t i = 1; i < (size_t)bodies; i++) {
    q[3 * i + 1] = 1.0;
  }
  if (how == CHECKED) {
    ck_assert_int_eq(nsdyn_system_check(sys, 0.0, q, u, NULL), NSDYN_OK);
  } else if (how == BY_EVENTS) {
    nsdyn_event_driver *driver;
    nsdyn_event_energy energy = {.size = sizeof energy};
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_advance(driver, 0.01), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_energy(driver, &energy), NSDYN_OK);
    nsdyn_event_driver_free(driver);
  } else {
    nsdyn_stepper *s;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = 1;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    set_state(s, q, u);
    run(s, 1e-3, 3);
    (void)energy_of(s);
    nsdyn_stepper_free(s);
  }
  free(q);
  free(u);
  nsdyn_system_free(sys);
  nsdyn_context_free(ctx);
  ck_assert_int_eq(c.bytes, 0);
  return c.most;
}

/* Ten times as many bodies take ten times the memory: some kilobytes each, where M alone would take 72 n. */
START_TEST(memory_goes_by_the_number_of_bodies)
{
  for (int how = BY_STEPS; how <= CHECKED; how++) {
    const int bodies = how == CHECKED ? 300 : 1000 + random_cases(2000); /* a check asks for each velocity */
    const int64_t few = most_bytes(bodies / 10, how), many = most_bytes(bodies, how);
    ck_assert_msg(many <= 10 * few, "%d: %lld bytes, and %lld", how, (long long)few, (long long)many);
    ck_assert_msg(many <= bodies * (how == BY_STEPS ? 2048 : 4096), "%d: %lld bytes a body", how,
                  (long long)many / bodies);
  }
}
END_TEST

/* A stack of many bodies: rows that touch two of forty blocks, G with as many zeros. Its top is pushed. */
START_TEST(stacks_are_those_of_the_whole_matrix)
{
  enum { BODIES = 40 };
  nsdyn_stepper *s[2];
  crowd c[2] = {{.bodies = BODIES, .is_stacked = 1}, {.bodies = BODIES, .is_stacked = 1, .is_whole = 1}};
  for (int k = 0; k < 2; k++) {
    double q[3 * BODIES] = {0.0}, u[3 * BODIES] = {0.0};
    nsdyn_system *sys = crowd_system(&c[k], NULL);
    const nsdyn_stepper_options options = stepper_defaults();
    for (int i = 0; i < BODIES; i++) {
      q[3 * i + 1] = i;
      u[3 * i] = 0.05 * i;
    }
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s[k], NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    set_state(s[k], q, u);
    run(s[k], 1e-3, 20);
  }
  ck_assert_int_eq(report_of(s[0]).active, BODIES);
  must_be_same(3 * BODIES, nsdyn_stepper_q(s[0]), nsdyn_stepper_q(s[1]), 1e6, "q", 0);
  must_be_same(3 * BODIES, nsdyn_stepper_u(s[0]), nsdyn_stepper_u(s[1]), 1e6, "u", 0);
  nsdyn_stepper_free(s[0]);
  nsdyn_stepper_free(s[1]);
}
END_TEST

SUITE("public/blocks", TEST(steps_are_those_of_the_whole_matrix), TEST(saved_states_go_on),
      TEST(impacts_and_consistent_states_are_those_of_the_whole_matrix),
      TEST(energies_are_told_beside_solve_mass), TEST(stacks_are_those_of_the_whole_matrix),
      TEST(events_are_those_of_the_whole_matrix), TEST(memory_goes_by_the_number_of_bodies))
