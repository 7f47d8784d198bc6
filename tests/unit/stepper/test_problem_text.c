/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nsdyn/lcp.h"
#include "stepping.h"

/* The text is the step's problem: solved as an LCP, it gives the step's impulses. */
START_TEST(the_text_has_the_steps_solution)
{
  for (int bilateral = 0; bilateral < 2; bilateral++) {
    model m;
    make_block(&m, 8.0, -19.62, 0.3);
    if (bilateral) {
      m.contact[0].law.friction = NSDYN_FRICTION_BOUND;
      m.contact[0].law.bound = 3.0;
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    ck_assert_uint_eq(nsdyn_stepper_write_problem(s, NULL, 0), 0);
    run(s, 0.01, 1);
    const size_t bytes = nsdyn_stepper_write_problem(s, NULL, 0);
    ck_assert_uint_gt(bytes, 1);
    char *text = malloc(bytes);
    ck_assert_ptr_nonnull(text);
    ck_assert_uint_eq(nsdyn_stepper_write_problem(s, text, bytes), bytes);
    ck_assert_uint_eq(strlen(text), bytes - 1);
    nsdyn_lcp *lcp;
    int n;
    double A[9], b[3], lo[3], hi[3], x[3];
    ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, NULL, 0, NULL, NULL, NULL), NSDYN_OK);
    ck_assert_int_eq(n, bilateral ? 2 : 3);
    ck_assert_int_eq(nsdyn_lcp_read_text(lcp, text, bytes - 1, &n, A, n, b, lo, hi), NSDYN_OK);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(lcp, n, A, n, b, lo, hi, x, NULL), NSDYN_OK);
    ck_assert_double_eq_tol(x[0], state_of(s, 0).impulse[0], 1e-15);
    const double tangential = bilateral ? x[1] : x[1] - 0.3 * x[0];
    ck_assert_double_eq_tol(tangential, state_of(s, 0).impulse[1], 1e-15);
    nsdyn_lcp_free(lcp);
    free(text);
    nsdyn_stepper_free(s);
  }
}
END_TEST

START_TEST(without_contacts_there_is_none)
{
  model m;
  make_block(&m, 8.0, -19.62, 0.3);
  m.contact[0].g0 = 5.0;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  run(s, 0.01, 1);
  ck_assert_uint_eq(nsdyn_stepper_write_problem(s, NULL, 0), 0);
  ck_assert_uint_eq(nsdyn_stepper_write_problem(NULL, NULL, 0), 0);
  nsdyn_stepper_free(s);
}
END_TEST

/* Two particles of 2 kg over a floor, pulled along it; contact i is that of particle i. */
enum { PARTICLES = 2, PARTICLE_NU = 3 * PARTICLES };

static int particles_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < PARTICLE_NU * PARTICLE_NU; i++) {
    M[i] = i % (PARTICLE_NU + 1) == 0 ? 2.0 : 0.0;
  }
  return 0;
}

static int particles_force(void *user, double t, const double *q, const double *u, double *h)
{
  static const double pull[PARTICLE_NU] = {3.0, 4.0, -19.62, 25.0, -7.0, -19.62};
  (void)user, (void)t, (void)q, (void)u;
  memcpy(h, pull, sizeof pull);
  return 0;
}

static int particles_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  for (int i = 0; i < PARTICLES; i++) {
    g[i] = q[3 * i + 2];
  }
  return 0;
}

static int particles_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[3 * i + 2] = 1.0;
  W[PARTICLE_NU + 3 * i] = 1.0;
  W[2 * PARTICLE_NU + 3 * i + 1] = 1.0;
  return 0;
}

/* With contacts in space the text is the contact problem itself, whatever bounds their friction. */
START_TEST(the_text_of_a_step_in_space_has_its_solution)
{
  for (int kind = 0; kind < 4; kind++) {
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = PARTICLE_NU;
    def.ncontacts = PARTICLES;
    def.mass = particles_mass;
    def.force = particles_force;
    def.gap = particles_gap;
    def.direction = particles_direction;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    law.friction = kind == 1 ? NSDYN_FRICTION_BOUND : kind == 2 ? NSDYN_FRICTION_STATIC : law.friction;
    law.mu = 0.3;
    law.mu_static = 0.4;
    law.bound = 6.5;
    law.shape = kind == 3 ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    law.aspect = 0.5;
    law.angle = 0.7;
    nsdyn_stepper *s = stepper_for(&def, &law, NULL);
    run(s, 0.01, 1);
    const size_t bytes = nsdyn_stepper_write_problem(s, NULL, 0);
    ck_assert_uint_gt(bytes, 1);
    char *text = malloc(bytes);
    ck_assert_uint_eq(nsdyn_stepper_write_problem(s, text, bytes), bytes);
    nsdyn_contact *solver;
    nsdyn_contact_problem p;
    nsdyn_contact_problem_init(&p, sizeof p);
    size_t size = 0;
    ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_read_text(solver, text, bytes - 1, &p, NULL, &size), NSDYN_OK);
    void *memory = malloc(size);
    ck_assert_int_eq(nsdyn_contact_read_text(solver, text, bytes - 1, &p, memory, &size), NSDYN_OK);
    ck_assert_int_eq(nsdyn_contact_rows(&p), 3 * PARTICLES);
    double Lambda[3 * PARTICLES];
    ck_assert_int_eq(nsdyn_contact_solve(solver, &p, Lambda, NULL), NSDYN_OK);
    for (int i = 0; i < PARTICLES; i++) {
      const nsdyn_contact_state state = state_of(s, i);
      const double impulse[3] = {state.impulse[0], state.impulse[1], state.impulse[2]};
      ck_assert(impulse[0] > 0.1 && hypot(impulse[1], impulse[2]) > 0.01);
      for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(Lambda[3 * i + k], impulse[k], 1e-9 * impulse[0]);
      }
    }
    free(memory);
    free(text);
    nsdyn_contact_free(solver);
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/problem_text", TEST(the_text_has_the_steps_solution),
      TEST(the_text_of_a_step_in_space_has_its_solution), TEST(without_contacts_there_is_none))
