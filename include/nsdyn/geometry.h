/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Planar bodies of any shape: where they touch, and what a system has to know of it.
 *
 * A **shape** is a polygon, convex or not, a circle, a capsule, a profile (an open polyline with solid on one
 * side) or a wire (an open polyline with none). It may be rounded: all that is within `radius` of it belongs
 * to it, too. A shape never changes; many bodies may have the same one.
 *
 * A **detector** looks at two shapes, each placed by (x, y, φ), and tells every **touch** whose gap is at
 * most a margin, after Slavič & Boltežar (2006): a vertex of one at an edge of the other, both ways. Flat on
 * flat touches at two points, the ends of what faces each other; a vertex in a notch touches both of its
 * sides; one outside of a corner belongs to one edge of it, never to none. Touches have keys that stay the
 * same from step to step, as long as the same vertex meets the same edge.
 *
 * nsdyn_detector_report() does this within nsdyn_system_def::find, and adds w_N, w_T, ŵ and w̄ of each touch,
 * whatever the places of the two bodies depend on.
 *
 * @code
 * static int find(void *user, double t, const double *q, const double *u, double margin,
 *                 nsdyn_contact_sink *sink)
 * {
 *   struct scene *scene = user;
 *   (void)t;
 *   nsdyn_placed floor, box;
 *   nsdyn_placed_init(&floor, sizeof floor); // at the origin, at rest
 *   nsdyn_placed_init(&box, sizeof box);
 *   floor.shape = scene->floor;
 *   box.shape = scene->box;
 *   nsdyn_placed_by_coordinates(&box, 0, q); // q[0], q[1], q[2] are its x, y and angle
 *   return nsdyn_detector_report(scene->detector, &box, &floor, u, 0, margin, scene->law, sink);
 * }
 * @endcode
 */
#ifndef NSDYN_GEOMETRY_H
#define NSDYN_GEOMETRY_H

#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief What a shape is made of; nsdyn_shape_def::kind. */
enum nsdyn_shape_kind {
  NSDYN_SHAPE_POLYGON = 0, /**< Three points and more, in either direction; its inside is solid. */
  NSDYN_SHAPE_CIRCLE = 1,  /**< One point, its centre, and a radius > 0. */
  NSDYN_SHAPE_CAPSULE = 2, /**< Two points, its ends; with radius 0 a segment. */
  NSDYN_SHAPE_PROFILE = 3, /**< Two points and more, open: solid on one side, `side`. Behind its ends the
                              solid goes straight down. */
  NSDYN_SHAPE_WIRE = 4     /**< Two points and more, open, without an inside: touched from both sides. */
};

/** @brief Where a profile is solid, seen along its points; nsdyn_shape_def::side. */
enum nsdyn_shape_side {
  NSDYN_SIDE_LEFT = 0, /**< To the left of it. */
  NSDYN_SIDE_RIGHT = 1 /**< To the right of it. */
};

/** @brief A shape in its own frame; nsdyn_shape_def_init() writes the defaults. */
typedef struct nsdyn_shape_def {
  size_t size;          /**< sizeof(nsdyn_shape_def) as you compiled it. */
  int32_t kind;         /**< One of ::nsdyn_shape_kind. */
  int32_t side;         /**< One of ::nsdyn_shape_side; read of a profile. */
  int32_t count;        /**< Points: at most 2^20, of a wire 2^19. */
  int32_t reserved;     /**< 0. */
  const double *points; /**< x and y of each: 2 × count. Copied. */
  double radius;        /**< Of what rounds it, >= 0 (default 0); of a circle its own. */
} nsdyn_shape_def;

/**
 * @brief Writes size and defaults: a polygon without points.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_shape_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_shape_def_init(nsdyn_shape_def *def, size_t size);

/** @brief A shape; it never changes, and several threads may use one. It is counted: what uses it holds it.
 */
typedef struct nsdyn_shape nsdyn_shape;

/**
 * @brief Makes a shape, in O(n log n).
 *
 * Points are judged in exact arithmetic, of their doubles (those below 2^-480 of the largest count as zero).
 * Refused are, by their numbers, from 0: a NaN, too few points, a point that is given twice in a row, edges
 * that cross or touch each other, and points that lie on one line, as a polygon. Points on a straight side,
 * up to rounding (2^-46 of the shape's extent), are no vertices.
 *
 * @param[in]  ctx    memory and log, held; NULL: the C library and silence.
 * @param[in]  def    copied.
 * @param[out] out    yours to free with nsdyn_shape_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted. Its index is the point.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE (also for numbers above 2^480),
 *         NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_shape_new(nsdyn_context *ctx, const nsdyn_shape_def *def, nsdyn_shape **out,
                                       nsdyn_error *error);

/** @brief Lets go of a shape; NULL is fine. */
NSDYN_API void nsdyn_shape_free(nsdyn_shape *shape);

/** @brief Sizes of a shape, in its own frame; nsdyn_shape_properties_init() writes the size. */
typedef struct nsdyn_shape_properties {
  size_t size;        /**< sizeof(nsdyn_shape_properties) as you compiled it. */
  int32_t kind;       /**< One of ::nsdyn_shape_kind. */
  int32_t count;      /**< Points as given. */
  int32_t vertices;   /**< Those that are vertices: not in a straight side. */
  int32_t clockwise;  /**< 1: a polygon was given clockwise, and turned round. */
  double radius;      /**< As given. */
  double area;        /**< Of a polygon without its rounding, of a circle or capsule with it; else 0. */
  double centroid[2]; /**< Centre of that area; where there is none, of the line. */
  double second[3]; /**< ∫x², ∫y², ∫xy over that area, from its centre; 0 where there is none. Their first
                       two add up to the polar moment: times a mass per area it is the moment of inertia. */
  double length;  /**< Of the outline without rounding: of a polygon all round, else from end to end. */
  double low[2];  /**< Lower left corner of the box round it, with its rounding. */
  double high[2]; /**< Upper right corner. */
} nsdyn_shape_properties;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] properties  to fill in.
 * @param[in]  size        sizeof(nsdyn_shape_properties).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_shape_properties_init(nsdyn_shape_properties *properties, size_t size);

/**
 * @brief Area, centre, second moments, length and box.
 * @param[in]     shape       the shape.
 * @param[in,out] properties  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_shape_measure(const nsdyn_shape *shape, nsdyn_shape_properties *properties);

/**
 * @brief A body in the plane: its shape, where it is, how it moves. nsdyn_placed_init() writes the defaults:
 * at the origin, at rest, moved by no coordinate.
 *
 * Its place is r = (x, y) and φ of the frame that its shape was given in; it may depend on q and t in any
 * way: its velocity is J u + rate, its acceleration J u̇ + bias, where J is told by blocks.
 */
typedef struct nsdyn_placed {
  size_t size;              /**< sizeof(nsdyn_placed) as you compiled it. */
  const nsdyn_shape *shape; /**< Its shape. */
  double pose[3];           /**< x, y, φ. */
  double rate[3];           /**< Their change at u = 0: of what is moved by a drive. */
  double bias[3];           /**< Their second derivative at u and u̇ = 0; read where `find` gets u. */
  int32_t first;            /**< Where x, y, φ are coordinates: the number of the first of these three
                               velocities, which have the identity in J; −1 (default): none. */
  int32_t blocks;           /**< How many blocks besides. */
  const nsdyn_contact_block *block; /**< J: values of each 3 × count, ∂x/∂u, ∂y/∂u, ∂φ/∂u. */
  int32_t has_bias; /**< 1 (default): `bias` is right where `find` gets u; 0: it is not known, and integrators
                       difference w̄ themselves. */
  int32_t reserved; /**< 0. */
} nsdyn_placed;

/**
 * @brief Writes size and defaults.
 * @param[out] placed  to fill in.
 * @param[in]  size    sizeof(nsdyn_placed).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_placed_init(nsdyn_placed *placed, size_t size);

/**
 * @brief Places a body whose x, y and φ are three coordinates in a row, with u = q̇ of them.
 * @param[in,out] placed  made by nsdyn_placed_init(): pose and `first` are written.
 * @param[in]     first   number of its x among the coordinates, and velocities; from 0.
 * @param[in]     q       all coordinates.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL or a negative `first`, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_placed_by_coordinates(nsdyn_placed *placed, int32_t first, const double *q);

/** @brief How a detector works; nsdyn_detector_options_init() writes the defaults. */
typedef struct nsdyn_detector_options {
  size_t size; /**< sizeof(nsdyn_detector_options) as you compiled it. */
  double skin; /**< How deep a touch may be, 10 to 100 times what is allowed for (SB eq. 36). What is deeper
                  is told as such: the step was too large. Default INFINITY: skin_share decides. */
  double skin_share; /**< The same, as a share of the smaller of the two shapes' extents (default 0.05); the
                        less of both is taken. > 0. */
} nsdyn_detector_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_detector_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_detector_options_init(nsdyn_detector_options *options, size_t size);

/**
 * @brief Finds out where two shapes touch.
 *
 * It keeps the touches that it found last, and the memory for them: a search that finds no more than any
 * before it allocates nothing. One detector serves one thread at a time.
 */
typedef struct nsdyn_detector nsdyn_detector;

/**
 * @brief Makes a detector.
 * @param[in]  ctx      memory and log, held; NULL: the C library and silence.
 * @param[in]  options  copied; NULL: the defaults.
 * @param[out] out      yours to free with nsdyn_detector_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_detector_new(nsdyn_context *ctx, const nsdyn_detector_options *options,
                                          nsdyn_detector **out, nsdyn_error *error);

/** @brief Frees a detector; NULL is fine. */
NSDYN_API void nsdyn_detector_free(nsdyn_detector *detector);

/** @brief Which part of which shape meets which. */
enum nsdyn_touch_kind {
  NSDYN_TOUCH_VERTEX_EDGE = 0,  /**< A vertex of the first shape, an edge of the second. */
  NSDYN_TOUCH_EDGE_VERTEX = 1,  /**< An edge of the first, a vertex of the second. */
  NSDYN_TOUCH_VERTEX_VERTEX = 2 /**< Two vertices, where one of the shapes at least is rounded. */
};

/** @brief One place where two shapes touch, or are near each other; nsdyn_touch_init() writes the size. */
typedef struct nsdyn_touch {
  size_t size;        /**< sizeof(nsdyn_touch) as you compiled it. */
  int32_t kind;       /**< One of ::nsdyn_touch_kind. */
  int32_t reserved;   /**< 0. */
  int32_t feature[2]; /**< Number of the vertex or edge of the first and second shape; edge i leads from the
                         given point i to the next one, of a wire's other side they go on counting. */
  double gap;         /**< g_N; negative where they penetrate. */
  double normal[2];   /**< n, from the second shape to the first, in the world. */
  double point[4];    /**< The points on the first and on the second outline, in the world. */
  double middle[4];   /**< The same without rounding: vertex, or foot on the edge. */
} nsdyn_touch;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] touch  to fill in.
 * @param[in]  size   sizeof(nsdyn_touch).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_touch_init(nsdyn_touch *touch, size_t size);

/** @brief What a search found, beside touches; nsdyn_detector_result_init() writes the size. */
typedef struct nsdyn_detector_result {
  size_t size;     /**< sizeof(nsdyn_detector_result) as you compiled it. */
  int32_t touches; /**< How many. */
  int32_t is_deep; /**< 1: the shapes overlap by more than the skin, or in a way that no vertex explains. */
  double depth;    /**< By how much the deepest overlap of this kind goes; else 0. */
  double skin;     /**< The skin in force. */
  int64_t visited; /**< Pairs of boxes that were compared. */
} nsdyn_detector_result;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] result  to fill in.
 * @param[in]  size    sizeof(nsdyn_detector_result).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_detector_result_init(nsdyn_detector_result *result, size_t size);

/**
 * @brief Looks for touches of two shapes.
 *
 * Told is each place where the distance of the two outlines has a local minimum of at most `margin`, and
 * where flat parts face each other within 45 degrees the other end of their overlap, too; so that bodies that
 * come nearer touch first at a place that was told before. With margin = INFINITY these are all.
 *
 * @param[in,out] detector  keeps what it finds, until the next search.
 * @param[in]     first     shape.
 * @param[in]     pose      its x, y, φ.
 * @param[in]     second    shape; may be the same.
 * @param[in]     its_pose  its x, y, φ.
 * @param[in]     margin    largest gap, >= 0, or INFINITY.
 * @param[in,out] result    its `size` set by you; filled in. NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 *         NSDYN_ERR_STRUCT_SIZE; then nothing is found.
 */
NSDYN_API nsdyn_status nsdyn_detector_search(nsdyn_detector *detector, const nsdyn_shape *first,
                                             const double *pose, const nsdyn_shape *second,
                                             const double *its_pose, double margin,
                                             nsdyn_detector_result *result);

/**
 * @brief One of the touches that the last search found.
 * @param[in]     detector  as it searched.
 * @param[in]     i         which, from 0.
 * @param[in,out] touch     its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_detector_touch(const nsdyn_detector *detector, int32_t i, nsdyn_touch *touch);

/**
 * @brief Looks for touches of two bodies and reports each to the sink, with directions, ŵ and w̄: all that
 * nsdyn_system_def::find has to do for two bodies.
 *
 * The key of a touch is nsdyn_touch_key() of `pair`. Relative velocities are those of the points on the two
 * outlines, γ_N along n, γ_T along n turned by +90 degrees (SB eqs. 23-32, with Coriolis' term).
 *
 * @param[in,out] detector  keeps what it finds.
 * @param[in]     first     body.
 * @param[in]     second    body.
 * @param[in]     u         as `find` has it, may be NULL.
 * @param[in]     pair      number of this pair of bodies, 0 to 2^21 − 1.
 * @param[in]     margin    as `find` has it.
 * @param[in]     law       number of the pair's law in the system of the sink.
 * @param[in]     sink      as `find` has it.
 * @return what `find` has to return at once: 0; 1 where the bodies are deeper in each other than the skin, as
 *         the step was too large; a negative number after a failure. The call that asked then has the status
 *         and the message of this one: NSDYN_ERR_CALLBACK_RETRY with pair and depth, NSDYN_ERR_ARGUMENT,
 *         NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE.
 */
NSDYN_API int nsdyn_detector_report(nsdyn_detector *detector, const nsdyn_placed *first,
                                    const nsdyn_placed *second, const double *u, int32_t pair, double margin,
                                    int32_t law, nsdyn_contact_sink *sink);

/**
 * @brief The key of a touch in a system: the same pair, kind and features have the same one.
 * @param[in] pair   number of the pair of bodies, 0 to 2^21 − 1.
 * @param[in] touch  kind and features are read.
 * @return a number >= 0; −1 for NULL, a pair out of range or features of no shape.
 */
NSDYN_API int64_t nsdyn_touch_key(int32_t pair, const nsdyn_touch *touch);

/**
 * @brief What a key stands for: the way back from nsdyn_touch_key().
 * @param[in]     key    as nsdyn_touch_key() made it.
 * @param[out]    pair   number of the pair; may be NULL.
 * @param[in,out] touch  its `size` set by you; kind and features are filled in, the rest is zero.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_touch_of_key(int64_t key, int32_t *pair, nsdyn_touch *touch);

/** @brief One line on the last failure of a call of this detector, or on how deep bodies were; else "". */
NSDYN_API const char *nsdyn_detector_message(const nsdyn_detector *detector);

/**
 * @brief The same for programs.
 * @param[in]     detector  the detector.
 * @param[in,out] detail    its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_detector_detail(const nsdyn_detector *detector, nsdyn_detail *detail);

/**
 * @brief The box round a placed shape, along the axes of the world: cheap, and not the least one.
 * @param[in]  shape  the shape.
 * @param[in]  pose   its x, y, φ.
 * @param[out] box    x and y of the lower left corner, x and y of the upper right one.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_NOT_FINITE.
 */
NSDYN_API nsdyn_status nsdyn_shape_box(const nsdyn_shape *shape, const double *pose, double *box);

/** @brief How a broad phase works; nsdyn_broad_phase_options_init() writes the defaults. */
typedef struct nsdyn_broad_phase_options {
  size_t size;  /**< sizeof(nsdyn_broad_phase_options) as you compiled it. */
  double reach; /**< Pairs within this margin are kept from call to call (default 0); larger margins are
                   searched anew each time. */
  double fat;   /**< How far a body may move before the tree is changed; about what it moves in ten steps.
                   Default 0: at once. */
} nsdyn_broad_phase_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_broad_phase_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_options_init(nsdyn_broad_phase_options *options, size_t size);

/**
 * @brief Which of many bodies may touch: a tree of boxes that follows them as they move.
 *
 * Bodies are known by numbers of yours, from 0, with gaps or without: memory goes by the largest. Each has a
 * box; pairs of boxes that are near each other are what a detector should look at.
 */
typedef struct nsdyn_broad_phase nsdyn_broad_phase;

/**
 * @brief Makes a broad phase without bodies.
 * @param[in]  ctx      memory and log, held; NULL: the C library and silence.
 * @param[in]  options  copied; NULL: the defaults.
 * @param[out] out      yours to free with nsdyn_broad_phase_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_new(nsdyn_context *ctx, const nsdyn_broad_phase_options *options,
                                             nsdyn_broad_phase **out, nsdyn_error *error);

/** @brief Frees a broad phase; NULL is fine. */
NSDYN_API void nsdyn_broad_phase_free(nsdyn_broad_phase *broad);

/**
 * @brief Adds a body, or moves it.
 * @param[in,out] broad  the broad phase.
 * @param[in]     id     its number, 0 to 2^26 − 1.
 * @param[in]     box    as nsdyn_shape_box() writes it.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (a box whose corners are exchanged), NSDYN_ERR_NOT_FINITE,
 * NSDYN_ERR_NOMEM; after a failure the body is where it was.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_set(nsdyn_broad_phase *broad, int32_t id, const double *box);

/**
 * @brief Takes a body out.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT where there is none of that number.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_remove(nsdyn_broad_phase *broad, int32_t id);

/** @brief Called for a pair, first < second; return 0 to go on, anything else ends the call. */
typedef int nsdyn_pair_visit(void *user, int32_t first, int32_t second);

/** @brief Called for a body; return 0 to go on, anything else ends the call. */
typedef int nsdyn_body_visit(void *user, int32_t id);

/**
 * @brief Visits each pair of bodies whose boxes are apart by no more than `margin` along both axes, once, in
 * an order that the calls before decide.
 * @param[in,out] broad   the broad phase; `visit` may not change it.
 * @param[in]     margin  >= 0, or INFINITY: all pairs.
 * @param[in]     visit   called for each.
 * @param[in]     user    handed to it.
 * @return NSDYN_OK, NSDYN_STOPPED where `visit` ended it, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOMEM.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_pairs(nsdyn_broad_phase *broad, double margin,
                                               nsdyn_pair_visit *visit, void *user);

/**
 * @brief Visits each body whose box has a point in common with another box.
 * @return as nsdyn_broad_phase_pairs(), and NSDYN_ERR_NOT_FINITE for a NaN.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_overlap(const nsdyn_broad_phase *broad, const double *box,
                                                 nsdyn_body_visit *visit, void *user);

/**
 * @brief Visits each body whose box a ray meets, from one point to another, in no order.
 * @param[in] broad  the broad phase.
 * @param[in] from   x, y.
 * @param[in] to     x, y.
 * @param[in] visit  called for each.
 * @param[in] user   handed to it.
 * @return as nsdyn_broad_phase_overlap().
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_ray(const nsdyn_broad_phase *broad, const double *from,
                                             const double *to, nsdyn_body_visit *visit, void *user);

/**
 * @brief The body that is nearest to a point.
 * @param[in]  broad     the broad phase.
 * @param[in]  x         the point.
 * @param[in]  distance  distance of a body from x, no less than that of its box; NULL: that of its box.
 * @param[in]  user      handed to it.
 * @param[out] id        its number, −1 where there is no body.
 * @param[out] least     its distance, INFINITY where there is none; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE.
 */
NSDYN_API nsdyn_status nsdyn_broad_phase_nearest(const nsdyn_broad_phase *broad, const double *x,
                                                 double (*distance)(void *user, int32_t id, const double *x),
                                                 void *user, int32_t *id, double *least);

/** @brief One line on the last failure of a call that changes it, or of its pairs; "" after a success. */
NSDYN_API const char *nsdyn_broad_phase_message(const nsdyn_broad_phase *broad);

#ifdef __cplusplus
}
#endif

#endif
