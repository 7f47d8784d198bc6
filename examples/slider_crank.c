/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A slider-crank in space whose wrist joint has clearance.
 *
 * The crank, of radius r, turns at a constant rate Ω in a plane that is tilted by β about the slider's line;
 * a rod of length l goes from its pin, a ball joint, to the slider, which moves along a line beside the
 * crank's axis by e. Pin and guide are bilateral: slots without friction, found like contacts, the pin's with
 * the velocity ŵ of the crank. At the wrist the rod has a ball in a socket of the slider that is larger by
 * the clearance c: it floats, touches and slides there. So the socket's centre is between l − c and l + c
 * from the pin, and the slider between the two places of ideal mechanisms with these rods; with c → 0 they
 * become one. Without clearance (--clearance 0) the wrist is a ball joint too. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { ROD, SLIDER, BODIES, NU = 6 };
enum { BALL_LAW, SLOT_LAW };                    /* numbers of laws */
enum { PIN_KEY, GUIDE_KEY = 3, WRIST_KEY = 8 }; /* three slots, five, and one contact or three slots */

typedef struct crank {
  bodies all; /* first: the callbacks of bodies take it */
  body body[BODIES];
  int32_t block[BODIES];
  double r, l, e, tilt, omega, clearance;
} crank;

static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

/* Place and velocity of the crank's pin. */
static void pin_at(const crank *s, double t, double x[3], double v[3])
{
  const double c = cos(s->omega * t), w = sin(s->omega * t);
  x[0] = s->r * c;
  x[1] = s->r * w * cos(s->tilt);
  x[2] = s->r * w * sin(s->tilt);
  v[0] = -s->r * s->omega * w;
  v[1] = s->r * s->omega * c * cos(s->tilt);
  v[2] = s->r * s->omega * c * sin(s->tilt);
}

/* Where the slider of an ideal mechanism is whose rod has this length. */
static double ideal(const crank *s, double t, double length)
{
  double x[3], v[3];
  pin_at(s, t, x, v);
  return x[0] + sqrt(length * length - (x[1] - s->e) * (x[1] - s->e) - x[2] * x[2]);
}

/* An end of the rod, from its middle: −1 the pin's, 1 the ball. */
static void rod_end(const crank *s, const double *q, int end, double x[3])
{
  nsdyn_quaternion_rotate(q + 3, (double[]){0.5 * end * s->l, 0.0, 0.0}, x);
  for (int k = 0; k < 3; k++) {
    x[k] += q[k];
  }
}

/* The velocity of a point of a body along e, as a row over its six velocities. */
static void fill_row(const double *q, const double *point, const double *e, double sign, double *row)
{
  const double way[3] = {point[0] - q[0], point[1] - q[1], point[2] - q[2]};
  double arm[3];
  vector_cross(way, e, arm);
  nsdyn_quaternion_rotate_back(q + 3, arm, arm);
  for (int k = 0; k < 3; k++) {
    row[k] = sign * e[k];
    row[3 + k] = sign * arm[k];
  }
}

/* ---- Joints ---- */

static int add_slot(nsdyn_contact_sink *sink, int64_t key, double gap, double w_hat, int blocks,
                    const nsdyn_contact_block *block)
{
  if (!sink) {
    return 0; /* a picture shows contacts alone */
  }
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  found.key = key;
  found.gap = gap;
  found.law = SLOT_LAW;
  found.blocks = blocks;
  found.block = block;
  found.w_hat[0] = w_hat;
  return nsdyn_contact_sink_add(sink, &found);
}

/* The rod's end is where the crank's pin is, along each axis. */
static int find_pin(const crank *s, double t, const double *q, nsdyn_contact_sink *sink)
{
  double x[3], v[3], end[3];
  pin_at(s, t, x, v);
  rod_end(s, q, -1, end);
  int failed = 0;
  for (int k = 0; k < 3 && !failed; k++) {
    double row[NU];
    fill_row(q, end, axes[k], 1.0, row);
    const nsdyn_contact_block block = {.offset = NU * ROD, .count = NU, .values = row};
    failed = add_slot(sink, PIN_KEY + k, end[k] - x[k], -v[k], 1, &block);
  }
  return failed;
}

/* The slider stays on its line and does not turn: y = e, z = 0, and the quaternion has no vector. */
static int find_guide(const crank *s, const double *q, nsdyn_contact_sink *sink)
{
  const double *own = q + 7 * SLIDER,
               gap[5] = {own[1] - s->e, own[2], 2.0 * own[4], 2.0 * own[5], 2.0 * own[6]};
  int failed = 0;
  for (int k = 0; k < 5 && !failed; k++) {
    double row[NU] = {0.0};
    row[1 + k] = 1.0;
    const nsdyn_contact_block block = {.offset = NU * SLIDER, .count = NU, .values = row};
    failed = add_slot(sink, GUIDE_KEY + k, gap[k], 0.0, 1, &block);
  }
  return failed;
}

/* The ball in its socket: a contact where it has used up the clearance, or a ball joint. */
static int find_wrist(const crank *s, const double *q, double margin, nsdyn_contact_sink *sink)
{
  const double *slider = q + 7 * SLIDER;
  double ball[3], way[3], n[3];
  rod_end(s, q, 1, ball);
  for (int k = 0; k < 3; k++) {
    way[k] = ball[k] - slider[k];
  }
  if (s->clearance == 0.0) {
    int failed = 0;
    for (int k = 0; k < 3 && !failed; k++) {
      double row[2][NU];
      fill_row(q, ball, axes[k], 1.0, row[0]);
      fill_row(slider, ball, axes[k], -1.0, row[1]);
      const nsdyn_contact_block block[2] = {{.offset = NU * ROD, .count = NU, .values = row[0]},
                                            {.offset = NU * SLIDER, .count = NU, .values = row[1]}};
      failed = add_slot(sink, WRIST_KEY + k, way[k], 0.0, 2, block);
    }
    return failed;
  }
  const double distance = sqrt(vector_dot(way, way)), gap = s->clearance - distance;
  if (gap > margin || distance == 0.0) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    n[k] = -way[k] / distance; /* the socket pushes the ball to its middle */
  }
  const touch c = {
      .key = WRIST_KEY, .gap = gap, .law = BALL_LAW, .body = {ROD, SLIDER}, .point = {ball, ball}, .n = n};
  return bodies_touch(&s->all, q, sink, &c);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const crank *s = user;
  (void)u;
  return find_pin(s, t, q, sink) || find_guide(s, q, sink) || find_wrist(s, q, margin, sink) ? -1 : 0;
}

/* Places of the ideal mechanism whose rod is longer by the clearance: the rod pulls, its ball at the socket.
 */
static void place(const crank *s, double t, double *q)
{
  double x[3], v[3], way[3];
  pin_at(s, t, x, v);
  const double slider[3] = {ideal(s, t, s->l + s->clearance), s->e, 0.0};
  for (int k = 0; k < 3; k++) {
    way[k] = (slider[k] - x[k]) / (s->l + s->clearance);
    q[7 * ROD + k] = x[k] + 0.5 * s->l * way[k];
    q[7 * SLIDER + k] = slider[k];
  }
  /* The shortest turn from the x-axis to the rod. */
  const double axis[3] = {0.0, -way[2], way[1]}, sine = hypot(way[1], way[2]);
  const double unit[3] = {0.0, sine > 0.0 ? axis[1] / sine : 1.0, sine > 0.0 ? axis[2] / sine : 0.0};
  nsdyn_quaternion_from_axis_angle(unit, atan2(sine, way[0]), q + 7 * ROD + 3);
  q[7 * SLIDER + 3] = 1.0;
}

/* Its velocities are differences over a short time. */
static void start_state(const crank *s, double *q, double *u)
{
  const double dt = 1e-6 / s->omega;
  double before[7 * BODIES] = {0.0}, after[7 * BODIES] = {0.0}, back[4], turned[4];
  place(s, 0.0, q);
  place(s, -dt, before);
  place(s, dt, after);
  for (int i = 0; i < BODIES; i++) {
    for (int k = 0; k < 3; k++) {
      u[NU * i + k] = (after[7 * i + k] - before[7 * i + k]) / (2.0 * dt);
    }
    nsdyn_quaternion_conjugate(before + 7 * i + 3, back);
    nsdyn_quaternion_multiply(back, after + 7 * i + 3, turned); /* along the body's axes */
    for (int k = 0; k < 3; k++) {
      u[NU * i + 3 + k] = turned[1 + k] / dt;
    }
  }
}

static nsdyn_status start(machine *m, crank *s, double mu, double eps)
{
  nsdyn_system_def def;
  bodies_define(&s->all, &def);
  def.find = find;
  double q[7 * BODIES] = {0.0}, u[NU * BODIES] = {0.0};
  start_state(s, q, u);
  nsdyn_contact_law ball, slot;
  nsdyn_contact_law_init(&ball, sizeof ball);
  ball.tangents = 2;
  ball.mu = mu;
  ball.eps_n = eps;
  nsdyn_contact_law_init(&slot, sizeof slot);
  slot.kind = NSDYN_CONTACT_BILATERAL;
  slot.friction = NSDYN_FRICTION_NONE;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.project = 1;
  nsdyn_status status = machine_start_steps(m, &def, NULL, &options, q, u);
  int32_t number; /* in the order of enum: BALL_LAW, SLOT_LAW */
  status = status ? status : nsdyn_system_add_law(m->sys, &ball, &number);
  return status ? status : nsdyn_system_add_law(m->sys, &slot, &number);
}

/* ---- The run ---- */

typedef struct outcome {
  double away;    /* of the slider from the ideal mechanism's, the largest */
  double beyond;  /* how far it was outside of what the clearance allows */
  double joint;   /* largest gap of pin and guide */
  double largest; /* force at the wrist */
  int losses;     /* how often the ball left its socket */
  int free, steps;
} outcome;

static movie *make_film(const output *out, const crank *s, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  const double half = 0.5 * s->l, thick = 0.02 * s->l, box[3] = {2.0 * thick, thick, thick};
  double circle[3 * 49], v[3];
  for (int k = 0; k < 49; k++) {
    pin_at(s, 2.0 * PI * k / (48.0 * s->omega), circle + (ptrdiff_t)3 * k, v);
  }
  const int rod = movie_add_body(film, "rod", PLOT_BLUE),
            slider = movie_add_body(film, "slider", PLOT_VERMILION);
  movie_add_capsule(film, rod, (double[]){-half, 0.0, 0.0}, (double[]){half, 0.0, 0.0}, 0.5 * thick);
  movie_add_box(film, slider, (double[]){0.0, 0.0, 0.0}, box);
  movie_add_line(film, MOVIE_GROUND, 49, circle);
  movie_add_line(film, MOVIE_GROUND, 2, (double[]){0.0, s->e, 0.0, s->r + 1.2 * s->l, s->e, 0.0});
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, crank *s, movie *film, double dt, double t_end, outcome *o,
                        record *r)
{
  int was_closed = 0;
  movie_bodies_show(film, &s->all, find, m);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    const double *q = nsdyn_stepper_q(m->stepper), t = nsdyn_stepper_time(m->stepper), x = q[7 * SLIDER];
    nsdyn_contact_state c;
    nsdyn_contact_state_init(&c, sizeof c);
    nsdyn_stepper_found_contact(m->stepper, WRIST_KEY, &c);
    const int is_closed = c.active && c.mode != NSDYN_MODE_OPEN;
    o->losses += was_closed && !is_closed;
    o->free += !is_closed;
    o->steps++;
    was_closed = is_closed;
    const double force = is_closed ? hypot(c.impulse[0], hypot(c.impulse[1], c.impulse[2])) / dt : 0.0;
    o->largest = fmax(o->largest, force);
    o->away = fmax(o->away, fabs(x - ideal(s, t, s->l)));
    o->beyond =
        fmax(o->beyond, fmax(ideal(s, t, s->l - s->clearance) - x, x - ideal(s, t, s->l + s->clearance)));
    double pin[3], v[3], end[3];
    pin_at(s, t, pin, v);
    rod_end(s, q, -1, end);
    for (int k = 0; k < 3; k++) {
      o->joint = fmax(o->joint, fabs(end[k] - pin[k]));
    }
    o->joint = fmax(o->joint, fmax(fabs(q[7 * SLIDER + 1] - s->e), fabs(q[7 * SLIDER + 2])));
    movie_bodies_show(film, &s->all, find, m);
    if (r) {
      record_add(r, (double[]){t, x, x - ideal(s, t, s->l), nsdyn_stepper_u(m->stepper)[NU * SLIDER], force,
                               end[0], end[1], end[2]});
    }
  }
  return NSDYN_OK;
}

/* The mechanism at some instants, seen along z and along y; and what the slider has beside the ideal one. */
static void draw(const output *out, const crank *s, const record *r)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(3, 1);
  plot_set_panel_size(figure, 640.0, 260.0);
  plot_set_description(
      figure, "A slider-crank in space from two sides, and how far its slider is from the ideal one");
  for (int view = 0; view < 2; view++) {
    plot_set_axes(figure, view, 0,
                  &(plot_axes){.title = view ? "From the front: x, z" : "From above: x, y",
                               .x = {.name = "x", .unit = "m"},
                               .y = {.name = view ? "z" : "y", .unit = "m"},
                               .equal = 1});
    for (int k = 0; k < 6 && r->rows > 0; k++) {
      const int row = k * (r->rows - 1) / 6;
      const double x[3] = {0.0, r->column[5][row], r->column[1][row]};
      const double y[3] = {0.0, r->column[6 + view][row], view ? 0.0 : s->e};
      plot_add(figure, view, 0,
               &(plot_curve){.count = 3,
                             .x = x,
                             .y = y,
                             .color = PLOT_BLUE + k % 4,
                             .dash = PLOT_SOLID,
                             .marker = PLOT_RING});
    }
    double circle[2][49];
    for (int k = 0; k < 49; k++) {
      double x[3], v[3];
      pin_at(s, 2.0 * PI * k / (48.0 * s->omega), x, v);
      circle[0][k] = x[0];
      circle[1][k] = x[1 + view];
    }
    plot_add(
        figure, view, 0,
        &(plot_curve){.count = 49, .x = circle[0], .y = circle[1], .color = PLOT_GRAY, .dash = PLOT_DOTTED});
  }
  plot_set_axes(figure, 2, 0,
                &(plot_axes){.title = "Slider beside that of the ideal mechanism",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "x − x_0", .unit = "m"},
                             .zero_lines = 1});
  plot_add(figure, 2, 0, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[2], .width = 1.0});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const crank *s, const outcome *o)
{
  result(out, "away", o->away, "m");
  if (s->clearance > 0.0) {
    result(out, "away_over_clearance", o->away / s->clearance, "1");
    result(out, "losses", o->losses, "1");
    result(out, "free", (double)o->free / o->steps, "1");
  }
  result(out, "beyond", o->beyond, "m");
  result(out, "joint", o->joint, "m");
  result(out, "largest_force", o->largest, "N");
}

int main(int argc, char **argv)
{
  crank s = {.r = 0.05, .l = 0.12, .e = 0.01, .tilt = 0.4, .omega = 20.0, .clearance = 5e-4};
  double m_rod = 0.1, m_slider = 0.2, mu = 0.1, eps = 0.3, g = 9.81, dt = 1e-4, t_end = 0.7;
  const option table[] = {
      {.name = "r", .unit = "m", .help = "radius of the crank", .number = &s.r, .high = 1e3, .open = 1},
      {.name = "l", .unit = "m", .help = "length of the rod", .number = &s.l, .high = 1e3, .open = 1},
      {.name = "e", .unit = "m", .help = "of the slider's line beside the axis", .number = &s.e, .high = 1e3},
      {.name = "tilt",
       .unit = "rad",
       .help = "of the crank's plane",
       .number = &s.tilt,
       .low = -1.5,
       .high = 1.5},
      {.name = "omega",
       .unit = "rad/s",
       .help = "rate of the crank",
       .number = &s.omega,
       .high = 1e6,
       .open = 1},
      {.name = "clearance",
       .unit = "m",
       .help = "of the wrist; 0: a ball joint",
       .number = &s.clearance,
       .high = 0.01},
      {.name = "m-rod", .unit = "kg", .help = "mass", .number = &m_rod, .high = 1e6, .open = 1},
      {.name = "m-slider", .unit = "kg", .help = "mass", .number = &m_slider, .high = 1e6, .open = 1},
      {.name = "mu", .unit = "1", .help = "friction coefficient of the wrist", .number = &mu, .high = 1e3},
      {.name = "eps", .unit = "1", .help = "restitution there", .number = &eps, .high = 1.0},
      {.name = "g", .unit = "m/s^2", .help = "gravity, against z", .number = &g, .high = 1e6},
      {.name = "dt", .unit = "s", .help = "time step", .number = &dt, .high = 1.0, .open = 1},
      {.name = "t-end", .unit = "s", .help = "end of the run", .number = &t_end, .high = 1e6, .open = 1},
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A slider-crank in space, with clearance.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (s.r + s.e + s.clearance >= s.l) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--l: the rod is too short for this crank"));
  }
  const double thick = m_rod * s.l * s.l / 400.0, slender = m_rod * s.l * s.l / 12.0,
               J = 0.1 * m_slider * s.r * s.r;
  s.body[ROD] = (body){.m = m_rod, .J = {thick, slender, slender}};
  s.body[SLIDER] = (body){.m = m_slider, .J = {J, J, J}};
  s.all = (bodies){.count = BODIES, .body = s.body, .block = s.block, .gravity = {0.0, 0.0, -g}};
  machine m;
  outcome o = {0};
  record r = record_new("t,x,away,v,force,x_p,y_p,z_p");
  movie *film = make_film(&out, &s, t_end);
  nsdyn_status status = start(&m, &s, mu, eps);
  if (status == NSDYN_OK) {
    status = run(&m, &s, film, dt, t_end, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    print(&out, &s, &o);
    record_write(&r, &out);
    draw(&out, &s, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A slider-crank with clearance", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
