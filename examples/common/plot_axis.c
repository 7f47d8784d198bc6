/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Axes: ranges, ticks and their labels. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "options.h"
#include "plot_parts.h"

static void widen(scale *s, double part)
{
  const double low = s->log ? log10(s->low) : s->low, high = s->log ? log10(s->high) : s->high;
  const double room = high > low ? part * (high - low) : high != 0.0 && !s->log ? 0.5 * fabs(high) : 0.5;
  s->low = s->log ? pow(10.0, low - room) : low - room;
  s->high = s->log ? pow(10.0, high + room) : high + room;
}

void scale_set_range(scale *s, const plot_axis *given, double low, double high)
{
  s->log = given->log;
  if (given->low < given->high && (!s->log || given->low > 0.0)) {
    s->low = given->low;
    s->high = given->high;
    return;
  }
  const int none = !(low <= high);
  s->low = none ? (s->log ? 1.0 : 0.0) : fmax(low, -1e300);
  s->high = none ? (s->log ? 10.0 : 1.0) : fmin(high, 1e300);
  widen(s, 0.04);
}

/* The smallest of 1, 2, 5 times a power of ten that is at least `least`. */
static double nice_step(double least)
{
  const double decade = pow(10.0, floor(log10(least)));
  const double digits = least / decade;
  return decade * (digits <= 1.0 + 1e-9   ? 1.0
                   : digits <= 2.0 + 1e-9 ? 2.0
                   : digits <= 5.0 + 1e-9 ? 5.0
                                          : 10.0);
}

static void add_tick(scale *s, double value)
{
  if (s->ticks < TICKS_MOST) {
    s->tick[s->ticks++] = value;
  }
}

/* The multiples of a nice step that is at least the range / most. */
static void add_multiples(scale *s, double most)
{
  const double slack = 1e-9 * (s->high - s->low);
  s->ticks = 0;
  s->step = nice_step((s->high - s->low) / most);
  const double first = ceil((s->low - slack) / s->step);
  for (int i = 0; i < TICKS_MOST && (first + i) * s->step <= s->high + slack; i++) {
    add_tick(s, first + i == 0.0 ? 0.0 : (first + i) * s->step);
  }
}

static void linear_ticks(scale *s, double most)
{
  add_multiples(s, most);
  for (int tries = 0; s->ticks < 2 && tries < 4; tries++) { /* a short axis needs two all the same */
    most *= 2.0;
    add_multiples(s, most);
  }
  const double largest = fmax(fabs(s->low), fabs(s->high));
  const double decade = floor(log10(largest) + 1e-9);
  s->exponent = decade >= 5.0 || decade <= -4.0 ? (int)(3.0 * floor(decade / 3.0)) : 0;
}

static void log_ticks(scale *s, double most)
{
  const double low = log10(s->low) - 1e-9, high = log10(s->high) + 1e-9;
  const double stride = fmax(1.0, ceil((high - low) / most));
  const double first = ceil(low / stride) * stride;
  for (int i = 0; i < TICKS_MOST && first + i * stride <= high; i++) {
    add_tick(s, pow(10.0, first + i * stride));
  }
  if (s->ticks < 2) { /* within a decade or little more: 1, 2 and 5 */
    static const double digits[] = {1.0, 2.0, 5.0};
    s->ticks = 0;
    for (int i = 0; i < 12; i++) {
      const double value = digits[i % 3] * pow(10.0, floor(low) + (i - i % 3) / 3.0);
      if (log10(value) >= low && log10(value) <= high) {
        add_tick(s, value);
      }
    }
  }
}

void scale_set_ticks(scale *s, double distance)
{
  const double most = fmax(2.0, fabs(s->to - s->from) / distance);
  s->ticks = 0;
  s->exponent = 0;
  if (s->log) {
    log_ticks(s, most);
  } else {
    linear_ticks(s, most);
  }
}

double scale_px(const scale *s, double value)
{
  if (isinf(value)) {
    return value > 0.0 ? s->to : s->from;
  }
  const double part =
      s->log ? (value > 0.0 ? (log10(value) - log10(s->low)) / (log10(s->high) - log10(s->low)) : NAN)
             : (value - s->low) / (s->high - s->low);
  const double px = s->from + part * (s->to - s->from);
  return px > 1e6 ? 1e6 : px < -1e6 ? -1e6 : px;
}

/* A minus sign as long as a plus is wide. */
static const char *minus_of(double rounded)
{
  return rounded < 0.0 ? "\xe2\x88\x92" : "";
}

void scale_label(const scale *s, int i, char *text, size_t size)
{
  const double value = s->tick[i];
  if (!s->log) {
    const double places = (double)s->exponent - floor(log10(s->step) + 1e-9);
    snprintf(text, size, "%s%.*f", minus_of(value), places > 0.0 ? (int)fmin(places, 15.0) : 0,
             fabs(value) / pow(10.0, (double)s->exponent));
    return;
  }
  const double decade = floor(log10(value) + 1e-9), digit = value / pow(10.0, decade);
  if (s->tick[0] > 0.9e-3 && s->tick[s->ticks - 1] < 1.1e4) { /* no power is needed */
    snprintf(text, size, "%.*f", decade < 0.0 ? (int)-decade : 0, value);
    return;
  }
  char first[8] = "";
  if (digit > 1.5) {
    snprintf(first, sizeof first, "%.0f\xc2\xb7", digit);
  }
  snprintf(text, size, "%s10^{%s%.0f}", first, minus_of(decade), fabs(decade));
}
