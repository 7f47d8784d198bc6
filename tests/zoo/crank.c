/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Slider and crank.
 *
 * With clearance: crank, rod, slider by θ and two times (x, y, φ); a constraint turns the crank, θ = Ω τ +
 * θ₀, four close the joints; the slider's corners have clearance in a guide. Judged: θ, joints, gaps,
 * friction; the slider cannot be farther from the axis than its clearance. Without: the angle θ alone, the
 * slider without friction on the axis, M(θ), gravity and a stop that the slider hits with ε. Truth: θ̈ from
 * the energy in long double; hits by bisection. */
#include "zoo.h"

enum { GRID = 3000, HITS = 60 };

typedef struct hit {
  long double t, theta, w;
} hit;

typedef struct crank {
  double l1, l2, m1, m2, m3, J1, J2, J3, a, b, d, g, Omega, theta0, t0, mu, eps, stop;
  int clearance, side, has_bias;
  int hits;
  long double end, size[2]; /* of θ and its rate */
  hit hit[HITS];
} crank;

/* ---- with clearance: q = θ, x2 y2 φ2, x3 y3 φ3
 * ----------------------------------------------------------------- */

static int mass_7(void *user, double t, const double *q, double *M)
{
  const crank *p = user;
  const double diagonal[7] = {p->J1, p->m2, p->m2, p->J2, p->m3, p->m3, p->J3};
  (void)t, (void)q;
  for (int j = 0; j < 7; j++) {
    M[8 * j] = diagonal[j];
  }
  return 0;
}

static int force_7(void *user, double t, const double *q, const double *u, double *h)
{
  const crank *p = user;
  (void)t, (void)q, (void)u;
  h[2] = -p->m2 * p->g;
  h[5] = -p->m3 * p->g;
  return 0;
}

/* Corner i of the slider relative to its centre; 0 and 1 are below. The slider is 2 a long and 2 b high. */
static void corner(const crank *p, const double *q, int i, double *r)
{
  const double x = i % 2 ? p->a : -p->a, y = i < 2 ? -p->b : p->b;
  r[0] = x * cos(q[6]) - y * sin(q[6]);
  r[1] = x * sin(q[6]) + y * cos(q[6]);
}

static int gap_7(void *user, double t, const double *q, double *g)
{
  const crank *p = user;
  (void)t;
  for (int i = 0; i < 4; i++) {
    double r[2];
    corner(p, q, i, r);
    g[i] = p->b + p->d + (i < 2 ? 1.0 : -1.0) * (q[5] + r[1]);
  }
  return 0;
}

static int direction_7(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const double up = i < 2 ? 1.0 : -1.0;
  double r[2];
  (void)t;
  w_hat[0] = 0.0;
  corner(user, q, i, r);
  W[5] = up;
  W[6] = up * r[0];
  W[7 + 4] = 1.0;
  W[7 + 6] = -r[1];
  return 0;
}

static int bias_7(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const double up = i < 2 ? 1.0 : -1.0;
  double r[2];
  (void)t;
  corner(user, q, i, r);
  w_bar[0] = -up * r[1] * u[6] * u[6];
  w_bar[1] = -r[0] * u[6] * u[6];
  return 0;
}

static int joints(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  const crank *p = user;
  const double c1 = p->l1 * cos(q[0]), s1 = p->l1 * sin(q[0]), c2 = 0.5 * p->l2 * cos(q[3]),
               s2 = 0.5 * p->l2 * sin(q[3]);
  g[0] = q[0] - p->theta0 - p->Omega * (t - p->t0);
  W[0] = 1.0;
  w_hat[0] = -p->Omega;
  g[1] = q[1] - c2 - c1;
  W[7 + 0] = s1;
  W[7 + 1] = 1.0;
  W[7 + 3] = s2;
  g[2] = q[2] - s2 - s1;
  W[14 + 0] = -c1;
  W[14 + 2] = 1.0;
  W[14 + 3] = -c2;
  g[3] = q[4] - q[1] - c2;
  W[21 + 1] = -1.0;
  W[21 + 3] = s2;
  W[21 + 4] = 1.0;
  g[4] = q[5] - q[2] - s2;
  W[28 + 2] = -1.0;
  W[28 + 3] = -c2;
  W[28 + 5] = 1.0;
  return 0;
}

static int joints_bias(void *user, double t, const double *q, const double *u, double *w)
{
  const crank *p = user;
  const double c1 = p->l1 * cos(q[0]) * u[0] * u[0], s1 = p->l1 * sin(q[0]) * u[0] * u[0];
  const double c2 = 0.5 * p->l2 * cos(q[3]) * u[3] * u[3], s2 = 0.5 * p->l2 * sin(q[3]) * u[3] * u[3];
  (void)t;
  w[0] = 0.0;
  w[1] = c2 + c1;
  w[2] = s2 + s1;
  w[3] = c2;
  w[4] = s2;
  return 0;
}

static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const crank *p = c->def.user;
  const double off = m->q[0] - p->theta0 - p->Omega * (m->t - p->t0);
  const double ok =
      m->dt > 0.0 ? 10.0 * m->dt * p->Omega : 1e3 * m->tol + 1e-9 + 1e-15 * fabs(m->t) * p->Omega;
  if (!p->clearance) {
    return 0;
  }
  return zoo_says(fault, m->t, "crank angle", off, ok, "the crank is not where it is turned to") ||
         zoo_says(fault, m->t, "guide", fmax(fabs(m->q[5]) - p->d, 0.0), ok * p->l1,
                  "the slider has left its guide");
}

static void make_clearance(zoo_case *c, crank *p, int k)
{
  c->def.mass = mass_7;
  c->def.force = force_7;
  c->def.gap = gap_7;
  c->def.direction = direction_7;
  c->def.nconstraints = 5;
  c->def.constraint = joints;
  c->def.bias = k == 1 || k == 4 ? bias_7 : NULL;
  c->def.constraint_bias = k == 1 || k == 4 ? joints_bias : NULL;
  /* the slider starts on the axis and moves as it must */
  const double phi = asin(-p->l1 * sin(p->theta0) / p->l2),
               w2 = -p->l1 * cos(p->theta0) * p->Omega / (p->l2 * cos(phi));
  const double q[7] = {
      p->theta0, p->l1 * cos(p->theta0) + 0.5 * p->l2 * cos(phi), 0.5 * p->l1 * sin(p->theta0),
      phi,       p->l1 * cos(p->theta0) + p->l2 * cos(phi),       0.0,
      0.0};
  const double u[7] = {p->Omega,
                       -p->l1 * sin(p->theta0) * p->Omega - 0.5 * p->l2 * sin(phi) * w2,
                       0.5 * p->l1 * cos(p->theta0) * p->Omega,
                       w2,
                       -p->l1 * sin(p->theta0) * p->Omega - p->l2 * sin(phi) * w2,
                       0.0,
                       0.0};
  memcpy(c->q, q, sizeof q);
  memcpy(c->u, u, sizeof u);
  for (int i = 0; i < 4; i++) {
    c->law[i] = zoo_law(p->mu, p->eps);
  }
  c->inelastic = 1;
  c->constraint_size[0] = 1.0;
  for (int j = 1; j < 5; j++) {
    c->constraint_size[j] = p->l1;
  }
  c->length = p->l1;
  c->speed = p->l1 * p->Omega;
  zoo_sizes(c, p->l1, c->speed);
  c->q_size[0] = c->q_size[3] = c->q_size[6] = 1.0;
  c->u_size[0] = c->u_size[3] = p->Omega;
  c->u_size[6] = p->l1 * p->Omega / p->a;
  c->force = 3.0 * (p->m2 + p->m3) * (p->g + p->l1 * p->Omega * p->Omega);
  c->span = 13.0 / p->Omega;
  c->time = 0.2 / p->Omega;
  c->least_steps = 4000;
}

/* ---- without: q = θ
 * ------------------------------------------------------------------------------------------- */

/* Lengths along the rod: x of the slider and its derivatives by θ; φ' and φ'' of the rod. */
static void slider(const crank *p, long double th, long double *x, long double *phi)
{
  long double sine, cosine;
  exact_sin_cos(th, &sine, &cosine);
  const long double r = p->l1, l = p->l2, s = -r * sine / l, c = sqrtl(1.0L - s * s);
  phi[0] = -r * cosine / (l * c);
  phi[1] = (r * sine / l + s * phi[0] * phi[0]) / c;
  x[0] = r * cosine + l * c;
  x[1] = -r * sine - l * s * phi[0];
  x[2] = -r * cosine - l * (c * phi[0] * phi[0] + s * phi[1]);
}

/* M(θ), M'(θ) and the generalized force of gravity. The rod's centre is at half its length. */
static void inertia(const crank *p, long double th, long double *M, long double *Q)
{
  long double x[3], phi[2];
  slider(p, th, x, phi);
  /* centre of the rod: (x + r cos θ)/2, (r sin θ)/2 */
  long double sine, cosine;
  exact_sin_cos(th, &sine, &cosine);
  const long double r = p->l1, cx = 0.5L * (x[1] - r * sine), cy = 0.5L * r * cosine;
  const long double dx = 0.5L * (x[2] - r * cosine), dy = -0.5L * r * sine;
  M[0] = p->J1 + p->m2 * (cx * cx + cy * cy) + p->J2 * phi[0] * phi[0] + p->m3 * x[1] * x[1];
  M[1] = 2.0L * (p->m2 * (cx * dx + cy * dy) + p->J2 * phi[0] * phi[1] + p->m3 * x[1] * x[2]);
  *Q = -p->m2 * p->g * cy;
}

static int mass_1(void *user, double t, const double *q, double *M)
{
  long double m[2], Q;
  (void)t;
  inertia(user, q[0], m, &Q);
  M[0] = (double)m[0];
  return 0;
}

static int force_1(void *user, double t, const double *q, const double *u, double *h)
{
  long double m[2], Q;
  (void)t;
  inertia(user, q[0], m, &Q);
  h[0] = (double)(Q - 0.5L * m[1] * u[0] * u[0]);
  return 0;
}

static int gap_1(void *user, double t, const double *q, double *g)
{
  const crank *p = user;
  long double x[3], phi[2];
  (void)t;
  slider(p, q[0], x, phi);
  g[0] = (double)(p->stop - x[0]);
  return 0;
}

static int direction_1(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  long double x[3], phi[2];
  (void)t, (void)i;
  w_hat[0] = 0.0;
  slider(user, q[0], x, phi);
  W[0] = (double)-x[1];
  return 0;
}

static int bias_1(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  long double x[3], phi[2];
  (void)t, (void)i;
  slider(user, q[0], x, phi);
  w_bar[0] = (double)(-x[2] * u[0] * u[0]);
  return 0;
}

static void rate(const void *data, const long double *y, long double *f)
{
  long double m[2], Q;
  inertia(data, y[0], m, &Q);
  f[0] = y[1];
  f[1] = (Q - 0.5L * m[1] * y[1] * y[1]) / m[0];
}

static long double to_stop(const crank *p, long double th)
{
  long double x[3], phi[2];
  slider(p, th, x, phi);
  return p->stop - x[0];
}

static exact_ode motion_of(const crank *p)
{
  return (exact_ode){.n = 2, .rate = rate, .data = p, .size = p->size, .accuracy = 1e-15L};
}

/* From hit to hit; known while they stay apart. */
static void turn(crank *p, double theta, double w, long double span)
{
  p->size[0] = 1.0L;
  p->size[1] = p->Omega;
  const exact_ode ode = motion_of(p);
  const long double h = span / GRID;
  p->hit[0] = (hit){0.0L, theta, w};
  p->hits = 1;
  p->end = span;
  while (p->hits < HITS) {
    hit *from = &p->hit[p->hits - 1];
    long double t = from->t, y[2] = {from->theta, from->w}, z[2];
    int past = p->hits == 1; /* off the stop */
    for (;; t += h) {
      memcpy(z, y, sizeof z);
      exact_ode_step(&ode, h, y);
      if (t > span) {
        return;
      }
      if (past && to_stop(p, y[0]) <= 0.0L) {
        break;
      }
      if (!past && to_stop(p, y[0]) <= 0.0L) {
        p->end = t;
        return;
      }
      past = 1;
    }
    long double low = 0.0L, high = h;
    for (int k = 0; k < 66; k++) {
      const long double middle = 0.5L * (low + high);
      memcpy(y, z, sizeof y);
      exact_ode_step(&ode, middle, y);
      *(to_stop(p, y[0]) > 0.0L ? &low : &high) = middle;
    }
    hit *next = &p->hit[p->hits++];
    *next = (hit){t + low, y[0], -(long double)p->eps * y[1]};
    if (next->t - from->t < 0.01L * span || fabsl(next->w) < 0.02L / (span / 10.0L)) {
      p->end = next->t;
      return;
    }
  }
  p->end = p->hit[p->hits - 1].t;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const crank *p = c->def.user;
  const exact_ode ode = motion_of(p);
  const long double tau = (long double)t - p->t0;
  int k = 0;
  truth->knows_q = truth->knows_u = 1;
  if (p->clearance || tau > p->end - (long double)c->slack) {
    return 0;
  }
  for (int i = 1; i < p->hits; i++) {
    k = p->hit[i].t <= tau ? i : k;
    truth->knows_u &= fabsl(p->hit[i].t - tau) > (long double)c->slack;
  }
  const int steps = 1 + (int)((tau - p->hit[k].t) / (0.01L * c->time));
  long double y[2] = {p->hit[k].theta, p->hit[k].w};
  exact_ode_run(&ode, tau - p->hit[k].t, steps / 20 + 1, y);
  truth->q[0] = (double)y[0];
  truth->u[0] = (double)y[1];
  return 1;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const crank *p = c->def.user;
  long double m[2], Q;
  (void)t;
  inertia(p, q[0], m, &Q);
  return (double)(0.5L * m[0] * u[0] * u[0] + 0.5L * p->m2 * p->g * p->l1 * exact_sin(q[0]));
}

static void make_minimal(zoo_case *c, crank *p, int k, random_state *random)
{
  long double x[3], phi[2], low, Q, m[2];
  slider(p, 0.0L, x, phi);
  low = x[0];
  slider(p, acosl(-1.0L), x, phi);
  p->stop = (double)(x[0] + (low - x[0]) * random_between(random, 0.3, 0.9));
  c->q[0] = 3.14159265 + random_between(random, -0.6, 0.6);
  if (to_stop(p, c->q[0]) <= 0.0L) {
    c->q[0] = 3.14159265;
  }
  c->u[0] = p->Omega * random_between(random, 0.2, 1.0);
  c->def.mass = mass_1;
  c->def.force = force_1;
  c->def.gap = gap_1;
  c->def.direction = direction_1;
  c->def.bias = k == 6 ? bias_1 : NULL;
  c->law[0] = zoo_law(0.0, p->eps);
  c->law[0].friction = NSDYN_FRICTION_NONE;
  c->span = 10.0 / p->Omega;
  c->time = 1.0 / p->Omega;
  turn(p, c->q[0], c->u[0], c->span);
  inertia(p, c->q[0], m, &Q);
  c->length = p->l1;
  c->speed = p->l1 * p->Omega;
  c->force = (p->m2 + p->m3) * (p->g + p->l1 * p->Omega * p->Omega);
  zoo_sizes(c, 1.0, p->Omega);
  c->amplify = 100.0;
  c->steps_bound = 2.0;
  c->truth = truth;
  c->energy = energy;
  c->energy_size = (double)m[0] * p->Omega * p->Omega;
}

static const char *variant(int k)
{
  static const char *const names[] = {"clearance",
                                      "clearance, bias given",
                                      "clearance, ε = 0",
                                      "clearance, μ = 0",
                                      "clearance, ε = 0, bias given",
                                      "minimal, stop",
                                      "minimal, stop, bias given"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, n = k < 5 ? 7 : 1;
  const double m = ask->unit.m, s = ask->unit.s, kg = ask->unit.kg;
  crank *p = zoo_model(c, sizeof *p, n, n, k < 5 ? 4 : 1);
  p->t0 = ask->t0;
  p->clearance = k < 5;
  p->l1 = random_between(&random, 0.1, 0.2) * m;
  p->l2 = p->l1 * random_between(&random, 1.5, 4.0);
  p->m1 = random_between(&random, 0.02, 0.3) * kg;
  p->m2 = random_between(&random, 0.02, 0.3) * kg;
  p->m3 = random_between(&random, 0.02, 0.3) * kg;
  p->a = p->l1 * random_between(&random, 0.2, 0.4);
  p->b = p->a * random_between(&random, 0.4, 1.0);
  p->d = p->l1 * random_between(&random, 0.003, 0.02);
  p->J1 = p->m1 * p->l1 * p->l1 / 3.0;
  p->J2 = p->m2 * p->l2 * p->l2 / 12.0;
  p->J3 = p->m3 * (p->a * p->a + p->b * p->b) / 3.0;
  p->g = 9.81 * m / (s * s);
  p->Omega = (k < 5 ? random_between(&random, 1.0, 20.0) : random_between(&random, 5.0, 20.0)) / s;
  p->theta0 = random_between(&random, 0.0, 6.28);
  p->mu = k == 3 ? 0.0 : random_between(&random, 0.01, 0.3);
  p->eps = k == 2 || k == 4 ? 0.0 : random_between(&random, 0.1, 0.6);
  c->judge = judge;
  if (k < 5) {
    make_clearance(c, p, k);
  } else {
    make_minimal(c, p, k, &random);
  }
}

const zoo_machine zoo_crank = {"crank", 7, variant, make};
