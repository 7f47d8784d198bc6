/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp_figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/plot.h"

enum { most_sizes = 32 };

/* Pivots of ours are blue, iterations orange, peers broken lines of their own colours. */
static plot_curve style_of(const char *contender)
{
  static const struct {
    const char *begins;
    int color, dash, marker;
  } styles[] = {
      {"automatic", PLOT_BLACK, PLOT_SOLID, PLOT_DISK},
      {"Murty", PLOT_BLUE, PLOT_SOLID, PLOT_SQUARE},
      {"principal", PLOT_BLUE, PLOT_SOLID, PLOT_TRIANGLE},
      {"block", PLOT_BLUE, PLOT_SOLID, PLOT_CROSS},
      {"enumerative", PLOT_BLUE, PLOT_SOLID, PLOT_DISK},
      {"Gauss", PLOT_ORANGE, PLOT_SOLID, PLOT_DISK},
      {"Newton (min)", PLOT_ORANGE, PLOT_SOLID, PLOT_SQUARE},
      {"Newton (FB)", PLOT_ORANGE, PLOT_SOLID, PLOT_TRIANGLE},
      {"Marquardt (regular)", PLOT_ORANGE, PLOT_SOLID, PLOT_CROSS},
      {"Marquardt (projected)", PLOT_ORANGE, PLOT_SOLID, PLOT_RING},
      {"Siconos driver", PLOT_VERMILION, PLOT_DASHED, PLOT_CROSS},
      {"Siconos", PLOT_VERMILION, PLOT_DASHED, PLOT_RING},
      {"ODE", PLOT_GREEN, PLOT_DASHED, PLOT_RING},
      {"Bullet Dantzig", PLOT_PURPLE, PLOT_DASHED, PLOT_SQUARE},
      {"Bullet", PLOT_PURPLE, PLOT_DASHED, PLOT_TRIANGLE},
      {"", PLOT_BLUE, PLOT_SOLID, PLOT_RING},
  };
  size_t i = 0;
  while (strncmp(contender, styles[i].begins, strlen(styles[i].begins)) != 0) {
    i++;
  }
  return (plot_curve){.label = contender,
                      .color = styles[i].color,
                      .dash = styles[i].dash,
                      .marker = styles[i].marker,
                      .width = styles[i].color == PLOT_BLACK ? 2.6 : 1.4};
}

static void add_curve(plot_figure *figure, int column, const bench *b, const lcp_figure_panel *panel,
                      const char *contender)
{
  double n[most_sizes], time[most_sizes];
  int count = 0;
  for (int i = 0; i < panel->size_count && i < most_sizes; i++) {
    const double median = bench_median(b, panel->work, panel->sizes[i], contender);
    const int failed = bench_failed(b, panel->work, panel->sizes[i], contender);
    if (!isnan(median) && 2 * failed < panel->problems(panel->sizes[i])) {
      n[count] = panel->sizes[i];
      time[count++] = 1e-3 * median;
    }
  }
  if (count > 0) {
    plot_curve curve = style_of(contender);
    curve.count = count;
    curve.x = n;
    curve.y = time;
    plot_add(figure, 0, column, &curve);
  }
}

int lcp_figure_write(const bench *b, const char *path, const lcp_figure_panel *panels, int panel_count,
                     const char *const *contenders, int contender_count)
{
  FILE *file = fopen(path, "w");
  if (!file) {
    perror(path);
    return 0;
  }
  plot_figure *figure = plot_new(1, panel_count);
  plot_set_panel_size(figure, 470.0, 520.0);
  plot_set_description(figure, "Time per problem against the number of unknowns, both logarithmic, for every "
                               "method of the library and for the solvers of other libraries.");
  for (int column = 0; column < panel_count; column++) {
    plot_set_axes(figure, 0, column,
                  &(plot_axes){.title = panels[column].title,
                               .x = {.name = "n", .unit = "1", .log = 1},
                               .y = {.name = "time per problem", .unit = "µs", .log = 1}});
    for (int i = 0; i < contender_count; i++) {
      add_curve(figure, column, b, &panels[column], contenders[i]);
    }
  }
  plot_write(figure, file);
  plot_free(figure);
  const int good = !ferror(file);
  return fclose(file) == 0 && good;
}
