/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/integrator/locate.h"

#include <math.h>
#include <string.h>

#include "suite.h"

enum { MOST = 6, WAVES = 4 };

/* Sums of waves a sin(ω θ + φ) and a polynomial c_0 + c_1 (θ − θ_0) + … */
typedef struct curve {
  double a[WAVES], omega[WAVES], phi[WAVES];
  double c[9], center;
} curve;

typedef struct curves {
  int m, code;
  double code_from;
  curve of[MOST];
  int64_t calls;
} curves;

static double value_of(const curve *p, double theta)
{
  double sum = 0.0;
  for (int i = 8; i >= 0; i--) {
    sum = sum * (theta - p->center) + p->c[i];
  }
  for (int i = 0; i < WAVES; i++) {
    sum += p->a[i] == 0.0 ? 0.0 : p->a[i] * sin(p->omega[i] * theta + p->phi[i]);
  }
  return sum;
}

static int values(void *user, double theta, double *g)
{
  curves *p = user;
  p->calls++;
  for (int k = 0; k < p->m; k++) {
    g[k] = value_of(&p->of[k], theta);
  }
  return theta > p->code_from ? p->code : 0;
}

typedef struct locating {
  nsd_locate w;
  nsd_arena arena;
  nsd_locate_task task;
  curves curves;
  double noise[MOST];
  nsd_root root;
} locating;

static void begin(locating *s, int m)
{
  nsd_arena measure = nsd_arena_measure();
  memset(s, 0, sizeof *s);
  s->arena = nsd_arena_empty(NULL);
  nsd_locate_lay_out(&measure, &s->w, MOST);
  ck_assert_int_eq(nsd_arena_reserve(&s->arena, &measure), NSDYN_OK);
  nsd_locate_lay_out(&s->arena, &s->w, MOST);
  nsd_locate_reset(&s->w);
  s->curves.m = m;
  s->curves.code_from = 2.0;
  for (int k = 0; k < MOST; k++) {
    s->noise[k] = 1e-13;
  }
  s->task =
      (nsd_locate_task){.m = m, .values = values, .user = &s->curves, .noise = s->noise, .resolution = 1e-15};
}

static void end(locating *s)
{
  nsd_arena_release(&s->arena);
}

static void find(locating *s, double from, double to)
{
  ck_assert_int_eq(nsd_locate_first(&s->w, &s->task, from, to, &s->root), NSDYN_OK);
}

START_TEST(tables_hold_polynomials)
{
  locating s;
  begin(&s, 1);
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int d = k % 2, n = d ? 8 : 4, stride = d ? 1 : 2;
    curve p = {.center = 0.5};
    double v[9], b[9], c[9];
    for (int i = 0; i <= n; i++) {
      p.c[i] = ldexp(random_normal(&r), i);
    }
    for (int j = 0; j <= n; j++) {
      v[j] = value_of(&p, s.w.point[j * stride]);
    }
    for (int i = 0; i <= n; i++) {
      b[i] = c[i] = 0.0;
      for (int j = 0; j <= n; j++) {
        b[i] += s.w.bernstein[d][i * (n + 1) + j] * v[j];
        c[i] += s.w.chebyshev[d][i * (n + 1) + j] * v[j];
      }
    }
    ck_assert(b[0] == v[0] && b[n] == v[n]);
    const double theta = random_unit(&r);
    double bernstein[9], t_before = 1.0, t = 2.0 * theta - 1.0, chebyshev = c[0];
    memcpy(bernstein, b, sizeof b);
    for (int level = n; level > 0; level--) { /* de Casteljau */
      for (int i = 0; i < level; i++) {
        bernstein[i] = (1.0 - theta) * bernstein[i] + theta * bernstein[i + 1];
      }
    }
    for (int i = 1; i <= n; i++) {
      chebyshev += c[i] * t;
      const double next = 2.0 * (2.0 * theta - 1.0) * t - t_before;
      t_before = t;
      t = next;
    }
    ck_assert_msg(fabs(bernstein[0] - value_of(&p, theta)) <= 1e-12, "seed %d", k);
    ck_assert_msg(fabs(chebyshev - value_of(&p, theta)) <= 1e-12, "seed %d", k);
  }
  end(&s);
}
END_TEST

/* sin(ω θ + φ) + c first falls where ω θ + φ = π + asin c + 2 π j, unless it starts below zero. */
START_TEST(finds_the_first_fall_of_a_wave)
{
  const int cases = random_cases(20000);
  const double pi = acos(-1.0);
  locating s;
  begin(&s, 1);
  int found = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    curve *p = &s.curves.of[0];
    p->a[0] = random_scale(&r, 6.0);
    p->omega[0] = random_scale(&r, 2.0);
    p->phi[0] = random_between(&r, -pi, pi);
    const double c = random_between(&r, -1.0, 1.0);
    p->c[0] = c * p->a[0];
    s.noise[0] = 1e-13 * p->a[0] * (1.0 + p->omega[0]); /* the sine's argument is rounded */
    double x = pi + asin(c);
    while (x < p->phi[0]) {
      x += 2.0 * pi;
    }
    while (x - 2.0 * pi > p->phi[0]) {
      x -= 2.0 * pi;
    }
    const double theta = (x - p->phi[0]) / p->omega[0], start = value_of(p, 0.0);
    if (fabs(start) < 1e-6 * p->a[0] || fabs(theta - 1.0) < 1e-9) {
      continue;
    }
    find(&s, 0.0, 1.0);
    if (start < 0.0) {
      REQUIRE(s.root.kind == NSD_ROOT_FALLS && s.root.theta == 0.0, "seed %d", k);
    } else if (theta > 1.0) {
      REQUIRE(s.root.kind == NSD_ROOT_NONE, "seed %d: kind %d at %g", k, s.root.kind, s.root.theta);
    } else {
      found++;
      REQUIRE(s.root.kind == NSD_ROOT_FALLS, "seed %d: ω = %g, θ = %g", k, p->omega[0], theta);
      REQUIRE(fabs(s.root.theta - theta) <= s.root.bound + 1e-14 && s.root.bound <= 1e-5,
              "seed %d: %g off, bound %g", k, s.root.theta - theta, s.root.bound);
    }
  }
  ck_assert_int_gt(found, cases / 5);
  end(&s);
}
END_TEST

/* The first sample of a fine grid where a function has fallen. */
static double first_fall_on_grid(const locating *s, int points)
{
  for (int i = 0; i <= points; i++) {
    for (int k = 0; k < s->curves.m; k++) {
      if (value_of(&s->curves.of[k], (double)i / points) < -s->noise[k]) {
        return (double)i / points;
      }
    }
  }
  return INFINITY;
}

/* Fast and slow functions together: every fall that a grid of 4000 points sees is found, at or before the
 * grid's, and what is found has fallen. */
START_TEST(misses_nothing_a_fine_grid_sees)
{
  const int cases = random_cases(4000);
  locating s;
  begin(&s, 1);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    s.curves.m = s.task.m = 1 + random_below(&r, MOST);
    s.task.coarse = random_below(&r, 2);
    for (int j = 0; j < s.task.m; j++) {
      curve *p = &s.curves.of[j];
      double sum = 0.0;
      for (int i = 0; i < WAVES; i++) {
        p->a[i] = random_unit(&r);
        p->omega[i] = s.task.coarse ? random_between(&r, 0.0, 8.0) : random_scale(&r, 1.5);
        p->phi[i] = random_between(&r, 0.0, 6.3);
        sum += p->a[i];
      }
      p->c[0] = random_between(&r, 0.3, 1.05) * sum;
    }
    find(&s, 0.0, 1.0);
    const double seen = first_fall_on_grid(&s, 4000);
    REQUIRE(!(seen <= 1.0) || s.root.kind != NSD_ROOT_NONE, "seed %d: missed near %g", k, seen);
    if (s.root.kind == NSD_ROOT_FALLS) {
      const curve *p = &s.curves.of[s.root.k];
      REQUIRE(s.root.theta <= seen + 1e-12, "seed %d: %g after %g", k, s.root.theta, seen);
      REQUIRE(fabs(value_of(p, s.root.theta)) <= 1e-11 || s.root.theta == 0.0, "seed %d: g = %g", k,
              value_of(p, s.root.theta));
      const double later = s.root.theta + s.root.bound + 1e-9;
      REQUIRE(value_of(p, later) < 0.0 || s.root.bound > 1e-8, "seed %d: rises", k);
    }
  }
  end(&s);
}
END_TEST

/* Dips from above, of all widths and places: (θ − a)² − w². */
START_TEST(finds_narrow_dips)
{
  const int cases = random_cases(3000);
  locating s;
  begin(&s, 2);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    curve *p = &s.curves.of[1];
    memset(s.curves.of, 0, sizeof s.curves.of);
    s.curves.of[0].c[0] = 1.0;
    p->center = random_between(&r, 0.1, 0.9);
    const double width = pow(10.0, random_between(&r, -6.0, -1.1)), size = random_scale(&r, 3.0);
    s.noise[1] = 1e-15 * size;
    p->c[2] = size;
    p->c[0] = -size * width * width;
    p->a[0] = 1e-6 * size * width * width; /* and something that no polynomial is */
    p->omega[0] = random_scale(&r, 1.0);
    find(&s, 0.0, 1.0);
    REQUIRE(s.root.kind == NSD_ROOT_FALLS && s.root.k == 1, "seed %d: width %g", k, width);
    REQUIRE(fabs(s.root.theta - (p->center - width)) <= 1e-6 * width + s.root.bound, "seed %d: %g off", k,
            s.root.theta - (p->center - width));
    p->c[0] = -p->c[0];
    find(&s, 0.0, 1.0);
    REQUIRE(s.root.kind == NSD_ROOT_NONE, "seed %d", k);
  }
  end(&s);
}
END_TEST

START_TEST(tells_a_graze)
{
  const int cases = random_cases(1000);
  locating s;
  begin(&s, 1);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    curve *p = &s.curves.of[0];
    memset(p, 0, sizeof *p);
    p->center = random_between(&r, 0.01, 0.99);
    p->c[2] = random_scale(&r, 2.0);
    p->c[3] = random_between(&r, -1.0, 1.0) * p->c[2];
    s.noise[0] = 1e-14 * p->c[2];
    find(&s, 0.0, 1.0);
    REQUIRE(s.root.kind == NSD_ROOT_GRAZES, "seed %d: kind %d", k, s.root.kind);
    REQUIRE(fabs(s.root.theta - p->center) <= 2e-7, "seed %d: %g off", k, s.root.theta - p->center);
    const double theta = s.root.theta + s.root.bound;
    if (theta < 1.0) { /* and only once */
      find(&s, theta, 1.0);
      REQUIRE(s.root.kind == NSD_ROOT_NONE, "seed %d: again at %g", k, s.root.theta);
    }
  }
  end(&s);
}
END_TEST

/* θ^p (1 − θ/a): no root at 0, which is where it starts, though rounding may put it below zero there. */
START_TEST(a_start_at_zero_is_no_root)
{
  locating s;
  begin(&s, 1);
  const double offsets[] = {0.0, 1e-16, -1e-16, 5e-14, -5e-14};
  for (int power = 1; power <= 4; power++) {
    for (int i = 0; i < 5; i++) {
      for (double a = 0.05; a < 1.3; a += 0.08) {
        curve *p = &s.curves.of[0];
        memset(p, 0, sizeof *p);
        p->c[0] = offsets[i];
        p->c[power] = 1.0;
        p->c[power + 1] = -1.0 / a;
        find(&s, 0.0, 1.0);
        ck_assert_msg(s.root.kind == (a < 1.0 ? NSD_ROOT_FALLS : NSD_ROOT_NONE),
                      "power %d, a = %g, offset %g: %d", power, a, offsets[i], s.root.kind);
        ck_assert_msg(a > 1.0 || fabs(s.root.theta - a) <= 1e-9 + s.root.bound, "power %d, a = %g: %.17g",
                      power, a, s.root.theta);
        ck_assert(power > 1 || a > 1.0 || fabs(s.root.theta - a) <= 1e-12);
      }
    }
  }
  end(&s);
}
END_TEST

START_TEST(a_start_below_zero_is_a_root)
{
  locating s;
  begin(&s, 1);
  s.curves.of[0].c[0] = -1e-12;
  s.curves.of[0].c[1] = 1.0;
  find(&s, 0.25, 1.0);
  ck_assert(s.root.kind == NSD_ROOT_NONE);
  find(&s, 0.0, 1.0);
  ck_assert(s.root.kind == NSD_ROOT_FALLS && s.root.theta == 0.0 && s.root.k == 0);
  s.curves.of[0].c[0] = 0.0; /* from zero down */
  s.curves.of[0].c[1] = -1.0;
  find(&s, 0.0, 1.0);
  ck_assert(s.root.kind == NSD_ROOT_FALLS && s.root.theta == 0.0);
  end(&s);
}
END_TEST

START_TEST(flat_falls_have_honest_bounds)
{
  locating s;
  begin(&s, 1);
  for (int power = 1; power <= 7; power += 2) {
    for (double a = 0.03; a < 1.0; a += 0.07) {
      curve *p = &s.curves.of[0];
      memset(p, 0, sizeof *p);
      p->center = a;
      p->c[power] = -1.0;
      find(&s, 0.0, 1.0);
      ck_assert_msg(s.root.kind == NSD_ROOT_FALLS, "power %d, a = %g: %d", power, a, s.root.kind);
      ck_assert_msg(fabs(s.root.theta - a) <= s.root.bound + 1e-15, "power %d, a = %g: %g off, bound %g",
                    power, a, s.root.theta - a, s.root.bound);
      ck_assert_msg(s.root.bound <= 4.0 * pow(1e-13, 1.0 / power), "power %d: bound %g", power, s.root.bound);
    }
  }
  end(&s);
}
END_TEST

/* Root after root, from each one on, a function that oscillates and turns its sign. */
START_TEST(lists_all_roots_when_asked_again)
{
  locating s;
  begin(&s, 1);
  curve *p = &s.curves.of[0];
  const double pi = acos(-1.0);
  for (int omega = 5; omega <= 400; omega *= 3) {
    double from = 0.0, sign = 1.0;
    int roots = 0;
    p->omega[0] = omega * pi;
    p->phi[0] = 0.5;
    for (;;) {
      p->a[0] = sign;
      s.noise[0] = 1e-13 * omega;
      find(&s, from, 1.0);
      if (!s.root.kind) {
        break;
      }
      roots++;
      ck_assert(s.root.kind == NSD_ROOT_FALLS && fabs(s.root.theta - (roots - 0.5 / pi) / omega) <= 1e-13);
      from = s.root.theta;
      sign = -sign;
    }
    ck_assert_int_eq(roots, omega);
  }
  end(&s);
}
END_TEST

START_TEST(costs_little_where_nothing_happens)
{
  locating s;
  begin(&s, 2);
  s.curves.of[0].c[0] = s.curves.of[1].c[0] = 1.0;
  s.curves.of[0].c[1] = -0.9;
  s.curves.of[1].a[0] = 0.5;
  s.curves.of[1].omega[0] = 1.0;
  find(&s, 0.0, 1.0);
  ck_assert_int_eq(s.curves.calls, 9);
  s.task.coarse = 1;
  find(&s, 0.0, 1.0);
  ck_assert_int_eq(s.curves.calls, 9 + 5);
  s.curves.of[0].c[1] = -2.0; /* one root: nine samples, some more to be sure, some to close in */
  find(&s, 0.0, 1.0);
  ck_assert_msg(s.root.kind == NSD_ROOT_FALLS && s.root.theta == 0.5, "%g", s.root.theta);
  ck_assert_int_le(s.curves.calls, 9 + 5 + 20);
  end(&s);
}
END_TEST

START_TEST(first_of_several_wins)
{
  const int cases = random_cases(2000);
  locating s, alone;
  begin(&s, MOST);
  begin(&alone, 1);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    double first = INFINITY;
    for (int j = 0; j < MOST; j++) {
      curve *p = &s.curves.of[j];
      p->a[0] = random_unit(&r);
      p->omega[0] = random_between(&r, 0.0, 20.0);
      p->c[0] = random_between(&r, 1.0, 1.2);
      p->c[1] = random_between(&r, -1.5, 0.2);
      alone.curves.of[0] = *p;
      find(&alone, 0.0, 1.0);
      first = alone.root.kind && alone.root.theta < first ? alone.root.theta : first;
    }
    find(&s, 0.0, 1.0);
    REQUIRE(first <= 1.0 ? fabs(s.root.theta - first) <= 1e-13 : s.root.kind == NSD_ROOT_NONE,
            "seed %d: %g, alone %g", k, s.root.theta, first);
  }
  end(&s);
  end(&alone);
}
END_TEST

START_TEST(ends_when_a_function_fails)
{
  locating s;
  begin(&s, 1);
  s.curves.of[0].c[0] = 1.0;
  for (int coarse = 0; coarse <= 1; coarse++) {
    s.task.coarse = coarse;
    s.curves.code = 4;
    s.curves.code_from = 0.4;
    ck_assert_int_eq(nsd_locate_first(&s.w, &s.task, 0.0, 1.0, &s.root), NSDYN_ERR_CALLBACK);
    ck_assert_int_eq(s.w.code, 4);
    find(&s, 0.0, 0.4);
    s.curves.code = 0;
    s.curves.of[0].c[0] = NAN;
    ck_assert_int_eq(nsd_locate_first(&s.w, &s.task, 0.0, 1.0, &s.root), NSDYN_ERR_NOT_FINITE);
    s.curves.of[0].c[0] = 1.0;
  }
  s.curves.of[0].c[1] = -2.0; /* and in the search itself */
  for (int after = 9; after < 18; after++) {
    s.task.coarse = 0;
    s.curves.calls = 0;
    find(&s, 0.0, 1.0);
    ck_assert(s.root.theta == 0.5);
  }
  s.task.m = s.curves.m = 0;
  find(&s, 0.0, 1.0);
  ck_assert_int_eq(s.root.kind, NSD_ROOT_NONE);
  end(&s);
}
END_TEST

/* A function whose noise is larger than said: the search ends all the same. */
START_TEST(rough_functions_end_too)
{
  locating s;
  begin(&s, 1);
  curve *p = &s.curves.of[0];
  for (int k = 0; k < 200; k++) {
    memset(p, 0, sizeof *p);
    p->center = 0.4;
    p->c[2] = 1.0;
    p->a[0] = 1e-9;
    p->omega[0] = 1e12 + k;
    s.curves.calls = 0;
    find(&s, 0.0, 1.0);
    ck_assert_msg(s.curves.calls < 100000, "%d calls", (int)s.curves.calls);
    ck_assert_msg(s.root.kind != NSD_ROOT_NONE && fabs(s.root.theta - 0.4) <= 1e-3, "%g", s.root.theta);
  }
  end(&s);
}
END_TEST

/* A force of what nothing presses is rounding, and no wave to be followed in shorter intervals. */
START_TEST(noise_is_no_wave)
{
  locating s;
  begin(&s, 1);
  for (int k = 0; k < 200; k++) {
    curve *p = &s.curves.of[0];
    memset(p, 0, sizeof *p);
    p->a[0] = (0.1 + 0.8 * k / 199.0) * s.noise[0];
    p->omega[0] = 1e6 + 1e3 * k;
    find(&s, 0.0, 1.0);
    ck_assert_int_eq(s.root.kind, NSD_ROOT_NONE);
    ck_assert_msg(s.w.intervals <= 2, "case %d: %d intervals", k, s.w.intervals);
  }
  end(&s);
}
END_TEST

/* Waves on which nine points say nothing: the caller is asked for a shorter step, or all of them are looked
 * at.
 */
START_TEST(waves_do_not_pass_unseen)
{
  locating s;
  begin(&s, 1);
  curve *p = &s.curves.of[0];
  const int cases = random_cases(2000);
  int unseen = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    memset(p, 0, sizeof *p);
    p->c[0] = 1.0;
    p->a[0] = random_between(&r, 1.05, 1.3);
    p->omega[0] = pow(10.0, random_between(&r, 1.5, 4.5));
    p->phi[0] = random_between(&r, 0.0, 6.28);
    s.task.may_shorten = 1;
    find(&s, 0.0, 1.0);
    const double sine = fmod(p->phi[0], 6.283185307179586) / p->omega[0];
    REQUIRE(s.w.wavy || (s.root.kind == NSD_ROOT_FALLS && s.root.theta <= 6.3 / p->omega[0] + sine),
            "seed %d: kind %d at %g, omega %g", k, s.root.kind, s.root.theta, p->omega[0]);
    REQUIRE(!s.w.wavy || s.root.kind == NSD_ROOT_NONE, "seed %d", k);
    p->a[0] *= 0.5 / 1.3; /* stays above zero */
    find(&s, 0.0, 1.0);
    REQUIRE(s.root.kind == NSD_ROOT_NONE, "seed %d: root at %g", k, s.root.theta);
    unseen += !s.w.wavy && s.w.intervals <= 8 && p->omega[0] > 64.0;
  }
  ck_assert_int_le(100 * unseen, 2 * cases); /* by chance, and without harm as yet */
  end(&s);
}
END_TEST

/* ½ + T_16(2θ − 1): 1.5 at all nine points, and it falls below zero between them. */
static int hidden(void *user, double theta, double *g)
{
  const double x = 2.0 * theta - 1.0;
  double before = 1.0, T = x;
  (void)user;
  for (int k = 2; k <= 16; k++) {
    const double next = 2.0 * x * T - before;
    before = T;
    T = next;
  }
  g[0] = 0.5 + T;
  return 0;
}

START_TEST(a_wave_hidden_between_the_points_is_found)
{
  for (int check = 0; check < 2; check++) {
    locating s;
    begin(&s, 1);
    s.task.values = hidden;
    s.task.check = check;
    find(&s, 0.0, 1.0);
    ck_assert_int_eq(s.root.kind, check ? NSD_ROOT_FALLS : NSD_ROOT_NONE);
    /* cos(16 φ) = −½ first at 16 φ = 2π/3, counted from θ = 0 */
    const double first = 0.5 * (1.0 - cos(acos(-0.5) / 16.0));
    ck_assert_msg(!check || fabs(s.root.theta - first) <= 1e-12, "%g", s.root.theta);
    end(&s);
  }
}
END_TEST

/* `level` with a saw tooth of `jitter` that no interval resolves, as rounding makes it; from `falls` on it
 * falls with slope 1, and at `jump` it rises by 4e-12. */
typedef struct rough {
  double level, jitter, falls, jump;
} rough;

static int rough_values(void *user, double theta, double *g)
{
  const rough *p = user;
  const double x = theta * 0x1p44;
  g[0] = p->level + p->jitter * (fmod(floor(x) * 0.6180339887498949, 1.0) - 0.5) +
         (theta >= p->jump ? 4e-12 : 0.0) - (theta > p->falls ? theta - p->falls : 0.0);
  return 0;
}

/* How many intervals it takes; `again`: a second time, knowing what the first search has shown. */
static int intervals_of(rough *p, double resolution, int again, nsd_root *root, double *noise)
{
  locating s;
  int intervals = 0;
  begin(&s, 1);
  s.task.values = rough_values;
  s.task.user = p;
  s.task.resolution = resolution;
  for (int k = 0; k <= again; k++) {
    find(&s, 0.0, 1.0);
    intervals = s.w.intervals;
    s.noise[0] = fmax(s.noise[0], s.w.learned[0]);
  }
  *root = s.root;
  *noise = s.noise[0];
  end(&s);
  return intervals;
}

/* noise is 1e-13 */
START_TEST(a_constant_just_above_noise_is_not_looked_at_for_long)
{
  rough p = {.level = 1.4e-13, .jitter = 2e-14, .falls = 2.0, .jump = 2.0};
  nsd_root root;
  double noise;
  ck_assert_int_le(intervals_of(&p, 1e-4, 0, &root, &noise), 1);
  ck_assert_int_eq(root.kind, NSD_ROOT_NONE);
}
END_TEST

START_TEST(noise_that_was_seen_is_known_the_next_time)
{
  rough p = {.level = 3e-13, .jitter = 3e-13, .falls = 2.0, .jump = 2.0};
  nsd_root root;
  double noise;
  ck_assert_int_le(intervals_of(&p, 1e-4, 0, &root, &noise), 64);
  ck_assert_int_le(intervals_of(&p, 1e-4, 1, &root, &noise), 8);
  ck_assert_int_eq(root.kind, NSD_ROOT_NONE);
  ck_assert_msg(noise >= 3e-13 && noise <= 1e-12, "%g", noise);
  p.falls = 0.75; /* and it still falls where it falls */
  ck_assert_int_le(intervals_of(&p, 1e-4, 1, &root, &noise), 64);
  ck_assert_int_eq(root.kind, NSD_ROOT_FALLS);
  ck_assert_double_eq_tol(root.theta, 0.75, 2e-4);
}
END_TEST

START_TEST(a_jump_is_no_noise)
{
  rough p = {.level = 4e-12, .jitter = 0.0, .falls = 2.0, .jump = 0.3};
  nsd_root root;
  double noise;
  ck_assert_int_ge(intervals_of(&p, 1e-4, 1, &root, &noise), 10);
  ck_assert_double_eq_tol(noise, 1e-13, 1e-20);
}
END_TEST

SUITE("event/integrator/locate", TEST(a_constant_just_above_noise_is_not_looked_at_for_long),
      TEST(noise_that_was_seen_is_known_the_next_time), TEST(a_jump_is_no_noise),
      TEST(a_wave_hidden_between_the_points_is_found), TEST(tables_hold_polynomials),
      TEST(finds_the_first_fall_of_a_wave), TEST(misses_nothing_a_fine_grid_sees), TEST(finds_narrow_dips),
      TEST(tells_a_graze), TEST(a_start_at_zero_is_no_root), TEST(a_start_below_zero_is_a_root),
      TEST(flat_falls_have_honest_bounds), TEST(lists_all_roots_when_asked_again),
      TEST(costs_little_where_nothing_happens), TEST(first_of_several_wins), TEST(ends_when_a_function_fails),
      TEST(noise_is_no_wave), TEST(rough_functions_end_too), TEST(waves_do_not_pass_unseen))
