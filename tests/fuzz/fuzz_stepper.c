/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A saved state in any bytes: refused, or taken over as it is; and steps from wherever that leads. */
#include <math.h>

#include "nsdyn/stepper.h"
#include "target.h"

enum { NU = 2, MOST_BYTES = 4096 };

static int mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = M[3] = 2.0;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[1] = -20.0;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0;
  W[1] = 1.0;
  W[NU] = 1.0;
  return 0;
}

static nsdyn_stepper *block(void)
{
  nsdyn_system_def def;
  nsdyn_system *sys;
  nsdyn_stepper *stepper;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = NU;
  def.ncontacts = 1;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  REQUIRE(nsdyn_system_new(NULL, &def, &sys, NULL) == NSDYN_OK);
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_STATIC;
  law.mu = 0.2;
  law.mu_static = 0.4;
  REQUIRE(nsdyn_system_set_contact(sys, 0, &law) == NSDYN_OK);
  REQUIRE(nsdyn_stepper_new(NULL, sys, NULL, &stepper, NULL) == NSDYN_OK);
  nsdyn_system_free(sys);
  return stepper;
}

/* What a state that passed must be. */
static void check(nsdyn_stepper *s)
{
  REQUIRE(isfinite(nsdyn_stepper_time(s)));
  for (int j = 0; j < NU; j++) {
    REQUIRE(isfinite(nsdyn_stepper_q(s)[j]) && isfinite(nsdyn_stepper_u(s)[j]));
  }
}

/* Taken over, it is saved as the same bytes. */
static void restore(nsdyn_stepper *s, const uint8_t *bytes, size_t size)
{
  uint8_t again[MOST_BYTES];
  const nsdyn_status status = nsdyn_stepper_restore(s, bytes, size);
  REQUIRE(status == NSDYN_OK || status == NSDYN_ERR_ARGUMENT || status == NSDYN_ERR_NOMEM);
  if (status == NSDYN_OK && size <= sizeof again) {
    REQUIRE(nsdyn_stepper_save(s, again, sizeof again) == size && memcmp(again, bytes, size) == 0);
  }
  check(s);
  (void)nsdyn_stepper_step(s, 1e-3);
  check(s);
}

/* FNV-1a, so that damage gets past the checksum. */
static void seal(uint8_t *bytes, size_t size)
{
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i + sizeof sum < size; i++) {
    sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
  }
  memcpy(bytes + size - sizeof sum, &sum, sizeof sum);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  nsdyn_stepper *s = block();
  uint8_t bytes[MOST_BYTES];
  restore(s, data, size);
  for (int k = 0; k < 3; k++) {
    (void)nsdyn_stepper_step(s, 1e-3);
  }
  reader from = {data, size};
  const size_t good = nsdyn_stepper_save(s, bytes, sizeof bytes);
  REQUIRE(good > 16 && good <= sizeof bytes);
  for (int k = 0; k < 8 && from.left; k++) {
    const size_t at = (size_t)read_below(&from, 256) * (good - 8) / 256;
    read_bytes(&from, bytes + at, 1 + (size_t)read_below(&from, 8));
    seal(bytes, good);
    restore(s, bytes, good);
  }
  nsdyn_stepper_free(s);
  return 0;
}
