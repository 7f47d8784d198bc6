/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/methods.h"

#include "lcp/sparse/solver.h"

nsdyn_status nsd_lcp_run_solver(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                nsd_lcp_answer *answer)
{
  /* The caller's options, with the plan's method and limit. */
  nsdyn_lcp_options options = lcp->options;
  options.method = plan->method;
  options.max_iterations = plan->max_iterations;
  nsd_lcp_activate(lcp, plan->method, p->n);
  const nsd_lcp_method *method = &nsd_lcp_methods[plan->method];
  return method->solve((char *)&lcp->w + method->workspace, p, &options, plan->start, answer);
}

#define WORKSPACE(name) offsetof(nsd_lcp_workspaces, name), nsd_##name##_lay_out
#define MARQUARDT                                                                                            \
  offsetof(nsd_lcp_workspaces, marquardt), nsd_lcp_marquardt_lay_out, nsd_lcp_marquardt_solve,               \
      nsd_lcp_run_solver
#define SOLVER(name) WORKSPACE(name), nsd_##name##_solve, nsd_lcp_run_solver

/* Name, whether it takes bounds, whether it has a plain form, and its workspace, its solver and its run. */
const nsd_lcp_method nsd_lcp_methods[] = {
    [NSDYN_LCP_AUTOMATIC] = {"automatic", 1, 0, 0, NULL, NULL, NULL},
    [NSDYN_LCP_LEMKE] = {"Lemke's method", 1, 1, WORKSPACE(lemke), NULL, nsd_lcp_run_lemke},
    [NSDYN_LCP_MURTY] = {"Murty's method", 0, 0, SOLVER(murty)},
    [NSDYN_LCP_PRINCIPAL] = {"principal pivoting", 1, 0, SOLVER(principal)},
    [NSDYN_LCP_BLOCK] = {"block principal pivoting", 1, 0, WORKSPACE(block), nsd_block_solve,
                         nsd_sparse_run_block},
    [NSDYN_LCP_ENUMERATIVE] = {"enumeration", 1, 1, 0, NULL, NULL, nsd_lcp_run_enumerative},
    [NSDYN_LCP_SWEEP] = {"projected Gauss-Seidel", 1, 0, SOLVER(sweep)},
    [NSDYN_LCP_NEWTON_MIN] = {"Newton on the minimum map", 1, 0, SOLVER(newton)},
    [NSDYN_LCP_NEWTON_FB] = {"Newton on Fischer-Burmeister", 1, 0, SOLVER(newton)},
    [NSDYN_LCP_MARQUARDT_REGULAR] = {"the regular Levenberg-Marquardt method", 1, 0, MARQUARDT},
    [NSDYN_LCP_MARQUARDT_PROJECTED] = {"the projected Levenberg-Marquardt method", 1, 0, MARQUARDT},
};

const int nsd_lcp_method_count = (int)(sizeof nsd_lcp_methods / sizeof *nsd_lcp_methods);
