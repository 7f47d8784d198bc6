/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "contact/object.h"
#include "stepper/object.h"
#include "stepping.h"
#include "support/callbacks.h"

/* One contact without friction: both laws turn −v to ε v, whatever forces act in the step, as long as two
 * steps of them do not make v. */
START_TEST(a_ball_without_friction_knows_one_law)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    const double eps = random_between(&r, 0.0, 1.0), speed = random_scale(&r, 3.0);
    model m;
    model_clear(&m, 1);
    m.M0[0] = random_scale(&r, 6.0);
    /* Upwards they may be as large as they like until the contact opens. */
    m.f[0] = -random_between(&r, -0.4999, 0.4999) * m.M0[0] * speed / 1e-2;
    model_add_contact(&m, 0.0, 0, -1, 0.0, eps);
    double after[2];
    for (int law = 0; law < 2; law++) {
      const nsdyn_stepper_options options = by_law(law);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, (double[]){0.0}, (double[]){-speed});
      run(s, 1e-2, 1);
      after[law] = nsdyn_stepper_u(s)[0];
      nsdyn_stepper_free(s);
    }
    REQUIRE(fabs(after[0] - eps * speed) <= 1e-14 * speed && fabs(after[1] - eps * speed) <= 1e-14 * speed,
            "case %d: %.17g and %.17g, not %.17g", k, after[0], after[1], eps * speed);
  }
}
END_TEST

/* A ball that falls: the same places, impact after impact, to rounding. */
START_TEST(bounces_are_the_same)
{
  model m;
  model_clear(&m, 1);
  m.f[0] = -9.81;
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.8);
  const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  nsdyn_stepper *newton = stepper_of(&m, 0, 0, NULL), *poisson = stepper_of(&m, 0, 0, &options);
  set_state(newton, (double[]){1.0}, (double[]){0.0});
  set_state(poisson, (double[]){1.0}, (double[]){0.0});
  int impacts = 0;
  for (int k = 0; k < 3000; k++) { /* eight impacts */
    run(newton, 1e-3, 1);
    run(poisson, 1e-3, 1);
    impacts += nsdyn_stepper_active(newton);
    REQUIRE(fabs(nsdyn_stepper_q(newton)[0] - nsdyn_stepper_q(poisson)[0]) < 1e-12, "step %d", k);
  }
  ck_assert_int_eq(impacts, 7);
  nsdyn_stepper_free(newton);
  nsdyn_stepper_free(poisson);
}
END_TEST

/* A block at rest does not hop, whatever ε; nor one that slides. */
START_TEST(weight_is_not_given_back)
{
  model m;
  make_block(&m, 1.0, -19.62, 0.1);
  m.contact[0].law.eps_n = 1.0;
  const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
  for (int k = 0; k < 500; k++) {
    run(s, 1e-3, 1);
    const nsdyn_contact_state c = state_of(s, 0);
    REQUIRE(fabs(c.force[0] - 19.62) < 1e-9, "step %d: %g N", k, c.force[0]);
    REQUIRE(report_of(s).rounds == 1, "step %d: expansion without a collision", k);
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* ---- a bead in a bowl, y = x²/2 ---- */

static int bowl_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1] - 0.5 * q[0] * q[0];
  return 0;
}

static int bowl_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  W[0] = -q[0];
  W[1] = 1.0;
  w_hat[0] = 0.0;
  return 0;
}

/* Its velocity at a step's beginning points into the bowl's wall, by curvature: that is no collision. */
START_TEST(what_presses_on_a_curve_does_not_collide)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS;
  def.mass = unit_mass_2;
  def.force = weight_of_q1;
  def.gap = bowl_gap;
  def.direction = bowl_direction;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 0.9;
  nsdyn_system *sys;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, &law), NSDYN_OK);
  const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  nsdyn_stepper *s;
  ck_assert_int_eq(nsdyn_stepper_new(NULL, sys, &options, &s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(s, (double[]){-1e-4, 0.0}, (double[]){1.0, 0.0}); /* the first step passes the lowest point */
  int collisions = 0, approaches = 0;
  for (int k = 0; k < 2000; k++) {
    run(s, 1e-3, 1);
    const nsdyn_contact_state c = state_of(s, 0);
    REQUIRE(c.active && c.mode != NSDYN_MODE_OPEN, "step %d: it has left the bowl", k);
    collisions += report_of(s).rounds > 1;
    approaches += c.before[0] < 0.0;
  }
  ck_assert_int_le(collisions, 1);
  ck_assert_int_gt(approaches, 1500);
  nsdyn_stepper_free(s);
}
END_TEST

/* The example of nsdyn/contact.h, in a step without forces and in an impact: γ⁺ = (1.6, −0.36). */
START_TEST(skins_turn_the_slide_round)
{
  for (int is_impact = 0; is_impact < 2; is_impact++) {
    model m;
    make_block(&m, 0.0, 0.0, 0.4);
    m.M0[0] = 2.0 / 7.0;
    m.M0[3] = 1.0;
    m.contact[0].law.eps_n = 0.8;
    m.contact[0].law.eps_t = 0.9;
    m.contact[0].law.reversal = 1.0;
    const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, (double[]){0.0, 0.0}, (double[]){0.5, -2.0});
    ck_assert_int_eq(is_impact ? nsdyn_stepper_impact(s) : nsdyn_stepper_step(s, 1e-3), NSDYN_OK);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 1.6, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], -0.36, 1e-15);
    const nsdyn_contact_state c = state_of(s, 0);
    ck_assert_double_eq_tol(c.impulse[0], 3.6, 1e-14);
    ck_assert_int_eq(c.mode, NSDYN_MODE_SLIP_MINUS);
    const nsdyn_step_energy e = energy_of(s);
    ck_assert_double_eq_tol(e.after - e.before, e.normal + e.tangent, 1e-15);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A friction force of given bound acts in the step as it did, and is not given back. */
START_TEST(given_bounds_are_spent_in_compression)
{
  model m;
  make_block(&m, 0.0, 0.0, 0.0);
  m.contact[0].law.friction = NSDYN_FRICTION_BOUND;
  m.contact[0].law.bound = 3.0;
  m.contact[0].law.eps_n = 0.5;
  m.contact[0].law.eps_t = 1.0;
  m.contact[0].law.reversal = 1.0;
  const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, -1.0});
  run(s, 1e-2, 1);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 1.0 - 3.0 * 1e-2 / 2.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.5, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* Approaches below the threshold are no collision. */
START_TEST(slow_approaches_store_nothing)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
  nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  options.threshold = 0.1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  const double speeds[] = {-0.2, -0.1, -0.0999}, after[] = {0.1, 0.05, 0.0};
  for (int i = 0; i < 6; i++) {
    set_state(s, (double[]){0.0}, &speeds[i / 2]);
    ck_assert_int_eq(i % 2 ? nsdyn_stepper_impact(s) : nsdyn_stepper_step(s, 1e-3), NSDYN_OK);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], after[i / 2], 1e-16);
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* The wedge that locks, where Newton's law has no solution: Poisson's throws the particle back. */
START_TEST(wedges_that_lock_have_a_solution)
{
  const double half = sqrt(0.5);
  for (int is_impact = 0; is_impact < 2; is_impact++) {
    model m;
    model_clear(&m, 2);
    for (int i = 0; i < 2; i++) {
      model_contact *c = model_add_contact(&m, 0.0, 0, 0, 2.0, 0.5);
      c->n[0] = i ? -half : half;
      c->n[1] = half;
      c->tangent[0] = half;
      c->tangent[1] = i ? half : -half;
    }
    for (int law = 0; law < 2; law++) {
      const nsdyn_stepper_options options = by_law(law);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, (double[]){0.0, 0.0}, (double[]){0.0, -1.0});
      const nsdyn_status status = is_impact ? nsdyn_stepper_impact(s) : nsdyn_stepper_step(s, 1e-3);
      ck_assert_int_eq(status, law == NSDYN_IMPACT_POISSON ? NSDYN_OK : NSDYN_NO_SOLUTION);
      ck_assert(law == NSDYN_IMPACT_NEWTON || nsdyn_stepper_u(s)[1] >= -1e-15);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Random crowds: an impact of the stepper is that of nsdyn_contact_impact() with its G and γ. Friction is
 * little, so that there is one answer. */
START_TEST(impacts_are_those_of_the_contact_problem)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    static model m;
    const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
    double q[MODEL_MOST] = {0.0}, u[MODEL_MOST], Lambda[8], gamma[8];
    nsdyn_contact_law laws[4];
    const int contacts = 1 + random_below(&r, 3);
    model_random(&m, &r, MODEL_MOST, contacts, 0, 1);
    for (int i = 0; i < contacts; i++) {
      m.contact[i].g0 = -1e-3;
      m.contact[i].rate = 0.0;
      m.contact[i].law.mu = random_between(&r, 0.0, 0.1);
      m.contact[i].law.eps_n = random_between(&r, 0.0, 1.0);
      m.contact[i].law.eps_t = random_between(&r, 0.0, 1.0);
      m.contact[i].law.reversal = random_between(&r, 0.0, 1.0);
      laws[i] = m.contact[i].law;
    }
    for (int j = 0; j < MODEL_MOST; j++) {
      u[j] = random_between(&r, -1.0, 1.0);
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
    const nsd_scene *scene = &s->scene;
    ck_assert_int_eq(scene->closed.count, contacts);
    nsdyn_contact_problem problem;
    nsdyn_contact_problem_init(&problem, sizeof problem);
    problem.contacts = contacts;
    problem.bilateral = 1;
    problem.laws = laws;
    problem.G = scene->problem.G;
    problem.ldg = scene->problem.ldg;
    problem.c = scene->problem.gamma;
    nsdyn_contact *solver;
    ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &problem, Lambda, gamma), NSDYN_OK);
    const int any = scene->problem.gamma[0] < 0.0 || (contacts > 1 && scene->problem.gamma[2] < 0.0) ||
                    (contacts > 2 && scene->problem.gamma[4] < 0.0);
    for (int i = 0; any && i < scene->closed.rows; i++) {
      REQUIRE(fabs(Lambda[i] - scene->solution.Lambda[i]) < 1e-9 &&
                  fabs(gamma[i] - scene->solution.xi[i]) < 1e-9,
              "case %d, row %d: %.15g and %.15g", k, i, Lambda[i], scene->solution.Lambda[i]);
    }
    nsdyn_contact_free(solver);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Steps without forces of crowds, redundant ones too: certified, and with one ε_N they never gain energy. */
START_TEST(one_restitution_never_gains)
{
  int collisions = 0;
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    static model m;
    const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
    double q[MODEL_MOST] = {0.0}, u[MODEL_MOST];
    const int nu = 2 + random_below(&r, 5), contacts = 1 + random_below(&r, 5);
    const double eps = random_between(&r, 0.0, 1.0);
    model_random(&m, &r, nu, contacts, 0, 0);
    memset(m.f, 0, sizeof m.f);
    memset(m.K, 0, sizeof m.K);
    memset(m.D, 0, sizeof m.D);
    memset(m.s, 0, sizeof m.s);
    for (int i = 0; i < contacts; i++) {
      m.contact[i].g0 = -0.1;
      m.contact[i].bend = m.contact[i].rate = m.contact[i].belt = 0.0;
      m.contact[i].law.eps_n = eps;
      m.contact[i].law.eps_t = random_between(&r, 0.0, 1.0);
      m.contact[i].law.reversal = random_between(&r, 0.0, 1.0);
    }
    for (int j = 0; j < nu; j++) {
      u[j] = random_between(&r, -1.0, 1.0);
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    for (int step = 0; step < 3; step++) {
      run(s, 1e-3, 1);
      const nsdyn_step_energy e = energy_of(s);
      const nsdyn_step_report report = report_of(s);
      collisions += report.rounds > 1;
      REQUIRE(e.after <= e.before * (1.0 + 1e-9), "case %d: energy grows from %.17g to %.17g", k, e.before,
              e.after);
      REQUIRE(report.residual <= 1e-9 * report.scale, "case %d: residual %g of %g", k, report.residual,
              report.scale);
      for (int i = 0; i < contacts; i++) {
        const nsdyn_contact_state c = state_of(s, i);
        REQUIRE(!c.active || c.after[0] >= -1e-9 * report.scale, "case %d: contact %d goes on approaching", k,
                i);
      }
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_gt(collisions, random_cases(500) / 2);
}
END_TEST

/* There the step fails, or with `inelastic` ends with its compression. Such crowds are rare, so the search
 * begins shortly before one. */
START_TEST(without_expansion_compression_is_left)
{
  int seen = 0;
  for (int seed = 2000; seed < 20000 && !seen; seed++) {
    static model m;
    nsdyn_stepper *s = locking_crowd(&m, seed, 0);
    const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
    if (status == NSDYN_OK || !strstr(nsdyn_stepper_message(s), "of expansion miss the law")) {
      nsdyn_stepper_free(s);
      continue;
    }
    seen = 1;
    ck_assert(status >= NSDYN_MAX_ITERATIONS && report_of(s).status == status);
    ck_assert(nsdyn_stepper_time(s) == 0.0);
    nsdyn_stepper *soft = locking_crowd(&m, seed, 1);
    run(soft, 1e-3, 1);
    ck_assert(report_of(soft).inelastic == 1 && report_of(soft).residual <= 1e-9 * report_of(soft).scale);
    nsdyn_stepper_options options = stepper_defaults();
    for (int i = 0; i < 3; i++) {
      m.contact[i].law.eps_n = m.contact[i].law.eps_t = 0.0;
    }
    nsdyn_stepper *none = stepper_of(&m, 0, 0, &options);
    set_state(none, (double[MODEL_MOST]){0.0}, nsdyn_stepper_u(s));
    run(none, 1e-3, 1);
    ck_assert_mem_eq(nsdyn_stepper_u(none), nsdyn_stepper_u(soft), 5 * sizeof(double));
    nsdyn_stepper_free(none);
    nsdyn_stepper_free(soft);
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(seen == 1, "every expansion was solved: look for a worse crowd");
}
END_TEST

/* A run with collisions, saved and taken up, goes on with the same bits. */
START_TEST(runs_are_reproducible)
{
  model m;
  make_block(&m, 0.5, -19.62, 0.3);
  m.contact[0].law.eps_n = 0.7;
  m.contact[0].law.eps_t = 0.5;
  m.contact[0].law.reversal = 1.0;
  const nsdyn_stepper_options options = by_law(NSDYN_IMPACT_POISSON);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options), *twin = stepper_of(&m, 0, 0, &options);
  set_state(s, (double[]){0.0, 0.1}, (double[]){1.0, 0.0});
  double bytes[64], twins[64];
  for (int k = 0; k < 60; k++) {
    run(s, 1e-2, 1);
    const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
    ck_assert_int_eq(nsdyn_stepper_restore(twin, bytes, size), NSDYN_OK);
    run(s, 1e-2, 3);
    run(twin, 1e-2, 3);
    ck_assert_uint_eq(nsdyn_stepper_save(s, bytes, sizeof bytes),
                      nsdyn_stepper_save(twin, twins, sizeof twins));
    ck_assert_mem_eq(bytes, twins, nsdyn_stepper_save(s, NULL, 0));
  }
  nsdyn_stepper_free(s);
  nsdyn_stepper_free(twin);
}
END_TEST

/* ---- many bodies ---- */

enum { TOWERS = 14, SPHERES = 2 * TOWERS, TOWER_NU = 6 * SPHERES };

/* Towers of two spheres of radius 1/2 each, one on the floor and one beside its top; their turns are told by
 * ω alone, since spheres look the same however they are turned. */
typedef struct towers {
  double m[SPHERES];
} towers;

static int towers_mass(void *user, double t, const double *q, double *M)
{
  const towers *w = user;
  (void)t, (void)q;
  for (int i = 0; i < SPHERES; i++) {
    for (int k = 0; k < 6; k++) {
      M[36 * i + 7 * k] = k < 3 ? w->m[i] : 0.1 * w->m[i];
    }
  }
  return 0;
}

static int towers_mass_whole(void *user, double t, const double *q, double *M)
{
  const towers *w = user;
  (void)t, (void)q;
  for (int j = 0; j < TOWER_NU; j++) {
    M[j * (TOWER_NU + 1)] = j % 6 < 3 ? w->m[j / 6] : 0.1 * w->m[j / 6];
  }
  return 0;
}

static int towers_force(void *user, double t, const double *q, const double *u, double *h)
{
  const towers *w = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < SPHERES; i++) {
    h[6 * i + 2] = -9.81 * w->m[i];
  }
  return 0;
}

/* A contact of spheres i and j (−1: the floor), whose normal n is towards i. */
static int towers_add(nsdyn_contact_sink *sink, int i, int j, double gap, const double *n)
{
  const double size = sqrt(n[0] * n[0] + n[2] * n[2]);
  const double e[3][3] = {
      {n[0], n[1], n[2]}, {n[2] / size, 0.0, -n[0] / size}, {-n[0] * n[1] / size, size, -n[1] * n[2] / size}};
  double w[2][18];
  for (int r = 0; r < 3; r++) {
    /* r × e, r = −n/2 from the one and n/2 from the other centre. */
    const double arm[3] = {n[1] * e[r][2] - n[2] * e[r][1], n[2] * e[r][0] - n[0] * e[r][2],
                           n[0] * e[r][1] - n[1] * e[r][0]};
    for (int k = 0; k < 3; k++) {
      w[0][6 * r + k] = e[r][k];
      w[1][6 * r + k] = -e[r][k];
      w[0][6 * r + 3 + k] = w[1][6 * r + 3 + k] = -0.5 * arm[k];
    }
  }
  const nsdyn_contact_block blocks[2] = {{.offset = 6 * i, .count = 6, .values = w[0]},
                                         {.offset = 6 * (j < 0 ? 0 : j), .count = 6, .values = w[1]}};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 100 * (i + 1) + j;
  found.gap = gap;
  found.blocks = j < 0 ? 1 : 2;
  found.block = blocks;
  return nsdyn_contact_sink_add(sink, &found);
}

static int towers_find(void *user, double t, const double *q, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  static const double up[3] = {0.0, 0.0, 1.0};
  (void)user, (void)t, (void)u;
  for (int i = 0; i < SPHERES; i += 2) {
    const double *x = q + 6 * i, *y = x + 6;
    double n[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]};
    const double far = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++) {
      n[k] /= far;
    }
    if ((x[2] - 0.5 <= margin && towers_add(sink, i, -1, x[2] - 0.5, up)) ||
        (far - 1.0 <= margin && towers_add(sink, i + 1, i, far - 1.0, n))) {
      return -1;
    }
  }
  return 0;
}

static nsdyn_stepper *towers_stepper(towers *w, int has_blocks, int32_t impact, const nsdyn_contact_law *law)
{
  int32_t block[SPHERES];
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  for (int i = 0; i < SPHERES; i++) {
    block[i] = 6;
  }
  def.nq = def.nu = TOWER_NU;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = w;
  def.mass = has_blocks ? towers_mass : towers_mass_whole;
  def.nblocks = has_blocks ? SPHERES : 0;
  def.block = has_blocks ? block : NULL;
  def.force = towers_force;
  def.find = towers_find;
  nsdyn_stepper_options options = stepper_unchecked();
  options.impact = impact;
  options.tol = 1e-10;
  return stepper_for(&def, law, &options);
}

/* Steps and impacts whose G is an operator, by the bodies, are those of the matrix. */
START_TEST(bodies_need_no_matrix)
{
  static const int32_t laws[] = {NSDYN_IMPACT_POISSON, NSDYN_IMPACT_NEWTON};
  int impacts = 0;
  for (int seed = 0; seed < random_cases(30); seed++) {
    random_state random = random_seed((uint64_t)seed);
    towers w;
    double q[TOWER_NU] = {0.0}, u[TOWER_NU];
    for (int i = 0; i < SPHERES; i++) {
      const double x = random_between(&random, 0.1, 0.3), y = random_between(&random, 0.1, 0.3);
      w.m[i] = random_between(&random, 0.5, 2.0);
      const int tower = i / 2;
      q[6 * i] = 3.0 * tower + (i % 2 ? x : 0.0);
      q[6 * i + 1] = i % 2 ? y : 0.0;
      q[6 * i + 2] = 0.5 + (i % 2 ? sqrt(1.0 - x * x - y * y) : 0.0);
      for (int k = 0; k < 6; k++) {
        u[6 * i + k] = k == 2 ? random_between(&random, -2.0, -0.5) : 0.5 * random_normal(&random);
      }
    }
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    law.mu = random_between(&random, 0.1, 0.4);
    law.eps_n = random_between(&random, 0.1, 0.9);
    law.eps_t = seed % 3 ? 0.0 : random_between(&random, 0.0, 0.5);
    law.reversal = law.eps_t > 0.0 ? 1.0 : 0.0;
    nsdyn_stepper *s[2];
    for (int k = 0; k < 2; k++) {
      s[k] = towers_stepper(&w, k, laws[seed % 2], &law);
      set_state(s[k], q, u);
      const nsdyn_status status = nsdyn_stepper_impact(s[k]);
      REQUIRE(status == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(s[k]));
      ck_assert_int_eq(s[k]->scene.directions.is_sparse, k);
    }
    for (int step = 0; step < 6; step++) {
      const double *x = nsdyn_stepper_u(s[0]), *y = nsdyn_stepper_u(s[1]);
      for (int j = 0; j < TOWER_NU; j++) {
        REQUIRE(fabs(x[j] - y[j]) <= 1e-7, "seed %d, step %d: u_%d is %g, not %g", seed, step, j, y[j], x[j]);
      }
      for (int k = 0; k < 2; k++) {
        const nsdyn_status status = nsdyn_stepper_step(s[k], 0.02);
        REQUIRE(status == NSDYN_OK, "seed %d, step %d: %s", seed, step, nsdyn_stepper_message(s[k]));
        impacts += s[k]->rebounds && s[k]->scene.directions.is_sparse;
      }
    }
    nsdyn_stepper_free(s[0]);
    nsdyn_stepper_free(s[1]);
  }
  ck_assert_msg(is_common(impacts, random_cases(30), 3), "%d impacts", impacts);
}
END_TEST

SUITE("stepper/scheme/poisson_law", TEST(a_ball_without_friction_knows_one_law), TEST(bounces_are_the_same),
      TEST(weight_is_not_given_back), TEST(what_presses_on_a_curve_does_not_collide),
      TEST(skins_turn_the_slide_round), TEST(given_bounds_are_spent_in_compression),
      TEST(slow_approaches_store_nothing), TEST(wedges_that_lock_have_a_solution),
      TEST(impacts_are_those_of_the_contact_problem), TEST(one_restitution_never_gains),
      TEST(without_expansion_compression_is_left), TEST(runs_are_reproducible), TEST(bodies_need_no_matrix))
