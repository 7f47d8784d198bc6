/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/levenberg_marquardt.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/tolerances.h"

/* Of the regular method, as the paper has them; λ is relative to the mean square of a column of J. */
#define FIRST_DAMPING 1e-3
#define DAMPING_STEP 20.0 /* from λ to λ */
#define POOR 0.3          /* r below which λ grows */
#define GOOD 0.8          /* r above which it falls */
/* Of both: what gains less than a tenth in CRAWL rounds creeps along a kink of φ, and will for thousands. */
#define CRAWLING 0.9
/* Of the projected method. */
#define ARMIJO 1e-4 /* share of the fall that the slope promises */

enum {
  MEMORY = 5,    /* merits that a step is compared with */
  WATCH = 10,    /* steps without a better point, until the watchdog goes back */
  HALVINGS = 40, /* of a step */
  CRAWL = 50,    /* rounds, see CRAWLING */
  FLAT = 30      /* rounds of the regular method without an accepted step that lowers the merit */
};

void nsd_marquardt_lay_out(nsd_arena *arena, nsd_marquardt *w, int n)
{
  const size_t size = (size_t)n;
  double **const vectors[] = {&w->phi, &w->next_phi, &w->slope, &w->step, &w->trial, &w->best, &w->sums};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, size, sizeof(double));
  }
  w->J = nsd_arena_take(arena, size * size, sizeof *w->J);
  w->H = nsd_arena_take(arena, 2 * size * size, sizeof *w->H);
  w->right = nsd_arena_take(arena, 2 * size, sizeof *w->right);
  w->v = nsd_arena_take(arena, 2 * size, sizeof *w->v);
}

/* One call's data. */
typedef struct run {
  nsd_marquardt *w;
  const nsd_equations *e;
  nsd_poll *poll;
  int n;
  double merit;  /* ½ |φ|² at z */
  double square; /* mean square of a column of J: what λ is relative to */
  double mark;   /* the least merit so far in round `marked` */
  int marked;
} run;

static double merit_of(int n, const double *phi)
{
  const double norm = nsd_norm_2(n, phi);
  const double merit = 0.5 * norm * norm;
  return merit < (double)INFINITY ? merit : (double)INFINITY; /* a NaN too */
}

/* |J|, of all its elements. */
static double size_of_jacobian(const run *r)
{
  const nsd_marquardt *w = r->w;
  for (int i = 0; i < r->n; i++) {
    if (nsd_poll_stops(r->poll, r->n)) {
      return 0.0;
    }
    w->sums[i] = nsd_norm_2(r->n, w->J + (size_t)i * (size_t)r->n);
  }
  return nsd_norm_2(r->n, w->sums);
}

/* J and Jᵀφ at z. Returns 0 where the slope is rounding: a minimum, or a flat place. */
static int find_slope(run *r, const double *z)
{
  nsd_marquardt *w = r->w;
  const int n = r->n;
  r->e->jacobian(r->e->user, z, w->J);
  nsd_multiply_transposed_asking(n, n, w->J, n, w->phi, w->slope, r->poll);
  const double size = size_of_jacobian(r);
  r->square = size * size / n;
  return nsd_norm_2(n, w->slope) > NSD_MARQUARDT_STATIONARY * size * nsd_norm_2(n, w->phi);
}

/* Whether the least merit has hardly become less for many rounds. */
static int crawls(run *r, int round, double least)
{
  if (round - r->marked < CRAWL) {
    return 0;
  }
  const int is_slow = least > CRAWLING * r->mark;
  r->mark = least;
  r->marked = round;
  return is_slow;
}

/* Where the step of length t ends, and its merit. */
static double look(run *r, const double *z, double t)
{
  nsd_marquardt *w = r->w;
  for (int i = 0; i < r->n; i++) {
    w->trial[i] = z[i] + t * w->step[i];
  }
  r->e->residual(r->e->user, w->trial, w->next_phi);
  return merit_of(r->n, w->next_phi);
}

/* z := trial. */
static void move(run *r, double *z, double merit)
{
  nsd_marquardt *w = r->w;
  memcpy(z, w->trial, (size_t)r->n * sizeof *z);
  double *const phi = w->phi;
  w->phi = w->next_phi;
  w->next_phi = phi;
  r->merit = merit;
}

/* ---- the regular method -------------------------------------------------------------------------------- */

/* (JᵀJ + λ I) Δz = −Jᵀφ. 0 where that is singular beside rounding. */
static int step_of_regular(run *r, double damping)
{
  nsd_marquardt *w = r->w;
  const int n = r->n;
  nsd_normal_matrix_asking(n, w->J, w->H, r->poll);
  if (nsd_poll_stops(r->poll, 0.0)) {
    return 0; /* no look at H, whose memory may be new */
  }
  for (int i = 0; i < n; i++) {
    w->H[(size_t)i * (size_t)n + (size_t)i] += damping * r->square;
    w->step[i] = -w->slope[i];
  }
  if (nsd_cholesky_factor_asking(n, w->H, n, NULL, r->poll)) {
    return 0;
  }
  nsd_cholesky_solve_asking(n, w->H, n, w->step, r->poll);
  return nsd_all_finite(1, n, w->step, n);
}

/* What the model φ + J Δz promises: ½ |φ + J Δz|² − ½ |φ|² = (Jᵀφ + ½ JᵀJ Δz)·Δz. */
static double promise(run *r)
{
  nsd_marquardt *w = r->w;
  nsd_multiply_asking(r->n, r->n, w->J, r->n, w->step, w->right, r->poll);
  return nsd_dot(r->n, w->slope, w->step) + 0.5 * nsd_dot(r->n, w->right, w->right);
}

static nsd_marquardt_end follow_regular(run *r, int most, double *z, int *steps)
{
  double damping = FIRST_DAMPING;
  int flat = 0;
  for (int is_new = 1, k = 0; k < most; k++) {
    /* J and the slope, where the last step was accepted. */
    if (is_new && !find_slope(r, z)) {
      return nsd_poll_stops(r->poll, 0.0) ? NSD_MARQUARDT_CANCELLED : NSD_MARQUARDT_STALLED;
    }
    ++*steps;
    const int is_step = step_of_regular(r, damping);
    /* r = (ψ(z + Δz) − ψ(z)) / (q(z + Δz) − q(z)) */
    const double promised = is_step ? promise(r) : 0.0;
    const double there = is_step ? look(r, z, 1.0) : (double)INFINITY;
    if (nsd_poll_stops(r->poll, r->n)) {
      return NSD_MARQUARDT_CANCELLED;
    }
    const double ratio = promised < 0.0 && there < (double)INFINITY ? (there - r->merit) / promised : -1.0;
    if (ratio < POOR) {
      damping *= DAMPING_STEP;
    } else if (ratio > GOOD) {
      damping = fmax(damping / DAMPING_STEP, NSD_MARQUARDT_LEAST_DAMPING);
    }
    is_new = ratio > 0.0;
    flat = is_new && r->merit - there > NSD_MARQUARDT_FLAT * r->merit ? 0 : flat + 1;
    if (is_new) {
      move(r, z, there);
      if (r->e->is_solved(r->e->user, z, r->w->phi)) {
        return NSD_MARQUARDT_SOLVED;
      }
    }
    if (flat > FLAT || damping > 1.0 / NSD_MARQUARDT_LEAST_DAMPING || crawls(r, k, r->merit)) {
      return NSD_MARQUARDT_STALLED;
    }
  }
  return NSD_MARQUARDT_LIMIT;
}

/* ---- the projected method ------------------------------------------------------------------------------ */

/* One reflection I − 2 v vᵀ / vᵀv that clears column k of H below its row. Rows beyond n + k are zero still:
 * √λ I has not been mixed into them. H goes row after row, as it lies in memory. Returns 0 if told to stop.
 */
static int reflect(run *r, int k)
{
  nsd_marquardt *w = r->w;
  const size_t n = (size_t)r->n;
  const int rows = r->n + 1; /* k … n + k, the last that of √λ in this column */
  const int columns = r->n - k - 1;
  double *own = w->H + (size_t)k * n + (size_t)k;
  double *right = w->right + k;
  for (int i = 0; i < rows; i++) {
    w->v[i] = own[(size_t)i * n];
  }
  /* The column's head becomes alpha = ∓|column|. With v_0 = 1, 2 / vᵀv = (alpha − head) / alpha = tau. */
  const double norm = nsd_norm_2(rows, w->v);
  if (norm == 0.0) {
    return 1;
  }
  const double alpha = w->v[0] > 0.0 ? -norm : norm;
  const double head = w->v[0] - alpha;
  const double tau = -head / alpha;
  w->v[0] = 1.0;
  for (int i = 1; i < rows; i++) {
    w->v[i] /= head;
  }
  own[0] = alpha;
  /* The columns behind and the right-hand side: x −= tau v (vᵀx). */
  nsd_multiply_transposed_asking(rows, columns, own + 1, r->n, w->v, w->sums, r->poll);
  for (int j = 0; j < columns; j++) {
    w->sums[j] *= tau;
  }
  const double factor = tau * nsd_dot(rows, w->v, right);
  for (int i = 0; i < rows; i++) {
    double *row = own + (size_t)i * n + 1;
    for (int j = 0; j < columns; j++) {
      row[j] -= w->v[i] * w->sums[j];
    }
    right[i] -= w->v[i] * factor;
    if (nsd_poll_stops(r->poll, columns)) {
      return 0;
    }
  }
  return 1;
}

/* H := [J; √λ I], right := [−φ; 0]. Returns 0 if told to stop. */
static int append(run *r)
{
  nsd_marquardt *w = r->w;
  const size_t n = (size_t)r->n;
  const double root = sqrt(NSD_MARQUARDT_FIXED_DAMPING * r->square);
  for (size_t i = 0; i < n; i++) {
    memcpy(w->H + i * n, w->J + i * n, n * sizeof *w->H);
    memset(w->H + (n + i) * n, 0, n * sizeof *w->H);
    w->H[(n + i) * n + i] = root;
    w->right[i] = -w->phi[i];
    w->right[n + i] = 0.0;
    if (nsd_poll_stops(r->poll, 2.0 * r->n)) {
      return 0;
    }
  }
  return 1;
}

/* Least squares of [J; √λ I] Δz = [−φ; 0]. */
static int step_of_projected(run *r)
{
  const nsd_marquardt *w = r->w;
  const int n = r->n;
  if (!append(r)) {
    return 0;
  }
  for (int k = 0; k < n; k++) {
    if (!reflect(r, k)) {
      return 0;
    }
  }
  /* R Δz = Qᵀ[−φ; 0] */
  for (int i = n - 1; i >= 0; i--) {
    const double *row = w->H + (size_t)i * (size_t)n;
    w->step[i] = (w->right[i] - nsd_dot(n - i - 1, row + i + 1, w->step + i + 1)) / row[i];
    if (nsd_poll_stops(r->poll, n - i)) {
      return 0;
    }
  }
  return nsd_all_finite(1, n, w->step, n);
}

/* Along the step, then along −slope, until the merit is below the reference. Returns it; infinite where
 * nothing leads down. */
static double search_line(run *r, const double *z, double reference)
{
  nsd_marquardt *w = r->w;
  for (int kind = 0; kind < 2; kind++) {
    for (int i = 0; kind == 1 && i < r->n; i++) {
      w->step[i] = -w->slope[i] / (r->square > 0.0 ? r->square : 1.0);
    }
    const double fall = nsd_dot(r->n, w->slope, w->step);
    double t = 1.0;
    for (int k = 0; fall < 0.0 && k < HALVINGS; k++) {
      const double there = look(r, z, t);
      if (nsd_poll_stops(r->poll, r->n)) {
        return (double)INFINITY;
      }
      if (there <= reference + ARMIJO * t * fall) {
        return there;
      }
      t *= 0.5;
    }
  }
  return (double)INFINITY;
}

static nsd_marquardt_end follow_projected(run *r, int most, double *z, int *steps)
{
  nsd_marquardt *w = r->w;
  const size_t bytes = (size_t)r->n * sizeof *z;
  double past[MEMORY], least = r->merit;
  int since = 0; /* steps since the best point became better */
  int is_monotone = 0;
  for (int i = 0; i < MEMORY; i++) {
    past[i] = r->merit;
  }
  memcpy(w->best, z, bytes);
  for (int k = 0; k < most; k++) {
    ++*steps;
    const int has_slope = find_slope(r, z);
    const int is_step = has_slope && step_of_projected(r);
    if (nsd_poll_stops(r->poll, 0.0)) {
      memcpy(z, w->best, bytes);
      return NSD_MARQUARDT_CANCELLED;
    }
    if (has_slope && !is_step) {
      memset(w->step, 0, bytes); /* the search goes on along −slope */
    }
    double reference = r->merit;
    for (int i = 0; !is_monotone && i < MEMORY; i++) {
      reference = fmax(reference, past[i]);
    }
    const double there = has_slope ? search_line(r, z, reference) : (double)INFINITY;
    if (nsd_poll_stops(r->poll, 0.0)) {
      memcpy(z, w->best, bytes);
      return NSD_MARQUARDT_CANCELLED;
    }
    if (there < (double)INFINITY) {
      move(r, z, there);
      past[k % MEMORY] = there;
      if (r->e->is_solved(r->e->user, z, w->phi)) {
        return NSD_MARQUARDT_SOLVED;
      }
    }
    since = there < (1.0 - NSD_MARQUARDT_FLAT) * least ? 0 : since + 1;
    if (there < least) {
      least = there;
      memcpy(w->best, z, bytes);
    }
    if (crawls(r, k, least)) {
      memcpy(z, w->best, bytes);
      return NSD_MARQUARDT_STALLED;
    }
    /* The watchdog: back to the best point, and from there downhill only; a second time it is the end. */
    if (there >= (double)INFINITY || since > WATCH) {
      memcpy(z, w->best, bytes);
      if (is_monotone) {
        return NSD_MARQUARDT_STALLED;
      }
      r->e->residual(r->e->user, z, w->phi);
      r->merit = merit_of(r->n, w->phi);
      is_monotone = 1;
      since = 0;
    }
  }
  memcpy(z, w->best, bytes);
  return NSD_MARQUARDT_LIMIT;
}

nsd_marquardt_end nsd_marquardt_solve(nsd_marquardt *w, nsd_marquardt_kind kind,
                                      const nsd_equations *equations, int most, double *z, int *steps,
                                      nsd_poll *poll)
{
  run r = {.w = w, .e = equations, .poll = poll, .n = equations->n};
  equations->residual(equations->user, z, w->phi);
  r.merit = merit_of(r.n, w->phi);
  r.mark = r.merit;
  if (!(r.merit < (double)INFINITY)) {
    return NSD_MARQUARDT_OVERFLOW;
  }
  if (equations->is_solved(equations->user, z, w->phi)) {
    return NSD_MARQUARDT_SOLVED;
  }
  return kind == NSD_MARQUARDT_REGULAR ? follow_regular(&r, most, z, steps)
                                       : follow_projected(&r, most, z, steps);
}
