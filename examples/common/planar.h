/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What drivers with a world of shapes do the same way: shapes on bodies, outlines for pictures, chance. */
#ifndef EXAMPLES_COMMON_PLANAR_H
#define EXAMPLES_COMMON_PLANAR_H

#include <nsdyn/nsdyn.h>
#include <stdint.h>

#include "movie_world.h"

/* A shape of these points (x and y of each), put on a body; `film` and `on` may be NULL, `error` as of
 * movie_world_attach(). */
nsdyn_status planar_attach(movie_world *film, nsdyn_world *world, int32_t body, int32_t kind, int32_t count,
                           const double *points, const nsdyn_attachment *on, nsdyn_error *error);

/* A world with gravity g downwards, whose material 0 has μ and ε with itself. */
nsdyn_status planar_world(double g, double mu, double eps, nsdyn_world **world, nsdyn_error *error);

/* The same points where a body is, x, y, φ: count + 1 of them, the last one the first again. */
void planar_outline(const double pose[3], int count, const double *points, double *x, double *y);

/* The sum of kinetic energy, weight and springs. */
double planar_energy(const nsdyn_world *world, double t, const double *q, const double *u);

/* A number in [0, 1), the same ones in a row from the same state. */
double random_share(uint32_t *state);

#endif
