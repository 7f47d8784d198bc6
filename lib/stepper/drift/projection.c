/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/drift/projection.h"

#include <limits.h>
#include <math.h>

#include "base/tolerances.h"
#include "contact/door.h"
#include "stepper/check/verify_gaps.h"
#include "stepper/drift/agree_rows.h"
#include "stepper/drift/follow_path.h"
#include "stepper/drift/keep_closed.h"
#include "stepper/drift/lifted.h"
#include "stepper/drift/pay_lift.h"
#include "stepper/drift/split.h"
#include "stepper/drift/turn_impulses.h"
#include "stepper/scheme/implicit.h"

enum {
  ROUNDS = 40,  /* of Newton's method */
  HALVINGS = 8, /* of one step of it */
  FEW = 32      /* rows that are factored once more without much ado */
};

/* ---- its arena ---- */

static void lay_out(nsd_arena *arena, nsd_projection *p, const nsdyn_system_def *def)
{
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  p->q = nsd_arena_take(arena, nq, sizeof *p->q);
  p->q_good = nsd_arena_take(arena, nq > nu ? nq : nu, sizeof *p->q_good);
  p->delta = nsd_arena_take(arena, nu, sizeof *p->delta);
  p->set = nsd_arena_take(arena, nu, sizeof *p->set);
  p->sum = nsd_arena_take(arena, nu, sizeof *p->sum);
  p->turned = nsd_arena_take(arena, nu, sizeof *p->turned);
  p->from = nsd_arena_take(arena, nu, sizeof *p->from);
  p->moved = nsd_arena_take(arena, nu, sizeof *p->moved);
  nsd_inertia_lay_out(arena, &p->inertia, def);
  nsd_scene_lay_out(arena, &p->scene);
  nsd_history_lay_out(arena, &p->pressed, def->ncontacts);
}

static nsdyn_status make(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  nsd_projection counted = *p;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, def);
  const nsdyn_status status = nsd_arena_reserve(&p->arena, &measure);
  if (status) {
    return status;
  }
  lay_out(&p->arena, p, def);
  nsd_history_clear(&p->pressed, def->ncontacts);
  nsd_fill_zero(def->ncontacts, p->scene.closed.touch);
  p->scene.history = &p->pressed;
  p->scene.directions.cache = s->scene.directions.cache;
  return nsdyn_contact_new(s->ctx, NULL, &p->contact, NULL);
}

nsdyn_status nsd_projection_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  return options->project ? nsd_projection_make(s) : NSDYN_OK;
}

nsdyn_status nsd_projection_make(nsdyn_stepper *s)
{
  if (s->projection) {
    return NSDYN_OK;
  }
  s->projection = nsd_allocate(s->ctx, 1, sizeof *s->projection);
  if (!s->projection) {
    return NSDYN_ERR_NOMEM;
  }
  const nsd_projection empty = {.arena = nsd_arena_empty(s->ctx),
                                .rows_arena = nsd_arena_empty(s->ctx),
                                .lifted_arena = nsd_arena_empty(s->ctx)};
  *s->projection = empty;
  nsd_scene_init(&s->projection->scene, s->sys, s->ctx, &s->fault);
  nsd_history_init(&s->projection->pressed, s->ctx);
  const nsdyn_status status = make(s);
  if (status) {
    nsd_projection_release(s);
  }
  return status;
}

void nsd_projection_release(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  if (!p) {
    return;
  }
  nsd_scene_release(&p->scene);
  nsd_history_release(&p->pressed);
  nsdyn_contact_free(p->contact);
  nsd_arena_release(&p->arena);
  nsd_arena_release(&p->rows_arena);
  nsd_arena_release(&p->lifted_arena);
  nsd_release(s->ctx, p, 1, sizeof *p);
  s->projection = NULL;
}

static void lay_out_rows(nsd_arena *arena, nsd_projection *p, size_t rows)
{
  p->row = nsd_arena_take(arena, rows, sizeof *p->row);
  p->spec = nsd_arena_take(arena, rows, sizeof *p->spec);
  p->after = nsd_arena_take(arena, rows, sizeof *p->after);
  p->c = nsd_arena_take(arena, rows, sizeof *p->c);
  p->Lambda = nsd_arena_take(arena, rows, sizeof *p->Lambda);
  p->G = nsd_arena_take(arena, rows, rows * sizeof *p->G);
  p->noise = nsd_arena_take(arena, rows, sizeof *p->noise);
  p->bent = nsd_arena_take(arena, rows, sizeof *p->bent);
}

static nsdyn_status reserve_rows(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  if (p->scene.closed.rows <= p->rows_room) {
    return NSDYN_OK;
  }
  const size_t rows = (size_t)p->scene.room_rows;
  nsd_projection counted = *p;
  nsd_arena measure = nsd_arena_measure();
  lay_out_rows(&measure, &counted, rows);
  const nsdyn_status status = nsd_arena_reserve(&p->rows_arena, &measure);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory to project %d rows",
                         p->scene.closed.rows);
  }
  lay_out_rows(&p->rows_arena, p, rows);
  p->rows_room = (int)rows;
  return NSDYN_OK;
}

/* ---- the scene at the corrected coordinates ---- */

static double largest(int n, const double *x)
{
  double most = 0.0;
  for (int j = 0; j < n; j++) {
    most = nsd_larger(fabs(x[j]), most);
  }
  return most;
}

/* A length that what pressed cannot have moved farther than within the step, but for rounding: at an
 * inflection of its surface it does not move, and what is left is the rounding of its coordinates, and of the
 * clock, by which a surface moves on, or a constraint moves coordinates. */
static double reach(const nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  const double most = largest(s->sys->def.nq, s->q_next), clock = fabs(s->t_next);
  double speed = 0.0, rounding = 0.0, driven = 0.0;
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    const double w = nsd_row_largest(nsd_scene_row(scene, r));
    driven = nsd_larger(w > 0.0 ? fabs(scene->directions.w_hat[r]) * clock / w : 0.0, driven);
  }
  for (int r = 0; r < scene->closed.contact_rows; r++) {
    const double after = nsd_scene_dot(scene, r, s->u_next) + scene->directions.w_hat[r];
    const double size = nsd_row_size(0.0, nsd_scene_row(scene, r), NULL);
    speed = nsd_larger(speed, fabs(scene->problem.gamma[r]) + fabs(after));
    rounding = nsd_larger(rounding, size * (most + driven) + fabs(scene->directions.w_hat[r]) * clock);
  }
  /* Δt (|γᴬ| + |γᴱ|), beyond the gap at which it was held, and rounding. Where a surface begins to fall away
   * from what it held, γ shows nothing of that yet; it falls no faster than what presses on it, or lets go.
   */
  double away = 0.0, falls = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    away = nsd_larger(scene->closed.contact[k].gap, away); /* where it was in force already */
    falls = nsd_larger(fabs(nsd_scene_forced(scene, scene->closed.contact[k].row, s->z)), falls);
  }
  return away + s->dt * (speed + 0.5 * s->theta * s->theta * falls) + NSD_EVALUATION_ROUNDING * rounding;
}

/* Directions and G there. */
static nsdyn_status assemble(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const double t = s->t_next;
  const int is_known = s->mass_is_known;
  const nsd_inertia *inertia = is_known ? &s->inertia : &p->inertia;
  if (nsd_scene_is_assembled(&p->scene)) {
    return NSDYN_OK;
  }
  nsdyn_status status = nsd_scene_direct(&p->scene, t, p->q, &s->fault);
  if (status == NSDYN_OK && !is_known) {
    status = nsd_inertia_update(&p->inertia, &s->sys->def, t, p->q, &s->fault);
  }
  return status ? status : nsd_scene_assemble(&p->scene, inertia, t, p->q, &s->fault);
}

static nsdyn_status evaluate(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  const double t = s->t_next;
  nsdyn_status status = nsd_call_configure(def, t, p->q, &s->fault);
  status = status ? status : nsd_scene_look(&p->scene, t, p->q, p->slack, &s->fault);
  if (status || p->scene.closed.rows == 0) {
    return status;
  }
  status = reserve_rows(s);
  status = status ? status : assemble(s);
  if (status) {
    return status;
  }
  const int rows = p->scene.closed.rows, own = p->scene.closed.contact_rows;
  /* The sum is 0 if all numbers are finite, else NaN; then the callback is found that gave such a number. */
  double zero = 0.0;
  for (int r = 0; r < rows; r++) {
    zero += p->scene.problem.G[(size_t)r * ((size_t)p->scene.problem.ldg + 1)] * 0.0 +
            p->scene.directions.w_hat[r] * 0.0;
    zero += r < own ? 0.0 : p->scene.directions.g_b[r - own] * 0.0;
  }
  if (zero == 0.0) {
    return NSDYN_OK;
  }
  status = nsd_scene_blame(&p->scene, &s->fault);
  if (status == NSDYN_OK && !s->inertia.factored) {
    status =
        nsd_blame_matrix(&s->fault, "solve_mass", nsd_no_subject(), "X", rows, def->nu, p->scene.problem.X);
  }
  return status ? status
                : nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                                "the projection's numbers are too large");
}

/* What rounding leaves open of a row's gap: of the numbers it is made of, and of the way that the contact
 * problem's velocities go in the step. */
static double noise_of(const nsdyn_stepper *s, int row)
{
  const nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  const double *w = p->scene.directions.W + (size_t)row * (size_t)def->nu;
  const double way = s->solved ? s->scale * s->dt : 0.0;
  const double most = largest(def->nq, p->q);
  double size = 0.0, terms = 0.0;
  for (int j = 0; j < def->nu; j++) {
    size += fabs(w[j]);
    terms += j < def->nq ? fabs(w[j] * p->q[j]) : 0.0;
  }
  /* Where w is the gap's slope along q, each coordinate counts in its own units: an angle beside positions in
   * micrometres has digits that a constraint needs. */
  const int is_own = row >= p->scene.closed.contact_rows && def->nq == def->nu && !def->kinematics;
  return NSD_EVALUATION_ROUNDING * ((is_own ? terms : size * most) + way);
}

static double row_missed(const nsdyn_stepper *s, int row, double missed)
{
  const nsd_scene *scene = &s->projection->scene;
  /* |g| / √G_ii is the length √(δᵀ M δ) of the shortest δ that corrects this row alone. */
  const double G = scene->problem.G[(size_t)row * ((size_t)scene->problem.ldg + 1)];
  return missed > noise_of(s, row) && G > 0.0 ? missed / sqrt(G) : 0.0;
}

/* The most of all rows, in the metric of M, so that rows of different units compare. */
static double violation(const nsdyn_stepper *s)
{
  const nsd_projection *p = s->projection;
  const nsd_scene *scene = &p->scene;
  double most = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    most = nsd_larger(row_missed(s, c->row, nsd_lifted_missed(p, c, noise_of(s, c->row))), most);
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    most = nsd_larger(row_missed(s, r, fabs(scene->directions.g_b[r - scene->closed.contact_rows])), most);
  }
  return most;
}

/* ---- the problem ---- */

static void add_row(nsd_projection *p, int row, double c, double noise)
{
  p->row[p->rows] = row;
  p->noise[p->rows] = noise;
  p->c[p->rows++] = fabs(c) < NSD_DECAYED ? 0.0 : c;
}

/* In a bilateral row what is within noise becomes zero: rows that depend on each other may differ by it. Not
 * where they contradict each other then, `raw`: in other units the same may be noise in one of them only. */
static void add_bilateral(nsd_projection *p, int row, double c, double noise, int raw)
{
  add_row(p, row, fabs(c) <= noise && !raw ? 0.0 : c, noise);
}

static void add_normal(nsd_projection *p, const nsd_closed *c, double value, double noise)
{
  const nsd_contact_spec spec = {.row = p->rows, .friction = NSD_FRICTION_NONE, .kind = c->law->kind};
  p->spec[p->contacts++] = spec;
  add_row(p, c->row, value, noise);
}

/* g_N + W_N δ >= 0, = 0 where δ came from before, W_T δ = 0 where a contact stuck, g_b + W_B δ = 0. What is
 * closed is left closed by half of what rounding hides. */
static void set_coordinates(const nsdyn_stepper *s, int with_tangents)
{
  nsd_projection *p = s->projection;
  const nsd_scene *scene = &p->scene;
  p->contacts = p->rows = 0;
  /* g_N + W_N δ >= 0, with = in the rows that δ came from. */
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int is_slot = c->law->kind == NSDYN_CONTACT_BILATERAL;
    const double noise = noise_of(s, c->row);
    add_normal(p, c, c->gap + (is_slot ? 0.0 : 0.5 * noise), noise);
    if (nsd_lifted_is(p, c)) {
      p->spec[k].kind = NSDYN_CONTACT_BILATERAL;
    }
  }
  /* W_T δ = 0 where it stuck, or the correction would be creep. */
  for (int k = 0; with_tangents && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    for (int row = c->row + 1; row < c->row + c->rows && nsd_lifted_mode(p, c) == NSDYN_MODE_STICK; row++) {
      add_bilateral(p, row, 0.0, noise_of(s, row), 0);
    }
  }
  /* g_b + W_B δ = 0. */
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    add_bilateral(p, r, scene->directions.g_b[r - scene->closed.contact_rows], noise_of(s, r),
                  !with_tangents);
  }
}

/* after := the velocities that the step gave the contacts which pressed, by rows of the scene here; what
 * others have paid since, as they landed, is none of theirs. */
static void find_after(const nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsd_scene *step = &s->scene, *scene = &p->scene;
  int known = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (nsd_lifted_mode(p, c) == NSDYN_MODE_OPEN) {
      continue;
    }
    int64_t place = c->index < 0 ? step->closed.known + nsd_keys_find(&p->pressed.keys, c->key) : 0;
    if (c->index >= 0) {
      while (step->closed.contact[known].index != c->index) {
        known++; /* both in the order of their numbers */
      }
      place = known;
    }
    for (int r = 0; r < c->rows; r++) {
      const int row = step->closed.contact[place].row + r;
      p->after[c->row + r] = nsd_scene_dot(step, row, s->u_solved) + step->directions.w_hat[row];
    }
    /* What only followed its curved surface has, at the step's end, done so. */
    p->after[c->row] += step->closed.is_watched ? nsd_keep_closed_turn(s, (int)place) : 0.0;
    if (c->rows == 2 && step->closed.is_watched) {
      p->after[c->row + 1] += step->closed.past[place].bias_T;
    }
  }
}

/* moved := |M⁻¹ h Δt| + Σ |M⁻¹ w Λ|, in the coordinates of V: what cancels at rest leaves rounding of it. */
static void find_moved(const nsdyn_stepper *s)
{
  const nsd_scene *step = &s->scene;
  double *moved = s->projection->moved;
  for (int j = 0; j < s->inertia.nu; j++) {
    moved[j] = fabs(s->z[j]);
  }
  nsd_scene_add_moved(step, nsd_implicit_inertia(s), step->solution.Lambda, moved);
}

double nsd_projection_moved_by(const nsdyn_stepper *s, int row)
{
  const nsd_projection *p = s->projection;
  const size_t nu = (size_t)s->inertia.nu;
  const double *v = p->scene.problem.V + (size_t)row * nu;
  double moved = 0.0;
  for (size_t j = 0; j < nu; j++) {
    moved += fabs(v[j]) * p->moved[j];
  }
  return moved;
}

/* Of a row's velocity: of what it is made of, and, two units in the last place, of what moved it in the step.
 */
static double speed_noise_of(const nsdyn_stepper *s, int row)
{
  const nsd_scene *scene = &s->projection->scene;
  const size_t nu = (size_t)s->inertia.nu;
  double size = fabs(scene->directions.w_hat[row]);
  for (size_t j = 0; j < nu; j++) {
    size += fabs(scene->directions.W[(size_t)row * nu + j] * s->u_next[j]);
  }
  return NSD_EVALUATION_ROUNDING * size + NSD_PROJECTION_WAY_ROUNDING * nsd_projection_moved_by(s, row);
}

/* W u + ŵ − γᴱ >= 0 at contacts that pressed, = 0 at tangents of those that stuck, W_B u + ŵ_B = 0. Returns
 * whether any of it is missed by more than rounding. */
static int set_velocities(nsdyn_stepper *s, int with_tangents)
{
  nsd_projection *p = s->projection;
  nsd_scene *scene = &p->scene;
  int is_missed = 0;
  p->contacts = p->rows = 0;
  nsd_scene_speeds(scene, s->u_next, scene->problem.gamma);
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    if (nsd_lifted_mode(p, c) != NSDYN_MODE_OPEN) {
      add_normal(p, c, scene->problem.gamma[c->row] - p->after[c->row], speed_noise_of(s, c->row));
    }
  }
  for (int k = 0; with_tangents && k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    for (int row = c->row + 1; row < c->row + c->rows && nsd_lifted_mode(p, c) == NSDYN_MODE_STICK; row++) {
      add_row(p, row, scene->problem.gamma[row] - p->after[row], speed_noise_of(s, row));
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    add_row(p, r, scene->problem.gamma[r], speed_noise_of(s, r));
  }
  for (int i = 0; i < p->rows; i++) {
    is_missed |= fabs(p->c[i]) > p->noise[i];
  }
  return is_missed;
}

static void take_G(nsd_projection *p)
{
  const nsd_scene *scene = &p->scene;
  const size_t rows = (size_t)p->rows;
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < rows; j++) {
      p->G[i * rows + j] =
          scene->problem.G[(size_t)p->row[i] * (size_t)scene->problem.ldg + (size_t)p->row[j]];
    }
  }
}

/* Tangents that must not move may leave no solution, and that need not be proved: then they are given up. */
static nsdyn_status solve_problem(nsd_projection *p, int with_tangents)
{
  take_G(p);
  const nsd_contact_data data = {.contacts = p->contacts,
                                 .bilateral = p->rows - p->contacts,
                                 .rows = p->rows,
                                 .ldg = p->rows,
                                 .spec = p->spec,
                                 .G = p->G,
                                 .c = p->c};
  return with_tangents ? nsd_contact_solve_briefly(p->contact, &data, p->Lambda, NULL)
                       : nsd_contact_solve_data(p->contact, &data, p->Lambda, NULL);
}

nsdyn_status nsd_projection_solve(nsdyn_stepper *s, int with_tangents)
{
  nsd_projection *p = s->projection;
  nsd_scene *scene = &p->scene;
  /* 0 <= G Λ + c ⊥ Λ >= 0 in normal rows, G Λ + c = 0 in the others; c are gaps, or velocities. */
  /* A few rows are made to agree beforehand: it takes long to find no solution. With tangents that must not
   * move, gaps that are to be zero belong to them; what presses on, and says the same, may as well. */
  const int which = with_tangents ? NSD_AGREE_EQUAL : NSD_AGREE_BILATERAL, are_few = p->rows <= FEW;
  const int agrees = are_few ? nsd_agree_rows(p, which) : 0;
  if (agrees < 0 && with_tangents) {
    return NSDYN_NO_SOLUTION; /* there is another way */
  }
  if (are_few && with_tangents) {
    (void)nsd_agree_rows(p, NSD_AGREE_ALL);
  }
  nsdyn_status status = solve_problem(p, with_tangents);
  if (nsd_is_unanswered(status) && !are_few && nsd_agree_rows(p, which) > 0) {
    status = solve_problem(p, with_tangents);
  }
  if (status) {
    return status;
  }
  for (int r = 0; r < scene->closed.rows; r++) {
    scene->solution.Lambda[r] = 0.0;
  }
  for (int i = 0; i < p->rows; i++) {
    scene->solution.Lambda[p->row[i]] = p->Lambda[i];
  }
  /* δ = M⁻¹ Wᵀ Λ: where ½ δᵀ M δ is least under these conditions. */
  nsd_fill_zero(s->inertia.nu, p->delta);
  nsd_scene_velocities(scene, s->mass_is_known ? &s->inertia : &p->inertia, p->delta, scene->solution.Lambda,
                       p->delta);
  return NSDYN_OK;
}

/* Rows that say the same where all g_b are zero do so of g_b and of velocities at q but for what the
 * curvature of their surfaces makes of the correction, ½ κ δ², and of q's rounding. No δ can mend that. It is
 * less than an eighth of the correction, in the metric of M, or Newton's method is of no use; the next step
 * sees what is left.
 */
static void allow_curvature(nsd_projection *p)
{
  double most = 0.0;
  take_G(p);
  for (int i = p->contacts; i < p->rows; i++) {
    const double size = p->G[(size_t)i * ((size_t)p->rows + 1)];
    const double left = nsd_larger(NSD_MOST_CURVED * fabs(p->c[i]), NSD_REDUNDANT_NOISE * p->noise[i]);
    most = size > 0.0 ? nsd_larger(left / sqrt(size), most) : most;
  }
  for (int i = p->contacts; i < p->rows; i++) {
    const double size = p->G[(size_t)i * ((size_t)p->rows + 1)];
    p->noise[i] = nsd_larger(sqrt(nsd_larger(size, 0.0)) * most, p->noise[i]);
  }
}

static nsdyn_status explain(nsdyn_stepper *s, nsdyn_status status)
{
  return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "projection: %s",
                       nsdyn_contact_message(s->projection->contact));
}

/* ---- coordinates ---- */

/* delta := a step of Newton's method. Where tangents that must not move forbid any, they may; where gaps that
 * are to be zero do, they may be wider. */
static nsdyn_status solve_coordinates(nsdyn_stepper *s)
{
  set_coordinates(s, 1);
  nsdyn_status status = nsd_projection_solve(s, 1);
  for (int has_more = 1; nsd_is_unanswered(status) && has_more;) {
    set_coordinates(s, 0);
    allow_curvature(s->projection);
    status = nsd_projection_solve(s, 0);
    has_more = nsd_is_unanswered(status) && nsd_lifted_forget(s->projection);
  }
  return status ? explain(s, status) : nsd_lifted_mark(s);
}

/* How far δ moves what pressed along its gap. Joints may curve away from it: they lift what they press on by
 * ½ κ Δt² in a step, and take it down in the next. */
static double way_of_pressed(const nsd_projection *p, int nu)
{
  const nsd_scene *scene = &p->scene;
  double way = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    const double *w = scene->directions.W + (size_t)scene->closed.contact[k].row * (size_t)nu;
    way = nsd_larger(fabs(nsd_small_dot(nu, w, p->delta)), way);
  }
  return way;
}

/* Along δ, halved as long as that misses more than before: for short steps it cannot. Returns the violation
 * where the scene then is, `missed` where nothing helped. */
static nsdyn_status move_along(nsdyn_stepper *s, double missed, double *now)
{
  nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = NSDYN_OK;
  double part = 1.0;
  nsd_rows_copy(1, def->nq, p->q, p->q_good);
  nsd_lift_solved(s);
  p->slack += 2.0 * way_of_pressed(p, def->nu);
  for (int halving = 0; status == NSDYN_OK && halving < HALVINGS; halving++) {
    status = nsd_call_move(def, s->t_next, p->q_good, p->delta, part, p->q, &s->fault);
    if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, p->q) != 0.0) {
      status = nsd_scheme_blame_coordinates(s, p->q);
    }
    status = status ? status : evaluate(s);
    *now = status ? missed : violation(s);
    if (status == NSDYN_OK && *now < missed) {
      for (int j = 0; j < def->nu; j++) {
        p->sum[j] += part * p->delta[j];
      }
      nsd_lift_add(s, part);
      s->correction.done = 1;
      return NSDYN_OK;
    }
    part *= 0.5;
  }
  *now = missed;
  nsd_rows_copy(1, def->nq, p->q_good, p->q);
  return status ? status : evaluate(s);
}

/* As long as there is a violation and it becomes smaller. */
static nsdyn_status correct_coordinates(nsdyn_stepper *s)
{
  double missed = violation(s);
  for (int round = 0; missed > 0.0 && round < ROUNDS; round++) {
    double now;
    /* Newton: δ of the gaps made linear at q, then as much of it as makes the violation smaller. */
    nsdyn_status status = solve_coordinates(s);
    status = status ? status : move_along(s, missed, &now);
    if (status || !(now < missed)) {
      return status;
    }
    missed = now;
  }
  return NSDYN_OK;
}

/* ---- velocities ---- */

static void add_work(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsd_scene *scene = &p->scene;
  const int nu = s->inertia.nu;
  for (int i = 0; i < p->rows; i++) {
    const double *w = scene->directions.W + (size_t)p->row[i] * (size_t)nu;
    /* ūᵀ w Λ of the correction, ū the mean of the velocities before it and after it. */
    const double work =
        0.5 * (nsd_small_dot(nu, w, p->from) + nsd_small_dot(nu, w, s->u_next)) * p->Lambda[i];
    if (i < p->contacts) {
      s->correction.normal += work;
      p->held += p->spec[i].kind == NSDYN_CONTACT_BILATERAL ? work : 0.0;
    } else if (p->row[i] < scene->closed.contact_rows) {
      s->correction.tangent += work;
    } else {
      s->correction.constraint += work;
      p->held += work;
      s->joint[p->row[i] - scene->closed.contact_rows] += p->Lambda[i];
    }
  }
}

/* Velocities as set_velocities() asks for them. */
static nsdyn_status remove_missed(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  if (!set_velocities(s, 1)) {
    return NSDYN_OK;
  }
  /* If the tangents of sticking contacts leave no solution, it is found without them. */
  nsdyn_status status = nsd_projection_solve(s, 1);
  if (nsd_is_unanswered(status)) {
    (void)set_velocities(s, 0);
    allow_curvature(s->projection);
    status = nsd_projection_solve(s, 0);
  }
  if (status) {
    return explain(s, status);
  }
  for (int j = 0; j < s->inertia.nu; j++) {
    s->u_next[j] += p->delta[j];
  }
  add_work(s);
  s->correction.done = 1;
  return NSDYN_OK;
}

/* Turns that part of impulses along curved paths, and removes what is missed then. */
static nsdyn_status turn_and_remove(nsdyn_stepper *s, const nsd_turn *turn, double part)
{
  nsd_projection *p = s->projection;
  nsd_rows_copy(1, s->inertia.nu, s->u_next, p->from);
  p->held = 0.0;
  nsdyn_status status = part > 0.0 ? nsd_turn_impulses(s, turn, part) : NSDYN_OK;
  status = status ? status : remove_missed(s);
  if (status == NSDYN_OK && part > 0.0 && s->correction.done) {
    p->held += nsd_turn_add_work(s, turn, part, p->from);
  }
  return status;
}

static nsdyn_status correct_velocities(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsd_turn turn = {.there = &p->scene,
                         .lambda = p->bent,
                         .inertia = s->mass_is_known ? &s->inertia : &p->inertia,
                         .q = p->q,
                         .sum = p->turned,
                         .work = p->delta};
  const int is_turned = s->theta > 0.5 && s->solved && nsd_turn_find(s);
  find_after(s);
  find_moved(s);
  /* Constraints and slots act where their path begins and where it ends; then what is missed still. */
  nsdyn_status status = turn_and_remove(s, &turn, is_turned ? nsd_turn_part(s) : 0.0);
  const double more = status == NSDYN_OK && is_turned ? nsd_turn_more(s, &turn, p->held) : 0.0;
  return more > 0.0 ? turn_and_remove(s, &turn, more) : status;
}

const double *nsd_projection_moved(const nsdyn_stepper *s)
{
  return s->projection->sum;
}

int nsd_projection_lifted(const nsdyn_stepper *s, const nsd_who **lifted, double *reach)
{
  *lifted = s->projection->lifted;
  *reach = s->projection->lifted_reach;
  return s->projection->lifted_count;
}

const nsd_scene *nsd_projection_scene(const nsdyn_stepper *s)
{
  return &s->projection->scene;
}

nsdyn_status nsd_projection_apply(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  const nsd_correction none = {.done = 0};
  s->correction = none;
  nsd_fill_zero(def->nconstraints, s->joint);
  /* 1: what pressed in the step, and which of it stuck: the law goes on for these only. */
  nsdyn_status status = nsd_history_reserve(&p->pressed, s->scene.closed.count - s->scene.closed.known);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                         s->scene.closed.count - s->scene.closed.known);
  }
  nsd_history_keep(&p->pressed, &s->scene, nsd_history_is_same(&p->pressed, &s->scene));
  p->pressed.seen = s->t_middle; /* they are looked for as far as they may have got since */
  nsd_path_mark(s, &p->pressed);
  nsd_split_mark_landed(s, &p->pressed);
  nsd_lifted_release(s, &p->pressed);
  /* 2: the scene at qᴱ: what is deep there, and what pressed and is still within reach. */
  nsd_rows_copy(1, def->nq, s->q_next, p->q);
  nsd_rows_copy(1, def->nu, s->u_next, s->u_solved);
  nsd_fill_zero(def->nu, p->sum);
  nsd_lift_begin(s);
  p->slack = reach(s);
  nsd_lifted_clear(p);
  status = evaluate(s);
  if (status || p->scene.closed.rows == 0) {
    return status;
  }
  /* 3: q := q + δ until no gap is missed by more than rounding. */
  status = correct_coordinates(s);
  /* 4: what lands on a surface, or has just left it, goes with the speed that it had there. */
  if (status == NSDYN_OK) {
    status = nsd_lift_pay(s);
  }
  /* 5: u := u + δ, so that contacts keep γᴱ along the directions W at the new q. */
  status = status ? status : correct_velocities(s);
  if (status) {
    return status;
  }
  nsd_rows_copy(1, def->nq, p->q, s->q_next);
  /* 6: hᵀ Σ δ, what forces did on that way, for the balance of energy. */
  s->correction.work = nsd_small_dot(def->nu, s->h, p->sum);
  status = nsd_blame_overflow(&s->fault, "projected coordinate", def->nq, s->q_next);
  status = status ? status : nsd_blame_overflow(&s->fault, "projected velocity", def->nu, s->u_next);
  /* 7: what has opened and is followed has been moved, too. */
  return status ? status : nsd_contradiction_lift(s, p->sum);
}

/* Contacts that are deep count as having pressed: gaps are curved, and one that was lifted too far by a step
 * of Newton's method has to come back. */
static nsdyn_status remember_deep(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsd_scene *scene = &s->scene;
  const nsdyn_status status = nsd_history_reserve(&p->pressed, scene->closed.count - scene->closed.known);
  if (status) {
    return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1, "no memory for %d contacts found",
                         scene->closed.count - scene->closed.known);
  }
  nsd_history_clear(&p->pressed, s->sys->def.ncontacts);
  p->pressed.seen = s->t;
  p->slack = 0.0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int32_t trace = nsd_trace(NSDYN_MODE_SLIP_PLUS, 0); /* it may slide */
    if (c->gap < 0.0) {
      p->slack = nsd_larger(-c->gap, p->slack);
      (void)(c->index >= 0 ? nsd_history_add_known(&p->pressed, c->index, trace)
                           : nsd_history_add_found(&p->pressed, c->key, trace));
    }
  }
  return NSDYN_OK;
}

nsdyn_status nsd_projection_of_state(nsdyn_stepper *s)
{
  nsd_projection *p = s->projection;
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = remember_deep(s);
  if (status) {
    return status;
  }
  s->t_next = s->t;
  nsd_rows_copy(1, def->nq, s->q, p->q);
  nsd_fill_zero(def->nu, p->sum);
  nsd_lift_begin(s);
  nsd_lifted_clear(p);
  status = evaluate(s);
  if (status == NSDYN_OK && p->scene.closed.rows) {
    status = correct_coordinates(s);
  }
  nsd_rows_copy(1, def->nq, p->q, s->q_next);
  return status ? status : nsd_blame_overflow(&s->fault, "projected coordinate", def->nq, s->q_next);
}
