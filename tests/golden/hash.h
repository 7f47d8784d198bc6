/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Hashes of bits, and numbers to feed: with + − × ÷ √ only, so that every correct compiler agrees. */
#ifndef TESTS_GOLDEN_HASH_H
#define TESTS_GOLDEN_HASH_H

#include <stddef.h>
#include <stdint.h>

typedef struct hash {
  uint64_t value;
} hash;

hash hash_begin(void);
void hash_bytes(hash *h, const void *bytes, size_t count);
void hash_int(hash *h, int64_t value);

/* The bits of numbers. All NaNs count as one: their sign and payload are no result, and compilers
 * differ in them. */
void hash_double(hash *h, double value);
void hash_doubles(hash *h, size_t count, const double *values);

/* A seeded stream: splitmix64, and exact conversions of its bits. */
typedef struct stream {
  uint64_t s;
} stream;
stream stream_begin(uint64_t seed);
uint64_t stream_bits(stream *from);
int stream_below(stream *from, int n);
double stream_number(stream *from); /* uniform in [−1, 1) */
double stream_scaled(stream *from); /* the same times 2^−20 … 2^20 */
double stream_any(stream *from);    /* any finite double, every exponent as likely */
void stream_fill(stream *from, size_t count, double *values);

/* The modules: each hashes what a part of the library computes. */
void golden_blocks(hash *h);
void golden_broad_phase(hash *h);
void golden_cholesky(hash *h);
void golden_contact(hash *h);
void golden_dopri(hash *h);
void golden_driver(hash *h);
void golden_driver_space(hash *h);
void golden_eigenvalues(hash *h);
void golden_enumerate(hash *h);
void golden_geometry(hash *h);
void golden_impact(hash *h);
void golden_lcp(hash *h);
void golden_locate(hash *h);
void golden_lu(hash *h);
void golden_multibody(hash *h);
void golden_norm(hash *h);
void golden_number(hash *h);
void golden_operator(hash *h);
void golden_pivot(hash *h);
void golden_product(hash *h);
void golden_damped(hash *h);
void golden_sparse(hash *h);
void golden_rotation(hash *h);
void golden_setvalued(hash *h);
void golden_output(hash *h);
void golden_scheme(hash *h);
void golden_split(hash *h);
void golden_stepper(hash *h);
void golden_study(hash *h);
void golden_system(hash *h);
void golden_trajectory(hash *h);
void golden_two_contacts(hash *h);
void golden_world(hash *h);

#endif
