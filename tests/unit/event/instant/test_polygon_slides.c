/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A point on a plane under a polygon of friction and constant loads: in each cell its acceleration is
 * constant, so that its motion is known exactly, piece by piece. */
#include "event_space.h"
#include "support/random.h"

enum { MOST_SIDES = 32, MOST_PIECES = 200 };

/* Corners v_j, the load a, and what friction may be, f = μ g, of a unit mass. */
typedef struct point {
  int sides;
  double v[MOST_SIDES][2], a[2], f;
} point;

typedef struct state {
  double t, x[2], u[2];
  int pieces;
} state;

static double cross(const double *a, const double *b)
{
  return a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1];
}

static void edge_of(const point *p, int j, double *e)
{
  const double *a = p->v[j], *b = p->v[(j + 1) % p->sides];
  e[0] = b[0] - a[0];
  e[1] = b[1] - a[1];
}

/* Whether friction holds the load: a / f is in the polygon. */
static int holds(const point *p)
{
  for (int j = 0; j < p->sides; j++) {
    double e[2];
    edge_of(p, j, e);
    const double d[2] = {p->a[0] / p->f - p->v[j][0], p->a[1] / p->f - p->v[j][1]};
    if (cross(e, d) < 0.0) {
      return 0;
    }
  }
  return 1;
}

/* The next time from now at which (u + w s) · e = 0 from the one side of it, or nothing. */
static double root_of(const double *u, const double *w, const double *e, double sign)
{
  const double value = sign * dot(u, e), slope = sign * dot(w, e);
  return slope < 0.0 ? fmax(0.0, -value / slope) : INFINITY;
}

/* One piece: the acceleration w of the cell that u ≠ 0 is in, and how long it lasts. `side`: u is along the
 * normal of that one, −1: of none. Returns the side to whose normal u comes, −1 if it comes to rest or the
 * time is over. */
static int go(const point *p, state *s, int side, double end)
{
  double w[2], e[2], last = end - s->t;
  int corner = 0, next = -1;
  if (side >= 0) {
    edge_of(p, side, e);
    /* On the side with (a − f p) · e = 0, if such a p is on it. */
    const double at = (dot(p->a, e) / p->f - dot(p->v[side], e)) / dot(e, e);
    if (at >= 0.0 && at <= 1.0) {
      for (int i = 0; i < 2; i++) {
        w[i] = p->a[i] - p->f * (p->v[side][i] + at * e[i]);
      }
      const double stops = dot(w, s->u) < 0.0 ? dot(s->u, s->u) / -dot(w, s->u) : INFINITY;
      last = fmin(last, stops);
      for (int i = 0; i < 2; i++) {
        s->x[i] += last * (s->u[i] + 0.5 * last * w[i]);
        s->u[i] = last == stops ? 0.0 : s->u[i] + last * w[i];
      }
      s->t += last;
      return -1;
    }
    corner = at < 0.0 ? side : (side + 1) % p->sides;
  } else {
    for (int j = 1; j < p->sides; j++) {
      corner = dot(p->v[j], s->u) > dot(p->v[corner], s->u) ? j : corner;
    }
  }
  /* In the corner, until u comes to the normal of one of its two sides; not of the one that it comes from. */
  const int before = (corner + p->sides - 1) % p->sides;
  for (int i = 0; i < 2; i++) {
    w[i] = p->a[i] - p->f * p->v[corner][i];
  }
  edge_of(p, corner, e);
  const double begins = side == corner ? INFINITY : root_of(s->u, w, e, -1.0);
  edge_of(p, before, e);
  const double ends = side == before ? INFINITY : root_of(s->u, w, e, 1.0);
  next = begins < ends ? corner : before;
  next = fmin(begins, ends) < last ? next : -1;
  last = fmin(last, fmin(begins, ends));
  for (int i = 0; i < 2; i++) {
    s->x[i] += last * (s->u[i] + 0.5 * last * w[i]);
    s->u[i] += last * w[i];
  }
  s->t += last;
  return next;
}

/* The motion until `end`; returns 0 where it comes to rest and slides again, which is not followed here. */
static int follow(const point *p, state *s, double end)
{
  const double rounding = 1e-13 * hypot(s->u[0], s->u[1]);
  int side = -1;
  while (s->t < end && s->pieces++ < MOST_PIECES) {
    if (hypot(s->u[0], s->u[1]) <=
        rounding) { /* along a corner it stops within that corner, but for rounding */
      s->u[0] = s->u[1] = 0.0;
    }
    if (s->u[0] == 0.0 && s->u[1] == 0.0) {
      return holds(p);
    }
    side = go(p, s, side, end);
  }
  return 1;
}

/* A polygon of so many sides, with no load. */
static point polygon_of(random_state *r, int sides, body *b, nsdyn_contact_law *law)
{
  point p = {.sides = sides};
  const double g = random_between(r, 1.0, 20.0), angle = random_between(r, -3.0, 3.0);
  *law = space_law(random_between(r, 0.1, 1.5), 0.0, 0.0);
  law->shape = NSDYN_FRICTION_POLYGON;
  law->sides = p.sides;
  law->angle = angle;
  law->aspect = random_below(r, 2) ? 1.0 : random_between(r, 0.5, 2.0);
  p.f = law->mu * g;
  for (int j = 0; j < p.sides; j++) {
    const double turn = 2.0 * acos(-1.0) * j / p.sides, x = cos(turn), y = law->aspect * sin(turn);
    p.v[j][0] = cos(angle) * x - sin(angle) * y;
    p.v[j][1] = sin(angle) * x + cos(angle) * y;
  }
  *b = (body){.mass = random_between(r, 0.1, 10.0)};
  b->load[2] = -b->mass * g;
  return p;
}

static void load(point *p, body *b, double x, double y)
{
  p->a[0] = x;
  p->a[1] = y;
  b->load[0] = b->mass * x;
  b->load[1] = b->mass * y;
}

static point point_of(random_state *r, body *b, nsdyn_contact_law *law, double most)
{
  point p = polygon_of(r, 4 + 2 * random_below(r, 6), b, law);
  const double size = random_between(r, 0.0, most) * p.f, way = random_between(r, -3.0, 3.0);
  load(&p, b, size * cos(way), size * sin(way));
  return p;
}

START_TEST(a_point_goes_from_corner_to_side_to_rest)
{
  const int cases = random_cases(400);
  int met[3] = {0, 0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b;
    nsdyn_contact_law law;
    const point p = point_of(&r, &b, &law, random_below(&r, 3) ? 1.5 : 0.0);
    driven s = body_scene(&b, law);
    const double q[3] = {0.0}, speed = random_between(&r, 0.1, 5.0), way = random_between(&r, -3.0, 3.0);
    const double u[3] = {speed * cos(way), speed * sin(way), 0.0};
    const double end = random_between(&r, 0.2, 3.0) * speed / p.f;
    state exact = {.u = {u[0], u[1]}};
    const int is_known = follow(&p, &exact, end);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, end);
    const double *is = nsdyn_event_driver_u(s.driver), *at = nsdyn_event_driver_q(s.driver);
    const double tol = 1e-7, size = speed + end * (p.f + hypot(p.a[0], p.a[1]));
    REQUIRE(!is_known || hypot(is[0] - exact.u[0], is[1] - exact.u[1]) <= tol * size,
            "seed %d: (%g, %g), not (%g, %g)", k, is[0], is[1], exact.u[0], exact.u[1]);
    REQUIRE(!is_known || hypot(at[0] - exact.x[0], at[1] - exact.x[1]) <= tol * size * end, "seed %d", k);
    const int rests = exact.u[0] == 0.0 && exact.u[1] == 0.0;
    REQUIRE(!is_known || !rests || contact_of(&s, 0).mode == NSDYN_MODE_STICK, "seed %d", k);
    met[0] += rests && is_known;
    met[1] += count_kind(&s, NSDYN_EVENT_REVERSE) > 1;
    met[2] += count_kind(&s, NSDYN_EVENT_HANDOVER);
    scene_end(&s);
  }
  ck_assert(is_common(met[0], cases, 20) && is_common(met[1], cases, 20));
  ck_assert_int_eq(met[2], 0);
}
END_TEST

/* The same from first velocities along a corner or the normal of a side, exactly or off it by rounding and
 * more, with loads along the same directions: none, along the corner, along the side, and such that Λ_T would
 * be at an end of the side. */
START_TEST(a_point_starts_along_a_normal_or_a_corner)
{
  static const int sides_of[] = {4, 6, 8, 12, 32};
  const int cases = random_cases(600);
  int met[3] = {0, 0, 0};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b;
    nsdyn_contact_law law;
    double e[2];
    point p = polygon_of(&r, sides_of[k % 5], &b, &law);
    const int j = random_below(&r, p.sides), is_normal = random_below(&r, 4) > 0, kind = random_below(&r, 6);
    edge_of(&p, j, e);
    const double length = hypot(e[0], e[1]), speed = random_between(&r, 0.1, 5.0);
    const double size = p.f * random_between(&r, -1.4, 1.4);
    const double off = random_below(&r, 3) ? pow(10.0, random_between(&r, -17.0, -6.0)) : 0.0;
    const double turn = random_below(&r, 2) ? off : -off;
    const double *v = p.v[(j + random_below(&r, 2)) % p.sides], n[2] = {e[1] / length, -e[0] / length};
    const double way[2] = {is_normal ? n[0] : p.v[j][0], is_normal ? n[1] : p.v[j][1]};
    const double u[3] = {speed * (way[0] - turn * way[1]), speed * (way[1] + turn * way[0]), 0.0};
    switch (kind) {
    case 0:
      load(&p, &b, size * v[0], size * v[1]);
      break;
    case 1:
      load(&p, &b, size / length * e[0], size / length * e[1]);
      break;
    case 2: /* (a − f p) · e = 0 at p = v */
      load(&p, &b, p.f * v[0] + size * n[0], p.f * v[1] + size * n[1]);
      break;
    case 3:
      load(&p, &b, size * n[0], size * n[1]);
      break;
    default:
      break;
    }
    const double q[3] = {0.0}, end = random_between(&r, 0.2, 3.0) * speed / p.f;
    state exact = {.u = {u[0], u[1]}};
    const int is_known = follow(&p, &exact, end);
    driven s = body_scene(&b, law);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, end);
    const double *is = nsdyn_event_driver_u(s.driver), *at = nsdyn_event_driver_q(s.driver);
    const double tol = 1e-9, most = speed + end * (p.f + hypot(p.a[0], p.a[1]));
    const double miss = hypot(is[0] - exact.u[0], is[1] - exact.u[1]);
    REQUIRE(!is_known || miss <= tol * most, "seed %d, kind %d, off %g: (%g, %g), not (%g, %g)", k, kind,
            turn, is[0], is[1], exact.u[0], exact.u[1]);
    REQUIRE(!is_known || hypot(at[0] - exact.x[0], at[1] - exact.x[1]) <= tol * most * end,
            "seed %d, kind %d, off %g: %g", k, kind, turn,
            hypot(at[0] - exact.x[0], at[1] - exact.x[1]) / (most * end));
    met[0] += is_known && kind == 2;
    met[1] += is_known && exact.u[0] == 0.0 && exact.u[1] == 0.0;
    met[2] += count_kind(&s, NSDYN_EVENT_HANDOVER);
    scene_end(&s);
  }
  ck_assert(is_common(met[0], cases, 20) && is_common(met[1], cases, 10));
  ck_assert_int_eq(met[2], 0);
}
END_TEST

/* A load that grows from nothing along a line breaks the point loose where it leaves the polygon, and it
 * slides along the normal of that side, with friction where the load's line goes through it. */
START_TEST(a_growing_load_begins_to_slide_out_of_a_side)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b;
    nsdyn_contact_law law;
    const point p = point_of(&r, &b, &law, 0.0);
    const double way = random_between(&r, -3.0, 3.0), unit[2] = {cos(way), sin(way)}, rise = p.f;
    double far = INFINITY, e[2], n[2] = {0.0, 0.0};
    int side = 0;
    for (int j = 0; j < p.sides; j++) {
      edge_of(&p, j, e);
      const double out[2] = {e[1], -e[0]}, t = dot(p.v[j], out) / dot(unit, out);
      side = dot(unit, out) > 0.0 && t < far ? j : side;
      far = dot(unit, out) > 0.0 ? fmin(far, t) : far;
    }
    edge_of(&p, side, e);
    n[0] = e[1] / hypot(e[0], e[1]);
    n[1] = -e[0] / hypot(e[0], e[1]);
    b.rise[0] = b.mass * rise * unit[0];
    b.rise[1] = b.mass * rise * unit[1];
    driven s = body_scene(&b, law);
    const double q[3] = {0.0}, u[3] = {0.0};
    scene_drive(&s, 0.0, q, u);
    /* friction on the line of the load: to a corner or, along the side, to where (a − f p) · e = 0 still is
     * on it */
    const double at = far * (1.0 + 1e-4);
    scene_advance(&s, at);
    const nsdyn_event slip = event_of_kind(&s, NSDYN_EVENT_SLIP, 0);
    REQUIRE(slip.kind == NSDYN_EVENT_SLIP && fabs(slip.t - far) <= 1e-8 * far, "seed %d: %g of %g", k, slip.t,
            far);
    const double *is = nsdyn_event_driver_u(s.driver), along = is[0] * n[0] + is[1] * n[1];
    const double share = (far * dot(unit, e) - dot(p.v[side], e)) / dot(e, e);
    if (share > 0.01 && share < 0.99) {
      const double speed = 0.5 * rise * (unit[0] * n[0] + unit[1] * n[1]) * (at - far) * (at - far);
      REQUIRE(fabs(along - speed) <= 1e-3 * speed, "seed %d: %g, not %g", k, along, speed);
      REQUIRE(fabs(is[0] * n[1] - is[1] * n[0]) <= 1e-6 * speed + 1e-15, "seed %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* Within any cell: the same motion. */
START_TEST(a_saved_slide_on_a_polygon_goes_on)
{
  const int cases = random_cases(60);
  static char saved[1 << 16];
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b;
    nsdyn_contact_law law;
    const point p = point_of(&r, &b, &law, 1.2);
    const double q[3] = {0.0}, u[3] = {random_between(&r, -2.0, 2.0), random_between(&r, -2.0, 2.0), 0.0};
    const double half = random_between(&r, 0.1, 1.0) * hypot(u[0], u[1]) / p.f;
    driven s = body_scene(&b, law), other = body_scene(&b, law);
    scene_drive(&s, 0.0, q, u);
    scene_drive(&other, 0.0, q, u);
    scene_advance(&s, half);
    const size_t size = nsdyn_event_driver_save(s.driver, saved, sizeof saved);
    ck_assert(size > 0 && size <= sizeof saved);
    ck_assert_int_eq(nsdyn_event_driver_restore(other.driver, saved, size), NSDYN_OK);
    scene_advance(&s, 2.0 * half);
    scene_advance(&other, 2.0 * half);
    for (int i = 0; i < 3; i++) {
      const double one = nsdyn_event_driver_u(s.driver)[i], two = nsdyn_event_driver_u(other.driver)[i];
      REQUIRE(fabs(one - two) <= 1e-8 * hypot(u[0], u[1]), "seed %d: %g, %g", k, one, two);
    }
    scene_end(&s);
    scene_end(&other);
  }
}
END_TEST

/* A law that changes while its contact slides: from then on the motion is that of a driver that has known no
 * other law, whatever cell of the old one it was in. */
START_TEST(a_slide_goes_on_under_another_law)
{
  const int cases = random_cases(200);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    body b;
    nsdyn_contact_law law;
    const point p = point_of(&r, &b, &law, 0.8);
    const double q[3] = {0.0}, u[3] = {random_between(&r, -2.0, 2.0), random_between(&r, -2.0, 2.0), 0.0};
    const double half = random_between(&r, 0.05, 0.5) * hypot(u[0], u[1]) / p.f;
    driven s = body_scene(&b, law), other = body_scene(&b, law);
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, half);
    law.shape = k % 3 ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE;
    law.sides = k % 3 == 1 ? 4 : 4 + 2 * random_below(&r, 6);
    law.mu *= 1.0 + 0.1 * random_below(&r, 3);
    scene_law(&s, 0, law);
    scene_law(&other, 0, law);
    scene_drive(&other, half, nsdyn_event_driver_q(s.driver), nsdyn_event_driver_u(s.driver));
    static char saved[1 << 16]; /* by what is saved in between, too */
    const size_t size = nsdyn_event_driver_save(s.driver, saved, sizeof saved);
    REQUIRE(2 * k < cases || nsdyn_event_driver_restore(s.driver, saved, size) == NSDYN_OK, "seed %d: %s", k,
            nsdyn_event_driver_message(s.driver));
    scene_advance(&s, 2.0 * half);
    scene_advance(&other, 2.0 * half);
    for (int i = 0; i < 3; i++) {
      const double one = nsdyn_event_driver_u(s.driver)[i], two = nsdyn_event_driver_u(other.driver)[i];
      REQUIRE(fabs(one - two) <= 1e-6 * hypot(u[0], u[1]), "seed %d: %g, %g", k, one, two);
    }
    scene_end(&s);
    scene_end(&other);
  }
}
END_TEST

/* A point that hops over the plane at an angle to a corner: friction is in that corner all the time, so that
 * it loses μ (g t + v_N) of its velocity along the corner by the time t, and none across, however early its
 * hops are closed off. */
START_TEST(hops_are_closed_off_in_a_corner)
{
  const int cases = random_cases(100);
  int met = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const double g = 10.0, fall = random_between(&r, 0.5, 1.0), mu = random_between(&r, 0.02, 0.05);
    const double off = random_between(&r, -40.0, 40.0) * acos(-1.0) / 180.0;
    body b = {.mass = random_between(&r, 0.5, 2.0)};
    nsdyn_contact_law law = space_law(mu, random_between(&r, 0.2, 0.6), 0.0);
    law.shape = NSDYN_FRICTION_POLYGON;
    law.sides = 4;
    law.angle = random_between(&r, -3.0, 3.0);
    b.load[2] = -b.mass * g;
    driven s = body_scene(&b, law);
    s.options.zeno = 1e-2;
    const double q[3] = {0.0}, way = law.angle + off;
    const double u[3] = {10.0 * cos(way), 10.0 * sin(way), -fall}, end = 4.0 * fall / g;
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, end);
    const double lost = mu * (g * end + fall), *is = nsdyn_event_driver_u(s.driver);
    const double should[2] = {u[0] - lost * cos(law.angle), u[1] - lost * sin(law.angle)};
    REQUIRE(hypot(is[0] - should[0], is[1] - should[1]) <= 1e-8,
            "seed %d: (%.12g, %.12g), not (%.12g, %.12g)", k, is[0], is[1], should[0], should[1]);
    met += report_of(&s).zeno_speed > 0.0 && contact_of(&s, 0).mode == NSDYN_MODE_SLIP;
    scene_end(&s);
  }
  ck_assert(is_common(met, cases, 2));
}
END_TEST

SUITE("event/instant/polygon_slides", TEST(a_point_goes_from_corner_to_side_to_rest),
      TEST(a_point_starts_along_a_normal_or_a_corner), TEST(a_growing_load_begins_to_slide_out_of_a_side),
      TEST(a_saved_slide_on_a_polygon_goes_on), TEST(a_slide_goes_on_under_another_law),
      TEST(hops_are_closed_off_in_a_corner))
