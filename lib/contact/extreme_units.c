/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/extreme_units.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/dense.h"
#include "contact/object.h"
#include "contact/planar/states.h"

/* Numbers beyond 2^±FAR are at the edge: what is 1e-30 of them has all its digits still. Of G the squares,
 * which determinants are made of, have to stay inside too. */
enum { FAR = 800, FAR_G = 400 };

/* A bound that is so much larger than all else is never reached. */
enum { OUT_OF_REACH = 600 };

/* e with |x| < 2^e for all of x; INT_MIN where all are zero. */
static int exponent_of(size_t n, const double *x)
{
  double most = 0.0;
  for (size_t i = 0; i < n; i++) {
    most = nsd_larger(fabs(x[i]), most);
  }
  /* |x| = m 2^e with 1/2 <= m < 1. */
  int e = INT_MIN;
  if (most > 0.0) {
    (void)frexp(most, &e);
  }
  return e;
}

static int exponent_of_matrix(const nsd_contact_data *d, nsd_poll *poll)
{
  int most = INT_MIN;
  for (int i = 0; i < d->rows; i++) {
    const int e = exponent_of((size_t)d->rows, nsd_contact_row(d, i));
    most = e > most ? e : most;
    (void)nsd_poll_stops(poll, 4.0 * d->rows);
  }
  return most;
}

static nsd_extreme_units edge_of(int G, int xi)
{
  /* Of order 1 shall be G' = 2^a G and ξ' = 2^k ξ: a = −exponent of G, k = −exponent of ξ; Λ' = 2^(k − a) Λ
   * follows, as ξ = G Λ + c has to hold in both units. */
  nsd_extreme_units e = {.G = -G, .xi = -xi, .Lambda = G - xi};
  e.grain = ldexp(DBL_TRUE_MIN, e.Lambda);
  return e;
}

static int is_far(int exponent, int far)
{
  return exponent != INT_MIN && (exponent < -far || exponent > far);
}

int nsd_extreme_units_of_answer(const nsd_contact_data *d, const double *Lambda, nsd_extreme_units *e,
                                nsd_poll *poll)
{
  const int impulse = exponent_of((size_t)d->rows, Lambda);
  if (!nsd_all_finite(1, d->rows, Lambda, d->rows)) {
    return 0;
  }
  /* ξ = G Λ + c is judged beside its terms: the larger of c and of G's largest element times Λ's largest. */
  const int c = exponent_of((size_t)d->rows, d->c);
  const int G = impulse == INT_MIN ? INT_MIN : exponent_of_matrix(d, poll);
  const int product = G == INT_MIN ? INT_MIN : G + impulse;
  const int xi = c > product ? c : product;
  /* Below 2^-1022 doubles lie 2^-1074 apart: under 2^-1000 an impulse loses the digits that a law is judged
   * by. */
  int is_grainy = 0;
  for (int i = 0; i < d->rows; i++) {
    is_grainy |= Lambda[i] != 0.0 && fabs(Lambda[i]) < 0x1p-1000;
  }
  if (!is_far(xi, FAR) && !is_grainy) {
    return 0;
  }
  *e = edge_of(G == INT_MIN ? 0 : G, xi == INT_MIN ? 0 : xi);
  return 1;
}

/* What moves the problem: c, and friction of a given bound along a known direction. */
static int exponent_of_load(const nsd_contact_data *d)
{
  int most = exponent_of((size_t)d->rows, d->c);
  for (int i = 0; i < d->contacts; i++) {
    /* A known friction impulse −s bound moves row j by G_jT bound. */
    const nsd_contact_spec *s = &d->spec[i];
    if (s->friction == NSD_FRICTION_GIVEN && s->sliding && s->bound > 0.0) {
      const int G = exponent_of((size_t)d->rows, nsd_contact_row(d, s->row + 1));
      const int load = G == INT_MIN ? INT_MIN : G + exponent_of(1, &s->bound);
      most = load > most ? load : most;
    }
  }
  return most;
}

int nsd_extreme_units_of_problem(const nsd_contact_data *d, nsd_extreme_units *e)
{
  /* G is semidefinite: |G_ij| <= √(G_ii G_jj), so its largest element stands on the diagonal. */
  int G = INT_MIN;
  for (int i = 0; i < d->rows; i++) {
    const int own = exponent_of(1, nsd_contact_row(d, i) + i);
    G = own > G ? own : G;
  }
  const int xi = exponent_of_load(d);
  if (!is_far(xi, FAR) && !is_far(G, FAR_G)) {
    return 0;
  }
  /* G keeps its units where it can: then it need not be copied. */
  *e = edge_of(is_far(G, FAR_G) ? G : 0, xi == INT_MIN ? 0 : xi);
  return 1;
}

/* ---- solving ---- */

typedef struct scaled {
  double *G, *c;
  nsd_contact_spec *spec;
  nsd_contact_stored *stored; /* of contacts in expansion */
  int is_rounded; /* a number has lost digits: then it is another problem, next to the given one */
} scaled;

/* 2^e x */
static double to_units(scaled *p, double x, int e)
{
  const double y = ldexp(x, e);
  p->is_rounded |= ldexp(y, -e) != x;
  return y;
}

static void lay_out(nsd_arena *arena, scaled *p, const nsd_contact_data *d, const nsd_extreme_units *e)
{
  const size_t rows = (size_t)d->rows;
  p->c = nsd_arena_take(arena, rows, sizeof *p->c);
  p->spec = nsd_arena_take(arena, (size_t)d->contacts, sizeof *p->spec);
  p->stored = nsd_arena_take(arena, (size_t)d->contacts, sizeof *p->stored);
  p->G = e->G ? nsd_arena_take(arena, rows, rows * sizeof *p->G) : NULL;
}

static nsd_contact_data scale(scaled *p, const nsd_contact_data *d, const nsd_extreme_units *e)
{
  nsd_contact_data own = *d;
  p->is_rounded = 0;
  /* c' = 2^k c, and G' = 2^a G where a is not 0. */
  for (int i = 0; i < d->rows; i++) {
    p->c[i] = to_units(p, d->c[i], e->xi);
    for (int j = 0; e->G && j < d->rows; j++) {
      p->G[(size_t)i * (size_t)d->rows + (size_t)j] = to_units(p, nsd_contact_row(d, i)[j], e->G);
    }
  }
  for (int i = 0; i < d->contacts; i++) {
    /* μ and directions have no units. Stored and bounding impulses have those of Λ; a bound beyond
     * 2^OUT_OF_REACH would overflow, and is as good as that. */
    p->spec[i] = d->spec[i];
    if (d->spec[i].friction == NSD_FRICTION_STORED) {
      p->stored[i] = *d->spec[i].stored;
      p->stored[i].L = to_units(p, p->stored[i].L, e->Lambda);
      p->stored[i].back = to_units(p, p->stored[i].back, e->Lambda);
      p->spec[i].stored = &p->stored[i];
    }
    p->spec[i].bound = fmin(ldexp(d->spec[i].bound, e->Lambda), ldexp(1.0, OUT_OF_REACH));
    p->is_rounded |= ldexp(p->spec[i].bound, -e->Lambda) != d->spec[i].bound;
  }
  own.c = p->c;
  own.spec = p->spec;
  if (e->G) {
    own.G = p->G;
    own.ldg = d->rows;
    own.edition = 0;
  }
  return own;
}

/* The number nearest to 2^e x that there is. */
static double back(double x, int e)
{
  const double y = ldexp(x, e);
  return fmax(-DBL_MAX, fmin(y, DBL_MAX));
}

/* Λ and ξ come back into the problem's units, and are judged there. What of Λ_N has become zero or a few
 * multiples of the smallest double lets friction go no further than μ times that. */
static nsdyn_status take_back(nsdyn_contact *s, const nsd_contact_data *d, const nsd_extreme_units *e,
                              nsdyn_status status, double *Lambda, double *xi)
{
  for (int i = 0; i < d->rows; i++) {
    Lambda[i] = back(Lambda[i], -e->Lambda);
    if (xi) {
      xi[i] = back(xi[i], -e->xi);
    }
  }
  /* Rounded to doubles Λ_T may be more than μ Λ_N: back to its limit. */
  if (!d->is_spatial && nsd_contact_project_all(d, Lambda)) {
    for (int i = 0; i < d->rows; i++) {
      Lambda[i] = back(Lambda[i], 0);
    }
  }
  /* The verdict that counts is that on the doubles that the caller gets, in the caller's units. */
  const nsd_contact_verdict v = nsd_contact_judge(d, Lambda, s->best.xi);
  s->report.residual = v.residual;
  s->report.scale = v.scale;
  s->report.worst_row = v.row;
  if (status == NSDYN_OK && !nsd_contact_is_solution(&v, s->options.tol)) {
    s->report.status = NSDYN_UNDECIDED;
    s->modes_n = s->states_n = 0;
    return nsd_fault_set(&s->fault, NSDYN_UNDECIDED, NSDYN_DETAIL_NONE, -1,
                         "the impulses of %d contacts are beyond the range of numbers", d->contacts);
  }
  return status;
}

nsdyn_status nsd_extreme_units_solve(nsdyn_contact *s, const nsd_contact_data *d, const nsd_extreme_units *e,
                                     double *Lambda, double *xi)
{
  /* Stage 1. Memory for the problem in its new units, beside the given one. */
  scaled own;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &own, d, e);
  nsdyn_status status = nsd_arena_reserve(&s->edge_room, &measure);
  status = status ? status : nsd_contact_reserve_scratch(s, d->contacts, d->rows);
  if (status) {
    s->report.status = status;
    s->modes_n = s->states_n = 0;
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to solve for %d contacts",
                         d->contacts);
  }
  lay_out(&s->edge_room, &own, d, e);
  /* Stage 2. G', c', laws; solved as any other problem. */
  const nsd_contact_data data = scale(&own, d, e);
  status = nsd_contact_solve_data(s, &data, Lambda, xi);
  /* What is proved of rounded data is not proved of those given. */
  if (status == NSDYN_NO_SOLUTION && own.is_rounded) {
    s->report.status = status = NSDYN_UNDECIDED;
    nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                  "whether there is a solution is undecided: the numbers of %d contacts lie too far apart",
                  d->contacts);
  }
  /* Stage 3. Λ = 2^(a − k) Λ', ξ = 2^-k ξ', and the verdict on them. */
  return status < 0 ? status : take_back(s, d, e, status, Lambda, xi);
}
