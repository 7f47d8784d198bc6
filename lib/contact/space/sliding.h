/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sliding against a disk: (S + s) r = −b with one unknown number s >= 0, ξ' = −s r.
 *
 * In the axes of the symmetric part of S, S + s = [s1 + s, k; −k, s2 + s]. The inverse of that cancels
 * nothing where s1, s2 >= 0. */
#ifndef NSD_CONTACT_SPACE_SLIDING_H
#define NSD_CONTACT_SPACE_SLIDING_H

#include <math.h>
#include <stdint.h>

/* S in those axes. */
typedef struct nsd_sliding_plane {
  double axis[2]; /* the first of them */
  double s1, s2;  /* eigenvalues of the symmetric part; what is below rounding counts as that much */
  double k;
} nsd_sliding_plane;

static inline double nsd_sliding_dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

/* v in the axes of the plane, and back. */
static inline void nsd_sliding_into(const nsd_sliding_plane *p, const double *v, double *in)
{
  const double *a = p->axis, v0 = v[0], v1 = v[1];
  in[0] = a[0] * v0 + a[1] * v1;
  in[1] = a[0] * v1 - a[1] * v0;
}

static inline void nsd_sliding_out_of(const nsd_sliding_plane *p, const double *in, double *v)
{
  const double *a = p->axis, i0 = in[0], i1 = in[1];
  v[0] = a[0] * i0 - a[1] * i1;
  v[1] = a[1] * i0 + a[0] * i1;
}

/* r = −(S + s)⁻¹ b */
static inline void nsd_sliding_reply(const nsd_sliding_plane *p, double s, const double *b, double *r)
{
  const double x = p->s1 + s, y = p->s2 + s, per = -1.0 / (x * y + p->k * p->k);
  const double b0 = b[0], b1 = b[1];
  r[0] = (y * b0 - p->k * b1) * per;
  r[1] = (p->k * b0 + x * b1) * per;
}

/* S (2 × 2 by rows) in its axes; `size` is that of the terms of its elements. */
void nsd_sliding_find_axes(const double *S, double size, nsd_sliding_plane *plane);

/* r of the root s > 0 of H(s) = ‖r‖ + m·r = h, where H(0) > h > 0 and s1, s2 >= 0; all in the axes of the
 * plane. Returns the number of steps. */
int32_t nsd_sliding_solve(const nsd_sliding_plane *plane, const double *b, const double *m, double h,
                          double *r);

#endif
