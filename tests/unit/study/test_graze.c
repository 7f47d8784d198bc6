/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How near a cycle comes to another order of its impacts, against closed forms. */
#include "hammer_models.h"
#include "study/object.h"

static nsd_profile profile_of(sought *s)
{
  nsd_profile profile;
  const int64_t events = nsdyn_event_driver_events(s->cycle->driver);
  ck_assert_int_eq(nsd_cycle_profile(s->cycle, &profile), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_events(s->cycle->driver), events); /* the log is as it was */
  return profile;
}

/* Where the gap turns round between the impacts, and how fast the impact is. */
START_TEST(turns_and_impacts_are_those_of_the_closed_form)
{
  int count = 0, turns = 0;
  for (int k = 0; k < random_cases(400); k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    exact_hammer_cycle orbit;
    p.omega *= 0.4;
    const int sign = k % 2 ? 1 : -1;
    if (!hammer_is_fair(&p, sign, &orbit)) {
      continue;
    }
    sought s = hammer_search(&p);
    hammer_guess(&s, &p, &orbit, 1e-5);
    seek_find(&s);
    const nsd_profile profile = profile_of(&s);
    const double T = s.options.forcing, hit = -(double)orbit.before;
    REQUIRE(profile.impacts == 1 && profile.who != 0, "case %d: %d impacts", k, (int)profile.impacts);
    REQUIRE(fabs(profile.slow.value - hit) < 1e-8 * hit, "case %d: %g, not %g", k, profile.slow.value, hit);
    REQUIRE(fabs(remainder(profile.slow.at, T)) < 1e-9 * T, "case %d: at %g", k, profile.slow.at);
    REQUIRE(profile.slow.contact == 0 && profile.slow.key == 0, "case %d", k);
    REQUIRE(isfinite(profile.low.value) == isfinite((double)orbit.low_gap), "case %d: %g, not %g", k,
            profile.low.value, (double)orbit.low_gap);
    if (isfinite(profile.low.value)) {
      const double gap = (double)orbit.low_gap;
      REQUIRE(fabs(profile.low.value - gap) < 1e-8 * gap, "case %d: %g, not %g", k, profile.low.value, gap);
      REQUIRE(fabs(profile.low.at - (double)orbit.low_at) < 1e-6 * T, "case %d: at %g, not %g", k,
              profile.low.at, (double)orbit.low_at);
      REQUIRE(profile.low.contact == 0 && profile.low.key == 0, "case %d", k);
      turns++;
    }
    count++;
    seek_end(&s);
  }
  ck_assert_int_ge(count, is_brief() ? 0 : random_cases(400) / 20);
  ck_assert_int_ge(turns, is_brief() ? 0 : random_cases(400) / 100);
}
END_TEST

/* Without impacts: known in advance or found, the gap's least value is G/k less the response. */
START_TEST(what_is_not_hit_has_a_least_gap)
{
  for (int k = 0; k < random_cases(60); k++) {
    random_state random = random_seed((uint64_t)k);
    const int is_found = k % 2;
    exact_hammer p = {.k = random_between(&random, 0.5, 3.0), .c = random_between(&random, 0.1, 1.0)};
    p.G = random_between(&random, 0.2, 1.0);
    p.omega = random_between(&random, 0.5, 3.0);
    p.eps = 0.5;
    double phase;
    const double share = random_between(&random, 0.1, 0.95), q = p.G / p.k, u = 0.0, high = q * (1.0 + share);
    p.F = share * touching_amplitude(&p, &phase);
    sought s = swinging_search(&p, is_found);
    s.driver.margin = 2.0 * high;
    seek(&s, (phase - PI) / p.omega, &high, &u);
    seek_find(&s);
    const nsd_profile profile = profile_of(&s);
    const double gap = q * (1.0 - share),
                 late = remainder(profile.low.at - phase / p.omega, s.options.forcing);
    REQUIRE(profile.impacts == 0 && profile.who == 0 && isinf(profile.slow.value), "case %d", k);
    REQUIRE(fabs(profile.low.value - gap) < 1e-8 * q, "case %d: %g, not %g", k, profile.low.value, gap);
    REQUIRE(fabs(late) < 1e-6 * s.options.forcing, "case %d: %g late", k, late);
    REQUIRE(profile.low.contact == (is_found ? -1 : 0) && profile.low.key == (is_found ? 7 : 0), "case %d",
            k);
    seek_end(&s);
  }
}
END_TEST

/* A ball dropped again and again by a table that drops faster than it falls comes to rest in between: its
 * hops count as none, but that they accumulate makes it another order. */
START_TEST(hops_that_accumulate_are_no_number_of_impacts)
{
  exact_hammer p = {.k = 2.0, .c = 0.8, .G = 1.0, .omega = 0.5, .eps = 0.1, .turns = 1};
  double phase;
  const double q = p.G / p.k, u = 0.0, touching = touching_amplitude(&p, &phase);
  p.F = 2.0 * touching;
  sought s = swinging_search(&p, 0);
  s.options.settle = 5;
  seek(&s, -0.1, &q, &u);
  seek_find(&s);
  const nsd_profile profile = profile_of(&s);
  ck_assert_int_eq(profile.impacts, 0);
  ck_assert(profile.who != 0 && isinf(profile.slow.value));
  seek_end(&s);
}
END_TEST

SUITE("study/graze", TEST(turns_and_impacts_are_those_of_the_closed_form),
      TEST(what_is_not_hit_has_a_least_gap), TEST(hops_that_accumulate_are_no_number_of_impacts))
