/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Touches of all pairs of solids: the nearest one against brute force in long double; gaps, and how they
 * change, against their normals and points. */
#include <stdlib.h>

#include "solids.h"

/* ---- places ---- */

enum { APART, FLAT, EDGES, DEEP, GRAZING, NEARLY_FLAT, WAYS };

static void place(solids_case *a, solids_case *b, random_state *random, int way)
{
  double way_out[3], norm = 0.0;
  solids_turn(random, a->pose + 3);
  solids_turn(random, b->pose + 3);
  for (int i = 0; i < 3; i++) {
    a->pose[i] = random_between(random, -2.0, 2.0);
    way_out[i] = random_normal(random);
    norm += way_out[i] * way_out[i];
  }
  double far = random_between(random, 0.3, 2.5) * (a->size + b->size);
  if (way == FLAT || way == NEARLY_FLAT || way == EDGES) {
    /* Axes along each other, or turned by 45° about two of them. */
    double more[4];
    nsdyn_quaternion_from_axis_angle((double[]){1.0, 0.0, 0.0}, 1.5707963267948966 * random_below(random, 4),
                                     more);
    memcpy(b->pose + 3, a->pose + 3, 4 * sizeof *more);
    solids_product(b->pose + 3, more, b->pose + 3);
    nsdyn_quaternion_from_axis_angle((double[]){0.0, 0.0, 1.0}, 1.5707963267948966 * random_below(random, 4),
                                     more);
    solids_product(b->pose + 3, more, b->pose + 3);
    if (way != FLAT) {
      const double angle = way == EDGES ? 0.7853981633974483 : pow(10.0, random_between(random, -10.0, -2.0));
      nsdyn_quaternion_from_axis_angle((double[]){0.0, 1.0, way == EDGES ? 0.0 : 0.3}, angle, more);
      solids_product(b->pose + 3, more, b->pose + 3);
    }
    far = random_between(random, 0.3, 1.1) * (a->size + b->size);
  } else if (way == DEEP) {
    far = random_between(random, 0.0, 0.3) * (a->size + b->size);
  }
  for (int i = 0; i < 3; i++) {
    b->pose[i] = a->pose[i] + far / sqrt(norm) * way_out[i];
  }
}

/* Moves b along the nearest touch's normal until the gap is about 1e-9. */
static void graze(const solids_case *a, solids_case *b, random_state *random)
{
  solids_touches found;
  solids_look(a, b, INFINITY, &found);
  const double left = random_between(random, -1e-9, 1e-9);
  for (int i = 0; i < 3 && found.count > 0; i++) {
    b->pose[i] += (found.all[0].gap - left) * found.all[0].normal[i];
  }
}

/* ---- the nearest touch ---- */

static double plane_apart(const solids_case *plane, const solids_case *b)
{
  solids_cloud B;
  double n[3], least = INFINITY;
  solids_spread(b, &B);
  nsdyn_quaternion_rotate(plane->pose + 3, (double[]){0.0, 0.0, 1.0}, n);
  for (int k = 0; k < B.count; k++) {
    solids_real gap = 0.0L;
    for (int i = 0; i < 3; i++) {
      gap += n[i] * (B.x[k][i] - plane->pose[i]);
    }
    least = fmin(least, (double)gap - b->radius);
  }
  return least;
}

/* Touches behind the first one have normals within 45° of its own (15° to a face, 30° to what crosses it or
 * to the other face), and what overlaps by d ends within d / cos 45° along those; apart none is nearer. */
static double lowest_gap(const solids_case *a, const solids_case *b, double apart)
{
  const double radius = a->radius + b->radius, core = apart + radius;
  return (core < 0.0 ? core * 1.4142135623730951 : core) - radius;
}

static void require_touch(const nsdyn_solid_touch *t, double size, int number)
{
  double norm = 0.0;
  for (int i = 0; i < 3; i++) {
    norm += t->normal[i] * t->normal[i];
    REQUIRE(fabs(t->point[0][i] - t->point[1][i] - t->gap * t->normal[i]) <= 1e-7 * size, "case %d", number);
  }
  REQUIRE(fabs(norm - 1.0) <= 1e-14, "case %d: |n|² − 1 = %g", number, norm - 1.0);
}

static int stop(void *user, const nsdyn_solid_touch *touch)
{
  int *calls = user;
  return ++*calls && touch->gap < INFINITY;
}

/* The nearest touch comes first, and of the other order it is the same. */
START_TEST(nearest_touches_are_as_far_as_brute_force_says)
{
  const int cases = random_cases(6000);
  int met[WAYS] = {0}, overlapping = 0, deeper = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number);
    solids_case a, b;
    const int kind = random_below(&random, SOLIDS_KINDS), way = random_below(&random, WAYS);
    int other = random_below(&random, SOLIDS_KINDS);
    other = kind == NSDYN_SOLID_PLANE && other == NSDYN_SOLID_PLANE ? NSDYN_SOLID_BOX : other;
    solids_make(&a, &random, kind, random_between(&random, 0.2, 2.0));
    solids_make(&b, &random, other, random_between(&random, 0.2, 2.0));
    place(&a, &b, &random, way);
    if (way == GRAZING) {
      graze(&a, &b, &random);
    }
    solids_touches found, back;
    solids_look(&a, &b, INFINITY, &found);
    solids_look(&b, &a, INFINITY, &back);
    const double apart = kind == NSDYN_SOLID_PLANE    ? plane_apart(&a, &b)
                         : other == NSDYN_SOLID_PLANE ? plane_apart(&b, &a)
                                                      : (double)solids_apart(&a, &b);
    /* To rounding; where axes are within 1e-8 of parallel a crossing of edges may be taken for parallel. */
    const double size = a.size + b.size, share = way == NEARLY_FLAT ? 1e-7 : 1e-12;
    REQUIRE(found.count > 0 && back.count > 0, "case %d: %d %d way %d", number, kind, other, way);
    REQUIRE(fabs(found.all[0].gap - apart) <= share * size + 2e-9 * fabs(apart),
            "case %d: %d on %d, way %d: %.17g instead of %.17g", number, kind, other, way, found.all[0].gap,
            apart);
    REQUIRE(fabs(back.all[0].gap - apart) <= share * size + 2e-9 * fabs(apart),
            "case %d: %d on %d, way %d, back: %.17g instead of %.17g", number, other, kind, way,
            back.all[0].gap, apart);
    for (int i = 0; i < found.count; i++) {
      require_touch(&found.all[i], size, number);
      /* To what a corner may lie beyond the edges of a face: 2^-24 of both sizes. */
      REQUIRE(found.all[i].gap >= lowest_gap(&a, &b, apart) - 2e-7 * size, "case %d: %d on %d: %g, first %g",
              number, kind, other, found.all[i].gap, apart);
      deeper += found.all[i].gap < apart - 1e-3 * size;
    }
    met[way]++;
    overlapping += apart < 0.0;
    nsdyn_solid_free(a.solid);
    nsdyn_solid_free(b.solid);
  }
  for (int way = 0; way < WAYS; way++) {
    ck_assert(is_common(met[way], cases, 20));
  }
  ck_assert(is_common(overlapping, cases, 5));
  ck_assert(is_common(deeper, cases, 1000));
}
END_TEST

/* At places up to what the library takes for numbers, any margin. */
START_TEST(far_solids_have_their_nearest_touch)
{
  const double far[] = {1e10, 1e30, 1e75, 5.7e76};
  for (int kind = 0; kind < SOLIDS_KINDS; kind++) {
    for (int other = 0; other < SOLIDS_KINDS; other++) {
      for (int i = 0; i < 4; i++) {
        const int number = 100 * kind + 10 * other + i;
        random_state random = random_seed((uint64_t)number);
        solids_case a, b;
        solids_touches found;
        solids_make(&a, &random, kind, 1.0);
        solids_make(&b, &random, other, 1.0);
        b.pose[2] = -far[i]; /* b is below, and a plane a is turned over */
        a.pose[2] = far[i];
        if (kind == NSDYN_SOLID_PLANE) {
          a.pose[3] = 0.0, a.pose[4] = 1.0;
        }
        if (kind != NSDYN_SOLID_PLANE || other != NSDYN_SOLID_PLANE) {
          solids_look(&a, &b, INFINITY, &found);
          REQUIRE(found.count > 0, "%d, %d, %g", kind, other, far[i]);
          REQUIRE(fabs(found.all[0].gap - 2.0 * far[i]) <= 1e-15 * far[i] + 2.0, "%d, %d, %g", kind, other,
                  found.all[0].gap);
          REQUIRE(fabs(found.all[0].normal[2] - 1.0) <= 1e-9, "%d, %d", kind, other);
        }
        for (int k = 0; k < 2; k++) { /* and farther off they are refused, whichever is */
          double *pose = k ? b.pose : a.pose;
          const double before = pose[2];
          const double beyond[] = {0x1p255, -1e200, 1e308, -1e308};
          int calls = 0;
          pose[2] = beyond[i];
          REQUIRE(nsdyn_solids_touch(a.solid, a.pose, b.solid, b.pose, INFINITY, stop, &calls) ==
                      NSDYN_ERR_NOT_FINITE,
                  "%d, %d", kind, other);
          REQUIRE(calls == 0);
          pose[2] = before;
        }
        nsdyn_solid_free(a.solid);
        nsdyn_solid_free(b.solid);
      }
    }
  }
}
END_TEST

/* ---- how gaps change ---- */

/* After the time dt at (v, ω), both in the world. */
static void move(const solids_case *from, const double *v, const double *omega, double dt, solids_case *to)
{
  double turn[4], rate = sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
  *to = *from;
  for (int i = 0; i < 3; i++) {
    to->pose[i] += dt * v[i];
  }
  nsdyn_quaternion_from_axis_angle(omega, rate * dt, turn);
  solids_product(turn, from->pose + 3, to->pose + 3);
}

static double speed_at(const solids_case *c, const double *v, const double *omega, const double *x,
                       const double *n)
{
  const double r[3] = {x[0] - c->pose[0], x[1] - c->pose[1], x[2] - c->pose[2]};
  const double w[3] = {v[0] + omega[1] * r[2] - omega[2] * r[1], v[1] + omega[2] * r[0] - omega[0] * r[2],
                       v[2] + omega[0] * r[1] - omega[1] * r[0]};
  return n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
}

static const nsdyn_solid_touch *same(const solids_touches *found, const nsdyn_solid_touch *t)
{
  for (int i = 0; i < found->count; i++) {
    if (found->all[i].feature[0] == t->feature[0] && found->all[i].feature[1] == t->feature[1]) {
      return &found->all[i];
    }
  }
  return NULL;
}

/* Cylinders that do not turn far round while they move: their rims to planes, their sides to points. */
static int is_steady(const solids_case *c, const nsdyn_solid_touch *t)
{
  double axis[3], along = 0.0;
  nsdyn_quaternion_rotate(c->pose + 3, (double[]){0.0, 0.0, 1.0}, axis);
  for (int i = 0; i < 3; i++) {
    along += axis[i] * t->normal[i];
  }
  return 1.0 - along * along > 1e-2 || t->feature[0] < 8 || t->feature[0] > 10;
}

START_TEST(gaps_change_as_normals_and_points_say)
{
  const int cases = random_cases(20000);
  int compared = 0, tubes = 0;
  for (int number = 0; number < cases; number++) {
    random_state random = random_seed((uint64_t)number + 70000);
    solids_case a, b, next[2][2];
    double v[2][3], omega[2][3];
    const int kind = random_below(&random, SOLIDS_KINDS);
    int other = random_below(&random, SOLIDS_KINDS);
    other = kind == NSDYN_SOLID_PLANE && other == NSDYN_SOLID_PLANE ? NSDYN_SOLID_HULL : other;
    const int is_tube = number % 8 == 0; /* a cylinder in place of a */
    other = is_tube ? (number % 16 ? NSDYN_SOLID_PLANE : NSDYN_SOLID_SPHERE) : other;
    solids_make(&a, &random, is_tube ? NSDYN_SOLID_CYLINDER : kind, 1.0);
    solids_make(&b, &random, other, 1.0);
    place(&a, &b, &random, random_below(&random, WAYS));
    solids_touches found, moved[2];
    solids_look(&a, &b, 0.5, &found);
    const double dt = 1e-6;
    for (int k = 0; k < 2; k++) {
      for (int i = 0; i < 3; i++) {
        v[k][i] = random_normal(&random);
        omega[k][i] = random_normal(&random);
      }
    }
    for (int k = 0; k < 2; k++) {
      move(&a, v[0], omega[0], k ? dt : -dt, &next[k][0]);
      move(&b, v[1], omega[1], k ? dt : -dt, &next[k][1]);
      solids_look(&next[k][0], &next[k][1], INFINITY, &moved[k]);
    }
    for (int i = 0; i < found.count; i++) {
      const nsdyn_solid_touch *t = &found.all[i], *before = same(&moved[0], t), *after = same(&moved[1], t);
      /* What two sharp corners or edges make of a short way has no direction to speak of. */
      const double radius = is_tube ? b.radius : a.radius + b.radius;
      if (before && after && fabs(t->gap + radius) > 1e-3 && (!is_tube || is_steady(&a, t))) {
        const double rate = (after->gap - before->gap) / (2.0 * dt);
        const double said = speed_at(&a, v[0], omega[0], t->point[0], t->normal) -
                            speed_at(&b, v[1], omega[1], t->point[1], t->normal);
        /* The differences err by v³ dt²/d² of cores that are d apart. */
        const double core = t->gap + radius;
        REQUIRE(fabs(rate - said) <= 1e-6 + 1e-10 / (core * core),
                "case %d: %d on %d, touch %d (%d, %d): %.12g instead of %.12g", number, a.kind, other, i,
                (int)t->feature[0], (int)t->feature[1], said, rate);
        compared++;
        tubes += is_tube;
      }
    }
    nsdyn_solid_free(a.solid);
    nsdyn_solid_free(b.solid);
  }
  ck_assert(is_common(compared, cases, 3));
  ck_assert(is_common(tubes, cases, 20));
}
END_TEST

/* ---- by hand ---- */

START_TEST(calls_refuse_what_they_cannot_do)
{
  nsdyn_solid_def def;
  nsdyn_solid *plane = NULL, *box = solids_box(1.0, 1.0, 1.0);
  const double pose[7] = {0.0, 0.0, 0.0, 1.0}, broken[7] = {NAN, 0.0, 0.0, 1.0}, none[7] = {0.0};
  int calls = 0;
  nsdyn_solid_def_init(&def, sizeof def);
  def.kind = NSDYN_SOLID_PLANE;
  ck_assert_int_eq(nsdyn_solid_new(NULL, &def, &plane, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_solids_touch(plane, pose, plane, pose, 1.0, stop, &calls), NSDYN_ERR_UNSUPPORTED);
  ck_assert_int_eq(nsdyn_solids_touch(box, broken, plane, pose, 1.0, stop, &calls), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_solids_touch(box, pose, plane, pose, NAN, stop, &calls), NSDYN_ERR_NOT_FINITE);
  ck_assert_int_eq(nsdyn_solids_touch(box, none, plane, pose, 1.0, stop, &calls), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_solids_touch(box, pose, NULL, pose, 1.0, stop, &calls), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(calls, 0);
  ck_assert_int_eq(nsdyn_solids_touch(box, pose, plane, pose, 1.0, stop, &calls), NSDYN_CANCELLED);
  ck_assert_int_eq(calls, 1);
  nsdyn_solid_free(plane);
  nsdyn_solid_free(box);
}
END_TEST

/* clang-format off */
SUITE("geometry/space/touch",
  TEST(nearest_touches_are_as_far_as_brute_force_says),
  TEST(far_solids_have_their_nearest_touch),
  TEST(gaps_change_as_normals_and_points_say),
  TEST(calls_refuse_what_they_cannot_do))
/* clang-format on */
