/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/damping_path.h"

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/planar/pattern.h"
#include "contact/planar/states.h"

#define GOOD_ENOUGH 1e-2 /* of the first merit: a problem solved so far gives the next its Λ₀ */
#define FALL 1e-4        /* share of the step by which a merit has to fall */
#define SHORTEST 0x1p-7  /* of a step */
#define FIRST_FACTOR 0.1 /* from ε to ε */
#define LEAST_FACTOR 1e-2
#define LARGEST_FACTOR 0.8 /* beyond it, ε grows */
#define GENTLER 30.0       /* so much, before the first factor */
#define WORTH 0.5          /* of the first merit: less is worth keeping */
#define WILD 10.0          /* ε beyond which nothing is tamed */
#define ROW_WORK 50.0      /* multiplications that a row takes as long as, however short it is */

enum {
  REFINEMENTS = 3, /* of a pattern, with the same factors */
  QUICK = 2,       /* steps of a problem after which the next may be much sharper */
  SLOW = 6,        /* steps after which it must not */
  MOST_STEPS = 12, /* to halve the merit */
  PATIENCE = 1     /* steps of a problem that no shortening makes good */
};

void nsd_damped_newton_lay_out(nsd_arena *arena, nsd_damped_newton *w, int contacts, int rows)
{
  const size_t n = (size_t)rows;
  nsd_envelope_lay_out(arena, &w->envelope, rows);
  w->unknown = nsd_arena_take(arena, n, sizeof *w->unknown);
  w->index = nsd_arena_take(arena, n, sizeof *w->index);
  w->states = nsd_arena_take(arena, (size_t)contacts, sizeof *w->states);
  double **const vectors[] = {&w->slope,  &w->x,    &w->xi,    &w->Lambda, &w->center,
                              &w->before, &w->step, &w->shelf, &w->best};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, n, sizeof(double));
  }
}

void nsd_damped_newton_begin(nsd_damped_newton *w, const nsd_coupling *k)
{
  w->k = k;
  w->residual = INFINITY;
  w->work = 0.0;
  w->steps = 0;
}

static void copy(int n, const double *from, double *to)
{
  for (int i = 0; i < n; i++) {
    to[i] = from[i];
  }
}

void nsd_damped_newton_offer(nsd_damped_newton *w, const double *Lambda)
{
  double scale;
  const double residual = nsd_coupling_judge(w->k, Lambda, w->xi, &scale);
  if (residual < w->residual) {
    w->residual = residual;
    copy(w->k->d->rows, Lambda, w->best);
  }
}

/* ---- the system of a pattern ------------------------------------------------------------------------- */

static void add_unknown(nsd_damped_newton *w, int row)
{
  w->index[row] = w->n;
  w->slope[row] = 1.0;
  w->unknown[w->n++] = row;
}

/* Unknowns in the order of the cells, and Λ as the pattern has it before the step: friction that slips hangs
 * on its Λ_N, what is open is zero. */
static void list_unknowns(nsd_damped_newton *w)
{
  const nsd_contact_data *d = w->k->d;
  double *Lambda = w->Lambda;
  w->n = 0;
  for (int i = 0; i < w->k->cells; i++) {
    const int cell = w->k->order[i];
    const int row = nsd_coupling_row(w->k, cell);
    if (cell >= d->contacts) {
      add_unknown(w, row);
      continue;
    }
    const nsd_contact_spec *s = &d->spec[cell];
    const int32_t state = w->states[cell];
    const double f = nsd_state_factor(state);
    /* Closed: ξ_N = 0 fixes Λ_N. Open: Λ_N = 0. */
    w->index[row] = -1;
    if (nsd_state_is_closed(state)) {
      add_unknown(w, row);
    } else {
      Lambda[row] = 0.0;
    }
    if (s->friction == NSD_FRICTION_NONE) {
      continue;
    }
    /* Sticks: ξ_T = 0 fixes Λ_T. Slips: Λ_T = f (μ Λ_N + bound), a multiple of the unknown Λ_N. */
    w->index[row + 1] = -1;
    if (nsd_state_sticks(state)) {
      add_unknown(w, row + 1);
      continue;
    }
    Lambda[row + 1] = f * (s->mu * Lambda[row] + s->bound);
    if (w->index[row] >= 0 && f * s->mu != 0.0) {
      w->index[row + 1] = w->index[row];
      w->slope[row + 1] = f * s->mu;
    }
  }
}

/* Row p of the system is row unknown[p] of ξ: A_pq = Σ G_ij slope_j over the j that hang on q. `fill` zero:
 * only how far the row reaches. Returns the multiplications that takes as long as. */
static double add_row(const nsd_damped_newton *w, int p, int fill)
{
  const nsd_coupling *k = w->k;
  const int row = w->unknown[p];
  const int cell = k->cell_of[row];
  const size_t second = row != nsd_coupling_row(k, cell);
  const double *g = nsd_contact_row(k->d, row);
  const size_t begin = k->is_dense ? 0 : k->from[cell];
  const size_t end = k->is_dense ? (size_t)k->d->rows : k->from[cell + 1];
  for (size_t e = begin; e < end; e++) {
    const int j = k->is_dense ? (int)e : k->column[e];
    const int q = w->index[j];
    if (q < 0) {
      continue;
    }
    if (fill) {
      const double a = k->is_dense ? g[j] : k->value[2 * e + second];
      *nsd_envelope_element(&w->envelope, p, q) += a * w->slope[j];
    } else {
      nsd_envelope_reach(&w->envelope, p, q);
    }
  }
  return 2.0 * (double)(end - begin) + ROW_WORK;
}

/* The system of the pattern, with ε D. `cost` receives what its factors will. */
static nsdyn_status fill_system(nsd_damped_newton *w, double *cost, nsd_poll *poll)
{
  nsd_envelope *e = &w->envelope;
  /* How far each row reaches, which is what its factors cost; then the numbers, with ε D on the diagonal. */
  nsd_envelope_begin(e, w->n);
  for (int p = 0; p < w->n; p++) {
    if (nsd_poll_stops(poll, add_row(w, p, 0))) {
      return NSDYN_CANCELLED;
    }
  }
  if (nsd_envelope_clear(e, poll)) {
    return NSDYN_CANCELLED;
  }
  *cost = nsd_envelope_cost(e);
  for (int p = 0; p < w->n; p++) {
    const int row = w->unknown[p];
    e->size[p] = w->k->diagonal[row];
    if (nsd_poll_stops(poll, add_row(w, p, 1))) {
      return NSDYN_CANCELLED;
    }
    e->pivot[p] += w->epsilon * e->size[p];
  }
  return NSDYN_OK;
}

nsdyn_status nsd_damped_newton_factor(nsd_damped_newton *w, double most, nsd_poll *poll)
{
  double cost;
  list_unknowns(w);
  const nsdyn_status status = fill_system(w, &cost, poll);
  if (status) {
    return status;
  }
  if (w->work + cost > most) {
    return NSDYN_MAX_ITERATIONS;
  }
  w->work += cost + 20.0 * (double)w->k->from[w->k->cells];
  return nsd_envelope_factor(&w->envelope, NSD_CONTACT_PIVOT, poll);
}

double nsd_damped_newton_row_times(const nsd_damped_newton *w, int row, const double *x)
{
  const nsd_coupling *k = w->k;
  const int cell = k->cell_of[row];
  double product[2];
  nsd_coupling_product(k, cell, x, product);
  return product[row != nsd_coupling_row(k, cell)] + w->epsilon * k->diagonal[row] * x[row];
}

/* ---- the point at hand ------------------------------------------------------------------------------- */

/* ξ = G Λ + c + ε D (Λ − Λ₀) */
static void find_xi(nsd_damped_newton *w)
{
  const nsd_contact_data *d = w->k->d;
  for (int i = 0; i < w->k->cells; i++) {
    nsd_coupling_velocity(w->k, i, w->Lambda, w->xi + nsd_coupling_row(w->k, i));
  }
  for (int i = 0; i < d->rows; i++) {
    w->xi[i] += w->epsilon * w->k->diagonal[i] * (w->Lambda[i] - w->center[i]);
  }
}

/* What ξ and the laws at a point cost. */
static double look_work(const nsd_damped_newton *w)
{
  const nsd_coupling *k = w->k;
  const double rows = k->d->rows;
  return 40.0 * rows + (k->is_dense ? rows * rows : 8.0 * (double)k->from[k->cells]);
}

/* Σ miss² / r over all contacts and constraints, r the row's own stiffness: an energy. Fills ξ. */
static double merit_of(nsd_damped_newton *w)
{
  const nsd_contact_data *d = w->k->d;
  double sum = 0.0;
  find_xi(w);
  for (int i = 0; i < d->contacts; i++) {
    double r;
    const nsd_contact_miss miss = nsd_coupling_miss(w->k, i, w->Lambda, w->xi + d->spec[i].row, &r);
    sum += (miss.normal * miss.normal + miss.tangential * miss.tangential) / r;
  }
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    const double g = w->k->diagonal[i];
    sum += g > 0.0 ? w->xi[i] * w->xi[i] / g : 0.0;
  }
  return sum;
}

/* Λ := Λ + δ, the δ that makes ξ vanish in the rows of the unknowns. */
static void solve(nsd_damped_newton *w)
{
  /* (G + ε D) δ = −ξ in the rows of the unknowns; what hangs on an unknown moves along by its slope. */
  find_xi(w);
  for (int p = 0; p < w->n; p++) {
    w->x[p] = -w->xi[w->unknown[p]];
  }
  nsd_envelope_solve(&w->envelope, w->x);
  for (int j = 0; j < w->k->d->rows; j++) {
    if (w->index[j] >= 0) {
      w->Lambda[j] += w->slope[j] * w->x[w->index[j]];
    }
  }
}

/* ---- the path ---------------------------------------------------------------------------------------- */

/* One problem, that of one ε. */
typedef struct stretch {
  double merit, first_merit;
  double least;  /* merit, of the point in w->shelf */
  double factor; /* from the last ε to this one */
  double mark;   /* merit when it was halved last */
  int since;     /* steps since then */
  int steps, patience;
  int is_strict; /* a step that leads no nearer ends it */
} stretch;

static void begin_stretch(nsd_damped_newton *w, stretch *s)
{
  s->merit = s->first_merit = s->least = s->mark = merit_of(w);
  s->steps = s->since = 0;
  s->patience = PATIENCE;
}

static void move_along(nsd_damped_newton *w, double t)
{
  for (int i = 0; i < w->k->d->rows; i++) {
    w->Lambda[i] = w->before[i] + t * w->step[i];
  }
}

/* From where the step began towards where it has led, as far as the merit falls; all of it where it nowhere
 * does, and that costs patience. */
static void shorten(nsd_damped_newton *w, stretch *s, double full, nsd_poll *poll)
{
  for (int i = 0; i < w->k->d->rows; i++) {
    w->step[i] = w->Lambda[i] - w->before[i];
  }
  double t = 0.5;
  while (t >= SHORTEST) {
    move_along(w, t);
    const double there = merit_of(w);
    w->work += 2.0 * (double)w->k->from[w->k->cells];
    (void)nsd_poll_stops(poll, look_work(w)); /* cancelled: after the step */
    if (there < s->merit * (1.0 - FALL * t)) {
      s->merit = there;
      return;
    }
    t *= 0.5;
  }
  move_along(w, 1.0);
  (void)merit_of(w);
  s->merit = full;
  s->patience--;
}

/* One step of Newton's method. Returns how many states it moved, −1 where it has to end. */
static int make_step(nsd_damped_newton *w, stretch *s, double most, nsd_poll *poll)
{
  copy(w->k->d->rows, w->Lambda, w->before);
  /* (G + ε D) of the unknowns of this pattern, factored; δ solves ξ + (G + ε D) δ = 0 there. */
  if (nsd_damped_newton_factor(w, most, poll)) {
    return -1;
  }
  w->steps++;
  s->steps++;
  solve(w);
  const double there = merit_of(w);
  const double solved = 2.0 * look_work(w) + 4.0 * (double)w->envelope.at[w->envelope.n];
  if (nsd_poll_stops(poll, solved) || !(there < (double)INFINITY)) {
    return -1;
  }
  /* Where states change the laws must be missed by less, or the step is halved. */
  const int full_moved = nsd_contact_next_states(w->k->d, w->Lambda, w->xi, w->states);
  const int is_nearer = full_moved == 0 || there < s->merit * (1.0 - FALL);
  if (is_nearer) {
    s->merit = there;
  } else if (s->is_strict) {
    return -1;
  } else {
    shorten(w, s, there, poll);
    (void)nsd_contact_next_states(w->k->d, w->Lambda, w->xi, w->states);
  }
  /* Steps since the merit was last halved tell when to give up. */
  s->since++;
  if (s->merit < WORTH * s->mark) {
    s->mark = s->merit;
    s->since = 0;
  }
  if (s->merit < s->least) {
    s->least = s->merit;
    copy(w->k->d->rows, w->Lambda, w->shelf);
  }
  return full_moved;
}

void nsd_damped_newton_arrive(nsd_damped_newton *w)
{
  const int n = w->k->d->rows;
  /* Λ₀ := Λ. With the least ε the same factors give the last digits: ε D (Λ − Λ₀) vanishes. */
  const int times = w->epsilon <= NSD_DAMPED_NEWTON_SHARP ? REFINEMENTS : 0;
  copy(n, w->Lambda, w->center);
  for (int i = 0; i < times; i++) {
    solve(w);
    copy(n, w->Lambda, w->center);
  }
  /* What is kept obeys the laws of impulses to the bit. */
  copy(n, w->Lambda, w->before);
  nsd_contact_project_all(w->k->d, w->before);
  nsd_damped_newton_offer(w, w->before);
}

static void choose_next(nsd_damped_newton *w, stretch *s)
{
  /* ε falls by a factor, the square of the last one where that was easy, its root where it was hard. */
  if (s->steps <= QUICK) {
    s->factor = nsd_larger(s->factor * s->factor, LEAST_FACTOR);
  } else if (s->steps > SLOW) {
    s->factor = sqrt(s->factor);
  }
  w->epsilon = nsd_larger(w->epsilon * s->factor, NSD_DAMPED_NEWTON_SHARP);
}

/* Nothing helps: back to where the laws were missed least, which counts as Λ₀ where it is by much less than
 * in the beginning, and on more gently. */
static void go_back(nsd_damped_newton *w, stretch *s)
{
  const int n = w->k->d->rows;
  if (s->least < WORTH * s->first_merit) {
    copy(n, w->shelf, w->center);
  } else {
    w->epsilon /= s->factor;
  }
  copy(n, w->center, w->Lambda);
  s->factor = sqrt(s->factor);
  if (s->factor > LARGEST_FACTOR) {
    s->factor = FIRST_FACTOR;
    w->epsilon *= GENTLER;
  }
  w->epsilon *= s->factor;
}

nsdyn_status nsd_damped_newton_follow(nsd_damped_newton *w, const double *Lambda, double tol, int states_of,
                                      double epsilon, int steps, double work, nsd_poll *poll)
{
  const int n = w->k->d->rows;
  const double most = w->work + work;
  copy(n, Lambda, w->Lambda);
  copy(n, Lambda, w->center);
  w->epsilon = epsilon;
  stretch s = {.factor = FIRST_FACTOR};
  begin_stretch(w, &s);
  if (states_of) {
    (void)nsd_contact_next_states(w->k->d, w->Lambda, w->xi, w->states);
  }
  for (int count = 0; count < steps; count++) {
    const int moved = make_step(w, &s, most, poll);
    if (moved < 0) {
      break;
    }
    /* Solved, as far as pays: Λ₀ := Λ, and a smaller ε. */
    if (moved == 0 || s.merit <= GOOD_ENOUGH * s.first_merit) {
      const int is_last = moved == 0 && w->epsilon <= NSD_DAMPED_NEWTON_SHARP;
      nsd_damped_newton_arrive(w);
      if (is_last || w->residual <= NSD_RESIDUAL_ROUNDING) {
        break;
      }
      choose_next(w, &s);
    } else if (w->residual <= tol && s.since > QUICK) {
      break; /* digits that rounding does not give */
    } else if (s.patience < 0 || s.since > MOST_STEPS) {
      go_back(w, &s);
      if (w->epsilon > WILD) {
        break;
      }
    } else {
      continue;
    }
    begin_stretch(w, &s);
    (void)nsd_contact_next_states(w->k->d, w->Lambda, w->xi, w->states);
  }
  return poll && poll->is_cancelled ? NSDYN_CANCELLED : NSDYN_OK;
}

nsdyn_status nsd_damped_newton_try(nsd_damped_newton *w, const double *Lambda, int states_of, double epsilon,
                                   int steps, double most, nsd_poll *poll)
{
  const int n = w->k->d->rows;
  copy(n, Lambda, w->Lambda);
  copy(n, Lambda, w->center);
  w->epsilon = epsilon;
  stretch s = {.factor = FIRST_FACTOR, .is_strict = 1};
  begin_stretch(w, &s);
  if (states_of) {
    (void)nsd_contact_next_states(w->k->d, w->Lambda, w->xi, w->states);
  }
  w->moved = 0;
  for (int count = 0; count < steps; count++) {
    const int moved = make_step(w, &s, most, poll);
    if (moved < 0) {
      break;
    }
    w->moved += moved;
    if (moved == 0 || (epsilon > NSD_DAMPED_NEWTON_SHARP && s.merit <= GOOD_ENOUGH * s.first_merit)) {
      return NSDYN_OK;
    }
  }
  return poll && poll->is_cancelled ? NSDYN_CANCELLED : NSDYN_MAX_ITERATIONS;
}
