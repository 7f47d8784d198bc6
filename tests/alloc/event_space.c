/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Event drivers with contacts in space: points that fall, bounce, slide and stick, one known and more found
 * at each stage, and go on from saved bytes. */
#include <math.h>
#include <stdlib.h>

#include "harness.h"

enum { POINTS = 4, NU = 3 * POINTS, STAGES = POINTS };

typedef struct toy {
  int found; /* of all points but the first */
  nsdyn_system *sys;
  nsdyn_event_driver *driver;
} toy;

static void drop(void *object)
{
  toy *t = object;
  nsdyn_event_driver_free(t->driver);
  nsdyn_system_free(t->sys);
  free(t);
}

static int points_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < NU; i++) {
    M[i * (NU + 1)] = 1.0;
  }
  return 0;
}

static int points_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < POINTS; i++) {
    h[3 * i + 2] = -1.0;
  }
  return 0;
}

static int points_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[2];
  return 0;
}

/* Axes z, x, y. */
/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int points_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i, (void)w_hat;
  W[2] = W[NU] = W[2 * NU + 1] = 1.0;
  return 0;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
static int points_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = w_bar[1] = w_bar[2] = 0.0;
  return 0;
}

static int points_find(void *user, double t, const double *q, const double *u, double margin,
                       nsdyn_contact_sink *sink)
{
  static const double axes[9] = {0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  const toy *p = user;
  int failed = 0;
  (void)t, (void)u;
  for (int i = 1; i <= p->found && !failed; i++) {
    const nsdyn_contact_block block = {.offset = 3 * i, .count = 3, .values = axes};
    nsdyn_found_contact c;
    nsdyn_found_contact_init(&c, sizeof c);
    c.key = i;
    c.gap = q[3 * i + 2];
    c.blocks = 1;
    c.block = &block;
    c.w_bar[0] = c.w_bar[1] = c.w_bar[2] = 0.0;
    failed = c.gap <= margin ? nsdyn_contact_sink_add(sink, &c) : 0;
  }
  return failed;
}

static nsdyn_status make_points(const nsdyn_context_def *table, nsdyn_context *ctx, void **object)
{
  (void)table;
  nsdyn_system_def def;
  nsdyn_contact_law law;
  int32_t number;
  toy *t = calloc(1, sizeof *t);
  *object = NULL;
  if (!t) {
    return WRONG_ANSWER;
  }
  nsdyn_system_def_init(&def, sizeof def);
  def.user = t;
  def.nq = def.nu = NU;
  def.ncontacts = 1;
  def.mass = points_mass;
  def.force = points_force;
  def.gap = points_gap;
  def.direction = points_direction;
  def.bias = points_bias;
  def.find = points_find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = 0.25;
  law.eps_n = 0.0625;
  nsdyn_status status = nsdyn_system_new(ctx, &def, &t->sys, NULL);
  status = status ? status : nsdyn_system_set_contact(t->sys, 0, &law);
  status = status ? status : nsdyn_system_add_law(t->sys, &law, &number);
  status = status ? status : nsdyn_event_driver_new(NULL, t->sys, NULL, &t->driver, NULL);
  if (status) {
    drop(t);
    return status;
  }
  *object = t;
  return NSDYN_OK;
}

/* At rest, after a slide that ends by friction; where it ends is known: with v = 1 along (3, 4)/5 it loses μ
 * g of it all the time on the floor, and μ (1 + ε) times the normal speed at impacts, that is μ g t in all.
 */
static int rests_where_it_must(const nsdyn_event_driver *driver, int points)
{
  const double mu = 0.25, hit = 0.125, eps = 0.0625;
  double t = sqrt(2.0 * hit), v = 1.0, fall = t, way = t;
  for (int k = 0; k < 60; k++) { /* impacts, and the flights after them */
    v -= mu * (1.0 + eps) * fall;
    fall *= eps;
    way += v * 2.0 * fall;
  }
  way += v * v / (2.0 * mu);
  int is_right = nsdyn_event_driver_active(driver) == points;
  for (int i = 0; i < points; i++) {
    const double *q = nsdyn_event_driver_q(driver) + (ptrdiff_t)3 * i;
    const double *u = nsdyn_event_driver_u(driver) + (ptrdiff_t)3 * i;
    is_right = is_right && fabs(q[0] - 0.6 * way) <= 1e-7 * way && fabs(q[1] - 0.8 * way) <= 1e-7 * way &&
               fabs(q[2]) <= 1e-12 && fabs(u[0]) + fabs(u[1]) + fabs(u[2]) <= 1e-12;
  }
  return is_right;
}

static nsdyn_status use_points(void *object, int stage)
{
  static char bytes[1 << 15];
  toy *t = object;
  double q[NU] = {0.0}, u[NU] = {0.0};
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.check = 0; /* which takes memory again where options are set again */
  t->found = stage;
  for (int i = 0; i < POINTS; i++) {
    q[3 * i + 2] = i <= stage ? 0.125 : 1e6;
    u[3 * i] = 0.6;
    u[3 * i + 1] = 0.8;
  }
  /* 1. Falls and slides; saved on the way, and once more from there. */
  nsdyn_status status = nsdyn_event_driver_set_options(t->driver, &options);
  status = status ? status : nsdyn_event_driver_set_state(t->driver, 0.0, q, u);
  status = status ? status : nsdyn_event_driver_advance(t->driver, 2.0);
  const size_t size = status ? 0 : nsdyn_event_driver_save(t->driver, bytes, sizeof bytes);
  if (status || size > sizeof bytes) {
    return status ? status : WRONG_ANSWER;
  }
  for (int run = 0; run < 2 && status == NSDYN_OK; run++) {
    status = nsdyn_event_driver_advance(t->driver, 6.0);
    if (status == NSDYN_OK && !rests_where_it_must(t->driver, 1 + stage)) {
      return WRONG_ANSWER;
    }
    status = status || run ? status : nsdyn_event_driver_restore(t->driver, bytes, size);
  }
  return status;
}

const scenario event_in_space = {.name = "event driver in space",
                                 .calls = "nsdyn_event_driver_new nsdyn_event_driver_set_state "
                                          "nsdyn_event_driver_advance nsdyn_event_driver_restore",
                                 .stages = STAGES,
                                 .make = make_points,
                                 .use = use_points,
                                 .drop = drop};
