/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/box_tree.h"

#include "geometry/shape.h"
#include "shapes.h"

enum { WIDE = 40 };

/* The nearest edge and what is inside, by looking at all edges. */
START_TEST(nearest_and_inside)
{
  const int cases = random_cases(3000);
  int inside = 0, far = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * WIDE];
    const int n = 3 + random_below(&random, WIDE - 3);
    if (k % 2) {
      shapes_wild(&random, n, p);
    } else {
      shapes_star(&random, n, 0.8, p);
    }
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
    for (int i = 0; i < 10; i++) {
      const double x[2] = {random_between(&random, -1.2, 1.2), random_between(&random, -1.2, 1.2)};
      const double within = random_below(&random, 2) ? INFINITY : 0.2 * random_unit(&random);
      const double distance = shapes_to_outline(n, p, x);
      const nsd_nearest nearest = nsd_box_tree_nearest(&shape->line, &shape->tree, x, within);
      const int is_inside = nsd_box_tree_contains(&shape->line, &shape->tree, x, INFINITY);
      REQUIRE(is_inside == shapes_inside(n, p, x), "case %d", k);
      inside += is_inside;
      if (nearest.edge < 0) {
        REQUIRE(distance > within * (1.0 - 1e-12), "case %d: %g, %g", k, distance, within);
        far++;
        continue;
      }
      REQUIRE(fabs(nearest.distance - distance) <= 1e-14, "case %d: %g, %g", k, nearest.distance, distance);
      REQUIRE(nearest.is_behind == is_inside, "case %d", k);
    }
    nsdyn_shape_free(shape);
  }
  REQUIRE(is_common(inside, 10 * cases, 10) && is_common(far, 10 * cases, 10));
}
END_TEST

/* Each box holds its edges and those of its children, and its fan their normals; leaves are all edges in a
 * row.
 */
START_TEST(boxes_hold_their_edges)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    double p[2 * WIDE];
    const int n = 3 + random_below(&random, WIDE - 3);
    shapes_star(&random, n, 0.5 * random_unit(&random), p);
    nsdyn_shape *shape = shapes_make(NSDYN_SHAPE_POLYGON, n, p, 0.0);
    const nsd_outline *line = &shape->line;
    int32_t next = 0;
    for (int32_t i = 0; i < shape->tree.nodes; i++) {
      const nsd_box_node *node = &shape->tree.node[i];
      for (int32_t e = node->first; e <= node->first + node->count; e++) {
        const int32_t c = e % line->corners;
        for (int a = 0; a < 2; a++) {
          REQUIRE(fabs(line->p[c][a] - node->centre[a]) <= node->half[a] * (1.0 + 1e-15), "case %d", k);
        }
        const double *normal = line->n[c];
        const double cosine = normal[0] * node->facing[0] + normal[1] * node->facing[1];
        REQUIRE(e == node->first + node->count || cosine >= node->spread[0] - 1e-12, "case %d", k);
      }
      if (node->right == 0) {
        REQUIRE(node->first == next && node->count <= NSD_LEAF_EDGES, "case %d", k);
        next += node->count;
      }
    }
    REQUIRE(next == line->edges, "case %d", k);
    nsdyn_shape_free(shape);
  }
}
END_TEST

SUITE("geometry/box_tree", TEST(nearest_and_inside), TEST(boxes_hold_their_edges))
