/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "nsdyn/rotation.h"

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "suite.h"

static void random_vector(random_state *random, int n, double *v)
{
  for (int i = 0; i < n; i++) {
    v[i] = random_normal(random);
  }
}

static double norm(int n, const double *v)
{
  long double sum = 0.0L;
  for (int i = 0; i < n; i++) {
    sum += (long double)v[i] * (long double)v[i];
  }
  return (double)sqrtl(sum);
}

/* Of norm 1, to rounding. */
static void random_unit_quaternion(random_state *random, double *p)
{
  random_vector(random, 4, p);
  nsdyn_quaternion_normalize(p, p);
}

static void must_be_near(int n, const double *x, const double *y, double tolerance, const char *what,
                         int seed)
{
  for (int i = 0; i < n; i++) {
    REQUIRE(fabs(x[i] - y[i]) <= tolerance, "seed %d: %s %d is %.17g, not %.17g", seed, what, i, x[i], y[i]);
  }
}

/* R (3 × 3) of Rodrigues' formula, I + sin φ [n] + (1 − cos φ) [n]², in long double. */
static void rodrigues(const double *axis, double angle, double *R)
{
  long double n[3], size = 0.0L;
  for (int i = 0; i < 3; i++) {
    size += (long double)axis[i] * (long double)axis[i];
  }
  for (int i = 0; i < 3; i++) {
    n[i] = (long double)axis[i] / sqrtl(size);
  }
  const long double c = cosl((long double)angle), s = sinl((long double)angle);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const long double across = i == j ? 0.0L : ((j - i + 3) % 3 == 1 ? -n[k] : n[k]);
      R[3 * i + j] = (double)((i == j ? c : 0.0L) + s * across + (1.0L - c) * n[i] * n[j]);
    }
  }
}

START_TEST(axis_and_angle_are_rodrigues_formula)
{
  const double z[3] = {0.0, 0.0, 2.0}, x[3] = {1.0, 0.0, 0.0}, y[3] = {0.0, 1.0, 0.0};
  double p[4], v[3];
  nsdyn_quaternion_from_axis_angle(z, acos(0.0), p);
  nsdyn_quaternion_rotate(p, x, v);
  must_be_near(3, v, y, 4e-16, "a quarter turn", 0);
  for (int seed = 0; seed < random_cases(20000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double axis[3], angle = 4.0 * random_normal(&random), R[9], of_p[9];
    random_vector(&random, 3, axis);
    nsdyn_quaternion_from_axis_angle(axis, angle, p);
    REQUIRE(fabs(norm(4, p) - 1.0) <= 4.0 * DBL_EPSILON, "seed %d", seed);
    rodrigues(axis, angle, R);
    nsdyn_quaternion_to_matrix(p, of_p);
    must_be_near(9, of_p, R, 8.0 * DBL_EPSILON, "R", seed);
  }
}
END_TEST

/* R Rᵀ = 1, R v and Rᵀ v as rotations of vectors, products of matrices as those of quaternions (by GSL). */
START_TEST(matrices_and_products_agree)
{
  for (int seed = 0; seed < random_cases(20000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double a[4], b[4], c[4], A[9], B[9], C[9], AB[9], unity[9], v[3], w[3], expected[3], back[3];
    random_vector(&random, 4, a); /* of any norm */
    random_vector(&random, 4, b);
    random_vector(&random, 3, v);
    nsdyn_quaternion_multiply(a, b, c);
    REQUIRE(fabs(norm(4, c) - norm(4, a) * norm(4, b)) <= 8.0 * DBL_EPSILON * norm(4, c), "seed %d", seed);
    nsdyn_quaternion_to_matrix(a, A);
    nsdyn_quaternion_to_matrix(b, B);
    nsdyn_quaternion_to_matrix(c, C);
    gsl_matrix_view ga = gsl_matrix_view_array(A, 3, 3), gb = gsl_matrix_view_array(B, 3, 3),
                    gab = gsl_matrix_view_array(AB, 3, 3), gu = gsl_matrix_view_array(unity, 3, 3);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &ga.matrix, &gb.matrix, 0.0, &gab.matrix);
    must_be_near(9, C, AB, 16.0 * DBL_EPSILON, "A B", seed);
    gsl_blas_dgemm(CblasNoTrans, CblasTrans, 1.0, &ga.matrix, &ga.matrix, 0.0, &gu.matrix);
    must_be_near(9, unity, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, 16.0 * DBL_EPSILON, "A Aᵀ", seed);
    gsl_vector_view gv = gsl_vector_view_array(v, 3), ge = gsl_vector_view_array(expected, 3);
    gsl_blas_dgemv(CblasNoTrans, 1.0, &ga.matrix, &gv.vector, 0.0, &ge.vector);
    nsdyn_quaternion_rotate(a, v, w);
    must_be_near(3, w, expected, 8.0 * DBL_EPSILON * norm(3, v), "A v", seed);
    nsdyn_quaternion_rotate_back(a, w, back);
    must_be_near(3, back, v, 16.0 * DBL_EPSILON * norm(3, v), "v", seed);
    /* first b, then a */
    nsdyn_quaternion_rotate(b, v, w);
    nsdyn_quaternion_rotate(a, w, w);
    nsdyn_quaternion_rotate(c, v, expected);
    must_be_near(3, w, expected, 16.0 * DBL_EPSILON * norm(3, v), "A B v", seed);
    /* p ∘ p* = ‖p‖² */
    nsdyn_quaternion_conjugate(a, b);
    nsdyn_quaternion_multiply(a, b, c);
    const double size = norm(4, a) * norm(4, a);
    must_be_near(4, c, (const double[4]){size, 0, 0, 0}, 8.0 * DBL_EPSILON * size, "p p*", seed);
  }
}
END_TEST

/* i j = k = −j i. */
START_TEST(products_are_hamiltons)
{
  const double i[4] = {0, 1, 0, 0}, j[4] = {0, 0, 1, 0}, k[4] = {0, 0, 0, 1}, minus_k[4] = {0, 0, 0, -1};
  double out[4];
  nsdyn_quaternion_multiply(i, j, out);
  must_be_near(4, out, k, 0.0, "i j", 0);
  nsdyn_quaternion_multiply(j, i, out);
  must_be_near(4, out, minus_k, 0.0, "j i", 0);
}
END_TEST

/* There and back, for all angles: small ones, half turns about the axes, and between. */
START_TEST(a_matrix_has_its_quaternion)
{
  for (int seed = 0; seed < random_cases(40000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double p[4], R[9], out[4];
    random_vector(&random, 4, p);
    for (int i = 0; i < 4; i++) { /* one of the four alone, or nearly so */
      p[i] *= seed % 5 < 4 && seed % 5 != i ? random_scale(&random, 12.0) * 1e-12 * random_below(&random, 2)
                                            : 1.0;
    }
    nsdyn_quaternion_normalize(p, p);
    nsdyn_quaternion_to_matrix(p, R);
    nsdyn_quaternion_from_matrix(R, out);
    REQUIRE(out[0] >= 0.0 && fabs(norm(4, out) - 1.0) <= 2.0 * DBL_EPSILON, "seed %d", seed);
    double along = 0.0; /* p or −p: of a half turn both have w = 0, to rounding */
    for (int i = 0; i < 4; i++) {
      along += p[i] * out[i];
    }
    for (int i = 0; i < 4; i++) {
      p[i] = along < 0.0 ? -p[i] : p[i];
    }
    must_be_near(4, out, p, 4.0 * DBL_EPSILON, "p", seed);
  }
}
END_TEST

/* ṗ against differences of the retraction, ω against ṗ, world against body. */
START_TEST(rates_are_those_of_the_retraction)
{
  for (int seed = 0; seed < random_cases(5000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double p[4], body[3], world[3], rate[4], other[4], omega[3];
    random_unit_quaternion(&random, p);
    random_vector(&random, 3, body);
    nsdyn_quaternion_rotate(p, body, world);
    nsdyn_quaternion_rate_body(p, body, rate);
    nsdyn_quaternion_rate_world(p, world, other);
    must_be_near(4, rate, other, 8.0 * DBL_EPSILON * norm(3, body), "rate", seed);
    nsdyn_quaternion_omega_body(p, rate, omega);
    must_be_near(3, omega, body, 8.0 * DBL_EPSILON * norm(3, body), "omega of the body", seed);
    nsdyn_quaternion_omega_world(p, rate, omega);
    must_be_near(3, omega, world, 8.0 * DBL_EPSILON * norm(3, body), "omega of the world", seed);
    /* What changes the norm alone is left out, and the norm of p does not matter. */
    for (int i = 0; i < 4; i++) {
      other[i] = 3.0 * (rate[i] + 0.7 * p[i]);
      p[i] *= 3.0;
    }
    nsdyn_quaternion_omega_body(p, other, omega);
    must_be_near(3, omega, body, 32.0 * DBL_EPSILON * (1.0 + norm(3, body)), "omega of any norm", seed);
    nsdyn_quaternion_normalize(p, p);
    /* Central differences of order 6. */
    static const double weight[3] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double of_body[4] = {0.0}, of_world[4] = {0.0};
    const double h = 0.02 / norm(3, body);
    for (int k = 1; k <= 3; k++) {
      double ahead[4], behind[4];
      nsdyn_quaternion_retract_body(p, body, k * h, ahead);
      nsdyn_quaternion_retract_body(p, body, -k * h, behind);
      for (int i = 0; i < 4; i++) {
        of_body[i] += weight[k - 1] * (ahead[i] - behind[i]) / h;
      }
      nsdyn_quaternion_retract_world(p, world, k * h, ahead);
      nsdyn_quaternion_retract_world(p, world, -k * h, behind);
      for (int i = 0; i < 4; i++) {
        of_world[i] += weight[k - 1] * (ahead[i] - behind[i]) / h;
      }
    }
    must_be_near(4, of_body, rate, 1e-12 * norm(3, body), "difference by the body", seed);
    must_be_near(4, of_world, rate, 1e-12 * norm(3, body), "difference by the world", seed);
  }
}
END_TEST

/* The retraction is the matrix exponential times R (GSL's, which is good to some 1e-14), and a group: two
 * half steps are one, and a step back undoes it. */
START_TEST(retractions_are_the_exponential)
{
  for (int seed = 0; seed < random_cases(3000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double p[4], omega[3], half[4], once[4], R[9], E[9], ER[9], out[9];
    const double dt = random_between(&random, -1.0, 1.0);
    random_unit_quaternion(&random, p);
    random_vector(&random, 3, omega);
    double S[9] = {0.0, -omega[2] * dt, omega[1] * dt,  omega[2] * dt,
                   0.0, -omega[0] * dt, -omega[1] * dt, omega[0] * dt,
                   0.0};
    gsl_matrix_view gs = gsl_matrix_view_array(S, 3, 3), ge = gsl_matrix_view_array(E, 3, 3),
                    gr = gsl_matrix_view_array(R, 3, 3), ger = gsl_matrix_view_array(ER, 3, 3);
    ck_assert_int_eq(gsl_linalg_exponential_ss(&gs.matrix, &ge.matrix, GSL_PREC_DOUBLE), 0);
    nsdyn_quaternion_to_matrix(p, R);
    nsdyn_quaternion_retract_world(p, omega, dt, once);
    nsdyn_quaternion_to_matrix(once, out);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &ge.matrix, &gr.matrix, 0.0, &ger.matrix);
    must_be_near(9, out, ER, 1e-13, "exp R", seed);
    nsdyn_quaternion_retract_world(p, omega, 0.5 * dt, half);
    nsdyn_quaternion_retract_world(half, omega, 0.5 * dt, half);
    must_be_near(4, half, once, 8.0 * DBL_EPSILON, "halves", seed);
    nsdyn_quaternion_retract_world(once, omega, -dt, once);
    must_be_near(4, once, p, 8.0 * DBL_EPSILON, "back", seed);
    nsdyn_quaternion_retract_body(p, omega, dt, once);
    nsdyn_quaternion_to_matrix(once, out);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &gr.matrix, &ge.matrix, 0.0, &ger.matrix);
    must_be_near(9, out, ER, 1e-13, "R exp", seed);
  }
}
END_TEST

/* After each of a million steps the norm is 1 to two units of the last place; of constant ω the angle is
 * right within what a million roundings may be. */
START_TEST(the_norm_stays_over_a_million_steps)
{
  const int steps = 1000000;
  for (int is_body = 0; is_body < 2; is_body++) {
    double p[4] = {1.0, 0.0, 0.0, 0.0}, worst = 0.0, expected[4];
    const double omega[3] = {0.3, -0.7, 1.1}, dt = 1e-3;
    for (int k = 0; k < steps; k++) {
      if (is_body) {
        nsdyn_quaternion_retract_body(p, omega, dt, p);
      } else {
        nsdyn_quaternion_retract_world(p, omega, dt, p);
      }
      const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
      worst = fmax(worst, fabs(square - 1.0));
    }
    REQUIRE(worst <= 5.0 * DBL_EPSILON, "%g", worst); /* of the square, as it is computed here */
    REQUIRE(fabs(norm(4, p) - 1.0) <= 2.0 * DBL_EPSILON, "%g", norm(4, p) - 1.0);
    nsdyn_quaternion_from_axis_angle(omega, norm(3, omega) * dt * steps, expected);
    const double sign = p[0] * expected[0] < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < 4; i++) {
      p[i] *= sign;
    }
    must_be_near(4, p, expected, 1e-10, "p", is_body);
  }
}
END_TEST

/* dt = 0: normalised, and what is, to the bit; ω is not read. */
START_TEST(no_time_normalises)
{
  const double nothing[3] = {NAN, INFINITY, 1.0};
  for (int seed = 0; seed < random_cases(20000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    double p[4], once[4], twice[4];
    random_vector(&random, 4, p);
    for (int i = 0; i < 4; i++) {
      p[i] *= seed % 3 ? 1e-150 : 1e150;
    }
    nsdyn_quaternion_retract_body(p, nothing, 0.0, once);
    REQUIRE(fabs(norm(4, once) - 1.0) <= 2.0 * DBL_EPSILON, "seed %d", seed);
    nsdyn_quaternion_retract_world(once, nothing, 0.0, twice);
    REQUIRE(memcmp(once, twice, sizeof once) == 0, "seed %d", seed);
    ck_assert_double_eq_tol(nsdyn_quaternion_normalize(p, twice), norm(4, p), 1e-15 * norm(4, p));
    REQUIRE(memcmp(once, twice, sizeof once) == 0, "seed %d", seed);
  }
}
END_TEST

/* p, v, ω and dt times powers of two: the same digits. */
START_TEST(scales_do_not_matter)
{
  for (int seed = 0; seed < random_cases(5000); seed++) {
    random_state random = random_seed((uint64_t)seed);
    const double a = ldexp(1.0, random_below(&random, 997) - 498),
                 b = ldexp(1.0, random_below(&random, 997) - 498);
    double p[4], v[3], q[4], w[3], R[9], S[9], x[4], y[4];
    random_vector(&random, 4, p);
    random_vector(&random, 3, v);
    for (int i = 0; i < 4; i++) {
      q[i] = a * p[i];
    }
    for (int i = 0; i < 3; i++) {
      w[i] = b * v[i];
    }
    nsdyn_quaternion_to_matrix(p, R);
    nsdyn_quaternion_to_matrix(q, S);
    must_be_near(9, R, S, 4.0 * DBL_EPSILON, "R", seed);
    nsdyn_quaternion_rotate(p, v, x);
    nsdyn_quaternion_rotate(q, w, y);
    for (int i = 0; i < 3; i++) {
      y[i] /= b;
    }
    must_be_near(3, x, y, 8.0 * DBL_EPSILON * norm(3, v), "v", seed);
    nsdyn_quaternion_rate_body(p, v, x);
    nsdyn_quaternion_rate_body(q, w, y);
    nsdyn_quaternion_omega_body(q, y, w);
    for (int i = 0; i < 4; i++) {
      y[i] = y[i] / a / b;
    }
    must_be_near(4, x, y, 0.0, "rate", seed);
    for (int i = 0; i < 3; i++) {
      w[i] /= b;
    }
    must_be_near(3, w, v, 8.0 * DBL_EPSILON * norm(3, v), "omega", seed);
    for (int i = 0; i < 3; i++) {
      w[i] = b * v[i];
    }
    nsdyn_quaternion_retract_body(p, v, 0.01, x);
    nsdyn_quaternion_retract_body(q, w, 0.01 / b, y);
    must_be_near(4, x, y, 4.0 * DBL_EPSILON, "retract", seed);
    nsdyn_quaternion_from_axis_angle(v, 0.3, x);
    nsdyn_quaternion_from_axis_angle(w, 0.3, y);
    must_be_near(4, x, y, 4.0 * DBL_EPSILON, "axis", seed);
  }
}
END_TEST

static void must_be_none(int n, const double *x, int k)
{
  for (int i = 0; i < n; i++) {
    REQUIRE(isnan(x[i]), "case %d: %d is %g", k, i, x[i]);
  }
}

/* What has no direction gives no number, wherever the direction counts. */
START_TEST(what_is_no_rotation_gives_no_number)
{
  static const double bad[][4] = {{0.0, 0.0, 0.0, 0.0},
                                  {NAN, 0.0, 1.0, 0.0},
                                  {1.0, 0.0, 0.0, NAN},
                                  {INFINITY, 0.0, 0.0, 0.0},
                                  {0.0, 1.0, -INFINITY, 0.0}};
  const double v[3] = {1.0, 2.0, 3.0}, one[4] = {1.0, 0.0, 0.0, 0.0};
  double out[9];
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++) {
    ck_assert(isnan(nsdyn_quaternion_normalize(bad[k], out)));
    must_be_none(4, out, k);
    nsdyn_quaternion_rotate(bad[k], v, out);
    must_be_none(3, out, k);
    nsdyn_quaternion_rotate_back(bad[k], v, out);
    must_be_none(3, out, k);
    nsdyn_quaternion_to_matrix(bad[k], out);
    must_be_none(9, out, k);
    nsdyn_quaternion_omega_world(bad[k], one, out);
    must_be_none(3, out, k);
    nsdyn_quaternion_retract_body(bad[k], v, 0.0, out);
    must_be_none(4, out, k);
    nsdyn_quaternion_retract_world(bad[k], v, 0.1, out);
    must_be_none(4, out, k);
    nsdyn_quaternion_from_axis_angle(bad[k] + (k == 1 || k == 3 ? 0 : 1), 0.5, out);
    must_be_none(4, out, k);
  }
  static const double times[] = {NAN, INFINITY};
  for (int k = 0; k < 2; k++) {
    nsdyn_quaternion_retract_body(one, v, times[k], out);
    must_be_none(4, out, k);
    nsdyn_quaternion_from_axis_angle(v, times[k], out);
    must_be_none(4, out, k);
  }
  const double none[9] = {1.0, 0.0, 0.0, 0.0, NAN, 0.0, 0.0, 0.0, 1.0};
  nsdyn_quaternion_from_matrix(none, out);
  must_be_none(4, out, 0);
}
END_TEST

/* An output may be an input. */
START_TEST(outputs_may_be_inputs)
{
  random_state random = random_seed(1);
  double a[4], b[4], c[4], x[4];
  random_vector(&random, 4, a);
  random_vector(&random, 4, b);
#define SAME(n, in_place, from, ...)                                                                         \
  do {                                                                                                       \
    memcpy(x, from, sizeof x);                                                                               \
    __VA_ARGS__;                                                                                             \
    in_place;                                                                                                \
    ck_assert(memcmp(x, c, (n) * sizeof *x) == 0);                                                           \
  } while (0)
  SAME(4, nsdyn_quaternion_multiply(x, b, x), a, nsdyn_quaternion_multiply(a, b, c));
  SAME(4, nsdyn_quaternion_multiply(a, x, x), b, nsdyn_quaternion_multiply(a, b, c));
  SAME(4, nsdyn_quaternion_conjugate(x, x), a, nsdyn_quaternion_conjugate(a, c));
  SAME(4, nsdyn_quaternion_normalize(x, x), a, nsdyn_quaternion_normalize(a, c));
  SAME(3, nsdyn_quaternion_rotate(a, x, x), b, nsdyn_quaternion_rotate(a, b, c));
  SAME(3, nsdyn_quaternion_rotate_back(a, x, x), b, nsdyn_quaternion_rotate_back(a, b, c));
  SAME(4, nsdyn_quaternion_rate_world(x, b, x), a, nsdyn_quaternion_rate_world(a, b, c));
  SAME(3, nsdyn_quaternion_omega_body(a, x, x), b, nsdyn_quaternion_omega_body(a, b, c));
  SAME(4, nsdyn_quaternion_retract_world(x, b, 0.1, x), a, nsdyn_quaternion_retract_world(a, b, 0.1, c));
  SAME(4, nsdyn_quaternion_retract_body(x, b, 0.1, x), a, nsdyn_quaternion_retract_body(a, b, 0.1, c));
#undef SAME
}
END_TEST

SUITE("base/quaternion", TEST(axis_and_angle_are_rodrigues_formula), TEST(matrices_and_products_agree),
      TEST(products_are_hamiltons), TEST(a_matrix_has_its_quaternion),
      TEST(rates_are_those_of_the_retraction), TEST(retractions_are_the_exponential),
      TEST(the_norm_stays_over_a_million_steps), TEST(no_time_normalises), TEST(scales_do_not_matter),
      TEST(what_is_no_rotation_gives_no_number), TEST(outputs_may_be_inputs))
