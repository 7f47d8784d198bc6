/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Forces are judged against what they are made of. */
#include "event_models.h"

/* A light disk (x, y, φ) of radius 1 that nothing pulls, and a wall with normal (cos α, sin α). */
typedef struct light_disk {
  double m, cosine, sine;
} light_disk;

static int disk_mass(void *user, double t, const double *q, double *M)
{
  const light_disk *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = 0.5 * p->m;
  return 0;
}

static int disk_gap(void *user, double t, const double *q, double *g)
{
  const light_disk *p = user;
  (void)t;
  g[0] = p->cosine * q[0] + p->sine * q[1] - 1.0;
  return 0;
}

static int disk_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const light_disk *p = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = p->cosine;
  W[1] = p->sine;
  W[3] = -p->sine;
  W[4] = p->cosine;
  W[5] = 1.0;
  return 0;
}

/* It hits with ε = 0 and goes on along the wall, with λ = 0 to rounding: of that no law can be missed. */
START_TEST(nothing_presses_behind_a_hit_without_rebound)
{
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    const double alpha = random_between(&r, 0.0, 6.0), fast = random_between(&r, 0.5, 3.0);
    light_disk p = {.m = 1e-5 * random_between(&r, 1.0, 100.0), .cosine = cos(alpha), .sine = sin(alpha)};
    const double along = random_between(&r, -2.0, 2.0), spin = random_between(&r, -5.0, 5.0);
    const double q[3] = {2.0 * p.cosine, 2.0 * p.sine, 0.0};
    const double u[3] = {-fast * p.cosine - along * p.sine, -fast * p.sine + along * p.cosine, spin};
    nsdyn_system_def def = table(3, 1, &p);
    def.mass = disk_mass;
    def.gap = disk_gap;
    def.direction = disk_direction;
    driven s = scene_of(&def);
    scene_law(&s, 0, law_of(random_between(&r, 0.0, 0.8), 0.0));
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 3.0 / fast);
    double g;
    disk_gap(&p, 0.0, nsdyn_event_driver_q(s.driver), &g);
    REQUIRE(fabs(g) <= 1e-12, "seed %d: %g", k, g);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/instant/verify_forces", TEST(nothing_presses_behind_a_hit_without_rebound))
