/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/kernels/exchange.h"

#include "base/assert.h"
#include "base/kernels/cpu.h"
#include "base/kernels/simd.h"

static double *column(double *T, int ld, int j)
{
  return T + (size_t)j * (size_t)ld;
}

enum { COLUMNS_PER_POLL = 64 };

/* After so many columns. Also when it is told to stop, the exchange goes on to its end. */
static void ask(nsd_poll *poll, int j, int rows)
{
  if (poll && j % COLUMNS_PER_POLL == COLUMNS_PER_POLL - 1) {
    (void)nsd_poll_stops(poll, COLUMNS_PER_POLL * 2.0 * rows);
  }
}

NSD_INLINE void exchange(int rows, int cols, double *T, int ld, int r, int s, nsd_poll *poll)
{
  const int padded = nsd_tableau_ld(rows);
  double *S = column(T, ld, s);
  const double inverse = 1.0 / S[r];
  /* C −= (T_rj / p) S, S the column of x_s, by whole vectors; T_rj := −T_rj / p. */
  for (int j = 0; j < cols; j++) {
    double *C = column(T, ld, j);
    ask(poll, j, rows);
    if (j == s || C[r] == 0.0) {
      continue;
    }
    const double f = C[r] * inverse;
    for (int i = 0; i < padded; i += NSD_LANES) {
      nsd_lanes_store(C + i, nsd_lanes_load(C + i) - f * nsd_lanes_load(S + i));
    }
    C[r] = -f;
  }
  /* S := S / p, T_rs := 1 / p. */
  for (int i = 0; i < padded; i += NSD_LANES) {
    nsd_lanes_store(S + i, inverse * nsd_lanes_load(S + i));
  }
  S[r] = inverse;
}

static void exchange_plain(int rows, int cols, double *T, int ld, int r, int s, nsd_poll *poll)
{
  exchange(rows, cols, T, ld, r, s, poll);
}

NSD_TARGET_AVX2 static void exchange_avx2(int rows, int cols, double *T, int ld, int r, int s, nsd_poll *poll)
{
  exchange(rows, cols, T, ld, r, s, poll);
}

void nsd_tableau_exchange_plain(int rows, int cols, double *T, int ld, int r, int s)
{
  exchange_plain(rows, cols, T, ld, r, s, NULL);
}

void nsd_tableau_exchange_avx2(int rows, int cols, double *T, int ld, int r, int s)
{
  exchange_avx2(rows, cols, T, ld, r, s, NULL);
}

void nsd_tableau_exchange_asking(int rows, int cols, double *T, int ld, int r, int s, nsd_poll *poll)
{
  NSD_ASSERT(0 <= r && r < rows && 0 <= s && s < cols && ld >= rows && ld % NSD_TABLEAU_STEP == 0);
  (nsd_cpu_avx2() ? exchange_avx2 : exchange_plain)(rows, cols, T, ld, r, s, poll);
}

void nsd_tableau_exchange(int rows, int cols, double *T, int ld, int r, int s)
{
  nsd_tableau_exchange_asking(rows, cols, T, ld, r, s, NULL);
}
