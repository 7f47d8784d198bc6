/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/follow_path.h"

#include "stepper/drift/projection.h"
#include "stepper/scheme/scheme.h"

/* Kinks, inflections and what has just begun are no smooth paths. */
#define MOST_CHANGE 0.25

double nsd_path_ahead(const nsdyn_stepper *s, double curve, int is_known, double before, double shown,
                      int *is_smooth)
{
  const double change = curve - before, least = MOST_CHANGE * fabs(curve);
  *is_smooth = s->scheme->projects && is_known && s->slack_dt > 0.0 && fabs(change) <= least &&
               fabs(curve - shown) <= least;
  /* From κ₂ of the step before, a quarter of it before its end, to κ₁ only the place has changed; from κ₁ to
   * κ₁ the velocity has, too, once. Steps may have other lengths than before. */
  const double last = s->slack_dt, dt = s->dt, by_place = 4.0 * (curve - shown) / (last + dt);
  const double by_speed = (change - by_place * (0.75 * last + 0.25 * dt)) / last;
  return curve + 0.5 * dt * by_place + dt * by_speed;
}

void nsd_path_mark(const nsdyn_stepper *s, nsd_history *pressed)
{
  const nsd_scene *scene = &s->scene;
  const double rounding = s->solved ? s->options.tol * s->scale : 0.0;
  for (int k = 0; s->scheme->projects && scene->closed.is_watched && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_past *own = &scene->closed.past[k];
    /* It pressed, and γ_Nᴱ + b = 0. */
    const double speed =
        nsd_scene_dot(scene, c->row, s->u_next) + scene->directions.w_hat[c->row] + own->bias;
    if ((own->flags & NSD_PAST_PATH) && c->mode != NSDYN_MODE_OPEN && speed <= rounding) {
      const int64_t place = c->index < 0 ? nsd_keys_find(&pressed->keys, c->key) : c->index;
      int32_t *trace = c->index < 0 ? pressed->found_trace : pressed->trace;
      trace[place] |= place >= 0 ? NSD_LIFTED : 0;
    }
  }
}
