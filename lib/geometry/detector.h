/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object that searches. */
#ifndef NSD_GEOMETRY_DETECTOR_H
#define NSD_GEOMETRY_DETECTOR_H

#include "geometry/directions.h"

#define NSD_DETECTOR_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_detector_options, skin_share)
#define NSD_TOUCH_LEAST NSD_SIZE_THROUGH(nsdyn_touch, middle)
#define NSD_DETECTOR_RESULT_LEAST NSD_SIZE_THROUGH(nsdyn_detector_result, visited)

struct nsdyn_detector {
  nsdyn_context *ctx;
  nsdyn_detector_options options;
  nsd_fault fault;
  nsd_search search;
  nsdyn_contact_block *block; /* of one report, */
  double *value;              /* and their numbers */
  size_t blocks, values;      /* room */
};

/* How a pair of bodies is told of. */
typedef struct nsd_couple {
  const double (*offset)[2]; /* 2: from where each body's coordinates are to its shape's origin, in the world;
                                NULL: nothing */
  int64_t base[2]; /* a feature's bits are counted from here, of the first and of the second body; */
  int shift;       /* the first one's stand above so many of the second one's: the key */
  int32_t law;
} nsd_couple;

/* A search for touches of two bodies, whose records are checked. NSDYN_ERR_CALLBACK_RETRY, without a message,
 * where they are deeper in each other than the skin. */
nsdyn_status nsd_detector_look(nsdyn_detector *detector, const nsdyn_placed *body, double margin);

/* Tells the sink what was found. Returns what `find` has to. */
int nsd_detector_tell(nsdyn_detector *detector, const nsdyn_placed *body, const nsd_couple *pair,
                      const double *u, nsdyn_contact_sink *sink);

#endif
