/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include <string.h>

#include "stepper/object.h"
#include "stepping.h"

/* Constants that are kept from step to step, and with them W, G and its factors, change no bit: contacts
 * open, close and change their laws. */
START_TEST(what_is_kept_changes_no_bit)
{
  enum { STEPS = 150 };
  const int cases = random_cases(150);
  int assembled = 0, anew = 0;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, MODEL_MOST),
              contacts = 1 + random_below(&random, nu > 4 ? 6 : 3);
    model m;
    model_random(&m, &random, nu, contacts, seed % 5 == 4, seed % 7 == 6 && nu > 4);
    memset(m.s, 0, sizeof m.s);
    double q[MODEL_MOST], u[MODEL_MOST];
    for (int i = 0; i < m.contacts; i++) {
      m.contact[i].bend = 0.0;
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_stepper *kept = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, NULL);
    nsdyn_stepper *fresh = stepper_of(&m, 0, 0, NULL);
    set_state(kept, q, u);
    set_state(fresh, q, u);
    for (int k = 0; k < STEPS; k++) {
      const int is_impact = k % 7 == 6; /* of contacts at rest, too, which go on being held */
      const nsdyn_status status = is_impact ? nsdyn_stepper_impact(kept) : nsdyn_stepper_step(kept, 5e-3);
      const nsdyn_status same = is_impact ? nsdyn_stepper_impact(fresh) : nsdyn_stepper_step(fresh, 5e-3);
      REQUIRE(status == same, "seed %d, step %d", seed, k);
      REQUIRE(memcmp(nsdyn_stepper_u(kept), nsdyn_stepper_u(fresh), (size_t)nu * sizeof *u) == 0,
              "seed %d, step %d", seed, k);
      if (status || k % 16 == 15) {
        const int i = random_below(&random, contacts);
        nsdyn_contact_law law = m.contact[i].law;
        law.friction = random_below(&random, 2) ? NSDYN_FRICTION_COULOMB : NSDYN_FRICTION_NONE;
        law.mu = law.friction ? random_unit(&random) : 0.0;
        law.mu_static = law.bound = 0.0;
        law.curve = NULL;
        law.eps_t = law.friction ? law.eps_t : 0.0;
        REQUIRE(nsdyn_system_set_contact(kept->sys, i, &law) == NSDYN_OK, "seed %d", seed);
        REQUIRE(nsdyn_system_set_contact(fresh->sys, i, &law) == NSDYN_OK, "seed %d", seed);
      }
    }
    assembled += (int)fresh->scene.problem.G_edition;
    anew += (int)kept->scene.problem.G_edition;
    nsdyn_stepper_free(kept);
    nsdyn_stepper_free(fresh);
  }
  ck_assert_msg(anew > 0 && anew < assembled, "%d of %d", anew, assembled);
}
END_TEST

enum { WIDE = 3, WIDE_CONTACTS = 6, WIDE_ROWS = WIDE * WIDE_CONTACTS };

typedef struct wide_room {
  double W[WIDE_ROWS * MODEL_MOST], w_hat[WIDE_ROWS], X[WIDE_ROWS * MODEL_MOST], G[WIDE_ROWS * WIDE_ROWS];
} wide_room;

/* Room for a third row of each contact, which nobody writes. */
static void widen(nsd_direction_cache *cache, int contacts, wide_room *room)
{
  memset(room, 0, sizeof *room);
  cache->W = room->W;
  cache->w_hat = room->w_hat;
  cache->X = cache->X ? room->X : NULL;
  cache->G = cache->G ? room->G : NULL;
  for (int i = 0; i <= contacts; i++) {
    cache->row[i] = WIDE * i;
  }
}

/* Rows of a contact are where the offsets say, and nowhere else is counted with two for each. */
START_TEST(contacts_may_have_more_rows_in_the_cache)
{
  enum { STEPS = 60 };
  const int cases = random_cases(100);
  static wide_room room;
  for (int seed = 0; seed < cases; seed++) {
    random_state random = random_seed((uint64_t)seed);
    const int nu = 1 + random_below(&random, MODEL_MOST), contacts = 1 + random_below(&random, WIDE_CONTACTS);
    model m;
    model_random(&m, &random, nu, contacts, 0, 0);
    memset(m.s, 0, sizeof m.s);
    double q[MODEL_MOST], u[MODEL_MOST];
    for (int i = 0; i < m.contacts; i++) {
      m.contact[i].bend = 0.0;
    }
    for (int j = 0; j < nu; j++) {
      q[j] = random_between(&random, -0.1, 0.1);
      u[j] = random_between(&random, -1.0, 1.0);
    }
    nsdyn_stepper *usual = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, NULL);
    nsdyn_stepper *wide = stepper_of(&m, NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS, 0, NULL);
    set_state(usual, q, u);
    set_state(wide, q, u);
    widen(&wide->cache, contacts, &room);
    for (int k = 0; k < STEPS; k++) {
      const nsdyn_status status = nsdyn_stepper_step(usual, 5e-3);
      REQUIRE(nsdyn_stepper_step(wide, 5e-3) == status, "seed %d, step %d", seed, k);
      REQUIRE(memcmp(nsdyn_stepper_u(usual), nsdyn_stepper_u(wide), (size_t)nu * sizeof *u) == 0,
              "seed %d, step %d", seed, k);
    }
    nsdyn_stepper_free(usual);
    nsdyn_stepper_free(wide);
  }
}
END_TEST

SUITE("assembly/directions", TEST(what_is_kept_changes_no_bit),
      TEST(contacts_may_have_more_rows_in_the_cache))
