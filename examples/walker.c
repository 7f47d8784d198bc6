/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A compass walks down a slope: two stiff legs on a hinge, nothing that drives them, and nothing that
 * controls them (McGeer 1990; Goswami, Espiau & Keramane 1996). With all mass in the hip and mere points for
 * feet it is the simplest walker (Garcia, Chatterjee, Ruina & Coleman 1998), which walks steadily on slopes
 * up to 0.015 rad. There its period doubles: of two steps one gets longer than the other one.
 *
 *   walker                     falls into its gait; then the cycle by Newton's method, and its multipliers
 *   walker --until 0.02        follows the cycle along the slope, and tells where it loses its stability
 *   walker --scheme moreau     the same walk by time steps
 *
 * and Goswami's compass, on 3°:
 *
 *   walker --M 10 --m 5 --c 0.5 --slope 0.0524 --theta 0.271 --rate -1.09 --swing -0.38
 *
 * A tree of bodies: the left leg moves in the plane, with the hip fixed to it, and the right one turns about
 * the hip. x is the way down the slope, z the height over it, angles are those of legs against z. A foot that
 * comes down stops dead; the other one is free to go, and does. (With friction that holds a foot this light,
 * the impact has other solutions, too, where the foot behind is wedged. The papers' is the one with it open.)
 *
 * Legs of one length cannot pass each other above the floor. As in the papers, the foot that swings does not
 * touch while it is nearer to the other one than `--pass`. A gap is to be a function of time and place alone:
 * this one is, wherever feet can touch; which foot is passing, velocities tell, and there the other one
 * stands still. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/machine.h"
#include "common/movie.h"
#include "common/options.h"
#include "common/plot.h"
#include "common/record.h"

enum { LEFT, RIGHT, FEET };
#define LIMPS 1e-7 /* of a period: more than rounding and derivatives leave */

enum { X, Z, LEFT_ANGLE, TURN, DOF }; /* place of the hip; the right leg is at LEFT_ANGLE + TURN */

typedef struct walker {
  double M, m;        /* mass of the hip, and of each leg */
  double l, c;        /* length of a leg; its mass is so far from the hip */
  double g, slope;    /* gravity, and the angle that it has to z */
  double mu;          /* of the feet */
  double pass;        /* feet nearer to each other along x, over a first step, pass each other */
  double theta, rate; /* of the left leg, which stands, when both feet have just been down */
  double swing;       /* the rate of the right one then */
  nsdyn_tree *tree;
  int32_t leg[FEET], hip;
  double until; /* the cycle is followed along the slope to here, */
  int points;   /* by so many values */
  int swings;   /* the foot that does, as velocities told last */
} walker;

/* ---- the bodies ---- */

static nsdyn_status add(walker *w, const nsdyn_tree_body *body, int32_t *number)
{
  return nsdyn_tree_add(w->tree, body, number);
}

static nsdyn_status build(walker *w)
{
  nsdyn_tree_body leg, hip;
  nsdyn_tree_body_init(&leg, sizeof leg);
  nsdyn_tree_body_init(&hip, sizeof hip);
  leg.axis[1] = -1.0, leg.axis[2] = 0.0; /* so that a leg with an angle > 0 has its foot ahead */
  leg.mass = w->m;
  leg.centre[2] = -w->c;
  hip.name = "hip";
  hip.mass = w->M;
  nsdyn_status status = nsdyn_tree_new(NULL, NULL, &w->tree, NULL);
  leg.name = "left leg";
  leg.joint = NSDYN_TREE_PLANAR; /* slides along x and along −y × x = z */
  status = status ? status : add(w, &leg, &w->leg[LEFT]);
  hip.parent = leg.parent = w->leg[LEFT];
  status = status ? status : add(w, &hip, &w->hip);
  leg.name = "right leg";
  leg.joint = NSDYN_TREE_REVOLUTE;
  return status ? status : add(w, &leg, &w->leg[RIGHT]);
}

static nsdyn_tree_motion foot(const walker *w, int i)
{
  nsdyn_tree_motion motion;
  nsdyn_tree_motion_init(&motion, sizeof motion);
  nsdyn_tree_point(w->tree, w->leg[i], (double[]){0.0, 0.0, -w->l}, &motion);
  return motion;
}

/* ---- what the integrators ask: the tree is at the state that they ask about ---- */

/* Gravity: the slope is ours to change, so it is not the tree's. And which foot moves. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  walker *w = user;
  const double direction[3] = {sin(w->slope), 0.0, -cos(w->slope)};
  const struct {
    int32_t body;
    double mass, below;
  } weight[] = {{w->hip, w->M, 0.0}, {w->leg[LEFT], w->m, w->c}, {w->leg[RIGHT], w->m, w->c}};
  (void)t, (void)q, (void)u;
  for (int k = 0; k < 3; k++) {
    const double mg = weight[k].mass * w->g;
    const double pull[3] = {mg * direction[0], 0.0, mg * direction[2]};
    nsdyn_tree_push(w->tree, weight[k].body, (double[]){0.0, 0.0, -weight[k].below}, pull, NULL, h);
  }
  const nsdyn_tree_motion left = foot(w, LEFT), right = foot(w, RIGHT);
  w->swings =
      hypot(left.velocity[0], left.velocity[2]) > hypot(right.velocity[0], right.velocity[2]) ? LEFT : RIGHT;
  return 0;
}

static int gap(void *user, double t, const double *q, double *g)
{
  const walker *w = user;
  const nsdyn_tree_motion left = foot(w, LEFT), right = foot(w, RIGHT);
  (void)t, (void)q;
  g[LEFT] = left.place[2];
  g[RIGHT] = right.place[2];
  if (fabs(left.place[0] - right.place[0]) < w->pass * 2.0 * w->l * sin(w->theta)) {
    g[w->swings] = INFINITY;
  }
  return 0;
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const walker *w = user;
  double J[6 * DOF];
  (void)t, (void)q;
  nsdyn_tree_jacobian(w->tree, w->leg[i], (double[]){0.0, 0.0, -w->l}, J);
  for (int k = 0; k < DOF; k++) {
    W[k] = J[2 * DOF + k]; /* w_N: along z */
    W[DOF + k] = J[k];     /* w_T: along x */
  }
  w_hat[0] = w_hat[1] = 0.0; /* the floor stands still */
  return 0;
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const nsdyn_tree_motion motion = foot(user, i);
  (void)t, (void)q, (void)u;
  w_bar[0] = motion.bias[2];
  w_bar[1] = motion.bias[0];
  return 0;
}

static nsdyn_status make_system(walker *w, machine *m)
{
  nsdyn_system_def own;
  nsdyn_system_def_init(&own, sizeof own);
  own.ncontacts = FEET;
  own.user = w;
  own.force = force;
  own.gap = gap;
  own.direction = direction;
  own.bias = bias;
  *m = (machine){0};
  nsdyn_error_init(&m->error, sizeof m->error);
  nsdyn_status status = build(w);
  status = status ? status : nsdyn_tree_system_new(NULL, w->tree, &own, &m->sys, &m->error);
  nsdyn_contact_law law;
  nsdyn_contact_law_init(&law, sizeof law);
  law.mu = w->mu;
  for (int i = 0; i < FEET && status == NSDYN_OK; i++) {
    status = nsdyn_system_set_contact(m->sys, i, &law);
  }
  return status;
}

/* Both feet have just been down, the left one ahead at θ; it stays where it is, at x = 0. */
static void begin(const walker *w, double *q, double *u)
{
  q[X] = -w->l * sin(w->theta);
  q[Z] = w->l * cos(w->theta);
  q[LEFT_ANGLE] = w->theta;
  q[TURN] = -2.0 * w->theta;
  u[X] = -w->l * cos(w->theta) * w->rate;
  u[Z] = -w->l * sin(w->theta) * w->rate;
  u[LEFT_ANGLE] = w->rate;
  u[TURN] = w->swing - w->rate;
}

/* ---- a walk ---- */

#define COLUMNS "t,x,z,left,right,left_rate,right_rate"

typedef struct gait {
  int steps, has_fallen;
  double at[2], t[2];    /* where and when the last two feet came down */
  double length, period; /* of a step */
  double theta, rate;    /* of the leg that comes down, once it is */
  int found, stable;     /* a cycle, of two steps */
  double limp;           /* by how much of the period one of them is longer than a half */
  double multiplier[2][2], error;
} gait;

static double angle_of(const double *q, int i)
{
  return q[LEFT_ANGLE] + (i == RIGHT ? q[TURN] : 0.0);
}

static void show(const walker *w, const machine *m, movie *film)
{
  if (!movie_is_due(film, machine_time(m))) {
    return;
  }
  /* The page has gravity down: what is along x comes down. */
  const double *q = machine_q(m), cosine = cos(w->slope), sine = sin(w->slope);
  const double x = cosine * q[X] + sine * q[Z], y = cosine * q[Z] - sine * q[X];
  const double poses[] = {x, y, angle_of(q, LEFT) - w->slope, x, y, angle_of(q, RIGHT) - w->slope};
  nsdyn_tree_totals totals;
  nsdyn_tree_totals_init(&totals, sizeof totals);
  nsdyn_tree_set_state(w->tree, q, machine_u(m));
  nsdyn_tree_measure(w->tree, &totals);
  const double height = cosine * totals.centre[2] - sine * totals.centre[0];
  movie_frame(film, machine_time(m), poses, (double[]){totals.kinetic, totals.mass * w->g * height});
}

static movie *begin_movie(const walker *w, const output *out, double t_end)
{
  movie *film = movie_new(out, 2, t_end);
  const double far = 1e3 * w->l;
  movie_add_line(
      film, MOVIE_GROUND, 2,
      (double[]){-far * cos(w->slope), far * sin(w->slope), far * cos(w->slope), -far * sin(w->slope)});
  for (int i = 0; i < FEET; i++) {
    const int body = movie_add_body(film, i ? "right leg" : "left leg", i ? PLOT_ORANGE : PLOT_BLUE);
    movie_add_line(film, body, 2, (double[]){0.0, 0.0, 0.0, -w->l});
    movie_add_ball(film, body, (double[]){0.0, 0.0}, 0.06 * w->l);
    movie_add_ball(film, body, (double[]){0.0, -w->l}, 0.02 * w->l);
  }
  movie_set_energies(film, "kinetic,gravity");
  movie_follow(film, 0);
  return film;
}

static void count_step(const walker *w, const machine *m, int down, gait *found)
{
  const double *q = machine_q(m), angle = angle_of(q, down);
  found->at[0] = found->at[1], found->t[0] = found->t[1];
  found->at[1] = q[X] + w->l * sin(angle);
  found->t[1] = machine_time(m);
  found->theta = angle;
  found->rate = machine_u(m)[LEFT_ANGLE] + (down == RIGHT ? machine_u(m)[TURN] : 0.0);
  found->steps++;
  found->length = found->at[1] - found->at[0]; /* the first one begins at x = 0, t = 0 */
  found->period = found->t[1] - found->t[0];
}

/* The foot that has come down since the last row, and −1 for none: it stands still, and the other one did. */
static int landed(const walker *w, const machine *m, int *standing)
{
  nsdyn_tree_set_state(w->tree, machine_q(m), machine_u(m));
  const nsdyn_tree_motion left = foot(w, LEFT), right = foot(w, RIGHT);
  const double speed[FEET] = {hypot(left.velocity[0], left.velocity[2]),
                              hypot(right.velocity[0], right.velocity[2])};
  const int stands = speed[LEFT] < speed[RIGHT] ? LEFT : RIGHT, is_new = stands != *standing;
  *standing = stands;
  return is_new ? stands : -1;
}

static nsdyn_status walk(const walker *w, machine *m, double dt, double t_end, gait *found, record *r,
                         movie *film)
{
  nsdyn_status status = NSDYN_OK;
  int standing = LEFT;
  show(w, m, film);
  while (status == NSDYN_OK && machine_is_before(m, t_end, dt)) {
    status = machine_step(m, t_end, dt);
    const double *q = machine_q(m), *u = machine_u(m);
    const int down = status == NSDYN_OK ? landed(w, m, &standing) : -1;
    if (down >= 0) {
      count_step(w, m, down, found);
    }
    record_add(r, (double[]){machine_time(m), q[X], q[Z], angle_of(q, LEFT), angle_of(q, RIGHT),
                             u[LEFT_ANGLE], u[LEFT_ANGLE] + u[TURN]});
    show(w, m, film);
    found->has_fallen = q[Z] < 0.3 * w->l;
    if (found->has_fallen) {
      break;
    }
  }
  return status;
}

/* ---- the cycle ---- */

/* When the right foot comes down in the period that the driver's log has, over the period. */
static double share_of_right(const nsdyn_cycle *search, double period)
{
  const nsdyn_event_driver *driver = nsdyn_cycle_driver(search);
  nsdyn_event e = {.size = sizeof e};
  double t = NAN;
  for (int64_t k = 0; nsdyn_event_driver_event(driver, k, &e) == NSDYN_OK; k++) {
    t = e.kind == NSDYN_EVENT_IMPACT && e.contact == RIGHT ? e.t : t;
  }
  return (nsdyn_event_driver_time(driver) - t) / period;
}

static gait read_cycle(const nsdyn_cycle *search, int steps)
{
  nsdyn_cycle_find_report report;
  nsdyn_cycle_find_report_init(&report, sizeof report);
  nsdyn_cycle_report(search, &report);
  int32_t count;
  const double *multiplier = nsdyn_cycle_multipliers(search, &count);
  gait g = {.found = 1, .steps = steps, .stable = report.stable, .error = report.largest_error};
  g.period = 0.5 * report.period;
  g.length = 0.5 * nsdyn_cycle_shift(search)[X];
  g.theta = nsdyn_cycle_q(search)[LEFT_ANGLE];
  g.rate = nsdyn_cycle_u(search)[LEFT_ANGLE];
  g.limp = fabs(share_of_right(search, report.period) - 0.5);
  memcpy(g.multiplier, multiplier, sizeof g.multiplier); /* of seven: standing still takes the others */
  return g;
}

/* Who follows the cycle along the slope. */
typedef struct traveller {
  walker *w;
  const output *out;
  record *points;
  int has_even, has_left; /* the stable gait of equal steps */
  double slope[2], t, q[DOF],
      u[DOF]; /* the last one with it, with a state of it, and the first one without */
} traveller;

static int set_slope(void *user, double value)
{
  const traveller *to = user;
  to->w->slope = value;
  return 0;
}

static int is_even(const gait *g)
{
  return g->stable && g->limp < LIMPS;
}

static void keep(traveller *to, const nsdyn_cycle *search, double slope)
{
  to->has_even = 1;
  to->slope[0] = slope;
  to->t = nsdyn_cycle_time(search);
  memcpy(to->q, nsdyn_cycle_q(search), sizeof to->q);
  memcpy(to->u, nsdyn_cycle_u(search), sizeof to->u);
}

static int visit(void *user, const nsdyn_cycle *cycle, const nsdyn_cycle_point *point)
{
  traveller *to = user;
  if (point->change != NSDYN_CHANGE_NONE) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s_at", nsdyn_stability_change_name(point->change));
    result(to->out, name, point->value, "rad");
  } else if (point->status == NSDYN_OK) {
    const gait g = read_cycle(cycle, 0);
    record_add(to->points, (double[]){point->value, g.period, g.length, g.theta,
                                      hypot(g.multiplier[0][0], g.multiplier[0][1]), g.limp});
    if (!to->has_left && is_even(&g)) {
      keep(to, cycle, point->value);
    } else if (!to->has_left) {
      to->has_left = 1; /* from the beginning on, where no gait is even: then there is nothing to locate */
      to->slope[1] = point->value;
    }
  }
  return 0;
}

/* Where the gait of equal steps stops being stable: the multiplier of one step passes −1, that of two, its
 * square, 1, and Newton's method may go on to the gait that limps. The slope between is halved, each time
 * from the last gait that does not. */
static nsdyn_status locate(traveller *to, nsdyn_cycle *search)
{
  for (int half = 0; half < 10; half++) {
    const double slope = 0.5 * (to->slope[0] + to->slope[1]);
    to->w->slope = slope;
    const nsdyn_status status = nsdyn_cycle_set_state(search, to->t, to->q, to->u);
    if (status != NSDYN_OK) {
      return status;
    }
    const int is_found = nsdyn_cycle_find(search) == NSDYN_OK;
    const gait g = is_found ? read_cycle(search, 0) : (gait){0};
    if (is_found && is_even(&g)) {
      keep(to, search, slope);
    } else {
      to->slope[1] = slope;
    }
  }
  result(to->out, "stable_until", 0.5 * (to->slope[0] + to->slope[1]), "rad");
  return NSDYN_OK;
}

static nsdyn_status follow(walker *w, nsdyn_cycle *search, const output *out, record *points)
{
  const double from = w->slope;
  double *slope = memory(NULL, (size_t)w->points, sizeof *slope);
  for (int k = 0; k < w->points; k++) {
    slope[k] = from + k * (w->until - from) / (w->points - 1);
  }
  traveller to = {.w = w, .out = out, .points = points};
  nsdyn_cycle_path path;
  nsdyn_cycle_path_init(&path, sizeof path);
  path.count = w->points;
  path.values = slope;
  path.user = &to;
  path.set = set_slope;
  path.visit = visit;
  nsdyn_status status = nsdyn_cycle_sweep(search, &path);
  status = status == NSDYN_OK && to.has_even && to.has_left ? locate(&to, search) : status;
  w->slope = from;
  free(slope);
  return status;
}

/* Closes the cycle that the walk has come near to; follows it along the slope, where that is asked. */
static nsdyn_status close_cycle(walker *w, machine *m, const output *out, gait *found, record *points)
{
  static const int32_t drift[DOF] = {1, 0, 0, 0}; /* it gets on along x */
  nsdyn_event_driver_options driver;
  nsdyn_cycle_options options;
  nsdyn_event_driver_options_init(&driver, sizeof driver);
  nsdyn_cycle_options_init(&options, sizeof options);
  driver.tol = 1e-12;
  driver.ambiguous = NSDYN_AMBIGUITY_OPEN;
  options.driver = &driver;
  options.kind = NSDYN_EVENT_IMPACT; /* from one touch of the left foot to the next: two steps */
  options.contact = LEFT;
  options.drift = drift;
  nsdyn_cycle *search = NULL;
  nsdyn_status status = nsdyn_cycle_new(NULL, m->sys, &options, &search, &m->error);
  status = status ? status : nsdyn_cycle_set_state(search, machine_time(m), machine_q(m), machine_u(m));
  if (status == NSDYN_OK) {
    status = nsdyn_cycle_find(search);
    if (status == NSDYN_OK) {
      *found = read_cycle(search, found->steps);
      status = w->until > 0.0 ? follow(w, search, out, points) : NSDYN_OK;
    } else if (status == NSDYN_MAX_ITERATIONS) {
      status = NSDYN_OK; /* no cycle near: that is a result */
    } else {
      m->error.status = status;
      (void)snprintf(m->error.message, sizeof m->error.message, "%s", nsdyn_cycle_message(search));
    }
  }
  nsdyn_cycle_free(search);
  return status;
}

/* ---- what is told ---- */

static void print(const output *out, const walker *w, const gait *found, int is_sought)
{
  result(out, "steps", found->steps, "1");
  result(out, "step_period", found->period, "s");
  result(out, "step_length", found->length, "m");
  result(out, "theta", found->theta, "rad");
  result(out, "rate", found->rate, "rad/s");
  if (found->period > 0.0) {
    const double speed = found->length / found->period;
    result(out, "speed", speed, "m/s");
    result(out, "froude", speed / sqrt(w->g * w->l), "1");
  }
  if (found->found) {
    result(out, "multiplier_1_re", found->multiplier[0][0], "1");
    result(out, "multiplier_1_im", found->multiplier[0][1], "1");
    result(out, "multiplier_2_re", found->multiplier[1][0], "1");
    result(out, "multiplier_2_im", found->multiplier[1][1], "1");
    result(out, "multiplier_error", found->error, "1");
    result(out, "stable", found->stable, "1");
    result(out, "limp", found->limp, "1");
  } else if (is_sought) {
    result_text(out, "multiplier_1_re", "none");
  }
}

/* Both legs, twelve times in the last two steps, as from the side; angles against their rates in all steps,
 * or the way along the slope. */
static void draw(const output *out, const walker *w, const record *r, const record *points, const gait *found)
{
  if (!out->svg || r->rows == 0) {
    return;
  }
  plot_figure *figure = plot_new(1, 2);
  plot_set_description(figure, "A compass that walks down a slope, and its gait");
  plot_set_axes(figure, 0, 0,
                &(plot_axes){.title = "Two steps",
                             .x = {.name = "x", .unit = "m"},
                             .y = {.name = "z", .unit = "m"},
                             .equal = 1});
  const double end = r->column[0][r->rows - 1], begins = fmax(0.0, end - 2.0 * found->period);
  double low = INFINITY, high = -INFINITY, next = begins;
  for (int k = 0; k < r->rows; k++) {
    const double x = r->column[1][k], z = r->column[2][k];
    if (r->column[0][k] < next) {
      continue;
    }
    next += (end - begins) / 12.0;
    for (int i = 0; i < FEET; i++) {
      const double angle = r->column[3 + i][k];
      const double line[2][2] = {{x, x + w->l * sin(angle)}, {z, z - w->l * cos(angle)}};
      plot_add(figure, 0, 0,
               &(plot_curve){.count = 2,
                             .x = line[0],
                             .y = line[1],
                             .color = i ? PLOT_ORANGE : PLOT_BLUE,
                             .dash = PLOT_SOLID});
    }
    low = fmin(low, x), high = fmax(high, x);
  }
  const double floor_x[2] = {low - 0.5 * w->l, high + 0.5 * w->l}, floor_z[2] = {0.0, 0.0};
  plot_add(figure, 0, 0,
           &(plot_curve){.count = 2, .x = floor_x, .y = floor_z, .color = PLOT_BLACK, .dash = PLOT_SOLID});
  if (points->rows > 1) {
    plot_set_axes(figure, 0, 1,
                  &(plot_axes){.title = "Largest multiplier of two steps",
                               .x = {.name = "slope", .unit = "rad"},
                               .y = {.name = "|λ|", .unit = "1", .with_zero = 1}});
    plot_add(figure, 0, 1,
             &(plot_curve){.count = points->rows, .x = points->column[0], .y = points->column[4]});
  } else {
    plot_set_axes(figure, 0, 1,
                  &(plot_axes){.title = "Left leg",
                               .x = {.name = "angle", .unit = "rad"},
                               .y = {.name = "rate", .unit = "rad/s"}});
    plot_add(figure, 0, 1, &(plot_curve){.count = r->rows, .x = r->column[3], .y = r->column[5]});
  }
  plot_write(figure, out->svg);
  plot_free(figure);
}

static nsdyn_status start(walker *w, machine *m, int scheme, double tol)
{
  double q[DOF], u[DOF];
  nsdyn_status status = make_system(w, m);
  begin(w, q, u);
  if (status != NSDYN_OK) {
    return status;
  }
  if (scheme == MACHINE_EVENTS) {
    nsdyn_event_driver_options options;
    nsdyn_event_driver_options_init(&options, sizeof options);
    options.tol = tol;
    options.ambiguous = NSDYN_AMBIGUITY_OPEN;
    return machine_add_driver(m, &options, q, u);
  }
  nsdyn_stepper_options options;
  nsdyn_stepper_options_init(&options, sizeof options);
  options.scheme = machine_stepper_scheme(scheme);
  options.project = 1;
  return machine_add_stepper(m, &options, q, u);
}

int main(int argc, char **argv)
{
  walker w = {.M = 1.0,
              .m = 1e-3,
              .l = 1.0,
              .c = 1.0,
              .g = 9.81,
              .slope = 0.009,
              .mu = 1.0,
              .pass = 0.6,
              .theta = 0.2,
              .rate = -0.625,
              .swing = -0.576,
              .points = 25};
  double tol = 1e-10, dt = 1e-3, t_end = 30.0;
  int scheme = MACHINE_EVENTS, events = 0;
  const option table[] = {
      {.name = "slope", .unit = "rad", .help = "of the floor", .number = &w.slope, .low = 0.0, .high = 0.5},
      {.name = "M", .unit = "kg", .help = "mass of the hip", .number = &w.M, .high = 1e6},
      {.name = "m", .unit = "kg", .help = "mass of a leg", .number = &w.m, .high = 1e6, .open = 1},
      {.name = "l", .unit = "m", .help = "length of a leg", .number = &w.l, .high = 1e3, .open = 1},
      {.name = "c",
       .unit = "1",
       .help = "its mass from the hip, over l",
       .number = &w.c,
       .high = 1.0,
       .open = 1},
      {.name = "theta",
       .unit = "rad",
       .help = "angle of the leg ahead, to begin with",
       .number = &w.theta,
       .high = 1.0,
       .open = 1},
      {.name = "rate",
       .unit = "rad/s",
       .help = "its rate, below 0 forwards",
       .number = &w.rate,
       .low = -100.0},
      {.name = "swing",
       .unit = "rad/s",
       .help = "rate of the leg behind",
       .number = &w.swing,
       .low = -100.0,
       .high = 100.0},
      {.name = "pass",
       .unit = "1",
       .help = "feet nearer than that, over a first step, pass each other",
       .number = &w.pass,
       .high = 1.0},
      OPTION_MU(w.mu),
      OPTION_GRAVITY(w.g),
      {.name = "until",
       .unit = "rad",
       .help = "follow the cycle to this slope; 0: no",
       .number = &w.until,
       .high = 0.5},
      {.name = "points", .help = "slopes on the way there", .count = &w.points, .low = 2, .high = 1000},
      OPTION_SCHEME(scheme),
      OPTION_TOL(tol),
      OPTION_STEP(dt),
      OPTION_T_END(t_end),
      OPTION_EVENTS(events),
      OPTION_HTML,
  };
  output out;
  int code = options_read(&out, argc, argv, "A compass that walks down a slope, and its limit cycle.", table,
                          (int)(sizeof table / sizeof *table));
  if (code != OPTIONS_GO) {
    return code;
  }
  if (w.until > 0.0 && scheme != MACHINE_EVENTS) {
    return output_close(
        &out, complain(&out, STATUS_BAD_OPTION, "--until follows a cycle: it goes with --scheme event"));
  }
  w.c *= w.l;
  machine m;
  gait found = {.theta = w.theta};
  record r = record_new(COLUMNS), points = record_new("slope,period,length,theta,multiplier,limp");
  movie *film = begin_movie(&w, &out, t_end);
  nsdyn_status status = start(&w, &m, scheme, tol);
  status = status ? status : walk(&w, &m, dt, t_end, &found, &r, film);
  if (status == NSDYN_OK && m.driver && !found.has_fallen) {
    status = close_cycle(&w, &m, &out, &found, &points);
  }
  if (status == NSDYN_OK) {
    print(&out, &w, &found, m.driver && !found.has_fallen);
    if (events && m.driver) {
      machine_print_events(&m, &out);
    }
    record_write(points.rows > 0 ? &points : &r, &out);
    draw(&out, &w, &r, &points, &found);
  }
  record_free(&r);
  record_free(&points);
  movie_close(film, &out, "A compass walks down a slope", "");
  code = machine_stop(&m, &out, status);
  if (code == 0 && found.has_fallen) {
    code = complain(&out, STATUS_FAILED, "it fell after %d steps", found.steps);
  }
  nsdyn_tree_free(w.tree);
  return output_close(&out, code);
}
