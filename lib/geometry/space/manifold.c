/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geometry/space/manifold.h"

#include "base/tolerances.h"
#include "geometry/space/segments.h"

/* Cosines: a face belongs to a touch whose normal is within 15° of its own, two faces to each other within
 * 30°, and edges that cross over a face to it where what is across them is. Sine: edges within 15° lie along
 * each other. What is beyond touches at its corners, or at one place. */
#define FACE_ALONG 0.965925826289068
#define FACES_FLAT 0.866025403784439
#define EDGES_FLAT 0.258819045102521

int nsd_face_covers(const nsd_solid_view *v, int32_t f, const double x[3], double flush)
{
  const nsd_solid_face *face = &v->solid->face[f];
  for (int32_t k = 0; k < face->count; k++) {
    const double *from = v->corner[v->solid->round[face->first + k]];
    const double *to = v->corner[v->solid->round[face->first + (k + 1) % face->count]];
    double d[3], w[3], side[3];
    nsd_vec3_add_scaled(to, -1.0, from, d);
    nsd_vec3_add_scaled(x, -1.0, from, w);
    nsd_vec3_cross(d, v->plane[f], side); /* outward, as long as the edge */
    const double out = nsd_vec3_dot(side, w);
    if (out > 0.0 && out * out > flush * flush * nsd_vec3_dot(d, d)) {
      return 0;
    }
  }
  return 1;
}

/* A corner of the other side over face f of side k: along the normal of the face. */
static void tell_corner(nsd_solid_pair *pair, int k, int32_t f, int32_t corner)
{
  const nsd_solid_view *v = &pair->side[k];
  const double *x = pair->side[1 - k].corner[corner], *n = v->plane[f];
  const int32_t feature[2] = {nsd_face_feature(v->solid, f), corner};
  double foot[3];
  nsd_vec3_add_scaled(x, -(nsd_vec3_dot(n, x) - n[3]), n, foot);
  nsd_solid_tell(pair, k, feature, foot, x, n);
}

/* Corners of face g of the other side over face f. */
static void tell_corners(nsd_solid_pair *pair, int k, int32_t f, int32_t g)
{
  const nsdyn_solid *other = pair->side[1 - k].solid;
  for (int32_t i = 0; i < other->face[g].count; i++) {
    const int32_t corner = other->round[other->face[g].first + i];
    if (nsd_face_covers(&pair->side[k], f, pair->side[1 - k].corner[corner], NSD_SOLID_FLUSH * pair->size)) {
      tell_corner(pair, k, f, corner);
    }
  }
}

/* An edge of side k and one of the other that cross between their ends: along what is across both, outwards
 * as n is. */
static void tell_crossing(nsd_solid_pair *pair, int k, int32_t e, int32_t other, const double n[3])
{
  const nsd_solid_view *v = &pair->side[k], *w = &pair->side[1 - k];
  double d[2][3], c[3], st[2], on[2][3];
  const double *p = nsd_edge_line(v, e, d[0]), *q = nsd_edge_line(w, other, d[1]);
  if (!nsd_lines_nearest(p, d[0], q, d[1], st, c)) {
    return;
  }
  for (int i = 0; i < 2;
       i++) { /* a crossing at an end is told by the corner there, but where it is nearest */
    const double length = nsd_vec3_norm(d[i]), flush = pair->scans ? 0.0 : NSD_SOLID_FLUSH * pair->size;
    if (!(st[i] * length > flush && (1.0 - st[i]) * length > flush)) {
      return;
    }
  }
  nsd_vec3_scale(1.0 / nsd_vec3_norm(c), c, c);
  const double along = nsd_vec3_dot(c, n);
  if (fabs(along) < FACES_FLAT) {
    return;
  }
  nsd_vec3_scale(copysign(1.0, along), c, c);
  nsd_vec3_add_scaled(p, st[0], d[0], on[0]);
  nsd_vec3_add_scaled(q, st[1], d[1], on[1]);
  const int32_t feature[2] = {nsd_edge_feature(v->solid, e), nsd_edge_feature(w->solid, other)};
  nsd_solid_tell(pair, k, feature, on[0], on[1], c);
}

/* Edges of face f of side k with one edge of the other. */
static void tell_crossings(nsd_solid_pair *pair, int k, int32_t f, int32_t other)
{
  const nsdyn_solid *solid = pair->side[k].solid;
  for (int32_t i = 0; i < solid->face[f].count; i++) {
    tell_crossing(pair, k, solid->round_edge[solid->face[f].first + i], other, pair->side[k].plane[f]);
  }
}

/* The face whose normal is most along a; −1 without faces. */
static int32_t face_along(const nsd_solid_view *v, const double a[3], double *cosine)
{
  int32_t best = -1;
  *cosine = -INFINITY;
  for (int32_t f = 0; f < v->solid->faces; f++) {
    const double along = nsd_vec3_dot(v->plane[f], a);
    if (along > *cosine) {
      *cosine = along;
      best = f;
    }
  }
  return best;
}

/* Face f of side k, and what of the other side looks at it. */
static void tell_face(nsd_solid_pair *pair, int k, int32_t f)
{
  const nsd_solid_view *v = &pair->side[k], *w = &pair->side[1 - k];
  double down[3], cosine;
  nsd_vec3_scale(-1.0, v->plane[f], down);
  const int32_t g = face_along(w, down, &cosine);
  if (g < 0) { /* a point or a segment */
    for (int32_t i = 0; i < w->solid->corners; i++) {
      if (nsd_face_covers(v, f, w->corner[i], NSD_SOLID_FLUSH * pair->size)) {
        tell_corner(pair, k, f, i);
      }
    }
    if (w->solid->edges) {
      tell_crossings(pair, k, f, 0);
    }
    return;
  }
  tell_corners(pair, k, f, g);
  if (cosine >= FACES_FLAT) {
    tell_corners(pair, 1 - k, g, f);
  }
  for (int32_t i = 0; i < w->solid->face[g].count; i++) {
    tell_crossings(pair, k, f, w->solid->round_edge[w->solid->face[g].first + i]);
  }
}

/* The end of an edge of the other side over an edge of side k, where that is between its ends. Sharp edges
 * that are nearer to each other than they lie along have no direction between them there. */
static void tell_end(nsd_solid_pair *pair, int k, int32_t e, int32_t corner, const nsd_solid_nearest *nearest)
{
  const nsd_solid_view *v = &pair->side[k];
  const double *x = pair->side[1 - k].corner[corner];
  const int32_t feature[2] = {nsd_edge_feature(v->solid, e), corner};
  double d[3], foot[3], a[3];
  const double *p = nsd_edge_line(v, e, d);
  nsd_vec3_add_scaled(x, -1.0, p, a);
  const double s = nsd_vec3_dot(a, d) / nsd_vec3_dot(d, d);
  if (s < 0.0 || s > 1.0) {
    return;
  }
  nsd_vec3_add_scaled(p, s, d, foot);
  nsd_vec3_add_scaled(x, -1.0, foot, a);
  const double apart = nsd_vec3_norm(a);
  if (apart > NSD_SOLID_ROUNDING * pair->size) {
    nsd_vec3_scale(1.0 / apart, a, a);
    if (pair->radius > 0.0 || (k ? -1.0 : 1.0) * nsd_vec3_dot(a, nearest->a) >= FACE_ALONG) {
      nsd_solid_tell(pair, k, feature, foot, x, a);
    }
  }
}

/* Whether an edge is what a side touches with, or ends at the corner that is, and is across a: within 30°. */
static int is_edge_of(const nsd_solid_view *v, int32_t e, int32_t feature, const double a[3], double d[3])
{
  const int32_t *end = v->solid->edge[e].end;
  nsd_edge_line(v, e, d);
  const double along = nsd_vec3_dot(d, a);
  return (feature == nsd_edge_feature(v->solid, e) || feature == end[0] || feature == end[1]) &&
         along * along <= 0.25 * nsd_vec3_dot(d, d);
}

/* Of the edges that both sides touch with those which are most along each other; 0 where none is within 15°
 * of another one. */
static int edges_along(const nsd_solid_pair *pair, const nsd_solid_nearest *nearest, int32_t most[2])
{
  const nsd_solid_view *v = pair->side;
  double least = EDGES_FLAT * EDGES_FLAT, d[2][3], across[3];
  int32_t e[2];
  int is_found = 0;
  for (e[0] = 0; e[0] < v[0].solid->edges; e[0]++) {
    if (!is_edge_of(&v[0], e[0], nearest->feature[0], nearest->a, d[0])) {
      continue;
    }
    for (e[1] = 0; e[1] < v[1].solid->edges; e[1]++) {
      if (is_edge_of(&v[1], e[1], nearest->feature[1], nearest->a, d[1])) {
        nsd_vec3_cross(d[0], d[1], across);
        const double sine = /* its square */
            nsd_vec3_dot(across, across) / (nsd_vec3_dot(d[0], d[0]) * nsd_vec3_dot(d[1], d[1]));
        if (sine < least) {
          least = sine;
          most[0] = e[0];
          most[1] = e[1];
          is_found = 1;
        }
      }
    }
  }
  return is_found;
}

/* Edges that lie along each other: both ends of what they share. */
static void tell_edges(nsd_solid_pair *pair, const nsd_solid_nearest *nearest)
{
  int32_t e[2] = {0, 0};
  if (!edges_along(pair, nearest, e)) {
    return;
  }
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 2; i++) {
      tell_end(pair, k, e[k], pair->side[1 - k].solid->edge[e[1 - k]].end[i], nearest);
    }
  }
}

void nsd_solid_manifold(nsd_solid_pair *pair, const nsd_solid_nearest *nearest)
{
  double back[3], cosine[2];
  nsd_vec3_scale(-1.0, nearest->a, back);
  const int32_t f[2] = {face_along(&pair->side[0], nearest->a, &cosine[0]),
                        face_along(&pair->side[1], back, &cosine[1])};
  const int k = cosine[1] > cosine[0];
  if (cosine[k] >= FACE_ALONG) {
    tell_face(pair, k, f[k]);
  } else if (nearest->apart > NSD_SOLID_ROUNDING * pair->size) {
    tell_edges(pair, nearest);
  }
}
