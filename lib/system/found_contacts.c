/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "system/found_contacts.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
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
  nsd_release(sink->ctx, sink->found, (size_t)sink->room, sizeof *sink->found);
  nsd_release(sink->ctx, sink->part, sink->part_room, sizeof *sink->part);
  nsd_release(sink->ctx, sink->value, sink->value_room, sizeof *sink->value);
  nsd_keys_release(&sink->keys);
}

enum { LEAST_ROOM = 8 };

static size_t room_for(size_t count, size_t more)
{
  const size_t wanted = count + more, own = nsd_room_ahead(count) + LEAST_ROOM;
  return own > wanted ? own : wanted;
}

/* *array, of which `count` elements are in use, gets room for `more`, and for some more, as many are to come.
 */
static nsdyn_status make_room(nsdyn_context *ctx, void **array, size_t count, size_t more, size_t *room,
                              size_t size)
{
  if (*room >= count && *room - count >= more) {
    return NSDYN_OK;
  }
  if (more > SIZE_MAX / 4 || count > SIZE_MAX / 4) {
    return NSDYN_ERR_TOO_LARGE;
  }
  const size_t now = room_for(count, more);
  void *const memory = nsd_allocate(ctx, now, size);
  if (!memory) {
    return NSDYN_ERR_NOMEM;
  }
  if (count) {
    memcpy(memory, *array, count * size);
  }
  nsd_release(ctx, *array, *room, size);
  *array = memory;
  *room = now;
  return NSDYN_OK;
}

/* Room for one more record. */
static nsdyn_status grow(nsdyn_contact_sink *sink)
{
  if (sink->count > INT32_MAX / 4) { /* counts are int32_t */
    return NSDYN_ERR_TOO_LARGE;
  }
  size_t room = (size_t)sink->room;
  void *found = sink->found;
  nsdyn_status status = nsd_keys_reserve(&sink->keys, room_for((size_t)sink->count, 1));
  status = status ? status : make_room(sink->ctx, &found, (size_t)sink->count, 1, &room, sizeof *sink->found);
  sink->found = found;
  sink->room = (int32_t)room;
  return status;
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

/* ---- rows by their parts ---- */

/* The number of the block of M that velocity j belongs to. */
static int32_t block_of(const nsdyn_system *sys, int32_t j)
{
  int32_t from = 0, to = sys->def.nblocks - 1;
  while (from < to) {
    const int32_t middle = from + (to - from + 1) / 2;
    if (sys->block_first[middle] <= j) {
      from = middle;
    } else {
      to = middle - 1;
    }
  }
  return from;
}

/* Whether a block says anything of velocities first, …, end − 1. */
static int says(const nsdyn_contact_block *block, int rows, int32_t first, int32_t end)
{
  int any = 0;
  for (int r = 0; r < rows; r++) {
    const double *w = block->values + (ptrdiff_t)r * block->count;
    for (int32_t j = first; j < end; j++) {
      any |= w[j - block->offset] != 0.0;
    }
  }
  return any;
}

/* One more part among the `count` ones of the last record, for which there is room: those that it overlaps
 * become one with it. Returns how many there are then. */
static int32_t insert(nsd_part *part, int32_t count, nsd_part own)
{
  int32_t from = 0, to = count;
  while (from < count && part[from].first + part[from].n <= own.first) {
    from++;
  }
  for (to = from; to < count && part[to].first < own.first + own.n; to++) {
    const int32_t first = part[to].first < own.first ? part[to].first : own.first;
    const int32_t end = part[to].first + part[to].n, own_end = own.first + own.n;
    own = (nsd_part){.first = first, .n = (end > own_end ? end : own_end) - first};
  }
  memmove(part + from + 1, part + to, (size_t)(count - to) * sizeof *part);
  part[from] = own;
  return count - (to - from) + 1;
}

/* Adds the columns of one of the record's blocks to its parts. */
static nsdyn_status add_parts(nsdyn_contact_sink *sink, const nsdyn_contact_block *block, int rows,
                              nsd_found *record)
{
  const nsdyn_system *sys = sink->sys;
  const int32_t end = block->offset + block->count;
  for (int32_t j = block->offset, next; j < end; j = next) {
    nsd_part own = {.first = j, .n = end - j};
    next = end;
    if (sys->def.nblocks) {
      const int32_t b = block_of(sys, j);
      own = (nsd_part){.first = sys->block_first[b], .n = sys->block[b]};
      next = own.first + own.n < end ? own.first + own.n : end;
      if (!says(block, rows, j, next)) {
        continue;
      }
    }
    void *part = sink->part;
    const nsdyn_status status = make_room(sink->ctx, &part, sink->parts + (size_t)record->parts, 1,
                                          &sink->part_room, sizeof *sink->part);
    sink->part = part;
    if (status) {
      return status;
    }
    record->parts = insert(sink->part + record->first_part, record->parts, own);
  }
  return NSDYN_OK;
}

/* Where row r, column j of a record is; j is in one of its parts. */
static double *element(const nsdyn_contact_sink *sink, const nsd_found *record, int r, int32_t j)
{
  const nsd_part *part = sink->part + record->first_part;
  double *at = sink->value + record->first_value;
  while (j >= part->first + part->n) {
    at += (ptrdiff_t)record->rows * part->n;
    part++;
  }
  return at + (ptrdiff_t)r * part->n + (j - part->first);
}

/* The rows of a record, behind those of the others. Blocks may overlap: what two of them say of one velocity
 * adds up. */
static nsdyn_status add_rows(nsdyn_contact_sink *sink, const nsdyn_found_contact *c, int rows,
                             nsd_found *record)
{
  record->first_part = sink->parts;
  record->first_value = sink->values;
  record->rows = rows;
  /* 1: which columns there are. */
  for (int32_t i = 0; i < c->blocks; i++) {
    const nsdyn_status status = add_parts(sink, &c->block[i], rows, record);
    if (status) {
      return status;
    }
  }
  size_t numbers = 0;
  for (int32_t p = 0; p < record->parts; p++) {
    numbers += (size_t)rows * (size_t)sink->part[record->first_part + (size_t)p].n;
  }
  void *value = sink->value;
  const nsdyn_status status =
      make_room(sink->ctx, &value, sink->values, numbers, &sink->value_room, sizeof *sink->value);
  sink->value = value;
  if (status) {
    return status;
  }
  /* 2: their numbers. */
  for (size_t e = 0; e < numbers; e++) {
    sink->value[record->first_value + e] = 0.0;
  }
  for (int32_t i = 0; i < c->blocks; i++) {
    const nsdyn_contact_block *block = &c->block[i];
    const double *w = block->values;
    for (int r = 0; r < rows; r++) {
      for (int32_t j = block->offset; j < block->offset + block->count; j++, w++) {
        record->most = r == 0 && fabs(*w) > record->most ? fabs(*w) : record->most;
        if (*w != 0.0) { /* a block of M of which nothing is said has no part */
          *element(sink, record, r, j) += *w;
        }
      }
    }
  }
  sink->parts += (size_t)record->parts;
  sink->values += numbers;
  return NSDYN_OK;
}

void nsd_sink_clear(nsdyn_contact_sink *sink)
{
  sink->count = 0;
  sink->parts = sink->values = 0;
}

nsdyn_status nsd_sink_tell(nsdyn_contact_sink *sink, int rows, const double *W)
{
  const nsdyn_contact_block whole = {.count = sink->sys->def.nu, .values = W};
  const nsdyn_found_contact c = {.blocks = 1, .block = &whole};
  nsd_found record = {.key = sink->count};
  nsdyn_status status = sink->count == sink->room ? grow(sink) : NSDYN_OK;
  status = status ? status : add_rows(sink, &c, rows, &record);
  if (status == NSDYN_OK) {
    sink->found[sink->count++] = record;
  }
  return status;
}

void nsd_sink_expand(const nsdyn_contact_sink *sink, int32_t i, int rows, double *W)
{
  const size_t nu = (size_t)sink->sys->def.nu;
  for (int r = 0; r < rows; r++) {
    double *w = W + (size_t)r * nu;
    if (r < sink->found[i].rows) {
      nsd_row_expand(nsd_sink_row(sink, i, r), w);
    } else {
      nsd_fill_zero((int)nu, w);
    }
  }
}

/* ---- records ---- */

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
  if (status) {
    return status;
  }
  nsd_found record = {.key = c->key,
                      .gap = c->gap,
                      .w_hat = {c->w_hat[0], c->w_hat[1], c->w_hat[2]},
                      .w_bar = {c->w_bar[0], c->w_bar[1], c->w_bar[2]},
                      .law = c->law};
  status = sink->count == sink->room ? grow(sink) : NSDYN_OK;
  status = status ? status : add_rows(sink, c, rows, &record);
  if (status) {
    return refuse(sink, status, c->key, "no memory: contacts found before it:", sink->count);
  }
  /* The key's number is the place of the record. */
  if (!nsd_keys_add(&sink->keys, c->key, sink->count)) {
    return refuse(sink, NSDYN_ERR_ARGUMENT, c->key,
                  "its key is given twice; contacts found before it:", sink->count);
  }
  sink->found[sink->count++] = record;
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

int nsd_sink_fail(nsdyn_contact_sink *sink, nsdyn_status status, const char *message)
{
  const int code = status == NSDYN_ERR_CALLBACK_RETRY ? 1 : -1;
  if (sink->open && !sink->status) {
    sink->status =
        nsd_fault_set(sink->fault, status, NSDYN_DETAIL_CALLBACK, code, "callback find: %s", message);
  }
  return code;
}

nsdyn_status nsd_sink_find(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                           double margin)
{
  return nsd_sink_find_wished(sink, t, q, u, margin, NULL);
}

nsdyn_status nsd_sink_find_wished(nsdyn_contact_sink *sink, double t, const double *q, const double *u,
                                  double margin, const nsd_wish *wish)
{
  const nsdyn_system_def *def = &sink->sys->def;
  nsd_sink_clear(sink);
  if (!def->find) {
    return NSDYN_OK;
  }
  /* Records count only while `find` runs. */
  nsd_keys_clear(&sink->keys);
  sink->status = NSDYN_OK;
  sink->margin = margin;
  sink->open = 1;
  sink->wants_bias = u != NULL;
  sink->wish = wish;
  const int code = def->find(def->user, t, q, u, margin, sink);
  sink->open = 0;
  sink->wish = NULL;
  /* A refusal counts, even if the callback goes on and returns 0. */
  if (sink->status) {
    return sink->status;
  }
  return code ? nsd_blame_code(sink->fault, "find", nsd_no_subject(), code) : NSDYN_OK;
}
