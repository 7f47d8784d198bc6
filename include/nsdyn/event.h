/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Event-driven integration: smooth motion at high order from one event to the next.
 *
 * Between two events the contact modes are fixed. The motion is integrated by the method of Dormand and
 * Prince of order 8(5,3) with its dense output of order 7 and an error control of its own; the accelerations
 * come from the contact problem on acceleration level, in which a sliding contact has one unknown and a
 * sticking one two. An event ends the phase: a gap closes, a normal force vanishes, sliding ends, the
 * friction limit is reached. Events are located to rounding on the dense output, logged, and handed to an
 * observer. What several contacts do at one instant is one event with several records.
 *
 * The driver takes the same nsdyn_system as a stepper (stepper.h). nsdyn_system_def::bias may be left out: it
 * is differenced along the motion then, at six evaluations of `direction` more per closed contact and
 * evaluation. Gaps, directions, M and h have to be smooth functions, and callbacks have to answer a little
 * beyond an event, where gaps are negative. A gap of INFINITY is that of a contact that is far away.
 *
 * Two kinds of systems have very many events, by their own laws: contacts that bounce between each other with
 * hardly any loss, and friction of a given bound that lifts its own contact off, since it acts on what is
 * closed only. The option `max_steps` and the observer are there to stop them.
 *
 * @code
 * nsdyn_event_driver *driver;
 * const double q[1] = {1.0}, u[1] = {0.0};
 * nsdyn_status status = nsdyn_event_driver_new(NULL, sys, NULL, &driver, NULL);
 * if (status == NSDYN_OK) {
 *   status = nsdyn_event_driver_set_state(driver, 0.0, q, u);
 * }
 * if (status == NSDYN_OK) {
 *   status = nsdyn_event_driver_advance(driver, 1.0);
 * }
 * for (int64_t k = 0; k < nsdyn_event_driver_events(driver); k++) {
 *   nsdyn_event event = {.size = sizeof event};
 *   nsdyn_event_driver_event(driver, k, &event);
 *   printf("%.9f s: %s, contact %d\n", event.t, nsdyn_event_name(event.kind), (int)event.contact);
 * }
 * nsdyn_event_driver_free(driver);
 * @endcode
 */
#ifndef NSDYN_EVENT_H
#define NSDYN_EVENT_H

#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What happened; nsdyn_event_name() has their names. */
enum nsdyn_event_kind {
  NSDYN_EVENT_IMPACT = 1,  /**< A gap closed with γ_N < 0, or another contact's impact reached this one. */
  NSDYN_EVENT_CLOSE = 2,   /**< A gap closed without impact: at the start, or grazing. */
  NSDYN_EVENT_OPEN = 3,    /**< A normal force vanished, and the contact with it. */
  NSDYN_EVENT_STICK = 4,   /**< Sliding ended: it sticks. */
  NSDYN_EVENT_SLIP = 5,    /**< The friction limit was reached: it slides. */
  NSDYN_EVENT_REVERSE = 6, /**< Sliding changed its direction; under a polygon of friction, the corner or side
                              that its friction is at. */
  NSDYN_EVENT_SIDE = 7,    /**< A slot presses on its other side. */
  NSDYN_EVENT_ZENO = 8,    /**< Impacts accumulated here: from now on it is closed. */
  NSDYN_EVENT_PAINLEVE = 9,   /**< No finite force: impact without collision. */
  NSDYN_EVENT_AMBIGUOUS = 10, /**< Several continuations; see the option `ambiguous`. */
  NSDYN_EVENT_SECTION = 11,   /**< The option `section` changed its sign. */
  NSDYN_EVENT_HANDOVER = 12   /**< Events followed each other without progress: a time step went on, whose
                                 length is the record's t_bound (option `handover`). */
};

/**
 * @brief What to do where forces have several solutions and the present modes cannot go on, or there are none
 * yet.
 *
 * Present modes that are one of the solutions, and not the unstable one (sliding with a negative determinant
 * of the mode matrix), always go on.
 */
enum nsdyn_ambiguity {
  NSDYN_AMBIGUITY_STOP = 0, /**< nsdyn_event_driver_advance() returns NSDYN_STOPPED there, with a message. */
  NSDYN_AMBIGUITY_OPEN = 1, /**< The solution with most contacts open. */
  NSDYN_AMBIGUITY_STICK = 2 /**< The solution with most contacts closed, of these with most sticking. */
};

/** @brief A record of the log; nsdyn_event_init() writes the size. */
typedef struct nsdyn_event {
  size_t size;     /**< sizeof(nsdyn_event) as you compiled it. */
  int32_t kind;    /**< One of ::nsdyn_event_kind. */
  int32_t contact; /**< Number of a contact known in advance; −1 for a found one, and where none is meant. */
  int64_t key;     /**< Of a found contact; else its number. */
  int32_t mode_before; /**< One of ::nsdyn_contact_mode. */
  int32_t mode_after;  /**< Likewise. */
  int64_t group;       /**< Records of one instant have one number. */
  int32_t last; /**< 1: no record of this instant follows. The observer is told of an instant when all that
                     happens at it is done, and sees one state with all its records. */
  int32_t reserved;  /**< 0. */
  double t;          /**< When. */
  double t_bound;    /**< How far t may be off by the location; the error of the integration comes on top. */
  double gap;        /**< g_N then. */
  double before[3];  /**< γ before it. */
  double after[3];   /**< γ after it. */
  double impulse[3]; /**< Λ of an impact. */
} nsdyn_event;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] event  to fill in.
 * @param[in]  size   sizeof(nsdyn_event).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_init(nsdyn_event *event, size_t size);

/** @brief "impact", "close", …; "unknown" for a number that is no ::nsdyn_event_kind. */
NSDYN_API const char *nsdyn_event_name(int32_t kind);

/** @brief A driver: the state (t, q, u) of a system with its modes, all scratch to move it on, and the log.
 */
typedef struct nsdyn_event_driver nsdyn_event_driver;

/** @brief Options of a driver; nsdyn_event_driver_options_init() writes the defaults. */
typedef struct nsdyn_event_driver_options {
  size_t size;       /**< sizeof(nsdyn_event_driver_options) as you compiled it. */
  int32_t impact;    /**< One of ::nsdyn_impact_law. Default: Newton; contacts that part already have ε = 0
                        then, and all of the instant have where that would give energy. */
  int32_t inelastic; /**< Of impacts: 1: where Newton's law has no solution, solve again with ε = 0. Default
                        0: advance ends with NSDYN_NO_SOLUTION. */
  int32_t ambiguous; /**< One of ::nsdyn_ambiguity. Default: stop. */
  int32_t keep_events;       /**< How many records to keep, the newest; those that fall out are counted
                                  (nsdyn_event_report::dropped). Negative: all. Default 65536. */
  int32_t section_direction; /**< 1: only where `section` rises through zero, −1: falls, 0 (default): both. */
  int32_t handover; /**< 1 (default): where events follow each other without progress in time, or no forces
                       are found, a short time step with ε = 0 goes on (::NSDYN_EVENT_HANDOVER), over at most
                       1/256 of the motion's own time. 0: advance ends there with NSDYN_MAX_ITERATIONS. */
  /** Integrator steps of one nsdyn_event_driver_advance(); negative (default): no limit. */
  int64_t max_steps;
  double tol;     /**< Local error of each component relative to its scale, in [1e-14, 1). Default 1e-9. */
  double max_dt;  /**< Longest integrator step, > 0. Default: infinite. Loads and driven surfaces are followed
                     where they matter to a contact, also while everything rests, and at rest no step is longer
                     than 1/32 of the time since the state was set until t_end. What is exactly zero but for a
                     shorter time than that shows in nothing before: give its length here. */
  double gap_tol; /**< Contacts with |g_N| up to this are closed when the state is set, and take part in
                     impacts. Negative (default): up to what rounding makes of gaps. */
  double zeno;    /**< Hops lower than this share of a contact's largest gap so far are closed off, in (0, 1).
                     Default 1e-12. */
  double margin;  /**< Handed to nsdyn_system_def::find: a contact farther away is not seen, and must not
                     come closer than zero within a step. Default: infinite, all contacts there may be. */
  double output_dt; /**< Time between two calls of `output`, > 0. Default: infinite, none but at the start. */
  const double *scale; /**< nq + nu sizes > 0 that `tol` is relative to, copied. NULL: the largest |q_i|,
                          |u_i| so far, at least a thousandth of the largest coordinate's or velocity's. A
                          coordinate that has moved on and on, as the angle of a wheel, counts for no more
                          than sixteen times its way while the fastest one goes through its size. */
  /** A section: a smooth function of time and state whose changes of sign are events. Writes `value`, returns
   * as the system's callbacks do. NULL: none. */
  int (*section)(void *user, double t, const double *q, const double *u, double *value);
  /** Called for each record, when all that happens at that instant is done; anything but 0 ends
   * nsdyn_event_driver_advance() there with NSDYN_STOPPED. NULL: none. */
  int (*observe)(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event);
  /** The trajectory, from the dense output, at the time of nsdyn_event_driver_set_state() plus multiples of
   * `output_dt`; at an event the state after it. Where that would miss by more than some tens of the
   * tolerance between the ends of a step, the step is taken shorter. Anything but 0 ends
   * nsdyn_event_driver_advance() with NSDYN_STOPPED, at the end of the integrator step, of which it is told
   * no more. The context's progress is asked within long rows of outputs; cancelled there, the rest of the
   * step's are left out. NULL: none. */
  int (*output)(void *user, double t, const double *q, const double *u);
  void *user;       /**< First argument of `section`, `observe` and `output`. */
  double start_tol; /**< Share of a gap's terms, Σ |w_j q_j|, by which a state may be set with penetration or
                       a constraint broken; likewise of velocities of constraints and slots. Beyond it the
                       first advance returns NSDYN_ERR_INCONSISTENT. INFINITY: any state is taken. Default
                       5e-3. */
  double max_rate; /**< Instants with events within the motion's own time (the largest length over the largest
                      speed, or that over the acceleration), > 0. From a half of it on, impacts that
                      accumulate are closed off ever earlier (nsdyn_event_report::zeno_speed says at which
                      speed); beyond it advance ends with NSDYN_MAX_ITERATIONS. Default 4000. */
  int32_t check; /**< 1: the first nsdyn_event_driver_advance() begins with nsdyn_system_check() at its state,
                    and fails with its message where callbacks contradict each other. It asks them some
                    hundred times for each velocity, and takes memory for that. What has passed is not checked
                    again before options are set. Default 0; 1 in a library built for tests (assertions). */
  int32_t reserved; /**< 0. */
} nsdyn_event_driver_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_event_driver_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_options_init(nsdyn_event_driver_options *options, size_t size);

/**
 * @brief Makes a driver at t = 0, q = 0, u = 0.
 * @param[in]  ctx      memory, log and progress of this object, held; NULL: the system's.
 * @param[in]  sys      the system, held.
 * @param[in]  options  copied; NULL: defaults.
 * @param[out] out      yours to free with nsdyn_event_driver_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_UNSUPPORTED where a slot in space has a polygon for its
 * friction by load (nsdyn_contact_law::shape), or nq is not nu and the callback `kinematics` is missing.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_new(nsdyn_context *ctx, nsdyn_system *sys,
                                              const nsdyn_event_driver_options *options,
                                              nsdyn_event_driver **out, nsdyn_error *error);

/** @brief Frees a driver; NULL is fine. */
NSDYN_API void nsdyn_event_driver_free(nsdyn_event_driver *driver);

/** @brief Replaces all options; refused ones leave the old in place. @return as nsdyn_event_driver_new(). */
NSDYN_API nsdyn_status nsdyn_event_driver_set_options(nsdyn_event_driver *driver,
                                                      const nsdyn_event_driver_options *options);

/**
 * @brief Sets time and state; modes, log and counts are forgotten.
 *
 * What is closed, and what it does, is found by the next nsdyn_event_driver_advance().
 *
 * @param[in] driver  the driver.
 * @param[in] t       time.
 * @param[in] q,u     nq and nu numbers, copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_set_state(nsdyn_event_driver *driver, double t, const double *q,
                                                    const double *u);

/**
 * @brief Makes the present state consistent: no penetration, constraints and their velocities zero, no closed
 * contact that approaches.
 *
 * Coordinates move as little as possible in the metric of M, velocities change by an impact with ε = 0. The
 * next nsdyn_event_driver_advance() then begins from there.
 *
 * @param[in]     driver  the driver.
 * @param[in,out] report  its `size` set by you; how far off the state was and what changed. NULL: not wanted.
 * @return NSDYN_OK; NSDYN_ERR_INCONSISTENT where no such state was found, with the contact or constraint that
 *         stays off; NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_BUSY, and what callbacks and
 * impacts fail with. After a failure the state is as before.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_consistent(nsdyn_event_driver *driver,
                                                     nsdyn_consistent_report *report);

/**
 * @brief Integrates to t_end, through all events on the way.
 *
 * Where it ends early, the state is that of the last integrator step or event that was completed, and it can
 * be called again. Events that follow each other without progress in time end with NSDYN_MAX_ITERATIONS.
 *
 * @param[in] driver  the driver.
 * @param[in] t_end   not before the present time.
 * @return NSDYN_OK at t_end; NSDYN_STOPPED (the observer, the output, or an ambiguity), NSDYN_CANCELLED (the
 * context's progress callback); NSDYN_NO_SOLUTION, NSDYN_UNDECIDED or NSDYN_INACCURATE of an impact or of
 * forces;
 * NSDYN_MAX_ITERATIONS
 *         (`max_steps`, no progress, or a tolerance that cannot be met); NSDYN_ERR_INCONSISTENT where the
 *         beginning breaks contacts or constraints, a gap does not follow its directions, or what is left of
 *         gaps, velocities and laws is beyond the tolerance; NSDYN_ERR_ARGUMENT,
 *         NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOT_DEFINITE, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY,
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_advance(nsdyn_event_driver *driver, double t_end);

/** @brief Present time. */
NSDYN_API double nsdyn_event_driver_time(const nsdyn_event_driver *driver);

/** @brief Coordinates, nq; the driver's own, valid until its next call. */
NSDYN_API const double *nsdyn_event_driver_q(const nsdyn_event_driver *driver);

/** @brief Velocities, nu; the driver's own, valid until its next call. */
NSDYN_API const double *nsdyn_event_driver_u(const nsdyn_event_driver *driver);

/** @brief Accelerations u̇, nu, under the present modes; zero before the first advance. */
NSDYN_API const double *nsdyn_event_driver_a(const nsdyn_event_driver *driver);

/** @brief Records in the log. */
NSDYN_API int64_t nsdyn_event_driver_events(const nsdyn_event_driver *driver);

/**
 * @brief A record of the log, oldest first.
 * @param[in]     driver  the driver.
 * @param[in]     k       0 … nsdyn_event_driver_events() − 1.
 * @param[in,out] event   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_event(const nsdyn_event_driver *driver, int64_t k,
                                                nsdyn_event *event);

/** @brief Contacts that are closed; 0 before the first advance. */
NSDYN_API int32_t nsdyn_event_driver_active(const nsdyn_event_driver *driver);

/**
 * @brief The k-th of them, with the forces of the present modes.
 *
 * `before` and `after` are both γ; `impulse` is zero.
 *
 * @param[in]     driver  the driver.
 * @param[in]     k       0 … nsdyn_event_driver_active() − 1.
 * @param[in,out] state   its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_active_contact(const nsdyn_event_driver *driver, int32_t k,
                                                         nsdyn_contact_state *state);

/**
 * @brief A contact known in advance; from the callback `output`, at that time.
 * @param[in]     driver  the driver.
 * @param[in]     i       its number.
 * @param[in,out] state   its `size` set by you; filled in, with the gap at the present state, closed or not.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_contact(const nsdyn_event_driver *driver, int32_t i,
                                                  nsdyn_contact_state *state);

/**
 * @brief A found contact by its key; `active` is 0 where none of that key is closed.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_found_contact(const nsdyn_event_driver *driver, int64_t key,
                                                        nsdyn_contact_state *state);

/**
 * @brief A constraint with its force under the present modes; from the callback `output`, at that time.
 *
 * `impulse` is zero.
 *
 * @param[in]     driver  the driver.
 * @param[in]     i       its number.
 * @param[in,out] state   its `size` set by you; filled in; zero before the first advance and after a failure.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_constraint(const nsdyn_event_driver *driver, int32_t i,
                                                     nsdyn_constraint_state *state);

/**
 * @brief What the last impact did, or the one that a run failed at.
 *
 * Before the first impact since the state was set there is the law alone.
 *
 * @param[in]     driver  the driver.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_impact_report(const nsdyn_event_driver *driver,
                                                        nsdyn_impact_report *report);

/**
 * @brief Impulses, velocities, modes and energy of one half of that impact.
 *
 * Rows stand in the order of nsdyn_event_driver_impact_contact(), one or two each, those of constraints
 * follow.
 *
 * @param[in]     driver  the driver.
 * @param[in]     kind    one of ::nsdyn_impact_half_kind.
 * @param[in,out] half    its `size` set by you; filled in; the arrays are the driver's own, valid until its
 * next call.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a NULL or another kind, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_impact_half(const nsdyn_event_driver *driver, int32_t kind,
                                                      nsdyn_impact_half *half);

/**
 * @brief Who is contact i of that impact.
 * @param[in]  driver   the driver.
 * @param[in]  i        0 … nsdyn_impact_half::contacts − 1.
 * @param[out] contact  number of a contact known in advance; −1 for a found one; may be NULL.
 * @param[out] key      of a found contact; else its number; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_impact_contact(const nsdyn_event_driver *driver, int32_t i,
                                                         int32_t *contact, int64_t *key);

/** @brief Energy of the motion; nsdyn_event_energy_init() writes the size. */
typedef struct nsdyn_event_energy {
  size_t size;      /**< sizeof(nsdyn_event_energy) as you compiled it. */
  int32_t known;    /**< 1 where there is a mass matrix or `kinetic`; else the kinetic energy is 0. */
  int32_t reserved; /**< 0. */
  double kinetic;   /**< Kinetic energy at the present state. */
  /** By how much impacts have changed it since the state was set, negative where it was lost; where surfaces
   * move by themselves (ŵ is not zero), their work at relative velocities. */
  double impacts;
} nsdyn_event_energy;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] energy  to fill in.
 * @param[in]  size    sizeof(nsdyn_event_energy).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_energy_init(nsdyn_event_energy *energy, size_t size);

/**
 * @brief Energy at the present state. Evaluates M, so it costs nothing to those who do not ask.
 * @param[in]     driver  the driver.
 * @param[in,out] energy  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY,
 *         NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM, NSDYN_ERR_BUSY from inside a run.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_energy(nsdyn_event_driver *driver, nsdyn_event_energy *energy);

/**
 * @brief The contact problem that the last run failed at, of forces or of an impact, as an LCP in the text
 * that nsdyn_lcp_read_text() and `examples/lcp` read; also where an ambiguity stopped it. With a contact in
 * space it is the contact problem itself, in the text that nsdyn_contact_read_text() and `examples/friction`
 * read: one law per contact, with the coefficient in force and the bound an impulse, or a force.
 * @param[in]  driver  the driver.
 * @param[out] text    receives at most `size` bytes with a zero at the end; NULL with size 0 to measure.
 * @param[in]  size    bytes of `text`.
 * @return the bytes the whole text needs, its zero included; 0 where there is none, or memory is out.
 */
NSDYN_API size_t nsdyn_event_driver_write_problem(nsdyn_event_driver *driver, char *text, size_t size);

/**
 * @brief Time, state, modes, and what is remembered of contacts, so that a run can go on from there.
 *
 * The integrator is not part of it, nor are log and counts: a run that is restored begins a new phase.
 * Restored twice, it gives the same bits; beside the run that simply went on it differs within the tolerance.
 *
 * @param[in]  driver  the driver, not inside of its run.
 * @param[out] buffer  receives at most `size` bytes; NULL with size 0 to measure.
 * @param[in]  size    bytes of `buffer`.
 * @return the bytes the whole state needs; nothing is written where `size` is less. 0 for NULL.
 */
NSDYN_API size_t nsdyn_event_driver_save(const nsdyn_event_driver *driver, void *buffer, size_t size);

/**
 * @brief Takes up a state saved by a driver of the same system, with this library, on this kind of machine.
 * @param[in] driver  the driver; its options stay.
 * @param[in] buffer  as written by nsdyn_event_driver_save(); checked before anything is taken over.
 * @param[in] size    its bytes.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (not such a state, or of other sizes), NSDYN_ERR_NOMEM,
 * NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_restore(nsdyn_event_driver *driver, const void *buffer,
                                                  size_t size);

/** @brief Counts since the state was set; nsdyn_event_report_init() writes the size. */
typedef struct nsdyn_event_report {
  size_t size;      /**< sizeof(nsdyn_event_report) as you compiled it. */
  int32_t status;   /**< What the last advance returned. */
  int32_t stiff;    /**< 1: in the present phase steps are limited by stability, not by the error: the problem
                       is stiff. */
  int64_t steps;    /**< Integrator steps. */
  int64_t rejected; /**< Trial steps that missed the tolerance. */
  int64_t evaluations; /**< Of the accelerations. */
  int64_t events;      /**< Records, those no longer kept among them. */
  int64_t impacts;     /**< Impacts solved. */
  int64_t phases;      /**< Smooth phases begun. */
  int64_t projections; /**< How often drift was removed. */
  double t;            /**< Present time. */
  double dt;           /**< Length of the last integrator step. */
  double gap;      /**< Largest |g_N| of a closed contact, and |g_b|, left by the last projection or looked at
                      since. */
  double residual; /**< Largest violation of a contact law by an impact or by forces, relative to its scale:
                      where a phase begins and ends, and at outputs. */
  int64_t dropped; /**< Records that the log no longer keeps. */
  int64_t handovers; /**< Time steps that went on where events did not. */
  double gap_bound;  /**< What `gap` was judged by. */
  double velocity; /**< Largest γ_N of a closed contact, γ_T of a sticking one and constraint velocity left by
                      the last projection. */
  double velocity_bound; /**< What it was judged by. */
  double zeno_speed;     /**< Largest speed γ_N of a hop that was closed off: the error of doing so is of its
                            square over the acceleration, in gaps. */
} nsdyn_event_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_event_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_report_init(nsdyn_event_report *report, size_t size);

/**
 * @brief Counts and figures since the state was set.
 * @param[in]     driver  the driver.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_report(const nsdyn_event_driver *driver,
                                                 nsdyn_event_report *report);

/** @brief One line on the last failure, naming callback, contact or constraint; "" after a success. */
NSDYN_API const char *nsdyn_event_driver_message(const nsdyn_event_driver *driver);

/**
 * @brief The same for programs.
 * @param[in]     driver  the driver.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_event_driver_detail(const nsdyn_event_driver *driver, nsdyn_detail *detail);

#ifdef __cplusplus
}
#endif

#endif
