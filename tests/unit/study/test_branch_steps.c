/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where a branch ends: what is extrapolated, and impacts that fade. */
#include "study/branch_steps.h"

#include "hammer_models.h"

/* ---- what the cycles before tell ----------------------------------------------------------------------- */

static double polynomial(const double *a, int degree, double x)
{
  double value = 0.0;
  for (int i = degree; i >= 0; i--) {
    value = value * x + a[i];
  }
  return value;
}

static nsd_profile nothing_near(void)
{
  const nsd_profile p = {.low = {.value = INFINITY, .contact = -1},
                         .slow = {.value = INFINITY, .contact = -1}};
  return p;
}

/* A parameter and a time that are polynomials in the gap or the speed are extrapolated exactly. */
START_TEST(polynomials_are_extrapolated_exactly)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state random = random_seed((uint64_t)k);
    const int n = 2 + k % 4, is_slow = k % 3 == 0, direction = k % 2 ? 1 : -1;
    double value[NSD_BRANCH_STEPS], at[NSD_BRANCH_STEPS], x = 1.0;
    for (int i = 0; i < n; i++) {
      value[i] = random_between(&random, -0.1, 0.1);
      at[i] = random_between(&random, -1.0, 1.0);
    }
    value[1] = -direction * random_between(&random, 1.0, 2.0); /* it is ahead */
    nsd_branch_steps trail = {.count = 0};
    nsd_graze graze;
    for (int i = 0; i < n; i++) {
      nsd_profile profile = nothing_near();
      nsd_approach *a = is_slow ? &profile.slow : &profile.low;
      a->value = x;
      a->at = polynomial(at, n - 1, x);
      a->contact = 3;
      a->key = 3;
      ck_assert_int_eq(nsd_branch_steps_predict(&trail, direction, &graze), i > 1);
      nsd_branch_steps_add(&trail, polynomial(value, n - 1, x), &profile);
      x *= random_between(&random, 0.3, 0.7);
    }
    REQUIRE(nsd_branch_steps_predict(&trail, direction, &graze), "case %d", k);
    REQUIRE(fabs(graze.value - value[0]) < 1e-12, "case %d: %g, not %g", k, graze.value, value[0]);
    REQUIRE(fabs(graze.at - at[0]) < 1e-12, "case %d: at %g, not %g", k, graze.at, at[0]);
    REQUIRE(graze.approach.contact == 3 && graze.approach.key == 3, "case %d", k);
    REQUIRE(!nsd_branch_steps_predict(&trail, -direction, &graze), "case %d: behind", k);
  }
}
END_TEST

static void add(nsd_branch_steps *trail, double value, double low, double slow, int contact)
{
  nsd_profile profile = nothing_near();
  profile.low.value = low;
  profile.low.contact = contact;
  profile.slow.value = slow;
  nsd_branch_steps_add(trail, value, &profile);
}

START_TEST(the_first_of_two_grazes_counts)
{
  for (int is_slow = 0; is_slow < 2; is_slow++) {
    nsd_branch_steps trail = {.count = 0};
    nsd_graze graze;
    add(&trail, 0.0, is_slow ? 9.0 : 3.0, is_slow ? 3.0 : 9.0, 0);
    add(&trail, 1.0, is_slow ? 8.0 : 2.0, is_slow ? 2.0 : 8.0, 0);
    ck_assert(nsd_branch_steps_predict(&trail, 1, &graze));
    ck_assert(fabs(graze.value - 3.0) < 1e-15 && graze.approach.value == 2.0);
  }
}
END_TEST

START_TEST(another_contact_or_a_rise_tells_nothing)
{
  nsd_branch_steps trail = {.count = 0};
  nsd_graze graze;
  add(&trail, 0.0, 3.0, INFINITY, 0);
  add(&trail, 1.0, 2.0, INFINITY, 1);
  ck_assert(!nsd_branch_steps_predict(&trail, 1, &graze));
  add(&trail, 2.0, 2.5, INFINITY, 1);
  ck_assert(!nsd_branch_steps_predict(&trail, 1, &graze));
}
END_TEST

START_TEST(a_trail_keeps_the_newest)
{
  nsd_branch_steps trail = {.count = 0};
  for (int i = 0; i < 2 * NSD_BRANCH_STEPS; i++) {
    add(&trail, i, 100.0 - i, INFINITY, 0);
  }
  ck_assert_int_eq(trail.count, NSD_BRANCH_STEPS);
  for (int i = 0; i < NSD_BRANCH_STEPS; i++) {
    ck_assert(trail.value[i] == NSD_BRANCH_STEPS + i &&
              trail.profile[i].low.value == 100.0 - NSD_BRANCH_STEPS - i);
  }
}
END_TEST

/* ---- impacts that fade --------------------------------------------------------------------------------- */

typedef struct fade {
  double *parameter;
  nsdyn_cycle_point graze;
  int grazes, visits, begins_with;
} fade;

static int set(void *user, double value)
{
  *((fade *)user)->parameter = value;
  return 0;
}

static int visit(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  fade *f = user;
  (void)cycle;
  f->begins_with = f->visits++ ? f->begins_with : point->impacts;
  if (point->change == NSDYN_CHANGE_GRAZING) {
    f->graze = *point;
    f->grazes++;
  }
  return f->grazes > 0;
}

/* From a cycle in flight at the first value, in `count` values. */
static void sweep_fade(exact_hammer *p, fade *f, double t, double z, double v, double from, double to,
                       int count)
{
  double values[64];
  nsdyn_cycle_path path;
  sought s = hammer_search(p);
  seek_by_phase(&s, p);
  s.options.max_time = 10.0 * s.options.forcing;
  const double w = p->omega, q = z + p->A * cos(w * t), u = v - p->A * w * sin(w * t);
  seek(&s, t, &q, &u);
  for (int i = 0; i < count; i++) {
    values[i] = from + i * (to - from) / (count - 1);
  }
  nsdyn_cycle_path_init(&path, sizeof path);
  path.count = count;
  path.values = values;
  path.user = f;
  path.set = set;
  path.visit = visit;
  const nsdyn_status status = nsdyn_cycle_sweep(s.cycle, &path);
  REQUIRE(status == NSDYN_OK || status == NSDYN_STOPPED, "%s", nsdyn_cycle_message(s.cycle));
  seek_end(&s);
}

static void check_fade(const exact_hammer *p, const fade *f, int k, double from, double at, double late,
                       int impacts)
{
  const double T = 2.0 * PI / p->omega, miss = fabs(f->graze.value - at);
  REQUIRE(miss <= f->graze.bound, "case %d: off by %g, bound %g", k, miss, f->graze.bound);
  REQUIRE(f->graze.bound < 0.4 * fabs(at - from), "case %d: bound %g", k, f->graze.bound);
  REQUIRE(fabs(remainder(f->graze.t - late, T)) < 1e-2 * T, "case %d: at %g, not %g", k, f->graze.t, late);
  REQUIRE(f->graze.contact == 0 && f->graze.key == 0 && f->graze.impacts == impacts, "case %d: %d impacts", k,
          f->graze.impacts);
}

/* Two impacts in a period, as exact_hammer.h has the flights between: the second comes `s` after the first,
 * at the gap speed −speed. */
typedef struct two_hits {
  long double x[4]; /* time of the first and gap speed after it, s, the parameter */
} two_hits;

static void flights(exact_hammer *p, double *parameter, const long double *x, long double speed,
                    long double *r)
{
  const long double T = 2.0L * (long double)PI / (long double)p->omega, eps = p->eps;
  const exact_hammer_cycle first = {.t = x[0], .after = x[1]},
                           second = {.t = x[0] + x[2], .after = eps * speed};
  long double v;
  *parameter = (double)x[3];
  exact_hammer_at(p, &first, x[2], &r[0], &v);
  r[1] = v + speed;
  exact_hammer_at(p, &second, T - x[2], &r[2], &v);
  r[3] = x[1] + eps * v;
}

/* x := A⁻¹ b of four, with pivoting. */
static int eliminate(long double A[4][5], long double *x)
{
  for (int i = 0; i < 4; i++) {
    int pivot = i;
    for (int r = i + 1; r < 4; r++) {
      pivot = fabsl(A[r][i]) > fabsl(A[pivot][i]) ? r : pivot;
    }
    if (fabsl(A[pivot][i]) < 1e-9L) {
      return 0;
    }
    for (int j = 0; j < 5; j++) {
      const long double a = A[i][j];
      A[i][j] = A[pivot][j];
      A[pivot][j] = a;
    }
    for (int r = 0; r < 4; r++) {
      const long double share = r == i ? 0.0L : A[r][i] / A[i][i];
      for (int j = i; j < 5; j++) {
        A[r][j] -= share * A[i][j];
      }
    }
  }
  for (int i = 0; i < 4; i++) {
    x[i] = A[i][4] / A[i][i];
  }
  return 1;
}

static int solve_two(exact_hammer *p, double *parameter, long double speed, two_hits *h)
{
  long double r[4] = {1.0L}, there[4], A[4][5], step[4];
  for (int tries = 0; tries < 30; tries++) {
    long double size = 0.0L;
    flights(p, parameter, h->x, speed, r);
    for (int k = 0; k < 4; k++) {
      long double x[4] = {h->x[0], h->x[1], h->x[2], h->x[3]};
      x[k] = k == 3 ? (double)(x[k] * 1.000001L) : x[k] + 1e-8L; /* the parameter is a double */
      flights(p, parameter, x, speed, there);
      for (int i = 0; i < 4; i++) {
        A[i][k] = (there[i] - r[i]) / (x[k] - (k == 3 ? (long double)(double)h->x[3] : h->x[k]));
      }
    }
    for (int i = 0; i < 4; i++) {
      A[i][4] = r[i];
      size = fmaxl(size, fabsl(r[i]));
    }
    if (size < 1e-14L) {
      break;
    }
    if (!eliminate(A, step)) {
      return 0;
    }
    for (int i = 0; i < 4; i++) {
      h->x[i] -= step[i];
    }
  }
  *parameter = (double)h->x[3];
  return fabsl(r[0]) + fabsl(r[1]) + fabsl(r[2]) + fabsl(r[3]) < 1e-13L;
}

/* Whether nothing else touches. */
static int is_clear(const exact_hammer *p, const two_hits *h, long double speed)
{
  const long double T = 2.0L * (long double)PI / (long double)p->omega, s = h->x[2];
  const exact_hammer_cycle first = {.t = h->x[0], .after = h->x[1]},
                           second = {.t = h->x[0] + s, .after = (long double)p->eps * speed};
  long double z, v;
  int is = s > 0.05L * T && s < 0.95L * T && h->x[1] > 0.02L;
  for (int i = 1; i < 200 && is; i++) {
    exact_hammer_at(p, &first, s * i / 200.0L, &z, &v);
    is = z > 0.0L;
    exact_hammer_at(p, &second, (T - s) * i / 200.0L, &z, &v);
    is = is && z > 0.0L;
  }
  return is;
}

/* From the graze back to where the second impact is fast, by the speed; the parameter goes one way. */
static int leave_graze(exact_hammer *p, double *parameter, long double fast, two_hits *h)
{
  enum { STEPS = 30 };
  const long double at = h->x[3];
  long double before = 0.0L;
  for (int i = 1; i <= STEPS; i++) {
    const long double speed = fast * i / STEPS;
    if (!solve_two(p, parameter, speed, h) || !is_clear(p, h, speed)) {
      return 0;
    }
    const long double away = h->x[3] - at;
    if ((i > 1 && !(away * before > 0.0L)) || !(fabsl(away) > fabsl(before))) {
      return 0;
    }
    before = away;
  }
  return 1;
}

/* The second impact of a cycle fades where the cycle with one impact, in closed form, grazes. */
START_TEST(a_second_impact_fades_where_the_closed_form_grazes)
{
  const int cases = random_cases(800);
  int count = 0, found = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    const int sign = k % 2 ? 1 : -1;
    p.omega *= 0.4;
    double *parameter = hammer_amplitude(&p);
    const double middle = *parameter,
                 at = exact_hammer_find(&p, sign, parameter, middle, 1.3 * middle, EXACT_HAMMER_GRAZE);
    exact_hammer_cycle orbit;
    if (isnan(at)) {
      continue;
    }
    *parameter = at;
    if (!exact_hammer_solve(&p, sign, &orbit) || fabsl(orbit.low_gap) > 1e-10L || orbit.before > -0.1L) {
      continue;
    }
    two_hits h = {.x = {orbit.t, orbit.after, orbit.low_at, at}};
    const long double fast = -orbit.before * (long double)random_between(&random, 0.1, 0.4);
    if (!leave_graze(&p, parameter, fast, &h)) {
      continue;
    }
    const double from = *parameter, to = at + random_between(&random, 0.1, 1.0) * (at - from);
    static const int counts[3] = {2, 6, 40};
    const exact_hammer_cycle first = {.t = h.x[0], .after = h.x[1]};
    long double z, v;
    exact_hammer_at(&p, &first, 0.4L * h.x[2], &z, &v);
    fade f = {.parameter = parameter};
    sweep_fade(&p, &f, (double)(h.x[0] + 0.4L * h.x[2]), (double)z, (double)v, from, to, counts[k % 3]);
    if (f.begins_with != 2) { /* it is so unstable that another one was found */
      continue;
    }
    count++;
    if (f.grazes && f.graze.impacts == f.begins_with) { /* else a search has hopped to another branch */
      found++;
      check_fade(&p, &f, k, from, at, (double)(orbit.t + orbit.low_at), 2);
    }
  }
  ck_assert_int_ge(count, is_brief() ? 0 : cases / 200);
  ck_assert_int_ge(found, cases < 800 ? 0 : 1); /* others are lost, which is told */
}
END_TEST

/* The only impact of a cycle fades where the swing without one touches. */
START_TEST(an_only_impact_fades_where_the_swing_touches)
{
  const int cases = random_cases(200);
  int count = 0, found = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = {
        .k = random_between(&random, 0.5, 3.0), .c = random_between(&random, 0.1, 1.0), .turns = 1};
    p.G = random_between(&random, 0.2, 1.0);
    p.omega = random_between(&random, 0.5, 3.0);
    p.eps = random_between(&random, 0.1, 0.9);
    double phase;
    const double at = touching_amplitude(&p, &phase), side = k % 2 ? 1.0 : -1.0;
    const double away = side * random_between(&random, 0.02, 0.2) * at;
    const int sign = k % 4 < 2 ? 1 : -1;
    exact_hammer_cycle orbit;
    long double faster = 0.0L;
    int is_fair = 1;
    for (int i = 0; i <= 20 && is_fair; i++) { /* it is there, clear, and fades on the way */
      p.F = at + away * (i == 0 ? 1e-6 : i / 20.0);
      is_fair = exact_hammer_solve(&p, sign, &orbit) && exact_hammer_is_clear(&p, &orbit, 0.0) &&
                -orbit.before > faster && (i > 0 || -orbit.before < 1e-3L);
      faster = -orbit.before;
    }
    if (!is_fair) {
      continue;
    }
    static const int counts[3] = {2, 6, 40};
    const long double later = 0.4L * orbit.period;
    const double from = at + away, to = at - random_between(&random, 0.1, 1.0) * away;
    long double z, v;
    exact_hammer_at(&p, &orbit, later, &z, &v);
    fade f = {.parameter = &p.F};
    sweep_fade(&p, &f, (double)(orbit.t + later), (double)z, (double)v, from, to, counts[k % 3]);
    if (f.begins_with != 1) { /* it is so unstable that another one was found */
      continue;
    }
    count++;
    if (f.grazes && f.graze.impacts == f.begins_with) { /* else a search has hopped to another branch */
      found++;
      check_fade(&p, &f, k, from, at, phase / p.omega, 1);
    }
  }
  ck_assert_int_ge(count, is_brief() ? 0 : cases / 200);
  ck_assert_int_ge(2 * found, cases < 200 ? 0 : count);
}
END_TEST

SUITE("study/branch_steps", TEST(polynomials_are_extrapolated_exactly), TEST(the_first_of_two_grazes_counts),
      TEST(another_contact_or_a_rise_tells_nothing), TEST(a_trail_keeps_the_newest),
      TEST(an_only_impact_fades_where_the_swing_touches),
      TEST(a_second_impact_fades_where_the_closed_form_grazes))
