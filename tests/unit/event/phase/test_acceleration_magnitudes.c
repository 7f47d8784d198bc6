/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How large accelerations and forces of a row may be: of a point of mass m under h, √G_rr = 1/√m and √(hᵀ M⁻¹
 * h) = |h|/√m. */
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

/* Where the contact sticks G_rr λ_r = −c_r: terms of the same size, 2 |h_r| in all. Where it slides friction
 * is what its law says, and no row is kept but the normal one. */
START_TEST(terms_of_forces_are_those_of_kept_rows)
{
  for (int slides = 0; slides < 2; slides++) {
    body b = {.mass = 4.0, .load = {1.0, -2.0, -2.0}};
    driven s = body_scene(&b, space_law(slides ? 0.25 : 5.0, 0.0, 0.0));
    const double q[3] = {0.0}, u[3] = {0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 1.0);
    const nsd_acceleration *m = &s.driver->phase.motion;
    const double *Lambda = m->scene.solution.Lambda;
    for (int r = 0; r < 3; r++) {
      const int is_kept = r == 0 || !slides;
      const double exact = is_kept ? 2.0 * fabs(b.load[(r + 2) % 3]) : fabs(Lambda[r]);
      ck_assert_int_eq(nsd_acceleration_keeps(m, r), is_kept);
      ck_assert_double_eq_tol(nsd_acceleration_terms_of_force(m, r), exact, 1e-12);
    }
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/acceleration_magnitudes", TEST(terms_of_forces_are_those_of_kept_rows),
      TEST(loads_of_a_point_are_its_force_over_its_mass))
