/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What must hold at any moment, computed from the machine's callbacks alone. */
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "zoo.h"

int zoo_says(zoo_fault *fault, double t, const char *kind, double value, double allowed, const char *format,
             ...)
{
  va_list list;
  if (fabs(value) <= allowed) {
    return 0;
  }
  snprintf(fault->kind, sizeof fault->kind, "%s", kind);
  va_start(list, format);
  vsnprintf(fault->text, sizeof fault->text, format, list);
  va_end(list);
  fault->value = value;
  fault->allowed = allowed;
  fault->t = t;
  return 1;
}

void zoo_qdot(const zoo_case *c, double t, const double *q, const double *u, double *qdot)
{
  if (c->def.kinematics) {
    memset(qdot, 0, sizeof(double) * (size_t)c->def.nq);
    c->def.kinematics(c->def.user, t, q, u, qdot);
  } else {
    memcpy(qdot, u, sizeof(double) * (size_t)c->def.nq);
  }
}

/* ---- tolerances ------------------------------------------------------------------------------------------
 */

/* Callbacks see a rounded time, and the weights of a method of order 8 are as large as 40. */
static double clock_of(const zoo_case *c, double t)
{
  return 256.0 * DBL_EPSILON * fabs(t) / c->time;
}

double zoo_unseen(const zoo_case *c, double t)
{
  return clock_of(c, t) * c->length;
}

/* What an error relative to its size may be: by the tolerance of the driver, or the step times a bound. */
static double share_of(const zoo_moment *m, double bound)
{
  const zoo_case *c = m->c;
  const double clock = clock_of(c, m->t);
  if (m->dt > 0.0) {
    return fmax(1.0, c->leave) * bound * m->dt / c->time + clock;
  }
  return 1e3 * m->tol + 1e-11 + clock;
}

/* Of gaps and velocities at contacts. */
static double share(const zoo_moment *m)
{
  return share_of(m, fmax(m->c->steps_bound, 30.0));
}

/* ---- one contact: directions and what follows from them
 * ---------------------------------------------------- */

typedef struct touch {
  double gap, W[2 * ZOO_MOST], w_hat[2];
  int law; /* of found ones: their number, or −1 where it was not found */
} touch;

/* A search for one key. */
typedef struct seeker {
  int64_t key;
  touch *touch;
} seeker;

static void touch_known(const zoo_case *c, double t, const double *q, int i, touch *out)
{
  double g[ZOO_MOST] = {0};
  memset(out, 0, sizeof *out);
  c->def.gap(c->def.user, t, q, g);
  out->gap = g[i];
  c->def.direction(c->def.user, t, q, i, out->W, out->w_hat);
}

static double gamma_of(const zoo_case *c, const touch *w, int row, const double *u)
{
  double sum = w->w_hat[row];
  for (int j = 0; j < c->def.nu; j++) {
    sum += w->W[row * c->def.nu + j] * u[j];
  }
  return sum;
}

/* A time step for differences along the motion. */
static double small_time(const zoo_case *c, double t)
{
  return c->time * fmax(1e-5, cbrt(4.0 * DBL_EPSILON * (1.0 + fabs(t) / c->time)));
}

static void shifted(const zoo_moment *m, double d, double *t, double *q, double *u)
{
  double rate[ZOO_MOST], later[ZOO_MOST];
  const zoo_case *c = m->c;
  volatile double t_sum = m->t + d;
  *t = t_sum;
  const double exact = *t - m->t;
  for (int j = 0; j < c->def.nu; j++) {
    u[j] = m->u[j] + exact * m->a[j];
    later[j] = m->u[j] + 0.5 * exact * m->a[j];
  }
  zoo_qdot(c, m->t, m->q, later, rate);
  for (int j = 0; j < c->def.nq; j++) {
    q[j] = m->q[j] + exact * rate[j];
  }
}

/* γ over ± d along the motion, over its time. */
static double slope_over(const zoo_moment *m, int i, int row, double d)
{
  double t[2], q[ZOO_MOST], u[ZOO_MOST], gamma[2];
  touch w;
  for (int side = 0; side < 2; side++) {
    shifted(m, side ? d : -d, &t[side], q, u);
    touch_known(m->c, t[side], q, i, &w);
    gamma[side] = gamma_of(m->c, &w, row, u);
  }
  return (gamma[1] - gamma[0]) / (t[1] - t[0]);
}

/* γ̇ by differences along the motion, to second order where q' = u. Late times want a long d; what d² makes of
 * a fast motion there is taken away by half of it (Richardson). */
static double rate_of(const zoo_moment *m, int i, int row)
{
  const double d = small_time(m->c, m->t);
  const double coarse = slope_over(m, i, row, d), fine = slope_over(m, i, row, 0.5 * d);
  return fine + (fine - coarse) / 3.0;
}

/* ---- laws, where forces are known
 * ---------------------------------------------------------------------------- */

typedef struct scales {
  double gap, gamma, rate, force;
} scales;

static scales allowed_of(const zoo_moment *m)
{
  const zoo_case *c = m->c;
  const double s = share(m), d = small_time(c, m->t) / c->time;
  const double coarse = 1e-5 + 10.0 * s + 100.0 * d * d;
  return (scales){s * c->length, s * c->speed, coarse * c->speed / c->time, coarse * c->force};
}

/* a = M⁻¹ h, which forces at contacts have to balance, by Cholesky's factors; 0: none known. */
static int free_accelerations(const zoo_moment *m, double *a)
{
  const zoo_case *c = m->c;
  const int n = c->def.nu;
  double M[ZOO_MOST * ZOO_MOST] = {0};
  memset(a, 0, sizeof(double) * ZOO_MOST);
  if (!c->def.mass || !c->def.force) {
    return 0;
  }
  c->def.mass(c->def.user, m->t, m->q, M);
  c->def.force(c->def.user, m->t, m->q, m->u, a);
  for (int j = 0; j < n; j++) { /* L Lᵀ = M, row by row, and L x = h */
    for (int k = 0; k <= j; k++) {
      double sum = M[j * n + k];
      for (int l = 0; l < k; l++) {
        sum -= M[j * n + l] * M[k * n + l];
      }
      M[j * n + k] = k < j ? sum / M[k * n + k] : sqrt(sum);
      a[j] -= k < j ? M[j * n + k] * a[k] : 0.0;
    }
    a[j] /= M[j * n + j];
  }
  for (int j = n - 1; j >= 0; j--) { /* Lᵀ a = x */
    for (int l = j + 1; l < n; l++) {
      a[j] -= M[l * n + j] * a[l];
    }
    a[j] /= M[j * n + j];
  }
  return 1;
}

/* What the gap of contact i may be off by, beside `ok`, the share of its length. Forces balance a load to
 * rounding, ε Σ |w_j a_j|, and what is left moves a closed gap in the machine's time by half of that times
 * its square: much, where a large load presses on what hardly moves. */
static double allowed_gap(const zoo_moment *m, int i, double gap, double ok)
{
  const zoo_case *c = m->c;
  double a[ZOO_MOST], load = 0.0;
  touch w;
  if (fabs(gap) <= ok || !free_accelerations(m, a)) {
    return ok;
  }
  touch_known(c, m->t, m->q, i, &w);
  for (int j = 0; j < c->def.nu; j++) {
    load += fabs(w.W[j] * a[j]);
  }
  return ok + 0.5 * DBL_EPSILON * load * c->time * c->time;
}

static int judge_contact(const zoo_moment *m, const nsdyn_contact_state *state, const nsdyn_contact_law *law,
                         zoo_fault *fault)
{
  const scales ok = allowed_of(m);
  const int i = state->index, slot = law->kind == NSDYN_CONTACT_BILATERAL;
  touch w;
  touch_known(m->c, m->t, m->q, i, &w);
  const double gamma = gamma_of(m->c, &w, 0, m->u), rate = rate_of(m, i, 0);
  if (zoo_says(fault, m->t, "closed gap", w.gap, allowed_gap(m, i, w.gap, ok.gap),
               "gap of the closed contact %d", i) ||
      zoo_says(fault, m->t, "closed velocity", gamma, ok.gamma, "normal velocity of the closed contact %d",
               i) ||
      (!slot && zoo_says(fault, m->t, "pulls", fmin(state->force[0], 0.0), ok.force,
                         "normal force of contact %d", i)) ||
      (state->force[0] > ok.force && zoo_says(fault, m->t, "closed acceleration", rate, ok.rate,
                                              "normal acceleration of the pressing contact %d", i)) ||
      zoo_says(fault, m->t, "pressed in", fmin(rate, 0.0), ok.rate,
               "normal acceleration of the closed contact %d", i)) {
    return 1;
  }
  if (law->friction != NSDYN_FRICTION_COULOMB) {
    return 0;
  }
  const double slide = gamma_of(m->c, &w, 1, m->u), most = law->mu * fabs(state->force[0]);
  if (zoo_says(fault, m->t, "friction cone", fmax(fabs(state->force[1]) - most, 0.0), ok.force,
               "friction force %.3e of contact %d above its bound %.3e", state->force[1], i, most)) {
    return 1;
  }
  if (fabs(slide) > 10.0 * ok.gamma) {
    return zoo_says(fault, m->t, "friction sign", state->force[1] + copysign(most, slide), ok.force,
                    "friction force %.3e of contact %d, sliding at %.3e under λ_N = %.3e, mode %d",
                    state->force[1], i, slide, state->force[0], (int)state->mode);
  }
  const double turn = rate_of(m, i, 1);
  const int is_ending = state->mode == (slide > 0.0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS) &&
                        fabs(state->force[1] + copysign(most, slide)) <= ok.force;
  if (fabs(turn) > ok.rate && !is_ending) {
    return zoo_says(fault, m->t, "not a stick", fabs(state->force[1] + copysign(most, turn)), ok.force,
                    "friction force %.3e of contact %d, which starts to slide at %.3e under %.3e",
                    state->force[1], i, turn, state->force[0]);
  }
  return 0;
}

/* Takes the part of r along the rows of W_b away (each row weighted by the sizes of velocities, so that units
 * do not matter). */
static void without_constraints(const zoo_case *c, double t, const double *q, double *r)
{
  double g[ZOO_MOST] = {0}, w_hat[ZOO_MOST] = {0}, W[ZOO_MOST * ZOO_MOST] = {0};
  const int n = c->def.nu, rows = c->def.nconstraints;
  if (rows == 0) {
    return;
  }
  c->def.constraint(c->def.user, t, q, g, W, w_hat);
  for (int k = 0; k < rows; k++) {
    double *row = W + k * n;
    for (int j = 0; j < n; j++) {
      row[j] *= c->u_size[j];
    }
    for (int pass = 0; pass < 2; pass++) {
      for (int l = 0; l < k; l++) {
        double dot = 0.0;
        for (int j = 0; j < n; j++) {
          dot += row[j] * W[l * n + j];
        }
        for (int j = 0; j < n; j++) {
          row[j] -= dot * W[l * n + j];
        }
      }
      double norm = 0.0;
      for (int j = 0; j < n; j++) {
        norm += row[j] * row[j];
      }
      for (int j = 0; j < n; j++) {
        row[j] /= norm > 0.0 ? sqrt(norm) : 1.0;
      }
    }
    double dot = 0.0;
    for (int j = 0; j < n; j++) {
      dot += row[j] * r[j];
    }
    for (int j = 0; j < n; j++) {
      r[j] -= dot * row[j];
    }
  }
}

/* M a − h − Wᵀ λ has to vanish, but for what constraints take up; in power, over force · speed. */
static int judge_motion(const zoo_moment *m, zoo_fault *fault)
{
  const zoo_case *c = m->c;
  const int n = c->def.nu;
  double M[ZOO_MOST * ZOO_MOST] = {0}, h[ZOO_MOST] = {0}, r[ZOO_MOST], size = 0.0;
  if (!c->def.mass) {
    return 0;
  }
  c->def.mass(c->def.user, m->t, m->q, M);
  if (c->def.force) {
    c->def.force(c->def.user, m->t, m->q, m->u, h);
  }
  for (int j = 0; j < n; j++) {
    r[j] = -h[j];
    for (int k = 0; k < n; k++) {
      r[j] += M[(j > k ? j * n + k : k * n + j)] * m->a[k];
    }
  }
  for (int k = 0; k < nsdyn_event_driver_active(m->driver); k++) {
    nsdyn_contact_state state = {.size = sizeof state};
    touch w;
    nsdyn_event_driver_active_contact(m->driver, k, &state);
    if (state.index < 0) {
      return 0;
    }
    touch_known(c, m->t, m->q, state.index, &w);
    for (int j = 0; j < n; j++) {
      r[j] -= w.W[j] * state.force[0] + (state.rows > 1 ? w.W[n + j] * state.force[1] : 0.0);
    }
  }
  for (int j = 0; j < n; j++) {
    r[j] *= c->u_size[j];
  }
  without_constraints(c, m->t, m->q, r);
  for (int j = 0; j < n; j++) {
    size = fmax(size, fabs(r[j]));
  }
  return zoo_says(fault, m->t, "M a = h + Wᵀ λ", size, allowed_of(m).force * c->speed,
                  "power of M a − h − Wᵀ λ");
}

static int judge_forces(const zoo_moment *m, zoo_fault *fault)
{
  for (int k = 0; k < nsdyn_event_driver_active(m->driver); k++) {
    nsdyn_contact_state state = {.size = sizeof state};
    nsdyn_event_driver_active_contact(m->driver, k, &state);
    if (state.index >= 0 && judge_contact(m, &state, &m->c->law[state.index], fault)) {
      return 1;
    }
  }
  return judge_motion(m, fault);
}

/* ---- states
 * ----------------------------------------------------------------------------------------------------- */

static int judge_gaps(const zoo_moment *m, zoo_fault *fault)
{
  const zoo_case *c = m->c;
  double g[ZOO_MOST] = {0}, w_hat[ZOO_MOST] = {0}, W[ZOO_MOST * ZOO_MOST] = {0};
  const double s = share(m);
  if (c->def.gap) {
    c->def.gap(c->def.user, m->t, m->q, g);
  }
  for (int i = 0; i < c->def.ncontacts; i++) {
    const double g_bad = c->law[i].kind == NSDYN_CONTACT_BILATERAL ? g[i] : fmin(g[i], 0.0);
    const double ok = allowed_gap(m, i, g_bad, s * c->length);
    if (zoo_says(fault, m->t, "penetration", g_bad, ok, "gap of contact %d", i)) {
      return 1;
    }
  }
  memset(g, 0, sizeof g);
  if (c->def.constraint) {
    c->def.constraint(c->def.user, m->t, m->q, g, W, w_hat);
  }
  for (int i = 0; i < c->def.nconstraints; i++) {
    double v = w_hat[i], size = fabs(w_hat[i]);
    for (int j = 0; j < c->def.nu; j++) {
      v += W[i * c->def.nu + j] * m->u[j];
      size = fmax(size, fabs(W[i * c->def.nu + j]) * c->u_size[j]);
    }
    if (zoo_says(fault, m->t, "constraint", g[i], s * c->constraint_size[i], "constraint %d", i) ||
        zoo_says(fault, m->t, "constraint velocity", v, s * size, "velocity of constraint %d", i)) {
      return 1;
    }
  }
  return 0;
}

/* Whether steps are off the truth by more than `s` of the sizes. */
static int is_off(const zoo_case *c, const zoo_moment *m, const zoo_truth *truth, double s)
{
  int off = 0;
  for (int j = 0; j < c->def.nq && truth->knows_q; j++) {
    off |= !(fabs(m->q[j] - truth->q[j]) <= s * c->q_size[j]);
  }
  for (int j = 0; j < c->def.nu && truth->knows_u; j++) {
    off |= !(fabs(m->u[j] - truth->u[j]) <= s * c->u_size[j]);
  }
  return off;
}

static int judge_truth(zoo_case *c, const zoo_moment *m, double *error, zoo_fault *fault)
{
  zoo_truth truth, more;
  /* How errors of steps grow on the way is asked of the machine where it knows. */
  const int asks = m->dt > 0.0 && c->spread;
  const double s = share_of(m, c->steps_bound) * (asks ? 1.0 : c->amplify);
  memset(&truth, 0, sizeof truth);
  memset(&more, 0, sizeof more);
  if (!c->truth || c->other_law || !c->truth(c, m->t, &truth)) {
    return 0;
  }
  if (asks && is_off(c, m, &truth, s)) {
    const clock_t begin = clock();
    c->leans = 1;
    c->spread(c, m->t, m->dt, &more);
    c->judging += (double)(clock() - begin) / CLOCKS_PER_SEC;
    truth.knows_u &= more.knows_u;
  }
  for (int j = 0; j < c->def.nq && truth.knows_q; j++) {
    const double off = m->q[j] - truth.q[j], ok = s * c->q_size[j] + fmax(1.0, c->leave) * more.q[j];
    *error = fmax(*error, fabs(off) / ok);
    if (zoo_says(fault, m->t, "motion", off, ok, "q[%d] = %.12g, in truth %.12g", j, m->q[j], truth.q[j])) {
      return 1;
    }
  }
  for (int j = 0; j < c->def.nu && truth.knows_u; j++) {
    const double off = m->u[j] - truth.u[j], ok = s * c->u_size[j] + fmax(1.0, c->leave) * more.u[j];
    *error = fmax(*error, fabs(off) / ok);
    if (zoo_says(fault, m->t, "velocity", off, ok, "u[%d] = %.12g, in truth %.12g", j, m->u[j], truth.u[j])) {
      return 1;
    }
  }
  return 0;
}

int zoo_judge(zoo_case *c, const zoo_moment *m, double *error, zoo_fault *fault)
{
  if (judge_gaps(m, fault)) {
    return 1;
  }
  if (c->energy) {
    const double grown = c->energy(c, m->t, m->q, m->u) - c->energy(c, c->t0, c->q, c->u);
    if (zoo_says(fault, m->t, "energy", fmax(grown, 0.0),
                 share_of(m, c->steps_bound) * c->amplify * c->energy_size, "energy has grown")) {
      return 1;
    }
  }
  if (m->driver && m->a && judge_forces(m, fault)) {
    return 1;
  }
  if (error && judge_truth(c, m, error, fault)) {
    return 1;
  }
  return c->judge && c->judge(c, m, fault);
}

/* ---- the machine itself
 * ------------------------------------------------------------------------------------------ */

/* Gaps and constraints, differenced along a motion with random-looking velocities, against W u + ŵ. */
int zoo_check_model(const zoo_case *c, zoo_fault *fault)
{
  const double d = small_time(c, c->t0);
  double u[ZOO_MOST], a[ZOO_MOST] = {0}, q[ZOO_MOST], later[ZOO_MOST], t[2], g[2][ZOO_MOST], none[ZOO_MOST];
  double W[ZOO_MOST * ZOO_MOST], w_hat[ZOO_MOST], gb[2][ZOO_MOST];
  for (int j = 0; j < c->def.nu; j++) {
    u[j] = c->u[j] + c->u_size[j] * cos(3.0 * j + 1.0);
  }
  const zoo_moment m = {.c = c, .t = c->t0 + 0.3 * c->time, .q = c->q, .u = u, .a = a};
  memset(g, 0, sizeof g);
  memset(gb, 0, sizeof gb);
  for (int side = 0; side < 2; side++) {
    shifted(&m, side ? d : -d, &t[side], q, later);
    if (c->def.gap) {
      c->def.gap(c->def.user, t[side], q, g[side]);
    }
    if (c->def.constraint) {
      memset(W, 0, sizeof W);
      c->def.constraint(c->def.user, t[side], q, gb[side], W, none);
    }
  }
  const double ok = 1e-4 + 100.0 * (d / c->time) * (d / c->time);
  for (int i = 0; i < c->def.ncontacts; i++) {
    touch w;
    touch_known(c, m.t, c->q, i, &w);
    if (isfinite(g[0][i]) &&
        zoo_says(fault, m.t, "MODEL", gamma_of(c, &w, 0, u) - (g[1][i] - g[0][i]) / (t[1] - t[0]),
                 ok * c->speed * 10.0, "W of contact %d", i)) {
      return 1;
    }
  }
  memset(W, 0, sizeof W);
  memset(w_hat, 0, sizeof w_hat);
  if (c->def.constraint) {
    c->def.constraint(c->def.user, m.t, c->q, none, W, w_hat);
  }
  for (int i = 0; i < c->def.nconstraints; i++) {
    double v = w_hat[i] - (gb[1][i] - gb[0][i]) / (t[1] - t[0]), size = fabs(w_hat[i]);
    for (int j = 0; j < c->def.nu; j++) {
      v += W[i * c->def.nu + j] * u[j];
      size = fmax(size, fabs(W[i * c->def.nu + j] * c->u_size[j]));
    }
    if (zoo_says(fault, m.t, "MODEL", v, ok * size * 10.0, "W of constraint %d", i)) {
      return 1;
    }
  }
  return 0;
}
