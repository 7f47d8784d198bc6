/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* One contact in space alone, solved exactly: ξ = G Λ + c with rows N, T1, T2.
 *
 * Friction bounds Λ_T by a set C of the tangent plane that is as large as μ Λ_N (of a slot μ |Λ_N|), or as a
 * given bound, and maximal dissipation is the law: −ξ_T is in the normal cone of C at Λ_T. C is an ellipse,
 * or the regular polygon with its first corner on the first axis and all corners on the ellipse. With A = R
 * diag(1, aspect), R the turn to the first axis, Λ_T = A Λ', ξ' = Aᵀ ξ_T this is the law of a disk, or of a
 * regular polygon, since normal cones go with A⁻ᵀ where sets go with A. So all is solved there.
 *
 * A disk slides with ξ' = −s Λ', s >= 0. With ξ_N = 0 the normal row gives Λ_N = n − g·Λ', n = −c_N/G_NN,
 * g = G_NT/G_NN, and leaves
 *
 *   (S + s) Λ' = −b,  S = G_TT − G_TN g,  b = c_T + G_TN n,
 *   H(s) = ‖Λ'‖ + μ g·Λ' = μ n.
 *
 * H is one number's function, above μ n at s = 0 where the contact cannot stick, and 0 at infinity: where the
 * symmetric part of S is not negative there is a root between, and Newton's method on 1/H finds it, kept
 * within a bracket. (1/H is a straight line where S is a multiple of 1.) In the axes of the symmetric part of
 * S, S + s = [s1 + s, k; −k, s2 + s], whose inverse cancels nothing.
 *
 * What rounding makes of G may cost a singular S its sign: eigenvalues below the rounding of its terms count
 * as that much. Numbers are of moderate size (contact/extreme_units.h sees to that). */
#ifndef NSD_CONTACT_SPACE_ONE_CONTACT_H
#define NSD_CONTACT_SPACE_ONE_CONTACT_H

#include <stdint.h>

#include "contact/space/sliding.h"

/* A contact's law, with the coefficient in force. */
typedef struct nsd_one_contact_law {
  int32_t kind;     /* nsdyn_contact_kind */
  int32_t friction; /* nsd_friction: load or given */
  int32_t sides;    /* 0: an ellipse; else a polygon's, even, >= 4 */
  int32_t sliding;  /* the direction of sliding is known: `slip`; NSD_SLIDES_AT: Λ_T is at −limit `slip` */
  double mu;        /* along the first axis; of given friction 0 */
  double bound;     /* impulse along the first axis; of friction by load 0 */
  double aspect;    /* second axis over the first, > 0 */
  double axis[2];   /* unit vector of the first axis */
  double slip[2];   /* unit vector of ξ_T */
} nsd_one_contact_law;

enum nsd_one_contact_mode {
  NSD_ONE_CONTACT_OPEN = 0,  /* Λ_N = 0 */
  NSD_ONE_CONTACT_STICK = 1, /* ξ_T = 0 */
  NSD_ONE_CONTACT_SLIP = 2
};

enum nsd_one_contact_outcome {
  NSD_ONE_CONTACT_SOLVED = 0,
  NSD_ONE_CONTACT_NONE = 1, /* no Λ obeys the law */
  NSD_ONE_CONTACT_UNDECIDED =
      2 /* G_NN is zero to rounding, or S has negative eigenvalues, and nothing was found */
};

typedef struct nsd_one_contact_answer {
  double Lambda[3];
  double xi[3];   /* G Λ + c */
  double slip[2]; /* where it slides: unit vector of ξ_T; else 0 */
  int32_t mode;
  int32_t steps; /* of Newton's method */
} nsd_one_contact_answer;

/* What is the same for all c. */
typedef struct nsd_one_contact {
  nsd_one_contact_law law;
  double A[4];             /* Λ_T = A Λ' */
  double G[9];             /* as given */
  double P[9];             /* diag(1, A)ᵀ G diag(1, A) */
  double g[2];             /* P_NT/P_NN; 0 where that is no number */
  nsd_sliding_plane held;  /* of S: ξ_N = 0 */
  nsd_sliding_plane loose; /* of P_TT: Λ_N = 0 */
  int32_t definite;        /* P_NN > 0 and no eigenvalue of S is negative */
  int32_t reserved;
} nsd_one_contact;

/* G: 3 × 3 by rows, symmetric or not. */
void nsd_one_contact_of(const double *G, const nsd_one_contact_law *law, nsd_one_contact *block);

/* Returns nsd_one_contact_outcome; the answer is of NSD_ONE_CONTACT_SOLVED alone. c: 3 numbers. */
int nsd_one_contact_solve(const nsd_one_contact *block, const double *c, nsd_one_contact_answer *answer);

/* ---- for the files beside it ---- */

/* An answer of this mode from Λ_N and Λ'. `against` is −ξ', or a positive multiple of it, where it slides.
 * Returns NSD_ONE_CONTACT_SOLVED. */
int nsd_one_contact_give(const nsd_one_contact *block, const double *c, int32_t mode, double Lambda_N,
                         const double *Lambda_T, const double *against, nsd_one_contact_answer *answer);

#endif
