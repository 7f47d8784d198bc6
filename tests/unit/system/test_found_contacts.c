/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/found_contacts.h"

#include <math.h>
#include <string.h>

#include "stepping.h"
#include "support/callbacks.h"

/* What the callback reports, and what the sink says to it. */
typedef struct reporter {
  nsdyn_found_contact contact[40];
  int count, answer[40];
  int code;
  int goes_on; /* ignores refusals */
  nsdyn_contact_sink *kept;
} reporter;

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  (void)u;
  reporter *r = user;
  (void)t, (void)q, (void)margin;
  r->kept = sink;
  for (int i = 0; i < r->count; i++) {
    r->answer[i] = nsdyn_contact_sink_add(sink, &r->contact[i]);
    if (r->answer[i] && !r->goes_on) {
      return r->answer[i];
    }
  }
  return r->code;
}

static const double values[4] = {1.0, 2.0, 3.0, 4.0};
static const nsdyn_contact_block block = {.offset = 1, .count = 2, .values = values};

typedef struct setup {
  reporter r;
  nsdyn_system *sys;
  nsd_fault fault;
  nsdyn_contact_sink sink;
} setup;

/* Three velocities, law 0 with friction, law 1 without. */
static void begin(setup *s)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  int32_t number;
  memset(s, 0, sizeof *s);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.mass = unit_mass_3;
  def.find = find;
  def.user = &s->r;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &s->sys, NULL), NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  ck_assert_int_eq(nsdyn_system_add_law(s->sys, &law, &number), NSDYN_OK);
  law.friction = NSDYN_FRICTION_NONE;
  ck_assert_int_eq(nsdyn_system_add_law(s->sys, &law, &number), NSDYN_OK);
  nsd_fault_clear(&s->fault);
  nsd_sink_init(&s->sink, s->sys, NULL, &s->fault);
}

static void finish(setup *s)
{
  nsd_sink_release(&s->sink);
  nsdyn_system_free(s->sys);
}

static nsdyn_found_contact *report(setup *s, int64_t key, double gap)
{
  nsdyn_found_contact *c = &s->r.contact[s->r.count++];
  ck_assert_int_eq(nsdyn_found_contact_init(c, sizeof *c), NSDYN_OK);
  c->key = key;
  c->gap = gap;
  c->blocks = 1;
  c->block = &block;
  return c;
}

static nsdyn_status look(setup *s, double margin)
{
  return nsd_sink_find(&s->sink, 0.0, values, values, margin);
}

/* Three velocities, two rows. */
static void expect_rows(const nsdyn_contact_sink *sink, int32_t i, const double *W)
{
  double own[6];
  nsd_sink_expand(sink, i, 2, own);
  ck_assert_mem_eq(own, W, sizeof own);
}

START_TEST(blocks_become_rows)
{
  setup s;
  begin(&s);
  const double one[2] = {10.0, 20.0};
  const nsdyn_contact_block two[2] = {block, {.offset = 2, .count = 1, .values = one}};
  nsdyn_found_contact *c = report(&s, 5, -1.0);
  c->blocks = 2;
  c->block = two;
  c->w_hat[1] = 7.0;
  c->w_bar[0] = 8.0;
  c->w_bar[1] = 9.0;
  report(&s, 6, 0.0)->law = 1;
  report(&s, 7, 0.0)->blocks = 0;
  ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
  ck_assert_int_eq(s.sink.count, 3);
  const double first[6] = {0.0, 1.0, 2.0 + 10.0, 0.0, 3.0, 4.0 + 20.0}; /* what overlaps adds up */
  const double second[6] = {0.0, 1.0, 2.0, 0.0, 0.0, 0.0};
  const double third[6] = {0.0};
  expect_rows(&s.sink, 0, first);
  expect_rows(&s.sink, 1, second);
  expect_rows(&s.sink, 2, third);
  ck_assert(s.sink.found[0].w_hat[1] == 7.0 && s.sink.found[0].w_bar[0] == 8.0 &&
            s.sink.found[0].w_bar[1] == 9.0 && isnan(s.sink.found[1].w_bar[0]) && s.sink.found[1].law == 1);
  finish(&s);
}
END_TEST

START_TEST(gaps_above_the_margin_are_ignored)
{
  setup s;
  begin(&s);
  report(&s, 1, 0.2);
  report(&s, 1, 0.1);
  report(&s, 1, INFINITY);
  ck_assert_int_eq(look(&s, 0.1), NSDYN_OK);
  ck_assert_int_eq(s.sink.count, 1);
  ck_assert(s.sink.found[0].gap == 0.1 && s.r.answer[0] == 0 && s.r.answer[2] == 0);
  ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
  ck_assert_int_eq(s.sink.count, 0);
  finish(&s);
}
END_TEST

/* Refused with these words, whether the callback listens or not. */
static void expect_refused(setup *s, nsdyn_status status, const char *words)
{
  for (s->r.goes_on = 0; s->r.goes_on < 2; s->r.goes_on++) {
    ck_assert_int_eq(look(s, 0.0), status);
    ck_assert_msg(strstr(s->fault.message, words) != NULL, "%s", s->fault.message);
  }
  s->r.goes_on = 0;
}

START_TEST(bad_records_are_refused_with_their_key)
{
  setup s;
  begin(&s);
  nsdyn_found_contact *c = report(&s, 42, -1.0);
  const nsdyn_found_contact good = *c;
  c->law = 2;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "contact with key 42: there is no law 2");
  ck_assert(s.fault.detail.key == 42 && s.fault.detail.kind == NSDYN_DETAIL_CONTACT);
  *c = good;
  c->law = -1;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "there is no law -1");
  *c = good;
  c->gap = NAN;
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "its gap is nan");
  c->gap = -INFINITY;
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "its gap is -inf");
  *c = good;
  c->blocks = -1;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "blocks are missing");
  *c = good;
  c->block = NULL;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "blocks are missing");
  *c = good;
  c->w_hat[1] = INFINITY;
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "w_hat is inf");
  *c = good;
  c->w_bar[0] = INFINITY;
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "w_bar is inf");
  c->w_bar[0] = 1.0; /* and a tangential one that is none: known in part */
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "w_bar is nan");
  nsdyn_contact_block wrong = block;
  *c = good;
  c->block = &wrong;
  wrong.offset = 2;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "outside the velocities");
  wrong.offset = INT32_MAX;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "outside the velocities");
  wrong = block;
  wrong.values = NULL;
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "no values");
  const double bad[4] = {1.0, 2.0, 3.0, NAN};
  wrong.values = bad;
  expect_refused(&s, NSDYN_ERR_NOT_FINITE, "a value of a block is nan");
  c->law = 1; /* without friction the second row is not read */
  ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
  *c = good;
  c->size = 1;
  expect_refused(&s, NSDYN_ERR_STRUCT_SIZE, "nsdyn_found_contact");
  *c = good;
  report(&s, 42, -2.0);
  expect_refused(&s, NSDYN_ERR_ARGUMENT, "given twice");
  ck_assert_int_eq(s.sink.count, 1);
  s.r.contact[1].key = 43;
  ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
  ck_assert_int_eq(s.sink.count, 2);
  finish(&s);
}
END_TEST

START_TEST(a_sink_is_open_within_the_callback_only)
{
  setup s;
  begin(&s);
  report(&s, 1, 0.0);
  ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_sink_add(s.r.kept, &s.r.contact[0]), -1);
  ck_assert_int_eq(nsdyn_contact_sink_add(NULL, &s.r.contact[0]), -1);
  s.r.code = -9;
  ck_assert_int_eq(look(&s, 0.0), NSDYN_ERR_CALLBACK);
  ck_assert_str_eq(s.fault.message, "callback find: it returned -9");
  finish(&s);
}
END_TEST

/* Of a system that names M's blocks, rows consist of whole blocks of which something is said, in their order,
 * however records cut them; the dense rows are the sums of what the records say. */
START_TEST(rows_are_kept_by_the_blocks_of_m)
{
  enum { NU = 23, MOST_BLOCKS = 5 };
  static const int32_t sizes[] = {6, 1, 3, 6, 2, 5};
  for (int seed = 0; seed < random_cases(2000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    setup s;
    begin(&s);
    nsdyn_system *sys;
    nsdyn_system_def def;
    nsdyn_contact_law law;
    int32_t number;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = NU;
    def.mass = unit_mass_3;
    def.find = find;
    def.user = &s.r;
    def.nblocks = seed % 4 ? 6 : 0;
    def.block = seed % 4 ? sizes : NULL;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    ck_assert_int_eq(nsdyn_system_add_law(sys, &law, &number), NSDYN_OK);
    nsdyn_contact_sink sink;
    nsd_sink_init(&sink, sys, NULL, &s.fault);
    double W[3][NU] = {{0.0}}, number_of[MOST_BLOCKS][3 * NU], own[3][NU];
    nsdyn_contact_block blocks[MOST_BLOCKS];
    const int count = random_below(&random, MOST_BLOCKS + 1);
    for (int b = 0; b < count; b++) {
      const int offset = random_below(&random, NU), n = random_below(&random, NU - offset + 1);
      const int is_zero = random_below(&random, 3) == 0;
      blocks[b] = (nsdyn_contact_block){.offset = offset, .count = n, .values = number_of[b]};
      for (int e = 0; e < 3 * n; e++) {
        number_of[b][e] = is_zero || random_below(&random, 4) == 0 ? 0.0 : random_normal(&random);
        W[e / n][offset + e % n] += number_of[b][e];
      }
    }
    nsdyn_found_contact *c = report(&s, 3, -1.0);
    report(&s, 4, -1.0);
    c->blocks = count;
    c->block = blocks;
    s.r.contact[1].blocks = 0;
    ck_assert_int_eq(nsd_sink_find(&sink, 0.0, values, values, 0.0), NSDYN_OK);
    nsd_sink_expand(&sink, 0, 3, own[0]);
    REQUIRE(memcmp(own, W, sizeof W) == 0, "seed %d", seed);
    const nsd_row row = nsd_sink_row(&sink, 0, 0);
    for (int p = 0, own_block = 0; p < row.parts && def.nblocks; p++, own_block++) {
      for (; own_block < 6 && sys->block_first[own_block] != row.part[p].first; own_block++) {
      }
      REQUIRE(own_block < 6 && row.part[p].n == sizes[own_block], "seed %d: part %d is no block", seed, p);
    }
    for (int p = 1; p < row.parts; p++) {
      REQUIRE(row.part[p].first >= row.part[p - 1].first + row.part[p - 1].n, "seed %d", seed);
    }
    ck_assert(sink.found[1].parts == 0);
    nsd_sink_release(&sink);
    nsdyn_system_free(sys);
    finish(&s);
  }
}
END_TEST

START_TEST(many_contacts_keep_their_order)
{
  setup s;
  begin(&s);
  for (int i = 0; i < 40; i++) {
    report(&s, 1000 - i, -0.5 * i);
  }
  for (int round = 0; round < 3; round++) {
    ck_assert_int_eq(look(&s, 0.0), NSDYN_OK);
    ck_assert_int_eq(s.sink.count, 40);
    for (int i = 0; i < 40; i++) {
      ck_assert(s.sink.found[i].key == 1000 - i && s.sink.found[i].gap == -0.5 * i);
      double rows[6];
      nsd_sink_expand(&s.sink, i, 2, rows);
      ck_assert(rows[4] == 3.0);
    }
  }
  finish(&s);
}
END_TEST

/* Of an infinite gap nothing is asked, not even a law; the margin may be infinite as well. */
START_TEST(infinitely_far_contacts_are_none)
{
  setup s;
  begin(&s);
  nsdyn_found_contact *c = report(&s, 4, INFINITY);
  c->law = 77;
  c->w_hat[0] = NAN;
  report(&s, 5, 1e70);
  ck_assert_int_eq(look(&s, INFINITY), NSDYN_OK);
  ck_assert_int_eq(s.sink.count, 1);
  ck_assert_int_eq(s.sink.found[0].key, 5);
  report(&s, 6, 1e300); /* finite, but its square is not */
  ck_assert_int_eq(look(&s, INFINITY), NSDYN_ERR_NOT_FINITE);
  finish(&s);
}
END_TEST

SUITE("system/found_contacts", TEST(infinitely_far_contacts_are_none), TEST(blocks_become_rows),
      TEST(rows_are_kept_by_the_blocks_of_m), TEST(gaps_above_the_margin_are_ignored),
      TEST(bad_records_are_refused_with_their_key), TEST(a_sink_is_open_within_the_callback_only),
      TEST(many_contacts_keep_their_order))
