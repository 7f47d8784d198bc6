/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/sized.h"

/* Reading: words one after the other, with the line they stand in. */

typedef struct scanner {
  const char *at;
  const char *end;
  const char *word; /* the word last read; NULL at the end of the text */
  size_t length;    /* of that word */
  int64_t line;     /* of that word, from 1 */
  nsd_fault *fault;
} scanner;

/* Where one number belongs: "A, row 2, column 3", counted from 0 as everywhere in the library. */
typedef struct place {
  const char *name;
  int row;
  int column; /* −1: a vector */
} place;

static int is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blank(scanner *s)
{
  /* A comment goes from # to the end of its line. */
  int comment = 0;
  for (; s->at < s->end; s->at++) {
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

static int next_word(scanner *s)
{
  skip_blank(s);
  s->word = s->at < s->end ? s->at : NULL;
  while (s->at < s->end && !is_space(*s->at) && *s->at != '#') {
    s->at++;
  }
  s->length = s->word ? (size_t)(s->at - s->word) : 0;
  return s->word != NULL;
}

static int is_word(const scanner *s, const char *word)
{
  return s->word && s->length == strlen(word) && memcmp(s->word, word, s->length) == 0;
}

/* The word for a message: what is not printable ASCII becomes '?', what is long is cut. */
#define SHOWN 24
static const char *shown(const scanner *s, char text[SHOWN + 4])
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

static nsdyn_status refuse(const scanner *s, const char *what)
{
  char word[SHOWN + 4];
  return s->word ? nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, s->line,
                                 "line %lld: '%s': %s", (long long)s->line, shown(s, word), what)
                 : nsd_fault_set(s->fault, NSDYN_ERR_SYNTAX, NSDYN_DETAIL_LINE, s->line,
                                 "line %lld: the text ends here: %s", (long long)s->line, what);
}

static nsdyn_status refuse_number(const scanner *s, place to, const char *what)
{
  char word[SHOWN + 4];
  char where[64];
  if (to.column < 0) {
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

static nsdyn_status read_number(scanner *s, place to, double *value)
{
  if (!next_word(s)) {
    return refuse_number(s, to, "a number is missing");
  }
  const char *end = s->word + s->length;
  if (nsd_number_read(s->word, end, value) != end) {
    return refuse_number(s, to, "not a number that a double holds");
  }
  return NSDYN_OK;
}

static nsdyn_status read_finite(scanner *s, place to, double *value)
{
  const nsdyn_status status = read_number(s, to, value);
  if (status == NSDYN_OK && !isfinite(*value)) {
    return refuse_number(s, to, "must be finite");
  }
  return status;
}

static nsdyn_status read_size(scanner *s, int *n)
{
  if (!next_word(s)) {
    return refuse(s, "the number of unknowns is missing");
  }
  int value = 0;
  for (size_t i = 0; i < s->length; i++) {
    if (s->word[i] < '0' || s->word[i] > '9') {
      return refuse(s, "the number of unknowns must be a whole number, written in digits");
    }
    const int digit = s->word[i] - '0';
    /* 10 value + digit <= INT_MAX, before it is computed. */
    if (value > (INT_MAX - digit) / 10) {
      return nsd_fault_set(s->fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_LINE, s->line,
                           "line %lld: too many unknowns to count", (long long)s->line);
    }
    value = 10 * value + digit;
  }
  /* n² + n numbers are still to come, each with a blank before it: what cannot be there need not be looked
   * for. So no caller allocates n² doubles for a text of ten characters. */
  const size_t left = (size_t)(s->end - s->at);
  const size_t numbers = left / 2;
  const size_t size = (size_t)value;
  if (size > 0 && size + 1 > numbers / size) {
    return refuse(s, "the text is too short for so many unknowns");
  }
  *n = value;
  return NSDYN_OK;
}

/* The bounds of one row, and what may stand in them. */
static const char *bound_fault(double lo, double hi)
{
  if (lo == INFINITY) {
    return "a lower bound must be below infinity";
  }
  if (hi == -INFINITY) {
    return "an upper bound must be above -infinity";
  }
  return lo > hi ? "the lower bound lies above the upper one" : NULL;
}

typedef struct bounds {
  int n;
  double *lo;
  double *hi;
  int has_lo;
  int has_hi;
} bounds;

/* One block of n bounds. `other_follows`: the second block may still come, so that the pair is not judged
 * yet. */
static nsdyn_status read_block(scanner *s, const bounds *of, int is_lo, int other_follows)
{
  for (int i = 0; i < of->n; i++) {
    const place to = {is_lo ? "lo" : "hi", i, -1};
    double value = NAN;
    const nsdyn_status status = read_number(s, to, &value);
    if (status) {
      return status;
    }
    /* The other side of the pair, if it has been read: zero and infinity otherwise. */
    const double lo = is_lo ? value : other_follows ? -INFINITY : of->lo[i];
    const double hi = !is_lo ? value : other_follows ? INFINITY : of->hi[i];
    const char *fault = bound_fault(lo, hi);
    if (fault) {
      return refuse_number(s, to, fault);
    }
    *(is_lo ? &of->lo[i] : &of->hi[i]) = value;
  }
  return NSDYN_OK;
}

/* Where the text has only `hi`, lo is zero: a negative hi is then one too many. `first` stands behind the
 * word. */
static nsdyn_status judge_hi_alone(scanner first, const bounds *of)
{
  for (int i = 0; i < of->n; i++) {
    next_word(&first);
    if (of->hi[i] < 0.0) {
      return refuse_number(&first, (place){"hi", i, -1}, "below the lower bound, which is 0 without 'lo'");
    }
  }
  return NSDYN_OK;
}

static nsdyn_status read_bounds(scanner *s, bounds *of)
{
  /* The blocks `lo` and `hi` may come in either order, each once. */
  scanner behind_hi = *s;
  while (next_word(s)) {
    const int is_lo = is_word(s, "lo");
    const int is_hi = is_word(s, "hi");
    int *has = is_lo ? &of->has_lo : &of->has_hi;
    if (!is_lo && !is_hi) {
      return refuse(s, "'lo', 'hi' or the end of the text is expected here");
    }
    if (*has) {
      return refuse(s, "these bounds were given before");
    }
    if (!of->lo || !of->hi) {
      return refuse(s, "the problem has bounds, and the caller takes none");
    }
    *has = 1;
    /* The copy remembers where the numbers of `hi` begin, for judge_hi_alone(). */
    if (is_hi) {
      behind_hi = *s;
    }
    const nsdyn_status status = read_block(s, of, is_lo, !(is_lo ? of->has_hi : of->has_lo));
    if (status) {
      return status;
    }
  }
  return of->has_hi && !of->has_lo ? judge_hi_alone(behind_hi, of) : NSDYN_OK;
}

static nsdyn_status read_arrays(scanner *s, int n, double *A, int lda, double *b, double *lo, double *hi)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const nsdyn_status status = read_finite(s, (place){"A", i, j}, &A[(size_t)i * (size_t)lda + (size_t)j]);
      if (status) {
        return status;
      }
    }
  }
  for (int i = 0; i < n; i++) {
    const nsdyn_status status = read_finite(s, (place){"b", i, -1}, &b[i]);
    if (status) {
      return status;
    }
    /* Without blocks of bounds: 0 and infinity. */
    if (lo) {
      lo[i] = 0.0;
    }
    if (hi) {
      hi[i] = INFINITY;
    }
  }
  bounds of = {.n = n, .lo = lo, .hi = hi};
  return read_bounds(s, &of);
}

nsdyn_status nsd_lcp_read_text(const char *text, size_t length, int32_t *n, double *A, int64_t lda, double *b,
                               double *lo, double *hi, nsd_fault *fault)
{
  if (!n || (!text && length > 0)) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, n ? 1 : 3, "%s is NULL",
                         n ? "text" : "n");
  }
  scanner s = {.at = text ? text : "", .line = 1, .fault = fault};
  s.end = s.at + length;
  int size = 0;
  const nsdyn_status status = read_size(&s, &size);
  if (status) {
    return status;
  }
  /* The caller asks for n only, to allocate. */
  if (!A) {
    *n = size;
    return NSDYN_OK;
  }
  /* It has allocated for another n. */
  if (*n != size) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 3,
                         "n is %d, the text has %d unknowns", *n, size);
  }
  const nsdyn_status fits = nsd_stride_check(size, size, lda);
  if (fits) {
    return nsd_fault_set(fault, fits, NSDYN_DETAIL_ARGUMENT, 5,
                         fits == NSDYN_ERR_TOO_LARGE ? "lda is %lld; no memory has %d such rows"
                                                     : "lda is %lld, must be at least n = %d",
                         (long long)lda, size);
  }
  if (!b && size > 0) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 6, "b is NULL");
  }
  return read_arrays(&s, size, A, (int)lda, b, lo, hi);
}

/* Writing: one writer counts what does not fit. */

typedef struct writer {
  char *text;
  size_t size;   /* bytes of text */
  size_t length; /* bytes the whole text needs, without its zero; SIZE_MAX − 1 once they cannot be counted */
} writer;

static void put(writer *w, const char *piece)
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

static void put_row(writer *w, int n, const double *row)
{
  char number[NSD_NUMBER_LENGTH];
  for (int j = 0; j < n; j++) {
    put(w, j > 0 ? " " : "");
    put(w, nsd_number_text(row[j], number));
  }
  put(w, "\n");
}

static int writable(int n, const double *A, int64_t lda, const double *b, const double *lo, const double *hi)
{
  if (nsd_stride_check(n, n, lda) || (n > 0 && (!A || !b))) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    const double *row = A + (size_t)i * (size_t)lda;
    for (int j = 0; j < n; j++) {
      if (!isfinite(row[j])) {
        return 0;
      }
    }
    /* The same rules as in reading: what is written can be read. */
    const double below = lo ? lo[i] : 0.0;
    const double above = hi ? hi[i] : INFINITY;
    if (!isfinite(b[i]) || isnan(below) || isnan(above) || bound_fault(below, above)) {
      return 0;
    }
  }
  return 1;
}

size_t nsdyn_lcp_write_text(int32_t n, const double *A, int64_t lda, const double *b, const double *lo,
                            const double *hi, char *text, size_t size)
{
  if (!writable(n, A, lda, b, lo, hi) || (!text && size > 0)) {
    return 0;
  }
  writer w = {.text = text, .size = size};
  char unknowns[16];
  snprintf(unknowns, sizeof unknowns, "%d\n", n);
  put(&w, unknowns);
  for (int i = 0; i < n; i++) {
    put_row(&w, n, A + (size_t)i * (size_t)lda);
  }
  put_row(&w, n, b);
  if (lo) {
    put(&w, "lo ");
    put_row(&w, n, lo);
  }
  if (hi) {
    put(&w, "hi ");
    put_row(&w, n, hi);
  }
  /* A zero behind what fits. */
  if (size > 0) {
    text[w.length < size ? w.length : size - 1] = '\0';
  }
  return w.length < SIZE_MAX - 1 ? w.length + 1 : 0;
}
