/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Records: kinds, modes before and after, groups; slots; contacts that are found, and lost. */
#include "event_models.h"
#include "support/callbacks.h"

static const double pi = 3.14159265358979323846;

/* Impact, rest, and every change of mode, of one mass that is pulled to and fro by F cos t on a floor with μ
 * g = 3. */
START_TEST(records_follow_each_other)
{
  points p = {.count = 1, .g = 10.0, .F = {5.0, 0.0}, .Omega = 1.0};
  driven s = points_scene(&p, 0.3, 0.0);
  const double q[2] = {0.0, 5.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 12.0);
  nsdyn_event event = event_of(&s, 0);
  ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
  ck_assert(fabs(event.t - 1.0) <= 1e-12);
  ck_assert(event.mode_before == NSDYN_MODE_OPEN && event.mode_after == NSDYN_MODE_SLIP_PLUS);
  ck_assert(fabs(event.before[0] + 10.0) <= 1e-11 && fabs(event.before[1] - 5.0 * sin(1.0)) <= 1e-9);
  ck_assert(event.after[0] == 0.0 && fabs(event.impulse[0] - 10.0) <= 1e-11);
  ck_assert(fabs(event.impulse[1] + 3.0) <= 1e-11); /* friction at its limit */
  ck_assert(fabs(event.after[1] - event.before[1] - event.impulse[1]) <= 1e-12);
  int32_t mode = event.mode_after;
  for (int k = 1; k < events_of(&s); k++) { /* one mode leads to the next, and names fit */
    event = event_of(&s, k);
    ck_assert_int_eq(event.mode_before, mode);
    mode = event.mode_after;
    ck_assert_int_eq(event.group, k);
    const int32_t kind = mode == NSDYN_MODE_STICK                ? NSDYN_EVENT_STICK
                         : event.mode_before == NSDYN_MODE_STICK ? NSDYN_EVENT_SLIP
                                                                 : NSDYN_EVENT_REVERSE;
    ck_assert_int_eq(event.kind, kind);
    if (event.kind == NSDYN_EVENT_SLIP) {
      ck_assert_msg(fabs(fabs(5.0 * cos(event.t)) - 3.0) <= 1e-9, "%g", 5.0 * cos(event.t));
      ck_assert_int_eq(mode, cos(event.t) > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS);
    }
    ck_assert(event.impulse[0] == 0.0);
  }
  ck_assert_int_ge(events_of(&s), 7);
  scene_end(&s);
}
END_TEST

/* F so strong that the sliding turns round without a stop. */
START_TEST(sliding_reverses)
{
  points p = {.count = 1, .g = 1.0, .F = {20.0, 0.0}, .Omega = 1.0};
  driven s = points_scene(&p, 0.3, 0.0);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 20.0);
  ck_assert_int_ge(count_kind(&s, NSDYN_EVENT_REVERSE), 5);
  ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_STICK), 0);
  for (int k = 1; k < events_of(&s); k++) {
    const nsdyn_event event = event_of(&s, k);
    ck_assert(event.mode_before != event.mode_after && fabs(event.after[1]) <= 1e-9);
  }
  scene_end(&s);
}
END_TEST

/* A bead in a rough slot along x, pressed by a force that turns: x slides under F_x − μ |F_y(t)| sgn ẋ. */
static int slot_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)q, (void)u;
  h[0] = 2.0;
  h[1] = 4.0 * sin(t);
  return 0;
}

START_TEST(a_slot_presses_on_either_side)
{
  points p = {.count = 1};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = slot_force;
  def.gap = points_gap;
  def.direction = points_direction;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.25, 0.0);
  law.kind = NSDYN_CONTACT_BILATERAL;
  scene_law(&s, 0, law);
  const double q[2] = {0.0, 0.0}, u[2] = {1.0, 0.0};
  scene_drive(&s, 0.5, q, u);
  s.options.tol = 1e-11;
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &s.options), NSDYN_OK);
  scene_advance(&s, 10.0);
  for (int k = 0; k < 3; k++) {
    const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_SIDE, k);
    ck_assert_msg(fabs(event.t - (k + 1) * pi) <= 1e-9, "%d: %g", k, event.t - (k + 1) * pi);
    ck_assert(event.mode_before == NSDYN_MODE_SLIP_PLUS && event.mode_after == NSDYN_MODE_SLIP_PLUS);
  }
  ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_SIDE), 3);
  /* v(10) = 1 + 2·9.5 − ∫ |sin| = 20 − (6 + …): three half waves of 2, what precedes π and follows 3π */
  const double waves = (1.0 + cos(0.5)) + 4.0 + (1.0 - cos(10.0 - 3.0 * pi));
  ck_assert_msg(fabs(nsdyn_event_driver_u(s.driver)[0] - (20.0 - waves)) <= 1e-9, "%g off",
                nsdyn_event_driver_u(s.driver)[0] - (20.0 - waves));
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1]) <= 1e-13);
  ck_assert(contact_of(&s, 0).force[0] > 0.0 && fabs(contact_of(&s, 0).force[0] + 4.0 * sin(10.0)) <= 1e-9);
  scene_end(&s);
}
END_TEST

/* Stick in a slot: the limit is reached on the side that pulls, too. */
static int slot_pull(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)q, (void)u;
  h[0] = t;
  h[1] = 4.0;
  return 0;
}

START_TEST(a_slot_lets_go_at_its_friction_limit)
{
  points p = {.count = 1};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = slot_pull;
  def.gap = points_gap;
  def.direction = points_direction;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.25, 0.0);
  law.kind = NSDYN_CONTACT_BILATERAL;
  scene_law(&s, 0, law);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 3.0);
  const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
  ck_assert(fabs(event.t - 1.0) <= 1e-10 && event.mode_after == NSDYN_MODE_SLIP_PLUS);
  ck_assert(contact_of(&s, 0).force[0] < 0.0 && fabs(contact_of(&s, 0).force[1] + 1.0) <= 1e-10);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - 2.0) <= 1e-9); /* ∫ (t − 1) from 1 to 3 */
  scene_end(&s);
}
END_TEST

/* Friction of a given force. */
START_TEST(a_given_friction_force_holds_and_slides)
{
  points p = {.count = 1, .g = 10.0, .F = {0.0, 0.0}};
  nsdyn_system_def def = table(2, 1, &p);
  def.mass = points_mass;
  def.force = slot_pull;
  def.gap = points_gap;
  def.direction = points_direction;
  driven s = scene_of(&def);
  nsdyn_contact_law law = law_of(0.0, 0.0);
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = 1.5;
  law.kind = NSDYN_CONTACT_BILATERAL;
  scene_law(&s, 0, law);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.5);
  const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
  ck_assert(fabs(event.t - 1.5) <= 1e-10);
  ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0] - 0.5) <= 1e-9);
  scene_end(&s);
}
END_TEST

/* ---- contacts found at run time ------------------------------------------------------------------------ */

/* A point that falls on a table from x = 0 to x = edge and on the floor at y = −1; it is found. */
typedef struct table_top {
  double edge, mu;
  int32_t law;
  int searches;
} table_top;

static int table_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -10.0;
  return 0;
}

static int table_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  (void)u;
  table_top *p = user;
  const double values[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block both = {.offset = 0, .count = 2, .values = values};
  nsdyn_found_contact found;
  (void)t;
  p->searches++;
  nsdyn_found_contact_init(&found, sizeof found);
  found.law = p->law;
  found.blocks = 1;
  found.block = &both;
  const int on_table = q[0] <= p->edge;
  found.key = on_table ? 77 : 5;
  found.gap = on_table ? q[1] : q[1] + 1.0;
  return found.gap <= margin ? nsdyn_contact_sink_add(sink, &found) : 0;
}

START_TEST(found_contacts_are_hit_held_and_lost)
{
  table_top p = {.edge = 2.0};
  nsdyn_system_def def = table(2, 0, &p);
  def.mass = unit_mass_2;
  def.force = table_force;
  def.find = table_find;
  driven s = scene_of(&def);
  const nsdyn_contact_law law = law_of(0.1, 0.0);
  ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &p.law), NSDYN_OK);
  const double q[2] = {0.0, 0.2}, u[2] = {2.5, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 3.0);
  /* falls for 0.2 s to x = 0.5, loses μ·2 of its speed, slides with −1 to the edge, falls to the floor */
  nsdyn_event event = event_of(&s, 0);
  ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
  ck_assert(event.contact == -1 && event.key == 77 && fabs(event.t - 0.2) <= 1e-12);
  ck_assert(fabs(event.after[1] - 2.3) <= 1e-12);
  event = event_of(&s, 1);
  const double slide = 2.3 - sqrt(2.3 * 2.3 - 3.0); /* 1.5 = 2.3 t − t²/2 */
  ck_assert_int_eq(event.kind, NSDYN_EVENT_OPEN);
  ck_assert_msg(event.key == 77 && fabs(event.t - (0.2 + slide)) <= 1e-9, "lost %g off",
                event.t - 0.2 - slide);
  event = event_of(&s, 2);
  ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
  ck_assert_msg(event.key == 5 && fabs(event.t - (0.2 + slide + sqrt(0.2))) <= 1e-9, "floor %g off",
                event.t - 0.2 - slide - sqrt(0.2));
  ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 1);
  nsdyn_contact_state state = {.size = sizeof state};
  ck_assert_int_eq(nsdyn_event_driver_active_contact(s.driver, 0, &state), NSDYN_OK);
  ck_assert(state.key == 5 && state.index == -1 && fabs(state.force[0] - 10.0) <= 1e-12);
  scene_end(&s);
}
END_TEST

/* With a margin the far contact is not seen, and comes into sight in time. */
START_TEST(a_margin_hides_what_is_far)
{
  for (int k = 0; k < 3; k++) {
    table_top p = {.edge = 100.0};
    nsdyn_system_def def = table(2, 0, &p);
    def.mass = unit_mass_2;
    def.force = table_force;
    def.find = table_find;
    driven s = scene_of(&def);
    const nsdyn_contact_law law = law_of(0.1, 0.5);
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &p.law), NSDYN_OK);
    s.options.margin = k == 0 ? INFINITY : k == 1 ? 1.0 : 0.05;
    s.options.max_dt = k == 2 ? 0.01 : INFINITY; /* it must be seen before it is hit */
    const double q[2] = {0.0, 5.0}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 2.5);
    ck_assert_msg(fabs(event_of(&s, 0).t - 1.0) <= 1e-11, "%d: %g", k, event_of(&s, 0).t - 1.0);
    ck_assert_msg(fabs(event_of(&s, 1).t - 2.0) <= 1e-11, "%d: %g", k, event_of(&s, 1).t - 2.0);
    scene_end(&s);
  }
}
END_TEST

/* A slider-crank, driven at Ω; its slider runs in a slot with friction, which it presses on both sides.
 * q = (φ, θ, x, y). */
typedef struct slider {
  double Omega, R, l, m, J, weight;
} slider;

static int slider_mass(void *user, double t, const double *q, double *M)
{
  const slider *p = user;
  (void)t, (void)q;
  M[0] = M[5] = p->J;
  M[10] = M[15] = p->m;
  return 0;
}

static int slider_force(void *user, double t, const double *q, const double *u, double *h)
{
  const slider *p = user;
  (void)t, (void)q, (void)u;
  h[3] = -p->weight;
  return 0;
}

static int slider_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[3];
  return 0;
}

static int slider_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[3] = W[4 + 2] = 1.0;
  return 0;
}

static int slider_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const slider *p = user;
  g_b[0] = q[0] - p->Omega * t;
  W_b[0] = 1.0;
  w_hat_b[0] = -p->Omega;
  g_b[1] = p->R * cos(q[0]) + p->l * cos(q[1]) - q[2];
  W_b[4] = -p->R * sin(q[0]);
  W_b[5] = -p->l * sin(q[1]);
  W_b[6] = -1.0;
  g_b[2] = p->R * sin(q[0]) + p->l * sin(q[1]) - q[3];
  W_b[8] = p->R * cos(q[0]);
  W_b[9] = p->l * cos(q[1]);
  W_b[11] = -1.0;
  return 0;
}

/* At the event the force is zero but for what the tolerance lets coordinates be off, which is taken off them
 * there: it may be on the old side again. */
START_TEST(a_slot_changes_its_side_at_any_tolerance)
{
  int sides = 0;
  for (int i = 0; i < 150; i++) {
    slider p = {.Omega = 3.0 + 0.21 * i, .R = 0.3, .l = 0.3 * (1.9 + 0.02 * i), .m = 1.0, .J = 0.02};
    p.weight = (0.1 + 0.004 * i) * p.R * p.Omega * p.Omega;
    nsdyn_system_def def = table(4, 1, &p);
    def.nconstraints = 3;
    def.mass = slider_mass;
    def.force = slider_force;
    def.gap = slider_gap;
    def.direction = slider_direction;
    def.constraint = slider_constraint;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(0.1 + 0.002 * i, 0.0);
    law.kind = NSDYN_CONTACT_BILATERAL;
    scene_law(&s, 0, law);
    s.options.tol = i % 3 ? 1e-6 : 1e-5;
    const double q[4] = {0.0, 0.0, p.R + p.l, 0.0}, u[4] = {p.Omega, -p.Omega * p.R / p.l, 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 25.0 / p.Omega);
    sides += count_kind(&s, NSDYN_EVENT_SIDE);
    scene_end(&s);
  }
  ck_assert_int_ge(sides, 300);
}
END_TEST

SUITE("event/instant/commit", TEST(records_follow_each_other), TEST(sliding_reverses),
      TEST(a_slot_presses_on_either_side), TEST(a_slot_lets_go_at_its_friction_limit),
      TEST(a_given_friction_force_holds_and_slides), TEST(found_contacts_are_hit_held_and_lost),
      TEST(a_margin_hides_what_is_far), TEST(a_slot_changes_its_side_at_any_tolerance))
