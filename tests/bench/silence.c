/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* silence [--lcp N] [--contacts N] [--class TEXT] [--each S]
 *
 * How long a long call leaves its caller without a question: the longest processor time between two calls of
 * progress, from the beginning of a solve to its end, which is asked for after S seconds (1). LCPs of every
 * class of support/problems.h whose name contains TEXT, of about N unknowns, by every method, the census,
 * what classes the matrix is of, and read as a text; piles of about N contacts, by every method that takes
 * them and the census, read as a text, and as sparse LCPs by every method that takes those. A row each where
 * it is longer than 2 ms, and the longest of all. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "nsdyn/contact.h"
#include "nsdyn/lcp.h"
#include "support/piles.h"
#include "support/problems.h"

#define NOTABLE 2e-3

typedef struct watch {
  double begin, last, longest, each, of_all;
  const char *activity; /* of the call that ended the longest */
} watch;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void look(watch *w, const char *activity)
{
  const double t = now();
  if (t - w->last > w->longest) {
    w->longest = t - w->last;
    w->activity = activity;
  }
  w->last = now();
}

static int progress(void *user, const char *activity, double done)
{
  watch *w = user;
  (void)done;
  look(w, activity);
  return w->last - w->begin > w->each;
}

static void begin(watch *w)
{
  w->longest = 0.0;
  w->activity = "";
  w->begin = w->last = now();
}

static void end(watch *w, const char *what, int n, const char *method, int status)
{
  look(w, "the end");
  w->of_all = fmax(w->of_all, w->longest);
  if (w->longest > NOTABLE) {
    printf("%-28s %5d  %-22s %7.2f ms before \"%s\", in %.2f s, status %d\n", what, n, method,
           1e3 * w->longest, w->activity, w->last - w->begin, status);
    fflush(stdout);
  }
}

static int go_on(void *user, const nsdyn_lcp_piece *piece)
{
  (void)user;
  (void)piece;
  return 0;
}

static void solve_lcp(watch *w, nsdyn_context *ctx, const problem *p, double *x)
{
  static const char *const names[] = {"automatic", "Lemke",       "Murty",      "principal",
                                      "block",     "enumerative", "sweep",      "Newton, min",
                                      "FB",        "Marquardt R", "Marquardt P"};
  for (int32_t method = NSDYN_LCP_AUTOMATIC; method <= NSDYN_LCP_MARQUARDT_PROJECTED; method++) {
    nsdyn_lcp_options options;
    nsdyn_lcp *lcp;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = method;
    if (nsdyn_lcp_new(ctx, &options, &lcp, NULL)) {
      exit(2);
    }
    begin(w);
    const nsdyn_status status =
        nsdyn_lcp_solve_mixed(lcp, p->n, p->A, p->n, p->b, problem_lo(p), problem_hi(p), x, NULL);
    end(w, p->name, p->n, names[method], status);
    nsdyn_lcp_free(lcp);
  }
  nsdyn_lcp *lcp;
  nsdyn_lcp_census census;
  nsdyn_lcp_census_init(&census, sizeof census);
  if (!problem_lo(p) && nsdyn_lcp_new(ctx, NULL, &lcp, NULL) == NSDYN_OK) {
    begin(w);
    const nsdyn_status status = nsdyn_lcp_enumerate(lcp, p->n, p->A, p->n, p->b, go_on, NULL, &census);
    end(w, p->name, p->n, "census", status);
    nsdyn_lcp_free(lcp);
  }
}

static void *room(size_t count, size_t size)
{
  void *memory = calloc(count + 1, size);
  if (!memory) {
    exit(2);
  }
  return memory;
}

/* The classes of A, and the text of the problem. */
static void look_at_lcp(watch *w, nsdyn_context *ctx, const problem *p)
{
  nsdyn_lcp *lcp;
  nsdyn_lcp_classes classes;
  nsdyn_lcp_classes_init(&classes, sizeof classes);
  if (nsdyn_lcp_new(ctx, NULL, &lcp, NULL)) {
    exit(2);
  }
  begin(w);
  const nsdyn_status classified = nsdyn_lcp_classify(lcp, p->n, p->A, p->n, &classes);
  end(w, p->name, p->n, "classes", classified);
  const size_t length = nsdyn_lcp_write_text(p->n, p->A, p->n, p->b, NULL, NULL, NULL, 0);
  const size_t n = (size_t)p->n;
  char *text = room(length, 1);
  double *A = room(n * n + n, sizeof *A);
  int32_t size = p->n;
  (void)nsdyn_lcp_write_text(p->n, p->A, p->n, p->b, NULL, NULL, text, length);
  begin(w);
  const nsdyn_status read =
      nsdyn_lcp_read_text(lcp, text, length ? length - 1 : 0, &size, A, p->n, A + n * n, NULL, NULL);
  end(w, p->name, p->n, "reading", read);
  free(text);
  free(A);
  nsdyn_lcp_free(lcp);
}

static void solve_lcps(watch *w, nsdyn_context *ctx, int n, const char *text)
{
  problem *p = problem_new(n);
  double *x = calloc((size_t)n, sizeof *x);
  if (!p || !x) {
    exit(2);
  }
  for (int k = 0; k < problem_class_count(); k++) {
    if (strstr(problem_class_name(k), text) && problem_class_most(k) >= n / 2) {
      problem_make(p, k, n, 1);
      solve_lcp(w, ctx, p, x);
      look_at_lcp(w, ctx, p);
    }
  }
  free(x);
  problem_free(p);
}

static void solve_pile(watch *w, nsdyn_context *ctx, const pile *p, const char *name, double *Lambda)
{
  const nsdyn_contact_problem posed = pile_problem(p);
  static const char *const names[] = {"automatic", "direct", "LCP", "modes", "census"};
  for (int32_t method = NSDYN_CONTACT_AUTOMATIC; method <= NSDYN_CONTACT_MODES + 1; method++) {
    nsdyn_contact_options options;
    nsdyn_contact *s;
    nsdyn_contact_census census;
    nsdyn_contact_options_init(&options, sizeof options);
    nsdyn_contact_census_init(&census, sizeof census);
    options.method = method <= NSDYN_CONTACT_MODES ? method : 0;
    if (nsdyn_contact_new(ctx, &options, &s, NULL)) {
      exit(2);
    }
    begin(w);
    const nsdyn_status status = method <= NSDYN_CONTACT_MODES
                                    ? nsdyn_contact_solve(s, &posed, Lambda, NULL)
                                    : nsdyn_contact_enumerate(s, &posed, NULL, NULL, &census);
    end(w, name, p->contacts, names[method], status);
    nsdyn_contact_free(s);
  }
}

static void read_pile(watch *w, nsdyn_context *ctx, const pile *p, const char *name)
{
  const nsdyn_contact_problem posed = pile_problem(p);
  nsdyn_contact_problem read;
  nsdyn_contact *s;
  nsdyn_contact_problem_init(&read, sizeof read);
  if (nsdyn_contact_new(ctx, NULL, &s, NULL)) {
    exit(2);
  }
  const size_t length = nsdyn_contact_write_text(&posed, NULL, 0);
  char *text = room(length, 1);
  size_t size = 0;
  (void)nsdyn_contact_write_text(&posed, text, length);
  begin(w);
  nsdyn_status status = nsdyn_contact_read_text(s, text, length - 1, &read, NULL, &size);
  double *memory = room(size / sizeof(double) + 1, sizeof(double));
  w->last = now(); /* that was ours */
  status = status ? status : nsdyn_contact_read_text(s, text, length - 1, &read, memory, &size);
  end(w, name, p->contacts, "reading", status);
  free(text);
  free(memory);
  nsdyn_contact_free(s);
}

/* As a sparse LCP of either form. */
static void solve_sparse(watch *w, nsdyn_context *ctx, const pile_lcp *q, const char *name)
{
  static const int32_t methods[] = {NSDYN_LCP_AUTOMATIC, NSDYN_LCP_BLOCK, NSDYN_LCP_SWEEP,
                                    NSDYN_LCP_NEWTON_FB};
  static const char *const names[] = {"sparse automatic", "sparse block", "sparse sweep", "sparse FB"};
  const size_t n = (size_t)q->n;
  int64_t *row = room(n + 1, sizeof *row);
  size_t count = 0;
  for (size_t k = 0; k < n * n; k++) {
    count += q->A[k] != 0.0;
  }
  int32_t *column = room(count, sizeof *column);
  double *value = room(count, sizeof *value);
  for (size_t i = 0; i < n; i++) {
    row[i + 1] = row[i];
    for (size_t j = 0; j < n; j++) {
      if (q->A[i * n + j] != 0.0) {
        column[row[i + 1]] = (int32_t)j;
        value[row[i + 1]++] = q->A[i * n + j];
      }
    }
  }
  nsdyn_sparse_matrix A;
  nsdyn_sparse_matrix_init(&A, sizeof A);
  A.n = q->n;
  A.row = row;
  A.column = column;
  A.value = value;
  for (int k = 0; k < 4; k++) {
    nsdyn_lcp_options options;
    nsdyn_lcp *lcp;
    nsdyn_lcp_options_init(&options, sizeof options);
    options.method = methods[k];
    if (nsdyn_lcp_new(ctx, &options, &lcp, NULL)) {
      exit(2);
    }
    begin(w);
    const nsdyn_status status = nsdyn_lcp_solve_sparse(lcp, &A, q->b, q->lo, q->hi, q->x, NULL);
    end(w, name, q->n, names[k], status);
    nsdyn_lcp_free(lcp);
  }
  free(row);
  free(column);
  free(value);
}

static void solve_piles(watch *w, nsdyn_context *ctx, int contacts, const char *text)
{
  for (int kind = 0; kind < PILE_KINDS; kind++) {
    for (int load = 0; strstr(pile_name((pile_kind)kind), text) && load < PILE_LOADS; load++) {
      random_state random = random_seed((uint64_t)kind);
      pile p = pile_make((pile_kind)kind, (pile_load)load, contacts, &random);
      double *Lambda = calloc((size_t)p.rows, sizeof *Lambda);
      if (!Lambda) {
        exit(2);
      }
      solve_pile(w, ctx, &p, pile_name((pile_kind)kind), Lambda);
      free(Lambda);
      read_pile(w, ctx, &p, pile_name((pile_kind)kind));
      for (int form = 0; form < PILE_FORMS; form++) {
        pile_lcp q = pile_lcp_make(&p, (pile_form)form);
        solve_sparse(w, ctx, &q, pile_name((pile_kind)kind));
        pile_lcp_free(&q);
      }
      pile_free(&p);
    }
  }
}

int main(int argc, char **argv)
{
  watch w = {.each = 1.0};
  int n = 0, contacts = 0;
  const char *text = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--lcp") == 0) {
      n = (int)strtol(argv[i + 1], NULL, 10);
    } else if (strcmp(argv[i], "--contacts") == 0) {
      contacts = (int)strtol(argv[i + 1], NULL, 10);
    } else if (strcmp(argv[i], "--class") == 0) {
      text = argv[i + 1];
    } else if (strcmp(argv[i], "--each") == 0) {
      w.each = strtod(argv[i + 1], NULL);
    }
  }
  if (argc % 2 == 0 || n < 0 || contacts < 0 || n + contacts == 0) {
    fprintf(stderr, "silence: [--lcp N] [--contacts N] [--class TEXT] [--each S]\n");
    return 2;
  }
  nsdyn_context_def def;
  nsdyn_context *ctx;
  nsdyn_context_def_init(&def, sizeof def);
  def.progress = progress;
  def.user = &w;
  if (nsdyn_context_new(&def, &ctx, NULL)) {
    return 2;
  }
  if (n > 0) {
    solve_lcps(&w, ctx, n, text);
  }
  if (contacts > 0) {
    solve_piles(&w, ctx, contacts, text);
  }
  nsdyn_context_free(ctx);
  printf("longest: %.2f ms\n", 1e3 * w.of_all);
  return 0;
}
