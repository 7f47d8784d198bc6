/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Shapes of random points, their sizes, and where pairs of them touch. */
#include "hash.h"
#include "nsdyn/nsdyn.h"

enum { MOST = 40 };

/* Round the origin, by squares and roots only: points of a circle by halving, with random radii. */
static nsdyn_shape *random_shape(stream *from, hash *h)
{
  double p[2 * MOST];
  const int kind = stream_below(from, 5), sides = 3 + stream_below(from, MOST - 3);
  const int count = kind == NSDYN_SHAPE_CIRCLE ? 1 : kind == NSDYN_SHAPE_CAPSULE ? 2 : sides;
  for (int i = 0; i < count; i++) {
    /* the rational points of a circle, t from −∞ to ∞ */
    const double s = (i + 0.5) / count, t = (2.0 * s - 1.0) / (4.0 * s * (1.0 - s));
    const double r = (0.75 + 0.25 * stream_number(from)) / (1.0 + t * t);
    p[2 * i] = r * (1.0 - t * t);
    p[2 * i + 1] = r * 2.0 * t;
  }
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  nsdyn_shape_properties sizes;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_shape_properties_init(&sizes, sizeof sizes);
  def.kind = kind;
  def.side = stream_below(from, 2);
  def.count = count;
  def.points = p;
  def.radius = stream_below(from, 2) || kind == NSDYN_SHAPE_CIRCLE ? 0.1 : 0.0;
  hash_int(h, nsdyn_shape_new(NULL, &def, &shape, NULL));
  if (shape) {
    hash_int(h, nsdyn_shape_measure(shape, &sizes));
    hash_int(h, sizes.vertices);
    hash_double(h, sizes.area);
    hash_doubles(h, 2, sizes.centroid);
    hash_doubles(h, 3, sizes.second);
    hash_double(h, sizes.length);
  }
  return shape;
}

static void hash_touches(hash *h, const nsdyn_detector *detector, const nsdyn_detector_result *result)
{
  hash_int(h, result->touches);
  hash_int(h, result->is_deep);
  hash_double(h, result->depth);
  hash_int(h, result->visited);
  for (int32_t i = 0; i < result->touches; i++) {
    nsdyn_touch touch;
    nsdyn_touch_init(&touch, sizeof touch);
    hash_int(h, nsdyn_detector_touch(detector, i, &touch));
    hash_int(h, nsdyn_touch_key(3, &touch));
    hash_double(h, touch.gap);
    hash_doubles(h, 2, touch.normal);
    hash_doubles(h, 4, touch.point);
    hash_doubles(h, 4, touch.middle);
  }
}

static int hash_pair(void *user, int32_t first, int32_t second)
{
  hash_int(user, first);
  hash_int(user, second);
  return 0;
}

/* Bodies that move, and in which order their pairs come. */
void golden_broad_phase(hash *h)
{
  enum { BODIES = 200, STEPS = 60 };
  stream from = stream_begin(1);
  nsdyn_broad_phase_options options;
  nsdyn_broad_phase *broad = NULL;
  double x[BODIES][2], v[BODIES][2];
  nsdyn_broad_phase_options_init(&options, sizeof options);
  options.reach = 0.02;
  options.fat = 0.1;
  hash_int(h, nsdyn_broad_phase_new(NULL, &options, &broad, NULL));
  for (int i = 0; i < BODIES; i++) {
    stream_fill(&from, 2, x[i]);
    stream_fill(&from, 2, v[i]);
  }
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < BODIES; i++) {
      for (int a = 0; a < 2; a++) {
        x[i][a] += 0.02 * v[i][a];
      }
      const double box[4] = {x[i][0], x[i][1], x[i][0] + 0.1, x[i][1] + 0.1};
      hash_int(h, nsdyn_broad_phase_set(broad, i, box));
    }
    hash_int(h, nsdyn_broad_phase_pairs(broad, step % 3 ? 0.02 : 0.2, hash_pair, h));
    int32_t id;
    double least;
    hash_int(h, nsdyn_broad_phase_nearest(broad, v[step], NULL, NULL, &id, &least));
    hash_int(h, id);
    hash_double(h, least);
  }
  nsdyn_broad_phase_free(broad);
}

void golden_geometry(hash *h)
{
  nsdyn_detector *detector = NULL;
  hash_int(h, nsdyn_detector_new(NULL, NULL, &detector, NULL));
  for (int number = 0; number < 400; number++) {
    stream from = stream_begin((uint64_t)number);
    nsdyn_shape *a = random_shape(&from, h), *b = random_shape(&from, h);
    for (int i = 0; a && b && i < 4; i++) {
      double pose[6];
      stream_fill(&from, 6, pose);
      nsdyn_detector_result result;
      nsdyn_detector_result_init(&result, sizeof result);
      hash_int(h, nsdyn_detector_search(detector, a, pose, b, pose + 3, i % 2 ? 0.1 : 10.0, &result));
      hash_touches(h, detector, &result);
    }
    nsdyn_shape_free(a);
    nsdyn_shape_free(b);
  }
  nsdyn_detector_free(detector);
}
