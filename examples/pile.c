/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Spheres and boxes that fall into a container: how large a scene becomes, how deep they overlap, what energy
 * is left.
 *
 * The container has a square floor and four walls without end. The bodies are sorted into the cells of a
 * grid, and those of neighbouring cells are compared: simple, and work by the number of bodies. Boxes touch
 * the container with their corners, and each other as common/boxes.h says. A bar on the terminal says how far
 * the run is. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>

#include "common/bodies.h"
#include "common/boxes.h"
#include "common/machine.h"
#include "common/movie_bodies.h"
#include "common/options.h"
#include "common/planar.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846

enum { WALLS = 5, CIRCLE = 25, EDGES = 16 };

typedef struct pile {
  bodies all;        /* first: the callbacks of bodies take it */
  int boxes;         /* the first ones; the others are spheres */
  double *r;         /* radii; of a box that of the sphere around it */
  double (*half)[3]; /* half edges of the boxes */
  double width, largest;
  int side, layers;  /* cells of the grid, along each side and up */
  int *first, *next; /* of each cell its first body, of each body the next one there; −1: none */
} pile;

/* ---- Detection ---- */

static int clamp(double x, int count)
{
  return x < 1.0 ? 0 : x < count - 1.0 ? (int)x : count - 1;
}

/* The cell of a place: as wide as the largest body, the last layer without end. */
static void cell_of(const pile *p, const double *x, int cell[3])
{
  const double size = p->width / p->side;
  cell[0] = clamp(x[0] / size, p->side);
  cell[1] = clamp(x[1] / size, p->side);
  cell[2] = clamp(x[2] / size, p->layers);
}

static int index_of(const pile *p, const int cell[3])
{
  return (cell[2] * p->side + cell[1]) * p->side + cell[0];
}

/* Points that two bodies share, or one and a wall, have numbers of their own. */
static int64_t key_of(const pile *p, int i, int other, int point)
{
  return ((int64_t)i * (p->all.count + WALLS) + other) * BOX_IDS + point;
}

static box box_of(const pile *p, const double *q, int i)
{
  return (box){.q = q + (ptrdiff_t)7 * i, .half = {p->half[i][0], p->half[i][1], p->half[i][2]}};
}

static int touch_wall(const pile *p, const double *q, int i, int w, const double *n, const double *on,
                      double gap, int point, nsdyn_contact_sink *sink)
{
  const touch c = {.key = key_of(p, i, p->all.count + w, point),
                   .gap = gap,
                   .body = {i, FIXED},
                   .point = {on, on},
                   .n = n};
  return bodies_touch(&p->all, q, sink, &c);
}

static int find_walls(const pile *p, const double *q, int i, double margin, nsdyn_contact_sink *sink)
{
  static const double normal[WALLS][3] = {
      {0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}};
  const double *x = q + (ptrdiff_t)7 * i;
  int failed = 0;
  for (int w = 0; w < WALLS; w++) {
    const double *n = normal[w];
    const double far = n[0] + n[1] < 0.0 ? p->width : 0.0; /* n · x of the wall is −far */
    const double gap = vector_dot(n, x) + far - p->r[i];
    if (gap > margin) {
      continue;
    }
    if (i >= p->boxes) {
      const double on[3] = {x[0] - p->r[i] * n[0], x[1] - p->r[i] * n[1], x[2] - p->r[i] * n[2]};
      failed = failed || touch_wall(p, q, i, w, n, on, gap, 0, sink);
      continue;
    }
    const box b = box_of(p, q, i);
    for (int k = 0; k < 8 && !failed; k++) {
      double corner[3];
      box_corner(&b, k, corner);
      const double own = vector_dot(n, corner) + far;
      failed = own <= margin && touch_wall(p, q, i, w, n, corner, own, k, sink);
    }
  }
  return failed;
}

/* Two spheres, as a touch of one point. */
static void meet(const double *x_i, double r_i, const double *x_j, double r_j, double margin, box_touch *t)
{
  double n[3] = {x_i[0] - x_j[0], x_i[1] - x_j[1], x_i[2] - x_j[2]};
  const double distance = sqrt(vector_dot(n, n));
  t->count = distance > 0.0 && distance - r_i - r_j <= margin;
  t->id[0] = 0;
  t->gap[0] = distance - r_i - r_j;
  for (int k = 0; k < 3 && t->count; k++) {
    t->n[0][k] = n[k] / distance;
    t->on[0][0][k] = x_i[k] - r_i * t->n[0][k];
    t->on[0][1][k] = x_j[k] + r_j * t->n[0][k];
  }
}

static int find_pair(const pile *p, const double *q, int i, int j, double margin, nsdyn_contact_sink *sink)
{
  const double *x_i = q + (ptrdiff_t)7 * i, *x_j = q + (ptrdiff_t)7 * j;
  box_touch t;
  meet(x_i, p->r[i], x_j, p->r[j], margin, &t);
  if (t.count > 0 && i < p->boxes) {
    /* i < j: boxes come first. */
    const box b = box_of(p, q, i);
    if (j < p->boxes) {
      const box other = box_of(p, q, j);
      box_touches_box(&b, &other, margin, &t);
    } else {
      box_touches_sphere(&b, x_j, p->r[j], margin, &t);
    }
  }
  int failed = 0;
  for (int k = 0; k < t.count && !failed; k++) {
    const touch c = {.key = key_of(p, i, j, t.id[k]),
                     .gap = t.gap[k],
                     .body = {i, j},
                     .point = {t.on[k][0], t.on[k][1]},
                     .n = t.n[k]};
    failed = bodies_touch(&p->all, q, sink, &c);
  }
  return failed;
}

/* Body i with those of later number around it: each pair once. */
static int find_around(const pile *p, const double *q, int i, double margin, nsdyn_contact_sink *sink)
{
  int own[3], failed = find_walls(p, q, i, margin, sink);
  cell_of(p, q + (ptrdiff_t)7 * i, own);
  for (int near = 0; near < 27 && !failed; near++) {
    const int cell[3] = {own[0] + near % 3 - 1, own[1] + near / 3 % 3 - 1, own[2] + near / 9 - 1};
    if (cell[0] < 0 || cell[0] >= p->side || cell[1] < 0 || cell[1] >= p->side || cell[2] < 0 ||
        cell[2] >= p->layers) {
      continue;
    }
    for (int j = p->first[index_of(p, cell)]; j >= 0 && !failed; j = p->next[j]) {
      failed = j > i ? find_pair(p, q, i, j, margin, sink) : 0;
    }
  }
  return failed;
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const pile *p = user;
  (void)t, (void)u;
  for (int c = 0; c < p->side * p->side * p->layers; c++) {
    p->first[c] = -1;
  }
  for (int i = p->all.count - 1; i >= 0; i--) {
    int cell[3];
    cell_of(p, q + (ptrdiff_t)7 * i, cell);
    p->next[i] = p->first[index_of(p, cell)];
    p->first[index_of(p, cell)] = i;
  }
  int failed = 0;
  for (int i = 0; i < p->all.count && !failed; i++) {
    failed = find_around(p, q, i, margin, sink);
  }
  return failed ? -1 : 0;
}

/* ---- The scene ---- */

static const double density = 2500.0;

/* A box within the sphere of radius r, turned somehow. */
static body make_box(double r, uint32_t *state, double *half, double *quaternion)
{
  double length = 0.0, turn = 0.0;
  for (int k = 0; k < 3; k++) {
    half[k] = 0.6 + 0.4 * random_share(state);
    length += half[k] * half[k];
  }
  for (int k = 0; k < 4; k++) {
    quaternion[k] = random_share(state) - 0.5 + (k == 0);
    turn += quaternion[k] * quaternion[k];
  }
  for (int k = 0; k < 4; k++) {
    quaternion[k] /= sqrt(turn);
    half[k % 3] *= k < 3 ? r / sqrt(length) : 1.0;
  }
  const double m = 8.0 * density * half[0] * half[1] * half[2];
  body b = {.m = m};
  for (int k = 0; k < 3; k++) {
    const double y = half[(k + 1) % 3], z = half[(k + 2) % 3];
    b.J[k] = m / 3.0 * (y * y + z * z);
  }
  return b;
}

/* Radii between r/2 and r, of one density; on a lattice above the floor, each somewhere within its place. */
static void fill(pile *p, body *ball, double *q, double r, int seed)
{
  uint32_t state = (uint32_t)seed;
  const double place = 2.2 * r;
  const int side = (int)(p->width / place);
  for (int i = 0; i < p->all.count; i++) {
    p->r[i] = r * (0.5 + 0.5 * random_share(&state));
    p->largest = fmax(p->largest, p->r[i]);
    q[7 * i + 3] = 1.0;
    if (i < p->boxes) {
      ball[i] = make_box(p->r[i], &state, p->half[i], q + (ptrdiff_t)7 * i + 3);
    } else {
      const double m = 4.0 / 3.0 * PI * density * p->r[i] * p->r[i] * p->r[i],
                   J = 0.4 * m * p->r[i] * p->r[i];
      ball[i] = (body){.m = m, .J = {J, J, J}};
    }
    const int lattice[3] = {i % side, i / side % side, i / (side * side)};
    for (int k = 0; k < 3; k++) {
      q[7 * i + k] = lattice[k] * place + p->r[i] + (place - 2.0 * p->r[i]) * random_share(&state);
    }
  }
  p->side = (int)(p->width / (2.0 * r));
  p->layers = p->all.count / (side * side) * 2 + 4;
  p->first = memory(NULL, (size_t)p->side * (size_t)p->side * (size_t)p->layers, sizeof *p->first);
}

static nsdyn_status start(machine *m, pile *p, double mu, double eps, int projects, const double *q,
                          const double *u)
{
  nsdyn_system_def def;
  bodies_define(&p->all, &def);
  def.find = find;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.project = projects;
  options.check = 0; /* libraries built for tests would look at all callbacks along each of many velocities */
  const nsdyn_status status = machine_start_steps(m, &def, NULL, &options, q, u);
  return status ? status : machine_add_law(m, mu, eps);
}

/* ---- The run ---- */

typedef struct outcome {
  double depth, energy_before, largest_energy, energy, kinetic;
  int contacts, most_contacts;
} outcome;

/* A bar of 40 places on stderr, in one line. */
static void show_progress(double share, int contacts)
{
  char bar[41];
  const int full = (int)(40.0 * share);
  for (int k = 0; k < 40; k++) {
    bar[k] = k < full ? '#' : '.';
  }
  bar[40] = '\0';
  fprintf(stderr, "\r[%s] %3d %%, %d contacts ", bar, (int)(100.0 * share), contacts);
  if (share >= 1.0) {
    fputc('\n', stderr);
  }
}

static movie *make_film(const output *out, const pile *p, double t_end)
{
  movie *film = movie_new(out, 3, t_end);
  const double origin[3] = {0.0, 0.0, 0.0}, w = p->width;
  for (int i = 0; i < p->all.count; i++) {
    const int number = movie_add_body(film, i < p->boxes ? "box" : "sphere", PLOT_COLOR_AUTO);
    if (i < p->boxes) {
      movie_add_box(film, number, origin, p->half[i]);
    } else {
      movie_add_ball(film, number, origin, p->r[i]);
    }
  }
  for (int side = 0; side < 4; side++) { /* the feet of the walls, and their corners */
    const double x = side == 1 || side == 2 ? w : 0.0, y = side > 1 ? w : 0.0;
    const double x_next = side < 2 ? w : 0.0, y_next = side == 1 || side == 2 ? w : 0.0;
    movie_add_line(film, MOVIE_GROUND, 3, (double[]){x, y, w, x, y, 0.0, x_next, y_next, 0.0});
  }
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

static nsdyn_status run(const machine *m, pile *p, movie *film, double dt, double t_end, int has_bar,
                        outcome *o, record *r)
{
  nsdyn_step_report report;
  nsdyn_step_report_init(&report, sizeof report);
  int shown = -1;
  o->energy_before = o->largest_energy =
      bodies_energy(&p->all, nsdyn_stepper_q(m->stepper), nsdyn_stepper_u(m->stepper));
  movie_bodies_show(film, &p->all, find, m);
  while (machine_is_before(m, t_end, dt)) {
    const nsdyn_status status = nsdyn_stepper_step(m->stepper, dt);
    if (status != NSDYN_OK) {
      return status;
    }
    nsdyn_stepper_report(m->stepper, &report);
    const double *q = nsdyn_stepper_q(m->stepper), *u = nsdyn_stepper_u(m->stepper), t = report.t;
    double weight = 0.0;
    for (int i = 0; i < p->all.count; i++) {
      weight -= p->all.body[i].m * vector_dot(p->all.gravity, q + (ptrdiff_t)7 * i);
    }
    o->energy = bodies_energy(&p->all, q, u);
    o->kinetic = o->energy - weight;
    o->largest_energy = fmax(o->largest_energy, o->energy);
    o->depth = fmax(o->depth, report.gap);
    o->contacts = report.active;
    o->most_contacts = report.active > o->most_contacts ? report.active : o->most_contacts;
    movie_bodies_show(film, &p->all, find, m);
    if (r) {
      record_add(r, (double[]){t, o->kinetic, o->energy, report.active, report.gap});
    }
    const int share = (int)(200.0 * t / t_end);
    if (has_bar && share != shown) {
      shown = share;
      show_progress(t < t_end - 0.5 * dt ? t / t_end : 1.0, report.active);
    }
  }
  return NSDYN_OK;
}

/* The outline of body i from the side: a circle, or the edges of a box in one stroke. */
static int outline(const pile *p, const double *q, int i, double *x, double *z)
{
  static const int stroke[EDGES] = {0, 1, 3, 2, 0, 4, 5, 1, 5, 7, 3, 7, 6, 2, 6, 4};
  for (int k = 0; k < EDGES && i < p->boxes; k++) {
    const box b = box_of(p, q, i);
    double corner[3];
    box_corner(&b, stroke[k], corner);
    x[k] = corner[0];
    z[k] = corner[2];
  }
  for (int k = 0; k < CIRCLE && i >= p->boxes; k++) {
    x[k] = q[7 * i] + p->r[i] * cos(2.0 * PI * k / (CIRCLE - 1));
    z[k] = q[7 * i + 2] + p->r[i] * sin(2.0 * PI * k / (CIRCLE - 1));
  }
  return i < p->boxes ? EDGES : CIRCLE;
}

static void draw(const output *out, const pile *p, const double *q, const record *r)
{
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(
      figure, p->boxes ? "A pile of boxes and spheres from the side, and its kinetic energy over time"
                       : "A pile of spheres from the side, and its kinetic energy over time");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "From the side",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "z", .unit = "m", .with_zero = 1},
                             .equal = 1});
  for (int i = 0; i < p->all.count; i++) {
    double x[CIRCLE], z[CIRCLE];
    const int count = outline(p, q, i, x, z);
    plot_add(
        figure, 0, 0,
        &(plot_curve){
            .count = count, .x = x, .y = z, .color = PLOT_BLUE + i % 6, .dash = PLOT_SOLID, .width = 1.0});
  }
  plot_set_axes(figure, 0, 1,
                &(plot_axes){.title = "Kinetic energy",
                             .x = {.name = "t", .unit = "s"},
                             .y = {.name = "energy", .unit = "J", .with_zero = 1}});
  plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[0], .y = r->column[1]});
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const pile *p, const outcome *o)
{
  result(out, "contacts", o->contacts, "1");
  result(out, "most_contacts", o->most_contacts, "1");
  result(out, "penetration", o->depth, "m");
  result(out, "penetration_over_radius", o->depth / p->largest, "1");
  result(out, "energy_before", o->energy_before, "J");
  result(out, "energy", o->energy, "J");
  result(out, "energy_gain", o->largest_energy - o->energy_before, "J");
  result(out, "kinetic_energy", o->kinetic, "J");
}

int main(int argc, char **argv)
{
  pile p = {.width = 0.5};
  int spheres = 16, seed = 1, projects = 0, has_bar = 0;
  double r_most = 0.05, mu = 0.4, eps = 0.0, g = 9.81, dt = 2e-3, t_end = 0.5;
  const option table[] = {
      {.name = "spheres", .help = "how many", .count = &spheres, .low = 0, .high = 20000},
      {.name = "boxes", .help = "how many beside", .count = &p.boxes, .low = 0, .high = 20000},
      {.name = "seed", .help = "of radii and places", .count = &seed, .low = 0, .high = 1e9},
      {.name = "project", .help = "remove penetration after each step", .flag = &projects},
      {.name = "bar", .help = "show on the terminal how far the run is", .flag = &has_bar},
      {.name = "width",
       .unit = "m",
       .help = "of the container",
       .number = &p.width,
       .low = 0.2,
       .high = 100.0},
      {.name = "r",
       .unit = "m",
       .help = "largest radius, of boxes that of the sphere around them; the smallest is half",
       .number = &r_most,
       .low = 1e-3,
       .high = 0.08},
      OPTION_MU(mu),
      OPTION_EPS(eps),
      {.name = "g", .unit = "m/s^2", .help = "gravity", .number = &g, .high = 1e6},
      OPTION_DT(dt),
      OPTION_T_END(t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A pile of spheres and boxes.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  p.all.count = spheres + p.boxes;
  if (p.all.count == 0) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--spheres 0 needs some --boxes"));
  }
  const size_t n = (size_t)p.all.count;
  body *ball = memory(NULL, n, sizeof *ball);
  double *q = memory(NULL, 7 * n, sizeof *q), *u = memory(NULL, 6 * n, sizeof *u);
  for (size_t i = 0; i < 7 * n; i++) {
    q[i] = 0.0;
    u[i < 6 * n ? i : 0] = 0.0;
  }
  p.r = memory(NULL, n, sizeof *p.r);
  p.half = memory(NULL, n, sizeof *p.half);
  p.next = memory(NULL, n, sizeof *p.next);
  p.all.block = memory(NULL, n, sizeof *p.all.block);
  p.all.body = ball;
  p.all.gravity[2] = -g;
  fill(&p, ball, q, r_most, seed);
  machine m;
  outcome o = {0};
  record r = record_new("t,kinetic,energy,contacts,penetration");
  movie *film = make_film(&out, &p, t_end);
  nsdyn_status status = start(&m, &p, mu, eps, projects, q, u);
  if (status == NSDYN_OK) {
    status = run(&m, &p, film, dt, t_end, has_bar, &o, out.csv || out.svg ? &r : NULL);
  }
  if (status == NSDYN_OK) {
    print(&out, &p, &o);
    record_write(&r, &out);
    draw(&out, &p, nsdyn_stepper_q(m.stepper), &r);
  }
  record_free(&r);
  movie_close(film, &out, "A pile", "");
  const int failed = machine_stop(&m, &out, status);
  void *const all[] = {ball, q, u, p.r, p.half, p.next, p.first, p.all.block};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    free(all[i]);
  }
  return output_close(&out, failed);
}
