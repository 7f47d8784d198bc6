/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/certificate.h"

#include "nsdyn/setvalued.h"
#include "touching.h"

/* What the judge should say, by the public functions of set-valued laws: residuals of proximal points are
 * impulses times ρ; here they are velocities, so everything is scaled by r. */
static double miss_of(const touching *t, const nsd_contact_spec *s, const double *Lambda, const double *xi)
{
  const int N = s->row;
  const int T = nsd_contact_tangent(s);
  const double G_NN = t->G[N * t->d.rows + N];
  const double r = T < 0 ? G_NN : 0.5 * (G_NN + t->G[T * t->d.rows + T]);
  double miss =
      s->kind == NSDYN_CONTACT_BILATERAL ? fabs(xi[N]) : nsdyn_half_line_residual(1.0, r * Lambda[N], -xi[N]);
  if (T >= 0) {
    const double limit = r * (s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * fabs(Lambda[N]));
    const double slides = fabs(r * Lambda[T] + s->sliding * limit);
    miss =
        fmax(miss, s->sliding ? slides : nsdyn_interval_residual(-limit, limit, 1.0, r * Lambda[T], -xi[T]));
  }
  return miss;
}

START_TEST(agrees_with_proximal_points)
{
  touching *t = touching_new();
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 7, WITH_EVERY_LAW | WITH_SLIDING);
    const int rows = t->d.rows;
    double largest = 0.0;
    for (int i = 0; i < rows; i++) {
      t->Lambda[i] = random_below(&r, 4) ? random_normal(&r) / *g_at(t, i, i) : 0.0;
    }
    double xi[MOST_ROWS];
    double size = 0.0;
    double load = 0.0;
    const int own = rows - t->d.bilateral;
    for (int i = 0; i < rows; i++) {
      double of_contacts = 0.0;
      double of_bilateral = 0.0;
      xi[i] = t->c[i];
      for (int j = 0; j < rows; j++) {
        const double term = *g_at(t, i, j) * t->Lambda[j];
        xi[i] += term;
        *(j < own ? &of_contacts : &of_bilateral) += fabs(term);
      }
      if (i < own) {
        size = fmax(size, fabs(t->c[i]) + of_contacts + of_bilateral);
        load = fmax(load, fabs(t->c[i]) + of_bilateral);
      }
    }
    const double scale = fmin(size, 1e3 * load);
    for (int i = 0; i < t->d.contacts; i++) {
      largest = fmax(largest, miss_of(t, &t->spec[i], t->Lambda, xi) / scale);
    }
    for (int i = own; i < rows; i++) {
      double sum = fabs(t->c[i]);
      for (int j = 0; j < rows; j++) {
        sum += fabs(*g_at(t, i, j) * t->Lambda[j]);
      }
      largest = fmax(largest, fabs(xi[i]) / sum);
    }
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, t->xi);
    REQUIRE(apart(rows, xi, t->xi) <= 1e-13, "seed %d", k);
    REQUIRE(fabs(v.residual / v.scale - largest) <= 1e-12 * (1.0 + largest), "seed %d: %g, not %g", k,
            v.residual / v.scale, largest);
    REQUIRE(fabs(v.speed - scale) <= 1e-12 * scale, "seed %d", k);
    double residual, public_scale;
    int row;
    REQUIRE(nsdyn_contact_residual(&t->problem, t->Lambda, &residual, &public_scale, &row) == NSDYN_OK,
            "seed %d", k);
    REQUIRE(residual == v.residual && public_scale == v.scale && row == v.row, "seed %d", k);
  }
  free(t);
}
END_TEST

/* A block of 2 kg on the floor: G = I / 2. */
static void make_block(touching *t, double mu, double push)
{
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = mu};
  lay_out(t, 1, 0);
  t->G[0] = t->G[3] = 0.5;
  t->c[0] = -0.1;
  t->c[1] = push;
}

static nsd_contact_verdict judge(const touching *t, double Lambda_N, double Lambda_T)
{
  const double Lambda[2] = {Lambda_N, Lambda_T};
  return nsd_contact_judge(&t->d, Lambda, NULL);
}

START_TEST(every_violation_is_seen_in_its_units)
{
  touching *t = touching_new();
  make_block(t, 0.5, 0.02);
  ck_assert(judge(t, 0.2, -0.04).residual <= 1e-17); /* sticks */
  ck_assert_double_eq_tol(judge(t, 0.2, 0.0).residual, 0.02, 1e-15);
  ck_assert_int_eq(judge(t, 0.2, 0.0).row, 1);
  ck_assert_double_eq_tol(judge(t, 0.0, 0.0).residual, 0.1, 1e-15); /* sinks in */
  ck_assert_int_eq(judge(t, 0.0, 0.0).row, 0);
  ck_assert_double_eq_tol(judge(t, 0.3, -0.04).residual, 0.05, 1e-15); /* jumps off, and yet presses */
  ck_assert_double_eq_tol(judge(t, -0.2, 0.0).residual, 0.2, 1e-15);
  make_block(t, 0.5, 0.2);
  ck_assert(judge(t, 0.2, -0.1).residual <= 1e-17);                   /* slides */
  ck_assert_double_eq_tol(judge(t, 0.2, -0.4).residual, 0.15, 1e-15); /* would stick, if friction could */
  ck_assert_double_eq_tol(judge(t, 0.2, 0.1).residual, 0.1, 1e-15);   /* pushes the way it slides */
  make_block(t, 0.0, 0.2);
  ck_assert(judge(t, 0.2, 0.0).residual <= 1e-17);
  free(t);
}
END_TEST

START_TEST(scale_makes_units_irrelevant)
{
  touching *t = touching_new();
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 5, WITH_EVERY_LAW);
    for (int i = 0; i < t->d.rows; i++) {
      t->Lambda[i] = random_normal(&r) / *g_at(t, i, i);
    }
    const nsd_contact_verdict before = nsd_contact_judge(&t->d, t->Lambda, NULL);
    const int of_G = random_below(&r, 401) - 200;
    const int of_c = random_below(&r, 401) - 200;
    for (int i = 0; i < t->d.rows; i++) {
      for (int j = 0; j < t->d.rows; j++) {
        *g_at(t, i, j) = ldexp(*g_at(t, i, j), of_G);
      }
      t->c[i] = ldexp(t->c[i], of_c);
      t->Lambda[i] = ldexp(t->Lambda[i], of_c - of_G);
    }
    for (int i = 0; i < t->d.contacts; i++) {
      t->spec[i].bound = ldexp(t->spec[i].bound, of_c - of_G);
    }
    const nsd_contact_verdict after = nsd_contact_judge(&t->d, t->Lambda, NULL);
    REQUIRE(after.residual == ldexp(before.residual, of_c), "seed %d", k);
    REQUIRE(after.scale == ldexp(before.scale, of_c) && after.row == before.row, "seed %d", k);
  }
  free(t);
}
END_TEST

START_TEST(the_shorter_way_for_one_contact_gives_the_same_bits)
{
  touching *t = touching_new();
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1, k % 2 ? COULOMB : REDUNDANT);
    const double size = k % 5 == 0 ? 1e-12 : k % 7 == 0 ? 1e12 : 1.0;
    for (int i = 0; i < 2; i++) {
      t->Lambda[i] = random_below(&r, 5) ? size * random_normal(&r) / *g_at(t, 0, 0) : 0.0;
    }
    if (k % 11 == 0) {
      t->Lambda[random_below(&r, 2)] = k % 22 ? NAN : INFINITY;
    }
    double xi[2], one[2];
    const nsd_contact_verdict a = nsd_contact_judge(&t->d, t->Lambda, xi);
    const nsd_contact_verdict b = nsd_contact_judge_single(&t->d, t->Lambda, one);
    REQUIRE(a.residual == b.residual, "seed %d: %g, %g", k, a.residual, b.residual);
    if (a.residual < (double)INFINITY) {
      REQUIRE(a.scale == b.scale && a.speed == b.speed && a.row == b.row, "seed %d", k);
      REQUIRE(xi[0] == one[0] && xi[1] == one[1], "seed %d", k);
    }
  }
  free(t);
}
END_TEST

START_TEST(far_out_nothing_is_a_solution)
{
  /* Two contacts that press against each other: G (1, 1) = 0, so impulses may grow without a trace. */
  touching *t = touching_new();
  t->spec[0] = t->spec[1] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  lay_out(t, 2, 0);
  t->G[0] = t->G[3] = 1.0;
  t->G[1] = t->G[2] = -1.0;
  t->c[0] = t->c[1] = -1.0; /* squeezed: there is no solution */
  const double Lambda[2] = {0x1p60, 0x1p60};
  const nsd_contact_verdict v = nsd_contact_judge(&t->d, Lambda, NULL);
  ck_assert(v.residual > v.scale);
  ck_assert(!nsd_contact_is_solution(&v, 0.9));
  /* Not so far out, what is missed is seen, though it is 1e-9 of the terms. */
  const double nearer[2] = {0x1p30, 0x1p30};
  const nsd_contact_verdict w = nsd_contact_judge(&t->d, nearer, NULL);
  ck_assert(w.residual == 1.0 && w.scale == 1e3);
  ck_assert(!nsd_contact_is_solution(&w, 1e-9));
  free(t);
}
END_TEST

START_TEST(bilateral_constraints_have_scales_of_their_own)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  lay_out(t, 1, 1);
  t->G[0] = 1.0;
  t->G[3] = 1e-12; /* an angle beside a length */
  t->c[0] = -1.0;
  t->c[1] = -1e-12;
  const double right[2] = {1.0, 1.0};
  const double wrong[2] = {1.0, 0.5};
  nsd_contact_verdict v = nsd_contact_judge(&t->d, right, NULL);
  ck_assert(v.residual == 0.0 && v.row == -1);
  v = nsd_contact_judge(&t->d, wrong, NULL);
  ck_assert_int_eq(v.row, 1);
  ck_assert(v.residual == 0.5e-12 && v.scale == 1.5e-12 && v.speed == 2.0);
  /* Constraints that contradict each other have impulses without end, and no solution. */
  lay_out(t, 0, 2);
  t->G[0] = t->G[3] = 1.0;
  t->G[1] = t->G[2] = -1.0;
  t->c[0] = 1.0;
  t->c[1] = 1.0;
  const double far[2] = {0x1p70, 0x1p70};
  v = nsd_contact_judge(&t->d, far, NULL);
  ck_assert(!nsd_contact_is_solution(&v, 0.5));
  /* Not so far out, what they miss is seen, though it is less than 1e-9 of the terms. */
  const double nearer[2] = {0x1p30, 0x1p30};
  v = nsd_contact_judge(&t->d, nearer, NULL);
  ck_assert(v.residual == 1.0);
  ck_assert_double_eq_tol(v.scale, 1e3, 1e-9);
  /* Nor does a contact help that has nothing to do with them. */
  lay_out(t, 1, 2);
  t->G[0] = t->G[1] = t->G[2] = t->G[3] = 0.0;
  t->G[4] = t->G[8] = 1.0;
  t->G[5] = t->G[7] = -1.0;
  t->c[0] = t->c[1] = t->c[2] = 1.0;
  const double beside[3] = {0.0, 0x1p30, 0x1p30};
  v = nsd_contact_judge(&t->d, beside, NULL);
  ck_assert(v.residual == 1.0 && v.row == 1);
  ck_assert(!nsd_contact_is_solution(&v, 1e-9));
  free(t);
}
END_TEST

/* A contact between two constraints that hold each other through it: no load, whatever they press. */
START_TEST(constraints_lend_no_scale_that_they_do_not_have)
{
  touching *t = touching_new();
  t->spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  lay_out(t, 1, 1);
  t->G[0] = t->G[3] = 1.0;
  t->G[1] = t->G[2] = -1.0;
  t->c[0] = -1.0;
  t->c[1] = 0.5; /* it squeezes: ξ_N = −½ for every Λ that keeps the constraint */
  for (int e = 1; e <= 60; e++) {
    const double Lambda[2] = {ldexp(1.0, e) + 0.5, ldexp(1.0, e)};
    const nsd_contact_verdict v = nsd_contact_judge(&t->d, Lambda, NULL);
    REQUIRE(!nsd_contact_is_solution(&v, 1e-4), "2^%d: residual %g, scale %g", e, v.residual, v.scale);
  }
  t->c[1] = 1.0; /* and now it fits */
  const double fits[2] = {2.0, 1.0};
  const nsd_contact_verdict v = nsd_contact_judge(&t->d, fits, NULL);
  ck_assert(v.residual == 0.0 && v.scale == 4.0);
  free(t);
}
END_TEST

START_TEST(what_is_no_number_is_no_solution)
{
  touching *t = touching_new();
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    make_touching(t, &r, 1 + k % 4, WITH_EVERY_LAW);
    for (int i = 0; i < t->d.rows; i++) {
      for (int j = 0; j < t->d.rows; j++) {
        t->Lambda[j] = 0.1;
      }
      t->Lambda[i] = k % 3 == 0 ? NAN : k % 3 == 1 ? INFINITY : -INFINITY;
      const nsd_contact_verdict v = nsd_contact_judge(&t->d, t->Lambda, NULL);
      REQUIRE(v.residual == (double)INFINITY && v.row >= 0, "seed %d, row %d: %g", k, i, v.residual);
    }
  }
  free(t);
}
END_TEST

/* Terms that are numbers, and a sum that is none: an infinite residual must not pass beside an infinite
 * scale. */
START_TEST(what_overflows_is_no_solution)
{
  touching *t = touching_new();
  make_block(t, 0.5, 0.0);
  t->c[0] = -1.7e308; /* beside G Λ_N = 0.85e308 */
  const nsd_contact_verdict v = judge(t, 1.7e308, 0.0);
  ck_assert(v.residual == (double)INFINITY && v.scale == 0.0);
  ck_assert(!nsd_contact_is_solution(&v, 0.9));
  const double Lambda[2] = {1.7e308, 0.0};
  const nsd_contact_verdict one = nsd_contact_judge_single(&t->d, Lambda, t->xi);
  ck_assert(one.residual == (double)INFINITY && one.scale == 0.0);
  lay_out(t, 0, 1);
  t->G[0] = 17.0;
  t->c[0] = -1e308;
  t->Lambda[0] = 1e308 / 17.0;
  const nsd_contact_verdict w = nsd_contact_judge(&t->d, t->Lambda, NULL);
  ck_assert(!nsd_contact_is_solution(&w, 0.9));
  free(t);
}
END_TEST

START_TEST(refuses_what_is_no_problem)
{
  touching *t = touching_new();
  make_block(t, 0.5, 0.0);
  double residual = 4711.0;
  ck_assert_int_eq(nsdyn_contact_residual(NULL, t->Lambda, &residual, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_residual(&t->problem, NULL, &residual, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_residual(&t->problem, t->Lambda, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  t->c[0] = NAN;
  ck_assert_int_eq(nsdyn_contact_residual(&t->problem, t->Lambda, &residual, NULL, NULL),
                   NSDYN_ERR_NOT_FINITE);
  ck_assert(residual == 4711.0);
  lay_out(t, 0, 0);
  ck_assert_int_eq(nsdyn_contact_residual(&t->problem, NULL, &residual, NULL, NULL), NSDYN_OK);
  ck_assert(residual == 0.0);
  free(t);
}
END_TEST

/* A brake beside a constraint that nothing moves: what the brake gives drowns nothing, however small it is.
 */
START_TEST(a_given_impulse_is_a_load_of_its_own)
{
  const double G[9] = {11.0, 9.0, 0.0, 9.0, 18.0, 0.0, 0.0, 0.0, 0.0}, c[3] = {3.0, 0.0, 0.0},
               slip[1] = {-1.0};
  for (int exponent = 0; exponent >= -160; exponent -= 80) {
    nsdyn_contact_law law;
    ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
    law.friction = NSDYN_FRICTION_BOUND;
    law.bound = pow(10.0, exponent);
    nsdyn_contact_problem problem;
    ck_assert_int_eq(nsdyn_contact_problem_init(&problem, sizeof problem), NSDYN_OK);
    problem.contacts = problem.bilateral = 1;
    problem.laws = &law;
    problem.G = G;
    problem.ldg = 3;
    problem.c = c;
    problem.slip = slip;
    problem.dt = 1.0;
    const double Lambda[3] = {0.0, law.bound, 0.0};
    double residual = INFINITY, scale = 0.0;
    ck_assert_int_eq(nsdyn_contact_residual(&problem, Lambda, &residual, &scale, NULL), NSDYN_OK);
    ck_assert_double_le(residual, 1e-15 * scale);
  }
}
END_TEST

SUITE("contact/certificate", TEST(agrees_with_proximal_points), TEST(a_given_impulse_is_a_load_of_its_own),
      TEST(every_violation_is_seen_in_its_units), TEST(scale_makes_units_irrelevant),
      TEST(the_shorter_way_for_one_contact_gives_the_same_bits), TEST(far_out_nothing_is_a_solution),
      TEST(bilateral_constraints_have_scales_of_their_own),
      TEST(constraints_lend_no_scale_that_they_do_not_have), TEST(what_is_no_number_is_no_solution),
      TEST(what_overflows_is_no_solution), TEST(refuses_what_is_no_problem))
