/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A planar machine in space: one more coordinate, of nobody's interest and without any load, is the second
 * tangential direction of all contacts with friction, whose axes are turned by an angle. The motion is the
 * planar one, which the same driver finds by other equations: two rows for three, signs for directions. */
#include <stdio.h>

#include "zoo.h"

typedef struct embedded {
  nsdyn_system_def plane; /* its user is the machine's model */
  const nsdyn_contact_law *law;
  double axis[2], mass;
} embedded;

static int rows_of(const embedded *e, int i)
{
  return e->law[i].friction == NSDYN_FRICTION_NONE ? 1 : 3;
}

static int configure(void *user, double t, const double *q)
{
  const embedded *e = user;
  return e->plane.configure(e->plane.user, t, q);
}

static int mass(void *user, double t, const double *q, double *M)
{
  const embedded *e = user;
  const int n = e->plane.nu;
  double own[ZOO_MOST * ZOO_MOST] = {0.0};
  const int code = e->plane.mass(e->plane.user, t, q, own);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      M[i * (n + 1) + j] = own[i * n + j];
    }
  }
  M[(n + 1) * (n + 1) - 1] = e->mass;
  return code;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const embedded *e = user;
  return e->plane.force(e->plane.user, t, q, u, h);
}

static int gap(void *user, double t, const double *q, double *g)
{
  const embedded *e = user;
  return e->plane.gap(e->plane.user, t, q, g);
}

/* γ_T1 = cos β γ_T − sin β ẏ, γ_T2 = sin β γ_T + cos β ẏ. */
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const embedded *e = user;
  const int n = e->plane.nu;
  double own[3 * ZOO_MOST] = {0.0}, own_hat[3] = {0.0};
  const int code = e->plane.direction(e->plane.user, t, q, i, own, own_hat);
  memcpy(W, own, (size_t)n * sizeof *W);
  w_hat[0] = own_hat[0];
  for (int r = 1; r < rows_of(e, i); r++) {
    double *w = W + (size_t)r * (size_t)(n + 1);
    for (int j = 0; j < n; j++) {
      w[j] = e->axis[r - 1] * own[n + j];
    }
    w[n] = r == 1 ? -e->axis[1] : e->axis[0];
    w_hat[r] = e->axis[r - 1] * own_hat[1];
  }
  return code;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const embedded *e = user;
  double own[3] = {0.0};
  const int code = e->plane.bias(e->plane.user, t, q, u, i, own);
  w_bar[0] = own[0];
  for (int r = 1; r < rows_of(e, i); r++) {
    w_bar[r] = e->axis[r - 1] * own[1];
  }
  return code;
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const embedded *e = user;
  const int n = e->plane.nu;
  double own[ZOO_MOST * ZOO_MOST] = {0.0};
  const int code = e->plane.constraint(e->plane.user, t, q, g_b, own, w_hat_b);
  for (int i = 0; i < e->plane.nconstraints; i++) {
    memcpy(W_b + (size_t)i * (size_t)(n + 1), own + (size_t)i * (size_t)n, (size_t)n * sizeof *W_b);
  }
  return code;
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  const embedded *e = user;
  return e->plane.constraint_bias(e->plane.user, t, q, u, w_bar_b);
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  const embedded *e = user;
  qdot[e->plane.nq] = u[e->plane.nu];
  return e->plane.kinematics(e->plane.user, t, q, u, qdot);
}

int zoo_goes_into_space(const zoo_case *c)
{
  int has_friction = 0;
  for (int i = 0; i < c->def.ncontacts; i++) {
    has_friction |= c->law[i].friction != NSDYN_FRICTION_NONE;
  }
  return has_friction && !c->def.find && c->def.mass && !c->def.retract && c->impact == NSDYN_IMPACT_NEWTON &&
         !c->steps_only && c->def.nu + 1 < ZOO_MOST;
}

static nsdyn_system_def embed(embedded *e, double angle, const zoo_case *c)
{
  double M[ZOO_MOST * ZOO_MOST] = {0.0};
  nsdyn_system_def def = c->def;
  if (c->def.configure) {
    c->def.configure(c->def.user, c->t0, c->q);
  }
  c->def.mass(c->def.user, c->t0, c->q, M);
  *e = (embedded){.plane = c->def, .law = c->law, .axis = {cos(angle), sin(angle)}, .mass = M[0]};
  def.user = e;
  def.nq++;
  def.nu++;
  def.configure = c->def.configure ? configure : NULL;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  def.bias = c->def.bias ? bias : NULL;
  def.constraint = c->def.constraint ? constraint : NULL;
  def.constraint_bias = c->def.constraint_bias ? constraint_bias : NULL;
  def.kinematics = c->def.kinematics ? kinematics : NULL;
  def.destroy_user = NULL;
  return def;
}

/* A run to the end of the span, in the plane or in space; its message where it fails. */
static nsdyn_status advance(const zoo_case *c, const nsdyn_system_def *def, int is_spatial, double tol,
                            double *q, double *u, char *message)
{
  nsdyn_event_driver_options options;
  nsdyn_system *sys = NULL;
  nsdyn_event_driver *driver = NULL;
  nsdyn_error error = {.size = sizeof error};
  memcpy(q, c->q, sizeof c->q);
  memcpy(u, c->u, sizeof c->u);
  q[c->def.nq] = is_spatial ? 0.0 : q[c->def.nq];
  u[c->def.nu] = is_spatial ? 0.0 : u[c->def.nu];
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  options.inelastic = c->inelastic;
  options.ambiguous = c->ambiguous;
  options.max_steps = 200000;
  options.check = 0;
  nsdyn_status status = nsdyn_system_new(NULL, def, &sys, &error);
  for (int i = 0; i < def->ncontacts && status == NSDYN_OK; i++) {
    nsdyn_contact_law law = c->law[i];
    law.tangents = is_spatial && law.friction != NSDYN_FRICTION_NONE ? 2 : 1;
    status = nsdyn_system_set_contact(sys, i, &law);
  }
  status = status ? status : nsdyn_event_driver_new(NULL, sys, &options, &driver, &error);
  status = status ? status : nsdyn_event_driver_set_state(driver, c->t0, q, u);
  status = status ? status : nsdyn_event_driver_advance(driver, c->t0 + c->span);
  snprintf(message, 300, "%s", driver ? nsdyn_event_driver_message(driver) : error.message);
  if (driver) {
    memcpy(q, nsdyn_event_driver_q(driver), (size_t)def->nq * sizeof *q);
    memcpy(u, nsdyn_event_driver_u(driver), (size_t)def->nu * sizeof *u);
  }
  nsdyn_event_driver_free(driver);
  nsdyn_system_free(sys);
  return status;
}

void zoo_run_space(zoo_case *c, double angle, double tol, zoo_result *result)
{
  embedded e;
  double q[2][ZOO_MOST + 1], u[2][ZOO_MOST + 1], worst = 0.0;
  memset(result, 0, sizeof *result);
  void *model = zoo_copy_model(c);
  zoo_case own = *c;
  own.def.user = model;
  const nsdyn_system_def space = embed(&e, angle, &own);
  const nsdyn_status planar = advance(c, &c->def, 0, tol, q[0], u[0], result->message);
  result->status = planar ? NSDYN_OK : advance(&own, &space, 1, tol, q[1], u[1], result->message);
  for (int j = 0; j < c->def.nq; j++) {
    worst = fmax(worst, fabs(q[1][j] - q[0][j]) / c->q_size[j]);
  }
  for (int j = 0; j < c->def.nu; j++) {
    worst = fmax(worst, 0.1 * fabs(u[1][j] - u[0][j]) / c->u_size[j]);
  }
  const double clock = 1e6 * 2.2e-16 * fabs(c->t0) / c->time;
  result->error = worst / (1e4 * tol * fmax(c->amplify, 1.0) + clock);
  result->verdict = planar                                    ? ZOO_RIGHT /* nothing to compare with */
                    : result->status                          ? ZOO_FAILURE
                    : result->error <= 1.0 && isfinite(worst) ? ZOO_RIGHT
                                                              : ZOO_LIE;
  free(model);
}
