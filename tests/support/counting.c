/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exact_cells.h"
#include "nsdyn/contact.h"
#include "nsdyn/lcp.h"
#include "random.h"

enum { MOST = 8, MOST_LIST = 512 };

/* Of the processor. */
static double now(void)
{
  return (double)clock() / CLOCKS_PER_SEC;
}

void counting_print(const char *name, const counting *sum)
{
  if (!sum) {
    printf("%-22s %7s %7s %7s %7s %9s | %7s %7s | %8s %8s %7s\n", name, "cases", "solv.", "listed", "none",
           "undecided", "f.list", "f.proof", "unsolved", "unproved", "us");
    return;
  }
  printf("%-22s %7d %7d %7d %7d %9d | %7d %7d | %8d %8d %7.1f", name, sum->cases, sum->solvable, sum->listed,
         sum->no_solution, sum->undecided, sum->false_lists, sum->false_proofs, sum->unsolved, sum->unproved,
         1e6 * sum->seconds / (sum->cases ? sum->cases : 1));
  if (sum->false_lists + sum->false_proofs) {
    printf("  seed %lu", (unsigned long)sum->first_bad);
  }
  printf("\n");
}

static void note_false(counting *sum, int *what, uint64_t seed)
{
  if (sum->false_lists + sum->false_proofs == 0) {
    sum->first_bad = seed;
  }
  ++*what;
}

static int whole(random_state *r, int most)
{
  return random_below(r, 2 * most + 1) - most;
}

/* 0, or of size 1e-16 … 1e-4, of either sign. */
static double nearly_zero(random_state *r)
{
  const int decade = random_below(r, 14);
  const double size = decade == 0 ? 0.0 : pow(10.0, -3.0 - decade) * (1.0 + random_unit(r));
  return random_below(r, 2) ? size : -size;
}

/* ---- bodies
 * ------------------------------------------------------------------------------------------------ */

/* Planar contact problems of one body (x, y, φ). */
typedef struct scene {
  int contacts;
  int bilateral; /* rows behind those of the contacts */
  nsdyn_contact_law law[3];
  double mu[3];
  int32_t sliding[3];
  double W[MOST][3];
  double inverse[3]; /* of the masses */
  double G[MOST * MOST];
  double c[MOST];
} scene;

static void add_contact(scene *s, double px, double py, double nx, double ny, double mu)
{
  double *N = s->W[2 * s->contacts], *T = s->W[2 * s->contacts + 1];
  const double tx = ny, ty = -nx;
  N[0] = nx;
  N[1] = ny;
  N[2] = px * ny - py * nx;
  T[0] = tx;
  T[1] = ty;
  T[2] = px * ty - py * tx;
  nsdyn_contact_law_init(&s->law[s->contacts], sizeof s->law[0]);
  s->law[s->contacts].mu = mu;
  s->mu[s->contacts] = mu;
  s->sliding[s->contacts] = 0;
  s->contacts++;
}

static int rows_of(const scene *s)
{
  return 2 * s->contacts + s->bilateral;
}

/* G = W M⁻¹ Wᵀ and c = W u. */
static void make_problem(scene *s, const double u[3])
{
  const int n = rows_of(s);
  for (int i = 0; i < n; i++) {
    s->c[i] = 0.0;
    for (int k = 0; k < 3; k++) {
      s->c[i] += s->W[i][k] * u[k];
    }
    for (int j = 0; j <= i; j++) {
      double sum = 0.0;
      for (int k = 0; k < 3; k++) {
        sum += s->W[i][k] * s->inverse[k] * s->W[j][k];
      }
      s->G[i * n + j] = s->G[j * n + i] = sum;
    }
  }
}

static void choose_body(random_state *r, scene *s)
{
  s->contacts = 0;
  s->inverse[0] = s->inverse[1] = 1.0 / random_between(r, 0.5, 3.0);
  s->inverse[2] = 1.0 / random_between(r, 0.05, 2.0);
}

/* At rest under gravity, perhaps pushed, or moving. */
static void choose_motion(random_state *r, scene *s)
{
  double u[3] = {0.0, -9.81, 0.0};
  switch (random_below(r, 4)) {
  case 0:
    break;
  case 1:
    u[0] = random_between(r, -8.0, 8.0);
    break;
  case 2:
    u[2] = random_between(r, -8.0, 8.0);
    break;
  default:
    for (int k = 0; k < 3; k++) {
      u[k] = random_normal(r);
    }
  }
  make_problem(s, u);
}

static double choose_mu(random_state *r)
{
  static const double list[] = {0.0, 0.1, 0.25, 0.5, 1.0, 2.0};
  return random_below(r, 3) ? random_between(r, 0.02, 1.5) : list[random_below(r, 6)];
}

static void make_feet(random_state *r, scene *s, int feet)
{
  choose_body(r, s);
  const double height = random_between(r, 0.2, 2.0);
  for (int i = 0; i < feet; i++) {
    add_contact(s, i - 0.5 * (feet - 1) + random_between(r, -0.3, 0.3), -height + nearly_zero(r), 0.0, 1.0,
                choose_mu(r));
  }
}

static void two_feet(random_state *r, scene *s)
{
  make_feet(r, s, 2);
  choose_motion(r, s);
}

static void three_feet(random_state *r, scene *s)
{
  make_feet(r, s, 3);
  choose_motion(r, s);
}

static void wall(random_state *r, scene *s)
{
  make_feet(r, s, 1 + random_below(r, 2));
  add_contact(s, -random_between(r, 0.3, 1.0), random_between(r, -0.5, 0.5), 1.0, nearly_zero(r),
              choose_mu(r));
  choose_motion(r, s);
}

/* Duplicates, nearly. */
static void redundant(random_state *r, scene *s)
{
  make_feet(r, s, 1);
  const double *N = s->W[0];
  add_contact(s, N[2] + nearly_zero(r), -1.0 + nearly_zero(r), 0.0, 1.0, s->mu[0]);
  if (random_below(r, 2)) {
    add_contact(s, N[2] + nearly_zero(r), -1.0 + nearly_zero(r), nearly_zero(r), 1.0, s->mu[0]);
  }
  choose_motion(r, s);
}

static void slots(random_state *r, scene *s)
{
  make_feet(r, s, 2);
  s->law[random_below(r, 2)].kind = NSDYN_CONTACT_BILATERAL;
  choose_motion(r, s);
}

static void sliding(random_state *r, scene *s)
{
  make_feet(r, s, 2 + random_below(r, 2));
  choose_motion(r, s);
  for (int i = 0; i < s->contacts; i++) {
    s->sliding[i] = random_below(r, 3) - 1;
  }
}

static void whole_numbers(random_state *r, scene *s)
{
  choose_body(r, s);
  s->inverse[0] = s->inverse[1] = s->inverse[2] = 1.0;
  const int contacts = 1 + random_below(r, 3);
  for (int i = 0; i < contacts; i++) {
    static const double mu[] = {0.0, 0.25, 0.5, 1.0, 2.0};
    add_contact(s, whole(r, 3), whole(r, 3), 0.0, 1.0, mu[random_below(r, 5)]);
  }
  const double u[3] = {whole(r, 2), whole(r, 2), whole(r, 2)};
  make_problem(s, u);
}

static void scales(random_state *r, scene *s)
{
  make_feet(r, s, 2);
  choose_motion(r, s);
  const int n = rows_of(s);
  double unit[MOST];
  const double c = random_scale(r, 100.0);
  for (int i = 0; i < s->contacts; i++) {
    unit[2 * i] = unit[2 * i + 1] = random_scale(r, 50.0);
  }
  for (int i = 0; i < n; i++) {
    s->c[i] *= c * unit[i];
    for (int j = 0; j < n; j++) {
      s->G[i * n + j] = unit[i < j ? i : j] * (unit[i < j ? j : i] * s->G[i * n + j]);
    }
  }
}

/* Feet, and rows that hold the body in some direction: hinges and guides, given twice now and then. */
static void bilateral(random_state *r, scene *s)
{
  make_feet(r, s, 1 + random_below(r, 2));
  s->bilateral = 1 + random_below(r, 2);
  const int is_whole = random_below(r, 2);
  for (int i = 2 * s->contacts; i < rows_of(s); i++) {
    for (int k = 0; k < 3; k++) {
      s->W[i][k] = is_whole ? whole(r, 2) : random_normal(r);
    }
    if (i > 2 * s->contacts && random_below(r, 2)) { /* nearly the row before */
      for (int k = 0; k < 3; k++) {
        s->W[i][k] = s->W[i - 1][k] + nearly_zero(r);
      }
    }
  }
  choose_motion(r, s);
}

/* A body that can move in so many ways only, in any direction: G = W M⁻¹ Wᵀ of that rank, to rounding; c
 * within its range, to rounding, or beside it. */
static void guide(random_state *r, scene *s, int contacts, int ways)
{
  const int is_whole = random_below(r, 2);
  choose_body(r, s);
  for (int i = 0; i < contacts; i++) {
    add_contact(s, 0.0, 0.0, 0.0, 1.0, choose_mu(r));
  }
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < rows_of(s); i++) {
      s->W[i][k] = k >= ways ? 0.0 : is_whole ? whole(r, 3) : random_normal(r);
    }
    s->inverse[k] = is_whole ? 1.0 : s->inverse[k];
  }
  choose_motion(r, s);
  if (random_below(r, 2)) {
    for (int i = 0; i < rows_of(s); i++) {
      s->c[i] = random_below(r, 2) ? s->c[i] + nearly_zero(r) : s->c[i];
    }
  }
}

static void one_way(random_state *r, scene *s)
{
  guide(r, s, 1, 1);
}

static void few_ways(random_state *r, scene *s)
{
  guide(r, s, 2, 1 + random_below(r, 2));
}

static const struct {
  const char *name;
  void (*make)(random_state *r, scene *s);
} contact_class[] = {{"two feet", two_feet},
                     {"three feet", three_feet},
                     {"feet and a wall", wall},
                     {"redundant", redundant},
                     {"slots", slots},
                     {"known sliding", sliding},
                     {"whole numbers", whole_numbers},
                     {"scales", scales},
                     {"bilateral rows", bilateral},
                     {"one of rank one", one_way},
                     {"two of low rank", few_ways}};

int counting_contact_classes(void)
{
  return (int)(sizeof contact_class / sizeof *contact_class);
}

const char *counting_contact_name(int index)
{
  return contact_class[index].name;
}

/* ---- the judge of contacts --------------------------------------------------------------------------------
 */

enum { XI_N, XI_T, NORMAL, RIGHT, LEFT, PARTS };

static void set_functionals(cells *c, const scene *s)
{
  const int n = rows_of(s);
  for (int i = 0; i < s->contacts; i++) {
    double a[MOST] = {0.0};
    cells_set(c, PARTS * i + XI_N, s->G + 2 * i * n, s->c[2 * i]);
    cells_set(c, PARTS * i + XI_T, s->G + (2 * i + 1) * n, s->c[2 * i + 1]);
    a[2 * i] = 1.0;
    cells_set(c, PARTS * i + NORMAL, a, 0.0);
    a[2 * i] = s->mu[i];
    a[2 * i + 1] = 1.0;
    cells_set(c, PARTS * i + RIGHT, a, 0.0);
    a[2 * i + 1] = -1.0;
    cells_set(c, PARTS * i + LEFT, a, 0.0);
  }
  for (int i = 0; i < s->bilateral; i++) {
    const int row = 2 * s->contacts + i;
    cells_set(c, PARTS * s->contacts + i, s->G + (ptrdiff_t)row * n, s->c[row]);
  }
}

#define ANY CELLS_ANY

/* Modes: what is asked of ξ_N, ξ_T, Λ_N, μ Λ_N + Λ_T, μ Λ_N − Λ_T. */
typedef int8_t mode[PARTS];

static int modes_of(const scene *s, int i, const mode **list)
{
  static const mode coulomb[] = {{1, ANY, 0, 0, 0}, {0, 0, 1, 1, 1}, {0, 1, 1, 0, 1}, {0, -1, 1, 1, 0}};
  static const mode slot[] = {{0, 0, 1, 1, 1},   {0, 0, -1, -1, -1}, {0, 1, 1, 0, 1},
                              {0, 1, -1, -1, 0}, {0, -1, 1, 1, 0},   {0, -1, -1, 0, -1}};
  static const mode slides_up[] = {{1, ANY, 0, 0, ANY}, {0, ANY, 1, 0, ANY}};
  static const mode slides_down[] = {{1, ANY, 0, ANY, 0}, {0, ANY, 1, ANY, 0}};
  static const mode slot_up[] = {{0, ANY, 1, 0, ANY}, {0, ANY, -1, ANY, 0}};
  static const mode slot_down[] = {{0, ANY, 1, ANY, 0}, {0, ANY, -1, 0, ANY}};
  static const mode smooth[] = {{1, ANY, 0, 0, 0}, {0, ANY, 1, 0, 0}};
  static const mode smooth_slot[] = {{0, ANY, ANY, 0, 0}};
  const int is_slot = s->law[i].kind == NSDYN_CONTACT_BILATERAL;
  if (s->mu[i] == 0.0) { /* Λ_T = 0 is what both cones say */
    *list = is_slot ? smooth_slot : smooth;
    return is_slot ? 1 : 2;
  }
  if (s->sliding[i]) {
    *list = is_slot ? (s->sliding[i] > 0 ? slot_up : slot_down) : s->sliding[i] > 0 ? slides_up : slides_down;
    return 2;
  }
  *list = is_slot ? slot : coulomb;
  return is_slot ? 6 : 4;
}

static void judge_scene(cells *c, const scene *s)
{
  const mode *list[3];
  int count[3] = {1, 1, 1};
  set_functionals(c, s);
  for (int i = 0; i < s->contacts; i++) {
    count[i] = modes_of(s, i, &list[i]);
  }
  for (int k = 0; k < count[0] * count[1] * count[2]; k++) {
    const int own[3] = {k % count[0], k / count[0] % count[1], k / count[0] / count[1]};
    int8_t ask[3 * PARTS + MOST] = {0}; /* ξ = 0 in bilateral rows */
    for (int i = 0; i < s->contacts; i++) {
      memcpy(ask + PARTS * i, list[i][own[i]], PARTS);
    }
    cells_add(c, ask);
  }
}

static int counts_agree(const cells *c, const nsdyn_contact_census *census)
{
  int64_t points = 0, bounded = 0, unbounded = 0;
  for (int k = 0; k < cells_count(c); k++) {
    const cells_piece *piece = cells_get(c, k);
    ++*(piece->dimension == 0 ? &points : piece->unbounded ? &unbounded : &bounded);
  }
  return points == census->points && bounded == census->bounded_pieces &&
         unbounded == census->unbounded_pieces;
}

/* Each vertex handed out has the largest impulse of a mode that the judge has; only counts are told here, so
 * a piece too many beside one too few would hide. The modes tell them apart. */
typedef struct kept_modes {
  int count;
  int32_t modes[MOST_LIST][3];
} kept_modes;

static int keep_modes(void *user, const nsdyn_contact_piece *piece)
{
  kept_modes *kept = user;
  if (kept->count < MOST_LIST) {
    memcpy(kept->modes[kept->count++], piece->modes, (size_t)piece->contacts * sizeof *piece->modes);
  }
  return 0;
}

/* The mode of the judge's piece; −1 where ξ_T takes both signs. */
static int mode_of(const scene *s, const cells_piece *piece, int i)
{
  const int more = (int)(piece->more >> (PARTS * i)), less = (int)(piece->less >> (PARTS * i));
  const int loaded = (more | less) & (1 << NORMAL | 1 << RIGHT | 1 << LEFT);
  if (s->law[i].kind != NSDYN_CONTACT_BILATERAL && !loaded) {
    return NSDYN_MODE_OPEN;
  }
  if (s->sliding[i]) {
    return s->sliding[i] > 0 ? NSDYN_MODE_SLIP_PLUS : NSDYN_MODE_SLIP_MINUS;
  }
  const int up = more >> XI_T & 1, down = less >> XI_T & 1;
  return up && down ? -1 : up ? NSDYN_MODE_SLIP_PLUS : down ? NSDYN_MODE_SLIP_MINUS : NSDYN_MODE_STICK;
}

static int modes_agree(const cells *c, const scene *s, const kept_modes *kept)
{
  char used[MOST_LIST] = {0};
  for (int k = 0; k < cells_count(c); k++) {
    int found = 0;
    for (int l = 0; l < kept->count && !found; l++) {
      found = !used[l];
      for (int i = 0; i < s->contacts && found; i++) {
        const int own = mode_of(s, cells_get(c, k), i);
        found = own < 0 || own == kept->modes[l][i];
      }
      if (found) {
        used[l] = 1;
      }
    }
    if (!found) {
      return 0;
    }
  }
  return 1;
}

void counting_contact(int index, uint64_t seed, counting *sum)
{
  random_state r = random_seed(1000003u * seed + (uint64_t)index);
  scene s;
  memset(&s, 0, sizeof s);
  contact_class[index].make(&r, &s);
  nsdyn_contact *solver = NULL;
  if (nsdyn_contact_new(NULL, NULL, &solver, NULL)) {
    abort();
  }
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = s.contacts;
  p.bilateral = s.bilateral;
  p.laws = s.law;
  p.G = s.G;
  p.ldg = rows_of(&s);
  p.c = s.c;
  p.mu = s.mu;
  double slip[3]; /* a tangential row each */
  for (int i = 0; i < s.contacts; i++) {
    slip[i] = s.sliding[i];
  }
  p.slip = slip;
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  kept_modes kept = {.count = 0};
  const double start = now();
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &p, keep_modes, &kept, &census);
  sum->seconds += now() - start;
  double Lambda[MOST], xi[MOST];
  const nsdyn_status solved = nsdyn_contact_solve(solver, &p, Lambda, xi);
  nsdyn_contact_free(solver);
  cells *c = cells_new(PARTS * s.contacts + s.bilateral, rows_of(&s));
  judge_scene(c, &s);
  const int solvable = cells_count(c) > 0;
  sum->cases++;
  sum->solvable += solvable;
  sum->listed += status == NSDYN_OK && census.complete;
  sum->no_solution += status == NSDYN_NO_SOLUTION;
  sum->undecided += !(status == NSDYN_OK && census.complete) && status != NSDYN_NO_SOLUTION;
  if (status == NSDYN_OK && census.complete && !(counts_agree(c, &census) && modes_agree(c, &s, &kept))) {
    note_false(sum, &sum->false_lists, seed);
  }
  if (solvable && (status == NSDYN_NO_SOLUTION || solved == NSDYN_NO_SOLUTION)) {
    note_false(sum, &sum->false_proofs, seed);
  }
  sum->unsolved += solvable && solved != NSDYN_OK;
  sum->unproved += !solvable && solved != NSDYN_NO_SOLUTION;
  cells_free(c);
}

/* ---- complementarity problems -----------------------------------------------------------------------------
 */

typedef struct lcp {
  int n;
  double A[MOST * MOST];
  double b[MOST];
} lcp;

static void integers(random_state *r, lcp *p)
{
  const int symmetric = random_below(r, 2);
  p->n = 2 + random_below(r, 5);
  for (int i = 0; i < p->n; i++) {
    p->b[i] = whole(r, 9);
    for (int j = 0; j < p->n; j++) {
      p->A[i * p->n + j] = symmetric && j < i ? p->A[j * p->n + i] : whole(r, 9);
    }
  }
}

/* A = W Wᵀ of lower rank, b = W u: a mechanism with redundant contacts. */
static void semidefinite(random_state *r, lcp *p, int is_whole)
{
  const int n = 2 + random_below(r, 5), rank = 1 + random_below(r, n);
  double W[MOST][MOST], u[MOST];
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < rank; k++) {
      W[i][k] = is_whole ? whole(r, 3) : random_normal(r);
      u[k] = is_whole ? whole(r, 3) : random_normal(r);
    }
  }
  for (int i = 1; i < n && !is_whole; i++) { /* rows that are nearly another's */
    if (random_below(r, 2)) {
      for (int k = 0; k < rank; k++) {
        W[i][k] = W[i - 1][k] + nearly_zero(r);
      }
    }
  }
  p->n = n;
  for (int i = 0; i < n; i++) {
    p->b[i] = 0.0;
    for (int k = 0; k < rank; k++) {
      p->b[i] += W[i][k] * u[k];
    }
    for (int j = 0; j < n; j++) {
      p->A[i * n + j] = 0.0;
      for (int k = 0; k < rank; k++) {
        p->A[i * n + j] += W[i][k] * W[j][k];
      }
    }
  }
}

static void whole_semidefinite(random_state *r, lcp *p)
{
  semidefinite(r, p, 1);
}

static void nearly_dependent(random_state *r, lcp *p)
{
  semidefinite(r, p, 0);
}

static void ties(random_state *r, lcp *p)
{
  p->n = 2 + random_below(r, 5);
  for (int i = 0; i < p->n; i++) {
    p->b[i] = whole(r, 1);
    for (int j = 0; j < p->n; j++) {
      p->A[i * p->n + j] = whole(r, 1);
    }
  }
}

static void near_duplicates(random_state *r, lcp *p)
{
  integers(r, p);
  const int n = p->n;
  for (int i = 1; i < n; i++) {
    if (random_below(r, 2)) {
      p->b[i] = p->b[i - 1] + nearly_zero(r);
      for (int j = 0; j < n; j++) {
        p->A[i * n + j] = p->A[(i - 1) * n + j] + nearly_zero(r);
      }
    }
  }
}

static void of_two_feet(random_state *r, lcp *p)
{
  scene s;
  memset(&s, 0, sizeof s);
  two_feet(r, &s);
  nsdyn_contact_problem q;
  nsdyn_contact_problem_init(&q, sizeof q);
  q.contacts = s.contacts;
  q.laws = s.law;
  q.G = s.G;
  q.ldg = 2 * s.contacts;
  q.c = s.c;
  q.mu = s.mu;
  double lo[MOST], hi[MOST];
  if (nsdyn_contact_lcp(&q, NULL, 0, NULL, NULL, NULL, &p->n) ||
      nsdyn_contact_lcp(&q, p->A, p->n, p->b, lo, hi, &p->n)) {
    abort();
  }
}

static void scaled(random_state *r, lcp *p)
{
  integers(r, p);
  double column[MOST];
  for (int j = 0; j < p->n; j++) {
    column[j] = random_scale(r, 100.0);
  }
  for (int i = 0; i < p->n; i++) {
    const double row = random_scale(r, 100.0);
    p->b[i] *= row;
    for (int j = 0; j < p->n; j++) {
      p->A[i * p->n + j] *= row * column[j];
    }
  }
}

static void spread(random_state *r, lcp *p)
{
  p->n = 2 + random_below(r, 4);
  for (int i = 0; i < p->n; i++) {
    p->b[i] = random_normal(r) * random_scale(r, 100.0);
    for (int j = 0; j < p->n; j++) {
      p->A[i * p->n + j] = random_normal(r) * random_scale(r, 100.0);
    }
  }
}

static void normal_numbers(random_state *r, lcp *p)
{
  p->n = 2 + random_below(r, 5);
  for (int i = 0; i < p->n; i++) {
    p->b[i] = random_normal(r);
    for (int j = 0; j < p->n; j++) {
      p->A[i * p->n + j] = random_normal(r);
    }
  }
}

static const struct {
  const char *name;
  void (*make)(random_state *r, lcp *p);
} lcp_class[] = {{"integers", integers},
                 {"integer semidefinite", whole_semidefinite},
                 {"ties", ties},
                 {"nearly duplicate rows", near_duplicates},
                 {"nearly dependent", nearly_dependent},
                 {"two feet", of_two_feet},
                 {"scaled integers", scaled},
                 {"each number scaled", spread},
                 {"random", normal_numbers}};

int counting_lcp_classes(void)
{
  return (int)(sizeof lcp_class / sizeof *lcp_class);
}

const char *counting_lcp_name(int index)
{
  return lcp_class[index].name;
}

/* Functional i is x_i, n + i is y_i. */
static void judge_lcp(cells *c, const lcp *p)
{
  for (int i = 0; i < p->n; i++) {
    double unit[MOST] = {0.0};
    unit[i] = 1.0;
    cells_set(c, i, unit, 0.0);
    cells_set(c, p->n + i, p->A + i * p->n, p->b[i]);
  }
  for (int alpha = 0; alpha < 1 << p->n; alpha++) {
    int8_t ask[2 * MOST];
    for (int i = 0; i < p->n; i++) {
      ask[i] = alpha >> i & 1 ? CELLS_MORE : CELLS_ZERO;
      ask[p->n + i] = alpha >> i & 1 ? CELLS_ZERO : CELLS_MORE;
    }
    cells_add(c, ask);
  }
}

typedef struct kept_supports {
  int count;
  uint32_t more[MOST_LIST];
} kept_supports;

static int keep_support(void *user, const nsdyn_lcp_piece *piece)
{
  kept_supports *kept = user;
  uint32_t more = 0;
  for (int i = 0; i < piece->n; i++) {
    more |= (uint32_t)(piece->support[i] & 1) << i | (uint32_t)(piece->support[i] >> 1 & 1) << (piece->n + i);
  }
  if (kept->count < MOST_LIST) {
    kept->more[kept->count++] = more;
  }
  return 0;
}

static int supports_agree(const cells *c, const kept_supports *kept, const nsdyn_lcp_census *census)
{
  int64_t points = 0;
  if (kept->count != cells_count(c)) {
    return 0;
  }
  for (int k = 0; k < kept->count; k++) {
    int found = 0;
    for (int l = 0; l < kept->count && !found; l++) {
      found = cells_get(c, k)->more == kept->more[l];
    }
    if (!found) {
      return 0;
    }
    points += cells_get(c, k)->dimension == 0;
  }
  return points == census->points;
}

void counting_lcp(int index, uint64_t seed, counting *sum)
{
  random_state r = random_seed(1000003u * seed + 77u * (uint64_t)index + 5u);
  lcp p;
  memset(&p, 0, sizeof p);
  lcp_class[index].make(&r, &p);
  nsdyn_lcp *solver = NULL;
  if (nsdyn_lcp_new(NULL, NULL, &solver, NULL)) {
    abort();
  }
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  kept_supports kept = {.count = 0};
  const double start = now();
  const nsdyn_status status = nsdyn_lcp_enumerate(solver, p.n, p.A, p.n, p.b, keep_support, &kept, &census);
  sum->seconds += now() - start;
  double x[MOST];
  const nsdyn_status solved = nsdyn_lcp_solve(solver, p.n, p.A, p.n, p.b, x, NULL);
  nsdyn_lcp_free(solver);
  cells *c = cells_new(2 * p.n, p.n);
  judge_lcp(c, &p);
  const int solvable = cells_count(c) > 0;
  sum->cases++;
  sum->solvable += solvable;
  sum->listed += status == NSDYN_OK && census.complete;
  sum->no_solution += status == NSDYN_NO_SOLUTION;
  sum->undecided += !(status == NSDYN_OK && census.complete) && status != NSDYN_NO_SOLUTION;
  if (status == NSDYN_OK && census.complete && !supports_agree(c, &kept, &census)) {
    note_false(sum, &sum->false_lists, seed);
  }
  if (solvable && (status == NSDYN_NO_SOLUTION || solved == NSDYN_NO_SOLUTION)) {
    note_false(sum, &sum->false_proofs, seed);
  }
  sum->unsolved += solvable && solved != NSDYN_OK;
  sum->unproved += !solvable && solved != NSDYN_NO_SOLUTION;
  cells_free(c);
}
