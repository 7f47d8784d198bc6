/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The door of the contact solver, for problems that need no check: what stepper and event call. They know an
 * nsdyn_contact by these calls alone; its inside (contact/object.h) is for lib/contact. */
#ifndef NSD_CONTACT_SOLVER_H
#define NSD_CONTACT_SOLVER_H

#include "contact/law.h"
#include "contact/problem.h"

/* First release's sizes (base/sized.h). */
#define NSD_IMPACT_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_impact_report, energy)
#define NSD_IMPACT_HALF_LEAST NSD_SIZE_THROUGH(nsdyn_impact_half, directions)

/* One half of the last impact. */
typedef struct nsd_impact_half {
  double *Lambda;     /* rows */
  double *gamma;      /* rows: at its end */
  int32_t *modes;     /* contacts */
  double *directions; /* contacts × 2: unit vectors along γ_T where a mode is a slip, else 0 */
  double energy;
  double residual, scale;
  int row;
  int lcp_size;
} nsd_impact_half;

/* What the last call found: the solver's own, as it stands. */
typedef struct nsd_contact_answer {
  const int32_t *modes;                     /* contacts, of a solution */
  const int32_t *states;                    /* contacts, of a solution (contact/planar/states.h) */
  const nsdyn_contact_solve_report *report; /* how good it is */
  const nsdyn_impact_report *impact;        /* the same of the last impact */
  const nsd_impact_half *half;              /* its halves: nsdyn_impact_half */
} nsd_contact_answer;

/* For as long as the solver lives. */
const nsd_contact_answer *nsd_contact_answer_of(const nsdyn_contact *s);

/* ---- contact problems (automatic.c, object.c) ---- */

/* Λ and ξ (rows each; ξ may be NULL), with statuses and outputs as nsdyn_contact_solve(). A warm start begins
 * with the states of the solution before. */
nsdyn_status nsd_contact_solve_data(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi);

/* The same, for as long as Newton's method and Lemke's take: nothing is searched, and nothing proved.
 * Statuses other than NSDYN_OK say that no solution was found. */
nsdyn_status nsd_contact_solve_briefly(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda,
                                       double *xi);

/* The same, but a warm start begins with these states (contacts); NULL: with none. */
nsdyn_status nsd_contact_solve_from(nsdyn_contact *s, const nsd_contact_data *d, const int32_t *start,
                                    double *Lambda, double *xi);

/* The next solve of the plane begins with these impulses (rows; they may be its Lambda), where it comes to
 * methods for many contacts; NULL: with none. */
void nsd_contact_begin_near(nsdyn_contact *s, const double *Lambda);

/* The same in space: a warm start begins with these impulses (rows), which may be Lambda. */
nsdyn_status nsd_contact_solve_near(nsdyn_contact *s, const nsd_contact_data *d, const double *start,
                                    double *Lambda, double *xi);

/* The same with the tolerance `tol` in place of the option. */
nsdyn_status nsd_contact_solve_finely(nsdyn_contact *s, const nsd_contact_data *d, double tol,
                                      const double *start, double *Lambda, double *xi);

/* All solutions, as nsdyn_contact_enumerate(), within these limits; in space of up to two contacts, of others
 * NSDYN_UNDECIDED. */
nsdyn_status nsd_contact_enumerate_data(nsdyn_contact *s, const nsd_contact_data *d, double tol,
                                        int64_t max_nodes, nsd_contact_visit *visit, void *user,
                                        nsdyn_contact_census *census);

/* ---- impacts of all closed contacts at once (impact/impact.c) ----
 *
 * data->c = γ⁻. No contact may have a known sliding direction. */

/* Λ (rows) and γ⁺ (rows, may be NULL) by the law; statuses as nsdyn_contact_impact(). Halves and result
 * are in the answer afterwards. */
nsdyn_status nsd_contact_impact_data(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                     const nsd_restitution *restitution, double *Lambda, double *gamma);

/* What contacts give back in a time step under Poisson's law. Λ and γ (rows each) solve the step's contact
 * problem with ε = 0, data->c = γᴬ + W M⁻¹h Δt, judged against `scale`; `before` is γᴬ. That problem takes
 * compression's place. What is stored is the part of the impulses that comes of velocities, not of forces: Λ
 * of the same problem with c = γᴬ. So the weight of a body at rest is not given back, and a ball without
 * friction leaves with −ε_N γ_Nᴬ, as it does under Newton's law. On NSDYN_OK the impulses of expansion are
 * added to Λ, and γ is that at its end; else both stay what they were. */
nsdyn_status nsd_contact_impact_give_back(nsdyn_contact *s, const nsd_contact_data *data,
                                          const nsd_restitution *restitution, const double *before,
                                          double scale, double *Lambda, double *gamma);

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

/* Painlevé's impact without collision (contact/impact/painleve.h) in place of Newton's impact or Poisson's
 * compression, for a state whose forces have no solution. gamma_dot (rows) are the accelerations without
 * contact forces. Λ = 0 where they have one after all. Under Newton's law restitution does not matter,
 * since nothing approaches; under Poisson's the contacts separate by what was compressed. NSDYN_UNDECIDED
 * where no limit was found. */
nsdyn_status nsd_contact_impact_painleve(nsdyn_contact *s, int32_t law, const nsd_contact_data *data,
                                         const nsd_restitution *restitution, const double *gamma_dot,
                                         double *Lambda, double *gamma);

#endif
