/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/vertices.h"

#include "contact_cells.h"
#include "search/cell_maximise.h"

/* Slots without mass behind them, friction of bound 1: Λ_T fills a cube, Λ_N nothing, if it is asked to. */
static void cube(cell_bench *t, int d, double G_TT)
{
  for (int i = 0; i < d; i++) {
    t->made.spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_GIVEN, .bound = 1.0};
  }
  case_number(&t->made, d, 0);
  const int n = 2 * d;
  for (int i = 0; i < n; i++) {
    t->made.c[i] = i % 2 ? 0.0 : 1.0;
    for (int j = 0; j < n; j++) {
      t->made.G[i * n + j] = i == j && i % 2 ? G_TT : i == j ? 1.0 : 0.0;
    }
  }
  cell_bench_load(t);
  ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
  for (int i = 0; i < d; i++) {
    nsd_cell_ask(&t->cell, n + t->signs.contact[i].load, NSD_ASK_ZERO);
  }
  ck_assert_int_eq(nsd_cell_narrow(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
}

START_TEST(cubes_have_corners)
{
  cell_bench *t = cell_bench_new();
  for (int d = 1; d <= 6; d++) {
    for (int moves = 0; moves < 2; moves++) {
      cube(t, d, moves);
      ck_assert_int_eq(t->cell.live_count, d);
      ck_assert_int_eq(nsd_extent_velocities(&t->extent, &t->cell), moves ? d : 0);
      ck_assert_int_eq(nsd_extent_list(&t->extent, &t->cell, &t->cells, &t->signs), NSDYN_OK);
      ck_assert_int_eq(t->extent.vertices, 1 << d);
      ck_assert_int_eq(t->extent.rays, 0);
      ck_assert_double_eq(t->extent.worst, 0.0);
      unsigned seen[2] = {0, 0};
      for (int v = 0; v < 1 << d; v++) {
        unsigned corner = 0;
        for (int i = 0; i < d; i++) {
          const double T = t->extent.Lambda[v * 2 * d + 2 * i + 1];
          ck_assert(fabs(T) == 1.0 && t->extent.Lambda[v * 2 * d + 2 * i] == 0.0);
          ck_assert_double_eq(t->extent.xi[v * 2 * d + 2 * i + 1], moves * T);
          corner |= T > 0.0 ? 1u << i : 0u;
        }
        seen[corner / 32] |= 1u << (corner % 32);
      }
      unsigned all = 0;
      for (int v = 0; v < 1 << d; v++) {
        all += seen[v / 32] >> (v % 32) & 1u;
      }
      ck_assert_uint_eq(all, 1u << d);
      ck_assert_int_eq(nsd_extent_count(&t->extent, &t->cell, &t->cells, &t->signs), NSDYN_OK);
      ck_assert(t->extent.vertices == 1 && t->extent.rays == 0);
    }
  }
  cell_bench_free(t);
}
END_TEST

/* A contact without mass behind it, pressed by nothing: the cone of friction. */
START_TEST(cones_have_edges)
{
  cell_bench *t = cell_bench_new();
  for (int e = -40; e <= 40; e++) {
    t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = ldexp(1.0, e)};
    case_number(&t->made, 1, 0);
    memset(t->made.G, 0, sizeof t->made.G);
    memset(t->made.c, 0, sizeof t->made.c);
    cell_bench_load(t);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
    ck_assert_int_eq(nsd_extent_list(&t->extent, &t->cell, &t->cells, &t->signs), NSDYN_OK);
    ck_assert(t->extent.vertices == 1 && t->extent.rays == 2);
    ck_assert_int_eq(nsd_extent_velocities(&t->extent, &t->cell), 0);
    double sides = 0.0;
    for (int r = 0; r < 2; r++) {
      const double *ray = t->extent.ray + 2 * r;
      ck_assert_double_eq(fmax(ray[0], fabs(ray[1])), 1.0);
      ck_assert_double_eq(fabs(ray[1]), t->made.spec[0].mu * ray[0]);
      sides += ray[1] > 0.0 ? 1.0 : -1.0;
    }
    ck_assert_double_eq(sides, 0.0);
    ck_assert_int_eq(nsd_extent_count(&t->extent, &t->cell, &t->cells, &t->signs), NSDYN_OK);
    ck_assert(t->extent.vertices == 1 && t->extent.rays == 1);
  }
  cell_bench_free(t);
}
END_TEST

/* Two bilateral rows that are one: a line is two rays, opposite to each other. */
START_TEST(lines_are_two_rays)
{
  cell_bench *t = cell_bench_new();
  case_number(&t->made, 0, 2);
  for (int k = 0; k < 4; k++) {
    t->made.G[k] = 3.0;
  }
  t->made.c[0] = t->made.c[1] = 6.0;
  cell_bench_load(t);
  ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(nsd_cell_close(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(nsd_extent_list(&t->extent, &t->cell, &t->cells, &t->signs), NSDYN_OK);
  ck_assert(t->extent.vertices == 1 && t->extent.rays == 2);
  ck_assert_double_eq_tol(t->extent.Lambda[0] + t->extent.Lambda[1], -2.0, 1e-15);
  for (int j = 0; j < 2; j++) {
    ck_assert_double_eq(t->extent.ray[j], -t->extent.ray[2 + j]);
  }
  ck_assert_double_eq(t->extent.ray[0], -t->extent.ray[1]);
  cell_bench_free(t);
}
END_TEST

/* The polished point forgets what pivots did to it. */
START_TEST(points_are_made_exact)
{
  cell_bench *t = cell_bench_new();
  int checked = 0;
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(300); seed++) {
    contact_case_make(&t->made, CASE_REGULAR, 1 + (int)(seed % 3), seed);
    cell_bench_load(t);
    int choice[2 * CASE_CONTACTS];
    random_state r = random_seed(seed);
    ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
    cell_bench_ask(t, &r, 1, choice);
    if (nsd_cell_narrow(&t->cell, &t->cells)) {
      continue;
    }
    for (int i = 0; i < t->cell.rows; i++) {
      t->cell.c[i] *= 1.0 + 1e-6 * random_unit(&r);
    }
    double Lambda[CASE_ROWS];
    const double worst = nsd_extent_point(&t->extent, &t->cell, &t->signs, Lambda);
    REQUIRE(worst < 1e-11, "seed %llu: %g", (unsigned long long)seed, worst);
    for (int i = 0; i < t->made.data.contacts; i++) {
      const double N = Lambda[2 * i], T = Lambda[2 * i + 1], mu = t->made.spec[i].mu;
      ck_assert(choice[i] != 0 || (N == 0.0 && T == 0.0));
      ck_assert(choice[i] != 2 || T == -mu * N);
      ck_assert(choice[i] != 3 || T == mu * N);
    }
    checked++;
  }
  ck_assert(is_common(checked, random_cases(300), 20));
  cell_bench_free(t);
}
END_TEST

SUITE("contact/enumerate/vertices", TEST(cubes_have_corners), TEST(cones_have_edges),
      TEST(lines_are_two_rays), TEST(points_are_made_exact))
