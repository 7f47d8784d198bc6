/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/body_tree.h"

#include <math.h>
#include <string.h>

#include "suite.h"

enum { BODIES = 300 };

/* What holds everywhere below node i: boxes hold their children's, heights differ by one at most, parents
 * know. Returns the number of leaves. */
static int judge(const nsd_body_tree *tree, int32_t i, int32_t parent, int k)
{
  const nsd_body_node *n = &tree->node[i];
  REQUIRE(n->parent == parent, "case %d", k);
  if (n->child[0] == NSD_NO_NODE) {
    REQUIRE(n->height == 0 && n->child[1] == NSD_NO_NODE, "case %d", k);
    return 1;
  }
  const nsd_body_node *a = &tree->node[n->child[0]], *b = &tree->node[n->child[1]];
  REQUIRE(n->height == 1 + (a->height > b->height ? a->height : b->height), "case %d", k);
  for (int c = 0; c < 2; c++) {
    REQUIRE(n->box[c] == fmin(a->box[c], b->box[c]) && n->box[2 + c] == fmax(a->box[2 + c], b->box[2 + c]),
            "case %d", k);
  }
  return judge(tree, n->child[0], i, k) + judge(tree, n->child[1], i, k);
}

/* Leaves that come and go, in rows too: the tree holds all, and is not higher than some times the logarithm.
 */
START_TEST(leaves_come_and_go)
{
  const int cases = random_cases(60);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_body_tree tree;
    int32_t leaf[BODIES], there = 0;
    nsd_body_tree_init(&tree);
    memset(leaf, -1, sizeof leaf);
    ck_assert_int_eq(nsd_body_tree_reserve(&tree, NULL, 8), NSDYN_OK);
    ck_assert_int_eq(nsd_body_tree_reserve(&tree, NULL, BODIES), NSDYN_OK);
    for (int step = 0; step < 3000; step++) {
      const int32_t id = step < BODIES && k % 2 ? step : random_below(&random, BODIES);
      if (leaf[id] >= 0) {
        nsd_body_tree_remove(&tree, leaf[id]);
        leaf[id] = -1;
        there--;
      } else {
        const double x = k % 2 ? step : random_between(&random, -9.0, 9.0),
                     y = random_between(&random, -9.0, 9.0);
        const double box[4] = {x, y, x + random_unit(&random), y + random_unit(&random)};
        leaf[id] = nsd_body_tree_insert(&tree, id, box);
        REQUIRE(tree.node[leaf[id]].id == id && memcmp(tree.node[leaf[id]].box, box, sizeof box) == 0,
                "case %d", k);
        there++;
      }
      if (step % 50 == 0) {
        REQUIRE(there == (tree.root == NSD_NO_NODE ? 0 : judge(&tree, tree.root, NSD_NO_NODE, k)), "case %d",
                k);
        REQUIRE(there < 2 || tree.node[tree.root].height <= 3.0 * log2(there) + 2.0,
                "case %d: %d leaves, height %d", k, there, tree.node[tree.root].height);
      }
    }
    nsd_body_tree_release(&tree, NULL);
  }
}
END_TEST

SUITE("geometry/body_tree", TEST(leaves_come_and_go))
