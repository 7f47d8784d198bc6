/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, a model handed to the library: the table of callbacks, scaled to the units asked for. */
#include <string.h>

#include "exact.h"

const char *const exact_form_name[EXACT_FORMS] = {"known", "bias given", "found", "twin, constraints"};

/* The unit of coordinate j. */
static double unit_of(const exact *e, int j)
{
  return e->is_angle[j] ? 1.0 : e->unit.m;
}

static exact_real time_of(const exact *e, double t)
{
  return (exact_real)((t - e->t0) / e->unit.s);
}

void exact_state(const exact *e, const double *q, const double *u, exact_real *q_si, exact_real *v_si)
{
  for (int j = 0; j < e->n; j++) {
    q_si[j] = (exact_real)(q[j] / unit_of(e, j));
    v_si[j] = u ? (exact_real)(u[j] / unit_of(e, j) * e->unit.s) : 0.0L;
  }
}

static int mass(void *user, double t, const double *q, double *M)
{
  const exact *e = user;
  const int n = e->n, all = e->form == EXACT_TWIN ? 2 * n : n;
  (void)t;
  for (int part = 0; part < all / n; part++) {
    const double share = all == n ? 1.0 : part ? 0.6 : 0.4;
    exact_real x[EXACT_MOST], v[EXACT_MOST], m[EXACT_MOST * EXACT_MOST] = {0};
    exact_state(e, q + part * n, NULL, x, v);
    e->inertia(e, x, m);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        M[(part * n + i) * all + part * n + j] = share * (double)m[i * n + j] * e->unit.kg * e->unit.m *
                                                 e->unit.m / (unit_of(e, i) * unit_of(e, j));
      }
    }
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const exact *e = user;
  exact_real x[EXACT_MOST], v[EXACT_MOST], f[EXACT_MOST] = {0};
  exact_state(e, q, u, x, v);
  e->force(e, time_of(e, t), x, v, f);
  for (int j = 0; j < e->n; j++) {
    h[j] = (double)f[j] * e->unit.kg * e->unit.m * e->unit.m / (e->unit.s * e->unit.s * unit_of(e, j));
  }
  return 0;
}

/* Contacts act on the second twin. */
static const double *touched(const exact *e, const double *q)
{
  return e->form == EXACT_TWIN ? q + e->n : q;
}

static void touch(const exact *e, double t, const double *q, int i, exact_touch *w)
{
  exact_real x[EXACT_MOST], v[EXACT_MOST];
  exact_state(e, touched(e, q), NULL, x, v);
  memset(w, 0, sizeof *w);
  e->touch(e, time_of(e, t), x, i, w);
}

static int gap(void *user, double t, const double *q, double *g)
{
  const exact *e = user;
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w;
    touch(e, t, q, i, &w);
    g[i] = (double)w.gap * e->unit.m;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const exact *e = user;
  const int n = e->n, all = e->form == EXACT_TWIN ? 2 * n : n;
  exact_touch w;
  touch(e, t, q, i, &w);
  for (int row = 0; row < 2; row++) {
    for (int j = 0; j < n; j++) {
      W[row * all + all - n + j] = (double)w.w[row][j] * e->unit.m / unit_of(e, j);
    }
    w_hat[row] = (double)w.hat[row] * e->unit.m / e->unit.s;
  }
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const exact *e = user;
  exact_real x[EXACT_MOST], v[EXACT_MOST], bar[2];
  exact_state(e, touched(e, q), touched(e, u), x, v);
  exact_bias(e, time_of(e, t), x, v, i, bar);
  for (int row = 0; row < 2; row++) {
    w_bar[row] = (double)bar[row] * e->unit.m / (e->unit.s * e->unit.s);
  }
  return 0;
}

/* `find` knows no velocities, so this form is for directions that depend on time alone. */
static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  const exact *e = user;
  (void)margin;
  for (int i = 0; i < e->contacts; i++) {
    double W[2 * EXACT_MOST], w_hat[2];
    const int rows = e->law[i].friction == NSDYN_FRICTION_NONE ? 1 : 2;
    const nsdyn_contact_block block = {0, e->n, W};
    nsdyn_found_contact found;
    exact_touch w;
    touch(e, t, q, i, &w);
    direction(user, t, q, i, W, w_hat);
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = 100 + 7 * i;
    found.gap = (double)w.gap * e->unit.m;
    found.law = i;
    found.blocks = 1;
    found.block = &block;
    exact_real x[EXACT_MOST], none[EXACT_MOST] = {0}, bar[2];
    exact_state(e, q, NULL, x, none);
    exact_bias(e, time_of(e, t), x, none, i, bar);
    for (int row = 0; row < rows; row++) {
      found.w_hat[row] = w_hat[row];
      found.w_bar[row] = (double)bar[row] * e->unit.m / (e->unit.s * e->unit.s);
    }
    const int code = nsdyn_contact_sink_add(sink, &found);
    if (code) {
      return code;
    }
  }
  return 0;
}

/* Both twins are one. */
static int tie(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const exact *e = user;
  const int n = e->n;
  (void)t;
  w_hat_b[0] = 0.0;
  for (int j = 0; j < n; j++) {
    const double metre = e->unit.m / unit_of(e, j);
    g_b[j] = metre * (q[j] - q[n + j]);
    W_b[j * 2 * n + j] = metre;
    W_b[j * 2 * n + n + j] = -metre;
  }
  return 0;
}

static int truth(zoo_case *c, double t, zoo_truth *truth)
{
  const exact *e = c->def.user;
  exact_real q[EXACT_MOST], v[EXACT_MOST];
  truth->knows_q = 1;
  if (!exact_at(e, time_of(e, t), c->slack / e->unit.s, q, v, &truth->knows_u)) {
    return 0;
  }
  truth->knows_u &= !(exact_hop(e, time_of(e, t)) * e->unit.m <= zoo_unseen(c, t));
  for (int j = 0; j < c->def.nu; j++) {
    truth->q[j] = (double)q[j % e->n] * unit_of(e, j % e->n);
    truth->u[j] = (double)v[j % e->n] * unit_of(e, j % e->n) / e->unit.s;
  }
  return 1;
}

static double energy(const zoo_case *c, double t, const double *q, const double *u)
{
  const exact *e = c->def.user;
  exact_real x[EXACT_MOST], v[EXACT_MOST];
  (void)t;
  exact_state(e, q, u, x, v);
  return (double)e->energy(e, x, v) * e->unit.kg * e->unit.m * e->unit.m / (e->unit.s * e->unit.s);
}

int exact_curve(void *user, double speed, double *mu)
{
  const exact *e = user;
  *mu = (double)e->curve(e, 0, (exact_real)(speed * e->unit.s / e->unit.m));
  return 0;
}

nsdyn_contact_law exact_library_law(const exact *e, int i)
{
  const exact_law *from = &e->law[i];
  nsdyn_contact_law law = zoo_law((double)from->mu, (double)from->eps);
  law.kind = from->slot ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  law.friction = from->friction;
  law.mu_static = (double)from->mu_static;
  law.bound = (double)from->bound * e->unit.kg * e->unit.m / (e->unit.s * e->unit.s);
  if (from->friction == NSDYN_FRICTION_CURVE) {
    law.curve = exact_curve;
    const void *only_read = e;
    memcpy(&law.user, &only_read, sizeof only_read);
  }
  return law;
}

void *exact_model(zoo_case *c, const zoo_ask *ask, size_t bytes, int n, int contacts)
{
  exact *e = zoo_model(c, bytes, n, n, contacts);
  e->n = n;
  e->contacts = contacts;
  e->unit = ask->unit;
  e->t0 = ask->t0;
  e->time = e->length = e->speed = 1.0L;
  return e;
}

void exact_sizes(zoo_case *c, exact_real span)
{
  const exact *e = c->def.user;
  c->span = (double)span * e->unit.s;
  c->length = (double)e->length * e->unit.m;
  for (int i = 0; i < ZOO_MOST; i++) {
    c->constraint_size[i] = c->length;
  }
  c->speed = (double)e->speed * e->unit.m / e->unit.s;
  c->time = (double)e->time * e->unit.s;
  c->force = (double)e->load * e->unit.kg * e->unit.m / (e->unit.s * e->unit.s);
  for (int j = 0; j < ZOO_MOST; j++) {
    const int angle = e->is_angle[j % e->n];
    c->q_size[j] = angle ? 1.0 : c->length;
    c->u_size[j] = angle ? c->speed / c->length : c->speed;
  }
  c->truth = truth;
  c->spread = exact_spread;
  if (e->energy) {
    c->energy = energy;
    c->energy_size = c->force * c->length;
  }
}

void exact_define(zoo_case *c, int form, const exact_real *q, const exact_real *v, exact_real span,
                  exact_real load)
{
  exact *e = c->def.user;
  const int twin = form == EXACT_TWIN;
  e->form = form;
  e->load = load;
  exact_run(e, q, v, span);
  exact_sizes(c, span);
  c->def.mass = mass;
  c->def.force = force;
  c->def.nq = c->def.nu = twin ? 2 * e->n : e->n;
  if (form == EXACT_FOUND && e->contacts > 4) {
    abort(); /* zoo_case has room for four laws */
  }
  if (form == EXACT_FOUND) {
    c->def.find = find;
    c->def.ncontacts = 0;
    c->found_laws = e->contacts;
  } else {
    c->def.gap = gap;
    c->def.direction = direction;
    c->def.bias = form == EXACT_BIAS ? bias : NULL;
  }
  for (int i = 0; i < e->contacts; i++) {
    *(form == EXACT_FOUND ? &c->found_law[i] : &c->law[i]) = exact_library_law(e, i);
  }
  if (twin) {
    c->def.nconstraints = e->n;
    c->def.constraint = tie;
  }
  for (int j = 0; j < c->def.nu; j++) {
    c->q[j] = (double)q[j % e->n] * unit_of(e, j % e->n);
    c->u[j] = (double)v[j % e->n] * unit_of(e, j % e->n) / e->unit.s;
  }
}
