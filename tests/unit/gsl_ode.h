/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* GSL's integrator in one call, as a judge. */
#ifndef TESTS_UNIT_GSL_ODE_H
#define TESTS_UNIT_GSL_ODE_H

#include <gsl/gsl_odeiv2.h>

#include "suite.h"

/* y := y(to) from y(from), to `tolerance` in each unknown. */
static inline void gsl_integrate(int (*rate)(double, const double[], double[], void *), void *data, size_t n,
                                 double from, double to, double tolerance, double *y)
{
  gsl_odeiv2_system system = {rate, NULL, n, data};
  const double first = (to - from) / 100.0;
  gsl_odeiv2_driver *driver =
      gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, first, tolerance, tolerance);
  ck_assert_ptr_nonnull(driver);
  ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &from, to, y), 0);
  gsl_odeiv2_driver_free(driver);
}

#endif
