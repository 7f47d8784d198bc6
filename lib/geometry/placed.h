/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A body in the plane: where its shape is, how it moves. */
#ifndef NSD_GEOMETRY_PLACED_H
#define NSD_GEOMETRY_PLACED_H

#include "geometry/shape.h"

#define NSD_PLACED_LEAST NSD_SIZE_THROUGH(nsdyn_placed, reserved)

/* From a frame to another one: x -> (c x − s y, s x + c y) + d. */
typedef struct nsd_frame {
  double c, s, d[2];
} nsd_frame;

nsd_frame nsd_frame_of(const double *pose);

/* The frame `inner`, seen from the frame `outer`; both are told in the world. */
nsd_frame nsd_frame_within(const nsd_frame *outer, const nsd_frame *inner);

static inline void nsd_frame_turn(const nsd_frame *f, const double *x, double *out)
{
  const double x0 = x[0], x1 = x[1];
  out[0] = f->c * x0 - f->s * x1;
  out[1] = f->s * x0 + f->c * x1;
}

static inline void nsd_frame_place(const nsd_frame *f, const double *x, double *out)
{
  nsd_frame_turn(f, x, out);
  out[0] += f->d[0];
  out[1] += f->d[1];
}

/* Back again. */
static inline void nsd_frame_unplace(const nsd_frame *f, const double *x, double *out)
{
  const double x0 = x[0] - f->d[0], x1 = x[1] - f->d[1];
  out[0] = f->c * x0 + f->s * x1;
  out[1] = f->c * x1 - f->s * x0;
}

/* NSDYN_ERR_NOT_FINITE for a NaN and what is beyond 2^480, `which` and `what` in the message. */
nsdyn_status nsd_pose_check(const double *pose, const char *which, const char *what, nsd_fault *fault);

/* Reads `given` over the defaults, and checks it. */
nsdyn_status nsd_placed_read(nsdyn_placed *own, const nsdyn_placed *given, const char *which,
                             nsd_fault *fault);

#endif
