/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "harness.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an allocator that counts, fails on demand and looks after its blocks ---------------------------- */

/* Stands before each block, in the room of one alignment. */
typedef struct block_head {
  struct block_head *next;
  size_t bytes, alignment;
} block_head;

typedef struct ledger {
  int countdown;     /* successful allocations until one fails; < 0: none fails */
  int forever;       /* all later ones fail too */
  int asked;         /* allocations since the last reset, refused ones included */
  int refused;       /* among them */
  size_t blocks;     /* out there now */
  block_head *first; /* of them */
  int damaged;       /* blocks that came back with a wrong size or written behind their end */
} ledger;

enum { GUARD = 64, FRESH = 0xa5, GONE = 0x5a };

static int refuses(ledger *l)
{
  l->asked++;
  const int refused = l->countdown == 0 || (l->forever && l->countdown < 0 && l->refused > 0);
  if (l->countdown >= 0) {
    l->countdown--;
  }
  l->refused += refused;
  return refused;
}

/* [head, up to one alignment] [bytes] [GUARD bytes] */
static void *ledger_allocate(void *user, size_t bytes, size_t alignment)
{
  ledger *l = user;
  if (refuses(l)) {
    return NULL;
  }
  const size_t whole = (alignment + bytes + GUARD + alignment - 1) / alignment * alignment;
  block_head *h = alignment >= sizeof *h ? aligned_alloc(alignment, whole) : NULL;
  if (!h) {
    return NULL;
  }
  memset(h, FRESH, whole);
  *h = (block_head){.next = l->first, .bytes = bytes, .alignment = alignment};
  l->first = h;
  l->blocks++;
  return (unsigned char *)h + alignment;
}

/* Takes the block out of the list at `link`, which points to it. */
static void ledger_free(ledger *l, block_head **link)
{
  block_head *h = *link;
  *link = h->next;
  l->blocks--;
  memset((unsigned char *)h + h->alignment, GONE, h->bytes);
  free(h);
}

static void ledger_release(void *user, void *memory, size_t bytes)
{
  ledger *l = user;
  block_head **link = &l->first;
  while (*link && (unsigned char *)*link + (*link)->alignment != memory) {
    link = &(*link)->next;
  }
  if (!*link) {
    l->damaged++; /* never given, or given back before */
    return;
  }
  l->damaged += (*link)->bytes != bytes;
  for (size_t i = 0; i < GUARD; i++) {
    l->damaged += ((const unsigned char *)memory)[(*link)->bytes + i] != FRESH;
  }
  ledger_free(l, link);
}

static void fail_from(ledger *l, int k, int forever)
{
  l->countdown = k;
  l->forever = forever;
  l->asked = l->refused = 0;
}

static void fail_never(ledger *l)
{
  fail_from(l, -1, 0);
}

/* ---- one scenario ------------------------------------------------------------------------------------- */

typedef struct run {
  const scenario *s;
  ledger ledger;
  nsdyn_context_def def;
  nsdyn_context *ctx;
  int forever, k, every;
  const char *wrong; /* NULL so far */
} run;

static char message[400];

/* The first thing that is wrong is the one to tell. Returns 0, so that a check can return it. */
__attribute__((format(printf, 2, 3))) static int wrong(run *r, const char *format, ...)
{
  if (!r->wrong) {
    const int head = snprintf(message, sizeof message, "%s, allocation %d failing %s: ", r->s->name, r->k + 1,
                              r->forever ? "for good" : "once");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + head, sizeof message - (size_t)head, format, arguments);
    va_end(arguments);
    r->wrong = message;
  }
  return 0;
}

static int is(run *r, nsdyn_status status, nsdyn_status wanted, const char *what)
{
  if (status == wanted) {
    return 1;
  }
  return wrong(r, "%s gave %s instead of %s", what,
               status == WRONG_ANSWER ? "a wrong answer" : nsdyn_status_name(status),
               nsdyn_status_name(wanted));
}

static int make(run *r, void **object)
{
  fail_never(&r->ledger);
  *object = NULL;
  return is(r, r->s->make(&r->def, r->ctx, object), NSDYN_OK, "make, with memory,");
}

/* Uses at all stages below `stages`, as an object does that lives a while. */
static int use_up_to(run *r, void *object, int stages)
{
  fail_never(&r->ledger);
  for (int stage = 0; stage < stages; stage++) {
    if (!is(r, r->s->use(object, stage), NSDYN_OK, "use, with memory,")) {
      return 0;
    }
  }
  return 1;
}

/* With no memory at all: every stage that was seen still works, and asks for none. */
static int works_without_memory(run *r, void *object, int stages, const char *when)
{
  for (int stage = 0; stage < stages; stage++) {
    fail_from(&r->ledger, 0, 1);
    const nsdyn_status status = r->s->use(object, stage);
    const int asked = r->ledger.asked;
    fail_never(&r->ledger);
    if (asked) {
      return wrong(r, "%s, stage %d asks for memory although it was seen before", when, stage);
    }
    if (!is(r, status, NSDYN_OK, when)) {
      return 0;
    }
  }
  return 1;
}

/* The k-th allocation of make fails. Returns whether there are more to fail. */
static int fail_in_make(run *r)
{
  const size_t before = r->ledger.blocks;
  void *object = r; /* a failed make must overwrite it */
  fail_from(&r->ledger, r->k, r->forever);
  const nsdyn_status status = r->s->make(&r->def, r->ctx, &object);
  const int refused = r->ledger.refused;
  fail_never(&r->ledger);
  if (!refused) {
    if (!is(r, status, NSDYN_OK, "make")) {
      return 0;
    }
    r->s->drop(object);
    return r->ledger.blocks == before ? 0 : wrong(r, "make and drop: blocks are lost");
  }
  if (!is(r, status, NSDYN_ERR_NOMEM, "make")) {
    return 0;
  }
  if (object) {
    return wrong(r, "make handed an object out although it failed");
  }
  if (r->ledger.blocks != before) {
    return wrong(r, "make lost %zu blocks when it failed", r->ledger.blocks - before);
  }
  return 1;
}

/* What must hold of an object whose use at `stage` had an allocation refused. */
static int stands_failure(run *r, void *object, int stage, nsdyn_status status)
{
  if (status == NSDYN_ERR_NOMEM && (r->k + stage + r->forever) % r->every != 0) {
    return 1;
  }
  return is(r, status, NSDYN_ERR_NOMEM, "use") &&
         works_without_memory(r, object, stage, "use after a failure") &&
         is(r, r->s->use(object, stage), NSDYN_OK, "the same use, with memory again,") &&
         works_without_memory(r, object, stage + 1, "use after failure and success");
}

/* The k-th allocation of use at `stage` fails. Returns whether there are more to fail. */
static int fail_in_use(run *r, int stage)
{
  const size_t before = r->ledger.blocks;
  void *object;
  if (!make(r, &object)) {
    return 0;
  }
  int more = 0;
  if (use_up_to(r, object, stage)) {
    fail_from(&r->ledger, r->k, r->forever);
    const nsdyn_status status = r->s->use(object, stage);
    const int refused = r->ledger.refused;
    fail_never(&r->ledger);
    if (refused) {
      more = stands_failure(r, object, stage, status);
    } else if (is(r, status, NSDYN_OK, "use")) {
      works_without_memory(r, object, stage + 1, "use after use");
    }
  }
  r->s->drop(object);
  return r->ledger.blocks == before ? more : wrong(r, "use and drop: blocks are lost");
}

static void open_run(run *r, const scenario *s)
{
  memset(r, 0, sizeof *r);
  r->s = s;
  fail_never(&r->ledger);
  nsdyn_context_def_init(&r->def, sizeof r->def);
  r->def.user = &r->ledger;
  r->def.allocate = ledger_allocate;
  r->def.release = ledger_release;
  if (nsdyn_context_new(&r->def, &r->ctx, NULL) != NSDYN_OK) {
    wrong(r, "no context");
  }
}

static void close_run(run *r)
{
  nsdyn_context_free(r->ctx);
  if (r->ledger.blocks) {
    wrong(r, "%zu blocks are still out in the end", r->ledger.blocks);
  }
  if (r->ledger.damaged) {
    wrong(r, "memory came back twice or with another size, or was written behind its end");
  }
  while (r->ledger.first) {
    ledger_free(&r->ledger, &r->ledger.first);
  }
}

const char *harness_run(const scenario *s, int every)
{
  run r;
  open_run(&r, s);
  r.every = every;
  for (r.forever = 0; r.forever < 2 && !r.wrong; r.forever++) {
    r.k = 0;
    while (fail_in_make(&r)) {
      r.k++;
    }
    if (!r.wrong && r.k == 0) {
      wrong(&r, "make allocates nothing, so nothing was shown");
    }
    for (int stage = 0; stage < s->stages && !r.wrong; stage++) {
      for (r.k = 0; fail_in_use(&r, stage); r.k++) {
      }
    }
  }
  close_run(&r);
  return r.wrong;
}
