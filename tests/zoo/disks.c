/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Three disks in a box: thrown together they hit each other and the walls, roll, rub, climb on each other and
 * come to rest, with w̄ differenced. Chaotic: judged by invariants, gaps and energy, and by the laws of
 * forces. */
#include "zoo.h"

enum { DISKS = 3, WALLS = 4 };

typedef struct disks {
  double m[DISKS], r[DISKS], g, width, height;
} disks;

/* Contact k: of disk i with wall j, or with disk j; returns whether with a disk. */
static int pair_of(int k, int *i, int *j)
{
  if (k < WALLS * DISKS) {
    *i = k / WALLS;
    *j = k % WALLS;
    return 0;
  }
  k -= WALLS * DISKS;
  for (*i = 0; k >= DISKS - 1 - *i; (*i)++) {
    k -= DISKS - 1 - *i;
  }
  *j = *i + 1 + k;
  return 1;
}

/* Disk i is touched along the normal (nx, ny), which points into it; rows of W are n long. */
static void push(const disks *p, int i, double nx, double ny, double side, double *W)
{
  const int n = 3 * DISKS;
  W[3 * i] = side * nx;
  W[3 * i + 1] = side * ny;
  W[n + 3 * i] = side * ny;
  W[n + 3 * i + 1] = -side * nx;
  W[n + 3 * i + 2] = p->r[i];
}

static double touch(const disks *p, const double *q, int k, double *W)
{
  static const double nx[WALLS] = {0.0, 0.0, 1.0, -1.0}, ny[WALLS] = {1.0, -1.0, 0.0, 0.0};
  int i, j;
  if (pair_of(k, &i, &j)) {
    const double x = q[3 * i] - q[3 * j], y = q[3 * i + 1] - q[3 * j + 1], far = sqrt(x * x + y * y);
    if (W) {
      push(p, i, x / far, y / far, 1.0, W);
      push(p, j, x / far, y / far, -1.0, W);
    }
    return far - p->r[i] - p->r[j];
  }
  if (W) {
    push(p, i, nx[j], ny[j], 1.0, W);
  }
  const double at[WALLS] = {q[3 * i + 1], p->height - q[3 * i + 1], q[3 * i], p->width - q[3 * i]};
  return at[j] - p->r[i];
}

static int mass(void *user, double t, const double *q, double *M)
{
  const disks *p = user;
  const int n = 3 * DISKS;
  (void)t, (void)q;
  for (int j = 0; j < n; j++) {
    M[j * n + j] = p->m[j / 3] * (j % 3 == 2 ? 0.5 * p->r[j / 3] * p->r[j / 3] : 1.0);
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const disks *p = user;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < DISKS; i++) {
    h[3 * i + 1] = -p->m[i] * p->g;
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const disks *p = user;
  (void)t;
  for (int k = 0; k < WALLS * DISKS + DISKS * (DISKS - 1) / 2; k++) {
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
  const disks *p = c->def.user;
  double sum = 0.0;
  (void)t;
  for (int i = 0; i < DISKS; i++) {
    const double *v = u + 3 * i;
    sum += p->m[i] *
           (0.5 * (v[0] * v[0] + v[1] * v[1] + 0.5 * p->r[i] * p->r[i] * v[2] * v[2]) + p->g * q[3 * i + 1]);
  }
  return sum;
}

static const char *variant(int k)
{
  static const char *const names[] = {"inelastic", "bounce", "no friction"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, n = DISKS;
  const double m = ask->unit.m, s = ask->unit.s;
  disks *p = zoo_model(c, sizeof *p, 3 * n, 3 * n, WALLS * n + n * (n - 1) / 2);
  double top = 0.0;
  p->g = 9.81 * m / (s * s);
  p->width = random_between(&random, 1.0, 3.0) * m;
  p->height = 6.0 * m;
  for (int i = 0; i < n; i++) {
    p->r[i] = random_between(&random, 0.12, 0.3) * m;
    p->m[i] = random_between(&random, 0.1, 3.0) * ask->unit.kg;
    c->q[3 * i] = p->r[i] + random_between(&random, 0.0, p->width - 2.0 * p->r[i]);
    top += p->r[i] * random_between(&random, 1.0, 1.3);
    c->q[3 * i + 1] = top;
    top += p->r[i];
    c->u[3 * i] = random_between(&random, -3.0, 3.0) * m / s;
    c->u[3 * i + 1] = random_between(&random, -2.0, 2.0) * m / s;
    c->u[3 * i + 2] = random_between(&random, -15.0, 15.0) / s;
  }
  const double mu = random_between(&random, 0.1, 0.8), eps = random_between(&random, 0.2, 0.8);
  for (int i = 0; i < c->def.ncontacts; i++) {
    c->law[i] = zoo_law(k == 2 ? 0.0 : mu, k == 0 ? 0.0 : eps);
    c->law[i].friction = k == 2 ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->impact = NSDYN_IMPACT_POISSON;
  c->ambiguous = NSDYN_AMBIGUITY_STICK; /* where several motions can follow, any of them keeps the laws */
  c->events_only = 1;
  c->time = 0.1 * s;
  c->span = 2.0 * s;
  c->length = 0.3 * m;
  c->speed = 3.0 * m / s;
  c->force = p->m[0] * p->g;
  for (int i = 1; i < n; i++) {
    c->force = fmax(c->force, p->m[i] * p->g);
  }
  zoo_sizes(c, 0.3 * m, 3.0 * m / s);
  for (int i = 0; i < n; i++) {
    c->q_size[3 * i + 2] = 1.0;
    c->u_size[3 * i + 2] = 20.0 / s;
  }
  c->energy = energy;
  c->energy_size = c->force * m;
}

const zoo_machine zoo_disks = {"disks", 3, variant, make};
