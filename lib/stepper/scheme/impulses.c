/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The contact problem of a step, or of an impact: Glocker & Studer (2005), eqs. 18–21 in the form ξ = G Λ +
 * c. */
#include "stepper/object.h"

#include <math.h>

#include "base/number.h"
#include "base/tolerances.h"
#include "contact/door.h"
#include "stepper/check/redundant_rounding.h"
#include "stepper/drift/keep_closed.h"

/* What has decayed is zero. */
static inline double without_vanishing(double x)
{
  return fabs(x) < NSD_DECAYED ? copysign(0.0, x) : x;
}

/* Velocities without what vanishes, which is left out of z, too. */
static __attribute__((noinline)) const double *lasting_velocities(nsdyn_stepper *s)
{
  double *u = s->u_next; /* not known yet */
  for (int j = 0; j < s->inertia.nu; j++) {
    u[j] = without_vanishing(s->u[j]);
    s->z[j] = without_vanishing(s->z[j]);
  }
  return u;
}

/* e_T2 := ε_T γ_T2. Returns whether it is not zero. */
static __attribute__((noinline)) int set_second_tangent(nsd_scene *scene, const nsd_closed *c, double eps_t)
{
  const double e_T = eps_t > 0.0 ? eps_t * scene->problem.gamma[c->row + 2] : 0.0;
  scene->problem.shift[c->row + 2] = e_T;
  return e_T != 0.0;
}

/* e := ε γ, what Newton's law adds to γᴱ; none under Poisson's. Returns whether any of it is not zero. */
NSD_INLINE int set_restitution(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int is_newton = s->impact == NSDYN_IMPACT_NEWTON && !s->is_smoothing;
  int any = 0;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double eps_n = c->law->eps_n, eps_t = c->law->eps_t, gamma_N = scene->problem.gamma[c->row];
    double e_N = 0.0;
    /* A slot is closed, whatever it comes with. */
    if (is_newton && eps_n > 0.0 && c->law->kind != NSDYN_CONTACT_BILATERAL) {
      /* Slow approaches do not rebound; `clip` makes it e_N = ε_N min(0, γ_Nᴬ): what leaves is not pulled
       * back. */
      const int is_slow = gamma_N <= 0.0 && -gamma_N < s->options.threshold;
      const int is_clipped = s->options.clip && gamma_N > 0.0;
      e_N = is_slow || is_clipped ? 0.0 : eps_n * gamma_N;
    }
    scene->problem.shift[c->row] = e_N;
    any |= e_N != 0.0;
    if (c->rows > 1) {
      const double e_T = is_newton && eps_t > 0.0 ? eps_t * scene->problem.gamma[c->row + 1] : 0.0;
      scene->problem.shift[c->row + 1] = e_T;
      any |= e_T != 0.0;
    }
    if (c->rows > 2) { /* in space */
      any |= set_second_tangent(scene, c, is_newton ? eps_t : 0.0);
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    scene->problem.shift[r] = 0.0;
  }
  return any;
}

static void clear_restitution(const nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  for (int r = 0; r < scene->closed.rows; r++) {
    scene->problem.shift[r] = 0.0;
  }
}

/* c := W M⁻¹h Δt + γᴬ + e. Returns 0 where c or the diagonal of G is no finite number: so is every number
 * that came in then, since |G_ij|² <= G_ii G_jj. */
static int set_free_velocities(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int rows = scene->closed.rows;
  double zero = 0.0;
  /* W M⁻¹ h Δt = V z, in all forms of V and z. */
  nsd_scene_forced_all(scene, s->z, scene->problem.c);
  for (int r = 0; r < rows; r++) {
    const double c = (scene->problem.c[r] + scene->problem.gamma[r]) + scene->problem.shift[r];
    scene->problem.c[r] = c;
    /* 0 where G is finite and c below 2^255, else NaN: contacts take away what is too large in forces. */
    zero += (NSD_NUMBERS_SCALE * c + scene->problem.G[(size_t)r * ((size_t)scene->problem.ldg + 1)]) * 0.0;
  }
  if (!s->inertia.factored) {
    for (size_t i = 0; i < (size_t)rows * (size_t)rows; i++) {
      zero += scene->problem.G[i] * 0.0; /* a solve_mass of the user's may be anything */
    }
  }
  return zero == 0.0;
}

/* In space, and of many contacts, a warm start begins with impulses: those of the step before, and none of
 * what has just closed. */
static void set_impulses(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const double *before = nsd_history_impulses(&s->history, c);
    for (int i = 0; i < c->rows; i++) {
      scene->solution.Lambda[c->row + i] = before ? before[i] : 0.0;
    }
  }
  for (int r = scene->closed.contact_rows; r < scene->closed.rows; r++) {
    scene->solution.Lambda[r] = s->drift[r - scene->closed.contact_rows].impulse[0];
  }
}

/* Where a warm start begins: with what the step before left, and for what has just closed with what c alone
 * would do. */
static void set_states(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  s->history.is_same = nsd_history_is_same(&s->history, scene);
  if (scene->problem.is_spatial) {
    set_impulses(s);
    return;
  }
  /* Of many contacts impulses are given as well, and then states are, too: a run that was restored goes on
   * with the same bits. */
  if (s->history.is_in_solver && s->history.is_same && scene->closed.rows <= NSD_SCENE_MANY_ROWS) {
    return;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    const nsd_closed *c = &scene->closed.contact[k];
    const int32_t trace = nsd_history_trace(&s->history, c);
    const double c_T = c->rows > 1 ? scene->problem.c[c->row + 1] : 0.0;
    /* Without impulses it would slip with the sign of c_T. */
    const int32_t free_state = c_T > 0.0   ? NSDYN_MODE_SLIP_PLUS
                               : c_T < 0.0 ? NSDYN_MODE_SLIP_MINUS
                                           : NSDYN_MODE_STICK;
    scene->solution.state[k] = trace >= 0 ? nsd_trace_state(trace) : free_state;
  }
  s->start = scene->solution.state;
  if (scene->closed.rows > NSD_SCENE_MANY_ROWS) {
    set_impulses(s);
  }
}

/* The scale of the contacts' rows. The report's is that of the row which is missed most, and where that is a
 * constraint's it may be an angle's beside lengths, by which no contact can be judged. */
static __attribute__((noinline)) double scale_of_contacts(const nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  double scale = 0.0;
  for (int r = 0; r < scene->closed.contact_rows; r++) {
    const double *g = scene->problem.G + (size_t)r * (size_t)scene->problem.ldg;
    /* |c_r| + Σ |G_rj Λ_j|, the terms of ξ_r, of which its rounding is a share. */
    double size = fabs(scene->problem.c[r]);
    for (int j = 0; j < scene->closed.rows; j++) {
      size += fabs(g[j] * scene->solution.Lambda[j]);
    }
    scale = nsd_larger(size, scale);
  }
  return scale;
}

/* Constraints that depend on each other, made to agree on c but for its rounding; 1 where c has changed. */
static __attribute__((noinline)) int make_agree(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const int first = scene->closed.contact_rows, n = scene->closed.rows - first;
  double *G = s->agree, *noise = G + (size_t)n * (size_t)n, *y = noise + n;
  for (int i = 0; i < n; i++) {
    const size_t row = (size_t)first + (size_t)i;
    const double *g = scene->problem.G + row * (size_t)scene->problem.ldg + first;
    /* c_i is good for 2^-40 of the terms |ŵ_i| + Σ |w_ij u_j| + Σ |v_ij z_j| that it is made of. */
    const double speed = fabs(scene->directions.w_hat[row]),
                 size = nsd_row_size(speed, nsd_scene_row(scene, (int)row), s->u) +
                        nsd_scene_forced_size(scene, (int)row, s->z);
    noise[i] = NSD_REDUNDANT_NOISE * NSD_EVALUATION_ROUNDING * size;
    for (int j = 0; j < n; j++) {
      G[(size_t)i * (size_t)n + (size_t)j] = g[j];
    }
  }
  return nsd_redundant_agree(n, G, n, noise, scene->problem.c + first, y);
}

/* The first problem of a step whose contacts are not those that the solver remembers. */
static __attribute__((noinline)) nsdyn_status solve_anew(nsdyn_stepper *s, const nsd_contact_data *data)
{
  const int32_t *start = s->start;
  s->start = NULL; /* the next one begins where the solver is */
  double *Lambda = s->scene.solution.Lambda;
  nsd_contact_begin_near(s->contact, data->rows > NSD_SCENE_MANY_ROWS ? Lambda : NULL);
  return nsd_contact_solve_from(s->contact, data, start, Lambda, s->scene.solution.xi);
}

/* The first try: from what the solver remembers, from states, or in space from the impulses that are there.
 */
static nsdyn_status solve_warm(nsdyn_stepper *s, const nsd_contact_data *data)
{
  double *Lambda = s->scene.solution.Lambda, *xi = s->scene.solution.xi;
  if (data->is_spatial) {
    return nsd_contact_solve_near(s->contact, data, Lambda, Lambda, xi);
  }
  return s->start ? solve_anew(s, data) : nsd_contact_solve_data(s->contact, data, Lambda, xi);
}

/* One contact problem; Λ, ξ, modes and states into the scene. */
static nsdyn_status solve_once(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  const nsd_contact_data data = nsd_scene_data(scene);
  s->rounds++;
  s->solved = 1;
  nsdyn_status status = solve_warm(s, &data);
  /* Constraints that say the same may differ in their last digits, and then exclude each other. */
  if (nsd_is_unanswered(status) && make_agree(s) > 0) {
    status = nsd_contact_solve_data(s->contact, &data, scene->solution.Lambda, scene->solution.xi);
  }
  const nsd_contact_answer *answer = s->answer;
  if (status) {
    return status;
  }
  for (int k = 0; k < scene->closed.count; k++) {
    scene->closed.contact[k].mode = answer->modes[k];
    scene->solution.state[k] = answer->states[k];
  }
  s->scale = scene->closed.rows == scene->closed.contact_rows ? answer->report->scale : scale_of_contacts(s);
  return NSDYN_OK;
}

/* With the coefficients of two-coefficient laws settled, each of which changes at most twice. */
static nsdyn_status solve_settled(nsdyn_stepper *s)
{
  for (;;) {
    const nsdyn_status status = solve_once(s);
    int again = 0;
    if (status == NSDYN_OK && s->scene.problem.has_two_coefficients) {
      nsd_friction_settle(&s->scene, &again);
    }
    if (!again) {
      return status;
    }
  }
}

/* Coefficients that follow the sliding speed: solved again with those of the speeds that came out, until none
 * changes. */
static nsdyn_status solve_rounds(nsdyn_stepper *s)
{
  int32_t round = 0;
  for (;;) {
    int again = 0;
    nsdyn_status status = solve_settled(s);
    if (status == NSDYN_OK && round++ < s->options.friction_rounds) {
      status = nsd_friction_repeat(s, &again);
    }
    if (status || !again) {
      return status;
    }
  }
}

/* Finds the NaN or infinity that came into G or c. */
static nsdyn_status blame(nsdyn_stepper *s)
{
  const nsd_scene *scene = &s->scene;
  nsdyn_status status = nsd_blame_vector(&s->fault, "force", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "h",
                                         s->inertia.nu, s->h);
  if (status == NSDYN_OK) {
    status = nsd_scene_blame(scene, &s->fault);
  }
  if (status == NSDYN_OK && !s->inertia.factored) {
    status = nsd_blame_matrix(&s->fault, "solve_mass", nsd_no_subject(), "X", scene->closed.rows,
                              s->inertia.nu, scene->problem.X);
    if (status == NSDYN_OK) {
      status = nsd_blame_vector(&s->fault, "solve_mass", nsd_no_subject(), NSDYN_DETAIL_COORDINATE, "X",
                                s->inertia.nu, s->z);
    }
  }
  if (status == NSDYN_OK) {
    status = nsd_fault_set(&s->fault, NSDYN_ERR_NOT_FINITE, NSDYN_DETAIL_NONE, -1,
                           "the contact problem's numbers are too large");
  }
  return status;
}

/* Contacts count by their place in the problem; the message of the solver is kept, with the place in time. */
static nsdyn_status explain(nsdyn_stepper *s, nsdyn_status status)
{
  if (s->fault.status == status) {
    return status; /* a curve has left its message */
  }
  const char *message = nsdyn_contact_message(s->contact);
  char t[NSD_NUMBER_LENGTH];
  return nsd_fault_set(&s->fault, status, NSDYN_DETAIL_NONE, -1,
                       "contact problem of %d contacts in the step from t = %s: %s", s->scene.closed.count,
                       nsd_number_text(s->t_begin, t), message[0] ? message : nsdyn_status_text(status));
}

/* There is no solution: what was added to γᴱ is dropped. First b (keep_closed.h), which wedged bodies may be
 * unable to follow, then e = ε γᴬ, if the option `inelastic` allows it. Where gaps depend on each other, as
 * those of balls between two walls with Σ γ = 0, b or e can make the problem unsolvable, and with rounding in
 * G the solver may only say that it is undecided. Returns whether anything was dropped. */
static __attribute__((noinline)) int relent(nsdyn_stepper *s, nsdyn_status status, int has_restitution)
{
  const int is_unsolved =
      status == NSDYN_NO_SOLUTION || status == NSDYN_UNDECIDED || status == NSDYN_INACCURATE;
  if (!is_unsolved) {
    return 0;
  }
  const int is_bent = (s->scene.closed.is_watched & NSD_WATCH_BENT) && nsd_keep_closed_forget_b(s);
  if (!is_bent) {
    if (!s->options.inelastic || !has_restitution || s->inelastic) {
      return 0;
    }
    s->inelastic = 1;
  }
  if (s->inelastic) {
    clear_restitution(s);
  } else {
    (void)set_restitution(s);
  }
  if (s->scene.closed.is_watched & NSD_WATCH_BENT) {
    (void)nsd_keep_closed_add_b(s);
  }
  return 1;
}

nsdyn_status nsd_impulses_solve(nsdyn_stepper *s)
{
  nsd_scene *scene = &s->scene;
  /* 1: γᴬ = W uᴬ + ŵ; rows of two contacts may depend on each other, and agree only without what vanishes. */
  const int is_single = scene->closed.count + (scene->closed.rows - scene->closed.contact_rows) == 1;
  nsd_scene_speeds(scene, is_single ? s->u : lasting_velocities(s), scene->problem.gamma);
  nsd_scene_force(scene, &s->inertia, s->z);
  /* 2: b of contacts on curved surfaces, whose law is γ_Nᴱ + b >= 0 (drift/keep_closed.h). */
  nsdyn_status status = scene->closed.is_watched ? nsd_keep_closed_begin(s) : NSDYN_OK;
  /* 3: the laws are about ξ = γᴱ + e: e = ε γᴬ under Newton's law, 0 under Poisson's, and b added to it. */
  int has_restitution = set_restitution(s);
  if (scene->closed.is_watched & NSD_WATCH_BENT) {
    has_restitution = nsd_keep_closed_add_b(s);
  }
  /* 4: c = W M⁻¹ h Δt + γᴬ + e, so that ξ = G Λ + c. */
  if (!set_free_velocities(s)) {
    return blame(s);
  }
  /* 5: the coefficients of friction in force. */
  status = status ? status : nsd_friction_begin(s);
  if (status) {
    return status;
  }
  s->stage = NSD_STAGE_CONTACTS;
  /* 6: the modes of the step before, where the solver begins. */
  set_states(s);
  s->history.is_in_solver = 0;
  /* 7: Λ and ξ by the laws; again as long as the solution shows that e has to be another one. */
  int again = 1, is_foreseen = 0, has_landed = !s->options.project;
  while (again) {
    again = 0;
    status = solve_rounds(s);
    if (status > 0 && relent(s, status, has_restitution)) {
      (void)set_free_velocities(s);
      status = nsd_friction_begin(s);
      again = status == NSDYN_OK;
    } else if (status == NSDYN_OK && s->dt > 0.0) {
      if (has_restitution && !has_landed) {
        has_landed = 1; /* once more without hops that are over */
        nsd_keep_closed_end_hops(s, &again);
      }
      if (!again && (scene->closed.is_watched & NSD_WATCH_NEW) && !is_foreseen) {
        is_foreseen = 1; /* once more with the curvature of what has just closed */
        status = nsd_keep_closed_foresee(s, &again);
      }
      if (again) {
        (void)set_free_velocities(s);
        again = status == NSDYN_OK;
      }
    }
  }
  /* 8: in an impact, Δt = 0, this is its first half, under Newton's law all of it. */
  if (status == NSDYN_OK && s->dt == 0.0) {
    status = nsd_poisson_adopt(s);
  }
  /* 9: under Poisson's law it was compression, and expansion follows. */
  if (status == NSDYN_OK && s->impact == NSDYN_IMPACT_POISSON && !s->is_smoothing) {
    status = nsd_poisson_add(s);
  }
  return status ? explain(s, status) : NSDYN_OK;
}
