/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Curves in px: what cannot be seen is left out, what can be seen stays. */
#include <math.h>
#include <stdlib.h>

#include "options.h"
#include "plot_parts.h"

/* Consecutive points that fall into one column of half a pixel. */
enum { FIRST, LEFT, RIGHT, LOWEST, HIGHEST, LAST, KEPT };
typedef struct run {
  int index[KEPT];
  point at[KEPT];
  double column;
  int empty;
} run;

typedef struct path {
  point *points;
  int count, room;
} path;

static void put(path *p, point at)
{
  if (p->count == p->room) {
    p->room = p->room ? 2 * p->room : 256;
    p->points = memory(p->points, (size_t)p->room, sizeof *p->points);
  }
  p->points[p->count++] = at;
}

/* The kept points of a run in the order in which they come. */
static void flush(path *p, run *r)
{
  int last = -1;
  while (!r->empty) {
    int next = -1;
    for (int k = 0; k < KEPT; k++) {
      if (r->index[k] > last && (next < 0 || r->index[k] < r->index[next])) {
        next = k;
      }
    }
    if (next < 0) {
      break;
    }
    last = r->index[next];
    put(p, r->at[next]);
  }
  r->empty = 1;
}

static void keep(run *r, int which, int index, point at)
{
  r->index[which] = index;
  r->at[which] = at;
}

static void extend(run *r, int index, point at)
{
  if (r->empty) {
    for (int k = 0; k < KEPT; k++) {
      keep(r, k, index, at);
    }
    r->empty = 0;
    r->column = floor(2.0 * at.x);
    return;
  }
  keep(r, LAST, index, at);
  if (at.x < r->at[LEFT].x) {
    keep(r, LEFT, index, at);
  }
  if (at.x > r->at[RIGHT].x) {
    keep(r, RIGHT, index, at);
  }
  if (at.y < r->at[LOWEST].y) {
    keep(r, LOWEST, index, at);
  }
  if (at.y > r->at[HIGHEST].y) {
    keep(r, HIGHEST, index, at);
  }
}

point *path_points(const plot_curve *curve, const scale *x, const scale *y, int *count)
{
  const point gap = {NAN, NAN};
  path p = {NULL, 0, 0};
  run r = {.empty = 1};
  for (int i = 0; i < curve->count; i++) {
    const point at = {scale_px(x, curve->x[i]), scale_px(y, curve->y[i])};
    const int none = isnan(at.x) || isnan(at.y);
    if (!r.empty && (none || floor(2.0 * at.x) != r.column)) {
      flush(&p, &r);
    }
    if (!none) {
      extend(&r, i, at);
    } else if (p.count > 0 && !isnan(p.points[p.count - 1].x)) {
      put(&p, gap);
    }
  }
  flush(&p, &r);
  put(&p, gap);
  *count = p.count;
  return p.points;
}
