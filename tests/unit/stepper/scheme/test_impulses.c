/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "nsdyn/event.h"
#include "stepper/object.h"
#include "stepping.h"

/* A particle in a wedge whose walls rise at the angle α on either side, tan α = 1 < μ: self-locking. */
static void make_wedge(model *m, double mu, double eps_n)
{
  const double half = sqrt(0.5);
  model_clear(m, 2);
  for (int i = 0; i < 2; i++) {
    model_contact *c = model_add_contact(m, 0.0, 0, 0, mu, eps_n);
    c->n[0] = i ? -half : half;
    c->n[1] = half;
    c->tangent[0] = half;
    c->tangent[1] = i ? half : -half;
  }
}

/* Newton's law with ε_N > 0 and ε_T = 0 has no solution there; without restitution it has. */
START_TEST(newtons_law_may_have_no_solution)
{
  model m;
  make_wedge(&m, 2.0, 0.5);
  nsdyn_stepper_options options = stepper_defaults();
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  const double q[2] = {0.0, 0.0}, u[2] = {0.0, -1.0};
  set_state(s, q, u);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_NO_SOLUTION);
  ck_assert_msg(strstr(nsdyn_stepper_message(s), "contact problem of 2 contacts") != NULL, "%s",
                nsdyn_stepper_message(s));
  ck_assert(nsdyn_stepper_u(s)[1] == -1.0 && report_of(s).status == NSDYN_NO_SOLUTION);
  ck_assert_int_eq(nsdyn_stepper_active(s), 2);
  ck_assert(state_of(s, 0).active == 1 && state_of(s, 0).impulse[0] == 0.0);
  options.inelastic = 1;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert(report_of(s).inelastic == 1 && report_of(s).rounds == 2);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 0.0, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A ball that approaches more slowly than the threshold does not rebound. */
START_TEST(slow_approaches_end)
{
  model m;
  model_clear(&m, 1);
  model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
  nsdyn_stepper_options options = stepper_defaults();
  options.threshold = 0.1;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
  const double speeds[] = {-0.2, -0.1, -0.0999}, after[] = {0.1, 0.05, 0.0};
  for (int i = 0; i < 3; i++) {
    set_state(s, (double[]){0.0}, &speeds[i]);
    ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], after[i], 1e-16);
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* A contact that opens already would be slowed down, even turned, by Newton's law under a force; not with
 * `clip`. */
START_TEST(clipped_restitution_counts_approach_only)
{
  for (int clip = 0; clip < 2; clip++) {
    model m;
    model_clear(&m, 1);
    model_add_contact(&m, -1.0, 0, -1, 0.0, 0.5);
    m.f[0] = -20.0;
    nsdyn_stepper_options options = stepper_defaults();
    options.clip = clip;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, (double[]){0.0}, (double[]){1.0});
    run(s, 0.1, 1); /* alone, h takes u to −1 */
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], (clip ? 0.0 : -0.5), 1e-15);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ε_T turns a sticking contact's tangential velocity. */
START_TEST(tangential_restitution_turns)
{
  model m;
  make_block(&m, 0.0, 0.0, 10.0);
  m.contact[0].law.eps_t = 0.25;
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, -1.0});
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], -0.25, 1e-15);
  ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], 0.0, 1e-15);
  nsdyn_stepper_free(s);
}
END_TEST

/* A slot guides a particle: Λ_N of either sign, friction against the motion. */
START_TEST(slots_guide_both_ways)
{
  for (int sign = -1; sign <= 1; sign += 2) {
    model m;
    make_block(&m, 0.0, 4.0 * sign, 0.5);
    m.contact[0].law.kind = NSDYN_CONTACT_BILATERAL;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
    set_state(s, (double[]){0.0, 0.0}, (double[]){1.0, 0.0});
    run(s, 0.1, 3);
    const nsdyn_contact_state c = state_of(s, 0);
    ck_assert_double_eq_tol(c.impulse[0], -0.4 * sign, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 1.0 - 3 * 0.1 * 0.5 * 4.0 / 2.0, 1e-15);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], 0.0, 1e-16);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Warm starts by contact: one that closes beside another keeps that one's mode. */
START_TEST(modes_follow_their_contact)
{
  model m;
  model_clear(&m, 3);
  m.f[2] = -1.0;
  model_add_contact(&m, 0.4, 1, -1, 0.0, 0.0); /* closes in the third step */
  model_add_contact(&m, 0.0, 2, 0, 0.5, 0.0);
  nsdyn_stepper *s = stepper_of(&m, 0, 0, NULL);
  set_state(s, (double[]){0.0, 0.0, 0.0}, (double[]){9.0, -1.0, 0.0});
  run(s, 0.2, 2);
  ck_assert(report_of(s).active == 1 && report_of(s).warm == 1);
  run(s, 0.2, 1);
  ck_assert(report_of(s).active == 2);
  ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
  ck_assert_int_eq(state_of(s, 1).mode, NSDYN_MODE_SLIP_PLUS);
  run(s, 0.2, 1);
  ck_assert(report_of(s).active == 2 && report_of(s).warm == 1);
  nsdyn_stepper_free(s);
}
END_TEST

/* Balls that touch in a row between two walls: gaps sum up to zero, and so do velocities, Σ γ = 0. With
 * different ε Newton's law asks for Σ ε γ⁻ >= 0 and often has no solution, which rounding of masses leaves
 * undecided. Without restitution all stop. */
START_TEST(wedged_balls_stop_without_restitution)
{
  int inelastic = 0;
  for (int seed = 0; seed < 400; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int n = 2 + random_below(&random, 5);
    double q[8] = {0.0}, u[8];
    model m;
    model_clear(&m, n);
    for (int k = 0; k <= n; k++) {
      model_contact *c = model_add_contact(&m, 0.0, 0, -1, 0.0, random_between(&random, 0.0, 1.0));
      memset(c->n, 0, sizeof c->n);
      if (k < n) {
        c->n[k] = 1.0;
        m.M0[k * n + k] = random_between(&random, 0.3, 3.0);
        u[k] = random_between(&random, -1.0, 1.0);
      }
      if (k > 0) {
        c->n[k - 1] = -1.0;
      }
    }
    nsdyn_stepper_options options = stepper_defaults();
    options.inelastic = 1;
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    REQUIRE(nsdyn_stepper_impact(s) == NSDYN_OK, "seed %d: %s", seed, nsdyn_stepper_message(s));
    inelastic += report_of(s).inelastic;
    for (int j = 0; j < n && report_of(s).inelastic; j++) {
      ck_assert_double_le(fabs(nsdyn_stepper_u(s)[j]), 1e-8);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_int_ge(inelastic, 50);
}
END_TEST

/* ---- contacts in space ---- */

#define GRAVITY 9.81

/* A ball of radius r on a floor: velocities of its center and ω, in the axes x, y, z; the floor is z = 0. Two
 * of them, if asked for, that do not meet. With `tilt` gravity also pulls along x and y. */
typedef struct balls {
  int count;
  double r, mass, share; /* I = share · m r² */
  double pull[2];        /* accelerations along x and y */
  int is_found;
} balls;

static int balls_mass(void *user, double t, const double *q, double *M)
{
  const balls *b = user;
  const int nu = 6 * b->count;
  (void)t, (void)q;
  for (int i = 0; i < nu; i++) {
    M[i * nu + i] = i % 6 < 3 ? b->mass : b->share * b->mass * b->r * b->r;
  }
  return 0;
}

static int balls_force(void *user, double t, const double *q, const double *u, double *h)
{
  const balls *b = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < b->count; i++) {
    h[6 * i] = b->mass * b->pull[0];
    h[6 * i + 1] = b->mass * b->pull[1];
    h[6 * i + 2] = -b->mass * GRAVITY;
  }
  return 0;
}

static int balls_gap(void *user, double t, const double *q, double *g)
{
  const balls *b = user;
  (void)t;
  for (int i = 0; i < b->count; i++) {
    g[i] = q[6 * i + 2] - b->r;
  }
  return 0;
}

/* γ_T1 = v_x − r ω_y, γ_T2 = v_y + r ω_x */
static void fill_rows(const balls *b, int nu, double *W)
{
  W[2] = 1.0;
  W[nu] = 1.0;
  W[nu + 4] = -b->r;
  W[2 * nu + 1] = 1.0;
  W[2 * nu + 3] = b->r;
}

static int balls_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const balls *b = user;
  (void)t, (void)q;
  w_hat[0] = w_hat[1] = w_hat[2] = 0.0; /* the floor stays */
  fill_rows(b, 6 * b->count, W + (ptrdiff_t)6 * i);
  return 0;
}

static int balls_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const balls *b = user;
  (void)t, (void)u, (void)margin;
  for (int i = 0; i < b->count; i++) {
    double W[18] = {0.0};
    fill_rows(b, 6, W);
    const nsdyn_contact_block block = {.offset = 6 * i, .count = 6, .values = W};
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = 70 + i;
    found.gap = q[6 * i + 2] - b->r;
    found.blocks = 1;
    found.block = &block;
    if (nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

static nsdyn_contact_law in_space(double mu)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = mu;
  return law;
}

static nsdyn_stepper *stepper_for_balls(balls *b, const nsdyn_contact_law *law)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 6 * b->count;
  def.user = b;
  def.mass = balls_mass;
  def.force = balls_force;
  if (b->is_found) {
    def.find = balls_find;
  } else {
    def.ncontacts = b->count;
    def.gap = balls_gap;
    def.direction = balls_direction;
  }
  return stepper_for(&def, law, NULL);
}

/* What slides loses μ g Δt of its speed in each step, in whatever direction, and stays where it stops:
 * |u|²/(2 μ g) on, but for the order of the step. */
START_TEST(a_mass_slides_straight_and_stops)
{
  for (int k = 0; k < 8; k++) {
    balls b = {.count = 1, .r = 1e-9, .mass = 2.0, .share = 0.4};
    const double mu = 0.3, angle = 0.7 * k, v = 2.0, dt = 1e-3;
    const nsdyn_contact_law law = in_space(mu);
    nsdyn_stepper *s = stepper_for_balls(&b, &law);
    /* So small that it hardly turns: a particle. */
    b.share = 1e24;
    const double e[2] = {cos(angle), sin(angle)};
    const double q[6] = {0.0, 0.0, 1e-9}, u[6] = {v * e[0], v * e[1]};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    for (int n = 1; n <= 800; n++) {
      ck_assert_msg(nsdyn_stepper_step(s, dt) == NSDYN_OK, "%s", nsdyn_stepper_message(s));
      const double *now = nsdyn_stepper_u(s);
      const double left = v - n * mu * GRAVITY * dt, speed = left > 0.0 ? left : 0.0;
      ck_assert_double_eq_tol(now[0], speed * e[0], 1e-11);
      ck_assert_double_eq_tol(now[1], speed * e[1], 1e-11);
      const int32_t mode = state_of(s, 0).mode;
      ck_assert(mode == (left > 1e-9 ? NSDYN_MODE_SLIP : NSDYN_MODE_STICK) || fabs(left) < 2e-2);
    }
    const double way = v * v / (2.0 * mu * GRAVITY);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[0], way * e[0], v * dt);
    ck_assert_double_eq_tol(nsdyn_stepper_q(s)[1], way * e[1], v * dt);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A ball that slides rolls from t = 2 v₀/(7 μ g) on, with 5/7 of v₀ (Mylapilli & Jain 2017, section 6.1). */
START_TEST(a_ball_slides_and_rolls)
{
  balls b = {.count = 1, .r = 0.1, .mass = 3.0, .share = 0.4};
  const double mu = 0.2, v = 2.0, dt = 1e-4, rolls = 2.0 * v / (7.0 * mu * GRAVITY);
  for (int k = 0; k < 3; k++) {
    nsdyn_contact_law law = in_space(mu);
    law.angle = 0.3; /* of a disk it does not matter */
    nsdyn_stepper *s = stepper_for_balls(&b, &law);
    const double e[2] = {cos(k), sin(k)};
    const double q[6] = {0.0, 0.0, 0.1}, u[6] = {v * e[0], v * e[1]};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    while (nsdyn_stepper_time(s) < 2.0 * rolls) {
      ck_assert_int_eq(nsdyn_stepper_step(s, dt), NSDYN_OK);
      const double *now = nsdyn_stepper_u(s);
      const double t = nsdyn_stepper_time(s);
      const double speed = t < rolls ? v - mu * GRAVITY * t : 5.0 / 7.0 * v;
      ck_assert_double_eq_tol(hypot(now[0], now[1]), speed, 2.0 * mu * GRAVITY * dt);
      ck_assert_double_eq_tol(now[0] * e[1] - now[1] * e[0], 0.0, 1e-12);
      if (t > rolls + 2.0 * dt) { /* it rolls: v = ω × r */
        ck_assert_double_eq_tol(now[0], b.r * now[4], 1e-12);
        ck_assert_double_eq_tol(now[1], -b.r * now[3], 1e-12);
        ck_assert_int_eq(state_of(s, 0).mode, NSDYN_MODE_STICK);
      }
      ck_assert_double_eq_tol(state_of(s, 0).force[0], b.mass * GRAVITY, 1e-9);
    }
    nsdyn_step_energy energy;
    nsdyn_step_energy_init(&energy, sizeof energy);
    ck_assert_int_eq(nsdyn_stepper_energy(s, &energy), NSDYN_OK);
    ck_assert_double_eq_tol(energy.tangent, 0.0, 1e-12);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Under a pull in any direction below the static limit a block stays to the last bit; above it slides along.
 */
START_TEST(the_static_limit_holds_in_every_direction)
{
  for (int k = 0; k < 16; k++) {
    for (int above = 0; above < 2; above++) {
      balls b = {.count = 1, .r = 1e-3, .mass = 1.0, .share = 1e12};
      nsdyn_contact_law law = in_space(0.2);
      law.friction = NSDYN_FRICTION_STATIC;
      law.mu_static = 0.5;
      const double pull = (above ? 1.01 : 0.99) * law.mu_static * GRAVITY, angle = 0.39 * k;
      b.pull[0] = pull * cos(angle);
      b.pull[1] = pull * sin(angle);
      nsdyn_stepper *s = stepper_for_balls(&b, &law);
      const double q[6] = {0.0, 0.0, 1e-3}, u[6] = {0.0};
      ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
      run(s, 1e-3, 100);
      const double speed = above ? (pull - law.mu * GRAVITY) * 0.1 : 0.0;
      ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], speed * cos(angle), 2e-2 * speed + 1e-9);
      ck_assert_double_eq_tol(nsdyn_stepper_u(s)[1], speed * sin(angle), 2e-2 * speed + 1e-9);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Found contacts do what those known in advance do, and a stepper that was saved and restored goes on with
 * the same bits. */
START_TEST(found_and_restored_contacts_in_space_go_on)
{
  double end[2][24];
  for (int is_found = 0; is_found < 2; is_found++) {
    balls b = {.count = 2, .r = 0.1, .mass = 1.0, .share = 0.4, .is_found = is_found};
    nsdyn_contact_law law = in_space(0.25);
    law.aspect = 1.7;
    law.angle = 0.4;
    nsdyn_stepper *s = stepper_for_balls(&b, &law), *other = stepper_for_balls(&b, &law);
    const double q[12] = {0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 5.0, 0.0, 0.1},
                 u[12] = {1.0, 0.5, 0.0, 0.0, 0.0, 0.0, -0.3, 2.0, 0.0, 5.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    run(s, 1e-3, 60);
    unsigned char bytes[4096];
    const size_t size = nsdyn_stepper_save(s, bytes, sizeof bytes);
    ck_assert(size > 0 && size <= sizeof bytes);
    ck_assert_int_eq(nsdyn_stepper_restore(other, bytes, size), NSDYN_OK);
    run(s, 1e-3, 60);
    run(other, 1e-3, 60);
    for (int i = 0; i < 12; i++) {
      end[is_found][i] = nsdyn_stepper_q(s)[i];
      end[is_found][12 + i] = nsdyn_stepper_u(s)[i];
      ck_assert(nsdyn_stepper_q(other)[i] == end[is_found][i]);
      ck_assert(nsdyn_stepper_u(other)[i] == end[is_found][12 + i]);
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(other);
  }
  for (int i = 0; i < 24; i++) {
    ck_assert_double_eq(end[0][i], end[1][i]);
  }
}
END_TEST

/* A bouncing ball in space: Newton's law, ε for the normal and the tangential velocity. */
START_TEST(a_ball_rebounds_with_spin)
{
  balls b = {.count = 1, .r = 0.1, .mass = 1.0, .share = 0.4};
  nsdyn_contact_law law = in_space(10.0); /* it sticks */
  law.eps_n = 0.8;
  law.eps_t = 0.5;
  nsdyn_stepper *s = stepper_for_balls(&b, &law);
  const double q[6] = {0.0, 0.0, 0.1}, u[6] = {1.0, -2.0, -3.0};
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_impact(s), NSDYN_OK);
  const double *now = nsdyn_stepper_u(s);
  ck_assert_double_eq_tol(now[2], 2.4, 1e-12);
  ck_assert_double_eq_tol(now[0] - b.r * now[4], -0.5, 1e-12);
  ck_assert_double_eq_tol(now[1] + b.r * now[3], 1.0, 1e-12);
  nsdyn_stepper_free(s);
}
END_TEST

/* Poisson's law: what compression stopped comes back, in any direction; in a step as in an impact alone. */
START_TEST(a_superball_turns_its_slide_and_its_spin_round)
{
  for (int k = 0; k < 16; k++) {
    balls b = {.count = 1, .r = 0.1, .mass = 1.0, .share = 0.4, .is_found = k % 2};
    nsdyn_contact_law law = in_space(10.0);
    law.eps_n = 0.8;
    law.eps_t = 0.5;
    law.reversal = 1.0;
    nsdyn_stepper *s = stepper_for_balls(&b, &law);
    nsdyn_stepper_options options = stepper_defaults();
    options.impact = NSDYN_IMPACT_POISSON;
    ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
    const double speed[2] = {cos(0.4 * k), sin(0.4 * k)};
    const double q[6] = {0.0, 0.0, 0.1}, u[6] = {speed[0], speed[1], -3.0};
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    const int is_step = k % 4 > 1;
    ck_assert_int_eq(is_step ? nsdyn_stepper_step(s, 1e-9) : nsdyn_stepper_impact(s), NSDYN_OK);
    const double tol = is_step ? 1e-7 : 1e-12, *now = nsdyn_stepper_u(s);
    ck_assert_double_eq_tol(now[2], 2.4, tol);
    ck_assert_double_eq_tol(now[0] - b.r * now[4], -0.4 * speed[0], tol);
    ck_assert_double_eq_tol(now[1] + b.r * now[3], -0.4 * speed[1], tol);
    ck_assert(b.is_found || state_of(s, 0).mode == NSDYN_MODE_SLIP);
    nsdyn_impact_half half = {.size = sizeof half};
    ck_assert_int_eq(nsdyn_stepper_impact_half(s, NSDYN_IMPACT_EXPANSION, &half), NSDYN_OK);
    if (is_step) { /* halves are those of impacts alone */
      nsdyn_stepper_free(s);
      continue;
    }
    REQUIRE(half.contacts == 1 && half.modes[0] == NSDYN_MODE_SLIP, "case %d", k);
    REQUIRE(fabs(half.directions[0] + speed[0]) <= 1e-6 && fabs(half.directions[1] + speed[1]) <= 1e-6,
            "case %d: (%g, %g) for (%g, %g)", k, half.directions[0], half.directions[1], -speed[0],
            -speed[1]);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Balls that bounce on a floor under Poisson's law come to rest, lose energy all the way, and do not hop. */
START_TEST(balls_that_have_come_to_rest_do_not_hop)
{
  balls b = {.count = 3, .r = 0.1, .mass = 1.0, .share = 0.4};
  nsdyn_contact_law law = in_space(0.4);
  law.eps_n = 0.6;
  law.eps_t = 0.8;
  law.reversal = 0.9;
  nsdyn_stepper *s = stepper_for_balls(&b, &law);
  nsdyn_stepper_options options = stepper_defaults();
  options.impact = NSDYN_IMPACT_POISSON;
  ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
  const double q[18] = {0.0, 0.0, 0.12, 0.0, 0.0, 0.0, 1.0, 0.0, 0.2, 0.0, 0.0, 0.0, 2.0, 0.0, 0.15};
  const double u[18] = {0.3, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0};
  ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
  double before = INFINITY;
  for (int n = 0; n < 6000; n++) {
    ck_assert_msg(nsdyn_stepper_step(s, 1e-3) == NSDYN_OK, "%s", nsdyn_stepper_message(s));
    const double *x = nsdyn_stepper_q(s), *v = nsdyn_stepper_u(s);
    double energy = 0.0;
    for (int i = 0; i < 18; i++) {
      energy += 0.5 * (i % 6 < 3 ? 1.0 : b.share * b.r * b.r) * v[i] * v[i];
      energy += i % 6 == 2 ? GRAVITY * x[i] : 0.0;
    }
    ck_assert_msg(energy <= before + 1e-2, "step %d: %g after %g", n, energy, before);
    before = energy;
    for (int i = 0; n >= 4000 && i < 3; i++) {
      ck_assert_msg(fabs(v[6 * i + 2]) <= 1e-12, "step %d: ball %d hops with %g", n, i, v[6 * i + 2]);
    }
  }
  nsdyn_stepper_free(s);
}
END_TEST

/* Whatever solves the contact problems, a ball slides and rolls the same way; what cannot, says why. */
START_TEST(the_option_chooses_how_contacts_are_solved)
{
  static const int can_cone[] = {1, 1, 0, 0, 1, 1, 1, 1, 1}, can_pyramid[] = {1, 1, 1, 0, 1, 1, 1, 0, 0};
  /* One contact takes one round, with which Newton's methods begin. */
  static const int32_t answered_by[] = {
      NSDYN_CONTACT_DIRECT,     NSDYN_CONTACT_DIRECT, NSDYN_CONTACT_LCP,    -1,
      NSDYN_CONTACT_ROUNDS,     NSDYN_CONTACT_ROUNDS, NSDYN_CONTACT_ROUNDS, NSDYN_CONTACT_TODOROV_RLM,
      NSDYN_CONTACT_TODOROV_PLM};
  for (int method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_TODOROV_PLM; method++) {
    for (int is_pyramid = 0; is_pyramid < 2; is_pyramid++) {
      balls b = {.count = 1, .r = 0.1, .mass = 1.0, .share = 0.4};
      nsdyn_contact_law law = in_space(0.2);
      law.shape = is_pyramid ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
      nsdyn_stepper *s = stepper_for_balls(&b, &law);
      nsdyn_stepper_options options = stepper_defaults();
      options.contact_method = method;
      ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
      const double q[6] = {0.0, 0.0, 0.1}, u[6] = {2.0};
      ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
      if (!(is_pyramid ? can_pyramid : can_cone)[method]) {
        ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_UNSUPPORTED);
        ck_assert_msg(strstr(nsdyn_stepper_message(s), "contact problem of 1 contacts") != NULL, "%s",
                      nsdyn_stepper_message(s));
      } else {
        nsdyn_step_report report = {.size = sizeof report};
        run(s, 1e-3, 1);
        ck_assert_int_eq(nsdyn_stepper_report(s, &report), NSDYN_OK);
        ck_assert_int_eq(report.method, answered_by[method]);
        run(s, 1e-3, 99); /* it slides */
        ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 2.0 - 0.2 * GRAVITY * 0.1, 1e-7);
        run(s, 1e-3, 300);
        ck_assert_double_eq_tol(nsdyn_stepper_u(s)[0], 10.0 / 7.0, 1e-7);
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

SUITE("stepper/scheme/impulses", TEST(newtons_law_may_have_no_solution), TEST(slow_approaches_end),
      TEST(clipped_restitution_counts_approach_only), TEST(tangential_restitution_turns),
      TEST(slots_guide_both_ways), TEST(modes_follow_their_contact),
      TEST(wedged_balls_stop_without_restitution), TEST(a_mass_slides_straight_and_stops),
      TEST(a_ball_slides_and_rolls), TEST(the_static_limit_holds_in_every_direction),
      TEST(found_and_restored_contacts_in_space_go_on), TEST(a_ball_rebounds_with_spin),
      TEST(a_superball_turns_its_slide_and_its_spin_round), TEST(balls_that_have_come_to_rest_do_not_hop),
      TEST(the_option_chooses_how_contacts_are_solved))
