/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Housner's rocking block as a polygon on the ground: which corner touches is found, not told.
 *
 * It begins at rest on one lower corner, turned by `tilt`, and rocks from corner to corner. About a corner it
 * is a pendulum upside down, of radius R = √(a² + c²) with I = 4/3 m R²; as the other corner comes down, its
 * angular momentum about that one stays, and ω becomes 1 − 3/2 sin² α of what it was, tan α = a/c (Housner
 * 1963): energy by energy, each impact leaves r = (1 − 3/2 sin² α)², and so the next highest angle follows
 * from 1 − cos(α − θ') = 1 − cos α + … of it, in closed form. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie_world.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

typedef struct block {
  double a, c; /* half the width, half the height */
  nsdyn_world *world;
  movie_world *film;
  int32_t body;
} block;

/* ---- the world ---- */

static nsdyn_status add_ground(const block *b, nsdyn_error *error)
{
  const double points[] = {50.0, 0.0, -50.0, 0.0};
  nsdyn_shape_def def;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = NSDYN_SHAPE_PROFILE; /* solid to the left of it: below */
  def.count = 2;
  def.points = points;
  return movie_world_attach(b->film, b->world, NSDYN_GROUND, &def, NULL, error);
}

/* On its right lower corner, which is at the origin, turned clockwise. */
static nsdyn_status add_block(block *b, double tilt, nsdyn_error *error)
{
  const double points[] = {-b->a, -b->c, b->a, -b->c, b->a, b->c, -b->a, b->c};
  nsdyn_shape_def def;
  nsdyn_body_def body;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_body_def_init(&body, sizeof body);
  def.count = 4;
  def.points = points;
  body.pose[0] = -b->a * cos(tilt) + b->c * sin(tilt);
  body.pose[1] = b->a * sin(tilt) + b->c * cos(tilt);
  body.pose[2] = -tilt;
  body.name = "block";
  const nsdyn_status status = nsdyn_world_add_body(b->world, &body, &b->body);
  return status ? status : movie_world_attach(b->film, b->world, b->body, &def, NULL, error);
}

static nsdyn_status make_world(block *b, double mu, double g, double tilt, nsdyn_error *error)
{
  nsdyn_world_options options;
  nsdyn_contact_law law;
  nsdyn_world_options_init(&options, sizeof options);
  nsdyn_contact_law_init(&law, sizeof law);
  options.gravity[1] = -g;
  law.mu = mu;
  nsdyn_status status = nsdyn_world_new(NULL, &options, &b->world, error);
  status = status ? status : nsdyn_world_set_law(b->world, 0, 0, &law);
  status = status ? status : add_ground(b, error);
  return status ? status : add_block(b, tilt, error);
}

/* ---- the run ---- */

typedef struct outcome {
  int impacts;
  double first, ratio; /* when the first one was, and what it left of ω */
  double swing[2];     /* the highest angles after the first and after the second impact */
} outcome;

/* Whether it came down between two rows, or at an event: with which rate just before. */
static int has_fallen(const machine *m, const block *b, double angle, double rate, double *before)
{
  if (m->driver) {
    const int events = machine_events(m);
    double least = 0.0; /* of all corners at that instant: the one that falls is the fastest */
    for (int k = events - 1; k >= 0 && machine_event(m, k).t == machine_time(m); k--) {
      const nsdyn_event e = machine_event(m, k);
      /* The corner that falls is 2a from the one that stands: γ_N = −2a |ω|. */
      least = e.kind == NSDYN_EVENT_IMPACT ? fmin(least, e.before[0]) : least;
    }
    *before = copysign(least / (2.0 * b->a), rate);
    return least < 0.0;
  }
  *before = rate;
  return (angle > 0.0) != (machine_q(m)[2] > 0.0);
}

static nsdyn_status run(machine *m, const block *b, double dt, double t_end, outcome *o, record *r)
{
  nsdyn_status status = NSDYN_OK;
  o->first = o->ratio = NAN;
  record_add(r, (double[]){0.0, machine_q(m)[0], machine_q(m)[1], machine_q(m)[2], machine_u(m)[2]});
  movie_world_show(b->film, b->world, m, NULL);
  while (status == NSDYN_OK && machine_is_before(m, t_end, dt)) {
    const double angle = machine_q(m)[2], rate = machine_u(m)[2];
    double before;
    status = machine_step(m, t_end, dt);
    const double *q = machine_q(m), *u = machine_u(m);
    if (status == NSDYN_OK && has_fallen(m, b, angle, rate, &before)) {
      o->impacts++;
      o->first = o->impacts == 1 ? machine_time(m) : o->first;
      o->ratio = o->impacts == 1 ? u[2] / before : o->ratio;
    }
    for (int k = 0; k < 2 && status == NSDYN_OK; k++) {
      o->swing[k] = o->impacts == k + 1 ? fmax(o->swing[k], fabs(q[2])) : o->swing[k];
    }
    record_add(r, (double[]){machine_time(m), q[0], q[1], q[2], u[2]});
    movie_world_show(b->film, b->world, m, NULL);
  }
  return status;
}

/* ---- closed forms ---- */

/* From rest at θ down to 0, t = ∫ dθ/ω with ω² = 3g/(2R) (cos(α − tilt) − cos(α − θ)) and θ = tilt (1 − s²).
 */
static double time_to_fall(const block *b, double g, double tilt)
{
  const double R = hypot(b->a, b->c), alpha = atan2(b->a, b->c);
  double total = 0.0;
  const int count = 20000;
  for (int k = 0; k < count; k++) {
    const double s = (k + 0.5) / count, theta = tilt * (1.0 - s * s);
    const double omega = sqrt(1.5 * g / R * (cos(alpha - tilt) - cos(alpha - theta)));
    total += 2.0 * tilt * s / omega / count;
  }
  return total;
}

/* The highest angle after n impacts: of the energy m g R (cos(α − θ) − cos α) each leaves the square of its
 * share. */
static double swing_after(const block *b, double tilt, int n)
{
  const double alpha = atan2(b->a, b->c), share = 1.0 - 1.5 * sin(alpha) * sin(alpha);
  const double left = pow(share, 2.0 * n) * (cos(alpha - tilt) - cos(alpha));
  return alpha - acos(cos(alpha) + left);
}

static void print(const output *out, const block *b, const outcome *o, double g, double tilt)
{
  const double sine = b->a / hypot(b->a, b->c);
  result(out, "alpha", asin(sine), "rad");
  result(out, "first_impact", o->first, "s");
  result(out, "first_impact_exact", time_to_fall(b, g, tilt), "s");
  result(out, "rate_ratio", o->ratio, "1");
  result(out, "rate_ratio_exact", 1.0 - 1.5 * sine * sine, "1");
  for (int k = 0; k < 2; k++) {
    result(out, k ? "swing_2" : "swing_1", o->swing[k], "rad");
    result(out, k ? "swing_2_exact" : "swing_1_exact", swing_after(b, tilt, k + 1), "rad");
  }
  result(out, "impacts", o->impacts, "1");
}

/* ---- the picture ---- */

static void draw_block(plot_figure *figure, const block *b, const double *q, int color)
{
  const double corner[5][2] = {{-b->a, -b->c}, {b->a, -b->c}, {b->a, b->c}, {-b->a, b->c}, {-b->a, -b->c}};
  double x[5], y[5];
  for (int k = 0; k < 5; k++) {
    x[k] = q[0] + cos(q[2]) * corner[k][0] - sin(q[2]) * corner[k][1];
    y[k] = q[1] + sin(q[2]) * corner[k][0] + cos(q[2]) * corner[k][1];
  }
  plot_add(figure, 0, 0, &(plot_curve){.count = 5, .x = x, .y = y, .color = color, .dash = PLOT_SOLID});
}

static void draw(const output *out, const block *b, const record *r)
{
  if (!out->svg || r->rows == 0) {
    return;
  }
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "A block on the ground at its highest angles, and its angle over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "From the side",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "y", .unit = "m"},
                             .equal = 1});
  const double floor_x[2] = {-3.0 * b->a, 3.0 * b->a}, floor_y[2] = {0.0, 0.0};
  plot_add(figure, 0, 0,
           &(plot_curve){.count = 2, .x = floor_x, .y = floor_y, .color = PLOT_BLACK, .dash = PLOT_SOLID});
  int shown = 0;
  for (int row = 0; row < r->rows && shown < 4; row++) {
    /* At the beginning, and where the rate changes its sign. */
    if (row == 0 || r->column[4][row] * r->column[4][row - 1] < 0.0) {
      const double q[3] = {r->column[1][row], r->column[2][row], r->column[3][row]};
      draw_block(figure, b, q, shown ? PLOT_BLUE : PLOT_GRAY);
      shown++;
    }
  }
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Angle",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "θ", .unit = "rad", .with_zero = 1},
                             .zero_lines = 1});
  plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[3]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  block b = {.a = 0.1, .c = 0.4};
  double tilt = 0.15, mu = 0.8, g = 9.81, tol = 1e-9, dt = 1e-3, t_end = 1.5;
  int scheme = MACHINE_EVENTS, events = 0;
  const option table[] = {
      {.name = "a", .unit = "m", .help = "half the width", .number = &b.a, .low = 1e-3, .high = 1e3},
      {.name = "c", .unit = "m", .help = "half the height", .number = &b.c, .low = 1e-3, .high = 1e3},
      {.name = "tilt", .unit = "rad", .help = "to begin with", .number = &tilt, .low = 1e-6, .high = 1.5},
      OPTION_MU(mu),
      OPTION_GRAVITY(g),
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_EVENTS(events),
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "Housner's rocking block, as a polygon whose contacts are found.", table,
                   (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (!(tilt < atan2(b.a, b.c))) { /* its centre is beyond the corner: there is nothing to compare with */
    return output_close(
        &out, complain(&out, STATUS_BAD_OPTION, "--tilt must be less than atan(a/c), else it falls over"));
  }
  machine m = {0};
  nsdyn_error_init(&m.error, sizeof m.error);
  outcome o = {0};
  record r = record_new("t,x,y,phi,rate");
  b.film = movie_world_new(&out, t_end);
  nsdyn_status status = make_world(&b, mu, g, tilt, &m.error);
  status = machine_built(&m, b.world, status);
  status = status ? status : machine_start_world(&m, scheme, tol, b.world);
  status = status ? status : run(&m, &b, dt, t_end, &o, &r);
  if (status == NSDYN_OK) {
    print(&out, &b, &o, g, tilt);
    if (events && m.driver) {
      machine_print_events(&m, &out);
    }
    record_write(&r, &out);
    draw(&out, &b, &r);
  }
  record_free(&r);
  movie_world_close(b.film, &out, "Housner's rocking block", "");
  nsdyn_world_free(b.world);
  return output_close(&out, machine_stop(&m, &out, status));
}
