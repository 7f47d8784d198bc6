/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/sink.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "contact/law.h"
#include "system/callbacks.h"

nsdyn_status nsdyn_found_contact_init(nsdyn_found_contact *found, size_t size)
{
  const nsdyn_found_contact defaults = {.size = sizeof defaults, .w_bar = {NAN, NAN, NAN}};
  return nsd_sized_init(found, size, NSD_FOUND_CONTACT_LEAST, &defaults, sizeof defaults);
}

void nsd_sink_init(nsdyn_contact_sink *sink, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault)
{
  const nsdyn_contact_sink empty = {.sys = sys, .ctx = ctx, .fault = fault};
  *sink = empty;
  nsd_keys_init(&sink->keys, ctx);
}

void nsd_sink_release(nsdyn_contact_sink *sink)
{
  const size_t room = (size_t)sink->room;
  nsd_release(sink->ctx, sink->found, room, sizeof *sink->found);
  nsd_release(sink->ctx, sink->W, room * NSD_CONTACT_ROWS * (size_t)sink->sys->def.nu, sizeof *sink->W);
  nsd_keys_release(&sink->keys);
}

/* Twice the room, with what is in it. */
static nsdyn_status grow(nsdyn_contact_sink *sink)
{
  const size_t width = NSD_CONTACT_ROWS * (size_t)sink->sys->def.nu;
  const size_t old = (size_t)sink->room, count = (size_t)sink->count;
  const size_t room = old ? 2 * old : 8;
  /* Counts are int32_t; room · width is a size_t. */
  if (room > INT32_MAX / 4 || (width && room > SIZE_MAX / width)) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const nsdyn_status status = nsd_keys_reserve(&sink->keys, room);
  if (status) {
    return status;
  }
  /* Both or none: the old arrays stay until both new ones are there. */
  nsd_found *found = nsd_allocate(sink->ctx, room, sizeof *found);
  double *W = nsd_allocate(sink->ctx, room * width, sizeof *W);
  if (!found || (width && !W)) {
    nsd_release(sink->ctx, found, room, sizeof *found);
    nsd_release(sink->ctx, W, room * width, sizeof *W);
    return NSDYN_ERR_NOMEM;
  }
  for (size_t i = 0; i < count; i++) {
    found[i] = sink->found[i];
  }
  for (size_t i = 0; i < count * width; i++) {
    W[i] = sink->W[i];
  }
  nsd_release(sink->ctx, sink->found, old, sizeof *found);
  nsd_release(sink->ctx, sink->W, old * width, sizeof *W);
  sink->found = found;
  sink->W = W;
  sink->room = (int32_t)room;
  return NSDYN_OK;
}

/* One record is wrong: `what` says how, in words that end with `number`. */
static nsdyn_status refuse(nsdyn_contact_sink *sink, nsdyn_status status, int64_t key, const char *what,
                           double number)
{
  char text[NSD_NUMBER_LENGTH];
  nsd_fault_set(sink->fault, status, NSDYN_DETAIL_CONTACT, -1,
                "callback find, contact with key %" PRId64 ": %s %s", key, what,
                nsd_number_text(number, text));
  sink->fault->detail.key = key;
  return status;
}

static nsdyn_status check_block(nsdyn_contact_sink *sink, int64_t key, const nsdyn_contact_block *block,
                                int rows)
{
  const int32_t nu = sink->sys->def.nu;
  if (block->count < 0 || block->offset < 0 || block->offset > nu || block->count > nu - block->offset) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, key, "a block lies outside the velocities: its offset is",
                  block->offset);
  }
  if (block->count > 0 && !block->values) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, key, "a block has no values: its count is", block->count);
  }
  for (size_t i = 0; i < (size_t)rows * (size_t)block->count; i++) {
    if (!nsd_is_number(block->values[i])) {
      return refuse(sink, NSDYN_ERR_NOT_FINITE, key, "a value of a block is", block->values[i]);
    }
  }
  return NSDYN_OK;
}

static nsdyn_status check_record(nsdyn_contact_sink *sink, const nsdyn_found_contact *c, int *rows)
{
  if (c->law < 0 || c->law >= nsd_system_found_count(sink->sys)) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, c->key, "there is no law", c->law);
  }
  if (c->blocks < 0 || (c->blocks > 0 && !c->block)) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, c->key, "the blocks are missing: their count is", c->blocks);
  }
  /* The law decides whether there is a tangential row. */
  *rows = nsd_contact_law_rows(nsd_system_found_law(sink->sys, c->law));
  for (int i = 0; i < NSD_CONTACT_ROWS; i++) {
    if (!nsd_is_number(c->w_hat[i])) {
      return refuse(sink, NSDYN_ERR_NOT_FINITE, c->key, "w_hat is", c->w_hat[i]);
    }
    if (!nsd_is_number(c->w_bar[i]) && sink->wants_bias && i < *rows && !isnan(c->w_bar[0])) {
      return refuse(sink, NSDYN_ERR_NOT_FINITE, c->key, "w_bar is", c->w_bar[i]);
    }
  }
  for (int32_t i = 0; i < c->blocks; i++) {
    const nsdyn_status status = check_block(sink, c->key, &c->block[i], *rows);
    if (status) {
      return status;
    }
  }
  return NSDYN_OK;
}

/* Blocks may overlap: what two of them say of one velocity adds up. Returns the record's `most`. */
static double expand(const nsdyn_found_contact *c, int rows, int nu, double *W)
{
  double most = 0.0;
  nsd_fill_zero(NSD_CONTACT_ROWS * nu, W);
  for (int32_t i = 0; i < c->blocks; i++) {
    const nsdyn_contact_block *block = &c->block[i];
    const double *value = block->values;
    for (int r = 0; r < rows; r++) {
      double *w = W + (size_t)r * (size_t)nu + block->offset;
      for (int32_t j = 0; j < block->count; j++) {
        const double size = r == 0 ? fabs(*value) : 0.0;
        most = size > most ? size : most;
        w[j] += *value++;
      }
    }
  }
  return most;
}

static nsdyn_status add(nsdyn_contact_sink *sink, const nsdyn_found_contact *c)
{
  /* What is no number; but a gap of +∞ is far away, which is fine. */
  if (!nsd_is_number(c->gap) && c->gap != (double)INFINITY) {
    return refuse(sink, NSDYN_ERR_NOT_FINITE, c->key, "its gap is", c->gap);
  }
  /* A bilateral contact is always closed, so it counts at any gap. */
  const int is_slot = c->law >= 0 && c->law < nsd_system_found_count(sink->sys) &&
                      nsd_system_found_law(sink->sys, c->law)->kind == NSDYN_CONTACT_BILATERAL;
  if ((c->gap > sink->margin && !is_slot) ||
      c->gap > DBL_MAX) { /* a margin may be infinite; so far away nothing is closed */
    return NSDYN_OK;
  }
  int rows = 0;
  nsdyn_status status = check_record(sink, c, &rows);
  if (status == NSDYN_OK && sink->count == sink->room) {
    status = grow(sink);
    if (status) {
      return refuse(sink, status, c->key, "no memory: contacts found before it:", sink->count);
    }
  }
  if (status) {
    return status;
  }
  /* The key's number is the place of the record. */
  if (!nsd_keys_add(&sink->keys, c->key, sink->count)) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, c->key,
                  "its key is given twice; contacts found before it:", sink->count);
  }
  const int nu = sink->sys->def.nu;
  const nsd_found record = {.key = c->key,
                            .gap = c->gap,
                            .w_hat = {c->w_hat[0], c->w_hat[1], c->w_hat[2]},
                            .w_bar = {c->w_bar[0], c->w_bar[1], c->w_bar[2]},
                            .law = c->law};
  sink->found[sink->count] = record;
  sink->found[sink->count].most =
      expand(c, rows, nu, sink->W + (size_t)sink->count * NSD_CONTACT_ROWS * (size_t)nu);
  sink->count++;
  return NSDYN_OK;
}

int nsdyn_contact_sink_add(nsdyn_contact_sink *sink, const nsdyn_found_contact *found)
{
  if (!sink || !sink->open) {
    return -1;
  }
  if (sink->status) {
    return -1; /* the callback went on after a refusal */
  }
  /* A copy of our length: the caller's struct may be an older or a newer one. */
  nsdyn_found_contact own;
  nsdyn_found_contact_init(&own, sizeof own);
  if (!found) {
    sink->status = nsd_fault_set(sink->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                                 "callback find: found is NULL");
  } else {
    sink->status =
        nsd_sized_read(&own, sizeof own, NSD_FOUND_CONTACT_LEAST, found, "nsdyn_found_contact", sink->fault);
  }
  if (sink->status == NSDYN_OK) {
    sink->status = add(sink, &own);
  }
  return sink->status ? -1 : 0;
}

nsdyn_status nsd_sink_find(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                           double margin)
{
  const nsdyn_system_def *def = &sink->sys->def;
  sink->count = 0;
  if (!def->find) {
    return NSDYN_OK;
  }
  /* Records count only while `find` runs. */
  nsd_keys_clear(&sink->keys);
  sink->status = NSDYN_OK;
  sink->margin = margin;
  sink->open = 1;
  sink->wants_bias = u != NULL;
  const int code = def->find(def->user, t, q, u, margin, sink);
  sink->open = 0;
  /* A refusal counts, even if the callback goes on and returns 0. */
  if (sink->status) {
    return sink->status;
  }
  return code ? nsd_blame_code(sink->fault, "find", nsd_no_subject(), code) : NSDYN_OK;
}
