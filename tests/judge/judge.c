/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* judge [--class NAME] [--first N] [--cases N] [--for S]
 * judge --list
 *
 * Enumerations and proofs of random problems against exact arithmetic (support/counting.h): the cases of each
 * class from number `first` on (0), so many (1000), none of which begins after S seconds of its class. Prints
 * each lie with the command that repeats it, a row for each class, and `N passed, N failed`. A lie is a false
 * list or a false proof; an honest failure is a list left undecided or a solution not found. Where there is
 * none and the solver, beside the enumeration, ends without a proof, that is right, but counted. The exit
 * status is 1 where there is a lie, or more than one honest failure in a hundred cases. `list` prints the
 * names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/counting.h"

enum { HONEST = 100, NAME = 40 };

typedef struct choice {
  const char *name;
  uint64_t first, cases;
  double time;
} choice;

typedef struct row {
  long runs, right, honest, lies, unproved;
} row;

/* A name is one word: "lcp-ties", "contact-two-feet". */
static void name_of(int k, char *name)
{
  const int lcps = counting_lcp_classes();
  snprintf(name, NAME, "%s-%s", k < lcps ? "lcp" : "contact",
           k < lcps ? counting_lcp_name(k) : counting_contact_name(k - lcps));
  for (char *c = name; *c; c++) {
    if (*c == ' ') {
      *c = '-';
    }
  }
}

static void run_case(int k, const char *name, uint64_t number, row *r)
{
  const int lcps = counting_lcp_classes();
  counting c = {.cases = 0};
  if (k < lcps) {
    counting_lcp(k, number, &c);
  } else {
    counting_contact(k - lcps, number, &c);
  }
  r->runs++;
  r->unproved += c.unproved;
  if (c.false_lists || c.false_proofs) {
    r->lies++;
    printf("LIE %s: a false %s\n    judge --class %s --first %llu --cases 1\n", name,
           c.false_lists ? "list" : "proof", name, (unsigned long long)number);
  } else if (c.undecided || c.unsolved) {
    r->honest++;
  } else {
    r->right++;
  }
}

static row run_class(int k, const char *name, const choice *o)
{
  const time_t begin = time(NULL);
  row r = {.runs = 0};
  for (uint64_t n = o->first; n < o->first + o->cases && difftime(time(NULL), begin) <= o->time; n++) {
    run_case(k, name, n, &r);
  }
  printf("%-31s %7ld runs %7ld right %5ld failed %5ld lies %7ld unproved\n", name, r.runs, r.right, r.honest,
         r.lies, r.unproved);
  fflush(stdout);
  return r;
}

static int read_choice(int argc, char **argv, choice *o)
{
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--class") == 0) {
      o->name = value;
    } else if (strcmp(argv[i], "--first") == 0) {
      o->first = strtoull(value, NULL, 10);
    } else if (strcmp(argv[i], "--cases") == 0) {
      o->cases = strtoull(value, NULL, 10);
    } else if (strcmp(argv[i], "--for") == 0) {
      o->time = strtod(value, NULL);
    } else {
      return 0;
    }
  }
  return argc % 2;
}

int main(int argc, char **argv)
{
  const int classes = counting_lcp_classes() + counting_contact_classes();
  const int lists = argc == 2 && strcmp(argv[1], "--list") == 0;
  choice o = {.name = NULL, .cases = 1000, .time = INFINITY};
  row sum = {.runs = 0};
  if (!lists && !read_choice(argc, argv, &o)) {
    fprintf(stderr, "judge: [--class NAME] [--first N] [--cases N] [--for S], or --list\n");
    return 2;
  }
  for (int k = 0; k < classes; k++) {
    char name[NAME];
    name_of(k, name);
    if (lists) {
      printf("%s\n", name);
    } else if (!o.name || strcmp(o.name, name) == 0) {
      const row r = run_class(k, name, &o);
      sum.runs += r.runs;
      sum.right += r.right;
      sum.honest += r.honest;
      sum.lies += r.lies;
    }
  }
  if (lists) {
    return 0;
  }
  if (sum.runs == 0) {
    fprintf(stderr, "judge: no case was run; --list names the classes\n");
    return 2;
  }
  printf("%ld passed, %ld failed\n", sum.right, sum.runs - sum.right);
  return sum.lies > 0 || HONEST * sum.honest > sum.runs;
}
