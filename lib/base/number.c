/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The locale's decimal point in `text`, written by printf, becomes a point. */
static void use_point(char *text)
{
  const char *point = localeconv()->decimal_point;
  const size_t length = strlen(point);
  char *at = length ? strstr(text, point) : NULL;
  if (at && !(length == 1 && *at == '.')) {
    *at = '.';
    memmove(at + 1, at + length, strlen(at + length) + 1);
  }
}

const char *nsd_number_text(double value, char text[NSD_NUMBER_LENGTH])
{
  if (isnan(value)) {
    return memcpy(text, "nan", sizeof "nan");
  }
  if (isinf(value)) {
    return value > 0 ? memcpy(text, "inf", sizeof "inf") : memcpy(text, "-inf", sizeof "-inf");
  }
  /* %g drops zeros at the end, so what has 15 digits or fewer comes out short at 6 or 15; below DBL_MIN
   * fewer digits already tell two numbers apart, and each count is tried. */
  const int is_normal = fabs(value) >= DBL_MIN;
  for (int digits = 1; digits <= 17; digits += !is_normal ? 1 : digits == 1 ? 5 : digits == 6 ? 9 : 1) {
    snprintf(text, NSD_NUMBER_LENGTH, "%.*g", digits, value);
    if (strtod(text, NULL) == value) {
      break;
    }
  }
  use_point(text);
  return text;
}

static int is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* End of the decimal number at `text`, or NULL where there is none. */
static const char *scan(const char *text, const char *end)
{
  const char *at = text;
  /* [+-]digits[.digits][e[+-]digits]; an exponent without digits is not read. */
  int digits = 0;
  if (at < end && (*at == '+' || *at == '-')) {
    at++;
  }
  for (; at < end && is_digit(*at); at++) {
    digits++;
  }
  if (at < end && *at == '.') {
    for (at++; at < end && is_digit(*at); at++) {
      digits++;
    }
  }
  if (digits == 0) {
    return NULL;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *exponent = at + 1;
    if (exponent < end && (*exponent == '+' || *exponent == '-')) {
      exponent++;
    }
    if (exponent < end && is_digit(*exponent)) {
      for (at = exponent; at < end && is_digit(*at); at++) {
      }
    }
  }
  return at;
}

static const char *read_infinity(const char *text, const char *end, double *value)
{
  const int sign = text < end && (*text == '+' || *text == '-');
  const char *at = text + sign;
  if (end - at < 3 || memcmp(at, "inf", 3) != 0) {
    return NULL;
  }
  *value = sign && *text == '-' ? -INFINITY : INFINITY;
  return at + 3;
}

const char *nsd_number_read(const char *text, const char *end, double *value)
{
  const char *stop = scan(text, end);
  if (!stop) {
    return read_infinity(text, end, value);
  }
  /* strtod wants the locale's decimal point and an end: read from a copy. Longer numbers than this
   * say nothing a double could hold. */
  char copy[800 + 8];
  const char *point = localeconv()->decimal_point;
  const size_t point_length = strlen(point);
  if ((size_t)(stop - text) > 800 || point_length > 7) {
    return NULL;
  }
  size_t n = 0;
  for (const char *at = text; at < stop; at++) {
    if (*at == '.') {
      memcpy(copy + n, point, point_length);
      n += point_length;
    } else {
      copy[n++] = *at;
    }
  }
  copy[n] = '\0';
  const double read = strtod(copy, NULL);
  if (isinf(read)) {
    return NULL;
  }
  *value = read;
  return stop;
}
