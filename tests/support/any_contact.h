/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Whether two contact problems are the same to the bit, in all that a text holds. */
#ifndef TESTS_SUPPORT_ANY_CONTACT_H
#define TESTS_SUPPORT_ANY_CONTACT_H

#include <string.h>

#include "nsdyn/contact.h"

static inline int same_numbers(const double *a, const double *b, int n)
{
  return (!a && !b) || (a && b && memcmp(a, b, (size_t)n * sizeof *a) == 0);
}

static inline int same_laws(const nsdyn_contact_law *a, const nsdyn_contact_law *b)
{
  const double of_a[] = {a->mu, a->mu_static, a->bound, a->aspect, a->angle, a->eps_n, a->eps_t, a->reversal};
  const double of_b[] = {b->mu, b->mu_static, b->bound, b->aspect, b->angle, b->eps_n, b->eps_t, b->reversal};
  return a->kind == b->kind && a->friction == b->friction && a->tangents == b->tangents &&
         a->shape == b->shape && a->sides == b->sides && !a->curve == !b->curve &&
         memcmp(of_a, of_b, sizeof of_a) == 0;
}

static inline int same_contact_problems(const nsdyn_contact_problem *a, const nsdyn_contact_problem *b)
{
  const int rows = nsdyn_contact_rows(a);
  if (a->contacts != b->contacts || a->bilateral != b->bilateral || rows < 0 ||
      nsdyn_contact_rows(b) != rows || !a->law != !b->law || (a->law && a->nlaws != b->nlaws)) {
    return 0;
  }
  for (int k = 0; k < (a->law ? a->nlaws : a->contacts); k++) {
    if (!same_laws(&a->laws[k], &b->laws[k])) {
      return 0;
    }
  }
  for (int i = 0; a->law && i < a->contacts; i++) {
    if (a->law[i] != b->law[i]) {
      return 0;
    }
  }
  for (int i = 0; i < rows; i++) {
    if (!same_numbers(a->G + (size_t)i * (size_t)a->ldg, b->G + (size_t)i * (size_t)b->ldg, rows)) {
      return 0;
    }
  }
  const int tangential = rows - a->contacts - a->bilateral;
  return same_numbers(a->c, b->c, rows) && same_numbers(a->mu, b->mu, a->contacts) &&
         same_numbers(a->slip, b->slip, tangential) && same_numbers(a->start, b->start, rows) &&
         same_numbers(&a->dt, &b->dt, 1);
}

#endif
