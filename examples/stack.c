/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A stack of boxes at rest: what is left of it after many steps?
 *
 * Each box stands with its four lower corners on the face of the one below, on a floor that may slope. Four
 * corners with friction have 12 impulses for the 6 velocities of a box, so that many impulses do the same,
 * and the stack has to stay where it is with any of them: without creep, without jitter, without energy from
 * nowhere. With --gap the boxes begin above each other, fall, and come to rest first. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define BOXES 50

typedef struct stack {
  bodies all; /* first: the callbacks of bodies take it */
  body box[BOXES];
  int32_t block[BOXES];
  double half[3]; /* of a box's edges */
} stack;

static const double world[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};

/* The lower corners of each box over the upper face of the one below. Equal boxes lie edge on edge, so a
 * corner counts a hair beyond the face too. */
static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const stack *s = user;
  const double hair = 1e-3;
  (void)t, (void)u;
  for (int i = 0; i < s->all.count; i++) {
    const double *own = q + 7 * i, *below = i ? own - 7 : world;
    const double top = i ? s->half[2] : 0.0;
    double R[9];
    nsdyn_quaternion_to_matrix(below + 3, R);
    const double n[3] = {R[2], R[5], R[8]}, t1[3] = {R[0], R[3], R[6]};
    for (int k = 0; k < 4; k++) {
      double corner[3] = {k & 1 ? s->half[0] : -s->half[0], k & 2 ? s->half[1] : -s->half[1], -s->half[2]};
      nsdyn_quaternion_rotate(own + 3, corner, corner);
      double way[3], place[3]; /* from the centre below; the same along its axes */
      for (int j = 0; j < 3; j++) {
        corner[j] += own[j];
        way[j] = corner[j] - below[j];
      }
      nsdyn_quaternion_rotate_back(below + 3, way, place);
      const double gap = vector_dot(n, way) - top;
      const int is_over =
          !i || (fabs(place[0]) <= (1.0 + hair) * s->half[0] && fabs(place[1]) <= (1.0 + hair) * s->half[1]);
      if (gap > margin || !is_over) {
        continue;
      }
      const touch c = {.key = 4 * i + k,
                       .gap = gap,
                       .body = {i, i ? i - 1 : FIXED},
                       .point = {corner, corner},
                       .n = n,
                       .t1 = t1};
      if (bodies_touch(&s->all, q, sink, &c)) {
        return -1;
      }
    }
  }
  return 0;
}

static nsdyn_status start(machine *m, stack *s, double mu, double eps, double gap, double tol, double *q)
{
  nsdyn_system_def def;
  bodies_define(&s->all, &def);
  def.find = find;
  for (int i = 0; i < s->all.count; i++) {
    q[7 * i + 2] = (2 * i + 1) * s->half[2] + (i + 1) * gap;
    q[7 * i + 3] = 1.0;
  }
  double u[6 * BOXES] = {0.0};
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.tol = tol;
  const nsdyn_status status = machine_start_steps(m, &def, NULL, &options, q, u);
  return status ? status : machine_add_law(m, mu, eps);
}

/* ---- The run ---- */

typedef struct outcome {
  double drift, creep, turn, speed, largest_energy, depth; /* the largest of each */
  int contacts;                                            /* in the last step */
} outcome;

/* How far the boxes have gone from q0, and how far they have turned. */
static void look(const stack *s, const nsdyn_stepper *stepper, const double *q0, outcome *o)
{
  const double *q = nsdyn_stepper_q(stepper), *u = nsdyn_stepper_u(stepper);
  for (int i = 0; i < s->all.count; i++, q += 7, q0 += 7, u += 6) {
    const double way[3] = {q[0] - q0[0], q[1] - q0[1], q[2] - q0[2]};
    double back[4], turned[4];
    nsdyn_quaternion_conjugate(q0 + 3, back);
    nsdyn_quaternion_multiply(q + 3, back, turned);
    o->drift = fmax(o->drift, sqrt(vector_dot(way, way)));
    o->creep = fmax(o->creep, hypot(way[0], way[1]));
    o->turn = fmax(o->turn, 2.0 * sqrt(vector_dot(turned + 1, turned + 1)));
    o->speed = fmax(o->speed, sqrt(vector_dot(u, u)));
  }
}

static movie *make_film(const output *out, const stack *s, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  for (int i = 0; i < s->all.count; i++) {
    movie_add_box(film, movie_add_body(film, "box", PLOT_COLOR_AUTO), (double[]){0.0, 0.0, 0.0}, s->half);
  }
  movie_add_floor(film, 2.0 * s->half[0]);
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, stack *s, movie *film, const double *q0, int steps, double dt,
                        outcome *o, record *r)
{
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  o->largest_energy = -INFINITY;
  movie_bodies_show(film, &s->all, find, m);
  for (int n = 1; n <= steps; n++) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    nsdyn_stepper_report(m->stepper, &report);
    const double energy = bodies_energy(&s->all, nsdyn_stepper_q(m->stepper), nsdyn_stepper_u(m->stepper));
    look(s, m->stepper, q0, o);
    o->largest_energy = fmax(o->largest_energy, energy);
    o->depth = fmax(o->depth, report.gap);
    o->contacts = report.active;
    movie_bodies_show(film, &s->all, find, m);
    if (r) {
      record_add(r, (double[]){n * dt, o->drift, o->turn, o->speed, energy});
    }
  }
  return NSDYN_OK;
}

static void outline(const stack *s, const double *q, double x[5], double z[5])
{
  for (int k = 0; k < 5; k++) {
    const double corner[3] = {k == 1 || k == 2 ? s->half[0] : -s->half[0], 0.0,
                              k == 2 || k == 3 ? s->half[2] : -s->half[2]};
    double turned[3];
    nsdyn_quaternion_rotate(q + 3, corner, turned);
    x[k] = q[0] + turned[0];
    z[k] = q[2] + turned[2];
  }
}

static void draw(const output *out, const stack *s, const double *q0, const double *q, const record *r)
{
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "A stack of boxes from the side, before and after, and how far it has gone");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "From the side, before (gray) and after",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "z", .unit = "m"},
                             .equal = 1});
  for (int after = 0; after < 2; after++) {
    for (int i = 0; i < s->all.count; i++) {
      double x[5], z[5];
      outline(s, (after ? q : q0) + 7 * i, x, z);
      plot_add(figure, 0, 0,
               &(plot_curve){.count = 5,
                             .x = x,
                             .y = z,
                             .color = after ? PLOT_BLUE : PLOT_GRAY,
                             .dash = PLOT_SOLID,
                             .width = after ? 1.2 : 4.0});
    }
  }
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Farthest so far",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "way of a box", .unit = "m", .with_zero = 1}});
  plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[1]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const outcome *o, double energy_before, double energy, int steps)
{
  result(out, "contacts", o->contacts, "1");
  result(out, "drift", o->drift, "m");
  result(out, "drift_per_step", o->drift / steps, "m");
  result(out, "creep", o->creep, "m");
  result(out, "turn", o->turn, "rad");
  result(out, "largest_speed", o->speed, "m/s");
  result(out, "depth", o->depth, "m");
  result(out, "energy_before", energy_before, "J");
  result(out, "energy", energy, "J");
  result(out, "energy_gain", o->largest_energy - energy_before, "J");
}

int main(int argc, char **argv)
{
  stack s = {.half = {0.2, 0.15, 0.05}};
  int boxes = 10, steps = 1000;
  double mu = 0.5, eps = 0.0, slope = 0.0, azimuth = 0.0, gap = 0.0, m_box = 2.0, g = 9.81, tol = 1e-9,
         dt = 1e-3;
  const option table[] = {
      {.name = "boxes", .help = "how many", .count = &boxes, .low = 1, .high = BOXES},
      {.name = "steps", .help = "how many", .count = &steps, .low = 1, .high = 1e9},
      OPTION_MU(mu),
      OPTION_EPS(eps),
      {.name = "slope", .unit = "rad", .help = "of the floor", .number = &slope, .high = 1.5},
      {.name = "azimuth",
       .unit = "rad",
       .help = "which way it slopes, from x",
       .number = &azimuth,
       .low = -10.0,
       .high = 10.0},
      {.name = "gap",
       .unit = "m",
       .help = "room between the boxes at the beginning",
       .number = &gap,
       .high = 1e3},
      {.name = "m", .unit = "kg", .help = "mass of a box", .number = &m_box, .high = 1e6, .open = 1},
      {.name = "g", .unit = "m/s^2", .help = "gravity", .number = &g, .high = 1e6},
      {.name = "tol",
       .unit = "1",
       .help = "of the contact solver",
       .number = &tol,
       .low = 1e-15,
       .high = 0.1},
      OPTION_DT(dt),
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "A stack of boxes at rest.", table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  for (int i = 0; i < boxes; i++) {
    const double x = s.half[0] * s.half[0], y = s.half[1] * s.half[1], z = s.half[2] * s.half[2];
    s.box[i] = (body){.m = m_box, .J = {m_box * (y + z) / 3.0, m_box * (z + x) / 3.0, m_box * (x + y) / 3.0}};
  }
  s.all =
      (bodies){.count = boxes,
               .body = s.box,
               .block = s.block,
               .gravity = {g * sin(slope) * cos(azimuth), g * sin(slope) * sin(azimuth), -g * cos(slope)}};
  machine m;
  outcome o = {0};
  double q0[7 * BOXES] = {0.0};
  record r = record_new("t,drift,turn,largest_speed,energy");
  movie *film = make_film(&out, &s, steps * dt);
  nsdyn_status status = start(&m, &s, mu, eps, gap, tol, q0);
  double energy = 0.0;
  if (status == NSDYN_OK) {
    energy = bodies_energy(&s.all, q0, nsdyn_stepper_u(m.stepper));
    status = run(&m, &s, film, q0, steps, dt, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    print(&out, &o, energy, bodies_energy(&s.all, nsdyn_stepper_q(m.stepper), nsdyn_stepper_u(m.stepper)),
          steps);
    record_write(&r, &out);
    draw(&out, &s, q0, nsdyn_stepper_q(m.stepper), &r);
  }
  record_free(&r);
  movie_close(film, &out, "A stack of boxes", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
