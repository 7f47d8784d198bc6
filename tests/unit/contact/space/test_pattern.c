/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Patterns of contacts in space: their equations hold, what is given is given, and redundant unknowns are
 * shared as they are to be. */
#include "contact/space/pattern.h"

#include <math.h>
#include <string.h>

#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "suite.h"

enum { CONTACTS = 3, BILATERAL = 1, ROWS = 3 * CONTACTS + BILATERAL };

typedef struct posed {
  nsd_contact_spec spec[4];
  nsd_contact_space space[4];
  double W[12 * 8], G[12 * 12], c[12], Lambda[12];
  int32_t states[4];
  nsd_contact_data data;
  nsd_arena arena;
  nsd_pattern_work work;
  nsd_space_pattern pattern;
} posed;

static void lay_out(posed *p, int contacts, int rows)
{
  nsd_arena counted = nsd_arena_measure();
  nsd_pattern_lay_out(&counted, &p->work, contacts, rows);
  nsd_space_pattern_lay_out(&counted, &p->pattern, rows);
  p->arena = nsd_arena_empty(NULL);
  ck_assert_int_eq(nsd_arena_reserve(&p->arena, &counted), NSDYN_OK);
  nsd_pattern_lay_out(&p->arena, &p->work, contacts, rows);
  nsd_space_pattern_lay_out(&p->arena, &p->pattern, rows);
}

/* G = W Wᵀ with `freedoms` columns. */
static void multiply(posed *p, int rows, int freedoms)
{
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      p->G[i * rows + j] = 0.0;
      for (int k = 0; k < freedoms; k++) {
        p->G[i * rows + j] += p->W[i * freedoms + k] * p->W[j * freedoms + k];
      }
    }
  }
}

static void pose(posed *p, random_state *r, int contacts, int bilateral, int freedoms)
{
  const int rows = 3 * contacts + bilateral;
  memset(p, 0, sizeof *p);
  for (int i = 0; i < rows * freedoms; i++) {
    p->W[i] = random_between(r, -1.0, 1.0);
  }
  multiply(p, rows, freedoms);
  for (int i = 0; i < contacts; i++) {
    const double angle = random_between(r, 0.0, 6.28);
    p->space[i] =
        (nsd_contact_space){.aspect = random_between(r, 0.3, 2.0), .axis = {cos(angle), sin(angle)}};
    p->spec[i] = (nsd_contact_spec){.mu = random_between(r, 0.0, 0.2),
                                    .row = 3 * i,
                                    .friction = NSD_FRICTION_LOAD,
                                    .kind = NSDYN_CONTACT_UNILATERAL,
                                    .space = &p->space[i],
                                    .slip = {cos(3.0 * angle), sin(3.0 * angle)}};
    p->states[i] = (int32_t)(random_unit(r) * 4.0);
  }
  p->data = (nsd_contact_data){.contacts = contacts,
                               .bilateral = bilateral,
                               .rows = rows,
                               .ldg = rows,
                               .spec = p->spec,
                               .G = p->G,
                               .c = p->c,
                               .is_spatial = 1};
  lay_out(p, contacts, rows);
}

START_TEST(a_pattern_holds_what_it_says)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    posed p;
    double xi[ROWS];
    pose(&p, &r, CONTACTS, BILATERAL, 8);
    const int is_given = k % 3 == 0;
    for (int i = 0; i < CONTACTS && is_given; i++) {
      p.spec[i].friction = NSD_FRICTION_GIVEN;
      p.spec[i].bound = random_unit(&r);
      p.spec[i].mu = 0.0;
    }
    for (int i = 0; i < ROWS; i++) {
      p.c[i] = random_between(&r, -1.0, 1.0);
    }
    /* Eight freedoms carry eight rows at most. */
    p.states[0] = p.states[0] == NSD_STATE_STICK ? (int32_t)NSD_STATE_DOWN : p.states[0];
    REQUIRE(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, NULL, p.Lambda) == NSDYN_OK);
    REQUIRE(p.pattern.redundant == 0, "seed %d", k);
    double size = 1.0;
    for (int i = 0; i < ROWS; i++) {
      xi[i] = p.c[i];
      for (int j = 0; j < ROWS; j++) {
        xi[i] += p.G[i * ROWS + j] * p.Lambda[j];
        size = fmax(size, fabs(p.Lambda[j]));
      }
    }
    for (int i = 0; i < CONTACTS; i++) {
      const nsd_contact_spec *s = &p.spec[i];
      const double *own = p.Lambda + 3 * i, f = nsd_state_factor(p.states[i]);
      double drag[2] = {0.0, 0.0};
      nsd_friction_support(s, f * (s->mu * own[0] + s->bound), s->slip, drag);
      if (p.states[i] == NSD_STATE_OPEN) {
        REQUIRE(own[0] == 0.0 && own[1] == 0.0 && own[2] == 0.0, "seed %d", k);
      } else {
        REQUIRE(fabs(xi[3 * i]) <= 1e-9 * size * size, "seed %d: xi %g", k, xi[3 * i]);
      }
      for (int t = 0; t < 2 && p.states[i] != NSD_STATE_OPEN; t++) {
        const double miss = p.states[i] == NSD_STATE_STICK ? xi[3 * i + 1 + t] : own[1 + t] - drag[t];
        REQUIRE(fabs(miss) <= 1e-9 * size * size, "seed %d: %g", k, miss);
      }
    }
    REQUIRE(fabs(xi[ROWS - 1]) <= 1e-9 * size * size, "seed %d", k);
    nsd_arena_release(&p.arena);
  }
}
END_TEST

/* With fewer freedoms than rows: no other solution of W^T Λ is nearer, which is to say that Λ − near, in the
 * metric of the diagonal of G, is at right angles to all that moves nothing. Friction is next to its shares
 * of the limits that normal forces set, those that are told or else the even ones, in a metric that these
 * limits weigh. */
START_TEST(redundant_impulses_are_the_nearest)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    posed p;
    enum { N = 12, FREE = 6 };
    double shares[N], near[N], even[N], other[N], metric[N], force[FREE], most = 0.0;
    pose(&p, &r, 4, 0, FREE);
    const int is_told = k % 3 != 0, has_normals = k % 3 != 1; /* friction, normal forces, or both */
    for (int j = 0; j < FREE; j++) {
      force[j] = random_between(&r, -1.0, 1.0);
    }
    for (int i = 0; i < N; i++) {
      shares[i] = (i % 3 == 0 ? has_normals : is_told) ? random_between(&r, -1.0, 1.0) : 0.0;
      p.c[i] = 0.0;
      for (int j = 0; j < FREE; j++) {
        p.c[i] -= p.W[i * FREE + j] * force[j];
      }
      p.states[i / 3] = NSD_STATE_STICK;
      p.spec[i / 3].mu = random_between(&r, 0.1, 1.0);
    }
    ck_assert_int_eq(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, shares, p.Lambda),
                     NSDYN_OK);
    REQUIRE(p.pattern.redundant == N - FREE, "seed %d: %d", k, p.pattern.redundant);
    /* What normal forces, told or even, make of the shares. */
    ck_assert_int_eq(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, NULL, even), NSDYN_OK);
    for (int i = 0; i < N && has_normals; i += 3) {
      even[i] = shares[i];
    }
    for (int i = 0; i < 4; i++) {
      most = fmax(most, p.spec[i].mu * fabs(even[3 * i]));
    }
    for (int i = 0; i < N; i++) {
      const double limit = p.spec[i / 3].mu * fabs(even[i - i % 3]);
      near[i] = i % 3 == 0 ? shares[i] : shares[i] * limit;
      metric[i] = p.G[i * N + i] * (i % 3 == 0 || !is_told ? 1.0 : most / limit * (most / limit));
    }
    /* Another solution, from another beginning. */
    double start[N], product = 0.0, size = 0.0, forces = 0.0;
    for (int i = 0; i < N; i++) {
      start[i] = random_between(&r, -1.0, 1.0);
    }
    ck_assert_int_eq(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, start, other), NSDYN_OK);
    for (int i = 0; i < N; i++) {
      product += metric[i] * (p.Lambda[i] - near[i]) * (other[i] - p.Lambda[i]);
      size += metric[i] * (fabs(p.Lambda[i]) + 1.0) * (fabs(other[i]) + 1.0);
      forces += fabs(p.Lambda[i]) + fabs(other[i]) + 1.0;
    }
    REQUIRE(fabs(product) <= 1e-9 * size, "seed %d: %g beside %g", k, product, size);
    for (int j = 0; j < FREE; j++) { /* Wᵀ Λ is the force that is carried, by both */
      double sum[2] = {-force[j], -force[j]};
      for (int i = 0; i < N; i++) {
        sum[0] += p.W[i * FREE + j] * p.Lambda[i];
        sum[1] += p.W[i * FREE + j] * other[i];
      }
      REQUIRE(fabs(sum[0]) <= 1e-9 * forces && fabs(sum[1]) <= 1e-9 * forces, "seed %d", k);
    }
    /* All stick: however they share, nothing moves. */
    REQUIRE(nsd_space_pattern_moves(&p.pattern, &p.data) <= 1e-8 * size, "seed %d", k);
    nsd_arena_release(&p.arena);
  }
}
END_TEST

/* A solution that obeys the laws of friction, of contacts that stick beside some that slide, told as the
 * solver of contacts finds it, in any of the ways in which it can be shared: it comes out as it is told. */
START_TEST(shares_of_a_solution_give_that_solution)
{
  const int cases = random_cases(1000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    posed p;
    enum { N = 12, FREE = 7 };
    double shares[N], told[N];
    pose(&p, &r, 4, 0, FREE);
    for (int i = 0; i < 4; i++) {
      double *own = told + 3 * i;
      const double angle = random_between(&r, 0.0, 6.28), part = random_unit(&r);
      p.states[i] = i < 3 ? (int32_t)NSD_STATE_STICK : (int32_t)NSD_STATE_DOWN;
      p.spec[i].mu = random_between(&r, 0.1, 1.0);
      own[0] = random_between(&r, 0.1, 10.0);
      const double limit = p.spec[i].mu * own[0], e[2] = {cos(angle), sin(angle)};
      nsd_friction_support(&p.spec[i], i < 3 ? part * limit : -limit, i < 3 ? e : p.spec[i].slip, own + 1);
      for (int row = 0; row < 3; row++) {
        shares[3 * i + row] = row == 0 ? own[0] : own[row] / limit;
      }
    }
    double size = 0.0;
    for (int i = 0; i < N; i++) { /* γ̇ = c + G Λ = 0 */
      p.c[i] = 0.0;
      for (int j = 0; j < N; j++) {
        p.c[i] -= p.G[i * N + j] * told[j];
      }
      size = fmax(size, fabs(told[i]));
    }
    ck_assert_int_eq(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, shares, p.Lambda),
                     NSDYN_OK);
    REQUIRE(p.pattern.redundant > 0, "seed %d", k);
    for (int i = 0; i < N; i++) {
      REQUIRE(fabs(p.Lambda[i] - told[i]) <= 1e-7 * size, "seed %d: %g, not %g", k, p.Lambda[i], told[i]);
    }
    nsd_arena_release(&p.arena);
  }
}
END_TEST

/* A fourth normal direction that is the sum of three others, as a plank's: normal forces of contacts that
 * slide are at right angles to what moves nothing, as those of contacts that stick are, whatever friction
 * they drag along. */
START_TEST(normal_forces_are_shared_alike_by_what_sticks_and_what_slides)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    posed p;
    enum { N = 12, FREE = 6 };
    double of[4] = {0.0, 0.0, 0.0, -1.0};
    pose(&p, &r, 4, 0, FREE);
    for (int i = 0; i < 3; i++) {
      of[i] = random_between(&r, -1.0, 1.0);
    }
    for (int j = 0; j < FREE; j++) {
      p.W[9 * FREE + j] = of[0] * p.W[j] + of[1] * p.W[3 * FREE + j] + of[2] * p.W[6 * FREE + j];
    }
    multiply(&p, N, FREE);
    const double force[FREE] = {1.0, -2.0, 0.5, 3.0, 1.5, -1.0};
    for (int i = 0; i < N; i++) {
      p.c[i] = 0.0;
      for (int j = 0; j < FREE; j++) {
        p.c[i] -= p.W[i * FREE + j] * force[j];
      }
      p.states[i / 3] = NSD_STATE_DOWN;
    }
    ck_assert_int_eq(nsd_space_pattern_solve(&p.pattern, &p.work, &p.data, p.states, NULL, p.Lambda),
                     NSDYN_OK);
    REQUIRE(p.pattern.redundant == 1, "seed %d: %d", k, p.pattern.redundant);
    double product = 0.0, size = 0.0;
    for (int i = 0; i < 4; i++) {
      const double part = p.G[3 * i * N + 3 * i] * of[i] * p.Lambda[3 * i];
      product += part;
      size += fabs(part);
    }
    REQUIRE(fabs(product) <= 1e-9 * (size + 1.0), "seed %d: %g beside %g", k, product, size);
    for (int i = 0; i < N; i += 3) { /* and they hold what they are to hold */
      double rise = p.c[i], terms = fabs(p.c[i]);
      for (int j = 0; j < N; j++) {
        rise += p.G[i * N + j] * p.Lambda[j];
        terms += fabs(p.G[i * N + j] * p.Lambda[j]);
      }
      REQUIRE(fabs(rise) <= 1e-9 * terms, "seed %d: %g", k, rise);
    }
    nsd_arena_release(&p.arena);
  }
}
END_TEST

/* One contact that slides: (G_NN − μ p · G_NT) / G_NN. */
START_TEST(the_determinant_is_that_of_the_sliding_contact)
{
  const int cases = random_cases(300);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    posed p;
    double drag[2];
    pose(&p, &r, 1, 0, 4);
    p.spec[0].mu = random_between(&r, 0.0, 3.0);
    p.states[0] = NSD_STATE_DOWN;
    nsd_friction_support(&p.spec[0], p.spec[0].mu, p.spec[0].slip, drag);
    const double wanted = 1.0 - (p.G[1] * drag[0] + p.G[2] * drag[1]) / p.G[0];
    const double got = nsd_space_pattern_determinant(&p.pattern, &p.work, &p.data, p.states);
    REQUIRE(fabs(got - wanted) <= 1e-12 * (1.0 + fabs(wanted)), "seed %d: %g, not %g", k, got, wanted);
    p.states[0] = NSD_STATE_STICK;
    REQUIRE(nsd_space_pattern_determinant(&p.pattern, &p.work, &p.data, p.states) == 1.0, "seed %d", k);
    nsd_arena_release(&p.arena);
  }
}
END_TEST

SUITE("contact/space/pattern", TEST(a_pattern_holds_what_it_says), TEST(redundant_impulses_are_the_nearest),
      TEST(shares_of_a_solution_give_that_solution),
      TEST(normal_forces_are_shared_alike_by_what_sticks_and_what_slides),
      TEST(the_determinant_is_that_of_the_sliding_contact))
