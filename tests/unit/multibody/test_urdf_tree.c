/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "trees.h"

static nsdyn_urdf *reader_of(nsdyn_context *ctx)
{
  nsdyn_urdf *urdf = NULL;
  REQUIRE(nsdyn_urdf_new(ctx, NULL, &urdf, NULL) == NSDYN_OK);
  return urdf;
}

/* A link, or a joint of a child that hangs on a parent, by their numbers. */
static void add_link(nsdyn_urdf *urdf, int number)
{
  char name[16];
  const char *link[] = {"name", name, NULL};
  snprintf(name, sizeof name, "%d", number);
  REQUIRE(nsdyn_urdf_start(urdf, 1, "link", link) == NSDYN_OK && nsdyn_urdf_end(urdf) == NSDYN_OK);
}

static void add_joint(nsdyn_urdf *urdf, int number, int on)
{
  char name[2][16];
  const char *joint[] = {"name", name[0], "type", "fixed", NULL};
  snprintf(name[0], sizeof name[0], "%d", number);
  snprintf(name[1], sizeof name[1], "%d", on);
  REQUIRE(nsdyn_urdf_start(urdf, 1, "joint", joint) == NSDYN_OK);
  for (int j = 0; j < 2; j++) {
    const char *link[] = {"link", name[j], NULL};
    REQUIRE(nsdyn_urdf_start(urdf, 1, j ? "parent" : "child", link) == NSDYN_OK);
    REQUIRE(nsdyn_urdf_end(urdf) == NSDYN_OK);
  }
  REQUIRE(nsdyn_urdf_end(urdf) == NSDYN_OK);
}

/* Bodies come as rounds through all joints find them, in any order of the file, and as many as there are. */
START_TEST(rounds_through_the_joints)
{
  enum { MOST_LINKS = 40 };
  const int cases = random_cases(40);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const int links = 2 + random_below(&random, MOST_LINKS - 2);
    int parent[MOST_LINKS], order[MOST_LINKS], body[MOST_LINKS], bodies = 0;
    char name[16];
    nsdyn_tree *tree = NULL;
    nsdyn_urdf *urdf = reader_of(NULL);
    for (int i = 0; i < links; i++) { /* joint order[i] is that of link order[i]; −1: a root */
      const int at = random_below(&random, i + 1);
      parent[i] = random_below(&random, 3) ? i - 1 : random_below(&random, i + 1) - 1;
      order[i] = order[at];
      order[at] = i;
      body[i] = -1;
    }
    REQUIRE(nsdyn_urdf_start(urdf, 1, "robot", NULL) == NSDYN_OK);
    for (int i = 0; i < links; i++) {
      add_link(urdf, i);
    }
    for (int i = 0; i < links; i++) {
      if (parent[order[i]] >= 0) {
        add_joint(urdf, order[i], parent[order[i]]);
      }
    }
    REQUIRE(nsdyn_urdf_end(urdf) == NSDYN_OK);
    REQUIRE(nsdyn_urdf_tree(urdf, &tree) == NSDYN_OK, "case %d: %s", k, nsdyn_urdf_message(urdf));
    for (int i = 0; i < links; i++) { /* roots, */
      body[i] = parent[i] < 0 ? bodies++ : -1;
    }
    for (int rounds = 0; rounds < links; rounds++) { /* then all that find their parent */
      for (int i = 0; i < links; i++) {
        const int own = order[i];
        if (body[own] < 0 && body[parent[own]] >= 0) {
          body[own] = bodies++;
        }
      }
    }
    for (int i = 0; i < links; i++) {
      snprintf(name, sizeof name, "%d", i);
      REQUIRE(nsdyn_tree_find(tree, name) == body[i], "case %d: link %d is %d, not %d", k, i,
              (int)nsdyn_tree_find(tree, name), body[i]);
    }
    nsdyn_tree_free(tree);
    nsdyn_urdf_free(urdf);
  }
}
END_TEST

typedef struct host {
  int calls, stop_at;
} host;

static int on_progress(void *user, const char *activity, double done)
{
  host *h = user;
  (void)done;
  ck_assert_str_eq(activity, "nsdyn_urdf_tree");
  return ++h->calls == h->stop_at;
}

/* A chain told from its end: as many rounds as links. It asks on the way, and can be stopped at each
 * question. */
START_TEST(a_long_robot_can_be_cancelled)
{
  enum { LINKS = 2000 };
  host h = {.stop_at = -1};
  nsdyn_context_def def;
  nsdyn_context *ctx = NULL;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &h;
  def.progress = on_progress;
  REQUIRE(nsdyn_context_new(&def, &ctx, NULL) == NSDYN_OK);
  int stop = 0, is_whole = 0;
  for (stop = 1; !is_whole && stop < 100; stop++) {
    nsdyn_tree *tree = NULL;
    nsdyn_urdf *urdf = reader_of(ctx);
    REQUIRE(nsdyn_urdf_start(urdf, 1, "robot", NULL) == NSDYN_OK);
    for (int i = 0; i < LINKS; i++) {
      add_link(urdf, i);
    }
    for (int i = LINKS - 1; i > 0; i--) {
      add_joint(urdf, i, i - 1);
    }
    REQUIRE(nsdyn_urdf_end(urdf) == NSDYN_OK);
    h.calls = 0;
    h.stop_at = stop;
    const nsdyn_status status = nsdyn_urdf_tree(urdf, &tree);
    is_whole = h.calls < stop;
    REQUIRE(status == (is_whole ? NSDYN_OK : NSDYN_CANCELLED) && !tree == !is_whole, "question %d: %s", stop,
            nsdyn_urdf_message(urdf));
    REQUIRE(!is_whole || nsdyn_tree_find(tree, "1999") == LINKS - 1);
    nsdyn_tree_free(tree);
    nsdyn_urdf_free(urdf);
  }
  REQUIRE(stop > 10 && is_whole, "%d", stop);
  nsdyn_context_free(ctx);
}
END_TEST

SUITE("multibody/urdf_tree", TEST(rounds_through_the_joints), TEST(a_long_robot_can_be_cancelled))
