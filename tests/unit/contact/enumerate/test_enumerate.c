/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/enumerate/enumerate.h"

#include "contact_brute.h"
#include "contact_cases.h"
#include "nsdyn/lcp.h"

#define TOL 1e-9

typedef struct bench {
  nsd_census w;
  nsd_census_options options;
  nsdyn_contact_census census;
  contact_case made;
  brute *judge;
  contact_pieces all;
} bench;

static bench *bench_new(void)
{
  bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  nsd_census_init(&t->w, NULL);
  t->options = (nsd_census_options){.tol = TOL, .max_nodes = -1};
  t->judge = brute_new();
  return t;
}

static void bench_free(bench *t)
{
  nsd_census_release(&t->w);
  contact_pieces_free(&t->all);
  brute_free(t->judge);
  free(t);
}

static nsdyn_status list(bench *t)
{
  contact_pieces_clear(&t->all);
  t->census = (nsdyn_contact_census){.size = sizeof t->census};
  return nsd_census_all(&t->w, &t->made.data, &t->options, contact_collect, &t->all, &t->census);
}

/* Whether x (n) is one of the rows, which begin `stride` numbers after each other. */
static int is_among(int n, int count, const double *rows, int stride, const double *x)
{
  int k = 0;
  while (k < count && !brute_same(n, rows + (ptrdiff_t)k * stride, x)) {
    k++;
  }
  return k < count;
}

static int matches(const contact_piece *piece, const brute_piece *judged, int rows)
{
  if (piece->dimension != judged->dimension || piece->velocity_dimension != judged->velocity_dimension ||
      piece->vertices != judged->vertices || piece->rays != judged->rays) {
    return 0;
  }
  int found = 0;
  for (int v = 0; v < piece->vertices; v++) {
    found += is_among(rows, judged->vertices, judged->vertex[0], BRUTE_ROWS, piece->Lambda + v * rows);
  }
  for (int v = 0; v < piece->rays; v++) {
    found += is_among(rows, judged->rays, judged->ray[0], BRUTE_ROWS, piece->ray + v * rows);
  }
  return found == piece->vertices + piece->rays;
}

/* The enumerator's pieces are the judge's, each once. */
static void agree(bench *t, const char *what, uint64_t seed)
{
  brute_run(t->judge, &t->made.data);
  const nsdyn_status status = list(t);
  if (t->judge->has_line) {
    return;
  }
  REQUIRE(t->judge->pieces == t->all.count, "%s %llu: %d pieces, judged %d (%lld doubtful)", what,
          (unsigned long long)seed, t->all.count, t->judge->pieces, (long long)t->census.doubtful);
  /* Of dependent rows that are rounded it cannot be proved that no solution is far out. */
  const int undecided = t->judge->pieces == 0 && t->census.doubtful > 0;
  REQUIRE(status == (t->judge->pieces ? NSDYN_OK
                     : undecided      ? NSDYN_UNDECIDED
                                      : NSDYN_NO_SOLUTION),
          "%s %llu: status %d", what, (unsigned long long)seed, (int)status);
  for (int k = 0; k < t->judge->pieces; k++) {
    int found = 0;
    for (int i = 0; i < t->all.count; i++) {
      found += matches(&t->all.piece[i], &t->judge->piece[k], t->made.data.rows);
    }
    REQUIRE(found == 1, "%s %llu: piece %d of %d (dimension %d, %d vertices, %d rays) was found %d times",
            what, (unsigned long long)seed, k, t->judge->pieces, t->judge->piece[k].dimension,
            t->judge->piece[k].vertices, t->judge->piece[k].rays, found);
  }
}

/* Of each kind up to `last`; but for redundant ones, since they are rounded: those are for the judge without
 * tolerances, test_counting.c. contacts = 0: from one to three. */
static void agree_on_kinds(int last, int contacts, int cases)
{
  bench *t = bench_new();
  for (int kind = 0; kind <= last; kind++) {
    for (uint64_t seed = 0; kind != CASE_REDUNDANT && seed < (uint64_t)cases; seed++) {
      contact_case_make(&t->made, (case_kind)kind, contacts ? contacts : 1 + (int)(seed % 3), seed);
      agree(t, case_names[kind], seed);
    }
  }
  bench_free(t);
}

START_TEST(agrees_with_all_patterns)
{
  agree_on_kinds(CASE_KINDS - 1, 0, random_cases(300));
  agree_on_kinds(CASE_AT_REST, 4, random_cases(6));
}
END_TEST

/* Where it says that there is none, there is none; and for generic problems it can always say so. */
START_TEST(generic_problems_are_decided)
{
  bench *t = bench_new();
  int none = 0, two = 0;
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(600); seed++) {
    contact_case_make(&t->made, CASE_SLIDING, 1 + (int)(seed % 4), seed);
    const nsdyn_status status = list(t);
    REQUIRE(status == NSDYN_OK || status == NSDYN_NO_SOLUTION, "seed %llu: status %d",
            (unsigned long long)seed, (int)status);
    ck_assert_int_eq(t->census.complete, 1);
    none += status == NSDYN_NO_SOLUTION;
    two += t->census.points == 2;
  }
  ck_assert_int_gt(none, random_cases(600) / 20);
  ck_assert_int_gt(two, random_cases(600) / 20);
  bench_free(t);
}
END_TEST

/* With positive definite G and friction of unknown direction there is a solution; generically their number is
 * odd. */
START_TEST(regular_problems_have_an_odd_number)
{
  bench *t = bench_new();
  int many = 0;
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(600); seed++) {
    contact_case_make(&t->made, CASE_STEEP, 1 + (int)(seed % 4), seed);
    REQUIRE(list(t) == NSDYN_OK, "seed %llu", (unsigned long long)seed);
    REQUIRE(t->census.points % 2 == 1 && t->census.points == t->all.count, "seed %llu: %lld points",
            (unsigned long long)seed, (long long)t->census.points);
    REQUIRE(t->census.motions == t->census.points, "seed %llu: %lld motions", (unsigned long long)seed,
            (long long)t->census.motions);
    many += t->census.points > 1;
  }
  ck_assert_int_gt(many, random_cases(600) / 20);
  bench_free(t);
}
END_TEST

/* ---- other units ---- */

/* Λ_i = 2^d_i Λ_i', ξ_i' = 2^d_i ξ_i: the same problem in other units, powers of two. */
static void change_units(contact_case *t, const int *d, int shift)
{
  const int n = t->data.rows;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      t->G[i * n + j] = ldexp(t->G[i * n + j], d[i] + d[j]);
    }
    t->c[i] = ldexp(t->c[i], d[i] + shift);
  }
  for (int i = 0; i < t->data.contacts; i++) {
    nsd_contact_spec *s = &t->spec[i];
    if (s->friction != NSD_FRICTION_NONE) {
      s->mu = ldexp(s->mu, d[s->row] - d[s->row + 1]);
      s->bound = ldexp(s->bound, shift - d[s->row + 1]);
    }
  }
}

START_TEST(units_do_not_matter)
{
  bench *t = bench_new();
  contact_pieces before = {0};
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(60); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      const int n = t->made.data.rows;
      const nsdyn_status status = list(t);
      const int64_t motions = t->census.motions;
      contact_pieces_clear(&before);
      const contact_pieces swapped = before;
      before = t->all;
      t->all = swapped;
      random_state r = random_seed(seed);
      const int common = random_below(&r, 401) - 200;
      const int shift = random_below(&r, 401) - 200;
      int d[CASE_ROWS];
      for (int i = 0; i < n; i++) {
        d[i] = common + random_below(&r, 41) - 20;
      }
      change_units(&t->made, d, shift);
      REQUIRE(list(t) == status, "%s %llu: another status", case_names[kind], (unsigned long long)seed);
      REQUIRE(t->census.motions == motions && t->all.count == before.count, "%s %llu: %d pieces, not %d",
              case_names[kind], (unsigned long long)seed, t->all.count, before.count);
      for (int k = 0; k < before.count; k++) {
        const contact_piece *was = &before.piece[k];
        int found = 0;
        for (int m = 0; m < before.count; m++) {
          contact_piece *is = &t->all.piece[m];
          double back[CASE_ROWS] = {0};
          for (int j = 0; j < n; j++) {
            back[j] = ldexp(is->Lambda[j], d[j] - shift);
          }
          found += is_among(n, was->vertices, was->Lambda, n, back) && is->dimension == was->dimension &&
                   is->vertices == was->vertices && is->rays == was->rays &&
                   is->velocity_dimension == was->velocity_dimension;
        }
        REQUIRE(found >= 1, "%s %llu: piece %d is gone", case_names[kind], (unsigned long long)seed, k);
      }
    }
  }
  contact_pieces_free(&before);
  bench_free(t);
}
END_TEST

/* ---- against the LCP ---- */

typedef struct lcp_points {
  int contacts;
  int count;
  int continua;
  double Lambda[256][CASE_ROWS];
  const double *mu;
} lcp_points;

/* Λ of an LCP's x = (Λ_N, Λ_R, ξ_L) per contact, spurious parts dropped. */
static int keep_points(void *user, const nsdyn_lcp_piece *piece)
{
  lcp_points *all = user;
  const int n = piece->n;
  for (int g = 0; g < piece->rays; g++) {
    for (int i = 0; i < all->contacts; i++) {
      const double *x = piece->ray + (size_t)g * (size_t)n + 3 * i;
      all->continua |= x[0] != 0.0 || x[1] != 0.0;
    }
  }
  for (int g = 0; g < piece->vertices; g++) {
    double Lambda[CASE_ROWS];
    for (int i = 0; i < all->contacts; i++) {
      const double *x = piece->vertex + (size_t)g * (size_t)n + 3 * i;
      Lambda[2 * i] = x[0];
      Lambda[2 * i + 1] = x[1] - all->mu[i] * x[0];
    }
    const int known = is_among(2 * all->contacts, all->count, all->Lambda[0], CASE_ROWS, Lambda);
    all->continua |= g > 0 && !known;
    if (!known && all->count < 256) {
      memcpy(all->Lambda[all->count++], Lambda, sizeof Lambda);
    }
  }
  return 0;
}

/* Glocker & Studer (2005), eq. 33. */
static void fill_lcp(const contact_case *t, double *A, double *b)
{
  const int k = t->data.contacts;
  const int n = 3 * k;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  for (int i = 0; i < k; i++) {
    for (int row = 0; row < 2; row++) {
      const double *g = t->G + (2 * i + row) * 2 * k;
      double *to = A + (3 * i + row) * n;
      for (int j = 0; j < k; j++) {
        to[3 * j] = g[2 * j] - t->spec[j].mu * g[2 * j + 1];
        to[3 * j + 1] = g[2 * j + 1];
      }
      b[3 * i + row] = t->c[2 * i + row];
    }
    A[(3 * i + 1) * n + 3 * i + 2] = 1.0;
    A[(3 * i + 2) * n + 3 * i] = 2.0 * t->spec[i].mu;
    A[(3 * i + 2) * n + 3 * i + 1] = -1.0;
    b[3 * i + 2] = 0.0;
  }
}

START_TEST(agrees_with_the_bases_of_the_lcp)
{
  bench *t = bench_new();
  nsdyn_lcp *lcp;
  ck_assert_int_eq(nsdyn_lcp_new(NULL, NULL, &lcp, NULL), NSDYN_OK);
  lcp_points *points = calloc(1, sizeof *points);
  ck_assert_ptr_nonnull(points);
  static const case_kind kinds[] = {CASE_REGULAR, CASE_STEEP, CASE_TWINS, CASE_WHOLE};
  int compared = 0, continua = 0, undecided = 0;
  for (size_t m = 0; m < sizeof kinds / sizeof *kinds; m++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      contact_case_make(&t->made, kinds[m], 1 + (int)(seed % 4), seed);
      double mu[CASE_CONTACTS], A[9 * CASE_CONTACTS * CASE_CONTACTS], b[3 * CASE_CONTACTS];
      for (int i = 0; i < t->made.data.contacts; i++) {
        mu[i] = t->made.spec[i].mu;
      }
      *points = (lcp_points){.contacts = t->made.data.contacts, .mu = mu};
      fill_lcp(&t->made, A, b);
      const int n = 3 * points->contacts;
      const nsdyn_status of_lcp = nsdyn_lcp_enumerate(lcp, n, A, n, b, keep_points, points, NULL);
      const nsdyn_status status = list(t);
      if (of_lcp == NSDYN_UNDECIDED) { /* undecided: bases know less than modes */
        undecided++;
        continue;
      }
      REQUIRE((of_lcp == NSDYN_OK) == (status == NSDYN_OK), "%s %llu: %d, of the LCP %d",
              case_names[kinds[m]], (unsigned long long)seed, (int)status, (int)of_lcp);
      int vertices = 0;
      for (int k = 0; k < t->all.count; k++) {
        for (int v = 0; v < t->all.piece[k].vertices; v++, vertices++) {
          const int rows = t->made.data.rows;
          REQUIRE(
              is_among(rows, points->count, points->Lambda[0], CASE_ROWS, t->all.piece[k].Lambda + v * rows),
              "%s %llu: a vertex that the LCP has not", case_names[kinds[m]], (unsigned long long)seed);
        }
      }
      continua += points->continua;
      if (!points->continua) {
        compared++;
        REQUIRE(vertices == points->count, "%s %llu: %d points, of the LCP %d", case_names[kinds[m]],
                (unsigned long long)seed, vertices, points->count);
      }
    }
  }
  ck_assert_int_gt(compared, random_cases(200));
  ck_assert_int_lt(undecided, 2 + random_cases(200) / 10);
  ck_assert_int_gt(continua, random_cases(200) / 4);
  free(points);
  nsdyn_lcp_free(lcp);
  bench_free(t);
}
END_TEST

/* ---- constructed ---- */

/* One contact with Coulomb friction. */
static void single(bench *t, double G_NN, double G_NT, double G_TT, double c_N, double c_T, double mu,
                   int sliding)
{
  t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = mu, .sliding = sliding};
  case_number(&t->made, 1, 0);
  t->made.G[0] = G_NN;
  t->made.G[1] = t->made.G[2] = G_NT;
  t->made.G[3] = G_TT;
  t->made.c[0] = c_N;
  t->made.c[1] = c_T;
}

static void expect(bench *t, int64_t points, int64_t bounded, int64_t unbounded, int64_t motions)
{
  const nsdyn_status status = list(t);
  const int64_t count = points + bounded + unbounded;
  ck_assert_int_eq(status, count ? NSDYN_OK : NSDYN_NO_SOLUTION);
  ck_assert_int_eq(t->census.points, points);
  ck_assert_int_eq(t->census.bounded_pieces, bounded);
  ck_assert_int_eq(t->census.unbounded_pieces, unbounded);
  ck_assert_int_eq(t->census.motions, motions);
  ck_assert_int_eq(t->census.doubtful, 0);
  ck_assert_int_eq(t->census.complete, 1);
  ck_assert_int_eq(t->all.count, count);
  /* Counting alone says the same. */
  nsdyn_contact_census counted = {.size = sizeof counted};
  ck_assert_int_eq(nsd_census_all(&t->w, &t->made.data, &t->options, NULL, NULL, &counted), status);
  ck_assert_int_eq(counted.points, points);
  ck_assert_int_eq(counted.bounded_pieces, bounded);
  ck_assert_int_eq(counted.unbounded_pieces, unbounded);
  ck_assert_int_eq(counted.motions, motions);
  ck_assert_int_eq(counted.max_dimension, t->census.max_dimension);
}

/* Painlevé: sliding to the right with p = G_NN − μ G_NT < 0. Pressed down it has no force, lifted two. */
START_TEST(painleve_has_none_or_two)
{
  bench *t = bench_new();
  single(t, 1.0, 0.75, 2.0, -1.0, 0.5, 2.0, 1);
  expect(t, 0, 0, 0, 0);
  single(t, 1.0, 0.75, 2.0, 1.0, 0.5, 2.0, 1);
  expect(t, 2, 0, 0, 2);
  ck_assert(brute_same(2, t->all.piece[0].Lambda, (const double[]){0.0, 0.0}) ||
            brute_same(2, t->all.piece[1].Lambda, (const double[]){0.0, 0.0}));
  /* p = 0 on the edge: no force helps, and without load any does. */
  single(t, 1.0, 0.5, 2.0, -1.0, 0.5, 2.0, 1);
  expect(t, 0, 0, 0, 0);
  single(t, 1.0, 0.5, 2.0, 0.0, 0.5, 2.0, 1);
  expect(t, 0, 0, 1, -1);
  bench_free(t);
}
END_TEST

/* On impulse level the same numbers have three: open, slip and stick. */
START_TEST(steep_friction_has_three)
{
  bench *t = bench_new();
  single(t, 1.0, 0.9, 1.0, 1.0, 2.0, 2.0, 0);
  expect(t, 3, 0, 0, 3);
  int seen = 0;
  for (int k = 0; k < 3; k++) {
    const contact_piece *piece = &t->all.piece[k];
    seen |= 1 << piece->modes[0];
    if (piece->modes[0] == NSDYN_MODE_OPEN) {
      ck_assert(piece->Lambda[0] == 0.0 && piece->Lambda[1] == 0.0 && piece->xi[0] == 1.0);
    } else if (piece->modes[0] == NSDYN_MODE_SLIP_PLUS) {
      ck_assert_double_eq_tol(piece->Lambda[0], 1.25, 1e-14);
      ck_assert(piece->Lambda[1] == -2.0 * piece->Lambda[0] && piece->xi[0] == 0.0);
      ck_assert_double_eq_tol(piece->xi[1], 0.625, 1e-14);
    } else {
      ck_assert_double_eq_tol(piece->Lambda[0], 0.8 / 0.19, 1e-13);
      ck_assert_double_eq_tol(piece->Lambda[1], -1.1 / 0.19, 1e-13);
      ck_assert(piece->xi[0] == 0.0 && piece->xi[1] == 0.0);
    }
  }
  ck_assert_int_eq(seen, 1 << NSDYN_MODE_OPEN | 1 << NSDYN_MODE_SLIP_PLUS | 1 << NSDYN_MODE_STICK);
  bench_free(t);
}
END_TEST

/* p = 0 and no load: slip with any Λ_N up to where it sticks. The ends are an open and a sticking contact. */
START_TEST(a_continuum_of_motions)
{
  bench *t = bench_new();
  single(t, 1.0, 0.5, 1.0, 0.0, 2.0, 2.0, 0);
  expect(t, 0, 1, 0, -1);
  const contact_piece *piece = &t->all.piece[0];
  ck_assert_int_eq(piece->dimension, 1);
  ck_assert_int_eq(piece->velocity_dimension, 1);
  ck_assert_int_eq(piece->vertices, 2);
  ck_assert_int_eq(piece->modes[0], NSDYN_MODE_SLIP_PLUS);
  const int far = piece->Lambda[2] > piece->Lambda[0];
  ck_assert_double_eq_tol(piece->Lambda[2 * far], 4.0 / 3.0, 1e-14);
  ck_assert_double_eq(piece->Lambda[2 * !far], 0.0);
  ck_assert_double_eq(piece->xi[2 * far + 1], 0.0);
  ck_assert_double_eq(piece->xi[2 * !far + 1], 2.0);
  bench_free(t);
}
END_TEST

/* Ma et al.: the pendulum whose LCP has a ray of solutions has one. */
START_TEST(ma_pendulum_has_one)
{
  bench *t = bench_new();
  const double s = sqrt(0.5);
  /* M⁻¹ = 4/m [1 + 3 sin²θ, 3 sinθ cosθ; …]⁻¹, with det = 4: W M⁻¹ Wᵀ / m. */
  single(t, 1.0 + 3.0 * s * s, -3.0 * s * s, 1.0 + 3.0 * s * s, 1.0, 0.0, 1.0, 0);
  expect(t, 1, 0, 0, 1);
  ck_assert_int_eq(t->all.piece[0].modes[0], NSDYN_MODE_OPEN);
  ck_assert(t->all.piece[0].xi[0] == 1.0 && t->all.piece[0].xi[1] == 0.0);
  bench_free(t);
}
END_TEST

START_TEST(stick_at_the_very_limit_is_one)
{
  bench *t = bench_new();
  for (int side = -1; side <= 1; side += 2) {
    single(t, 1.0, 0.0, 1.0, -1.0, 0.5 * side, 0.5, 0);
    expect(t, 1, 0, 0, 1);
    ck_assert_int_eq(t->all.piece[0].modes[0], NSDYN_MODE_STICK);
    ck_assert(brute_same(2, t->all.piece[0].Lambda, (const double[]){1.0, -0.5 * side}));
  }
  bench_free(t);
}
END_TEST

START_TEST(nothing_moves_without_G)
{
  bench *t = bench_new();
  single(t, 0.0, 0.0, 0.0, 1.0, 3.0, 0.5, 0);
  expect(t, 1, 0, 0, 1);
  single(t, 0.0, 0.0, 0.0, -1.0, 3.0, 0.5, 0);
  expect(t, 0, 0, 0, 0);
  single(t, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0);
  expect(t, 0, 0, 1, 1); /* the whole cone of friction */
  ck_assert_int_eq(t->all.piece[0].dimension, 2);
  ck_assert_int_eq(t->all.piece[0].vertices, 1);
  ck_assert_int_eq(t->all.piece[0].rays, 2);
  single(t, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, 0);
  expect(t, 0, 0, 1, 1); /* its edge */
  ck_assert_int_eq(t->all.piece[0].dimension, 1);
  ck_assert(brute_same(2, t->all.piece[0].ray, (const double[]){1.0, -0.5}));
  bench_free(t);
}
END_TEST

/* However large μ is, a block on the floor sticks, and one that μ = 0 lets go slides. */
START_TEST(friction_of_any_size)
{
  bench *t = bench_new();
  for (int e = -1000; e <= 1000; e += 25) {
    single(t, 0.5, 0.0, 0.5, -1.0, 0.25, ldexp(1.0, e), 0);
    expect(t, 1, 0, 0, 1);
    const contact_piece *piece = &t->all.piece[0];
    const int sticks = e >= -2;
    ck_assert_int_eq(piece->modes[0], sticks ? NSDYN_MODE_STICK : NSDYN_MODE_SLIP_PLUS);
    ck_assert_double_eq(piece->Lambda[0], 2.0);
    ck_assert_double_eq(piece->Lambda[1], sticks ? -0.5 : -ldexp(2.0, e));
  }
  single(t, 0.5, 0.0, 0.5, -1.0, 0.25, 0.0, 0);
  expect(t, 1, 0, 0, 1);
  ck_assert_int_eq(t->all.piece[0].modes[0], NSDYN_MODE_SLIP_PLUS);
  ck_assert(brute_same(2, t->all.piece[0].Lambda, (const double[]){2.0, 0.0}));
  bench_free(t);
}
END_TEST

/* A particle in a wedge of half angle 30 degrees from the walls, rows of W in exact numbers: walls
 * n = (±4, 3)/5, t = (3, ∓4)/5. It jams where tan α = 3/4 < μ. */
static void wedge(bench *t, double mu, double c_x, double c_y)
{
  contact_case *m = &t->made;
  for (int i = 0; i < 2; i++) {
    const double side = i ? -1.0 : 1.0;
    m->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = mu};
    m->W[2 * i][0] = 4.0 * side;
    m->W[2 * i][1] = 3.0;
    m->W[2 * i + 1][0] = 3.0;
    m->W[2 * i + 1][1] = -4.0 * side;
  }
  case_number(m, 2, 0);
  case_assemble(m, 2);
  for (int i = 0; i < 4; i++) {
    m->c[i] = m->W[i][0] * c_x + m->W[i][1] * c_y;
  }
}

START_TEST(a_wedge_jams)
{
  bench *t = bench_new();
  wedge(t, 0.5, 0.0, 0.0);
  expect(t, 1, 0, 0, 1);
  wedge(t, 2.0, 0.0, 0.0); /* at rest: Λ = 0, or the walls press each other */
  expect(t, 0, 0, 1, 1);
  ck_assert_int_eq(t->all.piece[0].dimension, 2);
  ck_assert_int_eq(t->all.piece[0].velocity_dimension, 0);
  wedge(t, 2.0, 0.0, -1.0); /* pushed in: the same on top of what carries it */
  expect(t, 0, 0, 1, 1);
  wedge(t, 0.5, 0.0, -1.0);
  ck_assert_int_eq(list(t), NSDYN_OK);
  ck_assert_int_eq(t->census.motions, 1);
  ck_assert_int_eq(t->census.unbounded_pieces, 0);
  /* Newton's law with ε_N > 0, ε_T = 0 asks for more than a self-locking wedge can give. */
  wedge(t, 2.0, 0.0, -1.0);
  t->made.c[0] *= 2.0;
  t->made.c[2] *= 2.0;
  expect(t, 0, 0, 0, 0);
  bench_free(t);
}
END_TEST

/* The same bilateral constraint twice: a line of impulses, one motion. */
START_TEST(a_line_of_impulses)
{
  bench *t = bench_new();
  case_number(&t->made, 0, 2);
  for (int k = 0; k < 4; k++) {
    t->made.G[k] = 2.0;
  }
  t->made.c[0] = t->made.c[1] = -4.0;
  expect(t, 0, 0, 1, 1);
  const contact_piece *piece = &t->all.piece[0];
  ck_assert(piece->dimension == 1 && piece->vertices == 1 && piece->rays == 2);
  ck_assert_double_eq_tol(piece->Lambda[0] + piece->Lambda[1], 2.0, 1e-14);
  for (int r = 0; r < 2; r++) {
    ck_assert_double_eq_tol(piece->ray[2 * r] + piece->ray[2 * r + 1], 0.0, 1e-15);
  }
  t->made.c[1] = -3.0; /* contradictory */
  expect(t, 0, 0, 0, 0);
  bench_free(t);
}
END_TEST

/* A box on two edges, pressed down and pushed: its tangential impulses are free within a segment, the motion
 * is one. */
START_TEST(a_box_has_one_motion)
{
  bench *t = bench_new();
  contact_case *m = &t->made;
  for (int i = 0; i < 2; i++) {
    m->spec[i] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 0.5};
    memset(m->W[2 * i], 0, 2 * sizeof m->W[0]);
    m->W[2 * i][1] = 1.0;
    m->W[2 * i][2] = i ? 2.0 : -2.0;
    m->W[2 * i + 1][0] = 1.0;
    m->W[2 * i + 1][2] = 1.0;
  }
  case_number(m, 2, 0);
  case_assemble(m, 3);
  const double u[3] = {0.25, -1.0, 0.0};
  for (int i = 0; i < 4; i++) {
    m->c[i] = m->W[i][0] * u[0] + m->W[i][1] * u[1] + m->W[i][2] * u[2];
  }
  expect(t, 0, 1, 0, 1);
  ck_assert_int_eq(t->all.piece[0].dimension, 1);
  ck_assert_int_eq(t->all.piece[0].velocity_dimension, 0);
  ck_assert_int_eq(t->all.piece[0].vertices, 2);
  for (int v = 0; v < 2; v++) {
    for (int i = 0; i < 4; i++) {
      ck_assert_double_eq(t->all.piece[0].xi[4 * v + i], 0.0);
    }
  }
  bench_free(t);
}
END_TEST

START_TEST(no_contacts_have_one_solution)
{
  bench *t = bench_new();
  case_number(&t->made, 0, 0);
  expect(t, 1, 0, 0, 1);
  bench_free(t);
}
END_TEST

/* ---- rounding ---- */

/* p = G_NN − μ G_NT is 2^-50, so the solution is out at 2^50: none is not said. */
START_TEST(what_is_far_out_is_not_denied)
{
  bench *t = bench_new();
  for (int e = 20; e <= 52; e++) {
    single(t, 1.0, 1.0 - ldexp(1.0, -e), 2.0, -1.0, 0.5, 1.0, 1);
    const nsdyn_status status = list(t);
    ck_assert_int_ne(status, NSDYN_NO_SOLUTION);
    if (status == NSDYN_OK) {
      ck_assert_double_eq_tol(t->all.piece[0].Lambda[0] / ldexp(1.0, e), 1.0, 1e-9);
    } else {
      ck_assert_int_gt(t->census.doubtful, 0);
      ck_assert_int_eq(t->census.complete, 0);
    }
    single(t, 1.0, 1.0 + ldexp(1.0, -e), 2.0, -1.0, 0.5, 1.0, 1);
    ck_assert_int_ne(list(t), NSDYN_OK);
  }
  bench_free(t);
}
END_TEST

/* ξ_B = (ξ_T1 + ξ_T2) / 2 − 1e-308 Λ_N2 + 1e160 = 0: where friction holds both contacts, Λ_N2 = 1e468, which
 * no double holds. Nothing that is no number is handed out, and what is left out is not denied. */
START_TEST(impulses_beyond_the_range_are_not_listed)
{
  static const double G[5][5] = {{0.0, 0.0, 0.0, 0.0, 0.0},
                                 {0.0, 1.0, 0.0, 1.0, 0.5},
                                 {0.0, 0.0, 2.0, 0.0, -1e-308},
                                 {0.0, 1.0, 0.0, 1.0, 0.5},
                                 {0.0, 0.5, -1e-308, 0.5, 0.25}};
  bench *t = bench_new();
  t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 3.0};
  t->made.spec[1] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 1e-160, .sliding = 1};
  case_number(&t->made, 2, 1);
  memcpy(t->made.G, G, sizeof G);
  memset(t->made.c, 0, sizeof t->made.c);
  t->made.c[4] = 1e160;
  (void)list(t);
  ck_assert_int_gt(t->census.doubtful, 0);
  ck_assert_int_eq(t->census.complete, 0);
  for (int k = 0; k < t->all.count; k++) {
    const contact_piece *piece = &t->all.piece[k];
    for (int i = 0; i < piece->vertices * t->made.data.rows; i++) {
      ck_assert_msg(isfinite(piece->Lambda[i]), "piece %d: %g", k, piece->Lambda[i]);
    }
  }
  bench_free(t);
}
END_TEST

/* ---- stops ---- */

START_TEST(stops_where_asked)
{
  bench *t = bench_new();
  single(t, 1.0, 0.9, 1.0, 1.0, 2.0, 2.0, 0);
  t->all.stop_at = 2;
  ck_assert_int_eq(list(t), NSDYN_CANCELLED);
  ck_assert_int_eq(t->all.count, 2);
  ck_assert_int_eq(t->census.complete, 0);
  t->all.stop_at = 0;
  expect(t, 3, 0, 0, 3);
  const int64_t nodes = t->census.nodes;
  for (t->options.max_nodes = 0; t->options.max_nodes < nodes; t->options.max_nodes++) {
    ck_assert_int_eq(list(t), NSDYN_MAX_ITERATIONS);
    ck_assert_int_eq(t->census.complete, 0);
    ck_assert_int_le(t->census.nodes, t->options.max_nodes);
  }
  expect(t, 3, 0, 0, 3);
  bench_free(t);
}
END_TEST

typedef struct stopper {
  int calls;
  int last;
  double done;
} stopper;

static int stop_later(void *user, const char *activity, double done)
{
  stopper *s = user;
  ck_assert_str_eq(activity, "enumerating contact modes");
  ck_assert(done >= s->done && done <= 1.0 + 1e-9);
  s->done = done;
  return ++s->calls >= s->last;
}

START_TEST(the_host_can_stop_it)
{
  stopper s = {.last = 3};
  nsdyn_context_def def;
  ck_assert_int_eq(nsdyn_context_def_init(&def, sizeof def), NSDYN_OK);
  def.progress = stop_later;
  def.user = &s;
  nsdyn_context *ctx;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  nsd_census w;
  nsd_census_init(&w, ctx);
  contact_case made;
  contact_case_make(&made, CASE_STEEP, 8, 1);
  const nsd_census_options options = {.tol = TOL, .max_nodes = -1};
  nsdyn_contact_census census = {.size = sizeof census};
  ck_assert_int_eq(nsd_census_all(&w, &made.data, &options, NULL, NULL, &census), NSDYN_CANCELLED);
  ck_assert_int_eq(s.calls, 3);
  ck_assert_int_eq(census.complete, 0);
  s = (stopper){.last = INT32_MAX};
  ck_assert_int_eq(nsd_census_all(&w, &made.data, &options, NULL, NULL, &census), NSDYN_OK);
  ck_assert_int_eq(census.complete, 1);
  nsd_census_release(&w);
  nsdyn_context_free(ctx);
}
END_TEST

/* ---- the first
 * --------------------------------------------------------------------------------------------- */

/* It is one of all. */
START_TEST(the_first_is_one_of_all)
{
  bench *t = bench_new();
  double Lambda[CASE_ROWS];
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(200); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      int64_t nodes = 0;
      const nsdyn_status all = list(t);
      const nsdyn_status status = nsd_census_first(&t->w, &t->made.data, &t->options, Lambda, &nodes);
      REQUIRE(status == all || kind == CASE_REDUNDANT, "%s %llu: first %d, all %d", case_names[kind],
              (unsigned long long)seed, (int)status, (int)all);
      ck_assert_int_ge(nodes, 1);
      /* Redundant contacts: the numbers as they are rounded have points, and next to them everything between
       * solves to rounding. */
      if (status != NSDYN_OK || t->census.bounded_pieces || t->census.unbounded_pieces ||
          kind == CASE_REDUNDANT) {
        continue;
      }
      int found = 0;
      for (int k = 0; k < t->all.count; k++) {
        found |= brute_same(t->made.data.rows, t->all.piece[k].Lambda, Lambda);
      }
      REQUIRE(found, "%s %llu: the first is none of all", case_names[kind], (unsigned long long)seed);
    }
  }
  bench_free(t);
}
END_TEST

/* Eight contacts and more: seconds would be felt. */
START_TEST(large_ones_take_few_nodes)
{
  bench *t = bench_new();
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(3); seed++) {
    for (int kind = 0; kind < CASE_KINDS; kind++) {
      contact_case_make(&t->made, (case_kind)kind, 8, seed);
      (void)list(t);
      REQUIRE(t->census.nodes < 20000, "%s %llu: %lld nodes", case_names[kind], (unsigned long long)seed,
              (long long)t->census.nodes);
    }
    contact_case_make(&t->made, CASE_REGULAR, 12, seed);
    double Lambda[CASE_ROWS];
    int64_t nodes = 0;
    ck_assert_int_eq(nsd_census_first(&t->w, &t->made.data, &t->options, Lambda, &nodes), NSDYN_OK);
    REQUIRE(nodes < 50000, "first %llu: %lld nodes", (unsigned long long)seed, (long long)nodes);
  }
  bench_free(t);
}
END_TEST

SUITE("contact/enumerate/enumerate", TEST(agrees_with_all_patterns), TEST(generic_problems_are_decided),
      TEST(regular_problems_have_an_odd_number), TEST(units_do_not_matter),
      TEST(agrees_with_the_bases_of_the_lcp), TEST(painleve_has_none_or_two), TEST(steep_friction_has_three),
      TEST(a_continuum_of_motions), TEST(ma_pendulum_has_one), TEST(stick_at_the_very_limit_is_one),
      TEST(nothing_moves_without_G), TEST(friction_of_any_size), TEST(a_wedge_jams), TEST(a_line_of_impulses),
      TEST(a_box_has_one_motion), TEST(no_contacts_have_one_solution), TEST(what_is_far_out_is_not_denied),
      TEST(impulses_beyond_the_range_are_not_listed), TEST(stops_where_asked), TEST(the_host_can_stop_it),
      TEST(the_first_is_one_of_all), TEST(large_ones_take_few_nodes))
