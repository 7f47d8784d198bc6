/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/object.h"
#include "base/check_options.h"
#include "contact/door.h"

nsdyn_status nsdyn_contact_options_init(nsdyn_contact_options *options, size_t size)
{
  const nsdyn_contact_options defaults = {.size = sizeof defaults,
                                          .method = NSDYN_CONTACT_AUTOMATIC,
                                          .max_nodes = -1,
                                          .tol = 1e-9,
                                          .rounds_relaxation = 1.0};
  return nsd_sized_init(options, size, NSD_CONTACT_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_contact_solve_report_init(nsdyn_contact_solve_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_CONTACT_SOLVE_REPORT_LEAST, NULL, sizeof *report);
}

static nsdyn_status read_options(nsdyn_contact_options *own, const nsdyn_contact_options *given,
                                 nsd_fault *fault)
{
#define REFUSE(field, range) NSD_OPTIONS_REFUSE(nsdyn_contact_options, own, field, range, fault)
  const nsdyn_status status =
      NSD_SIZED_READ(nsdyn_contact_options, own, NSD_CONTACT_OPTIONS_LEAST, given, fault);
  if (status) {
    return status;
  }
  if (own->method < NSDYN_CONTACT_AUTOMATIC || own->method > NSDYN_CONTACT_TODOROV_PLM) {
    return REFUSE(method, "one of nsdyn_contact_method");
  }
  if (!nsd_options_is_flag(own->warm_start)) {
    return REFUSE(warm_start, "0 or 1");
  }
  if (own->lcp_method < NSDYN_LCP_AUTOMATIC || own->lcp_method > NSDYN_LCP_MARQUARDT_PROJECTED) {
    return REFUSE(lcp_method, "one of nsdyn_lcp_method");
  }
  if (!(own->tol >= 0.0 && own->tol < 1.0)) {
    return REFUSE(tol, "in [0, 1)");
  }
  if (!(own->rounds_relaxation > 0.0 && own->rounds_relaxation < 2.0)) {
    return REFUSE(rounds_relaxation, "in (0, 2)");
  }
#undef REFUSE
  return NSDYN_OK;
}

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_contact_options *options, nsdyn_contact **out,
                         nsd_fault *fault)
{
  nsdyn_contact_options own;
  const nsdyn_status status = read_options(&own, options, fault);
  if (status) {
    return status;
  }
  nsdyn_contact *s = nsd_allocate(ctx, 1, sizeof *s);
  if (!s) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_contact_new: out of memory");
  }
  /* −1: nothing laid out. */
  const nsdyn_contact empty = {.ctx = nsd_context_hold(ctx),
                               .options = own,
                               .kept = nsd_arena_empty(ctx),
                               .scratch = nsd_arena_empty(ctx),
                               .scratch_contacts = -1,
                               .scratch_rows = -1,
                               .many_room = nsd_arena_empty(ctx),
                               .many_contacts = -1,
                               .lcp_room = nsd_arena_empty(ctx),
                               .lcp_unknowns = -1,
                               .edge_room = nsd_arena_empty(ctx),
                               .average_room = nsd_arena_empty(ctx),
                               .several_room = nsd_arena_empty(ctx),
                               .two_room = nsd_arena_empty(ctx),
                               .constraints = nsd_constraints_empty(ctx),
                               .in_space = nsd_space_empty(ctx),
                               .impact = nsd_impact_empty(ctx)};
  *s = empty;
  s->answer.report = &s->report;
  s->answer.impact = &s->impact.report;
  s->answer.half = s->impact.half;
  nsd_census_init(&s->census, ctx);
  nsd_fault_clear(&s->fault);
  nsdyn_contact_solve_report_init(&s->report, sizeof s->report);
  s->report.worst_row = -1;
  *out = s;
  return NSDYN_OK;
}

nsdyn_status nsdyn_contact_new(nsdyn_context *ctx, const nsdyn_contact_options *options, nsdyn_contact **out,
                               nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_contact_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_contact_free(nsdyn_contact *solver)
{
  if (!solver) {
    return;
  }
  /* The context goes last: it has the allocator. */
  nsdyn_context *ctx = solver->ctx;
  nsdyn_lcp_free(solver->lcp);
  nsd_census_release(&solver->census);
  nsd_arena_release(&solver->kept);
  nsd_arena_release(&solver->scratch);
  nsd_arena_release(&solver->many_room);
  nsd_arena_release(&solver->lcp_room);
  nsd_arena_release(&solver->edge_room);
  nsd_arena_release(&solver->average_room);
  nsd_arena_release(&solver->several_room);
  nsd_arena_release(&solver->two_room);
  nsd_arena_release(&solver->impact.room);
  nsd_constraints_release(&solver->constraints);
  nsd_space_release(&solver->in_space);
  nsd_release(ctx, solver, 1, sizeof *solver);
  nsd_context_drop(ctx);
}

nsdyn_status nsdyn_contact_set_options(nsdyn_contact *solver, const nsdyn_contact_options *options)
{
  nsdyn_status status = solver ? nsd_fault_begin(&solver->fault, solver->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_contact_options own;
  status = read_options(&own, options, &solver->fault);
  if (status == NSDYN_OK) {
    solver->options = own;
  }
  return status;
}

const char *nsdyn_contact_message(const nsdyn_contact *solver)
{
  return solver ? solver->fault.message : "";
}

nsdyn_status nsdyn_contact_detail(const nsdyn_contact *solver, nsdyn_detail *detail)
{
  return solver ? nsd_fault_detail(&solver->fault, detail) : NSDYN_ERR_ARGUMENT;
}

nsdyn_status nsdyn_contact_report(const nsdyn_contact *solver, nsdyn_contact_solve_report *report)
{
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  return nsd_sized_write(report, NSD_CONTACT_SOLVE_REPORT_LEAST, &solver->report, sizeof solver->report);
}

const nsd_contact_answer *nsd_contact_answer_of(const nsdyn_contact *s)
{
  return &s->answer;
}

const int32_t *nsdyn_contact_modes(const nsdyn_contact *solver, int32_t *contacts)
{
  const int length = solver ? solver->modes_n : 0;
  if (contacts) {
    *contacts = length;
  }
  return length ? solver->modes : NULL;
}

const double *nsdyn_contact_directions(const nsdyn_contact *solver, int32_t *contacts)
{
  const int length = solver && solver->is_spatial ? solver->modes_n : 0;
  if (contacts) {
    *contacts = length;
  }
  return length ? solver->slip : NULL;
}

nsdyn_status nsdyn_contact_set_modes(nsdyn_contact *solver, int32_t contacts, const int32_t *modes)
{
  nsdyn_status status = solver ? nsd_fault_begin(&solver->fault, solver->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  if (contacts < 0 || (contacts > 0 && !modes)) {
    return nsd_fault_set(
        &solver->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, contacts < 0 ? 1 : 2,
        contacts < 0 ? "contacts is %d; it must not be negative" : "modes is NULL, contacts is %d", contacts);
  }
  /* States beyond the public modes are the solver's own (contact/planar/states.h). */
  for (int i = 0; i < contacts; i++) {
    if (modes[i] < NSDYN_MODE_OPEN || modes[i] > NSDYN_MODE_SLIP_MINUS) {
      return nsd_fault_set(&solver->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, i,
                           "contact %d: %d is no nsdyn_contact_mode", i, (int)modes[i]);
    }
  }
  status = nsd_contact_reserve_kept(solver, contacts);
  if (status) {
    return nsd_fault_set(&solver->fault, status, NSDYN_DETAIL_NONE, -1,
                         "no memory for the modes of %d contacts", contacts);
  }
  for (int i = 0; i < contacts; i++) {
    solver->states[i] = modes[i];
  }
  /* A warm start begins from them. */
  solver->states_n = contacts;
  return NSDYN_OK;
}

nsdyn_status nsd_contact_solve_finely(nsdyn_contact *s, const nsd_contact_data *d, double tol,
                                      const double *start, double *Lambda, double *xi)
{
  const double kept = s->options.tol;
  s->options.tol = tol;
  const nsdyn_status status = nsd_contact_solve_near(s, d, start, Lambda, xi);
  s->options.tol = kept;
  return status;
}

void nsd_contact_begin_near(nsdyn_contact *s, const double *Lambda)
{
  s->near = Lambda;
}
