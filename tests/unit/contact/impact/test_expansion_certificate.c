/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/expansion.h"
#include "impacts.h"

/* One contact with G = diag(2, 4), so r = 3; what compression left is written down, not computed. */
typedef struct fixture {
  nsd_contact_spec spec;
  nsd_restitution restitution;
  double G[4], gamma[2], Lambda_C[2], Lambda_E[2];
} fixture;

static nsd_expansion_verdict judge(const fixture *f)
{
  const nsd_contact_data data = {
      .contacts = 1, .rows = 2, .ldg = 2, .spec = &f->spec, .G = f->G, .c = f->gamma};
  return nsd_expansion_judge(&data, &f->restitution, f->Lambda_C, f->Lambda_E);
}

/* γ⁻ = (−8, 2) stopped by Λ_C = (4, −½): ε_N = ½, ε_T = ½, ν = 1, μ = ½. Then Λ_E = (2, −⅛), γ_E = (4, −½).
 */
static fixture rebound(void)
{
  const fixture f = {.spec = {.friction = NSD_FRICTION_LOAD, .mu = 0.5},
                     .restitution = {.eps_n = 0.5, .eps_t = 0.5, .reversal = 1.0},
                     .G = {2.0, 0.0, 0.0, 4.0},
                     .gamma = {-8.0, 2.0},
                     .Lambda_C = {4.0, -0.5},
                     .Lambda_E = {2.0, -0.125}};
  return f;
}

START_TEST(a_solution_has_no_residual)
{
  const fixture f = rebound();
  const nsd_expansion_verdict v = judge(&f);
  ck_assert(v.residual == 0.0);
  ck_assert_int_eq(v.row, -1);
  ck_assert(v.scale == 8.0 + 8.0 + 4.0 && v.speed == v.scale);
}
END_TEST

START_TEST(each_law_that_is_missed_is_seen)
{
  const double step = 1.0 / 64.0;
  fixture f = rebound();
  f.Lambda_E[0] += step; /* more than stored, though it leaves */
  nsd_expansion_verdict v = judge(&f);
  ck_assert(v.residual == 3.0 * step);
  ck_assert_int_eq(v.row, 0);
  f.Lambda_E[0] -= 2.0 * step; /* less than stored */
  v = judge(&f);
  ck_assert(v.residual == 3.0 * step);
  ck_assert_int_eq(v.row, 0);
  f = rebound();
  f.Lambda_E[1] -= step; /* more turned back than was stored */
  v = judge(&f);
  ck_assert(v.residual == 3.0 * step);
  ck_assert_int_eq(v.row, 1);
  f.Lambda_E[1] += 2.0 * step; /* less */
  v = judge(&f);
  ck_assert(v.residual == 3.0 * step);
  ck_assert_int_eq(v.row, 1);
  f = rebound();
  f.gamma[0] = -13.0; /* still approaching: more is needed */
  v = judge(&f);
  ck_assert(v.residual == 1.0);
  ck_assert_int_eq(v.row, 0);
}
END_TEST

START_TEST(the_mirror_image_is_judged_alike)
{
  fixture f = rebound();
  f.gamma[1] = -f.gamma[1];
  f.Lambda_C[1] = -f.Lambda_C[1];
  f.Lambda_E[1] = -f.Lambda_E[1];
  ck_assert(judge(&f).residual == 0.0);
  f.Lambda_E[1] = 0.0;
  ck_assert(judge(&f).residual == 3.0 * 0.125);
}
END_TEST

/* Plain Coulomb friction, ν = 0: stick, both slips, and their opposites. */
START_TEST(friction_may_only_brake)
{
  fixture f = rebound();
  f.restitution.reversal = 0.0;
  f.Lambda_E[1] = 0.0;
  ck_assert(judge(&f).residual == 0.0);
  f.gamma[1] = 8.0; /* slides: Λ_T = −μ Λ_N in expansion, whatever compression did */
  f.Lambda_E[1] = -1.0;
  ck_assert(judge(&f).residual == 0.0);
  f.Lambda_E[1] = 1.0;
  ck_assert(judge(&f).residual == 6.0);
  f.Lambda_E[1] = -1.25; /* beyond the cone */
  ck_assert(judge(&f).residual == 0.75);
}
END_TEST

START_TEST(what_has_no_friction_takes_no_tangential_impulse)
{
  fixture f = rebound();
  f.spec.mu = 0.0;
  f.Lambda_C[1] = 0.0;
  f.Lambda_E[1] = 0.0;
  ck_assert(judge(&f).residual == 0.0);
  f.Lambda_E[1] = 0.5;
  ck_assert(judge(&f).residual == 1.5);
  f.spec.friction = NSD_FRICTION_GIVEN;
  f.spec.bound = 10.0;
  ck_assert(judge(&f).residual == 1.5);
  f.Lambda_C[1] = -0.5; /* compression had the bound's impulse */
  f.Lambda_E[1] = 0.0;
  ck_assert(judge(&f).residual == 0.0);
}
END_TEST

/* Λ_NC = 6 of the one flank, Λ_NE = −2 of the other: the load is max(2, ε_N 6) = 3. */
START_TEST(a_slot_stays_closed)
{
  fixture f = rebound();
  f.spec.kind = NSDYN_CONTACT_BILATERAL;
  f.restitution.reversal = 0.0;
  f.Lambda_C[0] = 6.0;
  f.Lambda_E[0] = -2.0; /* γ_N = 0 */
  f.Lambda_E[1] = 0.0;
  ck_assert(judge(&f).residual == 0.0);
  f.gamma[1] = 10.0;
  f.Lambda_E[1] = -2.0; /* stops it, but |Λ_T| <= μ 3 */
  ck_assert(judge(&f).residual == 1.5);
  f.Lambda_E[1] = -1.5; /* what it may do */
  ck_assert(judge(&f).residual == 0.0);
  f.restitution.eps_n = 0.25; /* max(2, 1.5) */
  ck_assert(judge(&f).residual == 1.5);
  f.Lambda_E[1] = -1.0;
  ck_assert(judge(&f).residual == 0.0);
  f.Lambda_E[0] = 0.0;
  const nsd_expansion_verdict v = judge(&f);
  ck_assert(v.residual == 4.0);
  ck_assert_int_eq(v.row, 0);
}
END_TEST

/* ν = 1 lets friction act to one side only, which side is told by Λ_TC however small, but not by its
 * rounding. */
START_TEST(a_small_impulse_has_a_direction_too)
{
  fixture f = rebound();
  f.gamma[1] = -8.0;
  f.Lambda_C[1] = -1e-9;
  f.Lambda_E[1] = -0.25e-9; /* what comes back; Λ_T > 0, which would brake, is not of that side */
  ck_assert(judge(&f).residual <= 1e-14);
  f.Lambda_C[1] = -1e-12;
  ck_assert(judge(&f).residual > 1.0);
  f.Lambda_E[1] = 1.0; /* plain friction */
  ck_assert(judge(&f).residual == 0.0);
}
END_TEST

/* A bilateral row is judged by its own size: an angle beside lengths. */
START_TEST(a_bilateral_row_has_its_own_scale)
{
  const double G[4] = {1.0, 0.0, 0.0, 1e-6}, gamma[2] = {-1.0, 1e-6};
  const nsd_contact_spec spec = {.friction = NSD_FRICTION_NONE};
  const nsd_restitution none = {0.0, 0.0, 0.0};
  const nsd_contact_data data = {
      .contacts = 1, .bilateral = 1, .rows = 2, .ldg = 2, .spec = &spec, .G = G, .c = gamma};
  const double Lambda_C[2] = {1.0, -1.0}, still[2] = {0.0, 0.0}, off[2] = {0.0, 0.25};
  ck_assert(nsd_expansion_judge(&data, &none, Lambda_C, still).residual == 0.0);
  const nsd_expansion_verdict v = nsd_expansion_judge(&data, &none, Lambda_C, off);
  ck_assert_int_eq(v.row, 1);
  ck_assert(fabs(v.residual - 0.25e-6) <= 1e-20 && fabs(v.scale - 2.25e-6) <= 1e-20);
}
END_TEST

START_TEST(what_is_no_number_is_no_solution)
{
  fixture f = rebound();
  const double bad[] = {NAN, INFINITY, -INFINITY, 1.7e308};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 2; i++) {
      f = rebound();
      f.Lambda_E[i] = bad[k];
      const nsd_expansion_verdict v = judge(&f);
      ck_assert(v.residual == (double)INFINITY && !(v.residual <= 1e-9 * v.scale));
    }
  }
}
END_TEST

/* Impulses so large that the impact drowns in them are no excuse for violations of its own size. */
START_TEST(far_out_the_scale_does_not_grow)
{
  fixture f = rebound();
  f.G[0] = f.G[1] = f.G[2] = f.G[3] = 1.0;
  f.restitution.reversal = 0.0;
  f.spec.mu = 10.0;
  f.Lambda_E[0] = 1e9;
  f.Lambda_E[1] = -1e9;
  const nsd_expansion_verdict v = judge(&f);
  ck_assert(v.speed >= 2e9 && v.scale <= 2e4);
}
END_TEST

/* Units: the same impact in other units of mass and speed. */
START_TEST(residuals_scale_like_velocities)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    mechanism m;
    make_mechanism(&m, &r, 1 + k % MOST_CONTACTS, HAS_FRICTION | HAS_BILATERAL | HAS_SLOTS | HAS_GIVEN);
    double Lambda_C[MOST_ROWS], Lambda_E[MOST_ROWS];
    random_impulses(&m, &r, Lambda_C);
    random_impulses(&m, &r, Lambda_E);
    nsd_contact_data data = mechanism_data(&m);
    const nsd_expansion_verdict v = nsd_expansion_judge(&data, m.restitution, Lambda_C, Lambda_E);
    const double mass = ldexp(1.0, random_below(&r, 200) - 100),
                 speed = ldexp(1.0, random_below(&r, 200) - 100);
    for (int i = 0; i < MOST_ROWS * MOST_ROWS; i++) {
      m.G[i] /= mass;
    }
    for (int i = 0; i < m.rows; i++) {
      m.gamma[i] *= speed;
      Lambda_C[i] *= mass * speed;
      Lambda_E[i] *= mass * speed;
    }
    const nsd_expansion_verdict w = nsd_expansion_judge(&data, m.restitution, Lambda_C, Lambda_E);
    REQUIRE(w.residual == speed * v.residual && w.scale == speed * v.scale && w.row == v.row, "seed %d", k);
  }
}
END_TEST

SUITE("contact/impact/expansion_certificate", TEST(a_solution_has_no_residual),
      TEST(each_law_that_is_missed_is_seen), TEST(the_mirror_image_is_judged_alike),
      TEST(friction_may_only_brake), TEST(what_has_no_friction_takes_no_tangential_impulse),
      TEST(a_slot_stays_closed), TEST(a_small_impulse_has_a_direction_too),
      TEST(a_bilateral_row_has_its_own_scale), TEST(what_is_no_number_is_no_solution),
      TEST(far_out_the_scale_does_not_grow), TEST(residuals_scale_like_velocities))
