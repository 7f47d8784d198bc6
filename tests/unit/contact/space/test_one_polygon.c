/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/one_polygon.h"

#include <float.h>
#include <math.h>

#include "contact/problem.h"
#include "suite.h"
#include "support/cone_problems.h"

static nsd_one_contact_law polygonal(random_state *random)
{
  nsd_one_contact_law law = {.kind =
                                 random_below(random, 4) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL,
                             .friction = NSD_FRICTION_LOAD,
                             .sides = 4 + 2 * random_below(random, 6),
                             .mu = random_below(random, 8) ? 2.0 * random_unit(random) : 0.0,
                             .aspect = 1.0};
  const double turn = random_between(random, 0.0, 6.283185307179586);
  law.axis[0] = cos(turn);
  law.axis[1] = sin(turn);
  return law;
}

static double miss_of(const cone_problem *p, const nsd_one_contact_law *law, const double *Lambda)
{
  const int slot = law->kind == NSDYN_CONTACT_BILATERAL;
  const double load = slot ? fabs(Lambda[0]) : fmax(0.0, Lambda[0]);
  const cone_bound bound = {.a = law->friction == NSD_FRICTION_GIVEN ? law->bound : law->mu * load,
                            .axis = {law->axis[0], law->axis[1]},
                            .sides = law->sides,
                            .slot = slot};
  return cone_miss(p, &bound, Lambda);
}

START_TEST(every_class_is_solved)
{
  static const double tolerance[CONE_CLASSES] = {1e-13, 1e-9, 1e-12, 1e-13, 1e-9, 1e-9};
  int modes[3] = {0, 0, 0};
  const int cases = random_cases(60000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact block;
    nsd_one_contact_answer answer;
    const int kind = k % CONE_CLASSES;
    cone_random(&random, kind, &p);
    nsd_one_contact_law law = polygonal(&random);
    if (k % 4 == 0) {
      law.friction = NSD_FRICTION_GIVEN;
      law.bound = random_scale(&random, 1.0) * hypot(p.c[1], p.c[2]) / (p.G[4] + p.G[8]);
      law.mu = 0.0;
    }
    nsd_one_contact_of(p.G, &law, &block);
    REQUIRE(nsd_one_contact_solve(&block, p.c, &answer) == NSD_ONE_CONTACT_SOLVED, "seed %d", k);
    const double miss = miss_of(&p, &law, answer.Lambda);
    REQUIRE(miss <= tolerance[kind], "seed %d, class %d, %d sides: misses by %g", k, kind, law.sides, miss);
    modes[answer.mode]++;
  }
  for (int i = 0; i < 3; i++) {
    ck_assert_int_gt(modes[i], cases / 20);
  }
}
END_TEST

/* Of all forces in the polygon, none takes more power: with an aspect its corners are on an ellipse. */
START_TEST(a_polygon_dissipates_the_most)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact block;
    nsd_one_contact_answer answer;
    cone_random(&random, CONE_TAME, &p);
    nsd_one_contact_law law = polygonal(&random);
    law.kind = NSDYN_CONTACT_UNILATERAL;
    law.aspect = random_scale(&random, 0.7);
    nsd_one_contact_of(p.G, &law, &block);
    ck_assert_int_eq(nsd_one_contact_solve(&block, p.c, &answer), NSD_ONE_CONTACT_SOLVED);
    double xi[3];
    const double scale = cone_velocity(&p, answer.Lambda, xi), a = law.mu * answer.Lambda[0],
                 b = a * law.aspect;
    const double power = xi[1] * answer.Lambda[1] + xi[2] * answer.Lambda[2];
    for (int i = 0; i < law.sides; i++) {
      const double at = 6.283185307179586 * i / law.sides, u = a * cos(at), v = b * sin(at);
      const double x = law.axis[0] * u - law.axis[1] * v, y = law.axis[1] * u + law.axis[0] * v;
      REQUIRE(power <= xi[1] * x + xi[2] * y + 1e-12 * scale * (a + b), "seed %d: %g, not %g", k, power,
              xi[1] * x + xi[2] * y);
    }
    REQUIRE(answer.Lambda[0] >= 0.0 && xi[0] >= -1e-12 * scale, "seed %d", k);
  }
}
END_TEST

/* Polygons come near the disk as the square of the angle between their corners. */
START_TEST(many_sides_come_near_the_cone)
{
  enum { LEAST = 300 }; /* fewer do not show what is worst */
  double worst[3] = {0.0, 0.0, 0.0};
  const int wanted = random_cases(LEAST), cases = wanted > LEAST ? wanted : LEAST;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact block;
    nsd_one_contact_answer round, answer;
    cone_random(&random, CONE_TAME, &p);
    nsd_one_contact_law law = {.friction = NSD_FRICTION_LOAD, .mu = 0.3, .aspect = 1.0, .axis = {1.0, 0.0}};
    nsd_one_contact_of(p.G, &law, &block);
    ck_assert_int_eq(nsd_one_contact_solve(&block, p.c, &round), NSD_ONE_CONTACT_SOLVED);
    for (int i = 0; i < 3; i++) {
      law.sides = 16 << (2 * i);
      nsd_one_contact_of(p.G, &law, &block);
      ck_assert_int_eq(nsd_one_contact_solve(&block, p.c, &answer), NSD_ONE_CONTACT_SOLVED);
      const double off = hypot(answer.Lambda[0] - round.Lambda[0],
                               hypot(answer.Lambda[1] - round.Lambda[1], answer.Lambda[2] - round.Lambda[2]));
      worst[i] = fmax(worst[i], off / (1e-3 + fabs(round.Lambda[0])));
    }
  }
  /* the force turns by half a corner's angle at most: first order in it, a quarter for each fourfold number
   */
  ck_assert_msg(worst[0] < 0.5 && worst[1] < 0.4 * worst[0] && worst[2] < 0.4 * worst[1], "%g %g %g",
                worst[0], worst[1], worst[2]);
}
END_TEST

/* States that obey the law: the answer is among them, by itself where there is but one. */
typedef struct obeying {
  int count;
  double apart; /* of the answer and the nearest of them, over its size */
  const nsd_one_contact_answer *answer;
} obeying;

static void compare(void *user, const nsd_one_contact_answer *state, double miss)
{
  obeying *o = user;
  if (state && miss == 0.0) {
    double apart = 0.0, size = 0.0;
    for (int i = 0; i < 3; i++) {
      apart = fmax(apart, fabs(state->Lambda[i] - o->answer->Lambda[i]));
      size = fmax(size, fabs(state->Lambda[i]));
    }
    o->apart = fmin(o->apart, apart / size);
    o->count++;
  }
}

START_TEST(the_answer_is_one_of_all_that_obey_the_law)
{
  int found = 0, one = 0;
  const int cases = random_cases(100000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    cone_problem p;
    nsd_one_contact block;
    nsd_one_contact_answer answer;
    cone_random(&random, k % CONE_CLASSES, &p);
    nsd_one_contact_law law = polygonal(&random);
    law.aspect = k % 2 ? random_between(&random, 0.3, 3.0) : 1.0;
    law.sides = k % 5 ? law.sides : 64;
    nsd_one_contact_of(p.G, &law, &block);
    const double *A = block.A, c_T[2] = {A[0] * p.c[1] + A[2] * p.c[2], A[1] * p.c[1] + A[3] * p.c[2]};
    REQUIRE(nsd_one_contact_solve(&block, p.c, &answer) == NSD_ONE_CONTACT_SOLVED, "seed %d", k);
    obeying o = {.apart = INFINITY, .answer = &answer};
    if (answer.mode != NSD_ONE_CONTACT_OPEN) {
      nsd_one_polygon_all(&block, p.c, c_T, compare, &o);
      REQUIRE(o.count == 0 || o.apart <= 1e-13, "seed %d: %g apart of %d", k, o.apart, o.count);
    }
    found += o.count > 0;
    one += o.count == 1;
  }
  ck_assert(is_common(found, cases, 4) && is_common(one, cases, 4));
}
END_TEST

SUITE("contact/space/one_polygon", TEST(every_class_is_solved), TEST(a_polygon_dissipates_the_most),
      TEST(many_sides_come_near_the_cone), TEST(the_answer_is_one_of_all_that_obey_the_law))
