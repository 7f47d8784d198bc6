/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief A mechanical system: what the host program brings, as a table of callbacks.
 *
 * The equations of motion are
 *
 *     M(q,t) u̇ − h(q,u,t) = Σ_i (w_N λ_N + w_T λ_T)_i + W_B λ_B,    q̇ = u  (or q̇ = N(q) u),
 *
 * with gaps g_N(q,t) and relative velocities γ = wᵀ u + ŵ of the contacts, and bilateral constraints
 * g_b(q,t) = 0. The table says how each is computed; a system adds the law of every contact.
 *
 * **Callbacks.** Each takes `user` first and returns 0 when it has done its work, a positive number when it
 * cannot at this configuration but might with a shorter step, a negative one to stop: the call that triggered
 * it then returns NSDYN_ERR_CALLBACK_RETRY or NSDYN_ERR_CALLBACK, its message names the callback (and
 * contact), and nsdyn_detail::index holds the code. Outputs arrive filled with zeros, so that only what is
 * not zero need be written. What they write is checked: a NaN, a number from 2^255 (6e76) on, as products of
 * four would overflow, or an M that is not positive definite is refused.
 *
 * Matrices are row-major without gaps. Angles are in radians; the library knows no other units.
 *
 * @code
 * // A ball of mass m falling on a floor at y = 0.
 * struct ball {
 *   double m, g;
 * };
 * static int mass(void *user, double t, const double *q, double *M)
 * {
 *   (void)t, (void)q;
 *   M[0] = ((const struct ball *)user)->m;
 *   return 0;
 * }
 * static int force(void *user, double t, const double *q, const double *u, double *h)
 * {
 *   const struct ball *ball = user;
 *   (void)t, (void)q, (void)u;
 *   h[0] = -ball->m * ball->g;
 *   return 0;
 * }
 * static int gap(void *user, double t, const double *q, double *g)
 * {
 *   (void)user, (void)t;
 *   g[0] = q[0];
 *   return 0;
 * }
 * static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
 * {
 *   (void)user, (void)t, (void)q, (void)i;
 *   W[0] = 1.0;
 *   w_hat[0] = 0.0; // the floor stands still
 *   return 0;
 * }
 * @endcode
 */
#ifndef NSDYN_SYSTEM_H
#define NSDYN_SYSTEM_H

#include "contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What is known of a system once and for all; bits of nsdyn_system_def::flags. */
enum nsdyn_system_flag {
  NSDYN_CONSTANT_MASS = 1,       /**< M depends on neither q nor t: factored once. */
  NSDYN_CONSTANT_DIRECTIONS = 2, /**< W and ŵ of the contacts known in advance do not either. */
  NSDYN_CONSTANT_SLOPES = 4 /**< K and D of `force_jacobian`, which is needed then, depend on neither q, u
                                 nor t: with a constant M, and q̇ = u, ::NSDYN_SCHEME_MOREAU_JEAN factors
                                 its matrix once for each length of steps, and
                                 ::NSDYN_SCHEME_GENERALIZED_ALPHA where modes change. */
};

/** @brief Some columns of a found contact's W: the coordinates of one body. */
typedef struct nsdyn_contact_block {
  int32_t offset;       /**< First velocity, from 0. */
  int32_t count;        /**< How many. */
  const double *values; /**< (rows of the contact) × count, row-major: row 0 of w_N, then w_T. */
} nsdyn_contact_block;

/** @brief A contact found at run time; nsdyn_found_contact_init() writes the defaults. */
typedef struct nsdyn_found_contact {
  size_t size;    /**< sizeof(nsdyn_found_contact) as you compiled it. */
  int64_t key;    /**< Who it is, the same from step to step: for warm starts and the memory of friction. */
  double gap;     /**< g_N; a slot is closed, whatever its gap. INFINITY: far away, none. */
  int32_t law;    /**< Number of its law, from nsdyn_system_add_law(). */
  int32_t blocks; /**< How many. */
  /** Its W; what no block names is zero. Copied before the call returns. */
  const nsdyn_contact_block *block;
  double w_hat[3]; /**< ŵ: normal, tangential, second tangential. Default 0. */
  double w_bar[3]; /**< w̄ on acceleration level; read where `find` gets u. Default NaN, not known: an event
                      driver differences it along the motion, by six searches more per evaluation. */
} nsdyn_found_contact;

/**
 * @brief Writes size and defaults.
 * @param[out] found  to fill in.
 * @param[in]  size   sizeof(nsdyn_found_contact).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_found_contact_init(nsdyn_found_contact *found, size_t size);

/** @brief Where a search for contacts puts them. */
typedef struct nsdyn_contact_sink nsdyn_contact_sink;

/**
 * @brief Reports a contact from inside nsdyn_system_def::find.
 * @param[in] sink   as handed to the callback.
 * @param[in] found  copied. A gap above the margin, or INFINITY, is ignored.
 * @return 0; or a negative number for the callback to return at once: memory is out, or the record was
 * refused (no such law, a block outside the velocities, a NaN, a key given twice), which the message tells.
 */
NSDYN_API int nsdyn_contact_sink_add(nsdyn_contact_sink *sink, const nsdyn_found_contact *found);

/**
 * @brief What the host program brings. nsdyn_system_def_init() writes the defaults: nothing of anything.
 *
 * `configure` is called before the others see a configuration (t, q): it is always the one that the next
 * callback gets, so that what they share can be computed there once. `mass` or `solve_mass` has to be there;
 * the others where there is something for them to tell.
 */
typedef struct nsdyn_system_def {
  size_t size;          /**< sizeof(nsdyn_system_def) as you compiled it. */
  int32_t nq;           /**< Coordinates. */
  int32_t nu;           /**< Velocities. */
  int32_t ncontacts;    /**< Contacts known in advance, numbered from 0. */
  int32_t nconstraints; /**< Bilateral constraints. */
  int64_t flags;        /**< Bits of ::nsdyn_system_flag. */
  int32_t nblocks; /**< Diagonal blocks of M, as of bodies that joints do not link in M; 0 (default): M is one
                      block. */
  int32_t reserved; /**< 0. */
  /** Their sizes, nblocks: each at least 1, nu in all. Copied. With 0 blocks not read. */
  const int32_t *block;
  void *user; /**< Handed to every callback as its first argument. */
  /** Called once with `user` when the last holder of the system lets go. NULL: not called. */
  void (*destroy_user)(void *user);
  /** Shared kinematics of a configuration. NULL: none. */
  int (*configure)(void *user, double t, const double *q);
  /** M, nu × nu, symmetric positive definite. Its lower triangle is read; the upper one is its mirror image,
   * or zero throughout, else M is refused with NSDYN_ERR_NOT_DEFINITE. Where `nblocks` names blocks, theirs
   * are the only elements: each block row-major without gaps, one behind the other, so that two bodies of six
   * velocities have M[0] to M[35] and M[36] to M[71]. Memory and work go by the sizes of the blocks. */
  int (*mass)(void *user, double t, const double *q, double *M);
  /** X := X M⁻¹ for nrhs rows of nu, instead of `mass` where that is cheaper than a factorization. */
  int (*solve_mass)(void *user, double t, const double *q, int32_t nrhs, double *X);
  /** h, nu: all smooth forces, gyroscopic ones too. NULL: none. */
  int (*force)(void *user, double t, const double *q, const double *u, double *h);
  /** Gaps of the contacts known in advance, ncontacts; INFINITY for one that is far away (not of a slot). */
  int (*gap)(void *user, double t, const double *q, double *g);
  /**
   * Directions of contact i: row 0 of W is w_Nᵀ, row 1 w_Tᵀ, in space rows 1 and 2 (there is room for all,
   * whatever the law); w_hat the same of ŵ. Called for contacts that are closed only.
   */
  int (*direction)(void *user, double t, const double *q, int32_t i, double *W, double *w_hat);
  /** w̄ of contact i, on acceleration level. NULL: differenced along the motion. */
  int (*bias)(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar);
  /** Reports every contact with a gap below `margin` by nsdyn_contact_sink_add(). Where `u` is not NULL, w̄ is
   * wanted, too, and may be reported. NULL: none. */
  int (*find)(void *user, double t, const double *q, const double *u, double margin,
              nsdyn_contact_sink *sink);
  /** Constraints: g_b (nconstraints), W_b (a row of nu each) and ŵ_b. */
  int (*constraint)(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b);
  /** w̄_b on acceleration level. NULL: differenced along the motion. */
  int (*constraint_bias)(void *user, double t, const double *q, const double *u, double *w_bar_b);
  /** q̇ (nq) from u. NULL: q̇ = u, which wants nq = nu. */
  int (*kinematics)(void *user, double t, const double *q, const double *u, double *qdot);
  /** The configuration after dt at constant u, from (t, q). NULL: q + dt q̇. */
  int (*retract)(void *user, double t, const double *q, const double *u, double dt, double *q_new);
  /** Kinetic energy T, for energy balances where there is `solve_mass` and no `mass`. NULL: unknown there. */
  int (*kinetic)(void *user, double t, const double *q, const double *u, double *T);
  /** G = W M⁻¹ Wᵀ of closed contacts, by their numbers or keys, and of the constraints behind them, without W
   * and M, as a tree of bodies has it. Not solved by this release: has to be NULL, else
   * NSDYN_ERR_UNSUPPORTED. */
  int (*delassus)(void *user, double t, const double *q, int32_t contacts, const int64_t *key, double *G,
                  int64_t ldg);
  /** Derivatives of h, for stiff forces: K = ∂h/∂q (nu × nq) and D = ∂h/∂u (nu × nu), row-major, zero when
   * called. Used by schemes that take forces within the step (::NSDYN_SCHEME_MOREAU_JEAN), which iterate with
   * them: what is missing costs rounds. NULL: differenced there. */
  int (*force_jacobian)(void *user, double t, const double *q, const double *u, double *K, double *D);
} nsdyn_system_def;

/**
 * @brief Writes size and defaults.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_system_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_system_def_init(nsdyn_system_def *def, size_t size);

/**
 * @brief A mechanical system.
 *
 * It holds the table and the laws, no state and no scratch: steppers and drivers of several threads may share
 * one as far as its callbacks allow, while nobody changes a law. It is counted: what uses it holds it.
 *
 * Laws may be added at any time, from within callbacks too. They are changed between two calls: from within a
 * callback of a step, of a run of an event driver or of a search for a cycle of this system
 * nsdyn_system_set_contact() and nsdyn_system_set_law() return NSDYN_ERR_BUSY. An observer of
 * nsdyn_stepper_advance() stands between two steps, and may change them.
 */
typedef struct nsdyn_system nsdyn_system;

/**
 * @brief Makes a system.
 * @param[in]  ctx  memory and log, held; NULL: the C library and silence.
 * @param[in]  def  copied.
 * @param[out] out  yours to free with nsdyn_system_free(); NULL on failure (`destroy_user` is not called
 * then).
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT where the table lacks something (the message says
 * what), NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_system_new(nsdyn_context *ctx, const nsdyn_system_def *def, nsdyn_system **out,
                                        nsdyn_error *error);

/** @brief Lets go of a system; NULL is fine. Steppers that hold it keep it alive. */
NSDYN_API void nsdyn_system_free(nsdyn_system *sys);

/**
 * @brief Sets the law of a contact known in advance. Until then it has the defaults of
 * nsdyn_contact_law_init().
 * @param[in] sys  the system.
 * @param[in] i    contact, from 0.
 * @param[in] law  copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (the message names contact and field), NSDYN_ERR_NOT_FINITE,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY from within a callback of a step or
 *         run of this system.
 */
NSDYN_API nsdyn_status nsdyn_system_set_contact(nsdyn_system *sys, int32_t i, const nsdyn_contact_law *law);

/**
 * @brief Adds a law for contacts found at run time; at any time, within `find` too, and in several threads.
 * @param[in]  sys     the system.
 * @param[in]  law     copied.
 * @param[out] number  what nsdyn_found_contact::law calls it.
 * @return as nsdyn_system_set_contact() but for NSDYN_ERR_BUSY, and NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE.
 */
NSDYN_API nsdyn_status nsdyn_system_add_law(nsdyn_system *sys, const nsdyn_contact_law *law, int32_t *number);

/**
 * @brief Replaces a law for contacts found at run time.
 * @param[in] sys     the system.
 * @param[in] number  as handed out by nsdyn_system_add_law().
 * @param[in] law     copied.
 * @return as nsdyn_system_set_contact().
 */
NSDYN_API nsdyn_status nsdyn_system_set_law(nsdyn_system *sys, int32_t number, const nsdyn_contact_law *law);

/** @brief In which way callbacks contradict each other; of several, the one to look at first has the lowest
 * number. */
enum nsdyn_system_defect {
  NSDYN_DEFECT_NONE = 0,       /**< Nothing was found. */
  NSDYN_DEFECT_NOT_FINITE = 1, /**< A NaN or an infinity; the call returns NSDYN_ERR_NOT_FINITE. */
  NSDYN_DEFECT_CHANGING = 2,   /**< Asked twice, a callback gives two answers. */
  NSDYN_DEFECT_SYMMETRY = 3,   /**< M, or M⁻¹ of `solve_mass`, is not symmetric. */
  NSDYN_DEFECT_DEFINITE = 4,   /**< It is not positive definite. */
  NSDYN_DEFECT_INVERSE = 5,    /**< `solve_mass` does not solve with `mass`. */
  NSDYN_DEFECT_LINEAR = 6,     /**< `kinematics` is not linear in u. */
  NSDYN_DEFECT_REST = 7,       /**< `retract` moves q in no time. */
  NSDYN_DEFECT_MOTION = 8,     /**< `retract` goes another way than `kinematics` says. */
  NSDYN_DEFECT_SLOPE = 9, /**< A row of W is not the slope of its gap or constraint along the velocities. */
  NSDYN_DEFECT_RATE = 10, /**< ŵ is not what its gap or constraint changes by in time. */
  NSDYN_DEFECT_BIAS = 11, /**< w̄ is not what W u + ŵ changes by along the motion at constant u. */
  NSDYN_DEFECT_CONSTANT = 12 /**< What nsdyn_system_def::flags calls constant is not. */
};

/** @brief What a check of callbacks found; nsdyn_system_check_report_init() writes the size. */
typedef struct nsdyn_system_check_report {
  size_t size;          /**< sizeof(nsdyn_system_check_report) as you compiled it. */
  const char *callback; /**< Whose answer is wrong, for example "direction"; "" where none is. Constant. */
  int64_t key;          /**< Of a found contact; else its number. */
  double expected;      /**< The number as it follows from other callbacks, by differences. */
  double found;         /**< As it is given. */
  double error;         /**< Their difference, over the size of such numbers. */
  int64_t checks;       /**< Numbers that were compared. */
  int64_t unclear; /**< Of these, those that nothing could be said of: the gap has a kink or an end here. */
  int64_t defects; /**< Of these, those that disagree. */
  int32_t defect;  /**< One of ::nsdyn_system_defect: what is told here, of the defect to look at first. */
  int32_t contact; /**< Contact known in advance; −1: none, or a found one. */
  int32_t constraint; /**< Constraint; −1: none. */
  int32_t row; /**< Row of the matrix, or element of the vector, that is told of: of a contact 0 is w_N; −1:
                    none. */
  int32_t column;   /**< Column of the matrix: the velocity; −1: none. */
  int32_t reserved; /**< 0. */
} nsdyn_system_check_report;

/**
 * @brief Writes the size; the rest says that nothing was found.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_system_check_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_system_check_report_init(nsdyn_system_check_report *report, size_t size);

/**
 * @brief Whether callbacks agree with each other at one state: the first thing to do with a system of your
 * own.
 *
 * A gap and its direction w_N are two answers about the same thing, and a sign turned in one of them makes a
 * body fall through the floor without any message. Compared are
 *
 * - each gap's slope along every velocity with w_N, its change in time with ŵ, of contacts known in advance,
 *   constraints and found contacts (these by their keys);
 * - `bias`, `constraint_bias` and w̄ of found contacts that give one with the change of W u + ŵ along the
 *   motion at constant u;
 * - `retract` with `kinematics`, and with q where no time passes; whether `kinematics` is linear;
 * - M with its transpose, with Cholesky's factorization, and with `solve_mass`;
 * - every answer with a second one, given after others at other states;
 * - flags that call something constant with what it is elsewhere.
 *
 * Slopes are differences of high order, at steps that are found by themselves: units do not matter, nor does
 * t = 1e6 s. They need gaps that are smooth around q; at a kink, one-sided slopes and all between them are as
 * good, and the report counts it as unclear. A difference of less than 1e-5, in the units of a row at M = 1,
 * is none.
 *
 * Directions are asked for wherever the gap is finite, callbacks some hundred times for each velocity, at
 * states around (t, q) and far from it, `retract` with dt > 0 only. Choose a state in which everything moves,
 * and several of them: at q = 0 and u = 0 much is zero, right or wrong.
 *
 * @code
 * nsdyn_system_check_report report;
 * nsdyn_system_check_report_init(&report, sizeof report);
 * if (nsdyn_system_check(sys, 0.0, q, u, &report) != NSDYN_OK) {
 *   printf("%s\n", nsdyn_system_message(sys));
 * }
 * @endcode
 *
 * prints for example "direction of contact 2, row 0 (w_N), column 1: the gap's slope is 0.5, given is -0.5;
 * turn the sign of w_N or of the gap".
 *
 * @param[in]     sys     the system; nothing of it changes but its message. No stepper may be at work on it
 * in another thread where callbacks do not allow that.
 * @param[in]     t,q,u   the state; nq and nu numbers, finite.
 * @param[in,out] report  its `size` set by you; filled in, also with NSDYN_ERR_INCONSISTENT and
 *                        NSDYN_ERR_NOT_FINITE; may be NULL.
 * @return NSDYN_OK where all agree; NSDYN_ERR_INCONSISTENT where not; NSDYN_ERR_NOT_FINITE,
 * NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 *         NSDYN_ERR_STRUCT_SIZE; the message is in the system.
 */
NSDYN_API nsdyn_status nsdyn_system_check(nsdyn_system *sys, double t, const double *q, const double *u,
                                          nsdyn_system_check_report *report);

/** @brief One line on the last failure of a call of this system's own (nsdyn_system_…); "" after a success.
 */
NSDYN_API const char *nsdyn_system_message(const nsdyn_system *sys);

/**
 * @brief The same for programs.
 * @param[in]     sys     the system.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_system_detail(const nsdyn_system *sys, nsdyn_detail *detail);

/** @brief A contact in the last step; nsdyn_contact_state_init() writes the size. */
typedef struct nsdyn_contact_state {
  size_t size;       /**< sizeof(nsdyn_contact_state) as you compiled it. */
  int64_t key;       /**< Of a found contact; else its number. */
  int32_t index;     /**< Number of a contact known in advance; −1 for a found one. */
  int32_t active;    /**< 1: it was closed and part of the contact problem; else what follows is zero. */
  int32_t mode;      /**< One of ::nsdyn_contact_mode: by ξ, after an expansion (Poisson) by γ^E. */
  int32_t rows;      /**< 1 without friction, 2 in the plane, 3 in space. */
  double gap;        /**< At the configuration where contacts were looked for; one that is held on a curved
                          surface may press at a gap > 0 of order Δt². */
  double mu;         /**< Coefficient in force. */
  double impulse[3]; /**< Λ: normal, tangential, in space both. */
  double force[3];   /**< The mean force Λ/Δt; zero for an impact. */
  double before[3];  /**< γ^A. */
  double after[3];   /**< γ^E. */
} nsdyn_contact_state;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] state  to fill in.
 * @param[in]  size   sizeof(nsdyn_contact_state).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_contact_state_init(nsdyn_contact_state *state, size_t size);

/** @brief A constraint in the last step; nsdyn_constraint_state_init() writes the size. */
typedef struct nsdyn_constraint_state {
  size_t size;      /**< sizeof(nsdyn_constraint_state) as you compiled it. */
  int32_t index;    /**< Its number, from 0. */
  int32_t reserved; /**< 0. */
  double gap;       /**< g_b at the configuration where directions were evaluated. */
  double velocity;  /**< W_b u + ŵ_b at the end. */
  double impulse;   /**< Λ_B; zero in an event driver. */
  double force;     /**< λ_B, of a step the mean Λ_B/Δt; zero for an impact. It acts along +W_bᵀ. */
} nsdyn_constraint_state;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] state  to fill in.
 * @param[in]  size   sizeof(nsdyn_constraint_state).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_constraint_state_init(nsdyn_constraint_state *state, size_t size);

/**
 * @brief How far a state was from what contacts and constraints allow, and what making it consistent changed;
 * nsdyn_consistent_report_init() writes the size.
 */
typedef struct nsdyn_consistent_report {
  size_t size;     /**< sizeof(nsdyn_consistent_report) as you compiled it. */
  int64_t key;     /**< Of the deepest contact: its number, or the key of a found one; −1: none was deep. */
  int32_t contact; /**< Number of the deepest contact; −1: a found one, or none. */
  int32_t constraint; /**< Number of the constraint farthest from zero; −1: all were zero. */
  double penetration; /**< Largest −g_N before; 0 where no gap was negative. */
  double gap;         /**< Largest |g_b| before. */
  double approach;    /**< Largest −γ_N of a closed contact before; 0 where none approached. */
  double velocity;    /**< Largest |W_b u + ŵ_b| before. */
  double moved;       /**< Largest change of a coordinate. */
  double kicked;      /**< Largest change of a velocity. */
  double left;        /**< Largest −g_N or |g_b| afterwards. */
} nsdyn_consistent_report;

/**
 * @brief Writes the size; contact, key and constraint are −1, the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_consistent_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_consistent_report_init(nsdyn_consistent_report *report, size_t size);

#ifdef __cplusplus
}
#endif

#endif
