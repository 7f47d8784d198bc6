/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/pyramid.h"

#include <math.h>

#include "base/sin_cos.h"
#include "contact/check.h"
#include "contact/space/friction.h"

/* A contact as the LCP sees it. */
typedef struct form {
  nsd_contact_spec spec;
  nsd_contact_space space; /* that spec may point to */
  int rows;                /* of G: 1 to 3 */
  int load;                /* unknowns that make |Λ_N|: 1, or 2 of a slot whose friction goes by its load */
  int directions;          /* 0: friction has no unknowns */
  double per_load[2];      /* Λ_T per |Λ_N|, along a known direction */
  double given[2];         /* Λ_T of given bound along a known direction */
} form;

/* Where contacts come from, one after the other: a checked public problem, or the data. */
typedef struct source {
  const nsdyn_contact_problem *problem; /* NULL: */
  const nsd_contact_data *data;
} source;

static int contacts_of(const source *from)
{
  if (from->problem) {
    return from->problem->contacts;
  }
  return from->data ? from->data->contacts : 0;
}

/* Contact i, whose first row is `row`. */
static void read_form(const source *from, int i, int row, form *f)
{
  *f = (form){.load = 1};
  f->spec = from->problem ? nsd_contact_spec_of(from->problem, i, row, &f->space) : from->data->spec[i];
  const nsd_contact_spec *s = &f->spec;
  f->rows = nsd_contact_rows_of(s);
  const int by_load = s->friction == NSD_FRICTION_LOAD && s->mu > 0.0;
  const int is_given = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
  f->load = by_load && s->kind == NSDYN_CONTACT_BILATERAL ? 2 : 1;
  if (!by_load && !is_given) {
    return;
  }
  if (!s->sliding) {
    f->directions = s->space ? s->space->sides : 2;
    return;
  }
  /* p: the point farthest against the known direction. */
  const double along[2] = {s->sliding, 0.0};
  double p[2] = {0.0, 0.0};
  s->space ? nsd_friction_drag(s, 1.0, p) : nsd_friction_support(s, 1.0, along, p);
  for (int k = 0; k < f->rows - 1; k++) {
    f->per_load[k] = by_load ? -s->mu * p[k] : 0.0;
    f->given[k] = is_given ? -s->bound * p[k] : 0.0;
  }
}

static int unknowns_of(const form *f)
{
  return f->load + (f->directions > 0 ? f->directions + 1 : 0);
}

/* An ellipse whose direction of sliding is not known. */
static int has_no_form(const form *f)
{
  const nsd_contact_spec *s = &f->spec;
  const int has_friction = s->friction == NSD_FRICTION_GIVEN ? s->bound > 0.0 : s->mu > 0.0;
  return s->space && !s->sliding && has_friction && s->space->sides == 0;
}

/* d_j: in the plane ±1, in space a corner; the second half mirrors the first. */
static void direction_of(const form *f, int j, double *d)
{
  const int half = f->directions / 2, is_second = j >= half;
  d[0] = 1.0;
  d[1] = 0.0;
  const nsd_contact_space *space = f->spec.space;
  if (space) {
    double own[2];
    nsd_sin_cos_of_turn(is_second ? j - half : j, f->directions, own);
    own[1] *= space->aspect;
    d[0] = space->axis[0] * own[0] - space->axis[1] * own[1];
    d[1] = space->axis[1] * own[0] + space->axis[0] * own[1];
  }
  if (is_second) {
    d[0] = -d[0];
    d[1] = -d[1];
  }
}

static int cannot_state(const source *from)
{
  form f;
  int row = 0;
  for (int i = 0; i < contacts_of(from); i++) {
    read_form(from, i, row, &f);
    if (has_no_form(&f)) {
      return i;
    }
    row += f.rows;
  }
  return -1;
}

static int size_of(const source *from, int bilateral)
{
  form f;
  int64_t n = bilateral;
  int row = 0;
  for (int i = 0; i < contacts_of(from); i++) {
    read_form(from, i, row, &f);
    n += unknowns_of(&f);
    row += f.rows;
  }
  return n <= INT32_MAX ? (int)n : -1;
}

/* ---- A ------------------------------------------------------------------------------------------------- */

/* What is filled in. */
typedef struct target {
  int bilateral;
  double *A;
  size_t lda;
  double *b;
} target;

/* The row of A that keeps row k of a contact for the time being: behind the directions those of ξ_T. */
static int row_for(const form *f, int at, int k)
{
  return k == 0 ? at : at + f->load + f->directions - 2 + k;
}

/* A row of ξ = G Λ + c over all unknowns: a, and b. */
static void put_row(const target *w, const source *from, const double *g, double c, double *a, double *b)
{
  form f;
  int row = 0, at = 0;
  *b = c;
  for (int j = 0; j < contacts_of(from); j++) {
    read_form(from, j, row, &f);
    const double G_N = g[row];
    const double G_T[2] = {f.rows > 1 ? g[row + 1] : 0.0, f.rows > 2 ? g[row + 2] : 0.0};
    /* Λ_N, and what goes with |Λ_N| = Λ_N, of a slot 2 N⁺ − Λ_N. */
    const double drag = G_T[0] * f.per_load[0] + G_T[1] * f.per_load[1];
    a[at] = f.load == 2 ? G_N - drag : G_N + drag;
    if (f.load == 2) {
      a[at + 1] = 2.0 * drag;
    }
    *b += G_T[0] * f.given[0] + G_T[1] * f.given[1];
    /* Λ_T = D β; σ is no impulse. */
    for (int k = 0; k < f.directions; k++) {
      double d[2];
      direction_of(&f, k, d);
      a[at + f.load + k] = G_T[0] * d[0] + G_T[1] * d[1];
    }
    if (f.directions > 0) {
      a[at + f.load + f.directions] = 0.0;
    }
    at += unknowns_of(&f);
    row += f.rows;
  }
  for (int j = 0; j < w->bilateral; j++) {
    a[at + j] = g[row + j];
  }
}

/* Rows of D from those of ξ_T, and the bound: Dᵀξ_T + e σ and μ |Λ_N| + bound − eᵀβ. */
static void put_friction(const target *w, const form *f, int at, int n)
{
  const int first = at + f->load, speed = first + f->directions;
  const int T1 = row_for(f, at, 1), T2 = row_for(f, at, 2);
  for (int k = 0; k < f->directions; k++) {
    double d[2];
    direction_of(f, k, d);
    double *to = w->A + (size_t)(first + k) * w->lda;
    const double *one = w->A + (size_t)T1 * w->lda, *two = w->A + (size_t)T2 * w->lda;
    for (int j = 0; j < n; j++) {
      to[j] = f->rows > 2 ? d[0] * one[j] + d[1] * two[j] : d[0] * one[j];
    }
    w->b[first + k] = f->rows > 2 ? d[0] * w->b[T1] + d[1] * w->b[T2] : d[0] * w->b[T1];
  }
  for (int k = 0; k < f->directions; k++) {
    w->A[(size_t)(first + k) * w->lda + (size_t)speed] = 1.0;
  }
  double *limit = w->A + (size_t)speed * w->lda;
  for (int j = 0; j < n; j++) {
    limit[j] = 0.0;
  }
  limit[at] = f->load == 2 ? -f->spec.mu : f->spec.mu;
  if (f->load == 2) {
    limit[at + 1] = 2.0 * f->spec.mu;
  }
  for (int k = 0; k < f->directions; k++) {
    limit[first + k] = -1.0;
  }
  w->b[speed] = f->spec.bound;
}

static void assemble(const nsd_contact_data *d, const source *from, double *A, int lda, double *b, double *lo,
                     double *hi, nsd_poll *poll)
{
  const int n = size_of(from, d->bilateral);
  const target w = {.bilateral = d->bilateral, .A = A, .lda = (size_t)lda, .b = b};
  form f;
  int row = 0, at = 0;
  for (int i = 0; i < contacts_of(from); i++) {
    read_form(from, i, row, &f);
    if (nsd_poll_stops(poll, NSD_POLL_READ * unknowns_of(&f) * n)) {
      return;
    }
    for (int k = 0; k < unknowns_of(&f); k++) {
      lo[at + k] = 0.0;
      hi[at + k] = INFINITY;
    }
    /* ξ_N, of a slot 0 with Λ_N free, … */
    put_row(&w, from, nsd_contact_row(d, row), d->c[row], A + (size_t)at * w.lda, &b[at]);
    lo[at] = f.spec.kind == NSDYN_CONTACT_BILATERAL ? -INFINITY : 0.0;
    /* … N⁻ = N⁺ − Λ_N, … */
    for (int j = 0; f.load == 2 && j < n; j++) {
      A[(size_t)(at + 1) * w.lda + (size_t)j] = j == at ? -1.0 : j == at + 1 ? 1.0 : 0.0;
      b[at + 1] = 0.0;
    }
    /* … and friction. */
    for (int k = 1; k < f.rows && f.directions > 0; k++) {
      const int to = row_for(&f, at, k);
      put_row(&w, from, nsd_contact_row(d, row + k), d->c[row + k], A + (size_t)to * w.lda, &b[to]);
    }
    if (f.directions > 0) {
      put_friction(&w, &f, at, n);
    }
    row += f.rows;
    at += unknowns_of(&f);
  }
  for (int i = 0; i < d->bilateral; i++) {
    put_row(&w, from, nsd_contact_row(d, row + i), d->c[row + i], A + (size_t)(at + i) * w.lda, &b[at + i]);
    lo[at + i] = -INFINITY;
    hi[at + i] = INFINITY;
    if (nsd_poll_stops(poll, NSD_POLL_READ * n)) {
      return;
    }
  }
}

/* ---- the way back -------------------------------------------------------------------------------------- */

void nsd_pyramid_impulses(const nsd_contact_data *d, const double *x, double *Lambda)
{
  const source from = {.data = d};
  form f;
  int row = 0, at = 0;
  for (int i = 0; i < d->contacts; i++) {
    read_form(&from, i, row, &f);
    const double load = f.load == 2 ? 2.0 * x[at + 1] - x[at] : x[at];
    double T[2] = {f.given[0] + f.per_load[0] * load, f.given[1] + f.per_load[1] * load};
    for (int k = 0; k < f.directions; k++) {
      double e[2];
      direction_of(&f, k, e);
      T[0] += e[0] * x[at + f.load + k];
      T[1] += e[1] * x[at + f.load + k];
    }
    Lambda[row] = x[at];
    for (int k = 1; k < f.rows && k < NSD_CONTACT_ROWS; k++) {
      Lambda[row + k] = T[k - 1];
    }
    row += f.rows;
    at += unknowns_of(&f);
  }
  for (int i = 0; i < d->bilateral; i++) {
    Lambda[row + i] = x[at + i];
  }
}

/* ---- entries ------------------------------------------------------------------------------------------- */

int nsd_pyramid_cannot_state(const nsd_contact_data *d)
{
  return cannot_state(&(source){.data = d});
}

int nsd_pyramid_size(const nsd_contact_data *d)
{
  return size_of(&(source){.data = d}, d->bilateral);
}

int nsd_pyramid_is_plain(const nsd_contact_data *d)
{
  int plain = d->bilateral == 0;
  for (int i = 0; plain && i < d->contacts; i++) {
    plain = d->spec[i].kind != NSDYN_CONTACT_BILATERAL;
  }
  return plain;
}

void nsd_pyramid_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo, double *hi,
                          nsd_poll *poll)
{
  assemble(d, &(source){.data = d}, A, lda, b, lo, hi, poll);
}

int nsd_pyramid_problem_cannot_state(const nsdyn_contact_problem *checked)
{
  return cannot_state(&(source){.problem = checked});
}

int nsd_pyramid_problem_size(const nsdyn_contact_problem *checked)
{
  return size_of(&(source){.problem = checked}, checked->bilateral);
}

void nsd_pyramid_problem_assemble(const nsdyn_contact_problem *checked, double *A, int lda, double *b,
                                  double *lo, double *hi)
{
  const nsd_contact_data d = nsd_contact_data_of(checked);
  assemble(&d, &(source){.problem = checked}, A, lda, b, lo, hi, NULL);
}
