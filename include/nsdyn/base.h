/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief What every other header rests on: status codes, details of a failure, the context.
 *
 * Three conventions hold for the whole library.
 *
 * - **A call that can fail returns an #nsdyn_status.** Zero is success, positive values are honest
 *   answers that are not a solution (stopped early, no answer found), negative values are errors.
 * - **Objects are opaque.** `nsdyn_thing_new` hands one out and says in an ::nsdyn_error why it could not,
 *   `nsdyn_thing_free` takes it back and accepts NULL. All memory comes from the object's context.
 * - **Tables of options, callbacks and reports are plain structs that begin with their size.** Let
 *   `nsdyn_x_init(&x, sizeof x)` fill in size and defaults, then change what you need. Zero means
 *   zero in every field: it is never a code for "default".
 */
#ifndef NSDYN_BASE_H
#define NSDYN_BASE_H

#include <stddef.h>
#include <stdint.h>

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @brief Outcome of a call: zero, one of the positive outcomes, or a negative error.
 *
 * An int32_t rather than an enum, so that its size is the same for every compiler and binding. The
 * values are those of ::nsdyn_status_code; once released, a number is never reused.
 */
typedef int32_t nsdyn_status;

/**
 * @brief The values of #nsdyn_status.
 *
 * | range | meaning | outputs of a solve | state of a stepper or driver |
 * |---|---|---|---|
 * | 0 | done, the certificate holds | the solution | advanced |
 * | 1 … 15 | stopped early, as the caller asked | what was found until then | advanced to where it stopped |
 * | 16 … | no answer, honestly | the best found; its residual in the report | as before the step that failed
 * | | < 0 | refused or failed | untouched | as before the step that failed |
 */
enum nsdyn_status_code {
  NSDYN_OK = 0,              /**< Done; what the call promises holds. */
  NSDYN_STOPPED = 1,         /**< An observer asked to stop here, or an option said to. */
  NSDYN_CANCELLED = 2,       /**< The progress callback asked to stop here. */
  NSDYN_MAX_ITERATIONS = 16, /**< The limit of iterations was reached first: one that the options set, or that
                                  a chosen method has of its own. */
  NSDYN_UNDECIDED = 17,    /**< The search ended without a solution, on a ray for example: whether one exists
                                is undecided. */
  NSDYN_NO_SOLUTION = 18,  /**< There is no solution, and this is proved. */
  NSDYN_INACCURATE = 19,   /**< An answer was found, but it misses the tolerance: rounding, or a tolerance
                                that is too small for these numbers. */
  NSDYN_ERR_NOMEM = -1,    /**< The allocator had no memory. */
  NSDYN_ERR_ARGUMENT = -2, /**< An argument or option is outside its range. */
  NSDYN_ERR_NOT_FINITE = -3,     /**< A NaN or an infinity where a number is needed, or an overflow. */
  NSDYN_ERR_STRUCT_SIZE = -4,    /**< A struct's size field is not one this library knows. */
  NSDYN_ERR_STRUCT_TOO_NEW = -5, /**< A struct sets a field that this library is too old to know. */
  NSDYN_ERR_SINGULAR = -6,       /**< A matrix that must be regular is not. */
  NSDYN_ERR_NOT_DEFINITE = -7,   /**< A matrix that must be positive definite is not. */
  NSDYN_ERR_CALLBACK = -8,       /**< A callback returned a negative code. */
  NSDYN_ERR_CALLBACK_RETRY = -9, /**< A callback asked for a shorter step and the step is fixed. */
  NSDYN_ERR_BUSY = -10,          /**< Called from inside a callback of the same object. */
  NSDYN_ERR_TOO_LARGE = -11,     /**< A size whose storage cannot be counted in size_t. */
  NSDYN_ERR_SYNTAX = -12,        /**< A text does not follow its format. */
  NSDYN_ERR_UNSUPPORTED = -13,   /**< The chosen method cannot handle this class of problem. */
  NSDYN_ERR_INCONSISTENT = -14   /**< A state breaks constraints or contacts, or callbacks contradict each
                                      other. */
};

/**
 * @brief Name of a status as it stands in this header, for example "NSDYN_ERR_NOMEM".
 * @return a constant string; "NSDYN_UNKNOWN" for a number that is none.
 */
NSDYN_API const char *nsdyn_status_name(nsdyn_status status);

/**
 * @brief One sentence on what a status means, for people.
 * @return a constant string; never NULL.
 */
NSDYN_API const char *nsdyn_status_text(nsdyn_status status);

/** @brief What kind of thing nsdyn_detail::index counts. */
enum nsdyn_detail_kind {
  NSDYN_DETAIL_NONE = 0,       /**< Nothing to point at. */
  NSDYN_DETAIL_ARGUMENT = 1,   /**< Argument, counted from 0 in the order of the declaration. */
  NSDYN_DETAIL_FIELD = 2,      /**< Byte offset of a struct's field. */
  NSDYN_DETAIL_ROW = 3,        /**< Row of a matrix or vector, from 0. */
  NSDYN_DETAIL_COLUMN = 4,     /**< Column of a matrix, from 0. */
  NSDYN_DETAIL_CONTACT = 5,    /**< Contact, from 0. */
  NSDYN_DETAIL_CONSTRAINT = 6, /**< Bilateral constraint, from 0. */
  NSDYN_DETAIL_COORDINATE = 7, /**< Coordinate or velocity, from 0. */
  NSDYN_DETAIL_CALLBACK = 8,   /**< The code a callback returned. */
  NSDYN_DETAIL_LINE = 9        /**< Line of a text, from 1. */
};

/**
 * @brief What and where, for programs: which contact, which row, which line.
 *
 * People read the message that goes with it. Before a call that fills one in, set `size` (or let
 * nsdyn_detail_init() do it).
 */
typedef struct nsdyn_detail {
  size_t size;   /**< sizeof(nsdyn_detail) as you compiled it. */
  int32_t kind;  /**< One of ::nsdyn_detail_kind. */
  int32_t index; /**< Counts what `kind` says; −1 where there is nothing to count. */
  int64_t key;   /**< Identity of a contact found at run time; 0 otherwise. */
} nsdyn_detail;

/**
 * @brief Writes the size and "nothing to point at".
 * @param[out] detail  the struct to fill.
 * @param[in]  size    sizeof(nsdyn_detail).
 * @return NSDYN_OK; NSDYN_ERR_ARGUMENT for NULL; NSDYN_ERR_STRUCT_SIZE where no release can have
 *         `size`. After a failure nothing is written.
 */
NSDYN_API nsdyn_status nsdyn_detail_init(nsdyn_detail *detail, size_t size);

/**
 * @brief Why a `nsdyn_thing_new` failed: there is no object yet that could tell.
 *
 * Every `nsdyn_thing_new` takes one as its last argument, its size set by nsdyn_error_init(), or NULL. A call
 * that succeeds leaves NSDYN_OK and an empty message in it. Objects made tell by their own
 * `nsdyn_thing_message()` and `nsdyn_thing_detail()`.
 *
 * @code
 * if (nsdyn_system_new(NULL, &def, &sys, &error) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, &error)) {
 *   fprintf(stderr, "%s\n", error.message);
 *   return 1;
 * }
 * @endcode
 */
typedef struct nsdyn_error {
  size_t size;         /**< sizeof(nsdyn_error) as you compiled it. */
  nsdyn_status status; /**< What the call returned. */
  int32_t kind;        /**< One of ::nsdyn_detail_kind. */
  int32_t index;       /**< Counts what `kind` says; −1 where there is nothing to count. */
  int32_t reserved;    /**< 0. */
  int64_t key;         /**< Identity of a contact found at run time; 0 otherwise. */
  char message[232];   /**< One line for people, ended by a zero; "" after a success. */
} nsdyn_error;

/**
 * @brief Writes size, success and an empty message.
 * @param[out] error  to fill in.
 * @param[in]  size   sizeof(nsdyn_error).
 * @return NSDYN_OK; NSDYN_ERR_ARGUMENT for NULL; NSDYN_ERR_STRUCT_SIZE where no release can have
 *         `size`. After a failure nothing is written.
 */
NSDYN_API nsdyn_status nsdyn_error_init(nsdyn_error *error, size_t size);

/** @brief How much a log line matters. */
enum nsdyn_log_level {
  NSDYN_LOG_ERROR = 1,   /**< A call failed; the same line is its object's message. */
  NSDYN_LOG_WARNING = 2, /**< It worked, and you should know how. */
  NSDYN_LOG_INFO = 3,    /**< Once per run or object. */
  NSDYN_LOG_DEBUG = 4    /**< Once per solve or step. */
};

/**
 * @brief What a host program brings to a context: memory, a log, a way to watch and cancel.
 *
 * Each callback may be NULL. Fill the table with nsdyn_context_def_init() first.
 */
typedef struct nsdyn_context_def {
  size_t size; /**< sizeof(nsdyn_context_def) as you compiled it. */
  void *user;  /**< Handed to every callback as its first argument. */

  /**
   * Gives `bytes` > 0 bytes at an address that is a multiple of `alignment`, a power of two; NULL
   * when there are none. The contents may be anything. Memory that is not aligned as asked goes back
   * through `release`, is logged as an error and counts as none. NULL here (the default): the C
   * library's. Set `allocate` and `release` both or neither. Objects that live in several threads
   * call both from there.
   */
  void *(*allocate)(void *user, size_t bytes, size_t alignment);

  /** Takes back memory of `allocate`, with the `bytes` that were asked for; never NULL. */
  void (*release)(void *user, void *memory, size_t bytes);

  /** Receives one line without a line end, at a level of ::nsdyn_log_level. NULL: silent. */
  void (*log)(void *user, int32_t level, const char *line);

  /**
   * Called now and then by long calls (an enumeration, a run of a stepper; never within a solve of
   * microseconds). `activity` says what is going on, `done` how far it is, from 0 to 1, or −1 where
   * the end is not known. Return 0 to go on; anything else ends the call with NSDYN_CANCELLED.
   */
  int (*progress)(void *user, const char *activity, double done);

  /** Called once with `user` when the last holder of the context lets go. NULL: not called. */
  void (*destroy_user)(void *user);
} nsdyn_context_def;

/**
 * @brief Writes size and defaults: the C library's memory, silence, no progress.
 * @param[out] def   the table to fill.
 * @param[in]  size  sizeof(nsdyn_context_def).
 * @return NSDYN_OK; NSDYN_ERR_ARGUMENT for NULL; NSDYN_ERR_STRUCT_SIZE where no release can have
 *         `size`. After a failure nothing is written.
 */
NSDYN_API nsdyn_status nsdyn_context_def_init(nsdyn_context_def *def, size_t size);

/**
 * @brief Where objects get their memory, and where they log.
 *
 * Every `nsdyn_thing_new` takes a context as its first argument; NULL stands for the C library's
 * memory and silence, which is what most programs want (for what moves a system: the system's context).
 * Objects hold their context: it may be freed before them and goes when the last of them does.
 *
 * Nothing in a context changes: several threads may share one as far as its callbacks allow. Where they do
 * not, each thread's steppers and drivers take one of their own, and never meet.
 */
typedef struct nsdyn_context nsdyn_context;

/**
 * @brief Makes a context.
 *
 * @param[in]  def  the callbacks, copied; NULL for the defaults.
 * @param[out] out  the context, yours to free with nsdyn_context_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK; NSDYN_ERR_ARGUMENT where `out` is NULL or only one of `allocate` and `release`
 *         is set; NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_NOMEM. After a failure
 *         `destroy_user` is not called.
 *
 * @code
 * nsdyn_context_def def;
 * nsdyn_context *ctx;
 * nsdyn_context_def_init(&def, sizeof def);
 * def.log = my_log;
 * nsdyn_status status = nsdyn_context_new(&def, &ctx, NULL);
 * @endcode
 */
NSDYN_API nsdyn_status nsdyn_context_new(const nsdyn_context_def *def, nsdyn_context **out,
                                         nsdyn_error *error);

/** @brief Lets go of a context; NULL is fine. Objects that hold it keep it alive. */
NSDYN_API void nsdyn_context_free(nsdyn_context *ctx);

#ifdef __cplusplus
}
#endif

#endif
