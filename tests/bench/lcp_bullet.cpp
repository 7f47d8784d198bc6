/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Bullet: Dantzig's method for boxes and Lemke's method, in the precision that the package was built with.
 *
 * A x = b + w with the sign of b turned round. Dantzig's code rearranges A, b and the bounds, so it
 * gets copies. Lemke's object takes its matrix by value, so its construction counts. */
#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "lcp_peers.h"

namespace
{

struct problems {
  int n;
  std::vector<btScalar> A, b, lo, hi; /* of all */
};

struct dantzig : problems {
  std::vector<btScalar> own_A, own_b, own_lo, own_hi, x, w;
  btDantzigScratchMemory scratch;
};

struct lemke {
  std::vector<btMatrixXu> M;
  std::vector<btVectorXu> q;
};

void *start_dantzig(const lcp_set *set)
{
  const std::size_t n = std::size_t(set->n), all = n * std::size_t(set->count);
  dantzig *d = new dantzig;
  d->n = set->n;
  d->A.assign(set->A, set->A + all * n);
  d->b.resize(all);
  d->lo.assign(all, 0);
  d->hi.assign(all, BT_INFINITY);
  for (std::size_t i = 0; i < all; i++) {
    d->b[i] = btScalar(-set->b[i]);
    if (set->lo) {
      d->lo[i] = std::isinf(set->lo[i]) ? -BT_INFINITY : btScalar(set->lo[i]);
      d->hi[i] = std::isinf(set->hi[i]) ? BT_INFINITY : btScalar(set->hi[i]);
    }
  }
  d->own_A.resize(n * n);
  d->own_b.resize(n);
  d->own_lo.resize(n);
  d->own_hi.resize(n);
  d->x.resize(n);
  d->w.resize(n);
  return d;
}

void solve_dantzig(void *peer, int k, double *x)
{
  dantzig *d = static_cast<dantzig *>(peer);
  const std::size_t n = std::size_t(d->n), from = n * std::size_t(k);
  std::copy_n(d->A.data() + from * n, n * n, d->own_A.data());
  std::copy_n(d->b.data() + from, n, d->own_b.data());
  std::copy_n(d->lo.data() + from, n, d->own_lo.data());
  std::copy_n(d->hi.data() + from, n, d->own_hi.data());
  btSolveDantzigLCP(d->n, d->own_A.data(), d->x.data(), d->own_b.data(), d->w.data(), 0, d->own_lo.data(),
                    d->own_hi.data(), nullptr, d->scratch);
  std::copy_n(d->x.data(), n, x);
}

void end_dantzig(void *peer)
{
  delete static_cast<dantzig *>(peer);
}

void *start_lemke(const lcp_set *set)
{
  lemke *l = new lemke;
  for (int k = 0; k < set->count; k++) {
    const double *A = lcp_set_A(set, k), *b = lcp_set_vector(set, set->b, k);
    btMatrixXu M(set->n, set->n);
    btVectorXu q(set->n);
    for (int i = 0; i < set->n; i++) {
      q[i] = btScalar(b[i]);
      for (int j = 0; j < set->n; j++) {
        M.setElem(i, j, btScalar(A[i * set->n + j]));
      }
    }
    l->M.push_back(M);
    l->q.push_back(q);
  }
  return l;
}

void solve_lemke(void *peer, int k, double *x)
{
  lemke *l = static_cast<lemke *>(peer);
  btLemkeAlgorithm algorithm(l->M[std::size_t(k)], l->q[std::size_t(k)]);
  const btVectorXu solution = algorithm.solve(1000); /* as many steps as Bullet's own btLemkeSolver allows */
  const int n = l->q[std::size_t(k)].size();
  for (int i = 0; i < n; i++) {
    x[i] = n + i < solution.size() ? double(solution[n + i]) : 0.0; /* w comes first */
  }
}

void end_lemke(void *peer)
{
  delete static_cast<lemke *>(peer);
}

} // namespace

const lcp_peer lcp_bullet_dantzig = {"Bullet Dantzig", 1, start_dantzig, solve_dantzig, end_dantzig, 0};
const lcp_peer lcp_bullet_lemke = {"Bullet Lemke", 0, start_lemke, solve_lemke, end_lemke, 1};
