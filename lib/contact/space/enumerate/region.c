/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/region.h"

#include <math.h>

#include "base/tolerances.h"

nsd_region nsd_region_of(int is_line, double unsure)
{
  return (nsd_region){
      .is_line = is_line, .unsure = unsure, .margin = INFINITY, .low = -INFINITY, .high = INFINITY};
}

static void cut(nsd_region *r, double low, double high)
{
  r->low = fmax(r->low, low);
  r->high = fmin(r->high, high);
}

/* What does not change along the line holds on all of it, or nowhere. */
static void ask_everywhere(nsd_region *r, double a)
{
  r->margin = fmin(r->margin, a);
  if (r->is_line && a < -r->unsure) {
    cut(r, INFINITY, -INFINITY);
  }
  r->is_unclear |= r->is_line && fabs(a) <= r->unsure;
}

void nsd_region_ask(nsd_region *r, double a, double b)
{
  if (!r->is_line || fabs(b) <= NSD_LINE_STAYS) {
    ask_everywhere(r, a);
  } else if (b > 0.0) {
    cut(r, -a / b, INFINITY);
  } else {
    cut(r, -INFINITY, -a / b);
  }
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

void nsd_region_ask_disk(nsd_region *r, const double *T, const double *T_on, double N, double N_on,
                         int is_slot)
{
  const double turns = sqrt(dot(T_on, T_on));
  if (!r->is_line || turns + fabs(N_on) <= NSD_LINE_STAYS) {
    ask_everywhere(r, (is_slot ? fabs(N) : N) - sqrt(dot(T, T)));
    return;
  }
  if (is_slot) {
    r->is_unclear = 1; /* two cones: what is in them need not hang together */
    return;
  }
  /* q = a t² + 2 b t + c >= 0, and of both cones that is two of, the one with N + t N' >= 0. */
  const double a = N_on * N_on - dot(T_on, T_on), b = N * N_on - dot(T, T_on), c = N * N - dot(T, T);
  const double steep = N_on * N_on + dot(T_on, T_on), large = N * N + dot(T, T);
  const double D = b * b - a * c;
  if (fabs(a) <= NSD_LINE_STAYS * steep || fabs(D) <= NSD_LINE_STAYS * steep * large) {
    r->is_unclear = 1;
    return;
  }
  if (D < 0.0) {
    cut(r, INFINITY, -INFINITY); /* a < 0: the line passes by */
    return;
  }
  /* Both roots without cancellation. */
  const double half = -(b + copysign(sqrt(D), b)), one = half / a, other = half != 0.0 ? c / half : -one;
  const double low = fmin(one, other), high = fmax(one, other);
  if (a < 0.0) {
    const double middle = 0.5 * (low + high);
    cut(r, N + middle * N_on > 0.0 ? low : INFINITY, N + middle * N_on > 0.0 ? high : -INFINITY);
  } else if (N_on > 0.0) {
    cut(r, high, INFINITY);
  } else {
    cut(r, -INFINITY, low);
  }
}
