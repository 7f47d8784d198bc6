/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Modes of one contact: whatever impulses and velocities a mode allows, friction dissipates as much as its
 * set allows. */
#include "contact/space/enumerate/contact_modes.h"

#include <math.h>

#include "contact/space/friction.h"
#include "suite.h"
#include "support/random.h"

/* ξ with Cᵀ ξ = 0; of a mode that slides ξ_T = −s Λ'. Returns whether its velocities are allowed. */
static int draw_velocity(const nsd_mode *m, random_state *random, double *xi)
{
  for (int i = 0; i < 3; i++) {
    xi[i] = random_normal(random);
  }
  /* Gram and Schmidt's, twice. */
  double e[3][3];
  int count = 0;
  for (int a = 0; a < m->unknowns; a++) {
    double *v = e[count], length = 0.0;
    for (int i = 0; i < 3; i++) {
      v[i] = m->C[a][i];
    }
    for (int b = 0; b < count; b++) {
      const double part = v[0] * e[b][0] + v[1] * e[b][1] + v[2] * e[b][2];
      for (int i = 0; i < 3; i++) {
        v[i] -= part * e[b][i];
      }
    }
    length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3 && length > 1e-12; i++) {
      v[i] /= length;
    }
    count += length > 1e-12;
  }
  for (int b = 0; b < count; b++) {
    const double part = xi[0] * e[b][0] + xi[1] * e[b][1] + xi[2] * e[b][2];
    for (int i = 0; i < 3; i++) {
      xi[i] -= part * e[b][i];
    }
  }
  for (int i = 0; i < m->velocities; i++) {
    if (!(m->w[i][0] * xi[0] + m->w[i][1] * xi[1] + m->w[i][2] * xi[2] >= 0.0)) {
      return 0;
    }
  }
  return 1;
}

START_TEST(each_mode_obeys_the_law)
{
  int kinds[2] = {0};
  for (int k = 0; k < random_cases(4000); k++) {
    random_state random = random_seed((uint64_t)k);
    const double angle = random_between(&random, 0.0, 6.3);
    const nsd_contact_space space = {.sides = random_below(&random, 2) ? 4 + 2 * random_below(&random, 4) : 0,
                                     .aspect = random_between(&random, 0.4, 2.0),
                                     .axis = {cos(angle), sin(angle)}};
    const int by_load = random_below(&random, 2), planar = random_below(&random, 4) == 0;
    const nsd_contact_spec s = {.mu = by_load ? random_between(&random, 0.1, 2.0) : 0.0,
                                .bound = by_load ? 0.0 : random_between(&random, 0.1, 2.0),
                                .friction = by_load ? NSD_FRICTION_LOAD : NSD_FRICTION_GIVEN,
                                .kind = random_below(&random, 3) ? NSDYN_CONTACT_UNILATERAL
                                                                 : NSDYN_CONTACT_BILATERAL,
                                .space = planar ? NULL : &space};
    const int count = nsd_modes_of(&s);
    for (int index = 0; index < count; index++) {
      nsd_mode m;
      double Lambda[3], xi[3], y[3];
      nsd_mode_at(&s, index, &m);
      if (m.slides || m.is_held || !draw_velocity(&m, &random, xi)) {
        kinds[0]++;
        continue;
      }
      kinds[1]++;
      for (int a = 0; a < m.unknowns; a++) {
        y[a] = m.positive >> a & 1 ? random_unit(&random) : random_normal(&random);
      }
      for (int i = 0; i < 3; i++) {
        Lambda[i] = m.o[i];
        for (int a = 0; a < m.unknowns; a++) {
          Lambda[i] += m.B[a][i] * y[a];
        }
      }
      /* Normal: one of both is 0, none is negative, of a slot ξ_N is. */
      const int is_slot = s.kind == NSDYN_CONTACT_BILATERAL;
      ck_assert(fabs(Lambda[0] * xi[0]) <= 1e-12 && (is_slot || (Lambda[0] >= 0.0 && xi[0] >= -1e-12)));
      ck_assert(!is_slot || fabs(xi[0]) <= 1e-12);
      /* Λ_T is in its set, and −ξ_T·Λ_T as large as it can be. */
      const double limit = nsd_friction_limit(&s, Lambda[0]), against[2] = {-xi[1], planar ? 0.0 : -xi[2]};
      double nearest[2] = {0.0, 0.0}, farthest[2] = {0.0, 0.0};
      nsd_friction_project(&s, limit, Lambda + 1, nearest);
      nsd_friction_support(&s, limit, against, farthest);
      const double power = against[0] * Lambda[1] + against[1] * Lambda[2];
      const double most = against[0] * farthest[0] + against[1] * farthest[1];
      REQUIRE(hypot(nearest[0] - Lambda[1], nearest[1] - (planar ? 0.0 : Lambda[2])) <= 1e-12,
              "seed %d, mode %d", k, index);
      REQUIRE(fabs(power - most) <= 1e-11, "seed %d, mode %d: %g of %g", k, index, power, most);
    }
  }
  ck_assert(kinds[0] > 0 && kinds[1] > 0);
}
END_TEST

/* All that a contact can do: open, stick, and the ways to slip. */
START_TEST(modes_are_as_many_as_the_law_has)
{
  nsd_contact_space space = {.sides = 8, .aspect = 1.0, .axis = {1.0, 0.0}};
  nsd_contact_spec s = {.mu = 0.5, .friction = NSD_FRICTION_LOAD, .space = &space};
  ck_assert_int_eq(nsd_modes_of(&s), 2 + 16);
  s.kind = NSDYN_CONTACT_BILATERAL;
  ck_assert_int_eq(nsd_modes_of(&s), 1 + 32);
  space.sides = 0;
  ck_assert_int_eq(nsd_modes_of(&s), 2);
  s.kind = NSDYN_CONTACT_UNILATERAL;
  ck_assert_int_eq(nsd_modes_of(&s), 3);
  s.sliding = 1;
  ck_assert_int_eq(nsd_modes_of(&s), 2);
  s.sliding = 0;
  s.friction = NSD_FRICTION_GIVEN;
  s.mu = 0.0;
  s.bound = 1.0;
  ck_assert_int_eq(nsd_modes_of(&s), 4);
  s.friction = NSD_FRICTION_STORED;
  ck_assert_int_eq(nsd_modes_of(&s), 0);
}
END_TEST

SUITE("contact/space/enumerate/contact_modes", TEST(each_mode_obeys_the_law),
      TEST(modes_are_as_many_as_the_law_has))
