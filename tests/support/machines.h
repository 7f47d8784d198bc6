/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The machines that are solved exactly (exact_*.h), as systems for a stepper. Parameters are the same
 * structs, so that both solve one problem to the bit; constant W and +, −, ×, ÷ only, but for the rod. */
#ifndef TESTS_SUPPORT_MACHINES_H
#define TESTS_SUPPORT_MACHINES_H

#include "exact_bounce.h"
#include "exact_brick.h"
#include "exact_cradle.h"
#include "exact_disk.h"
#include "exact_rod.h"
#include "exact_woodpecker.h"
#include "model.h"

/* Flags of all of these but the rod. */
#define MACHINE_FLAGS (NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS)

/* q = (y, φ_M, φ_S); contacts as in exact_woodpecker.h. */
void machine_woodpecker(const exact_woodpecker *p, model *m);

/* A ball of 1 kg, q = (y). */
void machine_ball(const exact_bounce *p, model *m);

/* A brick of 1 kg, q = (x, y), x downhill, y off the plane, with NSDYN_FRICTION_STATIC. */
void machine_ramp(const exact_ramp *p, model *m);

/* The same on a level belt that moves with V, held by a spring. */
void machine_belt(const exact_belt *p, model *m);

/* A wheel of 1 kg, q = (x, y, φ). Begins at y = R. */
void machine_disk(const exact_disk *p, model *m);

/* Points in a row, q = (x_0, …). */
void machine_cradle(const exact_cradle *p, model *m);

/* Painlevé's rod; its lower end is the one contact. The rod has to outlive the table. */
nsdyn_system_def machine_rod(exact_rod *p);

#endif
