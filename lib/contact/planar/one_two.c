/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/one_two.h"

#include "base/tolerances.h"
#include "contact/planar/pattern.h"

enum { MOST_ROWS = NSD_ONE_TWO_ROWS, ROUNDS = 5 };

/* ---- one pattern ------------------------------------------------------------------------------------- */

typedef struct small_system {
  int contacts;                       /* one or two */
  int n;                              /* unknowns */
  double pivot;                       /* smallest of all, relative to its column */
  double a[MOST_ROWS][MOST_ROWS + 1]; /* the system, right-hand side last */
  int unknown[MOST_ROWS];             /* rows of G */
  double slope[MOST_ROWS];            /* f μ: friction that goes with an unknown Λ_N */
} small_system;

/* As in contact/planar/pattern.c: lists which Λ are unknown, and puts those that are given into Λ. */
static void list_unknowns(small_system *m, const nsd_contact_data *d, const int32_t *states, double *Lambda)
{
  int n = 0;
  /* Unknown: Λ_N where it is closed, Λ_T where it sticks. Slip: Λ_T = f (μ Λ_N + bound), of which μ Λ_N
   * goes with Λ_N (slope) and the bound is given. */
  for (int i = 0; i < m->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int32_t state = states[i];
    const double f = nsd_state_factor(state);
    Lambda[s->row] = 0.0;
    if (nsd_state_is_closed(state)) {
      m->unknown[n] = s->row;
      m->slope[n++] = f * s->mu;
    }
    if (s->friction != NSD_FRICTION_NONE) {
      Lambda[s->row + 1] = f * s->bound;
      if (nsd_state_sticks(state)) {
        m->unknown[n] = s->row + 1;
        m->slope[n++] = 0.0;
      }
    }
  }
  m->n = n;
}

static void fill_system(small_system *m, const nsd_contact_data *d, const double *Lambda)
{
  for (int p = 0; p < m->n; p++) {
    /* Row p: Σ_q (G_pq + slope_q G_p,q+1) x_q = −c_p − Σ_j G_pj Λ_j, with the given Λ. */
    const double *g = nsd_contact_row(d, m->unknown[p]);
    for (int q = 0; q < m->n; q++) {
      const int row = m->unknown[q];
      m->a[p][q] = m->slope[q] != 0.0 ? g[row] + m->slope[q] * g[row + 1] : g[row];
    }
    double right = -d->c[m->unknown[p]];
    for (int j = 0; j < d->rows; j++) {
      right -= Lambda[j] != 0.0 ? g[j] * Lambda[j] : 0.0;
    }
    m->a[p][m->n] = right;
  }
}

NSD_INLINE double largest_in_column(const small_system *m, int n, int column)
{
  double largest = 0.0;
  NSD_UNROLL(MOST_ROWS)
  for (int p = 0; p < n; p++) {
    largest = nsd_larger(fabs(m->a[p][column]), largest);
  }
  return largest;
}

NSD_INLINE void bring_pivot(small_system *m, int n, int k)
{
  int best = k;
  for (int p = k + 1; p < n; p++) {
    best = fabs(m->a[p][k]) > fabs(m->a[best][k]) ? p : best;
  }
  if (best != k) {
    NSD_UNROLL(MOST_ROWS + 1)
    for (int q = 0; q <= n; q++) {
      const double swapped = m->a[k][q];
      m->a[k][q] = m->a[best][q];
      m->a[best][q] = swapped;
    }
  }
}

/* No pivot is left for unknown k: it is redundant, and zero. Whether its equation holds the judge will see.
 */
NSD_INLINE void drop(small_system *m, int n, int k)
{
  m->pivot = 0.0;
  NSD_UNROLL(MOST_ROWS)
  for (int q = k + 1; q <= n; q++) {
    m->a[k][q] = 0.0;
  }
  m->a[k][k] = 1.0;
}

/* Gauss with row pivots, each loop of known length. */
NSD_INLINE void eliminate(small_system *m, int n)
{
  double size[MOST_ROWS];
  m->pivot = 1.0;
  /* The largest element of each column, of which a pivot must keep a share. */
  NSD_UNROLL(MOST_ROWS)
  for (int q = 0; q < n; q++) {
    size[q] = largest_in_column(m, n, q);
  }
  NSD_UNROLL(MOST_ROWS)
  for (int k = 0; k < n; k++) {
    bring_pivot(m, n, k);
    const double pivot = fabs(m->a[k][k]);
    if (!(pivot > NSD_CLOSED_FORM_SINGULAR * size[k])) {
      drop(m, n, k);
      continue;
    }
    /* The smallest share of all says how sure it is that the system is regular. */
    m->pivot = nsd_smaller(pivot / size[k], m->pivot);
    /* Row p := row p − (a_pk / a_kk) row k. */
    const double inverse = 1.0 / m->a[k][k];
    NSD_UNROLL(MOST_ROWS)
    for (int p = k + 1; p < n; p++) {
      const double f = m->a[p][k] * inverse;
      NSD_UNROLL(MOST_ROWS)
      for (int q = k + 1; q <= n; q++) {
        m->a[p][q] -= f * m->a[k][q];
      }
    }
  }
  /* U x = right from below. */
  NSD_UNROLL(MOST_ROWS)
  for (int k = n - 1; k >= 0; k--) {
    double x = m->a[k][n];
    NSD_UNROLL(MOST_ROWS)
    for (int q = k + 1; q < n; q++) {
      x -= m->a[k][q] * m->a[q][n];
    }
    m->a[k][n] = x / m->a[k][k];
  }
}

static void solve_system(small_system *m)
{
  switch (m->n) {
  case 0:
    m->pivot = 1.0;
    break;
  case 1:
    eliminate(m, 1);
    break;
  case 2:
    eliminate(m, 2);
    break;
  case 3:
    eliminate(m, 3);
    break;
  default:
    eliminate(m, 4);
    break;
  }
}

static void solve_pattern(small_system *m, const nsd_contact_data *d, const int32_t *states, double *Lambda)
{
  list_unknowns(m, d, states, Lambda);
  fill_system(m, d, Lambda);
  solve_system(m);
  /* x back into Λ: what slips drags its friction along. */
  for (int q = 0; q < m->n; q++) {
    const double x = m->a[q][m->n];
    Lambda[m->unknown[q]] = x;
    if (m->slope[q] != 0.0) {
      Lambda[m->unknown[q] + 1] = m->slope[q] * x;
    }
  }
}

/* ---- trying patterns --------------------------------------------------------------------------------- */

typedef struct search {
  const nsd_contact_data *d;
  int contacts; /* one or two */
  double tol;
  double polished;
  nsd_one_two_answer *answer; /* the best so far */
  unsigned seen[NSD_STATES];  /* patterns tried, a bit for each state of the second contact */
  int is_sure;                /* none of the patterns tried has a solution, beyond doubt */
} search;

/* Tries a pattern, and notes it where it is the best. `next` receives the pattern that Newton's method goes
 * to, the same where the system is singular. Returns whether Λ is a solution to rounding. */
static int try_pattern(search *s, const int32_t *states, int32_t *next)
{
  const nsd_contact_data *d = s->d;
  double Lambda[MOST_ROWS] = {0.0};
  double xi[MOST_ROWS];
  small_system m;
  /* Stage 1. Note the pattern, so that none is tried twice. */
  m.contacts = s->contacts;
  const int32_t second = s->contacts > 1 ? states[1] : 0;
  s->seen[states[0]] |= 1u << (unsigned)second;
  s->answer->tries++;
  /* Stage 2. Λ of the pattern, its ξ and its certificate. */
  solve_pattern(&m, d, states, Lambda);
  nsd_contact_verdict verdict = nsd_contact_judge(d, Lambda, xi);
  /* Stage 3. Where Newton's method goes from here: the states that Λ and ξ ask for, before Λ is projected. */
  for (int i = 0; i < s->contacts; i++) {
    next[i] = nsd_contact_next_state(d, &d->spec[i], Lambda, xi);
  }
  /* Stage 4. Λ onto what the laws allow; judged again if that has changed it. */
  if (nsd_contact_project_all(d, Lambda)) {
    verdict = nsd_contact_judge(d, Lambda, xi);
  }
  /* Stage 5. A pattern counts against there being a solution only if its system
   * is surely regular and its Λ surely wrong. */
  const int is_far_out =
      verdict.residual > NSD_CONTACT_FAR_OUT * verdict.load; /* where nothing seen counts */
  if (m.pivot < NSD_CLOSED_FORM_SURE_PIVOT || is_far_out ||
      verdict.residual <= NSD_CLOSED_FORM_SURE_MISS * verdict.scale) {
    s->is_sure = 0;
  }
  /* Stage 6. Keep the best. */
  if (nsd_contact_is_better(&verdict, &s->answer->verdict)) {
    s->answer->verdict = verdict;
    for (int i = 0; i < d->rows; i++) {
      s->answer->Lambda[i] = Lambda[i];
      s->answer->xi[i] = xi[i];
    }
    s->answer->states[0] = states[0];
    s->answer->states[1] = second;
  }
  return nsd_contact_is_solution(&verdict, s->polished);
}

static int is_seen(const search *s, const int32_t *states)
{
  return (int)(s->seen[states[0]] >> (unsigned)states[1] & 1u);
}

/* Newton's method until a pattern comes back. */
static int follow(search *s, const int32_t *start)
{
  int32_t states[NSD_ONE_TWO_CONTACTS] = {start[0], s->contacts > 1 ? start[1] : 0};
  for (int round = 0; round < ROUNDS && !is_seen(s, states); round++) {
    int32_t next[NSD_ONE_TWO_CONTACTS] = {0};
    if (try_pattern(s, states, next)) {
      return 1;
    }
    states[0] = next[0];
    states[1] = next[1];
  }
  return 0;
}

static int try_all(search *s)
{
  const nsd_contact_data *d = s->d;
  /* Every pair of states that the laws know: 16 for two contacts with Coulomb friction, 36 at most. */
  const unsigned first = nsd_contact_states(&d->spec[0]);
  const unsigned second = s->contacts > 1 ? nsd_contact_states(&d->spec[1]) : 1u;
  int32_t states[NSD_ONE_TWO_CONTACTS];
  int32_t next[NSD_ONE_TWO_CONTACTS] = {0};
  for (states[0] = 0; states[0] < NSD_STATES; states[0]++) {
    for (states[1] = 0; states[1] < NSD_STATES; states[1]++) {
      const unsigned known = (first >> (unsigned)states[0]) & (second >> (unsigned)states[1]) & 1u;
      if (known && !is_seen(s, states) && try_pattern(s, states, next)) {
        return 1;
      }
    }
  }
  return 0;
}

/* What Λ = 0 asks for. */
static int follow_from_zero(search *s)
{
  const double Lambda[MOST_ROWS] = {0.0};
  int32_t states[NSD_ONE_TWO_CONTACTS] = {0};
  for (int i = 0; i < s->contacts; i++) {
    states[i] = nsd_contact_next_state(s->d, &s->d->spec[i], Lambda, s->d->c);
  }
  return follow(s, states);
}

nsdyn_status nsd_one_two_solve(const nsd_contact_data *d, double tol, const int32_t *start,
                               nsd_one_two_answer *answer)
{
  /* Stage 1. Nothing found yet. */
  search s = {.d = d, .contacts = d->contacts > 1 ? 2 : 1, .tol = tol, .answer = answer, .is_sure = 1};
  s.polished = tol < NSD_RESIDUAL_ROUNDING ? tol : NSD_RESIDUAL_ROUNDING;
  answer->verdict = (nsd_contact_verdict){.residual = INFINITY, .row = -1};
  answer->tries = 0;
  answer->warm = 0;
  for (int i = 0; i < MOST_ROWS; i++) {
    answer->Lambda[i] = answer->xi[i] = 0.0;
  }
  if (d->contacts == 0) {
    answer->verdict.residual = 0.0;
    return NSDYN_OK;
  }
  /* Stage 2. The given pattern, and Newton's method from there. */
  if (start && follow(&s, start)) {
    answer->warm = answer->tries == 1;
    return NSDYN_OK;
  }
  /* Stage 3. Newton's method from Λ = 0, then all patterns; at last the
   * best that was found, if it is good enough. */
  if (follow_from_zero(&s) || try_all(&s) || nsd_contact_is_solution(&answer->verdict, tol)) {
    return NSDYN_OK;
  }
  /* Stage 4. All patterns were tried. There is no solution if each of them was surely wrong. */
  return s.is_sure ? NSDYN_NO_SOLUTION : NSDYN_MAX_ITERATIONS;
}

/* ---- one contact, its state known -------------------------------------------------------------------- */

/* Λ of a state; zero where its equations are singular. */
NSD_INLINE int solve_single(const double *N, const double *T, const double *c, double mu, int32_t state,
                            double *Lambda)
{
  /* Open: Λ = 0. */
  if (state == NSD_STATE_OPEN) {
    Lambda[0] = Lambda[1] = 0.0;
    return 1;
  }
  /* Stick: ξ_N = ξ_T = 0, two equations by elimination of Λ_N. */
  if (state == NSD_STATE_STICK) {
    const double inverse = 1.0 / N[0];
    const double f = T[0] * inverse;
    const double rest = T[1] - f * N[1];
    Lambda[1] = (f * c[0] - c[1]) / rest;
    Lambda[0] = -(c[0] + N[1] * Lambda[1]) * inverse;
    return rest > NSD_CLOSED_FORM_SINGULAR * T[1];
  }
  /* Slip: ξ_N = 0 with Λ_T = f μ Λ_N, so (G_NN + f μ G_NT) Λ_N = −c_N. */
  const double slope = state == NSD_STATE_DOWN ? -mu : mu;
  const double drag = slope * N[1];
  const double pivot = N[0] + drag;
  Lambda[0] = -c[0] / pivot;
  Lambda[1] = slope * Lambda[0];
  return fabs(pivot) > NSD_CLOSED_FORM_SINGULAR * (N[0] + fabs(drag));
}

int nsd_one_two_try_single(const nsd_contact_data *d, double tol, int32_t start, nsd_one_two_answer *answer)
{
  const nsd_contact_spec *s = d->spec;
  const double *N = d->G;
  const double *T = d->G + d->ldg;
  double *Lambda = answer->Lambda;
  double *xi = answer->xi;
  if (!solve_single(N, T, d->c, s->mu, start, Lambda)) {
    return 0;
  }
  /* The state's own conditions: Λ_N >= 0, |Λ_T| <= μ Λ_N. Those of ξ are the certificate's. */
  const double limit = s->mu * Lambda[0];
  if (!(Lambda[0] >= 0.0) || fabs(Lambda[1]) > limit) {
    return 0;
  }
  answer->verdict = nsd_contact_judge_single(d, Lambda, xi);
  answer->states[0] = start;
  answer->tries = 1;
  answer->warm = 1;
  return nsd_contact_is_solution(&answer->verdict, tol < NSD_RESIDUAL_ROUNDING ? tol : NSD_RESIDUAL_ROUNDING);
}

/* ---- two contacts, their states known ----------------------------------------------------------------- */

/* One contact's own rows, N and T, and the diagonal that its pivots are measured with. */
NSD_INLINE nsd_response respond(const double *N, const double *T, double G_NN, double G_TT, double mu,
                                int32_t state)
{
  /* Open: K = 0. */
  if (state == NSD_STATE_OPEN) {
    return (nsd_response){.i = 0.0};
  }
  /* Stick: elimination of Λ_N, f = G_TN / G_NN, pivot r = 1 / (G_TT − f G_NT). */
  if (state == NSD_STATE_STICK) {
    const double i = 1.0 / N[0];
    const double f = T[0] * i;
    const double rest = T[1] - f * N[1];
    const double r = fabs(rest) > NSD_CLOSED_FORM_SINGULAR * G_TT ? 1.0 / rest : 0.0;
    return (nsd_response){
        .i = fabs(N[0]) > NSD_CLOSED_FORM_SINGULAR * G_NN ? i : 0.0, .r = r, .f = f, .g = N[1]};
  }
  /* Slip: (G_NN + f μ G_NT)⁻¹, and Λ_T = f μ Λ_N. */
  const double slope = state == NSD_STATE_DOWN ? -mu : mu;
  const double drag = slope * N[1];
  const double pivot = N[0] + drag;
  const int is_regular = fabs(pivot) > NSD_CLOSED_FORM_SINGULAR * (G_NN + fabs(drag));
  return (nsd_response){.i = is_regular ? 1.0 / pivot : 0.0, .slope = slope};
}

NSD_INLINE void answer_to(const nsd_response *K, double y_N, double y_T, double *N, double *T)
{
  const double t = (y_T - K->f * y_N) * K->r;
  *N = (y_N - K->g * t) * K->i;
  *T = t + K->slope * *N;
}

/* The first contact is eliminated: its answers, and then those of the second with the first free to give way.
 */
NSD_INLINE void prepare_pair(nsd_pair *pair, const nsd_contact_data *d, const int32_t *states)
{
  const double *G0 = d->G, *G1 = G0 + d->ldg, *G2 = G1 + d->ldg, *G3 = G2 + d->ldg;
  /* The first contact alone: Λ_0 = −K0 (c_0 + G01 Λ_1). */
  const nsd_response K0 = respond(G0, G1, G0[0], G1[1], d->spec[0].mu, states[0]);
  double P[2][2]; /* K0 G01, by columns */
  answer_to(&K0, G0[2], G1[2], &P[0][0], &P[0][1]);
  answer_to(&K0, G0[3], G1[3], &P[1][0], &P[1][1]);
  /* The second, as the first gives way: G11 − G10 K0 G01. */
  const double N[2] = {G2[2] - (G2[0] * P[0][0] + G2[1] * P[0][1]),
                       G2[3] - (G2[0] * P[1][0] + G2[1] * P[1][1])};
  const double T[2] = {G3[2] - (G3[0] * P[0][0] + G3[1] * P[0][1]),
                       G3[3] - (G3[0] * P[1][0] + G3[1] * P[1][1])};
  pair->K[0] = K0;
  pair->K[1] = respond(N, T, G2[2], G3[3], d->spec[1].mu, states[1]);
  for (int i = 0; i < 2; i++) {
    pair->P[i][0] = P[i][0];
    pair->P[i][1] = P[i][1];
    pair->mu[i] = d->spec[i].mu;
    pair->states[i] = states[i];
  }
  pair->edition = d->edition;
}

NSD_INLINE int is_prepared(const nsd_pair *pair, const nsd_contact_data *d, const int32_t *states)
{
  return d->edition && d->edition == pair->edition && states[0] == pair->states[0] &&
         states[1] == pair->states[1] && d->spec[0].mu == pair->mu[0] && d->spec[1].mu == pair->mu[1];
}

NSD_INLINE void solve_pair(const nsd_pair *pair, const nsd_contact_data *d, double *Lambda)
{
  const double *G2 = nsd_contact_row(d, 2), *G3 = G2 + d->ldg;
  const nsd_response *K0 = &pair->K[0];
  const double *c = d->c, *P0 = pair->P[0], *P1 = pair->P[1];
  /* Λ_1 = K1 (G10 K0 c_0 − c_1), and then Λ_0 = −K0 c_0 − K0 G01 Λ_1. */
  double k[2]; /* K0 c */
  answer_to(K0, c[0], c[1], &k[0], &k[1]);
  const double y_N = (G2[0] * k[0] + G2[1] * k[1]) - c[2];
  const double y_T = (G3[0] * k[0] + G3[1] * k[1]) - c[3];
  answer_to(&pair->K[1], y_N, y_T, &Lambda[2], &Lambda[3]);
  Lambda[0] = -(k[0] + (P0[0] * Lambda[2] + P1[0] * Lambda[3]));
  /* Slip holds to the bit. */
  Lambda[1] = K0->slope != 0.0 ? K0->slope * Lambda[0] : -(k[1] + (P0[1] * Lambda[2] + P1[1] * Lambda[3]));
}

int nsd_one_two_try_pair(const nsd_contact_data *d, double tol, const int32_t *states, nsd_pair *pair,
                         nsd_one_two_answer *answer)
{
  double *Lambda = answer->Lambda;
  /* The pair's formulas know Coulomb's states only. */
  if (states[0] >= NSD_STATE_LIFTED || states[1] >= NSD_STATE_LIFTED) {
    return 0;
  }
  if (!is_prepared(pair, d, states)) {
    prepare_pair(pair, d, states);
  }
  solve_pair(pair, d, Lambda);
  /* At the edge of a state another pattern would do as well: that is left to the whole search. */
  if (!nsd_state_is_inside(&d->spec[0], states[0], Lambda) ||
      !nsd_state_is_inside(&d->spec[1], states[1], Lambda + 2)) {
    return 0;
  }
  answer->verdict = nsd_contact_judge(d, Lambda, answer->xi);
  return nsd_contact_is_solution(&answer->verdict, tol < NSD_RESIDUAL_ROUNDING ? tol : NSD_RESIDUAL_ROUNDING);
}
