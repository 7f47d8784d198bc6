/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>

/* Memory of the host program's own, counted. */
typedef struct arena_count {
  int blocks;
  size_t bytes;
} arena_count;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
  arena_count *count = user;
  const size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *memory = aligned_alloc(alignment, rounded);
  if (memory) {
    count->blocks++;
    count->bytes += bytes;
  }
  return memory;
}

static void release(void *user, void *memory, size_t bytes)
{
  arena_count *count = user;
  count->blocks--;
  count->bytes -= bytes;
  free(memory);
}

int main(void)
{
  arena_count count = {0, 0};
  nsdyn_context_def def;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &count;
  def.allocate = allocate;
  def.release = release;

  nsdyn_context *ctx;
  const nsdyn_status status = nsdyn_context_new(&def, &ctx, NULL);
  if (status) {
    fprintf(stderr, "no context: %s\n", nsdyn_status_text(status));
    return 1;
  }
  printf("with a context: %d block\n", count.blocks);
  nsdyn_context_free(ctx);
  printf("after it:       %d blocks, %zu bytes\n", count.blocks, count.bytes);
  return 0;
}
