/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/placed.h"

#include <math.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"

nsdyn_status nsdyn_placed_init(nsdyn_placed *placed, size_t size)
{
  const nsdyn_placed defaults = {.size = sizeof defaults, .first = -1, .has_bias = 1};
  return nsd_sized_init(placed, size, NSD_PLACED_LEAST, &defaults, sizeof defaults);
}

nsdyn_status nsdyn_placed_by_coordinates(nsdyn_placed *placed, int32_t first, const double *q)
{
  if (!placed || first < 0 || !q) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (!nsd_sized_is_known(placed, NSD_PLACED_LEAST)) {
    return NSDYN_ERR_STRUCT_SIZE;
  }
  placed->first = first;
  for (int k = 0; k < 3; k++) {
    placed->pose[k] = q[first + k];
  }
  return NSDYN_OK;
}

nsd_frame nsd_frame_of(const double *pose)
{
  double e[2];
  nsd_sin_cos(pose[2], e);
  const nsd_frame f = {e[0], e[1], {pose[0], pose[1]}};
  return f;
}

nsd_frame nsd_frame_within(const nsd_frame *outer, const nsd_frame *inner)
{
  /* R_outerᵀ R_inner, and R_outerᵀ (d_inner − d_outer) */
  nsd_frame f = {
      outer->c * inner->c + outer->s * inner->s, outer->c * inner->s - outer->s * inner->c, {0.0, 0.0}};
  nsd_frame_unplace(outer, inner->d, f.d);
  return f;
}

nsdyn_status nsd_pose_check(const double *pose, const char *which, const char *what, nsd_fault *fault)
{
  static const char *const names[] = {"x", "y", "angle"};
  for (int k = 0; k < 3; k++) {
    if (!(fabs(pose[k]) <= NSD_SHAPE_LARGEST)) {
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_COORDINATE, k,
                           "%s of the %s body: %s is not a number in [-2^480, 2^480]", what, which, names[k]);
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_placed_read(nsdyn_placed *own, const nsdyn_placed *given, const char *which,
                             nsd_fault *fault)
{
  if (!given) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1, "the %s body is NULL", which);
  }
  nsdyn_status status = NSD_SIZED_READ(nsdyn_placed, own, NSD_PLACED_LEAST, given, fault);
  if (status) {
    return status;
  }
  if (!own->shape) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1, "the %s body has no shape", which);
  }
  if (own->first < -1 || own->blocks < 0 || (own->blocks && !own->block)) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                         "the %s body: first is %d, blocks is %d, block is %s", which, (int)own->first,
                         (int)own->blocks, own->block ? "there" : "NULL");
  }
  for (int32_t b = 0; b < own->blocks; b++) {
    if (own->block[b].count < 0 || (own->block[b].count && !own->block[b].values)) {
      return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_NONE, -1,
                           "the %s body: block %d has the count %d, and values that are %s", which, (int)b,
                           (int)own->block[b].count, own->block[b].values ? "there" : "NULL");
    }
  }
  status = nsd_pose_check(own->pose, which, "pose", fault);
  status = status ? status : nsd_pose_check(own->rate, which, "rate", fault);
  return status ? status : nsd_pose_check(own->bias, which, "bias", fault);
}
