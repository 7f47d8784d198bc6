/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The certificate of an expansion: from Λ_C and Λ_E alone, sharing no line with what computes them. */
#include <math.h>

#include "base/safe_scalar.h"
#include "base/sin_cos.h"
#include "base/tolerances.h"
#include "contact/impact/expansion.h"
#include "contact/space/friction.h"
#include "contact/space/operator.h"
#include "setvalued/nearest.h"

enum { OUTWARDS = 8, TURNS = 120 }; /* of a bracket: outwards, and in all, to its last bits */

/* γ_i after expansion. */
typedef struct velocity {
  double gamma;
  double load; /* |γ⁻_i| + Σ_j |G_ij Λ_Cj|: what expansion begins with */
  double size; /* the same with Λ_E */
} velocity;

static velocity velocity_of(const nsd_contact_data *data, int i, const double *Lambda_C,
                            const double *Lambda_E)
{
  double change = 0.0;
  velocity v = {.load = fabs(data->c[i])};
  if (data->W) { /* as find_terms() has left them */
    v.load += data->terms->size_of_contacts[i];
    v.size = data->terms->size_of_constraints[i] + v.load;
    v.gamma = data->c[i] + data->terms->product[i];
    return v;
  }
  const double *g = data->G + (size_t)i * (size_t)data->ldg;
  /* γ = γ⁻ + G (Λ_C + Λ_E). */
  for (int j = 0; j < data->rows; j++) {
    change += g[j] * (Lambda_C[j] + Lambda_E[j]);
    v.load += fabs(g[j] * Lambda_C[j]);
    v.size += fabs(g[j] * Lambda_E[j]);
  }
  v.gamma = data->c[i] + change;
  v.size += v.load;
  return v;
}

/* Of an operator: G (Λ_C + Λ_E), and the sizes of the terms of G Λ_C and of G Λ_E, where a contact's
 * certificate keeps those of contacts and of constraints. */
static void find_terms(const nsd_contact_data *data, const double *Lambda_C, const double *Lambda_E)
{
  const nsd_operator *W = data->W;
  const nsd_contact_terms *t = data->terms;
  const double *const impulses[] = {Lambda_C, Lambda_E};
  double *const sizes[] = {t->size_of_contacts, t->size_of_constraints};
  for (int i = 0; i < data->rows; i++) {
    t->part[i] = Lambda_C[i] + Lambda_E[i];
  }
  nsd_operator_multiply(W, t->part, t->state, t->product);
  for (int k = 0; k < 2; k++) {
    nsd_operator_start_sizes(W, impulses[k], t->state);
    for (int cell = 0; cell < W->cells; cell++) {
      nsd_operator_product_sizes(W, cell, t->state, sizes[k] + W->row[cell]);
    }
  }
}

/* How far Λ_T is from {|Λ_T| <= μ Q, e Λ_T >= −(1 − ν) μ Q + ν ε_N ε_T |Λ_TC|} and γ_T from its normal cone.
 * Mirrored so that e = 1. */
static double friction_violation(const nsd_contact_spec *spec, const nsd_restitution *restitution, double r,
                                 const double *Lambda_C, const double *Lambda_E, double gamma_T)
{
  const double stored = Lambda_C[spec->row + 1];
  const double e = stored < 0.0 ? -1.0 : 1.0;
  const double mu = spec->friction == NSD_FRICTION_LOAD ? spec->mu : 0.0;
  const double pressed = fabs(Lambda_C[spec->row]);
  /* Q = |Λ_N|, in a slot at least ε_N |Λ_NC|. */
  double Q = fabs(Lambda_E[spec->row]);
  if (spec->kind == NSDYN_CONTACT_BILATERAL && !(Q >= restitution->eps_n * pressed)) {
    Q = restitution->eps_n * pressed;
  }
  /* {−(1 − ν) μ Q + ν ε_N ε_T |Λ_TC| <= e Λ_T <= μ Q}. */
  const double top = mu * Q;
  double bottom = -top;
  if (mu > 0.0 && fabs(stored) > NSD_EXPANSION_NO_DIRECTION * mu * pressed) {
    const double nu = restitution->reversal;
    bottom = -(1.0 - nu) * top + nu * restitution->eps_n * restitution->eps_t * fabs(stored);
  }
  /* |r Λ_T − prox(r Λ_T − γ_T)|, prox onto r times the interval. */
  const double at = r * e * Lambda_E[spec->row + 1];
  return fabs(at - nsd_nearest_in_interval(at - e * gamma_T, r * bottom, r * top));
}

/* ---- in space ---------------------------------------------------------------------------------------- */

/* The cut {e·Λ_T >= height}, from the law as it is written: e is along Λ_TC in the axes in which Coulomb's
 * set is a disk or a regular polygon, with support 1 there. Returns 0 where nothing is cut off. */
static int find_cut(const nsd_contact_spec *spec, const nsd_restitution *restitution, const double *Lambda_C,
                    double limit, double *e, double *height)
{
  const nsd_contact_space *space = spec->space;
  const double nu = restitution->reversal, cosine = space->axis[0], sine = space->axis[1];
  const double along = cosine * Lambda_C[1] + sine * Lambda_C[2];
  const double across = (cosine * Lambda_C[2] - sine * Lambda_C[1]) / space->aspect;
  const double far = nsd_norm_plane(along, across);
  if (!(far > 0.0) || !(spec->mu > 0.0) || spec->friction != NSD_FRICTION_LOAD || !(nu > 0.0)) {
    return 0;
  }
  const double d[2] = {along / far, across / far};
  /* The support of the disk is 1; of a polygon that of the corner farthest along d. */
  double support = space->sides > 0 ? 0.0 : 1.0;
  for (int32_t j = 0; j < space->sides; j++) {
    double corner[2];
    nsd_sin_cos_of_turn(j, space->sides, corner);
    support = fmax(support, corner[0] * d[0] + corner[1] * d[1]);
  }
  const double out = far / support;
  if (!(out > NSD_EXPANSION_NO_DIRECTION * spec->mu * fabs(Lambda_C[0]))) {
    return 0;
  }
  const double x = d[0] / support, y = d[1] / support / space->aspect;
  e[0] = cosine * x - sine * y;
  e[1] = sine * x + cosine * y;
  *height = nu * restitution->eps_n * restitution->eps_t * out - (1.0 - nu) * limit;
  return 1;
}

/* p := the point next to z of C cut off. Where the point of C next to z is on the wrong side, p is the point
 * of C next to z + t e with t such that it is on the cut, since then z − p is a normal of C less t e. e·p
 * grows with t, so halving finds it. */
static void nearest_of_rest(const nsd_contact_spec *coulomb, double limit, const double *e, double height,
                            const double *z, double *p)
{
  /* What is left at the highest point rounding decides on: that point itself, or a side of a polygon. */
  const double most = (1.0 - NSD_EXPANSION_TIP) * limit;
  if (height > most && coulomb->space->sides == 0) {
    nsd_friction_support(coulomb, limit, e, p);
    return;
  }
  height = height > most ? most : height;
  nsd_friction_project(coulomb, limit, z, p);
  if (e[0] * p[0] + e[1] * p[1] >= height) {
    return;
  }
  /* Far out the point is the support of C along e, which is not cut off. */
  double low = 0.0, high = (fabs(z[0]) + fabs(z[1]) + limit) / nsd_norm_plane(e[0], e[1]);
  for (int turn = 0; turn < TURNS; turn++) {
    const double t = turn < OUTWARDS ? high : 0.5 * (low + high);
    const double w[2] = {z[0] + t * e[0], z[1] + t * e[1]};
    nsd_friction_project(coulomb, limit, w, p);
    const int is_left = e[0] * p[0] + e[1] * p[1] >= height;
    if (turn < OUTWARDS && !is_left) {
      low = high;
      high *= 0x1p10;
    } else if (turn < OUTWARDS) {
      turn = OUTWARDS - 1; /* bracketed */
    } else {
      *(is_left ? &high : &low) = t;
    }
  }
}

/* ‖r Λ_T − prox(r Λ_T − γ_T)‖, prox onto r times {Λ_T in C(Q) : e·Λ_T >= …}; which row is worse. */
static double friction_violation_in_space(const nsd_contact_spec *spec, const nsd_restitution *restitution,
                                          double r, const double *Lambda_C, const double *Lambda_E,
                                          const double *gamma_T, int *row)
{
  const double *C = Lambda_C + spec->row, *E = Lambda_E + spec->row;
  const double back = restitution->eps_n * fabs(C[0]);
  const double Q = spec->kind == NSDYN_CONTACT_BILATERAL && !(fabs(E[0]) >= back) ? back : fabs(E[0]);
  const double limit = spec->friction == NSD_FRICTION_LOAD ? spec->mu * Q : 0.0;
  nsd_contact_spec coulomb = *spec;
  coulomb.friction = NSD_FRICTION_LOAD;
  const double z[2] = {E[1] - gamma_T[0] / r, E[2] - gamma_T[1] / r};
  double e[2], height, p[2];
  if (find_cut(spec, restitution, C, limit, e, &height)) {
    nearest_of_rest(&coulomb, limit, e, height, z, p);
  } else {
    nsd_friction_project(&coulomb, limit, z, p);
  }
  const double miss[2] = {r * (E[1] - p[0]), r * (E[2] - p[1])};
  *row = spec->row + (fabs(miss[1]) > fabs(miss[0]) ? 2 : 1);
  return nsd_norm_plane(miss[0], miss[1]);
}

/* ---- the verdict ------------------------------------------------------------------------------------- */

/* The largest of the contacts' rows. */
typedef struct tally {
  double violation, load, size;
  int row;
} tally;

/* A NaN is kept: it is the worst of all. */
static void count(tally *t, const velocity *v, double violation, int row)
{
  t->load = v->load > t->load ? v->load : t->load;
  t->size = v->size <= t->size ? t->size : v->size;
  if (!(violation <= t->violation)) {
    t->violation = violation;
    t->row = row;
  }
}

static void judge_contact(const nsd_contact_data *data, const nsd_contact_spec *spec,
                          const nsd_restitution *restitution, const double *Lambda_C, const double *Lambda_E,
                          tally *t)
{
  const int row = spec->row;
  const int has_tangent = spec->friction != NSD_FRICTION_NONE;
  const double mean =
      spec->space && has_tangent
          ? (nsd_contact_diagonal(data, row) + nsd_contact_diagonal(data, row + 1) +
             nsd_contact_diagonal(data, row + 2)) /
                3.0
          : 0.5 * (nsd_contact_diagonal(data, row) + nsd_contact_diagonal(data, row + has_tangent));
  const double r = mean > 0.0 ? mean : 1.0; /* zero rows of W: any unit will do */
  const velocity normal = velocity_of(data, row, Lambda_C, Lambda_E);
  /* |min(γ_N, r (Λ_N − ε_N Λ_NC))|, or |γ_N| of a slot. */
  const double beyond = r * (Lambda_E[row] - restitution->eps_n * Lambda_C[row]);
  const int may_open = spec->kind == NSDYN_CONTACT_UNILATERAL;
  count(t, &normal, fabs(may_open && !(beyond >= normal.gamma) ? beyond : normal.gamma), row);
  if (has_tangent && spec->space) {
    int worst = row + 1;
    velocity slide[2];
    for (int i = 0; i < 2; i++) {
      slide[i] = velocity_of(data, row + 1 + i, Lambda_C, Lambda_E);
      count(t, &slide[i], 0.0, row + 1 + i);
    }
    const double gamma_T[2] = {slide[0].gamma, slide[1].gamma};
    const double violation =
        friction_violation_in_space(spec, restitution, r, Lambda_C, Lambda_E, gamma_T, &worst);
    count(t, &slide[0], violation, worst);
  } else if (has_tangent) {
    const velocity tangential = velocity_of(data, row + 1, Lambda_C, Lambda_E);
    count(t, &tangential, friction_violation(spec, restitution, r, Lambda_C, Lambda_E, tangential.gamma),
          row + 1);
  }
}

static double share(double violation, double size)
{
  return violation == 0.0 ? 0.0 : violation / size;
}

nsd_expansion_verdict nsd_expansion_judge(const nsd_contact_data *data, const nsd_restitution *restitution,
                                          const double *Lambda_C, const double *Lambda_E)
{
  tally t = {.violation = 0.0, .load = 0.0, .size = 0.0, .row = -1};
  if (data->W) {
    find_terms(data, Lambda_C, Lambda_E);
  }
  for (int i = 0; i < data->contacts; i++) {
    judge_contact(data, &data->spec[i], &restitution[i], Lambda_C, Lambda_E, &t);
  }
  nsd_expansion_verdict worst = {.residual = t.violation, .speed = t.size, .row = t.row};
  /* A scale far above the load would hide a violation behind impulses that hold each other. */
  worst.scale = t.size <= NSD_CONTACT_MOST_SCALE * t.load ? t.size : NSD_CONTACT_MOST_SCALE * t.load;
  /* A bilateral row may have another unit (an angle): it is its own measure. */
  for (int k = data->rows - data->bilateral; k < data->rows; k++) {
    const velocity v = velocity_of(data, k, Lambda_C, Lambda_E);
    const double violation = fabs(v.gamma);
    if (!(share(violation, v.size) <= share(worst.residual, worst.scale))) {
      worst.residual = violation;
      worst.scale = v.size;
      worst.row = k;
    }
  }
  if (!isfinite(worst.residual)) {
    worst.residual = INFINITY;
  }
  return worst;
}
