/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The option `project` as NSDYN_PROJECT_SPLIT: what holds at the end of each step, of positions and of
 * velocities, by every scheme. */
#include "stepper/drift/split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "slider.h"
#include "stepper/scheme/scheme.h"
#include "stepping.h"

enum { SCHEMES = 6 };

static const double gravity = 9.81;

static nsdyn_stepper_options split_by(int32_t scheme)
{
  nsdyn_stepper_options options = stepper_unchecked();
  options.scheme = scheme;
  options.project = NSDYN_PROJECT_SPLIT;
  return options;
}

static int is_second_order(int32_t scheme)
{
  return scheme == NSDYN_SCHEME_MOREAU || scheme == NSDYN_SCHEME_MOREAU_JEAN ||
         scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
}

/* ---- a pendulum, q = (x, y), on a rod of length 1 ---- */

typedef struct pendulum {
  int rods; /* that all say the same */
} pendulum;

static int pendulum_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

static int pendulum_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -2.0 * gravity;
  return 0;
}

static int pendulum_rod(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const pendulum *p = user;
  (void)t;
  for (int i = 0; i < p->rods; i++) {
    const double unit = i + 1; /* the same in other units */
    g_b[i] = 0.5 * unit * (q[0] * q[0] + q[1] * q[1] - 1.0);
    W_b[2 * i] = unit * q[0];
    W_b[2 * i + 1] = unit * q[1];
    w_hat_b[i] = 0.0;
  }
  return 0;
}

/* From the horizontal, at rest: energy 0. */
static nsdyn_stepper *pendulum_of(pendulum *p, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 2;
  def.nconstraints = p->rods;
  def.user = p;
  def.mass = pendulum_mass;
  def.force = pendulum_force;
  def.constraint = pendulum_rod;
  nsdyn_stepper *s = stepper_for(&def, &law, options);
  set_state(s, (double[]){1.0, 0.0}, (double[]){0.0, 0.0});
  return s;
}

/* Energy by mass, after what holds of both levels was asked. */
static double pendulum_energy(const nsdyn_stepper *s)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
  REQUIRE(fabs(hypot(q[0], q[1]) - 1.0) <= 1e-13, "t %g: the rod is off by %g", nsdyn_stepper_time(s),
          hypot(q[0], q[1]) - 1.0);
  REQUIRE(fabs(q[0] * u[0] + q[1] * u[1]) <= 1e-13, "t %g: it grows by %g", nsdyn_stepper_time(s),
          q[0] * u[0] + q[1] * u[1]);
  return 0.5 * (u[0] * u[0] + u[1] * u[1]) + gravity * q[1];
}

/* Over a hundred swings the energy comes back to what it was: it neither grows nor goes. */
START_TEST(a_pendulum_keeps_its_length_and_its_energy)
{
  const double dt = 1e-2;
  const int steps = is_brief() ? 2000 : 10000;
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum p = {.rods = 1};
    nsdyn_stepper_options options = split_by(scheme);
    options.spectral_radius = 1.0;
    nsdyn_stepper *s = pendulum_of(&p, &options);
    const double most = is_second_order(scheme) ? gravity * gravity * dt * dt : 3.0 * gravity * dt;
    for (int k = 0; k < steps; k++) {
      run(s, dt, 1);
      const double energy = pendulum_energy(s);
      REQUIRE(fabs(energy) <= most, "scheme %d, step %d: the energy is %g", scheme, k, energy);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Of the angle from the horizontal, φ̈ = g cos φ, at that time, by the rule of Runge and Kutta. */
static double exact_angle(double t)
{
  const int steps = 20000;
  const double h = t / steps;
  double phi = 0.0, omega = 0.0;
  for (int k = 0; k < steps; k++) {
    const double a1 = gravity * cos(phi), p2 = phi + 0.5 * h * omega, o2 = omega + 0.5 * h * a1;
    const double a2 = gravity * cos(p2), p3 = phi + 0.5 * h * o2, o3 = omega + 0.5 * h * a2;
    const double a3 = gravity * cos(p3), p4 = phi + h * o3, o4 = omega + h * a3, a4 = gravity * cos(p4);
    phi += h / 6.0 * (omega + 2.0 * o2 + 2.0 * o3 + o4);
    omega += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
  }
  return phi;
}

static double angle_error(int32_t scheme, double t, int steps)
{
  pendulum p = {.rods = 1};
  const nsdyn_stepper_options options = split_by(scheme);
  nsdyn_stepper *s = pendulum_of(&p, &options);
  run(s, t / steps, steps);
  const double phi = atan2(-nsdyn_stepper_q(s)[1], nsdyn_stepper_q(s)[0]);
  nsdyn_stepper_free(s);
  return fabs(phi - exact_angle(t));
}

START_TEST(every_scheme_keeps_its_order)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    const double coarse = angle_error(scheme, 0.7, 140), fine = angle_error(scheme, 0.7, 560);
    const double order = 0.5 * log2(coarse / fine), least = is_second_order(scheme) ? 1.9 : 0.9;
    REQUIRE(order >= least, "scheme %d: %g, then %g: order %g", scheme, coarse, fine, order);
  }
}
END_TEST

static double impulse_of(const nsdyn_stepper *s)
{
  nsdyn_constraint_state state;
  nsdyn_constraint_state_init(&state, sizeof state);
  ck_assert_int_eq(nsdyn_stepper_constraint(s, 0, &state), NSDYN_OK);
  return state.impulse;
}

/* The impulse is all of the rod's force: m (g sin φ + ω²), 3 m g at the bottom. */
START_TEST(impulses_are_all_of_the_force)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum p = {.rods = 1};
    const nsdyn_stepper_options options = split_by(scheme);
    nsdyn_stepper *s = pendulum_of(&p, &options);
    const double dt = 1e-3;
    for (int k = 0; k < 700; k++) {
      run(s, dt, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
      const double force = 2.0 * (-gravity * q[1] + u[0] * u[0] + u[1] * u[1]);
      const double impulse = -impulse_of(s);
      REQUIRE(fabs(impulse - force * dt) <= 100.0 * dt * dt, "scheme %d, step %d: %g is not %g", scheme, k,
              impulse / dt, force);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* Three rods that say the same, in three units, move it as one does. */
START_TEST(redundant_rods_are_one)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum one = {.rods = 1}, three = {.rods = 3};
    const nsdyn_stepper_options options = split_by(scheme);
    nsdyn_stepper *s = pendulum_of(&one, &options), *r = pendulum_of(&three, &options);
    for (int k = 0; k < 500; k++) {
      run(s, 5e-3, 1);
      run(r, 5e-3, 1);
      (void)pendulum_energy(r);
      for (int j = 0; j < 2; j++) {
        REQUIRE(fabs(nsdyn_stepper_q(s)[j] - nsdyn_stepper_q(r)[j]) <= 1e-9,
                "scheme %d, step %d: %g is not %g", scheme, k, nsdyn_stepper_q(r)[j], nsdyn_stepper_q(s)[j]);
      }
    }
    nsdyn_stepper_free(s);
    nsdyn_stepper_free(r);
  }
}
END_TEST

/* ---- contacts that close ---- */

static nsdyn_stepper *ball(model *m, double eps, const nsdyn_stepper_options *options)
{
  model_clear(m, 1);
  m->f[0] = -gravity;
  model_add_contact(m, 0.0, 0, -1, 0.0, eps);
  return stepper_of(m, 0, 0, options);
}

/* A ball that loses nothing: after a hundred bounces as high as before the first, wherever in a step they
 * are. (What a projection lifts that goes on falling has gained that.) */
START_TEST(bounces_keep_the_energy)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 20; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = split_by(scheme);
      nsdyn_stepper *s = ball(&m, 1.0, &options);
      const double height = random_between(&random, 0.5, 1.5), dt = random_between(&random, 2e-3, 1e-2);
      set_state(s, &height, (double[]){0.0});
      for (int k = 0; k < 10000; k++) {
        run(s, dt, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
        REQUIRE(q >= -1e-14, "scheme %d, seed %d, step %d: %g deep", scheme, seed, k, -q);
        /* Midpoints keep ½ u² + g q; where contacts are taken at the beginning it is ½ u² + g q − ½ g u Δt.
         */
        const double kept =
            0.5 * u * u + gravity * q - (is_second_order(scheme) ? 0.0 : 0.5 * gravity * u * dt);
        REQUIRE(fabs(kept - gravity * height) <= 1e-10 * gravity * height,
                "scheme %d, seed %d, step %d: %g of %g", scheme, seed, k, kept, gravity * height);
      }
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* Where nothing is given back the ball ends the step in which it lands on the floor, at rest, and stays. */
START_TEST(what_lands_lies_on_the_floor)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 50; seed++) {
      random_state random = random_seed((uint64_t)seed);
      model m;
      const nsdyn_stepper_options options = split_by(scheme);
      nsdyn_stepper *s = ball(&m, 0.0, &options);
      const double height = random_between(&random, 0.5, 1.5);
      int landed = 0;
      set_state(s, &height, (double[]){0.0});
      for (int k = 0; k < 100; k++) {
        run(s, 1e-2, 1);
        const double q = nsdyn_stepper_q(s)[0], u = nsdyn_stepper_u(s)[0];
        REQUIRE(q >= -1e-14, "scheme %d, seed %d, step %d: %g deep", scheme, seed, k, -q);
        landed |= q <= 1e-12;
        REQUIRE(!landed || (q <= 1e-12 && fabs(u) <= 1e-12), "scheme %d, seed %d, step %d: at %g with %g",
                scheme, seed, k, q, u);
      }
      ck_assert(landed);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* ---- contacts that are found, or said in the wrong way ---- */

/* A ball over a floor that is told `floors` times, known in advance or found. */
typedef struct drop {
  int floors;
  double w; /* said of its direction; right is 1 */
  double tangent, mu;
  double margin; /* the most that it was looked for */
} drop;

static int drop_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int drop_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = -gravity;
  return 0;
}

static int drop_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  for (int i = 0; i < ((const drop *)user)->floors; i++) {
    g[i] = q[0];
  }
  return 0;
}

static int drop_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const drop *d = user;
  (void)t, (void)q, (void)i;
  W[0] = d->w;
  w_hat[0] = 0.0;
  if (d->mu > 0.0) {
    W[1] = d->tangent;
    w_hat[1] = 0.0;
  }
  return 0;
}

static int drop_find(void *user, double t, const double *q, const double *u, double margin,
                     nsdyn_contact_sink *sink)
{
  drop *d = user;
  const nsdyn_contact_block block = {0, 1, &d->w};
  nsdyn_found_contact found;
  (void)t, (void)u;
  d->margin = fmax(d->margin, margin);
  nsdyn_found_contact_init(&found, sizeof found);
  found.gap = q[0];
  found.blocks = 1;
  found.block = &block;
  int code = 0;
  for (int i = 0; i < d->floors && q[0] <= margin && !code; i++) {
    found.key = 100 + i;
    code = nsdyn_contact_sink_add(sink, &found);
  }
  return code;
}

static nsdyn_stepper *drop_from(double height, drop *d, int is_found, double eps,
                                const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = d->mu > 0.0 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.mu = d->mu;
  law.eps_n = eps;
  def.nq = def.nu = 1;
  def.user = d;
  def.mass = drop_mass;
  def.force = drop_force;
  if (is_found) {
    def.find = drop_find;
  } else {
    def.ncontacts = d->floors;
    def.gap = drop_gap;
    def.direction = drop_direction;
  }
  nsdyn_stepper *s = stepper_for(&def, &law, options);
  set_state(s, &height, (double[]){0.0});
  return s;
}

/* A floor that is found moves the ball as one that is known in advance does. */
START_TEST(what_is_found_lands_as_what_is_known)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int seed = 0; seed < 20; seed++) {
      random_state random = random_seed((uint64_t)seed);
      drop d = {.floors = 1 + seed / 2 % 2, .w = 1.0};
      const double eps = seed % 2 ? random_between(&random, 0.3, 1.0) : 0.0;
      const double height = random_between(&random, 0.2, 0.5);
      const nsdyn_stepper_options options = split_by(scheme);
      nsdyn_stepper *known = drop_from(height, &d, 0, eps, &options);
      nsdyn_stepper *found = drop_from(height, &d, 1, eps, &options);
      for (int k = 0; k < 200; k++) {
        run(known, 7e-3, 1);
        run(found, 7e-3, 1);
        const double q = nsdyn_stepper_q(known)[0], is = nsdyn_stepper_q(found)[0];
        REQUIRE(is >= -1e-14, "scheme %d, seed %d, step %d: %g deep", scheme, seed, k, -is);
        REQUIRE(fabs(is - q) <= 1e-12, "scheme %d, seed %d, step %d: %g is not %g", scheme, seed, k, is, q);
        REQUIRE(fabs(nsdyn_stepper_u(found)[0] - nsdyn_stepper_u(known)[0]) <= 1e-12,
                "scheme %d, seed %d, step %d: another velocity", scheme, seed, k);
      }
      nsdyn_stepper_free(known);
      nsdyn_stepper_free(found);
    }
  }
}
END_TEST

/* A ball bounces for a minute: contacts are looked for no farther than a few steps' way, at the end as at the
 * beginning. (By both ways of `project` it was the way of all the time.) */
START_TEST(no_farther_than_steps_go)
{
  const double height = 0.8, dt = 1e-2, way = dt * sqrt(2.0 * gravity * height);
  for (int n = 0; n < 2 * SCHEMES; n++) {
    drop d = {.floors = 1, .w = 1.0};
    nsdyn_stepper_options options = split_by(n / 2);
    options.project = n % 2 ? NSDYN_PROJECT_SPLIT : NSDYN_PROJECT_AFTER;
    nsdyn_stepper *s = drop_from(height, &d, 1, 1.0, &options);
    run(s, dt, is_brief() ? 1000 : 6000);
    REQUIRE(d.margin > 0.0 && d.margin <= 16.0 * way, "scheme %d, %d: looked for within %g, a step goes %g",
            n / 2, n % 2, d.margin, way);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A contact that closes within the step, and whose tangent moves as its normal does: its impulses are a
 * continuum from then on. */
START_TEST(solutions_are_those_of_the_last_round)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    drop d = {.floors = 1, .w = 1.0, .tangent = 0.5, .mu = 0.3};
    nsdyn_stepper_options options = split_by(scheme);
    options.count = 1;
    nsdyn_stepper *s = drop_from(0.3, &d, 0, 0.0, &options);
    int lies = 0;
    for (int k = 0; k < 40 && !lies; k++) {
      run(s, 7e-3, 1);
      lies = nsdyn_stepper_u(s)[0] > -1e-9;
      REQUIRE(report_of(s).solutions == (lies ? -1 : 1), "scheme %d, step %d: %d", scheme, k,
              (int)report_of(s).solutions);
    }
    ck_assert(lies);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A direction that does not fit its gap is refused in the step in which the contact closes first. */
START_TEST(wrong_directions_are_refused_as_they_close)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    drop d = {.floors = 1, .w = 2.0};
    nsdyn_stepper_options options = split_by(scheme);
    nsdyn_stepper *s = drop_from(0.3, &d, 0, 1.0, &options);
    nsdyn_status status = NSDYN_OK;
    for (int k = 0; k < 60 && !status; k++) {
      status = nsdyn_stepper_step(s, 7e-3);
      REQUIRE(nsdyn_stepper_u(s)[0] < 0.0, "scheme %d, step %d: it is thrown up", scheme, k);
    }
    REQUIRE(status == NSDYN_ERR_INCONSISTENT, "scheme %d: %d", scheme, status);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- other ways in the midst of a run ---- */

/* A pendulum's run whose projection changes every now and then: with both levels, both hold from the step on
 * that has them, and none of the changes brings energy. */
START_TEST(the_way_may_change_in_a_run)
{
  static const int32_t ways[] = {NSDYN_PROJECT_NONE, NSDYN_PROJECT_SPLIT, NSDYN_PROJECT_AFTER,
                                 NSDYN_PROJECT_SPLIT};
  const double dt = 5e-3;
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    pendulum p = {.rods = 1};
    nsdyn_stepper_options options = split_by(scheme);
    options.spectral_radius = 1.0;
    options.project = NSDYN_PROJECT_NONE;
    nsdyn_stepper *s = pendulum_of(&p, &options);
    for (int k = 0; k < 800; k++) {
      if (k % 20 == 0) {
        options.project = ways[k / 20 % 4];
        ck_assert_int_eq(nsdyn_stepper_set_options(s, &options), NSDYN_OK);
      }
      run(s, dt, 1);
      const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
      const double energy = options.project == NSDYN_PROJECT_SPLIT
                                ? pendulum_energy(s)
                                : 0.5 * (u[0] * u[0] + u[1] * u[1]) + gravity * q[1];
      REQUIRE(fabs(energy) <= 12.0 * gravity * dt, "scheme %d, step %d: the energy is %g", scheme, k, energy);
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* ---- a crowd: what is lifted closes others ---- */

/* q₀ + Σ qᵢ >= 0 by contact 1, qᵢ <= b by contacts 10 + i, i = 1 … people, all of them found. */
typedef struct crowd {
  nsdyn_stepper *s;
  int people;
  double b;
  int named; /* contacts that came, as rounds were told */
} crowd;

enum { MOST_PEOPLE = 200 };

static int crowd_mass(void *user, double t, const double *q, double *M)
{
  const int nu = ((const crowd *)user)->people + 1;
  (void)t, (void)q;
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j < nu; j++) {
      M[i * nu + j] = i == j ? 1.0 : 0.5 / (nu + abs(i - j));
    }
  }
  return 0;
}

static int crowd_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  crowd *c = user;
  double w[MOST_PEOPLE + 1], sum = 0.0;
  nsdyn_contact_block block = {0, c->people + 1, w};
  nsdyn_found_contact found;
  const nsd_who *coming = NULL;
  double reach;
  (void)t, (void)u;
  const int count = c->s ? nsd_split_coming(c->s, &coming, &reach) : 0;
  for (int k = 0; k < count; k++) {
    c->named++;
    REQUIRE(coming[k].index == -1 &&
                (coming[k].key == 1 || (coming[k].key > 10 && coming[k].key <= 10 + c->people)),
            "what comes is contact %d, %lld", (int)coming[k].index, (long long)coming[k].key);
  }
  nsdyn_found_contact_init(&found, sizeof found);
  found.blocks = 1;
  found.block = &block;
  for (int i = 0; i <= c->people; i++) {
    sum += q[i];
    w[i] = 1.0;
  }
  found.key = 1;
  found.gap = sum;
  int code = sum <= margin ? nsdyn_contact_sink_add(sink, &found) : 0;
  block.count = 1;
  w[0] = -1.0;
  for (int i = 1; i <= c->people && !code; i++) {
    block.offset = i;
    found.key = 10 + i;
    found.gap = c->b - q[i];
    code = found.gap <= margin ? nsdyn_contact_sink_add(sink, &found) : 0;
  }
  return code;
}

static nsdyn_stepper *crowd_by(crowd *c, int32_t scheme, nsdyn_context *ctx)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system *sys = NULL;
  int32_t number;
  double q[MOST_PEOPLE + 1] = {0.008}, u[MOST_PEOPLE + 1] = {-1.0};
  const nsdyn_stepper_options options = split_by(scheme);
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = 0.0;
  def.nq = def.nu = c->people + 1;
  def.user = c;
  def.mass = crowd_mass;
  def.find = crowd_find;
  ck_assert_int_eq(nsdyn_system_new(ctx, &def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
  ck_assert_int_eq(nsdyn_stepper_new(ctx, sys, &options, &c->s, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  set_state(c->s, q, u);
  return c->s;
}

static void crowd_holds(const crowd *c, const nsdyn_stepper *s, int32_t scheme)
{
  const double *q = nsdyn_stepper_q(s);
  double sum = 0.0;
  for (int i = 0; i <= c->people; i++) {
    sum += q[i];
    REQUIRE(i == 0 || c->b - q[i] >= -1e-13, "scheme %d: %d is %g deep", scheme, i, q[i] - c->b);
  }
  REQUIRE(sum >= -1e-13, "scheme %d: %g deep", scheme, -sum);
}

/* What is lifted closes more contacts than there was room for: what came before them is not forgotten. */
START_TEST(what_comes_is_kept_while_more_closes)
{
  for (int32_t scheme = 0; scheme < SCHEMES; scheme++) {
    for (int people = 5; people <= 45; people += 10) {
      crowd c = {.people = people, .b = 1e-6};
      nsdyn_stepper *s = crowd_by(&c, scheme, NULL);
      run(s, 0.01, 1);
      crowd_holds(&c, s, scheme);
      ck_assert(c.named > 0);
      nsdyn_stepper_free(s);
    }
  }
}
END_TEST

/* ---- a cancel ---- */

typedef struct caller {
  int calls, stop_at;
} caller;

static int ask_caller(void *user, const char *activity, double done)
{
  caller *c = user;
  (void)activity, (void)done;
  return c->calls++ == c->stop_at;
}

/* A cancel is never taken for the lack of a solution: whichever question says stop, the step has not been, or
 * is the whole one, where only a certificate was left. */
START_TEST(a_cancel_goes_out_at_once)
{
  caller host = {.stop_at = -1};
  nsdyn_context_def table;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&table, sizeof table);
  table.user = &host;
  table.progress = ask_caller;
  ck_assert_int_eq(nsdyn_context_new(&table, &ctx, NULL), NSDYN_OK);
  crowd c = {.people = 200, .b = 1e-6};
  const size_t nu = (size_t)c.people + 1;
  double whole[MOST_PEOPLE + 1];
  nsdyn_stepper *s = crowd_by(&c, NSDYN_SCHEME_MOREAU, ctx);
  run(s, 0.01, 1);
  memcpy(whole, nsdyn_stepper_q(s), nu * sizeof *whole);
  nsdyn_stepper_free(s);
  const int calls = host.calls;
  int cancelled = 0;
  for (int k = 0; k < calls; k++) {
    host = (caller){.stop_at = k};
    s = crowd_by(&c, NSDYN_SCHEME_MOREAU, ctx);
    const nsdyn_status status = nsdyn_stepper_step(s, 0.01);
    REQUIRE(status == NSDYN_OK || status == NSDYN_CANCELLED, "call %d of %d: %d", k, calls, status);
    REQUIRE(status == NSDYN_OK ? memcmp(whole, nsdyn_stepper_q(s), nu * sizeof *whole) == 0
                               : nsdyn_stepper_q(s)[0] == 0.008 && nsdyn_stepper_time(s) == 0.0,
            "call %d of %d: another step", k, calls);
    REQUIRE(status == NSDYN_OK || host.calls == k + 1, "call %d of %d: it goes on", k, calls);
    cancelled += status == NSDYN_CANCELLED;
    nsdyn_stepper_free(s);
  }
  ck_assert_int_gt(cancelled, 0);
  nsdyn_context_free(ctx);
}
END_TEST

/* ---- random systems ---- */

static double speed_of(const model_contact *c, int nu, const double *q, const double *u)
{
  double w[MODEL_MOST], gamma = c->rate;
  model_direction(c, nu, q, w);
  for (int j = 0; j < nu; j++) {
    gamma += w[j] * u[j];
  }
  return gamma;
}

static void both_levels_hold(const model *m, const nsdyn_stepper *s, int seed, int k, int *touching)
{
  const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s), t = nsdyn_stepper_time(s);
  for (int i = 0; i < m->contacts; i++) {
    const double gap = model_gap(&m->contact[i], m->nu, t, q), gamma = speed_of(&m->contact[i], m->nu, q, u);
    REQUIRE(gap >= -1e-12, "seed %d: step %d leaves a gap of %g", seed, k, gap);
    if (gap <= 1e-12) {
      ++*touching;
      REQUIRE(gamma >= -1e-9, "seed %d: step %d leaves contact %d on the surface with %g", seed, k, i, gamma);
    }
  }
  for (int i = 0; i < m->constraints; i++) {
    const double gap = model_gap(&m->constraint[i], m->nu, t, q);
    const double gamma = speed_of(&m->constraint[i], m->nu, q, u);
    REQUIRE(fabs(gap) <= 1e-12, "seed %d: step %d leaves a constraint at %g", seed, k, gap);
    REQUIRE(fabs(gamma) <= 1e-9, "seed %d: step %d leaves it at %g", seed, k, gamma);
  }
}

static void balance_closes(nsdyn_stepper *s, int seed, int k)
{
  const nsdyn_step_energy e = energy_of(s);
  const double sum = e.force + e.normal + e.tangent + e.constraint + e.inertia;
  const double scale = e.after + e.before + fabs(e.force) + fabs(e.normal) + fabs(e.tangent) +
                       fabs(e.constraint) + fabs(e.inertia);
  REQUIRE(fabs(e.after - e.before - sum) <= 1e-11 * scale, "seed %d: step %d: %g is not %g", seed, k,
          e.after - e.before, sum);
}

START_TEST(random_systems_hold_both_levels)
{
  const int cases = random_cases(1000);
  int touching = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 3 + random_below(&random, 5), constraints = random_below(&random, 2);
    nsdyn_stepper_options options = split_by(seed % SCHEMES);
    options.clip = 1; /* Newton's law pulls back what leaves, else */
    model m;
    nsdyn_stepper *s = random_stepper(&m, &random, nu, random_below(&random, 2), random_below(&random, 2),
                                      constraints, &options);
    for (int k = 0; k < 10; k++) {
      run(s, 1e-2, 1);
      if (k > 0) { /* the first begins far inside of what it must not */
        both_levels_hold(&m, s, seed, k, &touching);
      }
      balance_closes(s, seed, k);
    }
    nsdyn_stepper_free(s);
  }
  ck_assert(is_common(touching, cases, 4));
}
END_TEST

/* The rod's turning alone may press a slider on its guide, where forces lead this coordinate away from it: no
 * step has another force than O(Δt) off, and none is without the contact, but for hops of runs
 * that begin without a past. */
START_TEST(what_its_path_alone_presses_is_held)
{
  static const double thetas[] = {0.5, 0.75, 1.0};
  const int cases = random_cases(180);
  int judged = 0, away = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double a = random_between(&random, 0.05, 0.3);
    slider m = {.crank = a,
                .rod = a * random_between(&random, 2.2, 4.0),
                .clearance = a * random_between(&random, 0.01, 0.1),
                .omega = random_between(&random, 2.0, 25.0),
                .phase = random_between(&random, 0.0, 6.28),
                .mass = random_between(&random, 0.3, 3.0)};
    const double dt = random_between(&random, 1e-3, 3e-3) / m.omega;
    double s[2], most = 0.0;
    for (int k = 0; k < 200; k++) {
      most = fmax(most, slider_on_guide(&m, 0.0314159 * k / m.omega, s));
    }
    while (slider_on_guide(&m, 0.0, s) < 0.4 * most) {
      m.phase += 0.05;
    }
    nsdyn_stepper_options options = split_by(seed % 8 < SCHEMES ? seed % 8 : NSDYN_SCHEME_MOREAU_JEAN);
    options.theta = thetas[seed % 8 < SCHEMES ? 0 : seed % 8 - SCHEMES + 1];
    nsdyn_stepper *stepper = slider_stepper(&m, &options);
    set_state(stepper, &s[0], &s[1]);
    for (int k = 0; k < 600; k++) {
      const double exact = slider_on_guide(&m, (k + 0.5) * dt, s);
      run(stepper, dt, 1);
      const double force = state_of(stepper, 0).force[0];
      double h;
      (void)slider_force(&m, (k + 0.5) * dt, s, NULL, &h);
      if (exact < 0.2 * most) {
        break;
      }
      judged++;
      away += h < 0.0;
      REQUIRE(k < 30 || fabs(force - exact) <= 0.1 * most, "seed %d, step %d: force %g for %g of %g", seed, k,
              force, exact, most);
    }
    nsdyn_stepper_free(stepper);
  }
  ck_assert(is_common(away, judged, 20));
}
END_TEST

SUITE("stepper/drift/split", TEST(a_pendulum_keeps_its_length_and_its_energy),
      TEST(every_scheme_keeps_its_order), TEST(impulses_are_all_of_the_force), TEST(redundant_rods_are_one),
      TEST(bounces_keep_the_energy), TEST(what_lands_lies_on_the_floor),
      TEST(what_is_found_lands_as_what_is_known), TEST(no_farther_than_steps_go),
      TEST(solutions_are_those_of_the_last_round), TEST(wrong_directions_are_refused_as_they_close),
      TEST(the_way_may_change_in_a_run), TEST(what_comes_is_kept_while_more_closes),
      TEST(a_cancel_goes_out_at_once), TEST(random_systems_hold_both_levels),
      TEST(what_its_path_alone_presses_is_held))
