/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem as the files of lib/contact see it: checked, with coefficients in force.
 *
 * The public call and the steppers both make one; nothing behind this door is validated again. Files:
 *
 *   law.c                            laws: defaults, their checks
 *   check.c                          the public problem, checked and turned into this form
 *   check_operator.c                 G as an operator: its numbers
 *   certificate.c                    the certificate, from Λ alone; shares no code with the solvers
 *   dependent_constraints.c          bilateral rows that depend on each other
 *   text.c                           problems as text
 *   extreme_units.c                  problems near the ends of the range of doubles, in other units
 *   planar/states.c                  what a contact can do, as solvers count it; modes of a solution
 *   planar/pattern.c                 the linear system of a pattern of states, and Newton's method on
 *                                    patterns
 *   many/many.c                      many contacts: rounds and a damped path, with their parts
 *   planar/one_contact.c             one contact alone
 *   many/coupling.c                  the elements of G that are not zero
 *   many/rounds.c                    block Gauss-Seidel with acceleration
 *   many/anderson.c                  that acceleration (Walker & Ni 2011)
 *   many/damping_path.c              Newton's method on patterns along a path
 *   many/piecewise_path.c            the path from piece to piece, where that goes astray
 *   many/rank_update.c               its patterns, one row changed after another
 *   many/envelope_lu.c               their factors
 *   planar/one_two.c                 one and two contacts: their patterns tried one by one
 *   planar/exact_form.h              whether elements of an LCP were rounded
 *   planar/glocker.c                 its LCP (Glocker & Studer 2005, eq. 33) and the way back
 *   planar/stewart_trinkle.c         another LCP of it, on which Lemke's method ends well
 *   space/automatic.c                contacts in space: which method when
 *   space/workspace.c                their memory
 *   space/modes.c                    modes and directions of a solution, and what is handed out with it
 *   space/friction.c                 the set of friction impulses: projection, support, derivative
 *   space/friction_cut.c             where a cut goes through it
 *   space/operator.c                 G by cells: a matrix, compressed rows, or W and the bodies
 *   space/free_form.c                a matrix of redundant rows as bodies and their velocities
 *   space/solve/rounds.c             block Gauss-Seidel, contact by contact, with acceleration
 *   space/solve/newton.c             semismooth Newton methods on two maps
 *   space/solve/body_proximal.c      free bodies: the proximal point method in their velocities
 *   space/solve/todorov_equations.c  equations in Todorov's variables, by Levenberg and Marquardt's
 *                                    methods
 *   space/solve/pyramid.c            the LCP of Stewart's friction pyramid, and the way back
 *   space/one_contact.c              one contact in space alone
 *   space/one_polygon.c              the same with a polygon for friction
 *   space/sliding.c                  its sliding: one number, by Newton's method
 *   space/sliding_roots.c            all its solutions, by a quartic
 *   space/enumerate_one.c            all solutions of one contact in space, as a census
 *   space/enumerate/two_contacts.c   all solutions of two contacts, or of one with bilateral rows
 *   space/enumerate/contact_modes.c  what one contact can do, as linear relations
 *   space/enumerate/region.c         where on a line of impulses all laws hold
 *   space/enumerate/slides.c         one or two contacts that slide against disks: a certified search
 *   space/enumerate/bernstein.c      its polynomials
 *   space/enumerate/without_rows.c   a problem without its bilateral rows
 *   space/pattern.c                  the linear system of a pattern of states in space
 *   space/unique.c                   a proof that there is one solution, of any number of contacts
 *   enumerate/api.c                  all solutions, or the first, by modes, which lib/search finds
 *   enumerate/enumerate.c            the tree
 *   enumerate/mode_units.c           what modes ask of Λ
 *   enumerate/vertices.c             its vertices, rays and velocities
 *   delassus.c                       G from W and the factor of M
 *   door.h                           the door for stepper and event; object.h is what stands behind it
 *   object.c                         the solver: options, report, modes
 *   workspace.c                      its memory
 *   automatic.c                      which method when, and what next
 *   planar/lcp_route.c               the problem put to the solver of LCPs, and what becomes of its answer
 *   impact/impact.c                  impacts: both laws, and Painlevé's
 *   impact/api.c                     the public call
 *   impact/expansion.c               the second half of Poisson's law as an LCP
 *   impact/expansion_space.c         the same with contacts in space, as a contact problem
 *   impact/expansion_certificate.c   its certificate
 *   impact/painleve.c                the limit that Painlevé's impact is */
#ifndef NSD_CONTACT_PROBLEM_H
#define NSD_CONTACT_PROBLEM_H

#include "nsdyn/contact.h"

/* Called for each piece of the solutions; anything but 0 stops the enumeration. */
typedef int nsd_contact_visit(void *user, const nsdyn_contact_piece *piece);

/* Rows of a contact at the most: γ_N, γ_T1 and γ_T2. What has room for a contact before its law is known, or
 * whatever its law becomes, has room for so many. */
enum { NSD_CONTACT_ROWS = 3 };

/* What bounds Λ_T of a contact. */
enum nsd_friction {
  NSD_FRICTION_NONE = 0,  /* no tangential row */
  NSD_FRICTION_LOAD = 1,  /* mu |Λ_N|; mu = 0 is legal */
  NSD_FRICTION_GIVEN = 2, /* bound, an impulse */
  NSD_FRICTION_STORED =
      3 /* in expansion: mu (Λ_N + L), and cut by what compression stored; in space/ alone */
};

/* What compression left to a contact's friction in expansion (contact/impact/expansion_space.h): Λ_N counts
 * from L on, and of the set of Coulomb's friction only {e·Λ_T >= back − keep μ Q} is there, Q the load. */
typedef struct nsd_contact_stored {
  double L; /* the normal impulse that is given back anyway; of a slot Q is at least that */
  double
      e[2]; /* normal of the cut, with max e·Λ_T = μ Q over Coulomb's set; in the plane (±1, 0); 0: no cut */
  double keep; /* 1 − ν */
  double back; /* ν ε_N ε_T e·Λ_TC */
} nsd_contact_stored;

/* The set C of friction impulses in the tangent plane (contact/space/friction.h), but for its size. */
typedef struct nsd_contact_space {
  int32_t sides;    /* of a polygon; 0: an ellipse */
  int32_t is_round; /* a disk: its axes do not matter */
  double aspect;    /* second axis over first */
  double axis[2];   /* unit vector of the first axis, or the first corner */
} nsd_contact_space;

enum { NSD_SLIDES_AT = 2 };

/* One contact of a problem. */
typedef struct nsd_contact_spec {
  double mu;        /* coefficient in force, >= 0; 0 unless the friction is NSD_FRICTION_LOAD */
  double bound;     /* impulse, >= 0; 0 unless it is NSD_FRICTION_GIVEN */
  int32_t row;      /* of its Λ_N; Λ_T, if any, is the next */
  int32_t friction; /* nsd_friction */
  int32_t kind;     /* nsdyn_contact_kind */
  int32_t sliding; /* 1, −1: Λ_T = −sliding mu Λ_N and nothing asked of ξ_T; 0: unknown. In space 1: along
                      `slip`; NSD_SLIDES_AT, within the event driver: `slip` is the point p of C that Λ_T
                      is at, Λ_T = −limit p */
  const nsd_contact_space *space;   /* rows N, T1, T2; NULL: in the plane */
  double slip[2];                   /* in space: known direction of sliding, a unit vector */
  const nsd_contact_stored *stored; /* of NSD_FRICTION_STORED; of other friction nobody looks at it */
} nsd_contact_spec;

/* What G Λ is made of, row by row, where G is no matrix: rows each. */
typedef struct nsd_contact_terms {
  double *product;             /* (G Λ)_i */
  double *size_of_contacts;    /* Σ |G_ij Λ_j| over the contacts' rows j, … */
  double *size_of_constraints; /* … and over the bilateral ones */
  double *diagonal;            /* G_ii */
  double *part;                /* Λ of contacts alone, or of constraints alone */
  double *state;               /* columns of the operator, at least the rows */
} nsd_contact_terms;

/* ξ = G Λ + c; contacts' rows first, bilateral ones behind. */
typedef struct nsd_contact_data {
  int contacts;
  int bilateral;
  int rows;
  int ldg;
  const nsd_contact_spec *spec;   /* contacts */
  const double *G;                /* rows × ldg, symmetric */
  const double *c;                /* rows */
  int64_t edition;                /* of G: the same in two solves in a row, and not 0, where G is the same */
  int is_spatial;                 /* some contact is in space, or G an operator: solved by space/ */
  const struct nsd_operator *W;   /* G as an operator; NULL: a matrix */
  const nsd_contact_terms *terms; /* room for its rows' terms, which the certificate fills */
} nsd_contact_data;

static inline const double *nsd_contact_row(const nsd_contact_data *d, int i)
{
  return d->G + (size_t)i * (size_t)d->ldg;
}

/* G_ii; of an operator as its terms have it, which who hands it over has filled in. */
static inline double nsd_contact_diagonal(const nsd_contact_data *d, int i)
{
  return d->W ? d->terms->diagonal[i] : nsd_contact_row(d, i)[i];
}

/* The row of Λ_T; −1 where there is none. */
static inline int nsd_contact_tangent(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_NONE ? -1 : s->row + 1;
}

/* Unilateral, with Coulomb friction, the direction of sliding unknown: what most contacts are. */
static inline int nsd_contact_is_coulomb(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_LOAD && s->kind == NSDYN_CONTACT_UNILATERAL && s->sliding == 0;
}

/* Rows of a contact: one to three. */
static inline int nsd_contact_rows_of(const nsd_contact_spec *s)
{
  return s->friction == NSD_FRICTION_NONE ? 1 : s->space ? 3 : 2;
}

/* Rows of contacts, without those of bilateral constraints. */
static inline int nsd_contact_own_rows(const nsd_contact_data *d)
{
  return d->rows - d->bilateral;
}

#endif
