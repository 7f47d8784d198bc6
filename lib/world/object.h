/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A planar world: what was added to it, and what its system's callbacks share.
 *
 * Files of this folder:
 *
 *   object.c     the object: new, free, held; how arrays grow; names for messages
 *   bodies.c     bodies and the shapes on them; their masses
 *   laws.c       materials, and the law of two shapes
 *   joints.c     joints: constraints g_b, W_b, ŵ_b, w̄_b
 *   springs.c    springs and dampers: forces and energy
 *   motion.c     where bodies are and how they move, at a state
 *   contacts.c   which shapes are near each other, and their touches; keys
 *   system.c     the table of callbacks, together with the user's own
 *   report.c     what a user may ask: poses, energies, numbers
 *
 * A body has a frame, which its shapes and anchors are told in, and a point of reference that coordinates are
 * of: a free body's centre of mass, else the frame's origin. `arm` always leads from there. */
#ifndef NSD_WORLD_OBJECT_H
#define NSD_WORLD_OBJECT_H

#include <math.h>
#include <stdatomic.h>

#include "base/builder/label.h"
#include "base/builder/list.h"
#include "base/check_options.h"
#include "base/context.h"
#include "base/tolerances.h"
#include "geometry/placed.h"
#include "nsdyn/world.h"

/* First release's sizes (base/sized.h). */
#define NSD_WORLD_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_world_options, fat)
#define NSD_BODY_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_body_def, user)
#define NSD_ATTACHMENT_LEAST NSD_SIZE_THROUGH(nsdyn_attachment, density)
#define NSD_JOINT_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_joint_def, name)
#define NSD_SPRING_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_spring_def, name)
#define NSD_WORLD_ENERGY_LEAST NSD_SIZE_THROUGH(nsdyn_world_energy, springs)

/* A body at a configuration, by its point of reference; v and bias with u only. */
typedef struct nsd_motion {
  double pose[3], e[2]; /* x, y, φ; cos φ, sin φ */
  double rate[3];       /* of the pose at u = 0 */
  double v[3], bias[3]; /* J u + rate; the second derivative at u̇ = 0 */
  int32_t first;        /* of three velocities that have the identity in J; −1: none */
  int32_t blocks;
  const nsdyn_contact_block *block; /* J besides */
  int has_bias;
} nsd_motion;

typedef struct nsd_body {
  nsdyn_body_def def;
  char name[NSD_NAME_LENGTH];
  double mass, inertia, centre[2]; /* with the system; of a body that is not free 0 */
  /* Of its shapes: ∫ϱ, their centre of mass in the frame, and ∫ϱ r² about it. */
  double area_mass, area_centre[2], area_inertia;
  int32_t first; /* a free one: which of them, from 0; else −1 */
} nsd_body;

typedef struct nsd_attached {
  nsdyn_shape *shape; /* held */
  nsdyn_attachment on;
  int32_t body;
  int32_t first_feature; /* what the numbers of its features begin with, in keys */
  double far;            /* the farthest that is of it, from its own origin */
  double offset[2],
      pose[3]; /* at a configuration: from the body's point of reference, in the world; x, y, φ */
  /* In a search: the box round it; what gaps of it are wanted up to; and how its point of reference moves and
   * how fast, at most, it turns about that, times the time that is looked ahead. */
  double box[4], near, way[2], turn;
} nsd_attached;

/* The law of two materials, or of two shapes, the smaller number first. */
typedef struct nsd_agreed {
  int32_t first, second;
  int32_t number; /* in the system; −1: they never touch */
  int32_t is_law; /* 0: they never touch */
  nsdyn_contact_law law;
} nsd_agreed;

typedef struct nsd_joint {
  nsdyn_joint_def def;
  char name[NSD_NAME_LENGTH];
  int32_t first; /* of its constraints, among those of joints */
  int32_t rows;
} nsd_joint;

typedef struct nsd_spring {
  nsdyn_spring_def def;
  char name[NSD_NAME_LENGTH];
} nsd_spring;

struct nsdyn_world {
  nsdyn_context *ctx;
  atomic_size_t holders;
  nsd_fault fault;
  nsdyn_world_options options;
  nsd_list bodies, shapes, materials, agreed, pairs, joints, springs;
  nsd_list apart;       /* pairs of bodies, as one number each; sorted when the system is made */
  nsdyn_system_def own; /* the user's part; all zero where there is none */
  size_t own_elements;  /* of its M, in blocks or as one */
  int has_system;
  int32_t nq, nu, free_bodies, constraints; /* constraints: of joints */
  int32_t *law;                             /* materials × materials: numbers in the system */
  nsd_motion *motion;                       /* bodies, and the ground behind them */
  nsdyn_broad_phase *broad;
  nsdyn_detector *detector;
  nsd_list near; /* pairs of shapes, as one number each */
};

static inline nsd_body *nsd_world_body(const nsdyn_world *world, int32_t i)
{
  return (nsd_body *)world->bodies.item + i;
}
static inline nsd_attached *nsd_world_shape(const nsdyn_world *world, int32_t i)
{
  return (nsd_attached *)world->shapes.item + i;
}
static inline nsd_joint *nsd_world_joint(const nsdyn_world *world, int32_t i)
{
  return (nsd_joint *)world->joints.item + i;
}
static inline nsd_spring *nsd_world_spring(const nsdyn_world *world, int32_t i)
{
  return (nsd_spring *)world->springs.item + i;
}
static inline int nsd_world_has_body(const nsdyn_world *world, int32_t i)
{
  return i >= NSDYN_GROUND && i < world->bodies.count;
}
/* How a body of the present configuration moves. */
static inline nsd_motion *nsd_world_motion(const nsdyn_world *world, int32_t body)
{
  return &world->motion[body == NSDYN_GROUND ? world->bodies.count : body];
}

/* ---- object.c ---- */

/* A world that something is to be added to: clears the fault, and says NSDYN_ERR_BUSY where it has its
 * system. */
nsdyn_status nsd_world_open(nsdyn_world *world);

/* "body 3 (crate)", or "the ground". Returns `text`. */
const char *nsd_world_whose(const nsdyn_world *world, int32_t body, char text[NSD_LABEL_LENGTH]);

/* Refuses a number of the caller's: "body 3 (crate): pose: nan is not a finite number". */
nsdyn_status nsd_world_refuse(nsdyn_world *world, const char *who, const char *what, double value,
                              const char *range);

/* Whether all are finite and no larger than shapes may be; else refused. */
nsdyn_status nsd_world_numbers(nsdyn_world *world, const char *who, const char *what, int count,
                               const double *x);

/* ---- bodies.c ---- */

/* Masses of the free bodies, and their numbers. */
nsdyn_status nsd_world_weigh(nsdyn_world *world);

/* ---- laws.c ---- */

/* Tells the system all laws there may be. */
nsdyn_status nsd_world_legislate(nsdyn_world *world, nsdyn_system *sys);

/* The number of the law of two shapes, where they may touch; −1: they never do. */
int32_t nsd_world_law_of(const nsdyn_world *world, int32_t first, int32_t second);

/* ---- motion.c ---- */

/* One body's motion at (t, q), with u (not NULL) its velocities and bias. Returns a callback's code; what is
 * wrong of it is told in `fault`. */
int nsd_world_move(const nsdyn_world *world, int32_t i, double t, const double *q, const double *u,
                   nsd_motion *motion, nsd_fault *fault);

/* All of them, into world->motion. */
int nsd_world_configure(nsdyn_world *world, double t, const double *q, const double *u);

/* From the point of reference to a point of the body's frame, in the world's directions. */
void nsd_world_arm(const nsdyn_world *world, int32_t i, const nsd_motion *motion, const double *point,
                   double *arm);

/* v = J u + rate, of (x, y, φ). */
void nsd_motion_velocity(const nsd_motion *motion, const double *u, double *v);

/* w (nu) += Jᵀ c, where c is what acts on (x, y, φ) of the body. */
void nsd_motion_add(const nsd_motion *motion, const double *c, double *w);

static inline double nsd_motion_dot(const double *c, const double *x)
{
  return c[0] * x[0] + c[1] * x[1] + c[2] * x[2];
}

/* ---- joints.c, springs.c ---- */

/* Callbacks' parts: numbers of joints' constraints begin with 0 here. Return a callback's code. */
int nsd_joints_constrain(nsdyn_world *world, double t, double *g, double *W, double *w_hat);
int nsd_joints_bias(nsdyn_world *world, double t, double *w_bar);
int nsd_springs_push(nsdyn_world *world, double *h);

/* Energy in one spring between two bodies that move so. */
double nsd_spring_energy(const nsdyn_world *world, const nsd_spring *spring, const nsd_motion *a,
                         const nsd_motion *b);

/* What joints and springs have in common: checks bodies and anchors, and writes the second anchor where it
 * is where the first one is. */
nsdyn_status nsd_world_tie(nsdyn_world *world, const char *who, const int32_t *body, double *anchor,
                           double *rest, int is_angle);

/* ---- contacts.c ---- */

/* Broad phase, detector, and numbers of features. */
nsdyn_status nsd_contacts_prepare(nsdyn_world *world);

/* Whether two shapes may touch, as far as their bodies go: not those of one body, of two that no coordinate
 * moves, and of a joint that keeps them apart. Once contacts are prepared. */
int nsd_contacts_may_touch(const nsdyn_world *world, int32_t first, int32_t second);

/* The callback `find` of bodies. */
int nsd_contacts_find(nsdyn_world *world, const double *u, double margin, nsdyn_contact_sink *sink);

#endif
