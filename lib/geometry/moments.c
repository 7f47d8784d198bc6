/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/moments.h"

#include <math.h>

#include "base/safe_scalar.h"

#define PI 0x1.921fb54442d18p+1

double nsd_double_area(int32_t count, const double *p)
{
  double sum = 0.0;
  for (int32_t i = 1; i + 1 < count; i++) { /* triangles from the first point: far from the origin, too */
    const double *a = p + 2 * (size_t)i, *b = a + 2;
    sum += (a[0] - p[0]) * (b[1] - p[1]) - (a[1] - p[1]) * (b[0] - p[0]);
  }
  return sum;
}

/* Triangles o, a, b add up, with their sign: area D/2, first moment D/6 (a + b), ∫x² = D/12 (a² + ab + b²),
 * ∫xy = D/24 (2 a_x a_y + a_x b_y + b_x a_y + 2 b_x b_y), where D = a × b, all seen from o. */
static void polygon(int32_t count, const double *p, nsdyn_shape_properties *out)
{
  double o[2] = {p[0], p[1]};
  const double area = 0.5 * nsd_double_area(count, p);
  /* The second round is about the centre found in the first one, so that nothing cancels. */
  for (int round = 0; round < 2; round++) {
    double first[2] = {0.0, 0.0}, second[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < count; i++) {
      const double *from = p + 2 * (size_t)i, *to = i + 1 < count ? from + 2 : p;
      const double ax = from[0] - o[0], ay = from[1] - o[1], bx = to[0] - o[0], by = to[1] - o[1];
      const double d = ax * by - ay * bx;
      first[0] += d * (ax + bx);
      first[1] += d * (ay + by);
      second[0] += d * (ax * ax + ax * bx + bx * bx);
      second[1] += d * (ay * ay + ay * by + by * by);
      second[2] += d * (2.0 * ax * ay + ax * by + bx * ay + 2.0 * bx * by);
    }
    o[0] += first[0] / (6.0 * area);
    o[1] += first[1] / (6.0 * area);
    const double sign = area < 0.0 ? -1.0 : 1.0;
    out->second[0] = sign * second[0] / 12.0;
    out->second[1] = sign * second[1] / 12.0;
    out->second[2] = sign * second[2] / 24.0;
  }
  out->area = fabs(area);
  out->centroid[0] = o[0];
  out->centroid[1] = o[1];
}

/* A rectangle of length l and width 2r, and two half disks, whose centres of area are 4r/3π beyond its ends.
 */
static void capsule(const double *p, double r, nsdyn_shape_properties *out)
{
  const double x = p[2] - p[0], y = p[3] - p[1], l = nsd_norm_plane(x, y);
  const double disk = PI * r * r;
  out->area = 2.0 * r * l + disk;
  /* Along its axis ∫s² = 2r l³/12 + πr² (r²/4 + l²/4) + 4/3 l r³, across it ∫v² = l (2r)³/12 + πr⁴/4. */
  const double along = r * l * l * l / 6.0 + disk * (r * r + l * l) / 4.0 + 4.0 / 3.0 * l * r * r * r;
  const double across = 2.0 / 3.0 * l * r * r * r + disk * r * r / 4.0;
  const double c = x / l, s = y / l;
  out->second[0] = c * c * along + s * s * across;
  out->second[1] = s * s * along + c * c * across;
  out->second[2] = c * s * (along - across);
}

/* Length and centre of a line. */
static void line(int32_t count, const double *p, int closed, nsdyn_shape_properties *out)
{
  double length = 0.0, x = 0.0, y = 0.0;
  for (int32_t i = 0; i < (closed ? count : count - 1); i++) {
    const double *a = p + 2 * (size_t)i, *b = i + 1 < count ? a + 2 : p;
    const double l = nsd_norm_plane(b[0] - a[0], b[1] - a[1]);
    length += l;
    x += l * (0.5 * (a[0] - p[0]) + 0.5 * (b[0] - p[0]));
    y += l * (0.5 * (a[1] - p[1]) + 0.5 * (b[1] - p[1]));
  }
  out->length = length;
  out->centroid[0] = length > 0.0 ? p[0] + x / length : p[0];
  out->centroid[1] = length > 0.0 ? p[1] + y / length : p[1];
}

void nsd_moments(const nsdyn_shape_def *def, const double *p, nsdyn_shape_properties *out)
{
  line(def->count, p, def->kind == NSDYN_SHAPE_POLYGON, out);
  if (def->kind == NSDYN_SHAPE_POLYGON) {
    polygon(def->count, p, out);
  } else if (def->kind == NSDYN_SHAPE_CAPSULE) {
    capsule(p, def->radius, out);
  } else if (def->kind == NSDYN_SHAPE_CIRCLE) {
    const double r = def->radius;
    out->area = PI * r * r;
    out->second[0] = out->second[1] = out->area * r * r / 4.0;
  }
}
