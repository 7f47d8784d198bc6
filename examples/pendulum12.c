/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Twelve links fall, hit the floor, a wall and each other (Mylapilli & Jain 2017, section 6.2).
 *
 * Each link is a massless rod of 1 m about x with a sphere at its far end; the chain hangs on a pivot 10 m
 * above the middle of the floor, which is 0.2 m thick, and begins straight, at π/4 from the vertical, with
 * ω_x = 1 rad/s. The wall is at y = 4 m. Spheres touch the floor, the wall, and each other but for
 * neighbours. Until something touches all solvers move a smooth pendulum, and the same one; after that they
 * have the same law and different roundings, and the chain is chaotic.
 *
 *   pendulum12                        by the automatic solver, in the plane
 *   pendulum12 --solver mncp-plm      one of the five of the paper, contacts in space
 *   pendulum12 --compare --t-end 20   all of them, beside the paper's Table 1
 *   pendulum12 --eps-t 0.7            restitution of the tangent, too: with it no impact gains energy
 *
 * Steps are those of the paper's section 2.7.1, semi-implicit Euler; what would be closed at the end of a
 * step takes part in it, so nothing gets deeper than curved ways take it. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

#define PI 3.14159265358979323846
#define TOL 1e-10 /* of each contact problem */
#define COLUMNS "t,y,z,v_y,v_z,kinetic,potential"

enum {
  MOST = 40,
  WALL_KEY = 1000,
  PAIR_KEY = 2000,
};

typedef struct chain {
  int links;
  double m, d, length; /* of a sphere, and of a rod */
  double g, mu, eps_n, eps_t;
  double pivot, floor, wall; /* z, z, y */
  double angle, omega;       /* of all links at t = 0 */
  nsdyn_tree *tree;
} chain;

/* No two spheres come together faster than with all energy in them: ½ m (v₁² + v₂²) ≤ E, |v₁ − v₂| ≤ 2
 * √(E/m). E is over that of the chain at rest, hanging. */
static double fastest(const chain *c)
{
  double sum = 0.0; /* E/m */
  for (int k = 1; k <= c->links; k++) {
    const double r = k * c->length;
    sum += 0.5 * (r * r + 0.1 * c->d * c->d) * c->omega * c->omega + c->g * r * (1.0 - cos(c->angle));
  }
  return 2.0 * sqrt(sum);
}

/* How far spheres that are not neighbours are looked for: as stretched links are farther, whose distance does
 * not change at first, no contact has rows of zeros. No step may go as far. */
static double farthest(const chain *c)
{
  return 0.5 * c->length;
}

/* ---- the solvers: the five of the paper, Lemke in place of PATH, and ours ---- */

enum { AUTOMATIC, SOLVERS = 6 };
static const char *const solver_names[] = {"automatic", "lemke",    "mlcp-rlm", "mlcp-plm",
                                           "mncp-rlm",  "mncp-plm", NULL};
static const double paper_seconds[SOLVERS] = {NAN, 23.92, 22.78, 24.24, 22.85, 22.82};

static void choose_solver(int solver, nsdyn_stepper_options *options, nsdyn_contact_law *law)
{
  static const struct {
    int32_t contact, lcp;
  } methods[SOLVERS] = {
      {NSDYN_CONTACT_AUTOMATIC, NSDYN_LCP_AUTOMATIC},   {NSDYN_CONTACT_LCP, NSDYN_LCP_LEMKE},
      {NSDYN_CONTACT_LCP, NSDYN_LCP_MARQUARDT_REGULAR}, {NSDYN_CONTACT_LCP, NSDYN_LCP_MARQUARDT_PROJECTED},
      {NSDYN_CONTACT_TODOROV_RLM, NSDYN_LCP_AUTOMATIC}, {NSDYN_CONTACT_TODOROV_PLM, NSDYN_LCP_AUTOMATIC}};
  options->contact_method = methods[solver].contact;
  options->lcp_method = methods[solver].lcp;
  law->tangents = solver == AUTOMATIC ? 1 : 2;
  if (options->contact_method ==
      NSDYN_CONTACT_LCP) { /* four directions, two of them along the way of sliding */
    law->shape = NSDYN_FRICTION_POLYGON;
    law->sides = 4;
  }
}

/* ---- the tree ---- */

static nsdyn_status build(chain *c)
{
  nsdyn_tree_options options;
  nsdyn_tree_options_init(&options, sizeof options);
  options.gravity[2] = -c->g;
  nsdyn_status status = nsdyn_tree_new(NULL, &options, &c->tree, NULL);
  for (int i = 0; i < c->links && status == NSDYN_OK; i++) {
    nsdyn_tree_body link;
    nsdyn_tree_body_init(&link, sizeof link);
    link.parent = i - 1;
    link.joint = NSDYN_TREE_REVOLUTE;
    link.joint_place[2] = i ? -c->length : c->pivot;
    link.axis[0] = 1.0, link.axis[2] = 0.0;
    link.mass = c->m;
    link.centre[2] = -c->length;
    link.inertia[0] = link.inertia[1] = link.inertia[2] = 0.1 * c->m * c->d * c->d; /* 2/5 m r² */
    status = nsdyn_tree_add(c->tree, &link, NULL);
  }
  return status;
}

/* Centre of a sphere, and its Jacobian: rows of v in the world, and of ω. */
static void sphere(const chain *c, int i, double x[3], double v[3])
{
  nsdyn_tree_motion motion;
  nsdyn_tree_motion_init(&motion, sizeof motion);
  nsdyn_tree_point(c->tree, i, (double[]){0.0, 0.0, -c->length}, &motion);
  memcpy(x, motion.place, sizeof motion.place);
  if (v) {
    memcpy(v, motion.velocity, sizeof motion.velocity);
  }
}

/* ---- contacts: rows of w_N, w_T in the plane y z, and w_T along x, where nothing moves ---- */

/* W of the point of sphere i that is at −r n from its centre, along n and t: of joints behind link `last`, as
 * those before it carry both that touch. */
static void write_directions(const chain *c, int i, int last, const double n[2], double *W)
{
  const int nu = c->links;
  double J[6 * MOST];
  nsdyn_tree_jacobian(c->tree, i, (double[]){0.0, 0.0, -c->length}, J);
  const double t[2] = {n[1], -n[0]};
  for (int k = last + 1; k <= i; k++) {
    const double v[2] = {J[nu + k], J[2 * nu + k]}, omega = J[3 * nu + k];
    W[k] = v[0] * n[0] + v[1] * n[1];
    W[nu + k] = v[0] * t[0] + v[1] * t[1] + 0.5 * c->d * omega; /* ω × −r n = r ω t */
  }
}

/* A touch of sphere i with what stands still, j < 0, or with sphere j: n from it to i. */
static int report(const chain *c, int64_t key, int i, int j, double gap, const double n[2],
                  nsdyn_contact_sink *sink)
{
  double W[3 * MOST] = {0.0};
  const nsdyn_contact_block block = {.offset = 0, .count = c->links, .values = W};
  nsdyn_found_contact found;
  nsdyn_found_contact_init(&found, sizeof found);
  write_directions(c, i, j, n, W);
  found.key = key;
  found.gap = gap;
  found.blocks = 1;
  found.block = &block;
  return nsdyn_contact_sink_add(sink, &found);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const chain *c = user;
  const double r = 0.5 * c->d;
  double x[MOST][3];
  int code = 0;
  (void)t, (void)q, (void)u;
  for (int i = 0; i < c->links && !code; i++) {
    sphere(c, i, x[i], NULL);
    const double above = x[i][2] - r - c->floor, before = c->wall - x[i][1] - r;
    if (above <= margin) {
      code = report(c, i, i, -1, above, (double[]){0.0, 1.0}, sink);
    }
    if (before <= margin && !code) {
      code = report(c, WALL_KEY + i, i, -1, before, (double[]){-1.0, 0.0}, sink);
    }
    for (int j = 0; j < i - 1 && !code; j++) {
      const double way[2] = {x[i][1] - x[j][1], x[i][2] - x[j][2]};
      const double reach = c->d + fmin(margin, farthest(c)), square = way[0] * way[0] + way[1] * way[1];
      if (square <= reach * reach && square > 0.0) {
        const double distance = sqrt(square), n[2] = {way[0] / distance, way[1] / distance};
        code = report(c, PAIR_KEY + MOST * (int64_t)i + j, i, j, distance - c->d, n, sink);
      }
    }
  }
  return code;
}

/* How deep the deepest sphere is in something, with the tree at the state asked about. */
static double depth(const chain *c)
{
  double x[MOST][3], least = 0.0;
  for (int i = 0; i < c->links; i++) {
    sphere(c, i, x[i], NULL);
    const double r = 0.5 * c->d;
    least = fmin(least, fmin(x[i][2] - r - c->floor, c->wall - x[i][1] - r));
    for (int j = 0; j < i - 1; j++) {
      least = fmin(least, hypot(x[i][1] - x[j][1], x[i][2] - x[j][2]) - c->d);
    }
  }
  return -least;
}

/* ---- a run ---- */

typedef struct outcome {
  double first;              /* when something touches first */
  double x[3], v[3];         /* the last sphere in the end */
  double residual, deep;     /* the largest over its scale; the deepest */
  double energy[2], largest; /* total: at the beginning and the end, the largest */
  double normal, friction;   /* work of impulses */
  double gain;               /* of the energy at the first touch, by both */
  int touching, contacts;    /* steps with contacts that press; most contacts in one step */
  int fallbacks;             /* steps that the automatic solver did instead */
} outcome;

static nsdyn_status make_system(chain *c, machine *m, nsdyn_contact_law *law)
{
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  own.user = c;
  own.find = find;
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  nsdyn_status status = build(c);
  status = status ? status : nsdyn_tree_system_new(NULL, c->tree, &own, &m->sys, &m->error);
  int32_t number;
  return status ? status : nsdyn_system_add_law(m->sys, law, &number);
}

static nsdyn_contact_law plain_law(const chain *c)
{
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = c->mu;
  law.eps_n = c->eps_n;
  law.eps_t = c->eps_t;
  return law;
}

/* How steps are taken: for all solvers the same, but for the solver. */
typedef struct way {
  int solver, impact, project;
  double dt, t_end;
} way;

static nsdyn_stepper_options options_of(const way *w, nsdyn_contact_law *law)
{
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = NSDYN_SCHEME_EULER;
  options.activation = NSDYN_ACTIVATION_FREE;
  options.impact = w->impact;
  options.project = w->project;
  options.tol = TOL;
  options.inelastic = 1; /* folded links may wedge each other, and cannot all give back what they lost */
  choose_solver(w->solver, &options, law);
  return options;
}

static nsdyn_status start(chain *c, machine *m, const way *w)
{
  nsdyn_contact_law law = plain_law(c);
  const nsdyn_stepper_options options = options_of(w, &law);
  const double q[MOST] = {c->angle}, u[MOST] = {c->omega};
  nsdyn_status status = make_system(c, m, &law);
  status = status ? status : nsdyn_stepper_new(NULL, m->sys, &options, &m->stepper, &m->error);
  return status ? status : nsdyn_stepper_set_state(m->stepper, 0.0, q, u);
}

/* A step. Where the solver ends without an answer to the tolerance (their RLM stalls where Todorov's map is
 * flat) the automatic one does this step, and that is counted. */
static nsdyn_status step(machine *m, const way *w, int *fallbacks)
{
  nsdyn_status status = machine_step(m, w->t_end, w->dt);
  if (status > 0 && w->solver != AUTOMATIC) {
    nsdyn_contact_law law;
    nsdyn_stepper_options options = options_of(w, &law);
    options.contact_method = NSDYN_CONTACT_AUTOMATIC;
    ++*fallbacks;
    status = nsdyn_stepper_set_options(m->stepper, &options);
    status = status ? status : machine_step(m, w->t_end, w->dt);
    options = options_of(w, &law);
    status = status ? status : nsdyn_stepper_set_options(m->stepper, &options);
  }
  return status;
}

/* Kinetic and potential energy, over that at the height of the floor. */
static void measure(const chain *c, const machine *m, double energy[2])
{
  nsdyn_tree_totals totals;
  nsdyn_tree_totals_init(&totals, sizeof totals);
  nsdyn_tree_set_state(c->tree, machine_q(m), machine_u(m));
  nsdyn_tree_measure(c->tree, &totals);
  energy[0] = totals.kinetic;
  energy[1] = totals.potential;
}

/* What the last step did. */
static nsdyn_status look(const machine *m, outcome *o)
{
  nsdyn_step_report step;
  nsdyn_step_energy work;
  nsdyn_step_report_init(&step, sizeof step);
  nsdyn_step_energy_init(&work, sizeof work);
  nsdyn_stepper_report(m->stepper, &step);
  const nsdyn_status status = nsdyn_stepper_energy(m->stepper, &work);
  int pressing = 0;
  for (int32_t k = 0; k < step.active; k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_stepper_active_contact(m->stepper, k, &state);
    pressing += state.impulse[0] > 0.0;
  }
  if (pressing > 0 && o->touching == 0) {
    o->gain = work.normal + work.tangent;
  }
  o->touching += pressing > 0;
  o->contacts = pressing > o->contacts ? pressing : o->contacts;
  o->residual = fmax(o->residual, step.scale > 0.0 ? step.residual / step.scale : 0.0);
  o->normal += work.normal;
  o->friction += work.tangent;
  return status;
}

/* Where a step begins. */
typedef struct instant {
  double t, q[MOST], u[MOST];
} instant;

static instant now(const chain *c, const machine *m)
{
  instant at = {.t = machine_time(m)};
  memcpy(at.q, machine_q(m), (size_t)c->links * sizeof *at.q);
  memcpy(at.u, machine_u(m), (size_t)c->links * sizeof *at.u);
  return at;
}

/* The gap of the contact of that key, and its rate. */
static double gap_at(const chain *c, const instant *at, int64_t key, double *rate)
{
  const int64_t pair = key - PAIR_KEY;
  const int i = (int)(key < WALL_KEY ? key : pair < 0 ? key - WALL_KEY : pair / MOST);
  double x[2][3], v[2][3];
  nsdyn_tree_set_state(c->tree, at->q, at->u);
  sphere(c, i, x[0], v[0]);
  if (key < WALL_KEY) {
    *rate = v[0][2];
    return x[0][2] - 0.5 * c->d - c->floor;
  }
  if (pair < 0) {
    *rate = -v[0][1];
    return c->wall - x[0][1] - 0.5 * c->d;
  }
  sphere(c, (int)(pair % MOST), x[1], v[1]);
  const double apart[2] = {x[0][1] - x[1][1], x[0][2] - x[1][2]}, distance = hypot(apart[0], apart[1]);
  *rate = (apart[0] * (v[0][1] - v[1][1]) + apart[1] * (v[0][2] - v[1][2])) / distance;
  return distance - c->d;
}

/* When the first of the contacts that have pressed in the last step touched: g + v s + ½ a s² = 0, to second
 * order in s, where v goes on as it has changed in the step before; in the first step it does not. */
static double touch_time(const chain *c, const machine *m, const instant *begin, const instant *before)
{
  nsdyn_step_report report;
  double first = INFINITY;
  nsdyn_step_report_init(&report, sizeof report);
  nsdyn_stepper_report(m->stepper, &report);
  for (int32_t k = 0; k < report.active; k++) {
    nsdyn_contact_state state;
    nsdyn_contact_state_init(&state, sizeof state);
    nsdyn_stepper_active_contact(m->stepper, k, &state);
    if (state.impulse[0] > 0.0) {
      double v, v_before, a = 0.0;
      const double gap = gap_at(c, begin, state.key, &v), s = v < 0.0 ? gap / -v : 0.0;
      if (v < 0.0 && begin->t > before->t) {
        gap_at(c, before, state.key, &v_before);
        a = (v - v_before) / (begin->t - before->t);
      }
      first = fmin(first, begin->t + (v < 0.0 ? s * (1.0 + 0.5 * a * s / -v) : 0.0));
    }
  }
  return first;
}

/* A frame of the movie: all spheres at their places, each with the rod behind it. */
static void show(const chain *c, const machine *m, movie *film, const double energy[2])
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  double poses[3 * MOST], x[3], angle = 0.0;
  for (int i = 0; i < c->links; i++) {
    angle += machine_q(m)[i];
    sphere(c, i, x, NULL);
    poses[3 * i] = x[1];
    poses[3 * i + 1] = x[2];
    poses[3 * i + 2] = angle;
  }
  movie_frame(film, machine_time(m), poses, energy);
}

static movie *begin_movie(const chain *c, const output *out, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double left = -c->length * c->links, high = c->pivot + 1.0;
  for (int i = 0; i < c->links; i++) {
    const int body = movie_add_body(film, "link", PLOT_BLUE);
    movie_add_line(film, body, 2, (double[]){0.0, 0.0, 0.0, c->length});
    movie_add_ball(film, body, (double[]){0.0, 0.0}, 0.5 * c->d);
  }
  movie_add_line(film, MOVIE_GROUND, 3, (double[]){left, c->floor, c->wall, c->floor, c->wall, high});
  movie_set_energies(film, "kinetic,gravity");
  movie_set_view(film, (double[]){left, c->floor - 1.0}, (double[]){c->wall + 1.0, high});
  return film;
}

static nsdyn_status run(chain *c, machine *m, const way *w, outcome *o, record *r, movie *film)
{
  nsdyn_status status = NSDYN_OK;
  instant begin = now(c, m), before = begin;
  *o = (outcome){.first = NAN};
  for (int first = 1; status == NSDYN_OK; first = 0) {
    double energy[2];
    measure(c, m, energy);
    begin = now(c, m);
    o->energy[1] = energy[0] + energy[1];
    o->energy[0] = first ? o->energy[1] : o->energy[0];
    o->largest = fmax(o->largest, energy[0] + energy[1]);
    o->deep = fmax(o->deep, depth(c));
    sphere(c, c->links - 1, o->x, o->v);
    record_add(r, (double[]){begin.t, o->x[1], o->x[2], o->v[1], o->v[2], energy[0], energy[1]});
    show(c, m, film, energy);
    if (!machine_is_before(m, w->t_end, w->dt)) {
      break;
    }
    status = step(m, w, &o->fallbacks);
    if (status == NSDYN_OK) {
      const int touched = o->touching;
      status = look(m, o);
      if (o->touching > touched && touched == 0) {
        o->first = touch_time(c, m, &begin, &before);
      }
    }
    before = begin;
  }
  return status;
}

static void stop(chain *c, machine *m, const output *out, nsdyn_status status, int *code)
{
  *code = machine_stop(m, out, status);
  nsdyn_tree_free(c->tree);
  c->tree = NULL;
}

/* ---- the first touch from event to event ---- */

static int stop_there(void *user, const nsdyn_event_driver *driver, const nsdyn_event *event)
{
  (void)driver;
  *(double *)user = event->t;
  return 1;
}

static nsdyn_status find_first(chain *c, const output *out, double tol, double t_end, double *first,
                               int *code)
{
  machine m;
  nsdyn_contact_law law = plain_law(c);
  nsdyn_event_driver_options options;
  const double q[MOST] = {c->angle}, u[MOST] = {c->omega};
  nsdyn_event_driver_options_init(&options, sizeof options);
  options.tol = tol;
  options.margin = farthest(c);
  options.max_dt = options.margin / fastest(c);
  options.observe = stop_there;
  options.user = first;
  *first = NAN;
  nsdyn_status status = make_system(c, &m, &law);
  status = status ? status : nsdyn_event_driver_new(NULL, m.sys, &options, &m.driver, &m.error);
  status = status ? status : nsdyn_event_driver_set_state(m.driver, 0.0, q, u);
  status = status ? status : nsdyn_event_driver_advance(m.driver, t_end);
  status = status == NSDYN_STOPPED ? NSDYN_OK : status;
  stop(c, &m, out, status, code);
  return status;
}

/* ---- all solvers ---- */

/* What each takes: steps alone, without a look at what they did. */
static nsdyn_status time_steps(chain *c, const output *out, const way *w, double *seconds, int *code)
{
  machine m;
  int fallbacks = 0;
  nsdyn_status status = start(c, &m, w);
  const clock_t begin = clock();
  while (status == NSDYN_OK && machine_is_before(&m, w->t_end, w->dt)) {
    status = step(&m, w, &fallbacks);
  }
  *seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  stop(c, &m, out, status, code);
  return status;
}

static int compare(chain *c, const output *out, way w)
{
  int code = 0;
  for (w.solver = 0; w.solver < SOLVERS && !code; w.solver++) {
    outcome o = {.first = NAN};
    machine m;
    double seconds = 0.0;
    record none = record_new(COLUMNS);
    nsdyn_status status = start(c, &m, &w);
    status = status ? status : run(c, &m, &w, &o, &none, NULL);
    stop(c, &m, out, status, &code);
    record_free(&none);
    if (!code && time_steps(c, out, &w, &seconds, &code) == NSDYN_OK && !out->quiet) {
      printf("solver %s first %.12f s z %.6f m penetration %.1e m residual %.1e 1 fallbacks %d 1 time %.3f s",
             solver_names[w.solver], o.first, o.x[2], o.deep, o.residual, o.fallbacks, seconds);
      printf(w.solver == AUTOMATIC ? "\n" : " paper %.2f s\n", paper_seconds[w.solver]);
    }
  }
  return code;
}

/* ---- the picture: their Figs. 14 to 16, and where energy goes ---- */

static void draw(const output *out, const record *r)
{
  if (!out->svg || r->rows == 0) {
    return;
  }
  double *const *col = r->column, *sum = memory(NULL, (size_t)r->rows, sizeof *sum);
  plot_figure *figure = plot_new(3, 1);
  plot_set_panel_size(figure, 720.0, 260.0);
  plot_set_description(figure, "Height and velocity of the last link of twelve, and the energy of all");
  static const char *const titles[] = {"Height of the last link", "Its velocity", "Energy"};
  static const char *const names[] = {"z", "v_z", "energy"}, *const units[] = {"m", "m/s", "J"};
  for (int k = 0; k < 3; k++) {
    plot_set_axes(figure, k, 0,
                  &(plot_axes){.title = titles[k],
                               .x = {.name = "t", .unit = "s"},
                               .y = {.name = names[k], .unit = units[k], .with_zero = 1}});
  }
  plot_add(figure, 0, 0, &(plot_curve){.count = r->rows, .x = col[0], .y = col[2], .width = 1.2});
  plot_add(figure, 1, 0, &(plot_curve){.count = r->rows, .x = col[0], .y = col[4], .width = 1.2});
  for (int i = 0; i < r->rows; i++) {
    sum[i] = col[5][i] + col[6][i];
  }
  plot_add(figure, 2, 0,
           &(plot_curve){.label = "kinetic", .count = r->rows, .x = col[0], .y = col[5], .width = 1.2});
  plot_add(figure, 2, 0,
           &(plot_curve){.label = "gravity", .count = r->rows, .x = col[0], .y = col[6], .width = 1.2});
  plot_add(figure, 2, 0,
           &(plot_curve){.label = "sum", .count = r->rows, .x = col[0], .y = sum, .width = 1.8});
  plot_write(figure, out->svg);
  plot_free(figure);
  free(sum);
}

static void print(const output *out, const outcome *o, double exact)
{
  result(out, "first_touch", o->first, "s");
  result(out, "first_touch_exact", exact, "s");
  result(out, "y", o->x[1], "m");
  result(out, "z", o->x[2], "m");
  result(out, "v_z", o->v[2], "m/s");
  result(out, "energy_begin", o->energy[0], "J");
  result(out, "energy_end", o->energy[1], "J");
  result(out, "energy_largest", o->largest, "J");
  result(out, "work_normal", o->normal, "J");
  result(out, "work_friction", o->friction, "J");
  result(out, "work_of_steps", o->energy[1] - o->energy[0] - o->normal - o->friction, "J");
  result(out, "gain_first_touch", o->gain, "J");
  result(out, "penetration", o->deep, "m");
  result(out, "residual", o->residual, "1");
  result(out, "steps_with_contact", o->touching, "1");
  result(out, "fallbacks", o->fallbacks, "1");
  result(out, "most_contacts", o->contacts, "1");
}

int main(int argc, char **argv)
{
  chain c = {.links = 12,
             .m = 1.0,
             .d = 0.5,
             .length = 1.0,
             .g = 9.81,
             .mu = 0.5,
             .eps_n = 0.7,
             .pivot = 10.0,
             .floor = 0.1,
             .wall = 4.0,
             .angle = -0.25 * PI,
             .omega = 1.0};
  way w = {.solver = AUTOMATIC, .dt = 1e-3, .t_end = 20.0};
  double exact = NAN;
  int impact = 0, project = 2, compares = 0;
  static const char *const impacts[] = {"newton", "poisson", NULL};
  static const int32_t laws[] = {NSDYN_IMPACT_NEWTON, NSDYN_IMPACT_POISSON};
  static const char *const projects[] = {"none", "after", "split", NULL};
  static const int32_t project_of[] = {NSDYN_PROJECT_NONE, NSDYN_PROJECT_AFTER, NSDYN_PROJECT_SPLIT};
  const option table[] = {
      {.name = "solver", .help = "of the contact problems", .choice = &w.solver, .choices = solver_names},
      {.name = "compare", .help = "run all of them, and say what each took", .flag = &compares},
      {.name = "links", .help = "how many", .count = &c.links, .low = 1, .high = MOST},
      OPTION_MASS(c.m),
      {.name = "d", .unit = "m", .help = "diameter of the spheres", .number = &c.d, .low = 1e-3, .high = 0.9},
      OPTION_GRAVITY(c.g),
      OPTION_MU(c.mu),
      {.name = "eps-n", .unit = "1", .help = "normal restitution", .number = &c.eps_n, .high = 1.0},
      {.name = "eps-t", .unit = "1", .help = "tangential restitution", .number = &c.eps_t, .high = 1.0},
      {.name = "impact", .help = "Newton's or Poisson's law", .choice = &impact, .choices = impacts},
      {.name = "project", .help = "how steps keep penetration away", .choice = &project, .choices = projects},
      {.name = "omega",
       .unit = "rad/s",
       .help = "of all links at t = 0",
       .number = &c.omega,
       .low = -100.0,
       .high = 100.0},
      OPTION_DT(w.dt),
      OPTION_T_END(w.t_end),
      OPTION_HTML,
  };
  output out;
  int code = options_read(&out, argc, argv, "Twelve links fall on a floor, a wall and each other.", table,
                          (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (w.dt * fastest(&c) > farthest(&c)) {
    return output_close(&out, complain(&out, STATUS_BAD_OPTION,
                                       "--dt must be less than %.3g: a step may go farther than half a rod",
                                       farthest(&c) / fastest(&c)));
  }
  machine m;
  outcome o = {.first = NAN};
  record r = record_new(COLUMNS);
  w.impact = laws[impact];
  w.project = project_of[project];
  movie *film = begin_movie(&c, &out, w.t_end);
  nsdyn_status status = start(&c, &m, &w);
  status = status ? status : run(&c, &m, &w, &o, &r, film);
  movie_close(film, &out, "A pendulum of twelve links", "");
  stop(&c, &m, &out, status, &code);
  if (!code && find_first(&c, &out, 1e-10, w.t_end, &exact, &code) == NSDYN_OK) {
    print(&out, &o, exact);
    record_write(&r, &out);
    draw(&out, &r);
  }
  if (!code && compares) {
    code = compare(&c, &out, w);
  }
  record_free(&r);
  return output_close(&out, code);
}
