/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/space/sweep.h"

#include <math.h>

#include "base/heap_sort.h"

static int comes_before(const void *a, const void *b)
{
  const nsd_sweep_entry *x = a, *y = b;
  return x->low < y->low || (x->low == y->low && x->number < y->number);
}

/* The axis along which the middles of finite boxes scatter most. */
static int widest_axis(int32_t count, const double (*box)[6])
{
  int best = 0;
  double most = -1.0;
  for (int a = 0; a < 3; a++) {
    double n = 0.0, mean = 0.0, squares = 0.0;
    for (int32_t i = 0; i < count; i++) {
      const double middle = 0.5 * box[i][a] + 0.5 * box[i][3 + a];
      if (isfinite(middle)) { /* Welford's sums */
        const double off = middle - mean;
        n += 1.0;
        mean += off / n;
        squares += off * (middle - mean);
      }
    }
    if (squares > most) {
      most = squares;
      best = a;
    }
  }
  return best;
}

int nsd_sweep(int32_t count, const double (*box)[6], double margin, nsd_sweep_entry *order,
              nsd_sweep_visit *visit, void *user)
{
  const int axis = widest_axis(count, box);
  const int across[2] = {(axis + 1) % 3, (axis + 2) % 3};
  nsd_sweep_entry spare;
  for (int32_t i = 0; i < count; i++) {
    order[i] = (nsd_sweep_entry){.low = box[i][axis], .number = i};
  }
  nsd_heap_sort(order, count, sizeof *order, comes_before, &spare);
  for (int32_t i = 0; i < count; i++) {
    const double *own = box[order[i].number], end = own[3 + axis] + margin;
    for (int32_t k = i + 1; k < count && order[k].low <= end; k++) {
      const double *other = box[order[k].number];
      int is_near = 1;
      for (int a = 0; a < 2; a++) {
        const int b = across[a];
        is_near &= own[b] <= other[3 + b] + margin && other[b] <= own[3 + b] + margin;
      }
      if (is_near) {
        const int32_t x = order[i].number, y = order[k].number;
        const int code = visit(user, x < y ? x : y, x < y ? y : x);
        if (code) {
          return code;
        }
      }
    }
  }
  return 0;
}
