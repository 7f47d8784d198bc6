/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The solver of complementarity problems: solves by every method, enumeration, classification. */
#include <math.h>
#include <string.h>

#include "harness.h"

enum { MOST = 16, METHODS = NSDYN_LCP_MARQUARDT_PROJECTED + 1 };

static nsdyn_status make(const nsdyn_context_def *def, nsdyn_context *ctx, void **object)
{
  (void)def;
  nsdyn_lcp *lcp = *object;
  const nsdyn_status status = nsdyn_lcp_new(ctx, NULL, &lcp, NULL);
  *object = lcp;
  return status;
}

static void drop(void *object)
{
  nsdyn_lcp_free(object);
}

/* ---- solves ----------------------------------------------------------------------------------------- */

typedef struct task {
  int n;
  double A[MOST * MOST], b[MOST], lo[MOST], hi[MOST], x[MOST], y[MOST];
} task;

/* A chain of springs, symmetric and positive definite, pressed on a floor at every second mass. */
static void make_chain(task *t, int n)
{
  memset(t, 0, sizeof *t);
  t->n = n;
  for (int i = 0; i < n; i++) {
    t->A[i * n + i] = 2.0;
    if (i > 0) {
      t->A[i * n + i - 1] = t->A[(i - 1) * n + i] = -0.5;
    }
    t->b[i] = i % 2 ? 1.0 : -1.0;
    t->lo[i] = i % 3 == 0 ? -INFINITY : -1.0;
    t->hi[i] = i % 3 == 1 ? 0.25 : INFINITY;
    t->x[i] = t->y[i] = 4711.0;
  }
}

static int is_untouched(const task *t)
{
  for (int i = 0; i < t->n; i++) {
    if (t->x[i] != 4711.0 || t->y[i] != 4711.0) {
      return 0;
    }
  }
  return 1;
}

/* A failure must leave x and y alone, a success must be one. */
static nsdyn_status judge(const task *t, nsdyn_status status, const double *lo, const double *hi)
{
  if (status < 0) {
    return is_untouched(t) ? status : WRONG_ANSWER;
  }
  double residual = INFINITY;
  (void)nsdyn_lcp_residual(t->n, t->A, t->n, t->b, lo, hi, t->x, &residual, NULL);
  return status == NSDYN_OK && residual <= 1e-9 ? NSDYN_OK : WRONG_ANSWER;
}

static nsdyn_status solve_plain(nsdyn_lcp *lcp, int n)
{
  task t;
  make_chain(&t, n);
  return judge(&t, nsdyn_lcp_solve(lcp, n, t.A, n, t.b, t.x, t.y), NULL, NULL);
}

static nsdyn_status solve_with_bounds(nsdyn_lcp *lcp, int n)
{
  task t;
  make_chain(&t, n);
  return judge(&t, nsdyn_lcp_solve_mixed(lcp, n, t.A, n, t.b, t.lo, t.hi, t.x, t.y), t.lo, t.hi);
}

/* A basis of the caller's, found again by a warm start. */
static nsdyn_status solve_from_basis(nsdyn_lcp *lcp, int n)
{
  int32_t basis[MOST];
  for (int i = 0; i < n; i++) {
    basis[i] = i % 2 ? NSDYN_LCP_AT_LO : NSDYN_LCP_BASIC;
  }
  const nsdyn_status status = nsdyn_lcp_set_basis(lcp, n, basis);
  return status ? status : solve_plain(lcp, n);
}

/* Sizes grow from round to round, each in all methods; a search through bases comes as an option late. */
static nsdyn_status use_solves(void *object, int stage)
{
  nsdyn_lcp *lcp = object;
  static const int sizes[] = {3, 7, 12};
  const int n = sizes[stage / METHODS];
  nsdyn_lcp_options options;
  nsdyn_lcp_options_init(&options, sizeof options);
  options.method = stage % METHODS;
  options.warm_start = 1;
  options.automatic_enumerate_up_to = 0;
  options.max_iterations = options.method == NSDYN_LCP_SWEEP ? 1000 : -1;
  nsdyn_status status = nsdyn_lcp_set_options(lcp, &options);
  status = status ? status : solve_from_basis(lcp, n);
  if (status || options.method == NSDYN_LCP_MURTY) { /* knows no bounds */
    return status;
  }
  status = solve_with_bounds(lcp, n);
  options.automatic_enumerate_up_to = 24;
  status = status ? status : nsdyn_lcp_set_options(lcp, &options);
  return status ? status : solve_plain(lcp, n);
}

const scenario lcp_solves = {.name = "solves of an LCP",
                             .calls =
                                 "nsdyn_lcp_new nsdyn_lcp_solve nsdyn_lcp_solve_mixed nsdyn_lcp_set_basis "
                                 "nsdyn_lcp_residual",
                             .stages = 3 * METHODS,
                             .make = make,
                             .use = use_solves,
                             .drop = drop};

/* ---- enumeration ------------------------------------------------------------------------------------ */

/* `pairs` of supports that share a load of 1 each (a segment), then `switches` with two solutions each. */
static void make_supports(task *t, int pairs, int switches)
{
  const int n = 2 * pairs + switches;
  memset(t, 0, sizeof *t);
  t->n = n;
  for (int i = 0; i < n; i++) {
    const int is_support = i < 2 * pairs;
    t->A[i * n + i] = is_support ? 1.0 : -1.0;
    t->b[i] = is_support ? -1.0 : 1.0;
    if (is_support) {
      t->A[i * n + (i ^ 1)] = 1.0;
    }
  }
}

typedef struct tally {
  int pieces, vertices;
} tally;

static int count(void *user, const nsdyn_lcp_piece *piece)
{
  tally *t = user;
  t->pieces++;
  t->vertices += piece->vertices;
  return 0;
}

/* 2^switches products of segments, each with 2^pairs corners. */
static nsdyn_status use_enumerates(void *object, int stage)
{
  static const int pairs[] = {1, 1, 7}, switches[] = {0, 7, 1};
  const int pieces = 1 << switches[stage];
  const int corners = 1 << pairs[stage];
  task t;
  make_supports(&t, pairs[stage], switches[stage]);
  tally seen = {0, 0};
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  nsdyn_status status = nsdyn_lcp_enumerate(object, t.n, t.A, t.n, t.b, count, &seen, &census);
  if (status) {
    return status;
  }
  if (seen.pieces != pieces || seen.vertices != pieces * corners || census.bounded_pieces != pieces) {
    return WRONG_ANSWER;
  }
  status = nsdyn_lcp_enumerate(object, t.n, t.A, t.n, t.b, NULL, NULL, &census);
  return status || census.bounded_pieces == pieces ? status : WRONG_ANSWER;
}

const scenario lcp_enumerates = {.name = "all solutions of an LCP",
                                 .calls = "nsdyn_lcp_new nsdyn_lcp_enumerate",
                                 .stages = 3,
                                 .make = make,
                                 .use = use_enumerates,
                                 .drop = drop};

/* ---- classification --------------------------------------------------------------------------------- */

/* In turn with solves, since the memory is the same. */
static nsdyn_status use_classifies(void *object, int stage)
{
  const int n = 2 + 3 * stage;
  task t;
  make_chain(&t, n);
  nsdyn_lcp_classes classes;
  nsdyn_lcp_classes_init(&classes, sizeof classes);
  const nsdyn_status status = nsdyn_lcp_classify(object, n, t.A, n, &classes);
  if (status) {
    return status;
  }
  if (!classes.symmetric || !classes.p_matrix || !classes.m_matrix || !classes.positive_definite) {
    return WRONG_ANSWER;
  }
  return solve_plain(object, n);
}

const scenario lcp_classifies = {.name = "classes of a matrix",
                                 .calls = "nsdyn_lcp_new nsdyn_lcp_classify nsdyn_lcp_solve",
                                 .stages = 4,
                                 .make = make,
                                 .use = use_classifies,
                                 .drop = drop};

/* ---- sparse problems -------------------------------------------------------------------------------- */

enum { SPARSE_SIDE = 14, SPARSE_MOST = SPARSE_SIDE * SPARSE_SIDE };

/* A mesh of side × side, pressed down on its left half, as rows or in a band. */
typedef struct mesh {
  nsdyn_sparse_matrix A;
  int64_t row[SPARSE_MOST + 1];
  int32_t column[5 * SPARSE_MOST];
  double value[5 * SPARSE_MOST], band[SPARSE_MOST * (2 * SPARSE_SIDE + 1)];
  double b[SPARSE_MOST], x[SPARSE_MOST];
} mesh;

static void make_mesh(mesh *m, int side, int is_band)
{
  const int n = side * side, steps[5] = {-side, -1, 0, 1, side};
  memset(m, 0, sizeof *m);
  nsdyn_sparse_matrix_init(&m->A, sizeof m->A);
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    m->row[i] = at;
    m->b[i] = i % side < side / 2 ? -1.0 : 2.0;
    m->x[i] = 4711.0;
    for (int k = 0; k < 5; k++) {
      const int j = i + steps[k];
      if (j < 0 || j >= n || (steps[k] == 1 && j % side == 0) || (steps[k] == -1 && i % side == 0)) {
        continue;
      }
      m->column[at] = j;
      m->value[at++] = m->band[i * (2 * side + 1) + side + j - i] = k == 2 ? 4.0 : -1.0;
    }
  }
  m->row[n] = at;
  m->A.n = n;
  m->A.row = m->row;
  m->A.column = m->column;
  m->A.value = m->value;
  if (is_band) {
    m->A.format = NSDYN_SPARSE_BANDED;
    m->A.lower = m->A.upper = side;
    m->A.stride = 2 * side + 1;
    m->A.value = m->band;
  }
}

/* A string of masses, which needs memory of its own kind. */
static nsdyn_status solve_string(nsdyn_lcp *lcp)
{
  enum { N = 300 };
  double band[3 * N], b[N], x[N], residual = INFINITY;
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.format = NSDYN_SPARSE_BANDED;
  A.n = N;
  A.lower = A.upper = 1;
  A.stride = 3;
  A.value = band;
  for (int i = 0; i < N; i++) {
    band[3 * i] = band[3 * i + 2] = -1.0;
    band[3 * i + 1] = 2.0;
    b[i] = i < N / 3 ? -1.0 : 2.0;
    x[i] = 4711.0;
  }
  const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, b, NULL, NULL, x, NULL);
  if (status < 0) {
    return x[0] == 4711.0 ? status : WRONG_ANSWER;
  }
  (void)nsdyn_lcp_residual_sparse(&A, b, NULL, NULL, x, &residual, NULL);
  return status == NSDYN_OK && residual <= 1e-9 ? NSDYN_OK : WRONG_ANSWER;
}

/* Contacts with friction in a row, as rows and as a dense matrix: damped problems have memory of their own.
 */
static nsdyn_status solve_friction(nsdyn_lcp *lcp)
{
  enum { CONTACTS = 90, N = 3 * CONTACTS };
  static double A[N * N], value[8 * N], b[N], x[N];
  static int64_t row[N + 1];
  static int32_t column[8 * N];
  double residual = INFINITY;
  nsdyn_sparse_matrix S;
  nsdyn_sparse_matrix_init(&S, sizeof S);
  memset(A, 0, sizeof A);
  for (int i = 0; i < CONTACTS; i++) {
    const int at = 3 * i;
    for (int j = i > 0 ? i - 1 : 0; j < CONTACTS && j <= i + 1; j++) {
      A[at * N + 3 * j] = i == j ? 2.0 : -0.5;
      A[(at + 1) * N + 3 * j] = i == j ? -1.0 : 0.0; /* −μ G_TT */
      A[(at + 1) * N + 3 * j + 1] = i == j ? 2.0 : 0.25;
    }
    A[(at + 1) * N + at + 2] = 1.0;
    A[(at + 2) * N + at] = 1.0;
    A[(at + 2) * N + at + 1] = -1.0;
    b[at] = i % 3 ? -1.0 : 0.5;
    b[at + 1] = i % 2 ? 1.0 : -0.25;
    b[at + 2] = 0.0;
  }
  int64_t at = 0;
  for (int i = 0; i < N; i++) {
    row[i] = at;
    for (int j = 0; j < N; j++) {
      if (A[i * N + j] != 0.0) {
        column[at] = j;
        value[at++] = A[i * N + j];
      }
    }
  }
  row[N] = at;
  S.n = N;
  S.row = row;
  S.column = column;
  S.value = value;
  x[0] = 4711.0;
  nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &S, b, NULL, NULL, x, NULL);
  if (status < 0) {
    return x[0] == 4711.0 ? status : WRONG_ANSWER;
  }
  (void)nsdyn_lcp_residual_sparse(&S, b, NULL, NULL, x, &residual, NULL);
  if (status != NSDYN_OK || !(residual <= 1e-9)) {
    return WRONG_ANSWER;
  }
  x[0] = 4711.0;
  status = nsdyn_lcp_solve(lcp, N, A, N, b, x, NULL);
  if (status < 0) {
    return x[0] == 4711.0 ? status : WRONG_ANSWER;
  }
  (void)nsdyn_lcp_residual_sparse(&S, b, NULL, NULL, x, &residual, NULL);
  return status == NSDYN_OK && residual <= 1e-9 ? NSDYN_OK : WRONG_ANSWER;
}

/* Meshes that grow, by rows and in bands; a problem that goes to the dense methods; a string; friction. */
static nsdyn_status use_sparse(void *object, int stage)
{
  static const int sides[] = {3, 6, SPARSE_SIDE};
  static mesh m;
  if (stage == 5) {
    return solve_friction(object);
  }
  if (stage == 4) {
    return solve_string(object);
  }
  if (stage == 3) {
    const int64_t row[3] = {0, 2, 4};
    const int32_t column[4] = {0, 1, 0, 1};
    const double value[4] = {0.0, 1.0, 1.0, 0.0},
                 b[2] = {-1.0, -1.0}; /* x = (1, 1), no pivot on the diagonal */
    double x[2] = {4711.0, 4711.0}, residual = INFINITY;
    make_mesh(&m, 3, 0);
    m.A.n = 2;
    m.A.row = row;
    m.A.column = column;
    m.A.value = value;
    const nsdyn_status status = nsdyn_lcp_solve_sparse(object, &m.A, b, NULL, NULL, x, NULL);
    if (status < 0) {
      return x[0] == 4711.0 ? status : WRONG_ANSWER;
    }
    (void)nsdyn_lcp_residual_sparse(&m.A, b, NULL, NULL, x, &residual, NULL);
    return residual <= 1e-9 ? NSDYN_OK : WRONG_ANSWER;
  }
  for (int is_band = 0; is_band < 2; is_band++) {
    double residual = INFINITY;
    make_mesh(&m, sides[stage], is_band);
    const nsdyn_status status = nsdyn_lcp_solve_sparse(object, &m.A, m.b, NULL, NULL, m.x, NULL);
    if (status < 0) {
      return m.x[0] == 4711.0 ? status : WRONG_ANSWER;
    }
    (void)nsdyn_lcp_residual_sparse(&m.A, m.b, NULL, NULL, m.x, &residual, NULL);
    if (status != NSDYN_OK || !(residual <= 1e-9)) {
      return WRONG_ANSWER;
    }
  }
  return NSDYN_OK;
}

const scenario lcp_sparse = {
    .name = "sparse problems",
    .calls = "nsdyn_lcp_new nsdyn_lcp_solve nsdyn_lcp_solve_sparse nsdyn_lcp_residual_sparse",
    .stages = 6,
    .make = make,
    .use = use_sparse,
    .drop = drop};
