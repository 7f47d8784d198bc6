/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker toy with four degrees of freedom, of Slavič & Boltežar (2006), section 4.2: the sleeve may
 * also move across the pole, no angle is small, and pole, sleeve and beak are polygons whose contacts are
 * found.
 *
 * Coordinates q = (x_M, y_M, φ_M, φ_S). With e(φ) = (cos φ, sin φ) the woodpecker is at
 *
 *     r_S = r_M + l_M e(φ_M) + l_G e(φ_S),
 *
 * and M and h are Lagrange's (eq. 45; eq. 46 has misprints). The sleeve's hole has four corners, lower and
 * upper, left and right of the pole: LL, LR, UL, UR.
 *
 * What the paper leaves open are options: the tip of the beak, round with the radius r_S that it lists and
 * does not use, as a polygon of so many points; Newton's or Poisson's law; the restitution of sleeve and
 * beak; friction of the beak. With --choices each is changed by itself, and period and drop are printed. A
 * period begins where the woodpecker swings up through φ_S = 0. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stddef.h>
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
#define POLE 1000.0 /* m: as long as nobody comes to its ends */

enum { DOF = 4, X = 0, Y = 1, PHI_M = 2, PHI_S = 3 };

/* Shapes in the order in which they are attached, and contacts by their places. */
enum { SHAPE_POLE, SHAPE_LEFT, SHAPE_RIGHT, SHAPE_BEAK };
enum { LL, LR, UL, UR, BEAK, PLACES };
static const char *const place_names[PLACES] = {"LL", "LR", "UL", "UR", "beak"};

/* ---- The model ---- */

/* Section 4, items 1 to 3. */
typedef struct toy {
  double r_O, r_M, h_M;        /* radii of pole and sleeve, half height of the sleeve, m */
  double l_M, l_G;             /* distances M to G and G to S, m */
  double h_S, l_S, r_S;        /* of the beak's tip above S and towards the pole; its radius, m */
  double m_M, m_S, J_M, J_S;   /* kg, kg m² */
  double c_phi, g;             /* N m/rad, m/s² */
  double mu, mu_beak;          /* sleeve and pole, beak and pole */
  double eps_beak, eps_sleeve; /* normal restitution */
  int beak_points;             /* of the half circle of its tip; 1: sharp */
  int impact;                  /* of enum nsdyn_impact_law */
  double J[3 * DOF];           /* scratch: of the woodpecker's frame */
  nsdyn_contact_block block;
} toy;

static const toy section_4 = {.r_O = 0.0025,
                              .r_M = 0.0031,
                              .h_M = 0.0058,
                              .l_M = 0.010,
                              .l_G = 0.015,
                              .h_S = 0.02,
                              .l_S = 0.0201,
                              .r_S = 0.002,
                              .m_M = 0.0003,
                              .m_S = 0.0045,
                              .J_M = 5.0e-9,
                              .J_S = 7.0e-7,
                              .c_phi = 0.0056,
                              .g = 9.81,
                              .mu = 0.3,
                              .mu_beak = 0.3,
                              .eps_beak = 0.5,
                              .eps_sleeve = 0.0,
                              .beak_points = 16,
                              .impact = NSDYN_IMPACT_POISSON};

/* M, eq. 45: m_S v_S² has ∂r_S/∂φ_M = l_M e'(φ_M) and ∂r_S/∂φ_S = l_G e'(φ_S). */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)t;
  const toy *p = user;
  const double m = p->m_S, s_M = sin(q[PHI_M]), c_M = cos(q[PHI_M]), s_S = sin(q[PHI_S]), c_S = cos(q[PHI_S]);
  M[0] = M[5] = p->m_M + m;
  M[2] = M[8] = -m * p->l_M * s_M;
  M[3] = M[12] = -m * p->l_G * s_S;
  M[6] = M[9] = m * p->l_M * c_M;
  M[7] = M[13] = m * p->l_G * c_S;
  M[10] = p->J_M + m * p->l_M * p->l_M;
  M[11] = M[14] = m * p->l_M * p->l_G * cos(q[PHI_S] - q[PHI_M]);
  M[15] = p->J_S + m * p->l_G * p->l_G;
  return 0;
}

/* h, eq. 46 put right: weight, spring, and the centripetal accelerations of S. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t;
  const toy *p = user;
  const double s_M = sin(q[PHI_M]), c_M = cos(q[PHI_M]), s_S = sin(q[PHI_S]), c_S = cos(q[PHI_S]);
  const double a_M = p->l_M * u[PHI_M] * u[PHI_M], a_S = p->l_G * u[PHI_S] * u[PHI_S];
  const double torque = p->c_phi * (q[PHI_M] - q[PHI_S]), turn = sin(q[PHI_S] - q[PHI_M]);
  h[X] = p->m_S * (a_M * c_M + a_S * c_S);
  h[Y] = p->m_S * (a_M * s_M + a_S * s_S) - (p->m_M + p->m_S) * p->g;
  h[PHI_M] = p->m_S * p->l_M * (a_S * turn - p->g * c_M) - torque;
  h[PHI_S] = p->m_S * p->l_G * (-a_M * turn - p->g * c_S) + torque;
  return 0;
}

/* Kinetic energy, weight, spring. */
static void measure_energy(const toy *p, const double *q, const double *u, double *energy)
{
  const double vx = u[X] - p->l_M * sin(q[PHI_M]) * u[PHI_M] - p->l_G * sin(q[PHI_S]) * u[PHI_S];
  const double vy = u[Y] + p->l_M * cos(q[PHI_M]) * u[PHI_M] + p->l_G * cos(q[PHI_S]) * u[PHI_S];
  const double y = q[Y] + p->l_M * sin(q[PHI_M]) + p->l_G * sin(q[PHI_S]), turn = q[PHI_M] - q[PHI_S];
  energy[0] = 0.5 * (p->m_M * (u[X] * u[X] + u[Y] * u[Y]) + p->m_S * (vx * vx + vy * vy) +
                     p->J_M * u[PHI_M] * u[PHI_M] + p->J_S * u[PHI_S] * u[PHI_S]);
  energy[1] = p->g * (p->m_M * q[Y] + p->m_S * y);
  energy[2] = 0.5 * p->c_phi * turn * turn;
}

/* ---- Bodies and shapes ---- */

/* x_M, y_M and φ_M are the frame of the sleeve. */
static int place_sleeve(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  (void)user, (void)t, (void)u;
  memcpy(placed->pose, q, 3 * sizeof *q);
  placed->first = 0;
  return 0;
}

/* The woodpecker's frame is at S, turned by φ_S: J = ∂(r_S, φ_S)/∂q, bias −l_M ω_M² e(φ_M) − l_G ω_S² e(φ_S).
 */
static int place_bird(void *user, double t, const double *q, const double *u, nsdyn_placed *placed)
{
  (void)t;
  toy *p = user;
  const double s_M = sin(q[PHI_M]), c_M = cos(q[PHI_M]), s_S = sin(q[PHI_S]), c_S = cos(q[PHI_S]);
  placed->pose[0] = q[X] + p->l_M * c_M + p->l_G * c_S;
  placed->pose[1] = q[Y] + p->l_M * s_M + p->l_G * s_S;
  placed->pose[2] = q[PHI_S];
  const double J[3 * DOF] = {1.0, 0.0, -p->l_M * s_M, -p->l_G * s_S, /* ∂x/∂q */
                             0.0, 1.0, p->l_M * c_M,  p->l_G * c_S,  /* ∂y/∂q */
                             0.0, 0.0, 0.0,           1.0};
  memcpy(p->J, J, sizeof J);
  p->block = (nsdyn_contact_block){.offset = 0, .count = DOF, .values = p->J};
  placed->blocks = 1;
  placed->block = &p->block;
  if (u) {
    const double a_M = p->l_M * u[PHI_M] * u[PHI_M], a_S = p->l_G * u[PHI_S] * u[PHI_S];
    placed->bias[0] = -a_M * c_M - a_S * c_S;
    placed->bias[1] = -a_M * s_M - a_S * s_S;
  }
  return 0;
}

/* Where shapes go, and why they do not. */
typedef struct scene {
  movie_world *film;
  nsdyn_world *world;
  nsdyn_error *error;
} scene;

static nsdyn_status attach(const scene *s, int32_t body, int count, const double *points, int32_t material)
{
  nsdyn_attachment on;
  nsdyn_attachment_init(&on, sizeof on);
  on.material = material;
  return planar_attach(s->film, s->world, body, NSDYN_SHAPE_POLYGON, count, points, &on, s->error);
}

/* The tip of the beak is h_S above S and l_S towards the pole: half a circle of so many points, or one. */
enum { MOST_POINTS = 1000 };
static nsdyn_status attach_beak(const toy *p, const scene *s, int32_t body)
{
  double points[2 * (MOST_POINTS + 2)];
  const int n = p->beak_points;
  points[0] = -p->l_S;
  points[1] = p->h_S;
  for (int k = 0; k < n && n > 1; k++) {
    const double angle = PI * (0.5 + (double)k / (n - 1));
    points[2 * k] = -p->l_S + p->r_S * (1.0 + cos(angle));
    points[2 * k + 1] = p->h_S + p->r_S * sin(angle);
  }
  const double back[4] = {0.0, p->h_S - p->r_S, 0.0, p->h_S + p->r_S};
  memcpy(points + (ptrdiff_t)2 * n, back, sizeof back);
  return attach(s, body, n + 2, points, 2);
}

static nsdyn_status attach_shapes(const toy *p, const scene *s, const int32_t *body)
{
  const double wall = 0.3 * p->h_M, in = p->r_M, out = in + wall, h = p->h_M, r = p->r_O;
  const double pole[] = {-r, -POLE, r, -POLE, r, POLE, -r, POLE};
  /* Corner 1 of the left half and 0 of the right one are lower, 2 and 3 upper. */
  const double left[] = {-out, -h, -in, -h, -in, h, -out, h}, right[] = {in, -h, out, -h, out, h, in, h};
  nsdyn_status status = attach(s, NSDYN_GROUND, 4, pole, 0);
  status = status ? status : attach(s, body[0], 4, left, 1);
  status = status ? status : attach(s, body[0], 4, right, 1);
  status = status ? status : attach_beak(p, s, body[1]);
  if (status == NSDYN_OK && s->film) { /* what is only seen: from M to G, from G to S, and up to the beak */
    movie *shown = movie_world_film(s->film);
    movie_add_line(shown, body[0], 2, (double[]){out, 0.0, p->l_M, 0.0});
    movie_add_line(shown, body[1], 3, (double[]){-p->l_G, 0.0, 0.0, 0.0, 0.0, p->h_S});
    movie_add_ball(shown, body[1], (double[]){0.0, 0.0}, 0.15 * p->h_S);
  }
  /* Nothing of the woodpecker comes to the sleeve. */
  status = status ? status : nsdyn_world_set_pair(s->world, SHAPE_LEFT, SHAPE_BEAK, NULL);
  return status ? status : nsdyn_world_set_pair(s->world, SHAPE_RIGHT, SHAPE_BEAK, NULL);
}

static nsdyn_status make_laws(const toy *p, nsdyn_world *world)
{
  nsdyn_contact_law sleeve, beak;
  nsdyn_contact_law_init(&sleeve, sizeof sleeve);
  nsdyn_contact_law_init(&beak, sizeof beak);
  sleeve.mu = p->mu;
  sleeve.eps_n = p->eps_sleeve;
  beak.mu = p->mu_beak;
  beak.eps_n = p->eps_beak;
  nsdyn_status status = nsdyn_world_add_material(world, &sleeve, NULL);
  status = status ? status : nsdyn_world_add_material(world, &beak, NULL);
  status = status ? status : nsdyn_world_set_law(world, 0, 1, &sleeve);
  return status ? status : nsdyn_world_set_law(world, 0, 2, &beak);
}

/* Both bodies are placed by the coordinates; the system has M and h of ours. */
static nsdyn_status make_system(toy *p, movie_world *film, nsdyn_world **world, machine *m)
{
  nsdyn_body_def sleeve, bird;
  nsdyn_system_def own;
  int32_t body[2];
  nsdyn_body_def_init(&sleeve, sizeof sleeve);
  nsdyn_body_def_init(&bird, sizeof bird);
  nsdyn_system_def_init(&own, sizeof own);
  sleeve.kind = bird.kind = NSDYN_BODY_POSED;
  sleeve.place = place_sleeve;
  bird.place = place_bird;
  sleeve.user = bird.user = own.user = p;
  sleeve.name = "sleeve";
  bird.name = "woodpecker";
  own.nq = own.nu = DOF;
  own.mass = mass;
  own.force = force;
  nsdyn_status status = nsdyn_world_new(NULL, NULL, world, &m->error);
  status = status ? status : make_laws(p, *world);
  status = status ? status : nsdyn_world_add_body(*world, &sleeve, &body[0]);
  status = status ? status : nsdyn_world_add_body(*world, &bird, &body[1]);
  status = status ? status : attach_shapes(p, &(scene){film, *world, &m->error}, body);
  status = machine_built(m, *world, status);
  return status ? status : nsdyn_world_system(*world, &own, &m->sys, &m->error);
}

/* Which corner, or the beak, a contact is; −1 for the ends of the pole. */
static int place_of(const nsdyn_world *world, int64_t key)
{
  int32_t shapes[2];
  nsdyn_touch touch;
  nsdyn_touch_init(&touch, sizeof touch);
  if (nsdyn_world_touch(world, key, shapes, NULL, &touch) != NSDYN_OK ||
      touch.kind != NSDYN_TOUCH_EDGE_VERTEX) {
    return -1;
  }
  switch (shapes[1]) {
  case SHAPE_LEFT:
    return touch.feature[1] == 1 ? LL : UL;
  case SHAPE_RIGHT:
    return touch.feature[1] == 0 ? LR : UR;
  default:
    return BEAK;
  }
}

/* ---- What is watched ---- */

enum { COLUMNS = 1 + 2 * DOF, AVERAGED = 10 };

typedef struct event {
  double t;
  const char *kind;
  int place;
} event;

typedef struct log_book {
  record rows;
  record periods; /* when each began, and where the sleeve was */
  event *events;
  int count, room;
  int mode[PLACES]; /* by steps, after the last one */
  double energy[2]; /* at the beginning and in the end */
} log_book;

static void keep_event(log_book *book, double t, const char *kind, int place)
{
  if (book->count == book->room) {
    book->room = book->room ? 2 * book->room : 1024;
    book->events = memory(book->events, (size_t)book->room, sizeof *book->events);
  }
  book->events[book->count++] = (event){t, kind, place};
}

static void begin_period(log_book *book, double t, double y)
{
  record_add(&book->periods, (double[]){t, y});
}

/* What a contact's change of mode is called. */
static const char *kind_of(int before, int after)
{
  return before == NSDYN_MODE_OPEN    ? "impact"
         : after == NSDYN_MODE_OPEN   ? "detach"
         : after == NSDYN_MODE_STICK  ? "stick"
         : before == NSDYN_MODE_STICK ? "slip"
                                      : "reverse";
}

/* By steps: which of the places have changed their mode. */
static void watch_modes(log_book *book, const nsdyn_world *world, const machine *m)
{
  int mode[PLACES] = {NSDYN_MODE_OPEN};
  for (int k = 0; k < nsdyn_stepper_active(m->stepper); k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_stepper_active_contact(m->stepper, k, &state);
    const int place = place_of(world, state.key);
    if (place >= 0 && mode[place] == NSDYN_MODE_OPEN) {
      mode[place] = state.mode;
    }
  }
  for (int i = 0; i < PLACES; i++) {
    if (mode[i] != book->mode[i]) {
      keep_event(book, machine_time(m), kind_of(book->mode[i], mode[i]), i);
    }
    book->mode[i] = mode[i];
  }
}

/* By events: those of the instant at which the driver has stopped; a period begins at the section. */
static void watch_instant(log_book *book, const nsdyn_world *world, const machine *m, int *seen)
{
  for (; *seen < machine_events(m); (*seen)++) {
    const nsdyn_event e = machine_event(m, *seen);
    if (e.kind == NSDYN_EVENT_SECTION) {
      begin_period(book, e.t, machine_q(m)[Y]);
    } else if (e.key >= 0) {
      const char *kind = e.kind == NSDYN_EVENT_OPEN ? "detach" : nsdyn_event_name(e.kind);
      keep_event(book, e.t, kind, place_of(world, e.key));
    }
  }
}

/* A period begins where this rises through zero. */
static int section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)t, (void)u;
  *value = q[PHI_S];
  return 0;
}

/* ---- A run ---- */

typedef struct wishes {
  toy model;
  int scheme, every, events, choices;
  double tol, dt, t_end;
  const char *sweep;
  double from, to;
  int points;
} wishes;

/* As Table I of Glocker & Studer begins, with a sleeve that is not yet jammed. */
static nsdyn_status start(const wishes *w, machine *m)
{
  /* It is jammed where r_M cos φ − h_M sin φ = r_O. */
  const toy *p = &w->model;
  const double jam = acos(p->r_O / hypot(p->r_M, p->h_M)) - atan2(p->h_M, p->r_M), tilt = -0.85 * jam;
  const double q[DOF] = {0.0, 0.0, tilt, -0.2788}, u[DOF] = {0.0, -0.3411, 0.0, -7.4583};
  if (w->scheme == MACHINE_EVENTS) {
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    options.tol = w->tol;
    options.impact = p->impact;
    options.section = section;
    options.section_direction = 1;
    options.margin = 1e-3;
    return machine_add_driver(m, &options, q, u);
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = machine_stepper_scheme(w->scheme);
  options.impact = p->impact;
  return machine_add_stepper(m, &options, q, u);
}

static void keep_row(log_book *book, const machine *m)
{
  double row[COLUMNS] = {machine_time(m)};
  memcpy(row + 1, machine_q(m), DOF * sizeof *row);
  memcpy(row + 1 + DOF, machine_u(m), DOF * sizeof *row);
  record_add(&book->rows, row);
}

/* What ranges of the options do not say; here, as sweeps and --choices change them too. */
static int check(const output *out, const toy *p)
{
  if (!(p->r_M > p->r_O)) {
    return complain(out, STATUS_BAD_OPTION, "--r-M must be more than --r-O: the sleeve has room");
  }
  if (p->beak_points > 1 && !(p->r_S < p->l_S)) {
    return complain(out, STATUS_BAD_OPTION, "--r-S must be less than --l-S: the tip is a part of the beak");
  }
  return 0;
}

static int run(const output *out, wishes *w, movie_world *film, log_book *book)
{
  *book = (log_book){.rows = record_new("t,x_M,y_M,phi_M,phi_S,v_x,v_y,omega_M,omega_S"),
                     .periods = record_new("t,y")};
  const int bad = check(out, &w->model);
  if (bad) {
    return bad;
  }
  machine m = {0};
  nsdyn_world *world = NULL;
  nsdyn_error_init(&m.error, sizeof m.error);
  nsdyn_status status = make_system(&w->model, film, &world, &m);
  status = status ? status : start(w, &m);
  /* By events dt only says how often to look. */
  const double dt = w->scheme == MACHINE_EVENTS ? w->every * w->dt : w->dt;
  int seen = 0;
  for (long step = 0; status == NSDYN_OK; step++) {
    double energy[3];
    measure_energy(&w->model, machine_q(&m), machine_u(&m), energy);
    movie_world_show(film, world, &m, energy);
    book->energy[1] = energy[0] + energy[1] + energy[2];
    book->energy[0] = step ? book->energy[0] : book->energy[1];
    if (m.driver || step % w->every == 0) {
      keep_row(book, &m);
    }
    if (!machine_is_before(&m, w->t_end, dt)) {
      break;
    }
    const double t = machine_time(&m), angle = machine_q(&m)[PHI_S], y = machine_q(&m)[Y];
    status = machine_step(&m, w->t_end, dt);
    if (status == NSDYN_OK && m.driver) {
      watch_instant(book, world, &m, &seen);
    } else if (status == NSDYN_OK) {
      watch_modes(book, world, &m);
      const double after = machine_q(&m)[PHI_S];
      if (angle < 0.0 && after >= 0.0) {
        const double part = angle / (angle - after);
        begin_period(book, t + part * (machine_time(&m) - t), y + part * (machine_q(&m)[Y] - y));
      }
    }
  }
  nsdyn_world_free(world); /* the system holds it */
  return machine_stop(&m, out, status);
}

static void free_book(log_book *book)
{
  record_free(&book->rows);
  record_free(&book->periods);
  free(book->events);
}

/* ---- Results ---- */

typedef struct cycle {
  int found;
  double period, scatter, drop; /* of the last ten */
} cycle;

static cycle find_cycle(const log_book *book)
{
  const int n = book->periods.rows - 1;
  const double *begin = book->periods.column[0], *height = book->periods.column[1];
  cycle c = {.period = NAN, .scatter = NAN, .drop = NAN};
  if (n <= AVERAGED) {
    return c;
  }
  c.period = (begin[n] - begin[n - AVERAGED]) / AVERAGED;
  c.drop = (height[n - AVERAGED] - height[n]) / AVERAGED;
  double squares = 0.0;
  for (int i = n - AVERAGED; i < n; i++) {
    const double off = begin[i + 1] - begin[i] - c.period;
    squares += off * off / AVERAGED;
  }
  c.scatter = sqrt(squares);
  c.found = c.scatter <= 0.02 * c.period; /* else periods differ: this is no cycle */
  return c;
}

/* Table 1, right side, s. Event 2 is two; detachments name LR and UL at 9 too, where LL is what is closed. */
static const struct {
  const char *kind;
  int place;
  double t;
} printed[] = {{"impact", LR, 0.0},      {"impact", UL, 0.0142}, {"detach", LR, 0.0142},
               {"impact", LR, 0.0228},   {"stick", LR, 0.0474},  {"slip", LR, 0.0912},
               {"detach", LR, 0.0954},   {"detach", UL, 0.0954}, {"impact", LL, 0.1054},
               {"impact", BEAK, 0.1112}, {"detach", LL, 0.1232}, {"impact", UR, 0.1348},
               {"impact", LR, 0.1388}};
enum { PRINTED = sizeof printed / sizeof *printed };

/* The first impact of LR in a period: the paper counts from there. -1: there is none. */
static int first_of(const log_book *book, int period)
{
  if (period < 0) {
    return -1;
  }
  for (int i = 0; i < book->count; i++) {
    const event *e = &book->events[i];
    if (e->t > book->periods.column[0][period] && e->place == LR && strcmp(e->kind, "impact") == 0) {
      return i;
    }
  }
  return -1;
}

/* Events of the last whole period, each with the times in print that are nearest to it among its kind. */
static void print_events(const output *out, const log_book *book)
{
  const int from = first_of(book, book->periods.rows - 3), to = first_of(book, book->periods.rows - 2);
  if (from < 0 || to < 0 || out->quiet) {
    return;
  }
  const double zero = book->events[from].t;
  int nearest[PRINTED];
  for (int k = 0; k < PRINTED; k++) {
    nearest[k] = -1;
    for (int i = from; i <= to; i++) {
      const event *e = &book->events[i];
      if (e->place == printed[k].place && strcmp(e->kind, printed[k].kind) == 0 &&
          (nearest[k] < 0 ||
           fabs(e->t - zero - printed[k].t) < fabs(book->events[nearest[k]].t - zero - printed[k].t))) {
        nearest[k] = i;
      }
    }
  }
  for (int i = from; i <= to; i++) {
    const event *e = &book->events[i];
    char paper[16] = "-";
    for (int k = 0; k < PRINTED; k++) {
      if (nearest[k] == i) {
        (void)snprintf(paper, sizeof paper, "%.4f", printed[k].t);
      }
    }
    printf("event %.6f %-7s %-4s %s\n", e->t - zero, e->kind, e->place < 0 ? "-" : place_names[e->place],
           paper);
  }
}

/* Slavič & Boltežar's Figures 12 and 13, over the last three periods. */
static void draw(const output *out, const log_book *book, const cycle *c)
{
  static const struct {
    const char *title;
    int x, y;
  } panels[6] = {{"Woodpecker, angle", 0, 4},       {"Woodpecker", 4, 8},
                 {"Sleeve, angle", 0, 3},           {"Sleeve", 3, 7},
                 {"Sleeve, across the pole", 0, 1}, {"Sleeve, height", 0, 2}};
  static const plot_axis axes[COLUMNS] = {
      {.name = "t", .unit = "s"},     {.name = "x_M", .unit = "m"},     {.name = "y_M", .unit = "m"},
      {.name = "φ_M", .unit = "rad"}, {.name = "φ_S", .unit = "rad"},   {.name = "v_x", .unit = "m/s"},
      {.name = "v_y", .unit = "m/s"}, {.name = "ω_M", .unit = "rad/s"}, {.name = "ω_S", .unit = "rad/s"}};
  const record *rows = &book->rows;
  int begin = 0;
  while (c->found && rows->column[0][begin] < rows->column[0][rows->rows - 1] - 3.0 * c->period) {
    begin++;
  }
  plot_figure *figure = plot_new(3, 2);
  plot_set_panel_size(figure, 420.0, 240.0);
  plot_set_description(figure,
                       "Angles of woodpecker and sleeve over time and their phase portraits, and where the "
                       "sleeve is");
  for (int i = 0; i < 6; i++) {
    const plot_axes a = {.title = panels[i].title, .x = axes[panels[i].x], .y = axes[panels[i].y]};
    plot_set_axes(figure, i / 2, i % 2, &a);
    plot_add(figure, i / 2, i % 2,
             &(plot_curve){.count = rows->rows - begin,
                           .x = rows->column[panels[i].x] + begin,
                           .y = rows->column[panels[i].y] + begin,
                           .color = PLOT_BLUE,
                           .dash = PLOT_SOLID,
                           .width = 1.4});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

/* ---- What the paper leaves open ---- */

/* Choice k, made otherwise; its name, or NULL behind the last. */
static const char *choose(toy *p, int k)
{
  switch (k) {
  case 0:
    p->impact = NSDYN_IMPACT_NEWTON + NSDYN_IMPACT_POISSON - p->impact;
    return "other_impact_law";
  case 1:
    p->beak_points = 1;
    return "sharp_beak";
  case 2:
    p->beak_points = 4;
    return "beak_of_4_points";
  case 3:
    p->beak_points = 128;
    return "beak_of_128_points";
  case 4:
    p->r_S *= 0.5;
    return "half_r_S";
  case 5:
    p->r_S *= 2.0;
    return "twice_r_S";
  case 6:
    p->l_S += p->r_S; /* l_S is told to the middle of the tip, not to its end */
    return "l_S_to_the_middle_of_the_tip";
  case 7:
    p->mu_beak = 0.0;
    return "beak_without_friction";
  case 8:
    p->eps_sleeve = 0.1;
    return "eps_sleeve_0.1";
  case 9:
    p->eps_beak = p->eps_sleeve;
    return "eps_beak_as_of_the_sleeve";
  default:
    return NULL;
  }
}

static int compare_choices(const output *out, const wishes *w)
{
  int status = 0;
  wishes other = *w;
  for (int k = 0; status == 0 && choose(&other.model, k); k++) {
    char name[64];
    log_book book;
    other.model = w->model;
    const char *choice = choose(&other.model, k);
    status = run(out, &other, NULL, &book);
    const cycle c = find_cycle(&book);
    for (int i = 0; i < 2 && status == 0; i++) {
      (void)snprintf(name, sizeof name, "%s_%s", i ? "drop" : "period", choice);
      if (c.found) {
        result(out, name, i ? c.drop : c.period, i ? "m" : "s");
      } else {
        result_text(out, name, "none");
      }
    }
    free_book(&book);
    other.model = w->model;
  }
  return status;
}

/* ---- Once, or a sweep ---- */

static int run_once(const output *out, wishes *w)
{
  log_book book;
  movie_world *film = movie_world_new(out, w->t_end);
  movie_follow(movie_world_film(film), 0);
  int status = run(out, w, film, &book);
  movie_world_close(film, out, "The woodpecker toy with four degrees of freedom", "");
  const cycle c = find_cycle(&book);
  if (status == 0) {
    result(out, "energy_begin", book.energy[0], "J");
    result(out, "energy_end", book.energy[1], "J");
    result(out, "periods", book.periods.rows > 0 ? book.periods.rows - 1 : 0, "1");
    if (c.found) {
      result(out, "period", c.period, "s");
      result(out, "period_paper", printed[PRINTED - 1].t, "s");
      result(out, "period_scatter", c.scatter, "s");
      result(out, "drop", c.drop, "m");
      result(out, "drop_paper", 0.012, "m");
    } else {
      result_text(out, "period", "none"); /* as far as the run goes */
    }
    if (w->events) {
      print_events(out, &book);
    }
    record_write(&book.rows, out);
    if (out->svg) {
      draw(out, &book, &c);
    }
    if (status == 0 && w->choices) {
      status = compare_choices(out, w);
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
  const cycle c = find_cycle(&book);
  if (status == 0 && c.found) {
    measured[0] = c.period;
    measured[1] = c.drop;
    measured[2] = c.scatter;
  }
  free_book(&book);
  return status;
}

int main(int argc, char **argv)
{
  wishes w = {
      .model = section_4, .every = 10, .tol = 1e-9, .dt = 1e-5, .t_end = 2.0, .to = 1.0, .points = 11};
  toy *p = &w.model;
  static const char *const laws[] = {"newton", "poisson", NULL};
#define NUMBER(option, unit_, text, field, low_, high_, open_)                                               \
  {                                                                                                          \
    .name = (option), .unit = (unit_), .help = (text), .number = &(field), .low = (low_), .high = (high_),   \
    .open = (open_)                                                                                          \
  }
  const option table[] = {
      NUMBER("mu", "1", "friction of sleeve and pole", p->mu, 0.0, 10.0, 0),
      NUMBER("mu-beak", "1", "friction of beak and pole", p->mu_beak, 0.0, 10.0, 0),
      NUMBER("eps-n", "1", "restitution of the beak", p->eps_beak, 0.0, 1.0, 0),
      NUMBER("eps-sleeve", "1", "restitution of the sleeve", p->eps_sleeve, 0.0, 1.0, 0),
      NUMBER("c-phi", "N m/rad", "stiffness of the spring", p->c_phi, 0.0, 1e3, 1),
      NUMBER("m-M", "kg", "mass of the sleeve", p->m_M, 0.0, 1e3, 1),
      NUMBER("m-S", "kg", "mass of the woodpecker", p->m_S, 0.0, 1e3, 1),
      NUMBER("J-M", "kg m^2", "inertia of the sleeve", p->J_M, 0.0, 1e3, 1),
      NUMBER("J-S", "kg m^2", "inertia of the woodpecker", p->J_S, 0.0, 1e3, 1),
      NUMBER("r-O", "m", "radius of the pole", p->r_O, 0.0, 10.0, 1),
      NUMBER("r-M", "m", "inner radius of the sleeve", p->r_M, 0.0, 10.0, 1),
      NUMBER("h-M", "m", "half height of the sleeve", p->h_M, 0.0, 10.0, 1),
      NUMBER("l-M", "m", "distance M to G", p->l_M, 0.0, 10.0, 1),
      NUMBER("l-G", "m", "distance G to S", p->l_G, 0.0, 10.0, 1),
      NUMBER("h-S", "m", "height of the beak above S", p->h_S, 0.0, 10.0, 1),
      NUMBER("l-S", "m", "from S to the end of the beak", p->l_S, 0.0, 10.0, 1),
      NUMBER("r-S", "m", "radius of the beak's tip", p->r_S, 0.0, 10.0, 1),
      {.name = "beak-points",
       .help = "of the half circle of the tip; 1: sharp",
       .count = &p->beak_points,
       .low = 1,
       .high = MOST_POINTS},
      {.name = "impact", .help = "law of impacts", .choice = &p->impact, .choices = laws},
      OPTION_SCHEME(w.scheme),
      NUMBER("tol", "1", "tolerance, by events", w.tol, 1e-13, 1e-3, 0),
      NUMBER("dt", "s", "time step", w.dt, 1e-8, 0.01, 0),
      NUMBER("t-end", "s", "end time", w.t_end, 0.0, 1e4, 1),
      {.name = "every", .help = "times --dt per row of the CSV", .count = &w.every, .low = 1, .high = 1e6},
      {.name = "events",
       .help = "print the last period's: when, what, where, when in Table 1 of the paper",
       .flag = &w.events},
      {.name = "choices", .help = "change one by one what the paper leaves open", .flag = &w.choices},
      OPTION_HTML,
      {.name = "sweep", .help = "option with a number to vary", .text = &w.sweep},
      NUMBER("from", "1", "its first value", w.from, -1e6, 1e6, 0),
      NUMBER("to", "1", "its last value", w.to, -1e6, 1e6, 0),
      {.name = "points", .help = "how many values", .count = &w.points, .low = 1, .high = 1e5},
  };
#undef NUMBER
  enum { PARAMETERS = 17 }; /* rows that a sweep can vary */
  output out;
  int status = options_read(&out, argc, argv, "The woodpecker toy with four degrees of freedom, as polygons.",
                            table, (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  if (!w.sweep) {
    return output_close(&out, run_once(&out, &w));
  }
  const sweep s = {.name = w.sweep,
                   .from = w.from,
                   .to = w.to,
                   .points = w.points,
                   .title = "Period of the limit cycle",
                   .columns = "value,period,drop,scatter",
                   .quantity = "period",
                   .unit = "s"};
  return output_close(&out, sweep_run(&out, &s, table, PARAMETERS, measure, &(job){&out, &w}));
}
