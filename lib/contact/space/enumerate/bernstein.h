/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Polynomials of one or two variables on [0, 1]², by Bernstein's basis: Σ b_jk B_j(x) B_k(y),
 * B_j(x) = C(d, j) xʲ (1 − x)^(d−j). Values lie between the least and the largest b, and those of a part of
 * the square are averages of them: so bounds are read off, and errors of the b do not grow (Farouki 2012). */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_BERNSTEIN_H
#define NSD_CONTACT_SPACE_ENUMERATE_BERNSTEIN_H

enum { NSD_BERNSTEIN_MOST = 5 }; /* coefficients a variable: degree 4 */

typedef struct nsd_bernstein {
  int degree[2];
  double b[NSD_BERNSTEIN_MOST][NSD_BERNSTEIN_MOST];
  double error; /* no b is off by more */
} nsd_bernstein;

/* r := r + weight p q, where r has the degree of the product, or is of degree 0 and nothing yet. */
void nsd_bernstein_add_product(nsd_bernstein *r, double weight, const nsd_bernstein *p,
                               const nsd_bernstein *q);

/* Both halves in variable v. */
void nsd_bernstein_halve(const nsd_bernstein *p, int v, nsd_bernstein *low, nsd_bernstein *high);

/* On [−1/16, 17/16] in the variables that there are (`count`). */
void nsd_bernstein_widen(const nsd_bernstein *p, int count, nsd_bernstein *r);

/* Least and largest b, without the error. */
void nsd_bernstein_range(const nsd_bernstein *p, double *range);

/* The same of the derivative in variable v. */
void nsd_bernstein_slopes(const nsd_bernstein *p, int v, double *range);

/* Value and gradient (2) at x (2). */
double nsd_bernstein_at(const nsd_bernstein *p, const double *x, double *gradient);

/* p / x_v where p vanishes with x_v = 0: what its b are there is taken for nothing. Its degree is one less.
 */
void nsd_bernstein_divide(nsd_bernstein *p, int v);

#endif
