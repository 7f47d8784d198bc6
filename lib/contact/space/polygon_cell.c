/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/polygon_cell.h"

#include <math.h>

#include "base/safe_scalar.h"
#include "base/sin_cos.h"
#include "base/tolerances.h"

void nsd_polygon_corner(const nsd_contact_spec *s, int32_t cell, double *v)
{
  const nsd_contact_space *space = s->space;
  double own[2];
  nsd_sin_cos_of_turn(cell / 2, space->sides, own);
  own[1] *= space->aspect;
  v[0] = space->axis[0] * own[0] - space->axis[1] * own[1];
  v[1] = space->axis[1] * own[0] + space->axis[0] * own[1];
}

double nsd_polygon_side(const nsd_contact_spec *s, int32_t cell, double *e, double *n)
{
  double a[2], b[2];
  nsd_polygon_corner(s, nsd_polygon_corner_of(s, cell, 0), a);
  nsd_polygon_corner(s, nsd_polygon_corner_of(s, cell, 1), b);
  const double t[2] = {b[0] - a[0], b[1] - a[1]}, length = nsd_norm_plane(t[0], t[1]);
  e[0] = t[0] / length;
  e[1] = t[1] / length;
  /* Corners go round anticlockwise: outside is on the right. */
  n[0] = e[1];
  n[1] = -e[0];
  return length;
}

double nsd_polygon_share(const nsd_contact_spec *s, int32_t cell, const double *p)
{
  double a[2], e[2], n[2];
  const double length = nsd_polygon_side(s, cell, e, n);
  nsd_polygon_corner(s, nsd_polygon_corner_of(s, cell, 0), a);
  return ((p[0] - a[0]) * e[0] + (p[1] - a[1]) * e[1]) / length;
}

int32_t nsd_polygon_cell_of_velocity(const nsd_contact_spec *s, const double *gamma_T, double noise)
{
  double v[2], e[2], n[2], most = -INFINITY;
  int32_t best = 0;
  /* 1. The corner that is farthest along γ_T; 2. either side of it, if that is across γ_T but for noise. */
  for (int32_t j = 0; j < s->space->sides; j++) {
    nsd_polygon_corner(s, 2 * j, v);
    const double reach = v[0] * gamma_T[0] + v[1] * gamma_T[1];
    if (reach > most) {
      most = reach;
      best = 2 * j;
    }
  }
  for (int before = 0; before < 2; before++) {
    const int32_t side = nsd_polygon_side_at(s, best, before);
    (void)nsd_polygon_side(s, side, e, n);
    if (fabs(e[0] * gamma_T[0] + e[1] * gamma_T[1]) <= noise) {
      return side;
    }
  }
  return best;
}

double nsd_polygon_inside(const nsd_contact_spec *s, double limit, const double *p)
{
  double a[2], e[2], n[2], least = INFINITY;
  for (int32_t j = 0; j < s->space->sides; j++) {
    (void)nsd_polygon_side(s, 2 * j + 1, e, n);
    nsd_polygon_corner(s, 2 * j, a);
    least = fmin(least, limit * (a[0] * n[0] + a[1] * n[1]) - (p[0] * n[0] + p[1] * n[1]));
  }
  return least;
}

void nsd_polygon_on_ray(const nsd_contact_spec *s, const double *unit, double *p)
{
  double a[2], e[2], n[2], far = INFINITY;
  for (int32_t j = 0; j < s->space->sides; j++) { /* t unit · n = a · n of the first side that it comes to */
    (void)nsd_polygon_side(s, 2 * j + 1, e, n);
    nsd_polygon_corner(s, 2 * j, a);
    const double along = unit[0] * n[0] + unit[1] * n[1];
    far = along > 0.0 ? fmin(far, (a[0] * n[0] + a[1] * n[1]) / along) : far;
  }
  p[0] = far * unit[0];
  p[1] = far * unit[1];
}

int32_t nsd_polygon_cell_of_force(const nsd_contact_spec *s, double *p)
{
  double a[2], e[2], n[2], least = INFINITY;
  int32_t best = 0;
  for (int32_t j = 0; j < s->space->sides; j++) { /* the side that p is next to, or farthest out of */
    (void)nsd_polygon_side(s, 2 * j + 1, e, n);
    nsd_polygon_corner(s, 2 * j, a);
    const double inside = (a[0] - p[0]) * n[0] + (a[1] - p[1]) * n[1];
    if (inside < least) {
      least = inside;
      best = 2 * j + 1;
    }
  }
  const double length = nsd_polygon_side(s, best, e, n), share = nsd_polygon_share(s, best, p);
  nsd_polygon_corner(s, nsd_polygon_corner_of(s, best, 0), a);
  if (share <= NSD_POLYGON_CORNER || share >= 1.0 - NSD_POLYGON_CORNER) {
    best = nsd_polygon_corner_of(s, best, share > 0.5);
    nsd_polygon_corner(s, best, p);
    return best;
  }
  p[0] = a[0] + share * length * e[0];
  p[1] = a[1] + share * length * e[1];
  return best;
}
