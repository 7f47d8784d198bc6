/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/glocker.h"

#include "nsdyn/lcp.h"
#include "touching.h"

enum { MOST_N = 4 * MOST_CONTACTS + 16 };

typedef struct lcp {
  int n;
  double A[MOST_N * MOST_N], b[MOST_N], lo[MOST_N], hi[MOST_N], x[MOST_N], y[MOST_N];
} lcp;

static void assemble(const touching *t, lcp *p)
{
  p->n = nsd_glocker_size(&t->d);
  nsd_glocker_assemble(&t->d, p->A, p->n, p->b, p->lo, p->hi, NULL);
}

/* One contact with G = [a b; b d], row by row as in the paper. */
static void make_one(touching *t, nsd_contact_spec spec)
{
  t->spec[0] = spec;
  lay_out(t, 1, 0);
  if (t->d.rows == 2) {
    t->G[1] = t->G[2] = 0.25;
    t->G[3] = 3.0;
  }
  t->G[0] = 2.0;
  t->c[0] = -1.0;
  t->c[1] = 0.5;
}

static void expect(const touching *t, int n, const double *A, const double *b, const double *lo,
                   const double *hi)
{
  static lcp p;
  assemble(t, &p);
  ck_assert_int_eq(p.n, n);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      ck_assert_msg(p.A[i * n + j] == A[i * n + j], "A_%d%d is %g, not %g", i, j, p.A[i * n + j],
                    A[i * n + j]);
    }
    ck_assert_msg(p.b[i] == b[i] && p.lo[i] == lo[i] && p.hi[i] == hi[i], "row %d", i);
  }
}

START_TEST(equation_33_stands_there_as_printed)
{
  touching *t = touching_new();
  const double zero[3] = {0.0}, infinite[3] = {INFINITY, INFINITY, INFINITY};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5});
  const double A[9] = {2.0 - 0.25 * 0.5, 0.25, 0.0, 0.25 - 3.0 * 0.5, 3.0, 1.0, 1.0, -1.0, 0.0};
  const double b[3] = {-1.0, 0.5, 0.0};
  expect(t, 3, A, b, zero, infinite);
  ck_assert(nsd_glocker_is_plain(&t->d));
  free(t);
}
END_TEST

START_TEST(a_law_that_allows_it_takes_fewer_rows)
{
  touching *t = touching_new();
  const double zero[2] = {0.0, 0.0}, infinite[2] = {INFINITY, INFINITY}, minus[1] = {-INFINITY};
  const double b[1] = {-1.0}, plain[1] = {2.0};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_NONE});
  expect(t, 1, plain, b, zero, infinite);
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD});
  expect(t, 1, plain, b, zero, infinite);
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN});
  expect(t, 1, plain, b, zero, infinite);
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .kind = NSDYN_CONTACT_BILATERAL});
  expect(t, 1, plain, b, minus, infinite);
  ck_assert(!nsd_glocker_is_plain(&t->d));
  const double ahead[1] = {2.0 - 0.5 * 0.25}, back[1] = {2.0 + 0.5 * 0.25};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5, .sliding = 1});
  expect(t, 1, ahead, b, zero, infinite);
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5, .sliding = -1});
  expect(t, 1, back, b, zero, infinite);
  const double dragged[1] = {-1.0 - 0.25 * 4.0};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = 4.0, .sliding = 1});
  expect(t, 1, plain, dragged, zero, infinite);
  ck_assert(nsd_glocker_is_plain(&t->d));
  const double G[4] = {2.0, 0.25, 0.25, 3.0}, c[2] = {-1.0, 0.5}, lo[2] = {0.0, -4.0},
               hi[2] = {INFINITY, 4.0};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = 4.0});
  expect(t, 2, G, c, lo, hi);
  ck_assert(!nsd_glocker_is_plain(&t->d));
  free(t);
}
END_TEST

/* x = (Λ_N, N⁺, Λ_R, ξ_L), |Λ_N| = 2 N⁺ − Λ_N. */
START_TEST(a_slot_with_friction_takes_four)
{
  touching *t = touching_new();
  const double N = 2.0, NT = 0.25, T = 3.0, mu = 0.5;
  const double lo[4] = {-INFINITY, 0.0, 0.0, 0.0}, hi[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  make_one(t, (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = mu, .kind = NSDYN_CONTACT_BILATERAL});
  const double A[16] = {N + mu * NT, -2.0 * mu * NT, NT, 0.0, -1.0,      1.0,      0.0,  0.0,
                        NT + mu * T, -2.0 * mu * T,  T,  1.0, -2.0 * mu, 4.0 * mu, -1.0, 0.0};
  const double b[4] = {-1.0, 0.0, 0.5, 0.0};
  expect(t, 4, A, b, lo, hi);
  make_one(t, (nsd_contact_spec){
                  .friction = NSD_FRICTION_LOAD, .mu = mu, .sliding = -1, .kind = NSDYN_CONTACT_BILATERAL});
  const double back[4] = {N - mu * NT, 2.0 * mu * NT, -1.0, 1.0};
  expect(t, 2, back, b, lo, hi);
  free(t);
}
END_TEST

START_TEST(no_load_dependent_friction_no_asymmetry)
{
  touching *t = touching_new();
  static lcp p;
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 8, WITH_EVERY_LAW | WITH_SLIDING);
    int depends = 0;
    for (int i = 0; i < t->d.contacts; i++) {
      depends |= t->spec[i].mu > 0.0;
    }
    assemble(t, &p);
    int symmetric = 1;
    for (int i = 0; i < p.n; i++) {
      for (int j = 0; j < i; j++) {
        symmetric = symmetric && p.A[i * p.n + j] == p.A[j * p.n + i];
      }
    }
    REQUIRE(symmetric == !depends || p.n == 1, "seed %d", k);
  }
  free(t);
}
END_TEST

/* With a bound a written into three rows, Λ_R = Λ_T + a, the plain matrix is bisymmetric: A = [G, E; −Eᵀ, 0]
 * (Glocker & Studer, remark at eq. 33). Both forms have the same solutions. */
START_TEST(a_given_bound_is_the_papers_bisymmetric_form)
{
  touching *t = touching_new();
  nsdyn_lcp *solver;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    for (int i = 0; i < 1 + k % 4; i++) {
      t->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN};
    }
    make_touching(t, &r, 1 + k % 4, COULOMB);
    const int contacts = t->d.contacts;
    for (int i = 0; i < contacts; i++) {
      t->spec[i] =
          (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = random_unit(&r) / *g_at(t, 0, 0)};
    }
    lay_out(t, contacts, 0);
    static lcp boxed;
    assemble(t, &boxed);
    ck_assert_int_eq(boxed.n, 2 * contacts);
    ck_assert_int_eq(nsdyn_lcp_solve_mixed(solver, boxed.n, boxed.A, boxed.n, boxed.b, boxed.lo, boxed.hi,
                                           boxed.x, boxed.y),
                     NSDYN_OK);
    double A[12 * 12] = {0.0}, b[12];
    const int n = 3 * contacts;
    double x[12];
    for (int i = 0; i < contacts; i++) {
      for (int f = 0; f < 2; f++) {
        b[3 * i + f] = t->c[2 * i + f];
        for (int j = 0; j < contacts; j++) {
          A[(3 * i + f) * n + 3 * j] = *g_at(t, 2 * i + f, 2 * j);
          A[(3 * i + f) * n + 3 * j + 1] = *g_at(t, 2 * i + f, 2 * j + 1);
          b[3 * i + f] -= *g_at(t, 2 * i + f, 2 * j + 1) * t->spec[j].bound;
        }
      }
      A[(3 * i + 1) * n + 3 * i + 2] = 1.0;
      A[(3 * i + 2) * n + 3 * i + 1] = -1.0;
      b[3 * i + 2] = 2.0 * t->spec[i].bound;
    }
    for (int i = 0; i < contacts; i++) {
      const double *at = boxed.x + 2 * i;
      x[3 * i] = at[0];
      x[3 * i + 1] = at[1] + t->spec[i].bound;
      x[3 * i + 2] = fmax(0.0, -boxed.y[2 * i + 1]);
    }
    double residual;
    ck_assert_int_eq(nsdyn_lcp_residual(n, A, n, b, NULL, NULL, x, &residual, NULL), NSDYN_OK);
    REQUIRE(residual <= 1e-11, "seed %d: %g", k, residual);
  }
  nsdyn_lcp_free(solver);
  free(t);
}
END_TEST

/* The solutions of all patterns solve the LCP, and Λ comes back from x. */
START_TEST(solutions_of_the_laws_solve_the_lcp)
{
  touching *t = touching_new();
  static lcp p;
  const int cases = random_cases(3000);
  int solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 3, WITH_EVERY_LAW | WITH_SLIDING);
    if (count_all(t, t->Lambda) == 0) {
      continue;
    }
    solved++;
    (void)nsd_contact_judge(&t->d, t->Lambda, t->xi);
    nsd_contact_clean_xi(&t->d, t->Lambda, t->xi);
    assemble(t, &p);
    int at = 0;
    for (int i = 0; i < t->d.contacts; i++) {
      const nsd_contact_spec *s = &t->spec[i];
      const int n = nsd_glocker_unknowns(s);
      const double N = t->Lambda[s->row];
      double *x = p.x + at;
      x[0] = N;
      if (s->friction == NSD_FRICTION_GIVEN && n == 2) {
        x[1] = t->Lambda[s->row + 1];
      } else if (n > 1) {
        const int slot = s->kind == NSDYN_CONTACT_BILATERAL;
        if (slot) {
          x[1] = fmax(N, 0.0);
        }
        if (n > 2) {
          x[1 + slot] = fmax(0.0, t->Lambda[s->row + 1] + s->mu * fabs(N));
          x[2 + slot] = fmax(0.0, -t->xi[s->row + 1]);
        }
      }
      at += n;
    }
    for (int i = t->d.rows - t->d.bilateral; i < t->d.rows; i++) {
      p.x[at++] = t->Lambda[i];
    }
    ck_assert_int_eq(at, p.n);
    double residual;
    nsdyn_lcp_residual(p.n, p.A, p.n, p.b, p.lo, p.hi, p.x, &residual, NULL);
    REQUIRE(residual <= 1e-9, "seed %d: %g", k, residual);
    double back[MOST_ROWS];
    nsd_glocker_impulses(&t->d, p.x, back);
    REQUIRE(apart(t->d.rows, back, t->Lambda) <= 1e-12, "seed %d", k);
  }
  ck_assert_int_gt(solved, cases / 2);
  free(t);
}
END_TEST

START_TEST(the_public_call_gives_the_same)
{
  touching *t = touching_new();
  static lcp p, q;
  const int cases = random_cases(500);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, k % 9, WITH_EVERY_LAW | WITH_SLIDING);
    assemble(t, &p);
    int n = -1;
    ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, NULL, 0, NULL, NULL, NULL, &n), NSDYN_OK);
    ck_assert_int_eq(n, p.n);
    const int lda = n + 3;
    ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, q.A, lda, q.b, q.lo, q.hi, &n), NSDYN_OK);
    for (int i = 0; i < n; i++) {
      REQUIRE(memcmp(&p.A[i * n], &q.A[i * lda], (size_t)n * sizeof(double)) == 0, "seed %d, row %d", k, i);
      REQUIRE(p.b[i] == q.b[i] && p.lo[i] == q.lo[i] && p.hi[i] == q.hi[i], "seed %d, row %d", k, i);
    }
    if (n > 0) {
      ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, q.A, n - 1, q.b, q.lo, q.hi, &n), NSDYN_ERR_ARGUMENT);
      ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, q.A, n, NULL, q.lo, q.hi, &n), NSDYN_ERR_ARGUMENT);
    }
  }
  ck_assert_int_eq(nsdyn_contact_lcp(&t->problem, NULL, 0, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  int n;
  ck_assert_int_eq(nsdyn_contact_lcp(NULL, NULL, 0, NULL, NULL, NULL, &n), NSDYN_ERR_ARGUMENT);
  free(t);
}
END_TEST

SUITE("contact/planar/glocker", TEST(equation_33_stands_there_as_printed),
      TEST(a_law_that_allows_it_takes_fewer_rows), TEST(a_slot_with_friction_takes_four),
      TEST(no_load_dependent_friction_no_asymmetry), TEST(a_given_bound_is_the_papers_bisymmetric_form),
      TEST(solutions_of_the_laws_solve_the_lcp), TEST(the_public_call_gives_the_same))
