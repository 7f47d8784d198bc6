/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "lcp/text.h"

#include <math.h>

#include "base/sized.h"
#include "base/text.h"

static nsdyn_status read_size(nsd_scanner *s, int *n)
{
  int value = 0;
  const nsdyn_status status = nsd_scanner_read_count(s, "unknowns", &value);
  if (status) {
    return status;
  }
  /* n² + n numbers are still to come, each with a blank before it: what cannot be there need not be looked
   * for. So no caller allocates n² doubles for a text of ten characters. */
  const size_t size = (size_t)value;
  if (size > 0 && size + 1 > nsd_scanner_numbers_left(s) / size) {
    return nsd_scanner_refuse(s, "the text is too short for so many unknowns");
  }
  *n = value;
  return NSDYN_OK;
}

/* The bounds of one row, and what may stand in them. */
static const char *bound_fault(double lo, double hi)
{
  if (lo == INFINITY) {
    return "a lower bound must be below infinity";
  }
  if (hi == -INFINITY) {
    return "an upper bound must be above -infinity";
  }
  return lo > hi ? "the lower bound lies above the upper one" : NULL;
}

typedef struct bounds {
  int n;
  double *lo;
  double *hi;
  int has_lo;
  int has_hi;
} bounds;

/* One block of n bounds. `other_follows`: the second block may still come, so that the pair is not judged
 * yet. */
static nsdyn_status read_block(nsd_scanner *s, const bounds *of, int is_lo, int other_follows)
{
  for (int i = 0; i < of->n; i++) {
    const nsd_text_place to = {is_lo ? "lo" : "hi", i, -1};
    double value = NAN;
    const nsdyn_status status = nsd_scanner_read(s, to, &value);
    if (status) {
      return status;
    }
    /* The other side of the pair, if it has been read: zero and infinity otherwise. */
    const double lo = is_lo ? value : other_follows ? -INFINITY : of->lo[i];
    const double hi = !is_lo ? value : other_follows ? INFINITY : of->hi[i];
    const char *fault = bound_fault(lo, hi);
    if (fault) {
      return nsd_scanner_refuse_number(s, to, fault);
    }
    *(is_lo ? &of->lo[i] : &of->hi[i]) = value;
  }
  return NSDYN_OK;
}

/* Where the text has only `hi`, lo is zero: a negative hi is then one too many. `first` stands behind the
 * word. */
static nsdyn_status judge_hi_alone(nsd_scanner first, const bounds *of)
{
  for (int i = 0; i < of->n; i++) {
    nsd_scanner_next(&first);
    if (of->hi[i] < 0.0) {
      return nsd_scanner_refuse_number(&first, (nsd_text_place){"hi", i, -1},
                                       "below the lower bound, which is 0 without 'lo'");
    }
  }
  return NSDYN_OK;
}

static nsdyn_status read_bounds(nsd_scanner *s, bounds *of)
{
  /* The blocks `lo` and `hi` may come in either order, each once. */
  nsd_scanner behind_hi = *s;
  while (nsd_scanner_next(s)) {
    const int is_lo = nsd_scanner_is(s, "lo");
    const int is_hi = nsd_scanner_is(s, "hi");
    int *has = is_lo ? &of->has_lo : &of->has_hi;
    if (!is_lo && !is_hi) {
      return nsd_scanner_refuse(s, "'lo', 'hi' or the end of the text is expected here");
    }
    if (*has) {
      return nsd_scanner_refuse(s, "these bounds were given before");
    }
    if (!of->lo || !of->hi) {
      return nsd_scanner_refuse(s, "the problem has bounds, and the caller takes none");
    }
    *has = 1;
    /* The copy remembers where the numbers of `hi` begin, for judge_hi_alone(). */
    if (is_hi) {
      behind_hi = *s;
    }
    const nsdyn_status status = read_block(s, of, is_lo, !(is_lo ? of->has_hi : of->has_lo));
    if (status) {
      return status;
    }
  }
  return of->has_hi && !of->has_lo ? judge_hi_alone(behind_hi, of) : NSDYN_OK;
}

static nsdyn_status read_arrays(nsd_scanner *s, int n, double *A, int lda, double *b, double *lo, double *hi)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const nsdyn_status status =
          nsd_scanner_read_finite(s, (nsd_text_place){"A", i, j}, &A[(size_t)i * (size_t)lda + (size_t)j]);
      if (status) {
        return status;
      }
    }
  }
  for (int i = 0; i < n; i++) {
    const nsdyn_status status = nsd_scanner_read_finite(s, (nsd_text_place){"b", i, -1}, &b[i]);
    if (status) {
      return status;
    }
    /* Without blocks of bounds: 0 and infinity. */
    if (lo) {
      lo[i] = 0.0;
    }
    if (hi) {
      hi[i] = INFINITY;
    }
  }
  bounds of = {.n = n, .lo = lo, .hi = hi};
  return read_bounds(s, &of);
}

nsdyn_status nsd_lcp_read_text(const char *text, size_t length, int32_t *n, double *A, int64_t lda, double *b,
                               double *lo, double *hi, nsd_fault *fault, nsd_poll *poll)
{
  if (!n || (!text && length > 0)) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, n ? 1 : 3, "%s is NULL",
                         n ? "text" : "n");
  }
  nsd_scanner s = nsd_scanner_of(text, length, fault, poll);
  int size = 0;
  const nsdyn_status status = read_size(&s, &size);
  if (status) {
    return status;
  }
  /* The caller asks for n only, to allocate. */
  if (!A) {
    *n = size;
    return NSDYN_OK;
  }
  /* It has allocated for another n. */
  if (*n != size) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 3,
                         "n is %d, the text has %d unknowns", *n, size);
  }
  const nsdyn_status fits = nsd_stride_check(size, size, lda);
  if (fits) {
    return nsd_fault_set(fault, fits, NSDYN_DETAIL_ARGUMENT, 5,
                         fits == NSDYN_ERR_TOO_LARGE ? "lda is %lld; no memory has %d such rows"
                                                     : "lda is %lld, must be at least n = %d",
                         (long long)lda, size);
  }
  if (!b && size > 0) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 6, "b is NULL");
  }
  return nsd_scanner_end(&s, read_arrays(&s, size, A, (int)lda, b, lo, hi));
}

static int writable(int n, const double *A, int64_t lda, const double *b, const double *lo, const double *hi)
{
  if (nsd_stride_check(n, n, lda) || (n > 0 && (!A || !b))) {
    return 0;
  }
  for (int i = 0; i < n; i++) {
    const double *row = A + (size_t)i * (size_t)lda;
    for (int j = 0; j < n; j++) {
      if (!isfinite(row[j])) {
        return 0;
      }
    }
    /* The same rules as in reading: what is written can be read. */
    const double below = lo ? lo[i] : 0.0;
    const double above = hi ? hi[i] : INFINITY;
    if (!isfinite(b[i]) || isnan(below) || isnan(above) || bound_fault(below, above)) {
      return 0;
    }
  }
  return 1;
}

size_t nsdyn_lcp_write_text(int32_t n, const double *A, int64_t lda, const double *b, const double *lo,
                            const double *hi, char *text, size_t size)
{
  if (!writable(n, A, lda, b, lo, hi) || (!text && size > 0)) {
    return 0;
  }
  nsd_writer w = nsd_writer_of(text, size);
  nsd_writer_put_count(&w, n);
  nsd_writer_put(&w, "\n");
  for (int i = 0; i < n; i++) {
    nsd_writer_put_row(&w, n, A + (size_t)i * (size_t)lda);
  }
  nsd_writer_put_row(&w, n, b);
  if (lo) {
    nsd_writer_put(&w, "lo ");
    nsd_writer_put_row(&w, n, lo);
  }
  if (hi) {
    nsd_writer_put(&w, "hi ");
    nsd_writer_put_row(&w, n, hi);
  }
  return nsd_writer_end(&w);
}
