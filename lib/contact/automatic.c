/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Which method when, and what next. Every answer passes the judge of contact/certificate.h. */
#include <string.h>

#include "base/dense.h"
#include "base/number.h"
#include "base/tolerances.h"
#include "contact/check.h"
#include "contact/check_operator.h"
#include "contact/extreme_units.h"
#include "contact/object.h"
#include "contact/planar/one_two.h"
#include "contact/planar/states.h"
#include "contact/planar/stewart_trinkle.h"

enum {
  ROUNDS = 12, /* of Newton's method on patterns */
  STARTS = 12  /* of it, where slots have friction */
};

/* Rounds and paths (contact/many/many.h) for many contacts. Rows from which they come before Lemke's method,
 * which takes longer there and gets lost in piles; beyond which the dense systems of patterns take longer
 * too; and beyond which no LCP is tried. */
enum { MANY_ROWS = 64, DENSE_ROWS = 160, LCP_ROWS = 600 };

/* Multiplications that they may take: some seconds, a tenth of one for few rows, where others are sure. */
#define MANY_WORK 4e9
#define MANY_WORK_OF_G 3000.0 /* times rows² */
#define FEW_WORK_OF_G 2e3     /* likewise: what few contacts may cost where nothing is found */

/* Where `automatic` still searches through modes: rows, and nodes times rows² that take a second or two. */
enum { SEARCH_ROWS = 128, SEARCH_WORK = 40000000 };

/* ---- what goes out ----------------------------------------------------------------------------------- */

static void report(nsdyn_contact *s, nsdyn_status status, int32_t method, const nsd_contact_verdict *verdict)
{
  s->report.status = status;
  s->report.method = method;
  s->report.worst_row = verdict->row;
  s->report.residual = verdict->residual;
  s->report.scale = verdict->scale;
}

/* Before the first attempt. */
static void begin(nsdyn_contact *s)
{
  s->report.lcp_size = 0;
  s->report.iterations = 0;
  s->report.warm = 0;
  s->modes_n = 0;
}

/* A solution: modes, the pattern for the next warm start, the outputs. */
static nsdyn_status hand_out(nsdyn_contact *s, const nsd_contact_data *d, const double *best_Lambda,
                             const double *best_xi, double speed, double *Lambda, double *xi)
{
  for (int i = 0; i < d->rows; i++) {
    Lambda[i] = best_Lambda[i];
  }
  s->modes_n = d->contacts;
  s->is_spatial = d->is_spatial;
  if (d->is_spatial) {
    nsd_space_hand_out(s, d, Lambda, best_xi, speed, xi);
    return NSDYN_OK;
  }
  nsd_contact_read_modes(d, best_Lambda, best_xi, speed, s->modes);
  for (int i = 0; i < d->contacts; i++) {
    s->states[i] = nsd_contact_vertex_state(&d->spec[i], best_Lambda, best_xi);
  }
  s->states_n = d->contacts;
  /* What oversteps a limit by rounding, or is too small for the judge to see, ends on the limit. */
  (void)nsd_contact_project_all(d, Lambda);
  if (xi) {
    for (int i = 0; i < d->rows; i++) {
      xi[i] = best_xi[i];
    }
    nsd_contact_clean_xi(d, Lambda, xi);
  }
  if (s->fault.status) {
    nsd_fault_clear(&s->fault);
  }
  return NSDYN_OK;
}

/* The same where all contacts are unilateral with Coulomb friction, and keep their states. */
NSD_INLINE void hand_out_coulomb(nsdyn_contact *s, const nsd_contact_data *d, const double *best_Lambda,
                                 const double *best_xi, double speed, double *Lambda, double *xi)
{
  const double tau = NSD_MODE_TOL * speed;
  const double *diagonal = d->G;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *spec = &d->spec[i];
    const double N = best_Lambda[2 * i], T = best_Lambda[2 * i + 1];
    const double G_NN = diagonal[0], G_TT = diagonal[d->ldg + 1];
    s->modes[i] = nsd_contact_mode_of(spec, G_NN * N, best_xi[2 * i + 1], tau);
    Lambda[2 * i] = N;
    Lambda[2 * i + 1] = T;
    if (xi) {
      const double r = nsd_contact_stiffness(G_NN, G_TT);
      xi[2 * i] = nsd_contact_clean_normal(spec, r, N, best_xi[2 * i]);
      xi[2 * i + 1] = nsd_contact_clean_tangential(spec, r, N, T, best_xi[2 * i + 1]);
    }
    diagonal += 2 * ((size_t)d->ldg + 1);
  }
  s->modes_n = d->contacts;
  if (s->fault.status) {
    nsd_fault_clear(&s->fault);
  }
}

/* The law that is missed most, in words. */
static nsdyn_status explain(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status)
{
  const int row = s->report.worst_row;
  const int own = nsd_contact_own_rows(d);
  char residual[NSD_NUMBER_LENGTH];
  char scale[NSD_NUMBER_LENGTH];
  nsd_number_text(s->report.residual, residual);
  nsd_number_text(s->report.scale, scale);
  if (row >= own) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_CONSTRAINT, row - own,
                         "%s: the best impulses miss bilateral constraint %d by %s (scale %s)",
                         nsdyn_status_text(status), row - own, residual, scale);
  }
  int i = 0;
  while (i + 1 < d->contacts && d->spec[i + 1].row <= row) {
    i++;
  }
  return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_CONTACT, i,
                       "%s: the best impulses miss the %s law of contact %d by %s (scale %s)",
                       nsdyn_status_text(status), row > d->spec[i].row ? "tangential" : "normal", i, residual,
                       scale);
}

/* Limits that no option set have ended the search: it has found nothing, or all but the last digits. */
static nsdyn_status conclude(const nsdyn_contact *s, nsdyn_status status)
{
  const nsd_contact_verdict *v = &s->best.verdict;
  const int is_callers = s->options.method == NSDYN_CONTACT_MODES && s->options.max_nodes >= 0;
  if ((status != NSDYN_MAX_ITERATIONS && status != NSDYN_INACCURATE) || is_callers) {
    return status;
  }
  return v->residual <= NSD_RESIDUAL_NEAR * v->scale ? NSDYN_INACCURATE : NSDYN_UNDECIDED;
}

/* No solution: the best Λ, or zero where nothing was found; refusals leave the outputs alone. */
static nsdyn_status give_up(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status, double *Lambda,
                            double *xi)
{
  s->states_n = 0;
  status = conclude(s, status);
  s->report.status = status;
  if (status < 0) {
    if (s->fault.status != status) {
      nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "%s", nsdyn_status_text(status));
    }
  } else {
    double *best = s->best.Lambda;
    if (!(s->best.verdict.residual < (double)INFINITY)) {
      for (int i = 0; i < d->rows; i++) {
        best[i] = 0.0;
      }
      nsd_poll poll = nsd_poll_to_end(s->ctx, "judging contacts");
      s->busy = 1;
      s->best.verdict = nsd_contact_judge_asking(d, best, s->best.xi, &poll);
      s->busy = 0;
    }
    report(s, status, s->method, &s->best.verdict);
    for (int i = 0; i < d->rows; i++) {
      Lambda[i] = best[i];
    }
    if (xi) {
      for (int i = 0; i < d->rows; i++) {
        xi[i] = s->best.xi[i];
      }
    }
    explain(s, d, status);
  }
  nsd_log(s->ctx, status < 0 ? NSDYN_LOG_ERROR : NSDYN_LOG_WARNING, s->fault.message);
  return status;
}

/* ---- attempts ---------------------------------------------------------------------------------------- */

/* The states to begin from, made such that each law knows its own; NULL: none. */
static const int32_t *warm_states(nsdyn_contact *s, const nsd_contact_data *d)
{
  if (!s->options.warm_start || s->states_n != d->contacts || d->contacts == 0) {
    return NULL;
  }
  for (int i = 0; i < d->contacts; i++) {
    s->states[i] = nsd_contact_admit(&d->spec[i], s->states[i]);
  }
  return s->states;
}

static int is_direct(const nsd_contact_data *d)
{
  return d->contacts <= NSD_ONE_TWO_CONTACTS && d->bilateral == 0;
}

/* Whether an attempt leaves nothing to try. */
static int is_final(nsdyn_status status)
{
  return status == NSDYN_OK || status == NSDYN_NO_SOLUTION || status == NSDYN_CANCELLED ||
         (status < 0 && status != NSDYN_ERR_NOT_FINITE && status != NSDYN_ERR_UNSUPPORTED);
}

/* Newton's method on patterns from s->pattern.states. Returns whether s->best has become a solution. Lemke's
 * method does what is left for little more, but for slots with friction, which it often ends on a ray with.
 */
static int try_newton(nsdyn_contact *s, const nsd_contact_data *d)
{
  const int before = s->best.rounds;
  const int patience = nsd_stewart_trinkle_applies(d) ? 1 : ROUNDS;
  const int found = nsd_pattern_newton(&s->pattern, d, s->options.tol, ROUNDS, patience, &s->best);
  s->report.iterations += s->best.rounds - before;
  if (found) {
    s->method = NSDYN_CONTACT_MODES;
  }
  return found;
}

/* From the last solution's pattern. */
static int try_warm(nsdyn_contact *s, const nsd_contact_data *d)
{
  const int32_t *start = warm_states(s, d);
  if (!start) {
    return 0;
  }
  memcpy(s->pattern.states, start, (size_t)d->contacts * sizeof *start);
  const int found = try_newton(s, d);
  s->report.warm = found && s->best.rounds == 1;
  return found;
}

/* From the pattern that Λ = 0 asks for; contacts that neither approach nor leave count as closed, as those of
 * bodies that fall together will be. Where G is definite it finds all but one of a hundred problems, three
 * times faster than Lemke's method on eq. 33. */
static int try_cold(nsdyn_contact *s, const nsd_contact_data *d)
{
  const double tie = NSD_CONTACT_TIE * nsd_norm_inf(d->rows, d->c);
  double *xi = s->pattern.xi;
  for (int i = 0; i < d->rows; i++) {
    s->pattern.Lambda[i] = 0.0;
    xi[i] = d->c[i];
  }
  for (int i = 0; i < d->contacts; i++) {
    const int N = d->spec[i].row;
    xi[N] = fabs(xi[N]) <= tie ? -tie : xi[N];
    s->pattern.states[i] = nsd_contact_next_state(d, &d->spec[i], s->pattern.Lambda, xi);
  }
  return try_newton(s, d);
}

/* Slots with friction: from all closed in the same way, then from mixtures. Four of five that the start from
 * Λ = 0 does not settle are settled here, a hundred times faster than by a search. */
static int try_scattered(nsdyn_contact *s, const nsd_contact_data *d)
{
  int found = 0;
  for (int start = 0; !found && start < STARTS; start++) {
    for (int i = 0; i < d->contacts; i++) {
      const int mixed = start < 3 ? start : (7 * i + start * (i + 3) / 2) % 3;
      s->pattern.states[i] = nsd_contact_admit(&d->spec[i], NSD_STATE_STICK + mixed);
    }
    found = try_newton(s, d);
  }
  return found;
}

/* Rounds over all contacts and a path of Newton's method on their patterns. */
static nsdyn_status try_many(nsdyn_contact *s, const nsd_contact_data *d)
{
  const double G = (double)d->rows * (double)d->rows;
  const double work = d->rows < MANY_ROWS ? FEW_WORK_OF_G * G : MANY_WORK + MANY_WORK_OF_G * G;
  nsdyn_status status = nsd_contact_reserve_many(s, d);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for rounds over %d contacts",
                         d->contacts);
  }
  const int before = s->best.rounds;
  status = nsd_many_solve(&s->many, d, warm_states(s, d), s->near, s->options.tol, work, &s->best, s->ctx);
  s->report.warm = s->near && s->best.rounds == before;
  s->report.iterations += s->best.rounds - before;
  if (status == NSDYN_OK) {
    s->method = NSDYN_CONTACT_MODES;
  }
  return status;
}

/* The forms as LCPs, the cheap one first. */
static nsdyn_status try_forms(nsdyn_contact *s, const nsd_contact_data *d)
{
  const nsdyn_status status = nsd_contact_try_planar(s, d);
  if (is_final(status)) {
    return status;
  }
  const nsdyn_status second = nsd_contact_try_copositive(s, d);
  return is_final(second) || second == NSDYN_UNDECIDED ? second : status;
}

/* Contacts beyond counting: no LCP of so many rows ends in time. */
static nsdyn_status try_large(nsdyn_contact *s, const nsd_contact_data *d)
{
  const nsdyn_status status = try_many(s, d);
  return is_final(status) || d->rows > LCP_ROWS ? status : try_forms(s, d);
}

static nsdyn_status try_automatic(nsdyn_contact *s, const nsd_contact_data *d)
{
  if (d->rows > DENSE_ROWS) {
    return try_large(s, d);
  }
  /* Newton's method on patterns: from the step before, from Λ = 0, with slots from mixtures. */
  if (try_warm(s, d) || try_cold(s, d) || (!nsd_stewart_trinkle_applies(d) && try_scattered(s, d))) {
    return NSDYN_OK;
  }
  /* A brief solve (nsd_contact_solve_briefly) ends with Lemke's method: nothing is searched or proved. */
  if (s->is_brief) {
    return nsd_contact_try_lemke(s, d);
  }
  /* Where contacts are few the forms decide more, at their vertices, and their impulses are no larger than
   * need be; where they are many the path is faster, and Lemke's method alone than its whole chain. */
  const int are_many = d->rows >= MANY_ROWS;
  nsdyn_status status = are_many ? try_many(s, d) : try_forms(s, d);
  if (!is_final(status)) {
    status = are_many ? nsd_contact_try_lemke(s, d) : try_many(s, d);
  }
  if (!is_final(status) && are_many) {
    status = try_forms(s, d);
  }
  /* At last, where they are few enough, all patterns. */
  if (!is_final(status) && d->rows <= SEARCH_ROWS) {
    return nsd_contact_try_modes(s, d, SEARCH_WORK / (1 + (int64_t)d->rows * d->rows));
  }
  return status;
}

static nsdyn_status refuse_method(nsdyn_contact *s, const char *reason)
{
  return nsd_fault_set(&s->fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_FIELD,
                       (int64_t)offsetof(nsdyn_contact_options, method), "%s", reason);
}

static nsdyn_status solve_by_options(nsdyn_contact *s, const nsd_contact_data *d)
{
  switch (s->options.method) {
  case NSDYN_CONTACT_DIRECT:
    return refuse_method(s, "the direct method is for one or two contacts without bilateral constraints");
  case NSDYN_CONTACT_LCP:
    return nsd_contact_try_planar(s, d);
  case NSDYN_CONTACT_MODES:
    return nsd_contact_try_modes(s, d, -1);
  case NSDYN_CONTACT_ROUNDS:
  case NSDYN_CONTACT_NEWTON:
  case NSDYN_CONTACT_NATURAL:
  case NSDYN_CONTACT_TODOROV_RLM:
  case NSDYN_CONTACT_TODOROV_PLM:
    return refuse_method(s, "this method is for problems with a contact in space");
  default:
    return try_automatic(s, d);
  }
}

/* As give_up(), and the row is named. `status` says what is known without it: the contradiction itself is one
 * within rounding, until exact arithmetic bears it out. */
static nsdyn_status contradict(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status, int row,
                               double *Lambda, double *xi)
{
  if (status != NSDYN_NO_SOLUTION) {
    s->busy = 1;
    const nsdyn_status proof = nsd_constraints_prove(&s->constraints, d, row, &s->poll);
    s->busy = 0;
    status = proof == NSDYN_OK ? NSDYN_NO_SOLUTION : proof;
  }
  (void)give_up(s, d, status, Lambda, xi);
  s->report.worst_row = nsd_contact_own_rows(d) + row;
  return status < 0 || status == NSDYN_CANCELLED
             ? status
             : nsd_fault_set(&s->fault, status, NSDYN_DETAIL_CONSTRAINT, row,
                             "%s: bilateral constraint %d contradicts those before it, on which it depends%s",
                             nsdyn_status_text(status), row,
                             status == NSDYN_NO_SOLUTION ? "" : " but for rounding");
}

/* Where bilateral rows depend on each other, a solution's impulses become the least that move all alike. */
static void reduce_constraints(nsdyn_contact *s, const nsd_contact_data *d)
{
  double *Lambda = d->is_spatial ? s->in_space.trial : s->pattern.Lambda;
  double *xi = d->is_spatial ? s->in_space.at : s->pattern.xi;
  memcpy(Lambda, s->best.Lambda, (size_t)d->rows * sizeof *Lambda);
  const int own = nsd_contact_own_rows(d);
  if (nsd_constraints_reduce(&s->constraints, Lambda + own)) {
    nsd_contact_verdict v = nsd_contact_judge_asking(d, Lambda, xi, &s->poll);
    if (!nsd_contact_is_solution(&v, s->options.tol) && v.row >= own) {
      nsd_constraints_balance(&s->constraints, xi + own, Lambda + own);
      v = nsd_contact_judge_asking(d, Lambda, xi, &s->poll);
    }
    if (nsd_contact_is_solution(&v, s->options.tol)) {
      memcpy(s->best.Lambda, Lambda, (size_t)d->rows * sizeof *Lambda);
      memcpy(s->best.xi, xi, (size_t)d->rows * sizeof *xi);
      s->best.verdict = v;
    }
  }
}

/* Whether the best stays a solution as it goes out, within its laws: where units lie far apart, the
 * certificate may not see a force that a law gives. Else the best is what goes out. */
static int stays_solution(nsdyn_contact *s, const nsd_contact_data *d)
{
  if (!nsd_contact_project_all(d, s->best.Lambda)) {
    return 1;
  }
  s->best.verdict = nsd_contact_judge_asking(d, s->best.Lambda, s->best.xi, &s->poll);
  return nsd_contact_is_solution(&s->best.verdict, s->options.tol);
}

/* The long way, after a direct answer that was none (NULL: not tried). */
static nsdyn_status solve_at_length(nsdyn_contact *s, const nsd_contact_data *d,
                                    const nsd_one_two_answer *direct, nsdyn_status status, double *Lambda,
                                    double *xi)
{
  const nsdyn_status reserved =
      d->is_spatial ? nsd_space_reserve(s, d) : nsd_contact_reserve_scratch(s, d->contacts, d->rows);
  if (reserved) {
    nsd_fault_set(&s->fault, reserved, NSDYN_DETAIL_NONE, -1, "no memory to solve for %d contacts",
                  d->contacts);
    return give_up(s, d, reserved, Lambda, xi);
  }
  s->best.verdict = (nsd_contact_verdict){.residual = INFINITY, .row = -1};
  s->best.rounds = 0;
  s->method = NSDYN_CONTACT_LCP;
  /* What the direct method found is the best so far, though it is none. */
  if (direct) {
    s->best.verdict = direct->verdict;
    memcpy(s->best.Lambda, direct->Lambda, (size_t)d->rows * sizeof *direct->Lambda);
    memcpy(s->best.xi, direct->xi, (size_t)d->rows * sizeof *direct->xi);
    s->method = NSDYN_CONTACT_DIRECT;
  }
  /* Bilateral rows that depend on each other: some contradict, and of the others the least impulses are
   * wanted. In space nothing else would prove the first. */
  s->poll = nsd_poll_of(s->ctx, "solving for contacts");
  s->pattern.poll = d->rows > DENSE_ROWS ? &s->poll : NULL;
  s->busy = 1;
  const nsdyn_status read = nsd_constraints_read(&s->constraints, d, &s->poll);
  s->busy = 0;
  if (read) {
    if (read < 0) {
      nsd_fault_set(&s->fault, read, NSDYN_DETAIL_NONE, -1, "no memory for %d bilateral constraints",
                    d->bilateral);
    }
    return give_up(s, d, read, Lambda, xi);
  }
  /* A row that contradicts those before it, whatever contacts do; −1: there is none. */
  const int contradicting = nsd_constraints_contradiction(
      &s->constraints, nsd_larger(NSD_CONSTRAINTS_CONTRADICT, NSD_CONSTRAINTS_TOLS * s->options.tol));
  if (contradicting >= 0 && d->is_spatial) {
    return contradict(s, d, NSDYN_UNDECIDED, contradicting, Lambda, xi);
  }
  if (!direct || (status != NSDYN_NO_SOLUTION && s->options.method == NSDYN_CONTACT_AUTOMATIC)) {
    s->busy = 1;
    status = d->is_spatial ? nsd_space_solve(s, d) : solve_by_options(s, d);
    /* Few contacts in space that nothing has solved: their modes know a solution, or that there is none. */
    if (d->is_spatial && status > 0 && status != NSDYN_CANCELLED && status != NSDYN_NO_SOLUTION &&
        s->options.method == NSDYN_CONTACT_AUTOMATIC && !s->is_brief) {
      status = nsd_contact_try_census(s, d, status);
    }
    s->busy = 0;
  }
  if (status > 0 && status != NSDYN_CANCELLED && contradicting >= 0) {
    return contradict(s, d, status, contradicting, Lambda, xi);
  }
  if (status == NSDYN_OK) {
    s->busy = 1;
    if (s->constraints.redundant > 0) {
      reduce_constraints(s, d);
    }
    status = d->is_spatial || stays_solution(s, d) ? NSDYN_OK : NSDYN_UNDECIDED;
    s->busy = 0;
  }
  if (status) {
    return give_up(s, d, status, Lambda, xi);
  }
  report(s, NSDYN_OK, s->method, &s->best.verdict);
  return hand_out(s, d, s->best.Lambda, s->best.xi, s->best.verdict.speed, Lambda, xi);
}

/* ---- entries ----------------------------------------------------------------------------------------- */

static nsdyn_status solve_direct(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  nsd_one_two_answer answer;
  const nsdyn_status status = nsd_one_two_solve(d, s->options.tol, warm_states(s, d), &answer);
  s->report.iterations = answer.tries;
  if (status) {
    return solve_at_length(s, d, &answer, status, Lambda, xi);
  }
  s->report.warm = answer.warm;
  report(s, NSDYN_OK, NSDYN_CONTACT_DIRECT, &answer.verdict);
  return hand_out(s, d, answer.Lambda, answer.xi, answer.verdict.speed, Lambda, xi);
}

/* One contact in the state of the last step: all that hand_out() and report() do, for this case. */
static int solve_single(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  nsd_one_two_answer answer;
  const int32_t state = s->states[0];
  if (state >= NSD_STATE_LIFTED || !nsd_one_two_try_single(d, s->options.tol, state, &answer)) {
    return 0;
  }
  s->report.lcp_size = 0;
  s->report.iterations = 1;
  s->report.warm = 1;
  report(s, NSDYN_OK, NSDYN_CONTACT_DIRECT, &answer.verdict);
  s->modes[0] = nsd_contact_mode_of(d->spec, d->G[0] * answer.Lambda[0], answer.xi[1],
                                    NSD_MODE_TOL * answer.verdict.speed);
  s->modes_n = 1;
  Lambda[0] = answer.Lambda[0];
  Lambda[1] = answer.Lambda[1];
  if (xi) {
    const double r = nsd_contact_stiffness(d->G[0], d->G[d->ldg + 1]);
    xi[0] = nsd_contact_clean_normal(d->spec, r, Lambda[0], answer.xi[0]);
    xi[1] = nsd_contact_clean_tangential(d->spec, r, Lambda[0], Lambda[1], answer.xi[1]);
  }
  if (s->fault.status) {
    nsd_fault_clear(&s->fault);
  }
  return 1;
}

/* Likewise several contacts, which keep their states. */
NSD_INLINE int take_warm(nsdyn_contact *s, const nsd_contact_data *d, int32_t method,
                         const double *own_Lambda, const double *own_xi, const nsd_contact_verdict *verdict,
                         double *Lambda, double *xi)
{
  s->report.lcp_size = 0;
  s->report.iterations = 1;
  s->report.warm = 1;
  report(s, NSDYN_OK, method, verdict);
  hand_out_coulomb(s, d, own_Lambda, own_xi, verdict->speed, Lambda, xi);
  return 1;
}

static int solve_pair(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  nsd_one_two_answer answer;
  return nsd_one_two_try_pair(d, s->options.tol, s->states, &s->pair, &answer) &&
         take_warm(s, d, NSDYN_CONTACT_DIRECT, answer.Lambda, answer.xi, &answer.verdict, Lambda, xi);
}

/* Three and more. What is no solution is the first round of Newton's method, which comes next. */
static int solve_several(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  nsd_pattern_work *w = &s->pattern;
  if (d->contacts != s->scratch_contacts || d->rows != s->scratch_rows) {
    return 0;
  }
  return nsd_pattern_once(w, d, s->options.tol, s->states) &&
         take_warm(s, d, NSDYN_CONTACT_MODES, w->Lambda, w->xi, &w->verdict, Lambda, xi);
}

/* The states of the last solution once more, where all contacts are unilateral with Coulomb friction. */
static int solve_warm(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  if (d->contacts == 0 || d->bilateral != 0) {
    return 0;
  }
  for (int i = 0; i < d->contacts; i++) {
    if (!nsd_contact_is_coulomb(&d->spec[i])) {
      return 0;
    }
  }
  switch (d->contacts) {
  case 1:
    return solve_single(s, d, Lambda, xi);
  case 2:
    return solve_pair(s, d, Lambda, xi);
  default:
    return s->options.method == NSDYN_CONTACT_AUTOMATIC && d->rows <= DENSE_ROWS &&
           solve_several(s, d, Lambda, xi);
  }
}

static nsdyn_status refuse_room(nsdyn_contact *s, const nsd_contact_data *d, nsdyn_status status,
                                double *Lambda, double *xi)
{
  begin(s);
  nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts", d->contacts);
  return give_up(s, d, status, Lambda, xi);
}

nsdyn_status nsd_contact_solve_data(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  const int may_be_direct = !d->is_spatial && (s->options.method == NSDYN_CONTACT_AUTOMATIC ||
                                               s->options.method == NSDYN_CONTACT_DIRECT);
  if (may_be_direct && s->options.warm_start && s->states_n == d->contacts && solve_warm(s, d, Lambda, xi) &&
      (s->report.scale == 0.0 || s->report.scale >= NSD_EXTREME_UNITS_LEAST)) {
    return NSDYN_OK;
  }
  nsd_extreme_units edge;
  if (!d->W && nsd_extreme_units_of_problem(d, &edge)) {
    return nsd_extreme_units_solve(s, d, &edge, Lambda, xi);
  }
  const nsdyn_status status = nsd_contact_reserve_kept(s, d->contacts);
  if (status) {
    return refuse_room(s, d, status, Lambda, xi);
  }
  begin(s);
  return may_be_direct && is_direct(d) ? solve_direct(s, d, Lambda, xi)
                                       : solve_at_length(s, d, NULL, NSDYN_OK, Lambda, xi);
}

nsdyn_status nsd_contact_solve_briefly(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda,
                                       double *xi)
{
  s->is_brief = 1;
  const nsdyn_status status = nsd_contact_solve_data(s, d, Lambda, xi);
  s->is_brief = 0;
  return status;
}

nsdyn_status nsd_contact_solve_from(nsdyn_contact *s, const nsd_contact_data *d, const int32_t *start,
                                    double *Lambda, double *xi)
{
  nsdyn_status status = start ? nsd_contact_reserve_kept(s, d->contacts) : NSDYN_OK;
  s->states_n = status ? s->states_n : start ? d->contacts : 0;
  for (int i = 0; !status && i < s->states_n; i++) {
    s->states[i] = start[i];
  }
  status = status ? refuse_room(s, d, status, Lambda, xi) : nsd_contact_solve_data(s, d, Lambda, xi);
  s->near = NULL; /* it was for this solve, whatever has come of it */
  return status;
}

nsdyn_status nsd_contact_solve_near(nsdyn_contact *s, const nsd_contact_data *d, const double *start,
                                    double *Lambda, double *xi)
{
  const nsdyn_status status = nsd_space_reserve(s, d);
  if (status) {
    return refuse_room(s, d, status, Lambda, xi);
  }
  nsd_space_start(&s->in_space, start, d->rows);
  return nsd_contact_solve_data(s, d, Lambda, xi);
}

/* A refused call leaves its status in the report, and nothing else. */
static nsdyn_status refuse(nsdyn_contact *s, nsdyn_status status)
{
  nsdyn_contact_solve_report_init(&s->report, sizeof s->report);
  s->report.status = status;
  s->report.worst_row = -1;
  s->modes_n = 0;
  return status;
}

/* Cancelled before any method was tried: the answer is Λ = 0, as it is judged. */
static nsdyn_status give_up_at_once(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi)
{
  begin(s);
  const nsdyn_status reserved =
      d->is_spatial ? nsd_space_reserve(s, d) : nsd_contact_reserve_scratch(s, d->contacts, d->rows);
  s->best.verdict = (nsd_contact_verdict){.residual = INFINITY, .row = -1};
  s->method = s->options.method;
  return give_up(s, d, reserved ? reserved : NSDYN_CANCELLED, Lambda, xi);
}

/* G averaged, and a row of ξ for the judge. */
static void lay_out_average(nsd_arena *arena, const nsd_contact_data *d, double **G, double **xi)
{
  const size_t n = (size_t)d->rows;
  *G = nsd_arena_take(arena, n, n * sizeof **G);
  *xi = nsd_arena_take(arena, n, sizeof **xi);
}

/* Where G and its mirror differ by rounding their average is solved: methods lean on a symmetric G. The
 * answer is judged by the data as they are given; where that has none the data get their own turn, so that
 * nothing is said of them that is true of the average alone. */
static nsdyn_status solve_average(nsdyn_contact *s, const nsd_contact_data *d, double *Lambda, double *xi,
                                  nsd_poll *poll)
{
  double *G, *judged;
  nsd_arena measure = nsd_arena_measure();
  lay_out_average(&measure, d, &G, &judged);
  const nsdyn_status reserved = nsd_arena_reserve(&s->average_room, &measure);
  if (reserved) {
    return refuse(s, nsd_fault_set(&s->fault, reserved, NSDYN_DETAIL_NONE, -1,
                                   "no memory for the average of G's %d rows", d->rows));
  }
  lay_out_average(&s->average_room, d, &G, &judged);
  nsd_contact_data average = *d;
  average.G = G;
  average.ldg = d->rows;
  s->busy = 1;
  nsd_contact_average(d, G, poll);
  s->busy = 0;
  if (poll->is_cancelled) {
    return give_up_at_once(s, d, Lambda, xi);
  }
  const nsdyn_status status = nsd_contact_solve_data(s, &average, Lambda, xi);
  if (status < 0 || status == NSDYN_CANCELLED) {
    return status;
  }
  if (status == NSDYN_OK) {
    s->busy = 1;
    const nsd_contact_verdict v = nsd_contact_judge_asking(d, Lambda, judged, poll);
    s->busy = 0;
    if (nsd_contact_is_solution(&v, s->options.tol)) {
      report(s, NSDYN_OK, s->report.method, &v);
      return NSDYN_OK;
    }
  }
  return nsd_contact_solve_data(s, d, Lambda, xi);
}

/* The states that the caller's impulses ask for are those to begin with. */
static nsdyn_status begin_with(nsdyn_contact *s, const nsd_contact_data *d, const double *start)
{
  if (d->is_spatial) {
    const nsdyn_status status = nsd_space_reserve(s, d);
    if (status == NSDYN_OK) {
      nsd_space_start(&s->in_space, start, d->rows);
    }
    return status;
  }
  const nsdyn_status status = nsd_contact_reserve_scratch(s, d->contacts, d->rows);
  if (status) {
    return status;
  }
  double *xi = s->pattern.xi; /* G Λ + c */
  nsd_multiply(d->rows, d->rows, d->G, d->ldg, start, xi);
  for (int i = 0; i < d->rows; i++) {
    xi[i] += d->c[i];
  }
  (void)nsd_contact_next_states(d, start, xi, s->states);
  s->states_n = d->contacts;
  return NSDYN_OK;
}

nsdyn_status nsdyn_contact_solve(nsdyn_contact *solver, const nsdyn_contact_problem *problem, double *Lambda,
                                 double *xi)
{
  if (!solver) {
    return NSDYN_ERR_ARGUMENT;
  }
  if (solver->busy) {
    return NSDYN_ERR_BUSY;
  }
  nsdyn_contact_problem p;
  int differs;
  nsd_poll poll = nsd_poll_of(solver->ctx, "checking a contact problem");
  solver->busy = 1;
  nsdyn_status status = nsd_contact_check(&p, problem, &differs, &solver->fault, &poll);
  solver->busy = 0;
  if (status) {
    return refuse(solver, status);
  }
  nsd_contact_data d = nsd_contact_data_of(&p);
  if (d.rows > 0 && !Lambda) {
    return refuse(solver, nsd_fault_set(&solver->fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 2,
                                        "Lambda is NULL"));
  }
  status = nsd_contact_reserve_kept(solver, p.contacts);
  if (status) {
    return refuse(solver, nsd_fault_set(&solver->fault, status, NSDYN_DETAIL_NONE, -1,
                                        "no memory for %d contacts", (int)p.contacts));
  }
  nsd_contact_fill_spec(&p, solver->spec, solver->space);
  d.spec = solver->spec;
  if (p.W) {
    nsd_space *w = &solver->in_space;
    status = nsd_contact_read_operator(p.W, &p, &w->terms_room, &w->own, &w->terms, &solver->fault, &poll);
    if (status < 0) {
      return refuse(solver, status);
    }
    d.W = &w->own;
    d.terms = &w->terms;
    d.is_spatial = 1;
  }
  if (poll.is_cancelled) {
    return give_up_at_once(solver, &d, Lambda, xi);
  }
  const int32_t warm_start = solver->options.warm_start;
  if (p.start) {
    status = begin_with(solver, &d, p.start);
    if (status) {
      return refuse(solver, nsd_fault_set(&solver->fault, status, NSDYN_DETAIL_NONE, -1,
                                          "no memory for %d contacts", (int)p.contacts));
    }
    solver->options.warm_start = 1;
  }
  status = differs && d.rows >= MANY_ROWS && !d.is_spatial ? solve_average(solver, &d, Lambda, xi, &poll)
                                                           : nsd_contact_solve_data(solver, &d, Lambda, xi);
  solver->options.warm_start = warm_start;
  return status;
}
