/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/generators.h"

#include "branching.h"
#include "search/cell_narrow.h"

/* Vertices and rays of the polyhedron x >= 0, A x + b >= 0 (complementarity plays no part here). */
typedef struct counts {
  int vertices;
  int rays;
} counts;

static counts run(branching *t, nsd_generators *list)
{
  branching_load(t);
  ck_assert_int_eq(nsd_cell_start(&t->cell, &t->cells), NSD_CELL_OPEN);
  ck_assert_int_eq(nsd_generators_run(list, &t->cell), NSDYN_OK);
  counts all = {0, 0};
  double z[2 * MOST];
  for (size_t g = 0; g < list->count; g++) {
    const int vertex = nsd_generators_get(list, &t->cell, g, z);
    *(vertex ? &all.vertices : &all.rays) += 1;
    for (int k = 0; k < 2 * t->n; k++) {
      ck_assert(z[k] >= 0.0);
    }
  }
  return all;
}

typedef struct bench {
  nsd_arena arena;
  nsd_generators all;
} bench;

static void bench_new(bench *s)
{
  nsd_generators_init(&s->all, NULL);
  nsd_arena measure = nsd_arena_measure();
  nsd_generators_lay_out(&measure, &s->all, MOST, MOST);
  s->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&s->arena, &measure), NSDYN_OK);
  nsd_generators_lay_out(&s->arena, &s->all, MOST, MOST);
}

static void bench_free(bench *s)
{
  nsd_generators_release(&s->all);
  nsd_arena_release(&s->arena);
}

START_TEST(cubes)
{
  bench s;
  bench_new(&s);
  for (int n = 1; n <= 10; n++) {
    branching *t = branching_new(n);
    for (int i = 0; i < n; i++) {
      t->A[i * n + i] = -1.0;
      t->b[i] = 1.0;
    }
    const counts all = run(t, &s.all);
    ck_assert_int_eq(all.vertices, 1 << n);
    ck_assert_int_eq(all.rays, 0);
    branching_free(t);
  }
  bench_free(&s);
}
END_TEST

/* Σ x <= 1, said n times over: n + 1 vertices, every one degenerate. */
START_TEST(simplices)
{
  bench s;
  bench_new(&s);
  for (int n = 1; n <= 16; n++) {
    branching *t = branching_new(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        t->A[i * n + j] = -1.0;
      }
      t->b[i] = 1.0;
    }
    const counts all = run(t, &s.all);
    ck_assert_int_eq(all.vertices, n + 1);
    ck_assert_int_eq(all.rays, 0);
    branching_free(t);
  }
  bench_free(&s);
}
END_TEST

/* x_i <= x_0: the cone over a cube, 2^(n−1) rays and the origin, where 2n − 1 facets meet. */
START_TEST(cone_over_a_cube)
{
  bench s;
  bench_new(&s);
  for (int n = 2; n <= 9; n++) {
    branching *t = branching_new(n);
    for (int i = 1; i < n; i++) {
      t->A[i * n] = 1.0;
      t->A[i * n + i] = -1.0;
    }
    t->A[0] = 1.0;
    const counts all = run(t, &s.all);
    ck_assert_int_eq(all.vertices, 1);
    ck_assert_int_eq(all.rays, 1 << (n - 1));
    branching_free(t);
  }
  bench_free(&s);
}
END_TEST

/* Solves the d × d system in place by elimination with row pivoting; 0 where it is singular. */
static int solve_small(int d, double M[4][5])
{
  for (int c = 0; c < d; c++) {
    int best = c;
    for (int i = c; i < d; i++) {
      best = fabs(M[i][c]) > fabs(M[best][c]) ? i : best;
    }
    if (fabs(M[best][c]) < 1e-9) {
      return 0;
    }
    for (int j = 0; j <= d; j++) {
      const double swap = M[c][j];
      M[c][j] = M[best][j];
      M[best][j] = swap;
    }
    for (int i = 0; i < d; i++) {
      const double f = i == c ? 0.0 : M[i][c] / M[c][c];
      for (int j = 0; j <= d; j++) {
        M[i][j] -= f * M[c][j];
      }
    }
  }
  for (int i = 0; i < d; i++) {
    M[i][d] /= M[i][i];
  }
  return 1;
}

/* Every choice of n of the 2n facets, for n <= 4: how many different feasible points do they have? */
static int count_vertices(const branching *t)
{
  const int n = t->n;
  double found[100][4];
  int count = 0;
  for (int choice = 0; choice < 1 << (2 * n); choice++) {
    double M[4][5];
    int rows = 0;
    for (int k = 0; k < 2 * n; k++) {
      if (!(choice >> k & 1)) {
        continue;
      }
      if (rows == n) {
        rows++;
        break;
      }
      for (int j = 0; j < n; j++) {
        M[rows][j] = k < n ? k == j : t->A[(k - n) * n + j];
      }
      M[rows++][n] = k < n ? 0.0 : -t->b[k - n];
    }
    if (rows != n || !solve_small(n, M)) {
      continue;
    }
    int good = 1;
    for (int i = 0; i < n; i++) {
      double y = t->b[i];
      for (int j = 0; j < n; j++) {
        y += t->A[i * n + j] * M[j][n];
      }
      good = good && y > -1e-9 && M[i][n] > -1e-9;
    }
    for (int f = 0; f < count && good; f++) {
      double distance = 0.0;
      for (int j = 0; j < n; j++) {
        distance = fmax(distance, fabs(found[f][j] - M[j][n]));
      }
      good = distance > 1e-7;
    }
    if (good) {
      for (int j = 0; j < n; j++) {
        found[count][j] = M[j][n];
      }
      count++;
    }
  }
  return count;
}

START_TEST(as_many_vertices_as_by_brute_force)
{
  bench s;
  bench_new(&s);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    branching *t = branching_new(1 + k % 4);
    const int n = t->n;
    if (k % 2) {
      make_feasible(t, &r);
    } else {
      for (int i = 0; i < n * n; i++) {
        t->A[i] = random_below(&r, 5) - 2;
      }
      for (int i = 0; i < n; i++) {
        t->b[i] = random_below(&r, 3);
      }
    }
    const counts all = run(t, &s.all);
    ck_assert_msg(all.vertices == count_vertices(t), "seed %d: %d vertices, %d by brute force", k,
                  all.vertices, count_vertices(t));
    branching_free(t);
  }
  bench_free(&s);
}
END_TEST

SUITE("search/generators", TEST(cubes), TEST(simplices), TEST(cone_over_a_cube),
      TEST(as_many_vertices_as_by_brute_force))
