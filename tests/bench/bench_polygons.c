/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* 500 polygons that fall into a box and come to rest, beside Box2D, with the same rounded shapes, masses,
 * friction and steps of 1/60 s; what they fall through and what they lie in are rows of their own.
 *
 * Penetration is that of the exact geometry of both: the poses of either are looked at here, after each step,
 * by one detector, with shapes as large as both have them. Steps are by Stewart & Trinkle's scheme with gaps
 * in its law, which looks at all that may close within the step; contact forces are right to 1e-6. Here
 * nothing sleeps. */
#include <math.h>
#include <nsdyn/nsdyn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#ifdef BENCH_BOX2D
#include "polygons_box2d.h"
#endif

enum { MOST_POLYGONS = 500, LEAST_CORNERS = 3, MOST_CORNERS = 8, WALLS = 3, FALLING = 180, RESTING = 120 };

static const double gravity = 9.81, friction = 0.5, step_length = 1.0 / 60.0, radius = 0.01, largest = 0.5,
                    tolerance = 1e-6;
#define PI 3.14159265358979323846

static void must(int good, const char *what)
{
  if (!good) {
    fprintf(stderr, "bench_polygons: %s\n", what);
    exit(1);
  }
}

/* ---- the scene ---- */

typedef struct polygon {
  int corners;
  double points[2 * MOST_CORNERS]; /* from its centre */
  double pose[3], mass, inertia;   /* mass 0: it stands still */
  nsdyn_shape *shape;
} polygon;

typedef struct scene {
  int count; /* the walls come last */
  polygon of[MOST_POLYGONS + WALLS];
  nsdyn_detector *detector;
  nsdyn_broad_phase *broad;
} scene;

static void make_shape(polygon *p)
{
  nsdyn_shape_def def;
  nsdyn_shape_properties size;
  nsdyn_shape_def_init(&def, sizeof def);
  nsdyn_shape_properties_init(&size, sizeof size);
  def.count = p->corners;
  def.points = p->points;
  def.radius = radius;
  for (int round = 0; round < 2; round++) { /* the second time from its centre */
    must(nsdyn_shape_new(NULL, &def, &p->shape, NULL) == NSDYN_OK, "a shape was refused");
    nsdyn_shape_measure(p->shape, &size);
    for (int k = 0; k < p->corners && round == 0; k++) {
      p->points[2 * k] -= size.centroid[0];
      p->points[2 * k + 1] -= size.centroid[1];
    }
    if (round == 0) {
      nsdyn_shape_free(p->shape);
    }
  }
  p->mass = size.area;
  p->inertia = size.second[0] + size.second[1];
}

/* Corners on a circle, about as far from each other: convex. */
static void make_polygon(polygon *p, unsigned long long *state)
{
  p->corners = LEAST_CORNERS + (int)(0.5 * (1.0 + bench_random(state)) * (MOST_CORNERS - LEAST_CORNERS + 1));
  const double r = largest * (0.8 + 0.2 * bench_random(state)), turn = PI * bench_random(state);
  for (int k = 0; k < p->corners; k++) {
    const double angle = turn + 2.0 * PI * (k + 0.25 * bench_random(state)) / p->corners;
    p->points[2 * k] = r * cos(angle);
    p->points[2 * k + 1] = r * sin(angle);
  }
  make_shape(p);
}

static void make_wall(polygon *p, double x, double y, double width, double height)
{
  const double points[] = {0.0, 0.0, width, 0.0, width, height, 0.0, height};
  p->corners = 4;
  for (int k = 0; k < 4; k++) {
    p->points[2 * k] = points[2 * k] - 0.5 * width;
    p->points[2 * k + 1] = points[2 * k + 1] - 0.5 * height;
  }
  make_shape(p);
  p->pose[0] = x + 0.5 * width;
  p->pose[1] = y + 0.5 * height;
  p->mass = p->inertia = 0.0;
}

/* Rows of them above the floor, each in a square of its own, in a box as wide as the rows are high. */
static void make_scene(scene *s, int polygons)
{
  unsigned long long state = 14;
  nsdyn_broad_phase_options options;
  nsdyn_broad_phase_options_init(&options, sizeof options);
  options.fat = 0.1 * largest;
  must(nsdyn_detector_new(NULL, NULL, &s->detector, NULL) == NSDYN_OK, "no detector");
  must(nsdyn_broad_phase_new(NULL, &options, &s->broad, NULL) == NSDYN_OK, "no broad phase");
  const int across = (int)ceil(sqrt((double)polygons));
  const double side = 2.1 * largest, width = across * side, height = 3.0 * width;
  s->count = polygons + WALLS;
  for (int i = 0; i < polygons; i++) {
    polygon *p = &s->of[i];
    make_polygon(p, &state);
    p->pose[0] = (i % across + 0.5) * side;
    p->pose[1] = (int)(i / across) * side + 0.5 * side;
    p->pose[2] = 0.0;
  }
  make_wall(&s->of[polygons], -1.0, -1.0, width + 2.0, 1.0);
  make_wall(&s->of[polygons + 1], -1.0, 0.0, 1.0, height);
  make_wall(&s->of[polygons + 2], width, 0.0, 1.0, height);
}

static void free_scene(scene *s)
{
  for (int i = 0; i < s->count; i++) {
    nsdyn_shape_free(s->of[i].shape);
  }
  nsdyn_detector_free(s->detector);
  nsdyn_broad_phase_free(s->broad);
}

/* ---- one who moves it ---- */

typedef struct mover {
  const char *name;
  scene *scene;
  void *own;
  int (*step)(void *own); /* 1: it has an answer */
  void (*pose)(void *own, int i, double *pose);
  double (*at)[3];               /* poses after the last step */
  int is_solved;                 /* the last step */
  int steps;                     /* so far */
  double deepest, sum, contacts; /* of the row of steps at hand: penetration; touches of all steps */
} mover;

static int look_at_pair(void *user, int32_t first, int32_t second)
{
  mover *m = user;
  const polygon *a = &m->scene->of[first], *b = &m->scene->of[second];
  if (a->mass == 0.0 && b->mass == 0.0) {
    return 0;
  }
  nsdyn_detector_result result = {.size = sizeof result};
  must(nsdyn_detector_search(m->scene->detector, a->shape, m->at[first], b->shape, m->at[second], 0.0,
                             &result) == NSDYN_OK,
       "a search failed");
  double depth = result.is_deep ? result.depth : 0.0;
  for (int32_t i = 0; i < result.touches; i++) {
    nsdyn_touch touch = {.size = sizeof touch};
    nsdyn_detector_touch(m->scene->detector, i, &touch);
    depth = fmax(depth, -touch.gap);
    m->sum += fmax(0.0, -touch.gap);
    m->contacts += 1.0;
  }
  m->deepest = fmax(m->deepest, depth);
  return 0;
}

/* What the last step left. */
static void measure(mover *m)
{
  for (int i = 0; i < m->scene->count; i++) {
    double box[4];
    m->pose(m->own, i, m->at[i]);
    must(nsdyn_shape_box(m->scene->of[i].shape, m->at[i], box) == NSDYN_OK &&
             nsdyn_broad_phase_set(m->scene->broad, i, box) == NSDYN_OK,
         "a place is out of reach");
  }
  must(nsdyn_broad_phase_pairs(m->scene->broad, 0.0, look_at_pair, m) == NSDYN_OK, "no pairs");
}

/* Before step k of a row: the one before is looked at, which is not measured. */
static void make_step(void *own, int k)
{
  mover *m = own;
  (void)k;
  if (m->steps > 0) {
    measure(m);
  }
}

static void solve_step(void *own)
{
  mover *m = own;
  m->is_solved = m->step(m->own);
  m->steps++;
}

static int is_solved(void *own)
{
  return ((const mover *)own)->is_solved;
}

/* ---- ours ---- */

typedef struct world_of_ours {
  nsdyn_world *world;
  nsdyn_stepper *stepper;
  int failures;
} world_of_ours;

static int step_ours(void *own)
{
  world_of_ours *w = own;
  const nsdyn_status status = nsdyn_stepper_step(w->stepper, step_length);
  if (status && !w->failures++) {
    fprintf(stderr, "bench_polygons: %s\n", nsdyn_stepper_message(w->stepper));
  }
  return status == NSDYN_OK;
}

static void pose_ours(void *own, int i, double *pose)
{
  const world_of_ours *w = own;
  must(nsdyn_world_pose(w->world, i, nsdyn_stepper_time(w->stepper), nsdyn_stepper_q(w->stepper), NULL, pose,
                        NULL) == NSDYN_OK,
       "no pose");
}

static void add_ours(nsdyn_world *world, const polygon *p)
{
  nsdyn_body_def def;
  int32_t body;
  nsdyn_body_def_init(&def, sizeof def);
  def.kind = p->mass > 0.0 ? NSDYN_BODY_FREE : NSDYN_BODY_FIXED;
  for (int a = 0; a < 3; a++) {
    def.pose[a] = p->pose[a];
  }
  if (p->mass > 0.0) {
    def.mass = p->mass;
    def.inertia = p->inertia;
    def.centre[0] = def.centre[1] = 0.0;
  }
  must(nsdyn_world_add_body(world, &def, &body) == NSDYN_OK &&
           nsdyn_world_attach(world, body, p->shape, NULL, NULL) == NSDYN_OK,
       nsdyn_world_message(world));
}

static world_of_ours start_ours(const scene *s)
{
  world_of_ours w = {0};
  nsdyn_world_options options;
  nsdyn_contact_law law;
  nsdyn_stepper_options how;
  nsdyn_system *system;
  int32_t size = 0;
  nsdyn_world_options_init(&options, sizeof options);
  nsdyn_contact_law_init(&law, sizeof law);
  nsdyn_stepper_options_init(&how, sizeof how);
  options.gravity[1] = -gravity;
  options.skin_share = 0.5; /* what falls does not yet obey a step's bound */
  law.mu = friction;
  must(nsdyn_world_new(NULL, &options, &w.world, NULL) == NSDYN_OK &&
           nsdyn_world_set_law(w.world, 0, 0, &law) == NSDYN_OK,
       "no world");
  for (int i = 0; i < s->count; i++) {
    add_ours(w.world, &s->of[i]);
  }
  must(nsdyn_world_system(w.world, NULL, &system, NULL) == NSDYN_OK, "no system");
  how.scheme = NSDYN_SCHEME_STEWART_TRINKLE;
  how.gap_term = 1;
  how.tol = tolerance;
  how.check = 0;
  must(nsdyn_stepper_new(NULL, system, &how, &w.stepper, NULL) == NSDYN_OK, "no stepper");
  nsdyn_world_sizes(w.world, &size, NULL);
  double *state = calloc(2 * (size_t)size, sizeof *state);
  must(state != NULL, "no memory");
  nsdyn_world_begin(w.world, state, state + size);
  must(nsdyn_stepper_set_state(w.stepper, 0.0, state, state + size) == NSDYN_OK, "no state");
  free(state);
  nsdyn_system_free(system);
  return w;
}

/* ---- Box2D ---- */

#ifdef BENCH_BOX2D
static int step_box2d(void *own)
{
  polygons_box2d_step(own, step_length);
  return 1;
}

static void pose_box2d(void *own, int i, double *pose)
{
  polygons_box2d_pose(own, i, pose);
}

static polygons_box2d *start_box2d(const scene *s)
{
  must(fabs(polygons_box2d_radius() - radius) < 1e-6 * radius && polygons_box2d_corners() >= MOST_CORNERS,
       "Box2D was built with other polygons");
  polygons_box2d *world = polygons_box2d_new(gravity);
  for (int i = 0; i < s->count; i++) {
    const polygon *p = &s->of[i];
    polygons_box2d_add(world, p->corners, p->points, p->pose, p->mass, p->inertia, friction);
  }
  return world;
}
#endif

/* ---- the race ---- */

static void race(bench *b, const char *work, int polygons, int steps, mover *mover_of, int movers)
{
  for (int k = 0; k < movers; k++) {
    mover *m = &mover_of[k];
    const bench_series series = {m->name, make_step, solve_step, is_solved, m};
    m->deepest = m->sum = m->contacts = 0.0;
    const int before = m->steps;
    bench_each(b, work, polygons, steps, &series);
    if (m->steps > before) {
      measure(m);
      printf("%s, %s: deepest %.3g mm, on average %.3g mm, %.0f touches a step\n", work, m->name,
             1e3 * m->deepest, 1e3 * m->sum / fmax(1.0, m->contacts), m->contacts / (m->steps - before));
    }
  }
  if (movers > 1) {
    bench_limit(b, work, polygons, "nsdyn", 3.0 * bench_median(b, work, polygons, mover_of[1].name));
  }
  bench_solves_all(b, work, polygons, "nsdyn");
}

int main(int argc, char **argv)
{
  static const char falling[] = "step, polygons that fall", resting[] = "step, polygons in a box";
  static scene boxed;
  bench *b = bench_new("polygons", argc, argv);
  for (int count = 20; count <= MOST_POLYGONS; count *= 5) {
    if (!bench_wants(b, NULL, count)) {
      continue;
    }
    make_scene(&boxed, count);
    world_of_ours ours = start_ours(&boxed);
    mover of[2] = {{.name = "nsdyn", .own = &ours, .step = step_ours, .pose = pose_ours}};
    int movers = 1;
#ifdef BENCH_BOX2D
    of[movers++] =
        (mover){.name = "Box2D", .own = start_box2d(&boxed), .step = step_box2d, .pose = pose_box2d};
#endif
    for (int k = 0; k < movers; k++) {
      of[k].scene = &boxed;
      of[k].at = calloc((size_t)boxed.count, sizeof *of[k].at);
      must(of[k].at != NULL, "no memory");
    }
    race(b, falling, count, FALLING, of, movers);
    race(b, resting, count, RESTING, of, movers);
    for (int k = 0; k < movers; k++) {
      free(of[k].at);
    }
    nsdyn_stepper_free(ours.stepper);
    nsdyn_world_free(ours.world);
#ifdef BENCH_BOX2D
    polygons_box2d_free(of[1].own);
#endif
    free_scene(&boxed);
  }
  return bench_finish(b);
}
