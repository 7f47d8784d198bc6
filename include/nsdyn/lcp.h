/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Linear complementarity problems: solve them, prove them, list all their solutions.
 *
 * A *linear complementarity problem* (LCP) asks, for a square matrix A and a vector b, for x and y with
 *
 *     y = A x + b,    0 <= y  ⊥  x >= 0,
 *
 * where ⊥ says that in every row x_i = 0 or y_i = 0. The *mixed* problem carries bounds lo <= x <= hi:
 *
 *     y_i >= 0 where x_i = lo_i,    y_i <= 0 where x_i = hi_i,    y_i = 0 in between.
 *
 * lo = 0 with hi = ∞ is the LCP again, lo = −∞ with hi = ∞ a free variable (its row is the equation
 * y_i = 0), lo = −a with hi = a is Coulomb friction under a known normal force. Where lo_i = hi_i, x_i is
 * given and y_i may be anything.
 *
 * No solver is believed. From x alone, code that no solver shares recomputes y = A x + b and the
 * row scales s_i = |b_i| + Σ_j |A_ij x_j|; x is called a solution when it lies within its bounds exactly
 * and no row violates its sign condition on y by more than `tol · s_i`. The largest violation over s_i is the
 * *residual*. It has no unit: a problem in millinewtons is judged like the same problem in meganewtons.
 * Rows that hold nothing but free unknowns smaller than rounding, as closed contacts of bodies at rest do,
 * are judged by what is left of them when the free unknowns are eliminated (nsdyn_lcp_residual()). An x
 * beside which b vanishes in every basic row is no answer: its residual would be as small without b. Singular
 * matrices have such points far out, whether there is a solution or not. (Without bounds the search through
 * the bases may show in exact arithmetic that a solution is there. Then it is one.)
 *
 * Matrices are row-major, `lda >= n` doubles from one row to the next.
 *
 * @code
 * const double A[4] = {2.0, 1.0, 1.0, 2.0}, b[2] = {-5.0, 1.0};
 * double x[2], y[2];
 * nsdyn_lcp *lcp;
 * if (nsdyn_lcp_new(NULL, NULL, &lcp, NULL) != NSDYN_OK) {
 *   return 1;
 * }
 * const nsdyn_status status = nsdyn_lcp_solve(lcp, 2, A, 2, b, x, y);
 * if (status == NSDYN_OK) {
 *   printf("x = (%g, %g), y = (%g, %g)\n", x[0], x[1], y[0], y[1]);
 * } else {
 *   printf("%s\n", nsdyn_lcp_message(lcp));
 * }
 * nsdyn_lcp_free(lcp);
 * @endcode
 *
 * It prints x = (2.5, 0), y = (0, 3.5).
 */
#ifndef NSDYN_LCP_H
#define NSDYN_LCP_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief How to solve.
 *
 * "Sure" says for which matrices theory promises a solution wherever there is one; elsewhere a method may end
 * without, and says so. "Bounds" says that it solves mixed problems too, free variables among them. A method
 * asked for a class of problem it cannot handle returns NSDYN_ERR_UNSUPPORTED instead of computing; the
 * message names the row that is the reason.
 */
enum nsdyn_lcp_method {
  NSDYN_LCP_AUTOMATIC = 0,   /**< The fastest that is safe for what is known of A, then the next; bounds. */
  NSDYN_LCP_LEMKE = 1,       /**< Lemke's path. Sure: copositive-plus A (so PSD), P; bounds. */
  NSDYN_LCP_MURTY = 2,       /**< Least-index principal pivots. Positive diagonal, 0 <= x only. Sure:
                                P-matrices. */
  NSDYN_LCP_PRINCIPAL = 3,   /**< Cottle–Dantzig. Symmetric A only. Sure: positive semidefinite; bounds. */
  NSDYN_LCP_BLOCK = 4,       /**< Many indices at once, least-index safeguard. Positive diagonal only. Sure:
                                P-matrices; bounds. */
  NSDYN_LCP_ENUMERATIVE = 5, /**< Branching over complementary pairs: for every A it finds a solution, or
                                proves that there is none, unless a branch is so degenerate that rounding
                                leaves it open. Where such a branch is left and no solution was found, it
                                ends undecided (NSDYN_UNDECIDED), as with one in five of the redundant contact
                                problems measured at n = 24. Exponential at worst; bounds. */
  NSDYN_LCP_SWEEP = 6,       /**< Projected Gauss–Seidel, over-relaxed. Positive diagonal only. Sure in the
                                limit: symmetric PD A; bounds. */
  NSDYN_LCP_NEWTON_MIN = 7,  /**< Semismooth Newton on the minimum map, with line search. Sure only near a
                                regular solution; bounds. */
  NSDYN_LCP_NEWTON_FB = 8,   /**< The same on the (penalized) Fischer–Burmeister function; bounds. */
  NSDYN_LCP_MARQUARDT_REGULAR =
      9, /**< The regular Levenberg–Marquardt method (RLM) of Mylapilli & Jain (2017), §5.1, on the
            (penalized) Fischer–Burmeister function. Where it stalls it begins again elsewhere. Sure only near
            a regular solution; bounds. */
  NSDYN_LCP_MARQUARDT_PROJECTED =
      10 /**< The projected one (PLM), §5.2, with non-monotone line search and watchdog; bounds. */
};

/** @brief Options of an LCP object; nsdyn_lcp_options_init() writes the defaults. */
typedef struct nsdyn_lcp_options {
  size_t size;        /**< sizeof(nsdyn_lcp_options) as you compiled it. */
  int32_t method;     /**< One of ::nsdyn_lcp_method. Default: automatic. */
  int32_t warm_start; /**< 1: begin from the basis of the last solve, if it found a solution of the same n, or
                         from nsdyn_lcp_set_basis(). Default 0: the same call gives the same bits, whatever
                         was solved before. */
  /** Pivots, rounds, sweeps or Newton steps of a run, as nsdyn_lcp_solve_report::iterations counts them;
   * negative (default): the method's own limit. `automatic` has lower ones, and heeds yours where it is lower
   * still. */
  int32_t max_iterations;
  /** Nodes of a search through the bases (::NSDYN_LCP_ENUMERATIVE, nsdyn_lcp_enumerate()); negative
   * (default): no limit, but where `automatic` searches. */
  int32_t max_nodes;
  int32_t automatic_enumerate_up_to; /**< ::NSDYN_LCP_AUTOMATIC searches through the bases up to this n, where
                                        all else has failed, for a second at most. Default 64. */
  /** ::NSDYN_LCP_MARQUARDT_REGULAR and ::NSDYN_LCP_MARQUARDT_PROJECTED: how often they begin again from
   * another point where they stall, in [0, 1000]. Default 5. */
  int32_t marquardt_restarts;
  double tol;       /**< Certificate: largest violation of a row over its scale, in [0, 1). Default 1e-9. */
  double pivot_tol; /**< Smallest pivot, relative to its column, that methods by pivots accept, in [0, 1).
                         Default 1e-11. */
  double sweep_relaxation; /**< Factor of ::NSDYN_LCP_SWEEP, in (0, 2). Default 1. */
  double newton_fb_lambda; /**< ::NSDYN_LCP_NEWTON_FB: weight of the Fischer–Burmeister function beside its
                                penalty, in (0, 1]. Default 1, not penalized. */
  double marquardt_lambda; /**< The same of ::NSDYN_LCP_MARQUARDT_REGULAR and ::NSDYN_LCP_MARQUARDT_PROJECTED.
                              Default 1. */
  const double *lemke_cover; /**< Lemke's covering vector, n positive numbers, borrowed until other options
                                are set. NULL (default): ones. Not used for mixed problems. */
} nsdyn_lcp_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_lcp_options).
 * @return NSDYN_OK or NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_options_init(nsdyn_lcp_options *options, size_t size);

/** @brief What stands behind NSDYN_NO_SOLUTION. */
enum nsdyn_lcp_proof {
  NSDYN_LCP_PROOF_NONE = 0, /**< No proof, or no need of one. */
  NSDYN_LCP_PROOF_FARKAS =
      1, /**< nsdyn_lcp_ray() is a v that shows Ax + b to be infeasible within its signs. It was checked in
            exact arithmetic: it holds for A and b as they stand in the doubles. */
  NSDYN_LCP_PROOF_EXHAUSTED =
      2 /**< All complementary bases were branched over, and every branch was closed by a Farkas proof of its
           own, checked in exact arithmetic: it holds for A, b and the bounds as they stand in the doubles. A
           branch that cannot be closed so leaves the problem undecided (NSDYN_UNDECIDED). */
};

/**
 * @brief What a solve found, for programs; nsdyn_lcp_solve_report_init() writes the size.
 *
 * Residual, violation and worst row belong to the x that was handed out, whether it is a solution or the best
 * of what was found instead.
 */
typedef struct nsdyn_lcp_solve_report {
  size_t size;        /**< sizeof(nsdyn_lcp_solve_report) as you compiled it. */
  int32_t status;     /**< What the solve returned. */
  int32_t method;     /**< The ::nsdyn_lcp_method that x comes from; never automatic after a success. A warm
                           start of `automatic` or of Lemke's method is one of ::NSDYN_LCP_NEWTON_MIN. */
  int32_t n;          /**< Unknowns. */
  int32_t iterations; /**< Pivots, rounds, sweeps or Newton steps, of all runs together. */
  int32_t attempts;   /**< Runs: the methods that `automatic` tried, the repetitions of Lemke's. */
  int32_t proof;      /**< One of ::nsdyn_lcp_proof. */
  int32_t worst_row;  /**< Row of the largest violation; −1 where nothing is violated. */
  int32_t warm;       /**< 1 where `automatic` or Lemke's method needed no more than the warm start. */
  double residual;    /**< Largest violation over its row's scale. */
  double violation;   /**< The same violation in the units of y (of x, where a bound is violated). */
} nsdyn_lcp_solve_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_lcp_solve_report).
 * @return NSDYN_OK or NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_solve_report_init(nsdyn_lcp_solve_report *report, size_t size);

/**
 * @brief A solver of LCPs that owns its workspace.
 *
 * One object solves problems of any size, one after the other. A solve allocates when the problem is larger
 * than all before, or the first with another method or with bounds, and never else. Two objects in two
 * threads never meet. (A search through the bases of more than 64 unknowns takes memory when it first comes
 * to that, and again when it goes deeper than any before.)
 */
typedef struct nsdyn_lcp nsdyn_lcp;

/**
 * @brief Makes a solver.
 *
 * @param[in]  ctx      where its memory comes from, held by the object; NULL: the C library.
 * @param[in]  options  copied; NULL: defaults.
 * @param[out] out      yours to free with nsdyn_lcp_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT for an option out of range,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_lcp_new(nsdyn_context *ctx, const nsdyn_lcp_options *options, nsdyn_lcp **out,
                                     nsdyn_error *error);

/**
 * @brief Frees a solver.
 * @param[in] lcp  NULL is fine.
 */
NSDYN_API void nsdyn_lcp_free(nsdyn_lcp *lcp);

/**
 * @brief Replaces all options; refused ones leave the old in place.
 * @param[in] lcp      the solver.
 * @param[in] options  copied; NULL: defaults.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY; the
 *         message is in the solver.
 */
NSDYN_API nsdyn_status nsdyn_lcp_set_options(nsdyn_lcp *lcp, const nsdyn_lcp_options *options);

/**
 * @brief Solves y = A x + b, 0 <= y ⊥ x >= 0.
 *
 * @param[in]  lcp  the solver.
 * @param[in]  n    unknowns; 0 is legal.
 * @param[in]  A    n × n, row-major, finite.
 * @param[in]  lda  doubles from row to row, at least n.
 * @param[in]  b    n, finite.
 * @param[out] x    n; must not overlap the data.
 * @param[out] y    n, recomputed as A x + b and set to zero where x_i > 0; must not overlap x or the data;
 * may be NULL.
 * @return NSDYN_OK with a solution; NSDYN_NO_SOLUTION (proved), NSDYN_UNDECIDED (on a ray, for
 *         example), NSDYN_INACCURATE (what was found misses `tol`),
 *         NSDYN_MAX_ITERATIONS, NSDYN_CANCELLED (by the context's progress callback, which all long loops ask
 *         now and then, about once in a millisecond),
 *         each with the best x found and its residual in the report;
 *         NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE (also for an overflow on the way), NSDYN_ERR_UNSUPPORTED,
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_BUSY with x and y untouched.
 */
NSDYN_API nsdyn_status nsdyn_lcp_solve(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda,
                                       const double *b, double *x, double *y);

/**
 * @brief Solves the mixed problem: y = A x + b with lo <= x <= hi.
 *
 * @param[in]  lcp,n,A,lda,b  as for nsdyn_lcp_solve().
 * @param[in]  lo,hi  n each, lo_i <= hi_i, infinite where there is no bound; NULL for all zero (lo), all
 *                    infinite (hi).
 * @param[out] x,y    as for nsdyn_lcp_solve(); y_i is set to zero strictly between the bounds.
 * @return as nsdyn_lcp_solve().
 */
NSDYN_API nsdyn_status nsdyn_lcp_solve_mixed(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda,
                                             const double *b, const double *lo, const double *hi, double *x,
                                             double *y);

/** @brief How the elements of a sparse matrix are stored. */
enum nsdyn_sparse_format {
  NSDYN_SPARSE_ROWS = 0, /**< Compressed rows (CSR): `row`, `column`, `value`. */
  NSDYN_SPARSE_BANDED =
      1 /**< All elements of a band around the diagonal: `lower`, `upper`, `stride`, `value`. */
};

/**
 * @brief A sparse square matrix, borrowed for the length of a call; nsdyn_sparse_matrix_init() writes the
 * size.
 *
 * By rows: the elements of row i are value[k] in columns column[k], k = row[i] … row[i + 1] − 1, where
 * columns ascend. In a band: A_ij is value[i · stride + lower + j − i] for −lower <= j − i <= upper; what
 * would lie outside of the matrix is not looked at.
 */
typedef struct nsdyn_sparse_matrix {
  size_t size;           /**< sizeof(nsdyn_sparse_matrix) as you compiled it. */
  int32_t format;        /**< One of ::nsdyn_sparse_format. Default: by rows. */
  int32_t n;             /**< Rows and columns. */
  const int64_t *row;    /**< By rows: n + 1 numbers, the first 0, never falling. */
  const int32_t *column; /**< By rows: row[n] columns. */
  const double *value;   /**< By rows: row[n] finite elements, zeros allowed; in a band n · stride. */
  int32_t lower;         /**< In a band: diagonals below the main one, less than n. */
  int32_t upper;         /**< In a band: diagonals above it, less than n. */
  int64_t stride;        /**< In a band: doubles from row to row, at least lower + upper + 1. */
} nsdyn_sparse_matrix;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] matrix  to fill in.
 * @param[in]  size    sizeof(nsdyn_sparse_matrix).
 * @return NSDYN_OK or NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_sparse_matrix_init(nsdyn_sparse_matrix *matrix, size_t size);

/**
 * @brief Solves y = A x + b with lo <= x <= hi for a large, sparse A.
 *
 * Work and memory grow with the elements of A and with what its factors fill in, not with n².
 * ::NSDYN_LCP_BLOCK makes rounds of one sparse factorization each. They are sure to end for P-matrices; for
 * M-matrices, such as pressure in a bearing or a membrane over an obstacle, smaller problems like this one
 * give the first basis, so that a handful of rounds does; tridiagonal M-matrices without upper bounds take
 * one pass over their rows. ::NSDYN_LCP_NEWTON_FB is Newton's method with a line search, one factorization a
 * step, for matrices that are far from symmetric. ::NSDYN_LCP_SWEEP needs no factors.
 * ::NSDYN_LCP_AUTOMATIC begins with rounds, goes on with Newton's method and a sequence of regularized
 * problems, and hands problems of up to 256 unknowns that nothing else solves to the dense methods. Methods
 * without a sparse form are refused (NSDYN_ERR_UNSUPPORTED).
 *
 * The answer is judged by the rule of all others, at a cost of some operations per element. Report, basis,
 * message and warm starts are as after nsdyn_lcp_solve_mixed().
 *
 * @param[in]  lcp    the solver.
 * @param[in]  A      its `size` set by you.
 * @param[in]  b      n, finite.
 * @param[in]  lo,hi  n each, lo_i <= hi_i, infinite where there is no bound; NULL for all zero (lo), all
 *                    infinite (hi).
 * @param[out] x,y    as for nsdyn_lcp_solve_mixed().
 * @return as nsdyn_lcp_solve_mixed(); NSDYN_ERR_ARGUMENT also for rows that do not ascend or columns out of
 *         range, the row being named, and NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_lcp_solve_sparse(nsdyn_lcp *lcp, const nsdyn_sparse_matrix *A, const double *b,
                                              const double *lo, const double *hi, double *x, double *y);

/**
 * @brief nsdyn_lcp_residual() for a sparse matrix, by the rows as they stand; free unknowns are not
 * eliminated.
 *
 * @param[in]  A,b,lo,hi  the problem; lo and hi may be NULL.
 * @param[in]  x          the point to judge, n.
 * @param[out] residual   the largest violation relative to its row's scale; infinite where x is outside its
 *                        bounds or not finite.
 * @param[out] row        where; −1 if nothing is violated; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE for an element of A, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_lcp_residual_sparse(const nsdyn_sparse_matrix *A, const double *b,
                                                 const double *lo, const double *hi, const double *x,
                                                 double *residual, int32_t *row);

/**
 * @brief What the last solve found.
 *
 * After a call that was refused for its arguments it holds the status and nothing else.
 * After nsdyn_lcp_enumerate() it holds status, proof and pivots, and nothing on x.
 *
 * @param[in]     lcp     the solver.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_report(const nsdyn_lcp *lcp, nsdyn_lcp_solve_report *report);

/**
 * @brief One line on the last failure or missing answer, naming row and column.
 * @param[in] lcp  the solver.
 * @return the object's own, valid until its next call; "" after a success.
 */
NSDYN_API const char *nsdyn_lcp_message(const nsdyn_lcp *lcp);

/**
 * @brief The same for programs: which argument, field, row or line.
 * @param[in]     lcp     the solver.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_detail(const nsdyn_lcp *lcp, nsdyn_detail *detail);

/** @brief Where x_i stands in a basis. */
enum nsdyn_lcp_place {
  NSDYN_LCP_AT_LO = 0, /**< x_i = lo_i; y_i is basic. */
  NSDYN_LCP_BASIC = 1, /**< x_i is basic, y_i = 0. */
  NSDYN_LCP_AT_HI = 2  /**< x_i = hi_i; y_i is basic. */
};

/**
 * @brief Basis of the last solution: one ::nsdyn_lcp_place per unknown.
 *
 * A solve that finds no solution leaves none.
 *
 * @param[in]  lcp  the solver.
 * @param[out] n    its length, 0 where there is none; may be NULL.
 * @return the object's own, valid until its next call; NULL where there is none.
 */
NSDYN_API const int32_t *nsdyn_lcp_basis(const nsdyn_lcp *lcp, int32_t *n);

/**
 * @brief Sets the basis a warm start begins from (option `warm_start`).
 *
 * Any guess will do: a bad one costs a little time, never the answer. It counts until the next solve, which
 * leaves its own, and for a problem of n unknowns only.
 *
 * @param[in] lcp    the solver.
 * @param[in] n      unknowns; 0: forget the basis there is.
 * @param[in] basis  n, copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a number that is no ::nsdyn_lcp_place, NSDYN_ERR_NOMEM,
 *         NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_lcp_set_basis(nsdyn_lcp *lcp, int32_t n, const int32_t *basis);

/**
 * @brief What the last solve ended on, where it found no solution.
 *
 * After NSDYN_NO_SOLUTION with ::NSDYN_LCP_PROOF_FARKAS: v with v >= 0, Aᵀv <= 0, bᵀv < 0, so that no
 * x >= 0 has A x + b >= 0. (With bounds: v_i >= 0 in rows without an upper bound, v_i <= 0 in rows without a
 * lower one, any sign in free rows, 0 in rows with two bounds, and max of vᵀ(A x + b) over the bounds < 0.)
 * After NSDYN_UNDECIDED: a direction of x along which a method went off; it proves nothing. After anything
 * else there is none.
 *
 * @param[in]  lcp  the solver.
 * @param[out] n    its length, 0 where there is none; may be NULL.
 * @return the object's own, valid until its next call; NULL where there is none.
 */
NSDYN_API const double *nsdyn_lcp_ray(const nsdyn_lcp *lcp, int32_t *n);

/**
 * @brief The certificate on its own: judges any x by code that no solver shares.
 *
 * Free unknowns have no size of their own: where x leaves more than rounding (1e-13) by the rows as they
 * stand, they are eliminated, and the residual is the smaller of that and of this: what a row violates beyond
 * the rounding of the elimination, 8 (n + 8) 2^-52 of the numbers that go into it, over its own scale or the
 * scale of its row in the reduced problem, if that is larger. That takes memory for n + 1 columns, and up to
 * n^3 multiplications.
 *
 * @param[in]  n,A,lda,b,lo,hi  the problem; lo and hi may be NULL.
 * @param[in]  x         the point to judge, n.
 * @param[out] residual  the largest violation relative to its row's scale; infinite where x is outside its
 *                       bounds or not finite.
 * @param[out] row       where; −1 if nothing is violated; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOMEM.
 */
NSDYN_API nsdyn_status nsdyn_lcp_residual(int32_t n, const double *A, int64_t lda, const double *b,
                                          const double *lo, const double *hi, const double *x,
                                          double *residual, int32_t *row);

/**
 * @brief A convex piece of the solution set: the hull of its vertices plus the cone of its rays.
 *
 * Pieces are maximal: none lies within another. `dimension` 0 is an isolated point (one vertex, no ray).
 */
typedef struct nsdyn_lcp_piece {
  size_t size;          /**< sizeof(nsdyn_lcp_piece) of the running library. */
  int32_t n;            /**< Unknowns. */
  int32_t dimension;    /**< 0: a point; 1: segment, half line or line; and so on. */
  int32_t vertices;     /**< How many. */
  int32_t rays;         /**< How many; 0: bounded. */
  const double *vertex; /**< vertices × n, row-major; the visitor may read them until it returns. */
  const double *ray;    /**< rays × n, each of maximum norm 1. */
  /** n: bit 0 set where x_i > 0 somewhere on the piece, bit 1 where y_i > 0 somewhere. */
  const int32_t *support;
} nsdyn_lcp_piece;

/** @brief What an enumeration counted; nsdyn_lcp_census_init() writes the size. */
typedef struct nsdyn_lcp_census {
  size_t size;              /**< sizeof(nsdyn_lcp_census) as you compiled it. */
  int64_t points;           /**< Isolated solutions. */
  int64_t bounded_pieces;   /**< Pieces of dimension >= 1 without rays. */
  int64_t unbounded_pieces; /**< Pieces of dimension >= 1 with rays. */
  int64_t nodes;            /**< Nodes of the search tree. */
  int64_t pivots;           /**< Pivots made. */
  int64_t duplicates;       /**< Branches closed because they only had faces of pieces known. */
  int64_t doubtful;      /**< Branches that were closed at rounding level because exact arithmetic would have
                              taken too much work, and pieces without a certificate: pieces may be missing. */
  int32_t max_dimension; /**< Of all pieces; −1 without solution. */
  int32_t complete; /**< 1: these are all, of A and b to the last bit; 0: stopped early, or `doubtful`. */
} nsdyn_lcp_census;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] census  to fill in.
 * @param[in]  size    sizeof(nsdyn_lcp_census).
 * @return NSDYN_OK or NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_census_init(nsdyn_lcp_census *census, size_t size);

/**
 * @brief All solutions of y = A x + b, 0 <= y ⊥ x >= 0.
 *
 * The option `max_nodes` limits the search, `method` does not matter. Of the mixed problem
 * no list is made; ::NSDYN_LCP_ENUMERATIVE finds one of its solutions or proves that there is none.
 *
 * Branches over complementary pairs and keeps a feasible tableau by pivots, so it needs no regular
 * bases and recognizes continua. What rounding cannot decide is settled in exact arithmetic on A and b as
 * they are given, so that a complete list is complete and "no solution" is proved
 * (::NSDYN_LCP_PROOF_EXHAUSTED). Rows that are dependent but for rounding are independent, then. Exponential
 * at worst, and there may be 2^n solutions; n = 24 random takes one or two milliseconds.
 *
 * Pieces come as early as they are known to be maximal: a point with x_i > 0 or y_i > 0 in every pair at
 * once, a piece that might be a face of a larger one when the branches that could hold that are finished. A
 * call that stops early hands out no piece of which that is still open. Every vertex handed out holds the
 * option `tol` as nsdyn_lcp_residual() measures it (1e-14 is usual).
 *
 * A piece of high dimension (a pile with many redundant contacts) can have more vertices than memory has
 * room for; counting does not list them, and the context's progress can stop a list under way.
 *
 * @param[in]     lcp,n,A,lda,b  as for nsdyn_lcp_solve().
 * @param[in]     visit   called for each piece, each once, which is valid until it returns: 0 goes on,
 * anything else stops (NSDYN_CANCELLED); NULL to count only, which spares the vertices of continua.
 * @param[in]     user    handed to `visit`.
 * @param[in,out] census  its `size` set by you; filled in; may be NULL.
 * @return NSDYN_OK with at least one solution; NSDYN_NO_SOLUTION, proved by exhaustion; NSDYN_UNDECIDED where
 *         none was found but rounding leaves branches undecided (census: `doubtful`); NSDYN_CANCELLED by
 *         `visit` or the context's progress callback, NSDYN_MAX_ITERATIONS: stopped early, what was visited
 * are solutions; NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_NOMEM,
 *         NSDYN_ERR_TOO_LARGE, NSDYN_ERR_BUSY (any call of the same object from inside `visit` but the
 * getters).
 */
NSDYN_API nsdyn_status nsdyn_lcp_enumerate(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda,
                                           const double *b,
                                           int (*visit)(void *user, const nsdyn_lcp_piece *piece), void *user,
                                           nsdyn_lcp_census *census);

/**
 * @brief Answers of nsdyn_lcp_classify(): 1 yes, 0 no, −1 not decided within the cost allowed.
 *
 * nsdyn_lcp_classes_init() writes the size.
 */
typedef struct nsdyn_lcp_classes {
  size_t size;                   /**< sizeof(nsdyn_lcp_classes) as you compiled it. */
  int32_t symmetric;             /**< A = Aᵀ to the bit. */
  int32_t p_matrix;              /**< All principal minors positive: one solution for every b. */
  int32_t positive_definite;     /**< xᵀAx > 0, by a Cholesky factorization of A + Aᵀ. */
  int32_t positive_semidefinite; /**< xᵀAx >= 0, to rounding. */
  int32_t z_matrix;              /**< Off-diagonal elements <= 0. */
  int32_t m_matrix;              /**< Z and P. */
  int32_t diagonally_dominant;   /**< |A_ii| > Σ_{j≠i} |A_ij| in every row. */
  int32_t positive_diagonal;     /**< A_ii > 0 in every row. */
} nsdyn_lcp_classes;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] classes  to fill in.
 * @param[in]  size     sizeof(nsdyn_lcp_classes).
 * @return NSDYN_OK or NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_lcp_classes_init(nsdyn_lcp_classes *classes, size_t size);

/**
 * @brief Which classes A belongs to.
 *
 * P is decided by principal minors up to n = 20 (2ⁿ of them; 50 ms at n = 20), above that only where
 * a sufficient or necessary condition decides it. A minor or pivot that rounding cannot tell from zero counts
 * as zero: such a matrix is not P and not positive definite, but may be semidefinite.
 *
 * @param[in]     lcp      the solver: for its context and its message; its options do not matter.
 * @param[in]     n,A,lda  the matrix.
 * @param[in,out] classes  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_BUSY; NSDYN_CANCELLED by the context's progress callback.
 */
NSDYN_API nsdyn_status nsdyn_lcp_classify(nsdyn_lcp *lcp, int32_t n, const double *A, int64_t lda,
                                          nsdyn_lcp_classes *classes);

/**
 * @brief Reads a problem from text.
 *
 * Numbers separated by white space: n, then n rows of A, then b; optionally the words `lo` and `hi`,
 * each followed by n numbers, `-inf` and `inf` allowed. Lines do not matter but for `#`, which begins a
 * comment that ends with the line. The decimal point is a point in every locale.
 *
 * Call it twice: first with A = NULL to learn n, then with arrays to fill.
 *
 * @param[in]  lcp     keeps the message ("line 7: …") and the line as its detail.
 * @param[in]  text    need not end with a zero.
 * @param[in]  length  its bytes.
 * @param[in,out] n    unknowns; read on the first call, must agree on the second.
 * @param[out] A       n × n with row stride lda, or NULL for the first call.
 * @param[in]  lda     at least n.
 * @param[out] b       n.
 * @param[out] lo,hi   n each; zeros and infinities where the text has none. May be NULL; then a text with
 *                     bounds is refused.
 * @return NSDYN_OK, NSDYN_ERR_SYNTAX, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_ARGUMENT, NSDYN_ERR_BUSY,
 * NSDYN_CANCELLED; after a failure the arrays hold nothing of use.
 */
NSDYN_API nsdyn_status nsdyn_lcp_read_text(nsdyn_lcp *lcp, const char *text, size_t length, int32_t *n,
                                           double *A, int64_t lda, double *b, double *lo, double *hi);

/**
 * @brief Writes a problem as text that nsdyn_lcp_read_text() reads back to the bit.
 *
 * @param[in]  n,A,lda,b  the problem.
 * @param[in]  lo,hi      bounds, or NULL.
 * @param[out] text       receives at most `size` bytes with a zero at the end; NULL with size 0 to measure.
 * @param[in]  size       bytes of `text`.
 * @return the bytes the whole text needs, its zero included; 0 for a bad argument (a NaN among them).
 */
NSDYN_API size_t nsdyn_lcp_write_text(int32_t n, const double *A, int64_t lda, const double *b,
                                      const double *lo, const double *hi, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
