/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The pictures of the examples: what must be seen is drawn, and nothing covers it. */
#include "common/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/plot_parts.h"
#include "suite.h"

/* The SVG of a figure, which is freed; the text is the caller's. */
static char *svg_of(plot_figure *figure)
{
  FILE *file = tmpfile();
  ck_assert_ptr_nonnull(file);
  plot_write(figure, file);
  plot_free(figure);
  const long length = ftell(file);
  char *text = malloc((size_t)length + 1);
  rewind(file);
  ck_assert_uint_eq(fread(text, 1, (size_t)length, file), (size_t)length);
  text[length] = '\0';
  fclose(file);
  return text;
}

static int occurrences(const char *text, const char *what)
{
  int count = 0;
  for (const char *at = strstr(text, what); at; at = strstr(at + 1, what)) {
    count++;
  }
  return count;
}

static scale linear(double low, double high, double from, double to)
{
  scale s = {0};
  const plot_axis given = {.low = low, .high = high};
  scale_set_range(&s, &given, 0.0, 0.0);
  s.from = from;
  s.to = to;
  return s;
}

START_TEST(decimation_keeps_every_extreme)
{
  enum { N = 100000 };
  double *t = malloc(N * sizeof *t), *v = malloc(N * sizeof *v);
  const int cases = random_cases(5);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    for (int i = 0; i < N; i++) {
      t[i] = i * 1e-3;
      v[i] = random_normal(&random);
    }
    const int spike = random_below(&random, N);
    v[spike] = random_below(&random, 2) ? 30.0 : -30.0;
    const plot_curve curve = {.count = N, .x = t, .y = v};
    const scale x = linear(0.0, 100.0, 0.0, 500.0), y = linear(-31.0, 31.0, 300.0, 0.0);
    int count;
    point *path = path_points(&curve, &x, &y, &count);
    ck_assert_int_lt(count, 6 * 1001 + 1);
    /* each column of half a pixel has the lowest and the highest point that it had */
    double low[1002], high[1002];
    for (int i = 0; i < 1002; i++) {
      low[i] = INFINITY;
      high[i] = -INFINITY;
    }
    for (int i = 0; i + 1 < count; i++) {
      const int column = (int)floor(2.0 * path[i].x);
      low[column] = fmin(low[column], path[i].y);
      high[column] = fmax(high[column], path[i].y);
    }
    for (int i = 0; i < N; i++) {
      const double px = scale_px(&y, v[i]);
      const int column = (int)floor(2.0 * scale_px(&x, t[i]));
      ck_assert_msg(px >= low[column] && px <= high[column], "seed %d, point %d", k, i);
    }
    ck_assert(path[0].x == 0.0 && path[count - 2].x == scale_px(&x, t[N - 1]));
    free(path);
  }
  free(t);
  free(v);
}
END_TEST

START_TEST(gaps_are_kept_and_infinite_ends_lie_on_the_frame)
{
  const double x[] = {1, 2, NAN, 3, INFINITY}, v[] = {1, 1, 5, 2, 2};
  const plot_curve curve = {.count = 5, .x = x, .y = v};
  const scale across = linear(0.0, 10.0, 100.0, 200.0), up = linear(0.0, 10.0, 200.0, 100.0);
  int count;
  point *path = path_points(&curve, &across, &up, &count);
  ck_assert_int_eq(count, 6);
  ck_assert(path[0].x == 110.0 && path[0].y == 190.0 && path[1].x == 120.0);
  ck_assert(isnan(path[2].x) && isnan(path[5].x));
  ck_assert(path[3].x == 130.0 && path[4].x == 200.0 && path[4].y == 180.0);
  free(path);
}
END_TEST

START_TEST(ticks_are_round_and_inside)
{
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    const double size = random_scale(&random, 200.0), low = size * random_normal(&random);
    scale s =
        linear(low, low + size * (0.01 + random_unit(&random)), 0.0, 100.0 + 500.0 * random_unit(&random));
    scale_set_ticks(&s, 60.0);
    ck_assert_msg(s.ticks >= 2 && s.ticks <= 4 + (int)(s.to / 60.0), "seed %d: %d ticks", k, s.ticks);
    const double digits = s.step / pow(10.0, floor(log10(s.step) + 1e-9));
    ck_assert_msg(fabs(digits - 1.0) < 1e-6 || fabs(digits - 2.0) < 1e-6 || fabs(digits - 5.0) < 1e-6,
                  "seed %d: step %g", k, s.step);
    const double slack = 1e-8 * (s.high - s.low);
    for (int i = 0; i < s.ticks; i++) {
      const double steps = s.tick[i] / s.step;
      ck_assert_msg(s.tick[i] >= s.low - slack && s.tick[i] <= s.high + slack, "seed %d", k);
      ck_assert_msg(fabs(steps - floor(steps + 0.5)) < 1e-6, "seed %d", k);
    }
  }
}
END_TEST

START_TEST(tick_labels_read_as_their_values)
{
  char text[64];
  scale s = linear(-0.25, 0.25, 0.0, 300.0);
  scale_set_ticks(&s, 60.0);
  scale_label(&s, 0, text, sizeof text);
  ck_assert_str_eq(text, "\xe2\x88\x92"
                         "0.2");
  s = linear(0.0, 4e-5, 0.0, 300.0);
  scale_set_ticks(&s, 60.0);
  scale_label(&s, 1, text, sizeof text);
  ck_assert_int_eq(s.exponent, -6);
  ck_assert_str_eq(text, "10");
  s = linear(1e-6, 1.0, 0.0, 600.0);
  s.log = 1;
  scale_set_ticks(&s, 60.0);
  scale_label(&s, 0, text, sizeof text);
  ck_assert_str_eq(text, "10^{\xe2\x88\x92"
                         "6}");
  ck_assert_int_eq(s.ticks, 7);
  ck_assert(fabs(scale_px(&s, 1e-3) - 300.0) < 1e-9 && isnan(scale_px(&s, 0.0)) && isnan(scale_px(&s, -1.0)));
}
END_TEST

START_TEST(texts_are_escaped_and_moved)
{
  plot_figure *figure = plot_new(1, 1);
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "a<b & \"c\" \x01 \xff",
                             .x = {.name = "x_N^+", .unit = "m"},
                             .y = {.name = "\\_ {y}", .unit = "1"}});
  char *svg = svg_of(figure);
  ck_assert_ptr_nonnull(strstr(svg, "a&lt;b &amp; &quot;c&quot; \xef\xbf\xbd \xef\xbf\xbd<"));
  ck_assert_ptr_nonnull(
      strstr(svg, ">x<tspan dy=\"0.280em\" font-size=\"75%\">N</tspan>"
                  "<tspan dy=\"-0.707em\" font-size=\"75%\">+</tspan><tspan dy=\"0.320em\"> (m)"));
  ck_assert_ptr_nonnull(strstr(svg, ">_ {y}<"));
  free(svg);
}
END_TEST

/* The number of an attribute of the element at `at`. */
static double attribute(const char *at, const char *name)
{
  const char *value = strstr(at, name);
  ck_assert_ptr_nonnull(value);
  return strtod(value + strlen(name), NULL);
}

/* The first rectangle that has `mark`. */
static box rect_with(const char *svg, const char *mark)
{
  const char *at = strstr(svg, mark);
  ck_assert_ptr_nonnull(at);
  while (at > svg && *at != '<') {
    at--;
  }
  box r = {attribute(at, " x=\""), attribute(at, " y=\""), 0.0, 0.0};
  r.right = r.left + attribute(at, " width=\"");
  r.bottom = r.top + attribute(at, " height=\"");
  return r;
}

/* Random curves: no point of theirs, drawn on the frame that was chosen, lies under the legend. */
START_TEST(the_legend_covers_no_curve)
{
  enum { N = 400 };
  int outside = 0, inside = 0;
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state random = random_seed((uint64_t)k);
    plot_figure *figure = plot_new(1, 1);
    const int curves = 1 + random_below(&random, 6);
    double x[6][N], v[6][N];
    plot_set_axes(figure, 0, 0,
                  &(plot_axes){.x = {.name = "t", .unit = "s", .low = 0.0, .high = 1.0},
                               .y = {.name = "q", .unit = "m", .low = -1.0, .high = 1.0}});
    for (int c = 0; c < curves; c++) {
      const double rate = 2.0 * random_normal(&random), bend = 20.0 * random_unit(&random);
      for (int i = 0; i < N; i++) {
        x[c][i] = i / (N - 1.0);
        v[c][i] = 0.9 * sin(rate + bend * x[c][i] * x[c][i]);
      }
      plot_add(figure, 0, 0, &(plot_curve){.label = "a curve", .count = N, .x = x[c], .y = v[c]});
    }
    char *svg = svg_of(figure);
    const box legend = rect_with(svg, "stroke=\"#cccccc\""), frame = rect_with(svg, "stroke=\"#4d4d4d\"/");
    const int is_above = legend.bottom <= frame.top;
    inside += !is_above;
    outside += is_above;
    for (int c = 0; c < curves; c++) {
      for (int i = 0; i < N; i++) {
        const double px = frame.left + x[c][i] * (frame.right - frame.left);
        const double py = frame.bottom - 0.5 * (v[c][i] + 1.0) * (frame.bottom - frame.top);
        ck_assert_msg(px < legend.left || px > legend.right || py < legend.top || py > legend.bottom,
                      "seed %d, curve %d, point %d", k, c, i);
      }
    }
    ck_assert_int_eq(occurrences(svg, ">a curve<"), curves);
    free(svg);
  }
  ck_assert_msg(inside > 0 && (outside > 0 || cases < 100), "%d inside, %d outside", inside, outside);
}
END_TEST

START_TEST(ends_and_markers)
{
  const double x[] = {0, 1, 2}, v[] = {0, 1, 0};
  plot_figure *figure = plot_new(1, 1);
  plot_add(figure, 0, 0,
           &(plot_curve){.count = 3, .x = x, .y = v, .begin = PLOT_CLOSED_DOT, .end = PLOT_OPEN_DOT});
  char *svg = svg_of(figure);
  ck_assert_int_eq(occurrences(svg, "<circle"), 2);
  ck_assert_int_eq(occurrences(svg, "fill=\"#fff\" stroke=\"#0072b2\""), 1);
  free(svg);
  figure = plot_new(1, 1);
  plot_add(figure, 0, 0,
           &(plot_curve){.count = 3, .x = x, .y = v, .marker = PLOT_DISK, .dash = PLOT_NO_LINE});
  svg = svg_of(figure);
  ck_assert_int_eq(occurrences(svg, "<circle"), 3);
  ck_assert_int_eq(occurrences(svg, "stroke=\"#0072b2\""), 0);
  free(svg);
}
END_TEST

/* Neighbours in the order of the automatic styles differ in colour and in dash. */
START_TEST(curves_differ_in_colour_and_in_dash)
{
  const double x[] = {0, 1}, v[] = {0, 1};
  plot_figure *figure = plot_new(1, 1);
  for (int i = 0; i < 5; i++) {
    plot_add(figure, 0, 0, &(plot_curve){.count = 2, .x = x, .y = v});
  }
  char *svg = svg_of(figure), styles[5][128];
  const char *at = strstr(svg, "<g clip-path");
  for (int i = 0; i < 5; i++) {
    at = strstr(at + 1, "\" stroke=\"#") + 2;
    snprintf(styles[i], sizeof styles[i], "%.*s", (int)strcspn(at, "/"), at);
    const char *dash = strstr(styles[i], "stroke-dasharray");
    for (int j = 0; j < i; j++) {
      const char *other = strstr(styles[j], "stroke-dasharray");
      ck_assert_msg(strncmp(styles[i], styles[j], 16) != 0, "colours of %d and %d", i, j);
      ck_assert_msg(!dash || !other ? dash != other : strcmp(dash, other) != 0, "dashes of %d and %d", i, j);
    }
  }
  free(svg);
}
END_TEST

/* The line of a picture that is drawn 3.25 px wide, of two points: how far it goes across and up, in px. */
static void wide_line(const char *svg, double *across, double *up)
{
  const char *wide = strstr(svg, "stroke-width=\"3.25\" fill=\"none\" stroke-linejoin"), *from = wide;
  ck_assert_ptr_nonnull(wide);
  while (strncmp(from, "d=\"M", 4) != 0) {
    from--;
  }
  char *end;
  const double x1 = strtod(from + 4, &end), y1 = strtod(end, &end);
  const double x2 = strtod(end + strspn(end, "L "), &end), y2 = strtod(end, &end);
  *across = fabs(x2 - x1);
  *up = fabs(y2 - y1);
}

START_TEST(equal_axes_have_one_unit_and_zero_is_shown_where_asked)
{
  const double x[] = {3.0, 4.0}, y[] = {5.0, 7.0};
  for (int equal = 0; equal < 2; equal++) {
    for (int legend = 0; legend < 2; legend++) {
      plot_figure *figure = plot_new(1, 1);
      plot_set_axes(figure, 0, 0, &(plot_axes){.equal = equal});
      plot_add(figure, 0, 0,
               &(plot_curve){.label = legend ? "line" : NULL, .count = 2, .x = x, .y = y, .width = 3.25});
      char *svg = svg_of(figure);
      double across, up;
      wide_line(svg, &across, &up);
      ck_assert_msg(equal == (fabs(up - 2.0 * across) < 0.05), "%g across, %g up", across, up);
      free(svg);
    }
  }
  for (int zero = 0; zero < 2; zero++) {
    plot_figure *figure = plot_new(1, 1);
    plot_set_axes(figure, 0, 0, &(plot_axes){.y = {.with_zero = zero}});
    plot_add(figure, 0, 0, &(plot_curve){.count = 2, .x = x, .y = y});
    char *svg = svg_of(figure);
    ck_assert_int_eq(occurrences(svg, ">0</text>"), zero);
    free(svg);
  }
}
END_TEST

START_TEST(nothing_to_draw_is_drawn)
{
  const double none[] = {NAN}, same[] = {7.0, 7.0}, huge[] = {-1e308, 1e308};
  for (int log = 0; log < 2; log++) {
    plot_figure *figure = plot_new(1, 3);
    for (int c = 0; c < 3; c++) {
      plot_set_axes(figure, 0, c, &(plot_axes){.x = {.log = log}, .y = {.log = log}});
    }
    plot_add(figure, 0, 0, &(plot_curve){.label = "none", .count = 1, .x = none, .y = none});
    plot_add(figure, 0, 1, &(plot_curve){.label = "same", .count = 2, .x = same, .y = same});
    plot_add(figure, 0, 2,
             &(plot_curve){.label = "huge", .count = 2, .x = huge, .y = huge, .end = PLOT_ARROW});
    char *svg = svg_of(figure);
    ck_assert_msg(!strstr(svg, "nan") && !strstr(svg, "inf"), "%s", svg);
    ck_assert_ptr_nonnull(strstr(svg, "</svg>"));
    free(svg);
  }
}
END_TEST

SUITE("plot", TEST(decimation_keeps_every_extreme), TEST(gaps_are_kept_and_infinite_ends_lie_on_the_frame),
      TEST(ticks_are_round_and_inside), TEST(tick_labels_read_as_their_values),
      TEST(texts_are_escaped_and_moved), TEST(the_legend_covers_no_curve), TEST(ends_and_markers),
      TEST(curves_differ_in_colour_and_in_dash), TEST(nothing_to_draw_is_drawn),
      TEST(equal_axes_have_one_unit_and_zero_is_shown_where_asked))
