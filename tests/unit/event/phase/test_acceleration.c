/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/phase/acceleration.h"

#include <math.h>
#include <string.h>

#include "contact/planar/states.h"
#include "event_models.h"
#include "support/callbacks.h"
#include "support/model.h"

enum { KNOWN = 4 };

/* A motion of a random system with all its known contacts closed, and some found ones. */
typedef struct moving {
  model m;
  nsdyn_system *sys;
  nsd_acceleration motion;
  nsd_arena arena;
  nsd_fault fault;
  double q[MODEL_MOST], u[MODEL_MOST];
} moving;

static void lay_out(moving *x)
{
  nsd_arena measure = nsd_arena_measure();
  nsd_acceleration counted;
  nsd_acceleration_init(&x->motion, x->sys, NULL, &x->fault);
  counted = x->motion;
  nsd_acceleration_lay_out(&measure, &counted);
  x->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&x->arena, &measure), NSDYN_OK);
  nsd_acceleration_lay_out(&x->arena, &x->motion);
  nsd_acceleration_forget(&x->motion);
  x->motion.bias_dt = 0x1p-8;
}

static void close_all(moving *x, int known, int found, random_state *r)
{
  nsd_scene *scene = &x->motion.scene;
  ck_assert_int_eq(nsd_acceleration_begin(&x->motion, known + found), NSDYN_OK);
  for (int i = 0; i < known + found; i++) {
    const nsd_closed contact = {.law = &x->m.contact[i].law,
                                .key = i < known ? i : x->m.contact[i].key,
                                .index = i < known ? i : -1,
                                .found = -1};
    const int32_t states[3] = {NSD_STATE_STICK, NSD_STATE_DOWN, NSD_STATE_UP};
    nsd_scene_close(scene, contact);
    scene->solution.state[i] =
        x->m.contact[i].law.friction == NSDYN_FRICTION_NONE ? NSD_STATE_DOWN : states[random_below(r, 3)];
    scene->problem.spec[i].sliding = scene->solution.state[i] == NSD_STATE_DOWN ? 1
                                     : scene->solution.state[i] == NSD_STATE_UP ? -1
                                                                                : 0;
  }
}

static void begin(moving *x, random_state *r, int nu, int known, int found, int constraints, int extra)
{
  model_random(&x->m, r, nu, known, found, constraints);
  for (int i = 0; i < known + found; i++) {
    model_contact *c = &x->m.contact[i];
    c->g0 = -1.0;
    c->law.mu = random_between(r, 0.0, 0.3);
    c->law.kind = NSDYN_CONTACT_UNILATERAL;
    c->law.friction = random_below(r, 4) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  }
  ck_assert_int_eq(model_system(&x->m, NULL, 0, extra, &x->sys), NSDYN_OK);
  nsd_fault_clear(&x->fault);
  lay_out(x);
  for (int j = 0; j < nu; j++) {
    x->q[j] = 0.3 * random_normal(r);
    x->u[j] = random_normal(r);
  }
  close_all(x, known, found, r);
}

static void end(moving *x)
{
  nsd_acceleration_release(&x->motion);
  nsd_arena_release(&x->arena);
  nsdyn_system_free(x->sys);
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* M u̇ = h + Wᵀλ with γ̇ = 0 wherever the pattern says so, λ_T = f μ λ_N where it slides. */
START_TEST(accelerations_fulfil_the_equations)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    static moving x;
    const int nu = 7 + random_below(&r, 2), known = random_below(&r, 3), found = random_below(&r, 2);
    begin(&x, &r, nu, known, found, nu > 7, k % 2 ? MODEL_SOLVES : 0);
    ck_assert_msg(nsd_acceleration_evaluate(&x.motion, 0.4, x.q, x.u) == NSDYN_OK, "seed %d: %s", k,
                  x.fault.message);
    const nsd_scene *scene = &x.motion.scene;
    double M[MODEL_MOST * MODEL_MOST], h[MODEL_MOST];
    model_mass(&x.m, x.q, M);
    model_force(&x.m, x.q, x.u, h);
    for (int j = 0; j < nu; j++) {
      double rest = dot(nu, M + j * nu, x.motion.a) - h[j], size = fabs(h[j]);
      for (int row = 0; row < scene->closed.rows; row++) {
        rest -= scene->directions.W[row * nu + j] * scene->solution.Lambda[row];
        size += fabs(scene->directions.W[row * nu + j] * scene->solution.Lambda[row]);
      }
      REQUIRE(fabs(rest) <= 1e-10 * (1.0 + size), "seed %d: %g", k, rest);
    }
    for (int i = 0; i < scene->closed.count; i++) {
      const nsd_closed *c = &scene->closed.contact[i];
      const model_contact *mc = &x.m.contact[i];
      const double x_n = dot(nu, mc->n, x.u), bias = mc->bend * x_n * x_n;
      const double normal = dot(nu, scene->directions.W + c->row * nu, x.motion.a) + bias;
      const double size = 1.0 + fabs(bias) + fabs(scene->solution.Lambda[c->row]);
      REQUIRE(fabs(normal) <= 1e-8 * size, "seed %d: γ̇_N = %g", k, normal);
      if (c->rows > 1 && scene->solution.state[i] == NSD_STATE_STICK) {
        REQUIRE(fabs(dot(nu, scene->directions.W + (c->row + 1) * nu, x.motion.a)) <= 1e-8 * size,
                "seed %d: γ̇_T", k);
      } else if (c->rows > 1) {
        const double f = scene->solution.state[i] == NSD_STATE_DOWN ? -1.0 : 1.0;
        REQUIRE(fabs(scene->solution.Lambda[c->row + 1] - f * mc->law.mu * scene->solution.Lambda[c->row]) <=
                    1e-12 * size,
                "seed %d", k);
      }
    }
    for (int j = 0; j < nu; j++) {
      REQUIRE(x.motion.qdot[j] == x.u[j], "seed %d", k);
    }
    end(&x);
  }
}
END_TEST

/* Differenced w̄ is as good as one that the user gives: rod and block have both. */
START_TEST(bias_is_differenced_to_rounding)
{
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod rod = {.m = 1.0, .l = random_scale(&r, 2.0), .mu = 0.1, .g = 9.81};
    double a[2][3], q[3] = {0.0, 0.0, random_between(&r, 0.3, 2.8)}, u[3];
    q[1] = 0.5 * rod.l * sin(q[2]);
    for (int j = 0; j < 3; j++) {
      u[j] = random_normal(&r) * (j < 2 ? rod.l : 1.0);
    }
    for (int given = 0; given < 2; given++) {
      driven s = rod_scene(&rod, 0.0, given);
      static moving x;
      x.sys = s.sys;
      nsd_fault_clear(&x.fault);
      lay_out(&x);
      const nsd_closed contact = {.law = &s.sys->laws[0], .found = -1};
      ck_assert_int_eq(nsd_acceleration_begin(&x.motion, 1), NSDYN_OK);
      nsd_scene_close(&x.motion.scene, contact);
      x.motion.scene.solution.state[0] = NSD_STATE_STICK;
      x.motion.scene.problem.spec[0].sliding = 0;
      ck_assert_int_eq(nsd_acceleration_evaluate(&x.motion, 0.0, q, u), NSDYN_OK);
      memcpy(a[given], x.motion.a, sizeof a[given]);
      nsd_acceleration_release(&x.motion);
      nsd_arena_release(&x.arena);
      scene_end(&s);
    }
    for (int j = 0; j < 3; j++) {
      const double size = (j < 2 ? rod.l : 1.0) * (9.81 / rod.l + u[2] * u[2] + 1.0);
      REQUIRE(fabs(a[0][j] - a[1][j]) <= 2e-12 * size, "seed %d: %g", k, (a[0][j] - a[1][j]) / size);
    }
  }
}
END_TEST

/* One sliding contact: p = 1 − s μ G_NT/G_NN; several: the ratio of two determinants, computed here by their
 * expansion. */
START_TEST(determinant_is_that_of_the_mode_matrix)
{
  const int cases = random_cases(500);
  int negative = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod rod = {.m = 1.0, .l = 1.0, .mu = random_between(&r, 0.0, 4.0), .g = 9.81};
    const int s_T = random_below(&r, 2) ? 1 : -1;
    const exact_rod_state state = exact_rod_on_table(&rod, random_between(&r, 0.1, 3.0), 0.0, s_T);
    const exact_one one = exact_rod_contact(&rod, &state);
    driven s = rod_scene(&rod, 0.0, 1);
    static moving x;
    x.sys = s.sys;
    lay_out(&x);
    const nsd_closed contact = {.law = &s.sys->laws[0], .found = -1};
    ck_assert_int_eq(nsd_acceleration_begin(&x.motion, 1), NSDYN_OK);
    nsd_scene_close(&x.motion.scene, contact);
    x.motion.scene.solution.state[0] = s_T > 0 ? NSD_STATE_DOWN : NSD_STATE_UP;
    x.motion.scene.problem.spec[0].sliding = s_T;
    x.motion.stuck[0] = 0;
    ck_assert_int_eq(nsd_acceleration_pose(&x.motion, 0.0, state.q, state.u), NSDYN_OK);
    ck_assert_int_eq(nsd_acceleration_friction(&x.motion), NSDYN_OK);
    const double p = exact_one_p(&one, s_T) / one.G[0][0];
    REQUIRE(fabs(nsd_acceleration_determinant(&x.motion) - p) <= 1e-12 * (1.0 + fabs(p)),
            "seed %d: %g, exact %g", k, nsd_acceleration_determinant(&x.motion), p);
    negative += p < 0.0;
    x.motion.stuck[0] = 1;
    ck_assert(nsd_acceleration_determinant(&x.motion) == 1.0);
    nsd_acceleration_release(&x.motion);
    nsd_arena_release(&x.arena);
    scene_end(&s);
  }
  ck_assert(is_common(negative, cases, 20));
}
END_TEST

/* A row follows from others where it is a sum of them. */
START_TEST(dependent_rows_are_seen)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    static moving x;
    const int nu = 3 + random_below(&r, 5);
    begin(&x, &r, nu, 0, 0, 0, 0);
    nsd_scene *scene = &x.motion.scene;
    const int rows = 2 + random_below(&r, 4), dependent = random_below(&r, 2);
    ck_assert_int_eq(nsd_acceleration_begin(&x.motion, 4), NSDYN_OK);
    scene->closed.rows = rows + 1;
    double V[7][MODEL_MOST], G[49];
    scene->problem.G = G;
    scene->problem.ldg = rows + 1;
    for (int i = 0; i <= rows; i++) {
      const double size = random_scale(&r, 4.0);
      for (int j = 0; j < nu; j++) {
        V[i][j] = size * random_normal(&r);
      }
    }
    if (dependent) {
      for (int j = 0; j < nu; j++) {
        V[rows][j] = 3.0 * V[0][j] - V[rows - 1][j];
      }
    }
    for (int i = 0; i <= rows; i++) {
      for (int j = 0; j <= rows; j++) {
        G[i * (rows + 1) + j] = dot(nu, V[i], V[j]);
      }
      x.motion.block_row[i] = i;
    }
    REQUIRE(nsd_acceleration_follows(&x.motion, rows, rows) == (dependent || rows >= nu), "seed %d", k);
    end(&x);
  }
}
END_TEST

START_TEST(what_callbacks_say_goes_out)
{
  const struct {
    int callback, code;
    nsdyn_status status;
  } cases[] = {{MODEL_CONFIGURE, -2, NSDYN_ERR_CALLBACK}, {MODEL_MASS, 3, NSDYN_ERR_CALLBACK_RETRY},
               {MODEL_FORCE, -2, NSDYN_ERR_CALLBACK},     {MODEL_DIRECTION, 1, NSDYN_ERR_CALLBACK_RETRY},
               {MODEL_FIND, -2, NSDYN_ERR_CALLBACK},      {MODEL_CONSTRAINT, -2, NSDYN_ERR_CALLBACK},
               {MODEL_FORCE, 0, NSDYN_ERR_NOT_FINITE},    {MODEL_DIRECTION, 0, NSDYN_ERR_NOT_FINITE},
               {MODEL_MASS, 0, NSDYN_ERR_NOT_FINITE}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    random_state r = random_seed(k);
    static moving x;
    begin(&x, &r, 6, 2, 1, 1, 0);
    x.m.fails = cases[k].callback;
    x.m.code = cases[k].code;
    x.m.value = NAN;
    x.m.where = 0;
    const nsdyn_status status = nsd_acceleration_evaluate(&x.motion, 0.0, x.q, x.u);
    ck_assert_msg(status == cases[k].status, "case %zu: %s, %s", k, nsdyn_status_name(status),
                  x.fault.message);
    ck_assert(strlen(x.fault.message) > 0);
    x.m.fails = MODEL_NONE;
    ck_assert_int_eq(nsd_acceleration_evaluate(&x.motion, 0.0, x.q, x.u), NSDYN_OK);
    end(&x);
  }
}
END_TEST

/* ---- a pusher that fails once ---- */

/* A slot whose gap is q − cos(ω t)/ω², differenced: a = −cos(ω t). */
typedef struct pusher {
  double omega;
  int calls, bad; /* of direction; the one that writes an infinity */
} pusher;

static int pusher_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 2.0;
  return 0;
}

static int pusher_gap(void *user, double t, const double *q, double *g)
{
  const pusher *p = user;
  g[0] = q[0] - cos(p->omega * t) / (p->omega * p->omega);
  return 0;
}

static int pusher_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  pusher *p = user;
  (void)q, (void)i;
  W[0] = 1.0;
  w_hat[0] = ++p->calls == p->bad ? -INFINITY : sin(p->omega * t) / p->omega;
  return 0;
}

/* The message names the callback that there is; and what was infinite leaves no trace in what follows. */
START_TEST(an_infinity_is_blamed_and_forgotten)
{
  int failed = 0;
  for (int bad = 1; bad < 200; bad++) {
    pusher p = {.omega = 6.0, .bad = bad};
    nsdyn_system_def def;
    nsdyn_system *sys;
    nsdyn_event_driver *driver;
    nsdyn_contact_law law;
    const double q = 1.0 / 36.0, u = 0.0;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &p;
    def.mass = pusher_mass;
    def.gap = pusher_gap;
    def.direction = pusher_direction;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    nsdyn_contact_law_init(&law, sizeof law);
    law.kind = NSDYN_CONTACT_BILATERAL;
    law.friction = NSDYN_FRICTION_NONE;
    ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, &q, &u), NSDYN_OK);
    if (nsdyn_event_driver_advance(driver, 0.9) != NSDYN_OK) {
      const char *message = nsdyn_event_driver_message(driver);
      ck_assert_msg(strstr(message, "direction") != NULL, "%s", message);
      failed++;
      ck_assert_int_eq(nsdyn_event_driver_advance(driver, 0.9), NSDYN_OK);
    }
    const double error = nsdyn_event_driver_a(driver)[0] + cos(6.0 * 0.9);
    ck_assert_msg(fabs(error) <= 1e-6, "call %d: a is off by %g", bad, error);
    nsdyn_event_driver_free(driver);
    nsdyn_system_free(sys);
  }
  ck_assert_int_ge(failed, 20);
}
END_TEST

/* ---- w̄ of a found contact ------------------------------------------------------------------------------ */

/* A bead of 1 kg slides without friction in a bowl of radius R: g = R − |q|, w_N = −q/|q|, and what its
 * direction turns by is w̄ = −|n × u|²/|q|. At the angle φ from below v² = v₀² − 2 g R (1 − cos φ), and the
 * bowl presses with λ = v²/R + g cos φ. */
typedef struct bowl {
  double R, g;
  int tells;       /* w̄, where it is asked */
  int asked, told; /* searches, and those that were given u */
} bowl;

static int bowl_force(void *user, double t, const double *q, const double *u, double *h)
{
  const bowl *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->g;
  return 0;
}

static int bowl_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  bowl *p = user;
  (void)t, (void)margin;
  const double r = sqrt(q[0] * q[0] + q[1] * q[1]);
  const double n[2] = {-q[0] / r, -q[1] / r};
  const nsdyn_contact_block whole = {0, 2, n};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 77;
  found.gap = p->R - r;
  found.blocks = 1;
  found.block = &whole;
  p->asked++;
  p->told += u != NULL;
  if (u && p->tells) {
    const double across = n[0] * u[1] - n[1] * u[0];
    found.w_bar[0] = -across * across / r;
  }
  return nsdyn_contact_sink_add(sink, &found);
}

static nsdyn_system *bowl_system(bowl *p)
{
  nsdyn_system_def def = table(2, 0, p);
  nsdyn_contact_law law = law_of(0.0, 0.0);
  nsdyn_system *sys;
  int32_t number;
  def.mass = unit_mass_2;
  def.force = bowl_force;
  def.find = bowl_find;
  law.friction = NSDYN_FRICTION_NONE;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
  return sys;
}

/* By how much the force at this state misses the closed form, relative to the largest there is. */
static double bowl_miss(const bowl *p, const double *q, double v_0, double force)
{
  const double cosine = -q[1] / p->R, square = v_0 * v_0 - 2.0 * p->g * p->R * (1.0 - cosine);
  return fabs(force - (square / p->R + p->g * cosine)) / (v_0 * v_0 / p->R + p->g);
}

/* Told or differenced, the accelerations are those of the curve; told, no search is made for it. */
START_TEST(a_found_contact_on_a_curve_has_its_w_bar)
{
  int asked[2] = {0};
  for (int k = 0; k < 20; k++) {
    random_state random = random_seed((uint64_t)k / 2);
    bowl p = {.R = random_between(&random, 0.3, 3.0), .g = 9.81, .tells = k % 2};
    driven s = {.sys = bowl_system(&p)};
    const double v_0 = sqrt(p.g * p.R) * random_between(&random, 0.5, 1.3), end = 2.0 * sqrt(p.R / p.g);
    const double q[2] = {0.0, -p.R}, u[2] = {v_0, 0.0};
    ck_assert_int_eq(nsdyn_event_driver_options_init(&s.options, sizeof s.options), NSDYN_OK);
    s.options.tol = 1e-11;
    scene_drive(&s, 0.0, q, u);
    for (int i = 1; i <= 8; i++) {
      scene_advance(&s, end * i / 8);
      ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 1);
      nsdyn_contact_state state = {.size = sizeof state};
      ck_assert_int_eq(nsdyn_event_driver_active_contact(s.driver, 0, &state), NSDYN_OK);
      const double miss = bowl_miss(&p, nsdyn_event_driver_q(s.driver), v_0, state.force[0]);
      REQUIRE(miss <= 1e-8, "case %d, %d: off by %g", k, i, miss);
    }
    ck_assert_int_gt(p.told, 0);
    asked[k % 2] += p.asked;
    scene_end(&s);
  }
  ck_assert_int_lt(3 * asked[1], asked[0]); /* six searches more per evaluation */
}
END_TEST

/* A time step needs no w̄: it asks for none, and its mean force is that of the curve to first order. */
START_TEST(steps_follow_a_found_curve_without_w_bar)
{
  double worst[2] = {0.0, 0.0};
  for (int k = 0; k < 2; k++) {
    bowl p = {.R = 0.7, .g = 9.81, .tells = 1};
    nsdyn_system *sys = bowl_system(&p);
    nsdyn_stepper *s;
    const double v_0 = 0.8 * sqrt(p.g * p.R), q[2] = {0.0, -p.R}, u[2] = {v_0, 0.0}, dt = k ? 5e-4 : 1e-3;
    nsdyn_stepper_options options;
    nsdyn_stepper_options_init(&options, sizeof options);
    options.check = 0; /* it asks with velocities */
    ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
    nsdyn_system_free(sys);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    for (int i = 0; i < (k ? 800 : 400); i++) {
      REQUIRE(nsdyn_stepper_step(s, dt) == NSDYN_OK, "step %d: %s", i, nsdyn_stepper_message(s));
      nsdyn_contact_state state = {.size = sizeof state};
      ck_assert_int_eq(nsdyn_stepper_found_contact(s, 77, &state), NSDYN_OK);
      ck_assert_int_eq(state.active, 1);
      if (i > 20) {
        worst[k] = fmax(worst[k], bowl_miss(&p, nsdyn_stepper_q(s), v_0, state.force[0]));
      }
    }
    ck_assert_int_eq(p.told, 0);
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(worst[0] < 1e-2 && worst[1] < 0.7 * worst[0], "%g, %g", worst[0], worst[1]);
}
END_TEST

/* ---- a yoke that dwells: φ = Ω t, x = r f(φ) on a rough floor; f rises within a quarter turn and rests for
 * the next, falls and rests, with three derivatives. As a polynomial of degree 7 f' rounds, where it vanishes
 * at the end of a rise, by hundreds of ulps. ---- */

typedef struct dwell {
  double r, omega, phase, t0;
} dwell;

static void dwelling(double phi, double *f)
{
  const double quarter = 1.5707963267948966, place = phi / quarter - 4.0 * floor(phi / (4.0 * quarter));
  const double s = place < 1.0 ? place : place < 2.0 ? 1.0 : place < 3.0 ? 3.0 - place : 0.0;
  const double side = place < 2.0 ? 1.0 / quarter : -1.0 / quarter;
  f[0] = s * s * s * s * (35.0 + s * (-84.0 + s * (70.0 - 20.0 * s)));
  f[1] = side * s * s * s * (140.0 + s * (-420.0 + s * (420.0 - 140.0 * s)));
  f[2] = side * side * s * s * (420.0 + s * (-1680.0 + s * (2100.0 - 840.0 * s)));
}

static int dwell_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[2] = -9.81;
  return 0;
}

static int dwell_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int dwell_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i, (void)w_hat;
  W[2] = W[4] = 1.0;
  return 0;
}

static int dwell_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const dwell *p = user;
  double f[3];
  dwelling(q[0], f);
  g_b[0] = q[0] - p->phase - p->omega * (t - p->t0);
  g_b[1] = q[1] - p->r * f[0];
  w_hat_b[0] = -p->omega;
  W_b[0] = W_b[4] = 1.0;
  W_b[3] = -p->r * f[1];
  return 0;
}

START_TEST(dwells_are_left_and_reached_at_any_tolerance)
{
  random_state random = random_seed(20260);
  for (int k = 0; k < 80; k++) {
    dwell p = {random_between(&random, 0.1, 2.0), random_between(&random, 0.5, 10.0),
               random_between(&random, 0.0, 6.0), k % 2 ? 1e6 : 0.0};
    nsdyn_system_def def = table(3, 1, &p);
    double f[3];
    def.mass = unit_mass_3;
    def.force = dwell_force;
    def.gap = dwell_gap;
    def.direction = dwell_direction;
    def.nconstraints = 2;
    def.constraint = dwell_constraint;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(random_between(&random, 0.01, 1.0), 0.0));
    s.options.tol = k % 4 < 2 ? 1e-12 : 1e-9;
    dwelling(p.phase, f);
    const double q[3] = {p.phase, p.r * f[0]}, u[3] = {p.omega, p.r * p.omega * f[1]};
    scene_drive(&s, p.t0, q, u);
    for (int i = 1; i <= 16; i++) {
      const double t = p.t0 + 14.0 / p.omega * (i / 16.0 - 0.02), size = p.r * p.omega * p.omega;
      scene_advance(&s, t);
      dwelling(p.phase + p.omega * (t - p.t0), f);
      /* forces, too, are those of this time, though a dwell may end the next moment */
      ck_assert_double_le(fabs(nsdyn_event_driver_u(s.driver)[1] - p.r * p.omega * f[1]),
                          1e-8 * p.r * p.omega);
      ck_assert_double_le(fabs(nsdyn_event_driver_a(s.driver)[1] - size * f[2]), 1e-4 * size);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/acceleration", TEST(a_found_contact_on_a_curve_has_its_w_bar),
      TEST(steps_follow_a_found_curve_without_w_bar), TEST(an_infinity_is_blamed_and_forgotten),
      TEST(accelerations_fulfil_the_equations), TEST(bias_is_differenced_to_rounding),
      TEST(determinant_is_that_of_the_mode_matrix), TEST(dependent_rows_are_seen),
      TEST(what_callbacks_say_goes_out), TEST(dwells_are_left_and_reached_at_any_tolerance))
