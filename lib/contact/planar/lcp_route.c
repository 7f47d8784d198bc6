/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem put to the solver of LCPs, and what becomes of its answer. */

#include "contact/object.h"
#include "contact/planar/glocker.h"
#include "contact/planar/states.h"
#include "contact/planar/stewart_trinkle.h"

enum { POLISH_ROUNDS = 3 };

/* Lemke's method takes n to 2n pivots where it ends well. */
enum { PIVOTS = 50, PIVOTS_PER_UNKNOWN = 4 };

static const nsd_contact_form planar = {nsd_glocker_size,     nsd_glocker_is_plain, nsd_glocker_is_exact,
                                        nsd_glocker_assemble, nsd_glocker_impulses, "the LCP of eq. 33"};
static const nsd_contact_form copositive = {nsd_stewart_trinkle_size,     nsd_stewart_trinkle_is_plain,
                                            nsd_stewart_trinkle_is_exact, nsd_stewart_trinkle_assemble,
                                            nsd_stewart_trinkle_impulses, "the copositive LCP"};

/* Unknowns of an LCP whose bases are searched: beyond, the contact solvers that come next are sooner done. */
enum { LARGEST_SEARCH = 24 };

static nsdyn_status set_lcp_options(nsdyn_contact *s, int32_t method, int32_t max_iterations)
{
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  options.max_iterations = max_iterations;
  /* The contacts' own tolerance, where it is finer. */
  options.tol = s->options.tol < options.tol ? s->options.tol : options.tol;
  options.automatic_enumerate_up_to = LARGEST_SEARCH;
  options.warm_start = s->options.warm_start && s->options.method == NSDYN_CONTACT_LCP;
  return nsdyn_lcp_set_options(s->lcp, &options);
}

nsdyn_status nsd_contact_solve_form(nsdyn_contact *s, const nsd_contact_data *d, const nsd_contact_form *f,
                                    int32_t method, int limited)
{
  /* Size and memory, the LCP's own options, its solution. */
  const int n = f->size(d);
  nsdyn_status status = n < 0 ? NSDYN_ERR_TOO_LARGE : nsd_contact_reserve_lcp(s, n);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %s, %d unknowns", f->name,
                         n);
  }
  status = set_lcp_options(s, method, limited ? PIVOTS + PIVOTS_PER_UNKNOWN * n : -1);
  if (status == NSDYN_OK) {
    /* A x + b = y, lo <= x <= hi. */
    f->assemble(d, s->A, n, s->b, s->lo, s->hi, &s->poll);
    if (s->poll.is_cancelled) {
      return NSDYN_CANCELLED;
    }
    const int plain = f->is_plain(d);
    status = nsdyn_lcp_solve_mixed(s->lcp, n, s->A, n, s->b, plain ? NULL : s->lo, plain ? NULL : s->hi, s->x,
                                   NULL);
    nsdyn_lcp_solve_report report;
    nsdyn_lcp_solve_report_init(&report, sizeof report);
    nsdyn_lcp_report(s->lcp, &report);
    s->report.lcp_size = n;
    s->report.iterations += report.iterations;
  }
  return status >= 0 ? status
                     : nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "%s: %s", f->name,
                                     nsdyn_lcp_message(s->lcp));
}

/* Λ of x, judged as a contact's impulses. Where it is no solution to rounding, the pattern it shows is solved
 * itself. Returns whether the best has become a solution. */
static int take(nsdyn_contact *s, const nsd_contact_data *d, const nsd_contact_form *f)
{
  nsd_pattern_work *w = &s->pattern;
  /* Stage 1. Λ of x, onto what the laws allow, and its certificate. */
  f->impulses(d, s->x, w->Lambda);
  nsd_contact_project_all(d, w->Lambda);
  const nsd_contact_verdict verdict = nsd_pattern_judge(w, d, w->Lambda, w->xi);
  /* Stage 2. The pattern of which Λ is a vertex, for the round below and the next warm start. */
  for (int i = 0; i < d->contacts; i++) {
    w->states[i] = nsd_contact_vertex_state(&d->spec[i], w->Lambda, w->xi);
  }
  /* Stage 3. Keep it if it is the best. */
  if (nsd_contact_is_better(&verdict, &s->best.verdict)) {
    s->method = NSDYN_CONTACT_LCP;
  }
  nsd_pattern_keep_better(&s->best, d, w->Lambda, w->xi, &verdict);
  /* Stage 4. What rounding still leaves is bettered by solving the pattern itself. */
  if (nsd_contact_is_solution(&s->best.verdict, NSD_RESIDUAL_ROUNDING)) {
    return nsd_contact_is_solution(&s->best.verdict, s->options.tol);
  }
  const int before = s->best.rounds;
  const int found = nsd_pattern_newton(w, d, s->options.tol, POLISH_ROUNDS, POLISH_ROUNDS, &s->best);
  s->report.iterations += s->best.rounds - before;
  return found;
}

static nsdyn_status try_form(nsdyn_contact *s, const nsd_contact_data *d, const nsd_contact_form *f,
                             int32_t method, int limited)
{
  const nsdyn_status status = nsd_contact_solve_form(s, d, f, method, limited);
  if (status < 0 || status == NSDYN_CANCELLED) {
    return status;
  }
  /* Whatever the LCP's solver says: the contact's certificate counts. */
  if (take(s, d, f)) {
    return NSDYN_OK;
  }
  /* That an LCP has no solution is proved of its own numbers. */
  const int is_proof = status == NSDYN_NO_SOLUTION && f->is_exact(d, &s->poll);
  if (s->poll.is_cancelled) {
    return NSDYN_CANCELLED;
  }
  if (status == NSDYN_NO_SOLUTION && !is_proof) {
    return NSDYN_UNDECIDED;
  }
  return status ? status : NSDYN_INACCURATE;
}

nsdyn_status nsd_contact_try_planar(nsdyn_contact *s, const nsd_contact_data *d)
{
  return try_form(s, d, &planar, nsd_contact_lcp_method(s), 0);
}

nsdyn_status nsd_contact_try_lemke(nsdyn_contact *s, const nsd_contact_data *d)
{
  return try_form(s, d, &planar, NSDYN_LCP_LEMKE, 1);
}

nsdyn_status nsd_contact_try_copositive(nsdyn_contact *s, const nsd_contact_data *d)
{
  return nsd_stewart_trinkle_applies(d) ? try_form(s, d, &copositive, NSDYN_LCP_LEMKE, 0)
                                        : NSDYN_ERR_UNSUPPORTED;
}
