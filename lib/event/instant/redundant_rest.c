/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Redundant contacts in space at rest: a box on its corners that is pushed.
 *
 * They share forces in many ways, and rest as long as one of these obeys their laws. With normal forces
 * shared evenly, let ρ be the least share of their friction limits b_i that can hold them. With shares s < ρ
 * they slide, with γ̇ → 0 as s → ρ: a contact problem with given bounds s b_i, which has one motion. Its
 * forces at ρ, extrapolated along the power Σ b_i ‖γ̇_T,i‖ of friction to where that vanishes, are the one way
 * of sharing in which all that would slide use the same share. At ρ = 1 they begin to slide, against it. */
#include <math.h>
#include <string.h>

#include "base/kernels/simd.h"
#include "base/safe_scalar.h"
#include "contact/planar/states.h"
#include "contact/space/friction.h"
#include "contact/space/polygon_cell.h"
#include "event/instant/choose_modes.h"

enum { SEARCHES = 20 }; /* for the share that is needed */
enum { NODES = NSD_REST_NODES };
enum { SPACINGS = 6 }; /* of nodes, each an eighth of the one before */

#define NODE_SPACING 0x1p-6 /* of that share: how near to it a search by secants ends */

/* Limits of friction as the even forces set them, and those of the contacts at rest among them, `bound`; 0 of
 * others. Returns the sum of these. */
static double list_bounds(nsd_instant *instant, const nsd_contact_data *data, const double *even)
{
  double sum = 0.0;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    const int has_friction = nsd_contact_rows_of(s) > 1 && nsd_contact_has_friction(s);
    const int rests = !s->sliding && nsd_state_sticks(instant->chosen_state[i]);
    instant->limit[i] = has_friction ? nsd_friction_limit(s, even[s->row]) : 0.0;
    instant->bound[i] = rests ? instant->limit[i] : 0.0;
    sum += instant->bound[i];
  }
  return sum;
}

/* Forces Λ, from those of Λ on, and γ̇, where what rests has no more than `share` of its friction, and what
 * slides its own: how normal forces are shared makes no difference. Returns the power Σ b_i ‖γ̇_T,i‖; −1 where
 * there is no solution. */
static double solve_with_share(nsd_instant *instant, const nsd_contact_data *data, double share,
                               double *Lambda, double *xi)
{
  const double *bound = instant->bound;
  memcpy(instant->best_spec, instant->chosen_spec, (size_t)data->contacts * sizeof *instant->best_spec);
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &instant->chosen_spec[i];
    if (nsd_contact_rows_of(s) > 1) {
      s->friction = NSD_FRICTION_GIVEN;
      s->mu = 0.0;
      s->bound = bound[i] > 0.0 ? share * bound[i] : instant->limit[i];
    }
  }
  const nsdyn_status found =
      nsd_contact_solve_finely(instant->contact, data, NSD_SHARES_FINE, Lambda, Lambda, xi);
  const nsdyn_status status = found == NSDYN_INACCURATE ? NSDYN_OK : found; /* the best that there is */
  memcpy(instant->chosen_spec, instant->best_spec, (size_t)data->contacts * sizeof *instant->best_spec);
  double power = status ? -1.0 : 0.0;
  for (int i = 0; i < data->contacts && !status; i++) {
    const double *rise = xi + data->spec[i].row + 1;
    power += bound[i] > 0.0
                 ? bound[i] * (data->spec[i].space ? nsd_norm_plane(rise[0], rise[1]) : fabs(*rise))
                 : 0.0;
  }
  return power;
}

/* ρ to a few spacings of nodes, by secants from below, where the power is nearly linear; 0: they need none,
 * −1: it is not found. */
static double bracket_share(nsd_instant *instant, const nsd_contact_data *data, double least_power)
{
  double *Lambda = instant->best_force, *xi = instant->impulse;
  double share = 1.0, power = 0.0;
  memset(Lambda, 0, (size_t)data->rows * sizeof *Lambda);
  while (power >= 0.0 && power <= least_power) { /* 1. some that slides */
    share *= 0.5;
    if (share < NSD_SHARES_NONE) {
      return 0.0;
    }
    power = solve_with_share(instant, data, share, Lambda, xi);
  }
  double below = 0.9 * share, rho = -1.0;
  double more = power < 0.0 ? -1.0 : solve_with_share(instant, data, below, Lambda, xi);
  for (int k = 0; k < SEARCHES && more > power; k++) {
    rho = share + power * (share - below) / (more - power); /* 2. where the secant vanishes */
    if (rho - share <= 1.5 * NODE_SPACING * rho) {
      return rho;
    }
    double next = fmin(share + 0.9 * (rho - share), rho * (1.0 - 0.7 * NODE_SPACING)), less = 0.0;
    for (int tries = 0; tries < SEARCHES && less >= 0.0 && less <= least_power; tries++) {
      less = solve_with_share(instant, data, next, Lambda, xi);
      next = less > least_power ? next : 0.5 * (share + next); /* 3. too far: they rest */
    }
    if (!(less > least_power && less < power)) {
      return -1.0;
    }
    below = share;
    more = power;
    share = next;
    power = less;
  }
  return -1.0;
}

/* The limit that Λ_T of a contact needs: in the axes of its ellipse √(x² + (y/a)²). */
static double limit_needed(const nsd_contact_spec *s, const double *Lambda_T)
{
  if (!s->space) {
    return fabs(Lambda_T[0]);
  }
  if (nsd_polygon_is(s)) { /* over the way from the middle to its boundary */
    const double size = nsd_norm_plane(Lambda_T[0], Lambda_T[1]);
    double p[2] = {1.0, 0.0};
    if (size > 0.0) {
      const double unit[2] = {-Lambda_T[0] / size, -Lambda_T[1] / size};
      nsd_polygon_on_ray(s, unit, p);
    }
    return size / nsd_norm_plane(p[0], p[1]);
  }
  const double *axis = s->space->axis;
  return nsd_norm_plane(axis[0] * Lambda_T[0] + axis[1] * Lambda_T[1],
                        (axis[0] * Lambda_T[1] - axis[1] * Lambda_T[0]) / s->space->aspect);
}

/* Friction over ρ b_i; nothing of other rows. Returns by how much the sizes of those that slide are not 1, or
 * larger than 1 those of others: of the first node, with `share`. */
static double norm_shares(const nsd_instant *instant, const nsd_contact_data *data, double rho, double share,
                          double *shares)
{
  double error = 0.0;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    double *own = shares + s->row;
    own[0] = 0.0;
    for (int r = 1; r < nsd_contact_rows_of(s); r++) {
      own[r] = instant->bound[i] > 0.0 ? own[r] / (rho * instant->bound[i]) : 0.0;
    }
    if (instant->bound[i] > 0.0) {
      const double *first = instant->node + s->row + 1, size = limit_needed(s, own + 1);
      const int slides = limit_needed(s, first) >= share * instant->bound[i] * (1.0 - NSD_FORCES_TOL);
      error = fmax(error, slides ? fabs(size - 1.0) : size - 1.0);
    }
  }
  return error;
}

/* ρ, and shares of friction (rows) as they are at ρ, by Lagrange's polynomials in the power, at zero, through
 * nodes from *about down, `spacing` apart; of these orders the one that changes least against the one before.
 * *about becomes ρ by the secant of the last two. Returns by how much both may be off; infinite: all. */
static double extrapolate_shares(nsd_instant *instant, const nsd_contact_data *data, double *about,
                                 double spacing, double least_power, double *rho, double *shares)
{
  double *Lambda = instant->best_force, *xi = instant->impulse, *own = instant->order;
  double power[NODES], share[NODES], least = INFINITY, before = 0.0;
  for (int j = NODES - 1; j >= 0; j--) {
    share[j] = *about * (1.0 - (j + 1) * spacing);
    power[j] = solve_with_share(instant, data, share[j], Lambda, xi);
    memcpy(instant->node + (size_t)j * (size_t)data->rows, Lambda, (size_t)data->rows * sizeof *Lambda);
    if (!(power[j] > least_power)) {
      *about = share[j];
      return INFINITY;
    }
  }
  for (int order = 1; order < NODES; order++) {
    double value = 0.0, change = 0.0;
    memset(own, 0, (size_t)data->rows * sizeof *own);
    for (int j = 0; j <= order; j++) {
      double weight = 1.0;
      for (int k = 0; k <= order; k++) {
        weight *= k != j ? power[k] / (power[k] - power[j]) : 1.0;
      }
      value += weight * share[j];
      nsd_lanes_axpy(data->rows, weight, instant->node + (size_t)j * (size_t)data->rows, own);
    }
    if (!(isfinite(value) && value > 0.0)) {
      break;
    }
    *about = order == 1 ? value : *about;
    change = fmax(norm_shares(instant, data, value, share[0], own), fabs(value - before) / value);
    for (int r = 0; r < data->rows; r++) {
      change = order > 1 ? fmax(change, fabs(own[r] - Lambda[r])) : INFINITY;
    }
    before = value;
    memcpy(Lambda, own, (size_t)data->rows * sizeof *own);
    if (change < least) {
      least = change;
      *rho = value;
      memcpy(shares, own, (size_t)data->rows * sizeof *own);
    }
  }
  return least;
}

/* ρ and its shares, and by how much they may be off; 0: none is needed, −1: not found. A contact that hardly
 * slides stops on the way to ρ, and forces change otherwise from there: nodes come closer until they are all
 * behind that. */
static double find_shares(const nsdyn_event_driver *d, nsd_instant *instant, const nsd_contact_data *data,
                          const double *even, double *shares, double *error)
{
  const double sum = list_bounds(instant, data, even);
  const double least_power = NSD_FORCES_TOL * sum * d->instant.size_of_rows;
  double about = sum > 0.0 ? bracket_share(instant, data, least_power) : -1.0, rho = about;
  *error = about > 0.0 ? INFINITY : 0.0;
  memset(shares, 0, (size_t)data->rows * sizeof *shares);
  for (int k = 0; k < SPACINGS; k++) {
    if (*error <= NSD_SHARES_ONSET) {
      break;
    }
    const double spacing = ldexp(NODE_SPACING, -3 * k);
    double own = -1.0;
    const double off =
        extrapolate_shares(instant, data, &about, spacing, least_power, &own, instant->other_shares);
    if (off < *error) {
      rho = own;
      *error = off;
      memcpy(shares, instant->other_shares, (size_t)data->rows * sizeof *shares);
    }
  }
  return *error < NSD_SHARES_SPARE ? rho : -1.0;
}

/* The largest share of its friction that a contact at rest uses. */
static double largest_share(const nsd_contact_data *data, const double *bound, const double *Lambda)
{
  double most = 0.0;
  for (int i = 0; i < data->contacts; i++) {
    const nsd_contact_spec *s = &data->spec[i];
    const double *own = Lambda + s->row;
    if (bound[i] > 0.0) {
      const double limit = nsd_friction_limit(s, own[0]);
      most = nsd_larger(limit > 0.0 ? limit_needed(s, own + 1) / limit : 1.0, most);
    }
  }
  return most;
}

/* Rest on redundant contacts, as long as there is a way of sharing that holds them. `shares`: as they are
 * where all that would slide begin to, so that no contact comes to its limit before; next to `rho` times that
 * where this is too much of another one. */
static int try_rest(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                    nsdyn_event_report *report, const nsd_contact_data *data, double rho, double *shares,
                    int *stable)
{
  static const double parts[] = {1.0, 0.5, 0.25, 0.0};
  double size = 1.0;
  for (int k = 0; k < 4 && rho < 1.0 - NSD_SHARES_ONSET; k++) {
    /* From where all that would slide begin to, size 1, down to ρ, as they are now. */
    const double next = parts[k] + (1.0 - parts[k]) * rho, scale = next / size;
    size = next;
    for (int r = 0; r < data->rows - data->bilateral; r++) {
      shares[r] *= scale;
    }
    if (nsd_modes_try_in_space(d, phase, instant, report, data, shares, stable) && *stable &&
        1.0 - largest_share(data, instant->bound, phase->motion.scene.solution.Lambda) >= 0.1 * (1.0 - rho)) {
      return 1;
    }
  }
  return 0;
}

/* Even forces may be too much for the friction of some, a wall that carries half of a weight: rest with
 * forces that hold it with no more than a share, between ρ and 1, of those limits, and without friction where
 * none is needed. The shares are this solution itself. */
static int try_told(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                    nsdyn_event_report *report, const nsd_contact_data *data, double rho, double *shares,
                    int *stable)
{
  double *Lambda = instant->best_force, *xi = instant->impulse;
  const double share = rho > 0.0 ? 0.5 * (1.0 + rho) : 0.0,
               sum = nsd_lanes_norm(data->contacts, instant->bound);
  memset(Lambda, 0, (size_t)data->rows * sizeof *Lambda);
  if (!(rho < 1.0 - NSD_SHARES_ONSET)) {
    return 0;
  }
  const double power = solve_with_share(instant, data, share, Lambda, xi);
  if (!(power >= 0.0 && power <= NSD_FORCES_TOL * data->contacts * sum * d->instant.size_of_rows)) {
    return 0;
  }
  for (int i = 0; i < data->contacts;
       i++) { /* what the even forces have let go of may carry something here */
    const nsd_contact_spec *s = &data->spec[i];
    if (instant->chosen_state[i] == NSD_STATE_OPEN && Lambda[s->row] > 0.0 && !s->sliding) {
      instant->chosen_state[i] = nsd_contact_has_friction(s) ? NSD_STATE_STICK : NSD_STATE_DOWN;
    }
  }
  nsd_modes_read_shares(data, Lambda, shares);
  return nsd_modes_try_in_space(d, phase, instant, report, data, shares, stable) && *stable &&
         1.0 - largest_share(data, instant->bound, phase->motion.scene.solution.Lambda) >= 0.1 * (1.0 - rho);
}

/* All that would slide begins to, against its share: its friction is at the limit, and γ̇ is zero still. */
static int try_onset(const nsdyn_event_driver *d, nsd_phase *phase, nsd_instant *instant,
                     nsdyn_event_report *report, const nsd_contact_data *data, const double *shares,
                     int *stable)
{
  nsd_acceleration *m = &phase->motion;
  if (nsd_acceleration_pattern(m, data, instant->chosen_state, shares, m->x_part) != NSDYN_OK) {
    return 0;
  }
  for (int i = 0; i < data->contacts; i++) {
    nsd_contact_spec *s = &instant->chosen_spec[i];
    const double *own = m->x_part + s->row;
    if (instant->bound[i] <= 0.0 || limit_needed(s, shares + s->row + 1) < 1.0 - NSD_SHARES_SPARE ||
        (s->space && !nsd_modes_read_direction(s, own + 1, s->slip))) {
      continue;
    }
    const int is_pulled = nsd_slides_by_side(s) && own[0] < 0.0;
    instant->chosen_state[i] = (s->space || own[1] < 0.0) != is_pulled ? NSD_STATE_DOWN : NSD_STATE_UP;
    instant->happening[instant->chosen[i]].begins = s->space != NULL;
  }
  return nsd_modes_try_in_space(d, phase, instant, report, data, NULL, stable) && *stable;
}

/* The even way of sharing, into `even`, without those that would have to pull: they carry nothing. Returns
 * whether there is one. */
static int share_evenly(nsd_phase *phase, nsd_instant *instant, const nsd_contact_data *data, double *even)
{
  for (int left = data->contacts; left > 0; left--) {
    if (nsd_acceleration_pattern(&phase->motion, data, instant->chosen_state, NULL, even) != NSDYN_OK) {
      return 0;
    }
    int pulls = -1;
    for (int i = 0; i < data->contacts; i++) {
      const nsd_contact_spec *s = &data->spec[i];
      if (s->kind != NSDYN_CONTACT_BILATERAL && even[s->row] < 0.0 &&
          (pulls < 0 || even[s->row] < even[data->spec[pulls].row])) {
        pulls = i;
      }
    }
    if (pulls < 0) {
      return 1;
    }
    instant->chosen_state[pulls] = NSD_STATE_OPEN;
  }
  return 0;
}

int nsd_redundant_rest_try(nsdyn_event_driver *d, const nsd_contact_data *data, int *stable)
{
  nsd_instant *instant = &d->instant;
  double *even = d->phase.motion.x_part, *shares = instant->shares;
  double *kept_shares = instant->other_shares, *kept_state = instant->node; /* scratch of find_shares() */
  if (!share_evenly(&d->phase, instant, data, even)) {
    return 0;
  }
  double error;
  const double rho = find_shares(d, instant, data, even, shares, &error);
  if (!(rho >= 0.0)) {
    return 0;
  }
  memcpy(kept_shares, shares, (size_t)data->rows * sizeof *shares);
  for (int i = 0; i < data->contacts; i++) {
    kept_state[i] = instant->chosen_state[i];
  }
  if (try_rest(d, &d->phase, instant, &d->report, data, rho, shares, stable) ||
      try_told(d, &d->phase, instant, &d->report, data, rho, shares, stable)) {
    return 1;
  }
  /* What begins to slide does so from the shares of ρ: not from what the trials before have left. */
  memcpy(shares, kept_shares, (size_t)data->rows * sizeof *shares);
  for (int i = 0; i < data->contacts; i++) {
    instant->chosen_state[i] = (int32_t)kept_state[i];
  }
  return rho >= 1.0 - fmax(NSD_SHARES_ONSET, 4.0 * error) &&
         try_onset(d, &d->phase, instant, &d->report, data, shares, stable);
}
