/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Texts of problems, on memory: words one after the other, with the line they stand in, and back. A comment
 * goes from # to the end of its line. Nothing is allocated, nothing depends on the locale. */
#ifndef NSD_BASE_TEXT_H
#define NSD_BASE_TEXT_H

#include "base/failure.h"
#include "base/poll.h"

/* ---- Reading ---- */

typedef struct nsd_scanner {
  const char *at;
  const char *end;
  const char *word; /* the word last read; NULL at the end of the text */
  size_t length;    /* of that word */
  int64_t line;     /* of that word, from 1 */
  nsd_fault *fault; /* NULL: only statuses */
  nsd_poll *poll;   /* the caller is asked on the way; NULL: not asked */
  const char *ask;  /* where it is asked next */
} nsd_scanner;

/* Where one number belongs: "A, row 2, column 3", counted from 0 as everywhere in the library. */
typedef struct nsd_text_place {
  const char *name;
  int row;    /* −1: no array */
  int column; /* −1: a vector */
} nsd_text_place;

nsd_scanner nsd_scanner_of(const char *text, size_t length, nsd_fault *fault, nsd_poll *poll);

/* The next word; 0 where the text has ended. For a caller who wants to stop it ends at once, and what then is
 * refused gives NSDYN_CANCELLED. */
int nsd_scanner_next(nsd_scanner *s);

/* Whether the word last read is this one. */
int nsd_scanner_is(const nsd_scanner *s, const char *word);

/* NSDYN_ERR_SYNTAX with "line 7: 'word': what", or that the text ends there. */
nsdyn_status nsd_scanner_refuse(const nsd_scanner *s, const char *what);

/* The same for a number: "line 7: 'word' in A, row 2, column 3: what". */
nsdyn_status nsd_scanner_refuse_number(const nsd_scanner *s, nsd_text_place to, const char *what);

/* The next word as a number, infinite or not; as a finite one. */
nsdyn_status nsd_scanner_read(nsd_scanner *s, nsd_text_place to, double *value);
nsdyn_status nsd_scanner_read_finite(nsd_scanner *s, nsd_text_place to, double *value);

/* The next word as a number of things, such as "unknowns", in digits. NSDYN_ERR_TOO_LARGE beyond an int. */
nsdyn_status nsd_scanner_read_count(nsd_scanner *s, const char *things, int *count);

/* What a text that was read with this status has come to: NSDYN_CANCELLED where the caller has stopped it. */
nsdyn_status nsd_scanner_end(const nsd_scanner *s, nsdyn_status status);

/* Numbers that can still come, each with a blank before it. */
size_t nsd_scanner_numbers_left(const nsd_scanner *s);

/* ---- Writing: what does not fit is counted ---- */

typedef struct nsd_writer {
  char *text;
  size_t size;   /* bytes of text */
  size_t length; /* bytes the whole text needs, without its zero; SIZE_MAX − 1 once they cannot be counted */
} nsd_writer;

/* Into `size` bytes of text; none where it is only to be measured. */
nsd_writer nsd_writer_of(char *text, size_t size);

void nsd_writer_put(nsd_writer *w, const char *piece);
void nsd_writer_put_count(nsd_writer *w, int count);
void nsd_writer_put_number(nsd_writer *w, double value);

/* n numbers and the end of a line. */
void nsd_writer_put_row(nsd_writer *w, int n, const double *row);

/* A zero behind what fits. Returns the bytes the whole text needs, its zero included; 0 where they cannot be
 * counted. */
size_t nsd_writer_end(nsd_writer *w);

#endif
