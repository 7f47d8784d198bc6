/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker of Glocker & Studer (2005), Table I, stepped by the library and solved exactly: the way to
 * its limit cycle, the cycle, its events; every step's certificate and energy; two contacts at once. */
#include <string.h>

#include "cycle.h"
#include "support/exact_toy.h"

/* ---- Convergence ---- */

typedef struct convergence {
  toy *p;
  double t;
} convergence;

static double error_at(void *data, double dt)
{
  const convergence *at = data;
  exact_state exact;
  const int steps = (int)ceil(at->t / dt);
  double error = 0.0;
  ck_assert_int_eq(exact_woodpecker_begin(&at->p->exact, &exact), EXACT_EVENT);
  while (exact_woodpecker_next(&at->p->exact, (long double)at->t, &exact, NULL) == EXACT_EVENT) {
  }
  begin_at_table(at->p);
  for (int i = 0; i < steps; i++) {
    step(at->p, at->t / steps);
  }
  for (int i = 0; i < 3; i++) {
    error = fmax(error, fabs(nsdyn_stepper_q(at->p->stepper)[i] - (double)exact.q[i]) / sizes[i]);
    error = fmax(error, fabs(nsdyn_stepper_u(at->p->stepper)[i] - (double)exact.u[i]) / sizes[3 + i]);
  }
  return error;
}

START_TEST(second_order_before_the_first_event)
{
  toy p;
  make_toy(&p);
  prove_order(error_at, &(convergence){&p, 0.02}, 1e-4, 2.0, 0.02, 1e4);
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* Through a stop, a start, a detachment and five impacts, and through three periods. */
START_TEST(first_order_through_events)
{
  toy p;
  make_toy(&p);
  prove_order(error_at, &(convergence){&p, 0.16}, 4e-5, 1.0, 0.4, 1200.0);
  prove_order(error_at, &(convergence){&p, 0.45}, 4e-5, 1.0, 0.4, 1200.0);
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* ---- The events of one period ---- */

enum { CHANGES = 64 };

typedef struct change {
  double t; /* middle of the step */
  int contact, before, after;
} change;

typedef struct changes {
  int count;
  int mode[EXACT_CONTACTS];
  change list[CHANGES];
} changes;

static void note_changes(changes *c, const nsdyn_stepper *s, double dt)
{
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    const int mode = state_of(s, i).mode;
    if (mode != c->mode[i]) {
      REQUIRE(c->count < CHANGES, "more than %d changes of mode", CHANGES);
      c->list[c->count++] = (change){nsdyn_stepper_time(s) - 0.5 * dt, i, c->mode[i], mode};
    }
    c->mode[i] = mode;
  }
}

static int is_kind(const change *c, exact_kind kind)
{
  const int slips[2] = {c->before == NSDYN_MODE_SLIP_PLUS || c->before == NSDYN_MODE_SLIP_MINUS,
                        c->after == NSDYN_MODE_SLIP_PLUS || c->after == NSDYN_MODE_SLIP_MINUS};
  switch (kind) {
  case EXACT_IMPACT:
    return c->before == NSDYN_MODE_OPEN;
  case EXACT_DETACH:
    return c->after == NSDYN_MODE_OPEN;
  case EXACT_STOP:
    return slips[0] && c->after == NSDYN_MODE_STICK;
  case EXACT_START:
    return c->before == NSDYN_MODE_STICK && slips[1];
  case EXACT_REVERSE:
    return slips[0] && slips[1];
  }
  return 0;
}

typedef struct period {
  toy *p;
  const exact_cycle *cycle;
} period;

/* The largest distance in time of an exact event to one of its kind and contact. */
static double error_of_events(void *data, double dt)
{
  const period *at = data;
  const exact_cycle *cycle = at->cycle;
  changes found = {.count = 0};
  double error = 0.0;
  place_toy(at->p, cycle->section.q, cycle->section.u);
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    const exact_mode mode = cycle->section.mode[i];
    found.mode[i] = mode == EXACT_OPEN    ? NSDYN_MODE_OPEN
                    : mode == EXACT_STICK ? NSDYN_MODE_STICK
                    : mode == EXACT_PLUS  ? NSDYN_MODE_SLIP_PLUS
                                          : NSDYN_MODE_SLIP_MINUS;
  }
  while (nsdyn_stepper_time(at->p->stepper) < 1.02 * (double)cycle->period) {
    step(at->p, dt);
    note_changes(&found, at->p->stepper, dt);
  }
  for (int k = 0; k < cycle->events; k++) {
    const exact_event *e = &cycle->event[k];
    double least = INFINITY;
    for (int i = 0; i < found.count; i++) {
      if (found.list[i].contact == e->contact && is_kind(&found.list[i], e->kind)) {
        least = fmin(least, fabs(found.list[i].t - (double)e->t));
      }
    }
    REQUIRE(least < 0.05, "no %s of contact %d at t = %g", exact_kind_name(e->kind), e->contact,
            (double)e->t);
    error = fmax(error, least);
  }
  return error;
}

START_TEST(times_of_impact_stick_and_slip_converge)
{
  toy p;
  exact_cycle cycle;
  make_toy(&p);
  begin_on_cycle(&p, &cycle);
  ck_assert_int_ge(cycle.events, 8);
  prove_order(error_of_events, &(period){&p, &cycle}, 4e-5, 1.0, 0.4, 30.0);
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* ---- The limit cycle ---- */

/* Extrema over ten periods, all but the height's. */
static double error_of_extrema(const settled *s, const exact_cycle *c)
{
  double error = 0.0;
  for (int i = 1; i < 6; i++) {
    const double least = (double)(i < 3 ? c->q_least[i] : c->u_least[i - 3]);
    const double most = (double)(i < 3 ? c->q_most[i] : c->u_most[i - 3]);
    error = fmax(error, fabs(s->least[i] - least) / sizes[i]);
    error = fmax(error, fabs(s->most[i] - most) / sizes[i]);
  }
  return error;
}

START_TEST(it_settles_on_the_exact_cycle)
{
  const double steps[] = {1e-4, 1e-5, 1e-6}, within[] = {5e-3, 5e-4, 5e-5};
  const int count =
      random_cases(100) < 100 ? 2 : 3; /* 4 million steps are too many for an instrumented run */
  toy p;
  exact_cycle c;
  make_toy(&p);
  ck_assert_int_eq(exact_woodpecker_cycle(&p.exact, &c), EXACT_EVENT);
  for (int k = 0; k < count; k++) {
    const double dt = steps[k];
    const settled s = settle(&p, dt, 20);
    ck_assert_double_eq_tol(s.period / (double)c.period, 1.0, within[k]);
    ck_assert_double_eq_tol(s.drop / (double)c.drop, 1.0, 6.0 * within[k]);
    ck_assert_double_lt(s.scatter, 15.0 * dt);
    ck_assert_double_lt(error_of_extrema(&s, &c), 600.0 * dt);
  }
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* ---- Each step ---- */

/* The certificate, and the balance of energy to rounding. */
static void check_step(toy *p)
{
  const nsdyn_step_report report = report_of(p->stepper);
  const nsdyn_step_energy e = energy_of(p->stepper);
  const double size = e.before + e.after + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) + fabs(e.inertia);
  const double missing = e.after - e.before - e.force - e.normal - e.tangent - e.constraint - e.inertia;
  REQUIRE(report.status == NSDYN_OK && report.residual <= 1e-9 * report.scale,
          "t = %g: residual %g, scale %g", report.t, report.residual, report.scale);
  REQUIRE(e.known && fabs(missing) <= 1e-13 * size, "t = %g: %g of %g J are missing", report.t, missing,
          size);
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    const nsdyn_contact_state c = state_of(p->stepper, i);
    const double most = p->exact.mu[i] * c.impulse[0];
    REQUIRE(c.impulse[0] >= 0.0 && fabs(c.impulse[1]) <= most * (1.0 + 1e-12), "t = %g: Λ_%d = %g, %g",
            report.t, i, c.impulse[0], c.impulse[1]);
  }
}

START_TEST(every_step_is_certified_and_balanced)
{
  const double steps[] = {1e-3, 1e-4, 1e-5};
  toy p;
  make_toy(&p);
  for (int k = 0; k < 3; k++) {
    begin_at_table(&p);
    for (int i = random_cases(20000); i > 0; i--) {
      step(&p, steps[k]);
      check_step(&p);
    }
  }
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* The step that the benchmark has by hand for this one model moves it alike, until rounding has grown. */
START_TEST(the_step_written_by_hand_agrees)
{
  const double steps[] = {1e-5, 1e-4, 3.7e-4};
  toy p;
  make_toy(&p);
  for (int k = 0; k < 3; k++) {
    floor_toy numbers;
    floor_state s;
    floor_begin(&numbers, &s);
    begin_at_table(&p);
    for (int i = 0; i < 1000; i++) {
      REQUIRE(floor_step(&numbers, &s, steps[k]) >= 0, "step %d of %g", i, steps[k]);
      step(&p, steps[k]);
      for (int j = 0; j < 3; j++) {
        const double q = nsdyn_stepper_q(p.stepper)[j] - s.q[j], u = nsdyn_stepper_u(p.stepper)[j] - s.u[j];
        REQUIRE(fabs(q) <= 1e-10 * sizes[j] && fabs(u) <= 1e-10 * sizes[3 + j],
                "step %d of %g: q[%d] differs by %g, u by %g", i, steps[k], j, q, u);
      }
    }
  }
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* ---- Two contacts at once ---- */

/* The contact problem of a step from (q, u), by the exact solution's equations. */
typedef struct pair {
  exact_toy toy;
  exact_contacts p;
  int index[EXACT_CLOSED_MOST];
  long double u[EXACT_DOF]; /* without contacts, at the step's end */
} pair;

/* Returns how many contacts are closed. */
static int make_pair(const exact_woodpecker *table, const double *q, const double *u, double dt, pair *x)
{
  long double middle[EXACT_DOF], kick[EXACT_DOF];
  exact_toy_make(table, &x->toy);
  x->p.k = 0;
  for (int i = 0; i < EXACT_DOF; i++) {
    x->u[i] = (long double)u[i];
    middle[i] = (long double)(q[i] + 0.5 * dt * u[i]);
  }
  for (int i = 0; i < EXACT_CONTACTS; i++) {
    const long double *w = x->toy.w[i][0];
    if (x->toy.gap[i] + w[1] * middle[1] + w[2] * middle[2] <= 0.0L) {
      REQUIRE(x->p.k < EXACT_CLOSED_MOST, "three closed contacts");
      x->index[x->p.k++] = i;
    }
  }
  exact_toy_impact(&x->toy, x->index, x->u, &x->p);
  const long double torque = x->toy.stiffness * (middle[1] - middle[2]);
  for (int i = 0; i < EXACT_DOF; i++) {
    kick[i] = 0.0L;
    for (int j = 0; j < EXACT_DOF; j++) {
      const long double h = x->toy.weight[j] + (j == 1 ? -torque : j == 2 ? torque : 0.0L);
      kick[i] += x->toy.M_inverse[i][j] * h * (long double)dt;
    }
    x->u[i] += kick[i];
  }
  for (int k = 0; k < 2 * x->p.k; k++) {
    x->p.c[k][0] += exact_toy_speed(&x->toy, x->index[k / 2], k % 2, kick);
  }
  return x->p.k;
}

/* The velocities after a step whose impulses are Λ. */
static void velocities_after(const pair *x, const long double *Lambda, double *u)
{
  long double after[EXACT_DOF];
  memcpy(after, x->u, sizeof after);
  exact_toy_kick(&x->toy, x->index, x->p.k, Lambda, after);
  for (int i = 0; i < EXACT_DOF; i++) {
    u[i] = (double)after[i];
  }
}

/* The same problem by one of the library's methods; returns the LCP's size. */
static int solve_pair(const exact_woodpecker *table, const pair *x, int method, double *u)
{
  nsdyn_contact *solver;
  nsdyn_contact_options options;
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[EXACT_CLOSED_MOST];
  nsdyn_contact_solve_report result;
  double G[EXACT_ROWS * EXACT_ROWS], c[EXACT_ROWS], Lambda[EXACT_ROWS];
  long double exact[EXACT_ROWS];
  const int rows = 2 * x->p.k;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      G[i * rows + j] = (double)x->p.G[i][j];
    }
    c[i] = (double)x->p.c[i][0];
  }
  for (int k = 0; k < x->p.k; k++) {
    nsdyn_contact_law_init(&laws[k], sizeof laws[k]);
    laws[k].mu = table->mu[x->index[k]];
  }
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = x->p.k;
  problem.laws = laws;
  problem.G = G;
  problem.ldg = rows;
  problem.c = c;
  REQUIRE(nsdyn_contact_new(NULL, &options, &solver, NULL) == NSDYN_OK, "no solver");
  const nsdyn_status status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
  REQUIRE(status == NSDYN_OK, "method %d: %s", method, nsdyn_contact_message(solver));
  nsdyn_contact_solve_report_init(&result, sizeof result);
  REQUIRE(nsdyn_contact_report(solver, &result) == NSDYN_OK, "no report");
  nsdyn_contact_free(solver);
  for (int i = 0; i < rows; i++) {
    exact[i] = (long double)Lambda[i];
  }
  velocities_after(x, exact, u);
  return result.lcp_size;
}

static void same_velocities(const double *a, const double *b, const char *whose, int number)
{
  for (int i = 0; i < EXACT_DOF; i++) {
    REQUIRE(fabs(a[i] - b[i]) <= 1e-9 * sizes[3 + i], "%s, %d: u[%d] = %.17g and %.17g", whose, number, i,
            a[i], b[i]);
  }
}

/* One step from (q, u): stepper, LCP, direct solver and exact enumeration move alike. Returns whether two
 * contacts took part, and the answer is the only one. */
static int compare_step(toy *p, const double *q, const double *u, double dt, int number)
{
  pair x;
  exact_mode mode[EXACT_CLOSED_MOST];
  long double Lambda[EXACT_ROWS];
  double lcp[3], direct[3], exact[3];
  if (make_pair(&p->exact, q, u, dt, &x) < 2) {
    return 0;
  }
  ck_assert_int_eq(nsdyn_stepper_active(p->stepper), 2);
  if (exact_modes_impact(&x.p, 1e-13L, mode, Lambda) != 1) {
    return 0;
  }
  velocities_after(&x, Lambda, exact);
  same_velocities(nsdyn_stepper_u(p->stepper), exact, "stepper", number);
  ck_assert_int_eq(solve_pair(&p->exact, &x, NSDYN_CONTACT_LCP, lcp), 6);
  same_velocities(lcp, exact, "LCP", number);
  solve_pair(&p->exact, &x, NSDYN_CONTACT_DIRECT, direct);
  same_velocities(direct, exact, "direct", number);
  return 1;
}

/* Twenty seconds with steps of a millisecond. */
START_TEST(long_steps_close_two_contacts)
{
  const int steps = random_cases(20000);
  int pairs = 0;
  toy p;
  make_toy(&p);
  begin_at_table(&p);
  for (int k = 0; k < steps; k++) {
    double q[3], u[3];
    memcpy(q, nsdyn_stepper_q(p.stepper), sizeof q);
    memcpy(u, nsdyn_stepper_u(p.stepper), sizeof u);
    step(&p, 1e-3);
    pairs += compare_step(&p, q, u, 1e-3, k);
  }
  ck_assert_int_ge(pairs, steps / 1000);
  nsdyn_stepper_free(p.stepper);
}
END_TEST

/* Beak and one edge on the pole, any velocities. */
START_TEST(two_contacts_from_anywhere)
{
  const int cases = random_cases(2000);
  int pairs = 0;
  toy p;
  make_toy(&p);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double q[3] = {0.0, random_below(&r, 2) ? 0.1035 : -0.1035, 0.1201};
    const double dt = 1e-3 * random_unit(&r);
    double u[3];
    for (int i = 0; i < 3; i++) {
      u[i] = random_between(&r, -1.0, 1.0) * (i == 0 ? 0.3 : 15.0);
    }
    set_state(p.stepper, q, u);
    step(&p, dt);
    pairs += compare_step(&p, q, u, dt, k);
  }
  ck_assert_int_ge(pairs, cases / 10);
  nsdyn_stepper_free(p.stepper);
}
END_TEST

SUITE("woodpecker", TEST(second_order_before_the_first_event), TEST(first_order_through_events),
      TEST(times_of_impact_stick_and_slip_converge), TEST(it_settles_on_the_exact_cycle),
      TEST(every_step_is_certified_and_balanced), TEST(the_step_written_by_hand_agrees),
      TEST(long_steps_close_two_contacts), TEST(two_contacts_from_anywhere))
