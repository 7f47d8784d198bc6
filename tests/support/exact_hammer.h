/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* An impact oscillator under periodic forcing (jackhammer, ball on a shaking table, drill) in closed form: a
 * unit mass with the coordinate x,
 *
 *   ẍ = −k x − c ẋ + G + F cos ωt ,
 *
 * over a floor that moves too, with the gap z = x − A cos ωt and the restitution eps. Orbits with one impact
 * in `turns` periods of the forcing. In z the forcing is harmonic as well and the floor is still, so that all
 * is linear but for the time of the impact, for which a cos θ + b sin θ = const. is left. */
#ifndef TESTS_SUPPORT_EXACT_HAMMER_H
#define TESTS_SUPPORT_EXACT_HAMMER_H

typedef struct exact_hammer {
  double k, c;
  double G;
  double F, A;
  double omega;
  double eps;
  int turns;
} exact_hammer;

typedef struct exact_hammer_cycle {
  long double t;             /* of the impact, in [0, 2 π/ω) */
  long double period;        /* turns 2 π/ω */
  long double before, after; /* gap speeds of it */
  long double trace, det;    /* of the return map's derivative: λ² − trace λ + det = 0 */
  long double low_gap;       /* least gap at which it turns round between impacts; infinite: it never does */
  long double low_at;        /* how long after the impact */
} exact_hammer_cycle;

/* The orbit with sign +1 or −1 of the two there are. Whether there is one that hits and leaves the floor:
 * between the impacts the gap may be negative, which low_gap says. */
int exact_hammer_solve(const exact_hammer *p, int sign, exact_hammer_cycle *orbit);

/* Gap and its rate, `s` after the impact. */
void exact_hammer_at(const exact_hammer *p, const exact_hammer_cycle *orbit, long double s, long double *z,
                     long double *v);

/* Whether the gap stays open between impacts: more than `share` of its largest where it turns round. */
int exact_hammer_is_clear(const exact_hammer *p, const exact_hammer_cycle *orbit, double share);

/* Sizes of both multipliers, the larger first. */
void exact_hammer_multipliers(const exact_hammer_cycle *orbit, long double *re, long double *im);

/* The value of *parameter (a member of *p) in [low, high], at which `what` of the orbit is zero, by bisection
 * to the last digits; NAN where the signs at both ends agree or there is no orbit on the way. *p is changed.
 */
enum exact_hammer_zero {
  EXACT_HAMMER_FLIP = 1, /* 1 + trace + det */
  EXACT_HAMMER_GRAZE = 2 /* low_gap */
};
double exact_hammer_find(exact_hammer *p, int sign, double *parameter, double low, double high, int what);

#endif
