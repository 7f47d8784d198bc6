/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Two to eight balls in a row, almost or quite touching, between two walls or free: at rest under a load that
 * changes, struck by the first, shaken by the walls, braked by a given friction force each.
 *
 * Invariants: the energy never grows by more than the work of the loads, which is either
 * known (constant loads) or integrated along as a coordinate of its own; it stays where all is elastic; a
 * free row keeps its momentum but for the loads' impulse. */
#include "zoo.h"

enum { BALLS = 8 };

typedef struct row {
  double t0, m[BALLS], d, width;                            /* d: diameter */
  double push[BALLS], swing[BALLS], w[BALLS], phase[BALLS]; /* loads: push + swing sin(w t + phase) */
  double stroke, ws;                                        /* both walls: stroke (1 − cos ws t) */
  int n, walls, rubs, works;
} row;

/* The walls' place or velocity: derivative k. */
static double wall(const row *p, double t, int k)
{
  const double x = p->ws * (t - p->t0);
  const double of[] = {1.0 - cos(x), p->ws * sin(x)};
  return p->stroke * of[k];
}

static double load(const row *p, double t, int j)
{
  return p->push[j] + p->swing[j] * sin(p->w[j] * (t - p->t0) + p->phase[j]);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const row *p = user;
  (void)t, (void)q;
  for (int j = 0; j < p->n; j++) {
    M[j * p->n + j] = p->m[j];
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const row *p = user;
  (void)q, (void)u;
  for (int j = 0; j < p->n; j++) {
    h[j] = load(p, t, j);
  }
  return 0;
}

/* 0: left wall and ball 0, i: balls i − 1 and i, n: the last ball and the right wall; behind them friction. A
 * free row has no walls. */
static int body_of(const row *p, int i)
{
  return p->walls ? i : i + 1;
}

static int hits(const row *p)
{
  return p->n - 1 + 2 * p->walls;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const row *p = user;
  for (int i = 0; i < hits(p); i++) {
    const int k = body_of(p, i);
    const double left = k > 0 ? q[k - 1] + 0.5 * p->d : wall(p, t, 0);
    g[i] = (k < p->n ? q[k] - 0.5 * p->d : wall(p, t, 0) + p->width) - left;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const row *p = user;
  const int k = body_of(p, i);
  (void)q;
  if (i >= hits(p)) {
    W[p->n + i - hits(p)] = 1.0;
    w_hat[1] = -wall(p, t, 1);
    return 0;
  }
  if (k < p->n) {
    W[k] = 1.0;
  }
  if (k > 0) {
    W[k - 1] = -1.0;
  }
  w_hat[0] = k == 0 ? -wall(p, t, 1) : k == p->n ? wall(p, t, 1) : 0.0;
  return 0;
}

/* The last coordinate: the work of the loads. */
static int rates(void *user, double t, const double *q, const double *u, double *qdot)
{
  const row *p = user;
  (void)q;
  for (int j = 0; j < p->n; j++) {
    qdot[j] = u[j];
    qdot[p->n] += load(p, t, j) * u[j];
  }
  return 0;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const row *p = c->def.user;
  (void)t;
  double sum = p->works ? -q[p->n] : 0.0;
  for (int j = 0; j < p->n; j++) {
    sum += 0.5 * p->m[j] * u[j] * u[j] - (p->works ? 0.0 : p->push[j] * q[j]);
  }
  return sum;
}

static int elastic(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const double lost = energy(c, c->t0, c->q, c->u) - energy(c, m->t, m->q, m->u);
  return m->driver &&
         zoo_says(fault, m->t, "elastic", lost / c->energy_size, 1e3 * m->tol + 1e-9, "energy has shrunk");
}

static int momentum(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const row *p = c->def.user;
  const double t = m->t - p->t0;
  double sum = 0.0, size = 0.0;
  for (int j = 0; j < p->n; j++) {
    const double turn =
        p->swing[j] == 0.0 ? 0.0 : (cos(p->phase[j]) - cos(p->w[j] * t + p->phase[j])) / p->w[j];
    sum += p->m[j] * (m->u[j] - c->u[j]) - p->push[j] * t - p->swing[j] * turn;
    size += p->m[j] * c->speed;
  }
  const double ok = m->dt > 0.0 ? 30.0 * m->dt / c->time : 1e3 * m->tol + 1e-11;
  return zoo_says(fault, m->t, "momentum", sum / size, ok + 6e-14 * fabs(m->t) / c->time, "momentum");
}

static const char *variant(int k)
{
  static const char *const names[] = {"free, struck",    "free, loads",     "at rest, one load",
                                      "at rest, loads",  "struck",          "struck, elastic",
                                      "rubbing, loads",  "rubbing, struck", "shaken",
                                      "shaken, rubbing", "shaken, mixed ε", "anything"};
  return names[k];
}

enum { FREE = 1, STRUCK = 2, LOADS = 4, ONE = 8, ELASTIC = 16, RUBS = 32, SHAKEN = 64, MIXED = 128 };

/* Half of all distances are zero, others between 1e-9 and 1e-3 m. */
static double distance(random_state *random)
{
  return random_below(random, 2) ? 0.0 : pow(10.0, random_between(random, -9.0, -3.0));
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int traits[] = {
      FREE | STRUCK, FREE | LOADS,  ONE,    LOADS,         STRUCK,         STRUCK | ELASTIC,
      RUBS | LOADS,  RUBS | STRUCK, SHAKEN, SHAKEN | RUBS, SHAKEN | MIXED, 0};
  random_state random = ask->random;
  const double m = ask->unit.m, s = ask->unit.s, kg = ask->unit.kg, N = kg * m / (s * s);
  /* balls that lose nothing between walls that press hit each other without end */
  const int has = ask->variant < 11 ? traits[ask->variant] : random_below(&random, 256) & ~ELASTIC;
  const int n = 2 + random_below(&random, BALLS - 1), moves = has & (LOADS | ONE);
  const int works = moves && !(has & SHAKEN) && random_below(&random, 2),
            is_tied = random_below(&random, 3) == 0;
  row *p = zoo_model(c, sizeof *p, works ? n + 1 : n, n, n - 1 + (has & FREE ? 0 : 2) + (has & RUBS ? n : 0));
  p->t0 = ask->t0;
  p->n = n;
  p->walls = !(has & FREE);
  p->rubs = (has & RUBS) != 0;
  p->works = works;
  p->d = 0.1 * m;
  p->ws = random_between(&random, 2.0, 30.0) / s;
  p->stroke = has & SHAKEN ? random_between(&random, 0.1, 2.0) * N / (kg * p->ws * p->ws) : 0.0;
  const double eps = has & ELASTIC                   ? 1.0
                     : random_below(&random, 3) == 0 ? 0.0
                                                     : random_between(&random, 0.0, 1.0);
  const double side = random_below(&random, 2) ? 1.0 : -1.0; /* a constant load on all, like a slope */
  double x = 0.0;
  for (int j = 0; j < n; j++) {
    x += j == 0 && (has & STRUCK) ? random_between(&random, 1e-3, 0.1) * m : distance(&random) * m;
    c->q[j] = x + 0.5 * p->d;
    x += p->d;
    p->m[j] = (is_tied ? 1.0 : random_between(&random, 0.3, 3.0)) * kg;
    p->push[j] = has & ELASTIC ? 0.0 : side * p->m[j] * random_between(&random, 0.2, 1.0) * m / (s * s);
    if (has & (LOADS | ONE) && (j == 0 || !(has & ONE))) {
      p->swing[j] = random_between(&random, 0.1, 3.0) * N;
      p->w[j] = random_between(&random, 1.0, 30.0) / s;
      p->phase[j] = random_between(&random, 0.0, 6.28);
    }
  }
  if (has & STRUCK) {
    c->u[0] = random_between(&random, 0.1, 2.0) * m / s;
  }
  p->width = x + distance(&random) * m;
  for (int i = 0; i < hits(p); i++) {
    c->law[i] = zoo_law(0.0, has & MIXED ? random_between(&random, 0.0, 1.0) : eps);
    c->law[i].friction = NSDYN_FRICTION_NONE;
  }
  for (int j = 0; j < n && p->rubs; j++) {
    nsdyn_contact_law *law = &c->law[hits(p) + j];
    *law = zoo_law(0.0, 0.0);
    law->kind = NSDYN_CONTACT_BILATERAL;
    law->friction = NSDYN_FRICTION_BOUND;
    law->bound = random_between(&random, 0.1, 1.5) * p->m[j] * m / (s * s);
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.kinematics = works ? rates : NULL;
  c->inelastic = 1;
  c->span = random_between(&random, 0.3, 3.0) * s;
  c->time = 0.1 * s;
  c->length = m;
  c->speed = 2.0 * m / s;
  c->force = 3.0 * N;
  zoo_sizes(c, m, c->speed);
  c->energy_size = 0.5 * n * kg * c->speed * c->speed;
  c->q_size[n] = c->energy_size;
  /* Newton's law with one ε cannot add energy */
  c->energy = (has & (MIXED | SHAKEN)) || (moves && !works) ? NULL : energy;
  c->judge = (has & FREE) && !(has & (RUBS))                           ? momentum
             : (has & ELASTIC) && !(has & (RUBS | MIXED)) && c->energy ? elastic
                                                                       : NULL;
}

const zoo_machine zoo_row = {"row", 12, variant, make};
