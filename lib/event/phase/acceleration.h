/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The smooth motion of a phase: accelerations while each closed contact does what its pattern says.
 *
 *   M u̇ = h + Wᵀ λ,   γ̇ = W u̇ + w̄ = G λ + c,   c = W M⁻¹ h + w̄,
 *
 * where W has a row w for each direction, with γ̇ = 0 in the rows of what is closed and sticks, λ_T = f μ λ_N
 * where it slides (contact/planar/states.h): the contact problem on acceleration level with its
 * complementarity decided. */
#ifndef NSD_EVENT_PHASE_ACCELERATION_H
#define NSD_EVENT_PHASE_ACCELERATION_H

#include "assembly/scene.h"
#include "contact/space/pattern.h"

/* What is known of a row's w̄ that is differenced: the largest since it was forgotten. */
typedef struct nsd_bias {
  double size;  /* |w̄| */
  double error; /* by how much stencils of order 6 and 4 differ */
  double terms; /* rounding of the terms of γ, as w̄ shows it */
  double grain; /* δ⁶γ, as w̄ would show it if it were rounding */
} nsd_bias;

enum { NSD_STARTS_CELL = 2 };

typedef struct nsd_acceleration {
  const nsdyn_system *sys;
  nsdyn_context *ctx; /* not held */
  nsd_fault *fault;
  nsd_scene scene; /* its contacts are chosen, by nsd_acceleration_begin() and nsd_scene_close(); c, Λ are
                      accelerations, forces */
  nsd_inertia inertia;
  nsd_direction_cache cache;
  int mass_is_known;
  double margin;   /* for found contacts */
  double bias_dt;  /* over which w̄ is differenced, where the user has no callback for it */
  int is_measured; /* `bias` says something */
  int lost;        /* a closed contact that `find` no longer reported; −1: none */
  double *h;       /* nu */
  double *z;       /* nu: L⁻¹ h, or M⁻¹ h where the user solves */
  double *a;       /* nu: u̇ */
  double *fall;    /* nu: u̇ without contacts, when forces were last looked for */
  double *qdot;    /* nq */
  double *q_probe; /* nq */
  double *W_probe; /* NSD_CONTACT_ROWS × nu */
  double *W_b;     /* nconstraints × nu */
  double *w_hat_b; /* nconstraints */
  double *g_b;     /* nconstraints */

  nsd_arena arena; /* what follows, for as many contacts and rows as the scene has room for */
  int room_contacts;
  nsd_pattern_work pattern;
  nsd_space_pattern space; /* of contacts in space */
  double *share;           /* rows: of redundant contacts in space, what their forces are next to */
  int32_t
      *starts; /* contacts in space: 0: friction acts against γ_T; 1: sliding begins, and it acts against
                  γ̇_T; from NSD_STARTS_CELL on: it slides in a cell of its polygon (nsd_acceleration_cell) */
  double (*way)[2]; /* contacts in space: where to it began */
  int32_t *stuck;   /* contacts: γ_T = 0 stays so, by its own friction or since others hold it */
  int32_t *
      idle; /* contacts: it sticks, since constraints hold it; its friction, which may be anything, is zero */
  int32_t *is_differenced; /* contacts: w̄ of a found one is differenced, and it is reported at all probes */
  int32_t *was_differenced; /* contacts: it was to be */
  double *G_part;           /* rows × rows: of some rows */
  double *c_part;           /* rows */
  double *x_part;           /* rows */
  double *right_part;       /* rows */
  double *full;             /* rows */
  double *fine, *coarse;    /* rows: w̄ times bias_dt, of order 6 and 4 */
  double *sixth;            /* rows: δ⁶γ */
  nsd_bias *bias;           /* rows */
  double *raw;              /* rows: forces of a pattern before laws cut them off */
  double *astray;           /* contacts: by how much γ_T may be off `way`, however small it is */
  double (*held)[2];        /* contacts: slip before it is turned */
  double *turned;           /* rows: ∂Λ_T/∂θ of contacts in space that begin to slide */
  int *part;                /* rows */
  double *block;            /* rows × rows: of the determinant */
  double *slope;            /* rows */
  double *diagonal;         /* rows */
  int *block_row;           /* rows */
  int *perm;                /* rows */
} nsd_acceleration;

void nsd_acceleration_init(nsd_acceleration *m, const nsdyn_system *sys, nsdyn_context *ctx,
                           nsd_fault *fault);
void nsd_acceleration_release(nsd_acceleration *m);
void nsd_acceleration_lay_out(nsd_arena *arena, nsd_acceleration *m);

/* Forgets what was evaluated once for all. */
void nsd_acceleration_forget(nsd_acceleration *m);

/* Room for so many closed contacts, of which there are none yet. Those known in advance are closed first. */
nsdyn_status nsd_acceleration_begin(nsd_acceleration *m, int contacts);

/* One more, that is to count as closed. */
void nsd_acceleration_close(nsd_acceleration *m, nsd_closed contact);

/* Kinematics at (t, q): `configure`, M, directions of what is closed, G, and γ at u. */
nsdyn_status nsd_acceleration_pose(nsd_acceleration *m, double t, const double *q, const double *u);

/* Of that only what γ needs; `configure` has been called. */
nsdyn_status nsd_acceleration_look(nsd_acceleration *m, double t, const double *q, const double *u);

/* Gaps of all contacts known in advance (scene.closed.g), and those of what is closed; after
 * nsd_acceleration_pose(). */
nsdyn_status nsd_acceleration_gaps(nsd_acceleration *m, double t, const double *q);

/* Whether w̄ of what is closed is differenced. */
int nsd_acceleration_differences(const nsd_acceleration *m);

/* Forgets what `bias` says of rows. */
void nsd_acceleration_forget_bias(nsd_acceleration *m);

/* h, q̇, w̄ and c at the same configuration, whatever the velocities. */
nsdyn_status nsd_acceleration_load(nsd_acceleration *m, double t, const double *q, const double *u);

/* Coefficients in force for what slides (mu) or sticks (the static one), into scene.problem.spec; `sliding`
 * 1, −1, 0 per contact stands there already. */
nsdyn_status nsd_acceleration_friction(nsd_acceleration *m);

/* How large c of a row may be under this load, whatever the directions: √G_rr √(hᵀ M⁻¹ h), taken over the
 * coordinates that the row acts on, and w̄. It does not vanish where the terms of c cancel, or where the load
 * happens to be at right angles to w. */
double nsd_acceleration_load_size(const nsd_acceleration *m, int row);

/* The same without w̄, which is differenced, and rounding where nothing acts. */
double nsd_acceleration_load_on(const nsd_acceleration *m, int row);

/* √G_rr √(hᵀ M⁻¹ h) dt: the velocity that all loads together could give a row in dt. Of what rests there may
 * be no other size that rounding is small beside. */
double nsd_acceleration_gain(const nsd_acceleration *m, int row, double dt);

/* Whether the pattern of the scene keeps γ of a row at zero. */
int nsd_acceleration_keeps(const nsd_acceleration *m, int row);

/* Whose forces are lost where p, the determinant of the pattern, vanishes: 1 in m->part (rows) of rows that
 * are coupled with a contact that slides under friction, through however many others, G_rs ≠ 0, and whose own
 * p is zero. */
void nsd_acceleration_mark_lost(nsd_acceleration *m);

/* The size of the terms that a row's force is a sum of; they may cancel. */
double nsd_acceleration_terms_of_force(const nsd_acceleration *m, int row);

/* λ (rows) of a pattern of contacts; near (rows; NULL: zero): what redundant ones in space are next to. */
nsdyn_status nsd_acceleration_pattern(nsd_acceleration *m, const nsd_contact_data *data,
                                      const int32_t *states, const double *near, double *Lambda);

/* Where closed contact k in space slides to, into spec->slip: along γ_T, or as it did while it begins. */
void nsd_acceleration_direct(const nsd_acceleration *m, int k, nsd_contact_spec *spec);

/* The pattern of the scene, with a contact in space, into scene.solution.Lambda. Where sliding begins its
 * directions are sought too: γ̇_T = α e, α >= 0, friction acting against e. */
nsdyn_status nsd_acceleration_solve_in_space(nsd_acceleration *m, const nsd_contact_data *data);

/* λ and u̇ of the pattern scene.solution.state. NSDYN_ERR_SINGULAR where it has none. */
nsdyn_status nsd_acceleration_solve(nsd_acceleration *m);

/* u̇ without contacts, into `fall`; after nsd_acceleration_load(). */
void nsd_acceleration_fall(nsd_acceleration *m);

/* u̇ from scene.solution.Lambda. */
void nsd_acceleration_find(nsd_acceleration *m);

/* All of it. */
nsdyn_status nsd_acceleration_evaluate(nsd_acceleration *m, double t, const double *q, const double *u);

/* Solves G_pp x = b for the rows p of `part` (count); redundant ones get zero. */
nsdyn_status nsd_acceleration_solve_part(nsd_acceleration *m, int count, const double *b, double *x);

/* Whether what a row of the scene says follows from the `count` rows in block_row (γ̇ of it is zero where
 * theirs is). */
int nsd_acceleration_follows(nsd_acceleration *m, int count, int row);

/* Whether γ_T of closed contact k follows from constraints and closed normals alone. */
int nsd_acceleration_is_idle(nsd_acceleration *m, int k);

/* The determinant of the mode matrix over what it would be without friction: positive where forces depend
 * continuously on the load, zero at Painlevé's boundary; 1 where nothing slides, or contacts are redundant.
 */
double nsd_acceleration_determinant(nsd_acceleration *m);
double nsd_acceleration_determinant_in_space(nsd_acceleration *m);

nsd_contact_data nsd_acceleration_data(const nsd_acceleration *m);

/* The cell of a polygon of friction (contact/space/polygon_cell.h) that closed contact k slides in; −1: none.
 */
static inline int32_t nsd_acceleration_cell(const nsd_acceleration *m, int k)
{
  return m->starts[k] >= NSD_STARTS_CELL ? m->starts[k] - NSD_STARTS_CELL : -1;
}

/* Row r of G. */
static inline const double *nsd_acceleration_row(const nsd_acceleration *m, int r)
{
  return m->scene.problem.G + (size_t)r * (size_t)m->scene.problem.ldg;
}

#endif
