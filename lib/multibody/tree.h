/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tree of bodies as the recursions see it: links with one velocity each, in the order of u.
 *
 * Files of this folder:
 *
 *   tree.h             what all share
 *   object.c           the object: bodies that are added, messages
 *   joints.h .c        a body and its joint as links: what is checked, constant transformations
 *   spatial.h          vectors and matrices of space in lanes
 *   links.h            what they ask of one link
 *   kinematics.h .c    where links are and how they move; steps of q
 *   newton_euler.c     h, inverse dynamics, M x: forces from the leaves to the roots
 *   composite.c        M: what hangs behind each joint as one body
 *   articulated.h .c   M⁻¹, accelerations and W M⁻¹ Wᵀ: inertias that joints have let go of
 *   points.c           points and frames of bodies: places, rates, Jacobians, forces there
 *   totals.c           masses, momenta, energies
 *   elements.h .c      what acts along one length: springs, friction, limits, motors, rods, ropes, gears
 *   loops.h .c         joints as constraints, which close loops
 *   solids.h .c        shapes of bodies, and the contacts between them
 *   system.c           a system made of a tree
 *   text.c             trees as text
 *   urdf.h .c          robots in URDF, as an XML parser reports them
 *   urdf_tree.c        their links and joints as a tree
 *
 * A joint of several velocities becomes as many links, all but the last without mass; a ball three of the
 * same frame. A body that is fixed belongs to the link of its parent. Link 0 is the world; link k has
 * velocity k − 1 and a parent with a smaller number, so that loops up and down are recursions over the tree.
 *
 * What the recursions go through stands in fours, three numbers of space and a zero, so that a vector is one
 * load (spatial.h); a matrix is three columns of four.
 *
 * All vectors are along the axes of the world; moments and velocities of a link refer to its own origin, the
 * place of its joint: nothing has to be turned, and nothing cancels far from the world's origin. */
#ifndef NSD_MULTIBODY_TREE_H
#define NSD_MULTIBODY_TREE_H

#include <stdatomic.h>

#include "base/builder/label.h"
#include "base/builder/list.h"
#include "base/builder/names.h"
#include "base/context.h"
#include "base/sized.h"
#include "base/tolerances.h"
#include "base/vec3.h"
#include "nsdyn/multibody.h"

/* First release's sizes (base/sized.h). */
#define NSD_TREE_BODY_LEAST NSD_SIZE_THROUGH(nsdyn_tree_body, inertia)
#define NSD_TREE_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_tree_options, gravity)
#define NSD_TREE_MOTION_LEAST NSD_SIZE_THROUGH(nsdyn_tree_motion, alpha)
#define NSD_TREE_ELEMENT_LEAST NSD_SIZE_THROUGH(nsdyn_tree_element, user)
#define NSD_TREE_SOLID_LEAST NSD_SIZE_THROUGH(nsdyn_tree_solid, turn)
#define NSD_TREE_LOOP_LEAST NSD_SIZE_THROUGH(nsdyn_tree_loop, second)
#define NSD_URDF_SHAPE_LEAST NSD_SIZE_THROUGH(nsdyn_urdf_shape, extent)
#define NSD_URDF_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_urdf_options, user)
#define NSD_TREE_TOTALS_LEAST NSD_SIZE_THROUGH(nsdyn_tree_totals, potential)

enum { NSD_TREE_MATERIALS = 1023, NSD_TREE_FEATURES = 1 << 30 };
enum { NSD_JOINT_LINKS = 6, NSD_TREE_MOST = 1 << 24, NSD_TREE_ROWS = 4 };

enum nsd_link_kind {
  NSD_LINK_TURN,  /* about its z axis */
  NSD_LINK_SLIDE, /* along it */
  NSD_LINK_SCREW, /* both */
  NSD_LINK_BALL,  /* by a quaternion: the x axis of ω */
  NSD_LINK_ALONG  /* the y and the z axis of that one: the same frame */
};

/* A rotation and a shift: x = p + R x'. */
typedef struct nsd_link_frame {
  double R[9], p[3];
} nsd_link_frame;

/* What stays the same of a link. */
typedef struct nsd_link {
  int32_t parent;      /* link */
  int32_t kind;        /* nsd_link_kind */
  int32_t q;           /* its coordinate, of a ball the first of four; of those along it that same one */
  int32_t body;        /* whose joint it is of */
  int32_t column;      /* which axis of its frame the velocity is about or along */
  int32_t heavy;       /* 1: it has a mass or an inertia of its own */
  int32_t is_fork;     /* 1: a link hangs on it that is not the next one; not of the world */
  int32_t is_diagonal; /* 1: J has nothing beside its diagonal */
  double seat_R[12], seat_p[4]; /* of the joint, in the parent link's frame */
  double turn,
      slide; /* of the axis: what u turns about it and slides along it: 1 0, 0 1, of a screw 1 pitch */
  double mass, first[4]; /* m and m c, */
  double J[12];          /* inertia about its origin, all along its axes */
} nsd_link;

/* What the state says of it. */
typedef struct nsd_link_state {
  double R[12], o[4];    /* its frame in the world */
  double r[4];           /* from the parent's origin to its own */
  double s[4];           /* its axis */
  double h[4], J[12];    /* m c, and inertia about o */
  double w[4], v[4];     /* ω, and the velocity of o */
  double alpha[4], a[4]; /* ω̇ and the acceleration of o at u̇ = 0, without gravity */
} nsd_link_state;

/* An inertia of six by six, symmetric: moment = A ω̇ + Bᵀ a, force = B ω̇ + C a; and what a joint takes out:
 * with U, moment and force of one unit of u̇ in this joint alone, and D = S · U > 0 */
typedef struct nsd_articulated {
  double A[12], B[12], C[12]; /* what forks collect */
  double U[8], V[8], S[8];    /* U about the parent's origin, the same over D, S over D */
  double inverse, root;       /* 1 / D, √D */
  double h[4], mass, trace;   /* of all that hangs behind, its terms without sign: what D is compared with */
} nsd_articulated;

/* Mass, m c and inertia about the origin of all that hangs behind. */
typedef struct nsd_composite {
  double mass, h[3], J[6];
} nsd_composite;

typedef struct nsd_tree_member {
  int32_t link, joint;  /* that it belongs to; nsdyn_tree_joint */
  int32_t q, u;         /* first of its joint */
  int32_t is_shared;    /* 1: it is the first one of several with its name */
  nsd_link_frame frame; /* in that of the link */
  char name[NSD_NAME_LENGTH];
} nsd_tree_member;

typedef struct nsd_solid_search nsd_solid_search;

struct nsdyn_tree {
  nsdyn_context *ctx;
  atomic_size_t holders; /* its owner, and each system made of it */
  nsd_fault fault;
  double gravity[4];
  int32_t bodies, nq, nu;
  int32_t body_room, link_room; /* what memory is there for; links with the world */
  nsd_tree_member *body;        /* body_room */
  nsd_link *link;               /* link_room, and so are: */
  nsd_link_state *state;
  nsd_articulated *articulated;
  nsd_composite *composite;
  double (*wrench)[NSD_TREE_ROWS * 6]; /* moments and forces on the way up, of one row or of several */
  double (*twist)[NSD_TREE_ROWS * 6];  /* accelerations on the way down */
  double *tau;                         /* right-hand sides on the way */
  double *q;                           /* 2 link_room: of the state */
  int has_state, is_factored;          /* articulated: U, D of this state */
  int has_forks;                       /* a link hangs on one that is not the last before it */
  uint64_t moves;                      /* how often its state was set: whether a callback has done so */
  int has_system;                      /* one has been made of it: nothing is added any more */
  nsd_list given;                      /* nsdyn_tree_body: bodies as they were told, without their names */
  nsd_names names;                     /* of bodies */
  nsd_list elements, loops;            /* elements.h, loops.h */
  nsd_list contacts, held; /* nsd_element_row: whose contacts, and constraints before those of loops */
  int32_t constraints;     /* of elements and loops */
  int32_t features;        /* of all solids */
  nsd_list solids, laws;   /* solids.h: nsd_tree_solid, nsd_tree_law */
  nsd_solid_search *search;
};

/* Counted holding: of a system that is made of it, which lets go with nsdyn_tree_free(). */
nsdyn_tree *nsd_tree_hold(nsdyn_tree *tree);

/* "body 3 (forearm)" or "body 3". */
const char *nsd_tree_label(const nsdyn_tree *tree, int32_t body, char text[NSD_LABEL_LENGTH]);

/* "there are bodies 0 to 3, and the world, -1", or "there is only the world, -1". */
const char *nsd_tree_bodies_text(const nsdyn_tree *tree, char text[NSD_LABEL_LENGTH]);

/* A tree that something is to be added to by `name`: clears the fault; NSDYN_ERR_BUSY where it has a system,
 * NSDYN_ERR_ARGUMENT where `given`, which is called `what`, is NULL. */
nsdyn_status nsd_tree_open(nsdyn_tree *tree, const void *given, const char *what, const char *name);

/* How a call of `name` that needs a state begins: NSDYN_ERR_ARGUMENT where there is none, or `given`, its
 * argument `which`, is NULL. */
nsdyn_status nsd_tree_begin(nsdyn_tree *tree, const void *given, int which, const char *name);

/* ---- what holds or pushes two bodies (points.c) ---- */

/* A sum whose terms have this size together: 0 where it is but their rounding. */
static inline double nsd_tree_sum(double sum, double size)
{
  return fabs(sum) <= NSD_TREE_ROUNDING * size ? 0.0 : sum;
}

/* Forces and moments (F: moment, force, of both bodies at a point of each, and in balance with each other):
 * row := row + Jᵀ F. Joints before both bodies see none of it. */
void nsd_tree_push_pair(nsdyn_tree *tree, const int32_t *body, double (*point)[3], double (*F)[6],
                        double *row);

/* How long the way from the world to a point of a body is, along all links: what its place is a sum of. */
double nsd_tree_reach(nsdyn_tree *tree, int32_t body, const double *point);

/* ---- six numbers: moment and force, or angular and linear ---- */

/* S · F of a link's axis */
static inline double nsd_link_dot(const nsd_link *link, const double s[3], const double F[6])
{
  return link->turn * nsd_vec3_dot(s, F) + link->slide * nsd_vec3_dot(s, F + 3);
}

/* to := to + F, where `to` has its moment about a point from which that of F is at r. */
static inline void nsd_wrench_add_at(const double r[3], const double F[6], double to[6])
{
  to[0] += F[0] + (r[1] * F[5] - r[2] * F[4]);
  to[1] += F[1] + (r[2] * F[3] - r[0] * F[5]);
  to[2] += F[2] + (r[0] * F[4] - r[1] * F[3]);
  to[3] += F[3];
  to[4] += F[4];
  to[5] += F[5];
}

/* xx, yy, zz, xy, xz, yz of a matrix of three columns of four */
static inline void nsd_symmetric_of(const double from[12], double J[6])
{
  nsd_vec3_set(from[0], from[5], from[10], J);
  nsd_vec3_set(from[1], from[2], from[6], J + 3);
}

/* R x of columns of four */
static inline void nsd_columns_multiply(const double R[12], const double x[3], double out[3])
{
  const double y[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < 3; i++) {
    out[i] = (R[i] * y[0] + R[4 + i] * y[1]) + R[8 + i] * y[2];
  }
}

/* J x of six numbers */
static inline void nsd_symmetric_multiply(const double J[6], const double x[3], double out[3])
{
  nsd_vec3_set((J[0] * x[0] + J[3] * x[1]) + J[4] * x[2], (J[3] * x[0] + J[1] * x[1]) + J[5] * x[2],
               (J[4] * x[0] + J[5] * x[1]) + J[2] * x[2], out);
}

/* The force, and its moment about the origin, that accelerations (α, a) of a mass with h = m c and J take:
 * f = m a + α × h, n = J α + h × a. */
static inline void nsd_inertia_wrench(double mass, const double h[3], const double J[6],
                                      const double alpha[3], const double a[3], double F[6])
{
  double across[3];
  nsd_symmetric_multiply(J, alpha, F);
  nsd_vec3_cross(h, a, across);
  nsd_vec3_add_scaled(F, 1.0, across, F);
  nsd_vec3_cross(alpha, h, across);
  nsd_vec3_add_scaled(across, mass, a, F + 3);
}

#endif
