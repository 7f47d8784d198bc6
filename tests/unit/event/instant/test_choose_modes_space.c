/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes of contacts in space: who sticks, who begins to slide, and where to. */
#include "event_space.h"
#include "support/exact_pendulum.h"

/* A point at rest: it sticks while |F| < μ N, on an ellipse while F is inside of it. */
START_TEST(a_point_at_rest_sticks_inside_its_friction_set)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b = {.mass = 2.0, .load = {random_between(&r, -1.0, 1.0), random_between(&r, -1.0, 1.0), -1.0}};
    nsdyn_contact_law law = space_law(random_between(&r, 0.2, 1.5), 0.0, 0.0);
    law.aspect = k % 2 ? random_between(&r, 0.4, 2.0) : 1.0;
    law.angle = random_between(&r, -3.0, 3.0);
    driven s = body_scene(&b, law);
    const double q[3] = {0.0}, u[3] = {0.0}, x = cos(law.angle), y = sin(law.angle);
    const double own[2] = {x * b.load[0] + y * b.load[1], (x * b.load[1] - y * b.load[0]) / law.aspect};
    const double share = sqrt(own[0] * own[0] + own[1] * own[1]) / law.mu;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    const nsdyn_contact_state c = contact_of(&s, 0);
    REQUIRE(c.mode == (share < 1.0 ? NSDYN_MODE_STICK : NSDYN_MODE_SLIP), "seed %d: share %g, mode %d", k,
            share, c.mode);
    if (share < 1.0) {
      REQUIRE(fabs(c.force[1] + b.load[0]) <= 1e-13 && fabs(c.force[2] + b.load[1]) <= 1e-13, "seed %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* Two coefficients: the static one holds until it is exceeded, the other one slows down from then on. */
START_TEST(what_breaks_loose_slides_under_the_smaller_coefficient)
{
  body b = {.mass = 1.0, .load = {3.0, 4.0, -10.0}, .rise = {3.0, 4.0, 0.0}};
  nsdyn_contact_law law = space_law(0.5, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu_static = 0.7;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
  ck_assert_double_eq_tol(slip.t, 0.4, 1e-10);         /* 5 (1 + t) = 7 */
  const double dt = 0.6, v = 2.0 * dt + 2.5 * dt * dt; /* 5 (1 + t) − 5 */
  const double *after = nsdyn_event_driver_u(s.driver);
  ck_assert_double_eq_tol(after[0], 0.6 * v, 1e-9);
  ck_assert_double_eq_tol(after[1], 0.8 * v, 1e-9);
  scene_end(&s);
}
END_TEST

/* Friction that falls with the speed, μ = 0.5 / (1 + v): v̇ = −5 / (1 + v), so v + v²/2 falls at 5. */
static int falling(void *user, double speed, double *mu)
{
  (void)user;
  *mu = 0.5 / (1.0 + speed);
  return 0;
}

START_TEST(a_curve_is_read_at_the_sliding_speed)
{
  body b = {.mass = 1.0, .load = {0.0, 0.0, -10.0}};
  nsdyn_contact_law law = space_law(0.0, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_CURVE;
  law.curve = falling;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {1.8, -2.4, 0.0}; /* 3 m/s */
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.0);
  ck_assert_double_eq_tol(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t, (3.0 + 4.5) / 5.0, 1e-9);
  ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_STICK);
  scene_end(&s);
}
END_TEST

/* A brake of given bound, which acts whatever presses. */
START_TEST(a_given_bound_slows_down_at_a_constant_rate)
{
  body b = {.mass = 2.0, .load = {0.0, 0.0, -10.0}};
  nsdyn_contact_law law = space_law(0.0, 0.0, 0.0);
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = 3.0;
  driven s = body_scene(&b, law);
  const double q[3] = {0.0}, u[3] = {1.2, 1.6, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 2.0);
  ck_assert_double_eq_tol(event_of_kind(&s, NSDYN_EVENT_STICK, 0).t, 2.0 * 2.0 / 3.0, 1e-9);
  scene_end(&s);
}
END_TEST

/* A point on the floor that touches two walls which face each other, x = 0: what presses it against one of
 * them fades, and then presses against the other. */
typedef struct slotted {
  double load, rise, weight;
} slotted;

static int slotted_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  memset(M, 0, 9 * sizeof *M);
  M[0] = M[4] = M[8] = 1.0;
  return 0;
}

static int slotted_force(void *user, double t, const double *q, const double *u, double *h)
{
  const slotted *p = user;
  (void)q, (void)u;
  h[0] = p->load + p->rise * t;
  h[1] = 0.0;
  h[2] = -p->weight;
  return 0;
}

static int slotted_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  g[1] = q[0];
  g[2] = -q[0];
  return 0;
}

static int slotted_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  static const double rows[3][9] = {
      {0, 0, 1, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0, 0, 0, 1, 0, 0, 0, 1}};
  (void)user, (void)t, (void)q;
  memcpy(W, rows[i], sizeof rows[i]);
  memset(w_hat, 0, 3 * sizeof *w_hat);
  return 0;
}

START_TEST(a_load_goes_over_from_one_contact_to_another)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    slotted p = {.load = -random_between(&r, 0.5, 20.0), .weight = random_between(&r, 0.1, 5.0)};
    p.rise = -p.load / random_between(&r, 0.3, 0.7);
    nsdyn_system_def def = table(3, 3, &p);
    def.mass = slotted_mass;
    def.force = slotted_force;
    def.gap = slotted_gap;
    def.direction = slotted_direction;
    driven s = scene_of(&def);
    const double mu = random_between(&r, 0.0, 0.6);
    for (int i = 0; i < 3; i++) {
      scene_law(&s, i, space_law(mu, 0.0, 0.0));
    }
    s.options.ambiguous = NSDYN_AMBIGUITY_OPEN;
    const double q[3] = {0.0}, u[3] = {0.0, k % 2 ? 0.7 : 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.0);
    nsdyn_event_report report;
    nsdyn_event_report_init(&report, sizeof report);
    nsdyn_event_driver_report(s.driver, &report);
    REQUIRE(report.phases < 2000 && count_kind(&s, NSDYN_EVENT_HANDOVER) == 0,
            "seed %d: %d phases, %d handovers", k, (int)report.phases, count_kind(&s, NSDYN_EVENT_HANDOVER));
    /* What presses now is F(1), less what the floor's friction holds of it. */
    const double F = p.load + p.rise, hold = contact_of(&s, 0).force[1];
    REQUIRE(fabs(contact_of(&s, 1).force[0] - contact_of(&s, 2).force[0] + F + hold) <= 1e-9 * fabs(p.load),
            "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* Rods at rest on one end, each pulled at its centre as Ma's pendulum in a plane of its own, with the plane's
 * normal free: q = (x, z, θ, y) of each. Across its plane nothing pulls, so that each has the solutions that
 * it has in the plane: one, or open, stick, and one that does not last. */
typedef struct pulled_rods {
  int count;
  double F[2][2], axis[2][2];
} pulled_rods;

static int pulled_mass(void *user, double t, const double *q, double *M)
{
  const pulled_rods *p = user;
  const int nu = 4 * p->count;
  (void)t, (void)q;
  memset(M, 0, (size_t)(nu * nu) * sizeof *M);
  for (int i = 0; i < nu; i++) {
    M[i * nu + i] = i % 4 == 2 ? 1.0 / 12.0 : 1.0; /* 1 kg, 1 m */
  }
  return 0;
}

static int pulled_force(void *user, double t, const double *q, const double *u, double *h)
{
  const pulled_rods *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < p->count; i++) {
    h[4 * i] = p->F[i][0];
    h[4 * i + 1] = p->F[i][1];
    h[4 * i + 2] = h[4 * i + 3] = 0.0;
  }
  return 0;
}

static int pulled_gap(void *user, double t, const double *q, double *g)
{
  const pulled_rods *p = user;
  (void)t;
  for (int i = 0; i < p->count; i++) {
    g[i] = q[4 * i + 1] - 0.5 * sin(q[4 * i + 2]);
  }
  return 0;
}

static int pulled_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  const pulled_rods *p = user;
  const int nu = 4 * p->count;
  const double *a = p->axis[i], c = 0.5 * cos(q[4 * i + 2]), s = 0.5 * sin(q[4 * i + 2]);
  (void)t;
  memset(W, 0, (size_t)(3 * nu) * sizeof *W);
  W[4 * i + 1] = 1.0;
  W[4 * i + 2] = -c;
  for (int r = 0; r < 2; r++) { /* along the rod's plane, and across it */
    W[(r + 1) * nu + 4 * i] = a[r];
    W[(r + 1) * nu + 4 * i + 2] = s * a[r];
    W[(r + 1) * nu + 4 * i + 3] = r ? a[0] : -a[1];
  }
  w_hat[0] = w_hat[1] = w_hat[2] = 0.0;
  return 0;
}

/* A pull with one solution, or with three. Returns how many. */
static int pull(random_state *r, double mu, exact_rod_state *state, double *F)
{
  const exact_pendulum exact = {.m = 1.0,
                                .l = 0.5,
                                .theta = random_between(r, 0.1, 3.0),
                                .mu = mu,
                                .F = {random_between(r, -10.0, 10.0), random_between(r, -10.0, 10.0)}};
  const exact_rod rod = {.m = 1.0, .l = 1.0, .mu = mu};
  const exact_one contact = exact_pendulum_contact(&exact);
  *state = exact_rod_on_table(&rod, exact.theta, 0.0, 0.0);
  F[0] = exact.F[0];
  F[1] = exact.F[1];
  return exact_one_unilateral(&contact, 0).count;
}

/* One rod, or two that know nothing of each other: their solutions are all pairs of solutions, and the option
 * prefers what it prefers of each alone. */
START_TEST(all_motions_of_up_to_two_contacts_are_counted)
{
  int several[2] = {0, 0}, one[2] = {0, 0};
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    pulled_rods p = {.count = 1 + k % 2};
    const double mu = random_between(&r, 1.5, 4.0);
    double q[8], u[8] = {0.0};
    int solutions[2] = {1, 1};
    for (int i = 0; i < p.count; i++) {
      exact_rod_state state;
      const double angle = random_between(&r, -3.0, 3.0);
      const int wanted = random_below(&r, 2) ? 3 : 1; /* three are rare */
      for (int tries = 0; tries < 2000 && (tries == 0 || solutions[i] != wanted); tries++) {
        solutions[i] = pull(&r, mu, &state, p.F[i]);
      }
      memcpy(q + 4 * i, state.q, 3 * sizeof *q);
      q[4 * i + 3] = 0.0;
      p.axis[i][0] = cos(angle);
      p.axis[i][1] = sin(angle);
    }
    const int all = solutions[0] * solutions[1];
    if (all == 0) {
      continue;
    }
    nsdyn_system_def def = table(4 * p.count, p.count, &p);
    def.mass = pulled_mass;
    def.force = pulled_force;
    def.gap = pulled_gap;
    def.direction = pulled_direction;
    for (int32_t policy = NSDYN_AMBIGUITY_STOP; policy <= NSDYN_AMBIGUITY_STICK; policy++) {
      driven s = scene_of(&def);
      for (int i = 0; i < p.count; i++) {
        scene_law(&s, i, space_law(mu, 0.0, 0.0));
      }
      s.options.ambiguous = policy;
      scene_drive(&s, 0.0, q, u);
      const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 0.0);
      REQUIRE(status == (all > 1 && policy == NSDYN_AMBIGUITY_STOP ? NSDYN_STOPPED : NSDYN_OK),
              "seed %d, %d and %d solutions: %s", k, solutions[0], solutions[1],
              nsdyn_event_driver_message(s.driver));
      REQUIRE(count_kind(&s, NSDYN_EVENT_AMBIGUOUS) == (all > 1), "seed %d", k);
      for (int i = 0; i < p.count && status == NSDYN_OK; i++) {
        const int32_t mode = contact_of(&s, i).mode;
        REQUIRE(solutions[i] == 1 ||
                    mode == (policy == NSDYN_AMBIGUITY_OPEN ? NSDYN_MODE_OPEN : NSDYN_MODE_STICK),
                "seed %d, contact %d: mode %d", k, i, (int)mode);
      }
      scene_end(&s);
    }
    several[k % 2] += all > 1;
    one[k % 2] += all == 1;
  }
  for (int i = 0; i < 2; i++) {
    ck_assert(is_common(several[i], cases, 20) && is_common(one[i], cases, 20));
  }
}
END_TEST

SUITE("event/instant/choose_modes_space", TEST(a_point_at_rest_sticks_inside_its_friction_set),
      TEST(what_breaks_loose_slides_under_the_smaller_coefficient),
      TEST(a_curve_is_read_at_the_sliding_speed), TEST(a_given_bound_slows_down_at_a_constant_rate),
      TEST(a_load_goes_over_from_one_contact_to_another), TEST(all_motions_of_up_to_two_contacts_are_counted))
