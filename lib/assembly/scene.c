/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The scene itself: its memory, which grows with what is closed. */
#include "assembly/scene.h"

#include <limits.h>

void nsd_scene_init(nsd_scene *scene, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault)
{
  const nsd_scene empty = {.sys = sys,
                           .arena = nsd_arena_empty(ctx),
                           .room_contacts = -1,
                           .room_rows = -1,
                           .dense = nsd_arena_empty(ctx),
                           .room_dense = -1};
  *scene = empty;
  nsd_operator_init(&scene->problem.W_free, ctx);
  scene->problem.free_room = nsd_arena_empty(ctx);
  nsd_sink_init(&scene->closed.sink, sys, ctx, fault);
  nsd_sink_init(&scene->directions.told, sys, ctx, fault);
}

void nsd_scene_release(nsd_scene *scene)
{
  nsd_arena_release(&scene->arena);
  nsd_arena_release(&scene->dense);
  nsd_arena_release(&scene->problem.free_room);
  nsd_operator_release(&scene->problem.W_free);
  nsd_sink_release(&scene->closed.sink);
  nsd_sink_release(&scene->directions.told);
}

void nsd_scene_lay_out(nsd_arena *arena, nsd_scene *scene)
{
  const size_t contacts = (size_t)scene->sys->def.ncontacts;
  scene->closed.g = nsd_arena_take(arena, contacts, sizeof *scene->closed.g);
  scene->closed.touch = nsd_arena_take(arena, contacts, sizeof *scene->closed.touch);
  scene->closed.index = nsd_arena_take(arena, contacts, sizeof *scene->closed.index);
  scene->directions.g_b =
      nsd_arena_take(arena, (size_t)scene->sys->def.nconstraints, sizeof *scene->directions.g_b);
}

static void lay_out_rows(nsd_arena *arena, nsd_scene *s, size_t contacts, size_t rows)
{
  s->closed.contact = nsd_arena_take(arena, contacts, sizeof *s->closed.contact);
  s->problem.spec = nsd_arena_take(arena, contacts, sizeof *s->problem.spec);
  s->problem.space = nsd_arena_take(arena, contacts, sizeof *s->problem.space);
  s->problem.restitution = nsd_arena_take(arena, contacts, sizeof *s->problem.restitution);
  s->solution.state = nsd_arena_take(arena, contacts, sizeof *s->solution.state);
  s->closed.past = nsd_arena_take(arena, contacts, sizeof *s->closed.past);
  s->directions.w_hat_own =
      nsd_arena_take(arena, rows + NSD_CONTACT_ROWS - 1, sizeof *s->directions.w_hat_own);
  s->problem.gamma = nsd_arena_take(arena, rows, sizeof *s->problem.gamma);
  s->problem.shift = nsd_arena_take(arena, rows, sizeof *s->problem.shift);
  s->problem.w_bar = nsd_arena_take(arena, rows, sizeof *s->problem.w_bar);
  s->problem.c = nsd_arena_take(arena, rows, sizeof *s->problem.c);
  s->solution.Lambda = nsd_arena_take(arena, rows, sizeof *s->solution.Lambda);
  s->solution.xi = nsd_arena_take(arena, rows, sizeof *s->solution.xi);
}

static void lay_out_dense(nsd_arena *arena, nsd_scene *s, size_t rows)
{
  const size_t width = (size_t)s->sys->def.nu * sizeof(double);
  s->directions.W_own = nsd_arena_take(arena, rows + NSD_CONTACT_ROWS - 1, width);
  s->problem.X_own = nsd_arena_take(arena, rows, width);
  s->problem.G_own = nsd_arena_take(arena, rows, rows * sizeof *s->problem.G_own);
  nsd_gram_lay_out(arena, &s->problem.gram, rows, (size_t)s->sys->def.nu);
}

nsdyn_status nsd_scene_reserve_dense(nsd_scene *scene, nsd_fault *fault)
{
  /* As many as the contacts have room for, unless those are far more than there are. */
  const size_t room = (size_t)scene->room_rows, rows = (size_t)scene->closed.rows;
  const size_t most = NSD_CONTACT_ROWS * (rows + NSD_SPARSE_ROWS), wanted = room < most ? room : most;
  nsd_scene counted = *scene;
  nsd_arena measure = nsd_arena_measure();
  lay_out_dense(&measure, &counted, wanted);
  const nsdyn_status status = nsd_arena_reserve(&scene->dense, &measure);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d closed contacts",
                         scene->closed.count);
  }
  lay_out_dense(&scene->dense, scene, wanted);
  scene->directions.edition = 0;
  scene->room_dense = (int)wanted;
  return NSDYN_OK;
}

nsdyn_status nsd_scene_reserve(nsd_scene *scene, size_t contacts, nsd_fault *fault)
{
  const size_t constraints = (size_t)scene->sys->def.nconstraints;
  const size_t room = nsd_room_ahead(contacts);
  const size_t rows = NSD_CONTACT_ROWS * room + constraints;
  if (rows > INT_MAX / 8) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_NONE, -1,
                         "%zu closed contacts are too many", contacts);
  }
  nsd_scene counted = *scene;
  nsd_arena measure = nsd_arena_measure();
  lay_out_rows(&measure, &counted, room, rows);
  const nsdyn_status status = nsd_arena_reserve(&scene->arena, &measure);
  if (status) {
    return nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %zu closed contacts", contacts);
  }
  lay_out_rows(&scene->arena, scene, room, rows);
  scene->directions.edition = 0;
  scene->room_contacts = (int)room;
  scene->room_rows = (int)rows;
  return NSDYN_OK;
}
