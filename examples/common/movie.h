/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Motions as pages that play them: --html FILE writes one file with all that it needs, for any browser,
 * without a network.
 *
 *   movie *film = movie_new(&out, 2, t_end); // NULL without --html: all calls below do nothing then
 *   const int ball = movie_add_body(film, "ball", PLOT_BLUE);
 *   movie_add_ball(film, ball, (double[]){0.0, 0.0}, r);
 *   movie_add_line(film, MOVIE_GROUND, 2, (double[]){-1.0, 0.0, 1.0, 0.0});
 *   movie_set_energies(film, "kinetic,gravity");
 *   while (…) {
 *     …
 *     if (movie_is_due(film, t)) {
 *       movie_frame(film, t, (double[]){x, y, phi}, (double[]){T, V});
 *       movie_force(film, (double[]){x, 0.0}, (double[]){0.0, lambda});
 *     }
 *   }
 *   movie_close(film, &out, "A ball that bounces", "");
 *
 * In the plane (2 dimensions) points have two numbers and poses three, x, y, φ; in space (3) three, and
 * seven: place and quaternion w, x, y, z. Shapes are told in the frame of their body. Worlds bring all this
 * by themselves: common/movie_world.h. */
#ifndef EXAMPLES_COMMON_MOVIE_H
#define EXAMPLES_COMMON_MOVIE_H

#include "options.h"
#include "plot.h"

#define MOVIE_GROUND (-1) /* in place of a body: what stands still */

typedef struct movie movie;

/* A movie of the run up to t_end; NULL where --html was not asked for. */
movie *movie_new(const output *out, int dimensions, double t_end);

/* A body; returns its number, from 0. `color` is one of enum plot_color; PLOT_COLOR_AUTO: by turns. */
int movie_add_body(movie *m, const char *name, int color);

/* Outlines: a closed one that is filled, and an open one. `points` are count times two or three numbers. */
void movie_add_polygon(movie *m, int body, int count, const double *points);
void movie_add_line(movie *m, int body, int count, const double *points);

/* A disk or sphere, with marks that show how it turns; and all that is as near to a line as r. */
void movie_add_ball(movie *m, int body, const double *centre, double r);
void movie_add_capsule(movie *m, int body, const double *from, const double *to, double r);

/* In space: a box along the axes of the body, and a cylinder. */
void movie_add_box(movie *m, int body, const double *centre, const double *half);
void movie_add_cylinder(movie *m, int body, const double *from, const double *to, double r);

/* A spring, or a rod, from a point of one body to a point of another. */
void movie_add_spring(movie *m, int first, const double *from, int second, const double *to);

/* Names of energies between commas; the ground of the view: a body that it follows, or its two corners. */
void movie_set_energies(movie *m, const char *names);
void movie_follow(movie *m, int body);
void movie_set_view(movie *m, const double *low, const double *high);

/* Whether a frame is due at t: about 2000 in a run, fewer where there are many bodies. */
int movie_is_due(const movie *m, double t);

/* A frame: all poses one behind the other, and energies, NAN: not known. Forces belong to the last frame:
 * where they act, and what acts there on one of the two. Impulses have a time of their own. */
void movie_frame(movie *m, double t, const double *poses, const double *energies);
void movie_force(movie *m, const double *point, const double *force);
void movie_impulse(movie *m, double t, const double *point, const double *impulse);

/* Writes the page, and frees all. What went wrong with the file, output_close() says. */
void movie_close(movie *m, const output *out, const char *title, const char *note);

#endif
