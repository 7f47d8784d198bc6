/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Newton's cradle: equal balls in a row, the first ones thrown at the others.
 *
 * Balls that touch are hit at once: all impacts are one problem, and either law with ε = 1 then drives the
 * whole row, (−1, 2, 2)/3 for three. With a little room between them the impacts come one after the
 * other, as in the toy: the last ball leaves with ((1 + ε)/2)^(n − 1) of the velocity. --gap sets the room.
 * --impact newton and --impact poisson differ where --eps-last does, and the balls touch.
 */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define BALLS 16

typedef struct cradle {
  int balls;
  double m, diameter;
} cradle;

/* ---- The system: contact i is between balls i and i + 1 ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  const cradle *c = user;
  (void)t, (void)q;
  for (int i = 0; i < c->balls; i++) {
    M[i * c->balls + i] = c->m;
  }
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const cradle *c = user;
  (void)t;
  for (int i = 0; i + 1 < c->balls; i++) {
    g[i] = q[i + 1] - q[i] - c->diameter;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q;
  w_hat[0] = 0.0; /* no walls that move */
  W[i] = -1.0;
  W[i + 1] = 1.0;
  return 0;
}

static nsdyn_status start(machine *m, cradle *c, int law, double eps, double eps_last, const double *q,
                          const double *u)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = c->balls;
  def.ncontacts = c->balls - 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = c;
  def.mass = mass;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law laws[BALLS];
  for (int i = 0; i + 1 < c->balls; i++) {
    nsdyn_contact_law_init(&laws[i], sizeof laws[i]);
    laws[i].friction = NSDYN_FRICTION_NONE;
    laws[i].eps_n = i + 2 < c->balls ? eps : eps_last;
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.impact = law;
  return machine_start_steps(m, &def, laws, &options, q, u);
}

/* ---- The run ---- */

static movie *make_film(const output *out, const cradle *c, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  for (int i = 0; i < c->balls; i++) {
    movie_add_ball(film, movie_add_body(film, "ball", PLOT_COLOR_AUTO), (double[]){0.0, 0.0},
                   0.5 * c->diameter);
  }
  movie_set_energies(film, "kinetic");
  return film;
}

static void show(movie *film, const machine *m, const cradle *c)
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  const double *q = machine_q(m), *u = machine_u(m);
  double poses[3 * BALLS] = {0.0}, T = 0.0;
  for (int i = 0; i < c->balls; i++) {
    poses[3 * i] = q[i];
    T += 0.5 * c->m * u[i] * u[i];
  }
  movie_frame(film, machine_time(m), poses, &T);
  for (int i = 0; i + 1 < c->balls; i++) {
    const double force = machine_contact(m, i).force[0];
    if (force > 0.0) { /* on the ball to the right */
      movie_force(film, (double[]){q[i] + 0.5 * c->diameter, 0.0}, (double[]){force, 0.0});
    }
  }
}

static nsdyn_status run(const machine *m, const cradle *c, double dt, double t_end, record *r, movie *film)
{
  show(film, m, c);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    show(film, m, c);
    if (r) {
      double row[1 + BALLS] = {nsdyn_stepper_time(m->stepper)};
      for (int i = 0; i < c->balls; i++) {
        row[1 + i] = nsdyn_stepper_q(m->stepper)[i];
      }
      record_add(r, row);
    }
  }
  return NSDYN_OK;
}

static void print(const output *out, const cradle *c, const double *before, const double *after)
{
  double momentum = 0.0, energy = 0.0, momentum_before = 0.0, energy_before = 0.0;
  for (int i = 0; i < c->balls; i++) {
    char name[16];
    snprintf(name, sizeof name, "v_%d", i);
    result(out, name, after[i], "m/s");
    momentum += c->m * after[i];
    energy += 0.5 * c->m * after[i] * after[i];
    momentum_before += c->m * before[i];
    energy_before += 0.5 * c->m * before[i] * before[i];
  }
  result(out, "momentum_before", momentum_before, "kg*m/s");
  result(out, "momentum", momentum, "kg*m/s");
  result(out, "energy_before", energy_before, "J");
  result(out, "energy", energy, "J");
}

/* Rows up to a while after the last impact, for as long as all of them took: later on nothing happens. */
static int rows_of_pulses(const cradle *c, const record *r)
{
  int last = 0;
  for (int i = 1; i <= c->balls; i++) {
    const double *x = r->column[i];
    for (int k = 2; k < r->rows; k++) {
      const double before = x[k - 1] - x[k - 2], after = x[k] - x[k - 1];
      if (fabs(after - before) > 1e-6 * (fabs(after) + fabs(before)) && k > last) {
        last = k;
      }
    }
  }
  return last > 0 && 2 * last < r->rows ? 2 * last : r->rows;
}

static void draw(const output *out, const cradle *c, record *r)
{
  const int rows = rows_of_pulses(c, r);
  plot_figure *figure = plot_new(1, 1);
  plot_set_panel_size(figure, 640.0, 400.0);
  plot_set_description(figure, "How far each ball of a cradle has moved, from the first impact to the last");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "How far each ball has moved",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "way", .unit = "m"}});
  for (int i = 0; i < c->balls; i++) {
    double *x = r->column[1 + i];
    const double first = r->rows > 0 ? x[0] : 0.0;
    for (int k = 0; k < r->rows; k++) {
      x[k] -= first;
    }
    char label[16];
    snprintf(label, sizeof label, "ball %d", i);
    plot_add(figure, 0, 0, &(plot_curve){.label = label, .count = rows, .x = r->column[0], .y = x});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  cradle c = {.balls = 5, .m = 0.1, .diameter = 0.0625};
  int thrown = 1, law = NSDYN_IMPACT_NEWTON;
  double v = 1.0, eps = 1.0, eps_last = -1.0, room = 1e-3, dt = 1e-5, t_end = 0.1;
  static const char *const laws[] = {"newton", "poisson", NULL}; /* as nsdyn_impact_law */
  const option table[] = {
      {.name = "impact", .help = "impact law", .choice = &law, .choices = laws},
      {.name = "balls", .help = "how many", .count = &c.balls, .low = 2, .high = BALLS},
      {.name = "thrown", .help = "how many come flying", .count = &thrown, .low = 1, .high = BALLS},
      {.name = "v", .unit = "m/s", .help = "their velocity", .number = &v, .high = 1e6},
      OPTION_EPS(eps),
      {.name = "eps-last",
       .unit = "1",
       .help = "of the last contact; negative: the same",
       .number = &eps_last,
       .low = -1.0,
       .high = 1.0},
      {.name = "gap", .unit = "m", .help = "room between the balls", .number = &room, .high = 1e6},
      {.name = "m", .unit = "kg", .help = "mass of a ball", .number = &c.m, .high = 1e6, .open = 1},
      OPTION_DT(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "Newton's cradle.", table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (thrown >= c.balls) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--thrown must be less than --balls"));
  }
  double q[BALLS], u[BALLS];
  for (int i = 0; i < c.balls; i++) {
    q[i] = i * (c.diameter + room);
    u[i] = i < thrown ? v : 0.0;
  }
  char names[8 * (BALLS + 1)] = "t"; /* of the columns */
  size_t length = 1;
  for (int i = 0; i < c.balls; i++) {
    length += (size_t)snprintf(names + length, sizeof names - length, ",x_%d", i);
  }
  machine m;
  record r = record_new(names);
  movie *film = make_film(&out, &c, t_end);
  nsdyn_status status = start(&m, &c, law, eps, eps_last < 0.0 ? eps : eps_last, q, u);
  if (status == NSDYN_OK) {
    status = run(&m, &c, dt, t_end, out.csv || out.svg ? &r : NULL, film);
  }
  if (status == NSDYN_OK) {
    print(&out, &c, u, nsdyn_stepper_u(m.stepper));
    record_write(&r, &out);
    draw(&out, &c, &r);
  }
  record_free(&r);
  movie_close(film, &out, "Newton's cradle", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
