/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* The last step's contact problem as text, for other solvers and for people. */
#include "contact/text.h"
#include "stepper/object.h"

size_t nsdyn_stepper_write_problem(nsdyn_stepper *s, char *text, size_t size)
{
  if (!s || s->stage == NSD_STAGE_NONE || s->scene.closed.rows == 0) {
    return 0;
  }
  const nsd_contact_data data = nsd_scene_data(&s->scene);
  return nsd_contact_write_data(&data, &s->export_arena, text, size);
}
