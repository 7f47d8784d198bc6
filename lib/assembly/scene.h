/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* What is closed at one configuration: contacts and constraints, their directions W, and what a contact
 * problem needs of them. A step has one scene, a projection another, the motion of an event driver a third.
 *
 * Files of this folder, in the order in which a scene is filled:
 *
 *   scene.c       the object: its memory
 *   closed.c      which contacts are closed: by their gaps, or as they are told
 *   directions.c  W and ŵ of what is closed
 *   problem.c     X, V and G = X Vᵀ; friction in force; velocities from W and X
 *   history.h .c  what is remembered of each contact from step to step
 *
 * Rows stand in the order of the contact problem: contacts known in advance, contacts found, constraints.
 * They are the directions, γ = W u + ŵ and G = W M⁻¹ Wᵀ; the papers have them as columns of their W. */
#ifndef NSD_ASSEMBLY_SCENE_H
#define NSD_ASSEMBLY_SCENE_H

#include "assembly/history.h"
#include "base/sparse/gram.h"
#include "base/tolerances.h"
#include "contact/law.h"
#include "contact/problem.h"
#include "contact/space/operator.h"
#include "system/callbacks.h"
#include "system/found_contacts.h"
#include "system/inertia.h"

/* One closed contact. */
typedef struct nsd_closed {
  const nsdyn_contact_law *law; /* of the system; valid while the step runs */
  int64_t key;                  /* of a found one, else its number */
  double gap;
  int32_t index; /* −1: found */
  int32_t found; /* its record in the sink, −1 where it is known in advance */
  int32_t row;   /* its first */
  int32_t rows;
  int32_t mode; /* once solved */
  int32_t grip; /* nsd_grip, of a law with two coefficients */
  int32_t kept; /* a trace of the step before that outlives this one; 0: none */
} nsd_closed;

/* Directions that never change, evaluated when a contact closes for the first time; where M does not either,
 * what G consists of too. */
typedef struct nsd_direction_cache {
  int32_t *row;    /* ncontacts + 1: contact i has rows row[i] to row[i + 1] - 1, whatever its law becomes */
  double *W;       /* rows × nu */
  double *w_hat;   /* rows */
  int8_t *is_kept; /* ncontacts: 1 where W is here, 2 where X and G are */
  double *X;       /* rows × nu; NULL where M varies, or contacts are too many */
  double *G;       /* rows × rows, of contacts whose X is here */
  int64_t edition; /* another one whenever all is evaluated anew; 0: scenes keep nothing of it in force */
} nsd_direction_cache;

enum { NSD_CACHED_CONTACTS = 128 }; /* G of so many takes half a megabyte */

/* What a step has to know of its contacts' gaps (stepper/drift/keep_closed.h). */
enum nsd_attention {
  NSD_WATCH = 1,      /* `past` holds */
  NSD_WATCH_BENT = 2, /* a contact has a bias, or an approach that is no collision */
  NSD_WATCH_NEW = 4   /* the curvature of one is not known */
};

/* Which contacts are closed, and what is known of their gaps. */
typedef struct nsd_scene_closed {
  double *g;      /* ncontacts: all gaps */
  double *touch;  /* ncontacts: gaps up to this are rounding of their terms, and zero; of the state that
                     the run began with */
  int32_t *index; /* ncontacts: room for those closed */
  nsdyn_contact_sink sink; /* contacts found */
  double *const *moved;    /* velocities that moved it since it was seen last; NULL: not known */
  double *const *speeds;   /* those that `find` gets, since their w̄ is asked for; NULL: it is not */
  int is_projected;        /* gaps are corrected after each step, so that no depth keeps one closed */
  int count;               /* closed contacts */
  int known;               /* of these, known in advance */
  int contact_rows;        /* of the contacts */
  int rows;                /* and the constraints */
  int is_watched;          /* of a step that solves: nsd_attention, 0 where nothing is looked at */
  nsd_closed *contact;     /* count */
  nsd_past *past;          /* count: what the next step will know of them (stepper/drift/keep_closed.h) */
} nsd_scene_closed;

/* Directions W and ŵ of what is closed, and gaps of constraints. */
typedef struct nsd_scene_directions {
  nsd_direction_cache *cache; /* NULL where directions change */
  double *W_own;     /* rows × nu, and those that a direction callback may write behind the last one */
  double *w_hat_own; /* rows, and likewise */
  double *g_b;       /* nconstraints */

  /* In force: the scene's own, or where one contact alone is closed the cache's. */
  const double *W;     /* rows × nu; nobody reads it where the scene is sparse: */
  const double *w_hat; /* rows */
  int is_sparse; /* W stands in the operator of the problem, by the bodies that contacts touch, and row r is
                    one of contact cell_of[r]. Rows are read by nsd_scene_row() and what stands beside it */
  int32_t *cell_of;        /* rows */
  nsdyn_contact_sink told; /* of a sparse scene: rows of contacts known in advance, on their way there */
  double *row_own;         /* NSD_CONTACT_ROWS × nu: as their callbacks write them */

  /* Where W, ŵ, X and G all came from the cache, they hold for as long as the same contacts are closed: */
  int64_t edition; /* of the cache; 0: something is not from there */
  int kept;        /* so many contacts, those that stand first in `closed.contact` */
} nsd_scene_directions;

/* The contact problem: ξ = G Λ + c of a step or an impact, γ̇ = G λ + c of a motion. */
typedef struct nsd_scene_problem {
  nsd_contact_spec *spec;       /* contacts: laws with the coefficients in force */
  nsd_contact_space *space;     /* contacts: what those in space have beside */
  int is_spatial;               /* some contact is in space */
  nsd_restitution *restitution; /* contacts: of their laws, where an impact asks for it */
  double *X_own;                /* rows × nu */
  double *G_own;                /* rows × rows */
  nsd_gram gram;                /* room to find what of G is not zero */
  double *gamma;                /* rows: γ = W u + ŵ at the beginning, or now */
  double *shift; /* rows, of a step: ξ − γᴱ, which is ε γᴬ and what holds a contact on its curved surface */
  double *w_bar;            /* rows, of a motion: w̄ = γ̇ − W u̇ */
  double *c;                /* rows */
  int has_two_coefficients; /* of a step: a closed contact's law has two coefficients */

  /* In force, as W is. */
  const double *X; /* rows × nu: W L⁻ᵀ, or W M⁻¹ where the user solves with M */
  const double *V; /* rows × nu, of G = X Vᵀ */
  const double *G; /* rows × ldg */
  int ldg;
  int64_t G_edition; /* another one whenever G is another */

  /* Where the scene is sparse, G is an operator in the free form, and no matrix. Of G there is its diagonal
   * then, and ldg is 0, so that G_rr stands at r (ldg + 1) all the same; of X and V there is nothing. */
  int wants_operator; /* the caller knows what to do with one, and M is that of the table */
  nsd_operator W_free;
  nsd_arena free_room;     /* of what it is made of, and of: */
  nsd_contact_terms terms; /* rows */
  double *diagonal;        /* rows */
  double *forced;          /* nu: M⁻¹ h Δt, of nsd_scene_force() */
  double *part;            /* nu: scratch */
} nsd_scene_problem;

enum { NSD_SPARSE_ROWS = 36 }; /* beyond which that pays */

/* What solves it. */
typedef struct nsd_scene_solution {
  double *Lambda; /* rows: impulses of a step, forces of a motion */
  double *xi;     /* rows */
  int32_t *state; /* contacts (contact/planar/states.h): with these a warm start of the next step begins */
} nsd_scene_solution;

typedef struct nsd_scene {
  const nsdyn_system *sys;
  const nsd_history *history; /* what pressed before */
  nsd_scene_closed closed;
  nsd_scene_directions directions;
  nsd_scene_problem problem;
  nsd_scene_solution solution;

  nsd_arena arena; /* arrays of contacts and rows, at most room_contacts and room_rows */
  int room_contacts;
  int room_rows;
  nsd_arena dense; /* what has rows × nu and rows × rows numbers, of scenes that are not sparse, at most: */
  int room_dense;  /* rows */
} nsd_scene;

/* ---- scene.c: the object ---- */

void nsd_scene_init(nsd_scene *scene, const nsdyn_system *sys, nsdyn_context *ctx, nsd_fault *fault);
void nsd_scene_release(nsd_scene *scene);

/* What does not grow. */
void nsd_scene_lay_out(nsd_arena *arena, nsd_scene *scene);

/* Room for so many contacts, and rows at their most, and for some more (nsd_room_ahead()), so that a heap
 * that grows contact by contact does not allocate with each. What the rows held is lost. */
nsdyn_status nsd_scene_reserve(nsd_scene *scene, size_t contacts, nsd_fault *fault);

/* Room for W, X and G of the rows that are closed, for scenes that are not sparse. */
nsdyn_status nsd_scene_reserve_dense(nsd_scene *scene, nsd_fault *fault);

/* ---- closed.c: which contacts are closed ---- */

/* Evaluates gaps and collects what is closed; `configure` has been called. A contact is closed where g_N <=
 * 0, but for rounding, as contacts in a row touch each other that nothing presses; one that pressed in the
 * step before, where g_N <= slack: the law held γ_N at zero, but rounding leaves a gap that may be positive,
 * and a block at rest would be let go of for a step; one that is in force (stepper/drift/keep_closed.h),
 * wherever it is.
 */
nsdyn_status nsd_scene_look(nsd_scene *scene, double t, const double *q, double slack, nsd_fault *fault);

/* The first of the gaps there that is no number, nor that of a contact that is far away. */
nsdyn_status nsd_scene_blame_gaps(const nsd_scene *scene, nsd_fault *fault);

/* A contact, wherever it is in a scene. */
typedef struct nsd_who {
  int64_t index; /* −1: found, */
  int64_t key;   /* by this key */
} nsd_who;

/* Contacts that come, besides: those that are named, and those with g_N + horizon · γ_N <= 0 at the
 * velocities u. Found ones are asked for as far as `margin` says; 0: by their own speeds. */
typedef struct nsd_look_rule {
  double margin;
  double horizon;
  const double *u; /* nu */
  double *row;     /* NSD_CONTACT_ROWS (nu + 1): room for directions of what is still open */
  const nsd_who *named;
  int named_count;
  double
      *soonest; /* it is lowered to the time after which the first of the latter closes by these; or NULL */
} nsd_look_rule;
nsdyn_status nsd_scene_look_ahead(nsd_scene *scene, double t, const double *q, double slack,
                                  const nsd_look_rule *look, nsd_fault *fault);

/* What rounding may be of the gap of contact `index`, or of the one that stands at `found` in the sink;
 * most_q: max |q_j|. */
double nsd_scene_touch(const nsd_scene *scene, int64_t index, int32_t found, double t, double most_q);

/* max |x_j| */
double nsd_scene_largest(int n, const double *x);

/* Instead: no contact yet, but room for so many; then those that are to count as closed whatever their gaps,
 * the ones known in advance first. Law, key, gap, index and found are given. */
nsdyn_status nsd_scene_begin(nsd_scene *scene, int contacts, nsd_fault *fault);
void nsd_scene_close(nsd_scene *scene, nsd_closed contact);

/* Whether nothing has to be known of a contact's gap to keep it closed: its directions never change, so that
 * the gap is linear, and its depth remains. */
static inline int nsd_scene_is_straight(const nsd_scene *scene, int k)
{
  return scene->directions.cache && !scene->closed.is_projected && scene->closed.contact[k].index >= 0;
}

/* All of them, and no constraint. */
static inline int nsd_scene_is_all_straight(const nsd_scene *scene)
{
  return scene->directions.cache && !scene->closed.is_projected &&
         scene->closed.known == scene->closed.count && scene->closed.rows == scene->closed.contact_rows;
}

/* Rows of planar problems beyond which a warm start begins with impulses, too: contacts are redundant there,
 * and states alone leave the impulses open. */
enum { NSD_SCENE_MANY_ROWS = 160 };

/* Whether the contacts remembered are those of the scene, in their order, and no other one is followed. */
static inline int nsd_history_is_same(const nsd_history *history, const nsd_scene *scene)
{
  if (history->known_count + history->stray_count != scene->closed.known ||
      history->known_count + history->found_count != scene->closed.count) {
    return 0;
  }
  for (int k = 0; k < scene->closed.known; k++) {
    if (history->known[k] != scene->closed.contact[k].index) {
      return 0;
    }
  }
  for (int k = scene->closed.known; k < scene->closed.count; k++) {
    if (history->found_key[k - scene->closed.known] != scene->closed.contact[k].key) {
      return 0;
    }
  }
  return 1;
}

/* The place of a contact of another scene in this one; −1: it is not there. *from: 0 to begin with, then
 * where the last one was found, since both stand in one order. */
int nsd_scene_place_of(const nsd_scene *scene, const nsd_closed *c, int *from);

/* How a message calls a closed contact. */
static inline nsd_subject nsd_closed_subject(const nsd_closed *c)
{
  const nsd_subject who = {NSDYN_DETAIL_CONTACT, c->index, c->index < 0 ? c->key : 0};
  return who;
}

/* ---- directions.c: W and ŵ ---- */

/* A scene whose directions never change keeps them here; where M does not either, and it is factored, what G
 * consists of, too. */
void nsd_scene_lay_out_cache(nsd_arena *arena, nsd_scene *scene, const nsd_inertia *inertia,
                             nsd_direction_cache *cache);

/* Forgets what is in the cache, where there is one. */
void nsd_scene_forget_cache(nsd_scene *scene);

/* Whether one contact, whose directions are in the cache, is all there is. */
static inline int nsd_scene_is_single(const nsd_scene *scene)
{
  return scene->directions.cache && scene->closed.known == 1 &&
         scene->closed.rows == scene->closed.contact[0].rows;
}

/* Directions of what is closed, and constraints. Many contacts in space of bodies whose M the table has by
 * blocks, and no constraints, make the scene sparse, where the caller wants that: memory and time go by the
 * contacts and the bodies that they touch then. */
nsdyn_status nsd_scene_direct(nsd_scene *scene, double t, const double *q, nsd_fault *fault);

/* The callback whose W, ŵ or g_b is no number; NSDYN_OK where all are. */
nsdyn_status nsd_scene_blame(const nsd_scene *scene, nsd_fault *fault);

/* Row r of W of a sparse scene. */
nsd_row nsd_scene_sparse_row(const nsd_scene *scene, int r);

/* Row r of W. */
static inline nsd_row nsd_scene_row(const nsd_scene *scene, int r)
{
  const int nu = scene->sys->def.nu;
  return scene->directions.is_sparse ? nsd_scene_sparse_row(scene, r)
                                     : nsd_row_dense(nu, scene->directions.W + (size_t)r * (size_t)nu);
}

/* w_r · x */
static inline double nsd_scene_dot(const nsd_scene *scene, int r, const double *x)
{
  const int nu = scene->sys->def.nu;
  return scene->directions.is_sparse ? nsd_row_dot(nsd_scene_sparse_row(scene, r), x)
                                     : nsd_small_dot(nu, scene->directions.W + (size_t)r * (size_t)nu, x);
}

static inline void nsd_rows_copy(int rows, int nu, const double *from, double *to)
{
  for (int i = 0; i < rows * nu; i++) {
    to[i] = from[i];
  }
}

/* ---- problem.c: G, friction in force, velocities ---- */

/* Whether W, ŵ, X, V and G are in force already, and neither of these two calls is needed. */
static inline int nsd_scene_is_assembled(const nsd_scene *scene)
{
  return scene->directions.edition && scene->directions.cache &&
         scene->directions.edition == scene->directions.cache->edition;
}

/* X, V and G. */
nsdyn_status nsd_scene_assemble(nsd_scene *scene, const nsd_inertia *inertia, double t, const double *q,
                                nsd_fault *fault);

/* What a law in space has beside, into the spec of closed contact k. */
void nsd_scene_fill_space(nsd_scene *scene, int k);

/* The law of closed contact k into its spec, all but `sliding`, with the coefficient in force; gamma_T: its
 * sliding velocity, in space two numbers, NULL: it sticks. Of two coefficients the static one is in force
 * where it sticks; of a curve, what it says of the speed. A given bound is a force, times dt. */
nsdyn_status nsd_scene_set_coefficient(nsd_scene *scene, int k, const double *gamma_T, double dt,
                                       nsd_fault *fault);

static inline nsdyn_status nsd_scene_set_friction(nsd_scene *scene, int k, const double *gamma_T, double dt,
                                                  nsd_fault *fault)
{
  const nsd_closed *c = &scene->closed.contact[k];
  if (c->law->friction > NSDYN_FRICTION_COULOMB) {
    return nsd_scene_set_coefficient(scene, k, gamma_T, dt, fault);
  }
  /* Without friction, or with one coefficient. */
  nsd_contact_law_fill(c->law, c->row, c->law->mu, dt, &scene->problem.spec[k]);
  if (c->rows == 3) {
    nsd_scene_fill_space(scene, k);
  }
  return NSDYN_OK;
}

/* The sliding speed of closed contact k. */
static inline double nsd_closed_speed(const nsd_closed *c, const double *gamma_T)
{
  return c->rows == 3 ? sqrt(gamma_T[0] * gamma_T[0] + gamma_T[1] * gamma_T[1]) : fabs(*gamma_T);
}

/* The contact problem as it stands. */
static inline nsd_contact_data nsd_scene_data(const nsd_scene *scene)
{
  const nsd_contact_data data = {.contacts = scene->closed.count,
                                 .bilateral = scene->closed.rows - scene->closed.contact_rows,
                                 .rows = scene->closed.rows,
                                 .ldg = scene->problem.ldg,
                                 .spec = scene->problem.spec,
                                 .G = scene->directions.is_sparse ? NULL : scene->problem.G,
                                 .c = scene->problem.c,
                                 .edition = scene->problem.G_edition,
                                 .is_spatial = scene->problem.is_spatial,
                                 .W = scene->directions.is_sparse ? &scene->problem.W_free : NULL,
                                 .terms = scene->directions.is_sparse ? &scene->problem.terms : NULL};
  return data;
}

/* The parts of the calls below that are for sparse scenes. */
void nsd_scene_force_sparse(nsd_scene *scene, const nsd_inertia *inertia, const double *z);
void nsd_scene_multiply_sparse(const nsd_scene *scene, const double *x, double *y); /* y := W x */

/* z (nu), which is L⁻¹ h Δt, or M⁻¹ h Δt where the user solves, is what these speak of from now on. */
static inline void nsd_scene_force(nsd_scene *scene, const nsd_inertia *inertia, const double *z)
{
  if (scene->directions.is_sparse) {
    nsd_scene_force_sparse(scene, inertia, z);
  }
}

/* What forces change the speed of row r by, w_r M⁻¹ h Δt = v_r · z. */
static inline double nsd_scene_forced(const nsd_scene *scene, int r, const double *z)
{
  const int nu = scene->sys->def.nu;
  return scene->directions.is_sparse ? nsd_scene_dot(scene, r, scene->problem.forced)
                                     : nsd_small_dot(nu, scene->problem.V + (size_t)r * (size_t)nu, z);
}

/* The sum of its terms' sizes. */
static inline double nsd_scene_forced_size(const nsd_scene *scene, int r, const double *z)
{
  const int nu = scene->sys->def.nu;
  return scene->directions.is_sparse
             ? nsd_row_size(0.0, nsd_scene_sparse_row(scene, r), scene->problem.forced)
             : nsd_row_size(0.0, nsd_row_dense(nu, scene->problem.V + (size_t)r * (size_t)nu), z);
}

/* Of all rows at once, into c (rows). */
static inline void nsd_scene_forced_all(const nsd_scene *scene, const double *z, double *c)
{
  if (scene->directions.is_sparse) {
    nsd_scene_multiply_sparse(scene, scene->problem.forced, c);
  } else {
    nsd_small_dots(scene->closed.rows, scene->sys->def.nu, scene->problem.V, z, c);
  }
}

/* γ := W u + ŵ of all rows. */
void nsd_scene_speeds(const nsd_scene *scene, const double *u, double *gamma);

/* moved (nu) += Σ |x_r Λ_r|, x_r the rows of X. */
void nsd_scene_add_moved(const nsd_scene *scene, const nsd_inertia *inertia, const double *Lambda,
                         double *moved);

/* du (nu) := the velocities that z and Λ cause together; z is L⁻¹ h Δt, or M⁻¹ h Δt where the user solves. */
void nsd_scene_velocities(const nsd_scene *scene, const nsd_inertia *inertia, const double *z,
                          const double *Lambda, double *du);

#endif
