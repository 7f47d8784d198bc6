/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/mode_units.h"

#include "contact_cells.h"

/* Functionals are laws in other units: their signs are those of the law's own sums. */
static int sign_of(double value)
{
  return value > 0.0 ? 1 : value < 0.0 ? -1 : 0;
}

static void same_sign(const cell_bench *t, int k, const double *scaled, double value, double size)
{
  const double own = nsd_signs_slope(&t->signs, k, scaled, NULL) + t->signs.d[k];
  ck_assert(fabs(value) < 1e-12 * size || sign_of(own) == sign_of(value));
}

START_TEST(functionals_are_the_laws)
{
  cell_bench *t = cell_bench_new();
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(100); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      cell_bench_load(t);
      ck_assert_int_eq(t->signs.rounded, 0);
      random_state r = random_seed(seed);
      double scaled[CASE_ROWS], Lambda[CASE_ROWS];
      const int n = t->made.data.rows;
      for (int j = 0; j < n; j++) {
        scaled[j] = Lambda[j] = random_normal(&r);
      }
      nsd_signs_to_units(&t->signs, Lambda);
      for (int i = 0; i < n; i++) {
        double xi = t->made.c[i], size = fabs(xi);
        for (int j = 0; j < n; j++) {
          xi += t->made.G[i * n + j] * Lambda[j];
          size += fabs(t->made.G[i * n + j] * Lambda[j]);
        }
        const double own = nsd_signs_slope(&t->signs, i, scaled, NULL) + t->signs.d[i];
        ck_assert_double_eq_tol(ldexp(own, t->signs.shift - t->signs.row_unit[i]), xi, 1e-12 * size + 1e-300);
      }
      for (int i = 0; i < t->made.data.contacts; i++) {
        const nsd_contact_spec *s = &t->made.spec[i];
        const nsd_contact_signs *own = &t->signs.contact[i];
        const double N = Lambda[s->row];
        const double T = s->friction == NSD_FRICTION_NONE ? 0.0 : Lambda[s->row + 1];
        const double limit = s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * N;
        const double size = fabs(limit) + fabs(T);
        if (own->load >= 0) {
          same_sign(t, own->load, scaled, N, fabs(N));
        }
        if (own->right >= 0) {
          same_sign(t, own->right, scaled, limit + T, size);
          same_sign(t, own->left, scaled, limit - T, size);
        }
        if (own->drag >= 0) {
          const double drag = s->friction == NSD_FRICTION_GIVEN ? s->bound : s->mu * N;
          same_sign(t, own->drag, scaled, T + s->sliding * drag, size);
        }
        if (own->pull >= 0) {
          same_sign(t, own->pull, scaled, T - s->sliding * s->mu * N, size);
        }
      }
    }
  }
  cell_bench_free(t);
}
END_TEST

typedef struct law_count {
  int32_t friction;
  int32_t kind;
  int32_t sliding;
  double mu; /* or bound */
  int choices;
} law_count;

/* As many cells as the law has modes. */
START_TEST(modes_are_counted)
{
  static const law_count laws[] = {
      {NSD_FRICTION_LOAD, 0, 0, 0.5, 4},  {NSD_FRICTION_LOAD, 0, 0, 0.0, 2},
      {NSD_FRICTION_LOAD, 0, 1, 0.5, 2},  {NSD_FRICTION_LOAD, 1, 0, 0.5, 6},
      {NSD_FRICTION_LOAD, 1, 0, 0.0, 1},  {NSD_FRICTION_LOAD, 1, -1, 0.5, 2},
      {NSD_FRICTION_NONE, 0, 0, 0.0, 2},  {NSD_FRICTION_NONE, 1, 0, 0.0, 1},
      {NSD_FRICTION_GIVEN, 0, 0, 0.5, 6}, {NSD_FRICTION_GIVEN, 0, 0, 0.0, 2},
      {NSD_FRICTION_GIVEN, 0, 1, 0.5, 2}, {NSD_FRICTION_GIVEN, 1, 0, 0.5, 3},
      {NSD_FRICTION_GIVEN, 1, 0, 0.0, 1}, {NSD_FRICTION_GIVEN, 1, 1, 0.5, 1},
  };
  cell_bench *t = cell_bench_new();
  for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
    t->made.spec[0] = (nsd_contact_spec){.friction = laws[l].friction,
                                         .kind = laws[l].kind,
                                         .sliding = laws[l].sliding,
                                         .mu = laws[l].friction == NSD_FRICTION_LOAD ? laws[l].mu : 0.0,
                                         .bound = laws[l].friction == NSD_FRICTION_GIVEN ? laws[l].mu : 0.0};
    case_number(&t->made, 1, 0);
    for (int k = 0; k < 4; k++) {
      t->made.G[k] = k % 3 ? 0.0 : 1.0;
      t->made.c[k] = 1.0;
    }
    int functionals, units, choices = 1;
    nsd_signs_count(&t->made.data, &functionals, &units);
    cell_bench_load(t);
    ck_assert_int_eq(t->signs.count, functionals);
    ck_assert_int_eq(t->signs.units, units);
    for (int u = 0; u < units; u++) {
      choices *= t->signs.unit[u].alternatives;
    }
    ck_assert_msg(choices == laws[l].choices, "law %d: %d choices", (int)l, choices);
  }
  cell_bench_free(t);
}
END_TEST

/* Whatever the units, G' is of order 1 in each row and the largest constant, too. */
START_TEST(numbers_are_of_like_size)
{
  cell_bench *t = cell_bench_new();
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(300); seed++) {
    contact_case_make(&t->made, CASE_REGULAR, 1 + (int)(seed % 4), seed);
    random_state r = random_seed(seed);
    const int n = t->made.data.rows;
    const int shift = random_below(&r, 401) - 200;
    int d[CASE_ROWS];
    for (int i = 0; i < n; i++) {
      d[i] = random_below(&r, 401) - 200;
    }
    for (int i = 0; i < n; i++) {
      t->made.c[i] = ldexp(t->made.c[i], d[i] + shift);
      for (int j = 0; j < n; j++) {
        t->made.G[i * n + j] = ldexp(t->made.G[i * n + j], d[i] + d[j]);
      }
    }
    cell_bench_load(t);
    ck_assert_int_eq(t->signs.rounded, 0);
    double constant = 0.0;
    for (int i = 0; i < n; i++) {
      double most = 0.0;
      for (int j = 0; j < n; j += 2) { /* columns of Λ_T may be smaller: μ may be tiny in these units */
        most = fmax(most, fabs(t->signs.a[i * n + j]));
      }
      REQUIRE(most > 0x1p-20 && most < 0x1p+20, "seed %llu: row %d has %g", (unsigned long long)seed, i,
              most);
      constant = fmax(constant, fabs(t->signs.d[i]));
    }
    ck_assert(constant >= 0.5 && constant < 1.0);
  }
  cell_bench_free(t);
}
END_TEST

/* Numbers that no unit brings together are told. */
START_TEST(what_is_lost_is_told)
{
  cell_bench *t = cell_bench_new();
  t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_NONE};
  t->made.spec[1] = t->made.spec[0];
  case_number(&t->made, 2, 0);
  t->made.G[0] = t->made.G[3] = 1.0;
  t->made.c[0] = 0x1p+1000;
  t->made.c[1] = 0x1.8p-1000;
  cell_bench_load(t);
  ck_assert_int_eq(t->signs.rounded, 1);
  t->made.c[1] = 1.0;
  cell_bench_load(t);
  ck_assert_int_eq(t->signs.rounded, 0);
  cell_bench_free(t);
}
END_TEST

SUITE("contact/enumerate/mode_units", TEST(functionals_are_the_laws), TEST(modes_are_counted),
      TEST(numbers_are_of_like_size), TEST(what_is_lost_is_told))
