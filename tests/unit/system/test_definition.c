/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/object.h"

#include <string.h>

#include "stepping.h"

/* Refused with a message that contains `words`, and the field as its detail. */
static void expect_refused(const nsdyn_system_def *def, size_t field, const char *words)
{
  nsdyn_error error = {.size = sizeof error};
  nsdyn_system *sys;
  ck_assert_int_eq(nsdyn_system_new(NULL, def, &sys, &error), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_null(sys);
  ck_assert_msg(strstr(error.message, words) != NULL, "%s", error.message);
  ck_assert_int_eq(error.status, NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(error.kind, NSDYN_DETAIL_FIELD);
  ck_assert_uint_eq((size_t)error.index, field);
}

#define FIELD(name) offsetof(nsdyn_system_def, name)

START_TEST(defaults_are_nothing_of_anything)
{
  nsdyn_system_def def;
  memset(&def, 0x55, sizeof def);
  ck_assert_int_eq(nsdyn_system_def_init(&def, sizeof def), NSDYN_OK);
  ck_assert_uint_eq(def.size, sizeof def);
  ck_assert(def.nq == 0 && def.nu == 0 && def.ncontacts == 0 && def.nconstraints == 0 && def.flags == 0);
  ck_assert(!def.user && !def.destroy_user && !def.mass && !def.retract);
  ck_assert_int_eq(nsdyn_system_def_init(&def, 8), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_system_def_init(NULL, sizeof def), NSDYN_ERR_ARGUMENT);
}
END_TEST

START_TEST(counts_are_checked)
{
  model m;
  make_block(&m, 0.0, 0.0, 0.0);
  nsdyn_system_def def = model_def(&m, 0, 0);
  def.nq = -1;
  expect_refused(&def, FIELD(nq), "nq is -1");
  def = model_def(&m, 0, 0);
  def.nu = -2;
  expect_refused(&def, FIELD(nu), "nu is -2");
  def = model_def(&m, 0, 0);
  def.ncontacts = -3;
  expect_refused(&def, FIELD(ncontacts), "ncontacts is -3");
  def = model_def(&m, 0, 0);
  def.nconstraints = -4;
  expect_refused(&def, FIELD(nconstraints), "nconstraints is -4");
  def = model_def(&m, 1024, 0);
  expect_refused(&def, FIELD(flags), "1024");
  def = model_def(&m, NSDYN_CONSTANT_SLOPES, 0);
  expect_refused(&def, FIELD(flags), "force_jacobian is NULL");
}
END_TEST

START_TEST(what_is_missing_is_named)
{
  model m;
  make_block(&m, 0.0, 0.0, 0.0);
  nsdyn_system_def def = model_def(&m, 0, 0);
  def.mass = NULL;
  expect_refused(&def, FIELD(mass), "neither mass nor solve_mass");
  def = model_def(&m, 0, 0);
  def.gap = NULL;
  expect_refused(&def, FIELD(gap), "no callback gap");
  def = model_def(&m, 0, 0);
  def.direction = NULL;
  expect_refused(&def, FIELD(direction), "no callback direction");
  def = model_def(&m, 0, 0);
  def.nconstraints = 1;
  expect_refused(&def, FIELD(constraint), "no callback constraint");
  def = model_def(&m, 0, 0);
  def.nq = 3;
  expect_refused(&def, FIELD(kinematics), "neither kinematics nor retract");
}
END_TEST

/* Sums that are counted in an int: t, q and u; two rows of W; rows of all contacts and constraints. */
START_TEST(sizes_that_cannot_be_counted_are_refused)
{
  static const struct {
    int32_t nq, nu, ncontacts, nconstraints;
    const char *said;
  } cases[] = {{INT32_MAX, 1, 0, 0, "nq is 2147483647 and nu 1"},
               {0x40000000, 0x3fffffff, 0, 0, "nq is 1073741824 and nu 1073741823"},
               {1, 0x40000000, 0, 0, "nu is 1073741824"},
               {1, 1, 0x40000000, 0, "ncontacts is 1073741824"},
               {1, 1, 0x3fffffff, 2, "nconstraints 2"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    model m;
    nsdyn_system *sys;
    make_block(&m, 0.0, 0.0, 0.0);
    m.constraints = 1;
    nsdyn_system_def def = model_def(&m, 0, MODEL_MOVES);
    nsdyn_error error = {.size = sizeof error};
    def.nq = cases[k].nq;
    def.nu = cases[k].nu;
    def.ncontacts = cases[k].ncontacts;
    def.nconstraints = cases[k].nconstraints;
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, &error), NSDYN_ERR_TOO_LARGE);
    ck_assert_ptr_null(sys);
    ck_assert_msg(strstr(error.message, cases[k].said) != NULL, "%s", error.message);
  }
}
END_TEST

START_TEST(tables_of_other_releases)
{
  nsdyn_system *sys;
  struct {
    nsdyn_system_def known;
    void *later;
  } newer;
  memset(&newer, 0, sizeof newer);
  nsdyn_system_def_init(&newer.known, sizeof newer);
  ck_assert_int_eq(nsdyn_system_new(NULL, &newer.known, &sys, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  newer.later = &newer;
  ck_assert_int_eq(nsdyn_system_new(NULL, &newer.known, &sys, NULL), NSDYN_ERR_STRUCT_TOO_NEW);
  newer.known.size = 24;
  ck_assert_int_eq(nsdyn_system_new(NULL, &newer.known, &sys, NULL), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

/* NOLINTBEGIN(readability-non-const-parameter): it has the signature of the table */
static int some_delassus(void *user, double t, const double *q, int32_t contacts, const int64_t *key,
                         double *G, int64_t ldg)
{
  (void)user, (void)t, (void)q, (void)contacts, (void)key, (void)G, (void)ldg;
  return 0;
}
/* NOLINTEND(readability-non-const-parameter) */

/* NOLINTNEXTLINE(readability-non-const-parameter): it has the signature of the table */
START_TEST(what_is_not_solved_yet_is_refused_by_its_field)
{
  model m;
  make_block(&m, 0.0, 0.0, 0.0);
#define REFUSED(field, value, status)                                                                        \
  do {                                                                                                       \
    nsdyn_system_def def = model_def(&m, 0, 0);                                                              \
    nsdyn_system *sys;                                                                                       \
    nsdyn_error error = {.size = sizeof error};                                                              \
    def.field = (value);                                                                                     \
    ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, &error), status);                                    \
    ck_assert_int_eq(error.kind, NSDYN_DETAIL_FIELD);                                                        \
    ck_assert_uint_eq((size_t)error.index, FIELD(field));                                                    \
    ck_assert_msg(strstr(error.message, #field) != NULL, "%s", error.message);                               \
  } while (0)
  REFUSED(nblocks, -1, NSDYN_ERR_ARGUMENT);
  REFUSED(delassus, some_delassus, NSDYN_ERR_UNSUPPORTED);
  REFUSED(reserved, 1, NSDYN_ERR_ARGUMENT);
#undef REFUSED
}
END_TEST

/* The sizes of M's blocks share nu among them, and are the system's own from then on. */
START_TEST(blocks_are_checked_and_copied)
{
  model m;
  int32_t sizes[3] = {1, 1, 0};
  make_block(&m, 0.0, 0.0, 0.0);
  nsdyn_system_def def = model_def(&m, 0, 0);
  def.nblocks = 2;
  def.block = NULL;
  expect_refused(&def, FIELD(block), "nblocks is 2, but block is NULL");
  def.block = sizes;
  def.nblocks = 3;
  expect_refused(&def, FIELD(block), "block[2] is 0");
  def.nblocks = 1;
  expect_refused(&def, FIELD(block), "the sizes in block add up to 1, but nu is 2");
  sizes[1] = INT32_MAX;
  def.nblocks = 2;
  expect_refused(&def, FIELD(block), "add up to 2147483648, but nu is 2");
  sizes[1] = 1;
  nsdyn_system *sys;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  sizes[0] = 7;
  ck_assert(sys->def.nblocks == 2 && sys->def.block != sizes && sys->def.block[0] == 1);
  nsdyn_system_free(sys);
  sizes[0] = 2; /* one block is M itself */
  def.nblocks = 1;
  ck_assert_int_eq(nsdyn_system_new(NULL, &def, &sys, NULL), NSDYN_OK);
  ck_assert(sys->def.nblocks == 0 && sys->def.block == NULL);
  nsdyn_system_free(sys);
}
END_TEST

SUITE("system/definition", TEST(blocks_are_checked_and_copied),
      TEST(what_is_not_solved_yet_is_refused_by_its_field), TEST(defaults_are_nothing_of_anything),
      TEST(counts_are_checked), TEST(sizes_that_cannot_be_counted_are_refused),
      TEST(what_is_missing_is_named), TEST(tables_of_other_releases))
