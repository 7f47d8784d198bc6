/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact laws as the steppers and the contact problem read them. */
#ifndef NSD_CONTACT_LAW_H
#define NSD_CONTACT_LAW_H

#include "base/failure.h"
#include "base/sized.h"
#include "contact/problem.h"
#include "nsdyn/contact.h"

#define NSD_CONTACT_LAW_LEAST NSD_SIZE_THROUGH(nsdyn_contact_law, user)

/* Whether the law's coefficient comes from its curve: Coulomb's friction, or a brake, whose normal force is
 * given. */
static inline int nsd_contact_law_is_curved(const nsdyn_contact_law *law)
{
  return law->friction == NSDYN_FRICTION_CURVE || (law->friction == NSDYN_FRICTION_BOUND && law->curve);
}

/* What an impact law takes from a contact's law. */
typedef struct nsd_restitution {
  double eps_n;
  double eps_t;
  double reversal; /* ν */
} nsd_restitution;

/* Rows of a contact under this law: γ_N, and γ_T where there may be friction, in space two of them. */
static inline int32_t nsd_contact_law_rows(const nsdyn_contact_law *law)
{
  return law->friction == NSDYN_FRICTION_NONE ? 1 : 1 + law->tangents;
}

/* Whether it has two tangential rows. */
static inline int nsd_contact_law_is_spatial(const nsdyn_contact_law *law)
{
  return law->tangents == 2 && law->friction != NSDYN_FRICTION_NONE;
}

/* The friction set of such a law. */
void nsd_contact_law_read_space(const nsdyn_contact_law *law, nsd_contact_space *space);

/* A contact whose first row is `row` and whose coefficient in force is mu: the law's own, one of its two, or
 * what its curve says. A given bound is a force, which times dt bounds an impulse; on acceleration level dt
 * is 1. `sliding` and what contacts in space have beside are the caller's. */
static inline void nsd_contact_law_fill(const nsdyn_contact_law *law, int32_t row, double mu, double dt,
                                        nsd_contact_spec *spec)
{
  spec->row = row;
  spec->kind = law->kind;
  spec->mu = spec->bound = 0.0;
  spec->space = NULL;
  if (law->friction == NSDYN_FRICTION_BOUND) { /* |Λ_T| <= a Δt; of a brake a = μ N */
    spec->friction = NSD_FRICTION_GIVEN;
    spec->bound = (law->curve ? law->bound * mu : law->bound) * dt;
  } else if (law->friction == NSDYN_FRICTION_NONE) {
    spec->friction = NSD_FRICTION_NONE;
  } else { /* |Λ_T| <= μ |Λ_N| */
    spec->friction = NSD_FRICTION_LOAD;
    spec->mu = mu;
  }
}

/* Copies `given` into `own` and checks it; the message names contact `index` and the field, the detail the
 * contact. */
nsdyn_status nsd_contact_law_read(nsdyn_contact_law *own, const nsdyn_contact_law *given, int64_t index,
                                  nsd_fault *fault);

#endif
