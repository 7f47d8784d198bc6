/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "movie_world.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* A shape as the world has it, to look where it touches. */
typedef struct part {
  nsdyn_shape *shape;
  int32_t body;
  double pose[3], extent;
} part;

struct movie_world {
  movie *film;
  part *part;
  int parts, bodies;
  nsdyn_detector *detector;
  int events; /* records of the driver's log that were shown */
  double *poses;
};

movie_world *movie_world_new(const output *out, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  if (!film) {
    return NULL;
  }
  movie_world *w = memory(NULL, 1, sizeof *w);
  *w = (movie_world){.film = film};
  movie_set_energies(film, "kinetic,gravity,springs,sum");
  if (nsdyn_detector_new(NULL, NULL, &w->detector, NULL) != NSDYN_OK) {
    w->detector = NULL; /* out of memory: no forces are drawn */
  }
  return w;
}

movie *movie_world_film(const movie_world *w)
{
  return w ? w->film : NULL;
}

/* ---- Shapes ---- */

/* From a shape's frame to its body's. */
static void place(const double *pose, const double *point, double *out)
{
  out[0] = pose[0] + cos(pose[2]) * point[0] - sin(pose[2]) * point[1];
  out[1] = pose[1] + sin(pose[2]) * point[0] + cos(pose[2]) * point[1];
}

static void draw_shape(movie *film, int32_t body, const nsdyn_shape_def *def, const double *pose)
{
  double *points = memory(NULL, 2 * (size_t)def->count, sizeof *points);
  for (int32_t i = 0; i < def->count; i++) {
    place(pose, def->points + 2 * (ptrdiff_t)i, points + 2 * (ptrdiff_t)i);
  }
  if (def->kind == NSDYN_SHAPE_CIRCLE) {
    movie_add_ball(film, body, points, def->radius);
  } else if (def->kind == NSDYN_SHAPE_CAPSULE) {
    movie_add_capsule(film, body, points, points + 2, def->radius);
  } else if (def->kind == NSDYN_SHAPE_POLYGON) {
    movie_add_polygon(film, body, def->count, points);
  } else {
    movie_add_line(film, body, def->count, points);
  }
  free(points);
}

/* The shape itself; ours, and the world's where it took it. */
static nsdyn_status attach(nsdyn_world *world, int32_t body, const nsdyn_shape_def *def,
                           const nsdyn_attachment *attachment, nsdyn_shape **shape, int32_t *number,
                           nsdyn_error *error)
{
  const nsdyn_status status = nsdyn_shape_new(NULL, def, shape, error);
  return status ? status : nsdyn_world_attach(world, body, *shape, attachment, number);
}

nsdyn_status movie_world_attach(movie_world *w, nsdyn_world *world, int32_t body, const nsdyn_shape_def *def,
                                const nsdyn_attachment *attachment, nsdyn_error *error)
{
  nsdyn_shape *shape = NULL;
  int32_t number;
  const nsdyn_status status = attach(world, body, def, attachment, &shape, &number, error);
  if (status != NSDYN_OK || !w) {
    nsdyn_shape_free(shape);
    return status;
  }
  /* Numbers of shapes and bodies in the movie are those in the world. */
  w->part = memory(w->part, (size_t)number + 1, sizeof *w->part);
  part *p = &w->part[number];
  *p = (part){.shape = shape, .body = body};
  w->parts = number + 1;
  for (int k = 0; k < 3 && attachment; k++) {
    p->pose[k] = attachment->pose[k];
  }
  double box[4] = {0.0};
  nsdyn_shape_box(shape, p->pose, box);
  p->extent = fmax(box[2] - box[0], box[3] - box[1]);
  for (; w->bodies <= body; w->bodies++) {
    char name[24];
    (void)snprintf(name, sizeof name, "body %d", w->bodies);
    movie_add_body(w->film, name, PLOT_COLOR_AUTO);
    w->poses = memory(w->poses, 3 * ((size_t)w->bodies + 1), sizeof *w->poses);
  }
  draw_shape(w->film, body, def, p->pose);
  return NSDYN_OK;
}

/* ---- Contacts ---- */

static void pose_of(const movie_world *w, const part *p, double *pose)
{
  const double ground[3] = {0.0, 0.0, 0.0}, *body = p->body < 0 ? ground : w->poses + (ptrdiff_t)3 * p->body;
  place(body, p->pose, pose);
  pose[2] = body[2] + p->pose[2];
}

/* Where the features of a touch meet now. */
static int locate(const movie_world *w, const int32_t *shapes, nsdyn_touch *touch, double margin)
{
  const part *first = &w->part[shapes[0]], *second = &w->part[shapes[1]];
  double pose[3], its_pose[3];
  nsdyn_detector_result found;
  nsdyn_detector_result_init(&found, sizeof found);
  pose_of(w, first, pose);
  pose_of(w, second, its_pose);
  nsdyn_status status =
      nsdyn_detector_search(w->detector, first->shape, pose, second->shape, its_pose, margin, &found);
  for (int32_t i = 0; i < found.touches && status == NSDYN_OK; i++) {
    nsdyn_touch one;
    nsdyn_touch_init(&one, sizeof one);
    status = nsdyn_detector_touch(w->detector, i, &one);
    if (one.kind == touch->kind && one.feature[0] == touch->feature[0] &&
        one.feature[1] == touch->feature[1]) {
      *touch = one;
      return 1;
    }
  }
  return 0;
}

/* What acts on the first body there: components along n, which points to it, and n turned by +90 degrees; on
 * the second one where the first is the ground. */
static int vector_of(const movie_world *w, const nsdyn_world *world, int64_t key, const double *components,
                     double *point, double *vector)
{
  int32_t shapes[2];
  nsdyn_touch touch;
  nsdyn_touch_init(&touch, sizeof touch);
  if (!w->detector || nsdyn_world_touch(world, key, shapes, NULL, &touch) != NSDYN_OK) {
    return 0;
  }
  /* What is closed is near; a step that was taken since may have opened it wider. */
  const double near = 0.02 * fmin(w->part[shapes[0]].extent, w->part[shapes[1]].extent);
  if (!locate(w, shapes, &touch, near) && !locate(w, shapes, &touch, INFINITY)) {
    return 0;
  }
  point[0] = touch.point[2];
  point[1] = touch.point[3];
  /* Of two bodies the one that moves shows it: what the ground gives, not what it gets. */
  const double sign = w->part[shapes[0]].body < 0 ? -1.0 : 1.0;
  vector[0] = sign * (touch.normal[0] * components[0] - touch.normal[1] * components[1]);
  vector[1] = sign * (touch.normal[1] * components[0] + touch.normal[0] * components[1]);
  return 1;
}

static void show_forces(movie_world *w, const nsdyn_world *world, const machine *m)
{
  for (int32_t k = 0; k < machine_active(m); k++) {
    const nsdyn_contact_state state = machine_active_contact(m, k);
    double point[2], force[2];
    /* Contacts of own coordinates have keys of their own: the driver shows them itself. */
    if (state.index < 0 && state.key >= 0 && vector_of(w, world, state.key, state.force, point, force)) {
      movie_force(w->film, point, force);
    }
  }
}

/* Impacts of this instant, which a driver has just stopped at. */
static void show_impacts(movie_world *w, const nsdyn_world *world, const machine *m)
{
  for (; w->events < machine_events(m); w->events++) {
    const nsdyn_event e = machine_event(m, w->events);
    double point[2], impulse[2];
    if (e.impulse[0] > 0.0 && e.contact < 0 && e.key >= 0 &&
        vector_of(w, world, e.key, e.impulse, point, impulse)) {
      movie_impulse(w->film, e.t, point, impulse);
    }
  }
}

void movie_world_show(movie_world *w, const nsdyn_world *world, const machine *m, const double *energies)
{
  const int stops = w && m->driver && w->events < machine_events(m);
  if (!w || (!stops && !movie_is_due(w->film, machine_time(m)))) {
    return;
  }
  for (int i = 0; i < w->bodies; i++) {
    nsdyn_world_pose(world, i, machine_time(m), machine_q(m), NULL, w->poses + (ptrdiff_t)3 * i, NULL);
  }
  nsdyn_world_energy own;
  nsdyn_world_energy_init(&own, sizeof own);
  nsdyn_world_measure(world, machine_time(m), machine_q(m), machine_u(m), &own);
  const double all[3] = {own.kinetic, own.gravity, own.springs}, *parts = energies ? energies : all;
  if (movie_is_due(w->film, machine_time(m))) {
    movie_frame(w->film, machine_time(m), w->poses,
                (double[]){parts[0], parts[1], parts[2], parts[0] + parts[1] + parts[2]});
    show_forces(w, world, m);
  }
  if (m->driver) {
    show_impacts(w, world, m);
  }
}

void movie_world_close(movie_world *w, const output *out, const char *title, const char *note)
{
  if (!w) {
    return;
  }
  movie_close(w->film, out, title, note);
  for (int i = 0; i < w->parts; i++) {
    nsdyn_shape_free(w->part[i].shape);
  }
  nsdyn_detector_free(w->detector);
  free(w->part);
  free(w->poses);
  free(w);
}
