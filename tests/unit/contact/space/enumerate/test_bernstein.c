/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Polynomials in Bernstein's basis: values by their definition, bounds, and the same values after each step.
 */
#include "contact/space/enumerate/bernstein.h"

#include <math.h>

#include "suite.h"
#include "support/random.h"

static const double choose[5][5] = {{1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}};

static double basis(int d, int j, double t)
{
  return choose[d][j] * pow(t, j) * pow(1.0 - t, d - j);
}

static double by_definition(const nsd_bernstein *p, const double *x)
{
  double sum = 0.0;
  for (int j = 0; j <= p->degree[0]; j++) {
    for (int k = 0; k <= p->degree[1]; k++) {
      sum += p->b[j][k] * basis(p->degree[0], j, x[0]) * basis(p->degree[1], k, x[1]);
    }
  }
  return sum;
}

static nsd_bernstein draw(random_state *random)
{
  nsd_bernstein p = {.degree = {random_below(random, 3), random_below(random, 3)}};
  for (int j = 0; j <= p.degree[0]; j++) {
    for (int k = 0; k <= p.degree[1]; k++) {
      p.b[j][k] = random_normal(random);
    }
  }
  return p;
}

START_TEST(values_are_those_of_the_definition)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state random = random_seed((uint64_t)k);
    const nsd_bernstein p = draw(&random), q = draw(&random);
    const double x[2] = {random_unit(&random), random_unit(&random)}, h = 1e-6;
    double gradient[2], range[2], unused[2];
    const double value = nsd_bernstein_at(&p, x, gradient);
    ck_assert_double_eq_tol(value, by_definition(&p, x), 1e-13);
    for (int v = 0; v < 2; v++) {
      double up[2] = {x[0], x[1]}, down[2] = {x[0], x[1]}, slopes[2];
      up[v] += h;
      down[v] -= h;
      ck_assert_double_eq_tol(gradient[v], (by_definition(&p, up) - by_definition(&p, down)) / (2.0 * h),
                              1e-7);
      nsd_bernstein_slopes(&p, v, slopes);
      ck_assert(p.degree[v] == 0 || (gradient[v] >= slopes[0] - 1e-12 && gradient[v] <= slopes[1] + 1e-12));
    }
    nsd_bernstein_range(&p, range);
    ck_assert(value >= range[0] - 1e-13 && value <= range[1] + 1e-13);
    /* A product. */
    nsd_bernstein r = {.error = 0.0};
    nsd_bernstein_add_product(&r, -2.0, &p, &q);
    ck_assert_double_eq_tol(nsd_bernstein_at(&r, x, unused), -2.0 * value * by_definition(&q, x), 1e-12);
  }
}
END_TEST

START_TEST(parts_have_the_values_of_the_whole)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_bernstein p = {.error = 0.0}, low, high, wide;
    const nsd_bernstein a = draw(&random), b = draw(&random);
    nsd_bernstein_add_product(&p, 1.0, &a, &b);
    p.error = 1.0;
    const double t[2] = {random_unit(&random), random_unit(&random)};
    for (int v = 0; v < 2; v++) {
      double x[2] = {t[0], t[1]}, unused[2];
      nsd_bernstein_halve(&p, v, &low, &high);
      x[v] = 0.5 * t[v];
      ck_assert_double_eq_tol(nsd_bernstein_at(&low, t, unused), by_definition(&p, x), 1e-12);
      x[v] = 0.5 + 0.5 * t[v];
      ck_assert_double_eq_tol(nsd_bernstein_at(&high, t, unused), by_definition(&p, x), 1e-12);
      ck_assert(low.error == 1.0 && high.error == 1.0);
    }
    double unused[2];
    const double x[2] = {t[0] * 18.0 / 16.0 - 1.0 / 16.0, t[1] * 18.0 / 16.0 - 1.0 / 16.0};
    nsd_bernstein_widen(&p, 2, &wide);
    ck_assert_double_eq_tol(nsd_bernstein_at(&wide, t, unused), by_definition(&p, x), 1e-11);
  }
}
END_TEST

/* x p / x = p */
START_TEST(a_factor_is_divided_out)
{
  for (int k = 0; k < random_cases(1000); k++) {
    random_state random = random_seed((uint64_t)k);
    const nsd_bernstein p = draw(&random);
    nsd_bernstein factor = {.degree = {1, 0}, .b = {{0.0}, {1.0}}}, product = {.error = 0.0};
    nsd_bernstein_add_product(&product, 1.0, &p, &factor);
    nsd_bernstein_divide(&product, 0);
    for (int i = 0; i <= p.degree[0]; i++) {
      for (int j = 0; j <= p.degree[1]; j++) {
        ck_assert_double_eq_tol(product.b[i][j], p.b[i][j], 1e-13);
      }
    }
  }
}
END_TEST

SUITE("contact/space/enumerate/bernstein", TEST(values_are_those_of_the_definition),
      TEST(parts_have_the_values_of_the_whole), TEST(a_factor_is_divided_out))
