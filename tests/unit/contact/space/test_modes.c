/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* contact/space/modes.c: what a solution says of its contacts, where that is known in closed form. */
#include "contact/space/space.h"

#include <math.h>

#include "space_trial.h"

/* A block of mass m on a table, that comes with w: Λ_N = m |w_N|, and where its m |w_T| is within μ Λ_N it
 * sticks, with ξ = 0 to the bit, else it slides on as it came. Where w_N > 0, it leaves. */
START_TEST(a_block_on_a_table)
{
  static trial t;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  for (int k = 0; k < random_cases(500); k++) {
    random_state random = random_seed((uint64_t)k);
    const double m = exp(random_between(&random, -20.0, 20.0)), mu = random_between(&random, 0.1, 1.0);
    const double speed = random_between(&random, 0.1, 2.0), angle = random_between(&random, -3.0, 3.0);
    const double share = random_between(&random, 0.2, 0.9); /* of the edge of sticking */
    t.law[0] = disk_law(mu);
    fill(&t, 1, 3 * MOST, &random);
    for (int i = 0; i < 9; i++) {
      t.G[i] = i % 4 == 0 ? 1.0 / m : 0.0;
    }
    const int way = k % 3; /* 0: sticks; 1: slides; 2: leaves */
    t.c[0] = way == 2 ? speed : -speed / mu * (way == 0 ? 1.0 / share : share);
    t.c[1] = speed * cos(angle);
    t.c[2] = speed * sin(angle);
    ck_assert_int_eq(nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi), NSDYN_OK);
    int32_t count;
    const int32_t *mode = nsdyn_contact_modes(solver, &count);
    const double *slip = nsdyn_contact_directions(solver, &count);
    ck_assert_int_eq(count, 1);
    static const int32_t expected[] = {NSDYN_MODE_STICK, NSDYN_MODE_SLIP, NSDYN_MODE_OPEN};
    REQUIRE(*mode == expected[way], "seed %d: mode %d", k, (int)*mode);
    if (way == 0) {
      REQUIRE(t.xi[0] == 0.0 && t.xi[1] == 0.0 && t.xi[2] == 0.0, "seed %d", k);
      REQUIRE(slip[0] == 0.0 && slip[1] == 0.0, "seed %d", k);
    } else if (way == 1) {
      REQUIRE(t.xi[0] == 0.0, "seed %d", k);
      REQUIRE(hypot(slip[0] - cos(angle), slip[1] - sin(angle)) <= 1e-12, "seed %d: (%g, %g)", k, slip[0],
              slip[1]);
    } else {
      REQUIRE(t.xi[0] == t.c[0], "seed %d", k);
    }
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* A known direction is handed out as it came in, even against ξ_T. */
START_TEST(a_known_direction_is_the_one_handed_out)
{
  const nsd_contact_space disk = {0};
  const nsd_contact_spec s = {
      .mu = 0.5, .friction = NSD_FRICTION_LOAD, .sliding = 1, .slip = {0.6, 0.8}, .space = &disk};
  const double xi_T[2] = {-3.0, 1.0};
  double slip[2];
  ck_assert_int_eq(nsd_space_mode_of(&s, 1.0, xi_T, 1e-9, slip), NSDYN_MODE_SLIP);
  ck_assert(slip[0] == 0.6 && slip[1] == 0.8);
  ck_assert_int_eq(nsd_space_mode_of(&s, 0.0, xi_T, 1e-9, slip), NSDYN_MODE_OPEN);
  ck_assert(slip[0] == 0.0 && slip[1] == 0.0);
}
END_TEST

SUITE("contact/space/modes", TEST(a_block_on_a_table), TEST(a_known_direction_is_the_one_handed_out))
