/*
 * nsdyn: dynamics of mechanical systems with contact, friction and impact
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "system/check/check.h"

nsdyn_status nsdyn_system_check_report_init(nsdyn_system_check_report *report, size_t size)
{
  const nsdyn_system_check_report nothing = {
      .size = sizeof nothing, .callback = "", .contact = -1, .constraint = -1, .row = -1, .column = -1};
  return nsd_sized_init(report, size, NSD_SYSTEM_CHECK_REPORT_LEAST, &nothing, sizeof nothing);
}

void nsd_model_note(nsd_model_check *c, nsd_place place)
{
  nsdyn_system_check_report *r = &c->report;
  r->defects++;
  /* What causes others comes first: of an M that is wrong, sizes are; of a q̇, slopes. */
  if (r->defect != NSDYN_DEFECT_NONE &&
      (place.defect > r->defect || (place.defect == r->defect && !(place.error > 1.001 * r->error)))) {
    return;
  }
  r->defect = place.defect;
  r->callback = place.callback;
  r->contact = place.who.kind == NSDYN_DETAIL_CONTACT ? place.who.index : -1;
  r->constraint = place.who.kind == NSDYN_DETAIL_CONSTRAINT ? place.who.index : -1;
  r->key = place.who.kind == NSDYN_DETAIL_CONTACT ? place.who.key : 0;
  r->row = place.row;
  r->column = place.column;
  r->expected = place.expected;
  r->found = place.found;
  r->error = place.error;
}

static nsd_subject subject_of(const nsdyn_system_check_report *r)
{
  if (r->constraint >= 0) {
    return nsd_model_constraint(r->constraint);
  }
  const nsd_subject contact = {NSDYN_DETAIL_CONTACT, r->contact, r->key};
  const int is_found = r->callback[0] == 'f' && r->callback[1] == 'i';
  /* Only `find` tells of contacts without an index. */
  return r->contact >= 0 || is_found ? contact : nsd_no_subject();
}

/* Whether two numbers are the same but for what differences leave open. */
static int is_about(double a, double b)
{
  return fabs(a - b) <= 1e-4 * fmax(fabs(a), fabs(b));
}

/* What to do about a row of W. */
static const char *advice_on_slope(const nsd_model_check *c)
{
  const nsdyn_system_check_report *r = &c->report;
  /* The same number with the other sign: a common mistake, and easily told. */
  if (r->found != 0.0 && is_about(r->found, -r->expected)) {
    return r->constraint >= 0 ? "; turn the sign of the row of W_b or of g_b"
                              : "; turn the sign of w_N or of the gap";
  }
  if (r->contact >= 0) {
    const size_t nu = (size_t)c->def->nu;
    const double *w_T = c->answers.W + (NSD_CONTACT_ROWS * (size_t)r->contact + 1) * nu;
    /* The slope stands in the other row. */
    if (r->expected != 0.0 && is_about(w_T[r->column], r->expected)) {
      return "; row 1 has that: are the rows exchanged?";
    }
  }
  return r->found == 0.0 ? "; is that element missing?" : "";
}

/* To seven digits: what follows from differences has no more to tell, and a user reads them. */
static double shorten(double x)
{
  double large = 1.0,
         small = 1.0; /* the power of ten that makes it a number of seven digits is small / large */
  if (x == 0.0 || !isfinite(x)) {
    return x;
  }
  while (fabs(x) * small < 1e6 && small < 1e300) {
    small *= 10.0;
  }
  while (fabs(x) / large >= 1e7) {
    large *= 10.0;
  }
  return large > 1.0 ? rint(x / large) * large : rint(x * small) / small;
}

/* What disagrees. */
static void describe(const nsd_model_check *c, char *text, size_t room)
{
  const nsdyn_system_check_report *r = &c->report;
  const char *what = r->constraint >= 0 ? "constraint" : "gap";
  char expected[NSD_NUMBER_LENGTH], found[NSD_NUMBER_LENGTH];
  /* What was asked for directly is shown as it is; slopes by differences are good to some digits. */
  const int is_exact = r->defect < NSDYN_DEFECT_LINEAR || r->defect == NSDYN_DEFECT_CONSTANT;
  nsd_number_text(is_exact ? r->expected : shorten(r->expected), expected);
  nsd_number_text(is_exact ? r->found : shorten(r->found), found);
  switch (r->defect) {
  case NSDYN_DEFECT_CHANGING:
    (void)snprintf(text, room,
                   "asked twice it said %s, then %s: it must depend on its arguments alone, and on "
                   "what configure computed from them",
                   expected, found);
    break;
  case NSDYN_DEFECT_SYMMETRY:
    (void)snprintf(text, room, "%s here and %s across: write both halves alike", expected, found);
    break;
  case NSDYN_DEFECT_DEFINITE:
    (void)snprintf(text, room,
                   "the matrix is not positive definite, as this row shows: a mass is missing or has "
                   "the wrong sign");
    break;
  case NSDYN_DEFECT_INVERSE:
    (void)snprintf(text, room, "M of mass times its inverse is %s there, not %s", found, expected);
    break;
  case NSDYN_DEFECT_LINEAR:
    (void)snprintf(text, room, "of a sum of velocities it makes %s, the sum of what it makes of each is %s",
                   found, expected);
    break;
  case NSDYN_DEFECT_REST:
    (void)snprintf(text, room,
                   "with dt = 0 the coordinate goes from %s to %s; it must stay (is q admissible?)", expected,
                   found);
    break;
  case NSDYN_DEFECT_MOTION:
    (void)snprintf(text, room, "the coordinate moves at %s, by %s at %s: one of them is wrong", expected,
                   c->def->kinematics ? "kinematics" : "u", found);
    break;
  case NSDYN_DEFECT_SLOPE:
    (void)snprintf(text, room, "the %s's slope is %s, given is %s%s", what, expected, found,
                   advice_on_slope(c));
    break;
  case NSDYN_DEFECT_RATE:
    (void)snprintf(text, room, "in time alone the %s changes by %s, given is %s%s", what, expected, found,
                   r->found == 0.0                    ? "; add the velocity of what moves by itself"
                   : is_about(r->found, -r->expected) ? "; turn its sign"
                                                      : "");
    break;
  case NSDYN_DEFECT_BIAS:
    (void)snprintf(text, room, "W u + w_hat changes by %s along the motion, given is %s%s", expected, found,
                   r->found != 0.0 && is_about(r->found, -r->expected) ? "; turn its sign" : "");
    break;
  default:
    (void)snprintf(text, room, "flags call it constant, but it goes from %s to %s", expected, found);
    break;
  }
}

/* " (w_N)", and so on: what a row is called. */
static const char *name_of_row(const nsdyn_system_check_report *r)
{
  switch (r->defect) {
  case NSDYN_DEFECT_SLOPE:
    return r->constraint >= 0 ? " (W_b)" : " (w_N)";
  case NSDYN_DEFECT_RATE:
    return r->constraint >= 0 ? " (w_hat_b)" : " (w_hat)";
  case NSDYN_DEFECT_BIAS:
    return r->constraint >= 0 ? " (w_bar_b)" : " (w_bar)";
  default:
    return "";
  }
}

/* ", block 2 (velocities 6 to 8)" where the defect is in a block of M; its first velocity, from which rows
 * and columns are counted then. */
enum { BLOCK_LENGTH = NSD_MASS_LENGTH };
static int name_block(const nsd_model_check *c, char block[BLOCK_LENGTH])
{
  const nsdyn_system_check_report *r = &c->report;
  nsd_mass_part p = nsd_mass_first(c->def);
  if (strcmp(r->callback, "mass") != 0 || !c->def->nblocks || r->row < 0) {
    return 0;
  }
  while (p.first + p.n <= r->row) {
    p = nsd_mass_next(c->def, p);
  }
  (void)snprintf(block, BLOCK_LENGTH, ", block %d (velocities %d to %d)", p.number, p.first,
                 p.first + p.n - 1);
  return p.first;
}

nsdyn_status nsd_model_explain(nsd_model_check *c)
{
  const nsdyn_system_check_report *r = &c->report;
  const nsd_subject who = subject_of(r);
  char subject[NSD_SUBJECT_LENGTH], row[32] = "", column[32] = "", text[200];
  char block[BLOCK_LENGTH] = "";
  nsd_subject_text(who, subject);
  const int first = name_block(c, block);
  if (r->row >= 0) {
    (void)snprintf(row, sizeof row, ", row %d", (int)r->row - first);
  }
  if (r->column >= 0) {
    (void)snprintf(column, sizeof column, ", column %d", (int)r->column - first);
  }
  describe(c, text, sizeof text);
  const int has_subject = who.kind != NSDYN_DETAIL_NONE;
  nsd_fault_set(&c->fault, NSDYN_ERR_INCONSISTENT, has_subject ? who.kind : NSDYN_DETAIL_ROW,
                has_subject ? who.index : r->row, "%s%s%s%s%s%s%s: %s", r->callback,
                has_subject ? " of " : "", subject, block, row, name_of_row(r), column, text);
  c->fault.detail.key = has_subject ? who.key : 0;
  return NSDYN_ERR_INCONSISTENT;
}
