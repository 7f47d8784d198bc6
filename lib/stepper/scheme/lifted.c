/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scheme/lifted.h"

#include <math.h>

#include "stepper/scheme/keep_closed.h"

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

/* Tells the split of it (scheme/split.h), and how far it has come, at most. */
static void note(const nsdyn_stepper *s, const nsd_closed *c)
{
  nsd_projection *p = s->projection;
  const double w_hat = fabs(p->scene.directions.w_hat[c->row]);
  const double speed = nsd_row_size(w_hat, nsd_scene_row(&p->scene, c->row), s->u_next);
  if (p->lifted_count < p->rows_room) {
    p->lifted[p->lifted_count++] = (nsd_who){.index = c->index, .key = c->key};
    p->lifted_reach = nsd_larger(2.0 * s->dt * speed, p->lifted_reach);
  }
}

nsdyn_status nsd_lifted_mark(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
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
      note(s, c);
      status = nsd_keep_closed_is_shown(s) ? land(s, c, trace) : NSDYN_OK;
    }
  }
  return status;
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
