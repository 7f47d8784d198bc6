/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A hopper of disks: they fall between two slanted walls over a floor, roll, rub and come to rest; contacts
 * known, or found. Chaotic: judged by invariants, gaps and energy; and at the end, of a long fall, by rest.
 */
#include "zoo.h"

enum { DISKS = 5, WALLS = 3 };

typedef struct hopper {
  double m[DISKS], r[DISKS], g, mu, eps, slant, width;
  int n;
} hopper;

/* Contact k: of disk i with wall j, or with disk j. */
static int pair_of(const hopper *p, int k, int *i, int *j)
{
  if (k < WALLS * p->n) {
    *i = k / WALLS;
    *j = k % WALLS;
    return 0;
  }
  k -= WALLS * p->n;
  for (*i = 0; k >= p->n - 1 - *i; (*i)++) {
    k -= p->n - 1 - *i;
  }
  *j = *i + 1 + k;
  return 1;
}

static int contacts_of(const hopper *p)
{
  return WALLS * p->n + p->n * (p->n - 1) / 2;
}

static double touch(const hopper *p, const double *q, int k, double *W)
{
  const int n = 3 * p->n;
  int i, j;
  const int two = pair_of(p, k, &i, &j);
  if (two) {
    const double x = q[3 * i] - q[3 * j], y = q[3 * i + 1] - q[3 * j + 1], far = sqrt(x * x + y * y);
    if (W) {
      const double nx = x / far, ny = y / far;
      W[3 * i] = nx;
      W[3 * i + 1] = ny;
      W[3 * j] = -nx;
      W[3 * j + 1] = -ny;
      W[n + 3 * i] = ny;
      W[n + 3 * i + 1] = -nx;
      W[n + 3 * i + 2] = p->r[i];
      W[n + 3 * j] = -ny;
      W[n + 3 * j + 1] = nx;
      W[n + 3 * j + 2] = p->r[j];
    }
    return far - p->r[i] - p->r[j];
  }
  /* floor, left wall, right wall: normals */
  const double nx = j == 0 ? 0.0 : (j == 1 ? 1.0 : -1.0) * cos(p->slant), ny = j == 0 ? 1.0 : sin(p->slant);
  const double x0 = j == 0 ? 0.0 : (j == 1 ? -0.5 : 0.5) * p->width;
  if (W) {
    W[3 * i] = nx;
    W[3 * i + 1] = ny;
    W[n + 3 * i] = ny;
    W[n + 3 * i + 1] = -nx;
    W[n + 3 * i + 2] = p->r[i];
  }
  return (q[3 * i] - x0) * nx + q[3 * i + 1] * ny - p->r[i];
}

static int mass(void *user, double t, const double *q, double *M)
{
  const hopper *p = user;
  const int n = 3 * p->n;
  (void)t, (void)q;
  for (int j = 0; j < n; j++) {
    M[j * n + j] = p->m[j / 3] * (j % 3 == 2 ? 0.5 * p->r[j / 3] * p->r[j / 3] : 1.0);
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const hopper *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < p->n; i++) {
    h[3 * i + 1] = -p->m[i] * p->g;
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const hopper *p = user;
  (void)t;
  for (int k = 0; k < contacts_of(p); k++) {
    g[k] = touch(p, q, k, NULL);
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t;
  w_hat[0] = 0.0;
  touch(user, q, i, W);
  return 0;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const hopper *p = c->def.user;
  double sum = 0.0;
  (void)t;
  for (int i = 0; i < p->n; i++) {
    const double *v = u + 3 * i;
    sum += p->m[i] *
           (0.5 * (v[0] * v[0] + v[1] * v[1] + 0.5 * p->r[i] * p->r[i] * v[2] * v[2]) + p->g * q[3 * i + 1]);
  }
  return sum;
}

static const char *variant(int k)
{
  static const char *const names[] = {"three disks, inelastic", "three disks, no friction",
                                      "three disks, bounce", "four disks, inelastic"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int many[] = {3, 3, 3, 4};
  random_state random = ask->random;
  const int k = ask->variant, n = many[k];
  const double m = ask->unit.m, s = ask->unit.s;
  hopper *p = zoo_model(c, sizeof *p, 3 * n, 3 * n, WALLS * n + n * (n - 1) / 2);
  p->n = n;
  p->g = 9.81 * m / (s * s);
  p->slant = random_between(&random, 0.2, 0.7);
  p->width = 0.5 * m;
  for (int i = 0; i < n; i++) {
    p->r[i] = random_between(&random, 0.05, 0.1) * m;
    p->m[i] = random_between(&random, 0.3, 3.0) * ask->unit.kg;
    c->q[3 * i] = random_between(&random, -0.1, 0.1) * m;
    c->q[3 * i + 1] = (0.15 + 0.25 * i) * m;
    c->u[3 * i] = random_between(&random, -1.0, 1.0) * m / s;
  }
  for (int i = 0; i < c->def.ncontacts; i++) {
    c->law[i] = zoo_law(k == 1 ? 0.0 : random_between(&random, 0.1, 0.6),
                        k == 2 ? random_between(&random, 0.1, 0.5) : 0.0);
    c->law[i].friction = k == 1 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->time = 0.1 * s;
  c->span = 1.0 * s;
  c->length = 0.1 * m;
  c->speed = 2.0 * m / s;
  c->force = p->m[0] * p->g;
  zoo_sizes(c, 0.1 * m, 2.0 * m / s);
  for (int i = 0; i < n; i++) {
    c->q_size[3 * i + 2] = 1.0;
    c->u_size[3 * i + 2] = 20.0 / s;
  }
  c->energy = energy;
  c->energy_size = c->force * m;
  c->least_steps = 2000;
}

const zoo_machine zoo_hopper = {"hopper", 4, variant, make};
