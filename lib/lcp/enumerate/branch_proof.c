/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/enumerate/branch_proof.h"

void nsd_branch_proof_lay_out(nsd_arena *arena, nsd_branch_proof *judge, int n)
{
  const size_t size = (size_t)n;
  judge->poll = NULL;
  nsd_farkas_lay_out(arena, &judge->proof, n);
  judge->lo = nsd_arena_take(arena, size, sizeof *judge->lo);
  judge->hi = nsd_arena_take(arena, size, sizeof *judge->hi);
  judge->v = nsd_arena_take(arena, size, sizeof *judge->v);
  judge->plain = nsd_arena_take(arena, size, sizeof *judge->plain);
  judge->fixed = nsd_arena_take(arena, 2 * size, sizeof *judge->fixed);
  judge->signs = nsd_arena_take(arena, size, sizeof *judge->signs);
}

/* A plain problem is judged in the tree's units, which are powers of two. */
static int closes_plain(nsd_branch_proof *judge)
{
  const int n = judge->problem->columns;
  for (int i = 0; i < n; i++) {
    judge->lo[i] = 0.0;
    judge->hi[i] = judge->fixed[i] ? 0.0 : INFINITY;
    judge->signs[i] = judge->fixed[n + i] ? NSD_FARKAS_POSITIVE | NSD_FARKAS_NEGATIVE : NSD_FARKAS_POSITIVE;
  }
  const nsd_lcp_problem branch = {
      .n = n, .lda = n, .A = judge->problem->a, .b = judge->problem->d, .lo = judge->lo, .hi = judge->hi};
  return nsd_farkas_find_in_branch(&judge->proof, &branch, judge->signs, judge->v);
}

static int closes_mixed(nsd_branch_proof *judge)
{
  const nsd_plain_form *normal = judge->form->normal;
  nsd_lcp_problem branch = *judge->form->p;
  if (!nsd_plain_form_branch(normal, &branch, judge->fixed, judge->lo, judge->hi, judge->signs)) {
    return 1;
  }
  nsd_scale_multipliers(judge->scale, judge->problem->columns, judge->plain);
  nsd_plain_form_multipliers(normal, judge->plain, judge->v);
  branch.lo = judge->lo;
  branch.hi = judge->hi;
  return nsd_farkas_find_in_branch(&judge->proof, &branch, judge->signs, judge->v);
}

int nsd_branch_proof_closes(void *user, const nsd_cell *cell, int extra, const double *v)
{
  nsd_branch_proof *judge = user;
  const int n = cell->columns;
  judge->proof.poll = judge->proof.enclosure.poll = judge->poll;
  for (int k = 0; k < 2 * n; k++) {
    judge->fixed[k] = nsd_cell_is_held(cell, k) || k == extra;
  }
  double *to = judge->form ? judge->plain : judge->v;
  for (int i = 0; i < n; i++) {
    to[i] = v[i];
  }
  return judge->form ? closes_mixed(judge) : closes_plain(judge);
}
