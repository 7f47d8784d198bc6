/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Billiards after Stewart (2000), Figure 2.3: a ball is thrown at the first of three on a table, ε = 0.9.
 *
 * Most of the momentum reaches the last ball, ((1 + ε)/2)³ of it but for friction. The thrown ball falls onto
 * the first, slightly beside it: it rubs downwards and rebounds with a spin, which alternates at each of its
 * bounces, with its velocity along the table, as a superball's does (--eps-t). The first ball, held by the
 * table, spins too; its front goes up, and by friction the second one hops. The row has some room between its
 * balls (--gap), so that impacts come one after the other. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/bodies.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { BALLS = 4, BOUNCES = 6, CIRCLE = 49 };

typedef struct billiards {
  bodies all; /* first: the callbacks of bodies take it */
  body ball[BALLS];
  int32_t block[BALLS];
  double m, r;
} billiards;

static int find_floor(const billiards *b, const double *q, int i, double margin, nsdyn_contact_sink *sink)
{
  const double *p = q + 7 * i, n[3] = {0.0, 0.0, 1.0}, low[3] = {p[0], p[1], p[2] - b->r};
  const touch c = {.key = i, .gap = low[2], .body = {i, FIXED}, .point = {low, low}, .n = n};
  return c.gap > margin ? 0 : bodies_touch(&b->all, q, sink, &c);
}

static int find_pair(const billiards *b, const double *q, int i, int j, double margin,
                     nsdyn_contact_sink *sink)
{
  const double *p_i = q + 7 * i, *p_j = q + 7 * j;
  double n[3] = {p_i[0] - p_j[0], p_i[1] - p_j[1], p_i[2] - p_j[2]}, on_i[3], on_j[3];
  const double distance = sqrt(vector_dot(n, n)), gap = distance - 2.0 * b->r;
  if (gap > margin) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    n[k] /= distance;
    on_i[k] = p_i[k] - b->r * n[k];
    on_j[k] = p_j[k] + b->r * n[k];
  }
  const touch c = {.key = BALLS * (i + 1) + j, .gap = gap, .body = {i, j}, .point = {on_i, on_j}, .n = n};
  return bodies_touch(&b->all, q, sink, &c);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const billiards *b = user;
  int failed = 0;
  (void)t, (void)u;
  for (int i = 0; i < BALLS && !failed; i++) {
    failed = find_floor(b, q, i, margin, sink);
    for (int j = i + 1; j < BALLS && !failed; j++) {
      failed = find_pair(b, q, i, j, margin, sink);
    }
  }
  return failed ? -1 : 0;
}

static nsdyn_status start(machine *m, billiards *b, const nsdyn_contact_law *law, const double *q,
                          const double *u)
{
  nsdyn_system_def def;
  bodies_define(&b->all, &def);
  def.find = find;
  const nsdyn_status status = machine_start_steps(m, &def, NULL, NULL, q, u);
  int32_t number; /* 0, the first law */
  return status ? status : nsdyn_system_add_law(m->sys, law, &number);
}

/* ---- The run ---- */

typedef struct outcome {
  double share[BALLS]; /* of the momentum along x, when the last ball has been hit */
  double height[BALLS];
  double spin[BOUNCES], speed[BOUNCES]; /* ω_y and v_x of the thrown ball after each bounce */
  int bounces;
  double energy_before, largest_energy, energy;
} outcome;

/* ω_y of ball i in the axes of the world. */
static double spin_of(const double *q, const double *u, int i)
{
  double omega[3];
  nsdyn_quaternion_rotate(q + 7 * i + 3, u + 6 * i + 3, omega);
  return omega[1];
}

static int touches_floor(const nsdyn_stepper *s, int i)
{
  nsdyn_contact_state c;
  nsdyn_contact_state_init(&c, sizeof c);
  nsdyn_stepper_found_contact(s, i, &c);
  return c.active && c.mode != NSDYN_MODE_OPEN;
}

static movie *make_film(const output *out, const billiards *b, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  for (int i = 0; i < BALLS; i++) {
    movie_add_ball(film, movie_add_body(film, "ball", PLOT_COLOR_AUTO), (double[]){0.0, 0.0, 0.0}, b->r);
  }
  movie_add_floor(film, 12.0 * b->r);
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, billiards *b, movie *film, double v, double dt, double t_end,
                        outcome *o, record *r)
{
  const double *q = nsdyn_stepper_q(m->stepper), *u = nsdyn_stepper_u(m->stepper);
  int is_down = 0;
  double fastest = 0.0;
  o->energy_before = o->largest_energy = bodies_energy(&b->all, q, u);
  movie_bodies_show(film, &b->all, find, m);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    q = nsdyn_stepper_q(m->stepper);
    u = nsdyn_stepper_u(m->stepper);
    o->energy = bodies_energy(&b->all, q, u);
    o->largest_energy = fmax(o->largest_energy, o->energy);
    double row[2 + 3 * BALLS] = {nsdyn_stepper_time(m->stepper), spin_of(q, u, 0)};
    for (int i = 0; i < BALLS; i++) {
      o->height[i] = fmax(o->height[i], q[7 * i + 2] - b->r);
      if (u[6 * (BALLS - 1)] > fastest) {
        o->share[i] = u[6 * i] / v;
      }
      for (int k = 0; k < 3; k++) {
        row[2 + 3 * i + k] = q[7 * i + k];
      }
    }
    fastest = fmax(fastest, u[6 * (BALLS - 1)]);
    const int was_down = is_down;
    is_down = touches_floor(m->stepper, 0);
    if (is_down && !was_down && o->bounces < BOUNCES) {
      o->speed[o->bounces] = u[0];
      o->spin[o->bounces++] = row[1];
    }
    movie_bodies_show(film, &b->all, find, m);
    if (r) {
      record_add(r, row);
    }
  }
  return NSDYN_OK;
}

static void print(const output *out, const outcome *o, double eps)
{
  char name[32];
  for (int i = 0; i < BALLS; i++) {
    snprintf(name, sizeof name, "momentum_%d", i);
    result(out, name, o->share[i], "1");
  }
  result(out, "momentum_3_without_friction", pow(0.5 * (1.0 + eps), BALLS - 1), "1");
  for (int i = 1; i < BALLS; i++) {
    snprintf(name, sizeof name, "hop_%d", i);
    result(out, name, o->height[i], "m");
  }
  for (int k = 0; k < o->bounces; k++) {
    snprintf(name, sizeof name, "spin_%d", k);
    result(out, name, o->spin[k], "rad/s");
    snprintf(name, sizeof name, "v_x_%d", k);
    result(out, name, o->speed[k], "m/s");
  }
  result(out, "energy_before", o->energy_before, "J");
  result(out, "energy", o->energy, "J");
  result(out, "energy_gain", o->largest_energy - o->energy_before, "J");
}

static void draw(const output *out, const billiards *b, const record *r)
{
  static const char *const names[BALLS] = {"thrown", "first", "second", "third"};
  plot_figure *figure = plot_new(2, 1);
  plot_set_panel_size(figure, 720.0, 300.0);
  plot_set_description(figure, "Paths of a thrown ball and of three that it meets, in elevation and plan");
  for (int view = 0; view < 2; view++) {
    plot_set_axes(figure, view, 0,
                  &(plot_axes){.title = view ? "Plan" : "Elevation",
                               .x = {.name = "x", .unit = "m"},
                               .y = {.name = view ? "y" : "z", .unit = "m"},
                               .equal = 1});
    for (int i = 0; i < BALLS && r->rows > 0; i++) {
      const double *x = r->column[2 + 3 * i], *y = r->column[4 + 3 * i - view];
      const int color = PLOT_BLUE + i;
      plot_add(figure, view, 0,
               &(plot_curve){.label = view ? NULL : names[i],
                             .count = r->rows,
                             .x = x,
                             .y = y,
                             .color = color,
                             .dash = PLOT_SOLID});
      for (int end = 0; end < 2; end++) { /* where it begins and ends */
        double circle[2][CIRCLE];
        for (int k = 0; k < CIRCLE; k++) {
          const int row = end ? r->rows - 1 : 0;
          circle[0][k] = x[row] + b->r * cos(2.0 * PI * k / (CIRCLE - 1));
          circle[1][k] = y[row] + b->r * sin(2.0 * PI * k / (CIRCLE - 1));
        }
        plot_add(figure, view, 0,
                 &(plot_curve){.count = CIRCLE,
                               .x = circle[0],
                               .y = circle[1],
                               .color = color,
                               .dash = end ? PLOT_SOLID : PLOT_DOTTED});
      }
    }
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  billiards b = {.m = 0.17, .r = 0.03};
  double v = 2.0, fall = 1.0, above = 0.005, beside = 0.002, gap = 1e-3, mu = 0.3, eps = 0.9, eps_t = 0.9,
         g = 9.81, dt = 1e-4, t_end = 0.6;
  const option table[] = {
      {.name = "v",
       .unit = "m/s",
       .help = "velocity of the throw, along x",
       .number = &v,
       .high = 1e3,
       .open = 1},
      {.name = "fall", .unit = "m/s", .help = "its velocity downwards", .number = &fall, .high = 1e3},
      {.name = "above",
       .unit = "m",
       .help = "how much higher the thrown ball is",
       .number = &above,
       .high = 0.059},
      {.name = "beside", .unit = "m", .help = "how far beside the row", .number = &beside, .high = 0.05},
      {.name = "gap", .unit = "m", .help = "room between the balls", .number = &gap, .high = 1.0},
      OPTION_MU(mu),
      OPTION_EPS(eps),
      {.name = "eps-t", .unit = "1", .help = "tangential restitution", .number = &eps_t, .high = 1.0},
      {.name = "m", .unit = "kg", .help = "mass of a ball", .number = &b.m, .high = 1e6, .open = 1},
      {.name = "g", .unit = "m/s^2", .help = "gravity", .number = &g, .high = 1e6},
      OPTION_DT(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code =
      options_read(&out, argc, argv, "A ball thrown at three.", table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  const double J = 0.4 * b.m * b.r * b.r;
  double q[7 * BALLS] = {0.0}, u[6 * BALLS] = {v, 0.0, -fall};
  for (int i = 0; i < BALLS; i++) {
    b.ball[i] = (body){.m = b.m, .J = {J, J, J}};
    q[7 * i] = i * (2.0 * b.r + gap);
    q[7 * i + 2] = b.r;
    q[7 * i + 3] = 1.0;
  }
  q[1] = beside;
  q[2] += above;
  b.all = (bodies){.count = BALLS, .body = b.ball, .block = b.block, .gravity = {0.0, 0.0, -g}};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.tangents = 2;
  law.mu = mu;
  law.eps_n = eps;
  law.eps_t = eps_t;
  machine m;
  outcome o = {.bounces = 0};
  record r = record_new("t,spin_0,x_0,y_0,z_0,x_1,y_1,z_1,x_2,y_2,z_2,x_3,y_3,z_3");
  movie *film = make_film(&out, &b, t_end);
  nsdyn_status status = start(&m, &b, &law, q, u);
  if (status == NSDYN_OK) {
    status = run(&m, &b, film, v, dt, t_end, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    print(&out, &o, eps);
    record_write(&r, &out);
    draw(&out, &b, &r);
  }
  record_free(&r);
  movie_close(film, &out, "A ball thrown at three", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
