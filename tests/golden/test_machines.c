/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Thousands of machines that nobody built, driven by both integrators while callbacks fail, laws change and
 * memory runs out: what must hold of all of them, judged from their numbers alone (support/wild.h).
 *
 * NSDYN_WILD_SEED=k runs the one machine that a failure names, and prints it with each call. With
 * NSDYN_WILD_STRICT=1 what is known to be missed is asked, too (support/wild_judge.c). */
#include <stdlib.h>
#include <string.h>

#include "suite.h"
#include "support/wild.h"

enum { BYTES = 1024 };

static int drive(uint64_t seed, wild_outcome *outcome)
{
  uint8_t bytes[BYTES];
  random_state r = random_seed(seed);
  for (size_t i = 0; i < sizeof bytes; i += sizeof(uint64_t)) {
    const uint64_t word = random_bits(&r);
    memcpy(bytes + i, &word, sizeof word);
  }
  return wild_drive(bytes, sizeof bytes, outcome);
}

START_TEST(any_machine_is_moved_well_or_refused)
{
  wild_outcome outcome = {.is_strict = getenv("NSDYN_WILD_STRICT") != NULL};
  const char *only = getenv("NSDYN_WILD_SEED");
  if (only) {
    outcome.tells = 1;
    ck_assert_msg(drive(strtoull(only, NULL, 10), &outcome), "seed %s: %s", only, outcome.broken);
    return;
  }
  const int cases = random_cases(3000);
  for (int seed = 0; seed < cases; seed++) {
    REQUIRE(drive((uint64_t)seed, &outcome), "seed %d: %s", seed, outcome.broken);
  }
  /* Most are moved: a library that refuses them all would keep every promise. */
  int64_t runs = 0, steps = 0;
  for (int i = 0; i < WILD_STATUSES; i++) {
    runs += outcome.runs[i];
    steps += outcome.steps[i];
  }
  const int64_t good_runs = outcome.runs[NSDYN_OK + 20], good_steps = outcome.steps[NSDYN_OK + 20];
  ck_assert_msg(cases < 300 || 2 * good_runs > runs, "%lld of %lld runs are good", (long long)good_runs,
                (long long)runs);
  ck_assert_msg(cases < 300 || 10 * good_steps > 9 * steps, "%lld of %lld steps are good",
                (long long)good_steps, (long long)steps);
  ck_assert_msg(cases < 300 || (outcome.judged_runs > cases / 2 && outcome.judged_steps > cases &&
                                outcome.judged_contacts > cases),
                "%lld runs, %lld steps, %lld contacts were judged", (long long)outcome.judged_runs,
                (long long)outcome.judged_steps, (long long)outcome.judged_contacts);
}
END_TEST

SUITE("machines", TEST(any_machine_is_moved_well_or_refused))
