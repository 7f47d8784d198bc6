/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/agree_rows.h"

#include "stepper/check/redundant_rounding.h"

/* Whether row i of the problem is one of them. */
static int belongs(const nsd_projection *p, int i, int which)
{
  return i >= p->contacts || which == NSD_AGREE_ALL ||
         (which == NSD_AGREE_EQUAL && p->spec[i].kind == NSDYN_CONTACT_BILATERAL);
}

int nsd_agree_rows(nsd_projection *p, int which)
{
  nsd_scene *scene = &p->scene;
  const size_t ldg = (size_t)scene->problem.ldg;
  double *c = scene->solution.Lambda, *noise = scene->solution.xi, *g = p->G;
  int n = 0;
  /* 1: G, c and noise of these rows alone, in their order: g is n × n without gaps. */
  for (int i = 0; i < p->rows; i++) {
    for (int j = 0; belongs(p, i, which) && j < p->rows; j++) {
      if (belongs(p, j, which)) {
        *g++ = scene->problem.G[(size_t)p->row[i] * ldg + (size_t)p->row[j]];
      }
    }
    if (belongs(p, i, which)) {
      c[n] = p->c[i];
      noise[n++] = p->noise[i];
    }
  }
  /* 2: c of rows that depend on others. */
  const int agrees = n > 1 ? nsd_redundant_agree(n, p->G, n, noise, c, p->Lambda) : 0;
  for (int i = 0, k = 0; agrees > 0 && i < p->rows; i++) {
    if (belongs(p, i, which)) {
      p->c[i] = c[k++];
    }
  }
  return agrees;
}
