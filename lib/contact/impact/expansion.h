/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The second half of an impact under Poisson's law (Slavič & Boltežar 2006, §2.2.2; Pfeiffer & Glocker 1996).
 *
 * Compression ended with impulses Λ_C and velocities γ_C. In expansion, γ = G Λ + γ_C and
 *
 *   a contact that may open      0 <= Λ_N − L ⊥ γ_N >= 0,  Q = Λ_N
 *   a slot                       γ_N = 0, Λ_N of either sign,  Q = max(L, |Λ_N|)
 *   friction under load          −γ_T in the normal cone of [a, b] at Λ_T,  a = r_a − α_a Q,  b = r_b + α_b Q
 *   a given friction bound       Λ_T = 0: the impulse of a finite force is spent in compression
 *   a bilateral row              γ = 0
 *
 * with L = ε_N |Λ_NC|, what is given back. The interval is Coulomb's, α_a = α_b = μ, with one end moved by
 * what compression stored: Λ_TC > 0 moves the lower one, α_a = (1 − ν) μ and r_a = ν ε_N ε_T Λ_TC, Λ_TC < 0
 * the upper one likewise. Where Λ_TC vanishes beside μ Λ_NC there is no side to move, and ν = 0.
 *
 * A slot cannot open, so the flank that was compressed presses the body against the other one: the two add up
 * to Λ_N, and friction feels at least L. Like the contact that may open it has Q >= L, and so for both the
 * interval holds ε_N Λ_TC. Hence it is never empty, and with one ε_N for all contacts
 *
 *   ΔT <= −½ (1 − ε_N²) Λ_Cᵀ G Λ_C <= 0.
 *
 * Proof: ΔT = Λ_Cᵀ γ_C − ½ Λ_Cᵀ G Λ_C + Λ_Eᵀ γ_E − ½ Λ_Eᵀ G Λ_E with Λ_Cᵀ γ_C <= 0 by Coulomb's law. In
 * expansion Λ_Nᵀ γ_N = ε_N Λ_NCᵀ γ_N by complementarity and Λ_Tᵀ γ_T <= ε_N Λ_TCᵀ γ_T by the normal cone,
 * together Λ_Eᵀ γ_E <= ε_N Λ_Cᵀ (γ_C + G Λ_E) <= ε_N Λ_Cᵀ G Λ_E <= ½ ε_N² Λ_Cᵀ G Λ_C + ½ Λ_Eᵀ G Λ_E. Without
 * friction the ε_N may differ: γ_N >= 0 gives Λ_Eᵀ γ_E <= Λ_Cᵀ G Λ_E. */
#ifndef NSD_CONTACT_IMPACT_EXPANSION_H
#define NSD_CONTACT_IMPACT_EXPANSION_H

#include "base/tolerances.h"
#include "contact/law.h"
#include "contact/problem.h"

/* The law of one contact in expansion. */
typedef struct nsd_expansion_law {
  double L; /* 0 for a slot without friction, which has no use for it */
  double alpha_a, alpha_b;
  double r_a, r_b;
} nsd_expansion_law;

/* Two ways to write it as an LCP. */
typedef enum nsd_expansion_form {
  /* x = (P, Λ_R, γ_L), y = (γ_N, γ_R, Λ_L) with Q = P + L, Λ_T = Λ_R − α_a Q + r_a. A slot has five unknowns,
   * (Λ_N, N⁺, P, Λ_R, γ_L) with |Λ_N| = 2 N⁺ − Λ_N and 0 <= P ⊥ Q − |Λ_N| >= 0. */
  NSD_EXPANSION_SHORT,
  /* x = (P, τ₊, τ₋, λ₊, λ₋), Λ_T = t₀ + τ₊ − τ₋ with t₀ in [a, b] at P = 0. Copositive, so that Lemke's
   * method ends with a solution wherever γ_C is the velocity of a mechanism without slots. */
  NSD_EXPANSION_COPOSITIVE
} nsd_expansion_form;

/* The expansion of a compressed problem: data->c is γ_C. */
typedef struct nsd_expansion {
  const nsd_contact_data *data;
  const nsd_expansion_law *law;    /* contacts; in space nobody looks at them */
  const nsd_contact_data *problem; /* in space: expansion_space.h */
} nsd_expansion;

/* One unknown of the LCP: what it adds to Λ, and the velocity that stands in its row. */
typedef struct nsd_expansion_unknown {
  int32_t normal;    /* row of Λ_N that it adds to; −1: none */
  int32_t tangent;   /* the same for Λ_T */
  double by_normal;  /* how much */
  double by_tangent; /* how much */
  int32_t velocity;  /* row of γ in its equation; −1: none */
  int32_t minus;     /* 1: with the opposite sign */
} nsd_expansion_unknown;

/* A mixed LCP with room for n unknowns, lda = n. */
typedef struct nsd_expansion_lcp {
  int n;
  double *A;                      /* n × n */
  double *b, *lo, *hi, *x;        /* n each */
  nsd_expansion_unknown *unknown; /* n */
  double *Lambda_0;               /* rows: Λ at x = 0 */
} nsd_expansion_lcp;

/* What the compression impulses of a contact make of its law. */
nsd_expansion_law nsd_expansion_law_of(const nsd_contact_spec *spec, const nsd_restitution *restitution,
                                       double Lambda_NC, double Lambda_TC);

/* Nothing stored anywhere: Λ_E = 0 is the solution, since compression left every law fulfilled. */
int nsd_expansion_is_idle(const nsd_expansion *e);

/* How far Λ_T is from the nearer end of its interval. */
double nsd_expansion_reserve_of(const nsd_expansion_law *law, double Lambda_N, double Lambda_T);

/* Unknowns of a form. */
int nsd_expansion_unknowns(const nsd_expansion *e, nsd_expansion_form form);

/* Fills in the LCP; lcp->n is what nsd_expansion_unknowns() says. */
void nsd_expansion_form_lcp(const nsd_expansion *e, nsd_expansion_form form, nsd_expansion_lcp *lcp);

/* Λ of a solution lcp->x, Λ_N >= L and a <= Λ_T <= b to the bit. */
void nsd_expansion_read(const nsd_expansion *e, const nsd_expansion_lcp *lcp, double *Lambda);

/* How far impulses are from the law, in velocity units. */
typedef struct nsd_expansion_verdict {
  double residual; /* largest violation; infinite where Λ_E is not finite or overflows */
  double scale;    /* what it is judged against: speed, but at most 1000 times what compression left; where a
                      bilateral row is the worst, its own size */
  double speed;    /* largest |γ⁻_i| + Σ_j |G_ij| (|Λ_Cj| + |Λ_Ej|) of the contacts' rows */
  int row;         /* where; −1 if nothing is violated */
} nsd_expansion_verdict;

/* Judges Λ_E by code that shares nothing with what is above: data->c is γ⁻ here, and the law is read anew
 * from Λ_C. Per contact with r = ½ (G_NN + G_TT): |min(γ_N, r (Λ_N − ε_N Λ_NC))|, the distance of r Λ_T from
 * the projection of r Λ_T − γ_T on r {|Λ_T| <= μ Q, e Λ_T >= −(1 − ν) μ Q + ν ε_N ε_T |Λ_TC|}, e = sgn Λ_TC.
 */
nsd_expansion_verdict nsd_expansion_judge(const nsd_contact_data *data, const nsd_restitution *restitution,
                                          const double *Lambda_C, const double *Lambda_E);

#endif
