/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What happens at one instant: impacts of all that touches, states that begin inconsistent, hops. */
#include "event_models.h"
#include "support/callbacks.h"
#include "support/exact_cradle.h"

/* Balls that touch are hit by the first: velocities after it are those of the law, solved elsewhere. */
START_TEST(impacts_obey_their_law)
{
  const int cases = random_cases(600);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle exact = {.k = 2 + random_below(&r, 4)};
    cradle p = {.count = exact.k};
    double q[SCENE_MOST] = {0.0}, u[SCENE_MOST] = {0.0};
    long double v[EXACT_BALLS_MOST], Lambda[EXACT_BALLS_MOST];
    const int law = random_below(&r, 2) ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    for (int i = 0; i < p.count; i++) {
      p.mass[i] = random_scale(&r, 1.0);
      exact.mass[i] = p.mass[i];
    }
    u[0] = random_between(&r, 0.5, 2.0);
    exact.v[0] = u[0];
    driven s = cradle_scene(&p);
    for (int i = 0; i + 1 < p.count; i++) {
      const double eps = random_below(&r, 3) ? random_unit(&r) : random_below(&r, 2);
      exact.eps[i] = eps;
      scene_law(&s, i, law_of(0.0, eps));
    }
    s.options.impact = law;
    const int found = law == NSDYN_IMPACT_POISSON ? exact_cradle_poisson(&exact, v, Lambda)
                                                  : exact_cradle_newton(&exact, v, Lambda);
    ck_assert(found);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    for (int i = 0; i < p.count; i++) {
      REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[i] - (double)v[i]) <= 1e-10,
              "seed %d, ball %d: %g, exact %Lg", k, i, nsdyn_event_driver_u(s.driver)[i], v[i]);
    }
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i);
      if (event.kind == NSDYN_EVENT_IMPACT) {
        REQUIRE(fabs(event.impulse[0] - (double)Lambda[event.contact]) <= 1e-10, "seed %d", k);
        REQUIRE(event.group == 0 && event.t == 0.0, "seed %d", k);
      }
    }
    REQUIRE(report_of(&s).impacts == 1, "seed %d", k);
    scene_end(&s);
  }
}
END_TEST

/* Balls that touch, of which some part already while others hit: with one ε Newton's law never gives energy.
 */
START_TEST(what_parts_already_gives_no_energy)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    cradle p = {.count = 3 + random_below(&r, 3)};
    double q[SCENE_MOST] = {0.0}, u[SCENE_MOST] = {0.0}, before = 0.0, after = 0.0;
    const double eps = random_unit(&r);
    for (int i = 0; i < p.count; i++) {
      p.mass[i] = pow(10.0, random_between(&r, -2.0, 2.0));
      u[i] = random_between(&r, -1.0, 1.0);
      before += 0.5 * p.mass[i] * u[i] * u[i];
    }
    driven s = cradle_scene(&p);
    for (int i = 0; i + 1 < p.count; i++) {
      scene_law(&s, i, law_of(0.0, eps));
    }
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    for (int i = 0; i < p.count; i++) {
      const double u_i = nsdyn_event_driver_u(s.driver)[i];
      after += 0.5 * p.mass[i] * u_i * u_i;
    }
    for (int i = 0; i + 1 < p.count; i++) {
      REQUIRE(nsdyn_event_driver_u(s.driver)[i + 1] - nsdyn_event_driver_u(s.driver)[i] >= -1e-9, "seed %d",
              k);
    }
    REQUIRE(after <= before * (1.0 + 1e-9), "seed %d: %g -> %g", k, before, after);
    scene_end(&s);
  }
}
END_TEST

/* With gaps between them, collisions are of two, one after the other. */
START_TEST(a_row_with_gaps_collides_two_by_two)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_cradle exact = {.k = 3 + random_below(&r, 3)};
    cradle p = {.count = exact.k};
    double q[SCENE_MOST] = {0.0}, u[SCENE_MOST] = {0.0};
    long double gap[EXACT_BALLS_MOST], v[EXACT_BALLS_MOST];
    for (int i = 0; i < p.count; i++) {
      exact.mass[i] = p.mass[i] = random_scale(&r, 0.5);
    }
    for (int i = 0; i + 1 < p.count; i++) {
      const double g = random_between(&r, 0.1, 1.0);
      q[i + 1] = q[i] + g;
      gap[i] = q[i + 1] - q[i];
    }
    exact.v[0] = u[0] = 1.0;
    driven s = cradle_scene(&p);
    for (int i = 0; i + 1 < p.count; i++) {
      const double eps = random_between(&r, 0.3, 1.0);
      exact.eps[i] = eps;
      scene_law(&s, i, law_of(0.0, eps));
    }
    const int collisions = exact_cradle_collide(&exact, gap, 200, v);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1e5);
    REQUIRE(collisions < 0 || count_kind(&s, NSDYN_EVENT_IMPACT) == collisions, "seed %d: %d, exact %d", k,
            count_kind(&s, NSDYN_EVENT_IMPACT), collisions);
    for (int i = 0; i < p.count && collisions >= 0; i++) {
      REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[i] - (double)v[i]) <= 1e-9, "seed %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* Three equal balls of which the outer ones close in on the middle one collapse where ε < 7 − 4 √3 = 0.0718
 * (McNamara and Young 1992): infinitely many collisions in a finite time, after which all move as one, with
 * the common speed of their centre of mass. Most of them come closer than gaps can tell, while speeds are not
 * small. */
START_TEST(three_balls_collapse_to_one)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    cradle p = {.count = 3, .mass = {1.0, 1.0, 1.0}};
    const double eps = random_between(&r, 0.005, 0.065), at = random_between(&r, -5.0, 5.0),
                 drift = random_between(&r, -1.0, 1.0);
    const double q[3] = {at, at + random_between(&r, 0.1, 1.0), at + random_between(&r, 1.1, 2.0)};
    const double u[3] = {drift + random_between(&r, 0.9, 1.1), drift + random_between(&r, -0.1, 0.1),
                         drift - random_between(&r, 0.9, 1.1)};
    driven s = cradle_scene(&p);
    for (int i = 0; i < 2; i++) {
      scene_law(&s, i, law_of(0.0, eps));
    }
    s.options.tol = pow(10.0, random_between(&r, -12.0, -6.0));
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 100.0);
    for (int i = 0; i < 3; i++) {
      const double common = (u[0] + u[1] + u[2]) / 3.0, error = nsdyn_event_driver_u(s.driver)[i] - common;
      REQUIRE(fabs(error) <= 1e-9, "seed %d, ε = %g, ball %d: %g off", k, eps, i, error);
    }
    scene_end(&s);
  }
}
END_TEST

/* A particle in a wedge of two walls, y >= |x| tan α: self-locking where tan α < μ. */
typedef struct wedge {
  double tan_alpha;
} wedge;

static int wedge_gap(void *user, double t, const double *q, double *g)
{
  const double a = ((const wedge *)user)->tan_alpha, c = 1.0 / sqrt(1.0 + a * a);
  (void)t;
  g[0] = c * (q[0] + a * q[1]);
  g[1] = c * (a * q[1] - q[0]);
  return 0;
}

static int wedge_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const double a = ((const wedge *)user)->tan_alpha, c = 1.0 / sqrt(1.0 + a * a), side = i ? -1.0 : 1.0;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  W[0] = side * c;
  W[1] = a * c;
  W[2] = -side * a * c;
  W[3] = c;
  return 0;
}

START_TEST(an_impact_without_a_solution_says_so)
{
  wedge p = {.tan_alpha = 0.3};
  nsdyn_system_def def = table(2, 2, &p);
  def.mass = unit_mass_2;
  def.gap = wedge_gap;
  def.direction = wedge_direction;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(1.0, 0.8));
  scene_law(&s, 1, law_of(1.0, 0.8));
  const double q[2] = {0.0, 1.0}, u[2] = {0.0, -1.0};
  scene_drive(&s, 0.0, q, u);
  const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 3.0); /* proved, or nearly */
  ck_assert(status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED);
  ck_assert(fabs(nsdyn_event_driver_time(s.driver) - 1.0) <= 1e-12); /* right before it */
  ck_assert(nsdyn_event_driver_u(s.driver)[1] == -1.0);
  ck_assert_int_eq(events_of(&s), 0);
  ck_assert(strstr(nsdyn_event_driver_message(s.driver), "impact") != NULL);
  ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 3.0), status); /* and again */
  nsdyn_event_driver_options inelastic = s.options;
  inelastic.inelastic = 1;
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &inelastic), NSDYN_OK);
  scene_advance(&s, 3.0);
  ck_assert(nsdyn_event_driver_u(s.driver)[1] == 0.0);
  nsdyn_event_driver_options poisson = s.options;
  poisson.impact = NSDYN_IMPACT_POISSON;
  ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &poisson), NSDYN_OK);
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 3.0);
  ck_assert(nsdyn_event_driver_u(s.driver)[1] >= -1e-12);
  scene_end(&s);
}
END_TEST

/* A rocking block: impacts walk from corner to corner ever faster until it lies. With ε = 0 they do so too.
 */
START_TEST(a_rocking_block_comes_to_rest)
{
  for (int k = 0; k < 3; k++) {
    block p = {.b = 0.2, .c = 0.8, .g = 9.81, .has_bias = k != 1};
    driven s = block_scene(&p, 0.6, k == 2 ? 0.3 : 0.0);
    const double tilt = 0.1;
    double q[3] = {0.0, 0.0, tilt}, u[3] = {0.0, 0.0, 0.0}, r[2];
    block_corner(&p, q, 0, r);
    q[1] = -r[1]; /* on its left corner, leaning to the left */
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 20.0);
    const double *q_end = nsdyn_event_driver_q(s.driver), *u_end = nsdyn_event_driver_u(s.driver);
    ck_assert_msg(fabs(q_end[1] - p.c) <= 1e-9 && fabs(q_end[2]) <= 1e-9, "%d: y = %g, φ = %g", k,
                  q_end[1] - p.c, q_end[2]);
    ck_assert(fabs(u_end[0]) + fabs(u_end[1]) + fabs(u_end[2]) <= 1e-12);
    ck_assert_int_eq(nsdyn_event_driver_active(s.driver), 2);
    ck_assert_int_ge(count_kind(&s, NSDYN_EVENT_IMPACT), 10);
    double before = INFINITY, last = -1.0;
    for (int i = 0, n = 0; i < events_of(&s); i++) { /* speeds of the hits fall all the time */
      const nsdyn_event event = event_of(&s, i);
      if (k < 2 && event.kind == NSDYN_EVENT_IMPACT && event.before[0] < -1e-6) {
        ck_assert(n++ == 0 || -event.before[0] < before);
        before = -event.before[0];
      }
      ck_assert(event.t >= last);
      last = event.kind == NSDYN_EVENT_ZENO ? last : event.t;
    }
    scene_end(&s);
  }
}
END_TEST

/* Falls flat: both corners hit at one instant, in one record each, and it stays. */
START_TEST(a_block_that_falls_flat_hits_with_both_corners)
{
  block p = {.b = 0.5, .c = 0.2, .g = 9.81, .has_bias = 1};
  driven s = block_scene(&p, 0.5, 0.0);
  const double q[3] = {0.0, 1.2, 0.0}, u[3] = {0.0, 0.0, 0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  ck_assert_int_ge(events_of(&s), 2);
  for (int i = 0; i < 2; i++) {
    const nsdyn_event event = event_of(&s, i);
    ck_assert_int_eq(event.kind, NSDYN_EVENT_IMPACT);
    ck_assert_int_eq(event.contact, i);
    ck_assert_int_eq(event.group, event_of(&s, 0).group);
    ck_assert(event.t == event_of(&s, 0).t && fabs(event.t - sqrt(2.0 / 9.81)) <= 1e-12);
    ck_assert(fabs(event.impulse[0] - 0.5 * sqrt(2.0 * 9.81)) <= 1e-11);
  }
  ck_assert_int_eq(report_of(&s).impacts, 1);
  ck_assert(fabs(nsdyn_event_driver_q(s.driver)[1] - 0.2) <= 1e-13 &&
            nsdyn_event_driver_q(s.driver)[2] == 0.0);
  scene_end(&s);
}
END_TEST

/* Painlevé's paradox: met, resolved, logged (tests of choose_modes.c compare with the closed form). */
START_TEST(a_jammed_rod_is_stopped_by_an_impact)
{
  exact_rod rod = {.m = 1.0, .l = 1.0, .mu = 2.0, .g = 9.81};
  exact_rod_state state = exact_rod_on_table(&rod, 1.0, 0.0, -1.0);
  double Lambda[2];
  ck_assert(exact_rod_jam(&rod, &state, Lambda));
  for (int law = 0; law < 2; law++) {
    driven s = rod_scene(&rod, 0.5, 1);
    s.options.impact = law ? NSDYN_IMPACT_POISSON : NSDYN_IMPACT_NEWTON;
    scene_drive(&s, 0.0, state.q, state.u);
    scene_advance(&s, 0.0);
    const nsdyn_event event = event_of(&s, 0);
    ck_assert_int_eq(event.kind, NSDYN_EVENT_PAINLEVE);
    ck_assert(fabs(event.before[1] + 1.0) <= 1e-15 && fabs(event.before[0]) <= 1e-15);
    if (law == 0) { /* ε is irrelevant */
      ck_assert(fabs(event.impulse[0] - Lambda[0]) <= 1e-12 && fabs(event.impulse[1] - Lambda[1]) <= 1e-12);
      ck_assert(fabs(event.after[1]) <= 1e-14 && fabs(event.after[0]) <= 1e-14);
    } else { /* what was compressed comes back */
      ck_assert(event.impulse[0] >= 1.5 * Lambda[0] * (1.0 - 1e-12));
      ck_assert_int_eq(event.mode_after, NSDYN_MODE_OPEN);
    }
    scene_end(&s);
  }
}
END_TEST

/* A slider in a slot along x, |Λ_T| <= μ |Λ_N|, M⁻¹ = [a, b; b, c], h = (f, (L − b f)/c) with a load
 * L = σ ℓ (1 − (t − t₀)/T). It slides in direction s and presses on the side −σ. On the side σ its friction
 * outweighs the normal direction, μ |b| > c: as soon as L has fallen through zero, neither side has a force.
 */
typedef struct wedge_slot {
  double a, b, c, f, l, side, t0, T;
} wedge_slot;

static int wedge_slot_mass(void *user, double t, const double *q, double *M)
{
  const wedge_slot *p = user;
  const double det = p->a * p->c - p->b * p->b;
  (void)t, (void)q;
  M[0] = p->c / det;
  M[1] = M[2] = -p->b / det;
  M[3] = p->a / det;
  return 0;
}

static int wedge_slot_force(void *user, double t, const double *q, const double *u, double *h)
{
  const wedge_slot *p = user;
  (void)q, (void)u;
  h[0] = p->f;
  h[1] = (p->side * p->l * (1.0 - (t - p->t0) / p->T) - p->b * p->f) / p->c;
  return 0;
}

static int wedge_slot_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int wedge_slot_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  W[1] = W[2] = 1.0;
  w_hat[0] = w_hat[1] = 0.0;
  return 0;
}

START_TEST(a_slot_that_changes_its_side_may_jam)
{
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double slides = random_below(&r, 2) ? 1.0 : -1.0, side = random_below(&r, 2) ? 1.0 : -1.0;
    wedge_slot p = {.a = random_between(&r, 1.0, 3.0),
                    .c = random_between(&r, 0.2, 1.0),
                    .f = slides * random_between(&r, 0.5, 2.0), /* against s it could slide off again */
                    .l = random_between(&r, 0.2, 2.0),
                    .side = side,
                    .t0 = k % 3 == 2 ? 1e6 : 0.0,
                    .T = random_between(&r, 0.3, 2.0)};
    p.b = slides * side * random_between(&r, 0.2, 0.95) * sqrt(p.a * p.c);
    const double mu = p.c / fabs(p.b) * random_between(&r, 1.1, 2.0);
    /* ẍ = a (f + λ_T) + b (h_y + λ_N) is e₀ + e₁ L, since λ_N = −L / (c + μ |b|), λ_T = s μ σ λ_N. */
    const double press = -1.0 / (p.c + mu * fabs(p.b)), e0 = (p.a - p.b * p.b / p.c) * p.f,
                 e1 = p.a * slides * mu * side * press + p.b * (1.0 / p.c + press);
    const double v = slides * (1.0 + p.T * (fabs(e0) + fabs(e1) * p.l)), L0 = side * p.l;
    const double stops_at = v * p.T + 0.5 * e0 * p.T * p.T + e1 * L0 * p.T * p.T / 3.0,
                 stops_from = v + e0 * p.T + 0.5 * e1 * L0 * p.T, det = p.a * p.c - p.b * p.b;
    nsdyn_system_def def = table(2, 1, &p);
    def.mass = wedge_slot_mass;
    def.force = wedge_slot_force;
    def.gap = wedge_slot_gap;
    def.direction = wedge_slot_direction;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(mu, 0.0);
    law.kind = NSDYN_CONTACT_BILATERAL;
    scene_law(&s, 0, law);
    s.options.tol = k % 2 ? 1e-3 : 1e-10;
    const double q[2] = {0.0, 0.0}, u[2] = {v, 0.0}, precise = p.t0 > 0.0 || k % 2 ? 1e-5 : 1e-8;
    s.options.ambiguous = NSDYN_AMBIGUITY_STICK; /* it could begin on the other side, too */
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0);
    s.options.ambiguous = NSDYN_AMBIGUITY_STOP;
    ck_assert_int_eq(nsdyn_event_driver_set_options(s.driver, &s.options), NSDYN_OK);
    scene_advance(&s, p.t0 + 1.01 * p.T);
    const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_PAINLEVE, 0);
    REQUIRE(event.kind && fabs(event.t - p.t0 - p.T) <= precise * p.T, "seed %d: at %.15g, not %.15g", k,
            event.t, p.t0 + p.T);
    /* Λ = −M u⁻ but for the row that holds y: Λ_T = −M_xx ẋ, Λ_N = −M_xy ẋ. */
    REQUIRE(fabs(event.impulse[1] + p.c / det * stops_from) <= precise * p.c / det * fabs(stops_from) &&
                fabs(event.impulse[0] - p.b / det * stops_from) <= precise * p.c / det * fabs(stops_from),
            "seed %d: impulse %g %g", k, event.impulse[0], event.impulse[1]);
    REQUIRE(contact_of(&s, 0).mode == NSDYN_MODE_STICK && nsdyn_event_driver_u(s.driver)[0] == 0.0 &&
                fabs(nsdyn_event_driver_q(s.driver)[0] - stops_at) <= precise * fabs(v) * p.T,
            "seed %d: mode %d, %g m, not %g", k, contact_of(&s, 0).mode, nsdyn_event_driver_q(s.driver)[0],
            stops_at);
    scene_end(&s);
  }
}
END_TEST

/* A mass thrown into a corner at the origin, floor and wall, stops dead. Its coordinates have no size but
 * that of their rounding then, and it must not begin to follow that. */
START_TEST(what_is_held_on_all_sides_rests)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double lean = random_between(&r, -0.3, 0.3);
    wedge p = {.tan_alpha = random_between(&r, 0.3, 1.0)};
    nsdyn_system_def def = table(2, 2, &p);
    def.mass = unit_mass_2;
    def.force = weight_of_q1;
    def.gap = wedge_gap;
    def.direction = wedge_direction;
    driven s = scene_of(&def);
    const double mu = random_below(&r, 3) ? random_unit(&r) : 0.0;
    scene_law(&s, 0, law_of(mu, 0.0));
    scene_law(&s, 1, law_of(mu, 0.0));
    const double speed = random_scale(&r, 4.0);
    const double q[2] = {0.0, 0.0}, u[2] = {lean * speed, -speed};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1e3);
    REQUIRE(nsdyn_event_driver_u(s.driver)[0] == 0.0 && nsdyn_event_driver_u(s.driver)[1] == 0.0,
            "seed %d: %g, %g", k, nsdyn_event_driver_u(s.driver)[0], nsdyn_event_driver_u(s.driver)[1]);
    REQUIRE(report_of(&s).steps <= 60 && report_of(&s).phases <= 3, "seed %d: %d steps, %d phases", k,
            (int)report_of(&s).steps, (int)report_of(&s).phases);
    scene_end(&s);
  }
}
END_TEST

/* A sledge on two runners, x by a constraint to and fro; q = (x, y, φ). Both runners slide with the one
 * velocity x', and turn with it at the same instant. */
typedef struct sledge {
  double omega, t0, a, b;
} sledge;

static int sledge_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[4] = 1.3;
  M[8] = 0.2;
  return 0;
}

static int sledge_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -1.3 * 9.81;
  return 0;
}

static int sledge_gap(void *user, double t, const double *q, double *g)
{
  const sledge *p = user;
  (void)t;
  g[0] = q[1] - p->b - p->a * sin(q[2]);
  g[1] = q[1] - p->b + p->a * sin(q[2]);
  return 0;
}

static int sledge_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const sledge *p = user;
  const double a = i ? p->a : -p->a;
  (void)t;
  w_hat[0] = 0.0;
  W[1] = 1.0;
  W[2] = a * cos(q[2]);
  W[3] = 1.0;
  W[5] = p->b * cos(q[2]);
  return 0;
}

static int sledge_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const sledge *p = user;
  g_b[0] = q[0] - 0.4 * sin(p->omega * (t - p->t0));
  W_b[0] = 1.0;
  w_hat_b[0] = -0.4 * p->omega * cos(p->omega * (t - p->t0));
  return 0;
}

START_TEST(what_slides_together_turns_together)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    sledge p = {
        .omega = random_between(&r, 2.0, 20.0), .t0 = 1e6, .a = random_between(&r, 0.2, 0.5), .b = 0.1};
    nsdyn_system_def def = table(3, 2, &p);
    def.mass = sledge_mass;
    def.force = sledge_force;
    def.gap = sledge_gap;
    def.direction = sledge_direction;
    def.nconstraints = 1;
    def.constraint = sledge_constraint;
    driven s = scene_of(&def);
    const double mu = random_between(&r, 0.05, 0.3);
    scene_law(&s, 0, law_of(mu, 0.0));
    scene_law(&s, 1, law_of(mu, 0.0));
    s.options.tol = k % 2 ? 1e-9 : 1e-6;
    s.options.handover = 0;
    const double q[3] = {0.0, p.b, 0.0}, u[3] = {0.4 * p.omega, 0.0, 0.0};
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0 + 12.0 * 3.14159265358979 / p.omega);
    REQUIRE(count_kind(&s, NSDYN_EVENT_REVERSE) == 24, "seed %d: %d reversals of 24", k,
            count_kind(&s, NSDYN_EVENT_REVERSE));
    scene_end(&s);
  }
}
END_TEST

/* Two blocks, one upon the other, drawn by forces that grow with time; q = (x1, y1, x2, y2). */
typedef struct drawn {
  double m[2], rate[2], t0;
} drawn;

static int drawn_mass(void *user, double t, const double *q, double *M)
{
  const drawn *p = user;
  (void)t, (void)q;
  M[0] = M[5] = p->m[0];
  M[10] = M[15] = p->m[1];
  return 0;
}

static int drawn_force(void *user, double t, const double *q, const double *u, double *h)
{
  const drawn *p = user;
  (void)q, (void)u;
  for (int i = 0; i < 2; i++) {
    h[2 * i] = p->m[i] * p->rate[i] * (t - p->t0);
    h[2 * i + 1] = -p->m[i] * 9.81;
  }
  return 0;
}

static int drawn_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  g[1] = q[3] - q[1];
  return 0;
}

static int drawn_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[1] = W[4] = i ? -1.0 : 1.0;
  if (i) {
    W[3] = W[6] = 1.0;
  }
  return 0;
}

START_TEST(what_reaches_its_limit_between_two_ticks_slides)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double rate = random_between(&r, 3.0, 60.0);
    drawn p = {
        .m = {random_between(&r, 0.3, 3.0), random_between(&r, 0.3, 3.0)}, .rate = {rate, rate}, .t0 = 1e6};
    nsdyn_system_def def = table(4, 2, &p);
    def.mass = drawn_mass;
    def.force = drawn_force;
    def.gap = drawn_gap;
    def.direction = drawn_direction;
    driven s = scene_of(&def);
    const double mu = random_between(&r, 0.1, 0.4);
    scene_law(&s, 0, law_of(mu, 0.0));
    scene_law(&s, 1, law_of(0.9, 0.0));
    s.options.handover = 0;
    s.options.tol = k % 2 ? 1e-9 : 1e-12;
    const double q[4] = {0.0, 0.0, 0.0, 0.0}, u[4] = {0.0, 0.0, 0.0, 0.0};
    const double slips = mu * 9.81 / rate;
    scene_drive(&s, p.t0, q, u);
    scene_advance(&s, p.t0 + 1.5 * slips);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_SLIP), 1);
    const double v = 0.5 * rate * (0.5 * slips) * (0.5 * slips);
    REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[0] - v) <= 1e-6 * v, "seed %d: %g, exact %g", k,
            nsdyn_event_driver_u(s.driver)[0], v);
    scene_end(&s);
  }
}
END_TEST

/* A point that bounces with friction, its tangential mass split in two by a constraint: q = (x, y, z), z = x.
 * Each impact at which it sticks leaves the rounding of what it stopped, down to denormal numbers. */
static int split_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 0.3 * 0.017;
  M[4] = 0.017;
  M[8] = 0.7 * 0.017;
  return 0;
}

static int split_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -0.017 * 9.81;
  return 0;
}

static int split_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = W[3] = 1.0;
  return 0;
}

static int split_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  g_b[0] = q[2] - q[0];
  w_hat_b[0] = 0.0;
  W_b[0] = -1.0;
  W_b[2] = 1.0;
  return 0;
}

START_TEST(what_accumulating_impacts_leave_is_zero)
{
  for (int i = 0; i < 300; i++) {
    nsdyn_system_def def = table(3, 1, NULL);
    def.nconstraints = 1;
    def.mass = split_mass;
    def.force = split_force;
    def.gap = gap_is_q1;
    def.direction = split_direction;
    def.constraint = split_constraint;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(0.63, 0.5 + 0.001 * i));
    s.options.tol = 1e-11;
    const double v = -1.0 - 0.017 * i;
    const double q[3] = {0.0, 1.0 + 0.003 * i, 0.0}, u[3] = {v, 0.0, v};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 8.0);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_ZENO), 1);
    scene_end(&s);
  }
}
END_TEST

/* A mass of 1 kg hits a hill, x² + y² = 1, at its top: 3.3 m/s along it, 2 m/s down, μ = 0.5. Friction
 * leaves 2.3 m/s, with which gravity holds it on the hill, since 2.3² < 9.81; with what it came with it would
 * fly off. `find` tells w̄ of the velocities it is given: those after the impact count. */
static int hill_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  const double r = sqrt(q[0] * q[0] + q[1] * q[1]), x = q[0] / r, y = q[1] / r;
  const double W[4] = {x, y, y, -x};
  const nsdyn_contact_block columns = {.count = 2, .values = W};
  nsdyn_found_contact c;
  (void)user, (void)t, (void)margin;
  nsdyn_found_contact_init(&c, sizeof c);
  c.key = 1;
  c.gap = r - 1.0;
  c.blocks = 1;
  c.block = &columns;
  if (u) { /* d/dt of (x, y)/r and (y, −x)/r, times u */
    const double out = x * u[0] + y * u[1], along = y * u[0] - x * u[1];
    c.w_bar[0] = along * along / r;
    c.w_bar[1] = -along * out / r;
  }
  return nsdyn_contact_sink_add(sink, &c);
}

START_TEST(a_bias_is_that_of_the_velocities_after_the_impact)
{
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_contact_law law;
  int32_t number;
  const double q[2] = {0.0, 1.0}, u[2] = {3.3, -2.0};
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.mass = unit_mass_2;
  def.force = weight_of_q1;
  def.find = hill_find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.5;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_set_state(driver, 0.0, q, u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_advance(driver, 0.0), NSDYN_OK);
  ck_assert(fabs(nsdyn_event_driver_u(driver)[0] - 2.3) < 1e-14 && nsdyn_event_driver_u(driver)[1] == 0.0);
  ck_assert_int_eq(nsdyn_event_driver_active(driver), 1);
  nsdyn_contact_state state = {.size = sizeof state};
  ck_assert_int_eq(nsdyn_event_driver_found_contact(driver, 1, &state), NSDYN_OK);
  ck_assert_msg(fabs(state.force[0] - (9.81 - 2.3 * 2.3)) < 1e-12, "presses with %g N", state.force[0]);
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
}
END_TEST

/* Two unit masses between walls at 0 and 0; all three gaps are closed, and sum up to zero. */
static int wedged_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0];
  g[1] = q[1] - q[0];
  g[2] = -q[1];
  return 0;
}

static int wedged_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0;
  W[0] = i == 0 ? 1.0 : i == 1 ? -1.0 : 0.0;
  W[1] = i == 0 ? 0.0 : i == 1 ? 1.0 : -1.0;
  return 0;
}

/* One velocity is rounding beside the motion, others are not; set to zero alone it would leave them no
 * impulses that stop them. */
START_TEST(wedged_masses_are_stopped_as_they_are)
{
  const double sizes[] = {1.0, 1.0, 1.0, 1.0};
  for (int k = 0; k < 40; k++) {
    nsdyn_system_def def = table(2, 3, NULL);
    def.mass = unit_mass_2;
    def.gap = wedged_gap;
    def.direction = wedged_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < 3; i++) {
      nsdyn_contact_law law = law_of(0.0, 0.0);
      law.friction = NSDYN_FRICTION_NONE;
      scene_law(&s, i, law);
    }
    s.options.handover = 0;
    s.options.scale = sizes;
    const double tiny = 0x1p-49 * (1.0 - 0.01 * k), speed = -ldexp(1.0, -10 - k / 2);
    const double q[2] = {0.0, 0.0}, u[2] = {k % 2 ? speed : tiny, k % 2 ? -tiny : speed};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.0);
    ck_assert_double_le(fabs(nsdyn_event_driver_u(s.driver)[0]), 0x1p-45);
    ck_assert_double_le(fabs(nsdyn_event_driver_u(s.driver)[1]), 0x1p-45);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/instant/resolve", TEST(three_balls_collapse_to_one), TEST(wedged_masses_are_stopped_as_they_are),
      TEST(a_bias_is_that_of_the_velocities_after_the_impact),
      TEST(what_reaches_its_limit_between_two_ticks_slides), TEST(what_slides_together_turns_together),
      TEST(impacts_obey_their_law), TEST(what_parts_already_gives_no_energy),
      TEST(a_row_with_gaps_collides_two_by_two), TEST(an_impact_without_a_solution_says_so),
      TEST(a_rocking_block_comes_to_rest), TEST(a_block_that_falls_flat_hits_with_both_corners),
      TEST(a_jammed_rod_is_stopped_by_an_impact), TEST(a_slot_that_changes_its_side_may_jam),
      TEST(what_is_held_on_all_sides_rests), TEST(what_accumulating_impacts_leave_is_zero))
