/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, the motion. */
#include <stdio.h>

#include "exact.h"

enum { ROWS = 2 * EXACT_CONTACTS };

static const exact_real tiny = 1e-13L;

static exact_real dot(int n, const exact_real *a, const exact_real *b)
{
  exact_real sum = 0.0L;
  for (int j = 0; j < n; j++) {
    sum += a[j] * b[j];
  }
  return sum;
}

/* A x = b, n × n, by elimination; x replaces b. 0 where A is singular. */
static int eliminate(int n, exact_real A[][ROWS], exact_real *b)
{
  exact_real size = 0.0L;
  for (int i = 0; i < n; i++) {
    size = fmaxl(size, fabsl(A[i][i]));
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++) {
      best = fabsl(A[i][k]) > fabsl(A[best][k]) ? i : best;
    }
    if (!(fabsl(A[best][k]) > 1e-14L * size)) {
      return 0;
    }
    for (int j = 0; j < n && best != k; j++) {
      const exact_real other = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = other;
    }
    const exact_real other = b[k];
    b[k] = b[best];
    b[best] = other;
    for (int i = k + 1; i < n; i++) {
      const exact_real factor = A[i][k] / A[k][k];
      for (int j = k; j < n; j++) {
        A[i][j] -= factor * A[k][j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) {
      b[k] -= A[k][j] * b[j];
    }
    b[k] /= A[k][k];
  }
  return 1;
}

/* X := M⁻¹ X, for `rows` rows. */
static int divide(const exact *e, const exact_real *q, int rows, exact_real X[][EXACT_MOST])
{
  exact_real M[EXACT_MOST * EXACT_MOST] = {0};
  if (rows == 0) {
    return 1;
  }
  e->inertia(e, q, M);
  for (int r = 0; r < rows; r++) {
    exact_real A[ROWS][ROWS];
    for (int i = 0; i < e->n; i++) {
      for (int j = 0; j < e->n; j++) {
        A[i][j] = M[i * e->n + j];
      }
    }
    if (!eliminate(e->n, A, X[r])) {
      return 0;
    }
  }
  return 1;
}

static void touch(const exact *e, exact_real t, const exact_real *q, int i, exact_touch *w)
{
  memset(w, 0, sizeof *w);
  e->touch(e, t, q, i, w);
}

static exact_real gamma_of(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int32_t i,
                           int row)
{
  exact_touch w;
  touch(e, t, q, i, &w);
  return dot(e->n, w.w[row], v) + w.hat[row];
}

/* γ̇ without accelerations, of both rows: differences of sixth order in both directions. */
void exact_bias(const exact *e, exact_real t, const exact_real *q, const exact_real *v, int32_t i,
                exact_real *bias)
{
  static const exact_real weight[3] = {45.0L, -9.0L, 1.0L};
  const exact_real d = 2e-3L * e->time;
  bias[0] = bias[1] = 0.0L;
  for (int k = -3; k <= 3; k++) {
    exact_real shifted[EXACT_MOST];
    exact_touch w;
    if (k == 0) {
      continue;
    }
    for (int j = 0; j < e->n; j++) {
      shifted[j] = q[j] + d * (exact_real)k * v[j];
    }
    touch(e, t + d * (exact_real)k, shifted, i, &w);
    for (int row = 0; row < 2; row++) {
      const exact_real part = weight[abs(k) - 1] / (60.0L * d);
      bias[row] += (k > 0 ? part : -part) * (dot(e->n, w.w[row], v) + w.hat[row]);
    }
  }
}

static exact_real mu_of(const exact *e, int i, int sticks, exact_real slide)
{
  const exact_law *law = &e->law[i];
  switch (law->friction) {
  case NSDYN_FRICTION_COULOMB:
    return law->mu;
  case NSDYN_FRICTION_STATIC:
    return sticks ? law->mu_static : law->mu;
  case NSDYN_FRICTION_CURVE:
    return e->curve(e, i, fabsl(slide));
  default:
    return 0.0L;
  }
}

/* The unknowns of a set of modes: which rows are held at zero, and along what their forces act. */
typedef struct unknowns {
  int n, of[ROWS], row[ROWS];
  exact_real R[ROWS][EXACT_MOST], C[ROWS][EXACT_MOST], rest[ROWS];
} unknowns;

static void add_unknown(unknowns *x, const exact *e, int i, int row, const exact_touch *w, exact_real slope)
{
  x->of[x->n] = i;
  x->row[x->n] = row;
  for (int j = 0; j < e->n; j++) {
    x->R[x->n][j] = w->w[row][j];
    x->C[x->n][j] = w->w[row][j] + slope * w->w[1][j];
  }
  x->n++;
}

/* Solves R (v0 + M⁻¹ C λ) + rest = 0; v0 becomes v0 + M⁻¹ C λ. */
static int hold(const exact *e, const exact_real *q, unknowns *x, exact_real *v0, exact_real lambda[][2])
{
  exact_real X[ROWS][EXACT_MOST], A[ROWS][ROWS], b[ROWS];
  memcpy(X, x->C, sizeof *X * (size_t)x->n);
  if (!divide(e, q, x->n, X)) {
    return 0;
  }
  for (int i = 0; i < x->n; i++) {
    for (int j = 0; j < x->n; j++) {
      A[i][j] = dot(e->n, x->R[i], X[j]);
    }
    b[i] = -x->rest[i] - dot(e->n, x->R[i], v0);
  }
  if (!eliminate(x->n, A, b)) {
    return 0;
  }
  for (int i = 0; i < x->n; i++) {
    lambda[x->of[i]][x->row[i]] = b[i];
    for (int j = 0; j < e->n; j++) {
      v0[j] += X[i][j] * b[i];
    }
  }
  return 1;
}

int exact_accelerate(const exact *e, exact_real t, const exact_real *q, const exact_real *v,
                     const unsigned char *mode, exact_real *a, exact_real lambda[][2])
{
  unknowns x;
  exact_real h[1][EXACT_MOST] = {{0}};
  x.n = 0;
  memset(lambda, 0, sizeof *lambda * (size_t)e->contacts);
  e->force(e, t, q, v, h[0]);
  for (int i = 0; i < e->contacts; i++) {
    const int slides = mode[i] == EXACT_PLUS ? 1 : mode[i] == EXACT_MINUS ? -1 : 0;
    exact_real bias[2];
    exact_touch w;
    if (mode[i] == EXACT_OPEN) {
      continue;
    }
    touch(e, t, q, i, &w);
    exact_bias(e, t, q, v, i, bias);
    exact_real slope = 0.0L;
    if (slides && e->law[i].friction == NSDYN_FRICTION_BOUND) {
      lambda[i][1] = -slides * e->law[i].bound;
      for (int j = 0; j < e->n; j++) {
        h[0][j] += lambda[i][1] * w.w[1][j];
      }
    } else if (slides) {
      slope = -slides * mu_of(e, i, 0, dot(e->n, w.w[1], v) + w.hat[1]);
    }
    if (dot(e->n, w.w[0], w.w[0]) > 0.0L) {
      x.rest[x.n] = bias[0];
      add_unknown(&x, e, i, 0, &w, slope);
    }
    if (mode[i] == EXACT_STICK) {
      x.rest[x.n] = bias[1];
      add_unknown(&x, e, i, 1, &w, 0.0L);
    }
  }
  if (!divide(e, q, 1, h)) {
    return 0;
  }
  memcpy(a, h[0], sizeof *a * (size_t)e->n);
  if (!hold(e, q, &x, a, lambda)) {
    return 0;
  }
  for (int i = 0; i < e->contacts; i++) {
    if ((mode[i] == EXACT_PLUS || mode[i] == EXACT_MINUS) && e->law[i].friction != NSDYN_FRICTION_BOUND) {
      const exact_real mu = mu_of(e, i, 0, gamma_of(e, t, q, v, i, 1));
      lambda[i][1] = (mode[i] == EXACT_PLUS ? -mu : mu) * lambda[i][0];
    }
  }
  return 1;
}

/* ---- one phase
 * ----------------------------------------------------------------------------------------------------------
 */

typedef struct phase {
  const exact *e;
  const unsigned char *mode;
  unsigned char armed[ROWS];
  exact_real size[2 * EXACT_MOST + 1]; /* of q, v, t */
} phase;

static void pack(const exact *e, const exact_node *x, exact_real *y)
{
  for (int j = 0; j < e->n; j++) {
    y[j] = x->q[j];
    y[e->n + j] = x->v[j];
  }
  y[2 * e->n] = x->t;
}

static void unpack(const exact *e, const exact_real *y, exact_node *x)
{
  for (int j = 0; j < e->n; j++) {
    x->q[j] = y[j];
    x->v[j] = y[e->n + j];
  }
  x->t = y[2 * e->n];
}

static void rate(const void *data, const exact_real *y, exact_real *f)
{
  const phase *p = data;
  const int n = p->e->n;
  exact_real lambda[EXACT_CONTACTS][2];
  for (int j = 0; j < n; j++) {
    f[j] = y[n + j];
  }
  if (!exact_accelerate(p->e, y[2 * n], y, y + n, p->mode, f + n, lambda)) {
    f[n] = (exact_real)NAN;
  }
  f[2 * n] = 1.0L;
}

/* Positive while the modes last. */
static void guards(const phase *p, const exact_real *y, exact_real *value)
{
  const exact *e = p->e;
  const exact_real *q = y, *v = y + e->n, t = y[2 * e->n];
  exact_real lambda[EXACT_CONTACTS][2], a[EXACT_MOST], size = e->load;
  exact_accelerate(e, t, q, v, p->mode, a, lambda);
  for (int i = 0; i < e->contacts; i++) {
    const exact_law *law = &e->law[i];
    exact_touch w;
    touch(e, t, q, i, &w);
    const exact_real slide = dot(e->n, w.w[1], v) + w.hat[1];
    value[2 * i] = p->mode[i] == EXACT_OPEN ? w.gap / e->length : law->slot ? 1.0L : lambda[i][0] / size;
    value[2 * i + 1] = 1.0L;
    if (p->mode[i] == EXACT_STICK) {
      const exact_real most =
          law->friction == NSDYN_FRICTION_BOUND ? law->bound : mu_of(e, i, 1, 0.0L) * fabsl(lambda[i][0]);
      value[2 * i + 1] = (most - fabsl(lambda[i][1])) / size;
    } else if (p->mode[i] >= EXACT_PLUS) {
      value[2 * i + 1] = (p->mode[i] == EXACT_PLUS ? slide : -slide) / e->speed;
    }
  }
}

static exact_real first_guard(const phase *p, const exact_real *y, int *which)
{
  exact_real value[ROWS], least = 1.0L;
  guards(p, y, value);
  *which = -1;
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    if (p->armed[k] && value[k] < least) {
      least = value[k];
      *which = k;
    }
  }
  return least;
}

/* The equations of motion within a phase. Steps are of the lowest order that is far more accurate than what
 * is judged: the least that is allowed there is 1e-11 of the sizes. */
static exact_ode motion_of(const phase *p)
{
  return (exact_ode){2 * p->e->n + 1, rate, NULL, p, p->size, 1e-15L};
}

static phase phase_of(const exact *e, const unsigned char *mode)
{
  phase p = {.e = e, .mode = mode};
  for (int j = 0; j < e->n; j++) {
    p.size[j] = e->is_angle[j] ? 1.0L : e->length;
    p.size[e->n + j] = e->is_angle[j] ? e->speed / e->length : e->speed;
  }
  p.size[2 * e->n] = e->time;
  return p;
}

/* Guards are known to this: gaps to rounding, as they are zero where the next phase begins; forces not as
 * well, as biases are differenced. */
static exact_real floor_of(const phase *p, int k)
{
  return k % 2 == 0 && p->mode[k / 2] == EXACT_OPEN ? 1e-18L : 1e-16L;
}

/* Where in a step the lowest of the open gaps turns that fall at its beginning and rise at its end, as a
 * share of the step; 1: none does. The gap is taken for the cubic through both ends: a hit that is over
 * within the step shows at neither. */
static exact_real turn_within(const phase *p, const exact_real *from, const exact_real *to, exact_real h)
{
  const exact *e = p->e;
  exact_real lowest = INFINITY, at = 1.0L;
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w[2];
    touch(e, from[2 * e->n], from, i, &w[0]);
    touch(e, to[2 * e->n], to, i, &w[1]);
    const exact_real falls = h * gamma_of(e, from[2 * e->n], from, from + e->n, i, 0),
                     rises = h * gamma_of(e, to[2 * e->n], to, to + e->n, i, 0), all = w[1].gap - w[0].gap;
    if (p->mode[i] != EXACT_OPEN || !(falls < 0.0L && rises > 0.0L)) {
      continue;
    }
    exact_real low = 0.0L, high = 1.0L;
    for (int k = 0; k < 50;
         k++) { /* its slope, falls (1 − s)(1 − 3 s) + rises s (3 s − 2) + 6 all s (1 − s) */
      const exact_real s = 0.5L * (low + high), slope = falls * (1.0L - s) * (1.0L - 3.0L * s) +
                                                        rises * s * (3.0L * s - 2.0L) +
                                                        6.0L * all * s * (1.0L - s);
      *(slope < 0.0L ? &low : &high) = s;
    }
    const exact_real s = low, r = 1.0L - s,
                     gap = w[0].gap * r * r * (1.0L + 2.0L * s) + falls * s * r * r +
                           w[1].gap * s * s * (3.0L - 2.0L * s) - rises * s * s * r;
    if (gap < lowest) {
      lowest = gap;
      at = s;
    }
  }
  return at;
}

/* One step; where a guard falls below zero, to that moment (Illinois' rule, from the last state at which all
 * guards were positive). A step in which a gap turns ends there. */
static void step_to(const phase *p, exact_real h, exact_real *y, int *which)
{
  const exact_ode ode = motion_of(p);
  exact_real from[2 * EXACT_MOST + 1], low = 0.0L, high = h, f_low, f_high, f;
  int kept = 0;
  memcpy(from, y, sizeof from);
  f_low = first_guard(p, y, which);
  exact_ode_step(&ode, h, y);
  const exact_real turns = turn_within(p, from, y, h);
  if (turns > 1e-3L && turns < 1.0L) {
    high = h *= turns;
    memcpy(y, from, sizeof from);
    exact_ode_step(&ode, h, y);
  }
  f_high = f = first_guard(p, y, which);
  if (!(f_high <= 0.0L)) {
    *which = -1;
    return;
  }
  for (int k = 0; k < 80 && fabsl(f) > floor_of(p, *which); k++) {
    exact_real middle = k < 20 ? low + (high - low) * f_low / (f_low - f_high) : 0.5L * (low + high);
    if (!(middle > low && middle < high)) {
      middle = 0.5L * (low + high);
    }
    if (!(middle > low && middle < high)) {
      break;
    }
    memcpy(y, from, sizeof from);
    exact_ode_step(&ode, middle - low, y);
    f = first_guard(p, y, which);
    if (f > 0.0L) {
      memcpy(from, y, sizeof from);
      low = middle;
      f_low = f;
      f_high *= kept > 0 ? 0.5L : 1.0L; /* an end that is kept twice in a row */
      kept = 1;
    } else {
      high = middle;
      f_high = f;
      f_low *= kept < 0 ? 0.5L : 1.0L;
      kept = -1;
    }
  }
}

/* ---- modes
 * -------------------------------------------------------------------------------------------------------------
 */

/* A search through sets of modes. */
typedef struct search {
  const exact_node *at;
  int options[EXACT_CONTACTS], slides[EXACT_CONTACTS];
  unsigned char option[EXACT_CONTACTS][4], mode[EXACT_CONTACTS], best[EXACT_CONTACTS];
  exact_real v[EXACT_MOST]; /* accelerations, or velocities after an impact */
  int found, ambiguous;
} search;

static void offer(search *s, int i, int mode)
{
  s->option[i][s->options[i]++] = (unsigned char)mode;
}

/* Forces and what they cause: whether the laws hold. ξ of each row. */
static int obeys(const exact *e, const search *s, exact_real lambda[][2], exact_real xi[][2],
                 exact_real force, exact_real velocity, int at_impact)
{
  for (int i = 0; i < e->contacts; i++) {
    const exact_law *law = &e->law[i];
    const int mode = s->mode[i];
    if (mode == EXACT_OPEN) {
      if (s->options[i] > 1 && xi[i][0] < -tiny * velocity) {
        return 0;
      }
      continue;
    }
    if (!law->slot && lambda[i][0] < -tiny * force) {
      return 0;
    }
    const int bound = law->friction == NSDYN_FRICTION_BOUND;
    const exact_real most = bound ? law->bound : mu_of(e, i, !at_impact, 0.0L) * fabsl(lambda[i][0]);
    if ((mode == EXACT_STICK && fabsl(lambda[i][1]) > most + tiny * force) ||
        (!s->slides[i] && ((mode == EXACT_PLUS && xi[i][1] < -tiny * velocity) ||
                           (mode == EXACT_MINUS && xi[i][1] > tiny * velocity)))) {
      return 0;
    }
  }
  return 1;
}

static void accept(const exact *e, search *s, const exact_real *v, exact_real size)
{
  if (s->found) {
    for (int j = 0; j < e->n; j++) {
      s->ambiguous |= fabsl(v[j] - s->v[j]) > 1e-10L * size;
    }
    return;
  }
  s->found = 1;
  memcpy(s->v, v, sizeof *v * (size_t)e->n);
  memcpy(s->best, s->mode, sizeof s->mode);
}

/* Calls `attempt` for each set of modes. */
static void each_set(const exact *e, search *s, void (*attempt)(const exact *, search *))
{
  int index[EXACT_CONTACTS] = {0}, k;
  do {
    for (int i = 0; i < e->contacts; i++) {
      s->mode[i] = s->option[i][index[i]];
    }
    attempt(e, s);
    for (k = 0; k < e->contacts && ++index[k] == s->options[k]; k++) {
      index[k] = 0;
    }
  } while (k < e->contacts);
}

static void attempt_forces(const exact *e, search *s)
{
  const exact_node *x = s->at;
  exact_real a[EXACT_MOST], lambda[EXACT_CONTACTS][2], xi[EXACT_CONTACTS][2], force = e->load;
  const exact_real size = e->speed / e->time;
  if (!exact_accelerate(e, x->t, x->q, x->v, s->mode, a, lambda)) {
    return;
  }
  for (int i = 0; i < e->contacts; i++) {
    exact_real bias[2];
    exact_touch w;
    touch(e, x->t, x->q, i, &w);
    exact_bias(e, x->t, x->q, x->v, i, bias);
    for (int row = 0; row < 2; row++) {
      xi[i][row] = dot(e->n, w.w[row], a) + bias[row];
      force = fmaxl(force, fabsl(lambda[i][row]));
    }
  }
  if (obeys(e, s, lambda, xi, force, size, 0)) {
    accept(e, s, a, size);
  }
}

static void attempt_impact(const exact *e, search *s)
{
  const exact_node *x = s->at;
  unknowns u;
  exact_real v[EXACT_MOST], Lambda[EXACT_CONTACTS][2] = {{0}}, xi[EXACT_CONTACTS][2], force = 0.0L;
  memset(&u, 0, sizeof u);
  memcpy(v, x->v, sizeof v);
  for (int i = 0; i < e->contacts; i++) {
    const int mode = s->mode[i];
    exact_touch w;
    if (mode == EXACT_OPEN) {
      continue;
    }
    touch(e, x->t, x->q, i, &w);
    const exact_real mu = mu_of(e, i, 0, 0.0L);
    const exact_real slope = mode == EXACT_PLUS ? -mu : mode == EXACT_MINUS ? mu : 0.0L;
    if (dot(e->n, w.w[0], w.w[0]) > 0.0L) {
      u.rest[u.n] = w.hat[0] + (e->law[i].slot ? 0.0L : e->law[i].eps * (dot(e->n, w.w[0], x->v) + w.hat[0]));
      add_unknown(&u, e, i, 0, &w, slope);
    }
    if (mode == EXACT_STICK) {
      u.rest[u.n] = w.hat[1];
      add_unknown(&u, e, i, 1, &w, 0.0L);
    }
  }
  if (!hold(e, x->q, &u, v, Lambda)) {
    return;
  }
  for (int i = 0; i < e->contacts; i++) {
    exact_touch w;
    touch(e, x->t, x->q, i, &w);
    const exact_real before = dot(e->n, w.w[0], x->v) + w.hat[0];
    xi[i][0] = dot(e->n, w.w[0], v) + w.hat[0] + e->law[i].eps * before;
    xi[i][1] = dot(e->n, w.w[1], v) + w.hat[1];
    if (s->mode[i] == EXACT_PLUS || s->mode[i] == EXACT_MINUS) {
      Lambda[i][1] = (s->mode[i] == EXACT_PLUS ? -1.0L : 1.0L) * mu_of(e, i, 0, 0.0L) * Lambda[i][0];
    }
    force = fmaxl(force, fmaxl(fabsl(Lambda[i][0]), fabsl(Lambda[i][1])));
  }
  if (obeys(e, s, Lambda, xi, force, e->speed, 1)) {
    accept(e, s, v, e->speed);
  }
}

static int is_near(const exact *e, const exact_node *x, int i, int resting)
{
  exact_touch w;
  touch(e, x->t, x->q, i, &w);
  return e->law[i].slot || (fabsl(w.gap) <= 1e-12L * e->length &&
                            (!resting || fabsl(dot(e->n, w.w[0], x->v) + w.hat[0]) <= 1e-12L * e->speed));
}

/* Modes at x, with contact `forced` (or −1) in a given one. 0: none, or not unique. */
static const char *choose(exact *e, exact_node *x, int forced, int forced_mode)
{
  search s;
  for (int round = 0; round < 2; round++) {
    memset(&s, 0, sizeof s);
    s.at = x;
    for (int i = 0; i < e->contacts; i++) {
      const exact_law *law = &e->law[i];
      const exact_real slide = gamma_of(e, x->t, x->q, x->v, i, 1);
      const int slides = fabsl(slide) > 1e-12L * e->speed;
      s.slides[i] = slides;
      if (i == forced) {
        offer(&s, i, forced_mode);
      } else if (!is_near(e, x, i, 1)) {
        offer(&s, i, EXACT_OPEN);
      } else {
        if (law->friction == NSDYN_FRICTION_NONE) {
          offer(&s, i, EXACT_CLOSED);
        } else if (slides) {
          offer(&s, i, slide > 0.0L ? EXACT_PLUS : EXACT_MINUS);
        } else {
          offer(&s, i, EXACT_STICK);
          if (law->friction != NSDYN_FRICTION_STATIC || round > 0) {
            offer(&s, i, EXACT_PLUS);
            offer(&s, i, EXACT_MINUS);
          }
        }
        if (!law->slot) {
          offer(&s, i, EXACT_OPEN);
        }
      }
    }
    each_set(e, &s, attempt_forces);
    if (s.found) {
      memcpy(x->mode, s.best, sizeof s.best);
      return s.ambiguous ? "more than one set of modes" : NULL;
    }
  }
  return "no set of modes";
}

/* Impact of all contacts at x. */
static const char *hit(exact *e, exact_node *x)
{
  exact_real eps[EXACT_CONTACTS] = {0.0L};
  const char *why = NULL;
  for (int i = 0; i < e->contacts; i++) {
    eps[i] = e->law[i].eps;
  }
  for (int round = 0; round < 2; round++) {
    search s;
    int again = 0;
    memset(&s, 0, sizeof s);
    s.at = x;
    for (int i = 0; i < e->contacts; i++) {
      const exact_law *law = &e->law[i];
      if (!is_near(e, x, i, 0)) {
        offer(&s, i, EXACT_OPEN);
        continue;
      }
      if (law->friction == NSDYN_FRICTION_NONE || law->friction == NSDYN_FRICTION_BOUND) {
        offer(&s, i, EXACT_CLOSED);
      } else {
        offer(&s, i, EXACT_STICK);
        offer(&s, i, EXACT_PLUS);
        offer(&s, i, EXACT_MINUS);
      }
      if (!law->slot) {
        offer(&s, i, EXACT_OPEN);
      }
    }
    each_set(e, &s, attempt_impact);
    why = !s.found ? "no impact" : s.ambiguous ? "more than one impact" : NULL;
    for (int i = 0; i < e->contacts && s.found; i++) {
      const exact_real after = gamma_of(e, x->t, x->q, s.v, i, 0);
      if (s.options[i] > 1 && !e->law[i].slot && fabsl(after) < 3e-7L * e->speed && e->law[i].eps > 0.0L) {
        e->law[i].eps = 0.0L; /* hops that nobody sees are closed off */
        again = 1;
      }
    }
    if (!again || why) {
      memcpy(x->v, s.v, sizeof s.v);
      break;
    }
  }
  for (int i = 0; i < e->contacts; i++) {
    e->law[i].eps = eps[i];
  }
  return why;
}

/* Takes away what integration has left open of closed contacts, of gaps and velocities. */
static void project(const exact *e, exact_node *x)
{
  for (int level = 0; level < 2; level++) {
    unknowns u;
    exact_real lambda[EXACT_CONTACTS][2], move[EXACT_MOST] = {0};
    memset(&u, 0, sizeof u);
    for (int i = 0; i < e->contacts; i++) {
      exact_touch w;
      touch(e, x->t, x->q, i, &w);
      if (x->mode[i] != EXACT_OPEN && dot(e->n, w.w[0], w.w[0]) > 0.0L) {
        u.rest[u.n] = level ? dot(e->n, w.w[0], x->v) + w.hat[0] : w.gap;
        add_unknown(&u, e, i, 0, &w, 0.0L);
      }
      if (x->mode[i] == EXACT_STICK && level) {
        u.rest[u.n] = dot(e->n, w.w[1], x->v) + w.hat[1];
        add_unknown(&u, e, i, 1, &w, 0.0L);
      }
    }
    if (hold(e, x->q, &u, move, lambda)) {
      for (int j = 0; j < e->n; j++) {
        *(level ? &x->v[j] : &x->q[j]) += move[j];
      }
    }
  }
}

static void record(exact *e, const exact_node *x)
{
  if (e->nodes < EXACT_NODES) {
    e->node[e->nodes++] = *x;
  }
}

/* What guard `k` means. NULL: it goes on. */
static const char *turn(exact *e, exact_node *x, int k)
{
  const int i = k / 2;
  exact_real a[EXACT_MOST], lambda[EXACT_CONTACTS][2];
  if (k % 2 == 0 && x->mode[i] == EXACT_OPEN) {
    if (gamma_of(e, x->t, x->q, x->v, i, 0) > -1e-10L * e->speed) {
      return choose(e, x, -1, 0);
    }
    const char *why = hit(e, x);
    x->jump = 1;
    return why ? why : choose(e, x, -1, 0);
  }
  if (k % 2 == 0) {
    return choose(e, x, i, EXACT_OPEN);
  }
  if (x->mode[i] == EXACT_STICK) {
    exact_accelerate(e, x->t, x->q, x->v, x->mode, a, lambda);
    return choose(e, x, i, lambda[i][1] > 0.0L ? EXACT_MINUS : EXACT_PLUS);
  }
  return choose(e, x, -1, 0);
}

/* No mode may have gone bad unseen. */
static int is_bad(const phase *p, const exact_real *y)
{
  exact_real value[ROWS];
  guards(p, y, value);
  for (int k = 0; k < 2 * p->e->contacts; k++) {
    const int is_gap = k % 2 == 0 && p->mode[k / 2] == EXACT_OPEN;
    if (!(value[k] > (is_gap ? -2e-18L : -1e-11L))) {
      return 1;
    }
  }
  return 0;
}

static void run_once(exact *e, const exact_real *q, const exact_real *v, exact_real span)
{
  exact_node x;
  exact_real longest = e->step > 0.0L ? e->step : e->time / 5.0L, step = 0.0L;
  memset(&x, 0, sizeof x);
  memcpy(x.q, q, sizeof *q * (size_t)e->n);
  memcpy(x.v, v, sizeof *v * (size_t)e->n);
  e->nodes = 0;
  e->why = choose(e, &x, -1, 0);
  phase p = phase_of(e, x.mode);
  while (!e->why && x.t < span && e->nodes < EXACT_NODES) {
    exact_real y[2 * EXACT_MOST + 1], value[ROWS];
    int which;
    pack(e, &x, y);
    guards(&p, y, value);
    for (int k = 0; k < 2 * e->contacts; k++) {
      p.armed[k] = value[k] > floor_of(&p, k); /* what rounding alone has opened waits for the next step */
    }
    step = step > 0.0L ? fminl(longest, 4.0L * step) : longest / 1024.0L;
    record(e, &x);
    step_to(&p, step, y, &which);
    if ((!isfinite(y[0]) || is_bad(&p, y)) && step > 1e-13L * longest) {
      step /= 64.0L; /* a hop within the first step, say */
      e->nodes--;
      continue;
    }
    if (!isfinite(y[0]) || is_bad(&p, y)) {
      e->why = "modes gone bad";
      break;
    }
    unpack(e, y, &x);
    memcpy(x.v_before, x.v, sizeof x.v);
    x.jump = 0;
    project(e, &x);
    if (which >= 0) {
      e->why = turn(e, &x, which);
      step = 0.0L;
    }
  }
  if (e->nodes >= EXACT_NODES) {
    e->why = "too long";
  }
  e->known = e->why ? x.t : span;
}

/* Hermite's cubic from node x to the next. */
static void interpolate(const exact *e, const exact_node *x, exact_real t, exact_real *q, exact_real *v)
{
  const exact_real h = x[1].t - x->t, s = (t - x->t) / h;
  for (int j = 0; j < e->n; j++) {
    const exact_real rise = x[1].q[j] - x->q[j], a = h * x->v[j] - rise, b = rise - h * x[1].v_before[j];
    q[j] = x->q[j] + s * (rise + (1.0L - s) * (a * (1.0L - s) + b * s));
    v[j] = (rise + (1.0L - 2.0L * s) * (a * (1.0L - s) + b * s) + s * (1.0L - s) * (b - a)) / h;
  }
}

int exact_at(const exact *e, exact_real t, double slack, exact_real *q, exact_real *v, int *clear)
{
  int k = 0;
  exact_node x;
  exact_real y[2 * EXACT_MOST + 1];
  *clear = 1;
  for (int i = 0; i < e->nodes; i++) {
    k = e->node[i].t <= t ? i : k;
    *clear &= !e->node[i].jump || fabsl(t - e->node[i].t) > (exact_real)slack;
  }
  if (e->nodes == 0 || !(t <= e->known + 1e-9L * e->time)) {
    return 0;
  }
  if (slack > 1e-4 * (double)e->time && k + 1 < e->nodes) {
    interpolate(e, &e->node[k], t, q, v);
    return 1;
  }
  const phase p = phase_of(e, e->node[k].mode);
  const exact_ode ode = motion_of(&p);
  pack(e, &e->node[k], y);
  exact_ode_step(&ode, t - e->node[k].t, y);
  unpack(e, y, &x);
  memcpy(q, x.q, sizeof *q * (size_t)e->n);
  memcpy(v, x.v, sizeof *v * (size_t)e->n);
  return 1;
}

/* Prints the motion, for whoever doubts it (ZOO_EXACT=1, 2). */
static void tell(const exact *e, exact_real span, const char *level)
{
  fprintf(stderr, "known %.3Lf of span, %d nodes %s\n", e->known / span, e->nodes, e->why ? e->why : "");
  for (int k = 1; k < e->nodes && level[0] == '2'; k++) {
    const exact_node *x = &e->node[k];
    if (memcmp(x->mode, x[-1].mode, EXACT_CONTACTS) != 0 || x->jump) {
      fprintf(stderr, "  %.15Lg %s", x->t, x->jump ? "hit" : "   ");
      for (int i = 0; i < e->contacts; i++) {
        fprintf(stderr, " %d", x->mode[i]);
      }
      for (int j = 0; j < e->n; j++) {
        fprintf(stderr, "  %.12Lg %.12Lg", x->q[j], x->v[j]);
      }
      fprintf(stderr, "\n");
    }
  }
}

/* Twice; where half the step says something else, the motion is not known. */
void exact_run(exact *e, const exact_real *q, const exact_real *v, exact_real span)
{
  enum { LOOKS = 50 };
  exact_real seen[LOOKS + 1][EXACT_MOST], v_now[EXACT_MOST];
  const exact_real step = e->step > 0.0L ? e->step : e->time / 5.0L;
  int known[LOOKS + 1], clear;
  e->step = step / 2.0L;
  run_once(e, q, v, span);
  for (int k = 1; k <= LOOKS; k++) {
    known[k] = exact_at(e, span * (exact_real)k / LOOKS, 0.0, seen[k], v_now, &clear);
  }
  e->step = step;
  run_once(e, q, v, span);
  for (int k = 1; k <= LOOKS; k++) {
    const exact_real t = span * (exact_real)k / LOOKS;
    exact_real now[EXACT_MOST], off = 0.0L;
    if (!exact_at(e, t, 0.0, now, v_now, &clear)) {
      break;
    }
    for (int j = 0; j < e->n && known[k]; j++) {
      off = fmaxl(off, fabsl(now[j] - seen[k][j]) / (e->is_angle[j] ? 1.0L : e->length));
    }
    if (!known[k] || !(off <= 3e-11L)) {
      e->known = t - span / LOOKS;
      e->why = "half the step says something else";
      break;
    }
  }
  const char *level = getenv("ZOO_EXACT");
  if (level) {
    tell(e, span, level);
  }
}
