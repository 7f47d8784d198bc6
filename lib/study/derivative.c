/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The map's derivative, by central differences: one for Newton's method, and a better one, with an estimate
 * of its error, for the multipliers.
 *
 * A central difference D(h) of a map that is known up to η errs by c₂ h² + c₄ h⁴ + … and by η/h. Neither c
 * nor η is known, and both vary by orders of magnitude: near a graze c is huge, after many impacts η is. So D
 * is taken at steps h, 4 h, 16 h, …, Richardson's extrapolation takes away c₂, c₄, …, and of all values that
 * this gives the one counts that agrees best with both from which it was made: with large steps that is
 * limited by c, with small ones by η. */
#include <math.h>

#include "base/tolerances.h"
#include "study/object.h"

enum { TRIES = 4 };

#define SHORTER 0.125    /* where a varied state does not come back */
#define WIDER 4.0        /* from one step to the next */
#define SQUARE 16.0      /* of it: by so much more errs the next one */
#define WORSE 4.0        /* steps that only spoil an estimate are not made longer still */
#define SURETY 4.0       /* of the estimate, which two values that agree by chance make too small */
#define INTEGRATION 16.0 /* times the driver's tolerance: what all differences have in common */

/* ---- a pair of varied states --------------------------------------------------------------------------- */

/* Images of the base with unknown k varied by ±h; *spread is the distance of the two. */
static nsdyn_status vary(nsdyn_cycle *c, int k, double h, double *spread)
{
  const int i = c->unknown[k];
  double *y = c->trial;
  /* Exactly representable steps: *spread is what y really was varied by. */
  nsd_cycle_copy(c, c->base.y, y);
  y[i] = c->base.y[i] + h;
  *spread = y[i];
  nsdyn_status status = nsd_cycle_shoot(c, &c->base.snapshot, y, c->high);
  y[i] = c->base.y[i] - h;
  *spread -= y[i];
  return status ? status : nsd_cycle_shoot(c, &c->base.snapshot, y, c->low);
}

/* D for unknown k with the step *h, which is made shorter where a varied state does not come back, in `tries`
 * tries. */
static nsdyn_status slope(nsdyn_cycle *c, int k, double *h, int tries, double *D)
{
  const double scale = c->scale[c->unknown[k]];
  double spread;
  /* D = (P(y + h) − P(y − h)) / 2h, in scales of image and unknown. */
  nsdyn_status status = vary(c, k, *h * scale, &spread);
  while (nsd_cycle_is_too_far(status) && --tries > 0) {
    *h *= SHORTER;
    status = vary(c, k, *h * scale, &spread);
  }
  for (int r = 0; !status && r < c->count; r++) {
    const int i = c->unknown[r];
    D[r] = (c->high[i] - c->low[i]) / c->scale[i] * (scale / spread);
  }
  return status;
}

nsdyn_status nsd_cycle_differentiate(nsdyn_cycle *c)
{
  for (int k = 0; k < c->count; k++) {
    double h = c->options.step;
    const nsdyn_status status = slope(c, k, &h, TRIES, c->slopes);
    if (status) {
      return status;
    }
    for (int r = 0; r < c->count; r++) {
      c->J[r * c->count + k] = c->slopes[r];
    }
  }
  return NSDYN_OK;
}

/* ---- the better one ------------------------------------------------------------------------------------ */

/* What is known of a column: D at steps first, first + 1, … last, each WIDER than the one before. */
typedef struct fan {
  double step[NSD_CYCLE_STEPS]; /* in scales */
  double bend[NSD_CYCLE_STEPS]; /* largest second difference, per step² */
  int first, last;
  double error;  /* least so far */
  double curved; /* bend of its steps */
} fan;

static double *slope_at(const nsdyn_cycle *c, int level)
{
  return c->slopes + (size_t)level * (size_t)c->count;
}

/* (high − 2 image + low) / step², of which the next derivative tells. */
static double bend_of(const nsdyn_cycle *c, double step)
{
  double most = 0.0;
  for (int r = 0; r < c->count; r++) {
    /* P(y + h) − 2 P(y) + P(y − h), in scales. */
    const int i = c->unknown[r];
    const double second = (c->high[i] - c->image[i]) + (c->low[i] - c->image[i]);
    most = fmax(most, fabs(second) / c->scale[i]);
  }
  return most / (step * step);
}

static nsdyn_status add_step(nsdyn_cycle *c, fan *f, int k, int level, int tries)
{
  const nsdyn_status status = slope(c, k, &f->step[level], tries, slope_at(c, level));
  if (!status) {
    f->bend[level] = bend_of(c, f->step[level]);
  }
  return status;
}

/* Row r of Romberg's table: T_j^m from T_j^(m−1) and T_(j+1)^(m−1); the difference to both is its error. */
static void extrapolate(const nsdyn_cycle *c, const fan *f, int r, double T[][NSD_CYCLE_STEPS],
                        double error[][NSD_CYCLE_STEPS])
{
  /* Column 0: the differences themselves. */
  double power = 1.0;
  for (int j = f->first; j <= f->last; j++) {
    T[0][j] = slope_at(c, j)[r];
  }
  for (int m = 1; m <= f->last - f->first; m++) {
    /* D(h) errs by c h² + …, D(4h) by 16 times that: the next
     * column is D(h) + (D(h) − D(4h)) / (16^m − 1). */
    power *= SQUARE;
    for (int j = f->first; j + m <= f->last; j++) {
      T[m][j] = T[m - 1][j] + (T[m - 1][j] - T[m - 1][j + 1]) / (power - 1.0);
      const double both = fmax(fabs(T[m][j] - T[m - 1][j]), fabs(T[m][j] - T[m - 1][j + 1]));
      error[m][j] = fmax(error[m][j], both);
    }
  }
}

/* The entry of the tables that is best for the whole column becomes column k, if it is better than what is
 * there. */
static void choose(nsdyn_cycle *c, fan *f, int k)
{
  double T[NSD_CYCLE_STEPS][NSD_CYCLE_STEPS], error[NSD_CYCLE_STEPS][NSD_CYCLE_STEPS] = {{0.0}};
  int best_m = 0, best_j = 0;
  /* Errors of all rows first: an entry is chosen for the whole column. */
  for (int r = 0; r < c->count; r++) {
    extrapolate(c, f, r, T, error);
  }
  for (int m = 1; m <= f->last - f->first; m++) {
    for (int j = f->first; j + m <= f->last; j++) {
      if (error[m][j] < f->error) {
        f->error = error[m][j];
        best_m = m;
        best_j = j;
      }
    }
  }
  /* None is better than what column k holds. */
  if (best_m == 0) {
    return;
  }
  f->curved = f->bend[best_j + best_m];
  for (int r = 0; r < c->count; r++) {
    extrapolate(c, f, r, T, error);
    c->J[r * c->count + k] = T[best_m][best_j];
  }
}

static double size_of_column(const nsdyn_cycle *c, int k)
{
  double most = 1.0; /* in scales that are about alike */
  for (int r = 0; r < c->count; r++) {
    most = fmax(most, fabs(c->J[r * c->count + k]));
  }
  return most;
}

/* Longer steps, while they help. */
static nsdyn_status widen(nsdyn_cycle *c, fan *f, int k)
{
  /* Each longer step adds a row to the tables, until one is so curved that it only spoils them. */
  nsdyn_status status = NSDYN_OK;
  while (f->last + 1 < NSD_CYCLE_STEPS) {
    const double before = f->error;
    f->step[f->last + 1] = WIDER * f->step[f->last];
    status = add_step(c, f, k, f->last + 1, 1);
    if (status) {
      break;
    }
    f->last++;
    choose(c, f, k);
    if (f->last - f->first > 1 && !(f->error < before) &&
        f->bend[f->last] * f->step[f->last] > WORSE * before) {
      break;
    }
  }
  return nsd_cycle_is_too_far(status) ? NSDYN_OK : status;
}

/* Shorter steps, while what there is is bad. */
static nsdyn_status shorten(nsdyn_cycle *c, fan *f, int k)
{
  nsdyn_status status = NSDYN_OK;
  while (f->first > 0 && !(f->error < NSD_CYCLE_DERIVATIVE * size_of_column(c, k)) && !status) {
    f->step[f->first - 1] = f->step[f->first] / WIDER;
    status = add_step(c, f, k, f->first - 1, 1);
    if (!status) {
      f->first--;
      choose(c, f, k);
    }
  }
  return nsd_cycle_is_too_far(status) ? NSDYN_OK : status;
}

static nsdyn_status refine(nsdyn_cycle *c, int k)
{
  /* Stage 1. The option's step, made shorter where a varied state does not come back. */
  fan f = {.first = NSD_CYCLE_SHORTER_STEPS, .last = NSD_CYCLE_SHORTER_STEPS, .error = INFINITY};
  f.step[f.first] = c->options.step;
  nsdyn_status status = add_step(c, &f, k, f.first, TRIES);
  if (status) {
    return status;
  }
  /* Stage 2. That difference stands in column k until an extrapolation betters it. */
  for (int r = 0; r < c->count; r++) {
    c->J[r * c->count + k] = slope_at(c, f.first)[r];
  }
  f.curved = f.bend[f.first];
  /* Stage 3. Longer steps against noise, shorter ones against curvature. */
  status = widen(c, &f, k);
  status = status ? status : shorten(c, &f, k);
  /* Stage 4. The error: a surety times the estimate, and what integration leaves in all differences. */
  c->J_error[k] = SURETY * f.error + INTEGRATION * c->driver->options.tol * size_of_column(c, k);
  c->J_bend[k] = f.curved;
  return status;
}

nsdyn_status nsd_cycle_differentiate_well(nsdyn_cycle *c)
{
  nsdyn_status status = NSDYN_OK;
  for (int k = 0; k < c->count && !status; k++) {
    status = refine(c, k);
  }
  return status;
}
