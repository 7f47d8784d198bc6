/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A semicircular arch of voussoirs, without mortar: how thin may it be?
 *
 * It stands where forces at its joints can carry it, wherever they act within the joint; one step from rest
 * shows whether there are such forces, since without them it begins to move. Milankovitch (1907) found that
 * an arch of thickness t and mean radius R stands for t/R > 0.1075, when hinges may be anywhere; with n
 * voussoirs they are at joints alone, and the limit, found by halving, comes near that from below. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846
#define STILL                                                                                                \
  1e-5 /* of g: what solvers leave is a hundredth of it, a millionth of the thickness missing is as much */
enum { ARC = 4, MOST = 200, CORNERS = 2 * (ARC + 1) };

typedef struct arch {
  int voussoirs;
  double thickness, mu, g, dt; /* thickness over the mean radius, which is 1 */
} arch;

/* The outline of voussoir i, a piece of a ring; a little larger than its place, so that all joints are
 * closed. */
static void outline(const arch *s, int i, double points[2 * CORNERS])
{
  const double overlap = 1e-9, from = PI * i / s->voussoirs - overlap,
               to = PI * (i + 1) / s->voussoirs + overlap;
  for (int k = 0; k < CORNERS; k++) {
    const int inner = k > ARC;
    const double share = (double)(inner ? CORNERS - 1 - k : k) / ARC, angle = from + share * (to - from);
    const double r = 1.0 + (inner ? -0.5 : 0.5) * s->thickness;
    points[2 * k] = r * cos(angle);
    points[2 * k + 1] = r * sin(angle);
  }
}

static nsdyn_status attach(nsdyn_world *world, int32_t body, int32_t kind, int32_t count,
                           const double *points)
{
  nsdyn_shape_def def;
  nsdyn_shape *shape = NULL;
  nsdyn_shape_def_init(&def, sizeof def);
  def.kind = kind;
  def.count = count;
  def.points = points;
  nsdyn_status status = nsdyn_shape_new(NULL, &def, &shape, NULL);
  status = status ? status : nsdyn_world_attach(world, body, shape, NULL, NULL);
  nsdyn_shape_free(shape);
  return status;
}

static nsdyn_status make_world(const arch *s, nsdyn_world **world)
{
  const double ground[] = {5.0, 0.0, -5.0, 0.0};
  nsdyn_world_options options;
  nsdyn_contact_law law;
  nsdyn_world_options_init(&options, sizeof options);
  nsdyn_contact_law_init(&law, sizeof law);
  options.gravity[1] = -s->g;
  law.mu = s->mu;
  nsdyn_status status = nsdyn_world_new(NULL, &options, world, NULL);
  status = status ? status : nsdyn_world_set_law(*world, 0, 0, &law);
  status = status ? status : attach(*world, NSDYN_GROUND, NSDYN_SHAPE_PROFILE, 2, ground);
  for (int i = 0; i < s->voussoirs && status == NSDYN_OK; i++) {
    double points[2 * CORNERS];
    int32_t body;
    outline(s, i, points);
    status = nsdyn_world_add_body(*world, NULL, &body);
    status = status ? status : attach(*world, body, NSDYN_SHAPE_POLYGON, CORNERS, points);
  }
  return status;
}

/* How fast it begins to move: the largest acceleration over g, of one step from rest. The world stays, to ask
 * for its touches. */
static nsdyn_status begin(const arch *s, machine *m, nsdyn_world **world, double *share)
{
  double q[3 * MOST], u[3 * MOST];
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.check = 0; /* all callbacks are the library's */
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  nsdyn_status status = make_world(s, world);
  status = status ? status : nsdyn_world_system(*world, NULL, &m->sys, &m->error);
  status = status ? status : nsdyn_world_begin(*world, q, u);
  status = status ? status : nsdyn_stepper_new(NULL, m->sys, &options, &m->stepper, &m->error);
  status = status ? status : nsdyn_stepper_set_state(m->stepper, 0.0, q, u);
  status = status ? status : nsdyn_stepper_step(m->stepper, s->dt);
  *share = 0.0;
  for (int j = 0; j < 3 * s->voussoirs && status == NSDYN_OK; j++) {
    *share = fmax(*share, fabs(nsdyn_stepper_u(m->stepper)[j]) / (s->g * s->dt));
  }
  return status;
}

/* The limit, by halving: where it stands nothing moves but by rounding. */
static nsdyn_status find_limit(const arch *given, const output *out, double *limit)
{
  arch s = *given;
  double low = 0.02, high = 0.4;
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < 30 && status == NSDYN_OK; k++) {
    machine m;
    nsdyn_world *world = NULL;
    double share;
    s.thickness = 0.5 * (low + high);
    status = begin(&s, &m, &world, &share);
    if (status == NSDYN_OK) {
      *(share < STILL ? &high : &low) = s.thickness;
    }
    (void)machine_stop(&m, out, status);
    nsdyn_world_free(world);
  }
  *limit = 0.5 * (low + high);
  return status;
}

/* Where the force acts at each of n + 1 joints: its distance from the middle of the arch; NaN where there is
 * none.
 */
static void thrust_line(const arch *s, const machine *m, const nsdyn_world *world, double *r)
{
  double force[MOST + 1] = {0.0}, moment[MOST + 1] = {0.0};
  for (int32_t k = 0; k < nsdyn_stepper_active(m->stepper); k++) {
    nsdyn_contact_state state;
    nsdyn_touch touch;
    int32_t bodies[2];
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_touch_init(&touch, sizeof touch);
    nsdyn_stepper_active_contact(m->stepper, k, &state);
    nsdyn_world_touch(world, state.key, NULL, bodies, &touch);
    /* Joint i is before voussoir i; the ground's are the first and the last one. */
    const int joint = bodies[0] >= 0 ? bodies[1] : bodies[1] == 0 ? 0 : s->voussoirs;
    const int corner = touch.feature[touch.kind == NSDYN_TOUCH_EDGE_VERTEX];
    force[joint] += state.force[0];
    moment[joint] += state.force[0] * (1.0 + (corner > ARC ? -0.5 : 0.5) * s->thickness);
  }
  for (int i = 0; i <= s->voussoirs; i++) {
    r[i] = force[i] > 0.0 ? moment[i] / force[i] : NAN;
  }
}

static void draw(const output *out, const arch *s, const double *r)
{
  if (!out->svg) {
    return;
  }
  plot_figure *figure = plot_new(1, 1);
  plot_set_panel_size(figure, 640.0, 380.0);
  plot_set_description(figure, "The voussoirs of an arch, and the line along which they press on each other");
  plot_set_axes(figure, 0, 0, &(plot_axes){.x = {.name = "x/R"}, .y = {.name = "y/R"}, .equal = 1});
  for (int i = 0; i < s->voussoirs; i++) {
    double points[2 * CORNERS], x[CORNERS + 1], y[CORNERS + 1];
    outline(s, i, points);
    for (int k = 0; k <= CORNERS; k++) {
      x[k] = points[2 * (k % CORNERS)];
      y[k] = points[2 * (k % CORNERS) + 1];
    }
    plot_add(figure, 0, 0,
             &(plot_curve){
                 .count = CORNERS + 1, .x = x, .y = y, .color = PLOT_GRAY, .dash = PLOT_SOLID, .width = 1.0});
  }
  double x[MOST + 1], y[MOST + 1];
  for (int i = 0; i <= s->voussoirs; i++) {
    x[i] = r[i] * cos(PI * i / s->voussoirs);
    y[i] = r[i] * sin(PI * i / s->voussoirs);
  }
  plot_add(
      figure, 0, 0,
      &(plot_curve){.count = s->voussoirs + 1, .x = x, .y = y, .color = PLOT_VERMILION, .dash = PLOT_SOLID});
  plot_write(figure, out->svg);
  plot_free(figure);
}

int main(int argc, char **argv)
{
  arch s = {.voussoirs = 30, .thickness = 0.11, .mu = 2.0, .g = 9.81, .dt = 1e-3};
  double share, limit = NAN, r[MOST + 1];
  int limits = 0;
  const option table[] = {
      {.name = "voussoirs", .help = "how many", .count = &s.voussoirs, .low = 3, .high = MOST},
      {.name = "thickness",
       .unit = "1",
       .help = "over the mean radius",
       .number = &s.thickness,
       .low = 0.02,
       .high = 0.9},
      OPTION_MU(s.mu),
      OPTION_GRAVITY(s.g),
      OPTION_DT(s.dt),
      {.name = "limit", .help = "find the least thickness that stands", .flag = &limits},
  };
  output out;
  const int code = options_read(&out, argc, argv, "An arch of voussoirs, without mortar: does it stand?",
                                table, (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  machine m;
  nsdyn_world *world = NULL;
  nsdyn_status status = begin(&s, &m, &world, &share);
  record rows = record_new("joint,radius");
  if (status == NSDYN_OK) {
    thrust_line(&s, &m, world, r);
    result(&out, "acceleration", share, "g");
    result(&out, "stands", share < STILL, "1");
    for (int i = 0; i <= s.voussoirs; i++) {
      record_add(&rows, (double[]){i, r[i]});
    }
    record_write(&rows, &out);
    draw(&out, &s, r);
    if (limits) {
      status = find_limit(&s, &out, &limit);
      if (status == NSDYN_OK) {
        result(&out, "limit", limit, "1");
        result(&out, "limit_milankovitch", 0.1075, "1");
      }
    }
  }
  record_free(&rows);
  const int failed = machine_stop(&m, &out, status);
  nsdyn_world_free(world);
  return output_close(&out, failed);
}
