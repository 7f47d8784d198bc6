/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/planar/states.h"

#include "base/safe_scalar.h"
#include "contact/certificate.h"

static unsigned bit(int32_t state)
{
  return 1u << (unsigned)state;
}

/* Tangential states of a closed contact. */
static unsigned closed_states(const nsd_contact_spec *s)
{
  if (!nsd_contact_has_friction(s)) {
    return bit(NSD_STATE_DOWN);
  }
  /* Along a known direction there is one state; in a slot two, as Λ_N has either sign. */
  if (s->sliding && (s->friction == NSD_FRICTION_GIVEN || s->kind != NSDYN_CONTACT_BILATERAL)) {
    return bit(s->sliding > 0 ? NSD_STATE_DOWN : NSD_STATE_UP);
  }
  return (s->sliding ? 0u : bit(NSD_STATE_STICK)) | bit(NSD_STATE_DOWN) | bit(NSD_STATE_UP);
}

unsigned nsd_contact_states(const nsd_contact_spec *s)
{
  const unsigned closed = closed_states(s);
  if (s->kind == NSDYN_CONTACT_BILATERAL) {
    return closed;
  }
  /* Friction of a given bound acts on an open contact too: each
   * closed state has one with the contact lifted. */
  const int acts = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
  return closed | (acts ? closed << NSD_STATE_LIFTED : bit(NSD_STATE_OPEN));
}

static int32_t first_of(unsigned states)
{
  int32_t state = 0;
  while (state < NSD_STATES - 1 && !(states & bit(state))) {
    state++;
  }
  return state;
}

int32_t nsd_contact_admit(const nsd_contact_spec *s, int32_t state)
{
  const unsigned known = nsd_contact_states(s);
  if (known & bit(state)) {
    return state;
  }
  /* Open stays open, closed stays closed, as far as the law allows that. */
  const int is_open = !nsd_state_is_closed(state) && s->kind != NSDYN_CONTACT_BILATERAL;
  const unsigned open = known & ~closed_states(s);
  return first_of(is_open ? open : closed_states(s));
}

static double stiffness(const nsd_contact_data *d, const nsd_contact_spec *s)
{
  const int T = nsd_contact_tangent(s);
  /* One number for both rows, so that Λ and ξ are compared in the same unit. */
  const double G_NN = nsd_contact_row(d, s->row)[s->row];
  return nsd_contact_stiffness(G_NN, T < 0 ? G_NN : nsd_contact_row(d, T)[T]);
}

int nsd_contact_project_all(const nsd_contact_data *d, double *Lambda)
{
  int changed = 0;
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    double *at = Lambda + s->row;
    const int has_tangent = s->friction != NSD_FRICTION_NONE;
    double N = at[0];
    double T = has_tangent ? at[1] : 0.0;
    nsd_contact_project(s, &N, &T);
    changed |= N != at[0] || (has_tangent && T != at[1]);
    at[0] = N;
    if (has_tangent) {
      at[1] = T;
    }
  }
  return changed;
}

/* The state of friction: stick, or the f of Λ_T = f (μ Λ_N + bound). `wish` is where Λ_T would
 * have to be, and what lies beyond ±limit slips. */
static int32_t tangential_state(const nsd_contact_spec *s, double wish, double limit, double Lambda_N)
{
  if (!nsd_contact_has_friction(s)) {
    return NSD_STATE_DOWN;
  }
  double sign = wish > 0.0 ? 1.0 : -1.0;
  if (s->sliding) {
    sign = -s->sliding;
  } else if (fabs(wish) <= limit) {
    return NSD_STATE_STICK;
  }
  /* In a slot with Λ_N < 0 friction pulls the other way: f μ Λ_N has the opposite sign. */
  const int is_pulled =
      s->kind == NSDYN_CONTACT_BILATERAL && s->friction == NSD_FRICTION_LOAD && Lambda_N < 0.0;
  return (sign > 0.0) != is_pulled ? NSD_STATE_UP : NSD_STATE_DOWN;
}

int32_t nsd_contact_next_state(const nsd_contact_data *d, const nsd_contact_spec *s, const double *Lambda,
                               const double *xi)
{
  /* The laws as projections, here times r: Λ_N = max(0, Λ_N − ξ_N / r), Λ_T = Λ_T − ξ_T / r cut to ±μ Λ_N. */
  const double r = stiffness(d, s);
  const double Lambda_N = Lambda[s->row];
  const int is_slot = s->kind == NSDYN_CONTACT_BILATERAL;
  const double press = r * Lambda_N - (is_slot ? 0.0 : xi[s->row]);
  const int acts = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
  const int is_closed = is_slot || press > 0.0;
  if (!is_closed && !acts) {
    return NSD_STATE_OPEN;
  }
  const int T = nsd_contact_tangent(s);
  /* Where the projection ends inside, the row's equation is ξ_T = 0; at the limit, Λ_T = ±limit. */
  const double wish = T < 0 ? 0.0 : r * Lambda[T] - xi[T];
  const double limit = acts ? r * s->bound : s->mu * fabs(press);
  return tangential_state(s, wish, limit, Lambda_N) + (is_closed ? 0 : NSD_STATE_LIFTED);
}

int nsd_contact_next_states(const nsd_contact_data *d, const double *Lambda, const double *xi,
                            int32_t *states)
{
  int moved = 0;
  for (int i = 0; i < d->contacts; i++) {
    const int32_t next = nsd_contact_next_state(d, &d->spec[i], Lambda, xi);
    moved += next != states[i];
    states[i] = next;
  }
  return moved;
}

int32_t nsd_contact_vertex_state(const nsd_contact_spec *s, const double *Lambda, const double *xi)
{
  const double Lambda_N = Lambda[s->row];
  const int acts = s->friction == NSD_FRICTION_GIVEN && s->bound > 0.0;
  const int is_closed = s->kind == NSDYN_CONTACT_BILATERAL || Lambda_N > 0.0;
  if (!is_closed && !acts) {
    return NSD_STATE_OPEN;
  }
  const int T = nsd_contact_tangent(s);
  const double Lambda_T = T < 0 ? 0.0 : Lambda[T];
  const double limit = acts ? s->bound : s->mu * fabs(Lambda_N);
  /* Friction that is at its limit but for rounding is there; at Λ_N = 0 its direction is that of ξ_T. */
  const double inside = limit * NSD_STATE_INSIDE;
  const double wish = limit > 0.0 || T < 0 ? Lambda_T : -xi[T];
  const int sticks = fabs(wish) < inside || (limit == 0.0 && wish == 0.0);
  return tangential_state(s, sticks ? 0.0 : wish, sticks ? limit : -1.0, Lambda_N) +
         (is_closed ? 0 : NSD_STATE_LIFTED);
}

int32_t nsd_contact_read_mode(const nsd_contact_data *d, int i, const double *Lambda, const double *xi,
                              double speed)
{
  const nsd_contact_spec *s = &d->spec[i];
  const int T = nsd_contact_tangent(s);
  /* G_NN Λ_N: the velocity that the normal impulse makes at its own contact. */
  const double press = nsd_contact_diagonal(d, s->row) * Lambda[s->row];
  if (s->space) {
    const double slide = nsd_norm_plane(xi[T], xi[T + 1]);
    const int32_t mode = nsd_contact_mode_of(s, press, slide, NSD_MODE_TOL * speed);
    return mode == NSDYN_MODE_SLIP_PLUS ? NSDYN_MODE_SLIP : mode;
  }
  return nsd_contact_mode_of(s, press, T < 0 ? 0.0 : xi[T], NSD_MODE_TOL * speed);
}

void nsd_contact_read_modes(const nsd_contact_data *d, const double *Lambda, const double *xi, double speed,
                            int32_t *modes)
{
  for (int i = 0; i < d->contacts; i++) {
    modes[i] = nsd_contact_read_mode(d, i, Lambda, xi, speed);
  }
}

void nsd_contact_clean_xi(const nsd_contact_data *d, const double *Lambda, double *xi)
{
  for (int i = 0; i < d->contacts; i++) {
    const nsd_contact_spec *s = &d->spec[i];
    const int T = nsd_contact_tangent(s);
    /* A law holds ξ at zero where r times the distance of the impulse from its edge is more than |ξ|. */
    const double r = stiffness(d, s);
    xi[s->row] = nsd_contact_clean_normal(s, r, Lambda[s->row], xi[s->row]);
    if (T >= 0) {
      xi[T] = nsd_contact_clean_tangential(s, r, Lambda[s->row], Lambda[T], xi[T]);
    }
  }
  /* A bilateral constraint holds always. */
  for (int i = nsd_contact_own_rows(d); i < d->rows; i++) {
    xi[i] = 0.0;
  }
}
