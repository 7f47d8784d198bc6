/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The command line that all examples share: what is read, what is refused and in which words. */
#include "common/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "suite.h"

/* A driver with an option of each kind. */
typedef struct settings {
  double mu;
  int steps, events, scheme;
  const char *note, *file;
} settings;

static const char *const schemes[] = {"midpoint", "theta", "event", NULL};

static char said[4096]; /* what the last call printed on stderr and, with --help, on stdout */

static void catch_stream(FILE *stream)
{
  ck_assert_ptr_nonnull(freopen("options-test.txt", "w", stream));
}

static void read_said(FILE *stream)
{
  fflush(stream);
  FILE *file = fopen("options-test.txt", "r");
  said[fread(said, 1, sizeof said - 1, file)] = '\0';
  fclose(file);
  remove("options-test.txt");
}

/* Reads a line of words; `stream` is the one whose text goes to `said`. */
static int read_line(settings *s, output *out, FILE *stream, const char *line)
{
  static char words[512];
  char *argv[32];
  int argc = 0;
  snprintf(words, sizeof words, "/some/where/driver %s", line);
  for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
    argv[argc++] = word;
  }
  *s = (settings){.mu = 0.3, .steps = 10, .note = "none"};
  const option table[] = {
      {.name = "mu", .unit = "1", .help = "friction", .number = &s->mu, .low = 0.0, .high = 2.0},
      {.name = "dt", .unit = "s", .help = "step", .number = &s->mu, .low = 0.0, .high = INFINITY, .open = 1},
      {.name = "steps", .unit = "1", .help = "how many", .count = &s->steps, .low = 1.0, .high = 1000.0},
      {.name = "events", .help = "print them", .flag = &s->events},
      {.name = "scheme", .help = "one of", .choice = &s->scheme, .choices = schemes},
      {.name = "note", .help = "a text", .text = &s->note},
      {.name = "FILE", .help = "what to read", .text = &s->file, .required = 1},
      OPTION_HTML,
  };
  catch_stream(stream);
  const int status = options_read(out, argc, argv, "A driver.", table, (int)(sizeof table / sizeof *table));
  read_said(stream);
  return status;
}

START_TEST(every_kind_is_read)
{
  settings s;
  output out;
  ck_assert_int_eq(read_line(&s, &out, stderr, "a.txt"), OPTIONS_GO);
  ck_assert(s.mu == 0.3 && s.steps == 10 && s.events == 0 && s.scheme == 0);
  ck_assert_str_eq(s.file, "a.txt");
  ck_assert_str_eq(s.note, "none");
  ck_assert_str_eq(out.program, "driver");
  ck_assert_int_eq(
      read_line(&s, &out, stderr,
                "--mu 0.5 --steps=77 b.txt --events --scheme event --note --quiet --quiet --mu=2"),
      OPTIONS_GO);
  ck_assert_msg(s.mu == 2.0 && s.steps == 77 && s.events == 1 && s.scheme == 2, "the last --mu counts");
  ck_assert_str_eq(s.file, "b.txt");
  ck_assert_str_eq(s.note, "--quiet");
  ck_assert_int_eq(out.quiet, 1);
  ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(what_is_wrong_gets_one_line)
{
  static const char *const wrong[][2] = {
      {"f --mu -0.1", "driver: --mu: '-0.1' is out of range, it must be in [0, 2]\n"},
      {"f --mu nan", "driver: --mu: 'nan' is out of range, it must be in [0, 2]\n"},
      {"f --mu=", "driver: --mu: '' is not a number\n"},
      {"f --dt 0", "driver: --dt: '0' is out of range, it must be > 0\n"},
      {"f --dt inf", "driver: --dt: 'inf' is out of range, it must be > 0\n"},
      {"f --steps 1.5", "driver: --steps: '1.5' is not an integer\n"},
      {"f --steps 0", "driver: --steps: '0' is out of range, it must be in [1, 1000]\n"},
      {"f --steps 99999999999999999999",
       "driver: --steps: '99999999999999999999' is out of range, it must be in [1, 1000]\n"},
      {"f --scheme euler", "driver: --scheme: 'euler' is none of midpoint, theta, event\n"},
      {"f --events=1", "driver: --events: takes no value\n"},
      {"f --steps", "driver: --steps: its value is missing\n"},
      {"f --stepz 3", "driver: --stepz: no such option; --help lists them\n"},
      {"f --mu 1\n2", "driver: --mu: '1?2' is not a number\n"},
      {"f g", "driver: 'g' is one word too many; --help lists the options\n"},
      {"--events", "driver: FILE is missing: what to read\n"},
      {"f --html", "driver: --html: its value is missing\n"},
      {"f --html=/no/such/folder/page",
       "driver: --html: '/no/such/folder/page' cannot be written: No such file or directory\n"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    settings s;
    output out;
    ck_assert_int_eq(read_line(&s, &out, stderr, wrong[i][0]), STATUS_BAD_OPTION);
    ck_assert_str_eq(said, wrong[i][1]);
    ck_assert_ptr_null(out.csv);
  }
}
END_TEST

START_TEST(help_shows_units_defaults_and_ranges)
{
  settings s;
  output out;
  ck_assert_int_eq(read_line(&s, &out, stdout, "--help"), 0);
  ck_assert_ptr_nonnull(strstr(said, "A driver.\n\nusage: driver FILE [options]\n"));
  ck_assert_ptr_nonnull(strstr(said, "--mu NUMBER           friction (default 0.3; [0, 2])\n"));
  ck_assert_ptr_nonnull(strstr(said, "--dt NUMBER           step (default 0.3 s; > 0)\n"));
  ck_assert_ptr_nonnull(strstr(said, "--steps COUNT         how many (default 10; [1, 1000])\n"));
  ck_assert_ptr_nonnull(
      strstr(said, "--scheme WORD         one of: midpoint, theta, event (default midpoint)\n"));
  ck_assert_ptr_nonnull(strstr(said, "--note TEXT           a text (default none)\n"));
  ck_assert_ptr_nonnull(strstr(said, "--html FILE           write the motion"));
  ck_assert_ptr_nonnull(strstr(said, "--help"));
}
END_TEST

START_TEST(numbers_are_short_and_read_back)
{
  char text[NUMBER_LENGTH];
  ck_assert_str_eq(number_text(0.1, text), "0.1");
  ck_assert_str_eq(number_text(-INFINITY, text), "-inf");
  ck_assert_str_eq(number_text(NAN, text), "nan");
  for (int k = 0; k < random_cases(20000); k++) {
    random_state random = random_seed((uint64_t)k);
    const double value = random_normal(&random) * random_scale(&random, 250.0);
    ck_assert_msg(strtod(number_text(value, text), NULL) == value, "seed %d: %s", k, text);
  }
}
END_TEST

START_TEST(csv_rows)
{
  settings s;
  output out;
  ck_assert_int_eq(read_line(&s, &out, stderr, "f --csv options-test.csv"), OPTIONS_GO);
  csv_columns(&out, "t,x");
  csv_row(&out, 2, (double[]){0.5, NAN});
  csv_row(&out, 2, (double[]){1.0, -INFINITY});
  ck_assert_int_eq(output_close(&out, 0), 0);
  char text[64];
  FILE *file = fopen("options-test.csv", "r");
  ck_assert_ptr_nonnull(file);
  text[fread(text, 1, sizeof text - 1, file)] = '\0';
  fclose(file);
  remove("options-test.csv");
  ck_assert_str_eq(text, "t,x\n0.5,\n1,-inf\n");
}
END_TEST

SUITE("options", TEST(every_kind_is_read), TEST(what_is_wrong_gets_one_line),
      TEST(help_shows_units_defaults_and_ranges), TEST(numbers_are_short_and_read_back), TEST(csv_rows))
