/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The woodpecker toy of Glocker & Studer (2005), section 4: a sleeve on a pole, a spring, a woodpecker. It
 * hammers down the pole, driven by its weight, as the sleeve jams and slips again.
 *
 * Coordinates q = (y, φ_M, φ_S): height of the sleeve, its angle, the woodpecker's angle. Contacts, numbered
 * as in the paper: 1 beak and pole, 2 lower and 3 upper edge of the sleeve.
 *
 * A period begins when the sleeve turns through φ_M = 0 on its way to the lower edge. Prints period, drop per
 * period and extrema of the limit cycle; exit status 1 where there is none. Two ways lead there: steps of
 * Moreau's rule, or smooth motion from event to event (--scheme event), which adds the cycle's multiplier. To
 * make a model of your own, change struct toy and the four callbacks behind it. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"
#include "common/sweep.h"
#include "common/toy.h"

enum { DOF = 3, CONTACTS = 3, BEAK = 0, LOWER = 1, UPPER = 2 };

/* ---- The model ---- */

/* Table I. */
typedef struct toy {
  double r_O, r_M, h_M; /* radii of pole and sleeve, half height of the sleeve, m */
  double l_M, l_G;      /* distances M to G and G to S, m */
  double h_S, l_S;      /* distance S to P, length of the beak, m */
  double m_M, m_S;      /* kg */
  double J_M, J_S;      /* kg m² */
  double c_phi;         /* N m/rad */
  double g;             /* m/s² */
  double mu;
  double eps_beak, eps_sleeve; /* normal restitution */
} toy;

static const toy table_1 = {.r_O = 0.0025,
                            .r_M = 0.0031,
                            .h_M = 0.0058,
                            .l_M = 0.010,
                            .l_G = 0.015,
                            .h_S = 0.02,
                            .l_S = 0.0201,
                            .m_M = 0.0003,
                            .m_S = 0.0045,
                            .J_M = 5.0e-9,
                            .J_S = 7.0e-7,
                            .c_phi = 0.0056,
                            .g = 9.81,
                            .mu = 0.3,
                            .eps_beak = 0.5,
                            .eps_sleeve = 0.0};

/* M, eq. 14. */
static int mass(void *user, double t, const double *q, double *M)
{
  (void)t, (void)q;
  const toy *p = user;
  M[0] = p->m_S + p->m_M;
  M[1] = M[3] = p->m_S * p->l_M;
  M[2] = M[6] = p->m_S * p->l_G;
  M[4] = p->J_M + p->m_S * p->l_M * p->l_M;
  M[5] = M[7] = p->m_S * p->l_M * p->l_G;
  M[8] = p->J_S + p->m_S * p->l_G * p->l_G;
  return 0;
}

/* h, eq. 14: weight and spring. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  (void)t, (void)u;
  const toy *p = user;
  const double torque = p->c_phi * (q[1] - q[2]);
  h[0] = -(p->m_S + p->m_M) * p->g;
  h[1] = -torque - p->m_S * p->l_M * p->g;
  h[2] = torque - p->m_S * p->l_G * p->g;
  return 0;
}

/* Gaps, eq. 15. */
static int gap(void *user, double t, const double *q, double *g)
{
  (void)t;
  const toy *p = user;
  g[BEAK] = p->l_M + p->l_G - p->l_S - p->r_O - p->h_S * q[2];
  g[LOWER] = p->r_M - p->r_O + p->h_M * q[1];
  g[UPPER] = p->r_M - p->r_O - p->h_M * q[1];
  return 0;
}

/* Force directions, eq. 16: w_N in W[0 … 2], w_T in W[3 … 5]. */
static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  (void)t, (void)q;
  const toy *p = user;
  w_hat[0] = w_hat[1] = 0.0; /* the pole stands still */
  W[3] = 1.0;
  if (i == BEAK) {
    W[2] = -p->h_S;
    W[4] = p->l_M;
    W[5] = p->l_G - p->l_S;
  } else {
    W[1] = i == LOWER ? p->h_M : -p->h_M;
    W[4] = p->r_M;
  }
  return 0;
}

/* The system; the library calls back with `p`, which has to live as long. */
static nsdyn_status make_system(toy *p, nsdyn_system **sys)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = DOF;
  def.ncontacts = CONTACTS;
  def.flags = NSDYN_CONSTANT_MASS | NSDYN_CONSTANT_DIRECTIONS;
  def.user = p;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_status status = nsdyn_system_new(NULL, &def, sys, NULL);
  for (int i = 0; status == NSDYN_OK && i < CONTACTS; i++) {
    nsdyn_contact_law law;
    nsdyn_contact_law_init(&law, sizeof law);
    law.mu = p->mu;
    law.eps_n = i == BEAK ? p->eps_beak : p->eps_sleeve;
    status = nsdyn_system_set_contact(*sys, i, &law);
  }
  return status;
}

/* ---- What is watched ---- */

enum { TIME = 0, HEIGHT = 1, PHI_M = 2, OMEGA_S = 6, COLUMNS = 1 + 2 * DOF, AVERAGED = 10 };

/* A row: t, q, u. */
typedef struct row {
  double value[COLUMNS];
} row;

typedef struct period {
  double begin, length, drop;
  double least[2 * DOF], most[2 * DOF]; /* of q and u */
} period;

typedef struct event {
  double t;
  const char *kind;
  int contact;                /* as in the paper, from 1 */
  double before[2], after[2]; /* γ_N and γ_T; NAN: not known */
} event;

typedef struct log_book {
  movie *film; /* NULL: none is wanted */
  toy_look look;
  const nsdyn_event_driver *driver;
  int every; /* steps per row; 0: no rows */
  int pause; /* stop where a period begins */
  record rows;
  period *periods; /* finished ones */
  int period_count, period_room;
  event *events;
  int event_count, event_room;
  period now; /* the one that is running; begin < 0: not yet */
  row last;   /* the step before */
  long step;
  int mode[CONTACTS];
  long impact_step[CONTACTS];
} log_book;

/* The array with room for one more. */
static void *extend(void *array, int count, int *room, size_t size)
{
  if (count < *room) {
    return array;
  }
  *room = *room ? 2 * *room : 256;
  return memory(array, (size_t)*room, size);
}

static row row_of(double t, const double *q, const double *u)
{
  row r;
  r.value[0] = t;
  memcpy(r.value + 1, q, DOF * sizeof(double));
  memcpy(r.value + 1 + DOF, u, DOF * sizeof(double));
  return r;
}

static void begin_period(log_book *book, double t, double y)
{
  book->now.begin = t;
  book->now.drop = y;
  for (int i = 0; i < 2 * DOF; i++) {
    book->now.least[i] = INFINITY;
    book->now.most[i] = -INFINITY;
  }
}

/* The running period is over, the next one begins. */
static void turn_period(log_book *book, double t, double y)
{
  if (book->now.begin >= 0.0) {
    book->periods = extend(book->periods, book->period_count, &book->period_room, sizeof *book->periods);
    book->now.length = t - book->now.begin;
    book->now.drop -= y;
    book->periods[book->period_count++] = book->now;
  }
  begin_period(book, t, y);
}

static void watch_extrema(log_book *book, const row *r)
{
  for (int i = 0; i < 2 * DOF; i++) {
    book->now.least[i] = fmin(book->now.least[i], r->value[1 + i]);
    book->now.most[i] = fmax(book->now.most[i], r->value[1 + i]);
  }
}

static void keep_row(log_book *book, const row *r)
{
  if (book->every > 0 && book->step++ % book->every == 0) {
    record_add(&book->rows, r->value);
  }
  watch_extrema(book, r);
  book->last = *r;
}

static void keep_event(log_book *book, const event *e)
{
  book->events = extend(book->events, book->event_count, &book->event_room, sizeof *book->events);
  book->events[book->event_count++] = *e;
}

/* The sleeve turns through φ_M = 0 downwards: when and where, between two steps. */
static void watch_period(log_book *book, const row *r)
{
  const double before = book->last.value[PHI_M], after = r->value[PHI_M];
  if (before > 0.0 && after <= 0.0) {
    const double part = before / (before - after);
    turn_period(book, book->last.value[TIME] + part * (r->value[TIME] - book->last.value[TIME]),
                book->last.value[HEIGHT] + part * (r->value[HEIGHT] - book->last.value[HEIGHT]));
  }
}

/* What a contact's change of mode is called; NULL where nothing happened. */
static const char *kind_of(int before, int after)
{
  if (before == after) {
    return NULL;
  }
  return before == NSDYN_MODE_OPEN    ? "impact"
         : after == NSDYN_MODE_OPEN   ? "detach"
         : after == NSDYN_MODE_STICK  ? "stick"
         : before == NSDYN_MODE_STICK ? "slip"
                                      : "reverse";
}

static toy_look look_of(const toy *p)
{
  return (toy_look){p->r_O, p->r_M, p->h_M, p->l_M, p->l_G,   p->h_S, p->l_S,
                    p->m_M, p->m_S, p->J_M, p->J_S, p->c_phi, p->g};
}

/* A frame of the moving picture, with what acts on it. */
static void film(const log_book *book, const row *r, const nsdyn_stepper *stepper)
{
  const double *q = r->value + 1;
  if (!book->every || !toy_show(book->film, &book->look, r->value[TIME], q, q + DOF)) {
    return;
  }
  for (int i = 0; i < CONTACTS; i++) {
    nsdyn_contact_state state = {.size = sizeof state};
    (void)(stepper ? nsdyn_stepper_contact(stepper, i, &state)
                   : nsdyn_event_driver_contact(book->driver, i, &state));
    toy_push(book->film, &book->look, i, q, state.force, 0, r->value[TIME]);
  }
}

/* A contact that is open again a step after its impact rebounded: the impact was the event. */
static void watch_events(log_book *book, const nsdyn_stepper *stepper)
{
  int mode[CONTACTS] = {NSDYN_MODE_OPEN, NSDYN_MODE_OPEN, NSDYN_MODE_OPEN};
  for (int k = 0; k < nsdyn_stepper_active(stepper); k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_stepper_active_contact(stepper, k, &state);
    mode[state.index] = state.mode;
  }
  for (int i = 0; i < CONTACTS; i++) {
    const char *kind = kind_of(book->mode[i], mode[i]);
    const int rebounds = mode[i] == NSDYN_MODE_OPEN && book->impact_step[i] == book->step - 1;
    if (kind && mode[i] != NSDYN_MODE_OPEN && book->mode[i] == NSDYN_MODE_OPEN) {
      book->impact_step[i] = book->step;
    }
    if (kind && !rebounds) {
      keep_event(book, &(event){nsdyn_stepper_time(stepper), kind, i + 1, {NAN, NAN}, {NAN, NAN}});
    }
    book->mode[i] = mode[i];
  }
}

/* Called after each step. */
static int observe(void *user, const nsdyn_stepper *stepper)
{
  log_book *book = user;
  const row r = row_of(nsdyn_stepper_time(stepper), nsdyn_stepper_q(stepper), nsdyn_stepper_u(stepper));
  watch_period(book, &r);
  keep_row(book, &r);
  watch_events(book, stepper);
  film(book, &r, stepper);
  return 0;
}

/* ---- The same, from event to event ---- */

/* Called with the state at equal times. */
static int observe_state(void *user, double t, const double *q, const double *u)
{
  const row r = row_of(t, q, u);
  keep_row(user, &r);
  film(user, &r, NULL);
  return 0;
}

/* Periods begin where this falls through zero. */
static int section(void *user, double t, const double *q, const double *u, double *value)
{
  (void)user, (void)t, (void)u;
  *value = q[1];
  return 0;
}

/* Called after each event. */
static int observe_event(void *user, const nsdyn_event_driver *driver, const nsdyn_event *e)
{
  log_book *book = user;
  const row r = row_of(e->t, nsdyn_event_driver_q(driver), nsdyn_event_driver_u(driver));
  if (e->kind == NSDYN_EVENT_SECTION) {
    if (e->t < book->now.begin + 1e-9) {
      return 0; /* a run that begins here: what is shorter is no period */
    }
    turn_period(book, e->t, r.value[HEIGHT]);
    book->last = r;
    return book->pause;
  }
  watch_extrema(book, &r);
  toy_push(book->every ? book->film : NULL, &book->look, e->contact, r.value + 1, e->impulse, 1, e->t);
  keep_event(book, &(event){e->t,
                            e->kind == NSDYN_EVENT_OPEN ? "detach" : nsdyn_event_name(e->kind),
                            e->contact + 1,
                            {e->before[0], e->before[1]},
                            {e->after[0], e->after[1]}});
  return 0;
}

static void free_book(log_book *book)
{
  record_free(&book->rows);
  free(book->periods);
  free(book->events);
}

/* ---- The limit cycle ---- */

/* By steps the mean of the last ten periods. */
typedef struct cycle {
  int found;
  int periods; /* of the run */
  double period, scatter, drop;
  double multiplier; /* of a deviation per period; NAN: not known */
  int settled;       /* periods until the run repeats; −1: it does not */
} cycle;

/* `dt` is as well as times are known. */
static cycle find_cycle(const log_book *book, double dt)
{
  const int n = book->period_count;
  cycle c = {.periods = n, .period = NAN, .scatter = NAN, .drop = NAN, .multiplier = NAN, .settled = -1};
  if (n <= AVERAGED) {
    return c;
  }
  c.period = c.drop = 0.0;
  for (int i = n - AVERAGED; i < n; i++) {
    c.period += book->periods[i].length / AVERAGED;
    c.drop += book->periods[i].drop / AVERAGED;
  }
  double squares = 0.0;
  for (int i = n - AVERAGED; i < n; i++) {
    const double deviation = book->periods[i].length - c.period;
    squares += deviation * deviation / AVERAGED;
  }
  c.scatter = sqrt(squares);
  c.settled = n;
  if (c.scatter > 0.01 * c.period) {
    c.settled = -1; /* periods differ: this is no cycle */
    return c;
  }
  while (c.settled > 0 && fabs(book->periods[c.settled - 1].length - c.period) <= 3.0 * fmax(c.scatter, dt)) {
    c.settled--;
  }
  c.found = 1;
  return c;
}

/* ---- A run ---- */

enum { BY_STEPS, BY_EVENTS };

typedef struct wishes {
  toy model;
  int scheme;
  int impact; /* of enum nsdyn_impact_law */
  double tol, dt, t_end;
  int every, events;
  movie *film;
  const char *sweep;
  double from, to;
  int points;
} wishes;

/* Table I's initial state; its φ_M, rounded there, is taken where the lower edge touches. */
static row begin_book(log_book *book, const wishes *w)
{
  const double phi_M = -(w->model.r_M - w->model.r_O) / w->model.h_M;
  const row begin = row_of(0.0, (double[]){0.0, phi_M, -0.2788}, (double[]){-0.3411, 0.0, -7.4583});
  *book = (log_book){.film = w->film,
                     .look = look_of(&w->model),
                     .every = w->every,
                     .rows = record_new("t,y,phi_M,phi_S,v,omega_M,omega_S"),
                     .now.begin = -1.0,
                     .last = begin};
  return begin;
}

static nsdyn_status run_steps(const output *out, const wishes *w, nsdyn_system *sys, log_book *book, cycle *c)
{
  const row begin = begin_book(book, w);
  nsdyn_stepper *stepper = NULL;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.dt = w->dt;
  options.impact = w->impact;
  options.observe = observe;
  options.user = book;
  keep_row(book, &begin);
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_status status = nsdyn_stepper_new(NULL, sys, &options, &stepper, &error);
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_set_state(stepper, 0.0, begin.value + 1, begin.value + 1 + DOF);
  }
  if (status == NSDYN_OK) {
    film(book, &begin, stepper);
    status = nsdyn_stepper_advance(stepper, w->t_end);
  }
  if (status != NSDYN_OK) {
    complain(out, STATUS_FAILED, "%s", stepper ? nsdyn_stepper_message(stepper) : error.message);
  }
  nsdyn_stepper_free(stepper);
  *c = find_cycle(book, w->dt);
  return status;
}

/* ---- The cycle, closed from event to event ---- */

/* The cycle that the run has come near to, to the last digits. Leaves one period of it behind, the last one
 * of the book, with its events. */
static nsdyn_status close_cycle(nsdyn_cycle *search, nsdyn_event_driver *driver, log_book *book, cycle *c)
{
  const row *r = &book->last;
  nsdyn_cycle_find_report found;
  nsdyn_cycle_find_report_init(&found, sizeof found);
  nsdyn_status status = nsdyn_cycle_set_state(search, r->value[TIME], r->value + 1, r->value + 1 + DOF);
  if (status != NSDYN_OK) {
    return status;
  }
  c->found = nsdyn_cycle_find(search) == NSDYN_OK;
  if (!c->found) {
    return NSDYN_OK;
  }
  int32_t count;
  nsdyn_cycle_report(search, &found);
  c->period = found.period;
  c->drop = -nsdyn_cycle_shift(search)[0];
  c->multiplier = nsdyn_cycle_multipliers(search, &count)[0]; /* one matters: sticking forgets the others */
  const double t = nsdyn_cycle_time(search);
  book->every = book->event_count = 0;
  begin_period(book, t, nsdyn_cycle_q(search)[0]);
  status = nsdyn_event_driver_set_state(driver, t, nsdyn_cycle_q(search), nsdyn_cycle_u(search));
  return status == NSDYN_OK ? nsdyn_event_driver_advance(driver, t + 1.01 * c->period) : status;
}

/* Newton's method on the return map from section to section, which finds unstable cycles as well. */
static nsdyn_status search_cycle(nsdyn_system *sys, const nsdyn_event_driver_options *way,
                                 nsdyn_event_driver *driver, log_book *book, cycle *c)
{
  static const int32_t drift[DOF] = {1, 0, 0}; /* the toy comes down */
  nsdyn_event_driver_options silent = *way;
  silent.observe = NULL;
  silent.output = NULL;
  silent.tol = fmin(way->tol, 1e-12); /* as derivatives want it */
  silent.max_steps = 10000;           /* a period takes some hundreds */
  nsdyn_cycle_options options;
  nsdyn_cycle_options_init(&options, sizeof options);
  options.driver = &silent;
  options.drift = drift;
  options.tol = 1e-11;
  options.max_time = 2.0 * book->periods[book->period_count - 1].length;
  nsdyn_cycle *search = NULL;
  nsdyn_status status = nsdyn_cycle_new(NULL, sys, &options, &search, NULL);
  if (status == NSDYN_OK) {
    status = close_cycle(search, driver, book, c);
  }
  nsdyn_cycle_free(search);
  return status;
}

static nsdyn_status run_events(const output *out, const wishes *w, nsdyn_system *sys, log_book *book,
                               cycle *c)
{
  const row begin = begin_book(book, w);
  nsdyn_event_driver *driver = NULL;
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = w->tol;
  options.impact = w->impact;
  options.section = section;
  options.section_direction = -1;
  options.observe = observe_event;
  options.output = observe_state;
  options.output_dt = w->dt;
  options.user = book;
  nsdyn_error error;
  nsdyn_error_init(&error, sizeof error);
  nsdyn_status status = nsdyn_event_driver_new(NULL, sys, &options, &driver, &error);
  if (status == NSDYN_OK) {
    status = nsdyn_event_driver_set_state(driver, 0.0, begin.value + 1, begin.value + 1 + DOF);
  }
  book->driver = driver;
  if (status == NSDYN_OK) {
    status = nsdyn_event_driver_advance(driver, w->t_end);
  }
  *c = find_cycle(book, 1e3 * w->tol);
  c->found = 0;
  if (status == NSDYN_OK && book->periods) {
    status = search_cycle(sys, &options, driver, book, c);
  }
  if (status == NSDYN_STOPPED) {
    complain(out, STATUS_FAILED, "at t = %g s there is more than one motion",
             nsdyn_event_driver_time(driver));
  } else if (status != NSDYN_OK) {
    const char *message = driver ? nsdyn_event_driver_message(driver) : error.message;
    complain(out, STATUS_FAILED, "%s", *message ? message : nsdyn_status_text(status));
  }
  nsdyn_event_driver_free(driver);
  return status;
}

static nsdyn_status simulate(const output *out, wishes *w, log_book *book, cycle *c)
{
  nsdyn_system *sys = NULL;
  nsdyn_status status = make_system(&w->model, &sys);
  *c = (cycle){.found = 0};
  if (status != NSDYN_OK) {
    complain(out, STATUS_FAILED, "%s", nsdyn_status_text(status));
  } else {
    status = (w->scheme == BY_EVENTS ? run_events : run_steps)(out, w, sys, book, c);
  }
  nsdyn_system_free(sys);
  return status;
}

/* ---- Results ---- */

static void print_extrema(const output *out, const period *p)
{
  static const struct {
    const char *least, *most, *unit;
    int index;
  } names[] = {{"phi_M_min", "phi_M_max", "rad", 1},
               {"phi_S_min", "phi_S_max", "rad", 2},
               {"omega_M_min", "omega_M_max", "rad/s", 4},
               {"omega_S_min", "omega_S_max", "rad/s", 5}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    result(out, names[i].least, p->least[names[i].index], names[i].unit);
    result(out, names[i].most, p->most[names[i].index], names[i].unit);
  }
}

/* Table 1 of Slavič & Boltežar (2006), s. */
static const struct {
  const char *kind;
  int contact;
  double t;
} printed[] = {{"impact", 2, 0.0},    {"stick", 2, 0.0514},  {"slip", 2, 0.0906},   {"detach", 2, 0.0962},
               {"impact", 3, 0.1064}, {"impact", 1, 0.1100}, {"impact", 3, 0.1108}, {"detach", 3, 0.1140}};
enum { PRINTED = sizeof printed / sizeof *printed };

/* Events of the last whole period, counted from the first impact of the lower edge in it, as in the papers:
 * when, what, where; when in print ("-": not there); from events also γ_N and γ_T before and after. */
static void print_events(const output *out, const log_book *book)
{
  if (!book->periods || out->quiet) {
    return;
  }
  const period *p = &book->periods[book->period_count - 1];
  double start = NAN;
  int next = 0;
  for (int i = 0; i < book->event_count; i++) {
    const event *e = &book->events[i];
    if (e->t <= p->begin || e->t > p->begin + p->length) {
      continue;
    }
    if (isnan(start) && e->contact == LOWER + 1 && strcmp(e->kind, "impact") == 0) {
      start = e->t;
    }
    if (!isnan(start)) {
      char paper[16] = "-";
      if (next < PRINTED && e->contact == printed[next].contact && strcmp(e->kind, printed[next].kind) == 0) {
        (void)snprintf(paper, sizeof paper, "%.4f", printed[next++].t);
      }
      printf("event %.12f %-7s %d %6s", e->t - start, e->kind, e->contact, paper);
      for (int k = 0; k < 4 && !isnan(e->before[0]); k++) {
        const double speed = k < 2 ? e->before[k] : e->after[k - 2];
        printf(" %9.6f", fabs(speed) < 1e-9 ? 0.0 : speed);
      }
      putchar('\n');
    }
  }
}

/* Glocker & Studer's figures 4 to 6, over the last periods of the run. */
static void draw_picture(const output *out, const log_book *book, const cycle *c)
{
  static const struct {
    const char *title;
    int x, y;
  } panels[6] = {{"Woodpecker, angle", 0, 3}, {"Woodpecker, angular velocity", 0, 6},
                 {"Sleeve, angle", 0, 2},     {"Sleeve, angular velocity", 0, 5},
                 {"Woodpecker", 3, 6},        {"Sleeve", 2, 5}};
  static const plot_axis axes[COLUMNS] = {{.name = "t", .unit = "s"},      {.name = "y", .unit = "m"},
                                          {.name = "φ_M", .unit = "rad"},  {.name = "φ_S", .unit = "rad"},
                                          {.name = "v", .unit = "m/s"},    {.name = "ω_M", .unit = "rad/s"},
                                          {.name = "ω_S", .unit = "rad/s"}};
  const record *rows = &book->rows;
  int begin = 0;
  while (c->found && rows->column[TIME][begin] < rows->column[TIME][rows->rows - 1] - 3.0 * c->period) {
    begin++;
  }
  plot_figure *figure = plot_new(3, 2);
  plot_set_panel_size(figure, 420.0, 240.0);
  plot_set_description(figure, "Angles and angular velocities of woodpecker and sleeve over time, and their "
                               "phase portraits");
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

static int run_once(const output *out, wishes *w)
{
  log_book book = {0};
  cycle c;
  if (simulate(out, w, &book, &c) != NSDYN_OK) {
    free_book(&book);
    return STATUS_FAILED;
  }
  int status = 0;
  result(out, "periods", c.periods, "1");
  if (!c.found || !book.periods) {
    status = complain(out, STATUS_FAILED, "no limit cycle: %d periods in %g s%s", c.periods, w->t_end,
                      c.periods > AVERAGED ? ", and they differ" : "");
  } else {
    result(out, "period", c.period, "s");
    result(out, "period_scatter", c.scatter, "s");
    result(out, "drop", c.drop, "m");
    result(out, "settled", c.settled, "1");
    if (!isnan(c.multiplier)) {
      result(out, "multiplier", c.multiplier, "1");
    }
    print_extrema(out, &book.periods[book.period_count - 1]);
  }
  if (w->events) {
    print_events(out, &book);
  }
  record_write(&book.rows, out);
  if (out->svg) {
    draw_picture(out, &book, &c);
  }
  free_book(&book);
  return status;
}

/* ---- A sweep of one parameter ---- */

typedef struct job {
  const output *out;
  wishes *w;
} job;

static int measure(void *user, double measured[SWEEP_MEASURED])
{
  const job *j = user;
  log_book book = {0};
  cycle c;
  const nsdyn_status status = simulate(j->out, j->w, &book, &c);
  free_book(&book);
  if (c.found) {
    measured[0] = c.period;
    measured[1] = c.drop;
    measured[2] = c.multiplier;
  }
  return status == NSDYN_OK ? 0 : STATUS_FAILED;
}

int main(int argc, char **argv)
{
  wishes w = {.model = table_1, .tol = 1e-9, .dt = 1e-5, .t_end = 3.0, .every = 10, .to = 1.0, .points = 11};
  toy *p = &w.model;
  static const char *const schemes[] = {"moreau", "event", NULL}, *const laws[] = {"newton", "poisson", NULL};
#define NUMBER(option, unit_, text, field, low_, high_, open_)                                               \
  {                                                                                                          \
    .name = (option), .unit = (unit_), .help = (text), .number = &(field), .low = (low_), .high = (high_),   \
    .open = (open_)                                                                                          \
  }
  const option table[] = {
      NUMBER("mu", "1", "friction coefficient", p->mu, 0.0, 10.0, 0),
      NUMBER("eps-n", "1", "restitution of the beak", p->eps_beak, 0.0, 1.0, 0),
      NUMBER("eps-sleeve", "1", "restitution of the sleeve", p->eps_sleeve, 0.0, 1.0, 0),
      NUMBER("c-phi", "N m/rad", "stiffness of the spring", p->c_phi, 0.0, 1e3, 1),
      NUMBER("m-M", "kg", "mass of the sleeve", p->m_M, 0.0, 1e3, 1),
      NUMBER("m-S", "kg", "mass of the woodpecker", p->m_S, 0.0, 1e3, 1),
      NUMBER("J-M", "kg m^2", "inertia of the sleeve", p->J_M, 0.0, 1e3, 1),
      NUMBER("J-S", "kg m^2", "inertia of the woodpecker", p->J_S, 0.0, 1e3, 1),
      NUMBER("r-O", "m", "radius of the pole", p->r_O, 0.0, 1e3, 1),
      NUMBER("r-M", "m", "inner radius of the sleeve", p->r_M, 0.0, 1e3, 1),
      NUMBER("h-M", "m", "half height of the sleeve", p->h_M, 0.0, 1e3, 1),
      NUMBER("l-M", "m", "distance M to G", p->l_M, 0.0, 1e3, 1),
      NUMBER("l-G", "m", "distance G to S", p->l_G, 0.0, 1e3, 1),
      NUMBER("h-S", "m", "distance S to P", p->h_S, 0.0, 1e3, 1),
      NUMBER("l-S", "m", "length of the beak", p->l_S, 0.0, 1e3, 1),
      NUMBER("g", "m/s^2", "gravity", p->g, 0.0, 1e3, 1),
      {.name = "scheme", .help = "steps, or from event to event", .choice = &w.scheme, .choices = schemes},
      {.name = "impact", .help = "law of impacts", .choice = &w.impact, .choices = laws},
      NUMBER("tol", "1", "tolerance of an integrator step, by events", w.tol, 1e-13, 1e-3, 0),
      NUMBER("dt", "s", "time step; by events, between two rows", w.dt, 1e-8, 0.01, 0),
      NUMBER("t-end", "s", "end time", w.t_end, 0.0, 1e4, 1),
      {.name = "every", .help = "times --dt per row of the CSV", .count = &w.every, .low = 1, .high = 1e6},
      {.name = "events",
       .help = "print the last period's: when, what, contact, when in print; by events γ_N γ_T before, after",
       .flag = &w.events},
      OPTION_HTML,
      {.name = "sweep", .help = "option above to vary", .text = &w.sweep},
      NUMBER("from", "1", "its first value", w.from, -1e6, 1e6, 0),
      NUMBER("to", "1", "its last value", w.to, -1e6, 1e6, 0),
      {.name = "points", .help = "how many values", .count = &w.points, .low = 1, .high = 1e5},
  };
#undef NUMBER
  enum { PARAMETERS = 16 }; /* rows that a sweep can vary */
  output out;
  int status = options_read(&out, argc, argv, "The woodpecker toy of Glocker & Studer (2005).", table,
                            (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  if (!w.sweep) {
    const toy_look look = look_of(p);
    w.film = toy_film(&out, &look, w.t_end);
    status = run_once(&out, &w);
    movie_close(w.film, &out, "The woodpecker toy", "");
    return output_close(&out, status);
  }
  const sweep s = {.name = w.sweep,
                   .from = w.from,
                   .to = w.to,
                   .points = w.points,
                   .title = "Period of the limit cycle",
                   .columns = "value,period,drop,multiplier",
                   .quantity = "period",
                   .unit = "s"};
  return output_close(&out, sweep_run(&out, &s, table, PARAMETERS, measure, &(job){&out, &w}));
}
