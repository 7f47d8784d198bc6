/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Any numbers as an LCP or a contact problem of which all solutions are listed. Every vertex must pass the
 * certificate, the counts must be those of the pieces handed out, and what is called complete must be the
 * same when the unknowns come in another order and in other units, since it claims to be exact. */
#include "contact_task.h"
#include "nsdyn/lcp.h"

enum { MOST = 5, NODES = 4000, UNIT = 7 };

/* What a list says. */
typedef struct listed {
  nsdyn_status status;
  int64_t points, bounded, unbounded;
  int complete;
} listed;

static void compare(const listed *a, const listed *b)
{
  if (a->complete && b->complete) {
    REQUIRE(a->status == b->status && a->points == b->points && a->bounded == b->bounded &&
            a->unbounded == b->unbounded);
  }
}

static void check_list(const listed *found, int64_t points, int64_t bounded, int64_t unbounded)
{
  REQUIRE(found->status != NSDYN_OK || found->points + found->bounded + found->unbounded > 0);
  REQUIRE(found->status != NSDYN_NO_SOLUTION ||
          (found->complete && found->points + found->bounded + found->unbounded == 0));
  REQUIRE(found->points == points && found->bounded == bounded && found->unbounded == unbounded);
}

/* Row v of a list; of no unknowns there is none, and no address to add to. */
static const double *row_of(const double *list, int v, int n)
{
  return n > 0 ? list + (size_t)v * (size_t)n : list;
}

/* ---- LCPs -------------------------------------------------------------------------------------------- */

typedef struct lcp_task {
  int n;
  double A[MOST * MOST], b[MOST];
  int64_t points, bounded, unbounded; /* handed out */
  double tol;
} lcp_task;

static int see_lcp_piece(void *user, const nsdyn_lcp_piece *piece)
{
  lcp_task *p = user;
  *(piece->dimension == 0 ? &p->points : piece->rays ? &p->unbounded : &p->bounded) += 1;
  for (int v = 0; v < piece->vertices; v++) {
    double residual = INFINITY;
    REQUIRE(nsdyn_lcp_residual(p->n, p->A, MOST, p->b, NULL, NULL, row_of(piece->vertex, v, p->n), &residual,
                               NULL) == NSDYN_OK);
    REQUIRE(residual <= p->tol);
  }
  for (int64_t i = 0; i < (int64_t)piece->rays * p->n; i++) {
    REQUIRE(piece->ray[i] >= 0.0 && piece->ray[i] <= 1.0);
  }
  return 0;
}

static listed list_lcp(nsdyn_lcp *lcp, lcp_task *p)
{
  nsdyn_lcp_census census;
  REQUIRE(nsdyn_lcp_census_init(&census, sizeof census) == NSDYN_OK);
  p->points = p->bounded = p->unbounded = 0;
  const nsdyn_status status = nsdyn_lcp_enumerate(lcp, p->n, p->A, MOST, p->b, see_lcp_piece, p, &census);
  REQUIRE((status == NSDYN_OK) == (nsdyn_lcp_message(lcp)[0] == '\0'));
  listed found = {.status = status};
  if (status >= 0) {
    found = (listed){status, census.points, census.bounded_pieces, census.unbounded_pieces, census.complete};
    check_list(&found, p->points, p->bounded, p->unbounded);
  }
  return found;
}

/* y_k = A x + b with the unknowns from the last to the first, x in other units than y. */
static lcp_task turned_lcp(const lcp_task *p)
{
  lcp_task q = *p;
  for (int i = 0; i < p->n; i++) {
    for (int j = 0; j < p->n; j++) {
      q.A[i * MOST + j] = ldexp(p->A[(p->n - 1 - i) * MOST + p->n - 1 - j], UNIT * (i - j));
    }
    q.b[i] = ldexp(p->b[p->n - 1 - i], UNIT * i);
  }
  return q;
}

static void list_lcps(reader *from)
{
  lcp_task p = {.n = read_below(from, MOST + 1)};
  const int kind = read_below(from, 3);
  for (int i = 0; i < p.n; i++) {
    for (int j = 0; j < p.n; j++) {
      p.A[i * MOST + j] = read_number(from, kind);
    }
    p.b[i] = read_number(from, kind);
  }
  nsdyn_lcp_options options;
  nsdyn_lcp *lcp;
  REQUIRE(nsdyn_lcp_options_init(&options, sizeof options) == NSDYN_OK);
  options.max_nodes = NODES;
  p.tol = options.tol;
  REQUIRE(nsdyn_lcp_new(NULL, &options, &lcp, NULL) == NSDYN_OK);
  const listed first = list_lcp(lcp, &p);
  if (kind == 0 && first.status >= 0) { /* nothing under- or overflows */
    lcp_task turned = turned_lcp(&p);
    const listed second = list_lcp(lcp, &turned);
    compare(&first, &second);
  }
  /* A proof that there is no solution, of whatever kind, and a complete list exclude each other. */
  double x[MOST];
  if (first.complete && first.status == NSDYN_OK) {
    REQUIRE(nsdyn_lcp_solve(lcp, p.n, p.A, MOST, p.b, x, NULL) != NSDYN_NO_SOLUTION);
  }
  nsdyn_lcp_free(lcp);
}

/* ---- contact problems -------------------------------------------------------------------------------- */

typedef struct contact_list {
  const task *t;
  int64_t points, bounded, unbounded;
  int is_wild; /* numbers of all sizes at once */
  double tol;
} contact_list;

/* Tangential rows before contact i. */
static int slip_before(const task *t, int i)
{
  int count = 0;
  for (int k = 0; k < i; k++) {
    count += t->laws[k].friction != NSDYN_FRICTION_NONE;
  }
  return count;
}

/* By how much Λ misses the laws, over the largest sum |c_i| + Σ |G_ij Λ_j| of a row. */
static double residual_by_terms(const task *t, const double *Lambda)
{
  double xi[ROWS], size = 0.0, worst = 0.0;
  for (int i = 0; i < t->rows; i++) {
    double terms = fabs(t->c[i]);
    xi[i] = t->c[i];
    for (int j = 0; j < t->rows; j++) {
      const double term = t->G[i * ROWS + j] * Lambda[j];
      xi[i] += term;
      terms += fabs(term);
    }
    size = fmax(size, terms);
  }
  int row = 0;
  for (int i = 0; i < t->problem.contacts; i++) {
    const nsdyn_contact_law *law = &t->laws[i];
    const int is_slot = law->kind == NSDYN_CONTACT_BILATERAL;
    const double G = t->G[row * ROWS + row];
    worst = fmax(worst, is_slot ? fabs(xi[row]) : fabs(fmin(xi[row], G * Lambda[row])));
    row++;
    if (law->friction == NSDYN_FRICTION_NONE) {
      continue;
    }
    /* Friction is within its limit, and at it where the contact slides. */
    const double T = t->G[row * ROWS + row];
    const double limit = T * (law->friction == NSDYN_FRICTION_BOUND ? law->bound * t->problem.dt
                                                                    : law->mu * fabs(Lambda[row - 1]));
    const double drag = T * Lambda[row], wish = drag - xi[row];
    const double nearest = wish > limit ? limit : wish < -limit ? -limit : wish;
    const double slip = t->slip[slip_before(t, i)];
    worst = fmax(worst, slip != 0.0 ? fabs(drag + slip * limit) : fabs(drag - nearest));
    row++;
  }
  for (; row < t->rows; row++) {
    worst = fmax(worst, fabs(xi[row]));
  }
  return size > 0.0 ? worst / size : worst;
}

static int see_contact_piece(void *user, const nsdyn_contact_piece *piece)
{
  contact_list *l = user;
  *(piece->dimension == 0 ? &l->points : piece->rays ? &l->unbounded : &l->bounded) += 1;
  REQUIRE(piece->rows == l->t->rows && piece->contacts == l->t->problem.contacts);
  for (int v = 0; v < piece->vertices; v++) {
    double residual = INFINITY, scale = 0.0;
    REQUIRE(nsdyn_contact_residual(&l->t->problem, row_of(piece->Lambda, v, piece->rows), &residual, &scale,
                                   NULL) == NSDYN_OK);
    /* Far out c drowns in G Λ, so that the certificate says nothing of a solution that is exact: then the
     * terms themselves are the measure. Of numbers of all sizes at once neither is one. */
    REQUIRE(l->is_wild || residual <= l->tol * scale ||
            residual_by_terms(l->t, row_of(piece->Lambda, v, piece->rows)) <= l->tol);
    for (int i = 0; i < piece->rows; i++) {
      REQUIRE(isfinite(piece->Lambda[(size_t)v * (size_t)piece->rows + (size_t)i]));
    }
  }
  for (int64_t i = 0; i < (int64_t)piece->rays * piece->rows; i++) {
    REQUIRE(fabs(piece->ray[i]) <= 1.0);
  }
  return 0;
}

static listed list_contacts(nsdyn_contact *s, const task *t, int is_wild, double tol)
{
  contact_list l = {.t = t, .is_wild = is_wild, .tol = tol};
  nsdyn_contact_census census;
  REQUIRE(nsdyn_contact_census_init(&census, sizeof census) == NSDYN_OK);
  const nsdyn_status status = nsdyn_contact_enumerate(s, &t->problem, see_contact_piece, &l, &census);
  REQUIRE((status == NSDYN_OK) == (nsdyn_contact_message(s)[0] == '\0'));
  listed found = {.status = status};
  if (status >= 0) {
    found = (listed){status, census.points, census.bounded_pieces, census.unbounded_pieces, census.complete};
    check_list(&found, l.points, l.bounded, l.unbounded);
  }
  return found;
}

/* The contacts from the last to the first, and other units of ξ and Λ for all. */
static void turn_contacts(const task *t, task *turned)
{
  *turned = *t;
  turned->problem.laws = turned->laws;
  turned->problem.G = turned->G;
  turned->problem.c = turned->c;
  turned->problem.slip = turned->slip;
  int from[ROWS], slip_of[CONTACTS], rows = 0, first[CONTACTS], slips[CONTACTS], tangential = 0;
  for (int i = 0; i < t->problem.contacts; i++) {
    first[i] = rows;
    slips[i] = tangential;
    rows += t->laws[i].friction == NSDYN_FRICTION_NONE ? 1 : 2;
    tangential += t->laws[i].friction != NSDYN_FRICTION_NONE;
  }
  int at = 0, slip_at = 0;
  for (int i = t->problem.contacts - 1; i >= 0; i--) {
    const int has_tangent = t->laws[i].friction != NSDYN_FRICTION_NONE;
    turned->laws[t->problem.contacts - 1 - i] = t->laws[i];
    turned->laws[t->problem.contacts - 1 - i].bound = ldexp(t->laws[i].bound, -UNIT); /* an impulse */
    for (int k = 0; k <= has_tangent; k++) {
      from[at++] = first[i] + k;
    }
    if (has_tangent) {
      slip_of[slip_at++] = slips[i];
    }
  }
  for (; at < t->rows; at++) {
    from[at] = at;
  }
  for (int k = 0; k < slip_at; k++) {
    turned->slip[k] = t->slip[slip_of[k]];
  }
  for (int i = 0; i < t->rows; i++) {
    for (int j = 0; j < t->rows; j++) {
      turned->G[i * ROWS + j] = ldexp(t->G[from[i] * ROWS + from[j]], UNIT);
    }
    turned->c[i] = t->c[from[i]];
  }
}

static void list_contact_problems(reader *from)
{
  static task t, turned; /* problems point into them */
  const int kind = from->left ? from->at[0] % 3 : 0;
  memset(&t, 0, sizeof t);
  read_task(from, &t);
  nsdyn_contact_options options;
  nsdyn_contact *s;
  REQUIRE(nsdyn_contact_options_init(&options, sizeof options) == NSDYN_OK);
  options.max_nodes = NODES;
  REQUIRE(nsdyn_contact_new(NULL, &options, &s, NULL) == NSDYN_OK);
  const listed first = list_contacts(s, &t, kind != 0, options.tol);
  if (kind == 0 && first.status >= 0) {
    turn_contacts(&t, &turned);
    const listed second = list_contacts(s, &turned, 0, options.tol);
    compare(&first, &second);
  }
  double Lambda[ROWS];
  if (first.complete && first.status == NSDYN_OK) {
    REQUIRE(nsdyn_contact_solve(s, &t.problem, Lambda, NULL) != NSDYN_NO_SOLUTION);
  }
  nsdyn_contact_free(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  if (read_below(&from, 2)) {
    list_lcps(&from);
  } else {
    list_contact_problems(&from);
  }
  return 0;
}
