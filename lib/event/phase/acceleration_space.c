/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What contacts in space have beside: a direction of sliding that turns with the motion, and a pattern with
 * three rows. */
#include "event/phase/acceleration.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/polygon_cell.h"

enum { MOST_TURNS = 12, MOST_TRIES = 5 }; /* steps of Newton's method, and how often one is shortened */

#define MOST_TURN 0x1p-3 /* rad: of a direction in one step */

void nsd_acceleration_close(nsd_acceleration *m, nsd_closed contact)
{
  nsd_scene *scene = &m->scene;
  const int k = scene->closed.count;
  nsd_scene_close(scene, contact);
  nsd_fill_zero(scene->closed.contact[k].rows, m->share + scene->closed.contact[k].row);
  if (scene->closed.contact[k].rows == 3) {
    nsd_scene_fill_space(scene, k);
    m->starts[k] = 0;
  }
}

void nsd_acceleration_direct(const nsd_acceleration *m, int k, nsd_contact_spec *spec)
{
  /* Coulomb: friction acts against e = γ_T / |γ_T|. Where sliding only begins γ_T is rounding, and e is
   * sought below. */
  const double *gamma_T = m->scene.problem.gamma + m->scene.closed.contact[k].row + 1;
  const double speed = nsd_norm_plane(gamma_T[0], gamma_T[1]);
  const double *way = m->way[k];
  const int32_t cell = nsd_acceleration_cell(m, k);
  if (cell >= 0) { /* at its corner; on a side where it was, until that is sought below */
    spec->sliding = NSD_SLIDES_AT;
    if (!nsd_polygon_is_side(cell)) {
      nsd_polygon_corner(spec, cell, spec->slip);
    }
  } else if (m->starts[k]) {
    /* A step that was too long may have turned e about: −e solves the same equation, but is no law. */
    const int is_about = spec->slip[0] * way[0] + spec->slip[1] * way[1] < 0.0;
    spec->slip[0] = is_about ? way[0] : spec->slip[0];
    spec->slip[1] = is_about ? way[1] : spec->slip[1];
  } else if (speed > 0.0) {
    spec->slip[0] = gamma_T[0] / speed;
    spec->slip[1] = gamma_T[1] / speed;
  }
}

nsdyn_status nsd_acceleration_pattern(nsd_acceleration *m, const nsd_contact_data *data,
                                      const int32_t *states, const double *near, double *Lambda)
{
  return data->is_spatial ? nsd_space_pattern_solve(&m->space, &m->pattern, data, states, near, Lambda)
                          : nsd_pattern_solve(&m->pattern, data, states, Lambda);
}

/* ---- where sliding begins -------------------------------------------------------------------------------
 */

/* Whether what friction of contact k acts against is sought: where it begins to slide, and on a side of a
 * polygon where Λ_T stands on that. */
static int begins(const nsd_acceleration *m, int k)
{
  const nsd_contact_spec *spec = &m->scene.problem.spec[k];
  const int32_t cell = nsd_acceleration_cell(m, k);
  const int is_sought = cell >= 0 ? nsd_polygon_is_side(cell) : m->starts[k];
  return m->scene.closed.contact[k].rows == 3 && is_sought && spec->sliding &&
         nsd_contact_has_friction(spec) && nsd_state_is_closed(m->scene.solution.state[k]);
}

/* γ̇_T across e of contact k, and how large it may be; on a side of a polygon along it. */
static double across(const nsd_acceleration *m, int k, double *size)
{
  const nsd_scene *scene = &m->scene;
  const int T = scene->closed.contact[k].row + 1;
  const double *e = scene->problem.spec[k].slip, *Lambda = scene->solution.Lambda;
  const int32_t cell = nsd_acceleration_cell(m, k);
  /* γ̇_T = c_T + G_T λ; its part across e is e_1 γ̇_T2 − e_2 γ̇_T1. */
  double rise[2];
  for (int r = 0; r < 2; r++) {
    rise[r] = scene->problem.c[T + r] + nsd_dot(scene->closed.rows, nsd_acceleration_row(m, T + r), Lambda);
  }
  *size = nsd_norm_plane(rise[0], rise[1]) + nsd_norm_plane(scene->problem.c[T], scene->problem.c[T + 1]);
  if (cell >= 0) {
    double along[2], n[2];
    (void)nsd_polygon_side(&scene->problem.spec[k], cell, along, n);
    return along[0] * rise[0] + along[1] * rise[1];
  }
  return e[0] * rise[1] - e[1] * rise[0];
}

static void turn(const nsd_acceleration *m, int k, nsd_contact_spec *spec, double angle)
{
  if (nsd_acceleration_cell(m, k) >= 0) { /* along the side */
    double along[2], n[2];
    (void)nsd_polygon_side(spec, nsd_acceleration_cell(m, k), along, n);
    spec->slip[0] += angle * along[0];
    spec->slip[1] += angle * along[1];
    return;
  }
  /* To first order e + angle e⊥, made a unit vector again: + − × ÷ √ alone, so that bits are the same
   * everywhere. */
  const double e[2] = {spec->slip[0] - angle * spec->slip[1], spec->slip[1] + angle * spec->slip[0]};
  const double length = nsd_norm_plane(e[0], e[1]);
  spec->slip[0] = e[0] / length;
  spec->slip[1] = e[1] / length;
}

/* f_i = γ̇_T across e of all that begin, into f; returns how many there are, and whether one is not zero. */
static int list_across(const nsd_acceleration *m, double *f, int *any)
{
  int n = 0;
  *any = 0;
  for (int k = 0; k < m->scene.closed.count; k++) {
    double size;
    if (begins(m, k)) {
      f[n] = across(m, k, &size);
      *any |= fabs(f[n++]) > NSD_SLIDING_ALONG * size;
    }
  }
  return n;
}

/* ∂Λ_T/∂θ of Λ_T = −(μ λ_N + a) p(e), with p(e) the point of the ellipse x² + y²/b² = 1 that is farthest
 * along e = (cos θ, sin θ): ∂p/∂θ = b² e⊥ / (cos² θ + b² sin² θ)^{3/2}, its radius of curvature along its
 * tangent. */
static void turn_friction(const nsd_acceleration *m, int k, double *slope)
{
  const nsd_contact_spec *spec = &m->scene.problem.spec[k];
  const double Lambda_N = m->scene.solution.Lambda[m->scene.closed.contact[k].row];
  if (nsd_acceleration_cell(m, k) >= 0) { /* Λ_T = −limit p, p moves along the side */
    double along[2], n[2];
    (void)nsd_polygon_side(spec, nsd_acceleration_cell(m, k), along, n);
    slope[0] = -nsd_friction_limit(spec, Lambda_N) * along[0];
    slope[1] = -nsd_friction_limit(spec, Lambda_N) * along[1];
    return;
  }
  const double *axis = spec->space->axis, *e = spec->slip, b = spec->space->aspect;
  const double x = axis[0] * e[0] + axis[1] * e[1], y = axis[0] * e[1] - axis[1] * e[0];
  const double length = nsd_norm_plane(x, b * y), radius = b / length * (b / length) / length;
  const double limit = nsd_friction_limit(spec, Lambda_N);
  slope[0] = limit * radius * e[1];
  slope[1] = -limit * radius * e[0];
}

/* ∂f/∂θ, and its step of Newton's method into f. Returns whether there is one. Where sliding has hardly begun
 * γ̇_T is next to nothing, and with redundant contacts ∂f/∂θ nearly singular: its parts are exact, since
 * differences over an angle would be off by more than it is. */
static int find_turns(nsd_acceleration *m, const nsd_contact_data *data, int n, double *f)
{
  nsd_scene *scene = &m->scene;
  const int rows = scene->closed.rows;
  double *column = m->slope, *c = scene->problem.c, *before = m->raw;
  int j = 0, any;
  memcpy(before, c, (size_t)rows * sizeof *c);
  /* 1. e_j itself turns, ∂f_j/∂θ_j = e⊥ × γ̇_T = −e · γ̇_T, and Λ_T with it. */
  memset(m->block, 0, (size_t)n * (size_t)n * sizeof *m->block);
  for (int k = 0; k < scene->closed.count; k++) {
    const int T = scene->closed.contact[k].row + 1;
    for (int r = 0; begins(m, k) && nsd_acceleration_cell(m, k) < 0 && r < 2; r++) {
      const double rise = c[T + r] + nsd_dot(rows, nsd_acceleration_row(m, T + r), scene->solution.Lambda);
      m->block[(size_t)j * (size_t)n + (size_t)j] -= scene->problem.spec[k].slip[r] * rise;
    }
    if (begins(m, k)) {
      turn_friction(m, k, m->turned + T);
      j++;
    }
  }
  /* 2. That is a load on the others, G ∂Λ_T/∂θ, to which the forces of the pattern, and with them γ̇, respond
   * linearly. */
  j = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    if (!begins(m, k)) {
      continue;
    }
    const int T = scene->closed.contact[k].row + 1;
    for (int r = 0; r < rows; r++) {
      const double *G = nsd_acceleration_row(m, r);
      c[r] = before[r] + (G[T] * m->turned[T] + G[T + 1] * m->turned[T + 1]);
    }
    const nsdyn_status status =
        nsd_acceleration_pattern(m, data, scene->solution.state, m->share, scene->solution.Lambda);
    if (!status) {
      (void)list_across(m, column, &any);
    }
    memcpy(c, before, (size_t)rows * sizeof *c);
    if (status) {
      return 0;
    }
    for (int i = 0; i < n; i++) {
      m->block[(size_t)i * (size_t)n + (size_t)j] += column[i] - f[i];
    }
    j++;
  }
  /* (∂f/∂θ) Δ = f: the turns are −Δ. */
  if (nsd_lu_factor(n, m->block, n, m->perm, NULL) != NSDYN_OK) {
    return 0;
  }
  nsd_lu_solve(n, m->block, n, m->perm, 1, f, 1);
  return 1;
}

/* Turns the directions of all that begin by −`share` f from where they were, m->held, and solves the pattern
 * with them. */
static nsdyn_status turn_all(nsd_acceleration *m, const nsd_contact_data *data, const double *f, double share)
{
  nsd_scene *scene = &m->scene;
  for (int k = 0, i = 0; k < scene->closed.count; k++) {
    if (begins(m, k)) {
      memcpy(scene->problem.spec[k].slip, m->held[k], sizeof m->held[k]);
      if (share > 0.0) {
        turn(m, k, &scene->problem.spec[k], -share * f[i++]);
      }
    }
  }
  return nsd_acceleration_pattern(m, data, scene->solution.state, m->share, scene->solution.Lambda);
}

nsdyn_status nsd_acceleration_solve_in_space(nsd_acceleration *m, const nsd_contact_data *data)
{
  nsd_scene *scene = &m->scene;
  double *f = m->diagonal, *after = m->slope;
  int any;
  nsdyn_status status =
      nsd_acceleration_pattern(m, data, scene->solution.state, m->share, scene->solution.Lambda);
  /* f(θ) = γ̇_T across e(θ) = 0, where df/dθ = −(α + r μ λ_N) for one contact alone: never zero. Of redundant
   * ones it nearly is as they begin, so that a step counts only if f becomes less. */
  int is_less = 1;
  for (int round = 0; round < MOST_TURNS && !status && is_less; round++) {
    const int n = list_across(m, f, &any);
    const double before = nsd_dot(n, f, f);
    if (!any) {
      break;
    }
    for (int k = 0; k < scene->closed.count; k++) {
      memcpy(m->held[k], scene->problem.spec[k].slip, sizeof m->held[k]);
    }
    const double size = find_turns(m, data, n, f) ? sqrt(nsd_dot(n, f, f)) : INFINITY;
    const double most = fmin(1.0, MOST_TURN / size);
    is_less = 0;
    for (int tries = 0; tries < MOST_TRIES && most > 0.0 && !is_less; tries++) {
      status = turn_all(m, data, f, ldexp(most, -2 * tries));
      is_less = status || (list_across(m, after, &any), nsd_dot(n, after, after) < before);
    }
    if (!is_less) {
      status = turn_all(m, data, f, 0.0);
    }
  }
  return status;
}

double nsd_acceleration_determinant_in_space(nsd_acceleration *m)
{
  const nsd_contact_data data = nsd_acceleration_data(m);
  return nsd_space_pattern_determinant(&m->space, &m->pattern, &data, m->scene.solution.state);
}
