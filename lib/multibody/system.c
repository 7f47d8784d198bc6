/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* A system whose M, h and kinematics are those of a tree, with contacts, constraints and forces of the user
 * first, then of elements and loops, and with contacts found between its solids. Callbacks of both look at
 * the same state of the tree. */
#include "multibody/elements.h"
#include "multibody/kinematics.h"
#include "multibody/loops.h"
#include "multibody/solids.h"
#include "multibody/tree.h"
#include "system/object.h"

/* From so many velocities on M⁻¹ comes from the recursion instead of a factor of M: bench_multibody's "step".
 */
enum { LEAST_RECURSIVE = 6 };

typedef struct tree_system {
  nsdyn_context *ctx;
  nsdyn_tree *tree;     /* held */
  nsdyn_system_def own; /* the user's table */
} tree_system;

/* ---- what the tree knows ---- */

static int mass(void *user, double t, const double *q, double *M)
{
  nsdyn_tree *tree = ((const tree_system *)user)->tree;
  (void)t;
  return nsd_tree_at(tree, q) || nsdyn_tree_mass(tree, M) ? 1 : 0;
}

static int solve_mass(void *user, double t, const double *q, int32_t nrhs, double *X)
{
  nsdyn_tree *tree = ((const tree_system *)user)->tree;
  (void)t;
  return nsd_tree_at(tree, q) || nsdyn_tree_solve_mass(tree, nrhs, X) ? 1 : 0;
}

static int kinetic(void *user, double t, const double *q, const double *u, double *T)
{
  nsdyn_tree *tree = ((const tree_system *)user)->tree;
  nsdyn_tree_totals totals = {.size = sizeof totals};
  (void)t;
  if (nsd_tree_moving_at(tree, q, u) || nsdyn_tree_measure(tree, &totals)) {
    return 1;
  }
  *T = totals.kinetic;
  return 0;
}

static int kinematics(void *user, double t, const double *q, const double *u, double *qdot)
{
  (void)t;
  return nsdyn_tree_rates(((const tree_system *)user)->tree, q, u, qdot) ? -1 : 0;
}

static int retract(void *user, double t, const double *q, const double *u, double dt, double *q_new)
{
  (void)t;
  return nsdyn_tree_retract(((const tree_system *)user)->tree, q, u, dt, q_new) ? -1 : 0;
}

/* ---- what the user knows: with the tree where he is asked, and after the tree's own rows: he may look at
 * other states of it ---- */

static int configure(void *user, double t, const double *q)
{
  const tree_system *s = user;
  const int code = nsd_tree_at(s->tree, q);
  return code || !s->own.configure ? code : s->own.configure(s->own.user, t, q);
}

/* h of the tree, and of its elements; then the user adds his own. */
static int force(void *user, double t, const double *q, const double *u, double *h)
{
  const tree_system *s = user;
  if (nsd_tree_moving_at(s->tree, q, u) || nsdyn_tree_force(s->tree, h)) {
    return 1;
  }
  const int code = nsd_elements_push(s->tree, t, q, u, h);
  return code || !s->own.force ? code : s->own.force(s->own.user, t, q, u, h);
}

static int gap(void *user, double t, const double *q, double *g)
{
  const tree_system *s = user;
  int code = nsd_tree_at(s->tree, q);
  code = code ? code : nsd_elements_gaps(s->tree, q, g + s->own.ncontacts);
  return code || !s->own.ncontacts ? code : s->own.gap(s->own.user, t, q, g);
}

static int direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const tree_system *s = user;
  const int code = nsd_tree_at(s->tree, q);
  if (code) {
    return code;
  }
  return i < s->own.ncontacts ? s->own.direction(s->own.user, t, q, i, W, w_hat)
                              : nsd_elements_direct(s->tree, q, i - s->own.ncontacts, W);
}

static int bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const tree_system *s = user;
  const int code = nsd_tree_moving_at(s->tree, q, u);
  if (code) {
    return code;
  }
  return i < s->own.ncontacts ? s->own.bias(s->own.user, t, q, u, i, w_bar)
                              : nsd_elements_bias(s->tree, q, u, i - s->own.ncontacts, w_bar);
}

static int find(void *user, double t, const double *q, const double *u, double margin,
                nsdyn_contact_sink *sink)
{
  const tree_system *s = user;
  int code = u ? nsd_tree_moving_at(s->tree, q, u) : nsd_tree_at(s->tree, q);
  code = code || !s->tree->solids.count ? code : nsd_solids_find(s->tree, margin, sink);
  return code || !s->own.find ? code : s->own.find(s->own.user, t, q, u, margin, sink);
}

static int constraint(void *user, double t, const double *q, double *g_b, double *W_b, double *w_hat_b)
{
  const tree_system *s = user;
  const size_t first = (size_t)s->own.nconstraints, n = (size_t)s->tree->nu;
  int code = nsd_tree_at(s->tree, q);
  code = code ? code : nsd_elements_constrain(s->tree, t, q, g_b + first, W_b + first * n, w_hat_b + first);
  code = code ? code : nsd_loops_constrain(s->tree, g_b + first, W_b + first * n);
  return code || !first ? code : s->own.constraint(s->own.user, t, q, g_b, W_b, w_hat_b);
}

static int constraint_bias(void *user, double t, const double *q, const double *u, double *w_bar_b)
{
  const tree_system *s = user;
  const int32_t first = s->own.nconstraints;
  int code = nsd_tree_moving_at(s->tree, q, u);
  code = code ? code : nsd_elements_constraint_bias(s->tree, t, q, u, w_bar_b + first);
  code = code ? code : nsd_loops_bias(s->tree, w_bar_b + first);
  return code || !first ? code : s->own.constraint_bias(s->own.user, t, q, u, w_bar_b);
}

static int force_jacobian(void *user, double t, const double *q, const double *u, double *K, double *D)
{
  const tree_system *s = user;
  const int code = nsd_tree_moving_at(s->tree, q, u);
  return code ? code : s->own.force_jacobian(s->own.user, t, q, u, K, D);
}

/* ---- the object ---- */

static void drop(void *user)
{
  tree_system *s = user;
  nsdyn_context *ctx = s->ctx;
  if (s->own.destroy_user) {
    s->own.destroy_user(s->own.user);
  }
  nsdyn_tree_free(s->tree);
  nsd_release(ctx, s, 1, sizeof *s);
  nsd_context_drop(ctx);
}

static nsdyn_status refuse(nsd_fault *fault, size_t offset, const char *text)
{
  return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_FIELD, (int64_t)offset,
                       "nsdyn_tree_system_new: %s", text);
}

#define FIELD(name) offsetof(nsdyn_system_def, name)

/* What a tree brings, the user does not. */
static nsdyn_status check_own(const nsdyn_tree *tree, const nsdyn_system_def *own, nsd_fault *fault)
{
  const struct {
    int is_given;
    size_t offset;
    const char *text;
  } refused[] = {{own->nq && own->nq != tree->nq, FIELD(nq), "nq is neither 0 nor that of the tree"},
                 {own->nu && own->nu != tree->nu, FIELD(nu), "nu is neither 0 nor that of the tree"},
                 {own->nblocks != 0, FIELD(nblocks), "nblocks is not 0; M is the tree's"},
                 {(own->flags & NSDYN_CONSTANT_MASS) != 0, FIELD(flags),
                  "flags has NSDYN_CONSTANT_MASS; M is the tree's"},
                 {own->mass != NULL, FIELD(mass), "mass is not NULL; M is the tree's"},
                 {own->solve_mass != NULL, FIELD(solve_mass), "solve_mass is not NULL; M is the tree's"},
                 {own->kinematics != NULL, FIELD(kinematics), "kinematics is not NULL; it is the tree's"},
                 {own->retract != NULL, FIELD(retract), "retract is not NULL; it is the tree's"},
                 {own->kinetic != NULL, FIELD(kinetic), "kinetic is not NULL; it is the tree's"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    if (refused[i].is_given) {
      return refuse(fault, refused[i].offset, refused[i].text);
    }
  }
  if (own->ncontacts > INT32_MAX - tree->contacts.count ||
      own->nconstraints > INT32_MAX - tree->constraints) {
    return nsd_fault_set(fault, NSDYN_ERR_TOO_LARGE, NSDYN_DETAIL_FIELD, (int64_t)FIELD(ncontacts),
                         "nsdyn_tree_system_new: more contacts or constraints than can be counted");
  }
  return NSDYN_OK;
}

/* Whether a callback for `own` rows of the user and `more` of the tree is there: his own only where there is
 * the user's. */
static int is_there(int32_t own, int given, int32_t more)
{
  return own ? given : given || more > 0;
}

/* Contacts and constraints of the user first, then those of the tree. A callback is there where both have it:
 * what a user leaves out is refused or differenced for all. */
static void combine_rows(const tree_system *s, nsdyn_system_def *def)
{
  const nsdyn_tree *tree = s->tree;
  const nsdyn_system_def *own = &s->own;
  const int32_t contacts = tree->contacts.count, constraints = tree->constraints;
  def->ncontacts += own->ncontacts < 0 ? 0 : contacts; /* a negative one is refused */
  def->nconstraints += own->nconstraints < 0 ? 0 : constraints;
  def->gap = is_there(own->ncontacts, own->gap != NULL, contacts) ? gap : NULL;
  def->direction = is_there(own->ncontacts, own->direction != NULL, contacts) ? direction : NULL;
  def->bias = is_there(own->ncontacts, own->bias != NULL, contacts) ? bias : NULL;
  def->constraint = is_there(own->nconstraints, own->constraint != NULL, constraints) ? constraint : NULL;
  def->constraint_bias =
      is_there(own->nconstraints, own->constraint_bias != NULL, constraints) ? constraint_bias : NULL;
  if (contacts > 0) { /* directions of axes never change, those of lines do */
    const int is_constant =
        nsd_elements_are_constant(tree) && (!own->ncontacts || (own->flags & NSDYN_CONSTANT_DIRECTIONS) != 0);
    def->flags &= ~(int64_t)NSDYN_CONSTANT_DIRECTIONS;
    def->flags |= is_constant ? NSDYN_CONSTANT_DIRECTIONS : 0;
  }
}

/* The table of both: a callback of the user where there is one. */
static nsdyn_system_def combine(tree_system *s)
{
  const nsdyn_tree *tree = s->tree;
  nsdyn_system_def def = s->own;
  def.nq = tree->nq;
  def.nu = tree->nu;
  def.user = s;
  def.destroy_user = drop;
  def.configure = configure;
  def.force = force;
  def.find = s->own.find || tree->solids.count ? find : NULL;
  combine_rows(s, &def);
  def.force_jacobian = s->own.force_jacobian ? force_jacobian : NULL;
  if (tree->nq != tree->nu) { /* quaternions; else q̇ = u */
    def.kinematics = kinematics;
    def.retract = retract;
  }
  def.mass = mass;
  if (tree->nu >= LEAST_RECURSIVE) { /* M itself only for those who ask for it: implicit forces */
    def.solve_mass = solve_mass;
    def.kinetic = kinetic;
  }
  return def;
}

static nsdyn_status make(nsdyn_context *ctx, nsdyn_tree *tree, const nsdyn_system_def *given,
                         nsdyn_system **out, nsd_fault *fault, nsdyn_error *error)
{
  nsdyn_system_def own;
  if (!tree) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_ARGUMENT, 1,
                         "nsdyn_tree_system_new: tree is NULL");
  }
  nsdyn_status status = NSD_SIZED_READ(nsdyn_system_def, &own, NSD_SYSTEM_DEF_LEAST, given, fault);
  status = status ? status : check_own(tree, &own, fault);
  status = status ? status : nsd_solids_prepare(tree, fault);
  if (status) {
    return status;
  }
  tree_system *s = nsd_allocate(ctx, 1, sizeof *s);
  if (!s) {
    return nsd_fault_set(fault, NSDYN_ERR_NOMEM, NSDYN_DETAIL_NONE, -1,
                         "nsdyn_tree_system_new: out of memory");
  }
  s->ctx = nsd_context_hold(ctx);
  s->tree = nsd_tree_hold(tree);
  s->own = own;
  const nsdyn_system_def def = combine(s);
  status = nsdyn_system_new(ctx, &def, out, error);
  if (!status) { /* laws, whose numbers were checked with their elements */
    status = nsd_elements_set_laws(tree, *out, own.ncontacts);
    status = status ? status : nsd_solids_add_laws(tree, *out);
    if (!status) {
      tree->has_system = 1;
      return NSDYN_OK;
    }
    nsd_fault_set(fault, status, NSDYN_DETAIL_NONE, -1, "%s", nsdyn_system_message(*out));
  }
  s->own.destroy_user = NULL; /* the user's own is still his */
  if (*out) {
    nsdyn_system_free(*out);
    *out = NULL;
  } else {
    drop(s);
  }
  return status;
}

nsdyn_status nsdyn_tree_system_new(nsdyn_context *ctx, nsdyn_tree *tree, const nsdyn_system_def *own,
                                   nsdyn_system **out, nsdyn_error *error)
{
  nsd_fault fault;
  nsdyn_status status = nsd_error_begin(error, &fault, out, "nsdyn_tree_system_new", 3);
  if (out) {
    *out = NULL;
    status = status ? status : make(ctx, tree, own, out, &fault, error);
  }
  /* What nsdyn_system_new() had to say stands in `error` already. */
  return status && !fault.message[0] && out ? status : nsd_error_end(error, &fault, status);
}
