/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A brick on a ramp slides, stops and stays (Stewart 2000, section 1.1); tied to a spring on a moving belt it
 * sticks and slips for ever (section 4.3).
 *
 * One model serves for both: x along the plane, y off it, a spring to x = 0, a plane that moves with the
 * velocity v_belt,
 *
 *     m ẍ = m g sin α − k x + λ_T,    m ÿ = −m g cos α + λ_N,    γ_T = ẋ − v_belt.
 *
 * Friction has one coefficient, two (μ_s while it sticks), or falls with the sliding speed,
 * μ(v) = μ + (μ_s − μ)/(1 + v/v_s). The first two have closed forms, which are printed beside the results. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

enum friction { ONE_COEFFICIENT, TWO_COEFFICIENTS, FALLING };

typedef struct brick {
  double m, g, angle, k, belt; /* kg, m/s^2, rad, N/m, m/s */
  double mu, mu_static, speed; /* 1, 1, m/s */
  int friction;
} brick;

/* ---- The system ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  const brick *b = user;
  (void)t, (void)q;
  M[0] = M[3] = b->m;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const brick *b = user;
  (void)t, (void)u;
  h[0] = b->m * b->g * sin(b->angle) - b->k * q[0];
  h[1] = -b->m * b->g * cos(b->angle);
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  (void)user, (void)t;
  g[0] = q[1];
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const brick *b = user;
  (void)t, (void)q, (void)i;
  W[1] = 1.0; /* w_N = (0, 1) */
  W[2] = 1.0; /* w_T = (1, 0) */
  w_hat[1] = -b->belt;
  return 0;
}

static int falling(void *user, double speed, double *mu)
{
  const brick *b = user;
  *mu = b->mu + (b->mu_static - b->mu) / (1.0 + speed / b->speed);
  return 0;
}

static nsdyn_status start(machine *m, int scheme, double tol, brick *b, const double *q, const double *u)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 2;
  def.ncontacts = 1;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = b;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = b->mu;
  if (b->friction == TWO_COEFFICIENTS) {
    law.friction = NSDYN_FRICTION_STATIC;
    law.mu_static = b->mu_static;
  } else if (b->friction == FALLING) {
    law.friction = NSDYN_FRICTION_CURVE;
    law.curve = falling;
    law.user = b;
  }
  return machine_start(m, scheme, tol, &def, &law, q, u);
}

/* ---- Closed forms ---- */

/* A brick on a ramp that starts with v: when it stops and where; NaN where it never does. */
static void stop_exactly(const brick *b, double v, double *time, double *place)
{
  const double along = b->g * sin(b->angle), normal = b->g * cos(b->angle);
  const double a = along - copysign(b->mu * normal, v);
  *time = v == 0.0 ? 0.0 : -v / a;
  *place = 0.5 * v * *time;
  if (v != 0.0 && !(v * a < 0.0)) {
    *time = *place = NAN;
  }
}

/* Stick–slip on a belt with two coefficients: it sticks from −A to A about the middle of its slip, and slips
 * half an oscillation and more. */
static double period_exactly(const brick *b)
{
  const double normal = b->m * b->g, omega = sqrt(b->k / b->m);
  const double A = (b->mu_static - b->mu) * normal / b->k, v = fabs(b->belt);
  return 2.0 * A / v + 2.0 / omega * (acos(-1.0) - atan(A * omega / v));
}

/* ---- The run ---- */

typedef struct summary {
  double stop_time, stop_place; /* when it first sticks, and where */
  double first_slip, last_slip; /* of the ends of sticking */
  int slips;
  double largest; /* |x| */
} summary;

/* The brick on its plane, which is drawn with its slope; a spring from a wall, where there is one. */
static movie *make_film(const output *out, const brick *b, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double c = cos(b->angle), s = -sin(b->angle); /* downhill is to the right */
  const int box = movie_add_body(film, "brick", PLOT_BLUE);
  movie_add_polygon(film, box, 4, (double[]){-0.06, 0.0, 0.06, 0.0, 0.06, 0.06, -0.06, 0.06});
  movie_add_line(film, MOVIE_GROUND, 2, (double[]){-100.0 * c, -100.0 * s, 100.0 * c, 100.0 * s});
  if (b->k > 0.0) {
    movie_add_spring(film, MOVIE_GROUND, (double[]){-0.5 * c - 0.03 * s, -0.5 * s + 0.03 * c}, box,
                     (double[]){-0.06, 0.03});
  }
  movie_set_energies(film, "kinetic,gravity,spring,sum");
  return film;
}

static void show(movie *film, const machine *m, const brick *b)
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  const double *q = machine_q(m), *u = machine_u(m), c = cos(b->angle), s = -sin(b->angle);
  const double at[2] = {c * q[0] - s * q[1], s * q[0] + c * q[1]};
  const double T = 0.5 * b->m * (u[0] * u[0] + u[1] * u[1]), V = b->m * b->g * at[1],
               C = 0.5 * b->k * q[0] * q[0];
  movie_frame(film, machine_time(m), (double[]){at[0], at[1], -b->angle}, (double[]){T, V, C, T + V + C});
  const nsdyn_contact_state contact = machine_contact(m, 0);
  const double f = contact.force[1], n = contact.force[0];
  movie_force(film, at, (double[]){c * f - s * n, s * f + c * n});
}

static nsdyn_status run(machine *m, const brick *b, double dt, double t_end, summary *s, record *r,
                        movie *film)
{
  int was_stuck = 0;
  *s = (summary){.stop_time = NAN, .stop_place = NAN};
  show(film, m, b);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = machine_step(m, t_end, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const double t = machine_time(m), x = machine_q(m)[0], v = machine_u(m)[0];
    const nsdyn_contact_state contact = machine_contact(m, 0);
    const int is_stuck = contact.active && contact.mode == NSDYN_MODE_STICK;
    if (is_stuck && isnan(s->stop_time)) {
      s->stop_time = t;
      s->stop_place = x;
    }
    if (was_stuck && !is_stuck) {
      s->first_slip = s->slips == 0 ? t : s->first_slip;
      s->last_slip = t;
      s->slips++;
    }
    was_stuck = is_stuck;
    show(film, m, b);
    s->largest = fmax(s->largest, fabs(x));
    if (r) {
      record_add(r, (double[]){t, x, v, v - b->belt, contact.force[1], contact.mode});
    }
  }
  return NSDYN_OK;
}

static void print(const output *out, const brick *b, double v, const summary *s)
{
  double time, place;
  if (!isnan(s->stop_time)) {
    result(out, "stop_time", s->stop_time, "s");
    result(out, "stop_place", s->stop_place, "m");
  }
  stop_exactly(b, v, &time, &place);
  if (b->k == 0.0 && b->belt == 0.0 && b->friction != FALLING && !isnan(time)) {
    result(out, "stop_time_exact", time, "s");
    result(out, "stop_place_exact", place, "m");
  }
  result(out, "slips", s->slips, "1");
  if (s->slips > 1) {
    result(out, "period", (s->last_slip - s->first_slip) / (s->slips - 1), "s");
  }
  if (b->friction == TWO_COEFFICIENTS && b->k > 0.0 && b->belt != 0.0 && b->angle == 0.0) {
    result(out, "period_exact", period_exactly(b), "s");
  }
  result(out, "largest_x", s->largest, "m");
}

static void draw(const output *out, const record *r)
{
  static const char *const name[] = {"x", "sliding velocity", "friction force"};
  static const char *const unit[] = {"m", "m/s", "N"};
  static const int column[] = {1, 3, 4};
  plot_figure *figure = plot_new(3, 1);
  plot_set_panel_size(figure, 640.0, 200.0);
  plot_set_description(figure, "Place, sliding velocity and friction force of a brick over time");
  for (int k = 0; k < 3; k++) {
    plot_set_axes(figure, k, 0,
                  &(plot_axes){.x = {.name = "t", .unit = "s"},
                               .y = {.name = name[k], .unit = unit[k], .with_zero = 1},
                               .zero_lines = 1});
    plot_add(figure, k, 0, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[column[k]]});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  brick b = {.m = 1.0, .g = 9.81, .angle = 0.3, .mu = 0.5, .mu_static = 0.6, .speed = 0.1};
  double v = 2.0, tol = 1e-9, dt = 1e-3, t_end = 2.0;
  int scheme = MACHINE_STEPS, events = 0;
  static const char *const laws[] = {"one", "two", "falling", NULL};
  const option table[] = {
      {.name = "friction",
       .help = "coefficients: one, two or falling",
       .choice = &b.friction,
       .choices = laws},
      {.name = "mu", .unit = "1", .help = "friction coefficient (sliding)", .number = &b.mu, .high = 1e3},
      {.name = "mu-static",
       .unit = "1",
       .help = "while it sticks; at zero speed",
       .number = &b.mu_static,
       .high = 1e3},
      {.name = "speed",
       .unit = "m/s",
       .help = "where falling friction has lost half",
       .number = &b.speed,
       .high = 1e6,
       .open = 1},
      {.name = "angle", .unit = "rad", .help = "of the ramp", .number = &b.angle, .low = -1.5, .high = 1.5},
      {.name = "v",
       .unit = "m/s",
       .help = "velocity at the start, downhill",
       .number = &v,
       .low = -1e6,
       .high = 1e6},
      {.name = "k", .unit = "N/m", .help = "stiffness of the spring", .number = &b.k, .high = 1e9},
      {.name = "belt",
       .unit = "m/s",
       .help = "velocity of the plane",
       .number = &b.belt,
       .low = -1e6,
       .high = 1e6},
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
  int code = options_read(&out, argc, argv, "A brick on a ramp, or on a belt and tied to a spring.", table,
                          (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (b.friction != ONE_COEFFICIENT && b.mu_static < b.mu) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--mu-static must not be less than --mu"));
  }
  machine m;
  record r = record_new("t,x,v,sliding,friction,mode");
  summary s;
  movie *film = make_film(&out, &b, t_end);
  nsdyn_status status = start(&m, scheme, tol, &b, (double[]){0.0, 0.0}, (double[]){v, 0.0});
  if (status == NSDYN_OK) {
    status = run(&m, &b, dt, t_end, &s, out.csv || out.svg ? &r : NULL, film);
  }
  if (status == NSDYN_OK) {
    print(&out, &b, v, &s);
    if (events) {
      machine_print_events(&m, &out);
    }
    record_write(&r, &out);
    draw(&out, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A brick slides, stops and sticks", "");
  code = machine_stop(&m, &out, status);
  return output_close(&out, code);
}
