/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Box2D, version 2.4, with rounded polygons: its world as it comes, but that nothing sleeps. */
#ifndef TESTS_BENCH_POLYGONS_BOX2D_H
#define TESTS_BENCH_POLYGONS_BOX2D_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct polygons_box2d polygons_box2d;

/* What rounds all of its polygons, and their corners at most. */
double polygons_box2d_radius(void);
int polygons_box2d_corners(void);

polygons_box2d *polygons_box2d_new(double gravity);
void polygons_box2d_free(polygons_box2d *world);

/* A convex polygon, counterclockwise, in the frame of its body; mass 0: it stands still. */
void polygons_box2d_add(polygons_box2d *world, int corners, const double *points, const double *pose,
                        double mass, double inertia, double mu);

/* One step, with Box2D's usual 8 rounds for velocities and 3 for positions. */
void polygons_box2d_step(polygons_box2d *world, double dt);

/* x, y, φ of the frame of the i-th that was added. */
void polygons_box2d_pose(const polygons_box2d *world, int i, double *pose);

#ifdef __cplusplus
}
#endif

#endif
