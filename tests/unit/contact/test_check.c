/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/check.h"

#include "touching.h"

static nsd_fault fault;

static nsdyn_status check(const touching *t)
{
  nsdyn_contact_problem own;
  nsd_fault_clear(&fault);
  return nsd_contact_check(&own, &t->problem, NULL, &fault, NULL);
}

/* A refusal, what it is about, and words of its message. */
static void refused(const touching *t, nsdyn_status status, int32_t kind, int index, const char *words)
{
  ck_assert_int_eq(check(t), status);
  ck_assert_int_eq(fault.detail.kind, kind);
  ck_assert_int_eq(fault.detail.index, index);
  ck_assert_msg(strstr(fault.message, words) != NULL, "%s", fault.message);
}

static touching *a_problem(void)
{
  touching *t = touching_new();
  random_state r = random_seed(1);
  for (int i = 0; i < 3; i++) {
    t->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.3};
  }
  t->spec[1].friction = NSD_FRICTION_NONE;
  t->spec[1].mu = 0.0;
  lay_out(t, 3, 2); /* rows: 0 1 | 2 | 3 4 | 5 | 6 */
  double weight[16];
  for (int i = 0; i < 16; i++) {
    weight[i] = 1.0;
  }
  for (int i = 0; i < 7 * 9; i++) {
    t->W[i] = random_normal(&r);
  }
  assemble_G(t, 9, weight);
  return t;
}

START_TEST(rows_are_counted)
{
  touching *t = a_problem();
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), 7);
  ck_assert_int_eq(nsdyn_contact_rows(NULL), -1);
  t->problem.contacts = 0;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), 2);
  t->problem.contacts = -1;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  t->problem.contacts = 1;
  t->problem.bilateral = INT32_MAX;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  t->problem.bilateral = -2;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  t->problem.bilateral = 0;
  t->laws[0].size = 1;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  t->problem.laws = NULL;
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  free(t);
}
END_TEST

START_TEST(what_comes_in_comes_out_as_data)
{
  touching *t = touching_new();
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, k % 9, WITH_EVERY_LAW | WITH_SLIDING);
    nsdyn_contact_problem own;
    ck_assert_msg(nsd_contact_check(&own, &t->problem, NULL, &fault, NULL) == NSDYN_OK, "seed %d: %s", k,
                  fault.message);
    const nsd_contact_data d = nsd_contact_data_of(&own);
    ck_assert(d.contacts == t->d.contacts && d.bilateral == t->d.bilateral && d.rows == t->d.rows);
    nsd_contact_spec spec[MOST_CONTACTS];
    nsd_contact_fill_spec(&own, spec, NULL);
    for (int i = 0; i < d.contacts; i++) {
      const nsd_contact_spec *a = &spec[i];
      const nsd_contact_spec *b = &t->spec[i];
      const int same = a->mu == b->mu && a->bound == b->bound && a->row == b->row && a->kind == b->kind &&
                       a->friction == b->friction && a->sliding == b->sliding;
      ck_assert_msg(same, "seed %d, contact %d", k, i);
    }
  }
  free(t);
}
END_TEST

static int any_curve(void *user, double speed, double *mu)
{
  (void)user;
  *mu = 1.0 + speed;
  return 0;
}

START_TEST(the_coefficient_in_force_is_the_callers)
{
  touching *t = a_problem();
  const double mu[3] = {0.7, 0.0, 0.9};
  t->problem.mu = mu;
  t->laws[2].friction = NSDYN_FRICTION_STATIC;
  t->laws[2].mu_static = 0.5;
  nsdyn_contact_problem own;
  ck_assert_int_eq(nsd_contact_check(&own, &t->problem, NULL, &fault, NULL), NSDYN_OK);
  ck_assert(nsd_contact_spec_of(&own, 0, 0, NULL).mu == 0.7);
  ck_assert(nsd_contact_spec_of(&own, 2, 3, NULL).mu == 0.9);
  t->problem.mu = NULL;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "which coefficient is in force");
  t->laws[2].friction = NSDYN_FRICTION_BOUND;
  t->laws[2].bound = 3.0;
  t->problem.dt = 0.5;
  ck_assert_int_eq(nsd_contact_check(&own, &t->problem, NULL, &fault, NULL), NSDYN_OK);
  ck_assert(nsd_contact_spec_of(&own, 2, 3, NULL).bound == 1.5);
  t->laws[2].curve = any_curve; /* a brake: which μ is in force only the caller knows */
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "set mu");
  t->problem.mu = (const double[3]){0.0, 0.0, 0.25};
  ck_assert_int_eq(nsd_contact_check(&own, &t->problem, NULL, NULL, NULL), NSDYN_OK);
  ck_assert(nsd_contact_spec_of(&own, 2, 3, NULL).bound == 0.375 &&
            nsd_contact_spec_of(&own, 2, 3, NULL).mu == 0.0);
  t->problem.mu = NULL;
  t->laws[2].curve = NULL;
  t->laws[2].bound = 1e200;
  t->problem.dt = 1e200;
  refused(t, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 2, "bound times dt");
  free(t);
}
END_TEST

START_TEST(refusals_name_contact_and_field)
{
  touching *t = a_problem();
  double mu[3] = {0.1, 0.1, -0.1};
  t->problem.mu = mu;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "contact 2: mu: -0.1");
  mu[2] = 0.1;
  mu[1] = NAN;
  refused(t, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 1, "contact 1: mu: nan");
  t->problem.mu = NULL;
  t->slip[0] = 0.5;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 0, "contact 0: slip: 0.5");
  t->slip[0] = NAN;
  refused(t, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 0, "contact 0: slip: nan");
  t->slip[0] = 0.0;
  t->laws[1].eps_n = 1.4;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 1, "contact 1: eps_n: 1.4 is not in [0, 1]");
  t->laws[1].eps_n = 0.0;
  t->laws[2].size -= 8;
  refused(t, NSDYN_ERR_STRUCT_SIZE, NSDYN_DETAIL_CONTACT, 2, "contact 2: its law's size");
  free(t);
}
END_TEST

START_TEST(every_element_that_is_no_number_is_found)
{
  touching *t = a_problem();
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int e = 0; e < 7 * 7 + 7; e++) {
    double *at = e < 49 ? &t->G[e] : &t->c[e - 49];
    const double was = *at;
    *at = bad[e % 3];
    const int row = e < 49 ? e / 7 : e - 49;
    static const int contact_of[7] = {0, 0, 1, 2, 2, 0, 1};
    refused(t, NSDYN_ERR_NOT_FINITE, row < 5 ? NSDYN_DETAIL_CONTACT : NSDYN_DETAIL_CONSTRAINT,
            contact_of[row], row < 5 ? "contact" : "bilateral constraint");
    *at = was;
  }
  ck_assert_int_eq(check(t), NSDYN_OK);
  t->problem.dt = NAN;
  refused(t, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_FIELD, (int)offsetof(nsdyn_contact_problem, dt), "dt: nan");
  t->problem.dt = -1.0;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int)offsetof(nsdyn_contact_problem, dt), "dt: -1");
  free(t);
}
END_TEST

START_TEST(a_matrix_that_is_no_G_is_refused)
{
  touching *t = a_problem();
  const double was = *g_at(t, 4, 1);
  *g_at(t, 4, 1) += 1e-6;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "contact 2, tangential row 4: G is not symmetric");
  *g_at(t, 4, 1) = was * (1.0 + 1e-15);
  ck_assert_int_eq(check(t), NSDYN_OK);
  *g_at(t, 4, 1) = was;
  *g_at(t, 2, 2) = -1.0;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 1,
          "contact 1, normal row 2: G has a negative diagonal");
  free(t);
}
END_TEST

START_TEST(arguments_that_are_missing_are_refused)
{
  nsdyn_contact_problem own;
  ck_assert_int_eq(nsd_contact_check(&own, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_problem_init(&own, 4), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_problem_init(NULL, sizeof own), NSDYN_ERR_ARGUMENT);
  touching *t = a_problem();
#define MISSING(field, value, words)                                                                         \
  do {                                                                                                       \
    const nsdyn_contact_problem was = t->problem;                                                            \
    t->problem.field = (value);                                                                              \
    refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int)offsetof(nsdyn_contact_problem, field), words);  \
    t->problem = was;                                                                                        \
  } while (0)
  MISSING(G, NULL, "G is NULL");
  MISSING(c, NULL, "c is NULL");
  MISSING(laws, NULL, "laws is NULL");
  MISSING(ldg, 6, "ldg is 6");
  MISSING(contacts, -1, "contacts is negative");
  MISSING(bilateral, -1, "bilateral is negative");
#undef MISSING
  t->problem.bilateral = INT32_MAX;
  ck_assert_int_eq(check(t), NSDYN_ERR_TOO_LARGE);
  t->problem.size = 1;
  ck_assert_int_eq(check(t), NSDYN_ERR_STRUCT_SIZE);
  nsdyn_contact_problem nothing;
  nsdyn_contact_problem_init(&nothing, sizeof nothing);
  ck_assert_int_eq(nsd_contact_check(&own, &nothing, NULL, NULL, NULL), NSDYN_OK);
  free(t);
}
END_TEST

/* Contacts that share laws are those that have one each. */
START_TEST(laws_may_be_shared_by_number)
{
  touching *t = a_problem();
  const nsdyn_contact_law own[3] = {t->laws[0], t->laws[1], t->laws[2]};
  nsdyn_contact_law shared[2] = {own[1], own[0]};
  int32_t law[3] = {1, 0, 1};
  nsd_contact_spec spec[3];
  t->problem.laws = shared;
  t->problem.law = law;
  t->problem.nlaws = 2;
  ck_assert_int_eq(check(t), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), 7);
  nsd_contact_fill_spec(&t->problem, spec, NULL);
  for (int i = 0; i < 3; i++) {
    ck_assert(spec[i].row == t->spec[i].row && spec[i].mu == t->spec[i].mu &&
              spec[i].friction == t->spec[i].friction);
  }
  shared[1].mu = -1.0;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 0, "contact 0: mu: -1");
  shared[1].mu = 0.3;
  law[2] = 2;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "contact 2: law: 2 is none of the 2 laws");
  ck_assert_int_eq(nsdyn_contact_rows(&t->problem), -1);
  law[2] = -1;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "contact 2: law: -1");
  free(t);
}
END_TEST

START_TEST(slip_counts_tangential_rows)
{
  touching *t = a_problem(); /* contact 1 has none */
  double slip[2] = {0.0, -1.0};
  nsd_contact_spec spec[3];
  t->problem.slip = slip;
  ck_assert_int_eq(check(t), NSDYN_OK);
  nsd_contact_fill_spec(&t->problem, spec, NULL);
  ck_assert(spec[0].sliding == 0 && spec[1].sliding == 0 && spec[2].sliding == -1);
  slip[1] = 2.0;
  refused(t, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, 2, "contact 2: slip: 2");
  free(t);
}
END_TEST

START_TEST(impulses_to_begin_with_are_numbers)
{
  touching *t = a_problem();
  double start[7] = {0.0};
  t->problem.start = start;
  ck_assert_int_eq(check(t), NSDYN_OK);
  start[4] = NAN;
  refused(t, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_CONTACT, 2, "start is nan");
  free(t);
}
END_TEST

SUITE("contact/check", TEST(laws_may_be_shared_by_number), TEST(slip_counts_tangential_rows),
      TEST(impulses_to_begin_with_are_numbers), TEST(rows_are_counted), TEST(what_comes_in_comes_out_as_data),
      TEST(the_coefficient_in_force_is_the_callers), TEST(refusals_name_contact_and_field),
      TEST(every_element_that_is_no_number_is_found), TEST(a_matrix_that_is_no_G_is_refused),
      TEST(arguments_that_are_missing_are_refused))
