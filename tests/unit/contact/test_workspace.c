/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* contact/workspace.c: memory as large as the largest problem so far. */
#include "contact/object.h"

#include "support/counted_memory.h"
#include "touching.h"

static nsdyn_contact *counting(counted_memory *c, int32_t method)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = method;
  options.warm_start = 1;
  nsdyn_contact *s = NULL;
  nsdyn_context *ctx = counted_context(c, NULL);
  if (ctx) {
    (void)nsdyn_contact_new(ctx, &options, &s, NULL);
    nsdyn_context_free(ctx);
  }
  return s;
}

START_TEST(repeated_solves_allocate_nothing)
{
  touching *t = touching_new();
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_LCP; method++) {
    counted_memory c = {0};
    nsdyn_contact *s = counting(&c, method);
    ck_assert_ptr_nonnull(s);
    for (int round = 0; round < 2; round++) {
      const long before = c.allocations;
      for (int k = 0; k < 200; k++) {
        random_state r = random_seed((uint64_t)k);
        make_touching(t, &r, k % (method == NSDYN_CONTACT_DIRECT ? 3 : 8),
                      k % 2 ? REDUNDANT | WITH_STEEP : WITH_NONE | WITH_GIVEN);
        ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
      }
      ck_assert_msg(round == 0 || c.allocations == before, "method %d allocated %ld times", method,
                    c.allocations - before);
    }
    nsdyn_contact_free(s);
    ck_assert_int_eq(c.live, 0);
  }
  free(t);
}
END_TEST

START_TEST(a_smaller_problem_needs_no_memory)
{
  touching *t = touching_new();
  counted_memory c = {0};
  nsdyn_contact *s = counting(&c, NSDYN_CONTACT_AUTOMATIC);
  long before = 0;
  for (int contacts = 9; contacts >= 0; contacts--) {
    random_state r = random_seed((uint64_t)contacts);
    make_touching(t, &r, contacts, COULOMB);
    ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
    ck_assert(contacts == 9 || c.allocations == before);
    before = c.allocations;
  }
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Direct answers need no more memory than their modes. */
START_TEST(one_and_two_contacts_need_hardly_any)
{
  touching *t = touching_new();
  counted_memory c = {0};
  nsdyn_contact *s = counting(&c, NSDYN_CONTACT_AUTOMATIC);
  const long before = c.allocations;
  for (int k = 0; k < 100; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 2 - k % 2, WITH_NONE);
    ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
  }
  ck_assert_int_eq(c.allocations, before + 1);
  nsdyn_contact_free(s);
  free(t);
}
END_TEST

/* Every allocation may fail: the call says so, touches nothing, and the next one works. */
START_TEST(no_memory_is_survived)
{
  touching *t = touching_new();
  random_state r = random_seed(11);
  make_touching(t, &r, 6, COULOMB);
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_LCP; method += 2) {
    int failures = 0;
    for (long fail_at = 1;; fail_at++) {
      counted_memory c = {.fail_at = fail_at};
      nsdyn_contact *s = counting(&c, method);
      if (s) {
        for (int i = 0; i < t->d.rows; i++) {
          t->Lambda[i] = 4711.0;
        }
        const nsdyn_status status = nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi);
        ck_assert(status == NSDYN_OK || status == NSDYN_ERR_NOMEM);
        if (status != NSDYN_OK) {
          failures++;
          ck_assert(t->Lambda[0] == 4711.0 && t->Lambda[t->d.rows - 1] == 4711.0);
          ck_assert_str_ne(nsdyn_contact_message(s), "");
          ck_assert_int_eq(nsdyn_contact_solve(s, &t->problem, t->Lambda, t->xi), NSDYN_OK);
        }
        nsdyn_contact_free(s);
      }
      ck_assert_int_eq(c.live, 0);
      if (c.allocations < fail_at) {
        break;
      }
    }
    ck_assert_int_ge(failures, method == NSDYN_CONTACT_LCP ? 4 : 2);
  }
  free(t);
}
END_TEST

START_TEST(sizes_that_cannot_be_counted_are_too_large)
{
  counted_memory c = {0};
  nsdyn_contact *s = counting(&c, NSDYN_CONTACT_AUTOMATIC);
  ck_assert_int_eq(nsd_contact_reserve_kept(s, 2), NSDYN_OK);
  s->modes_n = s->states_n = 2;
  ck_assert_int_eq(nsd_contact_reserve_kept(s, 1), NSDYN_OK);
  ck_assert(s->modes_n == 2 && s->states_n == 2);
  ck_assert_int_eq(nsd_contact_reserve_kept(s, 3), NSDYN_OK);
  ck_assert(s->modes_n == 0 && s->states_n == 0); /* what grew forgets */
  const long before = c.allocations;
  ck_assert_int_lt(nsd_contact_reserve_scratch(s, INT32_MAX, INT32_MAX), 0);
  ck_assert_int_lt(nsd_contact_reserve_lcp(s, INT32_MAX), 0);
  ck_assert_int_eq(nsd_contact_reserve_scratch(s, 2, 4), NSDYN_OK);
  ck_assert_int_eq(nsd_contact_reserve_scratch(s, 2, 4), NSDYN_OK);
  ck_assert_int_ge(c.allocations, before);
  nsdyn_contact_free(s);
  ck_assert_int_eq(c.live, 0);
}
END_TEST

/* A solve that is refused for want of room was to begin near impulses: the next one is not. */
START_TEST(no_memory_leaves_no_impulses_to_begin_near)
{
  touching *t = touching_new();
  random_state r = random_seed(11);
  make_touching(t, &r, 6, COULOMB);
  const int32_t start[6] = {0};
  for (int i = 0; i < t->d.rows; i++) {
    t->Lambda[i] = 0.0;
  }
  int failures = 0;
  for (long fail_at = 1;; fail_at++) {
    counted_memory c = {.fail_at = fail_at};
    nsdyn_contact *s = counting(&c, NSDYN_CONTACT_AUTOMATIC);
    if (s) {
      nsd_contact_begin_near(s, t->Lambda);
      const nsdyn_status status = nsd_contact_solve_from(s, &t->d, start, t->Lambda, t->xi);
      ck_assert(status == NSDYN_OK || status == NSDYN_ERR_NOMEM);
      failures += status != NSDYN_OK;
      ck_assert_ptr_null(s->near);
      nsdyn_contact_free(s);
    }
    ck_assert_int_eq(c.live, 0);
    if (c.allocations < fail_at) {
      break;
    }
  }
  ck_assert_int_ge(failures, 1);
  free(t);
}
END_TEST

SUITE("contact/workspace", TEST(repeated_solves_allocate_nothing), TEST(a_smaller_problem_needs_no_memory),
      TEST(one_and_two_contacts_need_hardly_any), TEST(no_memory_is_survived),
      TEST(no_memory_leaves_no_impulses_to_begin_near), TEST(sizes_that_cannot_be_counted_are_too_large))
