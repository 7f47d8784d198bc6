/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contact laws as the steppers and the contact problem read them. */
#ifndef NSD_CONTACT_LAW_H
#define NSD_CONTACT_LAW_H

#include "base/fault.h"
#include "base/sized.h"
#include "nsdyn/contact.h"

#define NSD_CONTACT_LAW_LEAST NSD_SIZE_THROUGH(nsdyn_contact_law, user)

/* Whether the law's coefficient comes from its curve: Coulomb's friction, or a brake, whose normal force is
 * given. */
static inline int nsd_contact_law_is_curved(const nsdyn_contact_law *law)
{
  return law->friction == NSDYN_FRICTION_CURVE || (law->friction == NSDYN_FRICTION_BOUND && law->curve);
}

/* Copies `given` into `own` and checks it; the message names contact `index` and the field, the detail the
 * contact. */
nsdyn_status nsd_contact_law_read(nsdyn_contact_law *own, const nsdyn_contact_law *given, int64_t index,
                                  nsd_fault *fault);

#endif
