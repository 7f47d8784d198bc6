/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Gaps that do not follow their directions are refused, whatever the units, the time and the tolerance; those
 * that do are not. */
#include <stdio.h>

#include "event_models.h"
#include "support/callbacks.h"
#include "support/random.h"
#include "system/object.h"

enum wrong { RIGHT, FORGOTTEN, TURNED, NOTHING, EXCHANGED, TILTED, WRONGS };

/* A mass at (x, y) on the surface y = ½ k x² + A sin(ω (t − t_0)), and a slider z that has to be at
 * B sin(ω (t − t_0)). `wrong`: what W and ŵ of the surface say, `share` of ŵ of the slider is
 * forgotten, `bias_share` of w̄ of both. */
typedef struct surface {
  double k, A, B, omega, t_0, g, share, bias_share;
  int wrong, fails;
} surface;

static int surface_force(void *user, double t, const double *q, const double *u, double *h)
{
  surface *p = user;
  (void)t, (void)q;
  if (p->fails && u[1] > 0.0 && --p->fails == 0) { /* once, behind the first impact */
    return -1;
  }
  h[1] = -p->g;
  return 0;
}

static int surface_gap(void *user, double t, const double *q, double *g)
{
  const surface *p = user;
  g[0] = q[1] - 0.5 * p->k * q[0] * q[0] - p->A * sin(p->omega * (t - p->t_0));
  return 0;
}

static int surface_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const surface *p = user;
  const double slope = -p->k * q[0], speed = -p->A * p->omega * cos(p->omega * (t - p->t_0));
  const double sign = p->wrong == TURNED ? -1.0 : 1.0;
  (void)i;
  W[0] = sign * (p->wrong == TILTED ? -slope : slope);
  W[1] = sign;
  w_hat[0] = p->wrong == FORGOTTEN ? 0.0 : sign * speed;
  W[3] = 1.0;
  W[4] = -slope;
  if (p->wrong == NOTHING) {
    W[0] = W[1] = w_hat[0] = 0.0;
  }
  if (p->wrong == EXCHANGED) {
    W[0] = 1.0;
    W[1] = -slope;
    W[3] = slope;
    W[4] = 1.0;
  }
  return 0;
}

static int slider_constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const surface *p = user;
  g_b[0] = q[2] - p->B * sin(p->omega * (t - p->t_0));
  W_b[2] = 1.0;
  w_hat_b[0] = -(1.0 - p->share) * p->B * p->omega * cos(p->omega * (t - p->t_0));
  return 0;
}

static int surface_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const surface *p = user;
  const double right = 1.0 - p->bias_share;
  (void)q, (void)i;
  w_bar[0] = right * (p->A * p->omega * p->omega * sin(p->omega * (t - p->t_0)) - p->k * u[0] * u[0]);
  w_bar[1] = right * p->k * u[0] * u[1];
  return 0;
}

static int slider_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  const surface *p = user;
  (void)q, (void)u;
  w_bar_b[0] = (1.0 - p->bias_share) * p->B * p->omega * p->omega * sin(p->omega * (t - p->t_0));
  return 0;
}

static driven surface_scene(surface *p, int with_bias)
{
  nsdyn_system_def def = table(3, 1, p);
  def.nconstraints = 1;
  def.mass = unit_mass_3;
  def.force = surface_force;
  def.gap = surface_gap;
  def.direction = surface_direction;
  def.constraint = slider_constraint;
  def.bias = with_bias ? surface_bias : NULL;
  def.constraint_bias = with_bias ? slider_bias : NULL;
  driven s = scene_of(&def);
  s.options.check = 0; /* which finds most of them before the first step */
  scene_law(&s, 0, law_of(0.0, 0.0));
  return s;
}

static const double tolerances[] = {1e-4, 1e-6, 1e-9, 1e-12}, times[] = {0.0, 1.0, 1e6};
static const double units[] = {1e-6, 1.0, 1e6};

static double between(random_state *r, double least, double most)
{
  return least + (most - least) * random_unit(r);
}

/* A surface whose slope and speed are those of a unit of length `unit`. It moves slowly: nothing leaves it.
 */
static surface draw(random_state *r, double unit)
{
  return (surface){.k = between(r, 0.5, 2.0) / unit,
                   .A = between(r, 0.02, 0.05) * unit,
                   .B = between(r, 0.1, 1.0) * unit,
                   .omega = between(r, 0.5, 3.0),
                   .t_0 = times[random_below(r, 3)],
                   .g = between(r, 5.0, 10.0) * unit,
                   .wrong = RIGHT};
}

static nsdyn_status run(surface *p, driven *s, random_state *r, double height, double x, double speed)
{
  const double u_z = (1.0 - p->share) * p->B * p->omega;
  const double y = 0.5 * p->k * x * x + height, turn = height > 0.0 ? 0.0 : p->A * p->omega;
  const double q[3] = {x, y, 0.0}, u[3] = {speed, p->k * x * speed + turn, u_z};
  const int strictly = p->bias_share > 0.0; /* few steps at a coarse tolerance leave its error in doubt */
  s->options.tol = tolerances[strictly + random_below(r, 4 - strictly)];
  s->options.max_dt = random_below(r, 3) ? INFINITY : 1e-3;
  scene_drive(s, p->t_0, q, u);
  return nsdyn_event_driver_advance(s->driver, p->t_0 + 2.0);
}

/* `what`: it does not follow this; NULL: or it cannot be brought back. */
static void check_refused(const driven *s, nsdyn_status status, const char *who, const char *what,
                          int32_t kind, int number)
{
  nsdyn_detail detail;
  char wanted[80];
  (void)snprintf(wanted, sizeof wanted, what ? "%s does not follow its %s" : "%s %s", who, what ? what : "");
  ck_assert_msg(status == NSDYN_ERR_INCONSISTENT &&
                    strstr(nsdyn_event_driver_message(s->driver), wanted) != NULL,
                "case %d: %s: %s", number, nsdyn_status_name(status), nsdyn_event_driver_message(s->driver));
  ck_assert_int_eq(nsdyn_detail_init(&detail, sizeof detail), NSDYN_OK);
  ck_assert_int_eq(nsdyn_event_driver_detail(s->driver, &detail), NSDYN_OK);
  ck_assert_int_eq(detail.kind, kind);
  ck_assert_int_eq(detail.index, 0);
}

START_TEST(directions_that_fit_are_never_refused)
{
  for (int i = 0; i < random_cases(100); i++) {
    random_state r = random_seed((uint64_t)i);
    const double unit = units[random_below(&r, 3)];
    surface p = draw(&r, unit);
    driven s = surface_scene(&p, i % 2);
    const double x = between(&r, -1.0, 1.0) * unit, speed = between(&r, -1.0, 1.0) * unit;
    const double height = random_below(&r, 2) ? 0.0 : between(&r, 0.0, 0.5) * unit;
    const nsdyn_status status = run(&p, &s, &r, height, x, speed);
    ck_assert_msg(status == NSDYN_OK, "case %d: %s: %s", i, nsdyn_status_name(status),
                  nsdyn_event_driver_message(s.driver));
    scene_end(&s);
  }
}
END_TEST

/* On the surface from the start, or falling on it. */
START_TEST(a_contact_that_does_not_follow_its_directions_is_refused)
{
  for (int i = 0; i < random_cases(100); i++) {
    random_state r = random_seed((uint64_t)i);
    const double unit = units[random_below(&r, 3)];
    surface p = draw(&r, unit);
    p.wrong = FORGOTTEN + i % (WRONGS - FORGOTTEN);
    driven s = surface_scene(&p, 0);
    const double x = between(&r, 0.3, 1.0) * unit, speed = between(&r, 0.3, 1.0) * unit;
    const double height = random_below(&r, 2) ? 0.0 : between(&r, 0.01, 0.5) * unit;
    /* No direction at all is refused as such where it closes. */
    const char *what = p.wrong == NOTHING ? NULL : "directions";
    check_refused(&s, run(&p, &s, &r, height, x, speed), "contact 0", what, NSDYN_DETAIL_CONTACT, i);
    scene_end(&s);
  }
}
END_TEST

/* A part of ŵ is missing, down to a hundredth. */
START_TEST(a_constraint_that_does_not_follow_its_directions_is_refused)
{
  for (int i = 0; i < random_cases(100); i++) {
    random_state r = random_seed((uint64_t)i);
    const double unit = units[random_below(&r, 3)];
    surface p = draw(&r, unit);
    p.share = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 0.1 : 0.01;
    driven s = surface_scene(&p, 0);
    check_refused(&s, run(&p, &s, &r, 0.0, 0.0, 0.0), "constraint 0", "directions", NSDYN_DETAIL_CONSTRAINT,
                  i);
    scene_end(&s);
  }
}
END_TEST

/* Of w̄ all, a part, or its double is missing. */
START_TEST(a_bias_that_contradicts_directions_is_refused)
{
  static const double shares[] = {1.0, 0.1, 2.0};
  for (int i = 0; i < random_cases(100); i++) {
    random_state r = random_seed((uint64_t)i);
    const double unit = units[random_below(&r, 3)];
    surface p = draw(&r, unit);
    p.bias_share = shares[i % 3];
    driven s = surface_scene(&p, 1);
    if (i % 2) { /* it slides back and forth in the bowl */
      s.sys->def.constraint_bias = NULL;
      const double speed = between(&r, 0.5, 1.0) * unit;
      const nsdyn_status status = run(&p, &s, &r, 0.0, between(&r, 0.3, 1.0) * unit, speed);
      check_refused(&s, status, "contact 0", NULL, NSDYN_DETAIL_CONTACT, i);
    } else {
      s.sys->def.bias = NULL;
      const nsdyn_status status = run(&p, &s, &r, 0.0, 0.0, 0.0);
      check_refused(&s, status, "constraint 0", NULL, NSDYN_DETAIL_CONSTRAINT, i);
    }
    scene_end(&s);
  }
}
END_TEST

/* A callback that fails behind an impact: the next call goes on from the velocities that it left. */
START_TEST(an_impact_is_not_judged_twice)
{
  for (int call = 1; call <= 10; call++) { /* that fails: before the velocities are the state's, and after */
    surface p = {.omega = 1.0, .g = 9.81, .fails = call};
    driven s = surface_scene(&p, 1);
    const double q[3] = {0.0, 1.0, 0.0}, u[3] = {0.0, 0.0, 0.0};
    scene_law(&s, 0, law_of(0.0, 0.5));
    scene_drive(&s, 0.0, q, u);
    ck_assert_int_eq(nsdyn_event_driver_advance(s.driver, 0.6), NSDYN_ERR_CALLBACK);
    scene_advance(&s, 0.6);
    scene_end(&s);
  }
}
END_TEST

SUITE("event/phase/verify_gaps", TEST(an_impact_is_not_judged_twice),
      TEST(a_bias_that_contradicts_directions_is_refused), TEST(directions_that_fit_are_never_refused),
      TEST(a_contact_that_does_not_follow_its_directions_is_refused),
      TEST(a_constraint_that_does_not_follow_its_directions_is_refused))
