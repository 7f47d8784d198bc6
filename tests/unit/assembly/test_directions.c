/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "assembly/scene.h"

#include <math.h>
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

/* ---- sparse scenes ---- */

enum { BODIES = 12, KNOWN = 7, FOUND = 14, NU = 6 * BODIES };

/* Bodies with blocks of M of their own, and contacts between some of them. */
typedef struct crowd {
  double M[BODIES][36];
  double W[KNOWN + FOUND][3][NU], w_hat[KNOWN + FOUND][3];
  int body[KNOWN + FOUND][2];
} crowd;

static int crowd_mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  memcpy(M, ((crowd *)user)->M, sizeof((crowd *)user)->M);
  return 0;
}

static int crowd_gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t, (void)q;
  for (int i = 0; i < KNOWN; i++) {
    g[i] = i == 2 ? 1.0 : -0.1;
  }
  return 0;
}

static int crowd_direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
{
  const crowd *c = user;
  (void)t, (void)q;
  memcpy(W, c->W[i], sizeof c->W[i]);
  memcpy(w_hat, c->w_hat[i], sizeof c->w_hat[i]);
  return 0;
}

static int crowd_find(void *user, double t, const double *q, const double *u, double margin,
                      nsdyn_contact_sink *sink)
{
  const crowd *c = user;
  (void)t, (void)q, (void)u, (void)margin;
  for (int k = KNOWN; k < KNOWN + FOUND; k++) {
    double numbers[2][18];
    nsdyn_contact_block block[2];
    for (int b = 0; b < 2; b++) {
      for (int e = 0; e < 18; e++) {
        numbers[b][e] = c->W[k][e / 6][6 * c->body[k][b] + e % 6];
      }
      block[b] = (nsdyn_contact_block){.offset = 6 * c->body[k][b], .count = 6, .values = numbers[b]};
    }
    nsdyn_found_contact found;
    nsdyn_found_contact_init(&found, sizeof found);
    found.key = 100 - k;
    found.gap = -0.2;
    found.blocks = 2;
    found.block = block;
    memcpy(found.w_hat, c->w_hat[k], sizeof c->w_hat[k]);
    if (nsdyn_contact_sink_add(sink, &found)) {
      return -1;
    }
  }
  return 0;
}

static void crowd_make(crowd *c, random_state *random)
{
  memset(c, 0, sizeof *c);
  for (int b = 0; b < BODIES; b++) {
    double A[36];
    for (int e = 0; e < 36; e++) {
      A[e] = random_normal(random);
    }
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        for (int k = 0; k < 6; k++) {
          c->M[b][6 * i + j] += A[6 * i + k] * A[6 * j + k];
        }
      }
      c->M[b][7 * i] += 1.0;
    }
  }
  for (int k = 0; k < KNOWN + FOUND; k++) {
    c->body[k][0] = random_below(random, BODIES);
    c->body[k][1] = (c->body[k][0] + 1 + random_below(random, BODIES - 1)) % BODIES;
    for (int r = 0; r < 3; r++) {
      c->w_hat[k][r] = random_normal(random);
      for (int e = 0; e < 12; e++) {
        c->W[k][r][6 * c->body[k][e / 6] + e % 6] = random_normal(random);
      }
    }
  }
}

/* What a step asks of its contacts. */
typedef struct asked {
  int rows, is_sparse;
  double W[3 * (KNOWN + FOUND)][NU], w_hat[3 * (KNOWN + FOUND)];
  double gamma[3 * (KNOWN + FOUND)], forced[3 * (KNOWN + FOUND)], forced_size[3 * (KNOWN + FOUND)],
      all[3 * (KNOWN + FOUND)], diagonal[3 * (KNOWN + FOUND)];
  double du[NU], moved[NU];
} asked;

static void ask(nsdyn_stepper *s, int wants_operator, const double *u, const double *z, const double *Lambda,
                asked *a)
{
  const double q[NU] = {0.0};
  nsd_scene *scene = &s->scene;
  ck_assert_int_eq(nsd_inertia_update(&s->inertia, &s->sys->def, 0.0, q, &s->fault), NSDYN_OK);
  ck_assert_int_eq(nsd_scene_look(scene, 0.0, q, 0.0, &s->fault), NSDYN_OK);
  scene->problem.wants_operator = wants_operator;
  ck_assert_int_eq(nsd_scene_direct(scene, 0.0, q, &s->fault), NSDYN_OK);
  ck_assert_int_eq(nsd_scene_assemble(scene, &s->inertia, 0.0, q, &s->fault), NSDYN_OK);
  nsd_scene_force(scene, &s->inertia, z);
  nsd_scene_speeds(scene, u, a->gamma);
  nsd_scene_forced_all(scene, z, a->all);
  nsd_scene_velocities(scene, &s->inertia, z, Lambda, a->du);
  memset(a->moved, 0, sizeof a->moved);
  nsd_scene_add_moved(scene, &s->inertia, Lambda, a->moved);
  a->rows = scene->closed.rows;
  a->is_sparse = scene->directions.is_sparse;
  for (int r = 0; r < a->rows; r++) {
    nsd_row_expand(nsd_scene_row(scene, r), a->W[r]);
    a->w_hat[r] = scene->directions.w_hat[r];
    a->forced[r] = nsd_scene_forced(scene, r, z);
    a->forced_size[r] = nsd_scene_forced_size(scene, r, z);
    a->diagonal[r] = scene->problem.G[(size_t)r * ((size_t)scene->problem.ldg + 1)];
    REQUIRE(nsd_scene_dot(scene, r, u) == nsd_small_dot(NU, a->W[r], u), "row %d", r);
  }
}

static int is_near(int n, const double *x, const double *y)
{
  double size = 0.0, apart = 0.0;
  for (int i = 0; i < n; i++) {
    size = fmax(size, fabs(y[i]));
    apart = fmax(apart, fabs(x[i] - y[i]));
  }
  return apart <= 1e-10 * size;
}

/* A sparse scene tells the same as a dense one, of contacts known in advance and of those found: rows and ŵ
 * to the bit, what is summed along them to rounding. */
START_TEST(sparse_scenes_tell_what_dense_ones_do)
{
  static crowd c;
  static asked dense, sparse;
  static const int64_t flags[] = {0, NSDYN_CONSTANT_DIRECTIONS,
                                  NSDYN_CONSTANT_DIRECTIONS | NSDYN_CONSTANT_MASS};
  for (int seed = 0; seed < random_cases(60); seed++) {
    random_state random = random_seed((uint64_t)seed);
    crowd_make(&c, &random);
    int32_t block[BODIES];
    double u[NU], z[NU], Lambda[3 * (KNOWN + FOUND)];
    for (int j = 0; j < NU; j++) {
      block[j % BODIES] = 6;
      u[j] = random_normal(&random);
      z[j] = random_normal(&random);
    }
    for (int r = 0; r < 3 * (KNOWN + FOUND); r++) {
      Lambda[r] = random_normal(&random);
    }
    nsdyn_system_def def;
    nsdyn_contact_law law;
    nsdyn_system_def_init(&def, sizeof def);
    def.nq = def.nu = NU;
    def.ncontacts = KNOWN;
    def.flags = flags[seed % 3];
    def.nblocks = BODIES;
    def.block = block;
    def.user = &c;
    def.mass = crowd_mass;
    def.gap = crowd_gap;
    def.direction = crowd_direction;
    def.find = crowd_find;
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    law.mu = 0.3;
    const nsdyn_stepper_options options = stepper_unchecked();
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    ask(s, 0, u, z, Lambda, &dense);
    ask(s, 1, u, z, Lambda, &sparse);
    REQUIRE(!dense.is_sparse && sparse.is_sparse && sparse.rows == dense.rows, "seed %d", seed);
    REQUIRE(dense.rows == 3 * (KNOWN - 1 + FOUND), "seed %d: %d rows", seed, dense.rows);
    const size_t rows = (size_t)dense.rows;
    REQUIRE(memcmp(sparse.W, dense.W, rows * sizeof *dense.W) == 0, "seed %d", seed);
    REQUIRE(memcmp(sparse.w_hat, dense.w_hat, rows * sizeof *dense.w_hat) == 0, "seed %d", seed);
    REQUIRE(is_near(dense.rows, sparse.gamma, dense.gamma), "seed %d: speeds", seed);
    REQUIRE(is_near(dense.rows, sparse.forced, dense.forced), "seed %d: forces", seed);
    REQUIRE(is_near(dense.rows, sparse.all, dense.all), "seed %d: all forces", seed);
    REQUIRE(is_near(dense.rows, sparse.diagonal, dense.diagonal), "seed %d: G_ii", seed);
    REQUIRE(is_near(NU, sparse.du, dense.du), "seed %d: velocities", seed);
    REQUIRE(is_near(NU, sparse.moved, dense.moved), "seed %d: sizes", seed);
    for (int r = 0; r < dense.rows; r++) {
      REQUIRE(sparse.forced_size[r] >= fabs(sparse.forced[r]) * (1.0 - 1e-12), "seed %d: row %d", seed, r);
    }
    ask(s, 0, u, z, Lambda, &sparse);
    REQUIRE(memcmp(&sparse, &dense, sizeof dense) == 0, "seed %d: dense again", seed);
    nsdyn_stepper_free(s);
  }
}
END_TEST

/* A NaN in a row is named also where the scene is sparse. */
START_TEST(sparse_scenes_name_the_row_that_is_no_number)
{
  static crowd c;
  random_state random = random_seed(1);
  crowd_make(&c, &random);
  c.W[4][1][6 * c.body[4][0] + 2] = NAN;
  int32_t block[BODIES];
  for (int b = 0; b < BODIES; b++) {
    block[b] = 6;
  }
  nsdyn_system_def def;
  nsdyn_contact_law law;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = NU;
  def.ncontacts = KNOWN;
  def.nblocks = BODIES;
  def.block = block;
  def.user = &c;
  def.mass = crowd_mass;
  def.gap = crowd_gap;
  def.direction = crowd_direction;
  def.find = crowd_find;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  const nsdyn_stepper_options options = stepper_unchecked();
  nsdyn_stepper *s = stepper_for(&def, &law, &options);
  const double zero[NU] = {0.0};
  set_state(s, zero, zero);
  ck_assert_int_eq(nsdyn_stepper_step(s, 1e-3), NSDYN_ERR_NOT_FINITE);
  ck_assert_ptr_nonnull(strstr(nsdyn_stepper_message(s), "callback direction, contact 4: W row 1"));
  nsdyn_stepper_free(s);
}
END_TEST

SUITE("assembly/directions", TEST(what_is_kept_changes_no_bit),
      TEST(contacts_may_have_more_rows_in_the_cache), TEST(sparse_scenes_tell_what_dense_ones_do),
      TEST(sparse_scenes_name_the_row_that_is_no_number))
