/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Who takes part in an instant. */
#include "event_models.h"
#include "support/exact_cradle.h"

START_TEST(begins_closed_open_or_with_an_impact)
{
  const struct {
    double y, v, after;
    int32_t kind, active;
  } cases[] = {{0.0, 0.0, 0.0, NSDYN_EVENT_CLOSE, 1},
               {0.0, -2.0, 1.0, NSDYN_EVENT_IMPACT, 0},
               {0.0, 3.0, 3.0, 0, 0},
               {-1e-6, 0.0, 0.0, NSDYN_EVENT_CLOSE, 1},
               {-1e-6, -2.0, 1.0, NSDYN_EVENT_IMPACT, 0},
               {-1e-6, 3.0, 3.0, 0, 0},

               {0.5, 0.0, 0.0, 0, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    points p = {.count = 1, .g = 9.81};
    driven s = points_scene(&p, 0.0, 0.5);
    const double q[2] = {1.0, cases[k].y}, u[2] = {0.0, cases[k].v};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    ck_assert_msg(fabs(nsdyn_event_driver_u(s.driver)[1] - cases[k].after) <= 1e-15, "case %zu: %g", k,
                  nsdyn_event_driver_u(s.driver)[1]);
    ck_assert_int_eq(nsdyn_event_driver_active(s.driver), cases[k].active);
    ck_assert_int_eq(events_of(&s), cases[k].kind != 0);
    ck_assert(!cases[k].kind || event_of(&s, 0).kind == cases[k].kind);
    const double y = nsdyn_event_driver_q(s.driver)[1];
    ck_assert(cases[k].active ? y == 0.0 : y == cases[k].y); /* what is closed is put on the floor */
    scene_advance(&s, 0.1);
    ck_assert(cases[k].active ? nsdyn_event_driver_q(s.driver)[1] == 0.0 : 1);
    if (cases[k].after > 0.0) { /* flies, penetration or not, and comes down at the right time */
      scene_advance(&s, 1.0);
      const nsdyn_event next = event_of(&s, cases[k].kind != 0);
      const double v = cases[k].after, t = (v + sqrt(v * v + 2.0 * 9.81 * cases[k].y)) / 9.81;
      ck_assert_int_eq(next.kind, NSDYN_EVENT_IMPACT);
      ck_assert_msg(fabs(next.t - t) <= 1e-12, "case %zu: %g off", k, next.t - t);
    }
    scene_end(&s);
  }
}
END_TEST

START_TEST(gap_tol_closes_what_is_near)
{
  points p = {.count = 1, .g = 9.81};
  for (int k = 0; k < 2; k++) {
    driven s = points_scene(&p, 0.0, 0.0);
    s.options.gap_tol = k ? 1e-3 : -1.0;
    const double q[2] = {1.0, 5e-4}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    ck_assert_int_eq(nsdyn_event_driver_active(s.driver), k);
    ck_assert(nsdyn_event_driver_q(s.driver)[1] == (k ? 0.0 : 5e-4));
    scene_end(&s);
  }
}
END_TEST

/* Whether what rests is said to separate or to approach by rounding makes no difference. */
START_TEST(rounding_does_not_decide_who_takes_part)
{
  double u_end[3][3];
  for (int k = 0; k < 3; k++) {
    cradle p = {.count = 3, .mass = {1.0, 2.0, 1.5}};
    driven s = cradle_scene(&p);
    scene_law(&s, 0, law_of(0.0, 0.7));
    scene_law(&s, 1, law_of(0.0, 0.7));
    s.options.impact = NSDYN_IMPACT_POISSON;
    const double q[3] = {0.0, 0.0, 0.0}, u[3] = {1.0, 0.0, (k - 1) * 1e-17};
    scene_drive(&s, 0.0, q, u);
    scene_advance(&s, 0.0);
    memcpy(u_end[k], nsdyn_event_driver_u(s.driver), sizeof u_end[k]);
    scene_end(&s);
  }
  for (int i = 0; i < 3; i++) {
    ck_assert(fabs(u_end[0][i] - u_end[1][i]) <= 1e-14 && fabs(u_end[2][i] - u_end[1][i]) <= 1e-14);
  }
  ck_assert(u_end[1][2] > 0.37); /* what lies behind the ball that is hit flies off */
}
END_TEST

/* ---- contacts that are found, in any order ---- */

enum { DROPS = 40 };

/* Masses that fall from heights of their own on a floor; `find` reports them in another order at every call.
 */
typedef struct drops {
  uint64_t calls;
  int64_t key[DROPS];
} drops;

static int drops_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < DROPS; i++) {
    M[i * (DROPS + 1)] = 1.0;
  }
  return 0;
}

static int drops_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < DROPS; i++) {
    h[i] = -8.0;
  }
  return 0;
}

static int drops_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  drops *d = user;
  (void)t, (void)u;
  static const int strides[] = {1, 3, 7, 9}; /* all are met */
  const int begin = (int)(d->calls++ * 7 % DROPS), stride = strides[d->calls % 4];
  for (int n = 0; n < DROPS; n++) {
    const int i = (begin + n * stride) % DROPS;
    const double one = 1.0;
    const nsdyn_contact_block own = {.offset = i, .count = 1, .values = &one};
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = d->key[i];
    found.gap = q[i];
    found.blocks = 1;
    found.block = &own;
    if (found.gap <= margin && nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

/* Each lands at √(2 h / g), by its key, and stays; those that lie are told from those that fall, whatever the
 * order in which they are found. */
START_TEST(found_contacts_are_known_by_their_keys)
{
  for (int margin = 0; margin < 2; margin++) {
    drops own = {0};
    nsdyn_system_def def = table(DROPS, 0, &own);
    def.mass = drops_mass;
    def.force = drops_force;
    def.find = drops_find;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(0.0, 0.0);
    law.friction = NSDYN_FRICTION_NONE;
    int32_t number;
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &number), NSDYN_OK);
    s.options.margin = margin ? 0.3 : s.options.margin;
    double q[DROPS], u[DROPS];
    for (int i = 0; i < DROPS; i++) {
      q[i] = 0.01 + 0.05 * (i * 17 % DROPS);
      u[i] = 0.0;
      own.key[i] = INT64_C(1000000007) * (i * 23 % DROPS) - 5;
    }
    scene_drive(&s, 0.0, q, u);
    for (double t = 0.1; t < 0.85; t += 0.1) {
      scene_advance(&s, t);
      int lying = 0;
      for (int i = 0; i < DROPS; i++) {
        const double lands = sqrt(2.0 * q[i] / 8.0);
        nsdyn_contact_state state;
        nsdyn_contact_state_init(&state, sizeof state);
        ck_assert_int_eq(nsdyn_event_driver_found_contact(s.driver, own.key[i], &state), NSDYN_OK);
        REQUIRE(state.active == (lands < t), "t = %g: mass %d", t, i);
        REQUIRE(!state.active || fabs(state.force[0] - 8.0) <= 1e-12, "t = %g: %g", t, state.force[0]);
        lying += state.active;
      }
      ck_assert_int_eq(nsdyn_event_driver_active(s.driver), lying);
    }
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_IMPACT), DROPS);
    for (int k = 0; k < DROPS; k++) {
      const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_IMPACT, k);
      int i = 0;
      while (i < DROPS && own.key[i] != event.key) {
        i++;
      }
      REQUIRE(i < DROPS && fabs(event.t - sqrt(2.0 * q[i] / 8.0)) <= 1e-9, "impact %d", k);
    }
    scene_end(&s);
  }
}
END_TEST

/* ---- contacts that are no longer found ---- */

enum { SLEDS = 3, POSTS = 2 };

/* Sleds (x, y) on a rough floor, and roofs high above a part of each one's way: contacts with a roof are told
 * of, wide open, until its end is passed. */
typedef struct sleds {
  double end[SLEDS][POSTS];
  int32_t rough, smooth; /* laws */
} sleds;

static int sleds_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < 2 * SLEDS; i++) {
    M[i * (2 * SLEDS + 1)] = 1.0;
  }
  return 0;
}

static int sleds_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  for (int i = 0; i < SLEDS; i++) {
    h[2 * i] = 0.0;
    h[2 * i + 1] = -8.0;
  }
  return 0;
}

static int sleds_tell(nsdyn_contact_sink *sink, int i, int64_t key, double gap, int32_t law, double up)
{
  const double w[4] = {0.0, up, 1.0, 0.0}; /* w_N, then w_T */
  const nsdyn_contact_block own = {.offset = 2 * i, .count = 2, .values = w};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = key;
  found.gap = gap;
  found.law = law;
  found.blocks = 1;
  found.block = &own;
  return nsdyn_contact_sink_add(sink, &found);
}

static int sleds_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const sleds *s = user;
  int failed = 0;
  (void)t, (void)u, (void)margin;
  for (int i = 0; i < SLEDS && !failed; i++) {
    for (int k = 0; k < POSTS && !failed; k++) {
      failed = q[2 * i] < s->end[i][k]
                   ? sleds_tell(sink, i, 10 * i + 1 + k, 5.0 - q[2 * i + 1], s->smooth, -1.0)
                   : 0;
    }
    failed = failed ? failed : sleds_tell(sink, i, INT64_C(10) * i, q[2 * i + 1], s->rough, 1.0);
  }
  return failed;
}

/* Each sled has u = v − μ g t until it stops at v/(μ g), and that event is its own, known by its key: those
 * that have left a roof, with contacts that are no longer told of, change nothing of it. */
START_TEST(contacts_that_go_take_no_event_with_them)
{
  const double mu = 0.5, brake = 0.5 * 8.0;
  const int cases = random_cases(200);
  int left = 0;
  for (int n = 0; n < cases; n++) {
    random_state r = random_seed((uint64_t)n);
    sleds own;
    nsdyn_system_def def = table(2 * SLEDS, 0, &own);
    def.mass = sleds_mass;
    def.force = sleds_force;
    def.find = sleds_find;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(mu, 0.0);
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &own.rough), NSDYN_OK);
    law.friction = NSDYN_FRICTION_NONE;
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &own.smooth), NSDYN_OK);
    double q[2 * SLEDS] = {0.0}, u[2 * SLEDS] = {0.0};
    for (int i = 0; i < SLEDS; i++) {
      u[2 * i] = random_between(&r, 0.5, 3.0);
      const double way = u[2 * i] * u[2 * i] / (2.0 * brake); /* v²/(2 μ g) */
      for (int k = 0; k < POSTS; k++) {
        own.end[i][k] = random_between(&r, 0.0, 2.0) * way;
        left += own.end[i][k] < way;
      }
    }
    scene_drive(&s, 0.0, q, u);
    for (double t = 0.1; t < 0.9; t += 0.25) {
      scene_advance(&s, t);
      for (int i = 0; i < SLEDS; i++) {
        const double moves = fmin(t, u[2 * i] / brake), x = u[2 * i] * moves - 0.5 * brake * moves * moves;
        const double *now[2] = {nsdyn_event_driver_q(s.driver), nsdyn_event_driver_u(s.driver)};
        REQUIRE(fabs(now[0][2 * i] - x) <= 1e-12, "case %d, t = %g, sled %d: x is %g off", n, t, i,
                now[0][2 * i] - x);
        REQUIRE(fabs(now[1][2 * i] - (u[2 * i] - brake * moves)) <= 1e-12,
                "case %d, t = %g, sled %d: u is %g", n, t, i, now[1][2 * i]);
      }
    }
    for (int k = 0; k < SLEDS; k++) {
      const nsdyn_event event = event_of_kind(&s, NSDYN_EVENT_STICK, k);
      const int64_t i = event.key / 10;
      REQUIRE(event.kind && event.key % 10 == 0 && fabs(event.t - u[2 * i] / brake) <= 1e-12,
              "case %d: contact %lld stops at %g", n, (long long)event.key, event.t);
    }
    scene_end(&s);
  }
  ck_assert(is_common(left, cases, 2));
}
END_TEST

/* A shelf that ends at a wall: the mass on it is told to be there up to x = end, which may be ticks before
 * the wall or behind it. */
typedef struct shelf {
  double wall, end;
  int32_t rough, hard; /* laws */
} shelf;

static int shelf_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 1.0;
  return 0;
}

static int shelf_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 0.0;
  h[1] = -8.0;
  return 0;
}

static int shelf_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const shelf *s = user;
  const double on_top[4] = {0.0, 1.0, 1.0, 0.0}, beside[4] = {-1.0, 0.0, 0.0, 1.0}; /* w_N, then w_T */
  nsdyn_contact_block own = {.offset = 0, .count = 2, .values = beside};
  nsdyn_found_contact found;
  (void)t, (void)u, (void)margin;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 2;
  found.gap = s->wall - q[0];
  found.law = s->hard;
  found.blocks = 1;
  found.block = &own;
  const int failed = nsdyn_contact_sink_add(sink, &found);
  own.values = on_top;
  found.key = 1;
  found.gap = q[1];
  found.law = s->rough;
  return failed || q[0] > s->end ? failed : nsdyn_contact_sink_add(sink, &found);
}

/* It slides to the wall with −μ g, comes back with ε times its speed, and stops: v² = v₀² − 2 μ g x. The
 * shelf is lost as the event is located, or where the instant brings gaps to zero; it takes no impulse. */
START_TEST(contacts_may_go_at_the_event_of_another)
{
  const int cases = random_cases(300);
  int lost = 0;
  for (int n = 0; n < cases; n++) {
    random_state r = random_seed((uint64_t)n);
    const double brake = 8.0 * random_between(&r, 0.05, 0.5), eps = random_between(&r, 0.1, 0.9);
    const double t0 = pow(10.0, random_between(&r, 2.0, 6.0)), tick = DBL_EPSILON * t0;
    shelf own = {.wall = random_between(&r, 0.1, 2.0)};
    own.end = own.wall + 0.5 * tick * random_between(&r, -1.0, 1.0);
    nsdyn_system_def def = table(2, 0, &own);
    def.mass = shelf_mass;
    def.force = shelf_force;
    def.find = shelf_find;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(brake / 8.0, 0.0);
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &own.rough), NSDYN_OK);
    law = law_of(0.0, eps);
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &own.hard), NSDYN_OK);
    const double arrives = random_between(&r, 0.3, 3.0), stops = eps * arrives / brake;
    const double q[2] = {0.0, 0.0}, u[2] = {sqrt(arrives * arrives + 2.0 * brake * own.wall), 0.0};
    const double hits = (u[0] - arrives) / brake;
    scene_drive(&s, t0, q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, t0 + 1.25 * (hits + stops));
    REQUIRE(status == NSDYN_OK, "case %d: %s", n, nsdyn_event_driver_message(s.driver));
    const double x = own.wall - 0.5 * brake * stops * stops, off = nsdyn_event_driver_q(s.driver)[0] - x;
    REQUIRE(fabs(off) <= 1e-9 * own.wall + 64.0 * tick, "case %d: x is %g off", n, off);
    REQUIRE(nsdyn_event_driver_u(s.driver)[0] == 0.0 && fabs(nsdyn_event_driver_q(s.driver)[1]) <= 1e-12,
            "case %d: u = %g, y = %g", n, nsdyn_event_driver_u(s.driver)[0],
            nsdyn_event_driver_q(s.driver)[1]);
    lost += count_kind(&s, NSDYN_EVENT_OPEN) > 1;
    scene_end(&s);
  }
  ck_assert_msg(is_common(lost, cases, 40), "%d of %d", lost, cases);
}
END_TEST

/* A mass on a floor that `find` reports no more from t = 0.1 on. */
typedef struct vanishing {
  points p;
  const driven *s;
  int is_gone, fails;
} vanishing;

static int vanishing_mass(void *user, double t, const double *q, double *M)
{
  return points_mass(&((vanishing *)user)->p, t, q, M);
}

static int vanishing_force(void *user, double t, const double *q, const double *u, double *h)
{
  return points_force(&((vanishing *)user)->p, t, q, u, h);
}

static int vanishing_find(void *user, double t, const double *q, const double *u, double margin,
                          nsdyn_contact_sink *sink)
{
  vanishing *v = user;
  const double up[2] = {0.0, 1.0};
  const nsdyn_contact_block whole = {0, 2, up};
  nsdyn_found_contact found;
  (void)u, (void)margin;
  v->is_gone |= t > 0.1;
  if (v->is_gone) {
    return 0;
  }
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = 5;
  found.gap = q[1];
  found.blocks = 1;
  found.block = &whole;
  return nsdyn_contact_sink_add(sink, &found);
}

/* Nor is there an answer where the instant after that is. */
static int vanishing_configure(void *user, double t, const double *q)
{
  const vanishing *v = user;
  (void)q;
  return v->fails && v->is_gone && t <= nsdyn_event_driver_time(v->s->driver);
}

/* A contact that `find` no longer reports is lost once; what the instant after that fails of is told as what
 * it is. */
START_TEST(a_contact_is_lost_once)
{
  for (int fails = 0; fails < 2; fails++) {
    vanishing v = {.p = {.count = 1, .g = 9.81}, .fails = fails};
    nsdyn_system_def def = table(2, 0, &v);
    def.mass = vanishing_mass;
    def.force = vanishing_force;
    def.find = vanishing_find;
    def.configure = vanishing_configure;
    driven s = scene_of(&def);
    nsdyn_contact_law law = law_of(0.0, 0.0);
    int32_t number;
    v.s = &s;
    law.friction = NSDYN_FRICTION_NONE;
    ck_assert_int_eq(nsdyn_system_add_law(s.sys, &law, &number), NSDYN_OK);
    const double q[2] = {0.0, 0.0}, u[2] = {0.0, 0.0};
    scene_drive(&s, 0.0, q, u);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, 0.5);
    ck_assert_msg(status == (fails ? NSDYN_ERR_CALLBACK_RETRY : NSDYN_OK), "%s: %s",
                  nsdyn_status_name(status), nsdyn_event_driver_message(s.driver));
    ck_assert_int_eq(count_kind(&s, NSDYN_EVENT_OPEN), 1);
    ck_assert(!fails || strstr(nsdyn_event_driver_message(s.driver), "configure") != NULL);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/instant/gather", TEST(begins_closed_open_or_with_an_impact), TEST(gap_tol_closes_what_is_near),
      TEST(rounding_does_not_decide_who_takes_part), TEST(found_contacts_are_known_by_their_keys),
      TEST(contacts_that_go_take_no_event_with_them), TEST(contacts_may_go_at_the_event_of_another),
      TEST(a_contact_is_lost_once))
