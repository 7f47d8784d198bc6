/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/methods.h"

/* The method's own options: the caller's, with the plan's method and limit. */
static nsdyn_lcp_options options_of(const nsdyn_lcp *lcp, const nsd_lcp_plan *plan)
{
  nsdyn_lcp_options options = lcp->options;
  options.method = plan->method;
  options.max_iterations = plan->max_iterations;
  return options;
}

static void lay_out_lemke(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_lemke_lay_out(arena, &w->lemke, n);
}

static void lay_out_murty(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_murty_lay_out(arena, &w->murty, n);
}

static nsdyn_status solve_murty(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  nsd_lcp_activate(lcp, plan->method, p->n);
  return nsd_murty_solve(&lcp->w.murty, p, &options, plan->start, answer);
}

static void lay_out_principal(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_principal_lay_out(arena, &w->principal, n);
}

static nsdyn_status solve_principal(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                    nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  nsd_lcp_activate(lcp, plan->method, p->n);
  return nsd_principal_solve(&lcp->w.principal, p, &options, plan->start, answer);
}

static void lay_out_block(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_block_lay_out(arena, &w->block, n);
}

static nsdyn_status solve_block(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  nsd_lcp_activate(lcp, plan->method, p->n);
  return nsd_block_solve(&lcp->w.block, p, &options, plan->start, plan->symmetric, answer);
}

static void lay_out_sweep(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_sweep_lay_out(arena, &w->sweep, n);
}

static nsdyn_status solve_sweep(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  nsd_lcp_activate(lcp, plan->method, p->n);
  return nsd_sweep_solve(&lcp->w.sweep, p, &options, plan->start, answer);
}

static void lay_out_newton(nsd_arena *arena, nsd_lcp_workspaces *w, int n)
{
  nsd_newton_lay_out(arena, &w->newton, n);
}

/* On the minimum map or on Fischer–Burmeister, as plan->method says. */
static nsdyn_status solve_newton(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                 nsd_lcp_answer *answer)
{
  const nsdyn_lcp_options options = options_of(lcp, plan);
  nsd_lcp_activate(lcp, plan->method, p->n);
  return nsd_newton_solve(&lcp->w.newton, p, &options, plan->start, answer);
}

const nsd_lcp_method nsd_lcp_methods[] = {
    [NSDYN_LCP_AUTOMATIC] = {"automatic", 1, 0, NULL, NULL},
    [NSDYN_LCP_LEMKE] = {"Lemke's method", 1, 1, lay_out_lemke, nsd_lcp_run_lemke},
    [NSDYN_LCP_MURTY] = {"Murty's method", 0, 0, lay_out_murty, solve_murty},
    [NSDYN_LCP_PRINCIPAL] = {"principal pivoting", 1, 0, lay_out_principal, solve_principal},
    [NSDYN_LCP_BLOCK] = {"block principal pivoting", 1, 0, lay_out_block, solve_block},
    [NSDYN_LCP_ENUMERATIVE] = {"enumeration", 1, 1, NULL, nsd_lcp_run_enumerative},
    [NSDYN_LCP_SWEEP] = {"projected Gauss-Seidel", 1, 0, lay_out_sweep, solve_sweep},
    [NSDYN_LCP_NEWTON_MIN] = {"Newton on the minimum map", 1, 0, lay_out_newton, solve_newton},
    [NSDYN_LCP_NEWTON_FB] = {"Newton on Fischer-Burmeister", 1, 0, lay_out_newton, solve_newton},
};

const int nsd_lcp_method_count = (int)(sizeof nsd_lcp_methods / sizeof *nsd_lcp_methods);
