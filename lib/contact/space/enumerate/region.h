/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where on the line Λ + t n all holds that is asked, or by how much all does where there is no line. */
#ifndef NSD_CONTACT_SPACE_ENUMERATE_REGION_H
#define NSD_CONTACT_SPACE_ENUMERATE_REGION_H

typedef struct nsd_region {
  int is_line;
  double unsure;    /* what is so near to zero has no sign */
  double margin;    /* without a line: by how much all holds, at the least */
  double low, high; /* on a line: of t */
  int is_unclear;   /* something on the line has no sign */
} nsd_region;

nsd_region nsd_region_of(int is_line, double unsure);

/* a + b t >= 0 */
void nsd_region_ask(nsd_region *r, double a, double b);

/* ‖T + t T'‖ <= N + t N'; of a slot |N| */
void nsd_region_ask_disk(nsd_region *r, const double *T, const double *T_on, double N, double N_on,
                         int is_slot);

#endif
