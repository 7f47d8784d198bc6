/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A contact that closes for the first time: does its gap change as its direction says?
 *
 * What a wrong direction does to a motion need not show: where γ_N = w_N u is held at zero, the gap that a
 * right one would tell of may stay where it is, too, and with w_N half as long friction is twice what it
 * should be. So an integrator asks once, of each contact known in advance, along v = M⁻¹ w_N and v = M⁻¹ w_T:
 * of a right w_N the slope of the gap is w_N v there, G_NN and G_NT, by differences (check/difference.h); of
 * rows in the wrong order it is G_NT and G_NN, of a wrong sign −G_NN. What is off by less than
 * NSD_CLOSING_MISS, as directions are that were linearized, is none of its business: nsdyn_system_check()
 * asks for more.
 *
 * A slot whose rows are all zero has no effect. At a dead centre that is as it should be, but there alone. */
#ifndef NSD_SYSTEM_CHECK_CLOSING_H
#define NSD_SYSTEM_CHECK_CLOSING_H

#include "base/arena.h"
#include "system/callbacks.h"

typedef struct nsd_closing {
  int8_t *asked;  /* ncontacts */
  int32_t left;   /* contacts that were not asked yet */
  double *H_v;    /* nq: q̇ of v, where that is not v */
  double *turned; /* nu: −v, where there is `retract` */
} nsd_closing;

/* A contact that is closed at (t, q), and room for what is asked of it. */
typedef struct nsd_closing_look {
  double t;
  const double *q;
  int32_t index;
  int rows, row;   /* of its law; asked about now, from 0 to the last one */
  const double *w; /* its rows of W, row-major */
  double w_hat;    /* ŵ_N */
  double *v;       /* nu: M⁻¹ w_row */
  double *q_probe; /* nq */
  double *g;       /* ncontacts: the gaps at (t, q), which stand there again afterwards */
  double *W;       /* NSD_CONTACT_ROWS × nu: to look at rows that are all zero once more; may be w */
} nsd_closing_look;

void nsd_closing_lay_out(nsd_arena *arena, nsd_closing *c, const nsdyn_system_def *def);

/* No contact was asked yet. */
void nsd_closing_reset(nsd_closing *c, const nsdyn_system_def *def);

/* About one of its rows, one after the other. NSDYN_ERR_INCONSISTENT where its gap does not follow w_N, or
 * where all rows are zero elsewhere, too; after the last row it is not asked again. The system is configured
 * at (t, q) again afterwards. */
nsdyn_status nsd_closing_ask(nsd_closing *c, const nsdyn_system_def *def, const nsd_closing_look *at,
                             nsd_fault *fault);

#endif
