/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/pattern.h"

#include <math.h>

#include "base/dense.h"
#include "base/kernels/lu_in_order.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

void nsd_pattern_lay_out(nsd_arena *arena, nsd_pattern_work *w, int contacts, int rows)
{
  const size_t n = (size_t)rows;
  w->system = nsd_arena_take(arena, n * (n + 1), sizeof *w->system);
  w->size = nsd_arena_take(arena, n, sizeof *w->size);
  w->x = nsd_arena_take(arena, n, sizeof *w->x);
  w->inverse = nsd_arena_take(arena, n, sizeof *w->inverse);
  w->slope_of = nsd_arena_take(arena, n, sizeof *w->slope_of);
  w->unknown_of = nsd_arena_take(arena, n, sizeof *w->unknown_of);
  w->edition = w->is_tried = 0;
  w->poll = NULL;
  w->slope = nsd_arena_take(arena, n, sizeof *w->slope);
  w->unknown = nsd_arena_take(arena, n, sizeof *w->unknown);
  w->drags = nsd_arena_take(arena, n, sizeof *w->drags);
  w->pivots = nsd_arena_take(arena, n, sizeof *w->pivots);
  w->Lambda = nsd_arena_take(arena, n, sizeof *w->Lambda);
  w->xi = nsd_arena_take(arena, n, sizeof *w->xi);
  w->states = nsd_arena_take(arena, (size_t)contacts, sizeof *w->states);
}

static inline double *row_of(const nsd_pattern_work *w, int n, int p)
{
  return w->system + (size_t)p * (size_t)(n + 1);
}

static void add_unknown(nsd_pattern_work *w, int *n, int row, double slope)
{
  if (slope != 0.0) {
    w->drags[w->dragging++] = *n;
  }
  w->unknown[*n] = row;
  w->slope[(*n)++] = slope;
}

/* Lists the unknowns, and puts the impulses that are given, friction of a given bound, into Λ. Returns how
 * many unknowns there are. */
static int list_unknowns(nsd_pattern_work *w, const nsd_contact_data *d, const int32_t *states,
                         double *Lambda)
{
  int n = 0;
  w->dragging = 0;
  w->is_loaded = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int T = nsd_contact_tangent(s);
    /* Slip: Λ_T = f (μ Λ_N + bound); μ Λ_N goes with Λ_N, the bound is given. */
    const double f = nsd_state_factor(states[i]);
    Lambda[s->row] = 0.0;
    if (nsd_state_is_closed(states[i])) {
      add_unknown(w, &n, s->row, T < 0 ? 0.0 : f * s->mu);
    }
    if (T >= 0) {
      Lambda[T] = f * s->bound;
      w->is_loaded |= Lambda[T] != 0.0;
      if (nsd_state_sticks(states[i])) {
        add_unknown(w, &n, T, 0.0);
      }
    }
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    Lambda[i] = 0.0;
    add_unknown(w, &n, i, 0.0);
  }
  return n;
}

/* Row p of the system is row unknown[p] of ξ = G Λ + c. */
static void fill_system(nsd_pattern_work *w, const nsd_contact_data *d, int n)
{
  for (int p = 0; p < n; p++) {
    const double *g = nsd_contact_row(d, w->unknown[p]);
    double *a = row_of(w, n, p);
    /* Column q: G_N, and f μ G_T of an unknown that drags friction with it. */
    for (int q = 0; q < n; q++) {
      a[q] = g[w->unknown[q]];
    }
    for (int k = 0; k < w->dragging; k++) {
      const int q = w->drags[k];
      a[q] += w->slope[q] * g[w->unknown[q] + 1];
    }
    if (w->poll && nsd_poll_stops(w->poll, NSD_POLL_READ * n)) {
      return;
    }
  }
}

/* Row of G (given Λ). */
static double given_at(const nsd_pattern_work *w, const nsd_contact_data *d, int row, const double *Lambda)
{
  (void)nsd_poll_stops(w->poll, d->rows);
  return nsd_dot(d->rows, nsd_contact_row(d, row), Lambda);
}

static void fill_right(const nsd_pattern_work *w, const nsd_contact_data *d, int n, const double *Lambda,
                       double *right)
{
  for (int p = 0; p < n; p++) {
    const int row = w->unknown[p];
    /* −c − G (given Λ). */
    right[p] = -d->c[row] - (w->is_loaded ? given_at(w, d, row, Lambda) : 0.0);
  }
}

/* Whoever waits wants no answer. */
static int is_cancelled(const nsd_pattern_work *w)
{
  return w->poll && w->poll->is_cancelled;
}

/* The largest element of each column. */
static void measure_columns(nsd_pattern_work *w, int n)
{
  for (int q = 0; q < n; q++) {
    w->size[q] = 0.0;
  }
  for (int p = 0; p < n; p++) {
    const double *a = row_of(w, n, p);
    for (int q = 0; q < n; q++) {
      w->size[q] = nsd_larger(fabs(a[q]), w->size[q]);
    }
    (void)nsd_poll_stops(w->poll, n);
  }
}

/* The row, from `rank` on, with the largest element in column q. */
static int find_pivot(const nsd_pattern_work *w, int n, int rank, int q)
{
  int best = rank;
  double most = fabs(row_of(w, n, rank)[q]);
  for (int p = rank + 1; p < n; p++) {
    const double size = fabs(row_of(w, n, p)[q]);
    best = size > most ? p : best;
    most = size > most ? size : most;
  }
  (void)nsd_poll_stops(w->poll, NSD_POLL_FETCH * (n - rank));
  return best;
}

/* Rows a and b change places, from column q on. */
static void swap_rows(int n, double *a, double *b, int q)
{
  for (int j = q; j <= n; j++) {
    const double c = a[j];
    a[j] = b[j];
    b[j] = c;
  }
}

static void clear_below(nsd_pattern_work *w, int n, int rank, int q)
{
  /* Rows below: b −= (b_q / a_q) a, from column q + 1 on. */
  const double *a = row_of(w, n, rank);
  const double inverse = 1.0 / a[q];
  for (int p = rank + 1; p < n && !nsd_poll_stops(w->poll, n - q); p++) {
    double *b = row_of(w, n, p);
    if (b[q] != 0.0) {
      nsd_lanes_axpy(n - q, -(b[q] * inverse), a + q + 1, b + q + 1);
    }
  }
}

int nsd_pattern_eliminate(nsd_pattern_work *w, int n)
{
  int rank = 0;
  /* Each column's pivot beside its largest element: what is below is that of a redundant unknown. */
  measure_columns(w, n);
  for (int q = 0; q < n; q++) {
    const int p = find_pivot(w, n, rank, q);
    if (fabs(row_of(w, n, p)[q]) > NSD_CONTACT_PIVOT * w->size[q]) {
      if (p != rank) {
        swap_rows(n, row_of(w, n, rank), row_of(w, n, p), q);
      }
      clear_below(w, n, rank, q);
      w->pivots[rank++] = q;
    }
  }
  return rank;
}

/* x from the right-hand side in x, with a search for pivots; redundant unknowns zero. Whether the equations
 * left over hold the judge will see. */
static void solve_by_pivots(nsd_pattern_work *w, int n, double *x)
{
  /* The right-hand side goes through the elimination as the last column. */
  for (int p = 0; p < n; p++) {
    row_of(w, n, p)[n] = x[p];
    x[p] = 0.0;
  }
  const int rank = nsd_pattern_eliminate(w, n);
  /* U x = right, from below, over the columns that have a pivot. */
  for (int k = rank - 1; k >= 0; k--) {
    const int q = w->pivots[k];
    const double *a = row_of(w, n, k);
    x[q] = (a[n] - nsd_dot(n - q - 1, a + q + 1, x + q + 1)) / a[q];
  }
}

/* Whether `system` holds the factors of just this system. */
static int is_factored(const nsd_pattern_work *w, const nsd_contact_data *d, int n)
{
  /* The same edition of G, the same unknowns, the same slopes. */
  int same = d->edition && d->edition == w->edition && n == w->factored;
  for (int q = 0; same && q < n; q++) {
    same = w->unknown[q] == w->unknown_of[q] && w->slope[q] == w->slope_of[q];
  }
  return same;
}

static int factor_in_order(const nsd_pattern_work *w, int n)
{
  if (!w->poll) {
    return nsd_lu_in_order_factor(n, w->system, n + 1, w->size, w->inverse);
  }
  return !w->poll->is_cancelled &&
         nsd_lu_in_order_factor_asking(n, w->system, n + 1, w->size, w->inverse, w->poll);
}

static int factor_system(nsd_pattern_work *w, const nsd_contact_data *d, int n)
{
  w->edition = 0;
  fill_system(w, d, n);
  /* Measured with the diagonal of G; in their own order (base/kernels/lu_in_order.h). */
  for (int q = 0; q < n; q++) {
    const int row = w->unknown[q];
    w->size[q] = nsd_contact_row(d, row)[row];
    w->unknown_of[q] = row;
    w->slope_of[q] = w->slope[q];
  }
  if (!factor_in_order(w, n)) {
    return 0;
  }
  w->edition = d->edition;
  w->factored = n;
  return 1;
}

nsdyn_status nsd_pattern_solve(nsd_pattern_work *w, const nsd_contact_data *d, const int32_t *states,
                               double *Lambda)
{
  /* Stage 1. Unknowns, and the right-hand side. */
  const int n = list_unknowns(w, d, states, Lambda);
  double *x = w->x;
  fill_right(w, d, n, Lambda, x);
  /* Stage 2. By the factors at hand, or new ones; with a search for pivots where the natural order fails. */
  if (is_factored(w, d, n) || factor_system(w, d, n)) {
    nsd_lu_in_order_solve(n, w->system, n + 1, w->inverse, x);
  } else {
    fill_system(w, d, n);
    if (!is_cancelled(w)) {
      solve_by_pivots(w, n, x);
    }
    if (is_cancelled(w)) {
      return NSDYN_CANCELLED;
    }
  }
  /* Stage 3. x into Λ; friction that slips is f μ Λ_N. */
  for (int q = 0; q < n; q++) {
    Lambda[w->unknown[q]] = x[q];
  }
  for (int k = 0; k < w->dragging; k++) {
    const int q = w->drags[k];
    Lambda[w->unknown[q] + 1] = w->slope[q] * x[q];
  }
  /* 0 · Λ is 0 for finite Λ, NaN otherwise. */
  return nsd_lanes_zero(d->rows, Lambda) == 0.0 ? NSDYN_OK : NSDYN_ERR_NOT_FINITE;
}

/* ---- redundant contacts -------------------------------------------------------------------------------- */

/* The nearest edge of the laws along δ, in either direction. */
typedef struct nearest_edge {
  double step;  /* Λ + step δ is there */
  double least; /* of a rate that is more than rounding of δ */
  int contact;  /* −1: there is none */
  int32_t state;
} nearest_edge;

/* An edge where value + step · rate = 0, value >= 0 but for rounding. */
static void meet_edge(nearest_edge *e, double value, double rate, int contact, int32_t state)
{
  const double step = fabs(rate) > e->least ? -nsd_larger(value, 0.0) / rate : INFINITY;
  if (fabs(step) < fabs(e->step)) {
    e->step = step;
    e->contact = contact;
    e->state = state;
  }
}

static nearest_edge find_edge(const nsd_contact_data *d, const int32_t *states, const double *Lambda,
                              const double *along)
{
  nearest_edge e = {.step = INFINITY, .contact = -1};
  for (int r = 0; r < nsd_contact_own_rows(d); r++) {
    e.least = nsd_larger(NSD_SHARING_ROUNDING * fabs(along[r]), e.least);
  }
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int N = s->row, T = nsd_contact_tangent(s);
    const int acts = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
    if (!nsd_state_is_closed(states[i]) && !acts) {
      continue;
    }
    /* Λ_N = 0: the contact is open, or lifted where friction acts all the same. */
    if (nsd_state_is_closed(states[i]) && s->kind != NSDYN_CONTACT_BILATERAL) {
      meet_edge(&e, Lambda[N], along[N], i,
                acts ? NSD_STATE_LIFTED + (states[i] & 3) : (int32_t)NSD_STATE_OPEN);
    }
    /* μ |Λ_N| + bound ∓ Λ_T = 0: friction that stuck is at its limit. */
    if (T >= 0 && nsd_state_sticks(states[i]) && nsd_contact_has_friction(s)) {
      const double side = s->mu * Lambda[N] < 0.0 ? -1.0 : 1.0, rise = s->mu * side * along[N];
      const double limit = s->mu * fabs(Lambda[N]) + s->bound;
      const int32_t lifted = states[i] - NSD_STATE_STICK;
      meet_edge(&e, limit - Lambda[T], rise - along[T], i,
                lifted + (side > 0.0 ? NSD_STATE_UP : NSD_STATE_DOWN));
      meet_edge(&e, limit + Lambda[T], rise + along[T], i,
                lifted + (side > 0.0 ? NSD_STATE_DOWN : NSD_STATE_UP));
    }
  }
  return e;
}

/* With the system eliminated: δ of Λ that leaves its equations as they are, by redundant column q of its
 * `rank` pivots, U ν = 0 with ν_q = 1. */
static void find_null(nsd_pattern_work *w, const nsd_contact_data *d, int n, int rank, int q, double *along)
{
  double *x = w->x;
  for (int p = 0; p < n; p++) {
    x[p] = p == q ? 1.0 : 0.0;
  }
  for (int r = 0; r < d->rows; r++) {
    along[r] = 0.0;
  }
  for (int k = rank - 1; k >= 0; k--) {
    const int p = w->pivots[k];
    const double *a = row_of(w, n, k);
    if (p < q) {
      x[p] = -nsd_dot(q - p, a + p + 1, x + p + 1) / a[p];
    }
  }
  for (int p = 0; p < n; p++) {
    along[w->unknown[p]] += x[p];
  }
  for (int k = 0; k < w->dragging; k++) { /* friction goes with its normal impulse */
    const int p = w->drags[k];
    along[w->unknown[p] + 1] += w->slope[p] * x[p];
  }
}

int nsd_pattern_to_vertex(nsd_pattern_work *w, const nsd_contact_data *d, int32_t *states, double *Lambda)
{
  double *along = w->xi;
  int moved = 0;
  /* Each round fixes one more contact at an edge, which has two at most: Λ_N, and Λ_T. */
  for (int round = 0; round < 2 * d->contacts; round++) {
    /* 1. The system's columns without a pivot are those of redundant unknowns. */
    const int n = list_unknowns(w, d, states, w->Lambda);
    w->edition = 0;
    fill_system(w, d, n);
    for (int p = 0; p < n; p++) {
      row_of(w, n, p)[n] = 0.0;
    }
    const int rank = nsd_pattern_eliminate(w, n);
    /* 2. Along one of them, as far as the laws allow: nearest edge first. Where no law ends it, constraints
     * alone share impulses, which no law asks for. */
    nearest_edge e = {.contact = -1};
    for (int q = 0, k = 0; q < n && e.contact < 0; q++) {
      if (k < rank && w->pivots[k] == q) {
        k++;
        continue;
      }
      find_null(w, d, n, rank, q, along);
      e = find_edge(d, states, Lambda, along);
    }
    if (e.contact < 0) {
      break;
    }
    /* 3. There one contact's state is another, its unknown gone, and its equation holds to the bit. */
    for (int r = 0; r < d->rows; r++) {
      Lambda[r] += e.step * along[r];
    }
    const nsd_contact_spec *s = &d->spec[e.contact];
    states[e.contact] = e.state;
    if (!nsd_state_is_closed(e.state)) {
      Lambda[s->row] = 0.0;
    }
    if (nsd_contact_tangent(s) >= 0 && !nsd_state_sticks(e.state)) {
      Lambda[s->row + 1] = nsd_state_factor(e.state) * (s->mu * Lambda[s->row] + s->bound);
    }
    moved = 1;
  }
  return moved;
}

nsd_contact_verdict nsd_pattern_judge(const nsd_pattern_work *w, const nsd_contact_data *d,
                                      const double *Lambda, double *xi)
{
  return w->poll ? nsd_contact_judge_asking(d, Lambda, xi, w->poll) : nsd_contact_judge(d, Lambda, xi);
}

void nsd_pattern_keep_better(nsd_pattern_best *best, const nsd_contact_data *d, const double *Lambda,
                             const double *xi, const nsd_contact_verdict *verdict)
{
  if (nsd_contact_is_better(verdict, &best->verdict)) {
    for (int i = 0; i < d->rows; i++) { /* no memcpy(): a problem without contacts has no arrays */
      best->Lambda[i] = Lambda[i];
      best->xi[i] = xi[i];
    }
    best->verdict = *verdict;
  }
}

/* Λ onto what the laws allow, and judged again where that changed it. */
static void take(nsd_pattern_work *w, const nsd_contact_data *d, nsd_contact_verdict *verdict,
                 nsd_pattern_best *best)
{
  /* Newton's point may break the laws a little: what is kept does not. */
  if (nsd_contact_project_all(d, w->Lambda)) {
    *verdict = nsd_pattern_judge(w, d, w->Lambda, w->xi);
  }
  nsd_pattern_keep_better(best, d, w->Lambda, w->xi, verdict);
}

/* Λ, ξ and verdict of w->states, unless they are there already. */
static int try_states(nsd_pattern_work *w, const nsd_contact_data *d)
{
  if (!w->is_tried) {
    if (nsd_pattern_solve(w, d, w->states, w->Lambda) != NSDYN_OK) {
      return 0;
    }
    w->verdict = nsd_pattern_judge(w, d, w->Lambda, w->xi);
  }
  w->is_tried = 0;
  return 1;
}

static double polished_by(double tol)
{
  return tol < NSD_RESIDUAL_ROUNDING ? tol : NSD_RESIDUAL_ROUNDING;
}

/* States that the contact's law knows; only such are tried. */
static int is_known(const nsd_contact_spec *s, int32_t state)
{
  return state == NSD_STATE_OPEN || state == NSD_STATE_DOWN || (state < NSD_STATE_LIFTED && s->mu > 0.0);
}

int nsd_pattern_once(nsd_pattern_work *w, const nsd_contact_data *d, double tol, const int32_t *states)
{
  w->is_tried = 0;
  for (int i = 0; i < d->contacts; i++) {
    if (!is_known(&d->spec[i], states[i])) {
      return 0;
    }
    w->states[i] = states[i];
  }
  if (!try_states(w, d)) {
    return 0;
  }
  /* At an edge of its state another state would do as well: that is left to Newton's method. */
  int inside = nsd_contact_is_solution(&w->verdict, polished_by(tol));
  for (int i = 0; inside && i < d->contacts; i++) {
    inside = nsd_state_is_inside(&d->spec[i], states[i], w->Lambda + 2 * i);
  }
  w->is_tried = !inside;
  return inside;
}

int nsd_pattern_newton(nsd_pattern_work *w, const nsd_contact_data *d, double tol, int rounds, int patience,
                       nsd_pattern_best *best)
{
  const double polished = polished_by(tol);
  int least_moved = d->contacts + 1;
  for (int round = 0; round < rounds; round++) {
    best->rounds++;
    if (!try_states(w, d)) {
      break;
    }
    nsd_contact_verdict verdict = w->verdict;
    const int moved = nsd_contact_next_states(
        d, w->Lambda, w->xi, w->states); /* as Λ came out of the system, before it is projected */
    /* Patience counts rounds in which no fewer states moved than in the best before. */
    patience -= moved >= least_moved;
    least_moved = moved < least_moved ? moved : least_moved;
    /* Only a point that may be the answer is projected and kept: that costs a certificate. */
    const int is_last = round + 1 == rounds || !moved || patience < 0;
    if (is_last || nsd_contact_is_solution(&verdict, tol)) {
      take(w, d, &verdict, best);
    }
    if (is_last || nsd_contact_is_solution(&best->verdict, polished)) {
      break;
    }
  }
  return nsd_contact_is_solution(&best->verdict, tol);
}
