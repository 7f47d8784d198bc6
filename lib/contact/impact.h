/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Impacts of all closed contacts at once, as steppers and the event driver call them: problems that need no
 * check, with data->c = γ⁻. No contact may have a known sliding direction. */
#ifndef NSD_CONTACT_IMPACT_H
#define NSD_CONTACT_IMPACT_H

#include "base/arena.h"
#include "base/sized.h"
#include "contact/expansion.h"
#include "contact/jam.h"

/* First release's sizes (base/sized.h). */
#define NSD_IMPACT_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_impact_report, energy)
#define NSD_IMPACT_HALF_LEAST NSD_SIZE_THROUGH(nsdyn_impact_half, lcp_size)

/* One half of the last impact. */
typedef struct nsd_impact_half {
  double *Lambda; /* rows */
  double *gamma;  /* rows: at its end */
  int32_t *modes; /* contacts */
  double energy;
  double residual, scale;
  int row;
  int lcp_size;
} nsd_impact_half;

/* What a contact solver has for impacts; nothing until the first one. */
typedef struct nsd_impact {
  nsdyn_impact_report report;
  int contacts, rows; /* of the last impact; 0 where it was refused */
  double
      least_scale; /* what an expansion is judged against is no less: the rounding of what came before it */

  nsd_arena room; /* laid out for: */
  int room_contacts, room_rows, room_unknowns;
  nsd_impact_half half[2];      /* nsdyn_impact_half */
  nsd_restitution *restitution; /* contacts: of the public problem */
  nsd_expansion_law *law;       /* contacts */
  nsd_expansion_unknown *unknown;
  double *Lambda_0; /* rows */
  double *trial;    /* rows */
  double *c;        /* rows */
  nsd_jam_work jam;
} nsd_impact;

/* No memory yet. */
nsd_impact nsd_impact_empty(nsdyn_context *ctx);

/* Memory for an impact of so many contacts and rows. */
nsdyn_status nsd_impact_reserve(nsd_impact *w, int contacts, int rows);

/* Λ (rows) and γ⁺ (rows, may be NULL) by the law; statuses as nsdyn_contact_impact(). Halves and result are
 * in s->impact afterwards. */
nsdyn_status nsd_contact_impact_data(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                     const nsd_restitution *restitution, double *Lambda, double *gamma);

/* What contacts give back in a time step under Poisson's law. Λ and γ (rows each) solve the step's contact
 * problem with ε = 0, data->c = γᴬ + W M⁻¹h Δt, judged against `scale`; `before` is γᴬ. That problem takes
 * compression's place. What is stored is the part of the impulses that comes of velocities, not of forces: Λ
 * of the same problem with c = γᴬ. So the weight of a body at rest is not given back, and a ball without
 * friction leaves with −ε_N γ_Nᴬ, as it does under Newton's law. On NSDYN_OK the impulses of expansion are
 * added to Λ, and γ is that at its end; else both stay what they were. */
nsdyn_status nsd_contact_impact_return(nsdyn_contact *s, const nsd_contact_data *data,
                                       const nsd_restitution *restitution, const double *before, double scale,
                                       double *Lambda, double *gamma);

/* An impact whose first half a stepper has solved itself, with options of its own, as the contact problem
 *
 *   ξ = γ + e.
 *
 * That is the last one of s, solved by Λ and ξ (rows each). `before` is γ⁻.
 * The second half is idle until nsd_contact_impact_expand(). */
nsdyn_status nsd_contact_impact_adopt(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                      const double *before, const double *e, const double *Lambda,
                                      const double *xi);

/* Poisson's expansion after nsd_contact_impact_adopt(), data->c = γ⁻. On NSDYN_OK Λ and γ become those of
 * the whole impact, else they stay what they were. */
nsdyn_status nsd_contact_impact_expand(nsdyn_contact *s, const nsd_contact_data *data,
                                       const nsd_restitution *restitution, double *Lambda, double *gamma);

/* Painlevé's impact without collision (contact/jam.h) in place of Newton's impact or Poisson's
 * compression, for a state whose forces have no solution. gamma_dot (rows) are the accelerations without
 * contact forces. Λ = 0 where they have one after all. Under Newton's law restitution does not matter,
 * since nothing approaches; under Poisson's the contacts separate by what was compressed. NSDYN_UNDECIDED
 * where no limit was found. */
nsdyn_status nsd_contact_impact_jam(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                    const nsd_restitution *restitution, const double *gamma_dot,
                                    double *Lambda, double *gamma);

#endif
