/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A sphere on a floor, thrown so that it slides and then rolls (Mylapilli & Jain 2017, section 6.1).
 *
 * With γ, the velocity of its lowest point, friction F gives m v̇ = F and γ̇ = 7/2 F / m. On the exact friction
 * cone |F| = μ m g against γ, and it rolls from 2 v₀/(7 μ g) on, with 5/7 of v₀. On a pyramid F is the point
 * of a polygon that opposes γ most: a corner, at φ from −γ, which drives the sphere aside; until −γ is normal
 * to an edge, where F holds it and has only cos(π/sides) of its size. It rolls later, with the same velocity
 * in the end, since v − 2/7 γ does not change. A pyramid that is turned by π/sides begins on the edge and
 * does not go aside, but for the asymmetry of an approximation (their Fig. 12 shows a drift).
 *
 *   sphere                                              Fig. 11
 *   sphere --scheme event                               from event to event: it rolls at 2 v₀/(7 μ g) to 1e-9
 *   sphere --friction pyramid --angle 0.7853981633974483 their case 2
 *   sphere --friction pyramid --method lcp              any contact solver */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { CONE, PYRAMID };

typedef struct sphere {
  double m, r, g;      /* mass, radius, gravity */
  int friction, sides; /* cone, or pyramid with so many sides */
  double mu, angle, v; /* the pyramid's angle to x, and the first velocity along x */
} sphere;

/* ---- The system: q = place and quaternion, u = velocity and ω, both in the axes of the world ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  const sphere *s = user;
  (void)t, (void)q;
  for (int i = 0; i < 6; i++) {
    M[7 * i] = i < 3 ? s->m : 0.4 * s->m * s->r * s->r;
  }
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const sphere *s = user;
  (void)t, (void)q, (void)u;
  h[2] = -s->m * s->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const sphere *s = user;
  (void)t;
  g[0] = q[2] - s->r;
  return 0;
}

/* The velocity of the lowest point, v + ω × (0, 0, −r): along z, x and y. */
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const sphere *s = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = w_hat[1] = w_hat[2] = 0.0; /* the floor stands still */
  W[2] = 1.0;
  W[6 + 0] = 1.0;
  W[6 + 4] = -s->r;
  W[12 + 1] = 1.0;
  W[12 + 3] = s->r;
  return 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    qdot[i] = u[i];
  }
  nsdyn_quaternion_rate_world(q + 3, u + 3, qdot + 3);
  return 0;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) {
    q_new[i] = q[i] + dt * u[i];
  }
  nsdyn_quaternion_retract_world(q + 3, u + 3, dt, q_new + 3);
  return 0;
}

static nsdyn_status start(machine *m, sphere *s, int scheme, double tol, int32_t method)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = 7;
  def.nu = 6;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = s;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  def.kinematics = kinematics;
  def.retract = retract;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = s->mu;
  if (s->friction == PYRAMID) {
    law.shape = NSDYN_FRICTION_POLYGON;
    law.sides = s->sides;
    law.angle = s->angle;
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.contact_method = method;
  const double q[7] = {0.0, 0.0, s->r, 1.0, 0.0, 0.0, 0.0}, u[6] = {s->v, 0.0, 0.0, 0.0, 0.0, 0.0};
  if (scheme == MACHINE_EVENTS) {
    return machine_start(m, scheme, tol, &def, &law, q, u);
  }
  options.scheme = machine_stepper_scheme(scheme);
  return machine_start_steps(m, &def, &law, &options, q, u);
}

/* ---- The exact motion ---- */

/* γ is piecewise linear in time: γ_x from v to `gamma[0]` at t_1, γ_y from 0 to `gamma[1]`, both to 0 at
 * t_2. */
typedef struct exact {
  double t_1, t_2, gamma[2];
} exact;

static exact slide(const sphere *s)
{
  const double a = 3.5 * s->mu * s->g; /* |γ̇| where |F| = μ m g */
  const double beta = PI / s->sides;   /* half the angle between corners */
  if (s->friction == CONE) {
    return (exact){.t_1 = s->v / a, .t_2 = s->v / a};
  }
  /* The corner next to −γ is at φ from it, to either side. */
  double phi = fmod(s->angle, 2.0 * beta);
  phi = phi < 0.0 ? phi + 2.0 * beta : phi;
  const double side = phi > beta ? 1.0 : -1.0;
  phi = phi > beta ? 2.0 * beta - phi : phi;
  /* 1: F at the corner, until γ has turned by β − φ and is normal to the edge. */
  exact e = {.t_1 = s->v * sin(beta - phi) / (a * sin(beta))};
  e.gamma[0] = s->v - a * cos(phi) * e.t_1;
  e.gamma[1] = side * a * sin(phi) * e.t_1;
  /* 2: F in the edge's middle, cos β as large, straight against γ. */
  e.t_2 = e.t_1 + hypot(e.gamma[0], e.gamma[1]) / (a * cos(beta));
  return e;
}

/* v = 5/7 v₀ + 2/7 γ, so x and y are these parts of ∫ γ dt. */
static void place(const sphere *s, const exact *e, double t, double *x, double *y)
{
  *x = 5.0 / 7.0 * s->v * t + (s->v * e->t_1 + e->gamma[0] * e->t_2) / 7.0;
  *y = e->gamma[1] * e->t_2 / 7.0 + 0.0; /* not −0 */
}

/* ---- The run ---- */

typedef struct outcome {
  double rolls_at, largest_v_y, largest_force;
} outcome;

static movie *make_film(const output *out, const sphere *s, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  movie_add_ball(film, movie_add_body(film, "sphere", PLOT_BLUE), (double[]){0.0, 0.0, 0.0}, s->r);
  movie_add_floor(film, s->v * t_end);
  movie_set_energies(film, "kinetic");
  return film;
}

static void show(movie *film, const machine *m, const sphere *s)
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  const double *q = machine_q(m), *u = machine_u(m), J = 0.4 * s->m * s->r * s->r;
  const double T = 0.5 * (s->m * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) +
                          J * (u[3] * u[3] + u[4] * u[4] + u[5] * u[5]));
  const nsdyn_contact_state c = machine_contact(m, 0);
  movie_frame(film, machine_time(m), q, &T);
  movie_force(film, (double[]){q[0], q[1], q[2] - s->r}, (double[]){c.force[1], c.force[2], c.force[0]});
}

static nsdyn_status run(machine *m, double dt, double t_end, outcome *o, record *r, movie *film,
                        const sphere *s)
{
  show(film, m, s);
  *o = (outcome){.rolls_at = -1.0};
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = machine_step(m, t_end, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const nsdyn_contact_state c = machine_contact(m, 0);
    const double t = machine_time(m), *q = machine_q(m), *u = machine_u(m);
    if (c.mode == NSDYN_MODE_STICK && o->rolls_at < 0.0) {
      o->rolls_at = t;
    }
    o->largest_v_y = fmax(o->largest_v_y, fabs(u[1]));
    o->largest_force = fmax(o->largest_force, hypot(c.force[1], c.force[2]));
    show(film, m, s);
    if (r) {
      record_add(r, (double[]){t, q[0], q[1], u[0], u[1], u[4], c.force[0], c.force[1], c.force[2]});
    }
  }
  return NSDYN_OK;
}

static void print(const output *out, const sphere *s, const machine *m, const outcome *o)
{
  const double *q = machine_q(m), *u = machine_u(m), t = machine_time(m);
  const exact e = slide(s);
  if (o->rolls_at >= 0.0) {
    result(out, "rolls_at", o->rolls_at, "s");
  }
  result(out, "rolls_at_exact", e.t_2, "s");
  result(out, "v_x", u[0], "m/s");
  result(out, "v_y", u[1], "m/s");
  result(out, "omega_x", u[3], "rad/s");
  result(out, "omega_y", u[4], "rad/s");
  result(out, "largest_v_y", o->largest_v_y, "m/s");
  result(out, "largest_friction", o->largest_force, "N");
  result(out, "x", q[0], "m");
  result(out, "y", q[1], "m");
  if (t >= e.t_2) {
    double x, y;
    place(s, &e, t, &x, &y);
    result(out, "v_x_exact", 5.0 / 7.0 * s->v, "m/s");
    result(out, "largest_v_y_exact", 2.0 / 7.0 * fabs(e.gamma[1]), "m/s");
    result(out, "x_exact", x, "m");
    result(out, "y_exact", y, "m");
  }
  result(out, "norm_of_quaternion", sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]), "1");
}

static void draw(const output *out, const sphere *s, const record *r)
{
  double *const *c = r->column;
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "Velocities of a sphere that slides and then rolls, and the friction force");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "Velocities",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "velocity", .unit = "m/s", .with_zero = 1}});
  const double rolls = 2.0 * s->v / (7.0 * s->mu * s->g), end = r->rows > 0 ? c[0][r->rows - 1] : 0.0;
  if (rolls < end) {
    plot_add(figure, 0, 0,
             &(plot_curve){.label = "v_x on the exact cone",
                           .count = 3,
                           .x = (double[]){0.0, rolls, end},
                           .y = (double[]){s->v, 5.0 / 7.0 * s->v, 5.0 / 7.0 * s->v},
                           .color = PLOT_GRAY,
                           .dash = PLOT_SOLID,
                           .width = 4.0});
  }
  static const char *const names[] = {"v_x", "v_y", "r ω_y"};
  for (int k = 0; k < 3; k++) {
    for (int i = 0; k == 2 && i < r->rows; i++) {
      c[5][i] *= s->r;
    }
    plot_add(figure, 0, 0, &(plot_curve){.label = names[k], .count = r->rows, .x = c[0], .y = c[3 + k]});
  }
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Friction force on the sphere",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "force", .unit = "N", .with_zero = 1}});
  for (int i = 0; i < r->rows; i++) {
    c[6][i] *= -s->mu;
  }
  static const char *const forces[] = {"−μ F_N", "F_x", "F_y"};
  for (int k = 0; k < 3; k++) {
    plot_add(figure, 0, 1, &(plot_curve){.label = forces[k], .count = r->rows, .x = c[0], .y = c[6 + k]});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  sphere s = {.m = 1.0, .r = 1.0, .g = 9.81, .friction = CONE, .sides = 4, .mu = 0.2, .v = 2.0};
  int method = 0, scheme = MACHINE_STEPS;
  double dt = 1e-3, t_end = 0.6, tol = 1e-9;
  static const char *const frictions[] = {"cone", "pyramid", NULL};
  static const char *const methods[] = {"automatic", "direct",      "lcp",         "rounds", "newton",
                                        "natural",   "todorov-rlm", "todorov-plm", NULL};
  static const int32_t method_of[] = {
      NSDYN_CONTACT_AUTOMATIC, NSDYN_CONTACT_DIRECT,  NSDYN_CONTACT_LCP,         NSDYN_CONTACT_ROUNDS,
      NSDYN_CONTACT_NEWTON,    NSDYN_CONTACT_NATURAL, NSDYN_CONTACT_TODOROV_RLM, NSDYN_CONTACT_TODOROV_PLM};
  const option table[] = {
      {.name = "friction", .help = "exact cone, or pyramid", .choice = &s.friction, .choices = frictions},
      {.name = "sides", .help = "of the pyramid, an even number", .count = &s.sides, .low = 4, .high = 1000},
      {.name = "angle",
       .unit = "rad",
       .help = "that it is turned by",
       .number = &s.angle,
       .low = -10.0,
       .high = 10.0},
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      {.name = "method", .help = "contact solver, by steps", .choice = &method, .choices = methods},
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &s.mu, .high = 1e3, .open = 1},
      {.name = "v",
       .unit = "m/s",
       .help = "velocity at the beginning",
       .number = &s.v,
       .high = 1e6,
       .open = 1},
      OPTION_MASS(s.m),
      {.name = "r", .unit = "m", .help = "radius", .number = &s.r, .high = 1e6, .open = 1},
      OPTION_GRAVITY(s.g),
      OPTION_DT(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A sphere that slides and then rolls.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (s.sides % 2) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--sides must be even"));
  }
  machine m;
  outcome o;
  record r = record_new("t,x,y,v_x,v_y,omega_y,F_N,F_x,F_y");
  movie *film = make_film(&out, &s, t_end);
  nsdyn_status status = start(&m, &s, scheme, tol, method_of[method]);
  if (status == NSDYN_OK) {
    status = run(&m, dt, t_end, &o, out.csv || out.svg ? &r : NULL, film, &s);
  }
  if (status == NSDYN_OK) {
    print(&out, &s, &m, &o);
    record_write(&r, &out);
    draw(&out, &s, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A sphere that slides and then rolls", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
