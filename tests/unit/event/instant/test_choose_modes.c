/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes from forces, Painlevé, ambiguity, redundant contacts. */
#include "event_models.h"
#include "support/exact_one.h"
#include "support/exact_pendulum.h"

static int32_t mode_from(exact_mode mode)
{
  const int32_t modes[] = {[EXACT_OPEN] = NSDYN_MODE_OPEN,
                           [EXACT_STICK] = NSDYN_MODE_STICK,
                           [EXACT_PLUS] = NSDYN_MODE_SLIP_PLUS,
                           [EXACT_MINUS] = NSDYN_MODE_SLIP_MINUS};
  return modes[mode];
}

/* A rod on the table, sliding or at rest, any angle and friction: what it does is what the closed form says,
 * where that says one thing; no solution is met by an impact, several are logged. */
START_TEST(a_rod_does_what_the_closed_form_says)
{
  const int cases = random_cases(3000);
  int jams = 0, several = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod rod = {.m = 1.0, .l = 1.0, .mu = random_between(&r, 0.0, 3.0), .g = 9.81};
    const double slides = random_below(&r, 3) ? random_between(&r, -3.0, 3.0) : 0.0;
    const exact_rod_state state =
        exact_rod_on_table(&rod, random_between(&r, 0.1, 3.0), random_between(&r, -6.0, 6.0), slides);
    const exact_one contact = exact_rod_contact(&rod, &state);
    const exact_answers answers = exact_one_unilateral(&contact, slides > 0.0 ? 1 : slides < 0.0 ? -1 : 0);
    driven s = rod_scene(&rod, 0.0, random_below(&r, 2));
    s.options.ambiguous = NSDYN_AMBIGUITY_OPEN;
    scene_drive(&s, 0.0, state.q, state.u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 0.0);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_event_driver_message(s.driver));
    if (answers.count == 1 && !answers.continuum) {
      const exact_answer *answer = &answers.answer[0];
      const nsdyn_contact_state found = contact_of(&s, 0);
      REQUIRE(found.mode == mode_from(answer->mode), "seed %d: mode %d, exact %d", k, found.mode,
              answer->mode);
      for (int i = 0; i < 2 && answer->mode != EXACT_OPEN; i++) {
        REQUIRE(fabs(found.force[i] - answer->lambda[i]) <= 1e-9 * (1.0 + fabs(answer->lambda[0])),
                "seed %d: force %g, exact %g", k, found.force[i], answer->lambda[i]);
      }
      REQUIRE(count_kind(&s, NSDYN_EVENT_PAINLEVE) + count_kind(&s, NSDYN_EVENT_AMBIGUOUS) == 0, "seed %d",
              k);
    } else if (answers.count == 0) {
      double Lambda[2];
      jams++;
      REQUIRE(exact_rod_jam(&rod, &state, Lambda), "seed %d", k);
      const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_PAINLEVE, 0);
      REQUIRE(event.kind && fabs(event.impulse[0] - Lambda[0]) <= 1e-9 * Lambda[0],
              "seed %d: Λ = %g, exact %g", k, event.impulse[0], Lambda[0]);
      REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[0] +
                   0.5 * sin(state.q[2]) * nsdyn_event_driver_u(s.driver)[2]) <= 1e-9,
              "seed %d", k);
    } else {
      several++;
      REQUIRE(count_kind(&s, NSDYN_EVENT_AMBIGUOUS) == 1, "seed %d: %d solutions", k, answers.count);
    }
    scene_end(&s);
  }
  ck_assert(is_common(jams, cases, 100));
  ck_assert(is_common(several, cases, 100));
}
END_TEST

/* p < 0, b > 0: open, or slide unstably. */
START_TEST(ambiguity_is_settled_by_the_option)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
  const exact_rod_state state = exact_rod_on_table(&rod, 1.0, 5.0, -1.0);
  const exact_one contact = exact_rod_contact(&rod, &state);
  ck_assert_int_eq(exact_one_unilateral(&contact, -1).count, 2);
  for (int32_t policy = NSDYN_AMBIGUITY_STOP; policy <= NSDYN_AMBIGUITY_STICK; policy++) {
    driven s = rod_scene(&rod, 0.0, 1);
    s.options.ambiguous = policy;
    scene_drive(&s, 0.0, state.q, state.u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 0.01);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_AMBIGUOUS), 1);
    ck_assert_int_eq(event_of(&s, 0).contact, -1);
    if (policy == NSDYN_AMBIGUITY_STOP) {
      ck_assert_int_eq(status, NSDYN_STOPPED);
      ck_assert_str_eq(nsdyn_event_driver_message(s.driver),
                       "contact 0 at t = 0: several motions can follow, and the modes before are none of "
                       "them; the option ambiguous chooses one");
      ck_assert(nsdyn_event_driver_time(s.driver) == 0.0);
      ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.01), NSDYN_STOPPED); /* until one decides */
      s.options.ambiguous = NSDYN_AMBIGUITY_OPEN;
      ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &s.options), NSDYN_OK);
      scene_advance(&s, 0.01);
    } else {
      ck_assert_int_eq(status, NSDYN_OK);
    }
    ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 0); /* the unstable slide is never taken */
    ck_assert(fabs(nsdyn_event_driver_u(s.driver)[2] - 5.0) <= 1e-14);
    scene_end(&s);
  }
}
END_TEST

/* The pendulum of Ma et al., at rest with three solutions: open, stick, and one that slides or sticks as
 * well. */
typedef struct pulled_rod {
  exact_rod rod;
  double F[2];
} pulled_rod;

static int pulled_rod_force(void *user, double t, const double *q, const double *u, double *h)
{
  const pulled_rod *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->F[0];
  h[1] = p->F[1];
  return 0;
}

START_TEST(policies_choose_among_stable_solutions)
{
  int found = 0;
  for (int k = 0; k < 20000 && found < 20; k++) {
    random_state r = random_seed((uint64_t)k);
    const exact_pendulum exact = {.m = 1.0,
                                  .l = 0.5,
                                  .theta = random_between(&r, 0.1, 3.0),
                                  .mu = random_between(&r, 1.5, 4.0),
                                  .F = {random_between(&r, -10.0, 10.0), random_between(&r, -10.0, 10.0)}};
    const exact_one contact = exact_pendulum_contact(&exact);
    const exact_answers answers = exact_one_unilateral(&contact, 0);
    if (answers.count != 3) {
      continue;
    }
    found++;
    pulled_rod p = {.rod = {.m = 1.0, .l = 1.0, .mu = exact.mu}, .F = {exact.F[0], exact.F[1]}};
    const exact_rod_state state = exact_rod_on_table(&p.rod, exact.theta, 0.0, 0.0);
    nsdyn_system_def def = table(3, 1, &p);
    def.mass = rod_mass;
    def.force = pulled_rod_force;
    def.gap = rod_gap;
    def.direction = rod_direction;
    def.bias = rod_bias;
    for (int32_t policy = NSDYN_AMBIGUITY_OPEN; policy <= NSDYN_AMBIGUITY_STICK; policy++) {
      driven s = scene_of(&def);
      scene_law(&s, 0, law_of(exact.mu, 0.0));
      s.options.ambiguous = policy;
      scene_drive(&s, 0.0, state.q, state.u);
      scene_advance(&s, 0.0);
      ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_AMBIGUOUS), 1);
      const int32_t mode = contact_of(&s, 0).mode;
      ck_assert_msg(mode == (policy == NSDYN_AMBIGUITY_OPEN ? NSDYN_MODE_OPEN : NSDYN_MODE_STICK),
                    "seed %d: mode %d", k, mode);
      scene_end(&s);
    }
  }
  ck_assert_int_eq(found, 20);
}
END_TEST

/* A block on two redundant corners: it sticks, slides, tips or falls as the plane's friction and shape say.
 */
START_TEST(a_block_on_a_ramp_sticks_slides_or_tips)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    block p = {
        .b = random_between(&r, 0.2, 1.0), .c = random_between(&r, 0.2, 1.0), .g = 9.81, .has_bias = k % 2};
    const double mu = random_between(&r, 0.05, 1.5);
    p.slope = random_between(&r, -1.0, 1.0);
    const double steep = fabs(tan(p.slope)), needed = p.b / p.c, side = p.slope > 0.0 ? 1.0 : -1.0;
    if (fabs(steep - mu) < 1e-3 || fabs(steep - needed) < 1e-3 || fabs(mu - needed) < 1e-3) {
      continue; /* too near to a border */
    }
    driven s = block_scene(&p, mu, 0.0);
    const double q[3] = {0.0, p.c, 0.0}, u[3] = {0.0, 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1e-3);
    const double *a = nsdyn_event_driver_a(s.driver);
    const double pull = p.g * sin(p.slope), press = p.g * cos(p.slope);
    if (steep < mu && steep < needed) {
      REQUIRE(fabs(a[0]) + fabs(a[1]) + fabs(a[2]) <= 1e-9, "seed %d: %g %g %g", k, a[0], a[1], a[2]);
      for (int i = 0; i < 2; i++) {
        REQUIRE(contact_of(&s, i).mode == NSDYN_MODE_STICK, "seed %d", k);
      }
      const double both = contact_of(&s, 0).force[1] + contact_of(&s, 1).force[1];
      REQUIRE(fabs(both + pull) <= 1e-9, "seed %d: friction %g", k, both);
    } else if (steep > mu && mu < needed) {
      const double exact = pull - side * mu * press;
      REQUIRE(fabs(a[0] - exact) <= 1e-8 && fabs(a[2]) <= 1e-8, "seed %d: %g, exact %g", k, a[0], exact);
      const int32_t mode = side > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
      REQUIRE(contact_of(&s, 0).mode == mode && contact_of(&s, 1).mode == mode, "seed %d", k);
    } else {
      const int front = side > 0.0; /* it tips about its lower corner */
      REQUIRE(contact_of(&s, !front).mode == NSDYN_MODE_OPEN && contact_of(&s, front).active, "seed %d", k);
      REQUIRE(a[2] * side < 0.0, "seed %d: %g", k, a[2]);
    }
    scene_end(&s);
  }
}
END_TEST

/* A block at rest whose pull grows and turns round: redundant friction is never mistaken for sliding before
 * all of it is used up. */
typedef struct pulled {
  block p;
  double rate;
} pulled;

static int pulled_force(void *user, double t, const double *q, const double *u, double *h)
{
  const pulled *x = user;
  block_force(user, t, q, u, h);
  h[0] = x->rate * sin(t);
  return 0;
}

START_TEST(redundant_friction_holds_as_long_as_it_can)
{
  pulled x = {.p = {.b = 1.0, .c = 0.1, .g = 10.0, .has_bias = 1}};
  nsdyn_system_def def = table(3, 2, &x);
  def.mass = block_mass;
  def.force = pulled_force;
  def.gap = block_gap;
  def.direction = block_direction;
  def.bias = block_bias;
  for (int k = 0; k < 2; k++) {
    x.rate = k ? 5.0 : 4.5; /* μ g = 4.8 */
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.48, 0.0));
    scene_law(&s, 1, law_of(0.48, 0.0));
    const double q[3] = {0.0, 0.1, 0.0}, u[3] = {0.0, 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 20.0);
    if (k == 0) {
      ck_assert(nsdyn_event_driver_q(s.driver)[0] == 0.0 || fabs(nsdyn_event_driver_q(s.driver)[0]) <= 1e-12);
      ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_SLIP), 0);
    } else { /* at asin(4.8/5), and one half period later again */
      const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
      ck_assert_msg(fabs(slip.t - asin(0.96)) <= 1e-9, "%g off", slip.t - asin(0.96));
      ck_assert_int_eq(event_of_kind(&s, NSDYN_EVENT_SLIP, 1).group, slip.group);
    }
    scene_end(&s);
  }
}
END_TEST

/* Two coefficients: the static one decides when it moves, the dynamic one how. */
START_TEST(static_friction_breaks_loose_to_dynamic)
{
  points p = {.count = 1, .g = 10.0, .F = {-8.0, 0.0}, .Omega = 1.0}; /* pulls with −8 cos t */
  nsdyn_contact_law law = law_of(0.3, 0.0);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu_static = 0.6;
  driven s = points_scene(&p, 0.0, 0.0);
  scene_law(&s, 0, law);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0}, begin = acos(-0.75);
  scene_drive(&s, 1.5, q, u); /* cos t near zero there */
  scene_advance(&s, begin + 0.1);
  const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
  ck_assert_msg(fabs(slip.t - begin) <= 1e-12, "%g off", slip.t - begin);
  ck_assert_int_eq(slip.mode_after, NSDYN_MODE_SLIP_PLUS);
  ck_assert(fabs(contact_of(&s, 0).force[1] + 3.0) <= 1e-12 && contact_of(&s, 0).mu == 0.3);
  const double t = begin + 0.1, v = -8.0 * (sin(t) - sin(begin)) - 3.0 * 0.1;
  ck_assert_msg(fabs(nsdyn_event_driver_u(s.driver)[0] - v) <= 1e-9, "%g, exact %g",
                nsdyn_event_driver_u(s.driver)[0], v);
  scene_end(&s);
}
END_TEST

/* Two blocks, one on the other, q = (x_0, y_0, x_1, y_1), at rest on ground that begins to move with the
 * acceleration `a`. */
typedef struct carried {
  double g, a;
} carried;

static int carried_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int j = 0; j < 4; j++) {
    M[j * 4 + j] = 1.0;
  }
  return 0;
}

static int carried_force(void *user, double t, const double *q, const double *u, double *h)
{
  const carried *p = user;
  (void)t, (void)q, (void)u;
  h[1] = h[3] = -p->g;
  return 0;
}

static int carried_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  g[1] = q[3] - q[1];
  return 0;
}

static int carried_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const carried *p = user;
  (void)q;
  if (i == 0) {
    W[1] = W[4] = 1.0;
    w_hat[1] = -p->a * t;
  } else {
    W[3] = W[6] = 1.0;
    W[1] = W[4] = -1.0;
  }
  return 0;
}

/* Neither coefficient holds what rests: the lower block slides on the ground. What it then does with
 * μ_0 (m_0 + m_1) g the upper one can follow, or not, with its own smaller coefficient: no static one is
 * asked that holds the other contact still. */
START_TEST(what_slides_below_lets_the_one_above_rest)
{
  static const double mu_above[] = {0.3, 0.1, 0.0};
  for (int k = 0; k < 3; k++) {
    carried p = {.g = 10.0, .a = 6.0};
    nsdyn_system_def def = table(4, 2, &p);
    def.mass = carried_mass;
    def.force = carried_force;
    def.gap = carried_gap;
    def.direction = carried_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < 2; i++) {
      nsdyn_contact_law law = law_of(i == 0 ? 0.2 : mu_above[k], 0.0);
      law.friction = NSDYN_FRICTION_STATIC;
      law.mu_static = i == 0 ? 0.5 : 0.45;
      scene_law(&s, i, law);
    }
    const double zero[4] = {0.0}, t = 0.3;
    scene_drive(&s, 0.0, zero, zero);
    scene_advance(&s, t);
    const double *u = nsdyn_event_driver_u(s.driver);
    const double above = 10.0 * fmin(mu_above[k], 0.2), below = 4.0 - above;
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_HANDOVER), 0);
    ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_SLIP_MINUS);
    ck_assert_int_eq(contact_of(&s, 1).mode, k == 0 ? NSDYN_MODE_STICK : NSDYN_MODE_SLIP_MINUS);
    ck_assert_msg(fabs(u[0] - below * t) <= 1e-12 && fabs(u[2] - above * t) <= 1e-12, "%d: %g and %g", k,
                  u[0], u[2]);
    scene_end(&s);
  }
}
END_TEST

/* One contact with G = (1, −1; −1, 2) and free accelerations c = (c_N, c_T) = (c_0 + c_1 t, c_2), as the end
 * of a rod that is pushed may have; and a particle over a floor of its own, which hears nothing of it. q =
 * (x, y, z). With μ = 1.5 sliding to the left has p = 1 − μ = −1/2. */
typedef struct pushed {
  double c[3];
} pushed;

static int pushed_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[1] = M[3] = M[8] = 1.0;
  M[4] = 2.0;
  return 0;
}

static int pushed_force(void *user, double t, const double *q, const double *u, double *h)
{
  const pushed *p = user;
  const double c_N = p->c[0] + p->c[1] * t, c_T = p->c[2];
  (void)q, (void)u;
  h[0] = c_T + c_N;
  h[1] = c_T + 2.0 * c_N;
  h[2] = -1.0;
  return 0;
}

static int pushed_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  g[1] = q[2];
  return 0;
}

static int pushed_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[i + 1] = 1.0;
  W[3] = i == 0 ? 1.0 : 0.0;
  return 0;
}

static driven pushed_scene(pushed *p)
{
  nsdyn_system_def def = table(3, 2, p);
  nsdyn_contact_law floor = law_of(0.0, 0.0);
  def.mass = pushed_mass;
  def.force = pushed_force;
  def.gap = pushed_gap;
  def.direction = pushed_direction;
  driven s = scene_of(&def);
  floor.friction = NSDYN_FRICTION_NONE;
  scene_law(&s, 0, law_of(1.5, 0.0));
  scene_law(&s, 1, floor);
  return s;
}

/* It sticks with λ = −(2 c_N + c_T, c_N + c_T) until λ_T = μ λ_N at c_T = −4 c_N. There sticking and sliding,
 * p < 0, become one solution and vanish; what is left is to lift off, whatever the policy. */
START_TEST(a_stuck_end_jumps_off_where_sliding_has_no_future)
{
  for (int32_t policy = NSDYN_AMBIGUITY_STOP; policy <= NSDYN_AMBIGUITY_STICK; policy++) {
    pushed p = {.c = {-1.0, 1.0, -5.0}}; /* c_T = −4 c_N at t = 9/4 */
    driven s = pushed_scene(&p);
    s.options.ambiguous = policy;
    const double q[3] = {0.0, 0.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 3.0);
    const nsdyn_event open = event_of_kind(&s, NSDYN_EVENT_OPEN, 0);
    ck_assert_int_eq(events_of(&s), 3); /* two contacts close at the start */
    ck_assert_int_eq(open.contact, 0);
    ck_assert_int_eq(open.mode_before, NSDYN_MODE_STICK);
    ck_assert_msg(fabs(open.t - 2.25) <= 1e-11, "%g off", open.t - 2.25);
    const double tau = 0.75, v = 1.25 * tau + 0.5 * tau * tau; /* ÿ = c_N = 5/4 + τ */
    ck_assert_msg(fabs(nsdyn_event_driver_u(s.driver)[1] - v) <= 1e-10, "%g",
                  nsdyn_event_driver_u(s.driver)[1] - v);
    scene_end(&s);
  }
}
END_TEST

/* The paradox while something else takes off. */
START_TEST(a_jam_does_not_mind_what_flies_off)
{
  for (int law = 0; law < 2; law++) {
    pushed p = {.c = {-1.0, 0.0, 0.0}};
    driven s = pushed_scene(&p);
    s.options.impact = law ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    const double q[3] = {0.0, 0.0, 0.0}, u[3] = {-0.7, 0.0, 2.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    const nsdyn_event jam = event_of_kind(&s, NSDYN_EVENT_PAINLEVE, 0);
    ck_assert_int_eq(jam.contact, 0);
    ck_assert(fabs(jam.impulse[0] - 0.7) <= 1e-14 && fabs(jam.impulse[1] - 0.7) <= 1e-14); /* −γ_T G⁻¹ e_T */
    ck_assert(fabs(nsdyn_event_driver_u(s.driver)[0]) + fabs(nsdyn_event_driver_u(s.driver)[1]) <= 1e-14);
    ck_assert(nsdyn_event_driver_u(s.driver)[2] == 2.0);
    ck_assert_int_eq(contact_of(&s, 1).active, 0);
    scene_end(&s);
  }
}
END_TEST

/* A ladder that leans on a rough wall and a rough floor, and locks: forces are not unique, and a solver hands
 * out those with friction at its limit below. It is held by the other three all the same. */
typedef struct leaning {
  double m, J, l;
} leaning;

static int leaning_mass(void *user, double t, const double *q, double *M)
{
  const leaning *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->J;
  return 0;
}

static int leaning_force(void *user, double t, const double *q, const double *u, double *h)
{
  const leaning *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -9.81 * p->m;
  return 0;
}

static int leaning_gap(void *user, double t, const double *q, double *g)
{
  const leaning *p = user;
  (void)t;
  g[0] = q[1] - p->l * sin(q[2]);
  g[1] = q[0] - p->l * cos(q[2]);
  return 0;
}

static int leaning_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const leaning *p = user;
  const double c = p->l * cos(q[2]), s = p->l * sin(q[2]);
  (void)t;
  w_hat[0] = w_hat[1] = 0.0;
  W[i == 0 ? 1 : 0] = W[3 + (i == 0 ? 0 : 1)] = 1.0;
  W[2] = i == 0 ? -c : s;
  W[5] = i == 0 ? -s : c;
  return 0;
}

START_TEST(a_ladder_that_locks_rests)
{
  leaning p = {0.00238401, 0.00018243588944962408, 0.45914435344513632};
  const double lean = 0.51217890220513029;
  const double q[3] = {p.l * cos(lean), p.l * sin(lean), lean}, u[3] = {0.0, 0.0, 0.0};
  nsdyn_system_def def = table(3, 2, &p);
  def.mass = leaning_mass;
  def.force = leaning_force;
  def.gap = leaning_gap;
  def.direction = leaning_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.726, 0.0));
  scene_law(&s, 1, law_of(0.407, 0.0));
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  ck_assert_int_eq(contact_of(&s, 0).mode, NSDYN_MODE_STICK);
  ck_assert_int_eq(contact_of(&s, 1).mode, NSDYN_MODE_STICK);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[2] - lean) <= 1e-12);
  scene_end(&s);
}
END_TEST

/* ---- rows of balls ------------------------------------------------------------------------------------- */

enum { BALLS = 5 };

/* Balls in a row, each on a floor with a given friction force, all touching; between two walls, or free.
 * Loads: push + rise (t − t0) + swing sin(w (t − t0)). */
typedef struct ball_row {
  int n, walls;
  double t0, m[BALLS], push[BALLS], rise[BALLS], swing[BALLS], w[BALLS];
} ball_row;

static int row_mass(void *user, double t, const double *q, double *M)
{
  const ball_row *p = user;
  (void)t, (void)q;
  for (int j = 0; j < p->n; j++) {
    M[j * p->n + j] = p->m[j];
  }
  return 0;
}

static int row_force(void *user, double t, const double *q, const double *u, double *h)
{
  const ball_row *p = user;
  const double s = t - p->t0;
  (void)q, (void)u;
  for (int j = 0; j < p->n; j++) {
    h[j] = p->push[j] + p->rise[j] * s + p->swing[j] * sin(p->w[j] * s);
  }
  return 0;
}

/* Contact i: what is on the left of ball `right`, and that ball; 0 and n are walls. */
static int row_gap(void *user, double t, const double *q, double *g)
{
  const ball_row *p = user;
  (void)t;
  for (int i = 0; i < p->n - 1 + 2 * p->walls; i++) {
    const int right = i + 1 - p->walls;
    g[i] = (right < p->n ? q[right] : 0.0) - (right > 0 ? q[right - 1] : 0.0);
  }
  return 0;
}

static int row_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const ball_row *p = user;
  const int touching = p->n - 1 + 2 * p->walls, right = i + 1 - p->walls;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  if (i >= touching) {
    W[p->n + i - touching] = 1.0; /* no normal force: friction alone */
    w_hat[1] = 0.0;
    return 0;
  }
  if (right < p->n) {
    W[right] = 1.0;
  }
  if (right > 0) {
    W[right - 1] = -1.0;
  }
  return 0;
}

static driven row_scene(ball_row *p, const double *bound)
{
  const int touching = p->n - 1 + 2 * p->walls;
  nsdyn_system_def def = table(p->n, touching + p->n, p);
  def.mass = row_mass;
  def.force = row_force;
  def.gap = row_gap;
  def.direction = row_direction;
  driven s = scene_of(&def);
  for (int i = 0; i < touching + p->n; i++) {
    nsdyn_contact_law law = law_of(0.0, 0.0);
    law.friction = i < touching ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_BOUND;
    law.kind = i < touching ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
    law.bound = i < touching ? 0.0 : bound[i - touching];
    scene_law(&s, i, law);
  }
  return s;
}

/* Between walls without any gap nothing can move, and forces are shared in many ways: as loads change they
 * never break a law. */
START_TEST(a_wedged_row_rests_whatever_the_loads)
{
  const double zero[BALLS] = {0.0};
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    ball_row p = {.n = 2 + random_below(&r, BALLS - 1), .walls = 1};
    double bound[BALLS];
    for (int j = 0; j < p.n; j++) {
      p.m[j] = random_between(&r, 0.3, 3.0);
      p.push[j] = random_between(&r, -2.0, 2.0);
      p.swing[j] = random_between(&r, 0.0, 3.0);
      p.w[j] = random_between(&r, 1.0, 20.0);
      bound[j] = random_between(&r, 0.1, 3.0);
    }
    driven s = row_scene(&p, bound);
    scene_drive(&s, 0.0, zero, zero);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 2.0);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_event_driver_message(s.driver));
    for (int j = 0; j < p.n; j++) {
      REQUIRE(fabs(nsdyn_event_driver_q(s.driver)[j]) <= 1e-12, "seed %d: ball %d at %g", k, j,
              nsdyn_event_driver_q(s.driver)[j]);
    }
    scene_end(&s);
  }
}
END_TEST

/* Balls that are pushed together break loose at one time, all the same way, however late it is: one body of
 * mass Σ m on which Σ h − Σ a acts. */
START_TEST(balls_that_are_pushed_together_break_loose_together)
{
  const double zero[BALLS] = {0.0};
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    ball_row p = {.n = 2 + random_below(&r, BALLS - 1), .t0 = k % 2 ? 1e6 : 0.0};
    double bound[BALLS], mass = 0.0, most = 0.0;
    for (int j = 0; j < p.n; j++) {
      p.m[j] = random_between(&r, 0.3, 3.0);
      bound[j] = random_between(&r, 0.1, 1.0);
      p.push[j] += j < p.n - 1 ? random_between(&r, 1.0, 2.0) : 0.0;
      mass += p.m[j];
      most += bound[j];
      p.push[p.n - 1] -= j < p.n - 1 ? p.push[j] : 0.0;
    }
    p.rise[0] = most * random_between(&r, 1.0, 3.0);
    driven s = row_scene(&p, bound);
    scene_drive(&s, p.t0, zero, zero);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, p.t0 + 2.0);
    REQUIRE(status == NSDYN_OK, "seed %d: %s", k, nsdyn_event_driver_message(s.driver));
    const double slides = nsdyn_event_driver_time(s.driver) - p.t0 - most / p.rise[0];
    for (int j = 0; j < p.n; j++) {
      const double u = 0.5 * p.rise[0] * slides * slides / mass;
      REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[j] - u) <= 1e-7 * u, "seed %d: ball %d at %g, not %g", k, j,
              nsdyn_event_driver_u(s.driver)[j], u);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/instant/choose_modes", TEST(a_rod_does_what_the_closed_form_says),
      TEST(ambiguity_is_settled_by_the_option), TEST(policies_choose_among_stable_solutions),
      TEST(a_block_on_a_ramp_sticks_slides_or_tips), TEST(redundant_friction_holds_as_long_as_it_can),
      TEST(static_friction_breaks_loose_to_dynamic), TEST(what_slides_below_lets_the_one_above_rest),
      TEST(a_stuck_end_jumps_off_where_sliding_has_no_future), TEST(a_jam_does_not_mind_what_flies_off),
      TEST(a_ladder_that_locks_rests), TEST(a_wedged_row_rests_whatever_the_loads),
      TEST(balls_that_are_pushed_together_break_loose_together))
