/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* silence [--lcp N] [--contacts N] [--class TEXT] [--each S]
 *
 * How long a long call leaves its caller without a question: the longest processor time between two calls of
 * progress, from the beginning of a solve to its end, which is asked for after S seconds (1). LCPs of every
 * class of support/problems.h whose name contains TEXT, of about N unknowns, by every method and the census;
 * piles of about N contacts, by every method that takes them and the census. A row each where it is longer
 * than 2 ms, and the longest of all. */
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
