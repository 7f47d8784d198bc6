/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The parts of a picture, for the files plot*.c alone. Lengths are px, y downwards. */
#ifndef EXAMPLES_COMMON_PLOT_PARTS_H
#define EXAMPLES_COMMON_PLOT_PARTS_H

#include "plot.h"

#define TICKS_MOST 64
#define FONT_SIZE 12.0

typedef struct box {
  double left, top, right, bottom;
} box;

/* One axis with its data range, where that lies in the picture, and its ticks. */
typedef struct scale {
  double low, high; /* of the data */
  double from, to;  /* px of low and high */
  int log;
  int ticks;
  double tick[TICKS_MOST];
  double step;  /* between ticks, linear axes */
  int exponent; /* tick labels are values / 10^exponent */
} scale;

/* The range of data in [low, high] (low > high: there was none), widened a little; `given` wins. */
void scale_set_range(scale *s, const plot_axis *given, double low, double high);

/* Ticks that are about `distance` px apart. */
void scale_set_ticks(scale *s, double distance);

/* px of a value; NaN where there is none. Infinite values give the axis' ends. */
double scale_px(const scale *s, double value);

/* The label of tick i, in the markup of texts. */
void scale_label(const scale *s, int i, char *text, size_t size);

/* A text with markup, placed by its baseline; anchor −1, 0, 1: begins, is centred, ends there. `more` are
 * further attributes. */
void text_write(FILE *file, double x, double y, int anchor, const char *more, const char *text);

/* About how wide a text is (on the generous side), at FONT_SIZE. */
double text_width(const char *text);

/* Characters for XML: escaped, with what is not UTF-8 replaced. */
void text_escape(FILE *file, const char *text);

typedef struct point {
  double x, y;
} point;

/* The points of a curve in px, as many as can be seen: in groups between gaps, each ended by a NaN.
 * Memory of the caller's. */
point *path_points(const plot_curve *curve, const scale *x, const scale *y, int *count);

#endif
