/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/polish.h"

#include <string.h>

#include "lcp/certificate.h"

double nsd_lcp_polish(nsd_basis *w, const nsd_lcp_problem *p, const int32_t *basis, double *x, double *work)
{
  const double residual = nsd_certify(p, x, NULL).residual;
  if (nsd_basis_solve(w, p, basis, work)) {
    return residual;
  }
  nsd_lcp_project(p, work);
  const double polished = nsd_certify(p, work, NULL).residual;
  if (!(polished < residual)) {
    return residual;
  }
  memcpy(x, work, (size_t)p->n * sizeof *x);
  return polished;
}

nsdyn_status nsd_lcp_refuse(nsd_lcp_answer *answer, int row, const char *reason)
{
  answer->refused_row = row;
  answer->refused = reason;
  return NSDYN_ERR_UNSUPPORTED;
}

int nsd_lcp_row_without_positive_diagonal(const nsd_lcp_problem *p)
{
  for (int i = 0; i < p->n; i++) {
    if (!(nsd_lcp_row(p, i)[i] > 0.0)) {
      return i;
    }
  }
  return -1;
}
