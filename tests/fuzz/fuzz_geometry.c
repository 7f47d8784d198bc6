/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any points as a shape, and two shapes anywhere: what is made has sizes, and touches are where they say. */
#include <math.h>

#include "nsdyn/geometry.h"
#include "target.h"

enum { LONGEST = 24 };

/* Any double, or one of a coarse grid, on which points meet and edges touch. */
static double read_number(reader *from, int coarse)
{
  return coarse ? read_below(from, 9) - 4 : read_double(from);
}

static nsdyn_shape *read_shape(reader *from)
{
  double p[2 * LONGEST];
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_shape_def_init(&def, sizeof def);
  const int coarse = read_below(from, 4) > 0;
  def.kind = read_below(from, 6);
  def.side = read_below(from, 2);
  def.count = read_below(from, LONGEST + 1);
  def.radius = read_below(from, 2) ? 0.0 : read_number(from, coarse);
  def.points = p;
  for (int i = 0; i < 2 * LONGEST; i++) {
    p[i] = 0.25;
  }
  for (int i = 0; i < 2 * def.count; i++) {
    p[i] = read_number(from, coarse);
  }
  const nsdyn_status status = nsdyn_shape_new(NULL, &def, &shape, &error);
  REQUIRE((status == NSDYN_OK) == (shape != NULL) && (error.message[0] == 0) == (status == NSDYN_OK));
  if (shape) {
    nsdyn_shape_properties sizes;
    nsdyn_shape_properties_init(&sizes, sizeof sizes);
    REQUIRE(nsdyn_shape_measure(shape, &sizes) == NSDYN_OK);
    REQUIRE(sizes.area >= 0.0 && sizes.low[0] <= sizes.high[0] && sizes.low[1] <= sizes.high[1]);
    REQUIRE(sizes.vertices >= 1 && sizes.vertices <= sizes.count);
  }
  return shape;
}

static double size_of(const nsdyn_shape *shape)
{
  nsdyn_shape_properties sizes;
  nsdyn_shape_properties_init(&sizes, sizeof sizes);
  REQUIRE(nsdyn_shape_measure(shape, &sizes) == NSDYN_OK);
  return fmax(fmax(fabs(sizes.low[0]), fabs(sizes.low[1])), fmax(fabs(sizes.high[0]), fabs(sizes.high[1])));
}

static void search(nsdyn_detector *detector, const nsdyn_shape *a, const nsdyn_shape *b, reader *from)
{
  double pose[6];
  const int coarse = read_below(from, 4) > 0;
  for (int i = 0; i < 6; i++) {
    pose[i] = read_number(from, coarse);
  }
  const double margin = fabs(read_number(from, coarse));
  nsdyn_detector_result result = {.size = sizeof result};
  const nsdyn_status status = nsdyn_detector_search(detector, a, pose, b, pose + 3, margin, &result);
  REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_NOT_FINITE ||
          (status == NSDYN_ERR_ARGUMENT && isnan(margin)));
  if (status) {
    return;
  }
  /* Gaps are told to rounding of where the bodies are. */
  const double rounding =
      1e-12 * (fabs(pose[0]) + fabs(pose[1]) + fabs(pose[3]) + fabs(pose[4]) + size_of(a) + size_of(b));
  REQUIRE(result.touches >= 0 && result.skin >= 0.0 && result.depth >= 0.0);
  for (int32_t i = 0; i < result.touches; i++) {
    nsdyn_touch touch = {.size = sizeof touch}, back = {.size = sizeof back};
    int32_t pair;
    REQUIRE(nsdyn_detector_touch(detector, i, &touch) == NSDYN_OK);
    REQUIRE(isfinite(touch.gap) && isfinite(touch.normal[0]) && isfinite(touch.normal[1]));
    REQUIRE(fabs(hypot(touch.normal[0], touch.normal[1]) - 1.0) < 1e-12);
    REQUIRE(result.is_deep || touch.gap >= -result.skin - rounding);
    const int64_t key = nsdyn_touch_key(i, &touch);
    REQUIRE(key >= 0 && nsdyn_touch_of_key(key, &pair, &back) == NSDYN_OK && pair == i &&
            back.kind == touch.kind);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  nsdyn_shape *a = read_shape(&from), *b = read_shape(&from);
  nsdyn_detector *detector = NULL;
  REQUIRE(nsdyn_detector_new(NULL, NULL, &detector, NULL) == NSDYN_OK);
  for (int i = 0; a && b && i < 3; i++) {
    search(detector, a, b, &from);
    search(detector, b, a, &from);
    search(detector, a, a, &from);
  }
  nsdyn_detector_free(detector);
  nsdyn_shape_free(a);
  nsdyn_shape_free(b);
  return 0;
}
