/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A clutch of 20 plates of given friction torque: between two shafts, all plates side by side, or in a row,
 * each inertia rubbing on the next. Truth: side by side the closed form of lock-up; in a row from lock-up to
 * lock-up, torques of the locked ones by relaxation to the last digit. */
#include "zoo.h"

enum { PLATES = 20, SHAFTS = PLATES + 1, LEGS = 64 };

typedef struct leg {
  long double t, q[SHAFTS], w[SHAFTS], a[SHAFTS];
} leg;

typedef struct clutch {
  double J[SHAFTS], bound[PLATES], mu, press, T, r, t0, pad_mass;
  int n, pad; /* shafts; 1: an axial coordinate behind the angles */
  int legs;
  long double known;
  leg leg[LEGS];
} clutch;

static int mass(void *user, double t, const double *q, double *M)
{
  const clutch *p = user;
  const int n = p->n + p->pad;
  (void)t, (void)q;
  for (int j = 0; j < n; j++) {
    M[j * n + j] = j < p->n ? p->J[j] : p->pad_mass;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const clutch *p = user;
  (void)t, (void)q, (void)u;
  h[0] = p->T;
  if (p->pad) {
    h[p->n] = -p->press;
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const clutch *p = user;
  (void)t;
  for (int i = 0; i < PLATES; i++) {
    g[i] = p->pad ? q[p->n] : 0.0;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const clutch *p = user;
  const int n = p->n + p->pad, j = p->n == 2 ? 0 : i;
  (void)t, (void)q;
  w_hat[0] = 0.0;
  W[n + j] = p->r;
  W[n + j + 1] = -p->r;
  if (p->pad) {
    W[p->n] = 1.0;
  }
  return 0;
}

/* Torques between neighbours, on the first of them: given where they slide, else such that they do not part,
 * if they can. `most`: of each. */
static void accelerate(const clutch *p, const long double *most, const int *slides, leg *x)
{
  long double torque[PLATES] = {0};
  for (int round = 0; round < 6000; round++) {
    for (int k = 0; k + 1 < p->n; k++) {
      const long double before = k > 0 ? torque[k - 1] : 0.0L, after = k + 2 < p->n ? torque[k + 1] : 0.0L;
      const long double T = k == 0 ? p->T : 0.0L;
      /* (T + τ_k − τ_{k−1}) / J_k = (τ_{k+1} − τ_k) / J_{k+1} */
      const long double wanted =
          (after / p->J[k + 1] - (T - before) / p->J[k]) / (1.0L / p->J[k] + 1.0L / p->J[k + 1]);
      torque[k] = slides[k] ? -slides[k] * most[k] : fminl(fmaxl(wanted, -most[k]), most[k]);
    }
  }
  for (int k = 0; k < p->n; k++) {
    x->a[k] = ((k == 0 ? p->T : 0.0L) + (k + 1 < p->n ? torque[k] : 0.0L) - (k > 0 ? torque[k - 1] : 0.0L)) /
              p->J[k];
  }
}

static void move(const clutch *p, const leg *x, long double t, leg *out)
{
  const long double d = t - x->t;
  for (int k = 0; k < p->n; k++) {
    out->q[k] = x->q[k] + d * (x->w[k] + 0.5L * d * x->a[k]);
    out->w[k] = x->w[k] + d * x->a[k];
  }
}

static void follow(clutch *p, const long double *most, long double span)
{
  int slides[PLATES];
  for (int k = 0; k + 1 < p->n; k++) {
    slides[k] = p->leg[0].w[k] > p->leg[0].w[k + 1] ? 1 : -1;
  }
  for (p->legs = 0; p->legs < LEGS; p->legs++) {
    leg *x = &p->leg[p->legs];
    long double next = INFINITY;
    int who = -1, loose = 0;
    accelerate(p, most, slides, x);
    for (int k = 0; k + 1 < p->n; k++) {
      const long double v = x->w[k] - x->w[k + 1], a = x->a[k] - x->a[k + 1];
      if (slides[k] && v * a < 0.0L && -v / a < next) {
        next = -v / a;
        who = k;
      } else if (!slides[k] && fabsl(a) > 1e-15L * fabsl(x->a[k])) {
        loose = 1; /* breaks loose at once: what the others then do is not known here */
      }
    }
    if (loose) {
      p->known = x->t;
      p->legs++;
      break;
    }
    if (x->t + next > span || p->legs + 1 == LEGS) {
      p->known = x->t + next;
      p->legs++;
      break;
    }
    x[1].t = x->t + next;
    move(p, x, x[1].t, &x[1]);
    x[1].w[who + 1] = x[1].w[who];
    slides[who] = 0;
  }
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const clutch *p = c->def.user;
  const long double tau = (long double)t - p->t0;
  leg now;
  int k = 0;
  while (k + 1 < p->legs && p->leg[k + 1].t <= tau) {
    k++;
  }
  move(p, &p->leg[k], tau, &now);
  for (int j = 0; j < p->n; j++) {
    truth->q[j] = (double)now.q[j];
    truth->u[j] = (double)now.w[j];
  }
  truth->knows_q = truth->knows_u = 1;
  return tau <= p->known;
}

/* Side by side: relative speed over what brakes it. */
static int judge(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  const clutch *p = c->def.user;
  long double all = 0.0L;
  for (int k = 0; k < PLATES; k++) {
    all += p->bound[k] * p->r;
  }
  const long double lock =
      (c->u[0] - c->u[1]) / (all * (1.0L / p->J[0] + 1.0L / p->J[1]) - (long double)p->T / p->J[0]);
  return zoo_says(fault, m->t, "MODEL", p->legs > 1 ? (double)(p->leg[1].t / lock - 1.0L) : 0.0, 1e-13,
                  "lock-up of the reference");
}

static const char *variant(int k)
{
  static const char *const names[] = {"side by side", "side by side, axial", "side by side, pressed",
                                      "in a row", "in a row, axial"};
  return names[k];
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const int k = ask->variant, pad = k == 1 || k == 2 || k == 4, n = k < 3 ? 2 : SHAFTS;
  const double m = ask->unit.m, s = ask->unit.s, kg = ask->unit.kg, N = kg * m / (s * s);
  clutch *p = zoo_model(c, sizeof *p, n + pad, n + pad, PLATES);
  long double most[PLATES] = {0};
  double all = 0.0;
  p->n = n;
  p->pad = pad;
  p->t0 = ask->t0;
  p->r = 0.1 * m;
  p->pad_mass = kg;
  p->press = 1000.0 * N;
  p->mu = random_between(&random, 0.01, 0.03);
  for (int j = 0; j < n; j++) {
    p->J[j] = random_between(&random, 0.5, 2.0) * (n == 2 ? 1.0 : 0.05) * kg * m * m;
    p->leg[0].w[j] = c->u[j] = random_between(&random, j ? -30.0 : 60.0, j ? 30.0 : 120.0) / s;
  }
  for (int i = 0; i < PLATES; i++) {
    p->bound[i] = k == 2 ? p->mu * p->press / PLATES : random_between(&random, 10.0, 30.0) * N;
    most[n == 2 ? 0 : i] += (long double)p->bound[i] * p->r;
    all += p->bound[i] * p->r;
    c->law[i] = zoo_law(k == 2 ? p->mu : 0.0, 0.0);
    c->law[i].kind = NSDYN_CONTACT_BILATERAL;
    if (k == 2) {
      c->law[i].kind = NSDYN_CONTACT_UNILATERAL;
    } else {
      c->law[i].friction = NSDYN_FRICTION_BOUND;
      c->law[i].bound = p->bound[i];
    }
  }
  p->T = random_between(&random, 0.1, 0.6) * (double)most[0] * (n == 2 ? 1.0 : 0.3);
  c->time = 60.0 / s / (all / (n == 2 ? 1.0 : PLATES) / p->J[0]);
  c->span = 5.0 * c->time;
  follow(p, most, c->span);
  c->def.mass = mass;
  c->def.force = force;
  c->def.gap = gap;
  c->def.direction = direction;
  c->def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  c->length = p->r;
  c->speed = 60.0 * p->r / s;
  c->force = all / p->r;
  zoo_sizes(c, 60.0 / s * c->time, 60.0 / s);
  if (pad) {
    c->q_size[n] = m;
    c->u_size[n] = m / s;
  }
  c->amplify = 10.0;
  c->truth = truth;
  if (n == 2 && p->T < 0.9 * (double)most[0]) {
    c->judge = judge;
  }
}

const zoo_machine zoo_clutch = {"clutch", 5, variant, make};
