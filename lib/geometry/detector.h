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

#endif
