/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Cells of a polygon of friction, by the direction in which a contact slides. Its m corners v_j,
 * anticlockwise, and m sides have one each: cell 2 j is corner j, cell 2 j + 1 the side from corner j to the
 * next.
 *
 *   corner j   γ_T between the normals of its two sides: Λ_T = −(μ Λ_N + bound) v_j, whatever γ_T is there
 *   side j     γ_T along its normal: Λ_T = −(μ Λ_N + bound) p with p anywhere on the side
 *
 * A side holds γ_T to its normal as friction holds what sticks, with what Λ_T has along it: the polygon is a
 * sum of m/2 segments, each with a law as in the plane. */
#ifndef NSD_CONTACT_SPACE_POLYGON_CELL_H
#define NSD_CONTACT_SPACE_POLYGON_CELL_H

#include "contact/problem.h"

static inline int nsd_polygon_is(const nsd_contact_spec *s)
{
  return s->space && s->space->sides > 0;
}

static inline int nsd_polygon_is_side(int32_t cell)
{
  return cell % 2 != 0;
}

/* The side that is cell, or ends at corner `cell` where `before`, or begins there: a cell, too. */
static inline int32_t nsd_polygon_side_at(const nsd_contact_spec *s, int32_t corner, int before)
{
  const int32_t cells = 2 * s->space->sides;
  return before ? (corner + cells - 1) % cells : corner + 1;
}

/* The corner at which a side begins, or ends: a cell. */
static inline int32_t nsd_polygon_corner_of(const nsd_contact_spec *s, int32_t side, int at_end)
{
  return at_end ? (side + 1) % (2 * s->space->sides) : side - 1;
}

/* v := the corner, in the axes of the contact. */
void nsd_polygon_corner(const nsd_contact_spec *s, int32_t cell, double *v);

/* Unit vectors of a side: e along it, n out of it. Returns its length. */
double nsd_polygon_side(const nsd_contact_spec *s, int32_t cell, double *e, double *n);

/* Where p stands on a side: 0 at its beginning, 1 at its end. */
double nsd_polygon_share(const nsd_contact_spec *s, int32_t cell, const double *p);

/* The cell of a velocity γ_T ≠ 0; it is along the normal of a side where it is off that by up to `noise`. */
int32_t nsd_polygon_cell_of_velocity(const nsd_contact_spec *s, const double *gamma_T, double noise);

/* The cell that p, about on the boundary, is in; p goes there. */
int32_t nsd_polygon_cell_of_force(const nsd_contact_spec *s, double *p);

/* p := where the ray along a unit vector leaves the polygon. */
void nsd_polygon_on_ray(const nsd_contact_spec *s, const double *unit, double *p);

/* How far p is inside of the side next to it: negative outside; for limit 1. */
double nsd_polygon_inside(const nsd_contact_spec *s, double limit, const double *p);

#endif
