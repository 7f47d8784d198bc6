/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A row of dominoes falls: how fast does the wave run?
 *
 * All lean on each other behind the front, and push it. McLachlan et al. (1983) found from dimensions that
 * the speed is √(g h) times a function of the spacing over the height; van Leeuwen (2010) calculated it for
 * dominoes that turn about their feet, strike without rebound and do not rub, as here without --mu: the train
 * behind the front has one degree of freedom then. Friction between dominoes slows the wave down. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie_world.h"
#include "common/options.h"
#include "common/planar.h"
#include "common/plot.h"
#include "common/record.h"

enum { MOST = 500, CORNERS = 4 };

typedef struct row {
  int count;
  double height, thickness, gap, push; /* gap: from face to face; push: rate that the first one begins with */
  double mu, mu_table, eps, g;
  nsdyn_world *world;
  movie_world *film;
  double hit[MOST];          /* when each began to move; NaN: not yet */
  double half_way[3 * MOST]; /* where all were as the wave was in the middle */
} row;

/* ---- the world ---- */

static void outline(const row *r, double points[2 * CORNERS])
{
  /* About the foot that it turns about. */
  const double all[] = {-r->thickness, 0.0, 0.0, 0.0, 0.0, r->height, -r->thickness, r->height};
  for (int k = 0; k < 2 * CORNERS; k++) {
    points[k] = all[k];
  }
}

static nsdyn_status add_table(row *r, nsdyn_error *error)
{
  const double length = (r->count + 10) * (r->gap + r->thickness) + 10.0 * r->height;
  const double table[] = {length, 0.0, -length, 0.0}; /* solid to the left of it: below */
  nsdyn_contact_law law;
  nsdyn_attachment on;
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_attachment_init(&on, sizeof on);
  law.mu = r->mu_table;
  nsdyn_status status = nsdyn_world_add_material(r->world, &law, &on.material);
  status = status ? status : nsdyn_world_set_law(r->world, 0, on.material, &law);
  return status ? status
                : planar_attach(r->film, r->world, NSDYN_GROUND, NSDYN_SHAPE_PROFILE, 2, table, &on, error);
}

static nsdyn_status make_world(row *r, nsdyn_error *error)
{
  double points[2 * CORNERS];
  outline(r, points);
  nsdyn_status status = planar_world(r->g, r->mu, r->eps, &r->world, error);
  status = status ? status : add_table(r, error);
  for (int i = 0; i < r->count && status == NSDYN_OK; i++) {
    nsdyn_body_def def;
    int32_t body;
    nsdyn_body_def_init(&def, sizeof def);
    def.pose[0] = i * (r->gap + r->thickness);
    def.velocity[2] = i ? 0.0 : -r->push;
    status = nsdyn_world_add_body(r->world, &def, &body);
    status = status
                 ? status
                 : planar_attach(r->film, r->world, body, NSDYN_SHAPE_POLYGON, CORNERS, points, NULL, error);
  }
  return status;
}

/* ---- the run ---- */

/* Until the last one is hit. A domino moves as soon as it turns by more than what solvers leave. */
static nsdyn_status run(row *r, machine *m, double dt, double t_end)
{
  const double moving = 1e-6 * sqrt(r->g / r->height);
  int front = 0;
  nsdyn_status status = NSDYN_OK;
  for (int i = 0; i < r->count; i++) {
    r->hit[i] = i ? NAN : 0.0;
  }
  movie_world_show(r->film, r->world, m, NULL);
  while (status == NSDYN_OK && front < r->count - 1 && machine_is_before(m, t_end, dt)) {
    status = machine_step(m, t_end, dt);
    movie_world_show(r->film, r->world, m, NULL);
    const double *q = machine_q(m), *u = machine_u(m);
    while (status == NSDYN_OK && front < r->count - 1 && fabs(u[3 * (front + 1) + 2]) > moving) {
      r->hit[++front] = machine_time(m);
      for (int j = 0; front == r->count / 2 && j < r->count; j++) {
        nsdyn_world_pose(r->world, j, machine_time(m), q, NULL, &r->half_way[3 * j], NULL);
      }
    }
  }
  return status;
}

/* Over the second half of those that were hit, where the wave has its own speed. */
static double speed_of(const row *r, int fallen)
{
  const int from = fallen / 2;
  return (fallen - 1 - from) * (r->gap + r->thickness) / (r->hit[fallen - 1] - r->hit[from]);
}

/* ---- the picture ---- */

static void draw(const output *out, const row *r, const record *rows)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(2, 1);
  double points[2 * CORNERS];
  outline(r, points);
  plot_set_panel_size(figure, 760.0, 260.0);
  plot_set_description(figure, "A row of dominoes, half of them fallen, and the speed of the wave");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.x = {.name = "x", .unit = "m"}, .y = {.name = "y", .unit = "m"}, .equal = 1});
  for (int i = 0; i < r->count; i++) {
    double x[CORNERS + 1], y[CORNERS + 1];
    planar_outline(&r->half_way[3 * i], CORNERS, points, x, y);
    plot_add(figure, 0, 0,
             &(plot_curve){
                 .count = CORNERS + 1, .x = x, .y = y, .color = PLOT_BLUE, .dash = PLOT_SOLID, .width = 1.2});
  }
  plot_set_axes(figure, 1, 0,
                &(plot_axes){.x = {.name = "domino"}, .y = {.name = "v/√(g h)", .with_zero = 1}});
  plot_add(figure, 1, 0,
           &(plot_curve){.count = rows->rows,
                         .x = rows->column[0],
                         .y = rows->column[2],
                         .color = PLOT_VERMILION,
                         .dash = PLOT_SOLID,
                         .marker = PLOT_DISK});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, row *r)
{
  const double unit = sqrt(r->g * r->height);
  record rows = record_new("domino,t,speed_over_sqrt_gh");
  int fallen = 0;
  while (fallen < r->count && !isnan(r->hit[fallen])) {
    const double time = fallen ? r->hit[fallen] - r->hit[fallen - 1] : 0.0;
    record_add(&rows,
               (double[]){fallen, r->hit[fallen], time > 0.0 ? (r->gap + r->thickness) / time / unit : NAN});
    fallen++;
  }
  result(out, "fallen", fallen, "1");
  if (fallen > 3) {
    const double speed = speed_of(r, fallen);
    result(out, "speed", speed, "m/s");
    result(out, "speed_over_sqrt_gh", speed / unit, "1");
  }
  record_write(&rows, out);
  draw(out, r, &rows);
  record_free(&rows);
}

int main(int argc, char **argv)
{
  row r = {.count = 30,
           .height = 0.048,
           .thickness = 0.0075,
           .gap = 0.02,
           .push = 5.0,
           .mu = 0.2,
           .mu_table = 1.0,
           .eps = 0.0,
           .g = 9.81};
  double tol = 1e-9, dt = 2e-4, t_end = 2.0;
  int scheme = MACHINE_STEPS;
  const option table[] = {
      {.name = "dominoes", .help = "how many", .count = &r.count, .low = 2, .high = MOST},
      {.name = "height", .unit = "m", .help = "of a domino", .number = &r.height, .low = 1e-3, .high = 1e3},
      {.name = "thickness",
       .unit = "m",
       .help = "of a domino",
       .number = &r.thickness,
       .low = 1e-5,
       .high = 1e3},
      {.name = "gap", .unit = "m", .help = "from face to face", .number = &r.gap, .low = 1e-5, .high = 1e3},
      {.name = "push",
       .unit = "rad/s",
       .help = "rate that the first one begins with",
       .number = &r.push,
       .high = 1e3},
      OPTION_MU(r.mu),
      {.name = "mu-table", .unit = "1", .help = "friction on the table", .number = &r.mu_table, .high = 1e3},
      OPTION_EPS(r.eps),
      OPTION_GRAVITY(r.g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A row of dominoes, and the speed of the wave.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  machine m = {0};
  nsdyn_error_init(&m.error, sizeof m.error);
  r.film = movie_world_new(&out, t_end);
  nsdyn_status status = make_world(&r, &m.error);
  status = machine_built(&m, r.world, status);
  status = status ? status : machine_start_world(&m, scheme, tol, r.world);
  if (status == NSDYN_OK) {
    for (int i = 0; i < r.count; i++) {
      nsdyn_world_pose(r.world, i, 0.0, machine_q(&m), NULL, &r.half_way[3 * i], NULL);
    }
    status = run(&r, &m, dt, t_end);
  }
  if (status == NSDYN_OK) {
    print(&out, &r);
  }
  movie_world_close(r.film, &out, "A row of dominoes", "");
  const int failed = machine_stop(&m, &out, status);
  nsdyn_world_free(r.world);
  return output_close(&out, failed);
}
