/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "wild.h"

void wild_break(wild *w, const char *format, ...)
{
  if (w->out->tells) {
    va_list values;
    va_start(values, format);
    printf("! ");
    vprintf(format, values);
    printf("\n");
    va_end(values);
  }
  if (!w->out->broken[0]) {
    va_list values;
    va_start(values, format);
    vsnprintf(w->out->broken, sizeof w->out->broken, format, values);
    va_end(values);
  }
}

void wild_tell(const wild *w, const char *format, ...)
{
  if (w->out->tells) {
    va_list values;
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
  }
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static void take(wild_bytes *from, void *to, size_t count)
{
  const size_t known = count < from->left ? count : from->left;
  memset(to, 0, count);
  if (known) {
    memcpy(to, from->at, known);
    from->at += known;
    from->left -= known;
  }
}

int wild_below(wild_bytes *from, int n)
{
  uint8_t byte;
  take(from, &byte, 1);
  return byte % n;
}

double wild_number(wild_bytes *from)
{
  if (from->hard && wild_below(from, 16) == 0) {
    double any;
    take(from, &any, sizeof any);
    return any;
  }
  int16_t bits;
  take(from, &bits, sizeof bits);
  return from->coarse ? (double)(bits % 9) / 4.0 : (double)bits / 16384.0;
}

static void numbers(wild_bytes *from, int n, double *x)
{
  for (int i = 0; i < n; i++) {
    x[i] = wild_number(from);
  }
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

/* B Bᵀ + shift. */
static void definite(wild_bytes *from, int n, double shift, double *A)
{
  double B[WILD_U * WILD_U];
  numbers(from, n * n, B);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      A[i * n + j] = dot(n, B + i * n, B + j * n) + (i == j ? shift : 0.0);
    }
  }
}

/* ---- in closed form ------------------------------------------------------------------------------------ */

static double bent(double x) /* x/(1 + x²) */
{
  return x / (1.0 + x * x);
}

static double bent_slope(double x)
{
  return (1.0 - x * x) / ((1.0 + x * x) * (1.0 + x * x));
}

void wild_mass(const wild *w, const double *q, double *M)
{
  const double phi = bent(dot(w->nq, w->s, q));
  for (int i = 0; i < w->nu * w->nu; i++) {
    M[i] = w->unit * (w->M0[i] + phi * phi * w->M1[i]);
  }
}

void wild_force(const wild *w, double t, const double *q, const double *u, double *h)
{
  for (int i = 0; i < w->nu; i++) {
    h[i] = w->unit * (w->f[i] * sin(w->phase_omega * t + 1.0) - dot(w->nq, w->K + i * w->nq, q) -
                      dot(w->nu, w->D + i * w->nu, u));
  }
}

void wild_qdot(const wild *w, const double *q, const double *u, double *qdot)
{
  const double phi = bent(dot(w->nq, w->s, q));
  for (int i = 0; i < w->nq; i++) {
    qdot[i] = w->moves ? dot(w->nu, w->N0 + i * w->nu, u) + phi * dot(w->nu, w->N1 + i * w->nu, u) : u[i];
  }
}

void wild_see(const wild *w, const wild_surface *s, double t, const double *q, const double *u,
              wild_look *look)
{
  const double x = dot(w->nq, s->n, q), sigma = dot(w->nq, w->s, q), phi = bent(sigma);
  const double factor = 1.0 + s->bend * x;
  double qdot[WILD_Q], turned = 0.0;
  wild_qdot(w, q, u, qdot);
  const double speed = dot(w->nq, s->n, qdot);
  look->g = s->g0 + x + 0.5 * s->bend * x * x + s->rate * t + s->amp * sin(s->omega * t);
  look->size = fabs(s->g0) + fabs(s->bend * x * x) + fabs(s->rate * t) + fabs(s->amp);
  for (int i = 0; i < w->nq; i++) {
    look->size += fabs(s->n[i] * q[i]);
    turned += w->moves ? s->n[i] * dot(w->nu, w->N1 + i * w->nu, u) : 0.0;
  }
  for (int j = 0; j < w->nu; j++) {
    double slope = w->moves ? 0.0 : s->n[j];
    for (int i = 0; i < w->nq && w->moves; i++) {
      slope += s->n[i] * (w->N0[i * w->nu + j] + phi * w->N1[i * w->nu + j]);
    }
    look->w_N[j] = factor * slope;
    look->w_T[j] = (1.0 + s->twist * bent(x)) * s->tangent[j];
  }
  look->w_hat[0] = s->rate + s->amp * s->omega * cos(s->omega * t);
  look->w_hat[1] = s->belt + s->belt_amp * sin(s->omega * t);
  look->w_bar[0] = s->bend * speed * speed + factor * bent_slope(sigma) * dot(w->nq, w->s, qdot) * turned -
                   s->amp * s->omega * s->omega * sin(s->omega * t);
  look->w_bar[1] = s->twist * bent_slope(x) * speed * dot(w->nu, s->tangent, u) +
                   s->belt_amp * s->omega * cos(s->omega * t);
}

double wild_curve(const wild_surface *s, double speed)
{
  return s->curve[0] + s->curve[1] / (1.0 + speed);
}

const wild_surface *wild_surface_of(const wild *w, const nsdyn_contact_state *state)
{
  for (int i = 0; i < w->known + w->found; i++) {
    if (state->index >= 0 ? i == state->index : i >= w->known && w->contact[i].key == state->key) {
      return &w->contact[i];
    }
  }
  return NULL;
}

/* ---- callbacks ----------------------------------------------------------------------------------------- */

static const double poison[] = {NAN, INFINITY, -INFINITY};

/* The code that a callback returns, and where it fails what it writes. */
static int answer(wild *w, int callback, int n, double *x)
{
  if (++w->calls > w->budget) {
    wild_break(w, "no end: %lld calls of callbacks", (long long)w->calls);
    return -77;
  }
  if (w->bad != callback) {
    return 0;
  }
  w->own_calls++;
  if (w->own_calls < w->bad_from || w->own_calls >= w->bad_upto) {
    return 0;
  }
  w->has_failed = 1;
  if (w->how < 2) {
    w->has_stopped |= w->how == 0;
    return w->how ? 3 : -3;
  }
  const int is_gap = callback == WILD_GAP || callback == WILD_FIND; /* it may be infinitely wide */
  if (n > 0 && x) {
    x[w->own_calls % n] = poison[is_gap && w->how % 3 == 1 ? 0 : w->how % 3];
  }
  return 0;
}

static int on_configure(void *user, double t, const double *q)
{
  (void)t, (void)q;
  return answer(user, WILD_CONFIGURE, 0, NULL);
}

static int on_mass(void *user, double t, const double *q, double *M)
{
  wild *w = user;
  (void)t;
  wild_mass(w, q, M);
  return answer(w, WILD_MASS, 1, M + w->own_calls % w->nu * w->nu); /* in the triangle that is read */
}

/* Gauss without pivots: M is definite. */
static int on_solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  wild *w = user;
  const int n = w->nu;
  double M[WILD_U * WILD_U];
  (void)t;
  wild_mass(w, q, M);
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      const double factor = M[i * n + k] / M[k * n + k];
      for (int j = k; j < n; j++) {
        M[i * n + j] -= factor * M[k * n + j];
      }
      for (int r = 0; r < nrhs; r++) {
        X[r * n + i] -= factor * X[r * n + k];
      }
    }
  }
  for (int r = 0; r < nrhs; r++) {
    for (int i = n - 1; i >= 0; i--) {
      X[r * n + i] = (X[r * n + i] - dot(n - 1 - i, M + i * n + i + 1, X + r * n + i + 1)) / M[i * n + i];
    }
  }
  return answer(w, WILD_SOLVE_MASS, nrhs * n, X);
}

static int on_force(void *user, double t, const double *q, const double *u, double *h)
{
  wild *w = user;
  wild_force(w, t, q, u, h);
  return answer(w, WILD_FORCE, w->nu, h);
}

static int on_gap(void *user, double t, const double *q, double *g)
{
  wild *w = user;
  const double still[WILD_U] = {0.0};
  for (int i = 0; i < w->known; i++) {
    wild_look look;
    wild_see(w, &w->contact[i], t, q, still, &look);
    g[i] = look.g;
  }
  return answer(w, WILD_GAP, w->known, g);
}

static int on_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  wild *w = user;
  const double still[WILD_U] = {0.0};
  wild_look look;
  wild_see(w, &w->contact[i], t, q, still, &look);
  memcpy(W, look.w_N, (size_t)w->nu * sizeof *W);
  memcpy(W + w->nu, look.w_T, (size_t)w->nu * sizeof *W);
  memcpy(w_hat, look.w_hat, sizeof look.w_hat);
  return answer(w, WILD_DIRECTION, w->nu, W);
}

static int on_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  wild *w = user;
  wild_look look;
  wild_see(w, &w->contact[i], t, q, u, &look);
  memcpy(w_bar, look.w_bar, sizeof look.w_bar);
  return answer(w, WILD_BIAS, 1, w_bar);
}

static int on_find(void *user, double t, const double *q, const double *u, double margin,
                   nsdyn_contact_sink *sink)
{
  (void)u;
  wild *w = user;
  const double still[WILD_U] = {0.0};
  for (int i = w->known; i < w->known + w->found; i++) {
    wild_look look;
    double rows[2][2 * WILD_U]; /* of two blocks */
    wild_see(w, &w->contact[i], t, q, still, &look);
    const int32_t split = w->two_blocks ? w->nu / 2 : w->nu;
    const nsdyn_contact_block block[2] = {{0, split, rows[0]}, {split, w->nu - split, rows[1]}};
    for (int b = 0; b < 2; b++) {
      memcpy(rows[b], look.w_N + block[b].offset, (size_t)block[b].count * sizeof(double));
      memcpy(rows[b] + block[b].count, look.w_T + block[b].offset, (size_t)block[b].count * sizeof(double));
    }
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = w->contact[i].key;
    found.gap = look.g;
    found.law = w->contact[i].law_number;
    found.blocks = w->two_blocks ? 2 : 1;
    found.block = block;
    memcpy(found.w_hat, look.w_hat, sizeof look.w_hat);
    const int code = answer(w, WILD_FIND, 1, i % 2 ? &found.gap : &found.w_hat[0]);
    if (code) {
      return code;
    }
    /* A NaN is no gap beyond the margin: what the callback drops the library never sees. */
    if (!(found.gap > margin) && nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

static int on_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  wild *w = user;
  const double still[WILD_U] = {0.0};
  for (int i = 0; i < w->constraints; i++) {
    wild_look look;
    wild_see(w, &w->constraint[i], t, q, still, &look);
    g_b[i] = look.g;
    memcpy(W_b + i * w->nu, look.w_N, (size_t)w->nu * sizeof *W_b);
    w_hat_b[i] = look.w_hat[0];
  }
  return answer(w, WILD_CONSTRAINT, w->constraints, w->own_calls % 2 ? g_b : W_b);
}

static int on_constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  wild *w = user;
  for (int i = 0; i < w->constraints; i++) {
    wild_look look;
    wild_see(w, &w->constraint[i], t, q, u, &look);
    w_bar_b[i] = look.w_bar[0];
  }
  return answer(w, WILD_CONSTRAINT_BIAS, w->constraints, w_bar_b);
}

static int on_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  wild *w = user;
  (void)t;
  wild_qdot(w, q, u, qdot);
  return answer(w, WILD_KINEMATICS, w->nq, qdot);
}

static int on_retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  wild *w = user;
  double qdot[WILD_Q];
  wild_qdot(w, q, u, qdot);
  for (int i = 0; i < w->nq; i++) {
    q_new[i] = q[i] + dt * qdot[i];
  }
  return answer(w, WILD_RETRACT, w->nq, q_new);
}

static int on_curve(void *user, double speed, double *mu)
{
  const wild_surface *s = user;
  *mu = wild_curve(s, speed);
  return answer(s->owner, WILD_CURVE, 1, mu);
}

nsdyn_system_def wild_def(wild *w)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = w->nq;
  def.nu = w->nu;
  def.ncontacts = w->known;
  def.nconstraints = w->constraints;
  def.flags = w->flags;
  def.user = w;
  def.configure = w->bad == WILD_CONFIGURE ? on_configure : NULL;
  def.mass = w->solves < 2 ? on_mass : NULL;
  def.solve_mass = w->solves ? on_solve_mass : NULL;
  def.force = on_force;
  def.gap = w->known ? on_gap : NULL;
  def.direction = w->known ? on_direction : NULL;
  def.bias = w->has_bias ? on_bias : NULL;
  def.find = w->found ? on_find : NULL;
  def.constraint = w->constraints ? on_constraint : NULL;
  def.constraint_bias = w->has_constraint_bias ? on_constraint_bias : NULL;
  def.kinematics = w->moves ? on_kinematics : NULL;
  def.retract = w->retracts ? on_retract : NULL;
  return def;
}

/* ---- drawing ------------------------------------------------------------------------------------------- */

static double share(wild_bytes *from) /* in [0, 1], the ends often */
{
  const int k = wild_below(from, 12);
  return k < 3 ? 0.0 : k == 3 ? 1.0 : (double)k / 12.0;
}

void wild_read_law(wild_bytes *from, wild_surface *s)
{
  static const int32_t frictions[] = {NSDYN_FRICTION_NONE,   NSDYN_FRICTION_COULOMB, NSDYN_FRICTION_COULOMB,
                                      NSDYN_FRICTION_STATIC, NSDYN_FRICTION_CURVE,   NSDYN_FRICTION_BOUND,
                                      NSDYN_FRICTION_BOUND};
  nsdyn_contact_law *law = &s->law;
  nsdyn_contact_law_init(law, sizeof *law);
  law->kind = wild_below(from, 8) == 0 ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  const int which = wild_below(from, 7);
  law->friction = frictions[which];
  law->mu = wild_below(from, 4) ? fabs(wild_number(from)) * 0.5 : 0.0;
  law->mu_static = law->mu * (1.0 + share(from));
  law->bound = fabs(wild_number(from));
  law->eps_n = share(from);
  law->eps_t = wild_below(from, 2) ? 0.0 : share(from);
  law->reversal = share(from);
  s->curve[0] = 0.5 * share(from);
  s->curve[1] = 0.5 * share(from);
  if (law->friction == NSDYN_FRICTION_CURVE || which == 6) {
    law->curve = on_curve;
    law->user = s;
  }
}

static void read_surface(wild_bytes *from, wild *w, wild_surface *s)
{
  const int kind = wild_below(from, 32), drives = (kind & 3) == 3;
  s->owner = w;
  numbers(from, w->nq, s->n);
  numbers(from, w->nu, s->tangent);
  s->bend = kind & 4 ? 0.5 * wild_number(from) : 0.0;
  s->twist = kind & 8 ? 0.5 * wild_number(from) : 0.0;
  s->omega = drives ? 4.0 * wild_number(from) : 0.0;
  s->amp = drives ? 0.5 * wild_number(from) : 0.0;
  s->belt_amp = drives ? wild_number(from) : 0.0;
  s->belt = kind & 16 ? wild_number(from) : 0.0;
  s->rate = (kind & 3) == 2 ? 0.5 * wild_number(from) : 0.0;
}

/* Where it lies when all begins. */
static void place_surface(wild_bytes *from, wild *w, wild_surface *s, int is_constraint)
{
  const int how = wild_below(from, 32);
  const int is_held = is_constraint || s->law.kind == NSDYN_CONTACT_BILATERAL;
  wild_look look;
  wild_see(w, s, w->t0, w->q, w->u, &look);
  if (how % 4 == (is_held ? 0 : 1) || (is_held && how % 4 == 2)) { /* without speed, too */
    s->rate -= look.w_hat[0] + dot(w->nu, look.w_N, w->u);
    wild_see(w, s, w->t0, w->q, w->u, &look);
  }
  s->g0 -= look.g;
  if (how == 31) {
    s->g0 += 1e-3 * wild_number(from);
  } else if (!is_held && how >= 12) {
    s->g0 += fabs(wild_number(from));
  }
}

static void read_shape(wild_bytes *from, wild *w)
{
  const int kind = wild_below(from, 16);
  w->nu = 1 + wild_below(from, WILD_U);
  w->nq = kind == 0 ? w->nu + 1 : kind == 1 && w->nu > 1 ? w->nu - 1 : w->nu;
  w->moves = kind < 4;
  w->retracts = wild_below(from, 4) == 0;
  w->solves = wild_below(from, 8) >= 6 ? 1 + wild_below(from, 2) : 0; /* 1: beside mass, 2: instead */
  w->known = wild_below(from, 4);
  w->found = wild_below(from, 3) == 2 ? 1 + wild_below(from, 2) : 0;
  w->constraints = wild_below(from, 4) == 3 ? 1 + wild_below(from, WILD_CONSTRAINTS) : 0;
  w->has_bias = w->known && wild_below(from, 2);
  w->has_constraint_bias = w->constraints && wild_below(from, 2);
  w->two_blocks = wild_below(from, 2);
  w->unit = wild_below(from, 8) == 7 ? pow(10.0, wild_below(from, 13) - 6) : 1.0;
  const int late = wild_below(from, 16);
  w->t0 = late == 15 ? 1e6 : late == 14 ? -3.5 : late == 13 ? 1e3 : 0.0;
}

static void read_faults(wild_bytes *from, wild *w)
{
  w->bad = wild_below(from, 4) == 3 ? wild_below(from, WILD_CALLBACKS) : WILD_NONE;
  w->how = wild_below(from, 6);
  w->bad_from = 1 + (int64_t)wild_below(from, 256) * (1 + wild_below(from, 8));
  w->bad_upto = w->bad_from + 1 + (wild_below(from, 4) ? 0 : wild_below(from, 128));
  w->no_memory_at = wild_below(from, 64) == 63 ? 1 + wild_below(from, 64) : 0;
  w->cancels_at = wild_below(from, 16) == 15 ? 1 + wild_below(from, 8) : 0;
}

void wild_read(wild_bytes *from, wild *w)
{
  from->coarse = wild_below(from, 3) == 0;
  w->is_hard = from->hard = wild_below(from, 24) == 23;
  read_shape(from, w);
  read_faults(from, w);
  const int varies = wild_below(from, 4), pulls = wild_below(from, 4);
  definite(from, w->nu, 0.5, w->M0);
  if (varies == 3) {
    definite(from, w->nu, 0.0, w->M1);
  }
  w->flags = varies < 2 && wild_below(from, 2) ? NSDYN_CONSTANT_MASS : 0;
  if (varies == 3 || w->moves) {
    numbers(from, w->nq, w->s);
  }
  for (int i = 0; i < w->nq && w->moves; i++) {
    for (int j = 0; j < w->nu; j++) {
      w->N0[i * w->nu + j] = i == j ? 1.0 : i >= w->nu ? wild_number(from) : 0.0;
    }
  }
  if (w->moves && wild_below(from, 2)) {
    numbers(from, w->nq * w->nu, w->N1);
  }
  numbers(from, w->nu, w->f);
  for (int i = 0; i < w->nu; i++) {
    w->f[i] *= pulls > 1 ? 6.0 : 1.0;
  }
  w->phase_omega = pulls == 3 ? 3.0 * wild_number(from) : 0.0;
  if (pulls & 1) {
    numbers(from, w->nu * w->nq, w->K);
    definite(from, w->nu, 0.0, w->D);
  }
  numbers(from, w->nq, w->q);
  if (wild_below(from, 4)) {
    numbers(from, w->nu, w->u);
  }
  for (int i = 0; i < w->known + w->found; i++) {
    read_surface(from, w, &w->contact[i]);
    wild_read_law(from, &w->contact[i]);
    place_surface(from, w, &w->contact[i], 0);
    w->contact[i].key = i % 2 ? INT64_MIN + i : 1000 - i;
  }
  for (int i = 0; i < w->constraints; i++) {
    read_surface(from, w, &w->constraint[i]);
    place_surface(from, w, &w->constraint[i], 1);
  }
}

/* ---- for people ---------------------------------------------------------------------------------------- */

void wild_tell_numbers(const wild *w, const char *name, int n, const double *x)
{
  wild_tell(w, "  %s =", name);
  for (int i = 0; i < n; i++) {
    wild_tell(w, " %.17g", x[i]);
  }
  wild_tell(w, "\n");
}

void wild_describe_surface(const wild *w, const char *name, int i, const wild_surface *s)
{
  const double shape[] = {s->g0, s->bend, s->rate, s->amp, s->omega, s->twist, s->belt, s->belt_amp};
  const nsdyn_contact_law *law = &s->law;
  const double numbers[] = {law->mu,    law->mu_static, law->bound,  law->eps_n,
                            law->eps_t, law->reversal,  s->curve[0], s->curve[1]};
  wild_tell(w, "%s %d: kind %d, friction %d%s\n", name, i, (int)law->kind, (int)law->friction,
            law->curve ? ", curve" : "");
  wild_tell_numbers(w, "g0 bend rate amp omega twist belt belt_amp", 8, shape);
  wild_tell_numbers(w, "mu mu_static bound eps_n eps_t reversal curve", 8, numbers);
  wild_tell_numbers(w, "n", w->nq, s->n);
  wild_tell_numbers(w, "tangent", w->nu, s->tangent);
}

void wild_describe(const wild *w)
{
  wild_tell(w,
            "nq %d, nu %d, contacts %d known, %d found, %d constraints%s%s%s%s%s, flags %d, unit %g, t %g%s\n"
            "callback %d fails by %d in calls %d to %d, memory at %d, cancelled at %d\n",
            w->nq, w->nu, w->known, w->found, w->constraints, w->moves ? ", kinematics" : "",
            w->retracts ? ", retract" : "",
            w->solves == 2 ? ", solve_mass"
            : w->solves    ? ", mass and solve_mass"
                           : "",
            w->has_bias ? ", bias" : "", w->has_constraint_bias ? ", constraint_bias" : "", (int)w->flags,
            w->unit, w->t0, w->is_hard ? ", hard" : "", w->bad, w->how, (int)w->bad_from, (int)w->bad_upto,
            (int)w->no_memory_at, (int)w->cancels_at);
  wild_tell_numbers(w, "M0", w->nu * w->nu, w->M0);
  wild_tell_numbers(w, "M1", w->nu * w->nu, w->M1);
  wild_tell_numbers(w, "s", w->nq, w->s);
  wild_tell_numbers(w, "f", w->nu, w->f);
  wild_tell_numbers(w, "omega", 1, &w->phase_omega);
  wild_tell_numbers(w, "K", w->nu * w->nq, w->K);
  wild_tell_numbers(w, "D", w->nu * w->nu, w->D);
  wild_tell_numbers(w, "N0", w->nq * w->nu, w->N0);
  wild_tell_numbers(w, "N1", w->nq * w->nu, w->N1);
  wild_tell_numbers(w, "q", w->nq, w->q);
  wild_tell_numbers(w, "u", w->nu, w->u);
  for (int i = 0; i < w->known + w->found; i++) {
    wild_describe_surface(w, "contact", i, &w->contact[i]);
  }
  for (int i = 0; i < w->constraints; i++) {
    wild_describe_surface(w, "constraint", i, &w->constraint[i]);
  }
}
