/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where two boxes touch, or a box and a sphere: the simplest that piles need.
 *
 * Boxes are apart by the largest gap along any of 15 directions, the faces' normals and what is across two
 * edges (separating axes). Along a face's normal the two faces that look at each other touch: with corners of
 * one inside of the other and with edges that cross, up to eight points. Along the others one edge touches
 * one. Each point is a corner at a plane or an edge at an edge, whose gap changes as the velocities of the
 * points along its normal say. */
#ifndef EXAMPLES_COMMON_BOXES_H
#define EXAMPLES_COMMON_BOXES_H

enum { BOX_POINTS = 8, BOX_IDS = 2048 };

typedef struct box {
  const double *q; /* place of its centre, and quaternion */
  double half[3];  /* half edges */
} box;

/* Points of one touch; n pushes the first box away from the second there. */
typedef struct box_touch {
  int count;
  int id[BOX_POINTS]; /* 0 … BOX_IDS − 1: which corners, edges and faces meet there */
  double n[BOX_POINTS][3], gap[BOX_POINTS], on[BOX_POINTS][2][3]; /* on the first, on the second */
} box_touch;

/* Corner k, 0 … 7, in the world. */
void box_corner(const box *b, int k, double *corner);

/* Points whose gap is no more than `margin`. */
void box_touches_box(const box *first, const box *second, double margin, box_touch *t);
void box_touches_sphere(const box *first, const double *centre, double r, double margin, box_touch *t);

#endif
