/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers into the set-valued elements: what the header says of all of them must hold, so no tolerance.
 */
#include <math.h>

#include "nsdyn/setvalued.h"
#include "target.h"

/* Membership in a set that is given as an interval, whose infinite ends are no members. */
static int is_member(double lo, double hi, double z)
{
  return lo <= z && z <= hi && isfinite(z);
}

static int is_same(double a, double b)
{
  return (isnan(a) && isnan(b)) || a == b;
}

static int is_interval(double lo, double hi)
{
  return lo <= hi && lo < INFINITY && hi > -INFINITY;
}

/* lo <= x <= hi with y >= 0 at lo, y <= 0 at hi, y = 0 between. */
static int is_mixed_solution(double lo, double hi, double x, double y)
{
  if (!(lo <= x && x <= hi)) {
    return 0;
  }
  return y == 0.0 || (x == lo && y > 0.0) || (x == hi && y < 0.0);
}

static void try_maps(double a, double x, double z)
{
  double lo = 1.0, hi = 1.0;
  REQUIRE(nsdyn_upr(x, &lo, &hi) == (lo <= hi) && (lo <= hi) == (x >= 0.0));
  REQUIRE(nsdyn_upr_contains(x, z) == is_member(lo, hi, z));
  REQUIRE(nsdyn_sgn(a, x, &lo, &hi) == (lo <= hi));
  REQUIRE(nsdyn_sgn_contains(a, x, z) == is_member(lo, hi, z));
  REQUIRE(a >= 0.0 || lo > hi);
  if (!(a >= 0.0 && isfinite(a) && isfinite(x) && isfinite(z))) {
    return;
  }
  double x_r, y_r, x_l, y_l;
  nsdyn_sgn_split(a, x, -z, &x_r, &y_r, &x_l, &y_l);
  REQUIRE(x_r >= 0.0 && x_l >= 0.0 && x_r - x_l == x);
  REQUIRE((y_r >= 0.0 && y_l >= 0.0 && (x_r == 0.0 || y_r == 0.0) && (x_l == 0.0 || y_l == 0.0)) ==
          nsdyn_sgn_contains(a, x, z));
}

static void try_half_line(double rho, double x, double y)
{
  const double p = nsdyn_half_line_prox(x);
  REQUIRE(isnan(x) ? isnan(p) : p == (x > 0.0 ? x : 0.0));
  if (rho > 0.0 && isfinite(rho) && isfinite(x) && isfinite(y)) {
    const double r = nsdyn_half_line_residual(rho, x, y);
    REQUIRE(r >= 0.0 && isfinite(r));
    REQUIRE((r == 0.0) == nsdyn_upr_contains(x, y));
  }
}

static void try_interval(double lo, double hi, double rho, double x, double y)
{
  double cone_lo, cone_hi;
  const int32_t kind = nsdyn_interval_normal(lo, hi, x, &cone_lo, &cone_hi);
  const double p = nsdyn_interval_prox(lo, hi, x);
  REQUIRE((kind == NSDYN_NORMAL_EMPTY) == !(cone_lo <= cone_hi));
  if (!(lo <= hi)) {
    REQUIRE(kind == NSDYN_NORMAL_EMPTY && isnan(p));
    return;
  }
  if (!is_interval(lo, hi) || isnan(x)) {
    return;
  }
  REQUIRE(lo <= p && p <= hi && nsdyn_interval_prox(lo, hi, p) == p);
  REQUIRE(!(lo <= x && x <= hi) || p == x);
  if (rho > 0.0 && isfinite(rho) && isfinite(x) && isfinite(y)) {
    const double r = nsdyn_interval_residual(lo, hi, rho, x, y);
    REQUIRE(r >= 0.0 && isfinite(r));
    REQUIRE((r == 0.0) == is_member(cone_lo, cone_hi, y));
  }
}

static void try_disk(double r, double rho, const double *x, const double *y)
{
  double p[2], again[2];
  const int32_t kind = nsdyn_disk_normal(r, x);
  nsdyn_disk_prox(r, x, p);
  if (!(r >= 0.0) || isnan(x[0]) || isnan(x[1])) {
    REQUIRE(kind == NSDYN_NORMAL_EMPTY && isnan(p[0]) && isnan(p[1]));
    return;
  }
  if (!isfinite(x[0]) || !isfinite(x[1])) {
    return;
  }
  REQUIRE(nsdyn_disk_normal(r, p) != NSDYN_NORMAL_EMPTY);
  nsdyn_disk_prox(r, p, again);
  REQUIRE(again[0] == p[0] && again[1] == p[1]);
  REQUIRE(kind == NSDYN_NORMAL_EMPTY || (p[0] == x[0] && p[1] == x[1]));
  if (rho > 0.0 && isfinite(rho) && isfinite(y[0]) && isfinite(y[1])) {
    const double residual = nsdyn_disk_residual(r, rho, x, y);
    REQUIRE(residual >= 0.0 && isfinite(residual));
  }
}

static int is_finite(int n, const double *v)
{
  int finite = 1;
  for (int i = 0; i < n; i++) {
    finite = finite && isfinite(v[i]);
  }
  return finite;
}

/* What holds for prox and derivative of every set: a member stays what it is, and all is finite. */
static void check_prox(int n, const double *p, const double *again, const double *D, double residual)
{
  REQUIRE(is_finite(n, p) && is_finite(n * n, D) && residual >= 0.0 && isfinite(residual));
  for (int i = 0; i < n; i++) {
    REQUIRE(again[i] == p[i]);
    REQUIRE(D[n * i + i] >= 0.0 && D[n * i + i] <= 1.0 + 1e-14);
    for (int j = 0; j < i; j++) {
      REQUIRE(D[n * i + j] == D[n * j + i]);
    }
  }
}

/* a, b: axes; z and y have 3 numbers, of which the plane takes the first two. */
static void try_space(double a, double b, int32_t sides, double rho, const double *z, const double *y)
{
  double p[3], again[3], D[9], F[3], nu[3];
  nsdyn_disk_prox_derivative(a, z, D);
  nsdyn_ellipse_prox(a, b, z, p);
  nsdyn_ellipse_prox_derivative(a, b, z, D);
  nsdyn_ellipse_prox(a, b, p, again);
  const int usable = a >= 0.0 && rho > 0.0 && isfinite(rho) && is_finite(3, z) && is_finite(3, y);
  if (usable && b >= 0.0) {
    check_prox(2, p, again, D, nsdyn_ellipse_residual(a, b, rho, z, y));
  }
  nsdyn_polygon_prox(sides, a, z, p);
  nsdyn_polygon_prox_derivative(sides, a, z, D);
  nsdyn_polygon_prox(sides, a, p, again);
  if (usable && sides >= 4 && sides % 2 == 0) {
    check_prox(2, p, again, D, nsdyn_polygon_residual(sides, a, rho, z, y));
  }
  nsdyn_cone_prox(a, z, p);
  nsdyn_cone_prox_derivative(a, z, D);
  nsdyn_cone_prox(a, p, again);
  if (usable) {
    check_prox(3, p, again, D, nsdyn_cone_residual(a, rho, z, y));
  }
  nsdyn_todorov(a, rho, z, F, nu, D);
  if (a >= 0.0 && isfinite(a) && rho > 0.0 && isfinite(rho) && is_finite(3, z)) {
    REQUIRE(is_finite(3, F) && is_finite(3, nu) && is_finite(9, D));
    REQUIRE(F[0] >= 0.0 && nu[0] >= 0.0 && (F[0] == 0.0 || nu[0] == 0.0));
  } else {
    REQUIRE(isnan(F[0]) && isnan(nu[2]) && isnan(D[4]));
  }
}

/* What holds for a value and its derivatives wherever the arguments are finite. */
static void check_value(double value, double da, double db, int zero)
{
  REQUIRE(isfinite(value) && isfinite(da) && isfinite(db));
  REQUIRE((value == 0.0) == zero);
}

static void try_ncp(double lambda, double a, double b)
{
  double da, db;
  double value = nsdyn_ncp_min(a, b, &da, &db);
  REQUIRE(is_same(value, nsdyn_ncp_min(a, b, NULL, NULL)));
  REQUIRE(!isnan(value) == (!isnan(a) && !isnan(b)));
  if (!isfinite(a) || !isfinite(b)) {
    nsdyn_ncp_fb(a, b, &da, &db);
    nsdyn_ncp_pfb(lambda, a, b, &da, &db);
    return;
  }
  const int zero = a >= 0.0 && b >= 0.0 && (a == 0.0 || b == 0.0);
  const int inside = a > 0.0 && b > 0.0;
  check_value(value, da, db, zero);
  value = nsdyn_ncp_fb(a, b, &da, &db);
  check_value(value, da, db, zero);
  REQUIRE(zero || (value < 0.0) == inside);
  REQUIRE(-2.0 <= da && da <= 0.0 && -2.0 <= db && db <= 0.0);
  REQUIRE(value == nsdyn_ncp_fb(b, a, NULL, NULL));
  value = nsdyn_ncp_pfb(lambda, a, b, &da, &db);
  if (lambda > 0.0 && lambda <= 1.0) {
    check_value(value, da, db, zero);
    REQUIRE(zero || (value > 0.0) == inside);
  } else {
    REQUIRE(isnan(value) && isnan(da) && isnan(db));
  }
}

static void try_boxes(double lambda, double lo, double hi, double x, double y)
{
  double dx, dy;
  double value = nsdyn_ncp_min_box(lo, hi, x, y, &dx, &dy);
  if (!is_interval(lo, hi)) {
    REQUIRE(isnan(value) && isnan(dx) && isnan(dy));
    REQUIRE(isnan(nsdyn_ncp_fb_box(lo, hi, x, y, &dx, &dy)) && isnan(dx) && isnan(dy));
    REQUIRE(isnan(nsdyn_ncp_pfb_box(lambda, lo, hi, x, y, &dx, &dy)) && isnan(dx) && isnan(dy));
    return;
  }
  if (!isfinite(x) || !isfinite(y)) {
    nsdyn_ncp_fb_box(lo, hi, x, y, &dx, &dy);
    nsdyn_ncp_pfb_box(lambda, lo, hi, x, y, &dx, &dy);
    return;
  }
  const int zero = is_mixed_solution(lo, hi, x, y);
  check_value(value, dx, dy, zero);
  value = nsdyn_ncp_fb_box(lo, hi, x, y, &dx, &dy);
  check_value(value, dx, dy, zero);
  value = nsdyn_ncp_pfb_box(lambda, lo, hi, x, y, &dx, &dy);
  if (lambda > 0.0 && lambda <= 1.0) {
    check_value(value, dx, dy, zero);
  } else {
    REQUIRE(isnan(value) && isnan(dx) && isnan(dy));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  double v[7];
  for (int i = 0; i < 7; i++) {
    v[i] = read_double(&from);
  }
  try_maps(v[0], v[1], v[2]);
  try_maps(fabs(v[0]), v[1], copysign(v[0], v[1])); /* on the graph, mostly */
  try_half_line(v[0], v[1], v[2]);
  try_interval(v[3], v[4], v[0], v[1], v[2]);
  try_interval(fmin(v[3], v[4]), fmax(v[3], v[4]), fabs(v[0]), v[1], v[2]);
  try_disk(fabs(v[0]), fabs(v[1]), v + 2, v + 4);
  try_disk(v[0], v[1], v + 2, v + 4);
  const int32_t sides = isfinite(v[5]) && fabs(v[5]) < 1e9 ? (int32_t)v[5] : 6;
  try_space(v[0], v[1], sides, v[2], v + 3, v + 4);
  try_space(fabs(v[0]), fabs(v[1]), 4 + 2 * (sides & 0xff), fabs(v[2]), v + 3, v + 4);
  try_ncp(v[0], v[1], v[2]);
  try_ncp(1.0 / (1.0 + fabs(v[0])), v[3], v[4]);
  try_boxes(v[0], v[3], v[4], v[1], v[2]);
  try_boxes(1.0 / (1.0 + fabs(v[0])), fmin(v[3], v[4]), fmax(v[3], v[4]), v[5], v[6]);
  return 0;
}
