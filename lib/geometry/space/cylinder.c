/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/space/cylinder.h"

#include "base/tolerances.h"

/* Sine: an end within 15° of a plane touches it with corners too, as faces do (manifold.c). */
#define END_FLAT 0.258819045102521

/* Centres of both rims, the axis from the lower one to the upper one, half its length. */
typedef struct frame {
  double centre[2][3], middle[3], axis[3], half;
} frame;

static frame frame_of(const nsd_solid_view *v)
{
  frame f;
  for (int r = 0; r < 2; r++) {
    nsd_vec3_add_scaled(v->corner[4 * r], 1.0, v->corner[4 * r + 1], f.centre[r]);
    nsd_vec3_scale(0.5, f.centre[r], f.centre[r]);
  }
  nsd_vec3_add_scaled(f.centre[1], -1.0, f.centre[0], f.axis);
  nsd_vec3_add_scaled(f.centre[0], 0.5, f.axis, f.middle);
  f.half = 0.5 * nsd_vec3_norm(f.axis);
  nsd_vec3_scale(0.5 / f.half, f.axis, f.axis);
  return f;
}

/* The lowest point of a rim is c − R m/|m|, m what of n is across the axis: it slides round the rim, and the
 * height changes as the velocity of what is there just now. */
int nsd_cylinder_touch_plane(nsd_solid_pair *pair, int k)
{
  const nsd_solid_view *w = &pair->side[1 - k];
  const double *n = pair->side[k].plane[0];
  const frame f = frame_of(w);
  double m[3];
  const double along = nsd_vec3_dot(n, f.axis);
  nsd_vec3_add_scaled(n, -along, f.axis, m);
  const double sine = nsd_vec3_norm(m);
  if (sine <= NSD_SOLID_PARALLEL) { /* it stands: no point is lower than the others */
    return 0;
  }
  for (int i = 0; i < 2; i++) {
    const int r = (along < 0.0) ^ i; /* the lower one first */
    const int32_t feature[2] = {0, NSD_CYLINDER_RIM + r};
    double x[3], foot[3];
    nsd_vec3_add_scaled(f.centre[r], -w->solid->tube / sine, m, x);
    nsd_vec3_add_scaled(x, -(nsd_vec3_dot(n, x) - n[3]), n, foot);
    nsd_solid_tell(pair, k, feature, foot, x, n);
  }
  return sine > END_FLAT;
}

/* z along the axis from the middle, ρ across it: nearest are an end, the side or a rim; of a point within the
 * nearer one of end and side. */
void nsd_cylinder_touch_point(nsd_solid_pair *pair, int k)
{
  const nsd_solid_view *v = &pair->side[k];
  const double *p = pair->side[1 - k].corner[0], R = v->solid->tube;
  const frame f = frame_of(v);
  double way[3], across[3], foot[3], a[3];
  nsd_vec3_add_scaled(p, -1.0, f.middle, way);
  const double z = nsd_vec3_dot(way, f.axis);
  nsd_vec3_add_scaled(way, -z, f.axis, across);
  const double rho = nsd_vec3_norm(across), beyond[2] = {rho - R, fabs(z) - f.half};
  const int end = z > 0.0;
  /* 1: away from the axis; on it towards a corner. */
  if (rho > 0.0) {
    nsd_vec3_scale(1.0 / rho, across, across);
  } else {
    nsd_vec3_add_scaled(v->corner[0], -1.0, f.centre[0], across);
    nsd_vec3_scale(1.0 / R, across, across);
  }
  int32_t feature[2] = {0, 0};
  if (beyond[0] > 0.0 && beyond[1] > 0.0) { /* 2: a rim, */
    feature[0] = NSD_CYLINDER_RIM + end;
    nsd_vec3_add_scaled(f.centre[end], R, across, foot);
    nsd_vec3_add_scaled(p, -1.0, foot, a);
    nsd_vec3_scale(1.0 / nsd_vec3_norm(a), a, a);
  } else if (beyond[0] > beyond[1]) { /* the side, */
    feature[0] = NSD_CYLINDER_SIDE;
    nsd_vec3_add_scaled(p, -beyond[0], across, foot);
    nsd_vec3_scale(1.0, across, a);
  } else { /* an end */
    feature[0] = NSD_CYLINDER_END + end;
    nsd_vec3_scale(end ? 1.0 : -1.0, f.axis, a);
    nsd_vec3_add_scaled(p, -beyond[1], a, foot);
  }
  nsd_solid_tell(pair, k, feature, foot, p, a);
}
