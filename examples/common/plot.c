/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The figure: its panels, where everything stands, and the SVG. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "plot_parts.h"

#define ARROW_LENGTH 9.0
#define ARROW_WIDTH 7.0
#define DOT_RADIUS 3.8
#define LEGEND_LINE 17.0   /* height of a legend's entry */
#define LEGEND_SAMPLE 30.0 /* length of the line shown in it */
#define LEGEND_MARGIN 8.0
#define TITLE_HEIGHT 24.0
#define FONTS "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

typedef struct note {
  double x, y, right, down;
  int anchor;
  char *text;
} note;

typedef struct panel {
  plot_axes axes;
  plot_curve *curves;
  note *notes;
  int curve_count, note_count;
  scale x, y;
  box frame, legend; /* the legend's width is 0 where there is none */
  int legend_columns;
  point **paths; /* of the curves */
  int *path_counts;
} panel;

struct plot_figure {
  int rows, columns;
  double panel_width, panel_height;
  char *description;
  panel *panels;
};

/* Colours after Okabe & Ito, chosen for people who cannot tell red from green. */
static const char *const colors[] = {"#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                     "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};
static const char *const dashes[] = {"", "", "7 4", "1.5 3", "9 3 1.5 3", "14 4", ""};

static char *copy_text(const char *text)
{
  const size_t size = text ? strlen(text) + 1 : 0;
  return text ? memcpy(memory(NULL, size, 1), text, size) : NULL;
}

static double *copy_numbers(const double *numbers, int count)
{
  double *copy = memory(NULL, (size_t)count, sizeof *copy);
  if (count > 0) {
    memcpy(copy, numbers, (size_t)count * sizeof *copy);
  }
  return copy;
}

static panel *panel_at(plot_figure *figure, int row, int column)
{
  return &figure->panels[row * figure->columns + column];
}

plot_figure *plot_new(int rows, int columns)
{
  plot_figure *figure = memory(NULL, 1, sizeof *figure);
  const size_t panels = (size_t)rows * (size_t)columns;
  *figure = (plot_figure){.rows = rows, .columns = columns};
  figure->panel_width = columns == 1 ? 640.0 : columns == 2 ? 420.0 : 320.0;
  figure->panel_height = rows == 1 ? 400.0 : rows == 2 ? 320.0 : 250.0;
  figure->panels = memory(NULL, panels, sizeof *figure->panels);
  memset(figure->panels, 0, panels * sizeof *figure->panels);
  return figure;
}

static void free_axes(plot_axes *axes)
{
  free((char *)axes->title);
  free((char *)axes->x.name);
  free((char *)axes->x.unit);
  free((char *)axes->y.name);
  free((char *)axes->y.unit);
}

void plot_free(plot_figure *figure)
{
  for (int k = 0; figure && k < figure->rows * figure->columns; k++) {
    panel *p = &figure->panels[k];
    for (int i = 0; i < p->curve_count; i++) {
      free((char *)p->curves[i].label);
      free((double *)p->curves[i].x);
      free((double *)p->curves[i].y);
    }
    for (int i = 0; i < p->note_count; i++) {
      free(p->notes[i].text);
    }
    free_axes(&p->axes);
    free(p->curves);
    free(p->notes);
  }
  if (figure) {
    free(figure->panels);
    free(figure->description);
  }
  free(figure);
}

void plot_set_panel_size(plot_figure *figure, double width, double height)
{
  figure->panel_width = width;
  figure->panel_height = height;
}

void plot_set_description(plot_figure *figure, const char *text)
{
  free(figure->description);
  figure->description = copy_text(text);
}

void plot_set_axes(plot_figure *figure, int row, int column, const plot_axes *axes)
{
  panel *p = panel_at(figure, row, column);
  free_axes(&p->axes);
  p->axes = *axes;
  p->axes.title = copy_text(axes->title);
  p->axes.x.name = copy_text(axes->x.name);
  p->axes.x.unit = copy_text(axes->x.unit);
  p->axes.y.name = copy_text(axes->y.name);
  p->axes.y.unit = copy_text(axes->y.unit);
}

void plot_add(plot_figure *figure, int row, int column, const plot_curve *curve)
{
  static const int turns[][2] = {{PLOT_BLUE, PLOT_SOLID},      {PLOT_VERMILION, PLOT_DASHED},
                                 {PLOT_GREEN, PLOT_DASH_DOT},  {PLOT_PURPLE, PLOT_LONG_DASHED},
                                 {PLOT_BLACK, PLOT_DOTTED},    {PLOT_ORANGE, PLOT_SOLID},
                                 {PLOT_SKY, PLOT_LONG_DASHED}, {PLOT_GRAY, PLOT_DASHED}};
  panel *p = panel_at(figure, row, column);
  const int *turn = turns[p->curve_count % 8];
  p->curves = memory(p->curves, (size_t)p->curve_count + 1, sizeof *p->curves);
  plot_curve *c = &p->curves[p->curve_count++];
  *c = *curve;
  c->label = copy_text(curve->label);
  c->x = copy_numbers(curve->x, curve->count);
  c->y = copy_numbers(curve->y, curve->count);
  c->color = curve->color ? curve->color : turn[0];
  c->dash = curve->dash ? curve->dash : turn[1];
  c->width = curve->width > 0.0 ? curve->width : 1.8;
}

void plot_add_text(plot_figure *figure, int row, int column, double x, double y, double right, double down,
                   int anchor, const char *text)
{
  panel *p = panel_at(figure, row, column);
  p->notes = memory(p->notes, (size_t)p->note_count + 1, sizeof *p->notes);
  p->notes[p->note_count++] = (note){x, y, right, down, anchor, copy_text(text)};
}

/* ---- Layout ---- */

/* The finite, and for decades positive, numbers of all curves. */
static void data_range(const panel *p, int of_y, int log, double *low, double *high)
{
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < p->curve_count; i++) {
    const double *v = of_y ? p->curves[i].y : p->curves[i].x;
    for (int k = 0; k < p->curves[i].count; k++) {
      if (isfinite(v[k]) && (!log || v[k] > 0.0)) {
        *low = fmin(*low, v[k]);
        *high = fmax(*high, v[k]);
      }
    }
  }
  if ((of_y ? p->axes.y : p->axes.x).with_zero && !log) {
    *low = fmin(*low, 0.0);
    *high = fmax(*high, 0.0);
  }
}

static double tick_labels_width(const scale *s)
{
  char text[64];
  double widest = 0.0;
  for (int i = 0; i < s->ticks; i++) {
    scale_label(s, i, text, sizeof text);
    widest = fmax(widest, text_width(text));
  }
  return widest;
}

/* Width of a legend's column. */
static double entry_width(const panel *p)
{
  double widest = 0.0;
  for (int i = 0; i < p->curve_count; i++) {
    widest = p->curves[i].label ? fmax(widest, text_width(p->curves[i].label)) : widest;
  }
  return LEGEND_SAMPLE + 8.0 + widest + 2.0 * LEGEND_MARGIN;
}

static int legend_entries(const panel *p)
{
  int entries = 0;
  for (int i = 0; i < p->curve_count; i++) {
    entries += p->curves[i].label != NULL;
  }
  return entries;
}

static void free_paths(panel *p)
{
  for (int i = 0; p->paths && i < p->curve_count; i++) {
    free(p->paths[i]);
  }
  free(p->paths);
  free(p->path_counts);
  p->paths = NULL;
  p->path_counts = NULL;
}

/* Ticks of a horizontal axis, so far apart that their labels do not touch. */
static void set_ticks_across(scale *s)
{
  double distance = 60.0;
  for (int tries = 0; tries < 4; tries++) {
    scale_set_ticks(s, distance);
    const double needed = tick_labels_width(s) + 14.0;
    if (needed <= distance) {
      return;
    }
    distance = needed;
  }
}

/* Widens a range about its middle. */
static void widen(scale *s, double range)
{
  const double more = 0.5 * (range - (s->high - s->low));
  s->low -= more;
  s->high += more;
}

/* Ranges, ticks and curves in px for a frame. */
static void fit(panel *p, box frame)
{
  p->frame = frame;
  if (p->axes.equal && !p->x.log && !p->y.log) {
    const double width = frame.right - frame.left, height = frame.bottom - frame.top;
    const double unit = fmax((p->x.high - p->x.low) / width, (p->y.high - p->y.low) / height); /* per px */
    widen(&p->x, unit * width);
    widen(&p->y, unit * height);
  }
  p->x.from = frame.left;
  p->x.to = frame.right;
  p->y.from = frame.bottom;
  p->y.to = frame.top;
  set_ticks_across(&p->x);
  scale_set_ticks(&p->y, 42.0);
  free_paths(p);
  p->paths = memory(NULL, (size_t)p->curve_count, sizeof(point *));
  p->path_counts = memory(NULL, (size_t)p->curve_count, sizeof *p->path_counts);
  for (int i = 0; i < p->curve_count; i++) {
    p->paths[i] = path_points(&p->curves[i], &p->x, &p->y, &p->path_counts[i]);
  }
}

/* Whether the segment from a to b meets the box (its parameter interval is cut at each side). */
static int meets(point a, point b, box r)
{
  double begin = 0.0, end = 1.0;
  const double d[2] = {b.x - a.x, b.y - a.y}, from[2] = {a.x, a.y};
  const double low[2] = {r.left, r.top}, high[2] = {r.right, r.bottom};
  for (int k = 0; k < 2; k++) {
    if (d[k] == 0.0) {
      if (from[k] < low[k] || from[k] > high[k]) {
        return 0;
      }
      continue;
    }
    const double t1 = (low[k] - from[k]) / d[k], t2 = (high[k] - from[k]) / d[k];
    begin = fmax(begin, fmin(t1, t2));
    end = fmin(end, fmax(t1, t2));
  }
  return begin <= end;
}

static int is_free(const panel *p, box r)
{
  const box near = {r.left - 5.0, r.top - 5.0, r.right + 5.0, r.bottom + 5.0};
  for (int i = 0; i < p->curve_count; i++) {
    const point *path = p->paths[i];
    for (int k = 0; k < p->path_counts[i]; k++) {
      const int last = k + 1 == p->path_counts[i] || isnan(path[k + 1].x);
      if (!isnan(path[k].x) && meets(path[k], path[last ? k : k + 1], near)) {
        return 0;
      }
    }
  }
  for (int i = 0; i < p->note_count; i++) {
    const note *n = &p->notes[i];
    const double x = scale_px(&p->x, n->x) + n->right, y = scale_px(&p->y, n->y) + n->down;
    const double width = text_width(n->text), left = x - 0.5 * width * (n->anchor + 1);
    if (left < near.right && left + width > near.left && y - FONT_SIZE < near.bottom && y + 4.0 > near.top) {
      return 0;
    }
  }
  return 1;
}

/* The first free place of the frame for the legend; whether there is one. */
static int place_inside(panel *p, double width, double height)
{
  static const double places[][2] = {{1, 0}, {0, 0}, {1, 1}, {0, 1}, {0.5, 0}, {0.5, 1}, {1, 0.5}, {0, 0.5}};
  const box f = p->frame;
  const double free_x = f.right - f.left - width - 16.0, free_y = f.bottom - f.top - height - 16.0;
  for (size_t k = 0; free_x >= 0.0 && free_y >= 0.0 && k < sizeof places / sizeof *places; k++) {
    const double left = f.left + 8.0 + places[k][0] * free_x, top = f.top + 8.0 + places[k][1] * free_y;
    p->legend = (box){left, top, left + width, top + height};
    if (is_free(p, p->legend)) {
      return 1;
    }
  }
  return 0;
}

/* The legend inside the frame where it covers nothing, else in a strip above it. */
static void place_legend(panel *p)
{
  const int entries = legend_entries(p);
  const double width = entry_width(p);
  p->legend = (box){0.0, 0.0, 0.0, 0.0};
  p->legend_columns = 1;
  if (entries == 0 || place_inside(p, width, entries * LEGEND_LINE + 8.0)) {
    return;
  }
  box f = p->frame;
  const int most = (int)fmax(1.0, floor((f.right - f.left) / width));
  const int rows = (entries + most - 1) / most;
  p->legend_columns = (entries + rows - 1) / rows;
  p->legend = (box){f.left, f.top, f.left + p->legend_columns * width, f.top + rows * LEGEND_LINE + 8.0};
  f.top = p->legend.bottom + (p->y.exponent != 0 ? 22.0 : 6.0);
  fit(p, f);
}

static void lay_out(plot_figure *figure)
{
  for (int column = 0; column < figure->columns; column++) {
    double widest = 0.0;
    for (int row = 0; row < figure->rows; row++) {
      panel *p = panel_at(figure, row, column);
      double low, high;
      data_range(p, 0, p->axes.x.log, &low, &high);
      scale_set_range(&p->x, &p->axes.x, low, high);
      data_range(p, 1, p->axes.y.log, &low, &high);
      scale_set_range(&p->y, &p->axes.y, low, high);
      p->y.from = figure->panel_height - 70.0;
      p->y.to = 0.0;
      scale_set_ticks(&p->y, 42.0);
      widest = fmax(widest, tick_labels_width(&p->y));
    }
    for (int row = 0; row < figure->rows; row++) {
      panel *p = panel_at(figure, row, column);
      const double left = column * figure->panel_width, top = row * figure->panel_height;
      const box frame = {left + 34.0 + widest, top + (p->axes.title ? 12.0 + TITLE_HEIGHT : 20.0),
                         left + figure->panel_width - 20.0, top + figure->panel_height - 46.0};
      fit(p, frame);
      place_legend(p);
    }
  }
}

/* ---- Drawing ---- */

static void write_line(FILE *file, double x1, double y1, double x2, double y2, const char *color,
                       double width)
{
  fprintf(file, "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"%s\" stroke-width=\"%.2f\" fill=\"none\"/>\n", x1,
          y1, x2, y2, color, width);
}

static void write_axis_label(FILE *file, const plot_axis *axis, double x, double y, int vertical)
{
  char text[256], turn[64];
  const int unit = axis->unit && *axis->unit && strcmp(axis->unit, "1") != 0;
  if (axis->name) {
    snprintf(text, sizeof text, "%s%s%s%s", axis->name, unit ? " (" : "", unit ? axis->unit : "",
             unit ? ")" : "");
    snprintf(turn, sizeof turn, " transform=\"rotate(-90 %.2f %.2f)\"", x, y);
    text_write(file, x, y, 0, vertical ? turn : "", text);
  }
}

/* The factor that tick labels leave out, where they do. */
static void write_factor(FILE *file, const scale *s, double x, double y, int anchor)
{
  if (s->exponent != 0) {
    char text[64];
    snprintf(text, sizeof text,
             "\xc3\x97"
             "10^{%s%d}",
             s->exponent < 0 ? "\xe2\x88\x92" : "", abs(s->exponent));
    text_write(file, x, y, anchor, " font-size=\"11\"", text);
  }
}

static void write_grid(FILE *file, const panel *p)
{
  const box f = p->frame;
  fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#fff\"/>\n", f.left, f.top,
          f.right - f.left, f.bottom - f.top);
  for (int i = 0; i < p->x.ticks; i++) {
    const double x = scale_px(&p->x, p->x.tick[i]);
    write_line(file, x, f.top, x, f.bottom, "#e8e8e8", 1.0);
  }
  for (int i = 0; i < p->y.ticks; i++) {
    const double y = scale_px(&p->y, p->y.tick[i]);
    write_line(file, f.left, y, f.right, y, "#e8e8e8", 1.0);
  }
  if (p->axes.zero_lines && !p->x.log && p->x.low < 0.0 && p->x.high > 0.0) {
    write_line(file, scale_px(&p->x, 0.0), f.top, scale_px(&p->x, 0.0), f.bottom, "#8c8c8c", 1.0);
  }
  if (p->axes.zero_lines && !p->y.log && p->y.low < 0.0 && p->y.high > 0.0) {
    write_line(file, f.left, scale_px(&p->y, 0.0), f.right, scale_px(&p->y, 0.0), "#8c8c8c", 1.0);
  }
}

/* Small ticks at 2 … 9 times the decades, where every decade has a tick. */
static void write_minor_ticks(FILE *file, const panel *p, const scale *s, int vertical)
{
  if (!s->log || s->ticks < 2 || s->tick[1] > 11.0 * s->tick[0] || s->tick[1] < 9.0 * s->tick[0]) {
    return;
  }
  for (int k = -1; k < s->ticks; k++) {
    const double decade = k < 0 ? 0.1 * s->tick[0] : s->tick[k];
    for (int digit = 2; digit <= 9; digit++) {
      const double value = digit * decade, px = scale_px(s, value);
      if (value <= s->low || value >= s->high) {
        continue;
      }
      write_line(file, vertical ? p->frame.left - 2.5 : px, vertical ? px : p->frame.bottom,
                 vertical ? p->frame.left : px, vertical ? px : p->frame.bottom + 2.5, "#4d4d4d", 0.8);
    }
  }
}

static void write_axes(FILE *file, const panel *p)
{
  char text[64];
  const box f = p->frame;
  fprintf(file,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#4d4d4d\"/>\n",
          f.left, f.top, f.right - f.left, f.bottom - f.top);
  double widest = 0.0;
  for (int i = 0; i < p->x.ticks; i++) {
    const double x = scale_px(&p->x, p->x.tick[i]);
    write_line(file, x, f.bottom, x, f.bottom + 4.0, "#4d4d4d", 1.0);
    scale_label(&p->x, i, text, sizeof text);
    text_write(file, x, f.bottom + 17.0, 0, "", text);
  }
  for (int i = 0; i < p->y.ticks; i++) {
    const double y = scale_px(&p->y, p->y.tick[i]);
    write_line(file, f.left - 4.0, y, f.left, y, "#4d4d4d", 1.0);
    scale_label(&p->y, i, text, sizeof text);
    widest = fmax(widest, text_width(text));
    text_write(file, f.left - 8.0, y + 4.2, 1, "", text);
  }
  write_minor_ticks(file, p, &p->x, 0);
  write_minor_ticks(file, p, &p->y, 1);
  write_axis_label(file, &p->axes.x, 0.5 * (f.left + f.right), f.bottom + 37.0, 0);
  write_axis_label(file, &p->axes.y, f.left - 16.0 - widest, 0.5 * (f.top + f.bottom), 1);
  write_factor(file, &p->x, f.right, f.bottom + 34.0, 1);
  write_factor(file, &p->y, f.left, f.top - 5.0, -1);
  if (p->axes.title) {
    const double top = p->legend.right > 0.0 && p->legend.bottom < f.top ? p->legend.top : f.top;
    text_write(file, 0.5 * (f.left + f.right), top - 12.0, 0, " font-size=\"14\" font-weight=\"bold\"",
               p->axes.title);
  }
}

static void write_marker(FILE *file, point at, int marker, const char *color)
{
  const double r = 3.4;
  switch (marker) {
  case PLOT_DISK:
    fprintf(file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"%s\"/>\n", at.x, at.y, r, color);
    break;
  case PLOT_RING:
    fprintf(file,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"#fff\" stroke=\"%s\" stroke-width=\"1.5\"/>\n",
            at.x, at.y, r, color);
    break;
  case PLOT_SQUARE:
    fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"6\" height=\"6\" fill=\"%s\"/>\n", at.x - 3.0,
            at.y - 3.0, color);
    break;
  case PLOT_TRIANGLE:
    fprintf(file, "<path d=\"M%.2f %.2fl4 7h-8z\" fill=\"%s\"/>\n", at.x, at.y - 4.5, color);
    break;
  case PLOT_CROSS:
    fprintf(file, "<path d=\"M%.2f %.2fl6 6m0 -6l-6 6\" stroke=\"%s\" stroke-width=\"1.5\" fill=\"none\"/>\n",
            at.x - 3.0, at.y - 3.0, color);
    break;
  default:
    break;
  }
}

/* An end of a curve: `at`, seen from `from`. */
static void write_end(FILE *file, point from, point at, int end, const char *color)
{
  if (end == PLOT_CLOSED_DOT || end == PLOT_OPEN_DOT) {
    fprintf(file,
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\" fill=\"%s\" stroke=\"%s\" stroke-width=\"1.8\"/>\n",
            at.x, at.y, DOT_RADIUS, end == PLOT_OPEN_DOT ? "#fff" : color, color);
  }
  const double length = sqrt((at.x - from.x) * (at.x - from.x) + (at.y - from.y) * (at.y - from.y));
  if (end == PLOT_ARROW && length > 0.0) {
    const double dx = (at.x - from.x) / length, dy = (at.y - from.y) / length;
    const double back_x = at.x - ARROW_LENGTH * dx, back_y = at.y - ARROW_LENGTH * dy;
    fprintf(file, "<path d=\"M%.2f %.2fL%.2f %.2fL%.2f %.2fz\" fill=\"%s\"/>\n", at.x, at.y,
            back_x - 0.5 * ARROW_WIDTH * dy, back_y + 0.5 * ARROW_WIDTH * dx, back_x + 0.5 * ARROW_WIDTH * dy,
            back_y - 0.5 * ARROW_WIDTH * dx, color);
  }
}

/* Where the line under an arrow's tip ends. */
static point shortened(point from, point at, int end)
{
  const double length = sqrt((at.x - from.x) * (at.x - from.x) + (at.y - from.y) * (at.y - from.y));
  if (end != PLOT_ARROW || length == 0.0) {
    return at;
  }
  const double part = fmin(1.0, (ARROW_LENGTH - 2.0) / length);
  return (point){at.x - part * (at.x - from.x), at.y - part * (at.y - from.y)};
}

static void write_path(FILE *file, const plot_curve *c, const point *path, int count)
{
  fprintf(file, "<path d=\"");
  int pen_down = 0;
  for (int k = 0; k < count; k++) {
    if (isnan(path[k].x)) {
      pen_down = 0;
      continue;
    }
    point at = path[k];
    if (k == 0 && count > 2) {
      at = shortened(path[1], at, c->begin);
    } else if (k == count - 2 && k > 0) {
      at = shortened(path[k - 1], at, c->end);
    }
    fprintf(file, "%c%.2f %.2f", pen_down ? 'L' : 'M', at.x, at.y);
    pen_down = 1;
  }
  fprintf(file, "\" stroke=\"%s\" stroke-width=\"%.2f\" fill=\"none\" stroke-linejoin=\"round\"",
          colors[c->color], c->width);
  if (*dashes[c->dash]) {
    fprintf(file, " stroke-dasharray=\"%s\"", dashes[c->dash]);
  }
  fputs("/>\n", file);
}

static int is_inside(point at, box f)
{
  return at.x >= f.left - 0.01 && at.x <= f.right + 0.01 && at.y >= f.top - 0.01 && at.y <= f.bottom + 0.01;
}

static void write_curve_marks(FILE *file, const panel *p, int i)
{
  const plot_curve *c = &p->curves[i];
  const point *path = p->paths[i];
  const int count = p->path_counts[i], last = count - 2;
  for (int k = 0; c->marker && k < count; k++) {
    if (!isnan(path[k].x) && is_inside(path[k], p->frame)) {
      write_marker(file, path[k], c->marker, colors[c->color]);
    }
  }
  if (count >= 2 && is_inside(path[0], p->frame)) {
    write_end(file, path[count > 2 ? 1 : 0], path[0], c->begin, colors[c->color]);
  }
  if (count >= 2 && is_inside(path[last], p->frame)) {
    write_end(file, path[last > 0 ? last - 1 : 0], path[last], c->end, colors[c->color]);
  }
}

static void write_legend(FILE *file, const panel *p)
{
  const box r = p->legend;
  if (r.right <= r.left) {
    return;
  }
  fprintf(file,
          "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" rx=\"3\" fill=\"#fff\" "
          "stroke=\"#cccccc\"/>\n",
          r.left, r.top, r.right - r.left, r.bottom - r.top);
  int entry = 0;
  for (int i = 0; i < p->curve_count; i++) {
    const plot_curve *c = &p->curves[i];
    if (!c->label) {
      continue;
    }
    const double x = r.left + LEGEND_MARGIN + entry % p->legend_columns * entry_width(p);
    const int row = entry / p->legend_columns;
    const double y = r.top + 4.0 + (row + 0.5) * LEGEND_LINE;
    const point sample[3] = {{x, y}, {x + LEGEND_SAMPLE, y}, {NAN, NAN}};
    plot_curve plain = *c;
    plain.begin = plain.end = PLOT_PLAIN;
    if (c->dash != PLOT_NO_LINE) {
      write_path(file, &plain, sample, 3);
    }
    write_marker(file, (point){x + 0.5 * LEGEND_SAMPLE, y}, c->marker, colors[c->color]);
    text_write(file, x + LEGEND_SAMPLE + 8.0, y + 4.2, -1, "", c->label);
    entry++;
  }
}

static void write_panel(FILE *file, const panel *p, int number)
{
  const box f = p->frame;
  fprintf(
      file,
      "<clipPath id=\"frame%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n",
      number, f.left - 1.0, f.top - 1.0, f.right - f.left + 2.0, f.bottom - f.top + 2.0);
  write_grid(file, p);
  fprintf(file, "<g clip-path=\"url(#frame%d)\">\n", number);
  for (int i = 0; i < p->curve_count; i++) {
    if (p->curves[i].dash != PLOT_NO_LINE && p->path_counts[i] > 1) {
      write_path(file, &p->curves[i], p->paths[i], p->path_counts[i]);
    }
  }
  fputs("</g>\n", file);
  write_axes(file, p);
  for (int i = 0; i < p->curve_count; i++) {
    write_curve_marks(file, p, i);
  }
  for (int i = 0; i < p->note_count; i++) {
    const note *n = &p->notes[i];
    text_write(file, scale_px(&p->x, n->x) + n->right, scale_px(&p->y, n->y) + n->down, n->anchor,
               " paint-order=\"stroke\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\"",
               n->text);
  }
  write_legend(file, p);
}

void plot_write(plot_figure *figure, FILE *file)
{
  if (!file) {
    return;
  }
  const double width = figure->columns * figure->panel_width, height = figure->rows * figure->panel_height;
  lay_out(figure);
  fprintf(file,
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
          "width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" font-family=\"%s\" "
          "font-size=\"%.0f\" fill=\"#1a1a1a\">\n",
          width, height, width, height, FONTS, FONT_SIZE);
  if (figure->description) {
    fputs("<title>", file);
    text_escape(file, figure->description);
    fputs("</title>\n", file);
  }
  /* a ground of its own: the picture reads the same on a dark page */
  fprintf(file, "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fff\"/>\n", width, height);
  for (int k = 0; k < figure->rows * figure->columns; k++) {
    write_panel(file, &figure->panels[k], k);
    free_paths(&figure->panels[k]);
  }
  fputs("</svg>\n", file);
}
