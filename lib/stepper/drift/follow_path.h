/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Loads of second order along curved paths, of schemes that project (scheme/generalized_alpha.c).
 *
 * What friction makes of a load has the load's order. From one end of a step to the other a path turns
 * velocities by κ₁ Δt/2 until the middle, with uᴬ, and by κ₂ Δt/2 after it, with uᴱ; Λ = M (½ κ₁ + ½ κ₂) Δt
 * is a load of second order if b is ½ κ₂ Δt (drift/keep_closed.h). κ₁ has been seen. κ₂ is
 * not: but in steps of one length it has changed since the second half of the step before by as much as κ₁
 * has since the first half of that, as long as the path is smooth. One impulse cannot lead the gap back as
 * well: that is left to the projection, in both directions. */
#ifndef NSD_STEPPER_DRIFT_FOLLOW_PATH_H
#define NSD_STEPPER_DRIFT_FOLLOW_PATH_H

#include "stepper/object.h"

/* κ₂ by `curve`, which is κ₁, and those of the step before, κ₁ `before` and κ₂ `shown`; *is_smooth: it is
 * that, and else nothing is returned that means anything. is_known: those before are known. */
double nsd_path_ahead(const nsdyn_stepper *s, double curve, int is_known, double before, double shown,
                      int *is_smooth);

/* Marks contacts that follow their path as those that the projection is to bring to a gap of zero from either
 * side. */
void nsd_path_mark(const nsdyn_stepper *s, nsd_history *pressed);

#endif
