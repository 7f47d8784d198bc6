/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Balls (points) in a smooth box under gravity. Each ball's x and y are free of each other: between the walls
 * x moves in closed form, y falls, hops and comes to rest on the floor. Variants turn the box, so that gaps
 * mix coordinates, or give it a ball by absolute position and one by its distance from the first (a mass
 * matrix that is not diagonal).
 */
#include "path.h"

enum { BALLS = 2 };

typedef struct box {
  double m[BALLS], g, t0, eps, width, height, c, s; /* c, s: the box's axes */
  int balls, relative, has_bias;
  int hits[BALLS];
  long double hit[BALLS][200], x0[BALLS], v0[BALLS]; /* times of hits on side walls */
  path path[BALLS];                                  /* y alone; x of the path is not used */
} box;

/* Position of ball k in the room from coordinates, or velocities. */
static void place(const box *p, const double *q, int k, double *r)
{
  r[0] = q[2 * k] + (k && p->relative ? q[0] : 0.0);
  r[1] = q[2 * k + 1] + (k && p->relative ? q[1] : 0.0);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const box *p = user;
  const int n = 2 * p->balls;
  (void)t, (void)q;
  for (int k = 0; k < p->balls; k++) {
    for (int j = 0; j < 2; j++) {
      M[(2 * k + j) * (n + 1)] += p->m[k];
      if (k && p->relative) {
        M[j * (n + 1)] += p->m[k];
        M[(2 + j) * n + j] = M[j * n + 2 + j] = p->m[k];
      }
    }
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const box *p = user;
  const double down[2] = {p->s * p->g, -p->c * p->g};
  (void)t, (void)q, (void)u;
  for (int k = 0; k < p->balls; k++) {
    for (int j = 0; j < 2; j++) {
      h[2 * k + j] += p->m[k] * down[j];
      h[j] += k && p->relative ? p->m[k] * down[j] : 0.0;
    }
  }
  return 0;
}

/* Normals of floor, left, right wall in the room; the box's x axis is (c, s), its y axis (−s, c). */
static int gap(void *user, double t, const double *q, double *g)
{
  const box *p = user;
  (void)t;
  for (int k = 0; k < p->balls; k++) {
    double r[2];
    place(p, q, k, r);
    g[3 * k] = -p->s * r[0] + p->c * r[1];
    g[3 * k + 1] = p->c * r[0] + p->s * r[1];
    g[3 * k + 2] = p->width - p->c * r[0] - p->s * r[1];
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const box *p = user;
  const int k = i / 3, wall = i % 3, n = 2 * p->balls;
  const double normal[3][2] = {{-p->s, p->c}, {p->c, p->s}, {-p->c, -p->s}};
  (void)t, (void)q;
  w_hat[0] = 0.0;
  for (int j = 0; j < 2; j++) {
    const double along = j ? -normal[wall][0] : normal[wall][1];
    W[2 * k + j] = normal[wall][j];
    W[n + 2 * k + j] = along;
    if (k && p->relative) {
      W[j] = normal[wall][j];
      W[n + j] = along;
    }
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  (void)user, (void)t, (void)q, (void)u, (void)i;
  w_bar[0] = 0.0;
  return 0;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const box *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  double r[2 * BALLS], v[2 * BALLS];
  truth->knows_q = truth->knows_u = 1;
  for (int k = 0; k < p->balls; k++) {
    double y[2], vy[2];
    int knows;
    long double x = p->x0[k], u = p->v0[k], from = 0.0L;
    path_at(&p->path[k], tau, c->slack, y, vy, &knows);
    truth->knows_u &= knows;
    for (int i = 0; i < p->hits[k]; i++) {
      truth->knows_u &= fabsl(p->hit[k][i] - tau) > (long double)c->slack;
      if (p->hit[k][i] <= tau) {
        from = p->hit[k][i];
        x = u < 0.0L ? 0.0L : p->width;
        u *= -(long double)p->eps;
      }
    }
    x += u * (tau - from);
    r[2 * k] = p->c * (double)x - p->s * y[1];
    r[2 * k + 1] = p->s * (double)x + p->c * y[1];
    v[2 * k] = p->c * (double)u - p->s * vy[1];
    v[2 * k + 1] = p->s * (double)u + p->c * vy[1];
  }
  for (int j = 0; j < 2 * p->balls; j++) {
    const int other = j >= 2 && p->relative;
    truth->q[j] = r[j] - (other ? r[j - 2] : 0.0);
    truth->u[j] = v[j] - (other ? v[j - 2] : 0.0);
  }
  return 1;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const box *p = c->def.user;
  double sum = 0.0;
  (void)t;
  for (int k = 0; k < p->balls; k++) {
    double r[2], v[2];
    place(p, q, k, r);
    place(p, u, k, v);
    sum += p->m[k] * (0.5 * (v[0] * v[0] + v[1] * v[1]) + p->g * (-p->s * r[0] + p->c * r[1]));
  }
  return sum;
}

static const char *variant(int k)
{
  static const char *const names[] = {"one ball, upright",   "one ball, turned",          "two balls, turned",
                                      "two balls, relative", "two balls, relative, bias", "no gravity"};
  return names[k];
}

static void start(box *p, int k, random_state *random, zoo_case *c, double m, double speed)
{
  const double x = random_between(random, 0.1, 0.9) * p->width, y = random_between(random, 0.1, 1.0) * m;
  const double vx = random_between(random, -3.0, 3.0) * speed, vy = random_between(random, 0.0, 2.0) * speed;
  path_leg *leg = path_next(&p->path[k], 0.0L);
  p->x0[k] = x;
  p->v0[k] = vx;
  leg->x[1] = y;
  leg->v[1] = vy;
  leg->a[1] = -p->g;
  p->path[k].end = INFINITY;
  if (p->g > 0.0) {
    path_hop(&p->path[k], 0.0L, p->g, 0.0L, p->eps, 0.0L, c->span);
  }
  long double u = vx, t = (u < 0.0L ? -x : p->width - x) / u;
  while (t < c->span && p->hits[k] < 200) {
    p->hit[k][p->hits[k]++] = t;
    u *= -(long double)p->eps;
    t += p->width / fabsl(u);
  }
  const double r[2] = {p->c * x - p->s * y, p->s * x + p->c * y},
               v[2] = {p->c * vx - p->s * vy, p->s * vx + p->c * vy};
  for (int j = 0; j < 2; j++) {
    c->q[2 * k + j] = r[j] - (k && p->relative ? c->q[j] : 0.0);
    c->u[2 * k + j] = v[j] - (k && p->relative ? c->u[j] : 0.0);
  }
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, balls = k >= 2 && k < 5 ? 2 : 1;
  const double m = ask->unit.m, s = ask->unit.s, turn = k == 0 ? 0.0 : random_between(&random, -3.0, 3.0);
  box *p = zoo_model(c, sizeof *p, 2 * balls, 2 * balls, 3 * balls);
  p->t0 = ask->t0;
  p->balls = balls;
  p->relative = k == 3 || k == 4;
  p->g = k == 5 ? 0.0 : 9.81 * m / (s * s);
  p->c = cos(turn);
  p->s = sin(turn);
  p->eps = k == 5 ? random_between(&random, 0.7, 1.0) : random_between(&random, 0.1, 0.9);
  p->width = random_between(&random, 0.5, 2.0) * m;
  c->span = random_between(&random, 1.0, 5.0) * s;
  for (int i = 0; i < balls; i++) {
    p->m[i] = random_between(&random, 0.3, 3.0) * ask->unit.kg;
    start(p, i, &random, c, m, m / s);
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 4 ? bias : NULL;
  for (int i = 0; i < 6; i++) {
    c->law[i] = zoo_law(0.0, p->eps);
    c->law[i].friction = i % 2 ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
  }
  c->time = 0.3 * s;
  c->length = m;
  c->speed = 3.0 * m / s;
  c->force = 9.81 * ask->unit.kg * m / (s * s);
  zoo_sizes(c, m, 3.0 * m / s);
  c->amplify = 3.0;
  c->steps_bound = 20.0;
  c->truth = truth;
  c->energy = energy;
  c->energy_size = 20.0 * ask->unit.kg * m * m / (s * s);
}

const zoo_machine zoo_box = {"box", 6, variant, make};
