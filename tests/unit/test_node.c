/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "branching.h"

/* For any values of the nonbasic unknowns that are not dropped, the rows give the others: y = A x + b. */
static double tableau_defect(const branching *t, const nsd_node *node, random_state *r)
{
  const int n = node->n;
  double z[2 * MOST] = {0.0};
  const int32_t *lists[] = {node->live, node->proof};
  const int counts[] = {node->live_count, node->proof_count};
  for (int l = 0; l < 2; l++) {
    for (int k = 0; k < counts[l]; k++) {
      z[node->slot[lists[l][k]]] = random_normal(r);
    }
  }
  for (int i = 0; i < n; i++) {
    double sum = node->c[i];
    for (int l = 0; l < 2; l++) {
      for (int k = 0; k < counts[l]; k++) {
        sum += nsd_node_column(node, lists[l][k])[i] * z[node->slot[lists[l][k]]];
      }
    }
    z[node->row[i]] = sum;
  }
  double worst = 0.0;
  for (int i = 0; i < n; i++) {
    double sum = t->tree.b[i] - z[n + i];
    double size = fabs(t->tree.b[i]) + fabs(z[n + i]);
    for (int j = 0; j < n; j++) {
      sum += t->tree.A[i * n + j] * z[j];
      size += fabs(t->tree.A[i * n + j] * z[j]);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

/* A few exchanges at the largest elements of random columns. */
static void shuffle(branching *t, random_state *r, int count)
{
  for (int k = 0; k < count; k++) {
    const int s = t->node.live[random_below(r, t->node.live_count)];
    const double *C = nsd_node_column(&t->node, s);
    int best = 0;
    for (int i = 1; i < t->node.n; i++) {
      best = fabs(C[i]) > fabs(C[best]) ? i : best;
    }
    nsd_node_exchange(&t->node, &t->tree, best, s);
  }
}

START_TEST(rows_stay_true)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    nsd_node_load(&t->node, &t->tree);
    shuffle(t, &r, 2 * t->p.n);
    ck_assert_msg(tableau_defect(t, &t->node, &r) < 1e-9, "seed %d", k);
    nsd_node_copy(&t->other, &t->node, NULL);
    ck_assert_msg(tableau_defect(t, &t->other, &r) < 1e-9, "seed %d, copy", k);
    for (int i = 0; i < 2 * t->p.n; i++) {
      const int place = t->node.place[i];
      ck_assert_int_eq(place >= 0 ? t->node.row[place] : t->node.slot[~place], i);
    }
    branching_free(t);
  }
}
END_TEST

/* A fresh tableau has the same basis and better digits. */
START_TEST(refresh_keeps_the_basis)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % MOST);
    make_feasible(t, &r);
    nsd_node_load(&t->node, &t->tree);
    shuffle(t, &r, 3 * t->p.n);
    nsd_node_copy(&t->other, &t->node, NULL);
    ck_assert_int_eq(nsd_node_refresh(&t->node, &t->tree), 1);
    ck_assert_msg(tableau_defect(t, &t->node, &r) < 1e-10, "seed %d", k);
    for (int i = 0; i < 2 * t->p.n; i++) {
      ck_assert_int_eq(t->node.place[i] >= 0, t->other.place[i] >= 0);
      const double a = nsd_node_value(&t->node, i), b = nsd_node_value(&t->other, i);
      ck_assert_msg(fabs(a - b) <= 1e-6 * (fabs(a) + 1.0), "seed %d: %g %g", k, a, b);
    }
    branching_free(t);
  }
}
END_TEST

START_TEST(blocking_row_keeps_what_is_feasible)
{
  branching *t = branching_new(3);
  /* x_0 grows: y_0 = 2 − x_0, y_1 = 1 − x_0, y_2 = 1 + x_0. */
  const double column[] = {-1.0, -1.0, 1.0}, b[] = {2.0, 1.0, 1.0};
  for (int i = 0; i < 3; i++) {
    t->A[3 * i] = column[i];
    t->A[3 * i + 1] = t->A[3 * i + 2] = i == 0;
    t->b[i] = b[i];
  }
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, -1, 0), 1);
  ck_assert_int_eq(nsd_node_blocking(&t->node, 1, -1, 0), -1);
  nsd_node_step(&t->node, &t->tree, 1, 0);
  ck_assert(nsd_node_value(&t->node, 0) > 0.0);
  ck_assert(nsd_node_value(&t->node, 4) == 0.0);
  ck_assert(vertex_defect(t, &t->node) < 1e-15);
  branching_free(t);
}
END_TEST

/* The target stops where it reaches zero, from above or below; it wins ties, and a row before it wins. */
START_TEST(the_target_stops_at_zero)
{
  branching *t = branching_new(4);
  /* x_0 grows: y = 2 − x_0, 2 − 2 x_0, −1 + x_0, 1 − x_0. */
  const double column[] = {-1.0, -2.0, 1.0, -1.0}, b[] = {2.0, 2.0, -1.0, 1.0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) {
      t->A[4 * i + j] = column[i];
    }
    t->b[i] = b[i];
  }
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, -1, 0), 1); /* of two equal the larger element */
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, 3, 0), 3);
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, 2, 0), 2);
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, 0, 0), 1);
  t->node.row[1] = 7;
  t->node.row[3] = 5;
  ck_assert_int_eq(nsd_node_blocking(&t->node, 0, -1, 1), 3); /* or the least number */
  branching_free(t);
}
END_TEST

/* The steepest edge is that of its definition, noise passed over. */
START_TEST(the_steepest_edge_enters)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + k % 13;
    branching *t = branching_new(n);
    make_feasible(t, &r);
    nsd_node_load(&t->node, &t->tree);
    for (int row = 0; row < n; row++) {
      const double sign = k % 3 - 1;
      double most = 0.0;
      for (int s = 0; s < n; s++) {
        const double *S = nsd_node_column(&t->node, s);
        double length = 1.0;
        for (int i = 0; i < n; i++) {
          length += S[i] * S[i];
        }
        const double merit = S[row] * S[row] / length;
        most = sign * S[row] > 0.0 || sign == 0.0 ? fmax(most, merit) : most;
      }
      const int s = nsd_node_entering(&t->node, row, sign);
      ck_assert_int_eq(s >= 0, most > 0.0);
      if (s >= 0) {
        const double *S = nsd_node_column(&t->node, s);
        double length = 1.0;
        for (int i = 0; i < n; i++) {
          length += S[i] * S[i];
        }
        ck_assert(sign * S[row] > 0.0 || sign == 0.0);
        ck_assert(S[row] * S[row] >= most * length * (1.0 - 1e-12));
      }
    }
    branching_free(t);
  }
}
END_TEST

START_TEST(noise_is_no_pivot)
{
  branching *t = branching_new(2);
  const double A[] = {1.0, 1.0, 1e-14, 1.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[1] = 1.0;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  double *C = nsd_node_column(&t->node, 0);
  C[1] = 1e-14 * C[0];
  ck_assert_int_eq(nsd_node_accept(&t->node, 0, 0), 1);
  ck_assert_int_eq(nsd_node_accept(&t->node, 1, 0), 0);
  ck_assert(C[1] == 0.0);
  C[1] = 1e-14 * C[0];
  nsd_node_denoise(&t->node, &t->tree);
  ck_assert(C[1] == 0.0 && C[0] != 0.0);
  branching_free(t);
}
END_TEST

/* What was seen of P stays seen: a search that forgets it at every fresh tableau goes round for ever. */
START_TEST(a_fresh_tableau_forgets_nothing)
{
  branching *t = branching_new(2);
  const double A[] = {2.0, 1.0, 1.0, 2.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = t->b[1] = 1.0;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  t->node.state[0] = NSD_POSITIVE;
  t->node.state[1] = NSD_WANTED | NSD_POSITIVE;
  t->node.state[3] = NSD_WANTED;
  ck_assert_int_eq(nsd_node_refresh(&t->node, &t->tree), 1);
  ck_assert_int_eq(t->node.state[0], NSD_POSITIVE);
  ck_assert_int_eq(t->node.state[1], NSD_WANTED | NSD_POSITIVE);
  ck_assert_int_eq(t->node.state[3] & (NSD_WANTED | NSD_POSITIVE), NSD_WANTED);
  branching_free(t);
}
END_TEST

/* c that is the rest of a sum of large terms is zero; as small a c that is a datum is not. */
START_TEST(rounding_of_zero_is_cleaned)
{
  branching *t = branching_new(2);
  const double A[] = {3.0, 1.0, 9.0, 1.0};
  memcpy(t->A, A, sizeof A);
  t->b[0] = 0.1;
  t->b[1] = 0.1 * 3.0;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  nsd_node_exchange(&t->node, &t->tree, 0, 0);
  t->node.c[1] = 1e-15;
  nsd_node_clean(&t->node, &t->tree);
  ck_assert(t->node.c[1] == 0.0 && t->node.c[0] != 0.0);
  t->b[0] = 1e-15;
  ck_assert_int_eq(nsd_tree_load(&t->tree, &t->p), NSDYN_OK);
  nsd_node_load(&t->node, &t->tree);
  nsd_node_clean(&t->node, &t->tree);
  ck_assert(t->node.c[0] > 0.0);
  branching_free(t);
}
END_TEST

SUITE("node", TEST(rows_stay_true), TEST(refresh_keeps_the_basis), TEST(blocking_row_keeps_what_is_feasible),
      TEST(the_target_stops_at_zero), TEST(the_steepest_edge_enters), TEST(noise_is_no_pivot),
      TEST(a_fresh_tableau_forgets_nothing), TEST(rounding_of_zero_is_cleaned))
