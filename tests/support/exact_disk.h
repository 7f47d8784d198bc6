/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A wheel in the plane that slides on a ramp and comes to roll, or does not. Downhill is positive, turning is
 * counted counter-clockwise seen with downhill to the right: rolling is v + R ω = 0. */
#ifndef TESTS_SUPPORT_EXACT_DISK_H
#define TESTS_SUPPORT_EXACT_DISK_H

typedef struct exact_disk {
  double g;
  double theta; /* of the ramp, [0, π/2) */
  double mu;
  double R;
  double kappa; /* J = κ m R²: 1/2 for a disk, 1 for a hoop */
  double v;     /* at t = 0, x = φ = 0 */
  double omega;
} exact_disk;

typedef struct exact_disk_state {
  double x, phi;
  double v, omega;
  double slip; /* v + R ω */
} exact_disk_state;

/* When it begins to roll, or to slide the other way; 0 where it begins without sliding; infinite where it
 * never does.
 */
double exact_disk_time(const exact_disk *p);
int exact_disk_rolls(const exact_disk *p); /* whether friction suffices to roll: tan θ <= μ (1 + κ)/κ */
exact_disk_state exact_disk_at(const exact_disk *p, double t);

#endif
