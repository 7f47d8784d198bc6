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
 * period and extrema of the limit cycle; exit status 1 where there is none. To make a model of your own,
 * change struct toy and the four callbacks behind it. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>

#include "common/options.h"
#include "common/plot.h"

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
static int direction(void *user, double t, const double *q, int i, double *W, double *w_hat)
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
  nsdyn_status status = nsdyn_system_new(NULL, &def, sys);
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

enum { COLUMNS = 1 + 2 * DOF, AVERAGED = 10 };

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
  int contact; /* as in the paper, from 1 */
} event;

typedef struct log_book {
  int every; /* steps per row */
  row *rows;
  int row_count, row_room;
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

static row row_of(const nsdyn_stepper *stepper)
{
  row r;
  r.value[0] = nsdyn_stepper_time(stepper);
  memcpy(r.value + 1, nsdyn_stepper_q(stepper), DOF * sizeof(double));
  memcpy(r.value + 1 + DOF, nsdyn_stepper_u(stepper), DOF * sizeof(double));
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

/* The sleeve turns through φ_M = 0 downwards: when and where, between two steps. */
static void watch_period(log_book *book, const row *r)
{
  const double before = book->last.value[2], after = r->value[2];
  if (before > 0.0 && after <= 0.0) {
    const double part = before / (before - after);
    const double t = book->last.value[0] + part * (r->value[0] - book->last.value[0]);
    const double y = book->last.value[1] + part * (r->value[1] - book->last.value[1]);
    if (book->now.begin >= 0.0) {
      book->periods = extend(book->periods, book->period_count, &book->period_room, sizeof *book->periods);
      book->now.length = t - book->now.begin;
      book->now.drop -= y;
      book->periods[book->period_count++] = book->now;
    }
    begin_period(book, t, y);
  }
  for (int i = 0; i < 2 * DOF; i++) {
    book->now.least[i] = fmin(book->now.least[i], r->value[1 + i]);
    book->now.most[i] = fmax(book->now.most[i], r->value[1 + i]);
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
      book->events = extend(book->events, book->event_count, &book->event_room, sizeof *book->events);
      book->events[book->event_count++] = (event){nsdyn_stepper_time(stepper), kind, i + 1};
    }
    book->mode[i] = mode[i];
  }
}

/* Called after each step. */
static int observe(void *user, const nsdyn_stepper *stepper)
{
  log_book *book = user;
  const row r = row_of(stepper);
  if (++book->step % book->every == 0) {
    book->rows = extend(book->rows, book->row_count, &book->row_room, sizeof *book->rows);
    book->rows[book->row_count++] = r;
  }
  watch_period(book, &r);
  watch_events(book, stepper);
  book->last = r;
  return 0;
}

static void free_book(log_book *book)
{
  free(book->rows);
  free(book->periods);
  free(book->events);
}

/* ---- A run ---- */

typedef struct wishes {
  toy model;
  double dt, t_end;
  int every, events;
  const char *sweep;
  double from, to;
  int points;
} wishes;

/* From Table I's initial state; its φ_M, rounded there, is taken where the lower edge touches. */
static nsdyn_status simulate(const output *out, wishes *w, log_book *book)
{
  toy *p = &w->model;
  const double q[DOF] = {0.0, -(p->r_M - p->r_O) / p->h_M, -0.2788}, u[DOF] = {-0.3411, 0.0, -7.4583};
  nsdyn_system *sys = NULL;
  nsdyn_stepper *stepper = NULL;
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.dt = w->dt;
  options.observe = observe;
  options.observe_user = book;
  nsdyn_status status = make_system(p, &sys);
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_new(sys, &options, &stepper);
  }
  if (status == NSDYN_OK) {
    status = nsdyn_stepper_set_state(stepper, 0.0, q, u);
  }
  if (status == NSDYN_OK) {
    memset(book, 0, sizeof *book);
    book->every = w->every;
    book->now.begin = -1.0;
    book->last = row_of(stepper);
    status = nsdyn_stepper_advance(stepper, w->t_end);
  }
  if (status != NSDYN_OK) {
    complain(out, STATUS_FAILED, "%s", stepper ? nsdyn_stepper_message(stepper) : nsdyn_system_message(sys));
  }
  nsdyn_stepper_free(stepper);
  nsdyn_system_free(sys);
  return status;
}

/* The limit cycle, from the last ten periods. */
typedef struct cycle {
  double period, scatter, drop;
  int settled; /* periods until it repeats; −1: it does not */
} cycle;

static cycle find_cycle(const log_book *book, double dt)
{
  const int n = book->period_count;
  cycle c = {.period = NAN, .scatter = NAN, .drop = NAN, .settled = -1};
  if (n <= AVERAGED) {
    return c;
  }
  double sum = 0.0, squares = 0.0, drop = 0.0;
  for (int i = n - AVERAGED; i < n; i++) {
    sum += book->periods[i].length / AVERAGED;
    drop += book->periods[i].drop / AVERAGED;
  }
  for (int i = n - AVERAGED; i < n; i++) {
    const double deviation = book->periods[i].length - sum;
    squares += deviation * deviation / AVERAGED;
  }
  c = (cycle){.period = sum, .scatter = sqrt(squares), .drop = drop, .settled = n};
  if (c.scatter > 0.01 * c.period) {
    c.settled = -1; /* periods differ: this is no cycle */
    return c;
  }
  while (c.settled > 0 && fabs(book->periods[c.settled - 1].length - c.period) <= 3.0 * fmax(c.scatter, dt)) {
    c.settled--;
  }
  return c;
}

/* ---- Results ---- */

static const char column_names[] = "t,y,phi_M,phi_S,v,omega_M,omega_S";

static void write_rows(const output *out, const log_book *book)
{
  csv_columns(out, column_names);
  for (int i = 0; i < book->row_count; i++) {
    csv_row(out, COLUMNS, book->rows[i].value);
  }
}

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

/* Events of the last whole period, counted from the first impact of the lower edge in it, as in the papers.
 */
static void print_events(const output *out, const log_book *book)
{
  if (book->period_count == 0 || out->quiet) {
    return;
  }
  const period *p = &book->periods[book->period_count - 1];
  double start = NAN;
  for (int i = 0; i < book->event_count; i++) {
    const event *e = &book->events[i];
    if (e->t <= p->begin || e->t > p->begin + p->length) {
      continue;
    }
    if (isnan(start) && e->contact == LOWER + 1 && strcmp(e->kind, "impact") == 0) {
      start = e->t;
    }
    if (!isnan(start)) {
      char t[NUMBER_LENGTH];
      printf("event %s %s %d\n", number_text(e->t - start, t), e->kind, e->contact);
    }
  }
}

/* One curve of rows: column y over column x. */
static void draw(plot_figure *figure, int at_row, int at_column, const log_book *book, int begin, int x,
                 int y)
{
  const int count = book->row_count - begin;
  double *values = memory(NULL, 2 * (size_t)count + 1, sizeof *values);
  for (int i = 0; i < count; i++) {
    values[i] = book->rows[begin + i].value[x];
    values[count + i] = book->rows[begin + i].value[y];
  }
  const plot_curve curve = {
      .count = count, .x = values, .y = values + count, .color = PLOT_BLUE, .dash = PLOT_SOLID, .width = 1.4};
  plot_add(figure, at_row, at_column, &curve);
  free(values);
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
  int begin = 0;
  const double t = book->last.value[0] - 3.0 * c->period;
  while (c->settled >= 0 && begin < book->row_count && book->rows[begin].value[0] < t) {
    begin++;
  }
  plot_figure *figure = plot_new(3, 2);
  plot_set_panel_size(figure, 420.0, 240.0);
  plot_set_description(figure, "Angles and angular velocities of woodpecker and sleeve over time, and their "
                               "phase portraits");
  for (int i = 0; i < 6; i++) {
    const plot_axes a = {.title = panels[i].title, .x = axes[panels[i].x], .y = axes[panels[i].y]};
    plot_set_axes(figure, i / 2, i % 2, &a);
    draw(figure, i / 2, i % 2, book, begin, panels[i].x, panels[i].y);
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

static int run_once(const output *out, wishes *w)
{
  log_book book = {0};
  if (simulate(out, w, &book) != NSDYN_OK) {
    free_book(&book);
    return STATUS_FAILED;
  }
  const cycle c = find_cycle(&book, w->dt);
  int status = 0;
  result(out, "periods", book.period_count, "1");
  if (c.settled < 0 || !book.periods) {
    status = complain(out, STATUS_FAILED, "no limit cycle: %d periods in %g s%s", book.period_count, w->t_end,
                      book.period_count > AVERAGED ? ", and they differ" : "");
  } else {
    result(out, "period", c.period, "s");
    result(out, "period_scatter", c.scatter, "s");
    result(out, "drop", c.drop, "m");
    result(out, "settled", c.settled, "1");
    print_extrema(out, &book.periods[book.period_count - 1]);
  }
  if (w->events) {
    print_events(out, &book);
  }
  write_rows(out, &book);
  if (out->svg) {
    draw_picture(out, &book, &c);
  }
  free_book(&book);
  return status;
}

/* ---- A sweep of one parameter ---- */

static void draw_sweep(const output *out, const char *name, int count, const double *x, const double *y)
{
  plot_figure *figure = plot_new(1, 1);
  const plot_axes axes = {
      .title = "Period of the limit cycle", .x = {.name = name}, .y = {.name = "period", .unit = "s"}};
  const plot_curve curve = {.count = count, .x = x, .y = y, .marker = PLOT_DISK};
  plot_set_description(figure, "Period of the limit cycle over one parameter");
  plot_set_axes(figure, 0, 0, &axes);
  plot_add(figure, 0, 0, &curve);
  plot_write(figure, out->svg);
  plot_free(figure);
}

/* Prints `NAME=VALUE period s`, or `none` where there is no limit cycle. */
static int run_sweep(const output *out, wishes *w, double *parameter)
{
  double *values = memory(NULL, 2 * (size_t)w->points, sizeof *values);
  double *periods = values + w->points;
  csv_columns(out, "value,period,drop");
  for (int i = 0; i < w->points; i++) {
    log_book book = {0};
    *parameter = w->points > 1 ? (w->from * (w->points - 1 - i) + w->to * i) / (w->points - 1) : w->from;
    const nsdyn_status status = simulate(out, w, &book);
    const cycle c = find_cycle(&book, w->dt);
    free_book(&book);
    if (status != NSDYN_OK) {
      free(values);
      return STATUS_FAILED;
    }
    char name[64], number[NUMBER_LENGTH];
    (void)snprintf(name, sizeof name, "%s=%s", w->sweep, number_text(*parameter, number));
    values[i] = *parameter;
    periods[i] = c.settled < 0 ? NAN : c.period;
    if (c.settled < 0) {
      result_text(out, name, "none");
    } else {
      result(out, name, c.period, "s");
    }
    csv_row(out, 3, (double[]){*parameter, periods[i], c.settled < 0 ? NAN : c.drop});
  }
  if (out->svg) {
    draw_sweep(out, w->sweep, w->points, values, periods);
  }
  free(values);
  return 0;
}

int main(int argc, char **argv)
{
  wishes w = {.model = table_1, .dt = 1e-5, .t_end = 3.0, .every = 10, .from = 0.0, .to = 1.0, .points = 11};
  toy *p = &w.model;
#define POSITIVE(field, option, unit_, text)                                                                 \
  {                                                                                                          \
    .name = (option), .unit = (unit_), .help = (text), .number = &p->field, .low = 0.0, .high = 1e3,         \
    .open = 1                                                                                                \
  }
  const option table[] = {
      {.name = "mu", .unit = "1", .help = "friction coefficient", .number = &p->mu, .low = 0.0, .high = 10.0},
      {.name = "eps-n",
       .unit = "1",
       .help = "restitution of the beak",
       .number = &p->eps_beak,
       .low = 0.0,
       .high = 1.0},
      {.name = "eps-sleeve",
       .unit = "1",
       .help = "restitution of the sleeve",
       .number = &p->eps_sleeve,
       .low = 0.0,
       .high = 1.0},
      POSITIVE(c_phi, "c-phi", "N m/rad", "stiffness of the spring"),
      POSITIVE(m_M, "m-M", "kg", "mass of the sleeve"),
      POSITIVE(m_S, "m-S", "kg", "mass of the woodpecker"),
      POSITIVE(J_M, "J-M", "kg m^2", "inertia of the sleeve"),
      POSITIVE(J_S, "J-S", "kg m^2", "inertia of the woodpecker"),
      POSITIVE(r_O, "r-O", "m", "radius of the pole"),
      POSITIVE(r_M, "r-M", "m", "inner radius of the sleeve"),
      POSITIVE(h_M, "h-M", "m", "half height of the sleeve"),
      POSITIVE(l_M, "l-M", "m", "distance M to G"),
      POSITIVE(l_G, "l-G", "m", "distance G to S"),
      POSITIVE(h_S, "h-S", "m", "distance S to P"),
      POSITIVE(l_S, "l-S", "m", "length of the beak"),
      POSITIVE(g, "g", "m/s^2", "gravity"),
      {.name = "dt", .unit = "s", .help = "time step", .number = &w.dt, .low = 1e-8, .high = 0.01},
      {.name = "t-end",
       .unit = "s",
       .help = "end time",
       .number = &w.t_end,
       .low = 0.0,
       .high = 1e4,
       .open = 1},
      {.name = "every", .help = "steps per row of CSV and picture", .count = &w.every, .low = 1, .high = 1e6},
      {.name = "events", .help = "print the events of the last period", .flag = &w.events},
      {.name = "sweep", .help = "option above to vary", .text = &w.sweep},
      {.name = "from", .unit = "1", .help = "its first value", .number = &w.from, .low = -1e6, .high = 1e6},
      {.name = "to", .unit = "1", .help = "its last value", .number = &w.to, .low = -1e6, .high = 1e6},
      {.name = "points", .help = "how many values", .count = &w.points, .low = 1, .high = 1e5},
  };
#undef POSITIVE
  enum { PARAMETERS = 16 }; /* rows that a sweep can vary */
  output out;
  int status = options_read(&out, argc, argv, "The woodpecker toy of Glocker & Studer (2005).", table,
                            (int)(sizeof table / sizeof *table));
  if (status != OPTIONS_GO) {
    return status;
  }
  if (!w.sweep) {
    return output_close(&out, run_once(&out, &w));
  }
  int i = 0;
  while (i < PARAMETERS && strcmp(table[i].name, w.sweep) != 0) {
    i++;
  }
  if (i == PARAMETERS) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--sweep: %s is no parameter", w.sweep));
  }
  for (int k = 0; k < 2; k++) {
    const double end = k ? w.to : w.from;
    if (end < table[i].low || end > table[i].high || (table[i].open && end <= table[i].low)) {
      return output_close(&out, complain(&out, STATUS_BAD_OPTION, "--%s: %g is out of the range of --%s",
                                         k ? "to" : "from", end, w.sweep));
    }
  }
  return output_close(&out, run_sweep(&out, &w, table[i].number));
}
