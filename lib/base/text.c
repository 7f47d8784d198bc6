/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* Bytes between two looks at whether to ask, and the multiplications that take as long as one: a number of
 * twenty of them takes a tenth of a microsecond. */
enum { BYTES_PER_LOOK = 4096 };
#define BYTE_WORK 20.0

nsd_scanner nsd_scanner_of(const char *text, size_t length, nsd_fault *fault, nsd_poll *poll)
{
  nsd_scanner s = {.at = text ? text : "", .line = 1, .fault = fault, .poll = poll};
  s.end = s.at + length;
  s.ask = s.at;
  return s;
}

static int is_cancelled(const nsd_scanner *s)
{
  return s->poll && s->poll->is_cancelled;
}

/* Whether there is another byte; a word or a comment may be as long as the text. */
static int has_more(nsd_scanner *s)
{
  if (s->at >= s->ask) {
    s->ask = s->end - s->at > BYTES_PER_LOOK ? s->at + BYTES_PER_LOOK : s->end;
    if (nsd_poll_stops(s->poll, BYTES_PER_LOOK * BYTE_WORK)) {
      s->at = s->end;
    }
  }
  return s->at < s->end;
}

static int is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blank(nsd_scanner *s)
{
  /* A comment goes from # to the end of its line. */
  int comment = 0;
  for (; has_more(s); s->at++) {
    if (*s->at == '\n') {
      s->line++;
      comment = 0;
    } else if (*s->at == '#') {
      comment = 1;
    } else if (!comment && !is_space(*s->at)) {
      return;
    }
  }
}

int nsd_scanner_next(nsd_scanner *s)
{
  skip_blank(s);
  s->word = s->at < s->end ? s->at : NULL;
  while (has_more(s) && !is_space(*s->at) && *s->at != '#') {
    s->at++;
  }
  s->word = is_cancelled(s) ? NULL : s->word;
  s->length = s->word ? (size_t)(s->at - s->word) : 0;
  return s->word != NULL;
}

int nsd_scanner_is(const nsd_scanner *s, const char *word)
{
  return s->word && s->length == strlen(word) && memcmp(s->word, word, s->length) == 0;
}

/* The word for a message: what is not printable ASCII becomes '?', what is long is cut. */
#define SHOWN 24
static const char *shown(const nsd_scanner *s, char text[SHOWN + 4])
{
  const size_t length = s->length < SHOWN ? s->length : SHOWN;
  for (size_t i = 0; i < length; i++) {
    text[i] = s->word[i];
    if (text[i] < ' ' || text[i] > '~') {
      text[i] = '?';
    }
  }
  memcpy(text + length, length < s->length ? "..." : "", length < s->length ? 4 : 1);
  return text;
}

static nsdyn_status cancelled(const nsd_scanner *s)
{
  return nsd_fault_set(s->fault, NSDYN_CANCELLED, NSDYN_DETAIL_NONE, -1, "%s",
                       nsdyn_status_text(NSDYN_CANCELLED));
}

nsdyn_status nsd_scanner_refuse(const nsd_scanner *s, const char *what)
{
  if (is_cancelled(s)) {
    return cancelled(s);
  }
  char word[SHOWN + 4];
  return s->word ? nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, s->line,
                                 "line %lld: '%s': %s", (long long)s->line, shown(s, word), what)
                 : nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, s->line,
                                 "line %lld: the text ends here: %s", (long long)s->line, what);
}

nsdyn_status nsd_scanner_refuse_number(const nsd_scanner *s, nsd_text_place to, const char *what)
{
  if (is_cancelled(s)) {
    return cancelled(s);
  }
  char word[SHOWN + 4];
  char where[64];
  if (to.row < 0) {
    snprintf(where, sizeof where, "%s", to.name);
  } else if (to.column < 0) {
    snprintf(where, sizeof where, "%s, row %d", to.name, to.row);
  } else {
    snprintf(where, sizeof where, "%s, row %d, column %d", to.name, to.row, to.column);
  }
  const long long line = s->line;
  return s->word ? nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, line,
                                 "line %lld: '%s' in %s: %s", line, shown(s, word), where, what)
                 : nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, line,
                                 "line %lld: the text ends before %s: %s", line, where, what);
}

nsdyn_status nsd_scanner_read(nsd_scanner *s, nsd_text_place to, double *value)
{
  if (!nsd_scanner_next(s)) {
    return nsd_scanner_refuse_number(s, to, "a number is missing");
  }
  const char *end = s->word + s->length;
  if (nsd_number_read(s->word, end, value) != end) {
    return nsd_scanner_refuse_number(s, to, "not a number that a double holds");
  }
  return NSDYN_OK;
}

nsdyn_status nsd_scanner_read_finite(nsd_scanner *s, nsd_text_place to, double *value)
{
  const nsdyn_status status = nsd_scanner_read(s, to, value);
  if (status == NSDYN_OK && !isfinite(*value)) {
    return nsd_scanner_refuse_number(s, to, "must be finite");
  }
  return status;
}

nsdyn_status nsd_scanner_read_count(nsd_scanner *s, const char *things, int *count)
{
  char what[96];
  if (!nsd_scanner_next(s)) {
    snprintf(what, sizeof what, "the number of %s is missing", things);
    return nsd_scanner_refuse(s, what);
  }
  int value = 0;
  for (size_t i = 0; i < s->length; i++) {
    if (s->word[i] < '0' || s->word[i] > '9') {
      snprintf(what, sizeof what, "the number of %s must be a whole number, written in digits", things);
      return nsd_scanner_refuse(s, what);
    }
    const int digit = s->word[i] - '0';
    /* 10 value + digit <= INT_MAX, before it is computed. */
    if (value > (INT_MAX - digit) / 10) {
      return nsd_fault_set(s->fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_LINE, s->line,
                           "line %lld: too many %s to count", (long long)s->line, things);
    }
    value = 10 * value + digit;
  }
  *count = value;
  return NSDYN_OK;
}

nsdyn_status nsd_scanner_end(const nsd_scanner *s, nsdyn_status status)
{
  return status == NSDYN_OK && is_cancelled(s) ? cancelled(s) : status;
}

size_t nsd_scanner_numbers_left(const nsd_scanner *s)
{
  return (size_t)(s->end - s->at) / 2;
}

nsd_writer nsd_writer_of(char *text, size_t size)
{
  nsd_writer w = {.size = size};
  w.text = text;
  return w;
}

void nsd_writer_put(nsd_writer *w, const char *piece)
{
  const size_t length = strlen(piece);
  /* It no longer counts: the length stays where it is. */
  if (w->length > SIZE_MAX - 1 - length) {
    w->length = SIZE_MAX - 1;
    return;
  }
  for (size_t i = 0; i < length && w->length + i < w->size; i++) {
    w->text[w->length + i] = piece[i];
  }
  w->length += length;
}

void nsd_writer_put_count(nsd_writer *w, int count)
{
  char text[16];
  snprintf(text, sizeof text, "%d", count);
  nsd_writer_put(w, text);
}

void nsd_writer_put_number(nsd_writer *w, double value)
{
  char number[NSD_NUMBER_LENGTH];
  nsd_writer_put(w, nsd_number_text(value, number));
}

void nsd_writer_put_row(nsd_writer *w, int n, const double *row)
{
  for (int j = 0; j < n; j++) {
    nsd_writer_put(w, j > 0 ? " " : "");
    nsd_writer_put_number(w, row[j]);
  }
  nsd_writer_put(w, "\n");
}

size_t nsd_writer_end(nsd_writer *w)
{
  if (w->size > 0) {
    w->text[w->length < w->size ? w->length : w->size - 1] = '\0';
  }
  return w->length < SIZE_MAX - 1 ? w->length + 1 : 0;
}
