/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief One contact problem: impulses and velocities of all closed contacts at once.
 *
 * A contact problem asks for impulses Λ and relative velocities ξ with
 *
 *     ξ = G Λ + c
 *
 * such that every contact obeys its law. G = W M⁻¹ Wᵀ is the Delassus matrix of the force directions, the
 * rows of W, c is what ξ would be without contact impulses. The same problem appears at three places in
 * mechanics:
 *
 * | level | Λ | ξ | c |
 * |---|---|---|---|
 * | time step Δt | impulses over the step | γᴱ + ε γᴬ | W M⁻¹h Δt + (1 + ε) γᴬ |
 * | impact | impulses | γ⁺ + ε γ⁻ | (1 + ε) γ⁻ |
 * | acceleration | forces | γ̇ | W M⁻¹h + w̄ |
 *
 * **Rows.** Contact i has a normal row and, unless its law is ::NSDYN_FRICTION_NONE, a tangential one behind
 * it, in space two. Contacts stand in their order, bilateral constraints behind them all;
 * nsdyn_contact_rows() counts.
 *
 * **Signs.** A gap opens with ξ_N > 0, Λ_N >= 0 presses the bodies apart, friction opposes sliding:
 *
 *     −Λ_N ∈ Upr(ξ_N),    −Λ_T ∈ μ Λ_N Sgn(ξ_T)    (Glocker & Studer 2005, eq. 12).
 *
 * **Units.** ξ and c are velocities, Λ impulses (accelerations and forces on acceleration level); the library
 * asks for nothing but that they fit: a row of G times Λ is in the units of that row of c.
 *
 * **No answer is believed.** From Λ alone, code that no solver shares recomputes ξ = G Λ + c and measures by
 * how much each law is missed, in the units of ξ. An answer carries no spurious part (Ma et al.): ξ_T of an
 * open contact is what its motion gives, never split into sliding both ways.
 *
 * @code
 * // A block of 2 kg on the floor, pushed sideways for 0.01 s with 5 N: it sticks.
 * const double G[4] = {0.5, 0.0, 0.0, 0.5};
 * const double c[2] = {-9.81 * 0.01, 5.0 / 2.0 * 0.01};
 * double Lambda[2];
 * nsdyn_contact_law floor_law;
 * nsdyn_contact_law_init(&floor_law, sizeof floor_law);
 * floor_law.mu = 0.3;
 * nsdyn_contact_problem problem;
 * nsdyn_contact_problem_init(&problem, sizeof problem);
 * problem.contacts = 1;
 * problem.laws = &floor_law;
 * problem.G = G;
 * problem.ldg = 2;
 * problem.c = c;
 * const nsdyn_status status = nsdyn_contact_solve(solver, &problem, Lambda, NULL);
 * @endcode
 *
 * It leaves Λ = (0.1962, −0.05) N s and the mode ::NSDYN_MODE_STICK.
 */
#ifndef NSDYN_CONTACT_H
#define NSDYN_CONTACT_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Which ways a contact is closed. */
enum nsdyn_contact_kind {
  NSDYN_CONTACT_UNILATERAL = 0, /**< It may open: 0 <= Λ_N ⊥ ξ_N >= 0. */
  NSDYN_CONTACT_BILATERAL = 1   /**< A slot: ξ_N = 0, Λ_N of either sign, friction bounded by μ |Λ_N|. */
};

/** @brief What bounds the friction impulse. */
enum nsdyn_friction_kind {
  NSDYN_FRICTION_NONE = 0,    /**< No tangential row at all. */
  NSDYN_FRICTION_COULOMB = 1, /**< μ |Λ_N| with `mu`; 0 is legal and keeps the tangential row. */
  NSDYN_FRICTION_STATIC = 2,  /**< Two coefficients: `mu_static` while it sticks, `mu` while it slides. */
  NSDYN_FRICTION_CURVE = 3,   /**< μ(|γ_T|) by the callback `curve`. */
  NSDYN_FRICTION_BOUND = 4    /**< A given force `bound`, whatever the normal force; with a `curve` a brake:
                                 `bound` is its given normal force, and μ(|γ_T|) times that the limit. */
};

/** @brief In space: the shape of the friction impulses that a normal impulse allows. */
enum nsdyn_friction_shape {
  NSDYN_FRICTION_ELLIPSE =
      0, /**< An ellipse with half axes μ Λ_N and `aspect` μ Λ_N: of a disk without `aspect`. */
  NSDYN_FRICTION_POLYGON =
      1 /**< The regular polygon with `sides` corners on it, the first on its first axis. */
};

/**
 * @brief The law of one contact.
 *
 * nsdyn_contact_law_init() writes the defaults: unilateral, Coulomb friction with μ = 0, no restitution.
 *
 * A contact in space has `tangents` 2: rows N, T1, T2, T1 and T2 at right angles in the tangent plane. Its
 * friction impulses are the set C of `shape`, `aspect` and `angle`, as large as the law allows, and they
 * dissipate as much as C lets them: −ξ_T lies in the normal cone of C at Λ_T. Steppers and event drivers know
 * contacts in space; event drivers refuse polygons of slots.
 */
typedef struct nsdyn_contact_law {
  size_t size;      /**< sizeof(nsdyn_contact_law) as you compiled it. */
  int32_t kind;     /**< One of ::nsdyn_contact_kind. Default: unilateral. */
  int32_t friction; /**< One of ::nsdyn_friction_kind. Default: Coulomb. */
  /** Tangential rows: 1 in the plane (default), 2 in space. ::NSDYN_FRICTION_NONE has none. */
  int32_t tangents;
  int32_t shape;    /**< In space, one of ::nsdyn_friction_shape. Default: ellipse. */
  int32_t sides;    /**< Of a polygon, even and >= 4. Default 8. */
  int32_t reserved; /**< 0. */
  double mu;        /**< Friction coefficient along the first axis, >= 0. Default 0. */
  double mu_static; /**< For ::NSDYN_FRICTION_STATIC: coefficient of sticking, >= mu. Default 0. */
  double bound;     /**< For ::NSDYN_FRICTION_BOUND: the friction force where `curve` is NULL, else the force
                         that presses on it; >= 0. Default 0. `mu` means nothing there. */
  double aspect;    /**< In space: the second axis over the first, > 0. Default 1. */
  double angle;     /**< In space: from w_T1 to the first axis. Default 0. */
  double eps_n;     /**< Normal restitution ε_N, in [0, 1]. Default 0. */
  double eps_t;     /**< Tangential restitution ε_T, in [0, 1]. Default 0. */
  double reversal;  /**< Of impacts by Poisson's law, ν in [0, 1]: the share of tangential impulse that may
                       come back (::NSDYN_IMPACT_POISSON). Default 0. */
  /**
   * For ::NSDYN_FRICTION_CURVE, and ::NSDYN_FRICTION_BOUND where it is not NULL: writes μ >= 0 at the sliding
   * speed |γ_T| and returns 0; any other return stops the step.
   */
  int (*curve)(void *user, double speed, double *mu);
  void *user; /**< First argument of `curve`; has to outlive the law's use. */
} nsdyn_contact_law;

/**
 * @brief Writes size and defaults.
 * @param[out] law   to fill in.
 * @param[in]  size  sizeof(nsdyn_contact_law).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_law_init(nsdyn_contact_law *law, size_t size);

/**
 * @brief What a contact does in a solution.
 *
 * Told apart with the tolerance τ = 1e-9 · scale (of the contacts' rows, ::nsdyn_contact_solve_report): open
 * where Λ_N <= τ / G_NN, sticking where |ξ_T| <= τ. A slot is never open, nor is a contact under a friction
 * bound above zero, which acts whether it presses or not: it sticks or slips. A contact without friction that
 * is closed slips by the sign of ξ_T; one without a tangential row sticks; one whose sliding direction is
 * known slips that way.
 */
enum nsdyn_contact_mode {
  NSDYN_MODE_OPEN = 0,       /**< No impulse. */
  NSDYN_MODE_STICK = 1,      /**< Closed, ξ_T = 0, |Λ_T| <= μ |Λ_N|. */
  NSDYN_MODE_SLIP_PLUS = 2,  /**< Closed, ξ_T > 0, Λ_T = −μ |Λ_N|. */
  NSDYN_MODE_SLIP_MINUS = 3, /**< Closed, ξ_T < 0, Λ_T = +μ |Λ_N|. */
  NSDYN_MODE_SLIP = 4 /**< In space: closed and sliding, in the direction that nsdyn_contact_directions() has
                           beside it. */
};

/** @brief How to solve. */
enum nsdyn_contact_method {
  NSDYN_CONTACT_AUTOMATIC = 0, /**< The last modes (`warm_start`); then direct for one or two contacts, else
                                  Newton's method on modes; Lemke's method on the LCP, or where contacts are
                                  many accelerated rounds over them and a damped path of Newton's method;
                                  where those find nothing, all methods for LCPs, and a second or two of the
                                  search through modes. */
  NSDYN_CONTACT_DIRECT = 1,    /**< The modes of one or two contacts without bilateral constraints, tried
                                    directly; else unsupported. */
  NSDYN_CONTACT_LCP = 2,       /**< Glocker & Studer's LCP (their eq. 33), by an nsdyn_lcp; with contacts in
                                    space, whose friction has to be polygons, that of Stewart's pyramid. */
  NSDYN_CONTACT_MODES = 3,     /**< Search through contact modes: finds a solution wherever there is one, and
                                    proves that there is none. Contacts in the plane only. */
  NSDYN_CONTACT_ROUNDS = 4,  /**< Block Gauss–Seidel: contact after contact, each solved exactly, the rounds
                                  combined by Anderson's acceleration. For a problem with a contact in
                                  space. */
  NSDYN_CONTACT_NEWTON = 5,  /**< Semismooth Newton on the map of Alart & Curnier, some rounds first, damped
                                  where it does not converge. Likewise. */
  NSDYN_CONTACT_NATURAL = 6, /**< The same on the natural map. */
  NSDYN_CONTACT_TODOROV_RLM = 7, /**< Equations in Todorov's variables, each of which is an impulse and a
                                    velocity that obey their law, by the regular Levenberg–Marquardt method
                                    (Mylapilli & Jain 2017, §4 and §5.1). Likewise; it cannot state slots,
                                    friction of given bound, polygons and known sliding directions. */
  NSDYN_CONTACT_TODOROV_PLM = 8  /**< The same by the projected Levenberg–Marquardt method (§5.2). */
};

/** @brief Options of a solver; nsdyn_contact_options_init() writes the defaults. */
typedef struct nsdyn_contact_options {
  size_t size;        /**< sizeof(nsdyn_contact_options) as you compiled it. */
  int32_t method;     /**< One of ::nsdyn_contact_method. Default: automatic. */
  int32_t warm_start; /**< 1: try the last solution's modes first, or those of nsdyn_contact_set_modes().
                           Default 0: the same call gives the same bits, whatever was solved before. */
  int32_t max_nodes;  /**< Mode patterns a search may look at; negative (default): no limit. */
  int32_t lcp_method; /**< Of ::NSDYN_CONTACT_LCP, one of ::nsdyn_lcp_method (lcp.h): by which the LCP is
                           solved. One that cannot state it, bounds or a diagonal with zeros, ends the solve
                           with NSDYN_ERR_UNSUPPORTED. Default: automatic. */
  double tol;         /**< Largest residual over its scale, in [0, 1). Default 1e-9. */
  double rounds_relaxation; /**< Rounds over contacts in space: Λ goes (1 − ω) Λ + ω Λ', ω in (0, 2), where Λ'
                               is what its law asks for. Default 1. */
  uint64_t rounds_seed; /**< Their order: 0 (default) that of the contacts; else shuffled before each
                           round, by this seed: the same seed gives the same bits. */
} nsdyn_contact_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_contact_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_options_init(nsdyn_contact_options *options, size_t size);

/**
 * @brief G as an operator, for problems too large for a matrix; nsdyn_contact_operator_init() writes the
 * defaults: nothing of anything.
 *
 * Two forms, both by rows in which only what is not zero stands:
 *
 * - free: the rows of W, and M⁻¹ by its diagonal blocks, as of free bodies. G = W M⁻¹ Wᵀ is not built; memory
 *   and time go by contacts and bodies. ::NSDYN_CONTACT_AUTOMATIC solves large problems in the velocities of
 *   the bodies, whatever contacts are redundant.
 * - sparse: the rows of G itself, symmetric like a matrix; `bodies` is 0.
 */
typedef struct nsdyn_contact_operator {
  size_t size;           /**< sizeof(nsdyn_contact_operator) as you compiled it. */
  int32_t bodies;        /**< Diagonal blocks of M⁻¹; 0: the rows are those of G. */
  int32_t columns;       /**< Of W: the sizes of all bodies together. Not read without bodies. */
  const int32_t *body;   /**< bodies: sizes of the blocks, each at least 1. */
  const double *inverse; /**< M⁻¹: the blocks, each row-major without gaps, one behind the other; symmetric
                            and positive definite. */
  const int64_t *begin;  /**< rows + 1: where each row begins in `column` and `value`, from 0; behind the last
                            row their length. */
  const int32_t *column; /**< From 0, ascending within a row. */
  const double *value;   /**< The elements. */
} nsdyn_contact_operator;

/**
 * @brief Writes size and defaults.
 * @param[out] W     to fill in.
 * @param[in]  size  sizeof(nsdyn_contact_operator).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_operator_init(nsdyn_contact_operator *W, size_t size);

/** @brief A contact problem as data; nsdyn_contact_problem_init() writes the defaults: nothing of anything.
 */
typedef struct nsdyn_contact_problem {
  size_t size;       /**< sizeof(nsdyn_contact_problem) as you compiled it. */
  int32_t contacts;  /**< How many; 0 is legal. */
  int32_t bilateral; /**< Rows of bilateral constraints, ξ = 0; 0 is legal. Of rows that depend on each other
                        (up to 2048) the impulses are the least, by Σ G_ii Λ_i², that move all alike; where
                        such a row contradicts those before it, there is no answer, and the row is named:
                        NSDYN_NO_SOLUTION where exact arithmetic on G and c proves it, NSDYN_UNDECIDED where
                        the rows depend on each other but for rounding. */
  int32_t nlaws;     /**< How many laws there are where `law` is set; not read where it is NULL. */
  int32_t reserved;  /**< 0. */
  const nsdyn_contact_law *laws; /**< One behind the other, of one size. Restitution is in c already. */
  const int32_t *law; /**< Number of each contact's law, from 0; NULL: one law per contact, in their order. */
  const double *G;    /**< rows × rows, row-major, symmetric; finite. Elements across may differ by
                           1e-9 √(G_ii G_jj). Up to 2^-48 √(G_ii G_jj) that is rounding: from 64 rows on
                           nsdyn_contact_solve() takes the average, and judges the answer by G as it is. */
  int64_t ldg;        /**< Doubles from row to row of G, at least the rows. */
  /** G as an operator instead of the matrix, which is NULL then; NULL: there is none. nsdyn_contact_solve()
   * and nsdyn_contact_residual() know what to do with one; what else takes a problem returns
   * NSDYN_ERR_UNSUPPORTED. */
  const nsdyn_contact_operator *W;
  const double *c; /**< rows. */
  /** Coefficient in force per contact, >= 0; NULL: each law's `mu`. The laws with two coefficients and with a
   * curve (a brake's too) need it: which one is in force here, you know. */
  const double *mu;
  const double *slip;  /**< Known sliding directions, one number per tangential row, in their order: 1 or −1
                          (in space unit vectors), or 0 where unknown; NULL: all unknown. A contact that
                          slides has Λ_T = −slip · μ Λ_N and one unknown; nothing is asked of its ξ_T. Exact
                          on acceleration level, a trial elsewhere. */
  const double *start; /**< Impulses that nsdyn_contact_solve() is to begin with, rows, as a warm start does;
                          a bad guess costs time, never the answer. NULL: none. */
  double dt; /**< Δt that makes an impulse of ::NSDYN_FRICTION_BOUND's force: 0 (default) at impacts, 1 on
                  acceleration level. */
} nsdyn_contact_problem;

/**
 * @brief Writes size and defaults.
 * @param[out] problem  to fill in.
 * @param[in]  size     sizeof(nsdyn_contact_problem).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_problem_init(nsdyn_contact_problem *problem, size_t size);

/**
 * @brief Rows of G, c, Λ and ξ.
 * @param[in] problem  of it, contacts, bilateral rows, laws and their numbers are read.
 * @return the count; −1 for NULL, a negative count, missing laws or numbers of laws that are none.
 */
NSDYN_API int32_t nsdyn_contact_rows(const nsdyn_contact_problem *problem);

/** @brief What a solve found, for programs; nsdyn_contact_solve_report_init() writes the size. */
typedef struct nsdyn_contact_solve_report {
  size_t size;        /**< sizeof(nsdyn_contact_solve_report) as you compiled it. */
  int32_t status;     /**< What the solve returned. */
  int32_t method;     /**< The ::nsdyn_contact_method that the answer comes from; never automatic after a
                           success. Newton's method on modes is one of ::NSDYN_CONTACT_MODES. */
  int32_t lcp_size;   /**< Unknowns of the LCP that was solved last; 0 where none was. */
  int32_t iterations; /**< Mode patterns tried, and pivots of the LCP. */
  int32_t worst_row;  /**< Row of the largest violation; −1 where nothing is violated. */
  int32_t warm;       /**< 1 where the modes it began from gave the answer. */
  double residual;    /**< Largest violation of a law, in the units of ξ. */
  double scale; /**< What it is judged against: the largest |c_i| + Σ_j |G_ij Λ_j| of the contacts' rows, but
                     at most 1000 times the largest |c_i| + Σ |G_ij Λ_j| over bilateral j (of a bilateral
                     constraint: the sum of its own row). Beside constraints it is less where c has less than
                     a thousandth of such a sum in every row: the same thousand is the limit. A solution has
                     residual <= tol · scale. */
} nsdyn_contact_solve_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_contact_solve_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_solve_report_init(nsdyn_contact_solve_report *report, size_t size);

/**
 * @brief A solver of contact problems that owns its workspace.
 *
 * One object solves problems of any size, one after the other; it allocates when a problem is larger than all
 * before or the first to need another method, and never else. Two objects in two threads never meet.
 */
typedef struct nsdyn_contact nsdyn_contact;

/**
 * @brief Makes a solver.
 * @param[in]  ctx      where its memory comes from, held by the object; NULL: the C library.
 * @param[in]  options  copied; NULL: defaults.
 * @param[out] out      yours to free with nsdyn_contact_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT for an option out of range, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_contact_new(nsdyn_context *ctx, const nsdyn_contact_options *options,
                                         nsdyn_contact **out, nsdyn_error *error);

/**
 * @brief Frees a solver.
 * @param[in] solver  NULL is fine.
 */
NSDYN_API void nsdyn_contact_free(nsdyn_contact *solver);

/**
 * @brief Replaces all options; refused ones leave the old in place.
 * @param[in] solver   the solver.
 * @param[in] options  copied; NULL: defaults.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY; the
 *         message is in the solver.
 */
NSDYN_API nsdyn_status nsdyn_contact_set_options(nsdyn_contact *solver, const nsdyn_contact_options *options);

/**
 * @brief Solves a contact problem.
 *
 * @param[in]  solver   the solver.
 * @param[in]  problem  the data.
 * @param[out] Lambda   rows: impulses, normal then tangential of each contact, bilateral rows last; must not
 *                      overlap the data.
 * @param[out] xi       rows: G Λ + c, set to zero where a law holds it there; may be NULL.
 * @return NSDYN_OK with a solution; NSDYN_NO_SOLUTION (proved), NSDYN_UNDECIDED (nothing was found,
 * undecided), NSDYN_INACCURATE (what was found misses `tol`), NSDYN_MAX_ITERATIONS (`max_nodes` is used up),
 *         NSDYN_CANCELLED, each with the best Λ found and its residual in the report; NSDYN_ERR_ARGUMENT,
 *         NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOT_DEFINITE, NSDYN_ERR_UNSUPPORTED, NSDYN_ERR_NOMEM,
 * NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY with the outputs
 * untouched.
 */
NSDYN_API nsdyn_status nsdyn_contact_solve(nsdyn_contact *solver, const nsdyn_contact_problem *problem,
                                           double *Lambda, double *xi);

/**
 * @brief What the last solve found.
 *
 * A call that is refused leaves a report with its status and nothing else.
 *
 * @param[in]     solver  the solver.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_report(const nsdyn_contact *solver, nsdyn_contact_solve_report *report);

/**
 * @brief Modes of the last solution, one ::nsdyn_contact_mode per contact.
 * @param[in]  solver    the solver.
 * @param[out] contacts  how many, 0 where there is no solution; may be NULL.
 * @return the object's own, valid until its next call; NULL where there is no solution.
 */
NSDYN_API const int32_t *nsdyn_contact_modes(const nsdyn_contact *solver, int32_t *contacts);

/**
 * @brief Directions of sliding in the last solution of a problem with a contact in space.
 * @param[in]  solver    the solver.
 * @param[out] contacts  how many pairs, 0 where there is none; may be NULL.
 * @return two numbers per contact: where it slides (::NSDYN_MODE_SLIP) the unit vector along ξ_T, in the
 * plane (±1, 0), else (0, 0). The object's own, valid until its next call; NULL where there is no such
 * solution.
 */
NSDYN_API const double *nsdyn_contact_directions(const nsdyn_contact *solver, int32_t *contacts);

/**
 * @brief Sets the modes a warm start begins from (option `warm_start`); a bad guess costs time, never the
 * answer.
 * @param[in] solver    the solver.
 * @param[in] contacts  how many; 0: forget those there are.
 * @param[in] modes     one ::nsdyn_contact_mode per contact, copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a number that is no mode, NSDYN_ERR_NOMEM, NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_contact_set_modes(nsdyn_contact *solver, int32_t contacts, const int32_t *modes);

/**
 * @brief One line on the last failure or missing answer, naming contact or row.
 * @param[in] solver  the solver.
 * @return the object's own, valid until its next call; "" after a success.
 */
NSDYN_API const char *nsdyn_contact_message(const nsdyn_contact *solver);

/**
 * @brief The same for programs: which contact, row, field or argument.
 * @param[in]     solver  the solver.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_detail(const nsdyn_contact *solver, nsdyn_detail *detail);

/**
 * @brief The certificate on its own: judges any Λ by code that no solver shares.
 *
 * Per contact with r = ½ (G_NN + G_TT), or G_NN without a tangential row: |min(ξ_N, r Λ_N)|, of a slot |ξ_N|;
 * and the distance of r Λ_T from the projection of r Λ_T − ξ_T on [−r μ|Λ_N|, r μ|Λ_N|], where the sliding
 * direction is known from −slip · r μ|Λ_N|; per bilateral row |ξ|. In space r = ⅓ (G_NN + G_T1T1 + G_T2T2),
 * and the set of friction impulses takes the interval's place.
 *
 * Where c is less than 1e-10 of G Λ in every row, rounding could hide any violation of this problem's laws,
 * so the residual is all of it: singular G admit such points far out, whether there is a solution or not. It
 * is infinite where something overflows, beside a scale of zero.
 *
 * @param[in]  problem   the data.
 * @param[in]  Lambda    rows: the impulses to judge.
 * @param[out] residual  the violation that is largest over its scale, in the units of ξ.
 * @param[out] scale     the scale it is judged against, as in ::nsdyn_contact_solve_report; may be NULL.
 * @param[out] row       where; −1 if nothing is violated; may be NULL.
 * @return NSDYN_OK, or why the problem is refused, as nsdyn_contact_solve(). A problem whose G is an operator
 * is read first, into memory of the C library, since there is no object: NSDYN_ERR_NOMEM.
 */
NSDYN_API nsdyn_status nsdyn_contact_residual(const nsdyn_contact_problem *problem, const double *Lambda,
                                              double *residual, double *scale, int32_t *row);

/**
 * @brief The problem as an LCP, Glocker & Studer (2005), eq. 33: y = A x + b, lo <= x <= hi.
 *
 * A contact takes the rows (Λ_N, Λ_R, ξ_L) ⊥ (ξ_N, ξ_R, Λ_L), Λ_R = Λ_T + μ Λ_N; one row, Λ_N, where μ = 0 or
 * the sliding direction is known; two, (Λ_N, Λ_T), the second within bounds, where the friction bound is
 * given. A slot with friction takes (Λ_N, N⁺, Λ_R, ξ_L), N⁺ = max(Λ_N, 0), the first free. Contacts stand in
 * their order, bilateral constraints, which are free variables, behind them. lo and hi tell which.
 *
 * With a contact in space it is the LCP of Stewart's friction pyramid (Stewart 2000, eqs. 2.11–2.16): a
 * contact whose polygon has the corners d_j as columns of D takes (Λ_N, β, σ) ⊥ (ξ_N, Dᵀξ_T + e σ, μ Λ_N −
 * eᵀβ), Λ_T = D β; with a given bound the last is bound − eᵀβ. A planar contact beside it has d = 1 and −1; a
 * slot with friction by load has N⁺ behind Λ_N, and μ (2 N⁺ − Λ_N) in the bound; where nothing of friction is
 * unknown Λ_N is alone. A contact whose friction is an ellipse has no such form.
 *
 * @param[in]  problem  the data.
 * @param[out] A        n × n, row stride lda; NULL: only count.
 * @param[in]  lda      at least n; not read where A is NULL.
 * @param[out] b,lo,hi  n each; may be NULL where A is.
 * @param[out] n        unknowns.
 * @return NSDYN_OK, or why the problem is refused; NSDYN_ERR_ARGUMENT also where lda is too small,
 * NSDYN_ERR_UNSUPPORTED for a contact in space with friction of unknown direction on an ellipse.
 */
NSDYN_API nsdyn_status nsdyn_contact_lcp(const nsdyn_contact_problem *problem, double *A, int64_t lda,
                                         double *b, double *lo, double *hi, int32_t *n);

/**
 * @brief Reads a contact problem from text.
 *
 * Words and numbers separated by white space; lines do not matter but for `#`, which begins a comment that
 * ends with the line. The decimal point is a point in every locale. Parts in brackets may be missing, the
 * others come in this order:
 *
 *     contacts N  bilateral B  rows R  laws K
 *     [dt X]
 *     law FIELD VALUE ...          K times
 *     [law_of I ...]               N numbers of laws, from 0; without it contact i has law i
 *     G X ...  or  blocks K ...    R rows of R numbers, or blocks
 *     c X ...                      R
 *     [mu X ...]                   N: coefficients in force
 *     [slip X ...]                 one for each tangential row
 *     [start X ...]                R
 *
 * The fields of a law are those of ::nsdyn_contact_law, but for `size`, `reserved`, `curve` and `user`, in
 * any order, each once; a field that is not there has its default. Words stand for the enumerators: `kind`
 * `unilateral`, `bilateral`; `friction` `none`, `coulomb`, `static`, `curve`, `bound`, `brake` (a bound with
 * a curve); `shape` `ellipse`, `polygon`. No text holds a curve, which is a function: a law with one gets a
 * curve that answers no question, enough for a problem, whose coefficients in force are in `mu`.
 *
 * After `blocks` and their number each is I J and then the elements of G that cell J, a contact's rows or one
 * bilateral row behind the contacts, has in the rows of cell I, row by row; what has no block is zero. A
 * block below the diagonal (I > J) stands for the one across too, which may follow at once where it differs.
 * Blocks go line by line: I grows, and J up to I.
 *
 * Call it twice: first with memory = NULL to learn how much memory the problem takes, then with that memory.
 * A text in blocks may ask for the square of its length.
 *
 * @code
 * size_t bytes = 0;
 * nsdyn_contact_problem problem;
 * nsdyn_contact_problem_init(&problem, sizeof problem);
 * nsdyn_status status = nsdyn_contact_read_text(solver, text, strlen(text), &problem, NULL, &bytes);
 * void *memory = malloc(bytes);
 * status = status ? status : nsdyn_contact_read_text(solver, text, strlen(text), &problem, memory, &bytes);
 * @endcode
 *
 * @param[in]     solver   keeps the message ("line 7: …") and the line as its detail.
 * @param[in]     text     need not end with a zero.
 * @param[in]     length   its bytes.
 * @param[in,out] problem  its `size` set by you; filled in by the second call. Its arrays stand in `memory`,
 *                         which is yours and has to outlive it; G is dense, one row behind the other.
 * @param[out]    memory   aligned as malloc() aligns; NULL for the first call.
 * @param[in,out] size     bytes of `memory`; written by the first call.
 * @return NSDYN_OK, NSDYN_ERR_SYNTAX, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_ARGUMENT (also where `memory` is too
 * small), NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_BUSY, NSDYN_CANCELLED; after a failure the memory holds nothing of
 * use, and the problem is as it was. Whether a solver takes the problem it says itself.
 */
NSDYN_API nsdyn_status nsdyn_contact_read_text(nsdyn_contact *solver, const char *text, size_t length,
                                               nsdyn_contact_problem *problem, void *memory, size_t *size);

/**
 * @brief Writes a contact problem as text that nsdyn_contact_read_text() reads back to the bit.
 *
 * G is written whole, or by blocks where that is shorter.
 *
 * @param[in]  problem  the data.
 * @param[out] text     receives at most `size` bytes with a zero at the end; NULL with size 0 to measure.
 * @param[in]  size     bytes of `text`.
 * @return the bytes the whole text needs, its zero included; 0 for a bad argument: a problem that
 *         nsdyn_contact_solve() refuses among them.
 */
NSDYN_API size_t nsdyn_contact_write_text(const nsdyn_contact_problem *problem, char *text, size_t size);

/**
 * @brief Solutions that hang together: an impulse, or a polyhedron of them, the hull of its vertices plus the
 * cone of its rays.
 *
 * Pieces are maximal: none lies within another.
 */
typedef struct nsdyn_contact_piece {
  size_t size;                /**< sizeof(nsdyn_contact_piece) of the running library. */
  int32_t rows;               /**< Rows of Λ and ξ. */
  int32_t contacts;           /**< Entries of `modes`. */
  int32_t dimension;          /**< Of the impulses: 0 is a point. */
  int32_t velocity_dimension; /**< Of the velocities they cause: 0 is one motion. */
  int32_t vertices;           /**< How many. */
  int32_t rays;               /**< How many; 0: bounded. */
  const double *Lambda;       /**< vertices × rows; the visitor may read all arrays until it returns. */
  const double *xi;           /**< vertices × rows. */
  const double *ray;          /**< rays × rows: directions of Λ, each of maximum norm 1. */
  const int32_t *modes;       /**< Modes in the piece's interior. */
} nsdyn_contact_piece;

/** @brief What an enumeration counted; nsdyn_contact_census_init() writes the size. */
typedef struct nsdyn_contact_census {
  size_t size;              /**< sizeof(nsdyn_contact_census) as you compiled it. */
  int64_t points;           /**< Isolated impulses. */
  int64_t bounded_pieces;   /**< Continua of impulses, bounded. */
  int64_t unbounded_pieces; /**< Continua of impulses, unbounded. */
  int64_t motions;  /**< Different velocities: 1 where the motion is unique whatever the impulses; −1
                         where they form a continuum. */
  int64_t nodes;    /**< Mode patterns looked at, whole or in part. */
  int64_t doubtful; /**< Patterns that were closed at rounding level because exact arithmetic would have taken
                       too much work, and pieces that do not hold `tol`: pieces may be missing. */
  int32_t max_dimension; /**< Of all pieces; −1 without solution. */
  int32_t complete; /**< 1: these are all, of the data to the last bit; 0: stopped early, or `doubtful`. In
                       space 1: these are all, by margins far beyond rounding. */
} nsdyn_contact_census;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] census  to fill in.
 * @param[in]  size    sizeof(nsdyn_contact_census).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_census_init(nsdyn_contact_census *census, size_t size);

/**
 * @brief Every physical solution of a contact problem, by its modes: none is spurious, none comes twice.
 *
 * Redundant contacts often have infinitely many impulses and one velocity, which is no ambiguity of the
 * motion: the census counts both. What rounding cannot decide is settled in exact arithmetic on the data as
 * they are given; contacts that are redundant but for rounding are not redundant, then. A vertex so far out
 * that c is less than a thousandth of G Λ holds `tol` beside the terms of G Λ, where nsdyn_contact_residual()
 * allows no more than that share of c.
 *
 * One or two contacts, one or both of them in space, with bilateral rows or without, have a list too, which
 * nsdyn_contact_solve() with NSDYN_CONTACT_AUTOMATIC asks where no method found a solution: of
 * points, and of lines along which impulses hold each other. Each point and each end of a line passes
 * nsdyn_contact_residual(). The list is complete, and NSDYN_NO_SOLUTION said, where every decision is clear
 * of rounding by far; there rows that depend on each other but for rounding count as dependent. Where one is
 * not clear the census is `doubtful`: a law that is just met or just missed, two solutions next to each
 * other, more than one dependence of impulses, of one contact alone any. Of more contacts, one of which is in
 * space, one solution is looked for; the census is complete where it is proved that there is no other, which
 * takes a definite G and friction that is small beside its condition, and else doubtful.
 *
 * @param[in]     solver,problem  as for nsdyn_contact_solve().
 * @param[in]     visit   called for each piece, which is valid until it returns: 0 goes on, anything else
 * stops (NSDYN_CANCELLED); NULL to count only.
 * @param[in]     user    handed to `visit`.
 * @param[in,out] census  its `size` set by you; filled in; may be NULL.
 * @return NSDYN_OK with at least one solution; NSDYN_NO_SOLUTION (proved), NSDYN_UNDECIDED where none was
 * found but rounding leaves patterns undecided, NSDYN_CANCELLED, NSDYN_MAX_ITERATIONS, NSDYN_ERR_….
 */
NSDYN_API nsdyn_status nsdyn_contact_enumerate(nsdyn_contact *solver, const nsdyn_contact_problem *problem,
                                               int (*visit)(void *user, const nsdyn_contact_piece *piece),
                                               void *user, nsdyn_contact_census *census);

/**
 * @brief G = W M⁻¹ Wᵀ from the force directions, as rows of W, and a Cholesky factor of the mass matrix.
 *
 * @param[in]  rows,nu  rows of W, and velocities.
 * @param[in]  W        rows × nu, row-major: one force direction per row.
 * @param[in]  ldw      doubles from row to row of W.
 * @param[in]  L        nu × nu, M = L Lᵀ, lower triangle.
 * @param[in]  ldl      doubles from row to row of L.
 * @param[out] X        rows × nu, row stride nu: L⁻¹ applied to each row of W; may be W where ldw is nu.
 * @param[out] G        rows × rows, row stride ldg; symmetric to the bit.
 * @param[in]  ldg      at least rows.
 * @return NSDYN_OK; NSDYN_ERR_ARGUMENT, also where L has a diagonal element that is not positive, or where a
 *         row of W that is not zero is so small that its diagonal element of G underflows to zero;
 *         NSDYN_ERR_NOT_FINITE, also for an overflow on the way; NSDYN_ERR_NOMEM, which only numbers near an
 *         overflow or underflow can lead to. X and G are written with NSDYN_OK alone.
 */
NSDYN_API nsdyn_status nsdyn_contact_delassus(int32_t rows, int32_t nu, const double *W, int64_t ldw,
                                              const double *L, int64_t ldl, double *X, double *G,
                                              int64_t ldg);

/**
 * @brief Impact laws: what happens to the velocities where bodies collide.
 *
 * An impact changes velocities at once, by impulses: γ⁺ = G Λ + γ⁻. All closed contacts take part, not only
 * the colliding ones. Slots (::NSDYN_CONTACT_BILATERAL) stay closed, γ_N⁺ = 0, and rows of bilateral
 * constraints end with γ = 0. The laws agree where contacts have no friction and one ε_N, and Newton's leaves
 * none of them approaching; else they are different answers, and which is right is physics.
 */
enum nsdyn_impact_law {
  /** ξ = γ⁺ + ε γ⁻ in place of γ⁺ in the contact law: a contact that transfers an impulse leaves with −ε_N
   * times its approach velocity. With ε_N > 0 and ε_T = 0 there may be no solution, and friction may gain
   * energy. */
  NSDYN_IMPACT_NEWTON = 0,
  /** Two halves. Compression is Newton's impact with ε = 0. In expansion a contact gives back at least the
   * share ε_N of its normal impulse: 0 <= Λ_NE − ε_N Λ_NC ⊥ γ_NE >= 0. Friction obeys Coulomb's law in both
   * halves, |Λ_TE| <= μ Λ_NE, with one end moved by `reversal`, ν: for Λ_TC > 0 the lower one, to −(1 − ν) μ
   * Λ_NE + ν ε_N ε_T Λ_TC, for Λ_TC < 0 likewise the upper one. In space a part of the disk, ellipse or
   * polygon is cut off: e·Λ_TE >= −(1 − ν) μ Λ_NE + ν ε_N ε_T e·Λ_TC, e normal to the cut and along Λ_TC (of
   * an ellipse normal to it where Λ_TC points), as long as max e·Λ_T = μ Λ_N over the whole. A slot presses
   * flank against flank with what it gives back: max(|Λ_NE|, ε_N |Λ_NC|) takes the place of Λ_NE there.
   * Without slots there always is a solution. */
  NSDYN_IMPACT_POISSON = 1
};

/** @brief The two halves of an impact. */
enum nsdyn_impact_half_kind {
  NSDYN_IMPACT_COMPRESSION = 0, /**< Until nothing approaches; under Newton's law the whole impact. */
  NSDYN_IMPACT_EXPANSION = 1    /**< Until they part; under Newton's law nothing happens in it. */
};

/** @brief What an impact did, for programs; nsdyn_impact_report_init() writes the size. */
typedef struct nsdyn_impact_report {
  size_t size;    /**< sizeof(nsdyn_impact_report) as you compiled it. */
  int32_t status; /**< What the call returned. */
  int32_t law;    /**< The ::nsdyn_impact_law. */
  int32_t half; /**< The ::nsdyn_impact_half_kind that `residual` belongs to: the one without an answer, else
                   the worse one. */
  int32_t worst_row; /**< Row of the largest violation; −1 where nothing is violated. */
  double residual;   /**< Largest violation of the law, a velocity. */
  double scale;      /**< What it is judged against, a velocity. */
  double energy;     /**< Change of kinetic energy, ½ Λᵀ (γ⁻ + γ⁺): negative where it is lost. */
} nsdyn_impact_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_impact_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_impact_report_init(nsdyn_impact_report *report, size_t size);

/** @brief One half of an impact; nsdyn_impact_half_init() writes the size. */
typedef struct nsdyn_impact_half {
  size_t size;          /**< sizeof(nsdyn_impact_half) as you compiled it. */
  int32_t rows;         /**< Of Lambda and gamma. */
  int32_t contacts;     /**< Of modes. */
  const double *Lambda; /**< rows: impulses of this half; the solver's own, valid until its next call. */
  const double *gamma;  /**< rows: relative velocities at its end. */
  const int32_t *modes; /**< contacts: a ::nsdyn_contact_mode each, by the velocities at its end (by ξ under
                           Newton's law). */
  double energy;        /**< Change of kinetic energy in it: negative where it is lost. */
  double residual;      /**< Largest violation of its law, a velocity. */
  double scale;         /**< What that is judged against. */
  int32_t worst_row;    /**< Row of the largest violation; −1 where nothing is violated. */
  int32_t lcp_size;     /**< Unknowns of the LCP that was solved last; 0 where none was. */
  const double *directions; /**< contacts × 2: where a contact slides the unit vector along γ_T (along ξ_T
                               under Newton's law), in the plane (±1, 0), else (0, 0); NULL where no contact
                               is in space. */
} nsdyn_impact_half;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] half  to fill in.
 * @param[in]  size  sizeof(nsdyn_impact_half).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_impact_half_init(nsdyn_impact_half *half, size_t size);

/**
 * @brief Impulses and velocities of an impact.
 *
 * The problem is that of nsdyn_contact_solve(), but c holds γ⁻, the relative velocities before the impact;
 * eps_n, eps_t and reversal of the laws are heeded here. A friction of given bound has no impulse in no time,
 * so that dt is 0 as a rule; a time step with Poisson's law sets it, and all of that impulse counts to the
 * compression. The contact problem solved on the way, Newton's or Poisson's compression, is the one that
 * nsdyn_contact_report() and nsdyn_contact_modes() speak of afterwards.
 *
 * @code
 * // A ball of 1 kg falls on a rough floor and slides to the right; its skin can turn the slide round.
 * const double G[4] = {1.0, 0.0, 0.0, 3.5};
 * const double gamma_before[2] = {-2.0, 0.5};
 * nsdyn_contact_law ball;
 * nsdyn_contact_law_init(&ball, sizeof ball);
 * ball.mu = 0.4;
 * ball.eps_n = 0.8;
 * ball.eps_t = 0.9;
 * ball.reversal = 1.0;
 * nsdyn_contact_problem problem;
 * nsdyn_contact_problem_init(&problem, sizeof problem);
 * problem.contacts = 1;
 * problem.laws = &ball;
 * problem.G = G;
 * problem.ldg = 2;
 * problem.c = gamma_before;
 * double Lambda[2], gamma_after[2];
 * const nsdyn_status status =
 *     nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &problem, Lambda, gamma_after);
 * @endcode
 *
 * It leaves γ⁺ = (1.6, −0.36) m/s: ε_N times the approach, and −ε_N ε_T times the slide.
 *
 * @param[in]  solver   the solver.
 * @param[in]  law      one of ::nsdyn_impact_law.
 * @param[in]  problem  the data; `slip` must be NULL or all zero, since an impact may end any sliding.
 * @param[out] Lambda   rows: impulses of the whole impact; must not overlap the data.
 * @param[out] gamma    rows: velocities after it, γ⁺; may be NULL.
 * @return as nsdyn_contact_solve(); NSDYN_ERR_NOT_FINITE also where the energy overflows. NSDYN_NO_SOLUTION
 * (proved) is an answer of Newton's law in a configuration that locks itself; Poisson's law, or ε = 0, has a
 * solution there.
 */
NSDYN_API nsdyn_status nsdyn_contact_impact(nsdyn_contact *solver, int32_t law,
                                            const nsdyn_contact_problem *problem, double *Lambda,
                                            double *gamma);

/**
 * @brief What the last impact did.
 *
 * A call that is refused leaves a report with its status and law and nothing else.
 *
 * @param[in]     solver  the solver.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_impact_report(const nsdyn_contact *solver, nsdyn_impact_report *report);

/**
 * @brief Impulses, velocities, modes and energy of one half of the last impact.
 *
 * After a missing answer it holds the best that was found; expansion has nothing where compression found no
 * answer. Before the first impact and after a refused one both have 0 rows.
 *
 * @param[in]     solver  the solver.
 * @param[in]     kind    one of ::nsdyn_impact_half_kind.
 * @param[in,out] half    its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL or another kind, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_impact_half(const nsdyn_contact *solver, int32_t kind,
                                                 nsdyn_impact_half *half);

#ifdef __cplusplus
}
#endif

#endif
