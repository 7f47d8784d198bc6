/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_results = 2000, most_targets = 500, most_contenders = 16, most_rounds = 1000 };

static const double turn = 100e-6; /* s: long against the clock, short against a time slice */
static const double longest = 4.0; /* s that a race takes, unless its least number of rounds takes longer */
static const int least_rounds = 5;

typedef struct result {
  const char *work, *contender;
  int size, failed;
  double minimum, median, spread; /* ns; spread is the quartile range over the median */
  double ratio;                   /* its time over that of the first, median of the rounds */
  double longest;                 /* ns, of a series */
} result;

typedef enum target_kind { AS_FAST, WITHIN, LONGEST, SOLVES_ALL } target_kind;

typedef struct target {
  target_kind kind;
  const char *work, *peer;
  int size;
  double number; /* factor, ns */
} target;

struct bench {
  const char *name, *csv, *figure, *work, *contender;
  int size, rounds, seeds, first, once, check;
  int results, targets;
  result result[most_results];
  target target[most_targets];
};

static volatile double kept;

void bench_keep(double value)
{
  kept = value;
}

/* splitmix64 */
double bench_random(unsigned long long *state)
{
  unsigned long long z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

static void stop(const char *program, const char *what)
{
  fprintf(stderr,
          "%s: %s\nusage: %s [--csv FILE] [--figure FILE] [--check] [--once] [--work TEXT] [--size N] "
          "[--contender TEXT] [--rounds N] [--seeds N] [--first N]\n",
          program, what, program);
  exit(2);
}

static int whole_number(const char *program, const char *text)
{
  char *end;
  const long number = strtol(text, &end, 10);
  if (end == text || *end || number < 0 || number > INT_MAX) {
    stop(program, "a whole number is wanted");
  }
  return (int)number;
}

static void read_options(bench *b, int argc, char **argv)
{
  for (int i = 1; i < argc; i++) {
    const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(option, "--check") == 0) {
      b->check = 1;
    } else if (strcmp(option, "--once") == 0) {
      b->once = 1;
    } else if (!value) {
      stop(argv[0], "unknown option, or one without its value");
    } else {
      i++;
      if (strcmp(option, "--csv") == 0) {
        b->csv = value;
      } else if (strcmp(option, "--figure") == 0) {
        b->figure = value;
      } else if (strcmp(option, "--work") == 0) {
        b->work = value;
      } else if (strcmp(option, "--contender") == 0) {
        b->contender = value;
      } else if (strcmp(option, "--size") == 0) {
        b->size = whole_number(argv[0], value);
      } else if (strcmp(option, "--rounds") == 0) {
        b->rounds = whole_number(argv[0], value);
      } else if (strcmp(option, "--seeds") == 0) {
        b->seeds = whole_number(argv[0], value);
      } else if (strcmp(option, "--first") == 0) {
        b->first = whole_number(argv[0], value);
      } else {
        stop(argv[0], "unknown option");
      }
    }
  }
  if (b->rounds < 1 || b->rounds > most_rounds) {
    stop(argv[0], "rounds are 1 to 1000");
  }
}

bench *bench_new(const char *name, int argc, char **argv)
{
  bench *b = calloc(1, sizeof *b);
  if (!b) {
    stop(argv[0], "no memory");
  }
  b->name = name;
  b->size = -1;
  b->rounds = 101;
  read_options(b, argc, argv);
  if (!b->once) {
    printf("%-28s %5s  %-18s %10s %10s %7s %8s %7s\n", "work", "size", "code", "min ns", "median ns",
           "spread", "ratio", "failed");
  }
  return b;
}

/* Time that the processor spent on us: what others do on the machine in the meantime does not count. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_runs(const bench_contender *c, void *data, int runs)
{
  const double start = now();
  for (int i = 0; i < runs; i++) {
    c->run(c->own ? c->own : data);
  }
  return now() - start;
}

/* How many runs fill one turn, and what it takes; warms the caches on the way. */
static int runs_of_turn(const bench_contender *c, void *data, double *time)
{
  int runs = 1;
  while ((*time = time_runs(c, data, runs)) < turn && runs < 1 << 24) {
    runs *= 2;
  }
  return runs;
}

static int ascending(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Sorts. */
static double quantile(double *x, int n, double q)
{
  qsort(x, (size_t)n, sizeof *x, ascending);
  return x[(int)(q * (n - 1) + 0.5)];
}

static void record(bench *b, const result *r)
{
  if (b->results == most_results) {
    fprintf(stderr, "bench: more than %d results\n", most_results);
    exit(2);
  }
  b->result[b->results++] = *r;
  printf("%-28s %5d  %-18s %10.1f %10.1f %6.0f%% %7.2fx", r->work, r->size, r->contender, r->minimum,
         r->median, 100.0 * r->spread, r->ratio);
  printf(r->failed ? " %7d\n" : "\n", r->failed);
  fflush(stdout);
}

static int is_wanted(const bench *b, const bench_contender *c)
{
  return c->run && (!b->contender || strstr(c->name, b->contender));
}

/* The next step width that meets every contender of a round once. With a new one in each round nobody always
 * comes after the same one, whose data have driven its own from the caches. */
static int next_stride(int stride, int count)
{
  for (;;) {
    stride = stride + 1 < count ? stride + 1 : 1;
    int a = stride, b = count;
    while (b) {
      const int rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1 || count < 2) {
      return stride;
    }
  }
}

/* time[i * most_rounds + k]: contender i in round k, ns per problem. Returns the number of rounds. */
static int take_turns(const bench *b, int problems, const bench_contender *contenders, int count, void *data,
                      double *time)
{
  int runs[most_contenders];
  double round = 0.0;
  for (int i = 0; i < count; i++) {
    double own = 0.0;
    runs[i] = is_wanted(b, &contenders[i]) ? runs_of_turn(&contenders[i], data, &own) : 0;
    round += own;
  }
  int rounds = b->rounds;
  if (rounds > least_rounds && round * rounds > longest) {
    rounds = longest / round > least_rounds ? (int)(longest / round) : least_rounds;
  }
  int stride = 1;
  for (int k = 0; k < rounds; k++) {
    stride = next_stride(stride, count);
    for (int step = 0; step < count; step++) {
      const int i = (step * stride + k) % count;
      if (runs[i]) {
        time[i * most_rounds + k] = 1e9 * time_runs(&contenders[i], data, runs[i]) / runs[i] / problems;
      }
    }
  }
  return rounds;
}

static void evaluate(bench *b, const char *work, int size, const bench_contender *c, int rounds,
                     const double *first, const double *own)
{
  double sorted[most_rounds];
  result r = {.work = work, .contender = c->name, .size = size, .failed = c->failed};
  for (int k = 0; k < rounds; k++) {
    sorted[k] = own[k] / first[k];
  }
  r.ratio = quantile(sorted, rounds, 0.5);
  memcpy(sorted, own, sizeof *own * (size_t)rounds);
  r.median = quantile(sorted, rounds, 0.5);
  r.minimum = sorted[0];
  r.spread = (quantile(sorted, rounds, 0.75) - quantile(sorted, rounds, 0.25)) / r.median;
  record(b, &r);
}

int bench_wants(const bench *b, const char *work, int size)
{
  return (!work || !b->work || strstr(work, b->work)) && (b->size < 0 || size == b->size);
}

void bench_race(bench *b, const char *work, int size, int problems, const bench_contender *contenders,
                int count, void *data)
{
  if (!bench_wants(b, work, size)) {
    return;
  }
  if (count > most_contenders) {
    fprintf(stderr, "bench: more than %d contenders\n", most_contenders);
    exit(2);
  }
  if (b->once) {
    for (int i = 0; i < count; i++) {
      if (is_wanted(b, &contenders[i])) {
        (void)time_runs(&contenders[i], data, 1);
      }
    }
    return;
  }
  double *time = calloc((size_t)count * most_rounds, sizeof *time);
  if (!time) {
    fprintf(stderr, "bench: no memory\n");
    exit(2);
  }
  const int rounds = take_turns(b, problems, contenders, count, data, time);
  int first = -1;
  for (int i = 0; i < count; i++) {
    if (is_wanted(b, &contenders[i])) {
      first = first < 0 ? i : first;
      evaluate(b, work, size, &contenders[i], rounds, time + first * most_rounds, time + i * most_rounds);
    }
  }
  free(time);
}

/* k from b->first on. */
static int measure_each(const bench *b, const bench_series *s, int count, double *time, int *failed)
{
  int last = 0;
  for (int i = 0; i < count; i++) {
    s->make(s->own, b->first + i);
    const double start = now();
    s->solve(s->own);
    time[i] = 1e9 * (now() - start);
    *failed += !s->is_solved(s->own);
    last = time[i] > time[last] ? i : last;
  }
  return b->first + last;
}

void bench_each(bench *b, const char *work, int size, int most, const bench_series *s)
{
  const int count = b->once ? 1 : b->seeds ? b->seeds : most;
  if (!bench_wants(b, work, size) || (b->contender && !strstr(s->name, b->contender))) {
    return;
  }
  double *time = calloc((size_t)count, sizeof *time);
  if (!time) {
    fprintf(stderr, "bench: no memory\n");
    exit(2);
  }
  result r = {.work = work, .contender = s->name, .size = size, .ratio = 1.0};
  const int at = measure_each(b, s, count, time, &r.failed);
  if (!b->once) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
      sum += time[i];
    }
    r.median = quantile(time, count, 0.5);
    r.spread = (quantile(time, count, 0.75) - quantile(time, count, 0.25)) / r.median;
    r.minimum = time[0];
    r.longest = time[count - 1];
    record(b, &r);
    printf("%-28s %5s  %-18s mean %.4g, 90 %% within %.4g, longest %.4g ns (number %d); %d of %d unsolved\n",
           "", "", "", sum / count, quantile(time, count, 0.9), r.longest, at, r.failed, count);
  }
  free(time);
}

static void add_target(bench *b, target_kind kind, const char *work, int size, const char *contender,
                       double number)
{
  if (b->targets == most_targets) {
    fprintf(stderr, "bench: more than %d targets\n", most_targets);
    exit(2);
  }
  const target t = {.kind = kind, .work = work, .peer = contender, .size = size, .number = number};
  b->target[b->targets++] = t;
}

void bench_target(bench *b, const char *work, int size, const char *peer, double factor)
{
  add_target(b, AS_FAST, work, size, peer, factor);
}

void bench_limit(bench *b, const char *work, int size, const char *contender, double ns)
{
  add_target(b, WITHIN, work, size, contender, ns);
}

void bench_longest(bench *b, const char *work, int size, const char *contender, double ns)
{
  add_target(b, LONGEST, work, size, contender, ns);
}

void bench_solves_all(bench *b, const char *work, int size, const char *contender)
{
  add_target(b, SOLVES_ALL, work, size, contender, 0.0);
}

static const result *find(const bench *b, const char *work, int size, const char *contender)
{
  for (int i = 0; i < b->results; i++) {
    const result *r = &b->result[i];
    if (r->size == size && strcmp(r->work, work) == 0 && strcmp(r->contender, contender) == 0) {
      return r;
    }
  }
  return NULL;
}

double bench_median(const bench *b, const char *work, int size, const char *contender)
{
  const result *r = find(b, work, size, contender);
  return r ? r->median : (double)NAN;
}

int bench_failed(const bench *b, const char *work, int size, const char *contender)
{
  const result *r = find(b, work, size, contender);
  return r ? r->failed : -1;
}

const char *bench_figure(const bench *b)
{
  return b->figure;
}

static int is_met(const target *t, const result *r)
{
  switch (t->kind) {
  case AS_FAST:
    return r->ratio >= t->number;
  case WITHIN:
    return r->median <= t->number;
  case LONGEST:
    return r->longest <= t->number;
  default:
    return r->failed == 0;
  }
}

static void report_missed(const target *t, const result *r)
{
  printf("missed: %s, size %d: ", t->work, t->size);
  switch (t->kind) {
  case AS_FAST:
    printf("%.2f times as fast as %s, must be %.2f\n", r->ratio, t->peer, t->number);
    break;
  case WITHIN:
    printf("%s takes %.4g ns, must be within %.4g\n", t->peer, r->median, t->number);
    break;
  case LONGEST:
    printf("%s takes up to %.4g ns, must be within %.4g\n", t->peer, r->longest, t->number);
    break;
  default:
    printf("%s leaves %d unsolved\n", t->peer, r->failed);
    break;
  }
}

/* Returns how many targets were missed. */
static int report_targets(const bench *b)
{
  int missed = 0, met = 0, unknown = 0;
  for (int i = 0; i < b->targets; i++) {
    const target *t = &b->target[i];
    const result *r = find(b, t->work, t->size, t->peer);
    if (!r) {
      unknown++;
    } else if (is_met(t, r)) {
      met++;
    } else {
      missed++;
      report_missed(t, r);
    }
  }
  printf("targets: %d met, %d missed, %d not measured\n", met, missed, unknown);
  return missed;
}

static int write_csv(const bench *b)
{
  FILE *file = fopen(b->csv, "w");
  if (!file) {
    perror(b->csv);
    return 0;
  }
  fprintf(file, "bench,work,size,code,minimum_ns,median_ns,spread,ratio,failed\n");
  for (int i = 0; i < b->results; i++) {
    const result *r = &b->result[i];
    fprintf(file, "%s,%s,%d,%s,%.1f,%.1f,%.3f,%.3f,%d\n", b->name, r->work, r->size, r->contender, r->minimum,
            r->median, r->spread, r->ratio, r->failed);
  }
  const int good = !ferror(file);
  return fclose(file) == 0 && good;
}

int bench_finish(bench *b)
{
  int code = EXIT_SUCCESS;
  if (!b->once) {
    if (report_targets(b) > 0 && b->check) {
      code = EXIT_FAILURE;
    }
    if (b->csv && !write_csv(b)) {
      code = 2;
    }
  }
  free(b);
  return code;
}
