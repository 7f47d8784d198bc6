/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/marquardt.h"

#include <string.h>

#include "base/dense.h"

#define DEFAULT_LIMIT 1000

void nsd_lcp_marquardt_lay_out(nsd_arena *arena, void *workspace, int n)
{
  nsd_lcp_marquardt *w = workspace;
  nsd_lcp_equations_lay_out(arena, &w->equations, n);
  nsd_marquardt_lay_out(arena, &w->engine, n);
  w->z = nsd_arena_take(arena, (size_t)n, sizeof *w->z);
}

void nsd_lcp_marquardt_ask(nsd_lcp_marquardt *w, nsd_poll *poll)
{
  nsd_lcp_equations_ask(&w->equations, poll);
}

/* What the engine asks for: φ = ψ, */
static void residual(void *user, const double *z, double *phi)
{
  nsd_lcp_equations *e = user;
  (void)nsd_lcp_equations_at(e, z);
  memcpy(phi, e->value, (size_t)e->p.n * sizeof *phi);
}

/* its Jacobian where ψ was asked last, */
static void jacobian(void *user, const double *z, double *J)
{
  (void)z;
  nsd_lcp_equations_jacobian(user, J);
}

/* and whether to stop: ψ < ε of the paper is the certificate here. */
static int is_solved(void *user, const double *z, const double *phi)
{
  nsd_lcp_equations *e = user;
  const double norm = nsd_norm_2(e->p.n, phi);
  return nsd_lcp_equations_judge(e, z, 0.5 * norm * norm);
}

/* Where a run begins: the point of the caller's basis or the projection of zero, then ever farther out, and
 * no two unknowns alike: from there runs come back along other sides of the kinks. (Of 10000 P-matrices the
 * regular method leaves 87, that way; 139 from ones, thirties, and numbers spread between zero and 2^k.) */
static void place_start(nsd_lcp_marquardt *w, const int32_t *start, int number)
{
  const int farthest = 100;
  const int run = number < farthest ? number : farthest;
  for (int i = 0; i < w->equations.p.n; i++) {
    const double turns = 0.6180339887498949 * number * (i + 1); /* the golden section spreads evenly */
    w->z[i] = number == 0 ? 0.0 : ldexp(1.0 + turns - floor(turns), 3 * run);
  }
  nsd_lcp_equations_start(&w->equations, number == 0 ? start : NULL, w->z);
}

nsdyn_status nsd_lcp_marquardt_solve(void *workspace, const nsd_lcp_problem *p,
                                     const nsdyn_lcp_options *options, const int32_t *start,
                                     nsd_lcp_answer *answer)
{
  nsd_lcp_marquardt *w = workspace;
  nsd_lcp_equations *e = &w->equations;
  nsd_poll *poll = e->poll;
  const int limit = options->max_iterations < 0 ? DEFAULT_LIMIT : options->max_iterations;
  const nsd_marquardt_kind kind =
      options->method == NSDYN_LCP_MARQUARDT_REGULAR ? NSD_MARQUARDT_REGULAR : NSD_MARQUARDT_PROJECTED;
  answer->iterations = 0;
  answer->has_ray = 0;
  /* Stage 1. The problem as equations ψ = 0, in units of like size. */
  nsd_lcp_equations_begin(e, p, options->tol, options->marquardt_lambda, answer);
  if (nsd_poll_stops(poll, 0.0)) {
    return NSDYN_CANCELLED;
  }
  /* Stage 2. From the start downhill on ½ |ψ|² until a point has a certificate; where that stalls, in a
   * minimum that is no solution, again from farther out. */
  const nsd_equations equations = {
      .n = p->n, .user = e, .residual = residual, .jacobian = jacobian, .is_solved = is_solved};
  for (int number = 0; number <= options->marquardt_restarts && !nsd_lcp_equations_are_solved(e) &&
                       !nsd_poll_stops(poll, 0.0);
       number++) {
    place_start(w, start, number);
    (void)nsd_marquardt_solve(&w->engine, kind, &equations, limit - answer->iterations, w->z,
                              &answer->iterations, poll);
    if (answer->iterations >= limit) {
      break;
    }
  }
  /* Stage 3. All runs have stalled: the best point, for the caller to hand on. */
  return nsd_lcp_equations_are_solved(e) ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
