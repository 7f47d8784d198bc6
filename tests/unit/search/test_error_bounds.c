/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/error_bounds.h"

#include "suite.h"

enum { N = 2 };

static nsd_arena lay_out(nsd_error_bounds *w)
{
  nsd_arena measure = nsd_arena_measure(), arena = nsd_arena_empty(NULL);
  nsd_error_bounds_lay_out(&measure, w, N);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_error_bounds_lay_out(&arena, w, N);
  return arena;
}

/* f_0 = 4 Λ_0 − 1 in a column, f_t = Λ_0 − Λ_1: v = 1/4, f_t = f_0 / 4 − Λ_1 + 1/4. */
START_TEST(signs_of_a_row)
{
  static const double a[N] = {4.0, 0.0}, d[1] = {-1.0}, t[N] = {1.0, -1.0};
  static const uint8_t basic[N] = {1, 0};
  nsd_error_bounds w;
  nsd_arena arena = lay_out(&w);
  w.a = a;
  w.d = d;
  w.R[0] = 0;
  w.v[0] = 0.25000001; /* made better */
  ck_assert_int_eq(nsd_error_bounds_select(&w, 1, t, basic), 1);
  w.X[0] = 0.25;
  ck_assert_int_eq(nsd_error_bounds_is_regular(&w), 1);
  nsd_error_bounds_bound_multipliers(&w, t);
  ck_assert(w.error[0] < 1e-14 && w.v[0] - 0.25 < 1e-14);
  ck_assert_int_eq(nsd_error_bounds_sign(&w, t, 0.0, -1), 1);
  ck_assert_int_eq(nsd_error_bounds_sign(&w, t, -0.5, -1), -1);
  ck_assert_int_eq(nsd_error_bounds_sign(&w, t, -0.25, -1), 2); /* zero, which rounding cannot say */
  ck_assert_int_eq(nsd_error_bounds_sign(&w, t, 0.0, 1), -1);
  w.X[0] = 1.0; /* no inverse */
  ck_assert_int_eq(nsd_error_bounds_is_regular(&w), 0);
  nsd_arena_release(&arena);
}
END_TEST

/* Where f_0 = 0 is Λ_0 = 1/4. */
START_TEST(signs_at_a_point)
{
  static const double a[N] = {4.0, 0.0}, d[1] = {-1.0}, t[N] = {1.0, 0.0};
  static const uint8_t basic[N] = {1, 0};
  nsd_error_bounds w;
  nsd_arena arena = lay_out(&w);
  w.a = a;
  w.d = d;
  w.R[0] = 0;
  w.point[0] = 0.2500001;
  ck_assert_int_eq(nsd_error_bounds_select(&w, 1, t, basic), 1);
  w.X[0] = 0.25;
  ck_assert_int_eq(nsd_error_bounds_is_regular(&w), 1);
  nsd_error_bounds_bound_point(&w);
  ck_assert_int_eq(nsd_error_bounds_sign_at_point(&w, t, 0.0), 1);
  ck_assert_int_eq(nsd_error_bounds_sign_at_point(&w, t, -0.25 - 1e-12), -1);
  ck_assert_int_eq(nsd_error_bounds_sign_at_point(&w, t, -0.25), 2);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("search/error_bounds", TEST(signs_of_a_row), TEST(signs_at_a_point))
