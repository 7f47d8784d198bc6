/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Free rigid bodies in space, as a system's callbacks: mass, force, kinematics, retract.
 *
 * Body i has q[7i …] = place of its centre of mass and quaternion, u[6i …] = velocity in the axes of the
 * world and ω in the axes of the body, along which its inertia is diagonal. A driver's own struct begins with
 * `bodies`, brings `find`, and reports contacts:
 *
 *   typedef struct pile {
 *     bodies all;
 *     int law;
 *   } pile;
 *
 *   nsdyn_system_def def;
 *   bodies_define(&p.all, &def);
 *   def.find = find;
 *   …
 *   bodies_touch(&p->all, q, sink, &(touch){.key = k, .gap = gap, .body = {i, FIXED}, .point = {x, x}, .n =
 * n}); */
#ifndef EXAMPLES_COMMON_BODIES_H
#define EXAMPLES_COMMON_BODIES_H

#include <nsdyn/nsdyn.h>

#define FIXED (-1) /* in place of a body: the floor, a wall */

typedef struct body {
  double m, J[3]; /* mass, moments of inertia along its own axes */
} body;

/* Where touches were: what a driver's `find` reports to no sink (common/movie_bodies.h asks so). */
typedef struct seen_touch {
  int64_t key;
  double point[3], direction[3][3]; /* on body[0]; n, t1, t2 */
} seen_touch;

typedef struct seen_list {
  int count, room;
  seen_touch *touch;
} seen_list;

typedef struct bodies {
  int count;
  const body *body; /* count of them; the caller's, as long as the system lives */
  int32_t *block;   /* sizes of the blocks of M, likewise: room for count numbers */
  double gravity[3];
  seen_list *seen; /* NULL: nobody looks */
} bodies;

/* The defaults of a system and all that is about free bodies; `user` is `b`. */
void bodies_define(bodies *b, nsdyn_system_def *def);

/* One contact: body[0] is pushed along n, body[1] (or FIXED) against it, each at its own point in the world.
 */
typedef struct touch {
  int64_t key;
  double gap;
  int law, body[2];
  const double *point[2];
  const double *n, *t1; /* of length 1; t1 across n, or NULL: any */
} touch;

/* Reports it; without a sink it goes to b->seen. Returns what `find` has to return where it is not 0. */
int bodies_touch(const bodies *b, const double *q, nsdyn_contact_sink *sink, const touch *c);

/* Kinetic energy and that of weight; q[7i + 2] = 0 has none where gravity is along z. */
double bodies_energy(const bodies *b, const double *q, const double *u);

void vector_cross(const double *a, const double *b, double *out);
double vector_dot(const double *a, const double *b);

#endif
