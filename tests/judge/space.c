/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* judge_space [--class NAME] [--first N] [--cases N] [--least N] [--most N] [--tol T] [--for S]
 * judge_space --list
 *
 * Random contact problems in space, solved by `automatic` with that tolerance (1e-10). Each has a solution: c
 * = W u of some motion, and constraints that do not contradict each other. Of each class the cases from
 * number `first` on (0), so many (1000), with `least` to `most` contacts (1 to 20; small ones more often),
 * none of which begins after S seconds of its class. A lie is an answer called solved that misses a law, by
 * laws written down here in long double, or a proof that there is none. Prints each case that was not right
 * with the command that repeats it, a row for each class, and `N passed, N failed`. The exit status is 1
 * where there is a lie, or more than one unsolved in a thousand cases. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nsdyn/contact.h"
#include "support/random.h"
#include "support/space_piles.h"

typedef long double wide;

enum { UNSOLVED = 1000, STEPS = 200 };

typedef struct choice {
  const char *name;
  uint64_t first, cases;
  int least, most;
  double tol, time;
} choice;

typedef struct problem {
  nsdyn_contact_problem p;
  nsdyn_contact_law *law;
  int32_t *which; /* law of each contact */
  int rows;
  double *G, *c, *Lambda;
} problem;

/* ---- the classes ------------------------------------------------------------------------------------- */

typedef enum kind {
  WELL_POSED,      /* G definite, disks */
  HYPERSTATIC,     /* half as many velocities as rows */
  ILL_CONDITIONED, /* definite, with masses over six decades */
  SHAPES,          /* ellipses, polygons, planar contacts, none; definite or singular */
  CONSTRAINED,     /* bilateral rows, some redundant, and slots */
  HEAVY_FRICTION,  /* μ up to 5, singular or not */
  STACKS,          /* piles of free bodies under their weight, pushed, or hit */
  WALLS,
  SPHERES,
  RODS,
  KINDS
} kind;

static const char *const names[KINDS] = {
    "well-posed",     "hyperstatic", "ill-conditioned", "shapes",  "constrained",
    "heavy-friction", "stacks",      "walls",           "spheres", "rods"};

static void *take(size_t count, size_t size)
{
  void *memory = calloc(count > 0 ? count : 1, size);
  if (!memory) {
    fprintf(stderr, "judge_space: out of memory\n");
    exit(2);
  }
  return memory;
}

static nsdyn_contact_law law_of(kind k, random_state *r)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = random_below(r, 16) ? random_between(r, 0.0, k == HEAVY_FRICTION ? 5.0 : 1.0) : 0.0;
  if (k == SHAPES) {
    law.tangents = random_below(r, 4) ? 2 : 1;
    law.friction = random_below(r, 8) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
    law.shape = law.tangents == 2 ? (int32_t)random_below(r, 2) : NSDYN_FRICTION_ELLIPSE;
    law.aspect = random_below(r, 2) ? random_between(r, 0.3, 2.0) : 1.0;
    law.angle = random_between(r, -3.0, 3.0);
    law.sides = 4 + 2 * (int32_t)random_below(r, 5);
    if (law.tangents == 1) {
      law.aspect = 1.0;
      law.angle = 0.0;
    }
  }
  if (k == CONSTRAINED && random_below(r, 8) == 0) {
    law.kind = NSDYN_CONTACT_BILATERAL;
    law.mu = 0.0; /* a slot with friction need not have a solution */
  }
  return law;
}

static int rows_of(const nsdyn_contact_law *law)
{
  return law->friction == NSDYN_FRICTION_NONE ? 1 : 1 + law->tangents;
}

/* G = W Wᵀ, c = W u; the last `dependent` rows are combinations of the bilateral ones before. */
static void fill(problem *t, random_state *r, int columns, double decades, int bars, int dependent)
{
  const size_t n = (size_t)t->rows, m = (size_t)columns;
  double *W = take(n, m * sizeof *W), *u = take(m, sizeof *u);
  t->G = take(n, n * sizeof *t->G);
  t->c = take(n, sizeof *t->c);
  for (size_t q = 0; q < m; q++) {
    u[q] = random_normal(r);
  }
  for (size_t i = 0; i < n; i++) {
    const int is_dependent = (int)i >= t->rows - dependent;
    for (size_t q = 0; q < m && !is_dependent; q++) {
      W[i * m + q] = random_normal(r) / sqrt((double)columns);
    }
    for (int j = 0; is_dependent && j < bars - dependent; j++) {
      const double share = random_between(r, -1.0, 1.0);
      for (size_t q = 0; q < m; q++) {
        W[i * m + q] += share * W[(n - (size_t)bars + (size_t)j) * m + q];
      }
    }
  }
  for (size_t q = 0; q < m; q++) {
    const double mass = decades > 0.0 ? pow(10.0, random_between(r, -0.5 * decades, 0.0)) : 1.0;
    for (size_t i = 0; i < n; i++) {
      W[i * m + q] *= mass;
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t q = 0; q < m; q++) {
      t->c[i] += W[i * m + q] * u[q];
    }
    for (size_t j = 0; j <= i; j++) {
      double sum = 0.0;
      for (size_t q = 0; q < m; q++) {
        sum += W[i * m + q] * W[j * m + q];
      }
      t->G[i * n + j] = t->G[j * n + i] = sum;
    }
  }
  free(W);
  free(u);
}

static void make_random(problem *t, kind k, int contacts, random_state *r)
{
  const int bars = k == CONSTRAINED ? 2 + (int)random_below(r, contacts + 1) : 0;
  const int dependent = k == CONSTRAINED ? (int)random_below(r, bars) : 0;
  t->law = take((size_t)contacts, sizeof *t->law);
  t->which = take((size_t)contacts, sizeof *t->which);
  for (int i = 0; i < contacts; i++) {
    t->law[i] = law_of(k, r);
    t->law[i].tangents = i == 0 ? 2 : t->law[i].tangents;
    t->which[i] = i;
    t->rows += rows_of(&t->law[i]);
  }
  t->rows += bars;
  t->p.nlaws = contacts;
  t->p.contacts = contacts;
  t->p.bilateral = bars;
  const int is_singular = k == HYPERSTATIC || (k >= SHAPES && random_below(r, 2));
  const int columns = is_singular ? (t->rows + 1) / 2 + bars : t->rows + 6;
  fill(t, r, columns, k == ILL_CONDITIONED ? 6.0 : 0.0, bars, dependent);
}

static void make_pile(problem *t, kind k, int contacts, random_state *r)
{
  space_pile heap =
      space_pile_make((space_pile_kind)(k - STACKS), (pile_load)random_below(r, PILE_LOADS), contacts, r);
  space_pile_delassus(&heap);
  t->rows = heap.rows;
  t->law = take(1, sizeof *t->law);
  t->which = take((size_t)heap.contacts, sizeof *t->which);
  nsdyn_contact_law_init(t->law, sizeof *t->law);
  t->law->tangents = 2;
  t->law->mu = heap.mu;
  t->p.nlaws = 1;
  t->p.contacts = heap.contacts;
  t->G = take((size_t)t->rows, (size_t)t->rows * sizeof *t->G);
  t->c = take((size_t)t->rows, sizeof *t->c);
  memcpy(t->G, heap.G, (size_t)t->rows * (size_t)t->rows * sizeof *t->G);
  memcpy(t->c, heap.c, (size_t)t->rows * sizeof *t->c);
  space_pile_free(&heap);
}

static void make(problem *t, kind k, int contacts, random_state *r)
{
  *t = (problem){.rows = 0};
  nsdyn_contact_problem_init(&t->p, sizeof t->p);
  if (k >= STACKS) {
    make_pile(t, k, contacts, r);
  } else {
    make_random(t, k, contacts, r);
  }
  t->Lambda = take((size_t)t->rows, sizeof *t->Lambda);
  t->p.laws = t->law;
  t->p.law = t->which;
  t->p.G = t->G;
  t->p.ldg = t->rows;
  t->p.c = t->c;
}

static void drop(problem *t)
{
  free(t->law);
  free(t->which);
  free(t->G);
  free(t->c);
  free(t->Lambda);
}

/* ---- the laws, in long double ------------------------------------------------------------------------ */

/* The point of the ellipse with half axes a, b next to z: (a² z_1/(a² + t), b² z_2/(b² + t)), t >= 0. */
static void nearest_on_ellipse(wide a, wide b, const wide *z, wide *p)
{
  if (a == 0.0L || b == 0.0L) {
    p[0] = p[1] = 0.0L;
    return;
  }
  wide low = 0.0L, high = (a > b ? a : b) * (fabsl(z[0]) + fabsl(z[1]));
  if (z[0] * z[0] / (a * a) + z[1] * z[1] / (b * b) <= 1.0L) {
    high = 0.0L;
  }
  for (int i = 0; i < STEPS; i++) {
    const wide t = 0.5L * (low + high), x = a * z[0] / (a * a + t), y = b * z[1] / (b * b + t);
    *(x * x + y * y > 1.0L ? &low : &high) = t;
  }
  p[0] = a * a * z[0] / (a * a + high);
  p[1] = b * b * z[1] / (b * b + high);
}

/* The same of the polygon with corners on it. */
static void nearest_in_polygon(int sides, wide a, wide b, const wide *z, wide *p)
{
  const wide turn = 8.0L * atanl(1.0L) / sides;
  wide least = INFINITY;
  int is_inside = a > 0.0L;
  for (int j = 0; j < sides; j++) {
    const wide v[2] = {a * cosl(turn * j), b * sinl(turn * j)};
    const wide t[2] = {a * cosl(turn * (j + 1)) - v[0], b * sinl(turn * (j + 1)) - v[1]};
    const wide d[2] = {z[0] - v[0], z[1] - v[1]}, length = t[0] * t[0] + t[1] * t[1];
    is_inside &= t[0] * d[1] - t[1] * d[0] >= 0.0L;
    wide s = length > 0.0L ? (t[0] * d[0] + t[1] * d[1]) / length : 0.0L;
    s = s < 0.0L ? 0.0L : s > 1.0L ? 1.0L : s;
    const wide e[2] = {d[0] - s * t[0], d[1] - s * t[1]}, far = e[0] * e[0] + e[1] * e[1];
    if (far < least) {
      least = far;
      p[0] = v[0] + s * t[0];
      p[1] = v[1] + s * t[1];
    }
  }
  if (is_inside) {
    p[0] = z[0];
    p[1] = z[1];
  }
}

/* p := the point next to z of friction's set with that limit. */
static void nearest(const nsdyn_contact_law *law, wide limit, const wide *z, wide *p)
{
  if (law->tangents == 1) {
    p[0] = z[0] > limit ? limit : z[0] < -limit ? -limit : z[0];
    return;
  }
  const wide c = cosl((wide)law->angle), s = sinl((wide)law->angle), b = (wide)law->aspect * limit;
  const wide own[2] = {c * z[0] + s * z[1], c * z[1] - s * z[0]};
  wide q[2] = {0.0L, 0.0L};
  if (law->shape == NSDYN_FRICTION_POLYGON) {
    nearest_in_polygon(law->sides, limit, b, own, q);
  } else {
    nearest_on_ellipse(limit, b, own, q);
  }
  p[0] = c * q[0] - s * q[1];
  p[1] = s * q[0] + c * q[1];
}

/* What Λ misses, over what it is judged against (nsdyn_contact_residual), without a line of the library. */
static double miss_of(const problem *t)
{
  const size_t n = (size_t)t->rows;
  wide *xi = take(n, sizeof *xi), *size = take(n, sizeof *size), most = 0.0L, scale = 0.0L, bilateral = 0.0L;
  for (size_t i = 0; i < n; i++) {
    xi[i] = (wide)t->c[i];
    size[i] = fabsl(xi[i]);
    for (size_t j = 0; j < n; j++) {
      const wide term = (wide)t->G[i * n + j] * (wide)t->Lambda[j];
      xi[i] += term;
      size[i] += fabsl(term);
    }
  }
  int row = 0;
  for (int i = 0; i < t->p.contacts; i++) {
    const nsdyn_contact_law *law = &t->law[t->which[i]];
    const int rows = rows_of(law);
    wide trace = 0.0L, z[2] = {0.0L, 0.0L}, p[2] = {0.0L, 0.0L};
    for (int k = row; k < row + rows; k++) {
      trace += (wide)t->G[(size_t)k * (n + 1)];
      scale = size[k] > scale ? size[k] : scale;
    }
    const wide r = trace > 0.0L ? trace / rows : 1.0L, N = (wide)t->Lambda[row], press = r * N;
    const wide normal = law->kind == NSDYN_CONTACT_BILATERAL || xi[row] < press ? xi[row] : press;
    most = fabsl(normal) > most ? fabsl(normal) : most;
    for (int k = 1; k < rows; k++) {
      z[k - 1] = r * (wide)t->Lambda[row + k] - xi[row + k];
    }
    if (rows > 1) {
      nearest(law, r * (wide)law->mu * fabsl(N), z, p);
    }
    for (int k = 1; k < rows; k++) {
      const wide off = fabsl(r * (wide)t->Lambda[row + k] - p[k - 1]);
      most = off > most ? off : most;
    }
    row += rows;
  }
  for (size_t k = (size_t)row; k < n; k++) {
    const wide share = size[k] > 0.0L ? fabsl(xi[k]) / size[k] : 0.0L;
    bilateral = share > bilateral ? share : bilateral;
  }
  const wide share = scale > 0.0L ? most / scale : 0.0L;
  free(xi);
  free(size);
  return (double)(share > bilateral ? share : bilateral);
}

/* ---- the run ----------------------------------------------------------------------------------------- */

typedef struct row {
  long runs, right, failed, lies;
  double slowest, all; /* seconds */
  double worst;        /* what an answer misses most, a share */
} row;

static double now(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_case(nsdyn_contact *solver, kind k, uint64_t number, const choice *o, row *sum)
{
  random_state r = random_seed(number * KINDS + (uint64_t)k);
  /* evenly in the logarithm */
  const double ratio = (double)o->most / o->least;
  const int contacts = (int)(o->least * pow(ratio, random_unit(&r)) + 0.5);
  problem t;
  make(&t, k, contacts, &r);
  const double begin = now();
  const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, NULL);
  const double time = now() - begin;
  const double miss = status == NSDYN_OK ? miss_of(&t) : 0.0;
  /* The library judges in double: its sums are off by their rounding. */
  const double grain = 4e-16 * t.rows;
  const int is_lie =
      status == NSDYN_NO_SOLUTION || status < 0 || (status == NSDYN_OK && !(miss <= o->tol + grain));
  sum->runs++;
  sum->right += status == NSDYN_OK && !is_lie;
  sum->lies += is_lie;
  sum->failed += !is_lie && status != NSDYN_OK;
  sum->all += time;
  sum->slowest = fmax(sum->slowest, time);
  sum->worst = fmax(sum->worst, miss);
  if (is_lie || status != NSDYN_OK) {
    printf(
        "%s %s, %d contacts, %.3g s, missed by %.3g: %s\n    judge_space --class %s --first %llu --cases 1 "
        "--least %d --most %d --tol %g\n",
        is_lie ? "LIE" : "unsolved", names[k], (int)t.p.contacts, time, miss, nsdyn_contact_message(solver),
        names[k], (unsigned long long)number, o->least, o->most, o->tol);
  }
  drop(&t);
}

static row run_class(nsdyn_contact *solver, kind k, const choice *o)
{
  const double begin = now();
  row r = {.runs = 0};
  for (uint64_t n = o->first; n < o->first + o->cases && now() - begin <= o->time; n++) {
    run_case(solver, k, n, o, &r);
  }
  printf(
      "%-16s %7ld runs %7ld right %5ld unsolved %5ld lies; worst %.1e, %.3g ms on average, at most %.3g ms\n",
      names[k], r.runs, r.right, r.failed, r.lies, r.worst, r.runs > 0 ? 1e3 * r.all / (double)r.runs : 0.0,
      1e3 * r.slowest);
  fflush(stdout);
  return r;
}

static int read_choice(int argc, char **argv, choice *o)
{
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--class") == 0) {
      o->name = value;
    } else if (strcmp(argv[i], "--first") == 0) {
      o->first = strtoull(value, NULL, 10);
    } else if (strcmp(argv[i], "--cases") == 0) {
      o->cases = strtoull(value, NULL, 10);
    } else if (strcmp(argv[i], "--least") == 0) {
      o->least = (int)strtol(value, NULL, 10);
    } else if (strcmp(argv[i], "--most") == 0) {
      o->most = (int)strtol(value, NULL, 10);
    } else if (strcmp(argv[i], "--tol") == 0) {
      o->tol = strtod(value, NULL);
    } else if (strcmp(argv[i], "--for") == 0) {
      o->time = strtod(value, NULL);
    } else {
      return 0;
    }
  }
  return argc % 2 && o->least >= 1 && o->most >= o->least && o->most <= 1000;
}

int main(int argc, char **argv)
{
  const int lists = argc == 2 && strcmp(argv[1], "--list") == 0;
  choice o = {.name = NULL, .cases = 1000, .least = 1, .most = 20, .tol = 1e-10, .time = INFINITY};
  row sum = {.runs = 0};
  nsdyn_contact_options options;
  nsdyn_contact *solver = NULL;
  if (!lists && !read_choice(argc, argv, &o)) {
    fprintf(stderr,
            "judge_space: [--class NAME] [--first N] [--cases N] [--least N] [--most N] [--tol T] [--for S], "
            "or --list\n");
    return 2;
  }
  nsdyn_contact_options_init(&options, sizeof options);
  options.tol = o.tol;
  if (nsdyn_contact_new(NULL, &options, &solver, NULL)) {
    fprintf(stderr, "judge_space: no solver; is --tol in [0, 1)?\n");
    return 2;
  }
  for (int k = 0; k < KINDS; k++) {
    if (lists) {
      printf("%s\n", names[k]);
    } else if (!o.name || strcmp(o.name, names[k]) == 0) {
      const row r = run_class(solver, (kind)k, &o);
      sum.runs += r.runs;
      sum.right += r.right;
      sum.failed += r.failed;
      sum.lies += r.lies;
    }
  }
  nsdyn_contact_free(solver);
  if (lists) {
    return 0;
  }
  if (sum.runs == 0) {
    fprintf(stderr, "judge_space: no case was run; --list names the classes\n");
    return 2;
  }
  printf("%ld passed, %ld failed\n", sum.right, sum.runs - sum.right);
  return sum.lies > 0 || UNSOLVED * sum.failed > sum.runs;
}
