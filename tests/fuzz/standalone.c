/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Drives a fuzz target without libFuzzer: over seeded bytes of several kinds, as a TAP test, or over the
 * files it is given, to repeat a finding. An input that breaks a promise ends the program at once; the
 * seed or file last named is the culprit.
 *
 *   seeded_TARGET [--first F] [--cases N] [--kind K] [FILE...]
 *
 * runs seeds F to F + N − 1 of every kind, or of kind K alone: seeds that no test runs, or one finding. With
 * options each seed is named before it runs. */
#include "target.h"

enum { LONGEST = 4096 };

typedef struct stream {
  uint64_t s;
} stream;

/* splitmix64 */
static uint64_t bits(stream *from)
{
  uint64_t z = (from->s += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static size_t below(stream *from, size_t n)
{
  return (size_t)(bits(from) % n);
}

/* Short mostly: most findings are. */
static size_t length(stream *from)
{
  return below(from, 4) ? below(from, 48) : below(from, LONGEST);
}

static size_t any_bytes(stream *from, uint8_t *data)
{
  const size_t size = length(from);
  for (size_t i = 0; i < size; i++) {
    data[i] = (uint8_t)bits(from);
  }
  return size;
}

static size_t numeric_text(stream *from, uint8_t *data)
{
  static const char *const pieces[] = {"0",  "1", "9", "17", ".",  "-",   "+",   "e",    "E", "e-3",
                                       " ",  "#", "x", "\n", ",",  "inf", "nan", "-inf", "3", "1e308",
                                       "lo", "5", "2", "hi", "00", "4e-", "8",   "\t",   "6", "e+99"};
  const size_t size = length(from);
  size_t used = 0;
  while (used < size) {
    const char *piece = pieces[below(from, sizeof pieces / sizeof *pieces)];
    for (; *piece && used < size; piece++) {
      data[used++] = (uint8_t)*piece;
    }
  }
  return size;
}

/* Doubles that hurt: zeros, ties, limits, NaN, and neighbours of each other. Here and below one byte may
 * come first, since some targets begin with a size. */
static size_t hard_doubles(stream *from, uint8_t *data)
{
  static const double hard[] = {0.0,     -0.0,     1.0,      -1.0,    0.5,       2.0,
                                1e160,   -1e160,   1e-160,   1e308,   -1e308,    0x1p-1074,
                                0x1p-52, 0x1p-537, 0x1p1023, 1.0 / 3, 0x1p-1022, 3.0};
  const size_t count = below(from, LONGEST / sizeof(double) / 8);
  const size_t lead = below(from, 2);
  for (size_t i = 0; i < lead; i++) {
    data[i] = (uint8_t)bits(from);
  }
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, &hard[below(from, sizeof hard / sizeof *hard)], sizeof word);
    const size_t kind = below(from, 32);
    word = kind == 0   ? bits(from)
           : kind == 1 ? UINT64_C(0x7ff8000000000000)
           : kind < 6  ? word + kind - 3
                       : word;
    memcpy(data + lead + i * sizeof word, &word, sizeof word);
  }
  return lead + count * sizeof(double);
}

/* Numbers of ordinary size, as a sound problem has them. */
static size_t tame_doubles(stream *from, uint8_t *data)
{
  const size_t count = below(from, LONGEST / sizeof(double) - 1);
  const size_t lead = below(from, 2);
  for (size_t i = 0; i < lead; i++) {
    data[i] = (uint8_t)bits(from);
  }
  for (size_t i = 0; i < count; i++) {
    const double value = (double)(bits(from) >> 11) * 0x1p-52 - 1.0;
    memcpy(data + lead + i * sizeof value, &value, sizeof value);
  }
  return lead + count * sizeof(double);
}

static const struct {
  const char *name;
  size_t (*fill)(stream *from, uint8_t *data);
} kinds[] = {
    {"any bytes", any_bytes},
    {"numeric text", numeric_text},
    {"hard doubles", hard_doubles},
    {"tame doubles", tame_doubles},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* What to run. */
typedef struct range {
  long first, cases;
  long kind;  /* -1: every one */
  long names; /* 1: each seed is named before it runs */
} range;

static int run_seeds(const range *of)
{
  static uint8_t data[LONGEST + sizeof(double)];
  int tests = 0;
  LLVMFuzzerTestOneInput(NULL, 0);
  for (long k = 0; k < KINDS; k++) {
    if (of->kind >= 0 && of->kind != k) {
      continue;
    }
    printf("# %s: %ld inputs\n", kinds[k].name, of->cases);
    fflush(stdout); /* seen even if the next input ends the program */
    for (long seed = of->first; seed < of->first + of->cases; seed++) {
      stream from = {((uint64_t)seed << 8) + (uint64_t)k};
      if (of->names) {
        printf("# seed %ld\n", seed);
        fflush(stdout);
      }
      LLVMFuzzerTestOneInput(data, kinds[k].fill(&from, data));
    }
    printf("ok %d - %s\n", ++tests, kinds[k].name);
  }
  printf("1..%d\n", tests);
  return 0;
}

static int run_file(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    return 1;
  }
  static uint8_t data[1 << 20];
  const size_t size = fread(data, 1, sizeof data, file);
  const int bad = ferror(file);
  fclose(file);
  if (bad) {
    perror(path);
    return 1;
  }
  printf("# %s: %zu bytes\n", path, size);
  fflush(stdout);
  LLVMFuzzerTestOneInput(data, size);
  return 0;
}

static int read_option(const char *name, const char *value, range *of)
{
  long *to = strcmp(name, "--first") == 0   ? &of->first
             : strcmp(name, "--cases") == 0 ? &of->cases
             : strcmp(name, "--kind") == 0  ? &of->kind
                                            : NULL;
  char *end = NULL;
  const long number = to && value ? strtol(value, &end, 10) : -1;
  if (number < 0 || end == value || *end || (to == &of->kind && number >= KINDS)) {
    fprintf(stderr, "usage: [--first F] [--cases N] [--kind 0...%d] [FILE...]\n", KINDS - 1);
    return 2;
  }
  *to = number;
  of->names = 1;
  return 0;
}

int main(int argc, char **argv)
{
  const char *scale = getenv("NSDYN_TEST_SCALE");
  const double cases = 4000.0 * (scale ? strtod(scale, NULL) : 1.0);
  range of = {.cases = cases < 1.0 ? 1 : (long)cases, .kind = -1};
  int i = 1, status = 0;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
    if (read_option(argv[i], argv[i + 1], &of)) {
      return 2;
    }
  }
  if (i == argc) {
    return run_seeds(&of);
  }
  for (; i < argc; i++) {
    status |= run_file(argv[i]);
  }
  return status;
}
