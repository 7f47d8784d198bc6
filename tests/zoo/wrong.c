/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Machines whose directions or gaps are wrong, as users get them wrong: the library is given the wrong ones,
 * the judge has the right ones. And laws that are off by a little, as a step that obeys its law a little
 * wrong would have them: a judge that does not call that a lie is blind. */
#include "zoo.h"

static const char *const words[] = {"",      "sign", "swapped",  "zero",        "half",
                                    "third", "gap",  "unhatted", "restitution", "friction"};
enum { KINDS = sizeof words / sizeof *words };
enum { RIGHT, SIGN, SWAPPED, ZERO, HALF, THIRD, GAP, UNHATTED, RESTITUTION, FRICTION };

/* One run after the other, in one thread: callbacks keep their `user`. */
static nsdyn_system_def right;
static int kind;

int zoo_wrong_kind(const char *word)
{
  for (int k = 1; k < KINDS; k++) {
    if (strcmp(word, words[k]) == 0) {
      return k;
    }
  }
  return -1;
}

/* The normal row's factor. */
static double factor(void)
{
  return kind == SIGN ? -1.0 : kind == ZERO ? 0.0 : kind == HALF ? 0.5 : kind == THIRD ? 0.3 : 1.0;
}

static void spoil(double *row_N, double *row_T, int n)
{
  for (int j = 0; j < n; j++) {
    const double normal = row_N[j];
    row_N[j] = kind == SWAPPED ? row_T[j] : factor() * normal;
    row_T[j] = kind == SWAPPED ? normal : kind == ZERO ? 0.0 : row_T[j];
  }
}

static int wrong_direction(void *user, double t, const double *q, int32_t i, double *W, double *w_hat)
{
  const int code = right.direction(user, t, q, i, W, w_hat);
  spoil(W, W + right.nu, right.nu);
  spoil(w_hat, w_hat + 1, 1);
  w_hat[0] *= kind == UNHATTED ? 0.0 : 1.0;
  return code;
}

static int wrong_bias(void *user, double t, const double *q, const double *u, int32_t i, double *w_bar)
{
  const int code = right.bias(user, t, q, u, i, w_bar);
  spoil(w_bar, w_bar + 1, 1);
  return code;
}

static int wrong_gap(void *user, double t, const double *q, double *g)
{
  const int code = right.gap(user, t, q, g);
  for (int i = 0; i < right.ncontacts; i++) {
    g[i] *= 2.0;
  }
  return code;
}

int zoo_wrong_is_law(int which)
{
  return which == RESTITUTION || which == FRICTION;
}

nsdyn_contact_law zoo_wrong_law(const zoo_case *c, const nsdyn_contact_law *law)
{
  const double off = 0.95;
  nsdyn_contact_law told = *law;
  if (c->wrong == RESTITUTION) {
    told.eps_n *= off;
  } else if (c->wrong == FRICTION) {
    told.mu *= off;
    told.mu_static *= off;
    told.bound *= off;
  }
  return told;
}

/* Whether a law of the case would be another one. */
static int has_such_law(const zoo_case *c)
{
  int has = 0;
  for (int i = 0; i < c->def.ncontacts + c->found_laws; i++) {
    const nsdyn_contact_law *law = i < c->def.ncontacts ? &c->law[i] : &c->found_law[i - c->def.ncontacts];
    has |= c->wrong == RESTITUTION ? law->eps_n > 0.0
                                   : law->friction != NSDYN_FRICTION_NONE && fmax(law->mu, law->bound) > 0.0;
  }
  return has;
}

int zoo_wrong_applies(const zoo_case *c)
{
  return zoo_wrong_is_law(c->wrong) ? has_such_law(c)
                                    : c->def.ncontacts > 0 && c->def.direction && c->def.gap;
}

nsdyn_system_def zoo_wrong_def(const zoo_case *c)
{
  nsdyn_system_def def = c->def;
  right = c->def;
  kind = c->wrong;
  if (kind == GAP) {
    def.gap = wrong_gap;
  } else if (kind != RIGHT && !zoo_wrong_is_law(kind)) {
    def.direction = wrong_direction;
    def.bias = def.bias ? wrong_bias : NULL;
  }
  return def;
}
