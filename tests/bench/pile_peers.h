/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Codes of others for planar contact problems of many contacts, all unilateral with Coulomb friction. As with
 * LCPs (lcp_peers.h) a peer brings a problem into its own form before the clock starts. */
#ifndef TESTS_BENCH_PILE_PEERS_H
#define TESTS_BENCH_PILE_PEERS_H

#include "nsdyn/contact.h"

typedef struct pile_peer {
  const char *name;
  int most;                                              /* contacts: beyond, it takes minutes */
  void *(*open)(const nsdyn_contact_problem *problem);   /* NULL where this peer cannot be had */
  void (*solve)(void *peer, double *Lambda, double *xi); /* from Λ = 0 */
  void (*close)(void *peer);
} pile_peer;

/* Those that meson found on this machine; NULL after the last. */
extern const pile_peer *const pile_peers[];

extern const pile_peer pile_siconos_nsgs, pile_siconos_lemke;

#endif
