/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int complain(const output *out, int status, const char *format, ...)
{
  char line[1024] = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  for (char *c = line; *c; c++) { /* one line, whatever was typed */
    if ((unsigned char)*c < 0x20) {
      *c = '?';
    }
  }
  fprintf(stderr, "%s: %s\n", out->program, line);
  return status;
}

void *memory(void *old, size_t count, size_t size)
{
  void *block =
      count > 0 && size > SIZE_MAX / count ? NULL : realloc(old, count * size + (count * size == 0));
  if (!block) {
    fputs("out of memory\n", stderr);
    exit(STATUS_FAILED);
  }
  return block;
}

const char *number_text(double value, char text[NUMBER_LENGTH])
{
  if (isnan(value)) {
    return memcpy(text, "nan", sizeof "nan");
  }
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, NUMBER_LENGTH, "%.*g", digits, value);
    if (strtod(text, NULL) == value) {
      break;
    }
  }
  return text;
}

#define COMMON_COUNT 4 /* options that every driver has */

static const char *base_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The range as people write it, "[0, 10]", "> 0"; "" for none. */
static const char *range_text(const option *o, char text[2 * NUMBER_LENGTH + 8])
{
  char low[NUMBER_LENGTH], high[NUMBER_LENGTH];
  number_text(o->low, low);
  number_text(o->high, high);
  const char *above = o->open ? ">" : ">=";
  text[0] = '\0';
  if (isfinite(o->low) && isfinite(o->high)) {
    sprintf(text, "%s%s, %s]", o->open ? "(" : "[", low, high);
  } else if (isfinite(o->low)) {
    sprintf(text, "%s %s", above, low);
  } else if (isfinite(o->high)) {
    sprintf(text, "<= %s", high);
  }
  return text;
}

static int is_in_range(const option *o, double value)
{
  return isfinite(value) && value <= o->high && (o->open ? value > o->low : value >= o->low);
}

static int out_of_range(const output *out, const option *o, const char *text)
{
  char range[2 * NUMBER_LENGTH + 8];
  range_text(o, range);
  return complain(out, STATUS_BAD_OPTION, "--%s: '%s' is out of range, it must be %s%s%s", o->name, text,
                  *range ? "" : "finite", *range == '[' || *range == '(' ? "in " : "", range);
}

static int read_number(const output *out, const option *o, const char *text)
{
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0') {
    return complain(out, STATUS_BAD_OPTION, "--%s: '%s' is not a number", o->name, text);
  }
  if (!is_in_range(o, value)) {
    return out_of_range(out, o, text);
  }
  *o->number = value;
  return OPTIONS_GO;
}

static int read_count(const output *out, const option *o, const char *text)
{
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (end == text || *end != '\0') {
    return complain(out, STATUS_BAD_OPTION, "--%s: '%s' is not an integer", o->name, text);
  }
  if (errno != 0 || value < INT_MIN || value > INT_MAX || !is_in_range(o, (double)value)) {
    return out_of_range(out, o, text);
  }
  *o->count = (int)value;
  return OPTIONS_GO;
}

static int read_choice(const output *out, const option *o, const char *text)
{
  char words[256] = "";
  for (int i = 0; o->choices[i]; i++) {
    if (strcmp(text, o->choices[i]) == 0) {
      *o->choice = i;
      return OPTIONS_GO;
    }
    const size_t used = strlen(words);
    snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "", o->choices[i]);
  }
  return complain(out, STATUS_BAD_OPTION, "--%s: '%s' is none of %s", o->name, text, words);
}

static int read_value(const output *out, const option *o, const char *text)
{
  if (o->number) {
    return read_number(out, o, text);
  }
  if (o->count) {
    return read_count(out, o, text);
  }
  if (o->choice) {
    return read_choice(out, o, text);
  }
  *o->text = text;
  return OPTIONS_GO;
}

static void print_default(const option *o)
{
  char text[NUMBER_LENGTH], range[2 * NUMBER_LENGTH + 8] = "";
  if (o->number || o->count) {
    printf(" (default %s%s%s", number_text(o->number ? *o->number : *o->count, text),
           o->unit && strcmp(o->unit, "1") != 0 ? " " : "",
           o->unit && strcmp(o->unit, "1") != 0 ? o->unit : "");
    range_text(o, range);
    printf("%s%s)", *range ? "; " : "", range);
  } else if (o->choice) {
    printf(": ");
    for (int i = 0; o->choices[i]; i++) {
      printf("%s%s", i ? ", " : "", o->choices[i]);
    }
    printf(" (default %s)", o->choices[*o->choice]);
  } else if (o->text && !o->required && *o->text) {
    printf(" (default %s)", *o->text);
  }
}

static void print_help(const output *out, const char *purpose, const option *table, int count)
{
  printf("%s\n\nusage: %s", purpose, out->program);
  for (int i = 0; i < count; i++) {
    if (table[i].required) {
      printf(" %s", table[i].name);
    }
  }
  printf(" [options]\n\n");
  for (int i = 0; i < count; i++) {
    const option *o = &table[i];
    char left[64];
    const char *kind = o->flag     ? ""
                       : o->number ? " NUMBER"
                       : o->count  ? " COUNT"
                       : o->choice ? " WORD"
                       : o->page   ? " FILE"
                                   : " TEXT";
    snprintf(left, sizeof left, "%s%s%s", o->required ? "" : "--", o->name, o->required ? "" : kind);
    printf("  %-20s  %s", left, o->help);
    print_default(o);
    putchar('\n');
  }
  printf("  %-20s  write the data as CSV\n", "--csv FILE");
  printf("  %-20s  write the picture as SVG\n", "--svg FILE");
  printf("  %-20s  print no result lines\n", "--quiet");
  printf("  %-20s  print this and stop\n", "--help");
}

/* The row whose name is the first `length` characters of `name`. */
static const option *find(const option *table, int count, const char *name, size_t length)
{
  for (int i = 0; i < count; i++) {
    if (!table[i].required && strlen(table[i].name) == length && memcmp(table[i].name, name, length) == 0) {
      return &table[i];
    }
  }
  return NULL;
}

/* A word without dashes goes to the next required text. */
static int read_word(const output *out, const option *table, int count, int *taken, const char *word)
{
  int seen = 0;
  for (int i = 0; i < count; i++) {
    if (table[i].required && seen++ == *taken) {
      *table[i].text = word;
      (*taken)++;
      return OPTIONS_GO;
    }
  }
  return complain(out, STATUS_BAD_OPTION, "'%s' is one word too many; --help lists the options", word);
}

static int open_file(const output *out, const char *name, const char *path, FILE **file)
{
  if (!path) {
    return OPTIONS_GO;
  }
  *file = fopen(path, "w");
  return *file ? OPTIONS_GO
               : complain(out, STATUS_BAD_OPTION, "--%s: '%s' cannot be written: %s", name, path,
                          strerror(errno));
}

/* The file is opened once all is read. */
static int read_page(output *out, const char *path)
{
  out->html_path = path;
  return OPTIONS_GO;
}

static int read_all(output *out, int argc, char **argv, const option *table, int count, const option *common)
{
  int taken = 0;
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--", 2) != 0) {
      const int status = read_word(out, table, count, &taken, argv[i]);
      if (status != OPTIONS_GO) {
        return status;
      }
      continue;
    }
    const char *name = argv[i] + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const option *o = find(table, count, name, length);
    o = o ? o : find(common, COMMON_COUNT, name, length);
    if (!o) {
      return complain(out, STATUS_BAD_OPTION, "--%.*s: no such option; --help lists them", (int)length, name);
    }
    if (o->flag && equals) {
      return complain(out, STATUS_BAD_OPTION, "--%s: takes no value", o->name);
    }
    if (!o->flag && !equals && i + 1 == argc) {
      return complain(out, STATUS_BAD_OPTION, "--%s: its value is missing", o->name);
    }
    const char *value = o->flag ? NULL : equals ? equals + 1 : argv[++i];
    const int status = o->flag   ? (*o->flag = 1, OPTIONS_GO)
                       : o->page ? read_page(out, value)
                                 : read_value(out, o, value);
    if (status != OPTIONS_GO) {
      return status;
    }
  }
  return OPTIONS_GO;
}

static int check_required(const output *out, const option *table, int count)
{
  for (int i = 0; i < count; i++) {
    if (table[i].required && !*table[i].text) {
      return complain(out, STATUS_BAD_OPTION, "%s is missing: %s", table[i].name, table[i].help);
    }
  }
  return OPTIONS_GO;
}

int options_read(output *out, int argc, char **argv, const char *purpose, const option *table, int count)
{
  int help = 0;
  const option common[COMMON_COUNT] = {
      {.name = "csv", .text = &out->csv_path},
      {.name = "svg", .text = &out->svg_path},
      {.name = "quiet", .flag = &out->quiet},
      {.name = "help", .flag = &help},
  };
  *out = (output){.program = base_name(argv[0])};
  int status = read_all(out, argc, argv, table, count, common);
  if (status == OPTIONS_GO) {
    status = help ? OPTIONS_GO : check_required(out, table, count);
  }
  if (status == OPTIONS_GO && help) {
    print_help(out, purpose, table, count);
    return output_close(out, 0);
  }
  status = status == OPTIONS_GO ? open_file(out, "csv", out->csv_path, &out->csv) : status;
  status = status == OPTIONS_GO ? open_file(out, "svg", out->svg_path, &out->svg) : status;
  status = status == OPTIONS_GO ? open_file(out, "html", out->html_path, &out->html) : status;
  if (status != OPTIONS_GO && out->csv) {
    fclose(out->csv);
  }
  if (status != OPTIONS_GO && out->svg) {
    fclose(out->svg);
  }
  return status;
}

void result(const output *out, const char *name, double value, const char *unit)
{
  char text[NUMBER_LENGTH];
  if (!out->quiet) {
    printf("%s %s %s\n", name, number_text(value, text), unit);
  }
}

void result_text(const output *out, const char *name, const char *value)
{
  if (!out->quiet) {
    printf("%s %s 1\n", name, value);
  }
}

void csv_columns(const output *out, const char *names)
{
  if (out->csv) {
    fprintf(out->csv, "%s\n", names);
  }
}

void csv_row(const output *out, int count, const double *values)
{
  char text[NUMBER_LENGTH];
  for (int i = 0; out->csv && i < count; i++) {
    fprintf(out->csv, "%s%s", isnan(values[i]) ? "" : number_text(values[i], text),
            i + 1 < count ? "," : "\n");
  }
}

static int close_file(const output *out, const char *name, const char *path, FILE *file)
{
  if (!file) {
    return 0;
  }
  const int failed = ferror(file);
  return fclose(file) != 0 || failed
             ? complain(out, STATUS_BAD_OPTION, "--%s: '%s' could not be written whole", name, path)
             : 0;
}

int output_close(output *out, int status)
{
  int worst = close_file(out, "csv", out->csv_path, out->csv);
  const int svg = close_file(out, "svg", out->svg_path, out->svg);
  const int html = close_file(out, "html", out->html_path, out->html);
  worst = worst ? worst : svg ? svg : html;
  out->csv = out->svg = out->html = NULL;
  if (fflush(stdout) != 0 || ferror(stdout)) {
    worst = worst ? worst : complain(out, STATUS_BAD_OPTION, "the results could not be printed");
  }
  return status ? status : worst;
}
