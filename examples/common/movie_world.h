/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Movies of planar worlds: shapes, poses, contact forces, impacts and energies come from the world.
 *
 *   movie_world *film = movie_world_new(&out, t_end); // NULL without --html: then it only attaches
 *   // in place of nsdyn_world_attach():
 *   status = movie_world_attach(film, world, body, &shape_def, NULL, &m.error);
 *   …
 *   movie_world_show(film, world, &m, NULL); // at the beginning, and after each step
 *   movie_world_close(film, &out, "A box on the stairs", ""); */
#ifndef EXAMPLES_COMMON_MOVIE_WORLD_H
#define EXAMPLES_COMMON_MOVIE_WORLD_H

#include "machine.h"
#include "movie.h"

typedef struct movie_world movie_world;

movie_world *movie_world_new(const output *out, double t_end);

/* The movie itself, for springs, views and what else is drawn; NULL without --html. */
movie *movie_world_film(const movie_world *w);

/* Makes a shape and puts it on a body of the world, and of the movie. All shapes of a world that has a movie
 * come this way. `error` says what is wrong with the shape; the world itself what it refuses
 * (machine_built()). */
nsdyn_status movie_world_attach(movie_world *w, nsdyn_world *world, int32_t body, const nsdyn_shape_def *def,
                                const nsdyn_attachment *attachment, nsdyn_error *error);

/* A frame where one is due, and the impacts of this instant. `energies`: kinetic, gravity, springs; NULL:
 * those of the world. */
void movie_world_show(movie_world *w, const nsdyn_world *world, const machine *m, const double *energies);

void movie_world_close(movie_world *w, const output *out, const char *title, const char *note);

#endif
