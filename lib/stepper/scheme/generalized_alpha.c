/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The nonsmooth generalized-α method (Brüls, Acary & Cardona 2014; Capobianco et al. 2021), after Chung &
 * Hulbert (1993). A step hands on to the next an algorithmic force f and an algorithmic acceleration a,
 *
 *   (1 − α_m) fᴱ + α_m fᴬ = (1 − α_f) h(tᴱ, qᴱ, uᴱ) + α_f h(tᴬ, qᴬ, uᴬ),
 *   M (uᴱ − uᴬ) = ((1 − γ) fᴬ + γ fᴱ) Δt + Wᵀ Λ,    uᴱ − uᴬ = ((1 − γ) aᴬ + γ aᴱ) Δt,
 *   qᴱ = qᴬ + Δt uᴬ + Δt² ((½ − β) aᴬ + β aᴱ),
 *
 * with α_m, α_f, β and γ by the spectral radius ρ that very stiff forces are to have,
 *
 *   α_m = (2ρ − 1)/(ρ + 1),    α_f = ρ/(ρ + 1),    γ = ½ + α_f − α_m,    β = ¼ (γ + ½)².
 *
 * M is that of qᴹ = qᴬ + ½ Δt uᴬ, W too, and Λ are all impulses of the step: of impacts, and of contacts and
 * constraints that last, whose forces the papers put into the end of the step. As impulses of the whole step,
 * along directions in its middle, they are of second order as well. The acceleration has their share in it,
 * so that what is held does not move by it; the position is qᴬ + ½ Δt (uᴬ + uᴱ) + s with the small
 * displacement
 *
 *   s = η Δt² (aᴬ − aᴱ) = (η/γ) Δt (Δt aᴬ − (uᴱ − uᴬ)),    η = ½ γ − β.
 *
 * Where a contact opens, closes, sticks or slides accelerations jump, and there is no aᴬ: s = 0, in that step
 * and the next. Then positions get multipliers of their own, M δ = Wᵀ ν with 0 <= g(qᴱ) ⊥ ν >= 0, and
 * velocities at qᴱ too: it is the projection of projection.h, in each step. So constraints hold on both
 * levels.
 *
 * ρ = 1 keeps quadratic energies, less damps what steps do not resolve, by the factor ρ in each. uᴱ and fᴱ
 * are found by Newton's method as in implicit.h, with M̂ = M − γ μ Δt D − β μ Δt² K N and μ = (1 − α_f)/(1 −
 * α_m). */
#include <math.h>

#include "base/tolerances.h"
#include "stepper/scheme/implicit.h"
#include "stepper/scheme/scheme.h"

typedef struct weights {
  double alpha_m, alpha_f, beta, gamma, mu;
  double sway; /* η/γ; 0 where there is no aᴬ */
} weights;

static weights weights_of(double rho)
{
  weights a = {.alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), .alpha_f = rho / (rho + 1.0)};
  a.gamma = 0.5 + a.alpha_f - a.alpha_m;
  a.beta = 0.25 * (a.gamma + 0.5) * (a.gamma + 0.5);
  a.mu = (1.0 - a.alpha_f) / (1.0 - a.alpha_m);
  /* η = ½ γ − β of these: 0 for ρ = 1, −¼ for ρ = 0. */
  a.sway = -0.25 * ((1.0 - rho) / (1.0 + rho)) * ((1.0 - rho) / (1.0 + rho)) / a.gamma;
  return a;
}

/* fᴱ for this hᴱ; forces that do not change are kept to the bit. */
static double force_of(const weights *a, double h_E, double h_A, double f_A)
{
  return f_A + a->mu * (h_E - f_A) + a->alpha_f / (1.0 - a->alpha_m) * (h_A - f_A);
}

/* q := qᴱ of this uᴱ: from qᴹ with uᴱ + 2 s / Δt over Δt/2. */
static nsdyn_status place(nsdyn_stepper *s, const weights *a, double dt, const double *u, double *q)
{
  const nsdyn_system_def *def = &s->sys->def;
  double *v = s->du;
  for (int j = 0; j < def->nu; j++) {
    const double sway = a->sway != 0.0 ? 2.0 * a->sway * (dt * s->a[j] - (u[j] - s->u[j])) : 0.0;
    v[j] = u[j] + sway;
  }
  const nsdyn_status status = nsd_scheme_move(s, s->t_middle, s->q_middle, v, 0.5 * dt, q);
  return status == NSDYN_OK && nsd_lanes_bounded(def->nq, q) != 0.0 ? nsd_scheme_blame_coordinates(s, q)
                                                                    : status;
}

/* h := h(t, q, u). */
static nsdyn_status force_at(nsdyn_stepper *s, double t, const double *q, const double *u, double *h)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsdyn_status status = nsd_call_configure(def, t, q, &s->fault);
  status = status ? status : nsd_call_force(def, t, q, u, h, &s->fault);
  return status ? status
                : nsd_blame_vector(&s->fault, "force", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "h",
                                   def->nu, h);
}

/* fᴱ by s->h, which is hᴱ, into f_next; h := (1 − γ) fᴬ + γ fᴱ, what acts in the step. */
static void act(nsdyn_stepper *s, const weights *a, double *h)
{
  for (int j = 0; j < s->sys->def.nu; j++) {
    s->f_next[j] = force_of(a, s->h[j], s->h_begin[j], s->f[j]);
    h[j] = s->f[j] + a->gamma * (s->f_next[j] - s->f[j]);
  }
}

/* ---- forces at the end, by Newton's method ---- */

/* M̂ and M̂ − M at the iterate; the factor of M̂. */
static nsdyn_status make_matrix(nsdyn_stepper *s, const weights *a, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const size_t nu = (size_t)def->nu;
  /* dqᴱ/duᴱ = ½ Δt − sway Δt, which is β/γ Δt where there is an aᴬ. */
  const double of_D = a->gamma * a->mu * dt, of_K = of_D * (0.5 - a->sway) * dt;
  const nsdyn_status status = def->force ? nsd_implicit_slopes(s, dt) : NSDYN_OK;
  if (status) {
    return status;
  }
  for (size_t i = 0; i < nu; i++) {
    for (size_t j = 0; j <= i; j++) {
      const size_t at = i * nu + j, mirror = j * nu + i;
      /* γ μ Δt D + β μ Δt² K N, the mean of its two halves. */
      const double stiff =
          def->force ? 0.5 * (of_D * (p->D[at] + p->D[mirror]) + of_K * (p->slope[at] + p->slope[mirror]))
                     : 0.0;
      p->A[at] = p->A[mirror] = p->M[at] - stiff;
      p->D[at] = p->D[mirror] = -stiff;
    }
  }
  const nsdyn_status factored = nsd_implicit_factor(s, &p->inertia, "M - gamma mu dt D - beta mu dt^2 K");
  if (factored == NSDYN_OK && nsd_implicit_is_constant(s)) {
    p->kept_dt = dt;
    p->kept_theta = -a->gamma * a->mu; /* by its sign never that of Moreau and Jean's scheme */
    p->kept_sway = a->sway;
  }
  return factored;
}

/* Whether that is what the matrix there is made with, and good for all such steps. */
static int is_kept(const nsd_implicit *p, const weights *a, double dt)
{
  return dt == p->kept_dt && p->kept_theta == -a->gamma * a->mu && p->kept_sway == a->sway;
}

/* x := (M̂ − M) v */
static void multiply_stiff(const nsd_implicit *p, int nu, const double *v, double *x)
{
  for (int i = 0; i < nu; i++) {
    x[i] = nsd_dot(nu, p->D + (size_t)i * (size_t)nu, v);
  }
}

/* One round from uₖ to uₖ₊₁; p->probe := uₖ₊₁ − uₖ. `is_known`: hₖ is in p->acted. */
static nsdyn_status go_round(nsdyn_stepper *s, const weights *a, double dt, int is_new, int is_known)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  const int nu = def->nu;
  /* 1: qₖ, and hₖ there; M̂ where the one there is does not lead on. */
  nsdyn_status status = is_known ? NSDYN_OK : place(s, a, dt, p->u, s->q_mass);
  if (is_known) {
    nsd_rows_copy(1, nu, p->acted, s->h);
  } else {
    status = status ? status : force_at(s, s->t_mass, s->q_mass, p->u, s->h);
  }
  nsd_rows_copy(1, nu, p->u, p->mean);
  status = status || !is_new || is_kept(p, a, dt) ? status : make_matrix(s, a, dt);
  if (status) {
    return status;
  }
  /* 2: ĥ Δt = ((1 − γ) fᴬ + γ fₖ) Δt + (M̂ − M) (uₖ − uᴬ); z = L̂⁻¹ ĥ Δt. */
  act(s, a, s->z);
  for (int j = 0; j < nu; j++) {
    p->probe[j] = p->u[j] - s->u[j];
  }
  multiply_stiff(p, nu, p->probe, p->work);
  for (int j = 0; j < nu; j++) {
    s->z[j] = s->z[j] * dt + p->work[j];
  }
  nsd_inertia_forward(&p->inertia, s->z);
  /* 3: the contact problem, qᴹ being configured; uₖ₊₁. */
  status = nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status : nsd_implicit_solve(s, s->t_middle, s->q_middle, is_new);
  for (int j = 0; status == NSDYN_OK && j < nu; j++) {
    p->probe[j] = s->u_next[j] - p->u[j];
    p->u[j] = s->u_next[j];
  }
  return status;
}

/* |h Δt|² in the metric of M̂⁻¹: where what such forces do is taken back by others, their rounding stays. */
static double forced(const nsdyn_stepper *s, double dt)
{
  nsd_implicit *p = s->implicit;
  const int nu = s->sys->def.nu;
  for (int j = 0; j < nu; j++) {
    p->work[j] = s->h[j] * dt;
  }
  nsd_inertia_forward(&p->inertia, p->work);
  return nsd_dot(nu, p->work, p->work);
}

/* Of a constant M, after a round: p->acted := h at uₖ₊₁. *is_done: fᴱ by that is what acted in the round, but
 * for a change of velocities that another one would leave alone; `size` is their size. So it is after the
 * first round where h is linear, as for Moreau and Jean (implicit.c). */
static nsdyn_status look_back(nsdyn_stepper *s, const weights *a, double dt, double size, int *is_done)
{
  nsd_implicit *p = s->implicit;
  const int nu = s->sys->def.nu;
  nsdyn_status status = place(s, a, dt, p->u, s->q_mass);
  status = status ? status : force_at(s, s->t_mass, s->q_mass, p->u, p->acted);
  if (status) {
    return status;
  }
  multiply_stiff(p, nu, p->probe, p->work);
  for (int j = 0; j < nu; j++) {
    const double f = force_of(a, p->acted[j], s->h_begin[j], s->f[j]);
    p->work[j] += a->gamma * (f - s->f_next[j]) * dt;
  }
  nsd_inertia_forward(&p->inertia, p->work);
  *is_done = nsd_dot(nu, p->work, p->work) <= NSD_IMPLICIT_LINEAR * NSD_IMPLICIT_LINEAR * size;
  return *is_done ? nsd_call_configure(&s->sys->def, s->t_middle, s->q_middle, &s->fault) : NSDYN_OK;
}

static nsdyn_status iterate(nsdyn_stepper *s, const weights *a, double dt)
{
  const int nu = s->sys->def.nu;
  nsd_implicit *p = s->implicit;
  nsdyn_status status = NSDYN_OK;
  nsd_rows_copy(1, nu, s->u, p->u);
  double before = 0.0, left = 0.0;
  int is_old = 1, is_done = 0, is_known = 0;
  for (int32_t round = 0; status == NSDYN_OK && !is_done; round++) {
    if (round == s->options.implicit_rounds) {
      return nsd_implicit_give_up(s, left);
    }
    const int is_new = is_old;
    status = go_round(s, a, dt, is_new, is_known);
    if (status) {
      return status;
    }
    /* By how much velocities still change, in the metric of M̂; as for Moreau and Jean (implicit.c). */
    const double size = nsd_dot(nu, s->z, s->z) + nsd_implicit_square(p, nu, s->u),
                 change = nsd_implicit_square(p, nu, p->probe);
    is_done = !(change > NSD_IMPLICIT_STEP * NSD_IMPLICIT_STEP * size); /* also where it is NaN */
    is_done |= size < NSD_DECAYED;
    is_done |= round > 0 && is_new && change > 0.25 * before &&
               change <= NSD_IMPLICIT_ROUNDING * NSD_IMPLICIT_ROUNDING * (size + forced(s, dt));
    is_old = round > 0 && change > NSD_IMPLICIT_SLOW * NSD_IMPLICIT_SLOW * before;
    before = change;
    left = sqrt(change / size);
    is_known = !is_done && p->mass_is_known;
    if (is_known) {
      status = look_back(s, a, dt, size, &is_done);
    }
  }
  /* h that acted, M (uᴱ − uᴬ) = h Δt + Wᵀ Λ, and the fᴱ that belongs to it. */
  multiply_stiff(p, nu, p->probe, p->work);
  for (int j = 0; j < nu; j++) {
    s->f_next[j] -= p->work[j] / (a->gamma * dt);
    s->h[j] = s->f[j] + a->gamma * (s->f_next[j] - s->f[j]);
  }
  return status;
}

/* M and W of qᴹ, which is configured, for all rounds. */
static nsdyn_status evaluate_middle(nsdyn_stepper *s)
{
  const nsdyn_system_def *def = &s->sys->def;
  nsd_implicit *p = s->implicit;
  nsdyn_status status = NSDYN_OK;
  if (!p->mass_is_known) {
    status = nsd_call_mass(def, s->t_middle, s->q_middle, p->numbers, &s->fault);
    status = status ? status : nsd_blame_mass(&s->fault, def, p->numbers);
    nsd_implicit_expand_mass(p, def);
    p->mass_is_known = status == NSDYN_OK && (def->flags & NSDYN_CONSTANT_MASS);
  }
  return status || !s->scene.closed.rows ? status
                                         : nsd_scene_direct(&s->scene, s->t_middle, s->q_middle, &s->fault);
}

/* ---- forces where the beginning predicts the end ---- */

/* z := L⁻¹ h Δt, or M⁻¹ h Δt where the user solves; M is that of qᴹ, which is configured. */
static nsdyn_status divide(nsdyn_stepper *s, const double *h, double dt)
{
  const int nu = s->sys->def.nu;
  for (int j = 0; j < nu; j++) {
    s->z[j] = h[j] * dt;
  }
  if (s->inertia.factored) {
    nsd_inertia_forward(&s->inertia, s->z);
    return NSDYN_OK;
  }
  return nu ? nsd_call_solve_mass(&s->sys->def, s->t_middle, s->q_middle, 1, s->z, &s->fault) : NSDYN_OK;
}

/* hᴱ at uᴬ + Δt M⁻¹ fᴬ, and at the qᴱ that it leads to; then the contact problem. */
static nsdyn_status predict(nsdyn_stepper *s, const weights *a, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  const int nu = def->nu;
  nsdyn_status status = divide(s, s->f, dt);
  if (status) {
    return status;
  }
  nsd_rows_copy(1, nu, s->z, s->u_next);
  if (s->inertia.factored) {
    nsd_inertia_backward(&s->inertia, s->u_next);
  }
  for (int j = 0; j < nu; j++) {
    s->u_next[j] += s->u[j];
  }
  status = place(s, a, dt, s->u_next, s->q_mass);
  status = status ? status : force_at(s, s->t_mass, s->q_mass, s->u_next, s->h);
  act(s, a, s->h);
  status = status ? status : nsd_call_configure(def, s->t_middle, s->q_middle, &s->fault);
  status = status ? status : divide(s, s->h, dt);
  return status ? status : nsd_scheme_velocities(s);
}

/* ---- the step ---- */

static int is_implicit(const nsdyn_stepper *s)
{
  return s->implicit && s->options.implicit_rounds;
}

/* Whether the same contacts press in the same modes as in the step before. */
static int goes_on(const nsdyn_stepper *s)
{
  const nsd_history *history = &s->history;
  int now = 0, before = 0;
  for (int k = 0; k < s->scene.closed.count; k++) {
    const nsd_closed *c = &s->scene.closed.contact[k];
    const int32_t trace = nsd_history_trace(history, c);
    if (c->mode != (trace < 0 ? NSDYN_MODE_OPEN : nsd_trace_mode(trace))) {
      return 0;
    }
    now += c->mode != NSDYN_MODE_OPEN;
  }
  for (int k = 0; k < history->known_count; k++) {
    before += nsd_trace_pressed(history->trace[history->known[k]]);
  }
  for (int k = 0; k < history->found_count; k++) {
    before += nsd_trace_pressed(history->found_trace[k]);
  }
  return now == before;
}

/* fᴱ, Λ and uᴱ together, or one after the other; the force that acted. */
static nsdyn_status solve(nsdyn_stepper *s, const weights *a, double dt)
{
  return is_implicit(s) ? iterate(s, a, dt) : predict(s, a, dt);
}

/* aᴱ into a_next; it is the mean of the step where there is no aᴬ. */
static void hand_on(nsdyn_stepper *s, const weights *a, double dt)
{
  for (int j = 0; j < s->sys->def.nu; j++) {
    const double mean = (s->u_next[j] - s->u[j]) / dt;
    s->a_next[j] = s->has_a ? s->a[j] + (mean - s->a[j]) / a->gamma : mean;
  }
}

static nsdyn_status step(nsdyn_stepper *s, double dt)
{
  const nsdyn_system_def *def = &s->sys->def;
  weights a = weights_of(s->options.spectral_radius);
  const double half = 0.5 * dt;
  /* 1: hᴬ; a run begins with fᴬ = hᴬ. */
  s->has_f_next = s->has_a_next = 0;
  nsdyn_status status = force_at(s, s->t, s->q, s->u, s->h_begin);
  if (status) {
    return status;
  }
  if (!s->has_f) {
    nsd_rows_copy(1, def->nu, s->h_begin, s->f);
  }
  /* 2: qᴹ = qᴬ + ½ Δt uᴬ, what is closed there, M and W. */
  s->t_middle = s->t + half;
  s->t_mass = s->t + dt;
  status = nsd_scheme_move(s, s->t, s->q, s->u, half, s->q_middle);
  status = status ? status : nsd_scheme_look_ahead(s, dt, NSDYN_ACTIVATION_GAP);
  status = status ? status : nsd_scheme_mass(s);
  if (status == NSDYN_OK && is_implicit(s)) {
    status = evaluate_middle(s);
  }
  if (status) {
    return nsd_scheme_end(s, status, half);
  }
  /* 3: fᴱ, Λ and uᴱ; once more without s where modes have changed. */
  a.sway = s->has_a ? a.sway : 0.0;
  status = solve(s, &a, dt);
  if (status == NSDYN_OK && a.sway != 0.0 && !goes_on(s)) {
    a.sway = 0.0;
    status = solve(s, &a, dt);
  }
  s->has_a_next = goes_on(s);
  hand_on(s, &a, dt);
  status = status ? status : nsd_scheme_follow(s);
  /* 4: qᴱ; advance.c has it projected then. */
  status = nsd_scheme_end(s, status, half);
  if (status == NSDYN_OK && a.sway != 0.0) {
    status = place(s, &a, dt, s->u_next, s->q_next);
  }
  s->has_f_next = status == NSDYN_OK;
  return status;
}

const nsd_scheme nsd_scheme_generalized_alpha = {.id = NSDYN_SCHEME_GENERALIZED_ALPHA,
                                                 .name = "generalized-alpha",
                                                 .step = step,
                                                 .theta = 0.5,
                                                 .impact = -1,
                                                 .slow = 2.0,
                                                 .projects = 1};
