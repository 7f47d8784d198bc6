/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/object.h"

static void lay_out_kept(nsd_arena *arena, nsdyn_contact *s, int contacts)
{
  const size_t k = (size_t)contacts;
  s->modes = nsd_arena_take(arena, k, sizeof *s->modes);
  s->slip = nsd_arena_take(arena, k, 2 * sizeof *s->slip);
  s->states = nsd_arena_take(arena, k, sizeof *s->states);
  s->spec = nsd_arena_take(arena, k, sizeof *s->spec);
  s->space = nsd_arena_take(arena, k, sizeof *s->space);
}

nsdyn_status nsd_contact_reserve_kept(nsdyn_contact *s, int contacts)
{
  if (contacts <= s->kept_room) {
    return NSDYN_OK;
  }
  /* Two passes: the first only counts (base/arena.h). */
  nsdyn_contact counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out_kept(&measure, &counted, contacts);
  const nsdyn_status status = nsd_arena_reserve(&s->kept, &measure);
  if (status == NSDYN_OK) {
    lay_out_kept(&s->kept, s, contacts);
    s->answer.modes = s->modes;
    s->answer.states = s->states;
    s->kept_room = contacts;
    /* What was kept does not move over to the new memory. */
    s->modes_n = s->states_n = 0;
  }
  return status;
}

static void lay_out_scratch(nsd_arena *arena, nsdyn_contact *s, int contacts, int rows)
{
  nsd_pattern_lay_out(arena, &s->pattern, contacts, rows);
  s->best.Lambda = nsd_arena_take(arena, (size_t)rows, sizeof *s->best.Lambda);
  s->best.xi = nsd_arena_take(arena, (size_t)rows, sizeof *s->best.xi);
}

nsdyn_status nsd_contact_reserve_scratch(nsdyn_contact *s, int contacts, int rows)
{
  if (contacts == s->scratch_contacts && rows == s->scratch_rows) {
    return NSDYN_OK;
  }
  nsdyn_contact counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out_scratch(&measure, &counted, contacts, rows);
  const nsdyn_status status = nsd_arena_reserve(&s->scratch, &measure);
  if (status == NSDYN_OK) {
    lay_out_scratch(&s->scratch, s, contacts, rows);
    s->scratch_contacts = contacts;
    s->scratch_rows = rows;
  }
  return status;
}

nsdyn_status nsd_contact_reserve_many(nsdyn_contact *s, const nsd_contact_data *d)
{
  if (d->contacts == s->many_contacts && d->bilateral == s->many_bilateral && d->rows == s->many_rows) {
    return NSDYN_OK;
  }
  nsd_many counted;
  nsd_arena measure = nsd_arena_measure();
  nsd_many_lay_out(&measure, &counted, d->contacts, d->bilateral, d->rows);
  const nsdyn_status status = nsd_arena_reserve(&s->many_room, &measure);
  if (status == NSDYN_OK) {
    nsd_many_lay_out(&s->many_room, &s->many, d->contacts, d->bilateral, d->rows);
    s->many_contacts = d->contacts;
    s->many_bilateral = d->bilateral;
    s->many_rows = d->rows;
  }
  return status;
}

static void lay_out_lcp(nsd_arena *arena, nsdyn_contact *s, int n)
{
  const size_t size = (size_t)n;
  s->A = nsd_arena_take(arena, size * size, sizeof *s->A);
  s->b = nsd_arena_take(arena, size, sizeof *s->b);
  s->lo = nsd_arena_take(arena, size, sizeof *s->lo);
  s->hi = nsd_arena_take(arena, size, sizeof *s->hi);
  s->x = nsd_arena_take(arena, size, sizeof *s->x);
}

nsdyn_status nsd_contact_reserve_lcp(nsdyn_contact *s, int n)
{
  /* Many problems never become an LCP: its solver is made with the first that does. */
  if (!s->lcp) {
    const nsdyn_status status = nsdyn_lcp_new(s->ctx, NULL, &s->lcp, NULL);
    if (status) {
      return status;
    }
  }
  if (n == s->lcp_unknowns) {
    return NSDYN_OK;
  }
  nsdyn_contact counted;
  nsd_arena measure = nsd_arena_measure();
  lay_out_lcp(&measure, &counted, n);
  const nsdyn_status status = nsd_arena_reserve(&s->lcp_room, &measure);
  if (status == NSDYN_OK) {
    lay_out_lcp(&s->lcp_room, s, n);
    s->lcp_unknowns = n;
  }
  return status;
}
