/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Open Dynamics Engine 0.16: Dantzig's method for boxes, as its step calls it.
 *
 * No header declares it, but the library exports the function and the makers of its memory; what is declared
 * here is checked by the linker (mangled names) and when the memory is made. A x = b + w with the sign of b
 * turned round; b_i beside x_i, lo_i beside hi_i; rows padded to four numbers. The code rearranges all
 * of it, so it gets copies. */
#include <ode/common.h>
#include <ode/error.h>

#include <algorithm>
#include <vector>

#include "lcp_peers.h"

class dxWorldProcessMemoryManager;
class dxWorldProcessMemoryReserveInfo;

/* The head of the block; the memory that it hands out follows. */
class dxWorldProcessMemArena
{
public:
  void *current, *begin, *end, *allocated;
  const dxWorldProcessMemoryManager *manager;
};

std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool outer_w_avail);
dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(std::size_t size,
                                                                const dxWorldProcessMemoryManager *manager,
                                                                const dxWorldProcessMemoryReserveInfo *info);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, dReal *A, dReal *pairs_bx, dReal *outer_w,
                unsigned nub, dReal *pairs_lh, int *findex);

namespace
{

struct ode {
  std::size_t n, stride;
  std::vector<dReal> A, bx, lh;             /* of all */
  std::vector<dReal> own_A, own_bx, own_lh; /* A with room to begin at a whole vector */
  dReal *aligned_A;
  dxWorldProcessMemArena *arena;
};

void say_nothing(int, const char *, va_list)
{
}

/* Whether the head is what this file takes it for. */
bool is_understood(const dxWorldProcessMemArena *arena, std::size_t size)
{
  const char *head = reinterpret_cast<const char *>(arena);
  const char *begin = static_cast<const char *>(arena->begin), *end = static_cast<const char *>(arena->end);
  return !arena->current && begin >= head + sizeof *arena && begin <= head + 2 * sizeof *arena &&
         end >= begin + size && arena->allocated <= arena;
}

void finish(void *peer)
{
  ode *o = static_cast<ode *>(peer);
  if (o->arena) {
    o->arena->current = nullptr;
    dxFreeTemporaryWorldProcessMemArena(o->arena);
  }
  delete o;
}

void *start(const lcp_set *set)
{
  ode *o = new ode;
  const std::size_t n = o->n = std::size_t(set->n), count = std::size_t(set->count);
  const std::size_t size = dxEstimateSolveLCPMemoryReq(unsigned(n), false);
  o->stride = n > 1 ? (n + 3) / 4 * 4 : 1;
  o->arena = dxAllocateTemporaryWorldProcessMemArena(size, nullptr, nullptr);
  if (!o->arena || !is_understood(o->arena, size)) {
    o->arena = nullptr; /* better lost than freed by a wrong plan */
    finish(o);
    return nullptr;
  }
  o->A.assign(count * n * o->stride, 0.0);
  o->bx.assign(2 * count * n, 0.0);
  o->lh.assign(2 * count * n, 0.0);
  for (std::size_t row = 0; row < count * n; row++) {
    std::copy_n(set->A + row * n, n, o->A.data() + row * o->stride);
    o->bx[2 * row] = -set->b[row];
    o->lh[2 * row] = set->lo ? set->lo[row] : 0.0;
    o->lh[2 * row + 1] = set->hi ? set->hi[row] : dInfinity;
  }
  const std::size_t line = 64 / sizeof(dReal);
  o->own_A.resize(n * o->stride + line);
  o->own_bx.resize(2 * n);
  o->own_lh.resize(2 * n);
  const std::size_t beyond = reinterpret_cast<std::size_t>(o->own_A.data()) % 64 / sizeof(dReal);
  o->aligned_A = o->own_A.data() + (line - beyond) % line;
  dSetMessageHandler(say_nothing);
  return o;
}

void solve(void *peer, int k, double *x)
{
  ode *o = static_cast<ode *>(peer);
  const std::size_t n = o->n, row = n * std::size_t(k);
  std::copy_n(o->A.data() + row * o->stride, n * o->stride, o->aligned_A);
  std::copy_n(o->bx.data() + 2 * row, 2 * n, o->own_bx.data());
  std::copy_n(o->lh.data() + 2 * row, 2 * n, o->own_lh.data());
  o->arena->current = o->arena->begin;
  dxSolveLCP(o->arena, unsigned(n), o->aligned_A, o->own_bx.data(), nullptr, 0, o->own_lh.data(), nullptr);
  for (std::size_t i = 0; i < n; i++) {
    x[i] = o->own_bx[2 * i + 1];
  }
}

} // namespace

const lcp_peer lcp_ode_dantzig = {"ODE Dantzig", 1, start, solve, finish, 0};
