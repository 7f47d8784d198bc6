/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What a cut leaves of the set of friction, by the projection on it. */
#include "contact/space/friction_cut.h"

#include <math.h>

#include "contact/space/friction.h"
#include "suite.h"
#include "support/random.h"

typedef struct cut {
  nsd_contact_space space;
  nsd_contact_stored stored;
  nsd_contact_spec spec, whole;
} cut;

/* A disk, an ellipse, a polygon or a stretched one of limit 1, or an interval; cut somewhere. */
static void make_cut(cut *t, int k, random_state *r)
{
  const int shape = k % 5, sides = 4 + 2 * (int)random_below(r, 5);
  const double angle = random_between(r, -3.0, 3.0), toward = random_between(r, -3.0, 3.0);
  t->space = (nsd_contact_space){.sides = shape == 2 || shape == 3 ? sides : 0,
                                 .is_round = shape == 0,
                                 .aspect = shape % 2 ? random_between(r, 0.3, 2.0) : 1.0,
                                 .axis = {cos(angle), sin(angle)}};
  t->whole =
      (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 1.0, .space = shape == 4 ? NULL : &t->space};
  double e[2] = {cos(toward), sin(toward)}, far[2] = {0.0, 0.0};
  if (shape == 4) {
    e[0] = k % 2 ? 1.0 : -1.0;
    e[1] = 0.0;
  }
  nsd_friction_support(&t->whole, 1.0, e, far);
  const double support = e[0] * far[0] + e[1] * far[1];
  t->stored = (nsd_contact_stored){.e = {e[0] / support, e[1] / support},
                                   .keep = random_unit(r),
                                   .back = random_between(r, 0.0, 0.9),
                                   .L = 0.1};
  t->spec = t->whole;
  t->spec.friction = NSD_FRICTION_STORED;
  t->spec.stored = &t->stored;
}

/* p = prox(z) of a convex set: p is in it, and (z − p)·(x − p) <= 0 for all x of it; here for points x of the
 * whole set that are moved into it. */
START_TEST(the_nearest_point_obeys_its_inequality)
{
  for (int k = 0; k < random_cases(20000); k++) {
    random_state r = random_seed((uint64_t)k);
    cut t;
    make_cut(&t, k, &r);
    const int tangents = t.spec.space ? 2 : 1;
    const double limit = random_between(&r, 1.0, 2.0), b = t.stored.back - t.stored.keep * limit;
    double z[2] = {random_normal(&r), tangents == 2 ? random_normal(&r) : 0.0}, p[2] = {0.0, 0.0};
    nsd_friction_project(&t.spec, limit, z, p);
    double own[2] = {p[0], p[1]};
    nsd_friction_project(&t.whole, limit, p, own);
    REQUIRE(fabs(own[0] - p[0]) + fabs(own[1] - p[1]) <= 1e-13, "case %d: outside", k);
    const double *e = t.stored.e;
    REQUIRE(e[0] * p[0] + e[1] * p[1] >= b - 1e-13, "case %d: cut off", k);
    for (int j = 0; j < 20; j++) {
      double x[2] = {2.0 * random_normal(&r), tangents == 2 ? 2.0 * random_normal(&r) : 0.0};
      nsd_friction_project(&t.whole, limit, x, x);
      /* towards the point of the set that is highest along e, until it is not cut off */
      double top[2] = {0.0, 0.0};
      nsd_friction_support(&t.whole, limit, e, top);
      const double low = e[0] * x[0] + e[1] * x[1];
      const double go = low < b ? (b - low) / (limit - low) : 0.0;
      for (int i = 0; i < 2; i++) {
        x[i] += go * (top[i] - x[i]);
      }
      const double product = (z[0] - p[0]) * (x[0] - p[0]) + (z[1] - p[1]) * (x[1] - p[1]);
      REQUIRE(product <= 1e-12, "case %d: %g", k, product);
    }
    /* r times all of it, at any size. */
    const double size = ldexp(1.0, (int)random_below(&r, 800) - 400);
    t.stored.back *= size;
    double scaled[2] = {3.0 * size * z[0], 3.0 * size * z[1]};
    nsd_friction_project_scaled(&t.spec, 3.0, 3.0 * size * limit, scaled, scaled);
    for (int i = 0; i < tangents; i++) {
      REQUIRE(fabs(scaled[i] / (3.0 * size) - p[i]) <= 1e-13, "case %d", k);
    }
  }
}
END_TEST

/* Against differences of fourth order, where no kink is near. */
START_TEST(derivatives_are_those_of_the_projection)
{
  int checked = 0;
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    cut t;
    make_cut(&t, k, &r);
    const int tangents = t.spec.space ? 2 : 1;
    const double limit = random_between(&r, 1.0, 2.0);
    const double z[2] = {random_normal(&r), tangents == 2 ? random_normal(&r) : 0.0};
    double D[4], d[2], rows[3][2];
    nsd_friction_derivative(&t.spec, limit, z, D, d);
    double curvature = 0.0, error = 0.0;
    for (int j = 0; j <= tangents; j++) { /* along z[0], z[1], and the limit */
      double p[4][2] = {{0.0}};
      static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
      for (int i = 0; i < 4; i++) {
        const double h = 1e-4 * steps[i];
        const double at[2] = {z[0] + (j == 0 ? h : 0.0), z[1] + (j == 1 && tangents == 2 ? h : 0.0)};
        nsd_friction_project(&t.spec, limit + (j == tangents ? h : 0.0), at, p[i]);
      }
      for (int i = 0; i < tangents; i++) {
        const double near = (p[2][i] - p[1][i]) / 2e-4, far = (p[3][i] - p[0][i]) / 4e-4;
        rows[j][i] = (4.0 * near - far) / 3.0;
        curvature = fmax(curvature, fabs(near - far));
        const double own = j == tangents ? d[i] : D[tangents * i + j];
        error = fmax(error, fabs(rows[j][i] - own));
      }
    }
    if (curvature < 1e-6) { /* else a kink, or the end of a short chord */
      checked++;
      REQUIRE(error <= 1e-7, "case %d: %g", k, error);
    }
  }
  ck_assert_msg(10 * checked > 9 * cases, "%d of %d", checked, cases);
}
END_TEST

SUITE("contact/space/friction_cut", TEST(the_nearest_point_obeys_its_inequality),
      TEST(derivatives_are_those_of_the_projection))
