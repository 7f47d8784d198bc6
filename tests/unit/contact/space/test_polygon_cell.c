/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/polygon_cell.h"

#include <math.h>

#include "contact/space/friction.h"
#include "suite.h"
#include "support/random.h"

static nsd_contact_spec polygon_of(random_state *r, nsd_contact_space *space)
{
  const double angle = random_between(r, -3.0, 3.0);
  *space = (nsd_contact_space){.sides = 4 + 2 * random_below(r, 6),
                               .aspect = random_below(r, 2) ? 1.0 : random_between(r, 0.4, 2.0),
                               .axis = {cos(angle), sin(angle)}};
  return (nsd_contact_spec){.mu = 1.0, .friction = NSD_FRICTION_LOAD, .space = space};
}

/* The farthest point along γ_T, by nsd_friction_support(), is the cell's corner; of the normal of a side its
 * middle. */
START_TEST(cells_of_velocities_are_where_friction_points_farthest)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    nsd_contact_space space;
    const nsd_contact_spec s = polygon_of(&r, &space);
    const double angle = random_between(&r, -3.1, 3.1), size = random_scale(&r, 100.0);
    const double gamma_T[2] = {size * cos(angle), size * sin(angle)};
    double far[2], v[2], e[2], n[2];
    const int32_t cell = nsd_polygon_cell_of_velocity(&s, gamma_T, 1e-12 * size);
    nsd_friction_support(&s, 1.0, gamma_T, far);
    REQUIRE(!nsd_polygon_is_side(cell), "seed %d", k);
    nsd_polygon_corner(&s, cell, v);
    REQUIRE(hypot(v[0] - far[0], v[1] - far[1]) <= 1e-14, "seed %d", k);
    const int32_t side = nsd_polygon_side_at(&s, cell, random_below(&r, 2));
    const double length = nsd_polygon_side(&s, side, e, n);
    const double across[2] = {size * n[0], size * n[1]};
    ck_assert_int_eq(nsd_polygon_cell_of_velocity(&s, across, 1e-12 * size), side);
    nsd_friction_support(&s, 1.0, across, far);
    REQUIRE(fabs(nsd_polygon_share(&s, side, far) - 0.5) <= 1e-12, "seed %d", k);
    REQUIRE(length > 0.0 && fabs(nsd_polygon_inside(&s, 1.0, far)) <= 1e-14, "seed %d", k);
  }
}
END_TEST

/* A ray leaves the polygon where it is on the boundary, and the cell of that point is the side that it is on.
 */
START_TEST(rays_leave_through_the_cell_of_their_force)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    nsd_contact_space space;
    const nsd_contact_spec s = polygon_of(&r, &space);
    const double angle = random_between(&r, -3.1, 3.1), unit[2] = {cos(angle), sin(angle)};
    double p[2], before[2], v[2];
    nsd_polygon_on_ray(&s, unit, p);
    REQUIRE(fabs(nsd_polygon_inside(&s, 1.0, p)) <= 1e-14, "seed %d", k);
    REQUIRE(p[0] * unit[0] + p[1] * unit[1] > 0.0 && fabs(p[0] * unit[1] - p[1] * unit[0]) <= 1e-14,
            "seed %d", k);
    before[0] = p[0];
    before[1] = p[1];
    const int32_t cell = nsd_polygon_cell_of_force(&s, p);
    REQUIRE(hypot(p[0] - before[0], p[1] - before[1]) <= 1e-8, "seed %d", k);
    if (nsd_polygon_is_side(cell)) {
      const double share = nsd_polygon_share(&s, cell, p);
      REQUIRE(share > 0.0 && share < 1.0, "seed %d: %g", k, share);
    }
    const int32_t corner = 2 * random_below(&r, space.sides);
    nsd_polygon_corner(&s, corner, v);
    ck_assert_int_eq(nsd_polygon_cell_of_force(&s, v), corner);
  }
}
END_TEST

SUITE("contact/space/polygon_cell", TEST(cells_of_velocities_are_where_friction_points_farthest),
      TEST(rays_leave_through_the_cell_of_their_force))
