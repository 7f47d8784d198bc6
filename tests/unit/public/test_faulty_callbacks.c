/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Callbacks that answer once with what is no number, or with one beyond all sense: the call fails, or its
 * motion is that of callbacks without fault; and so is that of the next call. */
#include "event_models.h"

enum faulty { MASS, SOLVE_MASS, FORCE, GAP, DIRECTION, KINEMATICS, CONSTRAINT, BIAS, FAULTY };

/* A point (x, y) of mass 1 that falls on a floor with friction, pulled by a spring; z = x is a third
 * coordinate, tied by a constraint, with a mass of its own. The answer of call `at` of one callback is wrong.
 */
typedef struct faults {
  int which; /* faulty; −1: none */
  int64_t at, calls[FAULTY];
  double wrong;
} faults;

static int is_wrong(faults *p, int which)
{
  return ++p->calls[which] == p->at && which == p->which;
}

static int faulty_mass(void *user, double t, const double *q, double *M)
{
  faults *p = user;
  (void)t, (void)q;
  M[0] = M[4] = 1.0;
  M[8] = is_wrong(p, MASS) ? p->wrong : 0.5 + 0.1 * q[0] * q[0];
  return 0;
}

static int faulty_solve_mass(void *user, double t, const double *q, int32_t count, double *X)
{
  faults *p = user;
  (void)t;
  for (int i = 0; i < count; i++) {
    X[3 * i + 2] /= 0.5 + 0.1 * q[0] * q[0];
  }
  X[0] = is_wrong(p, SOLVE_MASS) ? p->wrong : X[0];
  return 0;
}

static int faulty_force(void *user, double t, const double *q, const double *u, double *h)
{
  faults *p = user;
  (void)t, (void)u;
  h[0] = -4.0 * q[0];
  h[1] = -9.81;
  h[0] = is_wrong(p, FORCE) ? p->wrong : h[0];
  return 0;
}

static int faulty_gap(void *user, double t, const double *q, double *g)
{
  faults *p = user;
  (void)t;
  g[0] = is_wrong(p, GAP) ? p->wrong : q[1] + 0.05 * q[0] * q[0];
  return 0;
}

static int faulty_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  faults *p = user;
  (void)t, (void)i;
  w_hat[0] = w_hat[1] = 0.0;
  W[0] = 0.1 * q[0];
  W[1] = 1.0;
  W[3] = 1.0;
  W[0] = is_wrong(p, DIRECTION) ? p->wrong : W[0];
  return 0;
}

static int faulty_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  faults *p = user;
  (void)t, (void)q, (void)i;
  w_bar[0] = is_wrong(p, BIAS) ? p->wrong : 0.1 * u[0] * u[0];
  w_bar[1] = 0.0;
  return 0;
}

static int faulty_kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  faults *p = user;
  (void)t, (void)q;
  for (int j = 0; j < 3; j++) {
    qdot[j] = u[j];
  }
  qdot[1] = is_wrong(p, KINEMATICS) ? p->wrong : qdot[1];
  return 0;
}

static int faulty_constraint(void *user, double t, const double *q, double *g, double *W, double *w_hat)
{
  faults *p = user;
  (void)t;
  w_hat[0] = 0.0;
  g[0] = q[2] - q[0];
  W[0] = -1.0;
  W[2] = is_wrong(p, CONSTRAINT) ? p->wrong : 1.0;
  return 0;
}

static driven faulty_scene(faults *p, int solves)
{
  nsdyn_system_def def = table(3, 1, p);
  def.mass = solves ? NULL : faulty_mass;
  def.solve_mass = solves ? faulty_solve_mass : NULL;
  def.force = faulty_force;
  def.gap = faulty_gap;
  def.direction = faulty_direction;
  def.bias = faulty_bias;
  def.kinematics = faulty_kinematics;
  def.nconstraints = 1;
  def.constraint = faulty_constraint;
  driven s = scene_of(&def);
  scene_law(&s, 0, law_of(0.3, 0.4));
  return s;
}

enum { END = 2 };

static const char *const names[FAULTY] = {"mass",      "solve_mass", "force",      "gap",
                                          "direction", "kinematics", "constraint", "bias"};

/* What one wrong answer does: 0: as if there was none; 1: the call fails, the next one is right. */
static int try_fault(faults p, int solves, const double *right)
{
  const char *name = names[p.which];
  driven s = faulty_scene(&p, solves);
  scene_drive(&s, 0.0, (double[]){1.0, 0.3, 1.0}, (double[]){0.5, 0.0, 0.5});
  const nsdyn_status status = nsdyn_event_driver_advance(s.driver, END);
  const double t = nsdyn_event_driver_time(s.driver);
  nsdyn_status next = NSDYN_OK;
  if (status) {
    p.which = -1;
    next = nsdyn_event_driver_advance(s.driver, END);
  }
  double off = 0.0;
  for (int j = 0; j < 3; j++) {
    off = fmax(off, fabs(nsdyn_event_driver_q(s.driver)[j] - right[j]));
    off = fmax(off, fabs(nsdyn_event_driver_u(s.driver)[j] - right[3 + j]));
  }
  REQUIRE(!next && off <= 1e-5, "%s%s, call %d answers %g: %s at t = %g, then %s (%s), %g off", name,
          solves ? " with solve_mass" : "", (int)p.at, p.wrong, nsdyn_status_name(status), t,
          nsdyn_status_name(next), nsdyn_event_driver_message(s.driver), off);
  scene_end(&s);
  return status != NSDYN_OK;
}

START_TEST(no_motion_comes_of_a_wrong_answer)
{
  const double wrong[] = {(double)INFINITY, -(double)INFINITY, NAN, 1e308, -1e308, 1e200, -1e200};
  const int cases = random_cases(3000);
  int failed = 0;
  for (int solves = 0; solves < 2; solves++) {
    faults none = {.which = -1};
    driven s = faulty_scene(&none, solves);
    double right[6];
    scene_drive(&s, 0.0, (double[]){1.0, 0.3, 1.0}, (double[]){0.5, 0.0, 0.5});
    scene_advance(&s, END);
    memcpy(right, nsdyn_event_driver_q(s.driver), 3 * sizeof *right);
    memcpy(right + 3, nsdyn_event_driver_u(s.driver), 3 * sizeof *right);
    scene_end(&s);
    for (int k = solves; k < cases; k += 2) {
      random_state r = random_seed((uint64_t)k);
      faults p = {.which = random_below(&r, FAULTY)};
      p.which = p.which == MASS && solves ? SOLVE_MASS : p.which == SOLVE_MASS && !solves ? MASS : p.which;
      p.at = 1 + random_below(&r, (int)none.calls[p.which]);
      p.wrong = wrong[random_below(&r, 7)];
      failed += try_fault(p, solves, right);
    }
  }
  ck_assert_int_ge(failed, cases / 4);
}
END_TEST

SUITE("public/faulty_callbacks", TEST(no_motion_comes_of_a_wrong_answer))
