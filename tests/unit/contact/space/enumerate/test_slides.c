/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sliding of one contact by the quartic, and of two that know nothing of each other. */
#include "contact/space/enumerate/slides.h"

#include <math.h>
#include <string.h>

#include "contact/problem.h"
#include "contact/space/sliding_roots.h"
#include "suite.h"
#include "support/random.h"

enum { MOST = 40 };

typedef struct roots {
  int n, count;
  double y[MOST][NSD_SLIDES_ROWS];
} roots;

static void keep(void *user, const double *y)
{
  roots *r = user;
  int is_new = 1;
  for (int i = 0; i < r->count; i++) {
    double apart = 0.0;
    for (int j = 0; j < r->n; j++) {
      apart = fmax(apart, fabs(r->y[i][j] - y[j]));
    }
    is_new = is_new && apart > 1e-7;
  }
  ck_assert_int_lt(r->count, MOST);
  if (is_new) {
    memcpy(r->y[r->count++], y, (size_t)r->n * sizeof *y);
  }
}

static nsd_slides_box stack[NSD_SLIDES_STACK];

/* A block of one contact: symmetric, unless `spoiled`, with a diagonal of ones. */
static void draw(random_state *random, int spoiled, double *K, double *r)
{
  double W[3][4];
  for (int i = 0; i < 3; i++) {
    double length = 0.0;
    for (int j = 0; j < 4; j++) {
      W[i][j] = random_normal(random);
      length += W[i][j] * W[i][j];
    }
    for (int j = 0; j < 4; j++) {
      W[i][j] /= sqrt(length);
    }
    r[i] = random_between(random, -1.0, 1.0);
  }
  for (int i = 0; i < 9; i++) {
    K[i] = 0.0;
    for (int j = 0; j < 4; j++) {
      K[i] += W[i / 3][j] * W[i % 3][j];
    }
    K[i] *= i % 4 == 0 ? 1.0 : spoiled ? 1.5 : 1.0;
  }
}

/* Roots with Λ_N > 0 by the quartic; −1 where it is in doubt. */
static int by_quartic(const double *K, const double *r, double mu)
{
  const nsd_one_contact_law law = {
      .friction = NSD_FRICTION_LOAD, .mu = mu, .aspect = 1.0, .axis = {1.0, 0.0}};
  const double c[3] = {-r[0], -r[1], -r[2]};
  nsd_one_contact block;
  nsd_one_contact_answer all[NSD_SLIDING_ROOTS];
  int doubtful, count = 0;
  nsd_one_contact_of(K, &law, &block);
  const int found = nsd_sliding_roots(&block, c, all, &doubtful);
  for (int i = 0; i < found; i++) {
    count += all[i].mode == NSD_ONE_CONTACT_SLIP;
  }
  return doubtful ? -1 : count;
}

static int count_positive(const roots *found, const nsd_slides *p)
{
  int count = 0;
  for (int i = 0; i < found->count; i++) {
    int is_positive = 1;
    for (int k = 0; k < p->count; k++) {
      const double *T = &found->y[i][p->slide[k].tangent], N = found->y[i][p->slide[k].normal];
      is_positive = is_positive && N > 0.0;
      ck_assert_double_eq_tol(hypot(T[0], T[1]), p->slide[k].mu * fabs(N), 1e-9 * (1.0 + fabs(N)));
    }
    count += is_positive;
  }
  return count;
}

START_TEST(one_contact_slides_as_its_quartic_says)
{
  int seen[4] = {0}, compared = 0;
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_slides p = {.n = 3, .count = 1};
    p.slide[0] = (nsd_slide){
        .normal = 0, .tangent = 1, .is_one_sided = k % 2, .mu = random_between(&random, 0.1, 5.0)};
    draw(&random, k % 3 == 0, p.K, p.r);
    roots found = {.n = 3};
    const nsd_slides_count count = nsd_slides_find(&p, stack, 10000, keep, &found);
    const int wanted = by_quartic(p.K, p.r, p.slide[0].mu);
    if (count.undecided == 0 && wanted >= 0) {
      compared++;
      REQUIRE(count_positive(&found, &p) == wanted, "seed %d: %d for %d", k, count_positive(&found, &p),
              wanted);
      seen[wanted]++;
    }
  }
  ck_assert_msg(100 * compared >= 98 * cases, "%d of %d", compared, cases);
  ck_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}
END_TEST

START_TEST(contacts_apart_slide_in_all_pairs)
{
  int several = 0, compared = 0;
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    nsd_slides p = {.n = 6, .count = 2};
    int wanted = 1, is_sure = 1;
    for (int i = 0; i < 2; i++) {
      double K[9];
      p.slide[i] = (nsd_slide){
          .normal = 3 * i, .tangent = 3 * i + 1, .is_one_sided = 1, .mu = random_between(&random, 0.1, 5.0)};
      draw(&random, random_below(&random, 2), K, p.r + 3 * i);
      for (int j = 0; j < 9; j++) {
        p.K[(3 * i + j / 3) * 6 + 3 * i + j % 3] = K[j];
      }
      const int own = by_quartic(K, p.r + 3 * i, p.slide[i].mu);
      is_sure = is_sure && own >= 0;
      wanted *= own;
    }
    roots found = {.n = 6};
    const nsd_slides_count count = nsd_slides_find(&p, stack, 20000, keep, &found);
    if (is_sure && count.undecided == 0) {
      compared++;
      several += wanted > 1;
      REQUIRE(count_positive(&found, &p) == wanted, "seed %d: %d for %d", k, count_positive(&found, &p),
              wanted);
    }
  }
  ck_assert_msg(100 * compared >= 95 * cases && several > 0, "%d of %d, %d", compared, cases, several);
}
END_TEST

/* Two roots next to each other: none beyond the double one, two before, and undecided where rounding cannot
 * tell. */
START_TEST(a_double_root_is_not_decided)
{
  /* K = 1: ‖T‖ = |r_T|/(1 + s), N = r_N: s = |r_T|/(μ r_N) − 1 is simple; given r_N = 0 all is at infinity.
   * With K_NT = g: N = r_N − g T. */
  nsd_slides p = {.n = 3, .count = 1, .K = {1, 2, 0, 0, 1, 0, 0, 0, 1}, .r = {1, 0, 0}};
  p.slide[0] = (nsd_slide){.normal = 0, .tangent = 1, .is_one_sided = 1, .mu = 1.0};
  /* T = x/(1 + s), N = 1 − 2 T: T = N at T = 1/3: s = 3 x − 1. */
  p.r[1] = 1.0;
  roots found = {.n = 3};
  ck_assert_int_eq(nsd_slides_find(&p, stack, 1000, keep, &found).undecided, 0);
  ck_assert_int_eq(found.count, 1);
  ck_assert_double_eq_tol(found.y[0][1], 1.0 / 3.0, 1e-14);
  /* s = 0: the limit of sticking, on the edge of the square. */
  p.r[1] = 1.0 / 3.0;
  found.count = 0;
  ck_assert_int_gt(nsd_slides_find(&p, stack, 1000, keep, &found).undecided, 0);
  ck_assert_int_eq(found.count, 0);
}
END_TEST

SUITE("contact/space/enumerate/slides", TEST(one_contact_slides_as_its_quartic_says),
      TEST(contacts_apart_slide_in_all_pairs), TEST(a_double_root_is_not_decided))
