/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* system/check/closing: what both integrators ask of a contact that closes for the first time, and refuse. */
#include "nsdyn/event.h"
#include "stepping.h"

/* What a user gets wrong. */
enum wrong { RIGHT, LINEARIZED, SIGN, SWAPPED, HALF, THIRD, LONG_GAP, WRONGS };

/* A body at rest on a curved surface, which presses on it, in any coordinates. */
typedef struct ground {
  nsdyn_system_def right;
  model m;
  enum wrong wrong;
  double q[MODEL_MOST], u[MODEL_MOST];
} ground;

static int wrong_gap(void *user, double t, const double *q, double *g)
{
  ground *p = user;
  const int code = p->right.gap(&p->m, t, q, g);
  g[0] *= p->wrong == LONG_GAP ? 2.0 : 1.0;
  return code;
}

static int wrong_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  static const double factor[] = {[RIGHT] = 1.0, [LINEARIZED] = 1.15, [SIGN] = -1.0,   [SWAPPED] = 1.0,
                                  [HALF] = 0.5,  [THIRD] = 1.0 / 3.0, [LONG_GAP] = 1.0};
  ground *p = user;
  const int nu = p->m.nu, code = p->right.direction(&p->m, t, q, i, W, w_hat);
  for (int j = 0; j < nu; j++) {
    const double normal = factor[p->wrong] * W[j];
    W[j] = p->wrong == SWAPPED ? W[nu + j] : normal;
    W[nu + j] = p->wrong == SWAPPED ? normal : W[nu + j];
  }
  return code;
}

static int configure_right(void *user, double t, const double *q)
{
  ground *p = user;
  return p->right.configure(&p->m, t, q);
}

static int mass_right(void *user, double t, const double *q, double *M)
{
  ground *p = user;
  return p->right.mass(&p->m, t, q, M);
}

static int force_right(void *user, double t, const double *q, const double *u, double *h)
{
  ground *p = user;
  return p->right.force(&p->m, t, q, u, h);
}

static int kinematics_right(void *user, double t, const double *q, const double *u, double *qdot)
{
  ground *p = user;
  return p->right.kinematics(&p->m, t, q, u, qdot);
}

static int retract_right(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  ground *p = user;
  return p->right.retract(&p->m, t, q, u, dt, q_new);
}

/* Two to five velocities; lengths are called by `unit`. */
static nsdyn_system_def draw(ground *p, random_state *r, double unit)
{
  const int nu = 2 + random_below(r, 4), extra = random_below(r, 4) * MODEL_MOVES;
  model *m = &p->m;
  model_random(m, r, nu, 1, 0, 0);
  model_contact *c = &m->contact[0];
  double x = 0.0, size = 0.0, along = 0.0;
  for (int j = 0; j < nu; j++) {
    p->q[j] = unit * random_between(r, -1.0, 1.0);
    p->u[j] = m->s[j] = 0.0;
    x += c->n[j] * p->q[j];
    size += c->n[j] * c->n[j];
    along += c->n[j] * c->tangent[j];
  }
  for (int j = 0; j < nu; j++) { /* at right angles: rows that are nearly the same can be exchanged */
    c->tangent[j] -= along / size * c->n[j];
  }
  c->rate = c->belt = 0.0;
  c->bend = random_between(r, -0.2, 0.2) / (unit * (1.0 + sqrt(size)));
  c->g0 = -(x + 0.5 * c->bend * x * x);
  for (int j = 0; j < nu * nu; j++) {
    m->K[j] = m->D[j] = 0.0;
  }
  for (int j = 0; j < nu; j++) {
    m->f[j] = -10.0 * unit * c->n[j];
  }
  p->right = model_def(m, 0, extra);
  nsdyn_system_def def = p->right;
  def.user = p;
  def.configure = def.configure ? configure_right : NULL;
  def.mass = mass_right;
  def.force = force_right;
  def.gap = wrong_gap;
  def.direction = wrong_direction;
  def.kinematics = def.kinematics ? kinematics_right : NULL;
  def.retract = def.retract ? retract_right : NULL;
  return def;
}

static nsdyn_contact_law rough(void)
{
  nsdyn_contact_law law;
  ck_assert_int_eq(nsdyn_contact_law_init(&law, sizeof law), NSDYN_OK);
  law.mu = 0.3;
  return law;
}

static nsdyn_stepper_options options_of_a_user(void)
{
  nsdyn_stepper_options options;
  ck_assert_int_eq(nsdyn_stepper_options_init(&options, sizeof options), NSDYN_OK);
  options.check = 0;
  options.dt = 1e-3;
  return options;
}

static nsdyn_event_driver *driver_for(const nsdyn_system_def *def, const nsdyn_contact_law *law)
{
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *d = NULL;
  nsdyn_event_driver_options options;
  ck_assert_int_eq(nsdyn_event_driver_options_init(&options, sizeof options), NSDYN_OK);
  options.check = 0;
  ck_assert_int_eq(nsdyn_system_new(NULL, def, &sys, NULL), NSDYN_OK);
  ck_assert_int_eq(nsdyn_system_set_contact(sys, 0, law), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_new(NULL, sys, &options, &d, NULL), NSDYN_OK);
  nsdyn_system_free(sys);
  return d;
}

static void must_be(int seed, enum wrong wrong, nsdyn_status status, const char *message)
{
  if (wrong <= LINEARIZED) {
    REQUIRE(status == NSDYN_OK, "seed %d, wrong %d: %s %s", seed, wrong, nsdyn_status_name(status), message);
    return;
  }
  REQUIRE(status == NSDYN_ERR_INCONSISTENT && strstr(message, "contact 0 does not follow its directions") &&
              strstr(message, "nsdyn_system_check()"),
          "seed %d, wrong %d: %s %s", seed, wrong, nsdyn_status_name(status), message);
}

/* Nothing moves, so that no gap ever changes; and what is refused once is refused again, the state unchanged.
 */
START_TEST(a_contact_that_closes_is_asked_whether_it_follows_its_direction)
{
  static const double times[] = {0.0, 1e6}, units[] = {1.0, 1e-6, 1e3};
  const int cases = random_cases(700);
  const nsdyn_contact_law law = rough();
  const nsdyn_stepper_options options = options_of_a_user();
  for (int seed = 0; seed < cases; seed++) {
    random_state r = random_seed((uint64_t)seed);
    ground p = {.wrong = (enum wrong)(seed % WRONGS)};
    const double t = times[seed / WRONGS % 2];
    const nsdyn_system_def def = draw(&p, &r, units[seed / WRONGS % 3]);
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    nsdyn_event_driver *d = driver_for(&def, &law);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, t, p.q, p.u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(d, t, p.q, p.u), NSDYN_OK);
    for (int again = 0; again < 2; again++) {
      must_be(seed, p.wrong, nsdyn_stepper_advance(s, t + 0.01), nsdyn_stepper_message(s));
      must_be(seed, p.wrong, nsdyn_event_driver_advance(d, t + 0.01), nsdyn_event_driver_message(d));
    }
    REQUIRE(p.wrong <= LINEARIZED || (nsdyn_stepper_time(s) == t && nsdyn_event_driver_time(d) == t),
            "seed %d: at %g", seed, nsdyn_stepper_time(s));
    nsdyn_stepper_free(s);
    nsdyn_event_driver_free(d);
  }
}
END_TEST

/* A rotor with a brake, a slot without a normal direction: its gap is zero. The shoe's lever is r cos φ. */
typedef struct rotor {
  double r;
  int is_pin; /* the slot holds the shoe's height at φ = 1 instead */
} rotor;

static int rotor_mass(void *user, double t, const double *q, double *M)
{
  (void)user, (void)t, (void)q;
  M[0] = 1.0;
  return 0;
}

static int rotor_force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)user, (void)t, (void)q, (void)u;
  h[0] = 1.0;
  return 0;
}

static int rotor_gap(void *user, double t, const double *q, double *g)
{
  const rotor *p = user;
  (void)t;
  g[0] = p->is_pin ? p->r * (cos(1.0) - cos(q[0])) : 0.0;
  return 0;
}

static int rotor_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const rotor *p = user;
  (void)t, (void)i;
  W[p->is_pin ? 0 : 1] = p->r * sin(q[0]);
  w_hat[0] = 0.0;
  return 0;
}

/* At the dead centre φ = 0 of a lever all its rows are zero, and it is no fault; where there is none, it is.
 */
START_TEST(a_slot_without_any_direction_is_refused_but_at_dead_centres)
{
  const nsdyn_stepper_options options = options_of_a_user();
  nsdyn_contact_law law = rough();
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = NSDYN_FRICTION_BOUND;
  law.bound = 0.1;
  for (int k = 0; k < 4; k++) {
    rotor p = {.r = k < 2 ? 0.5 : 0.0};
    nsdyn_system_def def;
    ck_assert_int_eq(nsdyn_system_def_init(&def, sizeof def), NSDYN_OK);
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &p;
    def.mass = rotor_mass;
    def.force = rotor_force;
    def.gap = rotor_gap;
    def.direction = rotor_direction;
    const double q[1] = {k % 2 ? 1.0 : 0.0}, u[1] = {k % 2 ? 1.0 : 0.0};
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    nsdyn_event_driver *d = driver_for(&def, &law);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, q, u), NSDYN_OK);
    const nsdyn_status wanted = k < 2 ? NSDYN_OK : NSDYN_ERR_INCONSISTENT;
    const nsdyn_status by_steps = nsdyn_stepper_advance(s, 0.1),
                       by_events = nsdyn_event_driver_advance(d, 0.1);
    ck_assert_msg(by_steps == wanted, "%d: %s", k, nsdyn_stepper_message(s));
    ck_assert_msg(by_events == wanted, "%d: %s", k, nsdyn_event_driver_message(d));
    if (wanted) {
      ck_assert_ptr_nonnull(strstr(nsdyn_stepper_message(s), "contact 0 is closed, and has no effect"));
      ck_assert_ptr_nonnull(strstr(nsdyn_event_driver_message(d), "contact 0 is closed, and has no effect"));
    }
    nsdyn_stepper_free(s);
    nsdyn_event_driver_free(d);
  }
}
END_TEST

/* A slot is closed all along and does not collide, so that it cannot begin with γ_N ≠ 0: refused, made
 * consistent on request, and taken where any state is. */
START_TEST(a_slot_that_begins_with_a_velocity_is_refused)
{
  nsdyn_contact_law law = rough();
  law.kind = NSDYN_CONTACT_BILATERAL;
  law.friction = NSDYN_FRICTION_NONE;
  for (int k = 0; k < 3; k++) {
    rotor p = {.r = 0.5, .is_pin = 1};
    nsdyn_system_def def;
    ck_assert_int_eq(nsdyn_system_def_init(&def, sizeof def), NSDYN_OK);
    def.nq = def.nu = def.ncontacts = 1;
    def.user = &p;
    def.mass = rotor_mass;
    def.gap = rotor_gap;
    def.direction = rotor_direction;
    const double q[1] = {1.0}, u[1] = {2.0};
    nsdyn_stepper_options options = options_of_a_user();
    options.start_tol = k == 2 ? (double)INFINITY : options.start_tol;
    nsdyn_stepper *s = stepper_for(&def, &law, &options);
    nsdyn_event_driver *d = driver_for(&def, &law);
    nsdyn_event_driver_options wide;
    ck_assert_int_eq(nsdyn_event_driver_options_init(&wide, sizeof wide), NSDYN_OK);
    wide.check = 0;
    wide.start_tol = options.start_tol;
    ck_assert_int_eq(nsdyn_event_driver_set_options(d, &wide), NSDYN_OK);
    ck_assert_int_eq(nsdyn_stepper_set_state(s, 0.0, q, u), NSDYN_OK);
    ck_assert_int_eq(nsdyn_event_driver_set_state(d, 0.0, q, u), NSDYN_OK);
    if (k == 1) {
      ck_assert_int_eq(nsdyn_stepper_consistent(s, NULL), NSDYN_OK);
      ck_assert_int_eq(nsdyn_event_driver_consistent(d, NULL), NSDYN_OK);
    }
    const nsdyn_status wanted = k ? NSDYN_OK : NSDYN_ERR_INCONSISTENT, by_steps = nsdyn_stepper_step(s, 1e-3),
                       by_events = nsdyn_event_driver_advance(d, 1e-3);
    ck_assert_msg(by_steps == wanted, "%d: %s", k, nsdyn_stepper_message(s));
    ck_assert_msg(by_events == wanted, "%d: %s", k, nsdyn_event_driver_message(d));
    ck_assert(wanted || fabs(nsdyn_event_driver_u(d)[0]) + fabs(nsdyn_stepper_u(s)[0]) <= 1e-9);
    ck_assert(!wanted ||
              strstr(nsdyn_stepper_message(s), "contact 0 is a slot, and starts with W u + w_hat ="));
    ck_assert(!wanted ||
              strstr(nsdyn_event_driver_message(d), "contact 0 is a slot, and begins with a velocity of"));
    nsdyn_stepper_free(s);
    nsdyn_event_driver_free(d);
  }
}
END_TEST

SUITE("system/check/closing", TEST(a_contact_that_closes_is_asked_whether_it_follows_its_direction),
      TEST(a_slot_without_any_direction_is_refused_but_at_dead_centres),
      TEST(a_slot_that_begins_with_a_velocity_is_refused))
