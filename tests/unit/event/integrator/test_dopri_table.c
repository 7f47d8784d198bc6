/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/integrator/dopri_table.h"

#include <math.h>

#include "suite.h"

/* A method has order p if Σ b_i Φ_i(τ) = 1/γ(τ) for every rooted tree τ of at most p nodes (Hairer, Nørsett
 * & Wanner 1993, theorem II.2.13), with Φ_i(τ) = Π Σ_j a_ij Φ_j(child) over the children of the root and γ(τ)
 * the number of nodes times Π γ(child). Its extension has order p if Σ b_i(θ) Φ_i = θ^nodes/γ. */
enum { ORDER = 8, TREES = 200, STAGES = NSD_DOPRI_STAGES };

typedef struct tree {
  int nodes;
  int children;
  int child[ORDER - 1];
  long double gamma;
  long double Phi[STAGES];
} tree;

typedef struct forest {
  int count;
  tree trees[TREES];
} forest;

static void add_tree(forest *f, tree t)
{
  t.gamma = t.nodes;
  for (int i = 0; i < STAGES; i++) {
    t.Phi[i] = 1.0L;
  }
  for (int c = 0; c < t.children; c++) {
    const tree *child = &f->trees[t.child[c]];
    t.gamma *= child->gamma;
    for (int i = 0; i < STAGES; i++) {
      const nsd_dopri_sum *row = &nsd_dopri_stages[i].sum;
      long double sum = 0.0L;
      for (int j = 0; j < row->count; j++) {
        sum += (long double)row->term[j].a * child->Phi[row->term[j].stage];
      }
      t.Phi[i] *= sum;
    }
  }
  ck_assert_int_lt(f->count, TREES);
  f->trees[f->count++] = t;
}

/* All ways to hang trees with `left` nodes, of the `known` first ones from number `first` on, to the root of
 * t. */
static void grow(forest *f, int known, tree t, int first, int left)
{
  if (left == 0) {
    add_tree(f, t);
    return;
  }
  for (int c = first; c < known; c++) {
    const int nodes = f->trees[c].nodes;
    if (nodes <= left) {
      tree larger = t;
      larger.child[larger.children++] = c;
      larger.nodes += nodes;
      grow(f, known, larger, c, left - nodes);
    }
  }
}

static const forest *all_trees(void)
{
  static forest f;
  static const int counts[ORDER] = {1, 1, 2, 4, 9, 20, 48, 115}; /* Cayley 1857 */
  f.count = 0;
  for (int nodes = 1; nodes <= ORDER; nodes++) {
    const int known = f.count;
    const tree root = {.nodes = 1};
    grow(&f, known, root, 0, nodes - 1);
    ck_assert_int_eq(f.count - known, counts[nodes - 1]);
  }
  return &f;
}

/* Largest |Σ b_i Φ_i γ − θ^nodes| over the trees with `nodes` nodes. */
static double defect(const forest *f, int nodes, const long double *b, long double theta)
{
  long double worst = 0.0L;
  for (int k = 0; k < f->count; k++) {
    const tree *t = &f->trees[k];
    if (t->nodes == nodes) {
      long double sum = -1.0L / t->gamma;
      for (int n = 0; n < nodes; n++) {
        sum *= theta;
      }
      for (int i = 0; i < STAGES; i++) {
        sum += b[i] * t->Phi[i];
      }
      worst = fmaxl(worst, fabsl(sum));
    }
  }
  return (double)worst;
}

static void add_sum(const nsd_dopri_sum *sum, long double factor, long double *b)
{
  for (int j = 0; j < sum->count; j++) {
    b[sum->term[j].stage] += factor * (long double)sum->term[j].a;
  }
}

/* Doubles hold what the table says to 2^-54 relative; the largest terms are about 40. */
static const double exact = 1e-14;

START_TEST(nodes_are_the_sums_of_their_rows)
{
  for (int i = 0; i < STAGES; i++) {
    const nsd_dopri_stage *row = &nsd_dopri_stages[i];
    long double sum = 0.0L;
    for (int j = 0; j < row->sum.count; j++) {
      ck_assert_int_lt(row->sum.term[j].stage, i);
      sum += (long double)row->sum.term[j].a;
    }
    ck_assert_msg(fabsl(sum - (long double)row->c) <= exact, "stage %d: %Lg", i, sum - (long double)row->c);
  }
}
END_TEST

START_TEST(method_has_order_8_and_not_9)
{
  const forest *f = all_trees();
  long double b[STAGES] = {0};
  add_sum(&nsd_dopri_stages[NSD_DOPRI_END].sum, 1.0L, b);
  for (int nodes = 1; nodes <= ORDER; nodes++) {
    ck_assert_msg(defect(f, nodes, b, 1.0L) <= exact, "%d nodes: %g", nodes, defect(f, nodes, b, 1.0L));
  }
  long double bushy = -1.0L / 9.0L; /* Σ b_i c_i^8 = 1/9 is an accident that order 8 does not promise */
  for (int i = 0; i < STAGES; i++) {
    bushy += b[i] * powl((long double)nsd_dopri_stages[i].c, 8.0L);
  }
  ck_assert(fabsl(bushy) > 1e-8L);
}
END_TEST

START_TEST(estimators_have_orders_5_and_3)
{
  const forest *f = all_trees();
  long double b5[STAGES] = {0}, b3[STAGES] = {0};
  add_sum(&nsd_dopri_stages[NSD_DOPRI_END].sum, 1.0L, b5);
  add_sum(&nsd_dopri_error_5, -1.0L, b5);
  add_sum(&nsd_dopri_order_3, 1.0L, b3);
  for (int nodes = 1; nodes <= 6; nodes++) {
    const double d5 = defect(f, nodes, b5, 1.0L), d3 = defect(f, nodes, b3, 1.0L);
    ck_assert_msg(nodes <= 5 ? d5 <= exact : d5 > 1e-4, "order 5, %d nodes: %g", nodes, d5);
    ck_assert_msg(nodes <= 3 ? d3 <= exact : d3 > 1e-2, "order 3, %d nodes: %g", nodes, d3);
  }
}
END_TEST

/* The weights b_i(θ) of y(θ) = y_0 + θ (r_1 + (1−θ) (r_2 + θ (r_3 + (1−θ) (r_4 + θ (r_5 + (1−θ) (r_6 + θ
 * r_7)))))), r_1 = Σ b_i k_i, r_2 = k_0 − r_1, r_3 = r_1 − k_end − r_2. */
static void extension_weights(long double theta, long double *b)
{
  const long double left = 1.0L - theta;
  const long double f1 = theta, f2 = f1 * left, f3 = f2 * theta, f4 = f3 * left;
  const long double later[4] = {f4, f4 * theta, f4 * theta * left, f4 * theta * left * theta};
  add_sum(&nsd_dopri_stages[NSD_DOPRI_END].sum, f1 - f2 + 2.0L * f3, b);
  b[0] += f2 - f3;
  b[NSD_DOPRI_END] -= f3;
  for (int j = 0; j < 4; j++) {
    add_sum(&nsd_dopri_dense[j], later[j], b);
  }
}

START_TEST(extension_has_order_7_and_not_8)
{
  const forest *f = all_trees();
  for (int step = 0; step <= 20; step++) {
    const long double theta = step / 20.0L;
    long double b[STAGES] = {0};
    extension_weights(theta, b);
    for (int nodes = 1; nodes <= 7; nodes++) {
      const double d = defect(f, nodes, b, theta);
      ck_assert_msg(d <= 1e-13, "%d nodes at %g: %g", nodes, (double)theta, d);
    }
    ck_assert(step == 0 || step == 20 || defect(f, 8, b, theta) > 1e-7);
  }
}
END_TEST

SUITE("event/integrator/dopri_table", TEST(nodes_are_the_sums_of_their_rows),
      TEST(method_has_order_8_and_not_9), TEST(estimators_have_orders_5_and_3),
      TEST(extension_has_order_7_and_not_8))
