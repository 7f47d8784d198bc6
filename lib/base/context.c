/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/context.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/sized.h"

struct nsdyn_context {
  nsdyn_context_def def;
  atomic_size_t holders;
};

nsdyn_status nsdyn_context_def_init(nsdyn_context_def *def, size_t size)
{
  const nsdyn_context_def defaults = {.size = sizeof defaults};
  return nsd_sized_init(def, size, NSD_CONTEXT_DEF_LEAST, &defaults, sizeof defaults);
}

static void log_by(const nsdyn_context_def *def, int32_t level, const char *line)
{
  if (def->log) {
    def->log(def->user, level, line);
  }
}

/* aligned_alloc needs a multiple of the alignment. */
static void *allocate_default(size_t bytes)
{
  const size_t rest = bytes % NSD_ALIGNMENT;
  if (rest && bytes > SIZE_MAX - NSD_ALIGNMENT) {
    return NULL;
  }
  return aligned_alloc(NSD_ALIGNMENT, rest ? bytes + (NSD_ALIGNMENT - rest) : bytes);
}

/* Memory of the host that is not aligned as asked would trap in the first vector load: it goes back
 * and counts as none. */
static void *allocate_by(const nsdyn_context_def *def, size_t bytes)
{
  if (!def || !def->allocate) {
    return allocate_default(bytes);
  }
  void *memory = def->allocate(def->user, bytes, NSD_ALIGNMENT);
  if ((uintptr_t)memory % NSD_ALIGNMENT != 0) {
    def->release(def->user, memory, bytes);
    log_by(def, NSDYN_LOG_ERROR, "nsdyn_context_def: allocate gave memory that is not aligned as asked");
    return NULL;
  }
  return memory;
}

static void release_by(const nsdyn_context_def *def, void *memory, size_t bytes)
{
  if (def && def->release) {
    def->release(def->user, memory, bytes);
  } else {
    free(memory);
  }
}

void *nsd_allocate(nsdyn_context *ctx, size_t count, size_t size)
{
  if (count == 0 || size == 0 || count > SIZE_MAX / size) {
    return NULL;
  }
  return allocate_by(ctx ? &ctx->def : NULL, count * size);
}

void nsd_release(nsdyn_context *ctx, void *memory, size_t count, size_t size)
{
  if (memory) {
    release_by(ctx ? &ctx->def : NULL, memory, count * size);
  }
}

static nsdyn_status make(const nsdyn_context_def *given, nsdyn_context **out, nsd_fault *fault)
{
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  const nsdyn_status status =
      nsd_sized_read(&def, sizeof def, NSD_CONTEXT_DEF_LEAST, given, "nsdyn_context_def", fault);
  if (status) {
    return status;
  }
  /* Both, or none: memory goes back to where it came from. */
  if (!def.allocate != !def.release) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 0,
                         "nsdyn_context_def: %s is set and %s is not", def.allocate ? "allocate" : "release",
                         def.allocate ? "release" : "allocate");
  }
  nsdyn_context *ctx = allocate_by(&def, sizeof *ctx);
  if (!ctx) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_context_new: out of memory");
  }
  ctx->def = def;
  atomic_init(&ctx->holders, 1);
  *out = ctx;
  return NSDYN_OK;
}

nsdyn_status nsdyn_context_new(const nsdyn_context_def *def, nsdyn_context **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_context_new", 1);
  if (out) {
    *out = NULL;
    status = status ? status : make(def, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

nsdyn_context *nsd_context_hold(nsdyn_context *ctx)
{
  if (ctx) {
    atomic_fetch_add_explicit(&ctx->holders, 1, memory_order_relaxed);
  }
  return ctx;
}

void nsd_context_drop(nsdyn_context *ctx)
{
  /* The last holder. (Acquire and release: it sees all that the others have done with the object.) */
  if (!ctx || atomic_fetch_sub_explicit(&ctx->holders, 1, memory_order_acq_rel) != 1) {
    return;
  }
  /* The callbacks are needed after their own memory is gone. */
  const nsdyn_context_def def = ctx->def;
  release_by(&def, ctx, sizeof *ctx);
  if (def.destroy_user) {
    def.destroy_user(def.user);
  }
}

void nsdyn_context_free(nsdyn_context *ctx)
{
  nsd_context_drop(ctx);
}

void nsd_log(const nsdyn_context *ctx, int32_t level, const char *line)
{
  if (ctx) {
    log_by(&ctx->def, level, line);
  }
}

nsdyn_status nsd_progress(const nsdyn_context *ctx, const char *activity, double done)
{
  if (!ctx || !ctx->def.progress) {
    return NSDYN_OK;
  }
  return ctx->def.progress(ctx->def.user, activity, done) ? NSDYN_CANCELLED : NSDYN_OK;
}
