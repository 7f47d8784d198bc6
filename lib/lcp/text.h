/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Problems as text, on memory: the format is that of nsdyn_lcp_read_text() in nsdyn/lcp.h. Nothing is
 * allocated, and the time is linear in the text's length. */
#ifndef NSD_LCP_TEXT_H
#define NSD_LCP_TEXT_H

#include "base/failure.h"
#include "base/poll.h"
#include "lcp/problem.h"

/* As nsdyn_lcp_read_text(), with a fault in the object's place (NULL: only the status) and a poll
 * (NULL: none). With A = NULL it
 * reads n and checks no more than that the text is long enough to hold a problem of that size, so that a
 * caller may allocate n² doubles: at most four bytes for each byte of text. */
nsdyn_status nsd_lcp_read_text(const char *text, size_t length, int32_t *n, double *A, int64_t lda, double *b,
                               double *lo, double *hi, nsd_fault *fault, nsd_poll *poll);

#endif
