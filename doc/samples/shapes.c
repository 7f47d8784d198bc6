/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>

/* An angle iron falls on the ground: a body of any shape, and where it touches. q: x, y and angle of the
 * frame that the shape was given in, whose origin is its centre. */
struct scene {
  nsdyn_shape *floor, *box;
  nsdyn_detector *detector;
  int32_t law;
  double m, J;
};

static int mass(void *user, double t, const double *q, double *M)
{
  const struct scene *scene = user;
  (void)t, (void)q;
  M[0] = M[4] = scene->m;
  M[8] = scene->J;
  return 0;
}
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)q, (void)u;
  h[1] = -9.81 * ((const struct scene *)user)->m;
  return 0;
}
static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  struct scene *scene = user;
  (void)t;
  nsdyn_placed floor, box;
  nsdyn_placed_init(&floor, sizeof floor); // at the origin, at rest
  nsdyn_placed_init(&box, sizeof box);
  floor.shape = scene->floor;
  box.shape = scene->box;
  nsdyn_placed_by_coordinates(&box, 0, q); // q[0], q[1], q[2] are its x, y and angle
  return nsdyn_detector_report(scene->detector, &box, &floor, u, 0, margin, scene->law, sink);
}

/* A polygon, moved such that its centre is the origin. */
static nsdyn_status make_polygon(int32_t count, double *points, nsdyn_shape **shape,
                                 nsdyn_shape_properties *sizes)
{
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_shape_properties_init(sizes, sizeof *sizes);
  def.count = count;
  def.points = points;
  nsdyn_status status = nsdyn_shape_new(NULL, &def, shape, NULL);
  if (status == NSDYN_OK) {
    nsdyn_shape_measure(*shape, sizes);
    nsdyn_shape_free(*shape);
    for (int i = 0; i < 2 * count; i++) {
      points[i] -= sizes->centroid[i % 2];
    }
    status = nsdyn_shape_new(NULL, &def, shape, NULL);
  }
  return status;
}

static nsdyn_status make_ground(nsdyn_shape **shape)
{
  const double points[] = {-5.0, 0.0, 5.0, 0.0};
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = NSDYN_SHAPE_PROFILE;
  def.side = NSDYN_SIDE_RIGHT; // solid below
  def.count = 2;
  def.points = points;
  return nsdyn_shape_new(NULL, &def, shape, NULL);
}

static nsdyn_status make_system(struct scene *scene, nsdyn_system **sys)
{
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  nsdyn_contact_law_init(&law, sizeof law);
  def.nq = def.nu = 3;
  def.user = scene;
  def.mass = mass;
  def.force = force;
  def.find = find;
  law.friction = NSDYN_FRICTION_COULOMB;
  law.mu = 0.5;
  const nsdyn_status status = nsdyn_system_new(NULL, &def, sys, NULL);
  return status ? status : nsdyn_system_add_law(*sys, &law, &scene->law);
}

int main(void)
{
  double iron[] = {0.0, 0.0, 0.4, 0.0, 0.4, 0.1, 0.1, 0.1, 0.1, 0.3, 0.0, 0.3};
  const double q[3] = {0.0, 0.5, 0.6}, u[3] = {0.0, 0.0, 0.0}, density = 78.5; // kg/m², 10 mm of steel
  struct scene scene = {0};
  nsdyn_shape_properties sizes;
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  if (make_polygon(6, iron, &scene.box, &sizes) || make_ground(&scene.floor) ||
      nsdyn_detector_new(NULL, NULL, &scene.detector, NULL)) {
    return 1;
  }
  scene.m = density * sizes.area;
  scene.J = density * (sizes.second[0] + sizes.second[1]);
  if (make_system(&scene, &sys) || nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) ||
      nsdyn_stepper_set_state(stepper, 0.0, q, u)) {
    return 1;
  }
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < 2000 && status == NSDYN_OK; i++) {
    status = nsdyn_stepper_step(stepper, 5e-4);
  }
  if (status) {
    fprintf(stderr, "%s %s\n", nsdyn_stepper_message(stepper), nsdyn_detector_message(scene.detector));
  }
  printf("mass %.3f kg, moment of inertia %.5f kg m2\n", scene.m, scene.J);
  printf("at rest: height of the centre %.2f m, angle %.2f rad\n", nsdyn_stepper_q(stepper)[1],
         nsdyn_stepper_q(stepper)[2]);
  // All touches within 1 mm of where it is now.
  const double origin[3] = {0.0, 0.0, 0.0};
  nsdyn_detector_result result;
  nsdyn_detector_result_init(&result, sizeof result);
  nsdyn_detector_search(scene.detector, scene.box, nsdyn_stepper_q(stepper), scene.floor, origin, 1e-3,
                        &result);
  for (int i = 0; i < result.touches; i++) {
    nsdyn_touch touch;
    nsdyn_contact_state state;
    nsdyn_touch_init(&touch, sizeof touch);
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_detector_touch(scene.detector, i, &touch);
    nsdyn_stepper_found_contact(stepper, nsdyn_touch_key(0, &touch), &state);
    printf("vertex %d on edge %d: force %.1f N\n", (int)touch.feature[0], (int)touch.feature[1],
           state.force[0]);
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  nsdyn_detector_free(scene.detector);
  nsdyn_shape_free(scene.box);
  nsdyn_shape_free(scene.floor);
  return status != NSDYN_OK;
}
