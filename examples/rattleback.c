/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A rattleback, or celt: a boat-like stone that spins well one way round; the other way it begins to rattle,
 * stops, and turns back.
 *
 * Its lower side is an ellipsoid with half axes a, b, c, whose centre is h above the centre of mass. The
 * principal axes of inertia are turned by δ about the vertical from the axes of the ellipsoid, which couples
 * spin and rocking (Garcia & Hubbard 1988). The default is the stone of Kane & Levinson (1982), which rolls
 * on a plane rough enough. The sign of δ says which way it turns back from. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { OUTLINE = 49 };

typedef struct stone {
  bodies all; /* first: the callbacks of bodies take it */
  body body;
  int32_t block;
  double half[3]; /* a, b, c */
  double h, delta;
} stone;

/* From the centre of mass to the lowest point, along the body's axes: the ellipsoid's centre is h e_z above,
 * its point where the normal is −n is −D² n/√(n · D² n), along its own axes. Returns how far below it is. */
static double lowest(const stone *s, const double *quaternion, double *point)
{
  double n[3], way[3];
  nsdyn_quaternion_rotate_back(quaternion, (double[]){0.0, 0.0, 1.0}, n);
  const double cosine = cos(s->delta), sine = sin(s->delta);
  const double own[3] = {cosine * n[0] + sine * n[1], cosine * n[1] - sine * n[0], n[2]};
  double size = 0.0;
  for (int k = 0; k < 3; k++) {
    way[k] = s->half[k] * s->half[k] * own[k];
    size += way[k] * own[k];
  }
  size = sqrt(size);
  point[0] = -(cosine * way[0] - sine * way[1]) / size;
  point[1] = -(sine * way[0] + cosine * way[1]) / size;
  point[2] = s->h - way[2] / size;
  return size - s->h * n[2];
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const stone *s = user;
  const double n[3] = {0.0, 0.0, 1.0};
  double low[3];
  (void)t, (void)u;
  const double gap = q[2] - lowest(s, q + 3, low);
  nsdyn_quaternion_rotate(q + 3, low, low);
  for (int k = 0; k < 3; k++) {
    low[k] += q[k];
  }
  const touch c = {.gap = gap, .body = {0, FIXED}, .point = {low, low}, .n = n};
  return gap > margin ? 0 : bodies_touch(&s->all, q, sink, &c);
}

/* On the plane, tilted about its long axis, it turns about the vertical at `spin` and rolls. */
static nsdyn_status start(machine *m, stone *s, double spin, double tilt, double mu)
{
  nsdyn_system_def def;
  bodies_define(&s->all, &def);
  def.find = find;
  double q[7] = {0.0}, u[6], low[3], arm[3];
  nsdyn_quaternion_from_axis_angle((double[]){cos(s->delta), sin(s->delta), 0.0}, tilt, q + 3);
  q[2] = lowest(s, q + 3, low);
  const double omega[3] = {0.0, 0.0, spin};
  nsdyn_quaternion_rotate(q + 3, low, arm);
  vector_cross(arm, omega, u); /* v + ω × r = 0 */
  nsdyn_quaternion_rotate_back(q + 3, omega, u + 3);
  const nsdyn_status status = machine_start_steps(m, &def, NULL, NULL, q, u);
  return status ? status : machine_add_law(m, mu, 0.0);
}

/* ---- The run ---- */

typedef struct outcome {
  double reversal;     /* when the spin first changes its sign; NaN */
  double least, most;  /* of the spin */
  double tilt, slip;   /* the largest of each */
  double energy, gain; /* at the end; the largest gain */
} outcome;

/* The lower half of the ellipsoid as rings and meridians. */
static movie *make_film(const output *out, const stone *s, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  const int number = movie_add_body(film, "stone", PLOT_BLUE);
  const double c = cos(s->delta), w = sin(s->delta);
  for (int ring = 0; ring < 6; ring++) {
    for (int across = 0; across < 2; across++) {
      double points[3 * OUTLINE];
      for (int k = 0; k < OUTLINE; k++) {
        const double one = 0.5 * PI * ring / 6.0, other = (across ? 1.0 : 2.0) * PI * k / (OUTLINE - 1);
        const double up = across ? -sin(other) : -sin(one), out_by = across ? cos(other) : cos(one);
        const double angle = across ? 2.0 * one : other;
        const double e[2] = {s->half[0] * out_by * cos(angle), s->half[1] * out_by * sin(angle)};
        points[3 * k] = c * e[0] - w * e[1];
        points[3 * k + 1] = w * e[0] + c * e[1];
        points[3 * k + 2] = s->h + s->half[2] * up;
      }
      movie_add_line(film, number, OUTLINE, points);
    }
  }
  movie_add_floor(film, 1.5 * s->half[0]);
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, stone *s, movie *film, double dt, double t_end, outcome *o,
                        record *r)
{
  const double *q = nsdyn_stepper_q(m->stepper), *u = nsdyn_stepper_u(m->stepper);
  const double before = bodies_energy(&s->all, q, u);
  double last = NAN;
  *o = (outcome){.reversal = NAN, .least = INFINITY, .most = -INFINITY};
  movie_bodies_show(film, &s->all, find, m);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    q = nsdyn_stepper_q(m->stepper);
    u = nsdyn_stepper_u(m->stepper);
    double omega[3], axis[3], low[3], speed[3];
    nsdyn_quaternion_rotate(q + 3, u + 3, omega);
    nsdyn_quaternion_rotate(q + 3, (double[]){0.0, 0.0, 1.0}, axis);
    (void)lowest(s, q + 3, low);
    nsdyn_quaternion_rotate(q + 3, low, low);
    vector_cross(omega, low, speed);
    const double t = nsdyn_stepper_time(m->stepper), spin = omega[2];
    const double tilt = atan2(hypot(axis[0], axis[1]), axis[2]);
    if (isnan(o->reversal) && last * spin < 0.0) {
      o->reversal = t - dt * spin / (spin - last);
    }
    last = spin;
    o->least = fmin(o->least, spin);
    o->most = fmax(o->most, spin);
    o->tilt = fmax(o->tilt, tilt);
    o->slip = fmax(o->slip, hypot(u[0] + speed[0], u[1] + speed[1]));
    o->energy = bodies_energy(&s->all, q, u);
    o->gain = fmax(o->gain, o->energy - before);
    movie_bodies_show(film, &s->all, find, m);
    if (r) {
      record_add(r, (double[]){t, spin, tilt, q[0] + low[0], q[1] + low[1], q[0], q[1]});
    }
  }
  return NSDYN_OK;
}

/* The stone from above, where it begins and ends; the way of its point of contact; spin and tilt. */
static void draw(const output *out, const stone *s, const double *q_end, const record *r)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "A rattleback from above with its path, and its spin and tilt over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "From above: stone at the end, way of the contact",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "y", .unit = "m"},
                             .equal = 1});
  double x[OUTLINE], y[OUTLINE];
  for (int k = 0; k < OUTLINE; k++) {
    const double angle = 2.0 * PI * k / (OUTLINE - 1),
                 e[2] = {s->half[0] * cos(angle), s->half[1] * sin(angle)};
    const double rim[3] = {cos(s->delta) * e[0] - sin(s->delta) * e[1],
                           sin(s->delta) * e[0] + cos(s->delta) * e[1], s->h};
    double turned[3];
    nsdyn_quaternion_rotate(q_end + 3, rim, turned);
    x[k] = q_end[0] + turned[0];
    y[k] = q_end[1] + turned[1];
  }
  plot_add(figure, 0, 0,
           &(plot_curve){.count = OUTLINE, .x = x, .y = y, .color = PLOT_GRAY, .dash = PLOT_SOLID});
  plot_add(figure, 0, 0,
           &(plot_curve){.count = r->rows,
                         .x = r->column[3],
                         .y = r->column[4],
                         .color = PLOT_BLUE,
                         .dash = PLOT_SOLID,
                         .width = 1.0});
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Spin and tilt",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "ω_z, 10 α"},
                             .zero_lines = 1});
  plot_add(figure, 0, 1,
           &(plot_curve){.label = "ω_z in rad/s", .count = r->rows, .x = r->column[0], .y = r->column[1]});
  double *ten = memory(NULL, (size_t)r->rows + 1, sizeof *ten);
  for (int k = 0; k < r->rows; k++) {
    ten[k] = 10.0 * r->column[2][k];
  }
  plot_add(figure, 0, 1,
           &(plot_curve){.label = "10 α in rad", .count = r->rows, .x = r->column[0], .y = ten});
  plot_write(figure, out->svg);
  plot_free(figure);
  free(ten);
}

int main(int argc, char **argv)
{
  stone s = {.half = {0.2, 0.03, 0.02}, .h = 0.01, .delta = 0.0143};
  double spin = 5.0, tilt = 0.05, mu = 1.0, m_stone = 1.0, Jx = 2e-4, Jy = 1.6e-3, Jz = 1.7e-3, g = 9.81,
         dt = 5e-5, t_end = 7.0;
  const option table[] = {
      {.name = "spin",
       .unit = "rad/s",
       .help = "about the vertical, to begin with",
       .number = &spin,
       .low = -100.0,
       .high = 100.0},
      {.name = "tilt",
       .unit = "rad",
       .help = "about the long axis, to begin with",
       .number = &tilt,
       .low = -1.0,
       .high = 1.0},
      {.name = "delta",
       .unit = "rad",
       .help = "from the axes of inertia to those of the ellipsoid",
       .number = &s.delta,
       .low = -1.5,
       .high = 1.5},
      {.name = "a",
       .unit = "m",
       .help = "half axis of the ellipsoid, along",
       .number = &s.half[0],
       .high = 1e3,
       .open = 1},
      {.name = "b", .unit = "m", .help = "across", .number = &s.half[1], .high = 1e3, .open = 1},
      {.name = "c", .unit = "m", .help = "down", .number = &s.half[2], .high = 1e3, .open = 1},
      {.name = "h", .unit = "m", .help = "its centre over the centre of mass", .number = &s.h, .high = 1e3},
      {.name = "jx",
       .unit = "kg m^2",
       .help = "moment of inertia, along",
       .number = &Jx,
       .high = 1e6,
       .open = 1},
      {.name = "jy", .unit = "kg m^2", .help = "across", .number = &Jy, .high = 1e6, .open = 1},
      {.name = "jz", .unit = "kg m^2", .help = "about the vertical", .number = &Jz, .high = 1e6, .open = 1},
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &mu, .high = 1e3},
      {.name = "m", .unit = "kg", .help = "mass", .number = &m_stone, .high = 1e6, .open = 1},
      {.name = "g", .unit = "m/s^2", .help = "gravity", .number = &g, .high = 1e6, .open = 1},
      {.name = "dt", .unit = "s", .help = "time step", .number = &dt, .high = 1.0, .open = 1},
      {.name = "t-end", .unit = "s", .help = "end of the run", .number = &t_end, .high = 1e6, .open = 1},
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "A stone that turns back.", table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  s.body = (body){.m = m_stone, .J = {Jx, Jy, Jz}};
  s.all = (bodies){.count = 1, .body = &s.body, .block = &s.block, .gravity = {0.0, 0.0, -g}};
  machine m;
  outcome o;
  record r = record_new("t,spin,tilt,x,y,x_s,y_s");
  movie *film = make_film(&out, &s, t_end);
  nsdyn_status status = start(&m, &s, spin, tilt, mu);
  double energy = 0.0;
  if (status == NSDYN_OK) {
    energy = bodies_energy(&s.all, nsdyn_stepper_q(m.stepper), nsdyn_stepper_u(m.stepper));
    status = run(&m, &s, film, dt, t_end, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    if (isfinite(o.reversal)) {
      result(&out, "reversal", o.reversal, "s");
    }
    result_text(&out, "reverses", isfinite(o.reversal) ? "yes" : "no");
    result(&out, "least_spin", o.least, "rad/s");
    result(&out, "largest_spin", o.most, "rad/s");
    result(&out, "largest_tilt", o.tilt, "rad");
    result(&out, "largest_slip", o.slip, "m/s");
    result(&out, "energy_before", energy, "J");
    result(&out, "energy", o.energy, "J");
    result(&out, "energy_gain", o.gain, "J");
    record_write(&r, &out);
    draw(&out, &s, nsdyn_stepper_q(m.stepper), &r);
  }
  record_free(&r);
  movie_close(film, &out, "A stone that turns back", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
