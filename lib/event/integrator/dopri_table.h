/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The coefficients of Dormand and Prince's method of order 8, with its estimators of orders 5 and 3 and its
 * continuous extension of order 7 (Hairer, Nørsett & Wanner 1993, section II.10, and the appendix's DOP853).
 * They satisfy the order conditions of all 200 rooted trees up to order 8, the extension those of all 85 up
 * to order 7; the test shows it. */
#ifndef NSD_EVENT_INTEGRATOR_DOPRI_TABLE_H
#define NSD_EVENT_INTEGRATOR_DOPRI_TABLE_H

enum {
  NSD_DOPRI_STAGES = 16, /* 12 of the step, 1 at its end, 3 more for the extension */
  NSD_DOPRI_END = 12,    /* the stage at the step's end; its coefficients are the method's weights */
  NSD_DOPRI_MOST = 12    /* terms of a sum */
};

/* Σ a k_stage over the terms, in this order. */
typedef struct nsd_dopri_sum {
  int count;
  struct {
    int stage; /* from 0 */
    double a;
  } term[NSD_DOPRI_MOST];
} nsd_dopri_sum;

/* k_i = f(t + c h, y + h Σ a_ij k_j) */
typedef struct nsd_dopri_stage {
  double c;
  nsd_dopri_sum sum;
} nsd_dopri_stage;

extern const nsd_dopri_stage nsd_dopri_stages[NSD_DOPRI_STAGES];

/* Σ (b_i − b̂_i) k_i, b̂ a method of order 5. */
extern const nsd_dopri_sum nsd_dopri_error_5;

/* Weights of a method of order 3. */
extern const nsd_dopri_sum nsd_dopri_order_3;

/* The last four of the extension's eight coefficients, over h. */
extern const nsd_dopri_sum nsd_dopri_dense[4];

#endif
