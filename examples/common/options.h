/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What all drivers share on the command line and in what they write.
 *
 * A driver describes its options in a table; each row points to a variable that holds the default:
 *
 *   double mu = 0.3;
 *   int events = 0;
 *   const option table[] = {
 *       {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &mu, .low = 0.0, .high = 10.0},
 *       {.name = "events", .help = "print one line per event", .flag = &events},
 *   };
 *   output out;
 *   const int status = options_read(&out, argc, argv, "A woodpecker toy.", table, 2);
 *   if (status != OPTIONS_GO) {
 *     return status;
 *   }
 *   …
 *   result(&out, "period", period, "s");
 *   return output_close(&out, 0);
 *
 * --help, --csv FILE, --svg FILE and --quiet are there for all, --html FILE where the table has OPTION_HTML,
 * for drivers that show a mechanism in motion (common/movie.h). Values follow as `--mu 0.3` or
 * `--mu=0.3`; of an option given twice the last counts. What is wrong gets one line on stderr that names the
 * option, and exit status 2: an unknown option, a value that is no number, infinite or out of range, a
 * file that cannot be written. Files are opened before anything is computed. */
#ifndef EXAMPLES_COMMON_OPTIONS_H
#define EXAMPLES_COMMON_OPTIONS_H

#include <stdio.h>

/* One option; exactly one of the pointers number, count, flag, text and choice is set, or `page`. */
typedef struct option {
  const char *name; /* without the dashes */
  const char *unit; /* of a number; "1" for none */
  const char *help; /* one line */
  double *number;   /* a finite number in [low, high] */
  int *count;       /* an integer in [low, high] */
  int *flag;        /* takes no value; set to 1 */
  const char **text;
  int *choice;                /* index of one of `choices` */
  const char *const *choices; /* words, NULL behind the last */
  double low, high;
  int open;     /* low itself is not allowed (the range is (low, high]) */
  int required; /* a text without dashes that must be given, such as a file to read */
  int page;     /* the file goes to output::html */
} option;

/* Rows that several drivers have. */
#define OPTION_HTML                                                                                          \
  {                                                                                                          \
    .name = "html", .help = "write the motion as a page that plays it, without a network", .page = 1         \
  }
#define OPTION_T_END(variable)                                                                               \
  {                                                                                                          \
    .name = "t-end", .unit = "s", .help = "end of the run", .number = &(variable), .high = 1e6               \
  }
#define OPTION_DT(variable)                                                                                  \
  {                                                                                                          \
    .name = "dt", .unit = "s", .help = "time step", .number = &(variable), .high = 1.0, .open = 1            \
  }
#define OPTION_MASS(variable)                                                                                \
  {                                                                                                          \
    .name = "m", .unit = "kg", .help = "mass", .number = &(variable), .high = 1e6, .open = 1                 \
  }
#define OPTION_GRAVITY(variable)                                                                             \
  {                                                                                                          \
    .name = "g", .unit = "m/s^2", .help = "gravity", .number = &(variable), .high = 1e6, .open = 1           \
  }
#define OPTION_MU(variable)                                                                                  \
  {                                                                                                          \
    .name = "mu", .unit = "1", .help = "friction coefficient", .number = &(variable), .high = 1e3            \
  }
#define OPTION_EPS(variable)                                                                                 \
  {                                                                                                          \
    .name = "eps", .unit = "1", .help = "restitution", .number = &(variable), .high = 1.0                    \
  }

/* Where the results go. */
typedef struct output {
  const char *program;
  const char *csv_path, *svg_path, *html_path; /* NULL where not asked for */
  FILE *csv, *svg, *html;                      /* open for writing, or NULL */
  int quiet;                                   /* no result lines */
} output;

#define OPTIONS_GO (-1)     /* all is well: go on */
#define STATUS_FAILED 1     /* exit status of a computation that failed */
#define STATUS_BAD_OPTION 2 /* exit status of a wrong option, or a file that cannot be written */

/* Reads the command line. Returns OPTIONS_GO or the exit status: 0 after --help, else STATUS_BAD_OPTION. */
int options_read(output *out, int argc, char **argv, const char *purpose, const option *table, int count);

/* Says on stderr why the driver stops, in one line that begins with the program's name, and returns
 * `status`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int complain(const output *out, int status, const char *format, ...);

/* One line `name value unit` on stdout, unless --quiet; unit "1" where there is none. */
void result(const output *out, const char *name, double value, const char *unit);
void result_text(const output *out, const char *name, const char *value);

/* The CSV file, where asked for: column names separated by commas, then rows. NaN is an empty cell. */
void csv_columns(const output *out, const char *names);
void csv_row(const output *out, int count, const double *values);

/* Closes the files. Returns `status`, or STATUS_BAD_OPTION after a line on what could not be written. */
int output_close(output *out, int status);

/* The shortest text that reads back as the same number. */
#define NUMBER_LENGTH 32
const char *number_text(double value, char text[NUMBER_LENGTH]);

/* Memory, or the end of the program with a line and STATUS_FAILED: a driver has nothing better to do. */
void *memory(void *old, size_t count, size_t size);

#endif
