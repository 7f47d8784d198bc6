/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A ball falls on the floor and bounces until it lies: infinitely many impacts in a finite time.
 *
 * Each flight is ε times as long as the one before, so that the ball comes to rest at
 *
 *     t = √(2 h/g) (1 + ε)/(1 − ε).
 *
 * A time step goes through without noticing: from some bounce on they are shorter than the step. From event
 * to event (--scheme event) each impact is met, until they are lower than can be told from rest; what is left
 * of the time is added up. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

/* ---- The system: one coordinate, the height of the ball ---- */

typedef struct ball {
  double m, g;
} ball;

static int mass(void *user, double t, const double *q, double *M)
{
  const ball *b = user;
  (void)t, (void)q;
  M[0] = b->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const ball *b = user;
  (void)t, (void)q, (void)u;
  h[0] = -b->m * b->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[0];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)user, (void)t, (void)q, (void)i;
  w_hat[0] = 0.0; /* the floor stands still */
  W[0] = 1.0;
  return 0;
}

static nsdyn_status start(machine *m, int scheme, double tol, ball *b, double eps_n, double height)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = b;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.friction = NSDYN_FRICTION_NONE;
  law.eps_n = eps_n;
  return machine_start(m, scheme, tol, &def, &law, &height, &(double){0.0});
}

/* ---- The run ---- */

typedef struct summary {
  int impacts;      /* or times the contact closed */
  double rest_time; /* when it closed for good */
  double lowest;    /* of the heights */
} summary;

/* The impacts of a run from event to event, and where they end. */
static void read_events(const machine *m, summary *s)
{
  for (int k = 0; k < machine_events(m); k++) {
    const nsdyn_event e = machine_event(m, k);
    s->impacts += e.kind == NSDYN_EVENT_IMPACT;
    if (e.mode_after != NSDYN_MODE_OPEN) {
      s->rest_time = e.t;
    }
  }
}

/* ---- The moving picture ---- */

/* The coordinate is that of the ball's lowest point. */
static movie *make_film(const output *out, double height, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double r = 0.05 * fmax(height, 1e-3), half = 10.0 * r;
  movie_add_ball(film, movie_add_body(film, "ball", PLOT_BLUE), (double[]){0.0, r}, r);
  movie_add_line(film, MOVIE_GROUND, 2, (double[]){-half, 0.0, half, 0.0});
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static void show(movie *film, const machine *m, const ball *b)
{
  const double t = machine_time(m), y = machine_q(m)[0], v = machine_u(m)[0];
  const double foot[2] = {0.0, 0.0}, T = 0.5 * b->m * v * v, V = b->m * b->g * y;
  if (movie_is_due(film, t)) {
    movie_frame(film, t, (double[]){0.0, y, 0.0}, (double[]){T, V, T + V});
    if (t > 0.0) {
      movie_force(film, foot, (double[]){0.0, machine_contact(m, 0).force[0]});
    }
  }
  /* By events a run stops at each of them. */
  const nsdyn_event e =
      m->driver && machine_events(m) ? machine_event(m, machine_events(m) - 1) : (nsdyn_event){0};
  if (e.kind == NSDYN_EVENT_IMPACT && e.t == t) {
    movie_impulse(film, t, foot, (double[]){0.0, e.impulse[0]});
  }
}

/* Goes to t_end; what happened goes to `s`, the trajectory to `r` unless that is NULL. */
static nsdyn_status run(machine *m, const ball *b, double dt, double t_end, summary *s, record *r,
                        movie *film)
{
  int was_closed = 0, closed = 0;
  double closed_at = NAN;
  *s = (summary){.rest_time = NAN};
  show(film, m, b);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = machine_step(m, t_end, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const double t = machine_time(m), y = machine_q(m)[0], v = machine_u(m)[0];
    const int is_closed = machine_contact(m, 0).active;
    if (is_closed && !was_closed) {
      closed++;
      closed_at = t;
    }
    was_closed = is_closed;
    s->lowest = fmin(s->lowest, y);
    show(film, m, b);
    if (r) {
      record_add(r, (double[]){t, y, v, b->m * (b->g * y + 0.5 * v * v)});
    }
  }
  if (m->driver) {
    read_events(m, s);
  } else {
    s->impacts = closed;
    s->rest_time = was_closed ? closed_at : NAN; /* it still bounces */
  }
  return NSDYN_OK;
}

static void draw(const output *out, const record *r)
{
  plot_figure *figure = plot_new(2, 1);
  plot_set_panel_size(figure, 640.0, 240.0);
  plot_set_description(figure, "Height and energy of a bouncing ball over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "height", .unit = "m"}});
  plot_add(figure, 0, 0, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[1]});
  plot_set_axes(figure, 1, 0,
                &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "energy", .unit = "J"}});
  plot_add(figure, 1, 0, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[3]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  ball b = {.m = 1.0, .g = 9.81};
  double height = 1.0, eps_n = 0.8, tol = 1e-9, dt = 1e-3, t_end = 5.0;
  int scheme = MACHINE_STEPS, events = 0;
  const option table[] = {
      {.name = "height", .unit = "m", .help = "it falls from here", .number = &height, .high = 1e6},
      {.name = "eps-n", .unit = "1", .help = "restitution", .number = &eps_n, .high = 1.0},
      OPTION_MASS(b.m),
      OPTION_GRAVITY(b.g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_EVENTS(events),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A ball bounces until it lies: the Zeno point.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  machine m;
  record r = record_new("t,y,v,energy");
  summary s;
  movie *film = make_film(&out, height, t_end);
  nsdyn_status status = start(&m, scheme, tol, &b, eps_n, height);
  if (status == NSDYN_OK) {
    status = run(&m, &b, dt, t_end, &s, out.csv || out.svg ? &r : NULL, film);
  }
  if (status == NSDYN_OK) {
    result(&out, "impacts", s.impacts, "1");
    if (!isnan(s.rest_time)) {
      result(&out, "rest_time", s.rest_time, "s");
    }
    if (eps_n < 1.0) {
      result(&out, "rest_time_exact", sqrt(2.0 * height / b.g) * (1.0 + eps_n) / (1.0 - eps_n), "s");
    }
    result(&out, "height", machine_q(&m)[0], "m");
    result(&out, "lowest", s.lowest, "m");
    if (events) {
      machine_print_events(&m, &out);
    }
    record_write(&r, &out);
    draw(&out, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A ball that bounces until it lies", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
