/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/directions.h"

#include "shapes.h"

/* Two bodies whose poses are polynomials of time: s(t) = s0 + s1 t + s2 t²/2. With u̇ = 0 in mind all of the
 * second derivative is bias. */
typedef struct motion {
  nsdyn_shape *shape[2];
  double s0[6], s1[6], s2[6];
} motion;

static void pose_at(const motion *m, double t, double *pose, double *v)
{
  for (int i = 0; i < 6; i++) {
    pose[i] = m->s0[i] + t * (m->s1[i] + 0.5 * t * m->s2[i]);
    v[i] = m->s1[i] + t * m->s2[i];
  }
}

/* The touch of this vertex and edge at time t: its gap and γ; 0 where it is not found. */
static int look(nsd_search *s, const motion *m, double t, const nsd_meeting *same, nsd_spot *place,
                double *gamma)
{
  double pose[6], v[6];
  pose_at(m, t, pose, v);
  REQUIRE(nsd_search_run(s, m->shape[0], pose, m->shape[1], pose + 3, 10.0, 0.5) == NSDYN_OK);
  for (int i = 0; i < s->meetings; i++) {
    const nsd_meeting *o = &s->meeting[i];
    if (o->side == same->side && o->vertex == same->vertex && o->edge == same->edge &&
        o->at_vertex == same->at_vertex) {
      nsd_spot_of(s, o, place);
      nsd_spot_velocities(place, v, gamma);
      return 1;
    }
  }
  return 0;
}

static nsdyn_shape *random_shape(random_state *random)
{
  double p[2 * 12];
  const double radius = random_below(random, 2) ? 0.0 : random_between(random, 0.05, 0.4);
  const int kind = random_below(random, 4);
  if (kind == 0) {
    p[0] = random_between(random, -1.0, 1.0);
    p[1] = random_between(random, -1.0, 1.0);
    return shapes_make(NSDYN_SHAPE_CIRCLE, 1, p, radius + 0.1);
  }
  if (kind == 1) {
    for (int i = 0; i < 4; i++) {
      p[i] = random_between(random, -1.0, 1.0);
    }
    return shapes_make(NSDYN_SHAPE_CAPSULE, 2, p, radius + 0.1);
  }
  const int n = 3 + random_below(random, 9);
  shapes_star(random, n, 0.4, p);
  return shapes_make(NSDYN_SHAPE_POLYGON, n, p, radius);
}

/* γ_N is the rate of the gap, w̄ that of γ, at any gap: by differences of fourth order. */
START_TEST(rates_by_differences)
{
  const int cases = random_cases(6000);
  int kinds[3] = {0, 0, 0}, judged = 0;
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    motion m;
    m.shape[0] = random_shape(&random);
    m.shape[1] = random_shape(&random);
    for (int i = 0; i < 6; i++) {
      m.s0[i] = random_between(&random, -2.0, 2.0) * (i % 3 == 2 ? 1.0 : 1.2);
      m.s1[i] = random_between(&random, -1.0, 1.0);
      m.s2[i] = random_between(&random, -1.0, 1.0);
    }
    double pose[6], v[6], w_bar[2], gamma[2];
    pose_at(&m, 0.0, pose, v);
    REQUIRE(nsd_search_run(&s, m.shape[0], pose, m.shape[1], pose + 3, 10.0, 0.5) == NSDYN_OK);
    if (s.meetings > 0) {
      const nsd_meeting chosen = s.meeting[random_below(&random, s.meetings)];
      nsd_spot place, there;
      nsd_spot_of(&s, &chosen, &place);
      nsd_spot_velocities(&place, v, gamma);
      nsd_spot_bias(&place, v, m.s2, w_bar);
      const double h = 1e-3, distance = place.gap + place.radius[0] + place.radius[1];
      double g[4], gs[4][2];
      int found = chosen.at_vertex ? distance > 0.3 : 1; /* at a distance of 0 n turns at once */
      for (int j = 0; j < 4 && found; j++) {
        found = look(&s, &m, h * (j < 2 ? j - 2 : j - 1), &chosen, &there, gs[j]);
        g[j] = there.gap;
      }
      if (found) {
        const double rate = (g[0] - 8.0 * g[1] + 8.0 * g[2] - g[3]) / (12.0 * h);
        REQUIRE(fabs(rate - gamma[0]) <= 1e-8, "case %d: %g, %g", k, rate, gamma[0]);
        for (int a = 0; a < 2; a++) {
          const double change = (gs[0][a] - 8.0 * gs[1][a] + 8.0 * gs[2][a] - gs[3][a]) / (12.0 * h);
          REQUIRE(fabs(change - w_bar[a]) <= 1e-6, "case %d, kind %d %d, row %d: %g, %g", k, chosen.side,
                  chosen.at_vertex, a, change, w_bar[a]);
        }
        kinds[chosen.at_vertex ? 2 : chosen.side]++;
        judged++;
      }
    }
    nsdyn_shape_free(m.shape[0]);
    nsdyn_shape_free(m.shape[1]);
  }
  nsd_search_release(&s);
  REQUIRE(is_common(judged, cases, 2) && is_common(kinds[0], cases, 10) && is_common(kinds[1], cases, 10) &&
              is_common(kinds[2], cases, 30),
          "%d: %d %d %d", judged, kinds[0], kinds[1], kinds[2]);
}
END_TEST

/* Closed forms. A disk that rolls on the ground does not slide: v = −r ω. Two disks that roll on each other
 * with v = 0 turn against each other, r ω = −R Ω. A disk of radius r that circles another one's centre at a
 * distance l with v: γ̇_N = v²/l. A vertex that moves outwards by v on an edge that turns with Ω: 2 v Ω
 * (Coriolis). */
START_TEST(closed_forms)
{
  const int cases = random_cases(1000);
  nsd_search s;
  nsd_search_init(&s, NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double r = random_scale(&random, 1.0), R = random_scale(&random, 1.0),
                 omega = random_between(&random, -5.0, 5.0);
    const double turn = random_between(&random, -4.0, 4.0), zero[6] = {0.0};
    const double ground[] = {-100.0, -20.0, 100.0, -20.0, 100.0, 0.0, -100.0, 0.0}, none[2] = {0.0, 0.0};
    nsdyn_shape *disk = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, r),
                *floor = shapes_make(NSDYN_SHAPE_POLYGON, 4, ground, 0.0);
    nsdyn_shape *other = shapes_make(NSDYN_SHAPE_CIRCLE, 1, none, R);
    const double x = random_between(&random, -50.0, 50.0), gap = 0.1 * random_unit(&random);
    double gamma[2], w_bar[2];
    nsd_spot place;
    /* the ground turned by any angle, the disk above it */
    const double on[3] = {cos(turn) * x - sin(turn) * (r + gap), sin(turn) * x + cos(turn) * (r + gap), 1.0};
    const double below[3] = {0.0, 0.0, turn};
    REQUIRE(nsd_search_run(&s, disk, on, floor, below, 1.0, 0.1) == NSDYN_OK && s.meetings == 1, "case %d",
            k);
    nsd_spot_of(&s, &s.meeting[0], &place);
    const double rolls[6] = {-r * omega * cos(turn), -r * omega * sin(turn), omega, 0.0, 0.0, 0.0};
    nsd_spot_velocities(&place, rolls, gamma);
    nsd_spot_bias(&place, rolls, zero, w_bar);
    const double size = (r + 1.0) * (fabs(omega) + omega * omega);
    REQUIRE(fabs(place.gap - gap) <= 1e-13 * (50.0 + r) && fabs(gamma[0]) + fabs(gamma[1]) <= 1e-12 * size,
            "case %d", k);
    REQUIRE(fabs(w_bar[0]) + fabs(w_bar[1]) <= 1e-12 * size, "case %d", k);
    /* two disks */
    const double l = r + R + gap, at[3] = {l * cos(turn), l * sin(turn), 0.3};
    REQUIRE(nsd_search_run(&s, disk, at, other, zero, 1.0, 0.1) == NSDYN_OK && s.meetings == 1, "case %d", k);
    nsd_spot_of(&s, &s.meeting[0], &place);
    const double gears[6] = {0.0, 0.0, omega, 0.0, 0.0, -omega * r / R};
    nsd_spot_velocities(&place, gears, gamma);
    REQUIRE(fabs(gamma[0]) + fabs(gamma[1]) <= 1e-12 * size, "case %d", k);
    const double circles[6] = {-sin(turn) * omega, cos(turn) * omega, 0.0, 0.0, 0.0, 0.0};
    nsd_spot_bias(&place, circles, zero, w_bar);
    REQUIRE(fabs(w_bar[0] - omega * omega / l) <= 1e-12 * omega * omega / l, "case %d", k);
    /* a vertex on a turning edge: the tip of a wedge at x, on the upper side of the ground */
    const double tip[] = {0.0, 0.0, 1.0, 2.0, -1.0, 2.0}, v = random_between(&random, -2.0, 2.0);
    nsdyn_shape *wedge = shapes_make(NSDYN_SHAPE_POLYGON, 3, tip, 0.0);
    const double stands[3] = {x, gap, 0.0}, moves[6] = {v, 0.0, 0.0, 0.0, 0.0, omega};
    REQUIRE(nsd_search_run(&s, wedge, stands, floor, zero, 1.0, 0.1) == NSDYN_OK && s.meetings == 1,
            "case %d", k);
    nsd_spot_of(&s, &s.meeting[0], &place);
    nsd_spot_velocities(&place, moves, gamma);
    nsd_spot_bias(&place, moves, zero, w_bar);
    /* g = −x sin Ωt + y cos Ωt with x' = v: g' = −xΩ, g'' = −2vΩ − yΩ²; n = +y, t = −x */
    REQUIRE(fabs(gamma[0] + x * omega) <= 1e-12 * (100.0 + fabs(x * omega)), "case %d", k);
    REQUIRE(fabs(w_bar[0] + 2.0 * v * omega + gap * omega * omega) <= 1e-11, "case %d: %g", k, w_bar[0]);
    nsdyn_shape_free(wedge);
    nsdyn_shape_free(disk);
    nsdyn_shape_free(other);
    nsdyn_shape_free(floor);
  }
  nsd_search_release(&s);
}
END_TEST

SUITE("geometry/directions", TEST(rates_by_differences), TEST(closed_forms))
