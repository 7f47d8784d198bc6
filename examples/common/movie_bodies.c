/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "movie_bodies.h"

#include <math.h>
#include <stdlib.h>

void movie_add_floor(movie *film, double half)
{
  for (int k = -4; k <= 4; k++) {
    const double at = 0.25 * k * half;
    movie_add_line(film, MOVIE_GROUND, 2, (double[]){at, -half, 0.0, at, half, 0.0});
    movie_add_line(film, MOVIE_GROUND, 2, (double[]){-half, at, 0.0, half, at, 0.0});
  }
}

static double weight_of(const bodies *b, const double *q)
{
  double energy = 0.0;
  for (int i = 0; i < b->count; i++, q += 7) {
    energy -= b->body[i].m * vector_dot(b->gravity, q);
  }
  return energy;
}

/* What acts along the three directions of a touch. */
static void push(movie *film, const seen_touch *t, const double *components, const double *time)
{
  double force[3] = {0.0};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) {
      force[k] += components[i] * t->direction[i][k];
    }
  }
  if (time) {
    movie_impulse(film, *time, t->point, force);
  } else {
    movie_force(film, t->point, force);
  }
}

static const seen_touch *touch_of(const seen_list *list, int64_t key)
{
  for (int i = 0; i < list->count; i++) {
    if (list->touch[i].key == key) {
      return &list->touch[i];
    }
  }
  return NULL;
}

static void show_forces(movie *film, const seen_list *list, const machine *m)
{
  const int32_t count = m->driver ? nsdyn_event_driver_active(m->driver) : nsdyn_stepper_active(m->stepper);
  for (int32_t k = 0; k < count; k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    if (m->driver) {
      nsdyn_event_driver_active_contact(m->driver, k, &state);
    } else {
      nsdyn_stepper_active_contact(m->stepper, k, &state);
    }
    const seen_touch *t = touch_of(list, state.key);
    if (t && state.force[0] > 0.0) {
      push(film, t, state.force, NULL);
    }
  }
}

/* Records of this instant: the last ones of the log. */
static void show_impacts(movie *film, const seen_list *list, const machine *m)
{
  for (int k = machine_events(m) - 1; k >= 0; k--) {
    const nsdyn_event e = machine_event(m, k);
    const seen_touch *t = touch_of(list, e.key);
    if (e.t != machine_time(m)) {
      return;
    }
    if (t && e.impulse[0] > 0.0) {
      push(film, t, e.impulse, &e.t);
    }
  }
}

void movie_bodies_show(movie *film, bodies *b, bodies_find *find, const machine *m)
{
  const double t = machine_time(m), *q = machine_q(m), *u = machine_u(m);
  const int is_due = movie_is_due(film, t), has_stopped = film && m->driver && machine_events(m) > 0 &&
                                                          machine_event(m, machine_events(m) - 1).t == t;
  if (!is_due && !has_stopped) {
    return;
  }
  seen_list list = {0};
  b->seen = &list;
  (void)find(b, t, q, u, INFINITY, NULL);
  b->seen = NULL;
  if (is_due) {
    const double V = weight_of(b, q), sum = bodies_energy(b, q, u);
    movie_frame(film, t, q, (double[]){sum - V, V, sum});
    show_forces(film, &list, m);
  }
  if (has_stopped) {
    show_impacts(film, &list, m);
  }
  free(list.touch);
}
