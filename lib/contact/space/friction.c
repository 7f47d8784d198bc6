/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/friction.h"

#include <math.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "contact/space/friction_cut.h"
#include "nsdyn/setvalued.h"
#include "setvalued/nearest.h"

/* Into the axes of the set, and back. */
static void turn_in(const nsd_contact_spec *s, const double *z, double *own)
{
  const double x = s->space->axis[0] * z[0] + s->space->axis[1] * z[1];
  own[1] = s->space->axis[0] * z[1] - s->space->axis[1] * z[0];
  own[0] = x;
}

static void turn_out(const nsd_contact_spec *s, const double *own, double *z)
{
  const double x = s->space->axis[0] * own[0] - s->space->axis[1] * own[1];
  z[1] = s->space->axis[1] * own[0] + s->space->axis[0] * own[1];
  z[0] = x;
}

/* Corner j of the polygon in its own axes. */
static void corner_of(const nsd_contact_space *space, int32_t j, double limit, double *corner)
{
  nsd_sin_cos_of_turn(j, space->sides, corner);
  corner[0] *= limit;
  corner[1] *= space->aspect * limit;
}

/* The point of a stretched polygon next to z, side by side. D (NULL: not wanted): its derivative. */
static void project_on_stretched(const nsd_contact_space *space, double limit, const double *z, double *p,
                                 double *D)
{
  double a[2], b[2], best[2] = {z[0], z[1]}, least = INFINITY, along[3] = {1.0, 0.0, 1.0};
  int is_inside = limit > 0.0;
  corner_of(space, 0, limit, a);
  for (int32_t j = 1; j <= space->sides; j++) {
    corner_of(space, j % space->sides, limit, b);
    const double t[2] = {b[0] - a[0], b[1] - a[1]}, d[2] = {z[0] - a[0], z[1] - a[1]};
    const double length = t[0] * t[0] + t[1] * t[1];
    /* Corners go round anticlockwise: outside of a side is on its right. */
    is_inside &= t[0] * d[1] - t[1] * d[0] >= 0.0;
    const double share = length > 0.0 ? (t[0] * d[0] + t[1] * d[1]) / length : 0.0;
    const double s = nsd_nearest_in_interval(share, 0.0, 1.0);
    const double e[2] = {d[0] - s * t[0], d[1] - s * t[1]}, far = e[0] * e[0] + e[1] * e[1];
    if (far < least) {
      least = far;
      best[0] = a[0] + s * t[0];
      best[1] = a[1] + s * t[1];
      /* On a side the derivative is that along it; in a corner nothing moves. */
      const double moves = length > 0.0 && s == share ? 1.0 / length : 0.0;
      along[0] = moves * t[0] * t[0];
      along[1] = moves * t[0] * t[1];
      along[2] = moves * t[1] * t[1];
    }
    a[0] = b[0];
    a[1] = b[1];
  }
  if (D) {
    D[0] = is_inside ? 1.0 : along[0];
    D[1] = D[2] = is_inside ? 0.0 : along[1];
    D[3] = is_inside ? 1.0 : along[2];
  }
  if (p) {
    const double own[2] = {z[0], z[1]};
    p[0] = is_inside ? own[0] : best[0];
    p[1] = is_inside ? own[1] : best[1];
  }
}

/* The point of the whole set, without a cut. */
static void project(const nsd_contact_spec *s, double limit, const double *z, double *p)
{
  const nsd_contact_space *space = s->space;
  if (!space) {
    p[0] = nsd_nearest_in_band(z[0], limit);
    return;
  }
  if (space->is_round) {
    nsdyn_disk_prox(limit, z, p);
    return;
  }
  double own[2];
  turn_in(s, z, own);
  if (space->sides == 0) {
    nsdyn_ellipse_prox(limit, space->aspect * limit, own, own);
  } else if (space->aspect == 1.0) {
    nsdyn_polygon_prox(space->sides, limit, own, own);
  } else {
    project_on_stretched(space, limit, own, own, NULL);
  }
  turn_out(s, own, p);
}

void nsd_friction_project(const nsd_contact_spec *s, double limit, const double *z, double *p)
{
  const int tangents = s->space ? 2 : 1;
  const double own[2] = {z[0], tangents == 2 ? z[1] : 0.0};
  project(s, limit, z, p);
  /* Where that is cut off, the nearest point is on the cut: else p would be nearest to z in all of C. */
  nsd_chord chord;
  if (nsd_friction_is_cut(s) && nsd_chord_cuts_off(s, limit, p)) {
    nsd_chord_of(s, limit, &chord);
    nsd_chord_nearest(&chord, own, tangents, p);
  }
}

void nsd_friction_project_scaled(const nsd_contact_spec *s, double r, double limit, const double *z,
                                 double *p)
{
  if (!nsd_friction_is_cut(s)) {
    nsd_friction_project(s, limit, z, p);
    return;
  }
  const int tangents = s->space ? 2 : 1;
  double own[2];
  for (int i = 0; i < tangents; i++) {
    own[i] = z[i] / r;
  }
  nsd_friction_project(s, limit / r, own, p);
  for (int i = 0; i < tangents; i++) {
    p[i] *= r;
  }
}

/* The corners of a polygon next to a direction: the one that points farthest along it, or both ends of the
 * side that is across it. */
static void support_polygon(const nsd_contact_space *space, const double *e, double *p)
{
  double most = -INFINITY, second = -INFINITY;
  double best[2] = {0.0, 0.0}, other[2] = {0.0, 0.0};
  for (int32_t j = 0; j < space->sides; j++) {
    double corner[2];
    corner_of(space, j, 1.0, corner);
    const double reach = corner[0] * e[0] + corner[1] * e[1];
    if (reach > most) {
      second = most;
      other[0] = best[0];
      other[1] = best[1];
      most = reach;
      best[0] = corner[0];
      best[1] = corner[1];
    } else if (reach > second) {
      second = reach;
      other[0] = corner[0];
      other[1] = corner[1];
    }
  }
  /* Across a side, but for rounding: its middle. */
  const int is_side = most - second <= NSD_SPACE_SIDE * most;
  p[0] = is_side ? 0.5 * (best[0] + other[0]) : best[0];
  p[1] = is_side ? 0.5 * (best[1] + other[1]) : best[1];
}

void nsd_friction_support(const nsd_contact_spec *s, double limit, const double *e, double *p)
{
  if (!s->space) {
    p[0] = e[0] < 0.0 ? -limit : limit;
    return;
  }
  double own[2];
  turn_in(s, e, own);
  if (s->space->sides > 0) {
    support_polygon(s->space, own, own);
  } else {
    /* The point with normal e: (e_1, a² e_2) / √(e_1² + a² e_2²). */
    const double far = s->space->aspect * own[1];
    const double length = sqrt(own[0] * own[0] + far * far);
    own[0] = length > 0.0 ? own[0] / length : 0.0;
    own[1] = length > 0.0 ? s->space->aspect * (far / length) : 0.0;
  }
  own[0] *= limit;
  own[1] *= limit;
  turn_out(s, own, p);
}

void nsd_friction_drag(const nsd_contact_spec *s, double limit, double *p)
{
  if (s->sliding != NSD_SLIDES_AT) {
    nsd_friction_support(s, limit, s->slip, p);
    return;
  }
  p[0] = limit * s->slip[0];
  p[1] = limit * s->slip[1];
}

/* Of the whole set, without a cut. */
static void differentiate(const nsd_contact_spec *s, double limit, const double *z, double *D, double *d)
{
  if (!s->space) {
    const int is_inside = fabs(z[0]) <= limit;
    D[0] = is_inside ? 1.0 : 0.0;
    d[0] = is_inside ? 0.0 : z[0] < 0.0 ? -1.0 : 1.0;
    return;
  }
  double own[2], E[4];
  turn_in(s, z, own);
  if (s->space->is_round) {
    nsdyn_disk_prox_derivative(limit, own, E);
  } else if (s->space->sides > 0 && s->space->aspect == 1.0) {
    nsdyn_polygon_prox_derivative(s->space->sides, limit, own, E);
  } else if (s->space->sides > 0) {
    project_on_stretched(s->space, limit, own, NULL, E);
  } else {
    nsdyn_ellipse_prox_derivative(limit, s->space->aspect * limit, own, E);
  }
  /* D = R E Rᵀ, R = (axis, axis turned by a quarter). */
  const double c = s->space->axis[0], q = s->space->axis[1];
  const double m[4] = {c * E[0] - q * E[2], c * E[1] - q * E[3], q * E[0] + c * E[2], q * E[1] + c * E[3]};
  D[0] = m[0] * c - m[1] * q;
  D[1] = m[0] * q + m[1] * c;
  D[2] = m[2] * c - m[3] * q;
  D[3] = m[2] * q + m[3] * c;
  /* prox of t z on t C is t prox: so limit d = prox − D z. */
  double p[2];
  project(s, limit, z, p);
  d[0] = limit > 0.0 ? (p[0] - (D[0] * z[0] + D[1] * z[1])) / limit : 0.0;
  d[1] = limit > 0.0 ? (p[1] - (D[2] * z[0] + D[3] * z[1])) / limit : 0.0;
}

void nsd_friction_derivative(const nsd_contact_spec *s, double limit, const double *z, double *D, double *d)
{
  double p[2];
  nsd_chord chord;
  if (nsd_friction_is_cut(s)) {
    project(s, limit, z, p);
    if (nsd_chord_cuts_off(s, limit, p)) {
      nsd_chord_of(s, limit, &chord);
      nsd_chord_derivative(&chord, z, s->space ? 2 : 1, D, d);
      return;
    }
  }
  differentiate(s, limit, z, D, d);
}

void nsd_friction_derivative_scaled(const nsd_contact_spec *s, double r, double limit, const double *z,
                                    double *D, double *d)
{
  /* r p(limit / r, z / r): both derivatives are those of p. */
  if (!nsd_friction_is_cut(s)) {
    nsd_friction_derivative(s, limit, z, D, d);
    return;
  }
  const double own[2] = {z[0] / r, s->space ? z[1] / r : 0.0};
  nsd_friction_derivative(s, limit / r, own, D, d);
}

void nsd_friction_admit(const nsd_contact_spec *s, double *Lambda)
{
  if (s->kind != NSDYN_CONTACT_BILATERAL) {
    Lambda[0] = nsd_nearest_not_negative(Lambda[0]);
  }
  if (s->friction == NSD_FRICTION_NONE) {
    return;
  }
  const double limit = nsd_friction_limit(s, Lambda[0]);
  if (!s->sliding) {
    nsd_friction_project(s, limit, Lambda + 1, Lambda + 1);
    return;
  }
  if (!s->space) {
    Lambda[1] = -s->sliding * limit;
    return;
  }
  double p[2];
  nsd_friction_drag(s, limit, p);
  Lambda[1] = -p[0];
  Lambda[2] = -p[1];
}
