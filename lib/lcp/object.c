/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/object.h"

#include "base/check_options.h"
#include "base/dense.h"
#include "lcp/sparse/solver.h"

nsdyn_status nsdyn_lcp_options_init(nsdyn_lcp_options *options, size_t size)
{
  const nsdyn_lcp_options defaults = {.size = sizeof defaults,
                                      .method = NSDYN_LCP_AUTOMATIC,
                                      .warm_start = 0,
                                      .max_iterations = -1,
                                      .max_nodes = -1,
                                      .automatic_enumerate_up_to = 64,
                                      .marquardt_restarts = 5,
                                      .tol = 1e-9,
                                      .pivot_tol = 1e-11,
                                      .sweep_relaxation = 1.0,
                                      .newton_fb_lambda = 1.0,
                                      .marquardt_lambda = 1.0,
                                      .lemke_cover = NULL};
  return nsd_sized_init(options, size, NSD_LCP_OPTIONS_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_lcp_solve_report_init(nsdyn_lcp_solve_report *report, size_t size)
{
  return nsd_sized_init(report, size, NSD_LCP_SOLVE_REPORT_LEAST, NULL, sizeof *report);
}

nsdyn_status nsdyn_lcp_census_init(nsdyn_lcp_census *census, size_t size)
{
  return nsd_sized_init(census, size, NSD_LCP_CENSUS_LEAST, NULL, sizeof *census);
}

nsdyn_status nsdyn_lcp_classes_init(nsdyn_lcp_classes *classes, size_t size)
{
  return nsd_sized_init(classes, size, NSD_LCP_CLASSES_LEAST, NULL, sizeof *classes);
}

static nsdyn_status check_options(const nsdyn_lcp_options *o, nsd_fault *fault)
{
#define REFUSE(field, range) NSD_OPTIONS_REFUSE(nsdyn_lcp_options, o, field, range, fault)
  /* Comparisons are written so that NaN fails them. */
  if (o->method < NSDYN_LCP_AUTOMATIC || o->method > NSDYN_LCP_MARQUARDT_PROJECTED) {
    return REFUSE(method, "one of nsdyn_lcp_method");
  }
  if (!nsd_options_is_flag(o->warm_start)) {
    return REFUSE(warm_start, "0 or 1");
  }
  if (!(o->tol >= 0.0 && o->tol < 1.0)) {
    return REFUSE(tol, "in [0, 1)");
  }
  if (!(o->pivot_tol >= 0.0 && o->pivot_tol < 1.0)) {
    return REFUSE(pivot_tol, "in [0, 1)");
  }
  if (!(o->sweep_relaxation > 0.0 && o->sweep_relaxation < 2.0)) {
    return REFUSE(sweep_relaxation, "in (0, 2)");
  }
  if (!(o->newton_fb_lambda > 0.0 && o->newton_fb_lambda <= 1.0)) {
    return REFUSE(newton_fb_lambda, "in (0, 1]");
  }
  if (!(o->marquardt_lambda > 0.0 && o->marquardt_lambda <= 1.0)) {
    return REFUSE(marquardt_lambda, "in (0, 1]");
  }
  if (o->marquardt_restarts < 0 || o->marquardt_restarts > 1000) {
    return REFUSE(marquardt_restarts, "in [0, 1000]");
  }
#undef REFUSE
  return NSDYN_OK;
}

static nsdyn_status read_options(nsdyn_lcp_options *own, const nsdyn_lcp_options *given, nsd_fault *fault)
{
  const nsdyn_status status = NSD_SIZED_READ(nsdyn_lcp_options, own, NSD_LCP_OPTIONS_LEAST, given, fault);
  return status ? status : check_options(own, fault);
}

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_lcp_options *options, nsdyn_lcp **out,
                         nsd_fault *fault)
{
  nsdyn_lcp_options own;
  const nsdyn_status status = read_options(&own, options, fault);
  if (status) {
    return status;
  }
  nsdyn_lcp *lcp = nsd_allocate(ctx, 1, sizeof *lcp);
  if (!lcp) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_lcp_new: out of memory");
  }
  /* −1: nothing laid out, no order of pivots. */
  const nsdyn_lcp empty = {.ctx = nsd_context_hold(ctx),
                           .options = own,
                           .kept = nsd_arena_empty(ctx),
                           .scratch = nsd_arena_empty(ctx),
                           .search_arena = nsd_arena_empty(ctx),
                           .search_n = -1,
                           .search_room = -1,
                           .quick_n = -1,
                           .boxes_n = -1,
                           .reserved_n = -1,
                           .active = -1,
                           .order = {.m = -1}};
  *lcp = empty;
  /* The fault and the report say "nothing yet". */
  nsd_fault_clear(&lcp->fault);
  nsd_enumerate_init(&lcp->search, lcp->ctx);
  nsdyn_lcp_solve_report_init(&lcp->report, sizeof lcp->report);
  lcp->report.worst_row = -1;
  *out = lcp;
  return NSDYN_OK;
}

nsdyn_status nsdyn_lcp_new(nsdyn_context *ctx, const nsdyn_lcp_options *options, nsdyn_lcp **out,
                           nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_lcp_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, options, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

void nsdyn_lcp_free(nsdyn_lcp *lcp)
{
  if (!lcp) {
    return;
  }
  /* The context goes last: it has the allocator. */
  nsdyn_context *ctx = lcp->ctx;
  nsd_arena_release(&lcp->kept);
  nsd_arena_release(&lcp->scratch);
  nsd_arena_release(&lcp->search_arena);
  nsd_enumerate_release(&lcp->search);
  nsd_sparse_solver_free(lcp->sparse);
  nsd_release(ctx, lcp, 1, sizeof *lcp);
  nsd_context_drop(ctx);
}

nsdyn_status nsdyn_lcp_set_options(nsdyn_lcp *lcp, const nsdyn_lcp_options *options)
{
  nsdyn_status status = lcp ? nsd_fault_begin(&lcp->fault, lcp->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  nsdyn_lcp_options own;
  status = read_options(&own, options, &lcp->fault);
  if (status == NSDYN_OK) {
    lcp->options = own;
    nsd_lcp_forget_layout(lcp); /* other methods need other memory */
  }
  return status;
}

const char *nsdyn_lcp_message(const nsdyn_lcp *lcp)
{
  return lcp ? lcp->fault.message : "";
}

nsdyn_status nsdyn_lcp_detail(const nsdyn_lcp *lcp, nsdyn_detail *detail)
{
  return lcp ? nsd_fault_detail(&lcp->fault, detail) : NSDYN_ERR_ARGUMENT;
}

nsdyn_status nsdyn_lcp_report(const nsdyn_lcp *lcp, nsdyn_lcp_solve_report *report)
{
  if (!lcp) {
    return NSDYN_ERR_ARGUMENT;
  }
  /* The residual of a quick answer is worked out here. */
  const nsdyn_lcp_solve_report own = nsd_lcp_report_of(lcp);
  return nsd_sized_write(report, NSD_LCP_SOLVE_REPORT_LEAST, &own, sizeof own);
}

const int32_t *nsdyn_lcp_basis(const nsdyn_lcp *lcp, int32_t *n)
{
  const int length = lcp ? lcp->basis_n : 0;
  if (n) {
    *n = length;
  }
  return length ? lcp->basis : NULL;
}

const double *nsdyn_lcp_ray(const nsdyn_lcp *lcp, int32_t *n)
{
  const int length = lcp ? lcp->ray_n : 0;
  if (n) {
    *n = length;
  }
  return length ? lcp->ray : NULL;
}

nsdyn_status nsdyn_lcp_set_basis(nsdyn_lcp *lcp, int32_t n, const int32_t *basis)
{
  nsdyn_status status = lcp ? nsd_fault_begin(&lcp->fault, lcp->busy) : NSDYN_ERR_ARGUMENT;
  if (status) {
    return status;
  }
  if (n < 0 || (n > 0 && !basis)) {
    return nsd_fault_set(&lcp->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, n < 0 ? 1 : 2,
                         n < 0 ? "n is %d; it must not be negative" : "basis is NULL, n is %d", n);
  }
  for (int i = 0; i < n; i++) {
    if (basis[i] < NSDYN_LCP_AT_LO || basis[i] > NSDYN_LCP_AT_HI) {
      return nsd_fault_set(&lcp->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ROW, i,
                           "basis: element %d is %d, which is no nsdyn_lcp_place", i, (int)basis[i]);
    }
  }
  status = nsd_lcp_reserve_kept(lcp, n);
  if (status) {
    return nsd_fault_set(&lcp->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for a basis of %d unknowns",
                         n);
  }
  for (int i = 0; i < n; i++) {
    lcp->basis[i] = basis[i];
  }
  lcp->basis_n = n;
  lcp->order.m = -1;
  return NSDYN_OK;
}
