/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The model checker: what its parts share.
 *
 *   check/check.c     the call: memory, answers of all callbacks, two of each, M
 *   check/slopes.c    slopes: gaps, constraints, biases, retract
 *   check/messages.c  the defect to look at first, and the words for it */
#ifndef NSD_SYSTEM_CHECK_CHECK_H
#define NSD_SYSTEM_CHECK_CHECK_H

#include "base/arena.h"
#include "contact/law.h"
#include "system/callbacks.h"
#include "system/check/difference.h"
#include "system/found_contacts.h"

#define NSD_SYSTEM_CHECK_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_system_check_report, reserved)

/* The answers of all callbacks at (t, q, u), one behind the other. */
typedef struct nsd_answers {
  double *M;        /* nsd_mass_numbers(), as written, where there is mass */
  double *inverse;  /* nu × nu: solve_mass of the identity, where there is solve_mass */
  double *h;        /* nu */
  double *g;        /* ncontacts */
  double *W;        /* ncontacts × NSD_CONTACT_ROWS × nu */
  double *w_hat;    /* ncontacts × NSD_CONTACT_ROWS */
  double *w_bar;    /* ncontacts × NSD_CONTACT_ROWS */
  double *g_b;      /* nconstraints */
  double *W_b;      /* nconstraints × nu */
  double *w_hat_b;  /* nconstraints */
  double *w_bar_b;  /* nconstraints */
  double *qdot;     /* nq: kinematics of u */
  double *q_still;  /* nq: retract with dt = 0 */
  double *found_W;  /* found × NSD_CONTACT_ROWS × nu */
  nsd_found *found; /* those with a finite gap */
} nsd_answers;

typedef struct nsd_model_check {
  nsdyn_system *sys;
  const nsdyn_system_def *def;
  double t;
  const double *q, *u;
  nsdyn_system_check_report report;
  nsd_fault fault;
  nsdyn_contact_sink sink;
  int found;
  nsd_answers answers, again;
  double *unit; /* nu: size of a velocity, 1 / √M_jj: by these rows of W are measured */

  /* Of one series of differences. */
  const double *v;   /* the velocity moved along; NULL: time alone passes */
  double *v_turned;  /* nu: −v */
  double *v_unit;    /* nu */
  double *v_dot;     /* nq: q̇ of v */
  double *sum;       /* nq: Σ u_j (q̇ of the unit velocity j) */
  double *sum_terms; /* nq: Σ of the sizes of its terms */
  double *q_probe;   /* nq */
  double *W_probe;   /* NSD_CONTACT_ROWS × nu */
  double *W_b_probe; /* nconstraints × nu */
  double *w_hat_b_probe, *g_b_probe;
  nsd_slope *slope;      /* as many as there are rows, coordinates or gaps */
  double *values;        /* 6 × as many */
  double *given;         /* as many: what slopes are compared with, where they are looked at more than once */
  double *terms;         /* as many: sizes of what a slope is the sum of */
  double *KD, *KD_probe; /* nu × nq, then nu × nu: K and D, where they are said to be constant */
  int time_stands;       /* the series moves q alone */
  int is_constant;       /* directions were the same at all probes */
} nsd_model_check;

/* Where a defect is. */
typedef struct nsd_place {
  int32_t defect;
  const char *callback;
  nsd_subject who;
  int32_t row, column;
  double expected, found, error;
} nsd_place;

/* Counts a defect. The report tells of the one that should be looked at first. */
void nsd_model_note(nsd_model_check *c, nsd_place place);

/* The message of the defect that the report tells of. */
nsdyn_status nsd_model_explain(nsd_model_check *c);

/* v_unit := the unit velocity j, qdot := its q̇ by `kinematics`, which is there. */
nsdyn_status nsd_model_unit_rate(nsd_model_check *c, int j, double *qdot);

/* The check at the first state of a run, for the integrators' option `check`: what nsdyn_system_check() does,
 * with its message in `fault`. A model that does not reach as far as the check looks is none the worse for
 * it. */
nsdyn_status nsd_model_check_state(nsdyn_system *sys, double t, const double *q, const double *u,
                                   nsd_fault *fault);

/* Each adds its defects; the status is one of callbacks that failed. */
nsdyn_status nsd_model_check_gaps(nsd_model_check *c);
nsdyn_status nsd_model_check_biases(nsd_model_check *c);
nsdyn_status nsd_model_check_retract(nsd_model_check *c);

static inline nsd_subject nsd_model_contact(int i)
{
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, i, i};
  return who;
}

static inline nsd_subject nsd_model_constraint(int i)
{
  const nsd_subject who = {NSDYN_DETAIL_CONSTRAINT, i, 0};
  return who;
}

static inline nsd_subject nsd_model_found(const nsd_model_check *c, int k)
{
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, -1, c->answers.found[k].key};
  return who;
}

#endif
