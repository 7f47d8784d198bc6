/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Pictures as SVG: one or several panels in a grid, each with axes, curves, a legend, texts.
 *
 *   plot_figure *figure = plot_new(1, 2);
 *   plot_set_axes(figure, 0, 0, &(plot_axes){.x = {.name = "t", .unit = "s"},
 *                                            .y = {.name = "φ_M", .unit = "rad"}});
 *   plot_add(figure, 0, 0, &(plot_curve){.label = "sleeve", .count = n, .x = t, .y = phi});
 *   plot_write(figure, out.svg);
 *   plot_free(figure);
 *
 * Zero in a field means automatic: ranges from the data, colours and dashes by turns. The colours are
 * told apart by people who see few of them, and the dashes and markers in black and white print. Curves
 * may have 1e5 points: of those that fall into half a pixel's width the first, the last and
 * the extremes stay. A NaN is a gap. A curve's ends may be ±INFINITY: they lie on the frame.
 *
 * Texts are UTF-8. `_` and `^` lower and raise the next character or {group}; a backslash takes them
 * as they are. */
#ifndef EXAMPLES_COMMON_PLOT_H
#define EXAMPLES_COMMON_PLOT_H

#include <stdio.h>

enum plot_color {
  PLOT_COLOR_AUTO = 0,
  PLOT_BLUE,
  PLOT_VERMILION,
  PLOT_GREEN,
  PLOT_PURPLE,
  PLOT_ORANGE,
  PLOT_SKY,
  PLOT_BLACK,
  PLOT_GRAY
};

enum plot_dash {
  PLOT_DASH_AUTO = 0, /* by turns, together with the colour */
  PLOT_SOLID,
  PLOT_DASHED,
  PLOT_DOTTED,
  PLOT_DASH_DOT,
  PLOT_LONG_DASHED,
  PLOT_NO_LINE
};

enum plot_marker { PLOT_NO_MARKER = 0, PLOT_DISK, PLOT_RING, PLOT_SQUARE, PLOT_TRIANGLE, PLOT_CROSS };

enum plot_end { PLOT_PLAIN = 0, PLOT_ARROW, PLOT_CLOSED_DOT, PLOT_OPEN_DOT };

typedef struct plot_curve {
  const char *label; /* in the legend; NULL for none */
  int count;
  const double *x, *y; /* copied */
  int color, dash, marker;
  double width;   /* of the line in px; 0: 1.8 */
  int begin, end; /* of enum plot_end */
} plot_curve;

typedef struct plot_axis {
  const char *name, *unit; /* NULL or "1" for no unit */
  double low, high;        /* both 0: from the data */
  int log;                 /* decades; what is not positive is a gap */
  int with_zero;           /* the range from the data holds zero */
} plot_axis;

typedef struct plot_axes {
  const char *title;
  plot_axis x, y;
  int zero_lines; /* lines through the origin */
  int equal;      /* one unit is as long across as it is up: a circle is round, a rigid body stays rigid */
} plot_axes;

typedef struct plot_figure plot_figure;

plot_figure *plot_new(int rows, int columns);
void plot_free(plot_figure *figure);

/* Width and height of one panel in px, labels included. */
void plot_set_panel_size(plot_figure *figure, double width, double height);

/* A description for those who do not see the picture. */
void plot_set_description(plot_figure *figure, const char *text);

void plot_set_axes(plot_figure *figure, int row, int column, const plot_axes *axes);
void plot_add(plot_figure *figure, int row, int column, const plot_curve *curve);

/* A text at a point of the data, shifted by so many px to the right and down; `anchor` -1, 0, 1: it begins,
 * is centred, ends there. */
void plot_add_text(plot_figure *figure, int row, int column, double x, double y, double right, double down,
                   int anchor, const char *text);

/* Writes the whole SVG; whether that worked says the file's error state (see output_close). */
void plot_write(plot_figure *figure, FILE *file);

#endif
