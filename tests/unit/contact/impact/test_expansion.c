/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/expansion.h"

#include "impacts.h"
#include "nsdyn/lcp.h"

enum { MOST_UNKNOWNS = 5 * MOST_CONTACTS + MOST_BILATERAL };

/* A compressed mechanism and the LCP of its expansion. */
typedef struct fixture {
  mechanism m;
  double Lambda_C[MOST_ROWS], gamma_C[MOST_ROWS], Lambda_E[MOST_ROWS];
  nsd_expansion_law law[MOST_CONTACTS];
  nsd_contact_data data;
  nsd_expansion e;
  nsd_expansion_lcp lcp;
  double A[MOST_UNKNOWNS * MOST_UNKNOWNS], b[MOST_UNKNOWNS], lo[MOST_UNKNOWNS], hi[MOST_UNKNOWNS];
  double x[MOST_UNKNOWNS], Lambda_0[MOST_ROWS];
  nsd_expansion_unknown unknown[MOST_UNKNOWNS];
} fixture;

static void compress(fixture *f, random_state *r)
{
  random_impulses(&f->m, r, f->Lambda_C);
  memcpy(f->gamma_C, f->m.gamma, sizeof f->gamma_C);
  add_impulses(&f->m, f->Lambda_C, f->gamma_C);
  for (int i = 0; i < f->m.contacts; i++) {
    const nsd_contact_spec *s = &f->m.spec[i];
    const double T = s->friction == NSD_FRICTION_NONE ? 0.0 : f->Lambda_C[s->row + 1];
    f->law[i] = nsd_expansion_law_of(s, &f->m.restitution[i], f->Lambda_C[s->row], T);
  }
  f->data = mechanism_data(&f->m);
  f->data.c = f->gamma_C;
  f->e = (nsd_expansion){.data = &f->data, .law = f->law};
}

/* Λ_E by one form. */
static nsdyn_status expand(fixture *f, nsdyn_lcp *lcp, nsd_expansion_form form)
{
  f->lcp = (nsd_expansion_lcp){.n = nsd_expansion_unknowns(&f->e, form),
                               .A = f->A,
                               .b = f->b,
                               .lo = f->lo,
                               .hi = f->hi,
                               .x = f->x,
                               .unknown = f->unknown,
                               .Lambda_0 = f->Lambda_0};
  nsd_expansion_form_lcp(&f->e, form, &f->lcp);
  const nsdyn_status status =
      nsdyn_lcp_solve_mixed(lcp, f->lcp.n, f->A, f->lcp.n, f->b, f->lo, f->hi, f->x, NULL);
  if (status >= 0) {
    nsd_expansion_read(&f->e, &f->lcp, f->Lambda_E);
  }
  return status;
}

static nsd_expansion_verdict judge(const fixture *f)
{
  const nsd_contact_data before = mechanism_data(&f->m);
  return nsd_expansion_judge(&before, f->m.restitution, f->Lambda_C, f->Lambda_E);
}

static nsdyn_lcp *new_lcp(int32_t method)
{
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = method;
  nsdyn_lcp *lcp = NULL;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, &options, &lcp, NULL), NSDYN_OK);
  return lcp;
}

static void make_case(fixture *f, random_state *r, int k, int traits)
{
  make_mechanism(&f->m, r, 1 + k % MOST_CONTACTS, traits);
  compress(f, r);
}

/* Theory: Lemke's method cannot fail on the copositive form, redundant contacts or not. */
START_TEST(the_copositive_form_always_has_its_answer)
{
  nsdyn_lcp *lcp = new_lcp(NSDYN_LCP_LEMKE);
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_case(&f, &r, k, HAS_FRICTION | (k & 1 ? IS_REDUNDANT : 0) | (k & 2 ? HAS_GIVEN : 0));
    const nsdyn_status status = expand(&f, lcp, NSD_EXPANSION_COPOSITIVE);
    REQUIRE(status == NSDYN_OK, "seed %d: status %d, %s", k, status, nsdyn_lcp_message(lcp));
    const nsd_expansion_verdict v = judge(&f);
    REQUIRE(v.residual <= 1e-9 * v.scale, "seed %d: %g of %g in row %d", k, v.residual, v.scale, v.row);
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

/* Where the LCP has an answer it is one of the law: slots, bilateral rows, given bounds among the contacts.
 */
static void check_answers(nsd_expansion_form form, int traits, int cases, int *solved)
{
  nsdyn_lcp *lcp = new_lcp(NSDYN_LCP_AUTOMATIC);
  *solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_case(&f, &r, k, traits);
    if (expand(&f, lcp, form) != NSDYN_OK) {
      continue;
    }
    ++*solved;
    const nsd_expansion_verdict v = judge(&f);
    REQUIRE(v.residual <= 1e-8 * v.scale, "seed %d: %g of %g in row %d", k, v.residual, v.scale, v.row);
  }
  nsdyn_lcp_free(lcp);
}

START_TEST(an_answer_of_either_form_obeys_the_law)
{
  const int cases = random_cases(6000);
  int solved;
  check_answers(NSD_EXPANSION_SHORT, 0, cases, &solved);
  ck_assert_int_eq(solved, cases);
  check_answers(NSD_EXPANSION_SHORT, HAS_FRICTION | HAS_GIVEN, cases, &solved);
  ck_assert_int_eq(solved, cases);
  check_answers(NSD_EXPANSION_SHORT, HAS_FRICTION | HAS_BILATERAL | IS_REDUNDANT, cases, &solved);
  ck_assert_int_ge(solved, cases - cases / 50);
  check_answers(NSD_EXPANSION_SHORT, HAS_FRICTION | HAS_BILATERAL | HAS_SLOTS | HAS_GIVEN, cases, &solved);
  ck_assert_int_ge(solved, cases - cases / 20);
  check_answers(NSD_EXPANSION_COPOSITIVE, HAS_FRICTION | HAS_BILATERAL | HAS_SLOTS, cases, &solved);
  ck_assert_int_ge(solved, cases - cases / 20);
}
END_TEST

/* Λ_N >= L and a <= Λ_T <= b hold to the bit, and a <= b whatever compression left. */
START_TEST(the_interval_is_never_empty)
{
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD, .mu = random_scale(&r, 3.0)};
    const int corner = random_below(&r, 3);
    const nsd_restitution e = {.eps_n = corner ? 1.0 : random_unit(&r),
                               .eps_t = corner ? 1.0 : random_unit(&r),
                               .reversal = corner == 2 ? 1.0 : random_unit(&r)};
    const double N = random_scale(&r, 3.0);
    const double T =
        (random_below(&r, 2) ? 1.0 : -1.0) * (random_below(&r, 2) ? 1.0 : random_unit(&r)) * s.mu * N;
    const nsd_expansion_law law = nsd_expansion_law_of(&s, &e, N, T);
    const double Lambda = law.L * (random_below(&r, 2) ? 1.0 : 1.0 + random_unit(&r));
    const double a = law.r_a - law.alpha_a * Lambda, b = law.r_b + law.alpha_b * Lambda;
    REQUIRE(b - a >= -1e-15 * s.mu * N, "seed %d: [%g, %g]", k, a, b);
    /* Ends that rounding has crossed are one point; in the middle the reserve is half the width. */
    const double middle = nsd_expansion_reserve_of(&law, Lambda, 0.5 * (a + b));
    REQUIRE(fabs(middle - 0.5 * fmax(b - a, 0.0)) <= 1e-15 * s.mu * N, "seed %d: %g", k, middle);
    REQUIRE(nsd_expansion_reserve_of(&law, Lambda, b + s.mu * N) < 0.0, "seed %d", k);
    REQUIRE(law.L == e.eps_n * N, "seed %d", k);
    REQUIRE(a >= -s.mu * Lambda * (1.0 + 1e-15) && b <= s.mu * Lambda * (1.0 + 1e-15),
            "seed %d: [%g, %g] leaves the friction cone %g", k, a, b, s.mu * Lambda);
  }
}
END_TEST

START_TEST(what_compression_stored_moves_one_end)
{
  const nsd_contact_spec s = {.friction = NSD_FRICTION_LOAD, .mu = 0.5};
  const nsd_restitution e = {.eps_n = 0.5, .eps_t = 0.25, .reversal = 0.75};
  nsd_expansion_law law = nsd_expansion_law_of(&s, &e, 8.0, 2.0);
  ck_assert(law.L == 4.0 && law.alpha_a == 0.125 && law.alpha_b == 0.5);
  ck_assert(law.r_a == 0.75 * 0.5 * 0.25 * 2.0 && law.r_b == 0.0);
  law = nsd_expansion_law_of(&s, &e, 8.0, -2.0);
  ck_assert(law.L == 4.0 && law.alpha_a == 0.5 && law.alpha_b == 0.125);
  ck_assert(law.r_a == 0.0 && law.r_b == -0.75 * 0.5 * 0.25 * 2.0);
  /* Without a direction there is no reversal: none at zero, nor where rounding made it. */
  law = nsd_expansion_law_of(&s, &e, 8.0, 0.0);
  ck_assert(law.alpha_a == 0.5 && law.alpha_b == 0.5 && law.r_a == 0.0 && law.r_b == 0.0);
  law = nsd_expansion_law_of(&s, &e, 8.0, 3e-12);
  ck_assert(law.alpha_a == 0.5 && law.alpha_b == 0.5 && law.r_a == 0.0 && law.r_b == 0.0);
  law = nsd_expansion_law_of(&s, &e, 8.0, 5e-12);
  ck_assert(law.alpha_a == 0.125 && law.alpha_b == 0.5);
  /* A slot does so too, with a load of either sign; contacts without a friction cone store nothing
   * tangential. */
  nsd_contact_spec other = {.friction = NSD_FRICTION_LOAD, .mu = 0.5, .kind = NSDYN_CONTACT_BILATERAL};
  law = nsd_expansion_law_of(&other, &e, -8.0, 2.0);
  ck_assert(law.L == 4.0 && law.alpha_a == 0.125 && law.alpha_b == 0.5);
  ck_assert(law.r_a == 0.75 * 0.5 * 0.25 * 2.0 && law.r_b == 0.0);
  other.mu = 0.0;
  law = nsd_expansion_law_of(&other, &e, -8.0, 0.0);
  ck_assert(law.L == 0.0 && law.alpha_a == 0.0 && law.alpha_b == 0.0 && law.r_a == 0.0 && law.r_b == 0.0);
  other = (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = 3.0};
  law = nsd_expansion_law_of(&other, &e, 8.0, 2.0);
  ck_assert(law.L == 4.0 && law.alpha_a == 0.0 && law.alpha_b == 0.0 && law.r_a == 0.0 && law.r_b == 0.0);
  other = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  law = nsd_expansion_law_of(&other, &e, 8.0, 0.0);
  ck_assert(law.L == 4.0 && law.alpha_a == 0.0);
}
END_TEST

START_TEST(nothing_stored_is_nothing_to_solve)
{
  fixture f;
  random_state r = random_seed(1);
  make_mechanism(&f.m, &r, 3, HAS_FRICTION);
  f.m.restitution[0].eps_n = f.m.restitution[1].eps_n = f.m.restitution[2].eps_n = 0.0;
  compress(&f, &r);
  ck_assert_int_eq(nsd_expansion_is_idle(&f.e), 1);
  f.law[2].L = 1e-300;
  ck_assert_int_eq(nsd_expansion_is_idle(&f.e), 0);
}
END_TEST

/* One contact with G_NT = 0 that stuck in compression: γ_TE = −ε_N ε_T γ_TA at ν = 1, and less than stick
 * allows where the normal impulse is too weak for it. */
START_TEST(a_single_contact_has_its_closed_form)
{
  nsdyn_lcp *lcp = new_lcp(NSDYN_LCP_AUTOMATIC);
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    memset(&f, 0, sizeof f);
    const double mass = random_scale(&r, 3.0), slide = random_scale(&r, 2.0);
    const double fall = slide * random_between(&r, 3.0, 6.0); /* Λ_T = slide/(3.5/m) <= μ fall m */
    f.m.contacts = 1;
    f.m.rows = 2;
    f.m.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.4};
    f.m.restitution[0] = (nsd_restitution){random_unit(&r), random_unit(&r), 1.0};
    f.m.G[0] = 1.0 / mass;
    f.m.G[MOST_ROWS + 1] = 3.5 / mass;
    f.m.gamma[0] = -fall;
    f.m.gamma[1] = k & 1 ? slide : -slide;
    f.Lambda_C[0] = fall * mass;
    f.Lambda_C[1] = -f.m.gamma[1] * mass / 3.5;
    f.law[0] = nsd_expansion_law_of(f.m.spec, f.m.restitution, f.Lambda_C[0], f.Lambda_C[1]);
    f.data = mechanism_data(&f.m);
    f.data.c = f.gamma_C;
    f.e = (nsd_expansion){.data = &f.data, .law = f.law};
    for (int form = 0; form < 2; form++) {
      REQUIRE(expand(&f, lcp, (nsd_expansion_form)form) == NSDYN_OK, "seed %d", k);
      const nsd_restitution e = f.m.restitution[0];
      const double gamma_N = f.Lambda_E[0] / mass, gamma_T = 3.5 * f.Lambda_E[1] / mass;
      REQUIRE(fabs(gamma_N - e.eps_n * fall) <= 1e-12 * fall, "seed %d, form %d: %g", k, form, gamma_N);
      REQUIRE(fabs(gamma_T + e.eps_n * e.eps_t * f.m.gamma[1]) <= 1e-11 * slide, "seed %d, form %d: %g", k,
              form, gamma_T);
    }
  }
  nsdyn_lcp_free(lcp);
}
END_TEST

SUITE("contact/impact/expansion", TEST(the_copositive_form_always_has_its_answer),
      TEST(an_answer_of_either_form_obeys_the_law), TEST(the_interval_is_never_empty),
      TEST(what_compression_stored_moves_one_end), TEST(nothing_stored_is_nothing_to_solve),
      TEST(a_single_contact_has_its_closed_form))
