/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Bilateral rows that depend on each other, by the public call: planar contacts beside them, and some in
 * space. */
#include "contact/dependent_constraints.h"

#include <math.h>
#include <string.h>

#include "contact/certificate.h"
#include "contact/object.h"
#include "contact/space/operator.h"
#include "suite.h"
#include "support/random.h"

enum { MOST = 3, BARS = 6, ROWS = 3 * MOST + BARS, NU = ROWS + 4 };

typedef struct jointed {
  nsdyn_contact_law law[MOST];
  nsdyn_contact_problem p;
  int own, rows;
  double W[ROWS][NU], G[ROWS * ROWS], c[ROWS], Lambda[ROWS], xi[ROWS];
} jointed;

static double dot(const double *a, const double *b)
{
  double sum = 0.0;
  for (int q = 0; q < NU; q++) {
    sum += a[q] * b[q];
  }
  return sum;
}

/* `free` independent bilateral rows, the others combinations of them, in units of their own. */
static void make(jointed *t, random_state *r, int contacts, int is_spatial, int free, int bars)
{
  t->own = 0;
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law_init(&t->law[i], sizeof t->law[i]);
    t->law[i].mu = random_between(r, 0.0, 0.8);
    t->law[i].tangents = is_spatial ? 2 : 1;
    t->own += 1 + t->law[i].tangents;
  }
  t->rows = t->own + bars;
  double load[NU];
  for (int q = 0; q < NU; q++) {
    load[q] = random_normal(r);
  }
  for (int i = 0; i < t->rows; i++) {
    const int combined = i - t->own - free;
    for (int q = 0; q < NU; q++) {
      t->W[i][q] = combined < 0 ? random_normal(r) : 0.0;
    }
    for (int j = 0; combined >= 0 && j < free; j++) {
      const double share = j == 0               ? random_between(r, 0.3, 1.0)
                           : random_below(r, 3) ? random_between(r, -1.0, 1.0)
                                                : 0.0;
      for (int q = 0; q < NU; q++) {
        t->W[i][q] += share * t->W[t->own + j][q];
      }
    }
  }
  for (int i = t->own; i < t->rows; i++) {
    const double unit = ldexp(1.0, (int)random_below(r, 21) - 10);
    for (int q = 0; q < NU; q++) {
      t->W[i][q] *= unit;
    }
  }
  for (int i = 0; i < t->rows; i++) {
    t->c[i] = dot(t->W[i], load);
    for (int j = 0; j <= i; j++) {
      t->G[i * t->rows + j] = t->G[j * t->rows + i] = dot(t->W[i], t->W[j]);
    }
  }
  nsdyn_contact_problem_init(&t->p, sizeof t->p);
  t->p.contacts = contacts;
  t->p.bilateral = bars;
  t->p.laws = t->law;
  t->p.G = t->G;
  t->p.ldg = t->rows;
  t->p.c = t->c;
}

static nsdyn_contact *make_solver(void)
{
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  return solver;
}

/* D^1/2 Λ_B is least among all that do the same: it is in the range of G' = D^-1/2 G_BB D^-1/2, so it is G' y
 * of some y. Here by another way: the pull W_Bᵀ Λ_B alone tells it, z = D^-1/2 W_B x with the least x… so
 * that any other Λ_B with the same pull is longer. */
static void require_least(const jointed *t, int k)
{
  const int bars = t->p.bilateral;
  double z[BARS], pull[NU] = {0.0}, size = 0.0;
  for (int i = 0; i < bars; i++) {
    const double D = t->G[(t->own + i) * (t->rows + 1)];
    z[i] = sqrt(D) * t->Lambda[t->own + i];
    size += z[i] * z[i];
    for (int q = 0; q < NU; q++) {
      pull[q] += t->W[t->own + i][q] * t->Lambda[t->own + i];
    }
  }
  /* conjugate gradients for G' y = z' from y = 0, z' = D^-1/2 W_B pull = G' z: ends with the least y */
  double y[BARS] = {0.0}, r[BARS], p[BARS], rr = 0.0;
  for (int i = 0; i < bars; i++) {
    r[i] = p[i] = dot(t->W[t->own + i], pull) / sqrt(t->G[(t->own + i) * (t->rows + 1)]);
    rr += r[i] * r[i];
  }
  const double first = rr;
  for (int step = 0; step < 200 && rr > 1e-22 * first; step++) {
    double Gp[BARS], pGp = 0.0, next = 0.0;
    for (int i = 0; i < bars; i++) {
      Gp[i] = 0.0;
      for (int j = 0; j < bars; j++) {
        Gp[i] += t->G[(t->own + i) * t->rows + t->own + j] * p[j] /
                 sqrt(t->G[(t->own + i) * (t->rows + 1)] * t->G[(t->own + j) * (t->rows + 1)]);
      }
      pGp += p[i] * Gp[i];
    }
    for (int i = 0; i < bars; i++) {
      y[i] += rr / pGp * p[i];
      r[i] -= rr / pGp * Gp[i];
      next += r[i] * r[i];
    }
    for (int i = 0; i < bars; i++) {
      p[i] = r[i] + next / rr * p[i];
    }
    rr = next;
  }
  for (int i = 0; i < bars; i++) {
    REQUIRE(fabs(y[i] - z[i]) <= 1e-6 * sqrt(size) + 1e-12, "seed %d, row %d: %g, least %g", k, i, z[i],
            y[i]);
  }
}

START_TEST(redundant_rows_get_the_least_impulses)
{
  nsdyn_contact *solver = make_solver();
  const int cases = random_cases(4000);
  int solved = 0;
  /* One more, whose least impulses are a solution by a hair: rounding has to be spread over all rows. */
  const int by_a_hair = 5025;
  for (int case_k = 0; case_k <= cases; case_k++) {
    const int k = case_k < cases ? case_k : by_a_hair;
    random_state r = random_seed((uint64_t)k);
    jointed t;
    const int free = 1 + (int)random_below(&r, 3), bars = free + 1 + (int)random_below(&r, 3);
    make(&t, &r, (int)random_below(&r, MOST + 1), k % 2, free, bars);
    const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
    solved += status == NSDYN_OK;
    if (status == NSDYN_OK) {
      double residual, scale;
      ck_assert_int_eq(nsdyn_contact_residual(&t.p, t.Lambda, &residual, &scale, NULL), NSDYN_OK);
      REQUIRE(residual <= 1e-9 * scale, "seed %d: %g of %g", k, residual, scale);
      require_least(&t, k);
    }
  }
  ck_assert_msg(solved >= cases - cases / 500, "%d of %d", solved, cases);
  nsdyn_contact_free(solver);
}
END_TEST

/* One row's c is off: no answer, whatever contacts do, and the row is named: the first that those before it
 * determine. Rounding has made these rows regular, in exact arithmetic, so that it need not be a proof. */
START_TEST(contradicting_rows_are_named)
{
  nsdyn_contact *solver = make_solver();
  for (int k = 0; k < random_cases(4000); k++) {
    random_state r = random_seed((uint64_t)k);
    jointed t;
    const int free = 1 + (int)random_below(&r, 3), bars = free + 1 + (int)random_below(&r, 3);
    make(&t, &r, (int)random_below(&r, MOST + 1), k % 2, free, bars);
    const int off = free + (int)random_below(&r, bars - free);
    double size = 1e-3 * sqrt(t.G[(t.own + off) * (t.rows + 1)]);
    t.c[t.own + off] += k % 4 < 2 ? size + fabs(t.c[t.own + off]) : -size - fabs(t.c[t.own + off]);
    const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
    REQUIRE(status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED, "seed %d: status %d", k, (int)status);
    nsdyn_contact_solve_report report = {.size = sizeof report};
    ck_assert_int_eq(nsdyn_contact_report(solver, &report), NSDYN_OK);
    REQUIRE(report.worst_row == t.own + off, "seed %d: row %d, not %d", k, (int)report.worst_row,
            t.own + off);
    ck_assert_msg(strstr(nsdyn_contact_message(solver), "contradicts") != NULL, "%s",
                  nsdyn_contact_message(solver));
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* ---- in exact arithmetic ---- */

__extension__ typedef __int128 whole; /* gcc and clang have it */

/* Rank of rows × columns, by elimination without fractions (Bareiss 1968): every element is a minor, and
 * those of these matrices have less than 120 bits. A is used up. */
static int rank_of(int rows, int columns, whole A[BARS][ROWS + 1])
{
  whole before = 1;
  int rank = 0;
  for (int j = 0; j < columns && rank < rows; j++) {
    int p = rank;
    while (p < rows && A[p][j] == 0) {
      p++;
    }
    if (p == rows) {
      continue;
    }
    for (int k = 0; k < columns; k++) {
      const whole a = A[p][k];
      A[p][k] = A[rank][k];
      A[rank][k] = a;
    }
    for (int i = rank + 1; i < rows; i++) {
      for (int k = columns - 1; k >= j; k--) {
        A[i][k] = (A[rank][j] * A[i][k] - A[i][j] * A[rank][k]) / before;
      }
    }
    before = A[rank++][j];
  }
  return rank;
}

/* Whether vᵀG = 0 and vᵀc ≠ 0 for some v on the bilateral rows. Every number is a whole one. */
static int is_contradictory(const jointed *t)
{
  whole A[BARS][ROWS + 1], G[BARS][ROWS + 1];
  const int bars = t->p.bilateral;
  for (int i = 0; i < bars; i++) {
    for (int j = 0; j < t->rows; j++) {
      A[i][j] = G[i][j] = (whole)t->G[(t->own + i) * t->rows + j];
    }
    A[i][t->rows] = (whole)t->c[t->own + i];
  }
  return rank_of(bars, t->rows + 1, A) > rank_of(bars, t->rows, G);
}

/* The same problem with W and loads rounded to whole numbers after the rows were combined, so that some still
 * depend on each other and some nearly; some as they were, in whole numbers of others. */
static void make_whole(jointed *t, random_state *r, int k)
{
  const int free = 1 + (int)random_below(r, 3), bars = free + 1 + (int)random_below(r, 3);
  make(t, r, (int)random_below(r, MOST + 1), k % 2, free, bars);
  double load[NU];
  for (int q = 0; q < NU; q++) {
    load[q] = (double)random_below(r, 9) - 4.0;
  }
  for (int i = 0; i < t->rows; i++) {
    const int combined = i - t->own - free;
    for (int q = 0; q < NU; q++) {
      t->W[i][q] = combined < 0 ? (double)random_below(r, 7) - 3.0 : 0.0;
    }
    for (int j = 0; combined >= 0 && j < free; j++) {
      const double share = (double)random_below(r, 7) - 3.0;
      for (int q = 0; q < NU; q++) {
        t->W[i][q] += share * t->W[t->own + j][q];
      }
    }
  }
  for (int i = 0; i < t->rows; i++) {
    t->c[i] = dot(t->W[i], load) + (i >= t->own && random_below(r, 4) == 0 ? 1.0 : 0.0);
    for (int j = 0; j <= i; j++) {
      t->G[i * t->rows + j] = t->G[j * t->rows + i] = dot(t->W[i], t->W[j]);
    }
  }
}

/* Whole numbers, judged in exact arithmetic: rows that contradict each other are proved to, and nothing is
 * proved of others. */
START_TEST(contradictions_are_proved_in_exact_arithmetic)
{
  nsdyn_contact *solver = make_solver();
  int contradictory = 0;
  const int cases = random_cases(4000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    jointed t;
    make_whole(&t, &r, k);
    const nsdyn_status status = nsdyn_contact_solve(solver, &t.p, t.Lambda, t.xi);
    const int is = is_contradictory(&t);
    contradictory += is;
    REQUIRE(!is || status == NSDYN_NO_SOLUTION, "seed %d: %s, %s", k, nsdyn_status_name(status),
            nsdyn_contact_message(solver));
    /* bilateral rows alone, and what they leave to contacts, have a solution where W has: G is W Wᵀ */
    REQUIRE(is || t.p.contacts > 0 || status == NSDYN_OK, "seed %d: %s", k, nsdyn_status_name(status));
    REQUIRE(is || strstr(nsdyn_contact_message(solver), "contradicts") == NULL, "seed %d: %s", k,
            nsdyn_contact_message(solver));
  }
  ck_assert_int_gt(contradictory, cases / 10);
  ck_assert_int_lt(contradictory, cases - cases / 10);
  nsdyn_contact_free(solver);
}
END_TEST

/* The last bit decides: rows (1, 1) and (1, 1 + 2^-52) contradict each other to rounding, but their G has an
 * inverse, and impulses of 4.5e15 that meet both. That there is none is not proved. */
START_TEST(rounding_proves_nothing)
{
  const double G[4] = {1.0, 1.0, 1.0, 1.0 + 0x1p-52};
  for (int k = 0; k < 2; k++) {
    const double c[2] = {1.0, 2.0};
    double own[4], Lambda[2];
    nsdyn_contact_problem p;
    nsdyn_contact *solver = make_solver();
    memcpy(own, G, sizeof own);
    own[3] = k ? G[3] : 1.0;
    nsdyn_contact_problem_init(&p, sizeof p);
    p.bilateral = 2;
    p.G = own;
    p.ldg = 2;
    p.c = c;
    ck_assert_int_eq(nsdyn_contact_solve(solver, &p, Lambda, NULL), k ? NSDYN_UNDECIDED : NSDYN_NO_SOLUTION);
    ck_assert_msg(strstr(nsdyn_contact_message(solver), "constraint 1 contradicts") != NULL, "%s",
                  nsdyn_contact_message(solver));
    nsdyn_contact_free(solver);
  }
}
END_TEST

/* G told as an operator: the same vectors. */
START_TEST(an_operator_has_the_same_rows)
{
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    jointed t;
    const int free = 1 + (int)random_below(&r, 3), bars = free + 1 + (int)random_below(&r, 3);
    make(&t, &r, MOST, 1, free, bars);
    const nsd_contact_data d = {
        .contacts = MOST, .bilateral = bars, .rows = t.rows, .ldg = t.rows, .G = t.G, .c = t.c};
    nsd_operator G;
    int rows_of[MOST + BARS];
    for (int i = 0; i < MOST + bars; i++) {
      rows_of[i] = i < MOST ? 3 : 1;
    }
    const nsd_operator_rows given = {.value = t.G, .stride = t.rows, .columns = t.rows};
    nsd_operator_init(&G, NULL);
    ck_assert_int_eq(nsd_operator_read(&G, MOST + bars, rows_of, &given, NULL, NULL), NSDYN_OK);
    nsd_contact_data told = d;
    told.G = NULL;
    told.W = &G;
    nsd_constraints dense = nsd_constraints_empty(NULL), sparse = nsd_constraints_empty(NULL);
    ck_assert_int_eq(nsd_constraints_read(&dense, &d, NULL), NSDYN_OK);
    ck_assert_int_eq(nsd_constraints_read(&sparse, &told, NULL), NSDYN_OK);
    ck_assert_int_eq(dense.redundant, bars - free);
    ck_assert_int_eq(sparse.redundant, bars - free);
    for (int i = 0; i < dense.redundant; i++) {
      ck_assert_int_eq(dense.row[i], free + i);
      ck_assert_int_eq(sparse.row[i], free + i);
    }
    double a[BARS], b[BARS];
    for (int i = 0; i < bars; i++) {
      a[i] = b[i] = random_normal(&r);
    }
    ck_assert(nsd_constraints_reduce(&dense, a) && nsd_constraints_reduce(&sparse, b));
    ck_assert(memcmp(a, b, (size_t)bars * sizeof *a) == 0);
    nsd_constraints_release(&dense);
    nsd_constraints_release(&sparse);
    nsd_operator_release(&G);
  }
}
END_TEST

/* A G that is not semidefinite: contacts feel what constraints do not, so rows that depend on each other in
 * G_BB prove nothing. */
START_TEST(rows_that_move_contacts_are_not_redundant)
{
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    jointed t;
    make(&t, &r, 1 + (int)random_below(&r, MOST), k % 2, 1, 2);
    const int row = (int)random_below(&r, t.own), bar = t.own + (int)random_below(&r, 2);
    t.G[row * t.rows + bar] *= 1.0 + random_between(&r, 1e-6, 1.0);
    t.G[bar * t.rows + row] = t.G[row * t.rows + bar];
    const nsd_contact_data dense = {
        .contacts = t.p.contacts, .bilateral = 2, .rows = t.rows, .ldg = t.rows, .G = t.G, .c = t.c};
    int rows_of[MOST + 2];
    for (int i = 0; i < dense.contacts + 2; i++) {
      rows_of[i] = i < dense.contacts ? t.own / dense.contacts : 1;
    }
    const nsd_operator_rows given = {.value = t.G, .stride = t.rows, .columns = t.rows};
    nsd_operator G;
    nsd_operator_init(&G, NULL);
    ck_assert_int_eq(nsd_operator_read(&G, dense.contacts + 2, rows_of, &given, NULL, NULL), NSDYN_OK);
    nsd_contact_data told = dense;
    told.G = NULL;
    told.W = &G;
    for (int form = 0; form < 2; form++) {
      nsd_constraints read = nsd_constraints_empty(NULL);
      ck_assert_int_eq(nsd_constraints_read(&read, form ? &told : &dense, NULL), NSDYN_OK);
      REQUIRE(read.redundant == 0, "seed %d, form %d: row %d", k, form, read.row[0]);
      nsd_constraints_release(&read);
    }
    nsd_operator_release(&G);
  }
}
END_TEST

/* Λ_N = 1 and Λ_B = −3, since ξ_N = Λ_N + Λ_B + 2 and ξ_B = Λ_N − 1. */
START_TEST(a_row_of_zeros_that_a_contact_moves_can_be_met)
{
  const double G[4] = {1.0, 1.0, 1.0, 0.0}, c[2] = {2.0, -1.0};
  nsdyn_contact_law law;
  nsdyn_contact_problem p;
  nsdyn_contact *solver = make_solver();
  double Lambda[2];
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  nsdyn_contact_problem_init(&p, sizeof p);
  p.contacts = p.bilateral = 1;
  p.laws = &law;
  p.G = G;
  p.ldg = 2;
  p.c = c;
  ck_assert_int_eq(nsdyn_contact_solve(solver, &p, Lambda, NULL), NSDYN_OK);
  ck_assert_double_eq_tol(Lambda[0], 1.0, 1e-12);
  ck_assert_double_eq_tol(Lambda[1], -3.0, 3e-12);
  nsdyn_contact_free(solver);
}
END_TEST

/* Rows that determine each other are left alone, to the bit. */
START_TEST(independent_rows_keep_their_impulses)
{
  for (int k = 0; k < random_cases(500); k++) {
    random_state r = random_seed((uint64_t)k);
    jointed t;
    make(&t, &r, 1, 0, BARS, BARS);
    const nsd_contact_data d = {
        .contacts = 1, .bilateral = BARS, .rows = t.rows, .ldg = t.rows, .G = t.G, .c = t.c};
    nsd_constraints w = nsd_constraints_empty(NULL);
    ck_assert_int_eq(nsd_constraints_read(&w, &d, NULL), NSDYN_OK);
    ck_assert_int_eq(w.redundant, 0);
    ck_assert_int_eq(nsd_constraints_contradiction(&w, 0.0), -1);
    nsd_constraints_release(&w);
  }
}
END_TEST

SUITE("contact/dependent_constraints", TEST(redundant_rows_get_the_least_impulses),
      TEST(contradicting_rows_are_named), TEST(contradictions_are_proved_in_exact_arithmetic),
      TEST(rounding_proves_nothing), TEST(an_operator_has_the_same_rows),
      TEST(rows_that_move_contacts_are_not_redundant), TEST(a_row_of_zeros_that_a_contact_moves_can_be_met),
      TEST(independent_rows_keep_their_impulses))
