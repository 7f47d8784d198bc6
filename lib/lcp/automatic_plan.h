/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The plan of NSDYN_LCP_AUTOMATIC: which method when, and what next, as one table.
 *
 * The entries are gone through from the first to the last; those whose conditions hold are tried, until one
 * has an answer or a proof. The first that holds may be tried before the data are checked
 * (lcp/solve/quick.c): of plain problems NSD_PLAN_FIRST, of a few boxes the block pivots.
 * NSDYN_LCP_LEMKE is the table's end, by itself.
 *
 * The order goes by what is known of A and by price; every answer must pass the certificate, so a method that
 * is not sure for A costs time at worst. Measured on the friction sets of tests/support/problems.c, the
 * first attempt answers more than 99 of 100. */
#ifndef NSD_LCP_PLAN_H
#define NSD_LCP_PLAN_H

#include "base/kernels/simd.h"
#include "base/tolerances.h"
#include "lcp/object.h"

/* What is known of a problem at a glance. */
enum {
  NSD_KNOWN_SYMMETRIC = 1,
  NSD_KNOWN_ASYMMETRIC = 2,
  NSD_KNOWN_POSITIVE_DIAGONAL = 4,
  NSD_KNOWN_MIXED = 8,
  NSD_KNOWN_FEW = 16,        /* plain, with up to NSD_LCP_LEMKE_FIRST unknowns */
  NSD_KNOWN_SEARCHABLE = 32, /* up to the option automatic_enumerate_up_to */
  NSD_KNOWN_SPARSE = 64,     /* many unknowns, few elements, a positive diagonal */
  NSD_KNOWN_ZEROS = 128,     /* many unknowns, few elements, some of the diagonal not positive */
  NSD_KNOWN_HUNDREDS = 256   /* more unknowns than NSD_LCP_DAMPED_FIRST */
};

/* Limits of an entry: pivots that ordinary problems take, the last run's, nodes of a search; else the number.
 */
enum { NSD_LIMIT_ORDINARY = -1, NSD_LIMIT_LAST = -2, NSD_LIMIT_NODES = -3 };

typedef struct nsd_lcp_entry {
  unsigned any;  /* it needs one of these facts; 0: none */
  unsigned all;  /* all of these, */
  unsigned none; /* and none of these */
  int32_t method;
  int limit;
  int symmetry; /* what the method may take for granted */
  nsd_lemke_ties ties;
  nsd_lemke_sizes sizes;
  double least_pivot; /* at least the option pivot_tol */
  int rescaled;
  int spread;
  int damped; /* Lemke's path through problems of ever less damping (lcp/sparse/damped_path.h) */
} nsd_lcp_entry;

/* Places of the table that others than automatic.c begin at. */
enum {
  NSD_PLAN_SPARSE = 0,
  NSD_PLAN_DAMPED = 1,
  NSD_PLAN_FIRST = 2,
  NSD_PLAN_BOXES = 3,
  NSD_PLAN_LEMKE = 15
};

static const nsd_lcp_entry nsd_lcp_entries[] = {
    /* Many unknowns and few elements: block pivots with sparse factors, which for M-matrices start near the
       answer. A band of 3000 unknowns takes a thousandth of the time of Lemke's path. */
    [NSD_PLAN_SPARSE] = {.all = NSD_KNOWN_SPARSE, .method = NSDYN_LCP_BLOCK, .limit = NSD_LIMIT_ORDINARY},
    /* Hundreds of contacts with friction: the path from a cold start is long and rounding gets lost on it,
       that through damped problems is not. Towers, walls, disks and rubble of 1500 to 4000 rows take 0.1 to 4
       s, where the tableau takes minutes or ends on a ray. */
    [NSD_PLAN_DAMPED] = {.all = NSD_KNOWN_ZEROS | NSD_KNOWN_HUNDREDS | NSD_KNOWN_ASYMMETRIC,
                         .method = NSDYN_LCP_LEMKE,
                         .limit = NSD_LIMIT_ORDINARY,
                         .damped = 1},
    /* Lemke's path is fastest for few unknowns, and sure for more classes than any other where A is not
       symmetric. */
    [NSD_PLAN_FIRST] = {.any = NSD_KNOWN_FEW | NSD_KNOWN_ASYMMETRIC,
                        .method = NSDYN_LCP_LEMKE,
                        .limit = NSD_LIMIT_ORDINARY},
    /* Symmetric A. Block pivots: three to six factorizations, whatever n is; sure for positive definite A. */
    [NSD_PLAN_BOXES] = {.all = NSD_KNOWN_SYMMETRIC | NSD_KNOWN_POSITIVE_DIAGONAL,
                        .method = NSDYN_LCP_BLOCK,
                        .limit = NSD_LIMIT_ORDINARY,
                        .symmetry = NSD_SYMMETRIC},
    /* Symmetric A that is not definite, if it has not had Lemke's path: sure for semidefinite A as well, and
       four to six times as fast as principal pivots at n = 48 … 200. Bounds double its unknowns: there it
       comes second. */
    {.all = NSD_KNOWN_SYMMETRIC,
     .none = NSD_KNOWN_FEW | NSD_KNOWN_MIXED,
     .method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_ORDINARY},
    /* Principal pivots: sure for semidefinite A of every rank, and they find the proof that there is no
       solution. */
    {.all = NSD_KNOWN_SYMMETRIC, .method = NSDYN_LCP_PRINCIPAL, .limit = NSD_LIMIT_ORDINARY},
    {.all = NSD_KNOWN_SYMMETRIC | NSD_KNOWN_MIXED, .method = NSDYN_LCP_LEMKE, .limit = NSD_LIMIT_ORDINARY},
    /* Fewer contacts, where the tableau is faster, but has not ended well. */
    {.all = NSD_KNOWN_ZEROS | NSD_KNOWN_ASYMMETRIC,
     .none = NSD_KNOWN_HUNDREDS,
     .method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_ORDINARY,
     .damped = 1},
    /* In units of like size, and with large pivots among ties, the tableau stays accurate where rounding has
     * spoilt the first run; should that run cycle, the lexicographic order does not. Mixed problems get other
     * covering vectors then: bodies at rest have many rows that tie under one of ones. */
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_ORDINARY,
     .ties = NSD_LEMKE_LARGEST_PIVOT,
     .least_pivot = NSD_LEMKE_CLEAN_PIVOT,
     .rescaled = 1},
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_ORDINARY,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 1},
    {.all = NSD_KNOWN_MIXED,
     .method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_ORDINARY,
     .ties = NSD_LEMKE_LARGEST_PIVOT,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 2},
    /* Block pivots by LU: sure for P-matrices. */
    {.all = NSD_KNOWN_POSITIVE_DIAGONAL,
     .method = NSDYN_LCP_BLOCK,
     .limit = NSD_LIMIT_ORDINARY,
     .symmetry = NSD_ASYMMETRIC},
    /* Newton on the minimum map: no class of matrices, but quick where it converges. */
    {.method = NSDYN_LCP_NEWTON_MIN, .limit = 100},
    /* The search through all bases: sure, and exponential in time. */
    {.all = NSD_KNOWN_SEARCHABLE, .method = NSDYN_LCP_ENUMERATIVE, .limit = NSD_LIMIT_NODES},
    /* Newton on Fischer–Burmeister, which has other local minima. */
    {.method = NSDYN_LCP_NEWTON_FB, .limit = 200},
    /* Lemke's path once more, in the given units and in units of like size, this time with as many pivots as
     * a fraction of a second allows. */
    [NSD_PLAN_LEMKE] = {.method = NSDYN_LCP_LEMKE, .limit = NSD_LIMIT_LAST},
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_LAST,
     .ties = NSD_LEMKE_LARGEST_PIVOT,
     .least_pivot = NSD_LEMKE_CLEAN_PIVOT,
     .rescaled = 1},
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_LAST,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 1},
    {.all = NSD_KNOWN_MIXED,
     .method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_LAST,
     .ties = NSD_LEMKE_LARGEST_PIVOT,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 2},
    /* Piles of bodies at rest: paths so long that sizes passed on from pivot to pivot take real values for
     * rounding: sizes of changes leave them what they are. */
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_LAST,
     .sizes = NSD_LEMKE_SIZES_OF_CHANGES,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 1},
    /* And many rows that tie, but for rounding of b: such ties are joined. */
    {.method = NSDYN_LCP_LEMKE,
     .limit = NSD_LIMIT_LAST,
     .sizes = NSD_LEMKE_SIZES_COARSE,
     .least_pivot = NSD_LEMKE_ORDERED_PIVOT,
     .rescaled = 1,
     .spread = 3},
};

NSD_INLINE int nsd_lcp_entry_applies(const nsd_lcp_entry *entry, unsigned known)
{
  return (!entry->any || (entry->any & known)) && (entry->all & known) == entry->all &&
         !(entry->none & known);
}

/* An entry's own limit, or the caller's where that is lower. */
NSD_INLINE int nsd_lcp_lower_limit(const nsdyn_lcp *lcp, int32_t method, int own)
{
  const int given = nsd_lcp_given_limit(lcp, method);
  return given >= 0 && given < own ? given : own;
}

#endif
