/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Orientations in space as quaternions: what the callbacks of a system with free bodies need.
 *
 * A quaternion p = (w, x, y, z) stands for a body's orientation. Its scalar comes first; products are
 * Hamilton's (i j = k). The rotation takes components along the body's axes to components along those of the
 * world, v_world = R(p) v_body, by
 *
 *     (0, v_world) = p ∘ (0, v_body) ∘ p⁻¹.
 *
 * That is the same as turning a vector of the world actively: p = (cos φ/2, n sin φ/2) turns by the angle φ
 * about the axis n, anticlockwise where n points at you. p and −p are one orientation, p ∘ r is "first r,
 * then p".
 *
 * *Units.* Angles are in radians, angular velocities in radians per unit of time, dt in that unit of time. A
 * quaternion has no unit. What stands for an orientation is its direction: wherever a rotation is asked for,
 * p may have any norm but zero, so that a norm that an integrator has let drift does not stretch a body.
 *
 * *Angular velocity* ω has components along the axes of the world, or of the body; the names of the functions
 * say which. With M of a free body, the body's axes keep the inertia constant, and the gyroscopic moment
 * −ω × J ω belongs into `force`; W of a contact at the arm r (world) has r × n in the columns of ω for the
 * world, and Rᵀ (r × n) for the body.
 *
 * *Conventions of the whole header.* Functions of their arguments alone: no state, no status, no memory, and
 * with + − × ÷ √ only, so that every machine gives the same bits (sine and cosine, too, are the library's
 * own). An output may be one of the inputs, with the same address. Arrays have 4 numbers for a quaternion, 3
 * for a vector, 9 for a matrix, by rows.
 * - A quaternion without a direction (zero, or with a NaN or an infinity) gives NaN in every number that
 *   depends on its direction; other NaNs and infinities go where sums carry them. A callback that hands them
 *   on is refused by the library with its name.
 * - Quaternions, vectors, angular velocities and times of 1e±150 are as good as those near 1: nothing
 *   overflows or underflows on the way that does not in the result.
 *
 * @code
 * // q: place of the centre of mass, quaternion; u: its velocity in the world, ω in the axes of the body
 * static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
 * {
 *   (void)user, (void)t;
 *   for (int i = 0; i < 3; i++) {
 *     qdot[i] = u[i];
 *   }
 *   nsdyn_quaternion_rate_body(q + 3, u + 3, qdot + 3);
 *   return 0;
 * }
 * static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
 * {
 *   (void)user, (void)t;
 *   for (int i = 0; i < 3; i++) {
 *     q_new[i] = q[i] + dt * u[i];
 *   }
 *   nsdyn_quaternion_retract_body(q + 3, u + 3, dt, q_new + 3);
 *   return 0;
 * }
 * @endcode
 */
#ifndef NSDYN_ROTATION_H
#define NSDYN_ROTATION_H

#include "export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * @defgroup rotation_algebra Quaternions
 * Products, and what a quaternion does to a vector.
 * @{
 */

/**
 * @brief a ∘ b: first the rotation b, then a. Norms multiply; nothing is normalised.
 * @param[in]  a,b  quaternions.
 * @param[out] out  their product.
 */
NSDYN_API void nsdyn_quaternion_multiply(const double *a, const double *b, double *out);

/**
 * @brief (w, −x, −y, −z): the rotation back. Of a quaternion of norm 1 it is the inverse.
 * @param[in]  p    quaternion.
 * @param[out] out  its conjugate.
 */
NSDYN_API void nsdyn_quaternion_conjugate(const double *p, double *out);

/**
 * @brief p / ‖p‖.
 * @param[in]  p    quaternion.
 * @param[out] out  of norm 1, to some roundings.
 * @return ‖p‖.
 */
NSDYN_API double nsdyn_quaternion_normalize(const double *p, double *out);

/**
 * @brief R(p) v: from the body's axes to the world's. ‖v‖ stays, to some roundings.
 * @param[in]  p    quaternion, of any norm but 0.
 * @param[in]  v    vector along the body's axes.
 * @param[out] out  the same vector along the world's.
 */
NSDYN_API void nsdyn_quaternion_rotate(const double *p, const double *v, double *out);

/**
 * @brief R(p)ᵀ v: from the world's axes to the body's.
 * @param[in]  p    quaternion, of any norm but 0.
 * @param[in]  v    vector along the world's axes.
 * @param[out] out  the same vector along the body's.
 */
NSDYN_API void nsdyn_quaternion_rotate_back(const double *p, const double *v, double *out);

/** @} */

/**
 * @defgroup rotation_forms Other forms of a rotation
 * Axis and angle, and the matrix.
 * @{
 */

/**
 * @brief (cos φ/2, n sin φ/2) with n = axis / ‖axis‖.
 * @param[in]  axis   of any length but 0; 0 or no number gives NaN.
 * @param[in]  angle  φ in radians; beyond 1e6 it says no more than its last bit does, and no number gives
 * NaN.
 * @param[out] out    of norm 1, to some roundings.
 */
NSDYN_API void nsdyn_quaternion_from_axis_angle(const double *axis, double angle, double *out);

/**
 * @brief R(p), 3 × 3 by rows; its columns are the body's axes in the world. Orthogonal to some roundings.
 * @param[in]  p  quaternion, of any norm but 0.
 * @param[out] R  9 numbers; not p.
 */
NSDYN_API void nsdyn_quaternion_to_matrix(const double *p, double *R);

/**
 * @brief The quaternion of a rotation matrix, of the two the one with w >= 0.
 *
 * It is found without cancellation, whatever the angle. That R is a rotation is not checked: errors of R of
 * size e make errors of that size, and a matrix that turns right into left has no quaternion.
 *
 * @param[in]  R    9 numbers, by rows.
 * @param[out] out  of norm 1, to some roundings; not R.
 */
NSDYN_API void nsdyn_quaternion_from_matrix(const double *R, double *out);

/** @} */

/**
 * @defgroup rotation_motion Motion
 * Between angular velocities and quaternions: for `kinematics` and `retract` of nsdyn_system_def.
 * @{
 */

/**
 * @brief ṗ = ½ (0, ω) ∘ p, with ω along the axes of the world. Linear in p and in ω; ‖p‖ does not change.
 * @param[in]  p      quaternion.
 * @param[in]  omega  angular velocity.
 * @param[out] rate   ṗ, 4 numbers, per unit of time.
 */
NSDYN_API void nsdyn_quaternion_rate_world(const double *p, const double *omega, double *rate);

/**
 * @brief ṗ = ½ p ∘ (0, ω), with ω along the axes of the body.
 * @param[in]  p      quaternion.
 * @param[in]  omega  angular velocity.
 * @param[out] rate   ṗ, 4 numbers, per unit of time.
 */
NSDYN_API void nsdyn_quaternion_rate_body(const double *p, const double *omega, double *rate);

/**
 * @brief ω = 2 ṗ ∘ p⁻¹ along the axes of the world. What of ṗ changes ‖p‖ alone is left out.
 * @param[in]  p      quaternion, of any norm but 0.
 * @param[in]  rate   ṗ.
 * @param[out] omega  angular velocity, 3 numbers.
 */
NSDYN_API void nsdyn_quaternion_omega_world(const double *p, const double *rate, double *omega);

/**
 * @brief ω = 2 p⁻¹ ∘ ṗ along the axes of the body. What of ṗ changes ‖p‖ alone is left out.
 * @param[in]  p      quaternion, of any norm but 0.
 * @param[in]  rate   ṗ.
 * @param[out] omega  angular velocity, 3 numbers.
 */
NSDYN_API void nsdyn_quaternion_omega_body(const double *p, const double *rate, double *omega);

/**
 * @brief The orientation after dt at constant ω, along the axes of the world: exp(½ ω dt) ∘ p, normalised.
 *
 * The exponential is the motion itself: a body that spins about a fixed axis is where it belongs after a step
 * of any length, and nothing is lost to the order of a scheme. dt = 0 normalises p, and does not read ω. The
 * norm is 1 to two units of its last place, after any number of steps, and what has it is not touched by dt =
 * 0.
 *
 * @param[in]  p      quaternion, of any norm but 0.
 * @param[in]  omega  angular velocity.
 * @param[in]  dt     time, of any sign. ‖ω‖ dt beyond 2e6 radians turns by an angle of which the last bit is
 *                    all that is known; where it is no number, so is `out`.
 * @param[out] out    quaternion of norm 1.
 */
NSDYN_API void nsdyn_quaternion_retract_world(const double *p, const double *omega, double dt, double *out);

/**
 * @brief The same with ω along the axes of the body: p ∘ exp(½ ω dt), normalised.
 * @param[in]  p      quaternion, of any norm but 0.
 * @param[in]  omega  angular velocity.
 * @param[in]  dt     time, as of nsdyn_quaternion_retract_world().
 * @param[out] out    quaternion of norm 1.
 */
NSDYN_API void nsdyn_quaternion_retract_body(const double *p, const double *omega, double dt, double *out);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
