/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Rows of the projection's problem that say the same (check/redundant_rounding.h).
 *
 * Tangents that must not move, G Λ + c = 0 with c = 0, beside gaps that are to be zero: two spheres of one
 * rod that roll on a floor say by their gaps what their tangents say of the rod's turning. What differs then
 * is rounding of the gaps, and a solver without eyes for that looks long for a solution that there is none
 * of. */
#ifndef NSD_STEPPER_DRIFT_AGREE_ROWS_H
#define NSD_STEPPER_DRIFT_AGREE_ROWS_H

#include "stepper/drift/projection.h"

/* Which: bilateral rows; with contacts that are to be zero from either side; with all contacts. */
enum { NSD_AGREE_BILATERAL, NSD_AGREE_EQUAL, NSD_AGREE_ALL };

/* Where one of those rows depends on those before it but for rounding, c becomes what they say. Returns 1
 * where c has changed, 0 where it need not, and −1 where the rows, all with G Λ + c = 0, contradict each
 * other; c is as it was then. Needs Λ of the problem, and Λ and ξ of its scene, as room. */
int nsd_agree_rows(nsd_projection *p, int which);

#endif
