/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* zoo [--machine NAME] [--variant K] [--case N | --first N] [--cases N] [--for S]
 *     [--integrator events|steps] [--tol T] [--offset T] [--units K] [--seconds S] [--project 0|1]
 *     [--scheme WORD] [--finer N] [--runs N] [--wrong WORD] [--verbose | --log] [--each]
 * zoo --list
 *
 * Runs machines × variants × integrators × cases. Unless given, start time, units, tolerance and whether
 * steps project follow from the number of a case, so that 24 cases see each combination once. `finer` makes
 * steps so many times shorter: an error that is the integrator's order shrinks with them. `scheme` is that of
 * steps: moreau (unless given), euler, moreau-jean, stewart-trinkle, anitescu-potra, generalized-alpha, or
 * each, which gives each case another one. Cases are numbered
 * from `first` on; with `for` none of a machine begins after S seconds. `list` prints the names of the
 * machines. Prints what went
 * wrong with the command that repeats it, one row per machine and integrator, and `N passed, N failed`; with
 * `each` a line for each run, which tells whether a change has changed anything. Two
 * cases of each variant are run unless told otherwise, by their number or by that of the `runs` of a machine
 * by an integrator (NSDYN_TEST_SCALE makes both more). With `wrong` the library, whose checker of models is
 * off then, is told wrong directions (sign, swapped, zero, half, third, unhatted) or gaps (gap) of contacts:
 * most such runs are to fail, and lies are what it takes for a motion. Or it is told laws that are off by 5 %
 * (restitution, friction): then lies are what is to be seen. The exit status is 1 where there is a lie, a run
 * that does not end, or more than one honest failure in a hundred runs; of laws, where less than a third of
 * the runs is called a lie. */
#include <stdio.h>
#include <time.h>

#include "zoo.h"

/* ---- for machines ----------------------------------------------------------------------------------------
 */

void *zoo_model(zoo_case *c, size_t bytes, int nq, int nu, int ncontacts)
{
  void *model = calloc(1, bytes);
  if (!model) {
    fprintf(stderr, "zoo: no memory\n");
    exit(1);
  }
  c->def.user = model;
  c->model_size = bytes;
  c->def.nq = nq;
  c->def.nu = nu;
  c->def.ncontacts = ncontacts;
  return model;
}

void *zoo_copy_model(const zoo_case *c)
{
  void *model = malloc(c->model_size);
  if (!model) {
    fprintf(stderr, "zoo: no memory\n");
    exit(1);
  }
  return memcpy(model, c->def.user, c->model_size);
}

nsdyn_contact_law zoo_law(double mu, double eps_n)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = mu;
  law.eps_n = eps_n;
  return law;
}

void zoo_sizes(zoo_case *c, double q_size, double u_size)
{
  for (int j = 0; j < ZOO_MOST; j++) {
    c->q_size[j] = q_size;
    c->u_size[j] = u_size;
  }
}

/* ---- the command line
 * -------------------------------------------------------------------------------------- */

typedef struct choice {
  const char *machine;
  int variant, first, cases, events, steps, space, units, offset_given, project, finer, each, runs, wrong,
      scheme;
  double tol, offset, time; /* time: seconds for each machine */
  zoo_limits limits;
} choice;

static const zoo_unit zoo_units[] = {{"m kg s", 1.0, 1.0, 1.0},
                                     {"um kg s", 1e6, 1.0, 1.0},
                                     {"mm t s", 1e3, 1e-3, 1.0},
                                     {"m kg ms", 1.0, 1.0, 1e3}};
enum { UNITS = 4, LEAST_CASES = 2, HONEST = 100 };

static double real(const char *text)
{
  char *end = NULL;
  const double value = strtod(text, &end);
  if (end == text || *end) {
    fprintf(stderr, "zoo: %s is no number\n", text);
    exit(2);
  }
  return value;
}

static int whole(const char *text)
{
  return (int)real(text);
}

static const char *argument(int argc, char **argv, int *k)
{
  if (*k + 1 >= argc) {
    fprintf(stderr, "zoo: %s wants a value\n", argv[*k]);
    exit(2);
  }
  return argv[++*k];
}

/* By the numbers of nsdyn_scheme; the last word: each case by another one. */
static const char *const schemes[] = {
    "moreau", "euler", "moreau-jean", "stewart-trinkle", "anitescu-potra", "generalized-alpha", "each"};
enum { SCHEMES = 6 };

static int scheme_of(const char *word)
{
  for (int k = 0; k <= SCHEMES; k++) {
    if (strcmp(word, schemes[k]) == 0) {
      return k;
    }
  }
  fprintf(stderr, "zoo: there is no scheme %s\n", word);
  exit(2);
}

static choice read_choice(int argc, char **argv)
{
  const char *scale = getenv("NSDYN_TEST_SCALE");
  choice o = {NULL, -1,  0,        LEAST_CASES,     1, 1, 0, -1, 0, -1, 1, 0, 0, 0, 0,
              0.0,  0.0, INFINITY, {2.0, 100000, 0}};
  const double times = scale ? real(scale) : 1.0;
  if (scale) {
    o.cases = (int)fmax(1.0, LEAST_CASES * times);
    o.limits.seconds *= times < 0.5 ? 100.0 : 1.0; /* with sanitizers, under valgrind */
  }
  for (int k = 1; k < argc; k++) {
    const char *name = argv[k];
    if (strcmp(name, "--verbose") == 0 || strcmp(name, "--log") == 0) {
      o.limits.verbose = name[2] == 'v' ? 1 : 2;
      continue;
    }
    if (strcmp(name, "--each") == 0) {
      o.each = 1;
      continue;
    }
    const char *value = argument(argc, argv, &k);
    if (strcmp(name, "--machine") == 0) {
      o.machine = value;
    } else if (strcmp(name, "--variant") == 0) {
      o.variant = whole(value);
    } else if (strcmp(name, "--case") == 0) {
      o.first = whole(value);
      o.cases = 1;
    } else if (strcmp(name, "--first") == 0) {
      o.first = whole(value);
    } else if (strcmp(name, "--for") == 0) {
      o.time = real(value);
    } else if (strcmp(name, "--cases") == 0) {
      o.cases = whole(value);
    } else if (strcmp(name, "--runs") == 0) {
      o.runs = (int)fmax(1.0, ceil(whole(value) * times));
    } else if (strcmp(name, "--integrator") == 0) {
      o.events = value[0] == 'e';
      o.steps = value[0] == 's';
      o.space = value[0] == 'i'; /* in space, by events */
    } else if (strcmp(name, "--tol") == 0) {
      o.tol = real(value);
    } else if (strcmp(name, "--offset") == 0) {
      o.offset = real(value);
      o.offset_given = 1;
    } else if (strcmp(name, "--units") == 0) {
      o.units = whole(value);
    } else if (strcmp(name, "--project") == 0) {
      o.project = whole(value);
    } else if (strcmp(name, "--scheme") == 0) {
      o.scheme = scheme_of(value);
    } else if (strcmp(name, "--finer") == 0) {
      o.finer = whole(value);
    } else if (strcmp(name, "--wrong") == 0) {
      o.wrong = zoo_wrong_kind(value);
      if (o.wrong < 0) {
        fprintf(stderr, "zoo: %s is no way to be wrong\n", value);
        exit(2);
      }
    } else if (strcmp(name, "--seconds") == 0) {
      o.limits.seconds = real(value);
    } else {
      fprintf(stderr, "zoo: unknown option %s\n", name);
      exit(2);
    }
  }
  return o;
}

/* ---- rows of the table
 * ------------------------------------------------------------------------------------------ */

enum { REASONS = 12 };
typedef struct row {
  int runs, count[4];
  double error, cpu;
  char reason[REASONS][200];
  int times[REASONS];
} row;

/* "x = 1.5e-3" becomes "x = #". */
static void without_numbers(const char *text, char *out, size_t size)
{
  size_t n = 0;
  while (*text && n + 1 < size) {
    char *end = NULL;
    const int is_number =
        (*text >= '0' && *text <= '9') || (*text == '-' && text[1] >= '0' && text[1] <= '9');
    if (is_number) {
      strtod(text, &end);
      text = end;
      out[n++] = '#';
    } else {
      out[n++] = *text++;
    }
  }
  out[n] = 0;
}

static void add_reason(row *r, const char *reason)
{
  int k = 0;
  while (k < REASONS - 1 && r->times[k] && strcmp(r->reason[k], reason) != 0) {
    k++;
  }
  if (!r->times[k]) {
    snprintf(r->reason[k], sizeof r->reason[k], "%s", reason);
  }
  r->times[k]++;
}

static void tell(const char *what, const choice *o, const zoo_machine *m, int variant, int number, int steps,
                 const zoo_case *c, const zoo_result *result)
{
  printf("%s %s/%d (%s) at t − t0 = %.6g of %.6g, %lld events, %.2f s: ", what, m->name, variant,
         m->variant ? m->variant(variant) : "",
         result->verdict == ZOO_LIE ? result->fault.t - c->t0 : result->t, c->span, result->events,
         result->cpu);
  if (result->verdict == ZOO_LIE) {
    printf("%s: %s: %.3e, allowed %.3e", result->fault.kind, result->fault.text, result->fault.value,
           result->fault.allowed);
  } else {
    printf("%s: %s", nsdyn_status_name(result->status), result->message);
  }
  printf("\n    zoo --machine %s --variant %d --case %d --integrator %s", m->name, variant, number,
         steps ? "steps" : "events");
  if (o->tol > 0.0) {
    printf(" --tol %g", o->tol);
  }
  if (o->offset_given) {
    printf(" --offset %.17g", o->offset);
  }
  if (o->units >= 0) {
    printf(" --units %d", o->units);
  }
  if (o->project >= 0) {
    printf(" --project %d", o->project);
  }
  if (steps && c->scheme != NSDYN_SCHEME_MOREAU) {
    printf(" --scheme %s", schemes[c->scheme]);
  }
  printf("\n");
}

static void count_result(row *r, const choice *o, const zoo_machine *m, int variant, int number, int steps,
                         const zoo_case *c, const zoo_result *result)
{
  static const char *const words[] = {"right", "failure", "LIE", "SLOW"};
  char reason[140], named[180];
  r->runs++;
  r->count[result->verdict]++;
  r->cpu += result->cpu;
  if (o->each) {
    printf("%s/%d %d %s: %s, %lld events, t %.17g, error %.17g%s%s\n", m->name, variant, number,
           steps ? "steps" : "events", words[result->verdict], result->events, result->t, result->error,
           result->verdict == ZOO_RIGHT ? "" : ": ",
           result->verdict == ZOO_LIE       ? result->fault.text
           : result->verdict == ZOO_FAILURE ? result->message
                                            : "");
  }
  if (result->verdict == ZOO_RIGHT) {
    r->error = fmax(r->error, result->error);
    if (o->limits.verbose && o->cases == 1) {
      tell("right", o, m, variant, number, steps, c, result);
    }
    return;
  }
  without_numbers(result->message, reason, sizeof reason);
  snprintf(named, sizeof named, "%s %s", words[result->verdict],
           result->verdict == ZOO_LIE ? result->fault.kind : reason);
  add_reason(r, named);
  if (o->limits.verbose || r->count[result->verdict] <= 2) {
    tell(words[result->verdict], o, m, variant, number, steps, c, result);
  }
}

static void print_row(const zoo_machine *m, int steps, const row *r)
{
  printf("%-16s %-6s %6d runs %6d right %5d failed %5d lies %5d slow  error/allowed %.1e  %.1f s\n", m->name,
         steps ? "steps" : "events", r->runs, r->count[ZOO_RIGHT], r->count[ZOO_FAILURE], r->count[ZOO_LIE],
         r->count[ZOO_SLOW], r->error, r->cpu);
  for (int k = 0; k < REASONS && r->times[k]; k++) {
    printf("      %5d × %s\n", r->times[k], r->reason[k]);
  }
}

/* ---- running
 * ---------------------------------------------------------------------------------------------------- */

static uint64_t seed_of(const char *name, int variant, int number)
{
  uint64_t seed = 1469598103934665603u;
  for (; *name; name++) {
    seed = (seed ^ (uint64_t)(unsigned char)*name) * 1099511628211u;
  }
  return seed + (uint64_t)variant * 1000003u + (uint64_t)number * 7919u;
}

static void make_case(const zoo_machine *m, int variant, int number, const choice *o, zoo_case *c)
{
  zoo_ask ask = {variant, random_seed(seed_of(m->name, variant, number)), 0.0, zoo_units[0]};
  ask.unit = zoo_units[o->units >= 0 ? o->units % UNITS : number / 2 % UNITS];
  ask.t0 = (o->offset_given ? o->offset : number % 2 ? 1e6 : 0.0) * ask.unit.s;
  memset(c, 0, sizeof *c);
  nsdyn_system_def_init(&c->def, sizeof c->def);
  c->t0 = ask.t0;
  c->outputs = 16;
  c->least_steps = 2000;
  c->steps_bound = 30.0;
  c->amplify = 1.0;
  c->project = (variant + number + number / 2) % 2; /* half of all steps */
  for (int i = 0; i < ZOO_MOST; i++) {
    c->law[i] = zoo_law(0.0, 0.0);
  }
  m->make(c, &ask);
  c->project = o->project >= 0 ? o->project : c->project;
  c->least_steps *= o->finer;
  c->scheme = o->scheme < SCHEMES ? o->scheme : (variant + number + number / 12) % SCHEMES;
}

/* A case, whose truth is dear, is made once; each integrator has a copy of it. rows: events, steps. */
static void run_case(const zoo_machine *m, int variant, int number, const choice *o, row *rows)
{
  static const double tols[] = {1e-9, 1e-6, 1e-12};
  const double tol = o->tol > 0.0 ? o->tol : tols[number / 8 % 3];
  zoo_case made;
  zoo_fault fault;
  make_case(m, variant, number, o, &made);
  if (o->space) {
    zoo_result result;
    if (zoo_goes_into_space(&made)) {
      zoo_run_space(&made, 0.3 + 0.7 * number + variant, tol, &result);
      count_result(&rows[0], o, m, variant, number, 0, &made, &result);
    }
    free(made.def.user);
    return;
  }
  made.wrong = o->wrong;
  if (o->wrong && !zoo_wrong_applies(&made)) {
    free(made.def.user);
    return;
  }
  const int is_wrong = zoo_check_model(&made, &fault);
  for (int steps = o->events ? 0 : 1; steps < (o->steps ? 2 : 1); steps++) {
    zoo_case c = made;
    zoo_result result;
    if (steps ? c.events_only : c.steps_only) {
      continue;
    }
    c.def.user = zoo_copy_model(&made);
    memset(&result, 0, sizeof result);
    if (is_wrong) {
      result.verdict = ZOO_LIE;
      result.fault = fault;
    } else if (steps) {
      zoo_run_steps(&c, tol, &o->limits, &result);
    } else {
      zoo_run_events(&c, tol, &o->limits, &result);
    }
    count_result(&rows[steps], o, m, variant, number, steps, &c, &result);
    free(c.def.user);
  }
  free(made.def.user);
}

/* Case by case through all variants, so that those which the time leaves out are the same of each. */
static void run_machine(const zoo_machine *m, const choice *o, row *rows)
{
  const time_t begin = time(NULL);
  const int cases = o->runs ? (o->runs + m->variants - 1) / m->variants : o->cases;
  for (int n = o->first; n < o->first + cases; n++) {
    for (int variant = 0; variant < m->variants; variant++) {
      if (difftime(time(NULL), begin) > o->time) {
        return;
      }
      if (o->variant < 0 || variant == o->variant) {
        run_case(m, variant, n, o, rows);
      }
    }
  }
}

static int print_names(void)
{
  for (int k = 0; k < zoo_count; k++) {
    printf("%s\n", zoo_list[k]->name);
  }
  return 0;
}

int main(int argc, char **argv)
{
  if (argc == 2 && strcmp(argv[1], "--list") == 0) {
    return print_names();
  }
  const choice o = read_choice(argc, argv);
  int passed = 0, failed = 0, known = 0, honest = 0;
  for (int k = 0; k < zoo_count; k++) {
    const zoo_machine *m = zoo_list[k];
    if (o.machine && strcmp(o.machine, m->name) != 0) {
      continue;
    }
    known = 1;
    row rows[2];
    memset(rows, 0, sizeof rows);
    run_machine(m, &o, rows);
    for (int steps = 0; steps < 2; steps++) {
      const row *r = &rows[steps];
      if (r->runs) {
        print_row(m, steps, r);
      }
      passed += r->count[ZOO_RIGHT];
      failed += r->runs - r->count[ZOO_RIGHT];
      honest += r->count[ZOO_FAILURE];
    }
    fflush(stdout);
  }
  if (!known) {
    fprintf(stderr, "zoo: no machine %s\n", o.machine ? o.machine : "");
    return 2;
  }
  printf("%d passed, %d failed\n", passed, failed);
  if (zoo_wrong_is_law(o.wrong)) {
    return 3 * (failed - honest) < passed + failed;
  }
  return failed > honest || (!o.wrong && HONEST * honest > passed + failed);
}
