/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Polygons of any shape, convex or not, that fall into a box and come to rest.
 *
 * Each has up to --corners vertices, at random angles and distances from a point within; what touches what is
 * found. At rest nothing creeps: forces of friction are found that hold all still, so that velocities are
 * zero but for rounding, and --watch seconds later each polygon is where it was. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>

#include "common/machine.h"
#include "common/movie_world.h"
#include "common/options.h"
#include "common/planar.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { MOST_CORNERS = 32, MOST_POLYGONS = 5000 };

typedef struct polygon {
  int corners;
  double points[2 * MOST_CORNERS];
} polygon;

typedef struct pile {
  int count, corners, seed;
  double width, r, rough; /* of the box; largest distance of a vertex; share of it that it may lack */
  double mu, eps, g;
  polygon *of;
  nsdyn_world *world;
  movie_world *film;
} pile;

/* ---- the world ---- */

/* Vertices at angles that go round, at least a tenth of a sector apart: it crosses itself nowhere. */
static void shape_polygon(const pile *p, polygon *g, uint32_t *state)
{
  g->corners = 3 + (int)((p->corners - 2) * random_share(state));
  const double size = p->r * (0.6 + 0.4 * random_share(state)), turn = 2.0 * PI * random_share(state);
  for (int k = 0; k < g->corners; k++) {
    const double angle = turn + 2.0 * PI * (k + 0.9 * random_share(state)) / g->corners;
    const double r = size * (1.0 - p->rough * random_share(state));
    g->points[2 * k] = r * cos(angle);
    g->points[2 * k + 1] = r * sin(angle);
  }
}

/* Rows of them, from wall to wall, each in a square of its own. */
static nsdyn_status add_polygons(pile *p, nsdyn_error *error)
{
  uint32_t state = (uint32_t)p->seed;
  const int across = (int)(p->width / (2.0 * p->r));
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < p->count && status == NSDYN_OK; i++) {
    nsdyn_body_def def;
    int32_t body;
    nsdyn_body_def_init(&def, sizeof def);
    def.pose[0] = (i % across + 0.5) * p->width / across;
    const int layer = i / across;
    def.pose[1] = 1.001 * (2 * layer + 1) * p->r;
    shape_polygon(p, &p->of[i], &state);
    status = nsdyn_world_add_body(p->world, &def, &body);
    status = status ? status
                    : planar_attach(p->film, p->world, body, NSDYN_SHAPE_POLYGON, p->of[i].corners,
                                    p->of[i].points, NULL, error);
  }
  return status;
}

static nsdyn_status make_world(pile *p, nsdyn_error *error)
{
  const int rows = p->count / (int)(p->width / (2.0 * p->r)) + 2;
  const double height = 2.2 * rows * p->r;
  const double box[] = {p->width, height, p->width, 0.0, 0.0, 0.0, 0.0, height}; /* solid to the left */
  nsdyn_status status = planar_world(p->g, p->mu, p->eps, &p->world, error);
  status = status ? status
                  : planar_attach(p->film, p->world, NSDYN_GROUND, NSDYN_SHAPE_PROFILE, 4, box, NULL, error);
  return status ? status : add_polygons(p, error);
}

/* ---- the run ---- */

typedef struct outcome {
  double energy[2], gain; /* at the beginning and in the end; the largest of a step */
  double depth;           /* of the deepest contact */
  double speed;           /* in the end, of a vertex, at most */
  double creep;           /* the longest way of one over the last --watch seconds, at most */
  int contacts, most;
} outcome;

static void look_at_contacts(const machine *m, outcome *o)
{
  o->contacts = machine_active(m);
  o->most = o->contacts > o->most ? o->contacts : o->most;
  for (int k = 0; k < o->contacts; k++) {
    o->depth = fmax(o->depth, -machine_active_contact(m, k).gap);
  }
}

/* How far a vertex goes at most as coordinates change by so much; with velocities how fast. */
static double reach(const pile *p, const double *to, const double *from)
{
  double most = 0.0;
  for (int i = 0; i < p->count; i++) {
    const double *a = to + (ptrdiff_t)3 * i, *b = from ? from + (ptrdiff_t)3 * i : (double[3]){0.0};
    most = fmax(most, hypot(a[0] - b[0], a[1] - b[1]) + p->r * fabs(a[2] - b[2]));
  }
  return most;
}

static nsdyn_status run(const pile *p, machine *m, double dt, double t_end, double watch, outcome *o,
                        record *r)
{
  double *before = memory(NULL, 3 * (size_t)p->count, sizeof *before);
  double last = o->energy[0] = planar_energy(p->world, 0.0, machine_q(m), machine_u(m));
  int watches = 0;
  nsdyn_status status = NSDYN_OK;
  movie_world_show(p->film, p->world, m, NULL);
  while (status == NSDYN_OK && machine_is_before(m, t_end, dt)) {
    status = machine_step(m, t_end, dt);
    const double t = machine_time(m), *q = machine_q(m), *u = machine_u(m);
    const double energy = planar_energy(p->world, t, q, u);
    o->gain = fmax(o->gain, energy - last);
    last = energy;
    look_at_contacts(m, o);
    if (!watches && t >= t_end - watch - 0.5 * dt) {
      watches = 1;
      for (int j = 0; j < 3 * p->count; j++) {
        before[j] = q[j];
      }
    }
    record_add(r, (double[]){t, energy, reach(p, u, NULL), o->contacts, o->depth});
    movie_world_show(p->film, p->world, m, NULL);
  }
  o->energy[1] = last;
  o->speed = reach(p, machine_u(m), NULL);
  o->creep = watches ? reach(p, machine_q(m), before) : 0.0;
  free(before);
  return status;
}

/* ---- the picture ---- */

static void draw(const output *out, const pile *p, const machine *m, const record *r)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "Polygons at rest in a box, and the largest speed over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.x = {.name = "x", .unit = "m"}, .y = {.name = "y", .unit = "m"}, .equal = 1});
  double high = 0.0;
  for (int i = 0; i < p->count; i++) {
    double x[MOST_CORNERS + 1], y[MOST_CORNERS + 1], pose[3];
    nsdyn_world_pose(p->world, i, machine_time(m), machine_q(m), NULL, pose, NULL);
    planar_outline(pose, p->of[i].corners, p->of[i].points, x, y);
    plot_add(figure, 0, 0,
             &(plot_curve){.count = p->of[i].corners + 1,
                           .x = x,
                           .y = y,
                           .color = i % 2 ? PLOT_BLUE : PLOT_GREEN,
                           .dash = PLOT_SOLID,
                           .width = 1.0});
    high = fmax(high, pose[1] + p->r);
  }
  const double x[] = {p->width, p->width, 0.0, 0.0}, y[] = {high, 0.0, 0.0, high};
  plot_add(figure, 0, 0, &(plot_curve){.count = 4, .x = x, .y = y, .color = PLOT_BLACK, .dash = PLOT_SOLID});
  plot_set_axes(
      figure, 0, 1,
      &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "speed", .unit = "m/s", .log = 1}});
  plot_add(
      figure, 0, 1,
      &(plot_curve){
          .count = r->rows, .x = r->column[0], .y = r->column[2], .color = PLOT_BLUE, .dash = PLOT_SOLID});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const outcome *o)
{
  result(out, "contacts", o->contacts, "1");
  result(out, "most_contacts", o->most, "1");
  result(out, "penetration", o->depth, "m");
  result(out, "energy_before", o->energy[0], "J");
  result(out, "energy", o->energy[1], "J");
  result(out, "energy_gain", o->gain, "J");
  result(out, "speed", o->speed, "m/s");
  result(out, "creep", o->creep, "m");
}

int main(int argc, char **argv)
{
  pile p = {.count = 16,
            .corners = 8,
            .seed = 1,
            .width = 1.0,
            .r = 0.08,
            .rough = 0.4,
            .mu = 0.5,
            .eps = 0.0,
            .g = 9.81};
  double dt = 1e-3, t_end = 1.5, watch = 0.3, tol = 1e-9;
  int scheme = MACHINE_STEPS;
  const option table[] = {
      {.name = "polygons", .help = "how many", .count = &p.count, .low = 1, .high = MOST_POLYGONS},
      {.name = "corners",
       .help = "of a polygon, at most",
       .count = &p.corners,
       .low = 3,
       .high = MOST_CORNERS},
      {.name = "seed", .help = "of shapes", .count = &p.seed, .low = 0, .high = 1e9},
      {.name = "width", .unit = "m", .help = "of the box", .number = &p.width, .low = 1e-3, .high = 1e3},
      {.name = "r",
       .unit = "m",
       .help = "largest radius of a polygon, at most half the box",
       .number = &p.r,
       .low = 1e-4,
       .high = 1e2},
      {.name = "rough",
       .unit = "1",
       .help = "what vertices may lack of the radius",
       .number = &p.rough,
       .high = 0.9},
      {.name = "watch",
       .unit = "s",
       .help = "time at the end that creep is of",
       .number = &watch,
       .high = 1e6},
      OPTION_MU(p.mu),
      OPTION_EPS(p.eps),
      OPTION_GRAVITY(p.g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "Polygons of any shape that come to rest in a box.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (2.0 * p.r > p.width) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--r is more than half of --width"));
  }
  p.of = memory(NULL, (size_t)p.count, sizeof *p.of);
  machine m = {0};
  nsdyn_error_init(&m.error, sizeof m.error);
  outcome o = {0};
  record r = record_new("t,energy,speed,contacts,penetration");
  p.film = movie_world_new(&out, t_end);
  nsdyn_status status = make_world(&p, &m.error);
  status = machine_built(&m, p.world, status);
  status = status ? status : machine_start_world(&m, scheme, tol, p.world);
  status = status ? status : run(&p, &m, dt, t_end, watch, &o, &r);
  if (status == NSDYN_OK) {
    print(&out, &o);
    record_write(&r, &out);
    draw(&out, &p, &m, &r);
  }
  record_free(&r);
  movie_world_close(p.film, &out, "Polygons in a box", "");
  const int failed = machine_stop(&m, &out, status);
  nsdyn_world_free(p.world);
  free(p.of);
  return output_close(&out, failed);
}
