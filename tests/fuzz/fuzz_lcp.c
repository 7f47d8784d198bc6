/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any text read as a linear complementarity problem, any numbers as one, solved by every method: what is
 * called solved must pass the certificate, what is refused must say why, and nothing holds a NaN. */
#include <math.h>

#include "nsdyn/lcp.h"
#include "target.h"

enum {
  MOST = 8,    /* unknowns of a problem that is solved: enumeration is exponential */
  PIVOTS = 120 /* per method: the time of one input stays small */
};

typedef struct problem {
  int n;
  int mixed;
  double A[MOST * MOST];
  double b[MOST];
  double lo[MOST];
  double hi[MOST];
} problem;

static double residual_of(const problem *p, const double *x)
{
  double residual = -1.0;
  REQUIRE(nsdyn_lcp_residual(p->n, p->A, MOST, p->b, p->mixed ? p->lo : NULL, p->mixed ? p->hi : NULL, x,
                             &residual, NULL) == NSDYN_OK);
  return residual;
}

/* y as the header describes it: A x + b, zero strictly between the bounds. */
static void check_y(const problem *p, const double *x, const double *y)
{
  for (int i = 0; i < p->n; i++) {
    const double lo = p->mixed ? p->lo[i] : 0.0;
    const double hi = p->mixed ? p->hi[i] : INFINITY;
    REQUIRE(isfinite(x[i]) && x[i] >= lo && x[i] <= hi);
    REQUIRE(isfinite(y[i]));
    REQUIRE(y[i] == 0.0 || x[i] == lo || x[i] == hi);
  }
}

/* Farkas, as far as rounding lets one see it: what the library proves exactly cannot be grossly wrong. */
static void check_proof(const problem *p, const double *v, int n)
{
  double total = 0.0;
  double size = 0.0;
  REQUIRE(n == p->n);
  for (int i = 0; i < n; i++) {
    REQUIRE(isfinite(v[i]));
    total += p->b[i] * v[i];
    size += fabs(p->b[i] * v[i]);
  }
  for (int j = 0; j < n && !p->mixed; j++) {
    double sum = 0.0;
    double terms = 0.0;
    REQUIRE(v[j] >= 0.0);
    for (int i = 0; i < n; i++) {
      sum += p->A[i * MOST + j] * v[i];
      terms += fabs(p->A[i * MOST + j] * v[i]);
    }
    REQUIRE(sum <= 1e-14 * terms);
  }
  REQUIRE(p->mixed || total <= 1e-14 * size);
}

static void check_outcome(nsdyn_lcp *lcp, const problem *p, nsdyn_status status, const double *x,
                          const double *y, double tol)
{
  nsdyn_lcp_solve_report found;
  int n;
  REQUIRE(nsdyn_lcp_solve_report_init(&found, sizeof found) == NSDYN_OK);
  REQUIRE(nsdyn_lcp_report(lcp, &found) == NSDYN_OK && found.status == status);
  REQUIRE((status == NSDYN_OK) == (nsdyn_lcp_message(lcp)[0] == '\0'));
  if (status == NSDYN_OK) {
    REQUIRE(residual_of(p, x) <= tol && found.residual == residual_of(p, x));
    check_y(p, x, y);
    REQUIRE(p->n == 0 || (nsdyn_lcp_basis(lcp, &n) && n == p->n));
  } else if (status > 0) {
    for (int i = 0; i < p->n; i++) {
      REQUIRE(isfinite(x[i]));
    }
    REQUIRE(status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED || status == NSDYN_MAX_ITERATIONS ||
            status == NSDYN_INACCURATE);
    REQUIRE((status == NSDYN_NO_SOLUTION) == (found.proof != NSDYN_LCP_PROOF_NONE));
    if (found.proof == NSDYN_LCP_PROOF_FARKAS) {
      const double *v = nsdyn_lcp_ray(lcp, &n);
      REQUIRE(v);
      check_proof(p, v, n);
    }
  } else {
    REQUIRE(status == NSDYN_ERR_UNSUPPORTED || status == NSDYN_ERR_NOT_FINITE);
    for (int i = 0; i < p->n; i++) {
      REQUIRE(x[i] == 123.5); /* untouched */
    }
  }
}

static void solve_by(nsdyn_lcp *lcp, const problem *p, int32_t method)
{
  nsdyn_lcp_options options;
  double x[MOST];
  double y[MOST];
  for (int i = 0; i < MOST; i++) {
    x[i] = y[i] = 123.5;
  }
  REQUIRE(nsdyn_lcp_options_init(&options, sizeof options) == NSDYN_OK);
  options.method = method;
  options.max_iterations = options.max_nodes = PIVOTS;
  REQUIRE(nsdyn_lcp_set_options(lcp, &options) == NSDYN_OK);
  const nsdyn_status status = nsdyn_lcp_solve_mixed(lcp, p->n, p->A, MOST, p->b, p->mixed ? p->lo : NULL,
                                                    p->mixed ? p->hi : NULL, x, y);
  check_outcome(lcp, p, status, x, y, options.tol);
}

/* What is written reads back as the same problem. */
static void write_and_read(nsdyn_lcp *lcp, const problem *p)
{
  const double *lo = p->mixed ? p->lo : NULL;
  const double *hi = p->mixed ? p->hi : NULL;
  const size_t size = nsdyn_lcp_write_text(p->n, p->A, MOST, p->b, lo, hi, NULL, 0);
  REQUIRE(size > 0);
  char *text = malloc(size);
  REQUIRE(text && nsdyn_lcp_write_text(p->n, p->A, MOST, p->b, lo, hi, text, size) == size);
  problem q = {.n = p->n, .mixed = p->mixed};
  REQUIRE(nsdyn_lcp_read_text(lcp, text, size - 1, &q.n, q.A, MOST, q.b, q.lo, q.hi) == NSDYN_OK);
  const size_t row = (size_t)p->n * sizeof(double);
  for (int i = 0; i < p->n; i++) {
    REQUIRE(memcmp(q.A + i * MOST, p->A + i * MOST, row) == 0);
  }
  REQUIRE(memcmp(q.b, p->b, row) == 0);
  REQUIRE(!p->mixed || (memcmp(q.lo, p->lo, row) == 0 && memcmp(q.hi, p->hi, row) == 0));
  free(text);
}

/* The same problem without its zeros, then with its rows as the bytes have left them: whatever stands there
 * is solved, or refused by a message. */
static void solve_sparse(nsdyn_lcp *lcp, const problem *p, reader *from)
{
  int64_t row[MOST + 1] = {0};
  int32_t column[MOST * MOST];
  double value[MOST * MOST], x[MOST], y[MOST], residual;
  const double *lo = p->mixed ? p->lo : NULL, *hi = p->mixed ? p->hi : NULL;
  nsdyn_sparse_matrix A;
  REQUIRE(nsdyn_sparse_matrix_init(&A, sizeof A) == NSDYN_OK);
  A.n = p->n;
  for (int i = 0; i < p->n; i++) {
    row[i + 1] = row[i];
    for (int j = 0; j < p->n; j++) {
      if (p->A[i * MOST + j] != 0.0) {
        column[row[i + 1]] = j;
        value[row[i + 1]++] = p->A[i * MOST + j];
      }
    }
  }
  A.row = row;
  A.column = column;
  A.value = value;
  for (int damage = 0; damage < 2; damage++) {
    const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, p->b, lo, hi, x, y);
    REQUIRE((status == NSDYN_OK) == (nsdyn_lcp_message(lcp)[0] == '\0'));
    if (status == NSDYN_OK && damage == 0) {
      REQUIRE(residual_of(p, x) <= 1e-9);
      check_y(p, x, y);
      REQUIRE(nsdyn_lcp_residual_sparse(&A, p->b, lo, hi, x, &residual, NULL) == NSDYN_OK);
    }
    /* Within the arrays, any rows and columns. */
    for (int i = 1; i < p->n; i++) {
      row[i] += read_below(from, 3) - 1;
    }
    for (int64_t k = 0; k < row[p->n]; k++) {
      column[k] += read_below(from, 8) == 0;
    }
  }
}

static void solve_all(nsdyn_lcp *lcp, const problem *p, reader *from)
{
  nsdyn_lcp_classes classes;
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    solve_by(lcp, p, method);
  }
  nsdyn_lcp_options options;
  REQUIRE(nsdyn_lcp_options_init(&options, sizeof options) == NSDYN_OK);
  options.max_iterations = options.max_nodes = PIVOTS;
  REQUIRE(nsdyn_lcp_set_options(lcp, &options) == NSDYN_OK);
  solve_sparse(lcp, p, from);
  REQUIRE(nsdyn_lcp_classes_init(&classes, sizeof classes) == NSDYN_OK);
  REQUIRE(nsdyn_lcp_classify(lcp, p->n, p->A, MOST, &classes) == NSDYN_OK);
  REQUIRE(classes.positive_semidefinite || !classes.positive_definite);
  write_and_read(lcp, p);
}

/* The bytes as a text, from a copy of just that length. */
static void read_text(nsdyn_lcp *lcp, const uint8_t *data, size_t size)
{
  problem p = {0};
  char *text = malloc(size ? size : 1);
  REQUIRE(text);
  if (size) {
    memcpy(text, data, size);
  }
  nsdyn_status status = nsdyn_lcp_read_text(lcp, text, size, &p.n, NULL, 0, NULL, NULL, NULL);
  if (status == NSDYN_OK) {
    REQUIRE(p.n >= 0 && (size_t)p.n * (size_t)p.n <= size);
    status =
        p.n > MOST ? NSDYN_CANCELLED : nsdyn_lcp_read_text(lcp, text, size, &p.n, p.A, MOST, p.b, p.lo, p.hi);
  }
  free(text);
  if (status < 0) {
    nsdyn_detail detail;
    REQUIRE(nsdyn_detail_init(&detail, sizeof detail) == NSDYN_OK);
    REQUIRE(status == NSDYN_ERR_SYNTAX || status == NSDYN_ERR_TOO_LARGE);
    REQUIRE(nsdyn_lcp_detail(lcp, &detail) == NSDYN_OK);
    REQUIRE(detail.kind == NSDYN_DETAIL_LINE && detail.index >= 1);
    REQUIRE(strncmp(nsdyn_lcp_message(lcp), "line ", 5) == 0);
  } else if (status == NSDYN_OK) {
    p.mixed = 1;
    reader none = {data, size};
    solve_all(lcp, &p, &none);
  }
}

/* A number that may stand in A or b: any double, or a small integer, which makes ties and zeros. */
static double take_element(reader *from, int whole)
{
  if (whole) {
    return read_below(from, 7) - 3;
  }
  const double value = read_double(from);
  return isfinite(value) ? value : 1.0;
}

/* The bytes as numbers: kinds of problem by the first byte. */
static void take_problem(reader *from, problem *p)
{
  const int whole = read_below(from, 2);
  const int symmetric = read_below(from, 2);
  p->n = 1 + read_below(from, MOST);
  p->mixed = read_below(from, 4) == 0;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      p->A[i * MOST + j] = symmetric && j < i ? p->A[j * MOST + i] : take_element(from, whole);
    }
    p->b[i] = take_element(from, whole);
  }
  for (int i = 0; i < p->n; i++) {
    const int kind = read_below(from, 5);
    const double one = take_element(from, 1);
    const double two = take_element(from, 1);
    p->lo[i] = kind == 1 || kind == 2 ? -INFINITY : fmin(one, two);
    p->hi[i] = kind == 0 || kind == 2 ? INFINITY : fmax(one, two);
  }
}

/* The problem as text, with a few bytes changed: nearly a problem, or another one. */
static void read_damaged(nsdyn_lcp *lcp, reader *from, const problem *p)
{
  const size_t size = nsdyn_lcp_write_text(p->n, p->A, MOST, p->b, p->lo, p->hi, NULL, 0);
  char *text = malloc(size);
  REQUIRE(text && nsdyn_lcp_write_text(p->n, p->A, MOST, p->b, p->lo, p->hi, text, size) == size);
  size_t length = size - 1;
  for (int k = read_below(from, 4); k > 0; k--) {
    uint8_t place[2];
    read_bytes(from, place, sizeof place);
    read_bytes(from, text + (256u * place[0] + place[1]) % length, 1);
  }
  length -= read_below(from, 4) ? 0 : (size_t)read_below(from, 16) % length;
  read_text(lcp, (const uint8_t *)text, length);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  nsdyn_lcp *lcp;
  REQUIRE(nsdyn_lcp_new(NULL, NULL, &lcp, NULL) == NSDYN_OK);
  read_text(lcp, data, size);
  problem p = {0};
  reader from = {data, size};
  take_problem(&from, &p);
  solve_all(lcp, &p, &from);
  read_damaged(lcp, &from, &p);
  nsdyn_lcp_free(lcp);
  return 0;
}
