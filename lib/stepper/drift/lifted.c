/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/lifted.h"

#include <math.h>

#include "stepper/check/verify_gaps.h"
#include "stepper/drift/keep_closed.h"

double nsd_lifted_missed(const nsd_projection *p, const nsd_closed *c, double noise)
{
  const int32_t trace = nsd_history_trace(&p->pressed, c);
  if (trace >= 0 && (trace & NSD_LANDED) && (trace & NSD_LIFTED)) {
    /* more than noise where |g + noise/2| > noise/2, and as −g below that */
    return fabs(c->gap + 0.5 * noise) + 0.5 * noise;
  }
  const int is_two_sided = c->law->kind == NSDYN_CONTACT_BILATERAL || nsd_lifted_is(p, c);
  return is_two_sided ? fabs(c->gap) : -c->gap;
}

/* What did not press comes into the history as if it had. */
static nsdyn_status land(nsdyn_stepper *s, const nsd_closed *c, int32_t *trace)
{
  nsd_history *pressed = &s->projection->pressed;
  const int32_t landed = nsd_trace(NSDYN_MODE_SLIP_PLUS, 0) | NSD_LIFTED | NSD_LANDED;
  s->projection->landed++;
  if (trace && *trace >= 0) { /* it was closed, and open by its law */
    *trace = landed;
    return NSDYN_OK;
  }
  const nsdyn_status status =
      c->index < 0 ? nsd_history_reserve(pressed, pressed->found_count + 1) : NSDYN_OK;
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                         pressed->found_count + 1);
  }
  (void)(c->index >= 0 ? nsd_history_add_known(pressed, c->index, landed)
                       : nsd_history_add_found(pressed, c->key, landed));
  return NSDYN_OK;
}

void nsd_lifted_release(const nsdyn_stepper *s, nsd_history *pressed)
{
  const nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int64_t place = c->index < 0 ? nsd_keys_find(&pressed->keys, c->key) : c->index;
    int32_t *trace = c->index < 0 ? pressed->found_trace : pressed->trace;
    /* A step of generalized-α goes on with the velocity before the impact: nearly all of the lift is that
     * way. What has rebounded with ε < 1 has lost more than it is worth, and keeps ε γᴬ. */
    const int has_lost = s->options.scheme == NSDYN_SCHEME_GENERALIZED_ALPHA && c->law->eps_n < 1.0;
    if (place >= 0 && !has_lost && nsd_keep_closed_leaves(s, k, s->u_next)) {
      trace[place] = nsd_trace(NSDYN_MODE_OPEN, 0);
    }
  }
}

void nsd_lifted_clear(nsd_projection *p)
{
  p->lifted_count = p->landed = 0;
  p->lifted_reach = 0.0;
}

/* Room for one more, beside those that there are. */
static nsdyn_status widen(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  if (p->lifted_count < p->lifted_room) {
    return NSDYN_OK;
  }
  const size_t room = 2 * (size_t)p->lifted_count + (size_t)p->contacts;
  nsd_arena wider = nsd_arena_empty(s->ctx);
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, room, sizeof *p->lifted);
  const nsdyn_status status = nsd_arena_reserve(&wider, &measure);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts that close",
                         p->lifted_count + 1);
  }
  nsd_who *lifted = nsd_arena_take(&wider, room, sizeof *lifted);
  for (int k = 0; k < p->lifted_count; k++) {
    lifted[k] = p->lifted[k];
  }
  nsd_arena_release(&p->lifted_arena);
  p->lifted_arena = wider;
  p->lifted = lifted;
  p->lifted_room = (int)room;
  return NSDYN_OK;
}

/* Rounds meet contacts in one order: looks on from *from. */
static int is_noted(const nsd_projection *p, const nsd_closed *c, int *from)
{
  for (int n = 0; n < p->lifted_count; n++) {
    const int k = (*from + n) % p->lifted_count;
    if (p->lifted[k].index == c->index && p->lifted[k].key == c->key) {
      *from = k + 1;
      return 1;
    }
  }
  return 0;
}

/* Tells the split of it (drift/split.h), once, and how far it has come, at most. */
static nsdyn_status note(nsdyn_stepper *s, const nsd_closed *c, int *from)
{
  nsd_projection *p = s->projection;
  const double w_hat = fabs(p->scene.directions.w_hat[c->row]);
  const double speed = nsd_row_size(w_hat, nsd_scene_row(&p->scene, c->row), s->u_next);
  p->lifted_reach = nsd_larger(2.0 * s->dt * speed, p->lifted_reach);
  if (is_noted(p, c, from)) {
    return NSDYN_OK;
  }
  const nsdyn_status status = widen(s);
  if (status == NSDYN_OK) {
    p->lifted[p->lifted_count++] = (nsd_who){.index = c->index, .key = c->key};
  }
  return status;
}

nsdyn_status nsd_lifted_mark(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const int is_told = s->options.project == NSDYN_PROJECT_SPLIT;
  int from = 0;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < p->contacts && !status; k++) {
    const nsd_closed *c = &p->scene.closed.contact[k];
    const int64_t place = c->index < 0 ? nsd_keys_find(&p->pressed.keys, c->key) : c->index;
    int32_t *all = c->index < 0 ? p->pressed.found_trace : p->pressed.trace;
    int32_t *trace = place >= 0 ? &all[place] : NULL;
    if (!(p->Lambda[k] > 0.0)) {
      continue;
    }
    if (trace && nsd_trace_pressed(*trace)) {
      *trace |= NSD_LIFTED;
    } else if (c->law->kind != NSDYN_CONTACT_BILATERAL) {
      status = is_told ? note(s, c, &from) : NSDYN_OK;
      status = status ? status : land(s, c, trace);
    }
  }
  return status;
}

/* What the next step knows of contact c, which has landed with this speed. */
static nsd_past landed_past(const nsdyn_stepper *s, const nsd_closed *c, double speed)
{
  const nsd_scene *scene = &s->projection->scene;
  nsd_past past = {.gap = c->gap,
                   .speed = speed,
                   .aim = nsd_smaller(c->gap, 0.0),
                   .flags = NSD_PAST_KNOWN | NSD_PAST_HELD | NSD_PAST_LANDED};
  nsd_contradiction_measure(s, nsd_contradiction_magnitude(s, s->q), nsd_scene_row(scene, c->row),
                            scene->directions.w_hat[c->row], &past.size, &past.wide);
  return past;
}

void nsd_lifted_keep(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  nsd_history *history = &s->history;
  for (int k = 0; nsd_lifted_landed(s) && k < p->scene.closed.count; k++) {
    const nsd_closed *c = &p->scene.closed.contact[k];
    const double speed = nsd_scene_dot(&p->scene, c->row, s->u_next) + p->scene.directions.w_hat[c->row];
    const int32_t trace = nsd_history_trace(&p->pressed, c);
    if (trace < 0 || !(trace & NSD_LANDED)) { /* of −1, which is open, all bits are set */
      continue;
    }
    /* No trace: it has not been closed yet. */
    if (c->index >= 0 ? nsd_history_add_known(history, c->index, -1)
                      : nsd_history_add_found(history, c->key, -1)) {
      *(c->index >= 0 ? &history->past[c->index] : &history->found_past[history->found_count - 1]) =
          landed_past(s, c, speed);
      history->is_in_solver = 0;
      history->seen = s->t_next;
    }
  }
}

static int forget(int32_t *trace)
{
  const int is_lifted = *trace >= 0 && (*trace & NSD_LIFTED); /* of −1, which is open, all bits are set */
  *trace = is_lifted ? *trace & ~NSD_LIFTED : *trace;
  return is_lifted;
}

int nsd_lifted_forget(nsd_projection *p)
{
  nsd_history *pressed = &p->pressed;
  int any = 0;
  for (int k = 0; k < pressed->known_count; k++) {
    any |= forget(&pressed->trace[pressed->known[k]]);
  }
  for (int k = 0; k < pressed->found_count; k++) {
    any |= forget(&pressed->found_trace[k]);
  }
  return any;
}
