/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Draws the two set-valued maps that contact laws are made of, Upr(x) and a Sgn(x), and the two Upr that a
 * Sgn(x) consists of (Glocker & Studer 2005, figures 1 and 2, with step height a), and counts on a grid of
 * points (x, y) that all ways to say −y ∈ a Sgn(x) agree. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/options.h"
#include "common/plot.h"

#define MINUS "\xe2\x88\x92"
#define GRID 8 /* grid lines from 0 to the widths; a itself is one of them */

/* ---- The picture ---- */

/* One branch of a graph. */
static void draw(plot_figure *figure, int row, int column, const double x[2], const double y[2], int begin,
                 int end)
{
  const plot_curve branch = {.count = 2,
                             .x = x,
                             .y = y,
                             .color = PLOT_BLUE,
                             .dash = PLOT_SOLID,
                             .width = 2.4,
                             .begin = begin,
                             .end = end};
  plot_add(figure, row, column, &branch);
}

/* The graph of x → sign·(Upr(x) + height): a ray to the right, and one down (up) at x = 0. Its corner belongs
 * to it. */
static void draw_upr(plot_figure *figure, int row, int column, double sign, double height)
{
  double lo, hi;
  nsdyn_upr(0.0, &lo, &hi);
  const double level = sign * (hi + height), far = sign > 0.0 ? lo : -lo;
  draw(figure, row, column, (double[]){0.0, INFINITY}, (double[]){level, level}, PLOT_CLOSED_DOT, PLOT_ARROW);
  draw(figure, row, column, (double[]){0.0, 0.0}, (double[]){level, far}, PLOT_PLAIN, PLOT_ARROW);
}

static void draw_sgn(plot_figure *figure, int row, int column, double a)
{
  double lo, hi;
  nsdyn_sgn(a, 0.0, &lo, &hi);
  draw(figure, row, column, (double[]){0.0, -INFINITY}, (double[]){lo, lo}, PLOT_CLOSED_DOT, PLOT_ARROW);
  draw(figure, row, column, (double[]){0.0, 0.0}, (double[]){lo, hi}, PLOT_PLAIN, PLOT_PLAIN);
  draw(figure, row, column, (double[]){0.0, INFINITY}, (double[]){hi, hi}, PLOT_CLOSED_DOT, PLOT_ARROW);
}

static void set_axes(plot_figure *figure, int row, int column, const char *title, const char *x, double width,
                     double height)
{
  plot_set_axes(figure, row, column,
                &(plot_axes){.title = title,
                             .x = {.name = x, .unit = "m/s", .low = -width, .high = width},
                             .y = {.name = MINUS "y", .unit = "N", .low = -height, .high = height},
                             .zero_lines = 1});
}

static plot_figure *picture(double a, double width)
{
  const double height = a > 0.0 ? 1.6 * a : 1.6;
  plot_figure *figure = plot_new(2, 2);
  plot_set_panel_size(figure, 380.0, 300.0);
  plot_set_description(figure,
                       "The graphs of Upr(x) and a Sgn(x), and of the two Upr that a Sgn(x) consists of");
  set_axes(figure, 0, 0, "Upr(x)", "x", width, height);
  draw_upr(figure, 0, 0, 1.0, 0.0);
  plot_add_text(figure, 0, 0, 0.5 * width, 0.0, 0.0, -9.0, 0, "opening: no force");
  plot_add_text(figure, 0, 0, 0.0, -0.5 * height, 9.0, 4.0, -1, "closed: any force");
  plot_add_text(figure, 0, 0, -0.5 * width, 0.0, 0.0, -9.0, 0, "empty");
  set_axes(figure, 0, 1, "a Sgn(x)", "x", width, height);
  draw_sgn(figure, 0, 1, a);
  plot_add_text(figure, 0, 1, 0.5 * width, a, 0.0, -9.0, 0, "slides to the right");
  plot_add_text(figure, 0, 1, 0.0, 0.0, 9.0, -9.0, -1, "sticks");
  plot_add_text(figure, 0, 1, -0.5 * width, -a, 0.0, 19.0, 0, "slides to the left");
  set_axes(figure, 1, 0, "+ Upr(x_R) + a", "x_R", width, height);
  draw_upr(figure, 1, 0, 1.0, a);
  plot_add_text(figure, 1, 0, 0.0, a, -10.0, 4.0, 1, "a");
  plot_add_text(figure, 1, 0, -0.5 * width, 0.0, 0.0, -9.0, 0, "empty");
  set_axes(figure, 1, 1, MINUS " Upr(x_L) " MINUS " a", "x_L", width, height);
  draw_upr(figure, 1, 1, -1.0, a);
  plot_add_text(figure, 1, 1, 0.0, -a, -10.0, 4.0, 1, MINUS "a");
  plot_add_text(figure, 1, 1, -0.5 * width, 0.0, 0.0, -9.0, 0, "empty");
  return figure;
}

/* ---- The data ---- */

/* Rows x, ends of Upr(x), ends of a Sgn(x); empty cells where the set is empty. */
static void write_graphs(const output *out, double a, double width)
{
  csv_columns(out, "x,upr_lo,upr_hi,sgn_lo,sgn_hi");
  for (int i = -GRID; i <= GRID; i++) {
    double row[5] = {i * width / GRID, NAN, NAN, NAN, NAN}, lo, hi;
    if (nsdyn_upr(row[0], &lo, &hi)) {
      row[1] = lo;
      row[2] = hi;
    }
    if (nsdyn_sgn(a, row[0], &lo, &hi)) {
      row[3] = lo;
      row[4] = hi;
    }
    csv_row(out, 5, row);
  }
}

/* On how many points each way to say −y ∈ a Sgn(x) holds, and what splitting and joining loses. */
typedef struct census {
  int points, inclusions, pairs, cones, minimum_maps, fischer_burmeisters;
  double join_error; /* of the force, on the graph */
} census;

static int is_complementary(double x, double y)
{
  return nsdyn_upr_contains(x, -y);
}

static void count_point(census *c, double a, double x, double y)
{
  double x_r, y_r, x_l, y_l, x_joined, y_joined;
  const int inclusion = nsdyn_sgn_contains(a, x, -y);
  nsdyn_sgn_split(a, x, y, &x_r, &y_r, &x_l, &y_l);
  nsdyn_sgn_join(x_r, y_r, x_l, y_l, &x_joined, &y_joined);
  c->points++;
  c->inclusions += inclusion;
  c->pairs += is_complementary(x_r, y_r) && is_complementary(x_l, y_l);
  c->cones += nsdyn_interval_residual(-a, a, 1.0, y, -x) == 0.0;
  c->minimum_maps += nsdyn_ncp_min_box(-a, a, y, x, NULL, NULL) == 0.0;
  c->fischer_burmeisters += nsdyn_ncp_fb_box(-a, a, y, x, NULL, NULL) == 0.0;
  if (inclusion) {
    c->join_error = fmax(c->join_error, fabs(y_joined - y) + fabs(x_joined - x));
  }
}

static census take_census(double a, double width)
{
  census c = {0};
  for (int i = -GRID; i <= GRID; i++) {
    for (int j = -2 * GRID; j <= 2 * GRID; j++) {
      count_point(&c, a, i * width / GRID, j * a / GRID);
    }
  }
  return c;
}

static void print_results(const output *out, double a, const census *c)
{
  double lo, hi;
  nsdyn_upr(0.0, &lo, &hi);
  result(out, "upr_at_zero_lo", lo, "N");
  result(out, "upr_at_zero_hi", hi, "N");
  nsdyn_sgn(a, 0.0, &lo, &hi);
  result(out, "sgn_at_zero_lo", lo, "N");
  result(out, "sgn_at_zero_hi", hi, "N");
  result(out, "grid_points", c->points, "1");
  result(out, "inclusions", c->inclusions, "1");
  result(out, "complementary_pairs", c->pairs, "1");
  result(out, "normal_cones", c->cones, "1");
  result(out, "minimum_map_zeros", c->minimum_maps, "1");
  result(out, "fischer_burmeister_zeros", c->fischer_burmeisters, "1");
  result(out, "join_error", c->join_error, "N");
}

int main(int argc, char **argv)
{
  double a = 1.0, width = 1.0;
  const option table[] = {
      {.name = "a", .unit = "N", .help = "step height of Sgn", .number = &a, .low = 0.0, .high = 1e6},
      {.name = "width",
       .unit = "m/s",
       .help = "largest |x|",
       .number = &width,
       .low = 0.0,
       .high = 1e6,
       .open = 1},
  };
  output out;
  const int status = options_read(
      &out, argc, argv, "The set-valued maps Upr and Sgn and the decomposition of the one into the other.",
      table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  const census c = take_census(a, width);
  print_results(&out, a, &c);
  write_graphs(&out, a, width);
  plot_figure *figure = picture(a, width);
  plot_write(figure, out.svg);
  plot_free(figure);
  const int agree = c.pairs == c.inclusions && c.cones == c.inclusions && c.minimum_maps == c.inclusions &&
                    c.fischer_burmeisters == c.inclusions;
  return output_close(&out, agree ? 0 : complain(&out, STATUS_FAILED, "the forms of the law disagree"));
}
