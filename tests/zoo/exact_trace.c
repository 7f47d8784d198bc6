/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* exact.h, the motion printed. */
#include <stdio.h>

#include "exact_inner.h"

void exact_tell(const exact *e, exact_real span)
{
  const char *level = getenv("ZOO_EXACT");
  if (!level) {
    return;
  }
  fprintf(stderr, "known %.3Lf of span, %d nodes %s\n", e->known / span, e->nodes, e->why ? e->why : "");
  for (int k = 1; k < e->nodes && level[0] == '2'; k++) {
    const exact_node *x = &e->node[k];
    if (memcmp(x->mode, x[-1].mode, EXACT_CONTACTS) != 0 || x->jump) {
      fprintf(stderr, "  %.15Lg %s", x->t, x->jump ? "hit" : "   ");
      for (int i = 0; i < e->contacts; i++) {
        fprintf(stderr, " %d", x->mode[i]);
      }
      for (int j = 0; j < e->n; j++) {
        fprintf(stderr, "  %.12Lg %.12Lg", x->q[j], x->v[j]);
      }
      fprintf(stderr, "\n");
    }
  }
}
