/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Models in URDF, element after element as an XML parser reports them (urdf.c): links and joints are
 * gathered, and become a tree at the end, when all of their names are known (urdf_tree.c). */
#ifndef NSD_MULTIBODY_URDF_H
#define NSD_MULTIBODY_URDF_H

#include "multibody/joints.h"

/* Names are compared whole; the tree keeps their first 31 bytes. */
enum { NSD_URDF_NAME_LENGTH = 128, NSD_URDF_DEEPEST = 8 };

/* How a joint is called: more than one name may mean the same kind. */
enum nsd_urdf_type {
  NSD_URDF_FIXED,
  NSD_URDF_REVOLUTE,
  NSD_URDF_CONTINUOUS,
  NSD_URDF_PRISMATIC,
  NSD_URDF_FLOATING,
  NSD_URDF_PLANAR,
  NSD_URDF_TYPES
};

typedef struct nsd_urdf_link {
  char name[NSD_URDF_NAME_LENGTH];
  int64_t line;
  double place[3], turn[4]; /* of its inertial frame */
  double mass, J[6];        /* xx, yy, zz, xy, xz, yz */
  int32_t body, joint;      /* of the tree, −1: not there yet; that it hangs by, −1: none */
} nsd_urdf_link;

typedef struct nsd_urdf_joint {
  char name[NSD_URDF_NAME_LENGTH], parent[NSD_URDF_NAME_LENGTH], child[NSD_URDF_NAME_LENGTH],
      mimic[NSD_URDF_NAME_LENGTH];
  int64_t line;
  int32_t type, has_limit; /* nsd_urdf_type */
  double place[3], turn[4], axis[3];
  double lower, upper, damping, friction, multiplier, offset;
  int32_t from, to; /* links */
  /* The round of building that it comes in; the joint below it that asked for this; the next one of its
   * round; the first one of the round that has this joint's number: −1: none. */
  int32_t round, below, next, head;
  char kept[NSD_NAME_LENGTH]; /* of its name, by the tree */
} nsd_urdf_joint;

/* Rounds that are none: not known yet, being asked for, of links that hang on each other. */
enum { NSD_URDF_UNKNOWN = -1, NSD_URDF_ASKED = -2, NSD_URDF_NEVER = -3 };

typedef struct nsd_urdf_shape {
  nsdyn_urdf_shape told; /* its body: the link, until there is a tree */
} nsd_urdf_shape;

struct nsdyn_urdf {
  nsdyn_context *ctx;
  nsdyn_urdf_options options;
  nsd_fault fault;
  int64_t line;
  /* States of the elements that are open, deeper ones that are passed over, and what was told in each. */
  int stack[NSD_URDF_DEEPEST], depth, passed;
  uint32_t seen[NSD_URDF_DEEPEST + 1];
  int is_ended, has_tree;
  int has_unknown; /* something unknown was passed over since a collision began */
  nsd_list links, joints, shapes;
  nsd_names link_names, joint_names, kept_names;
};

static inline nsd_urdf_link *nsd_urdf_link_at(const nsdyn_urdf *r, int32_t i)
{
  return (nsd_urdf_link *)r->links.item + i;
}

static inline nsd_urdf_joint *nsd_urdf_joint_at(const nsdyn_urdf *r, int32_t i)
{
  return (nsd_urdf_joint *)r->joints.item + i;
}

static inline nsd_urdf_shape *nsd_urdf_shape_at(const nsdyn_urdf *r, int32_t i)
{
  return (nsd_urdf_shape *)r->shapes.item + i;
}

/* nsdyn_tree_joint */
int nsd_urdf_joint_kind(const nsd_urdf_joint *joint);

/* "line 7: what: text". The first message stays: what is called after it changes nothing. */
nsdyn_status nsd_urdf_refuse(nsdyn_urdf *r, const char *what, const char *text);

/* That there is no memory for what this line tells. */
nsdyn_status nsd_urdf_no_memory(nsdyn_urdf *r, nsdyn_status status);

#endif
