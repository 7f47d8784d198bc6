/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One event: a mass on a floor lifts off, lands, comes to rest, begins to slide or turns round, once, at a
 * time that the case draws. Loads change with time, or with a coordinate that runs like it (autonomous);
 * the floor may shake and its belt run to and fro; the bias is given or not; a third coordinate may be tied
 * to one of the others by a constraint; the contact is known in advance or found.
 *
 * Truth: relative to the floor all accelerations are c + k (1 − A sin(ω s + φ)), one before the event and one
 * after it, integrated in closed form. The log holds that event, at its time, and no other. */
#include "zoo.h"

enum { LIFTS, LANDS, STICKS, SLIPS, REVERSES, KINDS };

/* Acceleration c + k (1 − A sin(ω s + φ)), from (place, speed) at s = from. */
typedef struct leg {
  double c, k, A, from, place, speed;
} leg;

typedef struct single {
  double t0, m, m_tied, ratio; /* z = ratio · x or y */
  double w, phase;
  double B[2], W[2];  /* belt and floor: B (1 − cos W s) */
  double load[2][3];  /* of x and y relative to the floor, over the mass: c, k, A */
  leg before, after;  /* of x, or of y */
  int kind, axis;     /* axis of what moves: 0: x, 1: y */
  int n, clock, tied; /* coordinates: n of them; −1: there is none */
  int tied_to, is_found, found_law;
  double event; /* s */
} single;

static double floor_of(const single *p, int axis, double s, int derivative)
{
  const double B = p->B[axis], W = p->W[axis], x = W * s;
  return derivative == 0 ? B * (1.0 - cos(x)) : derivative == 1 ? B * W * sin(x) : B * W * W * cos(x);
}

/* What time is to loads. */
static double clock_of(const single *p, double t, const double *q)
{
  return p->clock >= 0 ? q[p->clock] : t - p->t0;
}

static double mass_of(const single *p, int axis)
{
  return p->m + (p->tied >= 0 && p->tied_to == axis ? p->ratio * p->ratio * p->m_tied : 0.0);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const single *p = user;
  (void)t, (void)q;
  for (int j = 0; j < p->n; j++) {
    M[j * p->n + j] = j == p->tied ? p->m_tied : p->m;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const single *p = user;
  const double s = clock_of(p, t, q), wave = sin(p->w * s + p->phase);
  (void)u;
  for (int j = 0; j < 2; j++) {
    const double *load = p->load[j];
    h[j] = mass_of(p, j) * (floor_of(p, j, s, 2) + load[0] + load[1] * (1.0 - load[2] * wave));
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const single *p = user;
  g[0] = q[1] - floor_of(p, 1, t - p->t0, 0);
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const single *p = user;
  (void)q, (void)i;
  W[1] = 1.0;
  W[p->n] = 1.0;
  w_hat[0] = -floor_of(p, 1, t - p->t0, 1);
  w_hat[1] = -floor_of(p, 0, t - p->t0, 1);
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const single *p = user;
  (void)q, (void)u, (void)i;
  w_bar[0] = -floor_of(p, 1, t - p->t0, 2);
  w_bar[1] = -floor_of(p, 0, t - p->t0, 2);
  return 0;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const single *p = user;
  const double W[4] = {0.0, 1.0, 1.0, 0.0};
  const nsdyn_contact_block block = {0, 2, W};
  nsdyn_found_contact found;
  (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 11;
  found.law = p->found_law;
  found.blocks = 1;
  found.block = &block;
  gap(user, t, q, &found.gap);
  found.w_hat[0] = -floor_of(p, 1, t - p->t0, 1);
  found.w_hat[1] = -floor_of(p, 0, t - p->t0, 1);
  bias(user, t, q, u, 0, found.w_bar);
  return nsdyn_contact_sink_add(sink, &found);
}

static int tie(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const single *p = user;
  (void)t;
  w_hat_b[0] = 0.0;
  g_b[0] = q[p->tied] - p->ratio * q[p->tied_to];
  W_b[p->tied] = 1.0;
  W_b[p->tied_to] = -p->ratio;
  return 0;
}

static void move(const single *p, const leg *l, double s, double *place, double *speed)
{
  const double d = s - l->from, a = p->w * l->from + p->phase, b = p->w * s + p->phase, A = l->A / p->w;
  /* ∫ (1 − A sin(ω s + φ)) ds, and the integral of that */
  const double once = d + A * (cos(b) - cos(a));
  const double twice = 0.5 * d * d + A * ((sin(b) - sin(a)) / p->w - d * cos(a));
  *speed = l->speed + l->c * d + l->k * once;
  *place = l->place + l->speed * d + 0.5 * l->c * d * d + l->k * twice;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const single *p = c->def.user;
  const double s = t - p->t0;
  double place[2] = {0.0, 0.0}, speed[2] = {0.0, 0.0};
  move(p, s < p->event ? &p->before : &p->after, s, &place[p->axis], &speed[p->axis]);
  for (int j = 0; j < 2; j++) {
    truth->q[j] = place[j] + floor_of(p, j, s, 0);
    truth->u[j] = speed[j] + floor_of(p, j, s, 1);
  }
  if (p->clock >= 0) {
    truth->q[p->clock] = s;
    truth->u[p->clock] = 1.0;
  }
  if (p->tied >= 0) {
    truth->q[p->tied] = p->ratio * truth->q[p->tied_to];
    truth->u[p->tied] = p->ratio * truth->u[p->tied_to];
  }
  truth->knows_q = 1;
  truth->knows_u = p->kind != LANDS || fabs(s - p->event) > c->slack;
  return 1;
}

/* The log of a whole run: the event, and no other but at its time: friction of no normal force may slip a
 * moment before, and a gap that opens like s³ may graze once more within its rounding, which changes nothing.
 */
static int one_event(zoo_case *c, const zoo_moment *m, zoo_fault *fault)
{
  static const int32_t kinds[KINDS] = {NSDYN_EVENT_OPEN, NSDYN_EVENT_IMPACT, NSDYN_EVENT_STICK,
                                       NSDYN_EVENT_SLIP, NSDYN_EVENT_REVERSE};
  const single *p = c->def.user;
  int others = 0;
  double off = INFINITY;
  if (!m->driver || m->t < c->t0 + c->span) {
    return 0;
  }
  for (int64_t k = 0; k < nsdyn_event_driver_events(m->driver); k++) {
    nsdyn_event event;
    nsdyn_event_init(&event, sizeof event);
    nsdyn_event_driver_event(m->driver, k, &event);
    const double late = event.t - p->t0 - p->event;
    const int is_graze = event.kind == NSDYN_EVENT_CLOSE && event.mode_before == event.mode_after;
    off = event.kind == kinds[p->kind] && event.t > c->t0 ? late : off;
    others += event.t > c->t0 && !is_graze && fabs(late) > c->slack;
  }
  return zoo_says(fault, m->t, "events", others, 0.0, "%d events beside the one", others) ||
         zoo_says(fault, m->t, "event's time", off, c->slack, "it is at the wrong time");
}

/* ---- cases --------------------------------------------------------------------------------------------- */

static const char *variant(int k)
{
  static const char *const names[KINDS] = {"lift-off", "landing", "stick", "slip", "reversal"};
  return names[k];
}

/* Loads that make the event at s = event, and the motion before and behind it. */
static void plan(single *p, random_state *random, double g, double mu)
{
  const double A = random_between(random, 0.0, 0.6), sign = random_below(random, 2) ? 1.0 : -1.0;
  double *x = p->load[0], *y = p->load[1], place, speed;
  p->axis = p->kind == LIFTS || p->kind == LANDS;
  y[1] = -g;
  y[2] = p->kind == LIFTS ? random_between(random, 1.05, 3.0) : p->kind == SLIPS ? 0.0 : A;
  /* what friction takes, over the mass of x */
  const double drag = mu * mass_of(p, 1) / mass_of(p, 0) * g;
  if (p->kind == LIFTS) { /* A sin = 1, rising */
    p->event = (asin(1.0 / y[2]) - p->phase) / p->w;
    p->after = (leg){0.0, -g, y[2], p->event, 0.0, 0.0};
  } else if (p->kind == LANDS) {
    const double fall = 0.5 * (1.0 - A) * g * p->event;
    p->before = (leg){0.0, -g, A, 0.0, 0.0, random_between(random, -1.0, 0.4) * fall};
    move(p, &p->before, p->event, &place, &speed);
    p->before.place = -place;
  } else if (p->kind == SLIPS) { /* α + β sin = 1, rising */
    const double alpha = random_between(random, -0.3, 0.6),
                 beta = (1.0 - alpha) * random_between(random, 1.05, 1.15);
    x[0] = sign * drag * (alpha + beta);
    x[1] = -sign * drag * beta;
    x[2] = 1.0;
    p->event = (asin((1.0 - alpha) / beta) - p->phase) / p->w;
    p->after = (leg){x[0] - sign * drag, x[1], 1.0, p->event, 0.0, 0.0};
  } else {
    x[0] = p->kind == STICKS ? random_between(random, -0.8, 0.8) * drag * (1.0 - A)
                             : -sign * random_between(random, 1.1, 3.0) * drag * (1.0 + A);
    p->before = (leg){x[0], -sign * drag, A, 0.0, 0.0, 0.0};
    move(p, &p->before, p->event, &place, &speed);
    p->before.speed = -speed;
    move(p, &p->before, p->event, &place, &speed);
    p->after = (leg){.from = p->event, .place = place};
    if (p->kind == REVERSES) {
      p->after = (leg){x[0], sign * drag, A, p->event, place, 0.0};
    }
  }
}

static void make(zoo_case *c, const zoo_ask *ask)
{
  random_state random = ask->random;
  const double m = ask->unit.m, s = ask->unit.s, kg = ask->unit.kg,
               g = random_between(&random, 2.0, 20.0) * m / (s * s);
  const int drives = random_below(&random, 2), ties = random_below(&random, 2),
            is_found = random_below(&random, 3) == 0;
  const int n = 2 + !drives + ties;
  single *p = zoo_model(c, sizeof *p, n, n, !is_found);
  c->t0 = ask->t0 * random_between(&random, 0.0, 1.0);
  p->t0 = c->t0;
  p->kind = ask->variant;
  p->n = n;
  p->clock = drives ? -1 : 2;
  p->tied = ties ? n - 1 : -1;
  p->tied_to = random_below(&random, 2);
  p->ratio = random_between(&random, 0.3, 2.0) * (random_below(&random, 2) ? 1.0 : -1.0);
  p->m = random_between(&random, 0.3, 3.0) * kg;
  p->m_tied = random_between(&random, 0.1, 2.0) * kg;
  p->w = random_between(&random, 1.0, 20.0) / s;
  p->phase = -random_between(&random, 0.05, p->kind == LIFTS ? 3.0 : 0.4);
  p->event = random_between(&random, 0.1, 3.0) / p->w;
  for (int j = 0; j < 2 && drives; j++) { /* a still floor now and then */
    p->W[j] = random_between(&random, 0.3, 3.0) * p->w;
    p->B[j] = random_below(&random, 3) ? random_between(&random, 0.0, 1.0) * g / (p->W[j] * p->W[j]) : 0.0;
  }
  const double mu = random_between(&random, 0.1, 1.0);
  plan(p, &random, g, mu);
  c->span = p->kind == LIFTS || p->kind == SLIPS ? (1.6 - p->phase) / p->w
                                                 : p->event + random_between(&random, 0.2, 2.0) / p->w;
  c->time = 1.0 / p->w;
  c->length = g * c->time * c->time;
  c->speed = g * c->time;
  c->force = p->m * g;
  c->constraint_size[0] = c->length;
  zoo_sizes(c, c->length, c->speed);
  zoo_truth at = {.knows_q = 0};
  c->def.user = p;
  truth(c, c->t0, &at);
  for (int j = 0; j < n; j++) {
    c->q[j] = at.q[j];
    c->u[j] = at.u[j];
    c->q_size[j] = fmax(c->length, fabs(at.q[j]));
    c->u_size[j] = fmax(c->speed, fabs(at.u[j]));
  }
  if (p->clock >= 0) {
    c->q_size[p->clock] = c->time;
    c->u_size[p->clock] = 1.0;
  }
  c->def.mass = mass;
  c->def.force = force;
  if (is_found) {
    c->def.find = find;
    c->found_laws = 1;
    c->found_law[0] = zoo_law(mu, 0.0);
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = random_below(&random, 2) ? bias : NULL;
    c->law[0] = zoo_law(mu, 0.0);
  }
  if (ties) {
    c->def.nconstraints = 1;
    c->def.constraint = tie;
  }
  c->events_only = 1;
  c->truth = truth;
  c->judge = one_event;
}

const zoo_machine zoo_single = {"single", KINDS, variant, make};
