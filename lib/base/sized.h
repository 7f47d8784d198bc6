/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Structs that cross the ABI begin with their size, so that they can grow at the end. Three cases
 * meet here: the caller's struct is as long as ours, shorter (an older program) or longer (a program
 * compiled against a newer release). */
#ifndef NSD_BASE_SIZED_H
#define NSD_BASE_SIZED_H

#include "base/failure.h"

/* Sizes in the first release, by the field that was last then: what is shorter was never initialized.
 * A struct that grows keeps its entry. */
#define NSD_SIZE_THROUGH(type, field) (offsetof(type, field) + sizeof(((type *)0)->field))
#define NSD_DETAIL_LEAST NSD_SIZE_THROUGH(nsdyn_detail, key)
#define NSD_ERROR_LEAST NSD_SIZE_THROUGH(nsdyn_error, message)
#define NSD_CONTEXT_DEF_LEAST NSD_SIZE_THROUGH(nsdyn_context_def, destroy_user)

/* No release has a longer struct, nor will one: a larger size field is memory that was never
 * initialized, and reading or zeroing as far as it says would leave the caller's struct. */
#define NSD_SIZED_MOST 4096u

/* For nsdyn_x_init: writes the first min(size, own_size) bytes of `defaults`, zeros behind them, and
 * `size` into the size field. Without `defaults` (NULL) all of them are zero. NSDYN_ERR_ARGUMENT for NULL,
 * NSDYN_ERR_STRUCT_SIZE where `size` cannot be one of this struct's: shorter than `least`, longer than
 * NSD_SIZED_MOST or not a multiple of a size_t's. Then nothing is written. */
nsdyn_status nsd_sized_init(void *given, size_t size, size_t least, const void *defaults, size_t own_size);

/* For a struct the caller hands in: `own` holds our defaults and is overwritten by what `given` has;
 * NULL leaves the defaults. A longer `given` is accepted where its tail is zero, else it is
 * NSDYN_ERR_STRUCT_TOO_NEW. After a failure `own` is untouched. `name` is the type, for the message. */
nsdyn_status nsd_sized_read(void *own, size_t own_size, size_t least, const void *given, const char *name,
                            nsd_fault *fault);

/* The same, over the defaults of `type`, which its type_init() knows: what `given` (may be NULL) does not say
 * is one of these. */
#define NSD_SIZED_READ(type, own, least, given, fault)                                                       \
  ((void)type##_init(own, sizeof *(own)), nsd_sized_read(own, sizeof *(own), least, given, #type, fault))

/* Whether `rows` rows of `cols` doubles, one `stride` behind the other, can be: NSDYN_ERR_ARGUMENT where rows
 * run into each other or a count is negative, NSDYN_ERR_TOO_LARGE where the library cannot count them. Behind
 * this door strides are ints. */
static inline nsdyn_status nsd_stride_check(int rows, int cols, int64_t stride)
{
  if (rows < 0 || cols < 0 || stride < cols) {
    return NSDYN_ERR_ARGUMENT;
  }
  const uint64_t most = (uint64_t)PTRDIFF_MAX / sizeof(double);
  return stride > INT32_MAX || (uint64_t)rows * (uint64_t)stride > most ? NSDYN_ERR_TOO_LARGE : NSDYN_OK;
}

/* Whether two arrays of so many doubles share one; NULL shares none. */
static inline int nsd_overlaps(const double *a, size_t count_a, const double *b, size_t count_b)
{
  const uintptr_t from_a = (uintptr_t)a, from_b = (uintptr_t)b;
  return a && b && from_a < from_b + count_b * sizeof *b && from_b < from_a + count_a * sizeof *a;
}

/* Whether the size field of `given` (not NULL) can be one of this struct's. */
int nsd_sized_is_known(const void *given, size_t least);

/* For a struct the caller wants filled: its own size field says how much to write; what we do not
 * know is zeroed. */
nsdyn_status nsd_sized_write(void *given, size_t least, const void *own, size_t own_size);

/* The same for calls that may say why not: `name` is the type. */
nsdyn_status nsd_sized_tell(void *given, size_t least, const void *own, size_t own_size, const char *name,
                            nsd_fault *fault);

#endif
