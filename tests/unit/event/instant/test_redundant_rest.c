/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A plate on three to six feet under a load that grows slowly: it rests as long as there is a way of sharing
 * the load that holds it, and begins to slide as the limit analysis says. */
#include <nsdyn/stepper.h>

#include "event_space.h"

enum { MOST_FEET = 6, NQ = 6 };

/* q = (x, y, z, α, β, φ): centre of mass, small tilts about x and y, which stay zero, and the angle about z.
 */
typedef struct plate {
  double mass, Iz, height; /* of the centre above the feet */
  double foot[MOST_FEET][2];
  int feet;
  double
      rise[3]; /* the load is (rise[0] t, rise[1] t) at `above` the feet, with a moment rise[2] t about z */
  double above;
} plate;

static int plate_mass(void *user, double t, const double *q, double *M)
{
  const plate *p = user;
  (void)t, (void)q;
  memset(M, 0, NQ * NQ * sizeof *M);
  for (int i = 0; i < NQ; i++) {
    M[i * NQ + i] = i < 3 ? p->mass : p->Iz * (i < 5 ? 0.7 : 1.0);
  }
  return 0;
}

static int plate_force(void *user, double t, const double *q, const double *u, double *h)
{
  const plate *p = user;
  const double arm = p->above - p->height; /* of the load, over the centre */
  (void)q, (void)u;
  h[0] = p->rise[0] * t;
  h[1] = p->rise[1] * t;
  h[2] = -10.0 * p->mass;
  h[3] = -arm * p->rise[1] * t;
  h[4] = arm * p->rise[0] * t;
  h[5] = p->rise[2] * t;
  return 0;
}

static void plate_foot(const plate *p, const double *q, int i, double *r)
{
  r[0] = cos(q[5]) * p->foot[i][0] - sin(q[5]) * p->foot[i][1];
  r[1] = sin(q[5]) * p->foot[i][0] + cos(q[5]) * p->foot[i][1];
}

static int plate_gap(void *user, double t, const double *q, double *g)
{
  const plate *p = user;
  (void)t;
  for (int i = 0; i < p->feet; i++) {
    double r[2];
    plate_foot(p, q, i, r);
    g[i] = q[2] + q[3] * r[1] - q[4] * r[0];
  }
  return 0;
}

/* v + ω × (r_x, r_y, −height), axes z, x, y. */
static int plate_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const plate *p = user;
  double r[2];
  (void)t;
  plate_foot(p, q, i, r);
  memset(W, 0, 3 * NQ * sizeof *W);
  W[2] = W[NQ] = W[2 * NQ + 1] = 1.0;
  W[3] = r[1];
  W[4] = -r[0];
  W[NQ + 4] = -p->height;
  W[NQ + 5] = -r[1];
  W[2 * NQ + 3] = p->height;
  W[2 * NQ + 5] = r[0];
  memset(w_hat, 0, 3 * sizeof *w_hat);
  return 0;
}

static nsdyn_system_def plate_table(plate *p)
{
  nsdyn_system_def def = table(NQ, p->feet, p);
  def.mass = plate_mass;
  def.force = plate_force;
  def.gap = plate_gap;
  def.direction = plate_direction;
  return def;
}

static driven plate_scene(plate *p, double mu)
{
  const nsdyn_system_def def = plate_table(p);
  const double rest[NQ] = {0.0};
  driven s = scene_of(&def);
  s.options.ambiguous = NSDYN_AMBIGUITY_STICK; /* more than three feet share their load evenly */
  for (int i = 0; i < p->feet; i++) {
    scene_law(&s, i, space_law(mu, 0.0, 0.0));
  }
  scene_drive(&s, 0.0, rest, rest);
  return s;
}

/* Feet about evenly around the centre, each pressed down. */
static plate draw(random_state *r, int feet)
{
  plate p = {.mass = random_between(r, 0.1, 10.0), .Iz = random_between(r, 0.05, 2.0), .feet = feet};
  p.height = random_between(r, 0.0, 0.2);
  p.above = random_between(r, 0.0, 0.2);
  for (int i = 0; i < feet; i++) {
    const double angle = 6.283185307179586 / feet * (i + random_between(r, -0.2, 0.2));
    const double far = random_between(r, 0.9, 1.1);
    p.foot[i][0] = far * cos(angle);
    p.foot[i][1] = far * sin(angle);
  }
  return p;
}

static double first_slip(const driven *s)
{
  return event_of_kind(s, NSDYN_EVENT_SLIP, 0).t;
}

/* Along the plane it begins at μ m g = k t, wherever feet are and however high the load is; then it moves
 * straight on, v = k τ² / (2 m). */
START_TEST(a_push_moves_it_when_friction_is_used_up)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    plate p = draw(&r, 3 + k % 4);
    const double mu = random_between(&r, 0.1, 0.6), angle = random_between(&r, -3.0, 3.0);
    const double rate = p.mass * random_between(&r, 0.1, 10.0), t = mu * 10.0 * p.mass / rate;
    p.rise[0] = rate * cos(angle);
    p.rise[1] = rate * sin(angle);
    driven s = plate_scene(&p, mu);
    scene_advance(&s, 1.5 * t);
    REQUIRE(fabs(first_slip(&s) - t) <= 1e-8 * t, "seed %d: %.12g, not %.12g", k, first_slip(&s), t);
    const double v = rate * (0.5 * t) * (0.5 * t) / (2.0 * p.mass), *u = nsdyn_event_driver_u(s.driver);
    REQUIRE(fabs(u[0] - v * cos(angle)) <= 1e-7 * v && fabs(u[1] - v * sin(angle)) <= 1e-7 * v &&
                fabs(u[5]) <= 1e-7 * v,
            "seed %d: %.12g %.12g %g, not %.12g", k, u[0], u[1], u[5], v);
    scene_end(&s);
  }
}
END_TEST

/* A moment about the vertical on a regular figure of feet at the distance 1: μ m g = k t. */
START_TEST(a_moment_turns_it_when_friction_is_used_up)
{
  const int cases = random_cases(80);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    plate p = draw(&r, 3 + k % 4);
    const double mu = random_between(&r, 0.1, 0.9), rate = p.Iz * random_between(&r, 0.5, 10.0);
    const double t = mu * 10.0 * p.mass / rate;
    for (int i = 0; i < p.feet; i++) {
      const double angle = 6.283185307179586 / p.feet * i;
      p.foot[i][0] = cos(angle);
      p.foot[i][1] = sin(angle);
    }
    p.rise[2] = rate;
    driven s = plate_scene(&p, mu);
    const double dt = fmin(0.5 * t, 1.0);
    scene_advance(&s, t + dt);
    REQUIRE(fabs(first_slip(&s) - t) <= 1e-8 * t, "seed %d: %.12g, not %.12g", k, first_slip(&s), t);
    const double turn = rate * dt * dt / (2.0 * p.Iz);
    REQUIRE(fabs(nsdyn_event_driver_u(s.driver)[5] - turn) <= 1e-6 * turn, "seed %d: %.12g, not %.12g", k,
            nsdyn_event_driver_u(s.driver)[5], turn);
    scene_end(&s);
  }
}
END_TEST

/* Limit analysis: the least of Σ μ N_i ‖v + ω × r_i‖ over the power of a load of rate 1, over all ways to
 * move; N even. A convex problem in two angles, by ever finer grids. */
static double onset_of(const plate *p, const double *N, double mu)
{
  double centre[2] = {0.0, 0.0}, wide = 3.2, least = INFINITY;
  for (int level = 0; level < 40; level++) {
    double best[2] = {centre[0], centre[1]};
    for (int i = -10; i <= 10; i++) {
      for (int j = -10; j <= 10; j++) {
        const double a = centre[0] + 0.1 * wide * i, b = centre[1] + 0.05 * wide * j;
        const double v[3] = {cos(b) * cos(a), cos(b) * sin(a), sin(b)};
        const double power = v[0] * p->rise[0] + v[1] * p->rise[1] + v[2] * p->rise[2];
        double friction = 0.0;
        for (int f = 0; f < p->feet; f++) {
          const double x = v[0] - v[2] * p->foot[f][1], y = v[1] + v[2] * p->foot[f][0];
          friction += mu * N[f] * sqrt(x * x + y * y);
        }
        if (power > 0.0 && friction / power < least) {
          least = friction / power;
          best[0] = a;
          best[1] = b;
        }
      }
    }
    centre[0] = best[0];
    centre[1] = best[1];
    wide *= 0.6;
  }
  return least;
}

/* Three feet, of which N is known, and a load at their height: force and moment together. */
START_TEST(any_load_moves_it_as_the_limit_analysis_says)
{
  const int cases = random_cases(150);
  int pivots = 0, slides = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    plate p = draw(&r, 3);
    double N[3], (*a)[2] = p.foot;
    p.height = p.above = 0.0;
    const double mu = random_between(&r, 0.1, 0.9);
    for (int i = 0; i < 3; i++) {
      p.rise[i] = p.mass * random_between(&r, -1.0, 1.0);
    }
    /* N: Σ N = m g, Σ N r = 0. */
    const double area = (a[1][0] - a[0][0]) * (a[2][1] - a[0][1]) - (a[2][0] - a[0][0]) * (a[1][1] - a[0][1]);
    for (int i = 0; i < 3; i++) {
      const double *b = a[(i + 1) % 3], *c = a[(i + 2) % 3];
      N[i] = 10.0 * p.mass * (b[0] * c[1] - c[0] * b[1]) / area;
    }
    const double t = onset_of(&p, N, mu);
    driven s = plate_scene(&p, mu);
    scene_advance(&s, 1.2 * t);
    REQUIRE(fabs(first_slip(&s) - t) <= 1e-7 * t, "seed %d: %.12g, not %.12g", k, first_slip(&s), t);
    int sliding = 0;
    for (int i = 0; i < 3; i++) {
      sliding += contact_of(&s, i).mode == NSDYN_MODE_SLIP;
    }
    pivots += sliding == 2;
    slides += sliding == 3;
    scene_end(&s);
  }
  /* It turns about one of its feet, which holds, or all of them slide. */
  ck_assert_int_eq(pivots + slides, cases);
  ck_assert(is_common(slides, cases, 5) && is_common(pivots, cases, 10));
}
END_TEST

/* The stepper, by ever shorter steps, comes to where the event driver is: three feet again, since of more the
 * motion depends on how they share their load. */
START_TEST(steps_come_to_the_same_motion)
{
  const int cases = random_cases(30);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed(1000 + (uint64_t)k);
    plate p = draw(&r, 3);
    const double mu = random_between(&r, 0.2, 0.6), rest[NQ] = {0.0};
    for (int i = 0; i < 3; i++) {
      p.rise[i] = p.mass * random_between(&r, -3.0, 3.0);
    }
    driven s = plate_scene(&p, mu);
    scene_advance(&s, 4.0);
    const double *u = nsdyn_event_driver_u(s.driver);
    double miss[2], size = 0.0;
    for (int fine = 0; fine < 2; fine++) {
      nsdyn_stepper *stepper = NULL;
      const double dt = fine ? 0.5e-3 : 2e-3;
      ck_assert_int_eq(nsdyn_stepper_new(NULL, s.sys, NULL, &stepper, NULL), NSDYN_OK);
      ck_assert_int_eq(nsdyn_stepper_set_state(stepper, 0.0, rest, rest), NSDYN_OK);
      for (int i = 0; i < (int)(4.0 / dt + 0.5); i++) {
        ck_assert_int_eq(nsdyn_stepper_step(stepper, dt), NSDYN_OK);
      }
      miss[fine] = 0.0;
      for (int j = 0; j < NQ; j++) {
        miss[fine] = fmax(miss[fine], fabs(nsdyn_stepper_u(stepper)[j] - u[j]));
        size = fmax(size, fabs(u[j]));
      }
      nsdyn_stepper_free(stepper);
    }
    REQUIRE(miss[1] <= 0.01 * size + 1e-12 && miss[1] <= 0.5 * miss[0] + 1e-4 * size, "seed %d: %g, %g of %g",
            k, miss[0], miss[1], size);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/instant/redundant_rest", TEST(a_push_moves_it_when_friction_is_used_up),
      TEST(a_moment_turns_it_when_friction_is_used_up), TEST(any_load_moves_it_as_the_limit_analysis_says),
      TEST(steps_come_to_the_same_motion))
