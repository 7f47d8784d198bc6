/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem as the rooms of lib/contact see it: checked, with coefficients in force.
 *
 * The public call and the steppers both make one; nothing behind this door is validated again. Rooms:
 *
 *   law.c        laws: defaults, their checks
 *   check.c      the public problem, checked and turned into this form
 *   planar.c     its LCP (Glocker & Studer 2005, eq. 33) and the way back
 *   direct.c     one and two contacts: their modes tried one by one
 *   residual.c   the certificate, from Λ alone
 *   modes.c      modes of a solution; the linear system of a mode pattern
 *   census.c …   all solutions, by modes
 *   delassus.c   G from W and the factor of M
 *   object.c     the solver, solve.c its chain of methods */
#ifndef NSD_CONTACT_PROBLEM_H
#define NSD_CONTACT_PROBLEM_H

#include "nsdyn/contact.h"

/* What bounds Λ_T of a contact. */
enum nsd_friction {
  NSD_FRICTION_NONE = 0, /* no tangential row */
  NSD_FRICTION_LOAD = 1, /* mu |Λ_N|; mu = 0 is legal */
  NSD_FRICTION_GIVEN = 2 /* bound, an impulse */
};

/* One contact of a problem. */
typedef struct nsd_contact_spec {
  double mu;        /* coefficient in force, >= 0 */
  double bound;     /* impulse of NSD_FRICTION_GIVEN, >= 0 */
  int32_t row;      /* of its Λ_N; Λ_T, if any, is the next */
  int32_t friction; /* nsd_friction */
  int32_t kind;     /* nsdyn_contact_kind */
  int32_t sliding;  /* 1, −1: Λ_T = −sliding mu Λ_N and nothing asked of ξ_T; 0: unknown */
} nsd_contact_spec;

/* ξ = G Λ + c; contacts' rows first, bilateral ones behind. */
typedef struct nsd_contact_data {
  int contacts;
  int bilateral;
  int rows;
  int ldg;
  const nsd_contact_spec *spec; /* contacts */
  const double *G;              /* rows × ldg, symmetric */
  const double *c;              /* rows */
} nsd_contact_data;

#endif
