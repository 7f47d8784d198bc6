/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A box slides over the edge of a landing and tumbles down the stairs: corners of the box on treads, edges of
 * the stairs on its sides. Which they are is found; events locate each corner that comes down, slides over an
 * edge, lifts off. With --compare the same by steps of dt, dt/2, dt/4, beside the events: the distance goes
 * with the step, as long as the order of the impacts stays the same. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie_world.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

enum { MOST_STEPS = 40, PICTURES = 24 };

typedef struct stairs {
  double width, height; /* of the box */
  double run, rise;     /* of a step */
  int steps;
  double speed, mu, eps, g;
  double x[2 * MOST_STEPS + 4], y[2 * MOST_STEPS + 4]; /* the profile */
  int points;
} stairs;

/* ---- the world ---- */

static void build_profile(stairs *s)
{
  int n = 0;
  s->x[n] = -10.0 * s->run;
  s->y[n++] = 0.0;
  for (int i = 0; i < s->steps; i++) {
    /* the edge of a tread, and the foot of its riser */
    s->x[n] = i * s->run;
    s->y[n++] = -i * s->rise;
    s->x[n] = i * s->run;
    s->y[n++] = -(i + 1) * s->rise;
  }
  s->x[n] = (s->steps + 40) * s->run;
  s->y[n++] = -s->steps * s->rise;
  s->points = n;
}

static nsdyn_status add_stairs(nsdyn_world *world, const stairs *s, movie_world *film, nsdyn_error *error)
{
  double points[2 * (2 * MOST_STEPS + 4)];
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  for (int k = 0; k < s->points; k++) {
    points[2 * k] = s->x[k];
    points[2 * k + 1] = s->y[k];
  }
  def.kind = NSDYN_SHAPE_PROFILE;
  def.side = NSDYN_SIDE_RIGHT;
  def.count = s->points;
  def.points = points;
  return movie_world_attach(film, world, NSDYN_GROUND, &def, NULL, error);
}

static nsdyn_status add_box(nsdyn_world *world, const stairs *s, movie_world *film, nsdyn_error *error)
{
  const double a = 0.5 * s->width, b = 0.5 * s->height, points[] = {-a, -b, a, -b, a, b, -a, b};
  nsdyn_shape_def def;
  nsdyn_body_def body;
  int32_t number;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_body_def_init(&body, sizeof body);
  def.count = 4;
  def.points = points;
  body.pose[0] = -s->width;
  body.pose[1] = b;
  body.velocity[0] = s->speed;
  body.name = "box";
  const nsdyn_status status = nsdyn_world_add_body(world, &body, &number);
  return status ? status : movie_world_attach(film, world, number, &def, NULL, error);
}

static nsdyn_status make_world(const stairs *s, nsdyn_world **world, movie_world *film, nsdyn_error *error)
{
  nsdyn_world_options options;
  nsdyn_contact_law law;
  nsdyn_world_options_init(&options, sizeof options);
  nsdyn_contact_law_init(&law, sizeof law);
  options.gravity[1] = -s->g;
  law.mu = s->mu;
  law.eps_n = s->eps;
  nsdyn_status status = nsdyn_world_new(NULL, &options, world, error);
  status = status ? status : nsdyn_world_set_law(*world, 0, 0, &law);
  status = status ? status : add_stairs(*world, s, film, error);
  return status ? status : add_box(*world, s, film, error);
}

/* ---- runs ---- */

typedef struct outcome {
  double end[3], energy[2]; /* at the beginning and in the end */
  int impacts;              /* instants, by events */
} outcome;

static double energy_of(const nsdyn_world *world, const machine *m)
{
  nsdyn_world_energy energy;
  nsdyn_world_energy_init(&energy, sizeof energy);
  nsdyn_world_measure(world, machine_time(m), machine_q(m), machine_u(m), &energy);
  return energy.kinetic + energy.gravity;
}

/* By events or steps; `r` and `film` may be NULL. */
static nsdyn_status run(const stairs *s, machine *m, int scheme, double tol, double dt, double t_end,
                        outcome *o, record *r, movie_world *film)
{
  nsdyn_world *world = NULL;
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  nsdyn_status status = make_world(s, &world, film, &m->error);
  status = machine_built(m, world, status);
  status = status ? status : machine_start_world(m, scheme, tol, world);
  for (int first = 1; status == NSDYN_OK; first = 0) {
    const double *q = machine_q(m), *u = machine_u(m);
    if (r) {
      record_add(r, (double[]){machine_time(m), q[0], q[1], q[2], u[0], u[1], u[2]});
    }
    movie_world_show(film, world, m, NULL);
    o->energy[0] = first ? energy_of(world, m) : o->energy[0];
    if (!machine_is_before(m, t_end, dt)) {
      for (int k = 0; k < 3; k++) {
        o->end[k] = q[k];
      }
      o->energy[1] = energy_of(world, m);
      break;
    }
    status = machine_step(m, t_end, dt);
  }
  double last = -1.0;
  for (int k = 0; status == NSDYN_OK && m->driver && k < machine_events(m); k++) {
    const nsdyn_event e = machine_event(m, k);
    if (e.kind == NSDYN_EVENT_IMPACT && e.before[0] < 0.0 && e.t > last) {
      o->impacts++;
      last = e.t;
    }
  }
  nsdyn_world_free(world); /* the system holds it */
  return status;
}

/* How far steps end from where events do. */
static nsdyn_status compare(const stairs *s, machine *m, double dt, double t_end, const outcome *events,
                            const output *out)
{
  static const char *const names[] = {"miss_dt", "miss_dt_2", "miss_dt_4"};
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < 3 && status == NSDYN_OK; k++) {
    outcome o = {.impacts = 0};
    status = run(s, m, MACHINE_STEPS, 0.0, ldexp(dt, -k), t_end, &o, NULL, NULL);
    if (status == NSDYN_OK) {
      result(out, names[k], hypot(o.end[0] - events->end[0], o.end[1] - events->end[1]), "m");
      (void)machine_stop(m, out, NSDYN_OK);
    }
  }
  return status;
}

/* ---- the picture ---- */

static void draw(const output *out, const stairs *s, const record *r)
{
  if (!out->svg || r->rows == 0) {
    return;
  }
  const double a = 0.5 * s->width, b = 0.5 * s->height;
  const double corner[5][2] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}, {-a, -b}};
  plot_figure *figure = plot_new(1, 1);
  plot_set_panel_size(figure, 720.0, 480.0);
  plot_set_description(figure, "Outlines of a box at equal times on its way down the stairs");
  plot_set_axes(
      figure, 0, 0,
      &(plot_axes){.x = {.name = "x", .unit = "m", .low = -2.0 * s->width, .high = (s->steps + 3) * s->run},
                   .y = {.name = "y", .unit = "m"},
                   .equal = 1});
  plot_add(figure, 0, 0,
           &(plot_curve){.count = s->points, .x = s->x, .y = s->y, .color = PLOT_BLACK, .dash = PLOT_SOLID});
  double next = 0.0;
  for (int row = 0; row < r->rows; row++) {
    if (r->column[0][row] < next && row + 1 < r->rows) {
      continue;
    }
    double x[5], y[5];
    const double phi = r->column[3][row];
    for (int k = 0; k < 5; k++) {
      x[k] = r->column[1][row] + cos(phi) * corner[k][0] - sin(phi) * corner[k][1];
      y[k] = r->column[2][row] + sin(phi) * corner[k][0] + cos(phi) * corner[k][1];
    }
    plot_add(figure, 0, 0,
             &(plot_curve){.count = 5, .x = x, .y = y, .color = PLOT_BLUE, .dash = PLOT_SOLID, .width = 1.2});
    next += r->column[0][r->rows - 1] / PICTURES;
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  stairs s = {
      .width = 0.3, .height = 0.2, .run = 0.5, .rise = 0.3, .steps = 4, .speed = 3.5, .mu = 0.3, .g = 9.81};
  double tol = 1e-9, dt = 2e-4, t_end = 2.5;
  int scheme = MACHINE_EVENTS, events = 0, compares = 0;
  const option table[] = {
      {.name = "width", .unit = "m", .help = "of the box", .number = &s.width, .low = 1e-3, .high = 1e3},
      {.name = "height", .unit = "m", .help = "of the box", .number = &s.height, .low = 1e-3, .high = 1e3},
      {.name = "run", .unit = "m", .help = "length of a tread", .number = &s.run, .low = 1e-3, .high = 1e3},
      {.name = "rise", .unit = "m", .help = "height of a step", .number = &s.rise, .low = 1e-3, .high = 1e3},
      {.name = "steps", .help = "how many", .count = &s.steps, .low = 1, .high = MOST_STEPS},
      {.name = "speed", .unit = "m/s", .help = "of the box to begin with", .number = &s.speed, .high = 1e3},
      OPTION_MU(s.mu),
      OPTION_EPS(s.eps),
      OPTION_GRAVITY(s.g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_EVENTS(events),
      OPTION_HTML,
      {.name = "compare", .help = "with steps of dt, dt/2, dt/4", .flag = &compares},
  };
  output out;
  const int code = options_read(&out, argc, argv, "A box that tumbles down the stairs.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  build_profile(&s);
  machine m = {0};
  outcome o = {.impacts = 0};
  record r = record_new("t,x,y,phi,vx,vy,omega");
  movie_world *film = movie_world_new(&out, t_end);
  nsdyn_status status = run(&s, &m, scheme, tol, dt, t_end, &o, &r, film);
  movie_world_close(film, &out, "A box tumbles down the stairs", "");
  if (status == NSDYN_OK) {
    result(&out, "x", o.end[0], "m");
    result(&out, "y", o.end[1], "m");
    result(&out, "phi", o.end[2], "rad");
    result(&out, "energy_begin", o.energy[0], "J");
    result(&out, "energy_end", o.energy[1], "J");
    if (m.driver) {
      result(&out, "impacts", o.impacts, "1");
    }
    if (events && m.driver) {
      machine_print_events(&m, &out);
    }
    record_write(&r, &out);
    draw(&out, &s, &r);
  }
  if (status == NSDYN_OK && compares) {
    (void)machine_stop(&m, &out, NSDYN_OK);
    status = compare(&s, &m, dt, t_end, &o, &out);
  }
  record_free(&r);
  return output_close(&out, machine_stop(&m, &out, status));
}
