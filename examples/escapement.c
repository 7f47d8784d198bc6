/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The escapement of a clock: a wheel that a weight turns, and an anchor on a
 * pendulum that lets it go on by half a tooth per swing.
 *
 * Wheel and anchor are polygons, and which tooth touches which face is found. A
 * tooth lies on a locking face of one pallet (lock); as the pendulum swings
 * back, the tooth comes to the corner of that face and pushes the pallet's end,
 * the impulse face, aside (impulse); behind it the wheel is free (drop) until a
 * tooth falls on the other pallet. Graham's anchor, the default, has locking
 * faces that are arcs about its axis, here chords of them: the wheel rests
 * meanwhile. With --recoil they are inclined, and the pendulum turns the wheel
 * back.
 *
 * What a swing is given does not depend on how wide it is, but what damping
 * takes does: the swings become alike. By events this limit cycle is closed by
 * Newton's method, and its multiplier says how fast. Energy holds the account:
 * torque times a tooth is what air, impacts and friction take in a period. An
 * impulse that is as long before the middle as behind it leaves the pendulum
 * its time (Airy 1830), a recoil shortens it. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine.h"
#include "common/movie_world.h"
#include "common/options.h"
#include "common/planar.h"
#include "common/plot.h"
#include "common/record.h"
#include "common/sweep.h"

#define PI 3.14159265358979323846

enum { DOF = 2, THETA = 0, PHI = 1, MOST_TEETH = 120, MOST_CHORDS = 64 };

/* Shapes in the order in which they are attached, and what a tooth touches. */
enum shape { SHAPE_ENTRY, SHAPE_EXIT, SHAPE_ENTRY_WHEEL, SHAPE_EXIT_WHEEL };
enum { ENTRY_LOCK, ENTRY_IMPULSE, EXIT_LOCK, EXIT_IMPULSE, FLANK, FACES };
static const char *const face_names[FACES] = {"entry_lock", "entry_impulse", "exit_lock", "exit_impulse",
                                              "flank"};

/* ---- the model ---- */

typedef struct timepiece {
  int teeth, span, chords;         /* span: teeth between the pallets, and a half;
                                      chords of a locking arc */
  double R;                        /* of the wheel, m */
  double lift, lock, drop, recoil; /* degrees: of the pendulum, of the wheel;
                                      slope of locking faces */
  double m, l, c, g;               /* pendulum: kg, m, N m s; */
  double J, torque;                /* of the wheel: kg m², N m */
  double mu, eps;
  double J_anchor[3 * DOF], J_wheel[3 * DOF]; /* ∂pose/∂q */
  nsdyn_contact_block block[2];
} timepiece;

static double radians(double degrees)
{
  return degrees * PI / 180.0;
}

static double pitch(const timepiece *p)
{
  return 2.0 * PI / p->teeth;
}

/* The pallets are so far from the vertical through both axes, seen from the
 * wheel; their tangents to the wheel meet in the anchor's axis. */
static double half_span(const timepiece *p)
{
  return 0.5 * (p->span + 0.5) * pitch(p);
}

static double axis_height(const timepiece *p)
{
  return p->R / cos(half_span(p));
}

/* M = diag(m l², J), h: weight, damping, torque. The wheel turns clockwise. */
static int mass(void *user, double t, const double *q, double *M)
{
  const timepiece *p = user;
  (void)t, (void)q;
  M[0] = p->m * p->l * p->l;
  M[3] = p->J;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const timepiece *p = user;
  (void)t;
  h[THETA] = -p->m * p->g * p->l * sin(q[THETA]) - p->c * u[THETA];
  h[PHI] = p->torque;
  return 0;
}

/* Kinetic energy, and that of the pendulum's weight. */
static void measure_energy(const timepiece *p, const double *q, const double *u, double *energy)
{
  energy[0] = 0.5 * (p->m * p->l * p->l * u[THETA] * u[THETA] + p->J * u[PHI] * u[PHI]);
  energy[1] = p->m * p->g * p->l * (1.0 - cos(q[THETA]));
  energy[2] = 0.0;
}

/* ---- bodies and shapes ---- */

static int place_anchor(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  timepiece *p = user;
  (void)t, (void)u;
  placed->pose[1] = axis_height(p);
  placed->pose[2] = q[THETA];
  placed->blocks = 1;
  placed->block = &p->block[0];
  return 0;
}

/* The wheel turned by so many teeth is the wheel: it is placed by φ less whole
 * teeth, so that each period is the same touches. Where a tooth more is taken
 * off, no tooth is near: once for each pallet, so the wheel is two bodies, of
 * which one pallet touches each. */
static void place_wheel(timepiece *p, double phi, double at, nsdyn_placed *placed)
{
  placed->pose[2] = -(phi - pitch(p) * floor((phi - at) / pitch(p) - 0.5));
  placed->blocks = 1;
  placed->block = &p->block[1];
}

static int place_at_entry(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  timepiece *p = user;
  (void)t, (void)u;
  place_wheel(p, q[PHI], -half_span(p), placed);
  return 0;
}

static int place_at_exit(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  timepiece *p = user;
  (void)t, (void)u;
  place_wheel(p, q[PHI], half_span(p), placed);
  return 0;
}

/* A tooth: undercut in front, so that its tip alone touches. */
static void draw_wheel(const timepiece *p, double *points)
{
  const double root = 0.8 * p->R, lag[] = {0.25, 0.0, 0.75}, radius[] = {root, p->R, root};
  for (int k = 0; k < 3 * p->teeth; k++) {
    const int tooth = k / 3;
    const double angle = pitch(p) * (lag[k % 3] + tooth); /* counterclockwise: against the motion */
    points[2 * k] = -radius[k % 3] * sin(angle);
    points[2 * k + 1] = radius[k % 3] * cos(angle);
  }
}

/* Where a tooth's tip is, seen from the anchor's axis: distance and angle. The
 * tip is `ahead` of the point of the wheel that is `side` times half the span
 * to the right. */
static void see_tip(const timepiece *p, int side, double ahead, double *rho, double *alpha)
{
  const double angle = side * half_span(p) + ahead;
  const double x = p->R * sin(angle), y = p->R * cos(angle) - axis_height(p);
  *rho = hypot(x, y);
  *alpha = atan2(y, x);
}

static void add_point(double **end, double rho, double alpha)
{
  *(*end)++ = rho * cos(alpha);
  *(*end)++ = rho * sin(alpha);
}

/* A pallet: from the far end of its locking face to the corner, where a tooth
 * is let go on as the anchor stands at −side·u; along the impulse face to its
 * end, at side·r; and back up. */
static void draw_pallet(const timepiece *p, int side, double **end)
{
  const double u = radians(0.5 * (p->lift - p->lock)), r = radians(0.5 * (p->lift + p->lock));
  const double width = 0.5 * pitch(p) - radians(p->drop), arc = radians(12.0);
  double rho, alpha;
  see_tip(p, side, -0.5 * width, &rho, &alpha);
  for (int k = 0; k <= p->chords; k++) {
    const double s = arc * (p->chords - k) / p->chords;
    add_point(end, rho * (1.0 - side * tan(radians(p->recoil)) * s), alpha + side * (u + s));
  }
  see_tip(p, side, 0.5 * width, &rho, &alpha);
  add_point(end, rho, alpha - side * r);
  add_point(end, rho, alpha - side * r + side * (side < 0 ? 0.7 : 1.3) * arc);
}

/* With half of the arm that holds it. */
enum { MOST_POINTS = MOST_CHORDS + 5 };
static int draw_half(const timepiece *p, int side, double *points)
{
  double *end = points;
  draw_pallet(p, side, &end);
  /* The inner side, which the entry pallet ends with, goes to below the axis,
   * the outer one to above it. */
  add_point(&end, (side < 0 ? 0.2 : 0.15) * axis_height(p), 0.5 * side * PI);
  add_point(&end, (side < 0 ? 0.15 : 0.2) * axis_height(p), -0.5 * side * PI);
  return p->chords + 5;
}

static nsdyn_status add_body(timepiece *p, nsdyn_world *world, const char *name,
                             int (*place)(void *, double, const double *, const double *, nsdyn_placed *))
{
  nsdyn_body_def def;
  nsdyn_body_def_init(&def, sizeof def);
  def.kind = NSDYN_BODY_POSED;
  def.place = place;
  def.user = p;
  def.name = name;
  return nsdyn_world_add_body(world, &def, NULL);
}

/* Shapes as in enum shape; each pallet meets its own wheel. */
static nsdyn_status attach_shapes(const timepiece *p, movie_world *film, nsdyn_world *world,
                                  nsdyn_error *error)
{
  double wheel[6 * MOST_TEETH], half[2 * MOST_POINTS];
  nsdyn_status status = NSDYN_OK;
  for (int side = -1; side <= 1 && status == NSDYN_OK; side += 2) {
    const int points = draw_half(p, side, half);
    status = planar_attach(film, world, 0, NSDYN_SHAPE_POLYGON, points, half, NULL, error);
  }
  draw_wheel(p, wheel);
  for (int body = 1; body <= 2 && status == NSDYN_OK; body++) {
    status = planar_attach(film, world, body, NSDYN_SHAPE_POLYGON, 3 * p->teeth, wheel, NULL, error);
  }
  status = status ? status : nsdyn_world_set_pair(world, SHAPE_ENTRY, SHAPE_EXIT_WHEEL, NULL);
  status = status ? status : nsdyn_world_set_pair(world, SHAPE_EXIT, SHAPE_ENTRY_WHEEL, NULL);
  return status ? status : nsdyn_world_set_pair(world, SHAPE_ENTRY_WHEEL, SHAPE_EXIT_WHEEL, NULL);
}

static nsdyn_status make_system(timepiece *p, movie_world *film, nsdyn_world **world, machine *m)
{
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  p->J_anchor[2 * DOF + THETA] = 1.0; /* of the rows x, y, angle */
  p->J_wheel[2 * DOF + PHI] = -1.0;
  p->block[0] = (nsdyn_contact_block){.offset = 0, .count = DOF, .values = p->J_anchor};
  p->block[1] = (nsdyn_contact_block){.offset = 0, .count = DOF, .values = p->J_wheel};
  own.nq = own.nu = DOF;
  own.user = p;
  own.mass = mass;
  own.force = force;
  nsdyn_status status = planar_world(p->g, p->mu, p->eps, world, &m->error);
  status = status ? status : add_body(p, *world, "anchor", place_anchor);
  status = status ? status : add_body(p, *world, "wheel, at the entry pallet", place_at_entry);
  status = status ? status : add_body(p, *world, "wheel, at the exit pallet", place_at_exit);
  status = status ? status : attach_shapes(p, film, *world, &m->error);
  status = machine_built(m, *world, status);
  return status ? status : nsdyn_world_system(*world, &own, &m->sys, &m->error);
}

/* Which face of which pallet a tooth touches. */
static int face_of(const timepiece *p, const nsdyn_world *world, int64_t key)
{
  int32_t shapes[2];
  nsdyn_touch touch;
  nsdyn_touch_init(&touch, sizeof touch);
  if (nsdyn_world_touch(world, key, shapes, NULL, &touch) != NSDYN_OK ||
      touch.kind != NSDYN_TOUCH_EDGE_VERTEX || touch.feature[0] > p->chords) {
    return FLANK;
  }
  const int impulse = touch.feature[0] == p->chords;
  return shapes[0] == SHAPE_ENTRY ? ENTRY_LOCK + impulse : EXIT_LOCK + impulse;
}

/* ---- what is watched ---- */

enum { COLUMNS = 1 + 2 * DOF };

typedef struct happening {
  double t;
  const char *kind;
  int face;
} happening;

typedef struct log_book {
  record rows;
  record swings; /* when each period began, the widest angle in it, damping's
                    work and φ until then */
  happening *happened;
  int count, room;
  int mode[FACES];          /* by steps, after the last one */
  double widest, damped;    /* since the period began; since the run did */
  int seen;                 /* records of the driver's log */
  int closed;               /* a cycle was found, and has: */
  double multiplier, error; /* how far the multiplier may be off */
  double teeth;             /* by which the wheel goes on */
  double period, amplitude; /* of the last whole period, rad */
  double pushed, lost;      /* work of torque and damping in it */
} log_book;

static void keep_happening(log_book *book, double t, const char *kind, int face)
{
  if (book->count == book->room) {
    book->room = book->room ? 2 * book->room : 1024;
    book->happened = memory(book->happened, (size_t)book->room, sizeof *book->happened);
  }
  book->happened[book->count++] = (happening){t, kind, face};
}

/* By steps: which faces are touched now and were not, and the other way round.
 */
static void watch_modes(const timepiece *p, log_book *book, const nsdyn_world *world, const machine *m)
{
  int mode[FACES] = {NSDYN_MODE_OPEN};
  for (int k = 0; k < nsdyn_stepper_active(m->stepper); k++) {
    const nsdyn_contact_state state = machine_active_contact(m, k);
    const int face = face_of(p, world, state.key);
    mode[face] = mode[face] == NSDYN_MODE_OPEN ? state.mode : mode[face];
  }
  for (int i = 0; i < FACES; i++) {
    const int was = book->mode[i] != NSDYN_MODE_OPEN, is = mode[i] != NSDYN_MODE_OPEN;
    if (was != is) {
      keep_happening(book, machine_time(m), is ? "impact" : "open", i);
    }
    book->mode[i] = mode[i];
  }
}

/* A period begins where the pendulum swings to the right through the middle. */
static int section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)t, (void)u;
  *value = q[THETA];
  return 0;
}

static void begin_period(log_book *book, double t, double phi)
{
  record_add(&book->swings, (double[]){t, book->widest, book->damped, phi});
  book->widest = 0.0;
}

/* What has happened since the row `before`. `last` becomes the last state on
 * the section, by events. */
static void watch(const timepiece *p, log_book *book, const nsdyn_world *world, const machine *m,
                  const double *before, double *last)
{
  const double *q = machine_q(m), *u = machine_u(m);
  for (; m->driver && book->seen < machine_events(m); book->seen++) {
    const nsdyn_event e = machine_event(m, book->seen);
    if (e.kind == NSDYN_EVENT_SECTION) {
      begin_period(book, e.t, q[PHI]);
      memcpy(last, (double[]){e.t, q[THETA], q[PHI], u[THETA], u[PHI]}, COLUMNS * sizeof *last);
    } else if (e.key >= 0) {
      keep_happening(book, e.t, nsdyn_event_name(e.kind), face_of(p, world, e.key));
    }
  }
  if (m->stepper) {
    watch_modes(p, book, world, m);
    if (before[1] < 0.0 && q[THETA] >= 0.0) {
      const double part = before[1] / (before[1] - q[THETA]);
      begin_period(book, before[0] + part * (machine_time(m) - before[0]),
                   before[2] + part * (q[PHI] - before[2]));
    }
  }
}

/* From a row to the next: the widest angle is where ω crosses zero, linear in
 * between; damping takes c ω². */
static void watch_swing(const timepiece *p, log_book *book, const double *before, const machine *m)
{
  const double *q = machine_q(m), *u = machine_u(m), dt = machine_time(m) - before[0];
  const double a = before[3], b = u[THETA];
  if ((a < 0.0) != (b < 0.0)) {
    const double top = before[1] + 0.5 * a * (a / (a - b)) * dt;
    book->widest = fmax(book->widest, fabs(top));
  }
  book->widest = fmax(book->widest, fabs(q[THETA]));
  book->damped += p->c * (a * a + a * b + b * b) / 3.0 * dt;
}

/* ---- a run ---- */

typedef struct wishes {
  timepiece model;
  int scheme, every, events, cycle;
  double amplitude, tol, dt, t_end; /* amplitude: that the pendulum begins with, degrees */
  const char *sweep;
  double from, to;
  int points;
} wishes;

static void driver_options(const wishes *w, nsdyn_event_driver_options *options)
{
  nsdyn_event_driver_options_init(options, sizeof *options);
  options->tol = w->tol;
  options->section = section;
  options->section_direction = 1;
  options->margin = 0.1 * pitch(&w->model) * w->model.R;
}

/* At rest, held aside, a tooth a little before the entry pallet's locking face.
 */
static nsdyn_status start(const wishes *w, machine *m)
{
  const timepiece *p = &w->model;
  const double q[DOF] = {radians(w->amplitude), -half_span(p) - 0.25 * pitch(p)}, u[DOF] = {0.0, 0.0};
  if (w->scheme == MACHINE_EVENTS) {
    nsdyn_event_driver_options options;
    driver_options(w, &options);
    return machine_add_driver(m, &options, q, u);
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = machine_stepper_scheme(w->scheme);
  return machine_add_stepper(m, &options, q, u);
}

/* What ranges of the options do not say; here, as sweeps change them too. */
static int check(const output *out, const timepiece *p)
{
  if (!(p->lock < p->lift)) {
    return complain(out, STATUS_BAD_OPTION, "--lock must be less than --lift: there is an impulse");
  }
  if (!(radians(p->drop) < 0.5 * pitch(p))) {
    return complain(out, STATUS_BAD_OPTION, "--drop must be less than half a tooth of --teeth");
  }
  if (!(half_span(p) < radians(75.0))) {
    return complain(out, STATUS_BAD_OPTION, "--span must be less: the anchor holds less than 150 degrees");
  }
  return 0;
}

static void keep_row(log_book *book, const machine *m)
{
  const double *q = machine_q(m), *u = machine_u(m);
  record_add(&book->rows, (double[]){machine_time(m), q[THETA], q[PHI], u[THETA], u[PHI]});
}

/* The last whole period. */
static void conclude(const timepiece *p, log_book *book)
{
  const int n = book->swings.rows - 1;
  double *const *column = book->swings.column;
  book->period = book->amplitude = book->pushed = book->lost = NAN;
  if (n > 0) {
    book->period = column[0][n] - column[0][n - 1];
    book->amplitude = column[1][n];
    book->lost = column[2][n] - column[2][n - 1];
    book->pushed = p->torque * (column[3][n] - column[3][n - 1]);
  }
}

/* From where the machine stands to t_end; `last` (COLUMNS) becomes the last
 * state on the section. */
static nsdyn_status follow(const wishes *w, machine *m, const nsdyn_world *world, movie_world *film,
                           double t_end, log_book *book, double *last)
{
  const timepiece *p = &w->model;
  /* By events dt only says how often to look. */
  const double dt = w->scheme == MACHINE_EVENTS ? w->every * w->dt : w->dt;
  nsdyn_status status = NSDYN_OK;
  for (long step = 0; status == NSDYN_OK; step++) {
    double energy[3];
    measure_energy(p, machine_q(m), machine_u(m), energy);
    movie_world_show(film, world, m, energy);
    if (m->driver || step % w->every == 0) {
      keep_row(book, m);
    }
    if (!machine_is_before(m, t_end, dt)) {
      break;
    }
    const double *q = machine_q(m), *u = machine_u(m);
    const double before[COLUMNS] = {machine_time(m), q[THETA], q[PHI], u[THETA], u[PHI]};
    status = machine_step(m, t_end, dt);
    if (status == NSDYN_OK) {
      watch_swing(p, book, before, m);
      watch(p, book, world, m, before, last);
    }
  }
  return status;
}

/* The cycle that the run has come near to, closed by Newton's method from the
 * section, and one period of it: the last one of the book. */
static nsdyn_status close_cycle(const wishes *w, machine *m, const nsdyn_world *world, log_book *book,
                                double *last)
{
  static const int32_t drift[DOF] = {0, 1}; /* the wheel goes on by a tooth */
  nsdyn_event_driver_options way;
  nsdyn_cycle_options options;
  nsdyn_cycle_find_report found;
  nsdyn_cycle *search = NULL;
  driver_options(w, &way);
  nsdyn_cycle_options_init(&options, sizeof options);
  nsdyn_cycle_find_report_init(&found, sizeof found);
  options.driver = &way;
  options.drift = drift;
  options.max_time = 4.0 * PI * sqrt(w->model.l / w->model.g);
  nsdyn_status status = nsdyn_cycle_new(NULL, m->sys, &options, &search, &m->error);
  status = status ? status : nsdyn_cycle_set_state(search, last[0], last + 1, last + 1 + DOF);
  status = status ? status : nsdyn_cycle_find(search);
  book->closed = status == NSDYN_OK;
  if (status == NSDYN_MAX_ITERATIONS) {
    status = NSDYN_OK; /* no cycle near: that is a result */
  } else if (status != NSDYN_OK && search) {
    m->error.status = status;
    (void)snprintf(m->error.message, sizeof m->error.message, "%s", nsdyn_cycle_message(search));
  }
  if (book->closed) {
    int32_t count;
    nsdyn_cycle_report(search, &found);
    book->multiplier = nsdyn_cycle_multipliers(search, &count)[0]; /* one matters: locks forget the others */
    book->error = found.largest_error;
    book->teeth = nsdyn_cycle_shift(search)[PHI] / pitch(&w->model);
    const double t = nsdyn_cycle_time(search);
    status = nsdyn_event_driver_set_state(m->driver, t, nsdyn_cycle_q(search), nsdyn_cycle_u(search));
    book->swings.rows = book->rows.rows = book->count = book->seen = 0;
    book->widest = 0.0;
    begin_period(book, t, nsdyn_cycle_q(search)[PHI]);
    status = status ? status : follow(w, m, world, NULL, t + 1.01 * found.period, book, last);
  }
  nsdyn_cycle_free(search);
  return status;
}

static int run(const output *out, wishes *w, movie_world *film, log_book *book)
{
  timepiece *p = &w->model;
  *book = (log_book){.rows = record_new("t,theta,phi,omega,omega_wheel"),
                     .swings = record_new("t,amplitude,damped,phi")};
  const int bad = check(out, p);
  if (bad) {
    return bad;
  }
  machine m = {0};
  nsdyn_world *world = NULL;
  double last[COLUMNS] = {0.0};
  nsdyn_error_init(&m.error, sizeof m.error);
  nsdyn_status status = make_system(p, film, &world, &m);
  status = status ? status : start(w, &m);
  status = status ? status : follow(w, &m, world, film, w->t_end, book, last);
  if (status == NSDYN_OK && w->cycle && m.driver && book->swings.rows > 0) {
    status = close_cycle(w, &m, world, book, last);
  }
  conclude(p, book);
  nsdyn_world_free(world); /* the system holds it */
  return machine_stop(&m, out, status);
}

static void free_book(log_book *book)
{
  record_free(&book->rows);
  record_free(&book->swings);
  free(book->happened);
}

/* ---- results ---- */

/* Events of the last whole period, from its beginning on. */
static void print_events(const output *out, const log_book *book)
{
  const int n = book->swings.rows - 1;
  if (n < 1 || out->quiet) {
    return;
  }
  const double from = book->swings.column[0][n - 1], to = book->swings.column[0][n];
  for (int i = 0; i < book->count; i++) {
    const happening *e = &book->happened[i];
    if (e->t >= from && e->t < to) {
      printf("event %.6f %-7s %s\n", e->t - from, e->kind, face_names[e->face]);
    }
  }
}

static void draw_outline(plot_figure *figure, const double *pose, int count, const double *points, int color)
{
  double x[3 * MOST_TEETH + 1], y[3 * MOST_TEETH + 1];
  planar_outline(pose, count, points, x, y);
  plot_add(
      figure, 0, 0,
      &(plot_curve){.count = count + 1, .x = x, .y = y, .color = color, .dash = PLOT_SOLID, .width = 1.4});
}

/* Anchor and wheel in the end, the last two periods, and how swings become
 * alike. */
static void draw(const output *out, const timepiece *p, const log_book *book)
{
  const record *rows = &book->rows, *swings = &book->swings;
  const int end = rows->rows - 1;
  double wheel[6 * MOST_TEETH], half[2 * MOST_POINTS];
  int begin = end;
  while (begin > 0 && rows->column[0][begin] > rows->column[0][end] - 2.0 * book->period) {
    begin--;
  }
  plot_figure *figure = plot_new(2, 2);
  plot_set_panel_size(figure, 420.0, 300.0);
  plot_set_description(figure, "An escape wheel with its anchor, angles of "
                               "both over time, and the amplitude "
                               "of each swing");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.x = {.name = "x", .unit = "m"}, .y = {.name = "y", .unit = "m"}, .equal = 1});
  draw_wheel(p, wheel);
  draw_outline(figure, (double[]){0.0, 0.0, -rows->column[2][end]}, 3 * p->teeth, wheel, PLOT_ORANGE);
  for (int side = -1; side <= 1; side += 2) {
    const int count = draw_half(p, side, half);
    draw_outline(figure, (double[]){0.0, axis_height(p), rows->column[1][end]}, count, half, PLOT_BLUE);
  }
  static const struct {
    const char *name, *unit;
    int column;
  } panels[2] = {{"θ", "rad", 1}, {"φ", "rad", 2}};
  for (int i = 0; i < 2; i++) {
    plot_set_axes(
        figure, i, 1,
        &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = panels[i].name, .unit = panels[i].unit}});
    plot_add(figure, i, 1,
             &(plot_curve){.count = rows->rows - begin,
                           .x = rows->column[0] + begin,
                           .y = rows->column[panels[i].column] + begin,
                           .color = i ? PLOT_ORANGE : PLOT_BLUE,
                           .dash = PLOT_SOLID,
                           .width = 1.4});
  }
  plot_set_axes(figure, 1, 0,
                &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "amplitude", .unit = "rad"}});
  if (swings->rows > 1) {
    plot_add(figure, 1, 0,
             &(plot_curve){.count = swings->rows - 1,
                           .x = swings->column[0] + 1,
                           .y = swings->column[1] + 1,
                           .color = PLOT_VERMILION,
                           .dash = PLOT_SOLID,
                           .marker = PLOT_DISK});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

static void print(const output *out, const wishes *w, const log_book *book)
{
  const timepiece *p = &w->model;
  result(out, "periods", book->swings.rows > 0 ? book->swings.rows - 1 : 0, "1");
  if (book->swings.rows > 1) {
    const double alone = 2.0 * PI * sqrt(p->l / p->g), a = book->amplitude;
    result(out, "amplitude", a * 180.0 / PI, "deg");
    result(out, "period", book->period, "s");
    /* Of the pendulum alone, with such swings: 1 + a²/16 + 11 a⁴/3072. */
    result(out, "period_alone", alone * (1.0 + a * a / 16.0 + 11.0 * pow(a, 4.0) / 3072.0), "s");
    result(out, "work_of_torque", book->pushed, "J");
    result(out, "work_of_damping", book->lost, "J");
    if (book->closed) {
      result(out, "multiplier", book->multiplier, "1");
      result(out, "multiplier_error", book->error, "1");
      result(out, "teeth", book->teeth, "1");
    }
  }
  if (w->cycle && !book->closed) {
    result_text(out, "multiplier", "none");
  }
  if (w->events) {
    print_events(out, book);
  }
}

/* ---- once, or a sweep ---- */

static int run_once(const output *out, wishes *w)
{
  log_book book;
  movie_world *film = movie_world_new(out, w->t_end);
  const int status = run(out, w, film, &book);
  movie_world_close(film, out, "An escapement", "");
  if (status == 0) {
    print(out, w, &book);
    record_write(&book.rows, out);
    if (out->svg) {
      draw(out, &w->model, &book);
    }
  }
  free_book(&book);
  return status;
}

typedef struct job {
  const output *out;
  wishes *w;
} job;

static int measure(void *user, double measured[SWEEP_MEASURED])
{
  const job *j = user;
  log_book book;
  const int status = run(j->out, j->w, NULL, &book);
  if (status == 0 && book.swings.rows > 1) {
    measured[0] = book.period;
    measured[1] = book.amplitude;
    measured[2] = book.closed ? book.multiplier : NAN;
  }
  free_book(&book);
  return status;
}

int main(int argc, char **argv)
{
  wishes w = {.model = {.teeth = 30,
                        .span = 7,
                        .chords = 4,
                        .R = 0.02,
                        .lift = 3.0,
                        .lock = 0.75,
                        .drop = 1.5,
                        .recoil = 0.0,
                        .m = 0.1,
                        .l = 0.25,
                        .c = 6.5e-4,
                        .g = 9.81,
                        .J = 2e-7,
                        .torque = 4e-4,
                        .mu = 0.1,
                        .eps = 0.0},
              .every = 20,
              .amplitude = 3.0,
              .tol = 1e-10,
              .dt = 1e-4,
              .t_end = 20.0,
              .to = 1.0,
              .points = 11};
  timepiece *p = &w.model;
#define NUMBER(option, unit_, text, field, low_, high_, open_)                                               \
  {                                                                                                          \
    .name = (option), .unit = (unit_), .help = (text), .number = &(field), .low = (low_), .high = (high_),   \
    .open = (open_)                                                                                          \
  }
  const option table[] = {
      NUMBER("torque", "N m", "on the wheel", p->torque, 0.0, 1e3, 0),
      NUMBER("J", "kg m^2", "inertia of the wheel and what drives it", p->J, 0.0, 1e3, 1),
      NUMBER("m", "kg", "mass of the pendulum", p->m, 0.0, 1e6, 1),
      NUMBER("l", "m", "length of the pendulum", p->l, 0.0, 1e3, 1),
      NUMBER("c", "N m s", "damping of the pendulum", p->c, 0.0, 1e3, 0),
      NUMBER("g", "m/s^2", "gravity", p->g, 0.0, 1e6, 1),
      NUMBER("R", "m", "radius of the wheel", p->R, 0.0, 1e3, 1),
      NUMBER("lift", "deg", "swing between two releases", p->lift, 0.0, 10.0, 1),
      NUMBER("lock", "deg", "swing from a release to the other pallet's corner", p->lock, 0.0, 10.0, 1),
      NUMBER("drop", "deg", "turn of the wheel between release and lock", p->drop, 0.0, 45.0, 1),
      NUMBER("recoil", "deg", "slope of the locking faces; 0: Graham's anchor", p->recoil, 0.0, 45.0, 0),
      NUMBER("mu", "1", "friction coefficient", p->mu, 0.0, 1e3, 0),
      NUMBER("eps", "1", "restitution", p->eps, 0.0, 1.0, 0),
      NUMBER("amplitude", "deg", "that the pendulum begins with", w.amplitude, 0.0, 10.0, 1),
      {.name = "teeth", .help = "of the wheel", .count = &p->teeth, .low = 8, .high = MOST_TEETH},
      {.name = "span",
       .help = "teeth between the pallets, and a half",
       .count = &p->span,
       .low = 1,
       .high = 50},
      {.name = "chords", .help = "of a locking face", .count = &p->chords, .low = 1, .high = MOST_CHORDS},
      OPTION_SCHEME(w.scheme),
      OPTION_TOL(w.tol),
      NUMBER("dt", "s", "time step", w.dt, 1e-8, 0.01, 0),
      NUMBER("t-end", "s", "end of the run", w.t_end, 0.0, 1e5, 1),
      {.name = "every", .help = "times --dt per row of the CSV", .count = &w.every, .low = 1, .high = 1e6},
      {.name = "events", .help = "print the last period's: when, what, which face", .flag = &w.events},
      {.name = "cycle", .help = "close the limit cycle, by events", .flag = &w.cycle},
      OPTION_HTML,
      {.name = "sweep", .help = "option with a number to vary", .text = &w.sweep},
      NUMBER("from", "1", "its first value", w.from, -1e6, 1e6, 0),
      NUMBER("to", "1", "its last value", w.to, -1e6, 1e6, 0),
      {.name = "points", .help = "how many values", .count = &w.points, .low = 1, .high = 1e5},
  };
#undef NUMBER
  enum { PARAMETERS = 14 }; /* rows that a sweep can vary */
  output out;
  const int status = options_read(&out, argc, argv, "A clock's escapement, wheel and anchor as polygons.",
                                  table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  if (w.cycle && w.scheme != MACHINE_EVENTS) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--cycle goes with --scheme event"));
  }
  if (!w.sweep) {
    return output_close(&out, run_once(&out, &w));
  }
  const sweep s = {.name = w.sweep,
                   .from = w.from,
                   .to = w.to,
                   .points = w.points,
                   .title = "Period of the limit cycle",
                   .columns = "value,period,amplitude,multiplier",
                   .quantity = "period",
                   .unit = "s"};
  return output_close(&out, sweep_run(&out, &s, table, PARAMETERS, measure, &(job){&out, &w}));
}
