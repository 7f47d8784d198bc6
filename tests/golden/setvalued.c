/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What lib/setvalued computes. */
#include "nsdyn/setvalued.h"

#include <math.h>

#include "hash.h"

static void hash_maps(hash *h, double a, double x, double y)
{
  double v[10];
  hash_int(h, nsdyn_upr(x, &v[0], &v[1]) + 2 * nsdyn_sgn(a, x, &v[2], &v[3]));
  hash_int(h, nsdyn_upr_contains(x, -y) + 2 * nsdyn_sgn_contains(a, x, -y));
  nsdyn_sgn_split(a, x, y, &v[4], &v[5], &v[6], &v[7]);
  nsdyn_sgn_join(v[4], v[5], v[6], v[7], &v[8], &v[9]);
  hash_doubles(h, 10, v);
}

static void hash_sets(hash *h, double lo, double hi, double rho, double x, double y)
{
  const double r = fabs(lo), at[2] = {x, hi}, push[2] = {y, lo};
  double v[8];
  hash_int(h, nsdyn_interval_normal(lo, hi, x, &v[0], &v[1]) + 4 * nsdyn_disk_normal(r, at));
  v[2] = nsdyn_interval_prox(lo, hi, x);
  v[3] = nsdyn_interval_residual(lo, hi, rho, x, y);
  v[4] = nsdyn_half_line_residual(rho, x, y);
  v[5] = nsdyn_disk_residual(r, rho, at, push);
  nsdyn_disk_prox(r, at, &v[6]);
  hash_doubles(h, 8, v);
}

static void hash_ncp(hash *h, double lambda, double lo, double hi, double x, double y)
{
  double v[18];
  v[0] = nsdyn_ncp_min(x, y, &v[1], &v[2]);
  v[3] = nsdyn_ncp_fb(x, y, &v[4], &v[5]);
  v[6] = nsdyn_ncp_pfb(lambda, x, y, &v[7], &v[8]);
  v[9] = nsdyn_ncp_min_box(lo, hi, x, y, &v[10], &v[11]);
  v[12] = nsdyn_ncp_fb_box(lo, hi, x, y, &v[13], &v[14]);
  v[15] = nsdyn_ncp_pfb_box(lambda, lo, hi, x, y, &v[16], &v[17]);
  hash_doubles(h, 18, v);
}

static void hash_space(hash *h, double a, double b, double rho, const double *z)
{
  const int32_t sides = 4 + 2 * (int32_t)fmin(a, 20.0);
  double v[37];
  nsdyn_disk_prox_derivative(a, z, v);
  nsdyn_ellipse_prox(a, b, z, v + 4);
  nsdyn_ellipse_prox_derivative(a, b, z, v + 6);
  nsdyn_polygon_prox(sides, b, z, v + 10);
  nsdyn_polygon_prox_derivative(sides, b, z, v + 12);
  nsdyn_cone_prox(a, z, v + 16);
  nsdyn_todorov(b, rho, z, v + 19, v + 22, v + 25);
  v[34] = nsdyn_ellipse_residual(a, b, rho, z, z + 1);
  v[35] = nsdyn_polygon_residual(sides, b, rho, z, z + 1);
  v[36] = nsdyn_cone_residual(a, rho, z, v + 16);
  hash_doubles(h, 37, v);
  nsdyn_cone_prox_derivative(a, z, v);
  hash_doubles(h, 9, v);
}

void golden_setvalued(hash *h)
{
  stream from = stream_begin(2);
  for (int k = 0; k < 3000; k++) {
    double v[5];
    for (int i = 0; i < 5; i++) {
      const int kind = stream_below(&from, 4);
      v[i] = kind == 0 ? stream_any(&from) : kind == 1 ? stream_below(&from, 5) - 2 : stream_scaled(&from);
    }
    const double lo = fmin(v[0], v[1]), hi = fmax(v[0], v[1]);
    hash_maps(h, fabs(v[2]), v[3], v[4]);
    hash_sets(h, lo, hi, fabs(v[2]), v[3], v[4]);
    hash_space(h, fabs(v[0]), fabs(v[1]), fabs(v[2]), &v[2]);
    hash_ncp(h, 0.5 + 0.5 * stream_number(&from), lo, hi, v[3], v[4]);
  }
}
