/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A rod on a rough table: Painlevé's paradox (Stewart 2000, section 1.3 and figure 2.4).
 *
 * While the lower end slides to the left, its vertical acceleration is p N + b with
 *
 *     p = (1 − κ cos θ (μ sin θ − cos θ))/m,  κ = m l²/(4 J),    b = (l/2) sin θ θ̇² − g,
 *
 * and 0 <= p N + b ⊥ N >= 0. (The paper prints y_c = y − (l/2) cos θ for the lower end, and cos θ in b; with
 * θ from the horizontal both are sin θ.) For p < 0 there is no such N where b < 0, and there are two where b
 * > 0. A uniform rod (κ = 3) gets there for μ > 4/3. No finite force can carry on then: an impulse without
 * collision stops the sliding at once. A time step solves for impulses and goes through. From event to event
 * (--scheme event) the paradox is met as such, resolved by that impulse, and logged; where there are several
 * forces,
 * --ambiguous decides. */
#include <math.h>
#include <nsdyn/nsdyn.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define MAP 40 /* points of the map along each axis */

enum begin { DROP, SLIDE };

typedef struct rod {
  double m, l, inertia; /* kg, m, J/(m l²) */
  double g, mu, eps_n;
} rod;

/* ---- The system: q = (x, y, θ), centre and angle; contact 0 is the lower end, 1 the other ---- */

static double side(int i)
{
  return i == 0 ? -1.0 : 1.0;
}

static int mass(void *user, double t, const double *q, double *M)
{
  const rod *r = user;
  (void)t, (void)q;
  M[0] = M[4] = r->m;
  M[8] = r->inertia * r->m * r->l * r->l;
  return 0;
}

static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const rod *r = user;
  (void)t, (void)q, (void)u;
  h[1] = -r->m * r->g;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const rod *r = user;
  (void)t;
  for (int i = 0; i < 2; i++) {
    g[i] = q[1] + side(i) * 0.5 * r->l * sin(q[2]);
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const rod *r = user;
  (void)t;
  w_hat[0] = 0.0; /* the table stands still */
  W[1] = 1.0;     /* w_N = (0, 1, ± l/2 cos θ) */
  W[2] = side(i) * 0.5 * r->l * cos(q[2]);
  W[3] = 1.0; /* w_T = (1, 0, ∓ l/2 sin θ) */
  W[5] = -side(i) * 0.5 * r->l * sin(q[2]);
  return 0;
}

typedef struct way {
  int scheme, ambiguous;
  double tol, dt, t_end;
} way;

static nsdyn_status start(machine *m, const way *w, rod *r, const double *q, const double *u)
{
  nsdyn_system_def def;
  nsdyn_system_def_init(&def, sizeof def);
  def.nq = def.nu = 3;
  def.ncontacts = 2;
  def.flags = NSDYN_CONSTANT_MASS;
  def.user = r;
  def.mass = mass;
  def.force = force;
  def.gap = gap;
  def.direction = direction;
  nsdyn_contact_law laws[2];
  for (int i = 0; i < 2; i++) {
    nsdyn_contact_law_init(&laws[i], sizeof laws[i]);
    laws[i].mu = r->mu;
    laws[i].eps_n = r->eps_n;
  }
  if (w->scheme != MACHINE_EVENTS) {
    nsdyn_stepper_options steps;
    nsdyn_stepper_options_init(&steps, sizeof steps);
    steps.scheme = machine_stepper_scheme(w->scheme);
    return machine_start_steps(m, &def, laws, &steps, q, u);
  }
  nsdyn_event_driver_options options;
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = w->tol;
  options.ambiguous = w->ambiguous;
  return machine_start_events(m, &def, laws, &options, q, u);
}

/* ---- The paradox ---- */

/* p m, the bracket of Stewart's equation 1.5. */
static double bracket(const rod *r, double theta)
{
  return 1.0 - 0.25 / r->inertia * cos(theta) * (r->mu * sin(theta) - cos(theta));
}

/* How many finite forces carry on a slide to the left, on acceleration level. */
static nsdyn_status count_forces(nsdyn_contact *solver, const rod *r, double theta, double omega, int *count)
{
  const double J = r->inertia * r->m * r->l * r->l, half = 0.5 * r->l;
  const double a = -half * cos(theta), b = half * sin(theta); /* of w_N and w_T, about the centre */
  const double G[4] = {1.0 / r->m + a * a / J, a * b / J, a * b / J, 1.0 / r->m + b * b / J};
  const double c[2] = {half * sin(theta) * omega * omega - r->g, half * cos(theta) * omega * omega};
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = r->mu;
  nsdyn_contact_problem problem;
  nsdyn_contact_problem_init(&problem, sizeof problem);
  problem.contacts = 1;
  problem.laws = &law;
  problem.G = G;
  problem.ldg = 2;
  problem.c = c;
  problem.slip = (const double[]){-1.0};
  nsdyn_contact_census census;
  nsdyn_contact_census_init(&census, sizeof census);
  const nsdyn_status status = nsdyn_contact_enumerate(solver, &problem, NULL, NULL, &census);
  *count = (int)census.points;
  return status == NSDYN_NO_SOLUTION ? NSDYN_OK : status;
}

/* ---- The run ---- */

typedef struct summary {
  double time, theta;         /* of the first contact; by steps, at its step's beginning */
  double before[2], after[2]; /* relative velocity there, normal and tangential */
  double impulse[2];
  double omega_after;
  int mode;
  int paradoxes, ambiguous; /* met from event to event */
} summary;

static void note(summary *s, const double *before, const double *after, const double *impulse)
{
  for (int k = 0; k < 2; k++) {
    s->before[k] = before[k];
    s->after[k] = after[k];
    s->impulse[k] = impulse[k];
  }
}

/* The step, or the events, that led here. `seen` of them are known already. */
static void watch(const machine *m, double t, double theta, int seen, summary *s)
{
  const nsdyn_contact_state contact = machine_contact(m, 0);
  int is_first = isnan(s->time) && contact.active;
  if (is_first) {
    note(s, contact.before, contact.after, contact.impulse);
  }
  for (int k = seen; k < machine_events(m); k++) {
    const nsdyn_event e = machine_event(m, k);
    s->paradoxes += e.kind == NSDYN_EVENT_PAINLEVE;
    s->ambiguous += e.kind == NSDYN_EVENT_AMBIGUOUS;
    if (isnan(s->time) && e.contact == 0) {
      note(s, e.before, e.after, e.impulse);
      t = e.t;
      theta = machine_q(m)[2];
      is_first = 1;
    }
  }
  if (is_first) {
    s->time = t;
    s->theta = theta;
    s->mode = contact.active ? contact.mode : NSDYN_MODE_OPEN;
    s->omega_after = machine_u(m)[2];
  }
}

static movie *make_film(const output *out, const rod *r, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double half = 0.5 * r->l;
  movie_add_capsule(film, movie_add_body(film, "rod", PLOT_BLUE), (double[]){-half, 0.0},
                    (double[]){half, 0.0}, 0.006 * r->l);
  movie_add_line(film, MOVIE_GROUND, 2, (double[]){-1e3 * r->l, 0.0, 1e3 * r->l, 0.0});
  movie_set_energies(film, "kinetic,gravity,sum");
  return film;
}

/* The end of the rod that contact i is at, pushed by a force, or by an impulse of the event that led here. */
static void push(movie *film, const machine *m, const rod *r, int i, const double *force, int is_impulse)
{
  const double *q = machine_q(m), point[2] = {q[0] + side(i) * 0.5 * r->l * cos(q[2]), 0.0};
  if (force[0] > 0.0 && is_impulse) {
    movie_impulse(film, machine_time(m), point, (double[]){force[1], force[0]});
  } else if (force[0] > 0.0) {
    movie_force(film, point, (double[]){force[1], force[0]});
  }
}

static void show(movie *film, const machine *m, const rod *r, int seen)
{
  for (int k = seen; film && k < machine_events(m); k++) {
    const nsdyn_event e = machine_event(m, k);
    push(film, m, r, e.contact == 1, e.impulse, 1);
  }
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  const double *q = machine_q(m), *u = machine_u(m), J = r->inertia * r->m * r->l * r->l;
  const double T = 0.5 * (r->m * (u[0] * u[0] + u[1] * u[1]) + J * u[2] * u[2]), V = r->m * r->g * q[1];
  movie_frame(film, machine_time(m), q, (double[]){T, V, T + V});
  for (int i = 0; i < 2; i++) {
    const nsdyn_contact_state contact = machine_contact(m, i);
    push(film, m, r, i, contact.force, 0);
  }
}

static nsdyn_status run(machine *m, const way *w, summary *s, record *r, movie *film, const rod *given)
{
  *s = (summary){.time = NAN};
  show(film, m, given, 0);
  while (machine_is_before(m, w->t_end, w->dt)) {
    const double t = machine_time(m), theta = machine_q(m)[2];
    const int seen = machine_events(m);
    const nsdyn_status status = machine_step(m, w->t_end, w->dt);
    if (status != NSDYN_OK) {
      return status;
    }
    watch(m, t, theta, seen, s);
    show(film, m, given, seen);
    if (r) {
      const double *now = machine_q(m), *speed = machine_u(m);
      const nsdyn_contact_state contact = machine_contact(m, 0);
      record_add(r, (double[]){machine_time(m), now[0], now[1], now[2], speed[0], speed[1], speed[2],
                               contact.impulse[0], contact.impulse[1]});
    }
  }
  return NSDYN_OK;
}

static void print(const output *out, const rod *r, const summary *s, int is_by_events)
{
  static const char *const modes[] = {"open", "stick", "slip_plus", "slip_minus"};
  if (is_by_events) {
    result(out, "paradoxes", s->paradoxes, "1");
    result(out, "ambiguous", s->ambiguous, "1");
  }
  if (isnan(s->time)) {
    return; /* it never touched the table */
  }
  result(out, "contact_time", s->time, "s");
  result(out, "contact_angle", s->theta, "rad");
  result(out, "bracket", bracket(r, s->theta), "1");
  result(out, "sliding_before", s->before[1], "m/s");
  result(out, "sliding_after", s->after[1], "m/s");
  result(out, "normal_after", s->after[0], "m/s");
  result(out, "impulse_normal", s->impulse[0], "N*s");
  result(out, "impulse_tangential", s->impulse[1], "N*s");
  result(out, "omega_after", s->omega_after, "rad/s");
  result_text(out, "mode", modes[s->mode]);
}

/* ---- The picture ---- */

/* The rod at `count` instants. */
static void draw_rods(plot_figure *figure, const rod *r, const record *rec, int count)
{
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "The rod, from blue to grey",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "y", .unit = "m"},
                             .equal = 1});
  for (int k = 0; k < count && rec->rows > 0; k++) {
    const int i = (int)((double)(rec->rows - 1) * k / (count - 1));
    const double x = rec->column[1][i], y = rec->column[2][i], theta = rec->column[3][i];
    const double dx = 0.5 * r->l * cos(theta), dy = 0.5 * r->l * sin(theta);
    plot_add(figure, 0, 0,
             &(plot_curve){.count = 2,
                           .x = (double[]){x - dx, x + dx},
                           .y = (double[]){y - dy, y + dy},
                           .color = k == 0 ? PLOT_BLUE : PLOT_GRAY,
                           .dash = PLOT_SOLID,
                           .begin = PLOT_CLOSED_DOT});
  }
}

static void draw_motion(plot_figure *figure, const record *rec)
{
  plot_set_axes(
      figure, 1, 0,
      &(plot_axes){.x = {.name = "t", .unit = "s"}, .y = {.name = "angular velocity", .unit = "rad/s"}});
  plot_add(figure, 1, 0, &(plot_curve){.count = rec->rows, .x = rec->column[0], .y = rec->column[6]});
}

/* Where a slide to the left has one, two or no finite forces, over θ and θ̇. */
static nsdyn_status draw_map(plot_figure *figure, const rod *r)
{
  static double x[3][MAP * MAP], y[3][MAP * MAP];
  static const char *const label[] = {"no force", "one", "two"};
  static const int marker[] = {PLOT_CROSS, PLOT_DISK, PLOT_RING};
  int points[3] = {0};
  nsdyn_contact *solver;
  nsdyn_status status = nsdyn_contact_new(NULL, NULL, &solver, NULL);
  const double fast = 2.0 * sqrt(2.0 * r->g / r->l);
  for (int i = 0; status == NSDYN_OK && i < MAP * MAP; i++) {
    const int column = i % MAP, line = i / MAP;
    const double theta = (column + 0.5) / MAP * 1.55, omega = (line + 0.5) / MAP * fast;
    int count = 0;
    status = count_forces(solver, r, theta, omega, &count);
    count = count > 2 ? 2 : count;
    x[count][points[count]] = theta;
    y[count][points[count]++] = omega;
  }
  nsdyn_contact_free(solver);
  plot_set_axes(figure, 2, 0,
                &(plot_axes){.title = "Finite forces of a slide to the left",
                             .x = {.name = "θ", .unit = "rad"},
                             .y = {.name = "|θ̇|", .unit = "rad/s"}});
  for (int k = 0; k < 3; k++) {
    plot_add(figure, 2, 0,
             &(plot_curve){.label = label[k],
                           .count = points[k],
                           .x = x[k],
                           .y = y[k],
                           .dash = PLOT_NO_LINE,
                           .marker = marker[k]});
  }
  return status;
}

static nsdyn_status draw(const output *out, const rod *r, const record *rec)
{
  plot_figure *figure = plot_new(3, 1);
  plot_set_panel_size(figure, 640.0, 320.0);
  plot_set_description(figure, "A rod hits a rough table and stops sliding at once");
  draw_rods(figure, r, rec, 12);
  draw_motion(figure, rec);
  const nsdyn_status status = draw_map(figure, r);
  plot_write(figure, out->svg);
  plot_free(figure);
  return status;
}

int main(int argc, char **argv)
{
  rod r = {.m = 1.0, .l = 1.0, .inertia = 1.0 / 12.0, .g = 9.81, .mu = 2.0, .eps_n = 0.0};
  way w = {.tol = 1e-9, .dt = 1e-3, .t_end = 0.6};
  double theta = 0.6, omega = 4.0, height = 1.0, v = 1.0;
  int begin = DROP, events = 0;
  static const char *const begins[] = {"drop", "slide", NULL};
  static const char *const policies[] = {"stop", "open", "stick", NULL}; /* as in enum nsdyn_ambiguity */
  const option table[] = {
      {.name = "start",
       .help = "drop: falls, spinning; slide: on the table, to the left",
       .choice = &begin,
       .choices = begins},
      {.name = "theta",
       .unit = "rad",
       .help = "angle at the start",
       .number = &theta,
       .low = -10.0,
       .high = 10.0},
      {.name = "omega",
       .unit = "rad/s",
       .help = "angular velocity",
       .number = &omega,
       .low = -1e6,
       .high = 1e6},
      {.name = "height", .unit = "m", .help = "drop: of the centre", .number = &height, .high = 1e6},
      {.name = "v", .unit = "m/s", .help = "slide: of the lower end, to the left", .number = &v, .high = 1e6},
      OPTION_MU(r.mu),
      {.name = "eps-n", .unit = "1", .help = "restitution", .number = &r.eps_n, .high = 1.0},
      {.name = "inertia", .unit = "1", .help = "J/(m l^2)", .number = &r.inertia, .high = 1e3, .open = 1},
      OPTION_MASS(r.m),
      {.name = "l", .unit = "m", .help = "length", .number = &r.l, .high = 1e6, .open = 1},
      OPTION_GRAVITY(r.g),
      OPTION_SCHEME(w.scheme),
      OPTION_TOL(w.tol),
      {.name = "ambiguous",
       .help = "what to do where there are several forces, by events",
       .choice = &w.ambiguous,
       .choices = policies},
      OPTION_EVENTS(events),
      OPTION_STEP(w.dt),
      OPTION_T_END(w.t_end),
      OPTION_HTML,
  };
  output out;
  const int code = options_read(&out, argc, argv, "A rod on a rough table: Painlevé's paradox.", table,
                                (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  /* A slide: the lower end on the table, its velocity (−v, 0), turning with ω. */
  const double half = 0.5 * r.l, y = begin == DROP ? height : half * sin(theta);
  const double u_slide[3] = {-v - half * sin(theta) * omega, half * cos(theta) * omega, omega};
  machine m;
  record rec = record_new("t,x,y,theta,vx,vy,omega,impulse_normal,impulse_tangential");
  summary s;
  movie *film = make_film(&out, &r, w.t_end);
  nsdyn_status status =
      start(&m, &w, &r, (double[]){0.0, y, theta}, begin == DROP ? (double[]){0.0, 0.0, omega} : u_slide);
  if (status == NSDYN_OK) {
    status = run(&m, &w, &s, out.csv || out.svg ? &rec : NULL, film, &r);
  }
  if (status == NSDYN_OK) {
    print(&out, &r, &s, w.scheme == MACHINE_EVENTS);
    if (events) {
      machine_print_events(&m, &out);
    }
    record_write(&rec, &out);
    status = draw(&out, &r, &rec);
  }
  record_free(&rec);
  movie_close(film, &out, "A rod on a rough table: Painlevé's paradox", "");
  return output_close(&out, machine_stop(&m, &out, status));
}
