/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/law.h"

#include <math.h>

#include "base/number.h"
#include "base/sin_cos.h"

nsdyn_status nsdyn_contact_law_init(nsdyn_contact_law *law, size_t size)
{
  const nsdyn_contact_law defaults = {.size = sizeof defaults,
                                      .kind = NSDYN_CONTACT_UNILATERAL,
                                      .friction = NSDYN_FRICTION_COULOMB,
                                      .tangents = 1,
                                      .shape = NSDYN_FRICTION_ELLIPSE,
                                      .sides = 8,
                                      .aspect = 1.0};
  return nsd_sized_init(law, size, NSD_CONTACT_LAW_LEAST, &defaults, sizeof defaults);
}

/* One number outside its range; NaN and infinity have a status of their own. */
static nsdyn_status refuse(nsd_fault *fault, int64_t index, const char *name, double value, const char *range)
{
  char text[NSD_NUMBER_LENGTH];
  return nsd_fault_set(fault, isfinite(value) ? NSDYN_ERR_ARGUMENT : NSDYN_ERR_NOT_FINITE,
                       NSDYN_DETAIL_CONTACT, index, "contact %lld: %s: %s is not %s", (long long)index, name,
                       nsd_number_text(value, text), range);
}

static int is_amount(double value)
{
  return value >= 0.0 && value < (double)INFINITY;
}

static int is_restitution(double value)
{
  return value >= 0.0 && value <= 1.0;
}

/* What contacts in space have beside. */
static nsdyn_status check_space(const nsdyn_contact_law *law, int64_t index, nsd_fault *fault)
{
#define REFUSE(field, range) refuse(fault, index, #field, (double)law->field, range)
  if (law->tangents < 1 || law->tangents > 2) {
    return REFUSE(tangents, "1 or 2");
  }
  if (law->shape < NSDYN_FRICTION_ELLIPSE || law->shape > NSDYN_FRICTION_POLYGON) {
    return REFUSE(shape, "one of nsdyn_friction_shape");
  }
  if (law->sides < 4 || law->sides % 2 != 0) {
    return REFUSE(sides, "even and at least 4");
  }
  if (law->reserved != 0) {
    return REFUSE(reserved, "0");
  }
  if (!(law->aspect > 0.0 && is_amount(law->aspect))) {
    return REFUSE(aspect, "a ratio > 0");
  }
  if (!isfinite(law->angle)) {
    return REFUSE(angle, "an angle");
  }
#undef REFUSE
  /* In the plane they would be ignored: a law that sets one was meant to have tangents = 2. */
  const char *field = law->tangents == 2                     ? NULL
                      : law->shape != NSDYN_FRICTION_ELLIPSE ? "shape"
                      : law->aspect != 1.0                   ? "aspect"
                      : law->angle != 0.0                    ? "angle"
                                                             : NULL;
  return field ? nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, index,
                               "contact %lld: %s is for contacts in space, but tangents is 1",
                               (long long)index, field)
               : NSDYN_OK;
}

void nsd_contact_law_read_space(const nsdyn_contact_law *law, nsd_contact_space *space)
{
  const int is_polygon = law->shape == NSDYN_FRICTION_POLYGON;
  *space = (nsd_contact_space){.sides = is_polygon ? law->sides : 0,
                               .is_round = !is_polygon && law->aspect == 1.0,
                               .aspect = law->aspect};
  /* Of a disk the axes do not matter. */
  const double angle = space->is_round ? 0.0 : law->angle;
  space->axis[0] = 1.0;
  space->axis[1] = 0.0;
  if (angle != 0.0) {
    nsd_sin_cos(angle, space->axis);
  }
}

static nsdyn_status check(const nsdyn_contact_law *law, int64_t index, nsd_fault *fault)
{
#define REFUSE(field, range) refuse(fault, index, #field, (double)law->field, range)
  /* Comparisons are written so that NaN fails them. */
  if (law->kind < NSDYN_CONTACT_UNILATERAL || law->kind > NSDYN_CONTACT_BILATERAL) {
    return REFUSE(kind, "one of nsdyn_contact_kind");
  }
  if (law->friction < NSDYN_FRICTION_NONE || law->friction > NSDYN_FRICTION_BOUND) {
    return REFUSE(friction, "one of nsdyn_friction_kind");
  }
  if (!is_amount(law->mu)) {
    return REFUSE(mu, "a friction coefficient >= 0");
  }
  if (!is_amount(law->mu_static)) {
    return REFUSE(mu_static, "a friction coefficient >= 0");
  }
  if (law->friction == NSDYN_FRICTION_STATIC && law->mu_static < law->mu) {
    return REFUSE(mu_static, "at least mu");
  }
  if (!is_amount(law->bound)) {
    return REFUSE(bound, "a force >= 0");
  }
  if (!is_restitution(law->eps_n)) {
    return REFUSE(eps_n, "in [0, 1]");
  }
  if (!is_restitution(law->eps_t)) {
    return REFUSE(eps_t, "in [0, 1]");
  }
  if (!is_restitution(law->reversal)) {
    return REFUSE(reversal, "in [0, 1]");
  }
#undef REFUSE
  if (law->friction == NSDYN_FRICTION_CURVE && !law->curve) {
    return nsd_fault_set(fault, NSDYN_ERR_ARGUMENT, NSDYN_DETAIL_CONTACT, index,
                         "contact %lld: curve is NULL, but its friction is NSDYN_FRICTION_CURVE",
                         (long long)index);
  }
  return check_space(law, index, fault);
}

nsdyn_status nsd_contact_law_read(nsdyn_contact_law *own, const nsdyn_contact_law *given, int64_t index,
                                  nsd_fault *fault)
{
  const nsdyn_status status = NSD_SIZED_READ(nsdyn_contact_law, own, NSD_CONTACT_LAW_LEAST, given, fault);
  if (status) {
    if (fault) {
      /* The reader of structs knows no contacts: its refusal is told as one of this contact. */
      fault->detail.kind = NSDYN_DETAIL_CONTACT;
      fault->detail.index = index > INT32_MAX ? INT32_MAX : (int32_t)index;
    }
    return status;
  }
  return check(own, index, fault);
}
