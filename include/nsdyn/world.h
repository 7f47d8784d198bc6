/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief A planar world: bodies with shapes, materials, joints and springs, and the system they make.
 *
 * You say what there is: bodies that move freely, stand still, are driven by functions of time, or are placed
 * by coordinates of your own; the shapes on them, and what these are made of; joints and springs between
 * them. nsdyn_world_system() makes an ordinary nsdyn_system of it, with mass matrix, forces, constraints, and
 * contacts that are found by themselves, for steppers, event drivers and searches for cycles.
 *
 * A free body has three coordinates, x and y of its centre of mass and its angle φ, and their rates as
 * velocities: the system has the coordinates of your own, if there are any, and behind them those of the free
 * bodies, in the order in which these were added.
 *
 * @code
 * static nsdyn_status make_world(nsdyn_world *world, nsdyn_shape *ground, nsdyn_shape *iron)
 * {
 *   nsdyn_contact_law steel;
 *   nsdyn_contact_law_init(&steel, sizeof steel);
 *   steel.mu = 0.5;
 *   nsdyn_body_def body;
 *   nsdyn_body_def_init(&body, sizeof body);
 *   body.pose[1] = 0.5;
 *   body.pose[2] = 0.6;
 *   body.name = "angle iron";
 *   nsdyn_attachment on;
 *   nsdyn_attachment_init(&on, sizeof on);
 *   on.density = 78.5; // kg/m², 10 mm of steel
 *   int32_t falls;
 *   nsdyn_status status = nsdyn_world_set_law(world, 0, 0, &steel); // material 0 is there
 *   status = status ? status : nsdyn_world_attach(world, NSDYN_GROUND, ground, NULL, NULL);
 *   status = status ? status : nsdyn_world_add_body(world, &body, &falls);
 *   return status ? status : nsdyn_world_attach(world, falls, iron, &on, NULL);
 * }
 * @endcode
 *
 * A world is built by one thread, and so is its system used: callbacks share scratch, which the world owns.
 * Once it has its system, nothing is added to it any more; laws are changed by nsdyn_system_set_law().
 *
 * Of bodies, shapes, joints and springs there may be 2^24 each, of materials 1024. The margin of an event
 * driver is infinite unless you say otherwise, and each two shapes are looked at then, each time: where there
 * are many, give it a nsdyn_event_driver_options::margin.
 */
#ifndef NSDYN_WORLD_H
#define NSDYN_WORLD_H

#include "geometry.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief Options of a world; nsdyn_world_options_init() writes the defaults. */
typedef struct nsdyn_world_options {
  size_t size;       /**< sizeof(nsdyn_world_options) as you compiled it. */
  double gravity[2]; /**< Acceleration of free bodies. Default 0, −9.81. */
  double skin;       /**< nsdyn_detector_options::skin of all pairs. */
  double skin_share; /**< nsdyn_detector_options::skin_share of all pairs. */
  double reach;      /**< nsdyn_broad_phase_options::reach. Negative (default): a twentieth of the mean extent
                        of the shapes that move. */
  double fat;        /**< nsdyn_broad_phase_options::fat. Negative (default): likewise. */
} nsdyn_world_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_world_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_world_options_init(nsdyn_world_options *options, size_t size);

/** @brief A world; it is counted: its system holds it. */
typedef struct nsdyn_world nsdyn_world;

/**
 * @brief Makes an empty world, with material 0 alone, whose law has the defaults of nsdyn_contact_law_init().
 * @param[in]  ctx      memory and log, held; NULL: the C library and silence.
 * @param[in]  options  copied; NULL: the defaults.
 * @param[out] out      yours to free with nsdyn_world_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_world_new(nsdyn_context *ctx, const nsdyn_world_options *options,
                                       nsdyn_world **out, nsdyn_error *error);

/** @brief Lets go of a world; NULL is fine. Its system keeps it alive. */
NSDYN_API void nsdyn_world_free(nsdyn_world *world);

/** @brief What moves a body; nsdyn_body_def::kind. */
enum nsdyn_body_kind {
  NSDYN_BODY_FREE = 0,   /**< Forces; three coordinates of its own. */
  NSDYN_BODY_FIXED = 1,  /**< Nothing. */
  NSDYN_BODY_DRIVEN = 2, /**< nsdyn_body_def::motion, a function of time. */
  NSDYN_BODY_POSED = 3   /**< nsdyn_body_def::place, by coordinates of your own, which also have its mass and
                            its weight. Contacts, joints and springs act on it. */
};

/** @brief What stands in place of a body's number. */
enum nsdyn_body_number {
  NSDYN_GROUND = -1 /**< What stands still at the origin, and needs not be added. */
};

/** @brief A body; nsdyn_body_def_init() writes the defaults: free, at the origin, at rest. */
typedef struct nsdyn_body_def {
  size_t size;        /**< sizeof(nsdyn_body_def) as you compiled it. */
  int32_t kind;       /**< One of ::nsdyn_body_kind. */
  int32_t reserved;   /**< 0. */
  double pose[3];     /**< x, y, φ of its frame: of a free body at the beginning, of a fixed one for good. */
  double velocity[3]; /**< Of a free body at the beginning: of its frame's origin, and ω. */
  double mass;        /**< Of a free body, > 0. NaN (default): area times density of its shapes. */
  double inertia;   /**< About its centre of mass, > 0. NaN (default): of its shapes, in the ratio of mass to
                       theirs. */
  double centre[2]; /**< Centre of mass in its frame. NaN (default): of its shapes; without any, the origin.
                     */
  const char *name; /**< For messages; the first 31 bytes are copied. NULL: it has a number. */
  /** Of a driven body: x, y, φ of its frame, their rates and their second derivatives, three each, at time t;
   * all are zero before the call.
   * Returns as callbacks of a system do. */
  int (*motion)(void *user, double t, double *pose, double *rate, double *acceleration);
  /** Of a posed body: writes pose, Jacobian, rate and, where u is not NULL, bias of its frame into `placed`,
   * which has the defaults of nsdyn_placed_init(); q and u are those of the whole system, yours first. Blocks
   * stay yours, and in place until the next call for this body. Returns as callbacks of a system do. */
  int (*place)(void *user, double t, const double *q, const double *u, nsdyn_placed *placed);
  void *user; /**< First argument of both. */
} nsdyn_body_def;

/**
 * @brief Writes size and defaults.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_body_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_body_def_init(nsdyn_body_def *def, size_t size);

/**
 * @brief Adds a body.
 * @param[in,out] world   without a system yet.
 * @param[in]     def     copied; NULL: the defaults.
 * @param[out]    number  of the body, from 0; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE (the message names body and field),
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_BUSY where the world has its system,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_world_add_body(nsdyn_world *world, const nsdyn_body_def *def, int32_t *number);

/** @brief How a shape sits on a body; nsdyn_attachment_init() writes the defaults. */
typedef struct nsdyn_attachment {
  size_t size;      /**< sizeof(nsdyn_attachment) as you compiled it. */
  int32_t material; /**< Number of its material. Default 0. */
  int32_t reserved; /**< 0. */
  double pose[3];   /**< x, y, φ of the shape's frame in the body's. Default 0. */
  double density;   /**< Mass per area, >= 0 (default 1): what it adds to its body's mass. */
} nsdyn_attachment;

/**
 * @brief Writes size and defaults.
 * @param[out] attachment  to fill in.
 * @param[in]  size        sizeof(nsdyn_attachment).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_attachment_init(nsdyn_attachment *attachment, size_t size);

/**
 * @brief Puts a shape on a body. Shapes of one body do not touch each other, nor do those of bodies that no
 * coordinate moves.
 * @param[in,out] world       without a system yet.
 * @param[in]     body        number of a body, or ::NSDYN_GROUND.
 * @param[in]     shape       held.
 * @param[in]     attachment  copied; NULL: the defaults.
 * @param[out]    number      of the shape in this world, from 0; may be NULL.
 * @return as nsdyn_world_add_body().
 */
NSDYN_API nsdyn_status nsdyn_world_attach(nsdyn_world *world, int32_t body, nsdyn_shape *shape,
                                          const nsdyn_attachment *attachment, int32_t *number);

/**
 * @brief Adds a material.
 *
 * Two different materials whose law is not set touch with the geometric mean of their μ and of their
 * static μ, the smaller ε_N, ε_T and reversal: this needs laws of one kind of friction, without a curve or a
 * bound. Where theirs are not, nsdyn_world_system() refuses, unless no shapes of the two may touch.
 *
 * @param[in,out] world   without a system yet.
 * @param[in]     law     between two of this material, planar; copied.
 * @param[out]    number  of the material, from 1.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (the message names material and field), NSDYN_ERR_NOT_FINITE,
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE beyond 1024 materials, NSDYN_ERR_BUSY, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_world_add_material(nsdyn_world *world, const nsdyn_contact_law *law,
                                                int32_t *number);

/**
 * @brief Sets the law between two materials, or of one with itself.
 * @param[in,out] world   without a system yet.
 * @param[in]     first   number of a material.
 * @param[in]     second  likewise.
 * @param[in]     law     copied.
 * @return as nsdyn_world_add_material().
 */
NSDYN_API nsdyn_status nsdyn_world_set_law(nsdyn_world *world, int32_t first, int32_t second,
                                           const nsdyn_contact_law *law);

/**
 * @brief Sets the law of two shapes, whatever they are made of.
 * @param[in,out] world   without a system yet.
 * @param[in]     first   number of a shape.
 * @param[in]     second  of another one.
 * @param[in]     law     copied; NULL: they never touch.
 * @return as nsdyn_world_add_material().
 */
NSDYN_API nsdyn_status nsdyn_world_set_pair(nsdyn_world *world, int32_t first, int32_t second,
                                            const nsdyn_contact_law *law);

/** @brief What a joint holds; nsdyn_joint_def::kind. Behind each its constraints, in their order. */
enum nsdyn_joint_kind {
  NSDYN_JOINT_REVOLUTE = 0,  /**< The two anchors are in one place: x and y, second minus first. */
  NSDYN_JOINT_WELD = 1,      /**< That, and the angle of the second body less that of the first. */
  NSDYN_JOINT_PRISMATIC = 2, /**< The second anchor stays on the axis through the first one, and the angle:
                                distance from the axis, then angle. */
  NSDYN_JOINT_DISTANCE =
      3,                /**< The anchors are as far apart as `rest`, > 0, and `drive` say; never in one place.
                         */
  NSDYN_JOINT_MOTOR = 4 /**< The angle of the second body less that of the first is what `rest` and `drive`
                           say; their places are free. */
};

/** @brief A joint; nsdyn_joint_def_init() writes the defaults. */
typedef struct nsdyn_joint_def {
  size_t size;      /**< sizeof(nsdyn_joint_def) as you compiled it. */
  int32_t kind;     /**< One of ::nsdyn_joint_kind. */
  int32_t body[2];  /**< Numbers of the two bodies, or ::NSDYN_GROUND (default). One of them at least is free
                       or  posed. */
  int32_t touch;    /**< 1: shapes of the two bodies may touch each other; 0 (default): not. */
  double anchor[4]; /**< x and y in the frame of the first body (default 0), then in that of the second: NaN
                       (default) is where the first one is at the beginning (not with a posed body). */
  double axis[2];   /**< Of a prismatic joint, in the first body's frame, of any length > 0. Default 1, 0. */
  double rest;      /**< Angle, or distance. NaN (default): as the bodies stand at the beginning (not with a
                       posed one). */
  /** Of a motor or distance: what is added to `rest` at time t, with its first and second derivative: three
   * numbers. Returns as callbacks of a system do. NULL: none. */
  int (*drive)(void *user, double t, double *value);
  void *user;       /**< First argument of `drive`. */
  const char *name; /**< For messages; the first 31 bytes are copied. NULL: it has a number. */
} nsdyn_joint_def;

/**
 * @brief Writes size and defaults.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_joint_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_joint_def_init(nsdyn_joint_def *def, size_t size);

/**
 * @brief Adds a joint.
 *
 * Where its anchor or rest is as the bodies stand at the beginning, nsdyn_body_def::motion of a driven body
 * is called here, with t = 0.
 * @param[in,out] world   without a system yet.
 * @param[in]     def     copied.
 * @param[out]    number  of the joint, from 0; may be NULL.
 * @return as nsdyn_world_add_body(); for what `motion` returns or writes NSDYN_ERR_CALLBACK,
 *         NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOT_FINITE.
 */
NSDYN_API nsdyn_status nsdyn_world_add_joint(nsdyn_world *world, const nsdyn_joint_def *def, int32_t *number);

/** @brief Along what a spring acts; nsdyn_spring_def::kind. */
enum nsdyn_spring_kind {
  NSDYN_SPRING_LINE = 0, /**< The line between its anchors, which push or pull each other. */
  NSDYN_SPRING_TURN = 1  /**< The angle of the second body less that of the first. */
};

/** @brief A spring with a damper beside it; nsdyn_spring_def_init() writes the defaults. */
typedef struct nsdyn_spring_def {
  size_t size;      /**< sizeof(nsdyn_spring_def) as you compiled it. */
  int32_t kind;     /**< One of ::nsdyn_spring_kind. */
  int32_t body[2];  /**< Numbers of the two bodies, or ::NSDYN_GROUND (default). */
  int32_t reserved; /**< 0. */
  double anchor[4]; /**< As of a joint, but that NaN (not the default, which is 0) means nothing. */
  double stiffness; /**< Force per length, or moment per angle, >= 0. Default 0. */
  double
      damping; /**< Force per speed of the anchors along their line, or moment per rate, >= 0. Default 0. */
  double rest; /**< Length >= 0, or angle, without force. NaN (default): as the bodies stand at the
                  beginning (not with a posed one). */
  const char *name; /**< For messages; the first 31 bytes are copied. NULL: it has a number. */
} nsdyn_spring_def;

/**
 * @brief Writes size and defaults.
 * @param[out] def   to fill in.
 * @param[in]  size  sizeof(nsdyn_spring_def).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_spring_def_init(nsdyn_spring_def *def, size_t size);

/**
 * @brief Adds a spring; `motion` is called as by nsdyn_world_add_joint().
 * @param[in,out] world   without a system yet.
 * @param[in]     def     copied.
 * @param[out]    number  of the spring, from 0; may be NULL.
 * @return as nsdyn_world_add_joint().
 */
NSDYN_API nsdyn_status nsdyn_world_add_spring(nsdyn_world *world, const nsdyn_spring_def *def,
                                              int32_t *number);

/**
 * @brief Makes the system of the world, which nothing can be added to then.
 *
 * Coordinates, contacts known in advance and constraints of your own, where there are any, come first.
 * Callbacks of `own` see the whole: q, u and h of all, W and W_b with rows as long as all velocities
 * (nsdyn_world_sizes()); M alone is that of your velocities. So they may also push bodies, or tie them to
 * coordinates of your own. Keys of contacts that its `find` reports must be negative; another one is refused
 * by the call that asked for contacts, with NSDYN_ERR_ARGUMENT.
 *
 * @param[in,out] world  every free body has to have a mass and a moment of inertia.
 * @param[in]     own    copied, and checked as by nsdyn_system_new(); NULL: there are bodies alone. Not with
 *                       `solve_mass` or `delassus`; `force_jacobian` and NSDYN_CONSTANT_SLOPES are not used.
 *                       With nu = 0 it needs no `mass`.
 * @param[out]    out    yours to free with nsdyn_system_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (the message names body, joint or materials), NSDYN_ERR_NOT_FINITE
 * where masses of shapes are too large for a number, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 *         NSDYN_ERR_UNSUPPORTED, NSDYN_ERR_BUSY where it was made before, and as nsdyn_system_new().
 */
NSDYN_API nsdyn_status nsdyn_world_system(nsdyn_world *world, const nsdyn_system_def *own, nsdyn_system **out,
                                          nsdyn_error *error);

/**
 * @brief How many coordinates and velocities there are, your own among them; known with the system.
 * @param[in]  world  with its system.
 * @param[out] nq     coordinates; may be NULL.
 * @param[out] nu     velocities; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_sizes(const nsdyn_world *world, int32_t *nq, int32_t *nu);

/**
 * @brief Where the coordinates of a free body begin: x and y of its centre of mass, φ.
 * @param[in]  world  with its system.
 * @param[in]  body   number of a free body.
 * @param[out] in_q   number of the first one; may be NULL.
 * @param[out] in_u   of the first velocity; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_place(const nsdyn_world *world, int32_t body, int32_t *in_q,
                                         int32_t *in_u);

/**
 * @brief Mass, moment of inertia about the centre of mass, and this centre in the frame of a free body.
 * @param[in]  world    with its system.
 * @param[in]  body     number of a free body.
 * @param[out] mass     may be NULL.
 * @param[out] inertia  may be NULL.
 * @param[out] centre   x, y; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_mass(const nsdyn_world *world, int32_t body, double *mass, double *inertia,
                                        double *centre);

/**
 * @brief The state that the free bodies begin with, as nsdyn_body_def says. Your own coordinates stay.
 * @param[in]     world  with its system.
 * @param[in,out] q,u    all coordinates and velocities; only those of bodies are written. Each may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_begin(const nsdyn_world *world, double *q, double *u);

/**
 * @brief Where the frame of a body is: that of nsdyn_body_def::pose, which its shapes were placed in.
 * @param[in]  world     with its system.
 * @param[in]  body      number of a body.
 * @param[in]  t         time.
 * @param[in]  q         all coordinates.
 * @param[in]  u         all velocities; NULL where `velocity` is.
 * @param[out] pose      x, y, φ; may be NULL.
 * @param[out] velocity  of the frame's origin, and ω; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_CALLBACK, NSDYN_ERR_CALLBACK_RETRY, NSDYN_ERR_NOT_FINITE.
 */
NSDYN_API nsdyn_status nsdyn_world_pose(const nsdyn_world *world, int32_t body, double t, const double *q,
                                        const double *u, double *pose, double *velocity);

/** @brief Energies of a world; nsdyn_world_energy_init() writes the size. */
typedef struct nsdyn_world_energy {
  size_t size;    /**< sizeof(nsdyn_world_energy) as you compiled it. */
  double kinetic; /**< Of the free bodies. */
  double gravity; /**< Their potential in it, 0 where the centre of mass is at the origin. */
  double springs; /**< Stored in springs. */
} nsdyn_world_energy;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] energy  to fill in.
 * @param[in]  size    sizeof(nsdyn_world_energy).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_world_energy_init(nsdyn_world_energy *energy, size_t size);

/**
 * @brief Energies of free bodies and springs.
 * @param[in]     world   with its system.
 * @param[in]     t,q,u   a state.
 * @param[in,out] energy  its `size` set by you; filled in.
 * @return as nsdyn_world_pose(), and NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_world_measure(const nsdyn_world *world, double t, const double *q,
                                           const double *u, nsdyn_world_energy *energy);

/**
 * @brief The constraints of a joint: what nsdyn_stepper_constraint() calls them.
 * @param[in]  world  with its system.
 * @param[in]  joint  its number.
 * @param[out] first  number of the first one; may be NULL.
 * @param[out] count  how many, 1 to 3; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_constraints(const nsdyn_world *world, int32_t joint, int32_t *first,
                                               int32_t *count);

/**
 * @brief The law of two shapes, for nsdyn_system_set_law().
 * @param[in]  world   with its system.
 * @param[in]  first   number of a shape.
 * @param[in]  second  of another one.
 * @param[out] law     its number in the system; −1: they never touch: they were told not to, are of one body,
 *                     of two that no coordinate moves, or of a joint that keeps them apart.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_world_law(const nsdyn_world *world, int32_t first, int32_t second, int32_t *law);

/**
 * @brief The key of a touch of two shapes: the same shapes and features have the same one, at any time.
 * @param[in] world   with its system.
 * @param[in] first   number of a shape.
 * @param[in] second  of another one, larger than that.
 * @param[in] touch   kind and features are read, first and second in this order.
 * @return a number >= 0; −1 for a NULL, numbers of no shapes, or features that these do not have: vertices
 *         are given points, edges as in nsdyn_touch::feature, of a circle none.
 */
NSDYN_API int64_t nsdyn_world_key(const nsdyn_world *world, int32_t first, int32_t second,
                                  const nsdyn_touch *touch);

/**
 * @brief Who touches whom: the way back from the key of a contact.
 * @param[in]     world   with its system.
 * @param[in]     key     of a found contact of its system, >= 0.
 * @param[out]    shapes  numbers of the two shapes, the smaller one first; may be NULL.
 * @param[out]    bodies  of their bodies, in the same order; may be NULL.
 * @param[in,out] touch   its `size` set by you; kind and features are filled in, the rest is zero; may be
 *                        NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for a key of no contact, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_world_touch(const nsdyn_world *world, int64_t key, int32_t *shapes,
                                         int32_t *bodies, nsdyn_touch *touch);

/** @brief One line on the last failure of a call that builds the world, or of a callback of its system, which
 * names body, shape or joint; else "". */
NSDYN_API const char *nsdyn_world_message(const nsdyn_world *world);

/**
 * @brief The same for programs.
 * @param[in]     world   the world.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_world_detail(const nsdyn_world *world, nsdyn_detail *detail);

#ifdef __cplusplus
}
#endif

#endif
