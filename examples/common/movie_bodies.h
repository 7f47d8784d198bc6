/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Movies of free bodies in space (common/bodies.h): poses, energies and contact forces come from the system.
 *
 *   movie *film = movie_new(&out, 3, t_end);
 *   movie_add_ball(film, movie_add_body(film, "ball", PLOT_BLUE), (double[]){0.0, 0.0, 0.0}, r); // for each
 *   movie_bodies_show(film, &p->all, find, &m); // at the beginning, and after each step */
#ifndef EXAMPLES_COMMON_MOVIE_BODIES_H
#define EXAMPLES_COMMON_MOVIE_BODIES_H

#include "bodies.h"
#include "machine.h"
#include "movie.h"

/* The callback of the driver, whose user is `b`. */
typedef int bodies_find(void *user, double t, const double *q, const double *u, double margin,
                        nsdyn_contact_sink *sink);

/* A frame, where one is due; impacts of the instant at which an event driver has stopped. Touches are looked
 * for again, without a sink, and those that are closed show their forces on the first body. */
void movie_bodies_show(movie *film, bodies *b, bodies_find *find, const machine *m);

/* A square floor around the origin, at z = 0, as lines. */
void movie_add_floor(movie *film, double half);

#endif
