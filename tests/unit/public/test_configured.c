/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A system that computes what its callbacks share in `configure` lives on one promise: the configuration that
 * a callback gets is the one that was configured last. Every mover of a system keeps it. */
#include <math.h>
#include <string.h>

#include "nsdyn/study.h"
#include "stepping.h"

enum { MOST = 16 };

/* A table whose callbacks look whether they were configured. */
typedef struct watched {
  nsdyn_system_def def; /* the table within */
  const model *m;
  double t, q[MOST]; /* configured last */
  int is_set, calls, misses;
  int told;        /* of them: w̄ and T */
  const char *who; /* the first that was called for another configuration */
} watched;

static void look(watched *w, const char *who, double t, const double *q)
{
  int same = w->is_set && t == w->t;
  for (int i = 0; same && i < w->def.nq; i++) {
    same = q[i] == w->q[i];
  }
  w->calls++;
  w->who = !same && !w->misses ? who : w->who;
  w->misses += !same;
}

static int configure(void *user, double t, const double *q)
{
  watched *w = user;
  w->is_set = 1;
  w->t = t;
  memcpy(w->q, q, (size_t)w->def.nq * sizeof *q);
  return w->def.configure ? w->def.configure(w->def.user, t, q) : 0;
}

static int mass(void *user, double t, const double *q, double *M)
{
  watched *w = user;
  look(w, "mass", t, q);
  return w->def.mass(w->def.user, t, q, M);
}

static int solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  watched *w = user;
  look(w, "solve_mass", t, q);
  return w->def.solve_mass(w->def.user, t, q, nrhs, X);
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  watched *w = user;
  look(w, "force", t, q);
  return w->def.force(w->def.user, t, q, u, h);
}

static int gap(void *user, double t, const double *q, double *g)
{
  watched *w = user;
  look(w, "gap", t, q);
  return w->def.gap(w->def.user, t, q, g);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  watched *w = user;
  look(w, "direction", t, q);
  return w->def.direction(w->def.user, t, q, i, W, w_hat);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  watched *w = user;
  look(w, "find", t, q);
  return w->def.find(w->def.user, t, q, u, margin, sink);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  watched *w = user;
  look(w, "constraint", t, q);
  return w->def.constraint(w->def.user, t, q, g_b, W_b, w_hat_b);
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  watched *w = user;
  look(w, "kinematics", t, q);
  return w->def.kinematics(w->def.user, t, q, u, qdot);
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  watched *w = user;
  look(w, "retract", t, q);
  return w->def.retract(w->def.user, t, q, u, dt, q_new);
}

/* γ̇ = w_N u̇ + w̄ with w_N = (1 + κ nᵀq) nᵀ: w̄ = κ (nᵀu)². */
static double bias_of(const model_contact *c, int nu, const double *u)
{
  double speed = 0.0;
  for (int j = 0; j < nu; j++) {
    speed += c->n[j] * u[j];
  }
  return c->bend * speed * speed;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  watched *w = user;
  look(w, "bias", t, q);
  w->told++;
  w_bar[0] = bias_of(&w->m->contact[i], w->def.nu, u);
  return 0;
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  watched *w = user;
  look(w, "constraint_bias", t, q);
  w->told++;
  for (int i = 0; i < w->def.nconstraints; i++) {
    w_bar_b[i] = bias_of(&w->m->constraint[i], w->def.nu, u);
  }
  return 0;
}

static int kinetic(void *user, double t, const double *q, const double *u, double *T)
{
  watched *w = user;
  double M[MODEL_MOST * MODEL_MOST], sum = 0.0;
  look(w, "kinetic", t, q);
  w->told++;
  model_mass(w->m, q, M);
  for (int i = 0; i < w->def.nu; i++) {
    for (int j = 0; j < w->def.nu; j++) {
      sum += u[i] * M[i * w->def.nu + j] * u[j];
    }
  }
  *T = 0.5 * sum;
  return 0;
}

static int curve(void *user, double speed, double *mu)
{
  (void)user;
  *mu = 0.4 / (1.0 + speed);
  return 0;
}

/* The system of a random model, watched; `tells`: with w̄, and with T in place of M where it solves with M. */
static nsdyn_system *watch(watched *w, model *m, int extra, int tells)
{
  nsdyn_system *sys;
  *w = (watched){.def = model_def(m, 0, extra), .m = m};
  nsdyn_system_def def = w->def;
  def.user = w;
  def.configure = configure;
  const int has_mass = !(tells && def.solve_mass);
  def.mass = has_mass ? mass : NULL;
  def.kinetic = has_mass ? NULL : kinetic;
  def.bias = tells && def.ncontacts ? bias : NULL;
  def.constraint_bias = tells && def.nconstraints ? constraint_bias : NULL;
  def.solve_mass = def.solve_mass ? solve_mass : NULL;
  def.force = def.force ? force : NULL;
  def.gap = def.gap ? gap : NULL;
  def.direction = def.direction ? direction : NULL;
  def.find = def.find ? find : NULL;
  def.constraint = def.constraint ? constraint : NULL;
  def.kinematics = def.kinematics ? kinematics : NULL;
  def.retract = def.retract ? retract : NULL;
  ck_assert(def.nq <= MOST);
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  for (int i = 0; i < m->contacts; i++) {
    int32_t number;
    m->contact[i].law.curve = m->contact[i].law.friction == NSDYN_FRICTION_CURVE ? curve : NULL;
    if (i < m->known) {
      ck_assert_int_eq(nsdyn_system_set_contact(sys, i, &m->contact[i].law), NSDYN_OK);
    } else {
      ck_assert_int_eq(nsdyn_system_add_law(sys, &m->contact[i].law, &number), NSDYN_OK);
      m->contact[i].law_number = number;
    }
  }
  return sys;
}

static nsdyn_system *random_system(watched *w, model *m, random_state *random, int seed)
{
  static const int extras[6] = {
      0, MODEL_SOLVES, MODEL_MOVES, MODEL_RETRACTS, MODEL_SOLVES | MODEL_MOVES, MODEL_MOVES | MODEL_RETRACTS};
  const int nu = 2 + random_below(random, 5);
  model_random(m, random, nu, random_below(random, 4), random_below(random, 3),
               nu > 3 ? random_below(random, 3) : 0);
  return watch(w, m, extras[seed % 6], seed / 6 % 2);
}

static void random_state_of(random_state *random, int n, double size, double *x)
{
  for (int i = 0; i < n; i++) {
    x[i] = size * random_normal(random);
  }
}

START_TEST(steps_configure_what_callbacks_see)
{
  int good = 0, told = 0;
  for (int seed = 0; seed < random_cases(300); seed++) {
    random_state random = random_seed((uint64_t)seed);
    watched w;
    model m;
    double q[MOST], u[MOST];
    nsdyn_stepper *s;
    nsdyn_system *sys = random_system(&w, &m, &random, seed);
    nsdyn_stepper_options options = stepper_defaults();
    options.project = random_below(&random, 2);
    options.impact = random_below(&random, 2);
    options.inelastic = random_below(&random, 2);
    options.friction_rounds = random_below(&random, 3);
    options.dt = 0.01;
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    random_state_of(&random, m.nu, 0.3, q);
    random_state_of(&random, m.nu, 1.0, u);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.1, q, u), NSDYN_OK);
    nsdyn_status status = seed % 3 ? NSDYN_OK : nsdyn_stepper_consistent(s, NULL);
    for (int k = 0; k < 12 && !status; k++) {
      nsdyn_step_energy energy = {.size = sizeof energy};
      status = k == 5 ? nsdyn_stepper_impact(s) : nsdyn_stepper_step(s, k % 4 == 3 ? 0.004 : 0.01);
      REQUIRE(w.misses == 0, "seed %d, step %d: %s got what was not configured", seed, k, w.who);
      if (!status && k % 2) {
        (void)nsdyn_stepper_energy(s, &energy);
      }
      good += !status;
    }
    REQUIRE(w.misses == 0, "seed %d: %s got what was not configured, %d of %d calls", seed, w.who, w.misses,
            w.calls);
    told += w.told;
    nsdyn_stepper_free(s);
    nsdyn_system_free(sys);
  }
  ck_assert(is_common(good, 12 * random_cases(300), 36));
  ck_assert(is_common(told, random_cases(300), 15));
}
END_TEST

START_TEST(events_configure_what_callbacks_see)
{
  int good = 0, told = 0;
  for (int seed = 0; seed < random_cases(150); seed++) {
    random_state random = random_seed((uint64_t)seed);
    watched w;
    model m;
    double q[MOST], u[MOST];
    nsdyn_event_driver *d;
    nsdyn_system *sys = random_system(&w, &m, &random, seed);
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    options.tol = 1e-7;
    options.start_tol = INFINITY;
    options.max_steps = 400;
    options.impact = random_below(&random, 2);
    options.inelastic = 1;
    options.ambiguous = 1 + random_below(&random, 2);
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &d, NULL), NSDYN_OK);
    random_state_of(&random, m.nu, 0.3, q);
    random_state_of(&random, m.nu, 1.0, u);
    ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.1, q, u), NSDYN_OK);
    (void)nsdyn_event_driver_consistent(d, NULL);
    REQUIRE(w.misses == 0, "seed %d, consistent: %s got what was not configured", seed, w.who);
    good += nsdyn_event_driver_advance(d, 0.3) == NSDYN_OK;
    REQUIRE(w.misses == 0, "seed %d: %s got what was not configured, %d of %d calls", seed, w.who, w.misses,
            w.calls);
    told += w.told;
    nsdyn_event_driver_free(d);
    nsdyn_system_free(sys);
  }
  ck_assert(is_common(good, random_cases(150), 7));
  ck_assert(is_common(told, 2 * random_cases(150), 3));
}
END_TEST

START_TEST(checks_configure_what_callbacks_see)
{
  for (int seed = 0; seed < random_cases(60); seed++) {
    random_state random = random_seed((uint64_t)seed);
    watched w;
    model m;
    double q[MOST], u[MOST];
    nsdyn_system *sys = random_system(&w, &m, &random, seed);
    random_state_of(&random, m.nu, 0.3, q);
    random_state_of(&random, m.nu, 1.0, u);
    (void)nsdyn_system_check(sys, 0.1, q, u, NULL);
    REQUIRE(w.misses == 0, "seed %d: %s got what was not configured, %d of %d calls", seed, w.who, w.misses,
            w.calls);
    nsdyn_system_free(sys);
  }
}
END_TEST

SUITE("public/configured", TEST(steps_configure_what_callbacks_see),
      TEST(events_configure_what_callbacks_see), TEST(checks_configure_what_callbacks_see))
