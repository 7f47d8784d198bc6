/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The search through modes as callers meet it; what it finds is tested in test_census.c. */
#include "contact/certificate.h"
#include "contact/object.h"
#include "contact/planar/states.h"

#include "contact_brute.h"
#include "contact_cases.h"

typedef struct bench {
  nsdyn_contact *solver;
  contact_case made;
  nsdyn_contact_law laws[CASE_CONTACTS];
  double slip[CASE_CONTACTS]; /* one per tangential row */
  nsdyn_contact_problem problem;
  nsdyn_contact_census census;
  contact_pieces all;
} bench;

static bench *bench_new(int32_t method)
{
  bench *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  nsdyn_contact_options options;
  ck_assert_int_eq(nsdyn_contact_options_init(&options, sizeof options), NSDYN_OK);
  options.method = method;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &t->solver, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_census_init(&t->census, sizeof t->census), NSDYN_OK);
  return t;
}

static void bench_free(bench *t)
{
  nsdyn_contact_free(t->solver);
  contact_pieces_free(&t->all);
  free(t);
}

/* The case as a caller would state it. */
static void state_problem(bench *t)
{
  const nsd_contact_data *d = &t->made.data;
  ck_assert_int_eq(nsdyn_contact_problem_init(&t->problem, sizeof t->problem), NSDYN_OK);
  int tangential = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    nsdyn_contact_law *law = &t->laws[i];
    ck_assert_int_eq(nsdyn_contact_law_init(law, sizeof *law), NSDYN_OK);
    law->kind = s->kind;
    law->friction = s->friction == NSD_FRICTION_NONE    ? NSDYN_FRICTION_NONE
                    : s->friction == NSD_FRICTION_GIVEN ? NSDYN_FRICTION_BOUND
                                                        : NSDYN_FRICTION_COULOMB;
    law->mu = s->mu;
    law->bound = s->bound;
    if (s->friction != NSD_FRICTION_NONE) {
      t->slip[tangential++] = s->sliding;
    }
  }
  t->problem.contacts = d->contacts;
  t->problem.bilateral = d->bilateral;
  t->problem.laws = t->laws;
  t->problem.slip = t->slip;
  t->problem.G = d->G;
  t->problem.ldg = d->ldg;
  t->problem.c = d->c;
  t->problem.dt = 1.0;
}

/* A block that may be open, slide or stick. */
static void three(bench *t)
{
  t->made.spec[0] = (nsd_contact_spec){.friction = NSD_FRICTION_LOAD, .mu = 2.0};
  case_number(&t->made, 1, 0);
  const double G[4] = {1.0, 0.9, 0.9, 1.0};
  memcpy(t->made.G, G, sizeof G);
  t->made.c[0] = 1.0;
  t->made.c[1] = 2.0;
  state_problem(t);
}

static nsdyn_status enumerate(bench *t)
{
  contact_pieces_clear(&t->all);
  return nsdyn_contact_enumerate(t->solver, &t->problem, contact_collect, &t->all, &t->census);
}

START_TEST(lists_what_there_is)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  three(t);
  ck_assert_int_eq(enumerate(t), NSDYN_OK);
  ck_assert(t->census.points == 3 && t->census.motions == 3 && t->census.complete == 1 && t->all.count == 3);
  ck_assert_str_eq(nsdyn_contact_message(t->solver), "");
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_contact_report(t->solver, &result), NSDYN_OK);
  ck_assert(result.status == NSDYN_OK && result.method == NSDYN_CONTACT_MODES);
  ck_assert_int_eq(result.iterations, t->census.nodes);
  /* Neither a visitor nor a census has to be there. */
  ck_assert_int_eq(nsdyn_contact_enumerate(t->solver, &t->problem, NULL, NULL, NULL), NSDYN_OK);
  t->made.c[0] = -1.0;
  t->slip[0] = 1.0;
  ck_assert_int_eq(enumerate(t), NSDYN_NO_SOLUTION);
  ck_assert(t->census.complete == 1 && t->census.max_dimension == -1 && t->census.motions == 0);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(t->solver), "mode patterns"));
  bench_free(t);
}
END_TEST

START_TEST(the_limit_of_nodes_is_heeded)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.max_nodes = 2;
  ck_assert_int_eq(nsdyn_contact_set_options(t->solver, &options), NSDYN_OK);
  three(t);
  ck_assert_int_eq(enumerate(t), NSDYN_MAX_ITERATIONS);
  ck_assert(t->census.nodes == 2 && t->census.complete == 0);
  t->all.stop_at = 1;
  ck_assert_int_eq(nsdyn_contact_set_options(t->solver, NULL), NSDYN_OK);
  ck_assert_int_eq(enumerate(t), NSDYN_CANCELLED);
  ck_assert_int_eq(t->all.count, 1);
  bench_free(t);
}
END_TEST

START_TEST(bad_arguments_are_refused)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  three(t);
  ck_assert_int_eq(nsdyn_contact_enumerate(NULL, &t->problem, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  ck_assert_int_eq(nsdyn_contact_enumerate(t->solver, NULL, NULL, NULL, NULL), NSDYN_ERR_ARGUMENT);
  t->census.size = 3;
  ck_assert_int_eq(enumerate(t), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(t->solver), "nsdyn_contact_census"));
  ck_assert_int_eq(nsdyn_contact_census_init(&t->census, sizeof t->census), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_census_init(&t->census, 3), NSDYN_ERR_STRUCT_SIZE);
  ck_assert_int_eq(nsdyn_contact_census_init(NULL, sizeof t->census), NSDYN_ERR_ARGUMENT);
  t->made.G[1] = NAN;
  ck_assert_int_eq(enumerate(t), NSDYN_ERR_NOT_FINITE);
  nsdyn_contact_solve_report result;
  nsdyn_contact_solve_report_init(&result, sizeof result);
  ck_assert_int_eq(nsdyn_contact_report(t->solver, &result), NSDYN_OK);
  ck_assert_int_eq(result.status, NSDYN_ERR_NOT_FINITE);
  bench_free(t);
}
END_TEST

typedef struct caller {
  bench *t;
  int calls;
} caller;

static int call_back(void *user, const nsdyn_contact_piece *piece)
{
  caller *c = user;
  double Lambda[2];
  ck_assert_int_eq(piece->rows, 2);
  ck_assert_int_eq(nsdyn_contact_solve(c->t->solver, &c->t->problem, Lambda, NULL), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_contact_enumerate(c->t->solver, &c->t->problem, NULL, NULL, NULL), NSDYN_ERR_BUSY);
  ck_assert_int_eq(nsdyn_contact_set_options(c->t->solver, NULL), NSDYN_ERR_BUSY);
  c->calls++;
  return 0;
}

START_TEST(the_object_is_busy_while_it_visits)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  caller c = {.t = t};
  three(t);
  ck_assert_int_eq(nsdyn_contact_enumerate(t->solver, &t->problem, call_back, &c, NULL), NSDYN_OK);
  ck_assert_int_eq(c.calls, 3);
  double Lambda[2];
  ck_assert_int_eq(nsdyn_contact_solve(t->solver, &t->problem, Lambda, NULL), NSDYN_OK);
  bench_free(t);
}
END_TEST

/* The method MODES finds a solution wherever there is one, and says where there is none. */
START_TEST(the_method_decides)
{
  bench *t = bench_new(NSDYN_CONTACT_MODES);
  int none = 0;
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(150); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 4), seed);
      state_problem(t);
      double Lambda[CASE_ROWS], xi[CASE_ROWS];
      const nsdyn_status all = enumerate(t);
      const nsdyn_status status = nsdyn_contact_solve(t->solver, &t->problem, Lambda, xi);
      /* Where contacts are redundant but for rounding, there may be a solution to rounding and none exactly.
       */
      const int rounded = kind == CASE_REDUNDANT && status == NSDYN_OK && all == NSDYN_NO_SOLUTION;
      REQUIRE(status == all || (status == NSDYN_UNDECIDED && all == NSDYN_OK) || rounded,
              "%s %llu: %d, all %d", case_names[kind], (unsigned long long)seed, (int)status, (int)all);
      none += status == NSDYN_NO_SOLUTION;
      if (status) {
        continue;
      }
      double residual, scale;
      ck_assert_int_eq(nsdyn_contact_residual(&t->problem, Lambda, &residual, &scale, NULL), NSDYN_OK);
      REQUIRE(residual <= 1e-9 * scale, "%s %llu: residual %g of %g", case_names[kind],
              (unsigned long long)seed, residual, scale);
      ck_assert_ptr_nonnull(nsdyn_contact_modes(t->solver, NULL));
    }
  }
  ck_assert(is_common(none, random_cases(150), 10));
  bench_free(t);
}
END_TEST

/* Without any load there are solutions far out, where impulses hold each other, and the judge does not
 * believe those. The search finds one that he does: Λ = 0, or a vertex. */
START_TEST(solutions_are_those_that_the_judge_believes)
{
  enum { most = 4, most_rows = 2 * most + 1 };
  nsdyn_contact_options options;
  nsdyn_contact *solver;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = NSDYN_CONTACT_MODES;
  ck_assert_int_eq(nsdyn_contact_new(NULL, &options, &solver, NULL), NSDYN_OK);
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    nsdyn_contact_law laws[most];
    nsdyn_contact_problem p;
    double w[most_rows], G[most_rows * most_rows], c[most_rows] = {0.0}, Lambda[most_rows];
    nsdyn_contact_problem_init(&p, sizeof p);
    p.contacts = 1 + random_below(&r, most);
    p.bilateral = random_below(&r, 2);
    p.laws = laws;
    p.G = G;
    p.c = c;
    p.dt = 1.0;
    for (int i = 0; i < p.contacts; i++) {
      nsdyn_contact_law_init(&laws[i], sizeof laws[i]);
      laws[i].friction = random_below(&r, 2) ? NSDYN_FRICTION_BOUND : NSDYN_FRICTION_COULOMB;
      laws[i].kind = random_below(&r, 4) ? NSDYN_CONTACT_UNILATERAL : NSDYN_CONTACT_BILATERAL;
      laws[i].mu = 0.5 * random_below(&r, 4);
      laws[i].bound = random_below(&r, 3);
    }
    const int rows = nsdyn_contact_rows(&p);
    for (int i = 0; i < rows; i++) {
      w[i] = random_below(&r, 5) - 2;
    }
    for (int i = 0; i < rows * rows; i++) { /* one velocity, on which all rows depend */
      G[i] = w[i / rows] * w[i % rows];
    }
    p.ldg = rows;
    REQUIRE(nsdyn_contact_solve(solver, &p, Lambda, NULL) == NSDYN_OK, "seed %d: %s", k,
            nsdyn_contact_message(solver));
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* Modes of a piece are those that the solver would tell of a point within it. */
START_TEST(modes_are_those_of_the_interior)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  for (int kind = 0; kind < CASE_KINDS; kind++) {
    for (uint64_t seed = 0; seed < (uint64_t)random_cases(150); seed++) {
      contact_case_make(&t->made, (case_kind)kind, 1 + (int)(seed % 3), seed);
      state_problem(t);
      const int n = t->made.data.rows;
      (void)enumerate(t);
      for (int k = 0; k < t->all.count; k++) {
        const contact_piece *piece = &t->all.piece[k];
        double Lambda[CASE_ROWS] = {0}, xi[CASE_ROWS];
        for (int v = 0; v < piece->vertices; v++) {
          for (int j = 0; j < n; j++) {
            Lambda[j] += piece->Lambda[v * n + j] / piece->vertices;
          }
        }
        for (int r = 0; r < piece->rays; r++) {
          for (int j = 0; j < n; j++) {
            Lambda[j] += piece->ray[r * n + j] / piece->rays;
          }
        }
        const nsd_contact_verdict verdict = nsd_contact_judge(&t->made.data, Lambda, xi);
        double size = 0.0;
        for (int j = 0; j < n; j++) {
          for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(t->made.G[i * n + j] * Lambda[j]));
          }
          size = fmax(size, fabs(t->made.c[j]));
        }
        int32_t modes[CASE_CONTACTS];
        nsd_contact_read_modes(&t->made.data, Lambda, xi, size, modes);
        for (int i = 0; i < t->made.data.contacts; i++) {
          const int row = t->made.spec[i].row;
          if (t->made.G[row * n + row] == 0.0 ||  /* a load that moves nothing is none to the solver */
              fabs(xi[row + 1]) <= 1e-9 * size) { /* nor sliding that may be rounding */
            continue;
          }
          REQUIRE(modes[i] == piece->modes[i], "%s %llu: contact %d of piece %d: %d, not %d (%g)",
                  case_names[kind], (unsigned long long)seed, i, k, (int)piece->modes[i], (int)modes[i],
                  verdict.residual);
        }
      }
    }
  }
  bench_free(t);
}
END_TEST

/* Where everything else fails, the default searches: problems with friction so steep that eq. 33 has rays. */
START_TEST(the_default_ends_with_the_search)
{
  bench *t = bench_new(NSDYN_CONTACT_AUTOMATIC);
  for (uint64_t seed = 0; seed < (uint64_t)random_cases(400); seed++) {
    contact_case_make(&t->made, seed % 2 ? CASE_STEEP : CASE_SLIDING, 3 + (int)(seed % 3), seed);
    state_problem(t);
    double Lambda[CASE_ROWS];
    const nsdyn_status status = nsdyn_contact_solve(t->solver, &t->problem, Lambda, NULL);
    const nsdyn_status all = nsdyn_contact_enumerate(t->solver, &t->problem, NULL, NULL, NULL);
    REQUIRE(status == all, "seed %llu: %d, all %d", (unsigned long long)seed, (int)status, (int)all);
  }
  bench_free(t);
}
END_TEST

static int keep_first_ray(void *user, const nsdyn_contact_piece *piece)
{
  double *ray = user;
  for (int i = 0; i < piece->rows && piece->rays > 0; i++) {
    ray[i] = piece->ray[i];
  }
  return 0;
}

/* Impulses that move nothing, under a friction bound that is nearly no number: they may grow for ever, and
 * the direction in which they do is one of size 1. */
START_TEST(rays_beside_the_smallest_bound_are_numbers)
{
  const double G[4] = {0.0, 0.0, 0.0, 0.0}, c[2] = {0.0, 0.0};
  nsdyn_contact_law law;
  ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = 1e-308;
  nsdyn_contact_problem problem;
  ck_assert_int_eq(nsdyn_contact_problem_init(&problem, sizeof problem), NSDYN_OK);
  problem.contacts = 1;
  problem.laws = &law;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;
  problem.dt = 1.0;
  nsdyn_contact *solver;
  ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &solver, NULL), NSDYN_OK);
  double ray[2] = {0.0, 0.0};
  ck_assert_int_eq(nsdyn_contact_enumerate(solver, &problem, keep_first_ray, ray, NULL), NSDYN_OK);
  ck_assert_double_eq(ray[0], 1.0);
  ck_assert_double_eq(ray[1], 0.0);
  nsdyn_contact_free(solver);
}
END_TEST

/* Two contacts that slide along known directions e: Λ_T = −μ Λ_N e, so that y = B x + c, 0 <= y ⊥ x >= 0 with
 * B_ij = w_Ni·(w_Nj − μ_j W_Tj e_j). Its four ends are tried by hand; near zero nothing is asked. Returns how
 * many are solutions, −1: not known. */
static int count_by_hand(const double *G, const double *c, const double *mu, const double *slip)
{
  double B[2][2], y[2] = {c[0], c[3]};
  int count = 0;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      const double *row = G + (size_t)18 * (size_t)i + (size_t)3 * (size_t)j;
      B[i][j] = row[0] - mu[j] * (row[1] * slip[2 * j] + row[2] * slip[2 * j + 1]);
    }
  }
  const double det = B[0][0] * B[1][1] - B[0][1] * B[1][0];
  const double ends[4][2] = {
      {0.0, 0.0},
      {-y[0] / B[0][0], 0.0},
      {0.0, -y[1] / B[1][1]},
      {(B[0][1] * y[1] - B[1][1] * y[0]) / det, (B[1][0] * y[0] - B[0][0] * y[1]) / det}};
  for (int k = 0; k < 4; k++) {
    int holds = 1;
    for (int i = 0; i < 2; i++) {
      const int is_closed = (k >> i) & 1;
      const double at = is_closed ? ends[k][i] : B[i][0] * ends[k][0] + B[i][1] * ends[k][1] + y[i];
      if (fabs(at) < 1e-4) {
        return -1;
      }
      holds = holds && at > 0.0;
    }
    count += holds;
  }
  return count;
}

START_TEST(two_sliding_contacts_are_solved_or_proved_to_have_no_solution)
{
  const int cases = random_cases(2000);
  int solved = 0, none = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    double A[36], G[36] = {0.0}, c[6], Lambda[6], slip[4], mu[2];
    for (int i = 0; i < 36; i++) {
      A[i] = random_normal(&r);
    }
    for (int i = 0; i < 36; i++) {
      for (int j = 0; j < 6; j++) {
        G[i] += A[i / 6 * 6 + j] * A[i % 6 * 6 + j];
      }
    }
    nsdyn_contact_law law[2];
    for (int i = 0; i < 2; i++) {
      const double turn = random_between(&r, 0.0, 6.28);
      nsdyn_contact_law_init(&law[i], sizeof law[i]);
      law[i].tangents = 2;
      law[i].mu = mu[i] = random_between(&r, 0.5, 4.0);
      slip[2 * i] = cos(turn);
      slip[2 * i + 1] = sin(turn);
      for (int j = 0; j < 3; j++) {
        c[3 * i + j] = random_normal(&r);
      }
    }
    nsdyn_contact_problem p;
    nsdyn_contact_problem_init(&p, sizeof p);
    p.contacts = p.nlaws = 2;
    p.laws = law;
    p.G = G;
    p.ldg = 6;
    p.c = c;
    p.slip = slip;
    nsdyn_contact *s;
    ck_assert_int_eq(nsdyn_contact_new(NULL, NULL, &s, NULL), NSDYN_OK);
    const nsdyn_status status = nsdyn_contact_solve(s, &p, Lambda, NULL);
    const int count = count_by_hand(G, c, mu, slip);
    REQUIRE(count < 0 || status == (count > 0 ? NSDYN_OK : NSDYN_NO_SOLUTION), "seed %d: %d solutions, %s", k,
            count, nsdyn_status_name(status));
    solved += count > 0;
    none += count == 0;
    nsdyn_contact_free(s);
  }
  ck_assert(is_common(solved, cases, 4) && is_common(none, cases, 100));
}
END_TEST

SUITE("contact/enumerate/api", TEST(two_sliding_contacts_are_solved_or_proved_to_have_no_solution),
      TEST(rays_beside_the_smallest_bound_are_numbers), TEST(lists_what_there_is),
      TEST(the_limit_of_nodes_is_heeded), TEST(bad_arguments_are_refused),
      TEST(the_object_is_busy_while_it_visits), TEST(the_method_decides),
      TEST(solutions_are_those_that_the_judge_believes), TEST(modes_are_those_of_the_interior),
      TEST(the_default_ends_with_the_search))
