/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Poisson's law in space, by the public call. */
#include "contact/impact/expansion_space.h"

#include "space_impacts.h"

static nsdyn_impact_report report_of(const nsdyn_contact *solver)
{
  nsdyn_impact_report report;
  ck_assert_int_eq(nsdyn_impact_report_init(&report, sizeof report), NSDYN_OK);
  ck_assert_int_eq(nsdyn_contact_impact_report(solver, &report), NSDYN_OK);
  return report;
}

/* ---- closed forms ---- */

/* A ball that sticks in compression: γ⁺ = (ε_N |γ_N|, −ε_N ε_T γ_T) with ν = 1, in any direction. */
START_TEST(a_superball_turns_its_slide_round)
{
  nsdyn_contact *solver = space_solver();
  for (int k = 0; k < random_cases(200); k++) {
    random_state r = random_seed((uint64_t)k);
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.tangents = 2;
    law.mu = 2.0;
    law.eps_n = random_unit(&r);
    law.eps_t = random_unit(&r);
    law.reversal = 1.0;
    const double angle = random_between(&r, -3.1, 3.1), speed = random_between(&r, 0.1, 1.0);
    const double G[9] = {1.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 3.5};
    const double before[3] = {-2.0, speed * cos(angle), speed * sin(angle)};
    nsdyn_contact_problem p;
    nsdyn_contact_problem_init(&p, sizeof p);
    p.contacts = 1;
    p.laws = &law;
    p.G = G;
    p.ldg = 3;
    p.c = before;
    double Lambda[3], after[3];
    ck_assert_int_eq(nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &p, Lambda, after), NSDYN_OK);
    ck_assert(fabs(after[0] - 2.0 * law.eps_n) <= 1e-14);
    for (int i = 1; i < 3; i++) {
      ck_assert(fabs(after[i] + law.eps_n * law.eps_t * before[i]) <= 1e-14);
    }
    /* Both halves can be read: it sticks in the first, and slides back in the second. */
    const nsdyn_impact_half a = space_half(solver, NSDYN_IMPACT_COMPRESSION);
    const nsdyn_impact_half b = space_half(solver, NSDYN_IMPACT_EXPANSION);
    ck_assert_int_eq(a.modes[0], NSDYN_MODE_STICK);
    ck_assert(a.directions[0] == 0.0 && a.directions[1] == 0.0);
    ck_assert_int_eq(b.modes[0], NSDYN_MODE_SLIP);
    const double bend = 1e-14 / (law.eps_n * law.eps_t * speed);
    REQUIRE(fabs(b.directions[0] + cos(angle)) <= bend && fabs(b.directions[1] + sin(angle)) <= bend,
            "seed %d: (%g, %g) for %g", k, b.directions[0], b.directions[1], angle);
    ck_assert(fabs(a.Lambda[0] - 2.0) <= 1e-14 && fabs(b.Lambda[0] - 2.0 * law.eps_n) <= 1e-14);
    /* What the solver tells of the problem it tells of the compression. */
    ck_assert_int_eq(nsdyn_contact_modes(solver, NULL)[0], NSDYN_MODE_STICK);
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* ---- energy (mathematics.md, 5) ---- */

typedef struct statement {
  int32_t law;
  int traits, one_eps_n, one_eps;
  int only_where_pressed_approach; /* it says nothing about other impacts */
} statement;

static int is_meant(const statement *t, const space_impact *m)
{
  for (int i = 0; t->only_where_pressed_approach && i < m->p.contacts; i++) {
    if (m->Lambda[m->row[i]] > 0.0 && m->gamma[m->row[i]] > 0.0) {
      return 0;
    }
  }
  return 1;
}

/* Random impacts; every energy is that of the velocities, and none is a gain. Returns how many were solved.
 */
static int count_losses(const statement *t, int cases, int *meant)
{
  nsdyn_contact *solver = space_solver();
  int solved = 0;
  *meant = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    space_impact m;
    space_make(&m, &r, 1 + k % 4, t->traits | (k & 8 ? SPACE_REDUNDANT : 0));
    const double eps = random_below(&r, 8) ? random_unit(&r) : 1.0;
    for (int i = 0; i < m.p.contacts; i++) {
      m.law[i].eps_n = t->one_eps_n ? eps : m.law[i].eps_n;
      m.law[i].eps_t = t->one_eps ? eps : m.law[i].eps_t;
    }
    if (space_dot(&m, m.u, m.u) <=
        1e-20 * m.liveliness) { /* bars and slots let nothing move: c is rounding */
      solved++;
      continue;
    }
    const nsdyn_status status = space_strike(solver, t->law, &m);
    REQUIRE(status >= 0, "seed %d: %s", k, nsdyn_contact_message(solver));
    if (status) {
      continue;
    }
    solved++;
    const double energy = report_of(solver).energy, size = space_energy_size(&m);
    const double kinetic = space_kinetic_change(&m);
    REQUIRE(fabs(energy - kinetic) <= 1e-8 * size, "seed %d: %g, of the velocities %g", k, energy, kinetic);
    if (is_meant(t, &m)) {
      ++*meant;
      REQUIRE(energy <= 1e-8 * size, "seed %d: gains %g of %g", k, energy, size);
    }
  }
  nsdyn_contact_free(solver);
  return solved;
}

enum { ALL = SPACE_FRICTION | SPACE_BARS | SPACE_SHAPES };

static void check_losses(const statement *t, int cases)
{
  int meant;
  const int solved = count_losses(t, cases, &meant);
  ck_assert_msg(solved >= cases - cases / 1000, "%d of %d", solved, cases);
  ck_assert(meant > cases / 3);
}

START_TEST(newton_with_one_epsilon_never_gains)
{
  const statement t = {.law = NSDYN_IMPACT_NEWTON, .traits = ALL, .one_eps_n = 1, .one_eps = 1};
  check_losses(&t, random_cases(50000));
}
END_TEST

START_TEST(newton_without_friction_never_gains_where_pressed_contacts_approached)
{
  const statement t = {.law = NSDYN_IMPACT_NEWTON, .traits = SPACE_BARS, .only_where_pressed_approach = 1};
  int meant;
  const int cases = random_cases(5000);
  /* With several ε and redundant contacts Newton's law often has no solution. */
  const int solved = count_losses(&t, cases, &meant);
  ck_assert_msg(solved > cases - cases / 8, "%d of %d", solved, cases);
  ck_assert(meant > cases / 3);
}
END_TEST

START_TEST(poisson_without_friction_never_gains)
{
  const statement t = {.law = NSDYN_IMPACT_POISSON, .traits = SPACE_BARS};
  check_losses(&t, random_cases(5000));
}
END_TEST

START_TEST(poisson_with_friction_and_one_epsilon_never_gains)
{
  const statement t = {.law = NSDYN_IMPACT_POISSON, .traits = ALL, .one_eps_n = 1};
  check_losses(&t, random_cases(50000));
  const statement slots = {.law = NSDYN_IMPACT_POISSON, .traits = ALL | SPACE_SLOTS, .one_eps_n = 1};
  int meant;
  const int cases = random_cases(1000);
  const int solved = count_losses(&slots, cases, &meant);
  ck_assert_msg(solved >= cases - cases / 100, "%d of %d", solved, cases);
}
END_TEST

/* ---- the same law in other clothes ---- */

/* Λ and γ⁺ in the axes in which an ellipse is a disk and a stretched polygon a regular one: Λ_T = A Λ',
 * γ' = Aᵀ γ_T with A = R diag(1, aspect). There the impact is one of disks. */
START_TEST(an_ellipse_is_a_disk_in_other_axes)
{
  nsdyn_contact *solver = space_solver();
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    space_impact m, disk;
    space_make(&m, &r, 1, SPACE_FRICTION | SPACE_BARS | SPACE_SHAPES);
    nsdyn_contact_law *law = &m.law[0];
    law->mu = random_between(&r, 0.0, 0.3); /* small beside a definite G: one solution */
    law->aspect = random_between(&r, 0.3, 2.0);
    law->angle = random_between(&r, -3.0, 3.0);
    disk = m;
    disk.p.laws = disk.law;
    disk.law[0].aspect = 1.0;
    disk.law[0].angle = 0.0;
    const double c = cos(law->angle), q = sin(law->angle), a = law->aspect;
    for (int i = 0; i < m.nu; i++) {
      disk.W[1][i] = c * m.W[1][i] + q * m.W[2][i];
      disk.W[2][i] = a * (c * m.W[2][i] - q * m.W[1][i]);
    }
    space_assemble(&disk);
    ck_assert_int_eq(space_strike(solver, NSDYN_IMPACT_POISSON, &m), NSDYN_OK);
    ck_assert_int_eq(space_strike(solver, NSDYN_IMPACT_POISSON, &disk), NSDYN_OK);
    const double size = fabs(m.Lambda[0]) + 1e-3;
    const double T[2] = {c * disk.Lambda[1] - q * a * disk.Lambda[2],
                         q * disk.Lambda[1] + c * a * disk.Lambda[2]};
    REQUIRE(fabs(m.Lambda[0] - disk.Lambda[0]) <= 1e-6 * size, "seed %d: %g", k,
            m.Lambda[0] - disk.Lambda[0]);
    REQUIRE(fabs(m.Lambda[1] - T[0]) <= 1e-6 * size && fabs(m.Lambda[2] - T[1]) <= 1e-6 * size,
            "seed %d: (%g, %g) for (%g, %g)", k, m.Lambda[1], m.Lambda[2], T[0], T[1]);
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* A planar impact whose contacts get a second tangent that nothing drives. */
START_TEST(planar_impacts_embedded_in_space_keep_their_answers)
{
  nsdyn_contact *solver = space_solver();
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    space_impact flat, deep;
    space_make(&flat, &r, 1 + k % 2, SPACE_FRICTION | SPACE_BARS);
    const int contacts = flat.p.contacts, bars = flat.p.bilateral;
    deep = flat;
    deep.p.laws = deep.law;
    for (int i = 0; i < contacts; i++) {
      flat.law[i].friction = NSDYN_FRICTION_COULOMB;
      flat.law[i].mu = random_between(&r, 0.0, 0.3);
      flat.law[i].tangents = 1;
      deep.law[i] = flat.law[i];
      deep.law[i].tangents = 2;
    }
    flat.p.laws = flat.law;
    /* rows N, T1 of `flat`, with room for the second tangents: each moves one coordinate of its own */
    flat.rows = 2 * contacts + bars;
    deep.rows = 3 * contacts + bars;
    flat.nu = flat.rows;
    deep.nu = deep.rows;
    for (int q = 0; q < deep.nu; q++) {
      flat.u[q] = deep.u[q] = q < flat.nu ? random_normal(&r) : 0.0;
    }
    for (int i = 0; i < deep.rows; i++) {
      const int contact = i < 3 * contacts ? i / 3 : -1;
      const int row = contact < 0 ? i - contacts : 2 * contact + i % 3;
      const int is_new = contact >= 0 && i % 3 == 2;
      for (int q = 0; q < deep.nu; q++) {
        const double w = q < flat.nu ? random_normal(&r) : 0.0;
        deep.W[i][q] = is_new ? (double)(q == flat.nu + contact) : w;
        if (!is_new) {
          flat.W[row][q] = w;
        }
      }
    }
    space_assemble(&flat);
    space_assemble(&deep);
    for (int i = 0; i < bars; i++) { /* at rest, whatever the motion is */
      flat.gamma[2 * contacts + i] = deep.gamma[3 * contacts + i] = 0.0;
    }
    ck_assert_int_eq(space_strike(solver, NSDYN_IMPACT_POISSON, &flat), NSDYN_OK);
    ck_assert_int_eq(space_strike(solver, NSDYN_IMPACT_POISSON, &deep), NSDYN_OK);
    double size = 1e-3;
    for (int i = 0; i < flat.rows; i++) {
      size = fmax(size, fabs(flat.Lambda[i]));
    }
    for (int i = 0; i < deep.rows; i++) {
      const int contact = i < 3 * contacts ? i / 3 : -1;
      const double planar = contact < 0  ? flat.Lambda[i - contacts]
                            : i % 3 == 2 ? 0.0
                                         : flat.Lambda[2 * contact + i % 3];
      REQUIRE(fabs(deep.Lambda[i] - planar) <= 1e-6 * size, "seed %d, row %d: %g for %g", k, i,
              deep.Lambda[i], planar);
    }
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* A polygon of many sides is nearly a disk: the error falls with the square of their number. */
START_TEST(polygons_come_near_the_disk)
{
  nsdyn_contact *solver = space_solver();
  double worst[3] = {0.0, 0.0, 0.0};
  for (int k = 0; k < random_cases(300); k++) {
    random_state r = random_seed((uint64_t)k);
    space_impact m;
    space_make(&m, &r, 1, SPACE_FRICTION);
    m.law[0].mu = random_between(&r, 0.05, 0.3);
    m.law[0].reversal = 0.5;
    double disk[3], polygon[3];
    ck_assert_int_eq(nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &m.p, disk, NULL), NSDYN_OK);
    m.law[0].shape = NSDYN_FRICTION_POLYGON;
    for (int j = 0; j < 3; j++) {
      m.law[0].sides = 32 << (2 * j);
      ck_assert_int_eq(nsdyn_contact_impact(solver, NSDYN_IMPACT_POISSON, &m.p, polygon, NULL), NSDYN_OK);
      for (int i = 0; i < 3; i++) {
        worst[j] = fmax(worst[j], fabs(polygon[i] - disk[i]) / (disk[0] + 1e-3));
      }
    }
  }
  for (int j = 0; j < 3; j++) {
    ck_assert_msg(worst[j] <= 8.0 / (32 << (2 * j)), "%d sides: %g", 32 << (2 * j), worst[j]);
  }
  nsdyn_contact_free(solver);
}
END_TEST

/* ---- the certificate ---- */

/* Of one solution: impulses of expansion that are off in any row do not pass. */
START_TEST(impulses_that_are_off_are_seen)
{
  nsdyn_contact *solver = space_solver();
  for (int k = 0; k < random_cases(2000); k++) {
    random_state r = random_seed((uint64_t)k);
    space_impact m;
    space_make(&m, &r, 1 + k % 3, ALL);
    if (space_strike(solver, NSDYN_IMPACT_POISSON, &m) != NSDYN_OK) {
      continue;
    }
    nsd_contact_spec spec[SPACE_CONTACTS];
    nsd_contact_space space[SPACE_CONTACTS];
    nsd_restitution restitution[SPACE_CONTACTS];
    double most = 0.0;
    for (int i = 0; i < m.p.contacts; i++) {
      spec[i] = (nsd_contact_spec){.row = m.row[i]};
      nsd_contact_law_fill(&m.law[i], m.row[i], m.law[i].mu, 0.0, &spec[i]);
      if (nsd_contact_law_is_spatial(&m.law[i])) {
        nsd_contact_law_read_space(&m.law[i], &space[i]);
        spec[i].space = &space[i];
      }
      restitution[i] =
          (nsd_restitution){.eps_n = m.law[i].eps_n, .eps_t = m.law[i].eps_t, .reversal = m.law[i].reversal};
    }
    const nsd_contact_data data = {.contacts = m.p.contacts,
                                   .bilateral = m.p.bilateral,
                                   .rows = m.rows,
                                   .ldg = m.rows,
                                   .spec = spec,
                                   .G = m.G,
                                   .c = m.gamma,
                                   .is_spatial = 1};
    const nsdyn_impact_half a = space_half(solver, NSDYN_IMPACT_COMPRESSION);
    const nsdyn_impact_half b = space_half(solver, NSDYN_IMPACT_EXPANSION);
    double E[SPACE_ROWS];
    for (int i = 0; i < m.rows; i++) {
      E[i] = b.Lambda[i];
      most = fmax(most, fabs(a.Lambda[i]));
    }
    nsd_expansion_verdict v = nsd_expansion_judge(&data, restitution, a.Lambda, E);
    REQUIRE(v.residual <= 2e-9 * v.scale, "seed %d: %g of %g", k, v.residual, v.scale);
    for (int i = 0; i < m.rows && most > 0.0; i++) {
      E[i] += (k % 2 ? 1e-3 : -1e-3) * most;
      v = nsd_expansion_judge(&data, restitution, a.Lambda, E);
      REQUIRE(v.residual > 1e-9 * v.scale, "seed %d, row %d: %g of %g", k, i, v.residual, v.scale);
      E[i] = b.Lambda[i];
    }
  }
  nsdyn_contact_free(solver);
}
END_TEST

SUITE("contact/impact/expansion_space", TEST(a_superball_turns_its_slide_round),
      TEST(newton_with_one_epsilon_never_gains),
      TEST(newton_without_friction_never_gains_where_pressed_contacts_approached),
      TEST(poisson_without_friction_never_gains), TEST(poisson_with_friction_and_one_epsilon_never_gains),
      TEST(an_ellipse_is_a_disk_in_other_axes), TEST(planar_impacts_embedded_in_space_keep_their_answers),
      TEST(polygons_come_near_the_disk), TEST(impulses_that_are_off_are_seen))
