/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* How near a cycle is to another order of its impacts: the least gap at which a contact turns round between
 * impacts, and the slowest impact. Along a parameter an impact comes in or goes where one of them is zero.
 *
 * The period is followed in pieces that end at its events too. Where a gap falls at the beginning of a piece
 * and rises at its end, it turns round within it; where the lowest does, the zero of its rate is located. */
#include <math.h>

#include "base/tolerances.h"
#include "event/internal.h"
#include "study/object.h"
#include "system/callbacks.h"

enum { PIECES = 64, REGULA_FALSI = 40 };

/* ---- gaps and their rates ------------------------------------------------------------------------------ */

static nsdyn_status reserve(nsdyn_cycle *c, int count)
{
  for (int i = 0; i < 2; i++) {
    if (count > c->look_room[i]) {
      /* Half as much again, so that a growing number of found contacts does not allocate each time. */
      const int room = count + count / 2;
      nsd_look *grown = nsd_allocate(c->ctx, (size_t)room, sizeof *grown);
      if (!grown) {
        return nsd_fault_set(&c->fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                             "no memory to look at %d contacts", count);
      }
      for (int k = 0; k < c->look_count[i]; k++) {
        grown[k] = c->look[i][k];
      }
      nsd_release(c->ctx, c->look[i], (size_t)c->look_room[i], sizeof *grown);
      c->look[i] = grown;
      c->look_room[i] = room;
    }
  }
  return NSDYN_OK;
}

static int is_closed(const nsdyn_cycle *c, int32_t index, int64_t key)
{
  const nsd_scene *scene = &c->driver->phase.motion.scene;
  for (int k = 0; k < nsdyn_event_driver_active(c->driver); k++) {
    if (scene->closed.contact[k].index == index && scene->closed.contact[k].key == key) {
      return 1;
    }
  }
  return 0;
}

static double rate_of(const nsdyn_cycle *c, const double *w, double w_hat)
{
  const double *u = nsdyn_event_driver_u(c->driver);
  double rate = w_hat;
  for (int j = 0; j < c->nu; j++) {
    /* γ_N = w_N u + ŵ_N, the rate of the gap. */
    rate += w[j] * u[j];
  }
  return rate;
}

static void add(nsdyn_cycle *c, int32_t index, int64_t key, double gap, double rate)
{
  const nsd_look look = {.key = key, .index = index, .gap = gap, .rate = rate};
  c->look[0][c->look_count[0]++] = look;
}

/* All open contacts where the driver stands, into look[0]; those of before are in look[1]. */
static nsdyn_status look_around(nsdyn_cycle *c)
{
  const nsdyn_system_def *def = &c->sys->def;
  const double t = nsdyn_event_driver_time(c->driver), *q = nsdyn_event_driver_q(c->driver);
  nsdyn_status status = nsd_sink_find(&c->sink, t, q, NULL, c->driver->options.margin);
  status = status ? status : reserve(c, def->ncontacts + c->sink.count);
  if (status) {
    return status;
  }
  /* look[1] becomes what was seen before. */
  nsd_look *const first = c->look[0];
  c->look[0] = c->look[1];
  c->look[1] = first;
  const int room = c->look_room[0];
  c->look_room[0] = c->look_room[1];
  c->look_room[1] = room;
  c->look_count[1] = c->look_count[0];
  c->look_count[0] = 0;
  status = nsd_call_configure(def, t, q, &c->fault);
  status = status ? status : nsd_call_gap(def, t, q, c->gaps, &c->fault);
  /* Contacts known in advance, then those found at run time; closed ones have no gap that could turn. */
  for (int i = 0; i < def->ncontacts && !status; i++) {
    double w_hat[NSD_CONTACT_ROWS] = {0.0};
    if (c->sys->laws[i].kind != NSDYN_CONTACT_BILATERAL && isfinite(c->gaps[i]) && !is_closed(c, i, i)) {
      status = nsd_call_direction(def, t, q, i, c->rows, w_hat, &c->fault);
      add(c, i, i, c->gaps[i], rate_of(c, c->rows, w_hat[0]));
    }
  }
  for (int32_t i = 0; i < c->sink.count && !status; i++) {
    const nsd_found *found = &c->sink.found[i];
    if (isfinite(found->gap) && !is_closed(c, -1, found->key)) {
      nsd_sink_expand(&c->sink, i, 1, c->rows);
      add(c, -1, found->key, found->gap, rate_of(c, c->rows, found->w_hat[0]));
    }
  }
  return status;
}

static const nsd_look *look_of(const nsdyn_cycle *c, int which, int32_t index, int64_t key)
{
  for (int k = 0; k < c->look_count[which]; k++) {
    if (c->look[which][k].index == index && c->look[which][k].key == key) {
      return &c->look[which][k];
    }
  }
  return NULL;
}

/* ---- pieces of the period ------------------------------------------------------------------------------ */

/* To a time, or to an event before it. */
static nsdyn_status run_to(nsdyn_cycle *c, double t)
{
  /* Events end this advance: nsd_cycle_observe() sees `pausing`. */
  c->pausing = 1;
  c->paused = 0;
  c->stands = 0;
  const nsdyn_status status = nsdyn_event_driver_advance(c->driver, t);
  c->pausing = 0;
  if (status == NSDYN_STOPPED) {
    return c->paused ? NSDYN_OK : nsd_cycle_ambiguous(c);
  }
  return status ? nsd_cycle_blame_driver(c, status) : NSDYN_OK;
}

/* Whether one of the newest records is a contact's: its gap turned round by an event then. */
static int has_event(const nsdyn_cycle *c, int64_t newest, int32_t index, int64_t key)
{
  nsdyn_event event = {.size = sizeof event};
  const int64_t count = nsdyn_event_driver_events(c->driver);
  for (int64_t k = newest < count ? count - newest : 0; k < count; k++) {
    if (nsdyn_event_driver_event(c->driver, k, &event) == NSDYN_OK && event.contact == index &&
        event.key == key) {
      return 1;
    }
  }
  return 0;
}

/* What a cubic through gaps and rates at both ends is at the share s of a piece that lasts T. */
static double between(const nsd_look *a, const nsd_look *b, double T, double s)
{
  /* Hermite's cubic on [0, T]: gaps and rates at both ends, s = (t − t_0) / T, r = 1 − s. */
  const double r = 1.0 - s;
  return r * r * (1.0 + 2.0 * s) * a->gap + s * s * (3.0 - 2.0 * s) * b->gap +
         T * s * r * (r * a->rate - s * b->rate);
}

/* A piece in which a contact turns round lower than any before: where it begins is kept in `piece` (base). */
typedef struct turn {
  double begin, length;
  double gap; /* about */
  int32_t index;
  int64_t key;
} turn;

static int find_turn(const nsdyn_cycle *c, double T, int64_t newest, turn *lowest)
{
  int found = 0;
  for (int k = 0; k < c->look_count[0]; k++) {
    const nsd_look *b = &c->look[0][k], *a = look_of(c, 1, b->index, b->key);
    /* It fell at the beginning of the piece and rises at its end, and no event turned it. */
    if (!a || !(a->rate < 0.0 && b->rate >= 0.0) || has_event(c, newest, b->index, b->key)) {
      continue;
    }
    /* The turn is about where a line through both rates passes zero. */
    const double gap = between(a, b, T, a->rate / (a->rate - b->rate));
    if (gap < lowest->gap) {
      lowest->gap = gap;
      lowest->index = b->index;
      lowest->key = b->key;
      found = 1;
    }
  }
  return found;
}

/* Through the period, looking for the lowest turn. c->lowest is its piece's beginning. */
static nsdyn_status search_turns(nsdyn_cycle *c, turn *lowest)
{
  /* Stage 1. From the section, with the driver as it stood there. */
  const double begin = c->here.y[0], period = c->report.period, end = begin + period;
  nsdyn_status status = nsd_driver_resume(c->driver, &c->here.snapshot, begin, c->here.y + 1);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  double t = begin;
  int64_t records = c->driver->report.events;
  c->look_count[0] = 0;
  status = look_around(c);
  /* Stage 2. Piece by piece: to the next 64th of the period, or to the event before it. */
  for (int piece = 1; !status && end - t > NSD_GRAZE_END * period;) {
    status = nsd_cycle_take(c, &c->base.snapshot);
    nsd_cycle_read_driver(c, c->base.y);
    status = status ? status : run_to(c, piece < PIECES ? begin + piece * (period / PIECES) : end);
    status = status ? status : look_around(c);
    if (status) {
      return status;
    }
    const double now = nsdyn_event_driver_time(c->driver);
    /* Stage 3. The lowest turn so far: its piece's beginning is kept. */
    if (find_turn(c, now - t, c->driver->report.events - records, lowest)) {
      const nsd_station station = c->base;
      c->base = c->lowest;
      c->lowest = station;
      lowest->begin = t;
      lowest->length = now - t;
    }
    records = c->driver->report.events;
    piece += !c->paused;
    t = now;
  }
  return status;
}

/* ---- the lowest turn ----------------------------------------------------------------------------------- */

/* Gap and rate of the contact that turns, `s` after its piece began. */
static nsdyn_status look_at(nsdyn_cycle *c, const turn *lowest, double s, nsd_look *look)
{
  /* From the beginning of the piece, with the same snapshot each time: the same motion. */
  nsdyn_status status = nsd_driver_resume(c->driver, &c->lowest.snapshot, lowest->begin, c->lowest.y + 1);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  status = nsd_cycle_wait(c, s);
  status = status ? status : look_around(c);
  const nsd_look *there = status ? NULL : look_of(c, 0, lowest->index, lowest->key);
  if (!status && !there) { /* closed there: it turns no more */
    return NSDYN_MAX_ITERATIONS;
  }
  if (!status) {
    *look = *there;
  }
  return status;
}

/* The zero of the rate by the Illinois method. */
static nsdyn_status locate_turn(nsdyn_cycle *c, const turn *lowest, nsd_approach *low)
{
  /* The rate falls at `from` (a) and rises at `to` (b). `to` stays a little
   * before the piece's end, which may be an event. */
  double from = 0.0, to = lowest->length * (1.0 - NSD_GRAZE_RESOLVED), at = to;
  nsd_look a = {.rate = 0.0}, b = {.rate = 0.0};
  int side = 0;
  nsdyn_status status = look_at(c, lowest, from, &a);
  if (status || (status = look_at(c, lowest, to, &b)) != NSDYN_OK) {
    return status;
  }
  nsd_look now = b;
  const double small = NSD_GRAZE_RESOLVED * fmax(fabs(a.rate), fabs(b.rate));
  for (int k = 0; !status && k < REGULA_FALSI && a.rate < 0.0 && b.rate > 0.0; k++) {
    /* Regula falsi; where one end moves twice, the other's rate counts half, so that it moves too. */
    at = from + (to - from) * (a.rate / (a.rate - b.rate));
    status = look_at(c, lowest, at, &now);
    if (status || fabs(now.rate) <= small || to - from <= NSD_GRAZE_RESOLVED * lowest->length) {
      break;
    }
    const int is_before = now.rate < 0.0;
    *(is_before ? &from : &to) = at;
    *(is_before ? &a : &b) = now;
    if (side == (is_before ? -1 : 1)) { /* the same end moved twice */
      (is_before ? &b : &a)->rate *= 0.5;
    }
    side = is_before ? -1 : 1;
  }
  if (!status) {
    low->value = now.gap;
    low->at = lowest->begin + at - c->here.y[0];
    low->contact = lowest->index;
    low->key = lowest->key;
  }
  return status;
}

/* ---- impacts ------------------------------------------------------------------------------------------- */

static int ends_in_zeno(const nsdyn_cycle *c, const nsdyn_event *impact)
{
  nsdyn_event event = {.size = sizeof event};
  for (int64_t k = 0; k < nsdyn_event_driver_events(c->driver); k++) {
    if (nsdyn_event_driver_event(c->driver, k, &event) == NSDYN_OK && event.kind == NSDYN_EVENT_ZENO &&
        event.contact == impact->contact && event.key == impact->key) {
      return 1;
    }
  }
  return 0;
}

/* A number for a contact; sums of them tell who was hit how often, whatever the order. */
static uint64_t name_of(const nsdyn_event *event)
{
  /* A hash of the contact's key: sums of such numbers differ where the contacts or their counts do. */
  uint64_t x = (uint64_t)event->key * 2 + (event->contact < 0);
  x = (x ^ (x >> 31)) * UINT64_C(0x9E3779B97F4A7C15) + 1;
  return (x ^ (x >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
}

/* From the log, which has the cycle's period. How many hops accumulate changes with any parameter;
 * that they accumulate does not. */
static void count_impacts(const nsdyn_cycle *c, nsd_profile *profile)
{
  nsdyn_event event = {.size = sizeof event};
  for (int64_t k = 0; k < nsdyn_event_driver_events(c->driver); k++) {
    if (nsdyn_event_driver_event(c->driver, k, &event)) {
      continue;
    }
    if (event.kind == NSDYN_EVENT_ZENO) {
      profile->who += 3 * name_of(&event);
    }
    /* Only impacts of an open contact that approached; hops of a Zeno sequence are counted as one "Zeno". */
    if (event.kind != NSDYN_EVENT_IMPACT || event.mode_before != NSDYN_MODE_OPEN ||
        !(event.before[0] < 0.0) || ends_in_zeno(c, &event)) {
      continue;
    }
    profile->impacts++;
    profile->who += name_of(&event);
    if (-event.before[0] < profile->slow.value) {
      profile->slow.value = -event.before[0];
      profile->slow.at = event.t - c->next.y[0]; /* where the search saw it */
      profile->slow.contact = event.contact;
      profile->slow.key = event.key;
    }
  }
}

/* The log has the events of a period again, as a search leaves it. */
static nsdyn_status restore_log(nsdyn_cycle *c)
{
  const int64_t returns = c->report.returns;
  const nsdyn_status status = nsd_driver_resume(c->driver, &c->here.snapshot, c->here.y[0], c->here.y + 1);
  if (status) {
    return nsd_cycle_blame_driver(c, status);
  }
  nsd_cycle_ignore_crossings(c);
  const nsdyn_status crossed = nsd_cycle_cross(c, c->options.returns);
  c->report.returns = returns;
  return crossed;
}

nsdyn_status nsd_cycle_profile(nsdyn_cycle *c, nsd_profile *profile)
{
  const nsd_profile nothing = {.period = c->report.period,
                               .low = {.value = INFINITY, .contact = -1},
                               .slow = {.value = INFINITY, .contact = -1}};
  turn lowest = {.gap = INFINITY};
  *profile = nothing;
  /* Stage 1. Impacts, from the log of the period just run. */
  count_impacts(c, profile);
  if (c->sys->def.ncontacts == 0 && !c->sys->def.find) {
    return NSDYN_OK;
  }
  /* Stage 2. The lowest turn of a gap between impacts, located. */
  nsdyn_status status = search_turns(c, &lowest);
  if (!status && lowest.gap < INFINITY) {
    status = locate_turn(c, &lowest, &profile->low);
  }
  if (nsd_cycle_is_too_far(status)) { /* nothing is known then, and the cycle is one all the same */
    profile->low.value = INFINITY;
    status = NSDYN_OK;
  }
  /* Stage 3. The log as the search left it. */
  status = status ? status : restore_log(c);
  if (nsd_cycle_is_too_far(status)) {
    status = NSDYN_OK;
  }
  if (!status) {
    nsd_fault_clear(&c->fault);
  }
  return status;
}
