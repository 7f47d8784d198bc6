/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/law.h"

#include <math.h>
#include <string.h>

#include "suite.h"

static int flat(void *user, double speed, double *mu)
{
  (void)user;
  (void)speed;
  *mu = 0.2;
  return 0;
}

static nsdyn_contact_law a_law(void)
{
  nsdyn_contact_law law;
  ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
  return law;
}

static nsd_fault a_fault(void)
{
  nsd_fault fault;
  nsd_fault_clear(&fault);
  return fault;
}

START_TEST(defaults_are_a_closed_door_without_friction)
{
  const nsdyn_contact_law law = a_law();
  ck_assert_uint_eq(law.size, sizeof law);
  ck_assert_int_eq(law.kind, NSDYN_CONTACT_UNILATERAL);
  ck_assert_int_eq(law.friction, NSDYN_FRICTION_COULOMB);
  ck_assert(law.mu == 0.0 && law.mu_static == 0.0 && law.bound == 0.0 && law.eps_n == 0.0 &&
            law.eps_t == 0.0 && law.reversal == 0.0);
  ck_assert(law.curve == NULL);
  ck_assert_int_eq(nsdyn_contact_law_init(NULL, sizeof law), NSDYN_ERR_ARGUMENT);
  nsdyn_contact_law other = law;
  ck_assert_int_eq(nsdyn_contact_law_init(&other, 8), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

START_TEST(good_laws_come_through_unchanged)
{
  nsdyn_contact_law law = a_law();
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu = 0.25;
  law.mu_static = 0.25;
  law.eps_n = 1.0;
  law.eps_t = 0.5;
  nsdyn_contact_law own;
  nsd_fault fault = a_fault();
  ck_assert_int_eq(nsd_contact_law_read(&own, &law, 3, &fault), NSDYN_OK);
  ck_assert_int_eq(memcmp(&own, &law, sizeof law), 0);
  law.friction = NSDYN_FRICTION_CURVE;
  law.mu_static = 0.0;
  law.curve = flat;
  ck_assert_int_eq(nsd_contact_law_read(&own, &law, 3, &fault), NSDYN_OK);
  ck_assert(own.curve == flat);
}
END_TEST

/* Puts `value` into the field at `offset`, and demands a refusal that names contact 7 and the field. */
static void refused(size_t offset, double value, const char *field, nsdyn_status status)
{
  nsdyn_contact_law law = a_law();
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu = 0.1;
  law.mu_static = 0.2;
  memcpy((char *)&law + offset, &value, sizeof value);
  nsdyn_contact_law own;
  nsd_fault fault = a_fault();
  ck_assert_int_eq(nsd_contact_law_read(&own, &law, 7, &fault), status);
  ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_CONTACT);
  ck_assert_int_eq(fault.detail.index, 7);
  ck_assert_msg(strncmp(fault.message, "contact 7: ", 11) == 0, "%s", fault.message);
  ck_assert_msg(strncmp(fault.message + 11, field, strlen(field)) == 0, "%s", fault.message);
}

START_TEST(refusals_name_contact_and_field)
{
#define FIELD(name) offsetof(nsdyn_contact_law, name)
  static const struct {
    size_t offset;
    const char *name;
    double bad;
  } fields[] = {{FIELD(mu), "mu: ", -1.0},
                {FIELD(mu_static), "mu_static: ", 0.05},
                {FIELD(mu_static), "mu_static: ", -1.0},
                {FIELD(bound), "bound: ", -1e-300},
                {FIELD(eps_n), "eps_n: ", 1.4},
                {FIELD(eps_t), "eps_t: ", -0.1},
                {FIELD(reversal), "reversal: ", 1.5},
                {FIELD(reversal), "reversal: ", -0.5}};
#undef FIELD
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    refused(fields[i].offset, fields[i].bad, fields[i].name, NSDYN_ERR_ARGUMENT);
    refused(fields[i].offset, NAN, fields[i].name, NSDYN_ERR_NOT_FINITE);
    refused(fields[i].offset, INFINITY, fields[i].name, NSDYN_ERR_NOT_FINITE);
  }
}
END_TEST

START_TEST(kinds_that_are_none_are_refused)
{
  nsdyn_contact_law own;
  nsd_fault fault = a_fault();
  for (int32_t k = -1; k <= 5; k++) {
    nsdyn_contact_law law = a_law();
    law.kind = k;
    ck_assert_int_eq(nsd_contact_law_read(&own, &law, 0, &fault),
                     k == 0 || k == 1 ? NSDYN_OK : NSDYN_ERR_ARGUMENT);
    law = a_law();
    law.friction = k;
    law.curve = flat;
    ck_assert_int_eq(nsd_contact_law_read(&own, &law, 0, &fault),
                     k >= 0 && k <= 4 ? NSDYN_OK : NSDYN_ERR_ARGUMENT);
    ck_assert(k >= 0 || strstr(fault.message, "friction: -1 is not one of nsdyn_friction_kind"));
  }
  nsdyn_contact_law law = a_law();
  law.friction = NSDYN_FRICTION_CURVE;
  ck_assert_int_eq(nsd_contact_law_read(&own, &law, 2, &fault), NSDYN_ERR_ARGUMENT);
  ck_assert_ptr_nonnull(strstr(fault.message, "contact 2: curve is NULL"));
}
END_TEST

/* A law of a later release, longer than ours. */
START_TEST(unknown_fields_count_where_they_are_set)
{
  struct {
    nsdyn_contact_law law;
    double later;
  } longer = {.law = a_law(), .later = 0.0};
  longer.law.size = sizeof longer;
  nsdyn_contact_law own;
  nsd_fault fault = a_fault();
  ck_assert_int_eq(nsd_contact_law_read(&own, &longer.law, 1, &fault), NSDYN_OK);
  longer.later = 1.0;
  ck_assert_int_eq(nsd_contact_law_read(&own, &longer.law, 1, &fault), NSDYN_ERR_STRUCT_TOO_NEW);
  ck_assert_int_eq(fault.detail.kind, NSDYN_DETAIL_CONTACT);
  ck_assert_int_eq(fault.detail.index, 1);
  longer.law.size = 3;
  ck_assert_int_eq(nsd_contact_law_read(&own, &longer.law, 1, NULL), NSDYN_ERR_STRUCT_SIZE);
}
END_TEST

/* Fields for space: in the plane nothing is computed as if they were not there. */
START_TEST(fields_for_space_are_checked)
{
  nsdyn_contact_law law = a_law();
  ck_assert(law.tangents == 1 && law.shape == NSDYN_FRICTION_ELLIPSE && law.sides == 8 && law.aspect == 1.0 &&
            law.angle == 0.0);
#define REFUSED(field, value, status, words)                                                                 \
  do {                                                                                                       \
    nsdyn_contact_law given = a_law(), own;                                                                  \
    nsd_fault fault = a_fault();                                                                             \
    given.field = (value);                                                                                   \
    ck_assert_int_eq(nsd_contact_law_read(&own, &given, 3, &fault), status);                                 \
    ck_assert_msg(strstr(fault.message, "contact 3: " words) != NULL, "%s", fault.message);                  \
  } while (0)
  REFUSED(shape, NSDYN_FRICTION_POLYGON, NSDYN_ERR_ARGUMENT, "shape");
  REFUSED(aspect, 0.5, NSDYN_ERR_ARGUMENT, "aspect");
  REFUSED(angle, 0.1, NSDYN_ERR_ARGUMENT, "angle");
  REFUSED(tangents, 0, NSDYN_ERR_ARGUMENT, "tangents: 0");
  REFUSED(tangents, 3, NSDYN_ERR_ARGUMENT, "tangents: 3");
  REFUSED(shape, 2, NSDYN_ERR_ARGUMENT, "shape: 2");
  REFUSED(shape, -1, NSDYN_ERR_ARGUMENT, "shape: -1");
  REFUSED(sides, 2, NSDYN_ERR_ARGUMENT, "sides: 2");
  REFUSED(sides, 5, NSDYN_ERR_ARGUMENT, "sides: 5");
  REFUSED(reserved, 1, NSDYN_ERR_ARGUMENT, "reserved: 1");
  REFUSED(aspect, 0.0, NSDYN_ERR_ARGUMENT, "aspect: 0");
  REFUSED(aspect, INFINITY, NSDYN_ERR_NOT_FINITE, "aspect: inf");
  REFUSED(angle, NAN, NSDYN_ERR_NOT_FINITE, "angle: nan");
#undef REFUSED
  /* In space all of them at once. */
  nsdyn_contact_law own;
  law.tangents = 2;
  law.shape = NSDYN_FRICTION_POLYGON;
  law.aspect = 0.5;
  law.angle = 0.1;
  ck_assert_int_eq(nsd_contact_law_read(&own, &law, 3, NULL), NSDYN_OK);
  ck_assert_int_eq(nsd_contact_law_rows(&own), 3);
  own.friction = NSDYN_FRICTION_NONE;
  ck_assert_int_eq(nsd_contact_law_rows(&own), 1);
}
END_TEST

/* One row without friction, else two. A brake's bound is μ N Δt, that of a given force a Δt, and neither
 * knows μ beside it; all others are bounded by μ in force, whichever of their coefficients that is. */
START_TEST(a_law_and_its_coefficient_make_a_contact)
{
  static const struct {
    int32_t law, spec, rows;
    int is_curved;
    double mu, bound;
  } expected[] = {{NSDYN_FRICTION_NONE, NSD_FRICTION_NONE, 1, 0, 0.0, 0.0},
                  {NSDYN_FRICTION_COULOMB, NSD_FRICTION_LOAD, 2, 0, 0.25, 0.0},
                  {NSDYN_FRICTION_STATIC, NSD_FRICTION_LOAD, 2, 0, 0.25, 0.0},
                  {NSDYN_FRICTION_CURVE, NSD_FRICTION_LOAD, 2, 1, 0.25, 0.0},
                  {NSDYN_FRICTION_BOUND, NSD_FRICTION_GIVEN, 2, 0, 0.0, 8.0 * 0.5},
                  {NSDYN_FRICTION_BOUND, NSD_FRICTION_GIVEN, 2, 1, 0.0, 8.0 * 0.25 * 0.5}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    nsdyn_contact_law law = a_law();
    law.kind = k % 2 ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
    law.friction = expected[k].law;
    law.mu = 0.125;
    law.mu_static = 0.75;
    law.bound = 8.0;
    law.curve = expected[k].is_curved ? flat : NULL;
    ck_assert_int_eq(nsd_contact_law_rows(&law), expected[k].rows);
    ck_assert_int_eq(nsd_contact_law_is_curved(&law), expected[k].is_curved);
    nsd_contact_spec spec = {.mu = 9.0, .bound = 9.0, .sliding = -1};
    nsd_contact_law_fill(&law, 7, 0.25, 0.5, &spec);
    ck_assert(spec.row == 7 && spec.kind == law.kind && spec.sliding == -1);
    ck_assert(spec.friction == expected[k].spec && spec.mu == expected[k].mu &&
              spec.bound == expected[k].bound);
  }
}
END_TEST

SUITE("contact/law", TEST(fields_for_space_are_checked), TEST(a_law_and_its_coefficient_make_a_contact),
      TEST(defaults_are_a_closed_door_without_friction), TEST(good_laws_come_through_unchanged),
      TEST(refusals_name_contact_and_field), TEST(kinds_that_are_none_are_refused),
      TEST(unknown_fields_count_where_they_are_set))
