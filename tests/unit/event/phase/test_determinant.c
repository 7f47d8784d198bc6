/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Painlevé's rods side by side: p is the product of theirs, and whose p has vanished has no forces, no other.
 */
#include "event/internal.h"
#include "event_models.h"

enum { RODS = 3 };

typedef struct rods {
  exact_rod rod[RODS];
} rods;

static int rods_mass(void *user, double t, const double *q, double *M)
{
  const rods *p = user;
  (void)t, (void)q;
  for (int i = 0; i < RODS; i++) {
    const exact_rod *rod = &p->rod[i];
    const double own[3] = {rod->m, rod->m, rod->m * rod->l * rod->l / 12.0};
    for (int j = 0; j < 3; j++) {
      M[(3 * i + j) * (3 * RODS + 1)] = own[j];
    }
  }
  return 0;
}

static int rods_force(void *user, double t, const double *q, const double *u, double *h)
{
  rods *p = user;
  for (int i = 0; i < RODS; i++) {
    (void)rod_force(&p->rod[i], t, q + 3 * i, u + 3 * i, h + 3 * i);
  }
  return 0;
}

static int rods_gap(void *user, double t, const double *q, double *g)
{
  rods *p = user;
  for (int i = 0; i < RODS; i++) {
    (void)rod_gap(&p->rod[i], t, q + 3 * i, g + i);
  }
  return 0;
}

static int rods_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  rods *p = user;
  double own[6] = {0.0};
  const int code = rod_direction(&p->rod[i], t, q + 3 * i, 0, own, w_hat);
  for (int j = 0; j < 3; j++) {
    W[3 * i + j] = own[j];
    W[3 * RODS + 3 * i + j] = own[3 + j];
  }
  return code;
}

/* Which rows of the present pattern are marked; all rods slide. */
static void look(driven *s, const double *q, const double *u, int *marked, double *p)
{
  nsd_acceleration *m = &s->driver->phase.motion;
  ck_assert_int_eq(m->scene.closed.count, RODS);
  ck_assert_int_eq(nsd_acceleration_evaluate(m, 0.0, q, u), NSDYN_OK);
  *p = nsd_acceleration_determinant(m);
  nsd_acceleration_mark_lost(m);
  for (int i = 0; i < RODS; i++) {
    const int row = m->scene.closed.contact[i].row;
    marked[m->scene.closed.contact[i].index] = m->part[row];
    ck_assert_int_eq(m->part[row + 1], m->part[row]);
  }
}

/* p = (G_NN + μ G_NT)/G_NN of a uniform rod that slides to the left, G_NN = (1 + 3 cos² θ)/m. */
static double own_p(double mu, double theta)
{
  const double c = cos(theta);
  return (1.0 + 3.0 * c * (c - mu * sin(theta))) / (1.0 + 3.0 * c * c);
}

START_TEST(only_what_has_lost_its_own_forces_is_marked)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    rods p;
    double q[3 * RODS], u[3 * RODS], at[3 * RODS], product = 1.0;
    for (int i = 0; i < RODS; i++) {
      const exact_rod rod = {.m = pow(10.0, random_between(&r, -3.0, 3.0)),
                             .l = random_between(&r, 0.3, 3.0),
                             .mu = random_between(&r, 1.4, 3.0),
                             .g = 9.81};
      p.rod[i] = rod;
      double least, most;
      ck_assert(exact_rod_paradox(rod.mu, &least, &most));
      /* Regular to begin with: steeper than the paradox allows. */
      const exact_rod_state state = exact_rod_on_table(&rod, most + random_between(&r, 0.02, 0.1), 0.0, -1.0);
      memcpy(q + 3 * i, state.q, sizeof state.q);
      memcpy(u + 3 * i, state.u, sizeof state.u);
    }
    nsdyn_system_def def = table(3 * RODS, RODS, &p);
    def.mass = rods_mass;
    def.force = rods_force;
    def.gap = rods_gap;
    def.direction = rods_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < RODS; i++) {
      scene_law(&s, i, law_of(p.rod[i].mu, 0.0));
    }
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    double det;
    int marked[RODS];
    look(&s, q, u, marked, &det);
    for (int i = 0; i < RODS; i++) {
      product *= own_p(p.rod[i].mu, q[3 * i + 2]);
    }
    REQUIRE(fabs(det - product) <= 1e-12, "case %d: p = %g, not %g", k, det, product);
    /* 1. Turned to its own boundary, one rod has no forces. The others have. */
    const int who = random_below(&r, RODS);
    double least, most;
    (void)exact_rod_paradox(p.rod[who].mu, &least, &most);
    memcpy(at, q, sizeof at);
    at[3 * who + 2] = most * (1.0 + 1e-12);
    at[3 * who + 1] = 0.5 * p.rod[who].l * sin(at[3 * who + 2]);
    look(&s, at, u, marked, &det);
    for (int i = 0; i < RODS; i++) {
      REQUIRE(marked[i] == (i == who), "case %d: rod %d of %d, p = %g", k, i, who, det);
    }
    /* 2. So have two of them where both are there. */
    const int other = (who + 1) % RODS;
    (void)exact_rod_paradox(p.rod[other].mu, &least, &most);
    at[3 * other + 2] = most * (1.0 + 1e-12);
    at[3 * other + 1] = 0.5 * p.rod[other].l * sin(at[3 * other + 2]);
    look(&s, at, u, marked, &det);
    REQUIRE(marked[who] && marked[other] && !marked[3 - who - other], "case %d", k);
    scene_end(&s);
  }
}
END_TEST

/* Without friction nothing has a p that could vanish, and nobody's forces are lost. */
START_TEST(without_friction_nothing_is_lost)
{
  const int cases = random_cases(50);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    rods p;
    double q[3 * RODS], u[3 * RODS], det;
    int marked[RODS];
    for (int i = 0; i < RODS; i++) {
      const exact_rod rod = {.m = 1.0, .l = random_between(&r, 0.3, 3.0), .mu = 0.0, .g = 9.81};
      const exact_rod_state state = exact_rod_on_table(&rod, random_between(&r, 0.3, 1.2), 0.0, -1.0);
      p.rod[i] = rod;
      memcpy(q + 3 * i, state.q, sizeof state.q);
      memcpy(u + 3 * i, state.u, sizeof state.u);
    }
    nsdyn_system_def def = table(3 * RODS, RODS, &p);
    def.mass = rods_mass;
    def.force = rods_force;
    def.gap = rods_gap;
    def.direction = rods_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < RODS; i++) {
      scene_law(&s, i, law_of(0.0, 0.0));
    }
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    look(&s, q, u, marked, &det);
    for (int i = 0; i < RODS; i++) {
      REQUIRE(!marked[i], "case %d: rod %d", k, i);
    }
    scene_end(&s);
  }
}
END_TEST

/* A rod that presses and slides where p is as good as zero is stopped at once: by forces c/p within a time of
 * order p, or by an impact without collision. On which side of zero p is makes no difference but of order p.
 */
START_TEST(a_rod_next_to_its_boundary_is_stopped)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod rod = {.m = pow(10.0, random_between(&r, -1.0, 1.0)),
                     .l = random_between(&r, 0.4, 4.0),
                     .mu = random_between(&r, 1.4, 3.0),
                     .g = 9.81};
    double angle[2];
    ck_assert(exact_rod_paradox(rod.mu, &angle[0], &angle[1]));
    /* p = slope (θ − θ_0); outside of the two angles it is positive */
    const double near = angle[k % 2], step = 1e-6;
    const double slope = (own_p(rod.mu, near + step) - own_p(rod.mu, near - step)) / (2.0 * step);
    const double p = pow(10.0, random_between(&r, -13.0, -7.0));
    /* A faster one may turn away from the boundary, and slide on, before it is stopped. */
    const double gamma_T = -pow(10.0, random_between(&r, -2.0, -0.7));
    exact_rod_state state = exact_rod_on_table(&rod, near + p / slope, 0.0, gamma_T);
    driven s = rod_scene(&rod, 0.0, k % 3 == 0);
    s.options.tol = k % 2 ? 1e-9 : 1e-6;
    scene_drive(&s, 0.0, state.q, state.u);
    scene_advance(&s, 0.0);
    scene_advance(&s, 1e-6);
    /* The impulse that stops the end, with γ_N = 0: −γ_T G⁻¹ e_T. */
    double Lambda[2];
    (void)exact_rod_jam(&rod, &state, Lambda);
    exact_rod_kick(&rod, Lambda, &state);
    /* In 1e-6 s its motion changes by less than a hundredth. */
    const double *u = nsdyn_event_driver_u(s.driver), scale = fabs(gamma_T) * fmax(1.0, 1.0 / rod.l);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(u[i] - state.u[i]) <= 1e-2 * scale, "case %d: u[%d] = %g, not %g (p = %g)", k, i, u[i],
              state.u[i], p);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/determinant", TEST(a_rod_next_to_its_boundary_is_stopped),
      TEST(only_what_has_lost_its_own_forces_is_marked), TEST(without_friction_nothing_is_lost))
