/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/planar/states.h"
#include "stepper/adaptive.h"
#include "stepper/object.h"
#include "stepping.h"
#include "support/piles.h"
#include "system/saved.h"

/* A random model whose contacts open and close, with memory of friction. */
static nsdyn_stepper *lively(model *m, uint64_t seed)
{
  random_state random = random_seed(seed);
  const int nu = 2 + random_below(&random, 6);
  nsdyn_stepper *s =
      random_stepper(m, &random, nu, random_below(&random, 4), random_below(&random, 4), nu > 5, NULL);
  for (int i = 0; i < m->contacts; i++) {
    nsdyn_contact_law *law = &m->contact[i].law;
    law->friction = i % 2 ? NSDYN_FRICTION_STATIC : NSDYN_FRICTION_COULOMB;
    law->mu_static = 1.5 * law->mu;
    ck_assert_int_eq(i < m->known ? nsdyn_system_set_contact(s->sys, i, law)
                                  : nsdyn_system_set_law(s->sys, m->contact[i].law_number, law),
                     NSDYN_OK);
  }
  return s;
}

static void *save(const nsdyn_stepper *s, size_t *size)
{
  *size = nsdyn_stepper_save(s, NULL, 0);
  void *bytes = malloc(*size);
  ck_assert_ptr_nonnull(bytes);
  ck_assert_uint_eq(nsdyn_stepper_save(s, bytes, *size), *size);
  return bytes;
}

/* Saved after any number of steps and taken up by another stepper, a run goes on with the same bits. */
START_TEST(a_restored_run_has_the_same_bits)
{
  const int cases = random_cases(150);
  for (int seed = 0; seed < cases; seed++) {
    model m, n;
    nsdyn_stepper *s = lively(&m, (uint64_t)seed), *t = lively(&n, (uint64_t)seed);
    const int nu = m.nu;
    run(t, 3e-3, 7); /* somewhere else, with other modes */
    for (int part = 0; part < 4; part++) {
      size_t size;
      run(s, 5e-3, 1 + (seed + part) % 9);
      void *bytes = save(s, &size);
      REQUIRE(nsdyn_stepper_restore(t, bytes, size) == NSDYN_OK, "seed %d: %s", seed,
              nsdyn_stepper_message(t));
      free(bytes);
      REQUIRE(nsdyn_stepper_time(t) == nsdyn_stepper_time(s), "seed %d", seed);
      for (int k = 0; k < 10; k++) {
        run(s, 5e-3, 1);
        run(t, 5e-3, 1);
        REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(t), (size_t)nu * sizeof(double)) == 0 &&
                    memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(t), (size_t)nu * sizeof(double)) == 0,
                "seed %d: step %d", seed, k);
        REQUIRE(nsdyn_stepper_time(t) == nsdyn_stepper_time(s), "seed %d", seed);
        REQUIRE(report_of(s).warm == report_of(t).warm && report_of(s).steps == report_of(t).steps, "seed %d",
                seed);
      }
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
  }
}
END_TEST

/* A pile, whose contacts are known in advance and closed at q = 0, under its load, which changes a little. */
typedef struct known_pile {
  pile p;
  double dt, share; /* in which the load gives the bodies the velocities p.u; of it that changes */
} known_pile;

static int known_pile_mass(void *user, double t, const double *q, double *M)
{
  const known_pile *own = user;
  (void)t, (void)q;
  for (int j = 0; j < own->p.nu; j++) {
    M[(size_t)j * ((size_t)own->p.nu + 1)] = own->p.M[j];
  }
  return 0;
}

static int known_pile_force(void *user, double t, const double *q, const double *u, double *h)
{
  const known_pile *own = user;
  (void)q, (void)u;
  for (int j = 0; j < own->p.nu; j++) {
    h[j] = own->p.M[j] * own->p.u[j] / own->dt * (1.0 + own->share * sin(0.7 * t / own->dt + j % 7));
  }
  return 0;
}

static int known_pile_gap(void *user, double t, const double *q, double *g)
{
  const known_pile *own = user;
  const int nu = own->p.nu;
  (void)t;
  for (int i = 0; i < own->p.contacts; i++) {
    g[i] = 0.0;
    for (int j = 0; j < nu; j++) {
      g[i] += own->p.W[2 * (size_t)i * (size_t)nu + (size_t)j] * q[j];
    }
  }
  return 0;
}

static int known_pile_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const known_pile *own = user;
  const size_t nu = (size_t)own->p.nu;
  (void)t, (void)q;
  memcpy(W, own->p.W + 2 * (size_t)i * nu, 2 * nu * sizeof *W);
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

static nsdyn_stepper *pile_stepper(known_pile *own, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = own->p.nu;
  def.ncontacts = own->p.contacts;
  def.user = own;
  def.mass = known_pile_mass;
  def.force = known_pile_force;
  def.gap = known_pile_gap;
  def.direction = known_pile_direction;
  return stepper_for(&def, &own->p.laws[0], options);
}

/* So does one of hundreds of redundant contacts, whose steps begin with the impulses before: those of the
 * last step, also where the same contacts stay closed for long. */
START_TEST(a_restored_pile_has_the_same_bits)
{
  for (int seed = 0; seed < random_cases(4); seed++) {
    random_state random = random_seed((uint64_t)seed);
    known_pile own = {
        .p = pile_make(seed % 2 ? PILE_RUBBLE : PILE_WALL, seed % 3 ? PILE_REST : PILE_SHAKE, 100, &random),
        .dt = 1e-3,
        .share = 0.7};
    ck_assert_int_gt(own.p.rows, 160);
    const nsdyn_stepper_options options = stepper_defaults();
    nsdyn_stepper *s = pile_stepper(&own, &options), *t = pile_stepper(&own, &options);
    const size_t bytes_of_u = (size_t)own.p.nu * sizeof(double);
    double *zero = calloc((size_t)own.p.nu, sizeof *zero);
    ck_assert_ptr_nonnull(zero);
    set_state(s, zero, zero);
    run(s, own.dt, 20 + seed);
    size_t size, sizes[2];
    void *bytes = save(s, &size);
    REQUIRE(nsdyn_stepper_restore(t, bytes, size) == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(t));
    for (int k = 0; k < 50; k++) {
      run(s, own.dt, 1);
      run(t, own.dt, 1);
      REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(t), bytes_of_u) == 0 &&
                  memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(t), bytes_of_u) == 0,
              "seed %d: step %d", seed, k);
    }
    void *a = save(s, &sizes[0]), *b = save(t, &sizes[1]);
    REQUIRE(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0, "seed %d: bytes", seed);
    free(a);
    free(b);
    free(bytes);
    free(zero);
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
    pile_free(&own.p);
  }
}
END_TEST

/* So does one whose steps follow the motion, by any scheme: the next step is as long as it would have been.
 */
START_TEST(a_restored_adaptive_run_has_the_same_bits)
{
  const int cases = random_cases(60);
  for (int seed = 0; seed < cases; seed++) {
    model m, n;
    nsdyn_stepper *s = lively(&m, (uint64_t)seed), *t = lively(&n, (uint64_t)seed);
    const size_t bytes_of_u = (size_t)m.nu * sizeof(double);
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = seed % 6;
    options.project = seed / 6 % 2;
    options.dt = 2e-2;
    options.advance_tol = 1e-6;
    options.shortest = 0x1p-6;
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_options(t, &options), NSDYN_OK);
    for (int part = 0; part < 3; part++) {
      size_t size, sizes[2];
      if (nsdyn_stepper_advance(s, nsdyn_stepper_time(s) + 0.013 * (part + 1))) {
        break; /* a model that has no way on */
      }
      unsigned char *bytes = save(s, &size);
      REQUIRE(nsdyn_stepper_restore(t, bytes, size) == NSDYN_OK, "seed %d: %s", seed,
              nsdyn_stepper_message(t));
      /* Lengths and sizes that no stepper has are refused, and change nothing. */
      const double bad[2] = {NAN, -1.0};
      const size_t last = size - sizeof(uint64_t), first = last - nsd_adaptive_bytes(&s->sys->def);
      memcpy(bytes + (seed % 2 ? first : last - sizeof bad[0]), &bad[part % 2], sizeof bad[0]);
      nsd_saved_seal(bytes, size);
      REQUIRE(nsdyn_stepper_restore(t, bytes, size) == NSDYN_ERR_ARGUMENT, "seed %d", seed);
      free(bytes);
      const double end = nsdyn_stepper_time(s) + 0.021;
      const nsdyn_status status = nsdyn_stepper_advance(s, end);
      REQUIRE(nsdyn_stepper_advance(t, end) == status, "seed %d: %s", seed, nsdyn_stepper_message(t));
      REQUIRE(memcmp(nsdyn_stepper_q(s), nsdyn_stepper_q(t), bytes_of_u) == 0 &&
                  memcmp(nsdyn_stepper_u(s), nsdyn_stepper_u(t), bytes_of_u) == 0 &&
                  nsdyn_stepper_time(s) == nsdyn_stepper_time(t) && report_of(s).steps == report_of(t).steps,
              "seed %d, part %d", seed, part);
      void *a = save(s, &sizes[0]), *b = save(t, &sizes[1]);
      REQUIRE(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0, "seed %d, part %d: bytes", seed, part);
      free(a);
      free(b);
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
  }
}
END_TEST

/* The same run gives the same bytes. */
START_TEST(states_are_reproducible)
{
  for (int seed = 0; seed < random_cases(50); seed++) {
    model m, n;
    size_t sizes[2];
    nsdyn_stepper *s = lively(&m, (uint64_t)seed), *t = lively(&n, (uint64_t)seed);
    run(s, 5e-3, 30);
    run(t, 5e-3, 30);
    void *a = save(s, &sizes[0]), *b = save(t, &sizes[1]);
    ck_assert_uint_eq(sizes[0], sizes[1]);
    REQUIRE(memcmp(a, b, sizes[0]) == 0, "seed %d", seed);
    free(a);
    free(b);
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(t);
  }
}
END_TEST

START_TEST(too_little_room_writes_nothing)
{
  model m;
  make_block(&m, 0.0, -1.0, 0.5);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  unsigned char bytes[512];
  memset(bytes, 0x5a, sizeof bytes);
  const size_t size = nsdyn_stepper_save(s, NULL, 0);
  ck_assert(size > 0 && size < sizeof bytes);
  ck_assert_uint_eq(nsdyn_stepper_save(s, bytes, size - 1), size);
  for (size_t i = 0; i < sizeof bytes; i++) {
    ck_assert(bytes[i] == 0x5a);
  }
  ck_assert_uint_eq(nsdyn_stepper_save(NULL, bytes, sizeof bytes), 0);
  nsdyn_stepper_free(s);
}
END_TEST

/* Any byte that is changed, any cut, is noticed, and nothing is taken over. */
START_TEST(damage_is_noticed)
{
  model m;
  make_block(&m, 0.0, -1.0, 0.5);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  unsigned char good[512], bad[513];
  run(s, 0.1, 2);
  const size_t size = nsdyn_stepper_save(s, good, sizeof good);
  for (size_t i = 0; i < size; i++) {
    memcpy(bad, good, size);
    bad[i] ^= 0x10;
    REQUIRE(nsdyn_stepper_restore(s, bad, size) == NSDYN_ERR_ARGUMENT, "byte %zu", i);
    REQUIRE(nsdyn_stepper_message(s)[0] != '\0', "byte %zu", i);
    REQUIRE(nsdyn_stepper_restore(s, good, i) == NSDYN_ERR_ARGUMENT, "cut at %zu", i);
  }
  memcpy(bad, good, size);
  ck_assert_int_eq(nsdyn_stepper_restore(s, bad, size + 1), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_restore(s, NULL, size), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_stepper_restore(NULL, good, size), NSDYN_ERR_ARGUMENT);
  ck_assert_double_eq(nsdyn_stepper_time(s), 0.2);
  ck_assert_int_eq(s->history.known_count, 1);
  ck_assert_int_eq(nsdyn_stepper_restore(s, good, size), NSDYN_OK);
  nsdyn_stepper_free(s);
}
END_TEST

START_TEST(states_of_other_systems_are_refused)
{
  model m, n;
  model_clear(&m, 2);
  model_clear(&n, 3);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL), *t = stepper_of(&n, 0, 0, NULL);
  unsigned char bytes[512];
  const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
  ck_assert_int_eq(nsdyn_stepper_restore(t, bytes, size), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_stepper_message(t), "other sizes") != NULL, "%s", nsdyn_stepper_message(t));
  nsdyn_stepper_free(s);
  nsdyn_stepper_free(t);
}
END_TEST

/* Bytes whose checksum is right, though no stepper wrote them. */
START_TEST(numbers_no_stepper_has_are_refused)
{
  model m;
  make_block(&m, 0.0, -1.0, 0.5);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  unsigned char bytes[512];
  run(s, 0.1, 1);
  s->u[1] = 1.0 / 0.0;
  size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
  ck_assert_int_eq(nsdyn_stepper_restore(s, bytes, size), NSDYN_ERR_ARGUMENT);
  ck_assert_msg(strstr(nsdyn_stepper_message(s), "numbers that no stepper has") != NULL, "%s",
                nsdyn_stepper_message(s));
  s->u[1] = 0.0;
  s->history.trace[0] = 16 * NSD_STATES;
  size = nsdyn_stepper_save(s, bytes, sizeof bytes);
  ck_assert_int_eq(nsdyn_stepper_restore(s, bytes, size), NSDYN_ERR_ARGUMENT);
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- attempts that come to nothing ---- */

/* A random model with every law, as flags and the other callbacks allow it, under random options. */
static nsdyn_stepper *any_stepper(model *m, uint64_t seed)
{
  random_state r = random_seed(seed);
  const int nu = 2 + random_below(&r, 5);
  nsdyn_stepper_options options = stepper_defaults();
  int64_t flags = 0;
  model_random(m, &r, nu, random_below(&r, 4), random_below(&r, 3), nu > 2 && random_below(&r, 3) == 0);
  if (random_below(&r, 2)) {
    flags |= NSDYN_CONSTANT_MASS;
    memset(m->s, 0, sizeof m->s);
  }
  if (random_below(&r, 2)) {
    flags |= NSDYN_CONSTANT_DIRECTIONS;
  }
  for (int i = 0; i < m->contacts; i++) {
    nsdyn_contact_law *law = &m->contact[i].law;
    law->friction = random_below(&r, 5);
    law->mu_static = 1.5 * law->mu;
    law->bound = 0.3;
    law->eps_n = law->eps_t = 0.5 * random_below(&r, 2);
    law->kind = random_below(&r, 8) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    m->contact[i].bend = flags & NSDYN_CONSTANT_DIRECTIONS ? 0.0 : m->contact[i].bend;
  }
  options.impact = random_below(&r, 2);
  options.count = random_below(&r, 4) == 0;
  options.project = random_below(&r, 3) == 0;
  options.friction_rounds = random_below(&r, 3);
  options.inelastic = random_below(&r, 2);
  nsdyn_stepper *s = stepper_of(m, flags, random_below(&r, 8), &options);
  double q[MODEL_MOST], u[MODEL_MOST];
  for (int j = 0; j < nu; j++) {
    q[j] = random_between(&r, -0.1, 0.1);
    u[j] = random_between(&r, -1.0, 1.0);
  }
  set_state(s, q, u);
  return s;
}

/* A step or an impact in which a callback returns a code or writes what is no number. Where that does not
 * matter and the attempt succeeds, the state of before is restored. */
static void attempt(nsdyn_stepper *s, model *m, random_state *r, int seed)
{
  size_t size, after;
  void *bytes = save(s, &size);
  const int way = random_below(r, 4);
  m->fails = 1 + random_below(r, MODEL_CALLBACKS); /* the last is none */
  m->code = way == 0 ? -7 : way == 1 ? 5 : 0;
  m->value = way == 2 ? NAN : INFINITY;
  const nsdyn_status status =
      random_below(r, 4) ? nsdyn_stepper_step(s, 1e-2 / (1 + random_below(r, 3))) : nsdyn_stepper_impact(s);
  m->fails = MODEL_NONE;
  if (status == NSDYN_OK) {
    ck_assert_int_eq(nsdyn_stepper_restore(s, bytes, size), NSDYN_OK);
  } else {
    REQUIRE(nsdyn_stepper_message(s)[0] != '\0', "seed %d: a failure without a message", seed);
  }
  void *now = save(s, &after);
  REQUIRE(after == size && memcmp(bytes, now, size) == 0, "seed %d: %s", seed, nsdyn_stepper_message(s));
  free(now);
  free(bytes);
}

/* Whatever was tried between two steps: they have the bits of a run in which nothing was. */
START_TEST(attempts_leave_no_trace)
{
  const int cases = random_cases(300);
  int steps = 0;
  for (int seed = 0; seed < cases; seed++) {
    static model m, n;
    random_state r = random_seed((uint64_t)seed);
    nsdyn_stepper *s = any_stepper(&m, (uint64_t)seed), *twin = any_stepper(&n, (uint64_t)seed);
    for (int k = 0; k < 40; k++) {
      for (int tries = random_below(&r, 3); tries > 0; tries--) {
        attempt(s, &m, &r, seed);
      }
      const nsdyn_status status = nsdyn_stepper_step(s, 1e-2);
      REQUIRE(nsdyn_stepper_step(twin, 1e-2) == status, "seed %d, step %d: %s", seed, k,
              nsdyn_stepper_message(s));
      size_t sizes[2];
      void *a = save(s, &sizes[0]), *b = save(twin, &sizes[1]);
      REQUIRE(sizes[0] == sizes[1] && memcmp(a, b, sizes[0]) == 0, "seed %d, step %d", seed, k);
      free(a);
      free(b);
      if (status) {
        REQUIRE(status > 0, "seed %d, step %d: %s", seed, k, nsdyn_stepper_message(s));
        break;
      }
      steps++;
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(twin);
  }
  ck_assert_int_ge(steps, 30 * cases);
}
END_TEST

SUITE("stepper/save", TEST(a_restored_run_has_the_same_bits), TEST(a_restored_pile_has_the_same_bits),
      TEST(a_restored_adaptive_run_has_the_same_bits), TEST(states_are_reproducible),
      TEST(too_little_room_writes_nothing), TEST(damage_is_noticed),
      TEST(states_of_other_systems_are_refused), TEST(numbers_no_stepper_has_are_refused),
      TEST(attempts_leave_no_trace))
