/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The event driver on whole models, against their exact solutions to 1e-9 of their own scale, at a tolerance
 * of 1e-12; and on thousands of random systems, against what must hold for all. */
#include "event_models.h"
#include "support/exact_block.h"
#include "support/exact_bounce.h"
#include "support/exact_rebound.h"
#include "support/model.h"

#define TOL 1e-12

/* ---- the rocking block -----------------------------------------------------------------------------------
 */

/* Let go leaning to the left, that is on its left corner. */
static driven lean(block *shape, const exact_block *exact)
{
  const block same = {.b = exact->b, .c = exact->c, .g = exact->g, .has_bias = shape->has_bias};
  double q[3] = {0.0, 0.0, exact->tilt}, r[2];
  const double u[3] = {0.0, 0.0, 0.0};
  *shape = same;
  driven s = block_scene(shape, 1.5 * (double)exact_block_friction(exact), 0.0);
  block_corner(shape, q, 0, r);
  q[1] = -r[1];
  s.options.tol = TOL;
  scene_drive(&s, 0.0, q, u);
  return s;
}

/* Blows walk from corner to corner; each is an impact of the corner that comes down, and the other lifts off.
 */
START_TEST(a_block_rocks_as_housner_says)
{
  const double shape[][3] = {{0.2, 0.8, 0.15}, {0.3, 1.0, 0.2}, {0.5, 1.6, 0.05}, {0.25, 0.9, 0.26}};
  for (int k = 0; k < 8; k++) {
    const exact_block exact = {
        .b = shape[k / 2][0], .c = shape[k / 2][1], .g = 9.81, .tilt = shape[k / 2][2]};
    block own = {.has_bias = k % 2};
    driven s = lean(&own, &exact);
    const double rest = (double)exact_block_rest(&exact);
    scene_advance(&s, 1.2 * rest);
    int blows = 0;
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i);
      long double spin;
      if (event.kind != NSDYN_EVENT_IMPACT || event.before[0] > -1e-5) {
        continue;
      }
      const double t = (double)exact_block_blow(&exact, ++blows, &spin);
      const double speed = 2.0 * exact.b * (double)spin; /* of the corner that comes down */
      ck_assert_int_eq(event.contact, blows % 2);
      ck_assert_msg(fabs(event.t - t) <= 1e-9 * rest, "block %d, blow %d: %g off", k, blows, event.t - t);
      ck_assert_msg(fabs(event.before[0] + speed) <= 1e-9, "block %d, blow %d: speed %g off", k, blows,
                    event.before[0] + speed);
      ck_assert(fabs(event.after[0]) <= 1e-12 && fabs(event.after[1]) <= 1e-12); /* it stays */
    }
    ck_assert_int_ge(blows, 20);
    const double *q = nsdyn_event_driver_q(s.driver), *u = nsdyn_event_driver_u(s.driver);
    const double x = exact.b * (1.0 - cos(exact.tilt)) + exact.c * sin(exact.tilt); /* no corner slipped */
    ck_assert(fabs(q[0] - x) <= 1e-9 && fabs(q[1] - exact.c) <= 1e-12 && fabs(q[2]) <= 1e-12);
    ck_assert(u[0] == 0.0 && u[1] == 0.0 && u[2] == 0.0);
    const nsdyn_event last = event_of(&s, events_of(&s) - 1);
    ck_assert_msg(fabs(last.t - rest) <= 1e-9 * rest, "block %d lies at %g, exact %g: %g", k, last.t, rest,
                  last.t - rest);
    scene_end(&s);
  }
}
END_TEST

/* ---- pendulums against a wall ----------------------------------------------------------------------------
 */

/* A point mass on a massless rod of length 1: by its angle, q = (θ), or in the plane, q = (x, y) with x² + y²
 * = 1. The wall is a plane through the pivot, at its angle. */
typedef struct bob {
  exact_rebound exact;
  int has_bias;
} bob;

static int bob_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int bob_force(void *user, double t, const double *q, const double *u, double *h)
{
  const bob *p = user;
  (void)t, (void)u;
  h[0] = -p->exact.omega * p->exact.omega * sin(q[0]);
  return 0;
}

static int bob_gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  g[0] = sin(q[0] - ((const bob *)user)->exact.wall);
  return 0;
}

static int bob_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)i;
  W[0] = cos(q[0] - ((const bob *)user)->exact.wall);
  w_hat[0] = 0.0;
  return 0;
}

static int plane_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int plane_force(void *user, double t, const double *q, const double *u, double *h)
{
  const bob *p = user;
  (void)t, (void)q, (void)u;
  h[1] = -p->exact.omega * p->exact.omega;
  return 0;
}

/* The wall's normal, which points to where the bob is. */
static int plane_gap(void *user, double t, const double *q, double *g)
{
  const bob *p = user;
  (void)t;
  g[0] = cos(p->exact.wall) * q[0] + sin(p->exact.wall) * q[1];
  return 0;
}

static int plane_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const bob *p = user;
  (void)t, (void)q, (void)i;
  W[0] = cos(p->exact.wall);
  W[1] = sin(p->exact.wall);
  w_hat[0] = 0.0;
  return 0;
}

static int plane_rod(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  (void)user, (void)t;
  g_b[0] = 0.5 * (q[0] * q[0] + q[1] * q[1] - 1.0);
  W_b[0] = q[0];
  W_b[1] = q[1];
  w_hat_b[0] = 0.0;
  return 0;
}

static int plane_rod_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  (void)user, (void)t, (void)q;
  w_bar_b[0] = u[0] * u[0] + u[1] * u[1];
  return 0;
}

static driven swing(bob *p, int in_plane)
{
  nsdyn_system_def def = table(in_plane ? 2 : 1, 1, p);
  nsdyn_contact_law law = law_of(0.0, p->exact.eps);
  law.friction = NSDYN_FRICTION_NONE;
  def.mass = in_plane ? plane_mass : bob_mass;
  def.force = in_plane ? plane_force : bob_force;
  def.gap = in_plane ? plane_gap : bob_gap;
  def.direction = in_plane ? plane_direction : bob_direction;
  if (in_plane) {
    def.nconstraints = 1;
    def.constraint = plane_rod;
    def.constraint_bias = p->has_bias ? plane_rod_bias : NULL;
  }
  driven s = scene_of(&def);
  scene_law(&s, 0, law);
  const double q[2] = {in_plane ? sin(p->exact.start) : p->exact.start, -cos(p->exact.start)};
  const double u[2] = {0.0, 0.0};
  s.options.tol = TOL;
  scene_drive(&s, 0.0, q, u);
  return s;
}

/* Hits of the driver, in order, are those of the closed form; returns how many. */
static int compare_hits(const driven *s, const exact_rebound *exact, const char *what)
{
  int hits = 0;
  for (int i = 0; i < events_of(s); i++) {
    const nsdyn_event event = event_of(s, i);
    long double spin;
    if (event.kind == NSDYN_EVENT_IMPACT) {
      const double t = (double)exact_rebound_hit(exact, ++hits, &spin);
      ck_assert_msg(fabs(event.t - t) <= 1e-9 * (1.0 + t), "%s, hit %d: %g off", what, hits, event.t - t);
      ck_assert_msg(fabs(event.before[0] + (double)spin) <= 1e-9, "%s, hit %d: speed %g off", what, hits,
                    event.before[0] + (double)spin);
    }
  }
  return hits;
}

/* A wall beyond the bottom, at it, and one to lean on; as angle, in the plane with w̄ given and differenced.
 */
START_TEST(pendulums_hit_the_wall_at_the_exact_times)
{
  const double walls[] = {-0.7, 0.0, 0.4};
  for (int k = 0; k < 9; k++) {
    bob p = {.exact = {.omega = 2.0, .wall = walls[k / 3], .start = 1.9, .eps = 0.8}, .has_bias = k % 3 == 1};
    driven s = swing(&p, k % 3 > 0);
    const char *const what[] = {"angle", "plane, w̄ given", "plane, w̄ differenced"};
    const double t_end = p.exact.wall > 0.0 ? 1.1 * (double)exact_rebound_rest(&p.exact) : 40.0;
    scene_advance(&s, t_end);
    const int hits = compare_hits(&s, &p.exact, what[k % 3]);
    ck_assert_msg(hits >= (p.exact.wall > 0.0 ? 20 : 12), "%s, wall at %g: %d hits", what[k % 3],
                  p.exact.wall, hits);
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_ZENO), p.exact.wall > 0.0);
    if (p.exact.wall > 0.0) {
      const nsdyn_event zeno = event_of_kind(&s, NSDYN_EVENT_ZENO, 0);
      const double rest = (double)exact_rebound_rest(&p.exact);
      ck_assert_msg(fabs(zeno.t - rest) <= 1e-9 * rest, "rest %g off", zeno.t - rest);
      ck_assert_int_eq(contact_of(&s, 0).active, 1);
    }
    ck_assert_msg(report_of(&s).gap <= 3e-13, "%g", report_of(&s).gap);
    scene_end(&s);
  }
}
END_TEST

/* ---- Painlevé ---- */

/* Dropped onto the table turning, the rod hits, and slides into the paradox or is in it at once: met,
 * resolved by an impact without collision, logged, and the energy only falls. */
static double rod_energy(const exact_rod *p, const double *q, const double *u)
{
  return 0.5 * p->m * (u[0] * u[0] + u[1] * u[1] + p->l * p->l / 12.0 * u[2] * u[2]) + p->m * p->g * q[1];
}

START_TEST(a_thrown_rod_meets_the_paradox_and_goes_on)
{
  const int cases = random_cases(400);
  int jams = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    exact_rod rod = {.m = 1.0, .l = 1.0, .mu = random_between(&r, 1.4, 4.0), .g = 9.81};
    const exact_rod_state begin = exact_rod_on_table(
        &rod, random_between(&r, 0.3, 1.5), random_between(&r, -3.0, 3.0), random_between(&r, -4.0, 4.0));
    driven s = rod_scene(&rod, 0.0, random_below(&r, 2));
    s.options.ambiguous = NSDYN_AMBIGUITY_OPEN;
    s.options.max_steps = 5000;
    scene_drive(&s, 0.0, begin.q, begin.u);
    const double before = rod_energy(&rod, begin.q, begin.u);
    double t = 0.0, E = before;
    /* A rod that lies flat would need contacts along its length: until it is near that. */
    while (t < 1.0 && sin(nsdyn_event_driver_q(s.driver)[2]) > 0.1) {
      t += 0.02;
      const nsdyn_status status = nsdyn_event_driver_advance(s.driver, t);
      REQUIRE(status == NSDYN_OK, "seed %d, t = %g: %s", k, t, nsdyn_event_driver_message(s.driver));
      const double now = rod_energy(&rod, nsdyn_event_driver_q(s.driver), nsdyn_event_driver_u(s.driver));
      REQUIRE(now <= E + 1e-8 * before, "seed %d, t = %g: %g gained", k, t, now - E);
      E = now;
      REQUIRE(contact_of(&s, 0).gap >= -1e-12, "seed %d, t = %g: gap %g", k, t, contact_of(&s, 0).gap);
    }
    for (int i = 0; i < events_of(&s); i++) {
      const nsdyn_event event = event_of(&s, i);
      if (event.kind == NSDYN_EVENT_PAINLEVE) {
        jams++;
        REQUIRE(event.impulse[0] > 0.0 && fabs(event.impulse[1]) <= rod.mu * event.impulse[0] * (1.0 + 1e-9),
                "seed %d", k);
        REQUIRE(fabs(event.before[1]) > 1e-9 && fabs(event.after[1]) <= 1e-9, "seed %d: %g to %g", k,
                event.before[1], event.after[1]); /* it slid, and is stopped */
      }
    }
    scene_end(&s);
  }
  ck_assert_int_ge(jams, cases / 20);
}
END_TEST

SUITE("events", TEST(a_block_rocks_as_housner_says), TEST(pendulums_hit_the_wall_at_the_exact_times),
      TEST(a_thrown_rod_meets_the_paradox_and_goes_on))
