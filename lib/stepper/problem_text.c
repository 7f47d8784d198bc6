/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The last step's contact problem as text, for other solvers and for people. */
#include "contact/planar/glocker.h"
#include "nsdyn/lcp.h"
#include "stepper/object.h"

/* Room for n² + 3n numbers: A, b, lo, hi. */
static int reserve(nsdyn_stepper *s, size_t n)
{
  nsd_arena measure = nsd_arena_measure();
  (void)nsd_arena_take(&measure, n, (n + 3) * sizeof(double));
  return nsd_arena_reserve(&s->export_arena, &measure) == NSDYN_OK;
}

size_t nsdyn_stepper_write_problem(nsdyn_stepper *s, char *text, size_t size)
{
  if (!s || s->stage == NSD_STAGE_NONE || s->scene.closed.rows == 0) {
    return 0;
  }
  const nsd_contact_data data = nsd_scene_data(&s->scene);
  const int unknowns = nsd_glocker_size(&data);
  const size_t n = (size_t)unknowns;
  if (!reserve(s, n)) {
    return 0;
  }
  double *A = nsd_arena_take(&s->export_arena, n, (n + 3) * sizeof *A);
  double *b = A + n * n, *lo = b + n, *hi = lo + n;
  nsd_glocker_assemble(&data, A, unknowns, b, lo, hi);
  const int is_plain = nsd_glocker_is_plain(&data);
  return nsdyn_lcp_write_text(unknowns, A, unknowns, b, is_plain ? NULL : lo, is_plain ? NULL : hi, text,
                              size);
}
