/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The inside of an nsdyn_stepper.
 *
 * Files of this folder:
 *
 *   object.c              the object: options, history, state
 *   advance.h .c          steps as the user calls them: guards, time, commit, advance
 *   adaptive.c            steps whose lengths follow the motion
 *   output.h .c           the motion on a grid of times, between the ends of steps
 *   scheme/scheme.h .c    what a scheme is, and what all of them are composed of; the list of them
 *   scheme/moreau.c       one step of Moreau's midpoint rule
 *   scheme/euler.c        of semi-implicit Euler
 *   scheme/moreau_jean.c  of the θ-scheme, with forces within the step:
 *   scheme/implicit.c     by Newton's method
 *   scheme/stewart_trinkle.c, scheme/anitescu_potra.c, scheme/generalized_alpha.c
 *   scheme/impulses.c           the contact problem of a step or an impact, set up and solved
 *   friction_coefficients.c     coefficients in force: two coefficients, curves
 *   scheme/poisson_law.c        what contacts give back under Poisson's law
 *   drift/keep_closed.c         what keeps a closed contact closed
 *   drift/follow_path.c         loads along smooth paths, of schemes that project
 *   check/verify_gaps.c         what notices that gaps do not follow their directions
 *   check/consistent.c          how a run begins: states refused, or made consistent
 *   check/redundant_rounding.c  constraints that say the same, made to agree where rounding parts them
 *   count_solutions.c           how many solutions the contact problem has
 *   drift/projection.c          penetration and drift removed
 *   drift/lifted.c              contacts that the projection lifts
 *   drift/pay_lift.c            what that costs them of their velocity
 *   drift/split.c               the same within the step, beside velocities
 *   drift/turn_impulses.c       impulses along curved paths, which do no work
 *   report.c                    report and contact states, put together when asked for
 *   energy.c                    the balance of kinetic energy, likewise
 *   problem_text.c              the contact problem as text
 *   save.c                      the state as bytes
 *
 * A step writes what it computes beside the state and changes the state in one go at its end (advance.c), so
 * that a failure on the way leaves everything as it was. */
#ifndef NSD_STEPPER_OBJECT_H
#define NSD_STEPPER_OBJECT_H

#include "assembly/history.h"
#include "assembly/scene.h"
#include "contact/door.h"
#include "nsdyn/stepper.h"
#include "system/check/closing.h"

/* First release's sizes (base/sized.h). */
#define NSD_STEPPER_OPTIONS_LEAST NSD_SIZE_THROUGH(nsdyn_stepper_options, spectral_radius)
#define NSD_STEP_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_step_report, worst_constraint)
#define NSD_ADVANCE_REPORT_LEAST NSD_SIZE_THROUGH(nsdyn_advance_report, longest)
#define NSD_STEP_ENERGY_LEAST NSD_SIZE_THROUGH(nsdyn_step_energy, projection)

/* Who is at work in a stepper. */
enum nsd_busy {
  NSD_IDLE = 0,
  NSD_STEPPING = 1, /* callbacks of the system run: no call may change anything */
  NSD_OBSERVING = 2 /* between two steps of nsdyn_stepper_advance() */
};

enum { NSD_NOT_COUNTED = -2 }; /* solutions and motions of a step */

/* Where the last step ended. */
enum nsd_stage {
  NSD_STAGE_NONE = 0,     /* there was none since the state was set, or it failed before it had contacts */
  NSD_STAGE_CONTACTS = 1, /* its contact problem was set up, but not solved */
  NSD_STAGE_DONE = 2
};

/* What projection did to the last step. */
typedef struct nsd_correction {
  int done;          /* 1: coordinates or velocities were changed, and the works below hold */
  double work;       /* of h along δ */
  double normal;     /* of the impulses that changed the velocities, at closing contacts */
  double tangent;    /* at sticking ones */
  double constraint; /* at constraints */
} nsd_correction;

/* max |u_j| and max |q_j|. */
typedef struct nsd_magnitude {
  double u, q;
} nsd_magnitude;

typedef struct nsd_projection nsd_projection;
typedef struct nsd_split nsd_split;
typedef struct nsd_count nsd_count;
typedef struct nsd_scheme nsd_scheme;
typedef struct nsd_implicit nsd_implicit;
typedef struct nsd_adaptive nsd_adaptive;

struct nsdyn_stepper {
  nsdyn_system *sys;
  nsdyn_context *ctx;
  nsdyn_stepper_options options;
  const nsd_scheme *scheme; /* by the options */
  double theta;             /* share of a step that follows the place where its contacts are taken */
  int32_t impact;           /* the impact law in force */
  nsd_fault fault;
  nsd_holder holder;
  int busy;

  /* State: at t, which is run_begin + run_steps × run_dt. */
  double t;
  double run_begin, run_dt;
  int64_t run_steps;
  double *q; /* nq */
  double *u; /* nu */
  double *f; /* nu: the algorithmic force of schemes that have one (scheme/generalized_alpha.c) */
  double *a; /* nu: and the algorithmic acceleration */
  int has_f; /* f is known; else the next step begins with h */
  int has_a; /* a is known */
  double slack_speed, slack_dt; /* by how much the last contact problem may have missed γ_N = 0; its Δt */

  /* The last step. Its beginning is in q_begin, u_begin only until the next one. */
  int stage;
  nsdyn_status status;
  double t_begin, t_middle, t_next, dt;
  double *q_begin, *u_begin;
  double *q_middle; /* where gaps and W were evaluated, with most schemes M and h as well */
  double t_mass;    /* when and */
  double *q_mass;   /* where M was, of schemes that say so (scheme/scheme.h) */
  double *q_next;   /* the end, before it becomes the state */
  double *u_next;
  double *u_solved; /* nu: the end's velocities before projection */
  double *h;        /* nu */
  double *z;        /* nu: L⁻¹ h Δt, or M⁻¹ h Δt where the user solves */
  double *du;       /* nu: uᴱ − uᴬ */
  double *f_next;   /* nu: f at the end */
  double *h_begin;  /* nu: h at the beginning, of schemes that ask for it */
  double *a_next;   /* nu: a at the end */
  int has_f_next;   /* both have been written, */
  int has_a_next;   /* and this is whether a is known */
  nsd_scene scene;
  nsd_inertia inertia;
  nsd_direction_cache cache;
  int mass_is_known; /* a constant mass matrix was factored */
  nsdyn_contact *contact;
  const nsd_contact_answer *answer; /* the contact solver's */
  const int32_t *start;             /* states that its next solve begins with; NULL: its own */
  nsdyn_contact_solve_report
      rebound; /* with `rebounds`: of the step's own problem, and what expansion made of it */
  nsd_history history;
  double *agree;                /* (nconstraints + 2) × nconstraints: room for nsd_redundant_agree() */
  nsd_past *drift, *drift_next; /* nconstraints: constraints in the last step, and in this one */
  nsd_correction correction;
  double *stray_row;   /* NSD_CONTACT_ROWS (nu + 1): W and ŵ of an open contact that is followed
                          (check/verify_gaps.h) */
  nsd_closing closing; /* who has closed before, and was found to follow its direction */
  double *joint;       /* nconstraints: impulses of constraints by which the projection changed velocities */
  int32_t rounds;      /* contact problems solved */
  int32_t rebounds;    /* 1: the contact solver has solved another problem after the step's own */
  int32_t inelastic;   /* 1: with ε = 0 */
  int32_t solved;      /* 1: the contact solver's report is this step's */
  double scale;        /* what velocities at its contacts are measured with */
  nsd_magnitude most;  /* of a step that looks at its contacts (check/verify_gaps.h) */
  int64_t steps;
  int64_t solutions, motions;
  int is_smoothing; /* nsdyn_stepper_consistent() is at work: impacts have no restitution */
  int has_marks;    /* of a first step: what rests was marked in the history, which was empty */
  int fresh;        /* one of nsd_fresh (check/consistent.h) */

  nsd_arena arena;             /* arrays that never grow */
  nsd_arena algorithmic_arena; /* of f, a and what belongs to them: made with generalized-α; NULL before */
  nsd_projection *projection;  /* made with the option `project`; NULL before */
  nsd_split *split;            /* made where that is NSDYN_PROJECT_SPLIT; NULL before */
  nsd_count *count;            /* made with the option `count`; NULL before */
  nsd_implicit *implicit;      /* made for implicit forces; NULL before */
  nsd_adaptive *adaptive;      /* made with the option `advance_tol`; NULL before */
  double *output_state;        /* nq + 2 nu: made with the option `output`; NULL before */
  double output_begin;         /* outputs are at this time plus multiples of the option `output_dt`, */
  int64_t outputs;             /* the next of them at so many */
  int shows;                   /* there is an option `output` */
  int jumps;                   /* with it: something has collided in the last step that was tried */
  nsd_arena export_arena;      /* of the problem as text */
  double *energy_mass;         /* nsd_mass_numbers(), made when the balance is asked for; NULL before */
};

/* ---- object.c ---- */

/* Forgets what was evaluated once for all, and all that the step before left. */
void nsd_stepper_forget(nsdyn_stepper *s);

/* ---- scheme/scheme.c; schemes themselves: scheme/scheme.h ---- */

/* The impact at the state to u_next. */
nsdyn_status nsd_scheme_impact(nsdyn_stepper *s);

/* Coordinates that are no numbers: the user's kinematics wrote them, or they overflowed. */
nsdyn_status nsd_scheme_blame_coordinates(nsdyn_stepper *s, const double *q);

/* ---- scheme/impulses.c ---- */

/* Sets up and solves the contact problem of the scene, which is not empty; h Δt is in z (zero for an impact).
 * Λ, ξ and modes are in the scene afterwards. */
nsdyn_status nsd_impulses_solve(nsdyn_stepper *s);

/* ---- scheme/poisson_law.c ---- */

/* How well the step's contact problem was solved. */
static inline const nsdyn_contact_solve_report *nsd_poisson_result(const nsdyn_stepper *s)
{
  return s->rebounds ? &s->rebound : s->answer->report;
}

/* To the solution of the scene's contact problem with ε = 0 adds what contacts give back under Poisson's law.
 */
nsdyn_status nsd_poisson_add(nsdyn_stepper *s);

/* The solution of the scene's contact problem becomes the first half of an impact, all of it under Newton's
 * law. */
nsdyn_status nsd_poisson_adopt(nsdyn_stepper *s);

/* ---- friction_coefficients.c ---- */

/* What a law with two coefficients is in. */
enum nsd_grip {
  NSD_GRIP_SLIDES = 0, /* mu; may turn out to stick */
  NSD_GRIP_HELD = 1,   /* it stuck in the step before: mu_static until it is exceeded */
  NSD_GRIP_CAUGHT = 2, /* its velocity vanished or changed sign under mu: mu_static is tried */
  NSD_GRIP_BROKEN = 3  /* mu_static was exceeded: mu for the rest of the step */
};

/* Coefficients at the step's beginning, into the scene's spec. */
nsdyn_status nsd_friction_begin(nsdyn_stepper *s);

/* Looks at a solution under laws with two coefficients: *again is 1 where one has to change. */
void nsd_friction_settle(nsd_scene *scene, int *again);

/* Coefficients of curves at the step's end; *again is 1 where one changed. */
nsdyn_status nsd_friction_repeat(nsdyn_stepper *s, int *again);

#endif
