/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The wheel's closed forms: momentum about the contact line, energy, GSL's integrator. */
#include "support/exact_disk.h"

#include <math.h>

#include "gsl_ode.h"

/* y = (x, φ, v, ω); the sign of the slip stays what it is at the beginning. */
typedef struct wheel {
  exact_disk disk;
  double sign;
} wheel;

static int sliding_rate(double t, const double y[], double dydt[], void *data)
{
  const wheel *w = data;
  const exact_disk *p = &w->disk;
  const double friction = -w->sign * p->mu * p->g * cos(p->theta);
  (void)t;
  dydt[0] = y[2];
  dydt[1] = y[3];
  dydt[2] = p->g * sin(p->theta) + friction;
  dydt[3] = friction / (p->kappa * p->R);
  return 0;
}

static wheel random_wheel(random_state *r)
{
  wheel w = {.disk = {.g = 9.81,
                      .theta = random_below(r, 2) ? random_between(r, 0.0, 1.2) : 0.0,
                      .mu = random_between(r, 0.05, 0.5),
                      .R = random_between(r, 0.1, 0.5),
                      .kappa = random_between(r, 0.3, 1.0),
                      .v = random_between(r, -3.0, 3.0),
                      .omega = random_between(r, -10.0, 10.0)}};
  w.sign = w.disk.v + w.disk.R * w.disk.omega > 0.0 ? 1.0 : -1.0;
  return w;
}

START_TEST(sliding_is_what_an_integrator_finds)
{
  const int cases = random_cases(300);
  int ends[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    wheel w = random_wheel(&r);
    const double first = exact_disk_time(&w.disk);
    const double end = fmin(first, 1.0);
    double y[4] = {0.0, 0.0, w.disk.v, w.disk.omega};
    gsl_integrate(sliding_rate, &w, 4, 0.0, end, 1e-13, y);
    const exact_disk_state s = exact_disk_at(&w.disk, end);
    REQUIRE(fabs(s.x - y[0]) < 1e-11 && fabs(s.phi - y[1]) < 1e-10, "case %d", k);
    REQUIRE(fabs(s.v - y[2]) < 1e-11 && fabs(s.omega - y[3]) < 1e-10, "case %d", k);
    REQUIRE(first > 1.0 || fabs(s.slip) < 1e-12 * (1.0 + fabs(w.disk.v)), "case %d: %g", k, s.slip);
    REQUIRE(w.sign * exact_disk_at(&w.disk, 0.999 * end).slip > 0.0, "case %d", k);
    ends[first < 1.0]++;
  }
  ck_assert_int_ge(ends[0], cases / 20);
  ck_assert_int_ge(ends[1], cases / 4);
}
END_TEST

/* Whatever friction does, it has no moment about the contact: v − κ R ω grows with g sin θ only. */
START_TEST(momentum_about_the_contact_line)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_disk p = random_wheel(&r).disk;
    const double t = random_between(&r, 0.0, 3.0);
    const exact_disk_state s = exact_disk_at(&p, t);
    const double before = p.v - p.kappa * p.R * p.omega;
    const double after = s.v - p.kappa * p.R * s.omega;
    REQUIRE(fabs(after - before - p.g * sin(p.theta) * t) < 1e-12 * (10.0 + t * p.g), "case %d", k);
  }
}
END_TEST

START_TEST(then_it_rolls_or_slides_on)
{
  const int cases = random_cases(2000);
  int rolls[2] = {0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_disk p = random_wheel(&r).disk;
    const double first = exact_disk_time(&p);
    if (!(first < 5.0)) {
      continue;
    }
    const exact_disk_state a = exact_disk_at(&p, first);
    const exact_disk_state b = exact_disk_at(&p, first + 1.0);
    rolls[exact_disk_rolls(&p)]++;
    if (exact_disk_rolls(&p)) {
      /* v² grows with the height: energy, without loss */
      const double gained = (1.0 + p.kappa) * (b.v * b.v - a.v * a.v) / 2.0;
      REQUIRE(fabs(gained - p.g * sin(p.theta) * (b.x - a.x)) < 1e-10 * (1.0 + b.v * b.v), "case %d", k);
      REQUIRE(fabs(b.slip) < 1e-11 * (1.0 + fabs(b.v)), "case %d", k);
      /* with less friction than there is */
      const double force = p.g * sin(p.theta) * p.kappa / (1.0 + p.kappa);
      REQUIRE(force <= p.mu * p.g * cos(p.theta) * (1.0 + 1e-14), "case %d", k);
    } else {
      REQUIRE(b.slip > 0.0, "case %d", k);
      REQUIRE(fabs(b.v - a.v - p.g * (sin(p.theta) - p.mu * cos(p.theta))) < 1e-11, "case %d", k);
    }
  }
  ck_assert_int_ge(rolls[0], cases / 50);
  ck_assert_int_ge(rolls[1], cases / 4);
}
END_TEST

/* A disk thrown along the level: rolls after v/(3 μ g) with two thirds of its speed; a ball, κ = 2/5, after
 * 2 v/(7 μ g) with five sevenths (Mylapilli & Jain 2017, §6.1: 0.2912 s). */
START_TEST(known_by_hand)
{
  exact_disk p = {.g = 9.81, .mu = 0.2, .R = 0.25, .kappa = 0.5, .v = 2.0};
  ck_assert_double_eq_tol(exact_disk_time(&p), 2.0 / (3.0 * 0.2 * 9.81), 1e-15);
  ck_assert_double_eq_tol(exact_disk_at(&p, 1.0).v, 4.0 / 3.0, 1e-14);
  p.kappa = 0.4;
  ck_assert_double_eq_tol(exact_disk_time(&p), 0.2912, 1e-4);
  ck_assert_double_eq_tol(exact_disk_at(&p, 1.0).v, 10.0 / 7.0, 1e-14);
  p.omega = -8.0; /* rolls from the beginning */
  ck_assert_double_eq(exact_disk_time(&p), 0.0);
  ck_assert_double_eq_tol(exact_disk_at(&p, 3.0).x, 6.0, 1e-14);
}
END_TEST

SUITE("support/exact_disk", TEST(sliding_is_what_an_integrator_finds), TEST(momentum_about_the_contact_line),
      TEST(then_it_rolls_or_slides_on), TEST(known_by_hand))
