/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The inside of an nsdyn_lcp: options, memory, the best answer so far. */
#ifndef NSD_LCP_OBJECT_H
#define NSD_LCP_OBJECT_H

#include "base/arena.h"
#include "base/poll.h"
#include "base/tolerances.h"
#include "lcp/enumerate/enumerate.h"
#include "lcp/matrix/classes.h"
#include "lcp/problem.h"
#include "lcp/proof/certificate.h"
#include "lcp/proof/farkas.h"
#include "lcp/proof/reduced_certificate.h"
#include "lcp/solve/block.h"
#include "lcp/solve/lemke.h"
#include "lcp/solve/murty.h"
#include "lcp/solve/plain_form.h"
#include "lcp/solve/polish.h"
#include "lcp/solve/principal.h"
#include "lcp/solve/scale.h"
#include "lcp/solve/semismooth/marquardt.h"
#include "lcp/solve/semismooth/newton.h"
#include "lcp/solve/sweep.h"

/* First release's sizes (base/sized.h). */
#define NSD_LCP_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_lcp_options, lemke_cover)
#define NSD_LCP_SOLVE_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_lcp_solve_report, violation)
#define NSD_LCP_CENSUS_LEAST NSD_SIZE_THROUGH(nsdyn_lcp_census, complete)
#define NSD_LCP_CLASSES_LEAST NSD_SIZE_THROUGH(nsdyn_lcp_classes, positive_diagonal)

/* Workspaces of the solvers. One runs at a time, so they share one piece of memory: `active` says whose it
 * is now. */
typedef struct nsd_lcp_workspaces {
  nsd_lemke lemke;
  nsd_murty murty;
  nsd_principal principal;
  nsd_block block;
  nsd_sweep sweep;
  nsd_newton newton;
  nsd_lcp_marquardt marquardt;
  nsd_basis basis;
  nsd_farkas proof;
  nsd_reduced reduced;
} nsd_lcp_workspaces;

/* Workspaces that belong to no method. */
enum {
  NSD_LCP_BASIS = NSDYN_LCP_AUTOMATIC,
  NSD_LCP_PROOF = NSDYN_LCP_MARQUARDT_PROJECTED + 1,
  NSD_LCP_REDUCED /* of mixed problems */
};

/* Instead of the worst row, of a result whose residual has not been worked out (nsd_lcp_report_of). */
enum { NSD_LCP_ROW_OPEN = -2 };

/* Up to here Lemke's method is faster on plain problems than block pivots, which begin with a factorization
 * per round: 1.2 times at n = 6 … 24; at 48 it is slower (tests/bench/bench_lcp). */
enum { NSD_LCP_LEMKE_FIRST = 32 };

/* Beyond so many unknowns a matrix of contacts with friction, full of zeros, goes through damped problems
 * first (lcp/sparse/damped_path.h); a tableau, where it ends well, takes as long at 300. */
enum { NSD_LCP_DAMPED_FIRST = 256 };

/* A run of Lemke's method that was made before the data were checked (lcp/solve/quick.c), for the attempt
 * that would make it again. Its answer stands in lcp->x, attempt_basis, attempt_ray. */
typedef struct nsd_lcp_early {
  int warm_rounds; /* of nsd_lcp_improve_basis before it, which found nothing */
  unsigned known;  /* of A: NSD_KNOWN_SPARSE, _ZEROS, _HUNDREDS, _SYMMETRIC, _ASYMMETRIC
                    * (lcp/automatic_plan.h),  as far as somebody has looked; 0: nobody has */
  int is_there;
  int limit; /* of pivots */
  nsdyn_status status;
  nsd_lcp_answer answer;
} nsd_lcp_early;

struct nsdyn_lcp {
  nsdyn_context *ctx;
  nsdyn_lcp_options options;
  nsd_fault fault;
  nsdyn_lcp_solve_report report;

  nsd_arena kept; /* kept from solve to solve */
  int kept_n;     /* its capacity */
  int32_t *basis; /* of the last solution, basis_n long, 0 where there is none */
  int basis_n;
  nsd_basis_order order; /* of its last factorization, where that is of this basis */
  double *ray;           /* of the last failure */
  int ray_n;
  double *violation; /* n: of each row of the last quick answer (proof/certificate.h) */
  double *row_scale; /* n */

  nsd_arena scratch; /* used within a solve only */
  int quick_n; /* plain problems of this size may be solved before all checks (lcp/solve/quick.c), −1 none
                */
  int boxes_n; /* the same for bounds */
  int reserved_n; /* what it is laid out for, −1 nothing */
  int reserved_mixed;
  int reserved_methods;
  size_t shared_from; /* where the workspaces begin in it */
  int active;         /* the method whose workspace is laid out, −1 none */
  int active_n;
  nsd_lcp_workspaces w;
  nsd_arena search_arena; /* the enumeration's: most problems never need it */
  nsd_enumerate search;
  int search_n; /* what it is laid out for, −1 nothing */
  int search_judged;
  int search_room; /* the most it has memory for, −1 nothing */
  nsd_plain_form normal;
  nsd_scale scale;
  nsd_scale plain_scale; /* units of the plain form */
  double *plain_cover;   /* its rows: numbers between 1 and 2, no two alike */
  double *x;             /* n: the attempt's */
  double *work;          /* n */
  double *attempt_ray;   /* n, or m of the plain form */
  int32_t *attempt_basis;
  double *plain_x; /* the same for the plain form */
  int32_t *plain_basis;
  double *best_x;   /* n: of all attempts */
  int32_t *start;   /* n: where a warm start begins */
  double *y;        /* n: the caller's, or NULL */
  double *y_work;   /* n */
  int has_best;     /* best_x, report and basis hold an attempt's answer */
  int y_is_of_best; /* y holds what belongs to best_x */
  nsd_poll poll;    /* of this solve: all its loops ask by it */
  int busy;         /* a call of this object is running: its callbacks must not begin another */
  nsd_lcp_early early;
  struct nsd_sparse_solver *sparse; /* from the first sparse problem on (lcp/sparse) */
};

/* ---- solve/quick.c ---- */

/* Solves a plain problem by its first run alone: 1 with x, y, basis and report; 0 where that does not do,
 * with none of them touched. Memory is reserved; the numbers need not be finite. */
int nsd_lcp_solve_quickly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y);

/* The same for up to four unknowns with bounds and a symmetric A of positive diagonal: what automatic does
 * with them, block pivots. */
int nsd_lcp_solve_boxes_quickly(nsdyn_lcp *lcp, const nsd_lcp_problem *p, double *x, double *y);

/* The report, with the residual that a quick answer leaves to be asked for. */
nsdyn_lcp_solve_report nsd_lcp_report_of(const nsdyn_lcp *lcp);

/* Friction problems take n to 2n pivots; what takes many more is one of the exponential families, or walks
 * in circles by rounding. */
static inline int nsd_lcp_ordinary_pivots(int n)
{
  return 50 + 10 * n;
}

/* One try with one method. */
typedef struct nsd_lcp_plan {
  int32_t method;
  nsd_lemke_ties ties;
  nsd_lemke_sizes sizes;
  int max_iterations; /* nodes of a search; negative: the method's own */
  double pivot_tol;
  const int32_t *start; /* NULL: cold */
  int rescaled;         /* 1: in units of like size (lcp/solve/scale.h); Lemke's method only */
  int spread;           /* of a mixed problem: 0 a covering vector of ones, else of numbers between 1 and 2 */
  int damped;           /* 1: through damped problems (lcp/sparse/damped_path.h); Lemke's method only */
} nsd_lcp_plan;

/* ---- methods.c, attempt.c: one method, one try ---- */

/* A method that needs no more than its workspace. */
nsdyn_status nsd_lcp_run_solver(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                nsd_lcp_answer *answer);

/* Those that need more: Lemke's path, with units and covering vectors as the plan
 * says, and the first solution of the search through all bases. (All methods: lcp/methods.h.) */
nsdyn_status nsd_lcp_run_lemke(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                               nsd_lcp_answer *answer);
nsdyn_status nsd_lcp_run_enumerative(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan,
                                     nsd_lcp_answer *answer);

/* Runs a plan, judges its answer, polishes it where that may help, and keeps it where it is the best so
 * far. lcp->report holds the best's residual, method and the sum of iterations. The status is the
 * plan's own, but NSDYN_OK only with a certificate. */
nsdyn_status nsd_lcp_attempt(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const nsd_lcp_plan *plan);

/* The certificate of x, with y (or NULL) as it is handed out: by the rows, and where these are more than
 * rounding by the rows without the free unknowns (lcp/proof/reduced_certificate.h). */
nsd_certificate nsd_lcp_judge(nsdyn_lcp *lcp, const nsd_lcp_problem *p, const double *x, double *y);

/* Whether there is a basis to begin from. */
static inline int nsd_lcp_wants_warm_start(const nsdyn_lcp *lcp, const nsd_lcp_problem *p)
{
  return lcp->options.warm_start && lcp->basis_n == p->n && p->n > 0;
}

/* Bases that a warm start goes through at most. */
enum { NSD_LCP_WARM_ROUNDS = 12 };

/* What a basis solved leaves: a step of Newton's method on the minimum map. Unknowns beyond a bound go there,
 * those whose y has the wrong sign become basic. Returns how many moved. */
int nsd_lcp_move_basis(const nsd_lcp_problem *p, const double *x, const double *y, int32_t *basis);

/* Newton's method on bases from the one in start: 1 with x in lcp->x, y in y_work, the basis in start, and
 * the certificate that x has passed. */
int nsd_lcp_improve_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p, nsd_certificate *certificate,
                          int *rounds);

/* ---- automatic.c: one try after the other ---- */

/* The warm start: Newton's method on bases from the last one, or from the one set by the caller. NSDYN_OK, or
 * it is not wanted or did not get there. */
nsdyn_status nsd_lcp_try_last_basis(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* Lemke's method until it ends well: as it stands, in units of like size, and with less taken for rounding,
 * then much more. */
nsdyn_status nsd_lcp_lemke_chain(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* The report of a call that was refused: its status, and nothing found. Returns the status. */
nsdyn_status nsd_lcp_refused(nsdyn_lcp *lcp, int n, nsdyn_status status);

/* Stands for the arrays of a problem without unknowns, which may be NULL: C forbids memcpy() on that. */
extern const double nsd_lcp_no_element;

/* The chain of attempts of NSDYN_LCP_AUTOMATIC. */
nsdyn_status nsd_lcp_automatic(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* The mixed problem behind a plain one of the same solutions (lcp/solve/plain_form.h), or p itself where p is
 * plain. */
nsd_lcp_problem nsd_lcp_plain_form(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* ---- messages.c ---- */

/* The message for an outcome that is not NSDYN_OK; returns the status. */
nsdyn_status nsd_lcp_explain(nsdyn_lcp *lcp, nsdyn_status status, const nsd_lcp_plan *plan,
                             const nsd_lcp_answer *answer);

/* ---- api.c: options and checks; workspace.c: memory ---- */

/* The option that limits a run of this method; negative: none. */
static inline int nsd_lcp_given_limit(const nsdyn_lcp *lcp, int32_t method)
{
  return method == NSDYN_LCP_ENUMERATIVE ? lcp->options.max_nodes : lcp->options.max_iterations;
}

nsdyn_status nsd_lcp_check_shape(nsdyn_lcp *lcp, int n, const double *A,
                                 int64_t lda); /* sizes and pointers */

/* Finite n × n data, lda >= n; the message names what is not. */
nsdyn_status nsd_lcp_check_matrix(nsdyn_lcp *lcp, int n, const double *A, int64_t lda);

/* The vectors of a problem, b, lo and hi; its A is not looked at. */
nsdyn_status nsd_lcp_check_vectors(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* The same for a whole problem: A, b, bounds, and the option cover. */
nsdyn_status nsd_lcp_check_problem(nsdyn_lcp *lcp, const nsd_lcp_problem *p);

/* Room for a basis and a ray of n unknowns; the basis there is stays. */
nsdyn_status nsd_lcp_reserve_kept(nsdyn_lcp *lcp, int n);

/* Memory for problems of n unknowns by the chosen method. */
nsdyn_status nsd_lcp_reserve(nsdyn_lcp *lcp, int n, int mixed);

/* The scratch is about to serve something else: the next solve lays it out anew. */
void nsd_lcp_forget_layout(nsdyn_lcp *lcp);

/* Memory of the enumeration, laid out for n unknowns and a judge of `judged` (lcp/enumerate/enumerate.h). */
nsdyn_status nsd_lcp_reserve_search(nsdyn_lcp *lcp, int n, int judged);

/* Lays out the workspace of `method` for n unknowns. */
void nsd_lcp_lay_out_work(nsdyn_lcp *lcp, int32_t method, int n);

/* The same, if it is not there already. */
static inline void nsd_lcp_activate(nsdyn_lcp *lcp, int32_t method, int n)
{
  if (lcp->active != method || lcp->active_n != n) {
    nsd_lcp_lay_out_work(lcp, method, n);
  }
}

#endif
