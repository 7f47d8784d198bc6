/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A disk is thrown along a plane: it slides, until it rolls.
 *
 * While it slides, the velocity γ = ẋ + r φ̇ of its lowest point falls at a constant rate,
 *
 *     γ̇ = g sin α − μ g cos α (1 + m r²/J) sgn γ,
 *
 * and at γ = 0 it rolls, if μ >= tan α/(1 + m r²/J). */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

typedef struct disk {
  double m, r, inertia; /* kg, m, J/(m r²) */
  double g, angle, mu;
} disk;

/* ---- The system: q = (x, y, φ), φ counter-clockwise ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  const disk *d = user;
  (void)t, (void)q;
  M[0] = M[4] = d->m;
  M[8] = d->inertia * d->m * d->r * d->r;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const disk *d = user;
  (void)t, (void)q, (void)u;
  h[0] = d->m * d->g * sin(d->angle);
  h[1] = -d->m * d->g * cos(d->angle);
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const disk *d = user;
  (void)t;
  g[0] = q[1] - d->r;
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const disk *d = user;
  (void)t, (void)q, (void)i;
  w_hat[0] = 0.0; /* the plane stands still */
  W[1] = 1.0;     /* w_N = (0, 1, 0) */
  W[3] = 1.0;     /* w_T = (1, 0, r) */
  W[5] = d->r;
  return 0;
}

static nsdyn_status start(machine *m, int scheme, double tol, disk *d, const double *u)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = d;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = d->mu;
  return machine_start(m, scheme, tol, &def, &law, (double[]){0.0, d->r, 0.0}, u);
}

/* ---- The run ---- */

typedef struct summary {
  double rolling_time, rolling_speed; /* when γ = 0 was reached, and ẋ then */
} summary;

/* When it begins to roll; NaN where it never does. */
static double roll_exactly(const disk *d, double sliding)
{
  const double rate = d->mu * d->g * cos(d->angle) * (1.0 + 1.0 / d->inertia);
  const double pull = d->g * sin(d->angle);
  const double slowing = sliding > 0.0 ? rate - pull : rate + pull;
  if (sliding == 0.0) {
    return fabs(pull) <= rate ? 0.0 : NAN;
  }
  return slowing > 0.0 && fabs(pull) <= rate ? fabs(sliding) / slowing : NAN;
}

static movie *make_film(const output *out, const disk *d, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double c = cos(d->angle), s = -sin(d->angle); /* downhill is to the right */
  movie_add_ball(film, movie_add_body(film, "disk", PLOT_BLUE), (double[]){0.0, 0.0}, d->r);
  movie_add_line(film, MOVIE_GROUND, 2, (double[]){-1e3 * c, -1e3 * s, 1e3 * c, 1e3 * s});
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static void show(movie *film, const machine *m, const disk *d)
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  const double *q = machine_q(m), *u = machine_u(m), c = cos(d->angle), s = -sin(d->angle);
  const double x = c * q[0] - s * q[1], y = s * q[0] + c * q[1], J = d->inertia * d->m * d->r * d->r;
  const double T = 0.5 * (d->m * (u[0] * u[0] + u[1] * u[1]) + J * u[2] * u[2]), V = d->m * d->g * y;
  movie_frame(film, machine_time(m), (double[]){x, y, q[2] - d->angle}, (double[]){T, V, T + V});
  const nsdyn_contact_state contact = machine_contact(m, 0);
  const double f = contact.force[1], n = contact.force[0];
  movie_force(film, (double[]){x + d->r * s, y - d->r * c}, (double[]){c * f - s * n, s * f + c * n});
}

static nsdyn_status run(machine *m, const disk *d, double dt, double t_end, summary *s, record *r,
                        movie *film)
{
  *s = (summary){.rolling_time = NAN, .rolling_speed = NAN};
  show(film, m, d);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = machine_step(m, t_end, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const double t = machine_time(m), *u = machine_u(m);
    const nsdyn_contact_state contact = machine_contact(m, 0);
    if (contact.active && contact.mode == NSDYN_MODE_STICK && isnan(s->rolling_time)) {
      s->rolling_time = t;
      s->rolling_speed = u[0];
    }
    show(film, m, d);
    if (r) {
      record_add(r, (double[]){t, machine_q(m)[0], u[0], u[2], u[0] + d->r * u[2], contact.force[1]});
    }
  }
  return NSDYN_OK;
}

static void draw(const output *out, const record *r)
{
  plot_figure *figure = plot_new(2, 1);
  plot_set_panel_size(figure, 640.0, 240.0);
  plot_set_description(figure, "A disk slides until it rolls: velocities and friction over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "velocity", .unit = "m/s"}});
  plot_add(figure, 0, 0,
           &(plot_curve){.label = "of the centre", .count = r->rows, .x = r->column[0], .y = r->column[2]});
  plot_add(
      figure, 0, 0,
      &(plot_curve){.label = "of the lowest point", .count = r->rows, .x = r->column[0], .y = r->column[4]});
  plot_set_axes(figure, 1, 0,
                &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "friction force", .unit = "N"}});
  plot_add(figure, 1, 0, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[5]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  disk d = {.m = 1.0, .r = 0.1, .inertia = 0.5, .g = 9.81, .angle = 0.0, .mu = 0.2};
  double v = 2.0, omega = 0.0, tol = 1e-9, dt = 1e-3, t_end = 0.6;
  int scheme = MACHINE_STEPS, events = 0;
  const option table[] = {
      {.name = "v", .unit = "m/s", .help = "velocity at the start", .number = &v, .low = -1e6, .high = 1e6},
      {.name = "omega",
       .unit = "rad/s",
       .help = "angular velocity at the start, counter-clockwise",
       .number = &omega,
       .low = -1e6,
       .high = 1e6},
      OPTION_MU(d.mu),
      {.name = "angle", .unit = "rad", .help = "of the plane", .number = &d.angle, .low = -1.5, .high = 1.5},
      {.name = "inertia",
       .unit = "1",
       .help = "J/(m r^2): 0.5 for a disk, 1 for a ring",
       .number = &d.inertia,
       .high = 1e3,
       .open = 1},
      OPTION_MASS(d.m),
      {.name = "r", .unit = "m", .help = "radius", .number = &d.r, .high = 1e6, .open = 1},
      OPTION_GRAVITY(d.g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_EVENTS(events),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A disk slides along a plane until it rolls.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  machine m;
  record r = record_new("t,x,v,omega,sliding,friction");
  summary s;
  movie *film = make_film(&out, &d, t_end);
  nsdyn_status status = start(&m, scheme, tol, &d, (double[]){v, 0.0, omega});
  if (status == NSDYN_OK) {
    status = run(&m, &d, dt, t_end, &s, out.csv || out.svg ? &r : NULL, film);
  }
  if (status == NSDYN_OK) {
    const double sliding = v + d.r * omega, exact = roll_exactly(&d, sliding);
    if (!isnan(s.rolling_time)) {
      result(&out, "rolling_time", s.rolling_time, "s");
      result(&out, "rolling_speed", s.rolling_speed, "m/s");
    }
    if (!isnan(exact)) {
      const double slowing = sliding == 0.0 ? 0.0 : copysign(d.mu * cos(d.angle), sliding);
      result(&out, "rolling_time_exact", exact, "s");
      result(&out, "rolling_speed_exact", v + d.g * (sin(d.angle) - slowing) * exact, "m/s");
    }
    result(&out, "speed", machine_u(&m)[0], "m/s");
    if (events) {
      machine_print_events(&m, &out);
    }
    record_write(&r, &out);
    draw(&out, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A disk slides until it rolls", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
