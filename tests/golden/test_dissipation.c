/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The event driver on thousands of small random systems: it comes to the end, nothing penetrates, impulses
 * obey friction, and energy does not grow where theory forbids it. Masses are constant, springs and dampers
 * linear, surfaces at rest; gaps are linear or quadratic, contacts as many as the system can have, or more.
 */
#include "event_models.h"
#include "support/model.h"

#define T_END 5.0

/* Which impacts cannot gain energy. */
enum provable { NEWTON_INELASTIC, POISSON_FRICTIONLESS, POISSON_EQUAL, PROVABLE };

typedef struct machine {
  model m;
  enum provable kind;
  double energy, size, gained, at; /* at the last look; the largest there was; the most gained, and when */
  int looks;
} machine;

static double energy_of(const machine *p, const double *q, const double *u, double *size)
{
  const model *m = &p->m;
  double E = 0.0;
  *size = 0.0;
  for (int i = 0; i < m->nu; i++) {
    E -= m->f[i] * q[i];
    *size += fabs(m->f[i] * q[i]);
    for (int j = 0; j < m->nu; j++) {
      const double kinetic = 0.5 * u[i] * m->M0[i * m->nu + j] * u[j];
      const double elastic = 0.5 * q[i] * m->K[i * m->nu + j] * q[j];
      E += kinetic + elastic;
      *size += fabs(kinetic) + fabs(elastic);
    }
  }
  return E;
}

static void look(machine *p, double t, const double *q, const double *u)
{
  double size;
  const double E = energy_of(p, q, u, &size);
  p->size = fmax(p->size, size);
  if (p->looks++ > 0 && E - p->energy > p->gained) {
    p->gained = E - p->energy;
    p->at = t;
  }
  p->energy = E;
}

static int on_output(void *user, double t, const double *q, const double *u)
{
  look(user, t, q, u);
  return 0;
}

static int on_event(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  look(user, event->t, nsdyn_event_driver_q(driver), nsdyn_event_driver_u(driver));
  return 0;
}

/* t := t − n (n·M⁻¹t) / (n·M⁻¹n): pressing does not push sideways, as with a body that is not wedged in. */
static void set_upright(const model *m, model_contact *c)
{
  double A[MODEL_MOST][MODEL_MOST + 2], nn = 0.0, nt = 0.0;
  const int n = m->nu;
  for (int i = 0; i < n; i++) {
    memcpy(A[i], m->M0 + i * n, (size_t)n * sizeof(double));
    A[i][n] = c->n[i];
    A[i][n + 1] = c->tangent[i];
  }
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < n; i++) {
      const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
      for (int j = k; j < n + 2; j++) {
        A[i][j] -= factor * A[k][j];
      }
    }
  }
  for (int i = 0; i < n; i++) {
    nn += c->n[i] * A[i][n] / A[i][i];
    nt += c->n[i] * A[i][n + 1] / A[i][i];
  }
  for (int i = 0; i < n; i++) {
    c->tangent[i] -= nt / nn * c->n[i];
  }
}

static void make_law(random_state *r, enum provable kind, double eps, nsdyn_contact_law *law)
{
  law->eps_n = kind == NEWTON_INELASTIC ? 0.0 : kind == POISSON_EQUAL ? eps : random_unit(r);
  if (kind == POISSON_FRICTIONLESS) {
    law->mu = 0.0;
    law->friction = random_below(r, 2) ? NSDYN_FRICTION_NONE : NSDYN_FRICTION_COULOMB;
    return;
  }
  switch (random_below(r, 4)) {
  case 0:
    law->friction = NSDYN_FRICTION_STATIC;
    law->mu_static = 1.5 * law->mu;
    break;
  case 1:
    law->friction = NSDYN_FRICTION_CURVE;
    break;
  default:
    break;
  }
}

static void make_machine(random_state *r, machine *p)
{
  const int nu = 1 + random_below(r, 4), contacts = 1 + random_below(r, 4);
  memset(p, 0, sizeof *p);
  model *m = &p->m;
  model_random(m, r, nu, contacts, 0, 0);
  memset(m->M1, 0, sizeof m->M1);
  if (random_below(r, 3) == 0) {
    memset(m->D, 0, sizeof m->D);
  }
  if (random_below(r, 3) == 0) {
    memset(m->K, 0, sizeof m->K);
  }
  p->kind = (enum provable)random_below(r, PROVABLE);
  const double eps = random_unit(r);
  for (int i = 0; i < contacts; i++) {
    model_contact *c = &m->contact[i];
    c->rate = c->belt = 0.0;
    c->g0 = random_below(r, 2) ? 0.0 : fabs(c->g0);
    make_law(r, p->kind, eps, &c->law);
    if (nu == 1) {
      c->law.friction = NSDYN_FRICTION_NONE;
    } else if (random_below(r, 2)) {
      c->bend = 0.0;
      set_upright(m, c);
    } else if (random_below(r, 2)) {
      c->bend = 0.0;
    }
  }
}

static driven drive(random_state *r, machine *p)
{
  driven s = {0};
  double q[MODEL_MOST] = {0.0}, u[MODEL_MOST];
  for (int i = 0; i < p->m.nu; i++) {
    u[i] = random_below(r, 4) ? random_normal(r) : 0.0;
  }
  ck_assert_int_eq(model_system(&p->m, NULL, 0, 0, &s.sys), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_options_init(&s.options, sizeof s.options), NSDYN_OK);
  s.options.impact = p->kind == NEWTON_INELASTIC ? NSDYN_IMPACT_NEWTON : NSDYN_IMPACT_POISSON;
  s.options.ambiguous = random_below(r, 2) ? NSDYN_AMBIGUITY_STICK : NSDYN_AMBIGUITY_OPEN;
  s.options.output = on_output;
  s.options.output_dt = 0.01;
  s.options.observe = on_event;
  s.options.user = p;
  s.options.max_steps = 4000;
  scene_drive(&s, 0.0, q, u);
  return s;
}

static void check_log(const driven *s, const machine *p, int seed)
{
  nsdyn_event before = {.t = 0.0};
  for (int i = 0; i < events_of(s); i++) {
    const nsdyn_event event = event_of(s, i);
    REQUIRE(event.t >= before.t || event.kind == NSDYN_EVENT_ZENO || before.kind == NSDYN_EVENT_ZENO,
            "seed %d: record %d at %g after %g", seed, i, event.t, before.t);
    REQUIRE(event.group >= before.group, "seed %d: record %d", seed, i);
    before = event;
    if (event.contact >= 0) {
      const nsdyn_contact_law *law = &p->m.contact[event.contact].law;
      const double mu = law->friction == NSDYN_FRICTION_CURVE    ? 0.6
                        : law->friction == NSDYN_FRICTION_STATIC ? law->mu_static
                                                                 : law->mu;
      REQUIRE(event.impulse[0] >= 0.0, "seed %d: impulse %g", seed, event.impulse[0]);
      REQUIRE(fabs(event.impulse[1]) <= mu * event.impulse[0] * (1.0 + 1e-9), "seed %d: friction %g of %g",
              seed, event.impulse[1], event.impulse[0]);
    }
  }
}

START_TEST(random_systems_come_to_their_end_and_gain_nothing)
{
  const int cases = random_cases(4000);
  int64_t impacts = 0;
  int jams = 0, slips = 0, sticks = 0, zenos = 0, long_ones = 0;
  for (int k = 0; k < cases; k++) {
    static machine p;
    random_state r = random_seed((uint64_t)k);
    make_machine(&r, &p);
    driven s = drive(&r, &p);
    const nsdyn_status status = nsdyn_event_driver_advance(s.driver, T_END);
    const nsdyn_event_report report = report_of(&s);
    /* Contacts that bounce between each other nearly for ever have the right to. */
    const int is_long = status == NSDYN_MAX_ITERATIONS && report.steps >= 4000;
    REQUIRE(status == NSDYN_OK || is_long, "seed %d: %s at t = %g", k, nsdyn_event_driver_message(s.driver),
            nsdyn_event_driver_time(s.driver));
    REQUIRE(p.gained <= 1e-8 * p.size + 1e-15, "seed %d, kind %d: %g of %g gained at t = %g", k, (int)p.kind,
            p.gained, p.size, p.at);
    for (int i = 0; i < p.m.known; i++) {
      const double g = model_gap(&p.m.contact[i], p.m.nu, T_END, nsdyn_event_driver_q(s.driver));
      REQUIRE(g >= -1e-9, "seed %d, contact %d: %g deep", k, i, -g);
    }
    check_log(&s, &p, k);
    impacts += report.impacts;
    jams += count_kind(&s, NSDYN_EVENT_PAINLEVE);
    slips += count_kind(&s, NSDYN_EVENT_SLIP);
    sticks += count_kind(&s, NSDYN_EVENT_STICK);
    zenos += count_kind(&s, NSDYN_EVENT_ZENO);
    long_ones += is_long;
    scene_end(&s);
  }
  ck_assert(impacts >= 4 * cases); /* and something happened */
  ck_assert_int_ge(slips, cases / 100);
  ck_assert_int_ge(sticks, cases / 20);
  ck_assert_int_ge(zenos, cases / 10);
  ck_assert_int_ge(jams, cases / 4000);
  ck_assert_int_le(long_ones, cases / 100);
}
END_TEST

SUITE("dissipation", TEST(random_systems_come_to_their_end_and_gain_nothing))
