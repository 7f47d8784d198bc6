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

/* A surface that curves away from what is lifted, or towards it: the contact ends on it, has paid what forces
 * can do on the way back, or all that it had, and collides in the next step. */
START_TEST(what_lands_lies_on_its_surface_and_has_paid_for_it)
{
  int pays[SCHEMES] = {0}, rests = 0;
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
    c->bend = random_between(&random, 1.0, 20.0) * (random_below(&random, 4) ? 1.0 : -1.0);
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
      double w[MODEL_MOST], speed = 0.0, size = 0.0;
      const double gap = model_gap(c, nu, dt, nsdyn_stepper_q(s)), work = fmin(e.projection, 0.0);
      model_direction(c, nu, nsdyn_stepper_q(s), w);
      for (int j = 0; j < nu; j++) {
        speed += w[j] * nsdyn_stepper_u(s)[j];
        size += fabs(w[j] * nsdyn_stepper_u(s)[j]);
      }
      /* directions of Newton's steps differ from that at the end by ½ κ δ */
      const int is_at_rest = e.normal > work && fabs(speed) <= 1e-2 * size;
      REQUIRE(fabs(gap) <= 1e-12, "seed %d, scheme %d: it lies at %g", seed, scheme, gap);
      REQUIRE(is_at_rest || fabs(e.normal - work) <= 1e-12 * terms, "seed %d, scheme %d: %g is paid of %g",
              seed, scheme, e.normal, work);
      pays[scheme] += work < 0.0;
      rests += is_at_rest;
      run(s, dt, 1);
      REQUIRE(nsdyn_stepper_active(s) == 1 || c->bend < 0.0, "seed %d, scheme %d: it falls on", seed, scheme);
    }
    nsdyn_stepper_free(s);
  }
  const int of = cases / SCHEMES;
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    ck_assert_msg(is_common(pays[scheme], of, 30), "scheme %d: %d pay", scheme, pays[scheme]);
  }
  ck_assert_msg(rests < cases / 4, "%d at rest", rests);
}
END_TEST

/* The balance of steps in which several contacts land, on surfaces that bend and move, beside such that press
 * and constraints, by all schemes, both laws of impacts and both ways of projection. */
START_TEST(energies_balance)
{
  int pays = 0, steps = 0;
  const int cases = random_cases(1500);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    model m;
    const int32_t scheme = seed % SCHEMES;
    nsdyn_stepper_options options = projected_by(scheme);
    options.project = seed / SCHEMES % 2 ? NSDYN_PROJECT_SPLIT : NSDYN_PROJECT_AFTER;
    options.impact = seed / 5 % 3 ? NSDYN_IMPACT_NEWTON : NSDYN_IMPACT_POISSON;
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

/* ---- surfaces of all kinds ---- */

enum { WAVES, BOWL, ROD, DOME, SURFACES };

/* A point (x, y) above waves, inside of a circle or on top of it, whose M may be full; or the two ends of a
 * rod (y, φ) above the floor. All of it may be seen from a frame that moves. */
typedef struct field {
  int surface, contacts;
  double M[4], f[2], size, waves, drift[2];
} field;

static int field_mass(void *user, double t, const double *q, double *M)
{
  const field *p = user;
  (void)t, (void)q;
  memcpy(M, p->M, sizeof p->M);
  return 0;
}

static int field_force(void *user, double t, const double *q, const double *u, double *h)
{
  const field *p = user;
  (void)t, (void)q, (void)u;
  memcpy(h, p->f, sizeof p->f);
  return 0;
}

/* g, and w_N of contact i. */
static double field_row(const field *p, double t, const double *q, int i, double *w)
{
  const double x = q[0] - p->drift[0] * t, y = q[1] - p->drift[1] * t, r = hypot(x, y);
  const double side = p->surface == BOWL ? -1.0 : 1.0, end = i ? 1.0 : -1.0;
  switch (p->surface) {
  case WAVES:
    w[0] = -p->size * p->waves * cos(p->waves * x);
    w[1] = 1.0;
    return y - p->size * sin(p->waves * x);
  case ROD:
    w[0] = 1.0;
    w[1] = end * p->size * cos(y);
    return x + end * p->size * sin(y);
  default:
    w[0] = side * x / r;
    w[1] = side * y / r;
    return side * (r - p->size);
  }
}

static int field_gap(void *user, double t, const double *q, double *g)
{
  const field *p = user;
  double w[2];
  for (int i = 0; i < p->contacts; i++) {
    g[i] = field_row(p, t, q, i, w);
  }
  return 0;
}

/* w_T at right angles to w_N; the rod's has no friction. */
static int field_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const field *p = user;
  (void)field_row(p, t, q, i, W);
  const double length = hypot(W[0], W[1]);
  w_hat[0] = -(W[0] * p->drift[0] + W[1] * p->drift[1]);
  if (p->surface == DOME) {
    W[2] = W[1] / length;
    W[3] = -W[0] / length;
    w_hat[1] = 0.0;
  }
  return 0;
}

static int field_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const field *p = user;
  (void)u;
  for (int32_t i = 0; i < p->contacts; i++) {
    double W[4], w_hat[2];
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    (void)field_direction(user, t, q, i, W, w_hat);
    const nsdyn_contact_block block = {0, 2, W};
    found.key = 3 + i;
    found.gap = field_row(p, t, q, i, (double[2]){0.0});
    found.w_hat[0] = w_hat[0];
    found.blocks = 1;
    found.block = &block;
    if (!(found.gap > margin) && nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

/* Kinetic and potential energy in the frame of the surface. */
static double field_energy(const field *p, const nsdyn_stepper *s)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s), t = nsdyn_stepper_time(s);
  const double v[2] = {u[0] - p->drift[0], u[1] - p->drift[1]};
  const double kinetic = 0.5 * (p->M[0] * v[0] * v[0] + 2.0 * p->M[1] * v[0] * v[1] + p->M[3] * v[1] * v[1]);
  return kinetic - p->f[0] * (q[0] - p->drift[0] * t) - p->f[1] * (q[1] - p->drift[1] * t);
}

static void random_field(field *p, random_state *random, int surface, double *q, double *u)
{
  const double a = random_between(random, 0.5, 2.0), b = random_between(random, 0.5, 2.0);
  const double couples = random_below(random, 3) ? random_between(random, -0.6, 0.6) * sqrt(a * b) : 0.0;
  *p = (field){.surface = surface, .contacts = surface == ROD ? 2 : 1};
  p->M[0] = a;
  p->M[1] = p->M[2] = surface == ROD ? 0.0 : couples;
  p->M[3] = surface == ROD ? a * random_between(random, 0.05, 0.3) : b;
  p->f[surface == ROD ? 0 : 1] = -gravity * (surface == ROD ? a : b);
  p->size = surface == WAVES ? random_between(random, 0.02, 0.15) : random_between(random, 0.6, 1.2);
  p->waves = random_between(random, 1.0, 4.0);
  q[0] = surface == ROD ? random_between(random, 1.2, 1.6) : random_between(random, -0.3, 0.3);
  q[1] = surface == ROD ? random_between(random, -3.0, 3.0) : random_between(random, -0.3, 0.3);
  q[1] += surface == WAVES ? 0.6 : 0.0;
  u[0] = random_between(random, -1.5, 1.5);
  u[1] = surface == ROD ? random_between(random, -3.0, 3.0) : random_between(random, -1.0, 1.0);
  for (int j = 0; j < 2 && surface != ROD && random_below(random, 3) == 0; j++) {
    p->drift[j] = random_between(random, -1.0, 1.0);
    u[j] += p->drift[j];
  }
}

static nsdyn_stepper *field_stepper(field *p, int is_found, const nsdyn_contact_law *law, int32_t scheme,
                                    int32_t project)
{
  nsdyn_system_def def;
  nsdyn_stepper_options options = projected_by(scheme);
  options.project = project;
  options.spectral_radius = 1.0;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.user = p;
  def.mass = field_mass;
  def.force = field_force;
  if (is_found) {
    def.find = field_find;
  } else {
    def.ncontacts = p->contacts;
    def.gap = field_gap;
    def.direction = field_direction;
  }
  return stepper_for(&def, law, &options);
}

/* The most that energy rises above what it has been, and how far from its beginning it ends. */
static double most_gained(field *p, nsdyn_stepper *s, double dt, int steps, double *change)
{
  const double begin = field_energy(p, s);
  double least = begin, gained = 0.0;
  for (int k = 0; k < steps; k++) {
    run(s, dt, 1);
    const double now = field_energy(p, s);
    least = fmin(now, least);
    gained = fmax(now - least, gained);
  }
  *change = field_energy(p, s) - begin;
  nsdyn_stepper_free(s);
  return gained;
}

/* What bounces on surfaces of all kinds, at rest or in motion, gains nothing by projection, of either way and
 * by any scheme: where the scheme itself keeps energy, to rounding; else no more than it gains without. A
 * point that loses nothing in impacts loses nothing in split steps either. (Lifted after an impact for
 * nothing, and given its velocity from there once more, a point in a bowl gained with each bounce, and split
 * steps took a third of a rod's energy.) */
START_TEST(projection_adds_no_energy)
{
  const int cases = random_cases(24);
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    field p;
    double q[2], u[2], change;
    const int surface = seed % DOME; /* nothing stays on a dome */
    random_field(&p, &random, surface, q, u);
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.friction = NSDYN_FRICTION_NONE;
    law.eps_n = random_below(&random, 3) ? 1.0 : random_between(&random, 0.0, 0.95);
    const double dt = random_between(&random, 1e-3, 4e-3), fall = gravity * dt;
    const double heaviest = fmax(p.M[0], p.M[3]), size = heaviest * gravity;
    const int steps = (int)(5.0 / dt), is_found = seed % 2;
    for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
      const int keeps = scheme == NSDYN_SCHEME_MOREAU || scheme == NSDYN_SCHEME_MOREAU_JEAN ||
                        scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
      nsdyn_stepper *s =
          field_stepper(&p, is_found, &law, keeps ? NSDYN_SCHEME_MOREAU : scheme, NSDYN_PROJECT_NONE);
      set_state(s, q, u);
      const double without = most_gained(&p, s, dt, steps, &change);
      for (int32_t project = NSDYN_PROJECT_AFTER; project <= NSDYN_PROJECT_SPLIT; project++) {
        s = field_stepper(&p, is_found, &law, scheme, project);
        set_state(s, q, u);
        const double gained = most_gained(&p, s, dt, steps, &change);
        /* what slides keeps its energy up to the square of what it falls by in a step */
        const double most = law.eps_n == 1.0 ? (keeps ? 1e-11 * size : 1.5 * without + 2.0 * size * dt)
                                             : 1.5 * without + 8.0 * heaviest * fall * fall;
        REQUIRE(gained <= most, "seed %d, scheme %d, way %d: %g is gained, %g without", seed, scheme, project,
                gained, without);
        REQUIRE(law.eps_n < 1.0 || !keeps || surface == ROD || project == NSDYN_PROJECT_AFTER ||
                    change >= -1e-11 * size,
                "seed %d, scheme %d: %g is lost", seed, scheme, -change);
      }
    }
  }
}
END_TEST

/* A point is let go along a dome, a little above it, or comes down so slowly that it has left the surface
 * again in the middle of its step: friction brings it to rest as it does without projection. (Lifted in each
 * step, and having paid all its speed, it would slide on without friction.) */
START_TEST(what_lands_slowly_is_held_by_friction)
{
  const int cases = random_cases(60);
  int stops = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    field p;
    double q[2], u[2], end[NSDYN_PROJECT_SPLIT + 1][2], v[NSDYN_PROJECT_SPLIT + 1];
    random_field(&p, &random, DOME, q, u);
    p.M[1] = p.M[2] = p.drift[0] = p.drift[1] = 0.0;
    p.M[0] = p.M[3];
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = random_between(&random, 0.3, 0.8);
    const double dt = random_between(&random, 1e-3, 4e-3), away = p.size + random_scale(&random, 3.0) * 1e-7;
    const double turn = random_between(&random, -0.1, 0.1);
    const double speed = random_between(&random, -0.5, 0.5) * sqrt(p.size);
    const int32_t scheme = seed % SCHEMES;
    for (int32_t project = NSDYN_PROJECT_NONE; project <= NSDYN_PROJECT_SPLIT; project++) {
      nsdyn_stepper *s = field_stepper(&p, 0, &law, scheme, project);
      set_state(s, (double[]){away * sin(turn), away * cos(turn)},
                (double[]){speed * cos(turn), -speed * sin(turn)});
      run(s, dt, (int)(0.4 / dt));
      memcpy(end[project], nsdyn_stepper_q(s), sizeof end[project]);
      v[project] = hypot(nsdyn_stepper_u(s)[0], nsdyn_stepper_u(s)[1]);
      nsdyn_stepper_free(s);
    }
    stops += v[0] < 1e-9;
    for (int32_t project = NSDYN_PROJECT_AFTER; project <= NSDYN_PROJECT_SPLIT; project++) {
      const double off = hypot(end[project][0] - end[0][0], end[project][1] - end[0][1]);
      REQUIRE(off <= 10.0 * dt && fabs(v[project] - v[0]) <= 30.0 * dt,
              "seed %d, scheme %d, way %d: %g away, at %g and not %g", seed, scheme, project, off, v[project],
              v[0]);
    }
  }
  ck_assert_msg(is_common(stops, cases, 4), "%d come to rest", stops);
}
END_TEST

SUITE("stepper/drift/pay_lift", TEST(bounces_gain_nothing),
      TEST(a_ball_has_the_speed_that_it_had_on_the_floor), TEST(what_lands_at_several_places_gains_nothing),
      TEST(others_do_not_pay), TEST(what_lands_has_the_speed_that_it_had_on_its_surface),
      TEST(what_lands_lies_on_its_surface_and_has_paid_for_it), TEST(energies_balance),
      TEST(projection_adds_no_energy), TEST(what_lands_slowly_is_held_by_friction))
