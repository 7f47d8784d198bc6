/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/solve/newton.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/sparse/cuthill_mckee.h"
#include "base/tolerances.h"
#include "contact/space/friction.h"
#include "contact/space/operator.h"

#define THIN 0.1    /* of rows³: what factors within the envelope may cost, else pivots are worth it */
#define ARMIJO 1e-4 /* share of the fall that the slope promises */

enum {
  ROWS = NSD_CELL_ROWS,
  PIVOTED_ROWS = 600, /* beyond, an LU of all rows takes too long */
  MEMORY = 4,         /* merits that a step is compared with */
  HALVINGS = 12,      /* of a step; where more are needed, others do better */
  PATIENCE = 12       /* steps without a better point */
};

void nsd_space_newton_lay_out(nsd_arena *arena, nsd_space_newton *w, int cells, int rows, int columns)
{
  const size_t n = (size_t)rows, m = (size_t)cells;
  double **const vectors[] = {&w->Lambda, &w->best, &w->xi, &w->F, &w->step, &w->trial, &w->center, &w->left};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = nsd_arena_take(arena, n, sizeof(double));
  }
  w->G = nsd_arena_take(arena, n * n, sizeof *w->G);
  w->J = nsd_arena_take(arena, n * n, sizeof *w->J);
  w->r = nsd_arena_take(arena, m, sizeof *w->r);
  w->A = nsd_arena_take(arena, ROWS * ROWS * m, sizeof *w->A);
  w->B = nsd_arena_take(arena, ROWS * ROWS * m, sizeof *w->B);
  w->unit = nsd_arena_take(arena, (size_t)columns, sizeof *w->unit);
  w->perm = nsd_arena_take(arena, n, sizeof *w->perm);
  w->touches = nsd_arena_take(arena, m * m, sizeof *w->touches);
  w->order = nsd_arena_take(arena, m, sizeof *w->order);
  w->degree = nsd_arena_take(arena, m, sizeof *w->degree);
  w->place = nsd_arena_take(arena, n, sizeof *w->place);
  nsd_envelope_lay_out(arena, &w->envelope, rows);
}

/* Which cells an impulse in a cell moves. Returns 0 if told to stop. */
static int find_neighbours(nsd_space_newton *w, nsd_poll *poll)
{
  const nsd_operator *G = w->op;
  const size_t cells = (size_t)G->cells, rows = (size_t)w->d->rows;
  for (size_t a = 0; a < cells; a++) {
    w->degree[a] = 0;
    for (size_t b = 0; b < cells; b++) {
      int touches = a == b;
      for (int i = G->row[a]; i < G->row[a + 1]; i++) {
        for (int j = G->row[b]; j < G->row[b + 1]; j++) {
          touches |= w->G[(size_t)i * rows + (size_t)j] != 0.0;
          touches |= w->G[(size_t)j * rows + (size_t)i] != 0.0;
        }
      }
      w->touches[a * cells + b] = (unsigned char)touches;
      w->degree[a] += touches;
    }
    /* Rows as they lie in memory, and columns. */
    if (nsd_poll_stops(poll, (NSD_POLL_READ + NSD_POLL_FETCH) * (double)rows)) {
      return 0;
    }
  }
  return 1;
}

static int next_neighbour(const void *user, int cell, size_t *at)
{
  const nsd_space_newton *w = user;
  const size_t cells = (size_t)w->op->cells;
  const unsigned char *touches = w->touches + (size_t)cell * cells;
  while (*at < cells && !touches[*at]) {
    ++*at;
  }
  return *at < cells ? (int)(*at)++ : -1;
}

static size_t count_neighbours(const void *user, int cell)
{
  const nsd_space_newton *w = user;
  return (size_t)w->degree[cell];
}

/* Places of the rows of J, and its envelope. */
static nsdyn_status order_rows(nsd_space_newton *w, nsd_poll *poll)
{
  const nsd_operator *G = w->op;
  const int cells = G->cells;
  if (!find_neighbours(w, poll)) {
    return NSDYN_CANCELLED;
  }
  const nsd_graph graph = {.nodes = cells, .user = w, .next = next_neighbour, .degree = count_neighbours};
  nsd_cuthill_mckee(&graph, w->order, w->place); /* place is not in use yet: it holds the ranks */
  for (int i = 0, at = 0; i < cells; i++) {
    for (int row = G->row[w->order[i]]; row < G->row[w->order[i] + 1]; row++) {
      w->place[row] = at++;
    }
  }
  /* Rows and columns reach as far as their cells touch. */
  nsd_envelope_begin(&w->envelope, w->d->rows);
  for (int a = 0; a < cells; a++) {
    for (int b = 0; b < cells; b++) {
      const int first = w->place[G->row[b]];
      for (int i = 0; w->touches[(size_t)a * (size_t)cells + (size_t)b] && i < nsd_operator_rows_of(G, a);
           i++) {
        nsd_envelope_reach(&w->envelope, w->place[G->row[a]] + i, first);
        nsd_envelope_reach(&w->envelope, w->place[G->row[a]] + i, first + nsd_operator_rows_of(G, b) - 1);
      }
    }
  }
  const double n = w->d->rows;
  w->is_thin = nsd_envelope_cost(&w->envelope) < THIN * (n * n * n);
  return NSDYN_OK;
}

nsdyn_status nsd_space_newton_begin(nsd_space_newton *w, const nsd_contact_data *d, const nsd_operator *G,
                                    nsd_poll *poll)
{
  w->d = d;
  w->op = G;
  for (int cell = 0; cell < G->cells; cell++) {
    const int rows = nsd_operator_rows_of(G, cell);
    const double *own = G->own + (size_t)cell * 9;
    const double trace = own[0] + own[4] + own[8]; /* of rows that are not there 0 */
    w->r[cell] = trace > 0.0 ? trace / rows : 1.0;
  }
  const nsdyn_status status = nsd_operator_matrix(G, w->unit, w->G, poll);
  return status ? status : order_rows(w, poll);
}

/* F of one contact, and A = ∂F/∂Λ, B = ∂F/∂ξ (NULL: only F). */
static void evaluate_contact(const nsd_space_newton *w, const nsd_contact_spec *s, double r,
                             const double *Lambda, const double *xi, double *F, double *A, double *B)
{
  /* Normal: what max(0, r Λ_N − ξ_N) leaves. */
  const double wish_N = r * Lambda[0] - xi[0]; /* > 0: closed, and the equation is ξ_N = 0; else r Λ_N = 0 */
  const int is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
  const int is_closed = is_slot || wish_N > 0.0;
  F[0] = is_closed ? xi[0] : r * Lambda[0];
  if (A) {
    memset(A, 0, ROWS * ROWS * sizeof *A);
    memset(B, 0, ROWS * ROWS * sizeof *B);
    A[0] = is_closed ? 0.0 : r;
    B[0] = is_closed ? 1.0 : 0.0;
  }
  if (s->friction == NSD_FRICTION_NONE) {
    return;
  }
  /* The limit in velocities, r C, and what it depends on. */
  const int n = nsd_contact_rows_of(s) - 1;
  double limit = r * s->bound, limit_Lambda = 0.0, limit_xi = 0.0;
  if (s->friction != NSD_FRICTION_GIVEN) {
    const double mu = s->mu;
    if (is_slot) {
      limit = r * mu * fabs(Lambda[0]);
      limit_Lambda = Lambda[0] < 0.0 ? -r * mu : r * mu;
    } else if (w->map == NSD_SPACE_ALART_CURNIER) {
      limit = wish_N > 0.0 ? mu * wish_N : 0.0;
      limit_Lambda = wish_N > 0.0 ? r * mu : 0.0;
      limit_xi = wish_N > 0.0 ? -mu : 0.0;
    } else {
      limit = Lambda[0] > 0.0 ? r * mu * Lambda[0] : 0.0;
      limit_Lambda = Lambda[0] > 0.0 ? r * mu : 0.0;
    }
    /* In expansion the load is what was stored and Λ_N more, of a slot what was stored at least. */
    const double stored = s->friction == NSD_FRICTION_STORED ? r * mu * s->stored->L : 0.0;
    if (is_slot && stored > limit) {
      limit = stored;
      limit_Lambda = 0.0;
    } else if (!is_slot) {
      limit += stored;
    }
  }
  double wish[2], p[2], D[4] = {0.0, 0.0, 0.0, 0.0}, dp[2];
  for (int i = 0; i < n; i++) {
    wish[i] = r * Lambda[1 + i] - xi[1 + i];
  }
  if (s->sliding) {
    /* A known direction: Λ_T = −(the point of C farthest along it), proportional to the limit. */
    const double e[2] = {s->sliding, 0.0};
    s->space ? nsd_friction_drag(s, -1.0, dp) : nsd_friction_support(s, -1.0, e, dp);
    p[0] = limit * dp[0];
    p[1] = n == 2 ? limit * dp[1] : 0.0;
  } else {
    nsd_friction_project_scaled(s, r, limit, wish, p);
    if (A) {
      nsd_friction_derivative_scaled(s, r, limit, wish, D, dp);
    }
  }
  /* F_T = r Λ_T − p, p the projection of r Λ_T − ξ_T onto C; D = ∂p/∂wish, dp = ∂p/∂limit. */
  for (int i = 0; i < n; i++) {
    F[1 + i] = r * Lambda[1 + i] - p[i];
    if (!A) {
      continue;
    }
    for (int j = 0; j < n; j++) {
      A[ROWS * (1 + i) + 1 + j] = (i == j ? r : 0.0) - r * D[n * i + j];
      B[ROWS * (1 + i) + 1 + j] = D[n * i + j];
    }
    A[ROWS * (1 + i)] = -dp[i] * limit_Lambda;
    B[ROWS * (1 + i)] = -dp[i] * limit_xi;
  }
}

/* y := G x */
static void multiply(const nsd_space_newton *w, const double *x, double *y, nsd_poll *poll)
{
  nsd_operator_start(w->op, x, w->unit);
  for (int cell = 0; cell < w->op->cells; cell++) {
    nsd_operator_product(w->op, cell, w->unit, y + w->op->row[cell]);
  }
  (void)nsd_poll_stops(poll, 2.0 * (double)w->op->first[w->op->cells]);
}

/* ξ, F, and the merit ½ |F|²; with derivatives where A is wanted. */
static double evaluate(nsd_space_newton *w, const double *Lambda, int with_derivatives, nsd_poll *poll)
{
  const nsd_contact_data *d = w->d;
  multiply(w, Lambda, w->xi, poll);
  for (int i = 0; i < d->rows; i++) {
    w->xi[i] += d->c[i];
  }
  for (int cell = 0; cell < w->op->cells; cell++) {
    /* ξ + ε r (Λ − Λ₀): the damped problem. */
    const int row = w->op->row[cell];
    for (int i = row; w->damping > 0.0 && i < w->op->row[cell + 1]; i++) {
      w->xi[i] += w->damping * w->r[cell] * (Lambda[i] - w->center[i]);
    }
    double *A = with_derivatives ? w->A + (size_t)cell * ROWS * ROWS : NULL;
    double *B = with_derivatives ? w->B + (size_t)cell * ROWS * ROWS : NULL;
    if (cell < d->contacts) {
      evaluate_contact(w, &d->spec[cell], w->r[cell], Lambda + row, w->xi + row, w->F + row, A, B);
    } else { /* a bilateral row: ξ = 0 */
      w->F[row] = w->xi[row];
      if (A) {
        A[0] = 0.0;
        B[0] = 1.0;
      }
    }
  }
  const double norm = nsd_norm_2(d->rows, w->F);
  const double merit = 0.5 * norm * norm;
  return merit < (double)INFINITY ? merit : (double)INFINITY;
}

/* J = A + B (G + ε r), within its envelope. */
static void fill_envelope(nsd_space_newton *w)
{
  const nsd_operator *G = w->op;
  const nsd_envelope *e = &w->envelope;
  const size_t n = (size_t)w->d->rows, cells = (size_t)G->cells;
  for (int cell = 0; cell < G->cells; cell++) {
    const int rows = nsd_operator_rows_of(G, cell), row = G->row[cell];
    const double *A = w->A + (size_t)cell * ROWS * ROWS, *B = w->B + (size_t)cell * ROWS * ROWS;
    const unsigned char *touches = w->touches + (size_t)cell * cells;
    for (int i = 0; i < rows; i++) {
      const int own = w->place[row + i];
      e->size[own] = w->r[cell];
      for (int k = 0; k < rows; k++) {
        const double b = B[ROWS * i + k], *g = w->G + (size_t)(row + k) * n;
        *nsd_envelope_element(e, own, w->place[row + k]) += A[ROWS * i + k] + b * w->damping * w->r[cell];
        for (int other = 0; b != 0.0 && other < G->cells; other++) {
          for (int j = G->row[other]; touches[other] && j < G->row[other + 1]; j++) {
            *nsd_envelope_element(e, own, w->place[j]) += b * g[j];
          }
        }
      }
    }
  }
}

/* left := F + J step. Returns its largest size; NaN where a number is none. */
static double find_left(nsd_space_newton *w, nsd_poll *poll)
{
  const nsd_operator *G = w->op;
  multiply(w, w->step, w->left, poll);
  double most = 0.0;
  for (int cell = 0; cell < G->cells; cell++) {
    const int rows = nsd_operator_rows_of(G, cell), row = G->row[cell];
    const double *A = w->A + (size_t)cell * ROWS * ROWS, *B = w->B + (size_t)cell * ROWS * ROWS;
    double moved[ROWS]; /* (G + ε r) step */
    for (int k = 0; k < rows; k++) {
      moved[k] = w->left[row + k] + w->damping * w->r[cell] * w->step[row + k];
    }
    for (int i = 0; i < rows; i++) {
      double sum = w->F[row + i];
      for (int k = 0; k < rows; k++) {
        sum += A[ROWS * i + k] * w->step[row + k] + B[ROWS * i + k] * moved[k];
      }
      w->left[row + i] = sum;
      most = fabs(sum) <= most ? most : fabs(sum);
    }
  }
  return most;
}

/* J step = −F within the envelope, refined once. Returns whether that has solved it: pivots were not looked
 * for. */
static int find_thin_step(nsd_space_newton *w, nsd_poll *poll)
{
  const size_t n = (size_t)w->d->rows;
  double *x = w->trial; /* not in use now */
  if (nsd_envelope_clear(&w->envelope, poll)) {
    return 0;
  }
  fill_envelope(w);
  if (nsd_envelope_factor(&w->envelope, NSD_CONTACT_PIVOT, poll)) {
    return 0;
  }
  /* step := step − J⁻¹ left, left = F + J step, from step = 0 on. */
  memset(w->step, 0, n * sizeof *w->step);
  memcpy(w->left, w->F, n * sizeof *w->left);
  const double all = nsd_norm_inf(w->d->rows, w->F);
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < n; i++) {
      x[w->place[i]] = -w->left[i];
    }
    nsd_envelope_solve(&w->envelope, x);
    for (size_t i = 0; i < n; i++) {
      w->step[i] += x[w->place[i]];
    }
    if (find_left(w, poll) <= NSD_SPACE_STEP * all) {
      return 1;
    }
  }
  return 0;
}

/* The same with pivots. A J that is singular beside rounding gets a grain of r on its
 * diagonal: where contacts are redundant, one of many steps is as good as another. */
static int find_pivoted_step(nsd_space_newton *w, nsd_poll *poll)
{
  const nsd_contact_data *d = w->d;
  const size_t n = (size_t)d->rows;
  double grain = 0.0;
  while (grain < NSD_SPACE_MOST_GRAIN) {
    for (int cell = 0; cell < w->op->cells; cell++) {
      const size_t row = (size_t)w->op->row[cell];
      const int rows = nsd_operator_rows_of(w->op, cell);
      const double *A = w->A + (size_t)cell * ROWS * ROWS, *B = w->B + (size_t)cell * ROWS * ROWS;
      for (int i = 0; i < rows; i++) {
        double *to = w->J + (row + (size_t)i) * n;
        memset(to, 0, n * sizeof *to);
        for (int k = 0; k < rows; k++) {
          const double b = B[ROWS * i + k];
          const double *g = w->G + (row + (size_t)k) * n;
          for (size_t j = 0; b != 0.0 && j < n; j++) {
            to[j] += b * g[j];
          }
          to[row + (size_t)k] += A[ROWS * i + k] + b * w->damping * w->r[cell];
        }
        to[row + (size_t)i] += grain * w->r[cell];
      }
      if (nsd_poll_stops(poll, 3.0 * rows * (double)n)) {
        return 0;
      }
    }
    nsd_lu_info info;
    const nsdyn_status status = nsd_lu_factor_asking(d->rows, w->J, d->rows, w->perm, &info, poll);
    if (status == NSDYN_CANCELLED) {
      return 0;
    }
    if (status == NSDYN_OK && info.margin > 0x1p-50) {
      for (size_t i = 0; i < n; i++) {
        w->step[i] = -w->F[i];
      }
      nsd_lu_solve_asking(d->rows, w->J, d->rows, w->perm, w->step, poll);
      return nsd_all_finite(1, d->rows, w->step, d->rows);
    }
    grain = grain == 0.0 ? NSD_SPACE_GRAIN : 1e3 * grain;
  }
  return 0;
}

/* J step = −F, J = A + B (G + ε r). */
static int find_step(nsd_space_newton *w, nsd_poll *poll)
{
  return (w->is_thin && find_thin_step(w, poll)) ||
         (w->d->rows <= PIVOTED_ROWS && find_pivoted_step(w, poll));
}

/* Keeps the point where the largest |F| is least. */
static void keep(nsd_space_newton *w, const double *Lambda)
{
  const double largest = nsd_norm_inf(w->d->rows, w->F);
  if (largest < w->least) {
    w->least = largest;
    memcpy(w->best, Lambda, (size_t)w->d->rows * sizeof *w->best);
  }
}

nsdyn_status nsd_space_newton_solve(nsd_space_newton *w, nsd_space_map map, double damping, double small,
                                    double share, int most, double *Lambda, int *steps, nsd_poll *poll)
{
  const size_t bytes = (size_t)w->d->rows * sizeof *Lambda;
  /* 1. F, its derivatives and ½ |F|² at the start, which is the centre of the damping too. */
  w->damping = damping;
  memcpy(w->center, Lambda, bytes);
  w->map = map;
  w->least = INFINITY;
  memcpy(w->best, Lambda, bytes);
  memcpy(w->Lambda, Lambda, bytes);
  double merit = evaluate(w, w->Lambda, 1, poll);
  double past[MEMORY];
  for (int i = 0; i < MEMORY; i++) {
    past[i] = merit;
  }
  keep(w, w->Lambda);
  small = fmax(small, share * w->least);
  int since = 0;
  for (int k = 0; k < most && w->least > small && since < PATIENCE && merit < (double)INFINITY; k++) {
    /* 2. J step = −F. */
    if (!find_step(w, poll) || nsd_poll_stops(poll, 0.0)) {
      break;
    }
    ++*steps;
    /* 3. As far as the merit falls below the worst of the last: |F + t J step|² = (1 − t)² |F|². */
    double reference = merit;
    for (int i = 0; i < MEMORY; i++) {
      reference = fmax(reference, past[i]);
    }
    double t = 1.0, there = INFINITY;
    for (int h = 0; h < HALVINGS; h++) {
      for (int i = 0; i < w->d->rows; i++) {
        w->trial[i] = w->Lambda[i] + t * w->step[i];
      }
      there = evaluate(w, w->trial, 1, poll);
      if (there <= reference - ARMIJO * t * 2.0 * merit || nsd_poll_stops(poll, 0.0)) {
        break;
      }
      there = INFINITY;
      t *= 0.5;
    }
    if (!(there < (double)INFINITY)) {
      break;
    }
    /* 4. There, and the point of the least |F| is kept. */
    memcpy(w->Lambda, w->trial, bytes);
    merit = there;
    past[k % MEMORY] = merit;
    const double before = w->least;
    keep(w, w->Lambda);
    since = w->least < before ? 0 : since + 1;
  }
  memcpy(Lambda, w->best, bytes);
  return nsd_poll_stops(poll, 0.0) ? NSDYN_CANCELLED : w->least <= small ? NSDYN_OK : NSDYN_MAX_ITERATIONS;
}
