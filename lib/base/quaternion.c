/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Rotations by quaternions (w, x, y, z); p + 1 is the vector part. */
#include <float.h>
#include <math.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "base/vec3.h"
#include "nsdyn/rotation.h"

static void set(double w, double x, double y, double z, double *out)
{
  out[0] = w;
  nsd_vec3_set(x, y, z, out + 1);
}

static double square(const double *p)
{
  return (p[0] * p[0] + p[1] * p[1]) + (p[2] * p[2] + p[3] * p[3]);
}

/* e := p / ‖p‖; p itself where its norm is 1 but for rounding. Returns ‖p‖ × `*unit`, a power of two that
 * keeps squares from overflow and underflow; NaN, and e is NaN, where p has no direction. */
static double direct(const double *p, double *e, double *unit)
{
  double norm_2 = square(p);
  *unit = 1.0;
  if (!(norm_2 > 0x1p-900 && norm_2 < 0x1p+900)) {
    const double largest = fmax(fmax(fabs(p[0]), fabs(p[1])), fmax(fabs(p[2]), fabs(p[3])));
    const double all = ((p[0] + p[1]) + p[2]) + p[3]; /* fmax() passes over a NaN */
    double scaled[4];
    *unit = largest > 1.0 ? 0x1p-600 : 0x1p+600;
    set(*unit * p[0], *unit * p[1], *unit * p[2], *unit * p[3], scaled);
    norm_2 = largest > 0.0 && largest <= DBL_MAX && !isnan(all) ? square(scaled) : (double)NAN;
    const double norm = sqrt(norm_2);
    set(scaled[0] / norm, scaled[1] / norm, scaled[2] / norm, scaled[3] / norm, e);
    return norm;
  }
  const double norm = sqrt(norm_2);
  if (fabs(norm_2 - 1.0) <= NSD_QUATERNION_UNIT) {
    set(p[0], p[1], p[2], p[3], e);
  } else {
    set(p[0] / norm, p[1] / norm, p[2] / norm, p[3] / norm, e);
  }
  return norm;
}

/* ---- algebra ---- */

void nsdyn_quaternion_multiply(const double *a, const double *b, double *out)
{
  set((a[0] * b[0] - a[1] * b[1]) - (a[2] * b[2] + a[3] * b[3]),
      (a[0] * b[1] + a[1] * b[0]) + (a[2] * b[3] - a[3] * b[2]),
      (a[0] * b[2] + a[2] * b[0]) + (a[3] * b[1] - a[1] * b[3]),
      (a[0] * b[3] + a[3] * b[0]) + (a[1] * b[2] - a[2] * b[1]), out);
}

void nsdyn_quaternion_conjugate(const double *p, double *out)
{
  set(p[0], -p[1], -p[2], -p[3], out);
}

double nsdyn_quaternion_normalize(const double *p, double *out)
{
  double unit;
  const double norm = direct(p, out, &unit);
  return norm / unit;
}

/* v + 2 w (r × v) + 2 r × (r × v) with the direction (w, r) of p, or (w, −r) for `sign` −1. */
static void rotate(const double *p, double sign, const double *v, double *out)
{
  double e[4], unit, once[3], twice[3];
  (void)direct(p, e, &unit);
  nsd_vec3_cross(e + 1, v, once);
  nsd_vec3_cross(e + 1, once, twice);
  nsd_vec3_add_scaled(twice, sign * e[0], once, twice);
  nsd_vec3_add_scaled(v, 2.0, twice, out);
}

void nsdyn_quaternion_rotate(const double *p, const double *v, double *out)
{
  rotate(p, 1.0, v, out);
}

void nsdyn_quaternion_rotate_back(const double *p, const double *v, double *out)
{
  rotate(p, -1.0, v, out);
}

/* ---- other forms ---- */

/* (c, s n) with n = axis / ‖axis‖ and (c, s) = (cos, sin) of `half`, an angle. */
static void turn_about(const double *axis, double half, double *out)
{
  const double as_quaternion[4] = {0.0, axis[0], axis[1], axis[2]};
  double n[4], unit, e[2] = {NAN, NAN};
  (void)direct(as_quaternion, n, &unit);
  if (isfinite(half)) {
    nsd_sin_cos(half, e);
  }
  set(isnan(n[1]) ? n[1] : e[0], e[1] * n[1], e[1] * n[2], e[1] * n[3], out);
}

void nsdyn_quaternion_from_axis_angle(const double *axis, double angle, double *out)
{
  turn_about(axis, 0.5 * angle, out);
}

void nsdyn_quaternion_to_matrix(const double *p, double *R)
{
  double e[4], unit;
  (void)direct(p, e, &unit);
  const double w = e[0], x = e[1], y = e[2], z = e[3];
  nsd_vec3_set(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y), R);
  nsd_vec3_set(2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x), R + 3);
  nsd_vec3_set(2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y), R + 6);
}

void nsdyn_quaternion_from_matrix(const double *R, double *out)
{
  /* 4 p pᵀ has these numbers in its rows: of four rows, all along p, that of the largest element of p is
   * taken (Shepperd 1978), so that nothing cancels. */
  const double trace = (R[0] + R[4]) + R[8];
  double p[4], unit;
  if (trace >= R[0] && trace >= R[4] && trace >= R[8]) {
    set(1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1], p);
  } else if (R[0] >= R[4] && R[0] >= R[8]) {
    set(R[7] - R[5], (1.0 + R[0]) - (R[4] + R[8]), R[1] + R[3], R[2] + R[6], p);
  } else if (R[4] >= R[8]) {
    set(R[2] - R[6], R[1] + R[3], (1.0 + R[4]) - (R[0] + R[8]), R[5] + R[7], p);
  } else {
    set(R[3] - R[1], R[2] + R[6], R[5] + R[7], (1.0 + R[8]) - (R[0] + R[4]), p);
  }
  (void)direct(p, out, &unit);
  if (out[0] < 0.0) {
    set(-out[0], -out[1], -out[2], -out[3], out);
  }
}

/* ---- motion ---- */

/* ½ (−p · ω, w ω + sign p × ω) with the vector part p: sign 1 is ½ p ∘ (0, ω), −1 is ½ (0, ω) ∘ p. */
static void differentiate(const double *p, double sign, const double *omega, double *rate)
{
  double across[3], along[3];
  const double scalar = nsd_vec3_dot(p + 1, omega);
  nsd_vec3_cross(p + 1, omega, across);
  nsd_vec3_scale(p[0], omega, along);
  nsd_vec3_add_scaled(along, sign, across, along);
  set(-0.5 * scalar, 0.5 * along[0], 0.5 * along[1], 0.5 * along[2], rate);
}

void nsdyn_quaternion_rate_world(const double *p, const double *omega, double *rate)
{
  differentiate(p, -1.0, omega, rate);
}

void nsdyn_quaternion_rate_body(const double *p, const double *omega, double *rate)
{
  differentiate(p, 1.0, omega, rate);
}

/* 2 (w r − r_0 p + sign p × r) of the direction (w, p) of p and (r_0, r) = ṗ / ‖p‖: sign 1 is 2 ṗ ∘ p⁻¹, −1
 * is 2 p⁻¹ ∘ ṗ. */
static void spin(const double *p, double sign, const double *rate, double *omega)
{
  double e[4], r[4], unit, across[3], sum[3];
  const double norm = direct(p, e, &unit);
  for (int i = 0; i < 4; i++) {
    r[i] = unit * rate[i] / norm;
  }
  nsd_vec3_cross(e + 1, r + 1, across);
  nsd_vec3_scale(e[0], r + 1, sum);
  nsd_vec3_add_scaled(sum, -r[0], e + 1, sum);
  nsd_vec3_add_scaled(sum, sign, across, sum);
  nsd_vec3_scale(2.0, sum, omega);
}

void nsdyn_quaternion_omega_world(const double *p, const double *rate, double *omega)
{
  spin(p, 1.0, rate, omega);
}

void nsdyn_quaternion_omega_body(const double *p, const double *rate, double *omega)
{
  spin(p, -1.0, rate, omega);
}

/* d := exp(½ ω dt) = (cos ½θ, n sin ½θ), where θ n = ω dt. */
static void exponential(const double *omega, double dt, double *d)
{
  double turn[3];
  nsd_vec3_scale(dt, omega, turn);
  const double angle = nsd_vec3_norm(turn);
  if (angle == 0.0) {
    set(1.0, 0.0, 0.0, 0.0, d);
  } else {
    turn_about(turn, 0.5 * angle, d);
  }
}

void nsdyn_quaternion_retract_world(const double *p, const double *omega, double dt, double *out)
{
  double e[4], d[4], unit;
  (void)direct(p, e, &unit);
  if (dt != 0.0) {
    exponential(omega, dt, d);
    nsdyn_quaternion_multiply(d, e, e);
    (void)direct(e, e, &unit);
  }
  set(e[0], e[1], e[2], e[3], out);
}

void nsdyn_quaternion_retract_body(const double *p, const double *omega, double dt, double *out)
{
  double e[4], d[4], unit;
  (void)direct(p, e, &unit);
  if (dt != 0.0) {
    exponential(omega, dt, d);
    nsdyn_quaternion_multiply(e, d, e);
    (void)direct(e, e, &unit);
  }
  set(e[0], e[1], e[2], e[3], out);
}
