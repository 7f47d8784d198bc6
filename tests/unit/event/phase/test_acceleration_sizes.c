/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large accelerations of a row may be: of a point of mass m under h, √G_rr = 1/√m and √(hᵀ M⁻¹ h) =
 * |h|/√m. */
#include "event/internal.h"

#include "event_space.h"

START_TEST(loads_of_a_point_are_its_force_over_its_mass)
{
  body b = {.mass = 4.0, .load = {1.0, -2.0, -2.0}};
  driven s = body_scene(&b, space_law(5.0, 0.0, 0.0));
  const double q[3] = {0.0}, u[3] = {0.0};
  scene_drive(&s, 0.0, q, u);
  scene_advance(&s, 1.0);
  const nsd_acceleration *m = &s.driver->phase.motion;
  for (int r = 0; r < 3; r++) {
    ck_assert_double_eq_tol(nsd_acceleration_gain(m, r, 0.5), 0.5 * 3.0 / 4.0, 1e-14);
    /* Taken over the one coordinate that the row acts on, as z = L⁻¹ h has it. */
    ck_assert_double_eq_tol(nsd_acceleration_load_size(m, r), fabs(b.load[(r + 2) % 3]) / 4.0, 1e-14);
  }
  scene_end(&s);
}
END_TEST

SUITE("event/phase/acceleration_sizes", TEST(loads_of_a_point_are_its_force_over_its_mass))
