/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/impact/painleve.h"

#include <math.h>

#include "base/dense.h"
#include "base/tolerances.h"
#include "contact/planar/states.h"

void nsd_painleve_lay_out(nsd_arena *arena, nsd_painleve_work *w, int rows)
{
  const size_t size = (size_t)rows;
  w->Lambda_0 = nsd_arena_take(arena, size, sizeof *w->Lambda_0);
  w->Lambda_1 = nsd_arena_take(arena, size, sizeof *w->Lambda_1);
  w->xi_0 = nsd_arena_take(arena, size, sizeof *w->xi_0);
  w->xi_1 = nsd_arena_take(arena, size, sizeof *w->xi_1);
}

/* v_0 + τ v_1, with what is zero in each. */
typedef struct series {
  double v_0, v_1;
} series;

typedef struct yardstick {
  double zero_0, zero_1;
} yardstick;

/* −1, 0 or 1 for all small τ > 0. */
static int sign_of(series v, yardstick y)
{
  /* For small τ the first coefficient decides; where it is zero, the second. */
  const double first = fabs(v.v_0) > y.zero_0 ? v.v_0 : fabs(v.v_1) > y.zero_1 ? v.v_1 : 0.0;
  return (first > 0.0) - (first < 0.0);
}

/* ξ = G Λ + c, and what counts as zero beside it. */
static double recompute(const nsd_contact_data *data, const double *c, const double *Lambda, double *xi)
{
  double scale = 0.0;
  for (int i = 0; i < data->rows; i++) {
    const double *g = data->G + (size_t)i * (size_t)data->ldg;
    double sum = 0.0;
    double size = fabs(c[i]);
    for (int j = 0; j < data->rows; j++) {
      sum += g[j] * Lambda[j];
      size += fabs(g[j] * Lambda[j]);
    }
    xi[i] = c[i] + sum;
    /* Contacts' rows only: bilateral ones may have other units. */
    scale = size > scale && i < data->rows - data->bilateral ? size : scale;
  }
  return NSD_JAM_VANISHES * scale;
}

static series times(series v, double factor)
{
  return (series){v.v_0 * factor, v.v_1 * factor};
}

static series plus(series a, series b)
{
  return (series){a.v_0 + b.v_0, a.v_1 + b.v_1};
}

/* An equation of the pattern, which a singular one may miss. */
static int vanishes(const nsd_painleve_work *w, int row, yardstick y)
{
  return sign_of((series){w->xi_0[row], w->xi_1[row]}, y) == 0;
}

/* The equations and sign conditions of one contact. */
static int contact_holds(const nsd_painleve_work *w, const nsd_contact_data *data, const nsd_contact_spec *s,
                         int32_t state, yardstick y)
{
  const int row = s->row;
  const double G_NN = data->G[(size_t)row * (size_t)data->ldg + (size_t)row];
  /* Open: ξ_N >= 0. */
  if (!nsd_state_is_closed(state)) {
    return sign_of((series){w->xi_0[row], w->xi_1[row]}, y) >= 0;
  }
  /* Closed: ξ_N = 0 and Λ_N >= 0, in a slot of either sign. */
  if (!vanishes(w, row, y)) {
    return 0;
  }
  const series press = times((series){w->Lambda_0[row], w->Lambda_1[row]}, G_NN);
  int side = 1; /* of a slot */
  if (s->kind == NSDYN_CONTACT_BILATERAL) {
    side = sign_of(press, y) < 0 ? -1 : 1;
  } else if (sign_of(press, y) < 0) {
    return 0;
  }
  if (!nsd_contact_has_friction(s)) {
    return 1;
  }
  /* Stick: ξ_T = 0 and |Λ_T| <= μ |Λ_N|, as two conditions that are linear in Λ. Times G_NN: velocities. */
  if (nsd_state_sticks(state)) {
    if (!vanishes(w, row + 1, y)) {
      return 0;
    }
    const series limit = times(press, side * s->mu);
    const series drag = times((series){w->Lambda_0[row + 1], w->Lambda_1[row + 1]}, G_NN);
    return sign_of(plus(limit, drag), y) >= 0 && sign_of(plus(limit, times(drag, -1.0)), y) >= 0;
  }
  /* Slip: Λ_T = f μ Λ_N against ξ_T, so −f ξ_T >= 0; in a slot times the sign of Λ_N. */
  const series slide = {w->xi_0[row + 1], w->xi_1[row + 1]};
  return sign_of(times(slide, -side * nsd_state_factor(state)), y) >= 0;
}

nsdyn_status nsd_painleve_limit(nsd_painleve_work *w, nsd_pattern_work *pattern, const nsd_contact_data *data,
                                const double *gamma_dot, const int32_t *states)
{
  /* Stage 1. Λ_0 from c = γ⁻, Λ_1 from c = γ̇, in the same pattern; ξ_0 and ξ_1 likewise. */
  nsd_contact_data change = *data;
  change.c = gamma_dot;
  nsdyn_status status = nsd_pattern_solve(pattern, data, states, w->Lambda_0);
  status = status ? status : nsd_pattern_solve(pattern, &change, states, w->Lambda_1);
  if (status) {
    return status;
  }
  const yardstick y = {recompute(data, data->c, w->Lambda_0, w->xi_0),
                       recompute(data, gamma_dot, w->Lambda_1, w->xi_1)};
  /* Stage 2. Every condition for all small τ > 0. */
  for (int i = 0; i < data->contacts; i++) {
    if (!contact_holds(w, data, &data->spec[i], states[i], y)) {
      return NSDYN_NO_SOLUTION;
    }
  }
  for (int k = nsd_contact_own_rows(data); k < data->rows; k++) {
    if (!vanishes(w, k, y)) {
      return NSDYN_NO_SOLUTION;
    }
  }
  return NSDYN_OK;
}

/* The first public mode that a contact's law knows from `mode` on; 4: none is left. */
static int32_t next_mode(const nsd_contact_spec *s, int32_t mode)
{
  const unsigned known = nsd_contact_states(s);
  while (mode <= NSDYN_MODE_SLIP_MINUS && !(known >> mode & 1u)) {
    mode++;
  }
  return mode;
}

/* The pattern that follows in the order of counting; 0 after the last. */
static int advance(const nsd_contact_data *data, int32_t *states)
{
  for (int i = 0; i < data->contacts; i++) {
    states[i] = next_mode(&data->spec[i], states[i] + 1);
    if (states[i] <= NSDYN_MODE_SLIP_MINUS) {
      return 1;
    }
    states[i] = next_mode(&data->spec[i], 0);
  }
  return 0;
}

nsdyn_status nsd_painleve_search(nsd_painleve_work *w, nsd_pattern_work *pattern,
                                 const nsd_contact_data *data, const double *gamma_dot, int32_t *states)
{
  /* A number whose digits are the contacts' states, counted up. */
  for (int i = 0; i < data->contacts; i++) {
    states[i] = next_mode(&data->spec[i], 0);
  }
  for (int tries = 0; tries < NSD_PAINLEVE_MOST; tries++) {
    if (nsd_painleve_limit(w, pattern, data, gamma_dot, states) == NSDYN_OK) {
      return NSDYN_OK;
    }
    if (!advance(data, states)) {
      break;
    }
  }
  return NSDYN_UNDECIDED;
}
