/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The problem as all solvers see it, and what every solver hands back.
 *
 * The files of this folder:
 *
 *   object.c                      the public object: options, report, basis
 *   api.c                         the public calls: checks on the way in, the judged answer on the way
 *                                 out; all solutions, classes, texts
 *   workspace.c                   its memory
 *   solve/quick.c                 the first run on a plain problem or a few boxes, before anything is
 *                                 checked
 *   attempt.c                     one try with one method: run, judge, polish, keep
 *   methods.c                     the table of methods: names, bounds, workspaces, runs
 *   automatic_plan.h automatic.c  which method when, and what next: a table, and who goes through it
 *   messages.c                    what became of an attempt, in words
 *   proof/certificate.c           judges an x; shares no code with the solvers
 *   proof/reduced_certificate.c   the same without free unknowns, for rows of rounding
 *   proof/farkas.c                proves that there is no solution
 *   proof/farkas_equations.c      its equations: exact numbers near rounded ones
 *   solve/basis.c                 x from a basis: one factorization of the basic block
 *   solve/polish.c                that basis solved once more, with refinement
 *   solve/first_basis.c           a first basis, by a few sweeps
 *   solve/block_small.c           problems of up to four unknowns
 *   solve/ldl_update.c            a Cholesky factorization that follows the basis
 *   solve/scale.c                 units in which the numbers are of like size
 *   matrix/symmetry.c             is A symmetric?
 *   solve/plain_form.c            bounds and free variables become a plain LCP, and back
 *   solve/lemke.c solve/murty.c solve/principal.c solve/block.c solve/sweep.c
 *                                       the solvers that go from basis to basis, or sweep
 *   solve/semismooth/equations.c             the problem as a system of equations, for
 *   solve/semismooth/newton.c                Newton's methods
 *   solve/semismooth/marquardt.c             and those of Levenberg and Marquardt
 *   sparse/api.c sparse/check.c              large sparse problems: the public calls, what they check,
 *   sparse/automatic.c sparse/certificate.c  which method when, and the judge
 *   sparse/active_set.c sparse/coarse_levels.c sparse/tridiagonal.c sparse/sweep.c sparse/newton.c
 *                                       their solvers
 *   sparse/damped.c sparse/damped_path.c sparse/damped_factors.c
 *                                       complementary paths through problems of ever less damping
 *   sparse/from_dense.c       dense problems that are full of zeros, sent there
 *   enumerate/enumerate.c     all solutions: hands the unknowns and their pairs to lib/search
 *   enumerate/refine.c        the digits of vertices and rays
 *   enumerate/branch_proof.c  exact proofs for a mixed problem
 *   matrix/classes.c          which classes a matrix belongs to
 *   text.c                    problems as text
 *
 * A solver has a workspace struct, a `lay_out` function that carves it from an arena (run twice:
 * base/arena.h) and a `solve` function that allocates nothing; both get it as void *, so that all solvers
 * look the same to the table of methods. `solve` returns NSDYN_OK where it thinks that it has a solution;
 * the certificate judges that. */
#ifndef NSD_LCP_PROBLEM_H
#define NSD_LCP_PROBLEM_H

#include <math.h>

#include "nsdyn/lcp.h"

/* Called for each piece of the solutions; anything but 0 stops the enumeration. */
typedef int nsd_lcp_visit(void *user, const nsdyn_lcp_piece *piece);

/* Whether A is symmetric, where that is known. */
enum { NSD_SYMMETRY_OPEN, NSD_SYMMETRIC, NSD_ASYMMETRIC };

/* Finite data (checked by the object), lo <= hi; lo or hi NULL: all zero, all infinite. */
typedef struct nsd_lcp_problem {
  int n;
  int lda;
  const double *A; /* n × n, row-major */
  const double *b; /* n */
  const double *lo;
  const double *hi;
  int symmetry;
} nsd_lcp_problem;

static inline const double *nsd_lcp_row(const nsd_lcp_problem *p, int i)
{
  return p->A + (size_t)i * (size_t)p->lda;
}

static inline double nsd_lcp_lo(const nsd_lcp_problem *p, int i)
{
  return p->lo ? p->lo[i] : 0.0;
}

static inline double nsd_lcp_hi(const nsd_lcp_problem *p, int i)
{
  return p->hi ? p->hi[i] : INFINITY;
}

/* s_i = |b_i| + Σ_j |A_ij x_j|, for solvers that ask whether a sign is more than rounding. (The certificate
 * has its own.) */
static inline double nsd_lcp_row_scale(const nsd_lcp_problem *p, int i, const double *x)
{
  const double *a = nsd_lcp_row(p, i);
  double scale = fabs(p->b[i]);
  for (int j = 0; j < p->n; j++) {
    scale += fabs(a[j] * x[j]);
  }
  return scale;
}

/* Whether every lo is 0 and every hi infinite. */
int nsd_lcp_is_plain(const nsd_lcp_problem *p);

/* Exchanges or rounds of so many operations each, between two questions to the context's progress: about a
 * millisecond. Ordinary problems end before the first. */
static inline int nsd_lcp_poll_interval(double operations)
{
  return 1 + (int)(2e6 / (1.0 + operations));
}

/* What a solver hands back beside its status. x and basis are filled on NSDYN_OK, and with the best
 * found on NSDYN_MAX_ITERATIONS, NSDYN_UNDECIDED and NSDYN_NO_SOLUTION. */
typedef struct nsd_lcp_answer {
  double *x;      /* n */
  int32_t *basis; /* n, nsdyn_lcp_place */
  double *ray;    /* n; filled where has_ray */
  int has_ray;
  int is_exact; /* x stands for a solution in exact arithmetic: one, however small b is beside A x */
  int iterations;
  int refused_row;     /* with NSDYN_ERR_UNSUPPORTED: the row that is the reason, −1 if none is */
  const char *refused; /* and the reason, continuing "row 5: …" or "A: …" */
} nsd_lcp_answer;

#endif
