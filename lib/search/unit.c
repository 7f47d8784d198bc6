/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "search/unit.h"

#include <math.h>

#include "base/kernels/simd.h"
#include "search/cell_narrow.h"

NSD_INLINE int standing_of(const nsd_cell *cell, int k, int ask)
{
  if (nsd_cell_is_held(cell, k)) {
    return NSD_OBEYED;
  }
  /* Points of the cell are known at which u_k > 0, or < 0. Where zero is asked either rules that out; where
   * one sign is asked a point of the other does, and to be held, asked already or seen there obeys it. */
  const int above = cell->mark[k] & NSD_CELL_ABOVE, below = cell->mark[k] & NSD_CELL_BELOW;
  if (ask == NSD_ASK_ZERO) {
    return above || below ? NSD_RULED_OUT : NSD_OPEN;
  }
  if (ask == NSD_ASK_POSITIVE ? below : above) {
    return NSD_RULED_OUT;
  }
  const int asked = cell->ask[k] == NSD_ASK_POSITIVE && cell->sign[k] == ask;
  return asked || above || below ? NSD_OBEYED : NSD_OPEN;
}

int nsd_ask_standing(const nsd_cell *cell, int k, int ask)
{
  return standing_of(cell, k, ask);
}

NSD_INLINE int standing(const nsd_cell *cell, const nsd_unit *unit, int a)
{
  /* An alternative is as good as the worst of what it asks. */
  const nsd_alternative *choice = &unit->alternative[a];
  int least = NSD_OBEYED;
  for (int l = 0; l < choice->asks && least > NSD_RULED_OUT; l++) {
    const int own = standing_of(cell, unit->part[choice->part[l]], choice->ask[l]);
    least = own < least ? own : least;
  }
  return least;
}

int nsd_unit_standing(const nsd_cell *cell, const nsd_unit *unit, int a)
{
  return standing(cell, unit, a);
}

int nsd_unit_left(const nsd_cell *cell, const nsd_unit *unit, int *last)
{
  int count = 0;
  for (int a = 0; a < unit->alternatives; a++) {
    const int own = standing(cell, unit, a);
    if (own == NSD_OBEYED) {
      return -1;
    }
    if (own == NSD_OPEN) {
      *last = a;
      count++;
    }
  }
  return count;
}

void nsd_unit_ask(nsd_cell *cell, const nsd_unit *unit, int a)
{
  const nsd_alternative *choice = &unit->alternative[a];
  for (int l = 0; l < choice->asks; l++) {
    nsd_cell_ask(cell, unit->part[choice->part[l]], choice->ask[l]);
  }
}

double nsd_unit_miss(const nsd_cell *cell, const nsd_unit *unit, int a)
{
  const nsd_alternative *choice = &unit->alternative[a];
  double most = 0.0;
  for (int l = 0; l < choice->asks; l++) {
    const int k = unit->part[choice->part[l]];
    /* u_k in its own sign, and by how much the cell's point breaks u_k = 0, u_k >= 0 or u_k <= 0. */
    const double value = cell->sign[k] * nsd_cell_value(cell, k);
    const double miss = choice->ask[l] == NSD_ASK_ZERO ? fabs(value) : -choice->ask[l] * value;
    most = miss > most ? miss : most;
  }
  return most;
}
