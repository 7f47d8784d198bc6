/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The object: cores of all kinds, edges from the rounds of their faces, volume and inertia. */
#include "geometry/space/solid.h"

#include <string.h>

#include "base/tolerances.h"
#include "geometry/space/hull.h"

static const char *const names[] = {"sphere", "capsule", "box", "plane", "hull", "cylinder"};

nsdyn_status nsdyn_solid_def_init(nsdyn_solid_def *def, size_t size)
{
  return nsd_sized_init(def, size, NSD_SOLID_DEF_LEAST, NULL, sizeof *def);
}

nsdyn_status nsdyn_solid_properties_init(nsdyn_solid_properties *properties, size_t size)
{
  return nsd_sized_init(properties, size, NSD_SOLID_PROPERTIES_LEAST, NULL, sizeof *properties);
}

const char *nsd_solid_name(const nsdyn_solid *solid)
{
  return names[solid->kind];
}

int32_t nsd_solid_features(const nsdyn_solid *solid)
{
  return solid->corners + solid->edges + solid->faces;
}

/* ---- what is given ---- */

#define FIELD(name) offsetof(nsdyn_solid_def, name)

static nsdyn_status refuse(nsd_fault *fault, const nsdyn_solid_def *def, nsdyn_status status, size_t offset,
                           const char *text)
{
  return nsd_fault_set(fault, status, NSDYN_DETAIL_FIELD, (int64_t)offset, "nsdyn_solid_new: %s: %s",
                       names[def->kind], text);
}

/* A size that is a number, and powers of which are. */
static int is_length(double x)
{
  return x > NSD_SOLID_LEAST && x < NSD_SOLID_LARGEST;
}

static nsdyn_status check(const nsdyn_solid_def *def, nsd_fault *fault)
{
  static const int lengths[] = {0, 1, 3, 0, 0, 1}; /* how many of `extent` a kind reads */
  if (def->kind < NSDYN_SOLID_SPHERE || def->kind > NSDYN_SOLID_CYLINDER) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)FIELD(kind),
                         "nsdyn_solid_new: kind is not one of nsdyn_solid_kind");
  }
  for (int i = 0; i < lengths[def->kind]; i++) {
    if (!is_length(def->extent[i])) {
      return refuse(fault, def, isfinite(def->extent[i]) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                    FIELD(extent), "extent is not a length between 2^-120 and 2^120");
    }
  }
  const int is_round = def->kind == NSDYN_SOLID_SPHERE || def->kind == NSDYN_SOLID_CAPSULE ||
                       def->kind == NSDYN_SOLID_CYLINDER;
  if (def->kind != NSDYN_SOLID_PLANE && !(is_length(def->radius) || (!is_round && def->radius == 0.0))) {
    return refuse(fault, def, isfinite(def->radius) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                  FIELD(radius), "radius is no length between 2^-120 and 2^120, or 0 where it may");
  }
  if (def->kind == NSDYN_SOLID_HULL && (def->count < 4 || !def->points)) {
    return refuse(fault, def, NSDYN_ERR_ARGUMENT, FIELD(points), "points are less than four, or NULL");
  }
  if (def->kind == NSDYN_SOLID_HULL && def->count > NSD_SOLID_CORNERS) {
    return refuse(fault, def, NSDYN_ERR_TOO_LARGE, FIELD(count), "count is more than 256");
  }
  for (int32_t i = 0; def->kind == NSDYN_SOLID_HULL && i < 3 * def->count; i++) {
    if (!(fabs(def->points[i]) < NSD_SOLID_LARGEST)) {
      return nsd_fault_set(fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_FIELD, (int64_t)FIELD(points),
                           "nsdyn_solid_new: hull: point %d is not finite, or not below 2^120", (int)(i / 3));
    }
  }
  return NSDYN_OK;
}

/* ---- the core ---- */

/* As many corners, and faces with so many corners in all, twice the edges. */
static void lay_out(nsd_arena *arena, nsdyn_solid *solid)
{
  const size_t sides = solid->faces > 1 && solid->tube == 0.0 ? 2 * (size_t)solid->edges : 0;
  solid->corner = nsd_arena_take(arena, (size_t)solid->corners, sizeof *solid->corner);
  solid->plane = nsd_arena_take(arena, (size_t)solid->faces, sizeof *solid->plane);
  solid->edge = nsd_arena_take(arena, (size_t)solid->edges, sizeof *solid->edge);
  solid->face = nsd_arena_take(arena, (size_t)solid->faces, sizeof *solid->face);
  solid->round = nsd_arena_take(arena, sides, sizeof *solid->round);
  solid->round_edge = nsd_arena_take(arena, sides, sizeof *solid->round_edge);
}

static nsdyn_status reserve(nsdyn_solid *solid, int32_t corners, int32_t edges, int32_t faces)
{
  solid->corners = corners;
  solid->edges = edges;
  solid->faces = faces;
  nsdyn_solid measured = *solid;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &measured);
  const nsdyn_status status = nsd_arena_reserve(&solid->arena, &measure);
  if (!status) {
    lay_out(&solid->arena, solid);
  }
  return status;
}

/* Edges of a polyhedron from the rounds of its faces: an edge is met by the first of its faces one way, by
 * the second one the other way. */
static void join_rounds(nsdyn_solid *solid)
{
  int32_t known = 0;
  for (int32_t f = 0; f < solid->faces; f++) {
    const nsd_solid_face *face = &solid->face[f];
    for (int32_t k = 0; k < face->count; k++) {
      const int32_t from = solid->round[face->first + k];
      const int32_t to = solid->round[face->first + (k + 1) % face->count];
      int32_t e = 0;
      while (e < known && !(solid->edge[e].end[0] == to && solid->edge[e].end[1] == from)) {
        e++;
      }
      if (e == known && e < solid->edges) { /* as many as there is room for, where rounds are closed */
        solid->edge[known++] = (nsd_solid_edge){{from, to}, {f, f}};
      } else if (e < known) {
        solid->edge[e].face[1] = f;
      }
      solid->round_edge[face->first + k] = e;
    }
  }
}

static nsdyn_status make_box(nsdyn_solid *solid, const nsdyn_solid_def *def)
{
  /* Corners of a face −x, +x, and so on, to the left round its outward normal. */
  static const int32_t rounds[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  const nsdyn_status status = reserve(solid, 8, 12, 6);
  if (status) {
    return status;
  }
  for (int32_t k = 0; k < 8; k++) {
    for (int i = 0; i < 3; i++) {
      solid->corner[k][i] = (k >> i & 1 ? 0.5 : -0.5) * def->extent[i];
    }
  }
  for (int32_t f = 0; f < 6; f++) {
    memset(solid->plane[f], 0, sizeof solid->plane[f]);
    solid->plane[f][f / 2] = f % 2 ? 1.0 : -1.0;
    solid->plane[f][3] = 0.5 * def->extent[f / 2];
    solid->face[f] = (nsd_solid_face){4 * f, 4};
    memcpy(solid->round + (ptrdiff_t)4 * f, rounds[f], sizeof rounds[f]);
  }
  join_rounds(solid);
  return NSDYN_OK;
}

/* Corners of both rims; rims are edges without ends, and what is flat or round has no plane of its own here:
 * cylinder.c knows them. */
static nsdyn_status make_cylinder(nsdyn_solid *solid, const nsdyn_solid_def *def)
{
  solid->tube = def->radius;
  solid->radius = 0.0;
  const nsdyn_status status = reserve(solid, 8, 2, 3);
  if (status) {
    return status;
  }
  for (int32_t k = 0; k < 8; k++) {
    nsd_vec3_set(0.0, 0.0, k < 4 ? -0.5 * def->extent[0] : 0.5 * def->extent[0], solid->corner[k]);
    solid->corner[k][k / 2 % 2] = k % 2 ? -def->radius : def->radius;
  }
  for (int32_t e = 0; e < 2; e++) {
    solid->edge[e] = (nsd_solid_edge){{0, 0}, {-1, -1}};
  }
  memset(solid->plane, 0, 3 * sizeof *solid->plane);
  memset(solid->face, 0, 3 * sizeof *solid->face);
  return NSDYN_OK;
}

static nsdyn_status make_hull(nsdyn_solid *solid, const nsdyn_solid_def *def, nsd_fault *fault)
{
  nsd_hull *hull = nsd_allocate(solid->ctx, 1, sizeof *hull);
  if (!hull) {
    return NSDYN_ERR_NOMEM;
  }
  nsdyn_status status = NSDYN_OK;
  const int code = nsd_hull_make(def->count, def->points, hull);
  if (code == NSD_HULL_TORN) {
    status = refuse(fault, def, NSDYN_ERR_ARGUMENT, FIELD(points),
                    "points make no closed surface, what is flat taken as 2^-30 to 2^-16 of their extent");
  } else if (code) {
    status = refuse(fault, def, NSDYN_ERR_ARGUMENT, FIELD(points),
                    "points lie in one plane, up to 2^-30 of their extent, or within 2^-120");
  }
  status = status ? status : reserve(solid, hull->corners, hull->sides / 2, hull->faces);
  if (!status) {
    memcpy(solid->corner, hull->corner, (size_t)hull->corners * sizeof *hull->corner);
    memcpy(solid->plane, hull->plane, (size_t)hull->faces * sizeof *hull->plane);
    memcpy(solid->round, hull->round, (size_t)hull->sides * sizeof *hull->round);
    for (int32_t f = 0; f < hull->faces; f++) {
      solid->face[f] = (nsd_solid_face){hull->first[f], hull->first[f + 1] - hull->first[f]};
    }
    join_rounds(solid);
  }
  nsd_release(solid->ctx, hull, 1, sizeof *hull);
  return status;
}

static nsdyn_status make_core(nsdyn_solid *solid, const nsdyn_solid_def *def, nsd_fault *fault)
{
  nsdyn_status status = NSDYN_OK;
  switch (def->kind) {
  case NSDYN_SOLID_SPHERE:
    status = reserve(solid, 1, 0, 0);
    if (!status) {
      nsd_vec3_set(0.0, 0.0, 0.0, solid->corner[0]);
    }
    return status;
  case NSDYN_SOLID_CAPSULE:
    status = reserve(solid, 2, 1, 0);
    if (!status) {
      nsd_vec3_set(0.0, 0.0, -0.5 * def->extent[0], solid->corner[0]);
      nsd_vec3_set(0.0, 0.0, 0.5 * def->extent[0], solid->corner[1]);
      solid->edge[0] = (nsd_solid_edge){{0, 1}, {-1, -1}};
    }
    return status;
  case NSDYN_SOLID_BOX:
    return make_box(solid, def);
  case NSDYN_SOLID_CYLINDER:
    return make_cylinder(solid, def);
  case NSDYN_SOLID_PLANE:
    status = reserve(solid, 0, 0, 1);
    if (!status) {
      memcpy(solid->plane[0], (double[]){0.0, 0.0, 1.0, 0.0}, sizeof solid->plane[0]);
      solid->face[0] = (nsd_solid_face){0, 0};
    }
    return status;
  default:
    return make_hull(solid, def, fault);
  }
}

/* ---- what it measures ---- */

/* ∫ dV, ∫ x dV and ∫ x_i x_j dV of a polyhedron: tetrahedra from corner 0 to triangles of all faces, with
 * ∫ x xᵀ dV = V/20 (Σ p pᵀ + s sᵀ) of corners p, one of them 0, and their sum s. */
static void sum_tetrahedra(const nsdyn_solid *solid, double *volume, double *first, double *second)
{
  const double *origin = solid->corner[0];
  for (int32_t f = 0; f < solid->faces; f++) {
    const int32_t *round = solid->round + solid->face[f].first;
    for (int32_t k = 1; k + 1 < solid->face[f].count; k++) {
      const int32_t corners[3] = {round[0], round[k], round[k + 1]};
      double p[9], s[3];
      for (ptrdiff_t j = 0; j < 3; j++) {
        nsd_vec3_add_scaled(solid->corner[corners[j]], -1.0, origin, p + 3 * j);
      }
      nsd_vec3_add_scaled(p, 1.0, p + 3, s);
      nsd_vec3_add_scaled(s, 1.0, p + 6, s);
      const double V = nsd_mat3_determinant(p) / 6.0;
      *volume += V;
      nsd_vec3_add_scaled(first, 0.25 * V, s, first);
      for (int i = 0; i < 9; i++) {
        const int a = i / 3, b = i % 3;
        second[i] += 0.05 * V * ((p[a] * p[b] + p[3 + a] * p[3 + b]) + (p[6 + a] * p[6 + b] + s[a] * s[b]));
      }
    }
  }
}

static void measure_polyhedron(const nsdyn_solid *solid, nsdyn_solid_properties *out)
{
  double c[3] = {0.0}, S[9] = {0.0};
  sum_tetrahedra(solid, &out->volume, c, S);
  nsd_vec3_scale(1.0 / out->volume, c, c);
  for (int i = 0; i < 9; i++) { /* about the centroid */
    S[i] -= out->volume * c[i / 3] * c[i % 3];
  }
  nsd_vec3_add_scaled(solid->corner[0], 1.0, c, out->centroid);
  nsd_vec3_set(S[4] + S[8], S[0] + S[8], S[0] + S[4], out->inertia);
  nsd_vec3_set(-S[1], -S[2], -S[5], out->inertia + 3);
}

#define PI 3.14159265358979323846

static void measure(const nsdyn_solid *solid, const nsdyn_solid_def *def, nsdyn_solid_properties *out)
{
  const double r = solid->radius + solid->tube, l = def->extent[0];
  *out = (nsdyn_solid_properties){.size = sizeof *out,
                                  .kind = solid->kind,
                                  .corners = solid->corners,
                                  .edges = solid->edges,
                                  .faces = solid->faces};
  if (solid->kind == NSDYN_SOLID_PLANE) {
    out->volume = INFINITY;
  } else if (solid->kind == NSDYN_SOLID_SPHERE) {
    out->volume = 4.0 / 3.0 * PI * r * r * r;
    const double J = 0.4 * out->volume * r * r;
    nsd_vec3_set(J, J, J, out->inertia);
  } else if (solid->kind == NSDYN_SOLID_CAPSULE) {
    /* A cylinder and the halves of a ball, whose centroids are 3/8 r beyond its ends. */
    const double tube = PI * r * r * l, ball = 4.0 / 3.0 * PI * r * r * r;
    const double across =
        tube * (l * l / 12.0 + 0.25 * r * r) + ball * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
    out->volume = tube + ball;
    nsd_vec3_set(across, across, 0.5 * tube * r * r + 0.4 * ball * r * r, out->inertia);
  } else if (solid->kind == NSDYN_SOLID_CYLINDER) {
    out->volume = PI * r * r * l;
    const double across = out->volume * (l * l / 12.0 + 0.25 * r * r);
    nsd_vec3_set(across, across, 0.5 * out->volume * r * r, out->inertia);
  } else if (solid->kind == NSDYN_SOLID_BOX) { /* its middle is the origin to the last digit */
    const double *e = def->extent, V = e[0] * e[1] * e[2];
    out->volume = V;
    nsd_vec3_set(V / 12.0 * (e[1] * e[1] + e[2] * e[2]), V / 12.0 * (e[0] * e[0] + e[2] * e[2]),
                 V / 12.0 * (e[0] * e[0] + e[1] * e[1]), out->inertia);
  } else {
    measure_polyhedron(solid, out);
  }
}

/* A ball round the middle of the box round its corners. */
static void set_reach(nsdyn_solid *solid)
{
  double box[6];
  const double origin[3] = {0.0}, axes[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  solid->reach = INFINITY;
  if (solid->corners == 0) {
    return;
  }
  nsd_solid_box(solid, origin, axes, box);
  double farthest = 0.0, way[3];
  for (int i = 0; i < 3; i++) {
    solid->centre[i] = 0.5 * (box[i] + box[3 + i]);
  }
  for (int32_t k = 0; k < solid->corners; k++) {
    nsd_vec3_add_scaled(solid->corner[k], -1.0, solid->centre, way);
    farthest = fmax(farthest, nsd_vec3_norm(way));
  }
  solid->reach = farthest + solid->radius;
}

void nsd_solid_box(const nsdyn_solid *solid, const double place[3], const double turn[9], double box[6])
{
  for (int i = 0; i < 3; i++) {
    box[i] = solid->corners ? INFINITY : -INFINITY;
    box[3 + i] = -box[i];
  }
  for (int32_t k = 0; k < solid->corners; k++) {
    double x[3];
    nsd_mat3_multiply(turn, solid->corner[k], x);
    for (int i = 0; i < 3; i++) {
      box[i] = fmin(box[i], place[i] + x[i] - solid->radius);
      box[3 + i] = fmax(box[3 + i], place[i] + x[i] + solid->radius);
    }
  }
  for (int i = 0; i < 3 && solid->tube > 0.0; i++) { /* rims: R times the sine between axis and direction */
    const double *row = turn + (ptrdiff_t)3 * i;
    const double half = fabs(row[2]) * solid->corner[4][2] + solid->tube * hypot(row[0], row[1]);
    box[i] = place[i] - half;
    box[3 + i] = place[i] + half;
  }
}

int nsd_solids_compare(const nsdyn_solid *first, const nsdyn_solid *second)
{
  const nsdyn_solid *pair[2] = {first, second};
  for (int k = 0; k < 2; k++) {
    const int32_t other = pair[1 - k]->kind;
    if ((pair[k]->kind == NSDYN_SOLID_PLANE && other == NSDYN_SOLID_PLANE) ||
        (pair[k]->kind == NSDYN_SOLID_CYLINDER && other != NSDYN_SOLID_PLANE &&
         other != NSDYN_SOLID_SPHERE)) {
      return 0;
    }
  }
  return 1;
}

/* ---- the object ---- */

static nsdyn_status make(nsdyn_context *ctx, const nsdyn_solid_def *def, nsdyn_solid **out, nsd_fault *fault)
{
  if (!def) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1, "nsdyn_solid_new: def is NULL");
  }
  nsdyn_solid_def own;
  nsdyn_status status = NSD_SIZED_READ(nsdyn_solid_def, &own, NSD_SOLID_DEF_LEAST, def, fault);
  status = status ? status : check(&own, fault);
  if (status) {
    return status;
  }
  nsdyn_solid *solid = nsd_allocate(ctx, 1, sizeof *solid);
  if (!solid) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1, "nsdyn_solid_new: out of memory");
  }
  memset(solid, 0, sizeof *solid);
  solid->ctx = nsd_context_hold(ctx);
  solid->arena = nsd_arena_empty(ctx);
  atomic_init(&solid->holders, 1);
  solid->kind = own.kind;
  solid->radius = own.kind == NSDYN_SOLID_PLANE ? 0.0 : own.radius;
  status = make_core(solid, &own, fault);
  if (status) {
    nsdyn_solid_free(solid);
    return status == NSDYN_ERR_NOMEM
               ? nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "nsdyn_solid_new: out of memory")
               : status;
  }
  set_reach(solid);
  measure(solid, &own, &solid->properties);
  *out = solid;
  return NSDYN_OK;
}

nsdyn_status nsdyn_solid_new(nsdyn_context *ctx, const nsdyn_solid_def *def, nsdyn_solid **out,
                             nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_solid_new", 2);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, def, out, &fault);
  }
  return nsd_error_end(error, &fault, status);
}

nsdyn_solid *nsd_solid_hold(nsdyn_solid *solid)
{
  atomic_fetch_add_explicit(&solid->holders, 1, memory_order_relaxed);
  return solid;
}

void nsdyn_solid_free(nsdyn_solid *solid)
{
  if (solid && atomic_fetch_sub_explicit(&solid->holders, 1, memory_order_acq_rel) == 1) {
    nsdyn_context *ctx = solid->ctx;
    nsd_arena_release(&solid->arena);
    nsd_release(ctx, solid, 1, sizeof *solid);
    nsd_context_drop(ctx);
  }
}

nsdyn_status nsdyn_solid_measure(const nsdyn_solid *solid, nsdyn_solid_properties *properties)
{
  return solid && properties ? nsd_sized_write(properties, NSD_SOLID_PROPERTIES_LEAST, &solid->properties,
                                               sizeof solid->properties)
                             : NSDYN_ERR_ARGUMENT;
}
