/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "bench.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_results = 2000, most_targets = 500, most_contenders = 16, most_rounds = 1000 };

static const double turn = 100e-6; /* s: long against the clock, short against a time slice */

typedef struct result {
  const char *work, *contender;
  int size;
  double minimum, median, spread; /* ns; spread is the quartile range over the median */
  double ratio;                   /* its time over that of the first, median of the rounds */
} result;

typedef struct target {
  const char *work, *peer;
  int size;
  double factor;
} target;

struct bench {
  const char *name, *csv, *work, *contender;
  int size, rounds, once, check;
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
          "%s: %s\nusage: %s [--csv FILE] [--check] [--once] [--work TEXT] [--size N] [--contender TEXT] "
          "[--rounds N]\n",
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
      } else if (strcmp(option, "--work") == 0) {
        b->work = value;
      } else if (strcmp(option, "--contender") == 0) {
        b->contender = value;
      } else if (strcmp(option, "--size") == 0) {
        b->size = whole_number(argv[0], value);
      } else if (strcmp(option, "--rounds") == 0) {
        b->rounds = whole_number(argv[0], value);
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
    printf("%-24s %5s  %-18s %10s %10s %7s %7s\n", "work", "size", "code", "min ns", "median ns", "spread",
           "ratio");
  }
  return b;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_runs(const bench_contender *c, void *data, int runs)
{
  const double start = now();
  for (int i = 0; i < runs; i++) {
    c->run(data);
  }
  return now() - start;
}

/* How many runs fill one turn; warms the caches on the way. */
static int runs_of_turn(const bench_contender *c, void *data)
{
  int runs = 1;
  while (runs < 1 << 24 && time_runs(c, data, runs) < turn) {
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
  printf("%-24s %5d  %-18s %10.1f %10.1f %6.0f%% %6.2fx\n", r->work, r->size, r->contender, r->minimum,
         r->median, 100.0 * r->spread, r->ratio);
  fflush(stdout);
}

static int is_wanted(const bench *b, const bench_contender *c)
{
  return c->run && (!b->contender || strstr(c->name, b->contender));
}

/* time[i * rounds + k]: contender i in round k, ns per problem. */
static void take_turns(const bench *b, int problems, const bench_contender *contenders, int count, void *data,
                       double *time)
{
  int runs[most_contenders];
  for (int i = 0; i < count; i++) {
    runs[i] = is_wanted(b, &contenders[i]) ? runs_of_turn(&contenders[i], data) : 0;
  }
  for (int k = 0; k < b->rounds; k++) {
    for (int step = 0; step < count; step++) {
      const int i = (step + k) % count; /* nobody always comes after the same one */
      if (runs[i]) {
        time[i * b->rounds + k] = 1e9 * time_runs(&contenders[i], data, runs[i]) / runs[i] / problems;
      }
    }
  }
}

static void evaluate(bench *b, const char *work, int size, const char *name, const double *first,
                     const double *own)
{
  double sorted[most_rounds];
  result r = {.work = work, .contender = name, .size = size};
  for (int k = 0; k < b->rounds; k++) {
    sorted[k] = own[k] / first[k];
  }
  r.ratio = quantile(sorted, b->rounds, 0.5);
  memcpy(sorted, own, sizeof *own * (size_t)b->rounds);
  r.median = quantile(sorted, b->rounds, 0.5);
  r.minimum = sorted[0];
  r.spread = (quantile(sorted, b->rounds, 0.75) - quantile(sorted, b->rounds, 0.25)) / r.median;
  record(b, &r);
}

int bench_wants(const bench *b, int size)
{
  return b->size < 0 || size == b->size;
}

void bench_race(bench *b, const char *work, int size, int problems, const bench_contender *contenders,
                int count, void *data)
{
  if ((b->work && !strstr(work, b->work)) || !bench_wants(b, size)) {
    return;
  }
  if (count > most_contenders) {
    fprintf(stderr, "bench: more than %d contenders\n", most_contenders);
    exit(2);
  }
  if (b->once) {
    for (int i = 0; i < count; i++) {
      if (is_wanted(b, &contenders[i])) {
        contenders[i].run(data);
      }
    }
    return;
  }
  double *time = calloc((size_t)count * (size_t)b->rounds, sizeof *time);
  if (!time) {
    fprintf(stderr, "bench: no memory\n");
    exit(2);
  }
  take_turns(b, problems, contenders, count, data, time);
  int first = -1;
  for (int i = 0; i < count; i++) {
    if (is_wanted(b, &contenders[i])) {
      first = first < 0 ? i : first;
      evaluate(b, work, size, contenders[i].name, time + first * b->rounds, time + i * b->rounds);
    }
  }
  free(time);
}

void bench_target(bench *b, const char *work, int size, const char *peer, double factor)
{
  if (b->targets == most_targets) {
    fprintf(stderr, "bench: more than %d targets\n", most_targets);
    exit(2);
  }
  const target t = {.work = work, .peer = peer, .size = size, .factor = factor};
  b->target[b->targets++] = t;
}

static const result *find(const bench *b, const target *t)
{
  for (int i = 0; i < b->results; i++) {
    const result *r = &b->result[i];
    if (r->size == t->size && strcmp(r->work, t->work) == 0 && strcmp(r->contender, t->peer) == 0) {
      return r;
    }
  }
  return NULL;
}

/* Returns how many targets were missed. */
static int report_targets(const bench *b)
{
  int missed = 0, met = 0, unknown = 0;
  for (int i = 0; i < b->targets; i++) {
    const target *t = &b->target[i];
    const result *r = find(b, t);
    unknown += !r;
    met += r && r->ratio >= t->factor;
    if (r && r->ratio < t->factor) {
      printf("missed: %s, size %d: %.2f times as fast as %s, must be %.2f\n", t->work, t->size, r->ratio,
             t->peer, t->factor);
      missed++;
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
  fprintf(file, "bench,work,size,code,minimum_ns,median_ns,spread,ratio\n");
  for (int i = 0; i < b->results; i++) {
    const result *r = &b->result[i];
    fprintf(file, "%s,%s,%d,%s,%.1f,%.1f,%.3f,%.3f\n", b->name, r->work, r->size, r->contender, r->minimum,
            r->median, r->spread, r->ratio);
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
