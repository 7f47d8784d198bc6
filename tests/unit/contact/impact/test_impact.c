/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/impact.h"

#include "contact/object.h"
#include "impacts.h"

/* A random impact and what became of it. */
typedef struct fixture {
  mechanism m;
  nsd_contact_data data;
  double Lambda[MOST_ROWS], gamma[MOST_ROWS];
} fixture;

static nsdyn_contact *new_solver(const nsdyn_contact_options *options)
{
  nsdyn_contact *s = NULL;
  ck_assert_int_eq(nsdyn_contact_new(NULL, options, &s, NULL), NSDYN_OK);
  return s;
}

static nsdyn_status strike(nsdyn_contact *s, int32_t law, fixture *f)
{
  f->data = mechanism_data(&f->m);
  return nsd_contact_impact_data(s, law, &f->data, f->m.restitution, f->Lambda, f->gamma);
}

/* Two contacts at most, W written down. */
static void set_rows(mechanism *m, int contacts, double mu, int nu, const double *W, const double *u)
{
  memset(m, 0, sizeof *m);
  m->contacts = contacts;
  m->nu = nu;
  for (int i = 0; i < contacts; i++) {
    m->spec[i] =
        (nsd_contact_spec){.row = m->rows, .friction = mu >= 0.0 ? NSD_FRICTION_LOAD : NSD_FRICTION_NONE};
    m->spec[i].mu = mu >= 0.0 ? mu : 0.0;
    m->rows += mu >= 0.0 ? 2 : 1;
  }
  for (int i = 0; i < m->rows; i++) {
    memcpy(mechanism_row(m, i), W + i * nu, (size_t)nu * sizeof *W);
  }
  memcpy(m->u, u, (size_t)nu * sizeof *u);
  mechanism_assemble(m);
}

static void set_restitution(mechanism *m, double eps_n, double eps_t, double reversal)
{
  for (int i = 0; i < m->contacts; i++) {
    m->restitution[i] = (nsd_restitution){eps_n, eps_t, reversal};
  }
}

/* What rounding of velocities may add to an energy. */
static double energy_size(const nsdyn_contact *s, const fixture *f)
{
  const double speed = fmax(s->impact.half[0].scale, s->impact.half[1].scale);
  double sum = 0.0;
  for (int i = 0; i < f->m.rows; i++) {
    sum += fabs(f->Lambda[i]);
  }
  return sum * speed + f->m.liveliness;
}

/* ---- one contact ------------------------------------------------------------------------------------- */

/* Compression of one contact that collides: sticks if G⁻¹ allows it, else slips with the sign s that is left.
 */
static int closed_form(const mechanism *m, double *Lambda)
{
  const double NN = m->G[0], NT = m->G[1], TT = m->G[MOST_ROWS + 1], mu = m->spec[0].mu;
  const double det = NN * TT - NT * NT;
  Lambda[0] = -(TT * m->gamma[0] - NT * m->gamma[1]) / det;
  Lambda[1] = -(NN * m->gamma[1] - NT * m->gamma[0]) / det;
  if (Lambda[0] > 0.0 && fabs(Lambda[1]) <= mu * Lambda[0]) {
    return 0;
  }
  for (int s = -1; s <= 1; s += 2) {
    Lambda[0] = -m->gamma[0] / (NN - s * mu * NT);
    Lambda[1] = -s * mu * Lambda[0];
    if (Lambda[0] > 0.0 && s * (m->gamma[1] + NT * Lambda[0] + TT * Lambda[1]) >= 0.0) {
      return s;
    }
  }
  ck_abort_msg("no closed form");
  return 0;
}

START_TEST(compression_ends_in_stick_slip_or_reversal)
{
  nsdyn_contact *s = new_solver(NULL);
  int seen[3] = {0, 0, 0};
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1, HAS_FRICTION);
    f.m.gamma[0] = -fabs(f.m.gamma[0]);
    if (f.m.spec[0].mu == 0.0) {
      continue;
    }
    set_restitution(&f.m, 0.0, 0.0, 0.0);
    double Lambda[2];
    const int slips = closed_form(&f.m, Lambda);
    REQUIRE(strike(s, NSDYN_IMPACT_POISSON, &f) == NSDYN_OK, "seed %d", k);
    const double size = fabs(Lambda[0]) + fabs(Lambda[1]);
    REQUIRE(fabs(f.Lambda[0] - Lambda[0]) + fabs(f.Lambda[1] - Lambda[1]) <= 1e-9 * size,
            "seed %d: (%g, %g), closed form (%g, %g)", k, f.Lambda[0], f.Lambda[1], Lambda[0], Lambda[1]);
    seen[slips == 0 ? 0 : slips * f.m.gamma[1] > 0.0 ? 1 : 2]++;
    const int32_t mode = s->impact.half[0].modes[0];
    REQUIRE(mode == (slips == 0  ? NSDYN_MODE_STICK
                     : slips > 0 ? NSDYN_MODE_SLIP_PLUS
                                 : NSDYN_MODE_SLIP_MINUS) ||
                fabs(f.gamma[1]) < 1e-6 * fabs(f.m.gamma[1]),
            "seed %d: mode %d", k, mode);
  }
  for (int k = 0; k < 3; k++) {
    ck_assert_msg(seen[k] > cases / 200, "stick %d, slip %d, reversal %d", seen[0], seen[1], seen[2]);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Under both laws a contact that sticks leaves with ε_N of its approach; Newton's ξ_T = γ_T⁺ + ε_T γ_T⁻ = 0.
 */
START_TEST(one_contact_that_sticks_leaves_with_its_restitution)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    const double mass = random_scale(&r, 3.0), fall = random_scale(&r, 2.0);
    const double slide = fall * random_between(&r, -0.3, 0.3); /* |Λ_T| <= 2 slide m/3.5 < 0.5 fall m */
    const double root = 1.0 / sqrt(mass), W[4] = {root, 0.0, 0.0, sqrt(3.5) * root};
    const double u[2] = {-fall / root, slide / W[3]};
    set_rows(&f.m, 1, 0.5, 2, W, u);
    const double eps_n = random_unit(&r), eps_t = random_unit(&r);
    set_restitution(&f.m, eps_n, eps_t, 1.0);
    REQUIRE(strike(s, NSDYN_IMPACT_NEWTON, &f) == NSDYN_OK, "seed %d", k);
    REQUIRE(fabs(f.gamma[0] - eps_n * fall) <= 1e-12 * fall &&
                fabs(f.gamma[1] + eps_t * slide) <= 1e-12 * fall,
            "seed %d: Newton (%g, %g)", k, f.gamma[0], f.gamma[1]);
    REQUIRE(strike(s, NSDYN_IMPACT_POISSON, &f) == NSDYN_OK, "seed %d", k);
    REQUIRE(fabs(f.gamma[0] - eps_n * fall) <= 1e-12 * fall &&
                fabs(f.gamma[1] + eps_n * eps_t * slide) <= 1e-12 * fall,
            "seed %d: Poisson (%g, %g)", k, f.gamma[0], f.gamma[1]);
    set_restitution(&f.m, eps_n, eps_t, 0.0);
    REQUIRE(strike(s, NSDYN_IMPACT_POISSON, &f) == NSDYN_OK, "seed %d", k);
    REQUIRE(fabs(f.gamma[1]) <= 1e-12 * fall, "seed %d: without ν (%g, %g)", k, f.gamma[0], f.gamma[1]);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* A super-ball, J = 2/5 m r², dropped with spin ω: γ_T turns round, so the spin becomes −3/7 ω and the ball
 * flies off at v = 4/7 r ω; the next bounce gives spin and height back. */
START_TEST(a_super_ball_that_bounces_twice_has_its_spin_back)
{
  nsdyn_contact *s = new_solver(NULL);
  const double m = 0.05, radius = 0.02, J = 0.4 * m * radius * radius, spin = 40.0;
  /* velocities times √M: (vertical, horizontal, spin); the contact point moves with v + r ω. */
  const double W[6] = {1.0 / sqrt(m), 0.0, 0.0, 0.0, 1.0 / sqrt(m), radius / sqrt(J)};
  double u[3] = {-3.0 * sqrt(m), 0.0, spin * sqrt(J)};
  fixture f;
  for (int bounce = 0; bounce < 2; bounce++) {
    set_rows(&f.m, 1, 0.8, 3, W, u);
    set_restitution(&f.m, 1.0, 1.0, 1.0);
    ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
    for (int q = 0; q < 3; q++) {
      u[q] += W[q] * f.Lambda[0] + W[3 + q] * f.Lambda[1];
    }
    ck_assert(fabs(f.gamma[1] + f.m.gamma[1]) <= 1e-13);
    ck_assert(fabs(s->impact.report.energy) <= 1e-15);
    if (bounce == 0) {
      ck_assert(fabs(u[2] / sqrt(J) + 3.0 / 7.0 * spin) <= 1e-12);
      ck_assert(fabs(u[1] / sqrt(m) + 4.0 / 7.0 * radius * spin) <= 1e-12);
    }
    u[0] = -u[0]; /* up and down again */
  }
  ck_assert(fabs(u[2] / sqrt(J) - spin) <= 1e-12 && fabs(u[1]) <= 1e-13);
  ck_assert(fabs(u[0] + 3.0 * sqrt(m)) <= 1e-13);
  nsdyn_contact_free(s);
}
END_TEST

/* ---- energy ------------------------------------------------------------------------------------------ */

/* ½ |u + Wᵀ Λ|² − ½ |u|², which shares nothing with γ. */
static double kinetic_change(mechanism *m, const double *Lambda)
{
  double change = 0.0;
  for (int q = 0; q < m->nu; q++) {
    double jump = 0.0;
    for (int i = 0; i < m->rows; i++) {
      jump += mechanism_row(m, i)[q] * Lambda[i];
    }
    change += jump * (m->u[q] + 0.5 * jump);
  }
  return change;
}

/* What a statement asks of an impact; 0: it says nothing about this one. */
typedef int applies(const fixture *f);

static int always(const fixture *f)
{
  (void)f;
  return 1;
}

static int approaches_where_it_presses(const fixture *f)
{
  for (int i = 0; i < f->m.contacts; i++) {
    const int row = f->m.spec[i].row;
    if (f->Lambda[row] > 0.0 && f->m.gamma[row] > 0.0) {
      return 0;
    }
  }
  return 1;
}

typedef struct statement {
  int32_t law;
  int traits;
  int one_eps_n, one_eps; /* one ε_N for all; the same for ε_T too */
  applies *holds;
} statement;

/* Random impacts that obey the statement; returns how many it applied to. Every energy is also that of the
 * velocities. */
static int check_losses(const statement *t, int cases, int *solved)
{
  nsdyn_contact *s = new_solver(NULL);
  int applied = 0;
  *solved = 0;
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1 + k % 4, t->traits | (k & 8 ? IS_REDUNDANT : 0));
    const double eps = random_below(&r, 8) ? random_unit(&r) : 1.0;
    for (int i = 0; i < f.m.contacts; i++) {
      f.m.restitution[i].eps_n = t->one_eps_n ? eps : f.m.restitution[i].eps_n;
      f.m.restitution[i].eps_t = t->one_eps ? eps : f.m.restitution[i].eps_t;
    }
    if (strike(s, t->law, &f) != NSDYN_OK) {
      continue;
    }
    ++*solved;
    const double energy = s->impact.report.energy, size = energy_size(s, &f);
    const double kinetic = kinetic_change(&f.m, f.Lambda);
    REQUIRE(fabs(energy - kinetic) <= 1e-9 * size, "seed %d: %g, of the velocities %g", k, energy, kinetic);
    if (t->holds(&f)) {
      applied++;
      REQUIRE(energy <= 1e-9 * size, "seed %d: gains %g of %g", k, energy, size);
    }
  }
  nsdyn_contact_free(s);
  return applied;
}

/* And, slots aside, there always is a solution. */
START_TEST(newton_with_one_epsilon_never_gains)
{
  const int cases = random_cases(100000);
  statement t = {.law = NSDYN_IMPACT_NEWTON,
                 .traits = HAS_FRICTION | HAS_BILATERAL,
                 .one_eps_n = 1,
                 .one_eps = 1,
                 .holds = always};
  int solved;
  check_losses(&t, cases, &solved);
  ck_assert_int_eq(solved, cases);
  t.traits |= HAS_SLOTS;
  check_losses(&t, cases, &solved);
  ck_assert_msg(solved >= cases - cases / 1000, "%d of %d", solved, cases);
}
END_TEST

START_TEST(newton_without_friction_never_gains_where_pressed_contacts_approached)
{
  const int cases = random_cases(100000);
  const statement t = {
      .law = NSDYN_IMPACT_NEWTON, .traits = HAS_BILATERAL, .holds = approaches_where_it_presses};
  int solved;
  const int applied = check_losses(&t, cases, &solved);
  ck_assert_msg(applied > cases / 3 && solved > cases - cases / 20, "%d of %d, solved %d", applied, cases,
                solved);
}
END_TEST

START_TEST(poisson_without_friction_never_gains)
{
  const int cases = random_cases(100000);
  const statement t = {.law = NSDYN_IMPACT_POISSON, .traits = HAS_BILATERAL, .holds = always};
  int solved;
  check_losses(&t, cases, &solved);
  ck_assert_int_eq(solved, cases);
}
END_TEST

START_TEST(poisson_with_friction_and_one_epsilon_never_gains)
{
  const int cases = random_cases(100000);
  statement t = {
      .law = NSDYN_IMPACT_POISSON, .traits = HAS_FRICTION | HAS_BILATERAL, .one_eps_n = 1, .holds = always};
  int solved;
  check_losses(&t, cases, &solved);
  ck_assert_int_eq(solved, cases);
  t.traits |= HAS_SLOTS;
  check_losses(&t, cases, &solved);
  ck_assert_msg(solved >= cases - cases / 1000, "%d of %d", solved, cases);
}
END_TEST

/* The bound that the proof of contact/impact/expansion.h gives, sharper than none: −½ (1 − ε_N²) Λ_Cᵀ G Λ_C.
 */
START_TEST(poisson_loses_what_its_proof_says)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(20000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1 + k % 4, HAS_FRICTION | HAS_BILATERAL | HAS_GIVEN);
    const double eps = random_unit(&r);
    for (int i = 0; i < f.m.contacts; i++) {
      f.m.restitution[i].eps_n = eps;
    }
    REQUIRE(strike(s, NSDYN_IMPACT_POISSON, &f) == NSDYN_OK, "seed %d", k);
    const double *Lambda_C = s->impact.half[0].Lambda;
    double stiff[MOST_ROWS] = {0.0}, stored = 0.0;
    add_impulses(&f.m, Lambda_C, stiff);
    for (int i = 0; i < f.m.rows; i++) {
      stored += Lambda_C[i] * stiff[i];
    }
    const double bound = -0.5 * (1.0 - eps * eps) * stored;
    REQUIRE(s->impact.report.energy <= bound + 1e-9 * energy_size(s, &f), "seed %d: %g, bound %g", k,
            s->impact.report.energy, bound);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Where theory promises nothing, energy may be gained. Newton: a contact whose slide the impulse turns round,
 * G = [2, 1; 1, 2], μ = ¼, ε_N = 1, ε_T = 0, γ⁻ = (−1, −½) with the least kinetic energy, ¼. Λ_N = 8/7, γ_T⁺
 * = 1/14, and ΔT = ½ Λ_T (γ_T⁻ + γ_T⁺) = 3/49. */
START_TEST(newton_gains_where_friction_turns_a_slide_round)
{
  nsdyn_contact *s = new_solver(NULL);
  const double W[6] = {0.0, 1.0, 1.0, 1.0, 0.0, 1.0}, u[3] = {0.0, -0.5, -0.5};
  fixture f;
  set_rows(&f.m, 1, 0.25, 3, W, u);
  set_restitution(&f.m, 1.0, 0.0, 0.0);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_NEWTON, &f), NSDYN_OK);
  ck_assert(fabs(f.Lambda[0] - 8.0 / 7.0) <= 1e-15 && fabs(f.gamma[1] - 1.0 / 14.0) <= 1e-15);
  ck_assert(fabs(s->impact.report.energy - 3.0 / 49.0) <= 1e-15);
  ck_assert(fabs(kinetic_change(&f.m, f.Lambda) - 3.0 / 49.0) <= 1e-15);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK); /* one contact has one ε_N */
  ck_assert(s->impact.report.energy < 0.0);
  nsdyn_contact_free(s);
}
END_TEST

/* Poisson, several ε_N, friction: rare, but there. The kinetic energy of the velocities grows by over a
 * tenth. */
START_TEST(poisson_gains_with_several_epsilons)
{
  nsdyn_contact *s = new_solver(NULL);
  int k = 0;
  for (; k < 20000; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 2 + k % 3, HAS_FRICTION | HAS_BILATERAL | IS_REDUNDANT);
    ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
    if (kinetic_change(&f.m, f.Lambda) > 0.05 * row_product(&f.m, f.m.u, f.m.u)) {
      break;
    }
  }
  ck_assert_int_lt(k, 20000);
  nsdyn_contact_free(s);
}
END_TEST

/* ---- several contacts -------------------------------------------------------------------------------- */

/* Balls of one mass in a row, touching; the first hits the others with speed 1. */
static void make_cradle(mechanism *m, int balls, const double *eps)
{
  double W[4 * 5] = {0.0}, u[5] = {1.0};
  for (int i = 0; i + 1 < balls; i++) {
    W[i * balls + i] = -1.0;
    W[i * balls + i + 1] = 1.0;
  }
  set_rows(m, balls - 1, -1.0, balls, W, u);
  for (int i = 0; i + 1 < balls; i++) {
    m->restitution[i] = (nsd_restitution){.eps_n = eps[i]};
  }
}

static double ball_after(const fixture *f, int ball)
{
  const double left = ball > 0 ? f->Lambda[ball - 1] : 0.0;
  const double right = ball < f->m.contacts ? f->Lambda[ball] : 0.0;
  return f->m.u[ball] + left - right;
}

/* n balls end compression together at 1/n; with one ε the first keeps 1 − (1 + ε)(n − 1)/n and the others get
 * (1 + ε)/n, under both laws: neither gives the toy's answer. */
START_TEST(cradles_with_one_epsilon_agree)
{
  nsdyn_contact *s = new_solver(NULL);
  for (int balls = 3; balls <= 5; balls += 2) {
    for (int step = 0; step <= 4; step++) {
      const double e = 0.25 * step, eps[4] = {e, e, e, e};
      for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
        fixture f;
        make_cradle(&f.m, balls, eps);
        ck_assert_int_eq(strike(s, law, &f), NSDYN_OK);
        for (int i = 0; i < balls; i++) {
          const double v = i == 0 ? 1.0 - (1.0 + e) * (balls - 1.0) / balls : (1.0 + e) / balls;
          ck_assert(fabs(ball_after(&f, i) - v) <= 1e-14);
        }
      }
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* With ε of its own per contact: Newton's law sees only the one of the contact that approaches, Poisson's
 * all, γ_E = G L as long as that opens them all. */
START_TEST(cradles_with_several_epsilons_differ)
{
  nsdyn_contact *s = new_solver(NULL);
  fixture f;
  const double three[2] = {0.5, 1.0};
  make_cradle(&f.m, 3, three);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_NEWTON, &f), NSDYN_OK);
  ck_assert(fabs(ball_after(&f, 0)) <= 1e-15 && fabs(ball_after(&f, 1) - 0.5) <= 1e-15);
  ck_assert(fabs(ball_after(&f, 2) - 0.5) <= 1e-15);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
  ck_assert(fabs(ball_after(&f, 0)) <= 1e-15 && fabs(ball_after(&f, 1) - 1.0 / 3.0) <= 1e-15);
  ck_assert(fabs(ball_after(&f, 2) - 2.0 / 3.0) <= 1e-15);
  /* Λ_C = (4, 3, 2, 1)/5, L = (2, 2, 1.6, 0.9)/5, γ_E = G L = (2, 0.4, 0.3, 0.2)/5. */
  const double five[4] = {0.5, 2.0 / 3.0, 0.8, 0.9};
  const double gamma[4] = {0.4, 0.08, 0.06, 0.04};
  make_cradle(&f.m, 5, five);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
  for (int i = 0; i < 4; i++) {
    ck_assert_msg(fabs(f.gamma[i] - gamma[i]) <= 1e-14, "contact %d: %g", i, f.gamma[i]);
  }
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_NEWTON, &f), NSDYN_OK);
  for (int i = 0; i < 4; i++) {
    ck_assert(fabs(f.gamma[i] - (i == 0 ? 0.5 : 0.0)) <= 1e-14);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* A particle falls into a wedge, walls alike, tan α = n/c. Where tan α < μ it locks: Newton's law would have
 * it leave both walls with ε_N of its approach, along which friction lets nothing slide. */
static nsdyn_status fall_into_wedge(nsdyn_contact *s, int32_t law, fixture *f, double n, double c, double mu,
                                    double eps)
{
  const double W[8] = {c, n, -n, c, -c, n, n, c};
  const double u[2] = {0.0, -1.0};
  set_rows(&f->m, 2, mu, 2, W, u);
  set_restitution(&f->m, eps, 0.0, 0.0);
  return strike(s, law, f);
}

/* Whole numbers, so that the doubles of G are singular themselves: a proof is about them. A G that is
 * singular but for rounding may have solutions far out, and then the answer may be that it is not decided. */
START_TEST(newton_has_no_solution_in_a_wedge_that_locks)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    const double n = 1 + random_below(&r, 16), c = 1 + random_below(&r, 16),
                 eps = (1 + random_below(&r, 16)) / 16.0;
    const double mu = (1 + random_below(&r, 256)) / 64.0;
    if (n == mu * c) {
      continue;
    }
    const nsdyn_status expected = n < mu * c ? NSDYN_NO_SOLUTION : NSDYN_OK;
    const nsdyn_status status = fall_into_wedge(s, NSDYN_IMPACT_NEWTON, &f, n, c, mu, eps);
    REQUIRE(status == expected, "seed %d: tan %g/%g, mu %g, eps %g: status %d", k, n, c, mu, eps, status);
    if (status) {
      REQUIRE(s->impact.report.half == 0 && s->impact.report.residual > 0.0, "seed %d", k);
      REQUIRE(nsdyn_contact_message(s)[0] != '\0', "seed %d", k);
    }
    REQUIRE(fall_into_wedge(s, NSDYN_IMPACT_NEWTON, &f, n, c, mu, 0.0) == NSDYN_OK, "seed %d", k);
    REQUIRE(fall_into_wedge(s, NSDYN_IMPACT_POISSON, &f, n, c, mu, eps) == NSDYN_OK, "seed %d", k);
    REQUIRE(s->impact.report.energy <= 1e-12, "seed %d: %g", k, s->impact.report.energy);
    const double alpha = random_between(&r, 0.1, 1.4);
    const nsdyn_status other =
        fall_into_wedge(s, NSDYN_IMPACT_NEWTON, &f, sin(alpha), cos(alpha), tan(alpha) * 1.25, eps);
    REQUIRE(other == NSDYN_NO_SOLUTION || other == NSDYN_UNDECIDED, "seed %d: alpha %g: status %d", k, alpha,
            other);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Poisson: slots aside, everything is solvable, redundant or not, any friction, any restitution. */
START_TEST(poisson_always_has_a_solution)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(40000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1 + k % MOST_CONTACTS, HAS_FRICTION | HAS_BILATERAL | HAS_GIVEN | IS_REDUNDANT);
    const nsdyn_status status = strike(s, NSDYN_IMPACT_POISSON, &f);
    REQUIRE(status == NSDYN_OK, "seed %d: %d, %s", k, status, nsdyn_contact_message(s));
    REQUIRE(s->impact.report.residual <= 1e-9 * s->impact.report.scale, "seed %d", k);
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Impulses and velocities belong together, no contact approaches afterwards, bilateral rows and slots rest.
 */
START_TEST(velocities_after_are_those_of_the_impulses)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(10000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1 + k % MOST_CONTACTS, HAS_FRICTION | HAS_BILATERAL | HAS_SLOTS | HAS_GIVEN);
    const int32_t law = k & 1;
    if (strike(s, law, &f) != NSDYN_OK) {
      continue;
    }
    double gamma[MOST_ROWS];
    memcpy(gamma, f.m.gamma, sizeof gamma);
    add_impulses(&f.m, f.Lambda, gamma);
    const double speed = fmax(s->impact.half[0].scale, s->impact.half[1].scale);
    for (int i = 0; i < f.m.rows; i++) {
      REQUIRE(fabs(gamma[i] - f.gamma[i]) <= 1e-8 * speed, "seed %d, row %d: %g, %g", k, i, gamma[i],
              f.gamma[i]);
      REQUIRE(s->impact.half[0].Lambda[i] + s->impact.half[1].Lambda[i] == f.Lambda[i], "seed %d", k);
      REQUIRE(s->impact.half[1].gamma[i] == f.gamma[i], "seed %d", k);
    }
    for (int i = 0; i < f.m.contacts; i++) {
      const nsd_contact_spec *spec = &f.m.spec[i];
      if (spec->kind == NSDYN_CONTACT_BILATERAL) {
        REQUIRE(f.gamma[spec->row] == 0.0, "seed %d: slot %d opens", k, i);
      } else if (law == NSDYN_IMPACT_POISSON) {
        REQUIRE(f.gamma[spec->row] >= -1e-8 * speed, "seed %d: contact %d approaches", k, i);
      }
    }
    for (int i = f.m.rows - f.m.bilateral; i < f.m.rows; i++) {
      REQUIRE(f.gamma[i] == 0.0, "seed %d: bilateral row %d", k, i);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* ---- degenerate -------------------------------------------------------------------------------------- */

/* Velocities that a slot does not allow, as at the start of a motion, are taken away under both laws,
 * whatever ε_N. */
START_TEST(a_slot_that_moves_is_stopped)
{
  nsdyn_contact *s = new_solver(NULL);
  const double W[4] = {1.0, 0.5, 0.0, 1.0};
  for (int side = -1; side <= 1; side += 2) {
    const double u[2] = {side * 2.0, 0.0};
    fixture f;
    set_rows(&f.m, 1, 0.25, 2, W, u);
    f.m.spec[0].kind = NSDYN_CONTACT_BILATERAL;
    set_restitution(&f.m, 0.5, 0.0, 0.0);
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      ck_assert_int_eq(strike(s, law, &f), NSDYN_OK);
      ck_assert(f.gamma[0] == 0.0);
      double gamma[MOST_ROWS];
      memcpy(gamma, f.m.gamma, sizeof gamma);
      add_impulses(&f.m, f.Lambda, gamma);
      ck_assert(fabs(gamma[0]) <= 1e-14);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

START_TEST(nothing_moves_nothing_happens)
{
  nsdyn_contact *s = new_solver(NULL);
  for (int k = 0; k < 200; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f;
    make_mechanism(&f.m, &r, 1 + k % MOST_CONTACTS,
                   HAS_FRICTION | HAS_BILATERAL | HAS_SLOTS | (k & 1 ? IS_REDUNDANT : 0));
    memset(f.m.gamma, 0, sizeof f.m.gamma);
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      ck_assert_int_eq(strike(s, law, &f), NSDYN_OK);
      for (int i = 0; i < f.m.rows; i++) {
        REQUIRE(f.Lambda[i] == 0.0 && f.gamma[i] == 0.0, "seed %d, law %d, row %d", k, law, i);
      }
      ck_assert(s->impact.report.energy == 0.0);
    }
  }
  fixture none;
  memset(&none, 0, sizeof none);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &none), NSDYN_OK);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_NEWTON, &none), NSDYN_OK);
  ck_assert(s->impact.report.energy == 0.0 && s->impact.report.worst_row == -1);
  nsdyn_contact_free(s);
}
END_TEST

/* A contact that is there twice does what it does once. */
START_TEST(a_contact_counted_twice_is_one_contact)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture one, two;
    make_mechanism(&one.m, &r, 1, HAS_FRICTION);
    one.m.gamma[0] = -fabs(one.m.gamma[0]);
    two.m = one.m;
    two.m.contacts = 2;
    two.m.rows = 4;
    two.m.spec[1] = two.m.spec[0];
    two.m.spec[1].row = 2;
    two.m.restitution[1] = two.m.restitution[0];
    for (int i = 0; i < 4; i++) {
      two.m.gamma[i] = one.m.gamma[i % 2];
      for (int j = 0; j < 4; j++) {
        two.m.G[i * MOST_ROWS + j] = one.m.G[i % 2 * MOST_ROWS + j % 2];
      }
    }
    for (int32_t law = NSDYN_IMPACT_NEWTON; law <= NSDYN_IMPACT_POISSON; law++) {
      const nsdyn_status a = strike(s, law, &one), b = strike(s, law, &two);
      REQUIRE(a == NSDYN_OK && b == NSDYN_OK, "seed %d, law %d: %d, %d", k, law, a, b);
      const double speed = s->impact.half[0].scale;
      for (int i = 0; i < 4; i++) {
        REQUIRE(fabs(two.gamma[i] - one.gamma[i % 2]) <= 1e-8 * speed, "seed %d, law %d, row %d: %g, %g", k,
                law, i, two.gamma[i], one.gamma[i % 2]);
      }
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* A ball falls on a block that rests on the floor: compression presses both contacts alike, and what the
 * floor gives back (ε_B) reaches the ball where it is more than the ball's own (ε_A). */
START_TEST(a_neighbour_at_rest_takes_part)
{
  nsdyn_contact *s = new_solver(NULL);
  const double m = 2.0, M = 0.5, v = 3.0;
  /* velocities times √m: (ball, block); A: ball on block, B: block on floor. */
  const double W[4] = {1.0 / sqrt(m), -1.0 / sqrt(M), 0.0, 1.0 / sqrt(M)};
  const double u[2] = {-v * sqrt(m), 0.0};
  fixture f;
  set_rows(&f.m, 2, -1.0, 2, W, u);
  f.m.restitution[0] = (nsd_restitution){.eps_n = 0.75};
  f.m.restitution[1] = (nsd_restitution){.eps_n = 0.5};
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
  ck_assert(fabs(s->impact.half[0].Lambda[0] - m * v) <= 1e-14 * m * v);
  ck_assert(fabs(s->impact.half[0].Lambda[1] - m * v) <= 1e-14 * m * v);
  /* The block is held down by the ball's return: γ_B = 0, γ_A = ε_A v. */
  ck_assert(fabs(f.gamma[0] - 0.75 * v) <= 1e-14 * v && f.gamma[1] == 0.0);
  f.m.restitution[1].eps_n = 1.0;
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_POISSON, &f), NSDYN_OK);
  /* The floor returns a quarter more, and the block follows the ball: both impulses as stored, unless they
   * meet. */
  const double ball = 0.75 * v, block = 0.25 * m * v / M;
  ck_assert(block > ball); /* they meet, and go on together with all that the floor gave */
  const double together = m * v / (m + M);
  ck_assert(fabs(f.gamma[0]) <= 1e-14 * v && fabs(f.gamma[1] - together) <= 1e-14 * v);
  ck_assert_int_eq(strike(s, NSDYN_IMPACT_NEWTON, &f), NSDYN_OK);
  ck_assert(fabs(f.gamma[0] - 0.75 * v) <= 1e-14 * v && f.gamma[1] == 0.0);
  nsdyn_contact_free(s);
}
END_TEST

/* Toys and planets: other units of mass and speed change nothing but the numbers' size. Friction is small, so
 * that there is one solution. */
START_TEST(units_do_not_matter)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(5000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f, g;
    make_mechanism(&f.m, &r, 1 + k % 3, HAS_FRICTION | HAS_BILATERAL);
    const double mass = random_scale(&r, 100.0), speed = random_scale(&r, 50.0);
    for (int i = 0; i < f.m.contacts; i++) {
      f.m.spec[i].mu *= 0.1;
    }
    g.m = f.m;
    for (int i = 0; i < MOST_ROWS; i++) {
      for (int j = 0; j < MOST_ROWS; j++) {
        g.m.G[i * MOST_ROWS + j] /= mass;
      }
      g.m.gamma[i] *= speed;
    }
    const int32_t law = k & 1;
    const nsdyn_status a = strike(s, law, &f);
    const double scale = fmax(s->impact.half[0].scale, s->impact.half[1].scale);
    const nsdyn_status b = strike(s, law, &g);
    REQUIRE(a == b, "seed %d: %d, %d", k, a, b);
    for (int i = 0; a == NSDYN_OK && i < f.m.rows; i++) {
      REQUIRE(fabs(g.gamma[i] / speed - f.gamma[i]) <= 1e-7 * scale, "seed %d, row %d: %g, %g", k, i,
              g.gamma[i] / speed, f.gamma[i]);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

START_TEST(without_restitution_the_laws_are_one)
{
  nsdyn_contact *s = new_solver(NULL);
  const int cases = random_cases(2000);
  for (int k = 0; k < cases; k++) {
    random_state r = random_seed((uint64_t)k);
    fixture f, g;
    make_mechanism(&f.m, &r, 1 + k % MOST_CONTACTS, HAS_FRICTION | HAS_BILATERAL | HAS_GIVEN);
    set_restitution(&f.m, 0.0, 0.0, 1.0);
    g.m = f.m;
    REQUIRE(strike(s, NSDYN_IMPACT_NEWTON, &f) == NSDYN_OK, "seed %d", k);
    REQUIRE(strike(s, NSDYN_IMPACT_POISSON, &g) == NSDYN_OK, "seed %d", k);
    for (int i = 0; i < f.m.rows; i++) {
      REQUIRE(f.Lambda[i] == g.Lambda[i] && f.gamma[i] == g.gamma[i], "seed %d, row %d", k, i);
    }
  }
  nsdyn_contact_free(s);
}
END_TEST

/* Judged with no tolerance at all, the rounding of an expansion is a violation: its report says where and by
 * how much, in the half that has no answer. The compression is exact in these numbers. */
START_TEST(an_expansion_without_an_answer_says_so)
{
  nsdyn_contact_options options;
  nsdyn_contact_options_init(&options, sizeof options);
  options.tol = 0.0;
  nsdyn_contact *s = new_solver(&options);
  /* normal, tangential, bilateral; and without the last */
  static const double W[2][9] = {{1.0, 0.0, 5.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0},
                                 {1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0}};
  const double u[3] = {-2.0, 0.25, 0.0};
  int at_contact = 0, at_constraint = 0;
  for (int k = 0; k < 198; k++) {
    fixture f;
    set_rows(&f.m, 1, 0.25, 3, W[k % 2], u);
    if (k % 2 == 0) {
      memcpy(mechanism_row(&f.m, 2), W[0] + 6, 3 * sizeof **W);
      f.m.rows = 3;
      f.m.bilateral = 1;
      mechanism_assemble(&f.m);
    }
    const int percent = 1 + k / 2;
    set_restitution(&f.m, percent / 100.0, 0.7, 1.0);
    const nsdyn_status status = strike(s, NSDYN_IMPACT_POISSON, &f);
    if (status == NSDYN_OK) {
      continue;
    }
    ck_assert_int_eq(status, NSDYN_UNDECIDED);
    const nsdyn_impact_report *result = &s->impact.report;
    ck_assert(result->half == NSDYN_IMPACT_EXPANSION && result->residual > 0.0);
    ck_assert(result->residual <= 1e-12 * result->scale);
    nsdyn_detail detail = {.size = sizeof detail};
    ck_assert_int_eq(nsdyn_contact_detail(s, &detail), NSDYN_OK);
    ck_assert_int_eq(detail.index, 0);
    ck_assert_int_eq(detail.kind, result->worst_row == 2 ? NSDYN_DETAIL_CONSTRAINT : NSDYN_DETAIL_CONTACT);
    ck_assert_ptr_nonnull(strstr(nsdyn_contact_message(s), "expansion"));
    at_contact += detail.kind == NSDYN_DETAIL_CONTACT;
    at_constraint += detail.kind == NSDYN_DETAIL_CONSTRAINT;
  }
  ck_assert_msg(at_contact > 5 && at_constraint > 5, "%d and %d", at_contact, at_constraint);
  nsdyn_contact_free(s);
}
END_TEST

SUITE("contact/impact/impact", TEST(compression_ends_in_stick_slip_or_reversal),
      TEST(one_contact_that_sticks_leaves_with_its_restitution),
      TEST(a_super_ball_that_bounces_twice_has_its_spin_back), TEST(newton_with_one_epsilon_never_gains),
      TEST(newton_without_friction_never_gains_where_pressed_contacts_approached),
      TEST(poisson_without_friction_never_gains), TEST(poisson_with_friction_and_one_epsilon_never_gains),
      TEST(poisson_loses_what_its_proof_says), TEST(newton_gains_where_friction_turns_a_slide_round),
      TEST(poisson_gains_with_several_epsilons), TEST(cradles_with_one_epsilon_agree),
      TEST(cradles_with_several_epsilons_differ), TEST(newton_has_no_solution_in_a_wedge_that_locks),
      TEST(poisson_always_has_a_solution), TEST(velocities_after_are_those_of_the_impulses),
      TEST(a_slot_that_moves_is_stopped), TEST(nothing_moves_nothing_happens),
      TEST(a_contact_counted_twice_is_one_contact), TEST(a_neighbour_at_rest_takes_part),
      TEST(units_do_not_matter), TEST(without_restitution_the_laws_are_one),
      TEST(an_expansion_without_an_answer_says_so))
