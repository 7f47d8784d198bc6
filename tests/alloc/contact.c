/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The solver of contact problems: every method, every size, warm and cold; impacts. */
#include <math.h>
#include <string.h>

#include "harness.h"

enum { MOST_CONTACTS = 90, MOST_ROWS = 2 * MOST_CONTACTS + 1 };

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  nsdyn_contact *solver = *object;
  const nsdyn_status status = nsdyn_contact_new(ctx, NULL, &solver, NULL);
  *object = solver;
  return status;
}

static void drop(void *object)
{
  nsdyn_contact_free(object);
}

typedef struct task {
  nsdyn_contact_problem problem;
  nsdyn_contact_law laws[MOST_CONTACTS];
  double G[MOST_ROWS * MOST_ROWS], c[MOST_ROWS], Lambda[MOST_ROWS], xi[MOST_ROWS];
} task;

/* A chain of bodies on a floor, pushed; one rod between two of them where `bilateral`. */
static void make_chain(task *t, int contacts, int bilateral)
{
  memset(t, 0, sizeof *t);
  const int rows = 2 * contacts + bilateral;
  for (int i = 0; i < rows; i++) {
    t->G[i * rows + i] = 2.0;
    if (i > 0) {
      t->G[i * rows + i - 1] = t->G[(i - 1) * rows + i] = 0.5;
    }
    t->c[i] = i % 2 ? 1.0 - 0.4 * (i % 7) : i % 5 == 4 ? 1.0 : -1.0;
    t->Lambda[i] = t->xi[i] = 4711.0;
  }
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law_init(&t->laws[i], sizeof t->laws[i]);
    t->laws[i].mu = 0.3;
  }
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.bilateral = bilateral;
  t->problem.laws = t->laws;
  t->problem.G = t->G;
  t->problem.ldg = rows;
  t->problem.c = t->c;
}

/* A failure must leave Λ and ξ alone, a success must be one. */
static nsdyn_status solve(nsdyn_contact *solver, int contacts, int bilateral)
{
  task t;
  make_chain(&t, contacts, bilateral);
  const nsdyn_status status = nsdyn_contact_solve(solver, &t.problem, t.Lambda, t.xi);
  const int rows = 2 * contacts + bilateral;
  if (status < 0) {
    for (int i = 0; i < rows; i++) {
      if (t.Lambda[i] != 4711.0 || t.xi[i] != 4711.0) {
        return WRONG_ANSWER;
      }
    }
    return status;
  }
  double residual = INFINITY;
  double scale = 0.0;
  (void)nsdyn_contact_residual(&t.problem, t.Lambda, &residual, &scale, NULL);
  return status == NSDYN_OK && residual <= 1e-9 * scale ? NSDYN_OK : WRONG_ANSWER;
}

enum { METHODS = 3, SIZES = 4 }; /* the last are many (contact/many/many.h) */

static nsdyn_status use(void *object, int stage)
{
  nsdyn_contact *solver = object;
  static const int32_t methods[METHODS] = {NSDYN_CONTACT_DIRECT, NSDYN_CONTACT_AUTOMATIC, NSDYN_CONTACT_LCP};
  static const int sizes[SIZES] = {2, 5, 12, MOST_CONTACTS};
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = methods[stage % METHODS];
  options.warm_start = 1;
  nsdyn_status status = nsdyn_contact_set_options(solver, &options);
  const int contacts =
      options.method == NSDYN_CONTACT_DIRECT ? 1 + stage / METHODS % 2 : sizes[stage / METHODS];
  int32_t modes[MOST_CONTACTS] = {0};
  status = status ? status : nsdyn_contact_set_modes(solver, contacts, modes);
  status = status ? status : solve(solver, contacts, 0);
  status = status ? status : solve(solver, contacts, 0); /* warm */
  const int is_direct = options.method == NSDYN_CONTACT_DIRECT;
  return status || is_direct ? status : solve(solver, contacts, 1);
}

const scenario contact_solves = {.name = "solves of a contact problem",
                                 .calls = "nsdyn_contact_new nsdyn_contact_solve nsdyn_contact_set_modes",
                                 .stages = SIZES * METHODS,
                                 .make = make,
                                 .use = use,
                                 .drop = drop};

/* ---- in space ------------------------------------------------------------------------------------------ */

/* Bodies in a row, a contact each, that push their neighbours. */
static void make_row(task *t, int contacts, int32_t shape)
{
  memset(t, 0, sizeof *t);
  const int rows = 3 * contacts;
  for (int i = 0; i < rows; i++) {
    t->G[i * rows + i] = 2.0;
    if (i > 2) {
      t->G[i * rows + i - 3] = t->G[(i - 3) * rows + i] = 0.5;
    }
    t->c[i] = i % 3 ? 1.0 - 0.4 * (i % 7) : -1.0;
    t->Lambda[i] = t->xi[i] = 4711.0;
  }
  for (int i = 0; i < contacts; i++) {
    nsdyn_contact_law_init(&t->laws[i], sizeof t->laws[i]);
    t->laws[i].tangents = 2;
    t->laws[i].shape = shape;
    t->laws[i].mu = 0.3;
  }
  nsdyn_contact_problem_init(&t->problem, sizeof t->problem);
  t->problem.contacts = contacts;
  t->problem.laws = t->laws;
  t->problem.G = t->G;
  t->problem.ldg = rows;
  t->problem.c = t->c;
}

static nsdyn_status use_space(void *object, int stage)
{
  static const int32_t methods[] = {
      NSDYN_CONTACT_AUTOMATIC,   NSDYN_CONTACT_ROUNDS,      NSDYN_CONTACT_NEWTON, NSDYN_CONTACT_NATURAL,
      NSDYN_CONTACT_TODOROV_RLM, NSDYN_CONTACT_TODOROV_PLM, NSDYN_CONTACT_LCP};
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = methods[stage];
  nsdyn_status status = nsdyn_contact_set_options(object, &options);
  for (int contacts = 2; status == NSDYN_OK && contacts < 8; contacts += 5) {
    task t;
    make_row(&t, contacts,
             options.method == NSDYN_CONTACT_LCP ? NSDYN_FRICTION_POLYGON : NSDYN_FRICTION_ELLIPSE);
    status = nsdyn_contact_solve(object, &t.problem, t.Lambda, t.xi);
    for (int i = 0; i < 3 * contacts && status < 0; i++) {
      if (t.Lambda[i] != 4711.0 || t.xi[i] != 4711.0) {
        return WRONG_ANSWER;
      }
    }
    double residual = INFINITY, scale = 0.0;
    (void)nsdyn_contact_residual(&t.problem, t.Lambda, &residual, &scale, NULL);
    if (status >= 0 && !(status == NSDYN_OK && residual <= 1e-9 * scale)) {
      return WRONG_ANSWER;
    }
  }
  return status;
}

const scenario contact_in_space = {.name = "contacts in space",
                                   .calls = "nsdyn_contact_solve",
                                   .stages = 7,
                                   .make = make,
                                   .use = use_space,
                                   .drop = drop};

/* Particles on a floor, by W and M⁻¹: so many that the bodies are the unknowns. */
static nsdyn_status use_operator(void *object, int stage)
{
  (void)stage;
  enum { PARTICLES = 14, ROWS = 3 * PARTICLES };
  int32_t size[PARTICLES], column[ROWS];
  int64_t begin[ROWS + 1];
  double inverse[9 * PARTICLES], value[ROWS], c[ROWS], Lambda[ROWS];
  nsdyn_contact_law laws[PARTICLES];
  begin[0] = 0;
  for (int i = 0; i < ROWS; i++) {
    size[i / 3] = 3;
    column[i] = i - i % 3 + (i + 2) % 3; /* the third axis is the normal */
    begin[i + 1] = i + 1;
    value[i] = 1.0;
    c[i] = i % 3 ? 0.1 * (i % 7) : -1.0;
    for (int j = 0; j < 3; j++) {
      inverse[9 * (i / 3) + 3 * (i % 3) + j] = i % 3 == j ? 2.0 : 0.0;
    }
    nsdyn_contact_law_init(&laws[i / 3], sizeof laws[i / 3]);
    laws[i / 3].tangents = 2;
    laws[i / 3].mu = 0.3;
    Lambda[i] = 4711.0;
  }
  nsdyn_contact_operator W;
  nsdyn_contact_operator_init(&W, sizeof W);
  W.bodies = PARTICLES;
  W.columns = ROWS;
  W.body = size;
  W.inverse = inverse;
  W.begin = begin;
  W.column = column;
  W.value = value;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = PARTICLES;
  problem.laws = laws;
  problem.W = &W;
  problem.c = c;
  const nsdyn_status status = nsdyn_contact_solve(object, &problem, Lambda, NULL);
  for (int i = 0; i < PARTICLES && status != NSDYN_OK; i++) {
    if (status < 0 && Lambda[3 * i] != 4711.0) {
      return WRONG_ANSWER;
    }
  }
  if (status != NSDYN_OK) {
    return status;
  }
  /* The certificate has no object: its memory is not that of the solver, and none of it may be left. */
  double residual = INFINITY, scale = 0.0;
  const nsdyn_status judged = nsdyn_contact_residual(&problem, Lambda, &residual, &scale, NULL);
  return judged || !(residual <= 1e-9 * scale) || !(fabs(Lambda[0] - 0.5) <= 1e-9) ? WRONG_ANSWER : status;
}

const scenario contact_by_operator = {.name = "contacts by an operator",
                                      .calls = "nsdyn_contact_solve nsdyn_contact_residual",
                                      .stages = 1,
                                      .make = make,
                                      .use = use_operator,
                                      .drop = drop};

/* ---- impacts in space, a list of several contacts, bilateral rows twice -------------------------------- */

/* Two contacts in space and a bilateral row that is there twice; G = 1 but for that. */
static nsdyn_status use_space_further(void *object, int stage)
{
  enum { SIX = 6, ROWS = SIX + 2 };
  nsdyn_contact_law law[2];
  double G[ROWS * ROWS] = {0.0}, Lambda[ROWS], xi[ROWS];
  const double c[ROWS] = {-1.0, 0.3, 0.1, -0.5, 0.2, -0.1};
  const int bars = stage % 2 ? 2 : 0, rows = SIX + bars;
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  for (int i = 0; i < 2; i++) {
    nsdyn_contact_law_init(&law[i], sizeof law[i]);
    law[i].tangents = 2;
    law[i].mu = 0.2;
    law[i].eps_n = law[i].eps_t = law[i].reversal = 0.5;
  }
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      G[i * rows + j] = i == j || (i >= SIX && j >= SIX) ? 1.0 : 0.0;
    }
  }
  p.contacts = 2;
  p.bilateral = bars;
  p.laws = law;
  p.G = G;
  p.ldg = rows;
  p.c = c;
  const nsdyn_status status = nsdyn_contact_impact(object, NSDYN_IMPACT_POISSON, &p, Lambda, xi);
  if (status || !(fabs(Lambda[0] - 1.5) <= 1e-9 && fabs(xi[0] - 0.5) <= 1e-9)) {
    return status ? status : WRONG_ANSWER;
  }
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status listed = nsdyn_contact_enumerate(object, &p, NULL, NULL, &census);
  return listed || (census.points == 1 && census.complete) ? listed : WRONG_ANSWER;
}

const scenario contact_in_space_further = {.name = "impacts and lists in space",
                                           .calls = "nsdyn_contact_impact nsdyn_contact_enumerate",
                                           .stages = 4,
                                           .make = make,
                                           .use = use_space_further,
                                           .drop = drop};

/* ---- bilateral rows that contradict each other --------------------------------------------------------- */

/* A contact, and one row given twice with another c: no solution, by an exact proof, which has memory of its
 * own. */
static nsdyn_status use_contradiction(void *object, int stage)
{
  enum { ROWS = 4 };
  (void)stage;
  nsdyn_contact_law law;
  const double G[ROWS * ROWS] = {2.0, 0.0, 1.0, 1.0, 0.0, 2.0, 0.0, 0.0,
                                 1.0, 0.0, 3.0, 3.0, 1.0, 0.0, 3.0, 3.0};
  const double c[ROWS] = {-1.0, 0.5, 1.0, 2.0};
  double Lambda[ROWS] = {4711.0, 4711.0, 4711.0, 4711.0}, xi[ROWS];
  nsdyn_contact_problem p;
  nsdyn_contact_problem_init(&p, sizeof p);
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = 0.3;
  p.contacts = 1;
  p.bilateral = 2;
  p.laws = &law;
  p.G = G;
  p.ldg = ROWS;
  p.c = c;
  const nsdyn_status status = nsdyn_contact_solve(object, &p, Lambda, xi);
  if (status < 0) {
    return Lambda[0] == 4711.0 ? status : WRONG_ANSWER;
  }
  return status == NSDYN_NO_SOLUTION ? NSDYN_OK : WRONG_ANSWER;
}

const scenario contact_contradicts = {.name = "bilateral rows that contradict each other",
                                      .calls = "nsdyn_contact_solve",
                                      .stages = 1,
                                      .make = make,
                                      .use = use_contradiction,
                                      .drop = drop};

/* ---- impacts ----------------------------------------------------------------------------------------- */

/* A failure must leave Λ and γ alone; a success balances: γ⁺ = G Λ + γ⁻. */
static nsdyn_status strike(nsdyn_contact *solver, int32_t law, int contacts, int bilateral)
{
  task t;
  make_chain(&t, contacts, bilateral);
  for (int i = 0; i < contacts; i++) {
    t.laws[i].eps_n = t.laws[i].eps_t = 0.5;
    t.laws[i].reversal = 1.0;
  }
  if (bilateral) {
    t.c[2 * contacts] = 0.0;
  }
  const nsdyn_status status = nsdyn_contact_impact(solver, law, &t.problem, t.Lambda, t.xi);
  const int rows = 2 * contacts + bilateral;
  for (int i = 0; i < rows; i++) {
    double gamma = t.c[i];
    for (int j = 0; j < rows; j++) {
      gamma += t.G[i * rows + j] * t.Lambda[j];
    }
    if (status < 0 ? t.Lambda[i] != 4711.0 || t.xi[i] != 4711.0 : !(fabs(gamma - t.xi[i]) <= 1e-9)) {
      return WRONG_ANSWER;
    }
  }
  return status;
}

/* Near an overflow W M⁻¹ Wᵀ is tried out first, in memory of the C library. */
static nsdyn_status multiply(void)
{
  const double W[1] = {0x1p505}, L[1] = {1.0};
  double X[1], G[1];
  const nsdyn_status status = nsdyn_contact_delassus(1, 1, W, 1, L, 1, X, G, 1);
  return status || G[0] == 0x1p1010 ? status : WRONG_ANSWER;
}

static nsdyn_status use_impacts(void *object, int stage)
{
  const int contacts = 1 + stage;
  nsdyn_status status = multiply();
  status = status ? status : strike(object, NSDYN_IMPACT_NEWTON, contacts, 0);
  status = status ? status : strike(object, NSDYN_IMPACT_POISSON, contacts, 0);
  return status ? status : strike(object, NSDYN_IMPACT_POISSON, contacts, 1);
}

const scenario contact_impacts = {.name = "impacts",
                                  .calls = "nsdyn_contact_new nsdyn_contact_impact nsdyn_contact_delassus",
                                  .stages = 6,
                                  .make = make,
                                  .use = use_impacts,
                                  .drop = drop};

/* ---- all solutions ------------------------------------------------------------------------------------- */

static int visit(void *user, const nsdyn_contact_piece *piece)
{
  int *count = user;
  *count += piece->vertices > 0;
  return 0;
}

/* Small and large, listed and counted; a box on edges that are there twice, so that there are pieces to list.
 */
static nsdyn_status enumerate(void *object, int stage)
{
  task t;
  int pieces = 0;
  const int contacts = 2 + stage / 2 % 3 * 2;
  make_chain(&t, contacts, stage % 2);
  for (int i = 0; stage >= 6 && i < t.problem.ldg; i++) {
    for (int j = 0; j < t.problem.ldg; j++) { /* rank 2 */
      t.G[i * t.problem.ldg + j] = (i + j) % 2 ? 0.0 : 1.0;
    }
    t.c[i] = i % 2 ? 0.1 : -1.0;
  }
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(object, &t.problem, visit, &pieces, &census);
  if (status < 0) {
    return status;
  }
  const int64_t counted = census.points + census.bounded_pieces + census.unbounded_pieces;
  if (status != NSDYN_OK || counted != pieces) {
    return WRONG_ANSWER;
  }
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.method = NSDYN_CONTACT_MODES;
  const nsdyn_status set = nsdyn_contact_set_options(object, &options);
  return set ? set : solve(object, contacts, stage % 2);
}

const scenario contact_enumerates = {.name = "all solutions of a contact problem",
                                     .calls = "nsdyn_contact_enumerate",
                                     .stages = 12,
                                     .make = make,
                                     .use = enumerate,
                                     .drop = drop};
