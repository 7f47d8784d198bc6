/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Over which time w̄ is differenced: within a turn, in the units of its row, and whatever callbacks round. */
#include "event/phase/bias_interval.h"

#include <float.h>

#include "event_models.h"

/* A crank in radians drives a slider in µm, which rests on a rough floor until τ = rest and then goes its way
 * with x = R (1 − s³), s = Ω (τ − rest): its velocity has no size before that. Both by constraints; q = (φ,
 * x, y).
 */
typedef struct dwell {
  double R, Omega, rest, t0;
} dwell;

static int dwell_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1e11;
  M[4] = M[8] = 1.3;
  return 0;
}

static int dwell_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[2] = -1.3 * 9.81e6;
  return 0;
}

static int dwell_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

static int dwell_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[2] = W[4] = 1.0;
  return 0;
}

static int dwell_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const dwell *p = user;
  const double s = fmax(q[0] - p->Omega * p->rest, 0.0);
  g_b[0] = q[0] - p->Omega * (t - p->t0);
  W_b[0] = 1.0;
  w_hat_b[0] = -p->Omega;
  g_b[1] = q[1] - p->R * (1.0 - s * s * s);
  W_b[3] = 3.0 * p->R * s * s;
  W_b[4] = 1.0;
  return 0;
}

static int dwell_bias(void *user, double t, const double *q, const double *u, double *w_bar)
{
  const dwell *p = user;
  (void)t;
  w_bar[0] = 0.0;
  w_bar[1] = 6.0 * p->R * fmax(q[0] - p->Omega * p->rest, 0.0) * u[0] * u[0];
  return 0;
}

START_TEST(what_rests_in_another_unit_begins_to_move)
{
  const double tols[] = {1e-6, 1e-9, 1e-12};
  for (int i = 0; i < 60; i++) {
    dwell p = {.R = 5.8e5, .Omega = 1.0 + 0.19 * i, .rest = 0.13 + 0.01 * i, .t0 = i % 2 ? 1e6 : 0.0};
    nsdyn_system_def def = table(3, 1, &p);
    def.nconstraints = 2;
    def.mass = dwell_mass;
    def.force = dwell_force;
    def.gap = dwell_gap;
    def.direction = dwell_direction;
    def.constraint = dwell_constraint;
    def.constraint_bias = i / 6 % 2 ? NULL : dwell_bias;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.3, 0.0));
    s.options.tol = tols[i / 2 % 3];
    const double q[3] = {0.0, p.R, 0.0}, u[3] = {p.Omega, 0.0, 0.0};
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0 + p.rest + 0.3 / p.Omega);
    const double x = nsdyn_event_driver_q(s.driver)[1], v = nsdyn_event_driver_u(s.driver)[1];
    const double clock = 4.0 * DBL_EPSILON * p.t0 * p.Omega;
    ck_assert_double_le(fabs(x - p.R * (1.0 - 0.027)), (10.0 * s.options.tol + clock) * p.R);
    ck_assert_double_le(fabs(v + p.R * 0.27 * p.Omega), (1e3 * s.options.tol + 10.0 * clock) * p.R * p.Omega);
    ck_assert_int_le(count_kind(&s, NSDYN_EVENT_HANDOVER), 0);
    scene_end(&s);
  }
}
END_TEST

/* The same without rests: x = R cos φ. */
static int yoke_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const dwell *p = user;
  g_b[0] = q[0] - p->Omega * (t - p->t0);
  W_b[0] = 1.0;
  w_hat_b[0] = -p->Omega;
  g_b[1] = q[1] - p->R * cos(q[0]);
  W_b[3] = p->R * sin(q[0]);
  W_b[4] = 1.0;
  return 0;
}

/* Coordinates in units of their own say nothing of how fast the motion is: R = 10⁶ µm at 1 rad/s seems to
 * need 10⁶ s. w̄ = R cos φ φ̇² must not be differenced over many turns, where no shorter time seems to help. */
START_TEST(w_bar_is_differenced_within_a_turn)
{
  for (int i = 0; i < 80; i++) {
    dwell p = {.R = pow(10.0, 3 + i % 4), .Omega = 0.5 + 0.11 * i, .t0 = i % 2 ? 1e6 : 0.0};
    nsdyn_system_def def = table(3, 1, &p);
    def.nconstraints = 2;
    def.mass = dwell_mass;
    def.force = dwell_force;
    def.gap = dwell_gap;
    def.direction = dwell_direction;
    def.constraint = yoke_constraint;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.3, 0.0));
    s.options.tol = i % 3 ? 1e-9 : 1e-6;
    const double q[3] = {0.0, p.R, 0.0}, u[3] = {p.Omega, 0.0, 0.0};
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0 + (i % 4 < 2 ? 14.0 : 1.5) / p.Omega);
    const double phi = p.Omega * (nsdyn_event_driver_time(s.driver) - p.t0);
    const double x = nsdyn_event_driver_q(s.driver)[1], v = nsdyn_event_driver_u(s.driver)[1];
    const double clock = 64.0 * DBL_EPSILON * p.t0 * p.Omega;
    ck_assert_double_le(fabs(x - p.R * cos(phi)), (10.0 * s.options.tol + clock) * p.R);
    ck_assert_double_le(fabs(v + p.R * p.Omega * sin(phi)), (1e3 * s.options.tol + clock) * p.R * p.Omega);
    scene_end(&s);
  }
}
END_TEST

/* A dwell whose end is worked out from numbers that cancel, as polynomials in 1 − s do: near it the terms of
 * γ are rounding of R Ω, of which neither W nor u says anything. */
static int grainy_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const dwell *p = user;
  const int status = dwell_constraint(user, t, q, g_b, W_b, w_hat_b);
  if (q[0] > p->Omega * p->rest) {
    W_b[3] = (W_b[3] + 200.0 * p->R) - 200.0 * p->R;
  }
  return status;
}

START_TEST(rounding_inside_a_callback_is_no_wrong_bias)
{
  for (int i = 0; i < 120; i++) {
    dwell p = {
        .R = i % 3 ? 1e3 : 1.0, .Omega = 1.0 + 0.19 * i, .rest = 0.13 + 0.01 * i, .t0 = i % 2 ? 1e6 : 0.0};
    nsdyn_system_def def = table(3, 1, &p);
    def.nconstraints = 2;
    def.mass = dwell_mass;
    def.force = dwell_force;
    def.gap = dwell_gap;
    def.direction = dwell_direction;
    def.constraint = grainy_constraint;
    def.constraint_bias = dwell_bias;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.3, 0.0));
    s.options.tol = i % 4 < 2 ? 1e-9 : 1e-12;
    const double q[3] = {0.0, p.R, 0.0}, u[3] = {p.Omega, 0.0, 0.0};
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0 + p.rest + 0.3 / p.Omega);
    const double x = nsdyn_event_driver_q(s.driver)[1], clock = 4.0 * DBL_EPSILON * p.t0 * p.Omega;
    ck_assert_double_le(fabs(x - p.R * (1.0 - 0.027)), (10.0 * s.options.tol + clock) * p.R);
    scene_end(&s);
  }
}
END_TEST

/* A cam of size L under a follower, cos(φ) L ahead of its centre: y = L (2 + sin φ). Its angle is there
 * twice, z = a φ, with inertia of its own; a load on z is taken back by one on φ. */
typedef struct cam {
  double L, a, load, Omega;
} cam;

static int cam_mass(void *user, double t, const double *q, double *M)
{
  const cam *p = user;
  (void)t, (void)q;
  M[0] = 1.0;
  M[4] = 2.0 * p->L * p->L;
  M[8] = p->L * p->L / (p->a * p->a);
  return 0;
}

static int cam_force(void *user, double t, const double *q, const double *u, double *h)
{
  const cam *p = user;
  (void)t, (void)q, (void)u;
  h[0] = -9.81;
  h[1] = -p->load * 9.81 * p->L;
  h[2] = p->load * 9.81 * p->L / p->a;
  return 0;
}

static int cam_gap(void *user, double t, const double *q, double *g)
{
  const cam *p = user;
  g[0] = q[0] - p->L * (2.0 + sin(q[1]) + 0.01 * sin(p->Omega * t));
  return 0;
}

static int cam_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const cam *p = user;
  (void)i;
  W[0] = 1.0;
  W[1] = -p->L * cos(q[1]);
  w_hat[0] = -0.01 * p->L * p->Omega * cos(p->Omega * t);
  return 0;
}

static int cam_twice(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const double a = ((const cam *)user)->a;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[2] - a * q[1];
  W_b[1] = -a;
  W_b[2] = 1.0;
  return 0;
}

/* With w = (1, −L cos φ), w̄ = L (sin φ φ̇² + Ω² sin(Ω t) / 100) and the inertia 3 L² of both angles
 *
 *   λ = (g − w̄) / (1 + cos² φ / 3),
 *
 * without a callback for w̄, in any unit beside that of the angle, whatever loads cancel. */
START_TEST(w_bar_is_differenced_in_the_units_of_its_row)
{
  for (int k = 0; k < 12; k++) {
    const double L = k % 2 ? 1e-6 : 1.0, slow = sqrt(9.81 / L);
    cam p = {L, k < 6 ? 3.0 : 1e3, k % 3 ? pow(1e3, k % 3) : 0.0, (4.0 + 0.3 * k) * slow};
    nsdyn_system_def def = table(3, 1, &p);
    def.mass = cam_mass;
    def.force = cam_force;
    def.gap = cam_gap;
    def.direction = cam_direction;
    def.nconstraints = 1;
    def.constraint = cam_twice;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.0, 0.0));
    const double turns = 0.1 * slow;
    const double q[3] = {L * (2.0 + sin(0.4)), 0.4, 0.4 * p.a};
    const double u[3] = {L * (cos(0.4) * turns + 0.01 * p.Omega), turns, p.a * turns};
    scene_drive(&s, 0.0, q, u);
    for (int i = 1; i <= 20; i++) {
      const double t = 0.2 * i / slow;
      scene_advance(&s, t);
      const double *now = nsdyn_event_driver_q(s.driver), *fast = nsdyn_event_driver_u(s.driver);
      const double shake = 0.01 * sin(p.Omega * t), c = cos(now[1]);
      const double w_bar = L * (sin(now[1]) * fast[1] * fast[1] + p.Omega * p.Omega * shake);
      const double exact = (9.81 - w_bar) / (1.0 + c * c / 3.0);
      nsdyn_contact_state contact = {.size = sizeof contact};
      nsdyn_event_driver_contact(s.driver, 0, &contact);
      ck_assert_msg(fabs(contact.force[0] - exact) <= 1e-9 * 9.81, "L = %g, load %g: %.3g at %d", L, p.load,
                    (contact.force[0] - exact) / 9.81, i);
      ck_assert(fabs(now[0] - L * (2.0 + sin(now[1]) + shake)) <= 1e-8 * L);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/bias_interval", TEST(what_rests_in_another_unit_begins_to_move),
      TEST(w_bar_is_differenced_within_a_turn), TEST(rounding_inside_a_callback_is_no_wrong_bias),
      TEST(w_bar_is_differenced_in_the_units_of_its_row))
