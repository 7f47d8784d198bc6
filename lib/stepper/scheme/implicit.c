/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "stepper/scheme/implicit.h"

#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "stepper/scheme/scheme.h"

/* ---- its memory ---- */

static void lay_out(nsd_arena *arena, nsd_implicit *p, const nsdyn_system_def *def)
{
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  /* M̂ couples what M does not: one block, with a factor of its own. */
  nsdyn_system_def whole = *def;
  whole.nblocks = 0;
  whole.solve_mass = NULL;
  nsd_inertia_lay_out(arena, &p->inertia, &whole);
  double **matrices[] = {&p->M, &p->A, &p->slope, &p->D};
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
    *matrices[i] = nsd_arena_take(arena, nu, nu * sizeof(double));
  }
  p->K = nsd_arena_take(arena, nu, nq * sizeof(double));
  p->numbers = nsd_arena_take(arena, nsd_mass_numbers(def), sizeof(double));
  double **vectors[] = {&p->u, &p->mean, &p->work, &p->probe, &p->acted};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    *vectors[i] = nsd_arena_take(arena, nu, sizeof(double));
  }
  p->q = nsd_arena_take(arena, nq, sizeof(double));
  p->qdot = nsd_arena_take(arena, nq, sizeof(double));
}

static nsdyn_status make(nsdyn_stepper *s)
{
  s->implicit = nsd_allocate(s->ctx, 1, sizeof *s->implicit);
  if (!s->implicit) {
    return NSDYN_ERR_NOMEM;
  }
  const nsd_implicit empty = {.arena = nsd_arena_empty(s->ctx)};
  *s->implicit = empty;
  nsd_implicit counted = empty;
  nsd_arena measure = nsd_arena_measure();
  lay_out(&measure, &counted, &s->sys->def);
  const nsdyn_status status = nsd_arena_reserve(&s->implicit->arena, &measure);
  if (status) {
    nsd_implicit_release(s);
    return status;
  }
  lay_out(&s->implicit->arena, s->implicit, &s->sys->def);
  return NSDYN_OK;
}

/* Whether forces are taken within the step, with these options. */
static int is_implicit(const nsdyn_stepper *s, const nsdyn_stepper_options *options)
{
  const int may_be =
      options->scheme == NSDYN_SCHEME_MOREAU_JEAN || options->scheme == NSDYN_SCHEME_GENERALIZED_ALPHA;
  return may_be && options->implicit_rounds && s->sys->def.nu;
}

nsdyn_status nsd_implicit_prepare(nsdyn_stepper *s, const nsdyn_stepper_options *options, nsd_fault *fault)
{
  if (!is_implicit(s, options)) {
    return NSDYN_OK;
  }
  if (!s->sys->def.mass) {
    return nsd_fault_set(fault, NSDYN_ERR_UNSUPPORTED, NSDYN_DETAIL_NONE, -1,
                         "implicit forces need the callback mass; option implicit_rounds 0 does without");
  }
  return s->implicit ? NSDYN_OK : make(s);
}

void nsd_implicit_release(nsdyn_stepper *s)
{
  if (s->implicit) {
    nsd_arena_release(&s->implicit->arena);
    nsd_release(s->ctx, s->implicit, 1, sizeof *s->implicit);
    s->implicit = NULL;
  }
}

const nsd_inertia *nsd_implicit_inertia(const nsdyn_stepper *s)
{
  return is_implicit(s, &s->options) ? &s->implicit->inertia : &s->inertia;
}

void nsd_implicit_forget(nsdyn_stepper *s)
{
  if (s->implicit) {
    s->implicit->mass_is_known = 0;
    s->implicit->kept_dt = 0.0;
  }
}

/* ---- M, h and their slopes at an iterate ---- */

void nsd_implicit_expand_mass(nsd_implicit *p, const nsdyn_system_def *def)
{
  const size_t nu = (size_t)def->nu;
  nsd_fill_zero(def->nu * def->nu, p->M);
  for (nsd_mass_part b = nsd_mass_first(def); b.n > 0; b = nsd_mass_next(def, b)) {
    for (int i = 0; i < b.n; i++) {
      for (int j = 0; j <= i; j++) {
        const double m = p->numbers[b.at + (size_t)i * (size_t)b.n + (size_t)j];
        const size_t row = (size_t)b.first + (size_t)i, column = (size_t)b.first + (size_t)j;
        p->M[row * nu + column] = p->M[column * nu + row] = m;
      }
    }
  }
}

/* q^θ and u^θ of uₖ, with M and h there. */
static nsdyn_status evaluate(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const double theta = s->theta;
  for (int j = 0; j < def->nu; j++) {
    p->mean[j] = (1.0 - theta) * s->u[j] + theta * p->u[j];
  }
  s->t_mass = s->t + theta * dt;
  nsdyn_status status = nsd_scheme_move(s, s->t, s->q, p->mean, theta * dt, s->q_mass);
  if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, s->q_mass) != 0.0) {
    status = nsd_scheme_blame_coordinates(s, s->q_mass);
  }
  status = status ? status : nsd_call_configure(def, s->t_mass, s->q_mass, &s->fault);
  if (status == NSDYN_OK && !p->mass_is_known) {
    status = nsd_call_mass(def, s->t_mass, s->q_mass, p->numbers, &s->fault);
    status = status ? status : nsd_blame_mass(&s->fault, def, p->numbers);
    nsd_implicit_expand_mass(p, def);
    p->mass_is_known = status == NSDYN_OK && (def->flags & NSDYN_CONSTANT_MASS);
  }
  return status ? status : nsd_call_force(def, s->t_mass, s->q_mass, p->mean, s->h, &s->fault);
}

/* How far a number of this size is moved for a difference; `other` stands in for zero, and 1 for what has
 * decayed: a share of that may be zero. */
static double step_of(double size, double other)
{
  const double most = nsd_larger(fabs(size), other);
  return NSD_IMPLICIT_DIFFERENCE * (most > NSD_DECAYED ? most : 1.0);
}

/* Column j of a slope: (h of the probe − h) / step. */
static void set_column(const nsdyn_stepper *s, int j, double step, double *slope)
{
  const int nu = s->sys->def.nu;
  for (int i = 0; i < nu; i++) {
    slope[(size_t)i * (size_t)nu + (size_t)j] = (s->implicit->work[i] - s->h[i]) / step;
  }
}

/* K N and D by differences along each velocity. */
static nsdyn_status difference(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const int is_flat = nsd_system_is_flat(def);
  const double speed = nsd_scene_largest(def->nu, p->mean), place = nsd_scene_largest(def->nq, s->q_mass);
  const double way = nsd_larger(dt * speed, is_flat ? 0.0 : place);
  nsdyn_status status = NSDYN_OK;
  for (int j = 0; j < def->nu; j++) {
    p->probe[j] = p->mean[j];
  }
  for (int j = 0; status == NSDYN_OK && j < def->nu; j++) { /* q^θ is still configured */
    const double step = step_of(p->mean[j], speed);
    p->probe[j] = p->mean[j] + step;
    status = nsd_call_force(def, s->t_mass, s->q_mass, p->probe, p->work, &s->fault);
    set_column(s, j, step, p->D);
    p->probe[j] = p->mean[j];
  }
  nsd_fill_zero(def->nu, p->probe);
  for (int j = 0; status == NSDYN_OK && j < def->nu; j++) {
    const double step = step_of(is_flat ? s->q_mass[j] : 0.0, way > 0.0 ? way : place);
    p->probe[j] = 1.0; /* a unit velocity leads there in the time `step` */
    status = nsd_scheme_move(s, s->t_mass, s->q_mass, p->probe, step, p->q);
    p->probe[j] = 0.0;
    if (status == NSDYN_OK && nsd_lanes_bounded(def->nq, p->q) != 0.0) {
      status = nsd_scheme_blame_coordinates(s, p->q);
    }
    status = status ? status : nsd_call_configure(def, s->t_mass, p->q, &s->fault);
    status = status ? status : nsd_call_force(def, s->t_mass, p->q, p->mean, p->work, &s->fault);
    set_column(s, j, step, p->slope);
  }
  return status;
}

/* K N and D as the callback tells them. */
static nsdyn_status ask(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const size_t nq = (size_t)def->nq, nu = (size_t)def->nu;
  double *K = def->kinematics ? p->K : p->slope; /* q̇ = u: N = 1 */
  nsdyn_status status = nsd_call_force_jacobian(def, s->t_mass, s->q_mass, p->mean, K, p->D, &s->fault);
  if (status || !def->kinematics) {
    return status;
  }
  nsd_fill_zero(def->nu, p->probe);
  for (int j = 0; status == NSDYN_OK && j < def->nu; j++) {
    p->probe[j] = 1.0; /* column j of N */
    nsd_fill_zero(def->nq, p->qdot);
    const int code = def->kinematics(def->user, s->t_mass, s->q_mass, p->probe, p->qdot);
    status = code ? nsd_blame_code(&s->fault, "kinematics", nsd_no_subject(), code) : NSDYN_OK;
    for (size_t i = 0; i < nu; i++) {
      p->slope[i * nu + (size_t)j] = nsd_dot(def->nq, p->K + i * nq, p->qdot);
    }
    p->probe[j] = 0.0;
  }
  return status;
}

nsdyn_status nsd_implicit_slopes(nsdyn_stepper *s, double dt)
{
  s->implicit->kept_dt = 0.0; /* M̂ − M of the matrix that was kept is overwritten */
  return s->sys->def.force_jacobian ? ask(s) : difference(s, dt);
}

nsdyn_status nsd_implicit_factor(nsdyn_stepper *s, nsd_inertia *into, const char *what)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  p->kept_dt = 0.0; /* its factor, too */
  if (nsd_inertia_factor(into, p->A)) {
    return NSDYN_OK;
  }
  nsdyn_status status = nsd_blame_mass(&s->fault, def, p->numbers);
  status = status ? status
                  : nsd_blame_matrix(&s->fault, def->force_jacobian ? "force_jacobian" : "force",
                                     nsd_no_subject(), "slopes of h", def->nu, def->nu, p->A);
  return status
             ? status
             : nsd_fault_set(&s->fault, NSDYN_ERR_NOT_DEFINITE, NSDYN_DETAIL_NONE, -1,
                             "%s is not positive definite: the step is too long for forces that drive away "
                             "from where they are",
                             what);
}

int nsd_implicit_is_constant(const nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  return s->implicit->mass_is_known && (def->flags & NSDYN_CONSTANT_SLOPES) && nsd_system_is_flat(def);
}

/* M̂ at the iterate, and its factor. */
static nsdyn_status make_matrix(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const size_t nu = (size_t)def->nu;
  const double of_D = s->theta * dt, of_K = of_D * of_D;
  nsdyn_status status = def->force ? nsd_implicit_slopes(s, dt) : NSDYN_OK;
  if (status) {
    return status;
  }
  for (size_t i = 0; i < nu; i++) {
    for (size_t j = 0; j <= i; j++) {
      const size_t at = i * nu + j, mirror = j * nu + i;
      /* M − θ Δt D − θ² Δt² K N, the mean of its two halves. */
      const double stiff =
          def->force ? 0.5 * (of_D * (p->D[at] + p->D[mirror]) + of_K * (p->slope[at] + p->slope[mirror]))
                     : 0.0;
      p->A[at] = p->A[mirror] = p->M[at] - stiff;
      p->D[at] = p->D[mirror] = -stiff; /* M̂ − M from here on */
    }
  }
  status = nsd_implicit_factor(s, &p->inertia, "M - theta dt D - theta^2 dt^2 K");
  if (status == NSDYN_OK && nsd_implicit_is_constant(s)) {
    p->kept_dt = dt;
    p->kept_theta = s->theta;
  }
  return status;
}

/* ---- the iteration ---- */

nsdyn_status nsd_implicit_solve(nsdyn_stepper *s, double t, const double *q, int is_new)
{
  nsd_scene *scene = &s->scene;
  nsd_direction_cache *cache = scene->directions.cache;
  const nsd_inertia own = s->inertia;
  double *X = cache ? cache->X : NULL;
  nsdyn_status status = NSDYN_OK;
  s->inertia = s->implicit->inertia;
  if (cache) {
    cache->X = NULL; /* it is of M */
  }
  if (scene->closed.rows) {
    status = is_new ? nsd_scene_assemble(scene, &s->inertia, t, q, &s->fault) : NSDYN_OK;
    scene->closed.is_watched = nsd_keep_closed_concerns(s);
    status = status ? status : nsd_impulses_solve(s);
  }
  if (status == NSDYN_OK) {
    nsd_scene_velocities(scene, &s->inertia, s->z, scene->solution.Lambda, s->du);
    nsd_lanes_combine(s->inertia.nu, s->u, 1.0, s->du, s->u_next);
  }
  if (cache) {
    cache->X = X;
  }
  s->inertia = own;
  return status;
}

double nsd_implicit_square(const nsd_implicit *p, int nu, const double *x)
{
  double sum = 0.0;
  for (int i = 0; i < nu; i++) {
    sum += x[i] * nsd_dot(nu, p->A + (size_t)i * (size_t)nu, x);
  }
  return sum;
}

/* x := (M̂ − Mₖ) v */
static void multiply_stiff(const nsd_implicit *p, int nu, const double *v, double *x)
{
  for (int i = 0; i < nu; i++) {
    const size_t row = (size_t)i * (size_t)nu;
    /* A constant M is the one that M̂ was made with. */
    x[i] = p->mass_is_known ? nsd_dot(nu, p->D + row, v)
                            : nsd_dot(nu, p->A + row, v) - nsd_dot(nu, p->M + row, v);
  }
}

nsdyn_status nsd_implicit_give_up(nsdyn_stepper *s, double left)
{
  char t[NSD_NUMBER_LENGTH], share[NSD_NUMBER_LENGTH];
  return nsd_fault_set(
      &s->fault, NSDYN_MAX_ITERATIONS, NSDYN_DETAIL_NONE, -1,
      "implicit forces in the step from t = %s: velocities still change by the share %s after "
      "%d rounds (option implicit_rounds)",
      nsd_number_text(s->t_begin, t), nsd_number_text(left, share), (int)s->options.implicit_rounds);
}

/* Of a constant M: acted := the h that acted in the round, and h, there, at uₖ₊₁. *is_done: the two are the
 * same but for a change of velocities that another round would leave alone; `size` is their size. So it is
 * after the first round where h is linear. */
static nsdyn_status look_back(nsdyn_stepper *s, double dt, double size, int *is_done)
{
  nsd_implicit *p = s->implicit;
  const int nu = s->sys->def.nu;
  multiply_stiff(p, nu, p->probe, p->work);
  for (int j = 0; j < nu; j++) {
    p->acted[j] = s->h[j] - p->work[j] / dt;
  }
  const nsdyn_status status = evaluate(s, dt);
  for (int j = 0; j < nu; j++) {
    p->work[j] = (s->h[j] - p->acted[j]) * dt;
  }
  nsd_inertia_forward(&p->inertia, p->work);
  *is_done = nsd_dot(nu, p->work, p->work) <= NSD_IMPLICIT_LINEAR * NSD_IMPLICIT_LINEAR * size;
  return status;
}

nsdyn_status nsd_implicit_velocities(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const int nu = def->nu;
  /* W is that of qᴹ, which is configured, in all rounds. */
  nsdyn_status status =
      s->scene.closed.rows ? nsd_scene_direct(&s->scene, s->t_middle, s->q_middle, &s->fault) : NSDYN_OK;
  for (int j = 0; j < nu; j++) {
    p->u[j] = s->u[j];
  }
  double before = 0.0, left = 0.0, begin = 0.0;
  int is_old = 1, is_done = 0, is_linear = 0;
  for (int32_t round = 0; status == NSDYN_OK && !is_done; round++) {
    if (round == s->options.implicit_rounds) {
      return nsd_implicit_give_up(s, left);
    }
    /* 1: M and h at uₖ, and M̂ where the one there is does not lead on. */
    status = round > 0 && p->mass_is_known ? NSDYN_OK : evaluate(s, dt);
    const int is_new = is_old;
    const int is_kept = dt == p->kept_dt && s->theta == p->kept_theta;
    status = status || !is_new || is_kept ? status : make_matrix(s, dt);
    if (status) {
      return status;
    }
    /* 2: ĥ Δt = hₖ Δt + (M̂ − Mₖ) (uₖ − uᴬ), u₀ = uᴬ; z = L̂⁻¹ ĥ Δt. */
    for (int j = 0; j < nu; j++) {
      p->probe[j] = p->u[j] - s->u[j];
      p->work[j] = 0.0;
    }
    if (round > 0) {
      multiply_stiff(p, nu, p->probe, p->work);
    }
    for (int j = 0; j < nu; j++) {
      s->z[j] = s->h[j] * dt + p->work[j];
    }
    nsd_inertia_forward(&p->inertia, s->z);
    begin = is_new ? nsd_implicit_square(p, nu, s->u) : begin;
    const double size = nsd_dot(nu, s->z, s->z) + begin;
    /* 3: the contact problem, qᴹ being configured; uₖ₊₁. */
    status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
    status = status ? status : nsd_implicit_solve(s, s->t_mass, s->q_mass, is_new);
    /* 4: by how much velocities still change, in the metric of M̂. */
    for (int j = 0; status == NSDYN_OK && j < nu; j++) {
      p->probe[j] = s->u_next[j] - p->u[j];
      p->u[j] = s->u_next[j];
    }
    const double change = nsd_implicit_square(p, nu, p->probe);
    is_done = !(change > NSD_IMPLICIT_STEP * NSD_IMPLICIT_STEP * size); /* also where it is NaN */
    is_done |= size < NSD_DECAYED;                                      /* squares have no digits there */
    /* Where a new matrix leaves as much as the round before it did, that is the rounding of h: stiff forces
     * are differences of large numbers. */
    is_done |= round > 0 && is_new && change > 0.25 * before &&
               change <= NSD_IMPLICIT_ROUNDING * NSD_IMPLICIT_ROUNDING * size;
    is_old = round > 0 && change > NSD_IMPLICIT_SLOW * NSD_IMPLICIT_SLOW * before;
    before = change;
    left = sqrt(change / size);
    if (status == NSDYN_OK && !is_done && p->mass_is_known) {
      status = look_back(s, dt, size, &is_linear);
      is_done = is_linear;
    }
  }
  if (is_linear && status == NSDYN_OK) {
    nsd_rows_copy(1, nu, p->acted, s->h);
    return nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault);
  }
  /* 5: h that acted: Mₖ (uᴱ − uᴬ) = h Δt + Wᵀ Λ. */
  multiply_stiff(p, nu, p->probe, p->work);
  for (int j = 0; status == NSDYN_OK && j < nu; j++) {
    s->h[j] -= p->work[j] / dt;
  }
  return status;
}
