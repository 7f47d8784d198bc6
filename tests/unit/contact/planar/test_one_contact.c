/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/one_contact.h"

#include "contact/certificate.h"
#include "contact/planar/states.h"
#include "suite.h"

/* One contact of any law, G positive definite, with a scale of its own. */
static nsd_contact_spec make(random_state *random, double *G, double *c, int degenerate)
{
  const double a = random_normal(random), b = random_normal(random), e = random_normal(random);
  const double unit = random_scale(random, 30.0);
  G[0] = unit * (a * a + 0.01);
  G[1] = G[2] = unit * a * b;
  G[3] = unit * (b * b + e * e + 0.01);
  c[0] = random_normal(random);
  c[1] = degenerate ? 0.0 : random_normal(random);
  nsd_contact_spec s = {.kind = random_below(random, 2), .friction = random_below(random, 3)};
  s.sliding =
      s.friction == NSD_FRICTION_NONE || random_below(random, 3) ? 0 : 1 - 2 * random_below(random, 2);
  s.mu = s.friction == NSD_FRICTION_LOAD ? fabs(random_normal(random)) * !degenerate : 0.0;
  s.bound = s.friction == NSD_FRICTION_GIVEN ? fabs(random_normal(random)) / unit : 0.0;
  return s;
}

START_TEST(every_law_of_one_contact_is_obeyed)
{
  for (int seed = 0; seed < random_cases(20000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double G[4], c[2];
    const nsd_contact_spec s = make(&random, G, c, seed % 5 == 0);
    const nsd_contact_data d = {
        .contacts = 1, .rows = s.friction == NSD_FRICTION_NONE ? 1 : 2, .ldg = 2, .spec = &s, .G = G, .c = c};
    const nsd_planar_one_contact block = nsd_planar_one_contact_of(&d, &s);
    double Lambda[2] = {random_normal(&random), random_normal(&random)}, xi[2];
    nsd_planar_one_contact_solve(&block, &s, c, Lambda);
    const nsd_contact_verdict v = nsd_contact_judge(&d, Lambda, xi);
    /* Friction along a known direction may lock a contact: then there may be no solution. */
    const double p = G[0] - s.sliding * s.mu * G[1], q = G[0] + s.sliding * s.mu * G[1];
    if (p > 1e-6 * G[0] && q > 1e-6 * G[0]) {
      ck_assert_msg(nsd_contact_is_solution(&v, 1e-9), "seed %d: %g of %g", seed, v.residual, v.scale);
    }
  }
}
END_TEST

START_TEST(a_contact_that_leaves_has_no_impulse)
{
  const nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  const double G[4] = {1.0, 0.2, 0.2, 1.0}, c[2] = {0.0, -1.0};
  const nsd_contact_data d = {.contacts = 1, .rows = 2, .ldg = 2, .spec = &s, .G = G, .c = c};
  const nsd_planar_one_contact block = nsd_planar_one_contact_of(&d, &s);
  double Lambda[2] = {1.0, 1.0};
  nsd_planar_one_contact_solve(&block, &s, c, Lambda);
  ck_assert(Lambda[0] == 0.0 && Lambda[1] == 0.0);
}
END_TEST

SUITE("contact/planar/one_contact", TEST(every_law_of_one_contact_is_obeyed),
      TEST(a_contact_that_leaves_has_no_impulse))
