/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts found at run time, as nsdyn_system_def::find reports them. */
#ifndef NSD_SYSTEM_SINK_H
#define NSD_SYSTEM_SINK_H

#include "contact/problem.h"
#include "system/keys.h"
#include "system/object.h"

typedef struct nsd_found {
  int64_t key;
  double gap;
  double w_hat[NSD_CONTACT_ROWS];
  double w_bar[NSD_CONTACT_ROWS]; /* a first one that is no number: not known */
  double most;                    /* the largest |w| of its blocks, of the normal row */
  int32_t law;
  int32_t reserved;
} nsd_found;

struct nsdyn_contact_sink {
  const nsdyn_system *sys;
  nsdyn_context *ctx; /* not held */
  nsd_fault *fault;   /* where a refused record leaves its message */
  double margin;
  nsd_found *found; /* count */
  double *W;        /* count × NSD_CONTACT_ROWS × nu: the rows of each, dense */
  nsd_keys keys;
  int32_t count;
  int32_t room;
  nsdyn_status status; /* of the first record that was refused */
  int open;            /* within `find` */
  int wants_bias;      /* which got u */
};

void nsd_sink_init(nsdyn_contact_sink *sink, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault);
void nsd_sink_release(nsdyn_contact_sink *sink);

/* Asks the callback `find` for all contacts with a gap of at most `margin`; none where there is no such
 * callback. `u` is NULL where w̄ is not wanted. */
nsdyn_status nsd_sink_find(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                           double margin);

/* Rows of W of a found contact. */
static inline const double *nsd_sink_rows(const nsdyn_contact_sink *sink, int32_t i)
{
  return sink->W + (size_t)i * NSD_CONTACT_ROWS * (size_t)sink->sys->def.nu;
}

#endif
