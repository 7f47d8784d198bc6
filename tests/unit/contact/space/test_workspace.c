/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* contact/space/workspace.c: problems of known sizes need no further memory, and all of it is given back. */
#include "contact/space/space.h"

#include "space_trial.h"
#include "support/counted_memory.h"

static nsdyn_contact *counting(counted_memory *c, int32_t method)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  nsdyn_contact *s = NULL;
  nsdyn_context *ctx = counted_context(c, NULL);
  ck_assert_int_eq(nsdyn_contact_new(ctx, &options, &s, NULL), NSDYN_OK);
  nsdyn_context_free(ctx);
  return s;
}

static void solve_random(nsdyn_contact *s, trial *t, int contacts, int seed)
{
  random_state random = random_seed((uint64_t)seed);
  for (int i = 0; i < contacts; i++) {
    t->law[i] = disk_law(0.4);
  }
  fill(t, contacts, 3 * MOST, &random);
  const nsdyn_status status = nsdyn_contact_solve(s, &t->p, t->Lambda, t->xi);
  ck_assert_msg(status >= 0, "seed %d: %s", seed, nsdyn_contact_message(s));
}

/* Of the methods that read G in three ways: rounds by cells, Newton's as a matrix, Todorov's in a room of its
 * own. */
START_TEST(repeated_solves_allocate_nothing)
{
  static const int32_t methods[] = {NSDYN_CONTACT_AUTOMATIC, NSDYN_CONTACT_ROUNDS, NSDYN_CONTACT_NEWTON,
                                    NSDYN_CONTACT_TODOROV_RLM};
  static trial t;
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    counted_memory c = {0};
    nsdyn_contact *s = counting(&c, methods[m]);
    for (int contacts = 1; contacts <= MOST; contacts++) {
      long before = 0;
      for (int round = 0; round < 2; round++) {
        before = c.allocations;
        for (int k = 0; k < 40; k++) {
          solve_random(s, &t, contacts, k);
        }
      }
      ck_assert_msg(c.allocations == before, "method %d, %d contacts: %ld more", (int)methods[m], contacts,
                    c.allocations - before);
    }
    nsdyn_contact_free(s);
    ck_assert_int_eq(c.live, 0);
  }
}
END_TEST

/* Another size lays memory out anew, but what is there is enough for a smaller one. */
START_TEST(a_smaller_problem_needs_no_memory)
{
  static trial t;
  counted_memory c = {0};
  nsdyn_contact *s = counting(&c, NSDYN_CONTACT_NEWTON);
  solve_random(s, &t, MOST, 0);
  const long before = c.allocations;
  for (int contacts = MOST; contacts > 0; contacts--) {
    solve_random(s, &t, contacts, contacts);
  }
  ck_assert_int_eq(c.allocations, before);
  nsdyn_contact_free(s);
  ck_assert_int_eq(c.live, 0);
}
END_TEST

SUITE("contact/space/workspace", TEST(repeated_solves_allocate_nothing),
      TEST(a_smaller_problem_needs_no_memory))
