/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Forces are judged against what they are made of. */
#include "event/internal.h"

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

/* ---- three disks in a box ------------------------------------------------------------------------------
 */

enum { DISKS = 3, DISK_ROWS = 3 * DISKS, DISK_WALLS = 4 };

/* Disk i: (x, y, length φ). */
typedef struct disk_box {
  double length, m[DISKS], r[DISKS], width, eps, mu, q[DISK_ROWS], u[DISK_ROWS];
} disk_box;

static int box_mass(void *user, double t, const double *q, double *M)
{
  const disk_box *p = user;
  (void)t, (void)q;
  for (int j = 0; j < DISK_ROWS; j++) {
    const double r = p->r[j / 3];
    M[10 * j] = j % 3 == 2 ? p->m[j / 3] * r * r / 2 / p->length / p->length : p->m[j / 3];
  }
  return 0;
}

static int box_force(void *user, double t, const double *q, const double *u, double *h)
{
  const disk_box *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < DISKS; i++) {
    h[3 * i + 1] = -p->m[i] * (9.81 * p->length);
  }
  return 0;
}

static const int box_pair[DISKS][2] = {{0, 1}, {0, 2}, {1, 2}};

static int box_gap(void *user, double t, const double *q, double *g)
{
  const disk_box *p = user;
  (void)t;
  for (int i = 0; i < DISKS; i++) {
    g[4 * i] = q[3 * i + 1] - p->r[i];
    g[4 * i + 1] = 4.0 * p->length - q[3 * i + 1] - p->r[i];
    g[4 * i + 2] = q[3 * i] - p->r[i];
    g[4 * i + 3] = p->width - q[3 * i] - p->r[i];
    const double *a = q + 3 * box_pair[i][0], *b = q + 3 * box_pair[i][1];
    g[12 + i] = hypot(b[0] - a[0], b[1] - a[1]) - p->r[box_pair[i][0]] - p->r[box_pair[i][1]];
  }
  return 0;
}

/* Disk i is touched along (nx, ny), which points into it on `side` 1. */
static void box_touch(const disk_box *p, int i, double nx, double ny, double side, double *W)
{
  W[3 * i] = side * nx;
  W[3 * i + 1] = side * ny;
  W[DISK_ROWS + 3 * i] = -side * ny;
  W[DISK_ROWS + 3 * i + 1] = side * nx;
  W[DISK_ROWS + 3 * i + 2] = -p->r[i] / p->length;
}

static int box_direction(void *user, double t, const double *q, int32_t k, double *W, double *w_hat)
{
  static const double nx[DISK_WALLS] = {0.0, 0.0, 1.0, -1.0}, ny[DISK_WALLS] = {1.0, -1.0, 0.0, 0.0};
  const disk_box *p = user;
  (void)t;
  w_hat[0] = w_hat[1] = 0.0;
  if (k < DISK_WALLS * DISKS) {
    box_touch(p, k / 4, nx[k % 4], ny[k % 4], 1.0, W);
  } else {
    const int i = box_pair[k - 12][0], j = box_pair[k - 12][1];
    const double x = q[3 * j] - q[3 * i], y = q[3 * j + 1] - q[3 * i + 1], far = hypot(x, y);
    box_touch(p, j, x / far, y / far, 1.0, W);
    box_touch(p, i, x / far, y / far, -1.0, W);
  }
  return 0;
}

static const disk_box thrown[] = {
    {.length = 0.001,
     .m = {0.64919282412958401, 0.25934858840767444, 0.6942383733977624},
     .r = {0.00028193052039526844, 0.00021217733133820771, 0.00016855006422746829},
     .width = 0.0021759595803829256,
     .eps = 0,
     .mu = 0.8,
     .q = {0.00045896320870731895, 0.00029785753910691363, 0, 0.0013725332684363164, 0.00079943404157204118,
           0, 0.00098083859007835872, 0.0011940907945662742, 0},
     .u = {-0.0018841556361740056, 0.00042996136365210048, -0.0024714302480861095, 0.0012608466240594948,
           -0.0012957267058583408, 0.0020584645422566127, 0.001825888046671741, 0.0011258287041423412,
           -0.0035376701467286398}},
    {.length = 0.001,
     .m = {0.10413020305967519, 0.92384630870555995, 1.1163835841087058},
     .r = {0.00014924308737885767, 0.00021951189249866019, 0.00026526313116085611},
     .width = 0.0015313460120224866,
     .eps = 0.5,
     .mu = 0.4,
     .q = {0.00029984688783065078, 0.00016575024394528887, 0, 0.0011187425813882323, 0.000582700761286397, 0,
           0.00060961770999072551, 0.0011359634504091885, 0},
     .u = {-0.00016773275150603207, -0.0013131524249967975, -6.6748072444014822e-05, 0.00073350477107993368,
           -0.00061192503333229497, 0.0031554791597767835, 0.0026575550145704883, -0.001056196428751516,
           -0.00090783326072791585}},
    {.length = 1,
     .m = {0.11419005889856282, 0.94548970542427613, 2.285275854512578},
     .r = {0.17210352226448955, 0.26548986602599456, 0.23372259393472458},
     .width = 1.9221567797637014,
     .eps = 0.2,
     .mu = 0.8,
     .q = {0.64486405663836743, 0.19577145104612867, 0, 0.69473539935147532, 0.65403268973642514, 0,
           1.3516321386120038, 1.169938848941011, 0},
     .u = {-0.042889437420740695, -0.29276664363797611, 1.3937431084931795, -0.60448868423251367,
           -0.012380995392757388, -3.4406602816622502, -1.8535720207299429, 0.88388446887678462,
           -4.8456358503608978}},
};

/* A force vanishes, and with it that of a second contact, which goes on with a force of rounding. The step
 * differences w̄ over a shorter time than the instant did, and by that the second one pulls as soon as the
 * phase begins: it ends there, has lasted for no time, and its forces are no motion's. */
START_TEST(a_phase_that_ends_as_it_begins_has_no_forces_to_judge)
{
  for (int k = 0; k < (int)(sizeof thrown / sizeof *thrown); k++) {
    disk_box p = thrown[k];
    nsdyn_system_def def = table(DISK_ROWS, 4 * DISKS + DISKS, &p);
    def.mass = box_mass;
    def.force = box_force;
    def.gap = box_gap;
    def.direction = box_direction;
    driven s = scene_of(&def);
    for (int i = 0; i < def.ncontacts; i++) {
      scene_law(&s, i, law_of(p.mu, p.eps));
    }
    s.options.tol = 1e-9;
    s.options.impact = NSDYN_IMPACT_POISSON;
    s.options.ambiguous = NSDYN_AMBIGUITY_STICK;
    scene_drive(&s, 0.0, p.q, p.u);
    for (int i = 1; i <= 10; i++) {
      double g[4 * DISKS + DISKS];
      scene_advance(&s, 3.0 * i / 10);
      box_gap(&p, 0.0, nsdyn_event_driver_q(s.driver), g);
      for (int j = 0; j < def.ncontacts; j++) {
        REQUIRE(g[j] >= -1e-6 * p.length, "case %d: gap %d is %g", k, j, g[j]);
      }
    }
    scene_end(&s);
  }
}
END_TEST

/* At the end of a phase what time cannot resolve is forgiven to the contact whose force ended it, no other.
 */
START_TEST(only_the_contact_that_ended_a_phase_is_forgiven)
{
  points p = {.count = 2, .g = 1.0};
  for (int cause = 0; cause < 2; cause++) {
    for (int wrong = 0; wrong < 2; wrong++) {
      driven s = points_scene(&p, 0.5, 0.0);
      const double q[4] = {0.0}, u[4] = {0.0};
      scene_drive(&s, 0.0, q, u);
      scene_advance(&s, 1.0);
      nsdyn_event_driver *d = s.driver;
      d->cause = (nsd_cause){.kind = NSD_EVENT_FUNCTION_NORMAL, .which = cause, .left = 1.0};
      ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_OK);
      const int row = d->phase.motion.scene.closed.contact[wrong].row;
      d->phase.motion.scene.solution.Lambda[row] -= 2.0; /* it pulls as much as it ought to press */
      ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report),
                       wrong == cause ? NSDYN_OK : NSDYN_ERR_INCONSISTENT);
      scene_end(&s);
    }
  }
}
END_TEST

/* Where p has vanished there are no forces of what slides, and of what is coupled with that. The others are
 * judged, beside their own terms. */
START_TEST(at_the_boundary_of_painleve_others_are_judged)
{
  points p = {.count = 3, .g = 1.0};
  driven s = points_scene(&p, 0.5, 0.0);
  const double q[6] = {0.0}, u[6] = {5.0, 0.0}; /* the first slides */
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  nsdyn_event_driver *d = s.driver;
  const nsd_closed *closed = d->phase.motion.scene.closed.contact;
  d->cause = (nsd_cause){.kind = NSD_EVENT_FUNCTION_REGULAR, .which = -1};
  ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_OK);
  d->phase.motion.scene.solution.Lambda[closed[0].row] = -1e12;
  ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_OK);
  for (int i = 1; i < 3; i++) {
    double *Lambda = &d->phase.motion.scene.solution.Lambda[closed[i].row];
    *Lambda -= 2.0; /* it pulls as much as it ought to press */
    ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_ERR_INCONSISTENT);
    *Lambda += 2.0;
  }
  ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_OK);
  d->cause.kind = NSD_EVENT_FUNCTION_NORMAL;
  ck_assert_int_eq(nsd_verify_end(d, &d->phase, &d->report), NSDYN_ERR_INCONSISTENT);
  scene_end(&s);
}
END_TEST

SUITE("event/instant/verify_forces", TEST(nothing_presses_behind_a_hit_without_rebound),
      TEST(a_phase_that_ends_as_it_begins_has_no_forces_to_judge),
      TEST(only_the_contact_that_ended_a_phase_is_forgiven),
      TEST(at_the_boundary_of_painleve_others_are_judged))
