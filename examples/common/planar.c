/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "planar.h"

#include <math.h>

nsdyn_status planar_attach(movie_world *film, nsdyn_world *world, int32_t body, int32_t kind, int32_t count,
                           const double *points, const nsdyn_attachment *on, nsdyn_error *error)
{
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = count;
  def.points = points;
  return movie_world_attach(film, world, body, &def, on, error);
}

nsdyn_status planar_world(double g, double mu, double eps, nsdyn_world **world, nsdyn_error *error)
{
  nsdyn_world_options options;
  nsdyn_contact_law law;
  nsdyn_world_options_init(&options, sizeof options);
  nsdyn_contact_law_init(&law, sizeof law);
  options.gravity[1] = -g;
  law.mu = mu;
  law.eps_n = eps;
  const nsdyn_status status = nsdyn_world_new(NULL, &options, world, error);
  return status ? status : nsdyn_world_set_law(*world, 0, 0, &law);
}

void planar_outline(const double pose[3], int count, const double *points, double *x, double *y)
{
  const double c = cos(pose[2]), s = sin(pose[2]);
  for (int k = 0; k <= count; k++) {
    const double *p = points + (ptrdiff_t)2 * (k % count);
    x[k] = pose[0] + c * p[0] - s * p[1];
    y[k] = pose[1] + s * p[0] + c * p[1];
  }
}

double planar_energy(const nsdyn_world *world, double t, const double *q, const double *u)
{
  nsdyn_world_energy energy;
  nsdyn_world_energy_init(&energy, sizeof energy);
  nsdyn_world_measure(world, t, q, u, &energy);
  return energy.kinetic + energy.gravity + energy.springs;
}

double random_share(uint32_t *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (double)(*state >> 8) / 16777216.0;
}
