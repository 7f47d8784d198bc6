/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A pendulum of 1 to 4 links, point masses at their ends, between two walls and above a floor. In angles, or
 * in the masses' coordinates with a constraint for each rod. Truth up to the first contact: the equations of
 * motion in angles, solved in long double, and up to where the chaotic motion makes more of errors than is
 * allowed; then gaps, rods, energy and forces are judged. */
#include "zoo.h"

enum { LINKS = 4, MARKS = 400 };

#define APART 1e-9L /* rad: a neighbour */

typedef struct chain {
  double m[LINKS], l[LINKS], g, wall, floor, t0;
  int n, cartesian;
  long double end, h;
  long double size[2 * LINKS]; /* of angles and angular velocities */
  long double mark[MARKS + 1][2 * LINKS];
} chain;

/* Masses from `i` on hang on joint i and j. */
static double below(const chain *p, int i, int j)
{
  double sum = 0.0;
  for (int k = i > j ? i : j; k < p->n; k++) {
    sum += p->m[k];
  }
  return sum;
}

static int mass(void *user, double t, const double *q, double *M)
{
  const chain *p = user;
  (void)t;
  if (p->cartesian) {
    for (int j = 0; j < 2 * p->n; j++) {
      M[j * (2 * p->n + 1)] = p->m[j / 2];
    }
    return 0;
  }
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      M[i * p->n + j] = below(p, i, j) * p->l[i] * p->l[j] * cos(q[i] - q[j]);
    }
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const chain *p = user;
  (void)t;
  for (int i = 0; i < p->n; i++) {
    if (p->cartesian) {
      h[2 * i + 1] = -p->m[i] * p->g;
      continue;
    }
    h[i] = -below(p, i, i) * p->g * p->l[i] * sin(q[i]);
    for (int j = 0; j < p->n; j++) {
      h[i] -= below(p, i, j) * p->l[i] * p->l[j] * sin(q[i] - q[j]) * u[j] * u[j];
    }
  }
  return 0;
}

/* Position of mass k; the top is at (0, 0), angles are from straight down. */
static void place(const chain *p, const double *q, int k, double *r)
{
  r[0] = r[1] = 0.0;
  if (p->cartesian) {
    r[0] = q[2 * k];
    r[1] = q[2 * k + 1];
    return;
  }
  for (int i = 0; i <= k; i++) {
    r[0] += p->l[i] * sin(q[i]);
    r[1] -= p->l[i] * cos(q[i]);
  }
}

/* Of mass k: floor, left wall, right wall. */
static int gap(void *user, double t, const double *q, double *g)
{
  const chain *p = user;
  (void)t;
  for (int k = 0; k < p->n; k++) {
    double r[2];
    place(p, q, k, r);
    g[3 * k] = r[1] + p->floor;
    g[3 * k + 1] = r[0] + p->wall;
    g[3 * k + 2] = p->wall - r[0];
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  static const double normals[3][2] = {{0.0, 1.0}, {1.0, 0.0}, {-1.0, 0.0}};
  const chain *p = user;
  const int k = i / 3, n = p->cartesian ? 2 * p->n : p->n;
  const double *normal = normals[i % 3];
  (void)t;
  w_hat[0] = 0.0;
  if (p->cartesian) {
    W[2 * k] = normal[0];
    W[2 * k + 1] = normal[1];
    W[n + 2 * k] = normal[1];
    W[n + 2 * k + 1] = -normal[0];
    return 0;
  }
  for (int j = 0; j <= k; j++) {
    const double x = p->l[j] * cos(q[j]), y = p->l[j] * sin(q[j]);
    W[j] = normal[0] * x + normal[1] * y;
    W[n + j] = normal[1] * x - normal[0] * y;
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  static const double normals[3][2] = {{0.0, 1.0}, {1.0, 0.0}, {-1.0, 0.0}};
  const chain *p = user;
  const double *normal = normals[i % 3];
  (void)t;
  for (int j = 0; j <= i / 3 && !p->cartesian; j++) {
    const double x = -p->l[j] * sin(q[j]) * u[j] * u[j], y = p->l[j] * cos(q[j]) * u[j] * u[j];
    w_bar[0] += normal[0] * x + normal[1] * y;
    w_bar[1] += normal[1] * x - normal[0] * y;
  }
  return 0;
}

/* Half squares of the rods. */
static int rods(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const chain *p = user;
  (void)t;
  w_hat_b[0] = 0.0;
  for (int k = 0; k < p->n; k++) {
    double r[2];
    for (int j = 0; j < 2; j++) {
      r[j] = q[2 * k + j] - (k ? q[2 * k - 2 + j] : 0.0);
      W_b[k * 2 * p->n + 2 * k + j] = r[j];
      if (k) {
        W_b[k * 2 * p->n + 2 * k - 2 + j] = -r[j];
      }
    }
    g_b[k] = 0.5 * (r[0] * r[0] + r[1] * r[1] - p->l[k] * p->l[k]);
  }
  return 0;
}

/* ---- the truth
 * ------------------------------------------------------------------------------------------------ */

static void rate(const void *data, const long double *y, long double *f)
{
  const chain *p = data;
  const int n = p->n;
  long double A[LINKS][LINKS + 1], s[LINKS], c[LINKS];
  for (int i = 0; i < n; i++) {
    exact_sin_cos(y[i], &s[i], &c[i]);
  }
  for (int i = 0; i < n; i++) {
    A[i][n] = -below(p, i, i) * p->g * s[i];
    for (int j = 0; j < n; j++) { /* with the cosine and the sine of y_i − y_j */
      const long double share = below(p, i, j) * p->l[j];
      A[i][j] = share * (c[i] * c[j] + s[i] * s[j]);
      A[i][n] -= share * (s[i] * c[j] - c[i] * s[j]) * y[n + j] * y[n + j];
    }
  }
  for (int k = 0; k < n; k++) { /* positive definite but for the row's scale: no pivoting */
    for (int i = 0; i < n; i++) {
      const long double share = i == k ? 0.0L : A[i][k] / A[k][k];
      for (int j = k; j <= n; j++) {
        A[i][j] -= share * A[k][j];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    f[i] = y[n + i];
    f[n + i] = A[i][n] / A[i][i];
  }
}

/* Of each mass: floor, left wall, right wall; and how fast they open. */
static void clearances(const chain *p, const long double *y, long double *g, long double *opening)
{
  long double r[2] = {0.0L, 0.0L}, v[2] = {0.0L, 0.0L};
  for (int k = 0; k < p->n; k++) {
    long double s, c;
    exact_sin_cos(y[k], &s, &c);
    r[0] += p->l[k] * s;
    r[1] -= p->l[k] * c;
    v[0] += p->l[k] * c * y[p->n + k];
    v[1] += p->l[k] * s * y[p->n + k];
    g[3 * k] = r[1] + p->floor;
    g[3 * k + 1] = p->wall + r[0];
    g[3 * k + 2] = p->wall - r[0];
    opening[3 * k] = v[1];
    opening[3 * k + 1] = v[0];
    opening[3 * k + 2] = -v[0];
  }
}

/* The least value of the cubic from g0 to g1 that begins with the rise a and ends with the rise b. */
static long double least_between(long double g0, long double a, long double g1, long double b)
{
  const long double square = 3.0L * (g1 - g0) - 2.0L * a - b, cube = a + b - 2.0L * (g1 - g0);
  long double low = 0.0L, high = 1.0L;
  if (a >= 0.0L || b <= 0.0L) {
    return fminl(g0, g1);
  }
  for (int k = 0; k < 60; k++) {
    const long double s = 0.5L * (low + high);
    *(a + s * (2.0L * square + s * 3.0L * cube) < 0.0L ? &low : &high) = s;
  }
  return g0 + low * (a + low * (square + low * cube));
}

/* Whether something is touched from one mark to the next: at the second, or between them, which a touch as
 * short as that would hide. What only just passes counts as touched. */
static int touches(const chain *p, const long double *from, const long double *to)
{
  long double g[2][3 * LINKS], opening[2][3 * LINKS];
  clearances(p, from, g[0], opening[0]);
  clearances(p, to, g[1], opening[1]);
  for (int i = 0; i < 3 * p->n; i++) {
    const long double passes = least_between(g[0][i], p->h * opening[0][i], g[1][i], p->h * opening[1][i]);
    if (passes <= 1e-5L * p->wall) {
      return 1;
    }
  }
  return 0;
}

static long double room(const chain *p, const long double *y)
{
  long double g[3 * LINKS], opening[3 * LINKS], least = INFINITY;
  clearances(p, y, g, opening);
  for (int i = 0; i < 3 * p->n; i++) {
    least = fminl(least, g[i]);
  }
  return least;
}

/* By how much a neighbour has parted, over how far it began; `time` makes angles of velocities. */
static long double parted(const chain *p, const long double *y, const long double *beside, long double time)
{
  long double most = 0.0L;
  for (int i = 0; i < p->n; i++) {
    const long double apart[2] = {fabsl(beside[i] - y[i]), time * fabsl(beside[p->n + i] - y[p->n + i])};
    most = fmaxl(most, fmaxl(apart[0], apart[1]));
  }
  return most / APART;
}

/* Far more accurate than what is judged, as errors grow on the way. */
static exact_ode motion_of(const chain *p)
{
  return (exact_ode){.n = 2 * p->n, .rate = rate, .data = p, .size = p->size, .accuracy = 1e-15L};
}

/* Known as long as a neighbour parts by less than `amplify`. */
static void swing(chain *p, const double *phi, const double *w, long double span, long double amplify)
{
  const long double time = 0.1L * span;
  long double y[2 * LINKS], beside[2 * LINKS];
  for (int i = 0; i < p->n; i++) {
    const long double apart = i % 2 ? -APART : APART;
    y[i] = phi[i];
    y[p->n + i] = w[i];
    beside[i] = y[i] + apart;
    beside[p->n + i] = y[p->n + i] + apart / time;
    p->size[i] = 1.0L;
    p->size[p->n + i] = 1.0L / time;
  }
  const exact_ode ode = motion_of(p);
  p->h = span / MARKS;
  for (int k = 0; k <= MARKS; k++) {
    memcpy(p->mark[k], y, sizeof(long double) * 2 * (size_t)p->n);
    p->end = p->h * k;
    exact_ode_step(&ode, p->h, y);
    exact_ode_step(&ode, p->h, beside);
    if (touches(p, p->mark[k], y) || parted(p, y, beside, time) > amplify) {
      return;
    }
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const chain *p = c->def.user;
  const exact_ode ode = motion_of(p);
  const long double tau = (long double)t - p->t0;
  long double y[2 * LINKS], r[2] = {0.0L}, v[2] = {0.0L};
  /* of steps of several links errors grow too much to compare for long */
  if (tau > p->end || (p->n > 1 && c->slack > 1e-2 * c->time && tau > 1.5L * c->time)) {
    return 0;
  }
  const int k = (int)(tau / p->h);
  memcpy(y, p->mark[k], sizeof y);
  exact_ode_step(&ode, tau - p->h * k, y);
  truth->knows_q = truth->knows_u = 1;
  for (int i = 0; i < p->n; i++) {
    r[0] += p->l[i] * exact_sin(y[i]);
    r[1] -= p->l[i] * exact_cos(y[i]);
    v[0] += p->l[i] * exact_cos(y[i]) * y[p->n + i];
    v[1] += p->l[i] * exact_sin(y[i]) * y[p->n + i];
    for (int j = 0; j < 2 && p->cartesian; j++) {
      truth->q[2 * i + j] = (double)r[j];
      truth->u[2 * i + j] = (double)v[j];
    }
    if (!p->cartesian) {
      truth->q[i] = (double)y[i];
      truth->u[i] = (double)y[p->n + i];
    }
  }
  return 1;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const chain *p = c->def.user;
  double sum = 0.0, v[2] = {0.0, 0.0};
  (void)t;
  for (int k = 0; k < p->n; k++) {
    double r[2];
    place(p, q, k, r);
    v[0] = p->cartesian ? u[2 * k] : v[0] + p->l[k] * cos(q[k]) * u[k];
    v[1] = p->cartesian ? u[2 * k + 1] : v[1] + p->l[k] * sin(q[k]) * u[k];
    sum += p->m[k] * (0.5 * (v[0] * v[0] + v[1] * v[1]) + p->g * r[1]);
  }
  return sum;
}

static const char *variant(int k)
{
  static const char *const names[] = {"1 link",        "2 links",
                                      "3 links",       "4 links",
                                      "1 link, rods",  "2 links, rods",
                                      "3 links, rods", "4 links, rods",
                                      "2 links, bias", "3 links, corner of floor and wall"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  static const int links[] = {1, 2, 3, 4, 1, 2, 3, 4, 2, 3};
  random_state random = ask->random;
  const int k = ask->variant, n = links[k], cartesian = k >= 4 && k < 8;
  const double m = ask->unit.m, s = ask->unit.s;
  double phi[LINKS], w[LINKS], reach = 0.0, masses = 0.0;
  chain *p = zoo_model(c, sizeof *p, cartesian ? 2 * n : n, cartesian ? 2 * n : n, 3 * n);
  p->t0 = ask->t0;
  p->n = n;
  p->cartesian = cartesian;
  p->g = 9.81 * m / (s * s);
  for (int i = 0; i < n; i++) {
    p->m[i] = random_between(&random, 0.3, 2.0) * ask->unit.kg;
    p->l[i] = random_between(&random, 0.3, 1.0) * m;
    reach += p->l[i];
    masses += p->m[i];
  }
  p->wall = reach * random_between(&random, 0.2, 0.7);
  p->floor = reach * (k == 9 ? random_between(&random, 0.6, 0.9) : random_between(&random, 0.8, 1.3));
  c->time = sqrt(reach / p->g);
  for (;; p->wall *= 1.02, p->floor *= 1.02) { /* there may be no room */
    long double y[2 * LINKS] = {0.0L};
    for (int i = 0; i < n; i++) {
      phi[i] = random_between(&random, -1.5, 1.5);
      w[i] = random_between(&random, -1.0, 1.0) / c->time;
      y[i] = phi[i];
    }
    if (room(p, y) > 0.01L * reach) {
      break;
    }
  }
  c->span = 10.0 * c->time;
  c->amplify = n < 3 ? 1e3 : 1e4;
  swing(p, phi, w, c->span, 0.1L * c->amplify);
  double r[2] = {0.0, 0.0}, v[2] = {0.0, 0.0};
  for (int i = 0; i < n; i++) {
    r[0] += p->l[i] * sin(phi[i]);
    r[1] -= p->l[i] * cos(phi[i]);
    v[0] += p->l[i] * cos(phi[i]) * w[i];
    v[1] += p->l[i] * sin(phi[i]) * w[i];
    for (int j = 0; j < 2 && cartesian; j++) {
      c->q[2 * i + j] = r[j];
      c->u[2 * i + j] = v[j];
    }
    if (!cartesian) {
      c->q[i] = phi[i];
      c->u[i] = w[i];
    }
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 8 ? bias : NULL;
  if (cartesian) {
    c->def.nconstraints = n;
    c->def.constraint = rods;
  }
  /* Newton's law cannot add energy without friction and with one ε, nor with ε = 0 */
  const int kind = random_below(&random, 4);
  const double mu = kind == 0 ? 0.0 : random_between(&random, 0.0, 0.5);
  const double eps = kind == 1 ? 0.0 : random_between(&random, 0.0, 0.9);
  for (int i = 0; i < 3 * n; i++) {
    c->law[i] = zoo_law(mu, kind < 2 || random_below(&random, 3) ? eps : random_between(&random, 0.0, 0.9));
    c->constraint_size[i] = 0.5 * reach * reach;
  }
  c->inelastic = 1;
  c->length = reach;
  c->speed = reach / c->time;
  c->force = 5.0 * masses * p->g;
  zoo_sizes(c, cartesian ? reach : 1.0, cartesian ? c->speed : 1.0 / c->time);
  c->least_steps = 4000;
  c->steps_bound = 1.0;
  c->truth = truth;
  c->energy = kind < 2 ? energy : NULL;
  c->energy_size = masses * p->g * reach;
}

const zoo_machine zoo_chain = {"chain", 10, variant, make};
