/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Side by side: several codes, the same problems, one run.
 *
 * A race is one kind of work at one size. Each contender does all its problems in one call; the first
 * is ours. Contenders take turns, many short turns each, so that what else the machine does meets all of
 * them, and a ratio is the median of the ratios within a round. Absolute times of shared machines mean
 * little; ratios carry over.
 *
 *   int main(int argc, char **argv)
 *   {
 *     bench *b = bench_new("dense", argc, argv);
 *     for (…) {
 *       bench_race(b, "LU + solve", n, problems, contenders, count, data);
 *       bench_target(b, "LU + solve", n, "GSL", 2.0);
 *     }
 *     return bench_finish(b);
 *   }
 *
 * Options: --csv FILE writes the table; --figure FILE is for programs that draw; --check ends with 1 where a
 * target is missed; --work TEXT, --size N and --contender TEXT run only races and contenders whose names
 * contain the text; --rounds N (slow work has fewer); --seeds N and --first N say how many random problems a
 * series has and which is the first; --once does each piece of work once and measures
 * nothing, to count instructions, FUNCTION being the contender's:
 *   valgrind --tool=callgrind --toggle-collect=FUNCTION PROGRAM --once --work TEXT --size N */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench bench;

typedef struct bench_contender {
  const char *name;
  void (*run)(void *data); /* solves every problem of the race once; NULL: not on this machine */
  void *own;               /* handed to `run` instead of the race's data, where it is not NULL */
  int failed;              /* problems that it does not solve, counted by the caller beforehand */
} bench_contender;

/* Reads the options; ends the program where there is one that it does not know. */
bench *bench_new(const char *name, int argc, char **argv);

/* Non-zero unless the options leave this race out (work NULL: races of this size): ask before making its
 * problems. */
int bench_wants(const bench *b, const char *work, int size);

/* Measures and prints one line per contender. `problems` is how many one run solves; times are per problem.
 */
void bench_race(bench *b, const char *work, int size, int problems, const bench_contender *contenders,
                int count, void *data);

/* Many random problems, each made by its number and solved once: what is rare shows. */
typedef struct bench_series {
  const char *name;               /* of who solves */
  void (*make)(void *own, int k); /* problem k; not measured */
  void (*solve)(void *own);       /* the one made last */
  int (*is_solved)(void *own);    /* what it answered */
  void *own;
} bench_series;

/* Prints the mean, what nine of ten do not exceed, the longest time with its k, and how many were unsolved.
 * At most `most` problems, fewer by --seeds. */
void bench_each(bench *b, const char *work, int size, int most, const bench_series *s);

/* The first contender must be at least `factor` times as fast as `peer`. A peer that is not on this machine
 * makes the target void, and the report says so. */
void bench_target(bench *b, const char *work, int size, const char *peer, double factor);

/* The contender must need no more than `ns` per problem. */
void bench_limit(bench *b, const char *work, int size, const char *contender, double ns);

/* The contender of a series must need no more than `ns` for any problem. */
void bench_longest(bench *b, const char *work, int size, const char *contender, double ns);

/* The contender must solve every problem. */
void bench_solves_all(bench *b, const char *work, int size, const char *contender);

/* Median of the times per problem in ns; NaN where it was not measured. */
double bench_median(const bench *b, const char *work, int size, const char *contender);

/* How many problems it left unsolved; −1 where it was not measured. */
int bench_failed(const bench *b, const char *work, int size, const char *contender);

/* FILE of --figure, or NULL. */
const char *bench_figure(const bench *b);

/* Reports on the targets, writes the table, frees `b`. Returns what main should. */
int bench_finish(bench *b);

/* A result that the compiler must not throw away. */
void bench_keep(double value);

/* Random numbers, the same in every run: uniform in [-1, 1). */
double bench_random(unsigned long long *state);

#ifdef __cplusplus
}
#endif

#endif
