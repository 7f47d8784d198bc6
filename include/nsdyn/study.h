/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Limit cycles: return maps of a Poincaré section, periodic orbits, their multipliers, their stability
 * along a parameter.
 *
 * A *section* is an event of the motion (its kind, and whose) or a change of sign of a function of time and
 * state (the driver's option `section`). The *return map* takes a state on it to the next one there. A
 * *cycle* is a fixed point of it, found by Newton's method from a guess, whether it is stable or not. Its
 * *multipliers* are the eigenvalues of the map's derivative: how small deviations grow from period to period.
 * All within the unit circle: the cycle is stable.
 *
 * The motion between is that of an event driver (event.h) of the cycle's own. States are varied in the middle
 * of the longest phase without events, not on the section: there everything is smooth, on both sides, and
 * what is closed or sticks stays so. Newton's derivative is taken by central differences; that of the
 * multipliers is extrapolated from differences of several lengths, which tell how good it is.
 *
 * Two kinds of coordinates need a word. Some drift: a toy that walks down a pole comes down by the same way
 * in each period. The system has to be indifferent to a shift of them, and the option `drift` names them; the
 * cycle reports the shift. Time matters where something is driven from outside: the option `forcing` is the
 * time after which it repeats; the cycle then takes a whole number of it.
 *
 * @code
 * nsdyn_cycle_options options;
 * nsdyn_cycle_options_init(&options, sizeof options);
 * options.kind = NSDYN_EVENT_IMPACT; // from one impact of contact 0 to the next
 * options.contact = 0;
 * options.forcing = 2.0 * PI / table->omega;
 * nsdyn_cycle *cycle;
 * nsdyn_error error;
 * nsdyn_error_init(&error, sizeof error);
 * nsdyn_status status = nsdyn_cycle_new(NULL, sys, &options, &cycle, &error);
 * if (status == NSDYN_OK) {
 *   status = nsdyn_cycle_set_state(cycle, 0.0, q, u);
 * }
 * if (status == NSDYN_OK) {
 *   status = nsdyn_cycle_find(cycle);
 * }
 * @endcode
 */
#ifndef NSDYN_STUDY_H
#define NSDYN_STUDY_H

#include "event.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief A search for a cycle: the system's driver, a section, a state, and the cycle that was found. */
typedef struct nsdyn_cycle nsdyn_cycle;

/** @brief Options of a search; nsdyn_cycle_options_init() writes the defaults. */
typedef struct nsdyn_cycle_options {
  size_t size;     /**< sizeof(nsdyn_cycle_options) as you compiled it. */
  int32_t kind;    /**< One of ::nsdyn_event_kind: what marks the section. Default: NSDYN_EVENT_SECTION, the
                      driver's option `section`. */
  int32_t contact; /**< Whose event: a contact known in advance; −1 (default): see `found`. */
  int32_t found; /**< With `contact` −1: 1: that of the found contact `key`; 0 (default): any contact's. */
  int32_t returns; /**< Returns to the section that make a period, >= 1. Default 1. */
  int32_t settle; /**< Periods to let pass before the first search, >= 0, so that a transient dies. Default 0.
                   */
  int32_t max_iterations; /**< Of Newton's method, >= 0. Default 50. */
  int64_t key;            /**< See `found`. */
  double tol;      /**< Largest change of a coordinate or velocity over a period, relative to its scale, in
                      (0, 1). Default 1e-9. */
  double step;     /**< By how much states are varied for the derivative, relative to the scale, in (0, 1).
                      Default 1e-4. Newton's method varies them by so much; for the multipliers it is the
                      length that several are tried from, longer ones and, where those disagree, shorter. */
  double max_time; /**< A return that takes longer counts as none, > 0. Default: infinite. */
  double forcing; /**< Time after which what depends on time repeats, > 0. Default: infinite, nothing does. */
  /** Of the driver, copied. NULL (default): those of nsdyn_event_driver_options_init(), but `tol` 1e-12 and
   * `max_steps`, here of a return, 100000. `observe` and `output` have to be NULL: a cycle listens itself. */
  const nsdyn_event_driver_options *driver;
  const double *scale;  /**< nq + nu sizes > 0 of deviations that count as alike, copied. NULL (default): half
                           of what the coordinate or velocity sweeps in a period, at least a thousandth of the
                           largest of the coordinates' or velocities'. */
  const int32_t *drift; /**< nq flags, copied: 1 for a coordinate that may shift from period to period. NULL
                           (default): none. */
} nsdyn_cycle_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_cycle_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_options_init(nsdyn_cycle_options *options, size_t size);

/**
 * @brief Makes a search, at t = 0, q = 0, u = 0.
 * @param[in]  ctx      memory, log and progress of this object, held; NULL: the system's.
 * @param[in]  sys      the system, held.
 * @param[in]  options  copied; NULL: defaults.
 * @param[out] out      yours to free with nsdyn_cycle_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_UNSUPPORTED.
 */
NSDYN_API nsdyn_status nsdyn_cycle_new(nsdyn_context *ctx, nsdyn_system *sys,
                                       const nsdyn_cycle_options *options, nsdyn_cycle **out,
                                       nsdyn_error *error);

/** @brief Frees a search; NULL is fine. */
NSDYN_API void nsdyn_cycle_free(nsdyn_cycle *cycle);

/**
 * @brief Replaces all options; refused ones leave the old in place.
 *
 * The present state stays and counts as one that was set, from which the section is to be reached; an earlier
 * cycle is forgotten.
 *
 * @param[in] cycle    the search.
 * @param[in] options  copied; NULL: defaults.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY; the
 *         message is in the search.
 */
NSDYN_API nsdyn_status nsdyn_cycle_set_options(nsdyn_cycle *cycle, const nsdyn_cycle_options *options);

/**
 * @brief Sets time and state, from which the section is to be reached; an earlier cycle is forgotten.
 * @param[in] cycle  the search.
 * @param[in] t      time.
 * @param[in] q,u    nq and nu numbers, copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_BUSY.
 */
NSDYN_API nsdyn_status nsdyn_cycle_set_state(nsdyn_cycle *cycle, double t, const double *q, const double *u);

/**
 * @brief Follows the motion to the next point of the section: one application of the return map.
 *
 * From a state that was set it leads to the section. The driver's log (nsdyn_cycle_driver()) then has the
 * events on the way. Called again and again it shows what attracts the motion. A cycle found earlier is
 * forgotten.
 *
 * @param[in] cycle  the search.
 * @return NSDYN_OK; NSDYN_MAX_ITERATIONS where there is no return within `max_time`, or as of the driver;
 *         otherwise as nsdyn_event_driver_advance(), NSDYN_STOPPED being an ambiguity. On failure the state
 * is as before.
 */
NSDYN_API nsdyn_status nsdyn_cycle_return(nsdyn_cycle *cycle);

/**
 * @brief Finds a cycle by Newton's method, and its multipliers.
 *
 * Begins at the present state: it is followed to the section and around, for `settle` periods and one or two
 * more, which tells scales and times. From a cycle found before, whose system may have changed a little
 * since, Newton's method begins at once. Afterwards the state is that of the cycle on the section, drifting
 * coordinates as in the state that was set, and the driver's log has the events of one period from there.
 *
 * @param[in] cycle  the search.
 * @return NSDYN_OK; NSDYN_MAX_ITERATIONS where Newton's method does not converge (the report has the least
 *         residual) or the section is not reached; NSDYN_ERR_SINGULAR where the map's derivative has the
 *         eigenvalue 1, as that of a coordinate that drifts; NSDYN_CANCELLED; otherwise as
 *         nsdyn_cycle_return(). On failure the state and a cycle found before are as before.
 */
NSDYN_API nsdyn_status nsdyn_cycle_find(nsdyn_cycle *cycle);

/** @brief Time of the present state. */
NSDYN_API double nsdyn_cycle_time(const nsdyn_cycle *cycle);

/** @brief Coordinates, nq; the search's own, valid until its next call. */
NSDYN_API const double *nsdyn_cycle_q(const nsdyn_cycle *cycle);

/** @brief Velocities, nu; the search's own, valid until its next call. */
NSDYN_API const double *nsdyn_cycle_u(const nsdyn_cycle *cycle);

/**
 * @brief By how much coordinates shift over a period of the cycle found, nq; zero but for those that drift.
 * Zeros where none was found. Valid until the next call.
 */
NSDYN_API const double *nsdyn_cycle_shift(const nsdyn_cycle *cycle);

/**
 * @brief Multipliers of the cycle found.
 *
 * As many as there are coordinates that do not drift, velocities, and time where it matters; largest size
 * first, of a pair the one with positive imaginary part first. What the section, closed and sticking contacts
 * take away counts as zero.
 *
 * @param[in]  cycle  the search.
 * @param[out] count  how many; 0 where no cycle was found.
 * @return real and imaginary part of each in turn, the search's own, valid until its next call.
 */
NSDYN_API const double *nsdyn_cycle_multipliers(const nsdyn_cycle *cycle, int32_t *count);

/**
 * @brief By how much the multipliers of the cycle found may be off.
 *
 * The true multiplier lies in a circle so large around the computed one. The radius comes from differences
 * with steps of several lengths, which tell how the derivative errs, from the driver's tolerance, and from
 * how sensitive the multiplier is: one of several that are equal or nearly so is known by fewer digits. It is
 * an estimate, on the safe side; there is none for motions the driver gets wrong.
 *
 * @param[in]  cycle  the search.
 * @param[out] count  how many; 0 where no cycle was found.
 * @return a radius for each of nsdyn_cycle_multipliers(), in its order, infinite where nothing can be said;
 * the search's own, valid until its next call.
 */
NSDYN_API const double *nsdyn_cycle_multiplier_errors(const nsdyn_cycle *cycle, int32_t *count);

/** @brief The driver behind it, to be read only: its log has the events of the last period or return. */
NSDYN_API const nsdyn_event_driver *nsdyn_cycle_driver(const nsdyn_cycle *cycle);

/** @brief What is known of a cycle; nsdyn_cycle_find_report_init() writes the size. */
typedef struct nsdyn_cycle_find_report {
  size_t size;          /**< sizeof(nsdyn_cycle_find_report) as you compiled it. */
  int32_t status;       /**< What the last nsdyn_cycle_find() returned; 0 before it. */
  int32_t found;        /**< 1: there is a cycle, and the figures below are its. */
  int32_t stable;       /**< 1: all multipliers are within the unit circle. */
  int32_t unstable;     /**< How many are not. */
  int32_t iterations;   /**< Of Newton's method in the last search. */
  int32_t windings;     /**< Periods of the forcing in one of the cycle; 0 without forcing. */
  int64_t returns;      /**< Returns followed since the state was set. */
  double period;        /**< Of the cycle. */
  double residual;      /**< Largest change of the state over a period, relative to its scale; where none was
                           found, the least of the last search, infinite before one. */
  double largest;       /**< Size of the largest multiplier. */
  double largest_error; /**< By how much it may be off; see nsdyn_cycle_multiplier_errors(). */
} nsdyn_cycle_find_report;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] report  to fill in.
 * @param[in]  size    sizeof(nsdyn_cycle_find_report).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_find_report_init(nsdyn_cycle_find_report *report, size_t size);

/**
 * @brief What is known of the cycle.
 * @param[in]     cycle   the search.
 * @param[in,out] report  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_report(const nsdyn_cycle *cycle, nsdyn_cycle_find_report *report);

/** @brief One line on the last failure, naming callback, contact or coordinate; "" after a success. */
NSDYN_API const char *nsdyn_cycle_message(const nsdyn_cycle *cycle);

/**
 * @brief The same for programs.
 * @param[in]     cycle   the search.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_detail(const nsdyn_cycle *cycle, nsdyn_detail *detail);

/** @brief How the stability of a cycle changes. */
enum nsdyn_stability_change {
  NSDYN_CHANGE_NONE = 0,   /**< It does not. */
  NSDYN_CHANGE_FOLD = 1,   /**< A multiplier passes 1: two cycles meet there, or a symmetry is lost. */
  NSDYN_CHANGE_FLIP = 2,   /**< A multiplier passes −1: the period doubles. */
  NSDYN_CHANGE_TORUS = 3,  /**< A pair of multipliers leaves or enters the unit circle: a second frequency. */
  NSDYN_CHANGE_JUMP = 4,   /**< Multipliers jump over the unit circle: another order of events. */
  NSDYN_CHANGE_GRAZING = 5 /**< The branch ends, or goes on with other impacts: a contact that was not hit
                              begins to graze, or an impact has become so slow that it does. */
};

/** @brief "none", "fold", "flip", "torus", "jump", "grazing"; "unknown" for a number that is no
 * ::nsdyn_stability_change. */
NSDYN_API const char *nsdyn_stability_change_name(int32_t change);

/** @brief A point of a sweep, as `visit` sees it; nsdyn_cycle_point_init() writes the size. */
typedef struct nsdyn_cycle_point {
  size_t size;    /**< sizeof(nsdyn_cycle_point) as you compiled it. */
  int32_t index;  /**< Of the parameter's value; of a change between two values: of the later one. */
  int32_t change; /**< One of ::nsdyn_stability_change; NSDYN_CHANGE_NONE at the values themselves. */
  /** NSDYN_OK, or why no cycle was found at this value; of a grazing: at the value beyond it. */
  int32_t status;
  int32_t stable; /**< 1: the cycle is stable; at a change: it is so from here on. */
  double value;   /**< Of the parameter. */
  double bound;   /**< How far from `value` the change may be: the distance of the two values it was found
                     between, and the multiplier's error over how fast the parameter changes it. 0 at the values
                     themselves. */
  int32_t contact; /**< Of a grazing: number of the contact that grazes; −1 for a found one, and where none is
                      meant. */
  int32_t impacts; /**< In a period of the cycle, but for those that accumulate; of a grazing: before it. */
  int64_t key;     /**< Of a grazing: key of a found contact; else its number. */
  double t;        /**< Of a grazing: when it grazes, counted from the section. */
} nsdyn_cycle_point;

/**
 * @brief Writes the size; `contact` is −1, the rest is zero.
 * @param[out] point  to fill in.
 * @param[in]  size   sizeof(nsdyn_cycle_point).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_point_init(nsdyn_cycle_point *point, size_t size);

/** @brief A way along a parameter; nsdyn_cycle_path_init() writes the defaults. */
typedef struct nsdyn_cycle_path {
  size_t size;          /**< sizeof(nsdyn_cycle_path) as you compiled it. */
  int32_t count;        /**< How many values, >= 0. Default 0. */
  int32_t reserved;     /**< 0. */
  const double *values; /**< Of the parameter, in the order of the way; read while the sweep lasts. */
  double tol;           /**< How close changes of stability are located, relative to the distance of the two
                           values, in (0, 1). Default 1e-6. */
  void *user;           /**< First argument of the callbacks. */
  /** Gives the parameter its value, in what the system's callbacks read or by nsdyn_system_set_contact(). The
   * system may not be shared with another thread then. Returns as the system's callbacks do. */
  int (*set)(void *user, double value);
  /** Called at each value, and before it at each change of stability since the value before. `cycle` has the
   * cycle there, where one was found; it may be read, not changed. Anything but 0 ends the sweep with
   * NSDYN_STOPPED. NULL: none. */
  int (*visit)(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point);
  /** Period of the forcing at a value of the parameter, a duration > 0: for a parameter that changes it, as
   * the frequency of a drive does. Asked after `set`; it becomes the option `forcing`, which has to be finite
   * from the beginning, and stays when the sweep is over. What is driven is thought of as a function of t
   * over this period: when it changes, the search for the next cycle begins at the same share of it. NULL
   * (default): the option `forcing` holds for all values. */
  double (*forcing)(void *user, double value);
} nsdyn_cycle_path;

/**
 * @brief Writes size and defaults.
 * @param[out] path  to fill in.
 * @param[in]  size  sizeof(nsdyn_cycle_path).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_cycle_path_init(nsdyn_cycle_path *path, size_t size);

/**
 * @brief Follows a cycle along a parameter, stable or not, and locates where its stability changes.
 *
 * The first search is nsdyn_cycle_find() at the first value; each further one begins at the cycle found last.
 * A value without one is visited with its status, and the way goes on. Where the number of unstable
 * multipliers differs between two neighbouring values, the change is located: one of them, where several lie
 * there. Where a cycle is missed, has other impacts or has leapt, the branch is walked along by shorter
 * steps, and a graze at which it ends is told. Where that is not seen, none is told: `impacts` of the two
 * values differ, and the later cycle is one of another branch. Afterwards the parameter has the last value,
 * and the state is that of the cycle found last.
 *
 * @param[in] cycle  the search, its state set.
 * @param[in] path   the values and the callbacks.
 * @return NSDYN_OK, also where cycles were missed; NSDYN_STOPPED (`visit`), NSDYN_CANCELLED,
 *         NSDYN_ERR_CALLBACK and NSDYN_ERR_CALLBACK_RETRY (`set`), NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY, NSDYN_ERR_NOMEM.
 */
NSDYN_API nsdyn_status nsdyn_cycle_sweep(nsdyn_cycle *cycle, const nsdyn_cycle_path *path);

#ifdef __cplusplus
}
#endif

#endif
