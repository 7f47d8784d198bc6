/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Calls into the user's table, and the words for what went wrong there.
 *
 * The calls that every step makes are inline and only pass a code on; nothing else is looked at on the good
 * path. Numbers that are not finite show in the results of a step, and then nsd_blame_…() finds where they
 * came from. */
#ifndef NSD_SYSTEM_CALLBACKS_H
#define NSD_SYSTEM_CALLBACKS_H

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "contact/problem.h"
#include "system/object.h"

/* Which contact or constraint a callback was asked about. */
typedef struct nsd_subject {
  int32_t kind;  /* NSDYN_DETAIL_NONE, …CONTACT, …CONSTRAINT */
  int32_t index; /* −1 for a contact found at run time */
  int64_t key;   /* of such a one */
} nsd_subject;

static inline nsd_subject nsd_no_subject(void)
{
  const nsd_subject none = {NSDYN_DETAIL_NONE, -1, 0};
  return none;
}

/* "contact 2", "contact with key 17", "constraint 0"; "" for none. Returns `text`. */
#define NSD_SUBJECT_LENGTH 48
const char *nsd_subject_text(nsd_subject who, char text[NSD_SUBJECT_LENGTH]);

/* The callback `name` returned `code`, which is not zero. */
nsdyn_status nsd_blame_code(nsd_fault *fault, const char *name, nsd_subject who, int code);

/* The first number of rows × cols that is not finite, or too large (nsd_is_number), if there is one:
 * NSDYN_ERR_NOT_FINITE, with a message like "callback direction, contact 2: W row 1, column 0 is nan"; else
 * NSDYN_OK. A vector has one row; its elements are called "h element 3". */
nsdyn_status nsd_blame_matrix(nsd_fault *fault, const char *name, nsd_subject who, const char *what, int rows,
                              int cols, const double *A);
nsdyn_status nsd_blame_vector(nsd_fault *fault, const char *name, nsd_subject who, int32_t kind,
                              const char *what, int n, const double *x);

/* A gap that changed by `changed` to `gap` where W and ŵ say `said`: callbacks that contradict each other.
 * NSDYN_ERR_INCONSISTENT, which names the contact or constraint. */
nsdyn_status nsd_blame_directions(nsd_fault *fault, nsd_subject who, double gap, double changed, double said);

/* A velocity of what is closed that changed by `changed` to `speed` where w̄ was to keep it. The same status.
 */
nsdyn_status nsd_blame_bias(nsd_fault *fault, nsd_subject who, double speed, double changed);

/* A result that callbacks with finite numbers led to all the same. */
nsdyn_status nsd_blame_overflow(nsd_fault *fault, const char *what, int n, const double *x);

/* Whether a callback may answer so: what is too large to be squared cannot be computed with. */
static inline int nsd_is_number(double x)
{
  return fabs(x) < NSD_NUMBERS_END;
}

/* Few numbers, without the call of memset() that a compiler would make of the loop. */
static inline void nsd_fill_zero(int n, double *x)
{
  for (int i = 0; i < n; i++) {
    x[i] = 0.0;
#ifdef __GNUC__
    __asm__("" : "+r"(i));
#endif
  }
}

static inline nsdyn_status nsd_call_configure(const nsdyn_system_def *def, double t, const double *q,
                                              nsd_fault *fault)
{
  const int code = def->configure ? def->configure(def->user, t, q) : 0;
  return code ? nsd_blame_code(fault, "configure", nsd_no_subject(), code) : NSDYN_OK;
}

static inline nsdyn_status nsd_call_force(const nsdyn_system_def *def, double t, const double *q,
                                          const double *u, double *h, nsd_fault *fault)
{
  nsd_fill_zero(def->nu, h);
  const int code = def->force ? def->force(def->user, t, q, u, h) : 0;
  return code ? nsd_blame_code(fault, "force", nsd_no_subject(), code) : NSDYN_OK;
}

/* K (nu × nq) and D (nu × nu); there is such a callback. */
static inline nsdyn_status nsd_call_force_jacobian(const nsdyn_system_def *def, double t, const double *q,
                                                   const double *u, double *K, double *D, nsd_fault *fault)
{
  memset(K, 0, (size_t)def->nu * (size_t)def->nq * sizeof *K);
  memset(D, 0, (size_t)def->nu * (size_t)def->nu * sizeof *D);
  const int code = def->force_jacobian(def->user, t, q, u, K, D);
  return code ? nsd_blame_code(fault, "force_jacobian", nsd_no_subject(), code) : NSDYN_OK;
}

static inline nsdyn_status nsd_call_gap(const nsdyn_system_def *def, double t, const double *q, double *g,
                                        nsd_fault *fault)
{
  nsd_fill_zero(def->ncontacts, g);
  const int code = def->ncontacts ? def->gap(def->user, t, q, g) : 0;
  return code ? nsd_blame_code(fault, "gap", nsd_no_subject(), code) : NSDYN_OK;
}

/* W has room for NSD_CONTACT_ROWS rows, w_hat for as many numbers. */
static inline nsdyn_status nsd_call_direction(const nsdyn_system_def *def, double t, const double *q, int i,
                                              double *W, double *w_hat, nsd_fault *fault)
{
  nsd_fill_zero(NSD_CONTACT_ROWS * def->nu, W);
  nsd_fill_zero(NSD_CONTACT_ROWS, w_hat);
  const int code = def->direction(def->user, t, q, i, W, w_hat);
  if (code) {
    const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, 0};
    return nsd_blame_code(fault, "direction", who, code);
  }
  return NSDYN_OK;
}

/* Where there are constraints; g_b, W_b and w_hat_b are filled, and refused where a number is none. */
nsdyn_status nsd_call_constraint(const nsdyn_system_def *def, double t, const double *q, double *g_b,
                                 double *W_b, double *w_hat_b, nsd_fault *fault);

/* A diagonal block of M, as `mass` writes them: row-major, one behind the other. Where the table names none,
 * M itself is the only one. */
typedef struct nsd_mass_part {
  int number; /* of the block, from 0 */
  int first;  /* its first velocity */
  int n;      /* its velocities; 0: there is none left */
  size_t at;  /* where its numbers begin */
} nsd_mass_part;

/* The first block, and the one after p. */
static inline nsd_mass_part nsd_mass_first(const nsdyn_system_def *def)
{
  const nsd_mass_part p = {0, 0, def->nblocks ? def->block[0] : def->nu, 0};
  return p;
}
static inline nsd_mass_part nsd_mass_next(const nsdyn_system_def *def, nsd_mass_part p)
{
  p.at += (size_t)p.n * (size_t)p.n;
  p.first += p.n;
  p.number++;
  p.n = p.number < def->nblocks ? def->block[p.number] : 0;
  return p;
}

/* Numbers of all blocks together. */
size_t nsd_mass_numbers(const nsdyn_system_def *def);

/* What messages call a block: "M", or "M block 2 (velocities 6 to 8)". */
enum { NSD_MASS_LENGTH = 64 };
const char *nsd_mass_text(const nsdyn_system_def *def, nsd_mass_part p, char text[NSD_MASS_LENGTH]);

/* The element of M that is no number; NSDYN_OK where all are. */
nsdyn_status nsd_blame_mass(nsd_fault *fault, const nsdyn_system_def *def, const double *M);

/* M as the callback leaves it, nsd_mass_numbers(), not checked. */
nsdyn_status nsd_call_mass(const nsdyn_system_def *def, double t, const double *q, double *M,
                           nsd_fault *fault);

/* Room for the M of energies, taken from `ctx` when they are first asked for: none where it is not needed. */
nsdyn_status nsd_make_energy_mass(const nsdyn_system_def *def, nsdyn_context *ctx, double **M,
                                  nsd_fault *fault);

/* Kinetic energies of `count` velocities at one configuration, which is configured: by M, for which there is
 * room (nsd_mass_numbers()), or by the callback `kinetic` where there is no `mass`. One of the two is there.
 */
nsdyn_status nsd_call_energies(const nsdyn_system_def *def, double t, const double *q, int count,
                               const double *const *u, double *M, double *T, nsd_fault *fault);

nsdyn_status nsd_call_solve_mass(const nsdyn_system_def *def, double t, const double *q, int nrhs, double *X,
                                 nsd_fault *fault);

/* The configuration `dt` after q at constant u, which is configured; q_new must not overlap q. */
nsdyn_status nsd_call_move(const nsdyn_system_def *def, double t, const double *q, const double *u, double dt,
                           double *q_new, nsd_fault *fault);

/* Coordinates that a move led to: NSDYN_ERR_NOT_FINITE where one is not finite, with the callback that wrote
 * it; else NSDYN_OK. */
nsdyn_status nsd_blame_move(nsd_fault *fault, const nsdyn_system_def *def, const double *q);

/* μ of a law's curve at a speed, >= 0. */
nsdyn_status nsd_call_curve(const nsdyn_contact_law *law, nsd_subject who, double speed, double *mu,
                            nsd_fault *fault);

#endif
