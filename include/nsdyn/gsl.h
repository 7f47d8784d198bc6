/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief For programs that use GSL: its vectors, matrices and splines handed to nsdyn, and back.
 *
 * Everything here is inline and compiled into your program; the library's ABI knows no type of GSL.
 * Include it by name (nsdyn.h leaves it out) and link with GSL yourself, for example by
 * `pkg-config --libs nsdyn gsl`.
 *
 * Nothing is copied: a gsl_matrix is row-major like the matrices of nsdyn, its `tda` is their row
 * stride `lda`. A vector passes only where its elements stand side by side; a column of a matrix, say,
 * must be copied by you (gsl_vector_memcpy).
 *
 * GSL's error handler belongs to your program. No function here sets it or lets a call reach it: what
 * GSL would complain about is checked before, and reported by the return value.
 */
#ifndef NSDYN_GSL_H
#define NSDYN_GSL_H

#include <stddef.h>
#include <stdint.h>

#include <gsl/gsl_interp.h>
#include <gsl/gsl_matrix_double.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_vector_double.h>

/**
 * @name Matrices and vectors of GSL for nsdyn
 * @{
 */

/**
 * @brief A size of GSL's as nsdyn counts, in int32_t.
 * @return −1 where it is too large for that; nsdyn refuses that as a size, with a message.
 */
static inline int32_t nsdyn_gsl_size(size_t size)
{
  return size <= (size_t)INT32_MAX ? (int32_t)size : -1;
}

/** @brief Rows of a matrix, or −1 where they are more than an int32_t counts. */
static inline int32_t nsdyn_gsl_matrix_rows(const gsl_matrix *matrix)
{
  return nsdyn_gsl_size(matrix->size1);
}

/** @brief Columns of a matrix, or −1 where they are more than an int32_t counts. */
static inline int32_t nsdyn_gsl_matrix_cols(const gsl_matrix *matrix)
{
  return nsdyn_gsl_size(matrix->size2);
}

/** @brief Row stride of a matrix (GSL's tda), or −1 where it is more than an int64_t counts. */
static inline int64_t nsdyn_gsl_matrix_lda(const gsl_matrix *matrix)
{
  return matrix->tda <= (size_t)INT64_MAX ? (int64_t)matrix->tda : -1;
}

/** @brief The elements of a matrix, to be written: (i, j) stands at [i*lda + j]. Not a copy. */
static inline double *nsdyn_gsl_matrix_data(gsl_matrix *matrix)
{
  return matrix->data;
}

/** @brief The elements of a matrix, to be read: (i, j) stands at [i*lda + j]. Not a copy. */
static inline const double *nsdyn_gsl_matrix_const_data(const gsl_matrix *matrix)
{
  return matrix->data;
}

/** @brief Elements of a vector, or −1 where they are more than an int32_t counts. */
static inline int32_t nsdyn_gsl_vector_size(const gsl_vector *vector)
{
  return nsdyn_gsl_size(vector->size);
}

/**
 * @brief The elements of a vector, to be written. Not a copy.
 * @return NULL where they do not stand side by side (stride other than 1, and more than one element).
 */
static inline double *nsdyn_gsl_vector_data(gsl_vector *vector)
{
  return vector->stride == 1 || vector->size <= 1 ? vector->data : NULL;
}

/**
 * @brief The elements of a vector, to be read. Not a copy.
 * @return NULL where they do not stand side by side (stride other than 1, and more than one element).
 */
static inline const double *nsdyn_gsl_vector_const_data(const gsl_vector *vector)
{
  return vector->stride == 1 || vector->size <= 1 ? vector->data : NULL;
}

/** @} */

/**
 * @name Arrays of nsdyn for GSL
 *
 * Like gsl_vector_view_array() and its kin, with two differences: sizes may be zero, and wrong
 * arguments give a view of nothing (no elements, data NULL) instead of a call of the error handler.
 * A view owns nothing and lives as long as its array.
 * @{
 */

/**
 * @brief A view of n numbers, for example a state or a vector of impulses; take `&view.vector`.
 * @param[in] data  n numbers.
 * @param[in] n     >= 0.
 */
static inline gsl_vector_view nsdyn_gsl_vector_view(double *data, int32_t n)
{
  const int good = data != NULL && n > 0;
  gsl_vector_view view;
  view.vector.size = good ? (size_t)n : 0;
  view.vector.stride = 1;
  view.vector.data = good ? data : NULL;
  view.vector.block = NULL;
  view.vector.owner = 0;
  return view;
}

/**
 * @brief A view of a matrix, for example a mass matrix; take `&view.matrix`.
 * @param[in] data       element (i, j) at [i*lda + j].
 * @param[in] rows,cols  >= 0.
 * @param[in] lda        >= cols.
 */
static inline gsl_matrix_view nsdyn_gsl_matrix_view(double *data, int32_t rows, int32_t cols, int64_t lda)
{
  const int good = data != NULL && rows > 0 && cols > 0 && lda >= cols;
  gsl_matrix_view view;
  view.matrix.size1 = good ? (size_t)rows : 0;
  view.matrix.size2 = good ? (size_t)cols : 0;
  view.matrix.tda = good ? (size_t)lda : 0;
  view.matrix.data = good ? data : NULL;
  view.matrix.block = NULL;
  view.matrix.owner = 0;
  return view;
}

/** @} */

/**
 * @name A spline as a friction curve
 * @{
 */

/**
 * @brief A friction coefficient over the sliding speed, as a spline.
 *
 * Both members stay yours: make them, fill the spline with gsl_spline_init(), free them when the
 * library no longer uses them.
 */
typedef struct nsdyn_gsl_friction {
  gsl_spline *spline;      /**< μ over the speed, from rest (or the lowest speed known) upwards. */
  gsl_interp_accel *accel; /**< Remembers the last place; of this curve and thread only. May be NULL. */
} nsdyn_gsl_friction;

/**
 * @brief The friction callback that evaluates a spline.
 *
 * Speeds outside of the spline's range have the μ of its nearest end, so the curve need not begin at
 * rest nor end above the fastest contact.
 *
 * @code
 * nsdyn_gsl_friction curve = {gsl_spline_alloc(gsl_interp_steffen, 4), gsl_interp_accel_alloc()};
 * gsl_spline_init(curve.spline, speeds, coefficients, 4);
 * int stopped = nsdyn_gsl_friction_mu(&curve, 0.3, &mu);
 * @endcode
 *
 * (gsl_interp_steffen and gsl_interp_linear stay between their points; gsl_interp_cspline may swing
 * below zero.)
 *
 * @param[in]  user   the #nsdyn_gsl_friction.
 * @param[in]  speed  |γ_T| >= 0, in the unit of the spline's points.
 * @param[out] mu     the coefficient >= 0; untouched on failure.
 * @return 0; −1 where there is no spline, the speed is NaN, or the spline is negative or no number
 *         there.
 */
static inline int nsdyn_gsl_friction_mu(void *user, double speed, double *mu)
{
  const nsdyn_gsl_friction *curve = (const nsdyn_gsl_friction *)user;
  double value, at = speed;
  if (curve == NULL || curve->spline == NULL || speed != speed) {
    return -1;
  }
  at = at < curve->spline->interp->xmin ? curve->spline->interp->xmin : at;
  at = at > curve->spline->interp->xmax ? curve->spline->interp->xmax : at;
  if (gsl_spline_eval_e(curve->spline, at, curve->accel, &value) != 0 || !(value >= 0.0)) {
    return -1;
  }
  *mu = value;
  return 0;
}

/** @} */

#endif
