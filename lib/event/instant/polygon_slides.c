/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Sliding under a polygon of friction. At a corner friction is that corner, whatever γ_T is between the
 * normals of its two sides. Where γ_T comes to such a normal, friction of the other corner may drive it back:
 * then it stays there, γ̇_T along the side being zero, with Λ_T somewhere on the side, until that comes to an
 * end of it. So the events are γ_T · e = 0 of the sides of a corner, and the ends of a side; γ_T · n = 0 on a
 * side is rest.
 *
 * On the normals of several contacts, who stays and who goes on to which corner is the problem of friction in
 * the plane, one row e · γ̇_T each with Λ_T along e bounded by the corners: 1. all stay; 2. who would leave
 * its side is in the corner, who would be driven back from there is on the side again, until nobody changes.
 */
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/polygon_cell.h"
#include "event/instant/choose_modes.h"
#include "event/internal.h"

enum { MOST_STEPS = 12, MOST_SIDES = 32 }; /* of Newton's method; sides whose Λ_T is sought at a time */

#define BEYOND 0.25     /* of a side, that a step may go beyond its ends */
#define OFF_NORMAL 64.0 /* times the tolerance: γ_T off the normal that a side has held it to */

/* ---- cells --------------------------------------------------------------------------------------------- */

/* `before`: where Λ_T was; NULL: nowhere. */
static void put(nsd_phase *phase, nsd_instant *instant, int k, int32_t cell, const double *before)
{
  nsd_contact_spec *s = &phase->motion.scene.problem.spec[k];
  phase->motion.starts[k] = NSD_STARTS_CELL + cell;
  instant->happening[k].line = nsd_polygon_is_side(cell) ? cell : -1;
  s->sliding = NSD_SLIDES_AT;
  if (nsd_polygon_is_side(cell)) { /* where it was on it; else in its middle */
    double a[2], b[2];
    nsd_polygon_corner(s, nsd_polygon_corner_of(s, cell, 0), a);
    nsd_polygon_corner(s, nsd_polygon_corner_of(s, cell, 1), b);
    const double share = before ? nsd_polygon_share(s, cell, before) : 0.5,
                 at = share >= 0.0 && share <= 1.0 ? share : 0.5;
    s->slip[0] = a[0] + at * (b[0] - a[0]);
    s->slip[1] = a[1] + at * (b[1] - a[1]);
  } else {
    nsd_polygon_corner(s, cell, s->slip);
  }
}

/* γ_T along the side, and out of it. */
static void speeds_of(const nsd_contact_spec *s, int32_t side, const double *gamma_T, double *along,
                      double *out)
{
  double e[2], n[2];
  (void)nsd_polygon_side(s, side, e, n);
  *along = e[0] * gamma_T[0] + e[1] * gamma_T[1];
  *out = n[0] * gamma_T[0] + n[1] * gamma_T[1];
}

void nsd_polygon_slides_choose(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant, int k,
                               double rest)
{
  const nsd_scene *scene = &phase->motion.scene;
  nsd_contact_spec *s = &scene->problem.spec[k];
  const nsd_happening *h = &instant->happening[k];
  const nsd_track *track = &d->tracks.track[h->track];
  const double *gamma_T = scene->problem.gamma + scene->closed.contact[k].row + 1;
  instant->happening[k].line = -1;
  if (!nsd_polygon_is(s) || !s->sliding) {
    /* Nor has it a cell where its law was a polygon and is none now. */
    phase->motion.starts[k] = !nsd_polygon_is(s) && phase->motion.starts[k] == 1;
    return;
  }
  const int32_t was = h->hit || h->jammed ? -1 : nsd_track_cell(d, track);
  const int goes_on = was >= 0;
  const int is_meant = d->cause.which == h->track;
  const double speed = nsd_norm_plane(gamma_T[0], gamma_T[1]);
  const double noise = fmax(rest, OFF_NORMAL * d->options.tol * speed);
  const double *before = goes_on ? track->slip : NULL;
  double along[2], out;
  if (goes_on && nsd_polygon_is_side(was)) {
    speeds_of(s, was, gamma_T, &along[0], &out);
    if (is_meant && d->cause.kind == NSD_EVENT_FUNCTION_LIMIT && fabs(along[0]) <= noise) {
      /* 1. Λ_T has come to an end of its side: it goes on in that corner. */
      put(phase, instant, k, nsd_polygon_corner_of(s, was, nsd_polygon_share(s, was, before) > 0.5), before);
      return;
    }
    if (fabs(along[0]) <= noise && out > 0.0) { /* 2. It stays on its side, if forces let it. */
      put(phase, instant, k, was, before);
      return;
    }
  } else if (goes_on) {
    const int32_t ends = nsd_polygon_side_at(s, was, 1), begins = nsd_polygon_side_at(s, was, 0);
    speeds_of(s, begins, gamma_T, &along[0], &out);
    speeds_of(s, ends, gamma_T, &along[1], &out);
    if (is_meant && d->cause.kind == NSD_EVENT_FUNCTION_SPEED) {
      /* 3. γ_T has come to the normal of one of its corner's sides. */
      put(phase, instant, k, -along[0] < along[1] ? begins : ends, before);
      return;
    }
    if (-along[0] >= -noise && along[1] >= -noise) { /* 4. It stays in its corner. */
      put(phase, instant, k, was, before);
      return;
    }
  }
  /* 5. Its velocity is new: it is off a normal by what it is, but for rounding. What is beside one comes to
   * it by itself. */
  put(phase, instant, k, nsd_polygon_cell_of_velocity(s, gamma_T, rest), before);
}

/* ---- forces -------------------------------------------------------------------------------------------- */

/* Sides of the contacts in a problem, on which Λ_T is sought. */
typedef struct sides {
  int count;
  int contact[MOST_SIDES];
  double e[MOST_SIDES][2];
  double f[MOST_SIDES]; /* e · γ̇_T */
  double size[MOST_SIDES];
} sides;

static int32_t cell_of(const nsd_phase *phase, const nsd_instant *instant, int i)
{
  return nsd_acceleration_cell(&phase->motion, instant->chosen[i]);
}

static int slides_in_cell(const nsd_phase *phase, const nsd_instant *instant, const nsd_contact_data *data,
                          int i)
{
  return nsd_polygon_is(&data->spec[i]) && instant->chosen_spec[i].sliding == NSD_SLIDES_AT &&
         nsd_contact_has_friction(&data->spec[i]) && nsd_state_is_closed(instant->chosen_state[i]) &&
         !nsd_state_sticks(instant->chosen_state[i]) && cell_of(phase, instant, i) >= 0;
}

/* e · γ̇_T of a contact, and the size of its terms: of both rows whole, since what vanishes along e has been
 * rounded as part of them. */
static double along_side(const nsd_contact_data *data, int i, const double *e, const double *Lambda,
                         double *size)
{
  const int T = data->spec[i].row + 1;
  double sum = 0.0;
  *size = 0.0;
  for (int r = 0; r < 2; r++) {
    const double *G = nsd_contact_row(data, T + r);
    sum += e[r] * (data->c[T + r] + nsd_dot(data->rows, G, Lambda));
    *size += fabs(data->c[T + r]);
    for (int j = 0; j < data->rows; j++) {
      *size += fabs(G[j] * Lambda[j]);
    }
  }
  return sum;
}

static void look(const nsd_contact_data *data, const double *Lambda, sides *s)
{
  for (int i = 0; i < s->count; i++) {
    s->f[i] = along_side(data, s->contact[i], s->e[i], Lambda, &s->size[i]);
  }
}

static void shift(nsd_instant *instant, const sides *s, int i, double by)
{
  nsd_contact_spec *spec = &instant->chosen_spec[s->contact[i]];
  spec->slip[0] += by * s->e[i][0];
  spec->slip[1] += by * s->e[i][1];
}

/* The same, not far beyond the ends of the side: μ λ_N follows p as a quotient, which has a pole somewhere.
 */
static void step_along(nsd_phase *phase, nsd_instant *instant, const sides *s, int i, double by)
{
  const nsd_contact_spec *spec = &instant->chosen_spec[s->contact[i]];
  const int32_t cell = nsd_acceleration_cell(&phase->motion, instant->chosen[s->contact[i]]);
  double e[2], n[2];
  const double length = nsd_polygon_side(spec, cell, e, n), share = nsd_polygon_share(spec, cell, spec->slip);
  const double next = fmin(fmax(share + by / length, -BEYOND), 1.0 + BEYOND);
  shift(instant, s, i, (next - share) * length);
}

/* Whether all sides hold γ_T to their normals: e · γ̇_T = 0. */
static int hold(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data, const double *Lambda)
{
  for (int i = 0; i < data->contacts; i++) {
    if (slides_in_cell(phase, instant, data, i) && nsd_polygon_is_side(cell_of(phase, instant, i))) {
      double e[2], n[2], size;
      (void)nsd_polygon_side(&data->spec[i], cell_of(phase, instant, i), e, n);
      const double f = along_side(data, i, e, Lambda, &size);
      if (!(fabs(f) <= NSD_FORCES_TOL * size)) {
        return 0;
      }
    }
  }
  return 1;
}

/* Λ of the pattern with p of all sides such that e · γ̇_T = 0, by Newton's method: Λ is linear in what
 * friction drags along, but the limit μ λ_N follows p. */
static nsdyn_status solve_sides(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data,
                                const double *shares, sides *s, double *Lambda)
{
  nsd_acceleration *m = &phase->motion;
  double J[MOST_SIDES * MOST_SIDES], x[MOST_SIDES];
  int perm[MOST_SIDES];
  nsdyn_status status = nsd_acceleration_pattern(m, data, instant->chosen_state, shares, Lambda);
  for (int step = 0; step < MOST_STEPS && !status; step++) {
    int is_zero = 1;
    look(data, Lambda, s);
    for (int i = 0; i < s->count; i++) {
      x[i] = s->f[i];
      is_zero &= fabs(s->f[i]) <= NSD_SLIDING_ALONG * s->size[i];
    }
    if (is_zero) {
      return NSDYN_OK;
    }
    /* ∂f/∂p over an eighth of the polygon's radius. */
    for (int j = 0; j < s->count && !status; j++) {
      shift(instant, s, j, 0.125);
      status = nsd_acceleration_pattern(m, data, instant->chosen_state, shares, Lambda);
      shift(instant, s, j, -0.125);
      for (int i = 0; i < s->count && !status; i++) {
        double size;
        const double f = along_side(data, s->contact[i], s->e[i], Lambda, &size);
        J[i * s->count + j] = (f - x[i]) / 0.125;
      }
    }
    if (status || nsd_lu_factor(s->count, J, s->count, perm, NULL) != NSDYN_OK) {
      return NSDYN_ERR_SINGULAR;
    }
    nsd_lu_solve(s->count, J, s->count, perm, 1, x, 1);
    for (int i = 0; i < s->count; i++) {
      if (!isfinite(x[i])) {
        return NSDYN_ERR_SINGULAR;
      }
      step_along(phase, instant, s, i, -x[i]);
    }
    status = nsd_acceleration_pattern(m, data, instant->chosen_state, shares, Lambda);
  }
  return status;
}

/* Whether contact i leaves its side, or is driven back to it, and does so. */
static int changes(const nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data, int i,
                   const double *Lambda)
{
  const int k = instant->chosen[i];
  const int32_t line = instant->happening[k].line, cell = cell_of(phase, instant, i);
  nsd_contact_spec *s = &instant->chosen_spec[i];
  double e[2], n[2], size;
  if (line < 0) {
    return 0;
  }
  if (nsd_polygon_is_side(cell)) {
    const double share = nsd_polygon_share(s, cell, s->slip);
    if (share >= -NSD_POLYGON_CORNER && share <= 1.0 + NSD_POLYGON_CORNER) {
      return 0;
    }
    phase->motion.starts[k] = NSD_STARTS_CELL + nsd_polygon_corner_of(s, cell, share > 0.5);
    nsd_polygon_corner(s, cell_of(phase, instant, i), s->slip);
    return 1;
  }
  /* In the corner where the side begins γ_T · e falls, in that where it ends it rises. */
  (void)nsd_polygon_side(s, line, e, n);
  const double f = along_side(data, i, e, Lambda, &size);
  const int is_end = cell == nsd_polygon_corner_of(s, line, 1);
  if ((is_end ? f : -f) >= -NSD_FORCES_TOL * size) {
    return 0;
  }
  phase->motion.starts[k] = NSD_STARTS_CELL + line;
  return 1;
}

/* What begins to slide has a point of the boundary in `slip`: its cell, and for the pattern it slides there.
 */
static int begin(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data)
{
  int any = 0;
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &instant->chosen_spec[i];
    const int k = instant->chosen[i];
    if (nsd_polygon_is(s) && !s->sliding && instant->happening[k].begins) {
      phase->motion.starts[k] = NSD_STARTS_CELL + nsd_polygon_cell_of_force(s, s->slip);
      const int32_t cell = cell_of(phase, instant, i);
      instant->happening[k].line = nsd_polygon_is_side(cell) ? cell : -1;
      s->sliding = NSD_SLIDES_AT;
    }
    any |= slides_in_cell(phase, instant, data, i);
  }
  return any;
}

/* For the laws, what begins rests. */
static void rest_again(nsd_instant *instant, const nsd_contact_data *data)
{
  for (int i = 0; i < data->contacts; i++) {
    if (nsd_polygon_is(&data->spec[i]) && instant->happening[instant->chosen[i]].begins) {
      instant->chosen_spec[i].sliding = 0;
    }
  }
}

nsdyn_status nsd_polygon_slides_solve(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data,
                                      const double *shares, double *Lambda)
{
  nsdyn_status status = NSDYN_OK;
  if (!begin(phase, instant, data)) {
    return nsd_acceleration_pattern(&phase->motion, data, instant->chosen_state, shares, Lambda);
  }
  int any = 1;
  for (int round = 0; round < 4 * data->contacts + 4 && !status && any; round++) {
    /* 1. Who is on a side now; Λ with all of them. */
    sides s = {.count = 0};
    for (int i = 0; i < data->contacts && s.count < MOST_SIDES; i++) {
      if (slides_in_cell(phase, instant, data, i) && nsd_polygon_is_side(cell_of(phase, instant, i))) {
        double n[2];
        (void)nsd_polygon_side(&data->spec[i], cell_of(phase, instant, i), s.e[s.count], n);
        s.contact[s.count++] = i;
      }
    }
    status = solve_sides(phase, instant, data, shares, &s, Lambda);
    /* 2. Who changes. */
    any = 0;
    for (int i = 0; i < data->contacts && !status; i++) {
      any |= slides_in_cell(phase, instant, data, i) && changes(phase, instant, data, i, Lambda);
    }
  }
  const int holds = !status && !any && hold(phase, instant, data, Lambda);
  rest_again(instant, data);
  return !status && !holds ? NSDYN_UNDECIDED : status;
}
