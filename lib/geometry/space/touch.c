/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Polyhedra are apart along the normal of a face, or along what is across an edge of each (separating axes);
 * of the axes the one along which they are farthest apart tells the distance, unless corners or edges are
 * nearer along none of them. Of edges only those count whose planes meet on the Minkowski difference
 * (Gregorius 2013). */
#include "geometry/space/touch.h"

#include <string.h>

#include "base/tolerances.h"
#include "geometry/space/cylinder.h"
#include "geometry/space/manifold.h"
#include "geometry/space/segments.h"
#include "nsdyn/rotation.h"

nsdyn_status nsdyn_solid_touch_init(nsdyn_solid_touch *touch, size_t size)
{
  return nsd_sized_init(touch, size, NSD_SOLID_TOUCH_LEAST, NULL, sizeof *touch);
}

/* ---- telling ---- */

static void tell_touch(nsd_solid_pair *pair, const nsdyn_solid_touch *touch)
{
  if (pair->told[0] < 0) {
    memcpy(pair->told, touch->feature, sizeof pair->told);
  }
  pair->code = pair->visit(pair->user, touch);
}

void nsd_solid_tell(nsd_solid_pair *pair, int k, const int32_t feature[2], const double on[3],
                    const double other[3], const double a[3])
{
  const double *x[2] = {on, other};
  double way[3], own[3];
  nsdyn_solid_touch touch = {.size = sizeof touch, .feature = {feature[k], feature[1 - k]}};
  nsd_vec3_add_scaled(other, -1.0, on, way);
  touch.gap = nsd_vec3_dot(a, way) - pair->radius;
  const int is_known = touch.feature[0] == pair->told[0] && touch.feature[1] == pair->told[1];
  if (pair->code || is_known || !(touch.gap <= pair->margin)) {
    return;
  }
  /* In the world: n from the second solid to the first, points on what rounds the cores. */
  nsd_vec3_scale(k ? 1.0 : -1.0, a, own);
  nsd_mat3_multiply(pair->turn, own, touch.normal);
  for (int i = 0; i < 2; i++) {
    nsd_vec3_add_scaled(x[i ^ k], (i ? 1.0 : -1.0) * pair->side[i].solid->radius, own, way);
    nsd_mat3_multiply(pair->turn, way, touch.point[i]);
    nsd_vec3_add_scaled(pair->place, 1.0, touch.point[i], touch.point[i]);
  }
  if (!pair->scans) {
    tell_touch(pair, &touch);
  } else if (touch.gap < pair->nearest.gap) {
    pair->nearest = touch;
  }
}

/* ---- axes ---- */

enum { NO_AXIS, FACE_AXIS, EDGE_AXIS };

typedef struct axis {
  int kind, side;   /* of a face, whose */
  int32_t index[2]; /* face and corner of the other one; edges of both */
  double a[3], apart;
} axis;

/* Faces of side k: how far the corners of the other are beyond them. */
static void try_faces(const nsd_solid_pair *pair, int k, axis *best)
{
  const nsd_solid_view *v = &pair->side[k], *w = &pair->side[1 - k];
  for (int32_t f = 0; f < v->solid->faces; f++) {
    double least = INFINITY;
    int32_t corner = -1;
    for (int32_t i = 0; i < w->solid->corners; i++) {
      const double beyond = nsd_vec3_dot(v->plane[f], w->corner[i]);
      if (beyond < least) {
        least = beyond;
        corner = i;
      }
    }
    least -= v->plane[f][3];
    if (best->kind == NO_AXIS || least > best->apart) {
      *best = (axis){.kind = FACE_AXIS, .side = k, .index = {f, corner}, .apart = least};
      nsd_vec3_scale(k ? -1.0 : 1.0, v->plane[f], best->a);
    }
  }
}

/* Which way the normal of an edge's two faces turns past d: both signs differ where d is across it. */
static void turn_of(const nsd_solid_view *v, int32_t e, const double d[3], double past[2])
{
  const int32_t *face = v->solid->edge[e].face;
  past[0] = nsd_vec3_dot(v->plane[face[0]], d);
  past[1] = nsd_vec3_dot(v->plane[face[1]], d);
}

/* Whether the edges make a face of the Minkowski difference, and on which side of the first one c = d × e is
 * outwards: 1 or −1, 0 where they make none. Normals of the edge's faces are an arc round it, n0 × n1 ∥ d. */
static int outward_side(const nsd_solid_pair *pair, const int32_t e[2], double (*d)[3], const double c[3])
{
  double own[2], other[2];
  const int has_faces[2] = {pair->side[0].solid->faces > 0, pair->side[1].solid->faces > 0};
  if (has_faces[0]) {
    turn_of(&pair->side[0], e[0], d[1], own);
    if (own[0] * own[1] >= 0.0) {
      return 0;
    }
  }
  if (has_faces[1]) {
    turn_of(&pair->side[1], e[1], d[0], other);
    if (other[0] * other[1] >= 0.0 || (has_faces[0] && other[0] * own[1] >= 0.0)) {
      return 0;
    }
  }
  const int k = has_faces[0] ? 0 : 1;
  const int32_t *face = pair->side[k].solid->edge[e[k]].face;
  double middle[3];
  nsd_vec3_add_scaled(pair->side[k].plane[face[0]], 1.0, pair->side[k].plane[face[1]], middle);
  return (nsd_vec3_dot(middle, c) > 0.0) == (k == 0) ? 1 : -1;
}

/* Edges that tell more than the faces did: as much is the faces', whose touches say more. What is across
 * edges that are nearly parallel has lost digits, and has to tell more by as much. */
static void try_edges(const nsd_solid_pair *pair, axis *best)
{
  const nsd_solid_view *v = pair->side;
  const double sharpest = NSD_SOLID_PARALLEL * NSD_SOLID_PARALLEL, rounding = NSD_SOLID_CROSSING * pair->size;
  double most = best->apart;
  int32_t e[2];
  for (e[0] = 0; e[0] < v[0].solid->edges; e[0]++) {
    double d[2][3], c[3], way[3];
    const double *p = nsd_edge_line(&v[0], e[0], d[0]), dd = nsd_vec3_dot(d[0], d[0]);
    for (e[1] = 0; e[1] < v[1].solid->edges; e[1]++) {
      const double *q = nsd_edge_line(&v[1], e[1], d[1]), lengths = dd * nsd_vec3_dot(d[1], d[1]);
      nsd_vec3_cross(d[0], d[1], c);
      const int side = outward_side(pair, e, d, c);
      const double cc = nsd_vec3_dot(c, c);
      if (!side || !(cc > sharpest * lengths)) {
        continue;
      }
      nsd_vec3_scale(side / sqrt(cc), c, c);
      nsd_vec3_add_scaled(q, -1.0, p, way);
      const double apart = nsd_vec3_dot(c, way);
      if (apart > most && apart - rounding * sqrt(lengths / cc) > most) {
        most = apart;
        *best = (axis){.kind = EDGE_AXIS, .index = {e[0], e[1]}, .apart = apart};
        nsd_vec3_scale(1.0, c, best->a);
      }
    }
  }
}

/* ---- the nearest features ---- */

/* The segment number i of a core: its edges; of a point that alone, with an end twice. */
static const double *segment(const nsd_solid_view *v, int32_t i, double d[3])
{
  if (v->solid->edges) {
    return nsd_edge_line(v, i, d);
  }
  nsd_vec3_set(0.0, 0.0, 0.0, d);
  return v->corner[0];
}

/* The feature where a segment's parameter is s. */
static int32_t feature_at(const nsdyn_solid *solid, int32_t i, double s)
{
  if (!solid->edges) {
    return 0;
  }
  return s <= 0.0 ? solid->edge[i].end[0] : s >= 1.0 ? solid->edge[i].end[1] : nsd_edge_feature(solid, i);
}

/* Corners and edges of both: the distance, with points and direction; of what crosses or coincides a
 * direction across it. */
static void nearest_segments(const nsd_solid_pair *pair, nsd_solid_nearest *out)
{
  const nsd_solid_view *v = pair->side;
  double best = INFINITY, d[2][3], across[3] = {0.0};
  const int32_t count[2] = {v[0].solid->edges ? v[0].solid->edges : 1,
                            v[1].solid->edges ? v[1].solid->edges : 1};
  for (int32_t i = 0; i < count[0]; i++) {
    const double *p = segment(&v[0], i, d[0]);
    for (int32_t j = 0; j < count[1]; j++) {
      const double *q = segment(&v[1], j, d[1]);
      double st[2];
      const double square = nsd_segments_nearest(p, d[0], q, d[1], st);
      if (square < best) {
        best = square;
        out->feature[0] = feature_at(v[0].solid, i, st[0]);
        out->feature[1] = feature_at(v[1].solid, j, st[1]);
        nsd_vec3_add_scaled(p, st[0], d[0], out->x[0]);
        nsd_vec3_add_scaled(q, st[1], d[1], out->x[1]);
        nsd_vec3_cross(d[0], d[1], across);
        if (nsd_vec3_norm(across) == 0.0) { /* across the one that has a length, or anywhere */
          const double *along = nsd_vec3_norm(d[0]) > 0.0 ? d[0] : d[1];
          const double other[3] = {fabs(along[2]) > fabs(along[0]) ? 1.0 : 0.0, 0.0,
                                   fabs(along[2]) > fabs(along[0]) ? 0.0 : 1.0};
          nsd_vec3_scale(1.0, other, across);
          if (nsd_vec3_norm(along) > 0.0) {
            nsd_vec3_cross(along, other, across);
          }
        }
      }
    }
  }
  nsd_vec3_add_scaled(out->x[1], -1.0, out->x[0], out->a);
  out->apart = nsd_vec3_norm(out->a);
  if (!(out->apart > NSD_SOLID_ROUNDING * pair->size)) {
    nsd_vec3_scale(1.0, across, out->a);
    out->apart = 0.0;
  }
  nsd_vec3_scale(1.0 / nsd_vec3_norm(out->a), out->a, out->a);
}

/* A face and a corner of the other side, with its foot on the plane of the face. */
static void name_corner(const nsd_solid_pair *pair, const axis *best, int32_t corner, nsd_solid_nearest *out)
{
  const int k = best->side;
  const nsd_solid_view *v = &pair->side[k];
  const double *n = v->plane[best->index[0]], *x = pair->side[1 - k].corner[corner];
  out->feature[k] = nsd_face_feature(v->solid, best->index[0]);
  out->feature[1 - k] = corner;
  nsd_vec3_add_scaled(x, -(nsd_vec3_dot(n, x) - n[3]), n, out->x[k]);
  nsd_vec3_scale(1.0, x, out->x[1 - k]);
}

/* Of a face: the corner of the other side that is as far beyond as the nearest one, and over it. 0 where
 * there is none, as of faces whose edges cross. */
static int set_corner(const nsd_solid_pair *pair, const axis *best, nsd_solid_nearest *out)
{
  const int k = best->side;
  const nsd_solid_view *v = &pair->side[k], *w = &pair->side[1 - k];
  const double *n = v->plane[best->index[0]];
  for (int32_t i = -1; i < w->solid->corners; i++) {
    const int32_t corner = i < 0 ? best->index[1] : i;
    const double *x = w->corner[corner], beyond = nsd_vec3_dot(n, x) - n[3];
    if (beyond - best->apart <= NSD_SOLID_ROUNDING * pair->size &&
        nsd_face_covers(v, best->index[0], x, NSD_SOLID_ROUNDING * pair->size)) {
      name_corner(pair, best, corner, out);
      return 1;
    }
  }
  return 0;
}

static double clamp(double x)
{
  return x > 0.0 ? fmin(x, 1.0) : 0.0;
}

static void set_edges(const nsd_solid_pair *pair, const axis *best, nsd_solid_nearest *out)
{
  double d[2][3], c[3], st[2];
  const double *p = nsd_edge_line(&pair->side[0], best->index[0], d[0]);
  const double *q = nsd_edge_line(&pair->side[1], best->index[1], d[1]);
  nsd_lines_nearest(p, d[0], q, d[1], st, c);
  nsd_vec3_add_scaled(p, clamp(st[0]), d[0], out->x[0]);
  nsd_vec3_add_scaled(q, clamp(st[1]), d[1], out->x[1]);
  for (int k = 0; k < 2; k++) {
    out->feature[k] = nsd_edge_feature(pair->side[k].solid, best->index[k]);
  }
}

/* A corner right over a face of either side that is as far apart as the best axis: flat solids have one on
 * one side alone, perhaps. */
static int set_any_corner(const nsd_solid_pair *pair, const axis *face, double apart, nsd_solid_nearest *out)
{
  for (int k = 0; k < 2; k++) {
    if (face[k].kind == FACE_AXIS && face[k].apart >= apart - NSD_SOLID_ROUNDING * pair->size &&
        set_corner(pair, &face[k], out)) {
      out->apart = face[k].apart;
      nsd_vec3_scale(1.0, face[k].a, out->a);
      return 1;
    }
  }
  return 0;
}

/* What is nearest; 0 where the cores are farther apart than `margin`, 2 where faces lie on each other and no
 * corner is over one: crossings tell it then. */
static int find_nearest(const nsd_solid_pair *pair, double margin, nsd_solid_nearest *out)
{
  axis face[2] = {{.kind = NO_AXIS, .apart = -INFINITY}, {.kind = NO_AXIS, .apart = -INFINITY}};
  /* 1: separating axes. A distance is never below what an axis tells. */
  try_faces(pair, 0, &face[0]);
  try_faces(pair, 1, &face[1]);
  axis best = face[face[1].apart > face[0].apart];
  if (best.apart <= margin && best.kind != NO_AXIS) { /* not of two segments */
    try_edges(pair, &best);
  }
  if (best.apart > margin) {
    return 0;
  }
  /* 2: a corner right over a face is nearest, or, where cores overlap, what has to leave. */
  if (best.kind == FACE_AXIS && set_any_corner(pair, face, best.apart, out)) {
    return 1;
  }
  /* 3: cores apart: corners and edges, which an axis may be as near as. */
  int is_axis = best.kind != NO_AXIS && best.apart <= 0.0;
  if (!is_axis) {
    nearest_segments(pair, out);
    is_axis = best.kind != NO_AXIS &&
              best.apart >= out->apart * (1.0 - NSD_SOLID_NEAREST) - NSD_SOLID_ROUNDING * pair->size;
    if (!is_axis) {
      return out->apart <= margin;
    }
  }
  /* 4: that axis: two edges, or a face over which edges cross. */
  out->apart = best.apart;
  nsd_vec3_scale(1.0, best.a, out->a);
  if (best.kind == EDGE_AXIS) {
    set_edges(pair, &best, out);
    return 1;
  }
  name_corner(pair, &best, best.index[1], out);
  return 2;
}

/* ---- pairs ---- */

/* All corners that are near a plane, the nearest one first. */
static void touch_plane(nsd_solid_pair *pair, int k)
{
  const nsd_solid_view *v = &pair->side[k], *w = &pair->side[1 - k];
  const double *n = v->plane[0];
  int32_t nearest = 0;
  for (int32_t i = 1; i < w->solid->corners; i++) {
    nearest = nsd_vec3_dot(n, w->corner[i]) < nsd_vec3_dot(n, w->corner[nearest]) ? i : nearest;
  }
  for (int32_t i = -1; i < w->solid->corners; i++) {
    const int32_t corner = i < 0 ? nearest : i;
    const double *x = w->corner[corner];
    const int32_t feature[2] = {0, corner};
    double foot[3];
    nsd_vec3_add_scaled(x, -(nsd_vec3_dot(n, x) - n[3]), n, foot);
    nsd_solid_tell(pair, k, feature, foot, x, n);
  }
}

static void touch_cores(nsd_solid_pair *pair)
{
  nsd_solid_nearest nearest = {.feature = {-1, -1}};
  const int found = find_nearest(pair, pair->margin + pair->radius, &nearest);
  if (!found) {
    return;
  }
  if (found == 1) {
    nsd_solid_tell(pair, 0, nearest.feature, nearest.x[0], nearest.x[1], nearest.a);
  } else { /* the nearest one of all the others */
    pair->nearest.gap = INFINITY;
    pair->scans = 1;
    nsd_solid_manifold(pair, &nearest);
    pair->scans = 0;
    if (pair->nearest.gap < INFINITY) {
      tell_touch(pair, &pair->nearest);
    } else { /* up to rounding at the edge of the face */
      nsd_solid_tell(pair, 0, nearest.feature, nearest.x[0], nearest.x[1], nearest.a);
    }
  }
  if (!pair->code) {
    nsd_solid_manifold(pair, &nearest);
  }
}

int nsd_solids_touch(const nsdyn_solid *first, const nsd_solid_place *at, const nsdyn_solid *second,
                     const nsd_solid_place *other, double margin, nsdyn_solid_visit *visit, void *user)
{
  double corner[NSD_SOLID_CORNERS][3], plane[NSD_SOLID_FACES][4], p[3], R[9], back[9], centre[3];
  nsd_solid_pair pair = {
      .side = {{first, (const double(*)[3])first->corner, (const double(*)[4])first->plane},
               {second, (const double(*)[3])corner, (const double(*)[4])plane}},
      .radius = first->radius + second->radius,
      .margin = margin,
      .place = at->place,
      .turn = at->turn,
      .visit = visit,
      .user = user,
      .told = {-1, -1}};
  /* 1: the second one as the first one sees it: x = p + R x', with R = R_Aᵀ R_B, p = R_Aᵀ (x_B − x_A). */
  nsd_mat3_transpose(at->turn, back);
  nsd_mat3_product(back, other->turn, R);
  nsd_vec3_add_scaled(other->place, -1.0, at->place, p);
  nsd_mat3_multiply(back, p, p);
  /* 2: balls round both that are farther apart than the margin. */
  const int is_plane[2] = {first->corners == 0, second->corners == 0};
  if (is_plane[0] && is_plane[1]) {
    return 0;
  }
  pair.size = (is_plane[0] ? 0.0 : first->reach) + (is_plane[1] ? 0.0 : second->reach);
  if (!is_plane[0] && !is_plane[1]) {
    nsd_mat3_multiply(R, second->centre, centre);
    nsd_vec3_add_scaled(p, 1.0, centre, centre);
    nsd_vec3_add_scaled(centre, -1.0, first->centre, centre);
    if (nsd_vec3_norm(centre) - pair.size > margin) {
      return 0;
    }
  }
  for (int32_t i = 0; i < second->corners; i++) {
    nsd_mat3_multiply(R, second->corner[i], corner[i]);
    nsd_vec3_add_scaled(p, 1.0, corner[i], corner[i]);
  }
  plane[0][0] = plane[0][1] = plane[0][2] = plane[0][3] = 0.0; /* without faces: read by nobody */
  for (int32_t f = 0; f < second->faces; f++) {
    nsd_mat3_multiply(R, second->plane[f], plane[f]);
    plane[f][3] = second->plane[f][3] + nsd_vec3_dot(plane[f], p);
  }
  /* 3: what touches. */
  const int k = is_plane[0] ? 0 : 1;
  const int has_tube = first->tube > 0.0 || second->tube > 0.0;
  if (is_plane[0] || is_plane[1]) {
    if (!has_tube || !nsd_cylinder_touch_plane(&pair, k)) {
      touch_plane(&pair, k);
    }
  } else if (has_tube) {
    nsd_cylinder_touch_point(&pair, first->tube > 0.0 ? 0 : 1);
  } else {
    touch_cores(&pair);
  }
  return pair.code;
}

/* ---- the public call ---- */

/* Places as those of a tree: differences and squares of them are numbers. */
static nsdyn_status read_pose(const double *pose, nsd_solid_place *out)
{
  const double *p = pose + 3;
  if (!nsd_vec3_is_finite(7, pose)) {
    return NSDYN_ERR_NOT_FINITE;
  }
  for (int i = 0; i < 3; i++) {
    if (!(fabs(pose[i]) < NSD_NUMBERS_END)) {
      return NSDYN_ERR_NOT_FINITE;
    }
  }
  if (p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0 && p[3] == 0.0) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsd_vec3_scale(1.0, pose, out->place);
  nsdyn_quaternion_to_matrix(p, out->turn);
  return NSDYN_OK;
}

nsdyn_status nsdyn_solids_touch(const nsdyn_solid *first, const double *pose, const nsdyn_solid *second,
                                const double *other, double margin, nsdyn_solid_visit *visit, void *user)
{
  nsd_solid_place at[2];
  if (!first || !pose || !second || !other || !visit) {
    return NSDYN_ERR_ARGUMENT;
  }
  nsdyn_status status = isnan(margin) ? NSDYN_ERR_NOT_FINITE : read_pose(pose, &at[0]);
  status = status ? status : read_pose(other, &at[1]);
  if (status) {
    return status;
  }
  if (!nsd_solids_compare(first, second)) {
    return NSDYN_ERR_UNSUPPORTED;
  }
  return nsd_solids_touch(first, &at[0], second, &at[1], margin, visit, user) ? NSDYN_CANCELLED : NSDYN_OK;
}
