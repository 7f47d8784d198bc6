/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "toy.h"

#define POLE 100.0 /* m: as long as nobody sees its ends */

movie *toy_film(const output *out, const toy_look *p, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const int sleeve = movie_add_body(film, "sleeve", PLOT_VERMILION);
  const int bird = movie_add_body(film, "woodpecker", PLOT_BLUE);
  for (int side = -1; side <= 1; side += 2) {
    const double inner = side * p->r_M, outer = inner + side * 0.2 * p->h_M;
    movie_add_line(film, MOVIE_GROUND, 2, (double[]){side * p->r_O, -POLE, side * p->r_O, POLE});
    movie_add_polygon(film, sleeve, 4,
                      (double[]){inner, -p->h_M, outer, -p->h_M, outer, p->h_M, inner, p->h_M});
  }
  /* From the sleeve to G, and from there to S, where the woodpecker is and its frame; the tip of its beak is
   * h_S above it and l_S towards the pole. */
  movie_add_line(film, sleeve, 2, (double[]){p->r_M, 0.0, p->l_M, 0.0});
  movie_add_line(film, bird, 2, (double[]){-p->l_G, 0.0, 0.0, 0.0});
  movie_add_polygon(film, bird, 6,
                    (double[]){0.15 * p->l_S, -p->h_S, 0.3 * p->l_S, 0.0, 0.2 * p->l_S, p->h_S, -p->l_S,
                               p->h_S, -0.2 * p->l_S, 0.7 * p->h_S, -0.2 * p->l_S, 0.0});
  movie_follow(film, sleeve);
  movie_set_energies(film, "kinetic,gravity,spring,sum");
  return film;
}

int toy_show(movie *film, const toy_look *p, double t, const double *q, const double *u)
{
  if (!movie_is_due(film, t)) {
    return 0;
  }
  /* Small angles, as the model has them: the height of S, and its rate. */
  const double y = q[0] + p->l_M * q[1] + p->l_G * q[2], v = u[0] + p->l_M * u[1] + p->l_G * u[2];
  const double turn = q[1] - q[2];
  const double T =
      0.5 * (p->m_M * u[0] * u[0] + p->J_M * u[1] * u[1] + p->m_S * v * v + p->J_S * u[2] * u[2]);
  const double V = p->g * (p->m_M * q[0] + p->m_S * y), C = 0.5 * p->c_phi * turn * turn;
  movie_frame(film, t, (double[]){0.0, q[0], q[1], p->l_M + p->l_G, y, q[2]}, (double[]){T, V, C, T + V + C});
  return 1;
}

void toy_push(movie *film, const toy_look *p, int i, const double *q, const double *force, int is_impulse,
              double t)
{
  if (!(force[0] > 0.0)) {
    return;
  }
  /* All three contacts are at the right side of the pole, which pushes to the right. */
  const double beak = q[0] + p->l_M * q[1] + (p->l_G - p->l_S) * q[2] + p->h_S;
  const double edge = q[0] + p->r_M * q[1] + (i == 1 ? -p->h_M : p->h_M);
  const double point[2] = {p->r_O, i == 0 ? beak : edge};
  if (is_impulse) {
    movie_impulse(film, t, point, force);
  } else {
    movie_force(film, point, force);
  }
}
