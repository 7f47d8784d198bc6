/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What contacts in space have beside: a direction of sliding that turns with the motion, and a pattern with
 * three rows. */
#include "event/phase/acceleration.h"

#include <math.h>

#include "base/dense.h"
#include "base/safe_scalar.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

enum { MOST_TURNS = 12 };

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
  if (speed > 0.0 && !m->starts[k]) {
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

static int begins(const nsd_acceleration *m, int k)
{
  const nsd_contact_spec *spec = &m->scene.problem.spec[k];
  return m->scene.closed.contact[k].rows == 3 && m->starts[k] && spec->sliding &&
         nsd_contact_has_friction(spec) && nsd_state_is_closed(m->scene.solution.state[k]);
}

/* γ̇_T across e of contact k, and how large it may be. */
static double across(const nsd_acceleration *m, int k, double *size)
{
  const nsd_scene *scene = &m->scene;
  const int T = scene->closed.contact[k].row + 1;
  const double *e = scene->problem.spec[k].slip, *Lambda = scene->solution.Lambda;
  /* γ̇_T = c_T + G_T λ; its part across e is e_1 γ̇_T2 − e_2 γ̇_T1. */
  double rise[2];
  for (int r = 0; r < 2; r++) {
    rise[r] = scene->problem.c[T + r] + nsd_dot(scene->closed.rows, nsd_acceleration_row(m, T + r), Lambda);
  }
  *size = nsd_norm_plane(rise[0], rise[1]) + nsd_norm_plane(scene->problem.c[T], scene->problem.c[T + 1]);
  return e[0] * rise[1] - e[1] * rise[0];
}

static void turn(nsd_contact_spec *spec, double angle)
{
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

/* ∂f/∂θ by differences, one contact after the other, and its step of Newton's method into f. Returns whether
 * there is one. */
static int find_turns(nsd_acceleration *m, const nsd_contact_data *data, int n, double *f)
{
  nsd_scene *scene = &m->scene;
  double *column = m->slope;
  int j = 0, any;
  for (int k = 0; k < scene->closed.count; k++) {
    if (!begins(m, k)) {
      continue;
    }
    /* Column j: f with e_j turned a little, less f. All f change, since λ of all contacts does. */
    const double slip[2] = {scene->problem.spec[k].slip[0], scene->problem.spec[k].slip[1]};
    turn(&scene->problem.spec[k], NSD_SLIDING_TURN);
    if (nsd_acceleration_pattern(m, data, scene->solution.state, m->share, scene->solution.Lambda)) {
      return 0;
    }
    (void)list_across(m, column, &any);
    scene->problem.spec[k].slip[0] = slip[0];
    scene->problem.spec[k].slip[1] = slip[1];
    for (int i = 0; i < n; i++) {
      m->block[(size_t)i * (size_t)n + (size_t)j] = (column[i] - f[i]) / NSD_SLIDING_TURN;
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

nsdyn_status nsd_acceleration_solve_in_space(nsd_acceleration *m, const nsd_contact_data *data)
{
  nsd_scene *scene = &m->scene;
  const int32_t *states = scene->solution.state;
  double *f = m->diagonal;
  int any;
  nsdyn_status status = nsd_acceleration_pattern(m, data, states, m->share, scene->solution.Lambda);
  /* f(θ) = γ̇_T across e(θ) = 0, where df/dθ = −(α + r μ λ_N) for one contact alone: never zero. */
  for (int round = 0; round < MOST_TURNS && !status; round++) {
    const int n = list_across(m, f, &any);
    if (!any) {
      break;
    }
    const int is_found = find_turns(m, data, n, f);
    for (int k = 0, i = 0; is_found && k < scene->closed.count; k++) {
      if (begins(m, k)) {
        turn(&scene->problem.spec[k], -f[i++]);
      }
    }
    /* λ with the new directions; without a step the pattern stays with those it has. */
    status = nsd_acceleration_pattern(m, data, states, m->share, scene->solution.Lambda);
    round = is_found ? round : MOST_TURNS;
  }
  return status;
}

double nsd_acceleration_determinant_in_space(nsd_acceleration *m)
{
  const nsd_contact_data data = nsd_acceleration_data(m);
  return nsd_space_pattern_determinant(&m->space, &m->pattern, &data, m->scene.solution.state);
}
