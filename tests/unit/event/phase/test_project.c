/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is closed stays closed to rounding: constraints, contacts, slots, over long times. */
#include <float.h>

#include "event_models.h"

/* A chain of unit point masses (x, y), each at distance 1 from the one before, the first from the origin; g
 * = 1. Constraint i: g_b = ½ (|r_i − r_{i−1}|² − 1). A wall x >= wall for the last. */
typedef struct chain {
  int count, has_bias;
  double wall;
} chain;

static int chain_mass(void *user, double t, const double *q, double *M)
{
  const chain *p = user;
  const int n = 2 * p->count;
  (void)t, (void)q;
  for (int i = 0; i < n; i++) {
    M[i * n + i] = 1.0;
  }
  return 0;
}

static int chain_force(void *user, double t, const double *q, const double *u, double *h)
{
  const chain *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < p->count; i++) {
    h[2 * i + 1] = -1.0;
  }
  return 0;
}

static int chain_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const chain *p = user;
  const int n = 2 * p->count;
  (void)t;
  for (int i = 0; i < p->count; i++) {
    double d[2];
    w_hat_b[i] = 0.0;
    for (int r = 0; r < 2; r++) {
      d[r] = q[2 * i + r] - (i > 0 ? q[2 * i - 2 + r] : 0.0);
      W_b[i * n + 2 * i + r] = d[r];
      if (i > 0) {
        W_b[i * n + 2 * i - 2 + r] = -d[r];
      }
    }
    g_b[i] = 0.5 * (d[0] * d[0] + d[1] * d[1] - 1.0);
  }
  return 0;
}

static int chain_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  const chain *p = user;
  (void)t, (void)q;
  for (int i = 0; i < p->count; i++) {
    for (int r = 0; r < 2; r++) {
      const double v = u[2 * i + r] - (i > 0 ? u[2 * i - 2 + r] : 0.0);
      w_bar_b[i] += v * v;
    }
  }
  return 0;
}

static int chain_gap(void *user, double t, const double *q, double *g)
{
  const chain *p = user;
  (void)t;
  g[0] = q[2 * p->count - 2] - p->wall;
  return 0;
}

static int chain_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const chain *p = user;
  const int n = 2 * p->count;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[n - 2] = 1.0;
  W[n + n - 1] = 1.0;
  return 0;
}

static driven chain_scene(chain *p, double mu, double eps_n)
{
  nsdyn_system_def def = table(2 * p->count, 1, p);
  def.nconstraints = p->count;
  def.mass = chain_mass;
  def.force = chain_force;
  def.gap = chain_gap;
  def.direction = chain_direction;
  def.constraint = chain_constraint;
  def.constraint_bias = p->has_bias ? chain_bias : NULL;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(mu, eps_n));
  return s;
}

static double energy_of(const chain *p, const double *q, const double *u)
{
  double energy = 0.0;
  for (int i = 0; i < p->count; i++) {
    energy += 0.5 * (u[2 * i] * u[2 * i] + u[2 * i + 1] * u[2 * i + 1]) + q[2 * i + 1];
  }
  return energy;
}

START_TEST(constraints_are_kept_to_rounding)
{
  for (int count = 1; count <= 3; count++) {
    for (int has_bias = 0; has_bias <= 1; has_bias++) {
      chain p = {.count = count, .has_bias = has_bias, .wall = -100.0};
      double q[6], u[6] = {0.0}, g_b[3], W_b[18] = {0.0}, w_hat[3];
      for (int i = 0; i < count; i++) {
        q[2 * i] = i + 1.0;
        q[2 * i + 1] = 0.0;
      }
      driven s = chain_scene(&p, 0.0, 0.0);
      s.options.tol = 1e-11;
      scene_drive(&s, 0.0, q, u);
      scene_advance(&s, 100.0);
      const double *q_end = nsdyn_event_driver_q(s.driver), *u_end = nsdyn_event_driver_u(s.driver);
      chain_constraint(&p, 0.0, q_end, g_b, W_b, w_hat);
      for (int i = 0; i < count; i++) {
        double gamma = 0.0;
        for (int j = 0; j < 2 * count; j++) {
          gamma += W_b[i * 2 * count + j] * u_end[j];
        }
        ck_assert_msg(fabs(g_b[i]) <= 4e-13 && fabs(gamma) <= 4e-12, "%d links: g = %g, γ = %g", count,
                      g_b[i], gamma);
      }
      ck_assert_msg(fabs(energy_of(&p, q_end, u_end)) <= 1e-7, "%d links: energy %g", count,
                    energy_of(&p, q_end, u_end));
      ck_assert(report_of(&s).gap <= 4e-13);
      scene_end(&s);
    }
  }
}
END_TEST

/* θ'' = −sin θ from the horizontal: the quarter period is K(1/√2) = 1.8540746773013719. */
START_TEST(a_pendulum_swings_in_the_exact_time)
{
  chain p = {.count = 1, .has_bias = 1, .wall = 0.0};
  const double q[2] = {1.0, 0.0}, u[2] = {0.0, 0.0}, quarter = 1.8540746773013719;
  driven s = chain_scene(&p, 0.0, 1.0);
  s.options.tol = 1e-12;
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 40.0); /* and bounces back from the wall below the pivot */
  for (int k = 0; k < 10; k++) {
    const nsdyn_event event = event_of(&s, k);
    ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
    ck_assert_msg(fabs(event.t - (2 * k + 1) * quarter) <= 1e-9, "impact %d: %g off", k,
                  event.t - (2 * k + 1) * quarter);
    ck_assert(fabs(event.before[0] + sqrt(2.0)) <= 1e-10);
  }
  scene_end(&s);
}
END_TEST

START_TEST(broken_constraints_are_refused_or_mended_at_the_start)
{
  chain p = {.count = 2, .has_bias = 1, .wall = -100.0};
  const double q[4] = {1.001, 0.0, 1.9, 0.2}, u[4] = {0.3, 0.5, -0.2, 0.1};
  double g_b[2], W_b[8] = {0.0}, w_hat[2];
  driven s = chain_scene(&p, 0.0, 0.0);
  scene_drive(&s, 0.0, q, u);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.0), NSDYN_ERR_INCONSISTENT);
  ck_assert_msg(strncmp(nsdyn_event_driver_message(s.driver), "constraint 0 begins with", 24) == 0, "%s",
                nsdyn_event_driver_message(s.driver));
  ck_assert(memcmp(nsdyn_event_driver_q(s.driver), q, sizeof q) == 0);
  nsdyn_consistent_report made;
  nsdyn_consistent_report_init(&made, sizeof made);
  ck_assert_int_eq(nsdyn_event_driver_consistent(s.driver, &made), NSDYN_OK);
  ck_assert(made.gap > 0.0 && made.constraint >= 0 && made.contact == -1 && made.left <= 1e-13);
  scene_advance(&s, 0.0);
  chain_constraint(&p, 0.0, nsdyn_event_driver_q(s.driver), g_b, W_b, w_hat);
  for (int i = 0; i < 2; i++) {
    double gamma = 0.0;
    for (int j = 0; j < 4; j++) {
      gamma += W_b[4 * i + j] * nsdyn_event_driver_u(s.driver)[j];
    }
    ck_assert_msg(fabs(g_b[i]) <= 1e-13 && fabs(gamma) <= 1e-13, "g = %g, γ = %g", g_b[i], gamma);
  }
  ck_assert_int_eq(report_of(&s).impacts, 1); /* velocities by an impact: the constraints hit */
  scene_end(&s);
}
END_TEST

/* A block slides down a ramp on two corners for a long way. */
START_TEST(contacts_stay_closed_over_a_long_slide)
{
  block p = {.b = 0.5, .c = 0.1, .g = 9.81, .slope = 0.5, .has_bias = 1};
  driven s = block_scene(&p, 0.2, 0.0);
  const double q[3] = {0.0, 0.1, 0.0}, u[3] = {1.0, 0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 200.0);
  const double a = 9.81 * (sin(0.5) - 0.2 * cos(0.5)), x = 200.0 + 0.5 * a * 4e4;
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[0] - x) <= 1e-9 * x);
  for (int i = 0; i < 2; i++) {
    ck_assert(fabs(contact_of(&s, i).gap) <= 1e-12);
    ck_assert_int_eq(contact_of(&s, i).mode, NSDYN_MODE_SLIP_PLUS);
  }
  ck_assert_int_eq(events_of(&s), 2);
  scene_end(&s);
}
END_TEST

/* A rod that turns about its end on a rough table (stick): the end does not creep. */
START_TEST(a_sticking_end_does_not_creep)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 1.2, .g = 9.81};
  exact_rod_state state = exact_rod_on_table(&rod, 1.5, 0.0, 0.0);
  driven s = rod_scene(&rod, 0.0, 0);
  scene_drive(&s, 0.0, state.q, state.u);
  scene_advance(&s, 0.5);
  ck_assert_int_eq(exact_rod_turn(&rod, 0.5, &state), EXACT_ROD_TIME);
  const double *q = nsdyn_event_driver_q(s.driver);
  ck_assert(fabs(q[0] - 0.5 * cos(q[2])) <= 1e-10);
  ck_assert(fabs(q[1] - 0.5 * sin(q[2])) <= 1e-13);
  ck_assert_msg(fabs(q[2] - state.q[2]) <= 1e-9, "θ: %g off", q[2] - state.q[2]);
  scene_end(&s);
}
END_TEST

/* Without friction nothing sticks, though a contact that begins at rest has γ_T = 0. Another point's impacts
 * happen meanwhile. */
START_TEST(a_frictionless_contact_is_not_held)
{
  points p = {.count = 2, .g = 9.81, .F = {3.0, 0.0}};
  driven s = points_scene(&p, 0.0, 0.5);
  const double q[4] = {0.0, 0.0, 0.0, 1.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 0.0);
  ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_STICK); /* at this instant */
  for (int k = 1; k <= 20; k++) {
    const double t = 0.1 * k;
    scene_advance(&s, t);
    for (int i = 0; i < 2; i++) {
      ck_assert_msg(fabs(nsdyn_event_driver_q(s.driver)[2 * i] - 1.5 * t * t) <= 1e-11,
                    "point %d, t = %g: %g", i, t, nsdyn_event_driver_q(s.driver)[2 * i]);
      ck_assert(fabs(nsdyn_event_driver_u(s.driver)[2 * i] - 3.0 * t) <= 1e-11);
    }
    ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_SLIP_PLUS);
  }
  ck_assert_int_ge(count_kind(&s, NSDYN_EVENT_IMPACT), 3);
  scene_end(&s);
}
END_TEST

SUITE("event/phase/project", TEST(constraints_are_kept_to_rounding),
      TEST(a_pendulum_swings_in_the_exact_time), TEST(broken_constraints_are_refused_or_mended_at_the_start),
      TEST(contacts_stay_closed_over_a_long_slide), TEST(a_sticking_end_does_not_creep),
      TEST(a_frictionless_contact_is_not_held))
