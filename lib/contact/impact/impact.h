/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Impacts of all closed contacts at once, at constant q: γ⁺ = γ⁻ + G Λ. The calls are in contact/door.h.
 *
 * Newton's law is one contact problem, ξ = γ⁺ + ε γ⁻ = G Λ + (1 + ε) γ⁻ (Glocker & Studer 2005, eq. 33 with
 * Δt = 0). Poisson's are two: compression, γ_C = γ⁻ + G Λ_C with ε = 0, then expansion (expansion.h),
 * γ_E = γ_C + G Λ_E with 0 <= Λ_NE − ε_N Λ_NC ⊥ γ_NE >= 0. Half 0 is Newton's impact or the compression,
 * half 1 the expansion. */
#ifndef NSD_CONTACT_IMPACT_IMPACT_H
#define NSD_CONTACT_IMPACT_IMPACT_H

#include "base/arena.h"
#include "base/sized.h"
#include "contact/door.h"
#include "contact/impact/expansion_space.h"
#include "contact/impact/painleve.h"

/* What a contact solver has for impacts; nothing until the first one. */
typedef struct nsd_impact {
  nsdyn_impact_report report;
  int contacts, rows; /* of the last impact; 0 where it was refused */
  /* What an expansion is judged against is no less: the rounding of what came before it. */
  double least_scale;

  nsd_arena room; /* laid out for: */
  int room_contacts, room_rows, room_unknowns;
  nsd_impact_half half[2];      /* nsdyn_impact_half */
  nsd_restitution *restitution; /* contacts: of the public problem */
  nsd_expansion_law *law;       /* contacts */
  nsd_contact_spec *spec;       /* contacts: of an expansion as a contact problem */
  nsd_contact_stored *stored;   /* contacts */
  nsd_expansion_unknown *unknown;
  double *Lambda_0; /* rows */
  double *trial;    /* rows */
  double *c;        /* rows */
  double *start;    /* rows: of an expansion in space */
  double *shift;    /* rows: its c */
  double *change;   /* rows: G Λ, where G is an operator */
  nsd_painleve_work jam;
} nsd_impact;

/* No memory yet. */
nsd_impact nsd_impact_empty(nsdyn_context *ctx);

/* Memory for an impact of so many contacts and rows. */
nsdyn_status nsd_impact_reserve(nsd_impact *w, int contacts, int rows);

#endif
