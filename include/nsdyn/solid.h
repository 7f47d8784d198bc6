/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Bodies in space of simple shapes: how far they are apart, and where they touch.
 *
 * A **solid** is a sphere, a capsule, a box, the convex hull of points, a cylinder, or the half-space below a
 * plane. Boxes and hulls may be rounded: what is within `radius` of the sharp core belongs to them, and a
 * sphere is a rounded point, a capsule a rounded segment. A solid never changes; many bodies may have the
 * same one. Lengths and radii are above 2⁻¹²⁰ and below 2¹²⁰, 7.5e-37 to 1.3e36; the points of a
 * hull are not all as near to the first one as that.
 *
 * nsdyn_solids_touch() tells where two placed solids touch, or would touch if they came nearer. The first
 * **touch** is where they are nearest: its gap is their distance, or, where they overlap, minus the shortest
 * way that parts them. Behind it come, in no order, those of what lies flat on each other: corners of one
 * face over the other face, both ways, edges of both that cross, and both ends of what edges share that are
 * nearly parallel: of sharp ones those whose normals are within 15° of the first one's. All of them are told,
 * however many corners faces have: the ones that are left out would let a body tilt too early. Each has its
 * own normal. Where cores overlap it is within 45° of the first one's, so others may be deeper than the
 * first, d, by up to d / cos 45° − d; where cores are apart none is nearer. Rounding takes the same from all
 * gaps.
 *
 * Each touch is between two **features**, which stay the same while bodies roll and slide on them: corners
 * first, then edges, then faces, counted through. Its gap changes as the velocities of its two points along
 * its normal say, to the last digit: a corner at a face has the normal of the face, two edges the one across
 * both, and of corners at corners and edges it points from one to the other.
 *
 * nsdyn_tree_add_solid() gives solids to the bodies of a tree, whose system then finds contacts by itself.
 *
 * @code
 * static nsdyn_status make_brick(nsdyn_solid **out)
 * {
 *   nsdyn_solid_def brick;
 *   nsdyn_solid_def_init(&brick, sizeof brick);
 *   brick.kind = NSDYN_SOLID_BOX;
 *   brick.extent[0] = 0.24, brick.extent[1] = 0.115, brick.extent[2] = 0.071;
 *   return nsdyn_solid_new(NULL, &brick, out, NULL);
 * }
 * @endcode
 */
#ifndef NSDYN_SOLID_H
#define NSDYN_SOLID_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What a solid is; nsdyn_solid_def::kind. */
enum nsdyn_solid_kind {
  NSDYN_SOLID_SPHERE = 0,  /**< Round its origin: `radius` > 0. One corner. */
  NSDYN_SOLID_CAPSULE = 1, /**< Round a segment along z whose middle is the origin: `extent`[0] its length >
                              0, `radius` > 0. Two corners, the lower one first, and an edge. */
  NSDYN_SOLID_BOX = 2,     /**< Round its origin: `extent`, its three edges. Corner k has its larger x where
                              bit 0 of k is set, y of bit 1, z of bit 2; faces −x +x −y +y −z +z. */
  NSDYN_SOLID_PLANE = 3,   /**< All below the plane z = 0. One face. */
  NSDYN_SOLID_HULL = 4,    /**< The convex hull of `points`, not all in one plane. Those that are as near to a
                              plane as    2⁻³⁰ of their extent lie in it; as 2⁻¹⁶ at most, where points of few
                              digits    make no closed surface else. */
  NSDYN_SOLID_CYLINDER =
      5 /**< Round z, its middle the origin: `extent`[0] its length > 0, `radius` > 0. Touches
           planes and spheres alone. Corners +x −x +y −y of its lower rim and of its upper
           one, 0 to 7; both rims, 8 and 9; its side, 10, its lower end and its upper one. */
};

/** @brief A solid in its own frame; nsdyn_solid_def_init() writes the defaults. */
typedef struct nsdyn_solid_def {
  size_t size;          /**< sizeof(nsdyn_solid_def) as you compiled it. */
  int32_t kind;         /**< One of ::nsdyn_solid_kind. */
  int32_t count;        /**< Of a hull: points, 4 to 256. */
  const double *points; /**< Of a hull: x, y and z of each, 3 × count. Copied. */
  double extent[3];     /**< As `kind` says. */
  double radius;        /**< As `kind` says; of a box or hull what rounds it, >= 0 (default 0). */
} nsdyn_solid_def;

/**
 * @brief Writes size and defaults: a sphere without a radius.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_solid_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_solid_def_init(nsdyn_solid_def *def, size_t size);

/** @brief A solid; it never changes, and several threads may use one. It is counted: what uses it holds it.
 */
typedef struct nsdyn_solid nsdyn_solid;

/**
 * @brief Makes a solid.
 * @param[in]  ctx    memory and log, held; NULL: the C library and silence.
 * @param[in]  def    copied.
 * @param[out] out    yours to free with nsdyn_solid_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT (the message names the field; also points of a hull
 *         that lie in one plane, or make no closed surface), NSDYN_ERR_NOT_FINITE, NSDYN_ERR_TOO_LARGE,
 * NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_solid_new(nsdyn_context *ctx, const nsdyn_solid_def *def, nsdyn_solid **out,
                                       nsdyn_error *error);

/** @brief Lets go of a solid; NULL is fine. */
NSDYN_API void nsdyn_solid_free(nsdyn_solid *solid);

/** @brief Sizes of a solid, in its own frame; nsdyn_solid_properties_init() writes the size. */
typedef struct nsdyn_solid_properties {
  size_t size;        /**< sizeof(nsdyn_solid_properties) as you compiled it. */
  int32_t kind;       /**< One of ::nsdyn_solid_kind. */
  int32_t corners;    /**< Features 0 to corners − 1. */
  int32_t edges;      /**< The features behind them. */
  int32_t faces;      /**< The last ones. */
  double volume;      /**< Of a box or hull without its rounding; INFINITY of a plane. */
  double centroid[3]; /**< Centre of that volume. */
  double inertia[6];  /**< Of unit density, about that centre: J_xx, J_yy, J_zz, J_xy, J_xz, J_yz, as
                         nsdyn_tree_body::inertia has them; 0 of a plane. */
} nsdyn_solid_properties;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] properties  to fill in.
 * @param[in]  size        sizeof(nsdyn_solid_properties).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_solid_properties_init(nsdyn_solid_properties *properties, size_t size);

/**
 * @brief Volume, centroid, inertia and counts of features.
 * @param[in]     solid       the solid.
 * @param[in,out] properties  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_solid_measure(const nsdyn_solid *solid, nsdyn_solid_properties *properties);

/** @brief Where two solids touch or are near each other; nsdyn_solid_touch_init() writes the size. */
typedef struct nsdyn_solid_touch {
  size_t size;        /**< sizeof(nsdyn_solid_touch) as you compiled it. */
  int32_t feature[2]; /**< Of the first solid and of the second. */
  double gap;         /**< Negative where they overlap. */
  double normal[3];   /**< n, from the second to the first, of length 1, in the world. */
  double point[2][3]; /**< On the first and on the second, gap · n apart, in the world. */
} nsdyn_solid_touch;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] touch  to fill in.
 * @param[in]  size   sizeof(nsdyn_solid_touch).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_solid_touch_init(nsdyn_solid_touch *touch, size_t size);

/** @brief Called for a touch; return 0 to go on, anything else ends the search. */
typedef int nsdyn_solid_visit(void *user, const nsdyn_solid_touch *touch);

/**
 * @brief Visits the touches of two placed solids whose gap is at most `margin`, first the one where they are
 * nearest; of those behind it some may be deeper where solids overlap, as said above. Nothing is allocated.
 * @param[in] first   a solid.
 * @param[in] pose    of its frame: place, each number below 2²⁵⁵, then quaternion of any norm but 0.
 * @param[in] second  another one, or the same.
 * @param[in] other   its pose.
 * @param[in] margin  may be INFINITY.
 * @param[in] visit   hears of each touch.
 * @param[in] user    its first argument.
 * @return NSDYN_OK, NSDYN_CANCELLED where `visit` ended the search, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE
 *         (also for a place of 2²⁵⁵ or more), NSDYN_ERR_UNSUPPORTED for two planes, and for a cylinder with
 *         anything but a plane or a sphere.
 */
NSDYN_API nsdyn_status nsdyn_solids_touch(const nsdyn_solid *first, const double *pose,
                                          const nsdyn_solid *second, const double *other, double margin,
                                          nsdyn_solid_visit *visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
