/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A thin disk that spins on its edge, as a coin does before it lies down (Euler's disk).
 *
 * It rolls with its centre at rest: then the centre and the point of contact do not move, ω is along the
 * diameter between them, and both go round with Ω. With the tilt α against the floor ω = Ω sin α, and weight
 * turns the angular momentum ¼ m a² ω:
 *
 *   Ω² = 4 g / (a sin α),
 *
 * which grows without bound as the disk sinks. Without losses it does not sink: rate and tilt stay. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

typedef struct disk {
  bodies all; /* first: the callbacks of bodies take it */
  body body;
  int32_t block;
  double a; /* radius */
} disk;

/* The unit vector from the lowest point of the edge to the centre, and the sine of the tilt. */
static double uphill(const double *q, double e[3])
{
  double n[3]; /* the axis */
  nsdyn_quaternion_rotate(q + 3, (double[]){0.0, 0.0, 1.0}, n);
  const double sine = sqrt(n[0] * n[0] + n[1] * n[1]);
  for (int k = 0; k < 3; k++) {
    e[k] = ((k == 2) - n[2] * n[k]) / sine;
  }
  return sine;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const disk *d = user;
  double e[3];
  (void)t, (void)u;
  uphill(q, e);
  const double n[3] = {0.0, 0.0, 1.0}, low[3] = {q[0] - d->a * e[0], q[1] - d->a * e[1], q[2] - d->a * e[2]};
  const touch c = {.gap = low[2], .body = {0, FIXED}, .point = {low, low}, .n = n};
  return c.gap > margin ? 0 : bodies_touch(&d->all, q, sink, &c);
}

static nsdyn_status start(machine *m, int scheme, double tol, disk *d, double tilt, double rate, double mu)
{
  nsdyn_system_def def;
  bodies_define(&d->all, &def);
  def.find = find;
  double q[7] = {0.0, 0.0, d->a * sin(tilt)}, u[6] = {0.0, 0.0, 0.0, 0.0, rate * sin(tilt), 0.0};
  nsdyn_quaternion_from_axis_angle((double[]){1.0, 0.0, 0.0}, tilt, q + 3);
  const nsdyn_status status = machine_start(m, scheme, tol, &def, NULL, q, u);
  return status ? status : machine_add_law(m, mu, 0.0);
}

typedef struct outcome {
  double angle, least, most, way; /* of the contact; least and largest tilt; of the centre along the floor */
} outcome;

static movie *make_film(const output *out, const disk *d, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  movie_add_cylinder(film, movie_add_body(film, "disk", PLOT_BLUE), (double[]){0.0, 0.0, -0.01 * d->a},
                     (double[]){0.0, 0.0, 0.01 * d->a}, d->a);
  movie_add_floor(film, 2.0 * d->a);
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(machine *m, disk *d, movie *film, double dt, double t_end, outcome *o, record *r)
{
  double before[3], e[3];
  uphill(machine_q(m), before);
  movie_bodies_show(film, &d->all, find, m);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = machine_step(m, t_end, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const double *q = machine_q(m), tilt = asin(uphill(q, e));
    /* The angle from the last azimuth to this one. */
    o->angle += atan2(before[0] * e[1] - before[1] * e[0], before[0] * e[0] + before[1] * e[1]);
    o->least = fmin(o->least, tilt);
    o->most = fmax(o->most, tilt);
    o->way = fmax(o->way, hypot(q[0], q[1]));
    for (int k = 0; k < 3; k++) {
      before[k] = e[k];
    }
    movie_bodies_show(film, &d->all, find, m);
    if (r) {
      record_add(r, (double[]){machine_time(m), tilt, o->angle, q[0] - d->a * e[0], q[1] - d->a * e[1]});
    }
  }
  return NSDYN_OK;
}

static void draw(const output *out, const record *r)
{
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "Where a spinning disk touches the floor, and its tilt over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "Point of contact",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "y", .unit = "m"},
                             .equal = 1});
  plot_add(figure, 0, 0, &(plot_curve){.count = r->rows, .x = r->column[3], .y = r->column[4]});
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Tilt",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "α", .unit = "rad", .with_zero = 1}});
  plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[1]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  disk d = {.a = 0.0375};
  double tilt = 0.1, mu = 0.5, m_disk = 0.4, g = 9.81, dt = 2e-5, t_end = 0.3, tol = 1e-9;
  int scheme = MACHINE_STEPS;
  const option table[] = {
      {.name = "tilt", .unit = "rad", .help = "against the floor", .number = &tilt, .low = 1e-3, .high = 1.5},
      {.name = "a", .unit = "m", .help = "radius", .number = &d.a, .high = 1e3, .open = 1},
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_MU(mu),
      OPTION_MASS(m_disk),
      OPTION_GRAVITY(g),
      OPTION_DT(dt),
      {.name = "t-end", .unit = "s", .help = "end of the run", .number = &t_end, .high = 1e6, .open = 1},
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "Euler's disk.", table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  const double J = 0.25 * m_disk * d.a * d.a, rate = sqrt(4.0 * g / (d.a * sin(tilt)));
  d.body = (body){.m = m_disk, .J = {J, J, 2.0 * J}};
  d.all = (bodies){.count = 1, .body = &d.body, .block = &d.block, .gravity = {0.0, 0.0, -g}};
  machine m;
  outcome o = {.least = tilt, .most = tilt};
  record r = record_new("t,tilt,angle,x,y");
  movie *film = make_film(&out, &d, t_end);
  nsdyn_status status = start(&m, scheme, tol, &d, tilt, rate, mu);
  double energy = 0.0;
  if (status == NSDYN_OK) {
    energy = bodies_energy(&d.all, machine_q(&m), machine_u(&m));
    status = run(&m, &d, film, dt, t_end, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    result(&out, "rate", o.angle / machine_time(&m), "rad/s");
    result(&out, "rate_exact", rate, "rad/s");
    result(&out, "least_tilt", o.least, "rad");
    result(&out, "largest_tilt", o.most, "rad");
    result(&out, "way_of_centre", o.way, "m");
    result(&out, "energy_before", energy, "J");
    result(&out, "energy", bodies_energy(&d.all, machine_q(&m), machine_u(&m)), "J");
    record_write(&r, &out);
    draw(&out, &r);
  }
  record_free(&r);
  movie_close(film, &out, "Euler's disk", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
