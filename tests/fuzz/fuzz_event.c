/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* An event driver on any small linear system, with any options and state: it comes back with a status that
 * its header knows, and never leaves a number that is none. Numbers are those of bytes, or of eight: any
 * double. */
#include <math.h>

#include "nsdyn/event.h"
#include "target.h"

enum { MOST = 3, CONTACTS = 3, STEPS = 60 };

typedef struct machine {
  int nu, contacts, constraints;
  double M[MOST * MOST], K[MOST * MOST], D[MOST * MOST], f[MOST];
  double g0[CONTACTS], bend[CONTACTS], rate[CONTACTS], belt[CONTACTS];
  double n[CONTACTS][MOST], tangent[CONTACTS][MOST], held[MOST];
  int bad;       /* a callback that fails now and then: its number, 0: none */
  int64_t calls; /* of all callbacks */
} machine;

/* A number of moderate size; seldom any at all. */
static double read_number(reader *from)
{
  uint8_t byte;
  read_bytes(from, &byte, 1);
  return byte == 255 ? read_double(from) : (double)(byte - 127) / 32.0;
}

static double dot(int n, const double *a, const double *b)
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static int answer(machine *p, int callback)
{
  p->calls++;
  return p->bad == callback && p->calls % 97 == 0 ? (p->calls % 2 ? 1 : -1) : 0;
}

static int mass(void *user, double t, const double *q, double *M)
{
  machine *p = user;
  (void)t, (void)q;
  memcpy(M, p->M, (size_t)(p->nu * p->nu) * sizeof *M);
  return answer(p, 1);
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  machine *p = user;
  (void)t;
  for (int i = 0; i < p->nu; i++) {
    h[i] = p->f[i] - dot(p->nu, p->K + i * p->nu, q) - dot(p->nu, p->D + i * p->nu, u);
  }
  return answer(p, 2);
}

static int gap(void *user, double t, const double *q, double *g)
{
  machine *p = user;
  for (int i = 0; i < p->contacts; i++) {
    const double x = dot(p->nu, p->n[i], q);
    g[i] = p->g0[i] + x + 0.5 * p->bend[i] * x * x + p->rate[i] * t;
  }
  return answer(p, 3);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  machine *p = user;
  const double factor = 1.0 + p->bend[i] * dot(p->nu, p->n[i], q);
  (void)t;
  for (int j = 0; j < p->nu; j++) {
    W[j] = factor * p->n[i][j];
    W[p->nu + j] = p->tangent[i][j];
  }
  w_hat[0] = p->rate[i];
  w_hat[1] = p->belt[i];
  return answer(p, 4);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  machine *p = user;
  (void)t;
  g_b[0] = dot(p->nu, p->held, q);
  memcpy(W_b, p->held, (size_t)p->nu * sizeof *W_b);
  w_hat_b[0] = 0.0;
  return answer(p, 5);
}

/* M = B Bᵀ + 1, so that most are definite. */
static void read_machine(reader *from, machine *p)
{
  double B[MOST * MOST];
  memset(p, 0, sizeof *p);
  p->nu = 1 + read_below(from, MOST);
  p->contacts = read_below(from, CONTACTS + 1);
  p->constraints = read_below(from, 8) == 0;
  p->bad = read_below(from, 32);
  for (int i = 0; i < p->nu * p->nu; i++) {
    B[i] = read_number(from);
    p->K[i] = read_number(from);
    p->D[i] = read_number(from);
  }
  for (int i = 0; i < p->nu; i++) {
    p->f[i] = read_number(from);
    p->held[i] = read_number(from);
    for (int j = 0; j < p->nu; j++) {
      p->M[i * p->nu + j] = dot(p->nu, B + i * p->nu, B + j * p->nu) + (i == j ? 1.0 : 0.0);
    }
  }
  for (int i = 0; i < p->contacts; i++) {
    const int moves = read_below(from, 4) == 0, bends = read_below(from, 2);
    p->g0[i] = read_below(from, 2) ? 0.0 : read_number(from);
    p->rate[i] = moves ? read_number(from) : 0.0;
    p->belt[i] = moves ? read_number(from) : 0.0;
    p->bend[i] = bends ? read_number(from) : 0.0;
    for (int j = 0; j < p->nu; j++) {
      p->n[i][j] = read_number(from);
      p->tangent[i][j] = read_number(from);
    }
  }
}

static nsdyn_contact_law read_law(reader *from)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.kind = read_below(from, 8) == 0 ? NSDYN_CONTACT_BILATERAL : NSDYN_CONTACT_UNILATERAL;
  const int32_t kinds[] = {NSDYN_FRICTION_COULOMB, NSDYN_FRICTION_COULOMB, NSDYN_FRICTION_NONE,
                           NSDYN_FRICTION_STATIC, NSDYN_FRICTION_BOUND};
  law.friction = kinds[read_below(from, 5)];
  law.mu = fabs(read_number(from));
  law.mu_static = 1.25 * law.mu;
  law.bound = fabs(read_number(from));
  law.eps_n = (double)read_below(from, 5) / 4.0;
  law.eps_t = (double)read_below(from, 5) / 4.0;
  law.reversal = (double)read_below(from, 3) / 2.0;
  return law;
}

static nsdyn_event_driver_options read_options(reader *from)
{
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.impact = read_below(from, 2);
  options.inelastic = read_below(from, 2);
  options.ambiguous = read_below(from, 3);
  options.keep_events = read_below(from, 16);
  options.max_steps = STEPS;
  options.tol = read_below(from, 2) ? 1e-9 : pow(10.0, -2 - read_below(from, 12));
  options.gap_tol = read_below(from, 8) ? -1.0 : fabs(read_number(from));
  return options;
}

static int is_known(nsdyn_status status)
{
  switch (status) {
  case NSDYN_OK:
  case NSDYN_STOPPED:
  case NSDYN_NO_SOLUTION:
  case NSDYN_UNDECIDED:
  case NSDYN_MAX_ITERATIONS:
  case NSDYN_ERR_ARGUMENT:
  case NSDYN_ERR_NOT_FINITE:
  case NSDYN_ERR_NOT_DEFINITE:
  case NSDYN_ERR_INCONSISTENT:
  case NSDYN_ERR_CALLBACK:
  case NSDYN_ERR_CALLBACK_RETRY:
    return 1;
  default:
    return 0;
  }
}

/* The state is one to go on from, and the log is in order. */
static void check(const nsdyn_event_driver *d, const machine *p, double t_end)
{
  nsdyn_event event = {.size = sizeof event}, before = {.size = sizeof before, .t = -INFINITY};
  REQUIRE(isfinite(nsdyn_event_driver_time(d)) && nsdyn_event_driver_time(d) <= t_end);
  for (int j = 0; j < p->nu; j++) {
    REQUIRE(isfinite(nsdyn_event_driver_q(d)[j]) && isfinite(nsdyn_event_driver_u(d)[j]));
  }
  for (int64_t k = 0; k < nsdyn_event_driver_events(d); k++) {
    REQUIRE(nsdyn_event_driver_event(d, k, &event) == NSDYN_OK);
    REQUIRE(isfinite(event.t) && isfinite(event.t_bound) && isfinite(event.gap) &&
            event.group >= before.group);
    REQUIRE(event.kind >= NSDYN_EVENT_IMPACT && event.kind <= NSDYN_EVENT_HANDOVER);
    for (int r = 0; r < 2; r++) {
      REQUIRE(isfinite(event.before[r]) && isfinite(event.after[r]) && isfinite(event.impulse[r]));
    }
    before = event;
  }
}

static void run(nsdyn_system *sys, reader *from, machine *p)
{
  const nsdyn_event_driver_options options = read_options(from);
  nsdyn_event_driver *d = NULL;
  double q[MOST], u[MOST], t_end = 0.0;
  if (nsdyn_event_driver_new(NULL, sys, &options, &d, NULL)) {
    return;
  }
  for (int j = 0; j < p->nu; j++) {
    q[j] = read_below(from, 2) ? 0.0 : read_number(from);
    u[j] = read_number(from);
  }
  const nsdyn_status set = nsdyn_event_driver_set_state(d, 0.0, q, u);
  REQUIRE(set == NSDYN_OK || set == NSDYN_ERR_NOT_FINITE);
  for (int k = 0; k < 3 && set == NSDYN_OK; k++) {
    t_end += 0.25 + fabs((double)read_below(from, 64)) / 8.0;
    p->calls = 0;
    const nsdyn_status status = nsdyn_event_driver_advance(d, t_end);
    REQUIRE(is_known(status));
    REQUIRE(p->calls < 4000000); /* no loop without a step */
    REQUIRE(status != NSDYN_OK || nsdyn_event_driver_time(d) == t_end);
    check(d, p, t_end);
  }
  nsdyn_event_driver_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  reader from = {data, size};
  nsdyn_system_def def;
  nsdyn_system *sys = NULL;
  machine p;
  read_machine(&from, &p);
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = p.nu;
  def.ncontacts = p.contacts;
  def.nconstraints = p.constraints;
  def.user = &p;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  def.constraint = p.constraints ? constraint : NULL;
  if (nsdyn_system_new(NULL, &def, &sys, NULL)) {
    return 0;
  }
  int accepted = 1;
  for (int i = 0; i < p.contacts; i++) {
    const nsdyn_contact_law law = read_law(&from);
    accepted = accepted && nsdyn_system_set_contact(sys, i, &law) == NSDYN_OK;
  }
  if (accepted) {
    run(sys, &from, &p);
  }
  nsdyn_system_free(sys);
  return 0;
}
