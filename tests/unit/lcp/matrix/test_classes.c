/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/matrix/classes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/context.h"
#include "suite.h"
#include "support/problems.h"

#define MOST 40

static nsdyn_lcp_classes classify_with(nsdyn_context *ctx, int n, const double *A, int lda,
                                       nsdyn_status *status)
{
  nsdyn_lcp_classes classes = {.size = sizeof classes, .symmetric = 7};
  nsd_arena arena = nsd_arena_empty(ctx);
  nsd_arena measure = nsd_arena_measure();
  nsd_classes w;
  nsd_classes_lay_out(&measure, &w, n);
  ck_assert_int_eq(nsd_arena_reserve(&arena, &measure), NSDYN_OK);
  nsd_classes_lay_out(&arena, &w, n);
  *status = nsd_classes_solve(&w, ctx, n, A, lda, &classes);
  nsd_arena_release(&arena);
  return classes;
}

static nsdyn_lcp_classes classify(int n, const double *A, int lda)
{
  nsdyn_status status;
  const nsdyn_lcp_classes classes = classify_with(NULL, n, A, lda, &status);
  ck_assert_int_eq(status, NSDYN_OK);
  return classes;
}

/* Determinant of an integer matrix by Bareiss' elimination, which stays in the integers: exact. */
static long long determinant(int n, const long long *A)
{
  long long M[8][8];
  long long before = 1;
  int sign = 1;
  for (int i = 0; i < n; i++) {
    memcpy(M[i], A + i * n, (size_t)n * sizeof *A);
  }
  for (int k = 0; k < n - 1; k++) {
    int r = k;
    while (r < n && M[r][k] == 0) {
      r++;
    }
    if (r == n) {
      return 0;
    }
    for (int j = 0; r != k && j < n; j++) {
      const long long swapped = M[k][j];
      M[k][j] = M[r][j];
      M[r][j] = swapped;
    }
    sign = r == k ? sign : -sign;
    for (int i = k + 1; i < n; i++) {
      for (int j = k + 1; j < n; j++) {
        M[i][j] = (M[i][j] * M[k][k] - M[i][k] * M[k][j]) / before;
      }
    }
    before = M[k][k];
  }
  return n == 0 ? 1 : sign * M[n - 1][n - 1];
}

/* Smallest principal minor of A, or of A + Aᵀ. */
static long long least_minor(int n, const double *A, int symmetric)
{
  long long least = 1;
  for (unsigned set = 1; set < 1u << n; set++) {
    long long M[64];
    int at[8];
    int m = 0;
    for (int i = 0; i < n; i++) {
      if (set >> i & 1u) {
        at[m++] = i;
      }
    }
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < m; j++) {
        M[i * m + j] = (long long)A[at[i] * n + at[j]] + (symmetric ? (long long)A[at[j] * n + at[i]] : 0);
      }
    }
    const long long minor = determinant(m, M);
    least = minor < least ? minor : least;
  }
  return least;
}

/* Small integers of a kind that makes the classes likely, with zero minors among them. */
static void draw_integers(random_state *r, int n, double *A)
{
  const int kind = random_below(r, 6);
  for (int i = 0; i < n * n; i++) {
    A[i] = random_below(r, 7) - 3;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (kind == 1 || kind == 2) { /* symmetric, with a diagonal that may carry it */
        A[i * n + j] = i == j ? 1 + random_below(r, 4) : random_below(r, 3) - 1;
        A[j * n + i] = A[i * n + j];
      } else if (kind == 3) { /* Z */
        A[i * n + j] = i == j ? random_below(r, n + 2) : -random_below(r, 2);
      } else if (kind == 4 && j > i && random_below(r, 2)) { /* nearly triangular */
        A[i * n + j] = 0.0;
      }
    }
    if (kind == 5) {
      A[i * n + i] = 1 + random_below(r, 3);
    }
  }
  for (int i = 0; kind == 2 && i < n; i++) { /* rows of a sum of others: singular */
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? n - 1 : -1;
    }
  }
}

START_TEST(agrees_with_the_definitions)
{
  const int cases = random_cases(20000);
  int seen[3][2] = {{0, 0}, {0, 0}, {0, 0}};
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + random_below(&r, 5);
    double A[25];
    draw_integers(&r, n, A);
    const nsdyn_lcp_classes c = classify(n, A, n);
    const int p = least_minor(n, A, 0) > 0;
    const int pd = least_minor(n, A, 1) > 0;
    const int psd = least_minor(n, A, 1) >= 0;
    int z = 1;
    int symmetric = 1;
    int dominant = 1;
    int diagonal = 1;
    for (int i = 0; i < n; i++) {
      double sum = 0.0;
      for (int j = 0; j < n; j++) {
        z = z && (i == j || A[i * n + j] <= 0.0);
        symmetric = symmetric && A[i * n + j] == A[j * n + i];
        sum += i == j ? 0.0 : fabs(A[i * n + j]);
      }
      dominant = dominant && fabs(A[i * n + i]) > sum;
      diagonal = diagonal && A[i * n + i] > 0.0;
    }
    REQUIRE(c.p_matrix == p, "seed %d: P", k);
    REQUIRE(c.positive_definite == pd, "seed %d: definite", k);
    REQUIRE(c.positive_semidefinite == psd, "seed %d: semidefinite", k);
    REQUIRE(c.z_matrix == z && c.symmetric == symmetric && c.diagonally_dominant == dominant, "seed %d", k);
    REQUIRE(c.m_matrix == (z && p), "seed %d: M", k);
    REQUIRE(c.positive_diagonal == diagonal, "seed %d", k);
    seen[0][p]++;
    seen[1][pd]++;
    seen[2][psd && !pd]++;
  }
  for (int i = 0; i < 3 && cases > 1000; i++) {
    ck_assert_int_gt(seen[i][0], cases / 50);
    ck_assert_int_gt(seen[i][1], cases / 50);
  }
}
END_TEST

START_TEST(confirms_what_the_generator_promises)
{
  problem *p = problem_new(MOST);
  const int cases = random_cases(60);
  for (int c = 0; c < problem_class_count(); c++) {
    for (int k = 0; k < cases; k++) {
      problem_make(p, c, k % 4 ? 1 + k % 14 : 21 + k % 20, (uint64_t)k);
      const nsdyn_lcp_classes found = classify(p->n, p->A, p->n);
      const char *name = p->name;
      REQUIRE(found.symmetric || !(p->traits & PROBLEM_SYMMETRIC), "%s %d", name, k);
      REQUIRE(found.z_matrix || !(p->traits & PROBLEM_Z), "%s %d", name, k);
      REQUIRE(found.positive_definite || !(p->traits & PROBLEM_PD), "%s %d", name, k);
      REQUIRE(found.positive_semidefinite || !(p->traits & PROBLEM_PSD), "%s %d, n = %d", name, k, p->n);
      if (p->traits & PROBLEM_P) {
        REQUIRE(found.p_matrix == 1 || (found.p_matrix == -1 && p->n > NSD_MINORS_MOST), "%s %d: %d", name, k,
                found.p_matrix);
      }
      REQUIRE(!found.positive_definite || found.positive_semidefinite, "%s %d", name, k);
      REQUIRE(!found.positive_definite || found.p_matrix == 1, "%s %d", name, k);
      REQUIRE(found.m_matrix == (found.z_matrix ? found.p_matrix : 0), "%s %d", name, k);
    }
  }
  problem_free(p);
}
END_TEST

/* Units: P does not change when rows and columns take others; definiteness not when both take the same. */
START_TEST(units_change_nothing)
{
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 1 + random_below(&r, 5);
    double A[25];
    double B[25];
    double C[25];
    double row[5];
    double column[5];
    draw_integers(&r, n, A);
    for (int i = 0; i < n; i++) {
      row[i] = ldexp(1.0, random_below(&r, 161) - 80);
      column[i] = ldexp(1.0, random_below(&r, 161) - 80);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        B[i * n + j] = row[i] * A[i * n + j] * column[j];
        C[i * n + j] = row[i] * A[i * n + j] * row[j];
      }
    }
    const nsdyn_lcp_classes a = classify(n, A, n);
    const nsdyn_lcp_classes b = classify(n, B, n);
    const nsdyn_lcp_classes c = classify(n, C, n);
    REQUIRE(a.p_matrix == b.p_matrix && a.z_matrix == b.z_matrix && a.m_matrix == b.m_matrix, "seed %d", k);
    REQUIRE(a.positive_diagonal == b.positive_diagonal, "seed %d", k);
    REQUIRE(memcmp(&a.p_matrix, &c.p_matrix, sizeof a.p_matrix) == 0 && a.symmetric == c.symmetric, "seed %d",
            k);
    REQUIRE(a.positive_definite == c.positive_definite, "seed %d", k);
    REQUIRE(a.positive_semidefinite == c.positive_semidefinite, "seed %d", k);
  }
}
END_TEST

/* Rank one less than full, plus δ on the diagonal: definite, semidefinite, neither; also under a skew part.
 */
START_TEST(near_the_edge)
{
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = 2 + random_below(&r, 8);
    const int skew = random_below(&r, 2);
    double G[90];
    double S[100];
    double K[100] = {0.0};
    double A[100];
    for (int i = 0; i < n * (n - 1); i++) {
      G[i] = random_between(&r, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = 0.0;
        for (int c = 0; c < n - 1; c++) {
          sum += G[i * (n - 1) + c] * G[j * (n - 1) + c];
        }
        S[i * n + j] = S[j * n + i] = sum;
        K[i * n + j] = i == j || !skew ? 0.0 : random_between(&r, -1.0, 1.0);
        K[j * n + i] = -K[i * n + j];
      }
    }
    for (int side = -1; side <= 1; side++) {
      for (int i = 0; i < n * n; i++) {
        A[i] = S[i] + K[i] + (i % (n + 1) == 0 ? 1e-9 * side : 0.0);
      }
      const nsdyn_lcp_classes c = classify(n, A, n);
      REQUIRE(c.positive_definite == (side > 0), "seed %d, n = %d: %+d is definite: %d", k, n, side,
              c.positive_definite);
      REQUIRE(c.positive_semidefinite == (side >= 0), "seed %d, n = %d: %+d is semidefinite: %d", k, n, side,
              c.positive_semidefinite);
    }
  }
}
END_TEST

START_TEST(p_near_the_edge)
{
  for (double delta = 1.0; delta > 1e-14; delta *= 0.125) {
    const double above[9] = {1.0, 2.0, 0.0, 0.5, 1.0 + delta, 0.0, 3.0, -1.0, 1.0};
    const double below[9] = {1.0, 2.0, 0.0, 0.5, 1.0 - delta, 0.0, 3.0, -1.0, 1.0};
    ck_assert_int_eq(classify(3, above, 3).p_matrix, 1);
    ck_assert_int_eq(classify(3, below, 3).p_matrix, 0);
  }
  const double on[9] = {1.0, 2.0, 0.0, 0.5, 1.0, 0.0, 3.0, -1.0, 1.0};
  ck_assert_int_eq(classify(3, on, 3).p_matrix, 0);
}
END_TEST

START_TEST(empty_and_extreme)
{
  const nsdyn_lcp_classes none = classify(0, NULL, 0);
  ck_assert(none.symmetric && none.p_matrix == 1 && none.positive_definite == 1 && none.m_matrix == 1);
  ck_assert(none.positive_semidefinite == 1 && none.diagonally_dominant && none.positive_diagonal);
  const double zero[4] = {0.0, 0.0, 0.0, 0.0};
  const nsdyn_lcp_classes z = classify(2, zero, 2);
  ck_assert(z.p_matrix == 0 && z.positive_definite == 0 && z.positive_semidefinite == 1 && z.z_matrix == 1);
  const double skew[4] = {0.0, -3.0, 3.0, 0.0};
  ck_assert(classify(2, skew, 2).positive_semidefinite == 1);
  const double bent[4] = {0.0, 1e-300, 0.0, 1.0}; /* indefinite, if only just */
  ck_assert(classify(2, bent, 2).positive_semidefinite == 0);
  static const double sizes[] = {1e-300, 1e-160, 1e160, 1e300, 1.7e308};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const double s = sizes[k];
    const double good[4] = {s, -0.5 * s, -0.5 * s, s};
    const nsdyn_lcp_classes c = classify(2, good, 2);
    ck_assert_msg(c.p_matrix == 1 && c.positive_definite == 1 && c.m_matrix == 1 && c.diagonally_dominant,
                  "%g: %d %d %d", s, c.p_matrix, c.positive_definite, c.diagonally_dominant);
    const double bad[4] = {s, s, s, s};
    const nsdyn_lcp_classes d = classify(2, bad, 2);
    ck_assert(d.p_matrix == 0 && d.positive_definite == 0 && d.positive_semidefinite == 1);
    const double wild[4] = {1.0, s, -s, 1.0};
    ck_assert(classify(2, wild, 2).p_matrix != 0);
  }
}
END_TEST

/* Above 20 unknowns: decided where a cheap condition decides, else −1; never wrong. */
START_TEST(large_matrices)
{
  enum { N = 30 };
  static double A[N * N];
  memset(A, 0, sizeof A);
  for (int i = 0; i < N; i++) { /* cyclic: P, and none of the cheap conditions sees it */
    A[i * N + i] = 1.0;
    A[i * N + (i + 1) % N] = 2.0;
  }
  A[(N - 1) * N] = 0.0;
  A[(N - 1) * N + 1] = 0.0;
  ck_assert_int_eq(classify(N, A, N).p_matrix, 1); /* triangular: an H-matrix */
  A[(N - 1) * N] = 2.0;
  ck_assert_int_eq(classify(N, A, N).p_matrix, -1);
  A[7 * N + 6] = 0.5; /* a minor of two rows vanishes */
  ck_assert_int_eq(classify(N, A, N).p_matrix, 0);
  A[7 * N + 6] = 0.0;
  A[12 * N + 12] = 0.0;
  ck_assert_int_eq(classify(N, A, N).p_matrix, 0);
}
END_TEST

/* The cyclic matrix with n odd is P (det = 1 + 2^n), with n even not (det = 1 − 2^n): all 2^n minors count.
 */
START_TEST(all_minors_of_a_cyclic_matrix)
{
  double A[400];
  for (int n = 3; n <= 20; n++) {
    for (int i = 0; i < n * n; i++) {
      A[i] = i / n == i % n ? 1.0 : i % n == (i / n + 1) % n ? 2.0 : 0.0;
    }
    ck_assert_int_eq(classify(n, A, n).p_matrix, n % 2);
  }
}
END_TEST

typedef struct watch {
  int calls;
  int stop_at;
  double done;
} watch;

static int on_progress(void *user, const char *activity, double done)
{
  watch *w = user;
  ck_assert_str_eq(activity, "principal minors");
  ck_assert(done >= w->done && done <= 1.0);
  w->done = done;
  return ++w->calls == w->stop_at;
}

START_TEST(tells_progress_and_can_be_cancelled)
{
  watch w = {.stop_at = -1};
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.user = &w;
  def.progress = on_progress;
  ck_assert_int_eq(nsdyn_context_new(&def, &ctx, NULL), NSDYN_OK);
  enum { N = 19 };
  double A[N * N];
  for (int i = 0; i < N * N; i++) {
    A[i] = i / N == i % N ? 1.0 : i % N == (i / N + 1) % N ? 2.0 : 0.0;
  }
  nsdyn_status status;
  ck_assert_int_eq(classify_with(ctx, N, A, N, &status).p_matrix, 1);
  ck_assert_int_eq(status, NSDYN_OK);
  ck_assert_int_eq(w.calls, 32);
  w = (watch){.stop_at = 5};
  const nsdyn_lcp_classes untouched = classify_with(ctx, N, A, N, &status);
  ck_assert_int_eq(status, NSDYN_CANCELLED);
  ck_assert_int_eq(w.calls, 5);
  ck_assert_int_eq(untouched.symmetric, 7);
  nsdyn_context_free(ctx);
}
END_TEST

START_TEST(a_glance_sees_the_same)
{
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    const int n = random_below(&r, 6);
    const int lda = n + random_below(&r, 3);
    double A[40];
    draw_integers(&r, n, A);
    for (int i = n - 1; i >= 0; i--) { /* spread to lda, garbage between */
      for (int j = lda - 1; j >= 0; j--) {
        A[i * lda + j] = j < n ? A[i * n + j] : NAN;
      }
    }
    const unsigned seen = nsd_lcp_glance(n, A, lda, NULL);
    const nsdyn_lcp_classes c = classify(n, A, lda);
    REQUIRE(c.symmetric == ((seen & NSD_GLANCE_SYMMETRIC) != 0), "seed %d", k);
    REQUIRE(c.z_matrix == ((seen & NSD_GLANCE_Z) != 0), "seed %d", k);
    REQUIRE(c.positive_diagonal == ((seen & NSD_GLANCE_POSITIVE_DIAGONAL) != 0), "seed %d", k);
  }
  const double nothing[4] = {0.0, 1.0, 2.0, 1.0};
  ck_assert_uint_eq(nsd_lcp_glance(2, nothing, 2, NULL), 0);
}
END_TEST

SUITE("lcp/matrix/classes", TEST(agrees_with_the_definitions), TEST(confirms_what_the_generator_promises),
      TEST(units_change_nothing), TEST(near_the_edge), TEST(p_near_the_edge), TEST(empty_and_extreme),
      TEST(large_matrices), TEST(all_minors_of_a_cyclic_matrix), TEST(tells_progress_and_can_be_cancelled),
      TEST(a_glance_sees_the_same))
