/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/glocker.h"

#include <math.h>

#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/planar/exact_form.h"
#include "contact/planar/states.h"
#include "contact/space/solve/pyramid.h"
#include "nsdyn/lcp.h"

enum { MOST_UNKNOWNS = 4 };

/* How a contact's impulses follow from its unknowns: Λ_N = x_0, Λ_T = given + Σ share_k x_k. */
typedef struct form {
  int n;
  double share[MOST_UNKNOWNS];
  double given;
} form;

NSD_INLINE int is_slot(const nsd_contact_spec *s)
{
  return s->kind == NSDYN_CONTACT_BILATERAL;
}

NSD_INLINE form form_of(const nsd_contact_spec *s)
{
  /* The usual contact: x = (Λ_N, Λ_R, ξ_L). */
  if (s->mu > 0.0 && s->sliding == 0 && !is_slot(s)) {
    return (form){.n = 3, .share = {-s->mu, 1.0}}; /* Λ_T = Λ_R − μ Λ_N */
  }
  /* Without friction: x = (Λ_N). */
  form f = {.n = 1};
  if (!nsd_contact_has_friction(s)) {
    return f;
  }
  /* A given bound: x = (Λ_N, Λ_T), or Λ_T = −s bound, which is given. */
  if (s->friction == NSD_FRICTION_GIVEN) {
    f.n = s->sliding ? 1 : 2;
    f.given = s->sliding ? -s->sliding * s->bound : 0.0;
    f.share[1] = s->sliding ? 0.0 : 1.0;
    return f;
  }
  /* Λ_T = (−μ or −s μ) |Λ_N|, and Λ_R beside it where the direction is not known. */
  const double slope = s->sliding ? -s->sliding * s->mu : -s->mu;
  const int of_load = is_slot(s) ? 2 : 1; /* unknowns that make |Λ_N| */
  f.n = s->sliding ? of_load : of_load + 2;
  /* In a slot |Λ_N| = 2 N⁺ − Λ_N: so −slope for Λ_N and 2 slope for N⁺. */
  f.share[0] = is_slot(s) ? -slope : slope;
  if (is_slot(s)) {
    f.share[1] = 2.0 * slope;
  }
  if (!s->sliding) {
    f.share[of_load] = 1.0;
  }
  return f;
}

int nsd_glocker_unknowns(const nsd_contact_spec *s)
{
  return form_of(s).n;
}

int nsd_glocker_size(const nsd_contact_data *d)
{
  int n = d->bilateral;
  for (int i = 0; i < d->contacts; i++) {
    n += nsd_glocker_unknowns(&d->spec[i]);
  }
  return n;
}

int nsd_glocker_is_plain(const nsd_contact_data *d)
{
  int plain = d->bilateral == 0;
  for (int i = 0; plain && i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int is_boxed = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0 && !s->sliding;
    plain = !is_slot(s) && !is_boxed;
  }
  return plain;
}

/* Row i as put_row() writes it. */
static int row_is_exact(const nsd_contact_data *d, int i)
{
  const double *g = nsd_contact_row(d, i);
  double b = d->c[i];
  for (int j = 0; j < d->contacts; j++) {
    const nsd_contact_spec *s = &d->spec[j];
    const int T = nsd_contact_tangent(s);
    const form f = form_of(s);
    if (T < 0) {
      continue;
    }
    /* g_N + g_T share_0, the further shares of g_T, and b + g_T given. */
    int is_exact = nsd_sum_is_exact(g[s->row], f.share[0], g[T]) && nsd_sum_is_exact(b, f.given, g[T]);
    for (int k = 1; k < f.n; k++) {
      is_exact = is_exact && nsd_sum_is_exact(0.0, f.share[k], g[T]);
    }
    if (!is_exact) {
      return 0;
    }
    b += g[T] * f.given;
  }
  return 1;
}

int nsd_glocker_is_exact(const nsd_contact_data *d, nsd_poll *poll)
{
  int i = 0;
  while (i < d->rows && !nsd_poll_stops(poll, NSD_SUM_IS_EXACT_WORK * d->rows) && row_is_exact(d, i)) {
    i++;
  }
  return i == d->rows;
}

/* ---- blocks of A ------------------------------------------------------------------------------------- */

/* A row of G, seen by the unknowns of a contact: G_N x_0 + G_T Λ_T. */
NSD_INLINE void put_contact(const nsd_contact_spec *s, const form *f, const double *g, double *a)
{
  /* ξ_i = g_N Λ_N + g_T Λ_T + …, with Λ_T in terms of x. */
  const int T = nsd_contact_tangent(s);
  if (f->n == 3) {
    a[0] = g[s->row] + g[T] * f->share[0];
    a[1] = g[T];
    a[2] = 0.0;
    return;
  }
  const double g_T = T < 0 ? 0.0 : g[T];
  a[0] = g[s->row] + g_T * f->share[0];
  for (int k = 1; k < f->n; k++) {
    a[k] = g_T * f->share[k];
  }
}

/* Rows of A that are rows of G: ξ_N, and where friction has unknowns of its own ξ_T (ξ_R but for ξ_L); −1
 * where there is none. */
static int row_of_friction(const nsd_contact_spec *s, const form *f)
{
  if (f->n == 1 || (s->friction == NSD_FRICTION_LOAD && s->sliding)) {
    return -1;
  }
  return is_slot(s) && s->friction == NSD_FRICTION_LOAD ? 2 : 1;
}

/* A contact's rows that are of no G: N⁻ = N⁺ − Λ_N, ξ_L in ξ_R, Λ_L = 2 μ |Λ_N| − Λ_R. The block is zero but
 * for rows of G. */
static void put_own_rows(const nsd_contact_spec *s, const form *f, double *A, int lda)
{
  if (s->friction != NSD_FRICTION_LOAD || f->n == 1) {
    return;
  }
  const size_t row = (size_t)lda;
  const int of_load = is_slot(s) ? 2 : 1;
  /* Row 1, N⁻ = N⁺ − Λ_N. */
  if (is_slot(s)) {
    A[row] = -1.0;
    A[row + 1] = 1.0;
  }
  if (s->sliding) {
    return;
  }
  /* Row R: ξ_R = ξ_T + ξ_L; row L: Λ_L = 2 μ |Λ_N| − Λ_R. */
  const int R = of_load;
  const int L = of_load + 1;
  A[(size_t)R * row + (size_t)L] = 1.0;
  for (int k = 0; k < of_load; k++) {
    A[(size_t)L * row + (size_t)k] = -2.0 * f->share[k];
  }
  A[(size_t)L * row + (size_t)R] = -1.0;
}

static void put_bounds(const nsd_contact_spec *s, const form *f, double *lo, double *hi)
{
  for (int k = 0; k < f->n; k++) {
    lo[k] = 0.0;
    hi[k] = INFINITY;
  }
  /* A slot's Λ_N has either sign, so its row is ξ_N = 0. */
  if (is_slot(s)) {
    lo[0] = -INFINITY;
  }
  /* Friction of a given bound is the bounds of its unknown. */
  if (s->friction == NSD_FRICTION_GIVEN && f->n == 2) {
    lo[1] = -s->bound;
    hi[1] = s->bound;
  }
}

/* Row i of ξ = G Λ + c over all unknowns. `contact` gives each contact in turn. */
typedef nsd_contact_spec contact_source(const void *from, int i, int row);

NSD_INLINE void put_row(const nsd_contact_data *d, contact_source *contact, const void *from, int i,
                        double *a, double *b)
{
  const double *g = nsd_contact_row(d, i);
  int row = 0;
  int at = 0;
  /* y_i = c_i + Σ_j (g_N Λ_N + g_T Λ_T) over all contacts, and the bilateral constraints behind. */
  *b = d->c[i];
  for (int j = 0; j < d->contacts; j++) {
    const nsd_contact_spec s = contact(from, j, row);
    const form f = form_of(&s);
    put_contact(&s, &f, g, a + at);
    *b += f.given != 0.0 ? g[row + 1] * f.given : 0.0;
    row += nsd_contact_rows_of(&s);
    at += f.n;
  }
  for (int j = 0; j < d->bilateral; j++) {
    a[at + j] = g[row + j];
  }
}

NSD_INLINE void assemble(const nsd_contact_data *d, contact_source *contact, const void *from, int n,
                         double *A, int lda, double *b, double *lo, double *hi, nsd_poll *poll)
{
  int row = 0;
  int at = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec s = contact(from, i, row);
    const form f = form_of(&s);
    if (nsd_poll_stops(poll, NSD_POLL_READ * f.n * n)) {
      return;
    }
    /* Rows of G first (ξ_N, ξ_R), zeros for the contact's own equations, which put_own_rows() writes. */
    const int friction = row_of_friction(&s, &f);
    double *a = A + (size_t)at * (size_t)lda;
    for (int k = 0; k < f.n; k++) {
      double *a_k = a + (size_t)k * (size_t)lda;
      b[at + k] = 0.0;
      if (k == 0 || k == friction) {
        put_row(d, contact, from, k == 0 ? row : row + 1, a_k, &b[at + k]);
      } else {
        for (int j = 0; j < n; j++) {
          a_k[j] = 0.0;
        }
      }
    }
    put_own_rows(&s, &f, a + at, lda);
    put_bounds(&s, &f, lo + at, hi + at);
    row += nsd_contact_rows_of(&s);
    at += f.n;
  }
  /* Bilateral constraints: ξ = 0, Λ free. */
  for (int i = 0; i < d->bilateral; i++) {
    put_row(d, contact, from, row + i, A + (size_t)(at + i) * (size_t)lda, &b[at + i]);
    lo[at + i] = -INFINITY;
    hi[at + i] = INFINITY;
    if (nsd_poll_stops(poll, NSD_POLL_READ * n)) {
      return;
    }
  }
}

NSD_INLINE nsd_contact_spec from_data(const void *from, int i, int row)
{
  const nsd_contact_data *d = from;
  (void)row;
  return d->spec[i];
}

NSD_INLINE nsd_contact_spec from_problem(const void *from, int i, int row)
{
  return nsd_contact_spec_of(from, i, row, NULL);
}

void nsd_glocker_assemble(const nsd_contact_data *d, double *A, int lda, double *b, double *lo, double *hi,
                          nsd_poll *poll)
{
  assemble(d, from_data, d, nsd_glocker_size(d), A, lda, b, lo, hi, poll);
}

void nsd_glocker_impulses(const nsd_contact_data *d, const double *x, double *Lambda)
{
  int at = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const form f = form_of(s);
    Lambda[s->row] = x[at];
    if (s->friction != NSD_FRICTION_NONE) {
      double T = f.given;
      for (int k = 0; k < f.n; k++) {
        T += f.share[k] * x[at + k];
      }
      Lambda[s->row + 1] = T;
    }
    at += f.n;
  }
  const int own = nsd_contact_own_rows(d);
  for (int i = 0; i < d->bilateral; i++) {
    Lambda[own + i] = x[at + i];
  }
}

/* Unknowns of a checked problem; −1 where an int does not count them. */
static int count_unknowns(const nsdyn_contact_problem *p)
{
  int64_t n = p->bilateral;
  int row = 0;
  for (int i = 0; i < p->contacts; i++) {
    const nsd_contact_spec s = nsd_contact_spec_of(p, i, row, NULL);
    n += nsd_glocker_unknowns(&s);
    row += nsd_contact_rows_of(&s);
  }
  return n <= INT32_MAX ? (int)n : -1;
}

nsdyn_status nsdyn_contact_lcp(const nsdyn_contact_problem *problem, double *A, int64_t lda, double *b,
                               double *lo, double *hi, int32_t *n)
{
  nsdyn_contact_problem p;
  nsdyn_status status = nsd_contact_check(&p, problem, NULL, NULL, NULL);
  status = status ? status : nsd_contact_check_matrix(&p, "an LCP", NULL);
  if (status) {
    return status;
  }
  const int is_spatial = nsd_contact_first_in_space(&p) >= 0;
  if (is_spatial && nsd_pyramid_problem_cannot_state(&p) >= 0) {
    return NSDYN_ERR_UNSUPPORTED;
  }
  /* The caller asks for n first, with A = NULL, to allocate. */
  if (!n) {
    return NSDYN_ERR_ARGUMENT;
  }
  const int size = is_spatial ? nsd_pyramid_problem_size(&p) : count_unknowns(&p);
  if (size < 0) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const nsdyn_status fits = A ? nsd_stride_check(size, size, lda) : NSDYN_OK;
  if (fits || (A && (!b || !lo || !hi))) {
    return fits ? fits : NSDYN_ERR_ARGUMENT;
  }
  *n = size;
  if (A && is_spatial) {
    nsd_pyramid_problem_assemble(&p, A, (int)lda, b, lo, hi);
  } else if (A) {
    const nsd_contact_data d = nsd_contact_data_of(&p);
    assemble(&d, from_problem, &p, size, A, (int)lda, b, lo, hi, NULL);
  }
  return NSDYN_OK;
}

size_t nsd_glocker_write_text(const nsd_contact_data *d, nsd_arena *arena, char *text, size_t size)
{
  const int is_pyramid = d->is_spatial;
  if (is_pyramid && (!d->G || nsd_pyramid_cannot_state(d) >= 0)) {
    return 0;
  }
  const int unknowns = is_pyramid ? nsd_pyramid_size(d) : nsd_glocker_size(d);
  const size_t n = (size_t)unknowns;
  /* Room for n² + 3n numbers: A, b, lo, hi. */
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, n, (n + 3) * sizeof(double));
  if (nsd_arena_reserve(arena, &measure)) {
    return 0;
  }
  double *A = nsd_arena_take(arena, n, (n + 3) * sizeof *A);
  double *b = A + n * n, *lo = b + n, *hi = lo + n;
  (is_pyramid ? nsd_pyramid_assemble : nsd_glocker_assemble)(d, A, unknowns, b, lo, hi, NULL);
  const int is_plain = is_pyramid ? nsd_pyramid_is_plain(d) : nsd_glocker_is_plain(d);
  return nsdyn_lcp_write_text(unknowns, A, unknowns, b, is_plain ? NULL : lo, is_plain ? NULL : hi, text,
                              size);
}
