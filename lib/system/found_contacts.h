/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Contacts found at run time, as nsdyn_system_def::find reports them. */
#ifndef NSD_SYSTEM_SINK_H
#define NSD_SYSTEM_SINK_H

#include "base/row.h"
#include "contact/problem.h"
#include "system/keys.h"
#include "system/object.h"

typedef struct nsd_found {
  int64_t key;
  double gap;
  double w_hat[NSD_CONTACT_ROWS];
  double w_bar[NSD_CONTACT_ROWS]; /* a first one that is no number: not known */
  double most;                    /* the largest |w| of its blocks, of the normal row */
  size_t first_part, first_value; /* of its rows, in the sink's */
  int32_t law;
  int32_t parts, rows;
  int32_t reserved;
} nsd_found;

/* Which of the contacts within the margin are looked for. A search of the library's own, which knows bodies,
 * need look no farther than that; a user's `find` tells all within the margin, of which the rest is not used.
 */
typedef struct nsd_wish {
  double near;     /* all with gaps of at most that; negative: none */
  double horizon;  /* those that come: g + horizon (w·u + ŵ) <= 0 */
  const double *u; /* with these velocities; NULL: none */
  int32_t named;   /* and so many, by their keys: */
  /* number k has this key, and is looked for up to the gap that is returned (negative: it is not), and as far
   * beyond it as it may get in so much time, … */
  double (*name)(const void *who, int32_t k, int64_t *key, double *span);
  const void *who;
  const double *moved; /* … with these velocities; NULL: the time is 0 */
} nsd_wish;

struct nsdyn_contact_sink {
  const nsdyn_system *sys;
  nsdyn_context *ctx; /* not held */
  nsd_fault *fault;   /* where a refused record leaves its message */
  double margin;
  nsd_found *found; /* count */
  nsd_part *part; /* parts: which columns the rows of each have (base/row.h), ascending, each column once; of
                     a system that names M's blocks whole blocks in which something is not zero, else all that
                     a record names */
  double *value;  /* values: the rows of each */
  size_t parts, part_room, values, value_room;
  nsd_keys keys;
  int32_t count;
  int32_t room;
  nsdyn_status status;  /* of the first record that was refused */
  int open;             /* within `find` */
  int wants_bias;       /* which got u */
  const nsd_wish *wish; /* within `find`; NULL: all within the margin */
};

void nsd_sink_init(nsdyn_contact_sink *sink, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault);
void nsd_sink_release(nsdyn_contact_sink *sink);

/* Asks the callback `find` for all contacts with a gap of at most `margin`; none where there is no such
 * callback. `u` is NULL where w̄ is not wanted. */
nsdyn_status nsd_sink_find(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                           double margin);

/* The same where only some of these are wanted, which the margin has to hold; others may be told, too. */
nsdyn_status nsd_sink_find_wished(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                                  double margin, const nsd_wish *wish);

/* For searches of the library's own, within `find`: what made one fail counts as a refusal, so that it is the
 * status and the message of the call that asked. Returns what `find` has to: 1 for NSDYN_ERR_CALLBACK_RETRY,
 * else −1. */
int nsd_sink_fail(nsdyn_contact_sink *sink, nsdyn_status status, const char *message);

/* A sink may also keep rows that come from elsewhere: none, to begin with, and one more record (rows × nu),
 * whose numbers are no NaN. NSDYN_ERR_NOMEM, NSDYN_ERR_TOO_LARGE. */
void nsd_sink_clear(nsdyn_contact_sink *sink);
nsdyn_status nsd_sink_tell(nsdyn_contact_sink *sink, int rows, const double *W);

/* Row r of W of a found contact, one of those that its law has. */
static inline nsd_row nsd_sink_row(const nsdyn_contact_sink *sink, int32_t i, int r)
{
  const nsd_found *found = &sink->found[i];
  /* No numbers and no parts where all rows are zero: C forbids arithmetic on NULL, even by zero. */
  const nsd_row row = {.w = sink->value ? sink->value + found->first_value : NULL,
                       .part = sink->part ? sink->part + found->first_part : NULL,
                       .parts = found->parts,
                       .rows = found->rows,
                       .r = r,
                       .n = sink->sys->def.nu};
  return row;
}

/* Its first `rows` rows, dense (rows × nu); of those that its law does not have, zeros. */
void nsd_sink_expand(const nsdyn_contact_sink *sink, int32_t i, int rows, double *W);

#endif
