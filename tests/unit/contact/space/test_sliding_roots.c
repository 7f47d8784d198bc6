/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/sliding_roots.h"

#include <math.h>

#include "contact/problem.h"
#include "suite.h"
#include "support/cone_problems.h"

enum { PARTS = 4000, MOST = 16 };

/* ξ_T × e where Λ_T = μ Λ_N e and ξ_N = 0; Λ_N in `load`. */
static long double across(const cone_problem *p, double mu, long double angle, long double *load,
                          long double *along)
{
  const long double e[2] = {cosl(angle), sinl(angle)};
  const double *G = p->G;
  *load = -p->c[0] / (G[0] + mu * (G[1] * e[0] + G[2] * e[1]));
  const long double x = p->c[1] + *load * (G[3] + mu * (G[4] * e[0] + G[5] * e[1]));
  const long double y = p->c[2] + *load * (G[6] + mu * (G[7] * e[0] + G[8] * e[1]));
  *along = x * e[0] + y * e[1];
  return x * e[1] - y * e[0];
}

/* All directions tried: where ξ_T crosses the direction of the force, against it and under pressure. */
static int scan(const cone_problem *p, double mu, double Lambda[][3])
{
  int count = 0;
  const long double part = 6.283185307179586476925L / PARTS;
  long double load, along, before = across(p, mu, 0.0L, &load, &along);
  for (int i = 1; i <= PARTS; i++) {
    const long double now = across(p, mu, i * part, &load, &along);
    if ((before < 0.0L) != (now < 0.0L)) {
      long double low = (i - 1) * part, high = i * part;
      for (int k = 0; k < 80; k++) {
        const long double middle = 0.5L * (low + high);
        *((across(p, mu, middle, &load, &along) < 0.0L) == (before < 0.0L) ? &low : &high) = middle;
      }
      const long double left = across(p, mu, low, &load, &along);
      if (fabsl(left) < 1e-9L && load > 0.0L && along < 0.0L && count < MOST) {
        Lambda[count][0] = (double)load;
        Lambda[count][1] = (double)(mu * load * cosl(low));
        Lambda[count][2] = (double)(mu * load * sinl(low));
        count++;
      }
    }
    before = now;
  }
  return count;
}

static int has(int count, double Lambda[][3], const double *wanted)
{
  for (int i = 0; i < count; i++) {
    double apart = 0.0, size = 0.0;
    for (int j = 0; j < 3; j++) {
      apart += fabs(Lambda[i][j] - wanted[j]);
      size += fabs(wanted[j]);
    }
    if (apart <= 1e-6 * size) {
      return 1;
    }
  }
  return 0;
}

/* Any matrix, also one that takes energy from nowhere: there, several directions may slide. */
START_TEST(all_sliding_directions_are_found)
{
  int several = 0, none = 0, sliding = 0;
  const int cases = random_cases(400);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    const double mu = 0.1 + 3.0 * random_unit(&random);
    cone_random(&random, k % 3 ? CONE_SKEW : CONE_TAME, &p);
    p.c[0] = random_below(&random, 4) ? -fabs(p.c[0]) : fabs(p.c[0]);
    for (int i = 0; i < 9 && k % 2; i++) {
      p.G[i] += 1.5 * random_normal(&random);
    }
    p.G[0] = fabs(p.G[0]) + 0.1;
    const nsd_one_contact_law law = {.kind = NSDYN_CONTACT_UNILATERAL,
                                     .friction = NSD_FRICTION_LOAD,
                                     .mu = mu,
                                     .aspect = 1.0,
                                     .axis = {1.0, 0.0}};
    nsd_one_contact block;
    nsd_one_contact_answer answers[NSD_SLIDING_ROOTS];
    double seen[MOST][3], given[NSD_SLIDING_ROOTS][3];
    nsd_one_contact_of(p.G, &law, &block);
    const int count = nsd_sliding_roots(&block, p.c, answers, NULL), expected = scan(&p, mu, seen);
    int slips = 0;
    for (int i = 0; i < count; i++) {
      ck_assert_int_eq(answers[i].steps, 0);
      const cone_bound bound = {
          .a = mu * answers[i].Lambda[0], .b = mu * answers[i].Lambda[0], .axis = {1.0, 0.0}};
      if (p.G[0] + p.G[4] + p.G[8] > 0.1) {
        REQUIRE(cone_miss(&p, &bound, answers[i].Lambda) <= 1e-9, "seed %d, solution %d: %g", k, i,
                cone_miss(&p, &bound, answers[i].Lambda));
      }
      if (answers[i].mode == NSD_ONE_CONTACT_SLIP) {
        for (int j = 0; j < 3; j++) {
          given[slips][j] = answers[i].Lambda[j];
        }
        slips++;
      }
    }
    for (int i = 0; i < expected; i++) {
      REQUIRE(has(slips, given, seen[i]), "seed %d: of %d, (%g, %g, %g) is missing", k, expected, seen[i][0],
              seen[i][1], seen[i][2]);
    }
    for (int i = 0; i < slips; i++) {
      REQUIRE(has(expected, seen, given[i]), "seed %d: (%g, %g, %g) is none", k, given[i][0], given[i][1],
              given[i][2]);
    }
    several += slips > 1;
    none += count == 0;
    sliding += slips > 0;
  }
  /* Every kind of answer is among them, where they are many enough. */
  ck_assert(cases < 400 || (several > 0 && sliding > cases / 10 && none < cases));
}
END_TEST

/* What the solver of one solution finds is among them. */
START_TEST(the_one_solution_is_among_all)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    cone_random(&random, k % 2 ? CONE_TAME : CONE_SKEW, &p);
    const nsd_one_contact_law law = {.kind = random_below(&random, 4) ? NSDYN_CONTACT_UNILATERAL
                                                                      : NSDYN_CONTACT_BILATERAL,
                                     .friction = NSD_FRICTION_LOAD,
                                     .mu = random_below(&random, 8) ? 2.0 * random_unit(&random) : 0.0,
                                     .aspect = 1.0,
                                     .axis = {1.0, 0.0}};
    nsd_one_contact block;
    nsd_one_contact_answer one, answers[NSD_SLIDING_ROOTS];
    double given[NSD_SLIDING_ROOTS][3];
    nsd_one_contact_of(p.G, &law, &block);
    ck_assert_int_eq(nsd_one_contact_solve(&block, p.c, &one), NSD_ONE_CONTACT_SOLVED);
    const int count = nsd_sliding_roots(&block, p.c, answers, NULL);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < 3; j++) {
        given[i][j] = answers[i].Lambda[j];
      }
    }
    REQUIRE(has(count, given, one.Lambda), "seed %d: mode %d, (%g, %g, %g) of %d", k, one.mode, one.Lambda[0],
            one.Lambda[1], one.Lambda[2], count);
  }
}
END_TEST

SUITE("contact/space/sliding_roots", TEST(all_sliding_directions_are_found),
      TEST(the_one_solution_is_among_all))
