/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The harness itself: a good object passes, and each way of being bad is told by its own words. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

/* An object with two blocks from the start and one that grows; `bad` says what it does wrong. */
enum bad {
  GOOD,
  LEAKS_IN_MAKE,
  SAYS_OK_IN_MAKE,
  HANDS_OUT,
  OTHER_STATUS,
  LEAKS_IN_DROP,
  LEAKS_IN_USE,
  SAYS_OK_IN_USE,
  ASKS_AGAIN,
  FORGETS,
  STAYS_BROKEN,
  WRONG_SIZE,
  GIVES_TWICE,
  WRITES_BEHIND
};

typedef struct thing {
  nsdyn_context_def host;
  unsigned char *fixed;
  double *grown;
  size_t size;
  int broken;
} thing;

enum { fixed_size = 64 };

static enum bad bad;

static void *take(const nsdyn_context_def *host, size_t bytes)
{
  return host->allocate(host->user, bytes, 64);
}

static void give_back(const nsdyn_context_def *host, void *memory, size_t bytes)
{
  if (memory) {
    host->release(host->user, memory, bytes);
  }
}

static void drop(void *object)
{
  thing *t = object;
  const nsdyn_context_def host = t->host;
  if (bad != LEAKS_IN_DROP) {
    give_back(&host, t->grown, t->size * sizeof(double));
  }
  give_back(&host, t->fixed, fixed_size + (bad == WRONG_SIZE));
  give_back(&host, t, sizeof *t);
  if (bad == GIVES_TWICE) {
    give_back(&host, t, sizeof *t);
  }
}

static nsdyn_status make(const nsdyn_context_def *host, nsdyn_context *ctx, void **object)
{
  (void)ctx;
  thing *t = take(host, sizeof *t);
  if (bad != HANDS_OUT) {
    *object = NULL;
  }
  if (!t) {
    return bad == SAYS_OK_IN_MAKE ? NSDYN_OK : bad == OTHER_STATUS ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOMEM;
  }
  memset(t, 0, sizeof *t);
  t->host = *host;
  t->fixed = take(host, fixed_size);
  if (!t->fixed) {
    if (bad != LEAKS_IN_MAKE) {
      give_back(host, t, sizeof *t);
    }
    return NSDYN_ERR_NOMEM;
  }
  memset(t->fixed, 0, fixed_size + (bad == WRITES_BEHIND));
  *object = t;
  return NSDYN_OK;
}

static nsdyn_status grow(thing *t, size_t size)
{
  if (bad == FORGETS) { /* gives the old block back before it has the new one */
    give_back(&t->host, t->grown, t->size * sizeof(double));
    t->grown = NULL;
    t->size = 0;
  }
  double *grown = take(&t->host, size * sizeof(double));
  if (!grown) {
    t->broken = bad == STAYS_BROKEN;
    return bad == SAYS_OK_IN_USE ? NSDYN_OK : NSDYN_ERR_NOMEM;
  }
  if (bad != LEAKS_IN_USE) {
    give_back(&t->host, t->grown, t->size * sizeof(double));
  }
  t->grown = grown;
  t->size = size;
  return NSDYN_OK;
}

static nsdyn_status use(void *object, int stage)
{
  thing *t = object;
  const size_t size = 10 * ((size_t)stage + 1);
  if (t->broken) {
    return WRONG_ANSWER;
  }
  if (size > t->size || bad == ASKS_AGAIN) {
    const nsdyn_status status = grow(t, size);
    if (status) {
      return status;
    }
  }
  for (size_t i = 0; i < size && i < t->size; i++) {
    t->grown[i] = (double)i;
  }
  return NSDYN_OK;
}

int main(void)
{
  static const struct {
    enum bad bad;
    const char *words;
  } cases[] = {
      {GOOD, NULL},
      {LEAKS_IN_MAKE, "make lost 1 blocks"},
      {SAYS_OK_IN_MAKE, "make gave NSDYN_OK instead of NSDYN_ERR_NOMEM"},
      {HANDS_OUT, "make handed an object out"},
      {OTHER_STATUS, "make gave NSDYN_ERR_ARGUMENT"},
      {LEAKS_IN_DROP, "use and drop: blocks are lost"},
      {LEAKS_IN_USE, "use and drop: blocks are lost"},
      {SAYS_OK_IN_USE, "use gave NSDYN_OK instead of NSDYN_ERR_NOMEM"},
      {ASKS_AGAIN, "asks for memory although it was seen before"},
      {FORGETS, "asks for memory although it was seen before"},
      {STAYS_BROKEN, "the same use, with memory again, gave a wrong answer"},
      {GIVES_TWICE, "memory came back twice"},
      {WRONG_SIZE, "memory came back twice or with another size"},
      {WRITES_BEHIND, "written behind its end"},
  };
  const int count = (int)(sizeof cases / sizeof *cases);
  int failed = 0;
  printf("1..%d\n", count);
  for (int i = 0; i < count; i++) {
    const scenario s = {"thing", "", 3, make, use, drop};
    bad = cases[i].bad;
    const char *wrong = harness_run(&s, 1);
    const int good = cases[i].words ? wrong && strstr(wrong, cases[i].words) : !wrong;
    printf("%sok %d - %s\n", good ? "" : "not ", i + 1,
           cases[i].words ? cases[i].words : "a good object passes");
    if (!good) {
      printf("# the harness said: %s\n", wrong ? wrong : "nothing");
    }
    failed += !good;
  }
  return failed > 0;
}
