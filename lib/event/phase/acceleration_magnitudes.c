/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large the accelerations and forces of a row may be under the present load. */
#include <math.h>

#include "base/number.h"
#include "event/phase/acceleration.h"

double nsd_acceleration_gain(const nsd_acceleration *m, int row, double dt)
{
  double load = 0.0;
  for (int j = 0; j < m->sys->def.nu; j++) {
    /* hᵀ M⁻¹ h = z · z with z = L⁻¹ h, or h · z with z = M⁻¹ h. */
    load += m->inertia.factored ? m->z[j] * m->z[j] : m->h[j] * m->z[j];
  }
  return sqrt(fmax(load, 0.0)) * sqrt(fmax(nsd_acceleration_row(m, row)[row], 0.0)) * dt;
}

/* Of what the row moves alone. */
static inline double load_on(const nsd_acceleration *m, int row)
{
  const nsd_scene *scene = &m->scene;
  const int nu = m->sys->def.nu;
  const double *x = scene->problem.X + (size_t)row * (size_t)nu;
  double direction = 0.0, load = 0.0;
  for (int j = 0; j < nu; j++) { /* Cauchy and Schwarz: |x·z| <= |x| |z|, z only where x is not zero */
    direction += x[j] * x[j];
    load += x[j] != 0.0 ? m->z[j] * m->z[j] : 0.0;
  }
  if (!m->inertia.factored) { /* z is M⁻¹h here: hᵀM⁻¹h = h·z */
    direction = nsd_acceleration_row(m, row)[row];
    load = 0.0;
    for (int j = 0; j < nu; j++) {
      load += m->h[j] * m->z[j];
    }
  }
  return sqrt(fmax(direction, 0.0)) * sqrt(fmax(load, 0.0));
}

double nsd_acceleration_load_on(const nsd_acceleration *m, int row)
{
  return load_on(m, row);
}

double nsd_acceleration_load_size(const nsd_acceleration *m, int row)
{
  return load_on(m, row) + fabs(m->scene.problem.w_bar[row]);
}

int nsd_acceleration_keeps(const nsd_acceleration *m, int row)
{
  const nsd_scene *scene = &m->scene;
  for (int k = 0; row < scene->closed.contact_rows && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (row > c->row && row < c->row + c->rows) {
      return m->stuck[k] && !m->idle[k];
    }
  }
  return 1;
}

/* Of what a row's force is a sum where the pattern makes it, G_rr λ_r = γ̇_r − c_r − Σ G_rj λ_j, over G_rr:
 * the force may cancel. */
double nsd_acceleration_terms_of_force(const nsd_acceleration *m, int row)
{
  const nsd_scene *scene = &m->scene;
  const double *G = nsd_acceleration_row(m, row);
  double size = nsd_larger(fabs(scene->problem.c[row]), nsd_acceleration_load_size(m, row));
  if (!(G[row] > 0.0) || !nsd_acceleration_keeps(m, row)) {
    return fabs(scene->solution.Lambda[row]);
  }
  for (int j = 0; j < scene->closed.rows; j++) {
    size += fabs(G[j] * scene->solution.Lambda[j]);
  }
  return size / G[row];
}
