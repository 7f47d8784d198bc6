/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solids: closed forms of their volumes and inertias, edges between their faces, what is refused. */
#include "geometry/space/solid.h"

#include <string.h>

#include "suite.h"

#define PI 3.14159265358979323846

static nsdyn_solid_properties properties_of(const nsdyn_solid_def *def)
{
  nsdyn_solid *solid = NULL;
  nsdyn_solid_properties p;
  nsdyn_solid_properties_init(&p, sizeof p);
  ck_assert_int_eq(nsdyn_solid_new(NULL, def, &solid, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_solid_measure(solid, &p), NSDYN_OK);
  nsdyn_solid_free(solid);
  return p;
}

START_TEST(volumes_and_inertias_are_known_ones)
{
  nsdyn_solid_def def;
  nsdyn_solid_def_init(&def, sizeof def);
  def.radius = 2.0;
  nsdyn_solid_properties p = properties_of(&def);
  ck_assert_double_eq_tol(p.volume, 32.0 / 3.0 * PI, 1e-13);
  ck_assert_double_eq_tol(p.inertia[1], 0.4 * 4.0 * p.volume, 1e-12);
  /* A capsule by slices across its axis: ∫ π ρ² dz, ∫ (¼ π ρ⁴ + π ρ² z²) dz. */
  def.kind = NSDYN_SOLID_CAPSULE;
  def.extent[0] = 3.0;
  p = properties_of(&def);
  double V = 0.0, across = 0.0, along = 0.0;
  const int slices = 20000;
  for (int i = 0; i < slices; i++) {
    const double dz = 7.0 / slices, z = -3.5 + (i + 0.5) * dz, over = fmax(0.0, fabs(z) - 1.5);
    const double square = 4.0 - over * over;
    V += PI * square * dz;
    across += (0.25 * PI * square * square + PI * square * z * z) * dz;
    along += 0.5 * PI * square * square * dz;
  }
  ck_assert_double_eq_tol(p.volume, V, 1e-6);
  ck_assert_double_eq_tol(p.inertia[0], across, 1e-5);
  ck_assert_double_eq_tol(p.inertia[1], across, 1e-5);
  ck_assert_double_eq_tol(p.inertia[2], along, 1e-5);
  /* A cylinder by slices along its axis's plane: of half width w = √(R² − x²), 2 w l dx. */
  def.kind = NSDYN_SOLID_CYLINDER;
  p = properties_of(&def);
  V = across = along = 0.0;
  for (int i = 0; i < slices; i++) { /* x = R sin φ */
    const double d = PI / slices, phi = -0.5 * PI + (i + 0.5) * d, x = 2.0 * sin(phi), w = 2.0 * cos(phi);
    const double dV = 2.0 * w * 3.0 * w * d;
    V += dV;
    across += (x * x + 9.0 / 12.0) * dV; /* about y, of what is as far as x, and thin */
    along += (x * x + w * w / 3.0) * dV;
  }
  ck_assert_double_eq_tol(p.volume, V, 1e-9);
  ck_assert_double_eq_tol(p.volume, 12.0 * PI, 1e-13);
  ck_assert_double_eq_tol(p.inertia[0], across, 1e-9);
  ck_assert_double_eq_tol(p.inertia[1], across, 1e-9);
  ck_assert_double_eq_tol(p.inertia[2], along, 1e-9);
  for (int i = 0; i < 3; i++) {
    ck_assert(p.inertia[3 + i] == 0.0 && p.centroid[i] == 0.0);
  }
  ck_assert(p.corners == 8 && p.edges == 2 && p.faces == 3);
  def.kind = NSDYN_SOLID_BOX;
  def.radius = 0.0;
  def.extent[1] = 2.0, def.extent[2] = 0.5;
  p = properties_of(&def);
  ck_assert_double_eq_tol(p.volume, 3.0, 1e-15);
  ck_assert_double_eq_tol(p.inertia[0], 3.0 / 12.0 * 4.25, 1e-15);
  ck_assert_double_eq_tol(p.inertia[1], 3.0 / 12.0 * 9.25, 1e-15);
  for (int i = 0; i < 3; i++) {
    ck_assert(p.inertia[3 + i] == 0.0 && p.centroid[i] == 0.0);
  }
  ck_assert(p.corners == 8 && p.edges == 12 && p.faces == 6);
  def.kind = NSDYN_SOLID_PLANE;
  ck_assert(isinf(properties_of(&def).volume));
}
END_TEST

/* A box by its sides, and as the hull of its corners, elsewhere. */
START_TEST(boxes_measure_as_their_hulls)
{
  nsdyn_solid_def box, hull;
  nsdyn_solid_def_init(&box, sizeof box);
  nsdyn_solid_def_init(&hull, sizeof hull);
  box.kind = NSDYN_SOLID_BOX;
  hull.kind = NSDYN_SOLID_HULL;
  hull.count = 8;
  for (int number = 0; number < random_cases(100); number++) {
    random_state random = random_seed((uint64_t)number);
    double x[24], place[3];
    for (int i = 0; i < 3; i++) {
      box.extent[i] = random_between(&random, 0.1, 2.0);
      place[i] = random_between(&random, -1.0, 1.0);
    }
    for (int k = 0; k < 24; k++) {
      x[k] = place[k % 3] + (k / 3 >> k % 3 & 1 ? 0.5 : -0.5) * box.extent[k % 3];
    }
    hull.points = x;
    const nsdyn_solid_properties p = properties_of(&box), q = properties_of(&hull);
    REQUIRE(fabs(p.volume - q.volume) <= 1e-13 * p.volume && q.corners == 8 && q.faces == 6);
    for (int i = 0; i < 3; i++) {
      REQUIRE(fabs(q.centroid[i] - place[i]) <= 1e-14);
      REQUIRE(fabs(p.inertia[i] - q.inertia[i]) <= 1e-13 * p.inertia[i] && fabs(q.inertia[3 + i]) <= 1e-13);
    }
  }
}
END_TEST

/* A tetrahedron of unit legs: V = 1/6, centroid 1/4, ∫ x² = 1/60, ∫ x y = 1/120; anywhere. */
START_TEST(tetrahedra_are_known_ones)
{
  const double x[12] = {7.0, 5.0, -3.0, 8.0, 5.0, -3.0, 7.0, 6.0, -3.0, 7.0, 5.0, -2.0};
  nsdyn_solid_def def;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = NSDYN_SOLID_HULL;
  def.count = 4;
  def.points = x;
  const nsdyn_solid_properties p = properties_of(&def);
  const double square = 1.0 / 60.0 - 1.0 / 96.0, product = 1.0 / 120.0 - 1.0 / 96.0;
  ck_assert_double_eq_tol(p.volume, 1.0 / 6.0, 1e-15);
  for (int i = 0; i < 3; i++) {
    ck_assert_double_eq_tol(p.centroid[i], x[i] + 0.25, 1e-14);
    ck_assert_double_eq_tol(p.inertia[i], 2.0 * square, 1e-15);
    ck_assert_double_eq_tol(p.inertia[3 + i], -product, 1e-15);
  }
}
END_TEST

/* n0 × n1 of an edge's faces points along it. */
START_TEST(edges_are_between_their_faces)
{
  nsdyn_solid_def def;
  nsdyn_solid *solid = NULL;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = NSDYN_SOLID_BOX;
  def.extent[0] = def.extent[1] = def.extent[2] = 1.0;
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &solid, NULL), NSDYN_OK);
  for (int e = 0; e < 12; e++) {
    const nsd_solid_edge *edge = &solid->edge[e];
    double d[3], c[3];
    nsd_vec3_add_scaled(solid->corner[edge->end[1]], -1.0, solid->corner[edge->end[0]], d);
    nsd_vec3_cross(solid->plane[edge->face[0]], solid->plane[edge->face[1]], c);
    ck_assert_double_eq_tol(nsd_vec3_dot(c, d), 1.0, 1e-15);
  }
  ck_assert_int_eq(nsd_solid_features(solid), 26);
  ck_assert_str_eq(nsd_solid_name(solid), "box");
  nsdyn_solid_free(solid);
}
END_TEST

static void require_refused(const nsdyn_solid_def *def, nsdyn_status status, const char *message)
{
  nsdyn_solid *solid = NULL;
  nsdyn_error error = {.size = sizeof error};
  ck_assert_int_eq(nsdyn_solid_new(NULL, def, &solid, &error), status);
  ck_assert_str_eq(error.message, message);
  ck_assert_ptr_null(solid);
}

/* The least and the largest lengths: sizes are numbers, none is 0. */
START_TEST(sizes_of_all_lengths_are_numbers)
{
  for (int kind = NSDYN_SOLID_SPHERE; kind <= NSDYN_SOLID_CYLINDER; kind++) {
    for (int i = 0; i < 2; i++) {
      const double length = i ? 0x1.fp119 : 0x1.1p-120;
      const double x[12] = {0.0, 0.0, 0.0, length, 0.0, 0.0, 0.0, length, 0.0, 0.0, 0.0, length};
      const int is_sharp = kind == NSDYN_SOLID_BOX || kind == NSDYN_SOLID_HULL;
      nsdyn_solid_def def;
      nsdyn_solid_def_init(&def, sizeof def);
      def.kind = kind;
      def.count = 4;
      def.points = x;
      def.extent[0] = def.extent[1] = def.extent[2] = length;
      def.radius = is_sharp ? 0.0 : length;
      const nsdyn_solid_properties p = properties_of(&def);
      if (kind != NSDYN_SOLID_PLANE) {
        const double cube = length * length * length;
        ck_assert(p.volume > 0.1 * cube && p.volume < 10.0 * cube);
        for (int k = 0; k < 3; k++) {
          const double J = p.inertia[k] / (cube * length * length);
          REQUIRE(J > 0.01 && J < 10.0, "kind %d: %g", kind, J);
        }
      }
    }
  }
}
END_TEST

START_TEST(refusals_name_kind_and_field)
{
  static const char in_one_plane[] =
      "nsdyn_solid_new: hull: points lie in one plane, up to 2^-30 of their extent, or within 2^-120";
  double x[3 * 4] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0};
  nsdyn_solid_def def;
  nsdyn_solid_def_init(&def, sizeof def);
  require_refused(&def, NSDYN_ERR_ARGUMENT,
                  "nsdyn_solid_new: sphere: radius is no length between 2^-120 and 2^120, or 0 where it may");
  def.kind = NSDYN_SOLID_BOX;
  def.extent[0] = def.extent[1] = 1.0;
  require_refused(&def, NSDYN_ERR_ARGUMENT,
                  "nsdyn_solid_new: box: extent is not a length between 2^-120 and 2^120");
  def.extent[0] = def.extent[1] = def.extent[2] = 1e-110;
  require_refused(&def, NSDYN_ERR_ARGUMENT,
                  "nsdyn_solid_new: box: extent is not a length between 2^-120 and 2^120");
  def.extent[0] = def.extent[1] = 1.0;
  def.extent[2] = NAN;
  require_refused(&def, NSDYN_ERR_NOT_FINITE,
                  "nsdyn_solid_new: box: extent is not a length between 2^-120 and 2^120");
  def.kind = 9;
  require_refused(&def, NSDYN_ERR_ARGUMENT, "nsdyn_solid_new: kind is not one of nsdyn_solid_kind");
  def.kind = NSDYN_SOLID_HULL;
  require_refused(&def, NSDYN_ERR_ARGUMENT, "nsdyn_solid_new: hull: points are less than four, or NULL");
  def.points = x;
  def.count = 257;
  require_refused(&def, NSDYN_ERR_TOO_LARGE, "nsdyn_solid_new: hull: count is more than 256");
  def.count = 4;
  require_refused(&def, NSDYN_ERR_ARGUMENT, in_one_plane);
  for (int i = 0; i < 12; i++) { /* a tetrahedron too small to have a volume */
    x[i] = i % 4 == 0 ? 1e-110 : 0.0;
  }
  require_refused(&def, NSDYN_ERR_ARGUMENT, in_one_plane);
  x[5] = INFINITY;
  require_refused(&def, NSDYN_ERR_NOT_FINITE,
                  "nsdyn_solid_new: hull: point 1 is not finite, or not below 2^120");
  require_refused(NULL, NSDYN_ERR_ARGUMENT, "nsdyn_solid_new: def is NULL");
  nsdyn_solid_free(NULL);
}
END_TEST

/* clang-format off */
SUITE("geometry/space/solid",
  TEST(volumes_and_inertias_are_known_ones),
  TEST(boxes_measure_as_their_hulls),
  TEST(tetrahedra_are_known_ones),
  TEST(edges_are_between_their_faces),
  TEST(sizes_of_all_lengths_are_numbers),
  TEST(refusals_name_kind_and_field))
/* clang-format on */
