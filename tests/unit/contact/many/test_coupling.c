/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/many/coupling.h"

#include "piled.h"

static double random_impulses(random_state *random, piled *t)
{
  double largest = 0.0;
  for (int i = 0; i < t->d.rows; i++) {
    t->Lambda[i] = random_normal(random);
    largest = fmax(largest, fabs(t->Lambda[i]));
  }
  return largest;
}

/* ξ by the entries is G Λ + c, and what is missed is what the judge says, whatever kind of pile. */
START_TEST(entries_say_what_g_says)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int size = 4; size < 80; size += 25) {
      random_state random = random_seed((uint64_t)size);
      piled t = piled_make((pile_kind)kind, PILE_BURST, size, kind);
      piled_couple(&t);
      random_impulses(&random, &t);
      const nsd_contact_verdict v = nsd_contact_judge(&t.d, t.Lambda, t.xi);
      double *xi = calloc((size_t)t.d.rows, sizeof *xi);
      double scale;
      const double share = nsd_coupling_judge(&t.k, t.Lambda, xi, &scale);
      ck_assert_double_le(fabs(share - v.residual / v.scale), 1e-12 * share);
      for (int i = 0; i < t.d.rows; i++) {
        ck_assert_double_le(fabs(xi[i] - t.xi[i]), 1e-12 * v.speed);
      }
      free(xi);
      piled_free(&t);
    }
  }
}
END_TEST

START_TEST(the_order_names_every_cell_once)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    piled t = piled_make((pile_kind)kind, PILE_REST, 60, 1);
    piled_couple(&t);
    for (int i = 0; i < t.k.cells; i++) {
      ck_assert_int_eq(t.k.rank[t.k.order[i]], i);
    }
    piled_free(&t);
  }
}
END_TEST

/* A tower's contacts see those of the next interfaces alone: in a good order they stand side by side. */
START_TEST(neighbours_stand_close_together)
{
  piled t = piled_make(PILE_TOWER, PILE_REST, 100, 1);
  piled_couple(&t);
  ck_assert(!t.k.is_dense);
  int furthest = 0;
  for (int cell = 0; cell < t.k.cells; cell++) {
    for (size_t e = t.k.from[cell]; e < t.k.from[cell + 1]; e++) {
      const int apart = abs(t.k.rank[cell] - t.k.rank[t.k.cell_of[t.k.column[e]]]);
      furthest = apart > furthest ? apart : furthest;
    }
  }
  ck_assert_int_le(furthest, 5);
  piled_free(&t);
}
END_TEST

START_TEST(a_full_matrix_is_read_as_it_stands)
{
  piled t = piled_make(PILE_DISKS, PILE_REST, 8, 1);
  for (int i = 0; i < t.d.rows * t.d.rows; i++) {
    t.p.G[i] += 1e-3;
  }
  piled_couple(&t);
  ck_assert(t.k.is_dense);
  double xi[2];
  t.Lambda[0] = 1.0;
  nsd_coupling_velocity(&t.k, 1, t.Lambda, xi);
  ck_assert_double_eq_tol(xi[0], t.d.c[2] + t.d.G[2 * t.d.ldg], 1e-15);
  piled_free(&t);
}
END_TEST

SUITE("contact/many/coupling", TEST(entries_say_what_g_says), TEST(the_order_names_every_cell_once),
      TEST(neighbours_stand_close_together), TEST(a_full_matrix_is_read_as_it_stands))
