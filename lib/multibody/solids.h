/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Solids on the bodies of a tree, and the contacts that its system finds between them. */
#ifndef NSD_MULTIBODY_SOLIDS_H
#define NSD_MULTIBODY_SOLIDS_H

#include "geometry/space/sweep.h"
#include "geometry/space/touch.h"
#include "multibody/tree.h"
#include "system/keys.h"

typedef struct nsd_tree_solid {
  nsdyn_tree_solid def; /* with the solid held */
  char name[NSD_NAME_LENGTH];
  double turn[9];
  int32_t first_feature; /* features of all solids are counted through */
  int32_t carrier; /* the body that it moves with, −1: the world: its own one, or what that is fixed to */
} nsd_tree_solid;

/* The law of two materials, the smaller one first. */
typedef struct nsd_tree_law {
  int32_t material[2];
  nsdyn_contact_law law;
} nsd_tree_law;

/* What a search works with. */
struct nsd_solid_search {
  nsd_solid_place *place; /* of each solid */
  double (*box)[6];
  nsd_sweep_entry *order;
  double (*column)[3]; /* nu: of W, of joints on the way to the root, with their links in: */
  int32_t *link;
  double *values; /* 3 nu: the same by blocks */
  nsdyn_contact_block *block;
  nsd_keys joined;    /* pairs of bodies that do not touch, as there is a joint between them */
  int32_t solids, nu; /* what there is room for */
};

static inline nsd_tree_solid *nsd_tree_solid_at(const nsdyn_tree *tree, int32_t i)
{
  return (nsd_tree_solid *)tree->solids.item + i;
}

/* Before a system is made, each time: memory for searches, who is joined with whom, and which solids the tree
 * cannot compare: NSDYN_ERR_NOMEM, NSDYN_ERR_UNSUPPORTED. */
nsdyn_status nsd_solids_prepare(nsdyn_tree *tree, nsd_fault *fault);

/* Laws of their contacts, in a system that has none yet; also of a tree that has laws, but no solids. */
nsdyn_status nsd_solids_add_laws(const nsdyn_tree *tree, nsdyn_system *sys);

/* Reports all contacts within the margin, with the tree where it is asked for. As `find` returns. */
int nsd_solids_find(nsdyn_tree *tree, double margin, nsdyn_contact_sink *sink);

/* Lets go of solids and memory. */
void nsd_solids_drop(nsdyn_tree *tree);

#endif
