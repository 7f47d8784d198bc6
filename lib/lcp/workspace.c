/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/exchange.h"
#include "lcp/methods.h"
#include "lcp/solve/block_small.h"

/* Whether a solve by `chosen` may come to run `work`: its own, all methods under `automatic`, and in any case
 * the last solve of a basis, the proof, and of mixed problems the judge without free unknowns. */
static int needs(int32_t chosen, int mixed, int32_t work)
{
  if (work == NSD_LCP_REDUCED) {
    return mixed;
  }
  if (work != NSD_LCP_BASIS && work < nsd_lcp_method_count && !nsd_lcp_methods[work].lay_out) {
    return 0; /* it has memory of its own */
  }
  return chosen == work || chosen == NSDYN_LCP_AUTOMATIC || work == NSD_LCP_BASIS || work == NSD_LCP_PROOF;
}

/* What every solve has. `plain_n` is the size of the plain form: n, or up to 2n for mixed problems. */
static void lay_out_common(nsd_arena *arena, nsdyn_lcp *lcp, int n, int mixed)
{
  /* Arrays that are read by whole vectors are rounded up to such. */
  nsd_scale_lay_out(arena, &lcp->scale, n);
  lcp->scale.poll = &lcp->poll;
  const size_t size = (size_t)n;
  const size_t plain = mixed ? 2 * size : size;
  const size_t padded = (size_t)nsd_tableau_ld(n);
  lcp->x = nsd_arena_take(arena, padded, sizeof *lcp->x);
  lcp->work = nsd_arena_take(arena, padded, sizeof *lcp->work);
  lcp->best_x = nsd_arena_take(arena, padded, sizeof *lcp->best_x); /* it changes places with x */
  lcp->y_work = nsd_arena_take(arena, padded, sizeof *lcp->y_work);
  lcp->attempt_basis = nsd_arena_take(arena, padded, sizeof *lcp->attempt_basis);
  lcp->start = nsd_arena_take(arena, padded, sizeof *lcp->start);
  lcp->attempt_ray = nsd_arena_take(arena, plain, sizeof *lcp->attempt_ray);
  /* The plain form of a plain problem is itself. */
  lcp->plain_x = lcp->x;
  lcp->plain_basis = lcp->attempt_basis;
  if (mixed) {
    lcp->plain_x = nsd_arena_take(arena, plain, sizeof *lcp->plain_x);
    lcp->plain_basis = nsd_arena_take(arena, plain, sizeof *lcp->plain_basis);
    nsd_plain_form_lay_out(arena, &lcp->normal, n);
    nsd_scale_lay_out_units(arena, &lcp->plain_scale, 2 * n);
    lcp->plain_scale.poll = &lcp->poll;
    lcp->plain_cover = nsd_arena_take(arena, plain, sizeof *lcp->plain_cover);
    lcp->normal.poll = &lcp->poll;
  }
}

/* Of a method, or of what all solves may need beside it. */
static void lay_out_workspace(nsd_arena *arena, nsd_lcp_workspaces *w, int32_t work, int n)
{
  if (work == NSD_LCP_BASIS) {
    nsd_basis_lay_out(arena, &w->basis, n);
  } else if (work == NSD_LCP_PROOF) {
    nsd_farkas_lay_out(arena, &w->proof, n);
  } else if (work == NSD_LCP_REDUCED) {
    nsd_reduced_lay_out(arena, &w->reduced, n);
  } else {
    nsd_lcp_methods[work].lay_out(arena, (char *)w + nsd_lcp_methods[work].workspace, n);
  }
}

/* Bytes of everything a solve by `chosen` may lay out; SIZE_MAX where they cannot be counted. */
static nsd_arena measure_all(int n, int mixed, int32_t chosen, size_t *shared_from)
{
  /* The first of two passes: nothing is taken, only counted (base/arena.h). */
  nsdyn_lcp none;
  nsd_arena common = nsd_arena_measure();
  lay_out_common(&common, &none, n, mixed);
  *shared_from = common.used;
  nsd_arena all = common;
  /* Workspaces begin at the same place behind what is common: the largest counts. Some methods
   * see the plain form, of up to 2n unknowns. */
  for (int32_t method = NSD_LCP_BASIS; method <= NSD_LCP_REDUCED; method++) {
    if (!needs(chosen, mixed, method)) {
      continue;
    }
    nsd_arena own = common;
    const int is_plain =
        method != NSD_LCP_BASIS && method < nsd_lcp_method_count && nsd_lcp_methods[method].has_plain_form;
    lay_out_workspace(&own, &none.w, method, mixed && is_plain ? 2 * n : n);
    all.used = own.used > all.used ? own.used : all.used;
  }
  return all;
}

nsdyn_status nsd_lcp_reserve_kept(nsdyn_lcp *lcp, int n)
{
  if (n <= lcp->kept_n) {
    return NSDYN_OK;
  }
  const size_t size = (size_t)n;
  /* A new arena, so that nothing is lost if there is no memory. */
  const size_t padded = (size_t)nsd_tableau_ld(n);
  nsd_arena grown = nsd_arena_empty(lcp->ctx);
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->basis);
  (void)nsd_arena_take(&measure, 2 * size, sizeof *lcp->ray);
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->violation);
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->row_scale);
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->order.rows);
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->order.columns);
  (void)nsd_arena_take(&measure, padded, sizeof *lcp->order.position);
  const nsdyn_status status = nsd_arena_reserve(&grown, &measure);
  if (status) {
    return status;
  }
  /* The residual is worked out while its rows are there: the arrays are not copied. */
  lcp->report = nsd_lcp_report_of(lcp);
  int32_t *basis = nsd_arena_take(&grown, padded, sizeof *basis);
  for (int i = 0; i < lcp->basis_n; i++) {
    basis[i] = lcp->basis[i];
  }
  nsd_arena_release(&lcp->kept);
  lcp->kept = grown;
  lcp->kept_n = n;
  lcp->basis = basis;
  lcp->ray = nsd_arena_take(&lcp->kept, 2 * size, sizeof *lcp->ray);
  lcp->violation = nsd_arena_take(&lcp->kept, padded, sizeof *lcp->violation);
  lcp->row_scale = nsd_arena_take(&lcp->kept, padded, sizeof *lcp->row_scale);
  lcp->order.rows = nsd_arena_take(&lcp->kept, padded, sizeof *lcp->order.rows);
  lcp->order.columns = nsd_arena_take(&lcp->kept, padded, sizeof *lcp->order.columns);
  lcp->order.position = nsd_arena_take(&lcp->kept, padded, sizeof *lcp->order.position);
  lcp->order.m = -1;
  lcp->ray_n = 0;
  return NSDYN_OK;
}

nsdyn_status nsd_lcp_reserve_search(nsdyn_lcp *lcp, int n, int judged)
{
  if (lcp->search_n == n && lcp->search_judged == judged) {
    return NSDYN_OK;
  }
  nsd_enumerate none = lcp->search;
  nsd_arena measure = nsd_arena_measure();
  nsd_enumerate_lay_out(&measure, &none, n, judged);
  const nsdyn_status status = nsd_arena_reserve(&lcp->search_arena, &measure);
  if (status == NSDYN_OK) {
    nsd_enumerate_lay_out(&lcp->search_arena, &lcp->search, n, judged);
    lcp->search_n = n;
    lcp->search_judged = judged;
    lcp->search_room = n > lcp->search_room ? n : lcp->search_room;
  }
  return status;
}

/* Whether memory for a search through the bases is wanted ahead. Where `automatic` may search through many
 * unknowns, it hardly ever does, and the memory comes when it does. */
static int wants_search(const nsdyn_lcp *lcp, int n, int searched)
{
  return lcp->options.method == NSDYN_LCP_ENUMERATIVE ||
         (lcp->options.method == NSDYN_LCP_AUTOMATIC && n <= lcp->options.automatic_enumerate_up_to &&
          searched <= NSD_ENUMERATE_AT_ONCE);
}

void nsd_lcp_forget_layout(nsdyn_lcp *lcp)
{
  lcp->reserved_n = -1;
  lcp->quick_n = -1;
  lcp->boxes_n = -1;
  lcp->active = -1;
}

/* Whether the first run may come before all checks. */
static int is_quick(const nsdyn_lcp *lcp, int n, int mixed)
{
  const int32_t method = lcp->options.method;
  return n > 0 && !mixed && !lcp->options.lemke_cover &&
         (method == NSDYN_LCP_AUTOMATIC || method == NSDYN_LCP_LEMKE);
}

static int is_quick_in_boxes(const nsdyn_lcp *lcp, int n, int mixed)
{
  return n > 0 && n <= NSD_BLOCK_SMALL && mixed && !lcp->options.lemke_cover &&
         lcp->options.method == NSDYN_LCP_AUTOMATIC;
}

nsdyn_status nsd_lcp_reserve(nsdyn_lcp *lcp, int n, int mixed)
{
  nsdyn_status status = nsd_lcp_reserve_kept(lcp, n);
  if (status) {
    return status;
  }
  const int32_t chosen = lcp->options.method;
  /* The layout depends on n, on bounds and on the methods that may run. */
  if (n != lcp->reserved_n || mixed != lcp->reserved_mixed || chosen != lcp->reserved_methods) {
    size_t shared_from;
    const nsd_arena measure = measure_all(n, mixed, chosen, &shared_from);
    nsd_lcp_forget_layout(lcp);
    status = nsd_arena_reserve(&lcp->scratch, &measure);
    if (status) {
      return status;
    }
    lay_out_common(&lcp->scratch, lcp, n, mixed);
    lcp->shared_from = shared_from;
    lcp->reserved_n = n;
    lcp->quick_n = is_quick(lcp, n, mixed) ? n : -1;
    lcp->boxes_n = is_quick_in_boxes(lcp, n, mixed) ? n : -1;
    lcp->reserved_mixed = mixed;
    lcp->reserved_methods = chosen;
  }
  /* A search in the plain form, of up to 2n unknowns. */
  const int searched = mixed ? 2 * n : n;
  const int wanted = wants_search(lcp, n, searched) && lcp->search_room < searched;
  return wanted ? nsd_lcp_reserve_search(lcp, searched, searched) : NSDYN_OK;
}

void nsd_lcp_lay_out_work(nsdyn_lcp *lcp, int32_t method, int n)
{
  /* Behind what is common: overwrites the workspace that was there. */
  lcp->scratch.used = lcp->shared_from;
  lay_out_workspace(&lcp->scratch, &lcp->w, method, n);
  lcp->w.murty.ctx = lcp->ctx;
  lcp->w.block.ctx = lcp->ctx;
  nsd_poll *poll = &lcp->poll;
  nsd_lcp_equations_ask(&lcp->w.newton.equations, poll);
  nsd_lcp_marquardt_ask(&lcp->w.marquardt, poll);
  lcp->w.sweep.poll = lcp->w.sweep.basis.poll = poll;
  lcp->w.block.basis.poll = lcp->w.block.factor.poll = poll;
  lcp->w.principal.poll = lcp->w.principal.basis.poll = lcp->w.principal.factor.poll = poll;
  lcp->w.murty.basis.poll = lcp->w.basis.poll = lcp->w.reduced.poll = poll;
  lcp->w.proof.poll = lcp->w.proof.enclosure.poll = poll;
  lcp->active = method;
  lcp->active_n = n;
}
