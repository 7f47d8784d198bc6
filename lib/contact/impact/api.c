/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The public impact: checks on the way in, results on the way out. */
#include <math.h>

#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/impact/impact.h"
#include "contact/object.h"

nsdyn_status nsdyn_impact_report_init(nsdyn_impact_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_IMPACT_REPORT_LEAST, NULL, sizeof *report);
}

nsdyn_status nsdyn_impact_half_init(nsdyn_impact_half *half, size_t size)
{
  return nsd_sized_init(half, size, NSD_IMPACT_HALF_LEAST, NULL, sizeof *half);
}

/* A refused call leaves its status and law in the report, and nothing else. */
static nsdyn_status refuse(nsdyn_contact *s, int32_t law, nsdyn_status status)
{
  nsdyn_impact_report_init(&s->impact.report, sizeof s->impact.report);
  s->impact.report.status = status;
  s->impact.report.law = law;
  s->impact.report.worst_row = -1;
  s->impact.contacts = s->impact.rows = 0;
  return status;
}

static nsdyn_status refuse_argument(nsdyn_contact *s, int32_t law, int argument, const char *reason)
{
  return refuse(s, law,
                nsd_fault_set(&s->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, argument, "%s", reason));
}

/* Known sliding directions end with the impact. */
static nsdyn_status check_slip(nsdyn_contact *s, const nsdyn_contact_problem *p)
{
  int row = 0;
  for (int i = 0; p->slip && i < p->contacts; i++) {
    nsd_contact_space space;
    const nsd_contact_spec spec = nsd_contact_spec_of(p, i, row, &space);
    if (spec.sliding) {
      return nsd_fault_set(&s->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_CONTACT, i,
                           "contact %d: slip: %d, but an impact may end any sliding; it must be 0", i,
                           (int)spec.sliding);
    }
    row += nsd_contact_rows_of(&spec);
  }
  return NSDYN_OK;
}

/* The checked problem in the solver's own arrays. */
static nsdyn_status take_problem(nsdyn_contact *s, const nsdyn_contact_problem *p, nsd_contact_data *data)
{
  nsdyn_status status = nsd_contact_reserve_kept(s, p->contacts);
  status = status ? status : nsd_impact_reserve(&s->impact, p->contacts, data->rows);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for an impact of %d contacts",
                         (int)p->contacts);
  }
  nsd_contact_fill_spec(p, s->spec, s->space);
  data->spec = s->spec;
  for (int i = 0; i < p->contacts; i++) {
    const nsdyn_contact_law *law = nsd_contact_law_at(p, i);
    s->impact.restitution[i] =
        (nsd_restitution){.eps_n = law->eps_n, .eps_t = law->eps_t, .reversal = law->reversal};
  }
  return NSDYN_OK;
}

/* The first row whose impulse or velocity has overflowed, or the energy where that has alone (−1); −2 where
 * all is well. */
static int first_overflow(const nsd_impact *w)
{
  const nsd_impact_half *a = &w->half[NSDYN_IMPACT_COMPRESSION], *b = &w->half[NSDYN_IMPACT_EXPANSION];
  for (int i = 0; i < w->rows; i++) {
    if (!isfinite(a->Lambda[i] + b->Lambda[i]) || !isfinite(a->gamma[i]) || !isfinite(b->gamma[i])) {
      return i;
    }
  }
  const int is_fine = isfinite(a->energy) && isfinite(b->energy) && isfinite(w->report.energy) &&
                      isfinite(w->report.residual) && isfinite(w->report.scale);
  return is_fine ? -2 : -1;
}

/* Numbers whose squares overflow may have given an answer whose energy is not finite: such an answer is
 * refused. Outputs are written for a solution, and for the best that was found. */
static nsdyn_status hand_over(nsdyn_contact *s, int32_t law, nsdyn_status status, double *Lambda,
                              double *gamma)
{
  const nsd_impact *w = &s->impact;
  /* The sum of both halves may overflow though neither does. */
  const int row = w->rows > 0 ? first_overflow(w) : -2;
  if (status < 0) {
    return status;
  }
  if (row != -2) {
    return refuse(s, law,
                  row < 0
                      ? nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                                      "the impact's energy overflows: choose larger units of length or mass")
                      : nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_ROW, row,
                                      "impulse or velocity of row %d overflows: choose larger units", row));
  }
  const nsd_impact_half *a = &w->half[NSDYN_IMPACT_COMPRESSION], *b = &w->half[NSDYN_IMPACT_EXPANSION];
  for (int i = 0; i < w->rows; i++) {
    Lambda[i] = a->Lambda[i] + b->Lambda[i];
  }
  for (int i = 0; gamma && i < w->rows; i++) {
    gamma[i] = b->gamma[i];
  }
  return status;
}

/* Before anything is tried: no impulse. */
static nsdyn_status cancel(nsdyn_contact *s, int32_t law, const nsd_contact_data *d, double *Lambda,
                           double *gamma)
{
  for (int i = 0; i < d->rows; i++) {
    Lambda[i] = 0.0;
    if (gamma) {
      gamma[i] = d->c[i];
    }
  }
  return refuse(s, law,
                nsd_fault_set(&s->fault, NSDYN_CANCELLED, NSDYN_DETAIL_NONE, -1, "%s",
                              nsdyn_status_text(NSDYN_CANCELLED)));
}

nsdyn_status nsdyn_contact_impact(nsdyn_contact *solver, int32_t law, const nsdyn_contact_problem *problem,
                                  double *Lambda, double *gamma)
{
  /* Check the call and its data. */
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (solver->busy) {
    return NSDYN_ERR_BUSY;
  }
  if (law < NSDYN_IMPACT_NEWTON || law > NSDYN_IMPACT_POISSON) {
    return refuse_argument(solver, law, 1, "law is not one of nsdyn_impact_law");
  }
  nsdyn_contact_problem p;
  nsd_poll poll = nsd_poll_of(solver->ctx, "checking a contact problem");
  solver->busy = 1;
  nsdyn_status status = nsd_contact_check(&p, problem, NULL, &solver->fault, &poll);
  solver->busy = 0;
  status = status ? status : nsd_contact_check_matrix(&p, "an impact", &solver->fault);
  status = status ? status : check_slip(solver, &p);
  if (status) {
    return refuse(solver, law, status);
  }
  /* The caller's arrays are read in place; laws and coefficients are copied. */
  nsd_contact_data data = nsd_contact_data_of(&p);
  if (data.rows > 0 && !Lambda) {
    return refuse_argument(solver, law, 3, "Lambda is NULL");
  }
  status = take_problem(solver, &p, &data);
  if (status) {
    return refuse(solver, law, status);
  }
  if (poll.is_cancelled) {
    return cancel(solver, law, &data, Lambda, gamma);
  }
  /* Compression, and under Poisson's law expansion: contact/impact/impact.c. */
  status = nsd_contact_impact_data(solver, law, &data, solver->impact.restitution, NULL, NULL);
  return hand_over(solver, law, status, Lambda, gamma);
}

nsdyn_status nsdyn_contact_impact_report(const nsdyn_contact *solver, nsdyn_impact_report *report)
{
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  return nsd_sized_write(report, NSD_IMPACT_REPORT_LEAST, &solver->impact.report,
                         sizeof solver->impact.report);
}

nsdyn_status nsdyn_contact_impact_half(const nsdyn_contact *solver, int32_t kind, nsdyn_impact_half *half)
{
  if (!solver || kind < NSDYN_IMPACT_COMPRESSION || kind > NSDYN_IMPACT_EXPANSION) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_impact_half own = {.size = sizeof own, .worst_row = -1};
  if (solver->impact.rows > 0) {
    const nsd_impact_half *h = &solver->impact.half[kind];
    own.rows = solver->impact.rows;
    own.contacts = solver->impact.contacts;
    own.Lambda = h->Lambda;
    own.gamma = h->gamma;
    own.modes = own.contacts > 0 ? h->modes : NULL;
    own.energy = h->energy;
    own.residual = h->residual;
    own.scale = h->scale;
    own.worst_row = h->row;
    own.lcp_size = h->lcp_size;
    own.directions = own.contacts > 0 && solver->is_spatial ? h->directions : NULL;
  }
  return nsd_sized_write(half, NSD_IMPACT_HALF_LEAST, &own, sizeof own);
}
