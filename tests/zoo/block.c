/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A block of width 2 b and height 2 c on a floor, two corners; (x, y, φ) of its centre. The floor may shake
 * along itself with the acceleration A sin(w τ + α).
 *
 * Rocking (high friction, ε = 0, slender): about the left corner while φ > 0, about the right one while φ <
 * 0, in between angular momentum about the new corner is kept (Housner 1963). Truth: φ̈ = (m a r_y − m g
 * r_x)/I in long double from corner to corner, as long as forces stay well within the friction cone. Flat: it
 * falls without tilt, like a ball. Truth: closed form. Tilted: it falls onto a corner and comes to lie flat,
 * over ε and μ; energy, gaps and forces are judged. */
#include "path.h"

enum { NODES = 6000 };

typedef struct node {
  long double t, phi, w;
  int side; /* of φ; 0: rests */
} node;

typedef struct block {
  double m, b, c, g, J, mu, eps, A, w, alpha, load, t0, x0;
  int has_bias, rocks, flat;
  int nodes, side; /* of the integration in hand */
  long double end;
  node node[NODES];
  path path;
} block;

static int mass(void *user, double t, const double *q, double *M)
{
  const block *p = user;
  (void)t, (void)q;
  M[0] = M[4] = p->m;
  M[8] = p->J;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const block *p = user;
  (void)q, (void)u;
  h[0] = p->load * cos(p->w * (t - p->t0));
  h[1] = -p->m * p->g;
  return 0;
}

static void corner(const block *p, const double *q, int i, double *r)
{
  const double a = i == 0 ? -p->b : p->b;
  r[0] = a * cos(q[2]) + p->c * sin(q[2]);
  r[1] = a * sin(q[2]) - p->c * cos(q[2]);
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  for (int i = 0; i < 2; i++) {
    double r[2];
    corner(user, q, i, r);
    g[i] = q[1] + r[1];
  }
  return 0;
}

/* Speed of the floor. */
static double speed_of(const block *p, double t)
{
  return p->A > 0.0 ? p->A / p->w * (cos(p->alpha) - cos(p->w * (t - p->t0) + p->alpha)) : 0.0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  double r[2];
  corner(user, q, i, r);
  W[1] = W[3] = 1.0;
  W[2] = r[0];
  W[5] = -r[1];
  w_hat[1] = -speed_of(user, t);
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const block *p = user;
  double r[2];
  corner(user, q, i, r);
  w_bar[0] = -r[1] * u[2] * u[2];
  w_bar[1] = -r[0] * u[2] * u[2] - p->A * sin(p->w * (t - p->t0) + p->alpha);
  return 0;
}

/* ---- rocking
 * -------------------------------------------------------------------------------------------------- */

/* From the pivot to the centre. */
static void arm(const block *p, int side, long double phi, long double *r)
{
  const long double b = side > 0 ? p->b : -p->b, c = p->c;
  r[0] = b * exact_cos(phi) - c * exact_sin(phi);
  r[1] = b * exact_sin(phi) + c * exact_cos(phi);
}

/* y = φ, ω, τ */
static void rate(const void *data, const long double *y, long double *f)
{
  const block *p = data;
  const long double a = p->A * exact_sin(p->w * y[2] + p->alpha),
                    I = p->J + p->m * (p->b * p->b + p->c * p->c);
  long double r[2];
  arm(p, p->side, y[0], r);
  f[0] = y[1];
  f[1] = p->m * (a * r[1] - p->g * r[0]) / I;
  f[2] = 1.0L;
}

/* Friction well within its cone, the corner pressed. */
static int holds(const block *p, const node *n)
{
  const long double y[3] = {n->phi, n->w, n->t}, a = p->A * exact_sin(p->w * n->t + p->alpha);
  long double f[3], r[2];
  if (n->side == 0) {
    return fabsl(a) < 0.9L * p->mu * p->g;
  }
  arm(p, n->side, n->phi, r);
  rate(p, y, f);
  const long double N = p->g + f[1] * r[0] - n->w * n->w * r[1], T = a - f[1] * r[1] - n->w * n->w * r[0];
  return N > 0.05L * p->g && fabsl(T) < 0.9L * p->mu * N;
}

/* The instant of the impact on the other corner, within a step h from `from`. */
static node land(const block *p, const exact_ode *ode, const node *from, long double h)
{
  long double low = 0.0L, high = h;
  node n = *from;
  for (int k = 0; k < 52; k++) {
    const long double middle = 0.5L * (low + high);
    long double y[3] = {from->phi, from->w, from->t};
    exact_ode_step(ode, middle, y);
    *(y[0] * from->side > 0.0L ? &low : &high) = middle;
    n = (node){y[2], 0.0L, y[1], from->side};
  }
  const long double I = p->J + p->m * (p->b * p->b + p->c * p->c),
                    kept = p->J + p->m * (p->c * p->c - p->b * p->b);
  n.w *= kept / I;
  n.side = -from->side;
  return n;
}

static void rock(block *p, double phi, long double end)
{
  const long double rhythm = sqrtl(p->g / p->c), h = 0.05L / (rhythm + p->w);
  const exact_ode ode = {.n = 3, .rate = rate, .data = p};
  p->node[0] = (node){0.0L, phi, 0.0L, phi > 0.0 ? 1 : phi < 0.0 ? -1 : 0};
  int landings = 0;
  p->nodes = 1;
  p->end = end;
  while (p->nodes < NODES) {
    const node *n = &p->node[p->nodes - 1];
    node *next = &p->node[p->nodes];
    const long double a = p->A * exact_sin(p->w * n->t + p->alpha);
    const int slides = !holds(p, n); /* it may have begun to since the node before */
    if (n->t > end || slides || fabsl(n->phi) > 0.9L) {
      p->end = fminl(end, slides && p->nodes > 1 ? n[-1].t : n->t);
      return;
    }
    *next = *n;
    if (n->side == 0) {
      const long double tips = p->g * p->b / p->c;
      if (fabsl(a) >= tips * (1.0L - 1e-15L)) {
        p->node[p->nodes - 1].side = a > 0.0L ? 1 : -1;
        continue;
      }
      long double low = n->t, high = n->t + h;
      if (fabsl(p->A * exact_sin(p->w * high + p->alpha)) >= tips) {
        for (int k = 0; k < 80; k++) {
          const long double middle = 0.5L * (low + high);
          *(fabsl(p->A * exact_sin(p->w * middle + p->alpha)) < tips ? &low : &high) = middle;
        }
      }
      next->t = high;
      p->nodes++;
      continue;
    }
    p->side = n->side;
    long double y[3] = {n->phi, n->w, n->t};
    exact_ode_step(&ode, h, y);
    *next = (node){y[2], y[0], y[1], n->side};
    if (y[0] * n->side <= 0.0L) {
      *next = land(p, &ode, n, h);
      if (++landings > 40 || fabsl(next->w) < 0.02L * rhythm * (long double)(p->b / p->c) ||
          p->c < 1.2 * p->b) {
        p->end = next->t; /* too slow: it may come to rest */
        return;
      }
    }
    p->nodes++;
  }
  p->end = p->node[p->nodes - 1].t;
}

/* The next landing from node `from` on, or −1. */
static int landing_after(const block *p, int from)
{
  for (int i = from + 1; i < p->nodes; i++) {
    if (p->node[i - 1].side != 0 && p->node[i].side != p->node[i - 1].side) {
      return i;
    }
  }
  return -1;
}

/* By how much errors grow: landings of the same motion on a table that shakes by 1e-8 more. A block on a
 * shaking table loses a digit in some impacts. */
static double growth_of(const block *p, double phi, long double end)
{
  const double more = 1e-8;
  double growth = 1.0;
  block *other = malloc(sizeof *other);
  *other = *p;
  other->A *= 1.0 + more;
  rock(other, phi, end);
  for (int i = landing_after(p, 0), j = landing_after(other, 0); i > 0 && j > 0;
       i = landing_after(p, i), j = landing_after(other, j)) {
    const long double off = fabsl(p->node[i].t - other->node[j].t) * p->w;
    growth = fmax(growth, (double)off / more);
  }
  free(other);
  return growth;
}

static int truth_rocking(zoo_case *c, long double tau, zoo_truth *truth)
{
  block *p = c->def.user;
  const exact_ode ode = {.n = 3, .rate = rate, .data = p};
  const long double slack = c->slack;
  int k = 0, high = p->nodes, turns = 0;
  while (high - k > 1) {
    const int middle = (k + high) / 2;
    *(p->node[middle].t <= tau ? &k : &high) = middle;
  }
  truth->knows_q = truth->knows_u = 1;
  for (int i = k + 1 < p->nodes ? k + 1 : k; i > 0; i--) {
    const int lands = p->node[i].side != p->node[i - 1].side && p->node[i - 1].side != 0;
    turns += lands;
    truth->knows_u &= !lands || fabsl(p->node[i].t - tau) > slack;
  }
  if (turns > 4 && p->A > 0.0 && slack > 1e-2L * c->time) {
    return 0; /* steps on a shaking table: errors have grown too much to compare */
  }
  const node *n = &p->node[k];
  long double y[3] = {n->phi, n->w, n->t}, r[2];
  p->side = n->side;
  if (n->side) {
    exact_ode_step(&ode, tau - n->t, y);
  }
  const int side = n->side ? n->side : 1;
  arm(p, side, y[0], r);
  const long double a = p->A > 0.0 ? p->A / p->w : 0.0L, begun = p->alpha;
  const long double drift =
      p->A > 0.0 ? a * (exact_cos(begun) * tau - (exact_sin(p->w * tau + begun) - exact_sin(begun)) / p->w)
                 : 0.0L;
  truth->q[0] = (double)(p->x0 + drift + (side > 0 ? -p->b : p->b) + r[0]);
  truth->q[1] = (double)r[1];
  truth->q[2] = (double)y[0];
  truth->u[0] = (double)(speed_of(p, (double)tau + p->t0) - y[1] * r[1]);
  truth->u[1] = (double)(y[1] * r[0]);
  truth->u[2] = (double)y[1];
  return tau < p->end - (long double)c->slack;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const block *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  if (p->rocks) {
    return truth_rocking(c, tau, truth);
  }
  if (!p->flat) {
    return 0;
  }
  double y[2], v[2];
  const int known = path_at(&p->path, tau, c->slack, y, v, &truth->knows_u);
  truth->q[0] = y[0];
  truth->q[1] = y[1] + p->c;
  truth->u[0] = v[0];
  truth->u[1] = v[1];
  truth->knows_q = 1;
  return known;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const block *p = c->def.user;
  (void)t;
  return 0.5 * p->m * (u[0] * u[0] + u[1] * u[1]) + 0.5 * p->J * u[2] * u[2] + p->m * p->g * q[1];
}

static const char *variant(int k)
{
  static const char *const names[] = {"rocking",
                                      "rocking, bias given",
                                      "on a shaking table",
                                      "on a shaking table, bias given",
                                      "falls flat",
                                      "falls tilted",
                                      "falls with a small tilt",
                                      "falls tilted under a load",
                                      "falls tilted, bias given"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant;
  const double m = ask->unit.m, s = ask->unit.s;
  block *p = zoo_model(c, sizeof *p, 3, 3, 2);
  p->t0 = ask->t0;
  p->rocks = k < 4;
  p->flat = k == 4;
  p->m = random_between(&random, 0.3, 3.0) * ask->unit.kg;
  p->b = random_between(&random, 0.05, 0.5) * m;
  p->c = p->b * (p->rocks ? random_between(&random, 1.8, 5.0) : random_scale(&random, 0.7));
  p->J = p->m * (p->b * p->b + p->c * p->c) / 3.0;
  p->g = 9.81 * m / (s * s);
  p->mu = p->rocks ? random_between(&random, 0.7, 1.5) : random_between(&random, 0.0, 1.0);
  p->eps = p->rocks ? 0.0 : random_between(&random, 0.0, 0.8);
  if (!p->rocks) { /* Newton's law may add energy where there are both */
    const int kind = random_below(&random, 3);
    p->mu *= kind != 0;
    p->eps *= kind != 1;
  }
  p->w = random_between(&random, 0.5, 3.0) * sqrt(p->g / p->c);
  c->time = sqrt(p->b / p->g);
  double phi = 0.0;
  if (k < 2) {
    phi = random_between(&random, 0.2, 0.9) * atan(p->b / p->c) * (random_below(&random, 2) ? 1.0 : -1.0);
  } else if (k < 4) {
    p->A = random_between(&random, 1.1, 2.5) * p->g * p->b / p->c;
    p->alpha = random_below(&random, 2) ? 0.0 : -0.3; /* starts at rest on the table */
  } else if (k != 4) {
    phi = k == 6 ? random_scale(&random, 3.0) * 1e-6 : random_between(&random, -0.7, 0.7);
    p->load = k == 7 ? random_between(&random, 0.1, 0.5) * p->m * p->g : 0.0;
  }
  const double high = p->rocks ? 0.0 : random_between(&random, 0.1, 2.0) * p->b;
  c->q[2] = phi;
  if (p->rocks) {
    long double r[2];
    arm(p, phi >= 0.0 ? 1 : -1, phi, r);
    c->q[1] = (double)r[1];
    p->x0 = (double)-r[0] + (phi >= 0.0 ? p->b : -p->b);
  } else {
    double r[2][2];
    corner(p, c->q, 0, r[0]);
    corner(p, c->q, 1, r[1]);
    c->q[1] = high - fmin(r[0][1], r[1][1]);
    c->u[0] = (k == 4 ? 0.0 : random_between(&random, -2.0, 2.0)) * p->b / c->time;
  }
  c->span = (p->rocks ? 15.0 * sqrt(p->c / p->b) : 25.0) * c->time;
  if (p->rocks) {
    rock(p, phi, c->span);
  }
  if (p->flat) {
    path_leg *leg = path_next(&p->path, 0.0L);
    leg->x[1] = high;
    leg->a[1] = -p->g;
    p->path.end = INFINITY;
    path_hop(&p->path, 0.0L, p->g, 0.0L, p->eps, 0.0L, c->span);
  }
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.bias = k == 1 || k == 3 || k == 8 ? bias : NULL;
  c->law[0] = c->law[1] = zoo_law(p->mu, p->eps);
  c->inelastic = 1;
  c->length = p->b + p->c;
  c->speed = c->length / c->time;
  c->force = p->m * p->g * (1.0 + p->c / p->b);
  zoo_sizes(c, c->length, c->speed);
  c->q_size[2] = 1.0;
  c->u_size[2] = 1.0 / c->time;
  /* Steps are late by parts of a step at each landing, and all of them grow. */
  c->amplify = p->rocks ? 100.0 : 3.0;
  if (p->A > 0.0) {
    c->amplify = fmax(c->amplify, growth_of(p, phi, c->span));
  }
  c->least_steps = 4000;
  c->steps_bound = p->rocks ? 1.0 : 30.0;
  c->truth = truth;
  if (p->A == 0.0 && p->load == 0.0 && p->mu * p->eps == 0.0) {
    c->energy = energy;
    c->energy_size = p->m * p->g * (p->b + p->c);
  }
}

const zoo_machine zoo_block = {"block", 9, variant, make};
