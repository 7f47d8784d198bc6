/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/enumerate/bernstein.h"

#include <math.h>
#include <stddef.h>

#include "base/tolerances.h"

enum { MOST = NSD_BERNSTEIN_MOST };

static const double choose[MOST][MOST] = {
    {1.0}, {1.0, 1.0}, {1.0, 2.0, 1.0}, {1.0, 3.0, 3.0, 1.0}, {1.0, 4.0, 6.0, 4.0, 1.0}};

static double largest(const nsd_bernstein *p)
{
  double most = 0.0;
  for (int j = 0; j <= p->degree[0]; j++) {
    for (int k = 0; k <= p->degree[1]; k++) {
      most = fmax(most, fabs(p->b[j][k]));
    }
  }
  return most;
}

void nsd_bernstein_add_product(nsd_bernstein *r, double weight, const nsd_bernstein *p,
                               const nsd_bernstein *q)
{
  const int *d = p->degree, *e = q->degree;
  r->degree[0] = d[0] + e[0];
  r->degree[1] = d[1] + e[1];
  for (int j = 0; j <= r->degree[0]; j++) {
    for (int k = 0; k <= r->degree[1]; k++) {
      /* B_i B_(j−i) = C(d, i) C(e, j−i) / C(d+e, j) of the product's B_j: an average. */
      double sum = 0.0;
      for (int i = j > e[0] ? j - e[0] : 0; i <= d[0] && i <= j; i++) {
        for (int l = k > e[1] ? k - e[1] : 0; l <= d[1] && l <= k; l++) {
          const double share = choose[d[0]][i] * choose[e[0]][j - i] * choose[d[1]][l] * choose[e[1]][k - l];
          sum += share * p->b[i][l] * q->b[j - i][k - l];
        }
      }
      r->b[j][k] += weight * sum / (choose[r->degree[0]][j] * choose[r->degree[1]][k]);
    }
  }
  const double a = largest(p), c = largest(q);
  r->error +=
      fabs(weight) * (a * q->error + c * p->error + p->error * q->error + NSD_BERNSTEIN_ROUNDING * a * c);
}

/* De Casteljau: `low` on [0, t], `high` on [t, 1]; either may be NULL. */
static void divide_at(int degree, double t, const double *b, double *low, double *high)
{
  double left[MOST] = {0.0};
  for (int i = 0; i <= degree; i++) {
    left[i] = b[i];
  }
  for (int step = 0; step <= degree; step++) {
    if (low) {
      low[step] = left[0];
    }
    if (high) {
      high[degree - step] = left[degree - step];
    }
    for (int i = 0; i < degree - step; i++) {
      left[i] = (1.0 - t) * left[i] + t * left[i + 1];
    }
  }
}

static double *line(nsd_bernstein *p, int v, int i, double *room)
{
  for (int j = 0; j <= p->degree[v]; j++) {
    room[j] = v == 0 ? p->b[j][i] : p->b[i][j];
  }
  return room;
}

static void set_line(nsd_bernstein *p, int v, int i, const double *from)
{
  for (int j = 0; j <= p->degree[v]; j++) {
    *(v == 0 ? &p->b[j][i] : &p->b[i][j]) = from[j];
  }
}

void nsd_bernstein_halve(const nsd_bernstein *p, int v, nsd_bernstein *low, nsd_bernstein *high)
{
  nsd_bernstein whole = *p;
  *low = *high = *p;
  for (int i = 0; i <= p->degree[1 - v]; i++) {
    double b[MOST] = {0.0}, first[MOST] = {0.0}, second[MOST] = {0.0};
    divide_at(p->degree[v], 0.5, line(&whole, v, i, b), first, second);
    set_line(low, v, i, first);
    set_line(high, v, i, second);
  }
}

void nsd_bernstein_widen(const nsd_bernstein *p, int count, nsd_bernstein *r)
{
  *r = *p;
  for (int v = 0; v < count; v++) {
    for (int i = 0; i <= p->degree[1 - v]; i++) {
      double b[MOST] = {0.0}, part[MOST] = {0.0}, whole[MOST] = {0.0};
      divide_at(p->degree[v], 17.0 / 16.0, line(r, v, i, b), part, NULL);
      divide_at(p->degree[v], -1.0 / 17.0, part, NULL, whole);
      set_line(r, v, i, whole);
    }
    r->error *= 3.0; /* ((1 + 2/16) (1 + 2/17))⁴ = 2.5 */
  }
}

void nsd_bernstein_range(const nsd_bernstein *p, double *range)
{
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int j = 0; j <= p->degree[0]; j++) {
    for (int k = 0; k <= p->degree[1]; k++) {
      range[0] = fmin(range[0], p->b[j][k]);
      range[1] = fmax(range[1], p->b[j][k]);
    }
  }
}

void nsd_bernstein_slopes(const nsd_bernstein *p, int v, double *range)
{
  const int j_step = v == 0, k_step = v == 1;
  range[0] = INFINITY;
  range[1] = -INFINITY;
  for (int j = 0; j + j_step <= p->degree[0]; j++) {
    for (int k = 0; k + k_step <= p->degree[1]; k++) {
      const double slope = p->degree[v] * (p->b[j + j_step][k + k_step] - p->b[j][k]);
      range[0] = fmin(range[0], slope);
      range[1] = fmax(range[1], slope);
    }
  }
}

/* Value and slope of one variable's polynomial. */
static double at(int degree, const double *b, double t, double *slope)
{
  double part[MOST] = {0.0};
  *slope = 0.0;
  for (int i = 0; i <= degree; i++) {
    part[i] = b[i];
  }
  for (int step = degree; step > 0; step--) {
    if (step == 1) {
      *slope = degree * (part[1] - part[0]);
    }
    for (int i = 0; i < step; i++) {
      part[i] = (1.0 - t) * part[i] + t * part[i + 1];
    }
  }
  return part[0];
}

double nsd_bernstein_at(const nsd_bernstein *p, const double *x, double *gradient)
{
  double along[MOST] = {0.0}, across[MOST] = {0.0}, unused;
  for (int j = 0; j <= p->degree[0]; j++) {
    along[j] = at(p->degree[1], p->b[j], x[1], &across[j]);
  }
  gradient[1] = at(p->degree[0], across, x[0], &unused);
  return at(p->degree[0], along, x[0], &gradient[0]);
}

void nsd_bernstein_divide(nsd_bernstein *p, int v)
{
  nsd_bernstein whole = *p;
  const int degree = p->degree[v];
  p->degree[v] = degree - 1;
  for (int i = 0; i <= p->degree[1 - v]; i++) {
    double b[MOST] = {0.0}, q[MOST] = {0.0};
    (void)line(&whole, v, i, b);
    /* C(d, j) / C(d − 1, j − 1) = d / j */
    for (int j = 1; j <= degree; j++) {
      q[j - 1] = b[j] * degree / j;
    }
    set_line(p, v, i, q);
  }
  p->error *= degree;
}
