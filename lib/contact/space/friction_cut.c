/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/space/friction_cut.h"

#include <math.h>

#include "base/sin_cos.h"
#include "base/tolerances.h"

/* b at this limit. Near the highest point of C its rounding would decide on what is left. */
static double height_of(const nsd_contact_spec *s, double limit)
{
  /* b = back − keep μ Q is less than `limit`, the support of C along e. Near it the tip alone is left of a
   * disk; a polygon keeps so much of it that two sides still cross. */
  const double b = s->stored->back - s->stored->keep * limit, most = (1.0 - NSD_EXPANSION_TIP) * limit;
  return b < most ? b : s->space && s->space->sides > 0 ? most : limit;
}

int nsd_chord_cuts_off(const nsd_contact_spec *s, double limit, const double *p)
{
  const double *e = s->stored->e;
  return e[0] * p[0] + (s->space ? e[1] * p[1] : 0.0) < height_of(s, limit);
}

/* The chord in the axes in which C is a disk or a regular polygon; e in them too, with support 1 along it. */
typedef struct regular {
  double e[2], limit, b, keep;
  double end[2][2], rate[2][2];
} regular;

/* x = b e ± √(limit² − b²) (e turned by a quarter). */
static void cross_disk(regular *r)
{
  /* Its derivative in the limit, where b falls by `keep`: (limit + keep b) / half along the chord. */
  const double half = sqrt(r->limit - r->b) * sqrt(r->limit + r->b);
  const double spread = half > 0.0 ? (r->limit + r->keep * r->b) / half : 0.0;
  for (int side = 0; side < 2; side++) {
    const double sign = side ? 1.0 : -1.0;
    const double turned[2] = {-sign * r->e[1], sign * r->e[0]};
    for (int i = 0; i < 2; i++) {
      r->end[side][i] = r->b * r->e[i] + half * turned[i];
      r->rate[side][i] = -r->keep * r->e[i] + spread * turned[i];
    }
  }
}

/* The sides on which e·x passes b: x = limit v + σ (w − v), σ = (b − limit e·v) / e·(w − v). */
static void cross_polygon(regular *r, int32_t sides)
{
  double v[2], w[2], top[2] = {1.0, 0.0}, most = -INFINITY;
  int found = 0;
  nsd_sin_cos_of_turn(0, sides, v);
  for (int32_t j = 1; j <= sides && found < 2; j++) {
    nsd_sin_cos_of_turn(j % sides, sides, w);
    const double at_v = r->e[0] * v[0] + r->e[1] * v[1], at_w = r->e[0] * w[0] + r->e[1] * w[1];
    if (at_v > most) {
      most = at_v;
      top[0] = v[0];
      top[1] = v[1];
    }
    if ((r->limit * at_v >= r->b) != (r->limit * at_w >= r->b)) {
      const double share = (r->b - r->limit * at_v) / (at_w - at_v),
                   grows = -(r->keep + at_v) / (at_w - at_v);
      for (int i = 0; i < 2; i++) {
        r->end[found][i] = r->limit * v[i] + share * (w[i] - v[i]);
        r->rate[found][i] = v[i] + grows * (w[i] - v[i]);
      }
      found++;
    }
    v[0] = w[0];
    v[1] = w[1];
  }
  /* The cut touches the highest corner only. */
  for (; found < 2; found++) {
    for (int i = 0; i < 2; i++) {
      r->end[found][i] = r->limit * top[i];
      r->rate[found][i] = top[i];
    }
  }
}

/* Out of those axes: stretched along the second, and turned. */
static void turn_out(const nsd_contact_space *space, const double *x, double *out)
{
  const double a = x[0], b = space->aspect * x[1];
  out[0] = space->axis[0] * a - space->axis[1] * b;
  out[1] = space->axis[1] * a + space->axis[0] * b;
}

void nsd_chord_of(const nsd_contact_spec *s, double limit, nsd_chord *chord)
{
  const nsd_contact_stored *stored = s->stored;
  const double *e = stored->e, size = e[0] * e[0] + e[1] * e[1];
  *chord = (nsd_chord){.shift = {-stored->keep * e[0] / size, -stored->keep * e[1] / size}};
  regular r = {.limit = limit, .b = height_of(s, limit), .keep = stored->keep};
  if (!s->space) { /* the end of an interval, e = ±1 */
    for (int side = 0; side < 2; side++) {
      chord->end[side][0] = r.b * e[0];
      chord->rate[side][0] = -r.keep * e[0];
    }
    return;
  }
  /* e·x = e'·x' with x = R diag(1, aspect) x': e' = diag(1, aspect) Rᵀ e. */
  const nsd_contact_space *space = s->space;
  r.e[0] = space->axis[0] * e[0] + space->axis[1] * e[1];
  r.e[1] = space->aspect * (space->axis[0] * e[1] - space->axis[1] * e[0]);
  if (space->sides > 0) {
    cross_polygon(&r, space->sides);
  } else {
    cross_disk(&r);
  }
  const double length = sqrt(size);
  chord->along[0] = -e[1] / length;
  chord->along[1] = e[0] / length;
  double out[2][2];
  for (int side = 0; side < 2; side++) {
    turn_out(space, r.end[side], out[side]);
  }
  /* Mirror images swap the ends: the one that is farther along the chord comes second. */
  const double apart[2] = {out[1][0] - out[0][0], out[1][1] - out[0][1]};
  const int is_reversed = chord->along[0] * apart[0] + chord->along[1] * apart[1] < 0.0;
  for (int side = 0; side < 2; side++) {
    const int from = is_reversed ? 1 - side : side;
    turn_out(space, r.end[from], chord->end[side]);
    turn_out(space, r.rate[from], chord->rate[side]);
  }
}

static double along(const nsd_chord *chord, const double *x)
{
  return chord->along[0] * x[0] + chord->along[1] * x[1];
}

void nsd_chord_nearest(const nsd_chord *chord, const double *z, int tangents, double *p)
{
  if (tangents == 1) {
    p[0] = chord->end[0][0];
    return;
  }
  /* z's place along the chord, between its ends; beyond them the end itself. */
  const double at = along(chord, z), first = along(chord, chord->end[0]), last = along(chord, chord->end[1]);
  const double *end = chord->end[at >= last ? 1 : 0];
  const double go = at > first && at < last ? at - first : 0.0;
  p[0] = end[0] + go * chord->along[0];
  p[1] = end[1] + go * chord->along[1];
}

void nsd_chord_derivative(const nsd_chord *chord, const double *z, int tangents, double *D, double *d)
{
  if (tangents == 1) {
    D[0] = 0.0;
    d[0] = chord->rate[0][0];
    return;
  }
  const double at = along(chord, z), first = along(chord, chord->end[0]), last = along(chord, chord->end[1]);
  /* Between the ends p = p_0 + a aᵀ (z − p_0), so ∂p/∂z = a aᵀ, and the chord moves as a whole; at an end p
   * does not move with z. */
  const int is_between = at > first && at < last;
  const double *rate = is_between ? chord->shift : chord->rate[at >= last ? 1 : 0];
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) {
      D[2 * i + j] = is_between ? chord->along[i] * chord->along[j] : 0.0;
    }
    d[i] = rate[i];
  }
}
