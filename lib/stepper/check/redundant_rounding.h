/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Constraints that say the same of numbers which are hardly more than rounding.
 *
 * A joint's force passes through zero, and so does c then; rows that depend on each other agree on it but for
 * the rounding of the velocities or coordinates that c came from. The contact solver knows nothing of those:
 * it sees a c that lies outside of the range of G by a share of c itself, and no solution. */
#ifndef NSD_STEPPER_CHECK_REDUNDANT_H
#define NSD_STEPPER_CHECK_REDUNDANT_H

/* Of n bilateral rows with G (n × n, row stride ldg, overwritten) and c: where a row depends on those before
 * it, c becomes what they say, if the two differ by no more than rounding; noise[i] is what that leaves open
 * of c[i]. y (n) is room. Returns 1 where c has changed, and is consistent; 0 where c was, and −1 where it
 * cannot be, and c is as it was. */
int nsd_redundant_agree(int n, double *G, int ldg, const double *noise, double *c, double *y);

#endif
