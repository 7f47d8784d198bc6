/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A tall block on a rough floor: when is it pushed along, when over, and how does it rock?
 *
 * A push F at the height h along the floor, in any direction φ through the middle of the block, slides it
 * where F > μ m g. It tips it where the foot of the force that the floor has to give, h F/(m g) from the
 * middle along φ, lies beyond an edge: F > m g min(a/|cos φ|, b/|sin φ|)/h, over the corner where both are
 * equal. With --tilt there is no push: the block begins on one edge, turned by that much, falls back and
 * rocks. As it comes down on the other edge, ω becomes 1 − 3/2 sin² α of what it was (Housner 1963), tan α =
 * a/c, since its angular momentum about that edge stays. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <string.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

enum { CORNERS = 8 };

typedef struct block {
  bodies all; /* first: the callbacks of bodies take it */
  body body;
  int32_t size;
  double half[3]; /* a, b, c: of its edges */
  double push[2], height;
  int (*weight)(void *user, double t, const double *q, const double *u, double *h);
} block;

/* Weight, and the push at a point of the block that was in its middle, `height` over the floor. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const block *b = user;
  const int failed = b->weight(user, t, q, u, h);
  const double F[3] = {b->push[0], b->push[1], 0.0};
  double arm[3] = {0.0, 0.0, b->height - b->half[2]}, local[3], moment[3];
  nsdyn_quaternion_rotate_back(q + 3, F, local);
  vector_cross(arm, local, moment);
  for (int k = 0; k < 3; k++) {
    h[k] += F[k];
    h[3 + k] += moment[k];
  }
  return failed;
}

static void corner_of(const block *b, const double *q, int k, double *x)
{
  const double corner[3] = {k & 1 ? b->half[0] : -b->half[0], k & 2 ? b->half[1] : -b->half[1],
                            k & 4 ? b->half[2] : -b->half[2]};
  nsdyn_quaternion_rotate(q + 3, corner, x);
  for (int j = 0; j < 3; j++) {
    x[j] += q[j];
  }
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const block *b = user;
  const double n[3] = {0.0, 0.0, 1.0};
  (void)t, (void)u;
  for (int k = 0; k < CORNERS; k++) {
    double x[3];
    corner_of(b, q, k, x);
    const touch c = {.key = k, .gap = x[2], .body = {0, FIXED}, .point = {x, x}, .n = n};
    if (c.gap <= margin && bodies_touch(&b->all, q, sink, &c)) {
      return -1;
    }
  }
  return 0;
}

static nsdyn_status start(machine *m, block *b, double mu, double tilt, double *q)
{
  nsdyn_system_def def;
  bodies_define(&b->all, &def);
  b->weight = def.force;
  def.force = force;
  def.find = find;
  /* On the edge x = a, which stays where it is. */
  const double a = b->half[0], c = b->half[2], u[6] = {0.0};
  q[0] = a - a * cos(tilt) + c * sin(tilt);
  q[2] = a * sin(tilt) + c * cos(tilt);
  nsdyn_quaternion_from_axis_angle((double[]){0.0, 1.0, 0.0}, tilt, q + 3);
  const nsdyn_status status = machine_start_steps(m, &def, NULL, NULL, q, u);
  return status ? status : machine_add_law(m, mu, 0.0);
}

/* ---- The run ---- */

typedef struct outcome {
  double way, turn;           /* of the centre along the floor; the largest angle from upright */
  double falls;               /* when it first comes down on its face; NaN */
  double before, after;       /* its rate, just before and just after that */
  double energy_before, gain; /* the largest gain of energy, the work of the push taken off */
} outcome;

static double turn_of(const double *q)
{
  return 2.0 * asin(fmin(1.0, hypot(q[4], q[5])));
}

static movie *make_film(const output *out, const block *b, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  movie_add_box(film, movie_add_body(film, "block", PLOT_BLUE), (double[]){0.0, 0.0, 0.0}, b->half);
  movie_add_floor(film, 2.0 * (b->half[0] + b->half[1]));
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, block *b, movie *film, const double *q0, double dt, double t_end,
                        outcome *o, record *r)
{
  const double *q = nsdyn_stepper_q(m->stepper), *u = nsdyn_stepper_u(m->stepper);
  o->energy_before = bodies_energy(&b->all, q, u);
  o->falls = o->before = o->after = NAN;
  movie_bodies_show(film, &b->all, find, m);
  int was_up = turn_of(q0) > 0.0;
  /* Until it lies: from a quarter of a turn on it is on its way down. */
  while (machine_is_before(m, t_end, dt) && o->turn < 1.0) {
    const double rate = u[4];
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    q = nsdyn_stepper_q(m->stepper);
    u = nsdyn_stepper_u(m->stepper);
    nsdyn_step_report report;
    nsdyn_step_report_init(&report, sizeof report);
    nsdyn_stepper_report(m->stepper, &report);
    if (was_up && report.active == 4) { /* the other edge takes part */
      was_up = 0;
      o->falls = nsdyn_stepper_time(m->stepper);
      o->before = rate;
      o->after = u[4];
    }
    o->way = fmax(o->way, hypot(q[0] - q0[0], q[1] - q0[1]));
    o->turn = fmax(o->turn, turn_of(q));
    double work = 0.0, top[3];
    nsdyn_quaternion_rotate(q + 3, (double[]){0.0, 0.0, b->height - b->half[2]}, top);
    for (int k = 0; k < 2; k++) {
      work += b->push[k] * (q[k] + top[k] - q0[k]);
    }
    o->gain = fmax(o->gain, bodies_energy(&b->all, q, u) - o->energy_before - work);
    movie_bodies_show(film, &b->all, find, m);
    if (r) {
      double row[10] = {nsdyn_stepper_time(m->stepper), 2.0 * asin(q[5]), u[4]};
      memcpy(row + 3, q, 7 * sizeof *q);
      record_add(r, row);
    }
  }
  return NSDYN_OK;
}

/* The block from the side: the corners of its middle section. */
static void draw_block(plot_figure *figure, const block *b, const double *q, int color, double width)
{
  double x[5], z[5];
  for (int k = 0; k < 5; k++) {
    const double corner[3] = {k == 1 || k == 2 ? b->half[0] : -b->half[0], 0.0,
                              k == 2 || k == 3 ? b->half[2] : -b->half[2]};
    double turned[3];
    nsdyn_quaternion_rotate(q + 3, corner, turned);
    x[k] = q[0] + turned[0];
    z[k] = q[2] + turned[2];
  }
  plot_add(figure, 0, 0,
           &(plot_curve){.count = 5, .x = x, .y = z, .color = color, .dash = PLOT_SOLID, .width = width});
}

static void draw(const output *out, const block *b, const double *q0, const record *r)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "A block from the side at some instants, and its angle and rate over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "From the side",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "z", .unit = "m"},
                             .equal = 1});
  draw_block(figure, b, q0, PLOT_GRAY, 3.0);
  for (int k = 1; k <= 4 && r->rows > 0; k++) {
    const int row = k * (r->rows - 1) / 4;
    double q[7];
    for (int j = 0; j < 7; j++) {
      q[j] = r->column[3 + j][row];
    }
    draw_block(figure, b, q, PLOT_BLUE, 1.2);
  }
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Angle",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "θ", .unit = "rad", .with_zero = 1},
                             .zero_lines = 1});
  plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[1]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const block *b, const outcome *o, double mu, double azimuth)
{
  const double weight = -b->all.gravity[2] * b->body.m;
  const double foot = fmin(b->half[0] / fabs(cos(azimuth)), b->half[1] / fabs(sin(azimuth)));
  const double sine = b->half[0] / hypot(b->half[0], b->half[2]);
  result(out, "push_slides", mu * weight, "N");
  result(out, "push_tips", foot * weight / b->height, "N");
  result(out, "way", o->way, "m");
  result(out, "turn", o->turn, "rad");
  if (isfinite(o->falls)) {
    result(out, "falls", o->falls, "s");
    result(out, "rate_before", o->before, "rad/s");
    result(out, "rate_after", o->after, "rad/s");
    result(out, "rate_ratio", o->after / o->before, "1");
    result(out, "rate_ratio_exact", 1.0 - 1.5 * sine * sine, "1");
  }
  result(out, "energy_before", o->energy_before, "J");
  result(out, "energy_gain", o->gain, "J");
}

int main(int argc, char **argv)
{
  block b = {.half = {0.1, 0.15, 0.4}, .height = 0.6};
  double push = 0.0, azimuth = 0.0, tilt = 0.12, mu = 0.5, m_block = 10.0, g = 9.81, dt = 1e-4, t_end = 1.0;
  const option table[] = {
      {.name = "push", .unit = "N", .help = "force along the floor", .number = &push, .high = 1e6},
      {.name = "azimuth",
       .unit = "rad",
       .help = "which way, from x",
       .number = &azimuth,
       .low = -10.0,
       .high = 10.0},
      {.name = "height",
       .unit = "m",
       .help = "of the push over the floor",
       .number = &b.height,
       .high = 1e3,
       .open = 1},
      {.name = "tilt",
       .unit = "rad",
       .help = "to begin with, on one edge (without a push)",
       .number = &tilt,
       .high = 1.0},
      {.name = "a", .unit = "m", .help = "half the width", .number = &b.half[0], .high = 1e3, .open = 1},
      {.name = "b", .unit = "m", .help = "half the depth", .number = &b.half[1], .high = 1e3, .open = 1},
      {.name = "c", .unit = "m", .help = "half the height", .number = &b.half[2], .high = 1e3, .open = 1},
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &mu, .high = 1e3},
      {.name = "m", .unit = "kg", .help = "mass", .number = &m_block, .high = 1e6, .open = 1},
      {.name = "g", .unit = "m/s^2", .help = "gravity", .number = &g, .high = 1e6, .open = 1},
      {.name = "dt", .unit = "s", .help = "time step", .number = &dt, .high = 1.0, .open = 1},
      {.name = "t-end", .unit = "s", .help = "end of the run", .number = &t_end, .high = 1e6, .open = 1},
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A tall block that slides, tips or rocks.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  const double x = b.half[0] * b.half[0], y = b.half[1] * b.half[1], z = b.half[2] * b.half[2];
  b.body =
      (body){.m = m_block, .J = {m_block * (y + z) / 3.0, m_block * (z + x) / 3.0, m_block * (x + y) / 3.0}};
  b.all = (bodies){.count = 1, .body = &b.body, .block = &b.size, .gravity = {0.0, 0.0, -g}};
  b.push[0] = push * cos(azimuth);
  b.push[1] = push * sin(azimuth);
  machine m;
  outcome o = {0};
  double q0[7] = {0.0};
  record r = record_new("t,theta,rate,x,y,z,q0,q1,q2,q3");
  movie *film = make_film(&out, &b, t_end);
  nsdyn_status status = start(&m, &b, mu, push > 0.0 ? 0.0 : tilt, q0);
  if (status == NSDYN_OK) {
    status = run(&m, &b, film, q0, dt, t_end, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    print(&out, &b, &o, mu, azimuth);
    record_write(&r, &out);
    draw(&out, &b, q0, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A tall block that slides, tips or rocks", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
