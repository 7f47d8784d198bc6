/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The inside of an nsdyn_contact: options, memory, the last answer. For lib/contact alone; others enter by
 * contact/door.h. */
#ifndef NSD_CONTACT_OBJECT_H
#define NSD_CONTACT_OBJECT_H

#include "base/arena.h"
#include "base/sized.h"
#include "contact/dependent_constraints.h"
#include "contact/enumerate/enumerate.h"
#include "contact/impact/impact.h"
#include "contact/many/many.h"
#include "contact/planar/one_two.h"
#include "contact/planar/pattern.h"
#include "contact/space/space.h"
#include "nsdyn/lcp.h"

/* First release's sizes (base/sized.h). */
#define NSD_CONTACT_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_contact_options, rounds_seed)
#define NSD_CONTACT_CENSUS_LEAST NSD_SIZE_THROUGH(nsdyn_contact_census, complete)
#define NSD_CONTACT_SOLVE_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_contact_solve_report, scale)

struct nsdyn_contact {
  nsdyn_context *ctx;
  nsdyn_contact_options options;
  nsd_fault fault;
  nsdyn_contact_solve_report report;
  nsd_contact_answer answer; /* where all of it stands, for those who come by the door */
  int busy;                  /* a call of this object is running: its callbacks must not begin another */

  nsd_arena kept; /* kept from solve to solve */
  int kept_room;  /* contacts it is made for */
  int32_t *modes; /* of the last solution, modes_n long, 0 where there is none */
  int modes_n;
  double *slip; /* contacts × 2: unit vectors along ξ_T where a mode of the last solution is a slip, else 0 */
  int32_t *states; /* where a warm start begins (contact/planar/states.h), states_n long; 0: nowhere */
  int states_n;
  nsd_contact_spec *spec;   /* of the public problem */
  nsd_contact_space *space; /* its contacts in space: as many */
  nsd_pair pair;            /* of two contacts */

  nsd_arena scratch; /* used within a solve only, laid out for: */
  int scratch_contacts;
  int scratch_rows;
  nsd_pattern_work pattern;
  nsd_pattern_best best; /* of all attempts */
  int32_t method;        /* that it comes from */
  nsd_poll poll;         /* of this solve; s->pattern asks it where there are many rows */
  int is_brief;          /* only what takes little time is tried */

  nsd_arena many_room; /* the rounds of many contacts, laid out for: */
  int many_contacts;
  int many_bilateral;
  int many_rows;
  const double *near; /* rows: impulses that the next solve begins with; NULL: none */
  nsd_many many;

  nsd_arena lcp_room; /* the LCP, laid out for as many unknowns: */
  int lcp_unknowns;
  double *A;
  double *b;
  double *lo;
  double *hi;
  double *x;
  nsdyn_lcp *lcp; /* NULL until it is needed */

  nsd_arena edge_room; /* the problem in other units (contact/extreme_units.h), where it needs them */

  nsd_arena average_room; /* G without its asymmetry, where that is rounding */

  nsd_constraints constraints; /* of the problem that is being solved */

  int is_spatial;     /* the last problem had a contact in space */
  nsd_space in_space; /* contacts in space, once there are any */

  nsd_arena several_room; /* the list of several contacts in space */
  nsd_arena two_room;     /* that of two */
  nsd_census census;      /* has its own memory, once it is needed */
  nsd_impact impact;
};

/* Memory for so many contacts and their rows. What was kept is forgotten where it has to grow. */
nsdyn_status nsd_contact_reserve_kept(nsdyn_contact *s, int contacts);
nsdyn_status nsd_contact_reserve_scratch(nsdyn_contact *s, int contacts, int rows);

/* The same for the rounds of many contacts. */
nsdyn_status nsd_contact_reserve_many(nsdyn_contact *s, const nsd_contact_data *d);

/* The same for an LCP of n unknowns, and its solver. */
nsdyn_status nsd_contact_reserve_lcp(nsdyn_contact *s, int n);

/* A form of the problem as an LCP. */
typedef struct nsd_contact_form {
  int (*size)(const nsd_contact_data *d); /* unknowns; −1 where an int does not count them */
  int (*is_plain)(const nsd_contact_data *d);
  int (*is_exact)(const nsd_contact_data *d, nsd_poll *poll); /* no element is rounded */
  void (*assemble)(const nsd_contact_data *d, double *A, int lda, double *b, double *lo, double *hi,
                   nsd_poll *poll);
  void (*impulses)(const nsd_contact_data *d, const double *x, double *Lambda);
  const char *name;
} nsd_contact_form;

/* The problem in that form, put to the solver of LCPs: s->x, and what that says of it. `method` is one of
 * nsdyn_lcp_method; `limited`: with no more pivots than it usually takes. */
nsdyn_status nsd_contact_solve_form(nsdyn_contact *s, const nsd_contact_data *d, const nsd_contact_form *form,
                                    int32_t method, int limited);

/* By which nsdyn_lcp_method LCPs are solved: that of the options where the LCP is asked for. */
static inline int32_t nsd_contact_lcp_method(const nsdyn_contact *s)
{
  return s->options.method == NSDYN_CONTACT_LCP ? s->options.lcp_method : NSDYN_LCP_AUTOMATIC;
}

/* One LCP of the problem: eq. 33 (contact/planar/glocker.h) or the copositive one. Improves on s->best; the
 * status is NSDYN_OK only where that has become a solution. */
nsdyn_status nsd_contact_try_planar(nsdyn_contact *s, const nsd_contact_data *d);
nsdyn_status nsd_contact_try_lemke(nsdyn_contact *s,
                                   const nsd_contact_data *d); /* eq. 33, for as long as it usually takes */
nsdyn_status nsd_contact_try_copositive(nsdyn_contact *s, const nsd_contact_data *d);

/* The search through modes, to its first solution. Improves on s->best; NSDYN_OK where that has become a
 * solution, NSDYN_NO_SOLUTION where it is proved that there is none. At most so many nodes are looked at,
 * negative: no limit but the option's. */
nsdyn_status nsd_contact_try_modes(nsdyn_contact *s, const nsd_contact_data *d, int64_t most);

/* Up to two contacts, one of them in space, of which no method found a solution, with this status: one from
 * all modes, into the best, or NSDYN_NO_SOLUTION where there is none for sure; else the status as it was. */
nsdyn_status nsd_contact_try_census(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status);

#endif
