/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Time stepping: one step takes a system through impacts, stick and slip without looking for them.
 *
 * Moreau's midpoint rule (Glocker & Studer 2005, section 5): with q^M = q^A + Δt/2 u^A and the contacts
 * closed there, g_N(q^M) <= 0,
 *
 *     M (u^E − u^A) = h(q^M, u^A) Δt + Wᵀ Λ,    ξ = γ^E + ε γ^A,    q^E = q^M + Δt/2 u^E,
 *
 * where Λ and ξ obey the contact laws (contact.h). It is of first order through impacts. A contact that
 * pressed in the step before stays closed where rounding alone has opened it: up to the gap that an error of
 * γ_N of the size that the option `tol` allows makes in one step. What touches at the beginning of a run
 * stays closed where the rounding of its gap's terms has opened it, pressed or not. A slot is always closed;
 * it ends with γ_N = 0, whatever its ε_N.
 *
 * **Curved, rolling and moving surfaces.** There a gap changes by ½ κ Δt² although γ_N = 0. A contact that
 * pressed in the step before, and was not to rebound, therefore stays a candidate wherever it is, and its law
 * is 0 <= γ_N^E + b ⊥ Λ_N >= 0 with b = (g − g*)/Δt + ½ κ Δt: κ is what its gap was seen to do, g* the gap at
 * which it closed. So it has a force in every step, which is continuous up to O(Δt) where the exact one is,
 * gaps do not drift, and no energy is gained by it. What curvature alone makes a contact approach by is no
 * collision and does not rebound. A contact that has just closed on such a surface is solved twice, and its
 * gap is asked for once more, at the next step's place. Where gaps are linear (::NSDYN_CONSTANT_DIRECTIONS)
 * none of this is done.
 *
 * **Beginnings.** The first step after nsdyn_stepper_set_state() refuses states in which contacts are deep or
 * constraints violated, or slots have a velocity (NSDYN_ERR_INCONSISTENT, option `start_tol`);
 * nsdyn_stepper_consistent() corrects them. One-sided contacts that approach are no error: they collide.
 *
 * **Callbacks that contradict each other.** Where a closed contact gets deeper from step to step though its
 * directions say that it does not, or opens though they say that it closes, or a slot or a constraint leaves
 * zero likewise, the step returns NSDYN_ERR_INCONSISTENT and names it: a gap or a direction of the wrong
 * sign, rows of W in the wrong order, a ŵ forgotten. For that a contact that pressed is looked at for some
 * more steps after it has opened, as long as gap and directions disagree. A closed contact whose normal
 * direction is zero is refused at once: a brake without one is a slot. The same happens where steps are far
 * too long for the curvature of what they follow. And each contact known in advance is asked once, where it
 * closes for the first time: its gap is differenced along M⁻¹ w_N and M⁻¹ w_T, some dozen times, and where
 * that misses what w_N says by a quarter and more, or where a slot has no direction at all, the step is
 * refused likewise.
 *
 * **Poisson's law** (option `impact`). The step is solved with ε = 0; that is its compression. Where a
 * contact has collided, expansion follows (::NSDYN_IMPACT_POISSON). All closed contacts take part, and each
 * gives back the share ε_N of what it stored: of the impulse that the velocities γ^A alone would have cost,
 * without the forces of the step. So a ball without friction leaves with −ε_N γ_N^A as it does under Newton's
 * law, and no weight is thrown back. A contact collides where it approaches and did not press in the step
 * before; one that pressed, on a curved surface say, approaches by an amount of order Δt, and that is no
 * collision. Nor is an approach below v_ε = 2 |w_N M⁻¹ h + w̄_N| Δt, with every scheme: the forces of two
 * steps make it, and what lands by its weight alone stays. (w̄_N is that of the callback `bias`, of a
 * found contact that of its record, for which `find` gets u then; not told, it is 0.)
 * (nsdyn_stepper_impact() has no forces, and no such v_ε.)
 *
 * **Failures.** After anything but NSDYN_OK the state is that before the call, and so are the memory of
 * friction and the modes. A step that failed at its contact problem shows the contacts of that problem,
 * without velocities and impulses; any other shows none.
 *
 * @code
 * nsdyn_stepper *stepper;
 * double q[1] = {1.0}, u[1] = {0.0};
 * nsdyn_status status = nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL);
 * if (status == NSDYN_OK) {
 *   status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
 * }
 * while (status == NSDYN_OK && nsdyn_stepper_time(stepper) < 1.0) {
 *   status = nsdyn_stepper_step(stepper, 1e-3);
 * }
 * if (status != NSDYN_OK) {
 *   fprintf(stderr, "%s\n", nsdyn_stepper_message(stepper));
 * }
 * @endcode
 */
#ifndef NSDYN_STEPPER_H
#define NSDYN_STEPPER_H

#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Time-stepping schemes. */
enum nsdyn_scheme {
  NSDYN_SCHEME_MOREAU = 0, /**< Moreau's midpoint rule. */
  NSDYN_SCHEME_EULER = 1, /**< Semi-implicit Euler (Mylapilli & Jain 2017, section 2.7.1): gaps, M, h and W at
                              q^A, then q^E = q^A + u^E Δt. */
  NSDYN_SCHEME_MOREAU_JEAN = 2, /**< The θ-scheme of Moreau and Jean: M and h within the step, at its share θ,
                                     by Newton's method, so that stiff forces bound no step (options `theta`,
                                     `implicit_rounds`; callback `force_jacobian`). */
  NSDYN_SCHEME_STEWART_TRINKLE = 3, /**< Stewart (2000), eqs. 2.11–2.15: W and h at q^A, M at q^E, contacts
                                       that would close within the step (option `gap_term`). */
  NSDYN_SCHEME_ANITESCU_POTRA = 4, /**< Anitescu & Potra (1997): all at q^A, 0 <= γ_N ⊥ Λ_N >= 0, and where
                                        a contact collides Poisson's law, whatever the option `impact`. */
  NSDYN_SCHEME_GENERALIZED_ALPHA =
      5 /**< Nonsmooth generalized-α (Brüls, Acary & Cardona 2014): of second order
             where nothing hits, with constraints on position and velocity level
             (the option `project` is always on, NSDYN_PROJECT_AFTER unless you say otherwise); what steps do
           not resolve is damped (option `spectral_radius`), stiff forces bound no step (options
             `implicit_rounds`, `spectral_radius`; callback `force_jacobian`). */
};

/** @brief Which contacts take part in a step, by their gaps where the scheme looks at them. */
enum nsdyn_activation {
  NSDYN_ACTIVATION_SCHEME =
      0,                    /**< As the scheme has it: by gaps, Stewart & Trinkle's by gaps and velocities. */
  NSDYN_ACTIVATION_GAP = 1, /**< g_N <= 0. */
  NSDYN_ACTIVATION_STEADY = 2, /**< g_N + τ γ_N <= 0 at the velocities of the beginning; τ is what is left of
                                  the step there, all of it where contacts are taken at its beginning. What
                                  that foretells is let go of where its gap is seen to stay open on the whole
                                  way that these velocities lead, as that of a corner which slides off an
                                  edge: callbacks are called at up to 33 places of that way. It stays where a
                                  callback returns a positive code there, or a number that is not finite. */
  NSDYN_ACTIVATION_FREE = 3    /**< The same at the velocities that a step without contacts would end with. */
};

/** @brief How steps keep penetration and the drift of constraints away. */
enum nsdyn_project {
  NSDYN_PROJECT_NONE = 0,  /**< Not at all: gaps and constraints are held by their velocities. */
  NSDYN_PROJECT_AFTER = 1, /**< A projection after the step, of coordinates and then of velocities. What
                              penetrates is lifted; what has landed, and is about to collide in the next step,
                              pays with its velocity for what that is worth. */
  NSDYN_PROJECT_SPLIT =
      2 /**< Positions have multipliers of their own in the same step, after Gear, Gupta & Leimkuhler
             (1985): 0 <= g_N(q^E) ⊥ ν >= 0 and g_b(q^E) = 0 beside the laws of contact and W_b u + ŵ_b = 0
             at q^E, found together in rounds. All impulses act in one place and are limited by the
             laws; what closes within the step collides in it. In space one thing is left for after the
             step, which no law of friction limits: the tangents of contacts that stick are held as
             NSDYN_PROJECT_AFTER holds them. It costs two to four steps. */
};

/** @brief A stepper: the state (t, q, u) of a system, and all scratch to move it on. */
typedef struct nsdyn_stepper nsdyn_stepper;

/** @brief Options of a stepper; nsdyn_stepper_options_init() writes the defaults. */
typedef struct nsdyn_stepper_options {
  size_t size;    /**< sizeof(nsdyn_stepper_options) as you compiled it. */
  int32_t scheme; /**< One of ::nsdyn_scheme. Default: Moreau. */
  /** One of ::nsdyn_project. NSDYN_PROJECT_AFTER: after each step penetration and the drift of constraints
   * are removed, of coordinates and velocities, as far as Newton's method gets with them. The laws of
   * constraints, slots and friction then hold where the step ends, by what their paths made of γ until
   * contacts are taken, or in the step before where that is at its beginning, so that impulses, up to O(Δt),
   * are all of the force; and curved paths add no energy. A rebound so short that projection would keep it
   * alive is none: hops of up to (1 + ε)/(1 − ε) steps. NSDYN_PROJECT_SPLIT: the same within the step, where
   * it has a solution; else, as at kinks of surfaces, by projection. Default: none. */
  int32_t project;
  int32_t count; /**< 1: count each step's solutions (nsdyn_step_report::solutions), under Poisson's law
                      those of its compression; slow. Default 0. */
  int32_t friction_rounds; /**< Repetitions of a step with μ taken at its end, where a law has a curve.
                              Default 0: μ is taken at the step's beginning. */
  int32_t inelastic; /**< Of impacts: 1: where Newton's law has no solution, or none is found, solve again
                        with ε = 0; where none is found of Poisson's expansion, leave it out. Default 0: the
                        step fails. */
  int32_t clip; /**< Of impacts: 1: Newton's restitution counts approach only, ε min(0, γ_N). Default 0. */
  int32_t impact;         /**< One of ::nsdyn_impact_law. Default: Newton. */
  int32_t contact_method; /**< One of ::nsdyn_contact_method: how the contact problem of each step is solved.
                               A method that is not for it fails the step with NSDYN_ERR_UNSUPPORTED.
                               Projection (option `project`) keeps its own. Default: automatic. */
  double threshold;       /**< Approaches slower than this rebound with ε_N = 0, and are no collision under
                               Poisson's law, which has the v_ε of its own besides (above); 0 (default): none.
                             */
  double dt;              /**< Step of nsdyn_stepper_advance(), > 0. Default 1e-3. */
  double tol;             /**< The contact problem's certificate, in [0, 1). Default 1e-9. */
  /** Called after each step of nsdyn_stepper_advance(); other than 0 ends it with NSDYN_STOPPED. NULL: none.
   */
  int (*observe)(void *user, const nsdyn_stepper *stepper);
  void *user; /**< First argument of `observe` and `output`. */
  /** How far the state that a run begins with may break contacts and constraints, as a share of the terms Σ
   * |w_j q_j| that a gap is made of, and of the terms of a velocity. A contact may besides be as deep as one
   * step moves it. >= 0, INFINITY: any state. Default 5e-3. */
  double start_tol;
  int32_t check;      /**< 1: the first step begins with nsdyn_system_check() at its state, and fails with its
                         message where callbacks contradict each other. It asks them some hundred times for each
                         velocity, and takes memory for that. What has passed is not checked again before options
                         are set. Default 0; 1 in a library built for tests (assertions). */
  int32_t lcp_method; /**< With `contact_method` ::NSDYN_CONTACT_LCP, one of ::nsdyn_lcp_method (lcp.h): by
                           which the LCP of each step is solved. Default: automatic. */
  double theta; /**< Moreau–Jean: the share θ of the step at which M and h are taken, in [0.5, 1]. ½ is of
                   second order and keeps quadratic energies, more damps; a contact's work is no gain where θ
                   <= 1/(1 + ε). Default 0.5. */
  /** Moreau–Jean, generalized-α: most rounds of Newton's method in a step, which fails with
   * NSDYN_MAX_ITERATIONS after them; 0: M and h are those of q^M and u^A, of generalized-α h at the end that
   * forces without contacts lead to. Default 30. */
  int32_t implicit_rounds;
  int32_t activation; /**< One of ::nsdyn_activation; Moreau's midpoint rule looks at gaps alone. Default: the
                           scheme's own. */
  int32_t gap_term;   /**< Stewart & Trinkle, 1: the law of 1996, γ_N + g_N/Δt >= 0 instead of γ_N >= 0: no
                           depth is left where gaps are linear, but what was deep is thrown out with
                           |g_N|/Δt, whose energy nobody had. Default 0. */
  int32_t reserved_2; /**< 0. */
  double advance_tol; /**< Of nsdyn_stepper_advance(): > 0: steps whose lengths follow the motion, up to `dt`.
                         Where contacts stay as they are, one step and two of half its length may differ by
                         this share of the largest coordinates and velocities so far; the two are kept. In [0,
                         1); 0: steps of `dt`. Default 0. */
  double shortest;    /**< With `advance_tol`: the shortest step, as a share of `dt`, in (0, 1]. So short are
                         steps in which contacts close, open, stick or slide, and their error through impacts is
                         of that order. Default 2^-10. */
  double output_dt; /**< Time between two calls of `output`, > 0. Default: infinite, none but at the start. */
  /** The motion within nsdyn_stepper_advance(), at the time of nsdyn_stepper_set_state() plus multiples of
   * `output_dt`, wherever steps end, before `observe`: the state where a step ends there, else between the
   * ends of a step that was kept, nothing of what was rejected. There u is linear in time and q follows it,
   * which is off by less than a scheme of second order is; in a step in which something collides velocities
   * jump where the scheme took its contacts (impulses and energies belong to whole steps). Called with first
   * argument `user`; anything but 0 ends nsdyn_stepper_advance() with NSDYN_STOPPED, at the end of that step,
   * of which it is told no more. Times that steps outside of nsdyn_stepper_advance() go over are left out;
   * after nsdyn_stepper_restore() the times go on where they were counted from. The context's progress is
   * asked within long rows of outputs; cancelled there, the rest of the step's are left out. NULL (default):
   * none. */
  int (*output)(void *user, double t, const double *q, const double *u);
  double spectral_radius; /**< Generalized-α: by how much a step shortens vibrations that are much faster than
                             it, in [0, 1]; 1 keeps quadratic energies. Default 0.8. */
} nsdyn_stepper_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_stepper_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_options_init(nsdyn_stepper_options *options, size_t size);

/**
 * @brief Makes a stepper at t = 0, q = 0, u = 0.
 * @param[in]  ctx      memory, log and progress of this object, held; NULL: the system's.
 * @param[in]  sys      the system, held.
 * @param[in]  options  copied; NULL: defaults.
 * @param[out] out      yours to free with nsdyn_stepper_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_stepper_new(nsdyn_context *ctx, nsdyn_system *sys,
                                         const nsdyn_stepper_options *options, nsdyn_stepper **out,
                                         nsdyn_error *error);

/** @brief Frees a stepper; NULL is fine. */
NSDYN_API void nsdyn_stepper_free(nsdyn_stepper *stepper);

/** @brief Replaces all options; refused ones leave the old in place. @return as nsdyn_stepper_new(). */
NSDYN_API nsdyn_status nsdyn_stepper_set_options(nsdyn_stepper *stepper,
                                                 const nsdyn_stepper_options *options);

/**
 * @brief Sets time and state; modes, memory of friction and warm starts are forgotten, constants evaluated
 * anew. Whether contacts and constraints allow the state is looked at by the next step.
 * @param[in] stepper  the stepper.
 * @param[in] t        time.
 * @param[in] q,u      nq and nu numbers, copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_stepper_set_state(nsdyn_stepper *stepper, double t, const double *q,
                                               const double *u);

/**
 * @brief One step.
 *
 * Steps of one length that follow each other end at t₀ + k Δt, without a sum's drift.
 *
 * @param[in] stepper  the stepper.
 * @param[in] dt       its length, > 0.
 * @return NSDYN_OK; what keeps nsdyn_contact_solve() from an answer (NSDYN_NO_SOLUTION, …), also where the
 * projection has none; NSDYN_ERR_INCONSISTENT (above); NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE,
 * NSDYN_ERR_NOT_DEFINITE, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 * NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_stepper_step(nsdyn_stepper *stepper, double dt);

/**
 * @brief Steps of the option `dt` up to t_end, the last one shorter where it has to be; or with the option
 * `advance_tol` steps whose lengths follow the motion.
 *
 * Of the latter those are rejected that are too coarse, in which contacts change, at whose end something has
 * newly penetrated, or in which a callback returns > 0 or a contact problem has no answer: shorter ones
 * follow. What is rejected leaves no trace in modes, memory of friction and warm starts. The observer is
 * called after each pair of halves, and after each shortest step; the balance of nsdyn_stepper_energy() is
 * that of the last of them.
 *
 * Asks the context's progress callback now and then. From the observer all reading calls are allowed, and
 * nsdyn_stepper_energy(); those that change something return NSDYN_ERR_BUSY. So it is from the option
 * `output`, where they tell of the step that ends then or later.
 *
 * @param[in] stepper  the stepper.
 * @param[in] t_end    not before the present time.
 * @return NSDYN_OK at t_end; NSDYN_STOPPED (the observer or the output), NSDYN_CANCELLED (the progress
 * callback) where it stopped; else as nsdyn_stepper_step(), with the state before the step that failed. Where
 * the callback `kinematics` or `retract` fails between the ends of a step, for `output`, the state is that of
 * its end.
 */
NSDYN_API nsdyn_status nsdyn_stepper_advance(nsdyn_stepper *stepper, double t_end);

/**
 * @brief Solves the impact at the present state: the velocities jump, time and coordinates stay.
 *
 * The time step's contact problem with Δt = 0, for all closed contacts at once, by the law of the option
 * `impact`: to make initial velocities consistent with the contacts, or to hit a system. A contact that
 * pressed in the step before and has no part in the impact goes on as if there had been none.
 *
 * @return as nsdyn_stepper_step().
 */
NSDYN_API nsdyn_status nsdyn_stepper_impact(nsdyn_stepper *stepper);

/**
 * @brief What the last call of nsdyn_stepper_impact() did.
 *
 * Where the last step was none, where it failed or nothing was closed, there are status and law alone.
 *
 * @param[in]     stepper  the stepper.
 * @param[in,out] report   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_impact_report(const nsdyn_stepper *stepper, nsdyn_impact_report *report);

/**
 * @brief Impulses, velocities, modes and energy of one half of that impact.
 *
 * Rows stand in the order of nsdyn_stepper_active_contact(), one or two each, those of constraints follow.
 * There are 0 rows where the last step was no impact, where it failed or nothing was closed. Where surfaces
 * or constraints move by themselves (ŵ is not zero), the energies are the work at relative velocities.
 *
 * @param[in]     stepper  the stepper.
 * @param[in]     kind     one of ::nsdyn_impact_half_kind.
 * @param[in,out] half     its `size` set by you; filled in; the arrays are the stepper's own, valid until its
 *                         next call.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL or another kind, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_impact_half(const nsdyn_stepper *stepper, int32_t kind,
                                                 nsdyn_impact_half *half);

/** @brief Present time. */
NSDYN_API double nsdyn_stepper_time(const nsdyn_stepper *stepper);

/** @brief Coordinates, nq; the stepper's own, valid until its next call. */
NSDYN_API const double *nsdyn_stepper_q(const nsdyn_stepper *stepper);

/** @brief Velocities, nu; the stepper's own, valid until its next call. */
NSDYN_API const double *nsdyn_stepper_u(const nsdyn_stepper *stepper);

/** @brief Contacts that took part in the last step. */
NSDYN_API int32_t nsdyn_stepper_active(const nsdyn_stepper *stepper);

/**
 * @brief The k-th of them.
 * @param[in]     stepper  the stepper.
 * @param[in]     k        0 … nsdyn_stepper_active() − 1.
 * @param[in,out] state    its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_active_contact(const nsdyn_stepper *stepper, int32_t k,
                                                    nsdyn_contact_state *state);

/**
 * @brief A contact known in advance.
 * @param[in]     stepper  the stepper.
 * @param[in]     i        its number.
 * @param[in,out] state    its `size` set by you; filled in; the gap is that of the last step, active or not.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_contact(const nsdyn_stepper *stepper, int32_t i,
                                             nsdyn_contact_state *state);

/**
 * @brief A found contact by its key; `active` is 0 where the last step had none of that key.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_found_contact(const nsdyn_stepper *stepper, int64_t key,
                                                   nsdyn_contact_state *state);

/**
 * @brief A constraint in the last step: the joint's reaction.
 *
 * Where the last step failed, or was none, there is the number alone.
 *
 * @param[in]     stepper  the stepper.
 * @param[in]     i        its number.
 * @param[in,out] state    its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_constraint(const nsdyn_stepper *stepper, int32_t i,
                                                nsdyn_constraint_state *state);

/**
 * @brief Makes the present state one that a run may begin with.
 *
 * Coordinates are projected: the least change, in the metric of M, that leaves no contact deep and no
 * constraint violated. Then velocities, by an impact with ε = 0 of all that touches and of the constraints.
 * Time stays; what was remembered of steps before is forgotten, and the next step takes the state as it is.
 *
 * @param[in]     stepper  the stepper.
 * @param[in,out] report   its `size` set by you; filled in, on failure too where it is known by then; NULL:
 * not wanted.
 * @return NSDYN_OK; NSDYN_ERR_INCONSISTENT where a contact or constraint, which the message names, cannot be
 *         satisfied; else as nsdyn_stepper_step(). The state is that before the call then.
 */
NSDYN_API nsdyn_status nsdyn_stepper_consistent(nsdyn_stepper *stepper, nsdyn_consistent_report *report);

/** @brief What the last nsdyn_stepper_advance() with `advance_tol` did; nsdyn_advance_report_init() writes
 * the size.
 */
typedef struct nsdyn_advance_report {
  size_t size;      /**< sizeof(nsdyn_advance_report) as you compiled it. */
  int64_t accepted; /**< Steps that were kept. */
  int64_t rejected; /**< Attempts, of one step and up to two halves, that were not. */
  int64_t events;   /**< Shortest steps in which contacts closed, opened, stuck or slid. */
  double shortest;  /**< The shortest step that was kept; 0: there was none. */
  double longest;   /**< The longest one. */
} nsdyn_advance_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_advance_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_advance_report_init(nsdyn_advance_report *report, size_t size);

/**
 * @brief What the last nsdyn_stepper_advance() with the option `advance_tol` did; all zero before there was
 * one.
 * @param[in]     stepper  the stepper.
 * @param[in,out] report   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_advance_report(const nsdyn_stepper *stepper,
                                                    nsdyn_advance_report *report);

/** @brief What the last step did; nsdyn_step_report_init() writes the size. */
typedef struct nsdyn_step_report {
  size_t size;        /**< sizeof(nsdyn_step_report) as you compiled it. */
  int32_t status;     /**< What it returned. */
  int32_t active;     /**< Contacts that took part. */
  int32_t method;     /**< The ::nsdyn_contact_method that gave the impulses. */
  int32_t lcp_size;   /**< Unknowns of the LCP; 0 where none was solved. */
  int32_t iterations; /**< Mode patterns tried, and pivots of the LCP. */
  int32_t warm;       /**< 1 where the modes of the step before gave the answer. */
  int32_t rounds;     /**< Contact problems solved: friction that depends on velocity may need several, a
                           collision under Poisson's law one more. */
  int32_t inelastic;  /**< 1 where it had to be solved with ε = 0 (option `inelastic`). */
  int64_t steps;      /**< Since the state was set. */
  int64_t solutions; /**< Option `count`: physical solutions; −1: a continuum of impulses; −2: not counted,
                          as with a contact in space. */
  int64_t motions; /**< Option `count`: different velocities they cause; −1: a continuum; −2: not counted,
                        which may be for want of time (a million mode patterns are looked at) or as rounding
                        leaves it open. */
  double t;        /**< Time at its end. */
  double dt;       /**< Its length. */
  double residual; /**< Largest violation of a contact law, in velocity units. */
  double scale;    /**< What it is judged against: residual <= tol · scale. */
  double gap; /**< How deep the deepest contact that took part is, in the middle of the step or at its end;
                   with the option `project` at its end; 0: none is deep. */
  double gap_bound;        /**< What it is judged by: as deep as it closed and as its directions say, and what
                              curvature may add within a few steps. A contact that gets deeper is refused. */
  double constraint;       /**< Largest |g_b|, there. */
  double constraint_bound; /**< What it is judged by, likewise. */
  double velocity;         /**< Largest violation of the velocities that the contact problem holds at zero: of
                              constraints, and of contacts that press (with ε γ and what curvature asks for). */
  double velocity_bound;   /**< What it is judged by: tol · scale. */
  int64_t worst_key;       /**< Key of the deepest contact: its number, or that of a found one; −1: none. */
  int32_t worst_contact;   /**< Its number; −1: a found one, or none. */
  int32_t worst_constraint; /**< Number of the constraint farthest from zero; −1: there is none. */
} nsdyn_step_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_step_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_step_report_init(nsdyn_step_report *report, size_t size);

/**
 * @brief What the last step did.
 * @param[in]     stepper  the stepper.
 * @param[in,out] report   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_report(const nsdyn_stepper *stepper, nsdyn_step_report *report);

/**
 * @brief The exact balance of kinetic energy over the last step; nsdyn_step_energy_init() writes the size.
 *
 * With ū = ½ (u^A + u^E): after − before = force + normal + tangent + constraint + inertia, to rounding.
 * Without the callbacks `mass` and `kinetic` the kinetic energies and `inertia` are unknown: `known` is 0 and
 * they are 0. So it is before the first step and after one that failed; then all works are 0 too. Where the
 * option `project` has changed velocities, the work of that counts with the contacts and constraints it came
 * from.
 */
typedef struct nsdyn_step_energy {
  size_t size;       /**< sizeof(nsdyn_step_energy) as you compiled it. */
  int32_t known;     /**< 1 where there is a mass matrix or `kinetic`, and a step that succeeded. */
  int32_t reserved;  /**< 0. */
  double before;     /**< Kinetic energy ½ uᵀ M u at the step's beginning, M at that configuration. */
  double after;      /**< At its end. */
  double force;      /**< Work of h: Δt ūᵀ h. */
  double normal;     /**< Work of the normal impulses. */
  double tangent;    /**< Work of friction. */
  double constraint; /**< Work of the constraints. */
  double inertia;    /**< What a mass matrix that varies over the step leaves. */
  double projection; /**< Work of h along the projection (option `project`): potential energy it changed. */
} nsdyn_step_energy;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] energy  to fill in.
 * @param[in]  size    sizeof(nsdyn_step_energy).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_step_energy_init(nsdyn_step_energy *energy, size_t size);

/**
 * @brief Computes the energy balance of the last step. Evaluates M at both ends, so it costs nothing to those
 * who do not ask.
 * @param[in]     stepper  the stepper.
 * @param[in,out] energy   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY,
 *         NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM, NSDYN_ERR_BUSY from inside a callback of the system.
 */
NSDYN_API nsdyn_status nsdyn_stepper_energy(nsdyn_stepper *stepper, nsdyn_step_energy *energy);

/** @brief One line on the last failure, naming callback, contact or constraint; "" after a success. */
NSDYN_API const char *nsdyn_stepper_message(const nsdyn_stepper *stepper);

/**
 * @brief The same for programs.
 * @param[in]     stepper  the stepper.
 * @param[in,out] detail   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_stepper_detail(const nsdyn_stepper *stepper, nsdyn_detail *detail);

/**
 * @brief The contact problem of the last step, failed or not, as an LCP in the text that
 * nsdyn_lcp_read_text() and `examples/lcp` read; under Poisson's law that of its compression. With a contact
 * in space it is the contact problem itself, in the text that nsdyn_contact_read_text() and
 * `examples/friction` read: one law per contact, with the coefficient in force and the bound an impulse.
 * @param[in]  stepper  the stepper.
 * @param[out] text     receives at most `size` bytes with a zero at the end; NULL with size 0 to measure.
 * @param[in]  size     bytes of `text`.
 * @return the bytes the whole text needs, its zero included; 0 where there is none, or memory is out.
 */
NSDYN_API size_t nsdyn_stepper_write_problem(nsdyn_stepper *stepper, char *text, size_t size);

/**
 * @brief The whole state, so that a run goes on with the same bits: time, q, u, modes, memory of friction,
 * and with the option `advance_tol` how long steps are.
 * @param[in]  stepper  the stepper.
 * @param[out] buffer   receives at most `size` bytes; NULL with size 0 to measure.
 * @param[in]  size     bytes of `buffer`.
 * @return the bytes the whole state needs; nothing is written where `size` is less.
 */
NSDYN_API size_t nsdyn_stepper_save(const nsdyn_stepper *stepper, void *buffer, size_t size);

/**
 * @brief Takes up a state saved by a stepper of the same system, with this library, on this kind of machine.
 * @param[in] stepper  the stepper.
 * @param[in] buffer   as written by nsdyn_stepper_save(); checked before anything is taken over.
 * @param[in] size     its bytes.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (not such a state, or of other sizes), NSDYN_ERR_NOMEM,
 * NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_stepper_restore(nsdyn_stepper *stepper, const void *buffer, size_t size);

#ifdef __cplusplus
}
#endif

#endif
