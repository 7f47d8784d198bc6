/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* p, the determinant of the pattern with friction over that without, and whose forces vanish with it.
 *
 * G couples contacts of one body, and of bodies that contacts or constraints link. Of parts that nothing
 * couples p is the product, and where it vanishes one of them has no forces. */
#include <math.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"
#include "event/phase/acceleration.h"

/* Rows in which the pattern asks γ̇ = 0, with the slope of the friction that is dragged along; returns whether
 * there is any. Of all rows, or of those that m->part marks with `only`. */
static int list_pattern(nsd_acceleration *m, int only, int *count)
{
  const nsd_scene *scene = &m->scene;
  int n = 0, drags = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_contact_spec *spec = &scene->problem.spec[k];
    const int32_t state = scene->solution.state[k];
    const int row = scene->closed.contact[k].row;
    if (!nsd_state_is_closed(state) || (only && m->part[row] != only)) {
      continue;
    }
    const int has_tangent = scene->closed.contact[k].rows > 1;
    /* λ_T = slope · λ_N where it slides: the column of λ_N takes that share of the tangential one. */
    m->slope[n] = has_tangent && !m->stuck[k] ? nsd_state_factor(state) * spec->mu : 0.0;
    drags |= m->slope[n] != 0.0;
    m->block_row[n++] = row;
    if (has_tangent && m->stuck[k]) {
      m->slope[n] = 0.0;
      m->block_row[n++] = row + 1;
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    if (!only || m->part[r] == only) {
      m->slope[n] = 0.0;
      m->block_row[n++] = r;
    }
  }
  *count = n;
  return drags;
}

/* The mode matrix, with `friction` times the friction that is dragged along. */
static void fill_block(nsd_acceleration *m, int n, double friction)
{
  for (int i = 0; i < n; i++) {
    const double *G = nsd_acceleration_row(m, m->block_row[i]);
    double *block = m->block + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) {
      /* A_ij = G_ij + f_j μ_j G_i,T(j). */
      const double slope = friction * m->slope[j];
      block[j] = G[m->block_row[j]] + (slope != 0.0 ? slope * G[m->block_row[j] + 1] : 0.0);
    }
  }
}

/* p of the rows that m->part marks with `only`; 0: of all. */
static double determinant_of(nsd_acceleration *m, int only)
{
  int n;
  if (!list_pattern(m, only, &n)) {
    return 1.0;
  }
  /* 1. det G without friction, by Cholesky: the product of squared diagonals. */
  fill_block(m, n, 0.0);
  if (nsd_cholesky_factor(n, m->block, n, NULL) != NSDYN_OK) {
    return 1.0;
  }
  for (int i = 0; i < n; i++) {
    m->diagonal[i] = m->block[(size_t)i * (size_t)n + (size_t)i];
  }
  /* 2. det A with friction, by LU, where each row exchange turns the sign. */
  fill_block(m, n, 1.0);
  if (nsd_lu_factor(n, m->block, n, m->perm, NULL) != NSDYN_OK) {
    return 0.0;
  }
  /* 3. p = det A / det G, as a product of ratios, which neither overflows nor has a unit. */
  double ratio = 1.0;
  for (int i = 0; i < n; i++) {
    ratio *= m->block[(size_t)i * (size_t)n + (size_t)i] / (m->diagonal[i] * m->diagonal[i]);
    ratio = m->perm[i] != i ? -ratio : ratio;
  }
  return ratio;
}

double nsd_acceleration_determinant(nsd_acceleration *m)
{
  return m->scene.problem.is_spatial ? nsd_acceleration_determinant_in_space(m) : determinant_of(m, 0);
}

/* ---- whose ------------------------------------------------------------------------------------------- */

/* Marks row r, whose row of G has then to be looked through. */
static void mark(nsd_acceleration *m, int r, int with, int *count)
{
  if (!m->part[r]) {
    m->part[r] = with;
    m->block_row[(*count)++] = r;
  }
}

/* Marks all rows of a contact, which its friction law couples. */
static void mark_contact(nsd_acceleration *m, const nsd_closed *c, int with, int *count)
{
  for (int r = c->row; r < c->row + c->rows; r++) {
    mark(m, r, with, count);
  }
}

/* What G couples with contact k, and the whole of each contact that this reaches. */
static void mark_coupled(nsd_acceleration *m, int k, int with)
{
  const nsd_scene *scene = &m->scene;
  int count = 0;
  mark_contact(m, &scene->closed.contact[k], with, &count);
  while (count > 0) {
    const double *G = nsd_acceleration_row(m, m->block_row[--count]);
    for (int i = 0; i < scene->closed.count; i++) {
      const nsd_closed *c = &scene->closed.contact[i];
      int coupled = 0;
      for (int r = c->row; r < c->row + c->rows; r++) {
        coupled |= G[r] != 0.0;
      }
      if (coupled) {
        mark_contact(m, c, with, &count);
      }
    }
    for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
      if (G[r] != 0.0) {
        mark(m, r, with, &count);
      }
    }
  }
}

void nsd_acceleration_mark_lost(nsd_acceleration *m)
{
  const nsd_scene *scene = &m->scene;
  int parts = 0;
  for (int r = 0; r < scene->closed.rows; r++) {
    m->part[r] = 0;
  }
  /* 1. What slides, λ_T = f μ λ_N, and all that is coupled with it: part by part. */
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_contact_spec *spec = &scene->problem.spec[k];
    const int32_t state = scene->solution.state[k];
    const int slides = spec->sliding || state == NSD_STATE_DOWN || state == NSD_STATE_UP;
    if (slides && nsd_contact_has_friction(spec) && !m->part[scene->closed.contact[k].row]) {
      mark_coupled(m, k, ++parts);
    }
  }
  /* 2. Of several parts, which in the plane have a p each, those whose own has vanished: the least, and what
   * is as good as zero. */
  double least = INFINITY;
  for (int i = 0; i < parts; i++) {
    m->c_part[i] = parts == 1 || scene->problem.is_spatial ? 0.0 : fabs(determinant_of(m, i + 1));
    least = m->c_part[i] < least ? m->c_part[i] : least;
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    /* What is in no part does not slide, nor is coupled with what does; a p that is no number tells nothing.
     */
    const double p = m->part[r] ? m->c_part[m->part[r] - 1] : NAN;
    m->part[r] = p <= least || p <= NSD_DETERMINANT_SMALL;
  }
}
