/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/space/segments.h"

#include "base/tolerances.h"

static double clamp(double x)
{
  return x > 0.0 ? fmin(x, 1.0) : 0.0;
}

/* The square of the distance between x(s) and y(t). */
static double apart(const double r[3], const double d[3], double s, const double e[3], double t)
{
  double w[3];
  nsd_vec3_add_scaled(r, s, d, w);
  nsd_vec3_add_scaled(w, -t, e, w);
  return nsd_vec3_dot(w, w);
}

/* Within both by their lines where these are nearest there; else with an end of one: the best of four. */
double nsd_segments_nearest(const double p[3], const double d[3], const double q[3], const double e[3],
                            double st[2])
{
  double r[3], c[3], best = INFINITY;
  nsd_vec3_add_scaled(p, -1.0, q, r);
  if (nsd_lines_nearest(p, d, q, e, st, c) && st[0] > 0.0 && st[0] < 1.0 && st[1] > 0.0 && st[1] < 1.0) {
    return apart(r, d, st[0], e, st[1]);
  }
  const double dd = nsd_vec3_dot(d, d), ee = nsd_vec3_dot(e, e);
  for (int k = 0; k < 4; k++) {
    /* One of s, t is 0 or 1, the other one where the other segment is nearest to this end. */
    double at[2], from[3];
    at[k / 2] = k % 2;
    if (k < 2) {
      nsd_vec3_add_scaled(r, at[0], d, from);
      at[1] = ee > 0.0 ? clamp(nsd_vec3_dot(from, e) / ee) : 0.0;
    } else {
      nsd_vec3_add_scaled(r, -at[1], e, from);
      at[0] = dd > 0.0 ? clamp(-nsd_vec3_dot(from, d) / dd) : 0.0;
    }
    const double square = apart(r, d, at[0], e, at[1]);
    if (square < best) {
      best = square;
      st[0] = at[0];
      st[1] = at[1];
    }
  }
  return best;
}

/* With c = d × e and w = q − p: s = (w × e) · c / c², t = (w × d) · c / c². */
int nsd_lines_nearest(const double p[3], const double d[3], const double q[3], const double e[3],
                      double st[2], double c[3])
{
  double w[3], across[3];
  nsd_vec3_cross(d, e, c);
  const double cc = nsd_vec3_dot(c, c);
  const double least = NSD_SOLID_PARALLEL * NSD_SOLID_PARALLEL * nsd_vec3_dot(d, d) * nsd_vec3_dot(e, e);
  if (!(cc > least)) {
    return 0;
  }
  nsd_vec3_add_scaled(q, -1.0, p, w);
  nsd_vec3_cross(w, e, across);
  st[0] = nsd_vec3_dot(across, c) / cc;
  nsd_vec3_cross(w, d, across);
  st[1] = nsd_vec3_dot(across, c) / cc;
  return 1;
}
