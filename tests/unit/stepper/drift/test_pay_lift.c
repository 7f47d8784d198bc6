/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What NSDYN_PROJECT_AFTER lifts pays for it with its velocity. */
#include "stepper/drift/pay_lift.h"

#include <math.h>
#include <string.h>

#include "stepping.h"

enum { SCHEMES = 6 };

static const double gravity = 9.81;

static nsdyn_stepper_options projected_by(int32_t scheme)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.project = NSDYN_PROJECT_AFTER;
  return options;
}

/* What the balance of a step misses. */
static double unbalanced(const nsdyn_step_energy *e)
{
  return e->after - (e->before + e->force + e->normal + e->tangent + e->constraint + e->inertia);
}

/* A ball that loses nothing, a hundred bounces: it keeps its height, but for what a step's way is worth, by
 * every scheme. (Lifted for nothing, by Euler's rule it came to four times that.) */
START_TEST(bounces_gain_nothing)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 20; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = projected_by(scheme);
      const double height = random_between(&random, 0.5, 1.5), dt = random_between(&random, 2e-3, 1.3e-2);
      model_clear(&m, 1);
      m.f[0] = -gravity;
      model_add_contact(&m, 0.0, 0, -1, 0.0, 1.0);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, &height, (double[]){0.0});
      const double begin = gravity * height, step = gravity * sqrt(2.0 * begin) * dt;
      const int steps = (int)(100.0 / dt);
      for (int k = 0; k < steps; k++) {
        run(s, dt, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0], now = 0.5 * u * u + gravity * q;
        REQUIRE(fabs(now - begin) <= 2.0 * step, "scheme %d, seed %d, step %d: %g of %g", scheme, seed, k,
                now, begin);
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Euler's step of a ball that is g deep after it with −v: it is on the floor then, with the speed that it had
 * there, v² − 2 a d, or at rest. */
START_TEST(a_ball_has_the_speed_that_it_had_on_the_floor)
{
  int rests = 0;
  for (int seed = 0; seed < random_cases(400); seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const nsdyn_stepper_options options = projected_by(NSDYN_SCHEME_EULER);
    const double a = random_scale(&random, 2.0), mass = random_scale(&random, 3.0);
    const double dt = random_scale(&random, 2.0), before = a * dt * random_between(&random, 0.0, 3.0);
    model_clear(&m, 1);
    m.M0[0] = mass;
    m.f[0] = -mass * a;
    model_add_contact(&m, 0.0, 0, -1, 0.0, 0.5);
    m.known = seed % 2;
    m.contact[0].key = 5;
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 4 > 1 ? MODEL_SOLVES : 0, &options);
    const double v = before + a * dt, depth = random_between(&random, 0.01, 0.99) * v * dt;
    set_state(s, (double[]){v * dt - depth}, (double[]){-before});
    run(s, dt, 1);
    const double left = v * v - 2.0 * a * depth, speed = left > 0.0 ? sqrt(left) : 0.0;
    rests += left <= 0.0;
    REQUIRE(fabs(nsdyn_stepper_q(s)[0]) <= 1e-13 * v * dt && fabs(nsdyn_stepper_u(s)[0] + speed) <= 1e-7 * v,
            "seed %d: %g at %g, not %g", seed, nsdyn_stepper_u(s)[0], nsdyn_stepper_q(s)[0], -speed);
    const nsdyn_step_energy e = energy_of(s);
    const double rest = unbalanced(&e);
    REQUIRE(fabs(rest) <= 1e-14 * mass * v * v, "seed %d: the balance misses %g", seed, rest);
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(rests, random_cases(400), 20), "%d at rest", rests);
}
END_TEST

/* Bodies that land at several places at once, M full: T changes by the work of forces on the way back. */
START_TEST(what_lands_at_several_places_gains_nothing)
{
  int pays = 0;
  for (int seed = 0; seed < random_cases(1000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const nsdyn_stepper_options options = projected_by(NSDYN_SCHEME_EULER);
    const int nu = 2 + seed % 4, contacts = 1 + seed % nu;
    double q[MODEL_MOST], u[MODEL_MOST];
    model_random(&m, &random, nu, seed % 2 ? contacts : 0, seed % 2 ? 0 : contacts, 0);
    for (int i = 0; i < nu * nu; i++) {
      m.M1[i] = 0.0; /* constant */
    }
    for (int i = 0; i < contacts; i++) {
      m.contact[i].bend = m.contact[i].rate = 0.0;
      m.contact[i].law.friction = NSDYN_FRICTION_NONE;
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    /* Open now, and most of them below the surface after a step. */
    const double dt = 1e-3;
    for (int i = 0; i < contacts; i++) {
      model_contact *c = &m.contact[i];
      c->g0 += 1e-4 - model_gap(c, nu, 0.0, q);
    }
    nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
    set_state(s, q, u);
    run(s, dt, 1);
    const nsdyn_step_energy e = energy_of(s);
    const double size = fabs(e.before) + fabs(e.after);
    /* Nothing has pressed: what normal impulses did is what was paid, and the projection's work is lost. */
    REQUIRE(e.normal <= 1e-14 * size, "seed %d: %g", seed, e.normal);
    const double gain = e.normal - e.projection;
    const double most = e.projection > 0.0 ? -e.projection : 0.0;
    int rests = 0;
    for (int i = 0; i < contacts; i++) {
      double w[MODEL_MOST], gamma = 0.0;
      model_direction(&m.contact[i], nu, nsdyn_stepper_q(s), w);
      for (int j = 0; j < nu; j++) {
        gamma += w[j] * nsdyn_stepper_u(s)[j];
      }
      rests |= fabs(gamma) <= 1e-12;
    }
    if (!rests) {
      REQUIRE(gain <= most + 1e-13 * size, "seed %d: %g is gained", seed, gain);
      pays += e.normal < 0.0;
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(pays, random_cases(1000), 20), "%d pay", pays);
}
END_TEST

/* Two balls whose M is told as one matrix: what one of them pays for does not move the other, but by what
 * counts as rounding of gaps, a share of the largest coordinate. */
START_TEST(others_do_not_pay)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    double other[2] = {0.0, 0.0};
    for (int lands = 0; lands < 2; lands++) {
      model m;
      const nsdyn_stepper_options options = projected_by(scheme);
      model_clear(&m, 2);
      m.f[0] = m.f[1] = -gravity;
      model_add_contact(&m, 0.0, 0, -1, 0.0, 0.7);
      model_add_contact(&m, 0.0, 1, -1, 0.0, 0.3);
      nsdyn_stepper *s = stepper_of(&m, 0, 0, &options);
      set_state(s, (double[]){lands ? 0.0151 : 1.0, 0.01}, (double[]){-2.0, -1.0});
      run(s, 1e-2, 1);
      other[lands] = nsdyn_stepper_u(s)[1];
      nsdyn_stepper_free(s);
    }
    REQUIRE(fabs(other[0] - other[1]) <= 1e-12, "scheme %d: %g", scheme, other[0] - other[1]);
  }
}
END_TEST

/* ---- random systems ---- */

/* x := M⁻¹ x, by Gauss's method without pivots, which M does not need. */
static void solve_linear(int n, double *M, double *x)
{
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      const double factor = M[i * n + k] / M[k * n + k];
      for (int j = k; j < n; j++) {
        M[i * n + j] -= factor * M[k * n + j];
      }
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) {
      x[i] -= M[i * n + j] * x[j];
    }
    x[i] /= M[i * n + i];
  }
}

/* u without the projection's hand in it: constant forces act alone. */
static void fall(const model *m, const double *u, double dt, double *after)
{
  double M[MODEL_MOST * MODEL_MOST], x[MODEL_MOST];
  const int n = m->nu;
  memcpy(M, m->M0, sizeof M);
  memcpy(x, m->f, sizeof x);
  solve_linear(n, M, x);
  for (int j = 0; j < n; j++) {
    after[j] = u[j] + dt * x[j];
  }
}

/* One contact that has not closed when a step begins, and is `depth` deep when it ends: M full, or cut to
 * blocks; w with zeros, in front and elsewhere; a surface that moves. */
static void random_landing(model *m, random_state *random, int nu, int found, double *u, double dt)
{
  model_random(m, random, nu, !found, found, 0);
  memset(m->M1, 0, sizeof m->M1);
  memset(m->K, 0, sizeof m->K);
  memset(m->D, 0, sizeof m->D);
  if (random_below(random, 3) == 0) {
    model_cut(m, random);
  }
  model_contact *c = &m->contact[0];
  c->bend = 0.0;
  c->law.friction = NSDYN_FRICTION_NONE;
  const int keep = random_below(random, nu);
  for (int j = 0; j < nu; j++) {
    c->n[j] = j == keep || random_below(random, 2) ? random_between(random, 0.5, 1.0) : 0.0;
    m->f[j] = random_between(random, -1.0, 1.0) / dt;
    u[j] = random_between(random, -1.0, 1.0);
  }
}

static double along(const model *m, const double *u)
{
  double gamma = m->contact[0].rate;
  for (int j = 0; j < m->nu; j++) {
    gamma += m->contact[0].n[j] * u[j];
  }
  return gamma;
}

/* The end of a step in which nothing closes. */
static void find_end(model *m, int32_t scheme, const double *q, const double *u, double dt, double *end)
{
  const nsdyn_stepper_options options = projected_by(scheme);
  const double g0 = m->contact[0].g0;
  m->contact[0].g0 += 1e6;
  nsdyn_stepper *s = stepper_of(m, 0, 0, &options);
  set_state(s, q, u);
  run(s, dt, 1);
  memcpy(end, nsdyn_stepper_q(s), (size_t)m->nu * sizeof *end);
  m->contact[0].g0 = g0;
  nsdyn_stepper_free(s);
}

/* A contact that lands, by all schemes and of all kinds of M: γ² grows by 2 (w M⁻¹ h) |g|, or γ is zero then,
 * γ being the velocity beside the surface; u changes along M⁻¹ w by that, and energies balance. */
START_TEST(what_lands_has_the_speed_that_it_had_on_its_surface)
{
  int pays[SCHEMES] = {0}, rests = 0;
  const int cases = random_cases(3000);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const int32_t scheme = seed % SCHEMES;
    const nsdyn_stepper_options options = projected_by(scheme);
    const int nu = 1 + (seed / SCHEMES) % 6;
    const double dt = random_scale(&random, 2.0), zero[MODEL_MOST] = {0.0};
    double u[MODEL_MOST], end[MODEL_MOST], free_u[MODEL_MOST], x[MODEL_MOST], M[MODEL_MOST * MODEL_MOST];
    random_landing(&m, &random, nu, nu > 1 && random_below(&random, 2), u, dt);
    model_contact *c = &m.contact[0];
    c->rate = seed % 5 ? random_between(&random, -20.0, 20.0) : 0.0;
    fall(&m, u, dt, free_u);
    /* It closes late in the step. */
    const double begin = along(&m, u), gamma = along(&m, free_u);
    const int is_euler =
        scheme == NSDYN_SCHEME_EULER; /* closes where the step begins, others before its end */
    const double most = is_euler ? -0.95 * gamma : 0.45 * fmin(-begin, -gamma);
    find_end(&m, scheme, zero, u, dt, end);
    const double depth = random_between(&random, 0.1, 1.0) * most * dt;
    c->g0 = 0.0;
    c->g0 = -depth - model_gap(c, nu, dt, end);
    if (!(most > 0.0)) {
      continue;
    }
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 7 ? 0 : MODEL_SOLVES, &options);
    set_state(s, zero, u);
    run(s, dt, 1);
    memcpy(M, m.M0, sizeof M);
    memcpy(x, c->n, sizeof x);
    solve_linear(nu, M, x); /* M⁻¹ w */
    double G = 0.0, forced = 0.0, size = fabs(gamma) + fabs(c->rate);
    for (int j = 0; j < nu; j++) {
      G += c->n[j] * x[j];
      forced += m.f[j] * x[j];
      size += fabs(free_u[j]) + fabs(u[j]);
    }
    const nsdyn_step_energy e = energy_of(s);
    const double rest = unbalanced(&e);
    const double terms = fabs(e.after) + fabs(e.before) + fabs(e.force) + fabs(e.normal);
    REQUIRE(fabs(rest) <= 1e-13 * terms, "seed %d, scheme %d: the balance misses %g of %g", seed, scheme,
            rest, terms);
    if (nsdyn_stepper_active(s) == 0) {
      const double left = gamma * gamma + 2.0 * fmin(forced, 0.0) * depth;
      const double after = left > 0.0 ? -sqrt(left) : 0.0;
      pays[scheme] += forced < 0.0;
      rests += left <= 0.0;
      for (int j = 0; j < nu; j++) {
        const double expected = free_u[j] + x[j] * (after - gamma) / G;
        REQUIRE(fabs(nsdyn_stepper_u(s)[j] - expected) <= 1e-6 * size,
                "seed %d, scheme %d: u[%d] = %g, not %g (%g without it)", seed, scheme, j,
                nsdyn_stepper_u(s)[j], expected, free_u[j]);
      }
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(pays[NSDYN_SCHEME_EULER], cases / SCHEMES, 10), "%d", pays[NSDYN_SCHEME_EULER]);
  ck_assert_msg(is_common(pays[NSDYN_SCHEME_MOREAU], cases / SCHEMES, 10), "%d", pays[NSDYN_SCHEME_MOREAU]);
  ck_assert_msg(is_common(rests, cases, 500), "%d at rest", rests);
}
END_TEST

/* A surface that curves away from what is lifted: by some schemes the contact ends above it, ½ κ δ², is not
 * closed there, and keeps its speed for the next step, which it collides in. Else forces have no more work to
 * do on the way up than it has paid. */
START_TEST(what_ends_above_its_surface_keeps_its_speed)
{
  int pays[SCHEMES] = {0}, above = 0;
  const int cases = random_cases(1800);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const int32_t scheme = seed % SCHEMES;
    const nsdyn_stepper_options options = projected_by(scheme);
    const int nu = 2 + (seed / SCHEMES) % 4;
    const double dt = 1e-2, zero[MODEL_MOST] = {0.0};
    double u[MODEL_MOST], end[MODEL_MOST], free_u[MODEL_MOST];
    random_landing(&m, &random, nu, random_below(&random, 2), u, dt);
    model_contact *c = &m.contact[0];
    c->rate = 0.0;
    c->bend = random_between(&random, 1.0, 20.0);
    fall(&m, u, dt, free_u);
    const double begin = along(&m, u), gamma = along(&m, free_u);
    if (!(begin < -0.1 && gamma < -0.1)) {
      continue;
    }
    find_end(&m, scheme, zero, u, dt, end);
    c->g0 = 0.0;
    c->g0 = -0.1 * dt * fmin(-begin, -gamma) - model_gap(c, nu, dt, end);
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 7 ? 0 : MODEL_SOLVES, &options);
    set_state(s, zero, u);
    run(s, dt, 1);
    const nsdyn_step_energy e = energy_of(s);
    const double rest = unbalanced(&e);
    const double terms = fabs(e.after) + fabs(e.before) + fabs(e.force) + fabs(e.normal);
    REQUIRE(fabs(rest) <= 1e-13 * terms, "seed %d, scheme %d: the balance misses %g", seed, scheme, rest);
    if (nsdyn_stepper_active(s) == 0) {
      const int is_above = model_gap(c, nu, dt, nsdyn_stepper_q(s)) > 1e-9 * dt;
      const double work = is_above && e.normal == 0.0 ? 0.0 : fmin(e.projection, 0.0);
      REQUIRE(fabs(e.normal - work) <= 1e-12 * terms, "seed %d, scheme %d: %g is paid of %g", seed, scheme,
              e.normal, work);
      pays[scheme] += work < 0.0;
      if (is_above && e.normal == 0.0) { /* the next step has it */
        above++;
        run(s, dt, 1);
        REQUIRE(nsdyn_stepper_active(s) == 1, "seed %d, scheme %d: it falls on", seed, scheme);
      }
    }
    nsdyn_stepper_free(s);
  }
  const int of = cases / SCHEMES;
  ck_assert_msg(is_common(pays[NSDYN_SCHEME_EULER], of, 10), "%d", pays[NSDYN_SCHEME_EULER]);
  ck_assert_msg(is_common(above, cases, 20), "%d end above their surface", above);
}
END_TEST

/* The balance of steps in which several contacts land, on surfaces that bend and move, beside such that press
 * and constraints, by all schemes. */
START_TEST(energies_balance)
{
  int pays = 0, steps = 0;
  const int cases = random_cases(1500);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const int32_t scheme = seed % SCHEMES;
    const nsdyn_stepper_options options = projected_by(scheme);
    const int nu = 3 + seed % 4, contacts = 1 + seed % 3, found = seed % 2;
    const double dt = 1e-3;
    double q[MODEL_MOST], u[MODEL_MOST];
    model_random(&m, &random, nu, found ? 0 : contacts, found ? contacts : 0, seed % 5 == 0);
    if (seed % 4 == 0) {
      model_cut(&m, &random);
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    for (int i = 0; i < contacts; i++) {
      model_contact *c = &m.contact[i];
      c->rate = random_between(&random, -0.3, 0.3);
      c->law.friction = i % 2 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
      c->law.mu = 0.1;
      for (int j = 0; j < nu; j++) { /* one of them stays */
        c->n[j] = j % contacts == i || random_below(&random, 2) ? c->n[j] : 0.0;
      }
      c->g0 += (random_below(&random, 4) ? 1e-4 : 0.0) - model_gap(c, nu, 0.0, q);
    }
    for (int i = 0; i < m.constraints; i++) {
      m.constraint[i].g0 -= model_gap(&m.constraint[i], nu, 0.0, q);
    }
    nsdyn_stepper *s = stepper_of(&m, 0, seed % 7 ? 0 : MODEL_SOLVES, &options);
    set_state(s, q, u);
    /* Surfaces that move as they like may leave no solution: that ends it. */
    for (int k = 0; k < 5 && nsdyn_stepper_step(s, dt) == NSDYN_OK; k++, steps++) {
      const nsdyn_step_energy e = energy_of(s);
      const double rest = unbalanced(&e);
      const double terms = fabs(e.after) + fabs(e.before) + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                           fabs(e.constraint);
      REQUIRE(fabs(rest) <= 1e-12 * terms, "seed %d, scheme %d: the balance misses %g of %g", seed, scheme,
              rest, terms);
      pays += e.projection < 0.0 && e.normal < 0.0;
    }
    nsdyn_stepper_free(s);
  }
  ck_assert_msg(is_common(pays, cases, 10) && steps > 4 * cases, "%d pay, of %d", pays, steps);
}
END_TEST

SUITE("stepper/drift/pay_lift", TEST(bounces_gain_nothing),
      TEST(a_ball_has_the_speed_that_it_had_on_the_floor), TEST(what_lands_at_several_places_gains_nothing),
      TEST(others_do_not_pay), TEST(what_lands_has_the_speed_that_it_had_on_its_surface),
      TEST(what_ends_above_its_surface_keeps_its_speed), TEST(energies_balance))
