/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/**
 * @file
 * @brief Articulated systems: trees of rigid bodies and joints, in minimal coordinates.
 *
 * A **tree** begins with the world and grows by bodies, each hanging by one joint on the world or on a body
 * that is there already; several bodies on the world make a forest. Its coordinates q and velocities u are
 * those of the joints, body after body in the order in which they were added: no rows hold the joints
 * together, and nothing drifts apart. For one state (q, u) at a time, set by nsdyn_tree_set_state(), it
 * computes all that
 *
 *     M(q) u̇ − h(q,u) = τ
 *
 * is made of, by recursions along the tree (Mylapilli & Jain 2017, §2.4): where bodies are and how they move,
 * Jacobians and bias accelerations of points, h and τ (Newton–Euler), M (composite bodies), M⁻¹ and u̇ in
 * O(n) (articulated bodies), J M⁻¹ Jᵀ, energies and momenta.
 *
 * **Frames.** Each body has a frame of its own, in which its points, its centre of mass and its joint are
 * told. A joint has a frame on each of its two bodies; at q = 0 the two coincide, and q tells the frame on
 * the body (the moving one) as seen from the frame on its parent:
 *
 * | joint | q | u | motion |
 * |---|---|---|---|
 * | fixed | – | – | none |
 * | revolute | angle | q̇ | turn about `axis` |
 * | prismatic | way | q̇ | slide along `axis` |
 * | helical | angle | q̇ | turn about `axis`, and slide along it by `pitch` per radian |
 * | cylindrical | way, angle | q̇ | slide along `axis`, turn about it |
 * | universal | two angles | q̇ | turn about `axis`, then about `second`, which the first turn carries along |
 * | planar | x, y, angle | q̇ | slide along `second` and along `axis` × `second`, turn about `axis` |
 * | spherical | quaternion | ω | turn by it; ω along the axes of the moving frame |
 * | free | place, quaternion | v, ω | any; place and v along the axes of the parent's frame, ω of its own |
 *
 * Quaternions and ω are those of nsdyn/rotation.h. Fixed joints cost nothing: their bodies become part of the
 * body that they are fixed to. Bodies without mass are legal where something behind them has some.
 *
 * After nsdyn_tree_add() nothing allocates. A tree holds one state, so it serves one thread at a time.
 *
 * @code
 * // A double pendulum: rods of length 1 about y, hanging down along −z at q = 0.
 * static nsdyn_status add_rod(nsdyn_tree *tree, int32_t parent, double hinge, int32_t *number)
 * {
 *   nsdyn_tree_body rod;
 *   nsdyn_tree_body_init(&rod, sizeof rod);
 *   rod.name = parent < 0 ? "upper arm" : "forearm";
 *   rod.parent = parent;
 *   rod.joint = NSDYN_TREE_REVOLUTE;
 *   rod.axis[1] = 1.0, rod.axis[2] = 0.0;
 *   rod.joint_place[2] = hinge; // on the parent
 *   rod.mass = 1.0;
 *   rod.centre[2] = -0.5;
 *   rod.inertia[0] = rod.inertia[1] = 1.0 / 12.0; // about its centre
 *   return nsdyn_tree_add(tree, &rod, number);
 * }
 * @endcode
 */
#ifndef NSDYN_MULTIBODY_H
#define NSDYN_MULTIBODY_H

#include "solid.h"
#include "system.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @brief How a body hangs on its parent; nsdyn_tree_body::joint. */
enum nsdyn_tree_joint {
  NSDYN_TREE_FIXED = 0,       /**< Not at all movable. */
  NSDYN_TREE_REVOLUTE = 1,    /**< One angle. */
  NSDYN_TREE_PRISMATIC = 2,   /**< One way. */
  NSDYN_TREE_HELICAL = 3,     /**< A screw: one angle. */
  NSDYN_TREE_CYLINDRICAL = 4, /**< A way and an angle. */
  NSDYN_TREE_UNIVERSAL = 5,   /**< Two angles: a Cardan joint. */
  NSDYN_TREE_PLANAR = 6,      /**< Two ways and an angle. */
  NSDYN_TREE_SPHERICAL = 7,   /**< A ball: a quaternion, and three velocities. */
  NSDYN_TREE_FREE = 8         /**< None: a place and a quaternion, and six velocities. */
};

/**
 * @brief A body and the joint that it hangs by; nsdyn_tree_body_init() writes the defaults: a body without
 * mass, fixed to the world, its frame the world's.
 */
typedef struct nsdyn_tree_body {
  size_t size;           /**< sizeof(nsdyn_tree_body) as you compiled it. */
  const char *name;      /**< For messages; copied, the first 31 bytes. NULL (default): its number. */
  int32_t parent;        /**< Number of the body that it hangs on; −1 (default): the world. */
  int32_t joint;         /**< One of ::nsdyn_tree_joint. Default: fixed. */
  double joint_place[3]; /**< Origin of the joint's frame on the parent, in the parent's frame. */
  double joint_turn[4];  /**< Its orientation there, a quaternion of any norm but 0. Default: none. */
  double own_place[3];   /**< Origin of the joint's frame on this body, in its own frame. */
  double own_turn[4];    /**< Its orientation there. Default: none. */
  double axis[3];        /**< Direction in the joint's frame, of any length but 0. Default: z. */
  double second[3];      /**< Of a universal and a planar joint: a second direction, of any length but 0. Of a
                            universal joint not along `axis`; of a planar one at right angles to it. Default: x. */
  double pitch;          /**< Of a helical joint: way per radian. Default 0. */
  double mass;           /**< >= 0. Default 0. */
  double centre[3];      /**< Centre of mass, in the body's frame. */
  double inertia[6]; /**< About that centre, along the body's axes: J_xx, J_yy, J_zz, J_xy, J_xz, J_yz, where
                        J_xy = −∫ x y dm. That of some distribution of mass: a rod, a plate and a mere point
                        are. */
} nsdyn_tree_body;

/**
 * @brief Writes size and defaults.
 * @param[out] body  to fill in.
 * @param[in]  size  sizeof(nsdyn_tree_body).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_body_init(nsdyn_tree_body *body, size_t size);

/** @brief What holds for a whole tree; nsdyn_tree_options_init() writes the defaults. */
typedef struct nsdyn_tree_options {
  size_t size;       /**< sizeof(nsdyn_tree_options) as you compiled it. */
  double gravity[3]; /**< Its acceleration, in the world. Default 0. */
} nsdyn_tree_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_tree_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_options_init(nsdyn_tree_options *options, size_t size);

/** @brief A tree of bodies, and one state of it. */
typedef struct nsdyn_tree nsdyn_tree;

/**
 * @brief Makes a tree without bodies.
 * @param[in]  ctx      memory and log, held; NULL: the C library and silence.
 * @param[in]  options  copied; NULL: the defaults.
 * @param[out] out      yours to free with nsdyn_tree_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_STRUCT_SIZE,
 *         NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_tree_new(nsdyn_context *ctx, const nsdyn_tree_options *options, nsdyn_tree **out,
                                      nsdyn_error *error);

/** @brief Lets go of a tree; NULL is fine. A system made of it keeps it alive. */
NSDYN_API void nsdyn_tree_free(nsdyn_tree *tree);

/**
 * @brief Adds a body. The state that was set is forgotten.
 * @param[in,out] tree    the tree; after a failure it is as before.
 * @param[in]     body    copied.
 * @param[out]    number  its number, from 0 in the order of these calls; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT and NSDYN_ERR_NOT_FINITE (the message names body, joint and field),
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW,
 *         NSDYN_ERR_BUSY where a system has been made of the tree.
 */
NSDYN_API nsdyn_status nsdyn_tree_add(nsdyn_tree *tree, const nsdyn_tree_body *body, int32_t *number);

/** @brief How many bodies; 0 for NULL. */
NSDYN_API int32_t nsdyn_tree_bodies(const nsdyn_tree *tree);

/** @brief How many coordinates; 0 for NULL. */
NSDYN_API int32_t nsdyn_tree_nq(const nsdyn_tree *tree);

/** @brief How many velocities; 0 for NULL. */
NSDYN_API int32_t nsdyn_tree_nu(const nsdyn_tree *tree);

/** @brief Number of the first coordinate of a body's joint, or of what would follow; −1 where there is no
 * such body. */
NSDYN_API int32_t nsdyn_tree_first_q(const nsdyn_tree *tree, int32_t body);

/** @brief The same of its velocities. */
NSDYN_API int32_t nsdyn_tree_first_u(const nsdyn_tree *tree, int32_t body);

/** @brief Number of the first body of that name, of which the first 31 bytes count; −1: there is none. */
NSDYN_API int32_t nsdyn_tree_find(const nsdyn_tree *tree, const char *name);

/**
 * @brief The configuration in which the two frames of each joint coincide: zeros, and quaternions (1, 0, 0,
 * 0).
 * @param[in]  tree  the tree.
 * @param[out] q     nq numbers.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL.
 */
NSDYN_API nsdyn_status nsdyn_tree_rest(const nsdyn_tree *tree, double *q);

/**
 * @brief q̇ of u: what nsdyn_system_def::kinematics asks for. Not the state that was set: any.
 * @param[in]  tree  the tree.
 * @param[in]  q     nq numbers.
 * @param[in]  u     nu numbers.
 * @param[out] qdot  nq numbers.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL.
 */
NSDYN_API nsdyn_status nsdyn_tree_rates(const nsdyn_tree *tree, const double *q, const double *u,
                                        double *qdot);

/**
 * @brief The configuration after dt at constant u, its quaternions of norm 1: what nsdyn_system_def::retract
 * asks for.
 * @param[in]  tree   the tree.
 * @param[in]  q      nq numbers.
 * @param[in]  u      nu numbers.
 * @param[in]  dt     time.
 * @param[out] q_new  nq numbers; may be q.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL.
 */
NSDYN_API nsdyn_status nsdyn_tree_retract(const nsdyn_tree *tree, const double *q, const double *u, double dt,
                                          double *q_new);

/**
 * @brief Sets the state that the calls below refer to, and computes where all bodies are and how they move,
 * in O(n).
 * @param[in,out] tree  the tree; after a failure it has no state.
 * @param[in]     q     nq numbers; quaternions of any norm but 0.
 * @param[in]     u     nu numbers; NULL: all zero.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE (the message names the coordinate and its body).
 */
NSDYN_API nsdyn_status nsdyn_tree_set_state(nsdyn_tree *tree, const double *q, const double *u);

/** @brief How a point of a body moves, in the world; nsdyn_tree_motion_init() writes the size. */
typedef struct nsdyn_tree_motion {
  size_t size;        /**< sizeof(nsdyn_tree_motion) as you compiled it. */
  double place[3];    /**< Where the point is. */
  double turn[9];     /**< R of the body: by rows; its columns are the axes of the body's frame. */
  double velocity[3]; /**< Of the point: J u. */
  double omega[3];    /**< Of the body. */
  double bias[3];     /**< J̇ u: the acceleration of the point at u̇ = 0. */
  double alpha[3];    /**< ω̇ at u̇ = 0. */
} nsdyn_tree_motion;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] motion  to fill in.
 * @param[in]  size    sizeof(nsdyn_tree_motion).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_motion_init(nsdyn_tree_motion *motion, size_t size);

/**
 * @brief Where a point of a body is, and how it moves, at the state that was set.
 * @param[in]     tree    the tree.
 * @param[in]     body    its number; −1: the world.
 * @param[in]     point   in the body's frame; NULL: its origin.
 * @param[in,out] motion  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set), NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_point(nsdyn_tree *tree, int32_t body, const double *point,
                                        nsdyn_tree_motion *motion);

/**
 * @brief J of a point of a body: (v, ω) = J u.
 * @param[in]  tree   the tree.
 * @param[in]  body   its number; −1: the world.
 * @param[in]  point  in the body's frame; NULL: its origin.
 * @param[out] J      6 × nu: rows 0 to 2 of the point's velocity in the world, rows 3 to 5 of ω in the world.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_jacobian(nsdyn_tree *tree, int32_t body, const double *point, double *J);

/**
 * @brief Adds what a force and a moment on a body do: τ := τ + Jᵀ (f, m).
 * @param[in]     tree    the tree.
 * @param[in]     body    its number; −1: the world, which takes all.
 * @param[in]     point   where the force acts, in the body's frame; NULL: its origin.
 * @param[in]     force   in the world; NULL: none.
 * @param[in]     moment  in the world; NULL: none.
 * @param[in,out] tau     nu numbers, as of h.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_push(nsdyn_tree *tree, int32_t body, const double *point,
                                       const double *force, const double *moment, double *tau);

/**
 * @brief h, gravity and gyroscopic forces, in O(n).
 * @param[in]  tree  the tree.
 * @param[out] h     nu numbers.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_force(nsdyn_tree *tree, double *h);

/**
 * @brief Inverse dynamics: τ = M u̇ − h, in O(n).
 * @param[in]  tree  the tree.
 * @param[in]  udot  nu numbers.
 * @param[out] tau   nu numbers; may be udot.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_inverse_dynamics(nsdyn_tree *tree, const double *udot, double *tau);

/**
 * @brief y = M x in O(n), without M.
 * @param[in]  tree  the tree.
 * @param[in]  x     nu numbers.
 * @param[out] y     nu numbers; may be x.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_multiply_mass(nsdyn_tree *tree, const double *x, double *y);

/**
 * @brief M by composite bodies, in O(n d) with the depth d.
 * @param[in]  tree  the tree.
 * @param[out] M     nu × nu, row-major, symmetric to the bit.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set).
 */
NSDYN_API nsdyn_status nsdyn_tree_mass(nsdyn_tree *tree, double *M);

/**
 * @brief X := X M⁻¹ by articulated bodies, in O(n) for each row.
 * @param[in]     tree  the tree.
 * @param[in]     nrhs  rows of X.
 * @param[in,out] X     nrhs × nu.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set), NSDYN_ERR_NOT_DEFINITE where a joint
 *         moves no mass (the message names it); X is untouched then.
 */
NSDYN_API nsdyn_status nsdyn_tree_solve_mass(nsdyn_tree *tree, int32_t nrhs, double *X);

/**
 * @brief Forward dynamics: u̇ = M⁻¹ (h + τ), in O(n).
 * @param[in]  tree  the tree.
 * @param[in]  tau   nu numbers; NULL: all zero.
 * @param[out] udot  nu numbers; may be tau.
 * @return as nsdyn_tree_solve_mass().
 */
NSDYN_API nsdyn_status nsdyn_tree_accelerations(nsdyn_tree *tree, const double *tau, double *udot);

/**
 * @brief G = W M⁻¹ Wᵀ without M: of rows as nsdyn_tree_jacobian() has them, or combinations of them, as of
 * contacts and loops. O(n) for each row, and the product.
 * @param[in]     tree  the tree.
 * @param[in]     rows  of W.
 * @param[in,out] W     rows × nu; overwritten by X with G = X Xᵀ.
 * @param[out]    G     rows × rows, symmetric to the bit.
 * @return as nsdyn_tree_solve_mass(); W and G are untouched then.
 */
NSDYN_API nsdyn_status nsdyn_tree_delassus(nsdyn_tree *tree, int32_t rows, double *W, double *G);

/** @brief Sums over all bodies that can move; nsdyn_tree_totals_init() writes the size. Bodies that are fixed
 * to the world do not count. */
typedef struct nsdyn_tree_totals {
  size_t size;        /**< sizeof(nsdyn_tree_totals) as you compiled it. */
  double mass;        /**< Of all. */
  double centre[3];   /**< Their centre of mass, in the world; 0 without mass. */
  double momentum[3]; /**< Σ m v. */
  double angular[3];  /**< Angular momentum about the world's origin. */
  double kinetic;     /**< Kinetic energy. */
  double potential;   /**< −Σ m g · r: energy in the field of gravity, 0 at the world's origin. */
} nsdyn_tree_totals;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] totals  to fill in.
 * @param[in]  size    sizeof(nsdyn_tree_totals).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_totals_init(nsdyn_tree_totals *totals, size_t size);

/**
 * @brief Mass, centre, momenta and energies at the state that was set.
 * @param[in]     tree    the tree.
 * @param[in,out] totals  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT (also where no state is set), NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_measure(nsdyn_tree *tree, nsdyn_tree_totals *totals);

/** @brief Along what an element acts; nsdyn_tree_element::kind. */
enum nsdyn_tree_element_kind {
  NSDYN_ELEMENT_AXIS =
      0,                 /**< A coordinate of a joint; or two, as of wheels that mesh: s = q_a + ratio q_b. */
  NSDYN_ELEMENT_LINE = 1 /**< The line between two anchors: s is their distance. */
};

/**
 * @brief What acts along one length or angle s: springs, dampers, dry friction, limits, motors, rods, ropes,
 * gears; nsdyn_tree_element_init() writes the defaults: nothing of all that.
 *
 * Along s, towards larger s, acts the force (of an angle the moment)
 *
 *     F = −stiffness (s − rest − f(t)) − damping (ṡ − ḟ(t)) + force(t, s, ṡ),
 *
 * where f(t) is what `drive` says, 0 without. Beside it, each where it is told,
 *
 * - `held`: s = rest + f(t), a constraint: a motor that is stronger than what it moves, a rod, a gear;
 * - `friction`: dry friction, the set −friction Sgn(ṡ): it sticks, and is never smoothed;
 * - `lower`, `upper`: lower <= s <= upper, stops that push alone and give back `eps_n` of a hit: limits of a
 *   joint, backlash of a gear (s of two axes between −b and b), a rope (the upper one alone).
 *
 * | part | element |
 * |---|---|
 * | spring and damper in a joint | axis, `stiffness`, `damping` |
 * | servo | the same with `drive` |
 * | motor of given moment | axis, `force` |
 * | motor of given motion | axis, `held`, `drive` |
 * | stops of a joint | axis, `lower`, `upper` |
 * | gear of ratio i | two axes, `ratio` = −i or i, `held` |
 * | the same with backlash | two axes, `lower`, `upper` |
 * | rod | line, `held`, `rest` |
 * | rope | line, `upper` |
 * | spring between bodies | line, `stiffness`, `rest` |
 *
 * Where both anchors of a line are in one place, it has no direction. A damper acts against the motion there;
 * any other force, a limit and what is held need a direction: the system's callbacks return 1, and
 * nsdyn_tree_message() names the element.
 */
typedef struct nsdyn_tree_element {
  size_t size;      /**< sizeof(nsdyn_tree_element) as you compiled it. */
  const char *name; /**< For messages; copied, the first 31 bytes. NULL (default): its number. */
  int32_t kind;     /**< One of ::nsdyn_tree_element_kind. Default: axis. */
  int32_t held;     /**< 1: s is held at rest + f(t). Not beside friction or limits. Default 0. */
  int32_t body[2]; /**< Of an axis: by whose joint, and by that of a second one, or −1. Of a line: bodies of
                      its two anchors, −1: the world; not the same. Default −1, −1. */
  int32_t axis[2]; /**< Of an axis: which of the velocities of that joint, from 0; else not looked at. Default
                      0, 0. */
  double ratio;    /**< Of two axes: what q_b counts in s. Not 0. Default 1. */
  double anchor[6]; /**< Of a line: in the frame of the first body, then in that of the second. Default 0. */
  double rest;      /**< s without force of the spring, or that is held; of a line that is held > 0. NaN: as
                       the bodies stand in the state that was set. Default 0. */
  double stiffness; /**< Force per length, or moment per angle, >= 0. Default 0. */
  double damping;   /**< Force per speed, or moment per rate, >= 0. Default 0. */
  double friction;  /**< Force or moment of dry friction, >= 0. Default 0: none. */
  double lower;     /**< Smallest s. Default −INFINITY: none. */
  double upper;     /**< Largest s, > lower. Default INFINITY: none. */
  double eps_n;     /**< Restitution at these, in [0, 1]. Default 0. */
  /** f, ḟ and f̈ at time t: three numbers. Returns as callbacks of a system do. NULL: all 0. */
  int (*drive)(void *user, double t, double *value);
  /** A force along s, written to `value`; `s` is NaN where an axis has no coordinate. NULL: none. */
  int (*force)(void *user, double t, double s, double rate, double *value);
  void *user; /**< First argument of both. */
} nsdyn_tree_element;

/**
 * @brief Writes size and defaults.
 * @param[out] element  to fill in.
 * @param[in]  size     sizeof(nsdyn_tree_element).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_element_init(nsdyn_tree_element *element, size_t size);

/**
 * @brief Adds an element, which acts in systems made of the tree: nsdyn_tree_system_new(). What the tree
 * computes by itself, such as nsdyn_tree_force(), knows nothing of it.
 *
 * ω of a spherical or free joint has no coordinates: along its axes there are dampers, dry friction and
 * `force` alone.
 * @param[in,out] tree     the tree, with the bodies named; after a failure it is as before.
 * @param[in]     element  copied.
 * @param[out]    number   its number, from 0 in the order of these calls; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT and NSDYN_ERR_NOT_FINITE (the message names element and field),
 *         NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW,
 *         NSDYN_ERR_BUSY where a system has been made of the tree.
 */
NSDYN_API nsdyn_status nsdyn_tree_add_element(nsdyn_tree *tree, const nsdyn_tree_element *element,
                                              int32_t *number);

/**
 * @brief Which contacts and constraints of a system are an element's: numbers as in
 * nsdyn_system_set_contact() and nsdyn_stepper_constraint(), counted behind your own ones; −1 for what it
 * does not have.
 * @param[in]  tree        the tree.
 * @param[in]  element     its number.
 * @param[out] lower       contact that is its lower limit; may be NULL.
 * @param[out] upper       its upper one; may be NULL.
 * @param[out] friction    slot that is its dry friction; may be NULL.
 * @param[out] constraint  that holds it; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_tree_element_rows(const nsdyn_tree *tree, int32_t element, int32_t *lower,
                                               int32_t *upper, int32_t *friction, int32_t *constraint);

/** @brief Number of the first element of that name; −1: there is none. */
NSDYN_API int32_t nsdyn_tree_find_element(const nsdyn_tree *tree, const char *name);

/**
 * @brief A joint between two bodies of the tree that are there already, by constraints: it closes a loop;
 * nsdyn_tree_loop_init() writes the defaults.
 *
 * Joints, frames and directions are those of a nsdyn_tree_body: the joint's frame on the first body, and that
 * on the second one, which moves in it. Behind each joint the velocities that it takes away, its constraints:
 * fixed 6, revolute 5 (point and direction of the axis), prismatic 5, cylindrical 4, universal 4, planar 3,
 * spherical 3 (a point). A helical joint closes no loop, nor does a free one.
 *
 * Loops may ask for more than bodies can do, as those of a parallelogram in space do: what depends on the
 * others is allowed. They drift in steps, which nsdyn_stepper_options::project removes;
 * nsdyn_stepper_consistent() and nsdyn_event_driver_consistent() close a loop that is nearly closed. A
 * direction that is held at right angles to another one is so on both sides: an axis turned round by 180° is
 * another closed loop.
 */
typedef struct nsdyn_tree_loop {
  size_t size;      /**< sizeof(nsdyn_tree_loop) as you compiled it. */
  const char *name; /**< For messages; copied, the first 31 bytes. NULL (default): its number. */
  int32_t body[2];  /**< Numbers of the two bodies, −1: the world; not the same. Default −1, −1. */
  int32_t joint;    /**< One of ::nsdyn_tree_joint. Default: spherical. */
  int32_t reserved; /**< 0. */
  double
      joint_place[3]; /**< Origin of the joint's frame on the first body, in the frame of that. Default 0. */
  double joint_turn[4]; /**< Its orientation there, a quaternion of any norm but 0. Default: none. */
  double own_place[3]; /**< Origin of its frame on the second body, in the frame of that. NaN (default): where
                          the first one is, in the state that was set. */
  double own_turn[4];  /**< Its orientation there. NaN (default): that of the first one, in that state. */
  double axis[3];      /**< Direction in the joint's frame, of any length but 0. Default: z. */
  double second[3];    /**< Of a universal joint, as nsdyn_tree_body::second. Default: x. */
} nsdyn_tree_loop;

/**
 * @brief Writes size and defaults.
 * @param[out] loop  to fill in.
 * @param[in]  size  sizeof(nsdyn_tree_loop).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_loop_init(nsdyn_tree_loop *loop, size_t size);

/**
 * @brief Closes a loop, in systems made of the tree.
 * @param[in,out] tree    the tree, with both bodies; after a failure it is as before.
 * @param[in]     loop    copied.
 * @param[out]    number  its number, from 0 in the order of these calls; may be NULL.
 * @return as nsdyn_tree_add_element(); NSDYN_ERR_ARGUMENT also where a place is as the bodies stand, and no
 * state is set.
 */
NSDYN_API nsdyn_status nsdyn_tree_add_loop(nsdyn_tree *tree, const nsdyn_tree_loop *loop, int32_t *number);

/**
 * @brief The constraints of a loop, in this order: places (three, of a prismatic and a cylindrical joint two
 * across the axis, of a planar one along it), then directions. Counted behind your own ones.
 * @param[in]  tree   the tree.
 * @param[in]  loop   its number.
 * @param[out] first  number of the first one; may be NULL.
 * @param[out] count  how many; may be NULL.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT.
 */
NSDYN_API nsdyn_status nsdyn_tree_constraints(const nsdyn_tree *tree, int32_t loop, int32_t *first,
                                              int32_t *count);

/** @brief Number of the first loop of that name; −1: there is none. */
NSDYN_API int32_t nsdyn_tree_find_loop(const nsdyn_tree *tree, const char *name);

/**
 * @brief A solid on a body of a tree, or on the world; nsdyn_tree_solid_init() writes the defaults.
 *
 * The system that nsdyn_tree_system_new() makes of the tree finds where solids touch, and reports these
 * contacts before your own `find` is asked, if there is one. Nothing else is needed: a tree with solids has
 * contacts in steps and in event-driven runs. The point halfway between two solids is the contact's; w_N is
 * along the touch's normal, from the second solid to the first, which has the smaller number; w_T1 is across
 * it and across the axis of the world that is least along it, w_T2 = w_N × w_T1. w̄ is left to the event
 * driver, which differences it.
 *
 * Solids that move as one do not touch, nor do those of two bodies with a joint between them, of the tree or
 * of a loop (nsdyn_tree_add_loop()); what is fixed to a body counts as that. With the world bodies touch that
 * hang on it. Of all others two touch where each has a bit in `touches` that the other has in `group`.
 */
typedef struct nsdyn_tree_solid {
  size_t size;        /**< sizeof(nsdyn_tree_solid) as you compiled it. */
  const char *name;   /**< For messages; copied, the first 31 bytes. NULL (default): its number. */
  nsdyn_solid *solid; /**< Held. */
  int32_t body;       /**< Number of its body; −1 (default): the world. */
  int32_t material;   /**< 0 (default) to 1023: nsdyn_tree_set_law(). */
  int32_t group;      /**< Bits of the groups that it belongs to. Default 1. */
  int32_t touches;    /**< Bits of the groups that it touches. Default −1: all. */
  int64_t reserved;   /**< 0. */
  double place[3];    /**< Origin of its frame, in the body's frame. Default 0. */
  double turn[4];     /**< Its orientation there, a quaternion of any norm but 0. Default: none. */
} nsdyn_tree_solid;

/**
 * @brief Writes size and defaults.
 * @param[out] solid  to fill in.
 * @param[in]  size   sizeof(nsdyn_tree_solid).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_solid_init(nsdyn_tree_solid *solid, size_t size);

/**
 * @brief Puts a solid on a body. It adds no mass: nsdyn_solid_measure() tells what a body of it would have.
 * @param[in,out] tree    the tree, with the body; after a failure it is as before.
 * @param[in]     solid   copied.
 * @param[out]    number  its number, from 0 in the order of these calls; may be NULL.
 * @return as nsdyn_tree_add_element().
 */
NSDYN_API nsdyn_status nsdyn_tree_add_solid(nsdyn_tree *tree, const nsdyn_tree_solid *solid, int32_t *number);

/** @brief How many solids; 0 for NULL. */
NSDYN_API int32_t nsdyn_tree_solids(const nsdyn_tree *tree);

/** @brief Number of the first solid of that name; −1: there is none. */
NSDYN_API int32_t nsdyn_tree_find_solid(const nsdyn_tree *tree, const char *name);

/**
 * @brief Sets the law between solids of two materials, or of one with itself. Two whose law is not set have
 * that of material 0 with itself; where that is not set either, they touch without friction and restitution.
 *
 * In a system of a tree with solids or laws these laws are the first ones, as nsdyn_system_set_law() and
 * nsdyn_found_contact::law count them: 0 is that of material 0 with itself, set or not, and of all pairs
 * without a law of their own; 1, 2 and so on are those of other pairs, in the order in which each was set
 * first. nsdyn_system_add_law() numbers yours behind them.
 * @param[in,out] tree    without a system yet; after a failure it is as before.
 * @param[in]     first   number of a material, 0 to 1023.
 * @param[in]     second  likewise.
 * @param[in]     law     with two tangents or none, and no slot (::NSDYN_CONTACT_BILATERAL); copied.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE, NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE,
 *         NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW, NSDYN_ERR_BUSY where a system has been made of the
 *         tree.
 */
NSDYN_API nsdyn_status nsdyn_tree_set_law(nsdyn_tree *tree, int32_t first, int32_t second,
                                          const nsdyn_contact_law *law);

/**
 * @brief Which solids and features a found contact is between: keys of solids are negative, and the same from
 * step to step. Beside solids yours should not be.
 * @param[in]  tree     the tree.
 * @param[in]  key      of the contact.
 * @param[out] solid    two numbers: of the first and the second solid.
 * @param[out] feature  two numbers: their features, as nsdyn_solid_touch::feature.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT where no two solids have that key.
 */
NSDYN_API nsdyn_status nsdyn_tree_solids_of_key(const nsdyn_tree *tree, int64_t key, int32_t *solid,
                                                int32_t *feature);

/**
 * @brief Reads a tree from text, with its elements and loops.
 *
 * Words and numbers separated by white space; `#` begins a comment that ends with the line. The decimal point
 * is a point in every locale. In brackets what may be missing:
 *
 *     tree  [gravity X Y Z]
 *     body NAME FIELD VALUE ...
 *     element NAME FIELD VALUE ...
 *     loop NAME FIELD VALUE ...
 *
 * with as many of these three as you like, in any order, where what names a body comes behind it. The fields
 * are those of nsdyn_tree_body, nsdyn_tree_element and nsdyn_tree_loop, in any order, each once; a field
 * that is not there has its default. For the two bodies of an element or a loop the word is `between`. Words
 * stand for enumerators: `joint` `fixed`, `revolute`, `prismatic`, `helical`, `cylindrical`, `universal`,
 * `planar`, `spherical`, `free`; `kind` `axis`, `line`. A body is told by its name, its number or `world`;
 * NAME is - where there is none, and %20 in it is a blank, as %XX, with the digits 0 to 9 and A to F or a to
 * f, is any byte but 0. Of a name the first 31 bytes are kept: a longer one leads to no body, nor does one
 * that several bodies before it have; tell the number. A loop tells its `own_place` and `own_turn`, as no
 * text has a state. Every word that is none of these is refused with its line: nothing is skipped.
 *
 *     tree  gravity 0 0 -9.81
 *     body arm  joint revolute  axis 0 1 0  mass 1  centre 0 0 -0.5  inertia 0.083 0.083 0 0 0 0
 *     element elbow  between arm world  friction 0.1  upper 1.2
 *
 * @param[in]  ctx     memory and log, held; NULL: the C library and silence.
 * @param[in]  text    need not end with a zero.
 * @param[in]  length  its bytes.
 * @param[out] out     yours to free with nsdyn_tree_free(); NULL on failure.
 * @param[in,out] error  why it failed ("line 7: …"), and the line, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_SYNTAX, NSDYN_ERR_ARGUMENT, NSDYN_ERR_NOT_FINITE and what else
 *         nsdyn_tree_add(), nsdyn_tree_add_element() and nsdyn_tree_add_loop() return, NSDYN_CANCELLED.
 */
NSDYN_API nsdyn_status nsdyn_tree_read_text(nsdyn_context *ctx, const char *text, size_t length,
                                            nsdyn_tree **out, nsdyn_error *error);

/**
 * @brief Writes a tree as text that nsdyn_tree_read_text() reads back to the bit.
 * @param[in]  tree  the tree.
 * @param[out] text  receives at most `size` bytes with a zero at the end; NULL with size 0 to measure.
 * @param[in]  size  bytes of `text`.
 * @return the bytes the whole text needs, its zero included; 0 for a bad argument, and where an element has a
 *         callback or the tree has solids or laws, which no text holds.
 */
NSDYN_API size_t nsdyn_tree_write_text(const nsdyn_tree *tree, char *text, size_t size);

/** @brief Primitive shapes of a URDF's collisions; nsdyn_urdf_shape::kind. Behind each what `extent` holds.
 */
enum nsdyn_urdf_shape_kind {
  NSDYN_URDF_BOX = 0,      /**< Its three edges. */
  NSDYN_URDF_CYLINDER = 1, /**< Radius, length along z. */
  NSDYN_URDF_SPHERE = 2,   /**< Radius. */
  NSDYN_URDF_CAPSULE = 3   /**< Radius, length along z without the two ends. */
};

/** @brief A shape that a body collides with, as the file tells it; nsdyn_urdf_shape_init() writes the size.
 */
typedef struct nsdyn_urdf_shape {
  size_t size;      /**< sizeof(nsdyn_urdf_shape) as you compiled it. */
  int32_t kind;     /**< One of ::nsdyn_urdf_shape_kind. */
  int32_t body;     /**< Number of its body. */
  double place[3];  /**< Its centre, in the body's frame. */
  double turn[4];   /**< Its orientation there. */
  double extent[3]; /**< As `kind` says, each > 0; 0 behind them. */
} nsdyn_urdf_shape;

/**
 * @brief Writes the size; the rest is zero.
 * @param[out] shape  to fill in.
 * @param[in]  size   sizeof(nsdyn_urdf_shape).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_urdf_shape_init(nsdyn_urdf_shape *shape, size_t size);

/** @brief How a URDF is read; nsdyn_urdf_options_init() writes the defaults. */
typedef struct nsdyn_urdf_options {
  size_t size;    /**< sizeof(nsdyn_urdf_options) as you compiled it. */
  int32_t root;   /**< How links that are no joint's child hang on the world: ::NSDYN_TREE_FIXED (default) or
                     ::NSDYN_TREE_FREE. */
  int32_t solids; /**< 1: shapes of collisions become solids of the tree, with the names of their links; their
                     group is 2, and they touch all but that: what the robot meets, not itself. Default 0. */
  double gravity[3]; /**< Of the tree. Default 0, 0, −9.81. */
  /** Told of an element or attribute that is not known, before it is passed over with all within it; a return
   * other than 0 refuses it. NULL (default): all are refused. */
  int (*unknown)(void *user, int64_t line, const char *name);
  void *user; /**< First argument of `unknown`. */
} nsdyn_urdf_options;

/**
 * @brief Writes size and defaults.
 * @param[out] options  to fill in.
 * @param[in]  size     sizeof(nsdyn_urdf_options).
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT for NULL, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_urdf_options_init(nsdyn_urdf_options *options, size_t size);

/**
 * @brief A reader of robots in URDF, the format of ROS, behind an XML parser of yours.
 *
 * The library reads no XML itself: hand on what your parser, such as expat, reports of the beginning and end
 * of elements, and take the tree. Links become bodies; joints `fixed`, `revolute`, `continuous`, `prismatic`,
 * `floating` and `planar` their joints; `limit`, `dynamics` and `mimic` elements of the tree, with the name
 * of the joint; collisions with boxes, cylinders, spheres and capsules are told by nsdyn_urdf_collision().
 * What is not of mechanics is passed over: `visual`, `material`, and the `effort` and `velocity` of a limit.
 * Every other element or attribute is unknown: nsdyn_urdf_options::unknown hears of it by name and line.
 *
 * A revolute and a prismatic joint have a limit, whose `lower` and `upper` are 0 where they are not told;
 * equal ones hold the joint there. The axis of a joint that has none is not looked at. A tree keeps the first
 * 31 bytes of a name: links whose names begin with the same ones are refused, and so are joints that have
 * elements.
 */
typedef struct nsdyn_urdf nsdyn_urdf;

/**
 * @brief Makes a reader.
 * @param[in]  ctx      memory and log, held; NULL: the C library and silence.
 * @param[in]  options  copied; NULL: the defaults.
 * @param[out] out      yours to free with nsdyn_urdf_free(); NULL on failure.
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return NSDYN_OK, NSDYN_ERR_NOMEM, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE, NSDYN_ERR_STRUCT_TOO_NEW.
 */
NSDYN_API nsdyn_status nsdyn_urdf_new(nsdyn_context *ctx, const nsdyn_urdf_options *options, nsdyn_urdf **out,
                                      nsdyn_error *error);

/** @brief Lets go of a reader; NULL is fine. Its tree stays. */
NSDYN_API void nsdyn_urdf_free(nsdyn_urdf *urdf);

/**
 * @brief An element begins. After a failure all further calls return what it returned.
 * @param[in,out] urdf        the reader.
 * @param[in]     line        where it begins, for messages.
 * @param[in]     name        of the element.
 * @param[in]     attributes  names and values in turn, then NULL, as expat has them; NULL: none.
 * @return NSDYN_OK, NSDYN_ERR_SYNTAX, NSDYN_ERR_UNSUPPORTED for what is unknown, NSDYN_ERR_NOMEM,
 *         NSDYN_ERR_TOO_LARGE, NSDYN_ERR_ARGUMENT for NULL.
 */
NSDYN_API nsdyn_status nsdyn_urdf_start(nsdyn_urdf *urdf, int64_t line, const char *name,
                                        const char *const *attributes);

/**
 * @brief The element that began last ends.
 * @param[in,out] urdf  the reader.
 * @return as nsdyn_urdf_start().
 */
NSDYN_API nsdyn_status nsdyn_urdf_end(nsdyn_urdf *urdf);

/**
 * @brief The tree of a robot that was read to its end; once.
 * @param[in,out] urdf  the reader.
 * @param[out]    out   yours to free with nsdyn_tree_free(); NULL on failure.
 * @return NSDYN_OK, NSDYN_ERR_SYNTAX where links and joints make no tree, and as nsdyn_tree_add() and
 *         nsdyn_tree_add_element(); the message names the line. NSDYN_CANCELLED.
 */
NSDYN_API nsdyn_status nsdyn_urdf_tree(nsdyn_urdf *urdf, nsdyn_tree **out);

/**
 * @brief A shape that a body of the tree collides with.
 * @param[in]     urdf   the reader, whose tree was made.
 * @param[in]     i      from 0, in the order of the file.
 * @param[in,out] shape  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT: there is no such one; NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_urdf_collision(const nsdyn_urdf *urdf, int32_t i, nsdyn_urdf_shape *shape);

/** @brief One line on what was wrong ("line 7: …"); "" while nothing was. */
NSDYN_API const char *nsdyn_urdf_message(const nsdyn_urdf *urdf);

/**
 * @brief Makes an ordinary system of a tree: M, h, q̇ and steps of q are the tree's; contacts, constraints and
 * further forces are yours.
 *
 * `own` tells yours, as for any system: `user`, `configure`, contacts known in advance or found, constraints,
 * biases, the flag ::NSDYN_CONSTANT_DIRECTIONS. What the tree brings stays 0 or NULL: M in any form,
 * `kinematics`, `retract`, `kinetic`. `force` gets h with the tree's own forces in it, and adds to them.
 *
 * When one of your callbacks is asked, the tree's state is the one that it is asked about, q and, where it
 * has u, u; so nsdyn_tree_point(), nsdyn_tree_jacobian(), nsdyn_tree_push() and so on tell what gaps,
 * directions and forces are made of. It may look at other states by nsdyn_tree_set_state(), as may callbacks
 * of elements.
 *
 * Contacts known in advance and constraints of your own come first; those of elements and loops follow, with
 * laws that the system gets here, and that nsdyn_system_set_contact() may replace. `force` gets h with forces
 * of elements in it, too; a `force_jacobian` is that of the sum.
 *
 * The system holds the tree, and nothing is added to it any more. Of small trees it gives M, of large ones
 * M⁻¹ by the recursion: what is cheaper. As the tree has one state, integrators of one tree belong into one
 * thread. Where the tree has no answer, at a configuration where a joint moves no mass or at numbers beyond
 * all bounds, its callbacks return 1, so that a shorter step is tried, and nsdyn_tree_message() tells why; it
 * tells too which element's callback has failed.
 *
 * @code
 * static int force(void *user, double t, const double *q, const double *u, double *h)
 * {
 *   (void)user, (void)t, (void)q;
 *   h[1] -= 0.2 * u[1]; // a damper in the elbow
 *   return 0;
 * }
 * @endcode
 *
 * @param[in]  ctx   memory and log, held; NULL: the C library and silence.
 * @param[in]  tree  held.
 * @param[in]  own   copied; NULL: nothing but the tree.
 * @param[out] out   yours to free with nsdyn_system_free(); NULL on failure (`destroy_user` is not called
 * then).
 * @param[in,out] error  why it failed, its `size` set by you; NULL: not wanted.
 * @return as nsdyn_system_new(), and NSDYN_ERR_ARGUMENT where `own` brings what is the tree's (the message
 * names the field).
 */
NSDYN_API nsdyn_status nsdyn_tree_system_new(nsdyn_context *ctx, nsdyn_tree *tree,
                                             const nsdyn_system_def *own, nsdyn_system **out,
                                             nsdyn_error *error);

/** @brief One line on the last failure of a call of this tree; "" after a success. nsdyn_tree_rest(),
 * nsdyn_tree_rates() and nsdyn_tree_retract(), which change nothing in it, leave it as it was. */
NSDYN_API const char *nsdyn_tree_message(const nsdyn_tree *tree);

/**
 * @brief The same for programs.
 * @param[in]     tree    the tree.
 * @param[in,out] detail  its `size` set by you; filled in.
 * @return NSDYN_OK, NSDYN_ERR_ARGUMENT, NSDYN_ERR_STRUCT_SIZE.
 */
NSDYN_API nsdyn_status nsdyn_tree_detail(const nsdyn_tree *tree, nsdyn_detail *detail);

#ifdef __cplusplus
}
#endif

#endif
