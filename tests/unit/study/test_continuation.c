/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A cycle along a parameter, and where its stability changes. */
#include "hammer_models.h"
#include "study/object.h"

enum { MOST = 64 };

/* What a sweep told; `set` writes the parameter. */
typedef struct tale {
  double *parameter;
  double jump_at, low, high; /* where jump_at is not 0: low before it, high from it on */
  double hole_end, hole;     /* but this between the two */
  int count, stop_at, refuse_at, sets;
  nsdyn_cycle_point point[MOST];
  nsdyn_cycle_find_report result[MOST];
  double largest[MOST];
  double told_at[MOST]; /* the parameter then */
} tale;

static int set(void *user, double value)
{
  tale *t = user;
  t->sets++;
  if (t->refuse_at && t->sets == t->refuse_at) {
    return -3;
  }
  *t->parameter = t->jump_at == 0.0     ? value
                  : value < t->jump_at  ? t->low
                  : value < t->hole_end ? t->hole
                                        : t->high;
  return 0;
}

static int visit(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  tale *t = user;
  int32_t n;
  REQUIRE(t->count < MOST, "too many visits");
  t->point[t->count] = *point;
  nsdyn_cycle_find_report_init(&t->result[t->count], sizeof t->result[t->count]);
  REQUIRE(nsdyn_cycle_report(cycle, &t->result[t->count]) == NSDYN_OK, "no report");
  const double *l = nsdyn_cycle_multipliers(cycle, &n);
  t->largest[t->count] = n ? l[0] : NAN;
  t->told_at[t->count] = *t->parameter;
  return ++t->count == t->stop_at;
}

static nsdyn_cycle_path path_of(tale *t, int count, const double *values)
{
  nsdyn_cycle_path path;
  ck_assert_int_eq(nsdyn_cycle_path_init(&path, sizeof path), NSDYN_OK);
  path.count = count;
  path.values = values;
  path.user = t;
  path.set = set;
  path.visit = visit;
  return path;
}

static void sweep(sought *s, const nsdyn_cycle_path *path)
{
  const nsdyn_status status = nsdyn_cycle_sweep(s->cycle, path);
  ck_assert_msg(status == NSDYN_OK, "%s", nsdyn_cycle_message(s->cycle));
}

/* The changes of a tale, one expected. */
static const nsdyn_cycle_point *only_change(const tale *t)
{
  const nsdyn_cycle_point *change = NULL;
  for (int i = 0; i < t->count; i++) {
    if (t->point[i].change) {
      ck_assert(change == NULL);
      change = &t->point[i];
    }
  }
  ck_assert(change != NULL);
  return change;
}

/* ---- changes in closed form ---------------------------------------------------------------------------- */

/* Upwards and downwards, for several restitutions: period doubling where trace = −1 − det. */
START_TEST(the_balls_period_doubles_at_the_closed_forms_amplitude)
{
  for (int i = 0; i < 6; i++) {
    const int is_down = i % 2, softer = i / 2;
    table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.3 + 0.2 * softer};
    const double fold = table_fold(&p), flip = table_flip(&p);
    double values[9];
    tale t = {.parameter = &p.A};
    for (int k = 0; k < 9; k++) {
      const double share = 0.55 + 0.1 * (is_down ? 8 - k : k); /* flip at 1 */
      values[k] = fold + share * (flip - fold);
    }
    p.A = values[0];
    sought s = table_search(&p);
    table_guess(&s, &p, 0.002);
    nsdyn_cycle_path path = path_of(&t, 9, values);
    path.tol = 1e-8;
    sweep(&s, &path);
    ck_assert_int_eq(t.count, 10);
    const nsdyn_cycle_point *change = only_change(&t);
    ck_assert_int_eq(change->change, NSDYN_CHANGE_FLIP);
    ck_assert_double_le(fabs(change->value - flip), change->bound);
    ck_assert_double_lt(change->bound, 1e-7 * fabs(values[1] - values[0]));
    ck_assert_int_eq(change->index, is_down ? 4 : 5);
    ck_assert_int_eq(change->stable, is_down);
    ck_assert_int_eq(change->status, NSDYN_OK);
    const int at = (int)(change - t.point);
    ck_assert_int_eq(at, change->index); /* before that value's own */
    ck_assert_double_lt(fabs(t.largest[at] + 1.0), 1e-6);
    for (int k = 0; k < 10; k++) {
      const nsdyn_cycle_point *q = &t.point[k];
      if (k != at) {
        ck_assert(q->value == values[q->index] && q->status == NSDYN_OK && q->bound == 0.0);
        ck_assert_int_eq(q->stable, q->value < flip);
        ck_assert_int_eq(t.result[k].unstable, q->value < flip ? 0 : 1);
        p.A = q->value;
        ck_assert_double_lt(fabs(t.result[k].period - s.options.forcing), 1e-9);
      }
    }
    ck_assert(p.A == values[8] && nsdyn_cycle_u(s.cycle)[0] > 0.0);
    seek_end(&s);
  }
}
END_TEST

/* The jackhammer, or one like it, and hundreds of others, at default options: the flip in closed form
 * is within the bound, along the amplitude or the restitution. */
typedef struct hit {
  nsdyn_system *sys;
  exact_hammer *p;
  double *parameter;
  nsdyn_cycle_point change;
  int changes;
} hit;

static int set_hammer(void *user, double value)
{
  hit *h = user;
  *h->parameter = value;
  const nsdyn_contact_law law = law_of(0.0, h->p->eps);
  return nsdyn_system_set_contact(h->sys, 0, &law);
}

static int set_force(void *user, double value)
{
  *((hit *)user)->parameter = value;
  return 0;
}

static int visit_hammer(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  hit *h = user;
  (void)cycle;
  if (point->change) {
    h->change = *point;
    h->changes++;
  }
  return 0;
}

static nsdyn_cycle_path hammer_path(hit *h, const double *values, int count)
{
  nsdyn_cycle_path path;
  ck_assert_int_eq(nsdyn_cycle_path_init(&path, sizeof path), NSDYN_OK);
  path.count = count;
  path.values = values;
  path.user = h;
  path.set = set_hammer;
  path.visit = visit_hammer;
  return path;
}

static double period_of_hammer(void *user, double value)
{
  (void)value;
  return 2.0 * PI / ((const hit *)user)->p->omega;
}

static int is_fair_at(exact_hammer *p, int sign, double *parameter, double value)
{
  exact_hammer_cycle orbit;
  *parameter = value;
  return hammer_is_fair(p, sign, &orbit);
}

START_TEST(flips_are_within_their_bounds)
{
  const int cases = random_cases(3000);
  double *excess = malloc((size_t)cases * sizeof *excess);
  int count = 0;
  ck_assert(excess != NULL);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    const int sign = k % 2 ? 1 : -1;
    double *const parameters[3] = {&p.eps, hammer_amplitude(&p), &p.omega}, *parameter = parameters[k % 3];
    const double from = *parameter,
                 flip = exact_hammer_find(&p, sign, parameter, 0.7 * from,
                                          fmin(2.5 * from, k % 3 ? INFINITY : 0.95), EXACT_HAMMER_FLIP);
    const double width = random_between(&random, 0.002, 0.02) * flip;
    const double share = random_between(&random, 0.2, 0.8);
    double values[2] = {flip - share * width, flip + (1.0 - share) * width};
    if (!(flip > 0.0) || !is_fair_at(&p, sign, parameter, values[1]) ||
        !is_fair_at(&p, sign, parameter, values[0])) {
      continue;
    }
    exact_hammer_cycle orbit;
    exact_hammer_solve(&p, sign, &orbit);
    sought s = hammer_search(&p);
    hit h = {.sys = s.sys, .p = &p, .parameter = parameter};
    nsdyn_cycle_path path = hammer_path(&h, values, 2);
    path.tol = k % 4 ? 1e-10 : 1e-6;
    path.forcing = parameter == &p.omega ? period_of_hammer : NULL;
    hammer_guess(&s, &p, &orbit, 1e-5);
    const nsdyn_status status = nsdyn_cycle_sweep(s.cycle, &path);
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_cycle_message(s.cycle));
    REQUIRE(h.changes == 1 && h.change.change == NSDYN_CHANGE_FLIP, "case %d: %d changes", k, h.changes);
    const double miss = fabs(h.change.value - flip);
    REQUIRE(miss <= h.change.bound, "case %d: off by %g, bound %g", k, miss, h.change.bound);
    excess[count++] = h.change.bound / fmax(miss, 1e-16 * flip);
    seek_end(&s);
  }
  qsort(excess, (size_t)count, sizeof *excess, is_less);
  ck_assert_int_ge(count, is_brief() ? 0 : random_cases(3000) / 50);
  ck_assert(count == 0 || excess[count / 2] < 1e3);
  free(excess);
}
END_TEST

/* ---- grazing ------------------------------------------------------------------------------------------- */

typedef struct grazed {
  hit base;
  nsdyn_cycle_point graze;
  int grazes, changes, visits, found;
} grazed;

static int visit_grazed(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  grazed *g = user;
  (void)cycle;
  if (point->change == NSDYN_CHANGE_GRAZING && g->grazes++ == 0) {
    g->graze = *point;
  }
  g->changes += point->change != 0;
  g->visits += point->change == 0;
  return g->grazes > 0; /* what comes beyond is another story */
}

/* In steps of `share` of the way: the graze in closed form lies in the middle of it. */
static void sweep_grazing(sought *s, grazed *g, double from, double to, int count)
{
  double values[200];
  for (int i = 0; i < count; i++) {
    values[i] = from + i * (to - from) / (count - 1);
  }
  nsdyn_cycle_path path = hammer_path(&g->base, values, count);
  path.visit = visit_grazed;
  path.forcing = g->base.parameter == &g->base.p->omega ? period_of_hammer : NULL;
  const nsdyn_status status = nsdyn_cycle_sweep(s->cycle, &path);
  ck_assert_msg(status == NSDYN_STOPPED || status == NSDYN_OK, "%s", nsdyn_cycle_message(s->cycle));
}

START_TEST(grazes_between_impacts_are_within_their_bounds)
{
  const int cases = random_cases(800);
  int count = 0, found = 0;
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    const int sign = k % 2 ? 1 : -1;
    p.omega *= 0.4;
    double *parameter = k % 4 ? hammer_amplitude(&p) : &p.omega;
    const double middle = *parameter;
    double at = exact_hammer_find(&p, sign, parameter, middle, 1.3 * middle, EXACT_HAMMER_GRAZE);
    if (isnan(at)) {
      continue;
    }
    exact_hammer_cycle orbit;
    double from = NAN;
    for (int side = -1; side <= 1; side += 2) {
      if (is_fair_at(&p, sign, parameter, at + side * 0.05 * at)) {
        from = at + side * 0.05 * at;
      }
    }
    *parameter = at;
    if (isnan(from) || !exact_hammer_solve(&p, sign, &orbit) || fabsl(orbit.low_gap) > 1e-10L ||
        orbit.before > -0.1L) {
      continue;
    }
    const long double low_at = orbit.low_at;
    const double to = at - random_between(&random, 0.2, 3.0) * (from - at);
    int is_fair = 1;
    for (int i = 1; i <= 20; i++) { /* no other graze, no end, on the way there */
      *parameter = from + i * 0.0499 * (at - from);
      is_fair = is_fair && exact_hammer_solve(&p, sign, &orbit) && exact_hammer_is_clear(&p, &orbit, 0.0) &&
                fabsl(orbit.trace) < 30.0L;
    }
    if (!is_fair) {
      continue;
    }
    *parameter = from;
    exact_hammer_solve(&p, sign, &orbit);
    sought s = hammer_search(&p);
    s.options.max_time = 10.0 * s.options.forcing;
    grazed g = {.base = {.sys = s.sys, .p = &p, .parameter = parameter}};
    hammer_guess(&s, &p, &orbit, 1e-5);
    const int steps = k % 3 == 0 ? 2 : k % 3 == 1 ? 7 : 40;
    sweep_grazing(&s, &g, from, to, steps);
    count++;
    REQUIRE(g.grazes == 1, "case %d: no graze is seen at %g", k, at);
    {
      const double miss = fabs(g.graze.value - at);
      found++;
      REQUIRE(miss <= g.graze.bound, "case %d: off by %g, bound %g", k, miss, g.graze.bound);
      REQUIRE(fabs(g.graze.t - (double)low_at) < 1e-4 * s.options.forcing, "case %d: at %g, not %g", k,
              g.graze.t, (double)low_at);
      REQUIRE(g.graze.contact == 0 && g.graze.key == 0 && g.graze.impacts == 1, "case %d", k);
    }
    seek_end(&s);
  }
  ck_assert_int_eq(found, count);
  ck_assert_int_ge(count, is_brief() ? 0 : random_cases(800) / 200);
}
END_TEST

/* A mass that swings ever wider begins to touch the floor. */
START_TEST(a_contact_that_was_not_hit_begins_to_graze)
{
  for (int k = 0; k < random_cases(40); k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = {
        .k = random_between(&random, 0.5, 3.0), .c = random_between(&random, 0.1, 1.0), .turns = 1};
    p.G = random_between(&random, 0.2, 1.0);
    p.omega = random_between(&random, 0.5, 3.0);
    p.eps = random_between(&random, 0.1, 0.9);
    double phase;
    const double at = touching_amplitude(&p, &phase);
    const int is_found = k % 2;
    sought s = swinging_search(&p, is_found);
    static const int counts[4] = {2, 3, 10, 60};
    double values[60];
    const int count = counts[k % 4];
    for (int i = 0; i < count; i++) {
      values[i] = at * (0.5 + random_between(&random, 0.51, 1.5) * i / (count - 1));
    }
    p.F = values[0];
    const double q = p.G / p.k, u = 0.0;
    seek(&s, -0.1, &q, &u);
    grazed g = {.base = {.sys = s.sys, .p = &p, .parameter = &p.F}};
    nsdyn_cycle_path path = hammer_path(&g.base, values, count);
    path.set = is_found ? set_force : set_hammer;
    path.visit = visit_grazed;
    const nsdyn_status status = nsdyn_cycle_sweep(s.cycle, &path);
    REQUIRE(status == NSDYN_STOPPED, "case %d: %s: %s", k, nsdyn_status_name(status),
            nsdyn_cycle_message(s.cycle));
    const double miss = fabs(g.graze.value - at);
    REQUIRE(miss <= g.graze.bound && g.graze.bound < 1e-4 * at, "case %d: off by %g, bound %g", k, miss,
            g.graze.bound);
    REQUIRE(fabs(remainder(g.graze.t - phase / p.omega, s.options.forcing)) < 1e-4, "case %d: at %g", k,
            g.graze.t);
    REQUIRE(g.graze.contact == (is_found ? -1 : 0) && g.graze.key == (is_found ? 7 : 0), "case %d", k);
    REQUIRE(g.graze.impacts == 0 && g.changes == 1, "case %d", k);
    seek_end(&s);
  }
}
END_TEST

/* ---- the frequency ------------------------------------------------------------------------------------- */

/* Period, phase and speed of the impact at each frequency, against the closed form; where it began is far
 * away in time, and the phase goes with it. */
typedef struct response {
  hit base;
  int sign, visits, misses;
} response;

static int compare_response(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  response *r = user;
  exact_hammer_cycle orbit;
  nsdyn_cycle_find_report result = {.size = sizeof result};
  if (point->change) {
    return 0;
  }
  r->visits++;
  REQUIRE(exact_hammer_solve(r->base.p, r->sign, &orbit), "no orbit at %g", point->value);
  REQUIRE(nsdyn_cycle_report(cycle, &result) == NSDYN_OK, "no report");
  const double T = (double)orbit.period;
  const double late = remainder(nsdyn_cycle_time(cycle) - (double)orbit.t, T);
  const double w_hat = r->base.p->A * r->base.p->omega * sin(r->base.p->omega * nsdyn_cycle_time(cycle));
  if (point->status || fabs(late) > 1e-7 * T) {
    r->misses++;
    return 0;
  }
  REQUIRE(fabs(result.period - T) < 1e-9 * T && result.windings == 1, "%g", point->value);
  REQUIRE(fabs(nsdyn_cycle_u(cycle)[0] + w_hat - (double)orbit.after) < 1e-6 * (double)orbit.after, "%g",
          point->value);
  return 0;
}

START_TEST(a_frequency_is_swept)
{
  int count = 0, misses = 0, visits = 0;
  for (int k = 0; k < random_cases(600) && count < 40; k++) {
    random_state random = random_seed((uint64_t)k);
    exact_hammer p = random_hammer(&random);
    const int sign = k % 2 ? 1 : -1;
    const double from = p.omega, to = random_between(&random, 0.85, 1.2) * from;
    double values[12];
    int is_fair = 1;
    for (int i = 11; i >= 0; i--) {
      values[i] = from + i / 11.0 * (to - from);
      is_fair = is_fair && is_fair_at(&p, sign, &p.omega, values[i]);
    }
    exact_hammer_cycle orbit;
    if (!is_fair || !exact_hammer_solve(&p, sign, &orbit)) {
      continue;
    }
    sought s = hammer_search(&p);
    response r = {.base = {.sys = s.sys, .p = &p, .parameter = &p.omega}, .sign = sign};
    nsdyn_cycle_path path = hammer_path(&r.base, values, 12);
    path.forcing = period_of_hammer;
    path.visit = compare_response;
    orbit.t += (count % 2 ? 100.0L : 0.0L) * orbit.period;
    hammer_guess(&s, &p, &orbit, 1e-5);
    const nsdyn_status status = nsdyn_cycle_sweep(s.cycle, &path);
    REQUIRE(status == NSDYN_OK, "case %d: %s", k, nsdyn_cycle_message(s.cycle));
    misses += r.misses;
    visits += r.visits;
    count++;
    seek_end(&s);
  }
  ck_assert(count > 0);
  ck_assert_int_eq(visits, 12 * count);
  ck_assert_int_eq(misses, 0);
}
END_TEST

static double bad_period(void *user, double value)
{
  (void)user;
  return value < 2.0 ? 1.0 : -1.0;
}

static double period_of_frequency(void *user, double value)
{
  (void)user;
  return 2.0 * PI / value;
}

/* However coarse the steps: searches from one value to the next, or back into the bracket of a change, may
 * lead to cycles of other branches, of which there are many. */
START_TEST(coarse_steps_of_a_frequency_stay_on_the_branch)
{
  static const int counts[5] = {2, 2, 2, 3, 7};
  for (int i = 0; i < random_cases(100); i++) {
    random_state random = random_seed((uint64_t)i);
    table_ball p = {.omega = 1.0, .g = 9.81, .eps = random_between(&random, 0.6, 0.9)};
    p.A = 0.001 * pow(200.0, random_between(&random, 0.0, 1.0));
    /* the fold and the flip of amplitudes lie at c/ω² = A */
    const double fold = sqrt(table_fold(&p) / p.A), flip = sqrt(table_flip(&p) / p.A);
    const double from = fold + random_between(&random, 0.3, 0.8) * (flip - fold);
    const double to = flip + random_between(&random, 0.2, 1.0) * (flip - from);
    const int count = counts[i % 5];
    double values[7];
    for (int k = 0; k < count; k++) {
      values[k] = from + (to - from) * k / (count - 1);
    }
    tale t = {.parameter = &p.omega};
    p.omega = from;
    sought s = table_search(&p);
    table_guess(&s, &p, 0.0);
    nsdyn_cycle_path path = path_of(&t, count, values);
    path.forcing = period_of_frequency;
    sweep(&s, &path);
    const nsdyn_cycle_point *change = only_change(&t);
    REQUIRE(change->change == NSDYN_CHANGE_FLIP, "case %d: %s", i,
            nsdyn_stability_change_name(change->change));
    REQUIRE(fabs(change->value - flip) <= change->bound && change->bound <= 1e-5 * flip,
            "case %d: %.12g ± %.3g, in truth %.12g", i, change->value, change->bound, flip);
    for (int k = 0; k < t.count; k++) {
      p.omega = t.point[k].value;
      REQUIRE(t.point[k].status == NSDYN_OK && fabs(t.result[k].period * p.omega / (2.0 * PI) - 1.0) < 1e-6,
              "case %d: value %d has another cycle", i, k);
    }
    seek_end(&s);
  }
}
END_TEST

START_TEST(a_period_that_is_none_is_refused)
{
  exact_hammer p = {.omega = 2.0 * PI, .G = -9.81, .A = 0.5, .eps = 0.5, .turns = 1};
  exact_hammer_cycle orbit;
  const double values[2] = {1.5, 2.5};
  ck_assert(exact_hammer_solve(&p, 1, &orbit));
  sought s = hammer_search(&p);
  double unused = 0.0;
  hit h = {.sys = s.sys, .p = &p, .parameter = &unused};
  nsdyn_cycle_path path = hammer_path(&h, values, 2);
  path.forcing = bad_period;
  hammer_guess(&s, &p, &orbit, 0.0);
  ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_ARGUMENT);
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle),
                   "path forcing: the period at the value 2.5 is -1, but must be a duration > 0");
  s.options.forcing = INFINITY;
  ck_assert_int_eq(nsdyn_cycle_set_options(s.cycle, &s.options), NSDYN_OK);
  ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_ARGUMENT);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "option forcing has to be finite") != NULL);
  seek_end(&s);
}
END_TEST

/* ẍ = −k x − 2 δ ẋ + F cos t: multipliers exp(2π (−δ ± √(δ² − k))). A pair passes the circle at δ = 0, a real
 * one passes 1 at k = 0. */
START_TEST(a_swing_loses_its_stability_both_ways)
{
  for (int is_pair = 0; is_pair < 2; is_pair++) {
    swing p = {.k = 1.3, .delta = 0.15, .F = is_pair ? 1.0 : 0.0};
    tale t = {.parameter = is_pair ? &p.delta : &p.k};
    const double values[4] = {0.02, 0.01, -0.015, -0.02}, zero = 0.0;
    sought s = swing_search(&p);
    swing_options(&s);
    seek(&s, 0.0, &zero, &zero);
    nsdyn_cycle_path path = path_of(&t, 4, values);
    path.tol = 1e-7;
    sweep(&s, &path);
    ck_assert_int_eq(t.count, 5);
    const nsdyn_cycle_point *change = only_change(&t);
    ck_assert_int_eq(change->change, is_pair ? NSDYN_CHANGE_TORUS : NSDYN_CHANGE_FOLD);
    ck_assert_double_lt(fabs(change->value), 1e-8);
    ck_assert_int_eq(change->index, 2);
    ck_assert_int_eq(change->stable, 0);
    ck_assert_int_eq(t.result[4].unstable, is_pair ? 2 : 1);
    seek_end(&s);
  }
}
END_TEST

/* A parameter that means two things: multipliers change without passing the unit circle. */
START_TEST(a_jump_is_no_flip)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  tale t = {.parameter = &p.A, .jump_at = 0.3};
  const double values[3] = {0.0, 0.25, 0.5};
  t.low = p.A = 0.9 * table_flip(&p);
  t.high = 1.03 * table_flip(&p);
  sought s = table_search(&p);
  table_guess(&s, &p, 0.002);
  const nsdyn_cycle_path path = path_of(&t, 3, values);
  sweep(&s, &path);
  ck_assert_int_eq(t.count, 4);
  const nsdyn_cycle_point *change = only_change(&t);
  ck_assert_int_eq(change->change, NSDYN_CHANGE_JUMP);
  ck_assert_double_lt(fabs(change->value - 0.3), 1e-6);
  ck_assert_double_lt(change->bound, 1e-6);
  ck_assert_int_eq(change->stable, 0);
  seek_end(&s);
}
END_TEST

/* Between the two there is nothing: the change is somewhere there, and the bound says where. */
START_TEST(a_change_across_a_hole_is_told_as_well_as_it_can_be)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  tale t = {.parameter = &p.A, .jump_at = 0.3, .hole_end = 0.45};
  const double values[3] = {0.0, 0.25, 0.5};
  t.low = p.A = 0.98 * table_flip(&p);
  t.high = 1.02 * table_flip(&p);
  t.hole = 0.9 * table_fold(&p);
  sought s = table_search(&p);
  table_guess(&s, &p, 0.002);
  const nsdyn_cycle_path path = path_of(&t, 3, values);
  sweep(&s, &path);
  ck_assert_int_eq(t.count, 4);
  const nsdyn_cycle_point *change = only_change(&t);
  ck_assert_int_eq(change->change, NSDYN_CHANGE_JUMP);
  ck_assert(change->bound >= 0.15 && change->bound <= 0.25);
  ck_assert(fabs(change->value - 0.3) <= change->bound && change->stable == 0);
  ck_assert_int_eq(t.point[3].status, NSDYN_OK);
  /* The cycle that is told is that of the value, with its parameter and multipliers, not of a search between
   * that failed. */
  for (int i = 0; i < t.count; i++) {
    const double A = t.told_at[i], value = t.point[i].value;
    ck_assert_msg(A == (value < 0.3 ? t.low : t.high), "point %d at %g: parameter %g", i, value, A);
    const double exact = t.point[i].stable ? t.largest[0] : t.largest[3];
    ck_assert_msg(fabs(t.largest[i] - exact) <= 1e-6, "point %d at %g: |λ| = %g, but %g", i, value,
                  t.largest[i], exact);
  }
  seek_end(&s);
}
END_TEST

/* Below the fold there is nothing to find: said, and passed over. */
START_TEST(a_value_without_a_cycle_is_visited_all_the_same)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  const double fold = table_fold(&p);
  const double values[4] = {1.06 * fold, 0.9 * fold, 1.05 * fold, 1.04 * fold};
  tale t = {.parameter = &p.A};
  p.A = values[0];
  sought s = table_search(&p);
  table_guess(&s, &p, 0.002);
  const nsdyn_cycle_path path = path_of(&t, 4, values);
  sweep(&s, &path);
  ck_assert_int_eq(t.count, 4);
  for (int k = 0; k < 4; k++) {
    ck_assert_int_eq(t.point[k].index, k);
    ck_assert_int_eq(t.point[k].change, NSDYN_CHANGE_NONE);
    ck_assert_int_eq(t.point[k].status == NSDYN_OK, k != 1);
    ck_assert_int_eq(t.point[k].stable, k != 1);
    if (k != 1) {
      p.A = values[k];
      ck_assert_double_lt(fabs(t.result[k].period - s.options.forcing), 1e-9);
    }
  }
  ck_assert_str_eq(nsdyn_cycle_message(s.cycle), "");
  seek_end(&s);
}
END_TEST

/* ---- the host's word ----------------------------------------------------------------------------------- */

START_TEST(the_visitor_ends_it)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  const double flip = table_flip(&p), values[3] = {0.98 * flip, 1.01 * flip, 1.02 * flip};
  for (int stop = 1; stop <= 3; stop++) { /* at the first, at the change, at the second */
    tale t = {.parameter = &p.A, .stop_at = stop};
    p.A = values[0];
    sought s = table_search(&p);
    table_guess(&s, &p, 0.002);
    const nsdyn_cycle_path path = path_of(&t, 3, values);
    ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_STOPPED);
    ck_assert_int_eq(t.count, stop);
    seek_end(&s);
  }
}
END_TEST

START_TEST(a_setter_that_refuses_ends_it)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  const double flip = table_flip(&p), values[3] = {0.98 * flip, 1.01 * flip, 1.02 * flip};
  static const int at[3] = {1, 2, 4}; /* the first, the second, within the change */
  for (int i = 0; i < 3; i++) {
    tale t = {.parameter = &p.A, .refuse_at = at[i]};
    p.A = values[0];
    sought s = table_search(&p);
    table_guess(&s, &p, 0.002);
    const nsdyn_cycle_path path = path_of(&t, 3, values);
    ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_CALLBACK);
    ck_assert(strstr(nsdyn_cycle_message(s.cycle), "set") != NULL);
    ck_assert_int_eq(t.count, i == 0 ? 0 : 1);
    seek_end(&s);
  }
}
END_TEST

START_TEST(without_a_visitor_the_cycle_is_just_followed)
{
  table_ball p = {.omega = 20.0, .g = 9.81, .eps = 0.5};
  const double flip = table_flip(&p), values[2] = {0.98 * flip, 1.04 * flip};
  tale t = {.parameter = &p.A};
  p.A = values[0];
  sought s = table_search(&p);
  table_guess(&s, &p, 0.002);
  nsdyn_cycle_path path = path_of(&t, 2, values);
  path.visit = NULL;
  sweep(&s, &path);
  ck_assert_int_eq(result_of(&s).unstable, 1);
  const table_cycle exact = table_solve(&p);
  ck_assert_double_lt(fabs(nsdyn_cycle_u(s.cycle)[0] - exact.v), 1e-9);
  path.count = 0; /* nothing to do */
  path.values = NULL;
  sweep(&s, &path);
  seek_end(&s);
}
END_TEST

START_TEST(a_path_is_checked)
{
  table_ball p = {.A = 0.034, .omega = 20.0, .g = 9.81, .eps = 0.5};
  tale t = {.parameter = &p.A};
  const double values[2] = {0.03, NAN};
  sought s = table_search(&p);
  nsdyn_detail detail = {.size = sizeof detail};
  table_guess(&s, &p, 0.0);
#define REFUSED(field, value)                                                                                \
  do {                                                                                                       \
    nsdyn_cycle_path path = path_of(&t, 1, values);                                                          \
    path.field = (value);                                                                                    \
    ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_ARGUMENT);                                 \
    ck_assert(strstr(nsdyn_cycle_message(s.cycle), "path " #field) != NULL);                                 \
    ck_assert_int_eq(nsdyn_cycle_detail(s.cycle, &detail), NSDYN_OK);                                        \
    ck_assert_int_eq(detail.index, offsetof(nsdyn_cycle_path, field));                                       \
  } while (0)
  REFUSED(count, -1);
  REFUSED(reserved, 1);
  REFUSED(values, NULL);
  REFUSED(set, NULL);
  REFUSED(tol, 0.0);
  REFUSED(tol, 1.0);
  REFUSED(tol, NAN);
#undef REFUSED
  nsdyn_cycle_path path = path_of(&t, 2, values);
  ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_NOT_FINITE);
  ck_assert(strstr(nsdyn_cycle_message(s.cycle), "element 1") != NULL);
  path.size = 7;
  ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, &path), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_cycle_sweep(s.cycle, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(t.sets, 0);
  ck_assert_int_eq(nsdyn_cycle_path_init(NULL, sizeof path), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_cycle_path_init(&path, 3), NSDYN_ERR_STRUCT_SIZE);
  seek_end(&s);
}
END_TEST

SUITE("study/continuation", TEST(the_balls_period_doubles_at_the_closed_forms_amplitude),
      TEST(flips_are_within_their_bounds), TEST(grazes_between_impacts_are_within_their_bounds),
      TEST(a_contact_that_was_not_hit_begins_to_graze), TEST(a_frequency_is_swept),
      TEST(coarse_steps_of_a_frequency_stay_on_the_branch), TEST(a_period_that_is_none_is_refused),
      TEST(a_swing_loses_its_stability_both_ways), TEST(a_jump_is_no_flip),
      TEST(a_change_across_a_hole_is_told_as_well_as_it_can_be),
      TEST(a_value_without_a_cycle_is_visited_all_the_same), TEST(the_visitor_ends_it),
      TEST(a_setter_that_refuses_ends_it), TEST(without_a_visitor_the_cycle_is_just_followed),
      TEST(a_path_is_checked))
