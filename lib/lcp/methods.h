/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The methods, one line each in methods.c. A new one is a pair of files, its enumerator in nsdyn/lcp.h, and a
 * line here; nothing else in the library asks which method it has before it. */
#ifndef NSD_LCP_METHODS_H
#define NSD_LCP_METHODS_H

#include "lcp/object.h"

typedef struct nsd_lcp_method {
  const char *name;   /* in messages */
  int takes_bounds;   /* 1: lo <= x <= hi as they stand; 0: mixed problems are refused */
  int has_plain_form; /* 1: it solves mixed problems in their plain form, of up to 2n unknowns
                       * (lcp/solve/plain_form.h)
                       */
  size_t workspace;   /* where it stands in nsd_lcp_workspaces */
  /* Lays out its workspace for n unknowns, of the plain form where it has one; NULL: it has memory of its
   * own. */
  void (*lay_out)(nsd_arena *arena, void *workspace, int n);
  /* The solver itself, from the basis `start` or NULL; NULL where `run` knows what it needs beyond that.
   * NSDYN_OK where it thinks that it has a solution: others judge. */
  nsdyn_status (*solve)(void *workspace, const nsd_lcp_problem *p, const nsdyn_lcp_options *options,
                        const int32_t *start, nsd_lcp_answer *answer);
  /* Runs it within the limits of the plan: nsd_lcp_run_solver, or what brings the problem into its form
   * first. */
  nsdyn_status (*run)(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                      nsd_lcp_answer *answer);
} nsd_lcp_method;

/* By nsdyn_lcp_method; the first, automatic, has a name only: it is a plan of the others (automatic.c). */
extern const nsd_lcp_method nsd_lcp_methods[];

/* How many there are, with automatic. */
extern const int nsd_lcp_method_count;

#endif
