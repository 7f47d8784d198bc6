/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The reference that judges the woodpecker, judged itself: by GSL's integrator and linear algebra on the
 * equations of Glocker & Studer (2005), written down here a second time; by energy; by the contact and impact
 * laws along the whole motion; by what it must not depend on. */
#include "support/exact_woodpecker.h"

#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "gsl_ode.h"

/* ---- the equations once more, with the numbers of Table I ---------------------------------------- */

static const double mass[3][3] = {{0.0048, 0.0045 * 0.010, 0.0045 * 0.015},
                                  {0.0045 * 0.010, 5e-9 + 0.0045 * 1e-4, 0.0045 * 0.010 * 0.015},
                                  {0.0045 * 0.015, 0.0045 * 0.010 * 0.015, 7e-7 + 0.0045 * 0.000225}};
static const double normal[3][3] = {{0, 0, -0.02}, {0, 0.0058, 0}, {0, -0.0058, 0}};
static const double tangent[3][3] = {{1, 0.010, 0.015 - 0.0201}, {1, 0.0031, 0}, {1, 0.0031, 0}};

static double gap(int i, const long double *q)
{
  return i == 0 ? 0.0024 - 0.02 * (double)q[2] : 0.0006 + (i == 1 ? 0.0058 : -0.0058) * (double)q[1];
}

static double along(const double *w, const long double *u)
{
  return w[0] * (double)u[0] + w[1] * (double)u[1] + w[2] * (double)u[2];
}

/* M u̇ − Wᵀ λ = h and what the modes ask of u̇ and λ: nine unknowns, u̇ and (λ_N, λ_T) of three contacts. */
static void accelerations(const exact_mode *mode, const double *q, double *x)
{
  const double torque = 0.0056 * (q[1] - q[2]);
  const double h[3] = {-0.0048 * 9.81, -torque - 0.0045 * 0.010 * 9.81, torque - 0.0045 * 0.015 * 9.81};
  double A[81] = {0.0};
  double b[9] = {0.0};
  int signum;
  /* rows and columns of rotation in units of 0.01 m, forces in units of 0.01 N: else the matrix is ill scaled
   */
  const double unit[3] = {1.0, 100.0, 100.0};
  for (int i = 0; i < 3; i++) {
    b[i] = 100.0 * unit[i] * h[i];
    for (int j = 0; j < 3; j++) {
      A[9 * i + j] = 100.0 * unit[i] * unit[j] * mass[i][j];
      A[9 * i + 3 + 2 * j] = -unit[i] * normal[j][i];
      A[9 * i + 4 + 2 * j] = -unit[i] * tangent[j][i];
    }
  }
  for (int c = 0; c < 3; c++) {
    double *row_N = A + 9 * (3 + 2 * c);
    double *row_T = row_N + 9;
    for (int j = 0; j < 3; j++) {
      row_N[j] = mode[c] == EXACT_OPEN ? 0.0 : unit[j] * normal[c][j];
      row_T[j] = mode[c] == EXACT_STICK ? unit[j] * tangent[c][j] : 0.0;
    }
    row_N[3 + 2 * c] = mode[c] == EXACT_OPEN;
    row_T[4 + 2 * c] = mode[c] != EXACT_STICK;
    row_T[3 + 2 * c] = mode[c] == EXACT_PLUS ? 0.3 : mode[c] == EXACT_MINUS ? -0.3 : 0.0;
  }
  gsl_matrix_view matrix = gsl_matrix_view_array(A, 9, 9);
  gsl_vector_view right = gsl_vector_view_array(b, 9);
  gsl_vector_view solution = gsl_vector_view_array(x, 9);
  size_t order[9];
  gsl_permutation permutation = {9, order};
  ck_assert_int_eq(gsl_linalg_LU_decomp(&matrix.matrix, &permutation, &signum), 0);
  ck_assert_int_eq(gsl_linalg_LU_solve(&matrix.matrix, &permutation, &right.vector, &solution.vector), 0);
  for (int i = 0; i < 9; i++) {
    x[i] *= i < 3 ? unit[i] : 0.01;
  }
}

static int right_side(double t, const double y[], double dydt[], void *data)
{
  double x[9];
  (void)t;
  accelerations(data, y, x);
  for (int i = 0; i < 3; i++) {
    dydt[i] = y[3 + i];
    dydt[3 + i] = x[i];
  }
  return 0;
}

/* ---- along the motion ------------------------------------------------------------------------ */

static exact_woodpecker toy;

static void load_toy(void)
{
  exact_woodpecker_table(&toy);
}

static void same_state(const long double *q, const long double *u, const double *y, double tolerance)
{
  static const double size[6] = {0.02, 0.1, 0.5, 0.4, 30.0, 17.0};
  for (int i = 0; i < 6; i++) {
    const double exact = (double)(i < 3 ? q[i] : u[i - 3]);
    REQUIRE(fabs(exact - y[i]) < tolerance * size[i], "component %d: %g and %g", i, exact, y[i]);
  }
}

START_TEST(an_integrator_gives_the_same_motion_between_events)
{
  exact_state s;
  exact_event e;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  for (int k = 0; k < 20; k++) {
    exact_mode mode[3];
    double y[6];
    const double t = (double)s.t;
    memcpy(mode, s.mode, sizeof mode);
    for (int i = 0; i < 3; i++) {
      y[i] = (double)s.q[i];
      y[3 + i] = (double)s.u[i];
    }
    ck_assert_int_eq(exact_woodpecker_next(&toy, 10.0L, &s, &e), EXACT_EVENT);
    gsl_integrate(right_side, mode, 6, t, (double)e.t, 1e-13, y);
    same_state(e.q, e.u_before, y, 1e-9);
  }
}
END_TEST

/* Conditions on what (q, u, modes) ask at one instant; forces from GSL. */
static void check_laws(const exact_mode *mode, const long double *q, const long double *u,
                       const exact_flow *flow, exact_watch force[EXACT_CONTACTS][2], long double t)
{
  const double place[3] = {(double)q[0], (double)q[1], (double)q[2]};
  double x[9];
  accelerations(mode, place, x);
  for (int i = 0; i < 3; i++) {
    const double N = x[3 + 2 * i];
    const double T = x[4 + 2 * i];
    const double slip = along(tangent[i], u);
    const double tiny = 1e-9; /* N; the toy weighs 0.047 N */
    REQUIRE(gap(i, q) > -1e-15, "gap %d at %g: %g", i, (double)t, gap(i, q));
    REQUIRE(fabs(N - (double)exact_watch_value(flow, &force[i][0], 0, t)) < tiny, "λ_N%d at %g", i,
            (double)t);
    REQUIRE(fabs(T - (double)exact_watch_value(flow, &force[i][1], 0, t)) < tiny, "λ_T%d at %g", i,
            (double)t);
    if (mode[i] != EXACT_OPEN) {
      REQUIRE(fabs(gap(i, q)) < 1e-15 && fabs(along(normal[i], u)) < 1e-13, "closed %d at %g", i, (double)t);
      REQUIRE(N > -tiny && fabs(T) < 0.3 * N + tiny, "cone %d at %g: %g %g", i, (double)t, N, T);
    }
    REQUIRE(mode[i] != EXACT_STICK || fabs(slip) < 1e-14, "stick %d at %g", i, (double)t);
    REQUIRE(mode[i] != EXACT_PLUS || slip > -1e-14, "slip+ %d at %g", i, (double)t);
    REQUIRE(mode[i] != EXACT_MINUS || slip < 1e-14, "slip− %d at %g", i, (double)t);
  }
}

START_TEST(contact_laws_hold_at_every_instant)
{
  exact_state s;
  int sticking = 0;
  int sliding = 0;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  for (int k = 0; k < 60; k++) {
    const exact_state from = s;
    exact_flow flow;
    exact_watch force[EXACT_CONTACTS][2];
    ck_assert_int_eq(exact_woodpecker_flow(&toy, &from, &flow, force), EXACT_EVENT);
    ck_assert_int_eq(exact_woodpecker_next(&toy, 10.0L, &s, NULL), EXACT_EVENT);
    for (int i = 0; i <= 50; i++) {
      const long double t = (s.t - from.t) * (long double)i / 50.0L;
      long double q[EXACT_DOF];
      long double u[EXACT_DOF];
      exact_flow_at(&flow, t, q, u);
      check_laws(from.mode, q, u, &flow, force, t);
    }
    sticking += from.mode[1] == EXACT_STICK;
    sliding += from.mode[1] == EXACT_MINUS || from.mode[2] == EXACT_MINUS;
  }
  ck_assert_int_ge(sticking, 6);
  ck_assert_int_ge(sliding, 12);
}
END_TEST

typedef struct friction_work {
  const exact_flow *flow;
  exact_watch (*force)[2];
} friction_work;

static double friction_power(double t, void *data)
{
  const friction_work *work = data;
  long double q[EXACT_DOF];
  long double u[EXACT_DOF];
  double power = 0.0;
  exact_flow_at(work->flow, (long double)t, q, u);
  for (int i = 0; i < 3; i++) {
    power +=
        (double)exact_watch_value(work->flow, &work->force[i][1], 0, (long double)t) * along(tangent[i], u);
  }
  return power;
}

START_TEST(energy_is_what_friction_leaves)
{
  exact_state s;
  gsl_integration_workspace *workspace = gsl_integration_workspace_alloc(100);
  double lost = 0.0;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  for (int k = 0; k < 30; k++) {
    const exact_state from = s;
    exact_flow flow;
    exact_watch force[EXACT_CONTACTS][2];
    exact_event e;
    ck_assert_int_eq(exact_woodpecker_flow(&toy, &from, &flow, force), EXACT_EVENT);
    ck_assert_int_eq(exact_woodpecker_next(&toy, 10.0L, &s, &e), EXACT_EVENT);
    friction_work work = {&flow, force};
    gsl_function power = {friction_power, &work};
    double done;
    double error;
    gsl_integration_qag(&power, 0.0, (double)(e.t - from.t), 0.0, 1e-12, 100, GSL_INTEG_GAUSS31, workspace,
                        &done, &error);
    const double gained = (double)(exact_woodpecker_energy(&toy, e.q, e.u_before) -
                                   exact_woodpecker_energy(&toy, from.q, from.u));
    ck_assert_double_eq_tol(gained, done, 1e-15);
    ck_assert_double_le(done, 0.0);
    lost -= done;
  }
  ck_assert_double_gt(lost, 1e-4);
  gsl_integration_workspace_free(workspace);
}
END_TEST

/* M (u⁺ − u⁻) = Wᵀ Λ, Newton's and Coulomb's law at one impact, and its energy ½ (γ⁺ + γ⁻)·Λ. */
static void check_impact(const exact_event *e)
{
  double balance = 0.0;
  long double jump[3];
  for (int i = 0; i < 3; i++) {
    jump[i] = e->u_after[i] - e->u_before[i];
  }
  for (int i = 0; i < 3; i++) {
    double momentum = along(mass[i], jump);
    for (int c = 0; c < 3; c++) {
      momentum -= normal[c][i] * (double)e->impulse[c][0] + tangent[c][i] * (double)e->impulse[c][1];
    }
    ck_assert_double_eq_tol(momentum, 0.0, 1e-17);
  }
  for (int c = 0; c < 3; c++) {
    const double N = (double)e->impulse[c][0];
    const double T = (double)e->impulse[c][1];
    const double xi = along(normal[c], e->u_after) + (c == 0 ? 0.5 : 0.0) * along(normal[c], e->u_before);
    const double slip = along(tangent[c], e->u_after);
    if (gap(c, e->q) > 1e-12) {
      ck_assert_double_eq(N, 0.0);
      ck_assert_double_eq(T, 0.0);
      continue;
    }
    ck_assert_double_ge(N, 0.0);
    ck_assert_double_ge(xi, -1e-15);
    ck_assert_double_eq_tol(N * xi, 0.0, 1e-18);
    ck_assert_double_le(fabs(T), 0.3 * N + 1e-18);
    ck_assert_double_eq_tol(T * slip, -0.3 * N * fabs(slip), 1e-18);
    balance += 0.5 * N * along(normal[c], e->u_after) + 0.5 * N * along(normal[c], e->u_before);
    balance += 0.5 * T * along(tangent[c], e->u_after) + 0.5 * T * along(tangent[c], e->u_before);
  }
  const double gained = (double)(exact_woodpecker_energy(&toy, e->q, e->u_after) -
                                 exact_woodpecker_energy(&toy, e->q, e->u_before));
  ck_assert_double_eq_tol(gained, balance, 1e-17);
  ck_assert_double_lt(gained, 0.0);
}

START_TEST(impacts_obey_their_laws)
{
  exact_state s;
  exact_event e;
  int count[3] = {0, 0, 0};
  load_toy();
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  for (int k = 0; k < 60; k++) {
    ck_assert_int_eq(exact_woodpecker_next(&toy, 10.0L, &s, &e), EXACT_EVENT);
    if (e.kind == EXACT_IMPACT) {
      check_impact(&e);
      count[e.contact]++;
    } else {
      for (int i = 0; i < 3; i++) {
        ck_assert_ldouble_eq_tol(e.u_before[i], e.u_after[i], 1e-12L);
      }
    }
  }
  ck_assert_int_ge(count[0], 6);
  ck_assert_int_ge(count[1], 10);
  ck_assert_int_ge(count[2], 12);
}
END_TEST

/* Beak and sleeve closed at once, the beak with any speed: the six-row problem of Glocker & Studer. */
START_TEST(two_contacts_at_once_obey_their_laws)
{
  const int cases = random_cases(2000);
  int both = 0;
  load_toy();
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int edge = 1 + k % 2;
    exact_event e = {.contact = 0, .kind = EXACT_IMPACT};
    exact_state s = {.q = {0.0L, (edge == 1 ? -1.0L : 1.0L) * (0.0031L - 0.0025L) / 0.0058L, 0.12L}};
    s.u[0] = random_between(&r, -0.5, 0.5);
    s.u[1] = (edge == 1 ? -1.0L : 1.0L) * random_between(&r, 0.0, 20.0) * random_below(&r, 2);
    s.u[2] = random_between(&r, 0.1, 20.0);
    memcpy(e.q, s.q, sizeof e.q);
    memcpy(e.u_before, s.u, sizeof e.u_before);
    const exact_status status = exact_woodpecker_settle(&toy, &s);
    REQUIRE(status == EXACT_EVENT, "case %d: %d", k, (int)status);
    memcpy(e.u_after, s.u, sizeof e.u_after);
    long double jump[3];
    for (int i = 0; i < 3; i++) {
      jump[i] = s.u[i] - e.u_before[i];
    }
    REQUIRE(along(normal[0], s.u) >= -0.5 * along(normal[0], e.u_before) - 1e-14, "case %d", k);
    REQUIRE(along(normal[edge], s.u) > -1e-14, "case %d", k);
    const double gained =
        (double)(exact_woodpecker_energy(&toy, s.q, s.u) - exact_woodpecker_energy(&toy, e.q, e.u_before));
    REQUIRE(gained <= 1e-18, "case %d gains %g", k, gained);
    both += along(mass[0], jump) != 0.0 && s.mode[edge] != EXACT_OPEN;
  }
  ck_assert_int_ge(both, cases / 20);
}
END_TEST

START_TEST(caution_does_not_matter)
{
  exact_state one;
  exact_state other;
  load_toy();
  for (int caution = 3; caution < 40; caution *= 5) {
    ck_assert_int_eq(exact_woodpecker_begin(&toy, &one), EXACT_EVENT);
    ck_assert_int_eq(exact_woodpecker_begin(&toy, &other), EXACT_EVENT);
    for (int k = 0; k < 40; k++) {
      ck_assert_int_eq(exact_woodpecker_next(&toy, 10.0L, &one, NULL), EXACT_EVENT);
      ck_assert_int_eq(exact_woodpecker_next_cautiously(&toy, 10.0L, caution, &other, NULL), EXACT_EVENT);
      ck_assert_mem_eq(one.mode, other.mode, sizeof one.mode);
      ck_assert_ldouble_eq_tol(one.t, other.t, 1e-13L * (1.0L + one.t));
    }
  }
}
END_TEST

/* A stop on the way changes nothing: the flow of a piece is one motion, wherever it is cut. */
START_TEST(stops_on_the_way_do_not_matter)
{
  exact_state straight;
  exact_state halting;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &straight), EXACT_EVENT);
  halting = straight;
  while (exact_woodpecker_next(&toy, 0.5L, &straight, NULL) == EXACT_EVENT) {
  }
  for (int k = 1; k <= 500; k++) {
    while (exact_woodpecker_next(&toy, 0.001L * k, &halting, NULL) == EXACT_EVENT) {
    }
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_ldouble_eq_tol(straight.q[i], halting.q[i], 1e-11L);
    ck_assert_ldouble_eq_tol(straight.u[i], halting.u[i], 1e-10L * (1.0L + fabsl(straight.u[i])));
  }
}
END_TEST

/* ---- the cycle ------------------------------------------------------------------------------- */

START_TEST(the_cycle_repeats)
{
  exact_cycle c;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_cycle(&toy, &c), EXACT_EVENT);
  const exact_event *last = &c.event[c.events - 1];
  ck_assert_ldouble_eq_tol(last->t, c.period, 1e-16L);
  for (int i = 1; i < 3; i++) {
    ck_assert_ldouble_eq_tol(last->q[i], c.section.q[i], 1e-14L);
    ck_assert_ldouble_eq_tol(last->u_after[i], c.section.u[i], 1e-13L);
  }
  /* ten periods on, with nothing put right in between */
  exact_state s = c.section;
  for (int k = 0; k < 10 * c.events; k++) {
    ck_assert_int_eq(exact_woodpecker_next(&toy, s.t + 1.0L, &s, NULL), EXACT_EVENT);
  }
  ck_assert_ldouble_eq_tol(s.t, 10.0L * c.period, 1e-13L);
  ck_assert_ldouble_eq_tol(s.q[0], -10.0L * c.drop, 1e-13L);
}
END_TEST

/* Simply waiting ends there too, with the multiplier as the ratio of one deviation to the one before. */
START_TEST(the_toy_settles_on_the_cycle)
{
  exact_cycle c;
  exact_state s;
  exact_event e;
  long double before = 0.0L;
  int compared = 0;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_cycle(&toy, &c), EXACT_EVENT);
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  for (int period = 0; period < 220;) {
    ck_assert_int_eq(exact_woodpecker_next(&toy, s.t + 1.0L, &s, &e), EXACT_EVENT);
    if (e.contact != 1 || e.kind != EXACT_START) {
      continue;
    }
    const long double deviation = s.u[2] - c.section.u[2];
    if (period > 30 && period < 60) {
      ck_assert_ldouble_eq_tol(deviation / before, c.multiplier, 2e-4L);
      compared++;
    }
    before = deviation;
    period++;
  }
  ck_assert_int_eq(compared, 29);
  ck_assert_ldouble_eq_tol(before, 0.0L, 1e-12L);
}
END_TEST

/* Extrema: reached somewhere on a grid to within its width, passed nowhere. */
START_TEST(extrema_are_those_of_the_motion)
{
  exact_cycle c;
  long double most[3];
  long double least[3];
  load_toy();
  ck_assert_int_eq(exact_woodpecker_cycle(&toy, &c), EXACT_EVENT);
  exact_state s = c.section;
  memcpy(most, s.u, sizeof most);
  memcpy(least, s.u, sizeof least);
  for (int k = 1; k <= 4000; k++) {
    while (exact_woodpecker_next(&toy, c.period * (long double)k / 4000.0L, &s, NULL) == EXACT_EVENT) {
    }
    for (int i = 0; i < 3; i++) {
      REQUIRE(s.q[i] >= c.q_least[i] - 1e-13L && s.q[i] <= c.q_most[i] + 1e-13L, "q[%d] at %d", i, k);
      REQUIRE(s.u[i] >= c.u_least[i] - 1e-11L && s.u[i] <= c.u_most[i] + 1e-11L, "u[%d] at %d", i, k);
      most[i] = fmaxl(most[i], s.u[i]);
      least[i] = fminl(least[i], s.u[i]);
    }
  }
  static const long double width[3] = {0.005L, 1.0L, 0.2L};
  for (int i = 0; i < 3; i++) {
    ck_assert_ldouble_eq_tol(most[i], c.u_most[i], width[i]);
    ck_assert_ldouble_eq_tol(least[i], c.u_least[i], width[i]);
  }
  ck_assert_ldouble_eq_tol(c.q_most[1], 0.0006L / 0.0058L, 1e-15L);
  ck_assert_ldouble_eq_tol(c.q_least[1], -0.0006L / 0.0058L, 1e-15L);
  ck_assert_ldouble_eq_tol(c.q_most[2], 0.12L, 1e-15L); /* the beak */
}
END_TEST

/* The numbers others compare with. Slavič & Boltežar (2006), Table 1, has the same order of events and times
 * that agree within 5 ms, the width of what their time steps leave open. */
START_TEST(the_cycle_is_that_of_the_toy)
{
  static const struct {
    int contact;
    exact_kind kind;
    double ms;      /* after the first impact of the lower edge */
    double printed; /* in their table; 0 where it has none */
  } known[] = {{1, EXACT_DETACH, 94.263020418403, 96.2},   {2, EXACT_IMPACT, 105.152088464237, 106.4},
               {0, EXACT_IMPACT, 108.253442123230, 110.0}, {2, EXACT_IMPACT, 108.832963661582, 110.8},
               {2, EXACT_DETACH, 110.687654455626, 114.0}, {1, EXACT_IMPACT, 0.0, 0.0},
               {1, EXACT_IMPACT, 2.728734031263, 0.0},     {1, EXACT_STOP, 48.848856184132, 51.4},
               {1, EXACT_START, 88.442263183594, 90.6}};
  exact_cycle c;
  load_toy();
  ck_assert_int_eq(exact_woodpecker_cycle(&toy, &c), EXACT_EVENT);
  ck_assert_ldouble_eq_tol(c.period, 0.1459760651437518L, 2e-15L);
  ck_assert_ldouble_eq_tol(c.drop, 0.0194453792847165L, 2e-15L);
  ck_assert_ldouble_eq_tol(c.multiplier, -0.83915565537L, 5e-11L);
  ck_assert_int_eq(c.events, 9);
  for (int i = 0; i < 9; i++) {
    ck_assert_int_eq(c.event[i].contact, known[i].contact);
    ck_assert_int_eq(c.event[i].kind, known[i].kind);
    const double ms = 1000.0 * (double)(c.event[i].t - c.event[5].t + (i < 5 || i > 6 ? c.period : 0.0L));
    const double wrapped = ms >= 1000.0 * (double)c.period ? ms - 1000.0 * (double)c.period : ms;
    ck_assert_double_eq_tol(wrapped, known[i].ms, 2e-12);
    if (known[i].printed > 0.0) {
      ck_assert_double_eq_tol(wrapped, known[i].printed, 5.0);
    }
  }
}
END_TEST

/* Where there is no cycle, it says so. */
START_TEST(no_cycle_without_friction)
{
  exact_cycle c;
  exact_state s;
  load_toy();
  for (int i = 0; i < 3; i++) {
    toy.mu[i] = 0.0;
  }
  ck_assert_int_ne(exact_woodpecker_cycle(&toy, &c), EXACT_EVENT);
  /* frictionless, the toy falls like a stone */
  ck_assert_int_eq(exact_woodpecker_begin(&toy, &s), EXACT_EVENT);
  while (exact_woodpecker_next(&toy, 0.3L, &s, NULL) == EXACT_EVENT) {
  }
  ck_assert_ldouble_eq_tol(s.t, 0.3L, 1e-18L);
  const double momentum = along(mass[0], s.u) - (0.0048 * -0.3411 + 0.0045 * 0.015 * -7.4583);
  ck_assert_double_eq_tol(momentum, -0.0048 * 9.81 * 0.3, 1e-15);
}
END_TEST

/* ½ (γ⁺ + γ⁻)·Λ: the work of an impact, which Newton's law with friction does not promise to be a loss. */
static double impact_work(const exact_event *e)
{
  double work = 0.0;
  for (int c = 0; c < 3; c++) {
    work += 0.5 * (double)e->impulse[c][0] * (along(normal[c], e->u_after) + along(normal[c], e->u_before));
    work += 0.5 * (double)e->impulse[c][1] * (along(tangent[c], e->u_after) + along(tangent[c], e->u_before));
  }
  return work;
}

/* Other toys: beaks that bounce endlessly often, sleeves that hardly hold. All come through, friction takes
 * energy, impacts do the work of their impulses, and no contact gives way. */
START_TEST(other_toys_come_through)
{
  const int cases = random_cases(100);
  int zeno = 0;
  int locked = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_state s;
    exact_event e;
    load_toy();
    for (int i = 0; i < 3; i++) {
      toy.mu[i] = random_between(&r, 0.0, 0.6);
      toy.eps_N[i] = k % 2 && i > 0 ? 0.0 : random_between(&r, 0.0, 0.9);
    }
    REQUIRE(exact_woodpecker_begin(&toy, &s) == EXACT_EVENT, "toy %d", k);
    long double energy = exact_woodpecker_energy(&toy, s.q, s.u);
    for (int n = 0; n < 2000; n++) {
      e = (exact_event){.t = 0.0L};
      const exact_status status = exact_woodpecker_next(&toy, 1.0L, &s, &e);
      const int is_event = status == EXACT_EVENT;
      const long double now = exact_woodpecker_energy(&toy, s.q, s.u);
      const long double work = is_event ? impact_work(&e) : 0.0;
      REQUIRE(now - work <= energy + 1e-13L, "toy %d gains %Lg", k, now - work - energy);
      energy = now;
      for (int i = 0; i < 3; i++) {
        REQUIRE(gap(i, s.q) > -1e-13, "toy %d: gap %d is %g", k, i, gap(i, s.q));
      }
      if (status == EXACT_END) {
        break;
      }
      if (status == EXACT_NONE && k % 2 == 0 && gap(0, s.q) < 1e-13 &&
          fmin(gap(1, s.q), gap(2, s.q)) < 1e-13) {
        locked++; /* beak and edge at once, both to bounce: Newton's law may ask for too much */
        break;
      }
      REQUIRE(status == EXACT_EVENT, "toy %d after %d events: %d", k, n, (int)status);
      const long double before = exact_woodpecker_energy(&toy, e.q, e.u_before);
      REQUIRE(fabsl(now - before - work) < 1e-13L, "toy %d, impact gains %Lg", k, now - before - work);
      zeno += e.kind == EXACT_IMPACT && e.after[e.contact] != EXACT_OPEN && toy.eps_N[e.contact] > 0.0;
    }
    REQUIRE(s.t == 1.0L || locked > 0, "toy %d is stuck at %Lg", k, s.t);
  }
  ck_assert_int_ge(zeno, cases / 20);
  ck_assert_int_le(locked, cases / 50);
}
END_TEST

SUITE("support/exact_woodpecker", TEST(an_integrator_gives_the_same_motion_between_events),
      TEST(contact_laws_hold_at_every_instant), TEST(energy_is_what_friction_leaves),
      TEST(impacts_obey_their_laws), TEST(two_contacts_at_once_obey_their_laws),
      TEST(caution_does_not_matter), TEST(stops_on_the_way_do_not_matter), TEST(the_cycle_repeats),
      TEST(the_toy_settles_on_the_cycle), TEST(extrema_are_those_of_the_motion),
      TEST(the_cycle_is_that_of_the_toy), TEST(no_cycle_without_friction), TEST(other_toys_come_through))
