/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Machines at rest, whose gaps and velocities are rounding. */
#include "stepping.h"

enum { BALLS = 4 };

/* Balls in a row that touch, and a wall: x = C q, pressed by a force on the last. */
typedef struct row_of_balls {
  double C[BALLS][BALLS], place[BALLS], push;
} row_of_balls;

static int row_mass(void *user, double t, const double *q, double *M)
{
  const row_of_balls *p = user;
  (void)t, (void)q;
  for (int i = 0; i < BALLS; i++) {
    for (int j = 0; j < BALLS; j++) {
      M[i * BALLS + j] = 0.0;
      for (int k = 0; k < BALLS; k++) {
        M[i * BALLS + j] += p->C[k][i] * p->C[k][j];
      }
    }
  }
  return 0;
}

static int row_force(void *user, double t, const double *q, const double *u, double *h)
{
  const row_of_balls *p = user;
  (void)t, (void)q, (void)u;
  for (int j = 0; j < BALLS; j++) {
    h[j] = -p->push * p->C[BALLS - 1][j];
  }
  return 0;
}

static double row_at(const row_of_balls *p, const double *q, int i)
{
  double x = 0.0;
  for (int j = 0; i >= 0 && j < BALLS; j++) {
    x += p->C[i][j] * q[j];
  }
  return x;
}

static int row_gap(void *user, double t, const double *q, double *g)
{
  const row_of_balls *p = user;
  (void)t;
  for (int i = 0; i < BALLS; i++) {
    g[i] = row_at(p, q, i) - row_at(p, q, i - 1) - (p->place[i] - (i ? p->place[i - 1] : 0.0));
  }
  return 0;
}

static int row_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const row_of_balls *p = user;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  for (int j = 0; j < BALLS; j++) {
    W[j] = p->C[i][j] - (i ? p->C[i - 1][j] : 0.0);
  }
  return 0;
}

/* Their gaps are rounding, and change by rounding: nothing of it contradicts anything. */
START_TEST(a_row_at_rest_is_not_refused)
{
  const int seeds = random_cases(200);
  for (int seed = 0; seed < seeds; seed++) {
    random_state random = random_seed((uint64_t)seed);
    row_of_balls p = {.push = seed % 3 ? random_between(&random, 0.1, 10.0) : 0.0};
    double q[BALLS] = {0.0}, u[BALLS] = {0.0};
    const double length = seed % 4 == 3 ? 1e-5 : 1.0;
    for (int i = 0; i < BALLS; i++) {
      p.place[i] = (i ? p.place[i - 1] : 0.0) + length * random_between(&random, 0.05, 0.3);
      for (int j = 0; j <= i; j++) {
        p.C[i][j] = i == j ? 1.0 : random_between(&random, -0.5, 0.5);
      }
      q[i] = p.place[i] - row_at(&p, q, i);
    }
    nsdyn_system_def def;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = def.ncontacts = BALLS;
    def.user = &p;
    def.mass = row_mass;
    def.force = row_force;
    def.gap = row_gap;
    def.direction = row_direction;
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    nsdyn_stepper_options options = stepper_defaults();
    options.project = seed / 2 % 2;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, seed % 5 ? 0.0 : 1e6, q, u), NSDYN_OK);
    for (int step = 0; step < 300; step++) {
      const nsdyn_status status = nsdyn_stepper_step(s, 1e-3);
      REQUIRE(status == NSDYN_OK, "seed %d, step %d: %s", seed, step, nsdyn_stepper_message(s));
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

SUITE("stepper/rest", TEST(a_row_at_rest_is_not_refused))
