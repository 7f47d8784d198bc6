/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/sliding.h"

#include "base/tolerances.h"

#define STEPS 200

void nsd_sliding_find_axes(const double *S, double size, nsd_sliding_plane *plane)
{
  /* One rotation of Jacobi's, by the angle with the tangent t, |t| <= 1, for the symmetric part. The other
   * part is k times a quarter turn, which is the same in all axes. */
  const double half = 0.5 * (S[1] + S[2]), apart = 0.5 * (S[3] - S[0]);
  const double length = sqrt(apart * apart + half * half);
  const double t = length > 0.0 ? half / (apart >= 0.0 ? apart + length : apart - length) : 0.0;
  const double c = 1.0 / sqrt(1.0 + t * t), least = NSD_SLIDING_ROUNDING * size;
  plane->axis[0] = c;
  plane->axis[1] = -t * c;
  plane->s1 = S[0] - t * half;
  plane->s2 = S[3] + t * half;
  plane->k = 0.5 * (S[1] - S[2]);
  plane->s1 = fabs(plane->s1) < least ? least : plane->s1;
  plane->s2 = fabs(plane->s2) < least ? least : plane->s2;
}

/* H and its derivative at s, with r' = −(S + s)⁻¹ r. Returns the size of the terms of H − h. */
static double look(const nsd_sliding_plane *plane, const double *b, const double *m, double s, double *r,
                   double *H, double *slope)
{
  double change[2];
  nsd_sliding_reply(plane, s, b, r);
  nsd_sliding_reply(plane, s, r, change);
  const double norm = sqrt(nsd_sliding_dot(r, r)), along = nsd_sliding_dot(m, r);
  *H = norm + along;
  *slope = nsd_sliding_dot(r, change) / norm + nsd_sliding_dot(m, change);
  return norm + (fabs(m[0] * r[0]) + fabs(m[1] * r[1]));
}

/* Where Newton's step leaves the bracket: in the middle of the exponents, as long as they differ. */
static double middle(double low, double high, double unit)
{
  if (high == INFINITY) {
    return 8.0 * (low + unit);
  }
  if (low == 0.0) {
    return high * 0x1p-10;
  }
  return high > 4.0 * low ? sqrt(low * high) : 0.5 * (low + high);
}

int32_t nsd_sliding_solve(const nsd_sliding_plane *plane, const double *b, const double *m, double h,
                          double *r)
{
  double low = 0.0, high = INFINITY, s = 0.0;
  const double unit = fabs(plane->s1) + fabs(plane->s2) + fabs(plane->k);
  for (int32_t step = 1; step <= STEPS; step++) {
    double H, slope;
    const double size = look(plane, b, m, s, r, &H, &slope);
    const double over = H - h;
    if (fabs(over) <= NSD_SLIDING_ROOT * (size + h)) {
      return step;
    }
    *(over > 0.0 ? &low : &high) = s;
    /* Newton's method on 1/H = 1/h: s + (1/h − 1/H) H²/(−H') */
    const double next = s - over / slope * (H / h);
    const int leads = slope < 0.0 && H > 0.0 && next > low && next < high;
    const double chosen = leads ? next : middle(low, high, unit);
    if (!(chosen > low && chosen < high)) {
      return step; /* the bracket is one rounding wide */
    }
    s = chosen;
  }
  return STEPS;
}
