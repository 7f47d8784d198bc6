/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/split.h"

#include <math.h>

#include "base/tolerances.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/drift/projection.h"
#include "stepper/scheme/scheme.h"

enum { ROUNDS = 24 };

/* b of a contact. */
typedef struct bias {
  int64_t key;
  int64_t index;
  double normal, tangent;
  int has_normal, has_tangent;
} bias;

struct nsd_split {
  nsd_arena arena;
  double *b; /* nconstraints */
  nsd_arena contacts_arena;
  bias *of; /* count, of room; in the order of the scene */
  int count, room;
  nsd_arena coming_arena;
  nsd_who *coming; /* coming_count, of coming_room: what takes part though it is open */
  int coming_count, coming_room;
  double reach; /* how far away those are, at most */
  int is_round; /* there has been a round, and this is another one: */
  int has_b;    /* with b */
  int is_plain; /* there was no solution: it is the projection after the step */
};

static void lay_out(nsd_arena *arena, struct nsd_split *p, const nsdyn_system_def *def)
{
  p->b = nsd_arena_take(arena, (size_t)def->nconstraints, sizeof *p->b);
}

nsdyn_status nsd_split_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  if (options->project != NSDYN_PROJECT_SPLIT || s->split) {
    return NSDYN_OK;
  }
  s->split = nsd_allocate(s->ctx, 1, sizeof *s->split);
  if (!s->split) {
    return NSDYN_ERR_NOMEM;
  }
  const nsd_split empty = {.arena = nsd_arena_empty(s->ctx),
                           .contacts_arena = nsd_arena_empty(s->ctx),
                           .coming_arena = nsd_arena_empty(s->ctx)};
  *s->split = empty;
  nsd_split counted = empty;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, &s->sys->def);
  const nsdyn_status status = nsd_arena_reserve(&s->split->arena, &measure);
  if (status) {
    nsd_split_release(s);
    return status;
  }
  lay_out(&s->split->arena, s->split, &s->sys->def);
  return NSDYN_OK;
}

void nsd_split_release(nsdyn_stepper *s)
{
  if (s->split) {
    nsd_arena_release(&s->split->arena);
    nsd_arena_release(&s->split->contacts_arena);
    nsd_arena_release(&s->split->coming_arena);
    nsd_release(s->ctx, s->split, 1, sizeof *s->split);
    s->split = NULL;
  }
}

static nsdyn_status reserve(nsdyn_stepper *s)
{
  nsd_split *p = s->split;
  if (s->scene.closed.count <= p->room) {
    return NSDYN_OK;
  }
  const size_t room = (size_t)s->scene.room_contacts;
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, room, sizeof *p->of);
  const nsdyn_status status = nsd_arena_reserve(&p->contacts_arena, &measure);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to split %d contacts",
                         s->scene.closed.count);
  }
  p->of = nsd_arena_take(&p->contacts_arena, room, sizeof *p->of);
  p->room = (int)room;
  return NSDYN_OK;
}

/* ---- what the parts of a step ask ---- */

int nsd_split_is_on(const nsdyn_stepper *s)
{
  return s->options.project == NSDYN_PROJECT_SPLIT && !s->split->is_plain;
}

int nsd_split_coming(const nsdyn_stepper *s, const nsd_who **coming, double *reach)
{
  const nsd_split *p = s->split;
  if (!p || !p->is_round) {
    return 0;
  }
  *coming = p->coming;
  *reach = p->reach;
  return p->coming_count;
}

static const bias *find(const nsd_split *p, const nsd_closed *c, int *from)
{
  for (int n = 0; n < p->count; n++) {
    const int k = (*from + n) % p->count;
    if (p->of[k].index == c->index && p->of[k].key == c->key) {
      *from = k + 1;
      return &p->of[k];
    }
  }
  return NULL;
}

/* For the first round, b as the past foretells it: what stays on its surface has all of b = θ κ Δt at the
 * end. What pressed and comes by nothing but its curvature has that as well: where it is the path alone that
 * presses, and forces lead away, a law without b opened it, and the step ended above its surface, where no ν
 * asks for another round. */
static void foretell_b(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count && !s->options.gap_term; k++) {
    nsd_past *own = &scene->closed.past[k];
    const int is_held = own->bias != 0.0 || (own->flags & NSD_PAST_CALM);
    if (is_held && own->turn != 0.0 && scene->closed.contact[k].law->kind == NSDYN_CONTACT_UNILATERAL) {
      own->bias = own->turn;
    }
  }
}

void nsd_split_put_b(nsdyn_stepper *s)
{
  nsd_split *p = s->split;
  nsd_scene *scene = &s->scene;
  int from = 0;
  if (!p || !(s->dt > 0.0) || s->options.project != NSDYN_PROJECT_SPLIT || (p->is_round && !p->has_b)) {
    return;
  }
  if (!p->is_round) {
    foretell_b(s);
    return;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    nsd_past *own = &scene->closed.past[k];
    const bias *b = find(p, c, &from);
    if (b && b->has_normal) {
      own->bias = own->turn = b->normal;
      if (!(own->flags & NSD_PAST_CURVE)) { /* it has just closed, and this is what curvature does to it */
        own->curve = b->normal / (s->theta * s->dt);
        own->flags |= NSD_PAST_CURVE | (b->normal != 0.0 ? NSD_PAST_BENT : 0);
      }
    }
    if (b && b->has_tangent) {
      own->bias_T = b->tangent;
    }
    scene->closed.is_watched |= own->bias != 0.0 || own->bias_T != 0.0 ? NSD_WATCH_BENT : 0;
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    s->drift_next[i].bias = p->b[i];
    scene->closed.is_watched |= p->b[i] != 0.0 ? NSD_WATCH_BENT : 0;
  }
}

/* Whether contact k presses on, and stays. */
static int stays(const nsdyn_stepper *s, int k)
{
  const nsd_scene *scene = &s->scene;
  const nsd_closed *c = &scene->closed.contact[k];
  const double rounding = s->solved ? s->options.tol * s->scale : 0.0;
  const double speed = nsd_scene_dot(scene, c->row, s->u_next) + scene->directions.w_hat[c->row];
  return c->mode != NSDYN_MODE_OPEN && c->law->kind == NSDYN_CONTACT_UNILATERAL &&
         speed + scene->closed.past[k].bias <= rounding;
}

void nsd_split_mark_landed(const nsdyn_stepper *s, nsd_history *pressed)
{
  const nsd_scene *scene = &s->scene;
  int lands = 0;
  /* Stewart & Trinkle's law of 1996, γ_N + g_N/Δt >= 0, closes gaps itself, and its next step counts with
   * what curvature has left of this one: put on its surface in each second step, a contact pressed twice as
   * much in that and hardly in the other. */
  const int is_asked = nsd_split_is_on(s) && !s->options.gap_term;
  for (int k = 0; is_asked && k < scene->closed.count; k++) {
    lands |= scene->closed.contact[k].gap > 0.0 && stays(s, k);
  }
  for (int k = 0; lands && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int64_t place = c->index < 0 ? nsd_keys_find(&pressed->keys, c->key) : c->index;
    int32_t *trace = c->index < 0 ? pressed->found_trace : pressed->trace;
    if (place >= 0 && stays(s, k)) {
      trace[place] |= NSD_LIFTED;
    }
  }
}

/* ---- the rounds ---- */

/* γ of a row at the end, with the velocities that the laws gave. */
static double speed_there(const nsdyn_stepper *s, int row)
{
  const nsd_scene *there = nsd_projection_scene(s);
  return nsd_scene_dot(there, row, s->u_solved) + there->directions.w_hat[row];
}

static double speed_here(const nsdyn_stepper *s, int row)
{
  return nsd_scene_dot(&s->scene, row, s->u_solved) + s->scene.directions.w_hat[row];
}

/* |x| in the metric of M, beyond rounding of what the row's velocity is made of, and of what moved it there:
 * what sticks is at rest, and its γ the rest of impulses that hold it. */
static double size_of(const nsdyn_stepper *s, int row, double x)
{
  const nsd_scene *there = nsd_projection_scene(s);
  const nsd_row w = nsd_scene_row(there, row);
  const double G = there->problem.G[(size_t)row * ((size_t)there->problem.ldg + 1)];
  const double size = nsd_row_size(fabs(there->directions.w_hat[row]), w, s->u_solved);
  const double noise = NSD_SPLIT_ROUNDING * size + NSD_SPLIT_WAY_ROUNDING * nsd_projection_moved_by(s, row);
  return fabs(x) > noise && G > 0.0 ? fabs(x) / sqrt(G) : 0.0;
}

/* Whether a contact of the scene at the end, open by its law, was kept from penetrating there and approaches:
 * its surface has turned towards it on the way, and with b its law closes it. */
static int comes_there(const nsdyn_stepper *s, const nsd_closed *c)
{
  const int32_t trace = nsd_history_trace(&s->projection->pressed, c);
  return trace >= 0 && (trace & NSD_LANDED) && speed_there(s, c->row) < 0.0;
}

/* b for the next round; returns by how much this one missed its laws at the end. */
static double measure(nsdyn_stepper *s)
{
  nsd_split *p = s->split;
  const nsd_scene *scene = &s->scene, *there = nsd_projection_scene(s);
  double missed = 0.0;
  int from = 0;
  p->count = 0;
  p->has_b = 1;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const nsd_past *own = &scene->closed.past[k];
    const int place = nsd_scene_place_of(there, c, &from);
    if (place < 0 || (c->mode == NSDYN_MODE_OPEN && !comes_there(s, &there->closed.contact[place]))) {
      continue;
    }
    bias *b = &p->of[p->count++];
    const int row = there->closed.contact[place].row;
    *b = (bias){.key = c->key,
                .index = c->index,
                .has_normal = !s->options.gap_term && !nsd_keep_closed_leaves(s, k, s->u_solved)};
    b->normal = speed_there(s, row) - speed_here(s, c->row);
    if (b->has_normal) {
      missed = nsd_larger(size_of(s, row, b->normal - own->bias), missed);
    }
    b->has_tangent = c->rows == 2;
    if (b->has_tangent) {
      b->tangent = speed_there(s, row + 1) - speed_here(s, c->row + 1);
      missed = nsd_larger(size_of(s, row + 1, b->tangent - own->bias_T), missed);
    }
  }
  for (int i = 0; i < scene->closed.rows - scene->closed.contact_rows; i++) {
    const int row = there->closed.contact_rows + i;
    p->b[i] = speed_there(s, row) - speed_here(s, scene->closed.contact_rows + i);
    missed = nsd_larger(size_of(s, row, p->b[i] - s->drift_next[i].bias), missed);
  }
  return missed;
}

/* Moreau's rule (moreau.c), which looks at gaps alone, with what comes. */
static nsdyn_status midpoint(nsdyn_stepper *s, double dt)
{
  const double half = 0.5 * dt;
  s->t_middle = s->t + half;
  nsdyn_status status = nsd_scheme_move(s, s->t, s->q, s->u, half, s->q_middle);
  status = status ? status : nsd_scheme_look_ahead(s, dt, NSDYN_ACTIVATION_GAP);
  status = status ? status : nsd_scheme_dynamics(s, dt);
  status = status ? status : nsd_scheme_velocities(s);
  status = status ? status : nsd_scheme_follow(s);
  return nsd_scheme_end(s, status, half);
}

/* The scheme's step and its projection once more. What the one before left is dropped, as in a step that is
 * rejected. */
static nsdyn_status go_round(nsdyn_stepper *s, double dt)
{
  s->history.stray_next_count = s->history.is_in_solver = s->has_f_next = 0;
  s->rebounds = s->inelastic = s->solved = 0;
  s->scene.closed.count = s->scene.closed.rows = s->scene.closed.is_watched = 0;
  s->split->is_round = 1;
  nsdyn_status status = s->scheme == &nsd_scheme_moreau ? midpoint(s, dt) : s->scheme->step(s, dt);
  status = status ? status : nsd_projection_apply(s);
  s->split->is_round = 0;
  return status;
}

/* Another round, without b if it `is_over`. Where contacts cannot all lie on their surfaces, one in which
 * they need not; then, as the last, one without what comes. */
static nsdyn_status go_on(nsdyn_stepper *s, double dt, int *is_over)
{
  nsd_split *p = s->split;
  p->has_b &= !*is_over;
  nsdyn_status status = go_round(s, dt);
  if (nsd_is_unanswered(status) && !p->is_plain) {
    p->is_plain = 1;
    nsd_fault_clear(&s->fault);
    status = go_round(s, dt);
  }
  if (nsd_is_unanswered(status)) {
    *is_over = 1;
    p->has_b = p->coming_count = 0;
    nsd_fault_clear(&s->fault);
    status = go_round(s, dt);
  }
  return status;
}

static int is_coming(const nsd_split *p, nsd_who who)
{
  for (int k = 0; k < p->coming_count; k++) {
    if (p->coming[k].index == who.index && p->coming[k].key == who.key) {
      return 1;
    }
  }
  return 0;
}

/* Adds what ν has lifted that did not press to what takes part; *comes: there is more of it now. */
static nsdyn_status add_coming(nsdyn_stepper *s, int *comes)
{
  nsd_split *p = s->split;
  const nsd_who *lifted;
  double reach;
  const int count = nsd_projection_lifted(s, &lifted, &reach);
  if (p->coming_count + count > p->coming_room) {
    const size_t room = 2 * ((size_t)p->coming_count + (size_t)count);
    nsd_arena wider = nsd_arena_empty(s->ctx);
    nsd_arena measure = nsd_arena_measure();
    (void)nsd_arena_take(&measure, room, sizeof *p->coming);
    const nsdyn_status status = nsd_arena_reserve(&wider, &measure);
    if (status) {
      return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts that close",
                           count);
    }
    nsd_who *coming = nsd_arena_take(&wider, room, sizeof *p->coming);
    for (int k = 0; k < p->coming_count; k++) {
      coming[k] = p->coming[k];
    }
    nsd_arena_release(&p->coming_arena);
    p->coming_arena = wider;
    p->coming = coming;
    p->coming_room = (int)room;
  }
  *comes = 0;
  for (int k = 0; k < count; k++) {
    if (!is_coming(p, lifted[k])) {
      p->coming[p->coming_count++] = lifted[k];
      *comes = 1;
    }
  }
  p->reach = nsd_larger(reach, p->reach);
  return NSDYN_OK;
}

nsdyn_status nsd_split_apply(nsdyn_stepper *s, double dt)
{
  nsd_split *p = s->split;
  p->has_b = p->is_plain = p->count = p->coming_count = 0;
  p->reach = 0.0;
  /* 1: ν for the velocities of the first round, which has b by what the past says. */
  nsdyn_status status = nsd_projection_apply(s);
  int is_over = 0;
  if (nsd_is_unanswered(status)) {
    p->is_plain = 1;
    nsd_fault_clear(&s->fault);
    status = go_on(s, dt, &is_over);
  }
  double before = INFINITY;
  for (int round = 1; status == NSDYN_OK && !is_over && round < ROUNDS; round++) {
    /* 2: b by the place and the velocities of this round's end, and what has closed in it. */
    const int closed = s->scene.closed.rows && nsd_projection_scene(s)->closed.rows;
    int comes = 0;
    status = reserve(s);
    status = status ? status : add_coming(s, &comes);
    const double missed = status == NSDYN_OK && closed ? measure(s) : 0.0;
    if (status || (!(missed > 0.0) && !comes)) {
      return status;
    }
    /* 3: Λ by the laws at the end, then ν. Where directions jump there may be no fixed point. */
    is_over = !(missed <= 0.5 * before) && !comes;
    before = comes ? INFINITY : missed;
    status = go_on(s, dt, &is_over);
  }
  return status;
}
