/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/matrix/symmetry.h"

#include <float.h>

#include "base/kernels/simd.h"
#include "base/tolerances.h"

#define COLUMN_READ 8.0 /* multiplications that take as long as to read an element out of a column */

/* Whether a_ij and a_ji differ by more than rounding. */
static int differs(const nsd_lcp_problem *p, int i, int j)
{
  const double a = nsd_lcp_row(p, i)[j];
  const double b = nsd_lcp_row(p, j)[i];
  if (a == b) {
    return 0;
  }
  const double scale = sqrt(nsd_lcp_row(p, i)[i]) * sqrt(nsd_lcp_row(p, j)[j]);
  return !(fabs(a - b) <= NSD_MIRROR_ROUNDING * scale);
}

/* The first row of i … i_end−1 that differs at j … j_end−1 < i; −1 if there is none. */
static int find_row(const nsd_lcp_problem *p, int i, int i_end, int j, int j_end)
{
  for (int row = i; row < i_end; row++) {
    for (int column = j; column < j_end && column < row; column++) {
      if (differs(p, row, column)) {
        return row;
      }
    }
  }
  return -1;
}

/* Lanes that are not zero where the four by four elements at (i, j) are not those at (j, i) transposed, to
 * the bit. */
NSD_INLINE_LANES nsd_lanes_bits compare_tile(const double *below, const double *above, size_t lda)
{
  /* The tile above the diagonal is transposed by two rounds of shuffles, then compared with the one below. */
  const nsd_lanes r0 = nsd_lanes_load(above);
  const nsd_lanes r1 = nsd_lanes_load(above + lda);
  const nsd_lanes r2 = nsd_lanes_load(above + 2 * lda);
  const nsd_lanes r3 = nsd_lanes_load(above + 3 * lda);
  const nsd_lanes even01 = NSD_SHUFFLE(r0, r1, 0, 4, 2, 6);
  const nsd_lanes odd01 = NSD_SHUFFLE(r0, r1, 1, 5, 3, 7);
  const nsd_lanes even23 = NSD_SHUFFLE(r2, r3, 0, 4, 2, 6);
  const nsd_lanes odd23 = NSD_SHUFFLE(r2, r3, 1, 5, 3, 7);
  return (nsd_lanes_bits)(nsd_lanes_load(below) != NSD_SHUFFLE(even01, even23, 0, 1, 4, 5)) |
         (nsd_lanes_bits)(nsd_lanes_load(below + lda) != NSD_SHUFFLE(odd01, odd23, 0, 1, 4, 5)) |
         (nsd_lanes_bits)(nsd_lanes_load(below + 2 * lda) != NSD_SHUFFLE(even01, even23, 2, 3, 6, 7)) |
         (nsd_lanes_bits)(nsd_lanes_load(below + 3 * lda) != NSD_SHUFFLE(odd01, odd23, 2, 3, 6, 7));
}

/* The tiles left of the diagonal in rows i … i+3. */
NSD_INLINE int check_band(const nsd_lcp_problem *p, int i)
{
  const size_t lda = (size_t)p->lda;
  nsd_lanes_bits any = {0, 0, 0, 0};
  for (int j = 0; j + NSD_LANES <= i; j += NSD_LANES) {
    any |= compare_tile(nsd_lcp_row(p, i) + j, nsd_lcp_row(p, j) + i, lda);
  }
  return (any[0] | any[1] | any[2] | any[3]) != 0 ? find_row(p, i, i + NSD_LANES, 0, i) : -1;
}

NSD_INLINE int check_bands(const nsd_lcp_problem *p, nsd_poll *poll)
{
  int i = 0;
  for (; i + NSD_LANES <= p->n; i += NSD_LANES) {
    /* Tiles that differ to the bit are looked at again, now with a
     * tolerance; the diagonal tile element by element. */
    int row = check_band(p, i);
    if (row < 0) {
      row = find_row(p, i, i + NSD_LANES, i, i + NSD_LANES);
    }
    if (row >= 0) {
      return row;
    }
    if (poll && nsd_poll_stops(poll, COLUMN_READ * NSD_LANES * i)) {
      return i;
    }
  }
  return find_row(p, i, p->n, 0, p->n);
}

static int check_bands_plain(const nsd_lcp_problem *p, nsd_poll *poll)
{
  return check_bands(p, poll);
}

#if NSD_HAVE_AVX2
NSD_TARGET_AVX2 static int check_bands_avx2(const nsd_lcp_problem *p, nsd_poll *poll)
{
  return check_bands(p, poll);
}
#endif

int nsd_lcp_asymmetric_row(const nsd_lcp_problem *p, nsd_poll *poll)
{
#if NSD_HAVE_AVX2
  if (p->n > NSD_LANES && nsd_cpu_avx2()) {
    return check_bands_avx2(p, poll);
  }
#endif
  return check_bands_plain(p, poll);
}
