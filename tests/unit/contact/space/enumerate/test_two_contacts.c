/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* All solutions of two contacts in space, by the public call: what Newton's method finds from many beginnings
 * is in every list that is called complete; lists of the plane, and known numbers of solutions. */
#include "contact/space/enumerate/two_contacts.h"

#include <math.h>
#include <string.h>

#include "../space_trial.h"
#include "nsdyn/setvalued.h"

enum { MOST_FOUND = 80, MOST_ROWS = 12 };

typedef struct list {
  int count;
  int lines; /* of them */
  double Lambda[MOST_FOUND][MOST_ROWS], end[MOST_FOUND][MOST_ROWS];
  int is_line[MOST_FOUND];
  int32_t mode[MOST_FOUND][2];
} list;

static int collect(void *user, const nsdyn_contact_piece *piece)
{
  list *l = user;
  ck_assert(l->count < MOST_FOUND && piece->rows <= MOST_ROWS);
  const size_t bytes = (size_t)piece->rows * sizeof(double);
  memcpy(l->Lambda[l->count], piece->Lambda, bytes);
  l->is_line[l->count] = piece->dimension > 0;
  ck_assert_int_eq(piece->dimension, piece->vertices + piece->rays > 1);
  if (piece->dimension > 0) {
    for (int i = 0; i < piece->rows; i++) {
      l->end[l->count][i] =
          piece->vertices == 2 ? piece->Lambda[piece->rows + i] : piece->Lambda[i] + 1e3 * piece->ray[i];
    }
  }
  l->lines += piece->dimension > 0;
  for (int i = 0; i < piece->contacts; i++) {
    l->mode[l->count][i] = piece->modes[i];
  }
  l->count++;
  return 0;
}

/* Each point is a solution by the certificate, and the census has counted all. */
static nsdyn_status list_all(nsdyn_contact *solver, trial *t, list *l, nsdyn_contact_census *census)
{
  l->count = l->lines = 0;
  nsdyn_contact_census_init(census, sizeof *census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &t->p, collect, l, census);
  ck_assert_int_eq(census->points + census->bounded_pieces + census->unbounded_pieces, l->count);
  ck_assert_int_eq(census->points, l->count - l->lines);
  ck_assert_int_eq(census->complete, census->doubtful == 0);
  ck_assert_int_eq(status == NSDYN_OK, l->count > 0);
  ck_assert(status != NSDYN_NO_SOLUTION || census->complete);
  for (int i = 0; i < l->count; i++) {
    memcpy(t->Lambda, l->Lambda[i], sizeof l->Lambda[i]);
    ck_assert_double_le(miss_of(t), 1e-9);
  }
  return status;
}

static double size_of(const double *Lambda, int rows)
{
  double size = 0.0;
  for (int i = 0; i < rows; i++) {
    size = fmax(size, fabs(Lambda[i]));
  }
  return size;
}

/* Whether Λ is one of the list: near a point, or on a line. */
static int is_listed(const list *l, const double *Lambda, const double *c, int rows)
{
  for (int i = 0; i < l->count; i++) {
    double along = 0.0, length = 0.0, far = 0.0;
    for (int j = 0; j < rows && l->is_line[i]; j++) {
      along += (l->end[i][j] - l->Lambda[i][j]) * (Lambda[j] - l->Lambda[i][j]);
      length += (l->end[i][j] - l->Lambda[i][j]) * (l->end[i][j] - l->Lambda[i][j]);
    }
    const double t = length > 0.0 ? fmin(fmax(along / length, 0.0), 1.0) : 0.0;
    for (int j = 0; j < rows; j++) {
      const double at = l->Lambda[i][j] + (l->is_line[i] ? t * (l->end[i][j] - l->Lambda[i][j]) : 0.0);
      far = fmax(far, fabs(at - Lambda[j]));
    }
    if (far <= 1e-5 * size_of(Lambda, rows) + 1e-9 * size_of(c, rows)) {
      return 1;
    }
  }
  return 0;
}

/* ---- the judge: Newton's method on the natural map, from anywhere -----------------------------------------
 */

/* Λ_T − P(Λ_T − ξ_T), in the axes in which the set P projects on is a disk or a regular polygon. */
static void miss_friction(const nsdyn_contact_law *law, double limit, const double *Lambda, const double *xi,
                          double *F)
{
  const double c = cos(law->angle), s = sin(law->angle), a = law->aspect;
  const double own[2] = {c * Lambda[0] + s * Lambda[1], (c * Lambda[1] - s * Lambda[0]) / a};
  const double turned[2] = {c * xi[0] + s * xi[1], a * (c * xi[1] - s * xi[0])};
  double z[2] = {own[0] - turned[0], own[1] - turned[1]};
  const double norm = hypot(z[0], z[1]);
  if (law->shape == NSDYN_FRICTION_POLYGON) {
    nsdyn_polygon_prox(law->sides, limit, z, z);
  } else if (norm > limit) {
    z[0] *= limit / norm;
    z[1] *= limit / norm;
  }
  F[0] = own[0] - z[0];
  F[1] = own[1] - z[1];
}

/* F(Λ): Λ_N − max(0, Λ_N − ξ_N), of a slot ξ_N; what friction misses; bilateral rows ξ. */
static void residual(const trial *t, const double *Lambda, double *F)
{
  double xi[MOST_ROWS];
  for (int i = 0; i < t->rows; i++) {
    xi[i] = t->c[i];
    for (int j = 0; j < t->rows; j++) {
      xi[i] += t->G[i * t->rows + j] * Lambda[j];
    }
    F[i] = xi[i];
  }
  for (int k = 0, row = 0; k < t->contacts; row += 1 + t->law[k].tangents, k++) {
    const nsdyn_contact_law *law = &t->law[k];
    const int is_slot = law->kind == NSDYN_CONTACT_BILATERAL;
    const double press = is_slot ? fabs(Lambda[row]) : fmax(0.0, Lambda[row]);
    const double limit = law->friction == NSDYN_FRICTION_BOUND ? law->bound : law->mu * press;
    const double *e = t->p.slip ? t->p.slip + 2 * (size_t)k : NULL;
    F[row] = is_slot ? xi[row] : Lambda[row] - fmax(0.0, Lambda[row] - xi[row]);
    if (law->tangents == 1) {
      F[row + 1] = Lambda[row + 1] - fmax(-limit, fmin(limit, Lambda[row + 1] - xi[row + 1]));
    } else if (e && (e[0] != 0.0 || e[1] != 0.0)) {
      F[row + 1] = Lambda[row + 1] + limit * e[0];
      F[row + 2] = Lambda[row + 2] + limit * e[1];
    } else {
      miss_friction(law, limit, Lambda + row + 1, xi + row + 1, F + row + 1);
    }
  }
}

/* x := A⁻¹ x by elimination with pivots; 0 where that is singular. */
static int solve(int n, double *A, double *x)
{
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++) {
      p = fabs(A[i * n + k]) > fabs(A[p * n + k]) ? i : p;
    }
    if (!(fabs(A[p * n + k]) > 0.0)) {
      return 0;
    }
    for (int j = 0; j < n; j++) {
      const double held = A[k * n + j];
      A[k * n + j] = A[p * n + j];
      A[p * n + j] = held;
    }
    const double held = x[k];
    x[k] = x[p];
    x[p] = held;
    for (int i = k + 1; i < n; i++) {
      const double times = A[i * n + k] / A[k * n + k];
      for (int j = k; j < n; j++) {
        A[i * n + j] -= times * A[k * n + j];
      }
      x[i] -= times * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) {
      x[i] -= A[i * n + j] * x[j];
    }
    x[i] /= A[i * n + i];
  }
  return 1;
}

/* Newton's method from Λ; whether it ends in a solution. Derivatives are differences. */
static int search_from(trial *t, double *Lambda)
{
  const int n = t->rows;
  double F[MOST_ROWS] = {0.0}, moved[MOST_ROWS] = {0.0}, J[MOST_ROWS * MOST_ROWS] = {0.0};
  for (int step = 0; step < 40; step++) {
    residual(t, Lambda, F);
    const double size = size_of(Lambda, n) + size_of(t->c, n);
    if (size_of(F, n) <= 1e-13 * size) {
      memcpy(t->Lambda, Lambda, (size_t)n * sizeof *Lambda);
      return miss_of(t) <= 1e-11;
    }
    for (int j = 0; j < n; j++) {
      const double held = Lambda[j], h = 1e-7 * (fabs(held) + 1e-3 * size);
      Lambda[j] += h;
      residual(t, Lambda, moved);
      Lambda[j] = held;
      for (int i = 0; i < n; i++) {
        J[i * n + j] = (moved[i] - F[i]) / h;
      }
    }
    if (!solve(n, J, F)) {
      return 0;
    }
    for (int j = 0; j < n; j++) {
      Lambda[j] -= F[j];
    }
    if (!(size_of(Lambda, n) < 1e12)) {
      return 0;
    }
  }
  return 0;
}

/* ---- random problems --------------------------------------------------------------------------------------
 */

enum { DEFINITE, STEEP, SINGULAR, INDEFINITE, KNOWN, WITH_ROWS, MIXED, ELLIPSES, POLYGONS, OTHERS, KINDS };

static const char *const kind_name[KINDS] = {"definite",
                                             "steep",
                                             "singular",
                                             "indefinite",
                                             "known",
                                             "rows",
                                             "planar and spatial",
                                             "ellipses",
                                             "polygons",
                                             "slots and given bounds"};

static void draw_law(nsdyn_contact_law *law, int kind, random_state *random)
{
  *law = disk_law(random_between(random, 0.1, kind == STEEP ? 8.0 : 2.5));
  if (kind >= ELLIPSES) {
    law->aspect = random_between(random, 0.4, 2.0);
    law->angle = random_between(random, -3.0, 3.0);
  }
  if ((kind == POLYGONS || kind == OTHERS) && random_below(random, 4)) {
    law->shape = NSDYN_FRICTION_POLYGON;
    law->sides = 4 + 2 * random_below(random, 3);
  }
  if (kind == OTHERS && random_below(random, 2)) {
    law->kind = NSDYN_CONTACT_BILATERAL;
  }
  if (kind == OTHERS && random_below(random, 2)) {
    law->friction = NSDYN_FRICTION_BOUND;
    law->mu = 0.0;
    law->bound = random_between(random, 0.1, 1.0);
  }
}

static void make(trial *t, int kind, uint64_t seed, double *slip)
{
  random_state random = random_seed(seed);
  for (int i = 0; i < 2; i++) {
    draw_law(&t->law[i], kind, &random);
    t->law[i].tangents = kind == MIXED && i == 0 ? 1 : 2;
  }
  /* Rows of constraints are made like frictionless contacts. */
  const int bilateral = kind == WITH_ROWS ? 1 + random_below(&random, 2) : 0;
  for (int i = 0; i < bilateral; i++) {
    t->law[2 + i] = disk_law(0.0);
    t->law[2 + i].friction = NSDYN_FRICTION_NONE;
  }
  const int rows = 6 - (kind == MIXED) + bilateral;
  fill(t, 2 + bilateral, kind == SINGULAR ? 5 : rows + random_below(&random, 3), &random);
  t->contacts = t->p.contacts = 2;
  t->p.bilateral = bilateral;
  t->p.dt = 1.0;
  t->p.slip = NULL;
  if (kind == INDEFINITE) {
    const double more = random_between(&random, 1.1, 2.0);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < rows; j++) {
        t->G[i * rows + j] *= i == j ? 1.0 : more;
      }
    }
  }
  if (kind == KNOWN) {
    const double angle = random_between(&random, 0.0, 6.3);
    slip[0] = cos(angle);
    slip[1] = sin(angle);
    slip[2] = slip[3] = 0.0;
    t->p.slip = slip;
  }
}

START_TEST(newtons_method_from_anywhere_finds_nothing_more)
{
  static trial t;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  const int cases = random_cases(400), starts = 150;
  int complete[KINDS] = {0}, several[KINDS] = {0}, none[KINDS] = {0}, total[KINDS] = {0}, met = 0;
  for (int k = 0; k < cases; k++) {
    const int kind = k % KINDS;
    double slip[4];
    make(&t, kind, (uint64_t)k, slip);
    nsdyn_contact_census census;
    const nsdyn_status status = list_all(solver, &t, &l, &census);
    total[kind]++;
    complete[kind] += census.complete;
    several[kind] += census.complete && l.count > 1;
    none[kind] += status == NSDYN_NO_SOLUTION;
    random_state random = random_seed((uint64_t)k + 1000000);
    for (int i = 0; i < starts && census.complete; i++) {
      double Lambda[MOST_ROWS];
      const double far = random_scale(&random, 1.5);
      for (int j = 0; j < t.rows; j++) {
        Lambda[j] = far * random_normal(&random);
      }
      if (search_from(&t, Lambda)) {
        met++;
        REQUIRE(is_listed(&l, Lambda, t.c, t.rows), "%s, seed %d: (%g %g %g  %g %g %g) is none of %d",
                kind_name[kind], k, Lambda[0], Lambda[1], Lambda[2], Lambda[3], Lambda[4], Lambda[5],
                l.count);
      }
    }
    /* On impulse level solutions of a definite problem come in odd numbers. */
    REQUIRE(kind > STEEP || !census.complete || l.count % 2 == 1, "seed %d: %d solutions", k, l.count);
  }
  for (int kind = 0; kind < KINDS; kind++) {
    ck_assert_msg(100 * complete[kind] >= 90 * total[kind], "%s: %d of %d complete", kind_name[kind],
                  complete[kind], total[kind]);
  }
  ck_assert_msg(met > 20 * cases, "%d times", met);
  ck_assert(cases < 400 || (several[STEEP] > 0 && several[INDEFINITE] > 0 && none[INDEFINITE] > 0));
  nsdyn_contact_free(solver);
}
END_TEST

/* Two contacts of a plane each with a second tangent that nothing drives: the exact search of the plane
 * counts as many solutions, none outside of the plane. */
START_TEST(lists_of_the_plane_are_the_same_in_space)
{
  static trial flat, deep;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int none = 0, several = 0, pieces = 0, compared = 0;
  const int cases = random_cases(3000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    for (int i = 0; i < 2; i++) {
      flat.law[i] = disk_law(random_between(&random, 0.0, 4.0));
      flat.law[i].kind = random_below(&random, 5) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
      deep.law[i] = flat.law[i];
      flat.law[i].tangents = 1;
      deep.law[i].shape = random_below(&random, 3) ? NSDYN_FRICTION_ELLIPSE : NSDYN_FRICTION_POLYGON;
      deep.law[i].sides = 8;
    }
    fill(&flat, 2, 3 + k % 3, &random);
    for (int i = 0; i < 16 && k % 4 == 0; i++) {
      flat.G[i] *= i % 5 == 0 ? 1.0 : 1.5;
    }
    fill(&deep, 2, 6, &random);
    for (int i = 0; i < 6; i++) {
      deep.c[i] = i % 3 == 2 ? 0.0 : flat.c[2 * (i / 3) + i % 3];
      for (int j = 0; j < 6; j++) {
        const int is_flat = i % 3 != 2 && j % 3 != 2;
        deep.G[i * 6 + j] =
            is_flat ? flat.G[(2 * (i / 3) + i % 3) * 4 + 2 * (j / 3) + j % 3] : (double)(i == j);
      }
    }
    nsdyn_contact_census expected, census;
    nsdyn_contact_census_init(&expected, sizeof expected);
    const nsdyn_status wanted = nsdyn_contact_enumerate(solver, &flat.p, NULL, NULL, &expected);
    const nsdyn_status status = list_all(solver, &deep, &l, &census);
    /* What is redundant but for rounding is not redundant in the plane, which decides exactly. */
    if (!census.complete || !expected.complete || k % 3 == 0) {
      pieces += l.lines;
      continue;
    }
    compared++;
    REQUIRE(status == wanted, "seed %d: %d for %d", k, (int)status, (int)wanted);
    REQUIRE(census.points == expected.points && census.motions == expected.motions &&
                l.lines == expected.bounded_pieces + expected.unbounded_pieces,
            "seed %d: %d, %d and %d lines for %d, %d and %d", k, (int)census.points, (int)census.motions,
            l.lines, (int)expected.points, (int)expected.motions,
            (int)(expected.bounded_pieces + expected.unbounded_pieces));
    none += status == NSDYN_NO_SOLUTION;
    several += census.points > 1;
  }
  ck_assert_msg(10 * compared >= 6 * cases, "%d of %d compared", compared, cases);
  ck_assert_msg(cases < 3000 || (none > 0 && several > 0 && pieces > 0), "%d, %d, %d", none, several, pieces);
  nsdyn_contact_free(solver);
}
END_TEST

/* Contacts that know nothing of each other: as many solutions as the product of what each has alone, which a
 * quartic lists. */
START_TEST(contacts_apart_have_products_of_lists)
{
  static trial one[2], both;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int several = 0, compared = 0;
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    int64_t product = 1;
    int is_complete = 1;
    memset(both.G, 0, sizeof both.G);
    for (int i = 0; i < 2; i++) {
      one[i].law[0] = both.law[i] = disk_law(random_between(&random, 0.2, 5.0));
      fill(&one[i], 1, 3, &random);
      for (int j = 0; j < 9 && random_below(&random, 2); j++) {
        one[i].G[j] *= j % 4 == 0 ? 1.0 : 1.0 + 0.5 * (k % 2);
      }
      for (int j = 1; j < 3; j++) {
        for (int m = 0; m < j; m++) {
          one[i].G[3 * m + j] = one[i].G[3 * j + m];
        }
      }
      nsdyn_contact_census census;
      (void)list_all(solver, &one[i], &l, &census);
      product *= census.points;
      is_complete = is_complete && census.complete;
    }
    fill(&both, 2, 6, &random);
    for (int i = 0; i < 6; i++) {
      both.c[i] = one[i / 3].c[i % 3];
      for (int j = 0; j < 6; j++) {
        both.G[6 * i + j] = i / 3 == j / 3 ? one[i / 3].G[3 * (i % 3) + j % 3] : 0.0;
      }
    }
    nsdyn_contact_census census;
    (void)list_all(solver, &both, &l, &census);
    if (!is_complete || !census.complete) {
      continue;
    }
    compared++;
    several += product > 1;
    REQUIRE(census.points == product, "seed %d: %d for %d", k, (int)census.points, (int)product);
  }
  ck_assert_msg(100 * compared >= 95 * cases, "%d of %d", compared, cases);
  ck_assert(cases < 2000 || several > 0);
  nsdyn_contact_free(solver);
}
END_TEST

/* ---- rigid bodies
 * -------------------------------------------------------------------------------------------- */

/* Rows N, T1, T2 of a body's point at r from its centre of mass; normals e_z, tangents e_x and e_y. */
static void point_rows(const double *r, double W[3][6])
{
  static const int axis[3] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    double e[3] = {0.0, 0.0, 0.0};
    e[axis[i]] = 1.0;
    for (int j = 0; j < 3; j++) {
      W[i][j] = e[j];
      W[i][3 + j] = r[(j + 1) % 3] * e[(j + 2) % 3] - r[(j + 2) % 3] * e[(j + 1) % 3];
    }
  }
}

/* A body of mass 1 on two feet, which slide along e: two numbers λ_N, whose four states are looked at by
 * hand. High and thin bodies jam: 0, 1, 2 or 3 solutions. */
START_TEST(a_body_that_slides_on_two_feet_has_the_solutions_of_its_four_states)
{
  static trial t;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int seen[5] = {0};
  for (int k = 0; k < random_cases(3000); k++) {
    random_state random = random_seed((uint64_t)k);
    const double mu = random_between(&random, 0.1, 3.0), angle = random_between(&random, 0.0, 6.3);
    const double J[6] = {1.0,
                         1.0,
                         1.0,
                         random_between(&random, 0.01, 0.3),
                         random_between(&random, 0.01, 0.3),
                         random_between(&random, 0.01, 0.3)};
    double W[6][6], slip[4] = {cos(angle), sin(angle), cos(angle), sin(angle)}, A[2][2], b[2];
    for (int i = 0; i < 2; i++) {
      const double r[3] = {random_between(&random, -0.5, 0.5), random_between(&random, -0.5, 0.5),
                           -random_between(&random, 0.2, 1.0)};
      point_rows(r, W + 3 * i);
      t.law[i] = disk_law(mu);
    }
    fill(&t, 2, 6, &random);
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        t.G[6 * i + j] = 0.0;
        for (int m = 0; m < 6; m++) {
          t.G[6 * i + j] += W[i][m] * W[j][m] / J[m];
        }
      }
    }
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < i; j++) {
        t.G[6 * j + i] = t.G[6 * i + j];
      }
    }
    t.p.slip = slip;
    for (int i = 0; i < 2; i++) {
      b[i] = t.c[3 * i];
      for (int j = 0; j < 2; j++) {
        const double *g = &t.G[6 * 3 * i + 3 * j];
        A[i][j] = g[0] - mu * (g[1] * slip[0] + g[2] * slip[1]);
      }
    }
    /* 0 <= A λ + b ⊥ λ >= 0 */
    const double det = A[0][0] * A[1][1] - A[0][1] * A[1][0];
    const double x[2] = {(A[0][1] * b[1] - A[1][1] * b[0]) / det, (A[1][0] * b[0] - A[0][0] * b[1]) / det};
    int wanted = (b[0] > 0.0 && b[1] > 0.0) + (x[0] > 0.0 && x[1] > 0.0);
    for (int i = 0; i < 2; i++) {
      const double lambda = -b[i] / A[i][i];
      wanted += lambda > 0.0 && A[1 - i][i] * lambda + b[1 - i] > 0.0;
    }
    nsdyn_contact_census census;
    (void)list_all(solver, &t, &l, &census);
    if (census.complete) {
      seen[l.count]++;
      REQUIRE(l.count == wanted, "seed %d: %d for %d", k, l.count, wanted);
    }
  }
  const int is_few = random_cases(1000) < 500; /* of a rare kind chance decides then */
  ck_assert_msg(seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && (is_few || seen[3] > 0), "%d %d %d %d", seen[0],
                seen[1], seen[2], seen[3]);
  nsdyn_contact_free(solver);
}
END_TEST

/* Painlevé's rod slides on one end, mass and half length 1, at the angle θ: λ_N is one number, and where
 * friction pulls it in, μ 3 sin θ cos θ > 1 + 3 cos² θ, it has none or two. Beside a second rod the numbers
 * multiply: 0, 1, 2 and 4. */
START_TEST(two_rods_of_painleve_multiply)
{
  static trial t;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  int seen[5] = {0};
  for (int k = 0; k < random_cases(500); k++) {
    random_state random = random_seed((uint64_t)k);
    int wanted = 1;
    double slip[4];
    for (int i = 0; i < 2; i++) {
      t.law[i] = disk_law(random_between(&random, 0.2, 4.0));
    }
    fill(&t, 2, 6, &random);
    memset(t.G, 0, sizeof t.G);
    for (int i = 0; i < 2; i++) {
      /* The rod leans along the direction (c, s) of the plane, in which it slides or not. */
      const double theta = random_between(&random, 0.2, 1.4), turn = random_between(&random, 0.0, 6.3);
      const double along = random_below(&random, 2) ? 1.0 : -1.0, co = cos(theta), si = sin(theta);
      const double e[2] = {cos(turn), sin(turn)}, NN = 1.0 + 3.0 * co * co, NT = 3.0 * si * co,
                   TT = 3.0 * si * si;
      double *G = &t.G[21 * i];
      G[0] = NN;
      for (int j = 0; j < 2; j++) {
        slip[2 * i + j] = along * e[j];
        G[1 + j] = G[6 * (1 + j)] = NT * e[j];
        for (int m = 0; m < 2; m++) {
          G[6 * (1 + j) + 1 + m] = (j == m) + TT * e[j] * e[m];
        }
      }
      const double a = NN - along * t.law[i].mu * NT, b = t.c[3 * i];
      wanted *= a > 0.0 ? 1 : b > 0.0 ? 2 : 0;
    }
    t.p.slip = slip;
    nsdyn_contact_census census;
    const nsdyn_status status = list_all(solver, &t, &l, &census);
    if (census.complete) {
      seen[l.count]++;
      REQUIRE(l.count == wanted, "seed %d: %d for %d", k, l.count, wanted);
      REQUIRE((status == NSDYN_NO_SOLUTION) == (wanted == 0), "seed %d", k);
    }
  }
  const int is_few = random_cases(1000) < 500; /* of a rare kind chance decides then */
  ck_assert(is_few || (seen[0] > 0 && seen[1] > 0 && seen[2] > 0 && seen[4] > 0));
  nsdyn_contact_free(solver);
}
END_TEST

/* A rod between two walls, pressed by nothing: what it can be held by is a ray of impulses and one motion.
 * And a body at rest on two feet: its feet can press against each other by any share of friction. */
START_TEST(impulses_that_hold_each_other_are_lines)
{
  static trial t;
  static list l;
  nsdyn_contact *solver = make_solver(NSDYN_CONTACT_AUTOMATIC);
  random_state random = random_seed(1);
  const double inertia[6] = {1.0, 1.0, 1.0, 0.3, 0.3, 0.3};
  double W[6][6];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) {
      const double side = i == 0 ? 1.0 : -1.0;
      const double foot[3] = {0.5 * side, 0.0, -0.4}, end[3] = {0.0, 0.0, -side};
      t.law[i] = disk_law(0.6);
      point_rows(k == 0 ? foot : end, W + 3 * i);
      for (int j = 0; j < 6 && k == 1 && i == 1; j++) {
        W[3][j] = -W[3][j];
        W[4][j] = -W[4][j];
      }
    }
    fill(&t, 2, 6, &random);
    /* Falling: c of the velocity (0.1, 0.05, −1), or of (0.1, 0.05, 0) for the rod. */
    const double u[3] = {0.1, 0.05, k == 0 ? -1.0 : 0.0};
    for (int i = 0; i < 6; i++) {
      t.c[i] = W[i][0] * u[0] + W[i][1] * u[1] + W[i][2] * u[2];
      for (int j = 0; j < 6; j++) {
        t.G[6 * i + j] = 0.0;
        for (int m = 0; m < 6; m++) {
          t.G[6 * i + j] += W[i][m] * W[j][m] / inertia[m];
        }
      }
    }
    nsdyn_contact_census census;
    ck_assert_int_eq(list_all(solver, &t, &l, &census), NSDYN_OK);
    if (k == 0) {
      ck_assert_int_eq(census.complete, 1);
      ck_assert(census.bounded_pieces == 1 && census.points == 0 && census.motions == 1);
      /* Both stick: Λ_T1 is free by ± t along the line of the feet, until a foot is at its limit. */
      ck_assert_int_eq(l.mode[0][0], NSDYN_MODE_STICK);
      for (int i = 0; i < 2; i++) {
        const double *end = i == 0 ? l.Lambda[0] : l.end[0];
        const double first = hypot(end[1], end[2]) / (0.6 * end[0]),
                     second = hypot(end[4], end[5]) / (0.6 * end[3]);
        ck_assert_double_eq_tol(fmax(first, second), 1.0, 1e-9);
      }
    } else {
      ck_assert(census.unbounded_pieces == 1);
    }
  }
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/space/enumerate/two_contacts", TEST(newtons_method_from_anywhere_finds_nothing_more),
      TEST(lists_of_the_plane_are_the_same_in_space), TEST(contacts_apart_have_products_of_lists),
      TEST(a_body_that_slides_on_two_feet_has_the_solutions_of_its_four_states),
      TEST(two_rods_of_painleve_multiply), TEST(impulses_that_hold_each_other_are_lines))
