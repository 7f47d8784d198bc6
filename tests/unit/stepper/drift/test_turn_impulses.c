/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* With projection, what holds on both sides of a curved path does no work, and loads with all of M u̇. */
#include <math.h>
#include <stdlib.h>

#include "stepping.h"

/* A bead on a ring of radius R about the origin, held by a slot or by a constraint. */
typedef struct ring {
  double radius, mass, weight;
} ring;

static int mass(void *user, double t, const double *q, double *M)
{
  const ring *r = user;
  (void)t, (void)q;
  M[0] = M[3] = r->mass;
  return 0;
}

static int solve_mass(void *user, double t, const double *q, int count, double *B)
{
  const ring *r = user;
  (void)t, (void)q;
  for (int j = 0; j < 2 * count; j++) {
    B[j] /= r->mass;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const ring *r = user;
  (void)t, (void)q, (void)u;
  h[1] = -r->mass * r->weight;
  return 0;
}

static void directions(const double *q, double *W)
{
  const double size = hypot(q[0], q[1]);
  W[0] = W[3] = q[0] / size;
  W[1] = q[1] / size;
  W[2] = -W[1];
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  g[0] = hypot(q[0], q[1]) - ((const ring *)user)->radius;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  directions(q, W);
  return 0;
}

static int constraint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  double both[4];
  (void)t;
  w_hat[0] = 0.0;
  directions(q, both);
  g[0] = hypot(q[0], q[1]) - ((const ring *)user)->radius;
  W[0] = both[0];
  W[1] = both[1];
  return 0;
}

static nsdyn_stepper *bead(ring *r, int is_slot, int solves, double mu, const nsdyn_stepper_options *options)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.user = r;
  def.mass = mass;
  def.force = force;
  def.solve_mass = solves ? solve_mass : NULL;
  if (is_slot) {
    def.ncontacts = 1;
    def.gap = gap;
    def.direction = direction;
  } else {
    def.nconstraints = 1;
    def.constraint = constraint;
  }
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = mu > 0.0 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  law.mu = mu;
  return stepper_for(&def, &law, options);
}

static const struct {
  int32_t scheme;
  double theta;
} schemes[] = {{NSDYN_SCHEME_MOREAU, 0.5},         {NSDYN_SCHEME_EULER, 0.5},
               {NSDYN_SCHEME_MOREAU_JEAN, 0.5},    {NSDYN_SCHEME_MOREAU_JEAN, 0.7},
               {NSDYN_SCHEME_MOREAU_JEAN, 1.0},    {NSDYN_SCHEME_STEWART_TRINKLE, 0.5},
               {NSDYN_SCHEME_ANITESCU_POTRA, 0.5}, {NSDYN_SCHEME_GENERALIZED_ALPHA, 0.5}};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* v̇ = −μ v² / R: v = v₀ / (1 + μ v₀ t / R), and without friction v stays. Every step presses with m v² / R,
 * and its balance of energy closes. */
START_TEST(a_bead_on_a_ring_slows_down_by_friction_alone)
{
  const int cases = random_cases(1400);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    ring r = {.radius = exp(random_between(&random, -2.0, 2.0)),
              .mass = exp(random_between(&random, -2.0, 2.0))};
    nsdyn_stepper_options options = stepper_defaults();
    options.scheme = schemes[k % SCHEMES].scheme;
    options.theta = schemes[k % SCHEMES].theta;
    options.project = 1;
    const int is_slot = k / SCHEMES % 2, solves = options.scheme != NSDYN_SCHEME_MOREAU_JEAN &&
                                                  options.scheme != NSDYN_SCHEME_GENERALIZED_ALPHA &&
                                                  k / SCHEMES / 2 % 2;
    const double mu = is_slot && k / SCHEMES / 4 % 2 ? random_between(&random, 0.05, 0.5) : 0.0;
    nsdyn_stepper *s = bead(&r, is_slot, solves, mu, &options);
    const double v = random_between(&random, 0.5, 5.0), angle = random_between(&random, 0.0, 6.28);
    const double turn = random_between(&random, 2e-3, 2e-2), dt = turn * r.radius / v; /* radians a step */
    set_state(s, (double[]){r.radius * cos(angle), r.radius * sin(angle)},
              (double[]){-v * sin(angle), v * cos(angle)});
    const double energy = 0.5 * r.mass * v * v;
    for (int step = 1; step <= 1500; step++) {
      run(s, dt, 1);
      const double *u = nsdyn_stepper_u(s), now = hypot(u[0], u[1]);
      const double exact = v / (1.0 + mu * v * (step * dt) / r.radius);
      REQUIRE(fabs(now - exact) <= (mu > 0.0 ? 3.0 * turn : 4.0 * turn * turn) * v,
              "case %d, step %d: %g for %g", k, step, now, exact);
      REQUIRE(is_slot || mu > 0.0 || now <= v * (1.0 + 4.0 * turn * turn), "case %d: %g", k, now / v - 1.0);
      const double deep = hypot(nsdyn_stepper_q(s)[0], nsdyn_stepper_q(s)[1]) - r.radius;
      REQUIRE(fabs(deep) <= 1e-12 * r.radius, "case %d: drift %g", k, deep);
      if (step > 3 && is_slot) {
        const double pull = -state_of(s, 0).force[0], load = r.mass * exact * exact / r.radius;
        REQUIRE(fabs(pull - load) <= 6.0 * turn * r.mass * v * v / r.radius, "case %d, step %d: %g for %g", k,
                step, pull, load);
      }
      if (step % 100 == 0 && !solves) {
        const nsdyn_step_energy e = energy_of(s);
        const double rest = e.after - e.before - (e.force + e.normal + e.tangent + e.constraint + e.inertia);
        REQUIRE(fabs(rest) <= 1e-12 * energy, "case %d, step %d: %g of %g left", k, step, rest, energy);
      }
    }
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A pendulum, by a constraint and in a slot, let go at 0.6 of its length beside its pivot: over 20 s the
 * error of its energy stays within the order of the scheme, as a share of what swings. */
START_TEST(a_pendulum_keeps_its_energy)
{
  for (int k = 0; k < 2 * SCHEMES; k++) {
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 2; i++) {
      const double dt = i ? 1e-3 : 4e-3;
      ring r = {.radius = 1.0, .mass = 2.0, .weight = 9.81};
      nsdyn_stepper_options options = stepper_defaults();
      options.scheme = schemes[k % SCHEMES].scheme;
      options.theta = schemes[k % SCHEMES].theta;
      options.project = 1;
      nsdyn_stepper *s = bead(&r, k / SCHEMES, 0, 0.0, &options);
      set_state(s, (double[]){0.6, -0.8}, (double[]){0.0, 0.0});
      for (int step = 0; step < (int)(20.0 / dt); step++) {
        run(s, dt, 1);
        const double *q = nsdyn_stepper_q(s), *u = nsdyn_stepper_u(s);
        const double energy = 0.5 * (u[0] * u[0] + u[1] * u[1]) + r.weight * (q[1] + 0.8);
        worst[i] = fmax(fabs(energy) / (0.2 * r.weight), worst[i]);
      }
      REQUIRE(worst[i] <= 3.0 * dt, "case %d, dt %g: %g", k, dt, worst[i]);
      nsdyn_stepper_free(s);
    }
    REQUIRE(worst[1] <= 0.4 * worst[0], "case %d: from %g to %g", k, worst[0], worst[1]);
  }
}
END_TEST

SUITE("stepper/drift/turn_impulses", TEST(a_bead_on_a_ring_slows_down_by_friction_alone),
      TEST(a_pendulum_keeps_its_energy))
