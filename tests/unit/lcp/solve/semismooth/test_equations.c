/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/solve/semismooth/equations.h"

#include "solving.h"

static nsd_lcp_equations room(nsd_arena *arena)
{
  nsd_lcp_equations w, counted;
  nsd_arena measure = nsd_arena_measure();
  nsd_lcp_equations_lay_out(&measure, &counted, MOST);
  ck_assert_int_eq(nsd_arena_reserve(arena, &measure), NSDYN_OK);
  nsd_lcp_equations_lay_out(arena, &w, MOST);
  return w;
}

static solving *random_problem(int k)
{
  random_state r = random_seed((uint64_t)k);
  solving *s = solving_new(1 + k % 6);
  make_p_matrix(s, &r, random_below(&r, P_KINDS));
  make_b(s, &r);
  if (random_below(&r, 2)) {
    make_bounds(s, &r);
  }
  return s;
}

/* ψ vanishes at the solution, and nowhere near it but there; its judge knows it, in the caller's units. */
START_TEST(zeros_are_solutions)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_lcp_equations w = room(&arena);
  const int cases = random_cases(600);
  for (int k = 0; k < cases; k++) {
    solving *s = random_problem(k);
    const double lambda = k % 2 ? 0.7 : 1.0;
    double x[MOST], z[MOST] = {0.0};
    ck_assert_int_ge(count_solutions(&s->p, x), 1);
    nsd_lcp_equations_begin(&w, &s->p, 1e-9, lambda, &s->answer);
    for (int i = 0; i < s->p.n; i++) { /* x = size · C z */
      z[i] = ldexp(x[i], -w.scale.column[i]) / w.size;
    }
    double size = 1.0;
    for (int i = 0; i < s->p.n; i++) {
      size = fmax(size, fabs(z[i]));
    }
    REQUIRE(nsd_lcp_equations_at(&w, z) <= 1e-20 * size * size, "seed %d: merit %g", k,
            nsd_lcp_equations_at(&w, z));
    REQUIRE(nsd_lcp_equations_judge(&w, z, 0.0), "seed %d: residual %g", k, w.residual);
    REQUIRE(residual_of(s) <= 1e-9 && distance(s->p.n, s->x, x) <= 1e-7, "seed %d", k);
    z[k % s->p.n] += 0.125 * size;
    const int i = k % s->p.n;
    if (w.p.lo[i] < w.p.hi[i]) {
      REQUIRE(nsd_lcp_equations_at(&w, z) >= 1e-9, "seed %d: merit %g", k, nsd_lcp_equations_at(&w, z));
    }
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* J is the derivative of ψ, by central differences away from kinks. */
START_TEST(the_jacobian_is_the_derivative)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_lcp_equations w = room(&arena);
  const int cases = random_cases(600);
  for (int k = 0; k < cases; k++) {
    solving *s = random_problem(k);
    const int n = s->p.n;
    random_state r = random_seed((uint64_t)k + 1000000);
    double z[MOST], J[MOST * MOST], there[MOST];
    nsd_lcp_equations_begin(&w, &s->p, 1e-9, k % 2 ? 0.7 : 1.0, &s->answer);
    for (int i = 0; i < n; i++) {
      z[i] = 3.0 * random_normal(&r);
    }
    nsd_lcp_equations_at(&w, z);
    nsd_lcp_equations_jacobian(&w, J);
    for (int j = 0; j < n; j++) {
      const double h = 0x1p-18, at = z[j];
      z[j] = at + h;
      nsd_lcp_equations_at(&w, z);
      memcpy(there, w.value, (size_t)n * sizeof *there);
      z[j] = at - h;
      nsd_lcp_equations_at(&w, z);
      z[j] = at;
      for (int i = 0; i < n; i++) {
        const double slope = (there[i] - w.value[i]) / (2.0 * h);
        REQUIRE(fabs(slope - J[i * n + j]) <= 1e-3 * (1.0 + fabs(slope)), "seed %d: %d %d: %g, not %g", k, i,
                j, J[i * n + j], slope);
      }
    }
    free(s);
  }
  nsd_arena_release(&arena);
}
END_TEST

/* A run begins at the basis or where it is told, within bounds. */
START_TEST(runs_begin_within_bounds)
{
  nsd_arena arena = nsd_arena_empty(NULL);
  nsd_lcp_equations w = room(&arena);
  solving *s = solving_new(3);
  const int32_t basis[3] = {NSDYN_LCP_BASIC, NSDYN_LCP_AT_LO, NSDYN_LCP_BASIC};
  double z[3] = {1e9, -1.0, 2.0};
  for (int i = 0; i < 3; i++) {
    s->A[i * 4] = 2.0;
    s->b[i] = -1.0;
    s->hi[i] = i ? INFINITY : 0.25;
  }
  s->p.lo = s->lo;
  s->p.hi = s->hi;
  nsd_lcp_equations_begin(&w, &s->p, 1e-9, 1.0, &s->answer);
  nsd_lcp_equations_start(&w, NULL, z);
  ck_assert(z[0] == w.p.hi[0] && z[1] == 0.0 && z[2] == 2.0);
  nsd_lcp_equations_start(&w, basis, z);
  nsd_lcp_equations_at(&w, z);
  ck_assert(z[0] == w.p.hi[0] && z[1] == 0.0 && w.y[2] == 0.0);
  free(s);
  nsd_arena_release(&arena);
}
END_TEST

SUITE("lcp/solve/semismooth/equations", TEST(zeros_are_solutions), TEST(the_jacobian_is_the_derivative),
      TEST(runs_begin_within_bounds))
